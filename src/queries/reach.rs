//! What a change of a symbol reaches: the walk behind `impact` and `tests_for`.
//!
//! Backwards over calls, references, inheritance and tests, and through bases to the callers of an override; over
//! imports only from a module; never up from a member to what defines it. A class stands for its members.

use std::collections::{BTreeMap, BTreeSet};

use super::walk::{self, Step, Via, Walk};
use crate::graph::{EdgeKind, Graph, Located, SymbolKind};
use crate::names::RepoPath;

const KINDS: [EdgeKind; 4] = [EdgeKind::Calls, EdgeKind::References, EdgeKind::Inherits, EdgeKind::Tests];

/// What of a symbol changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Anything, its signature too: what overrides it must still fit.
    Contract,
    /// What it does when it runs.
    Behaviour,
}

/// Everything that a change of the subject may change, up to a number of steps; the subject and its parts left out.
pub fn reach(graph: &dyn Graph, subject: &Located, change: Change, depth: u32) -> Walk {
    // A module is asked about as a whole, so it stands for what it defines, as a class does.
    let own = parts(subject, true);
    let own_keys: BTreeSet<_> = own.iter().map(Located::key).collect();
    walk::walk(subject, depth, |located| {
        if located.key() != subject.key() {
            return uses(graph, &parts(located, false));
        }
        let mut steps = uses(graph, &own);
        if subject.is_module() {
            steps.extend(walk::uses(graph, &subject.target(), &[EdgeKind::Imports], None));
        }
        if change == Change::Contract {
            steps.extend(overriding(graph, &own));
        }
        steps.retain(|step| !own_keys.contains(&step.to.key()));
        steps
    })
}

/// A symbol that changed, for [`reach_all`].
pub struct Changed {
    pub located: Located,
    pub change: Change,
    /// The name is gone or new: what imports it depends on it too.
    pub name: bool,
}

/// Everything that these changes may change, up to a number of steps; the symbols themselves left out.
pub fn reach_all(graph: &dyn Graph, changes: &[Changed], depth: u32) -> Walk {
    let by_key: BTreeMap<_, &Changed> = changes.iter().map(|changed| (changed.located.key(), changed)).collect();
    let starts: Vec<Located> = changes.iter().map(|changed| changed.located.clone()).collect();
    let mut walk = walk::walk_all(&starts, depth, |located| {
        let Some(changed) = by_key.get(&located.key()) else { return uses(graph, &parts(located, false)) };
        let own = parts(located, false);
        let mut steps = uses(graph, &own);
        if located.is_module() || changed.name {
            steps.extend(walk::uses(graph, &located.target(), &[EdgeKind::Imports], None));
        }
        if changed.change == Change::Contract {
            steps.extend(overriding(graph, &own));
        }
        steps
    });
    walk.reached.retain(|reached| !by_key.contains_key(&reached.located.key()));
    walk
}

/// What overrides some members, as steps.
fn overriding(graph: &dyn Graph, members: &[Located]) -> Vec<Step> {
    // The subclasses of a class are looked for once, however many members it has.
    let mut by_class: BTreeMap<(RepoPath, usize), (Located, Vec<&str>)> = BTreeMap::new();
    for member in members {
        if let Some(class) = walk::class_of(member) {
            by_class.entry(class.key()).or_insert((class, Vec::new())).1.push(member.symbol().name());
        }
    }
    let mut steps = Vec::new();
    for (class, names) in by_class.values() {
        for one in walk::overriding(graph, class, names, walk::HIERARCHY_DEPTH).reached {
            let (kind, confidence, via) = (EdgeKind::Inherits, one.confidence, Some(Via::Override));
            steps.push(Step { to: one.located, kind, line: None, confidence, via });
        }
    }
    steps
}

fn parts(located: &Located, is_subject: bool) -> Vec<Located> {
    let mut parts = vec![located.clone()];
    if located.symbol().kind == SymbolKind::Class || (is_subject && located.is_module()) {
        parts.extend(walk::members(located));
    }
    parts
}

fn uses(graph: &dyn Graph, parts: &[Located]) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in parts {
        for (target, via) in walk::called_as(graph, part) {
            // Only a call through another name may run it; whoever else uses that name means what has it.
            let kinds = if via.is_some() { &[EdgeKind::Calls][..] } else { &KINDS };
            steps.extend(walk::uses(graph, &target, kinds, via));
        }
    }
    steps
}
