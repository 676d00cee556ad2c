//! Calls of every form: plain, optional, `new`, `super(…)`, tagged templates, JSX, decorators, `import(…)`.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

/// Most levels of object literals through which a callee's signature types a function.
const MAX_ARGUMENT_PATH: usize = 4;

impl<'t> Walk<'t> {
    pub(super) fn call(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let expr = match (self.field(kids, Field::Function), self.field(kids, Field::Arguments)) {
            (Some(callee), Some(arguments)) => self.call_of(kid, kids, callee, arguments),
            _ => self.unknown,
        };
        self.close(kids);
        expr
    }

    fn call_of(&mut self, kid: Kid<'t>, kids: Kids, callee: Kid<'t>, arguments: Kid<'t>) -> ExprId {
        if arguments.kind == Kind::Arguments {
            if let Some(value) = self.module_call(callee, arguments) {
                return value;
            }
            if let Some(value) = self.export_call(callee, arguments) {
                return value;
            }
        }
        let form = match (callee.kind, arguments.kind) {
            (_, Kind::TemplateString) => CallForm::Tag,
            (Kind::Super, _) => CallForm::Super,
            _ => CallForm::Call,
        };
        let at = self.callee_place(callee);
        let target = self.callee(callee);
        let type_arguments = self.field(kids, Field::TypeArguments).map(|list| self.type_arguments(list));
        let block = (form == CallForm::Call).then(|| self.test_block(kid, callee, arguments)).flatten();
        if let Some(block) = block {
            self.b.push_owner(block);
        }
        let arguments = match arguments.kind {
            Kind::TemplateString => self.tag_arguments(arguments),
            _ => self.arguments(arguments),
        };
        if block.is_some() {
            self.b.pop_owner();
        }
        self.made_call(target, arguments, type_arguments.unwrap_or_default(), form, at)
    }

    /// Adds a call and its reference; `at` is the node of the callee's name.
    fn made_call(
        &mut self,
        callee: ExprId,
        arguments: Vec<Argument>,
        type_arguments: Vec<FormId>,
        form: CallForm,
        at: Node<'t>,
    ) -> ExprId {
        let call = self.b.call(form, callee, &arguments, &type_arguments);
        let call = self.b.expr(call);
        self.note_arguments(call);
        let place = self.place(at);
        self.b.reference(RefKind::Call, RefTarget::Expr(call), place);
        call
    }

    /// The callee: its own name is no read, since the call is the use.
    fn callee(&mut self, kid: Kid<'t>) -> ExprId {
        match kid.kind {
            Kind::Identifier => self.identifier(kid.node, false),
            Kind::MemberExpression => self.deeper(kid.node, |walk| walk.member(kid, false)).unwrap_or(self.unknown),
            Kind::ParenthesizedExpression | Kind::NonNullExpression | Kind::InstantiationExpression => {
                let core = self.core(kid);
                match core.kind {
                    Kind::Identifier | Kind::MemberExpression if kid.kind == Kind::NonNullExpression => {
                        self.callee(core)
                    }
                    _ => self.expr(kid),
                }
            }
            _ => self.expr(kid),
        }
    }

