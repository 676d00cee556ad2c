//! What comes out of a value: by iterating, entering, awaiting and destructuring it.

use super::calls::Arguments;
use super::engine::Engine;
use super::project::File;
use super::value::*;
use crate::facts::*;

impl Engine<'_> {
    /// One element of what is iterated over.
    pub(super) fn element(&mut self, of: Types) -> Types {
        if of == Types::TOP {
            return of;
        }
        let Some(language) = self.any_language() else { return Types::UNKNOWN };
        let members = self.project.languages[language].semantics().iterate;
        let mut element = Types::NEVER;
        for ty in self.lattice.members(of).to_vec() {
            let part = match ty {
                Ty::Tuple(items) => {
                    let items = self.lattice.items(items).to_vec();
                    self.lattice.join_all(items)
                }
                Ty::Class(class, arguments) if self.is_enum(class) => self.lattice.one(Ty::Instance(class, arguments)),
                _ => {
                    let one = self.lattice.one(ty);
                    self.through(one, members)
                }
            };
            element = self.lattice.join(element, part);
        }
        element
    }

    /// Calls members one after the other, each on the result of the one before.
    pub(super) fn through(&mut self, of: Types, members: &[&str]) -> Types {
        let mut types = of;
        for member in members {
            let name = self.sym_of(member);
            let method = self.attribute(types, name);
            types = self.call(method, &Arguments::default());
        }
        types
    }

    /// What `await` gives: the last type argument of a promise or coroutine, any other value itself.
    pub(super) fn awaited(&mut self, of: Types) -> Types {
        if of == Types::TOP {
            return of;
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(of).to_vec() {
            let part = match ty {
                Ty::Instance(class, arguments) => self.awaited_instance(class, arguments, ty),
                _ => self.lattice.one(ty),
            };
            result = self.lattice.join(result, part);
        }
        result
    }

    fn awaited_instance(&mut self, class: ClassRef, arguments: List, ty: Ty) -> Types {
        let Some(file) = self.file(class.file) else { return Types::UNKNOWN };
        let promise = self.rules(file).semantics().promise;
        if let Some(promise) = self.library_class(file.language, promise)
            && self.derives(class, promise)
        {
            let receiver = self.lattice.one(ty);
            let substitution = self.member_substitution(class, arguments, promise, receiver);
            return substitution.entries.last().map_or(Types::UNKNOWN, |(_, types)| *types);
        }
        let awaits = self.sym_of("__await__");
        if self.order(class).classes.iter().any(|&owner| self.declared(owner, awaits).is_some()) {
            let receiver = self.lattice.one(ty);
            let method = self.attribute(receiver, awaits);
            let generator = self.call(method, &Arguments::default());
            return self.last_argument(generator);
        }
        self.lattice.one(ty)
    }

    fn last_argument(&mut self, types: Types) -> Types {
        let mut result = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = match ty {
                Ty::Instance(_, list) => self.lattice.items(list).last().copied().unwrap_or(Types::UNKNOWN),
                _ => Types::UNKNOWN,
            };
            result = self.lattice.join(result, part);
        }
        result
    }

    /// A promise of a value; what is a promise already stays one.
    pub(super) fn promise(&mut self, file: &File, of: Types) -> Types {
        let value = self.awaited(of);
        let name = self.rules(file).semantics().promise;
        let Some(class) = self.library_class(file.language, name) else { return Types::EXTERNAL };
        let vars = self.class_vars(class).len();
        let mut arguments = vec![Types::UNKNOWN; vars.saturating_sub(1)];
        arguments.push(value);
        self.library_instance(file.language, name, &arguments)
    }

    /// A part of a destructured value.
    pub(super) fn part(&mut self, file: &File, of: Types, part: Part) -> Types {
        if of == Types::TOP {
            return of;
        }
        match part {
            Part::Key(name) => {
                let name = self.sym(file, name);
                return self.attribute(of, name);
            }
            Part::RestKeys => return of,
            Part::Index(_) | Part::FromEnd(_) | Part::Rest(_) => {}
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(of).to_vec() {
            let one = self.lattice.one(ty);
            let items = match ty {
                Ty::Tuple(items) => Some(self.lattice.items(items).to_vec()),
                _ => None,
            };
            let piece = match (items, part) {
                (Some(items), Part::Index(at)) => items.get(at as usize).copied().unwrap_or(Types::UNKNOWN),
                (Some(items), Part::FromEnd(at)) => {
                    items.len().checked_sub(1 + at as usize).map_or(Types::UNKNOWN, |at| items[at])
                }
                (Some(items), Part::Rest(from)) => {
                    let rest = items.get(from as usize..).unwrap_or_default().to_vec();
                    let element = self.lattice.join_all(rest);
                    self.library_instance(file.language, self.rules(file).semantics().list, &[element])
                }
                (None, Part::Rest(_)) => {
                    let element = self.element(one);
                    self.library_instance(file.language, self.rules(file).semantics().list, &[element])
                }
                _ => self.element(one),
            };
            result = self.lattice.join(result, piece);
        }
        result
    }
}
