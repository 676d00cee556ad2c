//! Changes of files: what moves, is imported and exported, is left out.

use super::{BOOKS, DESK, INDEX, MONEY};
use crate::Seed;
use crate::project::Edit::{Delete, Move, Replace, Write};

pub const SEEDS: &[Seed] = &[
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
    Seed { name: "no longer export from CommonJS", edits: &[Replace("src/legacy.js", "module.exports = { log };", "module.exports = {};")], expected: "
            body src/legacy
            resolution src/main
            resolution src/main:start
            broken src/main -> src/legacy:log: `log` is not in src/legacy
            broken src/main:start -> src/legacy:log: `log` is not in src/legacy
        " },
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
