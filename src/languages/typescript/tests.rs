//! Facts of small texts, as [`print`] writes them; any bytes; absurd nesting; digests.

use proptest::prelude::*;

use super::extract::facts;
use crate::facts::print::print;
use crate::facts::{DefId, Description, Facts, ProblemKind};
use crate::names::Dialect;

const TS: Dialect = Dialect::TypeScript;
const TSX: Dialect = Dialect::Tsx;
const JS: Dialect = Dialect::JavaScript;

/// Asserts that the facts of a text have these lines, white space at their ends aside.
#[track_caller]
fn has(dialect: Dialect, text: &str, lines: &[&str]) {
    let printed = print(&facts(dialect, text.as_bytes()));
    for line in lines {
        assert!(printed.lines().any(|printed| printed.trim() == *line), "no line `{line}` in\n{printed}");
    }
}

#[track_caller]
fn lacks(dialect: Dialect, text: &str, part: &str) {
    let printed = print(&facts(dialect, text.as_bytes()));
    assert!(!printed.contains(part), "`{part}` in\n{printed}");
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
        TS,
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

#[test]
fn names_see_the_bindings_that_hold_where_they_stand() {
    let text = "\
import { Base, make } from './m';
let shop: Shop;
function f(x: A | B, y = make()) {
  if (x instanceof A) { x.a(); } else { x.b(); }
  shop = new Shop();
  for (const item of shop.items) { item.go(y); }
  const { a, b: [c = 1, ...d] } = shop.load();
  return () => c.go(d, a);
}
switch (shop.kind) { case 'x': { shop.x(); break; } default: shop.y(); }
";
    has(
        TS,
        text,
        &[
            "b2 shop last Value: Shop = none",
            "read 4:20 A in f",
            "call 4:27 x@b6.a() in f",
            "call 4:43 x@b7.b() in f",
            "b8 shop last Value: Shop = new Shop()",
            "b9 item Value = iterate(shop@b8.items)",
            "b10 a Value = shop@b8.load().a",
            "b11 c Value = union(part(shop@b8.load().b)#0, 1)",
            "call 8:18 c@b11.go(d@b12, a@b10) in f",
        ],
    );
}

#[test]
fn exports_have_all_their_forms() {
    let text = "\
export { a as b, default as c } from './m';
export * from './n';
export * as ns from './o';
export type * from './t';
import x from './x';
export { x as default, y };
const y = 1;
export const { p, q: [r] } = y, s = 2;
";
    has(
        TS,
        text,
        &[
            "export b = i0.a",
            "export c = i0.default",
            "export * = i1.*",
            "export ns = i2",
            "export type * = i3.*",
            "export default = x",
            "export y = y",
            "export p = p",
            "export r = r",
            "export s = s",
            "import 1:10 export 0",
            "import 2:8 export 2",
            "import 5:8 i4.0",
        ],
    );
    has(
        TS,
        "export default class {}",
        &["def default class 1:16 1-1 exported default c0 class", "export default = default"],
    );
    has(TS, "export default { run() {} }", &["def default.run method 1:18 1-1 f0 ()"]);
    has(TS, "export default memo(f)", &["def default symbol 1:16 1-1 exported default"]);
    has(TS, "export = { f() {} }", &["def f function 1:12 1-1 exported f0 ()", "export = = whole o0"]);
}

#[test]
fn commonjs_exports_and_imports_in_all_their_forms() {
    let text = "\
const { a, b: c } = require('./x'), d = require('./y').d, whole = require('./z');
exports.f = function (t) { return a(t); };
module.exports.g = make();
exports.h = c;
function lazy() { return require('./l').go(whole, d); }
Object.assign(module.exports, { k() {} });
";
    has(
        JS,
        text,
        &[
            "import i0 Names ./x [a, b]",
            "import i1 Names ./y [d]",
            "import i2 Module ./z []",
            "def f function 2:9 2-2 exported f0 (t)",
            "export f = f0",
            "def g symbol 3:16 3-3 exported",
            "export g = exports.g",
            "export h = c@b1",
            "def k function 6:33 6-6 exported f2 ()",
            "import 5:33 i3 in lazy",
            "call 5:41 i3.go(whole@b3, d@b2) in lazy",
        ],
    );
    has(
        JS,
        "module.exports = function go() {}",
        &["def go function 1:27 1-1 exported f0 ()", "export = = whole default@b1"],
    );
    has(JS, "module.exports = () => 1", &["def default function 1:18 1-1 exported f0 ()"]);
    has(JS, "exports = module.exports = Foo", &["export = = whole Foo"]);
}

#[test]
fn constructor_functions_get_their_prototypes_and_fields() {
    let text = "\
function Foo() { this.x = make(); }
Foo.prototype.bar = function () { return this.x; };
Foo.of = () => new Foo();
class K extends Base {
  constructor() { super(); this.client = new Client(); this.client = null; }
  go() { return this.client.q(); }
}
";
    has(
        JS,
        text,
        &[
            "def Foo function 1:10 1-1 f0 c0 ()",
            "def Foo.bar method 2:15 2-2 f1 ()",
            "def Foo.of method 3:5 3-3 static f2 ()",
            "function f1 Foo.bar s2 () This in c0 returns this.x",
            "def K.client symbol 5:33 5-5 instance_field",
            "client = new Client()",
            "client = none",
        ],
    );
    lacks(TS, "class K { go() { this.client = 1 } }", "def K.client");
}

#[test]
fn types_are_forms() {
    let text = "\
type F = (a: A, ...rest: B[]) => x is C;
type G<T extends Base = D> = { [K in keyof T]: T[K] };
let v: A | readonly B[] | [x: C, ...D[]] | typeof w | import('./m').E<F> | 'lit' | null;
let p: Promise<ns.T>, q: T['key'], r: T[number], s: new () => A, t: A extends B ? C : D;
interface I extends J<A> { (x: A): B; [key: string]: C; m?(): D; readonly p: E }
";
    has(
        TS,
        text,
        &[
            "def F symbol 1:6 1-1 (a: A, ...rest: B[]) => x is C alias f0",
            "base 5:21 J in I",
            "annotation 5:32 A in I",
            "annotation 4:19 ns.T",
            "class c0 I s3 bases J[A] call f2 index C",
        ],
    );
}

#[test]
fn what_a_function_knows_of_this_and_of_its_parameters() {
    let text = "\
class A {
  handler: Handler = (e) => e.x(this);
  static make = () => this.of();
  run(): Callback { xs.map((x) => x.go(this)); return (r) => r; }
}
const o: Options = { on: (e) => e, go() { return this.on; } };
function f(this: A) { this.run(); }
";
    has(
        TS,
        text,
        &[
            "function f1 A.handler s2 (pos e) in c0 as Handler returns e@b1.x(this)",
            "function f2 A.make s3 () in c0 returns c0.of()",
            "function f4 s5 (pos x) in c0 argument 0 returns x@b2.go(this)",
            r#"function f6 o.on s7 (pos e) as Options["on"] returns e@b4"#,
            "call 7:28 cast(?) as A@b0.run() in f",
        ],
    );
}

