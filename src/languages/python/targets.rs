//! What assignments bind: names, attributes of `self`, parts of tuples.

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

impl Walker<'_> {
    /// Binds a target to a value.
    pub fn bind_target(&mut self, target: N, value: ExprId, annotation: Option<FormId>) {
        match self.kind(target) {
            Kind::Identifier => self.bind_name(target, Value::Expr(value), annotation),
            Kind::Attribute => self.bind_attribute(target, Some(value), annotation),
            Kind::TuplePattern
            | Kind::ListPattern
            | Kind::PatternList
            | Kind::Tuple
            | Kind::List
            | Kind::ExpressionList => {
                self.bind_parts(target, value);
            }
            Kind::Parenthesized | Kind::AsPatternTarget => {
                for inner in self.named(target) {
                    self.bind_target(inner, value, annotation);
                }
            }
            Kind::ListSplatPattern | Kind::ListSplat => {
                for inner in self.named(target) {
                    self.bind_target(inner, value, None);
                }
            }
            Kind::Subscript => {
                self.visit(target);
                self.put_by_key(target, value);
            }
            _ => self.visit(target),
        }
    }

    fn bind_parts(&mut self, target: N, of: ExprId) {
        let targets = self.named(target);
        let star = targets.iter().position(|t| matches!(self.kind(*t), Kind::ListSplatPattern | Kind::ListSplat));
        let count = targets.len();
        // `a, b = x, y` binds each to its own value.
        let pairs = match self.b.read().expr(of) {
            Expr::Tuple(items) if star.is_none() && items.len() == count => {
                let items = self.b.read().run(*items);
                let spread = items.iter().any(|item| matches!(self.b.read().expr(*item), Expr::Spread(_)));
                (!spread).then(|| items.to_vec())
            }
            _ => None,
        };
        for (at, inner) in targets.into_iter().enumerate() {
            if let Some(values) = &pairs {
                self.bind_target(inner, values[at], None);
                continue;
            }
            let part = match star {
                Some(star) if at == star => Part::Rest(at as u32),
                Some(star) if at > star => Part::FromEnd((count - 1 - at) as u32),
                _ => Part::Index(at as u32),
            };
            let value = self.b.expr(Expr::Part { of, part });
            self.bind_target(inner, value, None);
        }
    }

    /// Binds a name where the statement stands, or where `global` and `nonlocal` say.
    pub fn bind_name(&mut self, target: N, value: Value, annotation: Option<FormId>) {
        let name = self.name(target);
        if let Some(function) = self.functions.last() {
            if function.globals.contains(&name) {
                let binding = self.b.bind_detached(self.b.module_scope(), name, value, annotation);
                self.globals.push((binding, name, target));
                return;
            }
            if let Some(&(_, scope)) = function.nonlocals.iter().find(|(nonlocal, _)| *nonlocal == name) {
                self.b.bind_detached(scope, name, value, annotation);
                return;
            }
        }
        match self.scope_kind() {
            ScopeKind::Module => {
                let definition = match self.module_names.get(&name) {
                    Some(&definition) => definition,
                    None => self.variable(name, None, target, self.statement, Flags::default()),
                };
                self.module_names.insert(name, definition);
                self.b.bind(name, value, annotation, Some(definition), Space::Both);
            }
            ScopeKind::Class => self.bind_class_variable(name, target, value, annotation),
            // The target of `:=` in a comprehension is a variable of the function around.
            ScopeKind::Block if self.is_named_expression_target(target) => {
                let scope = self.function_scope();
                let definition =
                    (scope == self.b.module_scope()).then(|| self.module_names.get(&name).copied()).flatten();
                self.b.bind_in(scope, name, value, annotation, definition, Space::Both);
            }
            _ => {
                self.b.bind(name, value, annotation, None, Space::Both);
            }
        }
    }

    fn is_named_expression_target(&self, target: N) -> bool {
        target.0 > 0 && self.kind(N(target.0 - 1)) == Kind::NamedExpression
    }

    fn bind_class_variable(&mut self, name: Name, target: N, value: Value, annotation: Option<FormId>) {
        let Some(class) = self.classes.last() else { return };
        let (id, parent) = (class.id, class.definition);
        let is_static = value != Value::Unknown;
        let definition = match class.members.get(&name) {
            Some(&definition) => definition,
            None => {
                let flags = if is_static { Flags::default() } else { Flags::INSTANCE_FIELD };
                self.variable(name, Some(parent), target, self.statement, flags)
            }
        };
        if let Some(class) = self.classes.last_mut() {
            class.members.insert(name, definition);
        }
        self.b.bind(name, value, annotation, Some(definition), Space::Both);
        let value = match value {
            Value::Expr(value) => Some(value),
            _ => None,
        };
        if let Some(value) = value {
            self.made_property(definition, target, value);
        }
        self.b.facts().surface.classes[id.index()].members.push(Member {
            name,
            definition,
            is_static,
            annotation,
            value,
        });
    }

    /// `price = property(_price, _set_price)`: what `@property` makes of `_price`
    /// (<https://docs.python.org/3/library/functions.html#property>).
    fn made_property(&mut self, definition: DefId, target: N, value: ExprId) {
        let facts = self.b.read();
        let Expr::Call(call) = *facts.expr(value) else { return };
        let call = facts.call(call);
        if !matches!(facts.expr(call.callee), Expr::Name(used) if facts.text(used.name) == "property") {
            return;
        }
        let given = facts.run(call.arguments);
        let function = |at: usize, keyword: &str| {
            let named = |one: &Argument| matches!(one.kind, ArgumentKind::Keyword(name) if facts.text(name) == keyword);
            let positional = given.get(at).filter(|one| one.kind == ArgumentKind::Positional);
            let Expr::Name(used) = facts.expr(positional.or_else(|| given.iter().find(|one| named(one)))?.value) else {
                return None;
            };
            let member = *self.classes.last()?.members.get(&used.name)?;
            facts.definition(member).function
        };
        let (getter, setter) = (function(0, "fget"), function(1, "fset"));
        if let Some(getter) = getter {
            let definition = &mut self.b.facts().surface.definitions[definition.index()];
            definition.kind = DefKind::Method;
            definition.function = Some(getter);
            definition.flags |= Flags::GETTER;
        }
        if let (Some(_), Some(setter)) = (getter, setter) {
            let (name, parent) = (self.name(target), self.b.read().definition(definition).parent);
            let twin = self.variable(name, parent, target, self.statement, Flags::SETTER);
            let twin = &mut self.b.facts().surface.definitions[twin.index()];
            twin.kind = DefKind::Method;
            twin.function = Some(setter);
        }
    }

    /// Assigns to an attribute: a use, and a field of the class when it is one of `self`.
    pub fn bind_attribute(&mut self, target: N, value: Option<ExprId>, annotation: Option<FormId>) {
        let written = self.unread(target);
        let place = self.last_place(target);
        self.reference(RefKind::Write, RefTarget::Expr(written), place);
        self.forget_tested(target);
        let [base, attribute] = self.named(target)[..] else { return };
        if self.kind(base) != Kind::Identifier {
            return;
        }
        let base = self.name(base);
        let Some(function) = self.functions.last() else { return };
        match (function.receiver, function.this_class) {
            (Some((receiver, class)), _) if receiver == base => {
                self.bind_field(class, attribute, value, annotation, !function.this_instance);
            }
            // In `__new__` the instance is what `super().__new__(…)` gave.
            (Some(_), Some(class)) if !function.this_instance && self.is_new_instance(base) => {
                self.bind_field(class, attribute, value, annotation, false);
            }
            _ => {}
        }
    }

    fn is_new_instance(&self, name: Name) -> bool {
        let facts = self.b.read();
        let Some(&[binding]) = self.b.held(name) else { return false };
        let Value::Expr(value) = facts.binding(binding).value else { return false };
        let Expr::Call(call) = facts.expr(value) else { return false };
        matches!(facts.expr(facts.call(*call).callee), Expr::Attribute { name, .. } if facts.text(*name) == "__new__")
    }

    fn bind_field(
        &mut self,
        class: ClassId,
        attribute: N,
        value: Option<ExprId>,
        annotation: Option<FormId>,
        is_static: bool,
    ) {
        let name = self.name(attribute);
        let Some(at) = self.classes.iter().rposition(|open| open.id == class) else { return };
        let context = &self.classes[at];
        if context.callables.contains(&name) {
            return;
        }
        let (parent, known) = (context.definition, context.members.get(&name).copied());
        let in_body = context.variables.contains(&name);
        let definition = match known {
            Some(definition) => definition,
            None if in_body => parent,
            None => {
                let flags = if is_static { Flags::default() } else { Flags::INSTANCE_FIELD };
                let definition = self.variable(name, Some(parent), attribute, self.statement, flags);
                self.classes[at].members.insert(name, definition);
                definition
            }
        };
        let members = &mut self.b.facts().surface.classes[class.index()].members;
        members.push(Member { name, definition, is_static, annotation, value });
        let member = members.len() - 1;
        if known.is_none() && in_body {
            self.classes[at].pending.push((member, name));
        }
    }

    /// Defines a variable or field. Its own name is no part of what it says, so that it may be renamed.
    pub fn variable(&mut self, name: Name, parent: Option<DefId>, node: N, statement: N, flags: Flags) -> DefId {
        let whole = self.tree.start(statement) as usize..self.tree.end(statement) as usize;
        let own = self.tree.start(node) as usize..self.tree.end(node) as usize;
        let body_digest = match whole.start <= own.start && own.end <= whole.end {
            true => self.tokens.digest(&[whole.start..own.start, own.end..whole.end]),
            false => self.tokens.digest(&[whole]),
        };
        let definition = Definition::new(name, DefKind::Symbol, parent, flags);
        let description = Description { body_digest, ..Description::default() };
        let (first, last) = self.lines(statement);
        let place = DefinitionPlace { name: self.place(node), first, last };
        self.b.define(definition, description, place)
    }
}
