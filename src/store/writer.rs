//! Bringing a database up to date: the only code that changes one.

use std::ops::Deref;

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior};

use super::database::{Database, GraphRecord, TreeKey, View, encode_ids};
use super::error::{Fault, StoreError};
use super::facts_record::{EncodedFacts, FactsKey, dialect_code};
use super::gc;
use super::opening::{self, Note};
use super::place::{Lock, Place};
use super::postings;
use super::runs::{self, StoredFile, StoredUnit};
use super::unit_record::EncodedUnit;
use crate::names::{BlobId, Digest, ModuleName, RepoPath, SnapshotId};

/// A connection that may write. Held only while a database is brought up to date, under its [`Lock`].
///
/// Everything that can be read can be read through it, too.
pub struct Writer {
    database: Database,
    notes: Vec<Note>,
}

/// A graph to be stored.
pub struct PutGraph<'a> {
    pub snapshot: SnapshotId,
    pub digest: Digest,
    /// Every file that resolution could read, sorted by path.
    pub files: Vec<PutFile>,
    /// What depends on paths and configuration alone. Graphs that agree in it share it.
    pub layout: &'a [u8],
    /// What else is to be known of the graph, such as counts.
    pub info: &'a [u8],
    /// The trees that the snapshot was made of: later it is found by them. A graph of the disk has none.
    pub trees: &'a [TreeKey],
    /// The view that shows the graph. The graph it showed before is dropped when no tree or other view has it.
    pub view: Option<(&'a str, &'a View)>,
}

/// One file of a graph to be stored.
pub struct PutFile {
    pub path: RepoPath,
    pub blob: BlobId,
    pub unit: PutUnit,
    /// The printed name of the module that it is, if it is one.
    pub module: Option<ModuleName>,
}

/// Where the unit of a file comes from.
pub enum PutUnit {
    /// The file has no unit: configuration.
    None,
    /// It is stored already, as a graph read through the same writer says.
    Stored(StoredUnit),
    /// It is stored already, but rests on other reads than it did.
    Reread { stored: StoredUnit, reads: Vec<u8> },
    /// It is new, or at least was made anew, and rests on these reads.
    New { unit: EncodedUnit, reads: Vec<u8> },
}

impl Deref for Writer {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

impl Writer {
    /// Opens the database, after creating it, or emptying it when it is older or damaged; see [`Writer::notes`].
    pub fn open(place: &Place, lock: &Lock) -> Result<Writer, StoreError> {
        let (database, notes) = opening::open_for_writing(place, lock, false)?;
        Ok(Writer { database, notes })
    }

    /// Opens the database emptied, after an error that [`StoreError::is_damage`]. Look again under the lock before: the
    /// run that had it may have made the file again.
    pub fn open_emptied(place: &Place, lock: &Lock) -> Result<Writer, StoreError> {
        let (database, notes) = opening::open_for_writing(place, lock, true)?;
        Ok(Writer { database, notes })
    }

    /// What the user should hear about the file.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Forgets all graphs, views and facts stored so far: for this writer at once, for others when it puts the next
    /// graph. Until then the graphs of before keep answering, whatever becomes of this run. What was read through this
    /// writer before must not be put again afterwards.
    pub fn forget(&mut self) -> Result<(), StoreError> {
        let newest = self.run(|connection| {
            Ok(connection.query_row("SELECT coalesce(max(id), 0) FROM facts", [], |row| row.get(0))?)
        })?;
        self.database.forgotten = Some(newest);
        Ok(())
    }

