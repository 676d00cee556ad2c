//! The command line: what may be said, and what becomes of it. One file per sub-command.
//!
//! Decides nothing about code or git: it opens what the layers below offer and prints what they answer. Answers go to
//! standard output, everything else to standard error. The only user of clap's parser.

mod completions;
mod config;
mod debug;
mod errors;
mod export;
mod gc;
mod hooks;
mod index;
mod output;
mod panics;
mod progress;
mod query;
mod serve;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use errors::Exit;
pub(crate) use errors::Failure;

use crate::ask::Desk;
use crate::git::Repository;
use crate::index::{Options, Session, Work};
use crate::names::RepoPath;

const LONG_ABOUT: &str = "\
Turn a git repository of Python and TypeScript/JavaScript into a graph of modules, classes, functions, methods, symbols \
and tests, and answer questions from it: who calls this, what does it call, which tests reach it, what does my branch \
break.

Every answer is about the code as it is on disk now, or about any commit, without checking it out. Nothing of the \
repository is run, nothing is sent anywhere.";

const AFTER_LONG_HELP: &str = "\
Exit codes:
  0  done
  1  the question had no answer; the reason and the candidates are on standard error as JSON
  2  wrong usage, configuration or environment
  3  a gate asked for with --fail-on
  4  done, but a file made the program fail; it is named

Examples:
  repo-graph query callers Order.save
  repo-graph query tests_for shop/models.py:28
  repo-graph query impact --since main
  repo-graph query --at v1.2 find_symbol Order
  repo-graph hooks install";

/// Answer questions about the code graph of a git repository
#[derive(Parser)]
#[command(name = "repo-graph", version, long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
#[command(max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    #[command(flatten)]
    everywhere: Everywhere,
    #[command(subcommand)]
    command: Command,
}

/// Flags that every sub-command takes, before or after its name.
#[derive(Args)]
#[command(next_help_heading = "Everywhere")]
struct Everywhere {
    /// Work on exactly this directory instead of the enclosing worktree's top
    #[arg(long, short = 'C', global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Keep the graph in this file instead of .repo-graph/graph.db
    #[arg(long, global = true, value_name = "PATH")]
    db: Option<PathBuf>,
    /// Answer from the graph as it was last stored, without looking at the disk
    #[arg(long, global = true)]
    no_index: bool,
    /// Say nothing but answers and errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Say more about what is done, on standard error
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Subcommand)]
enum Command {
    Index(index::Index),
    Query(query::Query),
    Serve(serve::Serve),
    Stats(query::Stats),
    Export(export::Export),
    Diff(query::Diff),
    /// Print the settings that make an MCP client start this server
    Config(config::Config),
    /// Install, remove or look at the git hooks that keep the graph up to date
    #[command(subcommand)]
    Hooks(hooks::Hooks),
    Gc(gc::Gc),
    /// Print a completion script for a shell
    Completions(completions::Completions),
    #[command(subcommand)]
    Debug(debug::Debug),
}

/// Parses and runs one command line; whatever there is to say has been said when this returns.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let parsed =
        command().try_get_matches_from(arguments).and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return errors::report_usage(&error),
    };
    panics::keep(arguments.everywhere.verbose);
    panics::report(|| arguments.run().unwrap_or_else(output::failure))
}

impl Arguments {
    fn run(self) -> Result<Exit, Failure> {
        let everywhere = &self.everywhere;
        match self.command {
            Command::Index(index) => index.run(everywhere),
            Command::Query(query) => query.run(everywhere),
            Command::Serve(serve) => serve.run(everywhere),
            Command::Stats(stats) => stats.run(everywhere),
            Command::Export(export) => export.run(everywhere),
            Command::Diff(diff) => diff.run(everywhere),
            Command::Config(config) => config.run(everywhere),
            Command::Hooks(hooks) => hooks.run(everywhere),
            Command::Gc(gc) => gc.run(everywhere),
            Command::Completions(completions) => completions.run(),
            Command::Debug(debug) => debug.run(everywhere),
        }
    }
}

