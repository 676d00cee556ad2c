//! What functions, classes and aliases of types have in common: decorators, names, signatures, type parameters.

use super::digests::{self, documentation};
use super::extract::Walker;
use super::kinds::Kind;
use super::literals;
use super::tree::N;
use crate::facts::*;
use crate::languages::{text, tokens};

impl<'t> Walker<'t> {
    /// A function or class with its decorators.
    pub fn decorated(&mut self, n: N) {
        let children = self.named(n);
        let decorators: Vec<N> = children.iter().copied().filter(|c| self.kind(*c) == Kind::Decorator).collect();
        for child in children {
            match self.kind(child) {
                Kind::FunctionDefinition => self.function_definition(child, n, &decorators),
                Kind::ClassDefinition => self.class_definition(child, n, &decorators),
                Kind::Decorator => {}
                _ => self.statement(child),
            }
        }
    }

    /// The decorators' expressions. A bare decorator is a call; `@f(…)` is the call of `f` and nothing more.
    pub fn decorators(&mut self, decorators: &[N]) -> Vec<ExprId> {
        let mut out = Vec::with_capacity(decorators.len());
        for &decorator in decorators {
            let Some(&expression) = self.named(decorator).first() else { continue };
            if !matches!(self.kind(expression), Kind::Identifier | Kind::Attribute) {
                out.push(self.value(expression));
                continue;
            }
            let callee = self.unread(expression);
            let call = self.b.call(CallForm::Decorator, callee, &[], &[]);
            let call = self.b.expr(call);
            let place = self.last_place(expression);
            self.reference(RefKind::Call, RefTarget::Expr(call), place);
            out.push(callee);
        }
        out
    }

