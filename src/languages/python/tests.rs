//! Facts of small texts, as [`print`] writes them.

use crate::facts::Fingerprint;
use crate::facts::print::{expression, print};
use crate::facts::{Expr, ExprId, Facts, ProblemKind, RefTarget, Value};
use crate::languages::Language as _;
use crate::names::Dialect;

fn facts(text: &[u8]) -> Facts {
    super::Python.facts(Dialect::Python, text)
}

/// Asserts that the facts of a text have these lines, white space at their ends aside.
#[track_caller]
fn has(text: &str, lines: &[&str]) {
    let printed = print(&facts(text.as_bytes()));
    for line in lines {
        assert!(printed.lines().any(|printed| printed.trim() == *line), "no line `{line}` in\n{printed}");
    }
}

#[track_caller]
fn lacks(text: &str, part: &str) {
    let printed = print(&facts(text.as_bytes()));
    assert!(!printed.contains(part), "`{part}` in\n{printed}");
}

#[test]
fn definitions_have_kinds_parents_flags_and_signatures() {
    let text = "\
class A(Base, metaclass=M):
    '''Says what.

    And more.'''
    size: int
    kind = 1

    def __init__(self, items: list[int], *, lazy=False):
        self.items = items

    @property
    async def total(self) -> 'Money': ...

def outer(
    a,  # first
    b: str = 'x',
):
    def inner(): pass
";
    has(
        text,
        &[
            r#"def A class 1:7 1-12 c0 (Base, metaclass=M) "Says what.""#,
            "def A.size symbol 5:5 5-5 instance_field",
            "def A.kind symbol 6:5 6-6",
            "def A.__init__ method 8:9 8-9 constructor f0 (self, items: list[int], *, lazy=False)",
            "def A.items symbol 9:14 9-9 instance_field",
            "def A.total method 12:15 11-12 async getter f1 (self) -> 'Money' @property",
            "def outer function 14:5 14-18 f2 (a, b: str = 'x')",
            "def outer.inner function 18:9 18-18 f3 ()",
            "items = items@b3",
        ],
    );
}

#[test]
fn imports_bind_what_they_take() {
    let text = "\
import os.path, sys as system
from . import a, b as c
from ..pkg.mod import (X,
    Y as Z)
from star import *
def f():
    import json
    return importlib.import_module('.lazy', __package__)
";
    has(
        text,
        &[
            "import i0 Dotted os.path []",
            "import i1 Module sys []",
            "import i2 Names . [a, b]",
            "import i3 Names ..pkg.mod [X, Y]",
            "import i4 Star star []",
            "import i6 Expression .lazy []",
            "b0 os last = module i0",
            "b1 system last = module i1",
            "b3 c last = import i2.1",
            "b5 Z last = import i3.1",
            "import 1:8 i0",
            "import 2:18 i2.1",
            "import 4:5 i3.1",
            "import 7:12 i5 in f",
        ],
    );
}

#[test]
fn names_mean_what_holds_where_they_stand() {
    let text = "\
def f(x, flag):
    y = A()
    y.one()
    if flag:
        y = B()
    y.two()
    try:
        z = C()
    except E as e:
        e.show()
        return
    finally:
        y.close()
    z.three()
    for w in x:
        w.four()
    return [v.five() for v in w]
";
    has(
        text,
        &[
            "call 3:7 y@b2.one() in f",
            "call 6:7 y@b4@b2.two() in f",
            "call 10:11 e@b7.show() in f",
            "call 14:7 z@b6.three() in f",
            "call 16:11 w@b8.four() in f",
            "call 17:15 v@b9.five() in f",
            "b8 w = iterate(x@b0)",
        ],
    );
}

