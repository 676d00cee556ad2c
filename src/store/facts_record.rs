//! How the facts of a blob are stored: encoding and decoding, pure CPU work for any thread.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::packing::{pack, unpack};
use crate::facts::Facts;
use crate::names::{BlobId, Dialect, Digest};

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
    pub(super) surface: Vec<u8>,
}

/// What other files can see of a blob, in short: enough to tell which of its names differ between two blobs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SurfaceRecord {
    /// Digest of the list of top-level names, exports and star imports.
    pub names_digest: u64,
    /// Each top-level name, and each member of a top-level class (`Class.member`), with the digest of its surface;
    /// sorted.
    pub names: Vec<(Box<str>, u64)>,
    /// The names of all definitions, at any depth, sorted, each with a digest of what is defined under it: kinds and
    /// parents.
    pub definitions: Vec<(Box<str>, u64)>,
}

impl SurfaceRecord {
    pub fn of(facts: &Facts) -> SurfaceRecord {
        let names = facts.surface.digests.iter().map(|&(name, digest)| (facts.text(name).into(), digest));
        let members =
            facts.surface.member_digests.iter().map(|&(class, member, digest)| {
                (format!("{}.{}", facts.text(class), facts.text(member)).into(), digest)
            });
        let mut names: Vec<(Box<str>, u64)> = names.chain(members).collect();
        names.sort_unstable();
        let definitions = definitions(facts);
        SurfaceRecord { names_digest: facts.surface.names_digest, names, definitions }
    }
}

/// The definitions of each name: how many there are, of which kinds, under which parents.
fn definitions(facts: &Facts) -> Vec<(Box<str>, u64)> {
    let mut by_name: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for definition in &facts.surface.definitions {
        let bytes = by_name.entry(facts.text(definition.name)).or_default();
        let parent = definition.parent.map_or("", |parent| facts.text(facts.definition(parent).name));
        bytes.push(definition.kind as u8);
        bytes.extend(parent.as_bytes());
        bytes.push(0);
    }
    by_name.into_iter().map(|(name, bytes)| (name.into(), Digest::of(&bytes).short())).collect()
}

/// The stored form of facts.
pub fn encode_facts(facts: &Facts) -> EncodedFacts {
    let to_bytes = "facts are plain data of known lengths";
    let data = pack(&postcard::to_stdvec(facts).expect(to_bytes));
    let surface = postcard::to_stdvec(&SurfaceRecord::of(facts)).expect(to_bytes);
    EncodedFacts { data, surface }
}

/// The facts of a stored record; `None`, a cache miss, when it cannot be read.
pub fn decode_facts(data: &[u8]) -> Option<Facts> {
    postcard::from_bytes(&unpack(data, FACTS_BYTES)?).ok()
}

pub(super) fn decode_surface(bytes: &[u8]) -> Option<SurfaceRecord> {
    postcard::from_bytes(bytes).ok()
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
