//! Statements of Python: what kind each is, and those that hold no others.

use super::extract::{Walker, deeper};
use super::kinds::Kind;
use super::tree::{Grammar as _, N};
use crate::facts::*;

/// Functions that do not return, as they are usually written.
const ENDINGS: [&str; 8] =
    ["sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.fail", "pytest.skip", "self.fail"];

/// Types of annotations that make an assignment a type alias.
const ALIAS: &str = "TypeAlias";

impl<'t> Walker<'t> {
    /// Walks the statements of a block.
    pub fn block(&mut self, n: N) {
        let end = self.tree.after(n);
        let mut at = self.tree.first_child(n).unwrap_or(end);
        while at < end {
            self.statement(at);
            at = self.tree.after(at);
        }
    }

    /// Walks what stands in a node as statements, whatever the node is.
    pub fn inner_statements(&mut self, n: N) {
        for child in self.named(n) {
            self.statement(child);
        }
    }

    pub fn statement(&mut self, n: N) {
        deeper(|| self.statement_here(n));
    }

    fn statement_here(&mut self, n: N) {
        match self.kind(n) {
            Kind::ExpressionStatement => self.expression_statement(n),
            Kind::ReturnStatement => self.return_statement(n),
            Kind::RaiseStatement => {
                self.visit_all(n);
                self.b.terminate();
            }
            Kind::AssertStatement => self.assert_statement(n),
            Kind::DeleteStatement | Kind::PrintStatement | Kind::ExecStatement => self.visit_all(n),
            Kind::PassStatement => {}
            Kind::BreakStatement => {
                if let Some(left) = self.loops.last_mut() {
                    *left = true;
                }
                self.b.jump();
            }
            Kind::ContinueStatement => self.b.jump(),
            Kind::GlobalStatement => self.global_statement(n),
            Kind::NonlocalStatement => self.nonlocal_statement(n),
            Kind::ImportStatement => self.import_statement(n),
            Kind::ImportFrom => self.import_from(n),
            Kind::FutureImport => {}
            Kind::TypeAlias => self.type_alias(n),
            Kind::IfStatement => self.if_statement(n),
            Kind::ForStatement => self.for_statement(n),
            Kind::WhileStatement => self.while_statement(n),
            Kind::TryStatement => self.try_statement(n),
            Kind::WithStatement => self.with_statement(n),
            Kind::MatchStatement => self.match_statement(n),
            Kind::FunctionDefinition => self.function_definition(n, n, &[]),
            Kind::ClassDefinition => self.class_definition(n, n, &[]),
            Kind::DecoratedDefinition => self.decorated(n),
            Kind::Block | Kind::Module | Kind::Error => self.block(n),
            kind if kind.is_token() => {}
            _ => self.visit(n),
        }
    }

    /// Walks the expressions in a node.
    pub fn visit_all(&mut self, n: N) {
        for child in self.named(n) {
            self.visit(child);
        }
    }

    fn expression_statement(&mut self, n: N) {
        self.statement = n;
        for child in self.named(n) {
            match self.kind(child) {
                Kind::Assignment => self.assignment(child),
                Kind::AugmentedAssignment => self.augmented_assignment(child),
                Kind::Call => {
                    let value = self.value(child);
                    self.put_by_call(child, value);
                    self.call_statement(child);
                }
                _ => self.visit(child),
            }
        }
    }

    /// Calls that end the flow, or change `__all__`.
    fn call_statement(&mut self, call: N) {
        let [callee, arguments] = self.named(call)[..] else { return };
        match self.text(callee) {
            text if ENDINGS.contains(&text) => self.b.terminate(),
            "__all__.extend" | "__all__.append" if self.scope_kind() == ScopeKind::Module => {
                let given = self.named(arguments);
                let names = match (given.first(), self.text(callee).ends_with("append")) {
                    (Some(&one), true) => self.literal_text(one).map(|text| vec![self.name_of(text)]),
                    (Some(&list), false) => self.names_of_list(list),
                    _ => None,
                };
                self.add_to_all(names);
            }
            text if text.starts_with("__all__.") => self.all.unreadable = true,
            _ => {}
        }
    }

    fn assignment(&mut self, n: N) {
        let mut targets = Vec::new();
        let mut annotation = None;
        let mut value = None;
        let mut at = n;
        // `a = b = value` nests to the right.
        loop {
            let parts = self.children(at);
            targets.push(parts[0]);
            if let Some(written) = self.tree.child(at, Kind::Type) {
                annotation = Some(written);
            }
            match parts[..] {
                [.., equals, right] if self.kind(equals) == Kind::Equals => {
                    if self.kind(right) == Kind::Assignment {
                        at = right;
                        continue;
                    }
                    value = Some(right);
                }
                _ => {}
            }
            break;
        }
        if let (ScopeKind::Module, Some(value), "__all__") = (self.scope_kind(), value, self.text(targets[0])) {
            self.all.names = Some(Vec::new());
            let names = self.names_of_list(value);
            self.add_to_all(names);
        }
        let form = match annotation {
            Some(annotation) => Some(self.form(annotation)),
            None => self.type_comment(n),
        };
        let Some(right) = value else {
            return self.declaration(targets[0], form);
        };
        let value = match self.kind(right) {
            Kind::AugmentedAssignment => {
                self.augmented_assignment(right);
                self.unknown()
            }
            _ => self.value(right),
        };
        for &target in &targets {
            self.bind_target(target, value, form);
        }
        if let [target] = targets[..]
            && self.kind(target) == Kind::Identifier
        {
            self.possible_alias(target, right, annotation);
        }
    }

