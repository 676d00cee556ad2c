//! Snapshots against real repositories, made with `git` itself.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use repo_graph::git::{Capture, GitError, Repository, StatCache, View};
use repo_graph::snapshot::Skip;

const RULES: &[u8] = b"rules of the tests";

/// A directory that vanishes at the end, and git in it.
struct Place {
    _guard: tempfile::TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Place {
        let guard = tempfile::tempdir().expect("a temporary directory");
        let path = fs::canonicalize(guard.path()).expect("its real path");
        Place { _guard: guard, path }
    }

    /// A repository with the given files in one commit.
    fn with(files: &[(&str, &str)]) -> Place {
        let place = Place::new();
        place.git(&["init", "-q", "-b", "main", "."]);
        place.write_all(files);
        place.commit("start");
        place
    }

    fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.path, arguments)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
        fs::write(path, content).expect("a file");
    }

    fn write_all(&self, files: &[(&str, &str)]) {
        for (path, content) in files {
            self.write(path, content);
        }
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn open(&self) -> Repository {
        open(&self.path)
    }

    /// What git would call the file's content.
    fn hash(&self, path: &str) -> String {
        self.git(&["hash-object", "--path", path, path])
    }
}

fn git_in(directory: &Path, arguments: &[&str]) -> String {
    git_with(directory, arguments, &[])
}

