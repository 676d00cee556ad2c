//! What a CommonJS module exports: `exports.a = …`, `module.exports = …` and their kin.

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::functions::{OwnThis, is_function};
use super::kinds::Kind;
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
                let hidden = format!("{EXPORT_TWIN}{}", self.b.read().text(name));
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
        for &binding in self.b.bound(self.b.module_scope()) {
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
