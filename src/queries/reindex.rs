//! `reindex`: bring the graph up to date now, and say what it took. The work is the driver's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Context, Miss, Needs, Query};

#[derive(clap::Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reindex {
    #[arg(long, help = "Read and resolve everything again")]
    #[serde(default)]
    full: bool,
}

/// What indexing did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// Files of the snapshot.
    pub files: usize,
    /// Blobs that were read.
    pub read: usize,
    /// Blobs that were parsed.
    pub parsed: usize,
    /// Units that were resolved.
    pub resolved: usize,
    /// Units that were taken as they were stored.
    pub reused: usize,
    pub milliseconds: u64,
    /// Of the graph, in hexadecimal.
    pub digest: String,
}

impl Query for Reindex {
    const NAME: &'static str = "reindex";
    const DESCRIPTION: &'static str = "Bring the graph up to date now. Questions do this by themselves.";
    const READ_ONLY: bool = false;
    type Answer = Report;

    fn needs(&self) -> Needs {
        Needs::Reindex { full: self.full }
    }

    fn answer(&self, context: &Context<'_>) -> Result<Report, Miss> {
        let report = context.reindexed.clone();
        Ok(report.expect("the driver does what `needs` says before it asks for the answer"))
    }
}
