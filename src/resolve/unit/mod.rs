//! The last stratum: the unit of a file, from finished types. Guesses and tests by name are made here and nowhere else.

mod imports;
mod links;
mod symbols;
mod test_edges;

use rustc_hash::FxHashMap;

use self::links::{Aim, Link};
use super::engine::Engine;
use super::given::OwnCalls;
use super::members::{Found, Owner};
use super::project::File;
use super::reads::Leaf;
use super::targets::Targets;
use super::value::*;
use crate::facts::{self, *};
use crate::graph::{Confidence, EdgeKind, ExternalImport, Missing, Site, Symbol, Unit, Unresolved};
use crate::names::{Column, Line, RepoPath};

impl Engine<'_> {
    /// Resolves one file of the project. `None` when it has no facts.
    pub fn unit(&mut self, id: FileId) -> Option<Unit> {
        let file = self.file(id)?;
        let outer = self.group;
        self.group = self.record.id(Leaf::Unit(id));
        let unit = UnitMaker::new(self, file).make();
        self.group = outer;
        self.end_unit();
        Some(unit)
    }
}

struct UnitMaker<'e, 'p, 'f> {
    engine: &'e mut Engine<'p>,
    file: &'f File,
    path: RepoPath,
    is_test: bool,
    symbols: Vec<Symbol>,
    /// Of each symbol's first definition, its position in `symbols`.
    positions: FxHashMap<DefId, u32>,
    /// Of each definition, the symbol that its uses belong to.
    sources: Vec<u32>,
    links: Vec<Link>,
    unresolved: Vec<Unresolved>,
    missing: Vec<Missing>,
    external: Vec<ExternalImport>,
    own_calls: OwnCalls,
    /// Calls of values of unknown type, to be looked at again when all calls of the file are known: source, call, site.
    open_calls: Vec<(u32, CallId, Site)>,
}

impl<'e, 'p, 'f> UnitMaker<'e, 'p, 'f> {
    fn new(engine: &'e mut Engine<'p>, file: &'f File) -> Self {
        let path = engine.project.path(file.id).clone();
        let is_test = engine.rules(file).modules.is_test_file(path.as_str());
        UnitMaker {
            engine,
            file,
            path,
            is_test,
            symbols: Vec::new(),
            positions: FxHashMap::default(),
            sources: Vec::new(),
            links: Vec::new(),
            unresolved: Vec::new(),
            missing: Vec::new(),
            external: Vec::new(),
            own_calls: OwnCalls::default(),
            open_calls: Vec::new(),
        }
    }

    fn make(mut self) -> Unit {
        self.make_symbols();
        self.find_sources();
        let body = &self.file.facts.body;
        let places = &self.file.facts.places.references;
        for (reference, place) in body.references.iter().zip(places) {
            self.reference(reference, site(*place));
        }
        for (source, call, site) in std::mem::take(&mut self.open_calls) {
            self.open_call(source, call, site);
        }
        if self.is_test {
            self.test_edges();
        }
        let mut unit = Unit {
            path: self.path,
            symbols: self.symbols,
            edges: self.engine.edges(self.links),
            unresolved: self.unresolved,
            missing: self.missing,
            external: self.external,
            is_test: self.is_test,
            partial: !body.problems.is_empty(),
        };
        unit.unresolved.sort();
        unit.unresolved.dedup();
        unit.missing.sort();
        unit.missing.dedup();
        unit.external.sort();
        unit.external.dedup();
        unit
    }

    /// Finds the symbol that the uses of each definition belong to: its own, else that of the definition around it.
    fn find_sources(&mut self) {
        for definition in &self.file.facts.surface.definitions {
            let own = self.positions.get(&definition.symbol).copied();
            // A definition comes after those around it.
            let outer = definition.parent.map_or(0, |parent| self.sources[parent.index()]);
            self.sources.push(own.unwrap_or(outer));
        }
    }

    /// The symbol that a use belongs to.
    fn source(&self, owner: Option<DefId>) -> u32 {
        owner.map_or(0, |def| self.sources[def.index()])
    }

    // -------------------------------------------------------------------------------------------- references

    fn reference(&mut self, reference: &Reference, site: Site) {
        let source = self.source(reference.owner);
        match (reference.kind, reference.target) {
            (RefKind::Call, RefTarget::Expr(expr)) => self.call(source, expr, site),
            (RefKind::Read | RefKind::Write, RefTarget::Expr(expr)) => {
                let write = reference.kind == RefKind::Write;
                let targets = self.engine.read_targets(self.file, expr, write);
                if write {
                    self.accessors(source, &targets, site);
                } else {
                    self.uses(source, EdgeKind::References, &targets, site);
                    if let Some(name) = self.name_of(expr) {
                        self.miss(source, &targets, name, site);
                    }
                }
            }
            (RefKind::Base, target) => {
                let targets = self.engine.base_targets(self.file, target);
                self.uses(source, EdgeKind::Inherits, &targets, site);
            }
            (RefKind::Annotation, target) => {
                let targets = self.engine.annotation_targets(self.file, target);
                self.uses(source, EdgeKind::References, &targets, site);
            }
            (RefKind::Import, target) => self.import(target, site),
            (RefKind::Fixture, RefTarget::Parameter(function, index)) => {
                self.fixture_use(source, function, index, site)
            }
            (RefKind::Fixture, RefTarget::Expr(expr)) => self.named_fixture_use(source, reference.owner, expr, site),
            _ => {}
        }
    }

    fn edge(&mut self, source: u32, kind: EdgeKind, aim: Aim, confidence: Confidence, site: Site) {
        self.links.push(Link { source, kind, aim, confidence, site });
    }

