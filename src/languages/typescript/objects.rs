//! Object literals and their members.

use super::functions::{FunctionContext, OwnThis, is_function};
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

/// Whose symbols the function members of a literal are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Members {
    /// Nobody's: what they do belongs to the function around.
    Unnamed,
    /// Methods of what the literal is bound to.
    Of(DefId),
    /// Functions of the module (`module.exports = { … }`).
    Module,
    /// Functions inside the function that returns the literal.
    Returned,
}

impl<'t> Walk<'t> {
    pub(super) fn object(&mut self, kid: Kid<'t>, members: Members, contextual: Option<FormId>) -> ObjectId {
        let id = self.b.object(Object::default());
        self.fill_object(id, kid, members, contextual);
        id
    }

    /// Adds the members of a literal to an object.
    pub(super) fn fill_object(&mut self, id: ObjectId, kid: Kid<'t>, members: Members, contextual: Option<FormId>) {
        let kids = self.open(kid.node);
        for at in kids.all() {
            let member = self.kid(at);
            match member.kind {
                Kind::Pair => self.pair(id, member, members, contextual),
                Kind::MethodDefinition => self.object_method(id, member, members, contextual),
                Kind::ShorthandProperty => {
                    let name = self.name(member.node);
                    let value = self.identifier(member.node, true);
                    self.add_property(id, name, value, None, false);
                }
                Kind::SpreadElement => {
                    let inner = self.open(member.node);
                    let value = self.inner(inner).map_or(self.unknown, |inner| self.expr(inner));
                    self.close(inner);
                    self.b.facts().surface.objects[id.index()].spreads.push(value);
                }
                _ => self.unread(member),
            }
        }
        self.close(kids);
    }

    pub(super) fn add_property(
        &mut self,
        id: ObjectId,
        name: Name,
        value: ExprId,
        definition: Option<DefId>,
        getter: bool,
    ) {
        let properties = &mut self.b.facts().surface.objects[id.index()].properties;
        properties.push(Property { name, value, definition, getter });
    }

    /// The name of a member; `None` for a computed one, whose object then has members we cannot name.
    pub(super) fn member_name(&mut self, key: Kid<'t>) -> Option<Name> {
        match key.kind {
            Kind::String => {
                let text = self.string(key.node);
                Some(self.b.name(text))
            }
            Kind::ComputedPropertyName => {
                let text = self.text(key.node);
                let constant = text.trim_start_matches('[').trim_end_matches(']').trim();
                match constant.strip_prefix("Symbol.") {
                    Some(symbol) => {
                        let text = format!("[Symbol.{symbol}]");
                        Some(self.b.name(&text))
                    }
                    None => {
                        self.computed_key(key);
                        None
                    }
                }
            }
            _ => Some(self.name(key.node)),
        }
    }

    fn pair(&mut self, id: ObjectId, kid: Kid<'t>, members: Members, contextual: Option<FormId>) {
        let kids = self.open(kid.node);
        let (Some(key), Some(value)) = (self.field(kids, Field::Key), self.field(kids, Field::Value)) else {
            return self.close(kids);
        };
        let Some(name) = self.member_name(key) else {
            self.expr(value);
            self.b.facts().surface.objects[id.index()].spreads.push(self.unknown);
            return self.close(kids);
        };
        let contextual = contextual.map(|of| self.b.form(Form::Indexed { of, key: name }));
        let core = self.core(value);
        let kind = match members {
            Members::Unnamed => None,
            Members::Of(_) if is_function(core.kind) => Some(DefKind::Method),
            Members::Module if is_function(core.kind) => Some(DefKind::Function),
            Members::Returned => (is_function(core.kind) && !self.is_local(name)).then_some(DefKind::Function),
            _ => self.names_its_value(value),
        };
        let Some(kind) = kind else {
            let contextual = contextual.or_else(|| self.jsdoc_type(kid.doc));
            let value = self.member_value(id, core, value, contextual);
            self.add_property(id, name, value, None, false);
            return self.close(kids);
        };
        self.doc = kid.doc;
        let parent = self.member_parent(members);
        let def = self.define(New { name, kind, parent, at: key.node, whole: kid.node, flags: Flags::default() });
        if kind == DefKind::Symbol {
            self.measure(def, [0..0, 0..0], value.node.byte_range());
        }
        let this = Self::own_this(core.kind, id);
        let expr = self.value_of(value, def, this, contextual, kid.doc);
        self.add_property(id, name, expr, Some(def), false);
        self.close(kids);
    }

    /// Whether the function around has a function of this name already.
    fn is_local(&self, name: Name) -> bool {
        self.owner().is_some_and(|owner| self.is_defined(owner, name))
    }

    fn member_parent(&self, members: Members) -> Option<DefId> {
        match members {
            Members::Of(parent) => Some(parent),
            Members::Returned => self.owner(),
            Members::Unnamed | Members::Module => None,
        }
    }

    /// The value of a member that is no symbol; a function among them has the object as its `this`.
    fn member_value(&mut self, object: ObjectId, core: Kid<'t>, value: Kid<'t>, contextual: Option<FormId>) -> ExprId {
        if core.node.id() == value.node.id() && is_function(core.kind) {
            let context = FunctionContext {
                this: Self::own_this(core.kind, object),
                doc: Doc::default(),
                ..FunctionContext::anonymous(contextual)
            };
            let id = self.function_value(value, context);
            return self.b.expr(Expr::Function(id));
        }
        self.expr_as(value, contextual)
    }

    fn object_method(&mut self, id: ObjectId, kid: Kid<'t>, members: Members, contextual: Option<FormId>) {
        let kids = self.open(kid.node);
        let Some(key) = self.field(kids, Field::Name) else { return self.close(kids) };
        let name = self.member_name(key);
        let getter = self.has(kids, Kind::GetWord);
        let setter = self.has(kids, Kind::SetWord);
        let contextual = match (contextual, name) {
            (Some(of), Some(key)) => Some(self.b.form(Form::Indexed { of, key })),
            _ => None,
        };
        let definition = match (members, name) {
            (Members::Unnamed, _) | (_, None) => None,
            (Members::Returned, Some(name)) if !getter && !setter && self.is_local(name) => None,
            (_, Some(name)) => {
                self.doc = kid.doc;
                let inside = matches!(members, Members::Module | Members::Returned);
                let kind = if inside { DefKind::Function } else { DefKind::Method };
                let mut flags = Flags::default();
                if getter {
                    flags |= Flags::GETTER;
                }
                if setter {
                    flags |= Flags::SETTER;
                }
                let parent = self.member_parent(members);
                Some(self.define(New { name, kind, parent, at: key.node, whole: kid.node, flags }))
            }
        };
        let this = Self::own_this(kid.kind, id);
        let context = FunctionContext { definition, this, contextual, doc: kid.doc };
        let function = self.function_of(kid, kids, context);
        let value = self.b.expr(Expr::Function(function));
        match name {
            Some(_) if setter => {}
            Some(name) => self.add_property(id, name, value, definition, getter),
            None => self.b.facts().surface.objects[id.index()].spreads.push(self.unknown),
        }
        self.close(kids);
    }

    /// Whether a property's value is a function that is a member of the object it stands in.
    fn own_this(kind: Kind, object: ObjectId) -> OwnThis {
        if is_function(kind) || kind == Kind::MethodDefinition { OwnThis::Object(object) } else { OwnThis::Caller }
    }
}
