//! Decoded units kept in memory, within a budget.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::graph::Unit;
use crate::names::Digest;

/// How much is kept, in canonical bytes of the units; in memory a unit takes about four times as much.
const CACHED_BYTES: usize = 8 << 20;

/// A cache of units by digest, for all graphs of a process. Two generations: what was asked for since the last turn,
/// and what was before; a turn forgets the latter.
#[derive(Default)]
pub(super) struct UnitCache {
    generations: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: FxHashMap<Digest, (Arc<Unit>, usize)>,
    young_bytes: usize,
    old: FxHashMap<Digest, (Arc<Unit>, usize)>,
}

impl UnitCache {
    pub(super) fn get(&self, digest: Digest) -> Option<Arc<Unit>> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((unit, _)) = generations.young.get(&digest) {
            return Some(unit.clone());
        }
        let (unit, bytes) = generations.old.remove(&digest)?;
        generations.add(digest, unit.clone(), bytes);
        Some(unit)
    }

    /// Adds a unit of so many canonical bytes.
    pub(super) fn add(&self, digest: Digest, unit: Arc<Unit>, bytes: usize) {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner).add(digest, unit, bytes);
    }
}

impl Generations {
    fn add(&mut self, digest: Digest, unit: Arc<Unit>, bytes: usize) {
        if self.young.insert(digest, (unit, bytes)).is_some() {
            return;
        }
        self.young_bytes += bytes;
        if self.young_bytes > CACHED_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}