fn git_with(directory: &Path, arguments: &[&str], environment: &[(&str, &Path)]) -> String {
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

fn open(path: &Path) -> Repository {
    Repository::open(path, None).expect("it opens")
}

fn disk(repository: &Repository) -> Capture {
    repository.disk_snapshot(RULES, &StatCache::default()).expect("a snapshot").0
}

fn staged(repository: &Repository) -> Capture {
    repository.staged_snapshot(RULES, &StatCache::default()).expect("a snapshot")
}

fn commit(repository: &Repository, revision: &str) -> Capture {
    let revision = repository.resolve(revision).expect("a commit");
    repository.commit_snapshot(revision.tree, RULES, &StatCache::default()).expect("a snapshot")
}

fn ids(capture: &Capture) -> BTreeMap<String, String> {
    let entries = capture.snapshot.entries.iter();
    entries
        .map(|entry| (entry.path.to_string(), entry.blob.map_or("missing".to_owned(), |id| id.to_string())))
        .collect()
}

fn paths(capture: &Capture) -> Vec<String> {
    capture.snapshot.entries.iter().map(|entry| entry.path.to_string()).collect()
}

fn skipped(capture: &Capture) -> Vec<(String, Skip)> {
    capture.snapshot.skipped.iter().map(|file| (file.path.to_string(), file.reason)).collect()
}

fn text(repository: &Repository, capture: &Capture, path: &str) -> String {
    let entry = capture.snapshot.entry(path).expect("the file is there");
    String::from_utf8(repository.reader(capture).read(entry).expect("it can be read")).expect("UTF-8")
}

/// Commit, staged and a clean disk are one snapshot: same id, same files left out for the same reasons.
fn assert_one_snapshot(repository: &Repository) -> Capture {
    let (commit, staged, disk) = (commit(repository, "HEAD"), staged(repository), disk(repository));
    for other in [&staged, &disk] {
        assert_eq!(ids(other), ids(&commit));
        assert_eq!(skipped(other), skipped(&commit));
        assert_eq!(other.snapshot.id, commit.snapshot.id);
    }
    disk
}

#[test]
fn a_clean_worktree_is_its_commit() {
    let bundle = format!("var x = '{}'", "x".repeat(30_000));
    let place = Place::with(&[
        ("a.py", "a = 1\n"),
        ("web/b.ts", "export const b = 1\n"),
        ("web/b.d.ts", "export const b: number\n"),
        ("web/bundle.js", &bundle),
        ("web/long.jsx", &bundle),
        ("web/node_modules/m/index.js", "1\n"),
        ("gen/g.py", "g = 1\n"),
        ("gen/kept.py", "g = 1\n"),
        ("vendor/.gitattributes", "*.py linguist-vendored\nmine.py linguist-vendored=false\n"),
        ("vendor/v.py", "v = 1\n"),
        ("vendor/mine.py", "v = 1\n"),
        ("old/o.py", "o = 1\n"),
        ("big.py", &"# big\n".repeat(100)),
        (".gitattributes", "gen/g.py linguist-generated=true\n"),
        (".repo-graph.toml", "exclude = [\"old\"]\nmax_file_bytes = 50000\n"),
        ("huge.py", &"# big\n".repeat(10_000)),
        ("README.md", "no source\n"),
        ("build/tracked.py", "t = 1\n"),
    ]);
    std::os::unix::fs::symlink("a.py", place.path.join("link.py")).expect("a link");
    std::os::unix::fs::symlink(".", place.path.join("loop")).expect("a link");
    place.commit("links");
    let capture = assert_one_snapshot(&place.open());
    let scripts = cfg!(feature = "typescript");
    let kept = [".repo-graph.toml", "a.py", "big.py", "build/tracked.py", "gen/kept.py", "vendor/mine.py"];
    let kept = kept.into_iter().chain(["web/b.ts", "web/long.jsx"].into_iter().filter(|_| scripts));
    assert_eq!(paths(&capture), kept.collect::<Vec<&str>>());
    let script = |reason| if scripts { reason } else { Skip::Language };
    let mut reasons = vec![
        ("gen/g.py", Skip::Generated),
        ("huge.py", Skip::TooLarge),
        ("link.py", Skip::Link),
        ("loop", Skip::Link),
        ("old/o.py", Skip::Excluded),
        ("vendor/v.py", Skip::Generated),
        ("web/b.d.ts", Skip::Declaration),
        ("web/bundle.js", script(Skip::Minified)),
        ("web/node_modules", Skip::Directory),
    ];
    if !scripts {
        reasons.extend([("web/b.ts", Skip::Language), ("web/long.jsx", Skip::Language)]);
        reasons.sort();
    }
    let reasons: Vec<(String, Skip)> = reasons.into_iter().map(|(path, reason)| (path.to_owned(), reason)).collect();
    assert_eq!(skipped(&capture), reasons);
}

#[test]
fn an_edit_has_the_id_that_git_would_give_it() {
    for (configuration, attributes) in [
        (&["core.autocrlf=true"][..], ""),
        (&["core.autocrlf=input"], ""),
        (&["core.autocrlf=false"], ""),
        (&["core.autocrlf=false"], "*.py text\n"),
        (&["core.autocrlf=false"], "*.py text=auto\n"),
        (&["core.autocrlf=true"], "*.py -text\n"),
        (&["core.autocrlf=false"], "*.py text eol=crlf\n"),
        (&["core.eol=crlf"], "*.py text\n"),
        (&["core.autocrlf=false"], "*.py ident\n"),
    ] {
        let place = Place::with(&[("a.py", "a = 1\n"), ("sub/b.py", "b = 1\n")]);
        for setting in configuration {
            let (key, value) = setting.split_once('=').expect("a setting");
            place.git(&["config", key, value]);
        }
        place.write(".gitattributes", attributes);
        place.write("a.py", "a = 2\r\n# $Id: 0123456789 $\r\n");
        place.write("sub/new.py", "n = 1\r\nm = 2\n");
        place.write("sub/binary.py", b"a\0b\r\n");
        let repository = place.open();
        let capture = disk(&repository);
        for path in ["a.py", "sub/new.py", "sub/binary.py", "sub/b.py"] {
            let case = format!("{path} {configuration:?} {attributes}");
            assert_eq!(ids(&capture)[path], place.hash(path), "{case}");
            place.git(&["add", path]);
            assert_eq!(ids(&capture)[path], place.git(&["rev-parse", &format!(":{path}")]), "{case}");
        }
    }
}

#[test]
fn other_encodings_are_stored_as_utf8() {
    let place = Place::with(&[(".gitattributes", "*.py working-tree-encoding=UTF-16LE\n")]);
    let utf16: Vec<u8> = "ä = 1\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.write("a.py", utf16);
    let repository = place.open();
    let capture = disk(&repository);
    assert_eq!(ids(&capture)["a.py"], place.hash("a.py"));
    assert_eq!(text(&repository, &capture, "a.py"), "ä = 1\r\n");
}

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

#[test]
fn dirty_and_untracked_files_are_read_once_and_handed_out() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("gone.py", "g = 1\n"), ("was_file.py", "w = 1\n")]);
    place.write("a.py", "a = 'edited'\n");
    place.write("new/n.py", "n = 1\n");
    fs::remove_file(place.path.join("gone.py")).expect("removed");
    fs::remove_file(place.path.join("was_file.py")).expect("removed");
    place.write("was_file.py/inner.py", "i = 1\n");
    let repository = place.open();
    let capture = disk(&repository);
    assert_eq!(paths(&capture), ["a.py", "new/n.py", "was_file.py/inner.py"]);
    place.write("a.py", "a = 'edited again'\n");
    assert_eq!(text(&repository, &capture, "a.py"), "a = 'edited'\n");
    let staged = staged(&repository);
    assert_eq!(paths(&staged), ["a.py", "gone.py", "was_file.py"]);
    assert_eq!(text(&repository, &staged, "a.py"), "a = 1\n");
    place.commit("all of it");
    assert_one_snapshot(&repository);
}

