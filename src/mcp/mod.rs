//! MCP: the catalog as tools over stdio, and how clients are told to start it. The only user of rmcp and tokio.

pub mod clients;
mod lines;
mod server;
mod standing;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use tokio::runtime::Builder;

use crate::git::GitError;
use crate::index::Options;

use lines::Lines;
use server::{Answers as _, Server};
use standing::Standing;

/// Questions that are worked on at the same time; more of them wait for their turn.
const QUESTIONS_AT_ONCE: usize = 16;
/// How long a call waits for a graph that is being built before it says so.
const PATIENCE: Duration = Duration::from_secs(20);
/// When indexing begins that nobody asked for yet: not while the client still shakes hands.
const WARM_AFTER: Duration = Duration::from_millis(50);

/// Serves on standard input and output until the input ends. The handshake does not wait for any graph.
pub fn serve(options: Options) -> Result<(), ServeError> {
    let answers = Arc::new(Standing::new(options)?);
    let warming = answers.clone();
    std::thread::spawn(move || {
        std::thread::sleep(WARM_AFTER);
        warming.warm();
    });
    Ok(serve_over(Lines::stdio(), Server { answers, patience: PATIENCE })?)
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each says what it is")]
pub enum ServeError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error("cannot start the server: {0}")]
    Io(#[from] io::Error),
}

fn serve_over(lines: Lines, server: Server) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(QUESTIONS_AT_ONCE).build()?;
    runtime.block_on(async {
        // An error means that the input ended before the handshake, and a failed task that it ended after.
        if let Ok(running) = server.serve(lines).await {
            let _ = running.waiting().await;
        }
    });
    // Work that nobody waits for any more must not keep the process.
    runtime.shutdown_background();
    Ok(())
}
