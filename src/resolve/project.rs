//! What resolution is given: the files of a snapshot, where their facts come from, and the module rules.
//!
//! Shared by all threads; everything in it is made once and never changes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::value::{FileId, Sym};
use crate::facts::{BindingId, DefId, DefKind, Facts, Flags, ImportForm, ImportId, Name, ScopeId};
use crate::graph::ModuleTable;
use crate::languages::{Language, Layout, Modules, Semantics, Special};
use crate::names::{Dialect, LocalPath, ModuleName, RepoPath};

/// Where facts come from, and the names of the whole snapshot.
///
/// Asking cannot fail: a source that meets an error keeps it and answers with nothing, and the driver asks for it.
pub trait Source: Sync {
    /// The facts of a file, by its position in the layout.
    fn facts(&self, position: usize) -> Option<Arc<Facts>>;

    /// The files that have a definition of this name, by position in the layout, sorted; perhaps others, too.
    fn defining(&self, name: &str) -> Vec<usize>;

    /// The facts of a text of a language's prelude.
    fn prelude(&self, language: &dyn Language, dialect: Dialect, text: &str) -> Arc<Facts> {
        Arc::new(language.facts(dialect, text.as_bytes()))
    }
}

/// What is read as one: the questions about a top-level name of a file, or about a member of one of its top-level
/// classes, whether there is such a member or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Name(Sym),
    Member(DefId, Sym),
}

/// A file as resolution sees it.
pub struct File {
    pub id: FileId,
    pub facts: Arc<Facts>,
    /// Index into [`Project::languages`].
    pub language: usize,
    /// In a prelude: outside the project.
    pub external: bool,
    /// Hashes of the facts' strings.
    syms: Vec<Sym>,
    /// The names, sorted by hash.
    names: Vec<Name>,
    /// The definitions directly under each definition's symbol, in order.
    children: FxHashMap<DefId, Vec<DefId>>,
    /// All definitions of a symbol, where there are several.
    twins: FxHashMap<DefId, Vec<DefId>>,
    /// Of each definition, its group: the member's inside a top-level class, else that of the top-level name.
    groups: Vec<Group>,
    /// The star imports with the scope that each stands in, sorted.
    stars: Vec<(ScopeId, ImportId)>,
}

impl File {
    fn new(id: FileId, facts: Arc<Facts>, language: usize, external: bool) -> File {
        let syms: Vec<Sym> = facts.strings.iter().map(Sym::of).collect();
        let mut names: Vec<Name> = (0..syms.len()).map(Name::new).collect();
        names.sort_unstable_by_key(|name| syms[name.index()]);
        let mut children: FxHashMap<DefId, Vec<DefId>> = FxHashMap::default();
        let mut twins: FxHashMap<DefId, Vec<DefId>> = FxHashMap::default();
        for (at, definition) in facts.surface.definitions.iter().enumerate() {
            let id = DefId::new(at);
            if let Some(parent) = definition.parent {
                children.entry(facts.definition(parent).symbol).or_default().push(id);
            }
            if definition.symbol != id {
                twins.entry(definition.symbol).or_insert_with(|| vec![definition.symbol]).push(id);
            }
        }
        let imports = facts.surface.imports.iter().enumerate();
        let stars = imports.filter(|(_, import)| import.form == ImportForm::Star);
        let mut stars: Vec<_> = stars.map(|(at, import)| (import.scope, ImportId::new(at))).collect();
        stars.sort_unstable();
        let mut file = File { id, facts, language, external, syms, names, children, twins, groups: Vec::new(), stars };
        file.make_groups();
        file
    }

    fn make_groups(&mut self) {
        let facts = self.facts.clone();
        for definition in &facts.surface.definitions {
            // From the definition outwards: the last two are the member and the class.
            let (mut top, mut below) = (definition, None);
            while let Some(parent) = top.parent {
                below = Some(top);
                top = facts.definition(parent);
            }
            self.groups.push(match below {
                Some(member) if top.class.is_some() && !self.external => {
                    Group::Member(top.symbol, self.syms[member.name.index()])
                }
                _ => Group::Name(self.syms[top.name.index()]),
            });
        }
    }

    /// The star imports of a scope, in order.
    pub fn stars(&self, scope: ScopeId) -> &[(ScopeId, ImportId)] {
        let first = self.stars.partition_point(|star| star.0 < scope);
        let count = self.stars[first..].partition_point(|star| star.0 == scope);
        &self.stars[first..first + count]
    }

