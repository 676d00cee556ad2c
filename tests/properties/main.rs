//! Properties of graphs on random small repositories: what comes out depends on the files, and on nothing else.
//!
//! The seeds are fixed and the number of cases is bounded; `PROPERTY_CASES` multiplies it for a longer search. A
//! failure is shrunk and printed as a page of `tests/documents`.

mod history;
mod python;
mod sources;
mod typescript;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use repo_graph::config::{Config, Strictness};
use repo_graph::facts::Facts;
use repo_graph::graph::{ModuleTable, Unit};
use repo_graph::index::{At, Loaded, Options, Session};
use repo_graph::languages::{self, Language, Layout};
use repo_graph::names::{Dialect, RepoPath};
use repo_graph::resolve::{Engine, FileId, Project, Source};
use repo_graph::snapshot::{FileKind, file_kind};
use repo_graph::unit_codec;
use sources::{CONFIGURATION, Edit, Files, edit, files, page, text};

/// Stack of the thread that makes random cases, whose generators nest deep when they are not optimised; bytes.
const STACK: usize = 64 << 20;

/// Runs a property on so many random cases, always the same ones.
fn check<S: Strategy>(
    cases: u32,
    strategy: impl Fn() -> S + Send + Sync,
    property: impl Fn(S::Value) -> Result<(), String> + Send,
) {
    let run = || run(cases, &strategy(), property);
    let failure = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread can be started").join().expect("a property fails by its result")
    });
    if let Some(failure) = failure {
        panic!("{failure}");
    }
}

fn run<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(S::Value) -> Result<(), String>) -> Option<String> {
    let factor = std::env::var("PROPERTY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let config = ProptestConfig {
        cases: cases * factor,
        max_shrink_iters: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let property = |value| property(value).map_err(TestCaseError::fail);
    match runner.run(strategy, property) {
        Ok(()) => None,
        Err(TestError::Fail(reason, _)) => Some(reason.to_string()),
        Err(TestError::Abort(reason)) => Some(reason.to_string()),
    }
}

/// The facts of files that are in no repository.
struct Loose(Vec<Option<Arc<Facts>>>);

/// The facts of preludes by their texts: to make them costs more than all else about a small repository.
static PRELUDES: Mutex<BTreeMap<String, Arc<Facts>>> = Mutex::new(BTreeMap::new());

impl Source for Loose {
    fn facts(&self, position: usize) -> Option<Arc<Facts>> {
        self.0[position].clone()
    }

    fn defining(&self, name: &str) -> Vec<usize> {
        let defines = |facts: &Arc<Facts>| facts.surface.definitions.iter().any(|d| facts.text(d.name) == name);
        (0..self.0.len()).filter(|&at| self.0[at].as_ref().is_some_and(defines)).collect()
    }

    fn prelude(&self, language: &dyn Language, dialect: Dialect, text: &str) -> Arc<Facts> {
        let mut known = PRELUDES.lock().expect("making facts does not panic");
        known.entry(text.to_owned()).or_insert_with(|| Arc::new(language.facts(dialect, text.as_bytes()))).clone()
    }
}

fn layout(files: &Files) -> Arc<Layout> {
    let mut layout = Layout::default();
    for (path, chunks) in files {
        let (dialect, path) = (dialect(path), RepoPath::from_escaped(path));
        if dialect == Dialect::Configuration {
            layout.configurations.insert(path.clone(), text(chunks));
        }
        layout.files.push((path, dialect));
    }
    Arc::new(layout)
}

/// As what a file is read; one that would not be read is configuration here, which has no facts either.
fn dialect(path: &str) -> Dialect {
    match file_kind(path.rsplit('/').next().unwrap_or_default().as_bytes()) {
        FileKind::Read(dialect) => dialect,
        _ => Dialect::Configuration,
    }
}

fn loose(files: &Files) -> Loose {
    let facts = |(path, chunks): (&&'static str, &Vec<String>)| {
        let dialect = dialect(path);
        let language = languages::for_dialect(dialect)?;
        Some(Arc::new(language.facts(dialect, text(chunks).as_bytes())))
    };
    Loose(files.iter().map(facts).collect())
}

fn difference(name: &str, one: Option<&Unit>, other: Option<&Unit>) -> String {
    let lines = |unit: Option<&Unit>| unit.map_or(String::new(), |unit| format!("{unit:#?}\n"));
    let diff = similar::TextDiff::from_lines(lines(one), lines(other)).unified_diff().context_radius(6).to_string();
    format!("{name}:\n{diff}\n")
}

/// What a unit is does not depend on what was asked before it.
#[test]
fn the_order_of_questions_changes_nothing() {
    let shuffled = || {
        files().prop_flat_map(|files| {
            let order: Vec<usize> = (0..files.len()).collect();
            (Just(files), Just(order).prop_shuffle())
        })
    };
    check(200, shuffled, |(files, order)| {
        let facts = loose(&files);
        let project = Project::new(layout(&files), languages::all(), &facts);
        let mut engine = Engine::new(&project);
        for at in order {
            let file = FileId(at as u32);
            let (after_others, alone) = (engine.unit(file), Engine::new(&project).unit(file));
            if after_others != alone {
                let path = files.keys().nth(at).copied().unwrap_or_default();
                let difference = difference(path, alone.as_ref(), after_others.as_ref());
                return Err(format!("{}{difference}", page(&Files::new(), &files)));
            }
        }
        Ok(())
    });
}

fn write(root: &Path, before: &Files, after: &Files) {
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        std::fs::remove_file(root.join(path)).expect("was written");
    }
    for (path, chunks) in after.iter().filter(|(path, chunks)| before.get(*path) != Some(chunks)) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("below the root")).expect("a directory of our own");
        std::fs::write(path, text(chunks)).expect("a directory of our own");
    }
}

