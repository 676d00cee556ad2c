//! Where a database is, and who may bring it up to date: paths and the lock, no SQL.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::error::StoreError;

/// The name of the database in its default directory.
const DEFAULT_NAME: &str = "graph.db";

/// The place of a database: the default one, which is ours to create and repair, or one that the user named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    file: PathBuf,
    is_default: bool,
}

impl Place {
    /// `graph.db` in a directory of our own, such as `.repo-graph`. The directory is created when it is first needed,
    /// with a `.gitignore` that hides all of it; whatever is not our database there is damage.
    pub fn default_in(directory: &Path) -> Place {
        Place { file: directory.join(DEFAULT_NAME), is_default: true }
    }

    /// The file that `--db` names. No directory is created for it, and a file that is not ours is left as it is.
    pub fn named(file: &Path) -> Place {
        Place { file: file.to_owned(), is_default: false }
    }

    /// The database file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Whether it was not named by the user.
    pub fn is_default(&self) -> bool {
        self.is_default
    }

    /// The file beside that a binary of this schema version uses when the database belongs to a newer one.
    pub(super) fn beside(&self, version: i32) -> PathBuf {
        let mut name = self.file.file_stem().map(OsString::from).unwrap_or_default();
        name.push(format!("-v{version}"));
        if let Some(extension) = self.file.extension() {
            name.push(".");
            name.push(extension);
        }
        self.file.with_file_name(name)
    }

    /// Waits for the right to bring the database up to date, and creates its directory. `waiting` is called once when
    /// another run has it. What is stored may have changed meanwhile: look again. A lock file beside the database is
    /// left behind, so ask a [`Reader`](super::Reader) first, which refuses a file that is not ours.
    ///
    /// Where the file system has no locks, SQLite's own transactions still keep the database whole.
    pub fn lock(&self, waiting: impl FnOnce()) -> Result<Lock, StoreError> {
        let refuse = |error: io::Error| StoreError::not_writable(&self.file, &error);
        self.refuse_links(&self.file)?;
        if self.file.is_dir() {
            let reason = "it is a directory".to_owned();
            return Err(StoreError::NotWritable { file: self.file.clone(), reason });
        }
        if self.is_default
            && let Some(directory) = self.file.parent()
        {
            create_hidden(directory).map_err(refuse)?;
        }
        let path = with_suffix(&self.file, ".lock");
        refuse_link(&path)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(refuse)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock().map_err(refuse)?;
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(refuse(error)),
        }
        Ok(Lock { _file: file })
    }

    /// Refuses a database that is a symbolic link, that SQLite's files beside it would be reached through, or (at the
    /// default place, which a repository could ship) whose directory is one.
    pub(super) fn refuse_links(&self, file: &Path) -> Result<(), StoreError> {
        if self.is_default
            && let Some(directory) = file.parent()
        {
            refuse_link(directory)?;
        }
        refuse_link(file)?;
        for suffix in ["-wal", "-shm", "-journal"] {
            refuse_link(&with_suffix(file, suffix))?;
        }
        Ok(())
    }
}

/// The right to bring a database up to date, until it is dropped. A process that ends in any way gives it back.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

fn refuse_link(path: &Path) -> Result<(), StoreError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(StoreError::Link { file: path.to_owned() }),
        _ => Ok(()),
    }
}

/// Creates a directory that git does not see.
fn create_hidden(directory: &Path) -> io::Result<()> {
    match fs::create_dir(directory) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
        Err(error) => return Err(error),
    }
    match OpenOptions::new().create_new(true).write(true).open(directory.join(".gitignore")) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_held_until_it_is_dropped_and_a_second_run_waits() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = Place::default_in(&directory.path().join(".repo-graph"));
        let lock = place.lock(|| panic!("nobody else is here")).expect("the first gets it");
        let order = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _lock = place.lock(|| order.0.send("waits").expect("heard")).expect("gets it in the end");
                order.0.send("has it").expect("heard");
            });
            assert_eq!(order.1.recv(), Ok("waits"));
            drop(lock);
            assert_eq!(order.1.recv(), Ok("has it"));
            second.join().expect("no panic");
        });
        let ignore = fs::read(directory.path().join(".repo-graph/.gitignore")).expect("written");
        assert_eq!(ignore, b"*\n");
    }

    #[test]
    fn no_directory_is_created_for_a_named_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = Place::named(&directory.path().join("no/graph.db"));
        let error = place.lock(|| ()).expect_err("no such directory").to_string();
        assert!(error.contains("no/graph.db") && error.ends_with("no such file or directory"), "{error}");
        assert!(!directory.path().join("no").exists());
    }

    #[test]
    fn the_file_beside_keeps_the_extension() {
        assert_eq!(Place::named(Path::new("a/graph.db")).beside(3), Path::new("a/graph-v3.db"));
        assert_eq!(Place::named(Path::new("graph")).beside(3), Path::new("graph-v3"));
    }
}
