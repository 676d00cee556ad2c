//! Changes of files: what moves, is imported, is left out.

use super::{BILLING, OFFICE};
use crate::Seed;
use crate::project::Edit::{Delete, Move, Replace, Write};

pub const SEEDS: &[Seed] = &[
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