#[test]
fn test_blocks_are_named_by_their_titles() {
    let text = "\
import { describe, it } from 'vitest';
describe('cart', () => {
  beforeEach(() => setup());
  it.each([1])('adds %i', (n) => { add(n); });
  it.skip(`takes one`, async () => take());
});
const local = { it() {} };
local.it('no', () => {});
";
    has(
        TS,
        text,
        &[
            "def cart test 2:10 2-6 suite",
            "def cart.adds %i test 4:16 4-4",
            "def cart.takes one test 5:11 5-5",
            "call 3:20 setup() in cart",
            "call 4:36 add(n@b2) in cart.adds %i",
        ],
    );
    lacks(TS, text, "def no test");
    lacks(TS, "function it(a, b) {} it('x', () => {});", "def x test");
}

#[test]
fn jsx_elements_are_calls_of_components() {
    let text = "const A = ({ x }: P) => <ul><ns.Item key=\"k\" {...x}>{x.map((i) => <B i={i} on={() => go(i)} />)}</ns.Item></ul>;";
    has(
        TSX,
        text,
        &[
            "call 1:68 jsx B(i=i@b1, on=f2) in A",
            r#"call 1:33 jsx ns.Item(key="k", **x@b0, x@b0.map(f1)) in A"#,
            "call 1:86 go(i@b1) in A",
        ],
    );
    lacks(TSX, text, "jsx ul");
}

#[test]
fn jsdoc_gives_types_to_javascript() {
    let text = "\
/** @typedef {import('./m').Opts} Opts */
/**
 * Says.
 * @param {Array.<Foo>} list
 * @param {Opts=} opts
 * @returns {Promise<Bar>}
 */
function f(list, opts) { return list; }
/** @type {Map<string, Foo>} */
const m = new Map();
const c = /** @type {Foo} */ (any);
";
    has(
        JS,
        text,
        &[
            "function f0 f s1 (pos list: Array[Foo], pos opts?: Opts@b0) -> Promise[Bar] This",
            r#"def f function 8:10 8-8 f0 (list, opts) "Says.""#,
            "b4 m last Value: Map[builtin String[], Foo] = new Map()",
            "b5 c last Value = cast(any) as Foo",
            "annotation 4:12 Foo in f",
        ],
    );
}

#[test]
fn what_no_grammar_reads_is_read_all_the_same() {
    has(TS, "class A<in out T> { static accessor x = f(); }", &["def A.x symbol 1:37 1-1 static"]);
    has(TS, "async function f() { await using x = open(); x.go(); }", &["call 1:48 x@b1.go() in f"]);
    has(
        JS,
        "// @flow\ntype P = {| +n: ?string |};\nfunction f(p: P): string { return g(p.n); }",
        &["call 3:35 g(p@b2.n) in f"],
    );
    for text in ["export type * from './a';", "import defer * as a from 'a';", "class A<out T> {}", "using x = y;"] {
        assert!(facts(TS, text.as_bytes()).body.problems.is_empty(), "{text}");
    }
}

