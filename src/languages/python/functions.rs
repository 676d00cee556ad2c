//! Functions and lambdas: their parameters, what they are bound to, and what they give.

use super::extract::{FunctionContext, Walker};
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

/// A parameter's node and how its name is bound.
pub(super) struct BoundParameter {
    /// The identifier, or Python 2's tuple of names.
    target: N,
    annotation: Option<FormId>,
}

impl<'t> Walker<'t> {
    pub fn function_definition(&mut self, n: N, whole: N, decorators: &[N]) {
        let Some(name_node) = self.tree.child(n, Kind::Identifier) else { return self.inner_statements(n) };
        let name = self.name(name_node);
        let decorator_exprs = self.decorators(decorators);
        let decorator_names = self.decorator_names(decorators);
        let in_class = self.scope_kind() == ScopeKind::Class;
        let is_async = self.has(n, Kind::Async);
        let mut flags = function_flags(&decorator_names);
        if is_async {
            flags |= Flags::ASYNC;
        }
        if in_class && self.text(name_node) == "__init__" {
            flags |= Flags::CONSTRUCTOR;
        }
        let parameters_node = self.tree.child(n, Kind::Parameters);
        let result_node = self.tree.child(n, Kind::Type);
        let body = self.tree.child(n, Kind::Block);

        let id = self.new_function(None);
        let kind = if in_class { DefKind::Method } else { DefKind::Function };
        let mut definition = Definition::new(name, kind, self.b.owner(), flags);
        let mut description = self.description(kind, n, whole);
        definition.function = Some(id);
        definition.decorators = decorator_exprs;
        if let Some(parameters) = parameters_node {
            description.signature = self.signature(parameters, result_node);
        }
        let definition = self.define(definition, description, name_node, whole);
        self.remember(name, definition);

        let class = self.classes.last().map(|class| class.id).filter(|_| in_class);
        if let Some(class) = self.classes.last().filter(|_| in_class && self.text(name_node) == "__new__") {
            let class = class.definition;
            self.b.facts().surface.definitions[class.index()].flags |= Flags::OWN_MAKER;
        }
        let receiver = match class {
            Some(_) => receiver(self.text(name_node), &decorator_names),
            None => Receiver::None,
        };
        let typed = self.type_parameters(n, definition, |walker, list| {
            walker.b.facts().surface.functions[id.index()].type_parameters = list;
            move |at| Value::FunctionTypeParameter(id, at)
        });
        let bound = match parameters_node {
            Some(parameters) => self.owned_parameters(id, parameters, definition),
            None => Vec::new(),
        };
        self.b.push_owner(definition);
        let result = result_node.map(|result| self.form(result));
        let guard = result_node.and_then(|result| self.guard(result, receiver));
        let sent = result_node.zip(result).and_then(|(node, form)| self.sent(node, form));
        self.b.pop_owner();
        {
            let function = &mut self.b.facts().surface.functions[id.index()];
            function.definition = Some(definition);
            function.receiver = receiver;
            function.result = result;
            function.guard = guard;
            function.is_async = is_async;
        }
        self.fixtures(id, definition, &bound, receiver, &decorator_names);

        let mut context = self.nested_context();
        context.annotated = result.is_some();
        context.sent = sent;
        context.receiver = None;
        if in_class {
            context.this_class = class;
            context.this_instance = receiver == Receiver::InstanceParameter;
            let first = bound.first().filter(|_| receiver != Receiver::None);
            let first = first.map(|first| first.target).filter(|first| self.kind(*first) == Kind::Identifier);
            context.receiver = first.map(|first| self.name(first)).zip(class);
        } else if let Some((receiver, class)) = self.functions.last().and_then(|function| function.receiver) {
            // A nested function sees the method's `self` unless a parameter of its own hides it.
            let hidden = bound.iter().any(|parameter| self.name(parameter.target) == receiver);
            context.receiver = (!hidden).then_some((receiver, class));
        }
        self.b.push_owner(definition);
        let loops = std::mem::take(&mut self.loops);
        self.enter_function(id, context, &bound);
        if let Some(body) = body {
            self.block(body);
        }
        self.leave_function(id);
        self.loops = loops;
        self.b.pop_owner();
        if typed {
            self.b.pop_scope();
        }
        self.bind_definition(name_node, definition);
    }

    /// A function that is not yet known.
    pub fn new_function(&mut self, definition: Option<DefId>) -> FunctionId {
        let this_class = self.functions.last().and_then(|function| function.this_class);
        self.b.function(Function { definition, this_class, ..Function::default() })
    }

