//! The driver: snapshot → missing facts → units that changed → store, and the graph that a question is asked of.
//!
//! The one place where git, languages, resolution and the store meet. Knows nothing of questions or of how they arrive.

mod build;
mod changes;
mod compare;
mod facts;
mod loaded;
mod refresh;
mod rules;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use crate::facts::{FACTS_VERSION, Facts};
use crate::git::{Capture, GitError, Repository, Revision, StatCache, View};
use crate::languages::{self, Language, Pieces};
use crate::names::{Dialect, Digest, SnapshotId};
use crate::resolve::RESOLVER_VERSION;
use crate::store::{self, GraphRecord, Place, Reader, StoreError, TreeKey};
use crate::unit_codec::UNIT_VERSION;

use loaded::{Info, LoadedGraph, decode_info};
pub use loaded::{Loaded, Work};

/// Graphs kept besides those of views, of HEAD and of recent branches.
const OTHER_GRAPHS: usize = 128;
/// Branches whose tips' graphs are kept.
const RECENT_BRANCHES: usize = 32;

/// What can go wrong while a graph is brought up to date.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum IndexError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// `--no-index` was given and the graph asked for was never stored.
    #[error("no graph of {what} is stored")]
    NotStored { what: String },
    /// A range names both ends of a comparison.
    #[error("`{range}` names both ends, so there can be no second revision")]
    TwoHeads { range: String },
    #[error("the database {} is tracked by git, so it is not opened", .file.display())]
    Tracked { file: PathBuf },
}

impl IndexError {
    /// What the user can do, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            IndexError::Git(error) => error.hint(),
            IndexError::Store(error) => Some(error.hint().to_owned()),
            IndexError::NotStored { .. } => Some("ask without --no-index, or run `repo-graph index` first".to_owned()),
            IndexError::TwoHeads { .. } => Some("give A..B alone, or two revisions".to_owned()),
            IndexError::Tracked { .. } => {
                Some("remove it from git (git rm --cached) or name another file with --db".to_owned())
            }
        }
    }
}

/// Which graph a question is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// The worktree as it is; of a bare repository, `HEAD`.
    Disk,
    /// What git's index holds.
    Staged,
    /// A commit, as the user writes it.
    Revision(String),
}

impl At {
    /// Reads the word that a user gave: nothing, `staged`, or a revision.
    pub fn parse(text: Option<&str>) -> At {
        match text {
            None => At::Disk,
            Some("staged") => At::Staged,
            Some(revision) => At::Revision(revision.to_owned()),
        }
    }
}

/// How far a run is; shared with whoever shows it.
#[derive(Default, Debug)]
pub struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
    waiting: AtomicUsize,
}

impl Progress {
    /// Files done and files to do; `None` while there is nothing to do.
    pub fn now(&self) -> Option<(usize, usize)> {
        let total = self.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.done.load(Ordering::Relaxed).min(total), total))
    }

    /// Whether another run has the database and this one waits for it.
    pub fn is_waiting(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    fn begin(&self, total: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.total.store(0, Ordering::Relaxed);
    }
}

/// Where to work.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The directory to start from.
    pub start: PathBuf,
    /// Exactly this root, instead of the enclosing worktree's top.
    pub root: Option<PathBuf>,
    /// Exactly this database, instead of the default one.
    pub database: Option<PathBuf>,
    /// Answer from what is stored, without looking.
    pub no_index: bool,
}

/// One repository, open for questions. Shared by threads.
pub struct Session {
    /// Where snapshots come from.
    pub repository: Repository,
    options: Options,
    /// Where the database should be.
    home: Place,
    /// Where it is; `None`: no place could be written when last tried, work is in memory.
    place: Mutex<Option<Place>>,
    reader: Mutex<Option<Reader>>,
    /// The last graph that was built in memory.
    memory: Mutex<Option<Arc<build::Built>>>,
    notes: Mutex<Vec<String>>,
    /// How far the present run is.
    pub progress: Progress,
    /// Make facts and module rules; tests put some here that fail.
    languages: &'static [&'static dyn Language],
}

