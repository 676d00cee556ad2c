//! The git hooks with real git: when they fire, what they call, and that they leave everything else as it was.
//!
//! A script takes the place of the program and records its calls. Whatever a git command starts inherits the writing
//! end of a pipe, so reading that pipe to its end waits for all of it, and no test needs to sleep.

use std::fs;
use std::io::{BufRead, BufReader, PipeReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use repo_graph::git::Repository;
use repo_graph::git::hooks::{Hook, Hooks, Reason, State};

use super::place::{Ran, program, run, without_configuration};

/// A repository with a recording stand-in for the program.
struct Setup {
    scratch: tempfile::TempDir,
}

impl Setup {
    fn new() -> Setup {
        let setup = Setup { scratch: tempfile::tempdir().unwrap() };
        fs::create_dir(setup.path("repo")).unwrap();
        fs::create_dir(setup.path("bin")).unwrap();
        let record =
            format!("#!/bin/sh\necho \"$PWD $* ${{GIT_DIR-}}${{GIT_INDEX_FILE-}}\" >>'{}'\n", setup.text("calls"));
        setup.program(&record);
        for arguments in [
            &["init", "-q", "-b", "main"][..],
            &["config", "user.name", "t"],
            &["config", "user.email", "t@example.invalid"],
        ] {
            setup.git(arguments);
        }
        fs::write(setup.path("repo/a.py"), "a = 1\n").unwrap();
        setup.git(&["add", "."]);
        setup.git(&["commit", "-qm", "first"]);
        setup
    }

    fn path(&self, below: &str) -> PathBuf {
        // Hooks see the directory without links in it.
        self.scratch.path().canonicalize().unwrap().join(below)
    }

    fn text(&self, below: &str) -> String {
        self.path(below).to_str().unwrap().to_owned()
    }

    /// What stands for the program: `bin/repo-graph`.
    fn program(&self, script: &str) {
        write_executable(&self.path("bin/repo-graph"), script);
    }

    fn hooks(&self) -> Hooks {
        hooks_of(&self.path("repo"))
    }

    fn install(&self) -> Vec<State> {
        states(self.hooks().install(&self.path("bin/repo-graph")).unwrap())
    }

    fn hook(&self, hook: Hook) -> PathBuf {
        self.path("repo/.git/hooks").join(hook.name())
    }

    /// Starts git in the repository. What is returned beside it ends when everything has ended that it started:
    /// all of it inherits the writing end, as descriptor 3.
    fn start(&self, arguments: &[&str]) -> (Child, PipeReader) {
        let mut command = Command::new("sh");
        command.args(["-c", "exec 3<&0 </dev/null; exec git \"$@\"", "sh"]).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.spawn(command)
    }

    fn spawn(&self, mut command: Command) -> (Child, PipeReader) {
        let (ends, lives) = std::io::pipe().unwrap();
        command.current_dir(self.path("repo")).stdin(lives);
        without_configuration(&mut command).env("GIT_EDITOR", "true");
        (command.spawn().unwrap(), ends)
    }

    /// A git command in the repository, and the end of everything that it started.
    fn git(&self, arguments: &[&str]) -> Output {
        let (child, mut ends) = self.start(arguments);
        ends.read_to_end(&mut Vec::new()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// The calls since the last look.
    fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.path("calls"));
        calls.lines().map(|line| line.trim_end().to_owned()).collect()
    }

    /// Runs git and counts the calls, each of which must be right.
    fn calls_of(&self, arguments: &[&str]) -> usize {
        self.calls();
        self.git(arguments);
        let calls = self.calls();
        let right = format!("{} index -q", self.text("repo"));
        assert!(calls.iter().all(|call| *call == right), "{calls:?}");
        calls.len()
    }
}

fn hooks_of(directory: &Path) -> Hooks {
    Hooks::of(&Repository::open(directory, None).unwrap()).unwrap()
}

fn write_executable(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn states(hooks: Vec<(Hook, State)>) -> Vec<State> {
    hooks.into_iter().map(|(_, state)| state).collect()
}

#[test]
fn each_event_that_changes_the_worktree_calls_the_program() {
    let setup = Setup::new();
    assert_eq!(setup.install(), [State::Installed; 4]);

    assert_eq!(setup.calls_of(&["checkout", "-q", "-b", "other"]), 1);
    fs::write(setup.path("repo/b.py"), "b = 1\n").unwrap();
    setup.git(&["add", "."]);
    assert_eq!(setup.calls_of(&["commit", "-qm", "b"]), 1);
    // Two hooks fire one right after the other; whether their runs fold into one depends on how fast the first is.
    let amended = setup.calls_of(&["commit", "-q", "--amend", "-m", "b again"]);
    assert!((1..=2).contains(&amended), "{amended}");
    assert_eq!(setup.calls_of(&["switch", "-q", "main"]), 1);
    assert_eq!(setup.calls_of(&["merge", "-q", "other"]), 1);
    assert_eq!(setup.calls_of(&["checkout", "-q", "--detach", "HEAD~1"]), 1);
}

#[test]
fn a_checkout_of_single_files_does_not() {
    let setup = Setup::new();
    setup.install();
    fs::write(setup.path("repo/a.py"), "a = 2\n").unwrap();
    assert_eq!(setup.calls_of(&["checkout", "--", "a.py"]), 0);
    fs::write(setup.path("repo/a.py"), "a = 2\n").unwrap();
    assert_eq!(setup.calls_of(&["restore", "a.py"]), 0);
}

#[test]
fn a_rebase_of_thirty_commits_calls_once_at_its_end() {
    let setup = Setup::new();
    setup.git(&["checkout", "-q", "-b", "long"]);
    for n in 0..30 {
        fs::write(setup.path(&format!("repo/f{n}.py")), "x = 1\n").unwrap();
        setup.git(&["add", "."]);
        setup.git(&["commit", "-qm", "step"]);
    }
    setup.git(&["checkout", "-q", "main"]);
    fs::write(setup.path("repo/z.py"), "z = 1\n").unwrap();
    setup.git(&["add", "."]);
    setup.git(&["commit", "-qm", "z"]);
    setup.git(&["checkout", "-q", "long"]);
    setup.install();
    assert_eq!(setup.calls_of(&["rebase", "-q", "main"]), 1);
    setup.git(&["reset", "-q", "--hard", "HEAD~5"]);
    assert_eq!(setup.calls_of(&["rebase", "-q", "-i", "--force-rebase", "HEAD~10"]), 1);
}

#[test]
fn a_new_worktree_gets_its_graph() {
    let setup = Setup::new();
    setup.install();
    setup.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    assert_eq!(setup.calls(), [format!("{} index -q", setup.text("linked"))]);
    // Installing from there is installing for the repository: nothing is left to do.
    let linked = hooks_of(&setup.path("linked"));
    assert_eq!(states(linked.status(&setup.path("bin/repo-graph")).unwrap()), [State::Installed; 4]);
    assert_eq!(states(linked.uninstall().unwrap()), [State::Absent; 4]);
    assert!(Hook::ALL.iter().all(|&hook| !setup.hook(hook).exists()));
}

/// The program blocks until the test lets it go on; git does not. All that asked meanwhile get one run together.
#[test]
fn many_at_once_fold_into_one_run_and_git_never_waits() {
    let setup = Setup::new();
    setup.program("#!/bin/sh\necho started >&3\nread -r word <&4\n");
    setup.install();
    let (gate, mut go) = std::io::pipe().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "exec 3<&0 4<&1 </dev/null >/dev/null; exec git checkout -q -b other"]).stdout(gate);
    let (mut first, ends) = setup.spawn(command);
    let mut runs = BufReader::new(ends).lines();
    assert!(first.wait().unwrap().success());
    assert_eq!(runs.next().unwrap().unwrap(), "started");
    // The first run is under way; these only leave word.
    for branch in ["one", "two", "three"] {
        setup.git(&["checkout", "-q", "-b", branch]);
    }
    go.write_all(b"go\n").unwrap();
    assert_eq!(runs.next().unwrap().unwrap(), "started");
    go.write_all(b"go\n").unwrap();
    assert!(runs.next().is_none(), "one more run for the three");
    let left: Vec<_> = fs::read_dir(setup.path("repo/.git")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_str().unwrap().starts_with("repo-graph")), "{left:?}");
}

