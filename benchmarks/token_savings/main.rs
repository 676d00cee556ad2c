//! Tokens of our answers against those of searching and reading, over a fixed table of questions.
//!
//! The alternative is what an agent without the graph would take in: the lines that its searches print
//! (`path:line:text`), and each file that they name, once, with the numbers of its lines (`cat -n`): the answers name
//! lines, and so do the tools by which agents read. Searches are for whole words, in sources only, so they are as good
//! as such an agent's. Tokens are those of the vocabulary `o200k_base`.
//!
//! `cargo test --test token_savings` fails when the fixtures together come out below [`LEAST_FACTOR`], or when the table
//! in README.md is not what was measured; `UPDATE_EXPECT=1` writes the table. Larger repositories are measured when
//! `FIGURES_WORK` names the directory in which `cargo bench --bench figures` made them.

#[path = "../../tests/readme/page.rs"]
mod page;
mod questions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use questions::{PROJECTS, Place, Project, Question};
use tiktoken_rs::CoreBPE;

/// How many times dearer the alternative must be, over all questions about the fixtures.
const LEAST_FACTOR: f64 = 5.0;

/// The files that are searched.
const SOURCES: [&str; 12] = ["py", "pyi", "ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "json", "toml"];
/// Directories that no search looks into.
const HIDDEN: [&str; 4] = [".git", ".repo-graph", "node_modules", "__pycache__"];

/// What one question costs, in tokens.
struct Cost {
    ours: usize,
    search: usize,
    search_and_files: usize,
}

/// A project as it is searched and asked.
struct Opened {
    root: PathBuf,
    /// Held while a copy or a database is in it.
    scratch: tempfile::TempDir,
    sources: BTreeMap<String, String>,
}

impl Opened {
    /// The project, if this build reads it and it is here.
    fn open(project: &Project) -> Option<Opened> {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let root = match project.place {
            Place::Fixture("web") if cfg!(not(feature = "typescript")) => return None,
            Place::Fixture(name) => {
                let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
                let root = scratch.path().join(name);
                for (path, text) in sources(&fixture) {
                    let path = root.join(path);
                    fs::create_dir_all(path.parent().expect("below the root")).expect("our own directory");
                    fs::write(path, text).expect("our own directory");
                }
                root
            }
            Place::Corpus(name, _) => Path::new(&std::env::var_os("FIGURES_WORK")?).join(name),
        };
        let opened = Opened { sources: sources(&root), root, scratch };
        if let Place::Corpus(_, tag) = project.place {
            assert_eq!(opened.git(&["describe", "--tags", "--exact-match", "--dirty"]).trim(), tag);
        }
        if project.change.is_some() {
            opened.git(&["init", "-q", "-b", "main"]);
            opened.git(&["add", "."]);
            opened.git(&["commit", "-qm", "first"]);
        }
        Some(opened)
    }

    fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&self.root);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        // Answers name the commit, so it must be the same each time.
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "t").env(format!("GIT_{who}_EMAIL"), "t@example.invalid");
            command.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
        }
        output(&mut command)
    }

    fn ask(&self, query: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_repo-graph"));
        command.args(["-q", "query"]).args(query);
        command.arg("--root").arg(&self.root).arg("--db").arg(self.scratch.path().join("graph.db"));
        output(&mut command)
    }

    /// What the answer costs, and what it costs to search and read instead, after having seen `shown`.
    fn cost(&self, question: &Question, shown: &str, tokens: &CoreBPE) -> Cost {
        let count = |text: &str| tokens.encode_ordinary(text).len();
        let mut named: BTreeSet<&str> = question.reads.iter().copied().collect();
        let mut search = count(shown);
        for word in question.searches {
            let mut lines = String::new();
            for (path, text) in &self.sources {
                for (at, line) in text.lines().enumerate().filter(|(_, line)| holds(line, word)) {
                    named.insert(path);
                    lines.push_str(&format!("{path}:{}:{line}\n", at + 1));
                }
            }
            search += count(&lines);
        }
        let files: usize = named.iter().map(|path| count(&numbered(&self.sources[*path]))).sum();
        Cost { ours: count(&self.ask(question.query)), search, search_and_files: search + files }
    }
}

/// What a command prints; it must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("it can be started");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}

/// Whether a line has the text, and not as a part of a longer word.
fn holds(line: &str, text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(text).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + text.len()..].chars().next());
        let begins_inside = text.starts_with(is_word) && before.is_some_and(is_word);
        let ends_inside = text.ends_with(is_word) && after.is_some_and(is_word);
        !begins_inside && !ends_inside
    })
}

