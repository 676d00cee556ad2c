//! Whole graphs for other programs and for the eye: JSON, Mermaid, DOT.
//!
//! Streams: at most one unit is held at a time, beside what a picture's limits allow. Knows no store and no file.

mod dot;
mod json;
mod mermaid;

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::graph::{Confidence, EdgeKind, Graph, Site, SymbolKind, Unit};
use crate::names::SymbolId;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// A flowchart that GitHub draws
    #[default]
    Mermaid,
    /// Everything, for other programs
    Json,
    /// A picture for Graphviz
    Dot,
}

/// How much of the graph is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, clap::ValueEnum)]
pub enum Level {
    /// Modules, with all edges folded to them
    #[default]
    Module,
    /// Classes, functions, methods, symbols and tests
    Symbol,
    /// Symbols and modules, every edge
    All,
}

/// Writes a graph. `focus` keeps what has this prefix of its path or id; an edge needs both ends.
///
/// There are many small writes: whoever gives a file or a pipe puts a buffer before it.
pub fn write(
    graph: &dyn Graph,
    format: Format,
    level: Level,
    focus: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let focus = focus.map(|focus| focus.trim_start_matches("./")).filter(|focus| !focus.is_empty());
    let selection = Selection { graph, level, focus };
    match format {
        Format::Mermaid => mermaid::write(&selection, out),
        Format::Json => json::write(&selection, out),
        Format::Dot => dot::write(&selection, out),
    }
}

/// The part of a graph that is written.
struct Selection<'a> {
    graph: &'a dyn Graph,
    level: Level,
    focus: Option<&'a str>,
}

/// An edge as it is written: between printed ids.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    source: SymbolId,
    target: SymbolId,
    kind: EdgeKind,
    confidence: Confidence,
    site: Site,
}

impl Selection<'_> {
    /// Calls a function for every unit, by path.
    fn for_each_unit(&self, mut visit: impl FnMut(&Unit) -> io::Result<()>) -> io::Result<()> {
        for entry in self.graph.entries() {
            if let Some(unit) = self.graph.unit(entry.path.as_str()) {
                visit(&unit)?;
            }
        }
        Ok(())
    }

    /// Whether symbols of this kind stand at the level.
    fn shows(&self, kind: SymbolKind) -> bool {
        match self.level {
            Level::Module => kind == SymbolKind::Module,
            Level::Symbol => kind != SymbolKind::Module,
            Level::All => true,
        }
    }

    fn is_in_focus(&self, path: &str, id: &SymbolId) -> bool {
        self.focus.is_none_or(|focus| path.starts_with(focus) || id.to_string().starts_with(focus))
    }

    /// The printed id of a unit's symbol, when it is part of the selection.
    fn id(&self, unit: &Unit, symbol: usize) -> Option<SymbolId> {
        if !self.shows(unit.symbols[symbol].kind) {
            return None;
        }
        let id = self.graph.modules().id(&unit.target(symbol));
        self.is_in_focus(unit.path.as_str(), &id).then_some(id)
    }

    /// The edges that a unit has: `defines` in order of the symbols, then the others in theirs; at the level of modules
    /// one of a kind between two modules.
    fn edges(&self, unit: &Unit) -> Vec<Line> {
        if self.level == Level::Module {
            return self.folded(unit);
        }
        let ids: Vec<Option<SymbolId>> = (0..unit.symbols.len()).map(|at| self.id(unit, at)).collect();
        let mut lines = Vec::new();
        for (at, symbol) in unit.symbols.iter().enumerate().skip(1) {
            if let (Some(source), Some(target)) = (&ids[symbol.parent as usize], &ids[at]) {
                let (source, target) = (source.clone(), target.clone());
                let (kind, confidence, site) = (EdgeKind::Defines, Confidence::Sure, symbol.site);
                lines.push(Line { source, target, kind, confidence, site });
            }
        }
        for edge in &unit.edges {
            let Some(source) = &ids[edge.source as usize] else { continue };
            if self.level == Level::Symbol && edge.target.local.is_module() {
                continue;
            }
            let target = self.graph.modules().id(&edge.target);
            if self.is_in_focus(edge.target.path.as_str(), &target) {
                let (kind, confidence, site) = (edge.kind, edge.confidence, edge.site);
                lines.push(Line { source: source.clone(), target, kind, confidence, site });
            }
        }
        lines
    }

    /// The edges from a module to others, each kind once, at the first of the surest sites.
    fn folded(&self, unit: &Unit) -> Vec<Line> {
        let Some(source) = self.id(unit, 0) else { return Vec::new() };
        let mut first: BTreeMap<(&str, EdgeKind), (Confidence, Site)> = BTreeMap::new();
        for edge in unit.edges.iter().filter(|edge| edge.target.path != unit.path) {
            let known = first.entry((edge.target.path.as_str(), edge.kind)).or_insert((edge.confidence, edge.site));
            *known = (*known).min((edge.confidence, edge.site));
        }
        let line = |((path, kind), (confidence, site)): (_, _)| {
            let module = self.graph.modules().name(path)?.clone();
            let target = SymbolId { module, local: crate::names::LocalPath::module() };
            let source = source.clone();
            self.is_in_focus(path, &target).then_some(Line { source, target, kind, confidence, site })
        };
        first.into_iter().filter_map(line).collect()
    }

    /// An edge as pictures show it: where it was found does not count, and modules are joined by one arrow.
    fn arrows(&self, unit: &Unit) -> Vec<Arrow> {
        let arrow = |line: Line| {
            let kind = (self.level != Level::Module).then_some(line.kind);
            Arrow { source: line.source, target: line.target, kind, confidence: line.confidence }
        };
        let mut arrows: Vec<Arrow> = self.edges(unit).into_iter().map(arrow).collect();
        arrows.sort();
        // The surer one stands first and stays.
        arrows.dedup_by(|b, a| (&a.source, &a.target, a.kind) == (&b.source, &b.target, b.kind));
        arrows
    }
}

