//! The difference of two graphs: which symbols and edges came, went, moved and changed, and which uses were lost.
//!
//! Pure: reads both sides through [`Side`], and of them only what differs. Knows neither git nor the store nor any
//! question.
//!
//! # Rules
//!
//! - A symbol is itself while its file and local path are the same. Of those that are not, a pair is *moved* (renamed
//!   too) when the bodies are the same, or alike enough: sketches propose, the texts confirm (`matching`).
//! - What a symbol says is compared by digests of tokens (`symbols`), so comments, white space, quotes and line shifts
//!   change nothing.
//! - An edge is (source, kind, target) on both sides, whatever its line; moved symbols keep theirs (`edges`).
//! - A use is lost when its edge is gone while what was written still stands there (`uses`).

pub mod call;
mod edges;
mod matching;
mod sites;
mod symbols;
mod uses;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::graph::{GraphEntry, Located, Side, SymbolKind, Target, locate};
use crate::names::RepoPath;

pub use edges::EdgeChange;
pub use sites::Sites;
pub use uses::{Verdict, lost_uses};

/// How a symbol differs, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Removed,
    /// Or renamed; it may be changed too.
    Moved,
    Signature,
    Body,
    /// Its text is as it was, but leads elsewhere: what it imports from, or the configuration, changed.
    Resolution,
    Added,
    /// Documentation only.
    Doc,
}

impl ChangeKind {
    /// As it is printed.
    pub fn word(self) -> &'static str {
        match self {
            ChangeKind::Removed => "removed",
            ChangeKind::Moved => "moved",
            ChangeKind::Signature => "signature",
            ChangeKind::Body => "body",
            ChangeKind::Resolution => "resolution",
            ChangeKind::Added => "added",
            ChangeKind::Doc => "doc",
        }
    }
}

/// A symbol that differs.
#[derive(Clone, Debug)]
pub struct Change {
    /// As it was; `None` when it is new.
    pub before: Option<Located>,
    /// As it is; `None` when it is gone.
    pub after: Option<Located>,
    /// Parameters, annotations, defaults, decorators, bases, or what kind of thing it is.
    pub signature: bool,
    pub body: bool,
    pub documentation: bool,
    /// Its file is as it was, but not all its edges are, though their other ends are there on both sides.
    pub resolution: bool,
}

impl Change {
    /// The weightiest thing that changed.
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            (Some(before), Some(after)) if before.target() != after.target() => ChangeKind::Moved,
            _ if self.signature => ChangeKind::Signature,
            _ if self.body => ChangeKind::Body,
            _ if self.documentation => ChangeKind::Doc,
            _ => ChangeKind::Resolution,
        }
    }

    /// The symbol as it is, or as it was when it is gone.
    pub fn located(&self) -> &Located {
        self.after.as_ref().or(self.before.as_ref()).expect("a change has a side")
    }
}

/// What differs between two graphs.
#[derive(Default)]
pub struct Difference {
    /// By path and line, where they are; those that are gone, where they were.
    pub changes: Vec<Change>,
    pub edges_added: Vec<EdgeChange>,
    pub edges_removed: Vec<EdgeChange>,
    /// Files whose unit or blob differs, or that only one side has; of both sides.
    paths: BTreeSet<RepoPath>,
    correspondence: Correspondence,
}

/// Which symbol of one side is which of the other.
#[derive(Default)]
struct Correspondence {
    /// Those that moved.
    moved: BTreeMap<Target, Target>,
    gone: BTreeSet<Target>,
    /// Files that one side does not read, though they stand there: nothing is said of them.
    unread: BTreeSet<RepoPath>,
}

impl Correspondence {
    /// Where a symbol of the before side is now.
    fn now(&self, before: &Target) -> Option<Target> {
        if let Some(after) = self.moved.get(before) {
            return Some(after.clone());
        }
        (!self.gone.contains(before) && !self.unread.contains(&before.path)).then(|| before.clone())
    }
}