    /// Whether a scope other than the module's has a star import.
    pub fn has_inner_stars(&self) -> bool {
        self.stars.last().is_some_and(|star| star.0 != ScopeId::MODULE)
    }

    /// The group that a definition belongs to.
    pub fn group(&self, def: DefId) -> Group {
        self.groups[def.index()]
    }

    /// The group that a class's member belongs to, or would belong to.
    pub fn member_group(&self, class: DefId, member: Sym) -> Group {
        let may_have = self.facts.definition(class).parent.is_none() && !self.external;
        let is_class = |def: &DefId| self.facts.definition(*def).class.is_some();
        if may_have && self.twins.get(&class).map_or(is_class(&class), |twins| twins.iter().any(is_class)) {
            Group::Member(class, member)
        } else {
            self.group(class)
        }
    }

    pub fn sym(&self, name: Name) -> Sym {
        self.syms[name.index()]
    }

    /// The name of this file that has this text.
    pub fn name(&self, sym: Sym) -> Option<Name> {
        let at = self.names.binary_search_by_key(&sym, |name| self.syms[name.index()]).ok()?;
        Some(self.names[at])
    }

    pub fn text(&self, name: Name) -> &str {
        self.facts.text(name)
    }

    /// The symbols whose last name this is, at any depth, in order.
    pub fn symbols_named(&self, name: Sym) -> impl Iterator<Item = DefId> {
        let named = self.name(name).map(|own| {
            let definitions = self.facts.surface.definitions.iter().enumerate();
            let symbols = definitions.filter(move |(at, one)| one.name == own && one.symbol.index() == *at);
            symbols.map(|(_, one)| one.symbol)
        });
        named.into_iter().flatten()
    }

    /// The definitions directly under a symbol.
    pub fn children(&self, symbol: DefId) -> &[DefId] {
        self.children.get(&symbol).map_or(&[], Vec::as_slice)
    }

    /// All definitions of a symbol, in order.
    pub fn definitions(&self, symbol: DefId) -> Vec<DefId> {
        self.twins.get(&symbol).cloned().unwrap_or_else(|| vec![symbol])
    }

    /// The bindings of the module's scope that importers see.
    pub fn exported(&self, name: Name) -> Vec<BindingId> {
        let last: Vec<BindingId> = self.facts.last_of(ScopeId::MODULE, name).collect();
        if last.is_empty() { self.facts.bindings_of(ScopeId::MODULE, name).collect() } else { last }
    }

    /// Whether a definition, or one around it, is no symbol of the graph.
    pub fn is_hidden(&self, def: DefId) -> bool {
        let mut at = Some(def);
        while let Some(def) = at {
            let definition = self.facts.definition(def);
            if definition.flags.has(Flags::HIDDEN) {
                return true;
            }
            at = definition.parent;
        }
        false
    }
}

impl File {
    /// The local path of a symbol: names joined by `.`, titles of nested test blocks by ` > `.
    pub fn local_path(&self, symbol: DefId) -> LocalPath {
        let mut names: SmallVec<[(bool, &str); 8]> = SmallVec::new();
        let mut at = Some(symbol);
        while let Some(def) = at {
            let definition = self.facts.definition(def);
            names.push((definition.kind == DefKind::Test, self.text(definition.name)));
            at = definition.parent;
        }
        if let [(_, name)] = names[..] {
            return LocalPath(name.into());
        }
        let mut path = String::new();
        let mut previous_test = false;
        for (is_test, name) in names.into_iter().rev() {
            if !path.is_empty() {
                path.push_str(if is_test && previous_test { " > " } else { "." });
            }
            path.push_str(name);
            previous_test = is_test;
        }
        LocalPath(path.into())
    }
}

/// One language with its rules for this snapshot.
pub struct LanguageRules {
    pub language: &'static dyn Language,
    pub modules: Box<dyn Modules>,
    /// Of each prelude module, its file.
    prelude: BTreeMap<&'static str, FileId>,
    special: FxHashMap<&'static str, Special>,
}

impl LanguageRules {
    pub fn semantics(&self) -> &'static Semantics {
        self.language.semantics()
    }

    /// The prelude's file of a module, if it has one.
    pub fn prelude(&self, module: &str) -> Option<FileId> {
        self.prelude.get(module).copied()
    }

    pub fn special(&self, qualified: &str) -> Option<Special> {
        self.special.get(qualified).copied()
    }
}