#[test]
fn tests_narrow_names_where_they_hold() {
    let text = "\
def f(x, y, z):
    if isinstance(x, A):
        x.a()
    elif x is None:
        return
    else:
        x.b()
    if not y: return
    y.c()
    z and z.d()
    assert callable(z)
    z.e()
    match x:
        case B(name=n) | C(name=n):
            x.g(n)
";
    let facts = facts(text.as_bytes());
    let tests = |line: u32, name: &str| -> String {
        let is_call = |at: &usize| {
            let RefTarget::Expr(target) = facts.body.references[*at].target else { return false };
            let Expr::Call(call) = facts.expr(target) else { return false };
            let is_named = |callee: &Expr| matches!(callee, Expr::Attribute { name: n, .. } if facts.text(*n) == name);
            facts.places.references[*at].line == line && is_named(facts.expr(facts.call(*call).callee))
        };
        let at = (0..facts.body.references.len()).find(is_call).expect("a call of this name on the line");
        let RefTarget::Expr(target) = facts.body.references[at].target else { panic!("no expression") };
        narrowings(&facts, target)
    };
    assert_eq!(tests(3, "a"), "instance(A)");
    assert_eq!(tests(7, "b"), "not_instance(A) present");
    assert_eq!(tests(9, "c"), "present");
    assert_eq!(tests(10, "d"), "present");
    assert_eq!(tests(12, "e"), "callable");
    assert_eq!(tests(15, "g"), "instance((B, C))");
}

/// The tests that hold for the receiver of a call, outermost first.
fn narrowings(facts: &Facts, call: ExprId) -> String {
    let Expr::Call(call) = facts.expr(call) else { panic!("no call") };
    let Expr::Attribute { base, .. } = facts.expr(facts.call(*call).callee) else { panic!("no attribute") };
    let mut tests = Vec::new();
    let mut at = *base;
    while let Expr::Name(used) = facts.expr(at) {
        let [binding] = facts.reach(used) else { panic!("several bindings") };
        let Value::Expr(value) = facts.binding(*binding).value else { break };
        let Expr::Narrow { of, .. } = facts.expr(value) else { break };
        let printed = expression(facts, value);
        let open = printed.rfind('{').expect("a test is printed in braces");
        tests.push(printed[open + 1..].trim_end_matches('}').to_owned());
        at = *of;
    }
    tests.reverse();
    tests.join(" ")
}

#[test]
fn attributes_of_self_are_fields() {
    let text = "\
class A:
    shared = None
    def __init__(self, repo: Repo):
        self.repo = repo
        self.a, self.b = make(), 1
        def later():
            self.late = Late()
        self.shared = 2
        self.run = lambda: self.repo.go()
    def run(self): ...
    @classmethod
    def set(cls):
        cls.kind = K()
def outside(self):
    self.nothing = 1
";
    has(
        text,
        &[
            "def A.repo symbol 4:14 4-4 instance_field",
            "def A.__init__.later function 6:13 6-7 f1 ()",
            "def A.late symbol 7:18 7-7 instance_field",
            "def A.kind symbol 13:13 13-13",
            "static shared = none",
            "repo = repo@b2",
            "a = make()",
            "late = Late()",
            "shared = 2",
            "static kind = K()",
            "write 8:14 self@b1.shared in A.__init__",
        ],
    );
    lacks(text, "def A.shared symbol 8");
    lacks(text, "def A.run symbol");
    lacks(text, "nothing symbol");
}

#[test]
fn annotations_are_forms_with_a_reference_for_each_name() {
    let text = "\
def f(a: 'models.Order | None', b: dict[str, 'Item'], *c: Callable[[A], B]) -> tuple[X, ...]: return a
def g(x) -> TypeGuard[Y]: ...
class Box[T: Base]:
    def get(self) -> T: ...
type Pair[K] = tuple[K, K]
Alias = Union['A', B]
v = cast('Order', w)
kind: Literal['x', 1]
n = []  # type: List[Item]
";
    has(
        text,
        &[
            "function f0 f s1 (a: union(models.Order, none), b: dict[str, Item], *c: f1) -> tuple[X...]",
            "function f1 (pos : A) -> B",
            "function f2 g s2 (x) -> TypeGuard[Y] guard Some(0) Y",
            "annotation 1:18 models.Order in f",
            "read 1:11 models in f",
            "annotation 1:47 Item in f",
            "class c0 Box s4[T: Base]",
            "def Alias symbol 6:1 6-6 alias Union[A, B]",
            "b14 kind last: Literal[\"x\", 1] = unknown",
            "b15 n last: List[Item] = list[]",
            "annotation 7:11 Order",
            "call 7:5 cast<Order>(\"Order\", w)",
        ],
    );
}

