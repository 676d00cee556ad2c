//! A syntax tree as a flat list of nodes, made by one walk of tree-sitter's cursor.
//!
//! Everything after that walk is array access: children, siblings and tokens cost a few nanoseconds, where tree-sitter's
//! own nodes cost a hundred. Comments and line continuations are left out. Knows no grammar: a [`Grammar`] names its kinds.

mod pieces;

use std::ops::ControlFlow;

use smallvec::SmallVec;
use tree_sitter::{ParseOptions, ParseState, Parser, Range};

use crate::facts::{Place, Problem, ProblemKind};

/// Levels of the syntax tree that are followed; a level of nesting in the text is one to three of them.
pub const MAX_DEPTH: usize = 40_000;
/// Work that parsing may do, in calls of tree-sitter's progress callback (one per hundred operations): this many for
/// any text, and so many more per byte. A whole text takes about one call per hundred bytes.
const PARSE_CALLS: usize = 50_000;
const PARSE_CALLS_PER_BYTE: usize = 1;

/// The kinds of nodes of a grammar that an extractor tells apart.
pub trait Grammar: Copy + Eq + Send + Sync + 'static {
    /// The kind of a node type. Anonymous nodes are tokens such as `def` and `(`.
    fn kind(name: &str, named: bool) -> Self;
    /// Of nodes that could not be parsed.
    const ERROR: Self;
    /// A keyword, operator or bracket.
    fn is_token(self) -> bool;
    /// Left out of the tree; its text may still be looked at through [`Tree::comments`].
    fn is_comment(self) -> bool;
    /// A node with this text has nothing inside that matters; it is taken as one token.
    fn is_opaque(self, text: &str) -> bool;
    /// All kinds, in the order of their codes.
    const ALL: &'static [Self];
    /// The place of this kind in [`Grammar::ALL`].
    fn code(self) -> u8;
    /// How many children most nodes of this kind have, if it is no token.
    fn usual_children(self) -> u32;
    /// The shortest statement, and the kind of its node.
    const SHORTEST: (&'static str, Self);
    /// The node directly above the statements in the last lines of a statement, if those are of a kind of their own: the
    /// body of a class.
    fn statements_in(tree: &Tree<'_, Self>, statement: N) -> Option<N>;
}

/// The kind of each node type of a language, by tree-sitter's id.
pub fn kinds<K: Grammar>(language: &tree_sitter::Language) -> Vec<K> {
    (0..language.node_kind_count())
        .map(|id| {
            let name = language.node_kind_for_id(id as u16).unwrap_or_default();
            K::kind(name, language.node_kind_is_named(id as u16))
        })
        .collect()
}

/// A node: its position in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct N(pub u32);

#[derive(Clone, Copy, PartialEq, Debug)]
struct Node<K> {
    kind: K,
    start: u32,
    end: u32,
    /// The node after this one and everything below it.
    next: u32,
}

/// Children of a node.
pub type Children = SmallVec<[N; 8]>;

/// The tree of one text.
pub struct Tree<'t, K> {
    text: &'t str,
    nodes: Vec<Node<K>>,
    /// Byte offsets at which lines start.
    lines: Vec<u32>,
    /// Ranges of comments, in order.
    pub comments: Vec<(u32, u32)>,
    pub problems: Vec<Problem>,
    /// The line found last; the next is likely near.
    hint: std::cell::Cell<u32>,
    /// Calls of the progress callback so far.
    work: usize,
    /// Levels of the deepest node.
    depth: usize,
}

