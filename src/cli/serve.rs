//! `serve`: the MCP server.

use super::{Everywhere, Exit, Failure};
use crate::mcp;

/// Answer an MCP client on standard input and output, until the input ends
#[derive(clap::Args)]
pub struct Serve {}

impl Serve {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        mcp::serve(everywhere.options()?)?;
        Ok(Exit::Done)
    }
}
