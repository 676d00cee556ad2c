//! The tokens of a text, to tell whether two pieces of code say the same, or nearly the same.
//!
//! A language pushes its tokens in order, without comments and white space; a digest of any range of the text is then
//! one subtraction, however deeply definitions are nested. Knows no language.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::facts::Fingerprint;

/// Values in a sketch.
const SKETCH_SIZE: usize = 8;
/// Fewest tokens in a body that has a sketch; shorter ones resemble each other by chance.
const SKETCH_MIN_TOKENS: usize = 16;
/// Most tokens of a body that a sketch covers.
const SKETCH_MAX_TOKENS: usize = 4_000;
/// Tokens in a shingle: order counts, not only vocabulary.
const SHINGLE: usize = 3;

/// A Mersenne prime, so that a polynomial over tokens can be computed for every prefix.
const MODULUS: u64 = (1 << 61) - 1;
/// The base of the polynomial; any large number below the modulus.
const BASE: u64 = 0x0b5a_2f93_6d1c_4e87;

/// The tokens of one text, in order.
#[derive(Default)]
pub struct Tokens {
    starts: Vec<u32>,
    hashes: Vec<u64>,
    /// `prefixes[i]` is the polynomial over the first `i` tokens.
    prefixes: Vec<u64>,
    /// `powers[i]` is `BASE` to the `i`-th.
    powers: Vec<u64>,
}

impl Tokens {
    pub fn with_capacity(tokens: usize) -> Tokens {
        let mut new = Tokens {
            starts: Vec::with_capacity(tokens),
            hashes: Vec::with_capacity(tokens),
            prefixes: Vec::with_capacity(tokens + 1),
            powers: Vec::with_capacity(tokens + 1),
        };
        new.prefixes.push(0);
        new.powers.push(1);
        new
    }

    /// Adds the next token; `start` is its byte offset.
    pub fn push(&mut self, start: usize, token: &[u8]) {
        self.push_hash(start, hash(token));
    }

    /// Adds a token that was hashed by the caller.
    pub fn push_hash(&mut self, start: usize, hash: u64) {
        let hash = hash % MODULUS;
        if self.prefixes.is_empty() {
            self.prefixes.push(0);
            self.powers.push(1);
        }
        let prefix = add(multiply(self.prefixes[self.hashes.len()], BASE), hash);
        let power = multiply(self.powers[self.hashes.len()], BASE);
        self.starts.push(start as u32);
        self.hashes.push(hash);
        self.prefixes.push(prefix);
        self.powers.push(power);
    }

    /// The tokens that start in a range of bytes.
    fn within(&self, range: Range<usize>) -> Range<usize> {
        let from = self.starts.partition_point(|&start| (start as usize) < range.start);
        let to = self.starts.partition_point(|&start| (start as usize) < range.end);
        from..to.max(from)
    }

    /// A digest of the tokens that start in these ranges of bytes, one after the other. Equal for equal tokens wherever
    /// they stand; 0 when there are none.
    pub fn digest(&self, ranges: &[Range<usize>]) -> Fingerprint {
        let mut value = 0;
        let mut length = 0;
        for range in ranges {
            let tokens = self.within(range.clone());
            if tokens.is_empty() {
                continue;
            }
            let shifted = multiply(self.prefixes[tokens.start], self.powers[tokens.len()]);
            let part = add(self.prefixes[tokens.end], MODULUS - shifted);
            value = add(multiply(value, self.powers[tokens.len()]), part);
            length += tokens.len() as u64;
        }
        Fingerprint::of(if length == 0 { 0 } else { value ^ (length << 32) })
    }

    /// A min-hash over the tokens that start in a range of bytes; empty for few tokens. The share of equal positions in
    /// two sketches estimates how much of their shingles the bodies share (one permutation, densified by rotation).
    pub fn sketch(&self, range: Range<usize>) -> Box<[u16]> {
        let tokens = self.within(range);
        if tokens.len() < SKETCH_MIN_TOKENS {
            return Box::default();
        }
        let tokens = &self.hashes[tokens][..];
        let tokens = &tokens[..tokens.len().min(SKETCH_MAX_TOKENS)];
        let mut least = [u64::MAX; SKETCH_SIZE];
        for shingle in tokens.windows(SHINGLE) {
            let mixed = shingle.iter().fold(0u64, |mixed, token| mix(mixed ^ token));
            let bucket = (mixed >> 60) as usize % SKETCH_SIZE;
            least[bucket] = least[bucket].min(mixed & (u64::MAX >> 4));
        }
        (0..SKETCH_SIZE)
            .map(|at| {
                let filled = (0..SKETCH_SIZE).map(|step| least[(at + step) % SKETCH_SIZE]);
                let value = filled.clone().find(|&value| value != u64::MAX).unwrap_or_default();
                (mix(value) >> 48) as u16
            })
            .collect()
    }
}

/// The hash of one token: the same on every machine.
pub fn hash(token: &[u8]) -> u64 {
    let mut hash = token.len() as u64;
    let mut chunks = token.chunks_exact(8);
    for chunk in &mut chunks {
        hash = mix(hash ^ u64::from_le_bytes(chunk.try_into().expect("a chunk has 8 bytes")));
    }
    let mut last = [0; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    mix(hash ^ u64::from_le_bytes(last))
}

/// A digest of the words of a text, such as a documentation, however it is indented; 0 when there are none.
pub fn text_digest(text: &str) -> Fingerprint {
    let mut sha = Sha256::new();
    let mut words = text.split_whitespace().peekable();
    if words.peek().is_none() {
        return Fingerprint::default();
    }
    for word in words {
        sha.update(word.as_bytes());
        sha.update([0]);
    }
    let digest = sha.finalize();
    Fingerprint::of(u64::from_be_bytes(digest[..8].try_into().expect("SHA-256 has 32 bytes")))
}

/// The finalizer of splitmix64.
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add((product & u128::from(MODULUS)) as u64, (product >> 61) as u64)
}

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(words: &[&str]) -> Tokens {
        let mut tokens = Tokens::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            tokens.push(at, word.as_bytes());
        }
        tokens
    }

    #[test]
    fn a_digest_depends_on_the_tokens_and_not_on_where_they_stand() {
        let a = tokens(&["x", "return", "a", "+", "b"]);
        let b = tokens(&["return", "a", "+", "b", "y"]);
        assert_eq!(a.digest(&[1..5]), b.digest(&[0..4]));
        assert_eq!(a.digest(&[1..3, 3..5]), b.digest(&[0..4]));
        assert_ne!(a.digest(&[1..5]), a.digest(&[1..4]));
        assert_ne!(a.digest(&[2..3]), a.digest(&[4..5]));
        assert_eq!(a.digest(&[5..9]), Fingerprint::default());
    }

    #[test]
    fn a_sketch_changes_little_when_little_changes() {
        let words: Vec<String> = (0..200).map(|n| format!("w{}", n * n)).collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let before = tokens(&words).sketch(0..200);
        words[7] = "other";
        let after = tokens(&words).sketch(0..200);
        let equal = before.iter().zip(&after).filter(|(a, b)| a == b).count();
        assert!(equal >= 7, "{equal} of 8 are equal");
        words.reverse();
        let reversed = tokens(&words).sketch(0..200);
        assert!(before.iter().zip(&reversed).filter(|(a, b)| a == b).count() < 3);
        assert!(tokens(&words[..10]).sketch(0..10).is_empty());
    }
}
