//! Edges of imports and re-exports: to modules, and to the symbols whose names they take.

use super::UnitMaker;
use super::links::Aim;
use crate::facts::{self, *};
use crate::graph::{Confidence, EdgeKind, ExternalImport, Missing, Site};
use crate::resolve::engine::Place;
use crate::resolve::meanings::Meaning;
use crate::resolve::members::Found;
use crate::resolve::value::*;

impl UnitMaker<'_, '_, '_> {
    /// A use of an import: of its module, or of one of its names.
    pub(super) fn import(&mut self, target: RefTarget, site: Site) {
        match target {
            RefTarget::Import(import, None) => self.import_module(import, site),
            RefTarget::Import(import, Some(index)) => {
                let data = &self.file.facts.surface.imports[import.index()];
                if let Some(imported) = data.names.get(index as usize) {
                    self.import_name(import, imported.name, site);
                }
            }
            RefTarget::Export(index) => match self.file.facts.surface.exports[index as usize].value {
                ExportValue::Imported(import, name) => self.import_name(import, name, site),
                ExportValue::Module(import) | ExportValue::Star(import) => self.import_module(import, site),
                ExportValue::Local(_) | ExportValue::Expr(_) | ExportValue::Whole(_) => {}
            },
            RefTarget::Expr(expr) => {
                if let Expr::Module(import) = self.file.facts.expr(expr) {
                    self.import_module(*import, site);
                }
            }
            _ => {}
        }
    }

    fn import_module(&mut self, import: ImportId, site: Site) {
        let data = &self.file.facts.surface.imports[import.index()];
        match self.engine.import_place(self.file, import) {
            // `from package import name` imports the package only when the package's own name is taken.
            _ if data.form == ImportForm::Names && !data.names.is_empty() => {}
            Place::File(other) => {
                self.edge(0, EdgeKind::Imports, Aim::module(other), Confidence::Sure, site);
            }
            Place::External(_) => self.import_external(data, site),
            Place::Namespace(_) | Place::Missing => {}
        }
    }

    fn import_external(&mut self, data: &facts::Import, site: Site) {
        let module = self.file.text(data.module).into();
        self.external.push(ExternalImport { module, line: site.line });
    }

    fn import_name(&mut self, import: ImportId, name: Name, site: Site) {
        let data = &self.file.facts.surface.imports[import.index()];
        let statement = super::site(self.file.facts.places.imports[import.index()]);
        let place = self.engine.import_place(self.file, import);
        if let Place::External(_) = place {
            return self.import_external(data, statement);
        }
        let sym = self.engine.sym(self.file, name);
        for meaning in self.engine.place_attribute(place, sym, self.file.language) {
            match meaning {
                // A sub-module: the package itself gave nothing of its own.
                Meaning::Module(other) if self.is_child(place, sym, other) => {
                    if !self.engine.project.is_external(other) {
                        self.edge(0, EdgeKind::Imports, Aim::module(other), Confidence::Sure, site);
                    }
                    continue;
                }
                Meaning::Definition(id, symbol) => {
                    self.sure_edge(0, EdgeKind::Imports, Found { file: id, symbol }, site);
                }
                Meaning::Missing(Some(owner), _) if !self.engine.project.is_external(owner) => {
                    let owner = self.engine.target(Aim::module(owner));
                    self.missing.push(Missing { source: 0, owner, name: self.file.text(name).into(), site });
                }
                Meaning::Module(other) if !self.engine.project.is_external(other) => {
                    self.edge(0, EdgeKind::Imports, Aim::module(other), Confidence::Sure, site);
                }
                _ => {}
            }
            // However many names it takes, the statement imports the module once.
            if let Place::File(other) = place {
                self.edge(0, EdgeKind::Imports, Aim::module(other), Confidence::Sure, statement);
            }
        }
    }

    /// Whether a module is the sub-module of this name, not one that the package's own name is bound to.
    fn is_child(&mut self, place: Place, name: Sym, other: FileId) -> bool {
        match self.engine.child_place(self.file.language, place, name) {
            Place::File(child) => child == other,
            _ => false,
        }
    }
}
