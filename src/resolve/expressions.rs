//! Expressions: what each can be.

use super::calls::{Argument as Given, Arguments};
use super::engine::{Engine, TypeQuestion};
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

impl Engine<'_> {
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
            let given = Arguments { list: vec![Given::Positional(super::calls::ArgumentValue::Types(value))] };
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

    /// One element of what is iterated over.
    pub(super) fn element(&mut self, of: Types) -> Types {
        if of == Types::TOP {
            return of;
        }
        let Some(language) = self.any_language() else { return Types::UNKNOWN };
        let members = self.project.languages[language].semantics().iterate;
        let mut element = Types::NEVER;
        for ty in self.lattice.members(of).to_vec() {
            let part = match ty {
                Ty::Tuple(items) => {
                    let items = self.lattice.items(items).to_vec();
                    self.lattice.join_all(items)
                }
                Ty::Class(class, arguments) if self.is_enum(class) => self.lattice.one(Ty::Instance(class, arguments)),
                _ => {
                    let one = self.lattice.one(ty);
                    self.through(one, members)
                }
            };
            element = self.lattice.join(element, part);
        }
        element
    }

    /// Calls members one after the other, each on the result of the one before.
    pub(super) fn through(&mut self, of: Types, members: &[&str]) -> Types {
        let mut types = of;
        for member in members {
            let name = self.sym_of(member);
            let method = self.attribute(types, name);
            types = self.call(method, &Arguments::default());
        }
        types
    }

    /// What `await` gives: the last type argument of a promise or coroutine, any other value itself.
    pub(super) fn awaited(&mut self, of: Types) -> Types {
        if of == Types::TOP {
            return of;
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(of).to_vec() {
            let part = match ty {
                Ty::Instance(class, arguments) => self.awaited_instance(class, arguments, ty),
                _ => self.lattice.one(ty),
            };
            result = self.lattice.join(result, part);
        }
        result
    }

    fn awaited_instance(&mut self, class: ClassRef, arguments: List, ty: Ty) -> Types {
        let Some(file) = self.file(class.file) else { return Types::UNKNOWN };
        let promise = self.rules(file).semantics().promise;
        if let Some(promise) = self.library_class(file.language, promise)
            && self.derives(class, promise)
        {
            let receiver = self.lattice.one(ty);
            let substitution = self.member_substitution(class, arguments, promise, receiver);
            return substitution.entries.last().map_or(Types::UNKNOWN, |(_, types)| *types);
        }
        let awaits = self.sym_of("__await__");
        if self.order(class).classes.iter().any(|&owner| self.declared(owner, awaits).is_some()) {
            let receiver = self.lattice.one(ty);
            let method = self.attribute(receiver, awaits);
            let generator = self.call(method, &Arguments::default());
            return self.last_argument(generator);
        }
        self.lattice.one(ty)
    }

    fn last_argument(&mut self, types: Types) -> Types {
        let mut result = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = match ty {
                Ty::Instance(_, list) => self.lattice.items(list).last().copied().unwrap_or(Types::UNKNOWN),
                _ => Types::UNKNOWN,
            };
            result = self.lattice.join(result, part);
        }
        result
    }

    /// A promise of a value; what is a promise already stays one.
    pub(super) fn promise(&mut self, file: &File, of: Types) -> Types {
        let value = self.awaited(of);
        let name = self.rules(file).semantics().promise;
        let Some(class) = self.library_class(file.language, name) else { return Types::EXTERNAL };
        let vars = self.class_vars(class).len();
        let mut arguments = vec![Types::UNKNOWN; vars.saturating_sub(1)];
        arguments.push(value);
        self.library_instance(file.language, name, &arguments)
    }

    fn subscript(&mut self, file: &File, base: ExprId, index: Index) -> Types {
        if let Some(value) = self.literal_item(file, base, index) {
            return value;
        }
        let types = self.expr(file.id, base);
        if types == Types::TOP {
            return types;
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = self.item(file, ty, index);
            result = self.lattice.join(result, part);
        }
        result
    }

    /// `TABLE["key"]` where the only value of `TABLE` is a dictionary written with literal keys.
    fn literal_item(&mut self, file: &File, base: ExprId, index: Index) -> Option<Types> {
        let Index::Text(key) = index else { return None };
        let Expr::Name(used) = file.facts.expr(base) else { return None };
        let &[binding] = file.facts.reach(used) else { return None };
        let Value::Expr(value) = file.facts.binding(binding).value else { return None };
        let Expr::Dict(entries) = file.facts.expr(value) else { return None };
        let is_key = |entry: &&[ExprId]| *file.facts.expr(entry[0]) == Expr::Literal(Literal::Text(key));
        let value = *file.facts.run(*entries).chunks(2).rfind(is_key)?.last()?;
        Some(self.reached(file, binding, |engine| engine.expr(file.id, value)))
    }

    fn item(&mut self, file: &File, ty: Ty, index: Index) -> Types {
        let one = self.lattice.one(ty);
        match (ty, index) {
            (Ty::Tuple(items), Index::Integer(at)) => {
                let items = self.lattice.items(items);
                let at = if at < 0 { items.len() as i64 + i64::from(at) } else { i64::from(at) };
                usize::try_from(at).ok().and_then(|at| items.get(at)).copied().unwrap_or(Types::UNKNOWN)
            }
            (Ty::Tuple(items), Index::Slice) => {
                let items = self.lattice.items(items).to_vec();
                let element = self.lattice.join_all(items);
                let tuple = self.rules(file).semantics().tuple;
                self.library_instance(file.language, tuple, &[element])
            }
            (Ty::Tuple(items), _) => {
                let items = self.lattice.items(items).to_vec();
                self.lattice.join_all(items)
            }
            // `Foo[int]` as a value.
            (Ty::Class(class, _), Index::Any(argument)) if !self.is_enum(class) => self.applied(file, class, argument),
            (Ty::Class(class, arguments), _) if self.is_enum(class) => self.lattice.one(Ty::Instance(class, arguments)),
            (Ty::Class(..), _) => one,
            (Ty::Special(special), Index::Any(argument)) => self.special_value(file, special, argument),
            (Ty::Special(_) | Ty::External, _) => Types::EXTERNAL,
            (Ty::Object(..), Index::Text(key)) | (Ty::Module(_), Index::Text(key)) => {
                let key = self.sym(file, key);
                self.attribute(one, key)
            }
            (Ty::Object(id, object, _), _) => self.any_property(id, object, one),
            _ => self.instance_item(file, one, index),
        }
    }

    /// What an object literal has under a key that cannot be told: any of its properties.
    fn any_property(&mut self, id: FileId, object: ObjectId, one: Types) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let object = &file.facts.surface.objects[object.index()];
        if object.properties.len() > MAX_WIDTH || !object.spreads.is_empty() {
            return Types::UNKNOWN;
        }
        let names: Vec<Sym> = object.properties.iter().map(|property| self.sym(file, property.name)).collect();
        let values: Vec<Types> = names.into_iter().map(|name| self.attribute(one, name)).collect();
        if values.is_empty() { Types::UNKNOWN } else { self.lattice.join_all(values) }
    }

    fn instance_item(&mut self, file: &File, receiver: Types, index: Index) -> Types {
        if let Some(member) = self.rules(file).semantics().get_item {
            let name = self.sym_of(member);
            let method = self.attribute(receiver, name);
            let value = match index {
                Index::Any(expr) => super::calls::ArgumentValue::Expr(file.id, expr, self.group),
                Index::Integer(_) => {
                    let integer = self.rules(file).semantics().integer;
                    let integer = self.library_instance(file.language, integer, &[]);
                    super::calls::ArgumentValue::Types(integer)
                }
                Index::Slice => {
                    let slice = self.library_instance(file.language, "slice", &[]);
                    super::calls::ArgumentValue::Types(slice)
                }
                Index::Text(name) => {
                    let text = self.literal(file, Literal::Text(name));
                    super::calls::ArgumentValue::Types(text)
                }
            };
            return self.call(method, &Arguments { list: vec![Given::Positional(value)] });
        }
        // Without such a member, a subscript reads a property or goes through an index signature.
        if let Index::Text(key) = index {
            let key = self.sym(file, key);
            return self.attribute(receiver, key);
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(receiver).to_vec() {
            let part = match ty {
                Ty::Instance(class, arguments) => self.indexed(class, arguments, receiver),
                Ty::External => Types::EXTERNAL,
                _ => Types::UNKNOWN,
            };
            result = self.lattice.join(result, part);
        }
        result
    }

    /// The value of the nearest index signature (`[key: string]: T`).
    fn indexed(&mut self, class: ClassRef, arguments: List, receiver: Types) -> Types {
        for &owner in &self.order(class).classes {
            let Some(file) = self.file(owner.file) else { continue };
            for def in file.definitions(owner.def) {
                let Some(index) = file.facts.definition(def).class.and_then(|class| file.facts.class(class).index)
                else {
                    continue;
                };
                let group = self.definition_group(file, owner.def);
                let types = self.within(group, |engine| engine.form(owner.file, index));
                let substitution = self.member_substitution(class, arguments, owner, receiver);
                return self.substitute(types, &substitution);
            }
        }
        Types::UNKNOWN
    }

    /// A generic class applied in value position.
    fn applied(&mut self, file: &File, class: ClassRef, argument: ExprId) -> Types {
        let arguments = self.type_arguments(file, argument);
        let list = self.lattice.list(&arguments);
        self.lattice.one(Ty::Class(class, list))
    }

    fn type_arguments(&mut self, file: &File, argument: ExprId) -> Vec<Types> {
        let parts: Vec<ExprId> = match file.facts.expr(argument) {
            Expr::Tuple(items) => file.facts.run(*items).to_vec(),
            _ => vec![argument],
        };
        let mut arguments = Vec::new();
        for part in parts {
            let value = self.expr(file.id, part);
            arguments.push(self.to_instances(value));
        }
        arguments
    }

    /// `Optional[Foo]`, `Union[A, B]` written as a value (an alias of a type): classes, which annotations turn into
    /// instances.
    fn special_value(&mut self, file: &File, special: Special, argument: ExprId) -> Types {
        let arguments = self.type_arguments(file, argument);
        match special {
            Special::Optional => {
                let of = self.lattice.join_all(arguments);
                let classes = self.as_type_value(of);
                self.lattice.join(classes, Types::NONE)
            }
            Special::Union => {
                let of = self.lattice.join_all(arguments);
                self.as_type_value(of)
            }
            Special::First => {
                let of = arguments.first().copied().unwrap_or(Types::UNKNOWN);
                self.as_type_value(of)
            }
            Special::Tuple => {
                let list = self.lattice.list(&arguments);
                self.lattice.one(Ty::Tuple(list))
            }
            _ => Types::EXTERNAL,
        }
    }

    /// Instances as the classes that an alias is bound to; other members stay.
    fn as_type_value(&mut self, types: Types) -> Types {
        self.map(types, |_, ty| match ty {
            Ty::Instance(class, arguments) => Ty::Class(class, arguments),
            other => other,
        })
    }

    fn part(&mut self, file: &File, of: Types, part: Part) -> Types {
        if of == Types::TOP {
            return of;
        }
        match part {
            Part::Key(name) => {
                let name = self.sym(file, name);
                return self.attribute(of, name);
            }
            Part::RestKeys => return of,
            Part::Index(_) | Part::FromEnd(_) | Part::Rest(_) => {}
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(of).to_vec() {
            let one = self.lattice.one(ty);
            let items = match ty {
                Ty::Tuple(items) => Some(self.lattice.items(items).to_vec()),
                _ => None,
            };
            let piece = match (items, part) {
                (Some(items), Part::Index(at)) => items.get(at as usize).copied().unwrap_or(Types::UNKNOWN),
                (Some(items), Part::FromEnd(at)) => {
                    items.len().checked_sub(1 + at as usize).map_or(Types::UNKNOWN, |at| items[at])
                }
                (Some(items), Part::Rest(from)) => {
                    let rest = items.get(from as usize..).unwrap_or_default().to_vec();
                    let element = self.lattice.join_all(rest);
                    self.library_instance(file.language, self.rules(file).semantics().list, &[element])
                }
                (None, Part::Rest(_)) => {
                    let element = self.element(one);
                    self.library_instance(file.language, self.rules(file).semantics().list, &[element])
                }
                _ => self.element(one),
            };
            result = self.lattice.join(result, piece);
        }
        result
    }

    fn operator(&mut self, file: &File, left: ExprId, method: Name, right: Option<ExprId>) -> Types {
        let left = self.expr(file.id, left);
        let name = self.sym(file, method);
        let outcome = self.read_attribute(left, name);
        if !outcome.missing.is_empty() {
            return Types::UNKNOWN;
        }
        let list = right.map(|right| Given::Positional(super::calls::ArgumentValue::Expr(file.id, right, self.group)));
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
