//! A refresh: a new snapshot's graph from a stored one. What a change does not reach stays as it is stored.
//!
//! All that depends on the whole repository here is a walk over two sorted lists and, when other files can see the
//! change, one over the recorded reads. To keep those inversely would make every cold run file and sort half a million
//! pairs; to pass over them costs a refresh less than the look at the disk does.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::build::{Bring, FactsByPosition, MadeUnit, Naming, Outcome, Prepared};
use super::changes::{self, Changes, Reached, ReadsByPosition, Visible};
use super::facts::{Definers, RunFacts, key};
use super::{IndexError, Info, Work, decode_info, rules};
use crate::git::View;
use crate::graph::ModuleTable;
use crate::names::{Dialect, Digest, RepoPath, SnapshotId};
use crate::resolve::{LeafKey, Reads};
use crate::snapshot::{Entry, FileKind, file_kind};
use crate::store::{
    FactsKey, GraphRecord, PackedFacts, PutFile, PutUnit, Reader, StoreError, StoredFile, StoredGraph, Writer,
    open_facts,
};

/// Most stored graphs that are compared to find the nearest.
const MAX_BASES: usize = 8;
/// A graph that differs in no more files than this is near enough: to look at another one would cost more.
const NEAR_FILES: usize = 8;

/// The facts that a base has of files that differ.
pub(super) type PackedBefore = BTreeMap<RepoPath, PackedFacts>;

/// The stored graph that a refresh starts from.
pub(super) struct Base {
    record: GraphRecord,
    info: Info,
    /// See [`Naming::configurations`].
    configurations: Vec<(String, u64)>,
    /// The paths that differ, with the file's position now.
    differing: BTreeMap<RepoPath, Option<usize>>,
    /// Of each file that is there now, its position in the base.
    positions: Vec<Option<usize>>,
}

impl Base {
    /// `None` for a graph that other rules made: another program would resolve the same files otherwise.
    fn new(record: GraphRecord, entries: &[Entry]) -> Option<Base> {
        let info = decode_info(&record.info).filter(|info| info.rules == Digest::of(&rules()))?;
        let configurations = postcard::from_bytes(&record.layout).ok()?;
        let (differing, positions) = differing(&record.files, entries);
        Some(Base { record, info, configurations, differing, positions })
    }

    /// The positions of the files that are there and differ.
    pub fn changed(&self) -> impl Iterator<Item = usize> {
        self.differing.values().flatten().copied()
    }

    /// The position of a file that is there and differs.
    pub fn position(&self, path: &RepoPath) -> Option<usize> {
        self.differing.get(path).copied().flatten()
    }

    fn file(&self, path: &RepoPath) -> Option<&StoredFile> {
        let at = self.record.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        Some(&self.record.files[at])
    }

    /// What the base has of a file that is there now.
    pub fn before(&self, at: usize) -> Option<&StoredFile> {
        self.positions[at].map(|at| &self.record.files[at])
    }

    /// What modules are called and where imports lead, when no path came or went and no configuration changed.
    pub fn naming(&self, entries: &[Entry]) -> Option<Naming> {
        let keeps = |(path, position): (&RepoPath, &Option<usize>)| {
            position.is_some_and(|at| entries[at].dialect != Dialect::Configuration) && self.file(path).is_some()
        };
        if !self.differing.iter().all(keeps) {
            return None;
        }
        Some(Naming { modules: self.record.modules(), configurations: self.configurations.clone() })
    }

    /// What some files rest on; what cannot be read is left out, and then resolved again.
    fn reads(
        &self,
        graph: &StoredGraph,
        positions: impl Iterator<Item = usize>,
    ) -> Result<ReadsByPosition, StoreError> {
        let mut reads = ReadsByPosition::new();
        graph.reads(&self.record, positions, |at, bytes| {
            reads.extend(Reads::from_bytes(bytes).map(|one| (at, one)));
        })?;
        Ok(reads)
    }
}

