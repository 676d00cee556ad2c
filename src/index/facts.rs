//! Facts for a run: those that are stored, and those that are made now.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::ScopedJoinHandle;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{IndexError, facts_version, lock};
use crate::facts::{Facts, Problem, ProblemKind, codec};
use crate::git::{self, Capture};
use crate::languages::{self, Language, Pieces};
use crate::names::{BlobId, Dialect, Digest, ObjectId, RepoPath};
use crate::resolve::Source;
use crate::snapshot::Entry;
use crate::store::{
    EncodedFacts, FactsKey, PackedFacts, Session, StoreError, StoredGraph, Writer, encode_facts, open_facts,
};

/// Facts made before they are handed to the store: what a killed run loses at most.
pub(super) const BATCH_FILES: usize = 256;

/// The key under which the facts of an entry are stored.
pub(super) fn key(entry: &Entry) -> Option<FactsKey> {
    let blob = entry.blob?;
    languages::for_dialect(entry.dialect)?;
    Some(FactsKey { blob, dialect: entry.dialect, version: facts_version(entry.dialect) })
}

/// What parsing some files gave.
#[derive(Default)]
pub(super) struct Made {
    pub facts: Vec<(usize, Arc<Facts>)>,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
}

/// Reads and parses entries of a capture, by position, in parallel. What is made is stored meanwhile, a batch at a time;
/// like the facts of the file before, where they are known.
pub(super) fn make(
    session: &super::Session,
    capture: &Capture,
    positions: &[usize],
    before: &BTreeMap<usize, &PackedFacts>,
    writer: Option<&mut Writer>,
) -> Result<Made, IndexError> {
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let storing = writer.map(|writer| scope.spawn(move || store(writer, &receiver)));
        let outbox = storing.as_ref().map(|_| Outbox { batch: Mutex::default(), sender });
        let made = parse_all(session, capture, positions, before, outbox);
        match storing.map(ScopedJoinHandle::join) {
            Some(Ok(stored)) => stored?,
            Some(Err(panic)) => resume_unwind(panic),
            None => {}
        }
        made
    })
}

/// Facts on their way to the thread that stores them. They go by batches, since to wake it costs more than a small file.
struct Outbox {
    batch: Mutex<Vec<(FactsKey, EncodedFacts)>>,
    sender: SyncSender<Vec<(FactsKey, EncodedFacts)>>,
}

impl Outbox {
    fn put(&self, key: FactsKey, facts: EncodedFacts) {
        let mut batch = lock(&self.batch);
        batch.push((key, facts));
        if batch.len() == BATCH_FILES {
            let full = std::mem::take(&mut *batch);
            drop(batch);
            self.send(full);
        }
    }

    fn send(&self, batch: Vec<(FactsKey, EncodedFacts)>) {
        // Who stores them has failed if he hears nothing, and says so himself.
        let _ = self.sender.send(batch);
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let rest = std::mem::take(&mut *lock(&self.batch));
        self.send(rest);
    }
}

/// Stores facts as they come, until no more do.
fn store(writer: &mut Writer, receiver: &Receiver<Vec<(FactsKey, EncodedFacts)>>) -> Result<(), StoreError> {
    receiver.iter().try_for_each(|batch| {
        writer.put_facts(&batch)?;
        // What comes after needs the room; of fewer files it is not worth reading pages again.
        if batch.len() == BATCH_FILES { writer.release_memory() } else { Ok(()) }
    })
}

