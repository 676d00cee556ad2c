//! Files that are not as expected: absent, garbage, foreign, older, newer, damaged, full, reached through links.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::*;

/// Opens for writing, puts a graph, and reads it back.
fn assert_usable(spot: &Spot) -> Vec<String> {
    let mut writer = spot.writer();
    put_units(&mut writer, "one", &units(0));
    let notes = writer.notes().iter().map(|note| note.to_string()).collect();
    drop(writer);
    assert_answers_like(&open_graph(&spot.reader(), "one"), &units(0));
    assert!(spot.writer().notes().is_empty());
    notes
}

fn read_error(spot: &Spot) -> StoreError {
    Reader::open(&spot.place).err().expect("it does not open")
}

#[test]
fn an_absent_or_empty_file_is_created() {
    for spot in [Spot::new(), Spot::named()] {
        assert!(matches!(read_error(&spot), StoreError::Absent { .. }));
        assert!(!spot.place.file().exists());
        assert!(assert_usable(&spot).is_empty());
    }
    let spot = Spot::named();
    spot.write(b"");
    assert!(matches!(read_error(&spot), StoreError::Absent { .. }));
    assert!(assert_usable(&spot).is_empty());
}

#[test]
fn garbage_at_the_default_place_is_made_again() {
    for bytes in [&b"x"[..], &[7; 100], &[0; 5000], &[0xff; 100_000], b"SQLite format 3\0 and no more", &[b'S'; 8192]] {
        let spot = Spot::new();
        spot.write(bytes);
        assert!(read_error(&spot).is_damage(), "{bytes:?}: {}", read_error(&spot));
        let notes = assert_usable(&spot);
        assert!(notes.len() == 1 && notes[0].ends_with("was damaged and is made again"), "{notes:?}");
    }
}

#[test]
fn a_foreign_database_is_made_again_at_the_default_place_and_refused_elsewhere() {
    let sql = "CREATE TABLE nodes (id text); CREATE TRIGGER t AFTER INSERT ON nodes BEGIN DELETE FROM nodes; END;
               CREATE VIEW units AS SELECT * FROM nodes; INSERT INTO nodes VALUES ('x'); PRAGMA user_version = 3;";
    let spot = Spot::new();
    spot.sql(sql);
    assert!(read_error(&spot).is_damage());
    assert_eq!(assert_usable(&spot).len(), 1);

    for garbage in [false, true] {
        let spot = Spot::named();
        if garbage {
            spot.write(b"my notes")
        } else {
            spot.sql(sql)
        }
        let before = fs::read(spot.place.file()).expect("there");
        assert!(matches!(read_error(&spot), StoreError::Foreign { .. }));
        let error = spot.try_writer().err().expect("refused");
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(fs::read(spot.place.file()).expect("there"), before);
    }
}

#[test]
fn an_older_schema_is_made_again() {
    for spot in [Spot::new(), Spot::named()] {
        spot.sql("CREATE TABLE facts (a); PRAGMA application_id = 0x72706772; PRAGMA user_version = 0;");
        assert!(matches!(read_error(&spot), StoreError::Outdated { .. }));
        let notes = assert_usable(&spot);
        assert!(notes.len() == 1 && notes[0].contains("older version"), "{notes:?}");
    }
}

#[test]
fn a_newer_schema_is_left_alone_and_a_file_beside_is_used() {
    for (spot, beside) in [(Spot::new(), "graph-v3.db"), (Spot::named(), "my-v3.db")] {
        spot.sql("CREATE TABLE facts (a); PRAGMA application_id = 0x72706772; PRAGMA user_version = 99;");
        let before = fs::read(spot.place.file()).expect("there");
        let beside = spot.place.file().with_file_name(beside);
        assert!(matches!(read_error(&spot), StoreError::Absent { file } if file == beside));
        let mut writer = spot.writer();
        put_units(&mut writer, "one", &units(0));
        assert_eq!(
            writer.notes(),
            [opening::Note::Beside { file: spot.place.file().to_owned(), used: beside.clone() }]
        );
        assert_answers_like(&open_graph(&spot.reader(), "one"), &units(0));
        assert_eq!(fs::read(spot.place.file()).expect("there"), before);
    }
}

