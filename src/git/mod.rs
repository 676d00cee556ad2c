//! What git knows: repositories, revisions, trees, the worktree, hooks. The only user of gix.

pub mod hooks;
