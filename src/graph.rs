//! The graph: symbols and edges, one unit per file, and how the layers above read a whole graph.
//!
//! Knows neither how units were made nor where they are kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::facts::Facts;
use crate::names::{BlobId, Column, Digest, Line, LocalPath, ModuleName, RepoPath, SymbolId};

/// The kind of a symbol, as printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// A file.
    Module,
    /// A class, an interface, an enum, or an alias of an object type.
    Class,
    /// A function outside of classes, also an arrow or function expression that a name is bound to.
    Function,
    /// A function in a class, a getter, a setter, or a function member of an object that a name is bound to.
    Method,
    /// A variable, a constant, a field, an enum member, or another alias of a type.
    Symbol,
    /// A test that runners find: a function, or a block by its titles.
    Test,
}

impl SymbolKind {
    /// Every kind, in the order in which they are listed.
    pub const ALL: [SymbolKind; 6] = [
        SymbolKind::Module,
        SymbolKind::Class,
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Symbol,
        SymbolKind::Test,
    ];

    /// As printed and asked for.
    pub fn word(self) -> &'static str {
        match self {
            SymbolKind::Module => "module",
            SymbolKind::Class => "class",
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Symbol => "symbol",
            SymbolKind::Test => "test",
        }
    }
}

/// The kind of an edge; the table of what each joins is DESIGN §6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// From a module to the module whose names it takes, and to each imported symbol.
    Imports,
    /// From a module or symbol to what stands directly in it. Not among [`Unit::edges`]: [`Symbol::parent`] says it.
    Defines,
    /// From a function to what it runs: functions, classes (their construction), getters, JSX elements, decorators.
    Calls,
    /// From a class to a base, or an interface that it extends or implements.
    Inherits,
    /// From a test or its module to what it tests.
    Tests,
    /// From a symbol to one that it reads, passes on or names in an annotation, without a call.
    References,
}

impl EdgeKind {
    /// Every kind, in the order in which they are listed.
    pub const ALL: [EdgeKind; 6] = [
        EdgeKind::Imports,
        EdgeKind::Defines,
        EdgeKind::Calls,
        EdgeKind::Inherits,
        EdgeKind::Tests,
        EdgeKind::References,
    ];

    /// As printed and asked for.
    pub fn word(self) -> &'static str {
        match self {
            EdgeKind::Imports => "imports",
            EdgeKind::Defines => "defines",
            EdgeKind::Calls => "calls",
            EdgeKind::Inherits => "inherits",
            EdgeKind::Tests => "tests",
            EdgeKind::References => "references",
        }
    }
}

/// How an edge was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Confidence {
    /// By resolution; printed without a label.
    Sure,
    /// By name alone, a guess; printed as `"conf":"name"`.
    Name,
}

/// A symbol inside the graph, wherever it is: its file and its local path there (`""` is the module).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The file.
    pub path: RepoPath,
    /// Where in the file.
    pub local: LocalPath,
}

/// A line and byte column, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Site {
    /// The line.
    pub line: Line,
    /// Bytes before it in the line, plus one.
    pub column: Column,
}

/// A symbol of a unit. The first symbol of every unit is its module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name in the file; unique there.
    pub local: LocalPath,
    /// What it is.
    pub kind: SymbolKind,
    /// Position in [`Unit::symbols`] of the symbol that defines it; the module's is 0, itself.
    pub parent: u32,
    /// Of the name; 1:1 for a module.
    pub site: Site,
    /// First and last line of the whole definition; a module's last line is the number of lines.
    pub first: Line,
    /// See `first`.
    pub last: Line,
    /// `(self, items: list[int]) -> Order`; empty when there is none.
    pub signature: Box<str>,
    /// First line of the documentation; empty when there is none.
    pub doc: Box<str>,
    /// Further sites of the same symbol: overloads, setters, branches.
    pub more: Vec<Site>,
}

impl Symbol {
    /// The last name of the local path.
    pub fn name(&self) -> &str {
        last_name(self.local.as_str())
    }
}

/// The last name of a local path. Test titles may hold dots, so a path that ends in a title is its own last name.
pub fn last_name(local: &str) -> &str {
    if local.contains(' ') {
        return local;
    }
    local.rsplit('.').next().unwrap_or(local)
}

/// A use that was resolved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// Position in [`Unit::symbols`].
    pub source: u32,
    /// How the two are joined.
    pub kind: EdgeKind,
    /// Where it leads; in any file of the graph.
    pub target: Target,
    /// Whether it is a guess.
    pub confidence: Confidence,
    /// Of the name used, in the unit's own file.
    pub site: Site,
}

