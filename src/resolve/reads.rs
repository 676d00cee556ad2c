//! What was looked at while a unit was resolved, so that a later snapshot can tell which units are still valid.
//!
//! Everything that other files see of a file is read by top-level name, and of a class by member. All questions about
//! one such name of one file form a *group*; a group reads leaves, and other groups (which are leaves to it). A unit reads groups and leaves.
//! A unit is invalid when a leaf that it reaches has changed: the links are followed at refresh time, so what is kept
//! is as small as the dependencies between names, not their closure.

use siphasher::sip::SipHasher13;

use super::interner::Interner;
use super::project::Group;
use super::value::{FileId, Sym};
use crate::facts::DefId;
use crate::languages::Look;

/// A leaf, hashed to 32 bits with SipHash-1-3: the same on every machine. Two leaves that share a key only make a unit be
/// resolved again without need.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LeafKey(pub u32);

impl LeafKey {
    fn of(kind: &str, of: &str, names: &[Sym]) -> LeafKey {
        let mut bytes = [kind, of, ""].join("\0").into_bytes();
        bytes.extend(names.iter().flat_map(|name| name.0.to_le_bytes()));
        LeafKey((SipHasher13::new().hash(&bytes) >> 32) as u32)
    }

    /// One top-level name of a file's surface; present or absent.
    pub fn name(path: &str, name: Sym) -> LeafKey {
        LeafKey::of("name", path, &[name])
    }

    /// A member of a top-level class of a file; present or absent.
    pub fn member(path: &str, class: Sym, member: Sym) -> LeafKey {
        LeafKey::of("member", path, &[class, member])
    }

    /// What a file offers without naming it.
    pub fn whole(path: &str) -> LeafKey {
        LeafKey::of("whole", path, &[])
    }

    /// Everything that a file shows.
    pub fn surface(path: &str) -> LeafKey {
        LeafKey::of("surface", path, &[])
    }

    /// Whether there is a file of this path.
    pub fn file(path: &str) -> LeafKey {
        LeafKey::of("file", path, &[])
    }

    /// Whether anything is below this directory.
    pub fn directory(path: &str) -> LeafKey {
        LeafKey::of("directory", path, &[])
    }

    /// A configuration of a language's module rules.
    pub fn configuration(key: &str) -> LeafKey {
        LeafKey::of("configuration", key, &[])
    }

    /// Which files define this name.
    pub fn defining(name: Sym) -> LeafKey {
        LeafKey::of("defining", "", &[name])
    }
}

/// What the unit of a file, and the groups of its names, have read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reads {
    /// Sorted.
    pub unit: Vec<LeafKey>,
    /// The groups of this file by their own leaves, sorted, each with where its part of `leaves` ends.
    groups: Vec<(LeafKey, u32)>,
    /// What the groups read, one after the other, each sorted.
    leaves: Vec<LeafKey>,
}

impl Reads {
    /// What a unit has read, and each group with each leaf that it has read: in any order, and more than once.
    pub fn new(mut unit: Vec<LeafKey>, mut links: Vec<(LeafKey, LeafKey)>) -> Reads {
        unit.sort_unstable();
        unit.dedup();
        links.sort_unstable();
        links.dedup();
        let mut reads = Reads { unit, ..Reads::default() };
        for group in links.chunk_by(|a, b| a.0 == b.0) {
            reads.leaves.extend(group.iter().map(|(_, leaf)| leaf));
            reads.groups.push((group[0].0, reads.leaves.len() as u32));
        }
        reads
    }

    /// Per group of this file, by its own leaf, what it reads.
    pub fn groups(&self) -> impl Iterator<Item = (LeafKey, &[LeafKey])> {
        let mut start = 0;
        self.groups.iter().map(move |&(group, end)| {
            let leaves = &self.leaves[start..end as usize];
            start = end as usize;
            (group, leaves)
        })
    }

    /// Whether all that the groups of other reads of this file say is said here, too.
    pub fn has_groups_of(&self, other: &Reads) -> bool {
        let mut own = self.groups();
        other.groups().all(|(group, leaves)| {
            let same = own.find(|(own, _)| *own >= group).filter(|(own, _)| *own == group);
            same.is_some_and(|(_, own)| {
                let mut own = own.iter();
                leaves.iter().all(|leaf| own.find(|own| *own >= leaf) == Some(leaf))
            })
        })
    }

    /// The bytes to store: three lists of numbers, each after its length. Hashes do not compress.
    pub fn to_bytes(&self) -> Vec<u8> {
        let lengths = [self.unit.len(), self.groups.len(), self.leaves.len()].map(|length| length as u32);
        let groups = self.groups.iter().flat_map(|&(group, end)| [group.0, end]);
        let keys = |keys: &[LeafKey]| -> Vec<u32> { keys.iter().map(|key| key.0).collect() };
        let words = lengths.into_iter().chain(keys(&self.unit)).chain(groups).chain(keys(&self.leaves));
        words.flat_map(u32::to_le_bytes).collect()
    }

