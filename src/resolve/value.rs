//! Sets of types: what an expression can be.
//!
//! A [`Types`] is an interned set. Two sets join member by member: instances of one class join their arguments, so the
//! sets form a lattice of finite height (at most [`MAX_WIDTH`] members and [`MAX_DEPTH`] levels of arguments; beyond
//! that, [`Types::TOP`]) and equations over them have one least solution, whatever the order of questions.
//!
//! *Unknown* is a member like others, so that a rule which maps each member by itself is monotone.

use rustc_hash::FxHashMap;
use siphasher::sip::SipHasher13;

use super::interner::Interner;
use crate::facts::{BindingId, DefId, FunctionId, ObjectId};
use crate::languages::Special;

/// Most members of a set.
pub const MAX_WIDTH: usize = 8;
/// Most levels of type arguments.
pub const MAX_DEPTH: u8 = 4;

/// A file of the project, or of a language's prelude.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// The hash of a name's text: the same name in two files has the same `Sym`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u64);

impl Sym {
    /// The hash of a text: SipHash-1-3, the same in every run and on every machine.
    pub fn of(text: &str) -> Sym {
        Sym(SipHasher13::new().hash(text.as_bytes()))
    }
}

/// A class, by the symbol that names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassRef {
    pub file: FileId,
    pub def: DefId,
}

/// A function, by its place in the facts of its file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionRef {
    pub file: FileId,
    pub function: FunctionId,
}

/// A type variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Var {
    Function(FunctionRef, u32),
    Class(ClassRef, u32),
    Alias(FileId, DefId, u32),
    /// A value that is a type variable (`T = TypeVar("T")`).
    Value(FileId, BindingId),
    /// An unannotated parameter stands for whatever a call gives it.
    Parameter(FunctionRef, u32),
    /// What a call of a parameter gives.
    Result(FunctionRef, u32),
    /// The receiver, in a member of this class.
    This(ClassRef),
}

/// One thing that an expression can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ty {
    /// Could be anything.
    Unknown,
    None,
    /// A value from outside the project of which nothing more is known.
    External,
    Instance(ClassRef, List),
    /// The class itself, as a value.
    Class(ClassRef, List),
    Var(Var),
    /// The class of the receiver (`cls`).
    ClassOfVar(Var),
    Function(FunctionRef, Env),
    /// A function read through a receiver.
    Bound(FunctionRef, Env, Types),
    Module(FileId),
    /// A namespace package: index into the engine's list of directories.
    Namespace(u32),
    Object(FileId, ObjectId, Env),
    Tuple(List),
    /// A string literal.
    Text(Sym),
    Special(Special),
    /// The members that follow a class in the method resolution order of a receiver.
    Super(ClassRef, Types),
}

macro_rules! interned {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
    )*};
}

interned!(
    /// An interned set of types.
    Types,
    /// An interned list of sets: type arguments, elements of a tuple.
    List,
    /// An interned map from variables to sets, sorted.
    Env
);

impl Types {
    /// No value: the start of every equation.
    pub const NEVER: Types = Types(0);
    /// Any value, and nothing more to be learned.
    pub const TOP: Types = Types(1);
    /// The set of [`Ty::Unknown`] alone.
    pub const UNKNOWN: Types = Types(2);
    pub const NONE: Types = Types(3);
    pub const EXTERNAL: Types = Types(4);
}

impl List {
    pub const EMPTY: List = List(0);
}

impl Env {
    pub const EMPTY: Env = Env(0);
}

#[derive(Clone, Copy, Default)]
struct Shape {
    depth: u8,
    has_vars: bool,
}

/// Interns types; each engine has its own.
pub struct Lattice {
    sets: Interner<Box<[Ty]>>,
    /// Parallel to the sets.
    set_shapes: Vec<Shape>,
    lists: Interner<Box<[Types]>>,
    /// Parallel to the lists.
    list_shapes: Vec<Shape>,
    envs: Interner<Box<[(Var, Types)]>>,
    joins: FxHashMap<(Types, Types), Types>,
}

impl Default for Lattice {
    fn default() -> Self {
        let mut lattice = Lattice {
            sets: Interner::default(),
            set_shapes: Vec::new(),
            lists: Interner::default(),
            list_shapes: Vec::new(),
            envs: Interner::default(),
            joins: FxHashMap::default(),
        };
        let never = lattice.intern(Box::default());
        // The top has no members of its own; a slot that no set of members can have.
        lattice.sets.hide(Box::default());
        lattice.set_shapes.push(Shape::default());
        let unknown = lattice.one(Ty::Unknown);
        let none = lattice.one(Ty::None);
        let external = lattice.one(Ty::External);
        debug_assert_eq!(
            [never, unknown, none, external],
            [Types::NEVER, Types::UNKNOWN, Types::NONE, Types::EXTERNAL]
        );
        lattice.list(&[]);
        lattice.env(Vec::new());
        lattice
    }
}

