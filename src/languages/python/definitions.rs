//! Functions and classes of Python → definitions, functions, classes and their scopes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::digests::{self, documentation};
use super::expressions;
use super::extract::{ClassContext, FunctionContext, Walker};
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;
use crate::languages::{text, tokens};

/// Base classes that make an enum, by their last name (<https://docs.python.org/3/library/enum.html>).
const ENUMS: [&str; 6] = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"];

/// Decorators that make a constructor of a class's annotated fields: `dataclasses` and `attrs`
/// (<https://docs.python.org/3/library/dataclasses.html>, <https://www.attrs.org/en/stable/api.html>).
const FIELD_DECORATORS: [&str; 4] = ["dataclass", "define", "frozen", "mutable"];
/// The base that does the same.
const FIELD_BASE: &str = "NamedTuple";
/// Annotations of class attributes that are no fields.
const NO_FIELD: [&str; 2] = ["ClassVar", "KW_ONLY"];

/// A parameter's node and how its name is bound.
pub(super) struct BoundParameter {
    /// The identifier, or Python 2's tuple of names.
    target: N,
    annotation: Option<FormId>,
}

impl<'t> Walker<'t> {
    pub fn decorated(&mut self, n: N) {
        let children = self.named(n);
        let decorators: Vec<N> = children.iter().copied().filter(|c| self.kind(*c) == Kind::Decorator).collect();
        for child in children {
            match self.kind(child) {
                Kind::FunctionDefinition => self.function_definition(child, n, &decorators),
                Kind::ClassDefinition => self.class_definition(child, n, &decorators),
                Kind::Decorator => {}
                _ => self.statement(child),
            }
        }
    }

    /// The decorators' expressions. A bare decorator is a call; `@f(…)` is the call of `f` and nothing more.
    fn decorators(&mut self, decorators: &[N]) -> Vec<ExprId> {
        let mut out = Vec::with_capacity(decorators.len());
        for &decorator in decorators {
            let Some(&expression) = self.named(decorator).first() else { continue };
            if !matches!(self.kind(expression), Kind::Identifier | Kind::Attribute) {
                out.push(self.value(expression));
                continue;
            }
            let callee = self.unread(expression);
            let call = self.b.call(CallForm::Decorator, callee, &[], &[]);
            let call = self.b.expr(call);
            let place = self.last_place(expression);
            self.reference(RefKind::Call, RefTarget::Expr(call), place);
            out.push(callee);
        }
        out
    }

