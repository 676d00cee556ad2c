//! Values under numbers: each value once, found by its number or by itself. Knows nothing of what it holds.

use std::borrow::Borrow;
use std::hash::{BuildHasher as _, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A list of values, each once. The table that finds them holds numbers alone, so a value is in memory once: there are
/// hundreds of thousands.
pub(super) struct Interner<T> {
    values: Vec<T>,
    numbers: HashTable<u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { values: Vec::new(), numbers: HashTable::new() }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The value of a number that was given out.
    pub fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// How many numbers were given out; the next one.
    pub fn len(&self) -> u32 {
        self.values.len() as u32
    }

    /// The number of a value that is there.
    pub fn find<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        self.numbers.find(hash(value), |&number| self.get(number).borrow() == value).copied()
    }

    /// The number of a value, which is added when it is new.
    pub fn intern(&mut self, value: T) -> u32 {
        let Interner { values, numbers } = self;
        let next = values.len() as u32;
        let of = |number: &u32| &values[*number as usize];
        let number = *numbers
            .entry(hash(&value), |number| *of(number) == value, |number| hash(of(number)))
            .or_insert(next)
            .get();
        if number == next {
            values.push(value);
        }
        number
    }

    /// Gives a number to a value that is never found by itself.
    pub fn hide(&mut self, value: T) -> u32 {
        self.values.push(value);
        self.values.len() as u32 - 1
    }

    /// Forgets all values; their numbers are given out again.
    pub fn clear(&mut self) {
        self.values.clear();
        self.numbers.clear();
    }
}

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    FxBuildHasher.hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_number_and_hidden_ones_are_not_found() {
        let mut words: Interner<Box<str>> = Interner::default();
        assert_eq!(words.hide("a".into()), 0);
        let numbers: Vec<u32> = (0..100).map(|at| words.intern(format!("{}", at % 50).into())).collect();
        assert_eq!(numbers[..50], (1..51).collect::<Vec<u32>>());
        assert_eq!(numbers[..50], numbers[50..]);
        assert_eq!((words.find("49"), words.find("a"), words.len()), (Some(50), None, 51));
        assert_eq!((&**words.get(0), &**words.get(50)), ("a", "49"));
        words.clear();
        assert_eq!((words.find("49"), words.intern("49".into())), (None, 0));
    }
}
