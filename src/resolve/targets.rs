//! Which symbols a use leads to.

use super::bases::Bases;
use super::engine::{Engine, TypeQuestion};
use super::meanings::Meaning;
use super::members::{Found, Outcome, Owner};
use super::project::File;
use super::reads::Leaf;
use super::value::*;
use crate::facts::*;

/// Where a use leads.
#[derive(Clone, Default, Debug)]
pub(super) struct Targets {
    pub symbols: Vec<Found>,
    /// Getters and setters that the use runs besides.
    pub accessors: Vec<Found>,
    pub missing: Vec<Owner>,
    /// A receiver of unknown type.
    pub unknown: bool,
    pub external: bool,
}

impl Targets {
    fn add(&mut self, file: FileId, symbol: DefId) {
        let found = Found { file, symbol };
        if !self.symbols.contains(&found) {
            self.symbols.push(found);
        }
    }

    fn note(&mut self, outcome: &Outcome) {
        self.missing.extend(outcome.missing.iter().copied());
        self.unknown |= outcome.unknown;
        self.external |= outcome.external;
    }
}

/// Longest chain of aliases that is looked through.
const MAX_CALLED_ALIASES: u32 = 8;
/// Most subclasses whose members a use in the base class leads to; of more it is not known which is meant.
const MAX_SUBCLASSES: usize = 8;

