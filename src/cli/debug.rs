//! `debug`: what the program makes of one file, for those who work on the program.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Everywhere, Exit, Failure, output};
use crate::facts::print::print;
use crate::index::At;
use crate::languages;
use crate::snapshot::{FileKind, file_kind};

/// Show what the program makes of one file
#[derive(clap::Subcommand)]
pub enum Debug {
    /// Show what the file says by itself
    Facts {
        /// File on disk
        path: PathBuf,
    },
    /// Show what the file means in the graph of the disk
    Unit {
        /// Path relative to the root
        path: String,
    },
}

impl Debug {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        match self {
            Debug::Facts { path } => facts(&path),
            Debug::Unit { path } => unit(everywhere, &path),
        }
    }
}

fn facts(path: &Path) -> Result<Exit, Failure> {
    let name = path.file_name().unwrap_or_default();
    let unread = || Failure::environment(format_args!("{} is in no language that is read", path.display()));
    let FileKind::Read(dialect) = file_kind(name.as_encoded_bytes()) else { return Err(unread()) };
    let language = languages::for_dialect(dialect).ok_or_else(unread)?;
    let text = fs::read(path).map_err(|error| Failure::io(&format!("read {}", path.display()), &error))?;
    output::answer(&print(&language.facts(dialect, &text)))
}

fn unit(everywhere: &Everywhere, path: &str) -> Result<Exit, Failure> {
    let desk = everywhere.desk()?;
    let loaded = everywhere.watched(&desk.session, || desk.session.load(&At::Disk))?;
    everywhere.report_files(&loaded.failed, &loaded.warnings);
    let unit = loaded.graph().unit(path);
    loaded.check()?;
    let unit = unit.ok_or_else(|| Failure::environment(format_args!("the graph has no file {path}")))?;
    output::answer(&format!("{unit:#?}\n"))
}
