//! `query` and `stats`: the questions of the catalog as sub-commands.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use super::{Everywhere, Exit, Failure, output};
use crate::ask::{Answer, Refusal};
use crate::json;
use crate::queries::graph_diff::GraphDiff;
use crate::queries::{self, BadArgument, CATALOG, Call, Needs, Report, Tool};

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
    /// Answer a question about a change as a comment for its reviewer
    #[arg(long, value_enum, default_value_t, global = true)]
    format: Format,
    /// End with 3 when a change breaks a caller, asks for a check (or breaks), or touches files that are not read
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT", global = true)]
    fail_on: Vec<Gate>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    #[default]
    Json,
    Markdown,
}

/// What a gate does not let through.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Gate {
    Broken,
    Check,
    Unread,
}

impl Gate {
    fn stops(self, report: &Report) -> bool {
        match self {
            Gate::Broken => report.broken > 0,
            Gate::Check => report.broken + report.check > 0,
            Gate::Unread => report.unread > 0,
        }
    }
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

/// Show what a branch or commit changes in the graph; the same as `query graph_diff`
#[derive(Args)]
pub struct Diff {
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    question: GraphDiff,
}

impl Diff {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        ask(Call::of(self.form.at.clone(), self.question), &self.form, everywhere)
    }
}

fn ask(call: Result<Call, BadArgument>, form: &Form, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let call = call.map_err(Failure::environment)?;
    let about_change = matches!(call.needs(), Needs::Comparison { .. });
    let reviewed = form.format == Format::Markdown || !form.fail_on.is_empty();
    if reviewed && !about_change {
        let message = "--format markdown and --fail-on are for questions about a change";
        let hint = "these are graph_diff, changed_callers, changed_impact and impact --since";
        return Err(Failure::environment(message).hint(hint));
    }
    let layout = |line: String| if form.pretty { json::pretty(&line) } else { line } + "\n";
    let desk = everywhere.desk()?;
    let answer = || match reviewed {
        true => desk.review(&call),
        false => desk.ask(&call).map(|answer| answer.map(|line| (line, None))),
    };
    let Answer { text: (line, report), failed, warnings, work } = match everywhere.watched(&desk.session, answer) {
        Ok(answer) => answer,
        Err(Refusal::Failed(error)) => return Err(error.into()),
        Err(Refusal::Miss(miss)) => {
            output::note(format_args!("{}", layout(json::to_string(&miss)).trim_end()));
            return Ok(Exit::Miss);
        }
    };
    everywhere.say_more(&desk.session, work);
    let exit = everywhere.report_files(&failed, &warnings);
    let is_stopped = report.as_ref().is_some_and(|report| form.fail_on.iter().any(|gate| gate.stops(report)));
    let text = match report {
        Some(report) if form.format == Format::Markdown => report.markdown,
        _ => layout(line),
    };
    output::answer(&text)?;
    Ok(if is_stopped { Exit::Gate } else { exit })
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
