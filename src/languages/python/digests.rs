//! The tokens of a Python text, blind to comments and to what a formatter changes: quotes, trailing commas, redundant
//! parentheses, where lines are joined.

use std::ops::Range;

use super::kinds::{Kind, Tree};
use super::tree::N;
use crate::facts::Fingerprint;
use crate::languages::tokens::{self, Tokens};

// Tokens for structure that white space shows.
const STATEMENT: u64 = 1;
const BLOCK: u64 = 2;
const BLOCK_END: u64 = 3;
/// The end of a string, whatever its quotes.
const STRING_END: u64 = 4;
/// Tells `(a,)` from `(a)`.
const TUPLE: u64 = 5;

/// All tokens below a node.
pub(super) fn tokens(tree: &Tree<'_>, root: N) -> Tokens {
    let mut out = Tokens::with_capacity((tree.after(root).0 - root.0) as usize);
    // Parentheses that a formatter adds and removes.
    let mut left_out: Vec<N> = Vec::new();
    // Of open blocks: what follows, and where the end is told. That is inside of the block, so that its digest does not
    // depend on what follows.
    let mut blocks: Vec<(N, usize)> = Vec::new();
    let mut at = root;
    while at < tree.after(root) {
        while let Some((_, end)) = blocks.pop_if(|(after, _)| *after <= at) {
            out.push_hash(end, BLOCK_END);
        }
        let kind = tree.kind(at);
        if kind == Kind::Block {
            let end = tree.end(at).saturating_sub(1).max(tree.start(at));
            blocks.push((tree.after(at), end as usize));
        }
        if drops_parentheses(kind) {
            leave_out_parentheses(tree, at, &mut left_out);
        }
        match left_out.iter().position(|parenthesis| *parenthesis == at) {
            Some(found) => {
                left_out.swap_remove(found);
            }
            None => {
                if let Some(token) = token(tree, at) {
                    out.push_hash(tree.start(at) as usize, token);
                }
            }
        }
        at = N(at.0 + 1);
    }
    for (_, end) in blocks.into_iter().rev() {
        out.push_hash(end, BLOCK_END);
    }
    out
}

/// Digest and sketch of a definition's body.
pub(super) struct Digest {
    pub body: Fingerprint,
    pub sketch: Box<[u16]>,
}

/// The body of a definition without its documentation. Methods and nested classes are left out of a class's digest,
/// since they have their own, but not out of its sketch; a nested function is part of the function around it.
pub(super) fn of_body(tree: &Tree<'_>, tokens: &Tokens, body: N, is_class: bool) -> Digest {
    let documented = documentation(tree, body).and_then(|_| tree.first_child(body));
    let start = documented.map_or(tree.start(body), |documentation| tree.end(documentation)) as usize;
    let end = tree.end(body) as usize;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut from = start;
    let mut at = N(body.0 + 1);
    while is_class && at < tree.after(body) {
        if matches!(tree.kind(at), Kind::FunctionDefinition | Kind::ClassDefinition | Kind::DecoratedDefinition) {
            ranges.push(from..tree.start(at) as usize);
            from = tree.end(at) as usize;
            at = tree.after(at);
        } else {
            at = N(at.0 + 1);
        }
    }
    ranges.push(from..end);
    Digest { body: tokens.digest(&ranges), sketch: tokens.sketch(start..end) }
}

/// The statements of a module that are no definition, no import, no binding of a name and no documentation: what runs
/// when it is imported, beside what has a symbol of its own.
pub(super) fn of_module(tree: &Tree<'_>, tokens: &Tokens, root: N) -> Fingerprint {
    let documented = documentation(tree, root).and_then(|_| tree.first_child(root));
    let mut from = documented.map_or(tree.start(root), |documentation| tree.end(documentation)) as usize;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut at = N(root.0 + 1);
    while at < tree.after(root) {
        if has_symbols(tree, at) {
            ranges.push(from..(tree.start(at) as usize).max(from));
            from = (tree.end(at) as usize).max(from);
            at = tree.after(at);
        } else {
            at = N(at.0 + 1);
        }
    }
    ranges.push(from..(tree.end(root) as usize).max(from));
    tokens.digest(&ranges)
}

