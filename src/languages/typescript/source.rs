//! From a text to its tree: which grammar reads it, and what no grammar of ours can read yet.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::kinds::Grammar;
use crate::names::Dialect;

/// Calls of the parser's progress callback that a text may take, beyond those that its length explains: a parser that
/// recovers from nonsense can take long. Counted, so that it is the same on every machine.
const PARSE_STEPS: usize = 200_000;
const PARSE_STEPS_PER_BYTE: usize = 4;

/// A text that was parsed.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) grammar: &'static Grammar,
}

/// Parses a text; `None` when the parser gave up.
pub(super) fn parse(dialect: Dialect, text: &str) -> Option<Parsed> {
    let grammar = match dialect {
        Dialect::Tsx => Grammar::tsx(),
        Dialect::JavaScript => Grammar::javascript(),
        _ => Grammar::typescript(),
    };
    let mut best = Parsed { tree: parse_as(grammar, text)?, grammar };
    if !best.tree.root_node().has_error() && !text.contains("using ") {
        return Some(best);
    }
    let patched = patch(text);
    if let Some(patched) = &patched
        && let Some(tree) = parse_as(grammar, patched)
        && damage(tree.root_node()) <= damage(best.tree.root_node())
    {
        best.tree = tree;
    }
    // Types in JavaScript are Flow's: <https://flow.org/en/docs/types/>.
    if dialect == Dialect::JavaScript
        && best.tree.root_node().has_error()
        && let Some(tree) = parse_as(Grammar::tsx(), patched.as_deref().unwrap_or(text))
        && damage(tree.root_node()) < damage(best.tree.root_node())
    {
        best = Parsed { tree, grammar: Grammar::tsx() };
    }
    Some(best)
}

/// Parses a text with one grammar.
pub(super) fn parse_as(grammar: &Grammar, text: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar.language).expect("the grammars' ABI is one that the library reads");
        parse_with(parser, text.as_bytes())
    })
}

