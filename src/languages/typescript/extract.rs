//! A blob → its facts.

use tree_sitter::Node;

use super::jsdoc::Types;
use super::kinds::Grammar;
use super::source::{self, Parsed};
use super::walk::{Source, Walk};
use crate::facts::build::Builder;
use crate::facts::{Facts, Problem, ProblemKind};
use crate::languages::text;
use crate::names::Dialect;

/// The facts of one blob of a dialect of ours.
pub(super) fn facts(dialect: Dialect, bytes: &[u8]) -> Facts {
    let text = text::decode(bytes);
    match source::parse(dialect, &text) {
        Some(parsed) => walk(dialect, &text, &parsed),
        None => unread(&text),
    }
}

fn walk(dialect: Dialect, text: &str, parsed: &Parsed) -> Facts {
    let is_javascript = dialect == Dialect::JavaScript;
    let source = Source { text, grammar: parsed.grammar };
    let root = parsed.tree.root_node();
    let types = if is_javascript { Types::of(text) } else { Types::default() };
    let tree = match types.is_empty() {
        true => None,
        false => source::parse_as(Grammar::typescript(), &types.text),
    };
    let walk = Walk::new(source, root, is_javascript);
    match &tree {
        Some(tree) => all(walk.with_types(&types, tree), root),
        None => all(walk, root),
    }
}

fn all<'t>(mut walk: Walk<'t>, root: Node<'t>) -> Facts {
    let root = walk.lone(root);
    walk.typedefs(root);
    walk.statement(root);
    walk.finish()
}

/// The facts of a text that the parser gave up on.
fn unread(text: &str) -> Facts {
    let mut facts = Builder::new().finish();
    facts.places.lines = text::line_count(text);
    facts.body.problems.push(Problem { first: 1, last: facts.places.lines, kind: ProblemKind::Size });
    facts
}
