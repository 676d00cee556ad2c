//! Expressions: what each may be, and the names that it uses.

use tree_sitter::Node;

use super::functions::FunctionContext;
use super::kinds::{Field, Kind};
use super::lexer::Opaque;
use super::objects::Members;
use super::walk::*;
use crate::facts::*;

/// Longest string literal that is kept, in bytes: keys and discriminants are short.
const MAX_LITERAL_TEXT: usize = 64;

impl<'t> Walk<'t> {
    pub(super) fn expr(&mut self, kid: Kid<'t>) -> ExprId {
        self.expr_as(kid, None)
    }

    /// An expression where a type is expected: it types the parameters of functions in it.
    pub(super) fn expr_as(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        self.deeper(kid.node, |walk| walk.expr_here(kid, contextual)).unwrap_or(self.unknown)
    }

    fn expr_here(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        match kid.kind {
            Kind::Identifier | Kind::ShorthandProperty => self.identifier(kid.node, true),
            Kind::MemberExpression => self.member(kid, true),
            Kind::CallExpression => self.call(kid),
            Kind::NewExpression => self.new_expression(kid),
            Kind::String => self.string_literal(kid.node),
            Kind::Number => self.number(kid.node),
            Kind::True => self.literal(Literal::Boolean(true)),
            Kind::False => self.literal(Literal::Boolean(false)),
            Kind::Null | Kind::Undefined => self.literal(Literal::None),
            Kind::This => self.this(),
            Kind::Super => self.super_value(),
            Kind::ArrowFunction | Kind::FunctionExpression | Kind::GeneratorFunction => {
                self.function_expression(kid, contextual)
            }
            Kind::Object => self.object_expression(kid, contextual),
            Kind::Array => self.array(kid, contextual),
            Kind::ParenthesizedExpression => self.parenthesized(kid, contextual),
            Kind::BinaryExpression => self.binary(kid, contextual),
            Kind::TernaryExpression => self.ternary(kid, contextual),
            Kind::AssignmentExpression => self.assignment(kid),
            Kind::AugmentedAssignment => self.augmented(kid),
            Kind::AwaitExpression => self.wrapped(kid, Expr::Await),
            Kind::UnaryExpression => self.unary(kid),
            Kind::UpdateExpression => self.update(kid),
            Kind::SubscriptExpression => self.subscript(kid),
            Kind::TemplateString => self.template(kid),
            Kind::Regex => {
                self.opaque(kid.node, Opaque::Whole);
                self.literal(Literal::Regex)
            }
            Kind::AsExpression => self.cast(kid, true),
            Kind::SatisfiesExpression => self.cast(kid, false),
            Kind::TypeAssertion => self.type_assertion(kid),
            Kind::NonNullExpression => {
                let kids = self.open(kid.node);
                let inner = self.inner(kids).map(|inner| self.expr(inner));
                self.close(kids);
                inner.map_or(self.unknown, |of| self.b.narrowed(of, Test::Present))
            }
            Kind::InstantiationExpression => self.instantiation(kid),
            Kind::JsxElement | Kind::JsxSelfClosingElement => self.jsx(kid),
            Kind::JsxExpression | Kind::TemplateSubstitution => self.embedded(kid),
            Kind::JsxText => {
                self.opaque(kid.node, Opaque::Words);
                self.unknown
            }
            Kind::ClassExpression => self.class_expression(kid),
            Kind::YieldExpression => self.yield_expression(kid),
            Kind::SequenceExpression => self.sequence(kid, contextual),
            Kind::SpreadElement => self.wrapped(kid, Expr::Spread),
            Kind::InternalModule | Kind::Module => {
                self.namespace(kid, Flags::default());
                self.unknown
            }
            _ => {
                self.unread(kid);
                self.unknown
            }
        }
    }

    // ------------------------------------------------------------------------------------------- names, attributes

    /// A name in value position; `read`: the use is no call of it.
    pub(super) fn identifier(&mut self, node: Node<'t>, read: bool) -> ExprId {
        if let Some(exports) = self.exports_value(node) {
            return exports;
        }
        let name = self.name(node);
        let expr = self.b.use_name(name);
        if read {
            self.read(expr, node);
        }
        expr
    }

