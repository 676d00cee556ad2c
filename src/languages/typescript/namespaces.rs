//! Namespaces and declared modules: classes whose members are what is declared in them.

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    /// `namespace A.B { … }`, `declare module "m" { … }`
    pub(super) fn namespace(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let Some(name_kid) = self.field(kids, Field::Name) else { return self.close(kids) };
        let mut parts = Vec::new();
        self.name_parts(name_kid, &mut parts);
        let mut opened = 0;
        for part in &parts {
            self.open_namespace(*part, kid, flags);
            opened += 1;
        }
        if let Some(body) = self.field(kids, Field::Body) {
            let inside = self.open(body.node);
            let functions = std::mem::take(&mut self.functions);
            self.statements(inside);
            self.functions = functions;
            self.close(inside);
        }
        for _ in 0..opened {
            self.namespaces.pop();
            self.b.pop_scope();
            self.b.pop_owner();
        }
        self.close(kids);
    }

    fn name_parts(&mut self, kid: Kid<'t>, parts: &mut Vec<Kid<'t>>) {
        if !matches!(kid.kind, Kind::NestedIdentifier | Kind::MemberExpression) {
            return parts.push(kid);
        }
        let kids = self.open(kid.node);
        let (object, property) = (self.field(kids, Field::Object), self.field(kids, Field::Property));
        self.close(kids);
        if let Some(object) = object {
            self.deeper(object.node, |walk| walk.name_parts(object, parts));
        }
        parts.extend(property);
    }

    fn open_namespace(&mut self, name_kid: Kid<'t>, kid: Kid<'t>, flags: Flags) {
        let quoted = name_kid.kind == Kind::String;
        let name = match quoted {
            true => {
                let text = self.string(name_kid.node);
                self.b.name(text)
            }
            false => self.name(name_kid.node),
        };
        let mut flags = flags.with(Flags::NAMESPACE).with(self.namespace_flags());
        if quoted {
            // Declarations for a module elsewhere.
            flags |= Flags::HIDDEN;
        }
        let parent = self.owner();
        let new = New { name, kind: DefKind::Class, parent, at: name_kid.node, whole: kid.node, flags };
        let def = self.define(new);
        if !quoted {
            self.b.bind(name, Value::Definition(def), None, Some(def), Space::Both);
        }
        let class = self.new_class(def);
        self.b.push_owner(def);
        // Unlike a class body, what it binds is seen by the functions in it.
        let scope = self.b.push_scope(ScopeKind::Block);
        self.class_mut(class).scope = scope;
        self.namespaces.push((class, scope));
    }

    /// Whether a scope is that of the innermost namespace.
    pub(super) fn in_namespace(&self, scope: ScopeId) -> bool {
        self.namespaces.last().is_some_and(|(_, open)| *open == scope)
    }

    /// Whether any namespace is open.
    pub(super) fn is_inside_namespace(&self) -> bool {
        !self.namespaces.is_empty()
    }

    /// What is declared directly in a namespace is a static member of it.
    pub(super) fn namespace_flags(&self) -> Flags {
        if self.in_namespace(self.b.scope()) { Flags::STATIC } else { Flags::default() }
    }

    /// A variable of a namespace is a member of it.
    pub(super) fn namespace_member(
        &mut self,
        name: Name,
        definition: DefId,
        annotation: Option<FormId>,
        value: Option<ExprId>,
    ) {
        if let Some(&(class, scope)) = self.namespaces.last()
            && self.b.scope() == scope
        {
            self.class_mut(class).members.push(Member { name, definition, is_static: true, annotation, value });
        }
    }
}
