//! What a change of files invalidates: from two lists of files to the leaves that differ, and from leaves to units.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::facts::{Facts, Name};
use crate::names::{Digest, RepoPath};
use crate::resolve::{LeafKey, Reads, Sym};

/// What other files can see of a file, in short: enough to tell which of its names differ between two blobs.
#[derive(Default)]
pub(super) struct Visible {
    /// Digest of what the file offers without naming it.
    whole_digest: u64,
    /// Each top-level name with the digest of its surface.
    names: Vec<(Sym, u64)>,
    /// Each member of a top-level class, by class and name, with the digest of its surface.
    members: Vec<((Sym, Sym), u64)>,
    /// The names of all definitions, at any depth, each with a digest of what is defined under it: kinds and parents.
    definitions: Vec<(Sym, u64)>,
}

impl Visible {
    pub fn of(facts: &Facts) -> Visible {
        let sym = |name: Name| Sym::of(facts.text(name));
        let surface = &facts.surface;
        let members = surface.member_digests.iter();
        Visible {
            whole_digest: surface.whole_digest,
            names: surface.digests.iter().map(|&(name, digest)| (sym(name), digest)).collect(),
            members: members.map(|&(class, member, digest)| ((sym(class), sym(member)), digest)).collect(),
            definitions: definitions(facts),
        }
    }
}

/// The definitions of each name: how many there are, of which kinds, under which parents.
fn definitions(facts: &Facts) -> Vec<(Sym, u64)> {
    let mut by_name: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for definition in &facts.surface.definitions {
        let bytes = by_name.entry(facts.text(definition.name)).or_default();
        let parent = definition.parent.map_or("", |parent| facts.text(facts.definition(parent).name));
        bytes.push(definition.kind as u8);
        bytes.extend(parent.as_bytes());
        bytes.push(0);
    }
    by_name.into_iter().map(|(name, bytes)| (Sym::of(name), Digest::of(&bytes).short())).collect()
}

/// The leaves that differ between two snapshots.
#[derive(Default)]
pub(super) struct Changes {
    pub leaves: FxHashSet<LeafKey>,
}

impl Changes {
    /// Notes what other files can see of a file's change. `None`: the file is not there.
    pub fn file(&mut self, path: &RepoPath, before: Option<&Visible>, after: Option<&Visible>) {
        let path = path.as_str();
        if before.is_some() != after.is_some() {
            self.leaves.insert(LeafKey::file(path));
        }
        let empty = Visible::default();
        let (old, new) = (before.unwrap_or(&empty), after.unwrap_or(&empty));
        let names = differing(&old.names, &new.names);
        let members = differing(&old.members, &new.members);
        if !names.is_empty() || !members.is_empty() {
            self.leaves.insert(LeafKey::surface(path));
        }
        self.leaves.extend(names.into_iter().map(|&name| LeafKey::name(path, name)));
        self.leaves.extend(members.into_iter().map(|&(class, member)| LeafKey::member(path, class, member)));
        if old.whole_digest != new.whole_digest {
            self.leaves.insert(LeafKey::whole(path));
        }
        self.leaves
            .extend(differing(&old.definitions, &new.definitions).into_iter().map(|&name| LeafKey::defining(name)));
    }

    /// Notes the directories that came to be or ceased to be.
    pub fn directories<'a>(
        &mut self,
        before: impl Iterator<Item = &'a RepoPath>,
        after: impl Iterator<Item = &'a RepoPath>,
    ) {
        let (before, after) = (directories(before), directories(after));
        self.leaves.extend(before.symmetric_difference(&after).map(|directory| LeafKey::directory(directory)));
    }

    /// Notes the configurations whose content differs.
    pub fn configurations(&mut self, before: &[(String, u64)], after: &[(String, u64)]) {
        self.leaves.extend(differing(before, after).into_iter().map(|key| LeafKey::configuration(key)));
    }
}

/// The keys of two lists whose values differ, or that only one of them has.
fn differing<'a, K: Ord>(before: &'a [(K, u64)], after: &'a [(K, u64)]) -> BTreeSet<&'a K> {
    let as_set = |list: &'a [(K, u64)]| -> BTreeSet<&'a (K, u64)> { list.iter().collect() };
    let (before, after) = (as_set(before), as_set(after));
    before.symmetric_difference(&after).map(|(key, _)| key).collect()
}

