//! `index`: bring a graph up to date now.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use super::{Everywhere, Exit, Failure, output};
use crate::ask;
use crate::graph::Size;
use crate::index::{At, Loaded};
use crate::json;
use crate::names::RepoPath;
use crate::queries::reindex::Report;

/// Bring the graph up to date now; questions do it by themselves
#[derive(clap::Args)]
pub struct Index {
    /// Read and resolve everything again
    #[arg(long)]
    full: bool,
    /// Index this revision, or `staged` (git's index), instead of the disk as it is
    #[arg(long, value_name = "REV")]
    rev: Option<String>,
    /// Print what was done and found as JSON
    #[arg(long)]
    json: bool,
}

/// What a run did and what the graph now holds.
#[derive(Serialize)]
struct Summary<'a> {
    /// `disk`, `staged` or the revision that was asked for.
    at: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    symbols: u32,
    edges: u32,
    /// Files left out, by reason.
    skipped: BTreeMap<&'static str, usize>,
    /// Files that made the program fail.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    failed: &'a [RepoPath],
    /// Files whose object is not in this repository.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<&'a RepoPath>,
    #[serde(flatten)]
    report: Report,
}

impl Index {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let began = Instant::now();
        let desk = everywhere.desk()?;
        let at = At::parse(self.rev.as_deref());
        let loaded = everywhere.watched(&desk.session, || desk.session.index(&at, self.full))?;
        everywhere.say_more(&desk.session, loaded.work);
        let exit = everywhere.report_files(&loaded.failed, &loaded.warnings);
        if self.json {
            let summary = Summary::of(&loaded, ask::report(&loaded, began));
            loaded.check()?;
            output::answer(&(json::to_string(&summary) + "\n"))?;
        } else if !everywhere.quiet {
            let summary = Summary::of(&loaded, ask::report(&loaded, began));
            loaded.check()?;
            everywhere.note(format_args!("{}", summary.line()));
        }
        Ok(exit)
    }
}

impl Summary<'_> {
    fn of(loaded: &Loaded, report: Report) -> Summary<'_> {
        let Size { symbols, edges } = loaded.graph().size();
        let mut skipped = BTreeMap::new();
        for file in &loaded.skipped {
            *skipped.entry(file.reason.word()).or_default() += 1;
        }
        Summary {
            at: &loaded.at,
            revision: loaded.commit.map(|commit| commit.to_string()),
            symbols,
            edges,
            skipped,
            failed: &loaded.failed,
            missing: loaded.missing.iter().map(|(path, _)| path).collect(),
            report,
        }
    }

    /// For a person.
    fn line(&self) -> String {
        let Summary { symbols, edges, report: Report { files, digest, .. }, .. } = self;
        let reasons: Vec<String> = self.skipped.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let skipped: usize = self.skipped.values().sum();
        let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
        let missing = match self.missing.as_slice() {
            [] => String::new(),
            missing => format!(", {} without their objects", missing.len()),
        };
        format!("{files} files, {symbols} symbols, {edges} edges, {skipped} skipped{reasons}{missing}, digest {digest}")
    }
}
