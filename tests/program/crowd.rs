//! Many at once: whoever comes, there is one right graph, and nobody hears of anybody else's work.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use super::place::{Place, Ran, program, run, without_configuration};

/// Processes that are started before the first has ended.
const CROWD: usize = 200;
/// Servers among them.
const SERVERS: usize = 2;

const QUESTIONS: [&[&str]; 4] = [
    &["index", "-q"],
    &["query", "callers", "a:a", "-q"],
    &["stats", "-q"],
    &["query", "--at", "main", "callees", "pkg.b:b", "-q"],
];

/// Two worktrees of one repository, on different branches.
fn worktrees(place: &Place) -> [PathBuf; 2] {
    let linked = place.outside().join("linked");
    place.git(&["worktree", "add", "-q", "-b", "other", linked.to_str().unwrap()]);
    std::fs::write(linked.join("c.py"), "from a import a\na()\n").unwrap();
    [place.path(""), linked]
}

fn start(directory: &Path, arguments: &[&str]) -> Child {
    let mut command = program(directory, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A server that is asked one thing, and whose client then goes.
fn serve(directory: &Path) -> Child {
    let mut server = start(directory, &["serve"]);
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let call =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"callers","arguments":{"symbol":"a:a"}}}"#;
    let mut input = server.stdin.take().unwrap();
    writeln!(input, "{hello}\n{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n{call}").unwrap();
    server
}

/// The hook that git would run, with the program found by its name.
fn hook(directory: &Path) -> Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/post-checkout");
    let program = Path::new(env!("CARGO_BIN_EXE_repo-graph")).parent().unwrap();
    let path = std::env::join_paths([program, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let mut command = std::process::Command::new("sh");
    command.arg(script).args(["HEAD~1", "HEAD", "1"]).current_dir(directory).env("PATH", path);
    without_configuration(&mut command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn two_hundred_runs_at_once_leave_one_right_graph() {
    let alone = Place::new();
    let right: Vec<Vec<Ran>> = worktrees(&alone)
        .iter()
        .map(|directory| QUESTIONS.iter().map(|question| run(directory, question)).collect())
        .collect();
    let crowded = Place::new();
    let directories = worktrees(&crowded);
    let crowd: Vec<(usize, usize, Child)> = (0..CROWD)
        .map(|at| {
            let (worktree, question) = (at % 2, at / 2 % QUESTIONS.len());
            (worktree, question, start(&directories[worktree], QUESTIONS[question]))
        })
        .collect();
    let servers: Vec<Child> = (0..SERVERS).map(|at| serve(&directories[at % 2])).collect();
    let hooks: Vec<Child> = directories.iter().map(|directory| hook(directory)).collect();
    for (worktree, question, child) in crowd {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran, right[worktree][question]);
    }
    for server in servers {
        let ran = Ran::from(server.wait_with_output().unwrap());
        assert!(ran.code == 0 && ran.stdout.contains("pkg.b:b"), "{ran:?}");
        assert_eq!(ran.stderr, "");
    }
    for hook in hooks {
        assert_eq!(Ran::from(hook.wait_with_output().unwrap()), Ran::silent());
    }
    for (directory, right) in directories.iter().zip(&right) {
        assert_eq!(run(directory, &["query", "--no-index", "stats"]), right[2]);
    }
}
