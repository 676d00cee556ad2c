//! Statements that hold others: which branch is taken, what is repeated, caught and entered.

use super::extract::{Walker, deeper};
use super::kinds::Kind;
use super::tree::N;
use crate::facts::build::Branch;
use crate::facts::*;

impl<'t> Walker<'t> {
    pub fn if_statement(&mut self, n: N) {
        let mut branches = Vec::new();
        let mut has_else = false;
        let children = self.named(n);
        let [condition, ref rest @ ..] = children[..] else { return };
        branches
            .push(self.begin_arm(condition, rest.first().filter(|block| self.kind(**block) == Kind::Block).copied()));
        for &clause in rest {
            let parts = self.named(clause);
            match (self.kind(clause), &parts[..]) {
                (Kind::ElifClause, &[condition, ref rest @ ..]) => {
                    branches.push(self.begin_arm(condition, rest.first().copied()));
                }
                (Kind::ElseClause, _) => {
                    has_else = true;
                    parts.iter().for_each(|block| self.statement(*block));
                }
                (Kind::Error, _) => self.block(clause),
                _ => {}
            }
        }
        // `TYPE_CHECKING` is true for those who read types, so what stands in the `else` is not seen.
        if has_else && is_type_checking(self.text(condition)) {
            self.b.terminate();
        }
        while let Some(branch) = branches.pop() {
            self.b.end_branch(branch, true);
        }
    }

    /// Walks a condition and its block; leaves the state where the condition does not hold.
    fn begin_arm(&mut self, condition: N, block: Option<N>) -> Branch {
        self.visit(condition);
        let mut branch = self.b.branch();
        self.narrow(condition, true);
        if let Some(block) = block {
            self.block(block);
        }
        if is_type_checking(self.text(condition).trim_start_matches("not ")) && self.text(condition).starts_with("not ")
        {
            self.b.terminate();
        }
        self.b.next_arm(&mut branch);
        self.narrow(condition, false);
        branch
    }

    pub fn for_statement(&mut self, n: N) {
        let is_async = self.has(n, Kind::Async);
        let parts = self.named(n);
        let [target, of, ref rest @ ..] = parts[..] else { return self.inner_statements(n) };
        let of = self.value(of);
        let element = self.b.expr(if is_async { Expr::IterateAsync(of) } else { Expr::Iterate(of) });
        self.b.begin_loop();
        self.loops.push(false);
        self.statement = target;
        self.bind_target(target, element, None);
        self.loop_body(rest);
        self.b.end_loop();
        self.loops.pop();
        self.loop_else(rest);
    }

    pub fn while_statement(&mut self, n: N) {
        let parts = self.named(n);
        let [condition, ref rest @ ..] = parts[..] else { return };
        self.b.begin_loop();
        self.loops.push(false);
        self.visit(condition);
        self.narrow(condition, true);
        self.loop_body(rest);
        self.b.end_loop();
        let left = self.loops.pop().unwrap_or_default();
        if !left {
            self.narrow(condition, false);
            if matches!(self.text(condition), "True" | "1") {
                self.b.terminate();
            }
        }
        self.loop_else(rest);
    }

    fn loop_body(&mut self, parts: &[N]) {
        for &part in parts {
            if self.kind(part) != Kind::ElseClause {
                self.statement(part);
            }
        }
    }

    fn loop_else(&mut self, parts: &[N]) {
        for &part in parts {
            if self.kind(part) == Kind::ElseClause {
                self.inner_statements(part);
            }
        }
    }

    pub fn try_statement(&mut self, n: N) {
        let parts = self.named(n);
        let of_kind = |walker: &Self, kind: Kind| -> Vec<N> {
            parts.iter().copied().filter(|part| walker.kind(*part) == kind).collect()
        };
        let handlers = of_kind(self, Kind::ExceptClause);
        let is_guard = handlers.iter().any(|&handler| self.catches_imports(handler));
        self.guards += u32::from(is_guard);
        let mut branch = self.b.branch();
        for part in of_kind(self, Kind::Block) {
            self.block(part);
        }
        self.guards -= u32::from(is_guard);
        // The `else` runs behind the body, though the handlers stand between them.
        for part in of_kind(self, Kind::ElseClause) {
            self.inner_statements(part);
        }
        for part in handlers {
            self.b.next_arm_after_any(&mut branch);
            self.except_clause(part);
        }
        for part in of_kind(self, Kind::FinallyClause) {
            // Reached from anywhere; what follows it is reached from the other arms.
            self.b.next_arm_after_any(&mut branch);
            self.inner_statements(part);
            self.b.terminate();
        }
        self.b.end_branch(branch, true);
    }