/// A file as `cat -n` prints it.
fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{:>6}\t{line}\n", at + 1)).collect()
}

/// All sources below a directory, by path.
fn sources(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("the project is there") {
            let entry = entry.expect("the project is there");
            let path = entry.path();
            let name = entry.file_name().into_string().unwrap_or_default();
            let is_source = name.rsplit_once('.').is_some_and(|(_, extension)| SOURCES.contains(&extension));
            if path.is_dir() && !path.is_symlink() && !HIDDEN.contains(&name.as_str()) {
                directories.push(path);
            } else if is_source && let Ok(text) = fs::read_to_string(&path) {
                let path = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                found.insert(path, text);
            }
        }
    }
    found
}

/// The costs of a project's questions, in their order.
fn measure(project: &Project, tokens: &CoreBPE) -> Option<Vec<(&'static str, Cost)>> {
    let mut opened = Opened::open(project)?;
    let questions = project.questions.iter();
    let mut costs: Vec<_> = questions.map(|question| (question.asked, opened.cost(question, "", tokens))).collect();
    if let Some(change) = &project.change {
        let text = opened.sources[change.path].replacen(change.before, change.after, 1);
        assert_ne!(text, opened.sources[change.path], "the change changes something");
        fs::write(opened.root.join(change.path), &text).expect("our own copy");
        opened.sources.insert(change.path.to_owned(), text);
        let shown = opened.git(&["diff", "main"]);
        costs.push((change.question.asked, opened.cost(&change.question, &shown, tokens)));
    }
    Some(costs)
}

/// How many times dearer the alternative is, over these costs.
fn factor<'a>(costs: impl Iterator<Item = &'a Cost>) -> f64 {
    let (ours, theirs) = costs.fold((0, 0), |(ours, theirs), cost| (ours + cost.ours, theirs + cost.search_and_files));
    theirs as f64 / ours as f64
}

/// How many times dearer the alternative is over all questions together, and for the one in the middle.
fn summary<'a>(costs: impl Iterator<Item = &'a Cost> + Clone) -> String {
    let mut factors: Vec<f64> = costs.clone().map(|cost| factor([cost].into_iter())).collect();
    factors.sort_by(f64::total_cmp);
    format!("**{:.1}**, median {:.1}", factor(costs), factors[factors.len() / 2])
}

/// The table of some projects.
fn table(measured: &[(&Project, Vec<(&'static str, Cost)>)]) -> String {
    let mut table =
        "| question | answer | search | search and files | factor |\n|---|---:|---:|---:|---:|\n".to_owned();
    for (project, costs) in measured {
        let summary = summary(costs.iter().map(|(_, cost)| cost));
        table.push_str(&format!("| **{}** | | | | {summary} |\n", project.name));
        let all = project.questions.iter().chain(project.change.iter().map(|change| &change.question));
        for ((asked, cost), question) in costs.iter().zip(all) {
            let factor = if question.search_is_enough && cost.search <= cost.ours {
                "the search is enough".to_owned()
            } else {
                format!("{:.1}", factor([cost].into_iter()))
            };
            let Cost { ours, search, search_and_files } = cost;
            table.push_str(&format!("| {asked} | {ours} | {search} | {search_and_files} | {factor} |\n"));
        }
    }
    table
}

#[test]
fn answers_cost_less_than_searching_and_reading() {
    let tokens = tiktoken_rs::o200k_base().expect("the vocabulary is part of the crate");
    let measured: Vec<_> = PROJECTS.iter().filter_map(|project| Some((project, measure(project, &tokens)?))).collect();
    let (fixtures, large): (Vec<_>, Vec<_>) =
        measured.into_iter().partition(|(project, _)| matches!(project.place, Place::Fixture(_)));
    println!("{}", table(&fixtures));
    let page = page::read();
    let mut right = page.clone();
    if cfg!(feature = "typescript") {
        right = page::with_part(&right, "savings", &table(&fixtures));
    }
    if !large.is_empty() {
        let all = fixtures.iter().chain(&large).flat_map(|(_, costs)| costs).map(|(_, cost)| cost);
        let all = format!("| **all questions, those about the fixtures too** | | | | {} |\n", summary(all));
        right = page::with_part(&right, "savings-large", &(table(&large) + &all));
    }
    page::expect(&page, &right);
    let factor = factor(fixtures.iter().flat_map(|(_, costs)| costs).map(|(_, cost)| cost));
    assert!(factor >= LEAST_FACTOR, "{factor:.1} is below {LEAST_FACTOR}");
}
