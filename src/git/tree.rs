//! Listing a commit's tree.

use std::sync::atomic::{AtomicUsize, Ordering};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::objs::FindExt;
use gix::objs::tree::EntryKind;
use rayon::prelude::*;

use super::GitError;
use super::listing::{Content, Listing, Scope, join};
use super::repository::Git;
use crate::snapshot::{Skip, is_hidden_directory};

/// More directories than this are no source tree, but a trap of trees that hold each other many times.
const MAX_TREES: usize = 1_000_000;

/// Trees that a thread takes at a time.
const PIECE_TREES: usize = 16;

impl Git {
    /// Lists what the tree of a commit has below the root.
    pub(super) fn list_tree(
        &self,
        repo: &gix::Repository,
        tree: gix::ObjectId,
        scope: Scope,
    ) -> Result<Listing, GitError> {
        let mut listing = Listing::default();
        if let Some(tree) = self.tree_of_root(repo, tree)? {
            list_below(repo, tree, BString::default(), scope, &mut listing)?;
        }
        Ok(listing)
    }

    /// The tree of the root itself, `None` when the commit has no such directory.
    fn tree_of_root(&self, repo: &gix::Repository, tree: gix::ObjectId) -> Result<Option<gix::ObjectId>, GitError> {
        if self.prefix.is_empty() {
            return Ok(Some(tree));
        }
        let failed = |error: &dyn std::fmt::Display| GitError::read(format!("tree {tree}"), error);
        let top = repo.find_tree(tree).map_err(|error| failed(&error))?;
        let entry = top.lookup_entry(self.prefix.split_str("/")).map_err(|error| failed(&error))?;
        Ok(entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id()))
    }
}

/// A tree to be listed, and where it stands.
type Open = (gix::ObjectId, BString);

/// Lists everything below one tree, which stands at `path`: level by level, the trees of each on all threads.
pub(super) fn list_below(
    repo: &gix::Repository,
    tree: gix::ObjectId,
    path: BString,
    scope: Scope,
    listing: &mut Listing,
) -> Result<(), GitError> {
    let shared = repo.clone().into_sync();
    let seen = AtomicUsize::new(1);
    let mut open: Vec<Open> = vec![(tree, path)];
    while !open.is_empty() {
        let list = |trees: &[Open]| {
            let (repo, mut listing, mut below) = (shared.to_thread_local(), Listing::default(), Vec::new());
            trees.iter().try_for_each(|tree| list_one(&repo, tree, scope, &seen, &mut listing, &mut below))?;
            Ok::<_, GitError>((listing, below))
        };
        let parts: Vec<(Listing, Vec<Open>)> = open.par_chunks(PIECE_TREES).map(list).collect::<Result<_, _>>()?;
        open.clear();
        for (part, mut below) in parts {
            listing.append(part)?;
            open.append(&mut below);
        }
    }
    Ok(())
}

/// Lists what stands directly in one tree; the trees in it are still open. `seen` counts them, over all threads.
fn list_one(
    repo: &gix::Repository,
    (tree, directory): &Open,
    scope: Scope,
    seen: &AtomicUsize,
    listing: &mut Listing,
    open: &mut Vec<Open>,
) -> Result<(), GitError> {
    let mut buffer = Vec::new();
    let failed = |error: &dyn std::fmt::Display| GitError::read(format!("tree {tree}"), error);
    let entries = repo.objects.find_tree_iter(tree, &mut buffer).map_err(|error| failed(&error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(&error))?;
        let name: &BStr = entry.filename;
        match entry.mode.kind() {
            EntryKind::Tree if scope == Scope::Source && is_hidden_directory(name) => {
                listing.skip(join(directory.as_bstr(), name).as_bstr(), Skip::Directory);
            }
            EntryKind::Tree => {
                if seen.fetch_add(1, Ordering::Relaxed) >= MAX_TREES {
                    return Err(GitError::read("the tree", format!("it has more than {MAX_TREES} directories")));
                }
                open.push((entry.oid.to_owned(), join(directory.as_bstr(), name)));
            }
            EntryKind::Blob | EntryKind::BlobExecutable => {
                if let Some(kind) = scope.kind(name) {
                    listing.add(join(directory.as_bstr(), name), kind, Content::Blob(entry.oid.to_owned()))?;
                }
            }
            EntryKind::Link => listing.skip(join(directory.as_bstr(), name).as_bstr(), Skip::Link),
            EntryKind::Commit => listing.skip(join(directory.as_bstr(), name).as_bstr(), Skip::Border),
        }
    }
    Ok(())
}
