//! The tokens of TypeScript and JavaScript text, for digests.
//!
//! Two texts that differ only in comments, white space, kind of quotes, semicolons or trailing commas have the same
//! tokens. What cannot be told from characters alone (a regular expression from a division) the walk says.

use std::borrow::Cow;
use std::ops::Range;

use crate::languages::tokens::{Tokens, hash};

/// Text that is no code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opaque {
    /// One token: a regular expression, a piece of a template.
    Whole,
    /// Text of JSX: its words.
    Words,
}

/// The tokens of a text; `opaque` is sorted by start.
pub(super) fn tokens(text: &str, opaque: &[(Range<usize>, Opaque)]) -> Tokens {
    let bytes = text.as_bytes();
    let mut tokens = Tokens::with_capacity(bytes.len() / 5);
    let mut opaque = opaque.iter().peekable();
    let mut at = 0;
    // Of each open parenthesis, whether it is left out.
    let mut parentheses: Vec<bool> = Vec::new();
    // The last byte that was no blank and no comment.
    let mut last = b';';
    while at < bytes.len() {
        while opaque.next_if(|(range, _)| range.start < at).is_some() {}
        if let Some((range, kind)) = opaque.next_if(|(range, _)| range.start == at && range.end > at) {
            let end = range.end.min(bytes.len());
            match kind {
                Opaque::Whole => tokens.push(at, &bytes[at..end]),
                Opaque::Words => words(bytes, at..end, &mut tokens),
            }
            at = end;
            last = b'_';
            continue;
        }
        let is_left_out = match bytes[at] {
            b'(' => {
                parentheses.push(is_redundant(bytes, at, last));
                parentheses.last() == Some(&true)
            }
            b')' => parentheses.pop() == Some(true),
            _ => false,
        };
        if is_left_out {
            at += 1;
            continue;
        }
        let limit = opaque.peek().map_or(bytes.len(), |(range, _)| range.start.clamp(at, bytes.len()));
        let start = at;
        at = token(bytes, at, limit, &mut tokens);
        if !bytes[start].is_ascii_whitespace() && comment(bytes, start).is_none() {
            last = bytes[at.max(1) - 1];
        }
    }
    tokens
}

/// Whether a parenthesis is one that formatters add and remove: around the only parameter of an arrow function, and
/// around JSX. `last` is the last byte of the token before.
fn is_redundant(bytes: &[u8], at: usize, last: u8) -> bool {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let rest = &bytes[at + 1..];
    let start = rest.iter().position(|byte| !is_blank(byte)).unwrap_or(rest.len());
    if rest.get(start) == Some(&b'<') {
        // Not a call, whose callee ends in a word or a closing bracket; `return` ends in a word too.
        let before = bytes[..at].trim_ascii_end();
        return !(is_word(last) || matches!(last, b')' | b']')) || before.ends_with(b"return");
    }
    let word = rest[start..].iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len() - start);
    let after = rest[start + word..].trim_ascii_start();
    let after = after.strip_prefix(b",").unwrap_or(after).trim_ascii_start();
    word > 0 && after.strip_prefix(b")").is_some_and(|after| after.trim_ascii_start().starts_with(b"=>"))
}

fn words(bytes: &[u8], range: Range<usize>, tokens: &mut Tokens) {
    let mut at = range.start;
    for word in bytes[range].split(|byte| byte.is_ascii_whitespace()) {
        if !word.is_empty() {
            tokens.push(at, word);
        }
        at += word.len() + 1;
    }
}