#[test]
fn a_broken_part_leaves_the_rest() {
    let text = "function a() { return 1 }\nconst = ;\nfunction b() { return a() }\n";
    has(TS, text, &["call 3:23 a@b0() in b", "problem Syntax 2-2"]);
}

fn description<'a>(facts: &'a Facts, name: &str) -> &'a Description {
    let found = facts.surface.definitions.iter().position(|definition| facts.text(definition.name) == name);
    facts.description(DefId::new(found.expect("the text defines it")))
}

#[test]
fn digests_change_with_what_is_said_and_not_with_how() {
    let before = facts(
        TS,
        b"// a\nexport function f(a: A, b = 1): B { return g('x', [a, b]); }\nclass C extends D { m() { return 1 } }",
    );
    let same = facts(
        TS,
        b"export function f(\n  a: A, // first\n  b = 1,\n): B {\n  return g(\"x\", [a, b,])\n}\n\n\nclass C extends D {\n  m() { return 1; }\n}\n",
    );
    let other = facts(
        TS,
        b"export function f(a: A, b = 2): B { return g('x', [a, c]); }\nclass C extends E { m() { return 1 } }",
    );
    assert_eq!(before.surface.digests.len(), same.surface.digests.len());
    for name in ["f", "C", "m"] {
        let (a, b) = (description(&before, name), description(&same, name));
        assert_eq!((a.signature_digest, a.body_digest), (b.signature_digest, b.body_digest), "{name}");
    }
    let values = |facts: &Facts| facts.surface.digests.iter().map(|(_, digest)| *digest).collect::<Vec<_>>();
    assert_eq!(values(&before), values(&same));
    let (a, b) = (description(&before, "f"), description(&other, "f"));
    assert!(a.signature_digest != b.signature_digest && a.body_digest != b.body_digest);
    assert_ne!(description(&before, "C").signature_digest, description(&other, "C").signature_digest);
    assert_eq!(description(&before, "m").body_digest, description(&other, "m").body_digest);
}

#[test]
fn nesting_is_followed_for_ten_thousand_levels_and_counted_beyond() {
    let shallow = 10_000;
    let deep = 100_000;
    let nests: [(Dialect, &str, &str, &str); 9] = [
        (JS, "(", "f()", ")"),
        (TS, "[", "f()", "]"),
        (JS, "f(", "f()", ")"),
        (TS, "{", "f()", "}"),
        (JS, "() =>", "f()", ""),
        (TSX, "<a>", "{f()}", "</a>"),
        (TS, "`${", "f()", "}`"),
        (JS, "a.b(", "f()", ").c"),
        (TS, "!", "f()", ""),
    ];
    for (dialect, open, middle, close) in nests {
        let text = |levels: usize| format!("x = {}{middle}{};", open.repeat(levels), close.repeat(levels));
        let text = |levels: usize| if open == "{" { text(levels).replace("x = ", "") } else { text(levels) };
        let found = facts(dialect, text(shallow).as_bytes());
        assert!(found.body.problems.is_empty(), "{open}: {:?}", found.body.problems);
        assert!(!found.body.references.is_empty(), "{open}");
        let found = facts(dialect, text(deep).as_bytes());
        assert!(found.body.problems.iter().any(|problem| problem.kind == ProblemKind::Depth), "{open}");
    }
    let chain = format!("{} {{}}", "if (a) {} else ".repeat(deep));
    facts(TS, chain.as_bytes());
    let types = format!("type T = {}A{};", "Array<".repeat(shallow), ">".repeat(shallow));
    assert!(facts(TS, types.as_bytes()).body.problems.is_empty());
}

proptest! {
    #[test]
    fn any_bytes_have_facts(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for dialect in [TS, TSX, JS] {
            facts(dialect, &bytes);
        }
    }

    #[test]
    fn any_words_of_the_language_have_facts(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60),
    ) {
        let text = words.join(" ");
        for dialect in [TS, TSX, JS] {
            facts(dialect, text.as_bytes());
        }
    }
}

const WORDS: &[&str] = &[
    "a",
    "b",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "=>",
    "=",
    ",",
    ";",
    ":",
    ".",
    "...",
    "?",
    "?.",
    "!",
    "\n",
    "class",
    "extends",
    "implements",
    "function",
    "const",
    "let",
    "var",
    "return",
    "if",
    "else",
    "for",
    "of",
    "in",
    "switch",
    "case",
    "default",
    "break",
    "try",
    "catch",
    "import",
    "export",
    "from",
    "'m'",
    "type",
    "interface",
    "enum",
    "namespace",
    "declare",
    "as",
    "satisfies",
    "is",
    "keyof",
    "typeof",
    "new",
    "this",
    "super",
    "async",
    "await",
    "yield",
    "static",
    "get",
    "set",
    "abstract",
    "@",
    "`",
    "${",
    "</",
    "/>",
    "/",
    "*",
    "1",
    "module.exports",
    "exports.a",
    "require('x')",
    "A.prototype.b",
    "describe('x',",
    "/** @type {A} */",
    "using",
    "accessor",
];
