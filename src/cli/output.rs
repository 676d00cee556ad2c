//! Printing: answers to standard output, notes to standard error; a closed pipe ends either quietly.

use std::fmt;
use std::io::{self, Write};

use super::errors::{Exit, Failure};

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

/// Prints a line that is no answer.
pub fn note(text: fmt::Arguments<'_>) {
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
