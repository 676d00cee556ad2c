//! The store as the driver uses it: situations of files, graphs that share, forgetting, collecting, crowds.

use std::fs;
use std::sync::Arc;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::facts::Facts;
use crate::facts::build::Builder;
use crate::graph::{Graph, ModuleTable, Unit};
use crate::memory_graph::MemoryGraph;
use crate::names::{BlobId, CommitId, Dialect, Digest, ModuleName, ObjectId, RepoPath, SnapshotId, TreeId};
use crate::unit_codec::tests::unit;

mod files;

const PATHS: [&str; 6] = ["a/c.py", "a/d.py", "a/dc.py", "b/c.py", "b/dd.py", "z.py"];

fn object(text: &str) -> ObjectId {
    ObjectId::from_bytes(&Digest::of(text.as_bytes()).0[..20]).expect("20 bytes")
}

fn blob(text: &str) -> BlobId {
    BlobId(object(text))
}

fn snapshot(text: &str) -> SnapshotId {
    SnapshotId(Digest::of(text.as_bytes()))
}

fn tree(text: &str) -> TreeKey {
    TreeKey { tree: TreeId(object(text)), prefix: String::new(), rules: Digest::of(b"rules") }
}

fn facts_key(text: &str) -> FactsKey {
    FactsKey { blob: blob(text), dialect: Dialect::Python, version: u64::MAX }
}

/// Facts of a file that names one thing.
fn facts(name: &str) -> Facts {
    let mut builder = Builder::new();
    builder.name(name);
    builder.finish()
}

/// A place in a directory that is removed at the end.
struct Spot {
    directory: TempDir,
    place: Place,
}

impl Spot {
    fn new() -> Spot {
        let directory = tempfile::tempdir().expect("a directory");
        let place = Place::default_in(&directory.path().join(".repo-graph"));
        Spot { directory, place }
    }

    fn named() -> Spot {
        let directory = tempfile::tempdir().expect("a directory");
        let place = Place::named(&directory.path().join("my.db"));
        Spot { directory, place }
    }

    fn writer(&self) -> Writer {
        self.try_writer().expect("it opens")
    }

    fn try_writer(&self) -> Result<Writer, StoreError> {
        Writer::open(&self.place, &self.place.lock(|| ()).expect("the lock"))
    }

    fn reader(&self) -> Reader {
        Reader::open(&self.place).expect("it opens")
    }

    /// Puts a file there before anybody opens it.
    fn write(&self, bytes: &[u8]) {
        fs::create_dir_all(self.place.file().parent().expect("a directory")).expect("created");
        fs::write(self.place.file(), bytes).expect("written");
    }

    fn sql(&self, sql: &str) {
        self.write(b"");
        Connection::open(self.place.file()).expect("opened").execute_batch(sql).expect("run");
    }
}

/// Units of [`PATHS`], the same each time for the same seed.
fn units(seed: usize) -> Vec<Arc<Unit>> {
    let mut runner = TestRunner::deterministic();
    let make = |path| {
        let strategy = unit(path);
        (0..=seed).map(|_| strategy.new_tree(&mut runner).expect("made").current()).last().expect("one at least")
    };
    PATHS.map(make).map(Arc::new).to_vec()
}

fn new_file(unit: &Unit) -> PutFile {
    let encoded = encoded(unit);
    let reads = format!("reads of {} {}", unit.path, encoded.digest).into_bytes();
    let blob = blob(&encoded.digest.to_string());
    let module = Some(ModuleName(unit.path.as_str().into()));
    PutFile { path: unit.path.clone(), blob, unit: PutUnit::New { unit: encoded, reads }, module }
}

fn put(writer: &mut Writer, name: &str, files: Vec<PutFile>) {
    put_with(writer, name, files, &[tree(name)], None);
}

fn put_with(writer: &mut Writer, name: &str, files: Vec<PutFile>, trees: &[TreeKey], view: Option<(&str, &View)>) {
    let digest = Digest::of(name.as_bytes());
    let graph =
        PutGraph { snapshot: snapshot(name), digest, files, layout: b"layout", info: name.as_bytes(), trees, view };
    writer.put_graph(&graph).expect("put");
}

fn put_units(writer: &mut Writer, name: &str, units: &[Arc<Unit>]) {
    put(writer, name, units.iter().map(|unit| new_file(unit)).collect());
}

fn view(name: &str) -> View {
    View { snapshot: snapshot(name), head: Some(CommitId(object(name))), stat_cache: name.as_bytes().to_vec() }
}

