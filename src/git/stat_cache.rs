//! The stat cache: what was learnt about the files on disk the last time, so that nothing is read or listed twice.
//!
//! One record per view, kept by the store as bytes. It is only ever a shortcut: whatever does not match, is racy, or
//! is damaged is looked at anew.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::names::{Digest, ObjectId};

/// The version of the encoding; another one is an empty cache.
const VERSION: u8 = 1;

/// A time stamp younger than this, in nanoseconds, may be given to another change too: the clock of a file system
/// goes by the kernel's ticks, 10 ms at most.
const TICK: i64 = 50_000_000;
/// The same for file systems that count whole seconds.
const COARSE_TICK: i64 = 2_500_000_000;

/// What `lstat` says of a file or directory, as far as it tells one state from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    modified: i64,
    changed: i64,
    inode: u64,
}

impl Stamp {
    pub(super) fn of(file: &gix::index::fs::Metadata) -> Stamp {
        Stamp {
            size: file.len(),
            modified: file.modified().map_or(0, nanoseconds),
            changed: file.created().map_or(0, nanoseconds),
            inode: file.ino(),
        }
    }

    /// Is this surely not the file that the other stamp is of?
    pub(super) fn is_another_file(&self, other: &Stamp) -> bool {
        self.inode != other.inode
    }

    /// Can a change after `now` be told from this stamp? If not, the stamp is *racy*, and nothing may rest on it.
    pub(super) fn is_settled(&self, now: i64) -> bool {
        [self.modified, self.changed].into_iter().all(|time| {
            let coarse = time % 1_000_000_000 == 0;
            time.saturating_add(if coarse { COARSE_TICK } else { TICK }) < now
        })
    }
}

/// The present, on the scale of stamps.
pub(super) fn now() -> i64 {
    nanoseconds(SystemTime::now())
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// A file whose content had to be read to know its id.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct CachedFile {
    pub(super) stamp: Stamp,
    pub(super) blob: ObjectId,
    /// Of the blob, in bytes.
    pub(super) size: u64,
}

/// What kind of thing an untracked name is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) enum UntrackedKind {
    File,
    Link,
    /// A FIFO, a socket, a device.
    Special,
}

/// The names in a directory that matter, whatever the scope. Valid as long as the directory's stamp and git's list of paths are the same.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Names {
    /// Directories that may be read.
    pub(super) directories: Vec<Vec<u8>>,
    /// What git does not track, ignored or not.
    pub(super) untracked: Vec<(Vec<u8>, UntrackedKind)>,
    /// Is there a `.git`? Whether that makes it another repository is looked at each time.
    pub(super) git: bool,
}

/// A directory that was listed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct CachedDirectory {
    pub(super) stamp: Stamp,
    pub(super) names: Names,
}

/// See the module. Paths are bytes relative to the root.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StatCache {
    pub(super) files: BTreeMap<Vec<u8>, CachedFile>,
    /// Of everything that decides how `files` were cleaned.
    pub(super) cleaning: Option<Digest>,
    /// Of the paths in git's index at the time when `directories` were listed.
    pub(super) tracked: Option<Digest>,
    pub(super) directories: BTreeMap<Vec<u8>, CachedDirectory>,
    /// JavaScript blobs that were searched for long lines: is it a bundle?
    pub(super) minified: BTreeMap<ObjectId, bool>,
}

impl StatCache {
    /// Encodes it for the store.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(postcard::to_stdvec(self).expect("maps and vectors of plain data always encode"));
        bytes
    }

    /// Decodes what [`StatCache::to_bytes`] made; anything else is an empty cache.
    pub fn from_bytes(bytes: &[u8]) -> StatCache {
        match bytes.split_first() {
            Some((&VERSION, rest)) => postcard::from_bytes(rest).unwrap_or_default(),
            _ => StatCache::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_young_stamp_is_racy() {
        let stamp = Stamp { size: 1, modified: 5_000_000_001, changed: 5_000_000_001, inode: 1 };
        assert!(!stamp.is_settled(5_000_000_001));
        assert!(!stamp.is_settled(5_000_000_001 + TICK));
        assert!(stamp.is_settled(5_000_000_002 + TICK));
        let coarse = Stamp { modified: 5_000_000_000, ..stamp };
        assert!(!coarse.is_settled(5_000_000_002 + TICK));
        assert!(coarse.is_settled(5_000_000_001 + COARSE_TICK));
    }

    #[test]
    fn what_is_not_ours_is_an_empty_cache() {
        let mut cache = StatCache::default();
        cache.minified.insert(ObjectId::from_bytes(&[7; 20]).expect("an id"), true);
        let bytes = cache.to_bytes();
        assert_eq!(StatCache::from_bytes(&bytes), cache);
        for damaged in [&b""[..], b"\x01", b"\xff\xff\xff", &bytes[..bytes.len() - 1]] {
            assert_eq!(StatCache::from_bytes(damaged), StatCache::default());
        }
    }
}
