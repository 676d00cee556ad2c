//! Languages: text → facts, and what resolution must ask about a language.
//!
//! One folder per language. This is the only place that uses tree-sitter. A language knows no other file while it makes
//! facts; its module rules know the paths of a snapshot and the text of its configuration files, and nothing else.
//! `resolve/` knows no language by name: it asks the traits of this page.

pub(crate) mod python;
pub(crate) mod text;
pub(crate) mod tokens;
#[cfg(feature = "typescript")]
pub(crate) mod typescript;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::names::{Dialect, ModuleName, RepoPath};

/// Every language of this build. Where two have a module of one name, the earlier one keeps the bare name.
const LANGUAGES: &[&dyn Language] = &[
    &python::Python,
    #[cfg(feature = "typescript")]
    &typescript::TypeScript,
];

/// Every language of this build.
pub fn all() -> &'static [&'static dyn Language] {
    LANGUAGES
}

/// The language that reads a dialect, if this build has it.
pub fn for_dialect(dialect: Dialect) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|language| language.dialects().contains(&dialect))
}

/// One language: how its text becomes facts, and its rules.
pub trait Language: Sync {
    /// As named in the identity of snapshots: `python`.
    fn name(&self) -> &'static str;

    /// Grows whenever the facts or the rules of this language change, so that what is cached is made anew.
    fn version(&self) -> u32;

    /// What it reads.
    fn dialects(&self) -> &'static [Dialect];

    /// The facts of one blob, and the pieces of its text. Any bytes have facts; what could not be read is among their
    /// problems. The pieces of another version of the text save work and change nothing of the facts.
    fn extract(&self, dialect: Dialect, text: &[u8], before: &Pieces) -> (Facts, Pieces);

    /// The facts of one blob alone.
    fn facts(&self, dialect: Dialect, text: &[u8]) -> Facts {
        self.extract(dialect, text, &Pieces::default()).0
    }

    /// Declarations of the builtins and the parts of the standard library that decide types in a project, as
    /// (module name, source text in the language itself). They are outside every project: no edge leads to them.
    fn prelude(&self) -> &'static [(&'static str, &'static str)];

    /// The module rules for one snapshot.
    fn modules(&self, layout: &Arc<Layout>) -> Box<dyn Modules>;

    /// What the engine asks about meaning.
    fn semantics(&self) -> &'static Semantics;
}

/// What is kept of the syntax of a text, so that of another version only what differs is parsed. A language's own bytes;
/// none where nothing is kept.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pieces(pub Vec<u8>);

/// The paths of a snapshot and the texts of its configuration files, as module rules may read them.
#[derive(Clone, Default, Debug)]
pub struct Layout {
    /// Every file with a dialect, sorted by path.
    pub files: Vec<(RepoPath, Dialect)>,
    /// The text of each file of the dialect [`Dialect::Configuration`], by path. UTF-8, or replaced where it is not.
    pub configurations: BTreeMap<RepoPath, String>,
    /// Where each file is, made when it is first asked: every import asks for several paths.
    positions: OnceLock<FxHashMap<RepoPath, u32>>,
}

impl Layout {
    /// Of files sorted by path, and the texts of configuration files.
    pub fn new(files: Vec<(RepoPath, Dialect)>, configurations: BTreeMap<RepoPath, String>) -> Layout {
        Layout { files, configurations, positions: OnceLock::new() }
    }

    /// The position of a file in `files`, which grow no more once this is asked.
    pub fn position(&self, path: &str) -> Option<usize> {
        let all = || self.files.iter().zip(0..).map(|((path, _), at)| (path.clone(), at)).collect();
        self.positions.get_or_init(all).get(path).map(|&at| at as usize)
    }

    /// Whether the snapshot has a file of this path.
    pub fn has_file(&self, path: &str) -> bool {
        self.position(path).is_some()
    }

    /// Whether any file lies below this directory (`""` is the root).
    pub fn has_directory(&self, directory: &str) -> bool {
        if directory.is_empty() {
            return !self.files.is_empty();
        }
        let prefix = format!("{directory}/");
        let first = self.files.partition_point(|(p, _)| p.as_str() < prefix.as_str());
        self.files.get(first).is_some_and(|(path, _)| path.as_str().starts_with(&prefix))
    }
}

/// Something that module resolution looked at. A unit stays valid while everything it looked at is unchanged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Look {
    /// Whether a file of this path is in the snapshot.
    File(String),
    /// Whether anything is below this directory.
    Directory(String),
    /// What a set of configuration says that is shared by many files: source roots, workspaces, a `tsconfig.json`. The
    /// key names it; [`Modules::configuration`] gives its present content.
    Configuration(String),
}

