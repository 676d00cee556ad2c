//! How the facts of a blob are stored: encoding and decoding, pure CPU work for any thread.

use super::packing::{pack, pack_like, packed_length, unpack, unpack_like};
use crate::facts::{Facts, codec};
use crate::names::{BlobId, Dialect};

/// Largest part of encoded facts that is kept and read, in bytes. A blob of 1 MiB, the default limit of a file, stays far
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

/// A record of facts. To undo it is pure work, for any thread.
pub struct PackedFacts {
    pub(super) row: i64,
    pub(super) data: Vec<u8>,
    /// The row and the record of the facts that these were packed like.
    pub(super) model: Option<(i64, Vec<u8>)>,
}

/// The two parts of encoded facts, see [`codec::back`]. They are packed one by one, and stored one behind the other.
#[derive(Clone, Copy)]
enum Part {
    Front,
    Back,
}

impl Part {
    /// This part of a record; `None` when it is none.
    fn of(self, data: &[u8]) -> Option<&[u8]> {
        let (front, back) = data.split_at_checked(packed_length(data)?)?;
        Some(match self {
            Part::Front => front,
            Part::Back => back,
        })
    }

    fn unpack(self, data: &[u8]) -> Option<Vec<u8>> {
        unpack(self.of(data)?, FACTS_BYTES)
    }
}

/// The stored form of facts. They can be packed like stored ones, such as those of the same file before a change, when
/// the [`Writer`](super::Writer) that gave those has not collected garbage since.
pub fn encode_facts(facts: &Facts, like: Option<&PackedFacts>) -> EncodedFacts {
    let bytes = codec::encode(facts);
    let (front, back) = bytes.split_at(codec::back(&bytes).expect("they were encoded just now"));
    let packed_like = |like: &PackedFacts| {
        let (row, model) = like.as_model();
        let (model_front, model_back) = (Part::Front.unpack(model)?, Part::Back.unpack(model)?);
        let data = [pack_like(front, &model_front), pack_like(back, &model_back)].concat();
        Some(EncodedFacts { data, model: Some(row) })
    };
    like.and_then(packed_like).unwrap_or_else(|| EncodedFacts { data: [pack(front), pack(back)].concat(), model: None })
}

/// The facts of a record; `None`, a cache miss, when they are none.
pub fn decode_facts(packed: &PackedFacts) -> Option<Facts> {
    codec::decode(&[packed.part(Part::Front)?, packed.part(Part::Back)?].concat())
}

/// The facts of a record, of which most is unpacked and decoded only when it is looked at; see [`codec::open`].
pub fn open_facts(packed: PackedFacts) -> Option<Facts> {
    codec::open(packed.part(Part::Front)?, move || packed.part(Part::Back))
}

impl PackedFacts {
    /// What others are packed like: of these the model, if they have one, so that no more than two rows are ever read.
    fn as_model(&self) -> (i64, &[u8]) {
        self.model.as_ref().map_or((self.row, &self.data), |(row, data)| (*row, data))
    }

    /// What was packed; `None` when it is damaged.
    fn part(&self, part: Part) -> Option<Vec<u8>> {
        match &self.model {
            Some((_, model)) => unpack_like(part.of(&self.data)?, &part.unpack(model)?, FACTS_BYTES),
            None => part.unpack(&self.data),
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
