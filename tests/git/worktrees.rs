//! Every kind of repository and checkout.

use std::fs;
use std::process::Command;

use repo_graph::git::{GitError, Repository, StatCache, View};
use repo_graph::snapshot::Skip;

use crate::place::{Place, RULES, assert_one_snapshot, commit, disk, git_in, ids, open, paths, skipped, staged, text};

#[test]
fn each_linked_worktree_answers_for_itself() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    place.git(&["worktree", "add", "-q", "-b", "feature", ".wt/feature"]);
    let linked = place.path.join(".wt/feature");
    fs::write(linked.join("b.py"), "b = 1\n").expect("written");
    let (main, linked) = (place.open(), open(&linked));
    assert_eq!(paths(&disk(&main)), ["a.py"]);
    assert_eq!(skipped(&disk(&main)), [(".wt/feature".to_owned(), Skip::Border)]);
    assert_eq!(paths(&disk(&linked)), ["a.py", "b.py"]);
    assert_eq!(linked.databases()[0], main.databases()[0]);
    assert_eq!(linked.databases().len(), 2);
    assert_ne!(linked.view(View::Disk), main.view(View::Disk));
    assert_ne!(main.view(View::Staged), main.view(View::Disk));
    assert_eq!(linked.branch().as_deref(), Some("feature"));
    let view = linked.view(View::Disk);
    assert!(main.is_live(&view) && main.is_live(&main.view(View::Staged)));
    place.git(&["worktree", "remove", "--force", ".wt/feature"]);
    assert!(!main.is_live(&view) && main.is_live(&main.view(View::Staged)));
}

#[test]
fn a_bare_repository_has_commits_only() {
    let seed = Place::with(&[("a.py", "a = 1\n")]);
    let place = Place::new();
    git_in(&place.path, &["clone", "-q", "--bare", seed.path.to_str().expect("UTF-8"), "repo.git"]);
    git_in(&place.path.join("repo.git"), &["worktree", "add", "-q", "-b", "feature", "../wt", "main"]);
    let bare = open(&place.path.join("repo.git"));
    assert!(bare.is_bare());
    assert_eq!(paths(&commit(&bare, "HEAD")), ["a.py"]);
    assert_eq!(bare.databases(), [place.path.join("repo.git/repo-graph/graph.db")]);
    assert!(bare.disk_snapshot(RULES, &StatCache::default()).is_err());
    let linked = open(&place.path.join("wt"));
    assert_one_snapshot(&linked);
    assert_eq!(linked.databases()[0], bare.databases()[0]);
}

#[test]
fn an_unborn_branch_has_disk_and_staged() {
    let place = Place::new();
    place.git(&["init", "-q", "-b", "main", "."]);
    place.write_all(&[("s.py", "s = 1\n"), ("n.py", "n = 1\n")]);
    place.git(&["add", "s.py"]);
    place.git(&["add", "-N", "n.py"]);
    place.write("u.py", "u = 1\n");
    let repository = place.open();
    assert_eq!(paths(&disk(&repository)), ["n.py", "s.py", "u.py"]);
    assert_eq!(ids(&disk(&repository))["n.py"], place.hash("n.py"));
    assert_eq!(paths(&staged(&repository)), ["s.py"]);
    for revision in ["HEAD", "main", "main~2"] {
        let error = repository.resolve(revision).expect_err("no commit yet");
        assert!(matches!(error, GitError::Unborn { .. }), "{error}");
    }
    assert!(matches!(repository.head(), Err(GitError::Unborn { .. })));
}

#[test]
fn a_detached_head_is_a_commit_like_any_other() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    place.git(&["checkout", "-q", "--detach"]);
    place.write("a.py", "a = 2\n");
    place.commit("second");
    let repository = place.open();
    assert_eq!(repository.branch(), None);
    assert_eq!(repository.head().expect("HEAD").commit.to_string(), place.git(&["rev-parse", "HEAD"]));
    assert_one_snapshot(&repository);
}

#[test]
fn the_root_is_the_top_unless_it_is_named() {
    let place = Place::with(&[("top.py", "t = 1\n"), ("sub/a.py", "a = 1\n"), (".gitignore", "ignored/\n")]);
    place.write("sub/new.py", "n = 1\n");
    place.write("ignored/x.py", "x = 1\n");
    let sub = place.path.join("sub");
    assert_eq!(open(&sub).root(), place.path);
    assert_eq!(paths(&disk(&open(&sub))), ["sub/a.py", "sub/new.py", "top.py"]);
    let named = Repository::open(&place.path, Some(&sub)).expect("it opens");
    assert_eq!((named.root(), named.prefix().as_str()), (sub.as_path(), "sub"));
    assert_eq!(paths(&disk(&named)), ["a.py", "new.py"]);
    assert_eq!(paths(&commit(&named, "HEAD")), ["a.py"]);
    assert_eq!(named.databases(), open(&place.path).databases());
    assert_ne!(named.view(View::Disk), open(&place.path).view(View::Disk));
    place.commit("all");
    assert_one_snapshot(&named);
    let ignored = Repository::open(&place.path, Some(&place.path.join("ignored"))).expect("it opens");
    assert!(!ignored.is_git(), "the repository has nothing to do with it");
    assert_eq!(paths(&disk(&ignored)), ["x.py"]);
}

