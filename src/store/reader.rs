//! Answering: read-only connections, each a consistent view of the database, and the graphs that are read over them.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use super::cache::UnitCache;
use super::database::{Database, GraphRecord, blob_of};
use super::error::{Fault, StoreError};
use super::opening;
use super::place::Place;
use super::postings;
use super::runs::StoredUnit;
use super::unit_record::decode_unit;
use crate::graph::{Graph, GraphEntry, ModuleTable, Size, Target, Unit};
use crate::lookup::Lookup;
use crate::names::RepoPath;

/// Idle connections that a process keeps, for as many calls at once.
const IDLE_CONNECTIONS: usize = 8;

/// A database as a process reads it: sessions on demand, and the units that they decoded. Creates and changes nothing.
#[derive(Clone)]
pub struct Reader {
    shared: Arc<Shared>,
}

struct Shared {
    place: Place,
    file: PathBuf,
    /// Which file it was, to notice when another took its place.
    identity: Option<Identity>,
    idle: Mutex<Vec<Database>>,
    cache: UnitCache,
}

impl Reader {
    /// Opens the database. One that is absent, older or damaged is an error: bringing it up to date comes first.
    pub fn open(place: &Place) -> Result<Reader, StoreError> {
        let database = opening::open_for_reading(place)?;
        let file = database.file().to_owned();
        let identity = identity(&file);
        let (place, idle) = (place.clone(), Mutex::new(vec![database]));
        Ok(Reader { shared: Arc::new(Shared { place, file, identity, idle, cache: UnitCache::default() }) })
    }

    /// Whether the file at the place still is the one that was opened. After a deletion or replacement, open again.
    pub fn is_current(&self) -> bool {
        self.shared.identity.is_some() && identity(&self.shared.file) == self.shared.identity
    }

