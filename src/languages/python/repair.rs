//! Recovery from an unclosed bracket, which would swallow all definitions that follow it.
//!
//! Inside brackets no line can start with `def`, `class` or another keyword of a statement. When one does, a bracket
//! before it was left open: the statement with that bracket is blanked out, so that what follows is parsed as it stands.

use std::ops::Range;

/// A text that can be parsed further than it could.
pub(super) struct Repair {
    /// The text with spaces in place of what was removed; every byte offset is as before.
    pub text: String,
    /// Byte ranges that were blanked out.
    pub removed: Vec<(u32, u32)>,
}

/// Keywords that never start a line inside brackets.
const STATEMENTS: [&str; 16] = [
    "def", "class", "@", "import", "return", "while", "try", "except", "finally", "raise", "pass", "break", "continue",
    "global", "nonlocal", "del",
];

/// Blanks out statements with an unclosed bracket; `None` when there are none.
pub(super) fn unclosed(text: &str) -> Option<Repair> {
    let bytes = text.as_bytes();
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut open = 0usize;
    // Where the logical line starts in which the first open bracket stands.
    let mut statement = 0;
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        if line_start {
            line_start = false;
            let first = at + indent(&bytes[at..]);
            if open == 0 {
                statement = at;
            } else if starts_statement(&text[first..]) {
                removed.push(statement..at);
                open = 0;
                statement = at;
            }
            at = first;
            continue;
        }
        match bytes[at] {
            b'\n' => line_start = true,
            b'\\' => at += 1,
            b'#' => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    if removed.is_empty() {
        return None;
    }
    let mut out = text.as_bytes().to_vec();
    for range in &removed {
        out[range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    let text = String::from_utf8(out).expect("whole lines were replaced by spaces");
    Some(Repair { text, removed: removed.iter().map(|range| (range.start as u32, range.end as u32 - 1)).collect() })
}

fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0c)).count()
}

fn starts_statement(line: &str) -> bool {
    let line = line.strip_prefix("async ").unwrap_or(line);
    STATEMENTS.iter().any(|keyword| {
        line.strip_prefix(keyword).is_some_and(|rest| {
            *keyword == "@" && rest.starts_with(|c: char| c.is_alphabetic())
                || *keyword != "@" && !rest.starts_with(|c: char| c.is_alphanumeric() || "_=,.()[]".contains(c))
        })
    })
}

/// The offset behind a string that starts at `at`; a string in one pair of quotes ends with its line.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let triple = bytes[at..].starts_with(&[quote; 3]);
    let mut at = if triple { at + 3 } else { at + 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if !triple => return at,
            byte if byte == quote && !triple => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