    /// Stores facts, in a transaction of its own, so that a run that is killed later keeps them.
    pub fn put_facts(&mut self, batch: &[(FactsKey, EncodedFacts)]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut insert = transaction.prepare_cached(
                "INSERT OR REPLACE INTO facts (blob, dialect, version, data, model) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for (key, facts) in batch {
                let dialect = dialect_code(key.dialect);
                let version = key.version.cast_signed();
                insert.execute((key.blob.0.as_bytes(), dialect, version, &facts.data, facts.model))?;
            }
            Ok(())
        })
    }

    /// Gives back the memory of the pages that are kept at hand: those of many facts are not looked at again.
    pub fn release_memory(&self) -> Result<(), StoreError> {
        self.run(|connection| Ok(connection.pragma_update(None, "shrink_memory", "")?))
    }

    /// Stores a graph with its new units, what they are found by, and the view that shows it, in one transaction. Gives
    /// it as it is read from now on, until this writer collects garbage.
    pub fn put_graph(&mut self, graph: &PutGraph) -> Result<GraphRecord, StoreError> {
        let forgotten = self.database.forgotten;
        let files = self.write(|transaction| {
            if let Some(newest) = forgotten {
                gc::clear(transaction, newest)?;
            }
            let units = put_units(transaction, &graph.files)?;
            let file = |(file, unit): (&PutFile, _)| {
                let PutFile { path, blob, module, .. } = file;
                StoredFile { path: path.clone(), blob: *blob, unit, module: module.clone() }
            };
            let files: Vec<StoredFile> = graph.files.iter().zip(units).map(file).collect();
            let mut runs = Vec::new();
            for run in runs::encode(&files) {
                runs.push(put_shared(transaction, Table::Runs, &run)?);
            }
            let layout = put_shared(transaction, Table::Runs, graph.layout)?;
            let mut insert = transaction.prepare_cached(
                "INSERT INTO graphs (snapshot, digest, runs, layout, info, used)
                 VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(used), 0) + 1 FROM graphs))
                 ON CONFLICT (snapshot) DO UPDATE SET
                 digest = excluded.digest, runs = excluded.runs, layout = excluded.layout, info = excluded.info,
                 used = excluded.used",
            )?;
            insert.execute((graph.snapshot.0.0, graph.digest.0, encode_ids(&runs), layout, graph.info))?;
            for key in graph.trees {
                put_tree(transaction, key, graph.snapshot)?;
            }
            if let Some((name, view)) = graph.view {
                put_view(transaction, name, view)?;
            }
            Ok(files)
        })?;
        self.database.forgotten = None;
        let (layout, info) = (graph.layout.to_vec(), graph.info.to_vec());
        Ok(GraphRecord { snapshot: graph.snapshot, digest: graph.digest, files, layout, info })
    }

    /// Notes that a tree is a snapshot whose graph is stored.
    pub fn put_tree(&mut self, key: &TreeKey, snapshot: SnapshotId) -> Result<(), StoreError> {
        self.write(|transaction| put_tree(transaction, key, snapshot))
    }

    /// Notes what a worktree shows, when the graph of that is stored already. As in [`PutGraph::view`], the graph that
    /// it showed before may go.
    pub fn put_view(&mut self, name: &str, view: &View) -> Result<(), StoreError> {
        self.write(|transaction| {
            let mut used = transaction
                .prepare_cached("UPDATE graphs SET used = (SELECT max(used) + 1 FROM graphs) WHERE snapshot = ?1")?;
            used.execute([view.snapshot.0.0])?;
            put_view(transaction, name, view)
        })
    }

    /// Runs changes as one transaction: all of them happen or none.
    pub(super) fn write<T>(&mut self, work: impl FnOnce(&Transaction) -> Result<T, Fault>) -> Result<T, StoreError> {
        let Database { connection, file, .. } = &mut self.database;
        let changes = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        changes().map_err(|fault: Fault| fault.of(file))
    }
}

/// A table of shared records: (id, digest, data).
#[derive(Clone, Copy)]
enum Table {
    Runs,
    Reads,
}

/// Stores bytes once, and gives their row.
fn put_shared(connection: &Connection, table: Table, bytes: &[u8]) -> Result<i64, Fault> {
    let (find, insert) = match table {
        Table::Runs => ("SELECT id FROM runs WHERE digest = ?1", "INSERT INTO runs (digest, data) VALUES (?1, ?2)"),
        Table::Reads => ("SELECT id FROM reads WHERE digest = ?1", "INSERT INTO reads (digest, data) VALUES (?1, ?2)"),
    };
    put_once(connection, find, insert, Digest::of(bytes), bytes).map(|(id, _)| id)
}