    /// Begins to read: until the session, or the graph made of it, is dropped, writers change nothing that it sees.
    pub fn session(&self) -> Result<Session, StoreError> {
        let idle = self.shared.idle().pop();
        let database = match idle {
            Some(database) => database,
            None => opening::open_for_reading(&self.shared.place)?,
        };
        database.run(|connection| Ok(connection.execute_batch("BEGIN")?))?;
        Ok(Session { database: Some(database), shared: self.shared.clone() })
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<Database>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What tells one file from another at the same path.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(file: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(file).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// Elsewhere a file that is open cannot be replaced: it is there or not.
#[cfg(not(unix))]
fn identity(file: &Path) -> Option<Identity> {
    file.exists().then_some((0, 0))
}

/// One consistent look at the database.
pub struct Session {
    /// Taken only when the session is dropped.
    database: Option<Database>,
    shared: Arc<Shared>,
}

impl Deref for Session {
    type Target = Database;

    fn deref(&self) -> &Database {
        self.database.as_ref().expect("the connection is taken only on drop")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Some(database) = self.database.take() else { return };
        let mut idle = self.shared.idle();
        if idle.len() < IDLE_CONNECTIONS && database.connection.execute_batch("ROLLBACK").is_ok() {
            idle.push(database);
        }
    }
}

impl Session {
    /// The graph of a record that this session read, with the module table that belongs to it.
    pub fn into_graph(self, record: &GraphRecord, modules: ModuleTable) -> StoredGraph {
        let units = record.files.iter().filter_map(|file| Some((file, file.unit?)));
        let entry = |(file, unit): (&super::StoredFile, StoredUnit)| {
            (GraphEntry { path: file.path.clone(), blob: file.blob, unit: unit.digest }, unit.unit)
        };
        let size = record.files.iter().filter_map(|file| file.unit).map(|unit| unit.size).sum();
        let (entries, rows) = units.map(entry).unzip();
        let error = Mutex::new(None);
        StoredGraph { entries, size, rows, positions: OnceLock::new(), modules, session: Mutex::new(self), error }
    }
}

/// A stored graph. Units are read when they are asked for.
pub struct StoredGraph {
    entries: Vec<GraphEntry>,
    size: Size,
    /// Parallel to `entries`: the rows of the units.
    rows: Vec<i64>,
    /// Row of a unit → position in `entries`: membership in the graph.
    positions: OnceLock<FxHashMap<i64, u32>>,
    modules: ModuleTable,
    session: Mutex<Session>,
    /// The first error of a read. [`Graph`] itself cannot fail.
    error: Mutex<Option<StoreError>>,
}

impl StoredGraph {
    /// What went wrong while the graph was read, if anything did: then its answers were incomplete.
    pub fn check(&self) -> Result<(), StoreError> {
        match self.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an error for [`StoredGraph::check`].
    fn keep<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                None
            }
        }
    }

    fn unit_at(&self, at: usize) -> Option<Arc<Unit>> {
        let digest = self.entries[at].unit;
        let session = self.session();
        if let Some(unit) = session.shared.cache.get(digest) {
            return Some(unit);
        }
        let read = session.run(|connection| {
            let mut statement = connection.prepare_cached("SELECT data FROM units WHERE id = ?1")?;
            blob_of(&mut statement, self.rows[at], <[u8]>::to_vec)
        });
        let shared = session.shared.clone();
        drop(session);
        let decoded = read.and_then(|data| {
            let decoded = decode_unit(&data, digest).filter(|(unit, _)| unit.path == self.entries[at].path);
            decoded.ok_or_else(|| StoreError::Damaged { file: shared.file.clone() })
        });
        let (unit, bytes) = self.keep(decoded)?;
        let unit = Arc::new(unit);
        shared.cache.add(digest, unit.clone(), bytes);
        Some(unit)
    }

    /// The positions of those units that are of this graph, sorted.
    fn members(&self, rows: Vec<i64>) -> Vec<usize> {
        let positions = self.positions.get_or_init(|| self.rows.iter().copied().zip(0..).collect());
        let mut members: Vec<usize> = rows.iter().filter_map(|row| positions.get(row)).map(|&at| at as usize).collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// The positions of the units of this graph among those that the database proposes.
    fn propose(&self, propose: impl FnOnce(&Connection) -> Result<Vec<i64>, Fault>) -> Vec<usize> {
        let rows = self.session().run(propose);
        self.keep(rows).map(|rows| self.members(rows)).unwrap_or_default()
    }

    /// Gives what the units of some files rest on; see [`Database::reads`].
    pub fn reads(
        &self,
        record: &GraphRecord,
        positions: impl Iterator<Item = usize>,
        each: impl FnMut(usize, &[u8]),
    ) -> Result<(), StoreError> {
        self.session().reads(record, positions, each)
    }

    /// The files that may have a symbol whose last name is this: all that have one, and none is read for it.
    pub fn propose_defining(&self, name: &str) -> Vec<&RepoPath> {
        self.look_up(Lookup::Defining(name)).into_iter().map(|at| &self.entries[at].path).collect()
    }

    fn look_up(&self, lookup: Lookup) -> Vec<usize> {
        self.propose(|connection| postings::find(connection, lookup.key().cast_signed()))
    }

    fn find(&self, lookup: Lookup) -> Vec<Arc<Unit>> {
        let proposed = self.look_up(lookup).into_iter();
        proposed.filter_map(|at| self.unit_at(at)).filter(|unit| lookup.holds(unit)).collect()
    }
}

impl Graph for StoredGraph {
    fn entries(&self) -> &[GraphEntry] {
        &self.entries
    }

    fn modules(&self) -> &ModuleTable {
        &self.modules
    }

    fn size(&self) -> Size {
        self.size
    }

    fn unit(&self, path: &str) -> Option<Arc<Unit>> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.unit_at(at)
    }

    fn users(&self, target: &Target) -> Vec<Arc<Unit>> {
        self.find(Lookup::Users(target))
    }

    fn defining(&self, name: &str) -> Vec<Arc<Unit>> {
        self.find(Lookup::Defining(name))
    }

    fn unresolved(&self, name: &str) -> Vec<Arc<Unit>> {
        self.find(Lookup::Unresolved(name))
    }

    fn search(&self, words: &[String]) -> Vec<Arc<Unit>> {
        let proposed = match search_expression(words) {
            None => Vec::new(),
            Some(all) if all.is_empty() => (0..self.entries.len()).collect(),
            Some(expression) => self.propose(|connection| {
                let mut select = connection.prepare_cached("SELECT rowid FROM search WHERE search MATCH ?1")?;
                let rows = select.query_map([expression], |row| row.get(0))?;
                Ok(rows.collect::<rusqlite::Result<_>>()?)
            }),
        };
        proposed.into_iter().filter_map(|at| self.unit_at(at)).collect()
    }
}

/// All of these words as prefixes, as FTS5 writes it; `None` when one can be no word at all.
///
/// Only letters and digits pass, each word in quotes, so nothing in it is syntax.
fn search_expression(words: &[String]) -> Option<String> {
    let mut expression = String::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        if !word.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric()) {
            return None;
        }
        expression.push('"');
        expression.push_str(word);
        expression.push_str("\"* ");
    }
    Some(expression)
}
