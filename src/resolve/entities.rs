//! The first stratum: what a name of a module means, through imports, re-exports and star imports, to a fixed point.
//!
//! Nothing here asks for types: an entity is reached by names alone.

use rustc_hash::FxHashMap;

use super::engine::{Engine, Place};
use super::fixpoint::Ask;
use super::project::File;
use super::reads::Leaf;
use super::value::*;
use crate::facts::*;

/// What a name can mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Entity {
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

/// An interned, sorted set of entities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Entities(u32);

impl Entities {
    pub const NONE: Entities = Entities(0);
}

/// Most meanings of one name; the rest is cut.
const MAX_ENTITIES: usize = 32;

pub(super) struct EntitySets {
    sets: Vec<Box<[Entity]>>,
    ids: FxHashMap<Box<[Entity]>, Entities>,
}

impl Default for EntitySets {
    fn default() -> Self {
        EntitySets { sets: vec![Box::default()], ids: FxHashMap::from_iter([(Box::default(), Entities::NONE)]) }
    }
}

impl EntitySets {
    pub fn get(&self, entities: Entities) -> &[Entity] {
        &self.sets[entities.0 as usize]
    }

    pub fn intern(&mut self, mut members: Vec<Entity>) -> Entities {
        members.sort();
        members.dedup();
        // What was found counts; that some other way found nothing does not.
        let found = members.iter().any(|entity| !matches!(entity, Entity::Missing(..)));
        if found {
            members.retain(|entity| !matches!(entity, Entity::Missing(..)));
        }
        members.truncate(MAX_ENTITIES);
        let members: Box<[Entity]> = members.into();
        if let Some(&id) = self.ids.get(&members) {
            return id;
        }
        let id = Entities(self.sets.len() as u32);
        self.sets.push(members.clone());
        self.ids.insert(members, id);
        id
    }
}

