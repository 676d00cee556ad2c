//! The command line: what goes where, with which exit code, and that nothing is touched that need not be.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::place::{Place, Ran, program, run};

#[test]
fn flags_stand_before_or_after_the_names_of_commands() {
    let place = Place::new();
    let root = place.path("");
    let root = root.to_str().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let right = place.run(&["query", "callers", "a:a"]).answer();
    assert!(right.contains("pkg.b:b"), "{right}");
    for arguments in [
        &["--root", root, "query", "callers", "a:a"][..],
        &["query", "--root", root, "callers", "a:a"],
        &["query", "callers", "--root", root, "a:a"],
        &["query", "callers", "a:a", "-C", root],
        &["-q", "query", "callers", "a:a", "-C", root],
        &["query", "callers", "a:a", "-C", root, "--limit", "50", "--no-index"],
    ] {
        assert_eq!(run(outside.path(), arguments).answer(), right, "{arguments:?}");
    }
    let at_head = place.run(&["query", "--at", "HEAD", "callers", "a:a"]).answer();
    assert_eq!(place.run(&["query", "callers", "a:a", "--at", "HEAD"]).answer(), at_head);
    let pretty = place.run(&["query", "callers", "a:a", "--pretty"]);
    assert!(pretty.stdout.lines().count() > 5);
    let (pretty, plain): (Value, Value) =
        (serde_json::from_str(&pretty.stdout).unwrap(), serde_json::from_str(&right).unwrap());
    assert_eq!(pretty, plain);
}

