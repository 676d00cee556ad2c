//! The store: facts, units and graphs in one SQLite database, shared by all worktrees of a repository.
//!
//! Knows neither git nor any language, nor how facts or units are made; the only user of rusqlite. The driver brings a
//! database up to date through a [`Writer`], under its [`Lock`], and answers are read through a [`Reader`].
//!
//! ```text
//! Place::lock ── Writer::open ── has_facts, put_facts … graph, reads ── put_graph      bring up to date
//! Reader::open ── session ── view, tree, graph ── into_graph ── StoredGraph::check     answer
//! ```
//!
//! The file is a cache. It is content-addressed: facts by blob, units and what they rest on by digest, a graph as a
//! list of shared runs, reverse look-ups as postings that all graphs share. What is read from it is bounded and
//! checked; damage is an error that [`StoreError::is_damage`], and the remedy is to make the file again.

mod cache;
mod database;
mod error;
mod facts_record;
mod gc;
mod opening;
mod packing;
mod place;
mod postings;
mod reader;
mod runs;
mod unit_record;
mod writer;

pub use database::{Database, GraphRecord, TreeKey, View};
pub use error::StoreError;
pub use facts_record::{EncodedFacts, FactsKey, Model, decode_facts, encode_facts};
pub use gc::Collected;
pub use opening::Note;
pub use place::{Lock, Place};
pub use reader::{Reader, Session, StoredGraph};
pub use runs::{StoredFile, StoredUnit};
pub use unit_record::{EncodedUnit, encode_unit};
pub use writer::{PutFile, PutGraph, PutUnit, Writer};

#[cfg(test)]
mod tests;
