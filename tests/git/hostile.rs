//! What a repository may not do to us.

use std::fs;
use std::path::Path;
use std::process::Command;

use repo_graph::git::{GitError, Repository, StatCache};
use repo_graph::snapshot::Skip;

use crate::place::{Place, RULES, commit, disk, open, paths, skipped, staged, text};

#[test]
fn filters_are_never_run() {
    let place = Place::with(&[(".gitattributes", "*.py filter=trap\n"), ("a.py", "a = 1\n"), ("b.py", "b = 1\n")]);
    place.git(&["config", "filter.trap.clean", "touch ran; cat"]);
    place.git(&["config", "filter.trap.smudge", "touch ran; cat"]);
    place.git(&["config", "filter.trap.process", "touch ran"]);
    let repository = place.open();
    place.write("b.py", "b = 'edited'\n");
    place.write("c.py", "c = 1\n");
    let capture = disk(&repository);
    assert_eq!(paths(&capture), ["a.py"], "as git left it, its id is known");
    assert_eq!(skipped(&capture), [("b.py".to_owned(), Skip::Filtered), ("c.py".to_owned(), Skip::Filtered)]);
    assert_eq!(
        repository
            .changed_on_disk(repository.head().expect("HEAD").tree, &StatCache::default())
            .expect("changes")
            .len(),
        2
    );
    assert!(!place.path.join("ran").exists());
}

/// Everything by which git itself runs programs of a repository.
#[test]
fn nothing_of_the_repository_is_run() {
    let place = Place::with(&[(".gitattributes", "*.py diff=trap merge=trap\n"), ("a.py", "a = 1\n")]);
    let trap = format!("touch {}", place.path.join("ran").display());
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.askPass",
        "core.pager",
        "core.editor",
        "credential.helper",
        "diff.external",
        "diff.trap.textconv",
        "diff.trap.command",
        "merge.trap.driver",
        "uploadpack.packObjectsHook",
        "gpg.program",
        "trace2.eventTarget",
    ] {
        place.git(&["config", key, &trap]);
    }
    place.git(&["config", "alias.status", &format!("!{trap}")]);
    for hook in ["post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"] {
        use std::os::unix::fs::PermissionsExt;
        place.write(&format!(".git/hooks/{hook}"), format!("#!/bin/sh\n{trap}\n"));
        let path = place.path.join(".git/hooks").join(hook);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    place.write("b.py", "b = 1\n");
    let repository = place.open();
    assert_eq!(paths(&disk(&repository)), ["a.py", "b.py"]);
    assert_eq!(paths(&staged(&repository)), ["a.py"]);
    assert_eq!(paths(&commit(&repository, "HEAD")), ["a.py"]);
    let head = repository.head().expect("HEAD").tree;
    repository.changed_on_disk(head, &StatCache::default()).expect("changes");
    assert!(!place.path.join("ran").exists());
}

/// What Git LFS leaves in a clone that did not fetch: a text that points to the content.
#[test]
fn a_pointer_of_git_lfs_is_a_text_like_any_other() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 12\n";
    let place = Place::with(&[("a.py", "a = 1\n"), ("big.py", pointer)]);
    place.write(".gitattributes", "big.py filter=lfs diff=lfs merge=lfs -text\n");
    place.git(&["config", "filter.lfs.clean", "touch ran; cat"]);
    place.git(&["config", "filter.lfs.smudge", "touch ran; cat"]);
    place.git(&["config", "filter.lfs.required", "true"]);
    let repository = place.open();
    let capture = disk(&repository);
    assert_eq!(paths(&capture), ["a.py", "big.py"]);
    assert_eq!(text(&repository, &commit(&repository, "HEAD"), "big.py"), pointer);
    assert!(!place.path.join("ran").exists());
}

/// Of another user's repository everything is read, and of its configuration nothing that could do harm. Only the
/// superuser can give files away.
#[test]
fn somebody_else_s_repository_is_read_and_not_trusted() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n")]);
    place.git(&["config", "filter.trap.clean", "touch ran; cat"]);
    place.write(".gitattributes", "*.py filter=trap\n");
    let given = Command::new("chown").args(["-R", "12345"]).arg(&place.path).status().expect("chown runs");
    place.write("b.py", "b = 2\n");
    if given.success() {
        assert_eq!(paths(&commit(&place.open(), "HEAD")), ["a.py", "b.py"]);
    }
    disk(&place.open());
    assert!(!place.path.join("ran").exists());
}

#[test]
fn no_link_is_followed() {
    let outside = Place::new();
    outside.write("secret.py", "s = 1\n");
    let place = Place::with(&[("pkg/a.py", "a = 1\n"), ("pkg/secret.py", "s = 0\n")]);
    fs::remove_dir_all(place.path.join("pkg")).expect("removed");
    std::os::unix::fs::symlink(&outside.path, place.path.join("pkg")).expect("a link");
    let capture = disk(&place.open());
    assert_eq!(paths(&capture), Vec::<String>::new());
    assert_eq!(skipped(&capture), [("pkg".to_owned(), Skip::Link)]);
}