fn open_graph(reader: &Reader, name: &str) -> StoredGraph {
    let session = reader.session().expect("a session");
    let record = session.graph(snapshot(name)).expect("read").expect("stored");
    session.into_graph(&record, ModuleTable::default())
}

/// Asserts that a stored graph answers every question as the same graph in memory does.
fn assert_answers_like(stored: &StoredGraph, units: &[Arc<Unit>]) {
    let with_blob = |unit: &Arc<Unit>| (unit.clone(), blob(&encoded(unit).digest.to_string()));
    let memory = MemoryGraph::new(units.iter().map(with_blob).collect(), ModuleTable::default());
    assert_eq!(stored.entries(), memory.entries());
    for unit in units {
        let path = unit.path.as_str();
        assert_eq!(stored.unit(path), memory.unit(path));
        for edge in &unit.edges {
            assert_eq!(stored.users(&edge.target), memory.users(&edge.target));
        }
        for symbol in &unit.symbols {
            assert_eq!(stored.defining(symbol.name()), memory.defining(symbol.name()));
            let mut words = Vec::new();
            crate::words::words(symbol.name(), |word| words.push(word.chars().take(3).collect()));
            assert_eq!(stored.search(&words), memory.search(&words), "{words:?}");
        }
        for one in &unit.unresolved {
            assert_eq!(stored.unresolved(&one.name), memory.unresolved(&one.name));
        }
    }
    stored.check().expect("no error");
}

#[test]
fn a_stored_graph_answers_like_the_same_graph_in_memory() {
    let spot = Spot::new();
    let units = units(0);
    let mut writer = spot.writer();
    put_units(&mut writer, "one", &units);
    assert_answers_like(&open_graph(&spot.reader(), "one"), &units);
    assert_answers_like(&open_graph(&spot.reader(), "one"), &units);
    let record = writer.graph(snapshot("one")).expect("read").expect("stored");
    assert_eq!((record.layout.as_slice(), record.info.as_slice()), (&b"layout"[..], &b"one"[..]));
    assert_eq!(record.digest, Digest::of(b"one"));
}

#[test]
fn search_takes_whatever_it_is_given() {
    let spot = Spot::new();
    put_units(&mut spot.writer(), "one", &units(0));
    let graph = open_graph(&spot.reader(), "one");
    for words in ["\"", "a\" OR \"b", "a*", "NEAR(a b)", "words:a", "a-b", "\0", "^a", "(", "ä\"", "NOT", "a b"] {
        assert_eq!(graph.search(&[words.to_lowercase()]).len(), 0, "{words}");
    }
    assert_eq!(graph.search(&[]).len(), PATHS.len());
    assert_eq!(graph.search(&[String::new()]).len(), PATHS.len());
    graph.check().expect("no error");
}

#[test]
fn graphs_share_units_and_see_only_their_own() {
    let spot = Spot::new();
    let (first, other) = (units(0), units(1));
    let mut second = first.clone();
    second[2] = other[2].clone();
    let mut writer = spot.writer();
    put_units(&mut writer, "one", &first);
    let record = writer.graph(snapshot("one")).expect("read").expect("stored");
    let file = |(unit, file): (&Arc<Unit>, &StoredFile)| PutFile {
        path: file.path.clone(),
        blob: file.blob,
        unit: PutUnit::Stored(file.unit.filter(|one| one.digest == encoded(unit).digest).expect("the same")),
        module: file.module.clone(),
    };
    let mut files: Vec<PutFile> = first.iter().zip(&record.files).map(file).collect();
    files[2] = new_file(&second[2]);
    put(&mut writer, "two", files);
    assert_eq!(count(&writer, "SELECT count(*) FROM units"), PATHS.len() as i64 + 1);
    let reader = spot.reader();
    assert_answers_like(&open_graph(&reader, "one"), &first);
    assert_answers_like(&open_graph(&reader, "two"), &second);
}

