//! One run: from a capture to a stored graph, doing again only what changed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::changes::{self, Changes, ReadsByPath, Visible};
use super::facts::{BATCH_FILES, Definers, RunFacts, key, make};
use super::{IndexError, Info, Loaded, LoadedGraph, OTHER_GRAPHS, Session, Work, encode_modules};
use crate::git::Capture;
use crate::graph::{GraphEntry, ModuleTable, Unit, graph_digest};
use crate::languages::{self, Layout};
use crate::memory_graph::MemoryGraph;
use crate::names::{Dialect, Digest, RepoPath, SnapshotId};
use crate::resolve::{Engine, FileId, LeafKey, Project, Reads};
use crate::snapshot::{Entry, Skip};
use crate::store::{
    self, EncodedUnit, FactsKey, GraphRecord, Place, PutFile, PutGraph, PutUnit, Reader, StoreError, TreeKey, Writer,
    decode_facts, encode_unit,
};

/// Units that a thread takes at a time. Neighbours share most of what they look at.
const BLOCK_UNITS: usize = 32;

/// One capture to be brought up to date.
pub(super) struct Bring<'a> {
    pub session: &'a Session,
    pub capture: &'a Capture,
    /// Read and resolve everything again.
    pub full: bool,
    pub tree: Option<TreeKey>,
    pub view: Option<(String, store::View)>,
}

/// A graph that was built without a store.
pub(super) struct Built {
    pub snapshot: SnapshotId,
    digest: Digest,
    units: Vec<(Arc<Unit>, crate::names::BlobId)>,
    modules: Vec<(RepoPath, crate::names::ModuleName)>,
    info: Info,
    work: Work,
}

impl Built {
    pub fn loaded(&self) -> Loaded {
        let modules = ModuleTable::new(self.modules.clone());
        let graph = LoadedGraph::Memory(MemoryGraph::new(self.units.clone(), modules));
        let mut loaded = Loaded::new(graph, self.snapshot, self.digest, self.info.clone());
        loaded.work = self.work;
        loaded
    }
}

/// What one run of resolution made.
#[derive(Default)]
struct Resolved {
    /// By position in the entries.
    units: BTreeMap<usize, EncodedUnit>,
    /// The units themselves, when they are kept.
    kept: BTreeMap<usize, Unit>,
    reads: ReadsByPath,
    exhausted: u32,
    /// Files that made the program fail.
    failed: Vec<RepoPath>,
}

impl Resolved {
    /// Adds what an engine has read.
    fn note(&mut self, reads: ReadsByPath, exhausted: u32) {
        self.exhausted += exhausted;
        for (path, reads) in reads {
            self.reads.entry(path).or_default().absorb(reads);
        }
    }
}

