//! Expressions of Python → [`Expr`], with the references that they contain: what kind each is, names and containers.

use super::extract::{Walker, deeper};
use super::kinds::Kind;
use super::literals::{integer, may_matter};
use super::tree::{Grammar as _, N};
use crate::facts::*;

impl<'t> Walker<'t> {
    /// Walks an expression whose value nobody needs.
    pub fn visit(&mut self, n: N) {
        deeper(|| self.visit_here(n));
    }

    fn visit_here(&mut self, n: N) {
        match self.kind(n) {
            Kind::Identifier => {
                let name = self.name(n);
                if !self.b.means_locals(name) {
                    self.value(n);
                }
            }
            Kind::Integer | Kind::Float | Kind::True | Kind::False | Kind::None | Kind::Ellipsis => {}
            Kind::String | Kind::ConcatenatedString => self.interpolations(n),
            Kind::ComparisonOperator
            | Kind::NotOperator
            | Kind::BinaryOperator
            | Kind::UnaryOperator
            | Kind::Parenthesized
            | Kind::Slice
            | Kind::Error
            | Kind::ExpressionList
            | Kind::Other => {
                for child in self.named(n) {
                    self.visit(child);
                }
            }
            Kind::BooleanOperator => {
                let and = self.has(n, Kind::And);
                if let [left, right] = self.named(n)[..] {
                    self.visit(left);
                    let mut branch = self.b.branch();
                    self.narrow(left, and);
                    self.visit(right);
                    self.b.next_arm(&mut branch);
                    self.b.end_branch(branch, true);
                }
            }
            // Among what could not be parsed there may be whole statements.
            Kind::Block
            | Kind::ExpressionStatement
            | Kind::FunctionDefinition
            | Kind::ClassDefinition
            | Kind::DecoratedDefinition => self.statement(n),
            kind if kind.is_token() => {}
            _ => {
                self.value(n);
            }
        }
    }

    /// Builds an expression.
    pub fn value(&mut self, n: N) -> ExprId {
        deeper(|| self.value_here(n))
    }

    fn value_here(&mut self, n: N) -> ExprId {
        match self.kind(n) {
            Kind::Identifier => {
                let target = self.name_use(n);
                let place = self.place(n);
                if matches!(self.b.read().expr(target), Expr::Name(_)) {
                    self.reference(RefKind::Read, RefTarget::Expr(target), place);
                }
                target
            }
            Kind::Attribute => {
                let target = self.attribute(n);
                let place = self.last_place(n);
                self.reference(RefKind::Read, RefTarget::Expr(target), place);
                self.as_tested(n, target)
            }
            Kind::Call => self.call(n),
            Kind::Subscript => self.subscript(n),
            Kind::String => self.string(n),
            Kind::ConcatenatedString => {
                self.interpolations(n);
                let bytes = self.named(n).first().is_some_and(|first| self.is_bytes(*first));
                self.literal(if bytes { Literal::Bytes } else { Literal::Interpolated })
            }
            Kind::Integer => {
                let literal = integer(self.text(n));
                self.literal(literal)
            }
            Kind::Float => {
                let complex = self.text(n).ends_with(['j', 'J']);
                self.literal(if complex { Literal::Complex } else { Literal::Float })
            }
            Kind::True => self.literal(Literal::Boolean(true)),
            Kind::False => self.literal(Literal::Boolean(false)),
            Kind::None => self.literal(Literal::None),
            Kind::Ellipsis => self.literal(Literal::Ellipsis),
            Kind::Parenthesized => {
                let inner = self.named(n);
                match inner[..] {
                    [inner] => self.value(inner),
                    _ => self.all_unknown(n),
                }
            }
            Kind::Tuple | Kind::ExpressionList | Kind::PatternList | Kind::TuplePattern => {
                let items = self.values(n);
                self.b.tuple(&items)
            }
            Kind::List | Kind::ListPattern => {
                let items = self.values(n);
                let items = self.b.run(&items);
                self.b.expr(Expr::List(Collection::List, items))
            }
            Kind::Set => {
                let items = self.values(n);
                let items = self.b.run(&items);
                self.b.expr(Expr::List(Collection::Set, items))
            }
            Kind::Dictionary => self.dictionary(n),
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::GeneratorExpression
            | Kind::DictionaryComprehension => self.comprehension(n),
            Kind::ListSplat | Kind::DictionarySplat | Kind::ListSplatPattern => {
                let inner = self.named(n);
                match inner[..] {
                    [inner] => {
                        let of = self.value(inner);
                        self.b.expr(Expr::Spread(of))
                    }
                    _ => self.all_unknown(n),
                }
            }
            Kind::BinaryOperator => self.binary(n),
            Kind::UnaryOperator => self.unary(n),
            Kind::ComparisonOperator | Kind::NotOperator => {
                self.visit(n);
                self.boolean()
            }
            Kind::BooleanOperator => self.boolean_operator(n),
            Kind::ConditionalExpression => self.conditional(n),
            Kind::NamedExpression => self.named_expression(n),
            Kind::Lambda => self.lambda(n, None),
            Kind::Await => match self.named(n)[..] {
                [inner] => {
                    let of = self.value(inner);
                    self.b.expr(Expr::Await(of))
                }
                _ => self.all_unknown(n),
            },
            Kind::Yield => self.yields(n),
            Kind::AsPattern => match self.named(n)[..] {
                [inner, ..] => self.value(inner),
                _ => self.unknown(),
            },
            Kind::Type => match self.named(n)[..] {
                [inner] => self.value(inner),
                _ => self.all_unknown(n),
            },
            _ => self.all_unknown(n),
        }
    }