#[test]
fn a_file_without_a_unit_is_kept_in_the_record_but_is_no_entry_of_the_graph() {
    let spot = Spot::new();
    let units = units(0);
    let mut files: Vec<PutFile> = units.iter().map(|unit| new_file(unit)).collect();
    let path = RepoPath::from_escaped("pyproject.toml");
    files.insert(5, PutFile { path: path.clone(), blob: blob("config"), unit: PutUnit::None, module: None });
    put(&mut spot.writer(), "one", files);
    let session = spot.reader().session().expect("a session");
    let record = session.graph(snapshot("one")).expect("read").expect("stored");
    assert_eq!(record.files[5], StoredFile { path, blob: blob("config"), unit: None, module: None });
    let mut reads = Vec::new();
    session.reads(&record, 0..record.files.len(), |at, bytes| reads.push((at, bytes.to_vec()))).expect("read");
    assert_eq!(reads.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 6]);
    assert!(reads[5].1.starts_with(b"reads of z.py"));
    assert_answers_like(&session.into_graph(&record, ModuleTable::default()), &units);
}

fn encoded(unit: &Unit) -> EncodedUnit {
    encode_unit(unit, None).expect("it is not stored")
}

fn count(database: &Database, sql: &str) -> i64 {
    database.run(|connection| Ok(connection.query_row(sql, [], |row| row.get(0))?)).expect("counted")
}

#[test]
fn facts_are_found_by_blob_dialect_and_version() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    let (one, two) = (facts_key("one"), facts_key("two"));
    writer
        .put_facts(&[(one, encode_facts(&facts("f"), &[], None)), (two, encode_facts(&facts("g"), &[], None))])
        .expect("put");
    let other_dialect = FactsKey { dialect: Dialect::Tsx, ..one };
    let other_version = FactsKey { version: 1, ..one };
    let keys = [two, other_dialect, one, other_version, facts_key("three")];
    assert_eq!(writer.has_facts(&keys).expect("read"), [true, false, true, false, false]);
    let found = writer.facts(&keys).expect("read");
    assert_eq!(decode_facts(found[0].as_ref().expect("there")), Some(facts("g")));
    assert_eq!(decode_facts(found[2].as_ref().expect("there")), Some(facts("f")));
    assert!(found[1].is_none() && found[3].is_none() && found[4].is_none());
    // A newer version replaces the older.
    writer.put_facts(&[(other_version, encode_facts(&facts("h"), &[], None))]).expect("put");
    assert_eq!(writer.has_facts(&[one, other_version]).expect("read"), [false, true]);
}

#[test]
fn facts_packed_like_others_are_read_with_them_or_absent() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    let keys = ["one", "two", "three"].map(facts_key);
    let pieces: [&[u8]; 3] = [b"the pieces", b"", b"the other pieces"];
    writer.put_facts(&[(keys[0], encode_facts(&facts("f"), pieces[0], None))]).expect("put");
    for (at, name) in [(1, "g"), (2, "h")] {
        // The third is packed like what the second was packed like.
        let before = writer.facts(&[keys[at - 1]]).expect("read").pop().flatten();
        writer.put_facts(&[(keys[at], encode_facts(&facts(name), pieces[at], before.as_ref()))]).expect("put");
    }
    let stored = writer.facts(&keys).expect("read").into_iter().map(|packed| packed?.pieces());
    assert_eq!(stored.collect::<Vec<_>>(), pieces.map(|pieces| Some(pieces.to_vec())));
    let read = |writer: &Writer| -> Vec<Option<Facts>> {
        let found = writer.facts(&keys).expect("read");
        found.into_iter().map(|bytes| decode_facts(&bytes?)).collect()
    };
    assert_eq!(read(&writer), ["f", "g", "h"].map(|name| Some(facts(name))));
    assert_eq!(count(&writer, "SELECT count(*) FROM facts WHERE model = 1"), 2);
    let gone = FactsKey { version: 1, ..keys[0] };
    writer.put_facts(&[(gone, encode_facts(&facts("i"), &[], None))]).expect("put");
    assert_eq!(read(&writer), [None, None, None]);
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_facts_or_a_cache_miss(
        bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300),
        packed in proptest::bool::ANY,
    ) {
        let bytes = if packed { packing::pack(&bytes).repeat(3) } else { bytes };
        let packed = facts_record::PackedFacts { row: 1, data: bytes, model: None };
        let _ = (decode_facts(&packed), packed.pieces());
        let _ = facts_record::open_facts(packed);
    }
}

#[test]
fn a_stored_commit_is_found_by_its_tree() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    put_units(&mut writer, "one", &units(0));
    assert_eq!(writer.tree(&tree("one")).expect("read"), Some(snapshot("one")));
    assert_eq!(writer.tree(&TreeKey { prefix: "sub".into(), ..tree("one") }).expect("read"), None);
    assert_eq!(writer.tree(&TreeKey { rules: Digest::of(b"others"), ..tree("one") }).expect("read"), None);
    writer.put_tree(&tree("same"), snapshot("one")).expect("put");
    assert_eq!(writer.tree(&tree("same")).expect("read"), Some(snapshot("one")));
    writer.put_tree(&tree("gone"), snapshot("gone")).expect("put");
    assert_eq!(writer.tree(&tree("gone")).expect("read"), None);
}

