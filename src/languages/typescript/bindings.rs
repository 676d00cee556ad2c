//! Variables: declarations, destructuring, and values that get their name from what they are bound to.

use tree_sitter::Node;

use super::functions::{OwnThis, is_function};
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

/// What a pattern does with the names in it.
#[derive(Clone, Copy)]
pub(super) enum Declares {
    /// Binds them in this scope; `symbols`: each is a symbol of the graph, with these flags.
    In { scope: ScopeId, symbols: Option<Flags> },
    /// Binds them in the scope being walked.
    Local,
    /// Assigns to them.
    Assign,
}

/// A node whose value belongs to a definition that was made before it is walked.
#[derive(Clone, Copy)]
pub(super) struct Adopted {
    node: usize,
    pub(super) definition: DefId,
    pub(super) this: OwnThis,
    pub(super) doc: Doc,
}

/// Levels of an object literal that are looked through for function members.
const MAX_LITERAL_LEVELS: u32 = 8;

impl<'t> Walk<'t> {
    /// `const a = 1, { b } = c;`
    pub(super) fn variables(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let is_var = kid.kind == Kind::VariableDeclaration;
        let single = kids.all().filter(|&at| self.kid(at).kind == Kind::VariableDeclarator).count() == 1;
        for at in kids.all() {
            let declarator = self.kid(at);
            if declarator.kind == Kind::VariableDeclarator {
                if !single {
                    self.rows = None;
                }
                self.declarator(declarator.node, is_var, flags);
                self.doc = Doc::default();
            } else if declarator.kind == Kind::Error {
                self.unread(declarator);
            }
        }
        self.rows = None;
        self.close(kids);
    }

    /// Where the names of a declaration are bound, and whether they are symbols.
    pub(super) fn declares(&self, is_var: bool, flags: Flags) -> Declares {
        let scope = if is_var { self.function_scope() } else { self.b.scope() };
        let in_module = scope == self.b.module_scope() && self.functions.is_empty();
        let symbols = (in_module || self.in_namespace(scope)).then(|| flags.with(self.namespace_flags()));
        Declares::In { scope, symbols }
    }

    /// The scope that `var` binds in.
    fn function_scope(&self) -> ScopeId {
        let mut scope = self.b.scope();
        loop {
            let open = self.b.read().scope(scope);
            match open.parent {
                Some(parent) if matches!(open.kind, ScopeKind::Block | ScopeKind::TypeParameters) => scope = parent,
                _ => return scope,
            }
        }
    }

    fn declarator(&mut self, node: Node<'t>, is_var: bool, flags: Flags) {
        let kids = self.open(node);
        let Some(pattern) = self.field(kids, Field::Name) else { return self.close(kids) };
        let value = self.field(kids, Field::Value);
        let declares = self.declares(is_var, flags);
        let annotation = match self.field(kids, Field::Type) {
            Some(annotation) => Some(self.annotation(annotation)),
            None => self.jsdoc_type(self.doc),
        };
        if let Some(value) = value
            && self.require_binding(pattern, value, declares)
        {
            return self.close(kids);
        }
        if pattern.kind == Kind::Identifier {
            self.variable(pattern, value, annotation, declares, kids, node);
        } else {
            let value = value.map_or(self.unknown, |value| self.expr_as(value, annotation));
            let source = match annotation {
                Some(to) => self.b.expr(Expr::Cast { of: value, to }),
                None => value,
            };
            self.bind_pattern(pattern, source, declares);
        }
        self.close(kids);
    }

    fn variable(
        &mut self,
        pattern: Kid<'t>,
        value: Option<Kid<'t>>,
        annotation: Option<FormId>,
        declares: Declares,
        kids: Kids,
        node: Node<'t>,
    ) {
        let name = self.name(pattern.node);
        let Declares::In { scope, symbols } = declares else { return };
        let doc = self.doc;
        let kind = value.and_then(|value| self.names_its_value(value)).or(symbols.map(|_| DefKind::Symbol));
        let parent = self.owner();
        let flags = symbols.unwrap_or_default();
        let def = kind.map(|kind| self.define(New { name, kind, parent, at: pattern.node, whole: node, flags }));
        if let Some(def) = def {
            self.measure_variable(def, kids);
        }
        let expr = match (value, def) {
            (Some(value), Some(def)) => self.value_of(value, def, OwnThis::Caller, annotation, doc),
            (Some(value), None) => self.expr_as(value, annotation),
            (None, _) if self.is_ambient => self.unknown,
            // Declared without a value, it is undefined until it is assigned.
            (None, _) => self.literal(Literal::None),
        };
        let bound = match (self.b.read().expr(expr), def) {
            (Expr::Function(_) | Expr::Class(_), Some(def)) => Value::Definition(def),
            _ => Value::Expr(expr),
        };
        self.b.bind_in(scope, name, bound, annotation, def, Space::Value);
        if let Some(def) = def.filter(|_| symbols.is_some()) {
            self.namespace_member(name, def, annotation, Some(expr));
        }
    }