    /// The reads that the bytes are of; `None` when they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Reads> {
        let (words, []) = bytes.as_chunks::<4>() else { return None };
        let (&[unit, groups, leaves], words) = words.split_first_chunk()?;
        let length = |word: [u8; 4]| u32::from_le_bytes(word) as usize;
        let (unit, words) = words.split_at_checked(length(unit))?;
        let (groups, words) = words.split_at_checked(length(groups).checked_mul(2)?)?;
        if words.len() != length(leaves) {
            return None;
        }
        let key = |word: &[u8; 4]| LeafKey(u32::from_le_bytes(*word));
        let groups: Vec<(LeafKey, u32)> =
            groups.chunks_exact(2).map(|pair| (key(&pair[0]), u32::from_le_bytes(pair[1]))).collect();
        let is_whole = groups.last().map_or(0, |&(_, end)| end as usize) == words.len();
        let is_ordered = groups.is_sorted_by_key(|&(_, end)| end);
        (is_whole && is_ordered).then(|| Reads {
            unit: unit.iter().map(key).collect(),
            groups,
            leaves: words.iter().map(key).collect(),
        })
    }
}

/// A leaf inside one engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Leaf {
    /// The unit itself: a group that nobody reads.
    Unit(FileId),
    /// All that the prelude of a language says, which never changes.
    Outside(usize),
    Name(FileId, Sym),
    /// A member of a top-level class, by the class's symbol.
    Member(FileId, DefId, Sym),
    Whole(FileId),
    Surface(FileId),
    Look(Look),
    Defining(Sym),
}

impl Leaf {
    /// The leaf that a group of questions is read as.
    pub fn group(file: FileId, group: Group) -> Leaf {
        match group {
            Group::Name(name) => Leaf::Name(file, name),
            Group::Member(class, member) => Leaf::Member(file, class, member),
        }
    }
}

/// A leaf, by its number in the record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LeafId(pub u32);

/// Links that are remembered to have been noted, a power of two: as many as a processor keeps at hand.
const RECENT_LINKS: usize = 1 << 11;
/// Links that are not looked through for what was noted twice.
const FEW_LINKS: usize = 1 << 14;

/// The record that an engine keeps.
pub(super) struct Record {
    leaves: Interner<Leaf>,
    /// (who reads, what is read); some of them more than once.
    links: Vec<(LeafId, LeafId)>,
    /// How many links may be noted before those that were noted twice are dropped.
    room: usize,
    /// The link that was noted last of those with the same place here: most are noted again soon after.
    recent: Box<[(LeafId, LeafId)]>,
}

impl Default for Record {
    fn default() -> Record {
        let none = (LeafId(0), LeafId(0));
        let recent = vec![none; RECENT_LINKS].into_boxed_slice();
        Record { leaves: Interner::default(), links: Vec::new(), room: FEW_LINKS, recent }
    }
}

impl Record {
    pub fn id(&mut self, leaf: Leaf) -> LeafId {
        LeafId(self.leaves.intern(leaf))
    }

    /// How many leaves there are; their ids are less.
    pub fn len(&self) -> u32 {
        self.leaves.len()
    }

    pub fn leaf(&self, id: LeafId) -> &Leaf {
        self.leaves.get(id.0)
    }

    /// Notes that one leaf, as a group, reads another.
    pub fn link(&mut self, reader: LeafId, read: LeafId) {
        let place = (reader.0.wrapping_mul(0x9e37) ^ read.0) as usize % RECENT_LINKS;
        if reader == read || self.recent[place] == (reader, read) {
            return;
        }
        self.recent[place] = (reader, read);
        if self.links.len() == self.room {
            self.tidy();
            self.room = FEW_LINKS.max(2 * self.links.len());
        }
        self.links.push((reader, read));
    }

    /// All links, sorted: by reader, then by what is read. None of them is left.
    pub fn take_links(&mut self) -> Vec<(LeafId, LeafId)> {
        self.tidy();
        std::mem::take(&mut self.links)
    }

    fn tidy(&mut self) {
        self.links.sort_unstable();
        self.links.dedup();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reads() -> impl Strategy<Value = Reads> {
        let key = || any::<u32>().prop_map(LeafKey);
        let links = prop::collection::vec((0..9u32).prop_map(LeafKey), 0..40)
            .prop_flat_map(move |groups| groups.into_iter().map(|group| (Just(group), key())).collect::<Vec<_>>());
        (prop::collection::vec(key(), 0..9), links).prop_map(|(unit, links)| Reads::new(unit, links))
    }

    proptest! {
        #[test]
        fn reads_survive_their_bytes(reads in reads()) {
            prop_assert_eq!(Reads::from_bytes(&reads.to_bytes()), Some(reads));
        }

        #[test]
        fn what_others_add_is_noticed(one in reads(), more in reads()) {
            let links = |reads: &Reads| -> Vec<_> {
                reads.groups().flat_map(|(group, leaves)| leaves.iter().map(move |&leaf| (group, leaf))).collect()
            };
            let both = Reads::new(Vec::new(), [links(&one), links(&more)].concat());
            prop_assert!(both.has_groups_of(&one) && both.has_groups_of(&more));
            prop_assert_eq!(one.has_groups_of(&more), links(&both) == links(&one));
        }

        #[test]
        fn any_bytes_are_reads_or_none(
            reads in reads(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            end in any::<prop::sample::Index>(),
        ) {
            let mut bytes = reads.to_bytes();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(end.index(bytes.len() + 1));
            if let Some(reads) = Reads::from_bytes(&bytes) {
                prop_assert_eq!(reads.groups().map(|(_, leaves)| leaves.len()).sum::<usize>(), reads.leaves.len());
            }
        }
    }
}