    /// An attribute; `read`: the use is no call of it.
    pub(super) fn member(&mut self, kid: Kid<'t>, read: bool) -> ExprId {
        if let Some(exports) = self.exports_value(kid.node) {
            return exports;
        }
        let kids = self.open(kid.node);
        let (Some(object), Some(property)) = (self.field(kids, Field::Object), self.field(kids, Field::Property))
        else {
            self.close(kids);
            return self.unknown;
        };
        let base = self.expr(object);
        let name = self.name(property.node);
        let mut expr = self.b.expr(Expr::Attribute { base, name });
        if read {
            self.read(expr, property.node);
            expr = self.as_tested(kid, expr);
        }
        self.close(kids);
        expr
    }

    fn subscript(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let (Some(object), Some(index)) = (self.field(kids, Field::Object), self.field(kids, Field::Index)) else {
            self.close(kids);
            return self.unknown;
        };
        let base = self.expr(object);
        let expr = if index.kind == Kind::String {
            let text = self.string(index.node);
            let name = self.b.name(text);
            let expr = self.b.expr(Expr::Attribute { base, name });
            self.read(expr, index.node);
            expr
        } else {
            let index = self.index(index);
            self.b.expr(Expr::Subscript { base, index })
        };
        self.close(kids);
        expr
    }

    fn index(&mut self, kid: Kid<'t>) -> Index {
        let value = self.expr(kid);
        match self.b.read().expr(value) {
            Expr::Literal(Literal::Integer(number)) => Index::Integer(*number),
            _ => Index::Any(value),
        }
    }

    pub(super) fn this(&mut self) -> ExprId {
        match self.home().this {
            This::Free => self.b.expr(Expr::This(None)),
            This::Of(function) => self.b.expr(Expr::This(Some(function))),
            This::Static(class) => self.b.expr(Expr::Class(class)),
            This::Annotated(to) => self.b.expr(Expr::Cast { of: self.unknown, to }),
        }
    }

    pub(super) fn super_value(&mut self) -> ExprId {
        let home = self.home();
        self.b.expr(Expr::Super { class: home.class, instance: !home.is_static })
    }

    // --------------------------------------------------------------------------------------------------- literals

    pub(super) fn string_literal(&mut self, node: Node<'t>) -> ExprId {
        let text = self.string(node);
        let kept = text.len() <= MAX_LITERAL_TEXT && !text.bytes().any(|byte| byte.is_ascii_whitespace());
        let literal = if kept { Literal::Text(self.b.name(text)) } else { Literal::Interpolated };
        self.literal(literal)
    }

    pub(super) fn number(&mut self, node: Node<'t>) -> ExprId {
        let literal = self.text(node).parse().map_or(Literal::Float, Literal::Integer);
        self.literal(literal)
    }

    fn template(&mut self, kid: Kid<'t>) -> ExprId {
        self.template_parts(kid);
        self.literal(Literal::Interpolated)
    }

    /// The values between the pieces of a template.
    pub(super) fn template_parts(&mut self, kid: Kid<'t>) -> Vec<ExprId> {
        let kids = self.open(kid.node);
        let mut parts = Vec::new();
        for at in kids.all() {
            let part = self.kid(at);
            match part.kind {
                Kind::StringFragment => self.opaque(part.node, Opaque::Whole),
                Kind::TemplateSubstitution => parts.push(self.expr(part)),
                _ => {}
            }
        }
        self.close(kids);
        parts
    }

    /// `${…}`, `{…}` of JSX.
    fn embedded(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let value = self.inner(kids).map_or(self.unknown, |inner| self.expr(inner));
        self.close(kids);
        value
    }

    fn array(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let kids = self.open(kid.node);
        let element = contextual.map(|form| self.b.form(Form::Element(form)));
        let mut elements = Vec::new();
        for at in kids.all() {
            let item = self.kid(at);
            elements.push(self.expr_as(item, element));
        }
        self.close(kids);
        let elements = self.b.run(&elements);
        self.b.expr(Expr::List(Collection::List, elements))
    }

    // ------------------------------------------------------------------------------------------------- functions

    fn function_expression(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let context = match self.adopted(kid.node) {
            Some(adopted) => FunctionContext {
                definition: Some(adopted.definition),
                this: adopted.this,
                contextual,
                doc: adopted.doc,
            },
            None => FunctionContext::anonymous(contextual),
        };
        let id = self.function_value(kid, context);
        self.b.expr(Expr::Function(id))
    }

    fn object_expression(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let home = match self.adopted(kid.node) {
            Some(adopted) => Members::Of(adopted.definition),
            None if self.returned.take_if(|returned| *returned == kid.node.id()).is_some() => Members::Returned,
            None => Members::Unnamed,
        };
        let id = self.object(kid, home, contextual);
        self.b.expr(Expr::Object(id))
    }