    /// The names of decorators: the last one of a chain, of the callee if it is a call.
    fn decorator_names(&self, decorators: &[N]) -> Vec<&'t str> {
        let mut names = Vec::with_capacity(decorators.len());
        for &decorator in decorators {
            let mut expression = self.named(decorator).first().copied();
            if let Some(call) = expression.filter(|expression| self.kind(*expression) == Kind::Call) {
                expression = self.named(call).first().copied();
            }
            names.extend(expression.and_then(|expression| self.last_name(expression)));
        }
        names
    }

    // ------------------------------------------------------------------------------------------ functions

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

    // -------------------------------------------------------------------------------------------- classes

    pub fn class_definition(&mut self, n: N, whole: N, decorators: &[N]) {
        let Some(name_node) = self.tree.child(n, Kind::Identifier) else { return self.inner_statements(n) };
        let name = self.name(name_node);
        let decorator_exprs = self.decorators(decorators);
        let given = self.tree.child(n, Kind::ArgumentList);
        let body = self.tree.child(n, Kind::Block);
        let mut definition = Definition::new(name, DefKind::Class, self.b.owner(), Flags::default());
        let mut description = self.description(DefKind::Class, n, whole);
        definition.decorators = decorator_exprs;
        if let Some(given) = given {
            description.signature = self.signature(given, None);
        }
        let definition = self.define(definition, description, name_node, whole);
        self.remember(name, definition);
        let id = self.b.class(Class {
            definition,
            scope: self.b.scope(),
            type_parameters: Vec::new(),
            bases: Vec::new(),
            base_values: Vec::new(),
            metaclass: None,
            members: Vec::new(),
            calls: Vec::new(),
            constructs: Vec::new(),
            index: None,
        });
        self.b.facts().surface.definitions[definition.index()].class = Some(id);
        let typed = self.type_parameters(n, definition, |walker, list| {
            walker.b.facts().surface.classes[id.index()].type_parameters = list;
            move |at| Value::ClassTypeParameter(id, at)
        });
        if let Some(given) = given {
            self.bases(id, definition, given);
        }
        self.b.push_owner(definition);
        let scope = self.b.push_scope(ScopeKind::Class);
        self.b.facts().surface.classes[id.index()].scope = scope;
        let (callables, variables) = body.map(|body| self.names_of_body(body)).unwrap_or_default();
        let members = FxHashMap::default();
        self.classes.push(ClassContext {
            id,
            definition,
            members,
            callables,
            variables,
            pending: Vec::new(),
            put: Vec::new(),
        });
        let loops = std::mem::take(&mut self.loops);
        if let Some(body) = body {
            self.block(body);
        }
        self.loops = loops;
        let context = self.classes.pop().expect("the class was entered");
        self.fill_fields(id, context.put);
        for (member, name) in context.pending {
            if let Some(&definition) = context.members.get(&name) {
                self.b.facts().surface.classes[id.index()].members[member].definition = definition;
            }
        }
        if self.decorator_names(decorators).iter().any(|name| FIELD_DECORATORS.contains(name))
            || given.is_some_and(|given| self.named(given).iter().any(|base| self.last_name(*base) == Some(FIELD_BASE)))
        {
            self.mark_fields(id);
        }
        self.b.pop_scope();
        self.b.pop_owner();
        if typed {
            self.b.pop_scope();
        }
        self.bind_definition(name_node, definition);
    }

    /// The annotated names of a class body are parameters of the constructor.
    fn mark_fields(&mut self, id: ClassId) {
        let facts = self.b.facts();
        let name_of = |facts: &Facts, mut form: FormId| loop {
            match facts.form(form) {
                Form::Apply { base, .. } => form = *base,
                Form::Name(expr) => match facts.expr(*expr) {
                    Expr::Name(used) => return Some(used.name),
                    Expr::Attribute { name, .. } => return Some(*name),
                    _ => return None,
                },
                _ => return None,
            }
        };
        let is_field = |facts: &Facts, member: &Member| {
            let name = member.annotation.map(|form| name_of(facts, form));
            name.is_some_and(|name| !name.is_some_and(|name| NO_FIELD.contains(&facts.text(name))))
        };
        let members = facts.class(id).members.iter();
        let fields: Vec<DefId> = members.filter(|one| is_field(facts, one)).map(|one| one.definition).collect();
        for field in fields {
            facts.surface.definitions[field.index()].flags |= Flags::FIELD_PARAMETER;
        }
    }

    fn bases(&mut self, id: ClassId, definition: DefId, given: N) {
        for argument in self.named(given) {
            match (self.kind(argument), &self.named(argument)[..]) {
                (Kind::Identifier | Kind::Attribute, _) | (Kind::Subscript, _) => {
                    let form = self.base_form(argument, definition);
                    self.b.facts().surface.classes[id.index()].bases.push(form);
                    if self.last_name(argument).is_some_and(|name| ENUMS.contains(&name)) {
                        self.b.facts().surface.definitions[definition.index()].flags |= Flags::ENUM;
                    }
                }
                (Kind::KeywordArgument, &[name, value]) => {
                    let value = self.value(value);
                    if self.text(name) == "metaclass" {
                        self.b.facts().surface.classes[id.index()].metaclass = Some(value);
                    }
                }
                _ => {
                    let value = self.value(argument);
                    self.b.facts().surface.classes[id.index()].base_values.push(value);
                }
            }
        }
    }

    /// The names that a class body binds: functions and classes, and variables; conditional ones too.
    fn names_of_body(&mut self, body: N) -> (FxHashSet<Name>, FxHashSet<Name>) {
        let (mut callables, mut variables) = (FxHashSet::default(), FxHashSet::default());
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            for statement in self.named(block) {
                match self.kind(statement) {
                    Kind::FunctionDefinition | Kind::ClassDefinition => {
                        if let Some(name) = self.tree.child(statement, Kind::Identifier) {
                            callables.insert(self.name(name));
                        }
                    }
                    Kind::DecoratedDefinition
                    | Kind::IfStatement
                    | Kind::ElifClause
                    | Kind::ElseClause
                    | Kind::TryStatement
                    | Kind::ExceptClause
                    | Kind::Block => blocks.push(statement),
                    Kind::ExpressionStatement => {
                        let Some(assignment) = self.tree.child(statement, Kind::Assignment) else { continue };
                        if let Some(target) = self.tree.child(assignment, Kind::Identifier) {
                            variables.insert(self.name(target));
                        }
                    }
                    _ => {}
                }
            }
        }
        (callables, variables)
    }

    // -------------------------------------------------------------------------------------- both, aliases

    fn description(&self, kind: DefKind, n: N, whole: N) -> Description {
        let body = self.tree.child(n, Kind::Block);
        let doc = body.and_then(|body| documentation(&self.tree, body)).map(|doc| documentation_text(self.text(doc)));
        let doc = doc.unwrap_or_default();
        let first_line = doc.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let digest = body.map(|body| digests::of_body(&self.tree, &self.tokens, body, kind == DefKind::Class));
        let head = self.tree.child(n, Kind::Identifier).unwrap_or(n);
        let decorators = self.tree.start(whole) as usize..self.tree.start(n) as usize;
        let signature = self.tree.end(head) as usize..self.tree.start(body.unwrap_or(n)) as usize;
        Description {
            signature: Box::default(),
            doc: text::doc_line(first_line),
            signature_digest: self.tokens.digest(&[decorators, signature]),
            doc_digest: tokens::text_digest(doc),
            body_digest: digest.as_ref().map(|digest| digest.body).unwrap_or_default(),
            sketch: digest.map(|digest| digest.sketch).unwrap_or_default(),
        }
    }

    fn define(&mut self, definition: Definition, description: Description, name: N, whole: N) -> DefId {
        let (first, last) = self.lines(whole);
        let place = DefinitionPlace { name: self.place(name), first, last };
        self.b.define(definition, description, place)
    }

    /// Later assignments to the name belong to this definition.
    fn remember(&mut self, name: Name, definition: DefId) {
        match self.scope_kind() {
            ScopeKind::Module => {
                self.module_names.entry(name).or_insert(definition);
            }
            ScopeKind::Class => {
                if let Some(class) = self.classes.last_mut() {
                    class.members.entry(name).or_insert(definition);
                }
            }
            _ => {}
        }
    }

    fn bind_definition(&mut self, name_node: N, definition: DefId) {
        let name = self.name(name_node);
        let value = Value::Definition(definition);
        if self.functions.last().is_some_and(|function| function.globals.contains(&name))
            && self.scope_kind() == ScopeKind::Function
        {
            let binding = self.b.bind_detached(self.b.module_scope(), name, value, None);
            self.b.facts().surface.bindings[binding.index()].definition = Some(definition);
        } else {
            self.b.bind(name, value, None, Some(definition), Space::Both);
        }
    }

    /// `(self, items: list[int]) -> Order`
    fn signature(&self, parameters: N, result: Option<N>) -> Box<str> {
        let mut out = String::new();
        self.tokens_of(parameters, &mut out);
        if let Some(result) = result {
            out.push_str(" -> ");
            self.tokens_of(result, &mut out);
        }
        text::signature_line(&out)
    }

    /// The tokens of a node in one line, comments and trailing commas left out.
    fn tokens_of(&self, n: N, out: &mut String) {
        let end = self.tree.after(n);
        let mut before = self.tree.start(n);
        let mut at = n;
        while at < end && out.len() <= SIGNATURE_BYTES {
            let whole = self.kind(at) == Kind::String;
            if !whole && !self.tree.is_leaf(at) {
                at = N(at.0 + 1);
                continue;
            }
            let next = self.tree.after(at);
            let closes = |n: N| matches!(self.kind(n), Kind::Close | Kind::CloseBracket | Kind::CloseBrace);
            let opened = out.ends_with(['(', '[', '{']) || out.is_empty();
            if self.tree.start(at) > before && !opened && !closes(at) && !out.ends_with(' ') {
                out.push(' ');
            }
            before = self.tree.end(at);
            if self.kind(at) != Kind::Comma || next >= end || !closes(next) {
                out.push_str(self.text(at));
            }
            at = next;
        }
    }

    /// Opens the scope of type parameters when there are any; the caller leaves it.
    pub fn type_parameters<F, G>(&mut self, n: N, owner: DefId, give: F) -> bool
    where
        F: FnOnce(&mut Self, Vec<TypeParameter>) -> G,
        G: Fn(u32) -> Value,
    {
        let Some(list) = self.tree.child(n, Kind::TypeParameter) else { return false };
        self.b.push_owner(owner);
        self.b.push_scope(ScopeKind::TypeParameters);
        let mut nodes: Vec<(Name, Option<N>)> = Vec::new();
        for parameter in self.named(list) {
            let inner = self.named(parameter).first().copied().unwrap_or(parameter);
            let parts = self.named(inner);
            let (head, bound) = match (self.kind(inner), &parts[..]) {
                (Kind::ConstrainedType, &[head, bound]) => {
                    (self.named(head).first().copied().unwrap_or(head), Some(bound))
                }
                _ => (inner, None),
            };
            let head = match self.kind(head) {
                Kind::SplatType | Kind::ListSplat => self.named(head).first().copied().unwrap_or(head),
                _ => head,
            };
            if self.kind(head) == Kind::Identifier {
                nodes.push((self.name(head), bound));
            }
        }
        let names: Vec<Name> = nodes.iter().map(|(name, _)| *name).collect();
        let empty = names.iter().map(|&name| TypeParameter { name, bound: None, default: None }).collect();
        let value = give(self, empty);
        for (at, &name) in names.iter().enumerate() {
            self.b.bind(name, value(at as u32), None, None, Space::Both);
        }
        for (at, (_, bound)) in nodes.into_iter().enumerate() {
            let Some(form) = bound.map(|bound| self.form(bound)) else { continue };
            let facts = self.b.facts();
            let list = match value(at as u32) {
                Value::FunctionTypeParameter(function, _) => {
                    &mut facts.surface.functions[function.index()].type_parameters
                }
                Value::ClassTypeParameter(class, _) => &mut facts.surface.classes[class.index()].type_parameters,
                _ => continue,
            };
            list[at].bound = Some(form);
        }
        self.b.pop_owner();
        true
    }

    /// `type X[T] = …`
    pub fn type_alias(&mut self, n: N) {
        let [left, right] = self.named(n)[..] else { return self.inner_statements(n) };
        let head = self.named(left).first().copied().unwrap_or(left);
        let name_node = match self.kind(head) {
            Kind::GenericType => self.named(head).first().copied().unwrap_or(head),
            _ => head,
        };
        if self.kind(name_node) != Kind::Identifier {
            return self.inner_statements(n);
        }
        let name = self.name(name_node);
        let parent = self.b.owner();
        let definition = self.variable(name, parent, name_node, n, Flags::default());
        if self.scope_kind() == ScopeKind::Function {
            self.b.facts().surface.definitions[definition.index()].flags |= Flags::HIDDEN;
        }
        self.remember(name, definition);
        let typed = self.type_parameters(head, definition, |_, _| move |at| Value::AliasTypeParameter(definition, at));
        let form = self.form(right);
        if typed {
            self.b.pop_scope();
        }
        self.b.facts().surface.definitions[definition.index()].alias = Some(form);
        self.bind_definition(name_node, definition);
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

/// A docstring without its prefix and quotes.
fn documentation_text(literal: &str) -> &str {
    expressions::content(literal).and_then(|(_, content)| literal.get(content)).unwrap_or_default()
}
