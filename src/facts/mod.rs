//! Facts: what one blob says by itself.
//!
//! Facts know no path, no module name and no other file, so one blob has the same facts in every commit, branch and
//! worktree. They are neutral: no language is named here, and what differs between languages was translated by the
//! extractor (`languages/`). They hold enough that the text is never needed again.
//!
//! Three parts, kept apart. The [`Surface`] is what other files can see. The [`Body`] is what the file uses. The
//! [`Places`] are lines and columns; nothing else holds a position, so an edit that only shifts lines changes no digest.
//!
//! An extractor makes facts through [`build::Builder`], which resolves local names (lexical scopes and the flow of
//! assignments) and computes the digests.

pub mod build;
pub mod codec;
pub mod print;
mod strings;
pub mod surface;

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use serde::Serialize;

pub use strings::Strings;

/// Version of the whole format. A record with another version is a cache miss.
pub const FACTS_VERSION: u32 = 5;

macro_rules! arena_index {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// Kept as the index and one, so that an `Option` of it is no larger: there are hundreds of thousands.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The one at this index, which an arena of fewer than 2^32 - 1 items has.
            pub const fn new(index: usize) -> $name {
                $name(NonZeroU32::MIN.saturating_add(index as u32))
            }

            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.index().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.index())
            }
        }
    )*};
}

arena_index!(
    /// A string of [`Facts::strings`].
    Name,
    /// An expression of [`Surface::expressions`].
    ExprId,
    /// A type form of [`Surface::forms`].
    FormId,
    /// A scope of [`Surface::scopes`].
    ScopeId,
    /// A binding of [`Surface::bindings`].
    BindingId,
    /// A definition of [`Surface::definitions`].
    DefId,
    /// A function of [`Surface::functions`], named or not.
    FunctionId,
    /// A class of [`Surface::classes`], named or not.
    ClassId,
    /// An object literal of [`Surface::objects`].
    ObjectId,
    /// An import of [`Surface::imports`].
    ImportId,
    /// A call of [`Surface::calls`].
    CallId,
    /// A test of [`Surface::tests`].
    TestId,
);

impl ScopeId {
    /// The module's scope.
    pub const MODULE: ScopeId = ScopeId::new(0);
}

/// Some neighbouring items of a list that all of one file share; [`Facts::run`] gives them.
pub struct Run<T> {
    start: u32,
    count: u32,
    items: PhantomData<fn() -> T>,
}

impl<T> Run<T> {
    const EMPTY: Run<T> = Run { start: 0, count: 0, items: PhantomData };

    pub fn len(self) -> usize {
        self.count as usize
    }

    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Adds items to the list.
    fn add(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Run<T> {
        let start = list.len();
        list.extend(items);
        match list.len() - start {
            0 => Run::EMPTY,
            count => Run { start: start as u32, count: count as u32, items: PhantomData },
        }
    }

    fn of(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.count as usize]
    }
}

impl<T> Clone for Run<T> {
    fn clone(&self) -> Run<T> {
        *self
    }
}

impl<T> Copy for Run<T> {}

impl<T> Default for Run<T> {
    fn default() -> Run<T> {
        Run::EMPTY
    }
}

impl<T> PartialEq for Run<T> {
    fn eq(&self, other: &Run<T>) -> bool {
        (self.start, self.count) == (other.start, other.count)
    }
}

impl<T> fmt::Debug for Run<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Run({}..{})", self.start, self.start + self.count)
    }
}

/// What runs are of.
pub trait Listed: Copy {
    /// The list of a file that runs of this are in.
    fn list(surface: &Surface) -> &Vec<Self>;
    fn list_mut(surface: &mut Surface) -> &mut Vec<Self>;
}

macro_rules! listed {
    ($($item:ty, $list:ident;)*) => {$(
        impl Listed for $item {
            fn list(surface: &Surface) -> &Vec<$item> {
                &surface.$list
            }

            fn list_mut(surface: &mut Surface) -> &mut Vec<$item> {
                &mut surface.$list
            }
        }
    )*};
}

