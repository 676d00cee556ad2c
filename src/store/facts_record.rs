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

/// What a record consists of. Each is packed by itself, and they are stored one behind the other; of no pieces there is
/// nothing.
#[derive(Clone, Copy)]
enum Section {
    /// See [`codec::back`].
    Front,
    Back,
    /// See [`encode_facts`].
    Pieces,
}

impl Section {
    /// This section of a record; `None` when it is none.
    fn of(self, data: &[u8]) -> Option<&[u8]> {
        let (front, rest) = data.split_at_checked(packed_length(data)?)?;
        if let Section::Front = self {
            return Some(front);
        }
        let (back, pieces) = rest.split_at_checked(packed_length(rest)?)?;
        Some(if let Section::Back = self { back } else { pieces })
    }

    /// The bytes of this section, which were packed like those of a model if there is one.
    fn unpack(self, data: &[u8], model: Option<&[u8]>) -> Option<Vec<u8>> {
        match (self.of(data)?, model) {
            ([], _) => Some(Vec::new()),
            (packed, Some(model)) => unpack_like(packed, &self.unpack(model, None)?, FACTS_BYTES),
            (packed, None) => unpack(packed, FACTS_BYTES),
        }
    }
}

/// The stored form of facts, and of the pieces of their text, which are a language's own bytes. They can be packed like
/// stored ones, such as those of the same file before a change, when the [`Writer`](super::Writer) that gave those has not
/// collected garbage since.
pub fn encode_facts(facts: &Facts, pieces: &[u8], like: Option<&PackedFacts>) -> EncodedFacts {
    let bytes = codec::encode(facts);
    let (front, back) = bytes.split_at(codec::back(&bytes).expect("they were encoded just now"));
    let mut sections = vec![(Section::Front, front), (Section::Back, back)];
    sections.extend((!pieces.is_empty()).then_some((Section::Pieces, pieces)));
    let packed_like = |like: &PackedFacts| {
        let (row, model) = like.as_model();
        let packed = sections.iter().map(|(section, bytes)| Some(pack_like(bytes, &section.unpack(model, None)?)));
        Some(EncodedFacts { data: packed.collect::<Option<Vec<_>>>()?.concat(), model: Some(row) })
    };
    let alone = || sections.iter().map(|(_, bytes)| pack(bytes)).collect::<Vec<_>>().concat();
    like.and_then(packed_like).unwrap_or_else(|| EncodedFacts { data: alone(), model: None })
}

/// The facts of a record; `None`, a cache miss, when they are none.
pub fn decode_facts(packed: &PackedFacts) -> Option<Facts> {
    codec::decode(&[packed.section(Section::Front)?, packed.section(Section::Back)?].concat())
}

/// The facts of a record, of which most is unpacked and decoded only when it is looked at; see [`codec::open`].
pub fn open_facts(packed: PackedFacts) -> Option<Facts> {
    codec::open(packed.section(Section::Front)?, move || packed.section(Section::Back))
}

impl PackedFacts {
    /// What others are packed like: of these the model, if they have one, so that no more than two rows are ever read.
    fn as_model(&self) -> (i64, &[u8]) {
        self.model.as_ref().map_or((self.row, &self.data), |(row, data)| (*row, data))
    }

    /// The pieces of the text; `None` when they are damaged.
    pub fn pieces(&self) -> Option<Vec<u8>> {
        self.section(Section::Pieces)
    }

    /// What was packed; `None` when it is damaged.
    fn section(&self, section: Section) -> Option<Vec<u8>> {
        section.unpack(&self.data, self.model.as_ref().map(|(_, model)| &model[..]))
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
