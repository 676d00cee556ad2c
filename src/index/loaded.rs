//! A graph at hand, with what is known of its snapshot.

use serde::{Deserialize, Serialize};

use super::IndexError;
use crate::graph::Graph;
use crate::memory_graph::MemoryGraph;
use crate::names::{BlobId, CommitId, Digest, RepoPath, SnapshotId};
use crate::snapshot::{Skip, Skipped};
use crate::store::StoredGraph;

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// Blobs that were read and parsed.
    pub parsed: usize,
    /// Units that were made.
    pub resolved: usize,
    /// Units that were there already.
    pub reused: usize,
}

impl std::ops::Add for Work {
    type Output = Work;

    fn add(self, other: Work) -> Work {
        Work {
            parsed: self.parsed + other.parsed,
            resolved: self.resolved + other.resolved,
            reused: self.reused + other.reused,
        }
    }
}

/// What is known of a graph besides its units.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Info {
    pub(super) skipped: Vec<(RepoPath, u8)>,
    pub(super) conflicts: Vec<RepoPath>,
    /// Files that made the program fail.
    pub(super) failed: Vec<RepoPath>,
    /// Of the rules that made it.
    pub(super) rules: Digest,
}

/// What [`Info`] was stored as; `None` when it is none.
pub(super) fn decode_info(bytes: &[u8]) -> Option<Info> {
    postcard::from_bytes(bytes).ok()
}

/// A graph with what is known of its snapshot.
pub struct Loaded {
    pub(super) graph: LoadedGraph,
    /// What the graph is of.
    pub snapshot: SnapshotId,
    /// Of the graph; equal graphs have equal digests.
    pub digest: Digest,
    /// `disk`, `staged`, or the revision as it was asked for.
    pub at: String,
    /// The commit that the snapshot is of, or stands on.
    pub commit: Option<CommitId>,
    /// Every file that resolution could read, sorted by path.
    pub(super) files: Vec<(RepoPath, BlobId)>,
    /// Sources that were left out, sorted by path.
    pub skipped: Vec<Skipped>,
    /// Paths in conflict, sorted.
    pub conflicts: Vec<RepoPath>,
    /// Files that made the program fail.
    pub failed: Vec<RepoPath>,
    /// Files whose object is not there (a partial clone).
    pub missing: Vec<(RepoPath, BlobId)>,
    /// For stderr.
    pub warnings: Vec<String>,
    /// What was done to have it.
    pub work: Work,
}

pub(super) enum LoadedGraph {
    Stored(Box<StoredGraph>),
    Memory(MemoryGraph),
}

impl Loaded {
    pub(super) fn new(graph: LoadedGraph, snapshot: SnapshotId, digest: Digest, info: Info) -> Loaded {
        let reason = |code: u8| Skip::ALL.get(usize::from(code)).copied().unwrap_or(Skip::Unreadable);
        Loaded {
            graph,
            snapshot,
            digest,
            at: String::new(),
            commit: None,
            files: Vec::new(),
            skipped: info.skipped.into_iter().map(|(path, code)| Skipped { path, reason: reason(code) }).collect(),
            conflicts: info.conflicts,
            failed: info.failed,
            missing: Vec::new(),
            warnings: Vec::new(),
            work: Work::default(),
        }
    }

    /// Says what the graph is called, and the commit that it is of.
    pub(super) fn named(mut self, at: &str, commit: Option<CommitId>) -> Loaded {
        self.at = at.to_owned();
        self.commit = commit;
        self
    }

    /// The graph itself.
    pub fn graph(&self) -> &dyn Graph {
        match &self.graph {
            LoadedGraph::Stored(graph) => &**graph,
            LoadedGraph::Memory(graph) => graph,
        }
    }

    /// What went wrong while the graph was read, if anything did: ask once the answer is made.
    pub fn check(&self) -> Result<(), IndexError> {
        match &self.graph {
            LoadedGraph::Stored(graph) => Ok(graph.check()?),
            LoadedGraph::Memory(_) => Ok(()),
        }
    }
}