listed! {
    ExprId, listed_expressions;
    BindingId, listed_bindings;
    FormId, listed_forms;
    Argument, arguments;
}

/// What one blob says by itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    pub strings: Strings,
    pub surface: Surface,
    pub body: Body,
    pub places: Places,
}

impl Facts {
    pub fn text(&self, name: Name) -> &str {
        self.strings.get(name.index())
    }

    /// The items of a run.
    pub fn run<T: Listed>(&self, run: Run<T>) -> &[T] {
        run.of(T::list(&self.surface))
    }

    /// The bindings of the same file that a name may mean here; empty: bound nowhere in the file (a star import, a builtin, a
    /// global).
    pub fn reach(&self, used: &NameUse) -> &[BindingId] {
        used.reach.of(&self.surface.listed_bindings)
    }

    pub fn call(&self, id: CallId) -> &CallExpr {
        &self.surface.calls[id.index()]
    }

    pub fn test(&self, id: TestId) -> &Test {
        &self.surface.tests[id.index()]
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.surface.expressions[id.index()]
    }

    pub fn form(&self, id: FormId) -> &Form {
        &self.surface.forms[id.index()]
    }

    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.surface.scopes[id.index()]
    }

    pub fn binding(&self, id: BindingId) -> &Binding {
        &self.surface.bindings[id.index()]
    }

    pub fn definition(&self, id: DefId) -> &Definition {
        &self.surface.definitions[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.surface.functions[id.index()]
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.surface.classes[id.index()]
    }

    /// All bindings of a name in one scope, in order of binding.
    pub fn bindings_of(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = BindingId> {
        named(self, self.run(self.scope(scope).bindings), name)
    }

    /// The bindings of a name that hold when a scope is left.
    pub fn last_of(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = BindingId> {
        named(self, self.run(self.scope(scope).last), name)
    }

    /// The name of a text, if the file has it anywhere.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.strings.iter().position(|s| s == text).map(Name::new)
    }

    /// Gives back the room that was kept for more.
    fn fit(&mut self) {
        let Facts { strings, surface, body, places } = self;
        strings.fit();
        fit(&mut surface.definitions);
        fit(&mut surface.functions);
        fit(&mut surface.classes);
        fit(&mut surface.objects);
        fit(&mut surface.scopes);
        fit(&mut surface.bindings);
        fit(&mut surface.expressions);
        fit(&mut surface.calls);
        fit(&mut surface.tests);
        fit(&mut surface.listed_expressions);
        fit(&mut surface.listed_bindings);
        fit(&mut surface.listed_forms);
        fit(&mut surface.arguments);
        fit(&mut surface.forms);
        fit(&mut surface.imports);
        fit(&mut surface.digests);
        fit(&mut surface.member_digests);
        fit(&mut body.references);
        fit(&mut places.references);
        fit(&mut places.definitions);
        fit(&mut places.imports);
    }
}

/// Moves a list to where it just fits. An allocator that is asked to shrink a block likes to keep half of it in vain.
fn fit<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() {
        let mut fitting = Vec::with_capacity(list.len());
        fitting.append(list);
        *list = fitting;
    }
}

/// The run of one name in a list of bindings sorted by name.
fn named<'a>(facts: &'a Facts, sorted: &'a [BindingId], name: Name) -> impl Iterator<Item = BindingId> + 'a {
    let text = facts.text(name);
    let start = sorted.partition_point(|&b| facts.text(facts.binding(b).name) < text);
    sorted[start..].iter().copied().take_while(move |&b| facts.binding(b).name == name)
}

