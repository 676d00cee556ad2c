//! Bases of classes, reached by names only: the beginning of the second stratum.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::engine::{Engine, STACK_RESERVE, STACK_SEGMENT};
use super::meanings::Meaning;
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

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

impl Engine<'_> {
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
}
