//! A graph as the lines that a page expects.

use std::fmt::Write;
use std::sync::Arc;

use repo_graph::graph::{Confidence, EdgeKind, Graph, Target, Unit};

use super::page::Expectation;

/// What a graph says to an expectation; not for questions.
pub fn graph(graph: &dyn Graph, expectation: Expectation) -> String {
    let units = graph.entries().iter().filter_map(|entry| graph.unit(entry.path.as_str()));
    let mut text = String::new();
    for unit in units {
        for line in unit_lines(graph, &unit, expectation) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

fn unit_lines(graph: &dyn Graph, unit: &Arc<Unit>, expectation: Expectation) -> Vec<String> {
    let id = |target: &Target| graph.modules().id(target).to_string();
    let source = |symbol: u32| id(&unit.target(symbol as usize));
    // (order in the file, what is said, where)
    let mut uses: Vec<((u32, u32), String, u32)> = Vec::new();
    match expectation {
        Expectation::Edges => {
            for edge in unit.edges.iter().filter(|edge| edge.kind != EdgeKind::Defines) {
                let mut said = format!("{} {} {}", source(edge.source), edge.kind.word(), id(&edge.target));
                if edge.confidence == Confidence::Name {
                    said.push_str(" by name");
                }
                uses.push(((edge.site.line.0, edge.site.column.0), said, edge.site.line.0));
            }
        }
        Expectation::Unresolved => {
            for one in &unit.unresolved {
                let said = format!("{} calls ?.{}", source(one.source), one.name);
                uses.push(((one.site.line.0, one.site.column.0), said, one.site.line.0));
            }
        }
        Expectation::Missing => {
            for one in &unit.missing {
                let joint = if one.owner.local.is_module() { ':' } else { '.' };
                let said = format!("{} uses {}{joint}{}", source(one.source), id(&one.owner), one.name);
                uses.push(((one.site.line.0, one.site.column.0), said, one.site.line.0));
            }
        }
        Expectation::Outside => {
            for one in &unit.external {
                let said = format!("{} imports {}", source(0), one.module);
                uses.push(((one.line.0, 0), said, one.line.0));
            }
        }
        Expectation::Symbols => {
            return unit
                .symbols
                .iter()
                .enumerate()
                .map(|(at, symbol)| {
                    let lines = symbol.more.iter().fold(symbol.site.line.0.to_string(), |mut lines, site| {
                        let _ = write!(lines, ", {}", site.line);
                        lines
                    });
                    format!("{} is a {} at {lines}", source(at as u32), symbol.kind.word())
                })
                .collect();
        }
        Expectation::Questions => {}
    }
    uses.sort();
    folded(uses)
}

/// One line for each thing said, with all lines of the file where it holds, in order of the first.
fn folded(uses: Vec<((u32, u32), String, u32)>) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for (_, said, line) in uses {
        match lines.iter_mut().find(|(other, _)| *other == said) {
            Some((_, at)) => {
                let _ = write!(at, ", {line}");
            }
            None => lines.push((said, line.to_string())),
        }
    }
    lines.into_iter().map(|(said, at)| format!("{said} at {at}")).collect()
}
