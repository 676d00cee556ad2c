//! Changes of functions, their parameters and values.

use super::{BILLING, MODELS, OFFICE};
use crate::Seed;
use crate::project::Edit::Replace;

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
];
