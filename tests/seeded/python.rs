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
        edits: &[Replace(BILLING, "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n", "")],
        expected: "",
    },
    Seed {
        name: "rename a function",
        edits: &[Replace(BILLING, "def discount(", "def rebate(")],
        expected: "",
    },
    Seed {
        name: "rename a function with its callers",
        edits: &[
            Replace(BILLING, "def discount(", "def rebate("),
            Replace(OFFICE, "convert, discount, total", "convert, rebate, total"),
            Replace(OFFICE, "return discount(", "return rebate("),
        ],
        expected: "",
    },
    Seed {
        name: "add a required parameter",
        edits: &[Replace(BILLING, "amount: int, currency: str = \"EUR\"", "amount: int, country: str, currency: str = \"EUR\"")],
        expected: "",
    },
    Seed {
        name: "add an optional parameter",
        edits: &[Replace(BILLING, "retry: bool = False)", "retry: bool = False, quiet: bool = False)")],
        expected: "",
    },
    Seed {
        name: "add a required keyword-only parameter",
        edits: &[Replace(BILLING, "retry: bool = False)", "retry: bool = False, quiet: bool)")],
        expected: "",
    },
    Seed {
        name: "drop a parameter that is given by place",
        edits: &[Replace(BILLING, "currency: str = \"EUR\", *,", "*,"), Replace(BILLING, "audit(currency)", "audit(\"EUR\")")],
        expected: "",
    },
    Seed {
        name: "drop a keyword that is given",
        edits: &[Replace(BILLING, ", *, retry: bool = False", ""), Replace(BILLING, "    if retry:\n        audit(\"again\")\n", "")],
        expected: "",
    },
    Seed {
        name: "rename a parameter that is given by keyword",
        edits: &[Replace(BILLING, "/, percent: int) -> int:\n    return order.total * percent", "/, share: int) -> int:\n    return order.total * share")],
        expected: "",
    },
    Seed {
        name: "make a parameter keyword-only that is given by place",
        edits: &[Replace(BILLING, "currency: str = \"EUR\", *,", "*, currency: str = \"EUR\",")],
        expected: "",
    },
    Seed {
        name: "make a parameter positional-only that is given by keyword",
        edits: &[Replace(BILLING, "/, percent: int)", "percent: int, /)")],
        expected: "",
    },
    Seed {
        name: "take a default away that callers rely on",
        edits: &[Replace(BILLING, "when: str = \"now\"", "when: str")],
        expected: "",
    },
    Seed {
        name: "give a default",
        edits: &[Replace(BILLING, "percent: int)", "percent: int = 5)")],
        expected: "",
    },
    Seed {
        name: "swap two parameters",
        edits: &[Replace(BILLING, "order: Order, amount: int, currency", "amount: int, order: Order, currency")],
        expected: "",
    },
    Seed {
        name: "take the rest of the arguments away",
        edits: &[Replace(BILLING, "*orders: Order, **options: int) -> int:\n    return sum(order.total for order in orders) + len(options)", "orders: list[Order]) -> int:\n    return sum(order.total for order in orders)")],
        expected: "",
    },
    Seed {
        name: "take only the keywords away",
        edits: &[Replace(BILLING, ", **options: int) -> int:\n    return sum(order.total for order in orders) + len(options)", ") -> int:\n    return sum(order.total for order in orders)")],
        expected: "",
    },
    Seed {
        name: "take arguments as they come",
        edits: &[Replace(BILLING, "(order: Order, /, percent: int)", "(order: Order, percent: int = 3, *more: int, **others: int)")],
        expected: "",
    },
    Seed {
        name: "change only a body",
        edits: &[Replace(BILLING, "percent // 100", "percent / 100")],
        expected: "",
    },
    Seed {
        name: "change an annotation",
        edits: &[Replace(BILLING, "percent: int)", "percent: float)")],
        expected: "",
    },
    Seed {
        name: "reformat",
        edits: &[
            Replace(BILLING, "def charge(order: Order, amount: int, currency: str = \"EUR\", *, retry: bool = False) -> Invoice:", "def charge(\n    order: Order,\n    amount: int,\n    currency: str = 'EUR',\n    *,\n    retry: bool = False,\n) -> Invoice:\n"),
            Replace(BILLING, "    return order.total * percent // 100", "    # comment\n    return (\n        order.total * percent // 100\n    )"),
            Replace(OFFICE, "    ledger.post(Invoice(1, order), when=\"then\")", "    ledger.post(\n        Invoice(1, order),\n        when='then',\n    )\n"),
        ],
        expected: "",
    },
    Seed {
        name: "change documentation only",
        edits: &[Replace(MODELS, "\"\"\"Leave a trace.\"\"\"", "\"\"\"Leave a trace of something.\"\"\"")],
        expected: "",
    },
    Seed {
        name: "move a function inside of its file",
        edits: &[
            Replace(BILLING, "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n\n\n", ""),
            Replace(BILLING, "class Archive(Ledger):\n    pass\n", "class Archive(Ledger):\n    pass\n\n\ndef discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n"),
        ],
        expected: "",
    },
    Seed {
        name: "move a function to another file and forget the callers",
        edits: &[
            Replace(BILLING, "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n\n\n", ""),
            Write("shop/prices.py", "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n"),
        ],
        expected: "",
    },
    Seed {
        name: "move a function to another file and import it where it was",
        edits: &[
            Replace(BILLING, "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n\n\n", ""),
            Replace(BILLING, "from shop.models import Order, audit\n", "from shop.models import Order, audit\nfrom shop.prices import discount\n"),
            Write("shop/prices.py", "def discount(order: Order, /, percent: int) -> int:\n    return order.total * percent // 100\n"),
        ],
        expected: "",
    },
    Seed {
        name: "move a file with its importers",
        edits: &[
            Move("shop/billing.py", "shop/money.py"),
            Replace(OFFICE, "from shop import billing\nfrom shop.billing import", "from shop import money as billing\nfrom shop.money import"),
        ],
        expected: "",
    },
    Seed { name: "move a file and forget the importers", edits: &[Move("shop/billing.py", "shop/money.py")], expected: "" },
    Seed { name: "delete a file", edits: &[Delete("shop/models.py")], expected: "" },
    Seed {
        name: "remove a method",
        edits: &[Replace(BILLING, "    def post(self, invoice: Invoice, when: str = \"now\") -> None:\n        print(invoice, when)\n\n", "")],
        expected: "",
    },
    Seed { name: "rename a method", edits: &[Replace(BILLING, "def post(", "def enter(")], expected: "" },
    Seed {
        name: "give a method a required parameter",
        edits: &[Replace(BILLING, "def post(self, invoice", "def post(self, place: str, invoice")],
        expected: "",
    },
    Seed {
        name: "give a constructor a required parameter",
        edits: &[Replace(BILLING, "def __init__(self, name: str)", "def __init__(self, name: str, owner: str)")],
        expected: "",
    },
    Seed {
        name: "remove a constructor",
        edits: &[Replace(BILLING, "    def __init__(self, name: str) -> None:\n        self.name = name\n\n", "    name = \"\"\n\n")],
        expected: "",
    },
    Seed {
        name: "give a subclass a constructor of its own",
        edits: &[Replace(BILLING, "class Archive(Ledger):\n    pass", "class Archive(Ledger):\n    def __init__(self) -> None:\n        super().__init__(\"archive\")")],
        expected: "",
    },
    Seed {
        name: "give a dataclass a required field",
        edits: &[Replace(BILLING, "    order: Order\n    notes", "    order: Order\n    place: str\n    notes")],
        expected: "",
    },
    Seed {
        name: "give a dataclass an optional field",
        edits: &[Replace(BILLING, "    paid: bool = False\n", "    paid: bool = False\n    sent: bool = False\n")],
        expected: "",
    },
    Seed {
        name: "remove a field of a dataclass",
        edits: &[Replace(BILLING, "    paid: bool = False\n", ""), Replace(BILLING, "0 if self.paid else self.order.total", "self.order.total")],
        expected: "",
    },
    Seed {
        name: "rename a field of a dataclass",
        edits: &[Replace(BILLING, "    paid: bool = False\n", "    settled: bool = False\n"), Replace(BILLING, "0 if self.paid", "0 if self.settled")],
        expected: "",
    },
    Seed {
        name: "make the fields of a dataclass keyword-only",
        edits: &[Replace(BILLING, "@dataclass\n", "@dataclass(kw_only=True)\n")],
        expected: "",
    },
    Seed {
        name: "take the default of a tuple's field away",
        edits: &[Replace(BILLING, "    cents: int = 0\n", "    cents: int\n    weight: int\n")],
        expected: "",
    },
    Seed {
        name: "make a method a property",
        edits: &[Replace(BILLING, "    def due(self)", "    @property\n    def due(self)"), Write("shop/late.py", "from shop.billing import Invoice\n\n\ndef late(invoice: Invoice) -> int:\n    return invoice.due()\n")],
        expected: "",
    },
    Seed {
        name: "make a property a method",
        edits: &[Replace(BILLING, "    @property\n    def title", "    def title")],
        expected: "",
    },
    Seed {
        name: "make a static method one of instances",
        edits: &[Replace(BILLING, "    @staticmethod\n    def cents(amount: int)", "    def cents(self, amount: int)")],
        expected: "",
    },
    Seed {
        name: "make a class method static",
        edits: &[Replace(BILLING, "    @classmethod\n    def named(cls, name: str) -> Ledger:\n        return cls(name)", "    @staticmethod\n    def named(kind: str, name: str) -> Ledger:\n        return Ledger(name)")],
        expected: "",
    },
    Seed {
        name: "make a function asynchronous",
        edits: &[Replace(BILLING, "def discount(", "async def discount(")],
        expected: "",
    },
    Seed {
        name: "remove an overload",
        edits: &[Replace(BILLING, "@overload\ndef convert(value: str, base: int) -> int: ...\n", "")],
        expected: "",
    },
    Seed {
        name: "change an overload that nobody uses",
        edits: &[Replace(BILLING, "def convert(value: int) -> str: ...", "def convert(value: int, width: int, fill: str) -> str: ...")],
        expected: "",
    },
    Seed { name: "rename a class", edits: &[Replace(BILLING, "class Archive(", "class Vault(")], expected: "" },
    Seed {
        name: "remove a class that is a base and an annotation",
        edits: &[
            Replace(SERVICE, "class Repo:\n    \"\"\"Where orders are kept.\"\"\"\n\n    def __init__(self) -> None:\n        self.orders: list[Order] = []\n\n    def store(self, order: Order) -> None:\n        self.orders.append(order)\n", ""),
        ],
        expected: "",
    },
    Seed {
        name: "remove a base class",
        edits: &[Replace(BILLING, "class Archive(Ledger):\n    pass", "class Archive:\n    pass")],
        expected: "",
    },
    Seed {
        name: "remove a decorator",
        edits: &[Replace(BILLING, "def traced(function):\n    @functools.wraps(function)\n    def inner(*args, **kwargs):\n        return function(*args, **kwargs)\n\n    return inner\n", "")],
        expected: "",
    },
    Seed {
        name: "remove a callback",
        edits: &[Replace(OFFICE, "def bill(order: Order) -> Invoice:\n    return charge(order, 5, retry=True)\n", "")],
        expected: "",
    },
    Seed { name: "remove a constant", edits: &[Replace(BILLING, "RATE = 3\n", "")], expected: "" },
    Seed { name: "change a constant", edits: &[Replace(BILLING, "RATE = 3\n", "RATE = 4\n")], expected: "" },
    Seed {
        name: "take a re-export away",
        edits: &[Replace("shop/__init__.py", "from shop.service import Checkout, Repo\n", "from shop.service import Checkout\n"), Replace("shop/__init__.py", ", \"Repo\"", "")],
        expected: "",
    },
    Seed {
        name: "override a method, so that calls run it",
        edits: &[
            Replace(BILLING, "class Archive(Ledger):\n    pass", "class Archive(Ledger):\n    @classmethod\n    def named(cls, name: str) -> Ledger:\n        return cls(name.upper())"),
        ],
        expected: "",
    },
    Seed {
        name: "take an override away",
        edits: &[Replace(SERVICE, "class Refund(Checkout):\n    \"\"\"The till, backwards.\"\"\"\n\n    def run(self, items: list[int]) -> Order:\n        audit(\"refund\")\n        return super().run([-price for price in items])\n", "class Refund(Checkout):\n    \"\"\"The till, backwards.\"\"\"\n")],
        expected: "",
    },
    Seed {
        name: "change a function and its callers with it",
        edits: &[
            Replace(BILLING, "/, percent: int)", "/, percent: int, reason: str)"),
            Replace(OFFICE, "discount(order, percent=10)", "discount(order, percent=10, reason=\"age\")"),
        ],
        expected: "",
    },
    Seed {
        name: "change a function, and its caller wrongly",
        edits: &[
            Replace(BILLING, "/, percent: int)", "/, percent: int, reason: str)"),
            Replace(OFFICE, "discount(order, percent=10)", "discount(order, percent=20)"),
        ],
        expected: "",
    },
    Seed {
        name: "forget an import",
        edits: &[Replace(OFFICE, "convert, discount, total", "convert, total")],
        expected: "",
    },
    Seed {
        name: "rename a fixture",
        edits: &[Replace("tests/conftest.py", "def till()", "def register()")],
        expected: "",
    },
    Seed {
        name: "leave a file out by configuration",
        edits: &[Write(".repo-graph.toml", "exclude = [\"shop/office.py\"]\n")],
        expected: "",
    },
    Seed {
        name: "change what runs on import",
        edits: &[Replace("shop/cli.py", "sys.exit(main(sys.argv[1:]))", "sys.exit(main(sys.argv[2:]))")],
        expected: "",
    },
    Seed { name: "change a file that is not read", edits: &[Write("README.md", "A shop.\n")], expected: "" },
    Seed { name: "break a file", edits: &[Replace(OFFICE, "def read(text: str) -> int:", "def read(text: str -> int:")], expected: "" },
];
