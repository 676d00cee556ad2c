//! Random histories: git does what a user does, and a graph depends only on what the files are.

use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::collection::vec;
use proptest::prelude::*;
use repo_graph::index::{At, Loaded, Options, Session};

use super::sources::{Edit, Files, edit, files, page};
use super::{check, compare, write};

/// What is done after some edits.
#[derive(Clone, Debug)]
enum Act {
    Nothing,
    Stage,
    Commit,
    /// Drops the edits and goes to one of the commits made so far.
    Checkout(usize),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        1 => Just(Act::Nothing),
        1 => Just(Act::Stage),
        3 => Just(Act::Commit),
        2 => (0..8usize).prop_map(Act::Checkout),
    ]
}

/// A repository in a directory of its own, with one database for all that is asked of it.
struct Repository {
    directory: tempfile::TempDir,
    files: Files,
    /// Each commit with the files that it holds.
    commits: Vec<(String, Files)>,
    story: String,
    fresh: usize,
}

impl Repository {
    fn new() -> Repository {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let repository =
            Repository { directory, files: Files::new(), commits: Vec::new(), story: String::new(), fresh: 0 };
        std::fs::create_dir(repository.root()).expect("a directory of our own");
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    fn root(&self) -> PathBuf {
        self.directory.path().join("root")
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), arguments)
    }

    fn session(&self) -> Session {
        open(&self.root(), &self.directory.path().join("graph.db"))
    }

    fn edit(&mut self, after: Files) {
        write(&self.root(), &self.files, &after);
        self.story.push_str(&page(&self.files, &after));
        self.files = after;
    }

    fn act(&mut self, act: &Act) {
        self.story.push_str(&format!("{act:?}\n\n"));
        match act {
            Act::Nothing => {}
            Act::Stage => drop(self.git(&["add", "-A"])),
            Act::Commit => {
                self.git(&["add", "-A"]);
                self.git(&["commit", "-q", "--allow-empty", "-m", "change"]);
                let commit = self.git(&["rev-parse", "HEAD"]).trim().to_owned();
                // So that a clone has it, whatever branch it is on.
                self.git(&["tag", "-f", &format!("commit-{}", self.commits.len())]);
                self.commits.push((commit, self.files.clone()));
            }
            Act::Checkout(at) => {
                if let Some((commit, files)) = self.commits.get(at % self.commits.len().max(1)).cloned() {
                    self.git(&["reset", "-q", "--hard"]);
                    self.git(&["clean", "-qfd"]);
                    self.git(&["checkout", "-q", &commit]);
                    self.files = files;
                }
            }
        }
    }

    /// The graph of the disk made from nothing.
    fn from_scratch(&mut self) -> Loaded {
        self.fresh += 1;
        let database = self.directory.path().join(format!("fresh-{}.db", self.fresh));
        open(&self.root(), &database).load(&At::Disk).expect("our own repository")
    }

    fn explain(&self, difference: &str) -> String {
        format!("{}{difference}", self.story)
    }
}

fn git(root: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(root).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.com");
        command.env(format!("GIT_{who}_DATE"), "2024-01-01T00:00:00Z");
    }
    let output = command.output().expect("git can be run");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("git prints text here")
}

fn open(root: &Path, database: &Path) -> Session {
    let (start, database) = (root.to_owned(), Some(database.to_owned()));
    Session::open(Options { start, root: None, database, no_index: false }).expect("our own repository")
}

/// After any history the disk's graph is the one from scratch, a clean worktree has its commit's, and every commit has
/// the graph of its checkout, also in a clone elsewhere.
#[test]
fn a_graph_depends_on_the_files_alone() {
    let steps = || (files(), vec((vec(edit(), 1..4), act()), 2..6));
    check(8, steps, |(first, steps)| history(first, &steps));
}

fn history(first: Files, steps: &[(Vec<Edit>, Act)]) -> Result<(), String> {
    let mut repository = Repository::new();
    repository.edit(first);
    repository.act(&Act::Commit);
    let session = repository.session();
    for (edits, act) in steps {
        let mut after = repository.files.clone();
        edits.iter().for_each(|edit| edit.apply(&mut after));
        repository.edit(after);
        repository.act(act);
        let found = session.load(&At::Disk).map_err(|error| repository.explain(&error.to_string()))?;
        let expected = repository.from_scratch();
        compare(&expected, &found).map_err(|difference| repository.explain(&difference))?;
        if matches!(act, Act::Commit | Act::Checkout(_)) {
            for at in [At::Staged, At::Revision("HEAD".to_owned())] {
                let same = session.load(&at).map_err(|error| repository.explain(&error.to_string()))?;
                compare(&found, &same).map_err(|difference| repository.explain(&format!("{at:?}\n{difference}")))?;
            }
        }
    }
    let clone = repository.directory.path().join("elsewhere");
    repository.git(&["clone", "-q", ".", clone.to_str().expect("a temporary path is text")]);
    for (commit, _) in repository.commits.clone() {
        let at = session.load(&At::Revision(commit.clone())).map_err(|error| repository.explain(&error.to_string()))?;
        git(&clone, &["checkout", "-q", &commit]);
        repository.fresh += 1;
        let database = repository.directory.path().join(format!("clone-{}.db", repository.fresh));
        let checkout = open(&clone, &database).load(&At::Disk).map_err(|error| error.to_string())?;
        compare(&checkout, &at).map_err(|difference| repository.explain(&format!("{commit}\n{difference}")))?;
    }
    Ok(())
}
