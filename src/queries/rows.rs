//! The rows of answers: a subject, and a symbol with how it is connected.

use std::collections::BTreeSet;

use serde::Serialize;

use super::budget::{self, Cut, Page, Partial};
use super::walk::{Reached, Via, Walk};
use crate::graph::{Confidence, EdgeKind, Located, ModuleTable, SymbolKind};
use crate::names::{Line, ModuleName, SymbolId};

/// Lines of further uses that one row names.
const MORE_LINES: usize = 20;

/// The subject of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Head {
    pub id: SymbolId,
    pub kind: SymbolKind,
    /// `path:line` of the definition.
    pub loc: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub sig: Box<str>,
}

impl Head {
    pub fn of(located: &Located, modules: &ModuleTable) -> Head {
        let symbol = located.symbol();
        Head { id: located.id(modules), kind: symbol.kind, loc: located.loc(), sig: symbol.signature.clone() }
    }
}

/// A symbol, and how it is connected with the subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    pub id: SymbolId,
    pub kind: SymbolKind,
    /// `path:line` of the definition.
    pub loc: String,
    /// Line of the first use, in the file of whoever uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Line>,
    /// Lines of further uses, the first [`MORE_LINES`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<Line>,
    /// How many lines there are, when not all are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
    /// The kind of the edge, where a list mixes kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<EdgeKind>,
    /// Steps from the subject, when more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// `name` for what was found by name alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conf: Option<&'static str>,
}

impl Row {
    pub fn of(reached: &Reached, modules: &ModuleTable) -> Row {
        let mut lines = reached.lines.iter().copied();
        Row {
            id: reached.located.id(modules),
            kind: reached.located.symbol().kind,
            loc: reached.located.loc(),
            at: lines.next(),
            more: lines.take(MORE_LINES).collect(),
            lines: (reached.lines.len() > MORE_LINES + 1).then_some(reached.lines.len()),
            edge: None,
            depth: (reached.depth > 1).then_some(reached.depth),
            via: reached.via,
            conf: label(reached.confidence),
        }
    }
}

/// The printed label of a confidence.
pub fn label(confidence: Confidence) -> Option<&'static str> {
    match confidence {
        Confidence::Sure => None,
        Confidence::Name => Some("name"),
    }
}

/// A list of rows with what goes with every list: what was cut, and which files did not parse.
pub struct List {
    pub rows: Vec<Row>,
    pub cut: Cut,
    pub partial: Partial,
}

impl List {
    /// The page of what a walk reached, as rows.
    pub fn of(subject: &Located, walk: Walk, page: Page, modules: &ModuleTable) -> List {
        let mut rows: Vec<Row> = walk.reached.iter().map(|one| Row::of(one, modules)).collect();
        let mut cut = budget::cut(&mut rows, page);
        cut.note_walk(walk.cut);
        let shown = walk.reached.iter().skip(page.offset).take(rows.len());
        let partial = Partial::among(shown.map(|one| &*one.located.unit).chain([&*subject.unit]));
        List { rows, cut, partial }
    }
}

/// The modules of paths with their distances, each once, the nearest first.
pub fn nearest_modules(mut near: Vec<(u32, &str)>, modules: &ModuleTable) -> Vec<ModuleName> {
    near.sort_unstable();
    let mut seen = BTreeSet::new();
    let paths = near.into_iter().map(|(_, path)| path).filter(|path| seen.insert(*path));
    paths.filter_map(|path| modules.name(path).cloned()).collect()
}
