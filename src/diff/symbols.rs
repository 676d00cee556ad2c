//! What the symbols of a file say, as digests that can be compared: from its unit and its facts.

use std::collections::BTreeMap;

use super::Change;
use crate::facts::{DefId, Facts, Flags};
use crate::graph::{Located, Side, Site, Symbol};
use crate::names::Digest;

/// A symbol, and digests of what it says. All its definitions count, in order.
pub(super) struct Described {
    pub located: Located,
    pub signature: u64,
    /// 0 when there is no body to compare.
    pub body: u64,
    pub documentation: u64,
    /// Empty for short bodies.
    pub sketch: Box<[u16]>,
}

/// The flags that callers depend on.
const CONTRACT: [Flags; 11] = [
    Flags::ASYNC,
    Flags::STATIC,
    Flags::CLASS_METHOD,
    Flags::GETTER,
    Flags::SETTER,
    Flags::ABSTRACT,
    Flags::EXPORTED,
    Flags::DEFAULT,
    Flags::INTERFACE,
    Flags::ENUM,
    Flags::FIELD_PARAMETER,
];

/// The symbols of a file in the order of its unit, the module first; none when the side does not have the file.
pub(super) fn describe(side: &dyn Side, path: &str) -> Vec<Described> {
    let Some(unit) = side.graph().unit(path) else { return Vec::new() };
    let facts = side.facts(path).unwrap_or_default();
    let definitions = definitions(&facts);
    let describe = |at: usize| {
        let located = Located { unit: unit.clone(), at };
        if located.is_module() {
            let body = u64::from(facts.body.own_digest.0);
            return Described { located, signature: 0, body, documentation: 0, sketch: Box::default() };
        }
        let own = definitions_at(&definitions, located.symbol());
        let all = |digest: &dyn Fn(DefId) -> u64| folded(own.iter().map(|&definition| digest(definition)));
        let flags = |id: DefId| {
            let flags = facts.definition(id).flags;
            CONTRACT.iter().filter(|flag| flags.has(**flag)).fold(0, |all, flag| all | u64::from(flag.0))
        };
        let sketch = own.iter().map(|&id| &facts.description(id).sketch).max_by_key(|sketch| sketch.len());
        Described {
            signature: all(&|id| u64::from(facts.description(id).signature_digest.0) ^ flags(id).rotate_left(32)),
            body: all(&|id| u64::from(facts.description(id).body_digest.0)),
            documentation: all(&|id| u64::from(facts.description(id).doc_digest.0)),
            sketch: sketch.cloned().unwrap_or_default(),
            located,
        }
    };
    (0..unit.symbols.len()).map(describe).collect()
}

/// Definitions by the place of their name; those that the graph hides left out.
pub(super) fn definitions(facts: &Facts) -> BTreeMap<(u32, u32), Vec<DefId>> {
    let mut by_place: BTreeMap<(u32, u32), Vec<DefId>> = BTreeMap::new();
    for (at, place) in facts.places.definitions.iter().enumerate() {
        let id = DefId::new(at);
        if !facts.definition(id).flags.has(Flags::HIDDEN) {
            by_place.entry((place.name.line, place.name.column)).or_default().push(id);
        }
    }
    by_place
}

/// All definitions of a symbol, in the order of the text.
pub(super) fn definitions_at(definitions: &BTreeMap<(u32, u32), Vec<DefId>>, symbol: &Symbol) -> Vec<DefId> {
    let mut sites: Vec<Site> = std::iter::once(symbol.site).chain(symbol.more.iter().copied()).collect();
    sites.sort();
    let found = sites.iter().filter_map(|site| definitions.get(&(site.line.0, site.column.0)));
    found.flatten().copied().collect()
}

/// One number for a list of digests; that of a single one is itself, and nothing but zeros is 0.
fn folded(digests: impl Iterator<Item = u64>) -> u64 {
    let digests: Vec<u64> = digests.collect();
    match digests[..] {
        [only] => only,
        _ if digests.iter().all(|digest| *digest == 0) => 0,
        _ => Digest::of(&digests.iter().flat_map(|digest| digest.to_be_bytes()).collect::<Vec<u8>>()).short(),
    }
}

/// How a symbol of the before side differs from what it is now; `None` when it does not.
pub(super) fn change(was: &Described, now: Option<&Described>) -> Option<Change> {
    let before = Some(was.located.clone());
    let Some(now) = now else {
        return Some(Change {
            before,
            after: None,
            signature: false,
            body: false,
            documentation: false,
            resolution: false,
        });
    };
    let (old, new) = (was.located.symbol(), now.located.symbol());
    let change = Change {
        before,
        after: Some(now.located.clone()),
        signature: was.signature != now.signature || old.kind != new.kind,
        body: was.body != now.body,
        documentation: was.documentation != now.documentation,
        resolution: false,
    };
    let moved = was.located.target() != now.located.target();
    (moved || change.signature || change.body || change.documentation).then_some(change)
}
