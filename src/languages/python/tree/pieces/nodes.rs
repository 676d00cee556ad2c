//! The nodes of one piece, as they are kept: where they stand follows mostly from the text.

use std::borrow::Cow;
use std::iter::Peekable;

use serde::{Deserialize, Serialize};

use super::{Grammar, N, Node, Tree};

/// In the list of kinds, a byte from here on tells how many children the next node has, if that is unusual for its kind.
const COUNTED: u8 = 192;
/// Children of a node that such a byte can tell; a node with more has its number in [`Nodes::many`].
const MANY: u32 = (u8::MAX - COUNTED) as u32;

/// The nodes of a piece, and the comments inside.
#[derive(Serialize, Deserialize)]
pub(super) struct Nodes<'a> {
    /// The kind of each node, in the order of the tree. See [`COUNTED`].
    #[serde(borrow)]
    kinds: Cow<'a, [u8]>,
    many: Vec<u32>,
    /// The nodes that do not stand where one expects them to.
    elsewhere: Vec<Elsewhere>,
    /// Comments: how far each begins behind the one before, and its length.
    comments: Vec<(u32, u32)>,
}

/// Where a node stands; see [`Expected`] for where it would be expected.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Elsewhere {
    /// Nodes since the last one that is elsewhere.
    after: u32,
    /// From the end of what stands before it, or from the start of the node around it.
    gap: u32,
    length: u32,
}

/// Where a comment starts and ends in a text.
type Comment = (u32, u32);

