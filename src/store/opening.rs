//! Opening: whose file it is, of which version, and what is done when it is not as it should be.

use std::fmt;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{OpenFlags, TransactionBehavior};

use super::database::{APPLICATION_ID, Database, SCHEMA_VERSION};
use super::error::{Fault, StoreError};
use super::place::{Lock, Place};

/// Page size of new databases, in bytes: a record of facts is 1 to 3 KB, and a page should hold several.
const PAGE_BYTES: i64 = 8192;

/// Page cache of a writing connection, in KiB: the final transaction of a cold run should not spill.
const WRITER_CACHE_KIB: i64 = 16 << 10;

/// Page cache of a reading connection, in KiB. Few pages are read twice, and memory that was never used before costs more
/// than to read those again.
const READER_CACHE_KIB: i64 = 512;

/// Size of the shortest database that SQLite can have made, in bytes.
const SHORTEST_BYTES: u64 = 512;

/// Something about the file that the user should hear of, in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// It was damaged and was emptied.
    Damaged { file: PathBuf },
    /// It had an older schema and was emptied.
    Outdated { file: PathBuf },
    /// It has a newer schema and was left alone; the other file is used.
    Beside { file: PathBuf, used: PathBuf },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Damaged { file } => write!(f, "{} was damaged and is made again", file.display()),
            Note::Outdated { file } => {
                write!(f, "{} was made by an older version of repo-graph and is made again", file.display())
            }
            Note::Beside { file, used } => {
                write!(f, "{} belongs to a newer version of repo-graph, using {}", file.display(), used.display())
            }
        }
    }
}

/// What a file that SQLite can read is to us.
enum State {
    Empty,
    Current,
    Older,
    Newer,
    Foreign,
}

fn state(database: &Database) -> Result<State, StoreError> {
    database.run(|connection| {
        let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if application != APPLICATION_ID {
            let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            // SQLite takes a file that is too short for a database for an empty one.
            let is_stub = fs::metadata(&database.file).is_ok_and(|file| (1..SHORTEST_BYTES).contains(&file.len()));
            let is_empty = application == 0 && version == 0 && tables == 0 && !is_stub;
            return Ok(if is_empty { State::Empty } else { State::Foreign });
        }
        Ok(match version.cmp(&SCHEMA_VERSION) {
            std::cmp::Ordering::Less => State::Older,
            std::cmp::Ordering::Equal => State::Current,
            std::cmp::Ordering::Greater => State::Newer,
        })
    })
}

/// A read-only connection to a database of our version. Creates and changes nothing.
pub(super) fn open_for_reading(place: &Place) -> Result<Database, StoreError> {
    let mut file = place.file().to_owned();
    let (database, mut found) = connect_for_reading(place, &file)?;
    let mut database = database;
    if let State::Newer = found {
        file = place.beside(SCHEMA_VERSION);
        (database, found) = connect_for_reading(place, &file)?;
    }
    match found {
        State::Current => {
            database.run(|connection| Ok(connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?))?;
            Ok(database)
        }
        State::Empty => Err(StoreError::Absent { file }),
        State::Older => Err(StoreError::Outdated { file }),
        State::Foreign | State::Newer if place.is_default() => Err(StoreError::Damaged { file }),
        State::Foreign | State::Newer => Err(StoreError::Foreign { file }),
    }
}

fn connect_for_reading(place: &Place, file: &Path) -> Result<(Database, State), StoreError> {
    place.refuse_links(file)?;
    if !file.exists() {
        return Err(StoreError::Absent { file: file.to_owned() });
    }
    let database = Database::connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    match state(&database) {
        Ok(found) => Ok((database, found)),
        // Where nothing at all can be written, not even the index of the write-ahead log, and there is no such log,
        // nobody can be changing the file.
        Err(StoreError::NotWritable { .. }) if !place_has_log(file) => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let database = Database::connect(&immutable_uri(file), flags)?;
            let found = state(&database)?;
            Ok((database, found))
        }
        Err(error) => Err(foreign_unless_ours(place, file, error)),
    }
}

