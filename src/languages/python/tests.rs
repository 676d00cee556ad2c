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
