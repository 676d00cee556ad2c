//! Annotations of Python → [`Form`], with a reference for each name in them.

use super::extract::{Walker, deeper, parse};
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

impl<'t> Walker<'t> {
    /// The type that an annotation or type expression means.
    pub fn form(&mut self, n: N) -> FormId {
        deeper(|| self.form_here(n, RefKind::Annotation))
    }

    /// A base class as a type: its name is used as a base.
    pub fn base_form(&mut self, n: N, class: DefId) -> FormId {
        match self.kind(n) {
            Kind::Subscript => {
                let parts = self.named(n);
                let base = self.base_form(parts[0], class);
                self.applied(base, parts[0], &parts[1..])
            }
            _ => {
                let target = self.type_name(n);
                let place = self.last_place(n);
                self.b.reference_of(Some(class), RefKind::Base, RefTarget::Expr(target), place);
                self.b.form(Form::Name(target))
            }
        }
    }

    /// The type that an argument means; its names were walked as values, unless they stand in a string.
    pub fn form_of_value(&mut self, n: N) -> FormId {
        match self.literal_text(n) {
            Some(_) => self.form(n),
            None => self.form_again(n),
        }
    }

    /// A type that was walked before; it is no further use.
    pub fn form_again(&mut self, n: N) -> FormId {
        self.quiet += 1;
        let form = self.form(n);
        self.quiet -= 1;
        form
    }

    fn form_here(&mut self, n: N, kind: RefKind) -> FormId {
        match self.kind(n) {
            Kind::Type | Kind::Parenthesized => match self.named(n)[..] {
                [inner] => self.form(inner),
                _ => self.no_form(n),
            },
            Kind::Identifier | Kind::Attribute | Kind::MemberType => {
                let target = self.type_name(n);
                let place = self.last_place(n);
                self.reference(kind, RefTarget::Expr(target), place);
                self.b.form(Form::Name(target))
            }
            Kind::Subscript => {
                let parts = self.named(n);
                let base = self.form(parts[0]);
                self.applied(base, parts[0], &parts[1..])
            }
            Kind::GenericType => match self.named(n)[..] {
                [head, parameters] => {
                    let base = self.form(head);
                    let given = self.named(parameters);
                    self.applied(base, head, &given)
                }
                _ => self.no_form(n),
            },
            Kind::UnionType => self.union(n),
            Kind::BinaryOperator if self.is_union(n) => self.union(n),
            Kind::String => self.form_of_text(n),
            Kind::None => self.b.form(Form::None),
            Kind::Ellipsis => self.b.form(Form::Literal(Literal::Ellipsis)),
            Kind::List => {
                let items = self.named(n).into_iter().map(|item| self.form(item)).collect();
                self.b.form(Form::List(items))
            }
            Kind::Tuple | Kind::ExpressionList => {
                let items = self.forms(&self.named(n));
                self.b.form(Form::Tuple(items))
            }
            Kind::ListSplat | Kind::ListSplatPattern | Kind::SplatType => match self.named(n)[..] {
                [inner] => {
                    let inner = self.form(inner);
                    self.b.form(Form::Rest(inner))
                }
                _ => self.no_form(n),
            },
            Kind::Module | Kind::ExpressionStatement => match self.named(n)[..] {
                [inner] => self.form(inner),
                _ => self.no_form(n),
            },
            _ => self.no_form(n),
        }
    }

    /// What is no type is a value that is used.
    fn no_form(&mut self, n: N) -> FormId {
        self.visit(n);
        self.b.form(Form::Unknown)
    }

    fn is_union(&self, n: N) -> bool {
        self.children(n).get(1).is_some_and(|operator| self.text(*operator) == "|")
    }

    fn union(&mut self, n: N) -> FormId {
        // `a | b | c` nests to the left.
        let mut parts = Vec::new();
        let mut at = n;
        loop {
            let inner = if self.kind(at) == Kind::Type { self.named(at).first().copied().unwrap_or(at) } else { at };
            let union =
                self.kind(inner) == Kind::UnionType || self.kind(inner) == Kind::BinaryOperator && self.is_union(inner);
            match self.named(inner)[..] {
                [left, right] if union => {
                    parts.push(right);
                    at = left;
                }
                // What did not parse may have more parts, or fewer.
                ref several if union => {
                    parts.extend(several.iter().rev());
                    break;
                }
                _ => {
                    parts.push(at);
                    break;
                }
            }
        }
        let forms: Box<[FormId]> = parts.into_iter().rev().map(|part| self.form(part)).collect();
        self.b.form(Form::Union(forms))
    }

