//! Reverse lookups: by which keys a unit is found, without saying where the keys are kept.
//!
//! A key is a short digest, so it only proposes units; [`Lookup::holds`] decides on the unit itself.

use rustc_hash::FxHashSet;

use crate::graph::{EdgeKind, Symbol, Target, Unit};
use crate::names::Digest;
use crate::words::words;

/// A question whose answer is a set of units.
#[derive(Clone, Copy, Debug)]
pub enum Lookup<'a> {
    /// Units with an edge of any kind but `defines` to the target.
    Users(&'a Target),
    /// Units with a symbol of this last name.
    Defining(&'a str),
    /// Units with an unresolved call or a missing use of this bare name.
    Unresolved(&'a str),
}

impl Lookup<'_> {
    /// The key under which every unit of the answer is filed.
    pub fn key(self) -> u64 {
        let mut bytes = Vec::with_capacity(96);
        match self {
            Lookup::Users(target) => {
                bytes.push(b'u');
                bytes.extend(target.path.as_str().as_bytes());
                bytes.push(0);
                bytes.extend(target.local.as_str().as_bytes());
            }
            Lookup::Defining(name) => {
                bytes.push(b'd');
                bytes.extend(name.as_bytes());
            }
            Lookup::Unresolved(name) => {
                bytes.push(b'n');
                bytes.extend(name.as_bytes());
            }
        }
        Digest::of(&bytes).short()
    }

    /// Whether the unit really belongs to the answer.
    pub fn holds(self, unit: &Unit) -> bool {
        match self {
            Lookup::Users(target) => {
                unit.edges.iter().any(|edge| edge.kind != EdgeKind::Defines && edge.target == *target)
            }
            Lookup::Defining(name) => {
                let ends = |symbol: &Symbol| symbol.local.as_str().ends_with(name);
                unit.symbols.iter().any(|symbol| ends(symbol) && symbol.name() == name)
            }
            Lookup::Unresolved(name) => {
                unit.unresolved.iter().any(|one| &*one.name == name)
                    || unit.missing.iter().any(|one| &*one.name == name)
            }
        }
    }
}

/// The keys that a unit is filed under, sorted, each once.
pub fn keys(unit: &Unit) -> Vec<u64> {
    let used = unit.edges.iter().filter(|edge| edge.kind != EdgeKind::Defines);
    let targets: FxHashSet<&Target> = used.map(|edge| &edge.target).collect();
    let defined: FxHashSet<&str> = unit.symbols.iter().map(|symbol| symbol.name()).collect();
    let mut bare: FxHashSet<&str> = unit.unresolved.iter().map(|one| &*one.name).collect();
    bare.extend(unit.missing.iter().map(|one| &*one.name));
    let mut keys: Vec<u64> = targets.into_iter().map(|target| Lookup::Users(target).key()).collect();
    keys.extend(defined.into_iter().map(|name| Lookup::Defining(name).key()));
    keys.extend(bare.into_iter().map(|name| Lookup::Unresolved(name).key()));
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The words of a unit's names and documentation, sorted, each once: what search proposes it by.
pub fn search_words(unit: &Unit) -> Vec<String> {
    let mut all = Vec::with_capacity(unit.symbols.len() * 4);
    for symbol in &unit.symbols {
        words(symbol.name(), |word| all.push(word));
        words(&symbol.doc, |word| all.push(word));
    }
    all.sort_unstable();
    all.dedup();
    all
}
