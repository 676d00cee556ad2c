//! Facts of small texts, as [`print`] writes them.

use super::extract::facts;
use crate::facts::Facts;
use crate::facts::print::print;

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
