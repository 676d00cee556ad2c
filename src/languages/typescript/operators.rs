//! Operators: what they give, and the conditions that `&&`, `||`, `??` and `?:` narrow by.

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    pub(super) fn binary(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let kids = self.open(kid.node);
        let parts = (self.field(kids, Field::Left), self.field(kids, Field::Operator), self.field(kids, Field::Right));
        let value = match parts {
            (Some(left), Some(operator), Some(right)) => {
                let operator = self.text(operator.node);
                match operator {
                    "&&" | "||" | "??" => self.logical(left, operator, right, contextual),
                    _ => {
                        self.expr(left);
                        self.expr(right);
                        match operator {
                            "+" => self.literal(Literal::Interpolated),
                            "-" | "*" | "/" | "%" | "**" | "<<" | ">>" | ">>>" | "&" | "|" | "^" => {
                                self.literal(Literal::Float)
                            }
                            _ => self.literal(Literal::Boolean(true)),
                        }
                    }
                }
            }
            _ => self.unknown,
        };
        self.close(kids);
        value
    }

    fn logical(&mut self, left: Kid<'t>, operator: &str, right: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let first = self.expr_as(left, contextual);
        let mut branch = self.b.branch();
        let holds = operator == "&&";
        self.narrow_by(left, holds);
        let second = self.expr_as(right, contextual);
        self.b.next_arm(&mut branch);
        self.b.end_branch(branch, true);
        let first = self.b.narrowed(first, if holds { Test::Absent } else { Test::Present });
        self.b.union(&[first, second])
    }

    pub(super) fn ternary(&mut self, kid: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        let kids = self.open(kid.node);
        let condition = self.field(kids, Field::Condition);
        let mut arms = Vec::new();
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let mut branch = self.b.branch();
        for (field, holds) in [(Field::Consequence, true), (Field::Alternative, false)] {
            if let Some(condition) = condition {
                self.narrow_by(condition, holds);
            }
            if let Some(arm) = self.field(kids, field) {
                arms.push(self.expr_as(arm, contextual));
            }
            if holds {
                self.b.next_arm(&mut branch);
            }
        }
        self.b.end_branch(branch, true);
        self.close(kids);
        self.union(arms)
    }

    pub(super) fn unary(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        if let Some(argument) = self.field(kids, Field::Argument) {
            self.expr(argument);
        }
        let operator = self.field(kids, Field::Operator).map_or("", |operator| self.text(operator.node));
        self.close(kids);
        self.literal(match operator {
            "!" | "delete" => Literal::Boolean(true),
            "typeof" => Literal::Interpolated,
            "void" => Literal::None,
            _ => Literal::Float,
        })
    }

    pub(super) fn update(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        if let Some(argument) = self.field(kids, Field::Argument) {
            let target = self.target(argument);
            if matches!(target.kind, Kind::MemberExpression | Kind::SubscriptExpression) {
                let expr = self.expr(target);
                self.write_to(target, expr);
            }
        }
        self.close(kids);
        self.literal(Literal::Float)
    }
}