    /// Signature: what stands before the name, the annotation, and whether it may be missing. Body: the value.
    pub(super) fn measure_variable(&mut self, def: DefId, kids: Kids) {
        let typed = self.field(kids, Field::Type).map_or(0..0, |kid| kid.node.byte_range());
        let value = self.field(kids, Field::Value);
        // A function or class measures itself.
        let own = value
            .map(|value| self.core(value))
            .is_some_and(|core| is_function(core.kind) || core.kind == Kind::ClassExpression);
        if !own {
            let first = kids.all().next().map(|at| self.kid(at).node.start_byte());
            let name = self.field(kids, Field::Name).map(|kid| kid.node.byte_range());
            let modifiers = name.as_ref().zip(first).map_or(0..0, |(name, first)| first..name.start.max(first));
            let typed = match name {
                Some(name) if name.end < typed.end => name.end..typed.end,
                _ => typed,
            };
            self.sign(def, typed.clone());
            self.measure(def, [modifiers, typed], value.map_or(0..0, |value| value.node.byte_range()));
        }
    }

    // ------------------------------------------------------------------------------------------- values with names

    /// The kind of definition that a value makes of the name it is bound to, wherever that is.
    pub(super) fn names_its_value(&self, value: Kid<'t>) -> Option<DefKind> {
        let core = self.core(value);
        match core.kind {
            kind if is_function(kind) => Some(DefKind::Function),
            Kind::ClassExpression => Some(DefKind::Class),
            Kind::Object if self.has_function_members(core.node, MAX_LITERAL_LEVELS) => Some(DefKind::Symbol),
            _ => None,
        }
    }

    /// Walks a value that belongs to a definition: a function, class or object literal in it is the definition's own.
    pub(super) fn value_of(
        &mut self,
        value: Kid<'t>,
        definition: DefId,
        this: OwnThis,
        contextual: Option<FormId>,
        doc: Doc,
    ) -> ExprId {
        let core = self.core(value);
        self.adopted = Some(Adopted { node: core.node.id(), definition, this, doc });
        let expr = self.expr_as(value, contextual);
        self.adopted = None;
        expr
    }

    /// What a node was adopted for.
    pub(super) fn adopted(&mut self, node: Node<'t>) -> Option<Adopted> {
        self.adopted.take_if(|adopted| adopted.node == node.id())
    }

