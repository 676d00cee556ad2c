//! Expressions, as far as a type can rest on them.

use serde::Serialize;

use super::*;

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
pub struct Reach(pub(super) u32);

impl Reach {
    /// The lower bits are the number of items, the others where they start.
    const COUNT_BITS: u32 = 5;

    /// Beyond the 2^27 items that can be named, which no text within limits has, there are none.
    pub(super) fn new(start: usize, count: usize) -> Reach {
        match start >> (u32::BITS - Self::COUNT_BITS) {
            0 => Reach((start as u32) << Self::COUNT_BITS | count.min(MAX_REACH) as u32),
            _ => Reach::default(),
        }
    }

    /// Where the items start, and how many they are.
    pub(super) fn parts(self) -> (usize, usize) {
        let count = self.0 & ((1 << Self::COUNT_BITS) - 1);
        ((self.0 >> Self::COUNT_BITS) as usize, count as usize)
    }

    /// Adds bindings to the list.
    pub(super) fn add(list: &mut Vec<BindingId>, bindings: &[BindingId]) -> Reach {
        if bindings.is_empty() {
            return Reach::default();
        }
        let start = list.len();
        list.extend(bindings.iter().take(MAX_REACH));
        Reach::new(start, bindings.len())
    }

    pub(super) fn of(self, list: &[BindingId]) -> &[BindingId] {
        let (start, count) = self.parts();
        &list[start..][..count]
    }
}

/// A call, as written.
#[derive(Clone, PartialEq, Debug)]
pub struct CallExpr {
    pub callee: ExprId,
    pub arguments: Run<Argument>,
    /// As written, or the types among the arguments: what `cast` casts to, the bound or the constraints of a type variable.
    pub type_arguments: Run<FormId>,
    pub form: CallForm,
}

/// How a call is written.
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

/// One argument of a call.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Argument {
    pub kind: ArgumentKind,
    pub value: ExprId,
}

/// How an argument finds its parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    Positional,
    Keyword(Name),
    /// `*args`, `...args`
    Spread,
    /// `**kwargs`, `{...props}` of JSX
    SpreadKeywords,
}

/// What stands in the brackets of a subscript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    Integer(i32),
    Text(Name),
    /// A slice: the container again.
    Slice,
    /// Any other index; the expression, for type application in value position (`Foo[int]`).
    Any(ExprId),
}

/// Which part of a destructured value.
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

/// What a literal or comprehension with elements makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Collection {
    List,
    Set,
    Generator,
    /// The values that `*args` collects.
    Tuple,
}

/// A literal; its value where a type can rest on it.
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
