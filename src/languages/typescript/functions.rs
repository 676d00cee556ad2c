//! Functions of every form: declarations, expressions, arrows, methods, accessors, signatures.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

/// Who owns the `this` of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnThis {
    /// An arrow: what `this` means around it.
    Around,
    /// A plain function: whoever calls it.
    Caller,
    Class {
        class: ClassId,
        is_static: bool,
    },
    Object(ObjectId),
}

/// What a function is made with.
#[derive(Clone, Copy)]
pub(super) struct FunctionContext {
    pub(super) definition: Option<DefId>,
    pub(super) this: OwnThis,
    /// A type that is given from outside.
    pub(super) contextual: Option<FormId>,
    /// JSDoc with `@param` and `@returns`.
    pub(super) doc: Doc,
}

impl FunctionContext {
    /// Of a function that no definition names.
    pub(super) fn anonymous(contextual: Option<FormId>) -> FunctionContext {
        FunctionContext { definition: None, this: OwnThis::Caller, contextual, doc: Doc::default() }
    }

    /// Of a plain function with a name.
    pub(super) fn of(definition: DefId, doc: Doc) -> FunctionContext {
        FunctionContext { definition: Some(definition), this: OwnThis::Caller, contextual: None, doc }
    }
}

/// Whether a node is a function as a value.
pub(super) fn is_function(kind: Kind) -> bool {
    matches!(kind, Kind::ArrowFunction | Kind::FunctionExpression | Kind::GeneratorFunction)
}

impl<'t> Walk<'t> {
    /// `function f() {}`, `function f(): T;`
    pub(super) fn function_declaration(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let Some(name_kid) = self.field(kids, Field::Name) else { return self.leave_unnamed(kid, kids) };
        let name = self.name(name_kid.node);
        let doc = self.doc;
        let mut flags = flags;
        if kid.kind == Kind::FunctionSignature {
            flags |= Flags::OVERLOAD;
        }
        let parent = self.owner();
        let def = self.define(New {
            name,
            kind: DefKind::Function,
            parent,
            at: name_kid.node,
            whole: kid.node,
            flags: flags.with(self.namespace_flags()),
        });
        self.b.bind(name, Value::Definition(def), None, Some(def), Space::Value);
        self.function_of(kid, kids, FunctionContext::of(def, doc));
        self.close(kids);
    }

    fn leave_unnamed(&mut self, kid: Kid<'t>, kids: Kids) {
        self.function_of(kid, kids, FunctionContext::anonymous(None));
        self.close(kids);
    }

    /// A function expression or arrow as a value.
    pub(super) fn function_value(&mut self, kid: Kid<'t>, context: FunctionContext) -> FunctionId {
        let kids = self.open(kid.node);
        let mut context = context;
        let own_name = self.field(kids, Field::Name).filter(|_| kid.kind != Kind::ArrowFunction);
        if let Some(own) = own_name.filter(|_| context.definition.is_none()) {
            let name = self.name(own.node);
            let parent = self.owner();
            let flags = Flags::default();
            let doc = self.doc;
            let def = self.define(New { name, kind: DefKind::Function, parent, at: own.node, whole: kid.node, flags });
            context.definition = Some(def);
            context.doc = doc;
        }
        if kid.kind == Kind::ArrowFunction {
            context.this = OwnThis::Around;
        }
        let id = self.function_of(kid, kids, context);
        self.close(kids);
        id
    }

