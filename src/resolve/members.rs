//! What a value has under a name: members of its classes (`class_members`), names of modules, properties of objects.

use smallvec::SmallVec;

use super::class_members::Access;
use super::engine::{Engine, TypeQuestion};
use super::exports::whole_exports;
use super::meanings::Meaning;
use super::project::File;
use super::reads::{Leaf, LeafId};
use super::value::*;
use crate::facts::*;

/// A symbol that an attribute leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Found {
    pub file: FileId,
    pub symbol: DefId,
}

/// The outcome of reading an attribute.
#[derive(Clone, Default, Debug)]
pub(super) struct Outcome {
    pub types: Types,
    pub found: SmallVec<[Found; 2]>,
    /// Classes and modules of the project that were asked and do not have it.
    pub missing: SmallVec<[Owner; 1]>,
    /// Some receiver was of unknown type.
    pub unknown: bool,
    /// Some receiver lies outside the project.
    pub external: bool,
    /// The object literals through whose spreads the search came here: `options = { ...options }`.
    through: SmallVec<[(FileId, ObjectId); 2]>,
}

/// Who was asked for a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Owner {
    Module(FileId),
    Class(ClassRef),
}

impl Default for Types {
    fn default() -> Self {
        Types::NEVER
    }
}

impl Outcome {
    /// Adds a symbol, once.
    pub(super) fn found(&mut self, file: FileId, symbol: DefId) {
        let found = Found { file, symbol };
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }
}

