//! Statements, and the flow of control among them.

use tree_sitter::Node;

use super::bindings::Declares;
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    pub(super) fn statements(&mut self, kids: Kids) {
        for at in kids.all() {
            let kid = self.kid(at);
            self.statement(kid);
        }
    }

    pub(super) fn statement(&mut self, kid: Kid<'t>) {
        self.deeper(kid.node, |walk| {
            walk.doc = kid.doc;
            walk.rows = Some((kid.node.start_position().row, kid.node.end_position().row));
            walk.statement_here(kid, Flags::default());
            walk.doc = Doc::default();
            walk.rows = None;
        });
    }

    /// A statement or the declaration of an `export`, whose flags its definitions get.
    pub(super) fn statement_here(&mut self, kid: Kid<'t>, flags: Flags) {
        match kid.kind {
            Kind::ExpressionStatement => self.expression_statement(kid),
            Kind::LexicalDeclaration | Kind::VariableDeclaration | Kind::UsingDeclaration => {
                self.variables(kid, flags);
            }
            Kind::FunctionDeclaration | Kind::GeneratorFunctionDeclaration | Kind::FunctionSignature => {
                self.function_declaration(kid, flags);
            }
            Kind::ClassDeclaration | Kind::AbstractClassDeclaration => self.class_declaration(kid, flags),
            Kind::InterfaceDeclaration => self.interface(kid, flags),
            Kind::TypeAliasDeclaration => self.type_alias(kid, flags),
            Kind::EnumDeclaration => self.enumeration(kid, flags),
            Kind::InternalModule | Kind::Module => self.namespace(kid, flags),
            Kind::AmbientDeclaration => self.ambient(kid, flags),
            Kind::ImportStatement => self.import_statement(kid),
            Kind::ImportAlias => self.import_alias(kid, flags),
            Kind::ExportStatement => self.export_statement(kid),
            Kind::ReturnStatement => self.return_statement(kid),
            Kind::IfStatement => self.if_statement(kid),
            Kind::StatementBlock => self.block(kid),
            Kind::ForStatement => self.for_statement(kid),
            Kind::ForInStatement => self.for_in(kid),
            Kind::WhileStatement => self.while_statement(kid),
            Kind::DoStatement => self.do_statement(kid),
            Kind::SwitchStatement => self.switch(kid),
            Kind::TryStatement => self.try_statement(kid),
            Kind::ThrowStatement => {
                self.parts(kid);
                self.b.terminate();
            }
            Kind::BreakStatement | Kind::ContinueStatement => self.b.jump(),
            Kind::LabeledStatement => self.labeled(kid),
            Kind::Program | Kind::WithStatement | Kind::Error => self.parts(kid),
            Kind::Decorator => {
                self.decorator(kid);
            }
            _ => {
                self.expr(kid);
            }
        }
    }

    /// Walks the parts of a node that has no flow of its own.
    fn parts(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        for at in kids.all() {
            let part = self.kid(at);
            if part.node.is_named() {
                self.statement(part);
            }
        }
        self.close(kids);
    }

    fn expression_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        for at in kids.all() {
            let part = self.kid(at);
            if !matches!(part.kind, Kind::AssignmentExpression | Kind::InternalModule | Kind::CallExpression) {
                self.doc = Doc::default();
            }
            self.expr(part);
            if part.kind == Kind::CallExpression {
                self.narrow_by_assertion(part);
            }
        }
        self.close(kids);
    }

    fn return_statement(&mut self, kid: Kid<'t>) {
        self.doc = Doc::default();
        let kids = self.open(kid.node);
        if let Some(inner) = self.inner(kids) {
            self.return_value(inner);
        }
        self.close(kids);
        self.b.terminate();
    }

    /// A block; it has a scope when it declares something.
    pub(super) fn block(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let scoped = self.declares_names(kids);
        if scoped {
            self.b.push_scope(ScopeKind::Block);
        }
        self.statements(kids);
        if scoped {
            self.b.pop_scope();
        }
        self.close(kids);
    }

    fn declares_names(&self, kids: Kids) -> bool {
        kids.all().any(|at| {
            matches!(
                self.kid(at).kind,
                Kind::LexicalDeclaration
                    | Kind::UsingDeclaration
                    | Kind::FunctionDeclaration
                    | Kind::GeneratorFunctionDeclaration
                    | Kind::ClassDeclaration
                    | Kind::AbstractClassDeclaration
                    | Kind::InterfaceDeclaration
                    | Kind::TypeAliasDeclaration
                    | Kind::EnumDeclaration
            )
        })
    }

    // ---------------------------------------------------------------------------------------------------- branches

    fn if_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let condition = self.field(kids, Field::Condition);
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let mut branch = self.b.branch();
        if let Some(condition) = condition {
            self.narrow_by(condition, true);
        }
        if let Some(then) = self.field(kids, Field::Consequence) {
            self.statement(then);
        }
        self.b.next_arm(&mut branch);
        if let Some(condition) = condition {
            self.narrow_by(condition, false);
        }
        if let Some(other) = self.field(kids, Field::Alternative) {
            let inside = self.open(other.node);
            if let Some(inner) = self.inner(inside) {
                self.statement(inner);
            }
            self.close(inside);
        }
        self.b.end_branch(branch, true);
        self.close(kids);
    }

    fn switch(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let value = self.field(kids, Field::Value);
        if let Some(value) = value {
            self.expr(value);
        }
        if let Some(body) = self.field(kids, Field::Body) {
            let cases = self.open(body.node);
            self.b.push_scope(ScopeKind::Block);
            self.b.begin_loop();
            self.cases(cases, value);
            self.b.end_breakable();
            self.b.pop_scope();
            self.close(cases);
        }
        self.close(kids);
    }

    fn cases(&mut self, cases: Kids, value: Option<Kid<'t>>) {
        let mut branch = self.b.branch();
        let mut exhaustive = false;
        // Cases without statements share those of the next, so none of them alone says what the value is.
        let mut shared = false;
        for at in cases.all() {
            let case = self.kid(at);
            let inside = self.open(case.node);
            exhaustive |= case.kind == Kind::SwitchDefault;
            let test = self.field(inside, Field::Value);
            if let Some(test) = test {
                self.expr(test);
            }
            let empty = self.field(inside, Field::Body).is_none();
            if let (Some(value), Some(test), false, false) = (value, test, shared, empty) {
                self.narrow_by_case(value, test);
            }
            for at in inside.all() {
                let statement = self.kid(at);
                if statement.field == Field::Body {
                    self.statement(statement);
                }
            }
            shared = empty;
            self.close(inside);
            if at + 1 < cases.all().end {
                self.b.next_arm(&mut branch);
            }
        }
        self.b.end_branch(branch, exhaustive);
    }

    fn try_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let handler = self.field(kids, Field::Handler);
        let mut branch = self.b.branch();
        if let Some(body) = self.field(kids, Field::Body) {
            self.guards += u32::from(handler.is_some());
            self.block(body);
            self.guards -= u32::from(handler.is_some());
        }
        if let Some(handler) = handler {
            self.b.next_arm_after_any(&mut branch);
            self.catch(handler);
        }
        self.b.end_branch(branch, true);
        if let Some(finalizer) = self.field(kids, Field::Finalizer) {
            let inside = self.open(finalizer.node);
            if let Some(body) = self.field(inside, Field::Body) {
                self.block(body);
            }
            self.close(inside);
        }
        self.close(kids);
    }

    fn catch(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        self.b.push_scope(ScopeKind::Block);
        if let Some(parameter) = self.field(kids, Field::Parameter) {
            let written = self.field(kids, Field::Type).map(|written| self.annotation(written));
            let value = match written {
                Some(to) => self.b.expr(Expr::Cast { of: self.unknown, to }),
                None => self.unknown,
            };
            self.bind_pattern(parameter, value, Declares::Local);
        }
        if let Some(body) = self.field(kids, Field::Body) {
            self.block(body);
        }
        self.b.pop_scope();
        self.close(kids);
    }

    // ------------------------------------------------------------------------------------------------------- loops

    fn for_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        self.b.push_scope(ScopeKind::Block);
        if let Some(initializer) = self.field(kids, Field::Initializer) {
            self.statement(initializer);
        }
        self.b.begin_loop();
        let condition = self.field(kids, Field::Condition);
        if let Some(condition) = condition {
            self.condition(condition);
        }
        self.loop_body(kids);
        if let Some(increment) = self.field(kids, Field::Increment) {
            self.expr(increment);
        }
        self.b.end_loop();
        self.b.pop_scope();
        self.close(kids);
    }

    /// Evaluates a loop's condition; it holds in what follows.
    fn condition(&mut self, kid: Kid<'t>) {
        let kid = if kid.kind == Kind::ExpressionStatement { self.lone(self.first_child(kid.node)) } else { kid };
        if kid.kind != Kind::Other {
            self.expr(kid);
            self.narrow_by(kid, true);
        }
    }

    fn first_child(&self, node: Node<'t>) -> Node<'t> {
        node.named_child(0).unwrap_or(node)
    }

    fn loop_body(&mut self, kids: Kids) {
        if let Some(body) = self.field(kids, Field::Body) {
            self.statement(body);
        }
    }

    /// `for (const x of xs)`, `for await`, `for (const key in object)`
    fn for_in(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        self.b.push_scope(ScopeKind::Block);
        let over = self.field(kids, Field::Right).map_or(self.unknown, |right| self.expr(right));
        let keys = self.field(kids, Field::Operator).is_some_and(|operator| self.text(operator.node) == "in");
        let element = match (keys, self.has(kids, Kind::AwaitWord)) {
            (true, _) => self.literal(Literal::Interpolated),
            (false, true) => self.b.expr(Expr::IterateAsync(over)),
            (false, false) => self.b.expr(Expr::Iterate(over)),
        };
        self.b.begin_loop();
        if let Some(left) = self.field(kids, Field::Left) {
            let declared = match self.field(kids, Field::Kind) {
                Some(word) if word.kind == Kind::VarWord => self.declares(true, Flags::default()),
                Some(_) => Declares::Local,
                None => Declares::Assign,
            };
            self.bind_pattern(left, element, declared);
        }
        self.loop_body(kids);
        self.b.end_loop();
        self.b.pop_scope();
        self.close(kids);
    }

    fn while_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        self.b.begin_loop();
        let condition = self.field(kids, Field::Condition);
        if let Some(condition) = condition {
            self.condition(condition);
        }
        self.loop_body(kids);
        self.b.end_loop();
        self.close(kids);
    }

    fn do_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        self.b.begin_loop();
        self.loop_body(kids);
        if let Some(condition) = self.field(kids, Field::Condition) {
            self.expr(condition);
        }
        self.b.end_loop();
        self.close(kids);
    }

    fn labeled(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        self.b.begin_loop();
        if let Some(body) = self.field(kids, Field::Body) {
            self.statement(body);
        }
        self.b.end_breakable();
        self.close(kids);
    }

    // ------------------------------------------------------------------------------------------------ declarations

    /// `declare …`
    fn ambient(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let around = std::mem::replace(&mut self.is_ambient, true);
        for at in kids.all() {
            let part = self.kid(at);
            match part.kind {
                // `declare global { … }`
                Kind::StatementBlock => self.block(part),
                _ if part.node.is_named() => self.statement_here(part, flags),
                _ => {}
            }
        }
        self.is_ambient = around;
        self.close(kids);
    }
}
