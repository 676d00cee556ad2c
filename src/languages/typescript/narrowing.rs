//! Conditions: what is known of a name where one holds.

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

/// Most parts of one condition that are looked at, so that a long chain of `&&` stays linear.
const MAX_CONDITION_PARTS: u32 = 48;

impl<'t> Walk<'t> {
    /// From here on, and until the branch ends, the condition holds (or does not).
    pub(super) fn narrow_by(&mut self, condition: Kid<'t>, holds: bool) {
        let mut found = Vec::new();
        let mut left = MAX_CONDITION_PARTS;
        self.tests(condition, holds, &mut left, &mut found);
        for (name, test) in found {
            self.b.narrow(name, test);
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
        if first.kind == Kind::Identifier {
            let name = self.name(first.node);
            if let Some(callee) = self.quiet(callee) {
                self.b.narrow(name, Test::Guard { callee, argument: 0, holds: true });
            }
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
        for (name, test) in found {
            self.b.narrow(name, test);
        }
    }

    fn tests(&mut self, kid: Kid<'t>, holds: bool, left: &mut u32, found: &mut Vec<(Name, Test)>) {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        match kid.kind {
            Kind::Identifier => {
                let name = self.name(kid.node);
                found.push((name, if holds { Test::Present } else { Test::Absent }));
            }
            Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                let kids = self.open(kid.node);
                let inner = self.inner(kids);
                self.close(kids);
                if let Some(inner) = inner {
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

    fn binary_tests(&mut self, kid: Kid<'t>, holds: bool, left: &mut u32, found: &mut Vec<(Name, Test)>) {
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
            "===" | "==" => {
                self.equality(a, b, holds, found);
                self.equality(b, a, holds, found);
            }
            "!==" | "!=" => {
                self.equality(a, b, !holds, found);
                self.equality(b, a, !holds, found);
            }
            "instanceof" if a.kind == Kind::Identifier => {
                if let Some(class) = self.quiet(b) {
                    let name = self.name(a.node);
                    found.push((name, if holds { Test::Instance(class) } else { Test::NotInstance(class) }));
                }
            }
            "in" if holds && b.kind == Kind::Identifier && a.kind == Kind::String => {
                let key = self.string(a.node);
                let (name, key) = (self.name(b.node), self.b.name(key));
                found.push((name, Test::HasKey(key)));
            }
            _ => {}
        }
    }

    /// `x === null`, `typeof x === "string"`, `x.kind === "circle"`, `x?.y === 1`
    fn equality(&mut self, subject: Kid<'t>, other: Kid<'t>, equal: bool, found: &mut Vec<(Name, Test)>) {
        match (subject.kind, other.kind) {
            (Kind::Identifier, Kind::Null | Kind::Undefined) => {
                let name = self.name(subject.node);
                found.push((name, if equal { Test::Absent } else { Test::Present }));
            }
            (Kind::UnaryExpression, Kind::String) => {
                let operator = self.child(subject.node, Field::Operator).map(|operator| self.text(operator));
                let argument = self.child(subject.node, Field::Argument).map(|argument| self.lone(argument));
                if let (Some("typeof"), Some(argument)) = (operator, argument)
                    && argument.kind == Kind::Identifier
                {
                    let text = self.string(other.node);
                    let (name, text) = (self.name(argument.node), self.b.name(text));
                    found.push((name, if equal { Test::TypeOf(text) } else { Test::NotTypeOf(text) }));
                }
            }
            (Kind::MemberExpression, Kind::String | Kind::True | Kind::False | Kind::Number) => {
                let object = self.child(subject.node, Field::Object).map(|object| self.lone(object));
                let property = self.child(subject.node, Field::Property);
                let (Some(object), Some(property)) = (object, property) else { return };
                if object.kind != Kind::Identifier {
                    return;
                }
                let (of, name) = (self.name(object.node), self.name(property));
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
                found.push((of, test));
            }
            _ => {}
        }
    }

    /// `isFoo(x)`: if the callee is a type guard, it tells what `x` is.
    fn guard(&mut self, call: Kid<'t>, holds: bool, found: &mut Vec<(Name, Test)>) {
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
                let name = self.name(first.node);
                found.push((name, if holds { Test::Present } else { Test::Absent }));
            }
            return;
        }
        let list = self.open(arguments.node);
        let mut names = Vec::new();
        for (index, at) in list.all().enumerate() {
            let argument = self.kid(at);
            if argument.kind == Kind::Identifier {
                names.push((index as u32, self.name(argument.node)));
            }
        }
        self.close(list);
        if names.is_empty() {
            return;
        }
        let Some(callee) = self.quiet(callee) else { return };
        for (argument, name) in names {
            found.push((name, Test::Guard { callee, argument, holds }));
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