impl Bring<'_> {
    fn entries(&self) -> &[Entry] {
        &self.capture.snapshot.entries
    }

    fn snapshot(&self) -> SnapshotId {
        self.capture.snapshot.id
    }

    /// Brings a database up to date and gives the graph as stored in it.
    pub fn through(&self, place: &Place) -> Result<Loaded, IndexError> {
        let held = self.lock(place)?;
        let writer = Writer::open(place, &held)?;
        self.with(place, writer)
    }

    /// The same after emptying a database that is damaged.
    pub fn through_emptied(&self, place: &Place) -> Result<Loaded, IndexError> {
        let held = self.lock(place)?;
        let writer = Writer::open_emptied(place, &held)?;
        self.with(place, writer)
    }

    fn lock(&self, place: &Place) -> Result<store::Lock, StoreError> {
        let waiting = &self.session.progress.waiting;
        let held = place.lock(|| waiting.store(1, Ordering::Relaxed));
        waiting.store(0, Ordering::Relaxed);
        held
    }

    fn with(&self, place: &Place, mut writer: Writer) -> Result<Loaded, IndexError> {
        for note in writer.notes() {
            self.session.note(note.to_string());
        }
        if self.full {
            writer.forget()?;
        }
        // A partial clone: what is built from gaps is not stored.
        if !self.capture.missing.is_empty() {
            return Ok(self.build_alone()?.loaded());
        }
        let built = if writer.has_graph(self.snapshot())? {
            self.note_known(&mut writer)?;
            None
        } else {
            let work = self.build(place, &mut writer)?;
            if writer.wants_gc(OTHER_GRAPHS)? {
                let mut keep = self.session.roots(&writer);
                keep.push(self.snapshot());
                writer.gc(&keep, OTHER_GRAPHS)?;
            }
            Some(work)
        };
        drop(writer);
        let reading = self.session.reading()?;
        let loaded = reading.map(|session| self.session.stored(session, self.snapshot())).transpose()?.flatten();
        let Some(mut loaded) = loaded else {
            return Err(IndexError::NotStored { what: "the snapshot that was just indexed".to_owned() });
        };
        loaded.work = built.unwrap_or(loaded.work);
        Ok(loaded)
    }

    /// The graph is stored already: only what leads to it is new.
    fn note_known(&self, writer: &mut Writer) -> Result<(), StoreError> {
        if let Some(tree) = &self.tree {
            writer.put_tree(tree, self.snapshot())?;
        }
        if let Some((name, view)) = &self.view {
            writer.put_view(name, view)?;
        }
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- building

    fn build(&self, place: &Place, writer: &mut Writer) -> Result<Work, IndexError> {
        let base = self.base(writer)?;
        let (facts_made, mut failed) = self.make_facts(writer, base.as_ref())?;
        let layout = self.layout()?;
        let configurations = configurations(&layout);
        let reader = Reader::open(place)?;
        let run = match &base {
            Some(base) => self.resolve_changed(writer, &reader, base, &facts_made, &layout, &configurations)?,
            None => self.resolve_all(&reader, facts_made, &layout)?,
        };
        let Outcome { files, modules, work, exhausted, failed: unresolved } = run;
        failed.extend(unresolved);
        let info = self.info(failed, configurations, exhausted);
        let entries: Vec<GraphEntry> = files
            .iter()
            .filter_map(|file| {
                let unit = match &file.unit {
                    PutUnit::None => return None,
                    PutUnit::Stored(stored) | PutUnit::Reread { stored, .. } => stored.digest,
                    PutUnit::New { unit, .. } => unit.digest,
                };
                Some(GraphEntry { path: file.path.clone(), blob: file.blob, unit })
            })
            .collect();
        let digest = graph_digest(&entries, &modules);
        writer.put_graph(&PutGraph {
            snapshot: self.snapshot(),
            digest,
            files,
            layout: &encode_modules(&modules),
            info: &postcard::to_stdvec(&info).expect("plain data"),
            trees: self.tree.as_slice(),
            view: self.view.as_ref().map(|(name, view)| (name.as_str(), view)),
        })?;
        Ok(work)
    }

    /// Builds the whole graph in memory.
    pub fn build_alone(&self) -> Result<Built, IndexError> {
        let session = self.session;
        let positions: Vec<usize> =
            (0..self.entries().len()).filter(|&at| key(&self.entries()[at]).is_some()).collect();
        session.progress.begin(positions.len() * 2);
        let made = make(&session.repository, self.capture, &positions, &session.progress, None)?;
        let facts = RunFacts::new(self.entries(), None, Definers::Facts);
        for (at, one) in made.facts {
            facts.set(at, one);
        }
        let layout = self.layout()?;
        let project = Project::new(layout.clone(), languages::all(), &facts);
        let resolved = self.resolve(&project, &positions, true);
        let failed = made.failed.into_iter().chain(resolved.failed).collect();
        let info = self.info(failed, configurations(&layout), resolved.exhausted);
        let blob = |at: usize| self.entries()[at].blob;
        let work = Work { parsed: positions.len(), resolved: resolved.units.len(), reused: 0 };
        let entries: Vec<GraphEntry> = resolved
            .units
            .iter()
            .filter_map(|(&at, unit)| {
                Some(GraphEntry { path: self.entries()[at].path.clone(), blob: blob(at)?, unit: unit.digest })
            })
            .collect();
        Ok(Built {
            snapshot: self.snapshot(),
            digest: graph_digest(&entries, &project.modules),
            units: resolved.kept.into_iter().filter_map(|(at, unit)| Some((Arc::new(unit), blob(at)?))).collect(),
            modules: project.modules.entries().to_vec(),
            info,
            work,
        })
    }

    fn info(&self, failed: Vec<RepoPath>, configurations: Vec<(String, u64)>, exhausted: u32) -> Info {
        let snapshot = &self.capture.snapshot;
        let code = |reason: Skip| Skip::ALL.iter().position(|&other| other == reason).unwrap_or_default() as u8;
        Info {
            skipped: snapshot.skipped.iter().map(|one| (one.path.clone(), code(one.reason))).collect(),
            conflicts: snapshot.conflicts.clone(),
            failed,
            configurations,
            exhausted,
        }
    }

    /// The stored graph that differs least from this snapshot.
    fn base(&self, writer: &Writer) -> Result<Option<GraphRecord>, StoreError> {
        let repository = &self.session.repository;
        let views = [crate::git::View::Disk, crate::git::View::Staged];
        let names = self.view.iter().map(|(name, _)| name.clone()).chain(views.map(|view| repository.view(view)));
        let mut candidates: Vec<SnapshotId> = Vec::new();
        for name in names {
            candidates.extend(writer.view(&name)?.map(|view| view.snapshot));
        }
        candidates.extend(self.session.roots(writer));
        candidates.extend(writer.newest()?);
        let mut seen = FxHashSet::default();
        candidates.retain(|&candidate| seen.insert(candidate));
        let mut best: Option<(usize, GraphRecord)> = None;
        for candidate in candidates.into_iter().take(MAX_BASES) {
            let Some(record) = writer.graph(candidate)? else { continue };
            let distance = self.differing(&record).len();
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, record));
            }
        }
        // A graph that has little in common is no base: finding out what changed would cost more than it saves.
        let enough = |distance: usize| distance * 4 < self.entries().len().max(8) * 3;
        Ok(best.filter(|(distance, _)| enough(*distance)).map(|(_, record)| record))
    }

    /// The paths that differ from a stored graph, with the file's position now.
    fn differing(&self, base: &GraphRecord) -> BTreeMap<RepoPath, Option<usize>> {
        let mut differing = BTreeMap::new();
        let entries = self.entries();
        let (mut old, mut new) = (0, 0);
        while old < base.files.len() || new < entries.len() {
            let order = match (base.files.get(old), entries.get(new)) {
                (Some(a), Some(b)) => a.path.cmp(&b.path),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            match order {
                std::cmp::Ordering::Less => {
                    differing.insert(base.files[old].path.clone(), None);
                    old += 1;
                }
                std::cmp::Ordering::Greater => {
                    differing.insert(entries[new].path.clone(), Some(new));
                    new += 1;
                }
                std::cmp::Ordering::Equal => {
                    if entries[new].blob != Some(base.files[old].blob) {
                        differing.insert(entries[new].path.clone(), Some(new));
                    }
                    old += 1;
                    new += 1;
                }
            }
        }
        differing
    }

    /// Makes the facts that are missing and stores them, a batch at a time. Without a base all facts are brought in.
    fn make_facts(
        &self,
        writer: &mut Writer,
        base: Option<&GraphRecord>,
    ) -> Result<(BTreeMap<usize, Arc<crate::facts::Facts>>, Vec<RepoPath>), IndexError> {
        let wanted: Vec<usize> = match base {
            Some(base) => self.differing(base).into_values().flatten().collect(),
            None => (0..self.entries().len()).collect(),
        };
        let wanted: Vec<(usize, FactsKey)> =
            wanted.into_iter().filter_map(|at| Some((at, key(&self.entries()[at])?))).collect();
        let keys: Vec<FactsKey> = wanted.iter().map(|(_, key)| *key).collect();
        let known = writer.has_facts(&keys)?;
        let mut facts = BTreeMap::new();
        let mut missing: Vec<usize> = Vec::new();
        let mut stored: Vec<(usize, FactsKey)> = Vec::new();
        for (&(at, key), known) in wanted.iter().zip(known) {
            if known { stored.push((at, key)) } else { missing.push(at) }
        }
        for batch in stored.chunks(BATCH_FILES) {
            let keys: Vec<FactsKey> = batch.iter().map(|(_, key)| *key).collect();
            let bytes = writer.facts(&keys)?;
            let decoded: Vec<_> = bytes.into_par_iter().map(|bytes| bytes.and_then(|b| decode_facts(&b))).collect();
            for (&(at, _), decoded) in batch.iter().zip(decoded) {
                match decoded {
                    Some(one) => {
                        facts.insert(at, Arc::new(one));
                    }
                    None => missing.push(at),
                }
            }
        }
        let progress = &self.session.progress;
        progress.begin(missing.len() + wanted.len());
        let made = make(&self.session.repository, self.capture, &missing, progress, Some(writer))?;
        facts.extend(made.facts);
        Ok((facts, made.failed))
    }

    /// The paths, with the texts of the configuration files.
    fn layout(&self) -> Result<Arc<Layout>, IndexError> {
        let mut reader = self.session.repository.reader(self.capture);
        let mut layout = Layout::default();
        for entry in self.entries() {
            layout.files.push((entry.path.clone(), entry.dialect));
            if entry.dialect == Dialect::Configuration && entry.blob.is_some() {
                let text = reader.read(entry)?;
                layout.configurations.insert(entry.path.clone(), String::from_utf8_lossy(&text).into_owned());
            }
        }
        Ok(Arc::new(layout))
    }

    fn resolve_all(
        &self,
        reader: &Reader,
        facts_made: BTreeMap<usize, Arc<crate::facts::Facts>>,
        layout: &Arc<Layout>,
    ) -> Result<Outcome, IndexError> {
        let parsed = facts_made.len();
        let facts = RunFacts::new(self.entries(), Some(reader.session()?), Definers::Facts);
        let positions: Vec<usize> = facts_made.keys().copied().collect();
        for (at, one) in facts_made {
            facts.set(at, one);
        }
        let project = Project::new(layout.clone(), languages::all(), &facts);
        let mut resolved = self.resolve(&project, &positions, false);
        let work = Work { parsed, resolved: resolved.units.len(), reused: 0 };
        let mut files = Vec::with_capacity(self.entries().len());
        for (at, entry) in self.entries().iter().enumerate() {
            let Some(blob) = entry.blob else { continue };
            let unit = match resolved.units.remove(&at) {
                Some(unit) => {
                    let reads = resolved.reads.remove(&entry.path).unwrap_or_default();
                    PutUnit::New { unit, reads: encode_reads(&reads) }
                }
                None => PutUnit::None,
            };
            files.push(PutFile { path: entry.path.clone(), blob, unit });
        }
        let (modules, exhausted, failed) = (project.modules, resolved.exhausted, resolved.failed);
        facts.check()?;
        Ok(Outcome { files, modules, work, exhausted, failed })
    }

    fn resolve_changed(
        &self,
        writer: &Writer,
        reader: &Reader,
        base: &GraphRecord,
        facts_made: &BTreeMap<usize, Arc<crate::facts::Facts>>,
        layout: &Arc<Layout>,
        configurations: &[(String, u64)],
    ) -> Result<Outcome, IndexError> {
        let differing = self.differing(base);
        let changed = self.changes(writer, base, &differing, facts_made, configurations)?;
        let mut old_reads = ReadsByPath::new();
        writer.reads(base, |at, bytes| {
            if let Some(reads) = decode_reads(bytes) {
                old_reads.insert(base.files[at].path.clone(), reads);
            }
        })?;
        let reached = changes::reached(&old_reads, &changed.leaves);
        let stored: BTreeMap<&RepoPath, store::StoredUnit> =
            base.files.iter().filter_map(|file| Some((&file.path, file.unit?))).collect();
        let invalid = |path: &RepoPath| match old_reads.get(path) {
            Some(reads) => reads.unit.iter().any(|leaf| reached.contains(leaf)),
            None => true,
        };
        let positions: Vec<usize> = (0..self.entries().len())
            .filter(|&at| {
                let entry = &self.entries()[at];
                key(entry).is_some()
                    && (differing.contains_key(&entry.path)
                        || !stored.contains_key(&entry.path)
                        || invalid(&entry.path))
            })
            .collect();
        let base_graph = reader.session()?.into_graph(base, ModuleTable::default());
        let definers = Definers::Graph { graph: &base_graph, differing: &differing };
        let facts = RunFacts::new(self.entries(), Some(reader.session()?), definers);
        for (&at, one) in facts_made {
            facts.set(at, one.clone());
        }
        let project = Project::new(layout.clone(), languages::all(), &facts);
        let mut resolved = self.resolve(&project, &positions, false);
        let mut work = Work { parsed: facts_made.len(), resolved: resolved.units.len(), reused: 0 };
        let mut files = Vec::with_capacity(self.entries().len());
        for (at, entry) in self.entries().iter().enumerate() {
            let Some(blob) = entry.blob else { continue };
            let new = resolved.reads.get(&entry.path);
            let old = old_reads.get(&entry.path);
            let unit = match (resolved.units.remove(&at), stored.get(&entry.path)) {
                (Some(unit), _) => {
                    let reads = changes::merged(old, new, true, &reached);
                    PutUnit::New { unit, reads: encode_reads(&reads) }
                }
                // What was found of it before may not hold any more.
                (None, Some(_)) if resolved.failed.contains(&entry.path) => PutUnit::None,
                (None, Some(&stored)) => {
                    work.reused += 1;
                    let reads = changes::merged(old, new, false, &reached);
                    if old == Some(&reads) {
                        PutUnit::Stored(stored)
                    } else {
                        PutUnit::Reread { stored, reads: encode_reads(&reads) }
                    }
                }
                (None, None) => PutUnit::None,
            };
            files.push(PutFile { path: entry.path.clone(), blob, unit });
        }
        let (modules, exhausted, failed) = (project.modules, resolved.exhausted, resolved.failed);
        facts.check()?;
        base_graph.check()?;
        Ok(Outcome { files, modules, work, exhausted, failed })
    }

    /// The leaves that differ from the base.
    fn changes(
        &self,
        writer: &Writer,
        base: &GraphRecord,
        differing: &BTreeMap<RepoPath, Option<usize>>,
        facts_made: &BTreeMap<usize, Arc<crate::facts::Facts>>,
        configurations: &[(String, u64)],
    ) -> Result<Changes, IndexError> {
        let old_file = |path: &RepoPath| {
            let at = base.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
            Some(&base.files[at])
        };
        let mut changes = Changes::default();
        for (path, &position) in differing {
            let old = old_file(path);
            let entry = position.map(|at| &self.entries()[at]);
            let dialect = entry.map(|entry| entry.dialect).or_else(|| dialect_of(path));
            let before = match (old, dialect) {
                (Some(file), Some(dialect)) => {
                    let entry = Entry { path: path.clone(), blob: Some(file.blob), dialect };
                    match key(&entry) {
                        Some(key) => {
                            let bytes = writer.facts(&[key])?.pop().flatten();
                            bytes.and_then(|bytes| decode_facts(&bytes)).map(|facts| Visible::of(&facts))
                        }
                        None => Some(Visible::default()),
                    }
                }
                _ => None,
            };
            // The facts of before are gone: everything that they could have shown may have changed.
            if old.is_some_and(|file| file.unit.is_some()) && before.is_none() {
                changes.leaves.insert(LeafKey::surface(path.as_str()));
            }
            let after = position.map(|at| match facts_made.get(&at) {
                Some(facts) => Visible::of(facts),
                None => Visible::default(),
            });
            changes.file(path, before.as_ref(), after.as_ref());
        }
        if differing.iter().any(|(path, position)| position.is_none() || old_file(path).is_none()) {
            changes
                .directories(base.files.iter().map(|file| &file.path), self.entries().iter().map(|entry| &entry.path));
        }
        let before = super::decode_info(&base.info).unwrap_or_default().configurations;
        changes.configurations(&before, configurations);
        Ok(changes)
    }

    /// Resolves files on all threads. Which thread takes which file changes nothing of the result.
    fn resolve(&self, project: &Project<'_>, positions: &[usize], keep: bool) -> Resolved {
        let threads = rayon::current_num_threads().min(positions.len().div_ceil(BLOCK_UNITS)).max(1);
        let next = AtomicUsize::new(0);
        let progress = &self.session.progress;
        let work = || {
            let mut engine = Engine::new(project);
            let mut part = Resolved::default();
            loop {
                let block = next.fetch_add(1, Ordering::Relaxed);
                let Some(block) = positions.chunks(BLOCK_UNITS).nth(block) else { break };
                for &at in block {
                    // A panic leaves questions open; they go with their engine, and the next file gets a new one.
                    match catch_unwind(AssertUnwindSafe(|| engine.unit(FileId(at as u32)))) {
                        Ok(Some(unit)) => {
                            part.units.insert(at, encode_unit(&unit));
                            if keep {
                                part.kept.insert(at, unit);
                            }
                        }
                        Ok(None) => {}
                        Err(_) => {
                            let spoiled = std::mem::replace(&mut engine, Engine::new(project));
                            part.note(spoiled.reads(), spoiled.exhausted());
                            part.failed.push(self.entries()[at].path.clone());
                        }
                    }
                    progress.step();
                }
            }
            part.note(engine.reads(), engine.exhausted());
            part
        };
        let parts: Vec<_> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let join = |handle: std::thread::ScopedJoinHandle<'_, _>| match handle.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            handles.into_iter().map(join).collect()
        });
        let mut resolved = Resolved::default();
        for part in parts {
            resolved.units.extend(part.units);
            resolved.kept.extend(part.kept);
            resolved.failed.extend(part.failed);
            resolved.note(part.reads, part.exhausted);
        }
        resolved.failed.sort();
        resolved
    }
}

/// Most stored graphs that are compared to find the nearest.
const MAX_BASES: usize = 8;

struct Outcome {
    files: Vec<PutFile>,
    modules: ModuleTable,
    work: Work,
    exhausted: u32,
    failed: Vec<RepoPath>,
}

fn dialect_of(path: &RepoPath) -> Option<Dialect> {
    match crate::snapshot::file_kind(path.file_name().as_bytes()) {
        crate::snapshot::FileKind::Read(dialect) => Some(dialect),
        _ => None,
    }
}

/// Each configuration that the module rules can read, with a digest of its content.
fn configurations(layout: &Arc<Layout>) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for language in languages::all() {
        let modules = language.modules(layout);
        for key in modules.configuration_keys() {
            let digest = Digest::of(modules.configuration(&key).as_bytes()).short();
            found.push((key, digest));
        }
    }
    found.sort();
    found
}

fn encode_reads(reads: &Reads) -> Vec<u8> {
    postcard::to_stdvec(reads).expect("plain data")
}

fn decode_reads(bytes: &[u8]) -> Option<Reads> {
    postcard::from_bytes(bytes).ok()
}
