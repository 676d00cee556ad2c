//! Facts of small texts, as [`print`] writes them.

use super::extract::facts;
use crate::facts::print::print;
use crate::names::Dialect;

/// Asserts that the facts of a text have these lines, white space at their ends aside.
#[track_caller]
fn has(dialect: Dialect, text: &str, lines: &[&str]) {
    let printed = print(&facts(dialect, text.as_bytes()));
    for line in lines {
        assert!(printed.lines().any(|printed| printed.trim() == *line), "no line `{line}` in\n{printed}");
    }
}

#[test]
fn definitions_have_kinds_parents_flags_and_signatures() {
    let text = "\
/** A shop. */
@dec
export class Shop<X> extends Base<X> implements I {
  private items: Item[] = [];
  helper = (s: string) => this.items;
  constructor(private repo: Repo, n = 1) { super(); }
  get size(): number { return this.items.length }
}
export const api = { run() {}, nested: { deep: () => 1 }, x: 1 };
export default function () {}
enum Color { Red }
namespace N { export function f() {} }
";
    has(
        Dialect::TypeScript,
        text,
        &[
            r#"def Shop class 3:14 2-8 exported c0 <X> extends Base<X> implements I @dec "A shop.""#,
            "def Shop.items symbol 4:11 4-4 instance_field : Item[]",
            "def Shop.helper method 5:3 5-5 instance_field f1 (s: string)",
            "def Shop.repo symbol 6:23 6-6 field_parameter instance_field : Repo",
            "def Shop.size method 7:7 7-7 getter f3 (): number",
            "def api symbol 9:14 9-9 exported",
            "def api.run method 9:22 9-9 f4 ()",
            "def api.nested.deep method 9:42 9-9 f5 ()",
            "def default function 10:16 10-10 exported default f6 ()",
            "def Color.Red symbol 11:14 11-11 static",
            "def N.f function 12:31 12-12 static exported f7 ()",
        ],
    );
}