#[test]
fn an_edit_that_keeps_size_and_time_is_seen() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    let file = place.path.join("a.py");
    // Younger than git's index, whatever the clock does: racy.
    let time = std::time::SystemTime::now() + std::time::Duration::from_secs(1000);
    let set_time = || fs::File::options().write(true).open(&file).and_then(|file| file.set_modified(time));
    set_time().expect("a time");
    place.git(&["config", "core.trustctime", "false"]);
    place.git(&["update-index", "--refresh"]);
    let repository = place.open();
    let mut cache = StatCache::default();
    for content in ["a = 1\n", "a = 2\n", "a = 3\n"] {
        fs::write(&file, content).expect("written");
        set_time().expect("the same time");
        let (capture, next) = repository.disk_snapshot(RULES, &cache).expect("a snapshot");
        assert_eq!(text(&repository, &capture, "a.py"), content);
        cache = next.unwrap_or(cache);
    }
}

#[test]
fn the_stat_cache_changes_nothing() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("p/b.py", "b = 1\n"), ("p/q/c.py", "c = 1\n")]);
    let repository = place.open();
    let mut cache = StatCache::default();
    let steps: [&dyn Fn(); 9] = [
        &|| {},
        &|| place.write("a.py", "a = 2\n"),
        &|| place.write("p/new.py", "n = 1\n"),
        &|| place.write("p/deep/er/new.py", "n = 1\n"),
        &|| place.write(".gitignore", "new.py\n"),
        &|| fs::remove_dir_all(place.path.join("p/q")).expect("removed"),
        &|| place.write(".gitattributes", "*.py text eol=crlf linguist-generated=false\n"),
        &|| {
            place.git(&["rm", "-q", "--cached", "a.py"]);
        },
        &|| place.commit("all"),
    ];
    for (number, step) in steps.iter().enumerate() {
        step();
        for _ in 0..2 {
            let (capture, next) = repository.disk_snapshot(RULES, &cache).expect("a snapshot");
            let fresh = disk(&repository);
            assert_eq!(ids(&capture), ids(&fresh), "after step {number}");
            assert_eq!(capture.snapshot.id, fresh.snapshot.id);
            assert_eq!(skipped(&capture), skipped(&fresh));
            if let Some(next) = next {
                cache = StatCache::from_bytes(&next.to_bytes());
            }
        }
    }
}

/// Whatever is done to a worktree, the disk's snapshot is what git would commit, with and without the stat cache.
#[test]
fn random_edits_are_what_git_would_commit() {
    let place = Place::with(&[("a.py", "0\n"), ("p/b.py", "0\n"), ("p/q/c.py", "0\n"), ("p/q/d.txt", "0\n")]);
    let repository = place.open();
    let mut cache = StatCache::default();
    let mut random = 88172645463325252u64;
    let mut draw = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    const PATHS: [&str; 9] =
        ["a.py", "n.py", "p/b.py", "p/e.py", "p/q/c.py", "p/q/d.txt", "q/r/s/f.py", "build/g.py", "build/h/i.py"];
    for step in 0..60 {
        let path = PATHS[draw(PATHS.len())];
        match draw(10) {
            0..4 => place.write(path, format!("{}\r\n", draw(3))),
            4 => drop(fs::remove_file(place.path.join(path))),
            5 => drop(fs::remove_dir_all(place.path.join(["p", "p/q", "q", "build"][draw(4)]))),
            6 => drop(fs::rename(place.path.join(path), place.path.join("moved.py"))),
            7 => place.write([".gitignore", "p/.gitignore"][draw(2)], ["", "build\n", "*.py\n!b.py\n"][draw(3)]),
            8 => place.commit("some"),
            _ => place.write(".gitattributes", ["", "*.py text=auto\n", "*.py text eol=crlf\n"][draw(3)]),
        }
        let (capture, next) = repository.disk_snapshot(RULES, &cache).expect("a snapshot");
        cache = next.unwrap_or(cache);
        assert_eq!(disk(&repository).snapshot.id, capture.snapshot.id, "step {step}");
        let head = repository.head().expect("HEAD").tree;
        let changed = repository.changed_on_disk(head, &cache).expect("changes");
        assert_eq!(changed, repository.changed_on_disk(head, &StatCache::default()).expect("changes"), "step {step}");
        // What `git add -A` makes of it, in an index that nobody else sees; as old as the true one, for racy entries.
        let (index, other) = (place.path.join(".git/index"), place.path.join(".git/other"));
        fs::copy(&index, &other).expect("copied");
        let written = fs::metadata(&index).and_then(|index| index.modified()).expect("a time");
        fs::File::options().write(true).open(&other).and_then(|file| file.set_modified(written)).expect("set");
        let staged = |arguments: &[&str]| git_with(&place.path, arguments, &[("GIT_INDEX_FILE", &other)]);
        staged(&["add", "-A"]);
        let listed = staged(&["ls-files", "-s", "*.py"]);
        let expected = listed.lines().map(|line| {
            let (facts, path) = line.split_once('\t').expect("git's format");
            (path.to_owned(), facts.split(' ').nth(1).expect("an id").to_owned())
        });
        assert_eq!(ids(&capture), expected.collect(), "step {step}");
        let expected = staged(&["diff", "--cached", "--name-only", "--no-renames", "HEAD"]);
        assert_eq!(changed.iter().map(|path| path.as_str()).collect::<Vec<&str>>().join("\n"), expected, "step {step}");
    }
}