thread_local! {
    /// A parser keeps its memory from one text to the next.
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

fn parse_with(parser: &mut Parser, bytes: &[u8]) -> Option<Tree> {
    let mut left = PARSE_STEPS + bytes.len() * PARSE_STEPS_PER_BYTE;
    let mut progress = |_: &tree_sitter::ParseState| match left.checked_sub(1) {
        Some(rest) => {
            left = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    if tree.is_none() {
        // What was begun would be taken up again with the next text.
        parser.reset();
    }
    tree
}

/// Bytes that a grammar could not read.
fn damage(root: Node<'_>) -> usize {
    let mut bytes = 0;
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            bytes += node.byte_range().len().max(1);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------ grammar gaps

/// A text of the same length for the parser, in which the words that the grammars do not know yet are blanked, or `None`
/// when it has none of them: `export type * from`, `import defer * as`, `import source x from`, `accessor x`,
/// `abstract override`, `in`/`out` before a type parameter, Flow's `+` before a property. `using x =` becomes
/// `const x =`, and a variable of the name `using`, which is a keyword to one of the grammars, gets another name; the
/// walk reads names from the text as it is. A member that begins a line with `<` or `in` gets the semicolon before it
/// that may be left out.
fn patch(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut changed = false;
    let mut at = 0;
    // The last thing before a word: a byte that is no white space, and the word that it ends, if it does.
    let mut before = Before::default();
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' {
            before.new_line = true;
        }
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if byte == b'/'
            && (before.new_line || at == 0 || bytes[at - 1].is_ascii_whitespace())
            && let Some(length) = comment_length(&text[at..])
        {
            at += length;
            continue;
        }
        if !is_word(byte) {
            if byte == b'<' && before.new_line && before.ends_type() && is_generic_signature(&text[at..]) {
                changed |= semicolon(&mut bytes, at);
            }
            // Flow's variance, `{ +name: T }`.
            if matches!(byte, b'+' | b'-')
                && before.is_byte()
                && matches!(before.byte, b'{' | b'|' | b',' | b';')
                && is_annotated(&text[at + 1..])
            {
                changed |= blank(&mut bytes, at..at + 1);
            }
            before = Before { byte, ..Before::default() };
            at += 1;
            continue;
        }
        let end = word_end(&bytes, at);
        let next = &text[end..];
        match &text[at..end] {
            "type" if before.word(text) == "export" && next.trim_start().starts_with('*') => {
                changed |= blank(&mut bytes, at..end);
            }
            "defer" if before.word(text) == "import" && next.trim_start().starts_with('*') => {
                changed |= blank(&mut bytes, at..end);
            }
            "source" if before.word(text) == "import" && second_word(next) == "from" => {
                changed |= blank(&mut bytes, at..end);
            }
            "in" | "instanceof" if before.new_line && next.trim_start_matches('?').starts_with(':') => {
                changed |= semicolon(&mut bytes, at);
            }
            // `import("m").T<U>`, `import("m").T[]` become qualified names, `f<typeof import("m")>` a name.
            "import" if next.starts_with('(') => {
                if let Some(length) = imported_type(next, before.is_queried_argument(text)) {
                    bytes[at..end + length].fill(b'_');
                    changed = true;
                    before = Before { byte: b'_', start: at, end: end + length, new_line: false };
                    at = end + length;
                    continue;
                }
            }
            "override" if before.word(text) == "abstract" => changed |= blank(&mut bytes, at..end),
            "accessor" if names_follow(next) => changed |= blank(&mut bytes, at..end),
            "in" | "out" if matches!(before.byte, b'<' | b',') && before.is_byte() && names_follow(next) => {
                changed |= blank(&mut bytes, at..end);
                // `in out T`: what stands before the next word is still the bracket.
                at = end;
                continue;
            }
            "using" if !before.begins_statement(text) || !declares(next) => {
                bytes[at..end].copy_from_slice(b"_sing");
                changed = true;
            }
            "using" => {
                bytes[at..end].copy_from_slice(b"const");
                if before.word(text) == "await" {
                    blank(&mut bytes, before.start..before.end);
                }
                changed = true;
            }
            _ => {}
        }
        before = Before { byte: bytes[end - 1], start: at, end, new_line: false };
        at = end;
    }
    changed.then(|| String::from_utf8(bytes).expect("only words of ASCII were replaced, by ASCII"))
}

/// What stands before a word.
#[derive(Default)]
struct Before {
    byte: u8,
    start: usize,
    end: usize,
    /// A line ended since.
    new_line: bool,
}

impl Before {
    fn word<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    fn is_byte(&self) -> bool {
        self.end == 0
    }

    /// Whether a type can end here.
    fn ends_type(&self) -> bool {
        is_word(self.byte) || matches!(self.byte, b')' | b']' | b'>' | b'}' | b'\'' | b'"' | b'`')
    }

    /// Whether this is the `typeof` of a type argument.
    fn is_queried_argument(&self, text: &str) -> bool {
        self.word(text) == "typeof" && text[..self.start].trim_end().ends_with('<')
    }

    fn begins_statement(&self, text: &str) -> bool {
        let after = self.is_byte() && matches!(self.byte, 0 | b'{' | b'}' | b';' | b'(');
        after || self.new_line || self.word(text) == "await"
    }
}

fn blank(bytes: &mut [u8], range: std::ops::Range<usize>) -> bool {
    bytes[range].fill(b' ');
    true
}

/// Puts a semicolon in the place of the blank before a byte.
fn semicolon(bytes: &mut [u8], at: usize) -> bool {
    match at.checked_sub(1).and_then(|at| bytes.get_mut(at)) {
        Some(blank @ (b' ' | b'\t')) => {
            *blank = b';';
            true
        }
        _ => false,
    }
}

/// The length of the comment that a text begins with.
fn comment_length(text: &str) -> Option<usize> {
    let end = match text.get(..2)? {
        "//" => text.find('\n'),
        "/*" => text.find("*/").map(|at| at + 2),
        _ => return None,
    };
    Some(end.unwrap_or(text.len()))
}

/// Most bytes of a signature's type parameters.
const MAX_TYPE_PARAMETERS: usize = 4096;

/// Whether type parameters and then parameters follow.
fn is_generic_signature(text: &str) -> bool {
    let mut depth = 0_u32;
    let mut last = 0;
    for (at, byte) in text.bytes().enumerate().take(MAX_TYPE_PARAMETERS) {
        match byte {
            b'<' => depth += 1,
            b'>' if last != b'=' => depth -= 1,
            b';' => return false,
            _ => {}
        }
        if depth == 0 {
            return at > 1 && text.as_bytes().get(at + 1) == Some(&b'(');
        }
        last = byte;
    }
    false
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| !is_word(byte)).map_or(bytes.len(), |length| at + length)
}

/// Whether a name follows on the same line.
fn names_follow(next: &str) -> bool {
    let name = next.trim_start_matches([' ', '\t']);
    name.len() < next.len() && name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '#'))
}

