//! The canonical bytes of a unit: equal units have equal bytes on every machine, and the digest of a unit is theirs.
//!
//! Strings that repeat (paths, local paths, names) stand once, in a table of the unit's own, in the order in which the
//! unit's sorted lists first name them; everything else is postcard. Knows nothing of where units are kept. Reading
//! trusts nothing: whatever the bytes say, the result is a unit whose positions are within bounds, or [`Malformed`].

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::graph::{Confidence, Edge, EdgeKind, ExternalImport, Missing, Site, Symbol, SymbolKind, Target};
use crate::graph::{Unit, Unresolved};
use crate::names::{Line, LocalPath, RepoPath};

/// Version of the format, the first byte. Part of every unit's digest.
pub const UNIT_VERSION: u8 = 1;

/// The bytes are no unit of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a unit of version {UNIT_VERSION}")]
pub struct Malformed;

/// A position in [`Packed::strings`].
type Text = u32;

#[derive(Serialize, Deserialize)]
struct Packed<'a> {
    version: u8,
    /// Each once, in the order of their first use.
    #[serde(borrow)]
    strings: Vec<&'a str>,
    path: Text,
    symbols: Vec<PackedSymbol<'a>>,
    edges: Vec<PackedEdge>,
    unresolved: Vec<(u32, Text, Site)>,
    missing: Vec<(u32, (Text, Text), Text, Site)>,
    external: Vec<(Text, Line)>,
    is_test: bool,
    partial: bool,
}

#[derive(Serialize, Deserialize)]
struct PackedSymbol<'a> {
    local: Text,
    kind: SymbolKind,
    parent: u32,
    site: Site,
    first: Line,
    last: Line,
    signature: &'a str,
    doc: &'a str,
    more: Vec<Site>,
}

#[derive(Serialize, Deserialize)]
struct PackedEdge {
    source: u32,
    kind: EdgeKind,
    confidence: Confidence,
    target: (Text, Text),
    site: Site,
}

/// The table of strings, in the order of their first use.
#[derive(Default)]
struct Texts<'a> {
    strings: Vec<&'a str>,
    positions: FxHashMap<&'a str, Text>,
}

impl<'a> Texts<'a> {
    fn add(&mut self, text: &'a str) -> Text {
        *self.positions.entry(text).or_insert_with(|| {
            self.strings.push(text);
            self.strings.len() as Text - 1
        })
    }

    fn add_target(&mut self, target: &'a Target) -> (Text, Text) {
        (self.add(target.path.as_str()), self.add(target.local.as_str()))
    }
}

/// The canonical bytes of a unit.
pub fn encode(unit: &Unit) -> Vec<u8> {
    let mut texts = Texts::default();
    let path = texts.add(unit.path.as_str());
    let mut symbols = Vec::with_capacity(unit.symbols.len());
    for symbol in &unit.symbols {
        symbols.push(PackedSymbol {
            local: texts.add(symbol.local.as_str()),
            kind: symbol.kind,
            parent: symbol.parent,
            site: symbol.site,
            first: symbol.first,
            last: symbol.last,
            signature: &symbol.signature,
            doc: &symbol.doc,
            more: symbol.more.clone(),
        });
    }
    let mut edges = Vec::with_capacity(unit.edges.len());
    for edge in &unit.edges {
        edges.push(PackedEdge {
            source: edge.source,
            kind: edge.kind,
            confidence: edge.confidence,
            target: texts.add_target(&edge.target),
            site: edge.site,
        });
    }
    let mut unresolved = Vec::with_capacity(unit.unresolved.len());
    for one in &unit.unresolved {
        unresolved.push((one.source, texts.add(&one.name), one.site));
    }
    let mut missing = Vec::with_capacity(unit.missing.len());
    for one in &unit.missing {
        missing.push((one.source, texts.add_target(&one.owner), texts.add(&one.name), one.site));
    }
    let mut external = Vec::with_capacity(unit.external.len());
    for one in &unit.external {
        external.push((texts.add(&one.module), one.line));
    }
    let packed = Packed {
        version: UNIT_VERSION,
        strings: texts.strings,
        path,
        symbols,
        edges,
        unresolved,
        missing,
        external,
        is_test: unit.is_test,
        partial: unit.partial,
    };
    let room = 64 + 32 * (packed.strings.len() + packed.symbols.len()) + 12 * packed.edges.len();
    postcard::to_extend(&packed, Vec::with_capacity(room)).expect("a unit is plain data of known lengths")
}

