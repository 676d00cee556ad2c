//! A repository in a temporary directory, made with `git` itself, and short words for what is asked of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use repo_graph::git::{Capture, Repository, StatCache};
use repo_graph::snapshot::Skip;

pub const RULES: &[u8] = b"rules of the tests";

/// A directory that vanishes at the end, and git in it.
pub struct Place {
    _guard: tempfile::TempDir,
    pub path: PathBuf,
}

impl Place {
    pub fn new() -> Place {
        let guard = tempfile::tempdir().expect("a temporary directory");
        let path = fs::canonicalize(guard.path()).expect("its real path");
        Place { _guard: guard, path }
    }

    /// A repository with the given files in one commit.
    pub fn with(files: &[(&str, &str)]) -> Place {
        let place = Place::new();
        place.git(&["init", "-q", "-b", "main", "."]);
        place.write_all(files);
        place.commit("start");
        place
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.path, arguments)
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
        fs::write(path, content).expect("a file");
    }

    pub fn write_all(&self, files: &[(&str, &str)]) {
        for (path, content) in files {
            self.write(path, content);
        }
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    pub fn open(&self) -> Repository {
        open(&self.path)
    }

    /// What git would call the file's content.
    pub fn hash(&self, path: &str) -> String {
        self.git(&["hash-object", "--path", path, path])
    }
}

pub fn git_in(directory: &Path, arguments: &[&str]) -> String {
    git_with(directory, arguments, &[])
}

pub fn git_with(directory: &Path, arguments: &[&str], environment: &[(&str, &Path)]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .envs(environment.iter().copied())
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_owned()
}

pub fn open(path: &Path) -> Repository {
    Repository::open(path, None).expect("it opens")
}

pub fn disk(repository: &Repository) -> Capture {
    repository.disk_snapshot(RULES, &StatCache::default()).expect("a snapshot").0
}

pub fn staged(repository: &Repository) -> Capture {
    repository.staged_snapshot(RULES, &StatCache::default()).expect("a snapshot")
}

pub fn commit(repository: &Repository, revision: &str) -> Capture {
    let revision = repository.resolve(revision).expect("a commit");
    repository.commit_snapshot(revision.tree, RULES, &StatCache::default()).expect("a snapshot")
}

pub fn ids(capture: &Capture) -> BTreeMap<String, String> {
    let entries = capture.snapshot.entries.iter();
    entries
        .map(|entry| (entry.path.to_string(), entry.blob.map_or("missing".to_owned(), |id| id.to_string())))
        .collect()
}

pub fn paths(capture: &Capture) -> Vec<String> {
    capture.snapshot.entries.iter().map(|entry| entry.path.to_string()).collect()
}

pub fn skipped(capture: &Capture) -> Vec<(String, Skip)> {
    capture.snapshot.skipped.iter().map(|file| (file.path.to_string(), file.reason)).collect()
}

pub fn text(repository: &Repository, capture: &Capture, path: &str) -> String {
    let entry = capture.snapshot.entry(path).expect("the file is there");
    String::from_utf8(repository.reader(capture).read(entry).expect("it can be read")).expect("UTF-8")
}

/// Commit, staged and a clean disk are one snapshot: same id, same files left out for the same reasons.
pub fn assert_one_snapshot(repository: &Repository) -> Capture {
    let (commit, staged, disk) = (commit(repository, "HEAD"), staged(repository), disk(repository));
    for other in [&staged, &disk] {
        assert_eq!(ids(other), ids(&commit));
        assert_eq!(skipped(other), skipped(&commit));
        assert_eq!(other.snapshot.id, commit.snapshot.id);
    }
    disk
}
