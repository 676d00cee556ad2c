//! Listing a commit's tree.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::objs::FindExt;
use gix::objs::tree::EntryKind;

use super::GitError;
use super::listing::{Content, Listing, Scope, join};
use super::repository::Git;
use crate::snapshot::{Skip, is_hidden_directory};

/// More directories than this are no source tree, but a trap of trees that hold each other many times.
const MAX_TREES: usize = 1_000_000;

/// How much of the trees is kept at hand, in bytes.
const TREE_CACHE_BYTES: usize = 1 << 20;

impl Git {
    /// Lists what the tree of a commit has below the root.
    pub(super) fn list_tree(
        &self,
        repo: &gix::Repository,
        tree: gix::ObjectId,
        scope: Scope,
    ) -> Result<Listing, GitError> {
        let mut repo = repo.clone();
        // A tree that stands in many places is read once.
        repo.object_cache_size(TREE_CACHE_BYTES);
        let repo = &repo;
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

/// Lists everything below one tree, which stands at `path`.
pub(super) fn list_below(
    repo: &gix::Repository,
    tree: gix::ObjectId,
    path: BString,
    scope: Scope,
    listing: &mut Listing,
) -> Result<(), GitError> {
    let mut open = vec![(tree, path)];
    let mut seen = 0;
    let mut buffer = Vec::new();
    while let Some((tree, directory)) = open.pop() {
        seen += 1;
        if seen > MAX_TREES {
            return Err(GitError::read("the tree", format!("it has more than {MAX_TREES} directories")));
        }
        let failed = |error: &dyn std::fmt::Display| GitError::read(format!("tree {tree}"), error);
        let entries = repo.objects.find_tree_iter(&tree, &mut buffer).map_err(|error| failed(&error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed(&error))?;
            let name: &BStr = entry.filename;
            match entry.mode.kind() {
                EntryKind::Tree if scope == Scope::Source && is_hidden_directory(name) => {
                    listing.skip(join(directory.as_bstr(), name).as_bstr(), Skip::Directory);
                }
                EntryKind::Tree => open.push((entry.oid.to_owned(), join(directory.as_bstr(), name))),
                EntryKind::Blob | EntryKind::BlobExecutable => {
                    if let Some(kind) = scope.kind(name) {
                        listing.add(join(directory.as_bstr(), name), kind, Content::Blob(entry.oid.to_owned()))?;
                    }
                }
                EntryKind::Link => listing.skip(join(directory.as_bstr(), name).as_bstr(), Skip::Link),
                EntryKind::Commit => listing.skip(join(directory.as_bstr(), name).as_bstr(), Skip::Border),
            }
        }
    }
    Ok(())
}