/// What other files can see: definitions, bindings, exports, and the expressions and type forms they rest on.
///
/// The arenas also hold the expressions of bodies; [`Surface::digests`] covers, of each body, only the slice that its
/// results, its `self.x =` and its exported bindings reach, and that slice is all that resolution of another file reads.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Surface {
    pub definitions: Vec<Definition>,
    pub functions: Vec<Function>,
    pub classes: Vec<Class>,
    pub objects: Vec<Object>,
    /// The first is the module's scope.
    pub scopes: Vec<Scope>,
    pub bindings: Vec<Binding>,
    pub expressions: Vec<Expr>,
    pub calls: Vec<CallExpr>,
    pub tests: Vec<Test>,
    /// The lists that [`Run`]s are of.
    pub listed_expressions: Vec<ExprId>,
    pub listed_bindings: Vec<BindingId>,
    pub listed_forms: Vec<FormId>,
    pub arguments: Vec<Argument>,
    pub forms: Vec<Form>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    /// Python's `__all__`, when it can be read: the names that a star import takes.
    pub all: Option<Vec<Name>>,
    /// The digest of each top-level name's surface, sorted by name; of a class, without what its members are.
    pub digests: Vec<(Name, u64)>,
    /// The digest of each member of a top-level class: class, member; sorted.
    pub member_digests: Vec<(Name, Name, u64)>,
    /// The digest of the sorted list of top-level names, exports and star imports.
    pub names_digest: u64,
}

// ---------------------------------------------------------------------------------------------------- definitions

/// The kind of a definition; modules have no definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub enum DefKind {
    /// Class, interface, enum, alias of an object type, namespace.
    Class,
    Function,
    /// A function in a class or object literal; getter, setter, `@property`.
    Method,
    /// Variable, constant, field, enum member, other alias.
    Symbol,
    /// A test block (`it("…", …)`) of a JavaScript test runner. Whether a Python function is a test depends on its path.
    Test,
}

/// Something that introduces a name. Several definitions of one name in one scope share a `symbol`.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// A title for a test block; see also [`STATIC_TWIN`].
    pub name: Name,
    pub kind: DefKind,
    /// The definition whose local path is the prefix of this one's.
    pub parent: Option<DefId>,
    /// The first definition with the same parent and name: the identity of the symbol in this file. Set by the builder.
    pub symbol: DefId,
    pub function: Option<FunctionId>,
    pub class: Option<ClassId>,
    /// What an alias of a type stands for (`type A = …`), of any kind. Also of a variable whose value could be read as a
    /// type (`A = Optional[B]`); this counts only where the name stands for a type.
    pub alias: Option<FormId>,
    pub flags: Flags,
    /// Innermost last, as written from top to bottom: the call for `@f(…)`, the callee for a bare `@f` (whose call, of the
    /// form [`CallForm::Decorator`], is in the references).
    pub decorators: Vec<ExprId>,
    /// `(self, items: list[int]) -> Order`, one line, at most [`SIGNATURE_BYTES`]; empty when there is none.
    pub signature: Box<str>,
    /// First line of the documentation, at most [`DOC_CHARACTERS`]; empty when there is none.
    pub doc: Box<str>,
    /// Digest of the signature: parameters, annotations, defaults, decorators, bases.
    pub signature_digest: Fingerprint,
    /// Digest of the whole documentation text.
    pub doc_digest: Fingerprint,
    /// Digest of the body's tokens; comments, white space and documentation left out. A function's holds the functions
    /// nested in it; a class's leaves out methods and nested classes, which have digests of their own.
    pub body_digest: Fingerprint,
    /// A min-hash over the body's tokens, empty for short bodies: equal positions estimate similarity.
    pub sketch: Box<[u16]>,
}

/// A short digest, to tell two versions of one thing apart; 0 when there is nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Fingerprint(pub u32);

impl Fingerprint {
    /// What is left of a longer digest; only nothing is 0.
    pub fn of(digest: u64) -> Fingerprint {
        let folded = (digest ^ digest >> 32) as u32;
        Fingerprint(if digest == 0 { 0 } else { folded.max(1) })
    }
}

/// Stands before the name of a static member that has the name of an instance member of the same class: they are two
/// symbols, and ids are unique.
pub const STATIC_TWIN: &str = "static ";

/// Longest signature text kept, in bytes.
pub const SIGNATURE_BYTES: usize = 200;
/// Longest documentation line kept, in characters.
pub const DOC_CHARACTERS: usize = 120;

/// Properties of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Flags(pub u32);