impl Lattice {
    /// The members; none for [`Types::TOP`], which must be asked for first.
    pub fn members(&self, types: Types) -> &[Ty] {
        self.sets.get(types.0)
    }

    /// The types of a list, in order.
    pub fn items(&self, list: List) -> &[Types] {
        self.lists.get(list.0)
    }

    /// What variables stand for in an environment, sorted.
    pub fn entries(&self, env: Env) -> &[(Var, Types)] {
        self.envs.get(env.0)
    }

    /// Whether a variable stands anywhere in a set.
    pub fn has_vars(&self, types: Types) -> bool {
        self.set_shapes[types.0 as usize].has_vars
    }

    /// Whether nothing is known for sure: the top, or unknown among the members.
    pub fn is_open(&self, types: Types) -> bool {
        types == Types::TOP || self.members(types).contains(&Ty::Unknown)
    }

    /// The set of one member.
    pub fn one(&mut self, ty: Ty) -> Types {
        match self.sets.find(std::slice::from_ref(&ty)) {
            Some(types) => Types(types),
            None => self.intern(Box::new([ty])),
        }
    }

    /// The set of several members.
    pub fn set(&mut self, members: impl IntoIterator<Item = Ty>) -> Types {
        let mut types = Types::NEVER;
        for ty in members {
            let one = self.one(ty);
            types = self.join(types, one);
        }
        types
    }

    fn intern(&mut self, members: Box<[Ty]>) -> Types {
        if let Some(types) = self.sets.find(&members) {
            return Types(types);
        }
        let mut shape = Shape::default();
        for ty in &members {
            let part = self.shape(*ty);
            shape.depth = shape.depth.max(part.depth);
            shape.has_vars |= part.has_vars;
        }
        if shape.depth > MAX_DEPTH {
            return Types::TOP;
        }
        self.set_shapes.push(shape);
        Types(self.sets.intern(members))
    }

    fn shape(&self, ty: Ty) -> Shape {
        let nested = |mut shape: Shape| {
            shape.depth += 1;
            shape
        };
        let env_shape = |env: Env| {
            let mut shape = Shape::default();
            for (_, types) in self.entries(env) {
                let part = self.set_shapes[types.0 as usize];
                shape.depth = shape.depth.max(part.depth + 1);
                shape.has_vars |= part.has_vars;
            }
            shape
        };
        match ty {
            Ty::Instance(_, list) | Ty::Class(_, list) | Ty::Tuple(list) => {
                if list == List::EMPTY {
                    Shape::default()
                } else {
                    nested(self.list_shapes[list.0 as usize])
                }
            }
            Ty::Var(_) | Ty::ClassOfVar(_) => Shape { depth: 0, has_vars: true },
            // A function may mention the variables of what surrounds it.
            Ty::Function(_, env) | Ty::Object(_, _, env) => Shape { depth: env_shape(env).depth, has_vars: true },
            Ty::Bound(_, env, receiver) => {
                let receiver = nested(self.set_shapes[receiver.0 as usize]);
                Shape { depth: env_shape(env).depth.max(receiver.depth), has_vars: true }
            }
            Ty::Super(_, receiver) => nested(self.set_shapes[receiver.0 as usize]),
            Ty::Unknown | Ty::None | Ty::External | Ty::Module(_) | Ty::Namespace(_) | Ty::Text(_) | Ty::Special(_) => {
                Shape::default()
            }
        }
    }

    /// A list of types, such as type arguments.
    pub fn list(&mut self, items: &[Types]) -> List {
        if let Some(list) = self.lists.find(items) {
            return List(list);
        }
        let mut shape = Shape::default();
        for types in items {
            let part = self.set_shapes[types.0 as usize];
            shape.depth = shape.depth.max(part.depth);
            shape.has_vars |= part.has_vars;
        }
        self.list_shapes.push(shape);
        List(self.lists.intern(items.into()))
    }

    /// An environment; of several entries of one variable the least is kept.
    pub fn env(&mut self, mut entries: Vec<(Var, Types)>) -> Env {
        entries.sort();
        entries.dedup_by_key(|(var, _)| *var);
        Env(self.envs.intern(entries.into()))
    }

    /// The least set that holds both.
    pub fn join(&mut self, a: Types, b: Types) -> Types {
        if a == b || b == Types::NEVER {
            return a;
        }
        if a == Types::NEVER {
            return b;
        }
        if a == Types::TOP || b == Types::TOP {
            return Types::TOP;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&joined) = self.joins.get(&key) {
            return joined;
        }
        let mut members: Vec<Ty> = self.members(a).to_vec();
        for ty in self.members(b).to_vec() {
            match members.iter().position(|&other| same_head(other, ty)) {
                Some(at) => members[at] = self.join_heads(members[at], ty),
                None => members.push(ty),
            }
        }
        members.sort();
        let joined = if members.len() > MAX_WIDTH { Types::TOP } else { self.intern(members.into()) };
        self.joins.insert(key, joined);
        joined
    }

