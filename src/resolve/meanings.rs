//! The first stratum: what a name of a module means, through imports, re-exports and star imports, to a fixed point.
//!
//! Nothing here asks for types: a meaning is reached by names alone.
//!
//! "There is no such name" is a conclusion that no fixed point may rest on, or the answer would depend on where a circle
//! of imports was entered. So there are two tables, and what is missing is said of their finished answers:
//!
//! 1. *bound*: what is bound, imported, exported, or a sub-module that nothing hides;
//! 2. *fallback*, for names that mean nothing so far: sub-modules, star imports and `__getattr__` behind a binding that
//!    leads nowhere (`from . import models` in the package itself).

use rustc_hash::FxHashSet;

use super::engine::{Engine, Place};
use super::fixpoint::Ask;
use super::interner::Interner;
use super::project::File;
use super::reads::LeafId;
use super::value::*;
use crate::facts::*;

/// What a name can mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Meaning {
    /// A symbol, by its first definition.
    Definition(FileId, DefId),
    /// A binding that is no symbol: a parameter, a local variable.
    Binding(FileId, BindingId),
    /// An expression: the value of an export or of a property.
    Value(FileId, ExprId),
    Module(FileId),
    Namespace(u32),
    /// Outside the project.
    External,
    /// A module of the project was asked for a name that it does not have; `None`: there is no such module.
    Missing(Option<FileId>, Sym),
    /// Some name that cannot be told (`__getattr__` of a module).
    Unknown,
}

/// An interned, sorted set of meanings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Meanings(u32);

impl Meanings {
    pub const NONE: Meanings = Meanings(0);
}

/// Most meanings of one name; the rest is cut.
const MAX_MEANINGS: usize = 32;

/// Each meaning once, in the order found, so that what leads on from several does not multiply.
fn distinct(mut found: Vec<Meaning>) -> Vec<Meaning> {
    let mut seen = FxHashSet::default();
    found.retain(|meaning| seen.insert(*meaning));
    found.truncate(MAX_MEANINGS);
    found
}

/// A question of names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Lookup {
    /// What a module gives to others under a name.
    Name(FileId, Sym),
    /// What a symbol has under a name: a class, or what a variable's values are.
    Attribute(FileId, DefId, Sym),
    /// What `module.exports = …` says that a module is.
    Whole(FileId),
}

/// How far the answer to a question of names may go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Stratum {
    Bound,
    Fallback,
    /// Both, and what is missing besides: for everybody outside.
    Finished,
}

/// All sets of meanings, under numbers.
pub(super) struct MeaningSets {
    sets: Interner<Box<[Meaning]>>,
}

impl Default for MeaningSets {
    fn default() -> Self {
        let mut sets = Interner::default();
        let none = Meanings(sets.intern(Box::default()));
        debug_assert_eq!(none, Meanings::NONE);
        MeaningSets { sets }
    }
}

impl MeaningSets {
    /// The members of a set.
    pub fn get(&self, meanings: Meanings) -> &[Meaning] {
        self.sets.get(meanings.0)
    }

    /// The set of some meanings; those beyond [`MAX_MEANINGS`] are cut.
    pub fn intern(&mut self, mut members: Vec<Meaning>) -> Meanings {
        members.sort();
        members.dedup();
        members.truncate(MAX_MEANINGS);
        Meanings(self.sets.intern(members.into()))
    }
}

