//! Changes of classes, interfaces and enumerations, and their members.

use super::{BOOKS, CART};
use crate::Seed;
use crate::project::Edit::Replace;

pub const SEEDS: &[Seed] = &[
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
    Seed { name: "remove a member of an enumeration", edits: &[Replace(CART, "  Paid,\n", ""), Replace(CART, "Status.Paid", "Status.Open")], expected: "
            body packages/core/src/cart:Cart.pay
            body packages/core/src/cart:Status
            removed packages/core/src/cart:Status.Paid
            broken src/cart.test:a cart > is paid once -> packages/core/src/cart:Status.Paid: `Paid` is not in packages/core/src/cart:Status
            check src/books:charge -> packages/core/src/cart:Cart.pay: body changed
            check src/cart.test:a cart > is paid once -> packages/core/src/cart:Cart.pay: body changed
            check src/components/CartView:CartView.checkout -> packages/core/src/cart:Cart.pay: body changed
        " },
    Seed {
        name: "override a method, so that calls run it",
        edits: &[Replace(BOOKS, "class Archive extends Ledger {}", "class Archive extends Ledger {\n  static named(name: string): Ledger {\n    return new Archive(name);\n  }\n}")],
        expected: "
            added src/books:Archive.named
        ",
    },
];
