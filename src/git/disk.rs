//! Listing the disk: what git tracks and how it stands in the worktree, and what it does not track but would.
//!
//! Directories are walked from the root, level by level, never through a link; a tracked file is looked at only in a
//! directory that the walk has reached. A clean file is not opened, and a directory whose names are known from the
//! last time is not listed: on a quiet worktree all that happens is one `lstat` per directory and per file of
//! interest.

use std::fs;
use std::path::PathBuf;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode, Stage, Stat};
use gix::index::fs::Metadata;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::GitError;
use super::listing::{Content, Listing, Scope, file_name, join};
use super::plain::{is_border, name_bytes};
use super::repository::{Git, native_path};
use super::staged::HiddenDirectories;
use super::stat_cache::{CachedDirectory, Names, Stamp, StatCache, UntrackedKind, now};
use super::tree::list_below;
use crate::names::{Digest, RepoPath};
use crate::snapshot::{FileKind, Skip, is_hidden_directory};

/// A directory with more untracked files than this is listed each time: to remember it would cost more.
const MAX_REMEMBERED_NAMES: usize = 5_000;

/// What the walk found, and what of it may be believed the next time.
pub(super) struct DiskListing {
    pub(super) listing: Listing,
    pub(super) tracked: Digest,
    pub(super) directories: Vec<(Vec<u8>, CachedDirectory)>,
}

/// A tracked file that has to be looked at.
struct Tracked<'a> {
    path: &'a BStr,
    entry: &'a gix::index::Entry,
    kind: Option<FileKind>,
    /// A sparse checkout leaves it out; when it is there nevertheless, it counts.
    sparse: bool,
}

/// All that the walk knows beforehand.
struct Walk<'a> {
    root: PathBuf,
    scope: Scope,
    files: Vec<Tracked<'a>>,
    /// The directories of everything tracked, with the numbers of the files to look at.
    directories: FxHashMap<&'a [u8], Vec<usize>>,
    gitlinks: FxHashSet<&'a [u8]>,
    /// Tracked directories that are hidden, under the directory that holds them. Only in the scope of everything.
    hidden: FxHashMap<&'a [u8], Vec<&'a [u8]>>,
    /// Sorted: every tracked path, looked at or not.
    paths: Vec<&'a BStr>,
    rules: StatRules<'a>,
    cached: Option<&'a StatCache>,
    now: i64,
}

/// How git compares stat data.
struct StatRules<'a> {
    options: gix::index::entry::stat::Options,
    index: &'a gix::index::File,
    empty: gix::ObjectId,
    links: bool,
}

/// How a tracked file stands on disk.
enum State {
    Gone,
    Here(Content),
    Skipped(Skip),
}

/// One directory's part of the walk.
#[derive(Default)]
struct Visited {
    names: Names,
    stamp: Option<Stamp>,
    states: Vec<(usize, State)>,
    border: bool,
    unreadable: bool,
}

