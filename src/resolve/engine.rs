//! The engine: questions, their answers, and what they read.
//!
//! One engine serves one thread. Its rules stand in the files beside this one, by subject.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::aliases::{AliasRef, Unfolding};
use super::bases::Bases;
use super::classes::{Members, Order};
use super::fixpoint::{Ask, Table};
use super::meanings::{Lookup, Meaning, MeaningSets, Meanings, Stratum};
use super::members::Found;
use super::project::{File, Group, LanguageRules, Project};
use super::reads::{Leaf, LeafId, Record};
use super::stubs::Beside;
use super::value::*;
use crate::facts::*;
use crate::languages::{Look, Resolved};

/// Stack kept free while questions nest, and how much is added when it runs out; bytes.
pub(super) const STACK_RESERVE: usize = 128 * 1024;
pub(super) const STACK_SEGMENT: usize = 4 * 1024 * 1024;

/// What can be asked about types. The last part of a question about an expression, form or local binding is the group
/// that it is asked for (see `reads`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TypeQuestion {
    Expr(FileId, ExprId, LeafId),
    Binding(FileId, BindingId, LeafId),
    /// What a call of the function gives, in terms of its variables.
    Result(FunctionRef),
    Parameter(FunctionRef, u32),
    /// The value of a definition's symbol, decorators applied.
    Symbol(FileId, DefId),
    /// A field, or a method as a plain function, as declared in this very class.
    Member(ClassRef, Sym),
    /// A class as seen from a subclass: an instance of the second in terms of the first's variables.
    Super(ClassRef, ClassRef),
    /// What an alias of a type stands for.
    Alias(FileId, DefId),
}

/// Where a module is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    File(FileId),
    /// Index into [`Engine::directories`].
    Namespace(u32),
    /// Outside; of some modules the prelude knows the declarations.
    External(Option<FileId>),
    Missing,
}

/// Answers questions about one project, and makes units from the answers. What it found out it remembers, until it is
/// dropped; it serves one thread.
pub struct Engine<'p> {
    pub(super) project: &'p Project<'p>,
    pub(super) lattice: Lattice,
    pub(super) record: Record,
    /// By language, the group of all that its prelude says.
    outside: Vec<LeafId>,
    /// The group whose question is being answered.
    pub(super) group: LeafId,
    types: Table<TypeQuestion, Types>,
    /// Questions that only the unit in work asks; forgotten with it. No other question rests on them.
    local: Table<TypeQuestion, Types>,
    pub(super) lookups: Table<(Stratum, Lookup), Meanings>,
    /// How far questions of names may go now.
    pub(super) stratum: Stratum,
    pub(super) meanings: MeaningSets,
    /// The text of every name that was looked up.
    pub(super) texts: FxHashMap<Sym, Arc<str>>,
    pub(super) directories: Vec<String>,
    imports: FxHashMap<(FileId, ImportId), (Place, Rc<[LeafId]>)>,
    children: FxHashMap<(Place, Sym), (Place, Rc<[LeafId]>)>,
    pub(super) bases: FxHashMap<ClassRef, Rc<Bases>>,
    pub(super) orders: FxHashMap<ClassRef, Rc<Order>>,
    pub(super) members: FxHashMap<ClassRef, Rc<Members>>,
    pub(super) library: FxHashMap<(usize, &'static str), Option<ClassRef>>,
    /// What stands beside a file, once looked for: the look, and the file that it found.
    pub(super) stubs: FxHashMap<(FileId, Beside), Option<(LeafId, Option<FileId>)>>,
    /// By language and name: the only method of that name in the project, if there is just one.
    pub(super) only_methods: FxHashMap<(usize, Sym), Option<Found>>,
    pub(super) aliases: FxHashMap<AliasRef, Rc<[AliasRef]>>,
    /// For the question that is being answered, if it is about an alias.
    pub(super) unfolding: Option<Unfolding>,
    /// Depth of nested questions about what calls give for symbolic results.
    pub(super) symbolic_depth: u32,
}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Place::File(file) => (0, file.0).hash(state),
            Place::Namespace(at) => (1, *at).hash(state),
            Place::External(file) => (2, file.map_or(0, |file| file.0 + 1)).hash(state),
            Place::Missing => (3, 0u32).hash(state),
        }
    }
}

