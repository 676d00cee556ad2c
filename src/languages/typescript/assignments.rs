//! Assignments as expressions: to names, attributes, elements and patterns. Those that declare something are told apart
//! in `prototypes` and `commonjs`.

use super::bindings::Declares;
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    pub(super) fn assignment(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let (Some(left), Some(right)) = (self.field(kids, Field::Left), self.field(kids, Field::Right)) else {
            self.close(kids);
            return self.unknown;
        };
        let left = self.target(left);
        let value = match left.kind {
            Kind::MemberExpression => {
                let value = match self.known_assignment(left, right, kid) {
                    Some(value) => value,
                    None => {
                        let contextual = self.write(left);
                        self.expr_as(right, contextual)
                    }
                };
                self.forget_tested(left);
                value
            }
            Kind::Identifier => {
                let value = self.expr(right);
                if self.exports_value(left.node).is_none() {
                    let name = self.name(left.node);
                    self.b.assign(name, Value::Expr(value));
                }
                value
            }
            Kind::SubscriptExpression => {
                self.write(left);
                match self.assigned_element(left, right) {
                    Some(value) => value,
                    None => self.expr(right),
                }
            }
            _ => {
                let value = self.expr(right);
                self.bind_pattern(left, value, Declares::Assign);
                value
            }
        };
        self.close(kids);
        value
    }

    /// What is assigned to, without parentheses and `!`.
    pub(super) fn target(&self, kid: Kid<'t>) -> Kid<'t> {
        match kid.kind {
            Kind::ParenthesizedExpression | Kind::NonNullExpression | Kind::AsExpression => self.core(kid),
            _ => kid,
        }
    }

    /// Assigns to an attribute or element; gives the type that the value is expected to have.
    pub(super) fn write(&mut self, target: Kid<'t>) -> Option<FormId> {
        let expr = match target.kind {
            Kind::MemberExpression => self.member(target, false),
            _ => self.expr(target),
        };
        self.write_to(target, expr);
        matches!(target.kind, Kind::MemberExpression).then(|| self.b.form(Form::TypeOf(expr)))
    }

    pub(super) fn write_to(&mut self, target: Kid<'t>, expr: ExprId) {
        if let Some(property) = self.child(target.node, Field::Property) {
            let place = self.place(property);
            self.b.reference(RefKind::Write, RefTarget::Expr(expr), place);
        }
    }

    /// `x += y`, `x ??= y`
    pub(super) fn augmented(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let parts = (self.field(kids, Field::Left), self.field(kids, Field::Operator), self.field(kids, Field::Right));
        let (Some(left), Some(operator), Some(right)) = parts else {
            self.close(kids);
            return self.unknown;
        };
        let left = self.target(left);
        let before = match left.kind {
            Kind::Identifier => self.identifier(left.node, false),
            _ => self.expr(left),
        };
        let after = self.expr(right);
        let value = match self.text(operator.node) {
            "??=" | "||=" => {
                let before = self.b.narrowed(before, Test::Present);
                self.b.union(&[before, after])
            }
            "&&=" => self.b.union(&[before, after]),
            "+=" => self.literal(Literal::Interpolated),
            _ => self.literal(Literal::Float),
        };
        match left.kind {
            Kind::Identifier => {
                let name = self.name(left.node);
                self.b.assign(name, Value::Expr(value));
            }
            _ => self.write_to(left, before),
        }
        self.close(kids);
        value
    }
}
