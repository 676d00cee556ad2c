//! Which symbol of before is which of after: by identity, by what stands around them, by their bodies.
//!
//! Symbols that keep file and local path are themselves. Of the rest, files are paired first, then symbols from the
//! outside in: what is inside of a pair follows it by name. A pair of others needs the same body, or bodies whose
//! sketches agree and whose texts confirm it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use similar::{Algorithm, capture_diff_slices, diff_ratio};

use super::symbols::Described;
use crate::graph::{Located, Side, SymbolKind, Target};

/// Share of a file's symbols that must be the same for two files to be one that moved.
const MODULE_SHARE: f32 = 0.5;
/// Positions of two sketches (of 8) that must agree before texts are compared; fewer when the names are the same.
const SKETCH_AGREES: usize = 3;
const SKETCH_AGREES_SAME_NAME: usize = 2;
/// Share of tokens that two texts must have in common; less when the names are the same.
const TEXT_RATIO: f32 = 0.6;
const TEXT_RATIO_SAME_NAME: f32 = 0.5;
/// Tokens of a text that are compared.
const TEXT_TOKENS: usize = 2_000;
/// Symbols with the same body or sketch position that are looked at for one symbol.
const CANDIDATES: usize = 50;
/// Texts that are compared for one symbol, the best sketches first.
const COMPARED_TEXTS: usize = 5;

/// Of each symbol of before, its position in after.
pub(super) fn pairs(old: &[Described], new: &[Described], before: &dyn Side, after: &dyn Side) -> Vec<Option<usize>> {
    let mut matcher = Matcher::new(old, new, before, after);
    matcher.keep_identities();
    matcher.pair_modules();
    let deepest = matcher.old_depths.iter().copied().max().unwrap_or(0);
    for depth in 1..=deepest {
        matcher.follow_parents(depth);
        matcher.pair_by_body(depth);
    }
    matcher.pairs
}

struct Matcher<'a> {
    old: &'a [Described],
    new: &'a [Described],
    before: &'a dyn Side,
    after: &'a dyn Side,
    pairs: Vec<Option<usize>>,
    taken: Vec<bool>,
    by_target: FxHashMap<Target, usize>,
    /// Of each symbol, the position of its parent; a module's is itself.
    old_parents: Vec<usize>,
    new_parents: Vec<usize>,
    /// Steps to the module.
    old_depths: Vec<usize>,
    texts: FxHashMap<(bool, Arc<str>), Option<Arc<str>>>,
}

/// A possible pair; greater is better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: u32,
    same_file: bool,
    /// Of two that are equally good, the one that comes first.
    order: std::cmp::Reverse<(usize, usize)>,
}