impl Engine<'_> {
    /// What a module gives to others under a name.
    pub(super) fn lookup_list(&mut self, file: FileId, name: Sym) -> Vec<Meaning> {
        let group = self.lookup_group(file, name);
        let meanings = self.lookup(Lookup::Name(file, name), group);
        let mut found = self.meanings.get(meanings).to_vec();
        if found.is_empty() && self.stratum == Stratum::Finished {
            found.push(self.missing(file, name));
        }
        found
    }

    /// The answer of the present stratum, as part of a group.
    pub(super) fn lookup(&mut self, lookup: Lookup, group: LeafId) -> Meanings {
        self.record.link(self.group, group);
        let bound = self.lookup_in(Stratum::Bound, lookup, group);
        if bound != Meanings::NONE || self.stratum == Stratum::Bound {
            return bound;
        }
        self.lookup_in(Stratum::Fallback, lookup, group)
    }

    fn lookup_in(&mut self, stratum: Stratum, lookup: Lookup, group: LeafId) -> Meanings {
        let id = match self.lookups.ask((stratum, lookup)) {
            Ask::Known(meanings) => return meanings,
            Ask::Compute(id) => id,
        };
        let outer = (std::mem::replace(&mut self.group, group), std::mem::replace(&mut self.stratum, stratum));
        let meanings = loop {
            let found = stacker::maybe_grow(64 * 1024, 1024 * 1024, || match lookup {
                Lookup::Name(file, name) => self.compute_name(file, name),
                Lookup::Attribute(file, def, name) => self.compute_attribute(file, def, name),
                Lookup::Whole(file) => self.compute_whole(file),
            });
            let found = self.meanings.intern(found);
            if let Some(meanings) = self.lookups.answer(id, found) {
                break meanings;
            }
        };
        (self.group, self.stratum) = outer;
        meanings
    }

    /// What a binding means by name.
    pub(super) fn binding_meanings(&mut self, file: &File, id: BindingId) -> Vec<Meaning> {
        let binding = file.facts.binding(id);
        if binding.scope == ScopeId::MODULE
            && binding.definition.is_some()
            && let Some(found) = self.stubbed_meanings(file, binding.name)
        {
            return found;
        }
        match binding.value {
            Value::Definition(def) => vec![Meaning::Definition(file.id, file.facts.definition(def).symbol)],
            Value::Module(import) => {
                let dotted = file.facts.surface.imports[import.index()].form == ImportForm::Dotted;
                if dotted { vec![self.first_module(file, import)] } else { self.whole_meanings(file, import) }
            }
            Value::Imported(import, index) => {
                let Some(name) = file.facts.surface.imports[import.index()].names.get(index as usize) else {
                    return vec![Meaning::Unknown];
                };
                let name = self.sym(file, name.name);
                self.imported_meanings(file, import, name)
            }
            Value::Expr(expr) => match (binding.definition, file.facts.expr(expr)) {
                // `const util = require("./util")`, `json = importlib.import_module("json")`: the module.
                (_, Expr::Module(import)) => self.whole_meanings(file, *import),
                (Some(def), _) => vec![Meaning::Definition(file.id, file.facts.definition(def).symbol)],
                // `const { a } = require("./util")`
                (None, Expr::Part { of, part: Part::Key(key) }) if matches!(file.facts.expr(*of), Expr::Module(_)) => {
                    let Expr::Module(import) = file.facts.expr(*of) else { return vec![Meaning::Unknown] };
                    let key = self.sym(file, *key);
                    self.imported_meanings(file, *import, key)
                }
                (None, _) => vec![Meaning::Binding(file.id, id)],
            },
            _ => match binding.definition {
                Some(def) => vec![Meaning::Definition(file.id, file.facts.definition(def).symbol)],
                None => vec![Meaning::Binding(file.id, id)],
            },
        }
    }

    /// What an expression means by names alone.
    pub(super) fn expr_meanings(&mut self, file: &File, expr: ExprId) -> Vec<Meaning> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match file.facts.expr(expr) {
            Expr::Name(used) => self.name_meanings(file, used),
            Expr::Attribute { base, name } => {
                let name = self.sym(file, *name);
                let bases = self.expr_meanings(file, *base);
                distinct(bases.into_iter().flat_map(|meaning| self.meaning_attribute(meaning, name)).collect())
            }
            Expr::Module(import) => self.whole_meanings(file, *import),
            Expr::Class(class) => {
                let def = file.facts.class(*class).definition;
                vec![Meaning::Definition(file.id, file.facts.definition(def).symbol)]
            }
            Expr::Function(function) => match file.facts.function(*function).definition {
                Some(def) => vec![Meaning::Definition(file.id, file.facts.definition(def).symbol)],
                None => vec![Meaning::Value(file.id, expr)],
            },
            Expr::Union(parts) => {
                let parts = file.facts.run(*parts);
                distinct(parts.iter().flat_map(|&part| self.expr_meanings(file, part)).collect())
            }
            Expr::Cast { of, .. } => self.expr_meanings(file, *of),
            _ => vec![Meaning::Value(file.id, expr)],
        })
    }

    /// What a name means where it is used.
    pub(super) fn name_meanings(&mut self, file: &File, used: &NameUse) -> Vec<Meaning> {
        let reach = file.facts.reach(used);
        if reach.is_empty() {
            return self.free_meanings(file, used);
        }
        let mut found = Vec::new();
        for &binding in reach {
            found.extend(self.reached(file, binding, |engine| engine.binding_meanings(file, binding)));
        }
        found.sort();
        found.dedup();
        found
    }

    /// Does something with a binding, as part of the group of its name when it is a module's.
    pub(super) fn reached<T>(&mut self, file: &File, binding: BindingId, work: impl FnOnce(&mut Self) -> T) -> T {
        let data = file.facts.binding(binding);
        if data.scope != ScopeId::MODULE {
            return work(self);
        }
        let group = self.name_group(file, data.name);
        self.within(group, work)
    }

    /// A name bound nowhere in its file: from a star import, or a builtin.
    fn free_meanings(&mut self, file: &File, used: &NameUse) -> Vec<Meaning> {
        let name = self.sym(file, used.name);
        let mut scope = Some(if file.has_inner_stars() { used.scope } else { ScopeId::MODULE });
        while let Some(id) = scope {
            let found = self.star_meanings(file, id, name);
            if !found.is_empty() {
                return found;
            }
            scope = file.facts.scope(id).parent;
        }
        let rules = self.rules(file);
        match rules.prelude(rules.semantics().builtins) {
            Some(builtins) if builtins != file.id => {
                let found = self.lookup_list(builtins, name);
                let known = found.iter().any(|meaning| !matches!(meaning, Meaning::External));
                if known { found } else { vec![Meaning::External] }
            }
            _ => vec![Meaning::External],
        }
    }

    /// What a meaning has under a name, by names alone.
    pub(super) fn meaning_attribute(&mut self, meaning: Meaning, name: Sym) -> Vec<Meaning> {
        match meaning {
            Meaning::Module(file) => self.lookup_list(file, name),
            Meaning::Namespace(at) => self.place_attribute(Place::Namespace(at), name, 0),
            Meaning::Definition(file, def) => self.definition_attribute(file, def, name),
            Meaning::Value(file, expr) => self.value_attribute(file, expr, name),
            Meaning::External => vec![Meaning::External],
            Meaning::Binding(..) | Meaning::Unknown => vec![Meaning::Unknown],
            Meaning::Missing(..) => vec![meaning],
        }
    }

    fn definition_attribute(&mut self, id: FileId, def: DefId, name: Sym) -> Vec<Meaning> {
        let Some(file) = self.file(id) else { return vec![Meaning::Unknown] };
        let group = self.member_group(file, def, name);
        let meanings = self.lookup(Lookup::Attribute(id, def, name), group);
        let found = self.meanings.get(meanings).to_vec();
        if found.is_empty() && self.stratum == Stratum::Finished { vec![Meaning::Unknown] } else { found }
    }

    fn compute_attribute(&mut self, id: FileId, def: DefId, name: Sym) -> Vec<Meaning> {
        let Some(file) = self.file(id) else { return vec![Meaning::Unknown] };
        let named = |name: Sym| {
            file.children(def).iter().copied().find(|&child| {
                let child = file.facts.definition(child);
                file.sym(child.name) == name && child.kind != DefKind::Test
            })
        };
        // By name alone a class gives what is static.
        let twin = self.static_twin(name);
        for name in [twin, name] {
            let group = self.member_group(file, def, name);
            self.record.link(self.group, group);
        }
        if let Some(child) = named(twin).or_else(|| named(name)) {
            return vec![Meaning::Definition(id, file.facts.definition(child).symbol)];
        }
        // A variable: what its value has.
        let group = self.definition_group(file, def);
        self.record.link(self.group, group);
        let mut found = Vec::new();
        for value in self.symbol_values(file, def) {
            for meaning in self.expr_meanings(file, value) {
                found.extend(self.meaning_attribute(meaning, name));
            }
        }
        found
    }

    fn value_attribute(&mut self, id: FileId, expr: ExprId, name: Sym) -> Vec<Meaning> {
        let Some(file) = self.file(id) else { return vec![Meaning::Unknown] };
        let Expr::Object(object) = file.facts.expr(expr) else { return vec![Meaning::Unknown] };
        let object = &file.facts.surface.objects[object.index()];
        let mut found = Vec::new();
        let mut own = false;
        for property in object.properties.iter().filter(|property| file.sym(property.name) == name) {
            match property.definition {
                Some(def) => found.push(Meaning::Definition(id, file.facts.definition(def).symbol)),
                None => found.extend(self.expr_meanings(file, property.value)),
            }
            own = true;
        }
        if !own {
            for &spread in &object.spreads {
                for meaning in self.expr_meanings(file, spread) {
                    found.extend(self.meaning_attribute(meaning, name));
                }
            }
            found.retain(|meaning| !matches!(meaning, Meaning::Missing(..) | Meaning::Unknown));
        }
        found
    }

    /// The values that a symbol is bound to, when it is a variable.
    pub(super) fn symbol_values(&mut self, file: &File, def: DefId) -> Vec<ExprId> {
        let facts = &file.facts;
        let definition = facts.definition(def);
        if definition.kind != DefKind::Symbol || definition.parent.is_some() {
            return Vec::new();
        }
        let name = definition.name;
        let value = |binding: BindingId| match facts.binding(binding).value {
            Value::Expr(expr) => Some(expr),
            _ => None,
        };
        self.bindings_of(file, name).into_iter().filter_map(value).collect()
    }

    /// The bindings of a module's name, or, of what has a name only as an export, those of its twin.
    pub(super) fn bindings_of(&mut self, file: &File, name: Name) -> Vec<BindingId> {
        let bindings = file.exported(name);
        if !bindings.is_empty() {
            return bindings;
        }
        let twin = Sym::of(&format!("{EXPORT_TWIN}{}", file.text(name)));
        let Some(twin) = file.name(twin) else { return bindings };
        let group = self.name_group(file, twin);
        self.record.link(self.group, group);
        file.exported(twin)
    }
}