/// What an import asks for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The importing file.
    pub from: &'a str,
    /// `a.b`, `./util`, `react`
    pub module: &'a str,
    /// Leading dots (Python).
    pub level: u32,
}

/// Where an import leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolved {
    /// To a file of the project.
    File(RepoPath),
    /// A directory that is a module without a file (PEP 420); the path has no trailing slash.
    Namespace(String),
    /// Outside the project.
    External,
    /// It should be in the project (a relative import, a name below a project package) but is not.
    Missing,
}

/// The module rules of one language for one snapshot.
pub trait Modules: Send + Sync {
    /// The printed name of every file of this language; unique.
    fn names(&self) -> Vec<(RepoPath, ModuleName)>;

    /// Where an import leads. Every look is noted, those that found nothing too.
    fn resolve(&self, request: Request<'_>, looked: &mut dyn FnMut(Look)) -> Resolved;

    /// The module `name` below a package (a file such as `pkg/__init__.py`, or a namespace directory).
    fn child(&self, parent: &Resolved, name: &str, looked: &mut dyn FnMut(Look)) -> Resolved;

    /// The present content of a configuration that was looked at; any text that changes when the content does.
    fn configuration(&self, key: &str) -> String;

    /// All keys of [`Look::Configuration`] that exist in this snapshot, sorted: to compare two snapshots.
    fn configuration_keys(&self) -> Vec<String>;

    /// The path at which the stub of a module would stand: a file that supplies annotations to its names (`lib.pyi` of
    /// `lib.py`).
    fn stub(&self, _path: &str) -> Option<String> {
        None
    }

    /// The path at which the module of a stub would stand.
    fn stubbed(&self, _path: &str) -> Option<String> {
        None
    }

    /// Whether the test runners of the language take this file for tests.
    fn is_test_file(&self, path: &str) -> bool;

    /// Whether this file is no test itself but only serves tests (`conftest.py`).
    fn is_test_support(&self, _path: &str) -> bool {
        false
    }

    /// The files whose fixtures a test file sees by name, nearest first, itself excluded (`conftest.py` upwards).
    fn fixture_files(&self, path: &str, looked: &mut dyn FnMut(Look)) -> Vec<RepoPath>;

    /// The file that a test file is named after, if exactly one is (`test_cart.py` → `cart.py`).
    fn tested_by_name(&self, path: &str, looked: &mut dyn FnMut(Look)) -> Option<RepoPath>;
}

/// How bases are put in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linearization {
    /// C3, as Python does (<https://docs.python.org/3/howto/mro.html>).
    C3,
    /// Own members, then bases depth-first in order, each once.
    DepthFirst,
}

/// What differs between languages in meaning, as data.
#[derive(Debug)]
pub struct Semantics {
    /// The prelude module in which free names are looked up.
    pub builtins: &'static str,
    /// In which order the members of bases are looked for.
    pub linearization: Linearization,
    /// Members that construct, in the order in which they are looked for.
    pub constructors: &'static [&'static str],
    /// The member whose result a call of the class is, in a class of [`Flags::OWN_MAKER`](crate::facts::Flags::OWN_MAKER).
    pub maker: Option<&'static str>,
    /// The member that runs when an instance is called, if the language has one.
    pub call_member: Option<&'static str>,
    /// The member whose result is one element when the value is iterated over goes through these, each on the result of
    /// the one before (`__iter__`, `__next__`).
    pub iterate: &'static [&'static str],
    /// The same for asynchronous iteration (`__aiter__`, `__anext__`).
    pub iterate_async: &'static [&'static str],
    /// The members that give what a context manager is entered as (`__enter__`), each on the result of the one before.
    pub enter: &'static [&'static str],
    /// The same for `async with`.
    pub enter_async: &'static [&'static str],
    /// Members that mean "any attribute may exist" (`__getattr__`).
    pub dynamic_members: &'static [&'static str],
    /// The member that a subscript calls (`__getitem__`), if the language has one.
    pub get_item: Option<&'static str>,
    /// A module gives to others all that it binds (Python), not only what it exports.
    pub exports_all: bool,
    /// What a decorator returns takes the place of what it decorates. TypeScript's types say that it does not.
    pub decorators_replace: bool,
    /// The class of string literals. It and the following are names of [`Semantics::builtins`], or `module.Name` of
    /// another module of the prelude.
    pub text: &'static str,
    /// Of byte strings.
    pub bytes: &'static str,
    /// Of whole numbers.
    pub integer: &'static str,
    /// Of other real numbers.
    pub float: &'static str,
    /// Of imaginary numbers.
    pub complex: &'static str,
    /// Of `true` and `false`.
    pub boolean: &'static str,
    /// Of regular expressions that are literals.
    pub regex: &'static str,
    /// Of `[a, b]`, and of the rest parameters of functions.
    pub list: &'static str,
    /// Of `{a, b}`.
    pub set: &'static str,
    /// Of `{a: b}`.
    pub dict: &'static str,
    /// Of tuples whose length is not known.
    pub tuple: &'static str,
    /// What calling a generator function gives.
    pub generator: &'static str,
    /// What calling an asynchronous generator function gives.
    pub async_generator: &'static str,
    /// What calling an async function gives (`Coroutine`, `Promise`).
    pub promise: &'static str,
    /// Of functions, for members such as `call` and `__name__`.
    pub function: &'static str,
    /// The class that every class has as its last base.
    pub object: &'static str,
    /// Functions that run as tests when a test file has them (`test_`); empty: tests are blocks.
    pub test_prefix: &'static str,
    /// The method that gives the fixture of the name that it is called with.
    pub fixture_getter: Option<&'static str>,
    /// Classes whose methods run as tests: by prefix of the name.
    pub test_class_prefix: &'static str,
    /// Public method names of builtin and common standard types, sorted: the unique-name guess never takes them.
    pub common_methods: &'static [&'static str],
    /// Meanings of names of the prelude that are no ordinary declarations, as (`module.name`, meaning), sorted.
    pub special: &'static [(&'static str, Special)],
}

