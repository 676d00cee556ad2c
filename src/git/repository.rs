//! Finding and opening a repository: what is the root, where are worktree, git directory and database.
//!
//! Nothing from outside decides this but the directory we are asked about: `GIT_DIR` and its kin are not heard, a
//! `core.worktree` that leads elsewhere is not followed, configuration of somebody else's repository is not trusted.

use std::fs;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::sec::Permission;

use super::GitError;
use crate::names::RepoPath;

/// Environment variables with which git moves parts of a repository elsewhere.
const REDIRECTIONS: [&str; 4] = ["GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_SHALLOW_FILE"];

/// A repository, or a plain directory, with a root below which everything is indexed.
pub struct Repository {
    root: PathBuf,
    warnings: Vec<String>,
    git: Option<Git>,
}

/// The git side of a [`Repository`].
pub(super) struct Git {
    shared: gix::ThreadSafeRepository,
    git_dir: PathBuf,
    common_dir: PathBuf,
    /// The top of the worktree, `None` in a bare repository.
    worktree: Option<PathBuf>,
    /// From the top of the worktree to the root, with `/`; empty when they are the same.
    pub(super) prefix: BString,
}

/// The two views that a worktree has (DESIGN §2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The worktree as it is.
    Disk,
    /// What git's index holds.
    Staged,
}

impl Repository {
    /// Opens what `start` lies in. Without an explicit root, the root is the top of the enclosing worktree (or the
    /// directory of a bare repository, or `start` where there is no git); with one, it is exactly that directory.
    pub fn open(start: &Path, root: Option<&Path>) -> Result<Repository, GitError> {
        let start = existing_directory(root.unwrap_or(start))?;
        let discovery = gix::discover::upwards_opts(&start, gix::discover::upwards::Options::default());
        let Ok((found, trust)) = discovery else {
            return Ok(Repository { root: start, warnings: Vec::new(), git: None });
        };
        let (git_dir, found_worktree) = found.into_repository_and_work_tree_directories();
        let git_dir = fs::canonicalize(&git_dir).map_err(|error| open_error(&git_dir, error))?;
        let found_worktree = match found_worktree {
            Some(path) => Some(fs::canonicalize(&path).map_err(|error| open_error(&path, error))?),
            None => None,
        };
        let mut repo = open_options(trust)
            .open_path_as_is(found_worktree.is_none())
            .open(found_worktree.as_ref().unwrap_or(&git_dir))
            .map_err(|error| open_error(&git_dir, error))?
            .to_thread_local();
        if repo.config_snapshot().string("extensions.refStorage").is_some_and(|kind| kind == "reftable") {
            return Err(GitError::Reftable(git_dir));
        }
        let mut warnings = Vec::new();
        let worktree = settle_worktree(&mut repo, &git_dir, found_worktree, &start, &mut warnings)?;
        let top = worktree.clone().unwrap_or_else(|| git_dir.clone());
        let explicit = root.is_some() && worktree.is_some();
        let root = if explicit { start } else { top.clone() };
        let prefix = path_bytes(root.strip_prefix(&top).unwrap_or(Path::new("")));
        let common_dir = fs::canonicalize(repo.common_dir()).map_err(|error| open_error(&git_dir, error))?;
        let git = Git { shared: repo.into_sync(), git_dir, common_dir, worktree, prefix };
        if explicit && !git.prefix.is_empty() && git.ignores_root()? {
            return Ok(Repository { root, warnings, git: None });
        }
        Ok(Repository { root, warnings, git: Some(git) })
    }

    /// The directory below which everything is indexed; absolute, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root's path in the repository: empty unless an explicit root lies below the top of the worktree.
    pub fn prefix(&self) -> RepoPath {
        RepoPath::from_bytes(self.git.as_ref().map_or(b"", |git| git.prefix.as_slice()))
    }

    /// What was odd about opening it, for stderr.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Is there a git repository? A plain directory has only its disk.
    pub fn is_git(&self) -> bool {
        self.git.is_some()
    }

    /// Is it a bare repository? It has no disk and no staged view; ask for `HEAD`.
    pub fn is_bare(&self) -> bool {
        self.git.as_ref().is_some_and(|git| git.worktree.is_none())
    }

    /// Where the database may be, best place first: the main worktree, or the git directory of a bare repository;
    /// then the worktree we are in.
    pub fn databases(&self) -> Vec<PathBuf> {
        let own = self.root_of_worktree().join(".repo-graph").join("graph.db");
        let Some(git) = &self.git else { return vec![own] };
        let best = match git.main_worktree() {
            Some(main) => main.join(".repo-graph").join("graph.db"),
            None => git.common_dir.join("repo-graph").join("graph.db"),
        };
        match git.worktree {
            Some(_) if best != own => vec![best, own],
            _ => vec![best],
        }
    }