fn parse_all(
    session: &super::Session,
    capture: &Capture,
    positions: &[usize],
    before: &BTreeMap<usize, &PackedFacts>,
    outbox: Option<Outbox>,
) -> Result<Made, IndexError> {
    let entries = &capture.snapshot.entries;
    let one = |reader: &mut git::Reader<'_>, places: &Vec<usize>| -> Result<_, IndexError> {
        let entry = &entries[places[0]];
        let text = reader.read(entry)?;
        let made = guarded(|| {
            let like = places.iter().find_map(|at| before.get(at).copied());
            let pieces = Pieces(like.and_then(PackedFacts::pieces).unwrap_or_default());
            let (facts, pieces) = session.extract(entry.dialect, &text, &pieces)?;
            let encoded = outbox.as_ref().map(|_| encode_facts(&facts, &pieces.0, like));
            Some((facts, encoded))
        });
        places.iter().for_each(|_| session.progress.step());
        let Some((facts, encoded)) = made else { return Ok(None) };
        if let (Some(encoded), Some(outbox), Some(key)) = (encoded, &outbox, key(entry)) {
            outbox.put(key, encoded);
        }
        Ok(Some(Arc::new(facts)))
    };
    let blobs = by_blob(entries, positions);
    let made: Vec<Option<Arc<Facts>>> =
        blobs.par_iter().map_init(|| session.repository.reader(capture), one).collect::<Result<_, _>>()?;
    let mut result = Made::default();
    for (places, facts) in blobs.into_iter().zip(made) {
        if facts.is_none() {
            result.failed.extend(places.iter().map(|&at| entries[at].path.clone()));
        }
        let facts = facts.unwrap_or_else(|| Arc::new(broken()));
        result.facts.extend(places.into_iter().map(|at| (at, facts.clone())));
    }
    result.failed.sort();
    Ok(result)
}

/// The positions of each blob, which is parsed once wherever it stands.
fn by_blob(entries: &[Entry], positions: &[usize]) -> Vec<Vec<usize>> {
    let mut blobs: Vec<Vec<usize>> = Vec::with_capacity(positions.len());
    let mut known: FxHashMap<FactsKey, usize> = FxHashMap::default();
    for &at in positions {
        match key(&entries[at]).map(|key| known.entry(key)) {
            Some(Occupied(blob)) => blobs[*blob.get()].push(at),
            new => {
                if let Some(Vacant(blob)) = new {
                    blob.insert(blobs.len());
                }
                blobs.push(vec![at]);
            }
        }
    }
    blobs
}

/// What some work gives; nothing when it panics, so that one file does not end the run.
pub(super) fn guarded<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

/// What stands for the facts of a file that made the program fail.
fn broken() -> Facts {
    let mut facts = crate::facts::build::Builder::new().finish();
    facts.body.problems.push(Problem { first: 1, last: 1, kind: ProblemKind::Size });
    facts
}

/// The facts of a run's snapshot, as resolution asks for them.
pub(super) struct RunFacts<'a> {
    /// By position in the layout: facts made in this run, or loaded.
    facts: Vec<OnceLock<Option<Arc<Facts>>>>,
    session: &'a super::Session,
    capture: &'a Capture,
    /// A connection serves one thread at a time.
    stored: Option<Mutex<Session>>,
    error: Mutex<Option<StoreError>>,
    /// What was read from the store, as far as it was looked at.
    opened: Mutex<Vec<Arc<Facts>>>,
    /// Facts of preludes that were not stored yet.
    prelude: Mutex<Vec<(FactsKey, EncodedFacts)>>,
    definers: Definers<'a>,
    index: OnceLock<FxHashMap<Box<str>, Vec<u32>>>,
    /// What was asked of a stored graph: many units ask for the same names.
    asked: Mutex<FxHashMap<Box<str>, Vec<usize>>>,
}

/// Who knows which files define a name.
pub(super) enum Definers<'a> {
    /// All facts are at hand.
    Facts,
    /// A stored graph, except for the files that differ from it (by path, with their position now).
    Graph { graph: &'a StoredGraph, differing: &'a BTreeMap<RepoPath, Option<usize>> },
}