#[test]
fn our_own_file_with_missing_tables_is_damage_and_can_be_emptied() {
    for spot in [Spot::new(), Spot::named()] {
        spot.sql("CREATE TABLE facts (a); PRAGMA application_id = 0x72706772; PRAGMA user_version = 3;");
        let error = spot.writer().graph(snapshot("one")).expect_err("no such table");
        assert!(error.is_damage());
        assert!(!error.to_string().contains("table"), "{error}");
        let lock = spot.place.lock(|| ()).expect("the lock");
        assert_eq!(Writer::open_emptied(&spot.place, &lock).expect("emptied").notes().len(), 1);
        drop(lock);
        assert!(assert_usable(&spot).is_empty());
    }
}

/// Reads all that can be read; damage is an error, never a panic and never a wrong unit.
fn read_everything(place: &Place) -> Result<(), StoreError> {
    let reader = Reader::open(place)?;
    let session = reader.session()?;
    session.has_facts(&[facts_key("one")])?;
    session.facts(&[facts_key("one")])?.into_iter().flatten().for_each(|data| drop(decode_facts(&data)));
    session.view("disk")?;
    session.tree(&tree("one"))?;
    let Some(record) = session.graph(snapshot("one"))? else { return Ok(()) };
    session.reads(&record, 0..record.files.len(), |_, _| ())?;
    let graph = session.into_graph(&record, ModuleTable::default());
    let right = units(0);
    for entry in graph.entries() {
        let unit = graph.unit(entry.path.as_str());
        assert!(unit.is_none_or(|unit| right.contains(&unit)));
    }
    graph.search(&["a".into()]);
    graph.defining("a");
    graph.check()
}

#[test]
fn a_truncated_or_overwritten_file_is_damage_and_is_made_again() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    writer.put_facts(&[(facts_key("one"), encode_facts(&facts("f"), &[], None))]).expect("put");
    put_units(&mut writer, "one", &units(0));
    writer.put_view("disk", &view("one")).expect("put");
    writer.gc(&[], 9).expect("everything is in the one file");
    drop(writer);
    let whole = fs::read(spot.place.file()).expect("there");
    let mut damaged: Vec<Vec<u8>> =
        [100, 4096, whole.len() / 2, whole.len() - 1].map(|length| whole[..length].to_vec()).to_vec();
    for from in (0..whole.len()).step_by(whole.len() / 24) {
        let mut bytes = whole.clone();
        let to = (from + 3000).min(bytes.len());
        bytes[from..to].fill(0xa5);
        damaged.push(bytes);
    }
    let mut noticed = 0;
    for bytes in damaged {
        let spot = Spot::new();
        spot.write(&bytes);
        let Err(error) = read_everything(&spot.place) else { continue };
        assert!(error.is_damage(), "{error}");
        noticed += 1;
        let lock = spot.place.lock(|| ()).expect("the lock");
        drop(Writer::open_emptied(&spot.place, &lock).expect("emptied"));
        drop(lock);
        assert_usable(&spot);
    }
    assert!(noticed > 12, "{noticed}");
}

#[test]
fn a_run_that_is_cut_off_anywhere_leaves_the_graph_of_before_or_its_own() {
    let spot = Spot::new();
    put_units(&mut spot.writer(), "old", &units(0));
    let mut writer = spot.writer();
    writer.put_facts(&[(facts_key("one"), encode_facts(&facts("f"), &[], None))]).expect("put");
    put_units(&mut writer, "new", &units(1));
    let mut log_file = spot.place.file().as_os_str().to_owned();
    log_file.push("-wal");
    let (whole, log) = (fs::read(spot.place.file()).expect("there"), fs::read(log_file).expect("there"));
    drop(writer);
    let mut seen = [0, 0];
    for end in (0..log.len()).step_by(log.len() / 40).chain([log.len()]) {
        let spot = Spot::new();
        spot.write(&whole);
        fs::write(spot.place.file().with_file_name("graph.db-wal"), &log[..end]).expect("written");
        assert_answers_like(&open_graph(&spot.reader(), "old"), &units(0));
        let is_whole = spot.reader().session().expect("a session").has_graph(snapshot("new")).expect("read");
        seen[usize::from(is_whole)] += 1;
        if is_whole {
            assert_answers_like(&open_graph(&spot.reader(), "new"), &units(1));
        }
        put_units(&mut spot.writer(), "new", &units(1));
        assert_answers_like(&open_graph(&spot.reader(), "new"), &units(1));
    }
    assert!(seen[0] > 1 && seen[1] > 0, "{seen:?}");
}

