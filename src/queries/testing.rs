//! Graphs for tests, written as text, and questions asked of them.
//!
//! ```text
//! file shop/models.py = shop.models, 40 lines
//! class Order 13-30
//! method Order.save 28-30 (self) -> None
//! calls Order.save -> shop/models.py:audit at 29 name
//! unresolved Order.save -> commit at 30
//! external os at 1
//! ```
//! After `lines` may stand `, test` and `, broken`. An edge of the module starts with `.` as its source.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Context, SnapshotInfo, tool};
use crate::graph::{
    Confidence, Edge, EdgeKind, ExternalImport, ModuleTable, Site, Symbol, SymbolKind, Target, Unit, Unresolved,
};
use crate::json;
use crate::memory_graph::MemoryGraph;
use crate::names::{BlobId, Column, Line, LocalPath, ModuleName, ObjectId, RepoPath};
use crate::snapshot::Skipped;

pub fn graph(text: &str) -> MemoryGraph {
    let mut units: Vec<Unit> = Vec::new();
    let mut modules = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').expect("a word and more");
        if word == "file" {
            let (path, rest) = rest.split_once(" = ").expect("file path = module, n lines");
            let mut parts = rest.split(", ");
            let module = parts.next().expect("a module");
            let lines = parts.next().and_then(|part| part.strip_suffix(" lines")).expect("n lines");
            modules.push((RepoPath::from_escaped(path), ModuleName(module.into())));
            let options: Vec<&str> = parts.collect();
            units.push(file(path, number(lines), options.contains(&"test"), options.contains(&"broken")));
            continue;
        }
        let unit = units.last_mut().expect("a file first");
        match SymbolKind::ALL.into_iter().find(|kind| kind.word() == word) {
            Some(kind) => add_symbol(unit, kind, rest),
            None => add_use(unit, word, rest),
        }
    }
    let blob = BlobId(ObjectId::from_bytes(&[0; 20]).expect("20 bytes"));
    for unit in &mut units {
        unit.edges.sort();
        unit.unresolved.sort();
    }
    MemoryGraph::new(units.into_iter().map(|unit| (Arc::new(unit), blob)).collect(), ModuleTable::new(modules))
}

fn number(text: &str) -> Line {
    Line(text.trim().parse().unwrap_or_else(|_| panic!("a number: {text}")))
}

fn file(path: &str, last: Line, is_test: bool, partial: bool) -> Unit {
    let module = symbol(LocalPath::module(), SymbolKind::Module, 0, Line(1), last, "");
    let path = RepoPath::from_escaped(path);
    let (edges, unresolved, missing, external) = Default::default();
    Unit { path, symbols: vec![module], edges, unresolved, missing, external, is_test, partial }
}

fn symbol(local: LocalPath, kind: SymbolKind, parent: u32, first: Line, last: Line, signature: &str) -> Symbol {
    let site = Site { line: first, column: Column(1) };
    Symbol { local, kind, parent, site, first, last, signature: signature.into(), doc: "".into(), more: Vec::new() }
}

fn add_symbol(unit: &mut Unit, kind: SymbolKind, rest: &str) {
    let range = |word: &str| {
        let (first, last) = word.split_once('-')?;
        Some((Line(first.parse().ok()?), Line(last.parse().ok()?)))
    };
    let words: Vec<&str> = rest.split(' ').collect();
    let at = words.iter().position(|word| range(word).is_some()).expect("first-last");
    let (first, last) = range(words[at]).expect("just seen");
    let local = words[..at].join(" ");
    let above = local.rsplit_once(" > ").or_else(|| local.rsplit_once('.')).map_or("", |(above, _)| above);
    let parent = unit.position(above).unwrap_or(0) as u32;
    let signature = words[at + 1..].join(" ");
    unit.symbols.push(symbol(LocalPath(local.as_str().into()), kind, parent, first, last, &signature));
}

fn add_use(unit: &mut Unit, word: &str, rest: &str) {
    let (rest, at) = rest.rsplit_once(" at ").expect("at line");
    let (at, confidence) = match at.strip_suffix(" name") {
        Some(at) => (at, Confidence::Name),
        None => (at, Confidence::Sure),
    };
    let site = Site { line: number(at), column: Column(5) };
    if word == "external" {
        unit.external.push(ExternalImport { module: rest.into(), line: site.line });
        return;
    }
    let (source, target) = rest.split_once(" -> ").expect("source -> target");
    let local = if source == "." { "" } else { source };
    let source = unit.position(local).unwrap_or_else(|| panic!("no symbol {local} yet")) as u32;
    if word == "unresolved" {
        unit.unresolved.push(Unresolved { source, name: target.into(), site });
        return;
    }
    let kind = EdgeKind::ALL.into_iter().find(|kind| kind.word() == word).expect("a kind of edge");
    let (path, local) = target.split_once(':').unwrap_or((target, ""));
    let target = Target { path: RepoPath::from_escaped(path), local: LocalPath(local.into()) };
    unit.edges.push(Edge { source, kind, target, confidence, site });
}

/// Asks a question as MCP would; the answer, miss or refusal comes as JSON.
pub fn ask(graph: &MemoryGraph, name: &str, arguments: Value) -> String {
    ask_with(graph, &[], "", name, arguments)
}

/// The same from a directory, in a snapshot with skipped files.
pub fn ask_with(graph: &MemoryGraph, skipped: &[Skipped], directory: &str, name: &str, arguments: Value) -> String {
    let Value::Object(arguments): Value = arguments else { panic!("arguments are an object") };
    let snapshot = SnapshotInfo { at: "disk", skipped, ..SnapshotInfo::default() };
    let roots = ["/home/me/project".to_owned()];
    let context = Context { graph, snapshot, roots: &roots, directory, reindexed: None, comparison: None };
    match tool(name).and_then(|tool| tool.call(Map::from_iter(arguments))) {
        Ok(call) => call.answer(&context).unwrap_or_else(|miss| json::to_string(&miss)),
        Err(bad) => json::to_string(&bad),
    }
}
