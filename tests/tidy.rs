//! The rules of the source tree that no compiler checks: who may use whom, what a file must and must not hold.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every module of the crate, lower layers first, with those that it may use.
const LAYERS: [(&str, &[&str]); 23] = [
    ("names", &[]),
    ("paths", &[]),
    ("words", &[]),
    ("json", &[]),
    ("config", &[]),
    ("snapshot", &["names"]),
    ("git", &["names", "config", "snapshot"]),
    ("facts", &["names"]),
    ("languages", &["names", "paths", "facts"]),
    ("graph", &["names", "facts"]),
    ("lookup", &["names", "words", "graph"]),
    ("unit_codec", &["names", "graph"]),
    ("memory_graph", &["names", "graph", "lookup", "unit_codec"]),
    ("resolve", &["names", "facts", "languages", "graph"]),
    ("store", &["names", "facts", "graph", "lookup", "unit_codec"]),
    (
        "index",
        &[
            "names",
            "config",
            "snapshot",
            "git",
            "facts",
            "languages",
            "graph",
            "unit_codec",
            "memory_graph",
            "resolve",
            "store",
        ],
    ),
    ("diff", &["names", "facts", "graph"]),
    ("queries", &["names", "paths", "words", "json", "snapshot", "facts", "graph", "diff"]),
    ("export", &["names", "json", "graph"]),
    ("ask", &["names", "snapshot", "graph", "index", "queries"]),
    ("mcp", &["json", "git", "index", "queries", "ask"]),
    (
        "cli",
        &[
            "names",
            "json",
            "snapshot",
            "git",
            "facts",
            "languages",
            "graph",
            "index",
            "queries",
            "export",
            "ask",
            "mcp",
        ],
    ),
    ("main", &[]),
];

/// Every crate that we depend on, with the modules that may name it. `*` stands for all of them.
const CRATES: &[(&str, &[&str])] = &[
    ("clap", &["cli", "export", "queries"]),
    ("clap_complete", &["cli"]),
    ("gix", &["git"]),
    ("globset", &["config", "languages"]),
    ("hashbrown", &["resolve"]),
    ("ignore", &["git"]),
    ("indicatif", &["cli"]),
    ("jsonc_parser", &["languages"]),
    ("memchr", &["languages"]),
    ("mimalloc", &["main"]),
    ("postcard", &["facts", "git", "index", "languages", "store", "unit_codec"]),
    ("rayon", &["git", "index"]),
    ("rmcp", &["mcp"]),
    ("rusqlite", &["store"]),
    ("rustc_hash", &["*"]),
    ("schemars", &["queries"]),
    ("serde", &["*"]),
    ("serde_json", &["cli", "json", "languages", "mcp", "queries"]),
    ("sha2", &["facts", "languages", "names"]),
    ("similar", &["config", "diff", "git"]),
    ("siphasher", &["resolve"]),
    ("smallvec", &["facts", "languages", "resolve"]),
    ("stacker", &["facts", "languages", "resolve"]),
    ("strsim", &["queries"]),
    ("thiserror", &["*"]),
    ("tokio", &["mcp"]),
    ("toml", &["config", "languages", "mcp"]),
    ("tree_sitter", &["languages"]),
    ("tree_sitter_javascript", &["languages"]),
    ("tree_sitter_python", &["languages"]),
    ("tree_sitter_typescript", &["languages"]),
    ("unicode_normalization", &["languages"]),
    ("zstd", &["store"]),
    // Tests and benchmarks only.
    ("criterion", &[]),
    ("libtest_mimic", &[]),
    ("proptest", &[]),
    ("tempfile", &[]),
    ("tiktoken_rs", &[]),
    ("wait4", &[]),
];

/// Lines of a file; beyond this it has more than one subject.
const MAX_LINES: usize = 800;
/// Names that say nothing of a file's subject.
const EMPTY_NAMES: [&str; 4] = ["utils.rs", "helpers.rs", "common.rs", "types.rs"];

/// What no file of ours may hold. Written in two parts, so that this file does not hold them.
const BANNED: [(&str, &str); 6] =
    [("todo", "!("), ("unimplemented", "!("), ("TO", "DO"), ("FIX", "ME"), ("#[ign", "ore"), ("dbg", "!(")];

/// What only some modules may do, as a part of the text.
const RESERVED: [(&str, &[&str]); 6] = [
    ("println!(", &[]),
    ("print!(", &[]),
    ("eprintln!(", &[]),
    ("process::exit(", &[]),
    ("std::process::Command", &["git", "cli"]),
    ("SystemTime::now(", &["store", "index", "git"]),
];

struct Source {
    /// Relative to the crate, with `/`.
    path: String,
    text: String,
}

impl Source {
    /// The module of the crate that the file belongs to.
    fn module(&self) -> &str {
        let below = self.path.strip_prefix("src/").unwrap_or(&self.path);
        below.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }

    /// Whether the whole file is compiled for tests only.
    fn is_test(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        !self.path.starts_with("src/") || self.path.contains("/tests/") || matches!(name, "tests.rs" | "testing.rs")
    }

