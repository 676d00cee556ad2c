//! Listing a directory that is in no git repository. The ignore rules are those of git, read by the crate `ignore`.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::ByteSlice;
use gix::index::fs::Metadata;
use ignore::WalkBuilder;

use super::GitError;
use super::listing::{Content, Listing, Scope};
use super::repository::path_bytes;
use super::stat_cache::Stamp;
use crate::snapshot::{FileKind, Skip, is_hidden_directory};

/// Lists everything below the root.
pub(super) fn list_plain(root: &Path, scope: Scope) -> Result<Listing, GitError> {
    let borders = Arc::new(Mutex::new(Vec::new()));
    let seen_borders = Arc::clone(&borders);
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .ignore(false)
        .parents(false)
        .git_exclude(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
                return true;
            }
            if is_hidden_directory(name_bytes(entry.file_name())) {
                return false;
            }
            let border = is_border(entry.path());
            if border {
                seen_borders.lock().unwrap_or_else(PoisonError::into_inner).push(entry.path().to_owned());
            }
            !border
        })
        .build();
    let mut listing = Listing::default();
    let relative = |path: &Path| path_bytes(path.strip_prefix(root).unwrap_or(path));
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            // A directory that cannot be read.
            Err(ignore::Error::WithPath { path, .. }) => {
                listing.skip(relative(&path).as_bstr(), Skip::Unreadable);
                continue;
            }
            Err(_) => continue,
        };
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { continue };
        let path = relative(entry.path());
        if kind.is_symlink() {
            listing.skip(path.as_bstr(), Skip::Link);
            continue;
        }
        let Some(wanted) = scope.kind(name_bytes(entry.file_name())) else { continue };
        if !kind.is_file() {
            if matches!(wanted, FileKind::Read(_)) {
                listing.skip(path.as_bstr(), Skip::Special);
            }
            continue;
        }
        // A file that vanished since is not there.
        let Ok(file) = Metadata::from_path_no_follow(entry.path()) else { continue };
        listing.add(path, wanted, Content::Disk { stamp: Stamp::of(&file), staged: None })?;
    }
    for path in borders.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        listing.skip(relative(path).as_bstr(), Skip::Border);
    }
    Ok(listing)
}

/// Is the directory another repository's? As git, a `.git` file counts always, a directory when it looks like one.
pub(super) fn is_border(directory: &Path) -> bool {
    let inner = directory.join(".git");
    match inner.symlink_metadata() {
        Ok(file) if file.is_file() => true,
        Ok(file) if file.is_dir() => gix::discover::is_git(&inner).is_ok(),
        _ => false,
    }
}

/// The bytes of a file's name.
pub(super) fn name_bytes(name: &OsStr) -> &[u8] {
    name.as_encoded_bytes()
}