    /// Whether a handler catches what a failing import raises.
    fn catches_imports(&self, handler: N) -> bool {
        let raised = ["ImportError", "ModuleNotFoundError", "Exception", "BaseException"];
        let classes: Vec<N> = self.named(handler).into_iter().filter(|&part| self.kind(part) != Kind::Block).collect();
        let mut words = classes.iter().flat_map(|&part| self.text(part).split(|c: char| !c.is_alphanumeric()));
        classes.is_empty() || words.any(|word| raised.contains(&word))
    }

    fn except_clause(&mut self, n: N) {
        let has_as = self.has(n, Kind::As);
        let (mut classes, mut blocks) = (Vec::new(), Vec::new());
        let mut target = None;
        for part in self.named(n) {
            match self.kind(part) {
                Kind::Block => blocks.push(part),
                Kind::AsPattern => {
                    let inner = self.named(part);
                    classes.extend(inner.first());
                    target = inner.get(1).copied();
                }
                _ => classes.push(part),
            }
        }
        if has_as && target.is_none() && classes.len() > 1 {
            target = classes.pop();
        }
        // `except A, e` of Python 2 binds; PEP 758 made it a list of classes, which are written with a capital letter.
        if let &[_, second] = &classes[..]
            && !has_as
            && self.kind(second) == Kind::Identifier
            && self.text(second).starts_with(|c: char| c.is_lowercase())
        {
            target = classes.pop();
        }
        let caught = match classes[..] {
            [] => None,
            [class] => Some(self.value(class)),
            _ => {
                let classes: Vec<ExprId> = classes.into_iter().map(|class| self.value(class)).collect();
                Some(self.b.tuple(&classes))
            }
        };
        if let (Some(target), Some(caught)) = (target, caught) {
            let value = self.b.expr(Expr::Caught(caught));
            let target = self.named(target).first().copied().unwrap_or(target);
            if self.kind(target) == Kind::Identifier {
                // Unbound when the clause ends: never a variable that others see.
                let name = self.name(target);
                self.b.bind(name, Value::Expr(value), None, None, Space::Both);
            } else {
                self.bind_target(target, value, None);
            }
        }
        blocks.into_iter().for_each(|block| self.block(block));
    }

    pub fn with_statement(&mut self, n: N) {
        let is_async = self.has(n, Kind::Async);
        for part in self.named(n) {
            match self.kind(part) {
                Kind::WithClause => {
                    for item in self.named(part) {
                        self.with_item(item, is_async);
                    }
                }
                _ => self.statement(part),
            }
        }
    }

    fn with_item(&mut self, n: N, is_async: bool) {
        let inner = match self.kind(n) {
            Kind::WithItem | Kind::Parenthesized => match self.named(n)[..] {
                [inner] => inner,
                _ => return self.visit_all(n),
            },
            _ => n,
        };
        match self.kind(inner) {
            Kind::AsPattern => {
                let [value, target] = self.named(inner)[..] else { return self.visit_all(inner) };
                let of = self.value(value);
                let entered = self.b.expr(if is_async { Expr::EnterAsync(of) } else { Expr::Enter(of) });
                self.statement = inner;
                self.bind_target(target, entered, None);
            }
            // `with (open(a) as b, open(c) as d):` reads as a tuple.
            Kind::Tuple | Kind::Parenthesized => {
                for item in self.named(inner) {
                    deeper(|| self.with_item(item, is_async));
                }
            }
            _ => {
                self.value(inner);
            }
        }
    }
}

fn is_type_checking(condition: &str) -> bool {
    matches!(condition, "TYPE_CHECKING" | "typing.TYPE_CHECKING" | "t.TYPE_CHECKING")
}
