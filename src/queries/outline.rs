//! `outline`: what a file holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::rows::Head;
use super::subject::{self, Prefer};
use super::{Context, Miss, Query};
use crate::graph::{Located, SymbolKind, Unit};
use crate::names::{Line, LocalPath};

/// Nesting that is shown. What lies deeper is counted in the total.
const NESTING: usize = 16;

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// Path or module; a class or function shows what it holds
    target: String,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<200, 1000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Serialize)]
pub struct Answer {
    symbol: Head,
    end_line: Line,
    symbols: Vec<Entry>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

/// A symbol, and what it defines.
#[derive(Clone, Serialize)]
struct Entry {
    name: String,
    kind: SymbolKind,
    line: Line,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<Line>,
    #[serde(skip_serializing_if = "str::is_empty")]
    sig: Box<str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    symbols: Vec<Entry>,
    /// Levels below the target.
    #[serde(skip)]
    level: usize,
    #[serde(skip)]
    local: LocalPath,
}

impl Query for Outline {
    const NAME: &'static str = "outline";
    const DESCRIPTION: &'static str = "What a file holds. Its symbols in order, nested, with lines and signatures; \
        ask before you read the file.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let modules = context.graph.modules();
        let target = subject::find(context, &self.target, Prefer::Module)?;
        let mut entries = flat(&target);
        let total = entries.len();
        entries.retain(|entry| entry.level < NESTING);
        let mut cut = budget::cut(&mut entries, Page::new(self.limit, self.offset));
        if cut.total.is_some() {
            cut.total = Some(total);
        }
        let partial = Partial::among([&*target.unit]);
        Ok(Answer {
            symbol: Head::of(&target, modules),
            end_line: target.symbol().last,
            symbols: nested(entries),
            cut,
            partial,
        })
    }
}

/// Everything below the target, each symbol before what it defines.
fn flat(target: &Located) -> Vec<Entry> {
    let unit = &target.unit;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); unit.symbols.len()];
    for at in 1..unit.symbols.len() {
        children[unit.symbols[at].parent as usize].push(at);
    }
    let mut entries = Vec::new();
    let mut todo: Vec<(usize, usize)> = children[target.at].iter().rev().map(|&at| (at, 0)).collect();
    while let Some((at, level)) = todo.pop() {
        entries.push(entry(unit, at, level));
        todo.extend(children[at].iter().rev().map(|&child| (child, level + 1)));
    }
    entries
}

fn entry(unit: &Unit, at: usize, level: usize) -> Entry {
    let symbol = &unit.symbols[at];
    let above = unit.symbols[symbol.parent as usize].local.as_str();
    let below = symbol.local.as_str().strip_prefix(above).unwrap_or(symbol.local.as_str());
    let name = below.strip_prefix(" > ").or(below.strip_prefix('.')).unwrap_or(below);
    Entry {
        name: name.to_owned(),
        kind: symbol.kind,
        line: symbol.site.line,
        end_line: (symbol.last > symbol.site.line).then_some(symbol.last),
        sig: symbol.signature.clone(),
        symbols: Vec::new(),
        level,
        local: symbol.local.clone(),
    }
}

/// Puts each entry into the one that defines it, as far as that is shown too.
fn nested(entries: Vec<Entry>) -> Vec<Entry> {
    let mut open: Vec<Entry> = Vec::new();
    let mut done = Vec::new();
    let close = |open: &mut Vec<Entry>, done: &mut Vec<Entry>| {
        let Some(entry) = open.pop() else { return };
        match open.last_mut() {
            Some(parent) => parent.symbols.push(entry),
            None => done.push(entry),
        }
    };
    for mut entry in entries {
        while open.last().is_some_and(|last| last.level >= entry.level) {
            close(&mut open, &mut done);
        }
        if open.is_empty() && entry.level > 0 {
            // What defines it is on an earlier page.
            entry.name = entry.local.to_string();
        }
        open.push(entry);
    }
    while !open.is_empty() {
        close(&mut open, &mut done);
    }
    done
}
