//! A text has the tree that it has, whatever is kept of others.

use proptest::prelude::*;

use super::*;
use crate::languages::Pieces;
use crate::languages::python::extract::{parse, parse_with};
use crate::languages::python::kinds::Kind;

/// Statements that are pieces, and some that are not.
const STATEMENTS: [&str; 12] = [
    "class A(B):\n    \"\"\"Says what it is, at some length, so that it is\n    long enough to be a piece of its own, as it has to be.\"\"\"\n\n",
    "    def first(self, items, *, lazy=False, **rest):\n        # Says why.\n        return [item.x for item in items if f'{item:>{lazy}}' != \"pass\"]\n\n",
    "    @property\n    def second(self):\n        if self.a == 1 and not self.b[1:2]:\n            return {**self.c, 'x': -1.5}\n        # After.\n\n    # Before.\n",
    "    third = something(\n        first='a', # one\n        second=\"\"\"several\n        lines\"\"\",\n        third=lambda *a, **b: (yield),\n    )\n",
    "    class Meta:\n        ordering = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o']\n        other = 1\n\n",
    "def function(a: int = 1, /, b: 'str' = None) -> list[int]:\n    try:\n        with open(a) as x, y: pass\n    except (A, B) as e: raise X from e\n    finally:\n        del a\n\n",
    "async def other():\n    async for x in y:\n        await x; print(x)\n    else:\n        global z; z += 1 if x else \\\n            2\n    match x:\n        case [1, *_]: pass\n",
    "if TYPE_CHECKING:\n    from a import b as c, d\n    import e.f  # noqa: the line is long enough to make a piece of this\nelif x:\n    pass\n",
    "@decorator(1)\n@another\nclass C:\n    x: 'int'\n",
    "x = 1\n",
    "    y = 2; z = 3\n",
    "import os\n",
];

/// Lines that change what stands around them.
const LINES: [&str; 16] = [
    "\"\"\"",
    "x = (",
    ")",
    "@decorator",
    "y = 1 + \\",
    "    # A comment.",
    "# Another.",
    "else:",
    "    pass",
    "pass",
    "        more()",
    "class D:",
    "if a:",
    "",
    "\t",
    "x = '''",
];

fn pieces(text: &str) -> Vec<u8> {
    let mut tree = Tree::<Kind>::new(text);
    parse(&mut tree, None);
    tree.pieces()
}

/// Asserts that a text has the tree that it has without any help. Tells whether help was accepted.
#[track_caller]
fn check(text: &str, kept: &[u8]) -> bool {
    let (mut whole, mut helped) = (Tree::<Kind>::new(text), Tree::<Kind>::new(text));
    let root = parse(&mut whole, None);
    let work = whole.work;
    assert_eq!(parse_with(&mut helped, &Pieces(kept.to_vec())), root);
    assert_eq!(helped.nodes, whole.nodes, "in\n{text}");
    assert_eq!((&helped.comments, &helped.problems), (&whole.comments, &whole.problems), "in\n{text}");
    // The bounds of work and depth beside them may differ.
    let list = |kept: &[u8]| postcard::from_bytes::<Kept>(kept).ok().map(|kept| postcard::to_stdvec(&kept.pieces));
    assert_eq!(list(&helped.pieces()), list(&whole.pieces()));
    helped.work != work
}

/// A text of these statements, long enough to have pieces.
fn long(statements: &[&str]) -> String {
    let mut text = statements.concat();
    while text.len() < MIN_TEXT_BYTES {
        text.push_str(&statements.concat());
    }
    text
}

#[test]
fn an_edit_of_one_statement_leaves_the_others_as_they_were() {
    let before = long(&STATEMENTS);
    let kept = pieces(&before);
    let after = before.replacen("not self.b", "self.bb", 1).replacen("x = 1\n", "x = 1\nx = 2\n\n\n", 1);
    assert!(check(&after, &kept));
    assert!(check(&before, &kept));
    assert!(check(&after, &pieces(&after)));
    // What is left of a class is `class A(B):` with `pass` in it.
    let shorter = before.replacen("class A(B):", "class A(B, metaclass=C):", 2);
    assert!(check(&shorter, &kept));
    assert!(!check(&"x = 1\n".repeat(1000), &kept));
}

#[test]
fn what_only_reads_like_a_part_is_none() {
    let function = STATEMENTS[5];
    let before = long(&[function, "x = 1\n"]);
    let kept = pieces(&before);
    for (first, last) in [
        ("x = '''\n", "'''\n"),
        ("x = (\n", ")\n"),
        ("@decorator\n", ""),
        ("x = 1 + \\\n", ""),
        ("if a:\n", ""),
        ("if a:\n    b\n", "else:\n    c\n"),
        ("", "    # It goes on.\nx = 1\n"),
        ("", "    return\n"),
        ("class C:\n    x = 1\n", "    y = 1\n"),
        ("try:\n    a\n", "except B:\n    c\n"),
        ("x = [", "]"),
        ("f'''{\n", "}'''\n"),
    ] {
        check(&[&before, first, function, last, &before].concat(), &kept);
        check(&[&before, first, function, last].concat(), &kept);
        check(&[first, function, last, &before].concat(), &kept);
    }
    let indented = before.replace('\n', "\n    ");
    check(&format!("class A:\n    {indented}"), &kept);
    check(&format!("def a():\n    {indented}"), &kept);
    check(&before.replace('\n', "\r\n"), &kept);
    check(before.trim_end(), &kept);
}

#[test]
fn a_text_with_an_error_has_no_parts() {
    assert!(!pieces(&long(&STATEMENTS)).is_empty());
    assert!(pieces(&(long(&STATEMENTS) + "x = )\n")).is_empty());
    assert!(pieces(&(long(&STATEMENTS) + "x = '''\n")).is_empty());
}

proptest! {
    #[test]
    fn a_text_has_its_tree_whatever_is_known_of_others(
        statements in prop::collection::vec(0..STATEMENTS.len(), 20..60),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..LINES.len(), 0..4u8), 0..5),
    ) {
        let text = long(&statements.iter().map(|&at| STATEMENTS[at]).collect::<Vec<_>>());
        let mut kept = pieces(&text);
        let mut lines: Vec<&str> = text.split('\n').collect();
        for (at, line, kind) in edits {
            let at = at.index(lines.len());
            match kind {
                0 => lines.insert(at, LINES[line]),
                1 => lines[at] = LINES[line],
                2 => drop(lines.remove(at)),
                _ => lines.insert(at, lines[line * lines.len() / LINES.len()]),
            }
            let after = lines.join("\n");
            check(&after, &kept);
            let known = pieces(&after);
            if !known.is_empty() {
                kept = known;
            }
        }
    }

    #[test]
    fn damaged_parts_end_no_run(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        bytes in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let text = long(&STATEMENTS);
        let mut kept = pieces(&text);
        let at = at.index(kept.len());
        kept[at] = byte;
        for kept in [kept, bytes] {
            let _ = crate::languages::python::extract::facts(text.as_bytes(), &Pieces(kept));
        }
    }
}
