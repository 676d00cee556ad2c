//! Operators: the methods that they call, and the conditions that `and`, `or` and `if` narrow by.

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

impl<'t> Walker<'t> {
    pub fn binary(&mut self, n: N) -> ExprId {
        let children = self.children(n);
        let [left, operator, right] = children[..] else { return self.all_unknown(n) };
        let method = match self.text(operator) {
            "+" => "__add__",
            "-" => "__sub__",
            "*" => "__mul__",
            "@" => "__matmul__",
            "/" => "__truediv__",
            "//" => "__floordiv__",
            "%" => "__mod__",
            "**" => "__pow__",
            "|" => "__or__",
            "&" => "__and__",
            "^" => "__xor__",
            "<<" => "__lshift__",
            ">>" => "__rshift__",
            _ => return self.all_unknown(n),
        };
        let left = self.value(left);
        let right = Some(self.value(right));
        let method = self.b.name(method);
        self.b.expr(Expr::Operator { left, method, right })
    }

    pub fn unary(&mut self, n: N) -> ExprId {
        let children = self.children(n);
        let [operator, operand] = children[..] else { return self.all_unknown(n) };
        let left = self.value(operand);
        let sign = self.text(operator);
        match self.b.read().expr(left) {
            Expr::Literal(Literal::Integer(number)) if sign == "-" => {
                let literal = Literal::Integer(number.saturating_neg());
                self.literal(literal)
            }
            Expr::Literal(_) => left,
            _ => {
                let method = match sign {
                    "-" => "__neg__",
                    "+" => "__pos__",
                    _ => "__invert__",
                };
                let method = self.b.name(method);
                self.b.expr(Expr::Operator { left, method, right: None })
            }
        }
    }

    pub fn boolean_operator(&mut self, n: N) -> ExprId {
        let and = self.has(n, Kind::And);
        let [left, right] = self.named(n)[..] else { return self.all_unknown(n) };
        let of = self.value(left);
        let mut branch = self.b.branch();
        self.narrow(left, and);
        let second = self.value(right);
        self.b.next_arm(&mut branch);
        self.b.end_branch(branch, true);
        let first = self.b.narrowed(of, if and { Test::Absent } else { Test::Present });
        self.b.union(&[first, second])
    }

    pub fn conditional(&mut self, n: N) -> ExprId {
        let [yes, condition, no] = self.named(n)[..] else { return self.all_unknown(n) };
        self.visit(condition);
        let mut branch = self.b.branch();
        self.narrow(condition, true);
        let yes = self.value(yes);
        self.b.next_arm(&mut branch);
        self.narrow(condition, false);
        let no = self.value(no);
        self.b.end_branch(branch, true);
        self.b.union(&[yes, no])
    }
}
