//! Many at once: whoever comes, there is one right graph, and nobody hears of anybody else's work.

use std::process::{Child, Stdio};

use super::place::{Place, Ran, program};

/// Processes that are started before the first has ended.
const CROWD: usize = 200;

#[test]
fn two_hundred_runs_at_once_leave_one_right_graph() {
    let questions: [&[&str]; 4] = [
        &["index", "-q"],
        &["query", "callers", "a:a", "-q"],
        &["stats", "-q"],
        &["query", "--at", "HEAD", "callees", "pkg.b:b", "-q"],
    ];
    let alone = Place::new();
    let right: Vec<Ran> = questions.iter().map(|question| alone.run(question)).collect();
    let crowded = Place::new();
    let start = |at: usize| -> Child {
        let mut command = program(&crowded.path(""), questions[at % questions.len()]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let crowd: Vec<Child> = (0..CROWD).map(start).collect();
    for (at, child) in crowd.into_iter().enumerate() {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran, right[at % questions.len()]);
    }
    assert_eq!(crowded.run(&["query", "--no-index", "stats"]), right[2]);
}
