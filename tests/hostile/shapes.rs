//! Shapes that blow up: sizes that only a machine writes, circles, and ways that multiply.

use std::fmt::Write;

use super::place::Place;

/// Levels of nesting, and repetitions in one file.
const HUGE: usize = 100_000;
/// Levels of nesting where a debug build takes seconds for more. Beyond the 10,000 that are followed for sure.
const DEEP: usize = 12_000;
/// Repetitions of what costs more than others: a file each, a line of the flow, a member of one class.
const MANY: usize = 10_000;
/// Steps of what doubles at each, if it is not bounded.
const DOUBLINGS: usize = 40;

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        writeln!(text, "{}", line(at)).unwrap();
        text
    })
}

/// Indexes files of their own each, in one run; the edges found.
fn edges(files: &[(&str, String)]) -> u64 {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let summary = Place::with(&files).fresh("graph.db");
    assert_eq!(summary.number("files"), files.len() as u64);
    summary.number("edges")
}

#[test]
fn a_hundred_thousand_nested_brackets_and_elements() {
    let around = |open: &str, close: &str| format!("{}1{}", open.repeat(HUGE), close.repeat(HUGE));
    edges(&[
        ("lists.py", format!("x = {}\n", around("[", "]"))),
        ("open.py", format!("x = {}\n", "f(".repeat(HUGE))),
        ("lists.ts", format!("const x = {};\n", around("[", "]"))),
        ("blocks.ts", around("{", "}")),
        ("elements.tsx", format!("const x = {};\n", around("<div>", "</div>"))),
    ]);
}

#[test]
fn calls_forms_and_functions_in_each_other() {
    let around = |open: &str, close: &str| format!("{}1{}", open.repeat(DEEP), close.repeat(DEEP));
    edges(&[
        ("calls.py", format!("def f(x): return x\nx = {}\n", around("f(", ")"))),
        ("lambdas.py", format!("x = {}1\n", "lambda: ".repeat(DEEP))),
        ("forms.py", format!("x: {}\n", around("list[", "]"))),
        ("forms.ts", format!("type A = {};\n", around("Array<", ">"))),
    ]);
}

/// Paths of symbols as deep as the text would grow with its square.
#[test]
fn definitions_in_each_other_are_symbols_to_a_depth() {
    let nested = "function f() { ".repeat(DEEP) + &"}".repeat(DEEP);
    let spaces = "namespace A { ".repeat(DEEP) + "export function f() {}" + &"}".repeat(DEEP);
    let place = Place::with(&[("functions.ts", &nested), ("spaces.ts", &spaces)]);
    let symbols = place.fresh("graph.db").number("symbols");
    assert!((100..200).contains(&symbols), "{symbols}");
    for file in ["functions.ts", "spaces.ts"] {
        assert_eq!(problems(&place, file), ["Depth 1-1"]);
    }
}

/// What could not be read of a file, or was cut: kind and lines.
fn problems(place: &Place, path: &str) -> Vec<String> {
    let output = place.run(&["debug", "facts", path]);
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("problem ")).map(str::to_owned).collect()
}

/// The flow of names is followed to a depth; the uses that lie deeper are told.
#[test]
fn what_lies_too_deep_for_the_flow_is_a_problem_of_its_lines() {
    let nested = |levels: usize| format!("{}f();\n{}", "if (c) {\n".repeat(levels), "}\n".repeat(levels));
    let place = Place::with(&[("a.ts", &nested(128)), ("b.ts", &nested(130)), ("c.ts", &nested(200))]);
    assert_eq!(problems(&place, "a.ts"), [""; 0]);
    assert_eq!(problems(&place, "b.ts"), ["Depth 130-131"]);
    assert_eq!(problems(&place, "c.ts"), ["Depth 130-201"]);
}

#[test]
fn chains_of_attributes_operators_and_else_ifs() {
    let class = "class C:\n  def m(self): return self\n";
    edges(&[
        ("calls.py", format!("{class}x = C(){}\n", ".m()".repeat(HUGE))),
        ("attributes.ts", format!("class C {{ a: C }}\nconst x = new C(){};\n", ".a".repeat(HUGE))),
        ("and.py", format!("def f(): pass\nx = {}f()\n", "f() and ".repeat(HUGE))),
        ("sum.ts", format!("function f() {{ return 1 }}\nconst x = {}f()\n", "f() + ".repeat(HUGE))),
        ("elif.py", format!("if x: f()\n{}", lines(HUGE, |at| format!("elif x == {at}: f({at})")))),
        ("else.ts", format!("if (x) f();{}", lines(HUGE, |at| format!("else if (x === {at}) f({at})")))),
    ]);
}