    /// Walks what is inside and says nothing of the value.
    pub fn all_unknown(&mut self, n: N) -> ExprId {
        for child in self.named(n) {
            self.visit(child);
        }
        self.unknown()
    }

    fn values(&mut self, n: N) -> Box<[ExprId]> {
        self.named(n).into_iter().map(|child| self.value(child)).collect()
    }

    /// The use of a name, without a reference.
    pub fn name_use(&mut self, n: N) -> ExprId {
        let name = self.name(n);
        if self.text(n) == "__class__"
            && let Some(class) = self.functions.last().and_then(|function| function.this_class)
        {
            return self.b.expr(Expr::Class(class));
        }
        self.b.use_name(name)
    }

    /// An attribute, without a reference to it; its base is a use.
    fn attribute(&mut self, n: N) -> ExprId {
        match self.named(n)[..] {
            [base, name] if self.kind(name) == Kind::Identifier => {
                let base = self.value(base);
                let name = self.name(name);
                self.b.expr(Expr::Attribute { base, name })
            }
            _ => self.all_unknown(n),
        }
    }

    /// What is called or assigned to: no read by itself.
    pub fn unread(&mut self, n: N) -> ExprId {
        match self.kind(n) {
            Kind::Identifier => self.name_use(n),
            Kind::Attribute => deeper(|| self.attribute(n)),
            Kind::Parenthesized if self.bare(n) != n => {
                let inner = self.bare(n);
                self.unread(inner)
            }
            _ => self.value(n),
        }
    }

    // ----------------------------------------------------------------------------------------- containers

    fn dictionary(&mut self, n: N) -> ExprId {
        let mut entries = Vec::new();
        for entry in self.named(n) {
            match (self.kind(entry), &self.named(entry)[..]) {
                (Kind::Pair, &[key, value]) => {
                    entries.extend([self.value(key), self.value(value)]);
                }
                // The key of `**other` is the spread itself; so is its value.
                (Kind::DictionarySplat, _) => {
                    let spread = self.value(entry);
                    entries.extend([spread, spread]);
                }
                _ => self.visit(entry),
            }
        }
        let entries = self.b.run(&entries);
        self.b.expr(Expr::Dict(entries))
    }

    fn subscript(&mut self, n: N) -> ExprId {
        let children = self.named(n);
        let [base, ref given @ ..] = children[..] else { return self.unknown() };
        let base = self.value(base);
        let index = match given {
            &[one] => match self.kind(one) {
                Kind::Slice => {
                    self.visit(one);
                    Index::Slice
                }
                _ => match self.literal_text(one).filter(|text| may_matter(text)) {
                    Some(text) => Index::Text(self.name_of(text)),
                    None => {
                        let value = self.value(one);
                        match self.b.read().expr(value) {
                            Expr::Literal(Literal::Integer(number)) => Index::Integer(*number),
                            _ => Index::Any(value),
                        }
                    }
                },
            },
            several => {
                let items: Vec<ExprId> = several.iter().map(|item| self.value(*item)).collect();
                Index::Any(self.b.tuple(&items))
            }
        };
        self.b.expr(Expr::Subscript { base, index })
    }

    /// `name := value`
    fn named_expression(&mut self, n: N) -> ExprId {
        let [target, value] = self.named(n)[..] else { return self.all_unknown(n) };
        let value = self.value(value);
        if self.quiet == 0 {
            self.bind_target(target, value, None);
        }
        value
    }

    fn comprehension(&mut self, n: N) -> ExprId {
        let parts = self.named(n);
        let [body, ref clauses @ ..] = parts[..] else { return self.unknown() };
        self.b.push_scope(ScopeKind::Block);
        let mut branch = self.b.branch();
        for &clause in clauses {
            match self.kind(clause) {
                Kind::ForInClause => self.for_in(clause),
                Kind::IfClause => {
                    for condition in self.named(clause) {
                        self.visit(condition);
                        self.narrow(condition, true);
                    }
                }
                _ => self.visit(clause),
            }
        }
        let out = match (self.kind(n), self.kind(body)) {
            (Kind::DictionaryComprehension, Kind::Pair) => match self.named(body)[..] {
                [key, value] => {
                    let (key, value) = (self.value(key), self.value(value));
                    Expr::Dict(self.b.run(&[key, value]))
                }
                _ => Expr::Unknown,
            },
            (kind, _) => {
                let element = self.value(body);
                let collection = match kind {
                    Kind::ListComprehension => Collection::List,
                    Kind::SetComprehension => Collection::Set,
                    _ => Collection::Generator,
                };
                Expr::List(collection, self.b.run(&[element]))
            }
        };
        self.b.next_arm(&mut branch);
        self.b.end_branch(branch, true);
        self.b.pop_scope();
        self.b.expr(out)
    }

    fn for_in(&mut self, clause: N) {
        let is_async = self.has(clause, Kind::Async);
        let parts = self.named(clause);
        let [target, ref of @ ..] = parts[..] else { return };
        let of = match *of {
            [one] => self.value(one),
            _ => {
                let items: Vec<ExprId> = of.iter().map(|item| self.value(*item)).collect();
                self.b.tuple(&items)
            }
        };
        let element = self.b.expr(if is_async { Expr::IterateAsync(of) } else { Expr::Iterate(of) });
        self.bind_target(target, element, None);
    }
}
