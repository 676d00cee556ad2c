//! Listing git's index: what the next commit would hold.

use gix::bstr::{BStr, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage};

use super::GitError;
use super::listing::{Content, Listing, Scope, file_name};
use super::repository::Git;
use super::tree::list_below;
use crate::names::RepoPath;
use crate::snapshot::{Skip, is_hidden_directory};

impl Git {
    /// Lists what git's index has below the root.
    pub(super) fn list_staged(
        &self,
        repo: &gix::Repository,
        index: &gix::index::State,
        scope: Scope,
    ) -> Result<Listing, GitError> {
        let mut listing = Listing::default();
        let mut hidden = HiddenDirectories::new(scope);
        for (path, entry) in self.tracked(index) {
            if let Some(directory) = hidden.above(path) {
                if hidden.is_new() {
                    listing.skip(directory, Skip::Directory);
                }
                continue;
            }
            if entry.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            if entry.stage() != Stage::Unconflicted {
                listing.conflicts.push(RepoPath::from_bytes(path));
            }
            match entry.mode {
                Mode::SYMLINK => listing.skip(path, Skip::Link),
                Mode::COMMIT => listing.skip(path, Skip::Border),
                Mode::DIR => {
                    let path = path.strip_suffix(b"/").unwrap_or(path).into();
                    list_below(repo, entry.id, path, scope, &mut listing)?;
                }
                _ => {
                    if let Some(kind) = scope.kind(file_name(path)) {
                        listing.add(path.to_owned(), kind, Content::Blob(entry.id))?;
                    }
                }
            }
        }
        Ok(listing)
    }

    /// The index's entries below the root with their paths relative to it, one per path: of a conflict stage 2, else
    /// 3. What exists only in the common ancestor was deleted on both sides.
    pub(super) fn tracked<'a>(
        &'a self,
        index: &'a gix::index::State,
    ) -> impl Iterator<Item = (&'a BStr, &'a gix::index::Entry)> {
        let entries = index.entries();
        entries.iter().enumerate().filter_map(move |(at, entry)| {
            let full = entry.path(index);
            let path = self.below_root(full)?;
            let taken = match entry.stage() {
                Stage::Unconflicted | Stage::Ours => true,
                Stage::Base => false,
                Stage::Theirs => {
                    at == 0 || entries[at - 1].path(index) != full || entries[at - 1].stage() == Stage::Base
                }
            };
            taken.then_some((path, entry))
        })
    }
}

/// Recognises paths in hidden directories, in the order of git's index.
pub(super) struct HiddenDirectories {
    active: bool,
    /// The directory of the last path, and how many of its bytes are the hidden directory.
    directory: Vec<u8>,
    hidden: Option<usize>,
    new: bool,
}

impl HiddenDirectories {
    pub(super) fn new(scope: Scope) -> HiddenDirectories {
        HiddenDirectories { active: scope == Scope::Source, directory: Vec::new(), hidden: None, new: false }
    }

    /// The uppermost hidden directory that the path lies in.
    pub(super) fn above<'a>(&mut self, path: &'a BStr) -> Option<&'a BStr> {
        if !self.active {
            return None;
        }
        let directory = path.rfind_byte(b'/').map_or(&b""[..], |end| &path[..end]);
        self.new = false;
        if directory != self.directory {
            let before = self.hidden.map(|end| self.directory[..end].to_vec());
            let mut end = 0;
            self.hidden = directory.split_str("/").find_map(|name| {
                end += name.len() + 1;
                is_hidden_directory(name).then_some(end - 1)
            });
            self.directory = directory.to_vec();
            self.new = self.hidden.is_some_and(|end| before.as_deref() != Some(&self.directory[..end]));
        }
        self.hidden.map(|end| path[..end].as_bstr())
    }

    /// Was the directory that the last call found not found by the call before it?
    pub(super) fn is_new(&self) -> bool {
        self.new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_directory_is_reported_once() {
        let mut hidden = HiddenDirectories::new(Scope::Source);
        let mut reported = Vec::new();
        for path in ["a.py", "node_modules/m/a.js", "node_modules/m/venv/b.js", "venv/x.py", "z/venv/x.py", "z/y.py"] {
            let above = hidden.above(path.into()).map(|directory| directory.to_string());
            assert_eq!(above.is_some(), path.contains("venv") || path.contains("node_modules"), "{path}");
            reported.extend(above.filter(|_| hidden.is_new()));
        }
        assert_eq!(reported, ["node_modules", "venv", "z/venv"]);
        let mut everything = HiddenDirectories::new(Scope::Everything);
        assert_eq!(everything.above("venv/x.py".into()), None);
    }
}
