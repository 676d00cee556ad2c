//! Other programs of our kind on the same repositories: an index from nothing, and one question.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::amount::Amount;
use crate::corpora::{Corpora, RELEASE, RXJS, git};
use crate::process::{Cost, in_turn, run, run_for_output};

/// A program, looked for on the path.
struct Peer {
    name: &'static str,
    /// The command that installs it; none for ourselves.
    install: Option<&'static str>,
    index: &'static [&'static str],
    /// Who calls the function whose name comes next?
    ask: &'static [&'static str],
}

const PEERS: [Peer; 4] = [
    Peer { name: "repo-graph", install: None, index: &["--quiet", "index"], ask: &["--quiet", "query", "callers"] },
    Peer { name: "blast", install: Some("pip install blastcode"), index: &["index"], ask: &["trace"] },
    Peer {
        name: "codegraph",
        install: Some("npm install -g @colbymchenry/codegraph"),
        index: &["init", "--yes"],
        ask: &["callers", "--json", "--limit", "1000"],
    },
    Peer {
        name: "code-review-graph",
        install: Some("pip install code-review-graph"),
        index: &["build", "--quiet"],
        ask: &["query", "callers_of"],
    },
];

/// How often the question is asked.
const QUESTIONS: usize = 5;

/// The table of all peers, on every repository.
pub fn table(corpora: &Corpora, ourselves: &Path) -> Outcome<String> {
    let repositories =
        [("Django", corpora.django()?, RELEASE, "get_object_or_404"), ("RxJS", corpora.rxjs()?, RXJS, "innerFrom")];
    let mut table =
        "| repository | program | index: CPU | index: time | peak memory | on disk | question: time | answer |\n\
                     |---|---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    for (repository, origin, revision, subject) in &repositories {
        for peer in &PEERS {
            let row = match peer.program(ourselves) {
                None => "not installed | | | | |".to_owned(),
                // One that fails on a repository does not keep the others from being measured.
                Some(program) => measure(peer, &program, corpora, origin, revision, subject)
                    .unwrap_or_else(|error| format!("failed: {error} | | | | |")),
            };
            eprintln!("{repository}, {}: {row}", peer.name);
            table.push_str(&format!("| {repository} | {} | {row} |\n", peer.name));
        }
    }
    let missing = PEERS.iter().filter(|peer| peer.program(ourselves).is_none()).filter_map(|peer| peer.install);
    missing.for_each(|install| eprintln!("to have it measured, too: {install}"));
    Ok(table)
}

impl Peer {
    /// Where the program is, if it is installed.
    fn program(&self, ourselves: &Path) -> Option<PathBuf> {
        if self.install.is_none() {
            return Some(ourselves.to_owned());
        }
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|directory| directory.join(self.name)).find(|program| program.is_file())
    }
}

/// The cells of a program's row. It gets a clone and a home of its own, so that all it writes is seen.
fn measure(
    peer: &Peer,
    program: &Path,
    corpora: &Corpora,
    origin: &Path,
    revision: &str,
    subject: &str,
) -> Outcome<String> {
    let place = corpora.scratch()?;
    let (clone, home) = (place.join("clone"), place.join("home"));
    fs::create_dir(&home)?;
    git(&place, &["clone", "--quiet", "--branch", revision, &origin.to_string_lossy(), "clone"])?;
    let before = bytes_below(&place)?;
    let command = |arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&clone).stderr(Stdio::null());
        command.env("HOME", &home).env("CODEGRAPH_TELEMETRY", "0");
        command
    };
    let Cost { wall, cpu, peak } = run(&mut command(peer.index))?;
    let disk = bytes_below(&place)?.saturating_sub(before);
    let ask = [peer.ask, &[subject]].concat();
    let [question] = in_turn(QUESTIONS, [&mut || run(&mut command(&ask))])?;
    let (_, answer) = run_for_output(&mut command(&ask))?;
    let [cpu, wall, question] = [cpu, wall, question.wall].map(Amount::from);
    let [peak, disk, answer] = [peak, disk, answer.len() as u64].map(Amount::from);
    Ok(format!("{cpu} | {wall} | {peak} | {disk} | {question} | {answer}"))
}

/// What all files below a directory hold.
fn bytes_below(directory: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_directory = entry.file_type()?.is_dir();
        bytes += if is_directory { bytes_below(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
