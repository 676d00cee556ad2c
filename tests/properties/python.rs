//! Random Python.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::sources::{self, CLASSES, MEMBERS, VARIABLES};

const PATHS: [&str; 14] = [
    "a.py",
    "b.py",
    "pkg/__init__.py",
    "pkg/a.py",
    "pkg/b.py",
    "pkg/sub/__init__.py",
    "pkg/sub/c.py",
    "pkg/a.pyi",
    "src/d.py",
    "src/pkg/e.py",
    "tests/conftest.py",
    "tests/test_a.py",
    "setup.py",
    "other/setup.py",
];
const MODULES: [&str; 12] = ["a", "b", "pkg", "pkg.a", "pkg.b", "pkg.sub", "pkg.sub.c", "d", "pkg.e", ".", ".a", "..b"];
const FUNCTIONS: [&str; 3] = ["f", "g", "test_f"];

fn any_name() -> impl Strategy<Value = &'static str> {
    sources::any_name(&FUNCTIONS)
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => any_name().prop_map(str::to_owned),
        4 => select(&CLASSES).prop_map(|class| format!("{class}()")),
        3 => select(&FUNCTIONS).prop_map(|function| format!("{function}()")),
        2 => Just("self".to_owned()),
        1 => Just("super()".to_owned()),
        1 => Just("None".to_owned()),
        1 => Just("pkg.a".to_owned()),
        1 => Just("a".to_owned()),
    ];
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            5 => (inner.clone(), select(&MEMBERS)).prop_map(|(of, name)| format!("{of}.{name}()")),
            3 => (inner.clone(), any_name()).prop_map(|(of, name)| format!("{of}.{name}")),
            1 => inner.clone().prop_map(|of| format!("[{of}]")),
            1 => inner.clone().prop_map(|of| format!("{of}[0]")),
            1 => inner.clone().prop_map(|of| format!("{of}()")),
            1 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one} or {other})")),
            1 => (select(&FUNCTIONS), inner).prop_map(|(function, argument)| format!("{function}({argument})")),
        ]
    })
}

fn annotation() -> impl Strategy<Value = String> {
    let class = || select(&CLASSES);
    prop_oneof![
        4 => class().prop_map(str::to_owned),
        1 => class().prop_map(|class| format!("list[{class}]")),
        1 => class().prop_map(|class| format!("{class} | None")),
        1 => class().prop_map(|class| format!("\"{class}\"")),
        1 => class().prop_map(|class| format!("type[{class}]")),
        1 => class().prop_map(|class| format!("pkg.a.{class}")),
    ]
}

fn import() -> impl Strategy<Value = String> {
    let module = || prop_oneof![1 => select(&MODULES[..3]), 1 => select(&MODULES)];
    let absolute = || module().prop_filter("absolute", |module| !module.starts_with('.'));
    prop_oneof![
        5 => (module(), any_name()).prop_map(|(module, name)| format!("from {module} import {name}")),
        1 => (module(), any_name(), any_name()).prop_map(|(m, name, other)| format!("from {m} import {name} as {other}")),
        2 => module().prop_map(|module| format!("from {module} import *")),
        2 => absolute().prop_map(|module| format!("import {module}")),
        1 => (absolute(), any_name()).prop_map(|(module, name)| format!("import {module} as {name}")),
    ]
}

fn function(receiver: &'static str) -> impl Strategy<Value = String> {
    let names: Vec<&'static str> = if receiver.is_empty() { FUNCTIONS.to_vec() } else { MEMBERS.to_vec() };
    let parameter = prop_oneof![Just(None), annotation().prop_map(Some)];
    let result = prop_oneof![2 => Just(None), 1 => annotation().prop_map(Some)];
    let line = prop_oneof![
        3 => expression(),
        3 => expression().prop_map(|value| format!("return {value}")),
        1 => expression().prop_map(|value| format!("yield {value}")),
        2 => (select(&VARIABLES), expression()).prop_map(|(name, value)| format!("{name} = {value}")),
        1 => (select(&MEMBERS), expression()).prop_map(|(name, value)| format!("self.{name} = {value}")),
        1 => (select(&VARIABLES), expression()).prop_map(|(name, value)| format!("for {name} in {value}: {name}.m()")),
        1 => (select(&VARIABLES), select(&CLASSES)).prop_map(|(v, class)| format!("if isinstance({v}, {class}): {v}.m()")),
        1 => (select(&MEMBERS), select(&CLASSES))
            .prop_map(|(x, class)| format!("if isinstance(self.{x}, {class}): self.{x}.m()")),
        1 => (select(&MEMBERS), expression()).prop_map(|(x, value)| format!("self.{x}.append({value})")),
        1 => (select(&VARIABLES), expression()).prop_map(|(name, value)| format!("{name} = []; {name}.append({value})")),
        1 => expression().prop_map(|argument| format!("v({argument})")),
        1 => (select(&MEMBERS), expression()).prop_map(|(x, argument)| format!("self.{x}({argument})")),
        1 => import(),
    ];
    (select(names), parameter, result, vec(line, 1..4)).prop_map(move |(name, parameter, result, lines)| {
        let parameter = parameter.map_or("v".to_owned(), |annotation| format!("v: {annotation}"));
        let parameters = if receiver.is_empty() { parameter } else { format!("{receiver}, {parameter}") };
        let result = result.map_or(String::new(), |annotation| format!(" -> {annotation}"));
        format!("def {name}({parameters}){result}:\n    {}", lines.join("\n    "))
    })
}

fn class() -> impl Strategy<Value = String> {
    let field = || (select(&MEMBERS), annotation()).prop_map(|(name, annotation)| format!("{name}: {annotation}"));
    let value = || (select(&MEMBERS), expression()).prop_map(|(name, value)| format!("{name} = {value}"));
    let decorated = |decorator: &'static str, receiver| {
        function(receiver).prop_map(move |function| format!("@{decorator}\n{function}"))
    };
    let member = prop_oneof![
        5 => function("self"),
        1 => decorated("property", "self"),
        1 => decorated("classmethod", "cls"),
        1 => decorated("staticmethod", "w"),
        1 => field(),
        1 => value(),
        1 => select(&MEMBERS).prop_map(|name| format!("{name} = []")),
        1 => (select(&MEMBERS), select(&MEMBERS)).prop_map(|(x, getter)| format!("{x} = property({getter})")),
    ];
    let base = prop_oneof![4 => select(&CLASSES).prop_map(str::to_owned), 1 => Just("pkg.a.A".to_owned())];
    (select(&CLASSES), vec(base, 0..3), vec(member, 1..4)).prop_map(|(name, bases, members)| {
        let body = members.join("\n").replace('\n', "\n    ");
        format!("class {name}({}):\n    {body}", bases.join(", "))
    })
}

/// A statement of a module.
pub fn chunk() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => import(),
        5 => function(""),
        5 => class(),
        2 => (select(&VARIABLES), expression()).prop_map(|(name, value)| format!("{name} = {value}")),
        1 => vec(any_name(), 0..3).prop_map(|names| format!("__all__ = {names:?}")),
        1 => import().prop_map(|import| format!("if TYPE_CHECKING:\n    {import}")),
        1 => (select(&FUNCTIONS), function("")).prop_map(|(name, function)| format!("@{name}\n{function}")),
        1 => function("").prop_map(|function| format!("import pytest\n@pytest.fixture\n{function}")),
        1 => Just("# a comment".to_owned()),
        1 => Just("def (broken:".to_owned()),
    ]
}

pub fn path() -> impl Strategy<Value = &'static str> {
    sources::any_path(&PATHS)
}
