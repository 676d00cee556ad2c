//! Documentation comments: their first line, and in JavaScript the types in them
//! (<https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html>).
//!
//! The type texts of all comments are put together, one a line, and read with the TypeScript grammar in one parse beside
//! the file's own; a form is made from that tree when what the comment documents is reached.

use rustc_hash::FxHashMap;
use tree_sitter::Tree;

use super::kinds::{Field, Grammar, Kind};
use super::walk::*;
use crate::facts::*;
use crate::languages::text;

/// Longest type text that is read, in bytes.
const MAX_TYPE_BYTES: usize = 2_000;

/// The first line of a documentation comment that is not a tag.
pub(super) fn first_line(comment: &str) -> Box<str> {
    let inner = comment.strip_prefix("/**").unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut lines = inner.lines().map(|line| line.trim().trim_start_matches('*').trim());
    match lines.find(|line| !line.is_empty()) {
        Some(line) if !line.starts_with('@') => text::doc_line(line),
        _ => Box::default(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TagKind {
    Type,
    Parameter,
    Result,
    This,
    Base,
    Implements,
    Typedef,
}

/// A tag with a type.
struct Tag {
    kind: TagKind,
    /// What it speaks of: the name of a parameter or type definition.
    name: String,
    /// `@param {T} [x]`, `@param {T=} x`
    optional: bool,
    /// Its line in [`Types::text`].
    line: usize,
    /// Where the type stands in the file.
    place: Place,
}

/// The types in the comments of a file.
#[derive(Default)]
pub(super) struct Types {
    /// One `type _ = …;` a line.
    pub(super) text: String,
    lines: usize,
    /// The tags of each comment, by its byte offset.
    tags: FxHashMap<usize, Vec<Tag>>,
}

impl Types {
    pub(super) fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Finds the typed tags of a JavaScript text.
    pub(super) fn of(text: &str) -> Types {
        let mut types = Types::default();
        let mut counted = Counted { offset: 0, line: 1, line_start: 0 };
        for (start, _) in text.match_indices("/**") {
            let Some(length) = text[start..].find("*/") else { break };
            let comment = &text[start..start + length];
            if comment.contains('{') && comment.contains('@') {
                types.read_comment(text, start, comment, &mut counted);
            }
        }
        types
    }

    fn read_comment(&mut self, text: &str, start: usize, comment: &str, counted: &mut Counted) {
        for (at, _) in comment.match_indices('@') {
            let tag = &comment[at + 1..];
            let word = tag.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            let kind = match word {
                "type" | "satisfies" => TagKind::Type,
                "param" | "arg" | "argument" => TagKind::Parameter,
                "returns" | "return" => TagKind::Result,
                "this" => TagKind::This,
                "extends" | "augments" => TagKind::Base,
                "implements" => TagKind::Implements,
                "typedef" => TagKind::Typedef,
                _ => continue,
            };
            let after = &tag[word.len()..];
            let Some(open) = after.find(|c: char| !c.is_whitespace()).filter(|&open| after[open..].starts_with('{'))
            else {
                continue;
            };
            let Some(inner) = braced(&after[open..]).filter(|inner| inner.len() <= MAX_TYPE_BYTES) else { continue };
            let rest = after[open + inner.len() + 2..].trim_start();
            let offset = start + at + 1 + word.len() + open + 1;
            let place = counted.place(text, offset);
            let (written, optional) = type_text(inner);
            let bracketed = rest.starts_with('[');
            let name: String = rest
                .trim_start_matches('[')
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
                .collect();
            let line = self.lines;
            self.lines += 1;
            self.text.push_str("type _ = ");
            self.text.push_str(&written);
            self.text.push_str(";\n");
            let tag = Tag { kind, name, optional: optional || bracketed, line, place };
            self.tags.entry(start).or_default().push(tag);
        }
    }
}

/// How far lines were counted.
struct Counted {
    offset: usize,
    line: u32,
    line_start: usize,
}

impl Counted {
    /// Line and column of an offset behind all that were asked for before.
    fn place(&mut self, text: &str, offset: usize) -> Place {
        for (at, byte) in text.bytes().enumerate().take(offset).skip(self.offset) {
            if byte == b'\n' {
                self.line += 1;
                self.line_start = at + 1;
            }
        }
        self.offset = offset;
        Place { line: self.line, column: (offset - self.line_start) as u32 + 1 }
    }
}

/// What stands between the brace that a text begins with and its partner.
fn braced(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return text.get(1..at);
                }
            }
            _ => {}
        }
    }
    None
}