impl Flags {
    pub const ASYNC: Flags = Flags(1);
    pub const STATIC: Flags = Flags(1 << 1);
    /// Bound to the class (`@classmethod`).
    pub const CLASS_METHOD: Flags = Flags(1 << 2);
    /// A read runs the function (`@property`, `get x()`).
    pub const GETTER: Flags = Flags(1 << 3);
    /// An assignment runs the function (`@x.setter`, `set x()`).
    pub const SETTER: Flags = Flags(1 << 4);
    pub const ABSTRACT: Flags = Flags(1 << 5);
    /// A signature without a body (`@overload`, TypeScript overloads); the implementation is another definition.
    pub const OVERLOAD: Flags = Flags(1 << 6);
    pub const EXPORTED: Flags = Flags(1 << 7);
    pub const DEFAULT: Flags = Flags(1 << 8);
    /// Not a symbol of the graph: an anonymous class, or something only the engine needs.
    pub const HIDDEN: Flags = Flags(1 << 9);
    /// An interface or an alias of an object type: structure, no constructor.
    pub const INTERFACE: Flags = Flags(1 << 10);
    pub const ENUM: Flags = Flags(1 << 11);
    /// A namespace (`namespace N {}`), whose exported members are static members.
    pub const NAMESPACE: Flags = Flags(1 << 12);
    /// The constructor of its class (`__init__`, `constructor`).
    pub const CONSTRUCTOR: Flags = Flags(1 << 13);
    /// A field that is a parameter of the constructor or made by one (`dataclass` field, parameter property).
    pub const FIELD_PARAMETER: Flags = Flags(1 << 14);
    /// A field of instances (`self.x = …`, `x: int` in a class body, a class field that is not static).
    pub const INSTANCE_FIELD: Flags = Flags(1 << 15);
    /// Hooks of a test runner (`beforeEach`): calls belong to the block, it is no test by itself.
    pub const SUITE: Flags = Flags(1 << 16);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// A function of any kind: definition, method, lambda, arrow, call or construct signature of a type.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The definition that names it; `None` for a lambda or a signature of a type form.
    pub definition: Option<DefId>,
    /// The scope of its parameters and locals.
    pub scope: Option<ScopeId>,
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<Parameter>,
    /// What the function is bound to when it is read through an instance or a class.
    pub receiver: Receiver,
    /// The annotated result. When there is one, `returns` and `yields` are empty.
    pub result: Option<FormId>,
    /// `x is Foo`: a call that is true narrows this parameter (index; `None` is the receiver) to this form.
    pub guard: Option<(Option<u32>, FormId)>,
    pub returns: Vec<ExprId>,
    pub yields: Vec<ExprId>,
    pub is_async: bool,
    pub is_generator: bool,
    /// For an anonymous function given as an argument: the call and the argument's position, so that the callee's
    /// signature can type the parameters.
    pub argument_of: Option<(ExprId, u32)>,
    /// The properties that lead from that argument to the function, when it stands in an object literal
    /// (`f({ on: { done: (x) => … } })`); empty for the argument itself.
    pub argument_path: Vec<Name>,
    /// A form that types it from outside (`const f: Handler = (a) => …`, a property of an annotated object literal).
    pub contextual: Option<FormId>,
    /// The class whose `this` or `self` it sees, when lexically inside a method (arrows and nested functions too where
    /// the language says so).
    pub this_class: Option<ClassId>,
    /// The object literal that it is a member of, for `this` in object methods.
    pub this_object: Option<ObjectId>,
}

