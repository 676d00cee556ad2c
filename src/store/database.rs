//! A connection to a database and everything that is read over it. Writing is [`super::Writer`]'s.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension as _};

use super::error::{Fault, StoreError};
use super::facts_record::{FactsKey, PackedFacts, dialect_code};
use super::runs::{self, StoredFile};
use crate::graph::ModuleTable;
use crate::names::{CommitId, Digest, ObjectId, SnapshotId, TreeId};

/// `PRAGMA application_id` of our databases: `rpgr`.
pub(super) const APPLICATION_ID: i32 = 0x7270_6772;

/// `PRAGMA user_version` of the schema in `schema.sql`.
pub(super) const SCHEMA_VERSION: i32 = 3;

/// How long to wait for another connection's transaction. Ours are short; this is for a crowd.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// Prepared statements kept by a connection: more than there are.
const STATEMENTS: usize = 64;

/// A graph as it is stored, without its units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphRecord {
    pub snapshot: SnapshotId,
    /// The digest of the graph, [`crate::graph::graph_digest`].
    pub digest: Digest,
    /// Every file that resolution could read, sorted by path.
    pub files: Vec<StoredFile>,
    /// What depends on paths and configuration alone, as the driver gave it.
    pub layout: Vec<u8>,
    /// What else is known of the graph, as the driver gave it.
    pub info: Vec<u8>,
}

impl GraphRecord {
    /// The printed names of all modules.
    pub fn modules(&self) -> ModuleTable {
        let named = |file: &StoredFile| Some((file.path.clone(), file.module.clone()?));
        ModuleTable::new(self.files.iter().filter_map(named).collect())
    }
}

/// What a worktree showed last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    pub snapshot: SnapshotId,
    /// The commit that was checked out.
    pub head: Option<CommitId>,
    /// What was seen of its files, as the driver gave it.
    pub stat_cache: Vec<u8>,
}

/// Names the snapshot of a git tree: which tree, which directory of it, and read by which rules.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TreeKey {
    pub tree: TreeId,
    /// The directory below the tree that is the root, `""` for the tree itself.
    pub prefix: String,
    /// Digest of everything else that decides the snapshot, such as versions and limits.
    pub rules: Digest,
}

/// An open database, for reading.
pub struct Database {
    pub(super) connection: Connection,
    pub(super) file: PathBuf,
    /// Facts up to this id, and all graphs and views, are as if they were not there (see [`super::Writer::forget`]).
    pub(super) forgotten: Option<i64>,
}