/// A type of JSDoc as one of TypeScript, on one line; and whether it is marked as optional.
fn type_text(written: &str) -> (String, bool) {
    let lines = written.lines().map(|line| line.trim().trim_start_matches('*').trim());
    let joined = lines.collect::<Vec<_>>().join(" ");
    let mut text = joined.trim().replace(".<", "<").replace('!', "");
    let optional = text.ends_with('=');
    if optional {
        text.pop();
    }
    if let Some(rest) = text.strip_prefix("...") {
        text = format!("{rest}[]");
    }
    if let Some(rest) = text.strip_prefix("function(")
        && let Some((parameters, result)) = rest.split_once(')')
    {
        let parameters: Vec<String> = parameters
            .split(',')
            .filter(|parameter| !parameter.trim().is_empty())
            .enumerate()
            .map(|(at, parameter)| format!("a{at}: {}", parameter.trim()))
            .collect();
        let result = result.trim().strip_prefix(':').map_or("any", str::trim);
        text = format!("({}) => {result}", parameters.join(", "));
    }
    let text = match &*text {
        "Object" | "object" | "*" | "Function" | "function" => "any".to_owned(),
        _ => text,
    };
    (text, optional)
}

/// The types of a file with their tree, as the walk uses them.
#[derive(Default)]
pub(super) struct Comments<'t> {
    source: Option<Source<'t>>,
    tags: Option<&'t FxHashMap<usize, Vec<Tag>>>,
    /// The type on each line of the text.
    nodes: FxHashMap<usize, Kid<'t>>,
}

