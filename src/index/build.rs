//! One run: from a capture to a stored graph, doing again only what changed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::changes::{Reached, merged};
use super::facts::{BATCH_FILES, Definers, Made, RunFacts, key, make};
use super::refresh::{Base, PackedBefore};
use super::rules::made_of;
use super::{IndexError, Info, Loaded, LoadedGraph, OTHER_GRAPHS, Session, Work, rules};
use crate::facts::Facts;
use crate::git::Capture;
use crate::graph::{GraphEntry, ModuleTable, Unit, graph_digest};
use crate::languages::Layout;
use crate::memory_graph::MemoryGraph;
use crate::names::{BlobId, Dialect, Digest, RepoPath, SnapshotId};
use crate::resolve::{Engine, FileId, Project, Reads};
use crate::snapshot::{Entry, Skip};
use crate::store::{
    self, EncodedFacts, EncodedUnit, FactsKey, GraphRecord, PackedFacts, Place, PutFile, PutGraph, PutUnit, Reader,
    StoreError, TreeKey, Writer, decode_facts, encode_unit,
};

/// Most units that a thread takes at a time: neighbours share most of what they look at. Near the end it takes fewer, so
/// that no thread waits long for another.
const BLOCK_UNITS: usize = 32;
/// Fewer units are not worth another thread, which has to find out anew what they look at.
const THREAD_UNITS: usize = 8;

/// Most units that one engine makes. What it has found out so far helps with the next ones but takes memory, which must
/// not grow with the repository.
const ENGINE_UNITS: usize = 360;

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
    units: Vec<(Arc<Unit>, BlobId)>,
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

/// The unit that was made of a file.
pub(super) enum MadeUnit {
    New(EncodedUnit),
    /// It is the one that the base has.
    Same,
}

/// What one run of resolution made.
#[derive(Default)]
pub(super) struct Resolved {
    /// By position in the entries.
    pub units: BTreeMap<usize, MadeUnit>,
    /// The units themselves, when they are kept.
    kept: BTreeMap<usize, Unit>,
    /// What each engine noted for a file, by position in the entries.
    pub reads: BTreeMap<usize, Vec<Reads>>,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
}

impl Resolved {
    /// Adds what an engine has read.
    fn take(&mut self, engine: Engine<'_>) {
        for (file, reads) in engine.into_reads() {
            self.reads.entry(file.0 as usize).or_default().push(reads);
        }
    }

    /// Adds what another thread made.
    fn append(&mut self, mut other: Resolved) {
        self.units.append(&mut other.units);
        self.kept.append(&mut other.kept);
        self.failed.append(&mut other.failed);
        for (at, mut reads) in other.reads {
            self.reads.entry(at).or_default().append(&mut reads);
        }
    }
}

/// Does two things at once, the first on this thread.
fn beside<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    let mut other = None;
    let first = rayon::in_place_scope(|scope| {
        scope.spawn(|_| other = Some(second()));
        first()
    });
    (first, other.expect("the scope waits for it"))
}