impl Git {
    /// Lists what is on disk below the root.
    pub(super) fn list_disk(
        &self,
        repo: &gix::Repository,
        scope: Scope,
        cache: &StatCache,
    ) -> Result<DiskListing, GitError> {
        let index = self.index(repo)?;
        let mut listing = Listing::default();
        let mut walk = Walk::new(self, repo, &index, scope, &mut listing)?;
        let tracked = digest_of_paths(&index);
        walk.cached = (cache.tracked == Some(tracked)).then_some(cache);

        let mut excludes = Excludes { git: self, repo, index: &index, stack: None };
        let mut seen = vec![false; walk.files.len()];
        let mut untracked = Vec::new();
        let mut directories = Vec::new();
        let mut level = vec![BString::default()];
        while !level.is_empty() {
            let visits: Vec<Visited> = level.par_iter().map(|directory| walk.visit(directory.as_bstr())).collect();
            let mut next = Vec::new();
            for (directory, visit) in level.iter().zip(visits) {
                for (at, state) in visit.states {
                    seen[at] = true;
                    walk.note(at, state, &mut listing)?;
                }
                if visit.unreadable {
                    listing.skip(directory.as_bstr(), Skip::Unreadable);
                }
                if visit.border {
                    listing.skip(directory.as_bstr(), Skip::Border);
                } else {
                    for name in &visit.names.directories {
                        let path = join(directory.as_bstr(), name);
                        if walk.is_tracked_directory(&path)
                            || !walk.gitlinks.contains(path.as_slice()) && !excludes.contain(path.as_bstr(), true)?
                        {
                            next.push(path);
                        }
                    }
                    let tracked = walk.hidden.get(directory.as_slice()).into_iter().flatten();
                    next.extend(tracked.map(|path| BString::from(*path)));
                    let named = visit.names.untracked.iter();
                    let wanted =
                        named.filter(|(name, kind)| *kind == UntrackedKind::Link || scope.kind(name).is_some());
                    untracked.extend(wanted.map(|(name, kind)| (join(directory.as_bstr(), name), *kind)));
                }
                let few = visit.names.untracked.len() <= MAX_REMEMBERED_NAMES;
                if let Some(stamp) = visit.stamp.filter(|stamp| few && stamp.is_settled(walk.now)) {
                    directories.push((directory.to_vec(), CachedDirectory { stamp, names: visit.names }));
                }
            }
            level = next;
        }
        for (file, _) in walk.files.iter().zip(seen).filter(|(file, seen)| file.sparse && !seen) {
            if let Some(kind) = file.kind {
                listing.add(file.path.to_owned(), kind, Content::Blob(file.entry.id))?;
            }
        }
        untracked.sort();
        for (path, kind) in untracked {
            if !excludes.contain(path.as_bstr(), false)? {
                walk.note_untracked(path, kind, &mut listing)?;
            }
        }
        Ok(DiskListing { listing, tracked, directories })
    }
}

