//! How the facts of a blob are stored: encoding and decoding, pure CPU work for any thread.

use super::packing::{pack, unpack};
use crate::facts::{Facts, codec};
use crate::names::{BlobId, Dialect};

/// Largest encoded facts that are kept and read, in bytes. A blob of 1 MiB, the default limit of a file, stays far
/// below; what is larger is parsed again each time.
const FACTS_BYTES: usize = 64 << 20;

/// What facts are filed under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FactsKey {
    pub blob: BlobId,
    pub dialect: Dialect,
    /// Of the facts' format and of the dialect's extractor together. Facts of another version are absent.
    pub version: u64,
}

/// Facts as they are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedFacts {
    pub(super) data: Vec<u8>,
}

/// The stored form of facts.
pub fn encode_facts(facts: &Facts) -> EncodedFacts {
    EncodedFacts { data: pack(&codec::encode(facts)) }
}

/// The facts of a stored record; `None`, a cache miss, when it cannot be read.
pub fn decode_facts(data: &[u8]) -> Option<Facts> {
    codec::decode(&unpack(data, FACTS_BYTES)?)
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
