//! What the driver does when a file makes the program fail.

use std::fs;

use super::*;

fn session(root: &Path) -> Session {
    Session::open(Options { start: root.to_owned(), ..Options::default() }).expect("a directory").failing()
}

fn failed(loaded: &Loaded) -> Vec<&str> {
    loaded.failed.iter().map(RepoPath::as_str).collect()
}

/// The file is named by each run while it is as it is, the others have their units, and once it is mended nothing is
/// left of it.
#[test]
fn a_file_that_makes_the_program_fail_is_named_and_the_rest_goes_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().join("repo");
    fs::create_dir(&root).expect("created");
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("written");
    write("bad.py", "def bad(): pass  # PANIC\n");
    write("good.py", "from bad import bad\ndef good(): bad()\n");
    write("more.py", "from good import good\ngood()\n");
    let index = || session(&root).index(&At::Disk, false).expect("indexed");

    let first = index();
    assert_eq!(failed(&first), ["bad.py"]);
    let calls = |loaded: &Loaded| {
        let unit = loaded.graph().unit("more.py").expect("the rest goes on");
        unit.edges.iter().filter(|edge| edge.kind == crate::graph::EdgeKind::Calls).count()
    };
    assert_eq!(calls(&first), 1);
    assert_eq!(failed(&index()), ["bad.py"], "nothing changed");
    write("more.py", "from good import good\n\ngood()\n");
    assert_eq!(failed(&index()), ["bad.py"], "another file changed");
    let again = session(&root).load(&At::Disk).expect("loaded");
    assert_eq!((failed(&again), again.digest), (vec!["bad.py"], index().digest));

    write("bad.py", "def bad(): pass\n");
    let mended = index();
    assert_eq!(failed(&mended), [""; 0]);
    let other =
        Options { start: root.clone(), database: Some(directory.path().join("other.db")), ..Options::default() };
    let fresh = Session::open(other).expect("a directory").index(&At::Disk, false).expect("indexed");
    assert_eq!(mended.digest, fresh.digest);
}

/// In memory, too; and wherever its text stands, as the units of equal files are each their own.
#[test]
fn a_file_that_makes_the_program_fail_is_named_without_a_store() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |path: &str, text: &str| fs::write(directory.path().join(path), text).expect("written");
    write("bad.py", "PANIC\n");
    write("twin_of_bad.py", "PANIC\n");
    write("one.py", "def f(): pass\n");
    write("two.py", "def f(): pass\n");
    write(".repo-graph", "no directory");
    let loaded = session(directory.path()).load(&At::Disk).expect("loaded");
    assert_eq!(failed(&loaded), ["bad.py", "twin_of_bad.py"]);
    for path in ["one.py", "two.py"] {
        let unit = loaded.graph().unit(path).expect("a unit");
        assert_eq!((unit.path.as_str(), unit.symbols.len()), (path, 2));
    }
}