/// Whether a statement's content belongs to the symbols or edges that it makes.
fn has_symbols(tree: &Tree<'_>, n: N) -> bool {
    match tree.kind(n) {
        Kind::FunctionDefinition | Kind::ClassDefinition | Kind::DecoratedDefinition => true,
        Kind::ImportStatement | Kind::ImportFrom | Kind::FutureImport => true,
        Kind::ExpressionStatement => {
            let assignment = tree.first_child(n).filter(|first| tree.kind(*first) == Kind::Assignment);
            let target = assignment.and_then(|assignment| tree.first_child(assignment));
            target.is_some_and(|target| !matches!(tree.kind(target), Kind::Attribute | Kind::Subscript))
        }
        _ => false,
    }
}

/// The token that a node stands for, if it is a leaf or shows structure.
fn token(tree: &Tree<'_>, n: N) -> Option<u64> {
    let text = tree.text(n);
    match tree.kind(n) {
        Kind::StringStart => Some(tokens::hash(string_prefix(text).as_bytes())),
        Kind::StringEnd => Some(STRING_END),
        Kind::StringContent => Some(content_hash(text)),
        Kind::String if tree.is_leaf(n) => {
            let (prefix, content) = text.split_at(text.find(['"', '\'']).unwrap_or_default());
            let content = content.trim_matches(['"', '\'']);
            Some(content_hash(content) ^ tokens::hash(string_prefix(prefix).as_bytes()))
        }
        Kind::Integer | Kind::Float => Some(tokens::hash(text.to_ascii_lowercase().as_bytes())),
        Kind::Tuple => Some(TUPLE),
        Kind::Block => Some(BLOCK),
        Kind::Semicolon => None,
        Kind::Comma if is_trailing(tree, n) => None,
        kind if is_statement(kind) => Some(STATEMENT),
        _ => tree.is_leaf(n).then(|| tokens::hash(text.as_bytes())),
    }
}

/// A comma before a closing bracket. The one that makes a tuple is told by [`TUPLE`].
fn is_trailing(tree: &Tree<'_>, comma: N) -> bool {
    let next = tree.after(comma);
    tree.contains(next) && matches!(tree.kind(next), Kind::Close | Kind::CloseBracket | Kind::CloseBrace)
}

/// The hash of a string's content, whatever its quotes.
fn content_hash(content: &str) -> u64 {
    if content.contains(['\\', '\r']) {
        let plain = content.replace("\\'", "'").replace("\\\"", "\"").replace('\r', "");
        tokens::hash(plain.as_bytes())
    } else {
        tokens::hash(content.as_bytes())
    }
}

/// The letters before a string's quotes that change what it is.
fn string_prefix(start: &str) -> String {
    start.trim_end_matches(['"', '\'']).to_ascii_lowercase().replace('u', "")
}

/// Statements that begin with no keyword of their own that would tell where they start.
fn is_statement(kind: Kind) -> bool {
    matches!(kind, Kind::ExpressionStatement)
}

/// Whether parentheses directly below mean nothing.
fn drops_parentheses(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Assignment
            | Kind::AugmentedAssignment
            | Kind::ReturnStatement
            | Kind::AssertStatement
            | Kind::DeleteStatement
            | Kind::RaiseStatement
            | Kind::IfStatement
            | Kind::ElifClause
            | Kind::WhileStatement
            | Kind::ForStatement
            | Kind::ForInClause
            | Kind::ImportFrom
            | Kind::WithClause
            | Kind::WithItem
    )
}

fn leave_out_parentheses(tree: &Tree<'_>, statement: N, left_out: &mut Vec<N>) {
    for child in tree.children(statement) {
        match tree.kind(child) {
            Kind::Open | Kind::Close => left_out.push(child),
            Kind::Parenthesized => {
                let inner = tree.children(child);
                left_out.extend(inner.first().into_iter().chain(inner.last()));
            }
            _ => {}
        }
    }
}

/// The string that documents a block's definition: its first statement, when that is nothing but a string.
pub(super) fn documentation(tree: &Tree<'_>, block: N) -> Option<N> {
    let first = tree.first_child(block).filter(|first| tree.kind(*first) == Kind::ExpressionStatement)?;
    let string = tree.first_child(first).filter(|string| tree.after(*string) == tree.after(first))?;
    matches!(tree.kind(string), Kind::String | Kind::ConcatenatedString).then_some(string)
}