#[test]
fn a_full_disk_is_said_and_what_was_stored_stays() {
    let spot = Spot::new();
    let mut writer = spot.writer();
    put_units(&mut writer, "old", &units(0));
    let pages = count(&writer, "PRAGMA page_count");
    writer.run(|connection| Ok(connection.pragma_update(None, "max_page_count", pages)?)).expect("limited");
    let large = PutGraph {
        snapshot: snapshot("new"),
        digest: Digest::of(b""),
        files: Vec::new(),
        layout: &[1; 100_000],
        info: b"",
        trees: &[],
        view: None,
    };
    let error = writer.put_graph(&large).expect_err("no room");
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(error.to_string().contains("graph.db"), "{error}");
    drop(writer);
    assert_answers_like(&open_graph(&spot.reader(), "old"), &units(0));
    assert!(!spot.writer().has_graph(snapshot("new")).expect("read"));
}

#[test]
fn triggers_and_views_of_a_shipped_database_do_nothing() {
    let spot = Spot::new();
    drop(spot.writer());
    let shipped = Connection::open(spot.place.file()).expect("opened");
    shipped.execute_batch("CREATE TRIGGER t AFTER INSERT ON graphs BEGIN DELETE FROM units; END").expect("run");
    put_units(&mut spot.writer(), "one", &units(0));
    assert_answers_like(&open_graph(&spot.reader(), "one"), &units(0));

    let as_view = "ALTER TABLE views RENAME TO v; CREATE VIEW views AS SELECT name, snapshot, head, stat_cache FROM v";
    shipped.execute_batch(as_view).expect("run");
    assert!(spot.writer().view("disk").expect_err("no table").is_damage());
}

#[test]
#[cfg(unix)]
fn nothing_is_opened_through_a_symbolic_link() {
    use std::os::unix::fs::symlink;
    let elsewhere = Spot::new();
    put_units(&mut elsewhere.writer(), "one", &units(0));
    let refused = |place: &Place| {
        assert!(matches!(Reader::open(place).err(), Some(StoreError::Link { .. })));
        assert!(matches!(place.lock(|| ()).err(), Some(StoreError::Link { .. })));
    };
    let link = |target: &Path, link: &str| {
        let spot = Spot::named();
        let path = spot.directory.path().join(link);
        symlink(target, &path).expect("linked");
        (spot, path)
    };
    let (_spot, file) = link(elsewhere.place.file(), "graph.db");
    refused(&Place::named(&file));
    let (_spot, directory) = link(elsewhere.place.file().parent().expect("a directory"), ".repo-graph");
    refused(&Place::default_in(&directory));
    let (spot, _) = link(&elsewhere.directory.path().join("victim"), "my.db-wal");
    refused(&spot.place);
    let (spot, _) = link(&elsewhere.directory.path().join("victim"), "my.db.lock");
    assert!(matches!(spot.place.lock(|| ()).err(), Some(StoreError::Link { .. })));
    assert!(!elsewhere.directory.path().join("victim").exists());
}

#[test]
fn a_place_that_cannot_be_written_says_so() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("a file");
    fs::write(&file, b"").expect("written");
    let places = [
        Place::default_in(&file.join("below")),
        Place::default_in(&file),
        Place::named(&file.join("x.db")),
        Place::named(directory.path()),
    ];
    for place in places {
        let error = place.lock(|| ()).expect_err("cannot be");
        assert!(matches!(error, StoreError::NotWritable { .. }), "{error}");
        assert!(!error.to_string().contains("os error"), "{error}");
        assert!(!error.hint().is_empty());
    }
}
