//! Walks over the graph: who uses a symbol, what it uses, what else its call may run, step by step.
//!
//! Knows no question; every walk is bounded, and says when it was cut.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::graph::{Confidence, Edge, EdgeKind, Graph, Located, SymbolKind, Target, locate};
use crate::names::{Line, RepoPath};

/// Symbols that one walk goes on from.
const WALKED_SYMBOLS: usize = 20_000;
/// Classes above or below one that are looked at.
const RELATED_CLASSES: usize = 2_000;
/// Methods that a call of their class runs, in every language that we read.
const CONSTRUCTORS: [&str; 3] = ["__init__", "__new__", "constructor"];

/// Why a row stands in an answer although the graph has no edge for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// A call of a base's member may run the override that was asked about; an override must fit its base's member.
    Override,
    /// A call of a subclass runs the constructor that it inherits.
    Subclass,
    /// A name of the module is imported through another module.
    ReExport,
}

/// One edge of a walk, seen from where the walk stands.
#[derive(Clone, Debug)]
pub struct Step {
    pub to: Located,
    pub kind: EdgeKind,
    /// Of the use; none where no edge of the graph is followed.
    pub line: Option<Line>,
    pub confidence: Confidence,
    pub via: Option<Via>,
}

/// A symbol that a walk reached, with all steps of the shortest length that lead there.
#[derive(Clone, Debug)]
pub struct Reached {
    pub located: Located,
    pub depth: u32,
    /// Sorted, each once; empty when no use has a place.
    pub lines: Vec<Line>,
    /// The first of the kinds of these steps.
    pub kind: EdgeKind,
    /// That of the surest route.
    pub confidence: Confidence,
    /// `None` when any step was an edge of the graph.
    pub via: Option<Via>,
    /// Its place in the order in which the walk found things.
    pub found: usize,
}

/// What a walk reached.
#[derive(Default)]
pub struct Walk {
    /// Confident before guessed, near before far, then by path and line.
    pub reached: Vec<Reached>,
    /// It had to stop before it had seen everything.
    pub cut: bool,
}

impl Walk {
    fn sort(&mut self) {
        self.reached.sort_by(|a, b| order(a).cmp(&order(b)));
    }

    /// Several walks from the same subject as one.
    pub fn joined(walks: impl IntoIterator<Item = Walk>) -> Walk {
        let mut all = Walk::default();
        for walk in walks {
            all.reached.extend(walk.reached);
            all.cut |= walk.cut;
        }
        all.sort();
        all
    }
}

/// Walks breadth first from a subject. A subject that reaches itself is reached, but not walked from again.
pub fn walk(start: &Located, depth: u32, steps: impl FnMut(&Located) -> Vec<Step>) -> Walk {
    walk_all(std::slice::from_ref(start), depth, steps)
}

/// The same from several subjects at once: each symbol at its distance from the nearest.
pub fn walk_all(starts: &[Located], depth: u32, mut steps: impl FnMut(&Located) -> Vec<Step>) -> Walk {
    let mut walk = Walk::default();
    let mut known = BTreeSet::new();
    let started: BTreeSet<_> = starts.iter().map(Located::key).collect();
    let mut level: Vec<_> = starts.iter().map(|start| (start.clone(), Confidence::Sure)).collect();
    let (mut walked, mut found) = (0, 0);
    for depth in 1..=depth {
        let mut next: BTreeMap<(RepoPath, usize), Reached> = BTreeMap::new();
        for (from, confidence) in &level {
            walked += 1;
            if walked > WALKED_SYMBOLS {
                walk.cut = true;
                break;
            }
            for step in steps(from) {
                if !known.contains(&step.to.key()) {
                    found += 1;
                    merge(&mut next, step, depth, *confidence, found);
                }
            }
        }
        known.extend(next.keys().cloned());
        let unwalked = next.values().filter(|one| !started.contains(&one.located.key()));
        level = unwalked.map(|one| (one.located.clone(), one.confidence)).collect();
        walk.reached.extend(next.into_values());
    }
    walk.sort();
    walk
}

fn merge(
    next: &mut BTreeMap<(RepoPath, usize), Reached>,
    step: Step,
    depth: u32,
    confidence: Confidence,
    found: usize,
) {
    let confidence = confidence.max(step.confidence);
    let reached = next.entry(step.to.key()).or_insert_with(|| Reached {
        located: step.to,
        depth,
        lines: Vec::new(),
        kind: step.kind,
        confidence,
        via: step.via,
        found,
    });
    reached.kind = reached.kind.min(step.kind);
    reached.confidence = reached.confidence.min(confidence);
    reached.via = reached.via.and(step.via);
    if let Some(line) = step.line
        && let Err(at) = reached.lines.binary_search(&line)
    {
        reached.lines.insert(at, line);
    }
}

fn order(reached: &Reached) -> (Confidence, u32, &RepoPath, Option<&Line>, usize, EdgeKind) {
    let located = &reached.located;
    (reached.confidence, reached.depth, &located.unit.path, reached.lines.first(), located.at, reached.kind)
}

/// The edges of these kinds that end at a symbol, from where they start.
pub fn uses(graph: &dyn Graph, target: &Target, kinds: &[EdgeKind], via: Option<Via>) -> Vec<Step> {
    let mut steps = Vec::new();
    for unit in graph.users(target) {
        for edge in unit.edges.iter().filter(|edge| edge.target == *target && kinds.contains(&edge.kind)) {
            let to = Located { unit: unit.clone(), at: edge.source as usize };
            steps.push(Step { to, kind: edge.kind, line: Some(edge.site.line), confidence: edge.confidence, via });
        }
    }
    steps
}

