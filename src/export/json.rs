//! The graph as JSON: the interface for other programs (DESIGN §15). Byte-equal for equal graphs.

use std::io::{self, Write};

use serde::Serialize;

use super::Selection;
use crate::graph::{Confidence, EdgeKind, SymbolKind, Unit, graph_digest};
use crate::json;
use crate::names::{Column, Line, SymbolId};

/// Version of the format. A reader may rely on all fields of its version; later ones may add some.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Symbol<'a> {
    id: &'a SymbolId,
    kind: SymbolKind,
    path: &'a str,
    line: Line,
    end_line: Line,
    col: Column,
    #[serde(skip_serializing_if = "str::is_empty")]
    sig: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    doc: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<SymbolId>,
}

#[derive(Serialize)]
struct Edge<'a> {
    source: &'a SymbolId,
    target: &'a SymbolId,
    kind: EdgeKind,
    path: &'a str,
    line: Line,
    col: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    conf: Option<&'static str>,
}

#[derive(Serialize)]
struct Unresolved<'a> {
    source: SymbolId,
    name: &'a str,
    path: &'a str,
    line: Line,
    col: Column,
}

#[derive(Serialize)]
struct Missing<'a> {
    source: SymbolId,
    owner: SymbolId,
    name: &'a str,
    path: &'a str,
    line: Line,
    col: Column,
}

pub fn write(selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()> {
    let digest = graph_digest(selection.graph.entries(), selection.graph.modules());
    write!(out, "{{\"version\":{VERSION},\"digest\":\"{digest}\"")?;
    list(out, "symbols", selection, |unit, rows| symbols(selection, unit, rows))?;
    list(out, "edges", selection, |unit, rows| edges(selection, unit, rows))?;
    list(out, "unresolved", selection, |unit, rows| unresolved(selection, unit, rows))?;
    list(out, "missing", selection, |unit, rows| missing(selection, unit, rows))?;
    out.write_all(b"}\n")
}

/// The rows of one list as they are written, with commas between them.
struct Rows<'a> {
    out: &'a mut dyn Write,
    is_first: bool,
}

impl Rows<'_> {
    fn push(&mut self, row: &impl Serialize) -> io::Result<()> {
        if !std::mem::take(&mut self.is_first) {
            self.out.write_all(b",")?;
        }
        json::write(&mut *self.out, row)
    }
}

/// Writes a list, one unit after the other.
fn list(
    out: &mut dyn Write,
    name: &str,
    selection: &Selection<'_>,
    mut of_unit: impl FnMut(&Unit, &mut Rows<'_>) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, ",\"{name}\":[")?;
    let mut rows = Rows { out, is_first: true };
    selection.for_each_unit(|unit| of_unit(unit, &mut rows))?;
    out.write_all(b"]")
}

fn symbols(selection: &Selection<'_>, unit: &Unit, rows: &mut Rows<'_>) -> io::Result<()> {
    for (at, symbol) in unit.symbols.iter().enumerate() {
        let Some(id) = selection.id(unit, at) else { continue };
        // A parent that is not written would be an id that nothing has.
        let parent = if at == 0 { None } else { selection.id(unit, symbol.parent as usize) };
        rows.push(&Symbol {
            id: &id,
            kind: symbol.kind,
            path: unit.path.as_str(),
            line: symbol.site.line,
            end_line: symbol.last,
            col: symbol.site.column,
            sig: &symbol.signature,
            doc: &symbol.doc,
            parent,
        })?;
    }
    Ok(())
}

fn edges(selection: &Selection<'_>, unit: &Unit, rows: &mut Rows<'_>) -> io::Result<()> {
    for line in selection.edges(unit) {
        rows.push(&Edge {
            source: &line.source,
            target: &line.target,
            kind: line.kind,
            path: unit.path.as_str(),
            line: line.site.line,
            col: line.site.column,
            conf: (line.confidence == Confidence::Name).then_some("name"),
        })?;
    }
    Ok(())
}

fn unresolved(selection: &Selection<'_>, unit: &Unit, rows: &mut Rows<'_>) -> io::Result<()> {
    for one in &unit.unresolved {
        let Some(source) = source(selection, unit, one.source) else { continue };
        let (line, col) = (one.site.line, one.site.column);
        rows.push(&Unresolved { source, name: &one.name, path: unit.path.as_str(), line, col })?;
    }
    Ok(())
}

fn missing(selection: &Selection<'_>, unit: &Unit, rows: &mut Rows<'_>) -> io::Result<()> {
    for one in &unit.missing {
        let Some(source) = source(selection, unit, one.source) else { continue };
        let owner = selection.graph.modules().id(&one.owner);
        let (line, col) = (one.site.line, one.site.column);
        rows.push(&Missing { source, owner, name: &one.name, path: unit.path.as_str(), line, col })?;
    }
    Ok(())
}

/// Where a use that led nowhere is; at the level of modules in its module.
fn source(selection: &Selection<'_>, unit: &Unit, at: u32) -> Option<SymbolId> {
    let at = if selection.level == super::Level::Module { 0 } else { at as usize };
    selection.id(unit, at)
}