struct PreludeFile {
    language: usize,
    module: &'static str,
    text: &'static str,
}

/// A snapshot, ready to be resolved.
pub struct Project<'a> {
    /// The paths, and the texts of configuration files.
    pub layout: Arc<Layout>,
    /// Every language of the build, with its rules for these paths.
    pub languages: Vec<LanguageRules>,
    source: &'a dyn Source,
    /// The layout's files, then the prelude's.
    files: Vec<OnceLock<Option<Arc<File>>>>,
    prelude: Vec<PreludeFile>,
}

impl<'a> Project<'a> {
    /// Makes the module rules of each language. Facts are asked for when they are needed.
    pub fn new(layout: Arc<Layout>, languages: &[&'static dyn Language], source: &'a dyn Source) -> Project<'a> {
        let mut prelude = Vec::new();
        let mut rules = Vec::new();
        for (index, &language) in languages.iter().enumerate() {
            let mut files = BTreeMap::new();
            for &(module, text) in language.prelude() {
                files.insert(module, FileId((layout.files.len() + prelude.len()) as u32));
                prelude.push(PreludeFile { language: index, module, text });
            }
            let special = language.semantics().special.iter().copied().collect();
            rules.push(LanguageRules { language, modules: language.modules(&layout), prelude: files, special });
        }
        let files = (0..layout.files.len() + prelude.len()).map(|_| OnceLock::new()).collect();
        Project { layout, languages: rules, source, files, prelude }
    }

    /// The printed names of all modules. Each language keeps its own unique; where two languages meet in one name, the
    /// later one of the table keeps its file's extension.
    pub fn module_table(&self) -> ModuleTable {
        let mut taken: FxHashSet<ModuleName> = FxHashSet::default();
        let mut names = Vec::new();
        for rules in &self.languages {
            for (path, name) in rules.modules.names() {
                let name = if taken.contains(&name) { ModuleName(path.as_str().into()) } else { name };
                taken.insert(name.clone());
                names.push((path, name));
            }
        }
        ModuleTable::new(names)
    }

    /// A file, loaded when it is first asked for. `None` when it has no facts (a missing object, a configuration file),
    /// and for the class around a form where there is none (`Self` in a module's function).
    pub fn file(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.get(id.0 as usize)?.get_or_init(|| self.load(id)).as_ref()
    }

    /// Whether a file has been asked for. That depends on what the threads did so far, so no answer may.
    pub fn is_loaded(&self, id: FileId) -> bool {
        self.files.get(id.0 as usize).is_some_and(|file| file.get().is_some())
    }

    /// The files that were loaded. Resolution ends here.
    pub fn into_files(self) -> impl Send + use<> {
        self.files
    }

    fn load(&self, id: FileId) -> Option<Arc<File>> {
        let at = id.0 as usize;
        if let Some((_, dialect)) = self.layout.files.get(at) {
            let language = self.language_of(*dialect)?;
            return Some(Arc::new(File::new(id, self.source.facts(at)?, language, false)));
        }
        let prelude = &self.prelude[at - self.layout.files.len()];
        let rules = &self.languages[prelude.language];
        let dialect = *rules.language.dialects().first()?;
        let facts = self.source.prelude(rules.language, dialect, prelude.text);
        Some(Arc::new(File::new(id, facts, prelude.language, true)))
    }

    /// The position of the language that reads a dialect.
    pub fn language_of(&self, dialect: Dialect) -> Option<usize> {
        self.languages.iter().position(|rules| rules.language.dialects().contains(&dialect))
    }

    /// Whether a file is of a prelude.
    pub fn is_external(&self, id: FileId) -> bool {
        id.0 as usize >= self.layout.files.len()
    }

    /// The path of a file of the project.
    pub fn path(&self, id: FileId) -> &RepoPath {
        &self.layout.files[id.0 as usize].0
    }

    /// The name of a prelude's module.
    pub fn prelude_module(&self, id: FileId) -> Option<&'static str> {
        let at = (id.0 as usize).checked_sub(self.layout.files.len())?;
        Some(self.prelude[at].module)
    }

    /// The file of a path.
    pub fn id(&self, path: &str) -> Option<FileId> {
        self.layout.position(path).map(|at| FileId(at as u32))
    }

    /// The files that have a definition of this name; perhaps others, too.
    pub fn defining(&self, name: &str) -> Vec<FileId> {
        self.source.defining(name).into_iter().map(|at| FileId(at as u32)).collect()
    }
}
