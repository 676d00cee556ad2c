//! Aliases of types: what one stands for, also where it is made of itself.
//!
//! `type Tree = list[Tree] | Leaf` has no finite type. Its definition is unfolded once: an alias that stands inside
//! another type there and leads back to where it stands is unknown at that place. Whether it leads back is told by names
//! alone, which are finished before types are asked for, so no answer depends on what was asked first.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::engine::Engine;
use super::meanings::Meaning;
use super::project::File;
use super::substitution::Substitution;
use super::value::*;
use crate::facts::*;

/// Most aliases that are looked through to see whether one leads back.
const MAX_ALIASES: usize = 1_000;

/// An alias by its file and symbol.
pub(super) type AliasRef = (FileId, DefId);

/// The alias whose definition is being unfolded.
#[derive(Clone, Copy)]
pub(super) struct Unfolding {
    alias: AliasRef,
    /// Inside another type, such as `list[…]`.
    pub nested: bool,
}

impl Engine<'_> {
    /// What an alias stands for.
    pub(super) fn compute_alias(&mut self, id: FileId, def: DefId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        self.unfolding = Some(Unfolding { alias: (id, def), nested: false });
        let mut types = Types::NEVER;
        for def in file.definitions(def) {
            if let Some(form) = file.facts.definition(def).alias {
                let alias = self.level_form(id, form);
                types = self.lattice.join(types, alias);
            }
        }
        types
    }

    /// An alias applied to arguments written in `file`.
    pub(super) fn apply_alias(
        &mut self,
        file: &File,
        alias: Types,
        id: FileId,
        def: DefId,
        arguments: &[FormId],
    ) -> Types {
        if !self.lattice.has_vars(alias) {
            return alias;
        }
        let mut vars = Vec::new();
        self.free_vars(alias, &mut vars);
        let mut substitution = Substitution::default();
        for var in vars {
            if let Var::Alias(file_of, def_of, index) = var
                && (file_of, def_of) == (id, def)
            {
                let argument = arguments.get(index as usize);
                let argument = argument.map_or(Types::UNKNOWN, |&argument| self.form(file.id, argument));
                substitution.set(var, argument);
            }
        }
        self.substitute(alias, &substitution)
    }

    /// Whether an alias that is named here, inside the definition of another or of its own, leads back to that.
    pub(super) fn unfolds_itself(&mut self, named: AliasRef) -> bool {
        let Some(Unfolding { alias, nested: true }) = self.unfolding else { return false };
        let mut seen = FxHashSet::from_iter([named]);
        let mut open = vec![named];
        while let Some(next) = open.pop() {
            if next == alias {
                return true;
            }
            if seen.len() > MAX_ALIASES {
                return false;
            }
            open.extend(self.aliases_in(next).iter().filter(|&&other| seen.insert(other)));
        }
        false
    }

    /// The aliases that the definition of one names.
    fn aliases_in(&mut self, alias: AliasRef) -> Rc<[AliasRef]> {
        let (id, def) = alias;
        let Some(file) = self.file(id) else { return Rc::from([]) };
        let group = self.definition_group(file, def);
        self.within(group, |engine| {
            if let Some(known) = engine.aliases.get(&alias) {
                return known.clone();
            }
            let definitions = file.definitions(def).into_iter();
            let forms = definitions.filter_map(|def| file.facts.definition(def).alias).collect();
            let named = engine.meanings_in(file, forms);
            let found = named.into_iter().filter_map(|meaning| match meaning {
                Meaning::Definition(id, def) => Some((id, def)),
                _ => None,
            });
            let found: Rc<[AliasRef]> = found.filter(|&alias| engine.is_alias(alias)).collect();
            engine.aliases.insert(alias, found.clone());
            found
        })
    }

    fn is_alias(&self, (id, def): AliasRef) -> bool {
        let Some(file) = self.file(id) else { return false };
        file.definitions(def).into_iter().any(|def| file.facts.definition(def).alias.is_some())
    }

    /// What some type forms name, themselves and inside. Members of object types and signatures are not unfolded.
    fn meanings_in(&mut self, file: &File, mut forms: Vec<FormId>) -> Vec<Meaning> {
        let mut meanings = Vec::new();
        while let Some(form) = forms.pop() {
            match file.facts.form(form) {
                Form::Name(expr) => meanings.extend(self.expr_meanings(file, *expr)),
                Form::Imported { module, path } => meanings.extend(self.imported_path(file, *module, path)),
                Form::Apply { base, arguments } => forms.extend(arguments.iter().chain([base])),
                Form::Builtin { arguments: of, .. } | Form::Tuple(of) | Form::Union(of) | Form::Intersection(of) => {
                    forms.extend(of.iter());
                }
                Form::Rest(of) | Form::Element(of) | Form::ClassOf(of) | Form::Indexed { of, .. } => forms.push(*of),
                Form::Conditional(yes, no) => forms.extend([*yes, *no]),
                Form::Mapped { of, .. } => forms.extend(of),
                _ => {}
            }
        }
        meanings
    }
}
