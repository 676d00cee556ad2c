//! Questions about a graph: one file for each, and the catalog that the command line, MCP and the documents are made
//! from.
//!
//! Pure: a question reads a [`Graph`] and what its [`Context`] says, and gives an answer that can be serialized, or a
//! [`Miss`]. Knows no store, no git, no protocol, and not how arguments reach us.

mod arguments;
mod budget;
pub(crate) mod comparison;
mod markdown;
mod miss;
mod paths;
mod reach;
mod reached_by_change;
mod rows;
mod spelling;
mod subject;
#[cfg(test)]
pub(crate) mod testing;
mod verdicts;
mod walk;

pub(crate) mod callees;
pub(crate) mod callers;
pub(crate) mod changed_callers;
pub(crate) mod changed_impact;
pub(crate) mod find_symbol;
pub(crate) mod graph_diff;
pub(crate) mod hierarchy;
pub(crate) mod impact;
pub(crate) mod importers;
pub(crate) mod imports;
pub(crate) mod outline;
pub(crate) mod path;
pub(crate) mod references;
pub(crate) mod reindex;
pub(crate) mod stats;
pub(crate) mod tests_for;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::graph::Graph;
use crate::json;
use crate::names::{CommitId, RepoPath};
use crate::snapshot::Skipped;

pub(crate) use arguments::BadArgument;
pub(crate) use comparison::Comparison;
pub(crate) use markdown::Report;
pub(crate) use miss::Miss;

/// The argument that every read-only question takes beside its own: which graph it is about.
///
/// A revision, or the word `staged`; without it the disk as it is. The command line declares it once, as a global
/// argument of this id.
pub const AT: &str = "at";

/// The command line's help for a subject.
const SYMBOL: &str = "Id (`shop.models:Order.save`), dotted name, bare name, suffix (`Order.save`), path:line or path";

/// The command line's help for the two ends of a comparison.
const BASE: &str = "Compare from the merge base with this revision (default HEAD); A..B compares exactly these two";
const SINCE: &str = "Ask what is changed since the merge base with this revision; A..B compares exactly these two";
const HEAD: &str = "Compare up to this revision instead of the disk";

/// What a question may ask beside its arguments.
pub struct Context<'a> {
    /// The graph that is asked.
    pub graph: &'a dyn Graph,
    /// What it is of.
    pub snapshot: SnapshotInfo<'a>,
    /// Spellings of the root's absolute path, for subjects that are absolute paths.
    pub roots: &'a [String],
    /// The user's directory relative to the root, `""` for the root itself.
    pub directory: &'a str,
    /// What the driver just did, for [`Needs::Reindex`].
    pub reindexed: Option<reindex::Report>,
    /// What the driver has loaded, for [`Needs::Comparison`]; `graph` is then its after side.
    pub comparison: Option<&'a Comparison<'a>>,
}

/// Where the graph's snapshot comes from.
#[derive(Clone, Copy, Default)]
pub struct SnapshotInfo<'a> {
    /// What the user or the view calls it: `disk`, `staged`, or the revision that was asked for.
    pub at: &'a str,
    /// The snapshot's own commit, or the one that disk and git's index stand on; none on an unborn branch and outside
    /// git.
    pub commit: Option<CommitId>,
    /// Whether it differs from that commit; only told when a question [`Needs::State`].
    pub dirty: bool,
    /// Sorted by path.
    pub skipped: &'a [Skipped],
    /// Paths in conflict, sorted.
    pub conflicts: &'a [RepoPath],
}

/// What the driver must do before a question can be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Bring the graph of [`Call::at`] up to date.
    Graph,
    /// The same, and find out whether its snapshot differs from its commit.
    State,
    /// Index, as `repo-graph index` does, and report it in [`Context::reindexed`].
    Reindex {
        /// Read and resolve everything again.
        full: bool,
    },
    /// Load two versions, in [`Context::comparison`]: from `base` to `head`, as users write them.
    Comparison {
        /// A revision, or a range; `None`: `HEAD`.
        base: Option<String>,
        /// A revision; `None`: the disk.
        head: Option<String>,
    },
}

/// A question: its fields are its arguments, as the command line and as JSON take them.
pub trait Query: clap::Args + DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static {
    /// As users type it.
    const NAME: &'static str;
    /// Under 300 characters; the first sentence decides whether it is the right question.
    const DESCRIPTION: &'static str;
    /// Whether it leaves everything as it was.
    const READ_ONLY: bool = true;
    /// Whether it is about one graph, so that it takes [`AT`].
    const TAKES_AT: bool = Self::READ_ONLY;
    /// What is printed, as JSON.
    type Answer: Serialize;

    /// What must be at hand in the context.
    fn needs(&self) -> Needs {
        Needs::Graph
    }

    /// Whether the arguments go together; `at` is the value of [`AT`].
    fn check(&self, _at: Option<&str>) -> Result<(), BadArgument> {
        Ok(())
    }

