//! Calls: what they give.

use super::engine::{Engine, TypeQuestion};
use super::project::File;
use super::reads::LeafId;
use super::substitution::Substitution;
use super::value::*;
use crate::facts::*;

/// The value of an argument, evaluated only when somebody needs it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ArgumentValue {
    Expr(FileId, ExprId, LeafId),
    Types(Types),
}

/// One argument of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Positional(ArgumentValue),
    Keyword(Sym, ArgumentValue),
    Spread,
    SpreadKeywords,
}

/// What a call is given.
#[derive(Clone, Default, Debug)]
pub(super) struct Arguments {
    pub list: Vec<Argument>,
}

impl Engine<'_> {
    /// The arguments of a call expression, for the present group.
    pub(super) fn arguments(&mut self, file: &File, call: &CallExpr) -> Arguments {
        let group = self.group;
        let list = file
            .facts
            .run(call.arguments)
            .iter()
            .map(|argument| {
                let value = ArgumentValue::Expr(file.id, argument.value, group);
                match argument.kind {
                    ArgumentKind::Positional => Argument::Positional(value),
                    ArgumentKind::Keyword(name) => Argument::Keyword(file.sym(name), value),
                    ArgumentKind::Spread => Argument::Spread,
                    ArgumentKind::SpreadKeywords => Argument::SpreadKeywords,
                }
            })
            .collect();
        Arguments { list }
    }

    /// What an argument can be.
    pub(super) fn value(&mut self, value: ArgumentValue) -> Types {
        match value {
            ArgumentValue::Expr(file, expr, group) => self.within(group, |engine| engine.expr(file, expr)),
            ArgumentValue::Types(types) => types,
        }
    }

    /// A value where a type is wanted: a list written in place is a tuple where one is.
    pub(super) fn value_for(&mut self, value: ArgumentValue, wanted: Types) -> Types {
        if wanted != Types::TOP
            && self.lattice.members(wanted).iter().any(|ty| matches!(ty, Ty::Tuple(_)))
            && let ArgumentValue::Expr(id, expr, group) = value
            && let Some(file) = self.file(id)
            && let Expr::List(Collection::List, items) = file.facts.expr(expr)
            && !file.facts.run(*items).iter().any(|&item| matches!(file.facts.expr(item), Expr::Spread(_)))
        {
            let items = file.facts.run(*items);
            let items: Vec<Types> =
                items.iter().map(|&item| self.value(ArgumentValue::Expr(id, item, group))).collect();
            let list = self.lattice.list(&items);
            return self.lattice.one(Ty::Tuple(list));
        }
        self.value(value)
    }

    /// What a call expression gives.
    pub(super) fn call_expr(&mut self, file: &File, call: &CallExpr) -> Types {
        if let Some(types) = self.requested_fixture(file, call) {
            return types;
        }
        let callee = self.expr(file.id, call.callee);
        let arguments = self.arguments(file, call);
        if matches!(call.form, CallForm::Jsx | CallForm::Super) {
            return Types::EXTERNAL;
        }
        if let Some(types) = self.call_special(file, callee, call) {
            return types;
        }
        let explicit: Vec<Types> =
            file.facts.run(call.type_arguments).iter().map(|&form| self.form(file.id, form)).collect();
        self.call_with(callee, &arguments, &explicit, call.form == CallForm::New)
    }

    /// What a call of these values gives.
    pub(super) fn call(&mut self, callee: Types, arguments: &Arguments) -> Types {
        self.call_with(callee, arguments, &[], false)
    }

    fn call_with(&mut self, callee: Types, arguments: &Arguments, explicit: &[Types], new: bool) -> Types {
        if callee == Types::TOP {
            return Types::TOP;
        }
        let callees = self.overload(callee, arguments);
        let mut result = Types::NEVER;
        for ty in callees {
            let part = self.call_one(ty, arguments, explicit, new);
            result = self.lattice.join(result, part);
        }
        result
    }

    /// How many parameters a receiver takes up.
    pub(super) fn receiver_parameters(&self, function: FunctionRef) -> u32 {
        let receiver = self.file(function.file).map(|file| file.facts.function(function.function).receiver);
        u32::from(matches!(receiver, Some(Receiver::InstanceParameter | Receiver::ClassParameter)))
    }

    fn call_one(&mut self, ty: Ty, arguments: &Arguments, explicit: &[Types], new: bool) -> Types {
        match ty {
            Ty::Function(function, env) => {
                if new {
                    return self.new_of_function(function);
                }
                self.call_function(function, env, None, arguments, explicit)
            }
            Ty::Bound(function, env, receiver) => {
                self.call_function(function, env, Some(receiver), arguments, explicit)
            }
            Ty::Class(class, list) => self.construct(class, list, arguments, explicit),
            Ty::ClassOfVar(var) => self.lattice.one(Ty::Var(var)),
            Ty::Instance(class, list) => self.call_instance(class, list, arguments, new),
            Ty::Var(Var::Parameter(function, index)) => self.lattice.one(Ty::Var(Var::Result(function, index))),
            Ty::External | Ty::Special(_) => Types::EXTERNAL,
            Ty::None => Types::NEVER,
            Ty::Var(Var::This(class)) => {
                let list = self.own_arguments(class);
                self.call_instance(class, list, arguments, new)
            }
            Ty::Unknown
            | Ty::Var(_)
            | Ty::Module(_)
            | Ty::Namespace(_)
            | Ty::Object(..)
            | Ty::Tuple(_)
            | Ty::Text(_)
            | Ty::Super(..) => Types::UNKNOWN,
        }
    }

    /// `new f()` of a function that has members of its own: an instance of what it constructs.
    fn new_of_function(&mut self, function: FunctionRef) -> Types {
        let Some(file) = self.file(function.file) else { return Types::UNKNOWN };
        let Some(def) = file.facts.function(function.function).definition else { return Types::UNKNOWN };
        let class = ClassRef { file: function.file, def: file.facts.definition(def).symbol };
        if self.members(class).is_empty() {
            return Types::UNKNOWN;
        }
        self.lattice.one(Ty::Instance(class, List::EMPTY))
    }

    fn call_instance(&mut self, class: ClassRef, list: List, arguments: &Arguments, new: bool) -> Types {
        let Some(file) = self.file(class.file) else { return Types::UNKNOWN };
        let signatures = if new { self.construct_signatures(class) } else { self.call_signatures(class) };
        if !signatures.is_empty() {
            let receiver = self.lattice.one(Ty::Instance(class, list));
            let members: Vec<Ty> = signatures.into_iter().map(|f| Ty::Function(f, Env::EMPTY)).collect();
            let fitting = members.iter().copied().find(|&ty| self.takes(ty, arguments)).or(members.first().copied());
            let Some(Ty::Function(function, env)) = fitting else { return Types::UNKNOWN };
            let owner = self.signature_owner(function).unwrap_or(class);
            let result = self.call_function(function, env, None, arguments, &[]);
            let substitution = self.member_substitution(class, list, owner, receiver);
            return self.substitute(result, &substitution);
        }
        if let Some(member) = self.rules(file).semantics().call_member {
            let name = self.sym_of(member);
            let receiver = self.lattice.one(Ty::Instance(class, list));
            let outcome = self.read_attribute(receiver, name);
            if outcome.missing.is_empty() {
                return self.call(outcome.types, arguments);
            }
            return Types::UNKNOWN;
        }
        if self.project.is_external(class.file) { Types::EXTERNAL } else { Types::UNKNOWN }
    }

    /// An instance of a class, its type arguments inferred from what the constructor is given.
    fn construct(&mut self, class: ClassRef, list: List, arguments: &Arguments, explicit: &[Types]) -> Types {
        if !explicit.is_empty() {
            let list = self.lattice.list(explicit);
            return self.lattice.one(Ty::Instance(class, list));
        }
        if list != List::EMPTY {
            return self.lattice.one(Ty::Instance(class, list));
        }
        if let Some(made) = self.made_otherwise(class) {
            return made;
        }
        let vars = self.class_vars(class);
        if vars.is_empty() {
            return self.lattice.one(Ty::Instance(class, List::EMPTY));
        }
        let mut substitution = Substitution::default();
        if let Some((owner, constructor)) = self.constructor(class) {
            let seen = self.ask(TypeQuestion::Super(class, owner));
            let owner_arguments = self.lattice.members(seen).iter().find_map(|ty| match *ty {
                Ty::Instance(found, list) if found == owner => Some(list),
                _ => None,
            });
            let mut pattern = self.class_substitution(owner, owner_arguments.unwrap_or(List::EMPTY));
            pattern.this = None;
            let functions: Vec<Ty> = constructor.iter().map(|&f| Ty::Bound(f, Env::EMPTY, Types::UNKNOWN)).collect();
            let fitting = functions.iter().copied().find(|&ty| self.takes(ty, arguments));
            if let Some(Ty::Bound(function, ..)) = fitting.or(functions.first().copied()) {
                self.infer_arguments(function, true, arguments, &mut substitution, Some(&pattern));
            }
        }
        for &var in &vars {
            if substitution.get(var).is_none() {
                let types = self.var_default(var, true);
                let types = self.substitute(types, &substitution);
                substitution.set(var, types);
            }
        }
        let items: Vec<Types> = vars.iter().map(|&var| substitution.get(var).unwrap_or(Types::UNKNOWN)).collect();
        let list = self.lattice.list(&items);
        self.lattice.one(Ty::Instance(class, list))
    }

    /// What a class of the project makes, where it says itself that this may be something else than an instance of it
    /// (<https://docs.python.org/3/reference/datamodel.html#object.__new__>).
    fn made_otherwise(&mut self, class: ClassRef) -> Option<Types> {
        let order = self.order(class);
        let makes = |owner: &&ClassRef| {
            self.file(owner.file).is_some_and(|file| {
                let is_maker = |def: DefId| file.facts.definition(def).flags.has(Flags::OWN_MAKER);
                !file.external && file.definitions(owner.def).into_iter().any(is_maker)
            })
        };
        let owner = *order.classes.iter().find(makes)?;
        let file = self.file(owner.file)?;
        let maker = self.sym_of(self.rules(file).semantics().maker?);
        let declared = self.declared(owner, maker)?;
        let functions = declared.definitions.iter().filter_map(|&def| file.facts.definition(def).function);
        let results: Vec<Types> = functions
            .map(|function| self.ask(TypeQuestion::Result(FunctionRef { file: owner.file, function })))
            .collect();
        let result = self.lattice.join_all(results);
        let result = self.close_parameters(result);
        let this = self.lattice.one(Ty::Instance(class, List::EMPTY));
        let result = self.substitute(result, &Substitution { this: Some(this), ..Substitution::default() });
        // A function that returns nothing only declares.
        let says_nothing = result == Types::NONE || self.lattice.members(result).contains(&Ty::External);
        if says_nothing || self.lattice.is_open(result) {
            return None;
        }
        // What is made as an instance of a base (`object.__new__(cls)`) is one of the class.
        let made = self.map(result, |engine, ty| match ty {
            Ty::Instance(made, _) if engine.derives(class, made) => Ty::Instance(class, List::EMPTY),
            other => other,
        });
        (made != this).then_some(made)
    }

    /// The constructor of a class and the class that declares it.
    pub(super) fn constructor(&mut self, class: ClassRef) -> Option<(ClassRef, Vec<FunctionRef>)> {
        let file = self.file(class.file)?;
        let names: Vec<Sym> = self.rules(file).semantics().constructors.iter().map(|name| self.sym_of(name)).collect();
        let order = self.order(class);
        // As with other members, the class's own reads those of the classes behind it.
        let group = self.member_group(file, class.def, *names.first()?);
        self.within(group, |engine| {
            let places = order.classes.iter().flat_map(|&owner| names.iter().map(move |&name| (owner, name)));
            for (owner, name) in places {
                let Some(declared) = engine.declared(owner, name) else { continue };
                let file = engine.file(owner.file)?;
                let functions = declared.definitions.iter().filter_map(|&def| file.facts.definition(def).function);
                let functions: Vec<FunctionRef> =
                    functions.map(|function| FunctionRef { file: owner.file, function }).collect();
                if !functions.is_empty() {
                    return Some((owner, functions));
                }
            }
            None
        })
    }

    fn call_function(
        &mut self,
        function: FunctionRef,
        env: Env,
        receiver: Option<Types>,
        arguments: &Arguments,
        explicit: &[Types],
    ) -> Types {
        let result = self.ask(TypeQuestion::Result(function));
        if !self.lattice.has_vars(result) {
            return result;
        }
        let mut substitution = self.env_substitution(env);
        self.receiver_substitution(function, receiver, &mut substitution);
        self.infer_receiver(function, receiver, &mut substitution);
        for (at, &types) in explicit.iter().enumerate() {
            substitution.set(Var::Function(function, at as u32), types);
        }
        self.infer_arguments(function, receiver.is_some(), arguments, &mut substitution, None);
        substitution.closed.push(function);
        self.add_defaults(function, &mut substitution);
        self.substitute(result, &substitution)
    }
}