    /// Where a callee's name stands: `save` in `order.save`.
    fn callee_place(&self, kid: Kid<'t>) -> Node<'t> {
        match kid.kind {
            Kind::MemberExpression => self.child(kid.node, Field::Property).unwrap_or(kid.node),
            Kind::SubscriptExpression => self.child(kid.node, Field::Index).unwrap_or(kid.node),
            Kind::NonNullExpression => self.callee_place(self.core(kid)),
            _ => kid.node,
        }
    }

    pub(super) fn arguments(&mut self, kid: Kid<'t>) -> Vec<Argument> {
        let kids = self.open(kid.node);
        let mut arguments = Vec::new();
        for at in kids.all() {
            let argument = self.kid(at);
            arguments.push(self.argument(argument));
        }
        self.close(kids);
        arguments
    }

    fn argument(&mut self, kid: Kid<'t>) -> Argument {
        if kid.kind != Kind::SpreadElement {
            let value = match self.jsdoc_type(kid.doc) {
                Some(form) if kid.kind == Kind::ParenthesizedExpression => self.expr_as(kid, Some(form)),
                _ => self.expr(kid),
            };
            return Argument { kind: ArgumentKind::Positional, value };
        }
        let kids = self.open(kid.node);
        let value = self.inner(kids).map_or(self.unknown, |inner| self.expr(inner));
        self.close(kids);
        Argument { kind: ArgumentKind::Spread, value }
    }

    /// A tag gets the pieces first, then the values.
    fn tag_arguments(&mut self, kid: Kid<'t>) -> Vec<Argument> {
        let pieces = self.unknown;
        let values = self.template_parts(kid);
        let positional = |value| Argument { kind: ArgumentKind::Positional, value };
        std::iter::once(pieces).chain(values).map(positional).collect()
    }

    pub(super) fn new_expression(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let Some(callee) = self.field(kids, Field::Constructor) else {
            self.close(kids);
            return self.unknown;
        };
        let at = self.callee_place(callee);
        let target = self.callee(callee);
        let type_arguments = self.field(kids, Field::TypeArguments).map(|list| self.type_arguments(list));
        let arguments = self.field(kids, Field::Arguments).map(|list| self.arguments(list));
        let call = self.made_call(
            target,
            arguments.unwrap_or_default(),
            type_arguments.unwrap_or_default(),
            CallForm::New,
            at,
        );
        self.close(kids);
        call
    }

    // ------------------------------------------------------------------------------------------------- decorators

    /// Decorators among the children. What they use belongs to what is around the definition they stand at.
    pub(super) fn decorators(&mut self, kids: Kids, definition: Option<DefId>) -> Vec<ExprId> {
        if !self.has(kids, Kind::Decorator) {
            return Vec::new();
        }
        let inside = definition.is_some() && self.owner() == definition;
        if inside {
            self.b.pop_owner();
        }
        let mut made = Vec::new();
        for at in kids.all() {
            let kid = self.kid(at);
            if kid.kind == Kind::Decorator {
                made.push(self.decorator(kid));
            }
        }
        if let Some(def) = definition.filter(|_| inside) {
            self.b.push_owner(def);
        }
        made
    }

    /// `@name` is a call with what it decorates; `@f(…)` is the call of `f`.
    pub(super) fn decorator(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let mut expr = self.unknown;
        if let Some(inner) = self.inner(kids) {
            let core = self.core(inner);
            expr = match core.kind {
                Kind::Identifier | Kind::MemberExpression => {
                    let target = self.callee(core);
                    let at = self.callee_place(core);
                    let decorated = Argument { kind: ArgumentKind::Positional, value: self.unknown };
                    self.made_call(target, vec![decorated], Vec::new(), CallForm::Decorator, at);
                    target
                }
                _ => self.expr(inner),
            };
        }
        self.close(kids);
        expr
    }

    // -------------------------------------------------------------------------------------------------------- JSX

    pub(super) fn jsx(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let mut arguments = Vec::new();
        let tag = match self.field(kids, Field::OpenTag) {
            Some(open) => {
                let inner = self.open(open.node);
                let tag = self.jsx_tag(inner, &mut arguments);
                self.close(inner);
                tag
            }
            None => self.jsx_tag(kids, &mut arguments),
        };
        for at in kids.all() {
            let child = self.kid(at);
            if child.field == Field::None
                && matches!(
                    child.kind,
                    Kind::JsxElement | Kind::JsxSelfClosingElement | Kind::JsxExpression | Kind::JsxText
                )
            {
                let value = self.expr(child);
                if child.kind != Kind::JsxText {
                    arguments.push(Argument { kind: ArgumentKind::Positional, value });
                }
            }
        }
        self.close(kids);
        match tag {
            Some((callee, list, at)) => self.made_call(callee, arguments, list, CallForm::Jsx, at),
            // A fragment, or an element of HTML.
            None => {
                let to = self.builtin("ReactElement", Vec::new());
                self.b.expr(Expr::Cast { of: self.unknown, to })
            }
        }
    }

    /// The component of a tag, `None` for an element of HTML; adds the attributes as arguments.
    fn jsx_tag(&mut self, kids: Kids, arguments: &mut Vec<Argument>) -> Option<(ExprId, Vec<FormId>, Node<'t>)> {
        let name = self.field(kids, Field::Name);
        let component = name.filter(|name| match name.kind {
            // As in JSX itself, a name in lower case is an element of HTML.
            Kind::Identifier => {
                let text = self.text(name.node);
                !text.contains('-') && !text.starts_with(|first: char| first.is_lowercase())
            }
            Kind::MemberExpression => true,
            _ => false,
        });
        let target = component.map(|component| {
            let callee = self.callee(component);
            (callee, self.callee_place(component))
        });
        let list = self.field(kids, Field::TypeArguments).map(|list| self.type_arguments(list));
        for at in kids.all() {
            let attribute = self.kid(at);
            if attribute.field == Field::Attribute || attribute.kind == Kind::JsxAttribute {
                self.jsx_attribute(attribute, arguments);
            }
        }
        target.map(|(callee, at)| (callee, list.unwrap_or_default(), at))
    }

    fn jsx_attribute(&mut self, kid: Kid<'t>, arguments: &mut Vec<Argument>) {
        let kids = self.open(kid.node);
        if kid.kind == Kind::JsxExpression {
            // `{...props}`
            if let Some(inner) = self.inner(kids) {
                let inside = self.open(inner.node);
                let value = match self.inner(inside).filter(|_| inner.kind == Kind::SpreadElement) {
                    Some(spread) => self.expr(spread),
                    None => self.expr(inner),
                };
                self.close(inside);
                arguments.push(Argument { kind: ArgumentKind::SpreadKeywords, value });
            }
            return self.close(kids);
        }
        let mut name = None;
        let mut value = None;
        for at in kids.all() {
            let part = self.kid(at);
            if part.kind == Kind::PropertyIdentifier && name.is_none() {
                name = Some(self.name(part.node));
            } else if part.node.is_named() {
                value = Some(self.expr(part));
            }
        }
        let value = match value {
            Some(value) => value,
            None => self.literal(Literal::Boolean(true)),
        };
        if let Some(name) = name {
            arguments.push(Argument { kind: ArgumentKind::Keyword(name), value });
        }
        self.close(kids);
    }

    /// A function given as an argument, as one arm of a conditional there, or in an object literal there, is typed by the
    /// callee's signature.
    pub(super) fn note_arguments(&mut self, call: ExprId) {
        let Expr::Call(made) = self.b.read().expr(call) else { return };
        let facts = self.b.read();
        let given = facts.run(facts.call(*made).arguments).iter().enumerate();
        let mut values: Vec<(u32, Vec<Name>, ExprId)> =
            given.map(|(at, argument)| (at as u32, Vec::new(), argument.value)).collect();
        while let Some((at, path, value)) = values.pop() {
            let facts = self.b.read();
            match facts.expr(value) {
                &Expr::Function(id) => {
                    let function = self.function_mut(id);
                    if path.is_empty() || function.definition.is_none() {
                        function.argument_of = Some((call, at));
                        function.argument_path = path;
                    }
                }
                Expr::Union(arms) => values.extend(facts.run(*arms).iter().map(|&arm| (at, path.clone(), arm))),
                &Expr::Object(id) if path.len() < MAX_ARGUMENT_PATH => {
                    let properties = &facts.surface.objects[id.index()].properties;
                    let inner = |property: &Property| {
                        (at, path.iter().copied().chain([property.name]).collect(), property.value)
                    };
                    values.extend(properties.iter().map(inner));
                }
                _ => {}
            }
        }
    }
}
