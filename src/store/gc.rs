//! Clearing away what no kept graph reaches.

use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Transaction};
use rustc_hash::FxHashSet;

use super::database::{BUSY_TIMEOUT, blob_of, decode_ids};
use super::error::{Fault, StoreError};
use super::writer::Writer;
use super::{postings, runs};
use crate::names::{BlobId, SnapshotId};

/// After so many dropped graphs, what only they reached is worth clearing away.
const DROPPED_GRAPHS: i64 = 200;

/// The file is rewritten when at least this share of it (one in so many pages) is free.
const FREE_SHARE: i64 = 4;

/// What a collection did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Collected {
    /// Graphs that are kept.
    pub graphs: usize,
    pub dropped_graphs: usize,
    pub dropped_units: usize,
    pub dropped_facts: usize,
    /// Size of the database before and after, in bytes.
    pub bytes_before: u64,
    pub bytes_after: u64,
}

impl Writer {
    /// Whether indexing should collect garbage now: many graphs were dropped, or more than twice as many are stored
    /// as `others` beside those of views.
    pub fn wants_gc(&self, others: usize) -> Result<bool, StoreError> {
        self.run(|connection| {
            let sql =
                "SELECT (SELECT dropped FROM upkeep), (SELECT count(*) FROM graphs), (SELECT count(*) FROM views)";
            let (dropped, graphs, views): (i64, i64, i64) =
                connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            Ok(dropped >= DROPPED_GRAPHS || graphs > 2 * others as i64 + views)
        })
    }

    /// Keeps the graphs of all views, those named, and so many others, most recently used first; drops the rest and
    /// every fact, unit and run that no kept graph reaches. The file shrinks when enough of it became free.
    ///
    /// What [`Database::graph`](super::Database::graph) gave before must not be put again afterwards.
    pub fn gc(&mut self, keep: &[SnapshotId], others: usize) -> Result<Collected, StoreError> {
        let bytes_before = self.bytes()?;
        let mut collected = self.write(|transaction| collect(transaction, keep, others))?;
        self.shrink()?;
        collected.bytes_before = bytes_before;
        collected.bytes_after = self.bytes()?;
        Ok(collected)
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        self.run(|connection| {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            Ok((pages * size).cast_unsigned())
        })
    }

    /// Gives free pages back, as far as nobody is using the file: it does not wait, a later collection does the rest.
    fn shrink(&self) -> Result<(), StoreError> {
        self.run(|connection| {
            connection.busy_timeout(Duration::ZERO)?;
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let free: i64 = connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
            let vacuumed = if free * FREE_SHARE >= pages { connection.execute_batch("VACUUM") } else { Ok(()) };
            // Only a checkpoint makes the file itself smaller.
            let emptied = connection.pragma_update_and_check(None, "wal_checkpoint", "TRUNCATE", |_| Ok(()));
            connection.busy_timeout(BUSY_TIMEOUT)?;
            match vacuumed.and(emptied) {
                Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
                done => Ok(done?),
            }
        })
    }
}

/// Empties all tables but for facts that are newer than the given row.
pub(super) fn clear(transaction: &Transaction, facts: i64) -> Result<(), Fault> {
    transaction.execute_batch(
        "DELETE FROM graphs; DELETE FROM trees; DELETE FROM views; DELETE FROM runs; DELETE FROM reads;
         DELETE FROM units; DELETE FROM postings; INSERT INTO search (search) VALUES ('delete-all');
         UPDATE upkeep SET dropped = 0;",
    )?;
    transaction.execute("DELETE FROM facts WHERE id <= ?1", [facts])?;
    Ok(())
}

/// What the kept graphs reach.
#[derive(Default)]
struct Reached {
    runs: FxHashSet<i64>,
    units: FxHashSet<i64>,
    reads: FxHashSet<i64>,
    blobs: FxHashSet<BlobId>,
}