/// A call through a receiver of unknown type, kept under its bare name: "I could not tell".
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Unresolved {
    /// Position in [`Unit::symbols`].
    pub source: u32,
    /// The name that is called.
    pub name: Box<str>,
    /// Of that name.
    pub site: Site,
}

/// A use of a member or name that its owner, a class or module of the project, does not have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Missing {
    /// Position in [`Unit::symbols`].
    pub source: u32,
    /// The module (local path empty) or class that was asked.
    pub owner: Target,
    /// The name that it does not have.
    pub name: Box<str>,
    /// Of that name.
    pub site: Site,
}

/// An import that leads outside the project: the package's name as imported.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ExternalImport {
    /// As written: `react`, `os.path`.
    pub module: Box<str>,
    /// Of the import.
    pub line: Line,
}

/// One file's resolved part of a graph. Says nothing that depends on lines, signatures or module names of other files.
///
/// Everything is sorted: symbols by (site, local path) after the module, the lists by their fields in order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The file.
    pub path: RepoPath,
    /// What it defines, its module first.
    pub symbols: Vec<Symbol>,
    /// What it uses; all kinds but `defines`.
    pub edges: Vec<Edge>,
    /// Calls of which it could not be told where they lead.
    pub unresolved: Vec<Unresolved>,
    /// Uses of what is not there.
    pub missing: Vec<Missing>,
    /// Imports from outside.
    pub external: Vec<ExternalImport>,
    /// In a test file, as the language's runners find them.
    pub is_test: bool,
    /// The file did not parse as a whole.
    pub partial: bool,
}

impl Unit {
    /// How much it holds.
    pub fn size(&self) -> Size {
        let defined = self.symbols.len().saturating_sub(1);
        Size { symbols: self.symbols.len() as u32, edges: (self.edges.len() + defined) as u32 }
    }

    /// The position of a symbol by its local path.
    pub fn position(&self, local: &str) -> Option<usize> {
        self.symbols.iter().position(|symbol| symbol.local.as_str() == local)
    }

    /// The innermost symbol whose definition covers a line; the module when none does.
    pub fn innermost(&self, line: Line) -> usize {
        let covers = |symbol: &Symbol| symbol.first <= line && line <= symbol.last;
        (1..self.symbols.len())
            .filter(|&at| covers(&self.symbols[at]))
            .min_by_key(|&at| (self.symbols[at].last.0 - self.symbols[at].first.0, std::cmp::Reverse(at)))
            .unwrap_or(0)
    }

    /// The [`Target`] of a symbol of this unit.
    pub fn target(&self, symbol: usize) -> Target {
        Target { path: self.path.clone(), local: self.symbols[symbol].local.clone() }
    }
}

/// A symbol of a graph, with its unit.
#[derive(Clone, Debug)]
pub struct Located {
    /// The unit of the file that defines it.
    pub unit: Arc<Unit>,
    /// Position in the unit's symbols; 0 is the module.
    pub at: usize,
}

impl Located {
    /// The symbol itself.
    pub fn symbol(&self) -> &Symbol {
        &self.unit.symbols[self.at]
    }

    /// Whether it is the module of its file.
    pub fn is_module(&self) -> bool {
        self.at == 0
    }

    /// What an edge to it holds.
    pub fn target(&self) -> Target {
        self.unit.target(self.at)
    }

    /// The printed id.
    pub fn id(&self, modules: &ModuleTable) -> SymbolId {
        modules.id(&self.target())
    }

    /// `path:line` of the definition.
    pub fn loc(&self) -> String {
        format!("{}:{}", self.unit.path, self.symbol().site.line)
    }

    /// What tells it from every other symbol of the graph.
    pub fn key(&self) -> (RepoPath, usize) {
        (self.unit.path.clone(), self.at)
    }
}

/// The symbol of a target.
pub fn locate(graph: &dyn Graph, target: &Target) -> Option<Located> {
    let unit = graph.unit(target.path.as_str())?;
    let at = unit.position(target.local.as_str())?;
    Some(Located { unit, at })
}

/// How much a unit or a graph holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Size {
    /// Modules among them.
    pub symbols: u32,
    /// Of all kinds. Each symbol but a module is the target of one `defines` edge.
    pub edges: u32,
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Size>>(sizes: I) -> Size {
        sizes.fold(Size::default(), |one, other| Size {
            symbols: one.symbols.saturating_add(other.symbols),
            edges: one.edges.saturating_add(other.edges),
        })
    }
}

