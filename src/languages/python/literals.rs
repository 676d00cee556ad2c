//! Literals: the text and the numbers that can decide anything, and what stands inside f-strings.

use std::ops::Range;

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

/// Longest text of a string literal kept, in bytes.
const MAX_TEXT: usize = 80;

impl<'t> Walker<'t> {
    /// The text of a plain string literal.
    pub fn literal_text(&self, n: N) -> Option<&'t str> {
        self.literal_range(n).map(|(start, end)| self.tree.slice(start, end))
    }

    /// The byte offsets between the quotes of a plain string literal: no bytes, nothing interpolated or escaped.
    pub fn literal_range(&self, n: N) -> Option<(u32, u32)> {
        let n = self.bare(n);
        if self.kind(n) != Kind::String {
            return None;
        }
        let text = self.text(n);
        let (prefix, content) = content(text)?;
        let plain = prefix.bytes().all(|letter| matches!(letter, b'r' | b'R' | b'u' | b'U'));
        if !plain || text.contains('\\') {
            return None;
        }
        let start = self.tree.start(n);
        Some((start + content.start as u32, start + content.end as u32))
    }

    pub fn is_bytes(&self, string: N) -> bool {
        self.text(string).bytes().take_while(u8::is_ascii_alphabetic).any(|letter| matches!(letter, b'b' | b'B'))
    }

    pub fn string(&mut self, n: N) -> ExprId {
        let literal = match self.literal_text(n) {
            Some(text) if may_matter(text) => Literal::Text(self.name_of(text)),
            _ if self.is_bytes(n) => Literal::Bytes,
            _ => {
                self.interpolations(n);
                Literal::Interpolated
            }
        };
        self.literal(literal)
    }

    /// Walks the expressions inside an f-string.
    pub fn interpolations(&mut self, n: N) {
        for child in self.children(n) {
            match self.kind(child) {
                Kind::Interpolation => {
                    for part in self.named(child) {
                        self.visit(part);
                    }
                }
                Kind::String => self.interpolations(child),
                _ => {}
            }
        }
    }
}

/// The prefix of a string literal and where its content lies between the quotes; `None` when it has no end.
pub(super) fn content(literal: &str) -> Option<(&str, Range<usize>)> {
    let (prefix, quoted) = literal.split_at(literal.find(['"', '\''])?);
    let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    let content = prefix.len() + quotes..literal.len().checked_sub(quotes)?;
    (content.start <= content.end).then_some((prefix, content))
}

/// Whether the text of a literal can decide anything: a name, a dotted path, a list of names.
pub(super) fn may_matter(text: &str) -> bool {
    text.len() <= MAX_TEXT && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.,:- /".contains(&byte))
}

/// The value of an integer literal; one that is too large is the largest.
pub(super) fn integer(text: &str) -> Literal {
    if text.ends_with(['j', 'J']) {
        return Literal::Complex;
    }
    let digits = text.trim_end_matches(['l', 'L']).replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ => (&digits[..], 10),
    };
    Literal::Integer(i32::from_str_radix(digits, radix).unwrap_or(i32::MAX))
}
