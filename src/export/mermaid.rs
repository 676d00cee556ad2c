//! The graph as a Mermaid flowchart, within the limits that GitHub draws.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Arrow, Selection};
use crate::graph::SymbolKind;
use crate::names::SymbolId;

/// Edges that GitHub draws.
const EDGES: usize = 500;
/// Characters that GitHub takes.
const CHARACTERS: usize = 50_000;
/// Symbols that may fit when each takes a line of the shortest kind.
const SYMBOLS: usize = CHARACTERS / 10;

/// The first of a picture's parts, and how many there are.
#[derive(Default)]
struct Picture {
    symbols: BTreeMap<SymbolId, SymbolKind>,
    all_symbols: usize,
    arrows: BTreeSet<Arrow>,
    all_arrows: usize,
}

pub fn write(selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut picture = Picture::default();
    selection.for_each_unit(|unit| {
        for arrow in selection.arrows(unit) {
            picture.all_arrows += 1;
            picture.arrows.insert(arrow);
            if picture.arrows.len() > EDGES {
                picture.arrows.pop_last();
            }
        }
        Ok(())
    })?;
    let ends = ends(picture.arrows.iter());
    selection.for_each_unit(|unit| {
        for (at, symbol) in unit.symbols.iter().enumerate() {
            let Some(id) = selection.id(unit, at) else { continue };
            picture.all_symbols += 1;
            // Those that no arrow needs are kept as long as they may fit.
            if ends.contains(&id) || picture.symbols.len() < SYMBOLS {
                picture.symbols.insert(id, symbol.kind);
            }
        }
        Ok(())
    })?;
    out.write_all(picture.draw().as_bytes())
}

fn ends<'a>(arrows: impl Iterator<Item = &'a Arrow>) -> BTreeSet<SymbolId> {
    arrows.flat_map(|arrow| [arrow.source.clone(), arrow.target.clone()]).collect()
}

impl Picture {
    /// The whole picture when it fits, else without lonely symbols, else with fewer arrows.
    fn draw(&self) -> String {
        if self.symbols.len() == self.all_symbols && self.arrows.len() == self.all_arrows {
            let whole = self.text(self.symbols.keys().cloned().collect(), self.arrows.len());
            if whole.chars().count() <= CHARACTERS {
                return whole;
            }
        }
        // Text grows with the number of arrows, so halving finds the largest number that fits.
        let (mut fits, mut too_many) = (0, self.arrows.len() + 1);
        while fits + 1 < too_many {
            let count = usize::midpoint(fits, too_many);
            match self.text(ends(self.arrows.iter().take(count)), count).chars().count() <= CHARACTERS {
                true => fits = count,
                false => too_many = count,
            }
        }
        self.text(ends(self.arrows.iter().take(fits)), fits)
    }

    fn text(&self, symbols: BTreeSet<SymbolId>, arrows: usize) -> String {
        let mut text = String::from("flowchart LR\n");
        let numbers: BTreeMap<&SymbolId, usize> = symbols.iter().zip(0..).collect();
        for (id, number) in &numbers {
            let kind = self.symbols.get(id).copied().unwrap_or(SymbolKind::Symbol);
            let (open, close) = shape(kind);
            line(&mut text, format_args!("  n{number}{open}\"{}\"{close}", escaped(&id.to_string())));
        }
        for arrow in self.arrows.iter().take(arrows) {
            let (from, to) = (numbers[&arrow.source], numbers[&arrow.target]);
            let stem = if arrow.is_guess() { "-.->" } else { "-->" };
            match arrow.label() {
                Some(label) => line(&mut text, format_args!("  n{from} {stem}|{label}| n{to}")),
                None => line(&mut text, format_args!("  n{from} {stem} n{to}")),
            }
        }
        let (symbols_left, arrows_left) = (self.all_symbols - symbols.len(), self.all_arrows - arrows);
        if symbols_left + arrows_left > 0 {
            line(
                &mut text,
                format_args!(
                    "  %% left out: {arrows_left} edges and {symbols_left} symbols, to stay within {EDGES} edges and \
                     {CHARACTERS} characters; --focus chooses a part"
                ),
            );
        }
        text
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("a string takes every text");
}

fn shape(kind: SymbolKind) -> (&'static str, &'static str) {
    match kind {
        SymbolKind::Module => ("([", "])"),
        SymbolKind::Class => ("[", "]"),
        SymbolKind::Function | SymbolKind::Method => ("(", ")"),
        SymbolKind::Symbol => ("[/", "/]"),
        SymbolKind::Test => ("{{", "}}"),
    }
}

/// A text inside the quotes of a label: all but plain characters as Mermaid's numeric entities.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || " ._-/:,()@$+=*!?".contains(c) {
            out.push(c);
        } else {
            out.push_str(&format!("#{};", u32::from(c)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(escaped("src/a.test:Cart > adds"), "src/a.test:Cart #62; adds");
        assert_eq!(escaped("\"]; click\n`%%{"), "#34;#93;#59; click#10;#96;#37;#37;#123;");
    }
}
