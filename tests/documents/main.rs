//! Runs the pages below this directory: the manual of what repo-graph finds, each heading a test.
//!
//! `UPDATE_EXPECT=1 cargo test --test documents` writes what comes out into the pages. How a page is written stands in
//! `page.rs`, and for its readers in `README.md`.

mod page;
mod print;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use page::{Expectation, Step, Test};
use repo_graph::index::{At, Loaded, Options, Session};
use repo_graph::queries::{self, Context, SnapshotInfo};
use repo_graph::snapshot::Skipped;

/// What is to be put in place of a part of a page.
type Corrections = Arc<Mutex<BTreeMap<PathBuf, Vec<(Range<usize>, String)>>>>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let corrections = std::env::var_os("UPDATE_EXPECT").map(|_| Corrections::default());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let mut trials = Vec::new();
    for file in pages(&root) {
        let name = file.strip_prefix(&root).unwrap_or(&file).with_extension("").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&file).expect("a page is UTF-8");
        match page::tests(&text) {
            Ok(tests) => trials.extend(tests.into_iter().map(|test| {
                let (file, corrections) = (file.clone(), corrections.clone());
                Trial::test(format!("{name}: {}", test.heading), move || run(&test, &file, corrections.as_ref()))
            })),
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Some(corrections) = corrections {
        correct(&corrections.lock().expect("no test panics while it holds this"));
    }
    conclusion.exit_code()
}

/// All pages below a directory, sorted; its own `README.md` only explains them.
fn pages(root: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("the pages are there") {
            let path = entry.expect("the pages are there").path();
            if path.is_dir() {
                // A build without the language counts its files as skipped.
                if cfg!(feature = "typescript") || !path.ends_with("typescript") {
                    directories.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") && path != root.join("README.md") {
                found.insert(path);
            }
        }
    }
    found
}

fn correct(corrections: &BTreeMap<PathBuf, Vec<(Range<usize>, String)>>) {
    for (file, parts) in corrections {
        let mut text = std::fs::read_to_string(file).expect("was read before");
        let mut parts = parts.clone();
        parts.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
        for (at, part) in parts {
            text.replace_range(at, &part);
        }
        std::fs::write(file, text).expect("a page can be written");
    }
}

/// Plays a test's steps in a directory of its own.
fn run(test: &Test, file: &Path, corrections: Option<&Corrections>) -> Result<(), Failed> {
    let directory = tempfile::tempdir()?;
    let root = directory.path().join("root");
    std::fs::create_dir(&root)?;
    let session = open(&root, &directory.path().join("graph.db"))?;
    let mut loaded: Option<Loaded> = None;
    let mut versions = 0;
    let mut wrong = String::new();
    for step in &test.steps {
        match step {
            Step::Write { path, text } => {
                let path = root.join(path);
                std::fs::create_dir_all(path.parent().expect("below the root"))?;
                std::fs::write(path, text)?;
                loaded = None;
            }
            Step::Delete { path } => {
                std::fs::remove_file(root.join(path))?;
                loaded = None;
            }
            Step::Expect { expectation, text, at } => {
                if loaded.is_none() {
                    loaded = Some(session.load(&At::Disk)?);
                    versions += 1;
                }
                let loaded = loaded.as_ref().expect("just loaded");
                let found = match expectation {
                    Expectation::Questions => answers(loaded, text)?,
                    _ => print::graph(loaded.graph(), *expectation),
                };
                if found == *text {
                    continue;
                }
                if let Some(corrections) = corrections {
                    let mut corrections = corrections.lock().expect("no test panics while it holds this");
                    corrections.entry(file.to_owned()).or_default().push((at.clone(), found));
                } else {
                    wrong.push_str(&difference(text, &found));
                }
            }
        }
    }
    if let Some(loaded) = loaded
        && versions > 1
    {
        let fresh = open(&root, &directory.path().join("fresh.db"))?.load(&At::Disk)?;
        if fresh.digest != loaded.digest {
            wrong.push_str("the last version indexed step by step differs from the same files indexed at once\n");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{wrong}", file.display()).into()) }
}

fn open(root: &Path, database: &Path) -> Result<Session, Failed> {
    let (start, root, database) = (root.to_owned(), Some(root.to_owned()), Some(database.to_owned()));
    Ok(Session::open(Options { start, root, database, no_index: false })?)
}

/// A block of questions with the answers that they get now.
fn answers(loaded: &Loaded, block: &str) -> Result<String, Failed> {
    let mut text = String::new();
    for question in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
        text.push_str(&format!("$ {question}\n{}\n", answer(loaded, question)?.trim_end()));
    }
    Ok(text)
}

/// The answer to a question as it is typed: `repo-graph query callers Order.save --depth 2`.
fn answer(loaded: &Loaded, question: &str) -> Result<String, Failed> {
    let mut words = words(question);
    let pretty = words.iter().position(|word| *word == "--pretty").map(|at| words.remove(at)).is_some();
    let ["repo-graph", "query", words @ ..] = words.as_slice() else {
        return Err(format!("not a question: {question}").into());
    };
    let tool = queries::tool(words.first().copied().unwrap_or_default()).map_err(|error| error.to_string())?;
    let matches = tool.command().try_get_matches_from(words)?;
    let call = tool.call_from(&matches).map_err(|error| error.to_string())?;
    let skipped: &[Skipped] = &loaded.skipped;
    let snapshot =
        SnapshotInfo { at: &loaded.at, commit: loaded.commit, dirty: false, skipped, conflicts: &loaded.conflicts };
    let context =
        Context { graph: loaded.graph(), snapshot, roots: &[], directory: "", reindexed: None, comparison: None };
    let line = call.answer(&context).unwrap_or_else(|miss| repo_graph::json::to_string(&miss));
    Ok(if pretty { repo_graph::json::pretty(&line) } else { line })
}

/// The words of a command line; what stands in single quotes is one word.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    words
}

/// The lines that only one of two texts has.
fn difference(expected: &str, found: &str) -> String {
    let changes = similar::TextDiff::from_lines(expected, found);
    let mut text = String::new();
    for change in changes.iter_all_changes() {
        let mark = match change.tag() {
            similar::ChangeTag::Delete => "- expected",
            similar::ChangeTag::Insert => "+ found   ",
            similar::ChangeTag::Equal => "  both    ",
        };
        text.push_str(&format!("{mark} {change}"));
    }
    text
}
