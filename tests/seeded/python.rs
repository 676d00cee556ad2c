//! The changes of Python.

use super::Seed;
use super::project::Edit::{Delete, Move, Replace, Write};

const MODELS: &str = "shop/models.py";
const SERVICE: &str = "shop/service.py";
const BILLING: &str = "shop/billing.py";
const OFFICE: &str = "shop/office.py";

/// Definitions and calls of every form.
pub const MORE: &[(&str, &str)] = &[
    (
        BILLING,
        r#""""Money."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from shop.models import Order, audit

RATE = 3


@dataclass
class Invoice:
    number: int
    order: Order
    notes: list[str] = field(default_factory=list)
    paid: bool = False

    def due(self) -> int:
        return 0 if self.paid else self.order.total


class Line(NamedTuple):
    text: str
    cents: int = 0


def charge(order: Order, amount: int, currency: str = "EUR", *, retry: bool = False) -> Invoice:
    audit(currency)
    if retry:
        audit("again")
    return Invoice(amount, order)


def discount(order: Order, /, percent: int) -> int:
    return order.total * percent // 100


def total(*orders: Order, **options: int) -> int:
    return sum(order.total for order in orders) + len(options)


@overload
def convert(value: int) -> str: ...
@overload
def convert(value: str, base: int) -> int: ...
def convert(value, base=10):
    return str(value) if isinstance(value, int) else int(value, base)


def traced(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


class Ledger:
    def __init__(self, name: str) -> None:
        self.name = name

    @staticmethod
    def cents(amount: int) -> int:
        return amount * 100

    @classmethod
    def named(cls, name: str) -> Ledger:
        return cls(name)

    @property
    def title(self) -> str:
        return self.name.title()

    def post(self, invoice: Invoice, when: str = "now") -> None:
        print(invoice, when)

    async def sync(self, depth: int) -> None:
        print(depth)


class Archive(Ledger):
    pass
"#,
    ),
    (
        OFFICE,
        r#""""Who bills."""

from shop import billing
from shop.billing import Archive, Invoice, Ledger, Line, charge, convert, discount, total, traced
from shop.models import Order


def bill(order: Order) -> Invoice:
    return charge(order, 5, retry=True)


def bill_dollars(order: Order) -> Invoice:
    return billing.charge(order, 5, "USD")


def bill_many(order: Order, *rest, **options):
    return charge(order, *rest, **options)


def reduce(order: Order) -> int:
    return discount(order, percent=10)


def everything(first: Order, second: Order) -> int:
    return total(first, second, extra=billing.RATE)


def read(text: str) -> int:
    return convert(text, 16)


def close(ledger: Ledger, order: Order) -> str:
    ledger.post(Invoice(1, order), when="then")
    Ledger.post(ledger, Invoice(2, order, paid=True))
    return ledger.title


def open_books() -> list[Ledger]:
    return [Ledger("a"), Archive("b"), Ledger.named("c")]


def price() -> Line:
    return Line("tea", cents=Ledger.cents(2))


async def update(ledger: Ledger) -> None:
    await ledger.sync(1)


HANDLERS = {"bill": bill}


@traced
def nightly(order: Order) -> list[Invoice]:
    return list(map(bill, [order]))
"#,
    ),
];

pub const SEEDS: &[Seed] = &[
    Seed {
        name: "remove a function",
        edits: &[Replace(
            BILLING,
            "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n",
            "",
        )],
        expected: "
            removed shop.billing:discount
            broken shop.office -> shop.billing:discount: `discount` is not in shop.billing
            broken shop.office:reduce -> shop.billing:discount: `discount` is not in shop.billing
        ",
    },
    Seed { name: "rename a function", edits: &[Replace(BILLING, "def discount(", "def rebate(")], expected: "
            moved shop.billing:discount -> shop.billing:rebate
            resolution shop.office
            resolution shop.office:reduce
            broken shop.office -> shop.billing:discount: `discount` is not in shop.billing; it is shop.billing:rebate now
            broken shop.office:reduce -> shop.billing:discount: `discount` is not in shop.billing; it is shop.billing:rebate now
        " },
    Seed {
        name: "rename a function with its callers",
        edits: &[
            Replace(BILLING, "def discount(", "def rebate("),
            Replace(OFFICE, "convert, discount, total", "convert, rebate, total"),
            Replace(OFFICE, "return discount(", "return rebate("),
        ],
        expected: "
            body shop.office:reduce
            moved shop.billing:discount -> shop.billing:rebate
            ok shop.office:reduce -> shop.billing:rebate
        ",
    },
    Seed {
        name: "add a required parameter",
        edits: &[Replace(
            BILLING,
            "amount: int, currency: str = \"EUR\"",
            "amount: int, country: str, currency: str = \"EUR\"",
        )],
        expected: "
            signature shop.billing:charge
            broken shop.office:bill -> shop.billing:charge: missing argument `country`
            check shop.office:bill_dollars -> shop.billing:charge: signature changed
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "add an optional parameter",
        edits: &[Replace(BILLING, "retry: bool = False)", "retry: bool = False, quiet: bool = False)")],
        expected: "
            signature shop.billing:charge
            check shop.office:bill -> shop.billing:charge: signature changed
            check shop.office:bill_dollars -> shop.billing:charge: signature changed
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "add a required keyword-only parameter",
        edits: &[Replace(BILLING, "retry: bool = False)", "retry: bool = False, quiet: bool)")],
        expected: "
            signature shop.billing:charge
            broken shop.office:bill -> shop.billing:charge: missing argument `quiet`
            broken shop.office:bill_dollars -> shop.billing:charge: missing argument `quiet`
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "drop a parameter that is given by place",
        edits: &[
            Replace(BILLING, "currency: str = \"EUR\", *,", "*,"),
            Replace(BILLING, "audit(currency)", "audit(\"EUR\")"),
        ],
        expected: "
            signature shop.billing:charge
            broken shop.office:bill_dollars -> shop.billing:charge: takes 2 positional arguments, 3 are given
            check shop.office:bill -> shop.billing:charge: signature changed
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "drop a keyword that is given",
        edits: &[
            Replace(BILLING, ", *, retry: bool = False", ""),
            Replace(BILLING, "    if retry:\n        audit(\"again\")\n", ""),
        ],
        expected: "
            signature shop.billing:charge
            broken shop.office:bill -> shop.billing:charge: unknown argument `retry`
            check shop.office:bill_dollars -> shop.billing:charge: signature changed
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "rename a parameter that is given by keyword",
        edits: &[Replace(
            BILLING,
            "/, percent: int) -> int:\n    return order.total * percent",
            "/, share: int) -> int:\n    return order.total * share",
        )],
        expected: "
            signature shop.billing:discount
            broken shop.office:reduce -> shop.billing:discount: unknown argument `percent`
        ",
    },
    Seed {
        name: "make a parameter keyword-only that is given by place",
        edits: &[Replace(BILLING, "currency: str = \"EUR\", *,", "*, currency: str = \"EUR\",")],
        expected: "
            signature shop.billing:charge
            broken shop.office:bill_dollars -> shop.billing:charge: takes 2 positional arguments, 3 are given
            check shop.office:bill -> shop.billing:charge: signature changed
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "make a parameter positional-only that is given by keyword",
        edits: &[Replace(BILLING, "/, percent: int)", "percent: int, /)")],
        expected: "
            signature shop.billing:discount
            broken shop.office:reduce -> shop.billing:discount: argument `percent` is positional-only
        ",
    },
    Seed {
        name: "take a default away that callers rely on",
        edits: &[Replace(BILLING, "when: str = \"now\"", "when: str")],
        expected: "
            signature shop.billing:Ledger.post
            broken shop.office:close -> shop.billing:Ledger.post: missing argument `when`
            check shop.office:close -> shop.billing:Ledger.post: signature changed
        ",
    },
    Seed { name: "give a default", edits: &[Replace(BILLING, "percent: int)", "percent: int = 5)")], expected: "
            signature shop.billing:discount
            check shop.office:reduce -> shop.billing:discount: signature changed
        " },
    Seed {
        name: "swap two parameters",
        edits: &[Replace(BILLING, "order: Order, amount: int, currency", "amount: int, order: Order, currency")],
        expected: "
            signature shop.billing:charge
            check shop.office:bill -> shop.billing:charge: signature changed
            check shop.office:bill_dollars -> shop.billing:charge: signature changed
            check shop.office:bill_many -> shop.billing:charge: signature changed; the arguments cannot be told
        ",
    },
    Seed {
        name: "take the rest of the arguments away",
        edits: &[Replace(
            BILLING,
            "*orders: Order, **options: int) -> int:\n    return sum(order.total for order in orders) + len(options)",
            "orders: list[Order]) -> int:\n    return sum(order.total for order in orders)",
        )],
        expected: "
            signature shop.billing:total
            broken shop.office:everything -> shop.billing:total: takes 1 positional argument, 2 are given
        ",
    },
    Seed {
        name: "take only the keywords away",
        edits: &[Replace(
            BILLING,
            ", **options: int) -> int:\n    return sum(order.total for order in orders) + len(options)",
            ") -> int:\n    return sum(order.total for order in orders)",
        )],
        expected: "
            signature shop.billing:total
            broken shop.office:everything -> shop.billing:total: unknown argument `extra`
        ",
    },
    Seed {
        name: "take arguments as they come",
        edits: &[Replace(
            BILLING,
            "(order: Order, /, percent: int)",
            "(order: Order, percent: int = 3, *more: int, **others: int)",
        )],
        expected: "
            signature shop.billing:discount
            check shop.office:reduce -> shop.billing:discount: signature changed
        ",
    },
    Seed { name: "change only a body", edits: &[Replace(BILLING, "percent // 100", "percent / 100")], expected: "
            body shop.billing:discount
            check shop.office:reduce -> shop.billing:discount: body changed
        " },
    Seed { name: "change an annotation", edits: &[Replace(BILLING, "percent: int)", "percent: float)")], expected: "
            signature shop.billing:discount
            check shop.office:reduce -> shop.billing:discount: signature changed
        " },
    Seed {
        name: "reformat",
        edits: &[
            Replace(
                BILLING,
                "def charge(order: Order, amount: int, currency: str = \"EUR\", *, retry: bool = False) -> Invoice:",
                "def charge(\n    order: Order,\n    amount: int,\n    currency: str = 'EUR',\n    *,\n    retry: bool = False,\n) -> Invoice:\n",
            ),
            Replace(
                BILLING,
                "    return order.total * percent // 100",
                "    # comment\n    return (\n        order.total * percent // 100\n    )",
            ),
            Replace(
                OFFICE,
                "    ledger.post(Invoice(1, order), when=\"then\")",
                "    ledger.post(\n        Invoice(1, order),\n        when='then',\n    )\n",
            ),
        ],
        expected: "",
    },
    Seed {
        name: "change documentation only",
        edits: &[Replace(MODELS, "\"\"\"Leave a trace.\"\"\"", "\"\"\"Leave a trace of something.\"\"\"")],
        expected: "
            doc shop.models:audit
        ",
    },
    Seed {
        name: "move a function inside of its file",
        edits: &[
            Replace(
                BILLING,
                "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n\n\n",
                "",
            ),
            Replace(
                BILLING,
                "class Archive(Ledger):\n    pass\n",
                "class Archive(Ledger):\n    pass\n\n\ndef discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n",
            ),
        ],
        expected: "",
    },
    Seed {
        name: "move a function to another file and forget the callers",
        edits: &[
            Replace(
                BILLING,
                "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n\n\n",
                "",
            ),
            Write(
                "shop/prices.py",
                "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n",
            ),
        ],
        expected: "
            added shop.prices
            moved shop.billing:discount -> shop.prices:discount
            resolution shop.office
            resolution shop.office:reduce
            broken shop.office -> shop.billing:discount: `discount` is not in shop.billing; it is shop.prices:discount now
            broken shop.office:reduce -> shop.billing:discount: `discount` is not in shop.billing; it is shop.prices:discount now
            broken shop.prices:discount -> shop.models:Order: `Order` is not defined
        ",
    },
    Seed {
        name: "move a function to another file and import it where it was",
        edits: &[
            Replace(
                BILLING,
                "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n\n\n",
                "",
            ),
            Replace(
                BILLING,
                "from shop.models import Order, audit\n",
                "from shop.models import Order, audit\nfrom shop.prices import discount\n",
            ),
            Write(
                "shop/prices.py",
                "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n",
            ),
        ],
        expected: "
            added shop.prices
            moved shop.billing:discount -> shop.prices:discount
            broken shop.prices:discount -> shop.models:Order: `Order` is not defined
            ok shop.office:reduce -> shop.prices:discount
        ",
    },
    Seed {
        name: "move a file with its importers",
        edits: &[
            Move("shop/billing.py", "shop/money.py"),
            Replace(
                OFFICE,
                "from shop import billing\nfrom shop.billing import",
                "from shop import money as billing\nfrom shop.money import",
            ),
        ],
        expected: "
            moved shop.billing -> shop.money
            moved shop.billing:Archive -> shop.money:Archive
            moved shop.billing:Invoice -> shop.money:Invoice
            moved shop.billing:Invoice.due -> shop.money:Invoice.due
            moved shop.billing:Invoice.notes -> shop.money:Invoice.notes
            moved shop.billing:Invoice.number -> shop.money:Invoice.number
            moved shop.billing:Invoice.order -> shop.money:Invoice.order
            moved shop.billing:Invoice.paid -> shop.money:Invoice.paid
            moved shop.billing:Ledger -> shop.money:Ledger
            moved shop.billing:Ledger.__init__ -> shop.money:Ledger.__init__
            moved shop.billing:Ledger.cents -> shop.money:Ledger.cents
            moved shop.billing:Ledger.name -> shop.money:Ledger.name
            moved shop.billing:Ledger.named -> shop.money:Ledger.named
            moved shop.billing:Ledger.post -> shop.money:Ledger.post
            moved shop.billing:Ledger.sync -> shop.money:Ledger.sync
            moved shop.billing:Ledger.title -> shop.money:Ledger.title
            moved shop.billing:Line -> shop.money:Line
            moved shop.billing:Line.cents -> shop.money:Line.cents
            moved shop.billing:Line.text -> shop.money:Line.text
            moved shop.billing:RATE -> shop.money:RATE
            moved shop.billing:charge -> shop.money:charge
            moved shop.billing:convert -> shop.money:convert
            moved shop.billing:discount -> shop.money:discount
            moved shop.billing:total -> shop.money:total
            moved shop.billing:traced -> shop.money:traced
            moved shop.billing:traced.inner -> shop.money:traced.inner
            ok shop.office -> shop.money:traced
            ok shop.office:bill -> shop.money:Invoice
            ok shop.office:bill -> shop.money:charge
            ok shop.office:bill_dollars -> shop.money:Invoice
            ok shop.office:bill_dollars -> shop.money:charge
            ok shop.office:bill_many -> shop.money:charge
            ok shop.office:close -> shop.money:Invoice
            ok shop.office:close -> shop.money:Ledger
            ok shop.office:close -> shop.money:Ledger.post
            ok shop.office:close -> shop.money:Ledger.title
            ok shop.office:everything -> shop.money:RATE
            ok shop.office:everything -> shop.money:total
            ok shop.office:nightly -> shop.money:Invoice
            ok shop.office:open_books -> shop.money:Archive
            ok shop.office:open_books -> shop.money:Ledger
            ok shop.office:open_books -> shop.money:Ledger.__init__
            ok shop.office:open_books -> shop.money:Ledger.named
            ok shop.office:price -> shop.money:Ledger
            ok shop.office:price -> shop.money:Ledger.cents
            ok shop.office:price -> shop.money:Line
            ok shop.office:read -> shop.money:convert
            ok shop.office:reduce -> shop.money:discount
            ok shop.office:update -> shop.money:Ledger
            ok shop.office:update -> shop.money:Ledger.sync
        ",
    },
    Seed {
        name: "move a file and forget the importers",
        edits: &[Move("shop/billing.py", "shop/money.py")],
        expected: "
            moved shop.billing -> shop.money
            moved shop.billing:Archive -> shop.money:Archive
            moved shop.billing:Invoice -> shop.money:Invoice
            moved shop.billing:Invoice.due -> shop.money:Invoice.due
            moved shop.billing:Invoice.notes -> shop.money:Invoice.notes
            moved shop.billing:Invoice.number -> shop.money:Invoice.number
            moved shop.billing:Invoice.order -> shop.money:Invoice.order
            moved shop.billing:Invoice.paid -> shop.money:Invoice.paid
            moved shop.billing:Ledger -> shop.money:Ledger
            moved shop.billing:Ledger.__init__ -> shop.money:Ledger.__init__
            moved shop.billing:Ledger.cents -> shop.money:Ledger.cents
            moved shop.billing:Ledger.name -> shop.money:Ledger.name
            moved shop.billing:Ledger.named -> shop.money:Ledger.named
            moved shop.billing:Ledger.post -> shop.money:Ledger.post
            moved shop.billing:Ledger.sync -> shop.money:Ledger.sync
            moved shop.billing:Ledger.title -> shop.money:Ledger.title
            moved shop.billing:Line -> shop.money:Line
            moved shop.billing:Line.cents -> shop.money:Line.cents
            moved shop.billing:Line.text -> shop.money:Line.text
            moved shop.billing:RATE -> shop.money:RATE
            moved shop.billing:charge -> shop.money:charge
            moved shop.billing:convert -> shop.money:convert
            moved shop.billing:discount -> shop.money:discount
            moved shop.billing:total -> shop.money:total
            moved shop.billing:traced -> shop.money:traced
            moved shop.billing:traced.inner -> shop.money:traced.inner
            resolution shop.office
            resolution shop.office:bill
            resolution shop.office:bill_dollars
            resolution shop.office:bill_many
            resolution shop.office:close
            resolution shop.office:everything
            resolution shop.office:nightly
            resolution shop.office:open_books
            resolution shop.office:price
            resolution shop.office:read
            resolution shop.office:reduce
            resolution shop.office:update
            broken shop.office -> shop.billing: `billing` is not in shop; it is shop.money now
            broken shop.office -> shop.billing:Archive: module `shop.billing` is gone; it is shop.money:Archive now
            broken shop.office -> shop.billing:Invoice: module `shop.billing` is gone; it is shop.money:Invoice now
            broken shop.office -> shop.billing:Ledger: module `shop.billing` is gone; it is shop.money:Ledger now
            broken shop.office -> shop.billing:Line: module `shop.billing` is gone; it is shop.money:Line now
            broken shop.office -> shop.billing:charge: module `shop.billing` is gone; it is shop.money:charge now
            broken shop.office -> shop.billing:convert: module `shop.billing` is gone; it is shop.money:convert now
            broken shop.office -> shop.billing:discount: module `shop.billing` is gone; it is shop.money:discount now
            broken shop.office -> shop.billing:total: module `shop.billing` is gone; it is shop.money:total now
            broken shop.office -> shop.billing:traced: module `shop.billing` is gone; it is shop.money:traced now
            broken shop.office:bill -> shop.billing:Invoice: module `shop.billing` is gone; it is shop.money:Invoice now
            broken shop.office:bill -> shop.billing:charge: module `shop.billing` is gone; it is shop.money:charge now
            broken shop.office:bill_dollars -> shop.billing:Invoice: module `shop.billing` is gone; it is shop.money:Invoice now
            broken shop.office:bill_dollars -> shop.billing:charge: `charge` cannot be found any more; it is shop.money:charge now
            broken shop.office:bill_many -> shop.billing:charge: module `shop.billing` is gone; it is shop.money:charge now
            broken shop.office:close -> shop.billing:Invoice: module `shop.billing` is gone; it is shop.money:Invoice now
            broken shop.office:close -> shop.billing:Ledger.title: `title` may come from outside the project now; it is shop.money:Ledger.title now; shop.billing:Ledger is lost too
            broken shop.office:close -> shop.billing:Ledger: module `shop.billing` is gone; it is shop.money:Ledger now
            broken shop.office:everything -> shop.billing:RATE: `billing` is not in shop; it is shop.money:RATE now
            broken shop.office:everything -> shop.billing:total: module `shop.billing` is gone; it is shop.money:total now
            broken shop.office:nightly -> shop.billing:Invoice: module `shop.billing` is gone; it is shop.money:Invoice now
            broken shop.office:open_books -> shop.billing:Archive: module `shop.billing` is gone; it is shop.money:Archive now
            broken shop.office:open_books -> shop.billing:Ledger: module `shop.billing` is gone; it is shop.money:Ledger now
            broken shop.office:price -> shop.billing:Ledger: module `shop.billing` is gone; it is shop.money:Ledger now
            broken shop.office:price -> shop.billing:Line: module `shop.billing` is gone; it is shop.money:Line now
            broken shop.office:read -> shop.billing:convert: module `shop.billing` is gone; it is shop.money:convert now
            broken shop.office:reduce -> shop.billing:discount: module `shop.billing` is gone; it is shop.money:discount now
            broken shop.office:update -> shop.billing:Ledger: module `shop.billing` is gone; it is shop.money:Ledger now
            ok shop.office:close -> shop.money:Ledger.post
            ok shop.office:open_books -> shop.money:Ledger.named
            ok shop.office:price -> shop.money:Ledger.cents
            ok shop.office:update -> shop.money:Ledger.sync
        ",
    },
    Seed { name: "delete a file", edits: &[Delete("shop/models.py")], expected: "
            removed shop.models
            removed shop.models:JOURNAL
            removed shop.models:LIMIT
            removed shop.models:Order
            removed shop.models:Order.__init__
            removed shop.models:Order.items
            removed shop.models:Order.save
            removed shop.models:Order.saved
            removed shop.models:Order.total
            removed shop.models:audit
            broken shop -> shop.models:Order: module `shop.models` is gone
            broken shop.billing -> shop.models:Order: module `shop.models` is gone
            broken shop.billing -> shop.models:audit: module `shop.models` is gone
            broken shop.billing:Invoice -> shop.models:Order: module `shop.models` is gone
            broken shop.billing:Invoice.due -> shop.models:Order.total: `total` may come from outside the project now; shop.models:Order is lost too
            broken shop.billing:charge -> shop.models:Order: module `shop.models` is gone
            broken shop.billing:charge -> shop.models:audit: module `shop.models` is gone
            broken shop.billing:discount -> shop.models:Order.total: `total` may come from outside the project now; shop.models:Order is lost too
            broken shop.billing:discount -> shop.models:Order: module `shop.models` is gone
            broken shop.billing:total -> shop.models:Order.total: `total` may come from outside the project now; shop.models:Order is lost too
            broken shop.billing:total -> shop.models:Order: module `shop.models` is gone
            broken shop.office -> shop.models:Order: module `shop.models` is gone
            broken shop.office:bill -> shop.models:Order: module `shop.models` is gone
            broken shop.office:bill_dollars -> shop.models:Order: module `shop.models` is gone
            broken shop.office:bill_many -> shop.models:Order: module `shop.models` is gone
            broken shop.office:close -> shop.models:Order: module `shop.models` is gone
            broken shop.office:everything -> shop.models:Order: module `shop.models` is gone
            broken shop.office:nightly -> shop.models:Order: module `shop.models` is gone
            broken shop.office:reduce -> shop.models:Order: module `shop.models` is gone
            broken shop.service -> shop.models:Order: module `shop.models` is gone
            broken shop.service -> shop.models:audit: module `shop.models` is gone
            broken shop.service:Checkout.run -> shop.models:Order.save: `save` cannot be found any more
            broken shop.service:Checkout.run -> shop.models:Order: module `shop.models` is gone
            broken shop.service:Checkout.run -> shop.models:audit: module `shop.models` is gone
            broken shop.service:Refund.run -> shop.models:Order: module `shop.models` is gone
            broken shop.service:Refund.run -> shop.models:audit: module `shop.models` is gone
            broken shop.service:Repo.__init__ -> shop.models:Order: module `shop.models` is gone
            broken shop.service:Repo.store -> shop.models:Order: module `shop.models` is gone
            broken tests.test_checkout -> shop.models:LIMIT: module `shop.models` is gone
            broken tests.test_checkout -> shop.models:Order: module `shop.models` is gone
            broken tests.test_checkout:TestRefund.test_prices_are_negative -> shop.models:Order.total: `total` may come from outside the project now; shop.models:Order is lost too
            broken tests.test_checkout:test_nobody_carries_more -> shop.models:LIMIT: module `shop.models` is gone
            broken tests.test_checkout:test_nobody_carries_more -> shop.models:Order: module `shop.models` is gone
            check shop.cli:main -> shop.models:Order.total: `total` may come from outside the project now
        " },
    Seed {
        name: "remove a method",
        edits: &[Replace(
            BILLING,
            "    def post(self, invoice: Invoice, when: str = \"now\") -> None:\n        print(invoice, when)\n\n",
            "",
        )],
        expected: "
            removed shop.billing:Ledger.post
            broken shop.office:close -> shop.billing:Ledger.post: `post` is not in shop.billing:Ledger
        ",
    },
    Seed { name: "rename a method", edits: &[Replace(BILLING, "def post(", "def enter(")], expected: "
            moved shop.billing:Ledger.post -> shop.billing:Ledger.enter
            resolution shop.office:close
            broken shop.office:close -> shop.billing:Ledger.post: `post` is not in shop.billing:Ledger; it is shop.billing:Ledger.enter now
        " },
    Seed {
        name: "give a method a required parameter",
        edits: &[Replace(BILLING, "def post(self, invoice", "def post(self, place: str, invoice")],
        expected: "
            signature shop.billing:Ledger.post
            broken shop.office:close -> shop.billing:Ledger.post: missing argument `invoice`
        ",
    },
    Seed {
        name: "give a constructor a required parameter",
        edits: &[Replace(BILLING, "def __init__(self, name: str)", "def __init__(self, name: str, owner: str)")],
        expected: "
            signature shop.billing:Ledger.__init__
            broken shop.billing:Ledger.named -> shop.billing:Ledger.__init__: missing argument `owner`
            broken shop.office:open_books -> shop.billing:Ledger.__init__: missing argument `owner`
        ",
    },
    Seed {
        name: "remove a constructor",
        edits: &[Replace(
            BILLING,
            "    def __init__(self, name: str) -> None:\n        self.name = name\n\n",
            "    name = \"\"\n\n",
        )],
        expected: "
            body shop.billing:Ledger
            body shop.billing:Ledger.name
            removed shop.billing:Ledger.__init__
            broken shop.billing:Ledger.named -> shop.billing:Ledger.__init__: takes 0 positional arguments, 1 are given
            broken shop.office:open_books -> shop.billing:Ledger.__init__: takes 0 positional arguments, 1 are given
            check shop.billing:Archive -> shop.billing:Ledger: body changed
            check shop.billing:Ledger.title -> shop.billing:Ledger.name: body changed
        ",
    },
    Seed {
        name: "give a subclass a constructor of its own",
        edits: &[Replace(
            BILLING,
            "class Archive(Ledger):\n    pass",
            "class Archive(Ledger):\n    def __init__(self) -> None:\n        super().__init__(\"archive\")",
        )],
        expected: "
            added shop.billing:Archive.__init__
            body shop.billing:Archive
            broken shop.office:open_books -> shop.billing:Archive.__init__: takes 0 positional arguments, 1 are given
        ",
    },
    Seed {
        name: "give a dataclass a required field",
        edits: &[Replace(BILLING, "    order: Order\n    notes", "    order: Order\n    place: str\n    notes")],
        expected: "
            added shop.billing:Invoice.place
            body shop.billing:Invoice
            broken shop.billing:charge -> shop.billing:Invoice: missing argument `place`
            broken shop.office:close -> shop.billing:Invoice: missing argument `place`
        ",
    },
    Seed {
        name: "give a dataclass an optional field",
        edits: &[Replace(BILLING, "    paid: bool = False\n", "    paid: bool = False\n    sent: bool = False\n")],
        expected: "
            added shop.billing:Invoice.sent
            body shop.billing:Invoice
            check shop.billing:charge -> shop.billing:Invoice: body changed
            check shop.office:close -> shop.billing:Invoice: body changed
        ",
    },
    Seed {
        name: "remove a field of a dataclass",
        edits: &[
            Replace(BILLING, "    paid: bool = False\n", ""),
            Replace(BILLING, "0 if self.paid else self.order.total", "self.order.total"),
        ],
        expected: "
            body shop.billing:Invoice
            body shop.billing:Invoice.due
            removed shop.billing:Invoice.paid
            broken shop.office:close -> shop.billing:Invoice: unknown argument `paid`
            check shop.billing:charge -> shop.billing:Invoice: body changed
            check shop.office:close -> shop.billing:Invoice: body changed
        ",
    },
    Seed {
        name: "rename a field of a dataclass",
        edits: &[
            Replace(BILLING, "    paid: bool = False\n", "    settled: bool = False\n"),
            Replace(BILLING, "0 if self.paid", "0 if self.settled"),
        ],
        expected: "
            body shop.billing:Invoice
            body shop.billing:Invoice.due
            moved shop.billing:Invoice.paid -> shop.billing:Invoice.settled
            broken shop.office:close -> shop.billing:Invoice: unknown argument `paid`
            check shop.billing:charge -> shop.billing:Invoice: body changed
            check shop.office:close -> shop.billing:Invoice: body changed
        ",
    },
    Seed {
        name: "make the fields of a dataclass keyword-only",
        edits: &[Replace(BILLING, "@dataclass\n", "@dataclass(kw_only=True)\n")],
        expected: "
            signature shop.billing:Invoice
            broken shop.billing:charge -> shop.billing:Invoice: takes 0 positional arguments, 2 are given
            broken shop.office:close -> shop.billing:Invoice: takes 0 positional arguments, 2 are given
            check shop.billing:Ledger.post -> shop.billing:Invoice: signature changed
            check shop.billing:charge -> shop.billing:Invoice: signature changed
            check shop.office:bill -> shop.billing:Invoice: signature changed
            check shop.office:bill_dollars -> shop.billing:Invoice: signature changed
            check shop.office:nightly -> shop.billing:Invoice: signature changed
        ",
    },
    Seed {
        name: "take the default of a tuple's field away",
        edits: &[Replace(BILLING, "    cents: int = 0\n", "    cents: int\n    weight: int\n")],
        expected: "
            added shop.billing:Line.weight
            body shop.billing:Line
            body shop.billing:Line.cents
            broken shop.office:price -> shop.billing:Line: missing argument `weight`
        ",
    },
    Seed {
        name: "make a method a property",
        edits: &[
            Replace(BILLING, "    def due(self)", "    @property\n    def due(self)"),
            Write(
                "shop/late.py",
                "from shop.billing import Invoice\n\n\ndef late(invoice: Invoice) -> int:\n    return invoice.due()\n",
            ),
        ],
        expected: "
            added shop.late
            added shop.late:late
            signature shop.billing:Invoice.due
            broken shop.late:late -> shop.billing:Invoice.due: `due` is a property now
        ",
    },
    Seed {
        name: "make a property a method",
        edits: &[Replace(BILLING, "    @property\n    def title", "    def title")],
        expected: "
            resolution shop.office:close
            signature shop.billing:Ledger.title
            broken shop.office:close -> shop.billing:Ledger.title: `title` is no property any more
        ",
    },
    Seed {
        name: "make a static method one of instances",
        edits: &[Replace(BILLING, "    @staticmethod\n    def cents(amount: int)", "    def cents(self, amount: int)")],
        expected: "
            signature shop.billing:Ledger.cents
            broken shop.office:price -> shop.billing:Ledger.cents: missing argument `amount`
        ",
    },
    Seed {
        name: "make a class method static",
        edits: &[Replace(
            BILLING,
            "    @classmethod\n    def named(cls, name: str) -> Ledger:\n        return cls(name)",
            "    @staticmethod\n    def named(kind: str, name: str) -> Ledger:\n        return Ledger(name)",
        )],
        expected: "
            signature shop.billing:Ledger.named
            broken shop.office:open_books -> shop.billing:Ledger.named: missing argument `name`
        ",
    },
    Seed {
        name: "make a function asynchronous",
        edits: &[Replace(BILLING, "def discount(", "async def discount(")],
        expected: "
            signature shop.billing:discount
            check shop.office:reduce -> shop.billing:discount: signature changed
        ",
    },
    Seed {
        name: "remove an overload",
        edits: &[Replace(BILLING, "@overload\ndef convert(value: str, base: int) -> int: ...\n", "")],
        expected: "
            signature shop.billing:convert
            broken shop.office:read -> shop.billing:convert: takes 1 positional argument, 2 are given
        ",
    },
    Seed {
        name: "change an overload that nobody uses",
        edits: &[Replace(
            BILLING,
            "def convert(value: int) -> str: ...",
            "def convert(value: int, width: int, fill: str) -> str: ...",
        )],
        expected: "
            signature shop.billing:convert
            check shop.office:read -> shop.billing:convert: signature changed
        ",
    },
    Seed { name: "rename a class", edits: &[Replace(BILLING, "class Archive(", "class Vault(")], expected: "
            moved shop.billing:Archive -> shop.billing:Vault
            resolution shop.office
            resolution shop.office:open_books
            broken shop.office -> shop.billing:Archive: `Archive` is not in shop.billing; it is shop.billing:Vault now
            broken shop.office:open_books -> shop.billing:Archive: `Archive` is not in shop.billing; it is shop.billing:Vault now
        " },
    Seed {
        name: "remove a class that is a base and an annotation",
        edits: &[Replace(
            SERVICE,
            "class Repo:\n    \"\"\"Where orders are kept.\"\"\"\n\n    def __init__(self) -> None:\n        self.orders: list[Order] = []\n\n    def store(self, order: Order) -> None:\n        self.orders.append(order)\n",
            "",
        )],
        expected: "
            removed shop.service:Repo
            removed shop.service:Repo.__init__
            removed shop.service:Repo.orders
            removed shop.service:Repo.store
            broken shop -> shop.service:Repo: `Repo` is not in shop.service
            broken shop.cli -> shop.service:Repo: `Repo` is not in shop.service
            broken shop.cli:main -> shop.service:Repo: `Repo` is not in shop.service
            broken shop.service:Checkout.__init__ -> shop.service:Repo: `Repo` is not defined
            broken shop.service:Checkout.run -> shop.service:Repo.store: `store` may come from outside the project now; shop.service:Repo is lost too
            broken tests.conftest -> shop.service:Repo: `Repo` is not in shop.service
            broken tests.conftest:till -> shop.service:Repo: `Repo` is not in shop.service
            broken tests.test_checkout -> shop.service:Repo: `Repo` is not in shop.service
            broken tests.test_checkout:TestRefund.test_prices_are_negative -> shop.service:Repo: `Repo` is not in shop.service
            broken tests.test_checkout:test_a_sale_is_stored -> shop.service:Repo.orders: `orders` may come from outside the project now; shop.service:Repo is lost too
        ",
    },
    Seed {
        name: "remove a base class",
        edits: &[Replace(BILLING, "class Archive(Ledger):\n    pass", "class Archive:\n    pass")],
        expected: "
            signature shop.billing:Archive
            broken shop.office:open_books -> shop.billing:Archive: takes 0 positional arguments, 1 are given
        ",
    },
    Seed {
        name: "remove a decorator",
        edits: &[Replace(
            BILLING,
            "def traced(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n        return function(*args, **kwargs)\n\n    return inner\n",
            "",
        )],
        expected: "
            removed shop.billing:traced
            removed shop.billing:traced.inner
            broken shop.office -> shop.billing:traced: `traced` is not in shop.billing
        ",
    },
    Seed {
        name: "remove a callback",
        edits: &[Replace(OFFICE, "def bill(order: Order) -> Invoice:\n    return charge(order, 5, retry=True)\n", "")],
        expected: "
            removed shop.office:bill
            broken shop.office -> shop.office:bill: `bill` is not defined
            broken shop.office:nightly -> shop.office:bill: `bill` is not defined
        ",
    },
    Seed { name: "remove a constant", edits: &[Replace(BILLING, "RATE = 3\n", "")], expected: "
            removed shop.billing:RATE
            broken shop.office:everything -> shop.billing:RATE: `RATE` is not in shop.billing
        " },
    Seed { name: "change a constant", edits: &[Replace(BILLING, "RATE = 3\n", "RATE = 4\n")], expected: "
            body shop.billing:RATE
            check shop.office:everything -> shop.billing:RATE: body changed
        " },
    Seed {
        name: "take a re-export away",
        edits: &[
            Replace(
                "shop/__init__.py",
                "from shop.service import Checkout, Repo\n",
                "from shop.service import Checkout\n",
            ),
            Replace("shop/__init__.py", ", \"Repo\"", ""),
        ],
        expected: "
            body shop:__all__
            resolution shop.cli
            resolution shop.cli:main
            resolution tests.conftest
            resolution tests.conftest:till
            broken shop.cli -> shop.service:Repo: `Repo` is not in shop
            broken shop.cli:main -> shop.service:Repo: `Repo` is not in shop
            broken tests.conftest -> shop.service:Repo: `Repo` is not in shop
            broken tests.conftest:till -> shop.service:Repo: `Repo` is not in shop
        ",
    },
    Seed {
        name: "override a method, so that calls run it",
        edits: &[Replace(
            BILLING,
            "class Archive(Ledger):\n    pass",
            "class Archive(Ledger):\n    @classmethod\n    def named(cls, name: str) -> Ledger:\n        return cls(name.upper())",
        )],
        expected: "
            added shop.billing:Archive.named
            body shop.billing:Archive
            check shop.billing:Archive.named -> shop.billing:Archive: body changed
            check shop.office:open_books -> shop.billing:Archive: body changed
        ",
    },
    Seed {
        name: "take an override away",
        edits: &[Replace(
            SERVICE,
            "class Refund(Checkout):\n    \"\"\"The till, backwards.\"\"\"\n\n    def run(self, items: list[int]) -> Order:\n        audit(\"refund\")\n        return super().run([-price for price in items])\n",
            "class Refund(Checkout):\n    \"\"\"The till, backwards.\"\"\"\n",
        )],
        expected: "
            removed shop.service:Refund.run
            resolution tests.test_checkout:TestRefund.test_prices_are_negative
            check tests.test_checkout:TestRefund.test_prices_are_negative -> shop.service:Refund.run: now means shop.service:Checkout.run
        ",
    },
    Seed {
        name: "change a function and its callers with it",
        edits: &[
            Replace(BILLING, "/, percent: int)", "/, percent: int, reason: str)"),
            Replace(OFFICE, "discount(order, percent=10)", "discount(order, percent=10, reason=\"age\")"),
        ],
        expected: "
            body shop.office:reduce
            signature shop.billing:discount
            check shop.office:reduce -> shop.billing:discount: signature changed
        ",
    },
    Seed {
        name: "change a function, and its caller wrongly",
        edits: &[
            Replace(BILLING, "/, percent: int)", "/, percent: int, reason: str)"),
            Replace(OFFICE, "discount(order, percent=10)", "discount(order, percent=20)"),
        ],
        expected: "
            body shop.office:reduce
            signature shop.billing:discount
            broken shop.office:reduce -> shop.billing:discount: missing argument `reason`
        ",
    },
    Seed {
        name: "forget an import",
        edits: &[Replace(OFFICE, "convert, discount, total", "convert, total")],
        expected: "
            resolution shop.office:reduce
            broken shop.office:reduce -> shop.billing:discount: `discount` is not defined
        ",
    },
    Seed {
        name: "rename a fixture",
        edits: &[Replace("tests/conftest.py", "def till()", "def register()")],
        expected: "
            moved tests.conftest:till -> tests.conftest:register
            resolution tests.test_checkout:test_a_sale_is_stored
            broken tests.test_checkout:test_a_sale_is_stored -> tests.conftest:till: no fixture `till` is left; it is tests.conftest:register now
        ",
    },
    Seed {
        name: "leave a file out by configuration",
        edits: &[Write(".repo-graph.toml", "exclude = [\"shop/office.py\"]\n")],
        expected: "
            config_changed .repo-graph.toml
            unread shop/office.py
        ",
    },
    Seed {
        name: "change what runs on import",
        edits: &[Replace("shop/cli.py", "sys.exit(main(sys.argv[1:]))", "sys.exit(main(sys.argv[2:]))")],
        expected: "
            body shop.cli
        ",
    },
    Seed { name: "change a file that is not read", edits: &[Write("README.md", "A shop.\n")], expected: "
            unread README.md
        " },
    Seed {
        name: "break a file",
        edits: &[Replace(OFFICE, "def read(text: str) -> int:", "def read(text: str -> int:")],
        expected: "
            body shop.office:everything
            removed shop.office:read
        ",
    },
];
