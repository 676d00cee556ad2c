//! Conditions: what is known of a name where one holds.

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

/// Most parts of one condition that are looked at, so that a long chain of `&&` stays linear.
const MAX_CONDITION_PARTS: u32 = 48;

/// What a test is about.
type Subject = build::Subject<ExprId>;

/// What holds of each subject: a test, or one of two.
type Tests = Vec<(Subject, Test, Option<Test>)>;

impl<'t> Walk<'t> {
    /// From here on, and until the branch ends, the condition holds (or does not).
    pub(super) fn narrow_by(&mut self, condition: Kid<'t>, holds: bool) {
        let mut found = Vec::new();
        let mut left = MAX_CONDITION_PARTS;
        self.tests(condition, holds, &mut left, &mut found);
        self.narrow_subjects(found);
    }

    fn narrow_subjects(&mut self, found: Tests) {
        for (subject, test, other) in found {
            self.b.narrow_subject(subject, test, other);
        }
    }

    /// The name or attribute that a test is about.
    fn subject(&mut self, kid: Kid<'t>) -> Option<Subject> {
        match kid.kind {
            Kind::Identifier => Some(Subject::Name(self.name(kid.node))),
            Kind::MemberExpression => {
                let path = self.path(kid)?;
                self.quiet(kid).map(|attribute| Subject::Attribute(path, attribute))
            }
            _ => None,
        }
    }

    /// The path of an attribute: `.this.value`.
    fn path(&self, kid: Kid<'t>) -> Option<String> {
        let mut names = Vec::new();
        let mut at = kid;
        while at.kind == Kind::MemberExpression && names.len() < build::MAX_PATH {
            names.push(self.text(self.child(at.node, Field::Property)?));
            at = self.lone(self.child(at.node, Field::Object)?);
        }
        names.push(self.text(at.node));
        let is_path = matches!(at.kind, Kind::Identifier | Kind::This);
        is_path.then(|| build::path_of(&names))
    }

    /// An attribute as tests left it.
    pub(super) fn as_tested(&mut self, kid: Kid<'t>, attribute: ExprId) -> ExprId {
        if !self.b.has_narrowed_attributes() {
            return attribute;
        }
        self.path(kid).and_then(|path| self.b.narrowed_attribute(&path)).unwrap_or(attribute)
    }

    /// An attribute was assigned to.
    pub(super) fn forget_tested(&mut self, kid: Kid<'t>) {
        if self.b.has_narrowed_attributes()
            && let Some(path) = self.path(kid)
        {
            self.b.forget_attribute(&path);
        }
    }

    /// `assert(x instanceof Foo)`, `assertIsFoo(x)`, `invariant(x)`: after an assertion its condition holds. Whether a
    /// function asserts stands in its own type; here its name has to say so.
    pub(super) fn narrow_by_assertion(&mut self, call: Kid<'t>) {
        let kids = self.open(call.node);
        let callee = self.field(kids, Field::Function);
        let arguments = self.field(kids, Field::Arguments).filter(|list| list.kind == Kind::Arguments);
        self.close(kids);
        let (Some(callee), Some(arguments)) = (callee, arguments) else { return };
        let text = self.text(callee.node);
        let last = text.rsplit('.').next().unwrap_or_default();
        let asserts = last.starts_with("assert") || last == "invariant" || text == "assert.ok";
        if !asserts {
            return;
        }
        let list = self.open(arguments.node);
        let first = self.inner(list);
        self.close(list);
        let Some(first) = first else { return };
        if let Some(subject) = self.subject(first)
            && let Some(callee) = self.quiet(callee)
        {
            self.narrow_subjects(vec![(subject, Test::Guard { callee, argument: 0, holds: true }, None)]);
        }
        self.narrow_by(first, true);
    }

    /// `switch (x.kind) { case "circle": … }`
    pub(super) fn narrow_by_case(&mut self, value: Kid<'t>, case: Kid<'t>) {
        let value = self.core(value);
        let mut found = Vec::new();
        self.equality(value, case, true, &mut found);
        // `switch (true) { case x instanceof Foo: … }`
        if value.kind == Kind::True {
            let mut left = MAX_CONDITION_PARTS;
            self.tests(case, true, &mut left, &mut found);
        }
        self.narrow_subjects(found);
    }