impl Bring<'_> {
    pub(super) fn entries(&self) -> &[Entry] {
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
        let (mut work, mut record) = (None, None);
        if writer.has_graph(self.snapshot())? {
            self.note_known(&mut writer)?;
        } else {
            let (done, put) = self.build(place, &mut writer)?;
            work = Some(done);
            if writer.wants_gc(OTHER_GRAPHS)? {
                let mut keep = self.session.roots(&writer);
                keep.push(self.snapshot());
                writer.gc(&keep, OTHER_GRAPHS)?;
            } else {
                record = Some(put);
            }
        }
        drop(writer);
        let loaded = match (self.session.reading()?, record) {
            (None, _) => None,
            (Some(session), Some(record)) => self.session.stored_as(session, record),
            (Some(session), None) => self.session.stored(session, self.snapshot())?,
        };
        let Some(mut loaded) = loaded else {
            return Err(IndexError::NotStored { what: "the snapshot that was just indexed".to_owned() });
        };
        loaded.work = work.unwrap_or(loaded.work);
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

    fn build(&self, place: &Place, writer: &mut Writer) -> Result<(Work, GraphRecord), IndexError> {
        let base = self.base(writer)?;
        let reader = Reader::open(place)?;
        let run = match &base {
            Some(base) => self.refresh(writer, &reader, base)?,
            None => self.resolve_all(writer, &reader)?,
        };
        let Outcome { files, naming, prelude, work, failed, rest } = run;
        if !prelude.is_empty() {
            writer.put_facts(&prelude)?;
        }
        let info = self.info(failed);
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
        let digest = graph_digest(&entries, &naming.modules);
        let graph = PutGraph {
            snapshot: self.snapshot(),
            digest,
            files,
            layout: &postcard::to_stdvec(&naming.configurations).expect("plain data"),
            info: &postcard::to_stdvec(&info).expect("plain data"),
            trees: self.tree.as_slice(),
            view: self.view.as_ref().map(|(name, view)| (name.as_str(), view)),
        };
        let (record, ()) = beside(|| writer.put_graph(&graph), || drop(rest));
        Ok((work, record?))
    }

    /// Builds the whole graph in memory.
    pub fn build_alone(&self) -> Result<Built, IndexError> {
        let session = self.session;
        let positions: Vec<usize> =
            (0..self.entries().len()).filter(|&at| key(&self.entries()[at]).is_some()).collect();
        session.progress.begin(positions.len() * 2);
        let made = make(session, self.capture, &positions, &BTreeMap::new(), None)?;
        let facts = RunFacts::new(session, self.capture, None, Definers::Facts);
        for (at, one) in made.facts {
            facts.set(at, one);
        }
        let (project, naming, unread) = self.project(&facts, None)?;
        let resolved = self.resolve(&project, &positions, None, true);
        let failed = made.failed.into_iter().chain(resolved.failed).chain(unread).collect();
        let info = self.info(failed);
        let blob = |at: usize| self.entries()[at].blob;
        let work = Work { parsed: positions.len(), resolved: resolved.units.len(), reused: 0 };
        let entries: Vec<GraphEntry> = resolved
            .units
            .iter()
            .filter_map(|(&at, unit)| {
                let MadeUnit::New(unit) = unit else { return None };
                Some(GraphEntry { path: self.entries()[at].path.clone(), blob: blob(at)?, unit: unit.digest })
            })
            .collect();
        Ok(Built {
            snapshot: self.snapshot(),
            digest: graph_digest(&entries, &naming.modules),
            units: resolved.kept.into_iter().filter_map(|(at, unit)| Some((Arc::new(unit), blob(at)?))).collect(),
            modules: naming.modules.entries().to_vec(),
            info,
            work,
        })
    }

    fn info(&self, mut failed: Vec<RepoPath>) -> Info {
        failed.sort();
        failed.dedup();
        let snapshot = &self.capture.snapshot;
        let code = |reason: Skip| Skip::ALL.iter().position(|&other| other == reason).unwrap_or_default() as u8;
        Info {
            skipped: snapshot.skipped.iter().map(|one| (one.path.clone(), code(one.reason))).collect(),
            conflicts: snapshot.conflicts.clone(),
            failed,
            rules: Digest::of(&rules()),
        }
    }

    /// Makes the facts that are missing and stores them, a batch at a time, then does something with them and with those of
    /// before, and meanwhile makes what resolution is given. Gives the facts made or decoded, too. Without a base all facts
    /// are brought in.
    pub(super) fn prepare<'f, T>(
        &self,
        writer: &mut Writer,
        base: Option<&Base>,
        facts: &'f RunFacts<'_>,
        then: impl FnOnce(&FactsByPosition, PackedBefore) -> Result<T, IndexError>,
    ) -> Result<(Prepared<'f>, FactsByPosition, T), IndexError> {
        let known = base.and_then(|base| base.naming(self.entries()));
        let make = || {
            let before = base.map(|base| self.before(writer, base)).transpose()?.unwrap_or_default();
            let by_position = before.iter().filter_map(|(path, packed)| Some((base?.position(path)?, packed)));
            let made = self.make_facts(writer, base, &by_position.collect())?;
            let facts: FactsByPosition = made.facts.into_iter().collect();
            let done = then(&facts, before)?;
            Ok::<_, IndexError>((facts, made.failed, done))
        };
        let (made, project) = beside(make, || self.project(facts, known));
        let ((made, unread, done), (project, naming, mut failed)) = (made?, project?);
        failed.extend(unread);
        for (&at, one) in &made {
            facts.set(at, one.clone());
        }
        Ok((Prepared { project, naming, failed }, made, done))
    }

    fn make_facts(
        &self,
        writer: &mut Writer,
        base: Option<&Base>,
        before: &BTreeMap<usize, &PackedFacts>,
    ) -> Result<Made, IndexError> {
        let wanted: Vec<usize> = match base {
            Some(base) => base.changed().collect(),
            None => (0..self.entries().len()).collect(),
        };
        let wanted: Vec<(usize, FactsKey)> =
            wanted.into_iter().filter_map(|at| Some((at, key(&self.entries()[at])?))).collect();
        let keys: Vec<FactsKey> = wanted.iter().map(|(_, key)| *key).collect();
        let known = writer.has_facts(&keys)?;
        let mut facts = Vec::new();
        let mut missing: Vec<usize> = Vec::new();
        let mut stored: Vec<(usize, FactsKey)> = Vec::new();
        for (&(at, key), known) in wanted.iter().zip(known) {
            if known { stored.push((at, key)) } else { missing.push(at) }
        }
        for batch in stored.chunks(BATCH_FILES) {
            let keys: Vec<FactsKey> = batch.iter().map(|(_, key)| *key).collect();
            let packed = writer.facts(&keys)?;
            let decoded: Vec<_> = packed.into_par_iter().map(|packed| decode_facts(&packed?)).collect();
            for (&(at, _), decoded) in batch.iter().zip(decoded) {
                match decoded {
                    Some(one) => facts.push((at, Arc::new(one))),
                    None => missing.push(at),
                }
            }
        }
        let progress = &self.session.progress;
        progress.begin(missing.len() + wanted.len());
        let mut made = make(self.session, self.capture, &missing, before, Some(writer))?;
        made.facts.append(&mut facts);
        Ok(made)
    }

    /// The paths, with the texts of the configuration files.
    fn layout(&self) -> Result<Layout, IndexError> {
        let mut reader = self.session.repository.reader(self.capture);
        let mut layout = Layout::default();
        for entry in self.entries() {
            layout.files.push((entry.path.clone(), entry.dialect));
            if entry.dialect == Dialect::Configuration && entry.blob.is_some() {
                let text = reader.read(entry)?;
                layout.configurations.insert(entry.path.clone(), String::from_utf8_lossy(&text).into_owned());
            }
        }
        Ok(layout)
    }

    /// What resolution is given, what modules are called, and the configuration files that make the program fail.
    pub(super) fn project<'f>(
        &self,
        facts: &'f RunFacts<'_>,
        known: Option<Naming>,
    ) -> Result<(Project<'f>, Naming, Vec<RepoPath>), IndexError> {
        let (made, failed) = made_of(self.layout()?, |layout| {
            let project = Project::new(layout, self.session.languages, facts);
            let naming = known.is_none().then(|| Naming::of(&project));
            (project, naming)
        });
        let (project, naming) = made;
        Ok((project, naming.or(known).expect("made where it was not known"), failed))
    }

    fn resolve_all(&self, writer: &mut Writer, reader: &Reader) -> Result<Outcome, IndexError> {
        let facts = RunFacts::new(self.session, self.capture, Some(reader.session()?), Definers::Facts);
        let (prepared, made, ()) = self.prepare(writer, None, &facts, |_, _| Ok(()))?;
        let Prepared { project, naming, mut failed } = prepared;
        let positions: Vec<usize> = made.into_keys().collect();
        let mut resolved = self.resolve(&project, &positions, None, false);
        failed.append(&mut resolved.failed);
        let work = Work { parsed: positions.len(), resolved: resolved.units.len(), reused: 0 };
        let nothing = Reached::default();
        let files = self.put_files(&naming, resolved, |_, unit, new| match unit {
            Some(MadeUnit::New(unit)) => PutUnit::New { unit, reads: merged(None, new, true, &nothing).to_bytes() },
            Some(MadeUnit::Same) | None => PutUnit::None,
        });
        let files_of_project = project.into_files();
        let (prelude, facts) = facts.finish()?;
        Ok(Outcome { files, naming, prelude, work, failed, rest: Box::new((files_of_project, facts)) })
    }

    /// The files to store, each with the unit that is given for its position, for what was made of it and for what the
    /// engines noted.
    pub(super) fn put_files(
        &self,
        naming: &Naming,
        resolved: Resolved,
        unit: impl Fn(usize, Option<MadeUnit>, &[Reads]) -> PutUnit + Sync,
    ) -> Vec<PutFile> {
        let Resolved { mut units, mut reads, .. } = resolved;
        let with_blob = self.entries().iter().enumerate().filter_map(|(at, entry)| Some((at, entry, entry.blob?)));
        let parts: Vec<_> = with_blob
            .map(|(at, entry, blob)| (at, entry, blob, units.remove(&at), reads.remove(&at).unwrap_or_default()))
            .collect();
        let put = |(at, entry, blob, made, reads): (usize, &Entry, BlobId, Option<MadeUnit>, Vec<Reads>)| {
            let module = naming.modules.name(entry.path.as_str()).cloned();
            PutFile { path: entry.path.clone(), blob, unit: unit(at, made, &reads), module }
        };
        parts.into_par_iter().map(put).collect()
    }

    /// Resolves files on all threads. Which thread takes which file changes nothing of the result.
    pub(super) fn resolve(
        &self,
        project: &Project<'_>,
        positions: &[usize],
        base: Option<&Base>,
        keep: bool,
    ) -> Resolved {
        let threads = rayon::current_num_threads().min(positions.len().div_ceil(THREAD_UNITS)).max(1);
        let next = AtomicUsize::new(0);
        let block_units = |start: usize| (positions.len() - start).div_ceil(2 * threads).min(BLOCK_UNITS);
        let next_block = || {
            let taken =
                next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |start| Some(start + block_units(start)));
            let start = taken.unwrap_or(positions.len());
            &positions[start..start + block_units(start)]
        };
        // No engine is made for a few units at the end. Threads take some blocks more or less than others.
        let engines = positions.len().div_ceil(threads * ENGINE_UNITS).max(1);
        let engine_units = positions.len().div_ceil(threads * engines) + BLOCK_UNITS;
        let progress = &self.session.progress;
        let work = || {
            let mut engine = Engine::new(project);
            let mut part = Resolved::default();
            let mut units = 0;
            loop {
                let block = next_block();
                if block.is_empty() {
                    break;
                }
                units += block.len();
                if units > engine_units {
                    units = block.len();
                    part.take(std::mem::replace(&mut engine, Engine::new(project)));
                }
                for &at in block {
                    // A panic leaves questions open; they go with their engine, and the next file gets a new one.
                    let made = catch_unwind(AssertUnwindSafe(|| {
                        let unit = engine.unit(FileId(at as u32))?;
                        let stored = base.and_then(|base| base.before(at)?.unit);
                        let encoded = encode_unit(&unit, stored.map(|stored| stored.digest));
                        Some((unit, encoded.map_or(MadeUnit::Same, MadeUnit::New)))
                    }));
                    match made {
                        Ok(Some((unit, made))) => {
                            part.units.insert(at, made);
                            if keep {
                                part.kept.insert(at, unit);
                            }
                        }
                        Ok(None) => {}
                        Err(_) => {
                            part.take(std::mem::replace(&mut engine, Engine::new(project)));
                            part.failed.push(self.entries()[at].path.clone());
                        }
                    }
                    progress.step();
                }
            }
            part.take(engine);
            part
        };
        // The threads that parsed: what their allocations left free is used again.
        let parts: Vec<_> = (0..threads).into_par_iter().with_max_len(1).map(|_| work()).collect();
        let mut resolved = Resolved::default();
        for part in parts {
            resolved.append(part);
        }
        resolved.failed.sort();
        resolved
    }
}

