//! `match` statements: what patterns bind, and what they tell of the subject.

use super::extract::{Walker, deeper};
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

impl Walker<'_> {
    pub fn match_statement(&mut self, n: N) {
        let parts = self.named(n);
        let Some((&block, subjects)) = parts.split_last() else { return };
        let (value, name) = match *subjects {
            [one] => (self.value(one), (self.kind(one) == Kind::Identifier).then(|| self.name(one))),
            _ => {
                let items: Vec<ExprId> = subjects.iter().map(|subject| self.value(*subject)).collect();
                (self.b.tuple(&items), None)
            }
        };
        let mut branch = self.b.branch();
        let mut exhaustive = false;
        for (at, &case) in self.named(block).iter().enumerate() {
            if at > 0 {
                self.b.next_arm(&mut branch);
            }
            exhaustive |= self.case(case, value, name);
        }
        self.b.end_branch(branch, exhaustive);
    }

    /// Walks a case and says whether it takes everything.
    fn case(&mut self, n: N, subject: ExprId, name: Option<Name>) -> bool {
        let parts = self.named(n);
        let patterns: Vec<N> = parts.iter().copied().filter(|part| self.kind(*part) == Kind::CasePattern).collect();
        let mut takes_all = false;
        if let [pattern] = patterns[..] {
            let class = self.pattern(pattern, subject);
            takes_all = self.takes_all(pattern);
            if let (Some(name), Some(class)) = (name, class) {
                self.b.narrow(name, Test::Instance(class));
            }
        } else {
            self.sequence(&patterns, subject);
        }
        for &part in &parts {
            match self.kind(part) {
                Kind::CasePattern => {}
                Kind::IfClause => {
                    takes_all = false;
                    for condition in self.named(part) {
                        self.visit(condition);
                        self.narrow(condition, true);
                    }
                }
                _ => self.statement(part),
            }
        }
        takes_all
    }

    /// `_` or a bare name.
    fn takes_all(&self, pattern: N) -> bool {
        let text = self.text(pattern);
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(char::is_numeric);
        is_name && !matches!(text, "None" | "True" | "False")
    }

    /// Binds what a pattern captures; gives the class that the value must be an instance of.
    fn pattern(&mut self, n: N, value: ExprId) -> Option<ExprId> {
        deeper(|| self.pattern_here(n, value))
    }

    fn pattern_here(&mut self, n: N, value: ExprId) -> Option<ExprId> {
        let parts = self.named(n);
        match self.kind(n) {
            Kind::CasePattern => match parts[..] {
                [inner] => self.pattern(inner, value),
                _ => None,
            },
            Kind::DottedName => {
                if let [capture] = parts[..] {
                    self.capture(capture, value);
                } else {
                    self.dotted_value(n);
                }
                None
            }
            Kind::AsPattern => {
                let [inner, target] = parts[..] else { return None };
                let class = self.pattern(inner, value);
                let value = match class {
                    Some(class) => self.instance(value, class),
                    None => value,
                };
                self.capture(target, value);
                class
            }
            Kind::UnionPattern => {
                let classes: Vec<Option<ExprId>> = parts.iter().map(|part| self.pattern(*part, value)).collect();
                let classes: Option<Vec<ExprId>> = classes.into_iter().collect();
                classes.map(|classes| self.b.tuple(&classes))
            }
            Kind::ClassPattern => {
                let (&name, inner) = parts.split_first()?;
                let class = self.dotted_value(name);
                let instance = self.instance(value, class);
                for &pattern in inner {
                    let keyword =
                        self.named(pattern).first().copied().filter(|k| self.kind(*k) == Kind::KeywordPattern);
                    match keyword.map(|keyword| self.named(keyword)).as_deref() {
                        Some(&[attribute, inner]) => {
                            let name = self.name(attribute);
                            let value = self.b.expr(Expr::Attribute { base: instance, name });
                            self.pattern(inner, value);
                        }
                        _ => {
                            // Which attribute a position means is said by `__match_args__` of the class.
                            let value = self.unknown();
                            self.pattern(pattern, value);
                        }
                    }
                }
                Some(class)
            }
            Kind::ListPattern | Kind::TuplePattern => {
                self.sequence(&parts, value);
                None
            }
            Kind::DictPattern => {
                self.dict_pattern(&parts, value);
                None
            }
            Kind::SplatPattern => {
                if let [capture] = parts[..] {
                    self.capture(capture, value);
                }
                None
            }
            _ => {
                parts.iter().for_each(|part| self.visit(*part));
                None
            }
        }
    }

    fn sequence(&mut self, patterns: &[N], of: ExprId) {
        let is_splat = |walker: &Self, n: N| {
            let inner = walker.named(n).first().copied().filter(|_| walker.kind(n) == Kind::CasePattern).unwrap_or(n);
            walker.kind(inner) == Kind::SplatPattern
        };
        let star = patterns.iter().position(|pattern| is_splat(self, *pattern));
        for (at, &pattern) in patterns.iter().enumerate() {
            let part = match star {
                Some(star) if at == star => Part::Rest(at as u32),
                Some(star) if at > star => Part::FromEnd((patterns.len() - 1 - at) as u32),
                _ => Part::Index(at as u32),
            };
            let value = self.b.expr(Expr::Part { of, part });
            self.pattern(pattern, value);
        }
    }

    fn dict_pattern(&mut self, parts: &[N], base: ExprId) {
        let mut key = None;
        for &part in parts {
            match (self.kind(part), key.take()) {
                (Kind::SplatPattern, _) => {
                    let value = self.unknown();
                    self.pattern(part, value);
                }
                (Kind::CasePattern, Some(key)) => {
                    let index = match self.literal_text(key) {
                        Some(text) => Index::Text(self.name_of(text)),
                        None => Index::Any(self.value(key)),
                    };
                    let value = self.b.expr(Expr::Subscript { base, index });
                    self.pattern(part, value);
                }
                _ => key = Some(part),
            }
        }
    }

    fn capture(&mut self, target: N, value: ExprId) {
        if self.text(target) != "_" && self.kind(target) == Kind::Identifier {
            self.statement = target;
            self.bind_name(target, Value::Expr(value), None);
        }
    }

    fn instance(&mut self, of: ExprId, class: ExprId) -> ExprId {
        self.b.narrowed(of, Test::Instance(class))
    }

    /// A dotted name as a value: the last name is read, what stands before it too.
    fn dotted_value(&mut self, n: N) -> ExprId {
        let names = self.named(n);
        let Some((&first, rest)) = names.split_first() else { return self.unknown() };
        let mut value = self.value(first);
        for &attribute in rest {
            let name = self.name(attribute);
            value = self.b.expr(Expr::Attribute { base: value, name });
            let place = self.place(attribute);
            self.reference(RefKind::Read, RefTarget::Expr(value), place);
        }
        value
    }
}
