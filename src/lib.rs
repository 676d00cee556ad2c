//! repo-graph turns a git repository of Python and TypeScript/JavaScript into a deterministic graph of modules,
//! classes, functions, methods, symbols and tests, and answers questions from it.
//!
//! # Flow
//!
//! ```text
//! Snapshot   what is in the repository           git        path → blob id
//!    ↓       languages: once per blob, pure, in parallel
//! Facts      what one blob says by itself        facts      no path; never fails
//!    ↓       resolve: pure, reads recorded
//! Unit       what one file means in its snapshot graph      symbols and edges, sorted
//!    ↓       store
//! Graph      one snapshot's units, readable      store
//!    ↓       queries: pure
//! Answer     or Miss                             queries    serializable
//! ```
//!
//! # Layers
//!
//! A layer uses only layers above it in this list; `tests/tidy.rs` holds the table and fails on anything else.
//!
//! What is public here is what the program, its tests and its benchmarks need; it is no library for others, and changes
//! with the program.

#![warn(missing_docs)]
#![cfg_attr(not(feature = "typescript"), allow(dead_code, reason = "the shared layers have what only TypeScript says"))]

pub mod ask;
pub mod cli;
pub mod config;
mod diff;
mod export;
pub mod facts;
pub mod git;
pub mod graph;
pub mod index;
pub mod json;
pub mod languages;
mod lookup;
pub mod mcp;
mod memory_graph;
pub mod names;
mod paths;
pub mod queries;
pub mod resolve;
pub mod snapshot;
pub mod store;
pub mod unit_codec;
mod words;
