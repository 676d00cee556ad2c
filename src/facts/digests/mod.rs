//! Digests of a surface: one per top-level name, one per member of a top-level class, and one for what the file offers
//! without naming it.
//!
//! They are over structure and text. No position and no arena index goes in, so a comment, a line shift, a reordering
//! of unrelated functions, or an edit of a body that changes nothing of its result leave every digest as it was.

mod definitions;
mod expressions;
mod forms;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::*;

/// Stack kept free while walking nested expressions, and how much is added when it runs out; bytes.
const STACK_RESERVE: usize = 64 * 1024;
const STACK_SEGMENT: usize = 1024 * 1024;

/// The name under which the value of `module.exports = …` and `export = …` is digested.
const WHOLE_EXPORT: &str = "=";

/// Fills [`Surface::digests`], [`Surface::member_digests`] and [`Surface::whole_digest`].
pub(super) fn digest(facts: &mut Facts) {
    let children = children(facts);
    let mut roots: FxHashMap<Name, Vec<Root>> = FxHashMap::default();
    for &binding in facts.run(facts.scope(ScopeId::MODULE).bindings) {
        roots.entry(facts.binding(binding).name).or_default().push(Root::Binding(binding));
    }
    let whole = facts.find(WHOLE_EXPORT);
    let mut added: Option<Name> = None;
    for (at, export) in facts.surface.exports.iter().enumerate() {
        let name = match export.value {
            ExportValue::Whole(_) => {
                let next = Name::new(facts.strings.len());
                whole.unwrap_or_else(|| *added.get_or_insert(next))
            }
            ExportValue::Star(_) => continue,
            _ => export.name,
        };
        roots.entry(name).or_default().push(Root::Export(at));
    }
    for &name in facts.surface.all.iter().flatten() {
        roots.entry(name).or_default().push(Root::Listed);
    }
    if added.is_some() {
        facts.strings.push(WHOLE_EXPORT);
    }
    let mut digests: Vec<(Name, u64)> = Vec::with_capacity(roots.len());
    let mut members: Vec<(Name, Name, u64)> = Vec::new();
    let mut names: Vec<(Name, Vec<Root>)> = roots.into_iter().collect();
    names.sort_by(|a, b| facts.text(a.0).cmp(facts.text(b.0)));
    let mut walker = Walker::new(facts, &children);
    for (name, roots) in &names {
        walker.out.clear();
        walker.seen.clear();
        let mut classes = Vec::new();
        for root in roots {
            match root {
                Root::Binding(binding) => match walker.class_of(*binding) {
                    Some(class) => {
                        walker.shell(class);
                        classes.push(class);
                    }
                    None => {
                        walker.binding(*binding);
                        let definition = facts.binding(*binding).definition;
                        classes.extend(definition.filter(|&def| facts.definition(def).class.is_some()));
                    }
                },
                Root::Export(at) => walker.export(&facts.surface.exports[*at]),
                Root::Listed => walker.tag(10),
            }
        }
        digests.push((*name, short(&walker.out)));
        walker.class_members(*name, &classes, &mut members);
    }
    let whole_digest = walker.whole();
    facts.surface.digests = digests;
    facts.surface.member_digests = members;
    facts.surface.whole_digest = whole_digest;
}

enum Root {
    Binding(BindingId),
    /// An export, by its place in the list.
    Export(usize),
    /// A place in `__all__`: whether a star import takes the name.
    Listed,
}

fn short(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    u64::from_be_bytes(digest[..8].try_into().expect("SHA-256 has 32 bytes"))
}

/// The definitions directly under each definition.
fn children(facts: &Facts) -> Vec<Vec<DefId>> {
    let mut children = vec![Vec::new(); facts.surface.definitions.len()];
    for (at, definition) in facts.surface.definitions.iter().enumerate() {
        if let Some(parent) = definition.parent {
            children[parent.index()].push(DefId::new(at));
        }
    }
    children
}