/// Who supplies the first parameter, or `this`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Receiver {
    None,
    /// An instance, as an explicit first parameter (Python).
    InstanceParameter,
    /// The class, as an explicit first parameter (Python's `@classmethod`, `__new__`).
    ClassParameter,
    /// `this`, not a parameter (TypeScript and JavaScript).
    This,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TypeParameter {
    pub name: Name,
    pub bound: Option<FormId>,
    pub default: Option<FormId>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: Name,
    pub kind: ParameterKind,
    pub annotation: Option<FormId>,
    pub default: Option<ExprId>,
    /// May be left out although no default value is written (`x?: T`).
    pub optional: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ParameterKind {
    PositionalOnly,
    /// Positional or by keyword.
    Plain,
    KeywordOnly,
    /// `*args`, `...rest`
    Rest,
    /// `**kwargs`
    RestKeywords,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Class {
    pub definition: DefId,
    /// The scope of the class body.
    pub scope: ScopeId,
    pub type_parameters: Vec<TypeParameter>,
    /// Base classes in order, as types: a name, or a name with type arguments.
    pub bases: Vec<FormId>,
    /// Bases written as a call or another value (`extends mixin(A)`, `namedtuple(…)`).
    pub base_values: Vec<ExprId>,
    pub metaclass: Option<ExprId>,
    /// Named members: fields and what they are bound to. Methods are definitions whose parent is the class's.
    pub members: Vec<Member>,
    /// Signatures of the value itself: `(x: number): string` in an interface.
    pub calls: Vec<FunctionId>,
    pub constructs: Vec<FunctionId>,
    /// `[key: string]: T`
    pub index: Option<FormId>,
}

/// One way in which a class gets a member: a definition in the body, `self.x = …` in a method, a declared field.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub name: Name,
    /// The definition that names it.
    pub definition: DefId,
    /// On the class itself (static, or assigned in a Python class body) or on instances only.
    pub is_static: bool,
    pub annotation: Option<FormId>,
    /// The value assigned, if any. A method has its function in the definition instead.
    pub value: Option<ExprId>,
}

/// An object literal, or the object that `exports` stands for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Object {
    pub properties: Vec<Property>,
    /// `{...other}`, in order.
    pub spreads: Vec<ExprId>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    pub name: Name,
    pub value: ExprId,
    /// Set when the property is a symbol of the graph (`api.run` in `const api = { run() {} }`).
    pub definition: Option<DefId>,
    pub getter: bool,
}

// ----------------------------------------------------------------------------------------------- scopes, bindings

#[derive(Clone, PartialEq, Debug)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    /// The innermost definition around, `None` in the module.
    pub owner: Option<DefId>,
    /// What the scope binds, sorted by name, then by order of binding.
    pub bindings: Run<BindingId>,
    /// The bindings that hold when the scope is left, sorted by name: what importers and functions inside it see.
    pub last: Run<BindingId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    Module,
    /// Names of a class body are seen in the body only, not in functions inside it.
    Class,
    Function,
    /// A comprehension, or a block with bindings of its own.
    Block,
    /// Type parameters of a function, class or alias.
    TypeParameters,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    pub name: Name,
    pub scope: ScopeId,
    pub value: Value,
    /// A declared type, which wins over the value. Not of `*args: T`, which binds many of them.
    pub annotation: Option<FormId>,
    /// The definition, when the name is a symbol of the graph.
    pub definition: Option<DefId>,
    /// A value binding, a type binding (interface, type alias, type parameter), or both (class, enum, import).
    pub space: Space,
}

/// TypeScript has two name spaces; everything of Python is in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Space {
    Value,
    Type,
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A function, class, enum, namespace, alias or test: see the definition.
    Definition(DefId),
    Parameter(FunctionId, u32),
    /// The whole module of an import, or (for Python's `import a.b.c`) its first component.
    Module(ImportId),
    /// One name that an import takes: index into [`Import::names`].
    Imported(ImportId, u32),
    Expr(ExprId),
    /// The type parameter of a function: index into its list.
    FunctionTypeParameter(FunctionId, u32),
    ClassTypeParameter(ClassId, u32),
    AliasTypeParameter(DefId, u32),
    /// Declared, or bound to what we cannot say.
    Unknown,
}

// -------------------------------------------------------------------------------------------------- expressions

