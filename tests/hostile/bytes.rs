//! Any bytes: texts have facts, facts have units, whatever they say.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use repo_graph::facts::{Facts, codec};
use repo_graph::languages::{self, Layout};
use repo_graph::names::{Dialect, RepoPath};
use repo_graph::resolve::{Engine, FileId, Project, Source};
use repo_graph::snapshot::{FileKind, file_kind};

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

fn facts(dialect: Dialect, text: &[u8]) -> Facts {
    languages::for_dialect(dialect).expect("built in").facts(dialect, text)
}

/// Makes the units of files.
fn resolve(facts: Vec<Facts>) {
    let source = Loose(facts.into_iter().map(Arc::new).collect());
    let files = PATHS.iter().map(|&(path, dialect)| (RepoPath::from_escaped(path), dialect)).collect();
    let project = Project::new(Arc::new(Layout::new(files, BTreeMap::new())), languages::all(), &source);
    let mut engine = Engine::new(&project);
    for at in 0..PATHS.len() {
        assert!(engine.unit(FileId(at as u32)).is_some());
    }
}

/// Files of ours, to be damaged.
static CORPUS: LazyLock<Vec<(Dialect, Vec<u8>)>> = LazyLock::new(|| {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")];
    let mut paths = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("a directory of the repository") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    let read = |path: &PathBuf| match file_kind(path.file_name()?.as_encoded_bytes()) {
        FileKind::Read(Dialect::Configuration) => None,
        FileKind::Read(dialect) => Some((dialect, fs::read(path).expect("a file of the repository"))),
        _ => None,
    };
    paths.iter().filter_map(read).collect()
});

/// One thing done to some bytes.
#[derive(Clone, Debug)]
pub enum Damage {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Piece(Index, &'static str),
    Remove(Index, Index),
    Repeat(Index, Index),
    /// Everything from here on comes first.
    Turn(Index),
}

pub fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let at = any::<Index>;
    let one = prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (at(), vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), select(PIECES)).prop_map(|(at, piece)| Damage::Piece(at, piece)),
        (at(), at()).prop_map(|(one, other)| Damage::Remove(one, other)),
        (at(), at()).prop_map(|(one, other)| Damage::Repeat(one, other)),
        at().prop_map(Damage::Turn),
    ];
    vec(one, 0..8)
}

pub fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let place = |at: &Index| at.index(bytes.len() + 1);
        // Not too much at once: most of the file stays what it is.
        let range = |one: &Index, other: &Index| {
            let start = place(one);
            start..(start + other.index(40)).min(bytes.len())
        };
        match damage {
            Damage::Set(at, byte) => {
                let at = place(at);
                bytes.splice(at..(at + 1).min(bytes.len()), [*byte]);
            }
            Damage::Insert(at, new) => drop(bytes.splice(place(at)..place(at), new.iter().copied())),
            Damage::Piece(at, new) => drop(bytes.splice(place(at)..place(at), new.bytes())),
            Damage::Remove(one, other) => drop(bytes.drain(range(one, other))),
            Damage::Repeat(one, other) => {
                let range = range(one, other);
                let part = bytes[range.clone()].to_vec();
                bytes.splice(range.end..range.end, part);
            }
            Damage::Turn(at) => {
                let at = place(at);
                bytes.rotate_left(at);
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Pieces of all languages in any order, in files that import each other.
    #[test]
    fn any_pieces_have_units(texts in vec(vec(select(PIECES), 0..50), PATHS.len())) {
        let all = texts.iter().zip(PATHS).map(|(pieces, (_, dialect))| facts(dialect, pieces.concat().as_bytes()));
        resolve(all.collect());
    }

    /// Files of ours, damaged, read as any dialect.
    #[test]
    fn damaged_files_have_facts_and_units(files in vec((any::<Index>(), damages()), PATHS.len())) {
        let all = files.iter().zip(PATHS).map(|((file, damages), (_, dialect))| {
            let facts = facts(dialect, &damaged(file.get(&CORPUS).1.clone(), damages));
            assert!(codec::decode(&codec::encode(&facts)).as_ref() == Some(&facts), "stored facts are read again");
            facts
        });
        resolve(all.collect());
    }

    /// Stored facts, damaged: they are refused, or have units.
    #[test]
    fn damaged_facts_are_refused_or_have_units(files in vec((any::<Index>(), damages()), PATHS.len())) {
        let all = files.iter().map(|(file, damages)| {
            let (dialect, text) = file.get(&CORPUS);
            let bytes = codec::encode(&facts(*dialect, text));
            codec::decode(&damaged(bytes, damages)).unwrap_or_default()
        });
        resolve(all.collect());
    }
}
