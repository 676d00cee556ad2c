//! How a unit is stored: encoding and decoding, pure CPU work for any thread.

use super::packing::{pack, unpack};
use crate::graph::{Size, Unit};
use crate::lookup;
use crate::names::Digest;
use crate::unit_codec;

/// Largest unit that is read, in canonical bytes. A file of 1 MiB, the default limit, stays far below.
const UNIT_BYTES: usize = 256 << 20;

/// A unit as it is stored, with all that it will be found by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedUnit {
    /// Digest of the unit's canonical bytes.
    pub digest: Digest,
    pub(super) size: Size,
    pub(super) data: Vec<u8>,
    /// Sorted.
    pub(super) keys: Vec<u64>,
    /// Joined by spaces.
    pub(super) words: String,
}

/// The stored form of a unit. `None` when it is the one that is stored already, which is named by its digest: most units
/// that are made again because of something that they look at come out as they were.
pub fn encode_unit(unit: &Unit, stored: Option<Digest>) -> Option<EncodedUnit> {
    let bytes = unit_codec::encode(unit);
    let digest = Digest::of(&bytes);
    (stored != Some(digest)).then(|| EncodedUnit {
        digest,
        size: unit.size(),
        data: pack(&bytes),
        keys: lookup::keys(unit),
        words: lookup::search_words(unit).join(" "),
    })
}

/// The unit of a stored record, and the number of its canonical bytes; `None` when it is not the one that the digest
/// names.
pub(super) fn decode_unit(data: &[u8], digest: Digest) -> Option<(Unit, usize)> {
    let bytes = unpack(data, UNIT_BYTES)?;
    if Digest::of(&bytes) != digest {
        return None;
    }
    Some((unit_codec::decode(&bytes).ok()?, bytes.len()))
}
