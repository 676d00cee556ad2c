//! What everything that a change touches reaches: the facts behind `changed_impact`.

use std::collections::{BTreeMap, BTreeSet};

use super::comparison::Comparison;
use super::reach::{self, Changed, reach_all};
use super::rows::nearest_modules;
use super::tests_for::{TestRow, is_test, tests_of};
use super::walk::Reached;
use crate::diff::ChangeKind;
use crate::graph::{Confidence, EdgeKind, Located, locate};
use crate::names::{ModuleName, RepoPath};

/// What everything that changed reaches, on the after side.
pub struct ReachedByChange {
    /// Nearest first; what changed itself left out.
    pub reached: Vec<Reached>,
    pub cut: bool,
}

impl ReachedByChange {
    /// What is reached but tests, which have a list of their own.
    pub fn but_tests(&self) -> impl Iterator<Item = &Reached> {
        self.reached.iter().filter(|one| !is_test(&one.located))
    }

    /// Tests to run, nearest first: those that changed, then those that reach what did.
    pub fn tests(&self, comparison: &Comparison<'_>) -> Vec<TestRow> {
        let changes = comparison.difference().changes.iter().filter(|change| change.kind() != ChangeKind::Doc);
        let own = changes.filter_map(|change| change.after.clone()).map(|located| Reached {
            located,
            depth: 0,
            lines: Vec::new(),
            kind: EdgeKind::Tests,
            confidence: Confidence::Sure,
            via: None,
            found: 0,
        });
        let all: Vec<Reached> = own.chain(self.reached.iter().cloned()).collect();
        tests_of(&all, comparison.after.graph().modules())
    }

    /// Modules with something changed or reached, nearest first.
    pub fn modules(&self, comparison: &Comparison<'_>) -> Vec<ModuleName> {
        let after = comparison.difference().changes.iter().filter_map(|change| change.after.as_ref());
        let mut near: Vec<(u32, &str)> = after.map(|located| (0, located.unit.path.as_str())).collect();
        near.extend(self.reached.iter().map(|one| (one.depth, one.located.unit.path.as_str())));
        nearest_modules(near, comparison.after.graph().modules())
    }
}

/// Walks from what is there on the after side, and from what is gone on the before side.
pub fn reached_by_change(comparison: &Comparison<'_>, depth: u32) -> ReachedByChange {
    let difference = comparison.difference();
    let (mut there, mut gone) = (Vec::new(), Vec::new());
    for change in &difference.changes {
        let kind = change.kind();
        if kind == ChangeKind::Doc {
            continue;
        }
        let contract = match change.signature || matches!(kind, ChangeKind::Removed | ChangeKind::Moved) {
            true => reach::Change::Contract,
            false => reach::Change::Behaviour,
        };
        let changed = |located: &Located, name| Changed { located: located.clone(), change: contract, name };
        if let Some(after) = &change.after {
            there.push(changed(after, kind == ChangeKind::Added));
        }
        if let Some(before) = change.before.as_ref().filter(|_| matches!(kind, ChangeKind::Removed | ChangeKind::Moved))
        {
            gone.push(changed(before, true));
        }
    }
    let own: BTreeSet<(RepoPath, usize)> = there.iter().map(|changed| changed.located.key()).collect();
    let after = reach_all(comparison.after.graph(), &there, depth);
    let before = reach_all(comparison.before.graph(), &gone, depth);
    let mut all: BTreeMap<(RepoPath, usize), Reached> =
        after.reached.into_iter().map(|one| (one.located.key(), one)).collect();
    for mut one in before.reached {
        let target = one.located.target();
        let Some(now) = difference.now(&target).and_then(|now| locate(comparison.after.graph(), &now)) else {
            continue;
        };
        if own.contains(&now.key()) {
            continue;
        }
        // Lines are those of before; where the file is another they mean nothing.
        if *one.located.unit != *now.unit {
            one.lines.clear();
        }
        one.located = now;
        let nearer = all.get(&one.located.key()).is_none_or(|known| one.depth < known.depth);
        if nearer {
            all.insert(one.located.key(), one);
        }
    }
    let mut reached: Vec<Reached> = all.into_values().collect();
    reached.sort_by(|a, b| {
        let key = |one: &Reached| {
            (one.confidence, one.depth, one.located.unit.path.clone(), one.lines.first().copied(), one.located.at)
        };
        key(a).cmp(&key(b))
    });
    ReachedByChange { reached, cut: after.cut || before.cut }
}
