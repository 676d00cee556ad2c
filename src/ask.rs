//! One question from start to end: graph brought up to date, question answered. What the command line and MCP share,
//! so that both give the same bytes.
//!
//! Knows the driver and the catalog, not how questions arrive.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use crate::index::{At, IndexError, Loaded, Options, Session, Work};
use crate::names::RepoPath;
use crate::queries::{Call, Comparison, Context, Miss, Needs, Report, SnapshotInfo, reindex};

/// Why there is no answer.
pub enum Refusal {
    /// No such subject, or several.
    Miss(Miss),
    /// The question could not be asked.
    Failed(IndexError),
}

impl<E: Into<IndexError>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::Failed(error.into())
    }
}

/// An answer, and what else is to be said.
pub struct Answer<T = String> {
    /// One line of JSON, unless something else was asked for.
    pub text: T,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
    /// For a person, not for a program.
    pub warnings: Vec<String>,
    /// What bringing the graph up to date took.
    pub work: Work,
}

impl<T> Answer<T> {
    /// The same answer in another form.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Answer<U> {
        let Answer { text, failed, warnings, work } = self;
        Answer { text: map(text), failed, warnings, work }
    }
}

/// Where questions about one repository are answered; shared by threads.
pub struct Desk {
    /// The repository.
    pub session: Session,
    roots: Vec<String>,
    directory: String,
    /// How many questions have come.
    arrivals: AtomicU64,
    /// The last look at the disk: how many questions had come when it began, and what it gave.
    last_look: Mutex<(u64, Weak<Loaded>)>,
}

impl Desk {
    /// Opens what the options name; creates nothing.
    pub fn open(options: Options) -> Result<Desk, IndexError> {
        let (start, root) = (options.start.clone(), options.root.clone());
        let session = Session::open(options)?;
        let top = session.repository.root();
        let here = start.canonicalize().unwrap_or(start);
        let directory = here.strip_prefix(top).map(escaped).unwrap_or_default();
        // The root as it really is, and as the user spelt it, perhaps through a link.
        let mut roots = vec![escaped(top)];
        roots.extend(root.and_then(|root| std::path::absolute(root).ok()).map(|root| escaped(&root)));
        roots.dedup();
        Ok(Desk { session, roots, directory, arrivals: AtomicU64::new(0), last_look: Mutex::default() })
    }

    /// Brings the graph of the disk up to date, so that the first question need not wait for it.
    pub fn warm(&self) -> Result<(), IndexError> {
        self.look(&At::Disk).map(drop)
    }

    /// Answers a question about the graph that it names.
    pub fn ask(&self, call: &Call) -> Result<Answer, Refusal> {
        self.with_context(call, |context| call.answer(context))
    }

    /// Answers a question about a change, with the comment for its reviewer; none for other questions.
    pub fn review(&self, call: &Call) -> Result<Answer<(String, Option<Report>)>, Refusal> {
        self.with_context(call, |context| Ok((call.answer(context)?, call.report(context).transpose()?)))
    }

    fn with_context<T>(
        &self,
        call: &Call,
        answer: impl FnOnce(&Context<'_>) -> Result<T, Miss>,
    ) -> Result<Answer<T>, Refusal> {
        let at = At::parse(call.at.as_deref());
        let began = Instant::now();
        let needs = call.needs();
        let loaded = match &needs {
            Needs::Graph | Needs::State => self.look(&at)?,
            Needs::Reindex { full } => Arc::new(self.session.index(&At::Disk, *full)?),
            Needs::Comparison { base, head } => return self.compared(base.as_deref(), head.as_deref(), answer),
        };
        let reindexed = matches!(needs, Needs::Reindex { .. }).then(|| report(&loaded, began));
        let dirty = needs == Needs::State && self.session.differs_from_commit(&loaded)?;
        let context = Context { reindexed, ..self.context(&loaded, dirty) };
        let text = answer(&context);
        // What could not be read makes an answer wrong, and a miss as well.
        loaded.check()?;
        let text = text.map_err(Refusal::Miss)?;
        Ok(Answer { text, failed: loaded.failed.clone(), warnings: loaded.warnings.clone(), work: loaded.work })
    }

    fn compared<T>(
        &self,
        base: Option<&str>,
        head: Option<&str>,
        answer: impl FnOnce(&Context<'_>) -> Result<T, Miss>,
    ) -> Result<Answer<T>, Refusal> {
        let compared = self.session.compare(base, head)?;
        let (before, after) = (compared.before.loaded(), compared.after.loaded());
        let mut comparison = Comparison::new(&compared.before, &compared.after, compared.base, compared.head);
        comparison.other_bases = &compared.other_bases;
        comparison.unread = &compared.unread;
        comparison.config_changed = &compared.config_changed;
        let context = Context { comparison: Some(&comparison), ..self.context(after, false) };
        let text = answer(&context);
        before.check()?;
        after.check()?;
        let text = text.map_err(Refusal::Miss)?;
        let both = [before, after];
        Ok(Answer {
            text,
            failed: both.iter().flat_map(|loaded| loaded.failed.iter().cloned()).collect(),
            warnings: both.iter().flat_map(|loaded| loaded.warnings.iter().cloned()).collect(),
            work: before.work + after.work,
        })
    }

    fn context<'a>(&'a self, loaded: &'a Loaded, dirty: bool) -> Context<'a> {
        let snapshot = SnapshotInfo {
            at: &loaded.at,
            commit: loaded.commit,
            dirty,
            skipped: &loaded.skipped,
            conflicts: &loaded.conflicts,
        };
        let (graph, roots, directory) = (loaded.graph(), self.roots.as_slice(), self.directory.as_str());
        Context { graph, snapshot, roots, directory, reindexed: None, comparison: None }
    }

    /// The graph that a question is about. Questions about the disk that come while somebody looks at it take what the
    /// next look gives together: it began after they came, so it is as fresh as one of their own.
    fn look(&self, at: &At) -> Result<Arc<Loaded>, IndexError> {
        if *at != At::Disk {
            return Ok(Arc::new(self.session.load(at)?));
        }
        let arrival = self.arrivals.fetch_add(1, Ordering::SeqCst) + 1;
        let mut last = self.last_look.lock().unwrap_or_else(PoisonError::into_inner);
        let (seen, loaded) = &*last;
        if *seen >= arrival
            && let Some(loaded) = loaded.upgrade()
        {
            return Ok(loaded);
        }
        let seen = self.arrivals.load(Ordering::SeqCst);
        let loaded = Arc::new(self.session.load(at)?);
        // Held weakly: a graph keeps a view of the database, which must not outlive the questions.
        *last = (seen, Arc::downgrade(&loaded));
        Ok(loaded)
    }
}

/// What indexing did, in the words of the question `reindex`.
pub fn report(loaded: &Loaded, began: Instant) -> reindex::Report {
    reindex::Report {
        files: loaded.graph().entries().len(),
        read: loaded.work.parsed,
        parsed: loaded.work.parsed,
        resolved: loaded.work.resolved,
        reused: loaded.work.reused,
        milliseconds: began.elapsed().as_millis() as u64,
        digest: loaded.digest.to_string(),
    }
}

/// A path of the file system as we print paths.
fn escaped(path: &Path) -> String {
    RepoPath::from_bytes(path.as_os_str().as_encoded_bytes()).to_string()
}