    /// The answer; the same for the same graph and arguments.
    fn answer(&self, context: &Context<'_>) -> Result<Self::Answer, Miss>;

    /// The answer as a comment for a reviewer, with what a gate asks for. Questions about a change have one.
    fn report(&self, _context: &Context<'_>) -> Option<Result<Report, Miss>> {
        None
    }
}

/// A question of the catalog, its types erased.
pub struct Tool {
    /// See [`Query::NAME`].
    pub name: &'static str,
    /// See [`Query::DESCRIPTION`].
    pub description: &'static str,
    /// See [`Query::READ_ONLY`].
    pub read_only: bool,
    takes_at: bool,
    own_schema: fn() -> Map<String, Value>,
    augment: fn(clap::Command) -> clap::Command,
    from_json: fn(Map<String, Value>) -> Result<Question, BadArgument>,
    from_matches: fn(&clap::ArgMatches) -> Result<Question, clap::Error>,
}

/// Every question, in the order of the documents.
pub static CATALOG: &[Tool] = &[
    Tool::of::<find_symbol::FindSymbol>(),
    Tool::of::<outline::Outline>(),
    Tool::of::<callers::Callers>(),
    Tool::of::<callees::Callees>(),
    Tool::of::<references::References>(),
    Tool::of::<imports::Imports>(),
    Tool::of::<importers::Importers>(),
    Tool::of::<hierarchy::Hierarchy>(),
    Tool::of::<tests_for::TestsFor>(),
    Tool::of::<impact::Impact>(),
    Tool::of::<path::Path>(),
    Tool::of::<stats::Stats>(),
    Tool::of::<graph_diff::GraphDiff>(),
    Tool::of::<changed_callers::ChangedCallers>(),
    Tool::of::<changed_impact::ChangedImpact>(),
    Tool::of::<reindex::Reindex>(),
];

/// The tool of a name; an unknown one is answered with the nearest.
pub fn tool(name: &str) -> Result<&'static Tool, BadArgument> {
    let found = CATALOG.iter().find(|tool| tool.name == name);
    found.ok_or_else(|| BadArgument::unknown("tool", name, CATALOG.iter().map(|tool| tool.name)))
}

impl Tool {
    const fn of<Q: Query>() -> Tool {
        Tool {
            name: Q::NAME,
            description: Q::DESCRIPTION,
            read_only: Q::READ_ONLY,
            takes_at: Q::TAKES_AT,
            own_schema: arguments::schema::<Q>,
            augment: |command| Q::augment_args(command),
            from_json: |arguments| Ok(Box::new(arguments::from_json::<Q>(arguments)?)),
            from_matches: |matches| Ok(Box::new(Q::from_arg_matches(matches)?)),
        }
    }

    /// The JSON schema of the arguments, as agents are told it: lean, since they pay for every word of it.
    pub fn schema(&self) -> Value {
        let mut schema = self.whole_schema();
        arguments::make_lean(&mut schema);
        Value::Object(schema)
    }

    /// The schema that arguments are checked against.
    fn whole_schema(&self) -> Map<String, Value> {
        let mut schema = (self.own_schema)();
        if self.takes_at {
            arguments::add_string(&mut schema, AT);
        }
        schema
    }

    /// The first sentence of the description, without its full stop.
    pub fn summary(&self) -> &'static str {
        let description = self.description;
        description.split_once(". ").map_or(description, |(first, _)| first).trim_end_matches('.')
    }

    /// The tool as a sub-command.
    pub fn command(&self) -> clap::Command {
        let command = clap::Command::new(self.name).about(self.summary());
        let command = if self.summary().len() + 1 < self.description.len() {
            command.long_about(self.description.trim_end_matches('.'))
        } else {
            command
        };
        (self.augment)(command)
    }

    /// The call that JSON arguments make. A null counts as absent.
    pub fn call(&self, mut arguments: Map<String, Value>) -> Result<Call, BadArgument> {
        arguments.retain(|_, value| !value.is_null());
        arguments::check(&self.whole_schema(), &arguments)?;
        let at = arguments.remove(AT).and_then(|at| at.as_str().map(str::to_owned));
        Call::new(at, (self.from_json)(arguments)?)
    }

    /// The call that a parsed command line makes. `matches` are those of [`Tool::command`].
    pub fn call_from(&self, matches: &clap::ArgMatches) -> Result<Call, BadArgument> {
        let at = matches.try_get_one::<String>(AT).ok().flatten().cloned();
        if at.is_some() && !self.takes_at {
            return Err(BadArgument::new(AT, format!("{} takes no `{AT}`", self.name)));
        }
        let question = (self.from_matches)(matches)
            .map_err(|error| BadArgument::new(self.name, error.to_string().trim().to_owned()))?;
        Call::new(at, question)
    }
}

