//! The changes of Python, and the files of their own that the project gets for them.

mod classes;
mod files;
mod functions;

use super::Seed;

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

pub const SEEDS: [&[Seed]; 3] = [functions::SEEDS, classes::SEEDS, files::SEEDS];
