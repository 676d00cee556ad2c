//! The changes of TypeScript, TSX and JavaScript, and the files of their own that the project gets for them.

mod classes;
mod files;
mod functions;

use super::Seed;

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

pub const SEEDS: [&[Seed]; 3] = [functions::SEEDS, classes::SEEDS, files::SEEDS];