#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Thing {
    Binding(BindingId),
    Definition(DefId),
    Function(FunctionId),
    Class(ClassId),
    Object(ObjectId),
}

/// Writes structure into bytes. What was met before is written as the number of its first meeting.
struct Walker<'a> {
    facts: &'a Facts,
    children: &'a [Vec<DefId>],
    out: Vec<u8>,
    seen: FxHashMap<Thing, u32>,
    /// Digests of objects. `None`: they are written out, within another object, and within a class, which they may refer
    /// back to.
    objects: Option<FxHashMap<ObjectId, u64>>,
}

impl<'a> Walker<'a> {
    fn new(facts: &'a Facts, children: &'a [Vec<DefId>]) -> Walker<'a> {
        Walker { facts, children, out: Vec::new(), seen: FxHashMap::default(), objects: Some(FxHashMap::default()) }
    }

    fn tag(&mut self, tag: u8) {
        self.out.push(tag);
    }

    fn number(&mut self, number: u64) {
        self.out.extend(number.to_be_bytes());
    }

    fn text(&mut self, name: Name) {
        let text = self.facts.text(name).as_bytes();
        self.number(text.len() as u64);
        self.out.extend(text);
    }

    /// Plain data without indices of arenas.
    fn plain(&mut self, value: &impl Serialize) {
        let out = std::mem::take(&mut self.out);
        self.out = postcard::to_extend(value, out).expect("plain data can be written to memory");
    }

    /// Whether this is the first meeting; otherwise its number was written.
    fn first(&mut self, thing: Thing) -> bool {
        let next = self.seen.len() as u32;
        match self.seen.get(&thing) {
            Some(&number) => {
                self.tag(0xfe);
                self.number(u64::from(number));
                false
            }
            None => {
                self.seen.insert(thing, next);
                true
            }
        }
    }

    fn all<T: Copy>(&mut self, items: &[T], each: fn(&mut Self, T)) {
        self.number(items.len() as u64);
        for &item in items {
            each(self, item);
        }
    }

    fn optional<T>(&mut self, item: Option<T>, each: fn(&mut Self, T)) {
        match item {
            Some(item) => {
                self.tag(1);
                each(self, item);
            }
            None => self.tag(0),
        }
    }

    fn binding(&mut self, id: BindingId) {
        if !self.first(Thing::Binding(id)) {
            return;
        }
        let binding = self.facts.binding(id);
        self.plain(&binding.space);
        self.optional(binding.annotation, Self::form);
        if let Some(definition) = binding.definition {
            self.plain(&self.facts.definition(definition).flags);
            self.plain(&self.facts.definition(definition).kind);
        }
        match binding.value {
            Value::Definition(definition) => self.definition(definition),
            Value::Parameter(function, index) => {
                self.tag(2);
                self.function(function);
                self.number(u64::from(index));
            }
            Value::Module(import) => {
                self.tag(3);
                self.import(import);
            }
            Value::Imported(import, index) => {
                self.tag(4);
                self.import(import);
                if let Some(name) = self.facts.surface.imports[import.index()].names.get(index as usize) {
                    self.text(name.name);
                }
            }
            Value::Expr(expr) => {
                self.tag(5);
                if binding.annotation.is_none() {
                    self.expr(expr);
                }
            }
            Value::FunctionTypeParameter(function, index) => {
                self.tag(6);
                self.number(u64::from(index));
                self.all(&self.bounds(&self.facts.function(function).type_parameters), Self::form);
            }
            Value::ClassTypeParameter(class, index) => {
                self.tag(7);
                self.number(u64::from(index));
                self.all(&self.bounds(&self.facts.class(class).type_parameters), Self::form);
            }
            Value::AliasTypeParameter(_, index) => {
                self.tag(8);
                self.number(u64::from(index));
            }
            Value::Unknown => self.tag(9),
        }
        if let Some(definition) = binding.definition.filter(|_| !matches!(binding.value, Value::Definition(_))) {
            self.members(definition);
        }
    }

    /// The class that a binding of the module's scope defines.
    fn class_of(&self, binding: BindingId) -> Option<DefId> {
        match self.facts.binding(binding).value {
            Value::Definition(def) => self.facts.definition(def).class.map(|_| def),
            _ => None,
        }
    }

    /// A class without its members: each has a digest of its own, and a member that is not there is noticed by the
    /// digest that it does not have.
    fn shell(&mut self, id: DefId) {
        let definition = self.facts.definition(id);
        self.enter(id);
        self.tag(14);
        self.definition_head(definition);
        if let Some(class) = definition.class {
            self.class_head(class);
        }
        // A function that has members makes instances.
        self.plain(&self.children[id.index()].is_empty());
    }

    /// Notes that a class was met, so that what refers to it from inside does not write it out.
    fn enter(&mut self, id: DefId) {
        let things = [Some(Thing::Definition(id)), self.facts.definition(id).class.map(Thing::Class)];
        for thing in things.into_iter().flatten() {
            let next = self.seen.len() as u32;
            self.seen.entry(thing).or_insert(next);
        }
    }

    /// The digest of each member of a top-level class, from all of its definitions.
    fn class_members(&mut self, name: Name, classes: &[DefId], out: &mut Vec<(Name, Name, u64)>) {
        let facts = self.facts;
        let children = classes.iter().flat_map(|class| &self.children[class.index()]).copied();
        let mut definitions: BTreeMap<&str, (Name, Vec<DefId>)> = BTreeMap::new();
        for child in children {
            let own = facts.definition(child).name;
            definitions.entry(facts.text(own)).or_insert_with(|| (own, Vec::new())).1.push(child);
        }
        let objects = self.objects.take();
        for (own, definitions) in definitions.into_values() {
            self.out.clear();
            self.seen.clear();
            for &class in classes {
                self.enter(class);
            }
            for &definition in &definitions {
                self.definition(definition);
            }
            for class in classes.iter().filter_map(|&class| facts.definition(class).class) {
                for member in facts.class(class).members.iter().filter(|member| member.name == own) {
                    self.member(member);
                }
            }
            out.push((name, own, short(&self.out)));
        }
        self.objects = objects;
    }

    fn import(&mut self, id: ImportId) {
        let import = &self.facts.surface.imports[id.index()];
        self.text(import.module);
        self.number(u64::from(import.level));
        self.plain(&import.form);
        self.plain(&import.type_only);
    }

    fn export(&mut self, export: &Export) {
        self.tag(1);
        self.plain(&export.type_only);
        match export.value {
            ExportValue::Local(name) => {
                self.tag(2);
                self.text(name);
            }
            ExportValue::Expr(expr) => self.wrapped(3, expr),
            ExportValue::Imported(import, name) => {
                self.tag(4);
                self.import(import);
                self.text(name);
            }
            ExportValue::Module(import) => {
                self.tag(5);
                self.import(import);
            }
            ExportValue::Star(import) => {
                self.tag(6);
                self.import(import);
            }
            ExportValue::Whole(expr) => self.wrapped(7, expr),
        }
    }

    /// The digest of what the file offers without naming it.
    fn whole(&mut self) -> u64 {
        self.out.clear();
        let (mut has_whole, mut has_others) = (false, false);
        for export in &self.facts.surface.exports {
            match export.value {
                ExportValue::Star(_) => self.export(export),
                ExportValue::Whole(_) => has_whole = true,
                _ => has_others = true,
            }
        }
        self.plain(&(has_whole, has_others));
        for at in 0..self.facts.surface.imports.len() {
            let import = &self.facts.surface.imports[at];
            if import.form == ImportForm::Star && import.scope == ScopeId::MODULE {
                self.tag(8);
                self.import(ImportId::new(at));
            }
        }
        self.plain(&self.facts.surface.all.is_some());
        short(&self.out)
    }
}