impl<'a> Matcher<'a> {
    fn new(old: &'a [Described], new: &'a [Described], before: &'a dyn Side, after: &'a dyn Side) -> Matcher<'a> {
        let by_target = new.iter().enumerate().map(|(at, one)| (one.located.target(), at)).collect();
        let (old_parents, new_parents) = (parents(old), parents(new));
        let old_depths = depths(&old_parents);
        let (pairs, taken) = (vec![None; old.len()], vec![false; new.len()]);
        let texts = FxHashMap::default();
        Matcher { old, new, before, after, pairs, taken, by_target, old_parents, new_parents, old_depths, texts }
    }

    fn pair(&mut self, was: usize, now: usize) {
        self.pairs[was] = Some(now);
        self.taken[now] = true;
    }

    fn keep_identities(&mut self) {
        for (was, described) in self.old.iter().enumerate() {
            if let Some(&now) = self.by_target.get(&described.located.target()) {
                self.pair(was, now);
            }
        }
    }

    /// Pairs files that moved: most of their symbols are the same.
    fn pair_modules(&mut self) {
        let key = |one: &Described| (one.located.symbol().local.clone(), one.signature, one.body);
        let mut holders: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        let mut module = 0;
        for (at, one) in self.new.iter().enumerate() {
            if one.located.is_module() {
                module = at;
            } else if !self.taken[module] && one.located.symbol().parent == 0 {
                holders.entry(key(one)).or_default().push(module);
            }
        }
        let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut sizes: FxHashMap<usize, usize> = FxHashMap::default();
        let mut module = 0;
        for (at, one) in self.old.iter().enumerate() {
            if one.located.is_module() {
                module = at;
            } else if self.pairs[module].is_none() && one.located.symbol().parent == 0 {
                *sizes.entry(module).or_default() += 1;
                for &holder in holders.get(&key(one)).into_iter().flatten().take(CANDIDATES) {
                    *shared.entry((module, holder)).or_default() += 1;
                }
            }
        }
        let name = |one: &Described| one.located.unit.path.file_name().to_owned();
        let mut candidates: Vec<(Candidate, usize, usize)> = Vec::new();
        for ((was, now), shared) in shared {
            let size = sizes[&was].max(self.top_level(now));
            if shared as f32 >= size as f32 * MODULE_SHARE {
                let score = (shared * 1_000 / size.max(1)) as u32;
                let same_file = name(&self.old[was]) == name(&self.new[now]);
                candidates.push((Candidate { score, same_file, order: std::cmp::Reverse((was, now)) }, was, now));
            }
        }
        self.take_best(candidates);
    }

    /// The number of symbols directly below a module of after.
    fn top_level(&self, module: usize) -> usize {
        let inside = self.new[module + 1..].iter().take_while(|one| !one.located.is_module());
        inside.filter(|one| one.located.symbol().parent == 0).count()
    }

    /// Takes candidates, the best first, each symbol once.
    fn take_best(&mut self, mut candidates: Vec<(Candidate, usize, usize)>) {
        candidates.sort_by(|(a, ..), (b, ..)| b.cmp(a));
        for (_, was, now) in candidates {
            if self.pairs[was].is_none() && !self.taken[now] {
                self.pair(was, now);
            }
        }
    }

    /// Pairs what is inside of a pair and has the same name.
    fn follow_parents(&mut self, depth: usize) {
        for was in 0..self.old.len() {
            if self.pairs[was].is_some() || self.old_depths[was] != depth {
                continue;
            }
            let Some(parent) = self.pairs[self.old_parents[was]] else { continue };
            let name = self.old[was].located.symbol().name();
            let found = self.inside(parent).find(|&now| {
                let symbol = self.new[now].located.symbol();
                symbol.name() == name && alike(self.old[was].located.symbol().kind, symbol.kind)
            });
            if let Some(now) = found {
                self.pair(was, now);
            }
        }
    }

    /// What is directly inside of a symbol of after and not paired yet.
    fn inside(&self, parent: usize) -> impl Iterator<Item = usize> {
        let unit = &self.new[parent].located.unit;
        let first = parent - self.new[parent].located.at;
        (first..first + unit.symbols.len())
            .filter(move |&now| now != parent && !self.taken[now] && self.new_parents[now] == parent)
    }

    fn pair_by_body(&mut self, depth: usize) {
        let mut by_body: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut by_sketch: FxHashMap<(usize, u16), Vec<usize>> = FxHashMap::default();
        for (now, one) in self.new.iter().enumerate() {
            if self.taken[now] || one.located.is_module() {
                continue;
            }
            if one.body != 0 {
                by_body.entry(one.body).or_default().push(now);
            }
            for (position, &value) in one.sketch.iter().enumerate() {
                by_sketch.entry((position, value)).or_default().push(now);
            }
        }
        let mut candidates: Vec<(Candidate, usize, usize)> = Vec::new();
        for was in 0..self.old.len() {
            if self.pairs[was].is_some() || self.old_depths[was] != depth {
                continue;
            }
            for &now in by_body.get(&self.old[was].body).into_iter().flatten().take(CANDIDATES) {
                self.propose(was, now, self.same_body(was, now), &mut candidates);
            }
            let mut agreeing: BTreeMap<usize, usize> = BTreeMap::new();
            for (position, &value) in self.old[was].sketch.iter().enumerate() {
                for &now in by_sketch.get(&(position, value)).into_iter().flatten().take(CANDIDATES) {
                    *agreeing.entry(now).or_default() += 1;
                }
            }
            let mut agreeing: Vec<(usize, usize)> = agreeing.into_iter().map(|(now, count)| (count, now)).collect();
            agreeing.sort_by_key(|&(count, now)| (std::cmp::Reverse(count), now));
            for (count, now) in agreeing.into_iter().take(COMPARED_TEXTS) {
                let score = self.similar_body(was, now, count);
                self.propose(was, now, score, &mut candidates);
            }
        }
        self.take_best(candidates);
    }

    fn propose(&self, was: usize, now: usize, score: Option<u32>, out: &mut Vec<(Candidate, usize, usize)>) {
        let (old, new) = (&self.old[was].located, &self.new[now].located);
        if let Some(score) = score.filter(|_| alike(old.symbol().kind, new.symbol().kind)) {
            let same_file = old.unit.path == new.unit.path;
            out.push((Candidate { score, same_file, order: std::cmp::Reverse((was, now)) }, was, now));
        }
    }

    /// How good a pair with the same body is.
    fn same_body(&self, was: usize, now: usize) -> Option<u32> {
        let (old, new) = (&self.old[was], &self.new[now]);
        let same_name = old.located.symbol().name() == new.located.symbol().name();
        let same_signature = old.signature == new.signature;
        let bonus = 20 * u32::from(same_name) + 10 * u32::from(same_signature);
        if old.sketch != new.sketch {
            return None;
        }
        if !old.sketch.is_empty() {
            return Some(900 + bonus);
        }
        // Short bodies are the same by chance: the name, or what stands around, must be the same too.
        let top_level = old.located.symbol().parent == 0 && new.located.symbol().parent == 0;
        let same_parent = self.pairs[self.old_parents[was]] == Some(self.new_parents[now]);
        if same_name && top_level {
            return Some(800 + bonus);
        }
        let renamed = same_parent && same_signature && self.is_only_one(was) && self.is_only_one_now(now);
        // Values are the same more often than bodies: a variable that was renamed stands where it stood.
        let renamed = renamed && (old.located.symbol().kind != SymbolKind::Symbol || self.follow_the_same(was, now));
        renamed.then_some(700)
    }

    /// Whether what stands before them in their file is a pair.
    fn follow_the_same(&self, was: usize, now: usize) -> bool {
        let before = |at: usize, parents: &[usize]| (0..at).rev().find(|&other| parents[other] == parents[at]);
        match (before(was, &self.old_parents), before(now, &self.new_parents)) {
            (Some(was), Some(now)) => self.pairs[was] == Some(now),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether nothing else that is unpaired beside it has the same signature and body.
    fn is_only_one(&self, was: usize) -> bool {
        let twin = |&other: &usize| {
            let (a, b) = (&self.old[was], &self.old[other]);
            self.pairs[other].is_none()
                && self.old_parents[other] == self.old_parents[was]
                && (a.signature, a.body) == (b.signature, b.body)
        };
        let first = was - self.old[was].located.at;
        (first..first + self.old[was].located.unit.symbols.len()).filter(twin).count() == 1
    }

    fn is_only_one_now(&self, now: usize) -> bool {
        let (parent, one) = (self.new_parents[now], &self.new[now]);
        let twin = |&other: &usize| (self.new[other].signature, self.new[other].body) == (one.signature, one.body);
        self.inside(parent).filter(twin).count() == 1
    }

    /// How good a pair is whose sketches agree in so many positions.
    fn similar_body(&mut self, was: usize, now: usize, agreeing: usize) -> Option<u32> {
        let (old, new) = (&self.old[was].located, &self.new[now].located);
        let same_name = old.symbol().name() == new.symbol().name();
        let (agrees, least) = match same_name {
            true => (SKETCH_AGREES_SAME_NAME, TEXT_RATIO_SAME_NAME),
            false => (SKETCH_AGREES, TEXT_RATIO),
        };
        if agreeing < agrees || !alike(old.symbol().kind, new.symbol().kind) {
            return None;
        }
        let (old, new) = (self.text_of(old, false)?, self.text_of(new, true)?);
        let (old, new) = (tokens(&old), tokens(&new));
        let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
        let ratio = diff_ratio(&operations, old.len(), new.len());
        (ratio >= least).then_some(500 + (ratio * 200.0) as u32 + 20 * u32::from(same_name))
    }

    /// The lines of a definition.
    fn text_of(&mut self, located: &Located, is_after: bool) -> Option<String> {
        let side = if is_after { self.after } else { self.before };
        let path: Arc<str> = located.unit.path.as_str().into();
        let text = self.texts.entry((is_after, path.clone())).or_insert_with(|| side.text(&path)).clone()?;
        let symbol = located.symbol();
        let lines = (symbol.last.0 - symbol.first.0) as usize + 1;
        Some(text.lines().skip(symbol.first.0 as usize - 1).take(lines).collect::<Vec<&str>>().join("\n"))
    }
}

/// Whether a symbol of one kind can have become one of the other by being moved.
fn alike(old: SymbolKind, new: SymbolKind) -> bool {
    let runs = |kind| matches!(kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Test);
    old == new || (runs(old) && runs(new))
}

/// Words and signs of a text.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        if !first.is_whitespace() {
            tokens.push(&rest[..length]);
        }
        if tokens.len() == TEXT_TOKENS {
            break;
        }
        rest = &rest[length..];
    }
    tokens
}

fn parents(described: &[Described]) -> Vec<usize> {
    let parent = |(at, one): (usize, &Described)| at - one.located.at + one.located.symbol().parent as usize;
    described.iter().enumerate().map(parent).collect()
}

fn depths(parents: &[usize]) -> Vec<usize> {
    let depth = |at: usize| {
        let (mut at, mut depth) = (at, 0);
        while parents[at] != at && depth < parents.len() {
            at = parents[at];
            depth += 1;
        }
        depth
    };
    (0..parents.len()).map(depth).collect()
}