#[test]
fn values_keep_their_shape() {
    let text = "\
async def f(self, xs):
    async with open_it() as h, other:
        await h.go()
    d = {'a': A, **more}
    a, (b, *c) = pair()
    e = A() or B()
    g = A() if xs else None
    k = [x.y for x in xs if x]
    m = -1 + len(xs)
    q = xs[0], xs['k'], xs[1:], xs[i]
    yield q
    return (lambda z, w=1: z.v)(e)
";
    has("def g() -> Generator[A, B, None]:\n    x = yield a\n", &["b0 x = cast(sent) as B"]);
    has(
        text,
        &[
            "b2 h = enter_async(open_it())",
            "b3 d = {\"a\": A, spread(more)}",
            "b5 b = part(part(pair())#1)#0",
            "b6 c = part(part(pair())#1)#Rest(1)",
            "b7 e = union(narrow(A()){present}, B())",
            "b10 g = union(A(), none)",
            "b14 m = -1.__add__(len(xs@b1))",
            "b15 q = (xs@b1[0], xs@b1[\"k\"], xs@b1[:], xs@b1[i])",
            "call 3:17 h@b2.go() in f",
            "function f1 s3 (z, w = 1) returns z@b16.v",
        ],
    );
}

#[test]
fn decorators_and_defaults_belong_to_the_scope_outside() {
    let text = "\
def outer():
    @deco
    @other.deco(1)
    def f(x=default()): inner()
    @property
    def p(self): ...
";
    has(
        text,
        &[
            "call 2:6 @deco in outer",
            "call 3:12 other.deco(1) in outer",
            "call 4:13 default() in outer",
            "call 4:25 inner() in outer.f",
            "read 3:6 other in outer",
        ],
    );
    // A builtin that nothing rebinds leads outside: no reference.
    lacks(text, "call 5:6");
}

#[test]
fn what_a_star_import_takes_is_read_when_it_can_be() {
    let text = "__all__ = ['a'] + ['b']\n__all__ += ('c',)\n__all__.extend(['d'])\n__all__.append('e')";
    has(text, &["all [a, b, c, d, e]"]);
    lacks("__all__ = ['a'] + sub.__all__", "all [");
}

#[test]
fn globals_and_nonlocals_bind_outside() {
    let text = "\
def f():
    global made, known
    made = Made()
    known = 1
    n = 1
    def g():
        nonlocal n
        n = 2
    n.x()
known = 0
";
    let lines = ["def made symbol 3:5 3-3", "b0 made last = Made()", "b1 known last = 1", "call 9:7 n@b2@b3.x() in f"];
    has(text, &lines);
}

#[test]
fn fixtures_are_named_by_parameters_and_texts() {
    let text = "\
@pytest.mark.usefixtures('db')
def test_one(client, n=1): request.getfixturevalue('late')
@pytest.fixture
def client(app): yield make(app)
def helper(client): ...
";
    has(
        text,
        &[
            "fixture 1:26 \"db\"",
            "fixture 2:14 parameter f0.0 in test_one",
            "fixture 2:52 \"late\" in test_one",
            "fixture 4:12 parameter f1.0 in client",
        ],
    );
    lacks(text, "f2.0 in helper");
}

