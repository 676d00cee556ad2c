//! Snapshots and revisions of real repositories.

#![cfg(unix)]

mod hostile;
mod place;
mod revisions;
mod snapshots;
mod worktrees;