impl Session {
    /// Opens what the options name; creates nothing.
    pub fn open(options: Options) -> Result<Session, IndexError> {
        let repository = Repository::open(&options.start, options.root.as_deref())?;
        let place = match &options.database {
            Some(file) => Place::named(file),
            None => default_place(&repository)?,
        };
        if repository.is_tracked(place.file())? {
            return Err(IndexError::Tracked { file: place.file().to_owned() });
        }
        let notes = repository.warnings().to_vec();
        Ok(Session {
            repository,
            options,
            place: Mutex::new(Some(place.clone())),
            home: place,
            reader: Mutex::new(None),
            memory: Mutex::new(None),
            notes: Mutex::new(notes),
            progress: Progress::default(),
            languages: languages::all(),
        })
    }

    /// What the user should hear, each once; for stderr.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.notes))
    }

    fn note(&self, text: impl Into<String>) {
        let text = text.into();
        let mut notes = lock(&self.notes);
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    /// The graph that a question is about, brought up to date unless `--no-index` forbids it.
    pub fn load(&self, at: &At) -> Result<Loaded, IndexError> {
        if self.options.no_index { self.load_stored(at) } else { self.update(at, false) }
    }

    /// Indexes, as `repo-graph index` does. A graph that could not be stored is an error here.
    pub fn index(&self, at: &At, full: bool) -> Result<Loaded, IndexError> {
        let loaded = self.update(at, full)?;
        if matches!(loaded.graph, LoadedGraph::Memory(_)) && loaded.missing.is_empty() {
            let file = self.repository.databases().into_iter().next().unwrap_or_default();
            let file = self.options.database.clone().unwrap_or(file);
            return Err(StoreError::NotWritable { file, reason: "no graph could be stored".to_owned() }.into());
        }
        Ok(loaded)
    }

    /// Whether a graph is of something else than the commit that it stands on.
    pub fn differs_from_commit(&self, loaded: &Loaded) -> Result<bool, IndexError> {
        let Some(commit) = loaded.commit else { return Ok(false) };
        let revision = self.repository.commit(commit)?;
        if let Ok(Some(session)) = self.reading()
            && let Ok(Some(snapshot)) = session.tree(&self.tree_key(&revision))
        {
            return Ok(snapshot != loaded.snapshot);
        }
        let capture = self.repository.commit_snapshot(revision.tree, &rules(), &StatCache::default())?;
        Ok(capture.snapshot.id != loaded.snapshot)
    }

    /// The facts and pieces of a text, if the dialect has a language in this build; see [`Language::extract`].
    fn extract(&self, dialect: Dialect, text: &[u8], before: &Pieces) -> Option<(Facts, Pieces)> {
        let language = self.languages.iter().find(|language| language.dialects().contains(&dialect))?;
        Some(language.extract(dialect, text, before))
    }

    // ----------------------------------------------------------------------------------------------- reading

    fn place(&self) -> Option<Place> {
        lock(&self.place).clone()
    }

    /// A session of the database as it is now.
    fn reading(&self) -> Result<Option<store::Session>, StoreError> {
        let Some(place) = self.place() else { return Ok(None) };
        let mut reader = lock(&self.reader);
        if let Some(open) = &*reader
            && open.is_current()
        {
            return open.session().map(Some);
        }
        let open = Reader::open(&place)?;
        let session = open.session()?;
        *reader = Some(open);
        Ok(Some(session))
    }

    /// The stored graph of a snapshot.
    fn stored(&self, session: store::Session, snapshot: SnapshotId) -> Result<Option<Loaded>, StoreError> {
        let record = session.graph(snapshot)?;
        Ok(record.and_then(|record| self.stored_as(session, record)))
    }

    /// The stored graph of a record.
    fn stored_as(&self, session: store::Session, record: GraphRecord) -> Option<Loaded> {
        let info = decode_info(&record.info)?;
        let modules = record.modules();
        let (snapshot, digest) = (record.snapshot, record.digest);
        let graph = LoadedGraph::Stored(Box::new(session.into_graph(&record, modules)));
        let files = record.files.into_iter().map(|file| (file.path, file.blob)).collect();
        let mut loaded = Loaded { files, ..Loaded::new(graph, snapshot, digest, info) };
        loaded.work.reused = loaded.graph().entries().len();
        Some(loaded)
    }

    fn load_stored(&self, at: &At) -> Result<Loaded, IndexError> {
        let not_stored = |what: &str| IndexError::NotStored { what: what.to_owned() };
        let session = match self.reading() {
            Ok(Some(session)) => session,
            Ok(None) | Err(_) => return Err(not_stored("this repository")),
        };
        match at {
            At::Revision(text) => {
                let revision = self.repository.resolve(text)?;
                let snapshot = session.tree(&self.tree_key(&revision))?.ok_or_else(|| not_stored(text))?;
                let loaded = self.stored(session, snapshot)?.ok_or_else(|| not_stored(text))?;
                Ok(loaded.named(text, Some(revision.commit)))
            }
            At::Disk | At::Staged => {
                let (word, view) = self.view_of(at);
                let view = session.view(&view)?.ok_or_else(|| not_stored(word))?;
                let loaded = self.stored(session, view.snapshot)?.ok_or_else(|| not_stored(word))?;
                Ok(loaded.named(word, view.head))
            }
        }
    }

    fn view_of(&self, at: &At) -> (&'static str, String) {
        match at {
            At::Staged => ("staged", self.repository.view(View::Staged)),
            _ => ("disk", self.repository.view(View::Disk)),
        }
    }

    fn tree_key(&self, revision: &Revision) -> TreeKey {
        TreeKey {
            tree: revision.tree,
            prefix: self.repository.prefix().as_str().to_owned(),
            rules: Digest::of(&rules()),
        }
    }

    // ------------------------------------------------------------------------------------------ bringing up

    fn update(&self, at: &At, full: bool) -> Result<Loaded, IndexError> {
        // A bare repository has no disk; its HEAD stands for it.
        let head = At::Revision("HEAD".to_owned());
        let at = if *at == At::Disk && self.repository.is_bare() { &head } else { at };
        match at {
            At::Revision(text) => {
                let revision = self.repository.resolve(text)?;
                Ok(self.update_revision(&revision, full)?.named(text, Some(revision.commit)))
            }
            At::Disk | At::Staged => self.update_view(at, full),
        }
    }

    fn update_revision(&self, revision: &Revision, full: bool) -> Result<Loaded, IndexError> {
        let key = self.tree_key(revision);
        if !full
            && let Ok(Some(session)) = self.reading()
            && let Ok(Some(snapshot)) = session.tree(&key)
            && let Ok(Some(loaded)) = self.stored(session, snapshot)
        {
            return Ok(loaded);
        }
        let cache = StatCache::default();
        let capture = self.repository.commit_snapshot(revision.tree, &rules(), &cache)?;
        self.bring(capture, full, Some(key), None)
    }

    fn update_view(&self, at: &At, full: bool) -> Result<Loaded, IndexError> {
        let (word, name) = self.view_of(at);
        let known = match self.reading() {
            Ok(Some(session)) => session.view(&name).ok().flatten(),
            _ => None,
        };
        let cache = known.as_ref().map(|view| StatCache::from_bytes(&view.stat_cache)).unwrap_or_default();
        let (capture, learnt) = match at {
            At::Staged => (self.repository.staged_snapshot(&rules(), &cache)?, None),
            _ => self.repository.disk_snapshot(&rules(), &cache)?,
        };
        let head = if self.repository.is_git() { self.repository.head().ok() } else { None };
        let commit = head.as_ref().map(|revision| revision.commit);
        let stat_cache = match (&learnt, &known) {
            (Some(cache), _) => cache.to_bytes(),
            (None, Some(view)) => view.stat_cache.clone(),
            (None, None) => cache.to_bytes(),
        };
        let view = store::View { snapshot: capture.snapshot.id, head: commit, stat_cache };
        let unchanged = known.as_ref() == Some(&view);
        if !full
            && unchanged
            && let Ok(Some(session)) = self.reading()
            && let Ok(Some(mut loaded)) = self.stored(session, capture.snapshot.id)
        {
            loaded.warnings = capture.warnings;
            return Ok(loaded.named(word, commit));
        }
        Ok(self.bring(capture, full, None, Some((name, view)))?.named(word, commit))
    }

    /// Makes the graph of a capture and stores it, or finds it stored.
    fn bring(
        &self,
        capture: Capture,
        full: bool,
        tree: Option<TreeKey>,
        view: Option<(String, store::View)>,
    ) -> Result<Loaded, IndexError> {
        let bring = build::Bring { session: self, capture: &capture, full, tree, view };
        // What could not be written may have become writable: it is tried again whenever there is something new.
        let result = match self.remembered(&bring) {
            Some(built) => Ok(built.loaded()),
            None => {
                *lock(&self.place) = Some(self.home.clone());
                self.bring_stored(&bring, &self.home)
            }
        };
        self.progress.end();
        let mut loaded = result?;
        loaded.warnings.extend(capture.warnings);
        loaded.missing = capture.missing;
        if loaded.files.is_empty() {
            let entries = capture.snapshot.entries.into_iter();
            loaded.files = entries.filter_map(|entry| Some((entry.path, entry.blob?))).collect();
        }
        Ok(loaded)
    }

    fn bring_stored(&self, bring: &build::Bring<'_>, place: &Place) -> Result<Loaded, IndexError> {
        let mut result = bring.through(place);
        if matches!(result, Err(IndexError::Store(_))) && !place.file().exists() {
            // Somebody deleted it under our hands.
            result = bring.through(place);
        }
        match result {
            Err(IndexError::Store(error)) if error.is_damage() => match bring.through_emptied(place) {
                Err(IndexError::Store(error)) => self.without_store(bring, place, error),
                result => result,
            },
            Err(IndexError::Store(error)) => self.without_store(bring, place, error),
            result => result,
        }
    }

    /// Goes on where the default place cannot be written: in the worktree's own place, else in memory. A database that
    /// the user named is an error.
    fn without_store(&self, bring: &build::Bring<'_>, place: &Place, error: StoreError) -> Result<Loaded, IndexError> {
        if !place.is_default() {
            return Err(error.into());
        }
        let others = self.repository.databases();
        let next = others.iter().position(|file| file == place.file()).and_then(|at| others.get(at + 1));
        let next = next.and_then(|file| file.parent()).map(Place::default_in);
        *lock(&self.reader) = None;
        *lock(&self.place) = next.clone();
        match next {
            Some(next) => self.bring_stored(bring, &next),
            None => {
                self.note(format!("{error}; working in memory"));
                self.bring_in_memory(bring)
            }
        }
    }

    /// The graph, if it is the last that was built in memory, since there is no place for it.
    fn remembered(&self, bring: &build::Bring<'_>) -> Option<Arc<build::Built>> {
        let is_homeless = self.place().is_none() && !bring.full;
        let built = lock(&self.memory).clone().filter(|_| is_homeless)?;
        (built.snapshot == bring.capture.snapshot.id).then_some(built)
    }

    fn bring_in_memory(&self, bring: &build::Bring<'_>) -> Result<Loaded, IndexError> {
        let built = Arc::new(bring.build_alone()?);
        *lock(&self.memory) = Some(built.clone());
        Ok(built.loaded())
    }

    /// The snapshots whose graphs a collection keeps.
    fn roots(&self, session: &store::Database) -> Vec<SnapshotId> {
        let head = self.repository.head().ok();
        let branches = self.repository.recent_branches(RECENT_BRANCHES).unwrap_or_default();
        let revisions = head.into_iter().chain(branches.into_iter().map(|branch| branch.tip));
        revisions.filter_map(|revision| session.tree(&self.tree_key(&revision)).ok().flatten()).collect()
    }

    /// Drops what no view, recent branch or recent question needs, and shrinks the file.
    pub fn gc(&self) -> Result<store::Collected, IndexError> {
        let Some(place) = self.place() else {
            return Err(IndexError::NotStored { what: "this repository".to_owned() });
        };
        let held = place.lock(|| self.progress.waiting.store(1, Ordering::Relaxed))?;
        self.progress.waiting.store(0, Ordering::Relaxed);
        let mut writer = store::Writer::open(&place, &held)?;
        let roots = self.roots(&writer);
        Ok(writer.gc(&roots, OTHER_GRAPHS)?)
    }
}

fn default_place(repository: &Repository) -> Result<Place, IndexError> {
    let file = repository.databases().into_iter().next().unwrap_or_default();
    Ok(Place::default_in(file.parent().unwrap_or(Path::new("."))))
}

/// Everything but files and configuration that decides what a graph is.
fn rules() -> Vec<u8> {
    let languages: Vec<(&str, u32)> = languages::all().iter().map(|l| (l.name(), l.version())).collect();
    postcard::to_stdvec(&(FACTS_VERSION, RESOLVER_VERSION, UNIT_VERSION, languages)).expect("plain data")
}

/// The version under which facts of a dialect are stored.
fn facts_version(dialect: Dialect) -> u64 {
    let language = languages::for_dialect(dialect).map_or(0, |language| language.version());
    u64::from(FACTS_VERSION) << 32 | u64::from(language)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
