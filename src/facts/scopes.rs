//! Scopes, and what each binds its names to.

use serde::Serialize;

use super::*;

/// A part of the file in which names are bound.
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

/// What a scope belongs to, and with that who sees its names.
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

/// One place at which a scope binds a name.
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

/// What a name is bound to.
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
