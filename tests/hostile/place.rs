//! A directory with hostile content, and the program in it under limits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Address space of one run, in KiB. Far above what any of the shapes needs.
const ADDRESS_SPACE_KIB: u64 = 4 << 20;
/// Processor time of one run, in seconds. Work in proportion to the text stays far below it even in a debug build;
/// what grows with its square, or faster, does not end in time.
const PROCESSOR_SECONDS: u64 = 120;

/// Random cases of a test: so many, unless a longer search is asked for.
pub fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Place {
        let place = Place { directory: tempfile::tempdir().unwrap() };
        fs::create_dir(place.root()).unwrap();
        // Files of any size are read: the limit of size is no defence here.
        place.write(".repo-graph.toml", "max_file_bytes = 100000000\n");
        place
    }

    pub fn with(files: &[(&str, &str)]) -> Place {
        let place = Place::new();
        files.iter().for_each(|(path, text)| place.write(path, text));
        place
    }

    pub fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("repo")
    }

    /// A database of its own, outside the directory that is read.
    pub fn database(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The program in the directory, under limits.
    pub fn program(&self, arguments: &[&str]) -> Command {
        self.program_under("", arguments)
    }

    /// The program under further limits, as a shell sets them.
    pub fn program_under(&self, limits: &str, arguments: &[&str]) -> Command {
        let limits =
            format!("ulimit -v {ADDRESS_SPACE_KIB}; ulimit -t {PROCESSOR_SECONDS}; {limits} exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &limits, env!("CARGO_BIN_EXE_repo-graph")]).args(arguments);
        command.current_dir(self.root()).stdin(Stdio::null());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.program(arguments).output().unwrap()
    }

    /// Indexes everything anew into a database of its own.
    pub fn fresh(&self, name: &str) -> Summary {
        self.index(&self.database(name))
    }

    /// Brings a database up to date; the summary of a run that went well.
    pub fn index(&self, database: &Path) -> Summary {
        let output = self.run(&["index", "--json", "--db", database.to_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
        Summary(serde_json::from_slice(&output.stdout).unwrap())
    }
}

/// What `index --json` says.
#[derive(PartialEq, Eq, Debug)]
pub struct Summary(pub Value);

impl Summary {
    pub fn number(&self, key: &str) -> u64 {
        self.0[key].as_u64().unwrap()
    }

    pub fn digest(&self) -> &str {
        self.0["digest"].as_str().unwrap()
    }

    /// Files left out for a reason.
    pub fn skipped(&self, reason: &str) -> u64 {
        self.0["skipped"][reason].as_u64().unwrap_or_default()
    }
}
