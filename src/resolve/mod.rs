//! Resolution: the facts of many files → units.
//!
//! Pure and language-neutral: it does no IO, names no language, and cannot fail. It knows the facts, the module rules
//! that a language gives (`languages::Modules`) and a language's meaning as data (`languages::Semantics`). It knows
//! neither git nor the store.
//!
//! # Strata
//!
//! 1. `meanings`, `exports`: what a name means, through imports, exports and star imports;
//! 2. `bases`, `classes`: bases and method resolution order, by names only;
//! 3. `expressions`, `elements`, `subscripts`, `narrowing`, `forms`, `aliases`, `members`, `class_members`, `calls`,
//!    `overloads`, `functions`, `inference`, `stubs`, `substitution`: what an expression can be;
//! 4. `targets`, `given`, `unit`: where each use leads, then guesses and tests by name.
//!
//! The first and third are systems of equations, solved by `fixpoint` to their least solution; no stratum asks one that
//! comes later. What was looked at on the way is kept by `reads`.

mod aliases;
mod bases;
mod calls;
mod class_members;
mod classes;
mod elements;
mod engine;
mod exports;
mod expressions;
mod fixpoint;
mod forms;
mod functions;
mod given;
mod inference;
mod interner;
mod meanings;
mod members;
mod narrowing;
mod overloads;
mod project;
mod reads;
mod special;
mod stubs;
mod subscripts;
mod substitution;
mod targets;
mod unit;
mod value;

use std::collections::BTreeMap;

pub use engine::Engine;
pub use project::{Project, Source};
pub(crate) use reads::{LeafKey, Reads};
pub use value::{FileId, Sym};

use crate::languages::Look;

/// Grows whenever units come out differently from the same facts.
pub const RESOLVER_VERSION: u32 = 9;

impl Engine<'_> {
    /// What was read, by file, as keys that mean the same in every snapshot. The engine ends here.
    pub fn into_reads(mut self) -> BTreeMap<FileId, Reads> {
        let links = self.record.take_links();
        let mut keys: Vec<Option<LeafKey>> = vec![None; self.record.len() as usize];
        let mut key = |leaf: reads::LeafId| *keys[leaf.0 as usize].get_or_insert_with(|| self.leaf_key(leaf));
        let mut files: BTreeMap<FileId, (Vec<LeafKey>, Vec<(LeafKey, LeafKey)>)> = BTreeMap::new();
        for links in links.chunk_by(|a, b| a.0 == b.0) {
            let reader = links[0].0;
            let file = match *self.record.leaf(reader) {
                reads::Leaf::Unit(file)
                | reads::Leaf::Name(file, _)
                | reads::Leaf::Member(file, ..)
                | reads::Leaf::Surface(file) => file,
                _ => continue,
            };
            if file.0 == u32::MAX || self.project.is_external(file) {
                continue;
            }
            let group = match self.record.leaf(reader) {
                reads::Leaf::Unit(_) => None,
                _ => Some(key(reader)),
            };
            let leaves = links.iter().map(|&(_, read)| key(read)).filter(|&leaf| leaf != OUTSIDE);
            let (unit, groups) = files.entry(file).or_default();
            match group {
                None => unit.extend(leaves),
                Some(group) => groups.extend(leaves.map(|leaf| (group, leaf))),
            }
        }
        files.into_iter().map(|(file, (unit, groups))| (file, Reads::new(unit, groups))).collect()
    }

    fn leaf_key(&self, id: reads::LeafId) -> LeafKey {
        let path = |file: FileId| (!self.project.is_external(file)).then(|| self.project.path(file).as_str());
        let key = match self.record.leaf(id) {
            reads::Leaf::Unit(_) | reads::Leaf::Outside(_) => None,
            reads::Leaf::Name(file, name) => path(*file).map(|path| LeafKey::name(path, *name)),
            reads::Leaf::Member(file, class, member) => self.file(*file).and_then(|data| {
                let class = data.sym(data.facts.definition(*class).name);
                Some(LeafKey::member(path(*file)?, class, *member))
            }),
            reads::Leaf::Whole(file) => path(*file).map(LeafKey::whole),
            reads::Leaf::Surface(file) => path(*file).map(LeafKey::surface),
            reads::Leaf::Look(Look::File(path)) => Some(LeafKey::file(path)),
            reads::Leaf::Look(Look::Directory(path)) => Some(LeafKey::directory(path)),
            reads::Leaf::Look(Look::Configuration(key)) => Some(LeafKey::configuration(key)),
            reads::Leaf::Defining(name) => Some(LeafKey::defining(*name)),
        };
        key.unwrap_or(OUTSIDE)
    }
}

/// The key of what never changes: the prelude.
const OUTSIDE: LeafKey = LeafKey(0);