fn open(root: &Path, database: &Path) -> Session {
    let (start, root, database) = (root.to_owned(), Some(root.to_owned()), Some(database.to_owned()));
    Session::open(Options { start, root, database, no_index: false }).expect("a directory of our own")
}

/// Units by the paths of their files.
type Units = BTreeMap<String, Arc<Unit>>;

fn units(loaded: &Loaded) -> Units {
    let graph = loaded.graph();
    let paths = graph.entries().iter().map(|entry| entry.path.as_str());
    paths.filter_map(|path| Some((path.to_owned(), graph.unit(path)?))).collect()
}

/// What two graphs differ in; nothing, when their digests are the same.
fn compare(expected: &Loaded, found: &Loaded) -> Result<(), String> {
    if expected.digest == found.digest { Ok(()) } else { compare_units(&units(expected), &units(found)) }
}

fn compare_units(expected: &Units, found: &Units) -> Result<(), String> {
    let mut text = String::new();
    for path in expected.keys().chain(found.keys().filter(|path| !expected.contains_key(*path))) {
        let (one, other) = (expected.get(path), found.get(path));
        if one.map(|unit| unit_codec::encode(unit)) != other.map(|unit| unit_codec::encode(unit)) {
            text.push_str(&difference(path, one.map(|unit| &**unit), other.map(|unit| &**unit)));
        }
    }
    if text.is_empty() { Ok(()) } else { Err(format!("- expected, + found\n{text}")) }
}

/// The names of modules and the units of files, made from nothing but their texts.
fn from_scratch(files: &Files) -> (ModuleTable, Units) {
    let config = files.get(CONFIGURATION).map(|chunks| text(chunks));
    let config = config.map(|text| Config::read(CONFIGURATION, text.as_bytes(), Strictness::Lenient));
    let config = config.and_then(|read| read.expect("lenient reading cannot fail").0).unwrap_or_default();
    let files: Files =
        files.iter().filter(|(path, _)| !config.excludes(path.as_bytes())).map(|(p, c)| (*p, c.clone())).collect();
    let facts = loose(&files);
    let project = Project::new(layout(&files), languages::all(), &facts);
    let mut engine = Engine::new(&project);
    let paths = files.keys().enumerate();
    let unit = |(at, path): (usize, &&str)| Some(((*path).to_owned(), Arc::new(engine.unit(FileId(at as u32))?)));
    let units = paths.filter_map(unit).collect();
    (project.module_table(), units)
}

/// After any sequence of edits the graph is the one that is made from scratch, byte for byte.
#[test]
fn step_by_step_is_as_from_scratch() {
    let start = Start::new();
    let versions = || (files(), vec(vec(edit(), 1..4), 1..7));
    check(400, versions, move |(first, versions)| step_by_step(&start, first, &versions));
}

