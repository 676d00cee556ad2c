//! Calls: what they give, with type variables substituted from what they are given.

use super::classes::Substitution;
use super::engine::{Engine, Question};
use super::forms::SELF;
use super::project::File;
use super::reads::LeafId;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

/// Longest chain of calls through parameters that is followed (`f(x)` where `f` is what somebody was given).
const MAX_SYMBOLIC_DEPTH: u32 = 8;

/// The value of an argument, evaluated only when somebody needs it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ArgumentValue {
    Expr(FileId, ExprId, LeafId),
    Types(Types),
}

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
        let list = call
            .arguments
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

    fn value(&mut self, value: ArgumentValue) -> Types {
        match value {
            ArgumentValue::Expr(file, expr, group) => self.within(group, |engine| engine.expr(file, expr)),
            ArgumentValue::Types(types) => types,
        }
    }

    pub(super) fn call_expr(&mut self, file: &File, call: &CallExpr) -> Types {
        let callee = self.expr(file.id, call.callee);
        let arguments = self.arguments(file, call);
        if matches!(call.form, CallForm::Jsx | CallForm::Super) {
            return Types::EXTERNAL;
        }
        if let Some(types) = self.call_special(file, callee, call) {
            return types;
        }
        let explicit: Vec<Types> = call.type_arguments.iter().map(|&form| self.form(file.id, form)).collect();
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

    /// Of several overloads of one function, the first that takes this number of arguments; other members stay.
    fn overload(&mut self, callee: Types, arguments: &Arguments) -> Vec<Ty> {
        let members: Vec<Ty> = self.lattice.members(callee).to_vec();
        let symbol = |engine: &Self, ty: Ty| -> Option<(FileId, DefId)> {
            let (Ty::Function(function, _) | Ty::Bound(function, ..)) = ty else { return None };
            let file = engine.file(function.file)?;
            let def = file.facts.function(function.function).definition?;
            let definition = file.facts.definition(def);
            let overloaded = definition.flags.has(Flags::OVERLOAD) || file.definitions(definition.symbol).len() > 1;
            overloaded.then_some((function.file, definition.symbol))
        };
        let mut chosen: Vec<(FileId, DefId)> = Vec::new();
        let mut kept = Vec::new();
        for &ty in &members {
            let Some(of) = symbol(self, ty) else {
                kept.push(ty);
                continue;
            };
            if chosen.contains(&of) {
                continue;
            }
            let siblings: Vec<Ty> = members.iter().copied().filter(|&other| symbol(self, other) == Some(of)).collect();
            chosen.push(of);
            if siblings.len() == 1 {
                kept.push(ty);
                continue;
            }
            let fitting: Vec<Ty> = siblings.iter().copied().filter(|&ty| self.takes(ty, arguments)).collect();
            match fitting.first() {
                Some(&first) => kept.push(first),
                None => kept.extend(siblings),
            }
        }
        kept
    }

    /// Whether a function takes these arguments, by number, by keyword and, where both are known, by type.
    fn takes(&mut self, ty: Ty, arguments: &Arguments) -> bool {
        let (Ty::Function(function, _) | Ty::Bound(function, ..)) = ty else { return true };
        let Some(file) = self.file(function.file) else { return true };
        self.read_function(file, function.function);
        let data = file.facts.function(function.function);
        let skip = if matches!(ty, Ty::Bound(..)) { self.receiver_parameters(function) as usize } else { 0 };
        let parameters = &data.parameters[skip.min(data.parameters.len())..];
        if arguments.list.iter().any(|argument| matches!(argument, Argument::Spread | Argument::SpreadKeywords)) {
            return true;
        }
        let mut given = vec![None; parameters.len()];
        for (at, argument) in arguments.list.iter().enumerate() {
            let (slot, value) = match argument {
                Argument::Positional(value) => {
                    let rest = parameters.iter().position(|p| p.kind == ParameterKind::Rest);
                    let takes = |p: &Parameter| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Plain);
                    match parameters.get(at).filter(|p| takes(p)) {
                        Some(_) => (Some(at), *value),
                        None => (rest, *value),
                    }
                }
                Argument::Keyword(name, value) => {
                    let named = parameters.iter().position(|p| file.sym(p.name) == *name);
                    let rest = parameters.iter().position(|p| p.kind == ParameterKind::RestKeywords);
                    (named.or(rest), *value)
                }
                _ => continue,
            };
            match slot {
                Some(slot) => given[slot] = Some(value),
                None => return false,
            }
        }
        for (at, parameter) in parameters.iter().enumerate() {
            let rest = matches!(parameter.kind, ParameterKind::Rest | ParameterKind::RestKeywords);
            match given[at] {
                None if !rest && parameter.default.is_none() && !parameter.optional => return false,
                Some(value) if !rest && parameter.annotation.is_some() => {
                    let wanted = self.ask(Question::Parameter(function, (at + skip) as u32));
                    let actual = self.value(value);
                    if !self.could_be(actual, wanted) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// Whether a value could be one of these types, as far as heads tell.
    fn could_be(&mut self, actual: Types, wanted: Types) -> bool {
        if actual == Types::TOP || wanted == Types::TOP || actual == Types::NEVER {
            return true;
        }
        let wanted: Vec<Ty> = self.lattice.members(wanted).to_vec();
        self.lattice.members(actual).to_vec().into_iter().any(|actual| {
            wanted.iter().any(|&wanted| match (actual, wanted) {
                (Ty::Instance(found, _), Ty::Instance(class, _)) => {
                    let order = self.order(found);
                    order.open
                        || order.external
                        || order.classes.contains(&class)
                        || self.is_structural(class)
                        || self.has_all_members(&order.classes, class)
                }
                (Ty::Text(x), Ty::Text(y)) => x == y,
                (Ty::Text(_), Ty::Instance(class, _)) => {
                    let Some(file) = self.file(class.file) else { return true };
                    let text = self.rules(file).semantics().text;
                    let text = self.library_class(file.language, text);
                    text.is_some_and(|text| self.derives(text, class))
                }
                (Ty::Instance(found, _), Ty::Text(_)) => {
                    let Some(file) = self.file(found.file) else { return true };
                    let text = self.rules(file).semantics().text;
                    self.library_class(file.language, text) == Some(found)
                }
                (Ty::None, Ty::None) => true,
                (Ty::None, Ty::Instance(..) | Ty::Text(_) | Ty::Function(..) | Ty::Tuple(_)) => false,
                (Ty::Instance(found, _), Ty::Function(..)) => {
                    self.project.is_external(found.file) || self.is_structural(found)
                }
                (Ty::Instance(..) | Ty::Text(_), Ty::None) => false,
                (Ty::Text(_), Ty::Function(..) | Ty::Tuple(_)) => false,
                (Ty::Function(given, _) | Ty::Bound(given, ..), Ty::Function(wanted, _)) => {
                    !self.is_guard(wanted) || self.is_guard(given)
                }
                (Ty::Class(..) | Ty::Function(..) | Ty::Bound(..), Ty::Text(_) | Ty::None | Ty::Tuple(_)) => false,
                (Ty::Function(..) | Ty::Bound(..), Ty::Instance(class, _)) => {
                    let Some(file) = self.file(class.file) else { return true };
                    let semantics = self.rules(file).semantics();
                    ![semantics.text, semantics.integer, semantics.float, semantics.boolean, semantics.list]
                        .into_iter()
                        .any(|name| self.library_class(file.language, name) == Some(class))
                }
                _ => true,
            })
        })
    }

    /// Whether a call that is true narrows an argument.
    fn is_guard(&self, function: FunctionRef) -> bool {
        self.file(function.file).is_some_and(|file| file.facts.function(function.function).guard.is_some())
    }

    fn is_structural(&self, class: ClassRef) -> bool {
        self.file(class.file).is_none_or(|file| file.facts.definition(class.def).flags.has(Flags::INTERFACE))
    }

    /// Whether classes have whatever a class of the library declares: such a class may be meant as a protocol
    /// (`Iterable`).
    fn has_all_members(&mut self, classes: &[ClassRef], class: ClassRef) -> bool {
        self.project.is_external(class.file) && {
            let wanted = self.members(class);
            wanted.keys().all(|&name| classes.iter().any(|&owner| self.declared(owner, name).is_some()))
        }
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

    fn signature_owner(&self, function: FunctionRef) -> Option<ClassRef> {
        let file = self.file(function.file)?;
        let class = file.facts.function(function.function).this_class?;
        let def = file.facts.definition(file.facts.class(class).definition).symbol;
        Some(ClassRef { file: function.file, def })
    }

    /// The call signatures of an interface, own and inherited.
    pub(super) fn call_signatures(&mut self, class: ClassRef) -> Vec<FunctionRef> {
        self.signatures(class, |class| &class.calls)
    }

    fn construct_signatures(&mut self, class: ClassRef) -> Vec<FunctionRef> {
        self.signatures(class, |class| &class.constructs)
    }

    fn signatures(&mut self, class: ClassRef, of: fn(&Class) -> &Vec<FunctionId>) -> Vec<FunctionRef> {
        let order = self.order(class);
        for owner in &order.classes {
            let Some(file) = self.file(owner.file) else { continue };
            let mut found = Vec::new();
            for def in file.definitions(owner.def) {
                if let Some(class) = file.facts.definition(def).class {
                    let functions = of(file.facts.class(class)).iter();
                    found.extend(functions.map(|&function| FunctionRef { file: owner.file, function }));
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
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
        let vars = self.class_vars(class);
        if vars.is_empty() {
            return self.lattice.one(Ty::Instance(class, List::EMPTY));
        }
        let mut substitution = Substitution::default();
        if let Some((owner, constructor)) = self.constructor(class) {
            let seen = self.ask(Question::Super(class, owner));
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

    /// The constructor of a class and the class that declares it.
    pub(super) fn constructor(&mut self, class: ClassRef) -> Option<(ClassRef, Vec<FunctionRef>)> {
        let file = self.file(class.file)?;
        let names = self.rules(file).semantics().constructors;
        let order = self.order(class);
        for &owner in &order.classes {
            for name in names {
                let Some(declared) = self.declared(owner, Sym::of(name)) else { continue };
                let file = self.file(owner.file)?;
                let functions: Vec<FunctionRef> = declared
                    .definitions
                    .iter()
                    .filter_map(|&def| file.facts.definition(def).function)
                    .map(|function| FunctionRef { file: owner.file, function })
                    .collect();
                if !functions.is_empty() {
                    return Some((owner, functions));
                }
            }
        }
        None
    }

    fn call_function(
        &mut self,
        function: FunctionRef,
        env: Env,
        receiver: Option<Types>,
        arguments: &Arguments,
        explicit: &[Types],
    ) -> Types {
        let result = self.ask(Question::Result(function));
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

    /// Variables that no argument tells of are their default, else their bound.
    fn add_defaults(&mut self, function: FunctionRef, into: &mut Substitution) {
        let Some(file) = self.file(function.file) else { return };
        for at in 0..file.facts.function(function.function).type_parameters.len() {
            let var = Var::Function(function, at as u32);
            if into.get(var).is_none() {
                let types = self.var_default(var, true);
                let types = self.substitute(types, into);
                into.set(var, types);
            }
        }
    }

    /// Adds what the variables of the receiver's class are.
    fn receiver_substitution(&mut self, function: FunctionRef, receiver: Option<Types>, into: &mut Substitution) {
        let Some(receiver) = receiver else { return };
        into.this = Some(receiver);
        let Some(owner) = self.signature_owner(function) else { return };
        if receiver == Types::TOP {
            return;
        }
        for ty in self.lattice.members(receiver).to_vec() {
            let (class, arguments) = match ty {
                Ty::Instance(class, arguments) | Ty::Class(class, arguments) => (class, arguments),
                // What the bases of the class around say of their variables.
                Ty::Var(Var::This(class)) | Ty::ClassOfVar(Var::This(class)) if class != owner => {
                    (class, self.own_arguments(class))
                }
                Ty::Tuple(items) => {
                    let items = self.lattice.items(items).to_vec();
                    let element = self.lattice.join_all(items);
                    (owner, self.lattice.list(&[element]))
                }
                _ => continue,
            };
            if !self.derives(class, owner) {
                continue;
            }
            let one = self.lattice.one(ty);
            let part = self.member_substitution(class, arguments, owner, one);
            for (var, types) in part.entries {
                let joined = match into.get(var) {
                    Some(known) => self.lattice.join(known, types),
                    None => types,
                };
                into.set(var, joined);
            }
        }
    }

    /// `def __enter__(self: T) -> T`: an annotated receiver binds variables like any other argument.
    fn infer_receiver(&mut self, function: FunctionRef, receiver: Option<Types>, into: &mut Substitution) {
        let Some(receiver) = receiver else { return };
        let Some(file) = self.file(function.file) else { return };
        let data = file.facts.function(function.function);
        let annotated = data.parameters.first().is_some_and(|parameter| parameter.annotation.is_some());
        let actual = match data.receiver {
            Receiver::InstanceParameter if annotated => receiver,
            Receiver::ClassParameter if annotated => self.to_classes(receiver),
            _ => return,
        };
        let wanted = self.ask(Question::Parameter(function, 0));
        self.infer(wanted, actual, into, 0);
    }

    /// Binds the variables of a function's parameters to what a call gives them.
    fn infer_arguments(
        &mut self,
        function: FunctionRef,
        bound: bool,
        arguments: &Arguments,
        into: &mut Substitution,
        pattern: Option<&Substitution>,
    ) {
        let Some(file) = self.file(function.file) else { return };
        self.read_function(file, function.function);
        let parameters = &file.facts.function(function.function).parameters;
        let skip = if bound { self.receiver_parameters(function) as usize } else { 0 };
        let mut filled = vec![false; parameters.len()];
        let mut position = skip;
        let mut functions = Vec::new();
        for argument in &arguments.list {
            let (at, value) = match *argument {
                Argument::Positional(value) => {
                    let at = position.min(parameters.len());
                    let is_rest = parameters.get(at).is_some_and(|p| p.kind == ParameterKind::Rest);
                    if !is_rest {
                        position += 1;
                    }
                    (at, value)
                }
                Argument::Keyword(name, value) => {
                    match parameters.iter().position(|parameter| file.sym(parameter.name) == name) {
                        Some(at) => (at, value),
                        None => continue,
                    }
                }
                Argument::Spread | Argument::SpreadKeywords => continue,
            };
            let Some(parameter) = parameters.get(at) else { continue };
            filled[at] = true;
            // Functions come last: what their parameters are may rest on the other arguments.
            if let ArgumentValue::Expr(id, expr, _) = value
                && let Some(other) = self.file(id)
                && matches!(other.facts.expr(expr), Expr::Function(_))
            {
                functions.push((at, value));
                continue;
            }
            self.infer_argument(function, at, parameter, value, into, pattern);
        }
        for (at, value) in functions {
            self.infer_argument(function, at, &parameters[at], value, into, pattern);
        }
        for (at, parameter) in parameters.iter().enumerate().skip(skip) {
            let var = Var::Parameter(function, at as u32);
            if !filled[at]
                && parameter.annotation.is_none()
                && let Some(default) = parameter.default
            {
                let group = self.function_group(file, function.function);
                let types = self.within(group, |engine| engine.expr(function.file, default));
                into.set(var, types);
            }
        }
    }

    fn infer_argument(
        &mut self,
        function: FunctionRef,
        at: usize,
        parameter: &Parameter,
        value: ArgumentValue,
        into: &mut Substitution,
        pattern: Option<&Substitution>,
    ) {
        let mut wanted = self.ask(Question::Parameter(function, at as u32));
        if !self.lattice.has_vars(wanted) {
            return;
        }
        if let Some(pattern) = pattern {
            wanted = self.substitute(wanted, pattern);
        }
        let mut actual = self.value(value);
        if parameter.kind == ParameterKind::Rest {
            wanted = self.element(wanted);
        }
        let wide = self.lattice.members(wanted).iter().any(|ty| matches!(ty, Ty::Instance(..)));
        if wide {
            actual = self.widened(actual);
        }
        self.infer(wanted, actual, into, 0);
    }

    /// Finds what variables of `wanted` must be for `actual` to fit.
    pub(super) fn infer(&mut self, wanted: Types, actual: Types, into: &mut Substitution, depth: u32) {
        if depth > u32::from(MAX_DEPTH) || !self.lattice.has_vars(wanted) || wanted == Types::TOP {
            return;
        }
        let pattern: Vec<Ty> = self.lattice.members(wanted).to_vec();
        let mut rest = actual;
        if pattern.contains(&Ty::None) {
            rest = self.without_none(rest);
        }
        for ty in pattern {
            match ty {
                Ty::Var(var) if var != SELF => {
                    let types = match into.get(var) {
                        Some(known) => self.lattice.join(known, rest),
                        None => rest,
                    };
                    into.set(var, types);
                }
                Ty::ClassOfVar(var) => {
                    let instances = if rest == Types::TOP { rest } else { self.to_instances(rest) };
                    let types = match into.get(var) {
                        Some(known) => self.lattice.join(known, instances),
                        None => instances,
                    };
                    into.set(var, types);
                }
                Ty::Instance(class, arguments) if rest != Types::TOP => {
                    self.infer_instance(class, arguments, rest, into, depth);
                }
                Ty::Tuple(items) if rest != Types::TOP => {
                    for actual in self.lattice.members(rest).to_vec() {
                        if let Ty::Tuple(others) = actual {
                            let items = self.lattice.items(items).to_vec();
                            let others = self.lattice.items(others).to_vec();
                            for (item, other) in items.into_iter().zip(others) {
                                self.infer(item, other, into, depth + 1);
                            }
                        }
                    }
                }
                Ty::Function(function, _) if rest != Types::TOP => {
                    let result = self.ask(Question::Result(function));
                    if self.lattice.has_vars(result) {
                        let given = self.given_to(function, into);
                        let actual = self.call(rest, &given);
                        self.infer(result, actual, into, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a function type will be called with, as far as its variables are known.
    fn given_to(&mut self, function: FunctionRef, known: &Substitution) -> Arguments {
        let Some(file) = self.file(function.file) else { return Arguments::default() };
        let count = file.facts.function(function.function).parameters.len();
        let list = (0..count)
            .map(|at| {
                let types = self.ask(Question::Parameter(function, at as u32));
                let types = self.substitute(types, known);
                Argument::Positional(ArgumentValue::Types(types))
            })
            .collect();
        Arguments { list }
    }

    fn infer_instance(&mut self, class: ClassRef, arguments: List, actual: Types, into: &mut Substitution, depth: u32) {
        let wanted = self.lattice.items(arguments).to_vec();
        if wanted.is_empty() {
            return;
        }
        for ty in self.lattice.members(actual).to_vec() {
            let items = match ty {
                Ty::Instance(found, list) if self.derives(found, class) => {
                    let receiver = self.lattice.one(ty);
                    let substitution = self.member_substitution(found, list, class, receiver);
                    substitution.entries.into_iter().map(|(_, types)| types).collect()
                }
                Ty::Tuple(items) => {
                    let items = self.lattice.items(items).to_vec();
                    vec![self.lattice.join_all(items)]
                }
                Ty::Class(of, list) if self.is_enum(of) => vec![self.lattice.one(Ty::Instance(of, list))],
                Ty::Instance(..) => match self.structural_arguments(class, ty) {
                    Some(items) => items,
                    None => continue,
                },
                Ty::Unknown | Ty::External => vec![self.lattice.one(ty); wanted.len()],
                _ => continue,
            };
            for (&wanted, actual) in wanted.iter().zip(items) {
                self.infer(wanted, actual, into, depth + 1);
            }
        }
    }

    /// A protocol of the library that the class fits without deriving from it (`Iterable`): its argument.
    fn structural_arguments(&mut self, class: ClassRef, ty: Ty) -> Option<Vec<Types>> {
        if !self.project.is_external(class.file) {
            return None;
        }
        let file = self.file(class.file)?;
        let first = self.rules(file).semantics().iterate.first()?;
        self.declared(class, Sym::of(first))?;
        let one = self.lattice.one(ty);
        let element = self.element(one);
        (!self.lattice.is_open(element)).then(|| vec![element])
    }

    // -------------------------------------------------------------------------------- results and parameters

    /// What a call of a function gives, in terms of its own variables.
    pub(super) fn compute_result(&mut self, function: FunctionRef) -> Types {
        let Some(file) = self.file(function.file) else { return Types::UNKNOWN };
        let data = file.facts.function(function.function);
        let mut result = match data.result {
            Some(form) => {
                let types = self.form(function.file, form);
                self.written_result(file, data, types)
            }
            None => self.inferred_result(file, data),
        };
        if let Some(class) = data.this_class {
            let def = file.facts.definition(file.facts.class(class).definition).symbol;
            result = self.with_self(result, ClassRef { file: function.file, def });
        }
        if self.has_decorator(file, data, Special::ContextManager) {
            let element = self.element(result);
            return self.library_instance(file.language, "contextlib._GeneratorContextManager", &[element]);
        }
        result
    }

    fn written_result(&mut self, file: &File, data: &Function, types: Types) -> Types {
        // `async def f() -> T` gives a coroutine of T; an asynchronous generator is annotated as what it is.
        if data.is_async && !data.is_generator && self.rules(file).semantics().exports_all {
            return self.promise(file, types);
        }
        types
    }

    fn inferred_result(&mut self, file: &File, data: &Function) -> Types {
        let semantics = self.rules(file).semantics();
        if data.is_generator {
            let yields: Vec<Types> = data.yields.iter().map(|&value| self.expr(file.id, value)).collect();
            let element = self.lattice.join_all(yields);
            let class = if data.is_async { semantics.async_generator } else { semantics.generator };
            return self.library_instance(file.language, class, &[element]);
        }
        let flags = data.definition.map(|def| file.facts.definition(def).flags).unwrap_or_default();
        if file.external && data.returns.is_empty() {
            return Types::EXTERNAL;
        }
        if (flags.has(Flags::OVERLOAD) || flags.has(Flags::ABSTRACT)) && data.returns.is_empty() {
            return Types::UNKNOWN;
        }
        let returns: Vec<Types> = data.returns.iter().map(|&value| self.expr(file.id, value)).collect();
        let mut types = if returns.is_empty() { Types::NONE } else { self.lattice.join_all(returns) };
        if data.is_async {
            types = self.promise(file, types);
        }
        types
    }

    /// Whether a function is decorated by something of this meaning.
    pub(super) fn has_decorator(&mut self, file: &File, data: &Function, special: Special) -> bool {
        let Some(def) = data.definition else { return false };
        file.facts.definition(def).decorators.iter().any(|&decorator| {
            let callee = match file.facts.expr(decorator) {
                Expr::Call(call) => call.callee,
                _ => decorator,
            };
            self.is_special(file, callee, special)
        })
    }

    /// Whether an expression names something of the library with this meaning.
    pub(super) fn is_special(&mut self, file: &File, expr: ExprId, special: Special) -> bool {
        self.expr_entities(file, expr).into_iter().any(|entity| match entity {
            super::entities::Entity::Definition(id, def) if self.project.is_external(id) => {
                self.file(id).is_some_and(|other| self.special(other, def) == Some(special))
            }
            _ => false,
        })
    }

    /// What a parameter can be inside its function.
    pub(super) fn compute_parameter(&mut self, function: FunctionRef, index: u32) -> Types {
        let Some(file) = self.file(function.file) else { return Types::UNKNOWN };
        let data = file.facts.function(function.function);
        let Some(parameter) = data.parameters.get(index as usize) else { return Types::UNKNOWN };
        let class = data.this_class.map(|class| ClassRef {
            file: function.file,
            def: file.facts.definition(file.facts.class(class).definition).symbol,
        });
        if let Some(form) = parameter.annotation {
            let mut types = self.form(function.file, form);
            if let Some(class) = class {
                types = self.with_self(types, class);
            }
            return self.collected(file, parameter, types);
        }
        if index == 0
            && let Some(class) = class
        {
            match data.receiver {
                Receiver::InstanceParameter => return self.lattice.one(Ty::Var(Var::This(class))),
                Receiver::ClassParameter => return self.lattice.one(Ty::ClassOfVar(Var::This(class))),
                Receiver::None | Receiver::This => {}
            }
        }
        if let Some(types) = self.contextual_parameter(file, data, index) {
            return types;
        }
        if let Some(types) = self.fixture_parameter(file, data, index) {
            return types;
        }
        if matches!(parameter.kind, ParameterKind::Rest | ParameterKind::RestKeywords) {
            return self.collected(file, parameter, Types::UNKNOWN);
        }
        let own = self.lattice.one(Ty::Var(Var::Parameter(function, index)));
        match parameter.default {
            Some(default) => {
                let default = self.expr(function.file, default);
                let default = self.without_none(default);
                let default = self.close_parameters(default);
                self.lattice.join(own, default)
            }
            None => own,
        }
    }

    /// `*args` and `**kwargs` collect what is annotated; a rest parameter of TypeScript is annotated as the array.
    fn collected(&mut self, file: &File, parameter: &Parameter, types: Types) -> Types {
        let semantics = self.rules(file).semantics();
        match parameter.kind {
            ParameterKind::Rest if semantics.exports_all || types == Types::UNKNOWN => {
                self.library_instance(file.language, semantics.tuple, &[types])
            }
            ParameterKind::RestKeywords => {
                let text = self.library_instance(file.language, semantics.text, &[]);
                self.library_instance(file.language, semantics.dict, &[text, types])
            }
            _ => types,
        }
    }

    /// A parameter typed from outside: by the form that the function stands under, or by the callee that it is given to.
    fn contextual_parameter(&mut self, file: &File, data: &Function, index: u32) -> Option<Types> {
        if let Some(form) = data.contextual {
            let types = self.form(file.id, form);
            return self.parameter_of(types, index, &Substitution::default());
        }
        let (call, argument) = data.argument_of?;
        let Expr::Call(call) = file.facts.expr(call) else { return None };
        let callee = self.expr(file.id, call.callee);
        if callee == Types::TOP {
            return None;
        }
        let arguments = self.arguments(file, call);
        let mut found: Option<Types> = None;
        for ty in self.overload(callee, &arguments) {
            let path = &data.argument_path;
            let Some(part) = self.argument_parameter(file, ty, call, &arguments, (argument, path), index) else {
                continue;
            };
            found = Some(match found {
                Some(known) => self.lattice.join(known, part),
                None => part,
            });
        }
        found
    }

    fn argument_parameter(
        &mut self,
        file: &File,
        callee: Ty,
        call: &CallExpr,
        arguments: &Arguments,
        (argument, path): (u32, &[Name]),
        index: u32,
    ) -> Option<Types> {
        let (function, receiver) = match callee {
            Ty::Function(function, _) => (function, None),
            Ty::Bound(function, _, receiver) => (function, Some(receiver)),
            Ty::Class(class, _) => {
                let (_, functions) = self.constructor(class)?;
                (*functions.first()?, Some(self.lattice.one(Ty::Instance(class, List::EMPTY))))
            }
            Ty::Instance(class, _) => (*self.call_signatures(class).first()?, None),
            _ => return None,
        };
        let other = self.file(function.file)?;
        let parameters = &other.facts.function(function.function).parameters;
        let skip = if receiver.is_some() { self.receiver_parameters(function) as usize } else { 0 };
        let given = call.arguments.get(argument as usize)?;
        let at = match given.kind {
            ArgumentKind::Keyword(name) => {
                let name = file.sym(name);
                let by_name = parameters.iter().position(|parameter| other.sym(parameter.name) == name);
                match (by_name, call.form) {
                    (Some(at), _) => at,
                    // The attributes of a JSX element are properties of the component's first parameter.
                    (None, CallForm::Jsx) => {
                        let props = self.ask(Question::Parameter(function, 0));
                        let mut handler = self.attribute(props, name);
                        for &name in path {
                            let name = self.sym(file, name);
                            handler = self.attribute(handler, name);
                        }
                        return self.parameter_of(handler, index, &Substitution::default());
                    }
                    (None, _) => return None,
                }
            }
            _ => argument as usize + skip,
        };
        let rest = parameters.iter().position(|parameter| parameter.kind == ParameterKind::Rest);
        let at = if at < parameters.len() { at } else { rest? };
        let mut wanted = self.ask(Question::Parameter(function, at as u32));
        if parameters[at].kind == ParameterKind::Rest {
            wanted = self.element(wanted);
        }
        // A function in an object literal is typed by the property that it stands for.
        for &name in path {
            let name = self.sym(file, name);
            wanted = self.attribute(wanted, name);
        }
        let mut substitution = Substitution::default();
        self.receiver_substitution(function, receiver, &mut substitution);
        for (at, &form) in call.type_arguments.iter().enumerate() {
            let types = self.form(file.id, form);
            substitution.set(Var::Function(function, at as u32), types);
        }
        // The other arguments may say what the callee's variables are; the function itself cannot yet.
        let others = Arguments {
            list: arguments
                .list
                .iter()
                .map(|given| match *given {
                    Argument::Positional(ArgumentValue::Expr(id, expr, group)) => {
                        let is_function =
                            self.file(id).is_some_and(|f| matches!(f.facts.expr(expr), Expr::Function(_)));
                        let value = if is_function {
                            ArgumentValue::Types(Types::NEVER)
                        } else {
                            ArgumentValue::Expr(id, expr, group)
                        };
                        Argument::Positional(value)
                    }
                    other => other,
                })
                .collect(),
        };
        self.infer_arguments(function, receiver.is_some(), &others, &mut substitution, None);
        substitution.closed.push(function);
        self.parameter_of(wanted, index, &substitution)
    }

    /// The type of a parameter of these function types.
    fn parameter_of(&mut self, functions: Types, index: u32, known: &Substitution) -> Option<Types> {
        if functions == Types::TOP {
            return None;
        }
        let mut found: Option<Types> = None;
        for ty in self.lattice.members(functions).to_vec() {
            let (function, env, shift, receiver) = match ty {
                Ty::Function(function, env) => (function, env, 0, None),
                Ty::Bound(function, env, receiver) => {
                    (function, env, self.receiver_parameters(function), Some(receiver))
                }
                Ty::Instance(class, arguments) => {
                    let Some(&function) = self.call_signatures(class).first() else { continue };
                    let receiver = self.lattice.one(Ty::Instance(class, arguments));
                    let owner = self.signature_owner(function).unwrap_or(class);
                    let substitution = self.member_substitution(class, arguments, owner, receiver);
                    let env = self.lattice.env(substitution.entries);
                    (function, env, 0, None)
                }
                _ => continue,
            };
            let Some(file) = self.file(function.file) else { continue };
            let parameters = &file.facts.function(function.function).parameters;
            let at = (index + shift) as usize;
            let rest = parameters.iter().position(|parameter| parameter.kind == ParameterKind::Rest);
            let Some(at) = (if at < parameters.len() { Some(at) } else { rest }) else { continue };
            if parameters[at].annotation.is_none() && parameters[at].default.is_none() {
                continue;
            }
            let mut types = self.ask(Question::Parameter(function, at as u32));
            if parameters[at].kind == ParameterKind::Rest {
                types = self.element(types);
            }
            let mut substitution = self.env_substitution(env);
            self.receiver_substitution(function, receiver, &mut substitution);
            let types = self.substitute(types, &substitution);
            let types = self.substitute(types, known);
            found = Some(match found {
                Some(known) => self.lattice.join(known, types),
                None => types,
            });
        }
        found
    }

    // ------------------------------------------------------------------------------------------ substitution

    pub(super) fn env_substitution(&self, env: Env) -> Substitution {
        Substitution { entries: self.lattice.entries(env).to_vec(), ..Substitution::default() }
    }

    pub(super) fn substituted_env(&mut self, env: Env, substitution: &Substitution) -> Env {
        if env == Env::EMPTY {
            return env;
        }
        let entries = self.lattice.entries(env).to_vec();
        let entries = entries.into_iter().map(|(var, types)| (var, self.substitute(types, substitution))).collect();
        self.lattice.env(entries)
    }

    /// A set with variables replaced by what they stand for.
    pub(super) fn substitute(&mut self, types: Types, substitution: &Substitution) -> Types {
        if !self.lattice.has_vars(types) {
            return types;
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = self.substitute_one(ty, substitution);
            result = self.lattice.join(result, part);
        }
        result
    }

    fn substitute_one(&mut self, ty: Ty, substitution: &Substitution) -> Types {
        match ty {
            Ty::Var(var) => self.substitute_var(var, substitution),
            Ty::ClassOfVar(var) => match self.known(var, substitution) {
                Some(types) => self.to_classes(types),
                None => self.lattice.one(ty),
            },
            Ty::Instance(class, list) => {
                let list = self.substitute_list(list, substitution);
                self.lattice.one(Ty::Instance(class, list))
            }
            Ty::Class(class, list) => {
                let list = self.substitute_list(list, substitution);
                self.lattice.one(Ty::Class(class, list))
            }
            Ty::Tuple(list) => {
                let list = self.substitute_list(list, substitution);
                self.lattice.one(Ty::Tuple(list))
            }
            Ty::Function(function, env) => {
                let env = self.captured(function, env, substitution);
                self.lattice.one(Ty::Function(function, env))
            }
            Ty::Bound(function, env, receiver) => {
                let receiver = self.substitute(receiver, substitution);
                let env = self.captured(function, env, substitution);
                self.lattice.one(Ty::Bound(function, env, receiver))
            }
            Ty::Super(class, receiver) => {
                let receiver = self.substitute(receiver, substitution);
                self.lattice.one(Ty::Super(class, receiver))
            }
            other => self.lattice.one(other),
        }
    }

    fn substitute_list(&mut self, list: List, substitution: &Substitution) -> List {
        let items = self.lattice.items(list).to_vec();
        let items: Vec<Types> = items.into_iter().map(|types| self.substitute(types, substitution)).collect();
        self.lattice.list(&items)
    }

    /// What a variable stands for: unknown for one of a function whose call said nothing of it.
    fn known(&self, var: Var, substitution: &Substitution) -> Option<Types> {
        if let Some(types) = substitution.get(var) {
            return Some(types);
        }
        match var {
            Var::Function(function, _) | Var::Parameter(function, _) | Var::Result(function, _)
                if substitution.closed.contains(&function) =>
            {
                Some(Types::UNKNOWN)
            }
            Var::Value(..) if !substitution.closed.is_empty() => Some(Types::UNKNOWN),
            _ => None,
        }
    }

    fn substitute_var(&mut self, var: Var, substitution: &Substitution) -> Types {
        if let Var::Result(function, index) = var
            && let Some(callee) = substitution.get(Var::Parameter(function, index))
        {
            if self.symbolic_depth >= MAX_SYMBOLIC_DEPTH {
                return Types::UNKNOWN;
            }
            self.symbolic_depth += 1;
            let result = self.call(callee, &Arguments::default());
            self.symbolic_depth -= 1;
            return result;
        }
        match self.known(var, substitution) {
            Some(types) => types,
            None => self.lattice.one(Ty::Var(var)),
        }
    }

    /// What a function keeps of the variables of the functions around it.
    fn captured(&mut self, function: FunctionRef, env: Env, substitution: &Substitution) -> Env {
        let mut entries = self.lattice.entries(env).to_vec();
        for (_, types) in &mut entries {
            *types = self.substitute(*types, substitution);
        }
        for &(var, types) in &substitution.entries {
            let outer = match var {
                Var::Function(outer, _) | Var::Parameter(outer, _) | Var::Result(outer, _) => outer,
                _ => continue,
            };
            if outer != function && self.encloses(outer, function) && !entries.iter().any(|(known, _)| *known == var) {
                entries.push((var, types));
            }
        }
        self.lattice.env(entries)
    }

    /// Whether one function stands inside another.
    fn encloses(&self, outer: FunctionRef, inner: FunctionRef) -> bool {
        if outer.file != inner.file {
            return false;
        }
        let Some(file) = self.file(outer.file) else { return false };
        let Some(wanted) = file.facts.function(outer.function).scope else { return false };
        let mut scope = file.facts.function(inner.function).scope;
        while let Some(id) = scope {
            if id == wanted {
                return true;
            }
            scope = file.facts.scope(id).parent;
        }
        false
    }

    /// Outside its function a parameter's variable says nothing.
    pub(super) fn close_parameters(&mut self, types: Types) -> Types {
        if !self.lattice.has_vars(types) {
            return types;
        }
        self.map(types, |_, ty| match ty {
            Ty::Var(Var::Parameter(..) | Var::Result(..)) | Ty::ClassOfVar(Var::Parameter(..)) => Ty::Unknown,
            other => other,
        })
    }

    /// What a variable is known to be whatever it stands for: its bound.
    pub(super) fn var_bound(&mut self, var: Var) -> Types {
        if let Var::Value(id, binding) = var {
            return self.value_bound(id, binding);
        }
        match self.type_parameter(var) {
            Some((file, TypeParameter { bound: Some(bound), .. })) => self.form(file, bound),
            _ => Types::UNKNOWN,
        }
    }

    /// What a variable is where nothing else tells: its default, else its bound if that counts here.
    pub(super) fn var_default(&mut self, var: Var, bounded: bool) -> Types {
        let Some((file, parameter)) = self.type_parameter(var) else { return Types::UNKNOWN };
        match parameter.default.or(parameter.bound.filter(|_| bounded)) {
            Some(form) => self.form(file, form),
            None => Types::UNKNOWN,
        }
    }

    fn type_parameter(&mut self, var: Var) -> Option<(FileId, TypeParameter)> {
        let (file, parameters, index) = match var {
            Var::Function(function, index) => {
                let file = self.file(function.file)?;
                (file, &file.facts.function(function.function).type_parameters, index)
            }
            Var::Class(class, index) => {
                let file = self.file(class.file)?;
                let data = file.facts.class(file.facts.definition(class.def).class?);
                (file, &data.type_parameters, index)
            }
            Var::Value(..) | Var::Alias(..) | Var::Parameter(..) | Var::Result(..) | Var::This(_) => return None,
        };
        Some((file.id, parameters.get(index as usize)?.clone()))
    }

    /// The bound of `T = TypeVar("T", bound=Foo)`, or its constraints.
    fn value_bound(&mut self, id: FileId, binding: BindingId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let Value::Expr(expr) = file.facts.binding(binding).value else { return Types::UNKNOWN };
        let Expr::Call(call) = file.facts.expr(expr) else { return Types::UNKNOWN };
        self.reached(file, binding, |engine| {
            let types: Vec<Types> = call.type_arguments.iter().map(|&form| engine.form(id, form)).collect();
            let bound = engine.lattice.join_all(types);
            if bound == Types::NEVER { Types::UNKNOWN } else { bound }
        })
    }
}