impl Database {
    /// Opens a connection and makes it distrust the file; reads nothing yet.
    pub(super) fn connect(file: &Path, flags: OpenFlags) -> Result<Database, StoreError> {
        let open = || -> rusqlite::Result<Connection> {
            let connection = Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.set_prepared_statement_cache_capacity(STATEMENTS);
            for (config, on) in [
                (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
                (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
                (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
                (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
                // Else some statements are planned anew each time that they are given values.
                (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
            ] {
                connection.set_db_config(config, on)?;
            }
            connection.pragma_update(None, "cell_size_check", true)?;
            // Not mapped: reading is no faster so, and a file that somebody else truncates would end the process.
            connection.pragma_update(None, "mmap_size", 0)?;
            Ok(connection)
        };
        match open() {
            Ok(connection) => Ok(Database { connection, file: file.to_owned(), forgotten: None }),
            Err(error) => Err(Fault::Sql(error).of(file)),
        }
    }

    /// The file that is open.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Runs something over the connection; a failure names the file.
    pub(super) fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|fault| fault.of(&self.file))
    }

    /// Runs something that reads many rows, as one transaction: else each row would lock the file anew.
    fn look<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StoreError> {
        self.run(|connection| {
            let reading = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
            let result = work(connection);
            drop(reading);
            result
        })
    }

    /// Which of these facts are stored.
    pub fn has_facts(&self, keys: &[FactsKey]) -> Result<Vec<bool>, StoreError> {
        self.each_facts(
            keys,
            "SELECT 1 FROM facts WHERE blob = ?1 AND dialect = ?2 AND version = ?3 AND id > ?4",
            |_| Ok(()),
        )
        .map(|found| found.into_iter().map(|one| one.is_some()).collect())
    }

    /// The records of facts, for [`super::decode_facts`]; `None` where there are none.
    pub fn facts(&self, keys: &[FactsKey]) -> Result<Vec<Option<PackedFacts>>, StoreError> {
        let sql = "SELECT one.id, one.data, one.model, model.data
                   FROM facts one LEFT JOIN facts model ON model.id = one.model
                   WHERE one.blob = ?1 AND one.dialect = ?2 AND one.version = ?3 AND one.id > ?4";
        let read = |row: &rusqlite::Row| {
            let (model, model_data): (Option<i64>, Option<Vec<u8>>) = (row.get(2)?, row.get(3)?);
            let packed = PackedFacts { row: row.get(0)?, data: row.get(1)?, model: model.zip(model_data) };
            // Without their model they cannot be read.
            Ok(Some(packed).filter(|packed| model.is_none() || packed.model.is_some()))
        };
        Ok(self.each_facts(keys, sql, read)?.into_iter().map(Option::flatten).collect())
    }

    fn each_facts<T>(
        &self,
        keys: &[FactsKey],
        sql: &'static str,
        read: impl Fn(&rusqlite::Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<Option<T>>, StoreError> {
        let after = self.forgotten.unwrap_or(0);
        self.look(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut one = |key: &FactsKey| {
                let blob = key.blob.0.as_bytes();
                let values = (blob, dialect_code(key.dialect), key.version.cast_signed(), after);
                statement.query_row(values, |row| read(row)).optional()
            };
            Ok(keys.iter().map(&mut one).collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The snapshot of a git tree, when a graph of it is stored.
    pub fn tree(&self, key: &TreeKey) -> Result<Option<SnapshotId>, StoreError> {
        if self.forgotten.is_some() {
            return Ok(None);
        }
        let sql =
            "SELECT snapshot FROM trees JOIN graphs USING (snapshot) WHERE tree = ?1 AND prefix = ?2 AND rules = ?3";
        self.run(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let values = (key.tree.0.as_bytes(), &key.prefix, key.rules.0);
            let bytes = statement.query_row(values, |row| row.get(0)).optional()?;
            Ok(bytes.map(|bytes| SnapshotId(Digest(bytes))))
        })
    }

    /// What a worktree showed last. Its graph may be gone.
    pub fn view(&self, name: &str) -> Result<Option<View>, StoreError> {
        if self.forgotten.is_some() {
            return Ok(None);
        }
        self.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT snapshot, head, stat_cache FROM views WHERE name = ?1")?;
            let read = |row: &rusqlite::Row| {
                let head: Option<Vec<u8>> = row.get(1)?;
                let head = head.and_then(|bytes| ObjectId::from_bytes(&bytes)).map(CommitId);
                Ok(View { snapshot: SnapshotId(Digest(row.get(0)?)), head, stat_cache: row.get(2)? })
            };
            Ok(statement.query_row([name], read).optional()?)
        })
    }

    /// Whether the graph of a snapshot is stored.
    pub fn has_graph(&self, snapshot: SnapshotId) -> Result<bool, StoreError> {
        if self.forgotten.is_some() {
            return Ok(false);
        }
        self.run(|connection| {
            let mut statement = connection.prepare_cached("SELECT 1 FROM graphs WHERE snapshot = ?1")?;
            Ok(statement.exists([snapshot.0.0])?)
        })
    }

    /// The snapshot whose graph was stored or shown last.
    pub fn newest(&self) -> Result<Option<SnapshotId>, StoreError> {
        if self.forgotten.is_some() {
            return Ok(None);
        }
        self.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT snapshot FROM graphs ORDER BY used DESC, snapshot LIMIT 1")?;
            let bytes = statement.query_row([], |row| row.get(0)).optional()?;
            Ok(bytes.map(|bytes| SnapshotId(Digest(bytes))))
        })
    }

    /// The stored graph of a snapshot.
    pub fn graph(&self, snapshot: SnapshotId) -> Result<Option<GraphRecord>, StoreError> {
        if self.forgotten.is_some() {
            return Ok(None);
        }
        self.run(|connection| read_graph(connection, snapshot))
    }

    /// Gives what the units of some files of a graph rest on; positions are those of [`GraphRecord::files`].
    pub fn reads(
        &self,
        graph: &GraphRecord,
        positions: impl Iterator<Item = usize>,
        mut each: impl FnMut(usize, &[u8]),
    ) -> Result<(), StoreError> {
        self.look(|connection| {
            let mut statement = connection.prepare_cached("SELECT data FROM reads WHERE id = ?1")?;
            for at in positions {
                let Some(unit) = graph.files[at].unit else { continue };
                blob_of(&mut statement, unit.reads, |bytes| each(at, bytes))?;
            }
            Ok(())
        })
    }
}

fn read_graph(connection: &Connection, snapshot: SnapshotId) -> Result<Option<GraphRecord>, Fault> {
    let mut statement =
        connection.prepare_cached("SELECT digest, runs, layout, info FROM graphs WHERE snapshot = ?1")?;
    let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?, row.get(2)?, row.get(3)?));
    let Some((digest, run_ids, layout_id, info)) = statement.query_row([snapshot.0.0], read).optional()? else {
        return Ok(None);
    };
    let run_ids = decode_ids(&run_ids)?;
    let mut run = connection.prepare_cached("SELECT data FROM runs WHERE id = ?1")?;
    let mut files = Vec::new();
    for id in run_ids {
        blob_of(&mut run, id, |bytes| runs::decode_into(bytes, &mut files))?.ok_or(Fault::Malformed)?;
    }
    let layout = blob_of(&mut run, layout_id, <[u8]>::to_vec)?;
    Ok(Some(GraphRecord { snapshot, digest: Digest(digest), files, layout, info }))
}

/// Hands over the blob that a statement finds under an id, without copying it. That it is there is our own doing.
pub(super) fn blob_of<T>(statement: &mut CachedStatement, id: i64, read: impl FnOnce(&[u8]) -> T) -> Result<T, Fault> {
    let mut rows = statement.query([id])?;
    match rows.next()? {
        Some(row) => match row.get_ref(0)? {
            ValueRef::Blob(bytes) => Ok(read(bytes)),
            _ => Err(Fault::Malformed),
        },
        None => Err(Fault::Malformed),
    }
}

/// The bytes of a list of row ids.
pub(super) fn encode_ids(ids: &[i64]) -> Vec<u8> {
    postcard::to_stdvec(ids).expect("a list of numbers")
}

pub(super) fn decode_ids(bytes: &[u8]) -> Result<Vec<i64>, Fault> {
    postcard::from_bytes(bytes).map_err(|_| Fault::Malformed)
}