impl<'p> Engine<'p> {
    /// An engine that knows nothing yet.
    pub fn new(project: &'p Project<'p>) -> Engine<'p> {
        let mut record = Record::default();
        let group = record.id(Leaf::Unit(FileId(u32::MAX)));
        let outside = (0..project.languages.len()).map(|language| record.id(Leaf::Outside(language))).collect();
        Engine {
            project,
            lattice: Lattice::default(),
            record,
            outside,
            group,
            types: Table::new(Types::NEVER, Types::TOP),
            local: Table::new(Types::NEVER, Types::TOP),
            lookups: Table::new(Meanings::NONE, Meanings::NONE),
            stratum: Stratum::Finished,
            meanings: MeaningSets::default(),
            texts: FxHashMap::default(),
            directories: Vec::new(),
            imports: FxHashMap::default(),
            children: FxHashMap::default(),
            bases: FxHashMap::default(),
            orders: FxHashMap::default(),
            members: FxHashMap::default(),
            library: FxHashMap::default(),
            stubs: FxHashMap::default(),
            only_methods: FxHashMap::default(),
            aliases: FxHashMap::default(),
            unfolding: None,
            symbolic_depth: 0,
        }
    }

    pub(super) fn file(&self, id: FileId) -> Option<&'p Arc<File>> {
        self.project.file(id)
    }

    pub(super) fn rules(&self, file: &File) -> &'p LanguageRules {
        &self.project.languages[file.language]
    }

    // ------------------------------------------------------------------------------------------------ groups

    /// Notes that the present group read a leaf.
    pub(super) fn read(&mut self, leaf: Leaf) {
        let id = self.record.id(leaf);
        self.record.link(self.group, id);
    }

    /// The group of a top-level name.
    pub(super) fn name_group(&mut self, file: &File, name: Name) -> LeafId {
        self.file_group(file, Group::Name(file.sym(name)))
    }

    /// The group of a name that a file may have.
    pub(super) fn lookup_group(&mut self, file: FileId, name: Sym) -> LeafId {
        match self.file(file) {
            Some(data) => self.file_group(data, Group::Name(name)),
            None => self.record.id(Leaf::Name(file, name)),
        }
    }

    fn file_group(&mut self, file: &File, group: Group) -> LeafId {
        if file.external { self.outside[file.language] } else { self.record.id(Leaf::group(file.id, group)) }
    }

    /// The group that a definition belongs to.
    pub(super) fn definition_group(&mut self, file: &File, def: DefId) -> LeafId {
        self.file_group(file, file.group(def))
    }

    /// The group of a symbol; the present one when its file is not there.
    pub(super) fn symbol_group(&mut self, file: FileId, symbol: DefId) -> LeafId {
        self.file(file).map_or(self.group, |data| self.definition_group(data, symbol))
    }

    /// The group of a class's member, whether there is one or not; the present one when the class's file is not there.
    pub(super) fn class_member_group(&mut self, class: ClassRef, member: Sym) -> LeafId {
        self.file(class.file).map_or(self.group, |file| self.member_group(file, class.def, member))
    }

    /// The group that a class's member belongs to, or would belong to.
    pub(super) fn member_group(&mut self, file: &File, class: DefId, member: Sym) -> LeafId {
        self.file_group(file, file.member_group(class, member))
    }

    /// Notes that the present group read a function: its parameters, their kinds and number.
    pub(super) fn read_function(&mut self, file: &File, function: FunctionId) {
        let group = self.function_group(file, function);
        self.record.link(self.group, group);
    }

    /// The group that a function belongs to: that of the definition around it, else the whole file's.
    pub(super) fn function_group(&mut self, file: &File, function: FunctionId) -> LeafId {
        let facts = &file.facts;
        let data = facts.function(function);
        let owner = data.definition.or_else(|| data.scope.and_then(|scope| facts.scope(scope).owner));
        match owner {
            Some(def) => self.definition_group(file, def),
            None if file.external => self.outside[file.language],
            None => self.record.id(Leaf::Surface(file.id)),
        }
    }

    /// Does something as part of another group, which the present one then has read.
    pub(super) fn within<T>(&mut self, group: LeafId, work: impl FnOnce(&mut Self) -> T) -> T {
        self.record.link(self.group, group);
        let outer = std::mem::replace(&mut self.group, group);
        let result = work(self);
        self.group = outer;
        result
    }

    // --------------------------------------------------------------------------------------------- questions

    /// The answer to a question: the least solution of all equations that it rests on.
    pub(super) fn ask(&mut self, question: TypeQuestion) -> Types {
        let group = self.question_group(question);
        self.record.link(self.group, group);
        let is_local = matches!(self.record.leaf(group), Leaf::Unit(_));
        let id = match self.table(is_local).ask(question) {
            Ask::Known(types) => return types,
            Ask::Compute(id) => id,
        };
        let outer = std::mem::replace(&mut self.group, group);
        let types = loop {
            let types = stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || self.compute(question));
            if let Some(types) = self.table(is_local).answer(id, types) {
                break types;
            }
        };
        self.group = outer;
        types
    }

    fn table(&mut self, is_local: bool) -> &mut Table<TypeQuestion, Types> {
        if is_local { &mut self.local } else { &mut self.types }
    }

    /// Forgets what only the unit that was in work asked.
    pub(super) fn end_unit(&mut self) {
        self.local.clear();
    }

    fn question_group(&mut self, question: TypeQuestion) -> LeafId {
        match question {
            TypeQuestion::Expr(_, _, group) | TypeQuestion::Binding(_, _, group) => group,
            TypeQuestion::Result(function) | TypeQuestion::Parameter(function, _) => match self.file(function.file) {
                Some(file) => self.function_group(file, function.function),
                None => self.group,
            },
            TypeQuestion::Symbol(file, def) | TypeQuestion::Alias(file, def) => self.symbol_group(file, def),
            TypeQuestion::Super(class, _) => self.symbol_group(class.file, class.def),
            TypeQuestion::Member(class, name) => self.class_member_group(class, name),
        }
    }

    fn compute(&mut self, question: TypeQuestion) -> Types {
        let outer = self.unfolding.take();
        let types = match question {
            TypeQuestion::Expr(file, expr, _) => self.compute_expr(file, expr),
            TypeQuestion::Binding(file, binding, _) => self.compute_binding(file, binding),
            TypeQuestion::Result(function) => self.compute_result(function),
            TypeQuestion::Parameter(function, index) => self.compute_parameter(function, index),
            TypeQuestion::Symbol(file, def) => self.compute_symbol(file, def),
            TypeQuestion::Member(class, name) => self.compute_member(class, name),
            TypeQuestion::Super(class, base) => self.compute_super(class, base),
            TypeQuestion::Alias(file, def) => self.compute_alias(file, def),
        };
        self.unfolding = outer;
        types
    }

    /// What an expression can be. Only what costs something to find out is kept as an answer of its own.
    pub(super) fn expr(&mut self, file: FileId, expr: ExprId) -> Types {
        let is_cheap = self.file(file).is_some_and(|data| {
            matches!(
                data.facts.expr(expr),
                Expr::Unknown
                    | Expr::Name(_)
                    | Expr::Literal(_)
                    | Expr::Function(_)
                    | Expr::Class(_)
                    | Expr::Object(_)
                    | Expr::This(_)
                    | Expr::Super { .. }
                    | Expr::Parameter(..)
                    | Expr::Sent
            )
        });
        if is_cheap { self.compute_expr(file, expr) } else { self.ask(TypeQuestion::Expr(file, expr, self.group)) }
    }

    /// What a type form says. Forms end in names; what a name means is a question of its own.
    pub(super) fn form(&mut self, file: FileId, form: FormId) -> Types {
        let outer = self.unfolding;
        if let Some(unfolding) = &mut self.unfolding {
            unfolding.nested = true;
        }
        let types = self.level_form(file, form);
        self.unfolding = outer;
        types
    }

    /// The same of a form that stands in no other type: all of a definition, or a part of a union.
    pub(super) fn level_form(&mut self, file: FileId, form: FormId) -> Types {
        stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || self.compute_form(file, form))
    }

    // ----------------------------------------------------------------------------------------------- modules

    /// Where an import leads.
    pub(super) fn import_place(&mut self, file: &File, import: ImportId) -> Place {
        if let Some((place, looks)) = self.imports.get(&(file.id, import)).cloned() {
            self.read_all(&looks);
            return place;
        }
        let data = &file.facts.surface.imports[import.index()];
        let (place, looks) = self.resolve_module(file, file.text(data.module), data.level);
        self.read_all(&looks);
        self.imports.insert((file.id, import), (place, looks));
        place
    }

    /// Where an absolute module name leads.
    pub(super) fn module_place(&mut self, file: &File, module: &str) -> Place {
        let (place, looks) = self.resolve_module(file, module, 0);
        self.read_all(&looks);
        place
    }

    fn resolve_module(&mut self, file: &File, module: &str, level: u32) -> (Place, Rc<[LeafId]>) {
        let rules = self.rules(file);
        if file.external {
            return (Place::External(rules.prelude(module)), Rc::from([]));
        }
        let from = self.project.path(file.id).as_str();
        let mut looked = Vec::new();
        let request = crate::languages::Request { from, module, level };
        let resolved = rules.modules.resolve(request, &mut |look| looked.push(look));
        let place = match self.place(resolved) {
            Place::External(_) => Place::External(rules.prelude(module)),
            place => place,
        };
        (place, self.keep_looks(looked))
    }

    fn keep_looks(&mut self, looked: Vec<Look>) -> Rc<[LeafId]> {
        looked.into_iter().map(|look| self.record.id(Leaf::Look(look))).collect()
    }

    fn read_all(&mut self, looks: &[LeafId]) {
        for &look in looks {
            self.record.link(self.group, look);
        }
    }

    fn place(&mut self, resolved: Resolved) -> Place {
        match resolved {
            Resolved::File(path) => self.project.id(path.as_str()).map_or(Place::Missing, Place::File),
            Resolved::Namespace(directory) => {
                let at = self.directories.iter().position(|known| *known == directory).unwrap_or_else(|| {
                    self.directories.push(directory);
                    self.directories.len() - 1
                });
                Place::Namespace(at as u32)
            }
            Resolved::External => Place::External(None),
            Resolved::Missing => Place::Missing,
        }
    }

    /// The module of this name below a package.
    pub(super) fn child_place(&mut self, language: usize, parent: Place, name: Sym) -> Place {
        if let Some((place, looks)) = self.children.get(&(parent, name)).cloned() {
            self.read_all(&looks);
            return place;
        }
        let rules = &self.project.languages[language];
        let resolved = match parent {
            Place::File(file) if !self.project.is_external(file) => Resolved::File(self.project.path(file).clone()),
            Place::Namespace(at) => Resolved::Namespace(self.directories[at as usize].clone()),
            Place::External(Some(file)) | Place::File(file) => {
                // `os.path`: a prelude module below another.
                let text = self.text_of(name);
                let module = self.project.prelude_module(file).unwrap_or_default();
                return Place::External(rules.prelude(&format!("{module}.{text}")));
            }
            Place::External(None) => return Place::External(None),
            Place::Missing => return Place::Missing,
        };
        let text = self.text_of(name);
        let mut looked = Vec::new();
        let found = rules.modules.child(&resolved, &text, &mut |look| looked.push(look));
        let place = self.place(found);
        let looks = self.keep_looks(looked);
        self.read_all(&looks);
        self.children.insert((parent, name), (place, looks));
        place
    }

    /// Remembers the text of a name, so that it can be looked for in files that do not have it.
    pub(super) fn sym(&mut self, file: &File, name: Name) -> Sym {
        let sym = file.sym(name);
        self.texts.entry(sym).or_insert_with(|| file.text(name).into());
        sym
    }

    pub(super) fn sym_of(&mut self, text: &str) -> Sym {
        let sym = Sym::of(text);
        self.texts.entry(sym).or_insert_with(|| text.into());
        sym
    }

    pub(super) fn text_of(&self, sym: Sym) -> Arc<str> {
        self.texts.get(&sym).cloned().unwrap_or_else(|| "".into())
    }

    // ----------------------------------------------------------------------------------------------- library

    /// A class of the prelude by its name in the builtins, or by `module.Name`.
    pub(super) fn library_class(&mut self, language: usize, name: &'static str) -> Option<ClassRef> {
        if let Some(&class) = self.library.get(&(language, name)) {
            return class;
        }
        let rules = &self.project.languages[language];
        let (module, class) = match name.rsplit_once('.') {
            Some((module, class)) => (module, class),
            None => (rules.semantics().builtins, name),
        };
        let sym = self.sym_of(class);
        let class = rules.prelude(module).and_then(|file| {
            self.lookup_list(file, sym).into_iter().find_map(|meaning| match meaning {
                Meaning::Definition(file, def) => Some(ClassRef { file, def }),
                _ => None,
            })
        });
        self.library.insert((language, name), class);
        class
    }

    /// An instance of a class of the prelude.
    pub(super) fn library_instance(&mut self, language: usize, name: &'static str, arguments: &[Types]) -> Types {
        match self.library_class(language, name) {
            Some(class) => {
                let list = self.lattice.list(arguments);
                self.lattice.one(Ty::Instance(class, list))
            }
            None => Types::EXTERNAL,
        }
    }

    /// The meaning of a prelude's definition that is no ordinary declaration.
    pub(super) fn special(&self, file: &File, def: DefId) -> Option<crate::languages::Special> {
        let module = self.project.prelude_module(file.id)?;
        let definition = file.facts.definition(def);
        if definition.parent.is_some() {
            let parent = file.facts.definition(definition.parent?);
            let name = format!("{module}.{}.{}", file.text(parent.name), file.text(definition.name));
            return self.rules(file).special(&name);
        }
        self.rules(file).special(&format!("{module}.{}", file.text(definition.name)))
    }
}
