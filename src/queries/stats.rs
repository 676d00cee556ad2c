//! `stats`: what the graph holds, and what it does not.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::budget::Partial;
use super::{Context, Miss, Needs, Query};
use crate::graph::{Confidence, EdgeKind, SymbolKind, graph_digest};
use crate::snapshot::Skip;

/// Paths in conflict that are named.
const CONFLICTS: usize = 20;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stats {}

#[derive(Serialize)]
pub struct Answer {
    /// `disk`, `staged` or the revision that was asked for.
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dirty: bool,
    files: usize,
    symbols: BTreeMap<SymbolKind, usize>,
    edges: BTreeMap<EdgeKind, usize>,
    /// Edges found by name alone, in per cent of all but `defines`, to two digits.
    guessed_percent: f64,
    /// Calls through a receiver of unknown type.
    unresolved: usize,
    /// Uses of a name that its owner does not have.
    missing: usize,
    /// Files left out, by reason.
    skipped: BTreeMap<&'static str, usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts_total: Option<usize>,
    /// Files that did not parse as a whole, the first of them.
    #[serde(flatten)]
    partial: Partial,
    digest: String,
}

impl Query for Stats {
    const NAME: &'static str = "stats";
    const DESCRIPTION: &'static str = "What the graph holds. Commit, files, symbols and edges by kind, share of \
        guesses, files left out, digest.";
    type Answer = Answer;

    fn needs(&self) -> Needs {
        Needs::State
    }

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let (graph, snapshot) = (context.graph, &context.snapshot);
        let mut symbols: BTreeMap<SymbolKind, usize> = SymbolKind::ALL.map(|kind| (kind, 0)).into();
        let mut edges: BTreeMap<EdgeKind, usize> = EdgeKind::ALL.map(|kind| (kind, 0)).into();
        let (mut guessed, mut unresolved, mut missing) = (0, 0, 0);
        let mut broken = Vec::new();
        for entry in graph.entries() {
            let Some(unit) = graph.unit(entry.path.as_str()) else { continue };
            for symbol in &unit.symbols {
                *symbols.entry(symbol.kind).or_default() += 1;
            }
            for edge in &unit.edges {
                *edges.entry(edge.kind).or_default() += 1;
                guessed += usize::from(edge.confidence == Confidence::Name);
            }
            *edges.entry(EdgeKind::Defines).or_default() += unit.symbols.len() - 1;
            unresolved += unit.unresolved.len();
            missing += unit.missing.len();
            if unit.partial {
                broken.push(unit);
            }
        }
        let found: usize = edges.iter().filter(|(kind, _)| **kind != EdgeKind::Defines).map(|(_, count)| count).sum();
        let mut skipped: BTreeMap<&'static str, usize> = BTreeMap::new();
        for one in snapshot.skipped {
            *skipped.entry(Skip::word(one.reason)).or_default() += 1;
        }
        Ok(Answer {
            at: snapshot.at.to_owned(),
            revision: snapshot.commit.map(|commit| commit.to_string()),
            dirty: snapshot.dirty,
            files: graph.entries().len(),
            symbols,
            edges,
            guessed_percent: (guessed as f64 * 10_000.0 / found.max(1) as f64).round() / 100.0,
            unresolved,
            missing,
            skipped,
            conflicts_total: (snapshot.conflicts.len() > CONFLICTS).then_some(snapshot.conflicts.len()),
            conflicts: snapshot.conflicts.iter().take(CONFLICTS).map(ToString::to_string).collect(),
            partial: Partial::among(broken.iter().map(|unit| &**unit)),
            digest: graph_digest(graph.entries(), graph.modules()).to_string(),
        })
    }
}
