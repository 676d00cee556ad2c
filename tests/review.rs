//! Questions about a change, asked from a shell: which versions are compared, what is said when they cannot be, the
//! comment for a reviewer, and the gate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

struct Repository {
    /// Holds the repository in `repo`.
    directory: tempfile::TempDir,
}

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn command(program: &str, directory: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let all = [&["-c", "user.name=t", "-c", "user.email=t@example.invalid"], arguments].concat();
    let ran = command("git", directory, &all);
    assert_eq!(ran.code, 0, "git {arguments:?}: {}", ran.stderr);
    ran.stdout.trim().to_owned()
}

fn ask(directory: &Path, arguments: &[&str]) -> Ran {
    let ran = command(env!("CARGO_BIN_EXE_repo-graph"), directory, arguments);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

/// The answer, which must be one.
fn answer(directory: &Path, arguments: &[&str]) -> Value {
    let ran = ask(directory, arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The ids of a list of rows.
fn ids(answer: &Value, list: &str) -> Vec<String> {
    answer[list].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

impl Repository {
    fn new() -> Repository {
        let repository = Repository { directory: tempfile::tempdir().unwrap() };
        fs::create_dir(repository.path("")).unwrap();
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    fn path(&self, below: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("repo").join(below)
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.path(""), arguments)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    /// Commits everything; gives the commit's id.
    fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn ask(&self, arguments: &[&str]) -> Ran {
        ask(&self.path(""), arguments)
    }

    fn answer(&self, arguments: &[&str]) -> Value {
        answer(&self.path(""), arguments)
    }

    fn changed(&self, arguments: &[&str]) -> Vec<String> {
        ids(&self.answer(&[&["query", "changed_impact"], arguments].concat()), "changed")
    }

    /// An error with the exit code 2 that says these words.
    fn refuses(&self, arguments: &[&str], words: &[&str]) {
        let ran = self.ask(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {}", ran.stderr);
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{arguments:?}: {}", ran.stderr);
    }
}

/// `main` and `feature` went on from one commit: `a` changed here, `b` there.
fn forked() -> Repository {
    let repository = Repository::new();
    repository.write("a.py", "def a():\n    return 1\n\n\ndef use_a():\n    return a()\n");
    repository.write("b.py", "def b():\n    return 1\n");
    repository.commit("start");
    repository.git(&["checkout", "-qb", "feature"]);
    repository.write("a.py", "def a():\n    return 2\n\n\ndef use_a():\n    return a()\n");
    repository.commit("a");
    repository.git(&["checkout", "-q", "main"]);
    repository.write("b.py", "def b():\n    return 2\n");
    repository.commit("b");
    repository.git(&["checkout", "-q", "feature"]);
    repository
}

#[test]
fn since_is_the_merge_base_and_goes_to_the_disk() {
    let repository = forked();
    assert_eq!(repository.changed(&["main"]), ["a:a"]);
    // Staged, unstaged and untracked.
    repository.write("c.py", "def c():\n    return 1\n");
    repository.git(&["add", "c.py"]);
    repository.write("d.py", "def d():\n    return 1\n");
    repository.write("b.py", "def b():\n    return 3\n");
    assert_eq!(repository.changed(&["main"]), ["a:a", "b:b", "c", "c:c", "d", "d:d"]);
    // Two revisions: commits only, from their merge base; a range is exact.
    assert_eq!(repository.changed(&["main", "feature"]), ["a:a"]);
    assert_eq!(repository.changed(&["main...feature"]), ["a:a"]);
    assert_eq!(repository.changed(&["main..feature"]), ["a:a", "b:b"]);
    assert_eq!(repository.changed(&["main..main"]), [""; 0]);
    let impact = repository.answer(&["query", "impact", "--since", "main", "--head", "feature"]);
    assert_eq!((ids(&impact, "changed"), ids(&impact, "impact")), (vec!["a:a".to_owned()], vec!["a:use_a".to_owned()]));
    assert_eq!(impact["base"], repository.git(&["merge-base", "main", "feature"]).as_str());
    assert_eq!(impact["head"], repository.git(&["rev-parse", "feature"]).as_str());
    assert_eq!(repository.answer(&["query", "impact", "--base", "main"])["head"], "disk");
    // Without arguments: what is not committed yet.
    assert_eq!(ids(&repository.answer(&["diff"]), "added"), ["c", "c:c", "d", "d:d"]);
}

#[test]
fn a_clean_tree_at_the_merge_base_is_an_empty_answer_that_says_so() {
    let repository = forked();
    for question in ["graph_diff", "changed_callers", "changed_impact"] {
        let answer = repository.answer(&["query", question, "HEAD"]);
        assert!(answer["note"].as_str().unwrap().contains("do not differ"), "{answer}");
    }
    let markdown = repository.ask(&["query", "changed_impact", "--format", "markdown"]).stdout;
    assert!(markdown.contains("Nothing that the graph has differs."), "{markdown}");
}

#[test]
fn what_cannot_be_compared_is_said_with_what_to_do() {
    let repository = forked();
    repository.refuses(&["diff", "nothing"], &["unknown revision `nothing`"]);
    repository.refuses(&["diff", "main..feature", "HEAD"], &["main..feature", "both ends"]);
    repository.refuses(&["query", "impact", "--since", "main", "a"], &["cannot be used with"]);
    repository.refuses(&["query", "impact"], &["`symbol` or `since`"]);
    repository.refuses(&["query", "impact", "--at", "main", "--since", "main"], &["`at`"]);
    repository.refuses(&["query", "callers", "a", "--format", "markdown"], &["changed_callers"]);
    // No history in common.
    repository.git(&["checkout", "-q", "--orphan", "other"]);
    repository.commit("other");
    repository.refuses(&["diff", "main"], &["no merge base", "A..B"]);
    // Only the remote branch is there, as in every continuous integration.
    let clone = repository.path("clone");
    git(&repository.path(""), &["clone", "-q", "-b", "feature", ".", "clone"]);
    let ran = ask(&clone, &["diff", "main"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("origin/main"), "{}", ran.stderr);
    assert_eq!(ids(&answer(&clone, &["query", "changed_impact", "origin/main"]), "changed"), ["a:a"]);
    // Where history was cut off.
    let url = format!("file://{}", repository.path("").display());
    git(&repository.path(""), &["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "feature", &url, "shallow"]);
    let ran = ask(&repository.path("shallow"), &["diff", "origin/main"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("shallow") && ran.stderr.contains("--unshallow"), "{}", ran.stderr);
    // Outside of git there are no revisions.
    let plain = tempfile::tempdir().unwrap();
    fs::write(plain.path().join("a.py"), "a = 1\n").unwrap();
    assert_eq!(ask(plain.path(), &["diff", "HEAD"]).code, 2);
}

#[test]
fn of_several_merge_bases_the_others_are_named() {
    let repository = forked();
    let (main, feature) = (repository.git(&["rev-parse", "main"]), repository.git(&["rev-parse", "feature"]));
    repository.git(&["merge", "-q", "--no-edit", &main]);
    repository.git(&["checkout", "-q", "main"]);
    repository.git(&["merge", "-q", "--no-edit", &feature]);
    let answer = repository.answer(&["diff", "main", "feature"]);
    let mut bases = vec![answer["base"].as_str().unwrap(), answer["other_bases"][0].as_str().unwrap()];
    bases.sort_unstable();
    let mut expected = vec![main.as_str(), feature.as_str()];
    expected.sort_unstable();
    assert_eq!(bases, expected);
}

#[test]
fn a_missing_object_ends_a_comparison_and_is_named() {
    let repository = forked();
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    let old = repository.git(&["rev-parse", "HEAD~1:a.py"]);
    let url = format!("file://{}", repository.path("").display());
    git(repository.directory.path(), &["clone", "-q", "--filter=blob:none", "-b", "feature", &url, "partial"]);
    let partial = repository.directory.path().join("partial");
    git(&partial, &["remote", "set-url", "origin", "file:///nowhere"]);
    let ran = ask(&partial, &["query", "impact", "--since", "HEAD~1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("a.py") && ran.stderr.contains(&old), "{}", ran.stderr);
    // What did not change is not needed.
    assert_eq!(ids(&answer(&partial, &["query", "changed_impact", "HEAD"]), "changed"), [""; 0]);
}

#[test]
fn a_bare_repository_is_compared_by_its_commits() {
    let repository = forked();
    git(repository.directory.path(), &["clone", "-q", "--bare", "repo", "bare.git"]);
    let bare = repository.directory.path().join("bare.git");
    let answer = answer(&bare, &["query", "changed_impact", "main"]);
    assert_eq!(ids(&answer, "changed"), ["a:a"]);
    assert_eq!(answer["head"], repository.git(&["rev-parse", "feature"]).as_str());
}

#[test]
fn a_gate_ends_with_3_and_says_why() {
    let repository = forked();
    repository.write("a.py", "def a(size):\n    return size\n\n\ndef use_a():\n    return a()\n");
    repository.write("notes.txt", "not read\n");
    let callers = ["query", "changed_callers", "HEAD"];
    let with = |flags: &[&str]| repository.ask(&[&callers, flags].concat());
    assert_eq!(with(&[]).code, 0);
    assert_eq!(with(&["--fail-on", "broken"]).code, 3);
    assert_eq!(with(&["--fail-on", "check,unread"]).code, 3);
    assert_eq!(with(&["--fail-on", "unread"]).code, 3);
    assert!(with(&["--fail-on", "broken"]).stdout.contains("missing argument `size`"));
    repository.write("a.py", "def a(size=1):\n    return size\n\n\ndef use_a():\n    return a()\n");
    assert_eq!(with(&["--fail-on", "broken"]).code, 0);
    assert_eq!(with(&["--fail-on", "check"]).code, 3);
    fs::remove_file(repository.path("notes.txt")).unwrap();
    assert_eq!(with(&["--fail-on", "unread"]).code, 0);
}

#[test]
fn a_comment_is_found_again_links_to_lines_and_stays_under_the_limit() {
    let repository = Repository::new();
    let mut text = String::from("def hub(size):\n    return size\n");
    for number in 0..3_000 {
        text.push_str(&format!("\n\ndef caller_with_a_rather_long_name_{number}():\n    return hub({number})\n"));
    }
    repository.write("hub file`](x).py", &text);
    repository.commit("start");
    repository.write("hub file`](x).py", &text.replacen("hub(size)", "hub(size, more)", 1));
    let ran = repository.ask(&["query", "changed_callers", "--format", "markdown"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("<!-- repo-graph: changed_callers -->\n"));
    assert!(ran.stdout.contains("**3000 broken callers**"), "{}", &ran.stdout[..500]);
    assert!(ran.stdout.contains("[``hub file`](x).py:6``](hub%20file%60%5D%28x%29.py#L6)"), "{}", &ran.stdout[..900]);
    assert!(ran.stdout.chars().count() < 65_536);
    assert!(ran.stdout.trim_end().ends_with("found no room here."));
}

#[test]
fn a_long_difference_is_paged_and_nothing_is_lost() {
    let repository = Repository::new();
    repository.write("a.py", "");
    repository.commit("start");
    let functions: Vec<String> = (0..500).map(|number| format!("def f{number}():\n    return {number}\n")).collect();
    repository.write("a.py", &functions.join("\n\n"));
    let (mut seen, mut offset) = (Vec::new(), "0".to_owned());
    loop {
        let page = repository.ask(&["diff", "--offset", &offset]);
        assert!(page.stdout.len() < 8 * 1024, "{}", page.stdout.len());
        let page: Value = serde_json::from_str(&page.stdout).unwrap();
        seen.extend(ids(&page, "added"));
        match page["hint"].as_str().filter(|_| page["truncated"] == true) {
            Some(hint) => offset = hint.rsplit(' ').next().unwrap().to_owned(),
            None => break,
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 500);
}