impl Engine<'_> {
    /// What a call runs.
    pub(super) fn call_targets(&mut self, file: &File, call: &CallExpr) -> Targets {
        let mut targets = Targets::default();
        if call.form == CallForm::Super {
            self.super_call(file, call.callee, &mut targets);
        } else {
            self.callee_targets(file, call.callee, &mut targets);
        }
        targets
    }

    /// `super(…)` calls the base class.
    fn super_call(&mut self, file: &File, callee: ExprId, targets: &mut Targets) {
        let Expr::Super { class: Some(class), .. } = file.facts.expr(callee) else { return };
        let def = file.facts.definition(file.facts.class(*class).definition).symbol;
        let bases = self.bases(ClassRef { file: file.id, def });
        // Interfaces have no constructor.
        let constructs = |engine: &Self, class: ClassRef| {
            engine.file(class.file).is_some_and(|f| !f.facts.definition(class.def).flags.has(Flags::INTERFACE))
        };
        for &(base, _) in bases.classes.iter().filter(|(base, _)| constructs(self, *base)).take(1) {
            if self.project.is_external(base.file) {
                targets.external = true;
            } else {
                targets.add(base.file, base.def);
            }
        }
    }

    fn callee_targets(&mut self, file: &File, callee: ExprId, targets: &mut Targets) {
        match file.facts.expr(callee) {
            Expr::Name(used) => {
                for meaning in self.name_meanings(file, used) {
                    self.meaning_called(meaning, targets, 0);
                }
            }
            Expr::Attribute { base, name } => {
                let base_types = self.expr(file.id, *base);
                let name = self.sym(file, *name);
                let mut outcome = self.read_attribute(base_types, name);
                self.add_of_subclasses(base_types, name, &mut outcome);
                self.found_called(&outcome, targets);
                if self.is_call_through(&outcome) {
                    // `f.call(…)`, `f.apply(…)` run `f`.
                    self.callee_targets(file, *base, targets);
                }
            }
            Expr::Cast { of, .. } => self.callee_targets(file, *of, targets),
            Expr::Union(parts) => {
                for &part in file.facts.run(*parts) {
                    self.callee_targets(file, part, targets);
                }
            }
            _ => {
                let types = self.expr(file.id, callee);
                self.types_called(types, targets);
            }
        }
    }

    /// What a call of these values, or of a member of them, runs.
    pub(super) fn values_called(&mut self, file: &File, values: Types, member: Option<Name>) -> Targets {
        let mut targets = Targets::default();
        match member {
            Some(name) => {
                let name = self.sym(file, name);
                let outcome = self.read_attribute(values, name);
                self.found_called(&outcome, &mut targets);
            }
            None => self.types_called(values, &mut targets),
        }
        targets
    }

    /// What a class uses of itself without having it, its subclasses have: a mixin, or a base that leaves it to them.
    fn add_of_subclasses(&mut self, base: Types, name: Sym, outcome: &mut Outcome) {
        if outcome.missing.is_empty() {
            return;
        }
        for ty in self.lattice.members(base).to_vec() {
            let (Ty::Var(Var::This(class)) | Ty::ClassOfVar(Var::This(class))) = ty else { continue };
            if !outcome.missing.contains(&Owner::Class(class)) {
                continue;
            }
            let found = self.of_subclasses(class, name);
            if found.is_empty() {
                continue;
            }
            outcome.missing.retain(|owner| *owner != Owner::Class(class));
            match found.len() <= MAX_SUBCLASSES {
                true => found.into_iter().for_each(|found| outcome.found(found.file, found.symbol)),
                false => outcome.unknown = true,
            }
        }
    }

    /// The members of a name that the subclasses of a class declare. Of more than [`MAX_SUBCLASSES`] not all are given.
    fn of_subclasses(&mut self, class: ClassRef, name: Sym) -> Vec<Found> {
        self.read(Leaf::Defining(name));
        let language = self.file(class.file).map(|file| file.language);
        let mut members = Vec::new();
        for id in self.project.defining(&self.text_of(name)) {
            let Some(file) = self.file(id).filter(|file| Some(file.language) == language) else { continue };
            for symbol in file.symbols_named(name) {
                let parent = file.facts.definition(symbol).parent.map(|parent| file.facts.definition(parent).symbol);
                if let Some(owner) = parent.and_then(|parent| self.class_of(file, parent))
                    && owner != class
                    && self.derives(owner, class)
                {
                    members.push(Found { file: id, symbol });
                }
            }
            if members.len() > MAX_SUBCLASSES {
                break;
            }
        }
        members
    }

    fn is_call_through(&self, outcome: &Outcome) -> bool {
        self.lattice.members(outcome.types) == [Ty::Special(crate::languages::Special::CallFunction)]
    }

    /// What calling the members that were found runs.
    fn found_called(&mut self, outcome: &Outcome, targets: &mut Targets) {
        targets.note(outcome);
        for &found in &outcome.found {
            if self.add_accessor(found, Flags::GETTER, targets) {
                self.types_called(outcome.types, targets);
            } else {
                self.symbol_called(found.file, found.symbol, targets, 0);
            }
        }
        if outcome.found.is_empty() && outcome.missing.is_empty() {
            self.types_called(outcome.types, targets);
        }
    }

    /// Adds what was found if a use runs it, and the function that runs if that has another name
    /// (`price = property(get_price)`); whether it does.
    fn add_accessor(&mut self, found: Found, flag: Flags, targets: &mut Targets) -> bool {
        let Some(file) = self.file(found.file) else { return false };
        let definitions = file.definitions(found.symbol).into_iter().map(|def| file.facts.definition(def));
        let accessors: Vec<&Definition> = definitions.filter(|definition| definition.flags.has(flag)).collect();
        if accessors.is_empty() {
            return false;
        }
        targets.accessors.push(found);
        for function in accessors.into_iter().filter_map(|definition| definition.function) {
            let named = file.facts.function(function).definition.map(|def| file.facts.definition(def).symbol);
            if let Some(symbol) = named.filter(|symbol| *symbol != found.symbol) {
                targets.accessors.push(Found { file: found.file, symbol });
            }
        }
        true
    }

    fn meaning_called(&mut self, meaning: Meaning, targets: &mut Targets, depth: u32) {
        match meaning {
            Meaning::Definition(id, _) if self.project.is_external(id) => {
                targets.external = true;
            }
            Meaning::Definition(id, def) => self.symbol_called(id, def, targets, depth),
            Meaning::External => targets.external = true,
            Meaning::Missing(Some(file), _) => targets.missing.push(Owner::Module(file)),
            Meaning::Missing(None, _) | Meaning::Unknown => {}
            Meaning::Binding(..) | Meaning::Value(..) | Meaning::Module(_) | Meaning::Namespace(_) => {
                let types = self.meaning_types(meaning);
                self.types_called(types, targets);
            }
        }
    }

    /// What calling a symbol runs: a function or class itself; through a plain alias what it stands for; a variable
    /// whose value a call made is the target itself.
    fn symbol_called(&mut self, id: FileId, def: DefId, targets: &mut Targets, depth: u32) {
        let Some(file) = self.file(id) else { return };
        let definitions = file.definitions(def);
        let data = |def: &DefId| file.facts.definition(*def);
        if definitions.iter().any(|def| data(def).function.is_some() || data(def).class.is_some()) {
            targets.add(id, def);
            return;
        }
        if depth > MAX_CALLED_ALIASES {
            return;
        }
        let group = self.definition_group(file, def);
        let values = self.within(group, |engine| engine.variable_values(file, def));
        let mut looked_through = false;
        for &value in &values {
            let is_alias = matches!(
                file.facts.expr(value),
                Expr::Name(_)
                    | Expr::Attribute { .. }
                    | Expr::Part { .. }
                    | Expr::Union(_)
                    | Expr::Function(_)
                    | Expr::Class(_)
            );
            if is_alias {
                looked_through = true;
                let before = targets.symbols.len();
                self.within(group, |engine| {
                    for meaning in engine.expr_meanings(file, value) {
                        if meaning != Meaning::Definition(id, def) && !matches!(meaning, Meaning::Unknown) {
                            engine.meaning_called(meaning, targets, depth + 1);
                        }
                    }
                });
                if targets.symbols.len() == before {
                    let types = self.within(group, |engine| engine.expr(id, value));
                    self.types_called(types, targets);
                }
                // `const { useOrders } = createHooks()`: what no definition stands behind is the variable itself.
                if targets.symbols.len() == before && is_part_of_call(file, value, 0) {
                    targets.add(id, def);
                }
            } else if matches!(file.facts.expr(value), Expr::Call(_) | Expr::Await(_)) {
                looked_through = true;
                self.made_called(file, def, targets);
            }
        }
        if !looked_through {
            let types = self.ask(TypeQuestion::Symbol(id, def));
            self.types_called(types, targets);
        }
    }

    /// A call of a variable that a call made.
    fn made_called(&mut self, file: &File, def: DefId, targets: &mut Targets) {
        let types = self.ask(TypeQuestion::Symbol(file.id, def));
        let of_project = |engine: &Self, ty: &Ty| match ty {
            Ty::Instance(class, _) => !engine.project.is_external(class.file) && engine.call_member(*class).is_some(),
            _ => false,
        };
        // An instance with a call member of its own says what runs.
        if self.lattice.members(types).to_vec().iter().any(|ty| of_project(self, ty)) {
            self.types_called(types, targets);
            return;
        }
        // What gives back the class or function that it was given (`memoize(f)`) is looked through, too.
        let given = types != Types::TOP && types != Types::NEVER;
        if given && self.lattice.members(types).to_vec().iter().all(|ty| self.is_top_level(*ty)) {
            self.types_called(types, targets);
            return;
        }
        targets.add(file.id, def);
    }

    /// Whether this is a class, or a function that stands in no other function.
    fn is_top_level(&self, ty: Ty) -> bool {
        match ty {
            Ty::Class(..) => true,
            Ty::Function(function, _) => {
                let Some(file) = self.file(function.file) else { return false };
                let Some(def) = file.facts.function(function.function).definition else { return false };
                file.facts.definition(def).parent.is_none() && !file.is_hidden(def)
            }
            _ => false,
        }
    }

    fn call_member(&self, class: ClassRef) -> Option<&'static str> {
        self.file(class.file).and_then(|file| self.rules(file).semantics().call_member)
    }

    /// The values of a variable or field.
    fn variable_values(&mut self, file: &File, def: DefId) -> Vec<ExprId> {
        let definition = file.facts.definition(def);
        let Some(parent) = definition.parent else { return self.symbol_values(file, def) };
        let class = ClassRef { file: file.id, def: file.facts.definition(parent).symbol };
        self.assigned_values(file, class, file.sym(definition.name))
    }

    /// What calling these values runs.
    fn types_called(&mut self, types: Types, targets: &mut Targets) {
        if types == Types::TOP {
            targets.unknown = true;
            return;
        }
        for ty in self.lattice.members(types).to_vec() {
            match ty {
                Ty::Function(function, _) | Ty::Bound(function, ..) => self.function_called(function, targets),
                Ty::Class(class, _) | Ty::ClassOfVar(Var::This(class)) => {
                    if self.project.is_external(class.file) {
                        targets.external = true;
                    } else {
                        targets.add(class.file, class.def);
                    }
                }
                Ty::Instance(class, _) | Ty::Var(Var::This(class)) => self.instance_called(class, ty, targets),
                Ty::External | Ty::Special(_) => targets.external = true,
                Ty::Unknown | Ty::Var(_) | Ty::ClassOfVar(_) => targets.unknown = true,
                Ty::None
                | Ty::Module(_)
                | Ty::Namespace(_)
                | Ty::Object(..)
                | Ty::Tuple(_)
                | Ty::Text(_)
                | Ty::Super(..) => {}
            }
        }
    }

    fn function_called(&mut self, function: FunctionRef, targets: &mut Targets) {
        if self.project.is_external(function.file) {
            targets.external = true;
            return;
        }
        let Some(file) = self.file(function.file) else { return };
        if let Some(def) = file.facts.function(function.function).definition
            && !file.is_hidden(def)
        {
            targets.add(function.file, file.facts.definition(def).symbol);
        }
    }

    fn instance_called(&mut self, class: ClassRef, ty: Ty, targets: &mut Targets) {
        let Some(member) = self.call_member(class) else {
            targets.external |= self.project.is_external(class.file);
            return;
        };
        let name = self.sym_of(member);
        let one = self.lattice.one(ty);
        let outcome = self.read_attribute(one, name);
        targets.external |= outcome.external;
        for &found in &outcome.found {
            targets.add(found.file, found.symbol);
        }
    }

    /// What a read of a name or attribute leads to.
    pub(super) fn read_targets(&mut self, file: &File, expr: ExprId, write: bool) -> Targets {
        let mut targets = Targets::default();
        match file.facts.expr(expr) {
            Expr::Name(used) => {
                for meaning in self.name_meanings(file, used) {
                    match meaning {
                        Meaning::Definition(id, def) if !self.project.is_external(id) => targets.add(id, def),
                        Meaning::Missing(Some(file), _) => targets.missing.push(Owner::Module(file)),
                        _ => {}
                    }
                }
            }
            Expr::Attribute { base, name } => {
                let types = self.expr(file.id, *base);
                let name = self.sym(file, *name);
                let mut outcome = self.read_attribute(types, name);
                self.add_of_subclasses(types, name, &mut outcome);
                targets.note(&outcome);
                let accessor = if write { Flags::SETTER } else { Flags::GETTER };
                for &found in &outcome.found {
                    if !self.add_accessor(found, accessor, &mut targets) {
                        targets.add(found.file, found.symbol);
                    }
                }
            }
            // The key of a destructuring reads a property.
            Expr::Part { of, part: Part::Key(name) } => {
                let types = self.expr(file.id, *of);
                let name = self.sym(file, *name);
                let outcome = self.read_attribute(types, name);
                targets.note(&outcome);
                targets.missing.clear();
                for &found in &outcome.found {
                    if !self.add_accessor(found, Flags::GETTER, &mut targets) {
                        targets.add(found.file, found.symbol);
                    }
                }
            }
            _ => {
                for meaning in self.expr_meanings(file, expr) {
                    if let Meaning::Definition(id, def) = meaning
                        && !self.project.is_external(id)
                    {
                        targets.add(id, def);
                    }
                }
            }
        }
        targets
    }

    /// The classes that a base names.
    pub(super) fn base_targets(&mut self, file: &File, target: RefTarget) -> Targets {
        let mut bases = Bases::default();
        match target {
            RefTarget::Form(form) => self.form_bases(file, form, form, 0, &mut bases),
            RefTarget::Expr(expr) => {
                for meaning in self.expr_meanings(file, expr) {
                    self.meaning_bases(meaning, None, 0, &mut bases);
                }
            }
            _ => {}
        }
        let mut targets = Targets { external: bases.external, ..Targets::default() };
        for (class, _) in bases.classes {
            if !self.project.is_external(class.file) {
                targets.add(class.file, class.def);
            }
        }
        targets
    }

    /// The symbols that an annotation names.
    pub(super) fn annotation_targets(&mut self, file: &File, target: RefTarget) -> Targets {
        match target {
            RefTarget::Expr(expr) => self.read_targets(file, expr, false),
            RefTarget::Form(form) => match file.facts.form(form) {
                Form::Name(expr) => self.read_targets(file, *expr, false),
                Form::Imported { module, path } => {
                    let mut targets = Targets::default();
                    for meaning in self.imported_path(file, *module, path) {
                        if let Meaning::Definition(id, def) = meaning
                            && !self.project.is_external(id)
                        {
                            targets.add(id, def);
                        }
                    }
                    targets
                }
                Form::Apply { base, .. } => self.annotation_targets(file, RefTarget::Form(*base)),
                _ => Targets::default(),
            },
            _ => Targets::default(),
        }
    }
}

/// Whether a value is a part of what a call gave: destructured, or an attribute of a variable that a call made.
fn is_part_of_call(file: &File, value: ExprId, depth: u32) -> bool {
    let (of, is_part) = match file.facts.expr(value) {
        Expr::Attribute { base, .. } | Expr::Subscript { base, .. } => (*base, true),
        Expr::Part { of, .. } => (*of, true),
        Expr::Narrow { of, .. } | Expr::Cast { of, .. } | Expr::Await(of) => (*of, false),
        Expr::Call(_) => return depth > 0,
        Expr::Name(used) if depth > 0 => {
            let value = |binding: &BindingId| match file.facts.binding(*binding).value {
                Value::Expr(expr) => Some(expr),
                _ => None,
            };
            let values: Vec<ExprId> = file.facts.reach(used).iter().filter_map(value).collect();
            return depth <= MAX_CALLED_ALIASES && values.iter().any(|&value| is_part_of_call(file, value, depth + 1));
        }
        _ => return false,
    };
    depth <= MAX_CALLED_ALIASES && is_part_of_call(file, of, depth + u32::from(is_part))
}
