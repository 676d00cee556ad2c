//! Every error of the layers below as a message, a hint and an exit code: the one place that says what to do about it.

use std::fmt;
use std::io;

use crate::git::GitError;
use crate::git::hooks::HookError;
use crate::index::IndexError;
use crate::mcp::ServeError;
use crate::mcp::clients::NotText;

/// How the program ends. The numbers are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All went well.
    Done,
    /// The question had no answer.
    Miss,
    /// Wrong usage, configuration or environment.
    Environment,
    /// A gate that was asked for.
    Gate,
    /// Done, but a file made the program fail.
    Incomplete,
    /// A fault of the program itself; the number that Rust gives a panic.
    Fault,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Miss => 1,
            Exit::Environment => 2,
            Exit::Gate => 3,
            Exit::Incomplete => 4,
            Exit::Fault => 101,
        }
    }
}

/// What could not be done, why, and what to do now.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    pub hint: Option<String>,
    pub exit: Exit,
}

impl Failure {
    /// Something about the usage, the configuration or the machine.
    pub fn environment(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), hint: None, exit: Exit::Environment }
    }

    /// An attempt that the system refused.
    pub fn io(attempt: &str, error: &io::Error) -> Failure {
        Failure::environment(format_args!("cannot {attempt}: {error}"))
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl fmt::Display) -> Failure {
        self.hint = Some(hint.to_string());
        self
    }
}

/// What clap has to say: help and version on standard output with 0, usage errors on standard error with 2.
pub fn report_usage(error: &clap::Error) -> Exit {
    // Where the pipe is closed there is nobody left to tell.
    let _ = error.print();
    if error.use_stderr() { Exit::Environment } else { Exit::Done }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Failure {
        Failure { message: error.to_string(), hint: error.hint(), exit: Exit::Environment }
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Failure {
        Failure { message: error.to_string(), hint: error.hint(), exit: Exit::Environment }
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        match error {
            ServeError::Git(error) => error.into(),
            ServeError::Io(_) => Failure::environment(error),
        }
    }
}

impl From<HookError> for Failure {
    fn from(error: HookError) -> Failure {
        let failure = Failure::environment(&error);
        match error {
            HookError::NoRepository(_) => failure.hint("run it inside a repository, or name one with --root"),
            HookError::Configuration(_) => failure.hint("see `git config --show-origin core.hooksPath`"),
            HookError::Io { .. } => failure,
            HookError::Git(error) => error.into(),
        }
    }
}

impl From<NotText> for Failure {
    fn from(error: NotText) -> Failure {
        Failure::environment(error)
    }
}
