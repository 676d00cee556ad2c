//! `imports`: what a module imports.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::rows::{Head, List, Row};
use super::subject::{self, Prefer};
use super::{Context, Miss, Query, walk};
use crate::graph::{EdgeKind, Located, Unit};
use crate::names::Line;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Imports {
    /// Module name or path; a symbol stands for its module
    module: String,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<100, 1000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Serialize)]
pub struct Answer {
    module: Head,
    /// Modules and symbols of the project, in order of the statements.
    imports: Vec<Row>,
    external: Vec<External>,
    /// Packages in all, when not all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    external_total: Option<usize>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

/// A package that is no part of the project.
#[derive(Serialize)]
struct External {
    module: String,
    at: Line,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<Line>,
}

impl Query for Imports {
    const NAME: &'static str = "imports";
    const DESCRIPTION: &'static str = "What a module imports. Modules and symbols of this repository, and external \
        packages apart.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.module, Prefer::Module)?;
        let module = Located { unit: subject.unit, at: 0 };
        let mut walk = walk::walk(&module, 1, |module| walk::used(graph, module, &[EdgeKind::Imports]));
        walk.reached.sort_by_key(|reached| reached.found);
        let page = Page::new(self.limit, self.offset);
        let list = List::of(&module, walk, page.share(3, 4), graph.modules());
        let mut external = externals(&module.unit);
        let external_total = budget::cut_beside(&mut external, page.share(1, 4));
        let module = Head::of(&module, graph.modules());
        Ok(Answer { module, imports: list.rows, external, external_total, cut: list.cut, partial: list.partial })
    }
}

fn externals(unit: &Unit) -> Vec<External> {
    let mut packages: BTreeMap<&str, Vec<Line>> = BTreeMap::new();
    for import in &unit.external {
        packages.entry(&import.module).or_default().push(import.line);
    }
    let external = |(module, mut lines): (&str, Vec<Line>)| {
        lines.sort_unstable();
        lines.dedup();
        let at = lines.remove(0);
        External { module: module.to_owned(), at, more: lines }
    };
    packages.into_iter().map(external).collect()
}