    /// `x: T` without a value.
    fn declaration(&mut self, target: N, form: Option<FormId>) {
        match self.kind(target) {
            Kind::Identifier => self.bind_name(target, Value::Unknown, form),
            Kind::Attribute => self.bind_attribute(target, None, form),
            _ => self.visit(target),
        }
    }

    /// A module or class variable whose value could be read as a type keeps that reading too.
    fn possible_alias(&mut self, target: N, value: N, annotation: Option<N>) {
        if !matches!(self.scope_kind(), ScopeKind::Module | ScopeKind::Class) {
            return;
        }
        let declared = annotation.is_some_and(|annotation| self.text(annotation).ends_with(ALIAS));
        let is_applied = |n: N| {
            let base = self.tree.first_child(n);
            self.kind(n) == Kind::Subscript
                && base.is_some_and(|base| matches!(self.kind(base), Kind::Identifier | Kind::Attribute))
        };
        let is_union = self.kind(value) == Kind::BinaryOperator
            && self.children(value).get(1).is_some_and(|operator| self.text(*operator) == "|");
        if !declared && !is_applied(value) && !is_union {
            return;
        }
        let form = if declared { self.form_of_value(value) } else { self.form_again(value) };
        let name = self.name(target);
        let definition = match self.scope_kind() {
            ScopeKind::Module => self.module_names.get(&name),
            _ => self.classes.last().and_then(|class| class.members.get(&name)),
        };
        if let Some(&definition) = definition {
            self.b.facts().surface.definitions[definition.index()].alias = Some(form);
        }
    }

    /// The type in a comment behind an assignment.
    fn type_comment(&mut self, n: N) -> Option<FormId> {
        if self.type_comments.is_empty() {
            return None;
        }
        let line = self.lines(n).1;
        let (start, end) = *self.type_comments.get(&line)?;
        Some(self.form_between(start, end))
    }

    fn augmented_assignment(&mut self, n: N) {
        let [target, operator, value] = self.children(n)[..] else { return self.visit_all(n) };
        self.visit(value);
        match self.kind(target) {
            Kind::Attribute => {
                let written = self.unread(target);
                let place = self.last_place(target);
                self.reference(RefKind::Write, RefTarget::Expr(written), place);
            }
            _ => self.visit(target),
        }
        if self.text(target) == "__all__" && self.scope_kind() == ScopeKind::Module {
            let names = if self.text(operator) == "+=" { self.names_of_list(value) } else { None };
            self.add_to_all(names);
        }
    }

    fn add_to_all(&mut self, names: Option<Vec<Name>>) {
        match names {
            Some(names) => self.all.names.get_or_insert_default().extend(names),
            None => self.all.unreadable = true,
        }
    }

    /// The names in a list or tuple of literals, or in a sum of them.
    fn names_of_list(&mut self, n: N) -> Option<Vec<Name>> {
        let n = self.bare(n);
        match self.kind(n) {
            Kind::List | Kind::Tuple | Kind::ExpressionList | Kind::Set => {
                let items = self.named(n);
                items.into_iter().map(|item| self.literal_text(item).map(|text| self.name_of(text))).collect()
            }
            Kind::BinaryOperator => match self.children(n)[..] {
                [left, operator, right] if self.text(operator) == "+" => {
                    let mut names = deeper(|| self.names_of_list(left))?;
                    names.extend(self.names_of_list(right)?);
                    Some(names)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn return_statement(&mut self, n: N) {
        if let Some(&result) = self.named(n).first() {
            if self.functions.last().is_none_or(|function| function.annotated) {
                self.visit(result);
            } else {
                let value = self.value(result);
                if let Some(function) = self.functions.last_mut() {
                    function.returns.push(value);
                }
            }
        }
        self.b.terminate();
    }

    fn assert_statement(&mut self, n: N) {
        let parts = self.named(n);
        let [condition, ref message @ ..] = parts[..] else { return };
        self.visit(condition);
        message.iter().for_each(|part| self.visit(*part));
        self.narrow(condition, true);
        if self.kind(condition) == Kind::False {
            self.b.terminate();
        }
    }

    fn global_statement(&mut self, n: N) {
        for name in self.named(n) {
            let name = self.name(name);
            if let Some(function) = self.functions.last_mut() {
                function.globals.push(name);
            }
        }
    }

    fn nonlocal_statement(&mut self, n: N) {
        for name in self.named(n) {
            let name = self.name(name);
            let around: Vec<ScopeId> = self.functions.iter().rev().skip(1).map(|function| function.scope).collect();
            let binds = |scope: &ScopeId| {
                let facts = self.b.read();
                self.b.bound(*scope).iter().any(|&binding| facts.binding(binding).name == name)
            };
            // Bound further down in the text: by the nearest function, most likely.
            let outer = around.iter().copied().find(binds).or(around.first().copied());
            if let (Some(scope), Some(function)) = (outer, self.functions.last_mut()) {
                function.nonlocals.push((name, scope));
            }
        }
    }
}
