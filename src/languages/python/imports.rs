//! Imports in all their forms, and the names that they bind.

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

impl<'t> Walker<'t> {
    pub fn import_statement(&mut self, n: N) {
        for part in self.named(n) {
            let (module, alias) = match (self.kind(part), &self.named(part)[..]) {
                (Kind::AliasedImport, &[module, alias]) => (module, Some(alias)),
                (Kind::DottedName, _) => (part, None),
                _ => continue,
            };
            let place = self.place(n);
            let text = self.dotted(module);
            let form = if alias.is_some() { ImportForm::Module } else { ImportForm::Dotted };
            let import = self.import(&text, 0, form, Vec::new(), place);
            let place = self.place(module);
            self.reference(RefKind::Import, RefTarget::Import(import, None), place);
            if let Some(bound) = alias.or(self.named(module).first().copied()) {
                self.bind_import(bound, Value::Module(import));
            }
        }
    }

    pub fn import_from(&mut self, n: N) {
        let children = self.named(n);
        let [module, ref taken @ ..] = children[..] else { return };
        let (level, text) = match self.kind(module) {
            Kind::RelativeImport => {
                let dots = self.tree.child(module, Kind::ImportPrefix);
                let level = dots.map_or(0, |dots| self.text(dots).bytes().filter(|byte| *byte == b'.').count() as u32);
                (level, self.tree.child(module, Kind::DottedName).map(|name| self.dotted(name)).unwrap_or_default())
            }
            _ => (0, self.dotted(module)),
        };
        let place = self.place(n);
        let module_place = self.place(module);
        if taken.iter().any(|part| self.kind(*part) == Kind::WildcardImport) {
            let import = self.import(&text, level, ImportForm::Star, Vec::new(), place);
            self.reference(RefKind::Import, RefTarget::Import(import, None), module_place);
            return;
        }
        let mut names = Vec::new();
        let mut bound = Vec::new();
        for &part in taken {
            let (name, alias) = match (self.kind(part), &self.named(part)[..]) {
                (Kind::AliasedImport, &[name, alias]) => (name, alias),
                (Kind::DottedName, &[name]) => (name, name),
                _ => continue,
            };
            let taken = self.name(name);
            names.push(ImportedName { name: taken, type_only: false });
            bound.push((name, alias));
        }
        let import = self.import(&text, level, ImportForm::Names, names, place);
        self.reference(RefKind::Import, RefTarget::Import(import, None), module_place);
        for (at, (name, alias)) in bound.into_iter().enumerate() {
            let place = self.place(name);
            self.reference(RefKind::Import, RefTarget::Import(import, Some(at as u32)), place);
            self.bind_import(alias, Value::Imported(import, at as u32));
        }
    }

    /// `importlib.import_module("a.b")`, `__import__("a")`, with a literal name.
    pub fn import_call(&mut self, callee: N, arguments: N) -> Option<ExprId> {
        let text = self.text(callee);
        let given = self.named(arguments);
        let module = given.first().and_then(|first| self.literal_text(*first)).filter(|m| !m.is_empty())?;
        let relative = match given.get(1) {
            None => false,
            Some(&package) => self.text(package).contains("__name__") || self.text(package).contains("__package__"),
        };
        let level = module.bytes().take_while(|byte| *byte == b'.').count() as u32;
        if (level > 0) != relative && text != "__import__" || text == "__import__" && module.contains('.') {
            return None;
        }
        let place = self.place(given[0]);
        for &argument in &given[1..] {
            self.visit(argument);
        }
        self.visit(callee);
        let import = self.import(&module[level as usize..], level, ImportForm::Expression, Vec::new(), place);
        self.reference(RefKind::Import, RefTarget::Import(import, None), place);
        Some(self.b.expr(Expr::Module(import)))
    }

    fn import(
        &mut self,
        module: &str,
        level: u32,
        form: ImportForm,
        names: Vec<ImportedName>,
        place: Place,
    ) -> ImportId {
        let (module, scope) = (self.name_of(module), self.b.scope());
        let guarded = self.guards > 0;
        self.b.import(Import { scope, module, level, form, names, type_only: false, guarded }, place)
    }

    fn bind_import(&mut self, target: N, value: Value) {
        let name = self.name(target);
        if self.functions.last().is_some_and(|function| function.globals.contains(&name)) {
            self.b.bind_detached(self.b.module_scope(), name, value, None);
        } else {
            self.b.bind(name, value, None, None, Space::Both);
        }
    }

    /// A dotted name without the white space that may stand in it.
    fn dotted(&self, n: N) -> String {
        self.text(n).split_whitespace().collect()
    }
}
