//! A small repository to work on, and the program to run there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A repository with `a.py` at the top and `pkg/b.py`, whose `b` calls `a`.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Place {
        let place = Place { directory: tempfile::tempdir().unwrap() };
        place.create();
        place
    }

    /// Makes the repository, again where it was deleted.
    pub fn create(&self) {
        fs::create_dir_all(self.path("pkg")).unwrap();
        self.write("a.py", "def a():\n    return 1\n");
        self.write("pkg/b.py", "from a import a\n\n\ndef b():\n    return a()\n");
        self.git(&["init", "-q", "-b", "main"]);
        self.commit("first");
    }

    /// A path in the repository, without links in it.
    pub fn path(&self, below: &str) -> PathBuf {
        self.outside().join("repo").join(below)
    }

    /// The directory that the repository lies in.
    pub fn outside(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub fn write(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
    }

    pub fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.path(""));
        // The same commits have the same ids everywhere.
        command.env("GIT_AUTHOR_DATE", "1700000000 +0000").env("GIT_COMMITTER_DATE", "1700000000 +0000");
        assert!(without_configuration(&mut command).status().unwrap().success(), "git {arguments:?}");
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "."]);
        self.git(&["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", message]);
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        run(&self.path(""), arguments)
    }
}

/// What a run of the program came to.
#[derive(PartialEq, Eq, Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("no signal ends it"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// A run that went well and had nothing to say.
    pub fn silent() -> Ran {
        Ran { code: 0, stdout: String::new(), stderr: String::new() }
    }

    /// One line of JSON on standard output and nothing else said.
    pub fn answer(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{self:?}");
        assert!(self.stdout.ends_with('\n') && self.stdout.lines().count() == 1, "{self:?}");
        serde_json::from_str::<Value>(&self.stdout).unwrap();
        self.stdout
    }

    /// An error with this exit code that says all the words, in one or two lines, and no answer.
    pub fn error(self, code: i32, words: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self:?}");
        assert!(words.iter().all(|word| self.stderr.contains(word)), "{words:?}: {self:?}");
        assert!(self.stderr.lines().count() <= 2, "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
    }
}

pub fn run(directory: &Path, arguments: &[&str]) -> Ran {
    program(directory, arguments).output().unwrap().into()
}

/// The program in a directory, with no input.
pub fn program(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_repo-graph"));
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    without_configuration(&mut command);
    command
}

/// Takes git's configuration of this machine away.
pub fn without_configuration(command: &mut Command) -> &mut Command {
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1")
}