/// Reads one token, comment or blank at `at`, and returns where it ends; not beyond `limit`.
fn token(bytes: &[u8], at: usize, limit: usize, tokens: &mut Tokens) -> usize {
    let byte = bytes[at];
    if is_word(byte) {
        let end = end_of(bytes, at, limit, is_word);
        tokens.push(at, &bytes[at..end]);
        return end;
    }
    if byte.is_ascii_whitespace() {
        return at + 1;
    }
    if let Some(end) = comment(bytes, at) {
        return end;
    }
    match byte {
        b'"' | b'\'' => {
            let end = string_end(bytes, at);
            let inner = &bytes[at + 1..end.max(at + 1)];
            tokens.push_hash(at, string_hash(inner));
            (end + 1).min(bytes.len())
        }
        b';' => at + 1,
        b',' if before_closing(bytes, at + 1) => at + 1,
        _ => {
            tokens.push(at, &bytes[at..=at]);
            at + 1
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || byte == b'_' || byte == b'$'
}

fn end_of(bytes: &[u8], at: usize, limit: usize, holds: fn(u8) -> bool) -> usize {
    bytes[at..limit].iter().position(|&byte| !holds(byte)).map_or(limit.max(at + 1), |length| at + length)
}

/// The end of a comment that begins here.
fn comment(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..at + 2)? {
        b"//" => Some(bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)),
        b"/*" => {
            let end = bytes[at + 2..].windows(2).position(|pair| pair == b"*/");
            Some(end.map_or(bytes.len(), |length| at + 2 + length + 2))
        }
        _ => None,
    }
}

/// Where the quote that closes a string stands, or the end of its line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if byte == bytes[start] => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// `'it\'s'` and `"it's"` are the same.
fn string_hash(inner: &[u8]) -> u64 {
    let escaped = inner.windows(2).any(|pair| pair[0] == b'\\' && matches!(pair[1], b'"' | b'\''));
    if !escaped {
        return hash(inner) ^ u64::from(b'"');
    }
    let mut plain = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let [first, tail @ ..] = rest {
        match tail {
            [next, after @ ..] if *first == b'\\' => {
                if !matches!(next, b'"' | b'\'') {
                    plain.push(*first);
                }
                plain.push(*next);
                rest = after;
            }
            _ => {
                plain.push(*first);
                rest = tail;
            }
        }
    }
    hash(&plain) ^ u64::from(b'"')
}

/// Whether the next token closes a bracket.
fn before_closing(bytes: &[u8], mut at: usize) -> bool {
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
        } else if let Some(end) = comment(bytes, at) {
            at = end;
        } else {
            return matches!(byte, b')' | b']' | b'}' | b'>');
        }
    }
    false
}

/// A piece of code without its comments, for signatures.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'"' | b'\'' | b'`') {
            at = (string_end(bytes, at) + 1).min(bytes.len());
        } else if let Some(end) = comment(bytes, at) {
            out.push_str(text.get(kept..at).unwrap_or_default());
            out.push(' ');
            at = end;
            kept = end;
        } else {
            at += 1;
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Fingerprint;

    fn digest(text: &str) -> Fingerprint {
        tokens(text, &[]).digest(&[0..text.len()])
    }

    #[test]
    fn what_a_formatter_changes_changes_no_token() {
        let before = "function f(a, b) { return g('x', [a, b,],) } // end";
        let after = "/* f */ function f(a, b) {\n  return g(\"x\", [a, b]);\n}\n";
        assert_eq!(digest(before), digest(after));
        assert_eq!(digest(r"f('it\'s')"), digest("f(\"it's\")"));
        assert_ne!(digest("f(a)"), digest("f(b)"));
        assert_ne!(digest("f('a b')"), digest("f('ab')"));
        assert_ne!(digest("f('a')"), digest("f(a)"));
    }

    #[test]
    fn opaque_text_is_not_read_as_code() {
        let text = "x = /'/ + y // z";
        let regex = [(4..7, Opaque::Whole)];
        assert_ne!(tokens(text, &regex).digest(&[0..13]), tokens("x = /'/ + z", &regex).digest(&[0..13]));
        let jsx = |text: &str| tokens(text, &[(0..text.len(), Opaque::Words)]).digest(&[0..text.len()]);
        assert_eq!(jsx(" don't  go\n here "), jsx("don't go here"));
    }

    #[test]
    fn comments_leave_a_signature() {
        assert_eq!(without_comments("(a /* b */, c = '//') // d"), "(a  , c = '//')  ");
    }
}
