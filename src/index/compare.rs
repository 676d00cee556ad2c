//! Comparing: which two graphs a question about a change is about, and what of both sides it needs beside them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use super::facts::{guarded, key};
use super::{At, IndexError, Loaded, Session, lock};
use crate::facts::Facts;
use crate::git::{GitError, Revision, StatCache, View};
use crate::graph::{Graph, Side};
use crate::languages::{Pieces, text};
use crate::names::{BlobId, CommitId, RepoPath};
use crate::snapshot::{self, Entry, FileKind, Snapshot, file_kind};
use crate::store::decode_facts;

/// Two sides, ready to be compared.
pub struct Compared<'a> {
    pub before: OneSide<'a>,
    pub after: OneSide<'a>,
    /// What stands before: the merge base, or exactly the commit that was named.
    pub base: CommitId,
    /// What stands after; `None` is the disk.
    pub head: Option<CommitId>,
    /// Further merge bases, which were not taken.
    pub other_bases: Vec<CommitId>,
    /// Changed files that the comparison cannot see into.
    pub unread: Vec<RepoPath>,
    /// Configuration files that differ.
    pub config_changed: Vec<RepoPath>,
}

/// One side of a comparison.
pub struct OneSide<'a> {
    session: &'a Session,
    loaded: Loaded,
    is_disk: bool,
    facts: Mutex<Option<crate::store::Session>>,
}

/// Which commits to compare.
struct Ends {
    before: Revision,
    /// `None` is the disk.
    after: Option<Revision>,
    other_bases: Vec<CommitId>,
}

impl Session {
    /// Loads what a question about a change compares (DESIGN §11).
    ///
    /// `base` alone: from its merge base with `HEAD` to the disk. With `head`: from their merge base to `head`. `A..B`
    /// is exactly these two, `A...B` the same as A and B apart. Without `base` it is `HEAD`.
    pub fn compare(&self, base: Option<&str>, head: Option<&str>) -> Result<Compared<'_>, IndexError> {
        let Ends { before, after, other_bases } = self.ends(base.unwrap_or("HEAD"), head)?;
        let at = |revision: &Revision| At::Revision(revision.commit.to_string());
        // The disk first: it is what HEAD's graph is most cheaply built from.
        let new = self.load(&after.as_ref().map_or(At::Disk, at))?;
        let old = self.load(&at(&before))?;
        Session::refuse_gaps(&old, &new)?;
        let changed = match &after {
            Some(after) => self.repository.changed_between(before.tree, after.tree)?,
            None => self.repository.changed_on_disk(before.tree, &self.stat_cache())?,
        };
        let (snapshot_before, snapshot_after) = (old.outline(), new.outline());
        let mut unread: BTreeSet<RepoPath> =
            snapshot::unread(&changed, &snapshot_before, &snapshot_after).into_iter().collect();
        let is_configuration = |path: &RepoPath| match file_kind(path.file_name().as_bytes()) {
            FileKind::Read(crate::names::Dialect::Configuration) => !unread.contains(path),
            FileKind::Attributes => true,
            _ => false,
        };
        let config_changed: Vec<RepoPath> = changed.iter().filter(|path| is_configuration(path)).cloned().collect();
        for path in &config_changed {
            unread.remove(path);
        }
        let side = |loaded, is_disk| OneSide { session: self, loaded, is_disk, facts: Mutex::new(None) };
        Ok(Compared {
            before: side(old, false),
            after: side(new, after.is_none()),
            base: before.commit,
            head: after.map(|revision| revision.commit),
            other_bases,
            unread: unread.into_iter().collect(),
            config_changed,
        })
    }

    fn ends(&self, base: &str, head: Option<&str>) -> Result<Ends, IndexError> {
        let named = |text: &str| self.repository.resolve(if text.is_empty() { "HEAD" } else { text });
        if let Some((one, other)) = base.split_once("..") {
            if head.is_some() {
                return Err(IndexError::TwoHeads { range: base.escape_debug().to_string() });
            }
            return match other.strip_prefix('.') {
                Some(other) => self.since(&named(one)?, Some(named(other)?)),
                None => Ok(Ends { before: named(one)?, after: Some(named(other)?), other_bases: Vec::new() }),
            };
        }
        let base = named(base)?;
        match head {
            Some(head) => self.since(&base, Some(named(head)?)),
            None if self.repository.is_bare() => self.since(&base, Some(self.repository.head()?)),
            None => self.since(&base, None),
        }
    }

    /// From the merge base with `head` (or with `HEAD`) to it (or to the disk).
    fn since(&self, base: &Revision, head: Option<Revision>) -> Result<Ends, IndexError> {
        let tip = match &head {
            Some(head) => *head,
            None => self.repository.head()?,
        };
        let bases = self.repository.merge_bases(base.commit, tip.commit)?;
        let (best, others) = bases.split_first().expect("there is a merge base, or an error");
        Ok(Ends { before: self.repository.commit(*best)?, after: head, other_bases: others.to_vec() })
    }

    /// What was last seen of the disk, to look again at less.
    fn stat_cache(&self) -> StatCache {
        let view = match self.reading() {
            Ok(Some(session)) => session.view(&self.repository.view(View::Disk)).ok().flatten(),
            _ => None,
        };
        view.map(|view| StatCache::from_bytes(&view.stat_cache)).unwrap_or_default()
    }

    /// A file that differs and whose object is not there (a partial clone) ends a comparison.
    fn refuse_gaps(old: &Loaded, new: &Loaded) -> Result<(), IndexError> {
        for (one, other) in [(old, new), (new, old)] {
            if let Some((path, blob)) = one.missing.iter().find(|(path, blob)| other.blob(path) != Some(*blob)) {
                return Err(GitError::MissingBlob { path: path.clone(), blob: *blob }.into());
            }
        }
        Ok(())
    }
}