/// The unit that the bytes are of. Every position in it is within bounds, and its first symbol is its module.
pub fn decode(bytes: &[u8]) -> Result<Unit, Malformed> {
    if bytes.first() != Some(&UNIT_VERSION) {
        return Err(Malformed);
    }
    let (packed, rest) = postcard::take_from_bytes::<Packed>(bytes).map_err(|_| Malformed)?;
    if !rest.is_empty() {
        return Err(Malformed);
    }
    let strings: Vec<Arc<str>> = packed.strings.iter().map(|&text| text.into()).collect();
    let text = |at: Text| strings.get(at as usize).ok_or(Malformed);
    let path = |at: Text| text(at).map(|text| RepoPath::from_shared(text.clone()));
    let local = |at: Text| text(at).map(|text| LocalPath(text.clone()));
    let target = |(p, l): (Text, Text)| Ok(Target { path: path(p)?, local: local(l)? });
    let count = packed.symbols.len();
    let symbol = |at: u32| if (at as usize) < count { Ok(at) } else { Err(Malformed) };

    let unpack_symbol = |one: PackedSymbol| {
        Ok(Symbol {
            local: local(one.local)?,
            kind: one.kind,
            parent: symbol(one.parent)?,
            site: one.site,
            first: one.first,
            last: one.last,
            signature: one.signature.into(),
            doc: one.doc.into(),
            more: one.more,
        })
    };
    let unpack_edge = |one: PackedEdge| {
        Ok(Edge {
            source: symbol(one.source)?,
            kind: one.kind,
            target: target(one.target)?,
            confidence: one.confidence,
            site: one.site,
        })
    };
    let unpack_unresolved = |(source, name, site): (u32, Text, Site)| {
        Ok(Unresolved { source: symbol(source)?, name: (&**text(name)?).into(), site })
    };
    let unpack_missing = |(source, owner, name, site): (u32, (Text, Text), Text, Site)| {
        Ok(Missing { source: symbol(source)?, owner: target(owner)?, name: (&**text(name)?).into(), site })
    };
    let unpack_external = |(module, line): (Text, Line)| Ok(ExternalImport { module: (&**text(module)?).into(), line });

    let unit = Unit {
        path: path(packed.path)?,
        symbols: packed.symbols.into_iter().map(unpack_symbol).collect::<Result<_, Malformed>>()?,
        edges: packed.edges.into_iter().map(unpack_edge).collect::<Result<_, Malformed>>()?,
        unresolved: packed.unresolved.into_iter().map(unpack_unresolved).collect::<Result<_, Malformed>>()?,
        missing: packed.missing.into_iter().map(unpack_missing).collect::<Result<_, Malformed>>()?,
        external: packed.external.into_iter().map(unpack_external).collect::<Result<_, Malformed>>()?,
        is_test: packed.is_test,
        partial: packed.partial,
    };
    let module_first = unit.symbols.first().is_some_and(|module| module.kind == SymbolKind::Module);
    if module_first { Ok(unit) } else { Err(Malformed) }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::names::{Column, Digest};

    fn site() -> impl Strategy<Value = Site> {
        (1..4000u32, 1..90u32).prop_map(|(line, column)| Site { line: Line(line), column: Column(column) })
    }

    fn target() -> impl Strategy<Value = Target> {
        ("[ab]/[cd]{1,2}\\.py", "([A-C]\\.)?[a-c]{0,2}")
            .prop_map(|(path, local)| Target { path: RepoPath::from_escaped(&path), local: LocalPath(local.into()) })
    }

    fn symbol(parents: u32) -> impl Strategy<Value = Symbol> {
        let kind = prop::sample::select(SymbolKind::ALL.to_vec());
        (
            "[A-C]\\.[a-z_]{1,8}",
            kind,
            0..parents,
            site(),
            "(\\(self\\))?",
            "\\PC{0,20}",
            prop::collection::vec(site(), 0..2),
        )
            .prop_map(|(local, kind, parent, site, signature, doc, more)| Symbol {
                local: LocalPath(local.into()),
                kind,
                parent,
                site,
                first: site.line,
                last: Line(site.line.0 + 3),
                signature: signature.into(),
                doc: doc.into(),
                more,
            })
    }

    fn edge(sources: u32) -> impl Strategy<Value = Edge> {
        let kind = prop::sample::select(EdgeKind::ALL.to_vec());
        (0..sources, kind, target(), any::<bool>(), site()).prop_map(|(source, kind, target, sure, site)| Edge {
            source,
            kind,
            target,
            confidence: if sure { Confidence::Sure } else { Confidence::Name },
            site,
        })
    }

    /// Any unit of the file `path`, its lists sorted.
    pub(crate) fn unit(path: &'static str) -> impl Strategy<Value = Unit> {
        let module = Symbol {
            local: LocalPath::module(),
            kind: SymbolKind::Module,
            parent: 0,
            site: Site { line: Line(1), column: Column(1) },
            first: Line(1),
            last: Line(90),
            signature: "".into(),
            doc: "".into(),
            more: Vec::new(),
        };
        (1..6u32).prop_flat_map(move |count| {
            let module = module.clone();
            let symbols = prop::collection::vec(symbol(count), count as usize - 1);
            let unresolved = prop::collection::vec((0..count, "[a-c]{1,2}", site()), 0..4);
            let missing = prop::collection::vec((0..count, target(), "[a-c]{1,2}", site()), 0..4);
            let external = prop::collection::vec(("[a-c]{1,2}", 1..90u32), 0..3);
            let edges = prop::collection::vec(edge(count), 0..9);
            (symbols, edges, unresolved, missing, external, any::<[bool; 2]>()).prop_map(move |parts| {
                let (symbols, edges, unresolved, missing, external, [is_test, partial]) = parts;
                let unresolved = unresolved.into_iter();
                let missing = missing.into_iter();
                let external = external.into_iter();
                let mut unit = Unit {
                    path: RepoPath::from_escaped(path),
                    symbols: std::iter::once(module.clone()).chain(symbols).collect(),
                    edges,
                    unresolved: unresolved
                        .map(|(source, name, site)| Unresolved { source, name: name.into(), site })
                        .collect(),
                    missing: missing
                        .map(|(source, owner, name, site)| Missing { source, owner, name: name.into(), site })
                        .collect(),
                    external: external
                        .map(|(module, line)| ExternalImport { module: module.into(), line: Line(line) })
                        .collect(),
                    is_test,
                    partial,
                };
                unit.edges.sort();
                unit.unresolved.sort();
                unit.missing.sort();
                unit.external.sort();
                unit
            })
        })
    }

    proptest! {
        #[test]
        fn a_unit_survives_its_bytes(unit in unit("a/b.py")) {
            let bytes = encode(&unit);
            prop_assert_eq!(decode(&bytes), Ok(unit.clone()));
            prop_assert_eq!(encode(&unit), bytes);
        }

        #[test]
        fn any_bytes_are_a_unit_within_bounds_or_malformed(
            unit in unit("a/b.py"),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            end in any::<prop::sample::Index>(),
        ) {
            let mut bytes = encode(&unit);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(end.index(bytes.len() + 1));
            if let Ok(unit) = decode(&bytes) {
                let count = unit.symbols.len() as u32;
                prop_assert!(unit.symbols.iter().all(|symbol| symbol.parent < count));
                prop_assert!(unit.edges.iter().all(|edge| edge.source < count));
            }
        }

        #[test]
        fn any_garbage_is_malformed_or_a_unit(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
            bytes.insert(0, UNIT_VERSION);
            let _ = decode(&bytes);
        }
    }

    #[test]
    fn the_bytes_never_change_without_a_new_version() {
        let unit = Unit {
            path: RepoPath::from_escaped("a.py"),
            symbols: vec![Symbol {
                local: LocalPath::module(),
                kind: SymbolKind::Module,
                parent: 0,
                site: Site { line: Line(1), column: Column(1) },
                first: Line(1),
                last: Line(300),
                signature: "".into(),
                doc: "d".into(),
                more: vec![],
            }],
            edges: vec![Edge {
                source: 0,
                kind: EdgeKind::Imports,
                target: Target { path: RepoPath::from_escaped("b.py"), local: LocalPath::module() },
                confidence: Confidence::Sure,
                site: Site { line: Line(2), column: Column(6) },
            }],
            unresolved: vec![],
            missing: vec![],
            external: vec![],
            is_test: false,
            partial: false,
        };
        let bytes = encode(&unit);
        assert_eq!(
            bytes,
            b"\x01\x03\x04a.py\x00\x04b.py\x00\x01\x01\x00\x00\x01\x01\x01\xac\x02\x00\x01d\x00\
              \x01\x00\x00\x00\x02\x01\x02\x06\x00\x00\x00\x00\x00"
        );
        assert_eq!(Digest::of(&bytes).to_string().len(), 64);
    }
}
