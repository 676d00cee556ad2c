//! Which files changed: between two commits, between a commit and the disk. Of all files, not only those we index, so
//! that "nothing affected" is never said of a change that we cannot see into.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;

use gix::bstr::{BString, ByteSlice};
use rustc_hash::FxHashMap;

use super::content::{Loader, Resolved};
use super::listing::{Content, Listing, Scope};
use super::revision::gix_id;
use super::stat_cache::StatCache;
use super::{GitError, Repository};
use crate::names::{RepoPath, TreeId};
use crate::snapshot::{Skip, Skipped};

/// A file that is larger on disk than this many bytes and does not look clean counts as changed without being read.
const MAX_COMPARED_BYTES: u64 = 64 << 20;

impl Repository {
    /// The files that differ between two trees, below the root, sorted. File modes do not count.
    pub fn changed_between(&self, before: TreeId, after: TreeId) -> Result<Vec<RepoPath>, GitError> {
        let git = self.git()?;
        let repo = git.local();
        let before = git.list_tree(&repo, gix_id(before.0), Scope::Everything)?;
        let after = git.list_tree(&repo, gix_id(after.0), Scope::Everything)?;
        self.changed(before, after, &mut Loader::new(self, false))
    }

    /// The files that differ between a tree and the disk, below the root, sorted; with what is untracked and not
    /// ignored. `cache` is only a shortcut.
    pub fn changed_on_disk(&self, before: TreeId, cache: &StatCache) -> Result<Vec<RepoPath>, GitError> {
        let git = self.git()?;
        let repo = git.local();
        let before = git.list_tree(&repo, gix_id(before.0), Scope::Everything)?;
        let after = git.list_disk(&repo, Scope::Everything, cache)?.listing;
        self.changed(before, after, &mut Loader::new(self, true))
    }

    /// Does the disk differ from `HEAD`? Untracked files count, ignored ones do not; in an unborn branch everything
    /// does. Costs what `git status` costs.
    pub fn is_dirty(&self, cache: &StatCache) -> Result<bool, GitError> {
        match self.head() {
            Ok(head) => Ok(!self.changed_on_disk(head.tree, cache)?.is_empty()),
            Err(GitError::Unborn { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn changed(&self, before: Listing, after: Listing, loader: &mut Loader<'_>) -> Result<Vec<RepoPath>, GitError> {
        let mut changed: BTreeSet<RepoPath> =
            links(&before.skipped).symmetric_difference(&links(&after.skipped)).cloned().collect();
        let mut old: FxHashMap<BString, Content> =
            before.files.into_iter().map(|file| (file.path, file.content)).collect();
        let (nothing, held) = (StatCache::default(), AtomicUsize::new(usize::MAX / 2));
        for file in after.files {
            let same = match (old.remove(&file.path), file.content) {
                (None, _) => false,
                (Some(Content::Blob(old)), Content::Blob(new)) => old == new,
                (Some(Content::Blob(old)), Content::Disk { .. }) => {
                    match loader.resolve(&file, MAX_COMPARED_BYTES, &nothing, &held)? {
                        Resolved::Blob { id, .. } => id == old,
                        Resolved::Missing(_) | Resolved::Skipped(_) | Resolved::Gone => false,
                    }
                }
                (Some(Content::Disk { .. }), _) => false,
            };
            if !same {
                changed.insert(RepoPath::from_bytes(&file.path));
            }
        }
        changed.extend(old.into_keys().map(|path| RepoPath::from_bytes(path.as_bytes())));
        Ok(changed.into_iter().collect())
    }
}

/// Links came or went; where one leads is nothing that we look at.
fn links(skipped: &[Skipped]) -> BTreeSet<RepoPath> {
    skipped.iter().filter(|file| file.reason == Skip::Link).map(|file| file.path.clone()).collect()
}
