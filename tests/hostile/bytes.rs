//! Any bytes: random pieces of both languages beside each other have units, whatever they say.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use repo_graph::facts::Facts;
use repo_graph::languages::{self, Layout};
use repo_graph::names::{Dialect, RepoPath};
use repo_graph::resolve::{Engine, FileId, Project, Source};

/// Files that import each other, of both languages.
const PATHS: [(&str, Dialect); 4] = [
    ("a.py", Dialect::Python),
    ("b.py", Dialect::Python),
    ("c.ts", Dialect::TypeScript),
    ("d.js", Dialect::JavaScript),
];

/// Pieces that make circles, by names that all files share.
const PIECES: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    " ",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ",",
    ":",
    "=",
    " => ",
    ".",
    "...",
    "`",
    "'",
    "\"",
    "A",
    "B",
    "x",
    "f",
    "this",
    "self",
    "class A(B):",
    "class B(A):",
    "class A extends B {",
    "class B<T> extends A<B<T>> {",
    "def f(x):",
    "def B(A=f):",
    "return ",
    "return f(A)",
    "A = B",
    "B = A[B]",
    "x = x.f()",
    "A.B.A",
    "f(f)",
    "self.x = self.f",
    "@f",
    "@property",
    "@staticmethod",
    "from b import *",
    "from a import A as B",
    "import a, b",
    "import b as A",
    "export * from './d';",
    "export * from './c';",
    "import { A as B } from './d';",
    "import * as A from './c';",
    "module.exports = ",
    "exports.A = ",
    "require('./c')",
    "function f(x) {",
    "type A = B | A[];",
    "interface B extends A, B {",
    "namespace A {",
    "enum B {",
    "if x:",
    "else:",
    "for x in f():",
    "with f() as x:",
    "match x:",
    "case A():",
    "lambda x: x",
    "async ",
    "await ",
    "yield ",
    "*x",
    "**x",
    "x if A else B",
    "A and B",
    "isinstance(x, A)",
    "x instanceof A",
    "typeof x",
    "super()",
    "super().f()",
    "new A()",
    "A.prototype.f = ",
    "Object.assign(A, B)",
    "x?.f",
    "x!",
    "as A",
    "<A>{x}</A>",
    "/** @type {A<B>} */",
    "# type: ignore",
    "__all__ = ['A', 'B']",
    "__getattr__",
    "type A = list[A]",
    "\u{feff}",
    "\0",
    "\u{202e}",
];

struct Loose(Vec<Arc<Facts>>);

impl Source for Loose {
    fn facts(&self, position: usize) -> Option<Arc<Facts>> {
        Some(self.0[position].clone())
    }

    fn defining(&self, name: &str) -> Vec<usize> {
        let defines = |facts: &Facts| facts.surface.definitions.iter().any(|d| facts.text(d.name) == name);
        (0..self.0.len()).filter(|&at| defines(&self.0[at])).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_facts_have_units(texts in vec(vec(select(PIECES), 0..50), PATHS.len())) {
        let facts = texts.iter().zip(PATHS).map(|(pieces, (_, dialect))| {
            let language = languages::for_dialect(dialect).expect("built in");
            Arc::new(language.facts(dialect, pieces.concat().as_bytes()))
        });
        let source = Loose(facts.collect());
        let files = PATHS.iter().map(|&(path, dialect)| (RepoPath::from_escaped(path), dialect)).collect();
        let project = Project::new(Arc::new(Layout { files, ..Layout::default() }), languages::all(), &source);
        let mut engine = Engine::new(&project);
        for at in 0..PATHS.len() {
            prop_assert!(engine.unit(FileId(at as u32)).is_some());
        }
        prop_assert_eq!(engine.exhausted(), 0);
    }
}