/// The printed names of all modules of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleTable {
    /// Sorted by path.
    by_path: Vec<(RepoPath, ModuleName)>,
    /// Positions in `by_path`, sorted by module name.
    by_name: Vec<u32>,
}

impl ModuleTable {
    /// Module names must be unique; the languages see to that.
    pub fn new(mut by_path: Vec<(RepoPath, ModuleName)>) -> ModuleTable {
        by_path.sort();
        let mut by_name: Vec<u32> = (0..by_path.len() as u32).collect();
        by_name.sort_by(|&a, &b| by_path[a as usize].1.cmp(&by_path[b as usize].1));
        ModuleTable { by_path, by_name }
    }

    /// All of them, by path.
    pub fn entries(&self) -> &[(RepoPath, ModuleName)] {
        &self.by_path
    }

    /// The name of the module that a file is.
    pub fn name(&self, path: &str) -> Option<&ModuleName> {
        let at = self.by_path.binary_search_by(|(p, _)| p.as_str().cmp(path)).ok()?;
        Some(&self.by_path[at].1)
    }

    /// The file that a module of this name is.
    pub fn path(&self, module: &str) -> Option<&RepoPath> {
        let at = self.by_name.binary_search_by(|&at| self.by_path[at as usize].1.as_str().cmp(module)).ok()?;
        Some(&self.by_path[self.by_name[at] as usize].0)
    }

    /// The printed id of a target. A path that the table does not know prints as itself.
    pub fn id(&self, target: &Target) -> SymbolId {
        let module = self.name(target.path.as_str()).cloned();
        SymbolId {
            module: module.unwrap_or_else(|| ModuleName(target.path.as_str().into())),
            local: target.local.clone(),
        }
    }
}

/// One file of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphEntry {
    /// The file.
    pub path: RepoPath,
    /// Its content.
    pub blob: BlobId,
    /// Digest of the unit's canonical bytes.
    pub unit: Digest,
}

/// The digest of a graph: SHA-256 over the sorted list path → unit and the module table.
pub fn graph_digest(entries: &[GraphEntry], modules: &ModuleTable) -> Digest {
    let mut bytes = Vec::with_capacity(entries.len() * 96);
    for entry in entries {
        bytes.extend(entry.path.as_str().as_bytes());
        bytes.push(0);
        bytes.extend(entry.unit.0);
    }
    bytes.push(0xff);
    for (path, module) in modules.entries() {
        bytes.extend(path.as_str().as_bytes());
        bytes.push(0);
        bytes.extend(module.as_str().as_bytes());
        bytes.push(0);
    }
    Digest::of(&bytes)
}

/// A whole graph, as the layers above read it. Implemented over the store, and in memory.
///
/// Reading cannot fail here: an implementation that meets an error keeps it and answers with nothing, and whoever
/// opened it asks for the error at the end.
pub trait Graph: Sync {
    /// Every file of the graph, sorted by path.
    fn entries(&self) -> &[GraphEntry];
    /// What the files are called as modules.
    fn modules(&self) -> &ModuleTable;
    /// How much all units hold together.
    fn size(&self) -> Size;
    /// The unit of a file.
    fn unit(&self, path: &str) -> Option<Arc<Unit>>;
    /// The units with an edge (of any kind but `defines`) to this target, sorted by path.
    fn users(&self, target: &Target) -> Vec<Arc<Unit>>;
    /// The units with a symbol whose last name is this, sorted by path.
    fn defining(&self, name: &str) -> Vec<Arc<Unit>>;
    /// The units that hold an unresolved call or a missing use of this bare name, sorted by path.
    fn unresolved(&self, name: &str) -> Vec<Arc<Unit>>;
    /// The units whose symbols' names or documentation have all of these words as prefixes of theirs; a proposal,
    /// sorted by path. Words are lower case.
    fn search(&self, words: &[String]) -> Vec<Arc<Unit>>;
}

/// A graph with what it was made of: one side of a comparison. As with [`Graph`], reading cannot fail here.
pub trait Side: Sync {
    /// The graph itself.
    fn graph(&self) -> &dyn Graph;
    /// The facts that a unit of the graph was made of.
    fn facts(&self, path: &str) -> Option<Arc<Facts>>;
    /// The text of such a file, with lines as the facts count them.
    fn text(&self, path: &str) -> Option<Arc<str>>;
}
