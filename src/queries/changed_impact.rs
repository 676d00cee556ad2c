//! `changed_impact`: what everything that a branch changes reaches. `impact --since` is the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::comparison::{self, Beside, ChangedRow, Compared, Comparison};
use super::markdown::Report;
use super::reached_by_change::reached_by_change;
use super::rows::Row;
use super::tests_for::TestRow;
use super::walk::Reached;
use super::{Context, Miss, Needs, Query, markdown};
use crate::diff::Change;
use crate::names::ModuleName;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedImpact {
    /// Revision (its merge base), or A..B
    #[arg(help = super::BASE)]
    base: Option<String>,
    /// Revision; else the disk
    #[arg(help = super::HEAD)]
    head: Option<String>,
    #[arg(long, default_value_t, help = "Steps to go back")]
    #[serde(default)]
    depth: Count<3, 20>,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<50, 1000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Serialize)]
pub struct Answer {
    #[serde(flatten)]
    compared: Compared,
    changed: Vec<ChangedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_total: Option<usize>,
    /// All that is reached but tests, which have their own list, and what changed itself.
    impact: Vec<Row>,
    #[serde(flatten)]
    cut: Cut,
    /// Modules with something changed or reached, tests too; nearest first.
    modules: Vec<ModuleName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modules_total: Option<usize>,
    /// Tests to run; those that changed themselves have the depth 0.
    tests: Vec<TestRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_total: Option<usize>,
    #[serde(flatten)]
    beside: Beside,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for ChangedImpact {
    const NAME: &'static str = "changed_impact";
    const DESCRIPTION: &'static str = "What a branch reaches: symbols it changes, what depends on them by distance, \
        modules, tests to run. Base is the merge base; head the disk.";
    const TAKES_AT: bool = false;
    type Answer = Answer;

    fn needs(&self) -> Needs {
        Needs::Comparison { base: self.base.clone(), head: self.head.clone() }
    }

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        answer(comparison::of(context)?, self.depth.0, Page::new(self.limit, self.offset))
    }

    fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>> {
        Some(comparison::of(context).map(|comparison| report(Self::NAME, comparison, self.depth.0)))
    }
}

/// The comment about a change, under the name of the question.
pub fn report(name: &str, comparison: &Comparison<'_>, depth: u32) -> Report {
    markdown::report(name, comparison, Some(&reached_by_change(comparison, depth)))
}

/// The answer about a change.
pub fn answer(comparison: &Comparison<'_>, depth: u32, page: Page) -> Result<Answer, Miss> {
    let graph = comparison.after.graph();
    let reached = reached_by_change(comparison, depth);
    let difference = comparison.difference();
    let mut changed: Vec<ChangedRow> =
        difference.changes.iter().map(|change| ChangedRow::of(comparison, change)).collect();
    let changed_total = budget::cut_beside(&mut changed, page.share(2, 8));
    let mut tests = reached.tests(comparison);
    let tests_total = budget::cut_beside(&mut tests, page.share(2, 8));
    let mut modules = reached.modules(comparison);
    let modules_total = budget::cut_beside(&mut modules, page.share(1, 16));
    let reached_rows: Vec<&Reached> = reached.but_tests().collect();
    let mut impact: Vec<Row> = reached_rows.iter().map(|one| Row::of(one, graph.modules())).collect();
    let mut cut = budget::cut(&mut impact, page.share(5, 16));
    cut.note_walk(reached.cut);
    let shown = reached_rows.iter().map(|one| &one.located).chain(difference.changes.iter().map(Change::located));
    let partial = Partial::among(shown.map(|located| &*located.unit));
    Ok(Answer {
        compared: Compared::of(comparison),
        changed,
        changed_total,
        impact,
        cut,
        modules,
        modules_total,
        tests,
        tests_total,
        beside: Beside::of(comparison, page.share(1, 8)),
        partial,
    })
}