impl<'a> Walk<'a> {
    /// Sorts git's index into what has to be looked at and what stands as it is there.
    fn new(
        git: &'a Git,
        repo: &gix::Repository,
        index: &'a gix::index::File,
        scope: Scope,
        listing: &mut Listing,
    ) -> Result<Walk<'a>, GitError> {
        let config = repo.config_snapshot();
        let look_for_sparse = config.boolean("core.sparseCheckout") == Some(true)
            && config.boolean("sparse.expectFilesOutsideOfPatterns") != Some(true);
        let mut walk = Walk {
            root: git.worktree()?.join(native_path(git.prefix.as_bstr())),
            scope,
            files: Vec::new(),
            directories: FxHashMap::default(),
            gitlinks: FxHashSet::default(),
            hidden: FxHashMap::default(),
            paths: Vec::new(),
            rules: StatRules::new(repo, index)?,
            cached: None,
            now: now(),
        };
        let mut hidden = HiddenDirectories::new(scope);
        let mut last = None;
        for (path, entry) in git.tracked(index) {
            if let Some(directory) = hidden.above(path) {
                if hidden.is_new() {
                    listing.skip(directory, Skip::Directory);
                }
                continue;
            }
            if entry.mode == Mode::DIR {
                list_below(repo, entry.id, path.strip_suffix(b"/").unwrap_or(path).into(), scope, listing)?;
                continue;
            }
            let directory = path.rfind_byte(b'/').map_or(&b""[..], |end| &path[..end]);
            if last != Some(directory) {
                walk.add_directory(directory);
                last = Some(directory);
            }
            walk.paths.push(path);
            let kind = scope.kind(file_name(path));
            match entry.mode {
                Mode::COMMIT => {
                    walk.gitlinks.insert(path);
                    listing.skip(path, Skip::Border);
                    continue;
                }
                Mode::SYMLINK => {}
                _ if kind.is_none() => continue,
                _ => {}
            }
            if entry.stage() != Stage::Unconflicted {
                listing.conflicts.push(RepoPath::from_bytes(path));
            }
            let sparse = entry.flags.contains(Flags::SKIP_WORKTREE);
            if entry.flags.contains(Flags::ASSUME_VALID) || sparse && !look_for_sparse {
                match kind {
                    _ if entry.mode == Mode::SYMLINK => listing.skip(path, Skip::Link),
                    Some(kind) => listing.add(path.to_owned(), kind, Content::Blob(entry.id))?,
                    None => {}
                }
                continue;
            }
            if let Some(numbers) = walk.directories.get_mut(directory) {
                numbers.push(walk.files.len());
            }
            walk.files.push(Tracked { path, entry, kind, sparse });
        }
        Ok(walk)
    }

    /// Notes a directory and all above it.
    fn add_directory(&mut self, mut directory: &'a [u8]) {
        while !self.directories.contains_key(directory) {
            self.directories.insert(directory, Vec::new());
            let end = directory.rfind_byte(b'/');
            let (above, name) = end.map_or((&b""[..], directory), |end| (&directory[..end], &directory[end + 1..]));
            if is_hidden_directory(name) {
                self.hidden.entry(above).or_default().push(directory);
            }
            directory = above;
        }
    }

    /// Is the directory the root, or does git track something in it?
    fn is_tracked_directory(&self, directory: &[u8]) -> bool {
        directory.is_empty() || self.directories.contains_key(directory)
    }

    fn visit(&self, directory: &BStr) -> Visited {
        let mut visited = Visited::default();
        let path = self.root.join(native_path(directory));
        let Ok(metadata) = Metadata::from_path_no_follow(&path) else { return visited };
        if !metadata.is_dir() {
            return visited;
        }
        let stamp = Stamp::of(&metadata);
        let known = self.cached.and_then(|cache| cache.directories.get(directory.as_bytes()));
        match known.filter(|known| known.stamp == stamp) {
            Some(known) => {
                visited.names = known.names.clone();
                visited.stamp = Some(stamp);
            }
            None => match self.list_names(directory, &path) {
                Ok(names) => {
                    visited.names = names;
                    visited.stamp = Some(stamp);
                }
                Err(_) => visited.unreadable = true,
            },
        }
        visited.border = visited.names.git && !self.is_tracked_directory(directory) && is_border(&path);
        for &at in self.directories.get(directory.as_bytes()).into_iter().flatten() {
            let name = file_name(self.files[at].path);
            let state = self.look_at(&self.files[at], &path.join(native_path(name.as_bstr())));
            visited.states.push((at, state));
        }
        visited
    }

    fn list_names(&self, directory: &BStr, path: &std::path::Path) -> std::io::Result<Names> {
        let mut names = Names::default();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name_bytes(&name);
            let kind = entry.file_type()?;
            if name == b".git" {
                names.git = true;
            } else if kind.is_dir() {
                if !is_hidden_directory(name) {
                    names.directories.push(name.to_vec());
                }
            } else {
                let kind = match () {
                    () if kind.is_symlink() => UntrackedKind::Link,
                    () if kind.is_file() => UntrackedKind::File,
                    () => UntrackedKind::Special,
                };
                if self.paths.binary_search(&join(directory, name).as_bstr()).is_err() {
                    names.untracked.push((name.to_vec(), kind));
                }
            }
        }
        names.directories.sort();
        names.untracked.sort();
        Ok(names)
    }

    /// Compares a tracked file with git's stat data.
    fn look_at(&self, file: &Tracked<'_>, path: &std::path::Path) -> State {
        let metadata = match Metadata::from_path_no_follow(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                return State::Skipped(Skip::Unreadable);
            }
            Err(_) if file.sparse => return State::Here(Content::Blob(file.entry.id)),
            Err(_) => return State::Gone,
        };
        if metadata.is_symlink() {
            return State::Skipped(Skip::Link);
        }
        if metadata.is_dir() {
            return State::Gone;
        }
        if file.entry.mode == Mode::SYMLINK && (!self.rules.links || file.kind.is_none()) {
            return if self.rules.links { State::Gone } else { State::Skipped(Skip::Link) };
        }
        if !metadata.is_file() {
            return State::Skipped(Skip::Special);
        }
        let stamp = Stamp::of(&metadata);
        let settled = file.entry.stage() == Stage::Unconflicted
            && file.entry.mode != Mode::SYMLINK
            && !file.entry.flags.contains(Flags::INTENT_TO_ADD);
        if !settled || !self.rules.matches(file.entry, &metadata) {
            return State::Here(Content::Disk { stamp, staged: None });
        }
        match self.rules.is_racy(file.entry) {
            true => State::Here(Content::Disk { stamp, staged: Some(file.entry.id) }),
            false => State::Here(Content::Blob(file.entry.id)),
        }
    }

    fn note(&self, at: usize, state: State, listing: &mut Listing) -> Result<(), GitError> {
        let file = &self.files[at];
        match state {
            State::Gone => Ok(()),
            State::Skipped(reason) => {
                // An unreadable link leads nowhere that we would go.
                if reason == Skip::Link || file.kind.is_some() {
                    listing.skip(file.path, reason);
                }
                Ok(())
            }
            State::Here(content) => match file.kind {
                Some(kind) => listing.add(file.path.to_owned(), kind, content),
                None => Ok(()),
            },
        }
    }

    fn note_untracked(&self, path: BString, kind: UntrackedKind, listing: &mut Listing) -> Result<(), GitError> {
        let wanted = self.scope.kind(file_name(path.as_bstr()));
        match (kind, wanted) {
            (UntrackedKind::Link, _) => listing.skip(path.as_bstr(), Skip::Link),
            (UntrackedKind::Special, Some(FileKind::Read(_))) => listing.skip(path.as_bstr(), Skip::Special),
            (UntrackedKind::File, Some(wanted)) => {
                // The names may be those of the last time; what is gone now is not there.
                let file = Metadata::from_path_no_follow(&self.root.join(native_path(path.as_bstr())));
                if let Some(file) = file.ok().filter(Metadata::is_file) {
                    let content = Content::Disk { stamp: Stamp::of(&file), staged: None };
                    return listing.add(path, wanted, content);
                }
            }
            (UntrackedKind::File | UntrackedKind::Special, _) => {}
        }
        Ok(())
    }
}