    /// Walks a function whose children are listed.
    pub(super) fn function_of(&mut self, kid: Kid<'t>, kids: Kids, context: FunctionContext) -> FunctionId {
        let is_async = self.has(kids, Kind::AsyncWord);
        let is_generator = self.has(kids, Kind::Star)
            || matches!(kid.kind, Kind::GeneratorFunction | Kind::GeneratorFunctionDeclaration);
        let id = self.new_function(&context, is_async, is_generator);
        if let Some(def) = context.definition {
            let flags = if is_async { Flags::ASYNC } else { Flags::default() };
            self.mark(def, flags);
            self.definition(def).function = Some(id);
            self.b.push_owner(def);
            self.measure_function(def, kid.node, kids);
        }
        let generic = self.type_parameters(kids, TypeParametersOf::Function(id));
        let scope = self.b.push_scope(ScopeKind::Function);
        self.function_mut(id).scope = Some(scope);
        let arrow = context.this == OwnThis::Around;
        if !arrow {
            let mut home = self.home_of(id, context.this);
            if let Some(form) = self.jsdoc_this(context.doc) {
                home.this = This::Annotated(form);
            }
            self.homes.push(home);
        }
        self.functions.push(OpenFunction { named: context.definition.is_some(), ..OpenFunction::default() });
        self.bind_own_name(kid, kids, context.definition);
        self.parameters(id, kids, context.definition, context.doc);
        self.result(id, kids, context.doc);
        if let Some(open) = self.functions.last_mut() {
            open.result = self.b.read().function(id).result.filter(|_| !is_async && !is_generator);
        }
        if let Some(body) = self.field(kids, Field::Body) {
            self.function_body(body);
        }
        let open = self.functions.pop().unwrap_or_default();
        let function = self.function_mut(id);
        if function.result.is_none() {
            function.returns = open.returns;
            function.yields = open.yields;
        }
        if !arrow {
            self.homes.pop();
        }
        self.b.pop_scope();
        if generic {
            self.b.pop_scope();
        }
        if context.definition.is_some() {
            self.b.pop_owner();
        }
        id
    }

    fn new_function(&mut self, context: &FunctionContext, is_async: bool, is_generator: bool) -> FunctionId {
        let around = self.home();
        let (receiver, this_class, this_object) = match context.this {
            OwnThis::Around => (Receiver::None, around.class, around.object),
            OwnThis::Caller => (Receiver::This, None, None),
            OwnThis::Class { class, .. } => (Receiver::This, Some(class), None),
            OwnThis::Object(object) => (Receiver::This, None, Some(object)),
        };
        self.b.function(Function {
            definition: context.definition,
            receiver,
            is_async,
            is_generator,
            contextual: context.contextual,
            this_class,
            this_object,
            ..Function::default()
        })
    }

    fn home_of(&self, id: FunctionId, this: OwnThis) -> Home {
        let home = Home { this: This::Of(id), class: None, object: None, is_static: false };
        match this {
            OwnThis::Class { class, is_static } => Home { class: Some(class), is_static, ..home },
            OwnThis::Object(object) => Home { object: Some(object), ..home },
            OwnThis::Around | OwnThis::Caller => home,
        }
    }

    /// A function expression sees itself under its own name.
    fn bind_own_name(&mut self, kid: Kid<'t>, kids: Kids, definition: Option<DefId>) {
        if !matches!(kid.kind, Kind::FunctionExpression | Kind::GeneratorFunction) {
            return;
        }
        if let (Some(own), Some(def)) = (self.field(kids, Field::Name), definition) {
            let name = self.name(own.node);
            self.b.bind(name, Value::Definition(def), None, Some(def), Space::Value);
        }
    }

    fn function_body(&mut self, body: Kid<'t>) {
        if body.kind == Kind::StatementBlock {
            self.deeper(body.node, |walk| {
                let kids = walk.open(body.node);
                walk.statements(kids);
                walk.close(kids);
            });
            return;
        }
        self.return_value(body);
    }

    /// What the innermost function gives back.
    pub(super) fn return_value(&mut self, value: Kid<'t>) {
        let core = self.core(value);
        let named = self.functions.last().is_some_and(|open| open.named);
        self.returned = (named && core.kind == Kind::Object).then(|| core.node.id());
        let contextual = self.functions.last().and_then(|open| open.result);
        let value = self.expr_as(value, contextual);
        self.returned = None;
        if let Some(open) = self.functions.last_mut() {
            open.returns.push(value);
        }
    }

