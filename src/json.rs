//! JSON as we print it: answers, misses and exports.
//!
//! Knows no answer. Names and texts of a repository are untrusted: what a terminal could take for a command or for a
//! change of direction is written as `\uXXXX`, which every reader of JSON reads back as the same text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

/// Whether a character must not reach a terminal as it is: C1 controls, DEL, bidirectional marks and other invisible
/// format characters.
pub fn is_unsafe(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A formatter that escapes unsafe characters and leaves the layout to another one.
struct Escaping<F>(F);

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_unsafe(c)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            write!(writer, "\\u{:04x}", u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Writes a value as one line of JSON, without the line's end.
pub fn write(out: impl Write, value: &impl Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Escaping(CompactFormatter)))?)
}

/// A value as one line of JSON, fields in their declared order.
pub fn to_string(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes, value).expect("our values have string keys, and a vector takes every byte");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// The same JSON, indented. Takes what [`to_string`] gave.
pub fn pretty(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).expect("made by to_string");
    let mut bytes = Vec::new();
    let formatter = Escaping(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter)).expect("a vector takes every byte");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Text for a terminal: line breaks stay, everything else that it could obey is written as `\uXXXX`.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            c if c.is_control() || is_unsafe(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_could_obey_is_escaped_and_reads_back_the_same() {
        let hostile = "a\u{202e}b\u{9b}2J\u{1b}[31m \"é\u{200d}\" end";
        let line = to_string(&[hostile]);
        assert_eq!(line, r#"["a\u202eb\u009b2J\u001b[31m \"é\u200d\" end"]"#);
        assert_eq!(serde_json::from_str::<Vec<String>>(&line).unwrap(), [hostile]);
        assert_eq!(serde_json::from_str::<Vec<String>>(&pretty(&line)).unwrap(), [hostile]);
        assert!(!pretty(&line).contains('\u{202e}'));
        assert_eq!(visible("é\u{1b}[2J\u{202e}\n"), "é\\u001b[2J\\u202e\n");
    }
}
