//! Runs the pages below this directory: the manual of what repo-graph finds, each heading a test.
//!
//! `UPDATE_EXPECT=1 cargo test --test documents` writes what comes out into the pages. How a page is written stands in
//! `page.rs`, and for its readers in `README.md`.

mod page;
mod print;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use page::{Expectation, Step, Test};
use repo_graph::ask::{Desk, Refusal};
use repo_graph::index::{At, Loaded, Options, Session};
use repo_graph::queries::{self, Call, Context, Needs, SnapshotInfo};
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
    let repository = is_about_change(test).then(|| Repository::new(&root));
    let database = directory.path().join("graph.db");
    let session = open(&root, &database)?;
    let mut loaded: Option<Loaded> = None;
    let mut versions = 0;
    let mut next = false;
    let mut wrong = String::new();
    for step in &test.steps {
        if let Some(repository) = repository.as_ref().filter(|_| next && !matches!(step, Step::Expect { .. })) {
            repository.commit();
        }
        next = matches!(step, Step::Expect { .. });
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
                    Expectation::Questions => answers(loaded, &options(&root, &database), text)?,
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

fn options(root: &Path, database: &Path) -> Options {
    let (start, root, database) = (root.to_owned(), Some(root.to_owned()), Some(database.to_owned()));
    Options { start, root, database, no_index: false }
}

fn open(root: &Path, database: &Path) -> Result<Session, Failed> {
    Ok(Session::open(options(root, database))?)
}

/// A repository whose commits are the versions of a page that have another one behind them.
struct Repository<'a> {
    root: &'a Path,
}

impl Repository<'_> {
    fn new(root: &Path) -> Repository<'_> {
        let repository = Repository { root };
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "a version of the page"]);
    }

    /// The same files have the same commit everywhere: its id is part of answers.
    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.root).env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "page").env(format!("GIT_{who}_EMAIL"), "page@example.invalid");
            command.env(format!("GIT_{who}_DATE"), "1700000000 +0000");
        }
        let status = command.status().expect("git can be run");
        assert!(status.success(), "git {arguments:?}");
    }
}

/// Whether a test asks what changed.
fn is_about_change(test: &Test) -> bool {
    let needs_two = |question| read(question).is_ok_and(|(call, _)| matches!(call.needs(), Needs::Comparison { .. }));
    test.steps.iter().any(|step| match step {
        Step::Expect { expectation: Expectation::Questions, text, .. } => questions(text).any(needs_two),
        _ => false,
    })
}

fn questions(block: &str) -> impl Iterator<Item = &str> {
    block.lines().filter_map(|line| line.strip_prefix("$ "))
}

/// A block of questions with the answers that they get now.
fn answers(loaded: &Loaded, options: &Options, block: &str) -> Result<String, Failed> {
    let mut text = String::new();
    for question in questions(block) {
        text.push_str(&format!("$ {question}\n{}\n", answer(loaded, options, question)?.trim_end()));
    }
    Ok(text)
}

/// A question as it is typed: `repo-graph query callers Order.save --depth 2`; and whether its answer is to be pretty.
fn read(question: &str) -> Result<(Call, bool), Failed> {
    let mut words = words(question);
    let pretty = words.iter().position(|word| *word == "--pretty").map(|at| words.remove(at)).is_some();
    let ["repo-graph", "query", words @ ..] = words.as_slice() else {
        return Err(format!("not a question: {question}").into());
    };
    let tool = queries::tool(words.first().copied().unwrap_or_default()).map_err(|error| error.to_string())?;
    let matches = tool.command().try_get_matches_from(words)?;
    Ok((tool.call_from(&matches).map_err(|error| error.to_string())?, pretty))
}

fn answer(loaded: &Loaded, options: &Options, question: &str) -> Result<String, Failed> {
    let (call, pretty) = read(question)?;
    let layout = |line: String| if pretty { repo_graph::json::pretty(&line) } else { line };
    if matches!(call.needs(), Needs::Comparison { .. }) {
        return match Desk::open(options.clone())?.ask(&call) {
            Ok(answer) => Ok(layout(answer.text)),
            Err(Refusal::Miss(miss)) => Ok(layout(repo_graph::json::to_string(&miss))),
            Err(Refusal::Failed(error)) => Err(error.into()),
        };
    }
    let skipped: &[Skipped] = &loaded.skipped;
    let snapshot =
        SnapshotInfo { at: &loaded.at, commit: loaded.commit, dirty: false, skipped, conflicts: &loaded.conflicts };
    let context =
        Context { graph: loaded.graph(), snapshot, roots: &[], directory: "", reindexed: None, comparison: None };
    Ok(layout(call.answer(&context).unwrap_or_else(|miss| repo_graph::json::to_string(&miss))))
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
