//! `references`: where a symbol is used without being called.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{Cut, Page, Partial};
use super::rows::{Head, List, Row};
use super::subject::{self, Prefer};
use super::walk::{self, Walk};
use super::{Context, Miss, Query, SYMBOL};
use crate::graph::EdgeKind;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct References {
    /// Id, name or path:line
    #[arg(help = SYMBOL)]
    symbol: String,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<50, 1000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Serialize)]
pub struct Answer {
    symbol: Head,
    /// Rows of other edges than `references` name theirs.
    references: Vec<Row>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for References {
    const NAME: &'static str = "references";
    const DESCRIPTION: &'static str = "Where a symbol is used but not called. Reads, arguments, annotations, bases, \
        imports; for calls ask `callers`.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.symbol, Prefer::Symbol)?;
        // A module may both import and read a symbol: two rows.
        let kinds = [EdgeKind::References, EdgeKind::Inherits, EdgeKind::Imports];
        let walk = Walk::joined(
            kinds.map(|kind| walk::walk(&subject, 1, |located| walk::uses(graph, &located.target(), &[kind], None))),
        );
        let kinds: Vec<EdgeKind> = walk.reached.iter().map(|reached| reached.kind).collect();
        let mut list = List::of(&subject, walk, Page::new(self.limit, self.offset), graph.modules());
        for (row, kind) in list.rows.iter_mut().zip(kinds.into_iter().skip(self.offset as usize)) {
            row.edge = (kind != EdgeKind::References).then_some(kind);
        }
        let symbol = Head::of(&subject, graph.modules());
        Ok(Answer { symbol, references: list.rows, cut: list.cut, partial: list.partial })
    }
}