fn place_has_log(file: &Path) -> bool {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).is_ok_and(|metadata| metadata.len() > 0)
}

/// The file as a URI that tells SQLite that nobody changes it.
fn immutable_uri(file: &Path) -> PathBuf {
    let path = file.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    format!("file:{path}?immutable=1").into()
}

/// Damage of a file that the user named is only said of our own; any other file is simply not ours.
fn foreign_unless_ours(place: &Place, file: &Path, error: StoreError) -> StoreError {
    if error.is_damage() && !place.is_default() && !has_our_header(file) {
        return StoreError::Foreign { file: file.to_owned() };
    }
    error
}

/// Whether the first bytes are those of an SQLite database with our application id.
fn has_our_header(file: &Path) -> bool {
    let mut header = [0; 72];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.starts_with(b"SQLite format 3\0") && header[68..] == APPLICATION_ID.to_be_bytes()
}

/// A connection that may write, to a database of our version: created, or emptied first, where it has to be.
///
/// `anew` empties it in any case, after damage that showed only later.
pub(super) fn open_for_writing(place: &Place, _: &Lock, anew: bool) -> Result<(Database, Vec<Note>), StoreError> {
    let file = place.file();
    // SQLite may change even what it only opens: a file that the user named is judged before.
    if !place.is_default()
        && let Err(foreign @ StoreError::Foreign { .. }) = open_for_reading(place)
    {
        return Err(foreign);
    }
    let (mut database, mut found) = connect_for_writing(place, file)?;
    let mut notes = Vec::new();
    if let Ok(State::Newer) = found {
        let used = place.beside(SCHEMA_VERSION);
        (database, found) = connect_for_writing(place, &used)?;
        notes.push(Note::Beside { file: file.to_owned(), used });
    }
    let file = database.file.clone();
    match found {
        Ok(State::Current) if !anew => {}
        Ok(State::Empty) => create(&mut database)?,
        Ok(State::Foreign | State::Newer) if !place.is_default() => return Err(StoreError::Foreign { file }),
        Ok(State::Older) => {
            empty(&database)?;
            create(&mut database)?;
            notes.push(Note::Outdated { file });
        }
        Ok(State::Current | State::Foreign | State::Newer) => {
            empty(&database)?;
            create(&mut database)?;
            notes.push(Note::Damaged { file });
        }
        Err(error) if error.is_damage() => {
            // SQLite remembers what it could not read: begin with a new connection.
            (database, _) = connect_for_writing(place, &file)?;
            empty(&database)?;
            create(&mut database)?;
            notes.push(Note::Damaged { file });
        }
        Err(error) => return Err(error),
    }
    database.run(|connection| {
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
        Ok(())
    })?;
    Ok((database, notes))
}

type Found = Result<State, StoreError>;

fn connect_for_writing(place: &Place, file: &Path) -> Result<(Database, Found), StoreError> {
    place.refuse_links(file)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let database = Database::connect(file, flags)?;
    let found = match state(&database) {
        Err(error) => match foreign_unless_ours(place, file, error) {
            error @ StoreError::Foreign { .. } => return Err(error),
            error => Err(error),
        },
        found => found,
    };
    if found.is_ok() && database.run(|connection| Ok(connection.is_readonly("main")?))? {
        let reason = "it is read-only".to_owned();
        return Err(StoreError::NotWritable { file: file.to_owned(), reason });
    }
    Ok((database, found))
}

/// Empties a file whatever it holds, in one transaction that waits for its readers. The file itself stays, since
/// others may have it open.
fn empty(database: &Database) -> Result<(), StoreError> {
    database.run(|connection| {
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
        let emptied = connection.execute_batch("VACUUM");
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
        Ok(emptied?)
    })
}

/// Creates the tables in an empty file.
fn create(database: &mut Database) -> Result<(), StoreError> {
    let mut work = || -> rusqlite::Result<()> {
        database.connection.pragma_update(None, "page_size", PAGE_BYTES)?;
        database.connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        let transaction = database.connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
        transaction.execute_batch(include_str!("schema.sql"))?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        transaction.commit()
    };
    work().map_err(|error| Fault::Sql(error).of(&database.file))
}