    /// A name or chain of attributes as a type. What stands before a dot is a use of its own.
    fn type_name(&mut self, n: N) -> ExprId {
        match (self.kind(n), &self.named(n)[..]) {
            (Kind::Attribute, &[base, name]) => {
                let base = self.value(base);
                let name = self.name(name);
                self.b.expr(Expr::Attribute { base, name })
            }
            (Kind::MemberType, &[base, name]) => {
                let base = self.value(base);
                let name = self.name(name);
                self.b.expr(Expr::Attribute { base, name })
            }
            _ => {
                let name = self.name(n);
                self.b.use_type_name(name)
            }
        }
    }

    fn applied(&mut self, base: FormId, head: N, given: &[N]) -> FormId {
        // The grammar wraps several arguments in parentheses as one.
        let spliced = match given {
            &[one] if self.kind(one) == Kind::Tuple => self.named(one),
            given => given.into(),
        };
        match self.last_name(self.bare_type(head)) {
            Some("Literal") => {
                let literals = spliced.into_iter().map(|literal| self.literal_form(literal)).collect();
                self.b.form(Form::Apply { base, arguments: literals })
            }
            Some("Annotated") => {
                let mut arguments = Vec::new();
                for (at, argument) in spliced.into_iter().enumerate() {
                    match at {
                        0 => arguments.push(self.form(argument)),
                        _ => self.visit(argument),
                    }
                }
                self.b.form(Form::Apply { base, arguments: arguments.into() })
            }
            Some("Callable") if spliced.len() == 2 => self.function_form(spliced[0], spliced[1]),
            _ => {
                let arguments = self.forms(&spliced);
                self.b.form(Form::Apply { base, arguments })
            }
        }
    }

    /// `Callable[[A, B], R]`; what is no list of parameters (`...`, a parameter specification) stands for any.
    fn function_form(&mut self, taken: N, result: N) -> FormId {
        let inner = self.bare_type(taken);
        let unnamed = self.name_of("");
        let parameter =
            |kind, annotation| Parameter { name: unnamed, kind, annotation, default: None, optional: false };
        let parameters = if self.kind(inner) == Kind::List {
            let forms: Vec<FormId> = self.named(inner).into_iter().map(|item| self.form(item)).collect();
            forms.into_iter().map(|form| parameter(ParameterKind::PositionalOnly, Some(form))).collect()
        } else {
            self.form(taken);
            [ParameterKind::Rest, ParameterKind::RestKeywords].map(|kind| parameter(kind, None)).into()
        };
        let result = self.form(result);
        let function = self.b.function(Function { parameters, result: Some(result), ..Function::default() });
        self.b.form(Form::Function(function))
    }

    fn bare_type(&self, n: N) -> N {
        match (self.kind(n), &self.named(n)[..]) {
            (Kind::Type, &[inner]) => inner,
            _ => n,
        }
    }

    /// Several types; in `X, ...` the second means any number of the first.
    fn forms(&mut self, given: &[N]) -> Box<[FormId]> {
        if let &[of, dots] = given
            && self.kind(self.bare_type(dots)) == Kind::Ellipsis
            && self.kind(self.bare_type(of)) != Kind::Ellipsis
        {
            let of = self.form(of);
            return [self.b.form(Form::Rest(of))].into();
        }
        given.iter().map(|item| self.form(*item)).collect()
    }

    /// An argument of `Literal[…]`: text is text there.
    fn literal_form(&mut self, n: N) -> FormId {
        let n = self.bare_type(n);
        if matches!(self.kind(n), Kind::Identifier | Kind::Attribute | Kind::Subscript | Kind::GenericType) {
            return self.form(n);
        }
        let value = self.value(n);
        match *self.b.read().expr(value) {
            Expr::Literal(Literal::None) => self.b.form(Form::None),
            Expr::Literal(literal) => self.b.form(Form::Literal(literal)),
            _ => self.b.form(Form::Unknown),
        }
    }

    /// A type written in a string.
    fn form_of_text(&mut self, n: N) -> FormId {
        match self.literal_range(n) {
            Some((start, end)) => self.form_between(start, end),
            None => self.b.form(Form::Unknown),
        }
    }

    /// A type written between two byte offsets of the text. Its nodes have their places in the text.
    pub fn form_between(&mut self, start: u32, end: u32) -> FormId {
        let text = self.tree.slice(start, end);
        let name = text.trim();
        if name.is_empty() {
            return self.b.form(Form::Unknown);
        }
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            if name == "None" {
                return self.b.form(Form::None);
            }
            let at = start + (text.len() - text.trim_start().len()) as u32;
            let name = self.name_of(name);
            let target = self.b.use_type_name(name);
            let place = self.tree.place(at);
            self.reference(RefKind::Annotation, RefTarget::Expr(target), place);
            return self.b.form(Form::Name(target));
        }
        // A string that is no type is no problem of the file.
        let problems = std::mem::take(&mut self.tree.problems);
        let parsed = parse(&mut self.tree, Some((start, end)));
        self.tree.problems = problems;
        match parsed {
            Some(root) => self.form(root),
            None => self.b.form(Form::Unknown),
        }
    }
}
