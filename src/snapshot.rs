//! A snapshot: what is in a repository at one moment, as a sorted list path → blob id.
//!
//! Knows neither git nor the disk (those make snapshots), nor what any language does with a file.

use crate::names::{BlobId, Dialect, Digest, RepoPath, SnapshotId};

/// One file of a snapshot that we index or that resolution may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub path: RepoPath,
    /// `None`: the object is not there (a partial clone); such a file is a named gap.
    pub blob: Option<BlobId>,
    pub dialect: Dialect,
}

/// Why a file that looks like source is not in the snapshot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Skip {
    /// In one of the directories that are never read, such as `node_modules`.
    Directory,
    /// Matches a glob of the key `exclude`.
    Excluded,
    /// Larger than `max_file_bytes`.
    TooLarge,
    /// A symbolic link; never followed.
    Link,
    /// A gitlink (submodule) or an untracked directory with its own `.git`: a border.
    Border,
    /// A bundle: JavaScript with a line over 20,000 bytes.
    Minified,
    /// Marked `linguist-generated` or `linguist-vendored` in `.gitattributes`.
    Generated,
    /// `*.d.ts`, `*.d.mts`, `*.d.cts`.
    Declaration,
    /// Under an external clean filter, which is never run, and changed since git looked.
    Filtered,
    /// Could not be read from the disk.
    Unreadable,
    /// A language that this build does not have.
    Language,
    /// Neither a regular file nor a link: a FIFO, a socket, a device.
    Special,
}

impl Skip {
    /// Every reason, in the order of reports.
    pub const ALL: [Skip; 12] = [
        Skip::Directory,
        Skip::Excluded,
        Skip::TooLarge,
        Skip::Link,
        Skip::Border,
        Skip::Minified,
        Skip::Generated,
        Skip::Declaration,
        Skip::Filtered,
        Skip::Unreadable,
        Skip::Language,
        Skip::Special,
    ];

    /// The word that `stats` counts it under.
    pub fn word(self) -> &'static str {
        match self {
            Skip::Directory => "directory",
            Skip::Excluded => "excluded",
            Skip::TooLarge => "too_large",
            Skip::Link => "link",
            Skip::Border => "border",
            Skip::Minified => "minified",
            Skip::Generated => "generated",
            Skip::Declaration => "declaration",
            Skip::Filtered => "filtered",
            Skip::Unreadable => "unreadable",
            Skip::Language => "language",
            Skip::Special => "special",
        }
    }
}

/// A file that was left out, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Skipped {
    pub path: RepoPath,
    pub reason: Skip,
}

/// What is in the repository, as one revision, git's index or the worktree has it.
///
/// `entries` and `skipped` are sorted by path; a path stands in at most one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub id: SnapshotId,
    pub entries: Vec<Entry>,
    pub skipped: Vec<Skipped>,
    /// Paths in conflict, of which one side was taken (stage 2, else 3).
    pub conflicts: Vec<RepoPath>,
}

impl Snapshot {
    /// Sorts the parts and computes the id.
    ///
    /// `rules` are canonical bytes of everything else that decides what the graph will be: our format version, the
    /// languages compiled in and their versions, the resolver's version, the effective configuration, the root prefix.
    pub fn new(
        rules: &[u8],
        mut entries: Vec<Entry>,
        mut skipped: Vec<Skipped>,
        mut conflicts: Vec<RepoPath>,
    ) -> Snapshot {
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        skipped.sort();
        conflicts.sort();
        let mut bytes = Vec::with_capacity(rules.len() + entries.len() * 64);
        bytes.extend((rules.len() as u64).to_be_bytes());
        bytes.extend(rules);
        for entry in &entries {
            bytes.extend((entry.path.as_str().len() as u64).to_be_bytes());
            bytes.extend(entry.path.as_str().as_bytes());
            match &entry.blob {
                Some(blob) => {
                    bytes.push(blob.0.as_bytes().len() as u8);
                    bytes.extend(blob.0.as_bytes());
                }
                None => bytes.push(0),
            }
        }
        Snapshot { id: SnapshotId(Digest::of(&bytes)), entries, skipped, conflicts }
    }

    /// The entry of a path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        Some(&self.entries[at])
    }
}
