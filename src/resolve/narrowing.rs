//! What a value can be where a test on it holds.

use super::engine::Engine;
use super::project::File;
use super::value::*;
use crate::facts::*;

impl Engine<'_> {
    /// What a value can be where a test holds.
    pub(super) fn narrowed(&mut self, file: &File, of: Types, test: &Test) -> Types {
        match test {
            Test::Instance(classes) => {
                let classes = self.expr(file.id, *classes);
                self.narrowed_to(of, classes)
            }
            Test::NotInstance(classes) => {
                let classes = self.expr(file.id, *classes);
                self.narrowed_away(of, classes)
            }
            Test::Subclass(classes) => {
                let classes = self.expr(file.id, *classes);
                let instances = self.to_instances(of);
                let narrowed = self.narrowed_to(instances, classes);
                self.to_classes(narrowed)
            }
            Test::Present => self.without_none(of),
            Test::Absent => of,
            Test::None => Types::NONE,
            Test::TypeOf(word) => self.narrowed_type_of(file, of, *word, true),
            Test::NotTypeOf(word) => self.narrowed_type_of(file, of, *word, false),
            Test::Property { name, equals } => self.narrowed_property(file, of, *name, *equals, true),
            Test::NotProperty { name, equals } => self.narrowed_property(file, of, *name, *equals, false),
            Test::HasKey(name) => {
                let name = self.sym(file, *name);
                self.filtered(of, |engine, ty| match ty {
                    Ty::Instance(class, _) => {
                        let order = engine.order(class);
                        order.open
                            || order.external
                            || order.classes.iter().any(|&owner| engine.declared(owner, name).is_some())
                    }
                    _ => true,
                })
            }
            Test::Callable => of,
            Test::Guard { callee, argument, holds } => self.narrowed_by_guard(file, of, *callee, *argument, *holds),
        }
    }

    /// Keeps the members that fit.
    pub(super) fn filtered(&mut self, of: Types, keep: impl Fn(&mut Self, Ty) -> bool) -> Types {
        if of == Types::TOP {
            return of;
        }
        let members: Vec<Ty> = self.lattice.members(of).to_vec();
        let kept: Vec<Ty> = members.into_iter().filter(|&ty| keep(self, ty)).collect();
        self.lattice.set(kept)
    }

    fn narrowed_to(&mut self, of: Types, classes: Types) -> Types {
        let mut wanted: Vec<(ClassRef, List)> = Vec::new();
        let mut open = false;
        self.named_classes(classes, &mut wanted, &mut open, 0);
        if of == Types::TOP {
            return of;
        }
        if wanted.is_empty() {
            return if open { of } else { Types::EXTERNAL };
        }
        let mut result = if open { Types::UNKNOWN } else { Types::NEVER };
        for ty in self.lattice.members(of).to_vec() {
            for &(class, arguments) in &wanted {
                let part = match ty {
                    Ty::Instance(found, _) if self.derives(found, class) => self.lattice.one(ty),
                    Ty::Var(Var::This(found)) if self.derives(found, class) => self.lattice.one(ty),
                    Ty::Instance(found, _) if self.derives(class, found) => {
                        self.lattice.one(Ty::Instance(class, arguments))
                    }
                    Ty::Tuple(_) | Ty::Text(_) | Ty::None => continue,
                    // Two unrelated classes can have a common subclass, but hardly ever do.
                    Ty::Instance(found, _) if !self.project.is_external(found.file) => {
                        let order = self.order(found);
                        if order.open { self.lattice.one(Ty::Instance(class, arguments)) } else { continue }
                    }
                    _ => self.lattice.one(Ty::Instance(class, arguments)),
                };
                result = self.lattice.join(result, part);
            }
        }
        result
    }

    /// The classes that a class or a tuple of classes names.
    fn named_classes(&mut self, types: Types, wanted: &mut Vec<(ClassRef, List)>, open: &mut bool, depth: u32) {
        if types == Types::TOP {
            *open = true;
            return;
        }
        for ty in self.lattice.members(types).to_vec() {
            match ty {
                Ty::Class(class, arguments) => wanted.push((class, arguments)),
                Ty::Tuple(items) if depth < 4 => {
                    for item in self.lattice.items(items).to_vec() {
                        self.named_classes(item, wanted, open, depth + 1);
                    }
                }
                Ty::External | Ty::Special(_) | Ty::None => {}
                _ => *open = true,
            }
        }
    }

    fn narrowed_away(&mut self, of: Types, classes: Types) -> Types {
        let mut wanted = Vec::new();
        let mut open = false;
        self.named_classes(classes, &mut wanted, &mut open, 0);
        self.filtered(of, |engine, ty| match ty {
            Ty::Instance(found, _) => !wanted.iter().any(|&(class, _)| engine.derives(found, class)),
            _ => true,
        })
    }

    fn narrowed_type_of(&mut self, file: &File, of: Types, word: Name, holds: bool) -> Types {
        let word = file.text(word);
        let semantics = self.rules(file).semantics();
        let class = match word {
            "string" => semantics.text,
            "number" => semantics.float,
            "boolean" => semantics.boolean,
            _ => "",
        };
        let class = if class.is_empty() { None } else { self.library_class(file.language, class) };
        if holds && of == Types::UNKNOWN && class.is_some() {
            return Types::EXTERNAL;
        }
        let word = word.to_owned();
        self.filtered(of, |engine, ty| {
            let fits = match ty {
                Ty::Unknown | Ty::External | Ty::Var(_) => return true,
                Ty::Text(_) => word == "string",
                Ty::None => word == "undefined" || word == "object",
                Ty::Function(..) | Ty::Bound(..) | Ty::Class(..) => word == "function",
                Ty::Instance(found, _) => match class {
                    Some(class) => found == class,
                    None if word == "function" => engine.is_callable(found),
                    None => word == "object" && !engine.is_primitive(found),
                },
                _ => word == "object",
            };
            fits == holds
        })
    }

    fn is_callable(&mut self, class: ClassRef) -> bool {
        let Some(file) = self.file(class.file) else { return true };
        let function = self.rules(file).semantics().function;
        let library = self.library_class(file.language, function);
        library.is_some_and(|library| self.derives(class, library)) || !self.call_signatures(class).is_empty()
    }

    fn is_primitive(&mut self, class: ClassRef) -> bool {
        let Some(file) = self.file(class.file) else { return false };
        let semantics = self.rules(file).semantics();
        [semantics.text, semantics.float, semantics.boolean, semantics.integer]
            .into_iter()
            .any(|name| self.library_class(file.language, name) == Some(class))
    }

    fn narrowed_property(&mut self, file: &File, of: Types, name: Name, equals: Literal, holds: bool) -> Types {
        let name = self.sym(file, name);
        let wanted = match equals {
            Literal::Text(text) => Ty::Text(self.sym(file, text)),
            _ => return of,
        };
        self.filtered(of, |engine, ty| {
            if !matches!(ty, Ty::Instance(..) | Ty::Object(..)) {
                return true;
            }
            let one = engine.lattice.one(ty);
            let value = engine.read_attribute(one, name).types;
            let members = engine.lattice.members(value);
            let only_texts = !members.is_empty() && members.iter().all(|ty| matches!(ty, Ty::Text(_)));
            if !only_texts {
                return true;
            }
            if holds { members.contains(&wanted) } else { members != [wanted] }
        })
    }

    fn narrowed_by_guard(&mut self, file: &File, of: Types, callee: ExprId, argument: u32, holds: bool) -> Types {
        let callee = self.expr(file.id, callee);
        for ty in self.lattice.members(callee).to_vec() {
            let (function, shift) = match ty {
                Ty::Function(function, _) => (function, 0),
                Ty::Bound(function, ..) => (function, self.receiver_parameters(function)),
                _ => continue,
            };
            let Some(other) = self.file(function.file) else { continue };
            let Some((index, form)) = other.facts.function(function.function).guard else { continue };
            if index != Some(argument + shift) {
                continue;
            }
            let group = self.function_group(other, function.function);
            let to = self.within(group, |engine| engine.form(function.file, form));
            if self.lattice.is_open(to) || self.lattice.has_vars(to) {
                return of;
            }
            let classes = self.to_classes(to);
            return if holds {
                if self.lattice.members(to).iter().all(|ty| matches!(ty, Ty::Instance(..))) {
                    self.narrowed_to(of, classes)
                } else {
                    to
                }
            } else {
                self.narrowed_away(of, classes)
            };
        }
        of
    }
}