/// Each level changes all names.
#[test]
fn deep_flow_of_many_names() {
    let names = |text: fn(usize) -> String| lines(2_000, text);
    let deep = 2_000;
    let open = "if (c) { ".repeat(deep);
    edges(&[
        (
            "ifs.ts",
            format!("{}{open}{}{}", names(|n| format!("let x{n};")), names(|n| format!("x{n} = 1;")), "}".repeat(deep)),
        ),
        (
            "loops.ts",
            format!("let x;{}{}{}", "for(;;) { x = x.a; ".repeat(deep), "f(x);".repeat(deep), "}".repeat(deep)),
        ),
    ]);
}

/// Many uses inside many scopes, loops and functions, and behind them.
#[test]
fn many_uses_in_many_scopes() {
    let within =
        |open: &str, uses: &str| format!("let x;{}{}{}", open.repeat(DEEP), uses.repeat(2 * MANY), "}".repeat(DEEP));
    edges(&[
        ("loops.ts", within("for (;;) { x = x.a; ", "f(x);")),
        ("blocks.ts", within("{ let y; ", "f(x);")),
        ("assigned.ts", within("{ let y; ", "x = 1;")),
        ("functions.ts", within("function f() { ", "g(x);")),
        ("behind.ts", format!("{}{}{}", "{ let x; ".repeat(DEEP), "}".repeat(DEEP), "{x};".repeat(2 * MANY))),
    ]);
}

/// Columns count both bytes and UTF-16 units.
#[test]
fn one_long_line_that_is_not_ascii() {
    edges(&[("line.py", format!("x = [{}]\n", "f('é'),".repeat(5 * MANY)))]);
}

/// Each of them is a name of its own, and belongs to an object that has all of them.
#[test]
fn many_exports_of_one_object() {
    let export = |at: usize| format!("exports.m{at} = function () {{ return exports.m{}() }};", at + 1);
    assert!(edges(&[("exports.js", lines(MANY, export))]) > MANY as u64);
}

#[test]
fn one_line_of_five_megabytes() {
    // A file as a bundler writes it is left out; the line of this one is long all the same.
    let line = format!("x = [{}]\n", "1,".repeat(5 << 19));
    let summary = Place::with(&[("line.py", &line)]).fresh("graph.db");
    assert_eq!(summary.number("files") + summary.skipped("minified"), 1);
}

#[test]
fn many_functions_members_and_handlers() {
    let functions = lines(HUGE, |at| format!("def f{at}(a): return f{}(a)", at + 1));
    let exported = lines(HUGE, |at| format!("export function f{at}(a) {{ return f{}(a) }}", at + 1));
    let members = lines(MANY, |at| format!("  def m{at}(self): pass"));
    let handlers = lines(5_000, |at| format!("class C{at} {{ handle(x) {{ return x.handle(this) }} }}"));
    let again = format!("class A:\n  def m(self): return self\nx = A()\n{}", "x = x.m()\n".repeat(MANY));
    let found = edges(&[
        ("functions.py", functions + "f0(1)\n"),
        ("functions.ts", exported),
        ("members.py", format!("class C:\n{members}")),
        ("handlers.ts", handlers),
        ("again.py", again),
    ]);
    assert!(found > 4 * HUGE as u64, "{found}");
}

#[test]
fn a_million_uses_of_one_name() {
    let uses = 10 * HUGE;
    assert_eq!(edges(&[("uses.py", format!("def f(): pass\n{}", "f()\n".repeat(uses)))]), uses as u64 + 1);
}

#[test]
fn a_circle_of_stars() {
    let count = MANY;
    let place = Place::with(&[
        ("use.ts", "import { v5, nothing } from './m0';\nv5(); nothing();\n"),
        ("use.py", "from m0 import *\nv5(); nothing()\n"),
    ]);
    for at in 0..count {
        let next = (at + 1) % count;
        place.write(&format!("m{at}.ts"), format!("export * from './m{next}';\nexport function v{at}() {{}}\n"));
        place.write(&format!("m{at}.py"), format!("from m{next} import *\ndef v{at}(): pass\n"));
    }
    assert!(place.fresh("graph.db").number("edges") > 4 * count as u64);
}