impl<'t, K: Grammar> Tree<'t, K> {
    /// A tree without nodes.
    pub fn new(text: &'t str) -> Tree<'t, K> {
        let mut lines = Vec::with_capacity(text.len() / 24);
        lines.push(0);
        lines.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        Tree {
            text,
            nodes: Vec::with_capacity(text.len() / 3),
            lines,
            comments: Vec::new(),
            problems: Vec::new(),
            hint: std::cell::Cell::new(0),
            work: 0,
            depth: 0,
        }
    }

    /// The size of the text in bytes.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// Parses the text, or a part of it, and adds the nodes; `None` when it takes more work than is allowed.
    pub fn parse(&mut self, parser: &mut Parser, kinds: &[K], part: Option<(u32, u32)>) -> Option<N> {
        let bytes = self.text.as_bytes();
        let ranges: Vec<Range> = part.into_iter().map(|(start, end)| self.range(start, end)).collect();
        parser.set_included_ranges(&ranges).ok()?;
        let most = self.work + PARSE_CALLS + bytes.len() * PARSE_CALLS_PER_BYTE;
        let mut progress = |_: &ParseState| {
            self.work += 1;
            if self.work >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
        let parsed = parser.parse_with_options(&mut read, None, Some(options));
        let Some(tree) = parsed else {
            parser.reset();
            return None;
        };
        let root = N(self.nodes.len() as u32);
        self.flatten(&tree, kinds);
        Some(root)
    }

    fn range(&self, start: u32, end: u32) -> Range {
        let point = |at: u32| {
            let place = self.place(at);
            tree_sitter::Point { row: place.line as usize - 1, column: place.column as usize - 1 }
        };
        let (start_point, end_point) = (point(start), point(end));
        Range { start_byte: start as usize, end_byte: end as usize, start_point, end_point }
    }

    fn flatten(&mut self, tree: &tree_sitter::Tree, kinds: &[K]) {
        let broken = tree.root_node().has_error();
        let mut cursor = tree.walk();
        let mut open: Vec<u32> = Vec::new();
        loop {
            let node = cursor.node();
            let kind = kinds.get(usize::from(node.kind_id())).copied().unwrap_or(K::ERROR);
            let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
            let is_opaque = !kind.is_comment() && kind.is_opaque(self.slice(start, end));
            if broken && (kind == K::ERROR || node.is_missing() || is_opaque && node.has_error()) {
                self.problem(start, end, ProblemKind::Syntax);
            }
            if kind.is_comment() {
                self.comments.push((start, end));
            } else {
                let at = self.nodes.len() as u32;
                self.nodes.push(Node { kind, start, end, next: at + 1 });
                if !is_opaque && cursor.goto_first_child() {
                    if open.len() < MAX_DEPTH {
                        open.push(at);
                        self.depth = self.depth.max(open.len());
                        continue;
                    }
                    self.problem(start, end, ProblemKind::Depth);
                    cursor.goto_parent();
                }
            }
            while !cursor.goto_next_sibling() {
                let Some(parent) = open.pop() else { return };
                self.nodes[parent as usize].next = self.nodes.len() as u32;
                cursor.goto_parent();
            }
        }
    }

    /// Notes lines that could not be read.
    pub fn problem(&mut self, start: u32, end: u32, kind: ProblemKind) {
        let (first, last) = (self.place(start).line, self.place(end.max(start)).line);
        Problem { first, last, kind }.note(&mut self.problems);
    }

    // ----------------------------------------------------------------------------------------------- nodes

    pub fn kind(&self, n: N) -> K {
        self.nodes[n.0 as usize].kind
    }

    pub fn start(&self, n: N) -> u32 {
        self.nodes[n.0 as usize].start
    }

    pub fn end(&self, n: N) -> u32 {
        self.nodes[n.0 as usize].end
    }

    pub fn text(&self, n: N) -> &'t str {
        self.slice(self.start(n), self.end(n))
    }

    /// The text between two byte offsets; empty when they are not borders of characters.
    pub fn slice(&self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The node after this one and all below it, in the order of the text.
    pub fn after(&self, n: N) -> N {
        N(self.nodes[n.0 as usize].next)
    }

    /// Whether this is a node at all; the one after the last is not.
    pub fn contains(&self, n: N) -> bool {
        (n.0 as usize) < self.nodes.len()
    }

    pub fn is_leaf(&self, n: N) -> bool {
        self.after(n).0 == n.0 + 1
    }

    pub fn first_child(&self, n: N) -> Option<N> {
        (!self.is_leaf(n)).then_some(N(n.0 + 1))
    }

    /// The children, tokens included.
    pub fn children(&self, n: N) -> Children {
        let end = self.after(n);
        let mut children = Children::new();
        let mut at = N(n.0 + 1);
        while at < end {
            children.push(at);
            at = self.after(at);
        }
        children
    }

    /// The children that are no keywords, operators or brackets.
    pub fn named(&self, n: N) -> Children {
        let end = self.after(n);
        let mut children = Children::new();
        let mut at = N(n.0 + 1);
        while at < end {
            if !self.kind(at).is_token() {
                children.push(at);
            }
            at = self.after(at);
        }
        children
    }

    /// The first child of a kind.
    pub fn child(&self, n: N, kind: K) -> Option<N> {
        let end = self.after(n);
        let mut at = N(n.0 + 1);
        while at < end {
            if self.kind(at) == kind {
                return Some(at);
            }
            at = self.after(at);
        }
        None
    }

    // ---------------------------------------------------------------------------------------------- places

    /// The place of a byte offset.
    pub fn place(&self, at: u32) -> Place {
        let line = self.line_index(at);
        Place { line: line + 1, column: at - self.lines[line as usize] + 1 }
    }

    fn line_index(&self, at: u32) -> u32 {
        let hint = self.hint.get() as usize;
        let near = |line: usize| self.lines[line] <= at && self.lines.get(line + 1).is_none_or(|&next| at < next);
        let line = if near(hint) {
            hint
        } else if hint + 1 < self.lines.len() && near(hint + 1) {
            hint + 1
        } else {
            self.lines.partition_point(|&start| start <= at) - 1
        };
        self.hint.set(line as u32);
        line as u32
    }
}
