//! Symbols of a unit, from the definitions of its file.

use rustc_hash::FxHashMap;

use super::{UnitMaker, site};
use crate::facts::*;
use crate::graph::{Site, Symbol, SymbolKind};
use crate::names::{Column, Line, LocalPath};

impl UnitMaker<'_, '_, '_> {
    /// Makes the symbols, the module first, then in order of their places.
    pub(super) fn make_symbols(&mut self) {
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
}