impl Nodes<'_> {
    /// A node and all below it.
    pub fn of<K: Grammar>(tree: &Tree<'_, K>, root: N) -> Nodes<'static> {
        const { assert!(K::ALL.len() <= COUNTED as usize, "each kind has a byte of its own") };
        let first = tree.comments.partition_point(|comment| comment.0 < tree.start(root));
        let after = tree.comments.partition_point(|comment| comment.0 < tree.end(root));
        let comments = &tree.comments[first..after];
        let mut expected = Expected { text: tree.text.as_bytes(), comments: comments.iter().peekable() };
        let mut kinds = Vec::with_capacity((tree.after(root).0 - root.0) as usize);
        let mut elsewhere: Vec<(u32, u32, u32)> = Vec::new();
        let mut many = Vec::new();
        // The nodes around this one, each with what stands before it if it is not elsewhere already.
        let mut open: Vec<(N, Option<u32>)> = Vec::new();
        let mut end = tree.start(root);
        let mut is_first = true;
        let mut n = root;
        while n < tree.after(root) {
            let before = end;
            let start = if is_first { before } else { expected.start(before) };
            let is_there = tree.start(n) == start;
            let mut note = |n: N, before: u32| {
                elsewhere.push((n.0 - root.0, tree.start(n) - before, tree.end(n) - tree.start(n)));
            };
            let kind = tree.kind(n);
            is_first = !tree.is_leaf(n);
            if !kind.is_token() {
                let count = if is_first { tree.children(n).len() as u32 } else { 0 };
                if count != kind.usual_children() {
                    kinds.push(COUNTED + count.min(MANY) as u8);
                    many.extend((count >= MANY).then_some(count));
                }
            }
            kinds.push(kind.code());
            if is_first {
                if !is_there {
                    note(n, before);
                }
                open.push((n, is_there.then_some(before)));
                end = tree.start(n);
            } else {
                end = tree.end(n);
                if !is_there || expected.end(start) != end {
                    note(n, before);
                }
            }
            n = N(n.0 + 1);
            while let Some((around, before)) = open.pop_if(|(around, _)| tree.after(*around) == n) {
                if let Some(before) = before.filter(|_| tree.end(around) != end) {
                    note(around, before);
                }
                end = tree.end(around);
                is_first = false;
            }
        }
        elsewhere.sort_unstable();
        let mut last = 0;
        let elsewhere = elsewhere.into_iter().map(|(at, gap, length)| {
            let after = at - std::mem::replace(&mut last, at);
            Elsewhere { after, gap, length }
        });
        let mut last = tree.start(root);
        let comments = comments.iter().map(|&(start, end)| (start - std::mem::replace(&mut last, end), end - start));
        Nodes { kinds: kinds.into(), many, elsewhere: elsewhere.collect(), comments: comments.collect() }
    }

    /// The nodes and comments of a piece that starts here in a text; `None` when they make no tree.
    pub fn read<K: Grammar>(&self, text: &[u8], start: u32) -> Option<(Vec<Node<K>>, Vec<Comment>)> {
        let mut comments = Vec::with_capacity(self.comments.len());
        let mut end = start;
        for &(gap, length) in &self.comments {
            let start = end.checked_add(gap)?;
            end = start.checked_add(length)?;
            comments.push((start, end));
        }
        let mut expected = Expected { text, comments: comments.iter().peekable() };
        let mut many = self.many.iter();
        let mut nodes: Vec<Node<K>> = Vec::with_capacity(self.kinds.len());
        // The nodes around this one, with how many children are still to come, and their end if it is elsewhere.
        let mut open: Vec<(usize, u32, Option<u32>)> = Vec::new();
        let mut elsewhere = self.elsewhere.iter().peekable();
        let mut last = 0;
        let mut end = start;
        let mut is_first = true;
        let mut counted = None;
        for &code in &*self.kinds {
            if let Some(count) = code.checked_sub(COUNTED) {
                counted = Some(if u32::from(count) == MANY { *many.next()? } else { u32::from(count) });
                continue;
            }
            let at = nodes.len();
            if at > 0 && open.is_empty() {
                return None;
            }
            let kind = *K::ALL.get(usize::from(code))?;
            let usual = if kind.is_token() { 0 } else { kind.usual_children() };
            let count = counted.take().unwrap_or(usual);
            let given = elsewhere.next_if(|place| last + place.after as usize == at);
            let start = match given {
                Some(place) => {
                    last = at;
                    end.checked_add(place.gap)?
                }
                None if is_first => end,
                None => expected.start(end),
            };
            let given_end = match given {
                Some(place) => Some(start.checked_add(place.length)?),
                None => None,
            };
            is_first = count > 0;
            end = if is_first { start } else { given_end.unwrap_or_else(|| expected.end(start)) };
            nodes.push(Node { kind, start, end, next: at as u32 + 1 });
            if is_first {
                open.push((at, count, given_end));
                continue;
            }
            while let Some((around, left, given_end)) = open.last_mut() {
                *left -= 1;
                if *left > 0 {
                    break;
                }
                let inner = end;
                end = given_end.unwrap_or(inner);
                if end < inner {
                    return None;
                }
                nodes[*around].end = end;
                nodes[*around].next = nodes.len() as u32;
                open.pop();
            }
        }
        let holds = comments.last().is_none_or(|comment| comment.1 <= end);
        (open.is_empty() && !nodes.is_empty() && holds).then_some((nodes, comments))
    }
}

/// Where nodes stand if nothing unusual is between them. Only what stands elsewhere has its place kept.
struct Expected<'a> {
    text: &'a [u8],
    comments: Peekable<std::slice::Iter<'a, Comment>>,
}

impl Expected<'_> {
    fn byte(&self, at: u32) -> Option<u8> {
        self.text.get(at as usize).copied()
    }

    /// The start of a node behind another: after white space and comments.
    fn start(&mut self, before: u32) -> u32 {
        let mut at = before;
        loop {
            while self.byte(at).is_some_and(|byte| byte.is_ascii_whitespace()) {
                at += 1;
            }
            match self.comments.next_if(|(start, _)| *start <= at) {
                Some(&(_, end)) => at = at.max(end),
                None => return at,
            }
        }
    }

    /// The end of a node without children: of a word, a string on one line, or a sign.
    fn end(&self, start: u32) -> u32 {
        let text = self.text.get(start as usize..).unwrap_or_default();
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
        let word = text.iter().take_while(is_word).count();
        let length = match text.get(word) {
            Some(&quote @ (b'"' | b'\'')) => {
                text[word + 1..].iter().position(|&byte| byte == quote).map(|at| word + at + 2)
            }
            _ => None,
        };
        start.saturating_add(length.unwrap_or(word.max(1)) as u32)
    }
}
