//! The changes of TypeScript, TSX and JavaScript.

use super::Seed;
use super::project::Edit::{Delete, Move, Replace, Write};

const CART: &str = "packages/core/src/cart.ts";
const MONEY: &str = "packages/core/src/money.ts";
const INDEX: &str = "packages/core/src/index.ts";
const BOOKS: &str = "src/books.ts";
const DESK: &str = "src/desk.tsx";

/// Definitions and calls of every form.
pub const MORE: &[(&str, &str)] = &[
    (
        BOOKS,
        r#"import { Cart } from "@web/core";
import type { Money } from "@web/core/money";

export const RATE = 3;

export interface Account {
  owner: string;
  limit?: number;
}

export function charge(cart: Cart, amount: number, currency = "EUR", note?: string): Money {
  cart.pay();
  return { cents: amount, currency: note ?? currency };
}

export function collect(first: number, ...rest: number[]): number {
  return rest.reduce((sum, each) => sum + each, first);
}

export function convert(value: number): string;
export function convert(value: string, base: number): number;
export function convert(value: number | string, base = 10): number | string {
  return typeof value === "number" ? String(value) : parseInt(value, base);
}

export const double = (value: number) => {
  const result = value * 2;
  return result;
};

export function traced(target: Function, context: unknown) {
  console.log(target, context);
}

export class Ledger {
  static count = 0;
  private entries: number[] = [];

  constructor(
    readonly name: string,
    protected rate = RATE,
  ) {
    Ledger.count += 1;
  }

  static named(name: string): Ledger {
    return new Ledger(name);
  }

  get title(): string {
    return this.name.toUpperCase();
  }

  post(amount: number, when = "now"): void {
    this.entries.push(amount);
    console.log(when, this.rate);
  }

  async sync(depth: number): Promise<number> {
    return depth + this.entries.length;
  }
}

export class Archive extends Ledger {}

export default function describe(account: Account): string {
  return account.owner + (account.limit ?? 0);
}
"#,
    ),
    (
        DESK,
        r#"import { Cart } from "@web/core";
import describe, { Archive, Ledger, RATE, charge, collect, convert, double, traced, type Account } from "@/books";
import * as books from "@/books";

export function bill(cart: Cart) {
  return charge(cart, 5, "EUR", "thanks");
}

export function billDollars(cart: Cart) {
  return books.charge(cart, 5, "USD");
}

export function billMany(cart: Cart, rest: [number, string]) {
  return charge(cart, ...rest);
}

export function everything() {
  return collect(1, 2, RATE);
}

export function read(text: string) {
  return convert(text, 16);
}

export function close(ledger: Ledger): string {
  ledger.post(double(2), "then");
  ledger.post(3);
  return ledger.title;
}

export function openBooks() {
  return [new Ledger("a"), new Archive("b", 2), Ledger.named("c")];
}

export async function update(ledger: Ledger) {
  const depth = await ledger.sync(1);
  return depth;
}

export const handlers = { bill, charge };

export function nightly(carts: Cart[]) {
  return carts.map(bill);
}

export class Office {
  @traced
  open(account: Account) {
    return describe(account);
  }
}

interface PanelProps {
  title: string;
}

export function Panel({ title }: PanelProps) {
  const text = title.trim();
  return <h1>{text}</h1>;
}

export function Desk() {
  return (
    <div>
      <Panel title="Desk" />
    </div>
  );
}
"#,
    ),
];

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
    Seed {
        name: "move a function inside of its file",
        edits: &[
            Replace(BOOKS, "export function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n\n", ""),
            Replace(BOOKS, "export class Archive extends Ledger {}\n", "export class Archive extends Ledger {}\n\nexport function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n"),
        ],
        expected: "",
    },
    Seed {
        name: "move a function to another file and forget the callers",
        edits: &[
            Replace(BOOKS, "export function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n\n", ""),
            Write("src/sums.ts", "export function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n"),
        ],
        expected: "
            added src/sums
            moved src/books:collect -> src/sums:collect
            resolution src/desk
            resolution src/desk:everything
            broken src/desk -> src/books:collect: `collect` is not in src/books; it is src/sums:collect now
            broken src/desk:everything -> src/books:collect: `collect` is not in src/books; it is src/sums:collect now
        ",
    },
    Seed {
        name: "move a function to another file and export it where it was",
        edits: &[
            Replace(BOOKS, "export function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n\n", "export { collect } from \"./sums\";\n"),
            Write("src/sums.ts", "export function collect(first: number, ...rest: number[]): number {\n  return rest.reduce((sum, each) => sum + each, first);\n}\n"),
        ],
        expected: "
            added src/sums
            moved src/books:collect -> src/sums:collect
            ok src/desk:everything -> src/sums:collect
        ",
    },
    Seed { name: "move a file with its importers", edits: &[Move("src/components/Button.tsx", "src/components/Press.tsx"), Replace("src/components/CartView.tsx", "./Button", "./Press")], expected: "
            moved src/components/Button -> src/components/Press
            moved src/components/Button:Button -> src/components/Press:Button
            moved src/components/Button:ButtonProps -> src/components/Press:ButtonProps
            moved src/components/Button:ButtonProps.label -> src/components/Press:ButtonProps.label
            moved src/components/Button:ButtonProps.onPress -> src/components/Press:ButtonProps.onPress
            ok src/components/CartView:CartView -> src/components/Press:Button
        " },
    Seed { name: "move a file and forget the importers", edits: &[Move("src/components/Button.tsx", "src/components/Press.tsx")], expected: "
            moved src/components/Button -> src/components/Press
            moved src/components/Button:Button -> src/components/Press:Button
            moved src/components/Button:ButtonProps -> src/components/Press:ButtonProps
            moved src/components/Button:ButtonProps.label -> src/components/Press:ButtonProps.label
            moved src/components/Button:ButtonProps.onPress -> src/components/Press:ButtonProps.onPress
            resolution src/components/CartView
            resolution src/components/CartView:CartView
            broken src/components/CartView -> src/components/Button:Button: module `./Button` is gone; it is src/components/Press:Button now
            broken src/components/CartView:CartView -> src/components/Button:Button: module `./Button` is gone; it is src/components/Press:Button now
        " },
    Seed { name: "delete a file", edits: &[Delete(MONEY)], expected: "
            removed packages/core/src/money
            removed packages/core/src/money:Money
            removed packages/core/src/money:Money.cents
            removed packages/core/src/money:Money.currency
            removed packages/core/src/money:add
            removed packages/core/src/money:format
            broken packages/core/src/cart -> packages/core/src/money:Money: module `./money` is gone
            broken packages/core/src/cart -> packages/core/src/money:add: module `./money` is gone
            broken packages/core/src/cart:Cart.total -> packages/core/src/money:Money: module `./money` is gone
            broken packages/core/src/cart:Cart.total -> packages/core/src/money:add: module `./money` is gone
            broken packages/core/src/cart:Item -> packages/core/src/money:Money: module `./money` is gone
            broken packages/core/src/index -> packages/core/src/money:Money: module `./money` is gone
            broken packages/core/src/index -> packages/core/src/money:format: module `./money` is gone
            broken src/books -> packages/core/src/money:Money: module `@web/core/money` is gone
            broken src/books:charge -> packages/core/src/money:Money: module `@web/core/money` is gone
            broken src/cart.test -> packages/core/src/money:add: module `@web/core/money` is gone
            broken src/cart.test:a cart > adds up what is in it -> packages/core/src/money:add: module `@web/core/money` is gone
            broken src/components/CartView -> packages/core/src/money:format: packages/core/src/money:format is gone
            broken src/components/CartView:CartView -> packages/core/src/money:format: packages/core/src/money:format is gone
        " },
    Seed { name: "remove a method", edits: &[Replace(BOOKS, "  post(amount: number, when = \"now\"): void {\n    this.entries.push(amount);\n    console.log(when, this.rate);\n  }\n\n", "")], expected: "
            removed src/books:Ledger.post
            broken src/desk:close -> src/books:Ledger.post: `post` is not in src/books:Ledger
        " },
    Seed { name: "rename a method", edits: &[Replace(BOOKS, "  post(amount", "  enter(amount")], expected: "
            moved src/books:Ledger.post -> src/books:Ledger.enter
            resolution src/desk:close
            broken src/desk:close -> src/books:Ledger.post: `post` is not in src/books:Ledger; it is src/books:Ledger.enter now
        " },
    Seed { name: "give a method a required parameter", edits: &[Replace(BOOKS, "post(amount: number, when = \"now\")", "post(amount: number, place: string, when: string)")], expected: "
            signature src/books:Ledger.post
            broken src/desk:close -> src/books:Ledger.post: missing argument `place`
            broken src/desk:close -> src/books:Ledger.post: missing argument `when`
        " },
    Seed { name: "give a constructor a required parameter", edits: &[Replace(BOOKS, "    readonly name: string,\n", "    readonly name: string,\n    readonly owner: string,\n")], expected: "
            added src/books:Ledger.owner
            body src/books:Ledger
            signature src/books:Ledger.constructor
            broken src/books:Ledger.named -> src/books:Ledger.constructor: missing argument `owner`
            broken src/desk:openBooks -> src/books:Ledger.constructor: missing argument `owner`
            check src/books:Archive -> src/books:Ledger: body changed
            check src/desk:openBooks -> src/books:Ledger.constructor: signature changed
        " },
    Seed { name: "remove a constructor", edits: &[Replace(BOOKS, "  constructor(\n    readonly name: string,\n    protected rate = RATE,\n  ) {\n    Ledger.count += 1;\n  }\n", "  name = \"\";\n  protected rate = RATE;\n")], expected: "
            body src/books:Ledger
            removed src/books:Ledger.constructor
            signature src/books:Ledger.name
            signature src/books:Ledger.rate
            broken src/books:Ledger.named -> src/books:Ledger.constructor: takes 0 positional arguments, 1 are given
            broken src/desk:openBooks -> src/books:Ledger.constructor: takes 0 positional arguments, 1 are given
            broken src/desk:openBooks -> src/books:Ledger.constructor: takes 0 positional arguments, 2 are given
            check src/books:Archive -> src/books:Ledger: body changed
            check src/books:Ledger.post -> src/books:Ledger.rate: signature changed
            check src/books:Ledger.title -> src/books:Ledger.name: signature changed
        " },
    Seed { name: "give a subclass a constructor of its own", edits: &[Replace(BOOKS, "class Archive extends Ledger {}", "class Archive extends Ledger {\n  constructor() {\n    super(\"archive\");\n  }\n}")], expected: "
            added src/books:Archive.constructor
            broken src/desk:openBooks -> src/books:Archive.constructor: takes 0 positional arguments, 2 are given
        " },
    Seed { name: "give a parent's constructor too many arguments", edits: &[Replace(BOOKS, "class Archive extends Ledger {}", "class Archive extends Ledger {\n  constructor(name: string, rate: number) {\n    super(name, rate);\n  }\n}"), Replace(BOOKS, "    protected rate = RATE,\n", ""), Replace(BOOKS, "  private entries", "  protected rate = RATE;\n  private entries")], expected: "
            added src/books:Archive.constructor
            body src/books:Ledger
            signature src/books:Ledger.constructor
            signature src/books:Ledger.rate
            broken src/books:Archive.constructor -> src/books:Ledger.constructor: takes 1 positional argument, 2 are given
            check src/books:Archive -> src/books:Ledger: body changed
            check src/books:Ledger.named -> src/books:Ledger.constructor: signature changed
            check src/books:Ledger.post -> src/books:Ledger.rate: signature changed
            check src/desk:openBooks -> src/books:Archive.constructor: constructor added
            check src/desk:openBooks -> src/books:Ledger.constructor: signature changed
        " },
    Seed { name: "make a method a getter", edits: &[Replace(BOOKS, "  async sync(depth: number): Promise<number> {\n    return depth + this.entries.length;", "  get sync(): Promise<number> {\n    return Promise.resolve(this.entries.length);")], expected: "
            signature src/books:Ledger.sync
            broken src/desk:update -> src/books:Ledger.sync: `sync` is a property now
        " },
    Seed { name: "make a getter a method", edits: &[Replace(BOOKS, "  get title()", "  title()")], expected: "
            resolution src/desk:close
            signature src/books:Ledger.title
            broken src/desk:close -> src/books:Ledger.title: `title` is no property any more
        " },
    Seed { name: "make a static method one of instances", edits: &[Replace(BOOKS, "  static named(", "  named(")], expected: "
            signature src/books:Ledger.named
            broken src/desk:openBooks -> src/books:Ledger.named: is a member of instances now
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
    Seed { name: "rename a class", edits: &[Replace(BOOKS, "class Ledger {", "class Journal {"), Replace(BOOKS, "Ledger.count", "Journal.count"), Replace(BOOKS, "named(name: string): Ledger {\n    return new Ledger(", "named(name: string): Journal {\n    return new Journal("), Replace(BOOKS, "extends Ledger", "extends Journal")], expected: "
            moved src/books:Ledger -> src/books:Journal
            moved src/books:Ledger.constructor -> src/books:Journal.constructor
            moved src/books:Ledger.count -> src/books:Journal.count
            moved src/books:Ledger.entries -> src/books:Journal.entries
            moved src/books:Ledger.name -> src/books:Journal.name
            moved src/books:Ledger.named -> src/books:Journal.named
            moved src/books:Ledger.post -> src/books:Journal.post
            moved src/books:Ledger.rate -> src/books:Journal.rate
            moved src/books:Ledger.sync -> src/books:Journal.sync
            moved src/books:Ledger.title -> src/books:Journal.title
            resolution src/desk
            resolution src/desk:close
            resolution src/desk:openBooks
            resolution src/desk:update
            signature src/books:Archive
            broken src/desk -> src/books:Ledger: `Ledger` is not in src/books; it is src/books:Journal now
            broken src/desk:close -> src/books:Ledger.title: `title` may come from outside the project now; it is src/books:Journal.title now; src/books:Ledger is lost too
            broken src/desk:close -> src/books:Ledger: `Ledger` is not in src/books; it is src/books:Journal now
            broken src/desk:openBooks -> src/books:Ledger: `Ledger` is not in src/books; it is src/books:Journal now
            broken src/desk:update -> src/books:Ledger: `Ledger` is not in src/books; it is src/books:Journal now
            check src/books:Journal.named -> src/books:Journal.constructor: body changed
            check src/desk:openBooks -> src/books:Archive: signature changed
            check src/desk:openBooks -> src/books:Journal.constructor: body changed
            check src/desk:openBooks -> src/books:Journal.named: signature changed
            ok src/desk:close -> src/books:Journal.post
            ok src/desk:update -> src/books:Journal.sync
        " },
    Seed { name: "remove a class", edits: &[Replace(BOOKS, "export class Archive extends Ledger {}\n", "")], expected: "
            removed src/books:Archive
            broken src/desk -> src/books:Archive: `Archive` is not in src/books
            broken src/desk:openBooks -> src/books:Archive: `Archive` is not in src/books
        " },
    Seed { name: "remove a base class", edits: &[Replace(BOOKS, "class Archive extends Ledger {}", "class Archive {}")], expected: "
            signature src/books:Archive
            broken src/desk:openBooks -> src/books:Archive: takes 0 positional arguments, 2 are given
        " },
    Seed { name: "remove an interface", edits: &[Replace(BOOKS, "export interface Account {\n  owner: string;\n  limit?: number;\n}\n", "type Owner = { owner: string; limit?: number };\n"), Replace(BOOKS, "account: Account", "account: Owner")], expected: "
            added src/books:Owner
            added src/books:Owner.limit
            added src/books:Owner.owner
            removed src/books:Account
            removed src/books:Account.limit
            removed src/books:Account.owner
            signature src/books:describe
            broken src/desk -> src/books:Account: `Account` is not in src/books
            broken src/desk:Office.open -> src/books:Account: `Account` is not in src/books
            check src/books:describe -> src/books:Account.limit: now means src/books:Owner.limit
            check src/books:describe -> src/books:Account.owner: now means src/books:Owner.owner
            check src/desk:Office.open -> src/books:describe: signature changed
        " },
    Seed { name: "change a property of an interface", edits: &[Replace(BOOKS, "  limit?: number;\n", "  limit?: bigint;\n")], expected: "
            body src/books:Account
            signature src/books:Account.limit
            check src/books:describe -> src/books:Account.limit: signature changed
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
    Seed { name: "no longer export a function", edits: &[Replace(BOOKS, "export function collect", "function collect")], expected: "
            resolution src/desk
            resolution src/desk:everything
            signature src/books:collect
            broken src/desk -> src/books:collect: `collect` is not in src/books
            broken src/desk:everything -> src/books:collect: `collect` is not in src/books
        " },
    Seed { name: "no longer export a default", edits: &[Replace(BOOKS, "export default function describe", "export function describe")], expected: "
            resolution src/desk
            resolution src/desk:Office.open
            signature src/books:describe
            broken src/desk -> src/books:describe: `default` is not in src/books
            broken src/desk:Office.open -> src/books:describe: `describe` is not in src/books
        " },
    Seed { name: "take a barrel's line away", edits: &[Replace(INDEX, "export * from \"./cart\";\n", "")], expected: "
            resolution src/api
            resolution src/api:Api.load
            resolution src/api:Api.send
            resolution src/books
            resolution src/books:charge
            resolution src/cart.test
            resolution src/cart.test:a cart > adds up what is in it
            resolution src/cart.test:a cart > is paid once
            resolution src/components/CartView
            resolution src/components/CartView:CartView
            resolution src/desk
            resolution src/desk:bill
            resolution src/desk:billDollars
            resolution src/desk:billMany
            resolution src/desk:nightly
            resolution src/main:start
            broken src/api -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/api -> packages/core/src/cart:Item: `Item` is not in packages/core/src/index
            broken src/api:Api.load -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/api:Api.load -> packages/core/src/cart:Item: `Item` is not in packages/core/src/index
            broken src/api:Api.send -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/books -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/books:charge -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/cart.test -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/cart.test -> packages/core/src/cart:Status: `Status` is not in packages/core/src/index
            broken src/cart.test:a cart > adds up what is in it -> packages/core/src/cart:Cart.put: `put` cannot be found any more; packages/core/src/cart:Cart is lost too
            broken src/cart.test:a cart > adds up what is in it -> packages/core/src/cart:Cart.total: `Cart` is not in packages/core/src/index
            broken src/cart.test:a cart > adds up what is in it -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/cart.test:a cart > is paid once -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/cart.test:a cart > is paid once -> packages/core/src/cart:Status.Paid: `Status` is not in packages/core/src/index
            broken src/cart.test:a cart > is paid once -> packages/core/src/cart:Status: `Status` is not in packages/core/src/index
            broken src/components/CartView -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/components/CartView:CartView -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/desk -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/desk:bill -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/desk:billDollars -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/desk:billMany -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
            broken src/desk:nightly -> packages/core/src/cart:Cart: `Cart` is not in packages/core/src/index
        " },
    Seed { name: "rename what a barrel gives", edits: &[Replace(INDEX, "format as formatMoney", "format as printMoney")], expected: "
            resolution src/components/CartView
            resolution src/components/CartView:CartView
            broken src/components/CartView -> packages/core/src/money:format: `formatMoney` is not in packages/core/src/index
            broken src/components/CartView:CartView -> packages/core/src/money:format: `formatMoney` is not in packages/core/src/index
        " },
    Seed { name: "remove a member of an enumeration", edits: &[Replace(CART, "  Paid,\n", ""), Replace(CART, "Status.Paid", "Status.Open")], expected: "
            body packages/core/src/cart:Cart.pay
            body packages/core/src/cart:Status
            removed packages/core/src/cart:Status.Paid
            broken src/cart.test:a cart > is paid once -> packages/core/src/cart:Status.Paid: `Paid` is not in packages/core/src/cart:Status
            check src/books:charge -> packages/core/src/cart:Cart.pay: body changed
            check src/cart.test:a cart > is paid once -> packages/core/src/cart:Cart.pay: body changed
            check src/components/CartView:CartView.checkout -> packages/core/src/cart:Cart.pay: body changed
        " },
    Seed { name: "change a function of JavaScript", edits: &[Replace("src/text.js", "function pad(text, width)", "function pad(text, width, fill)")], expected: "
            signature src/text:pad
            broken src/legacy:log -> src/text:pad: missing argument `fill`
        " },
    Seed { name: "drop a parameter of JavaScript", edits: &[Replace("src/text.js", "function pad(text, width) {\n  return text.padEnd(width)", "function pad(text) {\n  return text.padEnd(10)")], expected: "
            signature src/text:pad
            check src/legacy:log -> src/text:pad: signature changed
        " },
    Seed { name: "no longer export from CommonJS", edits: &[Replace("src/legacy.js", "module.exports = { log };", "module.exports = {};")], expected: "
            body src/legacy
            resolution src/main
            resolution src/main:start
            broken src/main -> src/legacy:log: `log` is not in src/legacy
            broken src/main:start -> src/legacy:log: `log` is not in src/legacy
        " },
    Seed {
        name: "override a method, so that calls run it",
        edits: &[Replace(BOOKS, "class Archive extends Ledger {}", "class Archive extends Ledger {\n  static named(name: string): Ledger {\n    return new Archive(name);\n  }\n}")],
        expected: "
            added src/books:Archive.named
        ",
    },
    Seed {
        name: "change a function and its callers with it",
        edits: &[Replace(BOOKS, "value: number) => {", "value: number, times: number) => {"), Replace(DESK, "double(2)", "double(2, 3)")],
        expected: "
            body src/desk:close
            signature src/books:double
            check src/desk:close -> src/books:double: signature changed
        ",
    },
    Seed { name: "forget an import", edits: &[Replace(DESK, "charge, collect, convert", "charge, convert")], expected: "
            resolution src/desk:everything
            broken src/desk:everything -> src/books:collect: `collect` is not defined
        " },
    Seed { name: "lead paths elsewhere", edits: &[Replace("tsconfig.json", "\"@/*\": [\"src/*\"]", "\"@/*\": [\"elsewhere/*\"]")], expected: "
            config_changed tsconfig.json
            resolution src/components/CartView
            resolution src/components/CartView:CartView.checkout
            resolution src/desk
            resolution src/desk:Office
            resolution src/desk:Office.open
            resolution src/desk:bill
            resolution src/desk:billDollars
            resolution src/desk:billMany
            resolution src/desk:close
            resolution src/desk:everything
            resolution src/desk:openBooks
            resolution src/desk:read
            resolution src/desk:update
            resolution src/main
            resolution src/main:start
            check src/components/CartView -> src/api:Api: `@/api` leads out of the project now
            check src/components/CartView:CartView.checkout -> src/api:Api.send: `send` cannot be found any more
            check src/desk -> src/books: `@/books` leads out of the project now
            check src/desk -> src/books:Account: `@/books` leads out of the project now
            check src/desk -> src/books:Archive: `@/books` leads out of the project now
            check src/desk -> src/books:Ledger: `@/books` leads out of the project now
            check src/desk -> src/books:RATE: `@/books` leads out of the project now
            check src/desk -> src/books:charge: `@/books` leads out of the project now
            check src/desk -> src/books:collect: `@/books` leads out of the project now
            check src/desk -> src/books:convert: `@/books` leads out of the project now
            check src/desk -> src/books:describe: `@/books` leads out of the project now
            check src/desk -> src/books:double: `@/books` leads out of the project now
            check src/desk -> src/books:traced: `@/books` leads out of the project now
            check src/desk:Office -> src/books:traced: `@/books` leads out of the project now
            check src/desk:Office.open -> src/books:Account: `@/books` leads out of the project now
            check src/desk:Office.open -> src/books:describe: `@/books` leads out of the project now
            check src/desk:bill -> src/books:charge: `@/books` leads out of the project now
            check src/desk:billDollars -> src/books:charge: `charge` cannot be found any more
            check src/desk:billMany -> src/books:charge: `@/books` leads out of the project now
            check src/desk:close -> src/books:Ledger: `@/books` leads out of the project now
            check src/desk:close -> src/books:double: `@/books` leads out of the project now
            check src/desk:everything -> src/books:RATE: `@/books` leads out of the project now
            check src/desk:everything -> src/books:collect: `@/books` leads out of the project now
            check src/desk:openBooks -> src/books:Archive: `@/books` leads out of the project now
            check src/desk:openBooks -> src/books:Ledger: `@/books` leads out of the project now
            check src/desk:read -> src/books:convert: `@/books` leads out of the project now
            check src/desk:update -> src/books:Ledger: `@/books` leads out of the project now
            check src/main -> src/api:Api: `@/api` leads out of the project now
            check src/main -> src/components/CartView:CartView: `@/components/CartView` leads out of the project now
            check src/main:start -> src/api:Api.load: `load` cannot be found any more
            check src/main:start -> src/api:Api: `@/api` leads out of the project now
            check src/main:start -> src/components/CartView:CartView: `@/components/CartView` leads out of the project now
        " },
    Seed { name: "change what runs on import", edits: &[Replace("src/main.tsx", "void start(document.body);", "void start(document.body.parentElement!);")], expected: "
            body src/main
        " },
    Seed { name: "change a file that is not read", edits: &[Write("README.md", "A shop.\n")], expected: "
            unread README.md
        " },
];
