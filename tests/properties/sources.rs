//! Random small repositories, dense with names that meet: few paths, few names, every form of import.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{python, typescript};

/// The chunks of each file: a chunk is a statement at module level with its lines.
pub type Files = BTreeMap<&'static str, Vec<String>>;

/// One change of the files.
#[derive(Clone, Debug)]
pub enum Edit {
    Write(&'static str, Vec<String>),
    Delete(&'static str),
    Rename(&'static str, &'static str),
    Insert(&'static str, usize, String),
    Remove(&'static str, usize),
    Replace(&'static str, usize, String),
    /// Another name in the place of one: the path, its statement, which of the names there, the new one.
    Reword(&'static str, usize, usize, &'static str),
}

/// Names that mean something in other places, of both languages.
const NAMES: [&str; 14] = ["A", "B", "C", "a", "f", "g", "h", "m", "n", "save", "v", "w", "x", "pkg"];

/// Names of both languages: few, so that they meet.
pub const CLASSES: [&str; 3] = ["A", "B", "C"];
pub const MEMBERS: [&str; 4] = ["m", "n", "save", "x"];
pub const VARIABLES: [&str; 3] = ["v", "w", "a"];

/// A name of any kind, where functions are called so.
pub fn any_name(functions: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![select(functions), select(&CLASSES), select(&VARIABLES), select(&MEMBERS)]
}

/// Often one of the first few, so that files meet.
pub fn any_path(paths: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop_oneof![2 => select(&paths[..3]), 1 => select(paths)]
}

pub const CONFIGURATION: &str = ".repo-graph.toml";
const EXCLUDED: [&str; 3] = ["[]", "[\"b.py\"]", "[\"pkg/sub/**\", \"pkg/__init__.py\"]"];

/// A path with a statement that may stand in it.
fn statement() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        4 => (python::path(), python::chunk()),
        3 => (typescript::path(), typescript::chunk()),
        1 => typescript::configuration(),
    ]
}

/// A path with what may stand in it.
fn source() -> impl Strategy<Value = (&'static str, Vec<String>)> {
    prop_oneof![
        4 => (python::path(), vec(python::chunk(), 0..6)),
        3 => (typescript::path(), vec(typescript::chunk(), 0..6)),
        1 => typescript::configuration().prop_map(|(path, chunk)| (path, vec![chunk])),
    ]
}

fn path() -> impl Strategy<Value = &'static str> {
    prop_oneof![python::path(), typescript::path()]
}

/// What a repository starts as.
pub fn files() -> impl Strategy<Value = Files> {
    let python = (python::path(), vec(python::chunk(), 0..6));
    let typescript = (typescript::path(), vec(typescript::chunk(), 0..6));
    prop_oneof![vec(python, 2..9), vec(typescript, 2..9), vec(source(), 2..12)]
        .prop_map(|files| files.into_iter().collect())
}

pub fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        2 => source().prop_map(|(path, chunks)| Edit::Write(path, chunks)),
        1 => path().prop_map(Edit::Delete),
        1 => (python::path(), python::path()).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => (typescript::path(), typescript::path()).prop_map(|(from, to)| Edit::Rename(from, to)),
        3 => (statement(), 0..6usize).prop_map(|((path, chunk), at)| Edit::Insert(path, at, chunk)),
        2 => (path(), 0..6usize).prop_map(|(path, at)| Edit::Remove(path, at)),
        4 => (statement(), 0..6usize).prop_map(|((path, chunk), at)| Edit::Replace(path, at, chunk)),
        6 => (path(), 0..6usize, 0..8usize, select(&NAMES)).prop_map(|(path, at, n, to)| Edit::Reword(path, at, n, to)),
        1 => select(&EXCLUDED).prop_map(|exclude| Edit::Write(CONFIGURATION, vec![format!("exclude = {exclude}")])),
        1 => Just(Edit::Delete(CONFIGURATION)),
    ]
}

impl Edit {
    /// An edit of a file or chunk that is not there does nothing.
    pub fn apply(&self, files: &mut Files) {
        match self {
            Edit::Write(path, chunks) => {
                files.insert(path, chunks.clone());
            }
            Edit::Delete(path) => {
                files.remove(path);
            }
            Edit::Rename(from, to) => {
                if let Some(chunks) = files.remove(from) {
                    files.insert(to, chunks);
                }
            }
            Edit::Insert(path, at, chunk) => {
                if let Some(chunks) = files.get_mut(path) {
                    chunks.insert(at % (chunks.len() + 1), chunk.clone());
                }
            }
            Edit::Remove(path, at) => {
                if let Some(chunks) = files.get_mut(path).filter(|chunks| !chunks.is_empty()) {
                    chunks.remove(at % chunks.len());
                }
            }
            Edit::Replace(path, at, chunk) => {
                if let Some(chunks) = files.get_mut(path).filter(|chunks| !chunks.is_empty()) {
                    let at = at % chunks.len();
                    chunks[at].clone_from(chunk);
                }
            }
            Edit::Reword(path, at, which, to) => {
                if let Some(chunks) = files.get_mut(path).filter(|chunks| !chunks.is_empty()) {
                    let at = at % chunks.len();
                    chunks[at] = reworded(&chunks[at], *which, to);
                }
            }
        }
    }
}

/// A statement with another name in the place of one that it uses.
fn reworded(chunk: &str, which: usize, to: &str) -> String {
    let mut words: Vec<&str> = chunk.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    let name = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    let named: Vec<usize> = (0..words.len()).filter(|&at| NAMES.contains(&&words[at][..name(words[at])])).collect();
    let Some(&at) = named.get(which % named.len().max(1)) else { return chunk.to_owned() };
    let word = format!("{to}{}", &words[at][name(words[at])..]);
    words[at] = &word;
    words.concat()
}

/// The text of a file.
pub fn text(chunks: &[String]) -> String {
    chunks.iter().map(|chunk| format!("{chunk}\n")).collect()
}

/// The way from one version to another, as a page of `tests/documents` writes it.
pub fn page(before: &Files, after: &Files) -> String {
    let mut page = String::new();
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        page.push_str(&format!("`{path}` is deleted.\n\n"));
    }
    for (path, chunks) in after.iter().filter(|(path, chunks)| before.get(*path) != Some(chunks)) {
        let language = path.rsplit('.').next().unwrap_or_default();
        page.push_str(&format!("`{path}`:\n```{language}\n{}```\n\n", text(chunks)));
    }
    page
}
