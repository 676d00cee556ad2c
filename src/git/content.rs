//! The content of one file: its id, its size, its text; from the object database or from the disk.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use gix::bstr::{BStr, ByteSlice};
use gix::index::fs::Metadata;

use super::GitError;
use super::clean::{Cleaned, Cleaner};
use super::listing::{Content, Listed};
use super::repository::{Git, Repository, native_path};
use super::revision::object_id;
use super::stat_cache::{CachedFile, Stamp, StatCache, now};
use crate::config::LARGEST_MAX_FILE_BYTES;
use crate::names::RepoPath;
use crate::snapshot::Skip;

/// Cleaning makes a file smaller by this factor at most (CR LF to LF, UTF-16 to UTF-8): what is larger on disk than
/// the limit times this need not be read to be too large.
const MAX_SHRINK: u64 = 4;

/// The text of dirty files is kept until it is asked for, up to this many bytes; what is beyond is read again, and
/// checked against its id.
const MAX_HELD_BYTES: usize = 32 << 20;

/// What is known of a file's content.
pub(super) enum Resolved {
    Blob {
        id: gix::ObjectId,
        /// Of the blob, in bytes.
        size: u64,
        /// The blob's text, when it had to be read and the object database may not have it.
        bytes: Option<Vec<u8>>,
        /// What to remember for the next time.
        cached: Option<CachedFile>,
    },
    Missing(gix::ObjectId),
    Skipped(Skip),
    /// It vanished meanwhile.
    Gone,
}

/// What reading a regular file gave.
enum FromDisk {
    Read {
        bytes: Vec<u8>,
        /// Absent when the file changed under our eyes, or so lately that another change could go unseen.
        stamp: Option<Stamp>,
    },
    Skipped(Skip),
    Gone,
}

/// Reads contents for one thread.
pub(super) struct Loader<'a> {
    repository: &'a Repository,
    git: Option<(&'a Git, gix::Repository)>,
    /// Is the disk to be asked for what the object database does not have?
    on_disk: bool,
    cleaner: Option<Cleaner>,
}

impl<'a> Loader<'a> {
    pub(super) fn new(repository: &'a Repository, on_disk: bool) -> Loader<'a> {
        let git = repository.git().ok().map(|git| (git, git.local()));
        Loader { repository, git, on_disk, cleaner: None }
    }

    /// Takes over what another thread has prepared.
    pub(super) fn with_cleaner(mut self, cleaner: Option<&Cleaner>) -> Loader<'a> {
        self.cleaner = cleaner.cloned();
        self
    }

    /// Prepares for cleaning; nothing to do in a plain directory.
    pub(super) fn cleaner(&mut self) -> Result<Option<&mut Cleaner>, GitError> {
        let Some((git, repo)) = &self.git else { return Ok(None) };
        if self.cleaner.is_none() {
            self.cleaner = Some(Cleaner::new(git, repo)?);
        }
        Ok(self.cleaner.as_mut())
    }

    /// The part of git's configuration that decides how files are cleaned.
    pub(super) fn cleaning_rules(&self) -> Result<Vec<u8>, GitError> {
        let mut bytes = Vec::new();
        if let Some((git, repo)) = &self.git {
            let config = repo.config_snapshot();
            for key in ["core.autocrlf", "core.eol"] {
                bytes.extend_from_slice(config.string(key).unwrap_or_default().as_slice());
                bytes.push(0);
            }
            for driver in super::clean::external_filters(repo)? {
                bytes.extend_from_slice(driver.as_slice());
                bytes.push(0);
            }
            let mut files = repo.attribute_global_paths().map_err(|error| GitError::read("git's attributes", error))?;
            files.push(git.info_attributes());
            for file in files {
                bytes.extend(std::fs::read(file).unwrap_or_default());
                bytes.push(0);
            }
        }
        Ok(bytes)
    }

    /// Finds id and size of a listed file; more than `limit` bytes are too many. `held` counts the bytes that are
    /// handed out.
    pub(super) fn resolve(
        &mut self,
        file: &Listed,
        limit: u64,
        cache: &StatCache,
        held: &AtomicUsize,
    ) -> Result<Resolved, GitError> {
        let path = file.path.as_bstr();
        match file.content {
            Content::Blob(id) => {
                if let Some(size) = self.size(id)? {
                    return Ok(Resolved::Blob { id, size, bytes: None, cached: None });
                }
                match self.on_disk {
                    true => self.hash(path, None, limit, held),
                    false => Ok(Resolved::Missing(id)),
                }
            }
            Content::Disk { stamp, .. } if stamp.size > limit.saturating_mul(MAX_SHRINK) => {
                Ok(Resolved::Skipped(Skip::TooLarge))
            }
            Content::Disk { stamp, staged } => match cache.files.get(path.as_bytes()) {
                Some(known) if known.stamp == stamp => Ok(Resolved::Blob {
                    id: super::revision::gix_id(known.blob),
                    size: known.size,
                    bytes: None,
                    cached: Some(known.clone()),
                }),
                _ => self.hash(path, staged, limit, held),
            },
        }
    }

