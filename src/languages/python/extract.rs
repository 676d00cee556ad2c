//! Text of a Python file → facts: the walker's state, and what every part of the walk needs.
//!
//! The walk goes once through the flat tree, statement by statement (`statements`, `flow`), and tells the builder of scopes,
//! bindings, flow and references. Values are built by `expressions` and those beside it, types
//! by `forms`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use unicode_normalization::UnicodeNormalization;

use super::kinds::{Kind, Tree};
use super::tree::{self, Children, N};
use super::{builtins, digests, repair};
use crate::facts::build::Builder;
use crate::facts::*;
use crate::languages::tokens::Tokens;
use crate::languages::{Pieces, text};

/// Stack kept free while walking nested code, and how much is added when it runs out; bytes.
const STACK_RESERVE: usize = 256 * 1024;
const STACK_SEGMENT: usize = 4 * 1024 * 1024;

static GRAMMAR: LazyLock<(tree_sitter::Language, Vec<Kind>)> = LazyLock::new(|| {
    let language = tree_sitter::Language::new(tree_sitter_python::LANGUAGE);
    let kinds = tree::kinds(&language);
    (language, kinds)
});

thread_local! {
    static PARSER: RefCell<tree_sitter::Parser> = RefCell::new({
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&GRAMMAR.0).expect("the grammar and the library are of compatible versions");
        parser
    });
}

/// Parses the whole text into the tree, with the help of what was kept of another one.
pub(super) fn parse_with(tree: &mut Tree<'_>, kept: &Pieces) -> Option<N> {
    PARSER.with_borrow_mut(|parser| tree.parse_with(parser, &GRAMMAR.1, &kept.0))
}

/// Parses the text, or a part of it, into the tree.
pub(super) fn parse(tree: &mut Tree<'_>, part: Option<(u32, u32)>) -> Option<N> {
    PARSER.with_borrow_mut(|parser| tree.parse(parser, &GRAMMAR.1, part))
}

/// The facts of one blob and the pieces of its text; those of another version of it help.
pub(super) fn facts(bytes: &[u8], before: &Pieces) -> (Facts, Pieces) {
    let text = decode(bytes);
    let mut tree = Tree::new(&text);
    let mut root = parse_with(&mut tree, before);
    let pieces = Pieces(tree.pieces());
    let repaired;
    if tree.problems.iter().any(|problem| problem.kind == ProblemKind::Syntax)
        && let Some(repair) = repair::unclosed(&text)
    {
        repaired = repair.text;
        tree = Tree::new(&repaired);
        for (start, end) in repair.removed {
            tree.problem(start, end, ProblemKind::Syntax);
        }
        root = parse(&mut tree, None);
    }
    let mut facts = match root {
        Some(root) => {
            let tokens = digests::tokens(&tree, root);
            let own_digest = digests::of_module(&tree, &tokens, root);
            let mut walker = Walker::new(tree, tokens);
            walker.block(root);
            let mut facts = walker.finish();
            facts.body.own_digest = own_digest;
            facts
        }
        None => {
            tree.problem(0, text.len() as u32, ProblemKind::Size);
            let mut facts = Builder::new().finish();
            facts.body.problems = tree.problems;
            facts
        }
    };
    facts.places.lines = text::line_count(&text);
    text::note_wide_columns(&mut facts, &text);
    (facts, pieces)
}

/// The text of a blob. NUL, at which grammars stop, becomes a space; so Python's own refusal of it is not ours.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = match std::str::from_utf8(bytes) {
        Err(_) if is_latin1(bytes) => Cow::Owned(bytes.iter().copied().map(char::from).collect::<String>()),
        _ => text::decode(bytes),
    };
    if text.as_bytes().contains(&0) { Cow::Owned(text.replace('\0', " ")) } else { text }
}

/// Whether a coding comment (PEP 263) names a one-byte encoding that is Latin-1 or near it.
fn is_latin1(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').take(2).any(|line| {
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let name = line.trim_start().strip_prefix('#').and_then(|comment| comment.split_once("coding"));
        let name = name.map(|(_, rest)| rest.trim_start_matches([':', '=', ' ']).replace('_', "-"));
        name.is_some_and(|name| {
            ["latin", "iso-8859", "iso8859", "cp125", "windows-125"].iter().any(|p| name.starts_with(p))
        })
    })
}

