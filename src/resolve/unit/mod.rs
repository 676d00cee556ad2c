//! The last stratum: the unit of a file, from finished types. Guesses and tests by name are made here and nowhere else.

use rustc_hash::{FxHashMap, FxHashSet};

use super::engine::{Engine, Place};
use super::given::OwnCalls;
use super::meanings::Meaning;
use super::members::{Found, Owner};
use super::project::File;
use super::reads::Leaf;
use super::targets::Targets;
use super::value::*;
use crate::facts::{self, *};
use crate::graph::{
    Confidence, Edge, EdgeKind, ExternalImport, Missing, Site, Symbol, SymbolKind, Target, Unit, Unresolved,
};
use crate::names::{Column, Line, LocalPath, RepoPath};

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

    /// A symbol's place in the graph.
    fn target(&mut self, found: Found) -> Option<Target> {
        let file = self.file(found.file)?;
        if file.external || file.is_hidden(found.symbol) {
            return None;
        }
        Some(Target { path: self.project.path(found.file).clone(), local: file.local_path(found.symbol) })
    }

    fn module_target(&self, file: FileId) -> Target {
        Target { path: self.project.path(file).clone(), local: LocalPath::module() }
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
    edges: FxHashSet<Edge>,
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
            edges: FxHashSet::default(),
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
        let mut edges: Vec<Edge> = self.edges.iter().cloned().collect();
        self.edges.clear();
        if self.is_test {
            self.test_edges(&mut edges);
        }
        edges.sort();
        edges.dedup();
        let mut unit = Unit {
            path: self.path,
            symbols: self.symbols,
            edges,
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

    // ----------------------------------------------------------------------------------------------- symbols

    fn make_symbols(&mut self) {
        let facts = &self.file.facts;
        let mut groups: FxHashMap<DefId, Vec<DefId>> = FxHashMap::default();
        for (at, definition) in facts.surface.definitions.iter().enumerate() {
            let def = DefId::new(at);
            if !self.file.is_hidden(def) {
                groups.entry(definition.symbol).or_default().push(def);
            }
        }
        let mut made: Vec<(DefId, Symbol)> =
            groups.into_iter().map(|(symbol, definitions)| (symbol, self.make_symbol(symbol, &definitions))).collect();
        made.sort_by(|a, b| (a.1.site, &a.1.local, a.0).cmp(&(b.1.site, &b.1.local, b.0)));
        // Two symbols of one local path (a title used twice) are one in the graph.
        let mut by_path: FxHashMap<LocalPath, u32> = FxHashMap::default();
        let lines = facts.places.lines.max(1);
        self.symbols.push(Symbol {
            local: LocalPath::module(),
            kind: SymbolKind::Module,
            parent: 0,
            site: Site { line: Line(1), column: Column(1) },
            first: Line(1),
            last: Line(lines),
            signature: Box::default(),
            doc: Box::default(),
            more: Vec::new(),
        });
        for (def, symbol) in made {
            let next = self.symbols.len() as u32;
            let at = *by_path.entry(symbol.local.clone()).or_insert(next);
            self.positions.insert(def, at);
            if at == next {
                self.symbols.push(symbol);
            } else {
                let twin = &mut self.symbols[at as usize];
                twin.more.push(symbol.site);
                twin.more.extend(symbol.more);
            }
        }
        for (&def, &at) in &self.positions {
            let parent = facts.definition(def).parent.map(|parent| facts.definition(parent).symbol);
            self.symbols[at as usize].parent = parent.and_then(|p| self.positions.get(&p)).copied().unwrap_or(0);
        }
    }

    fn make_symbol(&self, symbol: DefId, definitions: &[DefId]) -> Symbol {
        let facts = &self.file.facts;
        let flags = |def: &DefId| facts.definition(*def).flags;
        let accessory = |def: &&DefId| flags(def).has(Flags::OVERLOAD) || flags(def).has(Flags::SETTER);
        let substantial = |def: &&DefId| {
            let definition = facts.definition(**def);
            !accessory(def) && (definition.function.is_some() || definition.class.is_some())
        };
        // What exists when the program runs stands before a type of the same name.
        let only_type = |def: &&DefId| flags(def).has(Flags::INTERFACE) || facts.definition(**def).alias.is_some();
        let find = |wanted: &dyn Fn(&&DefId) -> bool| definitions.iter().find(wanted);
        let implementation = find(&|def| substantial(def) && !only_type(def))
            .or_else(|| find(&|def| !accessory(def) && !only_type(def)))
            .or_else(|| find(&|def| !accessory(def)));
        let main = *implementation.unwrap_or(&definitions[0]);
        let description = facts.description(main);
        let place = facts.places.definitions[main.index()];
        let mut more: Vec<Site> = definitions
            .iter()
            .filter(|&&def| def != main)
            .map(|def| site(facts.places.definitions[def.index()].name))
            .collect();
        more.sort();
        more.dedup();
        Symbol {
            local: self.file.local_path(symbol),
            kind: self.kind(main),
            parent: 0,
            site: site(place.name),
            first: Line(place.first),
            last: Line(place.last),
            signature: description.signature.clone(),
            doc: description.doc.clone(),
            more,
        }
    }

    fn kind(&self, def: DefId) -> SymbolKind {
        let definition = self.file.facts.definition(def);
        match definition.kind {
            DefKind::Class => SymbolKind::Class,
            DefKind::Symbol => SymbolKind::Symbol,
            DefKind::Test => SymbolKind::Test,
            DefKind::Function | DefKind::Method if self.is_test_function(def) => SymbolKind::Test,
            DefKind::Function => SymbolKind::Function,
            DefKind::Method => SymbolKind::Method,
        }
    }

    /// A function of the runner's naming in a test file, at the top or in a class.
    fn is_test_function(&self, def: DefId) -> bool {
        let prefix = self.engine.rules(self.file).semantics().test_prefix;
        let definition = self.file.facts.definition(def);
        let outer = definition.parent.map(|parent| self.file.facts.definition(parent).kind);
        self.is_test
            && !prefix.is_empty()
            && self.file.text(definition.name).starts_with(prefix)
            && matches!(outer, None | Some(DefKind::Class))
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

    fn edge(&mut self, source: u32, kind: EdgeKind, target: Target, confidence: Confidence, site: Site) {
        self.edges.insert(Edge { source, kind, target, confidence, site });
    }

    fn uses(&mut self, source: u32, kind: EdgeKind, targets: &Targets, site: Site) {
        self.accessors(source, targets, site);
        for &found in &targets.symbols {
            if let Some(target) = self.engine.target(found) {
                self.edge(source, kind, target, Confidence::Sure, site);
            }
        }
    }

    /// A read of a getter and an assignment to a setter are calls of them.
    fn accessors(&mut self, source: u32, targets: &Targets, site: Site) {
        for &found in &targets.accessors {
            if let Some(target) = self.engine.target(found) {
                self.edge(source, EdgeKind::Calls, target, Confidence::Sure, site);
            }
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
            Some(target) => self.edge(source, EdgeKind::Calls, target, Confidence::Name, site),
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
                Owner::Module(file) => Some(self.engine.module_target(file)),
                Owner::Class(class) => self.engine.target(Found { file: class.file, symbol: class.def }),
            };
            if let Some(owner) = owner {
                self.missing.push(Missing { source, owner, name: self.file.text(name).into(), site });
            }
        }
    }

    /// The only method of a name in the project, for a receiver of unknown type.
    fn guess(&mut self, name: Name) -> Option<Target> {
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
        self.engine.target(only?)
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

    // ----------------------------------------------------------------------------------------------- imports

    fn import(&mut self, target: RefTarget, site: Site) {
        match target {
            RefTarget::Import(import, None) => self.import_module(import, site),
            RefTarget::Import(import, Some(index)) => {
                let data = &self.file.facts.surface.imports[import.index()];
                if let Some(imported) = data.names.get(index as usize) {
                    self.import_name(import, imported.name, site);
                }
            }
            RefTarget::Export(index) => match self.file.facts.surface.exports[index as usize].value {
                ExportValue::Imported(import, name) => self.import_name(import, name, site),
                ExportValue::Module(import) | ExportValue::Star(import) => self.import_module(import, site),
                ExportValue::Local(_) | ExportValue::Expr(_) | ExportValue::Whole(_) => {}
            },
            RefTarget::Expr(expr) => {
                if let Expr::Module(import) = self.file.facts.expr(expr) {
                    self.import_module(*import, site);
                }
            }
            _ => {}
        }
    }

    fn import_module(&mut self, import: ImportId, site: Site) {
        let data = &self.file.facts.surface.imports[import.index()];
        match self.engine.import_place(self.file, import) {
            // `from package import name` imports the package only when the package's own name is taken.
            _ if data.form == ImportForm::Names && !data.names.is_empty() => {}
            Place::File(other) => {
                let target = self.engine.module_target(other);
                self.edge(0, EdgeKind::Imports, target, Confidence::Sure, site);
            }
            Place::External(_) => self.import_external(data, site),
            Place::Namespace(_) | Place::Missing => {}
        }
    }

    fn import_external(&mut self, data: &facts::Import, site: Site) {
        let module = self.file.text(data.module).into();
        self.external.push(ExternalImport { module, line: site.line });
    }

    fn import_name(&mut self, import: ImportId, name: Name, site: Site) {
        let data = &self.file.facts.surface.imports[import.index()];
        let statement = self::site(self.file.facts.places.imports[import.index()]);
        let place = self.engine.import_place(self.file, import);
        if let Place::External(_) = place {
            return self.import_external(data, statement);
        }
        let sym = self.engine.sym(self.file, name);
        for meaning in self.engine.place_attribute(place, sym, self.file.language) {
            match meaning {
                // A sub-module: the package itself gave nothing of its own.
                Meaning::Module(other) if self.is_child(place, sym, other) => {
                    if !self.engine.project.is_external(other) {
                        let target = self.engine.module_target(other);
                        self.edge(0, EdgeKind::Imports, target, Confidence::Sure, site);
                    }
                    continue;
                }
                Meaning::Definition(id, symbol) => {
                    if let Some(target) = self.engine.target(Found { file: id, symbol }) {
                        self.edge(0, EdgeKind::Imports, target, Confidence::Sure, site);
                    }
                }
                Meaning::Missing(Some(owner), _) if !self.engine.project.is_external(owner) => {
                    let owner = self.engine.module_target(owner);
                    self.missing.push(Missing { source: 0, owner, name: self.file.text(name).into(), site });
                }
                Meaning::Module(other) if !self.engine.project.is_external(other) => {
                    let target = self.engine.module_target(other);
                    self.edge(0, EdgeKind::Imports, target, Confidence::Sure, site);
                }
                _ => {}
            }
            // However many names it takes, the statement imports the module once.
            if let Place::File(other) = place {
                let target = self.engine.module_target(other);
                self.edge(0, EdgeKind::Imports, target, Confidence::Sure, statement);
            }
        }
    }

    /// Whether a module is the sub-module of this name, not one that the package's own name is bound to.
    fn is_child(&mut self, place: Place, name: Sym, other: FileId) -> bool {
        match self.engine.child_place(self.file.language, place, name) {
            Place::File(child) => child == other,
            _ => false,
        }
    }

    fn fixture_use(&mut self, source: u32, function: FunctionId, index: u32, site: Site) {
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
    fn named_fixture_use(&mut self, source: u32, owner: Option<DefId>, expr: ExprId, site: Site) {
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

    // ------------------------------------------------------------------------------------------------- tests

    /// Adds the `tests` edges: from a test to what it calls in code that is no test.
    fn test_edges(&mut self, edges: &mut Vec<Edge>) {
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

fn site(place: facts::Place) -> Site {
    Site { line: Line(place.line), column: Column(place.column) }
}
