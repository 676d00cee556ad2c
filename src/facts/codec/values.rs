//! Numbers, places, texts and lists, as bytes.

use super::Coded;
use super::streams::{In, Out, Stream, unzigzag, zigzag};
use crate::facts::*;

impl Coded for u32 {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Numbers, *self);
    }

    fn take(from: &mut In) -> Option<u32> {
        from.number(Stream::Numbers)
    }
}

impl Coded for i32 {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Numbers, zigzag(*self));
    }

    fn take(from: &mut In) -> Option<i32> {
        from.number(Stream::Numbers).map(unzigzag)
    }
}

/// All that are this large are digests.
impl Coded for u64 {
    fn put(&self, out: &mut Out) {
        out.bytes(Stream::Digests, &self.to_le_bytes());
    }

    fn take(from: &mut In) -> Option<u64> {
        Some(u64::from_le_bytes(from.bytes(Stream::Digests, 8)?.try_into().ok()?))
    }
}

impl Coded for Fingerprint {
    fn put(&self, out: &mut Out) {
        out.byte(Stream::Flags, u8::from(self.0 != 0));
        if self.0 != 0 {
            out.bytes(Stream::Digests, &self.0.to_le_bytes());
        }
    }

    fn take(from: &mut In) -> Option<Fingerprint> {
        match from.byte(Stream::Flags)? {
            0 => Some(Fingerprint::default()),
            1 => Some(Fingerprint(u32::from_le_bytes(from.bytes(Stream::Digests, 4)?.try_into().ok()?))),
            _ => None,
        }
    }
}

impl Coded for bool {
    fn put(&self, out: &mut Out) {
        out.byte(Stream::Flags, u8::from(*self));
    }

    fn take(from: &mut In) -> Option<bool> {
        match from.byte(Stream::Flags)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Coded for Flags {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Variants, self.0);
    }

    fn take(from: &mut In) -> Option<Flags> {
        from.number(Stream::Variants).map(Flags)
    }
}

impl Coded for Place {
    fn put(&self, out: &mut Out) {
        out.step(Stream::Lines, self.line);
        out.number(Stream::Columns, self.column);
    }

    fn take(from: &mut In) -> Option<Place> {
        Some(Place { line: from.step(Stream::Lines)?, column: from.number(Stream::Columns)? })
    }
}

impl Coded for DefinitionPlace {
    fn put(&self, out: &mut Out) {
        self.name.put(out);
        out.number(Stream::Extents, self.name.line.wrapping_sub(self.first));
        out.number(Stream::Extents, self.last.wrapping_sub(self.name.line));
    }

    fn take(from: &mut In) -> Option<DefinitionPlace> {
        let name = Place::take(from)?;
        let first = name.line.wrapping_sub(from.number(Stream::Extents)?);
        let last = name.line.wrapping_add(from.number(Stream::Extents)?);
        Some(DefinitionPlace { name, first, last })
    }
}

impl Coded for Strings {
    fn put(&self, out: &mut Out) {
        for string in self.iter() {
            out.number(Stream::Lengths, string.len() as u32);
        }
        out.bytes(Stream::Text, self.joined().as_bytes());
    }

    fn take(from: &mut In) -> Option<Strings> {
        let count = from.hold(from.limits[Stream::Names as usize] as usize)?;
        let lengths: Vec<u32> = (0..count).map(|_| from.number(Stream::Lengths)).collect::<Option<_>>()?;
        let size = lengths.iter().try_fold(0u32, |sum, length| sum.checked_add(*length))?;
        let text = str::from_utf8(from.bytes(Stream::Text, size as usize)?).ok()?;
        Strings::cut(text, &lengths)
    }
}

impl Coded for Box<str> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Lengths, self.len() as u32);
        out.bytes(Stream::Text, self.as_bytes());
    }

    fn take(from: &mut In) -> Option<Box<str>> {
        let length = from.number(Stream::Lengths)?;
        str::from_utf8(from.bytes(Stream::Text, length as usize)?).ok().map(Box::from)
    }
}

/// A sketch.
impl Coded for Box<[u16]> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Counts, self.len() as u32);
        for value in self {
            out.bytes(Stream::Digests, &value.to_le_bytes());
        }
    }

    fn take(from: &mut In) -> Option<Box<[u16]>> {
        let count = from.count()?;
        let bytes = from.bytes(Stream::Digests, count * 2)?;
        Some(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Counts, self.len() as u32);
        for item in self {
            item.put(out);
        }
    }

    fn take(from: &mut In) -> Option<Vec<T>> {
        let count = from.count()?;
        (0..count).map(|_| T::take(from)).collect()
    }
}

impl<T: Coded> Coded for Box<[T]> {
    fn put(&self, out: &mut Out) {
        out.number(Stream::Counts, self.len() as u32);
        for item in self {
            item.put(out);
        }
    }

    fn take(from: &mut In) -> Option<Box<[T]>> {
        Vec::take(from).map(Vec::into_boxed_slice)
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Out) {
        T::put_optional(self.as_ref(), out);
    }

    fn take(from: &mut In) -> Option<Option<T>> {
        T::take_optional(from)
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn put(&self, out: &mut Out) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut In) -> Option<(A, B)> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<A: Coded, B: Coded, C: Coded> Coded for (A, B, C) {
    fn put(&self, out: &mut Out) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn take(from: &mut In) -> Option<(A, B, C)> {
        Some((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}