    /// Signature: what stands between the name and the body. Body: the rest.
    pub(super) fn measure_function(&mut self, def: DefId, node: Node<'t>, kids: Kids) {
        let body = self.field(kids, Field::Body).map(|body| body.node.byte_range());
        let end = body.as_ref().map_or(node.end_byte(), |body| body.start);
        let from = [Field::TypeParameters, Field::Parameters, Field::Parameter];
        let start = from.iter().find_map(|&field| self.field(kids, field)).map_or(end, |kid| kid.node.start_byte());
        let modifiers = match self.field(kids, Field::Name) {
            Some(name) => node.start_byte()..name.node.start_byte(),
            None => node.start_byte()..start,
        };
        let shown = self.field(kids, Field::ReturnType).or_else(|| self.field(kids, Field::Parameters));
        let shown = shown.or_else(|| self.field(kids, Field::Parameter)).map_or(start, |kid| kid.node.end_byte());
        self.sign(def, start..shown.max(start));
        self.measure(def, [modifiers, start..end], body.unwrap_or(end..end));
    }

    // ------------------------------------------------------------------------------------------------ parameters

    /// The parameters of a function, bound in its scope. Annotations belong to the function; default values to what is
    /// around it.
    fn parameters(&mut self, id: FunctionId, kids: Kids, definition: Option<DefId>, doc: Doc) {
        if let Some(single) = self.field(kids, Field::Parameter) {
            self.parameter(id, single, definition, doc);
        }
        let Some(list) = self.field(kids, Field::Parameters) else { return };
        let list = self.open(list.node);
        for at in list.all() {
            let kid = self.kid(at);
            self.parameter(id, kid, definition, doc);
        }
        self.close(list);
    }

    fn parameter(&mut self, id: FunctionId, kid: Kid<'t>, definition: Option<DefId>, doc: Doc) {
        let kids = self.open(kid.node);
        let typed = matches!(kid.kind, Kind::RequiredParameter | Kind::OptionalParameter);
        let (pattern, default) = match kid.kind {
            Kind::RequiredParameter | Kind::OptionalParameter => {
                (self.field(kids, Field::Pattern), self.field(kids, Field::Value))
            }
            Kind::AssignmentPattern => (self.field(kids, Field::Left), self.field(kids, Field::Right)),
            Kind::Identifier | Kind::ObjectPattern | Kind::ArrayPattern | Kind::RestPattern => (Some(kid), None),
            Kind::Error => {
                self.unread(kid);
                (None, None)
            }
            _ => (None, None),
        };
        let Some(pattern) = pattern else { return self.close(kids) };
        if typed {
            self.decorators(kids, definition);
        }
        let written = self.field(kids, Field::Type).filter(|_| typed);
        let annotation = written.map(|annotation| self.annotation(annotation));
        if pattern.kind == Kind::This {
            if let (Some(home), Some(form)) = (self.homes.last_mut(), annotation) {
                home.this = This::Annotated(form);
            }
            return self.close(kids);
        }
        let (pattern, kind) = match pattern.kind {
            Kind::RestPattern => (self.inner_of(pattern), ParameterKind::Rest),
            _ => (Some(pattern), ParameterKind::PositionalOnly),
        };
        let index = self.b.read().function(id).parameters.len() as u32;
        let name = match pattern {
            Some(pattern) if pattern.kind == Kind::Identifier => self.name(pattern.node),
            _ => self.b.name(""),
        };
        let (annotation, optional) = match annotation {
            Some(form) => (Some(form), false),
            None => self.jsdoc_parameter(doc, name, index),
        };
        let default = default.map(|default| self.default_value(default, annotation, definition));
        self.function_mut(id).parameters.push(Parameter {
            name,
            kind,
            annotation,
            default,
            optional: optional || kid.kind == Kind::OptionalParameter,
        });
        if let Some(pattern) = pattern {
            self.bind_parameter(id, index, name, pattern);
        }
        if typed {
            self.parameter_property(id, index, kid, kids, annotation);
        }
        self.close(kids);
    }

    fn default_value(&mut self, kid: Kid<'t>, annotation: Option<FormId>, definition: Option<DefId>) -> ExprId {
        if definition.is_some() {
            self.b.pop_owner();
        }
        let value = self.expr_as(kid, annotation);
        if let Some(def) = definition {
            self.b.push_owner(def);
        }
        value
    }

