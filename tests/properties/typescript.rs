//! Random TypeScript and JavaScript.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::sources::{self, CLASSES, MEMBERS, VARIABLES};

const PATHS: [&str; 13] = [
    "a.ts",
    "b.ts",
    "lib/index.ts",
    "view.tsx",
    "lib/c.ts",
    "lib/d.js",
    "lib/e.cjs",
    "lib/c.d.ts",
    "src/f.ts",
    "src/a.ts",
    "packages/p/index.ts",
    "a.test.ts",
    "lib/a.spec.js",
];
const SPECIFIERS: [&str; 14] =
    ["./a", "./b", "./lib", "./lib/c", "./lib/d.js", "./c", "./d", "./e.cjs", "../a", "../b", "@/f", "p", "src/a", "."];
const FUNCTIONS: [&str; 3] = ["f", "g", "h"];

fn any_name() -> impl Strategy<Value = &'static str> {
    sources::any_name(&FUNCTIONS)
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => any_name().prop_map(str::to_owned),
        4 => select(&CLASSES).prop_map(|class| format!("new {class}()")),
        3 => select(&FUNCTIONS).prop_map(|function| format!("{function}()")),
        2 => Just("this".to_owned()),
        1 => select(&SPECIFIERS).prop_map(|module| format!("require(\"{module}\")")),
        1 => Just("null".to_owned()),
    ];
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            5 => (inner.clone(), select(&MEMBERS)).prop_map(|(of, name)| format!("{of}.{name}()")),
            3 => (inner.clone(), any_name()).prop_map(|(of, name)| format!("{of}.{name}")),
            1 => inner.clone().prop_map(|of| format!("[{of}]")),
            1 => (select(&MEMBERS), inner.clone()).prop_map(|(name, value)| format!("({{{name}: {value}}})")),
            1 => inner.clone().prop_map(|of| format!("((v) => {of})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("({one} ?? {other})")),
            1 => (select(&FUNCTIONS), inner).prop_map(|(function, argument)| format!("{function}({argument})")),
        ]
    })
}

fn annotation() -> impl Strategy<Value = String> {
    let class = || select(&CLASSES);
    prop_oneof![
        4 => class().prop_map(str::to_owned),
        1 => class().prop_map(|class| format!("{class}[]")),
        1 => class().prop_map(|class| format!("{class} | null")),
        1 => class().prop_map(|class| format!("typeof {class}")),
        1 => class().prop_map(|class| format!("() => {class}")),
    ]
}

fn import() -> impl Strategy<Value = String> {
    let from = || prop_oneof![2 => select(&SPECIFIERS[..3]), 1 => select(&SPECIFIERS)];
    let name = any_name;
    prop_oneof![
        4 => (name(), from()).prop_map(|(name, from)| format!("import {{ {name} }} from \"{from}\"")),
        1 => (name(), name(), from()).prop_map(|(a, b, from)| format!("import {{ {a} as {b} }} from \"{from}\"")),
        1 => (name(), from()).prop_map(|(name, from)| format!("import {name} from \"{from}\"")),
        1 => (name(), from()).prop_map(|(name, from)| format!("import * as {name} from \"{from}\"")),
        1 => (name(), from()).prop_map(|(name, from)| format!("import type {{ {name} }} from \"{from}\"")),
        2 => from().prop_map(|from| format!("export * from \"{from}\"")),
        2 => (name(), from()).prop_map(|(name, from)| format!("export {{ {name} }} from \"{from}\"")),
        1 => (name(), from()).prop_map(|(name, from)| format!("export {{ {name} as default }} from \"{from}\"")),
        1 => (name(), name(), from()).prop_map(|(a, b, from)| format!("export {{ {a} as {b} }} from \"{from}\"")),
        1 => (select(&FUNCTIONS), select(&FUNCTIONS)).prop_map(|(a, b)| format!("export {{ {a} as {b} }}")),
        1 => (name(), from()).prop_map(|(name, from)| format!("export * as {name} from \"{from}\"")),
        1 => (name(), from()).prop_map(|(name, from)| format!("const {name} = require(\"{from}\")")),
        1 => (name(), from()).prop_map(|(name, from)| format!("const {{ {name} }} = require(\"{from}\")")),
    ]
}

