//! Calls: what is called, with which arguments, and the few whose name says more than that of any function.

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

impl<'t> Walker<'t> {
    pub fn call(&mut self, n: N) -> ExprId {
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
        match self.text(callee) {
            "super" if self.kind(arguments) == Kind::ArgumentList => Some(self.super_call(arguments)),
            "importlib.import_module" | "import_module" | "__import__" => self.import_call(callee, arguments),
            _ => None,
        }
    }

    fn super_call(&mut self, arguments: N) -> ExprId {
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
        self.b.expr(Expr::Super { class, instance })
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
}