    fn bind_parameter(&mut self, id: FunctionId, index: u32, name: Name, pattern: Kid<'t>) {
        if pattern.kind == Kind::Identifier {
            self.b.bind(name, Value::Parameter(id, index), None, None, Space::Value);
        } else {
            let whole = self.b.expr(Expr::Parameter(id, index));
            self.bind_pattern(pattern, whole, super::bindings::Declares::Local);
        }
    }

    /// `constructor(private readonly repo: Repo)` declares a field.
    fn parameter_property(&mut self, id: FunctionId, index: u32, kid: Kid<'t>, kids: Kids, annotation: Option<FormId>) {
        let Some(pattern) = self.field(kids, Field::Pattern).filter(|kid| kid.kind == Kind::Identifier) else { return };
        let modified = self.has(kids, Kind::AccessibilityModifier)
            || self.slice(kid.node.start_byte()..pattern.node.start_byte()).contains("readonly")
            || self.slice(kid.node.start_byte()..pattern.node.start_byte()).contains("override");
        let Some(class) = self.b.read().function(id).this_class.filter(|_| modified) else { return };
        let name = self.name(pattern.node);
        let parent = Some(self.b.read().class(class).definition);
        let flags = Flags::INSTANCE_FIELD.with(Flags::FIELD_PARAMETER);
        let (rows, doc) = (self.rows.take(), std::mem::replace(&mut self.doc, kid.doc));
        let def = self.define(New { name, kind: DefKind::Symbol, parent, at: pattern.node, whole: kid.node, flags });
        (self.rows, self.doc) = (rows, doc);
        let typed = self.field(kids, Field::Type).map_or(0..0, |kid| kid.node.byte_range());
        self.sign(def, typed.clone());
        self.measure(def, [typed, 0..0], 0..0);
        let value = Some(self.b.expr(Expr::Parameter(id, index)));
        self.class_mut(class).members.push(Member { name, definition: def, is_static: false, annotation, value });
    }

    // ---------------------------------------------------------------------------------------------------- result

    fn result(&mut self, id: FunctionId, kids: Kids, doc: Doc) {
        match self.field(kids, Field::ReturnType) {
            Some(annotation) => {
                let (form, guard) = self.result_form(id, annotation);
                let function = self.function_mut(id);
                function.result = Some(form);
                function.guard = guard;
            }
            None => {
                let form = self.jsdoc_result(doc);
                self.function_mut(id).result = form;
            }
        }
    }

    /// A result as written: a type, `x is T`, `asserts x is T`.
    pub(super) fn result_form(
        &mut self,
        id: FunctionId,
        annotation: Kid<'t>,
    ) -> (FormId, Option<(Option<u32>, FormId)>) {
        let mut at = annotation;
        let mut asserts = false;
        loop {
            asserts |= at.kind == Kind::Asserts;
            match at.kind {
                Kind::TypePredicate => return self.predicate(id, at, asserts),
                Kind::TypePredicateAnnotation | Kind::AssertsAnnotation | Kind::Asserts => match self.inner_of(at) {
                    Some(inner) => at = inner,
                    None => break,
                },
                _ => break,
            }
        }
        if asserts {
            // `asserts x`: the walk narrows by the condition itself.
            return (self.b.form(Form::None), None);
        }
        (self.annotation(at), None)
    }

    fn predicate(&mut self, id: FunctionId, kid: Kid<'t>, asserts: bool) -> (FormId, Option<(Option<u32>, FormId)>) {
        let kids = self.open(kid.node);
        let name = self.field(kids, Field::Name);
        let form = self.field(kids, Field::Type).map(|kid| self.form(kid));
        self.close(kids);
        let result = if asserts { self.b.form(Form::None) } else { self.builtin("Boolean", Vec::new()) };
        let (Some(name), Some(form)) = (name, form) else { return (result, None) };
        if name.kind == Kind::This {
            return (result, Some((None, form)));
        }
        let name = self.name(name.node);
        let parameters = &self.b.read().function(id).parameters;
        let index = parameters.iter().position(|parameter| parameter.name == name);
        (result, index.map(|index| (Some(index as u32), form)))
    }

    // ------------------------------------------------------------------------------------------------ signatures