impl<'t> Walk<'t> {
    /// Gives the walk the types in the file's comments.
    pub(super) fn with_types(mut self, types: &'t Types, tree: &'t Tree) -> Walk<'t> {
        let source = Source { text: &types.text, grammar: Grammar::typescript() };
        let around = std::mem::replace(&mut self.source, source);
        let kids = self.open(tree.root_node());
        for at in kids.all() {
            let kid = self.kid(at);
            if kid.kind == Kind::TypeAliasDeclaration
                && !kid.node.has_error()
                && let Some(value) = self.child(kid.node, Field::Value)
            {
                let value = self.lone(value);
                self.comments.nodes.insert(kid.node.start_position().row, value);
            }
        }
        self.close(kids);
        self.source = around;
        self.comments.source = Some(source);
        self.comments.tags = Some(&types.tags);
        self.forget_problems();
        self
    }

    fn tags(&self, doc: Doc) -> &'t [Tag] {
        let (Some(tags), Some(at)) = (self.comments.tags, doc.0.checked_sub(1)) else { return &[] };
        tags.get(&self.docs[at as usize].start).map_or(&[], |tags| &tags[..])
    }

    /// The form of a tag's type; its names are used where the tag stands.
    fn tag_form(&mut self, tag: &Tag) -> Option<FormId> {
        let kid = *self.comments.nodes.get(&tag.line)?;
        let source = self.comments.source?;
        let around = std::mem::replace(&mut self.source, source);
        let place = self.fixed_place.replace(tag.place);
        let form = self.form(kid);
        self.fixed_place = place;
        self.source = around;
        Some(form)
    }

    fn tag_of(&mut self, doc: Doc, kind: TagKind) -> Option<FormId> {
        let tag = self.tags(doc).iter().find(|tag| tag.kind == kind)?;
        self.tag_form(tag)
    }

    /// `@type {T}`
    pub(super) fn jsdoc_type(&mut self, doc: Doc) -> Option<FormId> {
        self.tag_of(doc, TagKind::Type)
    }

    /// `@returns {T}`
    pub(super) fn jsdoc_result(&mut self, doc: Doc) -> Option<FormId> {
        self.tag_of(doc, TagKind::Result)
    }

    /// `@param {T} name`; a destructured parameter is found by its position.
    pub(super) fn jsdoc_parameter(&mut self, doc: Doc, name: Name, index: u32) -> (Option<FormId>, bool) {
        let tags = self.tags(doc);
        if tags.is_empty() {
            return (None, false);
        }
        let text = self.b.read().text(name);
        // `@param {string} options.name` describes a part of the one before.
        let mut parameters = tags.iter().filter(|tag| tag.kind == TagKind::Parameter && !tag.name.contains('.'));
        let tag = match text {
            "" => parameters.nth(index as usize),
            _ => parameters.find(|tag| tag.name == text),
        };
        match tag {
            Some(tag) => (self.tag_form(tag), tag.optional),
            None => (None, false),
        }
    }

    /// `@this {T}`
    pub(super) fn jsdoc_this(&mut self, doc: Doc) -> Option<FormId> {
        self.tag_of(doc, TagKind::This)
    }

    /// `@extends {Base<T>}` tells more than the `extends` that it stands over.
    pub(super) fn jsdoc_base(&mut self, doc: Doc) -> Option<FormId> {
        self.tag_of(doc, TagKind::Base)
    }

    /// `@implements {I}`
    pub(super) fn jsdoc_implements(&mut self, doc: Doc) -> Vec<FormId> {
        let tags = self.tags(doc).iter().filter(|tag| tag.kind == TagKind::Implements);
        tags.filter_map(|tag| self.tag_form(tag)).collect()
    }

    /// `@typedef {T} Name`, wherever in the file: a type that only the engine needs.
    pub(super) fn typedefs(&mut self, root: Kid<'t>) {
        let Some(tags) = self.comments.tags else { return };
        let mut found: Vec<&Tag> = tags.values().flatten().filter(|tag| tag.kind == TagKind::Typedef).collect();
        found.sort_by_key(|tag| tag.line);
        for tag in found {
            if tag.name.is_empty() {
                continue;
            }
            let name = self.b.name(&tag.name);
            let flags = Flags::HIDDEN;
            let new = New { name, kind: DefKind::Symbol, parent: None, at: root.node, whole: root.node, flags };
            let def = self.define(new);
            self.b.bind(name, Value::Definition(def), None, Some(def), Space::Type);
            let form = self.tag_form(tag);
            self.definition(def).alias = form;
            self.b.export(Export { name, value: ExportValue::Local(name), type_only: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_a_comment_is_its_first_sentence_line() {
        assert_eq!(&*first_line("/** One. */"), "One.");
        assert_eq!(&*first_line("/**\n * Two\n * lines\n */"), "Two");
        assert_eq!(&*first_line("/**\n * @param {a} b\n */"), "");
    }

    #[test]
    fn types_of_jsdoc_are_written_as_typescript_has_them() {
        let texts = ["!Foo", "Array.<Foo>", "function(A, B): C", "...Foo", "Foo=", "{a: {b: C}}", "A |\n * B"];
        let read: Vec<String> = texts.iter().map(|text| type_text(text).0).collect();
        assert_eq!(read, ["Foo", "Array<Foo>", "(a0: A, a1: B) => C", "Foo[]", "Foo", "{a: {b: C}}", "A | B"]);
        let types = Types::of("/**\n * @param {{a: B}} [c] d\n * @returns {E}\n */\nfunction f(c) {}");
        assert_eq!(types.text, "type _ = {a: B};\ntype _ = E;\n");
        let tags = &types.tags[&0];
        assert!(tags[0].optional && tags[0].name == "c" && tags[0].place == Place { line: 2, column: 12 });
    }
}
