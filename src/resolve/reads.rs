//! What was looked at while a unit was resolved, so that a later snapshot can tell which units are still valid.
//!
//! Everything that other files see of a file is read by top-level name. All questions about one top-level name of one
//! file form a *group*; a group reads leaves, and other groups (which are leaves to it). A unit reads groups and leaves.
//! A unit is invalid when a leaf that it reaches has changed: the links are followed at refresh time, so what is kept
//! is as small as the dependencies between names, not their closure.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::value::{FileId, Sym};
use crate::languages::Look;
use crate::names::Digest;

/// A leaf, hashed to 32 bits with SHA-256: the same on every machine. Two leaves that share a key only make a unit be
/// resolved again without need.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct LeafKey(pub u32);

impl LeafKey {
    fn of(kind: &str, parts: [&str; 2]) -> LeafKey {
        let text = [kind, parts[0], parts[1]].join("\0");
        LeafKey((Digest::of(text.as_bytes()).short() >> 32) as u32)
    }

    /// One top-level name of a file's surface; present or absent.
    pub fn name(path: &str, name: &str) -> LeafKey {
        LeafKey::of("name", [path, name])
    }

    /// The list of a file's top-level names, exports and star imports.
    pub fn names(path: &str) -> LeafKey {
        LeafKey::of("names", [path, ""])
    }

    /// Everything that a file shows.
    pub fn surface(path: &str) -> LeafKey {
        LeafKey::of("surface", [path, ""])
    }

    /// Whether there is a file of this path.
    pub fn file(path: &str) -> LeafKey {
        LeafKey::of("file", [path, ""])
    }

    /// Whether anything is below this directory.
    pub fn directory(path: &str) -> LeafKey {
        LeafKey::of("directory", [path, ""])
    }

    /// A configuration of a language's module rules.
    pub fn configuration(key: &str) -> LeafKey {
        LeafKey::of("configuration", [key, ""])
    }

    /// Which files define this name.
    pub fn defining(name: &str) -> LeafKey {
        LeafKey::of("defining", [name, ""])
    }
}

/// What the unit of a file, and the groups of its names, have read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reads {
    /// Sorted.
    pub unit: Vec<LeafKey>,
    /// Per group of this file, by its own leaf, what it reads; sorted.
    pub groups: Vec<(LeafKey, Vec<LeafKey>)>,
}

impl Reads {
    /// Adds what another engine noted for the same file.
    pub fn absorb(&mut self, other: Reads) {
        self.unit.extend(other.unit);
        self.unit.sort_unstable();
        self.unit.dedup();
        let mut groups: BTreeMap<LeafKey, Vec<LeafKey>> = std::mem::take(&mut self.groups).into_iter().collect();
        for (group, leaves) in other.groups {
            let known = groups.entry(group).or_default();
            known.extend(leaves);
            known.sort_unstable();
            known.dedup();
        }
        self.groups = groups.into_iter().collect();
    }
}

/// A leaf inside one engine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Leaf {
    /// The unit itself: a group that nobody reads.
    Unit(FileId),
    Name(FileId, Sym),
    Names(FileId),
    Surface(FileId),
    Look(Look),
    Defining(Sym),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct LeafId(pub u32);

/// The record that an engine keeps.
#[derive(Default)]
pub(super) struct Record {
    leaves: Vec<Leaf>,
    ids: FxHashMap<Leaf, LeafId>,
    /// (who reads, what is read).
    links: FxHashSet<(LeafId, LeafId)>,
    last: Option<(LeafId, LeafId)>,
}

impl Record {
    pub fn id(&mut self, leaf: Leaf) -> LeafId {
        if let Some(&id) = self.ids.get(&leaf) {
            return id;
        }
        let id = LeafId(self.leaves.len() as u32);
        self.leaves.push(leaf.clone());
        self.ids.insert(leaf, id);
        id
    }

    pub fn leaf(&self, id: LeafId) -> &Leaf {
        &self.leaves[id.0 as usize]
    }

    pub fn link(&mut self, reader: LeafId, read: LeafId) {
        if reader != read && self.last != Some((reader, read)) {
            self.last = Some((reader, read));
            self.links.insert((reader, read));
        }
    }

    /// All links, sorted: by reader, then by what is read.
    pub fn links(&self) -> Vec<(LeafId, LeafId)> {
        let mut links: Vec<(LeafId, LeafId)> = self.links.iter().copied().collect();
        links.sort();
        links
    }
}
