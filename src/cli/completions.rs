//! `completions`: a script that teaches a shell our command line.

use clap_complete::Shell;

use super::{Exit, Failure, output};

/// Print a completion script for a shell, for instance: repo-graph completions bash > ~/.local/share/bash-completion/completions/repo-graph
#[derive(clap::Args)]
pub struct Completions {
    /// Shell that will read the script
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "repo-graph", &mut script);
        output::answer(&String::from_utf8_lossy(&script))
    }
}