    /// Opens a function's scope and binds its parameters there.
    pub fn enter_function(&mut self, id: FunctionId, mut context: FunctionContext, bound: &[BoundParameter]) {
        let scope = self.b.push_scope(ScopeKind::Function);
        context.scope = scope;
        {
            let function = &mut self.b.facts().surface.functions[id.index()];
            function.scope = Some(scope);
            function.this_class = context.this_class;
        }
        self.functions.push(context);
        for (at, parameter) in bound.iter().enumerate() {
            if self.kind(parameter.target) == Kind::Identifier {
                let name = self.name(parameter.target);
                let value = Value::Parameter(id, at as u32);
                self.b.bind(name, value, parameter.annotation, None, Space::Both);
            } else {
                let of = self.b.expr(Expr::Parameter(id, at as u32));
                self.bind_target(parameter.target, of, None);
            }
        }
    }

    /// Closes a function's scope; what it returns and yields becomes known.
    pub fn leave_function(&mut self, id: FunctionId) {
        self.b.pop_scope();
        let context = self.functions.pop().expect("a function was entered");
        let function = &mut self.b.facts().surface.functions[id.index()];
        function.is_generator = context.generator;
        if !context.annotated {
            function.returns = context.returns;
            function.yields = context.yields;
        }
    }

    /// Parameters of a definition: defaults belong to the scope outside, annotations to the definition.
    fn owned_parameters(&mut self, id: FunctionId, n: N, definition: DefId) -> Vec<BoundParameter> {
        let mut bound = self.parameters(id, n);
        self.b.push_owner(definition);
        let types: Vec<Option<N>> = self.parameter_nodes(n).iter().map(|p| self.tree.child(*p, Kind::Type)).collect();
        for (at, annotation) in types.into_iter().enumerate() {
            let Some(form) = annotation.map(|annotation| self.form(annotation)) else { continue };
            let parameter = &mut self.b.facts().surface.functions[id.index()].parameters[at];
            parameter.annotation = Some(form);
            // What `*args: T` binds is no T, but many.
            let many = matches!(parameter.kind, ParameterKind::Rest | ParameterKind::RestKeywords);
            bound[at].annotation = (!many).then_some(form);
        }
        self.b.pop_owner();
        bound
    }

    fn parameter_nodes(&self, n: N) -> Vec<N> {
        let nodes = self.named(n).into_iter();
        nodes
            .filter(|p| !matches!(self.kind(*p), Kind::KeywordSeparator | Kind::PositionalSeparator | Kind::Error))
            .collect()
    }

    /// Walks the defaults of parameters and gives the function its parameters, without annotations.
    pub fn parameters(&mut self, id: FunctionId, n: N) -> Vec<BoundParameter> {
        let (mut parameters, mut bound) = (Vec::new(), Vec::new());
        let mut keyword_only = false;
        for node in self.named(n) {
            let mut kind = if keyword_only { ParameterKind::KeywordOnly } else { ParameterKind::Plain };
            let mut target = node;
            let mut default = None;
            match self.kind(node) {
                Kind::KeywordSeparator => {
                    keyword_only = true;
                    continue;
                }
                Kind::PositionalSeparator => {
                    parameters.iter_mut().for_each(|p: &mut Parameter| p.kind = ParameterKind::PositionalOnly);
                    continue;
                }
                Kind::Error => {
                    self.visit(node);
                    continue;
                }
                Kind::DefaultParameter | Kind::TypedDefaultParameter | Kind::TypedParameter => {
                    let parts = self.named(node);
                    target = *parts.first().unwrap_or(&node);
                    if self.kind(node) != Kind::TypedParameter
                        && let Some(&value) = parts.last()
                    {
                        default = Some(self.value(value));
                    }
                }
                _ => {}
            }
            match self.kind(target) {
                Kind::ListSplatPattern => {
                    kind = ParameterKind::Rest;
                    keyword_only = true;
                    target = self.named(target).first().copied().unwrap_or(target);
                }
                Kind::DictionarySplatPattern => {
                    kind = ParameterKind::RestKeywords;
                    target = self.named(target).first().copied().unwrap_or(target);
                }
                _ => {}
            }
            let name = if self.kind(target) == Kind::Identifier { self.name(target) } else { self.b.name("") };
            parameters.push(Parameter { name, kind, annotation: None, default, optional: false });
            bound.push(BoundParameter { target, annotation: None });
        }
        self.b.facts().surface.functions[id.index()].parameters = parameters;
        bound
    }

    /// `Generator[Y, S, R]` and `AsyncGenerator[Y, S]` say what `yield` gives back.
    fn sent(&self, result: N, form: FormId) -> Option<FormId> {
        let inner = self.named(result).first().copied()?;
        let base = self.named(inner).first().copied()?;
        match self.b.read().form(form) {
            Form::Apply { arguments, .. } if matches!(self.last_name(base), Some("Generator" | "AsyncGenerator")) => {
                arguments.get(1).copied()
            }
            _ => None,
        }
    }