impl<'a> StatRules<'a> {
    fn new(repo: &gix::Repository, index: &'a gix::index::File) -> Result<StatRules<'a>, GitError> {
        let mut options = repo.stat_options().map_err(|error| GitError::read("git's configuration", error))?;
        // As git: `core.checkStat=minimal` leaves ctime out too.
        options.trust_ctime &= options.check_stat;
        Ok(StatRules {
            options,
            index,
            empty: gix::ObjectId::empty_blob(repo.object_hash()),
            links: repo.config_snapshot().boolean("core.symlinks") != Some(false),
        })
    }

    fn matches(&self, entry: &gix::index::Entry, metadata: &Metadata) -> bool {
        // Git writes size 0 for an entry that it found racy: such a file must be read, unless it is empty indeed.
        let smudged = entry.stat.size == 0 && entry.id != self.empty;
        !smudged && Stat::from_fs(metadata).is_ok_and(|stat| entry.stat.matches(&stat, self.options))
    }

    fn is_racy(&self, entry: &gix::index::Entry) -> bool {
        entry.stat.is_racy(self.index.timestamp(), self.options)
    }
}

/// Git's ignore rules, read only when something untracked turns up.
struct Excludes<'a> {
    git: &'a Git,
    repo: &'a gix::Repository,
    index: &'a gix::index::File,
    stack: Option<gix::AttributeStack<'a>>,
}

impl Excludes<'_> {
    fn contain(&mut self, path: &BStr, is_directory: bool) -> Result<bool, GitError> {
        let failed = |error: &dyn std::fmt::Display| GitError::read("git's ignore rules", error);
        let stack = match &mut self.stack {
            Some(stack) => stack,
            None => {
                let stack = self.repo.excludes(self.index, None, Default::default()).map_err(|error| failed(&error))?;
                self.stack.insert(stack)
            }
        };
        let mode = if is_directory { Mode::DIR } else { Mode::FILE };
        let path = self.git.full_path(path);
        let place = stack.at_entry(path.as_bstr(), Some(mode)).map_err(|error| failed(&error))?;
        Ok(place.is_excluded())
    }
}

/// A digest of all paths in git's index.
fn digest_of_paths(index: &gix::index::State) -> Digest {
    let mut bytes = Vec::with_capacity(index.path_backing().len() + index.entries().len());
    for entry in index.entries() {
        bytes.extend_from_slice(entry.path(index));
        bytes.push(0);
    }
    Digest::of(&bytes)
}
