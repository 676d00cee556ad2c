//! What modules give to others under a name: what they bind or export, what star imports pass on, their sub-modules, and
//! that they have no such name. A part of the first stratum, like `meanings`.

use super::engine::{Engine, Place};
use super::meanings::{Lookup, Meaning, Stratum};
use super::project::File;
use super::reads::Leaf;
use super::value::*;
use crate::facts::*;

impl Engine<'_> {
    /// What a module gives to others under a name, in the present stratum.
    pub(super) fn compute_name(&mut self, id: FileId, name: Sym) -> Vec<Meaning> {
        let Some(file) = self.file(id) else { return vec![Meaning::Unknown] };
        if self.rules(file).semantics().exports_all {
            self.compute_bound(file, name)
        } else {
            self.compute_exported(file, name)
        }
    }

    /// A language in which a module gives all that it binds.
    fn compute_bound(&mut self, file: &File, name: Sym) -> Vec<Meaning> {
        let bindings = file.name(name).map(|own| file.exported(own)).unwrap_or_default();
        let mut found = Vec::new();
        for &binding in &bindings {
            found.extend(self.binding_meanings(file, binding));
        }
        let behind = self.stratum == Stratum::Fallback;
        if behind || bindings.is_empty() {
            self.read(Leaf::Whole(file.id));
            found.extend(self.star_meanings(file, ScopeId::MODULE, name));
        }
        let has_stars = file.facts.surface.imports.iter().any(|import| import.form == ImportForm::Star);
        if behind || (bindings.is_empty() && !has_stars) {
            let module = self.place_meaning(Place::File(file.id), name, file.language);
            match module {
                Some(module) => found.push(module),
                None if self.is_dynamic(file) => found.push(Meaning::Unknown),
                None => {}
            }
        }
        found
    }

    /// Whether a module makes up names as they are asked for.
    fn is_dynamic(&mut self, file: &File) -> bool {
        let members = self.rules(file).semantics().dynamic_members;
        members.iter().any(|member| {
            let member = self.sym_of(member);
            self.read(Leaf::Name(file.id, member));
            file.name(member).is_some_and(|own| !file.exported(own).is_empty())
        })
    }

    /// That a module has no such name. The owner is the module in which the imports of the name end; in a circle of
    /// imports the one that was asked.
    pub(super) fn missing(&mut self, asked: FileId, name: Sym) -> Meaning {
        let (mut id, mut own) = (asked, name);
        let mut seen = vec![(id, own)];
        loop {
            if self.project.is_external(id) {
                return Meaning::External;
            }
            let Some(file) = self.file(id) else { return Meaning::Unknown };
            let Some((import, next)) = next_import(file, own) else {
                // Only of an object literal all names are known.
                let is_open = |whole: ExprId| !matches!(file.facts.expr(whole), Expr::Object(_));
                let open = whole_exports(&file.facts).any(is_open);
                return if open { Meaning::Unknown } else { Meaning::Missing(Some(id), own) };
            };
            let next = self.sym(file, next);
            match self.import_place(file, import) {
                Place::File(other) if seen.contains(&(other, next)) => return Meaning::Missing(Some(asked), name),
                Place::File(other) => {
                    (id, own) = (other, next);
                    seen.push((id, own));
                }
                Place::External(_) => return Meaning::External,
                Place::Namespace(_) | Place::Missing => return Meaning::Missing(None, next),
            }
        }
    }

    /// What star imports of a scope bring under a name.
    pub(super) fn star_meanings(&mut self, file: &File, scope: ScopeId, name: Sym) -> Vec<Meaning> {
        let mut found = Vec::new();
        for &(_, import) in file.stars(scope) {
            match self.import_place(file, import) {
                Place::File(other) | Place::External(Some(other)) => {
                    if self.star_takes(other, name) {
                        let more = self.lookup_list(other, name);
                        found.extend(
                            more.into_iter()
                                .filter(|meaning| !matches!(meaning, Meaning::Missing(..) | Meaning::External)),
                        );
                    }
                }
                Place::External(None) | Place::Namespace(_) | Place::Missing => {}
            }
        }
        found
    }

    /// Whether a star import takes a name: `__all__` decides, else a name without leading underscore.
    fn star_takes(&mut self, other: FileId, name: Sym) -> bool {
        self.read(Leaf::Whole(other));
        let Some(file) = self.file(other) else { return false };
        match &file.facts.surface.all {
            Some(all) => {
                self.read(Leaf::Name(other, name));
                all.iter().any(|&own| file.sym(own) == name)
            }
            None => !self.text_of(name).starts_with('_'),
        }
    }

    /// A language in which a module gives what it exports.
    fn compute_exported(&mut self, file: &File, name: Sym) -> Vec<Meaning> {
        let facts = &file.facts;
        let mut found = Vec::new();
        let mut exported = false;
        for export in facts.surface.exports.iter().filter(|export| file.sym(export.name) == name) {
            match &export.value {
                ExportValue::Local(own) => {
                    let group = self.name_group(file, *own);
                    self.within(group, |engine| {
                        for binding in file.exported(*own) {
                            found.extend(engine.binding_meanings(file, binding));
                        }
                    });
                }
                ExportValue::Expr(expr) => found.extend(self.expr_meanings(file, *expr)),
                ExportValue::Imported(import, own) => {
                    let own = self.sym(file, *own);
                    found.extend(self.imported_meanings(file, *import, own));
                }
                ExportValue::Module(import) => found.push(self.module_meaning(file, *import)),
                ExportValue::Star(_) | ExportValue::Whole(_) => continue,
            }
            exported = true;
        }
        let behind = self.stratum == Stratum::Fallback;
        if exported && !behind {
            return found;
        }
        self.read(Leaf::Whole(file.id));
        let is_default = name == Sym::of("default");
        for whole in whole_exports(facts) {
            for meaning in self.expr_meanings(file, whole) {
                found.extend(self.meaning_attribute(meaning, name));
                // `import x from "./common"`: the module's value, unless it has a `default` of its own.
                if is_default && behind {
                    found.push(meaning);
                }
            }
        }
        if !is_default {
            for export in &facts.surface.exports {
                if let ExportValue::Star(import) = export.value {
                    found.extend(self.imported_meanings(file, import, name));
                }
            }
        }
        if behind && let Some(module) = self.place_meaning(Place::File(file.id), name, file.language) {
            found.push(module);
        }
        found
    }

    /// What an import takes from its module under a name.
    pub(super) fn imported_meanings(&mut self, file: &File, import: ImportId, name: Sym) -> Vec<Meaning> {
        let place = self.import_place(file, import);
        self.place_attribute(place, name, file.language)
    }

    /// What a module has under a name; a sub-module when it has no such name itself.
    pub(super) fn place_attribute(&mut self, place: Place, name: Sym, language: usize) -> Vec<Meaning> {
        match place {
            Place::File(file) | Place::External(Some(file)) => self.lookup_list(file, name),
            Place::Namespace(_) => match self.place_meaning(place, name, language) {
                Some(meaning) => vec![meaning],
                None => self.nothing(name),
            },
            Place::External(None) => vec![Meaning::External],
            Place::Missing => self.nothing(name),
        }
    }

    /// What a module that is not there has under a name.
    fn nothing(&self, name: Sym) -> Vec<Meaning> {
        if self.stratum == Stratum::Finished { vec![Meaning::Missing(None, name)] } else { Vec::new() }
    }

    /// The sub-module of this name, if there is one.
    fn place_meaning(&mut self, parent: Place, name: Sym, language: usize) -> Option<Meaning> {
        match self.child_place(language, parent, name) {
            Place::File(file) | Place::External(Some(file)) => Some(Meaning::Module(file)),
            Place::Namespace(at) => Some(Meaning::Namespace(at)),
            Place::External(None) | Place::Missing => None,
        }
    }

    /// The module that an import leads to.
    pub(super) fn module_meaning(&mut self, file: &File, import: ImportId) -> Meaning {
        match self.import_place(file, import) {
            Place::File(other) | Place::External(Some(other)) => Meaning::Module(other),
            Place::Namespace(at) => Meaning::Namespace(at),
            Place::External(None) => Meaning::External,
            Place::Missing => Meaning::Missing(None, file.sym(file.facts.surface.imports[import.index()].module)),
        }
    }

    /// What a module is as a value: what `module.exports = …` says, else the module.
    pub(super) fn whole_meanings(&mut self, file: &File, import: ImportId) -> Vec<Meaning> {
        let meaning = self.module_meaning(file, import);
        let Meaning::Module(id) = meaning else { return vec![meaning] };
        let Some(other) = self.file(id) else { return vec![meaning] };
        self.read(Leaf::Whole(id));
        let wholes = whole_exports(&other.facts).count();
        let group = self.record.id(Leaf::Surface(id));
        let mut found = match wholes {
            0 => Vec::new(),
            _ => {
                let whole = self.lookup(Lookup::Whole(id), group);
                self.meanings.get(whole).to_vec()
            }
        };
        if other.facts.surface.exports.len() > wholes || wholes == 0 {
            found.push(meaning);
        }
        found
    }

    /// What `module.exports = …` says that a module is.
    pub(super) fn compute_whole(&mut self, id: FileId) -> Vec<Meaning> {
        let Some(file) = self.file(id) else { return vec![Meaning::Unknown] };
        let mut found = Vec::new();
        for whole in whole_exports(&file.facts) {
            found.extend(self.expr_meanings(file, whole));
        }
        found
    }

    /// The module that `import a.b.c` binds: the one of the first name.
    pub(super) fn first_module(&mut self, file: &File, import: ImportId) -> Meaning {
        let module = file.text(file.facts.surface.imports[import.index()].module);
        let Some((first, _)) = module.split_once('.') else { return self.module_meaning(file, import) };
        match self.module_place(file, first) {
            Place::File(other) | Place::External(Some(other)) => Meaning::Module(other),
            Place::Namespace(at) => Meaning::Namespace(at),
            Place::External(None) => Meaning::External,
            Place::Missing => Meaning::Missing(None, Sym::of(first)),
        }
    }
}

