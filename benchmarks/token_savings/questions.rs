//! The questions, and what an agent without the graph would do to answer them. Fixed: they are not chosen by result.

/// Where a project is.
pub enum Place {
    /// Below `fixtures/`.
    Fixture(&'static str),
    /// One of the repositories that `cargo bench --bench figures` makes, at this tag.
    Corpus(&'static str, &'static str),
}

pub struct Project {
    pub name: &'static str,
    pub place: Place,
    pub questions: &'static [Question],
    /// An edit, not committed, and what is asked after it.
    pub change: Option<Change>,
}

pub struct Change {
    pub path: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub question: Question,
}

pub struct Question {
    pub asked: &'static str,
    /// Ours: `repo-graph query …`.
    pub query: &'static [&'static str],
    /// Theirs: texts searched for in all sources, as whole words (`grep -rnwF`), one after the other.
    pub searches: &'static [&'static str],
    /// Theirs: files that are read without a search.
    pub reads: &'static [&'static str],
    /// Whether the lines that a search prints answer the question by themselves.
    pub search_is_enough: bool,
}

/// A question for which files must be read.
const fn read(asked: &'static str, query: &'static [&'static str], searches: &'static [&'static str]) -> Question {
    Question { asked, query, searches, reads: &[], search_is_enough: false }
}

/// A question that the lines of a search answer.
const fn seen(asked: &'static str, query: &'static [&'static str], searches: &'static [&'static str]) -> Question {
    Question { asked, query, searches, reads: &[], search_is_enough: true }
}

/// A question about one file that is known.
const fn file(asked: &'static str, query: &'static [&'static str], reads: &'static [&'static str]) -> Question {
    Question { asked, query, searches: &[], reads, search_is_enough: false }
}

pub const PROJECTS: [Project; 4] = [
    Project {
        name: "fixtures/shop",
        place: Place::Fixture("shop"),
        questions: &[
            read("Who calls `Order.save`?", &["callers", "Order.save"], &["save"]),
            read(
                "What does `Checkout.run` call?",
                &["callees", "Checkout.run"],
                &["Checkout", "save", "audit", "store"],
            ),
            read("What breaks if `Order.save` changes?", &["impact", "Order.save"], &["save", "run", "main"]),
            read("Which tests reach `audit`?", &["tests_for", "audit"], &["audit", "run"]),
            read(
                "How does `main` reach `audit`?",
                &["path", "shop.cli:main", "shop.models:audit"],
                &["main", "audit", "run"],
            ),
            read("Who overrides `Checkout.run`?", &["hierarchy", "Checkout.run"], &["Checkout", "run"]),
            seen("Where is `Order`?", &["find_symbol", "Order", "--kind", "class"], &["class Order"]),
            seen("Who imports `shop.models`?", &["importers", "shop.models"], &["shop.models"]),
            file("What does `shop/models.py` hold?", &["outline", "shop/models.py"], &["shop/models.py"]),
        ],
        change: Some(Change {
            path: "shop/models.py",
            before: "def save(self)",
            after: "def save(self, path: str)",
            question: read("What did this branch break?", &["changed_callers", "main"], &["save"]),
        }),
    },
    Project {
        name: "fixtures/web",
        place: Place::Fixture("web"),
        questions: &[
            read("Who calls `Cart.pay`?", &["callers", "Cart.pay"], &["pay"]),
            read("What does `start` call?", &["callees", "src/main:start"], &["start", "load", "log", "CartView"]),
            read("What breaks if `formatMoney` changes?", &["impact", "money:format"], &["formatMoney", "CartView"]),
            read("Which tests reach `Cart.pay`?", &["tests_for", "Cart.pay"], &["pay"]),
            read(
                "How does `start` reach `Button`?",
                &["path", "src/main:start", "src/components/Button:Button"],
                &["start", "Button", "CartView"],
            ),
            seen("Where is `Cart`?", &["find_symbol", "Cart", "--kind", "class"], &["class Cart"]),
            seen("Who imports `Api`?", &["importers", "Api"], &["Api"]),
            file(
                "What does `cart.ts` hold?",
                &["outline", "packages/core/src/cart.ts"],
                &["packages/core/src/cart.ts"],
            ),
        ],
        change: Some(Change {
            path: "packages/core/src/cart.ts",
            before: "  pay(): void {",
            after: "  pay(by: string): void {",
            question: read("What did this branch break?", &["changed_callers", "main"], &["pay"]),
        }),
    },
    Project {
        name: "Django 5.2.1",
        place: Place::Corpus("django", "5.2.1"),
        questions: &[
            read("Who calls `get_object_or_404`?", &["callers", "get_object_or_404"], &["get_object_or_404"]),
            read("Who calls `Model.save`?", &["callers", "django.db.models.base:Model.save"], &[".save("]),
            read(
                "What breaks if `utils.text.slugify` changes?",
                &["impact", "django.utils.text:slugify"],
                &["slugify"],
            ),
            read("Which tests reach `Truncator`?", &["tests_for", "django.utils.text:Truncator"], &["Truncator"]),
            read(
                "How does `QuerySet.get` reach `Query.clone`?",
                &["path", "QuerySet.get", "django.db.models.sql.query:Query.clone"],
                &["_clone", "_chain", "clone("],
            ),
            read(
                "Who derives from `admin.ModelAdmin`?",
                &["hierarchy", "django.contrib.admin.options:ModelAdmin"],
                &["ModelAdmin)"],
            ),
            seen(
                "Where is `QuerySet`?",
                &["find_symbol", "QuerySet", "--kind", "class", "--limit", "5"],
                &["class QuerySet"],
            ),
            seen("Who imports `django.utils.text`?", &["importers", "django.utils.text"], &["from django.utils.text"]),
            file("What does `shortcuts.py` hold?", &["outline", "django/shortcuts.py"], &["django/shortcuts.py"]),
        ],
        change: None,
    },
    Project {
        name: "RxJS 7.8.2",
        place: Place::Corpus("rxjs", "7.8.2"),
        questions: &[
            read("Who calls `innerFrom`?", &["callers", "innerFrom"], &["innerFrom"]),
            read("What breaks if `Subscriber.next` changes?", &["impact", "Subscriber.next"], &[".next("]),
            read("What does `throttle` call?", &["callees", "src/internal/operators/throttle:throttle"], &["throttle"]),
            read(
                "How does `throttleTime` reach `operate`?",
                &["path", "throttleTime", "operate"],
                &["throttleTime", "throttle", "operate"],
            ),
            read("Who derives from `Subject`?", &["hierarchy", "src/internal/Subject:Subject"], &["extends Subject"]),
            seen(
                "Where is `Scheduler`?",
                &["find_symbol", "Scheduler", "--kind", "class", "--limit", "5"],
                &["class Scheduler"],
            ),
            seen("Who imports `operate`?", &["importers", "src/internal/util/lift:operate"], &["import { operate }"]),
            file("What does `Subject.ts` hold?", &["outline", "src/internal/Subject.ts"], &["src/internal/Subject.ts"]),
        ],
        change: None,
    },
];