/// An edge of a picture.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Arrow {
    source: SymbolId,
    target: SymbolId,
    /// `None` between modules.
    kind: Option<EdgeKind>,
    confidence: Confidence,
}

impl Arrow {
    /// The word at the arrow; calls go without saying.
    fn label(&self) -> Option<&'static str> {
        self.kind.filter(|&kind| kind != EdgeKind::Calls).map(EdgeKind::word)
    }

    fn is_guess(&self) -> bool {
        self.confidence == Confidence::Name
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::queries::testing::graph;

    const SHOP: &str = "
        file shop/models.py = shop.models, 40 lines
        class Order 13-30
        method Order.save 28-30 (self)
        function audit 33-34
        calls Order.save -> shop/models.py:audit at 29
        file shop/service.py = shop.service, 9 lines
        function run 3-9
        imports . -> shop/models.py at 1
        imports . -> shop/models.py:Order at 1
        calls run -> shop/models.py:Order at 4
        calls run -> shop/models.py:Order.save at 5 name
        calls run -> shop/models.py:Order.save at 6
        unresolved run -> commit at 7";

    fn written(format: Format, level: Level, focus: Option<&str>) -> String {
        let mut out = Vec::new();
        write(&graph(SHOP), format, level, focus, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn counts(text: &str) -> [usize; 4] {
        let value: Value = serde_json::from_str(text).unwrap();
        ["symbols", "edges", "unresolved", "missing"].map(|list| value[list].as_array().unwrap().len())
    }

    #[test]
    fn json_is_complete_and_has_one_edge_for_each_site() {
        let all = written(Format::Json, Level::All, None);
        // Four definitions, six uses.
        assert_eq!(counts(&all), [6, 4 + 6, 1, 0]);
        assert!(all.contains(concat!(
            r#"{"id":"shop.models:Order.save","kind":"method","path":"shop/models.py","line":28,"end_line":30,"col":1,"#,
            r#""sig":"(self)","parent":"shop.models:Order"}"#
        )));
        assert!(all.contains(concat!(
            r#"{"source":"shop.service:run","target":"shop.models:Order.save","kind":"calls","path":"shop/service.py","#,
            r#""line":5,"col":5,"conf":"name"}"#
        )));
        assert_eq!(counts(&written(Format::Json, Level::Symbol, None)), [4, 1 + 4, 1, 0]);
        // Imports and calls between the two modules.
        assert_eq!(counts(&written(Format::Json, Level::Module, None)), [2, 2, 1, 0]);
        assert_eq!(counts(&written(Format::Json, Level::All, Some("shop.models"))), [4, 3 + 1, 0, 0]);
        assert_eq!(counts(&written(Format::Json, Level::All, Some("./shop/service"))), [2, 1, 1, 0]);
    }

    #[test]
    fn pictures_join_modules_by_one_arrow() {
        assert_eq!(
            written(Format::Mermaid, Level::Module, None),
            "flowchart LR\n  n0([\"shop.models\"])\n  n1([\"shop.service\"])\n  n1 --> n0\n"
        );
        assert_eq!(
            written(Format::Dot, Level::Module, None),
            "digraph repo_graph {\n  rankdir=LR;\n  node [shape=box];\n  \"shop.models\" [shape=folder];\n  \
             \"shop.service\" [shape=folder];\n  \"shop.service\" -> \"shop.models\";\n}\n"
        );
        let symbols = written(Format::Mermaid, Level::Symbol, None);
        assert_eq!(symbols.matches("-->").count(), 4, "{symbols}");
    }

    #[test]
    fn a_picture_beyond_the_limits_says_what_it_left_out() {
        use std::fmt::Write;
        let mut text = String::from("file hub.py = hub, 1 lines\nfunction hub 1-1\n");
        for number in 0..900 {
            let name = format!("module_with_a_long_name_{number:04}{}", "_".repeat(60));
            let _ = writeln!(text, "file {name}.py = {name}, 9 lines\ncalls . -> hub.py:hub at 5");
        }
        let mut out = Vec::new();
        super::write(&graph(&text), Format::Mermaid, Level::Module, None, &mut out).unwrap();
        let picture = String::from_utf8(out).unwrap();
        assert!(picture.len() <= 50_000 + 200);
        let arrows = picture.matches("-->").count();
        let left_out = format!("left out: {} edges and {} symbols", 900 - arrows, 900 - arrows);
        assert!(arrows > 300 && arrows <= 500 && picture.contains(&left_out), "{arrows}");
    }
}
