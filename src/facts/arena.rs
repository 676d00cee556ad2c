//! Indices into the lists of one file, and runs of neighbouring items.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;

use serde::Serialize;

use super::*;

macro_rules! arena_index {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// Kept as the index and one, so that an `Option` of it is no larger: there are hundreds of thousands.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The one at this index, which an arena of fewer than 2^32 - 1 items has.
            pub const fn new(index: usize) -> $name {
                $name(NonZeroU32::MIN.saturating_add(index as u32))
            }

            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.index().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.index())
            }
        }
    )*};
}

arena_index!(
    /// A string of [`Facts::strings`].
    Name,
    /// An expression of [`Surface::expressions`].
    ExprId,
    /// A type form of [`Surface::forms`].
    FormId,
    /// A scope of [`Surface::scopes`].
    ScopeId,
    /// A binding of [`Surface::bindings`].
    BindingId,
    /// A definition of [`Surface::definitions`].
    DefId,
    /// A function of [`Surface::functions`], named or not.
    FunctionId,
    /// A class of [`Surface::classes`], named or not.
    ClassId,
    /// An object literal of [`Surface::objects`].
    ObjectId,
    /// An import of [`Surface::imports`].
    ImportId,
    /// A call of [`Surface::calls`].
    CallId,
    /// A test of [`Surface::tests`].
    TestId,
);

impl ScopeId {
    /// The module's scope.
    pub const MODULE: ScopeId = ScopeId::new(0);
}

/// Some neighbouring items of a list that all of one file share; [`Facts::run`] gives them.
pub struct Run<T> {
    pub(super) start: u32,
    pub(super) count: u32,
    pub(super) items: PhantomData<fn() -> T>,
}

impl<T> Run<T> {
    pub(super) const EMPTY: Run<T> = Run { start: 0, count: 0, items: PhantomData };

    pub fn len(self) -> usize {
        self.count as usize
    }

    pub fn is_empty(self) -> bool {
        self.count == 0
    }

    /// Adds items to the list.
    pub(super) fn add(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Run<T> {
        let start = list.len();
        list.extend(items);
        match list.len() - start {
            0 => Run::EMPTY,
            count => Run { start: start as u32, count: count as u32, items: PhantomData },
        }
    }

    pub(super) fn of(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.count as usize]
    }
}

impl<T> Clone for Run<T> {
    fn clone(&self) -> Run<T> {
        *self
    }
}

impl<T> Copy for Run<T> {}

impl<T> Default for Run<T> {
    fn default() -> Run<T> {
        Run::EMPTY
    }
}

impl<T> PartialEq for Run<T> {
    fn eq(&self, other: &Run<T>) -> bool {
        (self.start, self.count) == (other.start, other.count)
    }
}

impl<T> fmt::Debug for Run<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Run({}..{})", self.start, self.start + self.count)
    }
}

/// What runs are of.
pub trait Listed: Copy {
    /// The list of a file that runs of this are in.
    fn list(surface: &Surface) -> &Vec<Self>;
    fn list_mut(surface: &mut Surface) -> &mut Vec<Self>;
}

macro_rules! listed {
    ($($item:ty, $list:ident;)*) => {$(
        impl Listed for $item {
            fn list(surface: &Surface) -> &Vec<$item> {
                &surface.$list
            }

            fn list_mut(surface: &mut Surface) -> &mut Vec<$item> {
                &mut surface.$list
            }
        }
    )*};
}

listed! {
    ExprId, listed_expressions;
    BindingId, listed_bindings;
    FormId, listed_forms;
    Argument, arguments;
}
