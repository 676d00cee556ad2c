//! Stubs: a file beside a module that supplies annotations to names which the module has, too (`lib.pyi` of `lib.py`,
//! <https://peps.python.org/pep-0484/#stub-files>). What the module itself annotates holds; what only the stub has is
//! not there.

use super::engine::Engine;
use super::meanings::Meaning;
use super::project::File;
use super::reads::Leaf;
use super::value::*;
use crate::facts::*;
use crate::languages::Look;

/// What is looked for beside a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Beside {
    Stub,
    /// The module of a stub.
    Module,
}

impl<'p> Engine<'p> {
    /// The stub of a module, if it has one.
    fn stub(&mut self, file: &File) -> Option<&'p File> {
        self.beside(file, Beside::Stub)
    }

    fn beside(&mut self, file: &File, which: Beside) -> Option<&'p File> {
        if file.external {
            return None;
        }
        let found = match self.stubs.get(&(file.id, which)) {
            Some(&found) => found,
            None => {
                let modules = &self.rules(file).modules;
                let path = self.project.path(file.id).as_str();
                let beside = match which {
                    Beside::Stub => modules.stub(path),
                    Beside::Module => modules.stubbed(path),
                };
                let found = beside.map(|path| {
                    let id = self.project.id(&path);
                    (self.record.id(Leaf::Look(Look::File(path))), id)
                });
                self.stubs.insert((file.id, which), found);
                found
            }
        };
        let (look, id) = found?;
        self.record.link(self.group, look);
        self.file(id?).map(|file| &**file)
    }

    /// What a name of a stub means: what the module has under that name, where it has it.
    pub(super) fn stubbed_meanings(&mut self, file: &File, name: Name) -> Option<Vec<Meaning>> {
        let module = self.beside(file, Beside::Module)?;
        let sym = self.sym(file, name);
        self.read(Leaf::Name(module.id, sym));
        let own = module.name(sym)?;
        let is_bound = !module.exported(own).is_empty();
        is_bound.then(|| self.lookup_list(module.id, sym))
    }

    /// The definitions in a stub of a symbol of its module: of a name of the module, or of a member of such a class.
    fn stub_definitions(&mut self, file: &File, def: DefId) -> Option<(&'p File, Vec<DefId>)> {
        let stub = self.stub(file)?;
        let definition = file.facts.definition(def);
        let name = self.sym(file, definition.name);
        let symbol = match definition.parent.map(|parent| file.facts.definition(parent)) {
            None => self.stub_name(stub, name)?,
            Some(class) if class.parent.is_none() => {
                let class = self.sym(file, class.name);
                let class = self.stub_name(stub, class)?;
                let group = self.member_group(stub, class, name);
                self.record.link(self.group, group);
                let name = stub.name(name)?;
                let named = |child: &&DefId| stub.facts.definition(**child).name == name;
                stub.facts.definition(*stub.children(class).iter().find(named)?).symbol
            }
            Some(_) => return None,
        };
        Some((stub, stub.definitions(symbol)))
    }

    /// The symbol of a stub's top-level name.
    fn stub_name(&mut self, stub: &File, name: Sym) -> Option<DefId> {
        self.read(Leaf::Name(stub.id, name));
        let bindings = stub.exported(stub.name(name)?);
        let def = bindings.into_iter().find_map(|binding| stub.facts.binding(binding).definition)?;
        Some(stub.facts.definition(def).symbol)
    }

    /// The functions that a stub declares for a function of its module.
    fn stub_functions(&mut self, file: &File, data: &Function) -> Vec<FunctionRef> {
        let Some((stub, definitions)) = data.definition.and_then(|def| self.stub_definitions(file, def)) else {
            return Vec::new();
        };
        let functions = definitions.into_iter().filter_map(|def| stub.facts.definition(def).function);
        functions.map(|function| FunctionRef { file: stub.id, function }).collect()
    }

    /// What a stub says that a function gives: of several overloads, all of it.
    pub(super) fn stub_result(&mut self, file: &File, data: &Function) -> Option<Types> {
        let mut found = None;
        for function in self.stub_functions(file, data) {
            let Some(stub) = self.file(function.file) else { continue };
            let data = stub.facts.function(function.function);
            let Some(form) = data.result else { continue };
            let group = self.function_group(stub, function.function);
            let types = self.within(group, |engine| {
                let types = engine.form(stub.id, form);
                engine.written_result(stub, data, types)
            });
            found = Some(self.lattice.join(found.unwrap_or_default(), types));
        }
        found
    }

    /// Whether nothing is left to be told. That something is a function does not say which.
    pub(super) fn tells_all(&mut self, types: Types) -> bool {
        !self.lattice.is_open(types)
            && self.lattice.members(types).to_vec().into_iter().all(|ty| match ty {
                Ty::Instance(class, _) => !self.is_function_class(class),
                _ => true,
            })
    }

    fn is_function_class(&mut self, class: ClassRef) -> bool {
        let Some(file) = self.file(class.file) else { return false };
        let function = self.rules(file).semantics().function;
        self.library_class(file.language, function) == Some(class)
    }

    /// What a stub says that a parameter is, found by its name.
    pub(super) fn stub_parameter(&mut self, file: &File, data: &Function, name: Name) -> Option<Types> {
        let mut found = None;
        for function in self.stub_functions(file, data) {
            let Some(stub) = self.file(function.file) else { continue };
            let parameters = stub.facts.function(function.function).parameters.iter();
            let named = parameters.filter(|parameter| stub.sym(parameter.name) == file.sym(name));
            let Some(form) = named.filter_map(|parameter| parameter.annotation).next() else { continue };
            let group = self.function_group(stub, function.function);
            let types = self.within(group, |engine| engine.form(stub.id, form));
            found = Some(self.lattice.join(found.unwrap_or_default(), types));
        }
        found
    }

    /// What a stub says that a variable or field is.
    pub(super) fn stub_variable(&mut self, file: &File, def: DefId) -> Option<Types> {
        let (stub, definitions) = self.stub_definitions(file, def)?;
        let symbol = definitions[0];
        let definition = stub.facts.definition(symbol);
        let forms: Vec<FormId> = match definition.parent.and_then(|class| stub.facts.definition(class).class) {
            Some(class) => {
                let members = stub.facts.class(class).members.iter();
                members.filter(|member| member.name == definition.name).filter_map(|member| member.annotation).collect()
            }
            None => {
                let bindings = stub.exported(definition.name).into_iter();
                bindings.filter_map(|binding| stub.facts.binding(binding).annotation).collect()
            }
        };
        let group = self.definition_group(stub, symbol);
        let types: Vec<Types> =
            self.within(group, |engine| forms.into_iter().map(|form| engine.form(stub.id, form)).collect());
        (!types.is_empty()).then(|| self.lattice.join_all(types))
    }
}
