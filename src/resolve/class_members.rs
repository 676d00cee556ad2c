//! Members of classes: found through the method resolution order, and bound to what they are read through.

use std::rc::Rc;

use super::classes::{Declared, Order};
use super::engine::{Engine, TypeQuestion};
use super::members::{Outcome, Owner};
use super::project::File;
use super::substitution::Substitution;
use super::value::*;
use crate::facts::*;

/// Through what a member is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Instance,
    Class,
}

impl Engine<'_> {
    /// A class's own type variables, as arguments of it.
    pub(super) fn own_arguments(&mut self, class: ClassRef) -> List {
        let vars = self.class_vars(class);
        let arguments: Vec<Types> = vars.into_iter().map(|var| self.lattice.one(Ty::Var(var))).collect();
        self.lattice.list(&arguments)
    }

    /// Walks the method resolution order for a member; `after` leaves out everything up to a class (`super()`).
    #[allow(clippy::too_many_arguments, reason = "each is a part of the one question")]
    pub(super) fn class_member(
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

    /// A member that `super()` in a class gives a receiver: one that stands behind the class in the receiver's order.
    pub(super) fn super_member(&mut self, after: ClassRef, receiver: Types, name: Sym, outcome: &mut Outcome) -> Types {
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

    /// The values that are assigned to a field of a class, by the class itself.
    pub(super) fn assigned_values(&mut self, file: &File, class: ClassRef, name: Sym) -> Vec<ExprId> {
        let Some(declared) = self.declared(class, name) else { return Vec::new() };
        declared.fields.iter().filter_map(|&(class, at)| file.facts.class(class).members[at as usize].value).collect()
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
