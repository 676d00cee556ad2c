//! What conditions tell of names.

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

/// What a test is about; an attribute becomes an expression when it is narrowed.
type Subject = build::Subject<N>;

/// Most parts of one condition that are looked at, so that a long chain of `and` stays linear.
const MAX_CONDITION_PARTS: u32 = 48;

impl Walker<'_> {
    /// From here on a condition holds, or does not hold. The condition was walked before.
    pub fn narrow(&mut self, n: N, holds: bool) {
        self.narrow_part(n, holds, &mut { MAX_CONDITION_PARTS });
    }

    fn narrow_part(&mut self, n: N, holds: bool, left: &mut u32) {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        match self.kind(n) {
            Kind::Identifier => {
                let name = self.name(n);
                self.b.narrow(name, if holds { Test::Present } else { Test::Absent });
            }
            Kind::Parenthesized => {
                let inner = self.bare(n);
                if inner != n {
                    self.narrow_part(inner, holds, left);
                }
            }
            Kind::NamedExpression => {
                if let [target, _] = self.named(n)[..] {
                    self.narrow_part(target, holds, left);
                }
            }
            Kind::NotOperator => {
                if let [inner] = self.named(n)[..] {
                    self.narrow_part(inner, !holds, left);
                }
            }
            Kind::BooleanOperator => {
                let [first, second] = self.named(n)[..] else { return };
                if self.has(n, Kind::And) == holds {
                    self.narrow_part(first, holds, left);
                    self.narrow_part(second, holds, left);
                } else if let Some((subject, test, other)) = self.either(first, second, holds) {
                    self.narrow_subject(subject, test, Some(other));
                }
            }
            Kind::ComparisonOperator => self.narrow_comparison(n, holds),
            Kind::Call => {
                if let Some((subject, test)) = self.call_test(n, holds) {
                    self.narrow_subject(subject, test, None);
                }
            }
            _ => {}
        }
    }

    /// The name or attribute that a test is about.
    fn subject(&mut self, n: N) -> Option<Subject> {
        match self.kind(n) {
            Kind::Identifier => Some(Subject::Name(self.name(n))),
            Kind::Attribute => self.path(n).map(|path| Subject::Attribute(path, n)),
            _ => None,
        }
    }

    fn narrow_subject(&mut self, subject: Subject, test: Test, other: Option<Test>) {
        let subject = match subject {
            Subject::Name(name) => build::Subject::Name(name),
            Subject::Attribute(path, n) => build::Subject::Attribute(path, self.quietly(n)),
        };
        self.b.narrow_subject(subject, test, other);
    }

    /// The path of an attribute: `.self.value`.
    fn path(&self, n: N) -> Option<String> {
        let mut names = Vec::new();
        let mut at = n;
        while let (Kind::Attribute, [base, name]) = (self.kind(at), &self.named(at)[..]) {
            names.push(self.text(*name));
            at = *base;
        }
        names.push(self.text(at));
        let is_path = self.kind(at) == Kind::Identifier && names.len() <= build::MAX_PATH;
        is_path.then(|| build::path_of(&names))
    }

    /// An attribute as tests left it.
    pub fn as_tested(&mut self, n: N, attribute: ExprId) -> ExprId {
        if !self.b.has_narrowed_attributes() {
            return attribute;
        }
        self.path(n).and_then(|path| self.b.narrowed_attribute(&path)).unwrap_or(attribute)
    }

    /// An attribute was assigned to.
    pub fn forget_tested(&mut self, n: N) {
        if self.b.has_narrowed_attributes()
            && let Some(path) = self.path(n)
        {
            self.b.forget_attribute(&path);
        }
    }

    /// `isinstance(x, A) or is_b(x)`: one of two tests of one thing holds.
    fn either(&mut self, left: N, right: N, holds: bool) -> Option<(Subject, Test, Test)> {
        let mut side = |n: N| {
            let inner = self.bare(n);
            if self.kind(inner) == Kind::Call { self.call_test(inner, holds) } else { None }
        };
        let ((subject, one), (other_subject, other)) = (side(left)?, side(right)?);
        subject.is(&other_subject).then_some((subject, one, other))
    }

    /// What a call as a condition tells of its first argument.
    fn call_test(&mut self, n: N, holds: bool) -> Option<(Subject, Test)> {
        let [callee, arguments] = self.named(n)[..] else { return None };
        if self.kind(arguments) != Kind::ArgumentList {
            return None;
        }
        let given = self.named(arguments);
        let subject = *given.first()?;
        let subject = match self.kind(self.bare(subject)) {
            Kind::NamedExpression => *self.named(self.bare(subject)).first()?,
            _ => subject,
        };
        let is_attribute = self.kind(subject) == Kind::Attribute;
        if !(is_attribute || self.kind(subject) == Kind::Identifier)
            || !matches!(self.kind(callee), Kind::Identifier | Kind::Attribute)
        {
            return None;
        }
        let test = match (self.text(callee), &given[1..]) {
            ("isinstance", &[class]) => {
                let class = self.quietly(class);
                if holds { Test::Instance(class) } else { Test::NotInstance(class) }
            }
            ("issubclass", &[class]) if holds => Test::Subclass(self.quietly(class)),
            ("callable", []) if holds => Test::Callable,
            // Whether a function narrows stands in its own type; for an attribute its name has to say so, too.
            _ if is_attribute && !self.last_name(callee).is_some_and(is_question) => return None,
            ("isinstance" | "issubclass" | "callable" | "len" | "hasattr" | "any" | "all" | "bool", _) => return None,
            _ => Test::Guard { callee: self.quietly(callee), argument: 0, holds },
        };
        Some((self.subject(subject)?, test))
    }

    fn narrow_comparison(&mut self, n: N, holds: bool) {
        let [left, operator, right] = self.children(n)[..] else { return };
        let holds = match self.text(operator) {
            "is" | "==" => holds,
            "is not" | "!=" => !holds,
            _ => return,
        };
        let (left, right) = (self.bare(left), self.bare(right));
        match (self.kind(left), self.kind(right)) {
            (Kind::Identifier | Kind::NamedExpression, Kind::None) => self.narrow_none(left, holds),
            (Kind::None, Kind::Identifier) => self.narrow_none(right, holds),
            (Kind::Identifier, Kind::String | Kind::Integer | Kind::True) if holds => self.narrow(left, true),
            (Kind::Call, Kind::Identifier | Kind::Attribute) if holds => {
                let [callee, arguments] = self.named(left)[..] else { return };
                if let ("type", &[subject]) = (self.text(callee), &self.named(arguments)[..])
                    && let Some(subject) = self.subject(subject)
                {
                    let class = self.quietly(right);
                    self.narrow_subject(subject, Test::Instance(class), None);
                }
            }
            (Kind::Attribute, Kind::String | Kind::Integer | Kind::True | Kind::False | Kind::None) => {
                self.narrow_property(left, right, holds);
            }
            _ => {}
        }
    }

    /// `x is None`, `(x := f()) is not None`
    fn narrow_none(&mut self, n: N, is_none: bool) {
        let subject = match self.kind(n) {
            Kind::NamedExpression => self.named(n).first().copied(),
            _ => Some(n),
        };
        if let Some(subject) = subject.filter(|subject| self.kind(*subject) == Kind::Identifier) {
            let name = self.name(subject);
            self.b.narrow(name, if is_none { Test::None } else { Test::Present });
        }
    }

    /// `x.kind == "circle"`
    fn narrow_property(&mut self, attribute: N, literal: N, holds: bool) {
        let [base, name] = self.named(attribute)[..] else { return };
        let literal = self.quietly(literal);
        if let Expr::Literal(equals) = *self.b.read().expr(literal)
            && let Some(subject) = self.subject(base)
        {
            let name = self.name(name);
            let test = if holds { Test::Property { name, equals } } else { Test::NotProperty { name, equals } };
            self.narrow_subject(subject, test, None);
        }
    }

    /// Builds an expression that was walked before; it is no further use.
    pub fn quietly(&mut self, n: N) -> ExprId {
        self.quiet += 1;
        let value = self.value(n);
        self.quiet -= 1;
        value
    }
}

/// Whether the name of a function asks what something is.
fn is_question(name: &str) -> bool {
    name.trim_start_matches('_').starts_with("is")
}
