//! Text as parsers want it: UTF-8, no byte-order mark, `\n` or `\r\n` as line ends; and single lines for people.
//!
//! Knows no language.

use std::borrow::Cow;

use crate::facts::{DOC_CHARACTERS, Facts, Place, SIGNATURE_BYTES};

/// The text of a blob.
///
/// A byte-order mark is left out (columns count from behind it), UTF-16 with one is converted, a lone `\r` becomes
/// `\n` (tree-sitter would give a wrong tree without an error), and each byte that is not UTF-8 becomes a `?`, so that
/// what follows keeps its column.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        _ => utf8(bytes),
    };
    if has_lone_return(text.as_bytes()) { Cow::Owned(without_lone_returns(&text)) } else { text }
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Cow::Owned(out)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn has_lone_return(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\r', &bytes[at..]) {
        at += found + 1;
        if bytes.get(at) != Some(&b'\n') {
            return true;
        }
    }
    false
}

fn without_lone_returns(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let lone = c == '\r' && chars.peek() != Some(&'\n');
        out.push(if lone { '\n' } else { c });
    }
    out
}

/// Number of lines: an empty text has one, and a final line end begins no further line.
pub fn line_count(text: &str) -> u32 {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let open = usize::from(!text.ends_with('\n'));
    u32::try_from(ends + open).unwrap_or(u32::MAX).max(1)
}

/// One line for a signature: white space folded, control and bidirectional characters left out, at most
/// [`SIGNATURE_BYTES`].
pub fn signature_line(text: &str) -> Box<str> {
    let mut out = String::with_capacity(text.len().min(SIGNATURE_BYTES));
    fold(text, &mut out, |out| out.len() < SIGNATURE_BYTES);
    while out.len() > SIGNATURE_BYTES {
        out.pop();
    }
    out.truncate(out.trim_end().len());
    out.into()
}

/// One line for a documentation text, at most [`DOC_CHARACTERS`] characters.
pub fn doc_line(line: &str) -> Box<str> {
    let mut out = String::new();
    let mut left = DOC_CHARACTERS;
    fold(line, &mut out, |_| {
        left = left.saturating_sub(1);
        left > 0
    });
    out.truncate(out.trim_end().len());
    out.into()
}

/// Copies characters, white space folded to one blank, while `more` holds before the next.
fn fold(text: &str, out: &mut String, mut more: impl FnMut(&String) -> bool) {
    let mut blank = false;
    for c in text.trim().chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if c.is_control() || is_bidirectional(c) {
            continue;
        }
        if std::mem::take(&mut blank) && !out.is_empty() {
            out.push(' ');
            if !more(out) {
                return;
            }
        }
        out.push(c);
        if !more(out) {
            return;
        }
    }
}

/// Characters that change the direction of text around them: they could make a line read as what it is not
/// (<https://trojansource.codes>).
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Fills [`Places::wide`](crate::facts::Places::wide): the UTF-16 columns of definitions and references that have
/// something other than ASCII before them on their line.
pub fn note_wide_columns(facts: &mut Facts, text: &str) {
    if text.is_ascii() {
        return;
    }
    let places = &mut facts.places;
    let definitions = places.definitions.iter().map(|place| place.name);
    let mut wide: Vec<(Place, u32)> = definitions.chain(places.references.iter().copied()).map(|at| (at, 0)).collect();
    wide.sort_unstable();
    wide.dedup();
    // In the order of the text, so that each line is gone through once.
    let mut lines = text.split('\n').zip(1..);
    let mut line = lines.next();
    let (mut seen, mut units) = (0, 0);
    wide.retain_mut(|(place, column)| {
        while line.is_some_and(|(_, number)| number < place.line) {
            line = lines.next();
            (seen, units) = (0, 0);
        }
        let before = place.column.saturating_sub(1) as usize;
        let Some(further) = line.and_then(|(line, _)| line.get(seen..before)) else { return false };
        units += further.encode_utf16().count();
        seen = before;
        *column = units as u32 + 1;
        units != before
    });
    places.wide = wide;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_bytes_becomes_text_that_keeps_its_columns() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb"), "a\r\nb");
        assert_eq!(decode(b"a\rb\r\nc\r"), "a\nb\r\nc\n");
        assert_eq!(decode(b"\xff\xfea\0\n\0"), "a\n");
        assert_eq!(decode(b"\xfe\xff\0a\0\n"), "a\n");
        assert_eq!(decode(b"a\xffb\xc3"), "a?b?");
        assert!(matches!(decode(b"a\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn lines_are_counted_as_an_editor_counts_them() {
        assert_eq!([line_count(""), line_count("a"), line_count("a\n"), line_count("a\nb")], [1, 1, 1, 2]);
    }

    #[test]
    fn a_line_for_people_is_short_and_harmless() {
        assert_eq!(&*signature_line(" (a:\n   int,\u{202e} b\u{7})  "), "(a: int, b)");
        assert_eq!(signature_line(&"é".repeat(300)).len(), SIGNATURE_BYTES);
        assert_eq!(doc_line(&"a ".repeat(300)).chars().count(), DOC_CHARACTERS - 1);
        assert_eq!(doc_line(&"a".repeat(300)).chars().count(), DOC_CHARACTERS);
    }

    #[test]
    fn utf16_columns_stand_beside_byte_columns_where_they_differ() {
        let mut facts = Facts::default();
        facts.places.references = vec![Place { line: 1, column: 4 }, Place { line: 2, column: 2 }];
        note_wide_columns(&mut facts, "é x\ny z");
        assert_eq!(facts.places.wide, [(Place { line: 1, column: 4 }, 3)]);
    }
}