#[test]
fn diamonds_upon_diamonds() {
    let class = |at: usize| {
        format!("class B{at}(A{at}): pass\nclass C{at}(A{at}): pass\nclass A{}(B{at}, C{at}): pass", at + 1)
    };
    let interface = |at: usize| {
        format!(
            "interface B{at} extends A{at} {{}} interface C{at} extends A{at} {{}} interface A{} extends B{at}, C{at} {{}}",
            at + 1
        )
    };
    edges(&[
        ("a.py", format!("class A0: pass\n{}A{DOUBLINGS}().m()\n", lines(DOUBLINGS, class))),
        (
            "a.ts",
            format!("interface A0 {{}}\n{}function f(a: A{DOUBLINGS}) {{ a.m() }}\n", lines(DOUBLINGS, interface)),
        ),
    ]);
}

/// What a name means, through names with two meanings each.
#[test]
fn ways_that_multiply() {
    let twice = |text: fn(usize) -> String| {
        format!("class A0: pass\n{}class X(A{DOUBLINGS}): pass\nX().f()\n", lines(DOUBLINGS, text))
    };
    let both = "if c:\n  import a as m\nelse:\n  import b as m\n";
    edges(&[
        ("a.py", both.to_owned()),
        ("b.py", both.to_owned()),
        ("use.py", format!("import a\nclass X(a{}.C): pass\n", ".m".repeat(60))),
        ("unions.py", twice(|n| format!("A{} = A{n} if c else A{n}", n + 1))),
        ("parts.py", twice(|n| format!("A{} = A{n}[0] if c else A{n}[1]", n + 1))),
        ("arms.py", twice(|n| format!("if c: A{} = A{n}\nelse: A{} = A{n}", n + 1, n + 1))),
        (
            "pairs.ts",
            format!(
                "type T0 = number;\n{}function f(x: T{DOUBLINGS}) {{ x.m() }}\n",
                lines(DOUBLINGS, |n| format!("type T{} = [T{n}, T{n}];", n + 1))
            ),
        ),
        (
            "generic.ts",
            format!(
                "class A0<T> {{ m(): T }}\n{}new A{DOUBLINGS}<string>().m().x();\n",
                lines(DOUBLINGS, |n| format!("class A{}<T> extends A{n}<[T, A{n}<T>]> {{}}", n + 1))
            ),
        ),
    ]);
}

#[test]
fn circles_of_aliases_bases_and_types() {
    edges(&[
        (
            "a.py",
            "A = B\nB = A\nA()\nclass X(Y): pass\nclass Y(X): pass\nX().m()\nclass S(S): pass\nS().m()\nP = P[int]\n\
             class C(P): pass\nC().m()\nQ = R or Q\nR = Q[R]\nclass D(Q, R): pass\nD().n()\nW = W() or W\nclass E(W()): \
             pass\nE().x\ntype T = list[T]\ndef f(x: T): x[0][0].m()\nclass M(metaclass=M): x = M\nM().x.y()\n"
                .to_owned(),
        ),
        (
            "b.ts",
            "type A = B; type B = A; type D = D[]; function f(a: A, d: D) { a.m(); d[0][0].m(); }\nclass X extends Y {} \
             class Y extends X {} new X().m();\ninterface I extends I {} type P<T> = P<T[]>; function g(p: P<string>) { \
             p.m() }\ntype Q<T> = { a: Q<Q<T>> }; function h(q: Q<string>) { q.a.a.a.m() }\nclass G<T> extends G<G<T>> { \
             n() { this.m().q } }\nnew G<string>().m();\n"
                .to_owned(),
        ),
    ]);
}

#[test]
fn functions_that_return_each_other() {
    let count = 500;
    let python = move |at: usize| {
        let (next, other) = ((at * 7 + 1) % count, (at * 13 + 5) % count);
        format!("def f{at}(x):\n  if x: return f{next}(x)\n  if x: return f{other}\n  return [f{}]", (at + 1) % count)
    };
    let deeper = |at: usize| format!("const g{} = x => [g{at}(x), g{at}([x]), g{at}(g{at}(x))];", at + 1);
    edges(&[
        ("a.py", lines(count, python)),
        ("grow.py", "def f(x): return [f(x)]\ndef g(x): return {g(x): g(g)}\nf(1)[0][0].m()\n".to_owned()),
        ("b.ts", format!("const g0 = x => x;\n{}g{DOUBLINGS}(1)[0].m();\n", lines(DOUBLINGS, deeper))),
        (
            "chain.py",
            format!(
                "def h0(): return h0\n{}h{MANY}().x\n",
                lines(MANY, |at| format!("def h{}(): return h{at}()", at + 1))
            ),
        ),
    ]);
}
