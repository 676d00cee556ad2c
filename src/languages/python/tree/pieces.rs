//! Pieces of a tree, kept so that another version of its text is parsed only where it differs.
//!
//! A *piece* is a statement of the module or of the body of a class that has its lines to itself and is not short. In
//! another text, pieces are looked for where lines start. What is left of that text is parsed, with the shortest
//! statement there is (`pass`) where a piece was found, and the nodes of the piece are put in its place.
//!
//! The tree is the one that the whole text has:
//!
//! - A piece is found by a digest of its text, from the start of its line up to the token that follows it. So it has the
//!   same tokens, indentation and the end of blocks included, and ends where it ended.
//! - Where a piece does not begin a statement (in a string, in brackets, behind a decorator or a line that goes on), the
//!   `pass` begins none either: it is missing from the tree, or there is an error.
//! - A parser mends an error by what stands far from it. So a text with an error has no pieces, and one whose rest has an
//!   error is parsed as a whole.
//! - What a text may take in work and depth holds for the whole. An upper bound of both is kept with the pieces; beyond
//!   half of either limit the text is parsed as a whole.

mod nodes;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tree_sitter::Parser;

use self::nodes::Nodes;
use super::{Grammar, MAX_DEPTH, N, Node, PARSE_CALLS, Tree};
use crate::languages::tokens;

/// Shortest text whose pieces are kept, in bytes.
const MIN_TEXT_BYTES: usize = 4096;
/// Shortest text of a piece, in bytes: to keep a shorter one costs more than it saves.
const MIN_PIECE_BYTES: usize = 96;
/// Pieces that are tried at one line, of those that begin alike.
const MAX_TRIES: usize = 8;
/// Bytes that are digested in search of pieces, for each byte of the text.
const DIGESTED_PER_BYTE: usize = 4;
/// A text of which less than one byte in so many is known is parsed as a whole.
const LEAST_KNOWN: usize = 4;

/// What is kept of a text.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    /// Calls that parsing it took, at most; see `PARSE_CALLS`.
    work: u32,
    /// Levels of its tree, at most.
    depth: u32,
    #[serde(borrow)]
    pieces: Vec<Piece<'a>>,
}

#[derive(Serialize, Deserialize)]
struct Piece<'a> {
    /// The hash of the first [`MIN_PIECE_BYTES`] of the text.
    head: u16,
    /// The beginning of the SHA-256 of the text.
    digest: [u8; 16],
    /// Length of the text: from the start of the line up to the next token. In bytes.
    length: u32,
    /// Bytes of the text before the statement.
    indent: u32,
    /// Nothing follows.
    is_last: bool,
    #[serde(borrow)]
    nodes: Nodes<'a>,
}

/// A piece where it stands in a text.
struct Found<K> {
    start: u32,
    end: u32,
    /// Where the next token starts.
    until: u32,
    nodes: Vec<Node<K>>,
    comments: Vec<(u32, u32)>,
}

impl<'t, K: Grammar> Tree<'t, K> {
    /// Does what [`Tree::parse`] does with the whole text. `kept` is what [`Tree::pieces`] gave for another text; what it has
    /// in common with this one is not parsed again.
    pub fn parse_with(&mut self, parser: &mut Parser, kinds: &[K], kept: &[u8]) -> Option<N> {
        match self.parse_rest(parser, kinds, kept) {
            Some(()) => Some(N(0)),
            None => self.parse(parser, kinds, None),
        }
    }

    fn parse_rest(&mut self, parser: &mut Parser, kinds: &[K], kept: &[u8]) -> Option<()> {
        let kept: Kept = postcard::from_bytes(kept).ok()?;
        let found = self.find(&kept);
        let known: usize = found.iter().map(|piece| (piece.end - piece.start) as usize).sum();
        if known < self.text.len() / LEAST_KNOWN {
            return None;
        }
        let mut text = String::with_capacity(self.text.len() - known + found.len() * K::SHORTEST.0.len());
        let mut from = 0;
        let mut places = Vec::with_capacity(found.len());
        for piece in &found {
            text.push_str(self.slice(from, piece.start));
            places.push(text.len() as u32);
            text.push_str(K::SHORTEST.0);
            from = piece.end;
        }
        text.push_str(self.slice(from, self.text.len() as u32));
        let mut rest = Tree::new(&text);
        rest.parse(parser, kinds, None)?;
        rest.work += kept.work as usize;
        rest.depth += kept.depth as usize;
        if !rest.is_plain() {
            return None;
        }
        self.nodes = joined(&rest.nodes, &places, &found)?;
        let back = |(start, end)| (moved(start, &places, &found), moved(end, &places, &found));
        self.comments = rest.comments.iter().copied().map(back).collect();
        self.comments.extend(found.iter().flat_map(|piece| &piece.comments));
        self.comments.sort_unstable();
        (self.work, self.depth) = (rest.work, rest.depth);
        Some(())
    }

    /// Whether there is no error, and no limit near.
    fn is_plain(&self) -> bool {
        self.problems.is_empty() && self.work <= PARSE_CALLS / 2 && self.depth <= MAX_DEPTH / 2
    }

    /// The pieces that stand in this text, in order.
    fn find(&self, kept: &Kept) -> Vec<Found<K>> {
        let mut alike: FxHashMap<u16, VecDeque<&Piece>> = FxHashMap::default();
        for piece in &kept.pieces {
            alike.entry(piece.head).or_default().push_back(piece);
        }
        let mut left = self.text.len().saturating_mul(DIGESTED_PER_BYTE);
        let mut found = Vec::new();
        let mut line = 0;
        while let Some(&start) = self.lines.get(line) {
            line += 1;
            let Some(pieces) = head(self.text.as_bytes(), start).and_then(|head| alike.get_mut(&head)) else {
                continue;
            };
            if let Some(piece) = self.find_at(start, pieces, &mut left) {
                line = line.max(self.line_index(piece.until) as usize);
                found.push(piece);
            }
        }
        found
    }

