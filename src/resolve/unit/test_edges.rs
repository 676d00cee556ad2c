//! Edges of tests: what they test, by their calls or else by name, and the fixtures that they take.

use rustc_hash::FxHashSet;

use super::UnitMaker;
use crate::facts::*;
use crate::graph::{Confidence, Edge, EdgeKind, Site, SymbolKind, Target};
use crate::names::{LocalPath, RepoPath};
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
        let target = fixture.and_then(|(file, symbol)| self.engine.target(Found { file, symbol }));
        if let Some(target) = target {
            self.edge(source, EdgeKind::References, target, Confidence::Sure, site);
        }
    }

    /// Adds the `tests` edges: from a test to what it calls in code that is no test.
    pub(super) fn test_edges(&mut self, edges: &mut Vec<Edge>) {
        let mut found = Vec::new();
        for edge in edges.iter() {
            if edge.kind == EdgeKind::Calls && !self.is_test_path(&edge.target.path) {
                let source = self.enclosing_test(edge.source);
                found.push(Edge { source, kind: EdgeKind::Tests, ..edge.clone() });
            }
        }
        let tested: FxHashSet<u32> = found.iter().map(|edge| edge.source).collect();
        edges.extend(found);
        for at in 0..self.symbols.len() as u32 {
            let symbol = &self.symbols[at as usize];
            if symbol.kind == SymbolKind::Test && !tested.contains(&at) {
                let site = symbol.site;
                if let Some(target) = self.tested_by_name(at) {
                    edges.push(Edge { source: at, kind: EdgeKind::Tests, target, confidence: Confidence::Name, site });
                }
            }
        }
        self.module_test(edges);
    }

    fn is_test_path(&self, path: &RepoPath) -> bool {
        let position = self.engine.project.id(path.as_str());
        position.and_then(|id| self.engine.file(id)).is_some_and(|file| {
            let modules = &self.engine.rules(file).modules;
            modules.is_test_file(path.as_str()) || modules.is_test_support(path.as_str())
        })
    }

    fn enclosing_test(&self, mut at: u32) -> u32 {
        while at != 0 && self.symbols[at as usize].kind != SymbolKind::Test {
            at = self.symbols[at as usize].parent;
        }
        at
    }

    /// `test_parse_order` tests the only `parse_order` there is.
    fn tested_by_name(&mut self, at: u32) -> Option<Target> {
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
                && !self.is_test_path(self.engine.project.path(file.id))
        };
        let only = self.only_definition(&name, sym, fits);
        self.engine.target(only?)
    }

    /// A test module tests the module that it is named after, unless it says itself what it tests.
    fn module_test(&mut self, edges: &mut Vec<Edge>) {
        let mut looked = Vec::new();
        let tested = self.engine.rules(self.file).modules.tested_by_name(self.path.as_str(), &mut |l| looked.push(l));
        for look in looked {
            self.engine.read(Leaf::Look(look));
        }
        let Some(path) = tested else { return };
        let known = |edge: &Edge| edge.kind == EdgeKind::Tests && edge.target.path == path;
        if !edges.iter().any(known) {
            let site = self.symbols[0].site;
            let target = Target { path, local: LocalPath::module() };
            edges.push(Edge { source: 0, kind: EdgeKind::Tests, target, confidence: Confidence::Name, site });
        }
    }
}
