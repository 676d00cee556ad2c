//! What can go wrong between us and git, with a message and a hint for each.

use std::path::PathBuf;

use thiserror::Error;

use crate::config::ConfigError;
use crate::names::{BlobId, CommitId, RepoPath};

/// An error of the git layer. [`GitError::hint`] says what to do about it.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum GitError {
    #[error("the directory {} does not exist", .0.display())]
    NoSuchDirectory(PathBuf),
    #[error("{} is not a directory", .0.display())]
    NotADirectory(PathBuf),
    #[error("cannot open the git repository {}: {reason}", .path.display())]
    Open { path: PathBuf, reason: String },
    #[error("the git repository {} keeps its references as reftable, which is not supported", .0.display())]
    Reftable(PathBuf),
    /// A question about a revision, asked of a plain directory.
    #[error("{} is not in a git repository, so there are no revisions to ask about", .0.display())]
    NoRepository(PathBuf),
    #[error("unknown revision `{text}`")]
    UnknownRevision { text: String, hint: Option<String> },
    /// `HEAD` names a branch that has no commit.
    #[error("there is no commit yet: branch `{branch}` is unborn")]
    Unborn { branch: String },
    #[error("revision `{text}` is a {kind}, not a commit")]
    NotACommit { text: String, kind: String },
    #[error("no merge base of {one} and {two}{}", if *.shallow { ": this is a shallow clone" } else { "" })]
    NoMergeBase { one: CommitId, two: CommitId, shallow: bool },
    #[error("cannot read {what}: {reason}")]
    Read { what: String, reason: String },
    /// The object is not in the object database (a partial clone).
    #[error("the object {blob} of {path} is not in this repository")]
    MissingBlob { path: RepoPath, blob: BlobId },
    /// The file is not what it was when the snapshot was taken.
    #[error("{0} changed while it was being read")]
    Changed(RepoPath),
    #[error("{files} files are more than `max_files` = {limit}")]
    TooManyFiles { files: usize, limit: usize },
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl GitError {
    /// What the user can do, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            GitError::Reftable(_) => "convert it: git refs migrate --ref-format=files",
            GitError::NoRepository(_) => "run it in a git repository, or ask without a revision",
            GitError::UnknownRevision { hint, .. } => return hint.clone(),
            GitError::Unborn { .. } => "make a first commit, or ask without a revision",
            GitError::NotACommit { .. } => "name a branch, a tag or a commit",
            GitError::NoMergeBase { shallow: true, .. } => "deepen it: git fetch --unshallow",
            GitError::NoMergeBase { .. } => "the histories are unrelated; compare them exactly with A..B",
            GitError::MissingBlob { .. } => "fetch it: in a partial clone `git cat-file -p <object>` does, when online",
            GitError::Changed(_) => "run it again",
            GitError::TooManyFiles { .. } => {
                "leave files out with `exclude`, or raise `max_files`, in .repo-graph.toml"
            }
            GitError::Config(error) => return error.hint(),
            GitError::NoSuchDirectory(_)
            | GitError::NotADirectory(_)
            | GitError::Open { .. }
            | GitError::Read { .. } => return None,
        };
        Some(hint.to_owned())
    }

    /// Wraps what the operating system or gix says about one thing.
    pub(super) fn read(what: impl Into<String>, reason: impl std::fmt::Display) -> GitError {
        GitError::Read { what: what.into(), reason: reason.to_string() }
    }
}