/// A name of a language's library that the engine must know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Special {
    // Type forms.
    /// `Optional[T]`: the argument, or none.
    Optional,
    /// `Union[A, B]`: any of the arguments.
    Union,
    /// `Callable[[A], B]`
    Callable,
    /// `type[T]`, `Type[T]`
    ClassOf,
    /// The first argument (`Annotated`, `ClassVar`, `Final`, `Required`).
    First,
    /// `Literal["a"]`: the values that are written.
    LiteralType,
    /// `Any`: nothing is known of it.
    Any,
    /// `Self`: the class around it.
    SelfType,
    /// A base that only declares type variables (`Generic`, `Protocol`).
    Generic,
    /// `Tuple[A, B]`
    Tuple,
    /// `NonNullable<T>` and the like: the argument without none.
    Present,
    /// `ReturnType<F>`
    ReturnType,
    /// `InstanceType<C>`: what `new C` gives.
    InstanceType,
    /// `Parameters<F>`
    Parameters,
    /// `Awaited<T>`
    Awaited,
    /// `Record<K, V>`
    Record,
    // Values.
    /// `TypeVar("T", bound=…)` as a value: the name is a type variable.
    TypeVariable,
    /// `NewType("Id", int)`: a class of its own that is made by a call.
    NewType,
    /// `namedtuple(…)` and `NamedTuple(…)`: make a class.
    NamedTuple,
    /// `functools.partial(f, …)`: calls `f`.
    Partial,
    /// A decorator that makes fields into constructor parameters.
    Dataclass,
    /// `field(…)`: what a dataclass has in the place of a value.
    DataclassField,
    /// A function wrapper that keeps the function it is given: `functools.wraps(f)(g)` is `f`.
    Wraps,
    /// A decorator that makes a method be called when it is read.
    Property,
    /// The same, called once.
    CachedProperty,
    /// A decorator of a function that is given no receiver.
    StaticMethod,
    /// A decorator of a function whose receiver is the class.
    ClassMethod,
    /// A decorator of one signature of several; the implementation has none.
    Overload,
    /// A decorator of what sub-classes define.
    Abstract,
    /// `isinstance`, handled by extractors where it narrows.
    IsInstance,
    /// `getattr(x, "name")`: reads a member by its name.
    GetAttribute,
    /// `type(x)`: the class of the argument.
    TypeOfValue,
    /// `cast(T, x)`: the argument, said to be of a type.
    Cast,
    /// Declares a fixture (`pytest.fixture`).
    Fixture,
    /// `contextlib.contextmanager`: what the generator yields is entered.
    ContextManager,
    /// `copy.copy(x)`, `Object.freeze(x)`: the argument itself.
    Identity,
    /// `Object.assign(a, b)`: all of its arguments at once.
    Merge,
    /// `f.call(…)`, `f.apply(…)`: calls `f`; `f.bind(…)`: is `f`.
    CallFunction,
    /// See `CallFunction`.
    BindFunction,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_found_behind_names_that_sort_before_its_files() {
        let file = |path: &str| (RepoPath::from_escaped(path), Dialect::Python);
        let layout = Layout::new(vec![file("a-b/x.py"), file("a/x.py")], BTreeMap::new());
        assert!(layout.has_directory("a") && layout.has_directory("a-b") && layout.has_directory(""));
        assert!(!layout.has_directory("b") && !layout.has_directory("a/x"));
    }
}