    /// Is the file tracked in the worktree that it lies in? Such a database came with the repository and is not ours.
    pub fn is_tracked(&self, file: &Path) -> Result<bool, GitError> {
        let Some(git) = &self.git else { return Ok(false) };
        let local = git.local();
        if let Some(path) = git.worktree.as_ref().and_then(|top| file.strip_prefix(top).ok()) {
            return git.tracks(&local, path);
        }
        let main = git.main_worktree();
        let Some(path) = main.and_then(|top| file.strip_prefix(top).ok().map(Path::to_owned)) else {
            return Ok(false);
        };
        let main = local.main_repo().map_err(|error| open_error(&git.common_dir, error))?;
        git.tracks(&main, &path)
    }

    /// The name under which a view is kept in the database: stable per worktree and root.
    pub fn view(&self, view: View) -> String {
        let worktree = self.git.as_ref().map_or("", |git| git.worktree_name());
        let kind = match view {
            View::Disk => "disk",
            View::Staged => "staged",
        };
        format!("{kind}:{}:{}", RepoPath::from_bytes(worktree.as_bytes()), self.prefix())
    }

    /// Does the worktree still exist that a view's name is of? `gc` drops the others.
    pub fn is_live(&self, view: &str) -> bool {
        let Some((_, rest)) = view.split_once(':') else { return false };
        let linked = self.git.as_ref().map(|git| git.common_dir.join("worktrees"));
        let names = linked.and_then(|directory| fs::read_dir(directory).ok()).into_iter().flatten().flatten();
        let mut names = names.map(|entry| RepoPath::from_bytes(&path_bytes(entry.file_name().as_ref())));
        rest.starts_with(':') || names.any(|name| rest.starts_with(&format!("{name}:")))
    }

    /// The git side, or the error that a question about revisions gets.
    pub(super) fn git(&self) -> Result<&Git, GitError> {
        self.git.as_ref().ok_or_else(|| GitError::NoRepository(self.root.clone()))
    }

    fn root_of_worktree(&self) -> &Path {
        self.git.as_ref().and_then(|git| git.worktree.as_deref()).unwrap_or(&self.root)
    }
}

impl Git {
    /// A handle for this thread.
    pub(super) fn local(&self) -> gix::Repository {
        self.shared.to_thread_local()
    }

    /// The top of the worktree.
    pub(super) fn worktree(&self) -> Result<&Path, GitError> {
        self.worktree.as_deref().ok_or_else(|| GitError::Read {
            what: "the worktree".to_owned(),
            reason: format!("{} is a bare repository", self.git_dir.display()),
        })
    }

    /// Git's index as it is now; empty when there is none yet.
    pub(super) fn index(&self, repo: &gix::Repository) -> Result<gix::index::File, GitError> {
        let path = self.git_dir.join("index");
        if !path.exists() {
            return Ok(gix::index::File::from_state(gix::index::State::new(repo.object_hash()), path));
        }
        repo.open_index().map_err(|error| GitError::read("git's index", error))
    }