#[test]
fn untracked_files_that_git_ignores_are_left_out() {
    let place = Place::with(&[
        (".gitignore", "build/\n*.gen.py\n"),
        ("pkg/gen/.gitignore", "*.py\n!keep.py\n"),
        ("pkg/a.py", "a = 1\n"),
    ]);
    place.write("build/t.py", "t = 1\n");
    place.git(&["add", "-f", "build/t.py"]);
    place.commit("tracked although ignored");
    place.write(".git/info/exclude", "scratch.py\n");
    place.write("global", "everywhere.py\n");
    place.git(&["config", "core.excludesFile", place.path.join("global").to_str().expect("UTF-8")]);
    place.write_all(&[
        ("build/b.py", ""),
        ("pkg/gen/x.py", ""),
        ("pkg/gen/keep.py", ""),
        ("pkg/x.gen.py", ""),
        ("pkg/everywhere.py", ""),
        ("scratch.py", ""),
        ("fresh.py", ""),
        (".venv/v.py", ""),
        ("deep/er/new.py", ""),
    ]);
    let mut expected: Vec<String> = place
        .git(&["ls-files", "--cached", "--others", "--exclude-standard", "*.py"])
        .lines()
        .filter(|path| !path.starts_with(".venv/"))
        .map(str::to_owned)
        .collect();
    expected.sort();
    assert_eq!(paths(&disk(&place.open())), expected);
    assert_eq!(expected, ["build/t.py", "deep/er/new.py", "fresh.py", "pkg/a.py", "pkg/gen/keep.py"]);
}

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

#[test]
fn configuration_comes_from_the_snapshot() {
    let place = Place::with(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n"), (".repo-graph.toml", "exclud = [\"a.py\"]\n")]);
    place.write(".repo-graph.toml", "exclude = [\"b.py\"]\n");
    place.commit("mended");
    let repository = place.open();
    assert_eq!(paths(&disk(&repository)), [".repo-graph.toml", "a.py"]);
    let old = commit(&repository, "HEAD~1");
    assert_eq!(paths(&old), [".repo-graph.toml", "a.py", "b.py"]);
    assert_eq!(old.warnings, [".repo-graph.toml: unknown key `exclud`"]);
    place.write(".repo-graph.toml", "max_files = 1\n");
    let error = repository.disk_snapshot(RULES, &StatCache::default()).err().expect("three files");
    assert!(matches!(error, GitError::TooManyFiles { files: 3, limit: 1 }), "{error}");
    place.write(".repo-graph.toml", "max_file_bites = 1\n");
    let error = repository.disk_snapshot(RULES, &StatCache::default()).err().expect("an unknown key");
    assert_eq!(error.to_string(), ".repo-graph.toml: unknown key `max_file_bites`");
    place.git(&["rm", "-q", "--cached", ".repo-graph.toml"]);
    place.write(".gitignore", ".repo-graph.toml\n");
    let ignored = disk(&repository);
    assert_eq!(paths(&ignored), ["a.py", "b.py"]);
    assert!(ignored.warnings[0].contains(".repo-graph.toml"));
}

#[test]
fn attributes_may_change_under_dirty_configuration() {
    let place = Place::with(&[("a.py", "a = 1\n")]);
    place.write(".repo-graph.toml", "max_files = 9\r\n");
    place.write("a.py", "a = 2\r\n");
    // Old enough that the stat cache remembers them.
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
    for path in ["a.py", ".repo-graph.toml"] {
        fs::File::options().write(true).open(place.path.join(path)).and_then(|f| f.set_modified(old)).expect("set");
    }
    let repository = place.open();
    let (_, cache) = repository.disk_snapshot(RULES, &StatCache::default()).expect("a snapshot");
    place.write(".gitattributes", "* text\n");
    let (capture, _) = repository.disk_snapshot(RULES, &cache.unwrap_or_default()).expect("a snapshot");
    assert_eq!(capture.config.max_files, 9);
    for path in ["a.py", ".repo-graph.toml"] {
        assert_eq!(ids(&capture)[path], place.hash(path));
    }
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
        .args(["--exact", "inherited_variables_do_not_redirect"])
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
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