#[test]
fn a_view_drops_the_dirty_graph_that_it_showed_before_and_no_other() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    let files = |seed| units(seed).iter().map(|unit| new_file(unit)).collect::<Vec<_>>();
    put(&mut writer, "commit", files(0));
    writer.put_view("disk", &view("commit")).expect("put");
    let stored = |writer: &Writer, name| writer.has_graph(snapshot(name)).expect("read");
    put_with(&mut writer, "edit 1", files(1), &[], Some(("disk", &view("edit 1"))));
    assert!(stored(&writer, "commit"));
    put_with(&mut writer, "edit 2", files(2), &[], Some(("disk", &view("edit 2"))));
    assert!(stored(&writer, "commit") && !stored(&writer, "edit 1"));
    writer.put_view("other worktree", &view("edit 2")).expect("put");
    writer.put_view("disk", &view("commit")).expect("put");
    assert!(stored(&writer, "edit 2"), "another view shows it");
    assert_eq!(writer.view("disk").expect("read"), Some(view("commit")));
    assert_eq!(writer.view("nobody").expect("read"), None);
    assert_eq!(count(&writer, "SELECT dropped FROM upkeep"), 1);
}

#[test]
fn forgetting_shows_to_others_only_when_the_next_graph_is_put() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    let (one, two) = (facts_key("one"), facts_key("two"));
    writer
        .put_facts(&[(one, encode_facts(&facts("f"), &[], None)), (two, encode_facts(&facts("g"), &[], None))])
        .expect("put");
    put_units(&mut writer, "old", &units(0));
    writer.put_view("disk", &view("old")).expect("put");
    let reader = spot.reader();

    let mut full = spot.writer();
    full.forget().expect("forgotten");
    assert_eq!(full.has_facts(&[one, two]).expect("read"), [false, false]);
    assert_eq!(full.graph(snapshot("old")).expect("read"), None);
    assert_eq!(full.tree(&tree("old")).expect("read"), None);
    assert_eq!(full.view("disk").expect("read"), None);
    full.put_facts(&[(one, encode_facts(&facts("f"), &[], None))]).expect("put");
    assert_eq!(full.has_facts(&[one, two]).expect("read"), [true, false]);
    assert_answers_like(&open_graph(&reader, "old"), &units(0));

    put_units(&mut full, "new", &units(1));
    let session = reader.session().expect("a session");
    assert!(!session.has_graph(snapshot("old")).expect("read"));
    assert_eq!(session.has_facts(&[one, two]).expect("read"), [true, false]);
    assert_answers_like(&open_graph(&reader, "new"), &units(1));
}

#[test]
fn gc_keeps_what_kept_graphs_reach_and_nothing_else() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    for seed in 0..5 {
        let units = units(seed);
        let keys = units.iter().map(|unit| {
            let facts_key = FactsKey { blob: blob(&encoded(unit).digest.to_string()), ..facts_key("") };
            (facts_key, encode_facts(&facts(unit.path.as_str()), &[], None))
        });
        writer.put_facts(&keys.collect::<Vec<_>>()).expect("put");
        put_units(&mut writer, &seed.to_string(), &units);
    }
    writer.put_facts(&[(facts_key("nobody's"), encode_facts(&facts("f"), &[], None))]).expect("put");
    writer.put_view("disk", &view("0")).expect("put");
    assert!(!writer.wants_gc(2).expect("read"));
    assert!(writer.wants_gc(1).expect("read"));
    let collected = writer.gc(&[snapshot("1")], 1).expect("collected");
    assert_eq!((collected.graphs, collected.dropped_graphs), (3, 2));
    assert_eq!(collected.dropped_facts, collected.dropped_units + 1);
    for (seed, kept) in [true, true, false, false, true].into_iter().enumerate() {
        let name = seed.to_string();
        assert_eq!(writer.has_graph(snapshot(&name)).expect("read"), kept, "{seed}");
        assert_eq!(writer.tree(&tree(&name)).expect("read").is_some(), kept, "{seed}");
        if kept {
            assert_answers_like(&open_graph(&spot.reader(), &name), &units(seed));
        }
    }
    let nothing_left = "SELECT (SELECT count(*) FROM postings WHERE unit NOT IN (SELECT id FROM units))
                        + (SELECT count(*) FROM search_docsize WHERE id NOT IN (SELECT id FROM units))
                        + (SELECT count(*) FROM units) - (SELECT count(*) FROM search_docsize)";
    assert_eq!(count(&writer, nothing_left), 0);
    assert_eq!(count(&writer, "SELECT count(*) FROM units"), count(&writer, "SELECT count(*) FROM reads"));
    let again = writer.gc(&[snapshot("1")], 1).expect("collected");
    assert_eq!((again.dropped_graphs, again.dropped_units, again.dropped_facts), (0, 0, 0));
    // What was dropped can be put again.
    put_units(&mut writer, "2", &units(2));
    assert_answers_like(&open_graph(&spot.reader(), "2"), &units(2));
}