    /// A function without a body inside a type: its parameters are not bound. `result` is the field of its result.
    pub(super) fn signature(&mut self, kids: Kids, definition: Option<DefId>, result: Field) -> FunctionId {
        let context = FunctionContext { definition, this: OwnThis::Around, contextual: None, doc: Doc::default() };
        let id = self.new_function(&context, false, false);
        let generic = self.type_parameters(kids, TypeParametersOf::Function(id));
        if let Some(list) = self.field(kids, Field::Parameters) {
            let list = self.open(list.node);
            for at in list.all() {
                let kid = self.kid(at);
                self.signature_parameter(id, kid);
            }
            self.close(list);
        }
        if let Some(annotation) = self.field(kids, result) {
            let (form, guard) = self.result_form(id, annotation);
            let function = self.function_mut(id);
            function.result = Some(form);
            function.guard = guard;
        }
        if generic {
            self.b.pop_scope();
        }
        id
    }

    fn signature_parameter(&mut self, id: FunctionId, kid: Kid<'t>) {
        if !matches!(kid.kind, Kind::RequiredParameter | Kind::OptionalParameter) {
            return;
        }
        let kids = self.open(kid.node);
        let pattern = self.field(kids, Field::Pattern);
        let annotation = self.field(kids, Field::Type).map(|annotation| self.annotation(annotation));
        let (inner, kind) = match pattern {
            Some(rest) if rest.kind == Kind::RestPattern => (self.inner_of(rest), ParameterKind::Rest),
            other => (other, ParameterKind::PositionalOnly),
        };
        let name = match inner {
            Some(inner) if inner.kind == Kind::Identifier => self.name(inner.node),
            _ => self.b.name(""),
        };
        let optional = kid.kind == Kind::OptionalParameter;
        let is_this = pattern.is_some_and(|pattern| pattern.kind == Kind::This);
        if !is_this {
            self.function_mut(id).parameters.push(Parameter { name, kind, annotation, default: None, optional });
        }
        self.close(kids);
    }
}

/// Whose type parameters are listed.
#[derive(Clone, Copy)]
pub(super) enum TypeParametersOf {
    Function(FunctionId),
    Class(ClassId),
    Alias(DefId),
}

impl<'t> Walk<'t> {
    /// Opens a scope with the type parameters among the children, if there are any; the caller closes it.
    pub(super) fn type_parameters(&mut self, kids: Kids, of: TypeParametersOf) -> bool {
        let Some(list) = self.field(kids, Field::TypeParameters) else { return false };
        self.b.push_scope(ScopeKind::TypeParameters);
        let list = self.open(list.node);
        let mut index = 0;
        // All names first: a bound may speak of a later parameter.
        for at in list.all() {
            let kid = self.kid(at);
            if kid.kind == Kind::TypeParameter
                && let Some(name) = self.child(kid.node, Field::Name)
            {
                let name = self.name(name);
                let value = match of {
                    TypeParametersOf::Function(id) => Value::FunctionTypeParameter(id, index),
                    TypeParametersOf::Class(id) => Value::ClassTypeParameter(id, index),
                    TypeParametersOf::Alias(id) => Value::AliasTypeParameter(id, index),
                };
                self.b.bind(name, value, None, None, Space::Type);
                index += 1;
            }
        }
        for at in list.all() {
            let kid = self.kid(at);
            if kid.kind == Kind::TypeParameter {
                self.type_parameter(kid, of);
            }
        }
        self.close(list);
        true
    }

    fn type_parameter(&mut self, kid: Kid<'t>, of: TypeParametersOf) {
        let kids = self.open(kid.node);
        if let Some(name) = self.field(kids, Field::Name) {
            let name = self.name(name.node);
            let bound = self.field(kids, Field::Constraint).and_then(|kid| self.inner_form(kid));
            let default = self.field(kids, Field::Value).and_then(|kid| self.inner_form(kid));
            let parameter = TypeParameter { name, bound, default };
            match of {
                TypeParametersOf::Function(id) => self.function_mut(id).type_parameters.push(parameter),
                TypeParametersOf::Class(id) => self.class_mut(id).type_parameters.push(parameter),
                TypeParametersOf::Alias(_) => {}
            }
        }
        self.close(kids);
    }
}
