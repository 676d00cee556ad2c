//! A project in a repository, changed on disk, and what the questions about the change say.

use std::fs;
use std::path::Path;
use std::process::Command;

use repo_graph::ask::{Desk, Refusal};
use repo_graph::index::Options;
use repo_graph::queries;
use serde_json::{Map, Value};

/// A change of one file.
#[derive(Clone, Copy)]
pub enum Edit {
    /// The first text, which must be there, becomes the second.
    Replace(&'static str, &'static str, &'static str),
    Write(&'static str, &'static str),
    Delete(&'static str),
    Move(&'static str, &'static str),
}

/// The files of a project.
pub struct Project {
    files: Vec<(String, String)>,
}

/// A project with an uncommitted change.
pub struct Changed {
    directory: tempfile::TempDir,
}

impl Project {
    /// A fixture, and further files.
    pub fn of(fixture: &str, more: &[(&str, &str)]) -> Project {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
        let mut files = Vec::new();
        let mut directories = vec![root.clone()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                    files.push((name, fs::read_to_string(&path).unwrap()));
                }
            }
        }
        files.extend(more.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
        Project { files }
    }

    /// The project committed, then changed.
    pub fn change(&self, edits: &[Edit]) -> Changed {
        let changed = Changed { directory: tempfile::tempdir().unwrap() };
        for (name, text) in &self.files {
            changed.write(name, text);
        }
        changed.git(&["init", "-q", "-b", "main"]);
        changed.git(&["add", "."]);
        changed.git(&["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "before"]);
        for edit in edits {
            match *edit {
                Edit::Replace(name, old, new) => {
                    let text = fs::read_to_string(changed.path(name)).unwrap();
                    assert!(text.contains(old), "{name} has no {old:?}");
                    changed.write(name, &text.replacen(old, new, 1));
                }
                Edit::Write(name, text) => changed.write(name, text),
                Edit::Delete(name) => fs::remove_file(changed.path(name)).unwrap(),
                Edit::Move(old, new) => {
                    let text = fs::read_to_string(changed.path(old)).unwrap();
                    changed.write(new, &text);
                    fs::remove_file(changed.path(old)).unwrap();
                }
            }
        }
        changed
    }
}

impl Changed {
    fn path(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.directory.path());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(command.status().unwrap().success(), "git {arguments:?}");
    }

    fn ask(&self, desk: &Desk, question: &str) -> Value {
        let arguments = Map::from_iter([("limit".to_owned(), Value::from(1000))]);
        let call = queries::tool(question).and_then(|tool| tool.call(arguments)).unwrap();
        match desk.ask(&call) {
            Ok(answer) => serde_json::from_str(&answer.text).unwrap(),
            Err(Refusal::Miss(miss)) => panic!("{miss:?}"),
            Err(Refusal::Failed(error)) => panic!("{error}"),
        }
    }

    /// Changed symbols and verdicts, as lines.
    pub fn findings(&self) -> Vec<String> {
        let start = self.directory.path().to_owned();
        let desk = Desk::open(Options { start, ..Options::default() }).unwrap();
        let (impact, callers) = (self.ask(&desk, "changed_impact"), self.ask(&desk, "changed_callers"));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut changed: Vec<String> = Vec::new();
        for row in impact["changed"].as_array().unwrap() {
            let from = row.get("from").map(|from| format!("{} -> ", text(from))).unwrap_or_default();
            changed.push(format!("{} {from}{}", text(&row["change"]), text(&row["id"])));
        }
        changed.extend(["unread", "config_changed"].into_iter().flat_map(|key| {
            let paths = callers.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
            paths.into_iter().map(move |path| format!("{key} {}", text(&path)))
        }));
        changed.sort();
        let mut found: Vec<String> = Vec::new();
        for row in callers["callers"].as_array().unwrap() {
            let mut line = format!("{} {} -> {}", text(&row["verdict"]), text(&row["id"]), text(&row["symbol"]));
            if let Some(reason) = row.get("reason") {
                line.push_str(&format!(": {}", text(reason)));
            }
            found.push(line);
        }
        found.sort();
        changed.extend(found);
        changed
    }
}
