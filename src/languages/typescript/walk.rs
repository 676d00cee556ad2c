//! The walk over a syntax tree: what all its parts share.
//!
//! One pass in the order of the text. Each node's children are listed once ([`Walk::open`]) on a stack of our own, so
//! that no question about a child costs more than looking at its siblings. The parts of the walk stand in the files
//! beside this one, by subject; each adds methods to [`Walk`].

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;
use tree_sitter::{Node, TreeCursor};

use super::bindings::Adopted;
use super::kinds::{Field, Grammar, Kind};
use super::lexer;
use crate::facts::build::Builder;
use crate::facts::*;
use crate::languages::text;
use crate::languages::tokens::{self, Tokens, text_digest};

/// Levels of nesting that are followed; what lies deeper is a problem of the file. Each level of source may take
/// several (a block in an `else` in a block), hence the distance to the 10,000 that are promised.
const MAX_DEPTH: u32 = 32_000;
/// Stack kept free at each level, and how much is added when it runs out; bytes.
const STACK_RESERVE: usize = 128 * 1024;
const STACK_SEGMENT: usize = 4 * 1024 * 1024;

/// A child of a node, with what the walk needs to know of it.
#[derive(Clone, Copy)]
pub(super) struct Kid<'t> {
    pub(super) node: Node<'t>,
    pub(super) kind: Kind,
    pub(super) field: Field,
    /// The documentation comment (`/** … */`) right before it.
    pub(super) doc: Doc,
}

/// A documentation comment: its number among those met, counted from 1; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Doc(pub(super) u32);

/// The children of one node, on the stack [`Walk::kids`].
#[derive(Clone, Copy)]
pub(super) struct Kids {
    start: usize,
    end: usize,
}

impl Kids {
    pub(super) fn all(self) -> Range<usize> {
        self.start..self.end
    }
}

/// What a text is read with.
#[derive(Clone, Copy)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) grammar: &'static Grammar,
}

/// A function whose body is being walked.
#[derive(Default)]
pub(super) struct OpenFunction {
    pub(super) returns: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    /// The annotated result, which types the functions that are returned.
    pub(super) result: Option<FormId>,
    /// It belongs to a definition.
    pub(super) named: bool,
}

/// What `this` means.
#[derive(Clone, Copy)]
pub(super) enum This {
    /// Nothing that we know: the module, or a plain function without a form.
    Free,
    /// The receiver of this function.
    Of(FunctionId),
    /// The class itself: static fields and blocks.
    Static(ClassId),
    /// Annotated by a `this` parameter.
    Annotated(FormId),
}

/// The class and object that a function's `this` and `super` belong to.
#[derive(Clone, Copy)]
pub(super) struct Home {
    pub(super) this: This,
    pub(super) class: Option<ClassId>,
    pub(super) object: Option<ObjectId>,
    /// Inside a static member: `super` is the base class itself.
    pub(super) is_static: bool,
}

/// Where the tokens of a definition stand, for its digests.
struct Measure {
    definition: DefId,
    signature: [Range<usize>; 2],
    body: Range<usize>,
}

/// A definition to be made.
pub(super) struct New<'t> {
    pub(super) name: Name,
    pub(super) kind: DefKind,
    pub(super) parent: Option<DefId>,
    /// The node of its name.
    pub(super) at: Node<'t>,
    /// The node of the whole definition.
    pub(super) whole: Node<'t>,
    pub(super) flags: Flags,
}

/// The state of the walk, for all its parts.
pub(super) struct Walk<'t> {
    pub(super) b: Builder,
    pub(super) source: Source<'t>,
    /// Where references stand while a text beside the file's is read.
    pub(super) fixed_place: Option<Place>,
    /// JavaScript: types stand in comments, classes get fields by assignment.
    pub(super) is_javascript: bool,
    cursor: TreeCursor<'t>,
    kids: Vec<Kid<'t>>,
    depth: u32,
    broken: bool,
    pub(super) docs: Vec<Range<usize>>,
    /// The documentation that the next definition takes.
    pub(super) doc: Doc,
    /// First and last row of the statement that the next definition is made by.
    pub(super) rows: Option<(usize, usize)>,
    /// Text that is no code for the lexer: regular expressions, text of templates and JSX.
    opaque: Vec<(Range<usize>, lexer::Opaque)>,
    measures: Vec<Measure>,
    /// What is defined so far, by parent and name.
    defined: FxHashSet<(Option<DefId>, Name)>,
    /// Inside `declare …`: what has no value is not undefined.
    pub(super) is_ambient: bool,
    pub(super) functions: Vec<OpenFunction>,
    pub(super) homes: Vec<Home>,
    /// The function, class or object literal that belongs to a definition made before it is walked.
    pub(super) adopted: Option<Adopted>,
    /// The object literal that a named function is about to return.
    pub(super) returned: Option<usize>,
    pub(super) commonjs: super::commonjs::Exports,
    /// The namespaces that are open.
    pub(super) namespaces: Vec<(ClassId, ScopeId)>,
    /// Of the open classes that need it, the function that stands for the initializers of their fields.
    pub(super) initializers: Vec<(ClassId, FunctionId)>,
    pub(super) comments: super::jsdoc::Comments<'t>,
    /// One expression for all that we cannot say anything of.
    pub(super) unknown: ExprId,
    problems: Vec<Problem>,
    /// Open `try` bodies in which an import may fail.
    pub(super) guards: u32,
}