#[test]
fn a_sparse_checkout_is_clean() {
    for sparse_index in ["false", "true"] {
        let place = Place::with(&[("in/a.py", "a = 1\n"), ("out/b.py", "b = 1\n"), ("out/deep/c.py", "c = 1\n")]);
        place.git(&["config", "index.sparse", sparse_index]);
        place.git(&["sparse-checkout", "set", "--cone", "in"]);
        assert!(!place.path.join("out").exists());
        let repository = place.open();
        assert_one_snapshot(&repository);
        assert_eq!(paths(&disk(&repository)), ["in/a.py", "out/b.py", "out/deep/c.py"]);
        assert!(!repository.is_dirty(&StatCache::default()).expect("an answer"));
        // A file that is there nevertheless counts as it is.
        place.write("out/b.py", "b = 'edited'\n");
        assert_eq!(ids(&disk(&repository))["out/b.py"], place.hash("out/b.py"), "sparse index {sparse_index}");
    }
}

#[test]
fn flags_of_git_s_index_are_honoured() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n")]);
    place.git(&["update-index", "--assume-unchanged", "a.py"]);
    place.git(&["update-index", "--skip-worktree", "b.py"]);
    place.write("a.py", "a = 'edited'\n");
    fs::remove_file(place.path.join("b.py")).expect("removed");
    assert_one_snapshot(&place.open());
}

#[test]
fn submodules_and_nested_repositories_are_borders() {
    let inner = Place::with(&[("inner.py", "i = 1\n")]);
    let place = Place::with(&[("top.py", "t = 1\n")]);
    place.git(&["submodule", "add", "-q", inner.path.to_str().expect("UTF-8"), "sub"]);
    place.commit("a submodule");
    git_in(&place.path, &["clone", "-q", inner.path.to_str().expect("UTF-8"), "nested"]);
    let repository = place.open();
    let capture = disk(&repository);
    assert_eq!(paths(&capture), ["top.py"]);
    assert_eq!(skipped(&capture), [("nested".to_owned(), Skip::Border), ("sub".to_owned(), Skip::Border)]);
    let sub = open(&place.path.join("sub"));
    assert_eq!(paths(&disk(&sub)), ["inner.py"]);
    assert_eq!(sub.databases(), [place.path.join("sub/.repo-graph/graph.db")]);
}

#[test]
fn a_conflict_takes_one_side() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n"), ("c.py", "c = 1\n")]);
    place.git(&["checkout", "-q", "-b", "other"]);
    place.write_all(&[("a.py", "a = 'theirs'\n"), ("b.py", "b = 'theirs'\n")]);
    place.git(&["rm", "-q", "c.py"]);
    place.commit("theirs");
    place.git(&["checkout", "-q", "main"]);
    place.write_all(&[("a.py", "a = 'ours'\n"), ("c.py", "c = 'ours'\n")]);
    place.git(&["rm", "-q", "b.py"]);
    place.commit("ours");
    let merged = Command::new("git").args(["merge", "-q", "other"]).current_dir(&place.path).output().expect("runs");
    assert!(!merged.status.success());
    let repository = place.open();
    let staged = staged(&repository);
    assert_eq!(text(&repository, &staged, "a.py"), "a = 'ours'\n");
    assert_eq!(text(&repository, &staged, "b.py"), "b = 'theirs'\n");
    assert_eq!(text(&repository, &staged, "c.py"), "c = 'ours'\n");
    let disk = disk(&repository);
    assert!(text(&repository, &disk, "a.py").contains("<<<<<<<"));
    for capture in [&staged, &disk] {
        let conflicts: Vec<&str> = capture.snapshot.conflicts.iter().map(|path| path.as_str()).collect();
        assert_eq!(conflicts, ["a.py", "b.py", "c.py"]);
    }
}

#[test]
fn sha256_repositories_work() {
    let place = Place::new();
    place.git(&["init", "-q", "-b", "main", "--object-format=sha256", "."]);
    place.write("a.py", "a = 1\n");
    place.commit("start");
    place.write("b.py", "b = 1\n");
    let repository = place.open();
    assert_eq!(ids(&disk(&repository))["b.py"], place.hash("b.py"));
    assert_eq!(ids(&disk(&repository))["b.py"].len(), 64);
    place.commit("second");
    assert_one_snapshot(&repository);
}

#[test]
fn a_plain_directory_has_the_same_ids() {
    let place = Place::new();
    place.write_all(&[
        ("a.py", "a = 1\n"),
        ("pkg/b.py", "b = 1\n"),
        ("pkg/ignored.py", ""),
        (".gitignore", "ignored.py\n"),
        ("venv/v.py", ""),
    ]);
    let plain = place.open();
    let before = disk(&plain);
    assert!(!plain.is_git());
    assert_eq!(plain.databases(), [place.path.join(".repo-graph/graph.db")]);
    assert!(matches!(plain.resolve("main"), Err(GitError::NoRepository(_))));
    place.git(&["init", "-q", "-b", "main", "."]);
    let after = disk(&place.open());
    assert_eq!(paths(&before), ["a.py", "pkg/b.py"]);
    assert_eq!(before.snapshot.id, after.snapshot.id);
    assert_eq!(text(&plain, &before, "pkg/b.py"), "b = 1\n");
}
