//! `tests_for`: which tests reach a symbol.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arguments::Count;
use super::budget::{self, Cut, Page, Partial};
use super::reach::{Change, reach};
use super::rows::{Head, label};
use super::subject::{self, Prefer};
use super::walk::{self, Reached, Via};
use super::{Context, Miss, Query, SYMBOL};
use crate::graph::{Located, ModuleTable, SymbolKind};
use crate::names::{LocalPath, RepoPath, SymbolId};

/// Methods that a runner calls before or after each test of their class, or once for all of them.
const SET_UP: [&str; 10] = [
    "setUp",
    "tearDown",
    "setUpClass",
    "tearDownClass",
    "asyncSetUp",
    "asyncTearDown",
    "setUpTestData",
    "setup_method",
    "setup_class",
    "teardown_method",
];

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestsFor {
    /// Id, name or path:line
    #[arg(help = SYMBOL)]
    symbol: String,
    #[arg(long, default_value_t, help = "Longest route from a test")]
    #[serde(default)]
    depth: Count<3, 20>,
    #[arg(long, default_value_t, help = "Most rows")]
    #[serde(default)]
    limit: Count<50, 1000>,
    #[arg(long, default_value_t, help = "Rows to pass over")]
    #[serde(default)]
    offset: u32,
}

#[derive(Serialize)]
pub struct Answer {
    symbol: Head,
    tests: Vec<TestRow>,
    #[serde(flatten)]
    cut: Cut,
    #[serde(flatten)]
    partial: Partial,
}

/// A test that reaches the subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestRow {
    pub id: SymbolId,
    /// `path:line` of the definition.
    pub loc: String,
    /// What the runner takes: `tests/test_cart.py::TestCart::test_add`, or the path of the file.
    pub run: String,
    /// For runners that pick a test by its title: what they take with `-t`, a regular expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Length of the shortest route to the subject.
    pub depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conf: Option<&'static str>,
}

impl Query for TestsFor {
    const NAME: &'static str = "tests_for";
    const DESCRIPTION: &'static str = "Which tests reach a symbol, nearest first. `run` is what pytest takes; \
        vitest and jest take the file and `title` as -t.";
    type Answer = Answer;

    fn answer(&self, context: &Context<'_>) -> Result<Answer, Miss> {
        let graph = context.graph;
        let subject = subject::find(context, &self.symbol, Prefer::Symbol)?;
        let walk = reach(graph, &subject, Change::Behaviour, self.depth.0);
        let units = walk.reached.iter().map(|reached| &*reached.located.unit).chain([&*subject.unit]);
        let partial = Partial::among(units);
        let mut tests = tests_of(&walk.reached, graph.modules());
        let mut cut = budget::cut(&mut tests, Page::new(self.limit, self.offset));
        cut.note_walk(walk.cut);
        Ok(Answer { symbol: Head::of(&subject, graph.modules()), tests, cut, partial })
    }
}

/// The tests among what was reached, nearest first.
pub fn tests_of(reached: &[Reached], modules: &ModuleTable) -> Vec<TestRow> {
    let run = reached.iter().flat_map(|one| run_with(&one.located).into_iter().map(move |test| (one, test)));
    let mut tests: Vec<(&Reached, Located)> = run.collect();
    // Stable: tests equally near stay in order of path and line.
    tests.sort_by_key(|(reached, _)| (reached.depth, reached.confidence));
    let mut seen = BTreeSet::new();
    tests.retain(|(_, test)| seen.insert(test.key()));
    tests.iter().map(|(reached, test)| row(test, reached, modules)).collect()
}

/// Whether the list of tests has it.
pub fn is_test(located: &Located) -> bool {
    located.symbol().kind == SymbolKind::Test || (located.is_module() && located.unit.is_test)
}

/// The tests that run when a symbol of a test file runs.
fn run_with(located: &Located) -> Vec<Located> {
    let tests_in = |class: &Located| {
        let members = walk::members(class).into_iter();
        members.filter(|member| member.symbol().kind == SymbolKind::Test).collect()
    };
    let symbol = located.symbol();
    match symbol.kind {
        SymbolKind::Test => vec![located.clone()],
        _ if !located.unit.is_test => Vec::new(),
        SymbolKind::Module => vec![located.clone()],
        SymbolKind::Class => tests_in(located),
        _ if SET_UP.contains(&symbol.name()) => {
            walk::class_of(located).map(|class| tests_in(&class)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn row(test: &Located, reached: &Reached, modules: &ModuleTable) -> TestRow {
    let (run, title) = runner_id(&test.unit.path, &test.symbol().local);
    let Reached { depth, via, confidence, .. } = *reached;
    TestRow { id: test.id(modules), loc: test.loc(), run, title, depth, via, conf: label(confidence) }
}

/// What a test runner calls a test: pytest's node id; for vitest and jest the file, and the pattern of the full title.
fn runner_id(path: &RepoPath, local: &LocalPath) -> (String, Option<String>) {
    if local.is_module() {
        return (path.to_string(), None);
    }
    if path.extension() == "py" {
        return (format!("{path}::{}", local.as_str().replace('.', "::")), None);
    }
    // Both runners join the titles of the blocks with spaces before they look for the pattern.
    let title = local.as_str().replace(" > ", " ");
    let mut pattern = String::with_capacity(title.len());
    for c in title.chars() {
        if r"\^$.|?*+()[]{}".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    (path.to_string(), Some(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_take_the_ids() {
        let id = |path: &str, local: &str| runner_id(&RepoPath::from_escaped(path), &LocalPath(local.into()));
        assert_eq!(id("tests/test_a.py", "TestA.test_b"), ("tests/test_a.py::TestA::test_b".to_owned(), None));
        assert_eq!(id("tests/test_a.py", ""), ("tests/test_a.py".to_owned(), None));
        assert_eq!(
            id("src/cart.test.ts", "Cart > adds (twice)"),
            ("src/cart.test.ts".to_owned(), Some(r"Cart adds \(twice\)".to_owned()))
        );
    }
}
