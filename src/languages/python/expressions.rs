//! Expressions of Python → [`Expr`], with the references that they contain.

use std::ops::Range;

use super::extract::{FunctionContext, Walker, deeper};
use super::kinds::Kind;
use super::tree::{Grammar as _, N};
use crate::facts::*;

/// Longest text of a string literal kept, in bytes.
const MAX_TEXT: usize = 80;

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

    fn all_unknown(&mut self, n: N) -> ExprId {
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

    // ---------------------------------------------------------------------------------------------- calls

    fn call(&mut self, n: N) -> ExprId {
        let children = self.named(n);
        let [callee, arguments] = children[..] else { return self.all_unknown(n) };
        if let Some(special) = self.special_call(callee, arguments) {
            return special;
        }
        // The arguments' functions name the call, so it must be there before them.
        let id = self.b.expr(Expr::Unknown);
        let callee_expr = self.unread(callee);
        let given = self.arguments(arguments, id);
        let type_arguments = self.type_arguments(callee, arguments);
        let call = self.b.call(CallForm::Call, callee_expr, &given, &type_arguments);
        self.b.facts().surface.expressions[id.index()] = call;
        // What is called without a name has no place of its own; that of the inner call's name is taken.
        let nameless = matches!(self.kind(callee), Kind::Call | Kind::Subscript);
        let place = if nameless { self.place(arguments) } else { self.last_place(callee) };
        self.reference(RefKind::Call, RefTarget::Expr(id), place);
        self.named_fixtures(callee, arguments);
        id
    }

    pub fn arguments(&mut self, n: N, call: ExprId) -> Vec<Argument> {
        if self.kind(n) == Kind::GeneratorExpression {
            let value = self.value(n);
            return vec![Argument { kind: ArgumentKind::Positional, value }];
        }
        let given = self.named(n);
        let mut arguments = Vec::with_capacity(given.len());
        for argument in given {
            let (kind, value) = match (self.kind(argument), &self.named(argument)[..]) {
                (Kind::KeywordArgument, &[name, value]) => (ArgumentKind::Keyword(self.name(name)), value),
                (Kind::KeywordArgument, &[value]) => (ArgumentKind::Positional, value),
                (Kind::ListSplat, &[value]) => (ArgumentKind::Spread, value),
                (Kind::DictionarySplat, &[value]) => (ArgumentKind::SpreadKeywords, value),
                _ => (ArgumentKind::Positional, argument),
            };
            let at = arguments.len() as u32;
            let bare = self.bare(value);
            let value = match self.kind(bare) {
                Kind::Lambda => self.lambda(bare, Some((call, at))),
                _ => self.value(value),
            };
            arguments.push(Argument { kind, value });
        }
        arguments
    }

    /// `super()`, and imports by a literal name.
    fn special_call(&mut self, callee: N, arguments: N) -> Option<ExprId> {
        let text = self.text(callee);
        match text {
            "super" if self.kind(arguments) == Kind::ArgumentList => {
                let given = self.named(arguments);
                let context = self.functions.last();
                let (own, instance) = context.map_or((None, false), |f| (f.this_class, f.this_instance));
                let class = match given.first() {
                    None => own,
                    Some(&first) => self.class_named(self.text(first), own),
                };
                for argument in given {
                    self.visit(argument);
                }
                Some(self.b.expr(Expr::Super { class, instance }))
            }
            "importlib.import_module" | "import_module" | "__import__" => {
                let given = self.named(arguments);
                let module = given.first().and_then(|first| self.literal_text(*first)).filter(|m| !m.is_empty())?;
                let relative = match given.get(1) {
                    None => false,
                    Some(&package) => {
                        self.text(package).contains("__name__") || self.text(package).contains("__package__")
                    }
                };
                let level = module.bytes().take_while(|byte| *byte == b'.').count() as u32;
                if (level > 0) != relative && text != "__import__" || text == "__import__" && module.contains('.') {
                    return None;
                }
                let place = self.place(given[0]);
                for &argument in &given[1..] {
                    self.visit(argument);
                }
                self.visit(callee);
                let module = self.name_of(&module[level as usize..]);
                let (scope, form, names) = (self.b.scope(), ImportForm::Expression, Vec::new());
                let guarded = self.guards > 0;
                let import =
                    self.b.import(Import { scope, module, level, form, names, type_only: false, guarded }, place);
                self.reference(RefKind::Import, RefTarget::Import(import, None), place);
                Some(self.b.expr(Expr::Module(import)))
            }
            _ => None,
        }
    }

    /// The class that a name means in `super(Name, self)`: the one around, or another of this file.
    fn class_named(&self, text: &str, own: Option<ClassId>) -> Option<ClassId> {
        let facts = self.b.read();
        let is_named = |class: &ClassId| facts.text(facts.definition(facts.class(*class).definition).name) == text;
        if text == "__class__" || text == "type(self)" {
            return own;
        }
        own.filter(is_named)
            .or_else(|| self.classes.iter().rev().map(|class| class.id).find(|class| is_named(class)))
            .or_else(|| (0..facts.surface.classes.len()).map(ClassId::new).find(is_named))
    }

    /// The types among the arguments of `cast`, `TypeVar` and `NewType`.
    fn type_arguments(&mut self, callee: N, arguments: N) -> Vec<FormId> {
        let given = match self.last_name(callee) {
            Some("cast" | "TypeVar" | "NewType") => self.named(arguments),
            _ => return Vec::new(),
        };
        let positional = |walker: &Self, n: &N| walker.kind(*n) != Kind::KeywordArgument;
        match self.last_name(callee) {
            Some("cast") => match given[..] {
                [to, _] if positional(self, &to) => vec![self.form_of_value(to)],
                _ => Vec::new(),
            },
            Some("NewType") => match given[..] {
                [_, of] if positional(self, &of) => vec![self.form_of_value(of)],
                _ => Vec::new(),
            },
            _ => {
                let mut types: Vec<N> = Vec::new();
                for argument in given.into_iter().skip(1) {
                    match (self.kind(argument), &self.named(argument)[..]) {
                        (Kind::KeywordArgument, &[name, value]) if self.text(name) == "bound" => types.push(value),
                        (Kind::KeywordArgument, _) => {}
                        _ => types.push(argument),
                    }
                }
                types.into_iter().map(|of| self.form_of_value(of)).collect()
            }
        }
    }

    /// Fixtures named by text: `usefixtures("a")`, `request.getfixturevalue("a")`.
    fn named_fixtures(&mut self, callee: N, arguments: N) {
        if !matches!(self.last_name(callee), Some("usefixtures" | "getfixturevalue")) {
            return;
        }
        for argument in self.named(arguments) {
            if let Some(text) = self.literal_text(argument) {
                let name = self.name_of(text);
                let target = self.literal(Literal::Text(name));
                let place = self.place(argument);
                self.reference(RefKind::Fixture, RefTarget::Expr(target), place);
            }
        }
    }

    // ------------------------------------------------------------------------------------------- literals

    /// The text of a plain string literal.
    pub fn literal_text(&self, n: N) -> Option<&'t str> {
        self.literal_range(n).map(|(start, end)| self.tree.slice(start, end))
    }

    /// The byte offsets between the quotes of a plain string literal: no bytes, nothing interpolated or escaped.
    pub fn literal_range(&self, n: N) -> Option<(u32, u32)> {
        let n = self.bare(n);
        if self.kind(n) != Kind::String {
            return None;
        }
        let text = self.text(n);
        let (prefix, content) = content(text)?;
        let plain = prefix.bytes().all(|letter| matches!(letter, b'r' | b'R' | b'u' | b'U'));
        if !plain || text.contains('\\') {
            return None;
        }
        let start = self.tree.start(n);
        Some((start + content.start as u32, start + content.end as u32))
    }

    fn is_bytes(&self, string: N) -> bool {
        self.text(string).bytes().take_while(u8::is_ascii_alphabetic).any(|letter| matches!(letter, b'b' | b'B'))
    }

    fn string(&mut self, n: N) -> ExprId {
        let literal = match self.literal_text(n) {
            Some(text) if may_matter(text) => Literal::Text(self.name_of(text)),
            _ if self.is_bytes(n) => Literal::Bytes,
            _ => {
                self.interpolations(n);
                Literal::Interpolated
            }
        };
        self.literal(literal)
    }

    /// Walks the expressions inside an f-string.
    fn interpolations(&mut self, n: N) {
        for child in self.children(n) {
            match self.kind(child) {
                Kind::Interpolation => {
                    for part in self.named(child) {
                        self.visit(part);
                    }
                }
                Kind::String => self.interpolations(child),
                _ => {}
            }
        }
    }

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

    // ------------------------------------------------------------------------------------------ operators

    fn binary(&mut self, n: N) -> ExprId {
        let children = self.children(n);
        let [left, operator, right] = children[..] else { return self.all_unknown(n) };
        let method = match self.text(operator) {
            "+" => "__add__",
            "-" => "__sub__",
            "*" => "__mul__",
            "@" => "__matmul__",
            "/" => "__truediv__",
            "//" => "__floordiv__",
            "%" => "__mod__",
            "**" => "__pow__",
            "|" => "__or__",
            "&" => "__and__",
            "^" => "__xor__",
            "<<" => "__lshift__",
            ">>" => "__rshift__",
            _ => return self.all_unknown(n),
        };
        let left = self.value(left);
        let right = Some(self.value(right));
        let method = self.b.name(method);
        self.b.expr(Expr::Operator { left, method, right })
    }

    fn unary(&mut self, n: N) -> ExprId {
        let children = self.children(n);
        let [operator, operand] = children[..] else { return self.all_unknown(n) };
        let left = self.value(operand);
        let sign = self.text(operator);
        match self.b.read().expr(left) {
            Expr::Literal(Literal::Integer(number)) if sign == "-" => {
                let literal = Literal::Integer(number.saturating_neg());
                self.literal(literal)
            }
            Expr::Literal(_) => left,
            _ => {
                let method = match sign {
                    "-" => "__neg__",
                    "+" => "__pos__",
                    _ => "__invert__",
                };
                let method = self.b.name(method);
                self.b.expr(Expr::Operator { left, method, right: None })
            }
        }
    }

    fn boolean_operator(&mut self, n: N) -> ExprId {
        let and = self.has(n, Kind::And);
        let [left, right] = self.named(n)[..] else { return self.all_unknown(n) };
        let of = self.value(left);
        let mut branch = self.b.branch();
        self.narrow(left, and);
        let second = self.value(right);
        self.b.next_arm(&mut branch);
        self.b.end_branch(branch, true);
        let first = self.b.narrowed(of, if and { Test::Absent } else { Test::Present });
        self.b.union(&[first, second])
    }

    fn conditional(&mut self, n: N) -> ExprId {
        let [yes, condition, no] = self.named(n)[..] else { return self.all_unknown(n) };
        self.visit(condition);
        let mut branch = self.b.branch();
        self.narrow(condition, true);
        let yes = self.value(yes);
        self.b.next_arm(&mut branch);
        self.narrow(condition, false);
        let no = self.value(no);
        self.b.end_branch(branch, true);
        self.b.union(&[yes, no])
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

    // -------------------------------------------------------------------------- comprehensions, functions

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

    fn lambda(&mut self, n: N, argument_of: Option<(ExprId, u32)>) -> ExprId {
        if self.quiet > 0 {
            return self.unknown();
        }
        let parameters = self.tree.child(n, Kind::LambdaParameters);
        let id = self.new_function(None);
        self.b.facts().surface.functions[id.index()].argument_of = argument_of;
        let patterns = parameters.map(|parameters| self.parameters(id, parameters)).unwrap_or_default();
        let context = self.nested_context();
        self.enter_function(id, context, &patterns);
        if let Some(&body) = self.named(n).last().filter(|body| Some(**body) != parameters) {
            let result = self.value(body);
            if let Some(function) = self.functions.last_mut() {
                function.returns.push(result);
            }
        }
        self.leave_function(id);
        self.b.expr(Expr::Function(id))
    }

    /// The context of a function or lambda that is no method.
    pub fn nested_context(&self) -> FunctionContext {
        let around = self.functions.last();
        FunctionContext {
            scope: self.b.scope(),
            annotated: false,
            returns: Vec::new(),
            yields: Vec::new(),
            generator: false,
            sent: None,
            this_class: around.and_then(|function| function.this_class),
            this_instance: around.is_some_and(|function| function.this_instance),
            receiver: around.and_then(|function| function.receiver),
            globals: Default::default(),
            nonlocals: Default::default(),
        }
    }

    fn yields(&mut self, n: N) -> ExprId {
        let from = self.has(n, Kind::From);
        let value = match self.named(n)[..] {
            [] => self.literal(Literal::None),
            [one] => self.value(one),
            _ => return self.all_unknown(n),
        };
        let yielded = if from { self.b.expr(Expr::Iterate(value)) } else { value };
        if let Some(function) = self.functions.last_mut() {
            function.generator = true;
            if !function.annotated {
                function.yields.push(yielded);
            }
        }
        if from {
            return self.unknown();
        }
        let sent = self.b.expr(Expr::Sent);
        match self.functions.last().and_then(|function| function.sent) {
            Some(to) => self.b.expr(Expr::Cast { of: sent, to }),
            None => sent,
        }
    }
}

/// The prefix of a string literal and where its content lies between the quotes; `None` when it has no end.
pub(super) fn content(literal: &str) -> Option<(&str, Range<usize>)> {
    let (prefix, quoted) = literal.split_at(literal.find(['"', '\''])?);
    let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    let content = prefix.len() + quotes..literal.len().checked_sub(quotes)?;
    (content.start <= content.end).then_some((prefix, content))
}

/// Whether the text of a literal can decide anything: a name, a dotted path, a list of names.
fn may_matter(text: &str) -> bool {
    text.len() <= MAX_TEXT && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.,:- /".contains(&byte))
}

fn integer(text: &str) -> Literal {
    if text.ends_with(['j', 'J']) {
        return Literal::Complex;
    }
    let digits = text.trim_end_matches(['l', 'L']).replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ => (&digits[..], 10),
    };
    Literal::Integer(i32::from_str_radix(digits, radix).unwrap_or(i32::MAX))
}