#[test]
fn the_file_shrinks() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    let keys: Vec<FactsKey> = (0..400).map(|at| facts_key(&at.to_string())).collect();
    let random =
        |at: usize| (0..40).map(|n| Digest::of(format!("{at} {n}").as_bytes()).to_string()).collect::<String>();
    let batch = keys.iter().enumerate().map(|(at, key)| (*key, encode_facts(&facts(&random(at)), &[], None)));
    writer.put_facts(&batch.collect::<Vec<_>>()).expect("put");
    put_units(&mut writer, "one", &units(0));
    let collected = writer.gc(&[], 1).expect("collected");
    assert_eq!(collected.dropped_facts, 400);
    assert!(collected.bytes_after * 4 < collected.bytes_before, "{collected:?}");
    drop(writer);
    assert_eq!(fs::metadata(spot.place.file()).expect("there").len(), collected.bytes_after);
    assert_answers_like(&open_graph(&spot.reader(), "one"), &units(0));
}

#[test]
fn answers_come_over_a_connection_that_cannot_write() {
    let spot = Spot::new();
    put_units(&mut spot.writer(), "one", &units(0));
    let session = spot.reader().session().expect("a session");
    for statement in ["DELETE FROM units", "CREATE TABLE t (x)", "INSERT INTO search (words) VALUES ('x')"] {
        let done = session.run(|connection| Ok(connection.execute_batch(statement)?));
        assert!(done.is_err_and(|error| !error.is_damage()), "{statement}");
    }
    drop(session);
    assert_answers_like(&open_graph(&spot.reader(), "one"), &units(0));
}

#[test]
fn a_reader_sees_the_same_graph_while_writers_go_on() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    let files = |seed| units(seed).iter().map(|unit| new_file(unit)).collect::<Vec<_>>();
    put_with(&mut writer, "0", files(0), &[], Some(("disk", &view("0"))));
    let graph = open_graph(&spot.reader(), "0");
    put_with(&mut writer, "1", files(1), &[], Some(("disk", &view("1"))));
    writer.gc(&[], 0).expect("collected");
    assert_answers_like(&graph, &units(0));
}

#[test]
fn readers_answer_in_parallel() {
    let spot = Spot::new();
    let all = units(0);
    put_units(&mut spot.writer(), "one", &all);
    let reader = spot.reader();
    let graph = open_graph(&reader, "one");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_answers_like(&graph, &all));
            scope.spawn(|| assert_answers_like(&open_graph(&reader, "one"), &all));
        }
    });
}

#[test]
fn a_crowd_of_writers_leaves_all_graphs() {
    let spot = Spot::new();
    std::thread::scope(|scope| {
        for seed in 0..8 {
            let spot = &spot;
            scope.spawn(move || {
                let lock = spot.place.lock(|| ()).expect("the lock");
                let mut writer = Writer::open(&spot.place, &lock).expect("it opens");
                put_units(&mut writer, &seed.to_string(), &units(seed));
            });
        }
    });
    let reader = spot.reader();
    for seed in 0..8 {
        assert_answers_like(&open_graph(&reader, &seed.to_string()), &units(seed));
    }
}

#[test]
fn a_file_that_was_replaced_is_noticed() {
    let spot = Spot::new();
    put_units(&mut spot.writer(), "one", &units(0));
    let reader = spot.reader();
    assert!(reader.is_current());
    let aside = spot.directory.path().join("aside");
    fs::rename(spot.place.file(), &aside).expect("moved");
    assert!(!reader.is_current());
    fs::copy(&aside, spot.place.file()).expect("copied");
    assert!(!reader.is_current());
    assert!(spot.reader().is_current());
}
