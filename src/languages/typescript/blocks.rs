//! Test blocks: `describe("…", …)`, `it("…", …)` of vitest, jest, mocha and node:test.
//!
//! Whether a file is a test file at all is for its path to say; here only the form of a call is looked at, and that the
//! callee is a global or imported name of such a runner.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;
use crate::languages::text;

/// Names that make a group of tests, and names that make a test.
const SUITES: [&str; 6] = ["describe", "suite", "context", "fdescribe", "xdescribe", "xcontext"];
const TESTS: [&str; 8] = ["it", "test", "specify", "fit", "xit", "xtest", "xspecify", "bench"];

/// What may stand behind such a name: `it.only`, `test.each(…)`, `describe.skipIf(…)`.
const MODIFIERS: [&str; 16] = [
    "only",
    "skip",
    "each",
    "concurrent",
    "sequential",
    "todo",
    "failing",
    "fails",
    "serial",
    "parallel",
    "skipIf",
    "runIf",
    "for",
    "shuffle",
    "fixme",
    "describe",
];

impl<'t> Walk<'t> {
    /// The definition of the test block that a call makes, if it makes one.
    pub(super) fn test_block(&mut self, call: Kid<'t>, callee: Kid<'t>, arguments: Kid<'t>) -> Option<DefId> {
        let (base, is_suite) = self.runner(callee)?;
        let kids = self.open(arguments.node);
        let list: Vec<Kid<'t>> = kids.all().map(|at| self.kid(at)).filter(|part| part.node.is_named()).collect();
        self.close(kids);
        let [title, rest @ ..] = &list[..] else { return None };
        if rest.is_empty() || matches!(rest[0].kind, Kind::String | Kind::Number | Kind::Regex) {
            return None;
        }
        let text = match title.kind {
            Kind::String | Kind::TemplateString => self.string(title.node),
            Kind::Identifier | Kind::MemberExpression | Kind::BinaryExpression => self.text(title.node),
            _ => return None,
        };
        let name = self.b.name(base);
        let imported = match self.b.held(name) {
            None => true,
            Some(bindings) => bindings
                .iter()
                .all(|&binding| matches!(self.b.read().binding(binding).value, Value::Imported(..) | Value::Module(_))),
        };
        if !imported {
            return None;
        }
        let line = text::signature_line(text);
        let name = self.b.name(&line);
        let parent = self.owner();
        let flags = if is_suite { Flags::SUITE } else { Flags::default() };
        let new = New { name, kind: DefKind::Test, parent, at: title.node, whole: call.node, flags };
        let def = self.define(new);
        let body = title.node.end_byte()..arguments.node.end_byte();
        self.measure(def, [0..0, 0..0], body);
        Some(def)
    }

    /// The runner's name at the root of a callee, and whether it groups tests.
    fn runner(&self, callee: Kid<'t>) -> Option<(&'t str, bool)> {
        let mut node = callee.node;
        let mut groups = false;
        // `it`, `it.skip`, `it.concurrent.only`, `it.each([…])`, `it.each`…``
        for _ in 0..6 {
            match self.lone(node).kind {
                Kind::Identifier => {
                    let text = self.text(node);
                    let suite = SUITES.contains(&text);
                    return (suite || TESTS.contains(&text)).then_some((text, suite || groups));
                }
                Kind::MemberExpression => {
                    let property = self.text(self.child(node, Field::Property)?);
                    if !MODIFIERS.contains(&property) {
                        return None;
                    }
                    groups |= property == "describe";
                    node = self.child(node, Field::Object)?;
                }
                Kind::CallExpression => {
                    let inner: Node<'t> = self.child(node, Field::Function)?;
                    if self.lone(inner).kind != Kind::MemberExpression {
                        return None;
                    }
                    node = inner;
                }
                _ => return None,
            }
        }
        None
    }
}