fn directories<'a>(paths: impl Iterator<Item = &'a RepoPath>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for path in paths {
        let mut directory = path.directory();
        while !directory.is_empty() && found.insert(directory) {
            directory = directory.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
    }
    found
}

/// Reads of a graph, by the position of the file whose unit and groups they are of.
pub(super) type ReadsByPosition = BTreeMap<usize, Reads>;

/// Leaves and groups that a change reaches. Nearly every question to it is answered with no, so a small table of bits
/// answers most of them.
pub(super) struct Reached {
    keys: FxHashSet<LeafKey>,
    /// One bit for each value of the lowest bits of a key.
    bits: Vec<u64>,
}

impl Reached {
    /// Twenty bits of a key: 128 KiB, which a processor keeps at hand.
    const BITS: u32 = 20;

    fn place(key: LeafKey) -> (usize, u64) {
        let low = key.0 & ((1 << Reached::BITS) - 1);
        (low as usize / 64, 1 << (low % 64))
    }

    fn insert(&mut self, key: LeafKey) {
        let (word, bit) = Reached::place(key);
        self.bits[word] |= bit;
        self.keys.insert(key);
    }

    pub fn contains(&self, key: LeafKey) -> bool {
        let (word, bit) = Reached::place(key);
        self.bits[word] & bit != 0 && self.keys.contains(&key)
    }

    pub fn contains_any(&self, keys: &[LeafKey]) -> bool {
        keys.iter().any(|&key| self.contains(key))
    }
}

impl Default for Reached {
    fn default() -> Reached {
        Reached { keys: FxHashSet::default(), bits: vec![0; (1 << Reached::BITS) / 64] }
    }
}

/// Every leaf and group that the changed leaves reach.
pub(super) fn reached(reads: &ReadsByPosition, changed: &FxHashSet<LeafKey>) -> Reached {
    let mut reached = Reached::default();
    changed.iter().for_each(|&key| reached.insert(key));
    loop {
        let before = reached.keys.len();
        for (group, leaves) in reads.values().flat_map(Reads::groups) {
            if !reached.contains(group) && reached.contains_any(leaves) {
                reached.insert(group);
            }
        }
        if reached.keys.len() == before {
            return reached;
        }
    }
}

/// The reads of a file after a run in which some engines noted more: groups that were reached are as this run left them;
/// the others keep what they had.
pub(super) fn merged(old: Option<&Reads>, new: &[Reads], resolved: bool, reached: &Reached) -> Reads {
    let kept = old.into_iter().flat_map(Reads::groups).filter(|(group, _)| !reached.contains(*group));
    let groups = kept.chain(new.iter().flat_map(Reads::groups));
    let links = groups.flat_map(|(group, leaves)| leaves.iter().map(move |&leaf| (group, leaf))).collect();
    let unit = match resolved {
        true => new.iter().flat_map(|reads| &reads.unit).copied().collect(),
        false => old.map(|reads| reads.unit.clone()).unwrap_or_default(),
    };
    Reads::new(unit, links)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(names: &[(&str, u64)]) -> Visible {
        Visible { names: names.iter().map(|(n, d)| (Sym::of(n), *d)).collect(), ..Visible::default() }
    }

    #[test]
    fn only_the_names_that_differ_are_leaves() {
        let path = RepoPath::from_escaped("a.py");
        let mut changes = Changes::default();
        changes.file(&path, Some(&record(&[("f", 1), ("g", 1)])), Some(&record(&[("f", 2), ("g", 1)])));
        assert!(changes.leaves.contains(&LeafKey::name("a.py", Sym::of("f"))));
        assert!(!changes.leaves.contains(&LeafKey::name("a.py", Sym::of("g"))));
        assert!(!changes.leaves.contains(&LeafKey::file("a.py")));
    }

    #[test]
    fn a_change_is_followed_through_groups_in_circles() {
        let [a, b, c, leaf] = ["a", "b", "c", "leaf"].map(LeafKey::file);
        let links = vec![(a, b), (b, c), (b, a), (c, leaf)];
        let reads = ReadsByPosition::from([(0, Reads::new(Vec::new(), links))]);
        let reached = reached(&reads, &FxHashSet::from_iter([leaf]));
        assert!([a, b, c, leaf].into_iter().all(|key| reached.contains(key)));
        assert!(!reached.contains(LeafKey::file("another")));
    }
}
