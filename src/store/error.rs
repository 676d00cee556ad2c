//! What can go wrong with a database, in words for the user.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, ffi};

/// A database that could not be opened, read or written. Messages name the file and never show SQL.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no graph database at {}", file.display())]
    Absent { file: PathBuf },
    #[error("{} was made by an older version of repo-graph", file.display())]
    Outdated { file: PathBuf },
    #[error("{} is no database of repo-graph", file.display())]
    Foreign { file: PathBuf },
    #[error("{} is a symbolic link, and a database is never opened through one", file.display())]
    Link { file: PathBuf },
    #[error("{} is damaged", file.display())]
    Damaged { file: PathBuf },
    #[error("{} cannot be opened or written: {reason}", file.display())]
    NotWritable { file: PathBuf, reason: String },
    #[error("{} cannot be read or written: {reason}", file.display())]
    Io { file: PathBuf, reason: String },
    #[error("there is no space left to write {}", file.display())]
    Full { file: PathBuf },
    #[error("another run has been writing to {} for too long", file.display())]
    Busy { file: PathBuf },
}

impl StoreError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            StoreError::Absent { .. } | StoreError::Outdated { .. } => "run `repo-graph index`",
            StoreError::Foreign { .. } => "name another file with --db; this one was left as it is",
            StoreError::Link { .. } => "remove the link, or name another file with --db",
            StoreError::Damaged { .. } => "run `repo-graph index`, which makes it again",
            StoreError::NotWritable { .. } => "name a file in a directory that exists and can be written with --db",
            StoreError::Io { .. } => "check the disk and its permissions, or name another file with --db",
            StoreError::Full { .. } => "free some space, or name a file on another disk with --db",
            StoreError::Busy { .. } => "wait for the other run to end, and try again",
        }
    }

    /// Whether making the database again would help.
    pub fn is_damage(&self) -> bool {
        matches!(self, StoreError::Damaged { .. })
    }

    pub(super) fn not_writable(file: &Path, error: &io::Error) -> StoreError {
        StoreError::NotWritable { file: file.to_owned(), reason: plain(error) }
    }
}

/// The system's words for an error, without Rust's `(os error 13)`.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Why an operation on an open database failed, before the file is named.
#[derive(Debug)]
pub(super) enum Fault {
    Sql(rusqlite::Error),
    /// Something that only we write is not as we write it.
    Malformed,
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sql(error)
    }
}

impl Fault {
    /// The error for the user.
    pub(super) fn of(self, file: &Path) -> StoreError {
        let file = file.to_owned();
        let Fault::Sql(error) = self else { return StoreError::Damaged { file } };
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed) => {
                StoreError::Busy { file }
            }
            Some(ErrorCode::DiskFull) => StoreError::Full { file },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                StoreError::NotWritable { file, reason: reason(&error) }
            }
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory | ErrorCode::OperationInterrupted) => {
                StoreError::Io { file, reason: reason(&error) }
            }
            // Corrupt pages; tables, columns or values that are not those of our schema.
            _ => StoreError::Damaged { file },
        }
    }
}

/// SQLite's fixed text for an error code.
fn reason(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(code, _) => ffi::code_to_str(code.extended_code).to_lowercase(),
        other => other.to_string(),
    }
}
