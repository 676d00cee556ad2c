//! Indices of arenas, runs of them, and uses of names, as bytes. No index that is read lies beyond its arena.

use std::marker::PhantomData;

use super::Coded;
use super::streams::{In, Out, Stream};
use crate::facts::*;

macro_rules! ids {
    ($($id:ident: $stream:ident,)*) => {$(
        impl Coded for $id {
            fn put(&self, out: &mut Out) {
                out.step(Stream::$stream, self.index() as u32);
            }

            fn take(from: &mut In) -> Option<$id> {
                let at = from.step(Stream::$stream)?;
                (at < from.limits[Stream::$stream as usize]).then_some($id::new(at as usize))
            }

            fn put_optional(this: Option<&$id>, out: &mut Out) {
                out.optional_step(Stream::$stream, this.map(|id| id.index() as u32));
            }

            fn take_optional(from: &mut In) -> Option<Option<$id>> {
                match from.optional_step(Stream::$stream)? {
                    None => Some(None),
                    Some(at) => (at < from.limits[Stream::$stream as usize]).then_some(Some($id::new(at as usize))),
                }
            }
        }
    )*};
}

ids! {
    ExprId: ExprIds,
    FormId: FormIds,
    ScopeId: ScopeIds,
    BindingId: BindingIds,
    DefId: DefIds,
    FunctionId: FunctionIds,
    ClassId: ClassIds,
    ObjectId: ObjectIds,
    ImportId: ImportIds,
    CallId: CallIds,
    TestId: TestIds,
}

/// Names are used over and over: as they are, they resemble each other more than steps between them do.
impl Coded for Name {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Names, self.index() as u32);
    }

    fn take(from: &mut In) -> Option<Name> {
        let at = from.number(Stream::Names)?;
        (at < from.limits[Stream::Names as usize]).then_some(Name::new(at as usize))
    }
}

macro_rules! runs {
    ($($item:ident: $stream:ident,)*) => {$(
        impl Coded for Run<$item> {
            fn put(&self, out: &mut Out) {
                out.number(Stream::Counts, self.count);
                if self.count > 0 {
                    out.step(Stream::$stream, self.start);
                    out.stand_at(Stream::$stream, self.start + self.count);
                }
            }

            fn take(from: &mut In) -> Option<Run<$item>> {
                let count = from.number(Stream::Counts)?;
                if count == 0 {
                    return Some(Run::EMPTY);
                }
                let start = from.step(Stream::$stream)?;
                let end = start.checked_add(count)?;
                from.stand_at(Stream::$stream, end);
                (end <= from.limits[Stream::$stream as usize]).then_some(Run { start, count, items: PhantomData })
            }
        }
    )*};
}

runs! {
    ExprId: ExpressionRuns,
    BindingId: BindingRuns,
    FormId: FormRuns,
    Argument: ArgumentRuns,
}

/// Most uses of a name are of what the use before was of.
impl Coded for NameUse {
    fn put(&self, out: &mut Out) {
        self.name.put(out);
        self.scope.put(out);
        let Reach(reach) = self.reach;
        let before = std::mem::replace(out.reach(self.name.index()), reach);
        if reach == before {
            return out.byte(Stream::Reaches, 0);
        }
        let (start, count) = self.reach.parts();
        out.byte(Stream::Reaches, count as u8 + 1);
        if count > 0 {
            out.step(Stream::BindingRuns, start as u32);
        }
    }

    fn take(from: &mut In) -> Option<NameUse> {
        let (name, scope) = (Name::take(from)?, ScopeId::take(from)?);
        let reach = match from.byte(Stream::Reaches)? {
            0 => Reach(*from.reach(name.index())),
            1 => Reach::default(),
            more => {
                let (start, count) = (from.step(Stream::BindingRuns)? as usize, usize::from(more) - 1);
                let reach = Reach::new(start, count);
                let fits = start + count <= from.limits[Stream::BindingRuns as usize] as usize;
                Some(reach).filter(|reach| fits && reach.parts() == (start, count))?
            }
        };
        *from.reach(name.index()) = reach.0;
        Some(NameUse { name, scope, reach })
    }
}
