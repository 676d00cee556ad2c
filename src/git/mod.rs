//! Git: where snapshots come from. The only user of gix; knows neither languages nor graphs nor the store.
//!
//! # Use
//!
//! ```no_run
//! # use repo_graph::git::{GitError, Repository, StatCache, View};
//! # fn main() -> Result<(), GitError> {
//! let repository = Repository::open(".".as_ref(), None)?; // `--root DIR`: Some(DIR)
//! let database = &repository.databases()[0]; // the best place first
//! let view = repository.view(View::Disk); // the key under which the store keeps a view and its stat cache
//!
//! // The disk. `rules` are the caller's versions; configuration and root prefix are added here.
//! let rules = b"format 1, python 1, resolver 1";
//! let cache = StatCache::from_bytes(b""); // what the store kept for the view
//! let (capture, learnt) = repository.disk_snapshot(rules, &cache)?;
//! if let Some(learnt) = learnt {
//!     let _keep = learnt.to_bytes(); // only when it changed
//! }
//!
//! // Texts, for blobs without facts. One reader for each thread; `Capture` and `Repository` are `Sync`.
//! let mut reader = repository.reader(&capture);
//! for entry in &capture.snapshot.entries {
//!     let _text = reader.read(entry)?; // already as git stores it, from the bytes that gave the id
//! }
//!
//! // A commit. In a bare repository (`is_bare`) this is what stands for the disk.
//! let head = repository.head()?;
//! let base = repository.merge_bases(repository.resolve("main")?.commit, head.commit)?[0];
//! let before = repository.commit_snapshot(repository.commit(base)?.tree, rules, &cache)?;
//! assert!(before.missing.is_empty(), "a partial clone: do not store this graph");
//! # Ok(())
//! # }
//! ```
//!
//! # Promises
//!
//! - Clean, committed files give the same [`Snapshot`](crate::snapshot::Snapshot), and so the same id, from disk,
//!   from git's index and from the commit. All rules look at blobs as git stores them; the rule about bundles has been
//!   applied when a capture is handed out.
//! - Nothing is executed (no hook, no filter), nothing written, no link followed, nothing fetched.
//! - Ids are those of `git hash-object --path`; in a plain directory, those of the bytes as they are.
//! - Opening costs half a millisecond and reads git's configuration; who runs for long opens anew for each question.
//! - [`StatCache`] is only a shortcut. An empty one gives the same snapshot.

mod attributes;
mod capture;
mod changes;
mod clean;
mod content;
mod disk;
mod error;
pub mod hooks;
mod listing;
mod plain;
mod repository;
mod revision;
mod staged;
mod stat_cache;
mod tree;

pub use capture::Capture;
pub(crate) use capture::Reader;
pub use error::GitError;
pub use repository::{Repository, View};
pub(crate) use revision::Revision;
pub use stat_cache::StatCache;
