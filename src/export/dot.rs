//! The graph as a picture for Graphviz.

use std::io::{self, Write};

use super::Selection;
use crate::graph::SymbolKind;

pub fn write(selection: &Selection<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"digraph repo_graph {\n  rankdir=LR;\n  node [shape=box];\n")?;
    selection.for_each_unit(|unit| {
        for (at, symbol) in unit.symbols.iter().enumerate() {
            if let Some(id) = selection.id(unit, at) {
                writeln!(out, "  {} [{}];", quoted(&id.to_string()), style(symbol.kind))?;
            }
        }
        Ok(())
    })?;
    selection.for_each_unit(|unit| {
        for arrow in selection.arrows(unit) {
            write!(out, "  {} -> {}", quoted(&arrow.source.to_string()), quoted(&arrow.target.to_string()))?;
            match (arrow.label(), arrow.is_guess()) {
                (None, false) => out.write_all(b";\n")?,
                (Some(label), false) => writeln!(out, " [label={label}];")?,
                (None, true) => out.write_all(b" [style=dashed];\n")?,
                (Some(label), true) => writeln!(out, " [label={label}, style=dashed];")?,
            }
        }
        Ok(())
    })?;
    out.write_all(b"}\n")
}

fn style(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Module => "shape=folder",
        SymbolKind::Class => "shape=box",
        SymbolKind::Function | SymbolKind::Method => "shape=box, style=rounded",
        SymbolKind::Symbol => "shape=plain",
        SymbolKind::Test => "shape=hexagon",
    }
}

/// A quoted string of DOT, where `\` and `&` begin escapes. What no eye can see is written out.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '&' => out.push_str("&amp;"),
            c if crate::json::is_unsafe(c) => out.push_str(&format!("\\\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_quotes() {
        assert_eq!(quoted("a\"];b\\"), r#""a\"];b\\""#);
        assert_eq!(quoted("<b>&lt;\n\u{202e}"), r#""<b>&amp;lt;\\u000a\\u202e""#);
    }
}
