//! Statements of Python: flow, imports, and what they bind.

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

    fn visit_all(&mut self, n: N) {
        for child in self.named(n) {
            self.visit(child);
        }
    }

    // ------------------------------------------------------------------------------------------- simple

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

    // ------------------------------------------------------------------------------------------ imports

    fn import_statement(&mut self, n: N) {
        for part in self.named(n) {
            let (module, alias) = match (self.kind(part), &self.named(part)[..]) {
                (Kind::AliasedImport, &[module, alias]) => (module, Some(alias)),
                (Kind::DottedName, _) => (part, None),
                _ => continue,
            };
            let place = self.place(n);
            let text = self.dotted(module);
            let form = if alias.is_some() { ImportForm::Module } else { ImportForm::Dotted };
            let import = self.import(&text, 0, form, Vec::new(), place);
            let place = self.place(module);
            self.reference(RefKind::Import, RefTarget::Import(import, None), place);
            if let Some(bound) = alias.or(self.named(module).first().copied()) {
                self.bind_import(bound, Value::Module(import));
            }
        }
    }

    fn import_from(&mut self, n: N) {
        let children = self.named(n);
        let [module, ref taken @ ..] = children[..] else { return };
        let (level, text) = match self.kind(module) {
            Kind::RelativeImport => {
                let dots = self.tree.child(module, Kind::ImportPrefix);
                let level = dots.map_or(0, |dots| self.text(dots).bytes().filter(|byte| *byte == b'.').count() as u32);
                (level, self.tree.child(module, Kind::DottedName).map(|name| self.dotted(name)).unwrap_or_default())
            }
            _ => (0, self.dotted(module)),
        };
        let place = self.place(n);
        let module_place = self.place(module);
        if taken.iter().any(|part| self.kind(*part) == Kind::WildcardImport) {
            let import = self.import(&text, level, ImportForm::Star, Vec::new(), place);
            self.reference(RefKind::Import, RefTarget::Import(import, None), module_place);
            return;
        }
        let mut names = Vec::new();
        let mut bound = Vec::new();
        for &part in taken {
            let (name, alias) = match (self.kind(part), &self.named(part)[..]) {
                (Kind::AliasedImport, &[name, alias]) => (name, alias),
                (Kind::DottedName, &[name]) => (name, name),
                _ => continue,
            };
            let taken = self.name(name);
            names.push(ImportedName { name: taken, type_only: false });
            bound.push((name, alias));
        }
        let import = self.import(&text, level, ImportForm::Names, names, place);
        self.reference(RefKind::Import, RefTarget::Import(import, None), module_place);
        for (at, (name, alias)) in bound.into_iter().enumerate() {
            let place = self.place(name);
            self.reference(RefKind::Import, RefTarget::Import(import, Some(at as u32)), place);
            self.bind_import(alias, Value::Imported(import, at as u32));
        }
    }

    fn import(
        &mut self,
        module: &str,
        level: u32,
        form: ImportForm,
        names: Vec<ImportedName>,
        place: Place,
    ) -> ImportId {
        let (module, scope) = (self.name_of(module), self.b.scope());
        let guarded = self.guards > 0;
        self.b.import(Import { scope, module, level, form, names, type_only: false, guarded }, place)
    }

    fn bind_import(&mut self, target: N, value: Value) {
        let name = self.name(target);
        if self.functions.last().is_some_and(|function| function.globals.contains(&name)) {
            self.b.bind_detached(self.b.module_scope(), name, value, None);
        } else {
            self.b.bind(name, value, None, None, Space::Both);
        }
    }

    /// A dotted name without the white space that may stand in it.
    fn dotted(&self, n: N) -> String {
        self.text(n).split_whitespace().collect()
    }

    // --------------------------------------------------------------------------------------- conditional

    fn if_statement(&mut self, n: N) {
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
    fn begin_arm(&mut self, condition: N, block: Option<N>) -> crate::facts::build::Branch {
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

    fn for_statement(&mut self, n: N) {
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

    fn while_statement(&mut self, n: N) {
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

    fn try_statement(&mut self, n: N) {
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

    fn with_statement(&mut self, n: N) {
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
