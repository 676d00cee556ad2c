//! What a value has under a name: members through the method resolution order, names of modules, properties of objects.

use std::rc::Rc;

use smallvec::SmallVec;

use super::classes::{Declared, Order};
use super::engine::{Engine, TypeQuestion};
use super::meanings::Meaning;
use super::project::File;
use super::reads::{Leaf, LeafId};
use super::substitution::Substitution;
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

    pub(super) fn own_arguments(&mut self, class: ClassRef) -> List {
        let vars = self.class_vars(class);
        let arguments: Vec<Types> = vars.into_iter().map(|var| self.lattice.one(Ty::Var(var))).collect();
        self.lattice.list(&arguments)
    }

    /// Walks the method resolution order for a member; `after` leaves out everything up to a class (`super()`).
    #[allow(clippy::too_many_arguments, reason = "each is a part of the one question")]
    fn class_member(
        &mut self,
        class: ClassRef,
        arguments: List,
        receiver: Types,
        name: Sym,
        access: Access,
        after: Option<ClassRef>,
        outcome: &mut Outcome,
    ) -> Types {
        let order = self.order(class);
        // The class's own member reads those of the classes behind it, once for all who ask.
        let group = self.class_member_group(class, name);
        let found = self.within(group, |engine| engine.find_member(&order, name, access, after));
        if let Some((owner, name, declared)) = found {
            if self.project.is_external(owner.file) {
                outcome.external = true;
            } else if let Some(symbol) = declared.symbol {
                outcome.found(owner.file, symbol);
            }
            return self.declared_type(class, arguments, owner, &declared, name, receiver, access);
        }
        let meta = self.metaclass(class);
        if let Some(meta) = meta
            && access == Access::Class
            && let Some(types) = self.metaclass_member(meta, class, arguments, name, outcome)
        {
            return types;
        }
        let dynamic = self.has_dynamic_members(class) || meta.is_some_and(|meta| self.makes_members(meta));
        if order.open || dynamic {
            outcome.unknown = true;
            return Types::UNKNOWN;
        }
        let project_class = !self.project.is_external(class.file);
        if order.external || !project_class {
            outcome.external = true;
            return Types::EXTERNAL;
        }
        if access == Access::Class && self.is_enum(class) {
            outcome.external = true;
            return Types::EXTERNAL;
        }
        outcome.missing.push(Owner::Class(class));
        Types::UNKNOWN
    }

    /// The first class of an order that declares a member, with the name that it has there.
    fn find_member(
        &mut self,
        order: &Order,
        name: Sym,
        access: Access,
        after: Option<ClassRef>,
    ) -> Option<(ClassRef, Sym, Rc<Declared>)> {
        let twin = (access == Access::Class).then(|| self.static_twin(name));
        let first = match after {
            Some(after) => order.classes.iter().position(|&owner| owner == after)? + 1,
            None => 0,
        };
        for &owner in &order.classes[first..] {
            // What a base of unknown members would give comes before the library's own `object`.
            let is_last = self.project.is_external(owner.file) && Some(&owner) == order.classes.last();
            if is_last && (order.open || order.external) {
                return None;
            }
            for name in twin.into_iter().chain([name]) {
                if let Some(declared) = self.declared(owner, name) {
                    return Some((owner, name, declared));
                }
            }
        }
        None
    }

    /// The name of a static member that has to be told from an instance member.
    pub(super) fn static_twin(&mut self, name: Sym) -> Sym {
        let text = self.text_of(name);
        self.sym_of(&format!("{STATIC_TWIN}{text}"))
    }

    /// A member that a class has as an instance of its metaclass.
    fn metaclass_member(
        &mut self,
        meta: ClassRef,
        class: ClassRef,
        arguments: List,
        name: Sym,
        outcome: &mut Outcome,
    ) -> Option<Types> {
        let order = self.order(meta);
        let of_project = |owner: &&ClassRef| !self.project.is_external(owner.file);
        let owners: Vec<ClassRef> = order.classes.iter().filter(of_project).copied().collect();
        let (owner, declared) = owners.into_iter().find_map(|owner| Some((owner, self.declared(owner, name)?)))?;
        if let Some(symbol) = declared.symbol {
            outcome.found(owner.file, symbol);
        }
        let receiver = self.lattice.one(Ty::Class(class, arguments));
        Some(self.declared_type(meta, List::EMPTY, owner, &declared, name, receiver, Access::Instance))
    }

    /// Whether a metaclass of the project takes part in making its classes, so that they may have members that nobody
    /// declares.
    fn makes_members(&mut self, meta: ClassRef) -> bool {
        let Some(file) = self.file(meta.file) else { return true };
        let semantics = self.rules(file).semantics();
        let makers = [semantics.constructors, semantics.dynamic_members].concat();
        self.any_declares(meta, &makers)
    }

    fn has_dynamic_members(&mut self, class: ClassRef) -> bool {
        let Some(file) = self.file(class.file) else { return true };
        let dynamic = self.rules(file).semantics().dynamic_members;
        self.any_declares(class, dynamic)
    }

    /// Whether a class of the project in the order of a class declares one of some members. It is the class that reads
    /// them, once for all who ask: such members seldom come or go.
    fn any_declares(&mut self, class: ClassRef, members: &[&str]) -> bool {
        let order = self.order(class);
        let group = self.symbol_group(class.file, class.def);
        self.within(group, |engine| {
            order.classes.iter().any(|&owner| {
                !engine.project.is_external(owner.file) && members.iter().any(|member| engine.declares(owner, member))
            })
        })
    }

    /// Whether a class is an enumeration: by its own flag, or because a base of the library is.
    pub(super) fn is_enum(&mut self, class: ClassRef) -> bool {
        let order = self.order(class);
        order.classes.iter().any(|&owner| {
            let Some(file) = self.file(owner.file) else { return false };
            file.facts.definition(owner.def).flags.has(Flags::ENUM)
        })
    }

    #[allow(clippy::too_many_arguments, reason = "each is a part of the one question")]
    fn declared_type(
        &mut self,
        class: ClassRef,
        arguments: List,
        owner: ClassRef,
        declared: &Rc<Declared>,
        name: Sym,
        receiver: Types,
        access: Access,
    ) -> Types {
        let Some(file) = self.file(owner.file) else { return Types::UNKNOWN };
        let is_enum_member = declared.definitions.is_empty() && access == Access::Class && self.is_enum(owner);
        if is_enum_member {
            return receiver;
        }
        let substitution = self.member_substitution(class, arguments, owner, receiver);
        let mut types = Types::NEVER;
        let mut methods = false;
        for &def in &declared.definitions {
            let definition = file.facts.definition(def);
            let Some(function) = definition.function else { continue };
            if definition.flags.has(Flags::GETTER) {
                if access == Access::Class && !definition.flags.has(Flags::STATIC) {
                    types = self.lattice.join(types, Types::EXTERNAL);
                    continue;
                }
                let function = FunctionRef { file: owner.file, function };
                let result = self.ask(TypeQuestion::Result(function));
                let result = self.substitute(result, &substitution);
                types = self.lattice.join(types, result);
            } else if !definition.flags.has(Flags::SETTER) {
                methods = true;
            }
        }
        if !methods && declared.definitions.iter().any(|&def| file.facts.definition(def).function.is_some()) {
            return types;
        }
        let member = self.ask(TypeQuestion::Member(owner, name));
        if member == Types::TOP {
            return Types::TOP;
        }
        for ty in self.lattice.members(member).to_vec() {
            let bound = self.bind(ty, owner, receiver, access, &substitution);
            types = self.lattice.join(types, bound);
        }
        types
    }

    /// Binds a method to what it was read through.
    fn bind(&mut self, ty: Ty, owner: ClassRef, receiver: Types, access: Access, substitution: &Substitution) -> Types {
        let one = self.lattice.one(ty);
        let Ty::Function(function, env) = ty else { return self.substitute(one, substitution) };
        let Some(file) = self.file(function.file) else { return one };
        let data = file.facts.function(function.function);
        let flags = data.definition.map(|def| file.facts.definition(def).flags).unwrap_or_default();
        let of_class = data.this_class.is_some_and(|class| {
            let def = file.facts.definition(file.facts.class(class).definition).symbol;
            ClassRef { file: function.file, def } == owner
        });
        let env = self.substituted_env(env, substitution);
        if flags.has(Flags::STATIC) || !of_class && data.receiver == Receiver::None {
            let mut entries = self.lattice.entries(env).to_vec();
            entries.extend(substitution.entries.iter().copied());
            let env = self.lattice.env(entries);
            return self.lattice.one(Ty::Function(function, env));
        }
        match (data.receiver, access) {
            (Receiver::ClassParameter, _) | (_, Access::Instance) => {
                self.lattice.one(Ty::Bound(function, env, receiver))
            }
            (_, Access::Class) => self.lattice.one(Ty::Function(function, env)),
        }
    }

    /// What the variables of `owner` are for a receiver of `class<arguments>`.
    pub(super) fn member_substitution(
        &mut self,
        class: ClassRef,
        arguments: List,
        owner: ClassRef,
        receiver: Types,
    ) -> Substitution {
        let mut substitution = self.class_substitution(class, arguments);
        if owner != class && !self.class_vars(owner).is_empty() {
            let seen = self.ask(TypeQuestion::Super(class, owner));
            let seen = self.substitute(seen, &substitution);
            let list = self.lattice.members(seen).iter().find_map(|ty| match *ty {
                Ty::Instance(found, list) if found == owner => Some(list),
                _ => None,
            });
            substitution = self.class_substitution(owner, list.unwrap_or(List::EMPTY));
        }
        substitution.this = Some(receiver);
        substitution
    }

    fn super_member(&mut self, after: ClassRef, receiver: Types, name: Sym, outcome: &mut Outcome) -> Types {
        let mut joined = Types::NEVER;
        for ty in self.lattice.members(receiver).to_vec() {
            let (class, arguments, access) = match ty {
                Ty::Instance(class, arguments) => (class, arguments, Access::Instance),
                Ty::Class(class, arguments) => (class, arguments, Access::Class),
                Ty::Var(Var::This(class)) => (class, self.own_arguments(class), Access::Instance),
                Ty::ClassOfVar(Var::This(class)) => (class, self.own_arguments(class), Access::Class),
                _ => continue,
            };
            // `super()` in a class body sees what follows that class for its own instances: a subclass that we cannot
            // know may put others between.
            let class = if self.order(class).classes.contains(&after) { class } else { after };
            let instance = match access {
                Access::Instance => self.lattice.one(ty),
                Access::Class => self.to_instances_of(ty),
            };
            let part = self.class_member(class, arguments, instance, name, access, Some(after), outcome);
            joined = self.lattice.join(joined, part);
        }
        joined
    }

    fn to_instances_of(&mut self, ty: Ty) -> Types {
        let one = self.lattice.one(ty);
        self.to_instances(one)
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
        let wholes: Vec<ExprId> = super::meanings::whole_exports(&file.facts).collect();
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

    /// What a member of a class is, as the class itself declares it.
    pub(super) fn compute_member(&mut self, class: ClassRef, name: Sym) -> Types {
        let Some(file) = self.file(class.file) else { return Types::UNKNOWN };
        let Some(declared) = self.declared(class, name) else { return Types::UNKNOWN };
        let mut types = Types::NEVER;
        let has_function = |def: &DefId| file.facts.definition(*def).function.is_some();
        if declared.definitions.iter().any(has_function) {
            types = self.functions_value(file, &declared.definitions);
        }
        for &def in &declared.definitions {
            let definition = file.facts.definition(def);
            if definition.class.is_some() {
                let symbol = ClassRef { file: class.file, def: definition.symbol };
                let value = self.lattice.one(Ty::Class(symbol, List::EMPTY));
                types = self.lattice.join(types, value);
            }
        }
        let fields = self.fields_value(file, class, &declared);
        types = self.lattice.join(types, fields);
        if types == Types::NEVER && declared.fields.is_empty() { Types::UNKNOWN } else { types }
    }

    fn fields_value(&mut self, file: &File, class: ClassRef, declared: &Declared) -> Types {
        let member = |&(id, at): &(ClassId, u32)| &file.facts.class(id).members[at as usize];
        let annotated: Vec<FormId> = declared.fields.iter().filter_map(|field| member(field).annotation).collect();
        let mut types = Types::NEVER;
        if !annotated.is_empty() {
            for form in annotated {
                let declared = self.form(file.id, form);
                types = self.lattice.join(types, declared);
            }
            // `x: ClassVar = …`, `x: Final = …`: the value says more.
            if !self.lattice.is_open(types) {
                return self.with_self(types, class);
            }
        }
        if types == Types::NEVER
            && let Some(types) = declared.symbol.and_then(|symbol| self.stub_variable(file, symbol))
        {
            return self.with_self(types, class);
        }
        for field in &declared.fields {
            let member = member(field);
            match member.value {
                Some(value) => {
                    let value = self.expr(file.id, value);
                    types = self.lattice.join(types, value);
                }
                None if member.annotation.is_none() && declared.fields.len() == 1 => {
                    types = self.lattice.join(types, Types::UNKNOWN);
                }
                None => {}
            }
        }
        self.close_parameters(types)
    }
}

/// Through what a member is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Instance,
    Class,
}
