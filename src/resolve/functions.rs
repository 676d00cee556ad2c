//! Functions from inside: what a call of one gives in terms of its own variables, and what its parameters can be.

use super::calls::{Argument, ArgumentValue, Arguments};
use super::engine::{Engine, TypeQuestion};
use super::project::File;
use super::substitution::Substitution;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

impl Engine<'_> {
    /// What a call of a function gives, in terms of its own variables.
    pub(super) fn compute_result(&mut self, function: FunctionRef) -> Types {
        let Some(file) = self.file(function.file) else { return Types::UNKNOWN };
        let data = file.facts.function(function.function);
        let mut result = match data.result {
            Some(form) => {
                let types = self.form(function.file, form);
                self.written_result(file, data, types)
            }
            None => match self.stub_result(file, data) {
                Some(types) if self.tells_all(types) => types,
                said => {
                    let inferred = self.inferred_result(file, data);
                    self.lattice.join(inferred, said.unwrap_or_default())
                }
            },
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

    /// What a call gives by the annotated result.
    pub(super) fn written_result(&mut self, file: &File, data: &Function, types: Types) -> Types {
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
                Expr::Call(call) => file.facts.call(*call).callee,
                _ => decorator,
            };
            self.is_special(file, callee, special)
        })
    }

    /// Whether an expression names something of the library with this meaning.
    pub(super) fn is_special(&mut self, file: &File, expr: ExprId, special: Special) -> bool {
        self.expr_meanings(file, expr).into_iter().any(|meaning| match meaning {
            super::meanings::Meaning::Definition(id, def) if self.project.is_external(id) => {
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
        let written = match parameter.annotation {
            Some(form) => Some(self.form(function.file, form)),
            None => self.stub_parameter(file, data, parameter.name),
        };
        if let Some(mut types) = written {
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
        let given = self.contextual_parameter(file, data, index);
        // What has a name may be called elsewhere, too.
        let is_called_by_name = data.definition.is_some() && data.contextual.is_none();
        if let (Some(types), false) = (given, is_called_by_name) {
            return types;
        }
        if let Some(types) = self.fixture_parameter(file, data, index) {
            return types;
        }
        if matches!(parameter.kind, ParameterKind::Rest | ParameterKind::RestKeywords) {
            return self.collected(file, parameter, Types::UNKNOWN);
        }
        let mut own = self.lattice.one(Ty::Var(Var::Parameter(function, index)));
        if let Some(given) = given {
            let given = self.close_parameters(given);
            own = self.lattice.join(own, given);
        }
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
        let call = file.facts.call(*call);
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
            Ty::Instance(class, _) => (self.fitting_signature(class, arguments)?, None),
            _ => return None,
        };
        let other = self.file(function.file)?;
        let parameters = &other.facts.function(function.function).parameters;
        let skip = if receiver.is_some() { self.receiver_parameters(function) as usize } else { 0 };
        let given = file.facts.run(call.arguments).get(argument as usize)?;
        let at = match given.kind {
            ArgumentKind::Keyword(name) => {
                let name = file.sym(name);
                let by_name = parameters.iter().position(|parameter| other.sym(parameter.name) == name);
                match (by_name, call.form) {
                    (Some(at), _) => at,
                    // The attributes of a JSX element are properties of the component's first parameter.
                    (None, CallForm::Jsx) => {
                        let props = self.ask(TypeQuestion::Parameter(function, 0));
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
        let mut wanted = self.ask(TypeQuestion::Parameter(function, at as u32));
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
        for (at, &form) in file.facts.run(call.type_arguments).iter().enumerate() {
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
        let said = self.parameter_of(wanted, index, &substitution);
        if !path.is_empty() {
            return said;
        }
        match (said, self.given_by(function, at as u32, index)) {
            (Some(said), Some(given)) => {
                // What is annotated is not made uncertain by a value that cannot be told.
                let known = self.filtered(given, |_, ty| !matches!(ty, Ty::Unknown | Ty::Var(_)));
                Some(if known == Types::TOP { said } else { self.lattice.join(said, known) })
            }
            (said, given) => said.or(given),
        }
    }

    /// What a function gives, as the n-th argument, to the function that a parameter of it is.
    fn given_by(&mut self, function: FunctionRef, parameter: u32, index: u32) -> Option<Types> {
        let file = self.file(function.file)?;
        let calls = &file.facts.function(function.function).parameter_calls;
        let calls = calls.iter().filter(|(called, _)| *called == parameter);
        let group = self.function_group(file, function.function);
        let mut found = None;
        for &(_, call) in calls {
            let Expr::Call(call) = file.facts.expr(call) else { continue };
            let arguments = file.facts.run(file.facts.call(*call).arguments);
            let plain = arguments.iter().take_while(|argument| argument.kind == ArgumentKind::Positional);
            let Some(argument) = plain.into_iter().nth(index as usize) else { continue };
            let types = self.within(group, |engine| engine.expr(file.id, argument.value));
            let types = self.close_parameters(types);
            found = Some(self.lattice.join(found.unwrap_or_default(), types));
        }
        let this = self.signature_owner(function).map(|class| self.lattice.one(Ty::Instance(class, List::EMPTY)));
        let substitution = Substitution { this, ..Substitution::default() };
        found.map(|types| self.substitute(types, &substitution))
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
            let mut types = self.ask(TypeQuestion::Parameter(function, at as u32));
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
}