    /// The lines of the program: without comments, and without the tests at the end. Numbered from 1.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let program = lines.take_while(|(_, line)| !line.starts_with("#[cfg(test)]") || line.ends_with("pub"));
        let ends = if self.is_test() { 0 } else { usize::MAX };
        program.take(ends).filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut directories: Vec<PathBuf> = vec![root.join("src"), root.join("tests")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("our own directory") {
            let path = entry.expect("our own directory").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("our own file");
                let path = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                found.push(Source { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Where `name` is used as a path's beginning.
fn names(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        line[at + name.len()..].starts_with("::")
            && !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

/// The modules of the crate that a line uses.
fn used_modules(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, prefix) in line.match_indices("crate::") {
        let rest = &line[at + prefix.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            found.push(&rest[..end]);
        }
    }
    found
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn a_layer_uses_only_the_layers_that_the_table_gives_it() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.path.starts_with("src/") && source.path != "src/lib.rs") {
        let Some((_, allowed)) = LAYERS.iter().find(|(module, _)| *module == source.module()) else {
            faults.push(format!("{}: not in the table of layers", source.path));
            continue;
        };
        for (number, line) in source.code() {
            for used in used_modules(line) {
                if used.is_empty() {
                    faults.push(format!("{}:{number}: write each `crate::module` out", source.path));
                } else if used != source.module() && !allowed.contains(&used) {
                    faults.push(format!("{}:{number}: {} may not use {used}", source.path, source.module()));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn the_table_has_no_circles() {
    for (at, (module, allowed)) in LAYERS.iter().enumerate() {
        for used in *allowed {
            let below = LAYERS[..at].iter().any(|(lower, _)| lower == used);
            assert!(below, "{module} uses {used}, which does not stand above it");
        }
    }
}

#[test]
fn a_crate_is_named_only_where_the_table_says() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.path.starts_with("src/")) {
        for (number, line) in source.code() {
            for (name, modules) in CRATES {
                let allowed = modules.contains(&"*") || modules.contains(&source.module());
                if !allowed && names(line, name) {
                    faults.push(format!("{}:{number}: {} may not name {name}", source.path, source.module()));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn every_dependency_stands_in_the_table() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).expect("our own file");
    let manifest: toml::Table = manifest.parse().expect("cargo reads it, too");
    let mut dependencies = BTreeSet::new();
    for section in ["dependencies", "dev-dependencies"] {
        let names = manifest[section].as_table().expect("a table").keys();
        dependencies.extend(names.map(|name| name.replace('-', "_")));
    }
    let table: BTreeSet<String> = CRATES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(dependencies, table);
}

#[test]
fn a_file_says_what_it_is_and_has_one_subject() {
    let mut faults = Vec::new();
    for source in sources() {
        if !source.text.starts_with("//!") {
            faults.push(format!("{}: the first line does not say what it is", source.path));
        }
        let lines = source.text.lines().count();
        if lines > MAX_LINES {
            faults.push(format!("{}: {lines} lines; divide it by subject", source.path));
        }
        if EMPTY_NAMES.iter().any(|name| source.path.ends_with(&format!("/{name}"))) {
            faults.push(format!("{}: a name that says nothing", source.path));
        }
    }
    report(&faults);
}

#[test]
fn nothing_is_left_for_later() {
    let mut faults = Vec::new();
    for source in sources() {
        for (number, line) in source.text.lines().enumerate() {
            for (one, other) in BANNED {
                if line.contains(&format!("{one}{other}")) {
                    faults.push(format!("{}:{}: {one}{other}", source.path, number + 1));
                }
            }
            if line.trim_start().starts_with("#[allow(") && !line.contains("reason = ") {
                faults.push(format!("{}:{}: an allowance without its reason", source.path, number + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn only_some_layers_print_end_the_program_or_ask_the_clock() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.path.starts_with("src/")) {
        for (number, line) in source.code() {
            for (what, modules) in RESERVED {
                if line.contains(what) && !modules.contains(&source.module()) {
                    faults.push(format!("{}:{number}: {what}", source.path));
                }
            }
            if line.contains(".unwrap()") {
                faults.push(format!("{}:{number}: say why it holds (`expect`), or give an error", source.path));
            }
        }
    }
    report(&faults);
}

/// A second language must fit in without touching resolution.
#[test]
fn resolution_knows_no_language_by_name() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.module() == "resolve") {
        for (number, line) in source.code() {
            for word in ["python", "typescript", "javascript", "Python", "TypeScript", "JavaScript", ".py\"", ".ts\""] {
                if line.contains(word) {
                    faults.push(format!("{}:{number}: {word}", source.path));
                }
            }
        }
    }
    report(&faults);
}

#[test]
fn sql_is_never_built_from_text() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.module() == "store") {
        for (number, line) in source.code() {
            let is_sql = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA "].iter().any(|word| line.contains(word));
            let is_made = line.contains("format!(") && is_sql;
            if is_made || line.contains("(&format!(") {
                faults.push(format!("{}:{number}: a statement that is no constant", source.path));
            }
        }
    }
    report(&faults);
}

/// A promise is worth its tests: those that SECURITY.md names are there.
#[test]
fn every_promise_has_the_tests_that_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("our own file");
    let mut faults = Vec::new();
    let mut named = 0;
    for link in page.lines().filter(|line| line.starts_with("| ")).flat_map(|line| line.split('[').skip(1)) {
        let (name, rest) = link.split_once("](").expect("a link");
        let path = rest.split(')').next().expect("a link");
        let text = fs::read_to_string(root.join(path)).unwrap_or_default();
        let is_there = match path.ends_with(".md") {
            true => text.lines().any(|line| line.strip_prefix("## ") == Some(name)),
            false => text.contains(&format!("fn {name}(")),
        };
        named += 1;
        if !is_there {
            faults.push(format!("{path} has no {name:?}"));
        }
    }
    report(&faults);
    assert!(named > 50, "{named}");
}
