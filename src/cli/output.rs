//! Printing: answers to standard output, notes to standard error; a closed pipe ends either quietly.

use std::fmt;
use std::io::{self, Write};

use super::errors::{Exit, Failure};
use crate::json;

/// Prints an answer and ends the command.
pub fn answer(text: &str) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever read it has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(Failure::io("write to standard output", &error)),
        Ok(()) => Ok(Exit::Done),
    }
}

/// Prints a line, or a few, that are no answer.
///
/// Paths and the words of other programs come from outside: what a terminal could take for a command is escaped.
pub fn note(text: fmt::Arguments<'_>) {
    let mut line = json::visible(&text.to_string());
    line.push('\n');
    // Where standard error is closed there is nobody left to tell.
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Says what could not be done and ends the command.
pub fn failure(failure: Failure) -> Exit {
    note(format_args!("error: {}", failure.message));
    if let Some(hint) = &failure.hint {
        note(format_args!("hint: {hint}"));
    }
    failure.exit
}
