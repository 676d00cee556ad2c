//! Type forms: what an annotation says.

use super::engine::{Engine, TypeQuestion};
use super::meanings::Meaning;
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

/// Stands for the class around a form until the question that knows the class puts it in ([`Engine::with_self`]).
pub(super) const SELF: Var = Var::This(ClassRef { file: FileId(u32::MAX), def: DefId::new(u32::MAX as usize - 1) });

impl Engine<'_> {
    /// The values that a form allows.
    pub(super) fn compute_form(&mut self, id: FileId, form: FormId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        match file.facts.form(form) {
            Form::Unknown => Types::UNKNOWN,
            Form::Name(expr) => self.named_form(file, *expr, &[]),
            Form::Apply { base, arguments } => match file.facts.form(*base) {
                Form::Name(expr) => self.named_form(file, *expr, arguments),
                Form::Imported { module, path } => {
                    let meanings = self.imported_path(file, *module, path);
                    self.join_meanings_form(file, meanings, arguments)
                }
                _ => self.form(id, *base),
            },
            Form::Builtin { name, arguments } => {
                let name = self.sym(file, *name);
                let rules = self.rules(file);
                let Some(builtins) = rules.prelude(rules.semantics().builtins) else { return Types::EXTERNAL };
                let meanings = self.lookup_list(builtins, name);
                self.join_meanings_form(file, meanings, arguments)
            }
            Form::Function(function) | Form::Construct(function) => {
                self.lattice.one(Ty::Function(FunctionRef { file: id, function: *function }, Env::EMPTY))
            }
            Form::Object(class) => {
                let def = file.facts.definition(file.facts.class(*class).definition).symbol;
                let class = ClassRef { file: id, def };
                self.lattice.one(Ty::Instance(class, List::EMPTY))
            }
            Form::Tuple(items) => self.tuple_form(file, items),
            Form::Rest(of) => {
                let element = self.form(id, *of);
                let tuple = self.rules(file).semantics().list;
                self.library_instance(file.language, tuple, &[element])
            }
            Form::Union(parts) | Form::Intersection(parts) => {
                let parts: Vec<Types> = parts.iter().map(|&part| self.level_form(id, part)).collect();
                self.lattice.join_all(parts)
            }
            Form::TypeOf(expr) => self.expr(id, *expr),
            Form::Indexed { of, key } => {
                let of = self.form(id, *of);
                let key = self.sym(file, *key);
                self.attribute(of, key)
            }
            Form::Element(of) => {
                let of = self.form(id, *of);
                self.element(of)
            }
            Form::SelfType => self.lattice.one(Ty::Var(SELF)),
            Form::ClassOf(of) => {
                let of = self.form(id, *of);
                self.to_classes(of)
            }
            Form::Literal(literal) => self.literal(file, *literal),
            Form::None => Types::NONE,
            Form::Conditional(yes, no) => {
                let (yes, no) = (self.level_form(id, *yes), self.level_form(id, *no));
                self.lattice.join(yes, no)
            }
            Form::List(_) => Types::UNKNOWN,
            Form::Imported { module, path } => {
                let meanings = self.imported_path(file, *module, path);
                self.join_meanings_form(file, meanings, &[])
            }
            Form::Mapped { of, .. } => of.map_or(Types::UNKNOWN, |of| self.form(id, of)),
        }
    }

    /// What `import("m").A.B` names.
    pub(super) fn imported_path(&mut self, file: &File, module: ImportId, path: &[Name]) -> Vec<Meaning> {
        let mut meanings = vec![self.module_meaning(file, module)];
        for &name in path {
            let name = self.sym(file, name);
            meanings = meanings.into_iter().flat_map(|meaning| self.meaning_attribute(meaning, name)).collect();
        }
        meanings
    }

    fn tuple_form(&mut self, file: &File, items: &[FormId]) -> Types {
        if let [item] = items
            && let Form::Rest(of) = file.facts.form(*item)
        {
            let element = self.form(file.id, *of);
            let tuple = self.rules(file).semantics().tuple;
            return self.library_instance(file.language, tuple, &[element]);
        }
        let items: Vec<Types> = items.iter().map(|&item| self.form(file.id, item)).collect();
        let list = self.lattice.list(&items);
        self.lattice.one(Ty::Tuple(list))
    }

    fn named_form(&mut self, file: &File, expr: ExprId, arguments: &[FormId]) -> Types {
        let meanings = self.expr_meanings(file, expr);
        self.join_meanings_form(file, meanings, arguments)
    }

    fn join_meanings_form(&mut self, file: &File, meanings: Vec<Meaning>, arguments: &[FormId]) -> Types {
        let mut types = Types::NEVER;
        for meaning in meanings {
            let part = self.meaning_form(file, meaning, arguments);
            types = self.lattice.join(types, part);
        }
        types
    }

    /// What a meaning is as a type, applied to arguments written in `file`.
    fn meaning_form(&mut self, file: &File, meaning: Meaning, arguments: &[FormId]) -> Types {
        let (id, def) = match meaning {
            Meaning::Definition(id, def) => (id, def),
            Meaning::Binding(id, binding) => {
                let Some(other) = self.file(id) else { return Types::UNKNOWN };
                return match other.facts.binding(binding).value {
                    Value::FunctionTypeParameter(function, index) => {
                        self.lattice.one(Ty::Var(Var::Function(FunctionRef { file: id, function }, index)))
                    }
                    Value::ClassTypeParameter(class, index) => {
                        let def = other.facts.definition(other.facts.class(class).definition).symbol;
                        self.lattice.one(Ty::Var(Var::Class(ClassRef { file: id, def }, index)))
                    }
                    Value::AliasTypeParameter(def, index) => {
                        let def = other.facts.definition(def).symbol;
                        self.lattice.one(Ty::Var(Var::Alias(id, def, index)))
                    }
                    _ => {
                        let value = self.meaning_types(meaning);
                        self.to_instances(value)
                    }
                };
            }
            Meaning::Value(..) => {
                let value = self.meaning_types(meaning);
                return self.to_instances(value);
            }
            Meaning::External => return Types::EXTERNAL,
            _ => return Types::UNKNOWN,
        };
        let Some(other) = self.file(id) else { return Types::UNKNOWN };
        if other.external
            && let Some(special) = self.special(other, def)
            && let Some(types) = self.special_form(file, special, arguments)
        {
            return types;
        }
        let definitions = other.definitions(def);
        if definitions.iter().any(|&def| other.facts.definition(def).alias.is_some()) {
            if self.unfolds_itself((id, def)) {
                return Types::UNKNOWN;
            }
            let alias = self.ask(TypeQuestion::Alias(id, def));
            return self.apply_alias(file, alias, id, def, arguments);
        }
        if let Some(class) = self.class_of(other, def) {
            let arguments: Vec<Types> = arguments.iter().map(|&argument| self.form(file.id, argument)).collect();
            let list = self.lattice.list(&arguments);
            return self.lattice.one(Ty::Instance(class, list));
        }
        let value = self.meaning_types(meaning);
        if arguments.is_empty() {
            return self.to_instances(value);
        }
        self.apply_values(file, value, arguments)
    }

    /// A generic alias that is written as a value (`Pair = tuple[T, T]`), applied: its free variables in order.
    fn apply_values(&mut self, file: &File, value: Types, arguments: &[FormId]) -> Types {
        let types = self.to_instances(value);
        let mut vars = Vec::new();
        self.free_vars(types, &mut vars);
        let mut substitution = super::substitution::Substitution::default();
        for (at, var) in vars.into_iter().enumerate() {
            let argument = arguments.get(at).map_or(Types::UNKNOWN, |&argument| self.form(file.id, argument));
            substitution.set(var, argument);
        }
        self.substitute(types, &substitution)
    }

    /// The variables in a set, each once, in order of their first appearance.
    pub(super) fn free_vars(&mut self, types: Types, vars: &mut Vec<Var>) {
        if !self.lattice.has_vars(types) {
            return;
        }
        for ty in self.lattice.members(types).to_vec() {
            match ty {
                Ty::Var(var) | Ty::ClassOfVar(var) if !vars.contains(&var) => vars.push(var),
                Ty::Instance(_, list) | Ty::Class(_, list) | Ty::Tuple(list) => {
                    for item in self.lattice.items(list).to_vec() {
                        self.free_vars(item, vars);
                    }
                }
                _ => {}
            }
        }
    }

    fn special_form(&mut self, file: &File, special: Special, arguments: &[FormId]) -> Option<Types> {
        let first =
            |engine: &mut Self| arguments.first().map_or(Types::UNKNOWN, |&argument| engine.form(file.id, argument));
        Some(match special {
            Special::Optional => {
                let of = first(self);
                self.lattice.join(of, Types::NONE)
            }
            Special::Union => {
                let parts: Vec<Types> = arguments.iter().map(|&argument| self.form(file.id, argument)).collect();
                self.lattice.join_all(parts)
            }
            Special::Callable => {
                let function = self.rules(file).semantics().function;
                self.library_instance(file.language, function, &[])
            }
            Special::ClassOf | Special::TypeOfValue if !arguments.is_empty() => {
                let of = first(self);
                self.to_classes(of)
            }
            Special::First | Special::Identity => first(self),
            Special::LiteralType => {
                let parts: Vec<Types> = arguments.iter().map(|&argument| self.form(file.id, argument)).collect();
                self.lattice.join_all(parts)
            }
            Special::Any => Types::UNKNOWN,
            Special::SelfType => self.lattice.one(Ty::Var(SELF)),
            Special::Generic => Types::UNKNOWN,
            Special::Tuple => self.tuple_form(file, arguments),
            Special::Present => {
                let of = first(self);
                self.without_none(of)
            }
            Special::ReturnType => {
                let function = first(self);
                self.call(function, &super::calls::Arguments::default())
            }
            Special::InstanceType => {
                let class = first(self);
                self.to_instances(class)
            }
            Special::Awaited => {
                let of = first(self);
                self.awaited(of)
            }
            Special::Parameters | Special::Record => return None,
            _ => return None,
        })
    }

    /// Puts the class around a form in for `Self`.
    pub(super) fn with_self(&mut self, types: Types, class: ClassRef) -> Types {
        if !self.lattice.has_vars(types) {
            return types;
        }
        let mut substitution = super::substitution::Substitution::default();
        let this = self.lattice.one(Ty::Var(Var::This(class)));
        substitution.set(SELF, this);
        self.substitute(types, &substitution)
    }

    /// What annotations with these classes as types mean: instances.
    pub(super) fn to_instances(&mut self, types: Types) -> Types {
        self.map(types, |_, ty| match ty {
            Ty::Class(class, arguments) => Ty::Instance(class, arguments),
            Ty::ClassOfVar(var) => Ty::Var(var),
            Ty::None | Ty::External | Ty::Unknown | Ty::Var(_) | Ty::Function(..) | Ty::Tuple(_) | Ty::Instance(..) => {
                ty
            }
            _ => Ty::Unknown,
        })
    }

    /// The classes of these instances.
    pub(super) fn to_classes(&mut self, types: Types) -> Types {
        self.map(types, |_, ty| match ty {
            Ty::Instance(class, arguments) => Ty::Class(class, arguments),
            Ty::Var(var) => Ty::ClassOfVar(var),
            Ty::External => ty,
            _ => Ty::Unknown,
        })
    }

    /// A set without none.
    pub(super) fn without_none(&mut self, types: Types) -> Types {
        if !self.lattice.members(types).contains(&Ty::None) {
            return types;
        }
        let members: Vec<Ty> = self.lattice.members(types).iter().copied().filter(|ty| *ty != Ty::None).collect();
        self.lattice.set(members)
    }

    /// Maps every member by itself; the top stays the top.
    pub(super) fn map(&mut self, types: Types, each: impl Fn(&mut Self, Ty) -> Ty) -> Types {
        if types == Types::TOP {
            return types;
        }
        let members: Vec<Ty> = self.lattice.members(types).to_vec();
        let mapped: Vec<Ty> = members.into_iter().map(|ty| each(self, ty)).collect();
        self.lattice.set(mapped)
    }
}
