//! The second stratum: the method resolution order of each class, and the members that it declares itself.
//!
//! Bases are reached by names only, so orders are finished before any type is asked for.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::engine::Engine;
use super::meanings::Meaning;
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Linearization;

/// Most classes in one order; what lies beyond is as if its bases were unknown.
const MAX_ORDER: usize = 256;

/// The method resolution order of a class, itself first.
pub(super) struct Order {
    pub classes: Vec<ClassRef>,
    pub open: bool,
    pub external: bool,
}

/// The members that one class declares itself.
pub(super) type Members = FxHashMap<Sym, Rc<Declared>>;

/// How one class declares a member.
#[derive(Default)]
pub(super) struct Declared {
    /// The symbol.
    pub symbol: Option<DefId>,
    /// Definitions with a function, a class or a type of their own, in order.
    pub definitions: Vec<DefId>,
    /// Fields: class and position in its list of members.
    pub fields: Vec<(ClassId, u32)>,
}

impl Engine<'_> {
    /// The class that a definition's symbol names, if it names one: also an alias of an object type, and a function
    /// with prototype members.
    pub(super) fn class_of(&self, file: &File, def: DefId) -> Option<ClassRef> {
        let is_class = |def: &DefId| file.facts.definition(*def).class.is_some();
        file.definitions(def).iter().any(is_class).then_some(ClassRef { file: file.id, def })
    }

    /// The metaclass of a class, its own or that of the nearest base that names one.
    pub(super) fn metaclass(&mut self, class: ClassRef) -> Option<ClassRef> {
        let order = self.order(class);
        order.classes.iter().find_map(|&owner| {
            let file = self.file(owner.file)?;
            let classes = file.definitions(owner.def).into_iter().filter_map(|def| file.facts.definition(def).class);
            let value = classes.into_iter().find_map(|class| file.facts.class(class).metaclass)?;
            let group = self.definition_group(file, owner.def);
            let meanings = self.within(group, |engine| engine.expr_meanings(file, value));
            meanings.into_iter().find_map(|meaning| match meaning {
                Meaning::Definition(id, def) => self.class_of(self.file(id)?, def),
                _ => None,
            })
        })
    }

    /// The method resolution order.
    pub(super) fn order(&mut self, class: ClassRef) -> Rc<Order> {
        // The class reads the bases of all classes in its order, and who reads the order reads the class.
        let group = self.symbol_group(class.file, class.def);
        self.within(group, |engine| match engine.orders.get(&class) {
            Some(order) => order.clone(),
            None => {
                let order = Rc::new(engine.compute_order(class));
                engine.orders.insert(class, order.clone());
                order
            }
        })
    }

    fn compute_order(&mut self, class: ClassRef) -> Order {
        let bases = self.bases(class);
        let linearization =
            self.file(class.file).map_or(Linearization::DepthFirst, |file| self.rules(file).semantics().linearization);
        let mut open = bases.open;
        let mut external = bases.external;
        let mut classes = match linearization {
            Linearization::C3 => self.c3(class, &mut Vec::new(), &mut FxHashMap::default()),
            Linearization::DepthFirst => None,
        }
        .unwrap_or_else(|| self.depth_first(class));
        if let Some(file) = self.file(class.file) {
            let object = self.rules(file).semantics().object;
            if let Some(object) = self.library_class(file.language, object) {
                classes.retain(|&other| other != object);
                classes.push(object);
            }
        }
        if classes.len() > MAX_ORDER {
            classes.truncate(MAX_ORDER);
            open = true;
        }
        for &other in &classes {
            let bases = self.bases(other);
            open |= bases.open;
            external |= bases.external;
        }
        Order { classes, open, external }
    }

    /// C3 linearization; `None` where it fails or bases go in a circle.
    ///
    /// `known` keeps what was found on the way: in diamonds upon diamonds the ways to a class are too many to go.
    fn c3(
        &mut self,
        class: ClassRef,
        path: &mut Vec<ClassRef>,
        known: &mut FxHashMap<ClassRef, Rc<[ClassRef]>>,
    ) -> Option<Vec<ClassRef>> {
        if path.contains(&class) || path.len() > MAX_ORDER {
            return None;
        }
        if let Some(order) = self.orders.get(&class) {
            return Some(order.classes.clone());
        }
        if let Some(order) = known.get(&class) {
            return Some(order.to_vec());
        }
        path.push(class);
        let bases = self.bases(class);
        let mut sequences: Vec<Vec<ClassRef>> = Vec::new();
        for &(base, _) in &bases.classes {
            sequences.push(self.c3(base, path, known)?);
        }
        path.pop();
        sequences.push(bases.classes.iter().map(|(base, _)| *base).collect());
        let mut merged = vec![class];
        loop {
            sequences.retain(|sequence| !sequence.is_empty());
            if sequences.is_empty() {
                break;
            }
            let in_tail = |head: ClassRef| sequences.iter().any(|sequence| sequence[1..].contains(&head));
            let next = sequences.iter().map(|sequence| sequence[0]).find(|&head| !in_tail(head))?;
            merged.push(next);
            if merged.len() > MAX_ORDER {
                return None;
            }
            for sequence in &mut sequences {
                sequence.retain(|&other| other != next);
            }
        }
        known.insert(class, merged.as_slice().into());
        Some(merged)
    }

    /// Own members first, then the bases depth-first, each class once.
    fn depth_first(&mut self, class: ClassRef) -> Vec<ClassRef> {
        let mut order: Vec<ClassRef> = Vec::new();
        let mut todo = vec![class];
        while let Some(next) = todo.pop() {
            if order.len() > MAX_ORDER || order.contains(&next) {
                continue;
            }
            order.push(next);
            let bases = self.bases(next);
            todo.extend(bases.classes.iter().rev().map(|(base, _)| *base));
        }
        order
    }

    /// Whether one class is the other or derives from it.
    pub(super) fn derives(&mut self, class: ClassRef, base: ClassRef) -> bool {
        class == base || self.order(class).classes.contains(&base)
    }

    fn members_of(&mut self, file: &File, class: ClassRef) -> Rc<Members> {
        if let Some(members) = self.members.get(&class) {
            return members.clone();
        }
        let mut members: FxHashMap<Sym, Declared> = FxHashMap::default();
        let facts = &file.facts;
        let is_function = facts.definition(class.def).class.is_none();
        for &child in file.children(class.def) {
            let definition = facts.definition(child);
            // Functions inside a function are its locals, not its members.
            let member = matches!(definition.kind, DefKind::Method | DefKind::Symbol) || !is_function;
            if !member || definition.kind == DefKind::Test {
                continue;
            }
            let declared = members.entry(file.sym(definition.name)).or_default();
            declared.symbol.get_or_insert(definition.symbol);
            if definition.function.is_some() || definition.class.is_some() || definition.alias.is_some() {
                declared.definitions.push(child);
            }
        }
        for def in file.definitions(class.def) {
            let Some(id) = facts.definition(def).class else { continue };
            for (at, member) in facts.class(id).members.iter().enumerate() {
                let declared = members.entry(file.sym(member.name)).or_default();
                declared.symbol.get_or_insert(facts.definition(member.definition).symbol);
                declared.fields.push((id, at as u32));
            }
        }
        let members: Rc<Members> =
            Rc::new(members.into_iter().map(|(sym, declared)| (sym, Rc::new(declared))).collect());
        self.members.insert(class, members.clone());
        members
    }

    /// How a class itself declares a member.
    pub(super) fn declared(&mut self, class: ClassRef, name: Sym) -> Option<Rc<Declared>> {
        let file = self.file(class.file)?;
        let group = self.member_group(file, class.def, name);
        self.record.link(self.group, group);
        self.members_of(file, class).get(&name).cloned()
    }

    /// Whether a class itself declares a member of this name.
    pub(super) fn declares(&mut self, class: ClassRef, name: &str) -> bool {
        let name = self.sym_of(name);
        self.declared(class, name).is_some()
    }

    /// The members that a class declares itself. Who asks this has read the class, but none of its members.
    pub(super) fn members(&mut self, class: ClassRef) -> Rc<Members> {
        let Some(file) = self.file(class.file) else { return Rc::default() };
        let group = self.definition_group(file, class.def);
        self.record.link(self.group, group);
        self.members_of(file, class)
    }
}
