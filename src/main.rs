//! The program `repo-graph`: parses, runs and ends with the exit code.

use std::process::ExitCode;

use repo_graph::cli;

// Indexing makes many small allocations on all threads, on Linux in C as in Rust: the grammars, SQLite and zstd take
// theirs from here too. Huge pages would cost a third more memory than is used.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os()).code())
}