/// The state of the walk.
pub(super) struct Walker<'t> {
    pub tree: Tree<'t>,
    pub b: Builder,
    /// All tokens of the text, for digests.
    pub tokens: Tokens,
    pub functions: Vec<FunctionContext>,
    pub classes: Vec<ClassContext>,
    /// More than 0: expressions are built a second time, for a test or an alias; they are no further uses.
    pub quiet: u32,
    /// Open `try` bodies in which an import may fail.
    pub guards: u32,
    /// The simple statement being walked: where a variable is defined.
    pub statement: N,
    /// Definitions of the module's own names.
    pub module_names: FxHashMap<Name, DefId>,
    /// Bindings through `global` whose definition may come later.
    pub globals: Vec<(BindingId, Name, N)>,
    pub all: All,
    /// The expression of each literal met so far.
    literals: FxHashMap<Literal, ExprId>,
    /// The expression of what cannot be told.
    nothing: Option<ExprId>,
    /// Of each open loop: whether a `break` was met.
    pub loops: Vec<bool>,
    /// Type comments, as line → range of the type.
    pub type_comments: FxHashMap<u32, (u32, u32)>,
}

/// `__all__` so far.
#[derive(Default)]
pub(super) struct All {
    pub names: Option<Vec<Name>>,
    /// Some part could not be read, so nothing is known.
    pub unreadable: bool,
}

/// A function or lambda whose body is being walked.
pub(super) struct FunctionContext {
    pub scope: ScopeId,
    /// Its result is annotated, so what it returns need not be kept.
    pub annotated: bool,
    pub returns: Vec<ExprId>,
    pub yields: Vec<ExprId>,
    pub generator: bool,
    /// What its annotation says that `yield` gives back.
    pub sent: Option<FormId>,
    /// The class of the method around, for `super()` and `__class__`.
    pub this_class: Option<ClassId>,
    /// Whether the method around is bound to an instance.
    pub this_instance: bool,
    /// The name of the method's own first parameter.
    pub receiver: Option<(Name, ClassId)>,
    pub globals: SmallVec<[Name; 2]>,
    pub nonlocals: SmallVec<[(Name, ScopeId); 2]>,
}

/// A class whose body is being walked, or whose methods are.
pub(super) struct ClassContext {
    pub id: ClassId,
    pub definition: DefId,
    /// Definitions of members by name.
    pub members: FxHashMap<Name, DefId>,
    /// Names of functions and classes in the body, found before it is walked: `self.x = …` does not define these.
    pub callables: FxHashSet<Name>,
    /// Names of variables in the body, likewise: they are defined there.
    pub variables: FxHashSet<Name>,
    /// Members assigned through `self` whose definition stands in the body, perhaps later.
    pub pending: Vec<(usize, Name)>,
    /// What methods put into fields that are containers, each as a container of it alone.
    pub put: Vec<(Name, ExprId)>,
}

impl<'t> Walker<'t> {
    fn new(tree: Tree<'t>, tokens: Tokens) -> Walker<'t> {
        let type_comments = type_comments(&tree);
        Walker {
            b: Builder::with_room_for(tree.size()),
            tree,
            tokens,
            functions: Vec::new(),
            classes: Vec::new(),
            quiet: 0,
            guards: 0,
            statement: N(0),
            module_names: FxHashMap::default(),
            globals: Vec::new(),
            all: All::default(),
            literals: FxHashMap::default(),
            nothing: None,
            loops: Vec::new(),
            type_comments,
        }
    }

    fn finish(mut self) -> Facts {
        for (binding, name, node) in std::mem::take(&mut self.globals) {
            let definition = match self.module_names.get(&name) {
                Some(&definition) => definition,
                None => {
                    let definition = self.variable(name, None, node, node, Flags::default());
                    self.module_names.insert(name, definition);
                    definition
                }
            };
            self.b.facts().surface.bindings[binding.index()].definition = Some(definition);
        }
        let all = std::mem::take(&mut self.all);
        let problems = std::mem::take(&mut self.tree.problems);
        let facts = self.b.facts();
        facts.surface.all = all.names.filter(|_| !all.unreadable);
        facts.body.problems.extend(problems);
        let mut facts = self.b.finish();
        drop_builtins(&mut facts);
        facts
    }

    // ------------------------------------------------------------------------------------------- the tree

    pub fn kind(&self, n: N) -> Kind {
        self.tree.kind(n)
    }

    pub fn text(&self, n: N) -> &'t str {
        self.tree.text(n)
    }

    pub fn children(&self, n: N) -> Children {
        self.tree.children(n)
    }

    /// The children that are no keywords, operators or brackets.
    pub fn named(&self, n: N) -> Children {
        self.tree.named(n)
    }

    /// Whether a token stands directly in a node.
    pub fn has(&self, n: N, token: Kind) -> bool {
        self.tree.child(n, token).is_some()
    }

    /// The inner of parentheses.
    pub fn bare(&self, n: N) -> N {
        let mut n = n;
        while self.kind(n) == Kind::Parenthesized
            && let [inner] = self.named(n)[..]
        {
            n = inner;
        }
        n
    }

