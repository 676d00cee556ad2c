//! `changed_impact`: what everything that a branch changes reaches. `impact --since` is the same.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::comparison::{self, Beside, ChangedRow, Compared, Comparison};
use super::impact::{is_test, names};
use super::markdown::Report;
use super::reach::{self, Changed, reach_all};
use super::rows::Row;
use super::subject::Located;
use super::tests_for::{TestRow, tests_of};
use super::walk::Reached;
use super::{Context, Miss, Needs, Query, markdown};
use crate::diff::{Change, ChangeKind};
use crate::graph::{Confidence, EdgeKind, locate};
use crate::names::{ModuleName, RepoPath};

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

pub fn report(name: &str, comparison: &Comparison<'_>, depth: u32) -> Report {
    markdown::report(name, comparison, Some(&reached(comparison, depth)))
}

pub fn answer(comparison: &Comparison<'_>, depth: u32, page: Page) -> Result<Answer, Miss> {
    let graph = comparison.after.graph();
    let reached = reached(comparison, depth);
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

/// What everything that changed reaches, on the after side.
pub struct ReachedByChange {
    /// Nearest first; what changed itself left out.
    pub reached: Vec<Reached>,
    pub cut: bool,
}

impl ReachedByChange {
    /// What is reached but tests, which have a list of their own.
    pub fn but_tests(&self) -> impl Iterator<Item = &Reached> {
        self.reached.iter().filter(|one| !is_test(&one.located))
    }

    /// Tests to run, nearest first: those that changed, then those that reach what did.
    pub fn tests(&self, comparison: &Comparison<'_>) -> Vec<TestRow> {
        let changes = comparison.difference().changes.iter().filter(|change| change.kind() != ChangeKind::Doc);
        let own = changes.filter_map(|change| change.after.clone()).map(|located| Reached {
            located,
            depth: 0,
            lines: Vec::new(),
            kind: EdgeKind::Tests,
            confidence: Confidence::Sure,
            via: None,
            found: 0,
        });
        let all: Vec<Reached> = own.chain(self.reached.iter().cloned()).collect();
        tests_of(&all, comparison.after.graph().modules())
    }

    /// Modules with something changed or reached, nearest first.
    pub fn modules(&self, comparison: &Comparison<'_>) -> Vec<ModuleName> {
        let after = comparison.difference().changes.iter().filter_map(|change| change.after.as_ref());
        let mut near: Vec<(u32, &str)> = after.map(|located| (0, located.unit.path.as_str())).collect();
        near.extend(self.reached.iter().map(|one| (one.depth, one.located.unit.path.as_str())));
        near.sort_unstable();
        names(near.into_iter().map(|(_, path)| path), comparison.after.graph().modules())
    }
}

/// Walks from what is there on the after side, and from what is gone on the before side.
pub fn reached(comparison: &Comparison<'_>, depth: u32) -> ReachedByChange {
    let difference = comparison.difference();
    let (mut there, mut gone) = (Vec::new(), Vec::new());
    for change in &difference.changes {
        let kind = change.kind();
        if kind == ChangeKind::Doc {
            continue;
        }
        let contract = match change.signature || matches!(kind, ChangeKind::Removed | ChangeKind::Moved) {
            true => reach::Change::Contract,
            false => reach::Change::Behaviour,
        };
        let changed = |located: &Located, name| Changed { located: located.clone(), change: contract, name };
        if let Some(after) = &change.after {
            there.push(changed(after, kind == ChangeKind::Added));
        }
        if let Some(before) = change.before.as_ref().filter(|_| matches!(kind, ChangeKind::Removed | ChangeKind::Moved))
        {
            gone.push(changed(before, true));
        }
    }
    let own: BTreeSet<(RepoPath, usize)> = there.iter().map(|changed| changed.located.key()).collect();
    let after = reach_all(comparison.after.graph(), &there, depth);
    let before = reach_all(comparison.before.graph(), &gone, depth);
    let mut all: BTreeMap<(RepoPath, usize), Reached> =
        after.reached.into_iter().map(|one| (one.located.key(), one)).collect();
    for mut one in before.reached {
        let target = one.located.target();
        let Some(now) = difference.now(&target).and_then(|now| locate(comparison.after.graph(), &now)) else {
            continue;
        };
        if own.contains(&now.key()) {
            continue;
        }
        // Lines are those of before; where the file is another they mean nothing.
        if *one.located.unit != *now.unit {
            one.lines.clear();
        }
        one.located = now;
        let nearer = all.get(&one.located.key()).is_none_or(|known| one.depth < known.depth);
        if nearer {
            all.insert(one.located.key(), one);
        }
    }
    let mut reached: Vec<Reached> = all.into_values().collect();
    reached.sort_by(|a, b| {
        let key = |one: &Reached| {
            (one.confidence, one.depth, one.located.unit.path.clone(), one.lines.first().copied(), one.located.at)
        };
        key(a).cmp(&key(b))
    });
    ReachedByChange { reached, cut: after.cut || before.cut }
}