/// The row of a digest, and whether it was inserted just now.
fn put_once(
    connection: &Connection,
    find: &'static str,
    insert: &'static str,
    digest: Digest,
    data: &[u8],
) -> Result<(i64, bool), Fault> {
    if let Some(id) = connection.prepare_cached(find)?.query_row([digest.0], |row| row.get(0)).optional()? {
        return Ok((id, false));
    }
    Ok((connection.prepare_cached(insert)?.insert((digest.0, data))?, true))
}

/// Stores the new units of some files with what they are found by; gives where each file's unit is.
fn put_units(transaction: &Transaction, files: &[PutFile]) -> Result<Vec<Option<StoredUnit>>, Fault> {
    let mut stored = Vec::with_capacity(files.len());
    let mut new: Vec<(i64, &EncodedUnit)> = Vec::new();
    for file in files {
        stored.push(match &file.unit {
            PutUnit::None => None,
            PutUnit::Stored(unit) => Some(*unit),
            PutUnit::Reread { stored, reads } => {
                Some(StoredUnit { reads: put_shared(transaction, Table::Reads, reads)?, ..*stored })
            }
            PutUnit::New { unit, reads } => {
                let find = "SELECT id FROM units WHERE digest = ?1";
                let insert = "INSERT INTO units (digest, data) VALUES (?1, ?2)";
                let (id, is_new) = put_once(transaction, find, insert, unit.digest, &unit.data)?;
                if is_new {
                    new.push((id, unit));
                }
                let reads = put_shared(transaction, Table::Reads, reads)?;
                Some(StoredUnit { digest: unit.digest, size: unit.size, unit: id, reads })
            }
        });
    }
    let filed = new.iter().flat_map(|&(id, unit)| unit.keys.iter().map(move |key| (key.cast_signed(), id)));
    postings::put(transaction, filed.collect())?;
    let mut insert = transaction.prepare_cached("INSERT INTO search (rowid, words) VALUES (?1, ?2)")?;
    for (id, unit) in new {
        insert.execute((id, &unit.words))?;
    }
    Ok(stored)
}

fn put_tree(connection: &Connection, key: &TreeKey, snapshot: SnapshotId) -> Result<(), Fault> {
    let mut insert = connection
        .prepare_cached("INSERT OR REPLACE INTO trees (tree, prefix, rules, snapshot) VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute((key.tree.0.as_bytes(), &key.prefix, key.rules.0, snapshot.0.0))?;
    Ok(())
}

fn put_view(connection: &Connection, name: &str, view: &View) -> Result<(), Fault> {
    let mut before = connection.prepare_cached("SELECT snapshot FROM views WHERE name = ?1")?;
    let before: Option<[u8; 32]> = before.query_row([name], |row| row.get(0)).optional()?;
    // An update writes only the pages that differ, which most of what was seen of the files does not.
    let mut insert = connection.prepare_cached(
        "INSERT INTO views (name, snapshot, head, stat_cache) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (name) DO UPDATE SET
         snapshot = excluded.snapshot, head = excluded.head, stat_cache = excluded.stat_cache",
    )?;
    let head = view.head.as_ref().map(|commit| commit.0.as_bytes());
    insert.execute((name, view.snapshot.0.0, head, &view.stat_cache))?;
    if let Some(before) = before.filter(|before| *before != view.snapshot.0.0) {
        let mut drop = connection.prepare_cached(
            "DELETE FROM graphs WHERE snapshot = ?1
             AND NOT EXISTS (SELECT 1 FROM trees WHERE trees.snapshot = ?1)
             AND NOT EXISTS (SELECT 1 FROM views WHERE views.snapshot = ?1)",
        )?;
        let dropped = drop.execute([before])?;
        connection.prepare_cached("UPDATE upkeep SET dropped = dropped + ?1")?.execute([dropped as i64])?;
    }
    Ok(())
}