impl Engine<'_> {
    /// What a module gives to others under a name.
    pub(super) fn lookup(&mut self, file: FileId, name: Sym) -> Entities {
        let group = self.record.id(Leaf::Name(file, name));
        self.record.link(self.group, group);
        let id = match self.lookups.ask((file, name)) {
            Ask::Known(entities) => return entities,
            Ask::Compute(id) => id,
        };
        let outer = std::mem::replace(&mut self.group, group);
        let entities = loop {
            let found = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.compute_lookup(file, name));
            let found = self.entities.intern(found);
            if let Some(entities) = self.lookups.answer(id, found) {
                break entities;
            }
        };
        self.group = outer;
        entities
    }

    pub(super) fn lookup_list(&mut self, file: FileId, name: Sym) -> Vec<Entity> {
        let entities = self.lookup(file, name);
        self.entities.get(entities).to_vec()
    }

    fn compute_lookup(&mut self, id: FileId, name: Sym) -> Vec<Entity> {
        let Some(file) = self.file(id) else { return vec![Entity::Unknown] };
        let mut found = if self.rules(file).semantics().exports_all {
            self.lookup_bound(file, name)
        } else {
            self.lookup_exported(file, name)
        };
        if found.iter().all(|entity| matches!(entity, Entity::Missing(..)))
            && let Some(module) = self.place_entity(Place::File(id), name, file.language)
        {
            found.push(module);
        }
        if found.is_empty() {
            self.read(Leaf::Names(id));
            found.push(if file.external { Entity::External } else { Entity::Missing(Some(id), name) });
        }
        found
    }

    /// A language in which a module gives all that it binds.
    fn lookup_bound(&mut self, file: &File, name: Sym) -> Vec<Entity> {
        let mut found = Vec::new();
        if let Some(own) = file.name(name) {
            for binding in file.exported(own) {
                found.extend(self.binding_entities(file, binding));
            }
        }
        if found.is_empty() {
            self.read(Leaf::Names(file.id));
            found = self.star_entities(file, ScopeId(0), name);
        }
        let dynamic = self.rules(file).semantics().dynamic_members;
        let is_dynamic = |member: &&str| file.name(Sym::of(member)).is_some_and(|own| !file.exported(own).is_empty());
        if found.is_empty() && dynamic.iter().any(|member| is_dynamic(&member)) {
            found.push(Entity::Unknown);
        }
        found
    }

    /// What star imports of a scope bring under a name.
    pub(super) fn star_entities(&mut self, file: &File, scope: ScopeId, name: Sym) -> Vec<Entity> {
        let mut found = Vec::new();
        for at in 0..file.facts.surface.imports.len() {
            let import = &file.facts.surface.imports[at];
            if import.form != ImportForm::Star || import.scope != scope {
                continue;
            }
            match self.import_place(file, ImportId(at as u32)) {
                Place::File(other) | Place::External(Some(other)) => {
                    if self.star_takes(other, name) {
                        let more = self.lookup_list(other, name);
                        found.extend(more.into_iter().filter(|e| !matches!(e, Entity::Missing(..) | Entity::External)));
                    }
                }
                Place::External(None) | Place::Namespace(_) | Place::Missing => {}
            }
        }
        found
    }

    /// Whether a star import takes a name: `__all__` decides, else a name without leading underscore.
    fn star_takes(&mut self, other: FileId, name: Sym) -> bool {
        self.read(Leaf::Names(other));
        let Some(file) = self.file(other) else { return false };
        match &file.facts.surface.all {
            Some(all) => all.iter().any(|&own| file.sym(own) == name),
            None => !self.text_of(name).starts_with('_'),
        }
    }

    /// A language in which a module gives what it exports.
    fn lookup_exported(&mut self, file: &File, name: Sym) -> Vec<Entity> {
        let facts = &file.facts;
        let default = Sym::of("default");
        let mut found = Vec::new();
        for export in &facts.surface.exports {
            if file.sym(export.name) != name {
                continue;
            }
            match &export.value {
                ExportValue::Local(own) => {
                    for binding in file.exported(*own) {
                        found.extend(self.binding_entities(file, binding));
                    }
                }
                ExportValue::Expr(expr) => found.extend(self.expr_entities(file, *expr)),
                ExportValue::Imported(import, own) => {
                    let own = self.sym(file, *own);
                    found.extend(self.imported_entities(file, *import, own));
                }
                ExportValue::Module(import) => found.push(self.module_entity(file, *import)),
                ExportValue::Star(_) | ExportValue::Whole(_) => {}
            }
        }
        if !found.is_empty() {
            return found;
        }
        self.read(Leaf::Names(file.id));
        let wholes: Vec<ExprId> = whole_exports(facts).collect();
        for &whole in &wholes {
            for entity in self.expr_entities(file, whole) {
                found.extend(self.entity_attribute(entity, name));
            }
        }
        found.retain(|entity| !matches!(entity, Entity::Missing(..)));
        if found.is_empty() && name == default {
            for &whole in &wholes {
                found.extend(self.expr_entities(file, whole));
            }
        }
        if found.is_empty() && name != default {
            for export in &facts.surface.exports {
                if let ExportValue::Star(import) = export.value {
                    let more = self.imported_entities(file, import, name);
                    found.extend(more.into_iter().filter(|entity| !matches!(entity, Entity::Missing(..))));
                }
            }
        }
        found
    }

    /// What an import takes from its module under a name.
    pub(super) fn imported_entities(&mut self, file: &File, import: ImportId, name: Sym) -> Vec<Entity> {
        let place = self.import_place(file, import);
        self.place_attribute(place, name, file.language)
    }

    /// What a module has under a name; a sub-module when it has no such name itself.
    pub(super) fn place_attribute(&mut self, place: Place, name: Sym, language: usize) -> Vec<Entity> {
        match place {
            Place::File(file) | Place::External(Some(file)) => self.lookup_list(file, name),
            Place::Namespace(_) => match self.place_entity(place, name, language) {
                Some(entity) => vec![entity],
                None => vec![Entity::Missing(None, name)],
            },
            Place::External(None) => vec![Entity::External],
            Place::Missing => vec![Entity::Missing(None, name)],
        }
    }

    /// The sub-module of this name, if there is one.
    fn place_entity(&mut self, parent: Place, name: Sym, language: usize) -> Option<Entity> {
        match self.child_place(language, parent, name) {
            Place::File(file) | Place::External(Some(file)) => Some(Entity::Module(file)),
            Place::Namespace(at) => Some(Entity::Namespace(at)),
            Place::External(None) | Place::Missing => None,
        }
    }

    /// The module that an import leads to.
    pub(super) fn module_entity(&mut self, file: &File, import: ImportId) -> Entity {
        match self.import_place(file, import) {
            Place::File(other) | Place::External(Some(other)) => Entity::Module(other),
            Place::Namespace(at) => Entity::Namespace(at),
            Place::External(None) => Entity::External,
            Place::Missing => Entity::Missing(None, file.sym(file.facts.surface.imports[import.index()].module)),
        }
    }

    /// The module that `import a.b.c` binds: the one of the first name.
    fn first_module(&mut self, file: &File, import: ImportId) -> Entity {
        let module = file.text(file.facts.surface.imports[import.index()].module);
        let Some((first, _)) = module.split_once('.') else { return self.module_entity(file, import) };
        match self.module_place(file, first) {
            Place::File(other) | Place::External(Some(other)) => Entity::Module(other),
            Place::Namespace(at) => Entity::Namespace(at),
            Place::External(None) => Entity::External,
            Place::Missing => Entity::Missing(None, Sym::of(first)),
        }
    }

    /// What a binding means by name.
    pub(super) fn binding_entities(&mut self, file: &File, id: BindingId) -> Vec<Entity> {
        let binding = file.facts.binding(id);
        match binding.value {
            Value::Definition(def) => vec![Entity::Definition(file.id, file.facts.definition(def).symbol)],
            Value::Module(import) => {
                let dotted = file.facts.surface.imports[import.index()].form == ImportForm::Dotted;
                vec![if dotted { self.first_module(file, import) } else { self.module_entity(file, import) }]
            }
            Value::Imported(import, index) => {
                let Some(name) = file.facts.surface.imports[import.index()].names.get(index as usize) else {
                    return vec![Entity::Unknown];
                };
                let name = self.sym(file, name.name);
                self.imported_entities(file, import, name)
            }
            Value::Expr(expr) => match (binding.definition, file.facts.expr(expr)) {
                // `const util = require("./util")`, `json = importlib.import_module("json")`: the module.
                (_, Expr::Module(import)) => vec![self.module_entity(file, *import)],
                (Some(def), _) => vec![Entity::Definition(file.id, file.facts.definition(def).symbol)],
                // `const { a } = require("./util")`
                (None, Expr::Part { of, part: Part::Key(key) }) if matches!(file.facts.expr(*of), Expr::Module(_)) => {
                    let Expr::Module(import) = file.facts.expr(*of) else { return vec![Entity::Unknown] };
                    let key = self.sym(file, *key);
                    self.imported_entities(file, *import, key)
                }
                (None, _) => vec![Entity::Binding(file.id, id)],
            },
            _ => match binding.definition {
                Some(def) => vec![Entity::Definition(file.id, file.facts.definition(def).symbol)],
                None => vec![Entity::Binding(file.id, id)],
            },
        }
    }

    /// What an expression means by names alone.
    pub(super) fn expr_entities(&mut self, file: &File, expr: ExprId) -> Vec<Entity> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match file.facts.expr(expr) {
            Expr::Name(used) => self.name_entities(file, used),
            Expr::Attribute { base, name } => {
                let name = self.sym(file, *name);
                let bases = self.expr_entities(file, *base);
                bases.into_iter().flat_map(|entity| self.entity_attribute(entity, name)).collect()
            }
            Expr::Module(import) => vec![self.module_entity(file, *import)],
            Expr::Class(class) => {
                let def = file.facts.class(*class).definition;
                vec![Entity::Definition(file.id, file.facts.definition(def).symbol)]
            }
            Expr::Function(function) => match file.facts.function(*function).definition {
                Some(def) => vec![Entity::Definition(file.id, file.facts.definition(def).symbol)],
                None => vec![Entity::Value(file.id, expr)],
            },
            Expr::Union(parts) => parts.iter().flat_map(|&part| self.expr_entities(file, part)).collect(),
            Expr::Cast { of, .. } => self.expr_entities(file, *of),
            _ => vec![Entity::Value(file.id, expr)],
        })
    }

    /// What a name means where it is used.
    pub(super) fn name_entities(&mut self, file: &File, used: &NameUse) -> Vec<Entity> {
        if used.reach.is_empty() {
            return self.free_entities(file, used);
        }
        let mut found = Vec::new();
        for &binding in &used.reach {
            found.extend(self.reached(file, binding, |engine| engine.binding_entities(file, binding)));
        }
        found.sort();
        found.dedup();
        found
    }

    /// Does something with a binding, as part of the group of its name when it is a module's.
    pub(super) fn reached<T>(&mut self, file: &File, binding: BindingId, work: impl FnOnce(&mut Self) -> T) -> T {
        let data = file.facts.binding(binding);
        if data.scope != ScopeId(0) {
            return work(self);
        }
        let group = self.name_group(file, data.name);
        self.within(group, work)
    }

    /// A name bound nowhere in its file: from a star import, or a builtin.
    fn free_entities(&mut self, file: &File, used: &NameUse) -> Vec<Entity> {
        let name = self.sym(file, used.name);
        let mut scope = Some(used.scope);
        while let Some(id) = scope {
            let found = self.star_entities(file, id, name);
            if !found.is_empty() {
                return found;
            }
            scope = file.facts.scope(id).parent;
        }
        let rules = self.rules(file);
        match rules.prelude(rules.semantics().builtins) {
            Some(builtins) if builtins != file.id => {
                let found = self.lookup_list(builtins, name);
                let known = found.iter().any(|entity| !matches!(entity, Entity::External));
                if known { found } else { vec![Entity::External] }
            }
            _ => vec![Entity::External],
        }
    }

    /// What an entity has under a name, by names alone.
    pub(super) fn entity_attribute(&mut self, entity: Entity, name: Sym) -> Vec<Entity> {
        match entity {
            Entity::Module(file) => self.lookup_list(file, name),
            Entity::Namespace(at) => self.place_attribute(Place::Namespace(at), name, 0),
            Entity::Definition(file, def) => self.definition_attribute(file, def, name),
            Entity::Value(file, expr) => self.value_attribute(file, expr, name),
            Entity::External => vec![Entity::External],
            Entity::Binding(..) | Entity::Unknown => vec![Entity::Unknown],
            Entity::Missing(..) => vec![entity],
        }
    }

    fn definition_attribute(&mut self, id: FileId, def: DefId, name: Sym) -> Vec<Entity> {
        let Some(file) = self.file(id) else { return vec![Entity::Unknown] };
        let own = file.children(def).iter().copied().find(|&child| {
            let child = file.facts.definition(child);
            file.sym(child.name) == name && child.kind != DefKind::Test
        });
        let group = self.definition_group(file, def);
        self.within(group, |engine| {
            if let Some(child) = own {
                return vec![Entity::Definition(id, file.facts.definition(child).symbol)];
            }
            // A variable: what its value has.
            let values = engine.symbol_values(file, def);
            let mut found = Vec::new();
            for value in values {
                for entity in engine.expr_entities(file, value) {
                    if entity != Entity::Definition(id, def) {
                        found.extend(engine.entity_attribute(entity, name));
                    }
                }
            }
            if found.is_empty() { vec![Entity::Unknown] } else { found }
        })
    }

    fn value_attribute(&mut self, id: FileId, expr: ExprId, name: Sym) -> Vec<Entity> {
        let Some(file) = self.file(id) else { return vec![Entity::Unknown] };
        let Expr::Object(object) = file.facts.expr(expr) else { return vec![Entity::Unknown] };
        let object = &file.facts.surface.objects[object.index()];
        let mut found = Vec::new();
        for property in object.properties.iter().filter(|property| file.sym(property.name) == name) {
            match property.definition {
                Some(def) => found.push(Entity::Definition(id, file.facts.definition(def).symbol)),
                None => found.extend(self.expr_entities(file, property.value)),
            }
        }
        if found.is_empty() {
            for &spread in &object.spreads {
                for entity in self.expr_entities(file, spread) {
                    found.extend(self.entity_attribute(entity, name));
                }
            }
            found.retain(|entity| !matches!(entity, Entity::Missing(..) | Entity::Unknown));
        }
        found
    }

    /// The values that a symbol is bound to, when it is a variable.
    pub(super) fn symbol_values(&self, file: &File, def: DefId) -> Vec<ExprId> {
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
        file.exported(name).into_iter().filter_map(value).collect()
    }
}

/// The values of `module.exports = …` and `export = …`.
pub(super) fn whole_exports(facts: &Facts) -> impl Iterator<Item = ExprId> + '_ {
    facts.surface.exports.iter().filter_map(|export| match export.value {
        ExportValue::Whole(expr) => Some(expr),
        _ => None,
    })
}