#[test]
fn odd_files_do_no_harm() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    let made = Command::new("mkfifo").arg(place.path.join("pipe.py")).status().expect("mkfifo runs");
    assert!(made.success());
    use std::os::unix::ffi::OsStrExt;
    let odd = std::ffi::OsStr::from_bytes(b"odd\n\xff.py");
    fs::write(place.path.join(odd), "o = 1\n").expect("written");
    let repository = place.open();
    let capture = disk(&repository);
    assert_eq!(paths(&capture), ["a.py", "odd%0A%FF.py"]);
    assert_eq!(skipped(&capture), [("pipe.py".to_owned(), Skip::Special)]);
    assert_eq!(text(&repository, &capture, "odd%0A%FF.py"), "o = 1\n");
}

/// Ten trees, each of which holds the one below it ten times: 10^10 files.
#[test]
fn a_tree_that_explodes_is_an_error() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    let blob = place.git(&["rev-parse", "HEAD:a.py"]);
    let mut line = format!("100644 blob {blob}\ta.py\n");
    for _ in 0..10 {
        place.write(".git/lines", &line);
        let mut command = Command::new("git");
        command.arg("mktree").current_dir(&place.path);
        command.stdin(fs::File::open(place.path.join(".git/lines")).expect("written"));
        let tree = String::from_utf8(command.output().expect("git runs").stdout).expect("UTF-8");
        line = (0..10).map(|at| format!("040000 tree {}\td{at}\n", tree.trim())).collect();
    }
    let tree = line.split_whitespace().nth(2).expect("an id").to_owned();
    let commit = place.git(&["commit-tree", "-m", "bomb", &tree]);
    let repository = place.open();
    let revision = repository.resolve(&commit).expect("a commit");
    let error = repository.commit_snapshot(revision.tree, RULES, &StatCache::default()).err().expect("too much");
    assert!(matches!(error, GitError::TooManyFiles { .. } | GitError::Read { .. }), "{error}");
}

#[test]
fn core_worktree_does_not_lead_elsewhere() {
    let elsewhere = Place::new();
    elsewhere.write("other.py", "o = 1\n");
    let place = Place::with(&[("a.py", "a = 1\n")]);
    place.git(&["config", "core.worktree", elsewhere.path.to_str().expect("UTF-8")]);
    let repository = place.open();
    assert_eq!(repository.root(), place.path);
    assert_eq!(paths(&disk(&repository)), ["a.py"]);
    assert!(repository.warnings()[0].contains("core.worktree"));
}

#[test]
fn reftable_is_a_clear_error() {
    let place = Place::new();
    place.git(&["init", "-q", "--ref-format=reftable", "."]);
    let error = Repository::open(&place.path, None).err().expect("not supported");
    assert!(matches!(error, GitError::Reftable(_)), "{error}");
}

#[test]
fn a_root_must_be_a_directory() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    let missing = place.path.join("no/such");
    let error = Repository::open(&place.path, Some(&missing)).err().expect("it is not there");
    assert!(error.to_string().contains("no/such"), "{error}");
    let error = Repository::open(&place.path, Some(&place.path.join("a.py"))).err().expect("a file");
    assert!(matches!(error, GitError::NotADirectory(_)), "{error}");
    assert!(!missing.exists());
}

#[test]
fn a_tracked_database_is_known() {
    let place = Place::with(&[("a.py", "a = 1\n"), (".repo-graph/graph.db", "not ours\n")]);
    let beside = Place::new();
    let linked = beside.path.join("linked");
    place.git(&["worktree", "add", "-q", "-b", "feature", linked.to_str().expect("UTF-8")]);
    let main = place.open();
    assert!(main.is_tracked(&main.databases()[0]).expect("an answer"));
    assert!(open(&linked).is_tracked(&main.databases()[0]).expect("an answer"));
    assert!(!main.is_tracked(&place.path.join("graph.db")).expect("an answer"));
}

/// Runs itself again with git's variables leading to another repository.
#[test]
fn inherited_variables_do_not_redirect() {
    const MARK: &str = "REPO_GRAPH_TEST_TARGET";
    if let Some(target) = std::env::var_os(MARK) {
        let repository = Repository::open(Path::new("."), Some(Path::new(&target))).expect("it opens");
        assert_eq!(paths(&disk(&repository)), ["t.py"]);
        assert_eq!(paths(&staged(&repository)), ["t.py"]);
        assert_eq!(paths(&commit(&repository, "HEAD")), ["t.py"]);
        return;
    }
    let outer = Place::with(&[("o.py", "o = 1\n")]);
    let target = Place::with(&[("t.py", "t = 1\n")]);
    let git_dir = outer.path.join(".git");
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "hostile::inherited_variables_do_not_redirect"])
        .current_dir(&outer.path)
        .env(MARK, &target.path)
        .env("GIT_DIR", &git_dir)
        .env("GIT_WORK_TREE", &outer.path)
        .env("GIT_INDEX_FILE", git_dir.join("index"))
        .env("GIT_OBJECT_DIRECTORY", git_dir.join("objects"))
        .env("GIT_COMMON_DIR", &git_dir)
        .env("GIT_NAMESPACE", "elsewhere")
        .output()
        .expect("it runs");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && report.contains("1 passed"), "{report}");
}
