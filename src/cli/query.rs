//! `query` and `stats`: the questions of the catalog as sub-commands.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use super::{Everywhere, Exit, Failure, output};
use crate::ask::Refusal;
use crate::json;
use crate::queries::{self, BadArgument, CATALOG, Call, Tool};

const SUBJECTS: &str = "\
Subjects:
  A symbol is named by its id (shop.models:Order.save), a dotted name (shop.models.Order.save), a bare name (save), a \
suffix (Order.save) or a place (shop/models.py:28). Where several symbols match, they are listed on standard error and \
the exit code is 1.";

/// Ask a question about the code
#[derive(Args)]
#[command(after_long_help = SUBJECTS)]
pub struct Query {
    #[command(flatten)]
    form: Form,
    #[command(subcommand)]
    question: Question,
}

/// How a question is asked and answered: flags before or after its name.
#[derive(Args)]
pub struct Form {
    /// Ask about this revision, or about `staged` (git's index), instead of the disk as it is
    #[arg(long, id = queries::AT, value_name = "REV", global = true)]
    at: Option<String>,
    /// Indent the answer
    #[arg(long, global = true)]
    pretty: bool,
}

/// A question of the catalog with its arguments, as the user typed them.
struct Question {
    tool: &'static Tool,
    matches: ArgMatches,
}

impl Query {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let Question { tool, matches } = self.question;
        ask(tool.call_from(&matches), &self.form, everywhere)
    }
}

/// Show what the graph holds: commit, files, symbols, edges, what was left out and why
#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    form: Form,
}

impl Stats {
    /// The same as `query stats`.
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let at = self.form.at.iter().map(|at| (queries::AT.to_owned(), at.clone().into()));
        let call = queries::tool("stats").and_then(|tool| tool.call(at.collect()));
        ask(call, &self.form, everywhere)
    }
}

fn ask(call: Result<Call, BadArgument>, form: &Form, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let call = call.map_err(Failure::environment)?;
    let layout = |line: String| if form.pretty { json::pretty(&line) } else { line };
    let desk = everywhere.desk()?;
    let answer = match everywhere.watched(&desk.session, || desk.ask(&call)) {
        Ok(answer) => answer,
        Err(Refusal::Failed(error)) => return Err(error.into()),
        Err(Refusal::Miss(miss)) => {
            output::note(format_args!("{}", layout(json::to_string(&miss))));
            return Ok(Exit::Miss);
        }
    };
    everywhere.say_more(&desk.session, answer.work);
    let exit = everywhere.report_files(&answer.failed, &answer.warnings);
    output::answer(&(layout(answer.text) + "\n"))?;
    Ok(exit)
}

impl Subcommand for Question {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        command.subcommands(CATALOG.iter().map(Tool::command)).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Question::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        queries::tool(name).is_ok()
    }
}

impl FromArgMatches for Question {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Question, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let tool = queries::tool(name).map_err(|_| missing())?;
        Ok(Question { tool, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Question::from_arg_matches(matches)?;
        Ok(())
    }
}
