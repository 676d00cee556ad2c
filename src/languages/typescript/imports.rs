//! `import` and `export` statements, `require("m")` and `import("m")`.

use tree_sitter::Node;

use super::bindings::Declares;
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    fn new_import(&mut self, module: &str, form: ImportForm, type_only: bool, at: Node<'t>) -> ImportId {
        let scope = self.b.scope();
        let module = self.b.name(module);
        let place = self.place(at);
        let guarded = self.guards > 0;
        self.b.import(Import { scope, module, level: 0, form, names: Vec::new(), type_only, guarded }, place)
    }

    fn import_name(&mut self, id: ImportId, name: Name, type_only: bool) -> u32 {
        let names = &mut self.b.facts().surface.imports[id.index()].names;
        names.push(ImportedName { name, type_only });
        names.len() as u32 - 1
    }

    fn import_reference(&mut self, id: ImportId, name: Option<u32>, at: Node<'t>) {
        let place = self.place(at);
        self.b.reference(RefKind::Import, RefTarget::Import(id, name), place);
    }

    /// `require("m")` or `import("m")` as an expression, `import("m").T` as a type.
    pub(super) fn expression_import(&mut self, module: &str, at: Node<'t>) -> ImportId {
        let id = self.new_import(module, ImportForm::Expression, false, at);
        self.import_reference(id, None, at);
        id
    }

    // -------------------------------------------------------------------------------------------------- statements

    pub(super) fn import_statement(&mut self, kid: Kid<'t>) {
        self.doc = Doc::default();
        let kids = self.open(kid.node);
        let type_only = self.has(kids, Kind::TypeWord);
        if let Some(clause) = self.of_kind(kids, Kind::ImportRequireClause) {
            self.import_require(kid, clause, type_only);
            return self.close(kids);
        }
        let Some(source) = self.field(kids, Field::Source) else { return self.close(kids) };
        let module = self.string(source.node);
        match self.of_kind(kids, Kind::ImportClause) {
            Some(clause) => self.import_clause(kid, clause, module, source, type_only),
            None => {
                let id = self.new_import(module, ImportForm::Effect, type_only, kid.node);
                self.import_reference(id, None, source.node);
            }
        }
        self.close(kids);
    }

    fn import_clause(&mut self, kid: Kid<'t>, clause: Kid<'t>, module: &str, source: Kid<'t>, type_only: bool) {
        let kids = self.open(clause.node);
        let mut named: Option<ImportId> = None;
        let mut bound = false;
        for at in kids.all() {
            let part = self.kid(at);
            match part.kind {
                Kind::Identifier => {
                    let id =
                        *named.get_or_insert_with(|| self.new_import(module, ImportForm::Names, type_only, kid.node));
                    let default = self.b.name("default");
                    let index = self.import_name(id, default, type_only);
                    self.bind_import(part.node, Value::Imported(id, index));
                    self.import_reference(id, Some(index), part.node);
                    bound = true;
                }
                Kind::NamespaceImport => {
                    let id = self.new_import(module, ImportForm::Module, type_only, kid.node);
                    let inside = self.open(part.node);
                    if let Some(name) = self.of_kind(inside, Kind::Identifier) {
                        self.bind_import(name.node, Value::Module(id));
                        self.import_reference(id, None, name.node);
                    }
                    self.close(inside);
                    bound = true;
                }
                Kind::NamedImports => {
                    let id =
                        *named.get_or_insert_with(|| self.new_import(module, ImportForm::Names, type_only, kid.node));
                    bound |= self.named_imports(id, part, type_only);
                }
                _ => {}
            }
        }
        if !bound {
            let id = named.unwrap_or_else(|| self.new_import(module, ImportForm::Effect, type_only, kid.node));
            self.import_reference(id, None, source.node);
        }
        self.close(kids);
    }

    fn named_imports(&mut self, id: ImportId, list: Kid<'t>, type_only: bool) -> bool {
        let kids = self.open(list.node);
        let mut bound = false;
        for at in kids.all() {
            let specifier = self.kid(at);
            if specifier.kind != Kind::ImportSpecifier {
                continue;
            }
            let inside = self.open(specifier.node);
            if let Some(name_kid) = self.field(inside, Field::Name) {
                let type_only = type_only || self.has(inside, Kind::TypeWord) && name_kid.kind != Kind::TypeWord;
                let name = self.export_name(name_kid);
                let index = self.import_name(id, name, type_only);
                let local = self.field(inside, Field::Alias).unwrap_or(name_kid);
                self.bind_import(local.node, Value::Imported(id, index));
                self.import_reference(id, Some(index), name_kid.node);
                bound = true;
            }
            self.close(inside);
        }
        self.close(kids);
        bound
    }

    fn bind_import(&mut self, local: Node<'t>, value: Value) {
        let name = self.name(local);
        self.b.bind(name, value, None, None, Space::Both);
    }

    /// A name in an import or export list: an identifier, `default`, or a string.
    fn export_name(&mut self, kid: Kid<'t>) -> Name {
        match kid.kind {
            Kind::String => {
                let text = self.string(kid.node);
                self.b.name(text)
            }
            _ => self.name(kid.node),
        }
    }

    /// `import fs = require("fs")`
    fn import_require(&mut self, kid: Kid<'t>, clause: Kid<'t>, type_only: bool) {
        let kids = self.open(clause.node);
        if let (Some(name), Some(source)) = (self.of_kind(kids, Kind::Identifier), self.field(kids, Field::Source)) {
            let module = self.string(source.node);
            let id = self.new_import(module, ImportForm::Module, type_only, kid.node);
            self.bind_import(name.node, Value::Module(id));
            self.import_reference(id, None, name.node);
        }
        self.close(kids);
    }

    /// `import A = ns.inner.A`
    pub(super) fn import_alias(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let mut named = kids.all().map(|at| self.kid(at)).filter(|part| part.node.is_named());
        if let (Some(name_kid), Some(of)) = (named.next(), named.next()) {
            let value = self.qualified(of);
            if let Some(last) = self.child(of.node, Field::Property) {
                self.read(value, last);
            }
            let name = self.name(name_kid.node);
            self.b.bind(name, Value::Expr(value), None, None, Space::Both);
            if flags.has(Flags::EXPORTED) && !self.is_inside_namespace() {
                self.b.export(Export { name, value: ExportValue::Local(name), type_only: false });
            }
        }
        self.close(kids);
    }

    // ----------------------------------------------------------------------------------------------------- exports

    pub(super) fn export_statement(&mut self, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let decorators = self.decorators(kids, None);
        let type_only = self.has(kids, Kind::TypeWord);
        let is_default = self.has(kids, Kind::DefaultWord);
        let source = self.field(kids, Field::Source);
        if let Some(source) = source {
            self.export_from(kid, kids, source, type_only);
        } else if let Some(clause) = self.of_kind(kids, Kind::ExportClause) {
            self.export_list(clause, type_only);
        } else if let Some(declaration) = self.field(kids, Field::Declaration) {
            self.export_declaration(declaration, is_default, decorators);
        } else if let Some(value) = self.field(kids, Field::Value) {
            self.export_default(value);
        } else if self.has(kids, Kind::Equals) {
            // `export = value`
            let value = kids.all().map(|at| self.kid(at)).rfind(|part| part.node.is_named());
            if let Some(value) = value {
                self.export_whole(value);
            }
        }
        self.close(kids);
    }

    /// `export { a as b } from "m"`, `export * from "m"`, `export * as ns from "m"`
    fn export_from(&mut self, kid: Kid<'t>, kids: Kids, source: Kid<'t>, type_only: bool) {
        let module = self.string(source.node);
        let type_only = type_only || self.has_blanked_type(kid.node);
        let id = self.new_import(module, ImportForm::Export, type_only, kid.node);
        let mut exported = false;
        for at in kids.all() {
            let part = self.kid(at);
            let export = match part.kind {
                Kind::Star => {
                    let name = self.b.name("*");
                    Some((Export { name, value: ExportValue::Star(id), type_only }, part.node))
                }
                Kind::NamespaceExport => {
                    let inside = self.open(part.node);
                    let name_kid = self.inner(inside);
                    self.close(inside);
                    name_kid.map(|name_kid| {
                        let name = self.export_name(name_kid);
                        (Export { name, value: ExportValue::Module(id), type_only }, name_kid.node)
                    })
                }
                Kind::ExportClause => {
                    for (name, alias, type_name, at) in self.specifiers(part) {
                        let type_only = type_only || type_name;
                        let value = ExportValue::Imported(id, name);
                        self.import_name(id, name, type_only);
                        self.re_export(Export { name: alias, value, type_only }, at);
                        exported = true;
                    }
                    None
                }
                _ => None,
            };
            if let Some((export, at)) = export {
                self.re_export(export, at);
                exported = true;
            }
        }
        if !exported {
            self.import_reference(id, None, source.node);
        }
    }

    fn re_export(&mut self, export: Export, at: Node<'t>) {
        let index = self.b.export(export);
        let place = self.place(at);
        self.b.reference(RefKind::Import, RefTarget::Export(index), place);
    }

    /// The names of an export list: (name, exported as, `type`, node of the name).
    fn specifiers(&mut self, clause: Kid<'t>) -> Vec<(Name, Name, bool, Node<'t>)> {
        let kids = self.open(clause.node);
        let mut found = Vec::new();
        for at in kids.all() {
            let specifier = self.kid(at);
            if specifier.kind != Kind::ExportSpecifier {
                continue;
            }
            let inside = self.open(specifier.node);
            if let Some(name_kid) = self.field(inside, Field::Name) {
                let name = self.export_name(name_kid);
                let alias = self.field(inside, Field::Alias).map_or(name, |alias| self.export_name(alias));
                let type_only = self.has(inside, Kind::TypeWord) && name_kid.kind != Kind::TypeWord;
                found.push((name, alias, type_only, name_kid.node));
            }
            self.close(inside);
        }
        self.close(kids);
        found
    }

    fn export_list(&mut self, clause: Kid<'t>, type_only: bool) {
        if self.is_inside_namespace() {
            return;
        }
        for (name, alias, type_name, _) in self.specifiers(clause) {
            let type_only = type_only || type_name;
            self.b.export(Export { name: alias, value: ExportValue::Local(name), type_only });
        }
    }

    fn export_declaration(&mut self, declaration: Kid<'t>, is_default: bool, decorators: Vec<ExprId>) {
        let from = self.b.read().surface.definitions.len();
        let scope = self.b.scope();
        let bound = self.b.bound(scope).len();
        let around = self.owner();
        let flags = if is_default { Flags::EXPORTED.with(Flags::DEFAULT) } else { Flags::EXPORTED };
        self.statement_here(declaration, flags);
        // Decorators before `export` are the class's all the same.
        if !decorators.is_empty() && self.b.read().surface.definitions.len() > from {
            self.definition(DefId::new(from)).decorators.splice(0..0, decorators);
        }
        if self.is_inside_namespace() {
            return;
        }
        let facts = self.b.read();
        let mut names: Vec<Name> = Vec::new();
        let defined = facts.surface.definitions[from..].iter();
        let defined = defined.filter(|definition| definition.parent == around && definition.flags.has(flags));
        // Names taken from `require(…)` have no definition here.
        let bindings = self.b.bound(scope)[bound..].iter().map(|&binding| facts.binding(binding));
        let taken = bindings.filter(|binding| matches!(binding.value, Value::Imported(..) | Value::Module(_)));
        for name in defined.map(|definition| definition.name).chain(taken.map(|binding| binding.name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for local in names {
            let name = if is_default { self.b.name("default") } else { local };
            self.b.export(Export { name, value: ExportValue::Local(local), type_only: false });
        }
    }

    /// `export default value`
    fn export_default(&mut self, value: Kid<'t>) {
        let default = self.b.name("default");
        let core = self.core(value);
        if core.kind == Kind::Identifier && core.node.id() == value.node.id() {
            let local = self.name(core.node);
            self.b.export(Export { name: default, value: ExportValue::Local(local), type_only: false });
            return;
        }
        let value = self.unnamed_export(value, Flags::EXPORTED.with(Flags::DEFAULT));
        self.b.export(Export { name: default, value, type_only: false });
    }

    /// A value that is exported without a name of its own: it becomes the symbol `default`, unless it is only an alias.
    pub(super) fn unnamed_export(&mut self, value: Kid<'t>, flags: Flags) -> ExportValue {
        let core = self.core(value);
        let own = match core.kind {
            Kind::FunctionExpression | Kind::GeneratorFunction | Kind::ClassExpression => {
                self.child(core.node, Field::Name)
            }
            _ => None,
        };
        let kind = match self.names_its_value(value) {
            Some(kind) => kind,
            None if matches!(core.kind, Kind::Identifier | Kind::MemberExpression) => {
                return ExportValue::Expr(self.expr(value));
            }
            None => DefKind::Symbol,
        };
        let name = match own {
            Some(own) => self.name(own),
            None => self.b.name("default"),
        };
        let doc = self.doc;
        let at = own.unwrap_or(value.node);
        let def = self.define(New { name, kind, parent: None, at, whole: value.node, flags });
        if kind == DefKind::Symbol {
            self.measure(def, [0..0, 0..0], value.node.byte_range());
        }
        let this = super::functions::OwnThis::Caller;
        let expr = self.value_of(value, def, this, None, doc);
        let bound = match self.b.read().expr(expr) {
            Expr::Function(_) | Expr::Class(_) => Value::Definition(def),
            _ => Value::Expr(expr),
        };
        // No name of the language reads `default`, so this binding hides nothing.
        let default = self.b.name("default");
        let scope = self.b.module_scope();
        self.b.bind_in(scope, default, bound, None, Some(def), Space::Both);
        ExportValue::Local(default)
    }

    // -------------------------------------------------------------------------------------- require, dynamic import

    /// The module of `import("m")`, `require("m")` and the like.
    fn module_text(&self, arguments: Node<'t>) -> Option<&'t str> {
        let first = (0..arguments.named_child_count() as u32)
            .filter_map(|at| arguments.named_child(at))
            .find(|argument| !argument.is_extra())?;
        let kid = self.lone(first);
        let plain = match kid.kind {
            Kind::String => true,
            Kind::TemplateString => !self.text(first).contains("${"),
            _ => false,
        };
        plain.then(|| self.string(first))
    }

    /// The module of an `import("m")` node.
    pub(super) fn import_text(&self, kid: Kid<'t>) -> Option<&'t str> {
        if kid.kind != Kind::CallExpression {
            return None;
        }
        let callee = self.child(kid.node, Field::Function)?;
        let arguments = self.child(kid.node, Field::Arguments)?;
        (self.lone(callee).kind == Kind::Import).then(|| self.module_text(arguments)).flatten()
    }

    /// Whether a callee loads the module that its argument names, as CommonJS and test runners do.
    fn is_require(&mut self, callee: Kid<'t>) -> bool {
        let text = self.text(callee.node);
        match callee.kind {
            Kind::Identifier if text == "require" => {
                let name = self.b.name(text);
                self.b.held(name).is_none()
            }
            Kind::MemberExpression => matches!(text, "jest.requireActual" | "jest.requireMock" | "module.require"),
            _ => false,
        }
    }

    /// `require("m")`, `import("m")`, `vi.importActual("m")`
    pub(super) fn module_call(&mut self, callee: Kid<'t>, arguments: Kid<'t>) -> Option<ExprId> {
        let dynamic = callee.kind == Kind::Import
            || callee.kind == Kind::MemberExpression
                && matches!(self.text(callee.node), "vi.importActual" | "vi.importMock" | "import.defer");
        if !dynamic && !self.is_require(callee) {
            return None;
        }
        let Some(module) = self.module_text(arguments.node) else {
            self.arguments(arguments);
            return Some(self.unknown);
        };
        let id = self.expression_import(module, arguments.node);
        let value = self.b.expr(Expr::Module(id));
        Some(if dynamic { self.b.expr(Expr::Promise(value)) } else { value })
    }

    /// `const a = require("m")`, `const { a, b: c } = require("m")`, `const a = require("m").a` bind as imports do.
    pub(super) fn require_binding(&mut self, pattern: Kid<'t>, value: Kid<'t>, declares: Declares) -> bool {
        let core = self.core(value);
        let (call, member) = match core.kind {
            Kind::MemberExpression => {
                let object = self.child(core.node, Field::Object).map(|object| self.lone(object));
                (object, self.child(core.node, Field::Property))
            }
            _ => (Some(core), None),
        };
        let Some(call) = call.filter(|call| call.kind == Kind::CallExpression) else { return false };
        let callee = self.child(call.node, Field::Function).map(|callee| self.lone(callee));
        let arguments = self.child(call.node, Field::Arguments);
        let (Some(callee), Some(arguments)) = (callee, arguments) else { return false };
        let Some(module) = self.module_text(arguments).filter(|_| self.is_require(callee)) else { return false };
        let scope = match declares {
            Declares::In { scope, .. } => scope,
            Declares::Local | Declares::Assign => self.b.scope(),
        };
        match (pattern.kind, member) {
            (Kind::Identifier, None) => {
                let id = self.new_import(module, ImportForm::Module, false, call.node);
                self.bind_required(scope, pattern.node, Value::Module(id));
                self.import_reference(id, None, pattern.node);
                true
            }
            (Kind::Identifier, Some(member)) => {
                let id = self.new_import(module, ImportForm::Names, false, call.node);
                let name = self.name(member);
                let index = self.import_name(id, name, false);
                self.bind_required(scope, pattern.node, Value::Imported(id, index));
                self.import_reference(id, Some(index), member);
                true
            }
            (Kind::ObjectPattern, None) => self.required_names(pattern, module, call, scope),
            _ => false,
        }
    }

    fn bind_required(&mut self, scope: ScopeId, local: Node<'t>, value: Value) {
        let name = self.name(local);
        self.b.bind_in(scope, name, value, None, None, Space::Both);
    }

    fn required_names(&mut self, pattern: Kid<'t>, module: &str, call: Kid<'t>, scope: ScopeId) -> bool {
        let kids = self.open(pattern.node);
        let mut names: Vec<(Node<'t>, Node<'t>)> = Vec::new();
        let mut plain = true;
        for at in kids.all() {
            let member = self.kid(at);
            match member.kind {
                Kind::ShorthandPattern => names.push((member.node, member.node)),
                Kind::PairPattern => {
                    let key = self.child(member.node, Field::Key);
                    let local = self.child(member.node, Field::Value);
                    match (key, local) {
                        (Some(key), Some(local)) if self.lone(local).kind == Kind::Identifier => {
                            names.push((key, local));
                        }
                        _ => plain = false,
                    }
                }
                _ => plain = false,
            }
        }
        self.close(kids);
        if !plain || names.is_empty() {
            return false;
        }
        let id = self.new_import(module, ImportForm::Names, false, call.node);
        for (key, local) in names {
            let name = self.name(key);
            let index = self.import_name(id, name, false);
            self.bind_required(scope, local, Value::Imported(id, index));
            self.import_reference(id, Some(index), key);
        }
        true
    }
}
