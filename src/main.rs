//! The program `repo-graph`: parses, runs and ends with the exit code.

use std::process::ExitCode;

use repo_graph::cli;

// Indexing makes many small allocations on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os()).code())
}
