//! Edges that came and went.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Correspondence;
use crate::graph::{EdgeKind, Side, Target, Unit};
use crate::names::{Line, RepoPath};

/// An edge that one side has and the other has not. Its ends are named as that side has them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EdgeChange {
    pub source: Target,
    pub kind: EdgeKind,
    pub target: Target,
    /// Of the first site.
    pub line: Line,
}

type Edges = FxHashMap<(Target, EdgeKind, Target), Line>;

/// The edges that were added and removed, sorted. `defines` is left out: a symbol that comes or goes says it.
pub(super) fn changes(
    before: &dyn Side,
    after: &dyn Side,
    paths: &BTreeSet<RepoPath>,
    correspondence: &Correspondence,
) -> (Vec<EdgeChange>, Vec<EdgeChange>) {
    let edges = |side: &dyn Side| {
        let mut edges = Edges::default();
        paths.iter().filter_map(|path| side.graph().unit(path.as_str())).for_each(|unit| collect(&unit, &mut edges));
        edges
    };
    let (mut old, mut new) = (edges(before), edges(after));
    // What leads to or from a file that one side does not read is not known to have come or gone.
    let read = |(source, _, target): &(Target, EdgeKind, Target)| {
        !correspondence.unread.contains(&source.path) && !correspondence.unread.contains(&target.path)
    };
    old.retain(|edge, _| read(edge));
    new.retain(|edge, _| read(edge));
    let mut removed = Vec::new();
    for ((source, kind, target), line) in old {
        let still = correspondence.now(&source).zip(correspondence.now(&target));
        let still = still.and_then(|(source, target)| new.remove(&(source, kind, target)));
        if still.is_none() {
            removed.push(EdgeChange { source, kind, target, line });
        }
    }
    let added = new.into_iter().map(|((source, kind, target), line)| EdgeChange { source, kind, target, line });
    let mut added: Vec<EdgeChange> = added.collect();
    added.sort();
    removed.sort();
    (added, removed)
}

fn collect(unit: &Unit, edges: &mut Edges) {
    for edge in unit.edges.iter().filter(|edge| edge.kind != EdgeKind::Defines) {
        let key = (unit.target(edge.source as usize), edge.kind, edge.target.clone());
        let line = edges.entry(key).or_insert(edge.site.line);
        *line = (*line).min(edge.site.line);
    }
}
