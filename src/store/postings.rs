//! Postings: key → units, for all graphs. See `schema.sql` for their form.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, Transaction};
use rustc_hash::FxHashSet;

use super::error::Fault;

/// Files new units under their keys. The pairs (key, unit) are sorted here: inserting in the order of the table is
/// four times as fast as in any other.
pub(super) fn put(transaction: &Transaction, mut pairs: Vec<(i64, i64)>) -> Result<(), Fault> {
    pairs.sort_unstable();
    let mut insert = transaction.prepare_cached("INSERT INTO postings (key, unit, more) VALUES (?1, ?2, ?3)")?;
    let mut more = Vec::new();
    for row in pairs.chunk_by(|a, b| a.0 == b.0) {
        more.clear();
        for pair in row.windows(2) {
            let step = (pair[1].1 - pair[0].1).cast_unsigned();
            more = postcard::to_extend(&step, more).expect("a number can be written to memory");
        }
        insert.execute((row[0].0, row[0].1, &more))?;
    }
    Ok(())
}

/// The units filed under a key, of whatever graph.
pub(super) fn find(connection: &Connection, key: i64) -> Result<Vec<i64>, Fault> {
    let mut select = connection.prepare_cached("SELECT key, unit, more FROM postings WHERE key = ?1")?;
    let mut rows = select.query([key])?;
    let mut units = Vec::new();
    while let Some(row) = rows.next()? {
        read_row(row, &mut units)?;
    }
    Ok(units)
}

/// Removes all units but the reached ones.
pub(super) fn retain(transaction: &Transaction, reached: &FxHashSet<i64>) -> Result<(), Fault> {
    let mut select = transaction.prepare("SELECT key, unit, more FROM postings")?;
    let mut rows = select.query([])?;
    let mut units = Vec::new();
    let mut gone = Vec::new();
    let mut rest = Vec::new();
    while let Some(row) = rows.next()? {
        units.clear();
        read_row(row, &mut units)?;
        if units.iter().all(|unit| reached.contains(unit)) {
            continue;
        }
        let key: i64 = row.get(0)?;
        gone.push((key, row.get::<_, i64>(1)?));
        rest.extend(units.iter().filter(|unit| reached.contains(unit)).map(|&unit| (key, unit)));
    }
    let mut delete = transaction.prepare("DELETE FROM postings WHERE key = ?1 AND unit = ?2")?;
    for row in gone {
        delete.execute(row)?;
    }
    put(transaction, rest)
}

/// Adds the units of a row (key, unit, more).
fn read_row(row: &Row, units: &mut Vec<i64>) -> Result<(), Fault> {
    let mut unit: i64 = row.get(1)?;
    units.push(unit);
    let ValueRef::Blob(mut more) = row.get_ref(2)? else { return Err(Fault::Malformed) };
    while !more.is_empty() {
        let (step, rest) = postcard::take_from_bytes::<u64>(more).map_err(|_| Fault::Malformed)?;
        more = rest;
        unit = unit.checked_add_unsigned(step).ok_or(Fault::Malformed)?;
        units.push(unit);
    }
    Ok(())
}
