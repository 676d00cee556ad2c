//! Expressions: what each can be.

use super::calls::{Argument as Given, ArgumentValue, Arguments};
use super::engine::{Engine, TypeQuestion};
use super::project::File;
use super::value::*;
use crate::facts::*;

impl Engine<'_> {
    /// The value of an expression.
    pub(super) fn compute_expr(&mut self, id: FileId, expr: ExprId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        match file.facts.expr(expr) {
            Expr::Unknown | Expr::Sent => Types::UNKNOWN,
            Expr::Name(used) => self.name_types(file, used),
            Expr::Attribute { base, name } => {
                let base = self.expr(id, *base);
                let name = self.sym(file, *name);
                self.attribute(base, name)
            }
            Expr::Call(call) => self.call_expr(file, file.facts.call(*call)),
            Expr::Subscript { base, index } => self.subscript(file, *base, *index),
            Expr::Await(of) => {
                let of = self.expr(id, *of);
                self.awaited(of)
            }
            Expr::Iterate(of) => {
                let of = self.expr(id, *of);
                self.element(of)
            }
            Expr::IterateAsync(of) => {
                let of = self.expr(id, *of);
                let members = self.rules(file).semantics().iterate_async;
                let element = self.through(of, members);
                self.awaited(element)
            }
            Expr::Enter(of) => {
                let of = self.expr(id, *of);
                self.through(of, self.rules(file).semantics().enter)
            }
            Expr::EnterAsync(of) => {
                let of = self.expr(id, *of);
                let entered = self.through(of, self.rules(file).semantics().enter_async);
                self.awaited(entered)
            }
            Expr::Tuple(items) => self.tuple(file, file.facts.run(*items)),
            Expr::List(collection, items) => {
                let element = self.elements(file, file.facts.run(*items).iter().copied());
                let semantics = self.rules(file).semantics();
                let class = match collection {
                    Collection::List => semantics.list,
                    Collection::Set => semantics.set,
                    Collection::Generator => semantics.generator,
                    Collection::Tuple => semantics.tuple,
                };
                self.library_instance(file.language, class, &[element])
            }
            Expr::Dict(entries) => {
                let entries = file.facts.run(*entries);
                let keys = self.elements(file, entries.iter().copied().step_by(2));
                let values = self.elements(file, entries.iter().copied().skip(1).step_by(2));
                let dict = self.rules(file).semantics().dict;
                self.library_instance(file.language, dict, &[keys, values])
            }
            Expr::Spread(of) => {
                let of = self.expr(id, *of);
                self.element(of)
            }
            Expr::Part { of, part } => {
                let of = self.expr(id, *of);
                self.part(file, of, *part)
            }
            Expr::Union(parts) => {
                let parts: Vec<Types> = file.facts.run(*parts).iter().map(|&part| self.expr(id, part)).collect();
                self.lattice.join_all(parts)
            }
            Expr::Literal(literal) => self.literal(file, *literal),
            Expr::Function(function) => {
                self.lattice.one(Ty::Function(FunctionRef { file: id, function: *function }, Env::EMPTY))
            }
            Expr::Class(class) => {
                let def = file.facts.definition(file.facts.class(*class).definition).symbol;
                self.lattice.one(Ty::Class(ClassRef { file: id, def }, List::EMPTY))
            }
            Expr::Object(object) => self.lattice.one(Ty::Object(id, *object, Env::EMPTY)),
            Expr::Narrow { of, test } => {
                let of = self.expr(id, *of);
                self.narrowed(file, of, file.facts.test(*test))
            }
            Expr::Cast { of, to } => {
                let to = self.form(id, *to);
                if self.lattice.is_open(to) { self.expr(id, *of) } else { to }
            }
            Expr::This(function) => self.this(file, *function),
            Expr::Super { class, instance } => self.super_proxy(file, *class, *instance),
            Expr::Module(import) => {
                let meaning = self.module_meaning(file, *import);
                self.meaning_types(meaning)
            }
            Expr::Promise(of) => {
                let of = self.expr(id, *of);
                self.promise(file, of)
            }
            Expr::Operator { left, method, right } => self.operator(file, *left, *method, *right),
            Expr::Parameter(function, index) => {
                self.ask(TypeQuestion::Parameter(FunctionRef { file: id, function: *function }, *index))
            }
            Expr::Caught(of) => {
                let of = self.expr(id, *of);
                let mut caught = Types::NEVER;
                for ty in self.lattice.members(of).to_vec() {
                    let part = match ty {
                        Ty::Tuple(items) => {
                            let items = self.lattice.items(items).to_vec();
                            self.lattice.join_all(items)
                        }
                        _ => self.lattice.one(ty),
                    };
                    let part = self.to_instances(part);
                    caught = self.lattice.join(caught, part);
                }
                caught
            }
        }
    }

    fn name_types(&mut self, file: &File, used: &NameUse) -> Types {
        let reach = file.facts.reach(used);
        if reach.is_empty() {
            let mut types = Types::NEVER;
            for meaning in self.name_meanings(file, used) {
                let part = self.meaning_types(meaning);
                types = self.lattice.join(types, part);
            }
            return types;
        }
        let mut types = Types::NEVER;
        for &binding in reach {
            let part =
                self.reached(file, binding, |engine| engine.ask(TypeQuestion::Binding(file.id, binding, engine.group)));
            types = self.lattice.join(types, part);
        }
        types
    }

    /// What a name is by one of its bindings: the declared type, else the value.
    pub(super) fn compute_binding(&mut self, id: FileId, binding: BindingId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let data = file.facts.binding(binding);
        if let Some(annotation) = data.annotation {
            let types = self.form(id, annotation);
            if !self.lattice.is_open(types) {
                return types;
            }
            if let Value::Parameter(function, index) = data.value {
                return self.ask(TypeQuestion::Parameter(FunctionRef { file: id, function }, index));
            }
            if let Value::Expr(expr) = data.value {
                let value = self.expr(id, expr);
                return if self.lattice.is_open(value) { types } else { value };
            }
            return types;
        }
        match data.value {
            Value::Definition(def) => self.ask(TypeQuestion::Symbol(id, file.facts.definition(def).symbol)),
            Value::Parameter(function, index) => {
                self.ask(TypeQuestion::Parameter(FunctionRef { file: id, function }, index))
            }
            Value::Module(_) | Value::Imported(..) => {
                let mut types = Types::NEVER;
                for meaning in self.binding_meanings(file, binding) {
                    let part = self.meaning_types(meaning);
                    types = self.lattice.join(types, part);
                }
                types
            }
            Value::Expr(expr) if data.definition.is_some() && self.is_type_variable(file, expr) => {
                self.lattice.one(Ty::Var(Var::Value(id, binding)))
            }
            Value::Expr(expr) => self.expr(id, expr),
            Value::FunctionTypeParameter(..) | Value::ClassTypeParameter(..) | Value::AliasTypeParameter(..) => {
                // As a value a type parameter is the class that it will be.
                Types::UNKNOWN
            }
            Value::Unknown => Types::UNKNOWN,
        }
    }

    /// The value of a symbol: a class, a function with its decorators applied, or what a variable is bound to.
    pub(super) fn compute_symbol(&mut self, id: FileId, def: DefId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        if file.external
            && let Some(special) = self.special(file, def)
        {
            return self.lattice.one(Ty::Special(special));
        }
        let definitions = file.definitions(def);
        let mut types = Types::NEVER;
        if self.class_of(file, def).is_some() {
            let class = ClassRef { file: id, def };
            types = self.lattice.one(Ty::Class(class, List::EMPTY));
        }
        let functions = self.functions_value(file, &definitions);
        types = self.lattice.join(types, functions);
        if types != Types::NEVER {
            return types;
        }
        let definition = file.facts.definition(def);
        if let Some(parent) = definition.parent {
            let class = ClassRef { file: id, def: file.facts.definition(parent).symbol };
            let name = self.sym(file, definition.name);
            if self.declared(class, name).is_some() {
                return self.ask(TypeQuestion::Member(class, name));
            }
        }
        let bindings = self.bindings_of(file, definition.name);
        if bindings.iter().all(|&binding| file.facts.binding(binding).annotation.is_none())
            && let Some(types) = self.stub_variable(file, def)
        {
            return types;
        }
        for binding in bindings {
            if file.facts.binding(binding).definition.is_some() || definition.parent.is_none() {
                let value =
                    self.reached(file, binding, |engine| engine.ask(TypeQuestion::Binding(id, binding, engine.group)));
                types = self.lattice.join(types, value);
            }
        }
        if types == Types::NEVER { Types::UNKNOWN } else { self.close_parameters(types) }
    }

    /// The functions among definitions of one symbol, as a value: overloads give way to the implementation.
    pub(super) fn functions_value(&mut self, file: &File, definitions: &[DefId]) -> Types {
        let facts = &file.facts;
        let with_function = |def: &&DefId| facts.definition(**def).function.is_some();
        let is_overload = |def: &DefId| facts.definition(*def).flags.has(Flags::OVERLOAD);
        let overloaded = definitions.iter().filter(with_function).any(is_overload);
        let mut types = Types::NEVER;
        for def in definitions.iter().filter(with_function) {
            let definition = facts.definition(*def);
            // Callers see the overloads, not the implementation behind them.
            if definition.flags.has(Flags::SETTER) || (overloaded && !is_overload(def)) {
                continue;
            }
            let Some(function) = definition.function else { continue };
            let plain = self.lattice.one(Ty::Function(FunctionRef { file: file.id, function }, Env::EMPTY));
            let value = self.decorated(file, plain, &definition.decorators);
            types = self.lattice.join(types, value);
        }
        types
    }

    /// What decorators make of a function: what they are known to return, else the function itself.
    fn decorated(&mut self, file: &File, plain: Types, decorators: &[ExprId]) -> Types {
        let mut value = plain;
        if !self.rules(file).semantics().decorators_replace {
            return value;
        }
        for &decorator in decorators.iter().rev() {
            let callee = match file.facts.expr(decorator) {
                Expr::Call(call) => match file.facts.call(*call) {
                    call if call.form == CallForm::Decorator => self.expr(file.id, call.callee),
                    _ => self.expr(file.id, decorator),
                },
                _ => self.expr(file.id, decorator),
            };
            let given = Arguments { list: vec![Given::Positional(ArgumentValue::Types(value))] };
            let result = self.call(callee, &given);
            if self.says_something(result) {
                value = result;
            }
        }
        value
    }

    /// Whether what a decorator returns is better known than what it was given.
    fn says_something(&mut self, result: Types) -> bool {
        if result == Types::NEVER || self.lattice.is_open(result) {
            return false;
        }
        self.lattice.members(result).to_vec().into_iter().all(|ty| match ty {
            Ty::Function(function, env) => {
                let result = self.ask(TypeQuestion::Result(function));
                let substitution = self.env_substitution(env);
                let result = self.substitute(result, &substitution);
                !self.lattice.is_open(result) && result != Types::EXTERNAL
            }
            Ty::Instance(class, _) => !self.project.is_external(class.file),
            Ty::Class(..) | Ty::Bound(..) => true,
            _ => false,
        })
    }

    /// The value of a literal.
    pub(super) fn literal(&mut self, file: &File, literal: Literal) -> Types {
        let semantics = self.rules(file).semantics();
        let class = match literal {
            Literal::Text(name) => {
                let sym = self.sym(file, name);
                return self.lattice.one(Ty::Text(sym));
            }
            Literal::None => return Types::NONE,
            Literal::Ellipsis => return Types::EXTERNAL,
            Literal::Interpolated => semantics.text,
            Literal::Bytes => semantics.bytes,
            Literal::Integer(_) => semantics.integer,
            Literal::Float => semantics.float,
            Literal::Complex => semantics.complex,
            Literal::Boolean(_) => semantics.boolean,
            Literal::Regex => semantics.regex,
        };
        self.library_instance(file.language, class, &[])
    }

    fn tuple(&mut self, file: &File, items: &[ExprId]) -> Types {
        let spread = items.iter().any(|&item| matches!(file.facts.expr(item), Expr::Spread(_)));
        if spread {
            let element = self.elements(file, items.iter().copied());
            let tuple = self.rules(file).semantics().tuple;
            return self.library_instance(file.language, tuple, &[element]);
        }
        let items: Vec<Types> = items.iter().map(|&item| self.expr(file.id, item)).collect();
        let list = self.lattice.list(&items);
        self.lattice.one(Ty::Tuple(list))
    }

    /// What the elements of a container literal can be.
    fn elements(&mut self, file: &File, items: impl Iterator<Item = ExprId>) -> Types {
        let items: Vec<Types> = items.map(|item| self.expr(file.id, item)).collect();
        let element = self.lattice.join_all(items);
        // An empty container is filled elsewhere.
        if element == Types::NEVER { Types::UNKNOWN } else { self.widened(element) }
    }

    /// String literals as strings: what a container of them holds is not one of them for sure.
    pub(super) fn widened(&mut self, types: Types) -> Types {
        if types == Types::TOP || !self.lattice.members(types).iter().any(|ty| matches!(ty, Ty::Text(_))) {
            return types;
        }
        let Some(language) = self.any_language() else { return types };
        let text = self.project.languages[language].semantics().text;
        let text = self.library_instance(language, text, &[]);
        let rest: Vec<Ty> =
            self.lattice.members(types).iter().copied().filter(|ty| !matches!(ty, Ty::Text(_))).collect();
        let rest = self.lattice.set(rest);
        self.lattice.join(rest, text)
    }

    fn operator(&mut self, file: &File, left: ExprId, method: Name, right: Option<ExprId>) -> Types {
        let left = self.expr(file.id, left);
        let name = self.sym(file, method);
        let outcome = self.read_attribute(left, name);
        if !outcome.missing.is_empty() {
            return Types::UNKNOWN;
        }
        let list = right.map(|right| Given::Positional(ArgumentValue::Expr(file.id, right, self.group)));
        self.call(outcome.types, &Arguments { list: list.into_iter().collect() })
    }

    /// `this` of a function.
    fn this(&mut self, file: &File, function: Option<FunctionId>) -> Types {
        let Some(function) = function else { return Types::UNKNOWN };
        let data = file.facts.function(function);
        if let Some(class) = data.this_class {
            let def = file.facts.definition(file.facts.class(class).definition).symbol;
            let var = Var::This(ClassRef { file: file.id, def });
            let flags = data.definition.map(|def| file.facts.definition(def).flags).unwrap_or_default();
            let ty = if flags.has(Flags::STATIC) { Ty::ClassOfVar(var) } else { Ty::Var(var) };
            return self.lattice.one(ty);
        }
        match data.this_object {
            Some(object) => self.lattice.one(Ty::Object(file.id, object, Env::EMPTY)),
            None => Types::UNKNOWN,
        }
    }

    fn super_proxy(&mut self, file: &File, class: Option<ClassId>, instance: bool) -> Types {
        let Some(class) = class else { return Types::UNKNOWN };
        let def = file.facts.definition(file.facts.class(class).definition).symbol;
        let class = ClassRef { file: file.id, def };
        let var = Var::This(class);
        let receiver = self.lattice.one(if instance { Ty::Var(var) } else { Ty::ClassOfVar(var) });
        self.lattice.one(Ty::Super(class, receiver))
    }
}