impl Engine<'_> {
    /// The type of an attribute.
    pub(super) fn attribute(&mut self, base: Types, name: Sym) -> Types {
        if base == Types::TOP {
            return Types::TOP;
        }
        let outcome = self.read_attribute(base, name);
        outcome.types
    }

    /// Reads an attribute of every member of a set.
    pub(super) fn read_attribute(&mut self, base: Types, name: Sym) -> Outcome {
        let mut outcome = Outcome::default();
        if base == Types::TOP {
            outcome.unknown = true;
            outcome.types = Types::TOP;
            return outcome;
        }
        for ty in self.lattice.members(base).to_vec() {
            let types = self.read_member(ty, name, &mut outcome);
            outcome.types = self.lattice.join(outcome.types, types);
        }
        outcome
    }

    fn read_member(&mut self, ty: Ty, name: Sym, outcome: &mut Outcome) -> Types {
        match ty {
            Ty::Unknown | Ty::Var(Var::Parameter(..) | Var::Result(..)) => {
                outcome.unknown = true;
                Types::UNKNOWN
            }
            Ty::External => {
                outcome.external = true;
                Types::EXTERNAL
            }
            Ty::None => Types::NEVER,
            Ty::Instance(class, arguments) => {
                let receiver = self.lattice.one(ty);
                self.class_member(class, arguments, receiver, name, Access::Instance, None, outcome)
            }
            Ty::Class(class, arguments) => {
                let receiver = self.lattice.one(Ty::Instance(class, arguments));
                self.class_member(class, arguments, receiver, name, Access::Class, None, outcome)
            }
            Ty::Var(var @ Var::This(class)) => {
                let receiver = self.lattice.one(Ty::Var(var));
                let arguments = self.own_arguments(class);
                self.class_member(class, arguments, receiver, name, Access::Instance, None, outcome)
            }
            Ty::ClassOfVar(var @ Var::This(class)) => {
                let receiver = self.lattice.one(Ty::Var(var));
                let arguments = self.own_arguments(class);
                self.class_member(class, arguments, receiver, name, Access::Class, None, outcome)
            }
            Ty::Var(var) => {
                let bound = self.var_bound(var);
                self.nested(bound, name, outcome)
            }
            Ty::ClassOfVar(var) => {
                let bound = self.var_bound(var);
                let classes = self.to_classes(bound);
                self.nested(classes, name, outcome)
            }
            Ty::Super(class, receiver) => self.super_member(class, receiver, name, outcome),
            Ty::Module(file) => self.module_member(file, name, outcome),
            Ty::Namespace(at) => {
                let found = self.meaning_attribute(Meaning::Namespace(at), name);
                self.meanings_member(found, outcome)
            }
            Ty::Object(file, object, env) => self.object_member(file, object, env, name, outcome),
            Ty::Function(function, _) => self.function_member(function, name, outcome),
            Ty::Bound(function, ..) => self.function_member(function, name, outcome),
            Ty::Tuple(items) => {
                let Some(language) = self.any_language() else { return Types::UNKNOWN };
                let items: Vec<Types> = self.lattice.items(items).to_vec();
                let element = self.lattice.join_all(items);
                let tuple = self.project.languages[language].semantics().tuple;
                let instance = self.library_instance(language, tuple, &[element]);
                self.nested(instance, name, outcome)
            }
            Ty::Text(_) => {
                let Some(language) = self.any_language() else { return Types::UNKNOWN };
                let text = self.project.languages[language].semantics().text;
                let instance = self.library_instance(language, text, &[]);
                self.nested(instance, name, outcome)
            }
            Ty::Special(_) => {
                outcome.external = true;
                Types::EXTERNAL
            }
        }
    }

    fn nested(&mut self, types: Types, name: Sym, outcome: &mut Outcome) -> Types {
        if types == Types::TOP {
            outcome.unknown = true;
            return Types::TOP;
        }
        let mut joined = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            // A bound that is itself a variable says nothing more.
            let part = if matches!(ty, Ty::Var(Var::Function(..) | Var::Class(..) | Var::Alias(..) | Var::Value(..))) {
                outcome.unknown = true;
                Types::UNKNOWN
            } else {
                self.read_member(ty, name, outcome)
            };
            joined = self.lattice.join(joined, part);
        }
        joined
    }

    /// The language of the file that the present group belongs to.
    pub(super) fn any_language(&self) -> Option<usize> {
        match *self.record.leaf(self.group) {
            Leaf::Unit(file)
            | Leaf::Name(file, _)
            | Leaf::Member(file, ..)
            | Leaf::Whole(file)
            | Leaf::Surface(file) => self.file(file).map(|file| file.language),
            Leaf::Outside(language) => Some(language),
            Leaf::Look(_) | Leaf::Defining(_) => None,
        }
    }

    fn module_member(&mut self, file: FileId, name: Sym, outcome: &mut Outcome) -> Types {
        let found = self.lookup_list(file, name);
        self.meanings_member(found, outcome)
    }

    /// The symbols and types of meanings.
    pub(super) fn meanings_member(&mut self, meanings: Vec<Meaning>, outcome: &mut Outcome) -> Types {
        let mut joined = Types::NEVER;
        for meaning in meanings {
            match meaning {
                Meaning::Definition(file, _) if self.project.is_external(file) => outcome.external = true,
                Meaning::Definition(file, symbol) => outcome.found(file, symbol),
                Meaning::External => outcome.external = true,
                Meaning::Missing(Some(file), _) => outcome.missing.push(Owner::Module(file)),
                Meaning::Missing(None, _) | Meaning::Unknown => outcome.unknown = true,
                Meaning::Binding(..) | Meaning::Value(..) | Meaning::Module(_) | Meaning::Namespace(_) => {}
            }
            let types = self.meaning_types(meaning);
            joined = self.lattice.join(joined, types);
        }
        joined
    }

    /// The value of a meaning.
    pub(super) fn meaning_types(&mut self, meaning: Meaning) -> Types {
        match meaning {
            Meaning::Definition(file, def) => self.ask(TypeQuestion::Symbol(file, def)),
            Meaning::Binding(id, binding) => {
                let Some(file) = self.file(id) else { return Types::UNKNOWN };
                self.reached(file, binding, |engine| engine.ask(TypeQuestion::Binding(id, binding, engine.group)))
            }
            Meaning::Value(file, expr) => {
                let group = self.record.id(Leaf::Surface(file));
                self.within(group, |engine| engine.expr(file, expr))
            }
            Meaning::Module(file) => self.module_types(file),
            Meaning::Namespace(at) => self.lattice.one(Ty::Namespace(at)),
            Meaning::External => Types::EXTERNAL,
            Meaning::Missing(..) | Meaning::Unknown => Types::UNKNOWN,
        }
    }

    /// The value that a module is: what `module.exports = …` says, else the module.
    pub(super) fn module_types(&mut self, id: FileId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        self.read(Leaf::Whole(id));
        let wholes: Vec<ExprId> = whole_exports(&file.facts).collect();
        let mut types = Types::NEVER;
        for whole in &wholes {
            let group = self.record.id(Leaf::Surface(id));
            let value = self.within(group, |engine| engine.expr(id, *whole));
            types = self.lattice.join(types, value);
        }
        let others = file.facts.surface.exports.len() > wholes.len();
        if wholes.is_empty() || others {
            let module = self.lattice.one(Ty::Module(id));
            types = self.lattice.join(types, module);
        }
        types
    }

    fn object_member(&mut self, id: FileId, object: ObjectId, env: Env, name: Sym, outcome: &mut Outcome) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let data = &file.facts.surface.objects[object.index()];
        let mut types = Types::NEVER;
        let mut found = false;
        for property in data.properties.iter().filter(|property| file.sym(property.name) == name) {
            found = true;
            if let Some(def) = property.definition {
                outcome.found(id, file.facts.definition(def).symbol);
            }
            let group = self.object_group(file, property);
            let value = self.within(group, |engine| match (property.getter, file.facts.expr(property.value)) {
                (true, Expr::Function(function)) => {
                    engine.ask(TypeQuestion::Result(FunctionRef { file: id, function: *function }))
                }
                _ => engine.expr(id, property.value),
            });
            let substitution = self.env_substitution(env);
            let value = self.substitute(value, &substitution);
            types = self.lattice.join(types, value);
        }
        if found {
            return types;
        }
        if outcome.through.contains(&(id, object)) {
            return Types::NEVER;
        }
        let mut nested = Outcome { through: outcome.through.clone(), ..Outcome::default() };
        nested.through.push((id, object));
        for &spread in &data.spreads {
            let group = self.record.id(Leaf::Surface(id));
            let base = self.within(group, |engine| engine.expr(id, spread));
            let part = self.nested(base, name, &mut nested);
            types = self.lattice.join(types, part);
        }
        outcome.unknown |= nested.unknown;
        outcome.external |= nested.external;
        for found in &nested.found {
            outcome.found(found.file, found.symbol);
        }
        if nested.found.is_empty() && !nested.external && types == Types::NEVER {
            // An object may be given further properties anywhere.
            outcome.unknown = true;
            return Types::UNKNOWN;
        }
        types
    }

    /// The group that an object's property belongs to: its definition's, the present one in the same file, else all of
    /// the file's surface.
    fn object_group(&mut self, file: &File, property: &Property) -> LeafId {
        if let Some(def) = property.definition {
            return self.definition_group(file, def);
        }
        match *self.record.leaf(self.group) {
            Leaf::Unit(own) if own == file.id => self.group,
            Leaf::Name(own, _) | Leaf::Member(own, ..) if own == file.id => self.group,
            Leaf::Outside(_) if file.external => self.group,
            _ => self.record.id(Leaf::Surface(file.id)),
        }
    }

    fn function_member(&mut self, function: FunctionRef, name: Sym, outcome: &mut Outcome) -> Types {
        let Some(file) = self.file(function.file) else { return Types::UNKNOWN };
        if let Some(def) = file.facts.function(function.function).definition {
            let symbol = file.facts.definition(def).symbol;
            let class = ClassRef { file: function.file, def: symbol };
            if let Some(declared) = self.declared(class, name) {
                if let Some(symbol) = declared.symbol
                    && !file.external
                {
                    outcome.found(function.file, symbol);
                }
                return self.ask(TypeQuestion::Member(class, name));
            }
        }
        let library = self.rules(file).semantics().function;
        let instance = self.library_instance(file.language, library, &[]);
        let bound = self.lattice.one(Ty::Function(function, Env::EMPTY));
        outcome.external = true;
        match self.lattice.members(instance).first() {
            Some(&Ty::Instance(class, arguments)) => {
                let mut inner = Outcome::default();
                self.class_member(class, arguments, bound, name, Access::Instance, None, &mut inner)
            }
            _ => Types::EXTERNAL,
        }
    }
}