    /// The value inside parentheses, casts, further assignments and `Object.freeze(…)`.
    pub(super) fn core(&self, kid: Kid<'t>) -> Kid<'t> {
        let mut kid = kid;
        loop {
            let part = match kid.kind {
                Kind::ParenthesizedExpression
                | Kind::AsExpression
                | Kind::SatisfiesExpression
                | Kind::NonNullExpression => self.first_part(kid.node),
                Kind::TypeAssertion => kid.node.named_child(kid.node.named_child_count().saturating_sub(1) as u32),
                Kind::CallExpression => self.frozen(kid.node),
                Kind::AssignmentExpression => self.child(kid.node, Field::Right),
                _ => None,
            };
            match part {
                Some(part) => kid = self.lone(part),
                None => return kid,
            }
        }
    }

    fn first_part(&self, node: Node<'t>) -> Option<Node<'t>> {
        let parts = (0..node.named_child_count() as u32).filter_map(|at| node.named_child(at));
        parts.into_iter().find(|part| !part.is_extra())
    }

    fn frozen(&self, node: Node<'t>) -> Option<Node<'t>> {
        let callee = self.child(node, Field::Function)?;
        if self.text(callee) != "Object.freeze" {
            return None;
        }
        self.first_part(self.child(node, Field::Arguments)?)
    }

    /// Whether an object literal, or one in it, has a function as a member.
    pub(super) fn has_function_members(&self, object: Node<'t>, levels: u32) -> bool {
        let mut cursor = object.walk();
        object.named_children(&mut cursor).any(|member| {
            let member = self.lone(member);
            match member.kind {
                Kind::MethodDefinition => true,
                Kind::Pair => self.child(member.node, Field::Value).is_some_and(|value| {
                    let core = self.core(self.lone(value));
                    is_function(core.kind)
                        || core.kind == Kind::Object && levels > 0 && self.has_function_members(core.node, levels - 1)
                }),
                _ => false,
            }
        })
    }

    // -------------------------------------------------------------------------------------------------- patterns

    /// Binds or assigns the names of a pattern to the parts of a value.
    pub(super) fn bind_pattern(&mut self, kid: Kid<'t>, value: ExprId, declares: Declares) {
        self.deeper(kid.node, |walk| walk.bind_pattern_here(kid, value, declares));
    }

    fn bind_pattern_here(&mut self, kid: Kid<'t>, value: ExprId, declares: Declares) {
        match kid.kind {
            Kind::Identifier | Kind::ShorthandPattern | Kind::ShorthandProperty => {
                self.bind_name(kid, value, declares);
            }
            Kind::ObjectPattern | Kind::Object => self.bind_object(kid, value, declares),
            Kind::ArrayPattern | Kind::Array => self.bind_array(kid, value, declares),
            Kind::AssignmentPattern | Kind::ObjectAssignmentPattern | Kind::AssignmentExpression => {
                let kids = self.open(kid.node);
                let default = self.field(kids, Field::Right).map(|right| self.expr(right));
                if let Some(left) = self.field(kids, Field::Left) {
                    let value = match (left.kind, default) {
                        (Kind::ShorthandPattern, default) => {
                            let part = self.part_of(value, left.node);
                            default.map_or(part, |default| self.union(vec![part, default]))
                        }
                        (_, Some(default)) => self.union(vec![value, default]),
                        (_, None) => value,
                    };
                    self.bind_pattern(left, value, declares);
                }
                self.close(kids);
            }
            Kind::RestPattern | Kind::SpreadElement | Kind::ParenthesizedExpression | Kind::NonNullExpression => {
                let kids = self.open(kid.node);
                if let Some(inner) = self.inner(kids) {
                    self.bind_pattern(inner, value, declares);
                }
                self.close(kids);
            }
            Kind::MemberExpression | Kind::SubscriptExpression => {
                self.write(kid);
                self.forget_tested(kid);
            }
            _ => self.unread(kid),
        }
    }

    fn bind_name(&mut self, kid: Kid<'t>, value: ExprId, declares: Declares) {
        let name = self.name(kid.node);
        let value = Value::Expr(value);
        match declares {
            Declares::Assign => {
                self.b.assign(name, value);
            }
            Declares::Local => {
                self.b.bind(name, value, None, None, Space::Value);
            }
            Declares::In { scope, symbols } => {
                let parent = self.owner();
                let def = symbols.map(|flags| {
                    let kind = DefKind::Symbol;
                    self.define(New { name, kind, parent, at: kid.node, whole: kid.node, flags })
                });
                self.b.bind_in(scope, name, value, None, def, Space::Value);
                if let (Some(def), Value::Expr(expr)) = (def, value) {
                    self.namespace_member(name, def, None, Some(expr));
                }
            }
        }
    }

    /// The property of a destructured value; taking it reads it.
    fn part_of(&mut self, value: ExprId, key: Node<'t>) -> ExprId {
        let name = self.name(key);
        let part = self.b.expr(Expr::Attribute { base: value, name });
        self.read(part, key);
        part
    }

    fn bind_object(&mut self, kid: Kid<'t>, value: ExprId, declares: Declares) {
        let kids = self.open(kid.node);
        for at in kids.all() {
            let member = self.kid(at);
            match member.kind {
                Kind::ShorthandPattern | Kind::ShorthandProperty => {
                    let part = self.part_of(value, member.node);
                    self.bind_pattern(member, part, declares);
                }
                Kind::PairPattern | Kind::Pair => self.bind_pair(member, value, declares),
                Kind::RestPattern | Kind::SpreadElement => {
                    let rest = self.b.expr(Expr::Part { of: value, part: Part::RestKeys });
                    self.bind_pattern(member, rest, declares);
                }
                _ => self.bind_pattern(member, value, declares),
            }
        }
        self.close(kids);
    }

    fn bind_pair(&mut self, kid: Kid<'t>, value: ExprId, declares: Declares) {
        let kids = self.open(kid.node);
        if let (Some(key), Some(target)) = (self.field(kids, Field::Key), self.field(kids, Field::Value)) {
            let part = match key.kind {
                Kind::PropertyIdentifier | Kind::PrivatePropertyIdentifier => self.part_of(value, key.node),
                Kind::String => {
                    let name = self.string(key.node);
                    let name = self.b.name(name);
                    self.b.expr(Expr::Attribute { base: value, name })
                }
                _ => {
                    let index = self.computed_key(key);
                    self.b.expr(Expr::Subscript { base: value, index: Index::Any(index) })
                }
            };
            self.bind_pattern(target, part, declares);
        }
        self.close(kids);
    }

    fn bind_array(&mut self, kid: Kid<'t>, value: ExprId, declares: Declares) {
        // Holes count, and only commas tell of them.
        let mut cursor = kid.node.walk();
        let mut index = 0;
        let mut elements: Vec<(u32, Node<'t>)> = Vec::new();
        for child in kid.node.children(&mut cursor) {
            if child.is_named() && !child.is_extra() {
                elements.push((index, child));
            } else if !child.is_named() && self.text(child) == "," {
                index += 1;
            }
        }
        for (index, element) in elements {
            let element = self.lone(element);
            let rest = matches!(element.kind, Kind::RestPattern | Kind::SpreadElement);
            let part = if rest { Part::Rest(index) } else { Part::Index(index) };
            let part = self.b.expr(Expr::Part { of: value, part });
            self.bind_pattern(element, part, declares);
        }
    }
}