impl Loaded {
    /// The snapshot's files, as far as a comparison of two snapshots looks at them.
    fn outline(&self) -> Snapshot {
        let entry = |(path, blob): &(RepoPath, BlobId)| match file_kind(path.file_name().as_bytes()) {
            FileKind::Read(dialect) => Some(Entry { path: path.clone(), blob: Some(*blob), dialect }),
            _ => None,
        };
        Snapshot {
            id: self.snapshot,
            entries: self.files.iter().filter_map(entry).collect(),
            skipped: self.skipped.clone(),
            conflicts: Vec::new(),
        }
    }

    /// The blob of a file of the snapshot, also of one that is not there.
    fn blob(&self, path: &RepoPath) -> Option<BlobId> {
        let found = self.files.binary_search_by(|(file, _)| file.cmp(path));
        let known = found.ok().map(|at| self.files[at].1);
        known.or_else(|| self.missing.iter().find(|(file, _)| file == path).map(|(_, blob)| *blob))
    }
}

impl OneSide<'_> {
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        let at = self.loaded.files.binary_search_by(|(file, _)| file.as_str().cmp(path)).ok()?;
        let (path, blob) = self.loaded.files[at].clone();
        match file_kind(path.file_name().as_bytes()) {
            FileKind::Read(dialect) => Some(Entry { path, blob: Some(blob), dialect }),
            _ => None,
        }
    }

    fn stored_facts(&self, entry: &Entry) -> Option<Facts> {
        let mut session = lock(&self.facts);
        if session.is_none() {
            *session = self.session.reading().ok().flatten();
        }
        let packed = session.as_ref()?.facts(&[key(entry)?]).ok()?.pop().flatten()?;
        decode_facts(&packed)
    }

    fn bytes(&self, entry: &Entry) -> Option<Vec<u8>> {
        self.session.repository.blob_text(&entry.path, entry.blob?, self.is_disk).ok().flatten()
    }
}

impl Side for OneSide<'_> {
    fn graph(&self) -> &dyn Graph {
        self.loaded.graph()
    }

    fn facts(&self, path: &str) -> Option<Arc<Facts>> {
        let entry = self.entry(path)?;
        let made = || Some(self.session.extract(entry.dialect, &self.bytes(&entry)?, &Pieces::default())?.0);
        let facts = self.stored_facts(&entry).or_else(|| guarded(made))?;
        Some(Arc::new(facts))
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        Some(text::decode(&self.bytes(&self.entry(path)?)?).into())
    }
}
