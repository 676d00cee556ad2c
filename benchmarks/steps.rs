//! The inner steps, one by one: text → facts, facts → bytes and back, facts → units, and a search in what is stored.
//!
//! `cargo bench --bench steps` measures all, `cargo bench --bench steps -- facts` some. The texts are files of this
//! repository, so a figure means something only beside that of another version on the same machine.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use repo_graph::ask::Desk;
use repo_graph::facts::{Facts, codec};
use repo_graph::index::{At, Options};
use repo_graph::languages::{self, Layout};
use repo_graph::names::{Dialect, RepoPath};
use repo_graph::queries;
use repo_graph::resolve::{Engine, FileId, Project, Source};
use repo_graph::snapshot::{FileKind, file_kind};
use serde_json::json;

// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One file of each dialect; the declarations of the libraries are the longest that we have.
const TEXTS: [(&str, Dialect, &str); 4] = [
    ("python", Dialect::Python, "src/languages/python/prelude/builtins.pyi"),
    ("typescript", Dialect::TypeScript, "src/languages/typescript/prelude/globals.ts"),
    ("tsx", Dialect::Tsx, "fixtures/web/src/components/CartView.tsx"),
    ("javascript", Dialect::JavaScript, "fixtures/web/src/legacy.js"),
];
const FIXTURES: [&str; 2] = ["shop", "web"];

criterion_group!(steps, text_to_facts, facts_as_bytes, facts_to_units, search);
criterion_main!(steps);

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn facts(dialect: Dialect, text: &[u8]) -> Facts {
    languages::for_dialect(dialect).expect("the build has every language").facts(dialect, text)
}

/// Parse one file and take out what it says.
fn text_to_facts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("facts");
    for (name, dialect, path) in TEXTS {
        let text = fs::read(here(path)).expect("our own file");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| facts(dialect, black_box(&text))));
    }
}

/// Write the facts of one file, and read them again.
fn facts_as_bytes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("codec");
    for (name, dialect, path) in TEXTS {
        let facts = facts(dialect, &fs::read(here(path)).expect("our own file"));
        let bytes = codec::encode(&facts);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("encode {name}"), |bencher| bencher.iter(|| codec::encode(black_box(&facts))));
        group.bench_function(format!("decode {name}"), |bencher| bencher.iter(|| codec::decode(black_box(&bytes))));
    }
}

/// Resolve all files of a fixture, with the preludes that they ask for.
fn facts_to_units(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("resolve");
    for name in FIXTURES {
        let (layout, source) = fixture(&here("fixtures").join(name));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let project = Project::new(layout.clone(), languages::all(), &source);
                let mut engine = Engine::new(&project);
                let files = 0..layout.files.len() as u32;
                files.filter_map(|file| engine.unit(FileId(file))).count()
            });
        });
    }
}

/// Find a symbol by a word of its name, in a graph that is stored and not brought up to date.
fn search(criterion: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let open = |no_index| {
        let (start, database) = (here("fixtures/web"), Some(scratch.path().join("graph.db")));
        Desk::open(Options { root: Some(start.clone()), start, database, no_index }).expect("a fixture can be opened")
    };
    open(false).session.index(&At::Disk, false).expect("a fixture can be indexed");
    let desk = open(true);
    let arguments = json!({"query": "format"}).as_object().expect("an object").clone();
    let call = queries::tool("find_symbol").and_then(|tool| tool.call(arguments)).expect("a right call");
    criterion.bench_function("search", |bencher| bencher.iter(|| desk.ask(&call).ok().expect("an answer").text));
}

/// The facts of a few files, by their position.
struct Fixture(Vec<Option<Arc<Facts>>>);

impl Source for Fixture {
    fn facts(&self, position: usize) -> Option<Arc<Facts>> {
        self.0[position].clone()
    }

    fn defining(&self, name: &str) -> Vec<usize> {
        let defines = |facts: &Facts| facts.surface.definitions.iter().any(|d| facts.text(d.name) == name);
        let files = self.0.iter().enumerate();
        files.filter(|(_, facts)| facts.as_deref().is_some_and(defines)).map(|(at, _)| at).collect()
    }
}

/// The files below a directory as resolution wants them.
fn fixture(root: &Path) -> (Arc<Layout>, Fixture) {
    let mut read = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("our own directory") {
            let path = entry.expect("our own directory").path();
            let name = path.strip_prefix(root).expect("below it").to_string_lossy().replace('\\', "/");
            let name = RepoPath::from_escaped(&name);
            if path.is_dir() {
                open.push(path);
            } else if let FileKind::Read(dialect) = file_kind(name.file_name().as_bytes()) {
                read.insert(name, (dialect, fs::read(&path).expect("our own file")));
            }
        }
    }
    let mut layout = Layout::default();
    let mut all = Vec::new();
    for (path, (dialect, text)) in read {
        if dialect == Dialect::Configuration {
            layout.configurations.insert(path.clone(), String::from_utf8_lossy(&text).into_owned());
        }
        all.push((dialect != Dialect::Configuration).then(|| Arc::new(facts(dialect, &text))));
        layout.files.push((path, dialect));
    }
    (Arc::new(layout), Fixture(all))
}
