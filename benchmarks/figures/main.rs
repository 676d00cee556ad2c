//! The figures of speed, memory and size: measured, and held against what they must be.
//!
//! ```sh
//! cargo bench --bench figures -- speed --work DIR   # every row of the table; exit code 1 when a gate is missed
//! cargo bench --bench figures -- peers --work DIR   # other programs on the same repositories
//! ```
//!
//! With `UPDATE_EXPECT=1` a table goes into README.md, too. The repositories are made from packages when they are first
//! needed and kept in `DIR`. All times are those of whole processes. What is compared is measured in turn in the same run,
//! several times, and the least counts: what else happens on a machine only ever adds. So the ratios mean something
//! everywhere, and the times only on the machine.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program for a terminal")]

mod amount;
mod bench;
mod corpora;
mod edits;
#[path = "../../tests/readme/page.rs"]
mod page;
mod parse;
mod peers;
mod process;
mod rows;
mod server;
mod table;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use bench::Bench;
use corpora::Corpora;
use parse::Yardstick;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Measure repo-graph
#[derive(Parser)]
#[command(arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Cargo says so to every benchmark
    #[arg(long = "bench", hide = true, global = true)]
    _from_cargo: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Measure speed, memory and size, and fail when a gate is missed
    Speed(Speed),
    /// Measure other programs that are installed, and this one, on the same repositories
    Peers(Common),
    /// Do only what indexing is held against
    #[command(hide = true)]
    Yardstick { what: Yardstick, root: PathBuf },
}

#[derive(clap::Args)]
struct Common {
    /// Keep the repositories here; outside of this one
    #[arg(long, value_name = "DIR", default_value_os_t = std::env::temp_dir().join("repo-graph-figures"))]
    work: PathBuf,
    /// Measure this program instead of the one built with the benchmark
    #[arg(long, value_name = "PATH", default_value = env!("CARGO_BIN_EXE_repo-graph"))]
    exe: PathBuf,
}

#[derive(clap::Args)]
struct Speed {
    #[command(flatten)]
    common: Common,
    /// Measure only the rows whose keys contain this
    #[arg(long, value_name = "KEY")]
    only: Option<String>,
    /// Take the 100 commits from this clone, say of https://github.com/typeorm/typeorm
    #[arg(long, value_name = "PATH")]
    history: Option<PathBuf>,
    /// Measure runs of seconds so many times, shorter ones five times as often
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
}

fn main() -> Outcome<ExitCode> {
    match Arguments::parse().command {
        Command::Speed(speed) => speed.run(),
        Command::Peers(Common { work, exe }) => {
            let table = peers::table(&Corpora::open(&work)?, &exe.canonicalize()?)?;
            println!("{table}");
            write_into_readme("peers", &table);
            Ok(ExitCode::SUCCESS)
        }
        Command::Yardstick { what, root } => parse::yardstick(what, &root).map(|()| ExitCode::SUCCESS),
    }
}

impl Speed {
    fn run(self) -> Outcome<ExitCode> {
        let rows = rows::ROWS.iter().filter(|row| self.only.as_ref().is_none_or(|key| row.key.contains(key)));
        let rows: Vec<&rows::Row> = rows.collect();
        if rows.is_empty() {
            let keys = rows::ROWS.map(|row| row.key).join(", ");
            return Err(format!("no row has such a key; the keys are {keys}").into());
        }
        let Common { work, exe } = self.common;
        let history = self.history.map(|path| path.canonicalize()).transpose()?;
        let bench = Bench::new(Corpora::open(&work)?, exe.canonicalize()?, self.rounds.into(), history)?;
        let lines: Vec<table::Line> = rows.into_iter().map(|row| table::Line::of(row, &bench)).collect();
        let table = table::markdown(&lines);
        println!("{table}");
        if self.only.is_none() {
            write_into_readme("figures", &table);
        }
        let is_met = lines.iter().all(|line| line.verdict.is_met());
        Ok(if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Writes a table into its part of README.md, when that is asked for.
fn write_into_readme(part: &str, table: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let page = page::read();
        page::expect(&page, &page::with_part(&page, part, table));
    }
}
