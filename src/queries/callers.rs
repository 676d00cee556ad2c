//! `callers`: who calls a symbol.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{Cut, Page};
use super::rows::{Head, List, Row};
use super::subject::{self, Located, Prefer};
use super::{Context, Miss, Query, walk};
use crate::graph::{EdgeKind, Graph};

/// Unresolved sites that are named.
const UNRESOLVED_SITES: usize = 5;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Callers {
    /// Id, dotted name, bare name, suffix or path:line
    symbol: String,
    /// Steps to go back
    #[arg(long, default_value_t)]
    #[serde(default)]
    depth: Count<1, 10>,
    /// Most rows
    #[arg(long, default_value_t)]
    #[serde(default)]
    limit: Count<50, 1000>,
    /// Rows to pass over
    #[arg(long, default_value_t)]
    #[serde(default)]
    offset: u32,
}

#[derive(Serialize)]
pub struct Answer {
    symbol: Head,
    callers: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unresolved: Option<Unresolved>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partial: Vec<String>,
}

/// Calls of the same name through a receiver of unknown type: they may or may not be calls of the subject.
#[derive(Serialize)]
struct Unresolved {
    total: usize,
    /// The first of them, `path:line`.
    sites: Vec<String>,
}

impl Query for Callers {
    const NAME: &'static str = "callers";
    const DESCRIPTION: &'static str = "Who calls a function, method or class, with the line of each call. Calls that \
        could not be told are counted under `unresolved`; `conf:name` marks guesses.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.symbol, Prefer::Symbol)?;
        let walk = walk::walk(&subject, self.depth.0, |located| {
            let targets = walk::called_as(graph, located);
            targets.iter().flat_map(|(target, via)| walk::uses(graph, target, &[EdgeKind::Calls], *via)).collect()
        });
        let list = List::of(&subject, walk, Page::new(self.limit, self.offset), graph.modules());
        Ok(Answer {
            symbol: Head::of(&subject, graph.modules()),
            callers: list.rows,
            unresolved: unresolved(graph, &subject),
            cut: list.cut,
            partial: list.partial,
        })
    }
}

fn unresolved(graph: &dyn Graph, subject: &Located) -> Option<Unresolved> {
    let name = subject.symbol().name();
    let mut unresolved = Unresolved { total: 0, sites: Vec::new() };
    for unit in graph.unresolved(name) {
        for call in unit.unresolved.iter().filter(|call| &*call.name == name) {
            unresolved.total += 1;
            if unresolved.sites.len() < UNRESOLVED_SITES {
                unresolved.sites.push(format!("{}:{}", unit.path, call.site.line));
            }
        }
    }
    (unresolved.total > 0).then_some(unresolved)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::{ask, graph};

    #[test]
    fn a_recursive_function_calls_itself_and_ends() {
        let graph = graph(
            "file a.py = a, 9 lines
             function f 1-3 (n)
             function g 5-9
             calls f -> a.py:f at 2
             calls g -> a.py:f at 6
             calls g -> a.py:f at 8",
        );
        let expected = concat!(
            r#"{"symbol":{"id":"a:f","kind":"function","loc":"a.py:1","sig":"(n)"},"callers":["#,
            r#"{"id":"a:f","kind":"function","loc":"a.py:1","at":2},"#,
            r#"{"id":"a:g","kind":"function","loc":"a.py:5","at":6,"more":[8]}]}"#
        );
        assert_eq!(ask(&graph, "callers", json!({ "symbol": "f", "depth": 5 })), expected);
    }
}
