//! Facts as bytes, to be compressed and stored: [`encode`], and [`decode`], which believes nothing that it reads.
//! [`open`] reads only what is asked for first, and the rest when it is looked at: another file's facts are asked for a
//! few names.
//!
//! The bytes are the number of items of each arena, the lengths of the sections, and the sections: the head, which is
//! read at once, and one for each [`Deferred`] part. They have a front and a [`back`], which holds what only the file's
//! own unit is made of. Each type says in one place (`records`) what of it is written; the bytes of a section are divided
//! among streams by what they mean.

mod deferred;
mod indices;
mod records;
mod shape;
mod streams;
mod values;

use std::sync::Arc;

pub use deferred::{Deferred, Section};
use deferred::{Heading, Stored};
use streams::{In, Limits, Out, Stream, put_number, take_number};

use super::*;

/// The bytes of facts.
pub fn encode(facts: &Facts) -> Vec<u8> {
    let mut out = Out::default();
    let (mut bytes, mut lengths, mut sections) = (Vec::new(), Vec::new(), Vec::new());
    put_limits(facts, &mut bytes);
    put_sections(facts, &mut out, |out| {
        let start = sections.len();
        out.end_section(&mut sections);
        put_number(&mut lengths, (sections.len() - start) as u32);
    });
    bytes.append(&mut lengths);
    bytes.append(&mut sections);
    bytes
}

/// The facts of some bytes; `None` when they are none. Every index in them is one of its arena.
pub fn decode(bytes: &[u8]) -> Option<Facts> {
    let (front, back) = bytes.split_at_checked(back(bytes)?)?;
    let back = back.to_vec();
    let facts = take_sections(&Arc::new(Stored::new(front.to_vec(), move || Some(back.clone()))?), true)?;
    is_intact(&facts).then_some(facts)
}

/// Where the back of the bytes of facts begins; `None` when they are none.
pub fn back(bytes: &[u8]) -> Option<usize> {
    Heading::of(bytes).map(|heading| heading.sections[BACK].start)
}

/// Facts of which most is decoded only when it is looked at, from the front of their bytes and, when it is needed, the
/// back. What then turns out to be damaged is empty, so that to follow an index into it panics; [`is_intact`] tells
/// whether that can have happened.
pub fn open(front: Vec<u8>, back: impl Fn() -> Option<Vec<u8>> + Send + Sync + 'static) -> Option<Facts> {
    take_sections(&Arc::new(Stored::new(front, back)?), false)
}

/// Whether all that was looked at so far is as it was written.
pub fn is_intact(facts: &Facts) -> bool {
    facts.body.is_intact() && facts.body.known().is_none_or(|body| shape::have_targets(&body.references, facts))
}

/// Something that can be written and read again.
trait Coded: Sized {
    fn put(&self, out: &mut Out);
    fn take(from: &mut In) -> Option<Self>;

    fn put_optional(this: Option<&Self>, out: &mut Out) {
        out.byte(Stream::Flags, u8::from(this.is_some()));
        if let Some(this) = this {
            this.put(out);
        }
    }

    fn take_optional(from: &mut In) -> Option<Option<Self>> {
        match from.byte(Stream::Flags)? {
            0 => Some(None),
            1 => Self::take(from).map(Some),
            _ => None,
        }
    }
}

