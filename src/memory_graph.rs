//! A graph that is held in memory as a whole: for tests, and for when no database can be written.
//!
//! Answers exactly as a stored graph does; knows no database.

use std::sync::Arc;

use crate::graph::{Graph, GraphEntry, ModuleTable, Size, Target, Unit};
use crate::lookup::{self, Lookup};
use crate::names::{BlobId, Digest};
use crate::unit_codec;

/// All units of a snapshot, with their reverse lookups.
pub struct MemoryGraph {
    entries: Vec<GraphEntry>,
    modules: ModuleTable,
    /// Parallel to `entries`.
    units: Vec<Arc<Unit>>,
    /// (key, position of the unit), sorted.
    keys: Vec<(u64, u32)>,
}

impl MemoryGraph {
    /// Takes the units with the blobs they were made of, in any order. Paths are unique.
    pub fn new(mut units: Vec<(Arc<Unit>, BlobId)>, modules: ModuleTable) -> MemoryGraph {
        units.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
        let entry = |(unit, blob): &(Arc<Unit>, BlobId)| GraphEntry {
            path: unit.path.clone(),
            blob: *blob,
            unit: Digest::of(&unit_codec::encode(unit)),
        };
        let entries = units.iter().map(entry).collect();
        let units: Vec<Arc<Unit>> = units.into_iter().map(|(unit, _)| unit).collect();
        let filed = |(unit, at): (&Arc<Unit>, u32)| lookup::keys(unit).into_iter().map(move |key| (key, at));
        let mut keys: Vec<(u64, u32)> = units.iter().zip(0..).flat_map(filed).collect();
        keys.sort_unstable();
        MemoryGraph { entries, modules, units, keys }
    }

    fn find(&self, lookup: Lookup) -> Vec<Arc<Unit>> {
        let key = lookup.key();
        let from = self.keys.partition_point(|&(other, _)| other < key);
        let filed = self.keys[from..].iter().take_while(|&&(other, _)| other == key);
        filed.map(|&(_, at)| &self.units[at as usize]).filter(|unit| lookup.holds(unit)).cloned().collect()
    }
}

impl Graph for MemoryGraph {
    fn entries(&self) -> &[GraphEntry] {
        &self.entries
    }

    fn modules(&self) -> &ModuleTable {
        &self.modules
    }

    fn size(&self) -> Size {
        self.units.iter().map(|unit| unit.size()).sum()
    }

    fn unit(&self, path: &str) -> Option<Arc<Unit>> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        Some(self.units[at].clone())
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
        let has_all = |unit: &&Arc<Unit>| {
            let own = lookup::search_words(unit);
            words.iter().all(|word| own.iter().any(|one| one.starts_with(word.as_str())))
        };
        self.units.iter().filter(has_all).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;
    use crate::graph::EdgeKind;
    use crate::names::ObjectId;
    use crate::unit_codec::tests::unit;

    fn graph() -> MemoryGraph {
        let mut runner = TestRunner::deterministic();
        let mut make = |path| unit(path).new_tree(&mut runner).expect("units can be made").current();
        let blob = BlobId(ObjectId::from_bytes(&[7; 20]).expect("20 bytes"));
        let paths = ["b/c.py", "a/c.py", "a/d.py", "b/dd.py", "a/dc.py", "z.py"];
        let units = paths.into_iter().map(|path| (Arc::new(make(path)), blob)).collect();
        MemoryGraph::new(units, ModuleTable::default())
    }

    #[test]
    fn a_lookup_finds_exactly_the_units_that_a_scan_finds() {
        let graph = graph();
        let all: Vec<Arc<Unit>> = graph.units.clone();
        let scan = |holds: &dyn Fn(&Unit) -> bool| -> Vec<Arc<Unit>> {
            all.iter().filter(|unit| holds(unit)).cloned().collect()
        };
        let mut found = 0;
        for edge in all.iter().flat_map(|unit| &unit.edges) {
            let uses = |unit: &Unit| unit.edges.iter().any(|e| e.kind != EdgeKind::Defines && e.target == edge.target);
            let users = graph.users(&edge.target);
            found += users.len();
            assert_eq!(users, scan(&uses));
        }
        assert!(found > 0);
        for symbol in all.iter().flat_map(|unit| &unit.symbols) {
            let name = symbol.name();
            assert_eq!(graph.defining(name), scan(&|unit| unit.symbols.iter().any(|s| s.name() == name)));
        }
        for name in ["a", "b", "ab", "cc"] {
            let bare = |unit: &Unit| {
                unit.unresolved.iter().any(|one| &*one.name == name)
                    || unit.missing.iter().any(|one| &*one.name == name)
            };
            assert_eq!(graph.unresolved(name), scan(&bare));
        }
        assert!(graph.entries().is_sorted_by(|a, b| a.path < b.path));
        assert_eq!(graph.unit("z.py").map(|unit| unit.path.to_string()), Some("z.py".to_owned()));
        assert_eq!(graph.unit("nowhere.py"), None);
    }
}
