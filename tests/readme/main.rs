//! README.md against the program: every command line in it runs, every output in it is what comes out, every generated
//! table is up to date; and every link of the documents leads to a file.
//!
//! `UPDATE_EXPECT=1 cargo test --test readme` writes outputs and tables anew.

mod page;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use repo_graph::mcp::clients::CLIENTS;
use repo_graph::queries::CATALOG;

/// Held by whoever reads the page and may write it.
static PAGE: Mutex<()> = Mutex::new(());

/// Command lines that a test cannot run: they build what it is a part of.
const BUILDS: [&str; 2] = ["cargo test", "cargo install --path ."];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_tables_are_those_of_the_program() {
    let _held = PAGE.lock();
    let page = page::read();
    let mut tools = "| tool | answers |\n|---|---|\n".to_owned();
    for tool in CATALOG {
        tools.push_str(&format!("| `{}` | {} |\n", tool.name, tool.summary()));
    }
    let mut clients = "| client | settings from | they go into |\n|---|---|---|\n".to_owned();
    for client in &CLIENTS {
        let (title, name, file) = (client.title, client.name, client.file);
        clients.push_str(&format!("| {title} | `repo-graph config {name}` | `{file}` |\n"));
    }
    let right = page::with_part(&page::with_part(&page, "tools", &tools), "clients", &clients);
    page::expect(&page, &right);
}

/// The fixture `shop` as a git repository, below a directory that looks like ours.
struct Scene {
    directory: tempfile::TempDir,
}

impl Scene {
    fn new() -> Scene {
        let scene = Scene { directory: tempfile::tempdir().unwrap() };
        copy(&root().join("fixtures/shop"), &scene.shop());
        scene.shell("git init -q -b main && git add . && git commit -qm 'A shop'");
        scene
    }

    fn shop(&self) -> PathBuf {
        self.directory.path().join("fixtures/shop")
    }

    /// What a line typed in the shop prints, on both streams.
    fn shell(&self, line: &str) -> String {
        self.run(line, &self.shop(), "")
    }

    fn run(&self, line: &str, directory: &Path, input: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_repo-graph")).parent().expect("it is in a directory");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = [program.to_owned()].into_iter().chain(std::env::split_paths(&path));
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(directory).env("PATH", std::env::join_paths(paths).unwrap());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "t").env(format!("GIT_{who}_EMAIL"), "t@example.invalid");
            command.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that reads nothing may have closed its end.
        let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {said}");
        said
    }

    /// Runs a line of the page; gives what it prints.
    fn play(&self, line: &str) -> String {
        if let Some(arguments) = line.strip_prefix("cargo run --release -- ") {
            return self.run(&format!("repo-graph {arguments}"), self.directory.path(), "");
        }
        if BUILDS.contains(&line) {
            return String::new();
        }
        assert!(line.starts_with("repo-graph ") || line.starts_with("git "), "not a command of ours: {line}");
        self.shell(line)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // What a run in the fixture itself has left behind.
        if entry.file_name() == ".repo-graph" || entry.file_name() == "__pycache__" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Plays the page from top to bottom: commands in blocks `sh`, `console` (with what they print) and in the text; a
/// block `diff` is applied.
#[test]
fn every_command_runs_and_prints_what_the_page_says() {
    let _held = PAGE.lock();
    let page = page::read();
    let scene = Scene::new();
    let mut right = String::new();
    let mut block: Option<&str> = None;
    let mut patch = String::new();
    let mut commands = 0;
    for line in page.lines() {
        let is_output = block == Some("console") && !line.starts_with("$ ") && !line.starts_with("```");
        if !is_output {
            right.push_str(line);
            right.push('\n');
        }
        match (line.strip_prefix("```"), block) {
            (Some(info), None) => block = Some(info),
            (Some(_), Some(info)) => {
                if info == "diff" {
                    scene.run("git apply -", &scene.shop(), &std::mem::take(&mut patch));
                }
                block = None;
            }
            (None, Some("diff")) => patch.push_str(&format!("{line}\n")),
            (None, Some("console")) => {
                if let Some(command) = line.strip_prefix("$ ") {
                    right.push_str(&scene.play(command));
                    commands += 1;
                }
            }
            (None, Some("sh")) => {
                let command = line.split("  #").next().unwrap_or_default().trim();
                if !command.is_empty() {
                    scene.play(command);
                    commands += 1;
                }
            }
            (None, Some(_)) => {}
            (None, None) => {
                for code in line.split('`').skip(1).step_by(2).filter(|code| code.starts_with("repo-graph ")) {
                    scene.play(code);
                    commands += 1;
                }
            }
        }
    }
    assert!(commands > 20, "the page is not read as it was meant: {commands} commands");
    page::expect(&page, &right);
}

#[test]
fn the_second_command_is_what_ci_runs() {
    let script = fs::read_to_string(root().join(".ci/run")).expect("our own file");
    assert!(page::read().contains("\ncargo test "), "the page says how all tests are run");
    assert!(script.lines().any(|line| line.starts_with("step cargo test")), "{script}");
}

#[test]
fn every_link_leads_to_a_file() {
    let mut faults = Vec::new();
    for entry in fs::read_dir(root()).expect("our own directory") {
        let path = entry.expect("our own directory").path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("our own file");
        // Outside of blocks of code.
        let prose: String = text.split("\n```").step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !link.contains("://") && !file.is_empty() && !root().join(file).exists() {
                faults.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
