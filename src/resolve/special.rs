//! Calls of library functions that the engine must know, and fixtures that parameters name.

use super::calls::Arguments;
use super::engine::{Engine, TypeQuestion};
use super::meanings::Meaning;
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

impl Engine<'_> {
    /// What a call of a special name gives; `None` when the callee is none.
    pub(super) fn call_special(&mut self, file: &File, callee: Types, call: &CallExpr) -> Option<Types> {
        let &[Ty::Special(special)] = self.lattice.members(callee) else { return None };
        let arguments = file.facts.run(call.arguments);
        let type_argument = file.facts.run(call.type_arguments).first();
        let argument = |at: usize| arguments.get(at).map(|argument| argument.value);
        let first = |engine: &mut Self| argument(0).map_or(Types::UNKNOWN, |value| engine.expr(file.id, value));
        Some(match special {
            Special::Cast => match type_argument {
                Some(&form) => self.form(file.id, form),
                None => argument(0).map_or(Types::UNKNOWN, |value| self.type_value(file, value)),
            },
            Special::Partial | Special::Identity => first(self),
            Special::Merge => {
                let values: Vec<Types> = arguments.iter().map(|argument| self.expr(file.id, argument.value)).collect();
                self.lattice.join_all(values)
            }
            Special::GetAttribute => {
                let base = first(self);
                let name = match argument(1).map(|value| file.facts.expr(value)) {
                    Some(Expr::Literal(Literal::Text(name))) => self.sym(file, *name),
                    _ => return Some(Types::UNKNOWN),
                };
                let value = self.attribute(base, name);
                match argument(2) {
                    Some(default) => {
                        let default = self.expr(file.id, default);
                        self.lattice.join(value, default)
                    }
                    None => value,
                }
            }
            Special::TypeOfValue if arguments.len() == 1 => {
                let value = first(self);
                self.to_classes(value)
            }
            Special::NewType => {
                let of = type_argument.map_or(Types::UNKNOWN, |&form| self.form(file.id, form));
                self.to_classes(of)
            }
            Special::DataclassField => self.dataclass_field(file, call),
            Special::CallFunction | Special::BindFunction => {
                let Expr::Attribute { base, .. } = file.facts.expr(call.callee) else { return Some(Types::UNKNOWN) };
                let function = self.expr(file.id, *base);
                match special {
                    Special::BindFunction => function,
                    _ => self.call(function, &Arguments::default()),
                }
            }
            _ => Types::EXTERNAL,
        })
    }

    fn dataclass_field(&mut self, file: &File, call: &CallExpr) -> Types {
        for argument in file.facts.run(call.arguments) {
            let ArgumentKind::Keyword(name) = argument.kind else { continue };
            match file.text(name) {
                "default_factory" | "factory" => {
                    let factory = self.expr(file.id, argument.value);
                    return self.call(factory, &Arguments::default());
                }
                "default" => return self.expr(file.id, argument.value),
                _ => {}
            }
        }
        Types::UNKNOWN
    }

    /// A value that stands for a type, as the instances it means.
    pub(super) fn type_value(&mut self, file: &File, expr: ExprId) -> Types {
        let value = self.expr(file.id, expr);
        self.to_instances(value)
    }

    /// Whether a variable is declared to be a type variable.
    pub(super) fn is_type_variable(&mut self, file: &File, value: ExprId) -> bool {
        match file.facts.expr(value) {
            Expr::Call(call) => self.is_special(file, file.facts.call(*call).callee, Special::TypeVariable),
            _ => false,
        }
    }

    // ---------------------------------------------------------------------------------------------- fixtures

    /// The value of the fixture that a parameter names. A parameter of a test that names no fixture of the project comes
    /// from outside (`monkeypatch`, `tmp_path`).
    pub(super) fn fixture_parameter(&mut self, file: &File, data: &Function, index: u32) -> Option<Types> {
        let parameter = data.parameters.get(index as usize)?;
        if !self.takes_fixtures(file, data) || parameter.default.is_some() {
            return None;
        }
        if let Some(types) = self.parametrized(file, data, parameter.name) {
            return Some(types);
        }
        let name = self.sym(file, parameter.name);
        match self.fixture(file, Some(data), name) {
            Some((id, def)) => Some(self.fixture_value(id, def)),
            None => Some(Types::EXTERNAL),
        }
    }

    /// What `@pytest.mark.parametrize("name", […])` gives a parameter
    /// (<https://docs.pytest.org/en/stable/how-to/parametrize.html>).
    fn parametrized(&mut self, file: &File, data: &Function, name: Name) -> Option<Types> {
        let decorators = &file.facts.definition(data.definition?).decorators;
        decorators.iter().find_map(|&decorator| {
            let Expr::Call(call) = file.facts.expr(decorator) else { return None };
            let call = file.facts.call(*call);
            let [names, values, ..] = file.facts.run(call.arguments) else { return None };
            match file.facts.expr(call.callee) {
                Expr::Attribute { name, .. } if file.text(*name) == "parametrize" => {}
                _ => return None,
            }
            let names = argument_names(file, names.value);
            let at = names.iter().position(|own| *own == file.text(name))?;
            Some(self.parameter_values(file, values.value, at, names.len()))
        })
    }

    /// The values of one of `count` parameters in a list of argument sets.
    fn parameter_values(&mut self, file: &File, sets: ExprId, at: usize, count: usize) -> Types {
        let items = match file.facts.expr(sets) {
            Expr::List(_, items) | Expr::Tuple(items) => file.facts.run(*items),
            _ => {
                let sets = self.expr(file.id, sets);
                let set = self.element(sets);
                return if count == 1 { set } else { self.element(set) };
            }
        };
        let mut types = Types::NEVER;
        for &item in items {
            let value = match file.facts.expr(item) {
                // `pytest.param(value, …, id="…")`
                Expr::Call(call) if is_param(file, file.facts.call(*call)) => {
                    file.facts.run(file.facts.call(*call).arguments).get(at).map(|argument| argument.value)
                }
                _ if count == 1 => Some(item),
                Expr::Tuple(values) | Expr::List(_, values) => file.facts.run(*values).get(at).copied(),
                _ => None,
            };
            let part = value.map_or(Types::UNKNOWN, |value| self.expr(file.id, value));
            let part = self.widened(part);
            types = self.lattice.join(types, part);
        }
        types
    }

    /// Whether a function is a test or a fixture, so that its parameters name fixtures.
    pub(super) fn takes_fixtures(&mut self, file: &File, data: &Function) -> bool {
        let rules = self.rules(file);
        let prefix = rules.semantics().test_prefix;
        let Some(def) = data.definition else { return false };
        if prefix.is_empty() || file.external {
            return false;
        }
        let path = self.project.path(file.id).as_str();
        let is_test = file.text(file.facts.definition(def).name).starts_with(prefix)
            && rules.modules.is_test_file(path)
            && !self.is_decorated_with_mocks(file, def);
        is_test || self.has_decorator(file, data, Special::Fixture)
    }

    /// `@patch(…)` passes arguments of its own before the fixtures, by position.
    fn is_decorated_with_mocks(&mut self, file: &File, def: DefId) -> bool {
        file.facts.definition(def).decorators.iter().any(|&decorator| {
            let callee = match file.facts.expr(decorator) {
                Expr::Call(call) => file.facts.call(*call).callee,
                _ => decorator,
            };
            match file.facts.expr(callee) {
                Expr::Name(used) => file.text(used.name) == "patch",
                Expr::Attribute { base, name } => {
                    file.text(*name) == "patch"
                        || matches!(file.facts.expr(*base), Expr::Name(used) if file.text(used.name) == "patch")
                        || matches!(file.facts.expr(*base), Expr::Attribute { name, .. } if file.text(*name) == "patch")
                }
                _ => false,
            }
        })
    }

    /// The fixture of a name as a function sees it: of its class, of its file, then of the `conftest.py`s upwards. A
    /// fixture that takes one of its own name means the next one outwards.
    pub(super) fn fixture(&mut self, file: &File, data: Option<&Function>, name: Sym) -> Option<(FileId, DefId)> {
        let own = data.and_then(|data| data.definition).map(|def| file.facts.definition(def).symbol);
        if let Some(class) = data.and_then(|data| data.this_class) {
            let def = file.facts.definition(file.facts.class(class).definition).symbol;
            let order = self.order(ClassRef { file: file.id, def });
            for &owner in &order.classes {
                let Some(declared) = self.declared(owner, name) else { continue };
                let Some(other) = self.file(owner.file) else { continue };
                for &def in &declared.definitions {
                    if Some(def) != own && self.is_fixture(other, def) {
                        return Some((owner.file, other.facts.definition(def).symbol));
                    }
                }
            }
        }
        let mut looked = Vec::new();
        let path = self.project.path(file.id).as_str();
        let files = self.rules(file).modules.fixture_files(path, &mut |look| looked.push(look));
        for look in looked {
            self.read(super::reads::Leaf::Look(look));
        }
        let ids = std::iter::once(file.id).chain(files.iter().filter_map(|path| self.project.id(path.as_str())));
        for id in ids.collect::<Vec<_>>() {
            for meaning in self.lookup_list(id, name) {
                let Meaning::Definition(found, def) = meaning else { continue };
                let Some(other) = self.file(found) else { continue };
                let is_own = found == file.id && Some(def) == own;
                if !is_own && !other.external && self.is_fixture(other, def) {
                    return Some((found, def));
                }
            }
            if let Some(def) = self.renamed_fixture(id, name) {
                return Some((id, def));
            }
        }
        None
    }

    /// The fixture of a file that says its own name: `@fixture(name="client")`.
    fn renamed_fixture(&mut self, id: FileId, name: Sym) -> Option<DefId> {
        // Any function may come to be called so.
        self.read(super::reads::Leaf::Surface(id));
        let file = self.file(id)?;
        let name = file.name(name)?;
        let called = |decorator: ExprId| {
            let Expr::Call(call) = file.facts.expr(decorator) else { return false };
            file.facts.run(file.facts.call(*call).arguments).iter().any(|argument| {
                matches!(argument.kind, ArgumentKind::Keyword(keyword) if file.text(keyword) == "name")
                    && *file.facts.expr(argument.value) == Expr::Literal(Literal::Text(name))
            })
        };
        let definitions = file.facts.surface.definitions.iter();
        let mut named = definitions.filter(|definition| definition.decorators.iter().any(|&one| called(one)));
        named.find(|definition| self.is_fixture(file, definition.symbol)).map(|definition| definition.symbol)
    }

    /// What `request.getfixturevalue("client")` gives.
    pub(super) fn requested_fixture(&mut self, file: &File, call: &CallExpr) -> Option<Types> {
        let getter = self.rules(file).semantics().fixture_getter?;
        let Expr::Attribute { name, .. } = file.facts.expr(call.callee) else { return None };
        if file.external || file.text(*name) != getter {
            return None;
        }
        let given = file.facts.run(call.arguments).first()?;
        let Expr::Literal(Literal::Text(name)) = file.facts.expr(given.value) else { return None };
        let (id, def) = self.fixture(file, None, file.sym(*name))?;
        Some(self.fixture_value(id, def))
    }

    fn is_fixture(&mut self, file: &File, def: DefId) -> bool {
        let Some(function) = file.facts.definition(def).function else { return false };
        let data = file.facts.function(function);
        let group = self.definition_group(file, def);
        self.within(group, |engine| engine.has_decorator(file, data, Special::Fixture))
    }

    /// What a fixture gives: what its function returns, or yields.
    fn fixture_value(&mut self, id: FileId, def: DefId) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let Some(function) = file.facts.definition(def).function else { return Types::UNKNOWN };
        let data = file.facts.function(function);
        let result = self.ask(TypeQuestion::Result(FunctionRef { file: id, function }));
        let result = self.close_parameters(result);
        let result = self.awaited(result);
        if !data.is_generator {
            return result;
        }
        if data.is_async {
            let members = self.rules(file).semantics().iterate_async;
            let element = self.through(result, members);
            return self.awaited(element);
        }
        self.element(result)
    }
}

/// The names that the first argument of `parametrize` lists: `"a, b"`, or `["a", "b"]`.
fn argument_names(file: &File, names: ExprId) -> Vec<&str> {
    let text = |expr: ExprId| match file.facts.expr(expr) {
        Expr::Literal(Literal::Text(name)) => Some(file.text(*name)),
        _ => None,
    };
    match file.facts.expr(names) {
        Expr::Tuple(items) | Expr::List(_, items) => {
            file.facts.run(*items).iter().map(|&item| text(item).unwrap_or_default()).collect()
        }
        _ => text(names).unwrap_or_default().split(',').map(str::trim).collect(),
    }
}

fn is_param(file: &File, call: &CallExpr) -> bool {
    matches!(file.facts.expr(call.callee), Expr::Attribute { name, .. } if file.text(*name) == "param")
}
