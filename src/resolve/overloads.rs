//! Which of several overloads a call means, and the signatures of what is called without being a function.

use super::calls::{Argument, Arguments};
use super::engine::{Engine, TypeQuestion};
use super::value::*;
use crate::facts::*;

impl Engine<'_> {
    /// Of several overloads of one function, the first that takes this number of arguments; other members stay.
    pub(super) fn overload(&mut self, callee: Types, arguments: &Arguments) -> Vec<Ty> {
        let members: Vec<Ty> = self.lattice.members(callee).to_vec();
        let symbol = |engine: &Self, ty: Ty| -> Option<(FileId, DefId)> {
            let (Ty::Function(function, _) | Ty::Bound(function, ..)) = ty else { return None };
            let file = engine.file(function.file)?;
            let def = file.facts.function(function.function).definition?;
            let definition = file.facts.definition(def);
            let overloaded = definition.flags.has(Flags::OVERLOAD) || file.definitions(definition.symbol).len() > 1;
            overloaded.then_some((function.file, definition.symbol))
        };
        let mut chosen: Vec<(FileId, DefId)> = Vec::new();
        let mut kept = Vec::new();
        for &ty in &members {
            let Some(of) = symbol(self, ty) else {
                kept.push(ty);
                continue;
            };
            if chosen.contains(&of) {
                continue;
            }
            let siblings: Vec<Ty> = members.iter().copied().filter(|&other| symbol(self, other) == Some(of)).collect();
            chosen.push(of);
            if siblings.len() == 1 {
                kept.push(ty);
                continue;
            }
            let fitting: Vec<Ty> = siblings.iter().copied().filter(|&ty| self.takes(ty, arguments)).collect();
            match fitting.first() {
                Some(&first) => kept.push(first),
                None => kept.extend(siblings),
            }
        }
        kept
    }

    /// Whether a function takes these arguments, by number, by keyword and, where both are known, by type.
    pub(super) fn takes(&mut self, ty: Ty, arguments: &Arguments) -> bool {
        let (Ty::Function(function, _) | Ty::Bound(function, ..)) = ty else { return true };
        let Some(file) = self.file(function.file) else { return true };
        self.read_function(file, function.function);
        let data = file.facts.function(function.function);
        let skip = if matches!(ty, Ty::Bound(..)) { self.receiver_parameters(function) as usize } else { 0 };
        let parameters = &data.parameters[skip.min(data.parameters.len())..];
        if arguments.list.iter().any(|argument| matches!(argument, Argument::Spread | Argument::SpreadKeywords)) {
            return true;
        }
        let mut given = vec![None; parameters.len()];
        for (at, argument) in arguments.list.iter().enumerate() {
            let (slot, value) = match argument {
                Argument::Positional(value) => {
                    let rest = parameters.iter().position(|p| p.kind == ParameterKind::Rest);
                    let takes = |p: &Parameter| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Plain);
                    match parameters.get(at).filter(|p| takes(p)) {
                        Some(_) => (Some(at), *value),
                        None => (rest, *value),
                    }
                }
                Argument::Keyword(name, value) => {
                    let named = parameters.iter().position(|p| file.sym(p.name) == *name);
                    let rest = parameters.iter().position(|p| p.kind == ParameterKind::RestKeywords);
                    (named.or(rest), *value)
                }
                _ => continue,
            };
            match slot {
                Some(slot) => given[slot] = Some(value),
                None => return false,
            }
        }
        for (at, parameter) in parameters.iter().enumerate() {
            let rest = matches!(parameter.kind, ParameterKind::Rest | ParameterKind::RestKeywords);
            match given[at] {
                None if !rest && parameter.default.is_none() && !parameter.optional => return false,
                Some(value) if !rest && parameter.annotation.is_some() => {
                    let wanted = self.ask(TypeQuestion::Parameter(function, (at + skip) as u32));
                    let actual = self.value_for(value, wanted);
                    if !self.could_be(actual, wanted) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// Whether a value could be one of these types, as far as heads tell.
    fn could_be(&mut self, actual: Types, wanted: Types) -> bool {
        if actual == Types::TOP || wanted == Types::TOP || actual == Types::NEVER {
            return true;
        }
        let wanted: Vec<Ty> = self.lattice.members(wanted).to_vec();
        self.lattice.members(actual).to_vec().into_iter().any(|actual| {
            wanted.iter().any(|&wanted| match (actual, wanted) {
                (Ty::Instance(found, _), Ty::Instance(class, _)) => {
                    let order = self.order(found);
                    order.open
                        || order.external
                        || order.classes.contains(&class)
                        || self.is_structural(class)
                        || self.has_all_members(&order.classes, class)
                }
                (Ty::Text(x), Ty::Text(y)) => x == y,
                (Ty::Text(_), Ty::Instance(class, _)) => {
                    let Some(file) = self.file(class.file) else { return true };
                    let text = self.rules(file).semantics().text;
                    let text = self.library_class(file.language, text);
                    text.is_some_and(|text| self.derives(text, class))
                }
                (Ty::Instance(found, _), Ty::Text(_)) => {
                    let Some(file) = self.file(found.file) else { return true };
                    let text = self.rules(file).semantics().text;
                    self.library_class(file.language, text) == Some(found)
                }
                (Ty::None, Ty::None) => true,
                (Ty::None, Ty::Instance(..) | Ty::Text(_) | Ty::Function(..) | Ty::Tuple(_)) => false,
                (Ty::Instance(found, _), Ty::Function(..)) => {
                    self.project.is_external(found.file) || self.is_structural(found)
                }
                (Ty::Instance(..) | Ty::Text(_), Ty::None) => false,
                (Ty::Text(_), Ty::Function(..) | Ty::Tuple(_)) => false,
                (Ty::Tuple(given), Ty::Tuple(wanted)) => {
                    self.lattice.items(given).len() == self.lattice.items(wanted).len()
                }
                (Ty::Instance(found, _), Ty::Tuple(_)) => {
                    let Some(file) = self.file(found.file) else { return true };
                    let list = self.rules(file).semantics().list;
                    self.library_class(file.language, list) != Some(found)
                }
                (Ty::Function(given, _) | Ty::Bound(given, ..), Ty::Function(wanted, _)) => {
                    !self.is_guard(wanted) || self.is_guard(given)
                }
                (Ty::Class(..) | Ty::Function(..) | Ty::Bound(..), Ty::Text(_) | Ty::None | Ty::Tuple(_)) => false,
                (Ty::Function(..) | Ty::Bound(..), Ty::Instance(class, _)) => {
                    let Some(file) = self.file(class.file) else { return true };
                    let semantics = self.rules(file).semantics();
                    if !file.external {
                        return self.may_be_function(class);
                    }
                    ![semantics.text, semantics.integer, semantics.float, semantics.boolean, semantics.list]
                        .into_iter()
                        .any(|name| self.library_class(file.language, name) == Some(class))
                }
                _ => true,
            })
        })
    }

    /// Whether a function could be what a class of the project describes.
    fn may_be_function(&mut self, class: ClassRef) -> bool {
        let order = self.order(class);
        let member = self.file(class.file).and_then(|file| self.rules(file).semantics().call_member);
        let called = member.is_some_and(|member| {
            let name = self.sym_of(member);
            order.classes.iter().any(|&owner| self.declared(owner, name).is_some())
        });
        order.open || order.external || called || self.is_structural(class)
    }

    /// Whether a call that is true narrows an argument.
    fn is_guard(&self, function: FunctionRef) -> bool {
        self.file(function.file).is_some_and(|file| file.facts.function(function.function).guard.is_some())
    }

    fn is_structural(&self, class: ClassRef) -> bool {
        self.file(class.file).is_none_or(|file| file.facts.definition(class.def).flags.has(Flags::INTERFACE))
    }

    /// Whether classes have whatever a class of the library declares: such a class may be meant as a protocol
    /// (`Iterable`).
    fn has_all_members(&mut self, classes: &[ClassRef], class: ClassRef) -> bool {
        self.project.is_external(class.file) && {
            let wanted = self.members(class);
            wanted.keys().all(|&name| classes.iter().any(|&owner| self.declared(owner, name).is_some()))
        }
    }

    /// The class that a call or construct signature stands in.
    pub(super) fn signature_owner(&self, function: FunctionRef) -> Option<ClassRef> {
        let file = self.file(function.file)?;
        let class = file.facts.function(function.function).this_class?;
        let def = file.facts.definition(file.facts.class(class).definition).symbol;
        Some(ClassRef { file: function.file, def })
    }

    /// The call signatures of an interface, own and inherited.
    pub(super) fn call_signatures(&mut self, class: ClassRef) -> Vec<FunctionRef> {
        self.signatures(class, |class| &class.calls)
    }

    /// The first call signature that takes these arguments, else the first.
    pub(super) fn fitting_signature(&mut self, class: ClassRef, arguments: &Arguments) -> Option<FunctionRef> {
        let signatures = self.call_signatures(class);
        let fits = |&&function: &&FunctionRef| self.takes(Ty::Function(function, Env::EMPTY), arguments);
        signatures.iter().find(fits).or(signatures.first()).copied()
    }

    /// The construct signatures of an interface, own and inherited.
    pub(super) fn construct_signatures(&mut self, class: ClassRef) -> Vec<FunctionRef> {
        self.signatures(class, |class| &class.constructs)
    }

    fn signatures(&mut self, class: ClassRef, of: fn(&Class) -> &Vec<FunctionId>) -> Vec<FunctionRef> {
        let order = self.order(class);
        for owner in &order.classes {
            let Some(file) = self.file(owner.file) else { continue };
            let mut found = Vec::new();
            for def in file.definitions(owner.def) {
                if let Some(class) = file.facts.definition(def).class {
                    let functions = of(file.facts.class(class)).iter();
                    found.extend(functions.map(|&function| FunctionRef { file: owner.file, function }));
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }
}
