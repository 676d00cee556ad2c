//! What the type variables of a function stand for, found from what a call gives it.

use super::calls::{Argument, ArgumentValue, Arguments};
use super::engine::{Engine, TypeQuestion};
use super::forms::SELF;
use super::substitution::Substitution;
use super::value::*;
use crate::facts::*;

impl Engine<'_> {
    /// Variables that no argument tells of are their default, else their bound.
    pub(super) fn add_defaults(&mut self, function: FunctionRef, into: &mut Substitution) {
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
    pub(super) fn receiver_substitution(
        &mut self,
        function: FunctionRef,
        receiver: Option<Types>,
        into: &mut Substitution,
    ) {
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
    pub(super) fn infer_receiver(&mut self, function: FunctionRef, receiver: Option<Types>, into: &mut Substitution) {
        let Some(receiver) = receiver else { return };
        let Some(file) = self.file(function.file) else { return };
        let data = file.facts.function(function.function);
        let annotated = data.parameters.first().is_some_and(|parameter| parameter.annotation.is_some());
        let actual = match data.receiver {
            Receiver::InstanceParameter if annotated => receiver,
            Receiver::ClassParameter if annotated => self.to_classes(receiver),
            _ => return,
        };
        let wanted = self.ask(TypeQuestion::Parameter(function, 0));
        self.infer(wanted, actual, into, 0);
    }

    /// Binds the variables of a function's parameters to what a call gives them.
    pub(super) fn infer_arguments(
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
        let mut wanted = self.ask(TypeQuestion::Parameter(function, at as u32));
        if !self.lattice.has_vars(wanted) {
            return;
        }
        if let Some(pattern) = pattern {
            wanted = self.substitute(wanted, pattern);
        }
        if parameter.kind == ParameterKind::Rest {
            wanted = self.element(wanted);
        }
        let mut actual = self.value_for(value, wanted);
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
                    let result = self.ask(TypeQuestion::Result(function));
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
                let types = self.ask(TypeQuestion::Parameter(function, at as u32));
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
        let first = self.sym_of(first);
        self.declared(class, first)?;
        let one = self.lattice.one(ty);
        let element = self.element(one);
        (!self.lattice.is_open(element)).then(|| vec![element])
    }
}
