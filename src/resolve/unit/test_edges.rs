//! Edges of tests: what they test, by their calls or else by name, and the fixtures that they take.

use rustc_hash::{FxHashMap, FxHashSet};

use super::UnitMaker;
use super::links::{Aim, Link};
use crate::facts::*;
use crate::graph::{Confidence, EdgeKind, Site, SymbolKind};
use crate::resolve::members::Found;
use crate::resolve::project::File;
use crate::resolve::reads::Leaf;
use crate::resolve::value::*;

impl UnitMaker<'_, '_, '_> {
    /// A parameter of a test or fixture that names a fixture.
    pub(super) fn fixture_use(&mut self, source: u32, function: FunctionId, index: u32, site: Site) {
        let data = self.file.facts.function(function);
        let Some(parameter) = data.parameters.get(index as usize) else { return };
        if !self.engine.takes_fixtures(self.file, data) {
            return;
        }
        let name = self.engine.sym(self.file, parameter.name);
        let found = self.engine.fixture(self.file, Some(data), name);
        self.fixture_edge(source, found, site);
    }

    /// `usefixtures("database")`, `request.getfixturevalue("database")`
    pub(super) fn named_fixture_use(&mut self, source: u32, owner: Option<DefId>, expr: ExprId, site: Site) {
        let facts = &self.file.facts;
        let Expr::Literal(Literal::Text(name)) = *facts.expr(expr) else { return };
        let function = owner.and_then(|owner| facts.definition(owner).function);
        let name = self.engine.sym(self.file, name);
        let found = self.engine.fixture(self.file, function.map(|function| facts.function(function)), name);
        self.fixture_edge(source, found, site);
    }

    fn fixture_edge(&mut self, source: u32, fixture: Option<(FileId, DefId)>, site: Site) {
        if let Some((file, symbol)) = fixture {
            self.sure_edge(source, EdgeKind::References, Found { file, symbol }, site);
        }
    }

    /// Adds the `tests` edges: from a test to what it calls in code that is no test.
    pub(super) fn test_edges(&mut self) {
        let mut supports: FxHashMap<FileId, bool> = FxHashMap::default();
        let calls = self.links.iter().filter(|link| link.kind == EdgeKind::Calls);
        let found: Vec<Link> = calls
            .filter(|call| !*supports.entry(call.aim.file).or_insert_with(|| self.supports_tests(call.aim.file)))
            .map(|call| Link { source: self.enclosing_test(call.source), kind: EdgeKind::Tests, ..*call })
            .collect();
        let tested: FxHashSet<u32> = found.iter().map(|link| link.source).collect();
        self.links.extend(found);
        for at in 0..self.symbols.len() as u32 {
            let symbol = &self.symbols[at as usize];
            if symbol.kind == SymbolKind::Test && !tested.contains(&at) {
                let site = symbol.site;
                if let Some(aim) = self.tested_by_name(at) {
                    self.edge(at, EdgeKind::Tests, aim, Confidence::Name, site);
                }
            }
        }
        self.module_test();
    }

    /// Whether a file has tests or what only tests use.
    fn supports_tests(&self, file: FileId) -> bool {
        let path = self.engine.project.path(file).as_str();
        self.engine.file(file).is_some_and(|file| {
            let modules = &self.engine.rules(file).modules;
            modules.is_test_file(path) || modules.is_test_support(path)
        })
    }

    fn enclosing_test(&self, mut at: u32) -> u32 {
        while at != 0 && self.symbols[at as usize].kind != SymbolKind::Test {
            at = self.symbols[at as usize].parent;
        }
        at
    }

    /// `test_parse_order` tests the only `parse_order` there is.
    fn tested_by_name(&mut self, at: u32) -> Option<Aim> {
        let prefix = self.engine.rules(self.file).semantics().test_prefix;
        let symbol = &self.symbols[at as usize];
        let name = symbol.name().strip_prefix(prefix)?.trim_start_matches('_').to_owned();
        if name.is_empty() || prefix.is_empty() {
            return None;
        }
        let sym = self.engine.sym_of(&name);
        self.engine.read(Leaf::Defining(sym));
        let fits = |file: &File, definition: &Definition| {
            matches!(definition.kind, DefKind::Function | DefKind::Method | DefKind::Class)
                && !self.supports_tests(file.id)
        };
        let only = self.only_definition(&name, sym, fits);
        self.engine.aim(only?)
    }

    /// A test module tests the module that it is named after, unless it says itself what it tests.
    fn module_test(&mut self) {
        let mut looked = Vec::new();
        let tested = self.engine.rules(self.file).modules.tested_by_name(self.path.as_str(), &mut |l| looked.push(l));
        for look in looked {
            self.engine.read(Leaf::Look(look));
        }
        let Some(tested) = tested.and_then(|path| self.engine.project.id(path.as_str())) else { return };
        if !self.links.iter().any(|link| link.kind == EdgeKind::Tests && link.aim.file == tested) {
            let site = self.symbols[0].site;
            self.edge(0, EdgeKind::Tests, Aim::module(tested), Confidence::Name, site);
        }
    }
}