/// The paths that differ between a stored list of files and the entries of a snapshot, with their positions there; and
/// of each entry its position in the list.
fn differing(old: &[StoredFile], new: &[Entry]) -> (BTreeMap<RepoPath, Option<usize>>, Vec<Option<usize>>) {
    let mut differing = BTreeMap::new();
    let mut positions = Vec::with_capacity(new.len());
    let (mut before, mut after) = (0, 0);
    while before < old.len() || after < new.len() {
        let order = match (old.get(before), new.get(after)) {
            (Some(a), Some(b)) => a.path.cmp(&b.path),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        if order == Ordering::Less {
            differing.insert(old[before].path.clone(), None);
        } else if order == Ordering::Greater || new[after].blob != Some(old[before].blob) {
            differing.insert(new[after].path.clone(), Some(after));
        }
        if order != Ordering::Less {
            positions.push((order == Ordering::Equal).then_some(before));
            after += 1;
        }
        before += usize::from(order != Ordering::Greater);
    }
    (differing, positions)
}

impl Bring<'_> {
    /// The stored graph that differs least from this snapshot.
    pub(super) fn base(&self, writer: &Writer) -> Result<Option<Base>, StoreError> {
        let repository = &self.session.repository;
        let views = [View::Disk, View::Staged];
        let names = self.view.iter().map(|(name, _)| name.clone()).chain(views.map(|view| repository.view(view)));
        let mut candidates: Vec<SnapshotId> = Vec::new();
        for name in names {
            candidates.extend(writer.view(&name)?.map(|view| view.snapshot));
        }
        candidates.extend(writer.newest()?);
        candidates.extend(self.session.roots(writer));
        let mut seen = FxHashSet::default();
        candidates.retain(|&candidate| seen.insert(candidate));
        let mut best: Option<Base> = None;
        for candidate in candidates.into_iter().take(MAX_BASES) {
            let Some(base) = writer.graph(candidate)?.and_then(|record| Base::new(record, self.entries())) else {
                continue;
            };
            if best.as_ref().is_none_or(|best| base.differing.len() < best.differing.len()) {
                let is_near = base.differing.len() <= NEAR_FILES;
                best = Some(base);
                if is_near {
                    break;
                }
            }
        }
        // A graph that has little in common is no base: finding out what changed would cost more than it saves.
        let most = self.entries().len().max(8) * 3 / 4;
        Ok(best.filter(|base| base.differing.len() < most))
    }

    /// The facts that the base has of the files that differ.
    pub(super) fn before(&self, writer: &Writer, base: &Base) -> Result<PackedBefore, StoreError> {
        let key = |(path, position): (&RepoPath, &Option<usize>)| {
            Some((path.clone(), self.key_before(*position, base.file(path)?)?))
        };
        let (paths, keys): (Vec<RepoPath>, Vec<FactsKey>) = base.differing.iter().filter_map(key).unzip();
        let packed = paths.into_iter().zip(writer.facts(&keys)?);
        Ok(packed.filter_map(|(path, packed)| Some((path, packed?))).collect())
    }

    /// The graph of this snapshot, from that of another.
    pub(super) fn refresh(&self, writer: &mut Writer, reader: &Reader, base: &Base) -> Result<Outcome, IndexError> {
        let base_graph = reader.session()?.into_graph(&base.record, ModuleTable::default());
        let definers = Definers::Graph { graph: &base_graph, differing: &base.differing };
        let facts = RunFacts::new(self.session, self.capture, Some(reader.session()?), definers);
        let all = || base.reads(&base_graph, 0..base.record.files.len());
        let compare = |facts_made: &FactsByPosition, before: PackedBefore| {
            let changes = self.changes(base, facts_made, before);
            let reads = (!changes.leaves.is_empty()).then(all).transpose()?;
            Ok((changes, reads))
        };
        let (prepared, facts_made, (mut changed, old_reads)) = self.prepare(writer, Some(base), &facts, compare)?;
        let Prepared { project, naming, failed } = prepared;
        changed.configurations(&base.configurations, &naming.configurations);
        let seen = !changed.leaves.is_empty();
        let mut old_reads = match old_reads {
            None if seen => all()?,
            reads => reads.unwrap_or_default(),
        };
        let reached = changes::reached(&old_reads, &changed.leaves);

        let needs_unit = |&at: &usize| {
            let entry = &self.entries()[at];
            let before = base.before(at).filter(|before| before.unit.is_some() && Some(before.blob) == entry.blob);
            let is_reached = |position: usize| match old_reads.get(&position) {
                Some(reads) => reached.contains_any(&reads.unit),
                None => seen,
            };
            key(entry).is_some() && (before.is_none() || base.positions[at].is_some_and(is_reached))
        };
        let positions: Vec<usize> = (0..self.entries().len()).filter(needs_unit).collect();
        let resolved = self.resolve(&project, &positions, Some(base), false);
        if !seen {
            let made = resolved.units.keys().chain(resolved.reads.keys());
            let noted: BTreeSet<usize> = made.filter_map(|&at| base.positions[at]).collect();
            old_reads = base.reads(&base_graph, noted.into_iter())?;
        }

        // A text without facts has none again. What failed later has no unit and was tried once more.
        let has_unit = |path: &RepoPath| base.file(path).is_some_and(|file| file.unit.is_some());
        let kept =
            base.info.failed.iter().filter(|path| !base.differing.contains_key(*path) && has_unit(path)).cloned();
        let unresolved: BTreeSet<RepoPath> = resolved.failed.iter().cloned().collect();
        let same = resolved.units.values().filter(|unit| matches!(unit, MadeUnit::Same)).count();
        let mut work = Work { parsed: facts_made.len(), resolved: resolved.units.len(), reused: 0 };
        let files = self.put_files(&naming, resolved, |at, unit, new| {
            let old = base.positions[at].and_then(|at| old_reads.get(&at));
            let all_reads = || changes::merged(old, new, true, &reached).to_bytes();
            match (unit, base.before(at).and_then(|file| file.unit)) {
                (Some(MadeUnit::New(unit)), _) => PutUnit::New { unit, reads: all_reads() },
                (Some(MadeUnit::Same), Some(stored)) => PutUnit::Reread { stored, reads: all_reads() },
                // What was found of it before may not hold any more.
                (None, Some(_)) if unresolved.contains(&self.entries()[at].path) => PutUnit::None,
                (None, Some(stored)) => match reread(old, new, &reached) {
                    Some(reads) => PutUnit::Reread { stored, reads: reads.to_bytes() },
                    None => PutUnit::Stored(stored),
                },
                (_, None) => PutUnit::None,
            }
        });
        let is_reused = |file: &&PutFile| matches!(file.unit, PutUnit::Stored(_) | PutUnit::Reread { .. });
        work.reused = files.iter().filter(is_reused).count() - same;
        let failed: BTreeSet<RepoPath> = failed.into_iter().chain(kept).chain(unresolved).collect();
        let loaded = project.into_files();
        let (prelude, facts) = facts.finish()?;
        base_graph.check()?;
        let failed = failed.into_iter().collect();
        Ok(Outcome { files, naming, prelude, work, failed, rest: Box::new((loaded, facts, old_reads)) })
    }

    /// The key under which the facts of a file of the base are stored.
    fn key_before(&self, position: Option<usize>, old: &StoredFile) -> Option<FactsKey> {
        let dialect = position.map(|at| self.entries()[at].dialect).or_else(|| dialect_of(&old.path))?;
        key(&Entry { path: old.path.clone(), blob: Some(old.blob), dialect })
    }

    /// The leaves that differ from the base, but for those of configurations.
    fn changes(&self, base: &Base, facts_made: &FactsByPosition, mut before: PackedBefore) -> Changes {
        let differing: Vec<_> =
            base.differing.iter().map(|(path, &position)| (path, position, before.remove(path))).collect();
        let part = |(path, position, packed): (&RepoPath, Option<usize>, Option<PackedFacts>)| {
            let old = base.file(path);
            let was_source = old.is_some_and(|old| self.key_before(position, old).is_some());
            let before = match was_source {
                true => packed.and_then(open_facts).map(|facts| Visible::of(&facts)),
                false => old.map(|_| Visible::default()),
            };
            let after = position.map(|at| facts_made.get(&at).map(|facts| Visible::of(facts)).unwrap_or_default());
            let mut changes = Changes::default();
            // The facts of before are gone: everything that they could have shown may have changed.
            if old.is_some_and(|file| file.unit.is_some()) && before.is_none() {
                changes.leaves.insert(LeafKey::surface(path.as_str()));
            }
            changes.file(path, before.as_ref(), after.as_ref());
            changes
        };
        let parts: Vec<Changes> = differing.into_par_iter().map(part).collect();
        let mut changes = Changes::default();
        parts.into_iter().for_each(|part| changes.leaves.extend(part.leaves));
        if base.differing.iter().any(|(path, position)| position.is_none() || base.file(path).is_none()) {
            changes.directories(
                base.record.files.iter().map(|file| &file.path),
                self.entries().iter().map(|entry| &entry.path),
            );
        }
        changes
    }
}

