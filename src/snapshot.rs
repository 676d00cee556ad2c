//! A snapshot: what is in a repository at one moment, as a sorted list path → blob id.
//!
//! Knows neither git nor the disk (those make snapshots), nor what any language does with a file.

use crate::names::{BlobId, Dialect, Digest, RepoPath, SnapshotId};

/// One file of a snapshot that we index or that resolution may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The file.
    pub path: RepoPath,
    /// `None`: the object is not there (a partial clone); such a file is a named gap.
    pub blob: Option<BlobId>,
    /// How it is read.
    pub dialect: Dialect,
}

/// Why a file that looks like source is not in the snapshot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Skip {
    /// In one of the directories that are never read, such as `node_modules`.
    Directory,
    /// Matches a glob of the key `exclude`.
    Excluded,
    /// Larger than `max_file_bytes`.
    TooLarge,
    /// A symbolic link; never followed.
    Link,
    /// A gitlink (submodule) or an untracked directory with its own `.git`: a border.
    Border,
    /// A bundle: JavaScript with a line over 20,000 bytes.
    Minified,
    /// Marked `linguist-generated` or `linguist-vendored` in `.gitattributes`.
    Generated,
    /// `*.d.ts`, `*.d.mts`, `*.d.cts`.
    Declaration,
    /// Under an external clean filter, which is never run, and changed since git looked.
    Filtered,
    /// Could not be read from the disk.
    Unreadable,
    /// A language that this build does not have.
    Language,
    /// Neither a regular file nor a link: a FIFO, a socket, a device.
    Special,
}

impl Skip {
    /// Every reason, in the order of reports.
    pub const ALL: [Skip; 12] = [
        Skip::Directory,
        Skip::Excluded,
        Skip::TooLarge,
        Skip::Link,
        Skip::Border,
        Skip::Minified,
        Skip::Generated,
        Skip::Declaration,
        Skip::Filtered,
        Skip::Unreadable,
        Skip::Language,
        Skip::Special,
    ];

    /// The word that `stats` counts it under.
    pub fn word(self) -> &'static str {
        match self {
            Skip::Directory => "directory",
            Skip::Excluded => "excluded",
            Skip::TooLarge => "too_large",
            Skip::Link => "link",
            Skip::Border => "border",
            Skip::Minified => "minified",
            Skip::Generated => "generated",
            Skip::Declaration => "declaration",
            Skip::Filtered => "filtered",
            Skip::Unreadable => "unreadable",
            Skip::Language => "language",
            Skip::Special => "special",
        }
    }
}

/// A file that was left out, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Skipped {
    /// The file.
    pub path: RepoPath,
    /// The rule that left it out.
    pub reason: Skip,
}

/// What a file's name says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// We index it, or resolution may read it.
    Read(Dialect),
    /// It looks like source, but is left out whatever it contains.
    Left(Skip),
    /// A `.gitattributes`: decides which files are generated.
    Attributes,
    /// Nothing that we read.
    Other,
}

/// Looks a file up by its name (the last component of its path).
pub fn file_kind(name: &[u8]) -> FileKind {
    let Some((stem, extension)) = split_extension(name) else { return FileKind::Other };
    match extension {
        b"py" | b"pyi" => FileKind::Read(Dialect::Python),
        b"ts" | b"mts" | b"cts" if split_extension(stem).is_some_and(|(_, inner)| inner == b"d") => {
            FileKind::Left(Skip::Declaration)
        }
        b"ts" | b"mts" | b"cts" => script(Dialect::TypeScript),
        b"tsx" => script(Dialect::Tsx),
        b"js" | b"mjs" | b"cjs" | b"jsx" => script(Dialect::JavaScript),
        b"json" if matches!(name, b"package.json" | b"jsconfig.json") || stem.starts_with(b"tsconfig") => {
            FileKind::Read(Dialect::Configuration)
        }
        b"toml" if matches!(name, b"pyproject.toml" | b".repo-graph.toml") => FileKind::Read(Dialect::Configuration),
        b"cfg" if name == b"setup.cfg" => FileKind::Read(Dialect::Configuration),
        b"yaml" if name == b"pnpm-workspace.yaml" => FileKind::Read(Dialect::Configuration),
        b"gitattributes" if stem.is_empty() => FileKind::Attributes,
        _ => FileKind::Other,
    }
}

fn split_extension(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    Some((&name[..dot], &name[dot + 1..]))
}

/// TypeScript and JavaScript are there only with the cargo feature `typescript`.
fn script(dialect: Dialect) -> FileKind {
    if cfg!(feature = "typescript") { FileKind::Read(dialect) } else { FileKind::Left(Skip::Language) }
}

