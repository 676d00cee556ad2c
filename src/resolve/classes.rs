//! The second stratum: bases, method resolution order, and the members that each class declares itself.
//!
//! Bases are reached by names only, so orders are finished before any type is asked for.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::engine::{Engine, STACK_RESERVE, STACK_SEGMENT, TypeQuestion};
use super::meanings::Meaning;
use super::project::File;
use super::substitution::Substitution;
use super::value::*;
use crate::facts::*;
use crate::languages::{Linearization, Special};

/// Most classes in one order; what lies beyond is as if its bases were unknown.
const MAX_ORDER: usize = 256;
/// Longest chain of aliases that is followed to a base.
const MAX_BASE_ALIASES: u32 = 16;

/// The direct bases of a class.
#[derive(Default)]
pub(super) struct Bases {
    /// Each with the form that names it, when one does.
    pub classes: Vec<(ClassRef, Option<(FileId, FormId)>)>,
    /// Some base is of unknown nature: any member may exist.
    pub open: bool,
    /// Some base is outside the project, and its members are not known.
    pub external: bool,
    /// Where bases were looked for, and whether that is still going on: aliases lead to one place by many ways, and in
    /// circles.
    seen: FxHashMap<Origin, bool>,
}

/// What a base can be written as, or be a name for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    Form(FileId, FormId),
    Value(FileId, ExprId),
    Alias(FileId, DefId),
}

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

    /// The direct bases of a class, from all of its definitions.
    pub(super) fn bases(&mut self, class: ClassRef) -> Rc<Bases> {
        if let Some(file) = self.file(class.file) {
            let group = self.definition_group(file, class.def);
            self.record.link(self.group, group);
        }
        if let Some(bases) = self.bases.get(&class) {
            return bases.clone();
        }
        // A class that is asked for its bases while they are being found has none yet: a circle.
        self.bases.insert(class, Rc::new(Bases::default()));
        let mut bases = Bases::default();
        if let Some(file) = self.file(class.file) {
            let group = self.definition_group(file, class.def);
            self.within(group, |engine| {
                for def in file.definitions(class.def) {
                    if let Some(id) = file.facts.definition(def).class {
                        engine.class_bases(file, id, &mut bases);
                    }
                }
            });
        }
        bases.classes.retain(|(base, _)| *base != class);
        let bases = Rc::new(bases);
        self.bases.insert(class, bases.clone());
        bases
    }

    fn class_bases(&mut self, file: &File, id: ClassId, bases: &mut Bases) {
        let class = file.facts.class(id);
        for &form in &class.bases {
            self.form_bases(file, form, form, 0, bases);
        }
        for &value in &class.base_values {
            self.value_bases(file, value, 0, bases);
        }
    }

    /// Looks into one thing, once. What a circle stands for is not known.
    fn once(&mut self, origin: Origin, bases: &mut Bases, look: impl FnOnce(&mut Self, &mut Bases)) {
        match bases.seen.get(&origin) {
            Some(going_on) => bases.open |= going_on,
            None => {
                bases.seen.insert(origin, true);
                stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || look(self, bases));
                bases.seen.insert(origin, false);
            }
        }
    }

    /// Adds the classes that a base means which is written as a form; `written` is the whole of it.
    pub(super) fn form_bases(&mut self, file: &File, written: FormId, form: FormId, depth: u32, bases: &mut Bases) {
        self.once(Origin::Form(file.id, form), bases, |engine, bases| match file.facts.form(form) {
            Form::Name(expr) => {
                for meaning in engine.expr_meanings(file, *expr) {
                    engine.meaning_bases(meaning, Some((file.id, written)), depth, bases);
                }
            }
            Form::Apply { base, .. } => engine.form_bases(file, written, *base, depth, bases),
            Form::Object(class) => {
                let def = file.facts.definition(file.facts.class(*class).definition).symbol;
                bases.classes.push((ClassRef { file: file.id, def }, Some((file.id, written))));
            }
            Form::Intersection(parts) => {
                for &part in parts {
                    engine.form_bases(file, part, part, depth, bases);
                }
            }
            _ => bases.open = true,
        });
    }

    /// Adds the classes that a meaning leads to, by names only.
    pub(super) fn meaning_bases(
        &mut self,
        meaning: Meaning,
        form: Option<(FileId, FormId)>,
        depth: u32,
        bases: &mut Bases,
    ) {
        let (id, def) = match meaning {
            Meaning::Definition(file, def) => (file, def),
            Meaning::External => {
                bases.external = true;
                return;
            }
            Meaning::Value(id, value) => {
                if let Some(file) = self.file(id) {
                    self.value_bases(file, value, depth + 1, bases);
                }
                return;
            }
            _ => {
                bases.open = true;
                return;
            }
        };
        let Some(file) = self.file(id) else {
            bases.open = true;
            return;
        };
        if file.external {
            match self.special(file, def) {
                Some(Special::Generic) => return,
                Some(Special::Any) => {
                    bases.open = true;
                    return;
                }
                Some(Special::NamedTuple) => {
                    let tuple = self.rules(file).semantics().tuple;
                    if let Some(class) = self.library_class(file.language, tuple) {
                        bases.classes.push((class, None));
                    }
                    return;
                }
                _ => {}
            }
        }
        if let Some(class) = self.class_of(file, def) {
            bases.classes.push((class, form));
            return;
        }
        if depth >= MAX_BASE_ALIASES {
            bases.open = true;
            return;
        }
        let group = self.definition_group(file, def);
        self.record.link(self.group, group);
        self.once(Origin::Alias(id, def), bases, |engine, bases| {
            engine.within(group, |engine| {
                let aliases: Vec<FormId> =
                    file.definitions(def).iter().filter_map(|&def| file.facts.definition(def).alias).collect();
                for &alias in &aliases {
                    engine.form_bases(file, alias, alias, depth + 1, bases);
                }
                let values = engine.symbol_values(file, def);
                for &value in &values {
                    match file.facts.expr(value) {
                        Expr::Name(_) | Expr::Attribute { .. } => {
                            for meaning in engine.expr_meanings(file, value) {
                                engine.meaning_bases(meaning, form, depth + 1, bases);
                            }
                        }
                        _ => engine.value_bases(file, value, depth + 1, bases),
                    }
                }
                if aliases.is_empty() && values.is_empty() {
                    bases.open = true;
                }
            })
        });
    }

    /// A base that is written as a value. `with_metaclass(Meta, Base)` and mixin calls take their arguments as bases in
    /// nearly all cases, but what else they add cannot be told.
    fn value_bases(&mut self, file: &File, value: ExprId, depth: u32, bases: &mut Bases) {
        if depth > MAX_BASE_ALIASES {
            bases.open = true;
            return;
        }
        self.once(Origin::Value(file.id, value), bases, |engine, bases| match file.facts.expr(value) {
            Expr::Call(call) => {
                let call = file.facts.call(*call);
                let callee = engine.expr_meanings(file, call.callee);
                if callee.contains(&Meaning::External) {
                    bases.external = true;
                } else {
                    bases.open = true;
                }
                for argument in file.facts.run(call.arguments) {
                    for meaning in engine.expr_meanings(file, argument.value) {
                        if let Meaning::Definition(id, def) = meaning
                            && let Some(other) = engine.file(id)
                            && let Some(class) = engine.class_of(other, def)
                        {
                            bases.classes.push((class, None));
                        }
                    }
                }
            }
            Expr::Class(class) => {
                let def = file.facts.definition(file.facts.class(*class).definition).symbol;
                bases.classes.push((ClassRef { file: file.id, def }, None));
            }
            Expr::Subscript { base, .. } => {
                for meaning in engine.expr_meanings(file, *base) {
                    engine.meaning_bases(meaning, None, depth + 1, bases);
                }
            }
            Expr::Union(parts) => {
                for &part in file.facts.run(*parts) {
                    for meaning in engine.expr_meanings(file, part) {
                        engine.meaning_bases(meaning, None, depth + 1, bases);
                    }
                }
            }
            Expr::Literal(Literal::None) => {}
            _ => bases.open = true,
        });
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

    /// The type variables of a class, in order.
    pub(super) fn class_vars(&mut self, class: ClassRef) -> Vec<Var> {
        let Some(file) = self.file(class.file) else { return Vec::new() };
        let group = self.definition_group(file, class.def);
        self.within(group, |engine| {
            let mut written = Vec::new();
            for def in file.definitions(class.def) {
                let definition = file.facts.definition(def);
                let Some(id) = definition.class else { continue };
                let data = file.facts.class(id);
                if !data.type_parameters.is_empty() {
                    return (0..data.type_parameters.len()).map(|at| Var::Class(class, at as u32)).collect();
                }
                for &base in &data.bases {
                    if let Form::Apply { base, arguments } = file.facts.form(base) {
                        let generic = engine.is_generic_base(file, *base);
                        let vars = engine.form_vars(file, arguments);
                        if generic {
                            return vars;
                        }
                        written.extend(vars);
                    }
                }
            }
            let mut vars: Vec<Var> = Vec::new();
            for var in written {
                if !vars.contains(&var) {
                    vars.push(var);
                }
            }
            vars
        })
    }

    fn is_generic_base(&mut self, file: &File, form: FormId) -> bool {
        let Form::Name(expr) = file.facts.form(form) else { return false };
        self.expr_meanings(file, *expr).into_iter().any(|meaning| match meaning {
            Meaning::Definition(id, def) => {
                self.file(id).is_some_and(|file| self.special(file, def) == Some(Special::Generic))
            }
            _ => false,
        })
    }

    /// The type variables that stand directly among type arguments.
    fn form_vars(&mut self, file: &File, arguments: &[FormId]) -> Vec<Var> {
        let mut vars = Vec::new();
        for &argument in arguments {
            let types = self.form(file.id, argument);
            for ty in self.lattice.members(types) {
                if let Ty::Var(var @ (Var::Value(..) | Var::Class(..))) = ty {
                    vars.push(*var);
                }
            }
        }
        vars
    }

    /// A class seen from a subclass.
    pub(super) fn compute_super(&mut self, class: ClassRef, base: ClassRef) -> Types {
        if class == base {
            let vars = self.class_vars(class);
            let arguments: Vec<Types> = vars.into_iter().map(|var| self.lattice.one(Ty::Var(var))).collect();
            let list = self.lattice.list(&arguments);
            return self.lattice.one(Ty::Instance(class, list));
        }
        let bases = self.bases(class);
        for &(direct, form) in &bases.classes {
            if !self.derives(direct, base) {
                continue;
            }
            let seen = self.ask(TypeQuestion::Super(direct, base));
            let Some((file, form)) = form else {
                return self.substitute(seen, &Substitution::default());
            };
            let group = self.symbol_group(class.file, class.def);
            let written = self.within(group, |engine| engine.form(file, form));
            let arguments = self.lattice.members(written).iter().find_map(|ty| match *ty {
                Ty::Instance(found, list) if found == direct => Some(list),
                _ => None,
            });
            let substitution = self.class_substitution(direct, arguments.unwrap_or(List::EMPTY));
            return self.substitute(seen, &substitution);
        }
        self.lattice.one(Ty::Instance(base, List::EMPTY))
    }

    /// What the variables of a class are for these arguments.
    pub(super) fn class_substitution(&mut self, class: ClassRef, arguments: List) -> Substitution {
        let vars = self.class_vars(class);
        let items = self.lattice.items(arguments).to_vec();
        let mut substitution = Substitution::default();
        for (at, var) in vars.into_iter().enumerate() {
            let types = match items.get(at) {
                Some(&types) => types,
                None => {
                    let default = self.var_default(var, false);
                    self.substitute(default, &substitution)
                }
            };
            substitution.set(var, types);
        }
        substitution
    }
}
