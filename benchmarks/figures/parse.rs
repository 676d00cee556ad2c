//! The yardstick of indexing: tree-sitter's parse of the same files on one thread, and nothing else.
//!
//! It runs in a process of its own, so that it is measured as the program is. A second process that only reads the files
//! says what to take off.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tree_sitter::{Language, Parser};

use crate::Outcome;
use crate::process::{self, Cost};

/// What is done with the files in a process of its own.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Yardstick {
    Read,
    Parse,
}

/// The parse of all sources of a repository, without reading them.
pub fn bare_parse(root: &Path) -> Outcome<Cost> {
    let run = |what: &str| process::run(Command::new(std::env::current_exe()?).args(["yardstick", what]).arg(root));
    let (read, parse) = (run("read")?, run("parse")?);
    Ok(Cost { wall: parse.wall.saturating_sub(read.wall), cpu: parse.cpu.saturating_sub(read.cpu), peak: parse.peak })
}

/// What the other process does.
pub fn yardstick(what: Yardstick, root: &Path) -> Outcome<()> {
    let sources = sources(root)?;
    let texts: Vec<Vec<u8>> = sources.iter().map(fs::read).collect::<Result<_, _>>()?;
    if what == Yardstick::Parse {
        let mut parser = Parser::new();
        for (path, text) in sources.iter().zip(&texts) {
            parser.set_language(&grammar(path).expect("only such files are listed"))?;
            parser.parse(text, None).ok_or("a parse without limits ends")?;
        }
    }
    Ok(())
}

/// How many bytes the sources of a repository have.
pub fn source_bytes(root: &Path) -> Outcome<u64> {
    sources(root)?.iter().map(|path| Ok(fs::metadata(path)?.len())).sum()
}

/// The files that the program reads.
fn sources(root: &Path) -> Outcome<Vec<PathBuf>> {
    let (_, listed) = process::run_for_output(Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]))?;
    let paths = listed.split_terminator('\0').map(|path| root.join(path));
    Ok(paths.filter(|path| grammar(path).is_some() && is_read(path)).collect())
}

/// Whether a file of a known language is read: the program leaves out large files and minified bundles.
fn is_read(path: &Path) -> bool {
    const MAX_BYTES: usize = 1024 * 1024;
    const MAX_LINE_BYTES: usize = 20_000;
    let is_minified = |text: &[u8]| text.split(|&byte| byte == b'\n').any(|line| line.len() > MAX_LINE_BYTES);
    let is_javascript = path.extension().is_some_and(|extension| extension == "js");
    fs::read(path).is_ok_and(|text| text.len() <= MAX_BYTES && !(is_javascript && is_minified(&text)))
}

/// The grammar by which the program reads a file.
fn grammar(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()? {
        "py" | "pyi" => Some(tree_sitter_python::LANGUAGE.into()),
        "ts" if !path.to_string_lossy().ends_with(".d.ts") => Some(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        "tsx" => Some(tree_sitter_typescript::LANGUAGE_TSX.into()),
        "js" | "jsx" => Some(tree_sitter_javascript::LANGUAGE.into()),
        _ => None,
    }
}