    /// The piece that stands at the start of a line; it and those before it are taken from the list.
    fn find_at(&self, start: u32, pieces: &mut VecDeque<&Piece>, left: &mut usize) -> Option<Found<K>> {
        let bytes = self.text.as_bytes();
        for at in 0..pieces.len().min(MAX_TRIES) {
            let piece = pieces[at];
            let until = start.checked_add(piece.length)?;
            let Some(text) = bytes.get(start as usize..until as usize) else { continue };
            let ends = match bytes.get(until as usize) {
                Some(next) => !piece.is_last && !next.is_ascii_whitespace() && !b"#\\".contains(next),
                None => piece.is_last,
            };
            if ends {
                *left = left.checked_sub(text.len())?;
                if digest(text) == piece.digest {
                    pieces.drain(..=at);
                    let start = start.checked_add(piece.indent)?;
                    let (nodes, comments) = piece.nodes.read(bytes, start)?;
                    let end = nodes.first()?.end;
                    return (end <= until).then_some(Found { start, end, until, nodes, comments });
                }
            }
        }
        None
    }

    /// What to keep of this tree for [`Tree::parse_with`], when nothing was added to it yet; nothing where there was an
    /// error.
    pub fn pieces(&self) -> Vec<u8> {
        if !self.is_plain() || self.text.len() < MIN_TEXT_BYTES {
            return Vec::new();
        }
        let piece = |(n, line, until): (N, u32, u32)| {
            let text = &self.text.as_bytes()[line as usize..until as usize];
            Piece {
                head: head(text, 0).unwrap_or_default(),
                digest: digest(text),
                length: until - line,
                indent: self.start(n) - line,
                is_last: until as usize == self.text.len(),
                nodes: Nodes::of(self, n),
            }
        };
        let pieces: Vec<Piece> = self.statements().map(piece).collect();
        if pieces.is_empty() {
            return Vec::new();
        }
        let kept = Kept { work: self.work as u32, depth: self.depth as u32, pieces };
        postcard::to_stdvec(&kept).expect("plain data")
    }

    /// The statements that are pieces, each with the start of its line and of the next token.
    fn statements(&self) -> impl Iterator<Item = (N, u32, u32)> {
        let mut next = N(1);
        std::iter::from_fn(move || {
            while self.contains(next) {
                let n = next;
                if let Some(list) = K::statements_in(self, n) {
                    // What follows the last statement in there is what follows it.
                    next = N(list.0 + 1);
                    continue;
                }
                next = self.after(n);
                let line = self.lines[self.line_index(self.start(n)) as usize];
                let until = if self.contains(next) { self.start(next) } else { self.text.len() as u32 };
                let begins_line = self.slice(line, self.start(n)).bytes().all(|byte| matches!(byte, b' ' | b'\t'));
                let ends_line = !self.contains(next) || self.slice(self.end(n), until).contains('\n');
                if begins_line && ends_line && (until - line) as usize >= MIN_PIECE_BYTES && !self.kind(n).is_token() {
                    return Some((n, line, until));
                }
            }
            None
        })
    }
}

/// The nodes of the rest of a text with those of the pieces found, whose places in the rest are given; `None` when not
/// every piece is a statement there.
fn joined<K: Grammar>(rest: &[Node<K>], places: &[u32], found: &[Found<K>]) -> Option<Vec<Node<K>>> {
    let mut nodes = Vec::with_capacity(rest.len() + found.iter().map(|piece| piece.nodes.len()).sum::<usize>());
    // Where the nodes of the rest are now.
    let mut now = vec![0; rest.len() + 1];
    let mut own = Vec::with_capacity(rest.len());
    let mut pieces = places.iter().zip(found).peekable();
    let mut at = 0;
    while let Some(node) = rest.get(at) {
        let base = nodes.len() as u32;
        now[at] = base;
        let stands_for = |(place, _): &(&u32, &Found<K>)| node.kind == K::SHORTEST.1 && node.start == **place;
        if let Some((_, piece)) = pieces.next_if(stands_for) {
            nodes.extend(piece.nodes.iter().map(|node| Node { next: node.next + base, ..*node }));
            at = node.next as usize;
        } else {
            let (start, end) = (moved(node.start, places, found), moved(node.end, places, found));
            nodes.push(Node { start, end, ..*node });
            own.push(base);
            at += 1;
        }
    }
    now[rest.len()] = nodes.len() as u32;
    for at in own {
        let node = &mut nodes[at as usize];
        node.next = now[node.next as usize];
    }
    pieces.next().is_none().then_some(nodes)
}

/// Where a byte of the rest of a text stands in the text.
fn moved<K: Grammar>(at: u32, places: &[u32], found: &[Found<K>]) -> u32 {
    let length = K::SHORTEST.0.len() as u32;
    match places.partition_point(|place| place + length <= at) {
        0 => at,
        before => found[before - 1].end + (at - places[before - 1] - length),
    }
}

/// The hash of what a piece begins with, of a text from this byte on.
fn head(text: &[u8], at: u32) -> Option<u16> {
    text.get(at as usize..)?.get(..MIN_PIECE_BYTES).map(|head| tokens::hash(head) as u16)
}

fn digest(text: &[u8]) -> [u8; 16] {
    *Sha256::digest(text).first_chunk().expect("SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests;