#[test]
fn a_broken_file_keeps_its_whole_parts() {
    let text = "\
def a(): pass
x = call(1,
def b(): a()
class C:
    def m(self): f([1, 2
    def n(self): a()
";
    has(
        text,
        &[
            "def a function 1:5 1-1 f0 ()",
            "def b function 3:5 3-3 f1 ()",
            "def C.n method 6:9 6-6 f2 (self)",
            "call 3:10 a@b0() in b",
            "problem Syntax 2-2",
            "problem Syntax 5-5",
        ],
    );
}

#[test]
fn a_string_that_does_not_end_is_a_problem() {
    has("x = '''\nabc='a', # one\ny = 1\n", &["problem Syntax 1-2"]);
    has("x = 'abc\n", &["problem Syntax 1-1"]);
}

#[test]
fn old_and_new_syntax_is_read() {
    let python2 = "\
print 'x', f()
exec code in d
try: pass
except A, e: e.g()
raise E, 'x'
def h((a, b)): a.c()
";
    has(python2, &["call 1:12 f()", "call 4:16 e@b0.g()", "def h function 6:5 6-6 f0 ((a, b))"]);
    has("try: pass\nexcept A, B: f()\n", &["read 2:8 A", "read 2:11 B", "call 2:14 f()"]);
    has("x = t'{f()} y'\ndef g(): ...\n", &["def g function 2:5 2-2 f0 ()"]);
    has("def f[T = int](x: T): ...\ndef g(): ...\n", &["def g function 2:5 2-2 f1 ()"]);
    lacks("match = 1\ntype = 2\nprint(match, type)\nasync_ = await_ = 3\n", "problem");
}

#[test]
fn any_encoding_is_read_and_lines_stay_right() {
    let call = |text: &[u8], line: &str| {
        let printed = print(&facts(text));
        assert!(printed.lines().any(|printed| printed == line), "no line `{line}` in\n{printed}");
    };
    call(b"\xef\xbb\xbff(1)", "call 1:1 f(1)");
    call(b"# x\r\rf(1)\r", "call 3:1 f(1)");
    call(b"# x\r\n\r\nf(1)\r\n", "call 3:1 f(1)");
    call(b"\xff\xfef\0(\0)\0", "call 1:1 f()");
    call(b"a\0\0\nf('\xff')", "call 2:1 f(text)");
    call("\u{fb01}()".as_bytes(), "call 1:1 fi()");
    let latin1 = facts(b"# -*- coding: latin-1 -*-\nclass A:\n    '''\xe4'''\n");
    assert_eq!(&*latin1.descriptions[0].doc, "\u{e4}");
}

fn digest_of(text: &str, name: &str) -> u64 {
    let facts = facts(text.as_bytes());
    let name = facts.find(name).expect("the name is in the text");
    facts.surface.digests.iter().find(|(other, _)| *other == name).expect("a top-level name").1
}

#[test]
fn a_surface_digest_changes_with_the_result_and_with_nothing_else() {
    let text = "import a\ndef f():\n    x = 1\n    return A()\ndef g(): ...\n";
    let moved = "import a\n\n# words\ndef g(): ...\ndef f():\n    y = h(2)  # more\n    return A()\n";
    let changed = "import a\ndef f():\n    x = 1\n    return B()\ndef g(): ...\n";
    assert_eq!(digest_of(text, "f"), digest_of(moved, "f"));
    assert_eq!(digest_of(text, "g"), digest_of(moved, "g"));
    assert_ne!(digest_of(text, "f"), digest_of(changed, "f"));
    assert_eq!(digest_of(text, "g"), digest_of(changed, "g"));
}

/// Who imports another name through a star does not see it.
#[test]
fn a_name_that_joins_all_changes_its_own_digest_only() {
    let before = "__all__ = ['f', 'elsewhere']\ndef f(): ...\ndef g(): ...\n";
    let after = "__all__ = ['elsewhere', 'f', 'g']\ndef f(): ...\ndef g(): ...\n";
    let whole = |text: &str| facts(text.as_bytes()).surface.whole_digest;
    assert_eq!(digest_of(before, "f"), digest_of(after, "f"));
    assert_eq!(digest_of(before, "elsewhere"), digest_of(after, "elsewhere"));
    assert_ne!(digest_of(before, "g"), digest_of(after, "g"));
    assert_eq!(whole(before), whole(after));
    assert_ne!(whole(before), whole("def f(): ...\ndef g(): ...\n"));
}

/// Digests of signature, body and documentation of all definitions.
fn digests(text: &str) -> Vec<(Fingerprint, Fingerprint, Fingerprint)> {
    let facts = facts(text.as_bytes());
    facts.descriptions.iter().map(|d| (d.signature_digest, d.body_digest, d.doc_digest)).collect()
}

#[test]
fn a_body_digest_is_blind_to_layout_and_comments() {
    let text = "def f(a, b):\n    'Doc.'\n    x = g('q', [1, 2])\n    return (x)\n";
    let formatted = "\
def f(
    a,
    b,
):
    'Doc.'

    # why
    x = g(
        \"q\",
        [
            1,
            2,
        ],
    )
    return x
";
    assert_eq!(digests(text), digests(formatted));
    let before = digests(text)[0];
    let signature = digests(&text.replace("(a, b)", "(a, c)"))[0];
    let body = digests(&text.replace("[1, 2]", "[1, 3]"))[0];
    let doc = digests(&text.replace("Doc.", "Other."))[0];
    assert!(signature.0 != before.0 && (signature.1, signature.2) == (before.1, before.2));
    assert!(body.1 != before.1 && (body.0, body.2) == (before.0, before.2));
    assert!(doc.2 != before.2 && (doc.0, doc.1) == (before.0, before.1));
    assert_ne!(digests("def f():\n    x\n    (y)\n"), digests("def f():\n    x(y)\n"));
    let (inside, behind) = ("def f():\n    if x:\n        y\n        z\n", "def f():\n    if x:\n        y\n    z\n");
    assert_ne!(digests(inside), digests(behind));
}

#[test]
fn deep_nesting_is_followed_and_what_lies_deeper_is_told() {
    let nested = |count: usize| {
        format!("def before(): ...\nx = {}0{}\ndef after(): ...\n", "f(".repeat(count), ")".repeat(count))
    };
    let followed = facts(nested(10_000).as_bytes());
    assert!(followed.body.problems.is_empty() && followed.body.references.len() == 10_000);
    let cut = facts(nested(50_000).as_bytes());
    assert_eq!(cut.body.problems[0].kind, ProblemKind::Depth);
    assert_eq!(cut.surface.definitions.len(), 3);
    let open = facts(format!("def before(): ...\nx = {}", "[".repeat(100_000)).as_bytes());
    assert_eq!(open.surface.definitions.len(), 1);
    facts(format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes());
}

#[test]
fn a_union_that_does_not_parse_has_the_parts_that_do() {
    for text in ["x: a | | b", "x: a | b c", "x: a | ) b", "x: | a", "x: a |"] {
        assert!(!facts(text.as_bytes()).body.problems.is_empty(), "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_have_facts(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        print(&facts(&bytes));
    }

    #[test]
    fn any_pieces_of_code_have_facts(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        let facts = facts(pieces.concat().as_bytes());
        print(&facts);
        assert_eq!(facts.places.references.len(), facts.body.references.len());
    }
}

/// Parts of Python that make strange texts when joined.
const PIECES: &[&str] = &[
    "def f",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    "\n",
    "    ",
    "\t",
    "class A",
    "self.x",
    " = ",
    "'",
    "\"\"\"",
    "f'{",
    "lambda ",
    "x",
    ", ",
    "*",
    "**",
    "->",
    "@",
    "if ",
    "else",
    "for ",
    " in ",
    "try:",
    "except ",
    " as ",
    "match ",
    "case ",
    "async ",
    "await ",
    "yield ",
    "import ",
    "from ",
    ".",
    "global x",
    "type ",
    "|",
    "\\\n",
    "#",
    ";",
    ":=",
    "not ",
    "\u{e9}",
    "\r",
    "0x",
    "...",
    "isinstance(x, A)",
    "return ",
    "while True",
    "break",
    "with ",
    "del ",
    "print ",
    "super()",
    "T = ",
    "del x",
];

/// Every declaration of the prelude is read, and every name with a special meaning is declared.
#[test]
fn the_prelude_parses_and_declares_what_the_table_names() {
    use crate::languages::Language as _;
    let language = super::Python;
    let modules: std::collections::BTreeMap<&str, Facts> =
        language.prelude().iter().map(|(name, text)| (*name, facts(text.as_bytes()))).collect();
    for (name, facts) in &modules {
        assert!(facts.body.problems.is_empty(), "{name}: {:?}", facts.body.problems);
    }
    assert!(language.semantics().special.is_sorted());
    assert!(language.semantics().common_methods.is_sorted());
    for (name, _) in language.semantics().special {
        let (module, name) = name.rsplit_once('.').expect("a name of a module");
        let Some(facts) = modules.get(module) else { panic!("no module {module}") };
        let declared = facts.surface.definitions.iter().any(|d| d.parent.is_none() && facts.text(d.name) == name);
        assert!(declared, "{module}.{name} is not declared");
    }
    let classes = language.semantics();
    for class in [classes.text, classes.list, classes.generator, classes.promise, classes.function, classes.regex] {
        let (module, name) = class.rsplit_once('.').unwrap_or(("builtins", class));
        let facts = &modules[module];
        assert!(facts.surface.definitions.iter().any(|d| d.class.is_some() && facts.text(d.name) == name), "{class}");
    }
}
