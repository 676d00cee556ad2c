//! `gc`: drop what no question will ask for again.

use super::{Everywhere, Exit, Failure};

/// Drop stored graphs that no worktree, recent branch or recent question needs, and shrink the database
#[derive(clap::Args)]
pub struct Gc {}

impl Gc {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let desk = everywhere.desk()?;
        let done = everywhere.watched(&desk.session, || desk.session.gc())?;
        everywhere.report_files(&[], &[]);
        everywhere.note(format_args!(
            "graphs: {} kept, {} dropped; units: {} dropped; facts: {} dropped; bytes: {}, now {}",
            done.graphs,
            done.dropped_graphs,
            done.dropped_units,
            done.dropped_facts,
            done.bytes_before,
            done.bytes_after
        ));
        Ok(Exit::Done)
    }
}