impl<'a> RunFacts<'a> {
    pub fn new(
        session: &'a super::Session,
        capture: &'a Capture,
        stored: Option<Session>,
        definers: Definers<'a>,
    ) -> RunFacts<'a> {
        RunFacts {
            facts: capture.snapshot.entries.iter().map(|_| OnceLock::new()).collect(),
            session,
            capture,
            stored: stored.map(Mutex::new),
            error: Mutex::new(None),
            opened: Mutex::default(),
            prelude: Mutex::default(),
            definers,
            index: OnceLock::new(),
            asked: Mutex::default(),
        }
    }

    pub fn set(&self, position: usize, facts: Arc<Facts>) {
        // A position is set once, before resolution begins.
        let _ = self.facts[position].set(Some(facts));
    }

    /// The facts of preludes that are to be stored, and all facts, which are no longer needed; or the first error of
    /// loading.
    pub fn finish(self) -> Result<(Vec<(FactsKey, EncodedFacts)>, impl Send + use<>), StoreError> {
        if let Some(error) = lock(&self.error).take() {
            return Err(error);
        }
        if let Some(stored) = &self.stored
            && !lock(&self.opened).par_iter().all(|facts| codec::is_intact(facts))
        {
            return Err(StoreError::Damaged { file: lock(stored).file().to_owned() });
        }
        let prelude = self.prelude.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((prelude, (self.facts, self.opened)))
    }

    fn stored(&self, key: FactsKey) -> Option<Arc<Facts>> {
        let found = lock(self.stored.as_ref()?).facts(&[key]);
        match found {
            Ok(mut found) => {
                let facts = Arc::new(found.pop().flatten().and_then(open_facts)?);
                lock(&self.opened).push(facts.clone());
                Some(facts)
            }
            Err(error) => {
                lock(&self.error).get_or_insert(error);
                None
            }
        }
    }

    /// Facts that are stored, or made again where the record is damaged or gone.
    fn load(&self, position: usize) -> Option<Arc<Facts>> {
        let entry = &self.entries()[position];
        self.stored(key(entry)?).or_else(|| {
            let text = self.session.repository.reader(self.capture).read(entry).ok()?;
            let made = guarded(|| self.session.extract(entry.dialect, &text, &Pieces::default()));
            Some(Arc::new(made.map_or_else(broken, |(facts, _)| facts)))
        })
    }

    fn entries(&self) -> &'a [Entry] {
        &self.capture.snapshot.entries
    }

    /// The files of this run that define a name; those of a stored graph that did not change are not among them.
    fn defining_by_facts(&self, name: &str) -> &[u32] {
        let index = self.index.get_or_init(|| {
            let changed: Vec<usize> = match &self.definers {
                Definers::Facts => (0..self.entries().len()).collect(),
                Definers::Graph { differing, .. } => differing.values().flatten().copied().collect(),
            };
            let mut index: FxHashMap<Box<str>, Vec<u32>> = FxHashMap::default();
            for at in changed {
                let Some(facts) = self.facts(at) else { continue };
                for definition in &facts.surface.definitions {
                    let name = facts.text(definition.name);
                    let files = match index.get_mut(name) {
                        Some(files) => files,
                        None => index.entry(name.into()).or_default(),
                    };
                    if files.last() != Some(&(at as u32)) {
                        files.push(at as u32);
                    }
                }
            }
            index
        });
        index.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Source for RunFacts<'_> {
    fn facts(&self, position: usize) -> Option<Arc<Facts>> {
        self.facts[position].get_or_init(|| self.load(position)).clone()
    }

    fn defining(&self, name: &str) -> Vec<usize> {
        let changed = self.defining_by_facts(name).iter().map(|&at| at as usize);
        let Definers::Graph { graph, differing } = &self.definers else { return changed.collect() };
        if let Some(known) = lock(&self.asked).get(name) {
            return known.clone();
        }
        let same = |path: &RepoPath| self.entries().binary_search_by(|entry| entry.path.cmp(path)).ok();
        let defining = graph.propose_defining(name).into_iter();
        let kept = defining.filter(|path| !differing.contains_key(*path)).filter_map(same);
        let mut found: Vec<usize> = kept.chain(changed).collect();
        found.sort_unstable();
        found.dedup();
        lock(&self.asked).insert(name.into(), found.clone());
        found
    }

    /// Stored like those of a blob: to parse the builtins costs more than most edits do.
    fn prelude(&self, language: &dyn Language, dialect: Dialect, text: &str) -> Arc<Facts> {
        let blob = BlobId(ObjectId::from_bytes(&Digest::of(text.as_bytes()).0).expect("as long as an id"));
        let key = FactsKey { blob, dialect, version: facts_version(dialect) };
        self.stored(key).unwrap_or_else(|| {
            let facts = language.facts(dialect, text.as_bytes());
            if self.stored.is_some() {
                lock(&self.prelude).push((key, encode_facts(&facts, &[], None)));
            }
            Arc::new(facts)
        })
    }
}