fn lines() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => expression(),
        3 => expression().prop_map(|value| format!("return {value}")),
        2 => (select(&VARIABLES), expression()).prop_map(|(name, value)| format!("const {name} = {value}")),
        1 => (select(&MEMBERS), expression()).prop_map(|(name, value)| format!("this.{name} = {value}")),
        1 => (select(&VARIABLES), select(&CLASSES)).prop_map(|(v, class)| format!("if ({v} instanceof {class}) {v}.m()")),
        1 => (select(&MEMBERS), select(&CLASSES))
            .prop_map(|(x, class)| format!("if (this.{x} instanceof {class}) this.{x}.m()")),
        1 => expression().prop_map(|argument| format!("v({argument})")),
        1 => (select(&MEMBERS), expression()).prop_map(|(x, argument)| format!("this.{x}({argument})")),
    ];
    vec(line, 1..4).prop_map(|lines| lines.join("\n    "))
}

fn function() -> impl Strategy<Value = String> {
    (select(&FUNCTIONS), annotation(), lines())
        .prop_map(|(name, parameter, body)| format!("function {name}(v: {parameter}) {{\n    {body}\n}}"))
}

fn class() -> impl Strategy<Value = String> {
    let member = prop_oneof![
        4 => (select(&MEMBERS), lines()).prop_map(|(name, body)| format!("{name}(v) {{\n    {body}\n}}")),
        1 => (select(&MEMBERS), annotation()).prop_map(|(name, annotation)| format!("{name}: {annotation}")),
        1 => (select(&MEMBERS), lines()).prop_map(|(name, body)| format!("get {name}() {{\n    {body}\n}}")),
        1 => (select(&VARIABLES), annotation()).prop_map(|(name, of)| format!("constructor(private {name}: {of}) {{}}")),
        1 => (select(&MEMBERS), expression()).prop_map(|(name, value)| format!("static {name} = {value}")),
    ];
    let base = prop_oneof![2 => Just(String::new()), 2 => select(&CLASSES).prop_map(|base| format!(" extends {base}"))];
    (select(&CLASSES), base, vec(member, 1..4))
        .prop_map(|(name, base, members)| format!("class {name}{base} {{\n{}\n}}", members.join("\n")))
}

/// A statement of a module.
pub fn chunk() -> impl Strategy<Value = String> {
    let exported = |text: String| format!("export {text}");
    prop_oneof![
        7 => import(),
        4 => function().prop_map(exported),
        2 => function(),
        4 => class().prop_map(exported),
        1 => class().prop_map(|class| format!("export default {class}")),
        1 => expression().prop_map(|value| format!("export default {value}")),
        1 => expression().prop_map(|value| format!("module.exports = {value}")),
        1 => (any_name(), expression()).prop_map(|(name, value)| format!("exports.{name} = {value}")),
        1 => (select(&VARIABLES), expression()).prop_map(|(name, value)| format!("export const {name} = {value}")),
        1 => (select(&CLASSES), select(&MEMBERS), annotation())
            .prop_map(|(name, member, result)| format!("export interface {name} {{ {member}(): {result} }}")),
        1 => (select(&CLASSES), annotation()).prop_map(|(name, of)| format!("export type {name} = {of}")),
        1 => (select(&VARIABLES), lines()).prop_map(|(title, body)| format!("test(\"{title}\", () => {{\n    {body}\n}})")),
        1 => Just("// a comment".to_owned()),
        1 => Just("function (broken {".to_owned()),
    ]
}

pub fn path() -> impl Strategy<Value = &'static str> {
    sources::any_path(&PATHS)
}

/// A configuration file with a text that changes where imports lead.
pub fn configuration() -> impl Strategy<Value = (&'static str, String)> {
    prop_oneof![
        Just(("tsconfig.json", "{ \"compilerOptions\": { \"baseUrl\": \".\" } }".to_owned())),
        Just(("tsconfig.json", "{ \"compilerOptions\": { \"paths\": { \"@/*\": [\"./src/*\"] } } }".to_owned())),
        Just(("package.json", "{ \"workspaces\": [\"packages/*\"] }".to_owned())),
        Just(("package.json", "{ \"type\": \"module\" }".to_owned())),
        Just(("packages/p/package.json", "{ \"name\": \"p\", \"exports\": \"./index.ts\" }".to_owned())),
        Just(("packages/p/package.json", "{ \"name\": \"q\" }".to_owned())),
        Just(("package.json", "{ \"dependencies\": { \"p\": \"file:packages/p\" } }".to_owned())),
        Just(("package.json", "{ \"dependencies\": { \"p\": \"1.0.0\" } }".to_owned())),
    ]
}
