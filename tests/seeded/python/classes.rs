//! Changes of classes, their members and order.

use super::{BILLING, SERVICE};
use crate::Seed;
use crate::project::Edit::{Replace, Write};

pub const SEEDS: &[Seed] = &[
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
];
