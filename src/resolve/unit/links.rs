//! Edges while their unit is made: numbers alone. Many lead to the same symbol, so paths come in once, at the end.

use rustc_hash::FxHashMap;

use crate::facts::*;
use crate::graph::{Confidence, Edge, EdgeKind, Site, Target};
use crate::names::LocalPath;
use crate::resolve::engine::Engine;
use crate::resolve::members::Found;
use crate::resolve::value::*;

/// Where an edge leads: a symbol of the graph, or a file's module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Aim {
    pub file: FileId,
    symbol: Option<DefId>,
}

impl Aim {
    pub fn module(file: FileId) -> Aim {
        Aim { file, symbol: None }
    }
}

/// An edge of the unit that is being made.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub source: u32,
    pub kind: EdgeKind,
    pub aim: Aim,
    pub confidence: Confidence,
    pub site: Site,
}

impl Engine<'_> {
    /// The place of a symbol in the graph, if it has one.
    pub(super) fn aim(&mut self, found: Found) -> Option<Aim> {
        let file = self.file(found.file)?;
        let is_shown = !file.external && !file.is_hidden(found.symbol);
        is_shown.then_some(Aim { file: found.file, symbol: Some(found.symbol) })
    }

    /// The same in words.
    pub(super) fn target(&self, aim: Aim) -> Target {
        let local = aim.symbol.and_then(|symbol| Some(self.file(aim.file)?.local_path(symbol)));
        Target { path: self.project.path(aim.file).clone(), local: local.unwrap_or_else(LocalPath::module) }
    }

    /// The edges, sorted, each once.
    pub(super) fn edges(&self, links: Vec<Link>) -> Vec<Edge> {
        let mut aims: Vec<Aim> = links.iter().map(|link| link.aim).collect();
        aims.sort_unstable();
        aims.dedup();
        let mut targets: Vec<(Target, Aim)> = aims.into_iter().map(|aim| (self.target(aim), aim)).collect();
        targets.sort_unstable();
        // Symbols that share a path, as tests of one title do, are one target.
        let mut ranks: FxHashMap<Aim, usize> = FxHashMap::default();
        let mut ranked: Vec<Target> = Vec::with_capacity(targets.len());
        for (target, aim) in targets {
            if ranked.last() != Some(&target) {
                ranked.push(target);
            }
            ranks.insert(aim, ranked.len() - 1);
        }
        let rank = |link: Link| (link.source, link.kind, ranks[&link.aim], link.confidence, link.site);
        let mut sorted: Vec<_> = links.into_iter().map(rank).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let edge = |(source, kind, rank, confidence, site)| {
            let target: &Target = &ranked[rank];
            Edge { source, kind, target: target.clone(), confidence, site }
        };
        sorted.into_iter().map(edge).collect()
    }
}
