//! Parts of facts that may still be encoded.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::streams::{In, Limits, STREAMS, take_number};
use super::{BACK, SECTIONS, take_limits};

/// A part of facts. One that was stored is decoded when it is first looked at.
pub struct Deferred<T> {
    value: OnceLock<T>,
    /// Where it is decoded from; nothing where it was made.
    stored: Option<Arc<Stored>>,
}

/// What is stored as a section of its own.
pub trait Section: Default {
    /// Decodes it; `None` when it is damaged.
    fn of(stored: &Stored) -> Option<Self>;
}

/// What the bytes of stored facts begin with.
pub(super) struct Heading {
    limits: Limits,
    pub sections: [Range<usize>; SECTIONS],
}

impl Heading {
    pub fn of(bytes: &[u8]) -> Option<Heading> {
        let mut rest = bytes;
        let mut limits = [0; STREAMS];
        take_limits(&mut rest, &mut limits)?;
        let mut lengths = [0; SECTIONS];
        for length in &mut lengths {
            *length = take_number(&mut rest)? as usize;
        }
        let mut start = bytes.len() - rest.len();
        let mut sections = lengths.map(|_| 0..0);
        for (section, length) in sections.iter_mut().zip(lengths) {
            *section = start..start.checked_add(length)?;
            start = section.end;
        }
        Some(Heading { limits, sections })
    }
}

/// The bytes of stored facts.
pub struct Stored {
    heading: Heading,
    front: Vec<u8>,
    /// `None`: it is damaged.
    back: OnceLock<Option<Vec<u8>>>,
    read_back: Box<dyn Fn() -> Option<Vec<u8>> + Send + Sync>,
    /// A section was no such section.
    is_damaged: AtomicBool,
}

impl Stored {
    pub(super) fn new(
        front: Vec<u8>,
        read_back: impl Fn() -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Option<Stored> {
        let heading = Heading::of(&front)?;
        let (back, is_damaged, read_back) = (OnceLock::new(), AtomicBool::new(false), Box::new(read_back));
        (heading.sections[BACK].start == front.len()).then(|| Stored { heading, front, back, read_back, is_damaged })
    }

    /// Reads one section, all of it.
    pub(super) fn section<T>(&self, number: usize, take: impl FnOnce(&mut In) -> Option<T>) -> Option<T> {
        let Heading { limits, sections } = &self.heading;
        let Range { start, end } = sections[number].clone();
        let bytes = match number < BACK {
            true => &self.front[start..end],
            false => self.back()?.get(start - self.front.len()..end - self.front.len())?,
        };
        let mut from = In::new(bytes, limits)?;
        take(&mut from).filter(|_| from.is_done())
    }

    fn back(&self) -> Option<&[u8]> {
        let length = self.heading.sections[SECTIONS - 1].end - self.front.len();
        let read = || (self.read_back)().filter(|back| back.len() == length);
        self.back.get_or_init(read).as_deref()
    }
}

impl<T: Section> Deferred<T> {
    /// A part of stored facts, decoded now or later.
    pub(super) fn take(stored: &Arc<Stored>, now: bool) -> Option<Deferred<T>> {
        match now {
            true => Some(Deferred { value: OnceLock::from(T::of(stored)?), stored: None }),
            false => Some(Deferred { value: OnceLock::new(), stored: Some(stored.clone()) }),
        }
    }

    /// What it is, if that was looked at or needs no decoding.
    pub(super) fn known(&self) -> Option<&T> {
        self.value.get()
    }

    fn decode(&self) -> T {
        let Some(stored) = &self.stored else { return T::default() };
        T::of(stored).unwrap_or_else(|| {
            stored.is_damaged.store(true, Ordering::Relaxed);
            T::default()
        })
    }
}

impl<T> Deferred<T> {
    /// Whether no part of the same facts was found to be damaged.
    pub(super) fn is_intact(&self) -> bool {
        self.stored.as_ref().is_none_or(|stored| !stored.is_damaged.load(Ordering::Relaxed))
    }
}

impl<T: Section> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(|| self.decode())
    }
}

impl<T: Section> DerefMut for Deferred<T> {
    fn deref_mut(&mut self) -> &mut T {
        if self.value.get().is_none() {
            self.value = OnceLock::from(self.decode());
        }
        self.value.get_mut().expect("it was decoded just now")
    }
}

impl<T: Section> Default for Deferred<T> {
    fn default() -> Deferred<T> {
        Deferred { value: OnceLock::from(T::default()), stored: None }
    }
}

impl<T: Section + Clone> Clone for Deferred<T> {
    fn clone(&self) -> Deferred<T> {
        Deferred { value: OnceLock::from(T::clone(self)), stored: None }
    }
}

impl<T: Section + PartialEq> PartialEq for Deferred<T> {
    fn eq(&self, other: &Deferred<T>) -> bool {
        **self == **other
    }
}

impl<T: Section + fmt::Debug> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
