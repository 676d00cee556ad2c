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

pub(crate) use database::{Database, GraphRecord, TreeKey, View};
pub(crate) use error::StoreError;
pub(crate) use facts_record::{EncodedFacts, PackedFacts, open_facts};
pub use facts_record::{FactsKey, decode_facts, encode_facts};
pub(crate) use gc::Collected;
pub(crate) use place::Lock;
pub use place::Place;
pub use reader::Reader;
pub(crate) use reader::{Session, StoredGraph};
pub(crate) use runs::StoredFile;
pub(crate) use unit_record::{EncodedUnit, encode_unit};
pub use writer::Writer;
pub(crate) use writer::{PutFile, PutGraph, PutUnit};

#[cfg(test)]
mod tests;