/// The edges that start at a symbol, in order of their sites.
fn edges_from(located: &Located) -> Vec<&Edge> {
    let (edges, at) = (&located.unit.edges, located.at as u32);
    let first = edges.partition_point(|edge| edge.source < at);
    let mut edges: Vec<&Edge> = edges[first..].iter().take_while(|edge| edge.source == at).collect();
    edges.sort_by_key(|edge| edge.site);
    edges
}

/// The edges of these kinds that start at a symbol, to where they end.
pub fn used(graph: &dyn Graph, located: &Located, kinds: &[EdgeKind]) -> Vec<Step> {
    let mut ends: BTreeMap<&Target, Option<Located>> = BTreeMap::new();
    let mut steps = Vec::new();
    for edge in edges_from(located).into_iter().filter(|edge| kinds.contains(&edge.kind)) {
        let end = ends.entry(&edge.target).or_insert_with(|| locate(graph, &edge.target));
        if let Some(to) = end.clone() {
            let (kind, line, confidence) = (edge.kind, Some(edge.site.line), edge.confidence);
            steps.push(Step { to, kind, line, confidence, via: None });
        }
    }
    steps
}

/// What a call must name to run a symbol: itself; for an override, the bases' members; for a constructor, its class and
/// the subclasses that inherit it.
pub fn called_as(graph: &dyn Graph, located: &Located) -> Vec<(Target, Option<Via>)> {
    let mut targets = vec![(located.target(), None)];
    let Some(class) = class_of(located) else { return targets };
    if is_constructor(located) {
        targets.push((class.target(), None));
        targets.extend(
            inheriting(graph, &class).reached.iter().map(|class| (class.located.target(), Some(Via::Subclass))),
        );
    } else {
        let bases = overridden(graph, located, HIERARCHY_DEPTH);
        targets.extend(bases.reached.iter().map(|base| (base.located.target(), Some(Via::Override))));
    }
    targets
}

/// Whether a call of its class runs it.
pub fn is_constructor(located: &Located) -> bool {
    CONSTRUCTORS.contains(&located.symbol().name())
}

/// The subclasses that have no constructor of their own, and neither has what stands between.
pub fn inheriting(graph: &dyn Graph, class: &Located) -> Walk {
    walk(class, HIERARCHY_DEPTH, |class| {
        let mut subclasses = uses(graph, &class.target(), &[EdgeKind::Inherits], None);
        subclasses.retain(|step| constructors(&step.to).is_empty());
        subclasses
    })
}

/// The members that a call of the class runs.
pub fn constructors(class: &Located) -> Vec<Located> {
    let local = &class.symbol().local;
    let at = CONSTRUCTORS.iter().filter_map(|name| class.unit.position(&format!("{local}.{name}")));
    at.map(|at| Located { unit: class.unit.clone(), at }).collect()
}

/// The class that a method is a member of.
pub fn class_of(located: &Located) -> Option<Located> {
    let symbol = located.symbol();
    let class = Located { unit: located.unit.clone(), at: symbol.parent as usize };
    let is_member = symbol.kind != SymbolKind::Module && class.symbol().kind == SymbolKind::Class;
    is_member.then_some(class)
}

/// The symbols that a class defines, at any depth.
pub fn members(class: &Located) -> Vec<Located> {
    let symbols = &class.unit.symbols;
    let mut inside = vec![false; symbols.len()];
    inside[class.at] = true;
    // One round finds what stands after what defines it, as nearly all does; the others look for the rest.
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for at in 1..symbols.len() {
            if !inside[at] && inside[symbols[at].parent as usize] {
                inside[at] = true;
                is_done = false;
            }
        }
    }
    inside[class.at] = false;
    let at = (0..symbols.len()).filter(|&at| inside[at]);
    at.map(|at| Located { unit: class.unit.clone(), at }).collect()
}

/// A class's bases and theirs.
pub fn bases(graph: &dyn Graph, class: &Located, depth: u32) -> Walk {
    bounded(walk(class, depth, |class| used(graph, class, &[EdgeKind::Inherits])))
}

/// A class's subclasses and theirs.
pub fn subclasses(graph: &dyn Graph, class: &Located, depth: u32) -> Walk {
    bounded(walk(class, depth, |class| uses(graph, &class.target(), &[EdgeKind::Inherits], None)))
}

fn bounded(mut walk: Walk) -> Walk {
    walk.cut |= walk.reached.len() > RELATED_CLASSES;
    walk.reached.truncate(RELATED_CLASSES);
    walk
}

/// Steps that a hierarchy is followed; none that people write is deeper.
pub const HIERARCHY_DEPTH: u32 = 100;

/// The members of bases that a member overrides.
pub fn overridden(graph: &dyn Graph, member: &Located, depth: u32) -> Walk {
    let Some(class) = class_of(member) else { return Walk::default() };
    namesakes(bases(graph, &class, depth), &[member.symbol().name()])
}

/// The members of subclasses that override members of a class, given by their names.
pub fn overriding(graph: &dyn Graph, class: &Located, names: &[&str], depth: u32) -> Walk {
    namesakes(subclasses(graph, class, depth), names)
}

/// The members of these names in the classes that a walk reached.
fn namesakes(classes: Walk, names: &[&str]) -> Walk {
    let mut walk = Walk { reached: Vec::new(), cut: classes.cut };
    for class in classes.reached {
        let symbols = &class.located.unit.symbols;
        let is_namesake =
            |at: usize| symbols[at].parent as usize == class.located.at && names.contains(&symbols[at].name());
        for at in (1..symbols.len()).filter(|&at| is_namesake(at)) {
            let located = Located { at, ..class.located.clone() };
            walk.reached.push(Reached { located, lines: Vec::new(), ..class.clone() });
        }
    }
    walk
}