/// The import through which a module has a name, if it is one.
fn next_import(file: &File, name: Sym) -> Option<(ImportId, Name)> {
    let own = file.name(name)?;
    let surface = &file.facts.surface;
    let exports = surface.exports.iter().filter(|export| file.sym(export.name) == name);
    let exported = exports.filter_map(|export| match export.value {
        ExportValue::Local(own) => Some(own),
        _ => None,
    });
    let bound = exported.chain([own]).flat_map(|own| file.exported(own)).find_map(|binding| {
        match file.facts.binding(binding).value {
            Value::Imported(import, index) => {
                Some((import, surface.imports[import.index()].names.get(index as usize)?.name))
            }
            _ => None,
        }
    });
    let mut passed_on = surface.exports.iter().filter(|export| file.sym(export.name) == name);
    bound.or_else(|| {
        passed_on.find_map(|export| match export.value {
            ExportValue::Imported(import, own) => Some((import, own)),
            _ => None,
        })
    })
}

/// The values of `module.exports = …` and `export = …`.
pub(super) fn whole_exports(facts: &Facts) -> impl Iterator<Item = ExprId> + '_ {
    facts.surface.exports.iter().filter_map(|export| match export.value {
        ExportValue::Whole(expr) => Some(expr),
        _ => None,
    })
}
