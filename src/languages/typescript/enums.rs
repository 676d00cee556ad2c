//! Enums and their members.

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    pub(super) fn enumeration(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let (Some(name_kid), Some(body)) = (self.field(kids, Field::Name), self.field(kids, Field::Body)) else {
            return self.close(kids);
        };
        let def = self.declared_class(name_kid, kid, flags.with(Flags::ENUM), Space::Both);
        self.measure(def, [0..0, 0..0], body.node.byte_range());
        let class = self.new_class(def);
        self.b.push_owner(def);
        let scope = self.b.push_scope(ScopeKind::Class);
        self.class_mut(class).scope = scope;
        let members = self.open(body.node);
        for at in members.all() {
            let member = self.kid(at);
            self.enum_member(class, def, member);
        }
        self.close(members);
        self.b.pop_scope();
        self.b.pop_owner();
        self.close(kids);
    }

    fn enum_member(&mut self, class: ClassId, parent: DefId, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let assigned = kid.kind == Kind::EnumAssignment;
        let key = if assigned { self.field(kids, Field::Name) } else { Some(kid) };
        let Some(key) = key.filter(|key| assigned || key.field == Field::Name) else { return self.close(kids) };
        if let Some(name) = self.member_name(key) {
            self.doc = kid.doc;
            let flags = Flags::STATIC;
            let new = New { name, kind: DefKind::Symbol, parent: Some(parent), at: key.node, whole: kid.node, flags };
            let def = self.define(new);
            let value = self.field(kids, Field::Value).filter(|_| assigned);
            self.measure(def, [0..0, 0..0], value.map_or(0..0, |value| value.node.byte_range()));
            let value = value.map(|value| self.expr(value));
            // A bare member is bound in the body: later members may speak of it.
            self.b.bind(name, Value::Unknown, None, Some(def), Space::Value);
            let member = Member { name, definition: def, is_static: true, annotation: None, value };
            self.class_mut(class).members.push(member);
        }
        self.close(kids);
    }
}
