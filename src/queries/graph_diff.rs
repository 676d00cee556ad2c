//! `graph_diff`: which symbols and edges differ between two versions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::comparison::{self, Beside, Compared, Comparison};
use super::markdown::Report;
use super::rows::Head;
use super::{Context, Miss, Needs, Query, markdown};
use crate::diff::{Change, ChangeKind, EdgeChange};
use crate::graph::{EdgeKind, Side};
use crate::names::SymbolId;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphDiff {
    /// Revision (its merge base), or A..B
    #[arg(help = super::BASE)]
    base: Option<String>,
    /// Revision; else the disk
    #[arg(help = super::HEAD)]
    head: Option<String>,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<100, 2000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Default, Serialize)]
pub struct Lists {
    added: Vec<Head>,
    removed: Vec<Head>,
    moved: Vec<Moved>,
    signature_changed: Vec<Signature>,
    body_changed: Vec<Head>,
    /// Unchanged, but led elsewhere.
    resolution_changed: Vec<Head>,
    doc_changed: Vec<Head>,
    edges_added: Vec<EdgeRow>,
    edges_removed: Vec<EdgeRow>,
}

#[derive(Serialize)]
pub struct Answer {
    #[serde(flatten)]
    compared: Compared,
    #[serde(flatten)]
    lists: Lists,
    #[serde(flatten)]
    beside: Beside,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

/// A symbol that stands elsewhere or has another name, and perhaps changed too.
#[derive(Serialize)]
struct Moved {
    from: SymbolId,
    #[serde(flatten)]
    head: Head,
    /// The signature of before, when it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Box<str>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    body_changed: bool,
}

/// A symbol that must be called or used in another way.
#[derive(Serialize)]
struct Signature {
    #[serde(flatten)]
    head: Head,
    /// The signature of before; that of after is `sig`.
    before: Box<str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    body_changed: bool,
}

#[derive(Serialize)]
struct EdgeRow {
    source: SymbolId,
    kind: EdgeKind,
    target: SymbolId,
    /// `path:line` of the first use.
    at: String,
}

/// A row of any of the lists.
#[derive(Serialize)]
#[serde(untagged)]
enum Row {
    Added(Head),
    Removed(Head),
    Moved(Moved),
    Signature(Signature),
    Body(Head),
    Resolution(Head),
    Doc(Head),
    EdgeAdded(EdgeRow),
    EdgeRemoved(EdgeRow),
}

impl Query for GraphDiff {
    const NAME: &'static str = "graph_diff";
    const DESCRIPTION: &'static str = "What a branch or commit changes: symbols added, removed, moved, changed in \
        signature, body or doc; edges. No noise from formatting.";
    const TAKES_AT: bool = false;
    type Answer = Answer;

    fn needs(&self) -> Needs {
        Needs::Comparison { base: self.base.clone(), head: self.head.clone() }
    }

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let comparison = comparison::of(context)?;
        let page = Page::new(self.limit, self.offset);
        let mut rows = rows(comparison);
        let cut = budget::cut(&mut rows, page.share(7, 8));
        let mut lists = Lists::default();
        for row in rows {
            match row {
                Row::Added(row) => lists.added.push(row),
                Row::Removed(row) => lists.removed.push(row),
                Row::Moved(row) => lists.moved.push(row),
                Row::Signature(row) => lists.signature_changed.push(row),
                Row::Body(row) => lists.body_changed.push(row),
                Row::Resolution(row) => lists.resolution_changed.push(row),
                Row::Doc(row) => lists.doc_changed.push(row),
                Row::EdgeAdded(row) => lists.edges_added.push(row),
                Row::EdgeRemoved(row) => lists.edges_removed.push(row),
            }
        }
        let beside = Beside::of(comparison, page.share(1, 8));
        Ok(Answer { compared: Compared::of(comparison), lists, beside, cut, partial: comparison.partial() })
    }

    fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>> {
        Some(comparison::of(context).map(|comparison| markdown::report(Self::NAME, comparison, None)))
    }
}

/// All rows, list by list, symbols before edges.
fn rows(comparison: &Comparison<'_>) -> Vec<Row> {
    let difference = comparison.difference();
    let mut rows: Vec<(u8, Row)> = difference.changes.iter().map(|change| row(comparison, change)).collect();
    // Stable: inside of a list they stay in order of path and line.
    rows.sort_by_key(|(list, _)| *list);
    let mut rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    rows.extend(difference.edges_added.iter().map(|edge| Row::EdgeAdded(edge_row(comparison.after, edge))));
    rows.extend(difference.edges_removed.iter().map(|edge| Row::EdgeRemoved(edge_row(comparison.before, edge))));
    rows
}

/// A row, and the place of its list.
fn row(comparison: &Comparison<'_>, change: &Change) -> (u8, Row) {
    let side = if change.after.is_some() { comparison.after } else { comparison.before };
    let head = comparison::head(side, change.located());
    let before = || change.before.as_ref().map(|before| before.symbol().signature.clone()).unwrap_or_default();
    match change.kind() {
        ChangeKind::Added => (0, Row::Added(head)),
        ChangeKind::Removed => (1, Row::Removed(head)),
        ChangeKind::Moved => {
            let from = change.before.as_ref().unwrap_or(change.located()).id(comparison.before.graph().modules());
            let before = change.signature.then(before);
            (2, Row::Moved(Moved { from, head, before, body_changed: change.body }))
        }
        ChangeKind::Signature => (3, Row::Signature(Signature { head, before: before(), body_changed: change.body })),
        ChangeKind::Body => (4, Row::Body(head)),
        ChangeKind::Resolution => (5, Row::Resolution(head)),
        ChangeKind::Doc => (6, Row::Doc(head)),
    }
}

fn edge_row(side: &dyn Side, edge: &EdgeChange) -> EdgeRow {
    let modules = side.graph().modules();
    EdgeRow {
        source: modules.id(&edge.source),
        kind: edge.kind,
        target: modules.id(&edge.target),
        at: format!("{}:{}", edge.source.path, edge.line),
    }
}
