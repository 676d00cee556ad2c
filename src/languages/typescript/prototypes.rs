//! Assignments that declare: fields by `this.x = …`, members of prototypes, functions, classes and object literals.

use super::functions::{FunctionContext, OwnThis, is_function};
use super::kinds::{Field, Kind};
use super::objects::Members;
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    /// An assignment that declares something: an export, a member of a function, class or object.
    pub(super) fn known_assignment(&mut self, left: Kid<'t>, right: Kid<'t>, whole: Kid<'t>) -> Option<ExprId> {
        let kids = self.open(left.node);
        let (object, property) = (self.field(kids, Field::Object), self.field(kids, Field::Property));
        self.close(kids);
        let (object, property) = (object?, property?);
        if let Some(value) = self.export_assignment(left, object, property, right, whole) {
            return Some(value);
        }
        match object.kind {
            Kind::This if self.is_javascript => self.assigned_field(property, right, whole),
            Kind::MemberExpression => {
                let inside = self.open(object.node);
                let (of, prototype) = (self.field(inside, Field::Object), self.field(inside, Field::Property));
                self.close(inside);
                if self.text(prototype?.node) != "prototype" {
                    return None;
                }
                let def = self.definition_named(of?)?;
                self.prototype_member(def, property, right, whole)
            }
            Kind::Identifier => {
                let def = self.definition_named(object)?;
                if self.text(property.node) == "prototype" {
                    return self.prototype(def, right);
                }
                self.static_member(def, object, property, right, whole)
            }
            _ => None,
        }
    }

    /// The definition that a name stands for at this moment, if it is one of this file.
    fn definition_named(&mut self, kid: Kid<'t>) -> Option<DefId> {
        if kid.kind != Kind::Identifier {
            return None;
        }
        let name = self.name(kid.node);
        let binding = *self.b.held(name)?.last()?;
        self.b.read().binding(binding).definition
    }

    /// The class that `this` is an instance of: the one around, or what a constructor function makes. A function is one
    /// by assigning to `this`.
    fn constructed_here(&mut self) -> Option<ClassId> {
        let home = self.home();
        match (home.this, home.class, home.object) {
            (This::Of(_), Some(class), _) if !home.is_static => Some(class),
            (This::Of(function), None, None) => {
                let def = self.b.read().function(function).definition?;
                Some(self.class_of(def))
            }
            _ => None,
        }
    }

    /// `this.x = value` in a method or constructor function: a field of its class, unless the class has a member of that name already.
    fn assigned_field(&mut self, property: Kid<'t>, right: Kid<'t>, whole: Kid<'t>) -> Option<ExprId> {
        let class = self.constructed_here()?;
        let name = self.name(property.node);
        let doc = self.doc;
        let annotation = self.jsdoc_type(doc);
        let base = self.this();
        let target = self.b.expr(Expr::Attribute { base, name });
        let place = self.place(property.node);
        self.b.reference(RefKind::Write, RefTarget::Expr(target), place);
        let parent = self.b.read().class(class).definition;
        let known = self.b.read().class(class).members.iter().find(|member| member.name == name);
        let known = known.map(|member| member.definition);
        let (definition, value) = match known {
            Some(definition) => (definition, self.expr_as(right, annotation)),
            None => {
                let core = self.core(right);
                let method = is_function(core.kind);
                self.doc = doc;
                let flags = Flags::INSTANCE_FIELD;
                let kind = if method { DefKind::Method } else { DefKind::Symbol };
                let new = New { name, kind, parent: Some(parent), at: property.node, whole: whole.node, flags };
                let def = self.define(new);
                if !method {
                    self.measure(def, [0..0, 0..0], right.node.byte_range());
                }
                let value = match self.names_its_value(right) {
                    Some(_) => self.value_of(right, def, OwnThis::Class { class, is_static: false }, annotation, doc),
                    None => self.expr_as(right, annotation),
                };
                (def, value)
            }
        };
        let member = Member { name, definition, is_static: false, annotation, value: Some(value) };
        self.class_mut(class).members.push(member);
        Some(value)
    }

    /// The function that an element of a prototype or of a function's own object becomes (`Foo.prototype[name] =
    /// function () {}`): what it is called is not known, what its `this` is, is.
    pub(super) fn assigned_element(&mut self, left: Kid<'t>, right: Kid<'t>) -> Option<ExprId> {
        let core = self.core(right);
        if !matches!(core.kind, Kind::FunctionExpression | Kind::GeneratorFunction) {
            return None;
        }
        let object = self.lone(self.child(left.node, Field::Object)?);
        let of_prototype = object.kind == Kind::MemberExpression
            && self.child(object.node, Field::Property).is_some_and(|property| self.text(property) == "prototype");
        let named = if of_prototype { self.lone(self.child(object.node, Field::Object)?) } else { object };
        let def = self.definition_named(named)?;
        let this = match self.literal_of(named) {
            _ if of_prototype => OwnThis::Class { class: self.class_of(def), is_static: false },
            Some(literal) => OwnThis::Object(literal),
            None => return None,
        };
        let context = FunctionContext { this, ..FunctionContext::anonymous(None) };
        let function = self.function_value(core, context);
        Some(self.b.expr(Expr::Function(function)))
    }

    /// `Foo.prototype.bar = function () {}`
    fn prototype_member(&mut self, def: DefId, property: Kid<'t>, right: Kid<'t>, whole: Kid<'t>) -> Option<ExprId> {
        let core = self.core(right);
        if !is_function(core.kind) && !matches!(core.kind, Kind::Identifier | Kind::MemberExpression) {
            return None;
        }
        let class = self.class_of(def);
        let name = self.name(property.node);
        let doc = self.doc;
        let method = is_function(core.kind);
        let kind = if method { DefKind::Method } else { DefKind::Symbol };
        let flags = if method { Flags::default() } else { Flags::INSTANCE_FIELD };
        let new = New { name, kind, parent: Some(def), at: property.node, whole: whole.node, flags };
        let member = self.define(new);
        let this = OwnThis::Class { class, is_static: false };
        let value = self.value_of(right, member, this, None, doc);
        if !method {
            let member = Member { name, definition: member, is_static: false, annotation: None, value: Some(value) };
            self.class_mut(class).members.push(member);
        }
        Some(value)
    }

    /// `Foo.prototype = { … }`, `Foo.prototype = Object.create(Base.prototype)`
    fn prototype(&mut self, def: DefId, right: Kid<'t>) -> Option<ExprId> {
        let core = self.core(right);
        if core.kind == Kind::Object {
            return Some(self.prototype_literal(def, core));
        }
        let text = self.text(core.node).strip_prefix("Object.create(")?;
        let base = text.split_once(".prototype").map(|(base, _)| base.trim())?;
        if base.is_empty() || !base.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$') {
            return None;
        }
        let class = self.class_of(def);
        let name = self.b.name(base);
        let base = self.b.use_name(name);
        let form = self.b.form(Form::Name(base));
        self.class_mut(class).bases.push(form);
        let place = self.place(core.node);
        self.b.reference_of(Some(def), RefKind::Base, RefTarget::Form(form), place);
        Some(self.expr(right))
    }

    /// The members of a literal become methods of the class.
    fn prototype_literal(&mut self, def: DefId, core: Kid<'t>) -> ExprId {
        let class = self.class_of(def);
        let object = self.object(core, Members::Of(def), None);
        let properties = self.b.read().surface.objects[object.index()].properties.clone();
        for property in properties {
            if let Expr::Function(function) = *self.b.read().expr(property.value) {
                let function = self.function_mut(function);
                if function.receiver == Receiver::This {
                    function.this_class = Some(class);
                    function.this_object = None;
                }
            }
        }
        self.b.expr(Expr::Object(object))
    }

    /// `Object.assign(Foo.prototype, { … })`
    pub(super) fn prototype_assign(&mut self, target: Kid<'t>, sources: &[Kid<'t>]) -> Option<ExprId> {
        let object = self.child(target.node, Field::Object).map(|object| self.lone(object))?;
        let property = self.child(target.node, Field::Property)?;
        if self.text(property) != "prototype" {
            return None;
        }
        let def = self.definition_named(object)?;
        for source in sources {
            let core = self.core(*source);
            if core.kind == Kind::Object {
                self.prototype_literal(def, core);
            } else {
                self.expr(*source);
            }
        }
        Some(self.unknown)
    }

    /// `Foo.bar = function () {}` of a function, class or object literal.
    fn static_member(
        &mut self,
        def: DefId,
        object: Kid<'t>,
        property: Kid<'t>,
        right: Kid<'t>,
        whole: Kid<'t>,
    ) -> Option<ExprId> {
        let core = self.core(right);
        let name = self.name(property.node);
        let method = is_function(core.kind);
        let alias = matches!(core.kind, Kind::Identifier | Kind::ClassExpression);
        if !method && !alias {
            return None;
        }
        let literal = self.literal_of(object);
        let has_class = self.b.read().definition(def).class.is_some();
        let has_function = self.b.read().definition(def).function.is_some();
        if self.is_defined(def, name) || literal.is_none() && !has_class && !has_function {
            return None;
        }
        let doc = self.doc;
        let kind = if method { DefKind::Method } else { DefKind::Symbol };
        let new = New { name, kind, parent: Some(def), at: property.node, whole: whole.node, flags: Flags::STATIC };
        let member = self.define(new);
        let this = match literal {
            Some(object) => OwnThis::Object(object),
            None => OwnThis::Class { class: self.class_of(def), is_static: true },
        };
        // The name before the dot is used.
        self.identifier(object.node, true);
        let value = self.value_of(right, member, this, None, doc);
        match literal {
            Some(object) => self.add_property(object, name, value, Some(member), false),
            None => {
                let class = self.class_of(def);
                let member = Member { name, definition: member, is_static: true, annotation: None, value: Some(value) };
                self.class_mut(class).members.push(member);
            }
        }
        Some(value)
    }

    /// The object literal that a variable was bound to.
    fn literal_of(&mut self, kid: Kid<'t>) -> Option<ObjectId> {
        let name = self.name(kid.node);
        let binding = *self.b.held(name)?.last()?;
        let Value::Expr(value) = self.b.read().binding(binding).value else { return None };
        match *self.b.read().expr(value) {
            Expr::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The class that a function is the constructor of (`Foo.prototype.bar = …`), made when first needed.
    pub(super) fn class_of(&mut self, definition: DefId) -> ClassId {
        if let Some(class) = self.b.read().definition(definition).class {
            return class;
        }
        let class = self.new_class(definition);
        if let Some(function) = self.b.read().definition(definition).function {
            let function = self.function_mut(function);
            function.this_class = Some(class);
            function.receiver = Receiver::This;
        }
        class
    }
}
