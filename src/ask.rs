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
use crate::queries::{Call, Context, Miss, Needs, SnapshotInfo, reindex};

/// Why there is no answer.
pub enum Refusal {
    /// No such subject, or several.
    Miss(Miss),
    Failed(IndexError),
}

impl<E: Into<IndexError>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::Failed(error.into())
    }
}

/// An answer, as one line of JSON, and what else is to be said.
pub struct Answer {
    pub text: String,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
    /// For a person, not for a program.
    pub warnings: Vec<String>,
    pub work: Work,
}

/// Where questions about one repository are answered; shared by threads.
pub struct Desk {
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
        let at = At::parse(call.at.as_deref());
        let began = Instant::now();
        let needs = call.needs();
        let loaded = match needs {
            Needs::Graph | Needs::State => self.look(&at)?,
            Needs::Reindex { full } => Arc::new(self.session.index(&At::Disk, full)?),
        };
        let reindexed = matches!(needs, Needs::Reindex { .. }).then(|| report(&loaded, began));
        let dirty = needs == Needs::State && self.session.differs_from_commit(&loaded)?;
        let snapshot = SnapshotInfo {
            at: &loaded.at,
            commit: loaded.commit,
            dirty,
            skipped: &loaded.skipped,
            conflicts: &loaded.conflicts,
        };
        let (graph, roots, directory) = (loaded.graph(), self.roots.as_slice(), self.directory.as_str());
        let text = call.answer(&Context { graph, snapshot, roots, directory, reindexed });
        // What could not be read makes an answer wrong, and a miss as well.
        loaded.check()?;
        let text = text.map_err(Refusal::Miss)?;
        Ok(Answer { text, failed: loaded.failed.clone(), warnings: loaded.warnings.clone(), work: loaded.work })
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