/// Facts at hand, by position in the entries.
pub(super) type FactsByPosition = BTreeMap<usize, Arc<Facts>>;

/// What resolution is given.
pub(super) struct Prepared<'f> {
    pub project: Project<'f>,
    pub naming: Naming,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
}

/// What one run made of a snapshot.
pub(super) struct Outcome {
    pub files: Vec<PutFile>,
    pub naming: Naming,
    /// Facts of preludes, to be stored.
    pub prelude: Vec<(FactsKey, EncodedFacts)>,
    pub work: Work,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
    /// What is no longer needed. To give it back takes a while, in which the graph can be stored.
    pub rest: Box<dyn Send>,
}

/// What depends on paths and configuration files alone.
pub(super) struct Naming {
    pub modules: ModuleTable,
    /// Each configuration that the module rules can read, with a digest of its content; sorted.
    pub configurations: Vec<(String, u64)>,
}

impl Naming {
    pub fn of(project: &Project<'_>) -> Naming {
        let mut configurations = Vec::new();
        for rules in &project.languages {
            for key in rules.modules.configuration_keys() {
                let digest = Digest::of(rules.modules.configuration(&key).as_bytes()).short();
                configurations.push((key, digest));
            }
        }
        configurations.sort();
        Naming { modules: project.module_table(), configurations }
    }
}