    /// The text of a blob: what is at hand, else the object database's, else the disk's if that is still the same.
    pub(super) fn text(
        &mut self,
        path: &BStr,
        id: gix::ObjectId,
        at_hand: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>, GitError> {
        if let Some(bytes) = at_hand {
            return Ok(Some(bytes.to_vec()));
        }
        if let Some((_, repo)) = &self.git {
            let object = repo.try_find_object(id).map_err(|error| GitError::read(format!("object {id}"), error))?;
            if let Some(object) = object.filter(|object| object.kind == gix::objs::Kind::Blob) {
                return Ok(Some(object.detach().data));
            }
        }
        if !self.on_disk {
            return Ok(None);
        }
        match self.hash(path, None, LARGEST_MAX_FILE_BYTES, &AtomicUsize::new(0))? {
            Resolved::Blob { id: now, bytes, .. } if now == id => Ok(bytes),
            _ => Err(GitError::Changed(RepoPath::from_bytes(path))),
        }
    }

    /// The size of a blob that the object database has.
    fn size(&self, id: gix::ObjectId) -> Result<Option<u64>, GitError> {
        let Some((_, repo)) = &self.git else { return Ok(None) };
        let header = repo.try_find_header(id).map_err(|error| GitError::read(format!("object {id}"), error))?;
        Ok(header.map(|header| header.size()))
    }

    /// Reads a file and hashes it as git would.
    fn hash(
        &mut self,
        path: &BStr,
        staged: Option<gix::ObjectId>,
        limit: u64,
        held: &AtomicUsize,
    ) -> Result<Resolved, GitError> {
        self.cleaner()?;
        let full = self.git.as_ref().map(|(git, _)| git.full_path(path));
        if let (Some(cleaner), Some((_, repo)), Some(full)) = (&mut self.cleaner, &self.git, &full)
            && cleaner.is_external(repo, full.as_bstr())?
        {
            // What a program would make of it is not ours to know; git knew, if the file is as git left it.
            return match staged.map(|id| Ok::<_, GitError>((id, self.size(id)?))).transpose()? {
                Some((id, Some(size))) => Ok(Resolved::Blob { id, size, bytes: None, cached: None }),
                _ => Ok(Resolved::Skipped(Skip::Filtered)),
            };
        }
        let place = self.repository.root().join(native_path(path));
        let (bytes, stamp) = match read_regular(&place, limit.saturating_mul(MAX_SHRINK))? {
            FromDisk::Read { bytes, stamp } => (bytes, stamp),
            FromDisk::Skipped(reason) => return Ok(Resolved::Skipped(reason)),
            FromDisk::Gone => return Ok(Resolved::Gone),
        };
        let (bytes, kind) = match (&mut self.cleaner, &self.git, &full) {
            (Some(cleaner), Some((_, repo)), Some(full)) => match cleaner.clean(repo, full.as_bstr(), bytes)? {
                Cleaned::Bytes(bytes) => (bytes, repo.object_hash()),
                Cleaned::Filtered => return Ok(Resolved::Skipped(Skip::Filtered)),
            },
            _ => (bytes, gix::hash::Kind::Sha1),
        };
        let id = gix::objs::compute_hash(kind, gix::objs::Kind::Blob, &bytes)
            .map_err(|error| GitError::read(path.to_string(), error))?;
        let size = bytes.len() as u64;
        let cached = stamp.map(|stamp| CachedFile { stamp, blob: object_id(&id), size });
        let keep = staged != Some(id) && held.fetch_add(bytes.len(), Ordering::Relaxed) < MAX_HELD_BYTES;
        Ok(Resolved::Blob { id, size, bytes: keep.then_some(bytes), cached })
    }
}

/// Reads a regular file of at most `limit` bytes, without following a link at its end.
fn read_regular(path: &Path, limit: u64) -> Result<FromDisk, GitError> {
    let Ok(before) = Metadata::from_path_no_follow(path) else { return Ok(FromDisk::Gone) };
    if before.is_symlink() {
        return Ok(FromDisk::Skipped(Skip::Link));
    }
    if !before.is_file() {
        return Ok(FromDisk::Skipped(Skip::Special));
    }
    let started = now();
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(FromDisk::Gone),
        Err(_) => return Ok(FromDisk::Skipped(Skip::Unreadable)),
    };
    let failed = |error: &dyn std::fmt::Display| GitError::read(path.display().to_string(), error);
    let opened = Stamp::of(&Metadata::from_file(&file).map_err(|error| failed(&error))?);
    if opened.is_another_file(&Stamp::of(&before)) {
        // Something else was put there between the two looks; it may be a link.
        return Ok(FromDisk::Gone);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(opened.size.min(limit)).unwrap_or(0) + 1);
    if file.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes).is_err() {
        return Ok(FromDisk::Skipped(Skip::Unreadable));
    }
    if bytes.len() as u64 > limit {
        return Ok(FromDisk::Skipped(Skip::TooLarge));
    }
    let after = Stamp::of(&Metadata::from_file(&file).map_err(|error| failed(&error))?);
    let stamp = (opened == after && after.is_settled(started)).then_some(after);
    Ok(FromDisk::Read { bytes, stamp })
}
