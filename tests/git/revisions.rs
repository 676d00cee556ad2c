//! Commits by name, merge bases, changes; clones that do not have everything.

use std::fs;

use repo_graph::git::{GitError, StatCache};

use crate::place::{Place, assert_one_snapshot, commit, ids, open};

#[test]
fn a_shallow_clone_says_so() {
    let origin = Place::with(&[("a.py", "a = 1\n")]);
    origin.git(&["checkout", "-q", "-b", "feature"]);
    origin.write("a.py", "a = 2\n");
    origin.commit("feature");
    origin.git(&["checkout", "-q", "main"]);
    origin.write("m.py", "m = 1\n");
    origin.commit("main");
    let place = Place::new();
    let url = format!("file://{}", origin.path.display());
    place.git(&["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "feature", &url, "clone"]);
    let repository = open(&place.path.join("clone"));
    assert_one_snapshot(&repository);
    let head = repository.head().expect("HEAD").commit;
    let main = repository.resolve("origin/main").expect("fetched").commit;
    let error = repository.merge_bases(main, head).expect_err("beyond the boundary");
    assert!(error.to_string().contains("shallow"), "{error}");
    assert!(error.hint().expect("a hint").contains("unshallow"));
    let error = repository.resolve("main").expect_err("not a local branch");
    assert!(error.hint().expect("a hint").contains("`origin/main` exists"), "{:?}", error.hint());
}

#[test]
fn revisions_are_those_of_git() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    place.git(&["tag", "-a", "v1", "-m", "one"]);
    place.write("a.py", "a = 2\n");
    place.commit("second");
    place.git(&["branch", "topic"]);
    let repository = place.open();
    for revision in ["HEAD", "main", "HEAD~1", "v1", "v1^{}", "@", "HEAD^{/start}", "main@{0}", ":/second"] {
        let expected = place.git(&["log", "-1", "--format=%H", revision]);
        assert_eq!(repository.resolve(revision).expect(revision).commit.to_string(), expected, "{revision}");
    }
    let short = place.git(&["rev-parse", "--short", "HEAD"]);
    assert_eq!(repository.resolve(&short).expect("short"), repository.head().expect("HEAD"));
    let error = repository.resolve("topci").expect_err("a typing error");
    assert_eq!(error.to_string(), "unknown revision `topci`");
    assert_eq!(error.hint().as_deref(), Some("did you mean `topic`?"));
    assert!(matches!(repository.resolve("HEAD:a.py"), Err(GitError::NotACommit { .. })));
    assert!(matches!(repository.resolve("HEAD~1..HEAD"), Err(GitError::UnknownRevision { .. })));
    for nonsense in ["", "-", "--all", "HEAD~99", "a b", "\u{7}", "HEAD^{"] {
        assert!(repository.resolve(nonsense).is_err(), "{nonsense:?}");
    }
    let tips: Vec<String> = repository.recent_branches(9).expect("branches").into_iter().map(|tip| tip.name).collect();
    assert_eq!(tips, ["main", "topic"]);
}

#[test]
fn all_merge_bases_are_named() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    place.git(&["checkout", "-q", "-b", "one"]);
    place.commit("one");
    place.git(&["checkout", "-q", "-b", "two", "main"]);
    place.commit("two");
    place.git(&["branch", "two-before"]);
    place.git(&["merge", "-q", "-m", "two takes one", "one"]);
    place.git(&["checkout", "-q", "one"]);
    place.git(&["merge", "-q", "-m", "one takes two", "two-before"]);
    let repository = place.open();
    let [one, two] = ["one", "two"].map(|name| repository.resolve(name).expect(name).commit);
    let mut bases: Vec<String> =
        repository.merge_bases(one, two).expect("bases").iter().map(ToString::to_string).collect();
    let expected = place.git(&["merge-base", "--all", "one", "two"]);
    let mut expected: Vec<&str> = expected.lines().collect();
    bases.sort();
    expected.sort();
    assert_eq!(bases, expected);
    assert_eq!(bases.len(), 2);
    place.git(&["checkout", "-q", "--orphan", "other"]);
    place.commit("unrelated");
    let other = repository.resolve("other").expect("other").commit;
    assert!(matches!(repository.merge_bases(one, other), Err(GitError::NoMergeBase { shallow: false, .. })));
}

#[test]
fn changes_are_of_all_files() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("README.md", "one\n"), ("data.sql", "x\n"), ("same.md", "s\n")]);
    place.write_all(&[("README.md", "two\n"), ("a.py", "a = 2\n")]);
    place.commit("second");
    let repository = place.open();
    let [first, second] = ["HEAD~1", "HEAD"].map(|name| repository.resolve(name).expect(name).tree);
    let names =
        |paths: Vec<repo_graph::names::RepoPath>| paths.iter().map(ToString::to_string).collect::<Vec<String>>();
    assert_eq!(names(repository.changed_between(first, second).expect("changes")), ["README.md", "a.py"]);
    assert!(!repository.is_dirty(&StatCache::default()).expect("an answer"));
    place.write_all(&[("data.sql", "y\n"), ("new.txt", "n\n")]);
    fs::remove_file(place.path.join("same.md")).expect("removed");
    assert_eq!(
        names(repository.changed_on_disk(second, &StatCache::default()).expect("changes")),
        ["data.sql", "new.txt", "same.md"]
    );
    assert!(repository.is_dirty(&StatCache::default()).expect("an answer"));
}

#[test]
fn a_partial_clone_names_what_is_missing() {
    let origin = Place::with(&[("a.py", "a = 1\n")]);
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    origin.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    origin.write("a.py", "a = 2\n");
    origin.commit("second");
    let place = Place::new();
    let url = format!("file://{}", origin.path.display());
    place.git(&["clone", "-q", "--filter=blob:none", &url, "clone"]);
    drop(origin);
    let repository = open(&place.path.join("clone"));
    assert_one_snapshot(&repository);
    let old = commit(&repository, "HEAD~1");
    assert_eq!(ids(&old)["a.py"], "missing");
    assert_eq!(old.missing.len(), 1);
    let error = repository.reader(&old).read(&old.snapshot.entries[0]).expect_err("it is not there").to_string();
    assert!(error.contains("a.py") && error.contains(&old.missing[0].1.to_string()), "{error}");
}