fn collect(transaction: &Transaction, keep: &[SnapshotId], others: usize) -> Result<Collected, Fault> {
    let dropped_graphs = drop_graphs(transaction, keep, others)?;
    let (graphs, reached) = reach(transaction)?;
    drop_unreached(transaction, "SELECT id FROM runs", "DELETE FROM runs WHERE id = ?1", &reached.runs)?;
    drop_unreached(transaction, "SELECT id FROM reads", "DELETE FROM reads WHERE id = ?1", &reached.reads)?;
    drop_unreached(transaction, "SELECT rowid FROM search", "DELETE FROM search WHERE rowid = ?1", &reached.units)?;
    let dropped_units =
        drop_unreached(transaction, "SELECT id FROM units", "DELETE FROM units WHERE id = ?1", &reached.units)?;
    if dropped_units > 0 {
        postings::retain(transaction, &reached.units)?;
    }
    let dropped_facts = drop_facts(transaction, &reached.blobs)?;
    transaction.execute("UPDATE upkeep SET dropped = 0", [])?;
    Ok(Collected { graphs, dropped_graphs, dropped_units, dropped_facts, ..Collected::default() })
}

fn drop_graphs(transaction: &Transaction, keep: &[SnapshotId], others: usize) -> Result<usize, Fault> {
    let mut statement = transaction.prepare(
        "SELECT id, snapshot, snapshot IN (SELECT snapshot FROM views) FROM graphs ORDER BY used DESC, id DESC",
    )?;
    let mut rows = statement.query([])?;
    let mut room = others;
    let mut dropped = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let snapshot: [u8; 32] = row.get(1)?;
        let is_viewed: bool = row.get(2)?;
        if is_viewed || keep.iter().any(|kept| kept.0.0 == snapshot) {
            continue;
        }
        match room.checked_sub(1) {
            Some(less) => room = less,
            None => dropped.push(id),
        }
    }
    for id in &dropped {
        transaction.prepare_cached("DELETE FROM graphs WHERE id = ?1")?.execute([id])?;
    }
    transaction.execute("DELETE FROM trees WHERE snapshot NOT IN (SELECT snapshot FROM graphs)", [])?;
    Ok(dropped.len())
}

fn reach(connection: &Connection) -> Result<(usize, Reached), Fault> {
    let mut reached = Reached::default();
    let mut graphs = 0;
    let mut statement = connection.prepare("SELECT runs, layout FROM graphs")?;
    let mut rows = statement.query([])?;
    let mut run = connection.prepare_cached("SELECT data FROM runs WHERE id = ?1")?;
    while let Some(row) = rows.next()? {
        graphs += 1;
        reached.runs.insert(row.get(1)?);
        for id in decode_ids(row.get_ref(0)?.as_blob().map_err(|_| Fault::Malformed)?)? {
            if !reached.runs.insert(id) {
                continue;
            }
            let mut files = Vec::new();
            blob_of(&mut run, id, |bytes| runs::decode_into(bytes, &mut files))?.ok_or(Fault::Malformed)?;
            for file in files {
                reached.blobs.insert(file.blob);
                if let Some(unit) = file.unit {
                    reached.units.insert(unit.unit);
                    reached.reads.insert(unit.reads);
                }
            }
        }
    }
    Ok((graphs, reached))
}

/// Deletes the rows that are not among the reached; gives their number.
fn drop_unreached(
    transaction: &Transaction,
    select: &str,
    delete: &str,
    reached: &FxHashSet<i64>,
) -> Result<usize, Fault> {
    let mut statement = transaction.prepare(select)?;
    let ids = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut delete = transaction.prepare(delete)?;
    let mut dropped = 0;
    for id in ids.into_iter().filter(|id| !reached.contains(id)) {
        dropped += delete.execute([id])?;
    }
    Ok(dropped)
}

fn drop_facts(transaction: &Transaction, reached: &FxHashSet<BlobId>) -> Result<usize, Fault> {
    let reached: FxHashSet<&[u8]> = reached.iter().map(|blob| blob.0.as_bytes()).collect();
    let mut statement = transaction.prepare("SELECT id, blob, model FROM facts")?;
    let mut rows = statement.query([])?;
    let mut unreached: Vec<i64> = Vec::new();
    let mut models: FxHashSet<i64> = FxHashSet::default();
    while let Some(row) = rows.next()? {
        let blob = row.get_ref(1)?.as_blob().map_err(|_| Fault::Malformed)?;
        if reached.contains(blob) {
            models.extend(row.get::<_, Option<i64>>(2)?);
        } else {
            unreached.push(row.get(0)?);
        }
    }
    unreached.retain(|id| !models.contains(id));
    let mut delete = transaction.prepare("DELETE FROM facts WHERE id = ?1")?;
    for id in &unreached {
        delete.execute([id])?;
    }
    Ok(unreached.len())
}