#[test]
fn index_has_its_summary_on_standard_error_and_json_on_standard_output() {
    let place = Place::new();
    let ran = place.run(&["index"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert!(ran.stderr.starts_with("2 files, 4 symbols, "), "{}", ran.stderr);
    let summary: Value = serde_json::from_str(&place.run(&["index", "--json"]).answer()).unwrap();
    assert!(ran.stderr.contains(summary["digest"].as_str().unwrap()));
    assert_eq!((&summary["files"], &summary["parsed"], &summary["reused"]), (&2.into(), &0.into(), &2.into()));
    assert_eq!(place.run(&["index", "-q"]), Ran::silent());
    let of_head = place.run(&["index", "--rev", "HEAD", "--json", "--full"]).answer();
    let of_head: Value = serde_json::from_str(&of_head).unwrap();
    assert_eq!((&of_head["digest"], &of_head["parsed"]), (&summary["digest"], &2.into()));
}

#[test]
fn a_question_without_an_answer_ends_with_1_and_json_on_standard_error() {
    let place = Place::new();
    let ran = place.run(&["query", "callers", "no_such_thing"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let miss: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!((&miss["error"], &miss["query"]), (&"unknown".into(), &"no_such_thing".into()));
    assert_eq!(place.run(&["query", "callers", "a.py:999"]).code, 1);
    // Known, and nobody calls it: an answer.
    assert!(place.run(&["query", "callers", "pkg.b:b"]).answer().contains("\"callers\":[]"));
}

#[test]
fn usage_and_configuration_errors_end_with_2_and_create_nothing() {
    let place = Place::new();
    for arguments in [
        &["query"][..],
        &["query", "callers"],
        &["query", "no_such_question"],
        &["query", "callers", "a", "--limit", "0"],
        &["query", "callers", "a", "--limit", "many"],
        &["query", "find_symbol", "a", "--kind", "clas"],
        &["index", "--no-such-flag"],
        &["export", "--format", "svg"],
        &["no-such-command"],
        &[],
        &["-q", "-v", "index"],
    ] {
        let ran = place.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains("--help"), "{arguments:?}: {}", ran.stderr);
    }
    place.run(&["index", "--root", "no/such"]).error(2, &["no/such", "does not exist"]);
    place.run(&["index", "--root", "a.py"]).error(2, &["a.py", "not a directory"]);
    place.run(&["query", "--at", "mian", "callers", "a:a"]).error(2, &["mian", "`main`"]);
    place.run(&["query", "--fail-on", "broken", "callers", "a:a"]).error(2, &["--fail-on", "changed_callers"]);
    place.run(&["query", "--format", "markdown", "stats"]).error(2, &["--format markdown", "graph_diff"]);
    place.run(&["query", "--at", "HEAD", "changed_callers"]).error(2, &["changed_callers", "`at`"]);
    place.run(&["query", "--at", "HEAD", "reindex"]).error(2, &["reindex", "`at`"]);
    place.run(&["index", "--db", "no/such.db"]).error(2, &["no/such.db"]);
    place.run(&["query", "--no-index", "callers", "a:a"]).error(2, &["is stored", "--no-index"]);
    place.write(".repo-graph.toml", "max_file_bites = 1\n");
    place.run(&["index"]).error(2, &["max_file_bites", "max_file_bytes"]);
    place.run(&["query", "callers", "a:a"]).error(2, &["max_file_bites"]);
    assert!(!place.path(".repo-graph").exists() && !place.path("no").exists());
}

#[test]
fn a_database_that_the_user_names_is_used_or_is_an_error() {
    let place = Place::new();
    let elsewhere = place.path("../elsewhere.db");
    let elsewhere = elsewhere.to_str().unwrap();
    let right = place.run(&["--db", elsewhere, "query", "callers", "a:a"]).answer();
    assert!(!place.path(".repo-graph").exists());
    assert_eq!(place.run(&["--db", elsewhere, "--no-index", "query", "callers", "a:a"]).answer(), right);
    place.write("notes.txt", "not a database, and long enough for one to begin with\n");
    place.run(&["--db", "notes.txt", "index"]).error(2, &["notes.txt", "no database of repo-graph"]);
    assert!(fs::read_to_string(place.path("notes.txt")).unwrap().starts_with("not a database"));
}

/// A database that came with the repository is somebody's text, not our graph.
#[test]
fn a_database_that_git_tracks_is_not_opened() {
    let place = Place::new();
    place.run(&["index", "-q"]);
    place.git(&["add", "-f", ".repo-graph/graph.db"]);
    place.run(&["query", "callers", "a:a"]).error(2, &["graph.db", "tracked by git"]);
    place.run(&["--no-index", "query", "callers", "a:a"]).error(2, &["tracked by git"]);
}

#[test]
fn without_looking_at_the_disk_the_last_graph_answers() {
    let place = Place::new();
    let before = place.run(&["query", "callers", "a:a"]).answer();
    place.write("c.py", "import a\n\n\ndef c():\n    return a.a()\n");
    assert_eq!(place.run(&["query", "callers", "a:a", "--no-index"]).answer(), before);
    assert_ne!(place.run(&["query", "callers", "a:a"]).answer(), before);
}

#[test]
fn below_the_top_the_whole_worktree_answers_and_paths_start_where_the_user_stands() {
    let place = Place::new();
    let below = place.path("pkg");
    let right = place.run(&["query", "callees", "pkg.b:b"]).answer();
    let absolute = format!("{}:4", place.path("pkg/b.py").display());
    for subject in ["b.py:4", "./b.py:5", "../pkg/b.py:4", "pkg/b.py:4", absolute.as_str()] {
        assert_eq!(run(&below, &["query", "callees", subject]).answer(), right, "{subject}");
    }
    assert!(run(&below, &["query", "callees", "../../b.py:4"]).code == 1);
    // `--root` means exactly that directory.
    assert_eq!(run(&below, &["query", "--root", ".", "find_symbol", "a"]).answer().matches("a.py").count(), 0);
}

#[test]
fn each_view_of_the_repository_has_its_own_answer() {
    let place = Place::new();
    place.write("c.py", "import a\n\n\ndef c():\n    return a.a()\n");
    place.git(&["add", "c.py"]);
    place.write("d.py", "import a\n\n\ndef d():\n    return a.a()\n");
    let callers = |arguments: &[&str]| {
        let answer = place.run(&[&["query", "callers", "a:a"], arguments].concat()).answer();
        ["c:c", "d:d"].map(|id| answer.contains(id))
    };
    assert_eq!(callers(&[]), [true, true]);
    assert_eq!(callers(&["--at", "staged"]), [true, false]);
    assert_eq!(callers(&["--at", "HEAD"]), [false, false]);
    let stats = |arguments: &[&str]| {
        let stats: Value = serde_json::from_str(&place.run(arguments).answer()).unwrap();
        (stats["at"].as_str().unwrap().to_owned(), stats["dirty"] == true, stats["files"].as_u64().unwrap())
    };
    assert_eq!(stats(&["stats"]), ("disk".to_owned(), true, 4));
    assert_eq!(stats(&["stats", "--at", "staged"]), ("staged".to_owned(), true, 3));
    assert_eq!(stats(&["stats", "--at", "HEAD"]), ("HEAD".to_owned(), false, 2));
    let [of_head, of_disk] = [&["export", "--at", "HEAD"][..], &["export"]].map(|words| place.run(words).stdout);
    assert!(of_disk.contains("[\"d\"]") && !of_head.contains("[\"d\"]"), "{of_disk}");
}

#[test]
fn an_export_goes_to_standard_output_or_to_a_file() {
    let place = Place::new();
    let export = ["export", "--format", "json", "--level", "all"];
    let ran = place.run(&export);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let to_file = place.run(&[&export[..], &["-o", "graph.json"]].concat());
    assert_eq!(to_file, Ran::silent());
    assert_eq!(fs::read_to_string(place.path("graph.json")).unwrap(), ran.stdout);
    assert!(!place.path("graph.json.part").exists());
    place.run(&["export", "-o", "no/such/file"]).error(2, &["cannot write no/such/file"]);
}

#[test]
fn a_person_hears_more_or_less_and_never_an_escape_code() {
    let place = Place::new();
    let loud = place.run(&["index", "-v"]);
    assert!(loud.stderr.contains("2 files parsed, 2 resolved, 0 taken as stored"), "{}", loud.stderr);
    assert_eq!(place.run(&["query", "stats", "-q"]).stderr, "");
    let hostile = place.run(&["index", "--root", "no\u{1b}[2J\u{202e}such"]);
    assert_eq!(hostile.code, 2);
    assert!(hostile.stderr.contains("no\\u001b[2J\\u202esuch"), "{}", hostile.stderr);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::new();
    // More than a pipe holds.
    let text: String = (0..5000).map(|n| format!("def function_{n}():\n    pass\n")).collect();
    place.write("many.py", &text);
    place.run(&["index", "-q"]);
    for arguments in [&["export", "--format", "json", "--level", "all"][..], &["completions", "zsh"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran: Ran = program(&place.path(""), arguments).stdout(writer).output().unwrap().into();
        assert_eq!(ran, Ran::silent(), "{arguments:?}");
    }
}

#[test]
fn every_command_has_help_and_help_is_an_answer() {
    let directory = tempfile::tempdir().unwrap();
    let help = run(directory.path(), &["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert!(help.stdout.contains("Exit codes:"));
    for command in ["index", "query", "serve", "stats", "export", "config", "hooks", "gc", "completions", "debug"] {
        assert!(help.stdout.contains(&format!("\n  {command} ")), "{command}");
        let ran = run(directory.path(), &[command, "--help"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{command}");
    }
    let version = run(directory.path(), &["--version"]);
    assert_eq!(version.stdout, format!("repo-graph {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(directory.path(), &["completions", shell]);
        assert!(script.code == 0 && script.stdout.contains("find_symbol"), "{shell}");
    }
}

#[test]
fn the_parts_of_the_program_can_be_looked_at() {
    let place = Place::new();
    assert!(place.run(&["debug", "facts", "a.py"]).stdout.contains("scope s0 Module\n"));
    assert!(place.run(&["debug", "unit", "pkg/b.py"]).stdout.starts_with("Unit {"));
    place.run(&["debug", "unit", "none.py"]).error(2, &["none.py"]);
    place.run(&["debug", "facts", "none.py"]).error(2, &["none.py"]);
    place.run(&["debug", "facts", "README"]).error(2, &["README"]);
}

/// The line of `examples/pull-request.yml` that compares, as it stands there: 3 is the gate that it asks for.
#[test]
fn the_example_of_a_pull_request_check_works_as_written() {
    let place = Place::new();
    let workflow = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pull-request.yml");
    let workflow = fs::read_to_string(workflow).unwrap();
    let line = workflow.lines().map(str::trim).find(|line| line.starts_with("repo-graph query")).unwrap();
    place.git(&["checkout", "-q", "-b", "feature"]);
    let compare = |text: &str| {
        place.write("a.py", text);
        place.commit("change");
        let directory = Path::new(env!("CARGO_BIN_EXE_repo-graph")).parent().unwrap();
        let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(place.path("")).env("BASE", "main").env("PATH", path);
        let ran = Ran::from(shell.output().unwrap());
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
        (ran.code, fs::read_to_string(place.path("comment.md")).unwrap())
    };
    let (code, comment) = compare("def a():\n    return 2\n");
    assert!(code == 0 && comment.starts_with("<!-- repo-graph"), "{code}: {comment}");
    let (code, comment) = compare("def a(now_required):\n    return 2\n");
    assert!(code == 3 && comment.contains("pkg/b.py#L5"), "{code}: {comment}");
}

#[test]
fn collecting_garbage_changes_no_answer() {
    let place = Place::new();
    let before = place.run(&["query", "callers", "a:a"]).answer();
    let ran = place.run(&["gc"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(place.run(&["query", "--no-index", "callers", "a:a"]).answer(), before);
}
