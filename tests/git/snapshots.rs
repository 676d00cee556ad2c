//! What is in a snapshot, and that it is the same from commit, index and disk.

use std::fs;

use repo_graph::git::{GitError, StatCache};
use repo_graph::snapshot::Skip;

use crate::place::{Place, RULES, assert_one_snapshot, commit, disk, git_with, ids, paths, skipped, staged, text};

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
