//! `config`: the settings of MCP clients. Prints; never edits a file of the user's.

use clap::builder::PossibleValuesParser;

use super::{Everywhere, Exit, Failure, output};
use crate::mcp::clients::{CLIENTS, client};

/// Print the settings that make an MCP client start this server: the settings on standard output, the file that they
/// belong into on standard error. No file is changed
#[derive(clap::Args)]
pub struct Config {
    /// Client to print the settings for
    #[arg(value_parser = PossibleValuesParser::new(CLIENTS.iter().map(|client| client.name)))]
    client: String,
    /// Start the server by this name or path
    #[arg(long, value_name = "PROGRAM", default_value = "repo-graph")]
    exe: String,
}

impl Config {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let client = client(&self.client).expect("the parser lets only known names through");
        let repository = everywhere.repository()?;
        let root = everywhere.root.as_ref().map(|_| repository.root());
        let snippet = client.snippet(&self.exe, root, repository.root())?;
        let place = if client.file.starts_with('~') { "" } else { ", in the top directory of the project" };
        everywhere.note(format_args!("{}: put this into {}{place}", client.title, client.file));
        if !client.note.is_empty() {
            everywhere.note(format_args!("{}", client.note));
        }
        output::answer(&snippet)
    }
}
