//! The configuration: text of `.repo-graph.toml`, or of `pyproject.toml`'s `[tool.repo-graph]`, to [`Config`].
//!
//! Pure: whoever makes a snapshot hands in the text that stands in it. Knows no disk and no git.

use std::fmt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::{Table, Value};

/// The name of our own configuration file, at the root.
pub const CONFIG_FILE: &str = ".repo-graph.toml";
/// The file that is asked when there is no [`CONFIG_FILE`].
pub const PYPROJECT_FILE: &str = "pyproject.toml";
/// A configuration file that is larger than this many bytes is an error.
pub const MAX_CONFIG_BYTES: usize = 1 << 20;

/// The default of `max_file_bytes`: 1 MiB.
pub const DEFAULT_MAX_FILE_BYTES: u64 = 1 << 20;
/// The largest `max_file_bytes` that may be asked for: 256 MiB.
pub const LARGEST_MAX_FILE_BYTES: u64 = 1 << 28;
/// The default of `max_files`.
pub const DEFAULT_MAX_FILES: usize = 100_000;
/// The largest `max_files` that may be asked for.
pub const LARGEST_MAX_FILES: usize = 1_000_000;

const KEYS: [&str; 3] = ["exclude", "max_file_bytes", "max_files"];

/// What the user decides about a repository.
#[derive(Clone, Debug)]
pub struct Config {
    /// Globs of what is left out, as written, sorted. Rules as in `.gitignore`: relative to the root; a glob without
    /// a slash matches at any depth; a match on a directory leaves out everything below it.
    pub exclude: Vec<String>,
    /// Larger files are left out; bytes of the blob.
    pub max_file_bytes: u64,
    /// More files than this are an error.
    pub max_files: usize,
    globs: GlobSet,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            exclude: Vec::new(),
            max_file_bytes: DEFAULT_MAX_FILE_BYTES,
            max_files: DEFAULT_MAX_FILES,
            globs: GlobSet::empty(),
        }
    }
}

impl PartialEq for Config {
    /// The globs follow from `exclude`.
    fn eq(&self, other: &Config) -> bool {
        (&self.exclude, self.max_file_bytes, self.max_files) == (&other.exclude, other.max_file_bytes, other.max_files)
    }
}

/// Whether a mistake in the configuration ends the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// For disk and staged: the user can mend it.
    Strict,
    /// For a commit: what is wrong is a warning, and counts as not written.
    Lenient,
}

/// A mistake in the configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The file that holds it, relative to the root.
    pub file: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The parser's own words.
    Syntax(String),
    /// Larger than [`MAX_CONFIG_BYTES`].
    TooLarge,
    /// A key that means nothing here.
    UnknownKey {
        /// As written.
        key: String,
        /// The key that may be meant.
        nearest: Option<&'static str>,
    },
    /// The key's value is not what `expected` says.
    Value {
        /// One of the keys that there are.
        key: &'static str,
        /// As it ends the sentence "`key` must be …".
        expected: String,
    },
    /// One of `exclude` cannot be read.
    Glob {
        /// As written.
        glob: String,
        /// The reader's own words.
        reason: String,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::Syntax(reason) => write!(f, "{}: not valid TOML: {reason}", self.file),
            Problem::TooLarge => write!(f, "{}: larger than {MAX_CONFIG_BYTES} bytes", self.file),
            Problem::UnknownKey { key, .. } => write!(f, "{}: unknown key `{key}`", self.file),
            Problem::Value { key, expected } => write!(f, "{}: `{key}` must be {expected}", self.file),
            Problem::Glob { glob, reason } => write!(f, "{}: `exclude` has a bad glob `{glob}`: {reason}", self.file),
        }
    }
}

impl std::error::Error for ConfigError {}

impl ConfigError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let Problem::UnknownKey { nearest, .. } = &self.problem else { return None };
        let allowed = KEYS.map(|key| format!("`{key}`")).join(", ");
        Some(match nearest {
            Some(nearest) => format!("did you mean `{nearest}`? Allowed keys: {allowed}"),
            None => format!("allowed keys: {allowed}"),
        })
    }
}

