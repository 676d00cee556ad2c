//! The MCP server, from its start until it has said which tools it has.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"figures","version":"1"}}}"#;
const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;

/// The list of tools as a client gets it, and how long it took from the start of the program.
pub fn list_tools(serve: &mut Command) -> Outcome<(Duration, String)> {
    let started = Instant::now();
    let mut server = serve.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = server.stdin.take().expect("it was piped");
    let mut output = BufReader::new(server.stdout.take().expect("it was piped"));
    let mut line = String::new();
    writeln!(input, "{HELLO}")?;
    output.read_line(&mut line)?;
    writeln!(input, "{READY}\n{LIST}")?;
    line.clear();
    output.read_line(&mut line)?;
    let elapsed = started.elapsed();
    server.kill()?;
    server.wait()?;
    if line.contains("\"tools\"") { Ok((elapsed, line)) } else { Err(format!("no list of tools: {line}").into()) }
}