#[test]
fn a_run_that_was_killed_does_not_stop_the_next() {
    let setup = Setup::new();
    setup.install();
    let file = setup.path("repo/.git/repo-graph-hook.pid");
    // No process has this number: it is over what Linux and macOS hand out.
    fs::write(&file, "99999999").unwrap();
    assert_eq!(setup.calls_of(&["checkout", "-q", "-B", "other"]), 1);
    // Whose file it is cannot be told, or its process is somebody else's now: only the age tells.
    for number in [String::new(), std::process::id().to_string()] {
        fs::write(&file, number).unwrap();
        assert_eq!(setup.calls_of(&["checkout", "-q", "-B", "other"]), 0);
        let old = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
        fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        assert_eq!(setup.calls_of(&["checkout", "-q", "-B", "other"]), 1);
    }
}

#[test]
fn without_the_program_git_goes_on_unharmed() {
    let setup = Setup::new();
    setup.install();
    fs::remove_file(setup.path("bin/repo-graph")).unwrap();
    let output = setup.git(&["checkout", "-q", "-b", "other"]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    // A failing one is as harmless.
    setup.program("#!/bin/sh\necho noise\necho noise >&2\nexit 3\n");
    let output = setup.git(&["checkout", "-q", "-b", "third"]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_script_runs_as_it_stands() {
    let setup = Setup::new();
    let hook = Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/post-checkout");
    fs::create_dir_all(setup.path("repo/.git/hooks")).unwrap();
    fs::copy(hook, setup.hook(Hook::PostCheckout)).unwrap();
    let path = format!("{}:{}", setup.text("bin"), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.args(["-c", "exec 3<&0 </dev/null; exec git checkout -q -b other"]).env("PATH", path);
    let (mut child, mut ends) = setup.spawn(command);
    ends.read_to_end(&mut Vec::new()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(setup.calls(), [format!("{} index -q", setup.text("repo"))]);
}

#[test]
fn a_hook_that_was_there_goes_on_working_and_comes_back_byte_for_byte() {
    let setup = Setup::new();
    let trace = setup.text("trace");
    let shell = format!("#!/bin/sh -eu\necho \"$1 $3\" >>'{trace}'\nexit 0\n");
    let without_end = format!("#!/usr/bin/env bash\ncat >>'{trace}'; exec true");
    write_executable(&setup.hook(Hook::PostCheckout), &shell);
    write_executable(&setup.hook(Hook::PostRewrite), &without_end);
    write_executable(&setup.hook(Hook::PostMerge), "#!/bin/sh");
    fs::set_permissions(setup.hook(Hook::PostMerge), fs::Permissions::from_mode(0o700)).unwrap();

    assert_eq!(setup.install(), [State::Installed; 4]);
    assert_eq!(setup.calls_of(&["checkout", "-q", "-b", "other"]), 1);
    assert!(fs::read_to_string(&trace).unwrap().ends_with(" 1\n"), "arguments reach the old hook");
    assert!(setup.calls_of(&["commit", "-q", "--amend", "-m", "again"]) >= 1);
    let standard_input = fs::read_to_string(&trace).unwrap();
    assert_eq!(standard_input.lines().last().unwrap().split(' ').count(), 2, "input reaches the old hook");

    let installed = fs::read(setup.hook(Hook::PostCheckout)).unwrap();
    assert_eq!(setup.install(), [State::Installed; 4]);
    assert_eq!(fs::read(setup.hook(Hook::PostCheckout)).unwrap(), installed, "a second time changes nothing");

    assert_eq!(states(setup.hooks().uninstall().unwrap()), [State::Absent; 4]);
    assert_eq!(fs::read_to_string(setup.hook(Hook::PostCheckout)).unwrap(), shell);
    assert_eq!(fs::read_to_string(setup.hook(Hook::PostRewrite)).unwrap(), without_end);
    assert_eq!(fs::read_to_string(setup.hook(Hook::PostMerge)).unwrap(), "#!/bin/sh");
    assert_eq!(fs::metadata(setup.hook(Hook::PostMerge)).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(!setup.hook(Hook::PostCommit).exists());
}

#[test]
fn another_version_s_block_is_replaced() {
    let setup = Setup::new();
    let before = "#!/bin/sh\n# >>> repo-graph >>>\nfalse\n# <<< repo-graph <<<\necho mine\n";
    write_executable(&setup.hook(Hook::PostCommit), before);
    let program = setup.path("bin/repo-graph");
    assert_eq!(setup.hooks().status(&program).unwrap()[1], (Hook::PostCommit, State::Outdated));
    setup.install();
    let after = fs::read_to_string(setup.hook(Hook::PostCommit)).unwrap();
    assert_eq!(after.matches("# >>> repo-graph >>>").count(), 1);
    assert!(!after.contains("\nfalse\n") && after.ends_with("\necho mine\n"));
    setup.hooks().uninstall().unwrap();
    assert_eq!(fs::read_to_string(setup.hook(Hook::PostCommit)).unwrap(), "#!/bin/sh\necho mine\n");
}

/// What belongs to somebody else is left alone, and the command line says so with 2 and the line to add.
#[test]
fn foreign_hooks_are_left_alone() {
    let cases: [(&str, Reason); 5] = [
        ("#!/bin/sh\ncall_lefthook run \"post-commit\" \"$@\"\n", Reason::Manager("lefthook")),
        (
            "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n",
            Reason::Manager("pre-commit"),
        ),
        ("#!/bin/sh\n# husky\n. \"$(dirname \"$0\")/husky.sh\"\n", Reason::Manager("husky")),
        ("#!/usr/bin/env python3\nprint(1)\n", Reason::NotShell),
        ("#!/bin/sh\n# >>> repo-graph >>>\ntrue\n", Reason::Damaged),
    ];
    for (text, reason) in cases {
        let setup = Setup::new();
        write_executable(&setup.hook(Hook::PostCommit), text);
        assert_eq!(setup.install()[1], State::LeftAlone(reason));
        assert_eq!(fs::read_to_string(setup.hook(Hook::PostCommit)).unwrap(), text);

        let ran = run(&setup.path("repo"), &["hooks", "install"]);
        let said = ran.stderr;
        assert_eq!(ran.code, 2, "{said}");
        assert!(said.contains("post-commit: left alone") && said.contains("(repo-graph index -q "), "{said}");
        assert_eq!(fs::read_to_string(setup.hook(Hook::PostCommit)).unwrap(), text);
    }
    let setup = Setup::new();
    write_executable(&setup.path("elsewhere"), "#!/bin/sh\n");
    fs::create_dir_all(setup.path("repo/.git/hooks")).unwrap();
    std::os::unix::fs::symlink(setup.path("elsewhere"), setup.hook(Hook::PostMerge)).unwrap();
    fs::write(setup.hook(Hook::PostCommit), "#!/bin/sh\n").unwrap();
    let after = setup.install();
    assert_eq!(after[1..3], [State::LeftAlone(Reason::NotExecutable), State::LeftAlone(Reason::Link)]);
    assert_eq!(fs::read_to_string(setup.path("elsewhere")).unwrap(), "#!/bin/sh\n");
}

#[test]
fn core_hooks_path_is_where_git_looks() {
    let setup = Setup::new();
    setup.git(&["config", "core.hooksPath", "my hooks"]);
    write_executable(&setup.path("repo/my hooks/post-checkout"), "#!/bin/sh\nexit 0\n");
    assert_eq!(setup.install(), [State::Installed; 4]);
    assert!(!setup.hook(Hook::PostCheckout).exists());
    assert_eq!(setup.calls_of(&["checkout", "-q", "-b", "other"]), 1);
    setup.hooks().uninstall().unwrap();
    assert_eq!(fs::read_to_string(setup.path("repo/my hooks/post-checkout")).unwrap(), "#!/bin/sh\nexit 0\n");

    // What is tracked there belongs to everybody who clones.
    setup.git(&["add", "my hooks"]);
    assert_eq!(setup.install(), [State::LeftAlone(Reason::Tracked); 4]);
    setup.git(&["config", "core.hooksPath", ".husky/_"]);
    assert_eq!(setup.install(), [State::LeftAlone(Reason::Manager("husky")); 4]);
    setup.git(&["config", "core.hooksPath", "/dev/null"]);
    assert_eq!(setup.install(), [State::LeftAlone(Reason::NoDirectory); 4]);
    let status = String::from_utf8(setup.git(&["status", "--short"]).stdout).unwrap();
    assert_eq!(status, "A  \"my hooks/post-checkout\"\n");
}

/// A directory that the user's configuration names for all repositories would warm each of them.
#[test]
fn hooks_for_all_repositories_are_left_alone() {
    let setup = Setup::new();
    let configuration = setup.path("gitconfig");
    fs::write(&configuration, format!("[core]\n\thooksPath = {}\n", setup.text("shared"))).unwrap();
    let mut command = program(&setup.path("repo"), &["hooks", "status"]);
    let status = Ran::from(command.env("GIT_CONFIG_GLOBAL", configuration).output().unwrap()).stdout;
    assert_eq!(status.matches("left alone: core.hooksPath is set for all repositories").count(), 4, "{status}");
}

#[test]
fn the_command_line_installs_reports_and_removes() {
    let setup = Setup::new();
    fs::create_dir(setup.path("repo/below")).unwrap();
    let ask = |arguments: &[&str]| {
        let ran = run(&setup.path("repo/below"), arguments);
        (ran.code, ran.stdout)
    };
    let hooks = setup.text("repo/.git/hooks");
    let status = |word: &str| Hook::ALL.map(|hook| format!("{0}: {word} ({hooks}/{0})\n", hook.name())).concat();
    assert_eq!(ask(&["hooks", "status"]), (0, status("not installed")));
    assert_eq!(ask(&["hooks", "install"]), (0, String::new()));
    assert_eq!(ask(&["hooks", "status"]), (0, status("installed")));
    let text = fs::read_to_string(setup.hook(Hook::PostMerge)).unwrap();
    let line = format!("repo_graph='{}'", env!("CARGO_BIN_EXE_repo-graph"));
    assert!(text.contains(&line), "the absolute path is put in");
    assert_eq!(ask(&["hooks", "uninstall"]), (0, String::new()));
    assert!(Hook::ALL.iter().all(|&hook| !setup.hook(hook).exists()));

    let outside = tempfile::tempdir().unwrap();
    run(outside.path(), &["hooks", "install"]).error(2, &["not in a git repository"]);
}
