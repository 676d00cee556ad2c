//! What a CommonJS module exports: `exports.a = …`, `module.exports = …` and their kin.

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::functions::{OwnThis, is_function};
use super::kinds::{Field, Kind};
use super::objects::Members;
use super::walk::*;
use crate::facts::*;

/// The exports of the file so far.
#[derive(Default)]
pub(super) struct Exports {
    /// The object that `exports` stands for.
    object: Option<ObjectId>,
    /// Its value was made the value of the module.
    whole: bool,
}

impl<'t> Walk<'t> {
    fn exports_object(&mut self) -> ObjectId {
        match self.commonjs.object {
            Some(object) => object,
            None => {
                let object = self.b.object(Object::default());
                self.commonjs.object = Some(object);
                object
            }
        }
    }

    /// Whether a node is `exports` or `module.exports` of CommonJS.
    fn is_exports(&mut self, node: Node<'t>) -> bool {
        let free = match self.text(node) {
            "exports" => "exports",
            "module.exports" => "module",
            _ => return false,
        };
        let name = self.b.name(free);
        self.b.held(name).is_none()
    }

    /// The value of `exports` and `module.exports` when they are read.
    pub(super) fn exports_value(&mut self, node: Node<'t>) -> Option<ExprId> {
        if !self.is_exports(node) {
            return None;
        }
        let object = self.exports_object();
        Some(self.b.expr(Expr::Object(object)))
    }

    /// `module.exports = value`, `exports.name = value`, `module.exports.name = value`
    pub(super) fn export_assignment(
        &mut self,
        left: Kid<'t>,
        object: Kid<'t>,
        property: Kid<'t>,
        right: Kid<'t>,
        whole: Kid<'t>,
    ) -> Option<ExprId> {
        if self.is_exports(left.node) {
            return Some(self.export_whole(right));
        }
        if !self.is_exports(object.node) {
            return None;
        }
        Some(self.export_member(property, right, whole))
    }

    /// `exports.name = value`
    fn export_member(&mut self, property: Kid<'t>, right: Kid<'t>, whole: Kid<'t>) -> ExprId {
        let name = self.name(property.node);
        let core = self.core(right);
        let plain =
            matches!(core.kind, Kind::Identifier | Kind::MemberExpression | Kind::Undefined | Kind::UnaryExpression);
        let required = core.kind == Kind::CallExpression && self.text(core.node).starts_with("require(");
        let doc = self.doc;
        let object = self.exports_object();
        let def = (!plain && !required).then(|| {
            let kind = self.names_its_value(right).unwrap_or(DefKind::Symbol);
            let flags = Flags::EXPORTED;
            let new = New { name, kind, parent: None, at: property.node, whole: whole.node, flags };
            let def = self.define(new);
            if !is_function(core.kind) && core.kind != Kind::ClassExpression {
                self.measure(def, [0..0, 0..0], right.node.byte_range());
            }
            def
        });
        let value = match def {
            Some(def) => self.value_of(right, def, OwnThis::Object(object), None, doc),
            None => self.expr(right),
        };
        self.add_property(object, name, value, def, false);
        self.export_property(name, value, def);
        value
    }

    /// An export by name. A value that is a symbol only because it is exported gets a binding that no name of the
    /// language reads, so that the export leads to its definition.
    fn export_property(&mut self, name: Name, value: ExprId, definition: Option<DefId>) {
        let has_own = matches!(self.b.read().expr(value), Expr::Function(_) | Expr::Class(_));
        let value = match definition {
            Some(def) if !has_own => {
                let hidden = format!("exports.{}", self.b.read().text(name));
                let hidden = self.b.name(&hidden);
                let scope = self.b.module_scope();
                self.b.bind_in(scope, hidden, Value::Expr(value), None, Some(def), Space::Value);
                ExportValue::Local(hidden)
            }
            _ => ExportValue::Expr(value),
        };
        self.b.export(Export { name, value, type_only: false });
    }

    /// `module.exports = value`, `export = value`
    pub(super) fn export_whole(&mut self, right: Kid<'t>) -> ExprId {
        self.commonjs.whole = true;
        let core = self.core(right);
        let value = if core.kind == Kind::Object {
            self.export_literal(core)
        } else if core.kind == Kind::Identifier {
            self.identifier(core.node, false)
        } else {
            match self.unnamed_export(right, Flags::EXPORTED) {
                ExportValue::Expr(value) => value,
                _ => {
                    let default = self.b.name("default");
                    self.b.use_name(default)
                }
            }
        };
        let name = self.b.name("=");
        self.b.export(Export { name, value: ExportValue::Whole(value), type_only: false });
        value
    }

    /// `module.exports = { a, b() {} }`: the members are exports, its functions are functions of the module.
    fn export_literal(&mut self, core: Kid<'t>) -> ExprId {
        let object = self.exports_object();
        let from = self.b.read().surface.objects[object.index()].properties.len();
        self.fill_object(object, core, Members::Module, None);
        let properties = self.b.read().surface.objects[object.index()].properties[from..].to_vec();
        for property in properties {
            if let Some(def) = property.definition {
                self.mark(def, Flags::EXPORTED);
            }
            self.export_property(property.name, property.value, property.definition);
        }
        self.b.expr(Expr::Object(object))
    }

