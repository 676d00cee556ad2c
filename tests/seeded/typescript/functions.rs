//! Changes of functions and components, their parameters and values.

use super::{BOOKS, DESK, MONEY};
use crate::Seed;
use crate::project::Edit::Replace;

pub const SEEDS: &[Seed] = &[
    Seed {
        name: "remove a function",
        edits: &[Replace(BOOKS, "export function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n", "")],
        expected: "
            removed src/books:collect
            broken src/desk -> src/books:collect: `collect` is not in src/books
            broken src/desk:everything -> src/books:collect: `collect` is not in src/books
        ",
    },
    Seed { name: "rename a function", edits: &[Replace(BOOKS, "function collect(", "function gather(")], expected: "
            moved src/books:collect -> src/books:gather
            resolution src/desk
            resolution src/desk:everything
            broken src/desk -> src/books:collect: `collect` is not in src/books; it is src/books:gather now
            broken src/desk:everything -> src/books:collect: `collect` is not in src/books; it is src/books:gather now
        " },
    Seed {
        name: "rename a function with its callers",
        edits: &[Replace(BOOKS, "function collect(", "function gather("), Replace(DESK, "charge, collect,", "charge, gather,"), Replace(DESK, "return collect(", "return gather(")],
        expected: "
            body src/desk:everything
            moved src/books:collect -> src/books:gather
            ok src/desk:everything -> src/books:gather
        ",
    },
    Seed {
        name: "add a required parameter",
        edits: &[Replace(BOOKS, "amount: number, currency = \"EUR\"", "amount: number, country: string, currency = \"EUR\"")],
        expected: "
            signature src/books:charge
            check src/desk -> src/books:charge: signature changed
            check src/desk:bill -> src/books:charge: signature changed
            check src/desk:billDollars -> src/books:charge: signature changed
            check src/desk:billMany -> src/books:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "add a required parameter at the end",
        edits: &[Replace(BOOKS, "value: number) => {", "value: number, times: number) => {")],
        expected: "
            signature src/books:double
            broken src/desk:close -> src/books:double: missing argument `times`
        ",
    },
    Seed { name: "add an optional parameter", edits: &[Replace(BOOKS, "note?: string)", "note?: string, quiet = false)")], expected: "
            signature src/books:charge
            check src/desk -> src/books:charge: signature changed
            check src/desk:bill -> src/books:charge: signature changed
            check src/desk:billDollars -> src/books:charge: signature changed
            check src/desk:billMany -> src/books:charge: signature changed; the arguments cannot be told
        " },
    Seed { name: "drop a parameter that is given", edits: &[Replace(BOOKS, ", note?: string", ""), Replace(BOOKS, "note ?? currency", "currency")], expected: "
            signature src/books:charge
            broken src/desk:bill -> src/books:charge: takes 3 positional arguments, 4 are given
            check src/desk -> src/books:charge: signature changed
            check src/desk:billDollars -> src/books:charge: signature changed
            check src/desk:billMany -> src/books:charge: signature changed; the arguments cannot be told
        " },
    Seed { name: "make an optional parameter required", edits: &[Replace(BOOKS, "note?: string)", "note: string)")], expected: "
            signature src/books:charge
            broken src/desk:billDollars -> src/books:charge: missing argument `note`
            check src/desk -> src/books:charge: signature changed
            check src/desk:bill -> src/books:charge: signature changed
            check src/desk:billMany -> src/books:charge: signature changed; the arguments cannot be told
        " },
    Seed { name: "take a default away", edits: &[Replace(BOOKS, "when = \"now\"", "when: string")], expected: "
            signature src/books:Ledger.post
            broken src/desk:close -> src/books:Ledger.post: missing argument `when`
            check src/desk:close -> src/books:Ledger.post: signature changed
        " },
    Seed { name: "give a default", edits: &[Replace(BOOKS, "value: number) => {", "value = 1) => {")], expected: "
            signature src/books:double
            check src/desk:close -> src/books:double: signature changed
        " },
    Seed { name: "rename a parameter", edits: &[Replace(BOOKS, "value: number) => {\n  const result = value * 2", "each: number) => {\n  const result = each * 2")], expected: "
            signature src/books:double
            check src/desk:close -> src/books:double: signature changed
        " },
    Seed { name: "take the rest parameter away", edits: &[Replace(BOOKS, "first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first)", "first: number): number {\n  return first")], expected: "
            signature src/books:collect
            broken src/desk:everything -> src/books:collect: takes 1 positional argument, 3 are given
        " },
    Seed { name: "make the rest a list", edits: &[Replace(BOOKS, "...rest: number[]", "rest: number[]")], expected: "
            signature src/books:collect
            broken src/desk:everything -> src/books:collect: takes 2 positional arguments, 3 are given
        " },
    Seed { name: "take arguments as they come", edits: &[Replace(BOOKS, "(value: number) => {\n  const result = value * 2", "(...values: number[]) => {\n  const result = values[0] * 2")], expected: "
            signature src/books:double
            check src/desk:close -> src/books:double: signature changed
        " },
    Seed { name: "change only a body", edits: &[Replace(BOOKS, "value * 2", "value + value")], expected: "
            body src/books:double
            check src/desk:close -> src/books:double: body changed
        " },
    Seed { name: "change a type", edits: &[Replace(BOOKS, "export const double = (value: number)", "export const double = (value: bigint)")], expected: "
            signature src/books:double
            check src/desk:close -> src/books:double: signature changed
        " },
    Seed {
        name: "reformat",
        edits: &[
            Replace(BOOKS, "export function charge(cart: Cart, amount: number, currency = \"EUR\", note?: string): Money {", "export function charge(\n  cart: Cart,\n  amount: number,\n  currency = 'EUR',\n  note?: string,\n): Money {"),
            Replace(BOOKS, "  return rest.reduce((sum, each) => sum + each, first);", "  // all of them\n  return rest.reduce((sum, each) => sum + each, first)"),
            Replace(BOOKS, "export const double = (value: number) => {", "export const double = (\n  value: number\n) => {"),
            Replace(DESK, "  return (\n    <div>\n      <Panel title=\"Desk\" />\n    </div>\n  );", "  return <div><Panel title='Desk'/></div>;"),
        ],
        expected: "",
    },
    Seed { name: "change documentation only", edits: &[Replace(MONEY, "/** How a sum is written. */", "/** How a sum is printed. */")], expected: "
            doc packages/core/src/money:format
        " },
    Seed { name: "make a function asynchronous", edits: &[Replace(BOOKS, "export function collect(", "export async function collect(")], expected: "
            signature src/books:collect
            check src/desk:everything -> src/books:collect: signature changed
        " },
    Seed { name: "remove an overload", edits: &[Replace(BOOKS, "export function convert(value: string, base: number): number;\n", "")], expected: "
            signature src/books:convert
            broken src/desk:read -> src/books:convert: takes 1 positional argument, 2 are given
        " },
    Seed { name: "change an overload that nobody uses", edits: &[Replace(BOOKS, "export function convert(value: number): string;", "export function convert(value: number, width: number, fill: string): string;")], expected: "
            signature src/books:convert
            check src/desk:read -> src/books:convert: signature changed
        " },
    Seed { name: "remove a decorator", edits: &[Replace(BOOKS, "export function traced(target: Function, context: unknown) {\n  console.log(target, context);\n}\n", "")], expected: "
            removed src/books:traced
            broken src/desk -> src/books:traced: `traced` is not in src/books
            broken src/desk:Office -> src/books:traced: `traced` is not in src/books
        " },
    Seed { name: "remove a component", edits: &[Replace(DESK, "export function Panel({ title }: PanelProps) {\n  const text = title.trim();\n  return <h1>{text}</h1>;\n}\n", "")], expected: "
            removed src/desk:Panel
            broken src/desk:Desk -> src/desk:Panel: `Panel` is not defined
        " },
    Seed { name: "rename a component", edits: &[Replace("src/components/Button.tsx", "function Button(", "function Press(")], expected: "
            moved src/components/Button:Button -> src/components/Button:Press
            resolution src/components/CartView
            resolution src/components/CartView:CartView
            broken src/components/CartView -> src/components/Button:Button: `Button` is not in src/components/Button; it is src/components/Button:Press now
            broken src/components/CartView:CartView -> src/components/Button:Button: `Button` is not in src/components/Button; it is src/components/Button:Press now
        " },
    Seed { name: "remove a callback", edits: &[Replace(DESK, "export function bill(cart: Cart) {\n  return charge(cart, 5, \"EUR\", \"thanks\");\n}\n", "")], expected: "
            removed src/desk:bill
            broken src/desk -> src/desk:bill: `bill` is not defined
            broken src/desk:nightly -> src/desk:bill: `bill` is not defined
        " },
    Seed { name: "remove a constant", edits: &[Replace(BOOKS, "export const RATE = 3;\n", ""), Replace(BOOKS, "rate = RATE", "rate = 3")], expected: "
            removed src/books:RATE
            signature src/books:Ledger.constructor
            broken src/desk -> src/books:RATE: `RATE` is not in src/books
            broken src/desk:everything -> src/books:RATE: `RATE` is not in src/books
            check src/books:Ledger.named -> src/books:Ledger.constructor: signature changed
            check src/desk:openBooks -> src/books:Ledger.constructor: signature changed
        " },
    Seed { name: "change a constant", edits: &[Replace(BOOKS, "RATE = 3", "RATE = 4")], expected: "
            body src/books:RATE
            check src/books:Ledger -> src/books:RATE: body changed
            check src/desk:everything -> src/books:RATE: body changed
        " },
    Seed { name: "change a function of JavaScript", edits: &[Replace("src/text.js", "function pad(text, width)", "function pad(text, width, fill)")], expected: "
            signature src/text:pad
            broken src/legacy:log -> src/text:pad: missing argument `fill`
        " },
    Seed { name: "drop a parameter of JavaScript", edits: &[Replace("src/text.js", "function pad(text, width) {\n  return text.padEnd(width)", "function pad(text) {\n  return text.padEnd(10)")], expected: "
            signature src/text:pad
            check src/legacy:log -> src/text:pad: signature changed
        " },
    Seed {
        name: "change a function and its callers with it",
        edits: &[Replace(BOOKS, "value: number) => {", "value: number, times: number) => {"), Replace(DESK, "double(2)", "double(2, 3)")],
        expected: "
            body src/desk:close
            signature src/books:double
            check src/desk:close -> src/books:double: signature changed
        ",
    },
];