/// Directories that are never read, at any depth, even when git tracks what is in them.
pub const HIDDEN_DIRECTORIES: [&str; 14] = [
    ".eggs",
    ".git",
    ".mypy_cache",
    ".next",
    ".nox",
    ".pytest_cache",
    ".repo-graph",
    ".ruff_cache",
    ".tox",
    ".turbo",
    ".venv",
    "__pycache__",
    "node_modules",
    "venv",
];

/// Is this the name of a directory that is never read?
pub fn is_hidden_directory(name: &[u8]) -> bool {
    HIDDEN_DIRECTORIES.iter().any(|hidden| hidden.as_bytes() == name)
}

/// The uppermost directory of a path that is never read: `web/node_modules` for `web/node_modules/a/b.js`.
pub fn hidden_directory(path: &str) -> Option<&str> {
    let mut start = 0;
    while let Some(length) = path[start..].find('/') {
        if is_hidden_directory(&path.as_bytes()[start..start + length]) {
            return Some(&path[..start + length]);
        }
        start += length + 1;
    }
    None
}

/// A JavaScript file with a longer line than this many bytes is a bundle.
pub const MAX_LINE_BYTES: usize = 20_000;

/// Does the rule about bundles apply to a file of this name?
pub fn can_be_minified(name: &[u8]) -> bool {
    split_extension(name).is_some_and(|(_, extension)| matches!(extension, b"js" | b"mjs" | b"cjs"))
}

/// Has the text a line of more than [`MAX_LINE_BYTES`]? Looks at few of its bytes when the answer is no.
pub fn is_minified(text: &[u8]) -> bool {
    let mut start = 0;
    while text.len() - start > MAX_LINE_BYTES {
        let window = &text[start..=start + MAX_LINE_BYTES];
        match window.iter().rposition(|&byte| byte == b'\n' || byte == b'\r') {
            Some(end) => start += end + 1,
            None => return true,
        }
    }
    false
}

/// The files that a comparison of two snapshots cannot see into, sorted: of those that `changed` (all files of the
/// repository, read or not) the ones that neither snapshot reads, and every file that one of them reads and the other
/// leaves out by a rule, such as `exclude`.
pub fn unread(changed: &[RepoPath], before: &Snapshot, after: &Snapshot) -> Vec<RepoPath> {
    let reads = |snapshot: &Snapshot, path: &RepoPath| snapshot.entry(path.as_str()).is_some();
    let mut paths: Vec<RepoPath> =
        changed.iter().filter(|path| !reads(before, path) && !reads(after, path)).cloned().collect();
    for (one, other) in [(before, after), (after, before)] {
        let left = one.entries.iter().map(|entry| &entry.path);
        paths.extend(left.filter(|path| !reads(other, path) && other.reason(path.as_str()).is_some()).cloned());
    }
    paths.sort();
    paths.dedup();
    paths
}

/// What is in the repository, as one revision, git's index or the worktree has it.
///
/// `entries` and `skipped` are sorted by path; a path stands in at most one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The digest of all that decides what the graph is.
    pub id: SnapshotId,
    /// What is read.
    pub entries: Vec<Entry>,
    /// Sources that are left out.
    pub skipped: Vec<Skipped>,
    /// Paths in conflict. *Staged* takes one side of such a file (stage 2, else 3), *disk* what stands there.
    pub conflicts: Vec<RepoPath>,
}

impl Snapshot {
    /// Sorts the parts and computes the id.
    ///
    /// `rules` are canonical bytes of everything else that decides what the graph will be: our format version, the
    /// languages compiled in and their versions, the resolver's version, the effective configuration, the root prefix.
    pub fn new(
        rules: &[u8],
        mut entries: Vec<Entry>,
        mut skipped: Vec<Skipped>,
        mut conflicts: Vec<RepoPath>,
    ) -> Snapshot {
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        skipped.sort();
        conflicts.sort();
        let mut bytes = Vec::with_capacity(rules.len() + entries.len() * 64);
        bytes.extend((rules.len() as u64).to_be_bytes());
        bytes.extend(rules);
        for entry in &entries {
            bytes.extend((entry.path.as_str().len() as u64).to_be_bytes());
            bytes.extend(entry.path.as_str().as_bytes());
            match &entry.blob {
                Some(blob) => {
                    bytes.push(blob.0.as_bytes().len() as u8);
                    bytes.extend(blob.0.as_bytes());
                }
                None => bytes.push(0),
            }
        }
        Snapshot { id: SnapshotId(Digest::of(&bytes)), entries, skipped, conflicts }
    }