impl Difference {
    /// Compares two graphs. `unread` are files that one of them leaves out by a rule: they did not come or go.
    pub fn between(before: &dyn Side, after: &dyn Side, unread: &[RepoPath]) -> Difference {
        let unread: BTreeSet<RepoPath> = unread.iter().cloned().collect();
        let (mut changed, mut differing) = (Vec::new(), BTreeSet::new());
        each_differing(before.graph().entries(), after.graph().entries(), |old, new| {
            let path = old.or(new).map(|entry| entry.path.clone()).expect("one of them is there");
            if unread.contains(&path) {
                return;
            }
            if old.map(|entry| entry.blob) != new.map(|entry| entry.blob) {
                changed.push(path.clone());
            }
            differing.insert(path);
        });
        let describe = |side| changed.iter().flat_map(|path| symbols::describe(side, path.as_str())).collect();
        let (old, new): (Vec<symbols::Described>, Vec<symbols::Described>) = (describe(before), describe(after));
        let pairs = matching::pairs(&old, &new, before, after);
        let mut difference = Difference { paths: differing, ..Difference::default() };
        let correspondence = &mut difference.correspondence;
        correspondence.unread = unread;
        let mut paired = vec![false; new.len()];
        for (was, pair) in old.iter().zip(&pairs) {
            let now = pair.map(|at| &new[at]);
            if let Some(at) = *pair {
                paired[at] = true;
            }
            let before = was.located.target();
            match now.map(|now| now.located.target()) {
                None => {
                    correspondence.gone.insert(before);
                }
                Some(after) if after != before => {
                    correspondence.moved.insert(before, after);
                }
                Some(_) => {}
            }
            difference.changes.extend(symbols::change(was, now));
        }
        let added = new.iter().zip(paired).filter(|(_, paired)| !paired).map(|(now, _)| Change {
            before: None,
            after: Some(now.located.clone()),
            signature: false,
            body: false,
            documentation: false,
            resolution: false,
        });
        difference.changes.extend(added);
        difference.sort();
        let paths = &difference.paths;
        let (edges_added, edges_removed) = edges::changes(before, after, paths, &difference.correspondence);
        let mut difference = Difference { edges_added, edges_removed, ..difference };
        difference.add_led_elsewhere(before, after, &changed.into_iter().collect());
        difference
    }

    fn sort(&mut self) {
        self.changes.sort_by_cached_key(|change| {
            let located = change.located();
            (located.unit.path.clone(), located.symbol().site, located.symbol().local.clone(), change.kind())
        });
    }

    /// Adds the symbols whose text is the same and whose edges differ, where what they led to is there on both sides.
    /// Of a file that changed only functions: the edges of a module or class come and go with what stands in it.
    fn add_led_elsewhere(&mut self, before: &dyn Side, after: &dyn Side, changed: &BTreeSet<RepoPath>) {
        let lost = self.edges_removed.iter().filter(|edge| self.now(&edge.target).is_some());
        let found = self.edges_added.iter().filter(|edge| self.was(&edge.target).is_some());
        let tells = |source: &&Target| {
            let is_told = !changed.contains(&source.path) || locate(after.graph(), source).is_some_and(is_function);
            is_told && self.now(source).as_ref() == Some(*source) && self.of(source).is_none()
        };
        let sources: BTreeSet<&Target> = lost.chain(found).map(|edge| &edge.source).filter(tells).collect();
        let elsewhere = sources.into_iter().map(|source| Change {
            before: locate(before.graph(), source),
            after: locate(after.graph(), source),
            signature: false,
            body: false,
            documentation: false,
            resolution: true,
        });
        let elsewhere: Vec<Change> = elsewhere.filter(|one| one.before.is_some() && one.after.is_some()).collect();
        self.changes.extend(elsewhere);
        self.sort();
    }

    /// The change of a symbol that is there now.
    pub fn of(&self, after: &Target) -> Option<&Change> {
        let path = |change: &&Change| change.located().unit.path == after.path;
        let first = self.changes.partition_point(|change| change.located().unit.path < after.path);
        let mut same = self.changes[first..].iter().take_while(path);
        same.find(|change| change.after.as_ref().is_some_and(|located| located.target() == *after))
    }

    /// Where a symbol of the before side is now; `None` when it is gone.
    pub fn now(&self, before: &Target) -> Option<Target> {
        self.correspondence.now(before)
    }

    /// What a symbol of the after side was; `None` when it is new.
    pub fn was(&self, after: &Target) -> Option<Target> {
        match self.of(after) {
            Some(change) => change.before.as_ref().map(Located::target),
            None => Some(after.clone()),
        }
    }

    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.edges_added.is_empty() && self.edges_removed.is_empty()
    }
}

fn is_function(located: Located) -> bool {
    matches!(located.symbol().kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Test)
}

/// Walks two sorted lists of files side by side and gives those that differ.
fn each_differing<'a>(
    mut before: &'a [GraphEntry],
    mut after: &'a [GraphEntry],
    mut each: impl FnMut(Option<&'a GraphEntry>, Option<&'a GraphEntry>),
) {
    use std::cmp::Ordering;
    while !before.is_empty() || !after.is_empty() {
        let order = match (before.first(), after.first()) {
            (Some(old), Some(new)) => old.path.cmp(&new.path),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let old = (order != Ordering::Greater).then(|| &before[0]);
        let new = (order != Ordering::Less).then(|| &after[0]);
        let same = old.zip(new).is_some_and(|(old, new)| old.blob == new.blob && old.unit == new.unit);
        if !same {
            each(old, new);
        }
        before = &before[usize::from(old.is_some())..];
        after = &after[usize::from(new.is_some())..];
    }
}
