//! `callers`: who calls a symbol.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{Cut, Page, Partial};
use super::rows::{Head, List, Row};
use super::subject::{self, Prefer};
use super::{Context, Miss, Query, SYMBOL, walk};
use crate::graph::{EdgeKind, Graph, Located};

/// Unresolved sites that are named.
const UNRESOLVED_SITES: usize = 5;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Callers {
    /// Id, name or path:line
    #[arg(help = SYMBOL)]
    symbol: String,
    #[arg(long, default_value_t, help = "Steps to go back")]
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
    callers: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unresolved: Option<Unresolved>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
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
    const DESCRIPTION: &'static str = "Who calls a function, method or class, with lines. `unresolved` counts calls \
        that could not be told; `conf:name` marks guesses.";
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
    use serde_json::{Value, json};

    use super::super::budget::{DEFAULT_BYTES, MOST_BYTES};
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

    #[test]
    fn four_thousand_callers_are_paged_and_none_is_lost() {
        use std::fmt::Write;
        let mut text = String::from("file hub.py = hub, 2 lines\nfunction hub 1-2\n");
        for number in 0..4_000 {
            let name = format!("caller_number_{number:04}");
            let _ = writeln!(text, "file some/deep/package/{name}.py = some.deep.package.{name}, 9 lines");
            let _ = writeln!(text, "function {name} 1-9\ncalls {name} -> hub.py:hub at 5");
        }
        let graph = graph(&text);
        let first = ask(&graph, "callers", json!({ "symbol": "hub:hub" }));
        assert!(first.len() < DEFAULT_BYTES, "{}", first.len());
        let (mut seen, mut offset) = (std::collections::BTreeSet::new(), 0);
        loop {
            let page = ask(&graph, "callers", json!({ "symbol": "hub:hub", "limit": 1000, "offset": offset }));
            assert!(page.len() < MOST_BYTES, "{}", page.len());
            let page: Value = serde_json::from_str(&page).unwrap();
            assert_eq!(page["total"], 4_000);
            for row in page["callers"].as_array().unwrap() {
                assert!(seen.insert(row["id"].to_string()));
            }
            if page.get("truncated").is_none() {
                break;
            }
            offset = page["hint"].as_str().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        }
        assert_eq!(seen.len(), 4_000);
    }
}
