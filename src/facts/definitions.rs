//! Definitions: functions, classes, object literals, and what a signature says of them.

use serde::Serialize;

use super::*;

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
}

/// What a definition says of itself: for the symbol that it becomes, and to compare two versions of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Description {
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

impl Definition {
    /// A definition of which nothing more is known yet. The builder says which symbol it belongs to.
    pub fn new(name: Name, kind: DefKind, parent: Option<DefId>, flags: Flags) -> Definition {
        Definition {
            name,
            kind,
            parent,
            symbol: DefId::new(0),
            function: None,
            class: None,
            alias: None,
            flags,
            decorators: Vec::new(),
        }
    }
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

/// Stands before the name of a binding that no name of the language reads: a value that is a symbol only because it is
/// exported (`exports.cursor = {}`).
pub const EXPORT_TWIN: &str = "exports.";

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
    /// A class that says itself what a call of it makes (`__new__`).
    pub const OWN_MAKER: Flags = Flags(1 << 17);

    /// Whether all of the others are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// These and the others.
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
#[derive(Clone, Default, PartialEq, Debug)]
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
    /// Calls of its own parameters, also through fields that hold them: which parameter, and the call. Set by the builder.
    pub parameter_calls: Vec<(u32, ExprId)>,
    /// For an anonymous function given as an argument, and for a named one the first time that it is: the call and the
    /// argument's position, so that the callee can type the parameters.
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
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub enum Receiver {
    #[default]
    None,
    /// An instance, as an explicit first parameter (Python).
    InstanceParameter,
    /// The class, as an explicit first parameter (Python's `@classmethod`, `__new__`).
    ClassParameter,
    /// `this`, not a parameter (TypeScript and JavaScript).
    This,
}

/// A type variable that a function, class or alias declares.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeParameter {
    pub name: Name,
    pub bound: Option<FormId>,
    pub default: Option<FormId>,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: Name,
    pub kind: ParameterKind,
    pub annotation: Option<FormId>,
    pub default: Option<ExprId>,
    /// May be left out although no default value is written (`x?: T`).
    pub optional: bool,
}

/// Which arguments a parameter takes.
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

/// A class, interface, enum, namespace or object type, or a function with members.
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

impl Class {
    /// A class of which nothing more is known yet.
    pub fn new(definition: DefId, scope: ScopeId) -> Class {
        Class {
            definition,
            scope,
            type_parameters: Vec::new(),
            bases: Vec::new(),
            base_values: Vec::new(),
            metaclass: None,
            members: Vec::new(),
            calls: Vec::new(),
            constructs: Vec::new(),
            index: None,
        }
    }
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

/// A property of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    pub name: Name,
    pub value: ExprId,
    /// Set when the property is a symbol of the graph (`api.run` in `const api = { run() {} }`).
    pub definition: Option<DefId>,
    pub getter: bool,
}
