//! Type variables: what they stand for, putting that in, and what is known of them by themselves.

use super::calls::Arguments;
use super::engine::{Engine, TypeQuestion};
use super::meanings::Meaning;
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

/// Longest chain of calls through parameters that is followed (`f(x)` where `f` is what somebody was given).
const MAX_SYMBOLIC_DEPTH: u32 = 8;

/// What variables stand for.
#[derive(Clone, Default, Debug)]
pub(super) struct Substitution {
    pub entries: Vec<(Var, Types)>,
    /// What the receiver is, for every class.
    pub this: Option<Types>,
    /// Variables of other functions stay what they are; these functions' are unknown where they are not in `entries`.
    pub closed: Vec<FunctionRef>,
}

impl Substitution {
    /// Says what a variable stands for.
    pub fn set(&mut self, var: Var, types: Types) {
        match self.entries.iter_mut().find(|(other, _)| *other == var) {
            Some((_, old)) => *old = types,
            None => self.entries.push((var, types)),
        }
    }

    /// What a variable stands for, if that is said.
    pub fn get(&self, var: Var) -> Option<Types> {
        if let (Var::This(_), Some(this)) = (var, self.this) {
            return Some(this);
        }
        self.entries.iter().find(|(other, _)| *other == var).map(|(_, types)| *types)
    }
}