impl<'t> Walk<'t> {
    pub(super) fn new(source: Source<'t>, root: Node<'t>, is_javascript: bool) -> Walk<'t> {
        let mut b = Builder::new();
        let unknown = b.expr(Expr::Unknown);
        Walk {
            b,
            source,
            fixed_place: None,
            is_javascript,
            cursor: root.walk(),
            kids: Vec::with_capacity(256),
            depth: 0,
            broken: root.has_error(),
            docs: Vec::new(),
            doc: Doc::default(),
            rows: None,
            opaque: Vec::new(),
            measures: Vec::new(),
            defined: FxHashSet::default(),
            is_ambient: false,
            functions: Vec::new(),
            homes: Vec::new(),
            adopted: None,
            returned: None,
            commonjs: Default::default(),
            namespaces: Vec::new(),
            initializers: Vec::new(),
            comments: Default::default(),
            unknown,
            problems: Vec::new(),
            guards: 0,
        }
    }

    // -------------------------------------------------------------------------------------------------- children

    /// Lists the children of a node that matter: named ones, those in a field, and keywords. Comments are noted.
    pub(super) fn open(&mut self, node: Node<'t>) -> Kids {
        self.cursor.reset(node);
        let start = self.kids.len();
        let mut doc = Doc::default();
        if self.cursor.goto_first_child() {
            loop {
                let node = self.cursor.node();
                let kind = self.source.grammar.kind(node.kind_id());
                if kind == Kind::Comment {
                    doc = self.note_comment(node).unwrap_or(doc);
                } else {
                    let field = self.source.grammar.field(self.cursor.field_id());
                    if kind != Kind::Other || field != Field::None {
                        self.kids.push(Kid { node, kind, field, doc });
                    }
                    doc = Doc::default();
                    if self.broken && (kind == Kind::Error || node.is_missing()) {
                        self.problem(node, ProblemKind::Syntax);
                    }
                }
                if !self.cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        Kids { start, end: self.kids.len() }
    }

    /// Forgets the children, and those opened after them.
    pub(super) fn close(&mut self, kids: Kids) {
        self.kids.truncate(kids.start);
    }

    pub(super) fn kid(&self, at: usize) -> Kid<'t> {
        self.kids[at]
    }

    /// The first child in a field.
    pub(super) fn field(&self, kids: Kids, field: Field) -> Option<Kid<'t>> {
        self.kids[kids.all()].iter().find(|kid| kid.field == field).copied()
    }

    /// The first child of a kind.
    pub(super) fn of_kind(&self, kids: Kids, kind: Kind) -> Option<Kid<'t>> {
        self.kids[kids.all()].iter().find(|kid| kid.kind == kind).copied()
    }

    pub(super) fn has(&self, kids: Kids, kind: Kind) -> bool {
        self.of_kind(kids, kind).is_some()
    }

    /// The first child that is an expression or type rather than a keyword: of wrappers with one part.
    pub(super) fn inner(&self, kids: Kids) -> Option<Kid<'t>> {
        self.kids[kids.all()].iter().find(|kid| kid.node.is_named()).copied()
    }

    /// The same of a node that is looked at for nothing else.
    pub(super) fn inner_of(&mut self, kid: Kid<'t>) -> Option<Kid<'t>> {
        let kids = self.open(kid.node);
        let inner = self.inner(kids);
        self.close(kids);
        inner
    }

    /// The child of a node in a field, without listing its siblings.
    pub(super) fn child(&self, node: Node<'t>, field: Field) -> Option<Node<'t>> {
        node.child_by_field_id(self.source.grammar.field_id(field))
    }

    /// A child by itself: one that was not listed with its siblings.
    pub(super) fn lone(&self, node: Node<'t>) -> Kid<'t> {
        let kind = self.source.grammar.kind(node.kind_id());
        Kid { node, kind, field: Field::None, doc: Doc::default() }
    }

    fn note_comment(&mut self, node: Node<'t>) -> Option<Doc> {
        let range = node.byte_range();
        let text = self.text(node);
        if !text.starts_with("/**") || text.len() < 6 {
            return None;
        }
        self.docs.push(range);
        Some(Doc(self.docs.len() as u32))
    }

    /// Goes one level deeper, on a stack that grows; beyond the limit the node becomes a problem and nothing else.
    pub(super) fn deeper<R>(&mut self, node: Node<'t>, walk: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.depth >= MAX_DEPTH {
            self.problem(node, ProblemKind::Depth);
            return None;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || walk(self));
        self.depth -= 1;
        Some(result)
    }

    fn problem(&mut self, node: Node<'t>, kind: ProblemKind) {
        let first = node.start_position().row as u32 + 1;
        let last = node.end_position().row as u32 + 1;
        Problem { first, last, kind }.note(&mut self.problems);
    }

    // ------------------------------------------------------------------------------------------- text and places

    pub(super) fn text(&self, node: Node<'t>) -> &'t str {
        self.slice(node.byte_range())
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.source.text.get(range).unwrap_or_default()
    }

    pub(super) fn name(&mut self, node: Node<'t>) -> Name {
        let text = self.text(node);
        self.b.name(text)
    }

    /// What is between the quotes of a string node.
    pub(super) fn string(&self, node: Node<'t>) -> &'t str {
        let text = self.text(node);
        let inner = text.get(1..text.len().saturating_sub(1));
        inner.unwrap_or_default()
    }

    pub(super) fn place(&self, node: Node<'t>) -> Place {
        if let Some(place) = self.fixed_place {
            return place;
        }
        let at = node.start_position();
        Place { line: at.row as u32 + 1, column: at.column as u32 + 1 }
    }

    /// Whether an `export` has the word `type` where the grammar could not read it.
    pub(super) fn has_blanked_type(&self, export: Node<'t>) -> bool {
        let text = self.text(export);
        text.strip_prefix("export").is_some_and(|rest| rest.trim_start().starts_with("type"))
    }

    /// What was met while a text beside the file's was read is no problem of the file.
    pub(super) fn forget_problems(&mut self) {
        self.problems.clear();
    }

    pub(super) fn opaque(&mut self, node: Node<'t>, kind: lexer::Opaque) {
        self.opaque.push((node.byte_range(), kind));
    }

    // ----------------------------------------------------------------------------------------------- definitions

    /// Makes a definition; it takes the documentation and the rows of the statement that it stands in.
    pub(super) fn define(&mut self, new: New<'t>) -> DefId {
        self.defined.insert((new.parent, new.name));
        let doc = std::mem::take(&mut self.doc);
        let rows = self.rows.take();
        let (first, last) = rows.unwrap_or((new.whole.start_position().row, new.whole.end_position().row));
        let doc = self.doc_text(doc);
        let definition = Definition::new(new.name, new.kind, new.parent, new.flags);
        let description =
            Description { doc: super::jsdoc::first_line(doc), doc_digest: text_digest(doc), ..Description::default() };
        let place = DefinitionPlace { name: self.place(new.at), first: first as u32 + 1, last: last as u32 + 1 };
        self.b.define(definition, description, place)
    }

    pub(super) fn is_defined(&self, parent: DefId, name: Name) -> bool {
        self.defined.contains(&(Some(parent), name))
    }

    fn doc_text(&self, doc: Doc) -> &'t str {
        match doc.0.checked_sub(1) {
            Some(at) => self.source.text.get(self.docs[at as usize].clone()).unwrap_or_default(),
            None => "",
        }
    }

    pub(super) fn definition(&mut self, id: DefId) -> &mut Definition {
        &mut self.b.facts().surface.definitions[id.index()]
    }

    fn description(&mut self, id: DefId) -> &mut Description {
        &mut self.b.facts().descriptions[id.index()]
    }

    pub(super) fn class_mut(&mut self, id: ClassId) -> &mut Class {
        &mut self.b.facts().surface.classes[id.index()]
    }

    pub(super) fn function_mut(&mut self, id: FunctionId) -> &mut Function {
        &mut self.b.facts().surface.functions[id.index()]
    }

    /// Says where the signature and the body of a definition stand.
    pub(super) fn measure(&mut self, definition: DefId, signature: [Range<usize>; 2], body: Range<usize>) {
        self.measures.push(Measure { definition, signature, body });
    }

    /// Keeps the text of a range as a definition's signature.
    pub(super) fn sign(&mut self, definition: DefId, range: Range<usize>) {
        let line = text::signature_line(&lexer::without_comments(self.slice(range)));
        self.description(definition).signature = line;
    }

    /// Sets flags of a definition.
    pub(super) fn mark(&mut self, definition: DefId, flags: Flags) {
        self.definition(definition).flags |= flags;
    }

    /// The definition around, if any: the parent of what is defined here.
    pub(super) fn owner(&self) -> Option<DefId> {
        self.b.owner()
    }

    /// The class and object around.
    pub(super) fn home(&self) -> Home {
        let free = Home { this: This::Free, class: None, object: None, is_static: false };
        self.homes.last().copied().unwrap_or(free)
    }

    // ----------------------------------------------------------------------------------------------------- small

    /// Notes the read of a name or attribute, whose name stands at a node.
    pub(super) fn read(&mut self, expr: ExprId, at: Node<'t>) {
        let place = self.place(at);
        self.b.reference(RefKind::Read, RefTarget::Expr(expr), place);
    }

    pub(super) fn literal(&mut self, literal: Literal) -> ExprId {
        self.b.expr(Expr::Literal(literal))
    }

    /// One of several, or the only one.
    pub(super) fn union(&mut self, parts: Vec<ExprId>) -> ExprId {
        match parts[..] {
            [only] => only,
            _ => self.b.union(&parts),
        }
    }

    pub(super) fn finish(mut self) -> Facts {
        self.finish_exports();
        let mut opaque = std::mem::take(&mut self.opaque);
        opaque.sort_by_key(|(range, _)| range.start);
        let tokens = lexer::tokens(self.source.text, &opaque);
        for measure in std::mem::take(&mut self.measures) {
            self.digest(&tokens, measure);
        }
        let text = self.source.text;
        let own_digest = tokens.digest(&own_ranges(self.b.read(), text));
        let facts = self.b.facts();
        digest_classes(facts);
        facts.body.own_digest = own_digest;
        facts.places.lines = text::line_count(text);
        facts.body.problems.append(&mut self.problems);
        let mut facts = self.b.finish();
        text::note_wide_columns(&mut facts, text);
        facts
    }

    fn digest(&mut self, tokens: &Tokens, measure: Measure) {
        let description = self.description(measure.definition);
        description.signature_digest = tokens.digest(&measure.signature);
        description.body_digest = tokens.digest(std::slice::from_ref(&measure.body));
        description.sketch = tokens.sketch(measure.body);
    }
}

/// What a class says beside its methods: its fields, in order. Methods have digests of their own.
fn digest_classes(facts: &mut Facts) {
    let mut fields: BTreeMap<DefId, Vec<u8>> = BTreeMap::new();
    for (definition, description) in facts.surface.definitions.iter().zip(facts.descriptions.iter()) {
        let parent = definition.parent.filter(|parent| facts.definition(*parent).kind == DefKind::Class);
        if let Some(parent) = parent.filter(|_| definition.kind == DefKind::Symbol) {
            let bytes = fields.entry(parent).or_default();
            bytes.extend(tokens::hash(facts.text(definition.name).as_bytes()).to_be_bytes());
            bytes.extend(description.signature_digest.0.to_be_bytes());
            bytes.extend(description.body_digest.0.to_be_bytes());
            bytes.extend(definition.flags.0.to_be_bytes());
        }
    }
    for (at, definition) in facts.surface.definitions.iter().enumerate() {
        if definition.kind == DefKind::Class {
            let fields = fields.get(&DefId::new(at));
            facts.descriptions[at].body_digest =
                fields.map(|bytes| Fingerprint::of(tokens::hash(bytes))).unwrap_or_default();
        }
    }
}

/// The lines of a module that are no part of a definition and no import.
fn own_ranges(facts: &Facts, text: &str) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
    let start_of = |line: u32| starts.get(line as usize - 1).copied().unwrap_or(text.len());
    let mut taken: Vec<Range<usize>> = Vec::new();
    for (definition, place) in facts.surface.definitions.iter().zip(&facts.places.definitions) {
        if definition.parent.is_none() && !definition.flags.has(Flags::HIDDEN) {
            taken.push(start_of(place.first)..start_of(place.last + 1));
        }
    }
    for place in &facts.places.imports {
        let start = start_of(place.line) + place.column as usize - 1;
        let statement = text.get(start..).unwrap_or_default();
        // Its only string names the module.
        let quote =
            statement.find(['"', '\'']).filter(|_| statement.starts_with("import") || statement.starts_with("export"));
        let end = quote.and_then(|from| Some(from + 1 + statement[from + 1..].find(['"', '\''])? + 1));
        taken.extend(end.map(|end| start..start + end));
    }
    taken.sort_by_key(|range| range.start);
    let mut own = Vec::new();
    let mut from = 0;
    for range in taken {
        if range.start > from {
            own.push(from..range.start);
        }
        from = from.max(range.end);
    }
    own.push(from..text.len().max(from));
    own
}
