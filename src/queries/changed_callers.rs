//! `changed_callers`: what a change means for the callers of what it changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::comparison::{self, Beside, Compared, Comparison};
use super::markdown::Report;
use super::rows::label;
use super::subject::{self, Prefer};
use super::verdicts::{self, Finding, Summary};
use super::walk::Via;
use super::{Context, Miss, Needs, Query, markdown};
use crate::diff::{ChangeKind, Verdict};
use crate::graph::SymbolKind;
use crate::names::{Line, SymbolId};

/// Further sites of one row that are named.
const MORE_SITES: usize = 20;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedCallers {
    /// Revision (its merge base), or A..B
    #[arg(help = super::BASE)]
    base: Option<String>,
    /// Revision; else the disk
    #[arg(help = super::HEAD)]
    head: Option<String>,
    /// Only of this one
    #[arg(long, help = "Show only the callers of this symbol and its parts")]
    symbol: Option<String>,
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
    /// Rows by verdict, of the whole list.
    summary: Summary,
    callers: Vec<CallerRow>,
    #[serde(flatten)]
    beside: Beside,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

/// A caller of a changed symbol.
#[derive(Serialize)]
struct CallerRow {
    verdict: Verdict,
    symbol: SymbolId,
    /// How it changed; absent when only the way to it is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ChangeKind>,
    id: SymbolId,
    kind: SymbolKind,
    loc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Line>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<Line>,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: String,
    /// The caller changed too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    changed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<Via>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conf: Option<&'static str>,
}

impl Query for ChangedCallers {
    const NAME: &'static str = "changed_callers";
    const DESCRIPTION: &'static str = "Which callers a branch breaks. For each caller of a changed or removed symbol: \
        broken (gone, or arguments do not fit), check, ok; with reason.";
    const TAKES_AT: bool = false;
    type Answer = Answer;

    fn needs(&self) -> Needs {
        Needs::Comparison { base: self.base.clone(), head: self.head.clone() }
    }

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let comparison = comparison::of(context)?;
        let findings = self.findings(context, comparison)?;
        let summary = Summary::of(&findings);
        let mut rows: Vec<CallerRow> = findings.iter().map(|finding| row(comparison, finding)).collect();
        let page = Page::new(self.limit, self.offset);
        let cut = budget::cut(&mut rows, page.share(7, 8));
        let beside = Beside::of(comparison, page.share(1, 8));
        Ok(Answer {
            compared: Compared::of(comparison),
            summary,
            callers: rows,
            beside,
            cut,
            partial: comparison.partial(),
        })
    }

    fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>> {
        let report = || {
            let comparison = comparison::of(context)?;
            Ok(markdown::callers(Self::NAME, comparison, &self.findings(context, comparison)?))
        };
        Some(report())
    }
}

impl ChangedCallers {
    fn findings(&self, context: &Context<'_>, comparison: &Comparison<'_>) -> Result<Vec<Finding>, Miss> {
        let mut findings = verdicts::findings(comparison);
        if let Some(symbol) = &self.symbol {
            let subjects = subjects(context, comparison, symbol)?;
            findings.retain(|finding| verdicts::is_about(finding, &subjects));
        }
        Ok(findings)
    }
}

/// The symbol of either side that a text means, by its ids on both.
fn subjects(context: &Context<'_>, comparison: &Comparison<'_>, text: &str) -> Result<Vec<SymbolId>, Miss> {
    let old_graph = comparison.before.graph();
    let old_context = Context { graph: old_graph, reindexed: None, ..*context };
    let after = subject::find(context, text, Prefer::Symbol);
    let before = subject::find(&old_context, text, Prefer::Symbol);
    if let (Err(miss), Err(_)) = (&after, &before) {
        return Err(miss.clone());
    }
    let difference = comparison.difference();
    let mut targets = (Vec::new(), Vec::new());
    if let Ok(located) = after {
        targets.0.extend(difference.was(&located.target()));
        targets.1.push(located.target());
    }
    if let Ok(located) = before {
        targets.1.extend(difference.now(&located.target()));
        targets.0.push(located.target());
    }
    let old = targets.0.iter().map(|target| old_graph.modules().id(target));
    let new = targets.1.iter().map(|target| context.graph.modules().id(target));
    Ok(old.chain(new).collect())
}

fn row(comparison: &Comparison<'_>, finding: &Finding) -> CallerRow {
    let mut lines = finding.lines.iter().copied();
    CallerRow {
        verdict: finding.verdict,
        symbol: finding.symbol.clone(),
        change: finding.change,
        id: finding.user.id(comparison.after.graph().modules()),
        kind: finding.user.symbol().kind,
        loc: finding.user.loc(),
        at: lines.next(),
        more: lines.take(MORE_SITES).collect(),
        reason: finding.reason.clone(),
        changed: finding.user_changed,
        via: finding.via,
        conf: label(finding.confidence),
    }
}
