//! `importers`: who imports a module or symbol, also through modules that pass it on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{Cut, Page, Partial};
use super::rows::{Head, List, Row};
use super::subject::{self, Prefer};
use super::walk::Via;
use super::{Context, Miss, Query, walk};
use crate::graph::EdgeKind;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Importers {
    /// Module name, path, or any symbol
    module: String,
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
    importers: Vec<Row>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for Importers {
    const NAME: &'static str = "importers";
    const DESCRIPTION: &'static str = "Who imports a module or symbol. Also through re-exports.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.module, Prefer::Module)?;
        let walk = walk::walk(&subject, 1, |subject| {
            let importers = |at: usize, via| walk::uses(graph, &subject.unit.target(at), &[EdgeKind::Imports], via);
            let mut steps = importers(subject.at, None);
            if subject.is_module() {
                // Whoever imports a name of the module, from wherever, imports from the module.
                let symbols = &subject.unit.symbols;
                let names = (1..symbols.len()).filter(|&at| symbols[at].parent == 0);
                steps.extend(names.flat_map(|at| importers(at, Some(Via::ReExport))));
                steps.retain(|step| step.to.key() != subject.key());
            }
            steps
        });
        let list = List::of(&subject, walk, Page::new(self.limit, self.offset), graph.modules());
        let symbol = Head::of(&subject, graph.modules());
        Ok(Answer { symbol, importers: list.rows, cut: list.cut, partial: list.partial })
    }
}