/// What a kept unit rests on now, if that is not what it rested on.
fn reread(old: Option<&Reads>, new: &[Reads], reached: &Reached) -> Option<Reads> {
    let old = old?;
    if new.iter().all(|new| old.has_groups_of(new)) && !old.groups().any(|(group, _)| reached.contains(group)) {
        return None;
    }
    Some(changes::merged(Some(old), new, false, reached)).filter(|reads| reads != old)
}

fn dialect_of(path: &RepoPath) -> Option<Dialect> {
    match file_kind(path.file_name().as_bytes()) {
        FileKind::Read(dialect) => Some(dialect),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_that_other_rules_made_is_no_base() {
        let record = |rules: &[u8]| {
            let info =
                Info { skipped: Vec::new(), conflicts: Vec::new(), failed: Vec::new(), rules: Digest::of(rules) };
            GraphRecord {
                snapshot: SnapshotId(Digest::of(b"")),
                digest: Digest::of(b""),
                files: Vec::new(),
                layout: postcard::to_stdvec(&Vec::<(String, u64)>::new()).expect("plain data"),
                info: postcard::to_stdvec(&info).expect("plain data"),
            }
        };
        assert!(Base::new(record(&rules()), &[]).is_some());
        assert!(Base::new(record(b"of another program"), &[]).is_none());
    }
}