/// A question with its arguments, ready to be asked.
pub struct Call {
    /// The value of [`AT`].
    pub at: Option<String>,
    question: Question,
}

impl Call {
    /// The call of a question that was parsed by itself.
    pub fn of(at: Option<String>, question: impl Query) -> Result<Call, BadArgument> {
        Call::new(at, Box::new(question))
    }

    fn new(at: Option<String>, question: Question) -> Result<Call, BadArgument> {
        question.check(at.as_deref())?;
        Ok(Call { at, question })
    }

    /// What to do first.
    pub fn needs(&self) -> Needs {
        self.question.needs()
    }

    /// The answer as one line of JSON.
    pub fn answer(&self, context: &Context<'_>) -> Result<String, Miss> {
        self.question.answer(context)
    }

    /// The answer as a comment for a reviewer; `None` when the question is not about a change.
    pub fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>> {
        self.question.report(context)
    }
}

type Question = Box<dyn Ask>;

trait Ask: Send + Sync {
    fn needs(&self) -> Needs;
    fn check(&self, at: Option<&str>) -> Result<(), BadArgument>;
    fn answer(&self, context: &Context<'_>) -> Result<String, Miss>;
    fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>>;
}

impl<Q: Query> Ask for Q {
    fn needs(&self) -> Needs {
        Query::needs(self)
    }

    fn check(&self, at: Option<&str>) -> Result<(), BadArgument> {
        Query::check(self, at)
    }

    fn answer(&self, context: &Context<'_>) -> Result<String, Miss> {
        Query::answer(self, context).map(|answer| json::to_string(&answer))
    }

    fn report(&self, context: &Context<'_>) -> Option<Result<Report, Miss>> {
        Query::report(self, context)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::testing::{ask, graph};
    use super::*;

    /// Bytes of MCP's `tools/list` (DESIGN §17).
    const TOOLS_LIST_BYTES: usize = 8 * 1024;

    #[test]
    fn the_catalog_is_short_enough_for_an_agent() {
        let mut bytes = 0;
        for tool in CATALOG {
            assert!(tool.description.len() < 300, "{}", tool.name);
            assert!(tool.summary().len() < tool.description.len(), "{}: the first sentence ends", tool.name);
            let hints =
                json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false});
            let entry = json!({"name": tool.name, "description": tool.description, "inputSchema": tool.schema(), "annotations": hints});
            bytes += entry.to_string().len() + 1;
        }
        assert!(bytes < TOOLS_LIST_BYTES, "{bytes} bytes");
    }

    #[test]
    fn every_tool_is_a_command_with_the_arguments_of_its_schema() {
        for tool in CATALOG {
            let command = tool.command();
            command.clone().debug_assert();
            let flags: Vec<String> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
            let schema = tool.schema();
            let keys = schema["properties"].as_object().unwrap().keys().filter(|key| *key != AT);
            assert_eq!(flags, keys.cloned().collect::<Vec<_>>(), "{}", tool.name);
        }
    }

    proptest::proptest! {
        /// Whatever is asked for: an answer, a miss or a refusal, in JSON, within the size.
        #[test]
        fn any_text_is_answered(text in "([a-fm./: ()>%~*]|\\PC){0,24}", number in 0u32..20) {
            let graph = graph(
                "file a/b.py = a.b, 9 lines
                 class C 1-9
                 method C.m 2-3
                 function f 4-5
                 calls f -> a/b.py:C.m at 5
                 inherits C -> a/b.py:C at 1",
            );
            for tool in CATALOG {
                let schema = tool.schema();
                let keys = schema["required"].as_array().into_iter().flatten();
                let mut arguments: Map<String, Value> =
                    keys.map(|key| (key.as_str().unwrap().to_owned(), json!(text))).collect();
                if schema["properties"].get("limit").is_some() {
                    arguments.insert("limit".to_owned(), json!(number));
                }
                if tool.read_only {
                    let said = ask(&graph, tool.name, Value::Object(arguments));
                    proptest::prop_assert!(said.len() < budget::DEFAULT_BYTES);
                    proptest::prop_assert!(serde_json::from_str::<Value>(&said).is_ok());
                }
            }
        }
    }

    #[test]
    fn the_same_question_by_command_line_and_by_json_has_the_same_answer() {
        let graph = graph("file a.py = a, 3 lines\nfunction f 1-3\nfunction g 3-3\ncalls g -> a.py:f at 3");
        let tool = tool("callers").unwrap();
        let matches = tool.command().get_matches_from(["callers", "f", "--depth", "2", "--limit", "5"]);
        let snapshot = SnapshotInfo::default();
        let context = Context { graph: &graph, snapshot, roots: &[], directory: "", reindexed: None, comparison: None };
        let answer = tool.call_from(&matches).unwrap().answer(&context).unwrap();
        assert_eq!(answer, ask(&graph, "callers", json!({"symbol": "f", "depth": 2, "limit": 5})));
    }
}