impl Engine<'_> {
    /// What the variables around a function value stand for.
    pub(super) fn env_substitution(&self, env: Env) -> Substitution {
        Substitution { entries: self.lattice.entries(env).to_vec(), ..Substitution::default() }
    }

    /// The surroundings of a function value, with variables in them replaced.
    pub(super) fn substituted_env(&mut self, env: Env, substitution: &Substitution) -> Env {
        if env == Env::EMPTY {
            return env;
        }
        let entries = self.lattice.entries(env).to_vec();
        let entries = entries.into_iter().map(|(var, types)| (var, self.substitute(types, substitution))).collect();
        self.lattice.env(entries)
    }

    /// A set with variables replaced by what they stand for.
    pub(super) fn substitute(&mut self, types: Types, substitution: &Substitution) -> Types {
        if !self.lattice.has_vars(types) {
            return types;
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = self.substitute_one(ty, substitution);
            result = self.lattice.join(result, part);
        }
        result
    }

    fn substitute_one(&mut self, ty: Ty, substitution: &Substitution) -> Types {
        match ty {
            Ty::Var(var) => self.substitute_var(var, substitution),
            Ty::ClassOfVar(var) => match self.known(var, substitution) {
                Some(types) => self.to_classes(types),
                None => self.lattice.one(ty),
            },
            Ty::Instance(class, list) => {
                let list = self.substitute_list(list, substitution);
                self.lattice.one(Ty::Instance(class, list))
            }
            Ty::Class(class, list) => {
                let list = self.substitute_list(list, substitution);
                self.lattice.one(Ty::Class(class, list))
            }
            Ty::Tuple(list) => {
                let list = self.substitute_list(list, substitution);
                self.lattice.one(Ty::Tuple(list))
            }
            Ty::Function(function, env) => {
                let env = self.captured(function, env, substitution);
                self.lattice.one(Ty::Function(function, env))
            }
            Ty::Bound(function, env, receiver) => {
                let receiver = self.substitute(receiver, substitution);
                let env = self.captured(function, env, substitution);
                self.lattice.one(Ty::Bound(function, env, receiver))
            }
            Ty::Super(class, receiver) => {
                let receiver = self.substitute(receiver, substitution);
                self.lattice.one(Ty::Super(class, receiver))
            }
            other => self.lattice.one(other),
        }
    }

    fn substitute_list(&mut self, list: List, substitution: &Substitution) -> List {
        let items = self.lattice.items(list).to_vec();
        let items: Vec<Types> = items.into_iter().map(|types| self.substitute(types, substitution)).collect();
        self.lattice.list(&items)
    }

    /// What a variable stands for: unknown for one of a function whose call said nothing of it.
    fn known(&self, var: Var, substitution: &Substitution) -> Option<Types> {
        if let Some(types) = substitution.get(var) {
            return Some(types);
        }
        match var {
            Var::Function(function, _) | Var::Parameter(function, _) | Var::Result(function, _)
                if substitution.closed.contains(&function) =>
            {
                Some(Types::UNKNOWN)
            }
            Var::Value(..) if !substitution.closed.is_empty() => Some(Types::UNKNOWN),
            _ => None,
        }
    }

    fn substitute_var(&mut self, var: Var, substitution: &Substitution) -> Types {
        if let Var::Result(function, index) = var
            && let Some(callee) = substitution.get(Var::Parameter(function, index))
        {
            if self.symbolic_depth >= MAX_SYMBOLIC_DEPTH {
                return Types::UNKNOWN;
            }
            self.symbolic_depth += 1;
            let result = self.call(callee, &Arguments::default());
            self.symbolic_depth -= 1;
            return result;
        }
        match self.known(var, substitution) {
            Some(types) => types,
            None => self.lattice.one(Ty::Var(var)),
        }
    }

    /// What a function keeps of the variables of the functions around it.
    fn captured(&mut self, function: FunctionRef, env: Env, substitution: &Substitution) -> Env {
        let mut entries = self.lattice.entries(env).to_vec();
        for (_, types) in &mut entries {
            *types = self.substitute(*types, substitution);
        }
        for &(var, types) in &substitution.entries {
            let outer = match var {
                Var::Function(outer, _) | Var::Parameter(outer, _) | Var::Result(outer, _) => outer,
                _ => continue,
            };
            if outer != function && self.encloses(outer, function) && !entries.iter().any(|(known, _)| *known == var) {
                entries.push((var, types));
            }
        }
        self.lattice.env(entries)
    }

    /// Whether one function stands inside another.
    fn encloses(&self, outer: FunctionRef, inner: FunctionRef) -> bool {
        if outer.file != inner.file {
            return false;
        }
        let Some(file) = self.file(outer.file) else { return false };
        let Some(wanted) = file.facts.function(outer.function).scope else { return false };
        let mut scope = file.facts.function(inner.function).scope;
        while let Some(id) = scope {
            if id == wanted {
                return true;
            }
            scope = file.facts.scope(id).parent;
        }
        false
    }

    /// Outside its function a parameter's variable says nothing.
    pub(super) fn close_parameters(&mut self, types: Types) -> Types {
        if !self.lattice.has_vars(types) {
            return types;
        }
        self.map(types, |_, ty| match ty {
            Ty::Var(Var::Parameter(..) | Var::Result(..)) | Ty::ClassOfVar(Var::Parameter(..)) => Ty::Unknown,
            other => other,
        })
    }

    /// What a variable is known to be whatever it stands for: its bound.
    pub(super) fn var_bound(&mut self, var: Var) -> Types {
        if let Var::Value(id, binding) = var {
            return self.value_bound(id, binding);
        }
        match self.type_parameter(var) {
            Some((file, TypeParameter { bound: Some(bound), .. })) => self.form(file, bound),
            _ => Types::UNKNOWN,
        }
    }

    /// What a variable is where nothing else tells: its default, else its bound if that counts here.
    pub(super) fn var_default(&mut self, var: Var, bounded: bool) -> Types {
        let Some((file, parameter)) = self.type_parameter(var) else { return Types::UNKNOWN };
        match parameter.default.or(parameter.bound.filter(|_| bounded)) {
            Some(form) => self.form(file, form),
            None => Types::UNKNOWN,
        }
    }

    fn type_parameter(&mut self, var: Var) -> Option<(FileId, TypeParameter)> {
        let (file, parameters, index) = match var {
            Var::Function(function, index) => {
                let file = self.file(function.file)?;
                (file, &file.facts.function(function.function).type_parameters, index)
            }
            Var::Class(class, index) => {
                let file = self.file(class.file)?;
                let data = file.facts.class(file.facts.definition(class.def).class?);
                (file, &data.type_parameters, index)
            }
            Var::Value(..) | Var::Alias(..) | Var::Parameter(..) | Var::Result(..) | Var::This(_) => return None,
        };
        Some((file.id, parameters.get(index as usize)?.clone()))
    }

    /// The bound of `T = TypeVar("T", bound=Foo)`, or its constraints.
    fn value_bound(&mut self, id: FileId, binding: BindingId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let Value::Expr(expr) = file.facts.binding(binding).value else { return Types::UNKNOWN };
        let Expr::Call(call) = file.facts.expr(expr) else { return Types::UNKNOWN };
        let call = file.facts.call(*call);
        self.reached(file, binding, |engine| {
            let types: Vec<Types> =
                file.facts.run(call.type_arguments).iter().map(|&form| engine.form(id, form)).collect();
            let bound = engine.lattice.join_all(types);
            if bound == Types::NEVER { Types::UNKNOWN } else { bound }
        })
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
            let arguments = self.own_arguments(class);
            return self.lattice.one(Ty::Instance(class, arguments));
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