    /// The least set that holds all.
    pub fn join_all(&mut self, all: impl IntoIterator<Item = Types>) -> Types {
        let mut types = Types::NEVER;
        for one in all {
            types = self.join(types, one);
        }
        types
    }

    /// Joins two members of one head, part by part.
    fn join_heads(&mut self, a: Ty, b: Ty) -> Ty {
        if a == b {
            return a;
        }
        match (a, b) {
            (Ty::Instance(class, x), Ty::Instance(_, y)) => Ty::Instance(class, self.join_lists(x, y)),
            (Ty::Class(class, x), Ty::Class(_, y)) => Ty::Class(class, self.join_lists(x, y)),
            (Ty::Tuple(x), Ty::Tuple(y)) => Ty::Tuple(self.join_lists(x, y)),
            (Ty::Function(function, x), Ty::Function(_, y)) => Ty::Function(function, self.join_envs(x, y)),
            (Ty::Object(file, object, x), Ty::Object(_, _, y)) => Ty::Object(file, object, self.join_envs(x, y)),
            (Ty::Bound(function, x, r), Ty::Bound(_, y, s)) => {
                Ty::Bound(function, self.join_envs(x, y), self.join(r, s))
            }
            (Ty::Super(class, x), Ty::Super(_, y)) => Ty::Super(class, self.join(x, y)),
            _ => a,
        }
    }

    fn join_lists(&mut self, a: List, b: List) -> List {
        // Without arguments means that they are unknown.
        let (x, y) = (self.items(a).to_vec(), self.items(b).to_vec());
        if x.is_empty() || y.is_empty() {
            let longer: Vec<Types> = if x.is_empty() { y } else { x };
            let items: Vec<Types> = longer.into_iter().map(|types| self.join(types, Types::UNKNOWN)).collect();
            return self.list(&items);
        }
        let items: Vec<Types> = (0..x.len().max(y.len()))
            .map(|at| {
                let part = |list: &[Types]| list.get(at).copied().unwrap_or(Types::UNKNOWN);
                self.join(part(&x), part(&y))
            })
            .collect();
        self.list(&items)
    }

    fn join_envs(&mut self, a: Env, b: Env) -> Env {
        if a == b {
            return a;
        }
        let mut entries: Vec<(Var, Types)> = self.entries(a).to_vec();
        for (var, types) in self.entries(b).to_vec() {
            match entries.iter().position(|(other, _)| *other == var) {
                Some(at) => entries[at].1 = self.join(entries[at].1, types),
                None => entries.push((var, types)),
            }
        }
        self.env(entries)
    }
}

/// Whether two members join into one.
fn same_head(a: Ty, b: Ty) -> bool {
    match (a, b) {
        (Ty::Instance(x, _), Ty::Instance(y, _)) | (Ty::Class(x, _), Ty::Class(y, _)) => x == y,
        (Ty::Super(x, _), Ty::Super(y, _)) => x == y,
        (Ty::Function(x, _), Ty::Function(y, _)) => x == y,
        (Ty::Bound(x, _, _), Ty::Bound(y, _, _)) => x == y,
        (Ty::Object(f, x, _), Ty::Object(g, y, _)) => f == g && x == y,
        (Ty::Tuple(_), Ty::Tuple(_)) => true,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(lattice: &mut Lattice, def: u32, arguments: &[Types]) -> Types {
        let list = lattice.list(arguments);
        lattice.one(Ty::Instance(ClassRef { file: FileId(0), def: DefId::new(def as usize) }, list))
    }

    #[test]
    fn joining_is_the_same_in_every_order_and_joins_arguments() {
        let mut lattice = Lattice::default();
        let a = instance(&mut lattice, 1, &[]);
        let b = instance(&mut lattice, 2, &[]);
        let list_a = instance(&mut lattice, 3, &[a]);
        let list_b = instance(&mut lattice, 3, &[b]);
        let ab = lattice.join(a, b);
        let list_ab = instance(&mut lattice, 3, &[ab]);
        assert_eq!(lattice.join(list_a, list_b), list_ab);
        assert_eq!(lattice.join(list_b, list_a), list_ab);
        let all = lattice.join_all([list_a, Types::NONE, list_b]);
        assert_eq!(all, lattice.join_all([list_b, list_a, Types::NONE]));
    }

    #[test]
    fn too_wide_and_too_deep_is_the_top() {
        let mut lattice = Lattice::default();
        let wide: Vec<Types> = (0..=MAX_WIDTH as u32).map(|n| instance(&mut lattice, n, &[])).collect();
        assert_eq!(lattice.join_all(wide), Types::TOP);
        let mut deep = instance(&mut lattice, 1, &[]);
        for _ in 0..=MAX_DEPTH {
            deep = instance(&mut lattice, 3, &[deep]);
        }
        assert_eq!(deep, Types::TOP);
    }
}
