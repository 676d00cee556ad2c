//! Answers for as long as a server stands: opened again when the repository under it was replaced.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::server::{Answers, UnderWay};
use crate::ask::{Desk, Refusal};
use crate::git::GitError;
use crate::index::{IndexError, Options};
use crate::json;
use crate::queries::Call;

/// A repository that may be deleted and created anew at the same place while the server runs.
pub struct Standing {
    options: Options,
    open: Mutex<Option<Open>>,
}

struct Open {
    desk: Arc<Desk>,
    /// Of the desk's root as it was when it was opened.
    identity: Identity,
}

impl Standing {
    /// Checks that there is a directory, and makes sure that the options mean the same wherever the process will be.
    /// The repository is opened by the first question: the handshake need not wait for it.
    pub fn new(mut options: Options) -> Result<Standing, GitError> {
        let start = options.root.as_ref().unwrap_or(&options.start);
        let real = fs::canonicalize(start).map_err(|_| GitError::NoSuchDirectory(start.clone()))?;
        if !real.is_dir() {
            return Err(GitError::NotADirectory(start.clone()));
        }
        for path in [Some(&mut options.start), options.root.as_mut(), options.database.as_mut()].into_iter().flatten() {
            *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
        }
        Ok(Standing { options, open: Mutex::new(None) })
    }

    /// The desk of the repository that is there now.
    fn desk(&self) -> Result<Arc<Desk>, IndexError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*open
            && Identity::of(open.desk.session.repository.root()).as_ref() == Some(&open.identity)
        {
            return Ok(open.desk.clone());
        }
        // Whatever comes of it, what was open is of a repository that is gone.
        *open = None;
        let desk = Arc::new(Desk::open(self.options.clone())?);
        let identity = Identity::of(desk.session.repository.root());
        *open = identity.map(|identity| Open { desk: desk.clone(), identity });
        Ok(desk)
    }
}

impl Answers for Standing {
    fn warm(&self) {
        // Whatever is wrong, the first question says it.
        let _ = self.desk().and_then(|desk| desk.warm());
    }

    fn answer(&self, call: &Call) -> Result<String, String> {
        let desk = self.desk().map_err(|error| explain(&error))?;
        let answer = desk.ask(call);
        let failed =
            answer.iter().flat_map(|answer| &answer.failed).map(|path| format!("{path}: made the program fail"));
        for note in desk.session.take_notes().into_iter().chain(failed) {
            // Clients keep what a server says there for whoever looks for it; where it is closed, nobody does.
            let _ = writeln!(io::stderr().lock(), "{note}");
        }
        match answer {
            Ok(answer) => Ok(answer.text),
            Err(Refusal::Miss(miss)) => Err(json::to_string(&miss)),
            Err(Refusal::Failed(error)) => Err(explain(&error)),
        }
    }

    fn under_way(&self) -> Option<UnderWay> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = &open.as_ref()?.desk.session.progress;
        match progress.now() {
            Some((done, total)) => Some(UnderWay::Indexing { done, total }),
            None => progress.is_waiting().then_some(UnderWay::Waiting),
        }
    }
}

/// An error with what to do about it.
fn explain(error: &IndexError) -> String {
    match error.hint() {
        Some(hint) => format!("error: {error}\nhint: {hint}"),
        None => format!("error: {error}"),
    }
}

/// What tells a directory from another one at the same place.
#[derive(Clone, PartialEq, Eq)]
struct Identity([Option<(u64, Option<SystemTime>)>; 2]);

impl Identity {
    /// Of a root and of what makes it a repository. `None`: there is no root.
    fn of(root: &Path) -> Option<Identity> {
        let one = |path: &Path| {
            let metadata = fs::metadata(path).ok()?;
            // Numbers of files are given again soon; the time of creation, where the file system has it, is not.
            Some((number(&metadata), metadata.created().ok()))
        };
        let root_identity = one(root)?;
        Some(Identity([Some(root_identity), one(&root.join(".git"))]))
    }
}

#[cfg(unix)]
fn number(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> u64 {
    0
}