/// The length of `("m")` where type arguments or brackets follow it behind a dotted name, or where it is itself a whole
/// type argument.
fn imported_type(next: &str, is_argument: bool) -> Option<usize> {
    let quote = next[1..].chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let close = next[2..].find(quote)? + 3;
    let rest = next[close..].strip_prefix(")")?;
    if next[..close].contains('\n') {
        return None;
    }
    if is_argument && rest.starts_with('>') {
        return Some(close + 1);
    }
    if !rest.starts_with('.') {
        return None;
    }
    let name = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.'))?;
    let called = matches!(&rest[..name], ".then" | ".catch" | ".finally");
    let applied = rest[name..].starts_with('<') || rest[name..].starts_with("[]");
    (applied && !called).then_some(close + 1)
}

fn second_word(next: &str) -> &str {
    next.split_ascii_whitespace().nth(1).unwrap_or_default()
}

/// Whether a name and its type follow.
fn is_annotated(next: &str) -> bool {
    let rest = &next[word_end(next.as_bytes(), 0)..];
    rest.len() < next.len() && (rest.starts_with(':') || rest.starts_with("?:"))
}

/// Whether what follows is a name and then a value, a type or `of`.
fn declares(next: &str) -> bool {
    if !names_follow(next) {
        return false;
    }
    let name = next.trim_start();
    let rest = &name[word_end(name.as_bytes(), 0)..];
    let after = rest.trim_start();
    let assigns = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    assigns || after.starts_with(':') || after.starts_with("of ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_the_grammars_do_not_know_are_blanked_where_they_stand() {
        let cases = [
            ("export type * from './a'", "export      * from './a'"),
            ("import defer * as a from 'a'", "import       * as a from 'a'"),
            ("import source a from 'a'", "import        a from 'a'"),
            ("class A { static accessor x = 1 }", "class A { static          x = 1 }"),
            ("type A<in out T, out U> = T", "type A<       T,     U> = T"),
            ("{| +n: ?A, -m?: B |}", "{|  n: ?A,  m?: B |}"),
            ("a: import('b').C.D<E>", "a: ___________.C.D<E>"),
            ("abstract override a: B", "abstract          a: B"),
            ("f(using, x)", "f(_sing, x)"),
            ("{ using x = f(); }", "{ const x = f(); }"),
            ("await using x = f()", "      const x = f()"),
            ("for (using x of y) {}", "for (const x of y) {}"),
            ("{ f(): A\n  <T = (a: T) => B>(x: T): C }", "{ f(): A\n ;<T = (a: T) => B>(x: T): C }"),
            ("{ (): A // a\n  // b\n  <T>(): C }", "{ (): A // a\n  // b\n ;<T>(): C }"),
            ("{ a: A\n  in?: B }", "{ a: A\n ;in?: B }"),
            ("type A<\n  /** a, b */\n  out T> = T", "type A<\n  /** a, b */\n      T> = T"),
            ("a: import('b').C[]", "a: ___________.C[]"),
            ("f<typeof import('b')>()", "f<typeof ___________>()"),
        ];
        for (before, after) in cases {
            assert_eq!(patch(before).as_deref(), Some(after));
        }
        for plain in [
            "import('a').then<B>(c)",
            "import source from 'a'",
            "export type A = B",
            "x in y",
            "a < b",
            "(\n  <T>(x) => x)",
            "a\n  < b",
            "let a: typeof import('b')",
        ] {
            assert_eq!(patch(plain), None, "{plain}");
        }
    }
}