impl Config {
    /// Reads a configuration file. `file` is [`CONFIG_FILE`] or [`PYPROJECT_FILE`]; in the latter only
    /// `[tool.repo-graph]` counts, and `None` says that it is not there.
    ///
    /// Lenient reading cannot fail; its warnings are the second half.
    pub fn read(
        file: &str,
        text: &[u8],
        strictness: Strictness,
    ) -> Result<(Option<Config>, Vec<ConfigError>), ConfigError> {
        let mut mistakes = Vec::new();
        let config = Reader { file, mistakes: &mut mistakes }.config(text);
        match mistakes.first() {
            Some(first) if strictness == Strictness::Strict => Err(first.clone()),
            _ => Ok((config, mistakes)),
        }
    }

    /// Is the path (its bytes, relative to the root), or a directory above it, excluded?
    pub fn excludes(&self, path: &[u8]) -> bool {
        if self.globs.is_empty() {
            return false;
        }
        let path = String::from_utf8_lossy(path);
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| self.globs.is_match(&path[..end]))
    }

    /// The configuration as canonical bytes, a part of every snapshot's identity.
    pub fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend((self.exclude.len() as u64).to_be_bytes());
        for glob in &self.exclude {
            bytes.extend((glob.len() as u64).to_be_bytes());
            bytes.extend(glob.as_bytes());
        }
        bytes.extend(self.max_file_bytes.to_be_bytes());
        bytes.extend((self.max_files as u64).to_be_bytes());
        bytes
    }
}

/// Reads one file and notes every mistake; goes on with the default where one was.
struct Reader<'a> {
    file: &'a str,
    mistakes: &'a mut Vec<ConfigError>,
}

impl Reader<'_> {
    fn mistake(&mut self, problem: Problem) {
        self.mistakes.push(ConfigError { file: self.file.to_owned(), problem });
    }

    fn config(&mut self, text: &[u8]) -> Option<Config> {
        let own = self.file != PYPROJECT_FILE;
        if text.len() > MAX_CONFIG_BYTES {
            // A pyproject.toml that large may be somebody's; it just has nothing to tell us.
            if own {
                self.mistake(Problem::TooLarge);
            }
            return own.then(Config::default);
        }
        let text = String::from_utf8_lossy(text);
        if !own && !text.contains("repo-graph") {
            return None;
        }
        let table = match text.trim_start_matches('\u{feff}').parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                self.mistake(Problem::Syntax(error.message().to_owned()));
                return own.then(Config::default);
            }
        };
        if own {
            return Some(self.keys(&table));
        }
        match table.get("tool").and_then(|tool| tool.get("repo-graph"))? {
            Value::Table(table) => Some(self.keys(table)),
            _ => {
                self.mistake(Problem::Syntax("`tool.repo-graph` must be a table".to_owned()));
                None
            }
        }
    }

    fn keys(&mut self, table: &Table) -> Config {
        let mut config = Config::default();
        for (key, value) in table {
            match key.as_str() {
                "exclude" => self.exclude(value, &mut config),
                "max_file_bytes" => {
                    if let Some(bytes) = self.number("max_file_bytes", value, LARGEST_MAX_FILE_BYTES) {
                        config.max_file_bytes = bytes;
                    }
                }
                "max_files" => {
                    if let Some(files) = self.number("max_files", value, LARGEST_MAX_FILES as u64) {
                        config.max_files = files as usize;
                    }
                }
                _ => {
                    let nearest = similar::get_close_matches(key.as_str(), &KEYS, 1, 0.6).first().copied();
                    self.mistake(Problem::UnknownKey { key: key.escape_debug().to_string(), nearest });
                }
            }
        }
        config
    }

    fn number(&mut self, key: &'static str, value: &Value, largest: u64) -> Option<u64> {
        let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| (1..=largest).contains(number));
        if number.is_none() {
            self.mistake(Problem::Value { key, expected: format!("a whole number from 1 to {largest}") });
        }
        number
    }

    fn exclude(&mut self, value: &Value, config: &mut Config) {
        let globs: Option<Vec<&str>> =
            value.as_array().and_then(|items| items.iter().map(|item| item.as_str()).collect());
        let Some(globs) = globs else {
            self.mistake(Problem::Value { key: "exclude", expected: "a list of globs".to_owned() });
            return;
        };
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            match GlobBuilder::new(&anchored(glob)).literal_separator(true).build() {
                Ok(built) => {
                    set.add(built);
                    config.exclude.push(glob.to_owned());
                }
                Err(error) => {
                    let glob = glob.escape_debug().to_string();
                    self.mistake(Problem::Glob { glob, reason: error.kind().to_string() });
                }
            }
        }
        config.exclude.sort();
        config.exclude.dedup();
        match set.build() {
            Ok(globs) => config.globs = globs,
            Err(error) => {
                config.exclude.clear();
                self.mistake(Problem::Glob { glob: String::new(), reason: error.kind().to_string() });
            }
        }
    }
}