/// The whole command line as clap knows it.
fn command() -> clap::Command {
    Arguments::command()
}

impl Everywhere {
    /// Where to work.
    fn options(&self) -> Result<Options, Failure> {
        let start = std::env::current_dir().map_err(|error| Failure::io("find the current directory", &error))?;
        Ok(Options { start, root: self.root.clone(), database: self.db.clone(), no_index: self.no_index })
    }

    /// The repository alone, where no graph is needed.
    fn repository(&self) -> Result<Repository, Failure> {
        let options = self.options()?;
        let repository = Repository::open(&options.start, options.root.as_deref())?;
        repository.warnings().iter().for_each(|warning| self.note(format_args!("warning: {warning}")));
        Ok(repository)
    }

    /// The repository with its graphs.
    fn desk(&self) -> Result<Desk, Failure> {
        Ok(Desk::open(self.options()?)?)
    }

    /// Does some work, shows how far it is, and says what the user should hear of it.
    fn watched<T>(&self, session: &Session, work: impl FnOnce() -> T) -> T {
        // Without looking at the disk there is nothing to wait for.
        let result = if self.quiet || self.no_index { work() } else { progress::shown(&session.progress, work) };
        session.take_notes().iter().for_each(|note| self.note(format_args!("note: {note}")));
        result
    }

    /// With `--verbose`: where the work was done, and how much of it there was.
    fn say_more(&self, session: &Session, work: Work) {
        if self.verbose {
            let Work { parsed, resolved, reused } = work;
            let root = session.repository.root().display();
            self.note(format_args!("{root}: {parsed} files parsed, {resolved} resolved, {reused} taken as stored"));
        }
    }

    /// Names the files that went wrong; the exit code of a command that has nothing else to complain of.
    fn report_files(&self, failed: &[RepoPath], warnings: &[String]) -> Exit {
        warnings.iter().for_each(|warning| self.note(format_args!("warning: {warning}")));
        for path in failed {
            output::note(format_args!("error: {path} made the program fail and was left out; please report it"));
        }
        if failed.is_empty() { Exit::Done } else { Exit::Incomplete }
    }

    /// Says something on standard error that is neither answer nor error.
    fn note(&self, text: std::fmt::Arguments<'_>) {
        if !self.quiet {
            output::note(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// The graph that a run left behind which met such a file, as the next run finds it.
    #[test]
    fn a_file_that_made_the_program_fail_is_exit_code_4() {
        let directory = tempfile::tempdir().expect("a directory");
        let write = |text| std::fs::write(directory.path().join("bad.py"), text).expect("written");
        let run = || {
            let root = directory.path().as_os_str();
            let arguments = ["repo-graph", "index", "--quiet", "--root"].map(OsString::from);
            let matches = command().try_get_matches_from(arguments.into_iter().chain([root.to_owned()]));
            let arguments = Arguments::from_arg_matches(&matches.expect("a command line")).expect("a command line");
            arguments.run().expect("a graph").code()
        };
        write("f()  # PANIC");
        let options = Options { start: directory.path().to_owned(), ..Options::default() };
        let session = Session::open(options).expect("a directory").failing();
        session.index(&crate::index::At::Disk, false).expect("a graph");
        assert_eq!(run(), 4);
        write("f()");
        assert_eq!(run(), 0);
    }

    /// Help texts are imperative and end without a full stop, in every sub-command.
    #[test]
    fn help_texts_have_one_style() {
        fn check(command: &clap::Command) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let mut texts = vec![about];
            texts.extend(
                command
                    .get_arguments()
                    .map(|argument| argument.get_help().map(ToString::to_string).unwrap_or_default()),
            );
            for text in texts {
                let name = command.get_name();
                assert!(!text.is_empty(), "{name}: an argument or command has no help");
                assert!(!text.ends_with('.'), "{name}: {text}");
                assert!(text.starts_with(char::is_uppercase), "{name}: {text}");
            }
            command.get_subcommands().for_each(check);
        }
        check(&command());
    }
}