    /// Why a file that stands in the repository is not an entry, if it is left out by a rule.
    pub fn reason(&self, path: &str) -> Option<Skip> {
        if let Ok(at) = self.skipped.binary_search_by(|file| file.path.as_str().cmp(path)) {
            return Some(self.skipped[at].reason);
        }
        hidden_directory(path).map(|_| Skip::Directory)
    }

    /// The entry of a path.
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        Some(&self.entries[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_what_is_read() {
        let python = FileKind::Read(Dialect::Python);
        for name in ["a.py", "a.pyi", "setup.py", "manage.py", ".py"] {
            assert_eq!(file_kind(name.as_bytes()), python, "{name}");
        }
        for name in ["tsconfig.json", "tsconfig.build.json", "jsconfig.json", "package.json", "setup.cfg"] {
            assert_eq!(file_kind(name.as_bytes()), FileKind::Read(Dialect::Configuration), "{name}");
        }
        for name in ["a.d.ts", "a.d.mts", "a.b.d.cts"] {
            assert_eq!(file_kind(name.as_bytes()), FileKind::Left(Skip::Declaration), "{name}");
        }
        for name in ["README.md", "py", "package-lock.json", "other.toml", "a.PY", "d.json", "x.gitattributes"] {
            assert_eq!(file_kind(name.as_bytes()), FileKind::Other, "{name}");
        }
        assert_eq!(file_kind(b".gitattributes"), FileKind::Attributes);
    }

    #[cfg(feature = "typescript")]
    #[test]
    fn each_script_has_its_dialect() {
        for (name, dialect) in [
            ("a.ts", Dialect::TypeScript),
            ("d.ts", Dialect::TypeScript),
            ("a.cts", Dialect::TypeScript),
            ("a.tsx", Dialect::Tsx),
            ("a.jsx", Dialect::JavaScript),
            ("a.d.js", Dialect::JavaScript),
        ] {
            assert_eq!(file_kind(name.as_bytes()), FileKind::Read(dialect), "{name}");
        }
    }

    #[cfg(not(feature = "typescript"))]
    #[test]
    fn without_the_feature_scripts_are_left_out() {
        assert_eq!(file_kind(b"a.ts"), FileKind::Left(Skip::Language));
        assert_eq!(file_kind(b"a.js"), FileKind::Left(Skip::Language));
    }

    #[test]
    fn what_no_comparison_sees_is_unread() {
        let path = RepoPath::from_escaped;
        let snapshot = |entries: &[&str], excluded: &[&str]| {
            let entry = |name: &&str| Entry { path: path(name), blob: None, dialect: Dialect::Python };
            let skip = |name: &&str| Skipped { path: path(name), reason: Skip::Excluded };
            let (entries, excluded) = (entries.iter().map(entry).collect(), excluded.iter().map(skip).collect());
            Snapshot::new(b"", entries, excluded, Vec::new())
        };
        let before = snapshot(&["a.py", "left.py", "removed.py"], &["quiet.py"]);
        let after = snapshot(&["a.py", "quiet.py"], &["left.py"]);
        let changed = ["README.md", "a.py", "removed.py", "venv/x.py"].map(path);
        assert_eq!(unread(&changed, &before, &after), ["README.md", "left.py", "quiet.py", "venv/x.py"].map(path));
        assert_eq!(after.reason("left.py"), Some(Skip::Excluded));
        assert_eq!(after.reason("venv/x.py"), Some(Skip::Directory));
        assert_eq!(after.reason("a.py"), None);
    }

    #[test]
    fn the_uppermost_hidden_directory_counts() {
        assert_eq!(hidden_directory("web/node_modules/a/node_modules/b.js"), Some("web/node_modules"));
        assert_eq!(hidden_directory("venv"), None);
        assert_eq!(hidden_directory("build/a.py"), None);
    }

    #[test]
    fn a_bundle_is_known_by_its_longest_line() {
        let longest = "x".repeat(MAX_LINE_BYTES);
        assert!(!is_minified(format!("{longest}\n{longest}\r\n{longest}").as_bytes()));
        assert!(is_minified(format!("a\n{longest}x\n").as_bytes()));
        assert!(is_minified(format!("a\n{longest}x").as_bytes()));
        assert!(!is_minified(b""));
        assert!(can_be_minified(b"a.min.js") && !can_be_minified(b"a.jsx") && !can_be_minified(b"a.ts"));
    }
}