/// The arenas with the stream of their indices. Those of the head are read at once, with what stands beside them; each
/// other one is a section.
macro_rules! sections {
    (
        head { $($early:ident: $early_stream:ident $(where $early_shape:path)?,)* } beside { $($field:ident,)* }
        deferred { $($number:literal $arena:ident: $item:ident in $stream:ident $(where $shape:path)?,)* }
        others { $($other_number:literal $other:ident: $type:ty where $other_shape:expr,)* }
    ) => {
        const SECTIONS: usize = 1 + [$($number,)* $($other_number,)*].len();
        /// The first section of the back.
        const BACK: usize = 1 + [$($number,)*].len();

        fn put_limits(facts: &Facts, bytes: &mut Vec<u8>) {
            put_number(bytes, facts.strings.len() as u32);
            put_number(bytes, facts.body.references.len() as u32);
            $(put_number(bytes, facts.surface.$early.len() as u32);)*
            $(put_number(bytes, facts.surface.$arena.len() as u32);)*
        }

        fn take_limits(bytes: &mut &[u8], limits: &mut Limits) -> Option<()> {
            let all = [Stream::Names, Stream::Lines, $(Stream::$early_stream,)* $(Stream::$stream,)*];
            for stream in all {
                limits[stream as usize] = take_number(bytes)?;
            }
            Some(())
        }

        fn put_sections(facts: &Facts, out: &mut Out, mut end: impl FnMut(&mut Out)) {
            let Facts { strings, surface, .. } = facts;
            strings.put(out);
            $(put_arena(&surface.$early, Stream::$early_stream, out);)*
            $(surface.$field.put(out);)*
            end(out);
            $(put_arena(&surface.$arena, Stream::$stream, out);
            end(out);)*
            $(facts.$other.put(out);
            end(out);)*
        }

        fn take_sections(stored: &Arc<Stored>, now: bool) -> Option<Facts> {
            stored.section(0, |from| {
                let strings = Strings::take(from)?;
                $(let $early = take_arena(Stream::$early_stream, from)?;
                $(if !$early_shape(&$early) {
                    return None;
                })?)*
                $(let $field = Coded::take(from)?;)*
                $(let $arena = Deferred::take(stored, now)?;)*
                $(let $other = Deferred::take(stored, now)?;)*
                Some(Facts { strings, surface: Surface { $($early,)* $($arena,)* $($field,)* }, $($other,)* })
            })
        }

        $(impl Section for Vec<$item> {
            fn of(stored: &Stored) -> Option<Vec<$item>> {
                let items = stored.section($number, |from| take_arena(Stream::$stream, from))?;
                $(if !$shape(&items) {
                    return None;
                })?
                Some(items)
            }
        })*

        $(impl Section for $type {
            fn of(stored: &Stored) -> Option<$type> {
                stored.section($other_number, |from| {
                    let fits: fn(&$type, &Limits) -> bool = $other_shape;
                    <$type>::take(from).filter(|one| fits(one, from.limits))
                })
            }
        })*
    };
}

sections! {
    head {
        definitions: DefIds where shape::are_nested,
        imports: ImportIds,
    }
    beside { exports, all, digests, member_digests, whole_digest, }
    deferred {
        1 functions: Function in FunctionIds,
        2 classes: Class in ClassIds,
        3 objects: Object in ObjectIds,
        4 scopes: Scope in ScopeIds where shape::are_scopes,
        5 bindings: Binding in BindingIds,
        6 listed_bindings: BindingId in BindingRuns,
        7 expressions: Expr in ExprIds,
        8 calls: CallExpr in CallIds,
        9 tests: Test in TestIds,
        10 arguments: Argument in ArgumentRuns,
        11 listed_expressions: ExprId in ExpressionRuns,
        12 listed_forms: FormId in FormRuns,
        13 forms: Form in FormIds,
    }
    others {
        14 descriptions: Vec<Description> where |descriptions, limits| {
            descriptions.len() == limits[Stream::DefIds as usize] as usize
        },
        15 body: Body where |body, limits| body.references.len() == limits[Stream::Lines as usize] as usize,
        16 places: Places where |places, limits| {
            places.definitions.len() == limits[Stream::DefIds as usize] as usize
                && places.imports.len() == limits[Stream::ImportIds as usize] as usize
                && places.references.len() == limits[Stream::Lines as usize] as usize
        },
    }
}

fn put_arena<T: Coded>(arena: &[T], stream: Stream, out: &mut Out) {
    for (at, item) in arena.iter().enumerate() {
        out.stand_at(stream, at as u32);
        item.put(out);
    }
}

fn take_arena<T: Coded>(stream: Stream, from: &mut In) -> Option<Vec<T>> {
    let count = from.limits[stream as usize];
    // Each item takes a byte at least.
    let mut arena = Vec::with_capacity(from.hold(count as usize)?);
    for at in 0..count {
        from.stand_at(stream, at);
        arena.push(T::take(from)?);
    }
    Some(arena)
}
