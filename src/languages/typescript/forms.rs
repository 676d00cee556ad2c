//! Types as written → forms.

use super::functions::TypeParametersOf;
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    /// A type annotation (`: T`), or a type itself.
    pub(super) fn annotation(&mut self, kid: Kid<'t>) -> FormId {
        match kid.kind {
            Kind::TypeAnnotation | Kind::Other => self.inner_form(kid).unwrap_or_else(|| self.b.form(Form::Unknown)),
            _ => self.form(kid),
        }
    }

    /// The type inside a node that only wraps it.
    pub(super) fn inner_form(&mut self, kid: Kid<'t>) -> Option<FormId> {
        let kids = self.open(kid.node);
        let inner = self.inner(kids).map(|inner| self.form(inner));
        self.close(kids);
        inner
    }

    pub(super) fn builtin(&mut self, name: &str, arguments: Vec<FormId>) -> FormId {
        let name = self.b.name(name);
        self.b.form(Form::Builtin { name, arguments: arguments.into() })
    }

    pub(super) fn form(&mut self, kid: Kid<'t>) -> FormId {
        let form = self.deeper(kid.node, |walk| walk.form_here(kid));
        form.unwrap_or_else(|| self.b.form(Form::Unknown))
    }

    fn form_here(&mut self, kid: Kid<'t>) -> FormId {
        match kid.kind {
            Kind::TypeIdentifier | Kind::Identifier => self.named_type(kid),
            Kind::NestedTypeIdentifier | Kind::NestedIdentifier => self.nested_type(kid),
            Kind::PredefinedType => self.predefined(kid),
            Kind::GenericType => self.generic(kid),
            Kind::ArrayType => {
                let element = self.inner_form(kid).into_iter().collect();
                self.builtin("Array", element)
            }
            Kind::UnionType | Kind::IntersectionType => self.several(kid),
            Kind::ParenthesizedType | Kind::ReadonlyType | Kind::TypeAnnotation => {
                self.inner_form(kid).unwrap_or_else(|| self.b.form(Form::Unknown))
            }
            Kind::OptionalType | Kind::FlowMaybeType => {
                let inner = self.inner_form(kid);
                let none = self.b.form(Form::None);
                let parts: Vec<FormId> = inner.into_iter().chain([none]).collect();
                self.b.form(Form::Union(parts.into()))
            }
            Kind::RestType => {
                let inner = self.inner_form(kid).unwrap_or_else(|| self.b.form(Form::Unknown));
                self.b.form(Form::Rest(inner))
            }
            Kind::TupleType => self.tuple(kid),
            Kind::FunctionType => self.function_type(kid, Field::ReturnType, Form::Function),
            Kind::ConstructorType => self.function_type(kid, Field::Type, Form::Construct),
            Kind::ObjectType => self.object_type(kid),
            Kind::LiteralType => self.literal_type(kid),
            Kind::Null | Kind::Undefined => self.b.form(Form::None),
            Kind::TemplateLiteralType => {
                self.walk_types(kid);
                self.builtin("String", Vec::new())
            }
            Kind::ThisType | Kind::This => self.b.form(Form::SelfType),
            Kind::TypeQuery => self.type_query(kid),
            Kind::LookupType => self.lookup(kid),
            Kind::ConditionalType => self.conditional(kid),
            Kind::TypePredicate | Kind::TypePredicateAnnotation | Kind::Asserts | Kind::AssertsAnnotation => {
                self.walk_types(kid);
                self.builtin("Boolean", Vec::new())
            }
            Kind::CallExpression | Kind::MemberExpression => self.imported_type(kid),
            Kind::InferType => self.b.form(Form::Unknown),
            _ => {
                self.walk_types(kid);
                self.b.form(Form::Unknown)
            }
        }
    }

    /// Reads the types inside a node whose own meaning is not known, for the names they use.
    fn walk_types(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        for at in kids.all() {
            let part = self.kid(at);
            match part.kind {
                Kind::StringFragment | Kind::PropertyIdentifier | Kind::Identifier => {}
                _ if part.node.is_named() => {
                    self.form(part);
                }
                _ => {}
            }
        }
        self.close(kids);
    }

    // ------------------------------------------------------------------------------------------------------ names

    fn uses_type(&mut self, form: FormId, kid: Kid<'t>) {
        let place = self.place(kid.node);
        self.b.reference(RefKind::Annotation, RefTarget::Form(form), place);
    }

    fn named_type(&mut self, kid: Kid<'t>) -> FormId {
        let text = self.text(kid.node);
        if text == "bigint" {
            return self.builtin("BigInt", Vec::new());
        }
        if text == "undefined" {
            return self.b.form(Form::None);
        }
        let expr = self.type_name(kid);
        let form = self.b.form(Form::Name(expr));
        self.uses_type(form, kid);
        form
    }

    fn type_name(&mut self, kid: Kid<'t>) -> ExprId {
        let name = self.name(kid.node);
        if self.is_javascript { self.b.use_type_or_value(name) } else { self.b.use_type_name(name) }
    }

    /// `ns.Type`, `ns.inner.Type`
    fn nested_type(&mut self, kid: Kid<'t>) -> FormId {
        let last = self.child(kid.node, Field::Name).unwrap_or(kid.node);
        if self.text(kid.node).starts_with("import(") {
            return self.qualified_import(kid);
        }
        let expr = self.qualified(kid);
        let form = self.b.form(Form::Name(expr));
        self.uses_type(form, self.lone(last));
        form
    }

    /// `import("m").A.B` that the parser took for a dotted name (see `source`).
    fn qualified_import(&mut self, kid: Kid<'t>) -> FormId {
        let text = self.text(kid.node);
        let parts = text.strip_prefix("import(").and_then(|text| text.rsplit_once(')'));
        let Some((module, path)) = parts else { return self.b.form(Form::Unknown) };
        let module = self.expression_import(module.trim_matches(['"', '\'']), kid.node);
        let path = path.split('.').filter(|part| !part.is_empty()).map(|part| self.b.name(part)).collect();
        let form = self.b.form(Form::Imported { module, path });
        let last = self.child(kid.node, Field::Name).unwrap_or(kid.node);
        self.uses_type(form, self.lone(last));
        form
    }

    /// A dotted name whose first part is a namespace.
    pub(super) fn qualified(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let base = self.field(kids, Field::Module).or_else(|| self.field(kids, Field::Object));
        let name = self.field(kids, Field::Name).or_else(|| self.field(kids, Field::Property));
        let expr = match (base, name) {
            (Some(base), Some(name)) => {
                let name = self.name(name.node);
                let base = self.deeper(base.node, |walk| walk.qualified(base)).unwrap_or(self.unknown);
                self.b.expr(Expr::Attribute { base, name })
            }
            _ => {
                let expr = self.type_name(kid);
                self.read(expr, kid.node);
                expr
            }
        };
        self.close(kids);
        expr
    }

    fn generic(&mut self, kid: Kid<'t>) -> FormId {
        let kids = self.open(kid.node);
        let base = self.field(kids, Field::Name).map(|name| self.form(name));
        let arguments = self.field(kids, Field::TypeArguments).map(|list| self.type_arguments(list));
        self.close(kids);
        match base {
            Some(base) => self.b.form(Form::Apply { base, arguments: arguments.unwrap_or_default().into() }),
            None => self.b.form(Form::Unknown),
        }
    }

    pub(super) fn type_arguments(&mut self, kid: Kid<'t>) -> Vec<FormId> {
        let kids = self.open(kid.node);
        let mut forms = Vec::new();
        for at in kids.all() {
            let part = self.kid(at);
            forms.push(self.form(part));
        }
        self.close(kids);
        forms
    }

    fn predefined(&mut self, kid: Kid<'t>) -> FormId {
        match self.text(kid.node) {
            "string" => self.builtin("String", Vec::new()),
            "number" => self.builtin("Number", Vec::new()),
            "boolean" => self.builtin("Boolean", Vec::new()),
            "void" => self.b.form(Form::None),
            "never" => self.b.form(Form::Union(Box::default())),
            text if text.ends_with("symbol") => self.builtin("Symbol", Vec::new()),
            _ => self.b.form(Form::Unknown),
        }
    }

    fn literal_type(&mut self, kid: Kid<'t>) -> FormId {
        let Some(inner) = self.inner_of(kid) else { return self.b.form(Form::Unknown) };
        let value = match inner.kind {
            Kind::String => self.string_literal(inner.node),
            Kind::Number => self.number(inner.node),
            Kind::True => self.literal(Literal::Boolean(true)),
            Kind::False => self.literal(Literal::Boolean(false)),
            Kind::Null | Kind::Undefined => return self.b.form(Form::None),
            _ => self.literal(Literal::Float),
        };
        match *self.b.read().expr(value) {
            Expr::Literal(literal) => self.b.form(Form::Literal(literal)),
            _ => self.b.form(Form::Unknown),
        }
    }

    // ------------------------------------------------------------------------------------------------ compositions

    /// `A | B | C` is a chain to the left.
    fn several(&mut self, kid: Kid<'t>) -> FormId {
        let mut parts = Vec::new();
        let mut chain = kid.node;
        let mut rest = Vec::new();
        loop {
            let kids = self.open(chain);
            let named: Vec<Kid<'t>> = kids.all().map(|at| self.kid(at)).filter(|part| part.node.is_named()).collect();
            self.close(kids);
            match named[..] {
                [first, last] => {
                    rest.push(last);
                    if first.kind == kid.kind {
                        chain = first.node;
                        continue;
                    }
                    rest.push(first);
                }
                [only] if only.kind == kid.kind => {
                    chain = only.node;
                    continue;
                }
                _ => rest.extend(named),
            }
            break;
        }
        for part in rest.into_iter().rev() {
            parts.push(self.form(part));
        }
        let parts = parts.into();
        self.b.form(if kid.kind == Kind::UnionType { Form::Union(parts) } else { Form::Intersection(parts) })
    }

    fn tuple(&mut self, kid: Kid<'t>) -> FormId {
        let kids = self.open(kid.node);
        let mut parts = Vec::new();
        for at in kids.all() {
            let part = self.kid(at);
            parts.push(match part.kind {
                Kind::RequiredParameter | Kind::OptionalParameter => self.tuple_member(part),
                _ => self.form(part),
            });
        }
        self.close(kids);
        self.b.form(Form::Tuple(parts.into()))
    }

    /// `[first: A, ...rest: B[]]`
    fn tuple_member(&mut self, kid: Kid<'t>) -> FormId {
        let kids = self.open(kid.node);
        let rest = self.has(kids, Kind::RestPattern);
        let form = self.field(kids, Field::Type).map(|written| self.annotation(written));
        self.close(kids);
        let form = form.unwrap_or_else(|| self.b.form(Form::Unknown));
        if rest { self.b.form(Form::Rest(form)) } else { form }
    }

    fn function_type(&mut self, kid: Kid<'t>, result: Field, form: fn(FunctionId) -> Form) -> FormId {
        let kids = self.open(kid.node);
        let id = self.signature(kids, None, result);
        self.close(kids);
        self.b.form(form(id))
    }

    /// `{ a: T; m(): U }`, or a mapped type.
    fn object_type(&mut self, kid: Kid<'t>) -> FormId {
        if let Some(mapped) = self.mapped(kid) {
            return mapped;
        }
        let name = self.b.name("");
        let (rows, doc) = (self.rows.take(), std::mem::take(&mut self.doc));
        let parent = self.owner();
        let flags = Flags::HIDDEN.with(Flags::INTERFACE);
        let def = self.define(New { name, kind: DefKind::Class, parent, at: kid.node, whole: kid.node, flags });
        let class = self.structure(def, kid, None);
        (self.rows, self.doc) = (rows, doc);
        self.b.form(Form::Object(class))
    }

    /// `{ [K in keyof T]: V }`
    fn mapped(&mut self, kid: Kid<'t>) -> Option<FormId> {
        let kids = self.open(kid.node);
        let signature = self.of_kind(kids, Kind::IndexSignature);
        self.close(kids);
        let kids = self.open(signature?.node);
        let Some(clause) = self.of_kind(kids, Kind::MappedTypeClause) else {
            self.close(kids);
            return None;
        };
        self.b.push_scope(ScopeKind::TypeParameters);
        let inner = self.open(clause.node);
        if let Some(name) = self.field(inner, Field::Name) {
            let name = self.name(name.node);
            self.b.bind(name, Value::Unknown, None, None, Space::Type);
        }
        let of = self.field(inner, Field::Type).and_then(|keys| match keys.kind {
            Kind::IndexTypeQuery => self.inner_form(keys),
            _ => {
                self.form(keys);
                None
            }
        });
        self.close(inner);
        let value = self.field(kids, Field::Type).map(|value| self.annotation(value));
        self.b.pop_scope();
        self.close(kids);
        let value = value.unwrap_or_else(|| self.b.form(Form::Unknown));
        Some(self.b.form(Form::Mapped { of, value }))
    }

    // ------------------------------------------------------------------------------------------------- other forms

    /// `typeof x`, `typeof import("m")`
    fn type_query(&mut self, kid: Kid<'t>) -> FormId {
        let Some(inner) = self.inner_of(kid) else { return self.b.form(Form::Unknown) };
        let expr = match inner.kind {
            Kind::Identifier => self.identifier(inner.node, true),
            Kind::MemberExpression => self.member(inner, true),
            Kind::This => self.this(),
            Kind::CallExpression => match self.import_text(inner) {
                Some(module) => {
                    let import = self.expression_import(module, inner.node);
                    self.b.expr(Expr::Module(import))
                }
                None => self.unknown,
            },
            Kind::InstantiationExpression | Kind::SubscriptExpression => self.expr(inner),
            _ => self.unknown,
        };
        self.b.form(Form::TypeOf(expr))
    }

    /// `T["key"]`, `T[number]`
    fn lookup(&mut self, kid: Kid<'t>) -> FormId {
        let kids = self.open(kid.node);
        let parts: Vec<Kid<'t>> = kids.all().map(|at| self.kid(at)).filter(|part| part.node.is_named()).collect();
        self.close(kids);
        let [of, key] = parts[..] else { return self.b.form(Form::Unknown) };
        let of = self.form(of);
        let key = self.form(key);
        match *self.b.read().form(key) {
            Form::Literal(Literal::Text(key)) => self.b.form(Form::Indexed { of, key }),
            _ => self.b.form(Form::Element(of)),
        }
    }

    fn conditional(&mut self, kid: Kid<'t>) -> FormId {
        let kids = self.open(kid.node);
        for field in [Field::Left, Field::Right] {
            if let Some(part) = self.field(kids, field) {
                self.form(part);
            }
        }
        let yes = self.field(kids, Field::Consequence).map(|part| self.form(part));
        let no = self.field(kids, Field::Alternative).map(|part| self.form(part));
        self.close(kids);
        match (yes, no) {
            (Some(yes), Some(no)) => self.b.form(Form::Conditional(yes, no)),
            _ => self.b.form(Form::Unknown),
        }
    }

    /// `import("m").A.B`
    fn imported_type(&mut self, kid: Kid<'t>) -> FormId {
        let mut path = Vec::new();
        let mut node = kid.node;
        while self.lone(node).kind == Kind::MemberExpression {
            let (Some(object), Some(property)) = (self.child(node, Field::Object), self.child(node, Field::Property))
            else {
                break;
            };
            path.push(property);
            node = object;
        }
        let Some(module) = self.import_text(self.lone(node)) else { return self.b.form(Form::Unknown) };
        let module = self.expression_import(module, node);
        let last = path.first().copied();
        let path: Vec<Name> = path.into_iter().rev().map(|part| self.name(part)).collect();
        let form = self.b.form(Form::Imported { module, path: path.into() });
        if let Some(last) = last {
            self.uses_type(form, self.lone(last));
        }
        form
    }

    // ----------------------------------------------------------------------------------------------------- aliases

    /// `type A<T> = …`
    pub(super) fn type_alias(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let (Some(name_kid), Some(value)) = (self.field(kids, Field::Name), self.field(kids, Field::Value)) else {
            return self.close(kids);
        };
        let name = self.name(name_kid.node);
        let structure = value.kind == Kind::ObjectType && {
            let inside = self.open(value.node);
            let signature = self.of_kind(inside, Kind::IndexSignature);
            self.close(inside);
            !signature.is_some_and(|signature| self.text(signature.node).contains(" in "))
        };
        let kind = if structure { DefKind::Class } else { DefKind::Symbol };
        let flags =
            flags.with(self.namespace_flags()).with(if structure { Flags::INTERFACE } else { Flags::default() });
        let parent = self.owner();
        let def = self.define(New { name, kind, parent, at: name_kid.node, whole: kid.node, flags });
        self.b.bind(name, Value::Definition(def), None, Some(def), Space::Type);
        self.sign(def, value.node.byte_range());
        let generics = self.field(kids, Field::TypeParameters).map_or(0..0, |list| list.node.byte_range());
        self.measure(def, [generics, 0..0], value.node.byte_range());
        self.b.push_owner(def);
        if structure {
            self.structure(def, value, Some(kids));
        } else {
            let generic = self.type_parameters(kids, TypeParametersOf::Alias(def));
            let form = self.form(value);
            self.definition(def).alias = Some(form);
            if generic {
                self.b.pop_scope();
            }
        }
        self.b.pop_owner();
        self.close(kids);
    }
}
