//! `callees`: what a symbol calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{Cut, Page, Partial};
use super::rows::{Head, List, Row};
use super::subject::{self, Prefer};
use super::{Context, Miss, Query, SYMBOL, walk};
use crate::graph::EdgeKind;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Callees {
    /// Id, name or path:line
    #[arg(help = SYMBOL)]
    symbol: String,
    #[arg(long, default_value_t, help = "Steps to go on")]
    #[serde(default)]
    depth: Count<1, 10>,
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
    callees: Vec<Row>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for Callees {
    const NAME: &'static str = "callees";
    const DESCRIPTION: &'static str = "What a function, method or class calls in this repository. In order of the \
        calls.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.symbol, Prefer::Symbol)?;
        let mut walk = walk::walk(&subject, self.depth.0, |located| walk::used(graph, located, &[EdgeKind::Calls]));
        walk.reached.sort_by_key(|reached| reached.found);
        let list = List::of(&subject, walk, Page::new(self.limit, self.offset), graph.modules());
        let symbol = Head::of(&subject, graph.modules());
        Ok(Answer { symbol, callees: list.rows, cut: list.cut, partial: list.partial })
    }
}
