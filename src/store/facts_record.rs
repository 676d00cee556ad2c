//! How the facts of a blob are stored: encoding and decoding, pure CPU work for any thread.

use super::packing::{pack, pack_like, unpack, unpack_like};
use crate::facts::{Facts, codec};
use crate::names::{BlobId, Dialect};

/// Largest encoded facts that are kept and read, in bytes. A blob of 1 MiB, the default limit of a file, stays far
/// below; what is larger is parsed again each time.
const FACTS_BYTES: usize = 64 << 20;

/// What facts are filed under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FactsKey {
    /// The text.
    pub blob: BlobId,
    /// How it was read.
    pub dialect: Dialect,
    /// Of the facts' format and of the dialect's extractor together. Facts of another version are absent.
    pub version: u64,
}

/// Facts as they are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedFacts {
    pub(super) data: Vec<u8>,
    /// The row of the facts that these were packed like.
    pub(super) model: Option<i64>,
}

/// Stored facts that those of another blob can be packed like: of the same file before a change, say. Valid for the
/// [`Writer`](super::Writer) that gave it, until it collects garbage.
pub struct Model {
    pub(super) row: i64,
    pub(super) data: Vec<u8>,
}

/// A record of facts, and that of their model. To undo it is pure work, for any thread.
pub struct PackedFacts {
    pub(super) data: Vec<u8>,
    pub(super) model: Option<Vec<u8>>,
}

/// The stored form of facts.
pub fn encode_facts(facts: &Facts, model: Option<&Model>) -> EncodedFacts {
    let bytes = codec::encode(facts);
    match model.and_then(|model| Some((model.row, unpack(&model.data, FACTS_BYTES)?))) {
        Some((row, model)) => EncodedFacts { data: pack_like(&bytes, &model), model: Some(row) },
        None => EncodedFacts { data: pack(&bytes), model: None },
    }
}

/// The facts of a record; `None`, a cache miss, when they are none.
pub fn decode_facts(packed: &PackedFacts) -> Option<Facts> {
    codec::decode(&packed.bytes()?)
}

/// The facts of a record, of which most is decoded only when it is looked at; see [`codec::open`].
pub fn open_facts(packed: &PackedFacts) -> Option<Facts> {
    codec::open(packed.bytes()?)
}

impl PackedFacts {
    /// What was packed; `None` when it is damaged.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        match &self.model {
            Some(model) => unpack_like(&self.data, &unpack(model, FACTS_BYTES)?, FACTS_BYTES),
            None => unpack(&self.data, FACTS_BYTES),
        }
    }
}

/// The number that a dialect is filed under.
pub(super) fn dialect_code(dialect: Dialect) -> i64 {
    match dialect {
        Dialect::Python => 1,
        Dialect::TypeScript => 2,
        Dialect::Tsx => 3,
        Dialect::JavaScript => 4,
        Dialect::Configuration => 5,
    }
}
