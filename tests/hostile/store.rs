//! Runs that end as no run should, and stores that say what no run has written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use repo_graph::facts::Facts;
use repo_graph::names::{BlobId, Dialect, ObjectId};
use repo_graph::store::{FactsKey, Place as StorePlace, Reader, Writer, decode_facts, encode_facts};

use super::place::Place;

/// Runs that are ended by a signal.
const KILLED: usize = 100;

fn many_files(count: usize) -> Place {
    let place = Place::new();
    for at in 0..count {
        let next = (at + 1) % count;
        place.write(&format!("m{at}.py"), format!("from m{next} import f{next}\ndef f{at}(): return f{next}()\n"));
    }
    place
}

/// Ends runs at moments that come later and later; what they leave is brought to the graph of a fresh run.
fn exit_by_signal_leaves_a_usable_database(signal: &str) {
    let place = many_files(40);
    let database = place.database("graph.db");
    let expected = place.fresh("fresh.db");
    for at in 0..KILLED {
        let arguments = ["index", "-q", "--full", "--db", database.to_str().unwrap()];
        let mut run = place.program(&arguments).stderr(Stdio::null()).spawn().unwrap();
        // Later from run to run: a look at the process takes about as long everywhere as a step of its work.
        (0..at * 1_000).any(|_| run.try_wait().unwrap().is_some());
        Command::new("kill").args([signal, &run.id().to_string()]).stderr(Stdio::null()).status().unwrap();
        run.wait().unwrap();
    }
    assert_eq!(place.index(&database).digest(), expected.digest());
}

#[test]
fn exit_by_kill_leaves_a_usable_database() {
    exit_by_signal_leaves_a_usable_database("-KILL");
}

#[test]
fn exit_by_termination_leaves_a_usable_database() {
    exit_by_signal_leaves_a_usable_database("-TERM");
}

/// A limit on the size of files stands for a disk without room, and for a quota: a write fails in the midst.
#[test]
fn a_disk_without_room_costs_no_answer_and_nothing_that_is_stored() {
    let place = many_files(30);
    let database = place.database("graph.db");
    let named = ["index", "-q", "--db", database.to_str().unwrap()];
    let question = ["query", "callers", "m1:f1"];
    let answer = place.run(&question);
    assert!(answer.status.success(), "{answer:?}");
    let mut full = 0;
    for blocks in [0, 16, 64, 128, 256, 512, 1024] {
        fs::remove_dir_all(place.root().join(".repo-graph")).unwrap();
        // Without the trap the write would end the process; so a disk without room does not.
        let limits = format!("trap '' XFSZ; ulimit -f {blocks};");
        let run = |arguments: &[&str]| place.program_under(&limits, arguments).output().unwrap();
        let said = run(&question);
        assert_eq!((said.status.code(), &said.stdout), (Some(0), &answer.stdout), "{blocks} blocks: {said:?}");
        let indexed = run(&named);
        let error = String::from_utf8(indexed.stderr).unwrap();
        match indexed.status.code() {
            Some(0) => {}
            Some(2) => {
                full += 1;
                assert!(error.contains("graph.db") && error.lines().count() <= 2, "{blocks} blocks: {error}");
            }
            other => panic!("{blocks} blocks: {other:?}: {error}"),
        }
        let after = place.run(&question);
        assert_eq!((after.status.code(), &after.stdout), (Some(0), &answer.stdout), "{blocks} blocks: {after:?}");
    }
    assert!(full >= 3, "{full}");
    assert_eq!(place.index(&database).digest(), place.fresh("fresh.db").digest());
}

/// Stored facts that point to what is not there are refused, and made again from the file.
#[test]
fn stored_facts_that_point_nowhere_are_made_again() {
    let place = Place::with(&[("bad.py", "def b(): pass\nb()\n"), ("good.py", "def g(): pass\ng()\n")]);
    let known = place.database("known.db");
    let expected = place.index(&known);
    let (key, mut facts) = stored(&known, "bad.py", &place);
    facts.surface.expressions.clear();
    let database = place.database("graph.db");
    put(&database, key, &facts);
    assert_eq!(place.index(&database).digest(), expected.digest());
}

/// What of a file that did not change is decoded only when it is looked at is refused just as well.
#[test]
fn stored_facts_that_point_nowhere_are_noticed_when_they_are_looked_at() {
    let place = Place::with(&[
        ("a.py", "import b\nb.make().run()\n"),
        ("b.py", "class C:\n    def run(self): pass\ndef make(): return C()\n"),
    ]);
    let database = place.database("graph.db");
    place.index(&database);
    let (key, mut facts) = stored(&database, "b.py", &place);
    facts.surface.expressions.clear();
    put(&database, key, &facts);
    place.write("a.py", "import b\nb.make().run()\nb.make().run()\n");
    assert_eq!(place.index(&database).digest(), place.fresh("fresh.db").digest());
}

/// A refresh needs the facts of files that did not change, too.
#[test]
fn stored_facts_that_are_gone_are_made_again() {
    let place = Place::with(&[("a.py", "import b\nb.g()\n"), ("b.py", "def g(): pass\n")]);
    let database = place.database("graph.db");
    place.index(&database);
    rusqlite::Connection::open(&database).unwrap().execute("DELETE FROM facts", []).unwrap();
    place.write("a.py", "import b\nb.g()\nb.g()\n");
    assert_eq!(place.index(&database).digest(), place.fresh("fresh.db").digest());
}

/// Stores facts in a database.
fn put(database: &Path, key: FactsKey, facts: &Facts) {
    let spot = StorePlace::named(database);
    let lock = spot.lock(|| ()).unwrap();
    let mut writer = Writer::open(&spot, &lock).unwrap();
    writer.put_facts(&[(key, encode_facts(facts, &[], None))]).unwrap();
}

/// The stored facts of a file, and what they are filed under.
fn stored(database: &Path, path: &str, place: &Place) -> (FactsKey, Facts) {
    let hash = Command::new("git").args(["hash-object", path]).current_dir(place.root()).output().unwrap();
    let hash = String::from_utf8(hash.stdout).unwrap();
    let connection = rusqlite::Connection::open(database).unwrap();
    let (blob, version): (Vec<u8>, i64) = connection
        .query_row("SELECT blob, version FROM facts WHERE lower(hex(blob)) = ?1", [hash.trim()], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let blob = BlobId(ObjectId::from_bytes(&blob).unwrap());
    let key = FactsKey { blob, dialect: Dialect::Python, version: version.cast_unsigned() };
    let reader = Reader::open(&StorePlace::named(database)).unwrap();
    let bytes = reader.session().unwrap().facts(&[key]).unwrap().pop().flatten().unwrap();
    (key, decode_facts(&bytes).unwrap())
}

#[test]
fn a_directory_that_may_not_be_written_still_has_answers() {
    let place = Place::with(&[("a.py", "def a(): pass\na()\n")]);
    fs::set_permissions(place.root(), fs::Permissions::from_mode(0o555)).unwrap();
    let output = place.run(&["query", "callers", "a:a"]);
    fs::set_permissions(place.root(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(output.status.success(), "{output:?}");
}