    /// Interns the name that an identifier spells; Python compares names in NFKC.
    pub fn name(&mut self, n: N) -> Name {
        self.name_of(self.tree.text(n))
    }

    /// The name of a text, in the form in which Python compares names.
    pub fn name_of(&mut self, text: &str) -> Name {
        if text.is_ascii() { self.b.name(text) } else { self.b.name(&text.nfkc().collect::<String>()) }
    }

    /// The last name of a name or of a chain of attributes.
    pub fn last_name(&self, n: N) -> Option<&'t str> {
        match self.kind(n) {
            Kind::Identifier => Some(self.text(n)),
            Kind::Attribute | Kind::DottedName | Kind::MemberType => {
                self.named(n).last().filter(|last| self.kind(**last) == Kind::Identifier).map(|last| self.text(*last))
            }
            _ => None,
        }
    }

    /// Where the name stands that a callee, a type or a decorator ends in.
    pub fn last_place(&self, n: N) -> Place {
        match self.kind(n) {
            Kind::Attribute | Kind::DottedName | Kind::MemberType => match self.named(n).last() {
                Some(&last) => self.place(last),
                None => self.place(n),
            },
            Kind::Parenthesized => {
                let inner = self.bare(n);
                if inner == n { self.place(n) } else { self.last_place(inner) }
            }
            _ => self.place(n),
        }
    }

    pub fn place(&self, n: N) -> Place {
        self.tree.place(self.tree.start(n))
    }

    pub fn lines(&self, n: N) -> (u32, u32) {
        let end = self.tree.end(n).max(self.tree.start(n) + 1) - 1;
        (self.tree.place(self.tree.start(n)).line, self.tree.place(end).line)
    }

    // -------------------------------------------------------------------------------------------- context

    pub fn reference(&mut self, kind: RefKind, target: RefTarget, place: Place) {
        if self.quiet == 0 {
            self.b.reference(kind, target, place);
        }
    }

    pub fn scope_kind(&self) -> ScopeKind {
        self.b.read().scope(self.b.scope()).kind
    }

    pub fn function_scope(&self) -> ScopeId {
        self.functions.last().map_or(self.b.module_scope(), |function| function.scope)
    }

    /// A literal; equal ones share one expression.
    pub fn literal(&mut self, literal: Literal) -> ExprId {
        if let Some(&shared) = self.literals.get(&literal) {
            return shared;
        }
        let id = self.b.expr(Expr::Literal(literal));
        self.literals.insert(literal, id);
        id
    }

    pub fn boolean(&mut self) -> ExprId {
        self.literal(Literal::Boolean(true))
    }

    pub fn unknown(&mut self) -> ExprId {
        match self.nothing {
            Some(shared) => shared,
            None => *self.nothing.insert(self.b.expr(Expr::Unknown)),
        }
    }
}

/// Runs a step of a recursion on enough stack.
pub(super) fn deeper<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, step)
}

fn type_comments(tree: &Tree<'_>) -> FxHashMap<u32, (u32, u32)> {
    let mut out = FxHashMap::default();
    for &(start, end) in &tree.comments {
        let comment = tree.slice(start, end);
        let Some(rest) = comment.strip_prefix('#').map(str::trim_start).and_then(|c| c.strip_prefix("type:")) else {
            continue;
        };
        let written = rest.trim();
        if !written.starts_with("ignore") && !written.starts_with('(') && !written.contains('#') {
            let from = end - rest.trim_start().len() as u32;
            out.insert(tree.place(start).line, (from, from + written.len() as u32));
        }
    }
    out
}

/// Drops uses of builtins that nothing in the file rebinds: they lead outside.
fn drop_builtins(facts: &mut Facts) {
    let stars = facts.surface.imports.iter().any(|import| import.form == ImportForm::Star);
    let is_builtin = |target: ExprId| match facts.expr(target) {
        Expr::Name(used) => facts.reach(used).is_empty() && !stars && builtins::is_builtin(facts.text(used.name)),
        _ => false,
    };
    let keeps = |reference: &Reference| match reference.target {
        RefTarget::Expr(target) => match facts.expr(target) {
            Expr::Call(call) if reference.kind == RefKind::Call => !is_builtin(facts.call(*call).callee),
            _ => !is_builtin(target),
        },
        _ => true,
    };
    let keep: Vec<bool> = facts.body.references.iter().map(keeps).collect();
    let mut kept = keep.iter();
    facts.body.references.retain(|_| *kept.next().expect("one flag for each reference"));
    let mut kept = keep.iter();
    facts.places.references.retain(|_| *kept.next().expect("one flag for each place"));
}
