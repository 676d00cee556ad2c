//! `impact`: what a change of a symbol reaches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::markdown::Report;
use super::reach::{Change, reach};
use super::rows::{Head, List, Row, nearest_modules};
use super::subject::{self, Prefer};
use super::tests_for::{TestRow, is_test, tests_of};
use super::{AT, BadArgument, Context, Miss, Needs, Query, SYMBOL, changed_impact, comparison};
use crate::names::ModuleName;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Impact {
    /// Id, name or path:line
    #[arg(help = SYMBOL, conflicts_with = "since")]
    symbol: Option<String>,
    /// Instead: revision, or A..B
    #[arg(long, visible_alias = "base", value_name = "REV", help = super::SINCE)]
    since: Option<String>,
    /// With since
    #[arg(long, value_name = "REV", requires = "since", help = super::HEAD)]
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
#[serde(untagged)]
pub enum Answer {
    OfSymbol(OfSymbol),
    OfChange(changed_impact::Answer),
}

#[derive(Serialize)]
pub struct OfSymbol {
    symbol: Head,
    /// All that is reached but tests, which have their own list.
    impact: Vec<Row>,
    #[serde(flatten)]
    cut: Cut,
    /// Modules with something reached, tests too; nearest first.
    modules: Vec<ModuleName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modules_total: Option<usize>,
    tests: Vec<TestRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_total: Option<usize>,
    #[serde(flatten)]
    partial: Partial,
}

impl Query for Impact {
    const NAME: &'static str = "impact";
    const DESCRIPTION: &'static str = "What a change of a symbol can break. By distance, with modules and tests to \
        run; a class stands for its members. With `since`, of a branch.";
    type Answer = Answer;

    fn needs(&self) -> Needs {
        match &self.since {
            Some(since) => Needs::Comparison { base: Some(since.clone()), head: self.head.clone() },
            None => Needs::Graph,
        }
    }

    fn check(&self, at: Option<&str>) -> Result<(), BadArgument> {
        let wrong = |key: &str, message: &str| Err(BadArgument::new(key, message.to_owned()));
        match (&self.symbol, &self.since, &self.head) {
            (None, None, _) => wrong("symbol", "missing argument `symbol` or `since`"),
            (Some(_), Some(_), _) => wrong("since", "`symbol` and `since` are two questions; give one of them"),
            (_, None, Some(_)) => wrong("head", "`head` goes with `since`"),
            (_, Some(_), _) if at.is_some() => wrong(AT, "`since` names what is compared and takes no `at`"),
            _ => Ok(()),
        }
    }

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let page = Page::new(self.limit, self.offset);
        match &self.symbol {
            Some(symbol) => self.of_symbol(context, symbol, page).map(Answer::OfSymbol),
            None => changed_impact::answer(comparison::of(context)?, self.depth.0, page).map(Answer::OfChange),
        }
    }

    fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>> {
        self.since.as_ref()?;
        let report = |comparison| changed_impact::report(changed_impact::ChangedImpact::NAME, comparison, self.depth.0);
        Some(comparison::of(context).map(report))
    }
}

impl Impact {
    fn of_symbol(&self, context: &Context<'_>, symbol: &str, page: Page) -> Result<OfSymbol, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, symbol, Prefer::Symbol)?;
        let mut walk = reach(graph, &subject, Change::Contract, self.depth.0);
        let mut tests = tests_of(&walk.reached, graph.modules());
        let tests_total = budget::cut_beside(&mut tests, page.share(3, 8));
        let near = walk.reached.iter().map(|one| (one.depth, one.located.unit.path.as_str())).collect();
        let mut modules = nearest_modules(near, graph.modules());
        let modules_total = budget::cut_beside(&mut modules, page.share(1, 8));
        walk.reached.retain(|one| !is_test(&one.located));
        let list = List::of(&subject, walk, page.share(1, 2), graph.modules());
        Ok(OfSymbol {
            symbol: Head::of(&subject, graph.modules()),
            impact: list.rows,
            cut: list.cut,
            modules,
            modules_total,
            tests,
            tests_total,
            partial: list.partial,
        })
    }
}