    fn yield_expression(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let all = self.has(kids, Kind::Star);
        if let Some(inner) = self.inner(kids) {
            let value = self.expr(inner);
            let value = if all { self.b.expr(Expr::Iterate(value)) } else { value };
            if let Some(open) = self.functions.last_mut() {
                open.yields.push(value);
            }
        }
        self.close(kids);
        self.b.expr(Expr::Sent)
    }

    // ----------------------------------------------------------------------------------------------------- parts

    fn parenthesized(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let kids = self.open(kid.node);
        let mut value = self.unknown;
        if let Some(inner) = self.inner(kids) {
            let cast = self.jsdoc_type(inner.doc).or_else(|| self.jsdoc_type(kid.doc));
            value = self.expr_as(inner, contextual.or(cast));
            if let Some(to) = cast {
                value = self.b.expr(Expr::Cast { of: value, to });
            }
            // Flow's cast: `(x: T)`.
            if let Some(written) = self.field(kids, Field::Type) {
                let to = self.annotation(written);
                value = self.b.expr(Expr::Cast { of: value, to });
            }
        }
        self.close(kids);
        value
    }

    fn wrapped(&mut self, kid: Kid<'t>, wrap: impl FnOnce(ExprId) -> Expr) -> ExprId {
        let kids = self.open(kid.node);
        let inner = self.inner(kids).map(|inner| self.expr(inner));
        self.close(kids);
        match inner {
            Some(inner) => self.b.expr(wrap(inner)),
            None => self.unknown,
        }
    }

    fn sequence(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let kids = self.open(kid.node);
        let mut last = self.unknown;
        for at in kids.all() {
            let part = self.kid(at);
            last = self.expr_as(part, contextual);
        }
        self.close(kids);
        last
    }

    // --------------------------------------------------------------------------------------------- types, others

    /// `x as T`, `x satisfies T`; `as const` changes nothing that we tell apart.
    fn cast(&mut self, kid: Kid<'t>, changes: bool) -> ExprId {
        let kids = self.open(kid.node);
        let mut named = kids.all().map(|at| self.kid(at)).filter(|kid| kid.node.is_named());
        let (value, written) = (named.next(), named.next());
        let form = written.map(|written| self.form(written));
        let mut expr = value.map_or(self.unknown, |value| self.expr_as(value, form));
        if let Some(to) = form.filter(|_| changes) {
            expr = self.b.expr(Expr::Cast { of: expr, to });
        }
        self.close(kids);
        expr
    }

    /// `<T>x`
    fn type_assertion(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let to = self.of_kind(kids, Kind::TypeArguments).and_then(|list| self.type_arguments(list).first().copied());
        let value = kids.all().map(|at| self.kid(at)).find(|kid| kid.kind != Kind::TypeArguments);
        let mut expr = value.map_or(self.unknown, |value| self.expr_as(value, to));
        if let Some(to) = to {
            expr = self.b.expr(Expr::Cast { of: expr, to });
        }
        self.close(kids);
        expr
    }

    /// `f<T>` without a call: the value itself.
    fn instantiation(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let value = self.inner(kids).map_or(self.unknown, |inner| self.expr(inner));
        if let Some(list) = self.field(kids, Field::TypeArguments) {
            self.type_arguments(list);
        }
        self.close(kids);
        value
    }

    /// A node that is no expression by the grammar, or a broken one: what can be read in it is read.
    pub(super) fn unread(&mut self, kid: Kid<'t>) {
        self.deeper(kid.node, |walk| {
            let kids = walk.open(kid.node);
            for at in kids.all() {
                let part = walk.kid(at);
                match part.kind {
                    Kind::PropertyIdentifier | Kind::TypeIdentifier | Kind::StringFragment => {}
                    _ if part.node.is_named() => walk.statement(part),
                    _ => {}
                }
            }
            walk.close(kids);
        });
    }

    /// The value of `[key]` in a literal, pattern or class.
    pub(super) fn computed_key(&mut self, kid: Kid<'t>) -> ExprId {
        if kid.kind != Kind::ComputedPropertyName {
            return self.expr(kid);
        }
        let kids = self.open(kid.node);
        let value = self.inner(kids).map_or(self.unknown, |inner| self.expr(inner));
        self.close(kids);
        value
    }
}
