//! Interfaces and object types: classes that only types see.

use super::functions::TypeParametersOf;
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    pub(super) fn interface(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let (Some(name_kid), Some(body)) = (self.field(kids, Field::Name), self.field(kids, Field::Body)) else {
            return self.close(kids);
        };
        let def = self.declared_class(name_kid, kid, flags.with(Flags::INTERFACE), Space::Type);
        self.measure_class(def, kid, kids);
        self.b.push_owner(def);
        self.structure(def, body, Some(kids));
        self.b.pop_owner();
        self.close(kids);
    }

    /// The members of an interface or object type; `around` has its type parameters and bases.
    pub(super) fn structure(&mut self, def: DefId, body: Kid<'t>, around: Option<Kids>) -> ClassId {
        let class = self.new_class(def);
        let generic = around.is_some_and(|kids| self.type_parameters(kids, TypeParametersOf::Class(class)));
        if let Some(list) = around.and_then(|kids| self.of_kind(kids, Kind::ExtendsTypeClause)) {
            let inside = self.open(list.node);
            for at in inside.all() {
                let base = self.kid(at);
                self.base_type(class, def, base);
            }
            self.close(inside);
        }
        let scope = self.b.push_scope(ScopeKind::Class);
        self.class_mut(class).scope = scope;
        let kids = self.open(body.node);
        for at in kids.all() {
            let member = self.kid(at);
            self.doc = member.doc;
            self.rows = None;
            match member.kind {
                Kind::PropertySignature => self.property_signature(class, def, member),
                Kind::MethodSignature => self.method_signature(class, def, member),
                Kind::CallSignature => {
                    let inside = self.open(member.node);
                    let function = self.signature(inside, None, Field::ReturnType);
                    self.close(inside);
                    self.class_mut(class).calls.push(function);
                }
                Kind::ConstructSignature => {
                    let inside = self.open(member.node);
                    let function = self.signature(inside, None, Field::Type);
                    self.close(inside);
                    self.class_mut(class).constructs.push(function);
                }
                Kind::IndexSignature => self.index_signature(class, member),
                _ => {}
            }
        }
        self.doc = Doc::default();
        self.close(kids);
        self.b.pop_scope();
        if generic {
            self.b.pop_scope();
        }
        class
    }

    /// Members of a structure that is no symbol are none either.
    fn member_flags(&mut self, parent: DefId) -> Flags {
        let hidden = self.b.read().definition(parent).flags.has(Flags::HIDDEN);
        if hidden { Flags::HIDDEN } else { Flags::default() }
    }

    fn property_signature(&mut self, class: ClassId, parent: DefId, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let Some(name_kid) = self.field(kids, Field::Name) else { return self.close(kids) };
        let Some(name) = self.member_name(name_kid) else { return self.close(kids) };
        let flags = self.member_flags(parent).with(Flags::INSTANCE_FIELD);
        let (kind, parent) = (DefKind::Symbol, Some(parent));
        let def = self.define(New { name, kind, parent, at: name_kid.node, whole: kid.node, flags });
        self.measure_variable(def, kids);
        let annotation = self.field(kids, Field::Type).map(|written| self.annotation(written));
        self.class_mut(class).members.push(Member { name, definition: def, is_static: false, annotation, value: None });
        self.close(kids);
    }

    fn method_signature(&mut self, class: ClassId, parent: DefId, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let Some(name_kid) = self.field(kids, Field::Name) else { return self.close(kids) };
        let Some(name) = self.member_name(name_kid) else { return self.close(kids) };
        let mut flags = self.member_flags(parent).with(Flags::OVERLOAD);
        if self.has(kids, Kind::GetWord) {
            flags |= Flags::GETTER;
        }
        if self.has(kids, Kind::SetWord) {
            flags |= Flags::SETTER;
        }
        let hidden = flags.has(Flags::HIDDEN);
        let new = New { name, kind: DefKind::Method, parent: Some(parent), at: name_kid.node, whole: kid.node, flags };
        let def = self.define(new);
        self.measure_function(def, kid.node, kids);
        if !hidden {
            self.b.push_owner(def);
        }
        let function = self.signature(kids, Some(def), Field::ReturnType);
        if !hidden {
            self.b.pop_owner();
        }
        self.function_mut(function).this_class = Some(class);
        self.function_mut(function).receiver = Receiver::This;
        self.definition(def).function = Some(function);
        self.close(kids);
    }

    pub(super) fn index_signature(&mut self, class: ClassId, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        if let Some(keys) = self.field(kids, Field::IndexType) {
            self.form(keys);
        }
        if let Some(written) = self.field(kids, Field::Type) {
            let form = self.annotation(written);
            self.class_mut(class).index = Some(form);
        }
        self.close(kids);
    }
}