    /// Does the worktree of `repo` track this path? The whole index is read for it only when its bytes hold the path.
    fn tracks(&self, repo: &gix::Repository, path: &Path) -> Result<bool, GitError> {
        let failed = |error: &dyn std::fmt::Display| GitError::read("git's index", error);
        let path = path_bytes(path);
        let bytes = match fs::read(repo.index_path()) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(failed(&error)),
        };
        // Version 4 writes of a path only what differs from the path before; an index with the extension `link` has
        // the rest of its paths in another file.
        let is_older = bytes.get(4..8).is_some_and(|version| version < 4_u32.to_be_bytes().as_slice());
        if is_older && bytes.find(b"link\0").is_none() && bytes.find(&path).is_none() {
            return Ok(false);
        }
        let index = repo.index_or_empty().map_err(|error| failed(&error))?;
        Ok(index.entry_by_path(path.as_bstr()).is_some())
    }

    /// Attributes of this repository alone.
    pub(super) fn info_attributes(&self) -> PathBuf {
        self.common_dir.join("info").join("attributes")
    }

    /// Is this a shallow clone?
    pub(super) fn is_shallow(&self) -> bool {
        fs::metadata(self.common_dir.join("shallow")).is_ok_and(|file| file.len() > 0)
    }

    /// The path of something below the root, as git knows it.
    pub(super) fn full_path(&self, below_root: &BStr) -> BString {
        if self.prefix.is_empty() {
            return below_root.to_owned();
        }
        let mut path = self.prefix.clone();
        path.push(b'/');
        path.extend_from_slice(below_root);
        path
    }

    /// The inverse: what lies below the root, `None` for paths elsewhere.
    pub(super) fn below_root<'a>(&self, path: &'a BStr) -> Option<&'a BStr> {
        if self.prefix.is_empty() {
            return Some(path);
        }
        path.strip_prefix(self.prefix.as_slice())?.strip_prefix(b"/").map(BStr::new)
    }

    /// The main worktree, unless the repository is bare or the place does not lead back to it.
    fn main_worktree(&self) -> Option<PathBuf> {
        if self.git_dir == self.common_dir {
            return self.worktree.clone();
        }
        let main = self.local().main_repo().ok()?;
        let top = fs::canonicalize(main.workdir()?).ok()?;
        let back = gix::discover::path::from_gitdir_file(&top.join(".git")).unwrap_or_else(|_| top.join(".git"));
        (fs::canonicalize(back).ok()? == self.common_dir).then_some(top)
    }

    /// Empty for the main worktree, git's own name for a linked one.
    fn worktree_name(&self) -> &str {
        if self.git_dir == self.common_dir {
            return "";
        }
        self.git_dir.file_name().and_then(|name| name.to_str()).unwrap_or("?")
    }

    /// Does the repository ignore the root, and track nothing in it? Then it is not its business.
    fn ignores_root(&self) -> Result<bool, GitError> {
        let repo = self.local();
        let index = self.index(&repo)?;
        let mut below = self.prefix.clone();
        below.push(b'/');
        if index.prefixed_entries(below.as_bstr()).is_some_and(|entries| !entries.is_empty()) {
            return Ok(false);
        }
        let failed = |error: &dyn std::fmt::Display| GitError::read("git's ignore rules", error);
        let mut stack = repo.excludes(&index, None, Default::default()).map_err(|error| failed(&error))?;
        let place = stack.at_entry(below.as_bstr(), Some(gix::index::entry::Mode::DIR)).map_err(|e| failed(&e))?;
        Ok(place.is_excluded())
    }
}

/// The bytes that git knows a relative path by.
pub(super) fn path_bytes(path: &Path) -> BString {
    gix::path::to_unix_separators_on_windows(gix::path::into_bstr(path).unwrap_or_default()).into_owned()
}

/// The relative path of the file system for git's bytes.
pub(super) fn native_path(path: &BStr) -> PathBuf {
    gix::path::from_bstr(path).map(|path| path.into_owned()).unwrap_or_default()
}

fn existing_directory(path: &Path) -> Result<PathBuf, GitError> {
    let real = fs::canonicalize(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => GitError::NoSuchDirectory(path.to_owned()),
        _ => GitError::read(path.display().to_string(), error),
    })?;
    if real.is_dir() { Ok(real) } else { Err(GitError::NotADirectory(path.to_owned())) }
}

fn open_error(path: &Path, error: impl std::fmt::Display) -> GitError {
    GitError::Open { path: path.to_owned(), reason: error.to_string() }
}

/// Options that hear the user's configuration, but nothing that moves the repository.
fn open_options(trust: gix::sec::Trust) -> gix::open::Options {
    use gix::sec::trust::DefaultForLevel;
    let mut options = gix::open::Options::default_for_level(trust);
    options.permissions.env.objects = Permission::Deny;
    // `GIT_CONFIG_GLOBAL` and the like say where the user's configuration is, which is harmless; but gix has one
    // switch for all of git's variables.
    if REDIRECTIONS.iter().any(|name| std::env::var_os(name).is_some()) {
        options.permissions.env.git_prefix = Permission::Deny;
    }
    // Git itself does not compute the checksum over its index when it reads one.
    options.with(trust).lossy_config(true).config_overrides(["index.skipHash=true"])
}

/// The worktree is the directory in which git was found; what `core.worktree` says must agree.
fn settle_worktree(
    repo: &mut gix::Repository,
    git_dir: &Path,
    found: Option<PathBuf>,
    start: &Path,
    warnings: &mut Vec<String>,
) -> Result<Option<PathBuf>, GitError> {
    let Some(configured) = repo.workdir() else { return Ok(None) };
    let configured = fs::canonicalize(configured).unwrap_or_else(|_| configured.to_owned());
    // Started inside of a git directory: its worktree is the one that leads back to it.
    let found = found.or_else(|| git_dir.parent().filter(|_| git_dir.ends_with(".git")).map(Path::to_owned));
    let Some(found) = found else {
        return Ok(start.starts_with(&configured).then_some(configured));
    };
    if configured != found {
        warnings.push(format!("`core.worktree` of {} leads to {}; ignored", git_dir.display(), configured.display()));
        repo.set_workdir(found.clone()).map_err(|error| open_error(git_dir, error))?;
    }
    Ok(Some(found))
}