/// What an expression is, as far as its value can be told.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expr {
    Unknown,
    Name(NameUse),
    Attribute {
        base: ExprId,
        name: Name,
    },
    Call(CallId),
    Subscript {
        base: ExprId,
        index: Index,
    },
    Await(ExprId),
    /// An element of what is iterated over (`for x in …`).
    Iterate(ExprId),
    IterateAsync(ExprId),
    /// What `with … as x` binds.
    Enter(ExprId),
    EnterAsync(ExprId),
    Tuple(Run<ExprId>),
    /// A list, set or array literal, or a comprehension of one: its elements (spreads as [`Expr::Spread`]).
    List(Collection, Run<ExprId>),
    /// A dictionary: each key, followed by its value. Of `**other` both are the spread.
    Dict(Run<ExprId>),
    Spread(ExprId),
    /// A part of a destructured value.
    Part {
        of: ExprId,
        part: Part,
    },
    /// One of several: `a or b`, `a if c else b`, `a ?? b`, the arms of a conditional.
    Union(Run<ExprId>),
    Literal(Literal),
    Function(FunctionId),
    Class(ClassId),
    Object(ObjectId),
    /// `of` where a test holds (or does not).
    Narrow {
        of: ExprId,
        test: TestId,
    },
    Cast {
        of: ExprId,
        to: FormId,
    },
    /// TypeScript's and JavaScript's `this`, inside this function.
    This(Option<FunctionId>),
    /// `super()` of Python (a proxy), `super` of TypeScript; inside this class. `instance` is false in class methods.
    Super {
        class: Option<ClassId>,
        instance: bool,
    },
    /// `require("…")` or `import("…")` (the latter inside [`Expr::Promise`]).
    Module(ImportId),
    /// A promise or coroutine of this.
    Promise(ExprId),
    /// An operator whose result is what a method of the left operand returns (`__add__`), else unknown.
    Operator {
        left: ExprId,
        method: Name,
        right: Option<ExprId>,
    },
    /// The parameter itself, as given by a binding.
    Parameter(FunctionId, u32),
    /// What the `yield` expression gives back.
    Sent,
    /// The value of the exception caught by these classes.
    Caught(ExprId),
}

/// A name as used, and the bindings of the same file that it may mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NameUse {
    pub name: Name,
    pub scope: ScopeId,
    /// The bindings that may hold here; see [`Facts::reach`].
    pub reach: Reach,
}

/// Most bindings that one use keeps; beyond it the use is of all bindings of the scope, which this cuts too.
pub const MAX_REACH: usize = 16;

/// A run of at most [`MAX_REACH`] items of [`Surface::listed_bindings`] in one number: expressions stay small.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reach(u32);

impl Reach {
    /// The lower bits are the number of items, the others where they start.
    const COUNT_BITS: u32 = 5;

    /// Beyond the 2^27 items that can be named, which no text within limits has, there are none.
    fn new(start: usize, count: usize) -> Reach {
        match start >> (u32::BITS - Self::COUNT_BITS) {
            0 => Reach((start as u32) << Self::COUNT_BITS | count.min(MAX_REACH) as u32),
            _ => Reach::default(),
        }
    }

    /// Where the items start, and how many they are.
    fn parts(self) -> (usize, usize) {
        let count = self.0 & ((1 << Self::COUNT_BITS) - 1);
        ((self.0 >> Self::COUNT_BITS) as usize, count as usize)
    }

    /// Adds bindings to the list.
    fn add(list: &mut Vec<BindingId>, bindings: &[BindingId]) -> Reach {
        if bindings.is_empty() {
            return Reach::default();
        }
        let start = list.len();
        list.extend(bindings.iter().take(MAX_REACH));
        Reach::new(start, bindings.len())
    }