    fn tests(&mut self, kid: Kid<'t>, holds: bool, left: &mut u32, found: &mut Tests) {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        match kid.kind {
            Kind::Identifier => {
                let name = Subject::Name(self.name(kid.node));
                found.push((name, if holds { Test::Present } else { Test::Absent }, None));
            }
            Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                if let Some(inner) = self.inner_of(kid) {
                    self.tests(inner, holds, left, found);
                }
            }
            Kind::UnaryExpression => {
                let kids = self.open(kid.node);
                let (operator, argument) = (self.field(kids, Field::Operator), self.field(kids, Field::Argument));
                self.close(kids);
                if let (Some(operator), Some(argument)) = (operator, argument)
                    && self.text(operator.node) == "!"
                {
                    self.tests(argument, !holds, left, found);
                }
            }
            Kind::BinaryExpression => self.binary_tests(kid, holds, left, found),
            Kind::CallExpression => self.guard(kid, holds, found),
            Kind::AssignmentExpression => {
                let target = self.child(kid.node, Field::Left).map(|target| self.lone(target));
                if let Some(target) = target.filter(|target| target.kind == Kind::Identifier) {
                    self.tests(target, holds, left, found);
                }
            }
            // What is read through an optional chain and turns out to be there was reached.
            Kind::MemberExpression | Kind::SubscriptExpression if holds => {
                if let Some(object) = self.child(kid.node, Field::Object) {
                    let object = self.lone(object);
                    if matches!(object.kind, Kind::Identifier | Kind::MemberExpression) {
                        self.tests(object, true, left, found);
                    }
                }
            }
            _ => {}
        }
    }

    fn binary_tests(&mut self, kid: Kid<'t>, holds: bool, left: &mut u32, found: &mut Tests) {
        let kids = self.open(kid.node);
        let parts = (self.field(kids, Field::Left), self.field(kids, Field::Operator), self.field(kids, Field::Right));
        self.close(kids);
        let (Some(a), Some(operator), Some(b)) = parts else { return };
        match self.text(operator.node) {
            "&&" if holds => {
                self.tests(a, true, left, found);
                self.tests(b, true, left, found);
            }
            "||" if !holds => {
                self.tests(a, false, left, found);
                self.tests(b, false, left, found);
            }
            "&&" | "||" => {
                let (mut one, mut other) = (Tests::new(), Tests::new());
                self.tests(a, holds, left, &mut one);
                self.tests(b, holds, left, &mut other);
                either(one, other, found);
            }
            "===" | "==" => {
                self.equality(a, b, holds, found);
                self.equality(b, a, holds, found);
            }
            "!==" | "!=" => {
                self.equality(a, b, !holds, found);
                self.equality(b, a, !holds, found);
            }
            "instanceof" => {
                if let Some(subject) = self.subject(a)
                    && let Some(class) = self.quiet(b)
                {
                    found.push((subject, if holds { Test::Instance(class) } else { Test::NotInstance(class) }, None));
                }
            }
            "in" if holds && a.kind == Kind::String => {
                if let Some(subject) = self.subject(b) {
                    let key = self.string(a.node);
                    let key = self.b.name(key);
                    found.push((subject, Test::HasKey(key), None));
                }
            }
            _ => {}
        }
    }

    /// `x === null`, `typeof x === "string"`, `x.kind === "circle"`, `x?.y === 1`
    fn equality(&mut self, subject: Kid<'t>, other: Kid<'t>, equal: bool, found: &mut Tests) {
        match (subject.kind, other.kind) {
            (Kind::Identifier, Kind::Null | Kind::Undefined) => {
                let name = Subject::Name(self.name(subject.node));
                found.push((name, if equal { Test::Absent } else { Test::Present }, None));
            }
            (Kind::UnaryExpression, Kind::String) => {
                let operator = self.child(subject.node, Field::Operator).map(|operator| self.text(operator));
                let argument = self.child(subject.node, Field::Argument).map(|argument| self.lone(argument));
                if let (Some("typeof"), Some(argument)) = (operator, argument)
                    && let Some(subject) = self.subject(argument)
                {
                    let text = self.string(other.node);
                    let text = self.b.name(text);
                    found.push((subject, if equal { Test::TypeOf(text) } else { Test::NotTypeOf(text) }, None));
                }
            }
            (Kind::MemberExpression, Kind::String | Kind::True | Kind::False | Kind::Number) => {
                let object = self.child(subject.node, Field::Object).map(|object| self.lone(object));
                let property = self.child(subject.node, Field::Property);
                let (Some(object), Some(property)) = (object, property) else { return };
                let Some(of) = self.subject(object) else { return };
                let name = self.name(property);
                let equals = match other.kind {
                    Kind::String => {
                        let text = self.string(other.node);
                        Literal::Text(self.b.name(text))
                    }
                    Kind::Number => match self.text(other.node).parse() {
                        Ok(number) => Literal::Integer(number),
                        Err(_) => return,
                    },
                    kind => Literal::Boolean(kind == Kind::True),
                };
                let test = match equal {
                    true => Test::Property { name, equals },
                    false => Test::NotProperty { name, equals },
                };
                found.push((of, test, None));
            }
            _ => {}
        }
    }

    /// `isFoo(x)`: if the callee is a type guard, it tells what `x` is.
    fn guard(&mut self, call: Kid<'t>, holds: bool, found: &mut Tests) {
        let kids = self.open(call.node);
        let callee = self.field(kids, Field::Function);
        let arguments = self.field(kids, Field::Arguments).filter(|list| list.kind == Kind::Arguments);
        self.close(kids);
        let (Some(callee), Some(arguments)) = (callee, arguments) else { return };
        if self.text(callee.node) == "Boolean" {
            let list = self.open(arguments.node);
            let first = self.inner(list);
            self.close(list);
            if let Some(first) = first.filter(|first| first.kind == Kind::Identifier) {
                let name = Subject::Name(self.name(first.node));
                found.push((name, if holds { Test::Present } else { Test::Absent }, None));
            }
            return;
        }
        // Whether a function narrows stands in its own type; for an attribute its name has to say so, too.
        let text = self.text(callee.node);
        let asks = text.rsplit('.').next().is_some_and(|name| name.starts_with("is"));
        let list = self.open(arguments.node);
        let mut subjects = Vec::new();
        for (index, at) in list.all().enumerate() {
            let argument = self.kid(at);
            if argument.kind == Kind::Identifier || asks {
                subjects.extend(self.subject(argument).map(|subject| (index as u32, subject)));
            }
        }
        self.close(list);
        if subjects.is_empty() {
            return;
        }
        let Some(callee) = self.quiet(callee) else { return };
        for (argument, subject) in subjects {
            found.push((subject, Test::Guard { callee, argument, holds }, None));
        }
    }

    /// A dotted name once more, without a reference: the use itself was noted when the condition was walked.
    fn quiet(&mut self, kid: Kid<'t>) -> Option<ExprId> {
        match kid.kind {
            Kind::Identifier => {
                let name = self.name(kid.node);
                Some(self.b.use_name(name))
            }
            Kind::This => Some(self.this()),
            Kind::MemberExpression => {
                let object = self.child(kid.node, Field::Object).map(|object| self.lone(object))?;
                let property = self.child(kid.node, Field::Property)?;
                let base = self.deeper(object.node, |walk| walk.quiet(object))??;
                let name = self.name(property);
                Some(self.b.expr(Expr::Attribute { base, name }))
            }
            _ => None,
        }
    }
}

/// Where one of two conditions holds: what each tells of one subject by a single test.
fn either(one: Tests, other: Tests, found: &mut Tests) {
    let is_single = |tests: &Tests, subject: &Subject| {
        tests.iter().filter(|(own, _, second)| own.is(subject) && second.is_none()).count() == 1
    };
    for (subject, test, second) in &one {
        let fitting = other.iter().find(|(own, ..)| own.is(subject));
        if let Some((_, last, _)) = fitting
            && second.is_none()
            && is_single(&one, subject)
            && is_single(&other, subject)
        {
            found.push((subject.clone(), test.clone(), Some(last.clone())));
        }
    }
}
