//! A listing: the files of a tree, of git's index or of the disk, before configuration and content are looked at.

use gix::bstr::{BStr, BString, ByteSlice};

use super::GitError;
use super::stat_cache::Stamp;
use crate::config::LARGEST_MAX_FILES;
use crate::names::RepoPath;
use crate::snapshot::{FileKind, Skip, Skipped, file_kind};

/// Where the content of a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// In the object database, or on disk with the same content.
    Blob(gix::ObjectId),
    /// On disk, and nobody knows its id yet. `staged`: what git's index has for it, when the stat data match but are
    /// racy.
    Disk { stamp: Stamp, staged: Option<gix::ObjectId> },
}

/// One file. The path is relative to the root.
pub(super) struct Listed {
    pub(super) path: BString,
    pub(super) kind: FileKind,
    pub(super) content: Content,
}

/// Which files are of interest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// What we index, and `.gitattributes`.
    Source,
    /// All files, also those in hidden directories when they are tracked.
    Everything,
}

impl Scope {
    /// What to do with a regular file of this name; `None` when it is of no interest.
    pub(super) fn kind(self, name: &[u8]) -> Option<FileKind> {
        let kind = file_kind(name);
        (self == Scope::Everything || kind != FileKind::Other).then_some(kind)
    }
}

/// The files of a tree, of git's index or of the disk.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<Listed>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) conflicts: Vec<RepoPath>,
}

impl Listing {
    /// Adds a regular file that the scope wanted.
    pub(super) fn add(&mut self, path: BString, kind: FileKind, content: Content) -> Result<(), GitError> {
        match kind {
            FileKind::Left(reason) => self.skip(path.as_bstr(), reason),
            FileKind::Read(_) | FileKind::Attributes | FileKind::Other => {
                self.files.push(Listed { path, kind, content });
            }
        }
        self.check()
    }

    /// Adds what another part of the same tree has.
    pub(super) fn append(&mut self, mut other: Listing) -> Result<(), GitError> {
        self.files.append(&mut other.files);
        self.skipped.append(&mut other.skipped);
        self.conflicts.append(&mut other.conflicts);
        self.check()
    }

    /// What the user allows is asked later, when the configuration is known.
    fn check(&self) -> Result<(), GitError> {
        match self.files.len() {
            files if files > LARGEST_MAX_FILES => Err(GitError::TooManyFiles { files, limit: LARGEST_MAX_FILES }),
            _ => Ok(()),
        }
    }

    /// Notes a file that is left out.
    pub(super) fn skip(&mut self, path: &BStr, reason: Skip) {
        self.skipped.push(Skipped { path: RepoPath::from_bytes(path), reason });
    }
}

/// The last component of a path.
pub(super) fn file_name(path: &BStr) -> &[u8] {
    path.rsplit_once_str("/").map_or(path.as_bytes(), |(_, name)| name)
}

/// `directory/name`, or the name alone at the root.
pub(super) fn join(directory: &BStr, name: &[u8]) -> BString {
    let mut path = BString::from(Vec::with_capacity(directory.len() + 1 + name.len()));
    if !directory.is_empty() {
        path.extend_from_slice(directory);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}