    fn of(self, list: &[BindingId]) -> &[BindingId] {
        let (start, count) = self.parts();
        &list[start..][..count]
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct CallExpr {
    pub callee: ExprId,
    pub arguments: Run<Argument>,
    /// As written, or the types among the arguments: what `cast` casts to, the bound or the constraints of a type variable.
    pub type_arguments: Run<FormId>,
    pub form: CallForm,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum CallForm {
    Call,
    New,
    /// A JSX element; its attributes are keyword arguments.
    Jsx,
    /// A tagged template.
    Tag,
    /// `super(…)` of TypeScript.
    Super,
    /// A bare decorator: called with what it decorates.
    Decorator,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Argument {
    pub kind: ArgumentKind,
    pub value: ExprId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    Positional,
    Keyword(Name),
    /// `*args`, `...args`
    Spread,
    /// `**kwargs`, `{...props}` of JSX
    SpreadKeywords,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    Integer(i32),
    Text(Name),
    /// A slice: the container again.
    Slice,
    /// Any other index; the expression, for type application in value position (`Foo[int]`).
    Any(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Part {
    /// The n-th element from the start.
    Index(u32),
    /// The n-th element from the end, 0 being the last (`*rest, last = …`).
    FromEnd(u32),
    /// A list of the elements from the n-th on.
    Rest(u32),
    /// A property or attribute.
    Key(Name),
    /// An object of what the other keys left.
    RestKeys,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Collection {
    List,
    Set,
    Generator,
    /// The values that `*args` collects.
    Tuple,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Literal {
    Text(Name),
    /// A string that is not one literal (interpolated, or too long to matter).
    Interpolated,
    Bytes,
    Integer(i32),
    Float,
    Complex,
    Boolean(bool),
    /// `None`, `null`, `undefined`
    None,
    Regex,
    Ellipsis,
}

/// A condition on a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// `isinstance(x, C)`, `x instanceof C`, a class pattern: an instance of one of these class expressions.
    Instance(ExprId),
    NotInstance(ExprId),
    /// `issubclass(x, C)`
    Subclass(ExprId),
    /// `typeof x === "string"`; the text.
    TypeOf(Name),
    NotTypeOf(Name),
    /// Truthy, or compared unequal with none: not `None`, `null`, `undefined`.
    Present,
    /// Falsy, or compared equal with one of several kinds of none.
    Absent,
    /// Compared equal with the only none there is.
    None,
    /// `x.kind === "circle"`: a property equals a literal.
    Property {
        name: Name,
        equals: Literal,
    },
    NotProperty {
        name: Name,
        equals: Literal,
    },
    /// `"key" in x`
    HasKey(Name),
    /// `callable(x)`
    Callable,
    /// A call of a function that may be a type guard: the callee and the argument's index.
    Guard {
        callee: ExprId,
        argument: u32,
        holds: bool,
    },
}

// --------------------------------------------------------------------------------------------------- type forms

/// A type as written in an annotation.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    Unknown,
    /// A class, alias, type variable, special form: by an expression of names and attributes.
    Name(ExprId),
    Apply {
        base: FormId,
        arguments: Box<[FormId]>,
    },
    /// A type known to the language by name whatever the scope binds (`T[]` is `Array`).
    Builtin {
        name: Name,
        arguments: Box<[FormId]>,
    },
    Function(FunctionId),
    /// `new (…) => T`
    Construct(FunctionId),
    /// `{ a: T; m(): U }`
    Object(ClassId),
    Tuple(Box<[FormId]>),
    /// Inside a tuple or as its only argument: zero or more of these (`...T[]`, `tuple[int, ...]`).
    Rest(FormId),
    Union(Box<[FormId]>),
    Intersection(Box<[FormId]>),
    /// `typeof x`
    TypeOf(ExprId),
    /// `T["key"]`
    Indexed {
        of: FormId,
        key: Name,
    },
    /// `T[number]`, `T[K]`
    Element(FormId),
    /// `Self`, the type `this`
    SelfType,
    /// `type[T]`
    ClassOf(FormId),
    Literal(Literal),
    /// `None`, `null`, `undefined`, `void`
    None,
    /// `A extends B ? C : D`: one of these two.
    Conditional(FormId, FormId),
    /// A list of types as an argument (`Callable[[A, B], C]`).
    List(Box<[FormId]>),
    /// `import("./x").Name`
    Imported {
        module: ImportId,
        path: Box<[Name]>,
    },
    /// `{ [K in keyof T]: V }`: the properties of the first (if named so), each of the second.
    Mapped {
        of: Option<FormId>,
        value: FormId,
    },
}

// ---------------------------------------------------------------------------------------------- imports, exports

#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    pub scope: ScopeId,
    /// `a.b`, `./util`, `react`; as written.
    pub module: Name,
    /// Leading dots of a Python relative import.
    pub level: u32,
    pub form: ImportForm,
    /// What `from m import a as b` or `import {a as b} from "m"` takes.
    pub names: Vec<ImportedName>,
    pub type_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ImportForm {
    /// `import a.b.c`: binds the first component.
    Dotted,
    /// `import a.b as c`, `import * as ns`, `const ns = require()`: binds the module itself.
    Module,
    /// Takes [`Import::names`].
    Names,
    /// `from m import *`
    Star,
    /// `import "./setup"`
    Effect,
    /// `export … from "m"`; what it exports is in [`Surface::exports`].
    Export,
    /// `require("m")` or `import("m")` as an expression.
    Expression,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ImportedName {
    pub name: Name,
    pub type_only: bool,
}

/// What a TypeScript or JavaScript module gives to others. Python modules export what their module scope binds.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The name under which others take it; `default` for the default export.
    pub name: Name,
    pub value: ExportValue,
    pub type_only: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ExportValue {
    /// A name of the module scope.
    Local(Name),
    Expr(ExprId),
    /// `export {a as b} from "m"`
    Imported(ImportId, Name),
    /// `export * as ns from "m"`
    Module(ImportId),
    /// `export * from "m"`
    Star(ImportId),
    /// `module.exports = …`, `export = …`: the value that `require` gives.
    Whole(ExprId),
}

// ---------------------------------------------------------------------------------------------------------- body

/// What the file uses.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    pub references: Vec<Reference>,
    /// Ranges of lines that did not parse, or lay beyond a limit; first and last line, 1-based.
    pub problems: Vec<Problem>,
    /// Digest of the module's own tokens: what stands in no definition and no import; comments and documentation left
    /// out. 0 when there are none.
    pub own_digest: Fingerprint,
}

/// A use of a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    pub kind: RefKind,
    /// The definition that the use belongs to, `None` for the module.
    pub owner: Option<DefId>,
    /// What is used: for a call its [`Expr::Call`], else a name, an attribute, or another expression.
    pub target: RefTarget,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefTarget {
    Expr(ExprId),
    Form(FormId),
    /// One name of an import (`from m import a`), or the module when `None`.
    Import(ImportId, Option<u32>),
    /// A fixture that a parameter names.
    Parameter(FunctionId, u32),
    /// A re-export: index into [`Surface::exports`].
    Export(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RefKind {
    /// Every [`CallForm`]; the target is the call.
    Call,
    /// A name or attribute that is read, passed, returned, aliased.
    Read,
    /// An attribute that is assigned.
    Write,
    Base,
    Annotation,
    Import,
    /// A parameter, or a literal text, that may name a fixture.
    Fixture,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Problem {
    pub first: u32,
    pub last: u32,
    pub kind: ProblemKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The grammar could not read it.
    Syntax,
    /// Nested deeper than we follow.
    Depth,
    /// More than we keep of one thing.
    Size,
}

// -------------------------------------------------------------------------------------------------------- places

/// A position: 1-based line and 1-based byte column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Where things are. Parallel to the arenas they speak of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Places {
    /// Of each definition: its name.
    pub definitions: Vec<DefinitionPlace>,
    /// Of each reference: the name used (`save` in `order.save()`).
    pub references: Vec<Place>,
    /// Of each import: the statement.
    pub imports: Vec<Place>,
    /// UTF-16 columns (1-based) of definitions and references that stand on lines that are not ASCII before them.
    pub wide: Vec<(Place, u32)>,
    /// Number of lines.
    pub lines: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DefinitionPlace {
    pub name: Place,
    /// First line of the whole definition, decorators and `export` included.
    pub first: u32,
    /// Last line of the whole definition.
    pub last: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_are_hundreds_of_thousands_of_is_small() {
        assert_eq!(size_of::<Option<ExprId>>(), 4);
        assert_eq!(size_of::<Expr>(), 16);
        assert_eq!(size_of::<Argument>(), 12);
        assert!(size_of::<Binding>() <= 32);
        assert!(size_of::<Reference>() <= 24);
    }
}