    /// `Object.assign(module.exports, { … })`, `Object.defineProperty(exports, "a", { get … })`,
    /// `__exportStar(require("m"), exports)`
    pub(super) fn export_call(&mut self, callee: Kid<'t>, arguments: Kid<'t>) -> Option<ExprId> {
        let name = self.text(callee.node);
        let known = match callee.kind {
            Kind::MemberExpression => matches!(name, "Object.assign" | "Object.defineProperty"),
            Kind::Identifier => matches!(name, "__exportStar" | "__export"),
            _ => false,
        };
        if !known {
            return None;
        }
        let kids = self.open(arguments.node);
        let list: Vec<Kid<'t>> = kids.all().map(|at| self.kid(at)).filter(|part| part.node.is_named()).collect();
        self.close(kids);
        let (first, rest) = list.split_first()?;
        match name {
            "Object.assign" => {
                if self.is_exports(first.node) {
                    return Some(self.export_assign(rest));
                }
                self.prototype_assign(*first, rest)
            }
            "Object.defineProperty" if self.is_exports(first.node) => self.export_getter(rest),
            "__exportStar" | "__export" => {
                let value = self.expr(*first);
                let Expr::Module(id) = *self.b.read().expr(value) else { return Some(self.unknown) };
                let star = self.b.name("*");
                self.b.export(Export { name: star, value: ExportValue::Star(id), type_only: false });
                Some(self.unknown)
            }
            _ => None,
        }
    }

    fn export_assign(&mut self, sources: &[Kid<'t>]) -> ExprId {
        let mut value = self.unknown;
        for source in sources {
            let core = self.core(*source);
            if core.kind == Kind::Object {
                value = self.export_literal(core);
                continue;
            }
            let from = self.expr(*source);
            let object = self.exports_object();
            self.b.facts().surface.objects[object.index()].spreads.push(from);
            // What `require` gives then is more than the named exports.
            if !self.commonjs.whole {
                self.commonjs.whole = true;
                let name = self.b.name("=");
                value = self.b.expr(Expr::Object(object));
                self.b.export(Export { name, value: ExportValue::Whole(value), type_only: false });
            }
        }
        value
    }

    /// `Object.defineProperty(exports, "a", { enumerable: true, get: function () { return m.a } })`
    fn export_getter(&mut self, rest: &[Kid<'t>]) -> Option<ExprId> {
        let [key, descriptor, ..] = rest else { return None };
        if key.kind != Kind::String || descriptor.kind != Kind::Object {
            return None;
        }
        let name = self.string(key.node);
        let name = self.b.name(name);
        let object = self.object(*descriptor, Members::Unnamed, None);
        let properties = self.b.read().surface.objects[object.index()].properties.clone();
        for property in properties {
            let value = match (self.b.read().text(property.name), self.b.read().expr(property.value)) {
                ("get", Expr::Function(getter)) => self.b.read().function(*getter).returns.first().copied(),
                ("value", _) => Some(property.value),
                _ => None,
            };
            if let Some(value) = value {
                self.export_property(name, value, None);
            }
        }
        Some(self.unknown)
    }

    /// Marks what is exported under the name of a local definition.
    pub(super) fn finish_exports(&mut self) {
        let facts = self.b.read();
        let mut defined: FxHashMap<Name, Vec<DefId>> = FxHashMap::default();
        for &binding in &facts.scope(self.b.module_scope()).bindings {
            let binding = facts.binding(binding);
            if let Some(def) = binding.definition {
                defined.entry(binding.name).or_default().push(def);
            }
        }
        let mut marks: Vec<(DefId, Flags)> = Vec::new();
        for export in &facts.surface.exports {
            let ExportValue::Local(local) = export.value else { continue };
            let default = facts.text(export.name) == "default";
            let flags = if default { Flags::EXPORTED.with(Flags::DEFAULT) } else { Flags::EXPORTED };
            marks.extend(defined.get(&local).into_iter().flatten().map(|&def| (def, flags)));
        }
        for (def, flags) in marks {
            self.mark(def, flags);
        }
    }
}

impl<'t> Walk<'t> {
    // ---------------------------------------------------------------------------------------------- prototypes, `this`

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

    /// `this.x = value` in a method: a field of its class, unless the class has a member of that name already.
    fn assigned_field(&mut self, property: Kid<'t>, right: Kid<'t>, whole: Kid<'t>) -> Option<ExprId> {
        let home = self.home();
        let (This::Of(_), Some(class), false) = (home.this, home.class, home.is_static) else { return None };
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
        let value = self.expr_as(right, annotation);
        let definition = match known {
            Some(definition) => definition,
            None => {
                self.doc = doc;
                let flags = Flags::INSTANCE_FIELD;
                let kind = DefKind::Symbol;
                let new = New { name, kind, parent: Some(parent), at: property.node, whole: whole.node, flags };
                let def = self.define(new);
                self.measure(def, [0..0, 0..0], right.node.byte_range());
                def
            }
        };
        let member = Member { name, definition, is_static: false, annotation, value: Some(value) };
        self.class_mut(class).members.push(member);
        Some(value)
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
    fn prototype_assign(&mut self, target: Kid<'t>, sources: &[Kid<'t>]) -> Option<ExprId> {
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
            None => OwnThis::Caller,
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
}