    /// The names of decorators: the last one of a chain, of the callee if it is a call.
    pub fn decorator_names(&self, decorators: &[N]) -> Vec<&'t str> {
        let mut names = Vec::with_capacity(decorators.len());
        for &decorator in decorators {
            let mut expression = self.named(decorator).first().copied();
            if let Some(call) = expression.filter(|expression| self.kind(*expression) == Kind::Call) {
                expression = self.named(call).first().copied();
            }
            names.extend(expression.and_then(|expression| self.last_name(expression)));
        }
        names
    }

    /// What people and comparisons read of a definition; the signature is filled in by whoever knows it.
    pub fn description(&self, kind: DefKind, n: N, whole: N) -> Description {
        let body = self.tree.child(n, Kind::Block);
        let doc = body.and_then(|body| documentation(&self.tree, body)).map(|doc| documentation_text(self.text(doc)));
        let doc = doc.unwrap_or_default();
        let first_line = doc.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let digest = body.map(|body| digests::of_body(&self.tree, &self.tokens, body, kind == DefKind::Class));
        let head = self.tree.child(n, Kind::Identifier).unwrap_or(n);
        let decorators = self.tree.start(whole) as usize..self.tree.start(n) as usize;
        let signature = self.tree.end(head) as usize..self.tree.start(body.unwrap_or(n)) as usize;
        Description {
            signature: Box::default(),
            doc: text::doc_line(first_line),
            signature_digest: self.tokens.digest(&[decorators, signature]),
            doc_digest: tokens::text_digest(doc),
            body_digest: digest.as_ref().map(|digest| digest.body).unwrap_or_default(),
            sketch: digest.map(|digest| digest.sketch).unwrap_or_default(),
        }
    }

    pub fn define(&mut self, definition: Definition, description: Description, name: N, whole: N) -> DefId {
        let (first, last) = self.lines(whole);
        let place = DefinitionPlace { name: self.place(name), first, last };
        self.b.define(definition, description, place)
    }

    /// Later assignments to the name belong to this definition.
    pub fn remember(&mut self, name: Name, definition: DefId) {
        match self.scope_kind() {
            ScopeKind::Module => {
                self.module_names.entry(name).or_insert(definition);
            }
            ScopeKind::Class => {
                if let Some(class) = self.classes.last_mut() {
                    class.members.entry(name).or_insert(definition);
                }
            }
            _ => {}
        }
    }

    /// Binds the name of a definition where it stands, or in the module when it is declared `global`.
    pub fn bind_definition(&mut self, name_node: N, definition: DefId) {
        let name = self.name(name_node);
        let value = Value::Definition(definition);
        if self.functions.last().is_some_and(|function| function.globals.contains(&name))
            && self.scope_kind() == ScopeKind::Function
        {
            let binding = self.b.bind_detached(self.b.module_scope(), name, value, None);
            self.b.facts().surface.bindings[binding.index()].definition = Some(definition);
        } else {
            self.b.bind(name, value, None, Some(definition), Space::Both);
        }
    }

    /// `(self, items: list[int]) -> Order`
    pub fn signature(&self, parameters: N, result: Option<N>) -> Box<str> {
        let mut out = String::new();
        self.tokens_of(parameters, &mut out);
        if let Some(result) = result {
            out.push_str(" -> ");
            self.tokens_of(result, &mut out);
        }
        text::signature_line(&out)
    }

    /// The tokens of a node in one line, comments and trailing commas left out.
    fn tokens_of(&self, n: N, out: &mut String) {
        let end = self.tree.after(n);
        let mut before = self.tree.start(n);
        let mut at = n;
        while at < end && out.len() <= SIGNATURE_BYTES {
            let whole = self.kind(at) == Kind::String;
            if !whole && !self.tree.is_leaf(at) {
                at = N(at.0 + 1);
                continue;
            }
            let next = self.tree.after(at);
            let closes = |n: N| matches!(self.kind(n), Kind::Close | Kind::CloseBracket | Kind::CloseBrace);
            let opened = out.ends_with(['(', '[', '{']) || out.is_empty();
            if self.tree.start(at) > before && !opened && !closes(at) && !out.ends_with(' ') {
                out.push(' ');
            }
            before = self.tree.end(at);
            if self.kind(at) != Kind::Comma || next >= end || !closes(next) {
                out.push_str(self.text(at));
            }
            at = next;
        }
    }

    /// Opens the scope of type parameters when there are any; the caller leaves it.
    pub fn type_parameters<F, G>(&mut self, n: N, owner: DefId, give: F) -> bool
    where
        F: FnOnce(&mut Self, Vec<TypeParameter>) -> G,
        G: Fn(u32) -> Value,
    {
        let Some(list) = self.tree.child(n, Kind::TypeParameter) else { return false };
        self.b.push_owner(owner);
        self.b.push_scope(ScopeKind::TypeParameters);
        let mut nodes: Vec<(Name, Option<N>)> = Vec::new();
        for parameter in self.named(list) {
            let inner = self.named(parameter).first().copied().unwrap_or(parameter);
            let parts = self.named(inner);
            let (head, bound) = match (self.kind(inner), &parts[..]) {
                (Kind::ConstrainedType, &[head, bound]) => {
                    (self.named(head).first().copied().unwrap_or(head), Some(bound))
                }
                _ => (inner, None),
            };
            let head = match self.kind(head) {
                Kind::SplatType | Kind::ListSplat => self.named(head).first().copied().unwrap_or(head),
                _ => head,
            };
            if self.kind(head) == Kind::Identifier {
                nodes.push((self.name(head), bound));
            }
        }
        let names: Vec<Name> = nodes.iter().map(|(name, _)| *name).collect();
        let empty = names.iter().map(|&name| TypeParameter { name, bound: None, default: None }).collect();
        let value = give(self, empty);
        for (at, &name) in names.iter().enumerate() {
            self.b.bind(name, value(at as u32), None, None, Space::Both);
        }
        for (at, (_, bound)) in nodes.into_iter().enumerate() {
            let Some(form) = bound.map(|bound| self.form(bound)) else { continue };
            let facts = self.b.facts();
            let list = match value(at as u32) {
                Value::FunctionTypeParameter(function, _) => {
                    &mut facts.surface.functions[function.index()].type_parameters
                }
                Value::ClassTypeParameter(class, _) => &mut facts.surface.classes[class.index()].type_parameters,
                _ => continue,
            };
            list[at].bound = Some(form);
        }
        self.b.pop_owner();
        true
    }

    /// `type X[T] = …`
    pub fn type_alias(&mut self, n: N) {
        let [left, right] = self.named(n)[..] else { return self.inner_statements(n) };
        let head = self.named(left).first().copied().unwrap_or(left);
        let name_node = match self.kind(head) {
            Kind::GenericType => self.named(head).first().copied().unwrap_or(head),
            _ => head,
        };
        if self.kind(name_node) != Kind::Identifier {
            return self.inner_statements(n);
        }
        let name = self.name(name_node);
        let parent = self.b.owner();
        let definition = self.variable(name, parent, name_node, n, Flags::default());
        if self.scope_kind() == ScopeKind::Function {
            self.b.facts().surface.definitions[definition.index()].flags |= Flags::HIDDEN;
        }
        self.remember(name, definition);
        let typed = self.type_parameters(head, definition, |_, _| move |at| Value::AliasTypeParameter(definition, at));
        let form = self.form(right);
        if typed {
            self.b.pop_scope();
        }
        self.b.facts().surface.definitions[definition.index()].alias = Some(form);
        self.bind_definition(name_node, definition);
    }
}

/// A docstring without its prefix and quotes.
fn documentation_text(literal: &str) -> &str {
    literals::content(literal).and_then(|(_, content)| literal.get(content)).unwrap_or_default()
}
