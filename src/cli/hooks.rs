//! `hooks`: install, remove or look at the git hooks.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{Everywhere, Exit, Failure, output};
use crate::git::hooks::{self, Hook, LINE, State};

#[derive(clap::Subcommand)]
pub enum Hooks {
    /// Bring the graph up to date in the background after each checkout, commit, merge and rebase
    Install,
    /// Take the lines of repo-graph out of the hooks again
    Uninstall,
    /// Show which hooks are installed
    Status,
}

impl Hooks {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let hooks = hooks::Hooks::of(&everywhere.repository()?)?;
        match self {
            Hooks::Install => {
                let after = hooks.install(&program()?)?;
                for (hook, _) in after.iter().filter(|(_, state)| *state == State::Installed) {
                    everywhere.note(format_args!("{}: installed", hooks.path(*hook).display()));
                }
                let left = left_alone(&hooks, &after);
                if left == Exit::Environment {
                    output::note(format_args!("hint: add this line where you want it, by hand\n  {LINE}"));
                }
                Ok(left)
            }
            Hooks::Uninstall => {
                let left = left_alone(&hooks, &hooks.uninstall()?);
                match left {
                    Exit::Environment => output::note(format_args!("hint: take our lines out by hand")),
                    _ => everywhere.note(format_args!("nothing of repo-graph is left in the hooks")),
                }
                Ok(left)
            }
            Hooks::Status => {
                let mut table = String::new();
                for (hook, state) in hooks.status(&program()?)? {
                    let state = match state {
                        State::Absent => "not installed".to_owned(),
                        State::Installed => "installed".to_owned(),
                        State::Outdated => "installed by another version or from another place".to_owned(),
                        State::LeftAlone(reason) => format!("left alone: {reason}"),
                    };
                    writeln!(table, "{}: {state} ({})", hook.name(), hooks.path(hook).display())
                        .expect("text grows without failing");
                }
                output::answer(&table)
            }
        }
    }
}

/// The absolute path that hooks call.
fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::io("find the path of this program", &error))
}

/// Names the hooks that are not ours to change.
fn left_alone(hooks: &hooks::Hooks, after: &[(Hook, State)]) -> Exit {
    let mut exit = Exit::Done;
    for (hook, state) in after {
        if let State::LeftAlone(reason) = state {
            output::note(format_args!("{}: left alone, {reason}", hooks.path(*hook).display()));
            exit = Exit::Environment;
        }
    }
    exit
}