    /// `TypeGuard[T]` and `TypeIs[T]` narrow the first argument.
    fn guard(&mut self, result: N, receiver: Receiver) -> Option<(Option<u32>, FormId)> {
        let inner = self.named(result).first().copied()?;
        let (base, argument) = match (self.kind(inner), &self.named(inner)[..]) {
            (Kind::GenericType, &[base, parameters]) => (base, *self.named(parameters).first()?),
            (Kind::Subscript, &[base, argument]) => (base, argument),
            _ => return None,
        };
        if !matches!(self.last_name(base), Some("TypeGuard" | "TypeIs")) {
            return None;
        }
        let form = self.form_again(argument);
        let first = if receiver == Receiver::None { 0 } else { 1 };
        Some((Some(first), form))
    }

    /// Parameters of tests and fixtures may name fixtures.
    fn fixtures(
        &mut self,
        id: FunctionId,
        owner: DefId,
        bound: &[BoundParameter],
        receiver: Receiver,
        decorators: &[&str],
    ) {
        let facts = self.b.read();
        let named_test = facts.text(facts.definition(owner).name).starts_with("test");
        if !named_test && !decorators.contains(&"fixture") {
            return;
        }
        let first = usize::from(receiver != Receiver::None);
        for (at, parameter) in bound.iter().enumerate().skip(first) {
            let declared = &self.b.read().function(id).parameters[at];
            let plain = matches!(declared.kind, ParameterKind::Plain | ParameterKind::KeywordOnly);
            if plain && declared.default.is_none() {
                let place = self.place(parameter.target);
                self.b.reference_of(Some(owner), RefKind::Fixture, RefTarget::Parameter(id, at as u32), place);
            }
        }
    }

    /// `argument_of`: the call that it is given to, and at which position.
    pub fn lambda(&mut self, n: N, argument_of: Option<(ExprId, u32)>) -> ExprId {
        if self.quiet > 0 {
            return self.unknown();
        }
        let parameters = self.tree.child(n, Kind::LambdaParameters);
        let id = self.new_function(None);
        self.b.facts().surface.functions[id.index()].argument_of = argument_of;
        let patterns = parameters.map(|parameters| self.parameters(id, parameters)).unwrap_or_default();
        let context = self.nested_context();
        self.enter_function(id, context, &patterns);
        if let Some(&body) = self.named(n).last().filter(|body| Some(**body) != parameters) {
            let result = self.value(body);
            if let Some(function) = self.functions.last_mut() {
                function.returns.push(result);
            }
        }
        self.leave_function(id);
        self.b.expr(Expr::Function(id))
    }

    /// The context of a function or lambda that is no method.
    pub fn nested_context(&self) -> FunctionContext {
        let around = self.functions.last();
        FunctionContext {
            scope: self.b.scope(),
            annotated: false,
            returns: Vec::new(),
            yields: Vec::new(),
            generator: false,
            sent: None,
            this_class: around.and_then(|function| function.this_class),
            this_instance: around.is_some_and(|function| function.this_instance),
            receiver: around.and_then(|function| function.receiver),
            globals: Default::default(),
            nonlocals: Default::default(),
        }
    }

    /// `yield` and `yield from`.
    pub fn yields(&mut self, n: N) -> ExprId {
        let from = self.has(n, Kind::From);
        let value = match self.named(n)[..] {
            [] => self.literal(Literal::None),
            [one] => self.value(one),
            _ => return self.all_unknown(n),
        };
        let yielded = if from { self.b.expr(Expr::Iterate(value)) } else { value };
        if let Some(function) = self.functions.last_mut() {
            function.generator = true;
            if !function.annotated {
                function.yields.push(yielded);
            }
        }
        if from {
            return self.unknown();
        }
        let sent = self.b.expr(Expr::Sent);
        match self.functions.last().and_then(|function| function.sent) {
            Some(to) => self.b.expr(Expr::Cast { of: sent, to }),
            None => sent,
        }
    }
}

fn function_flags(decorators: &[&str]) -> Flags {
    let mut flags = Flags::default();
    for decorator in decorators {
        flags |= match *decorator {
            "staticmethod" => Flags::STATIC,
            "classmethod" => Flags::CLASS_METHOD,
            "property" | "cached_property" => Flags::GETTER,
            "abstractproperty" => Flags::GETTER.with(Flags::ABSTRACT),
            "setter" | "deleter" => Flags::SETTER,
            "getter" => Flags::GETTER,
            "abstractmethod" => Flags::ABSTRACT,
            "abstractclassmethod" => Flags::ABSTRACT.with(Flags::CLASS_METHOD),
            "abstractstaticmethod" => Flags::ABSTRACT.with(Flags::STATIC),
            "overload" => Flags::OVERLOAD,
            _ => Flags::default(),
        };
    }
    flags
}

/// What a function in a class body is bound to (<https://docs.python.org/3/reference/datamodel.html>).
fn receiver(name: &str, decorators: &[&str]) -> Receiver {
    let has = |name: &str| decorators.contains(&name);
    if has("staticmethod") || has("abstractstaticmethod") {
        Receiver::None
    } else if has("classmethod")
        || has("abstractclassmethod")
        || matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__")
    {
        Receiver::ClassParameter
    } else {
        Receiver::InstanceParameter
    }
}
