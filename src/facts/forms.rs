//! Type forms: what an annotation says.

use super::*;

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