    /// An edge to what was found, if that is a symbol of the graph.
    fn sure_edge(&mut self, source: u32, kind: EdgeKind, found: Found, site: Site) {
        if let Some(aim) = self.engine.aim(found) {
            self.edge(source, kind, aim, Confidence::Sure, site);
        }
    }

    fn uses(&mut self, source: u32, kind: EdgeKind, targets: &Targets, site: Site) {
        self.accessors(source, targets, site);
        for &found in &targets.symbols {
            self.sure_edge(source, kind, found, site);
        }
    }

    /// A read of a getter and an assignment to a setter are calls of them.
    fn accessors(&mut self, source: u32, targets: &Targets, site: Site) {
        for &found in &targets.accessors {
            self.sure_edge(source, EdgeKind::Calls, found, site);
        }
    }

    /// The name that an expression ends in.
    fn name_of(&self, expr: ExprId) -> Option<Name> {
        match self.file.facts.expr(expr) {
            Expr::Name(used) => Some(used.name),
            Expr::Attribute { name, .. } => Some(*name),
            Expr::Cast { of, .. } => self.name_of(*of),
            _ => None,
        }
    }

    fn call(&mut self, source: u32, expr: ExprId, site: Site) {
        let Expr::Call(id) = *self.file.facts.expr(expr) else { return };
        let call = self.file.facts.call(id);
        let targets = self.engine.call_targets(self.file, call);
        self.uses(source, EdgeKind::Calls, &targets, site);
        for found in targets.symbols.iter().filter(|found| found.file == self.file.id) {
            self.own_calls.note(found.symbol, id);
        }
        if let Some(name) = self.name_of(call.callee) {
            self.miss(source, &targets, name, site);
        }
        // What a getter gives has another name than the getter.
        let is_found = !targets.symbols.is_empty() || !targets.accessors.is_empty();
        let is_open = targets.unknown && !is_found && targets.missing.is_empty();
        if is_open && !targets.external && call.form != CallForm::Jsx {
            self.open_calls.push((source, id, site));
        }
    }

    /// A call of what is not known: by what the calls of this file give, else by name.
    fn open_call(&mut self, source: u32, call: CallId, site: Site) {
        let callee = self.file.facts.call(call).callee;
        let attribute = match *self.file.facts.expr(callee) {
            Expr::Attribute { base, name } => Some((base, name)),
            _ => None,
        };
        let mut targets = self.engine.given_targets(self.file, &self.own_calls, callee, None);
        if let Some((base, name)) = attribute.filter(|_| targets.symbols.is_empty()) {
            targets = self.engine.given_targets(self.file, &self.own_calls, base, Some(name));
        }
        self.uses(source, EdgeKind::Calls, &targets, site);
        let Some((_, name)) = attribute.filter(|_| targets.symbols.is_empty()) else { return };
        match self.guess(name) {
            Some(aim) => self.edge(source, EdgeKind::Calls, aim, Confidence::Name, site),
            None => self.unresolved.push(Unresolved { source, name: self.file.text(name).into(), site }),
        }
    }

    fn miss(&mut self, source: u32, targets: &Targets, name: Name, site: Site) {
        // What one of several receivers has is there.
        if !targets.symbols.is_empty() || !targets.accessors.is_empty() || targets.unknown || targets.external {
            return;
        }
        for owner in &targets.missing {
            let owner = match *owner {
                Owner::Module(file) => Some(Aim::module(file)),
                Owner::Class(class) => self.engine.aim(Found { file: class.file, symbol: class.def }),
            };
            if let Some(owner) = owner.map(|owner| self.engine.target(owner)) {
                self.missing.push(Missing { source, owner, name: self.file.text(name).into(), site });
            }
        }
    }

    /// The only method of a name in the project, for a receiver of unknown type.
    fn guess(&mut self, name: Name) -> Option<Aim> {
        let text = self.file.text(name);
        let semantics = self.engine.rules(self.file).semantics();
        if semantics.common_methods.binary_search(&text).is_ok() || text.starts_with("__") {
            return None;
        }
        let sym = self.engine.sym(self.file, name);
        self.engine.read(Leaf::Defining(sym));
        let language = self.file.language;
        let only = match self.engine.only_methods.get(&(language, sym)) {
            Some(only) => *only,
            None => {
                let is_method = |file: &File, definition: &Definition| {
                    file.language == language && definition.kind == DefKind::Method
                };
                let only = self.only_definition(text, sym, is_method);
                self.engine.only_methods.insert((language, sym), only);
                only
            }
        };
        self.engine.aim(only?)
    }

    /// The only symbol of a name in the project that fits.
    fn only_definition(&self, name: &str, sym: Sym, fits: impl Fn(&File, &Definition) -> bool) -> Option<Found> {
        let mut only = None;
        // To see that there are several, files that are loaded anyhow are enough in most cases.
        let defining = self.engine.project.defining(name).into_iter();
        let (loaded, others): (Vec<FileId>, Vec<FileId>) = defining.partition(|&id| self.engine.project.is_loaded(id));
        for id in loaded.into_iter().chain(others) {
            let Some(file) = self.engine.file(id) else { continue };
            for symbol in file.symbols_named(sym).filter(|&symbol| !file.is_hidden(symbol)) {
                let fits = fits(file, file.facts.definition(symbol));
                if fits && only.replace(Found { file: id, symbol }).is_some() {
                    return None;
                }
            }
        }
        only
    }
}

fn site(place: facts::Place) -> Site {
    Site { line: Line(place.line), column: Column(place.column) }
}
