//! The program as its users meet it: the command line, the MCP server, the hooks, the settings of clients, and many of
//! them at once.

mod client_configuration;
mod command_line;
mod crowd;
#[cfg(unix)]
mod hooks;
mod mcp;
mod place;