/// The rule of `.gitignore`: a glob without a slash, but for one at its end, matches at any depth.
fn anchored(glob: &str) -> String {
    let glob = glob.strip_suffix('/').unwrap_or(glob);
    match glob.strip_prefix('/') {
        Some(rooted) => rooted.to_owned(),
        None if glob.contains('/') => glob.strip_prefix("./").unwrap_or(glob).to_owned(),
        None => format!("**/{glob}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strict(file: &str, text: &str) -> Result<Option<Config>, ConfigError> {
        Config::read(file, text.as_bytes(), Strictness::Strict).map(|(config, _)| config)
    }

    #[test]
    fn both_files_hold_the_same_keys() {
        let own = strict(CONFIG_FILE, "exclude = [\"legacy\"]\nmax_file_bytes = 10\nmax_files = 3\n");
        let own = own.expect("valid").expect("there");
        assert_eq!((own.max_file_bytes, own.max_files), (10, 3));
        let shared =
            strict(PYPROJECT_FILE, "[tool.repo-graph]\nexclude = [\"legacy\"]\nmax_file_bytes = 10\nmax_files = 3\n");
        assert_eq!(shared.expect("valid"), Some(own));
        assert_eq!(strict(PYPROJECT_FILE, "[tool.black]\nline-length = 1\n"), Ok(None));
        assert_eq!(strict(PYPROJECT_FILE, "not toml at all ["), Ok(None));
        assert_eq!(strict(CONFIG_FILE, "\u{feff}"), Ok(Some(Config::default())));
    }

    #[test]
    fn a_mistake_names_file_and_key() {
        let error = strict(CONFIG_FILE, "max_file_bites = 1").expect_err("unknown key");
        assert_eq!(error.to_string(), ".repo-graph.toml: unknown key `max_file_bites`");
        assert!(error.hint().expect("a hint").starts_with("did you mean `max_file_bytes`?"));
        for (text, word) in [
            ("max_files = 0", "max_files"),
            ("max_files = \"many\"", "max_files"),
            ("max_file_bytes = -1", "max_file_bytes"),
            ("exclude = \"a\"", "exclude"),
            ("exclude = [\"a[\"]", "a["),
            ("exclude = [", "TOML"),
        ] {
            let error = strict(CONFIG_FILE, text).expect_err(text).to_string();
            assert!(error.starts_with(CONFIG_FILE) && error.contains(word), "{error}");
        }
    }

    #[test]
    fn an_old_mistake_is_a_warning() {
        let text = b"exclude = [\"gen\"]\nnope = 1\nmax_files = 0\n";
        let (config, warnings) = Config::read(CONFIG_FILE, text, Strictness::Lenient).expect("lenient");
        let config = config.expect("there");
        assert_eq!((config.exclude.len(), config.max_files, warnings.len()), (1, DEFAULT_MAX_FILES, 2));
    }

    #[test]
    fn globs_follow_gitignore() {
        let config = strict(CONFIG_FILE, "exclude = [\"gen/\", \"/top\", \"docs/*.py\", \"*_pb2.py\", \"a/**/z.ts\"]");
        let config = config.expect("valid").expect("there");
        for path in ["gen/a.py", "x/gen/y/a.py", "top/a.py", "docs/a.py", "x/y_pb2.py", "a/b/c/z.ts", "a/z.ts"] {
            assert!(config.excludes(path.as_bytes()), "{path}");
        }
        for path in ["general/a.py", "x/top/a.py", "docs/sub/a.py", "x/docs/a.py", "a/z.tsx"] {
            assert!(!config.excludes(path.as_bytes()), "{path}");
        }
    }
}