/// A re-export that comes to mean another function reaches who imports it, though no definition changed.
#[test]
fn what_a_module_passes_on_is_followed() {
    let chunk = |text: &str| vec![text.to_owned()];
    let versions = [
        "export { f as h } from \"../a\"",
        "export { g as h } from \"../a\"",
        "import { f, g } from \"../a\"\nexport { f as h }",
        "import { f, g } from \"../a\"\nexport { g as h }",
    ];
    let first = Files::from([
        ("a.ts", chunk("export function f() {}\nexport function g() {}")),
        ("b.ts", chunk("import { h } from \"./lib\"\nh()")),
        ("lib/index.ts", chunk(versions[0])),
    ]);
    let edit = |text: &&str| vec![Edit::Write("lib/index.ts", chunk(text))];
    let edits: Vec<Vec<Edit>> = versions[1..].iter().map(edit).collect();
    step_by_step(&Start::new(), first, &edits).unwrap_or_else(|story| panic!("{story}"));
}

/// A name that joins or leaves `__all__` reaches who has it through stars, though its definition did not change.
#[test]
fn what_all_lists_is_followed() {
    let chunk = |text: &str| vec![text.to_owned()];
    let module = |all: &str| chunk(&format!("{all}\ndef f(): ...\ndef _g(): ...\n"));
    let first = Files::from([
        ("a.py", chunk("from pkg import f, _g\nf()\n_g()\n")),
        ("pkg/__init__.py", chunk("from .m import *\n")),
        ("pkg/m.py", module("__all__ = ['f']")),
    ]);
    let lists = ["__all__ = ['f', '_g']", "__all__ = ['_g']", "__all__ = []", "", "__all__ = ['_g', 'f']"];
    let edits: Vec<Vec<Edit>> = lists.iter().map(|all| vec![Edit::Write("pkg/m.py", module(all))]).collect();
    step_by_step(&Start::new(), first, &edits).unwrap_or_else(|story| panic!("{story}"));
}

/// A database with the facts of the preludes, and little else.
struct Start(tempfile::TempDir);

impl Start {
    fn new() -> Start {
        let start = Start(tempfile::tempdir().expect("a temporary directory"));
        let root = start.0.path().join("root");
        let chunk = |text: &str| vec![text.to_owned()];
        write(&root, &Files::new(), &Files::from([("a.py", chunk("[].append(1)")), ("a.ts", chunk("[].push(1)"))]));
        open(&root, &start.database()).load(&At::Disk).expect("a directory of our own");
        start
    }

    fn database(&self) -> PathBuf {
        self.0.path().join("start.db")
    }
}

fn step_by_step(start: &Start, first: Files, versions: &[Vec<Edit>]) -> Result<(), String> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (root, database) = (directory.path().join("root"), directory.path().join("steps.db"));
    std::fs::create_dir(&root).expect("a directory of our own");
    std::fs::copy(start.database(), &database).expect("a directory of our own");
    let session = open(&root, &database);
    let mut before = Files::new();
    let mut after = first;
    let mut story = String::new();
    for step in 0..=versions.len() {
        write(&root, &before, &after);
        story.push_str(&format!("Version {step}\n\n{}", page(&before, &after)));
        let found = session.load(&At::Disk).map_err(|error| format!("{story}{error}"))?;
        let (modules, expected) = from_scratch(&after);
        compare_units(&expected, &units(&found)).map_err(|difference| format!("{story}{difference}"))?;
        if modules.entries() != found.graph().modules().entries() {
            return Err(format!("{story}{:?}\n{:?}", modules.entries(), found.graph().modules().entries()));
        }
        before = after.clone();
        for edit in versions.get(step).into_iter().flatten() {
            edit.apply(&mut after);
        }
    }
    Ok(())
}

/// The number of threads changes nothing.
#[test]
fn one_thread_and_eight_make_the_same_graph() {
    check(
        4,
        || vec(files(), 14),
        |copies| {
            let directory = tempfile::tempdir().expect("a temporary directory");
            let root = directory.path().join("root");
            for (at, files) in copies.iter().enumerate() {
                write(&root.join(format!("copy{at}")), &Files::new(), files);
            }
            let with = |threads: usize| {
                let pool =
                    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
                let session = open(&root, &directory.path().join(format!("{threads}.db")));
                pool.install(|| session.load(&At::Disk)).expect("a directory of our own")
            };
            compare(&with(1), &with(8))
        },
    );
}
