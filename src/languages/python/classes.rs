//! Classes: their bases, the scope of their body, and the fields that stand for parameters of the constructor.

use rustc_hash::{FxHashMap, FxHashSet};

use super::extract::{ClassContext, Walker};
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

/// Base classes that make an enum, by their last name (<https://docs.python.org/3/library/enum.html>).
const ENUMS: [&str; 6] = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"];

/// Decorators that make a constructor of a class's annotated fields: `dataclasses` and `attrs`
/// (<https://docs.python.org/3/library/dataclasses.html>, <https://www.attrs.org/en/stable/api.html>).
const FIELD_DECORATORS: [&str; 4] = ["dataclass", "define", "frozen", "mutable"];

/// The base that does the same.
const FIELD_BASE: &str = "NamedTuple";

/// Annotations of class attributes that are no fields.
const NO_FIELD: [&str; 2] = ["ClassVar", "KW_ONLY"];

impl<'t> Walker<'t> {
    pub fn class_definition(&mut self, n: N, whole: N, decorators: &[N]) {
        let Some(name_node) = self.tree.child(n, Kind::Identifier) else { return self.inner_statements(n) };
        let name = self.name(name_node);
        let decorator_exprs = self.decorators(decorators);
        let given = self.tree.child(n, Kind::ArgumentList);
        let body = self.tree.child(n, Kind::Block);
        let mut definition = Definition::new(name, DefKind::Class, self.b.owner(), Flags::default());
        let mut description = self.description(DefKind::Class, n, whole);
        definition.decorators = decorator_exprs;
        if let Some(given) = given {
            description.signature = self.signature(given, None);
        }
        let definition = self.define(definition, description, name_node, whole);
        self.remember(name, definition);
        let id = self.b.class(Class::new(definition, self.b.scope()));
        self.b.facts().surface.definitions[definition.index()].class = Some(id);
        let typed = self.type_parameters(n, definition, |walker, list| {
            walker.b.facts().surface.classes[id.index()].type_parameters = list;
            move |at| Value::ClassTypeParameter(id, at)
        });
        if let Some(given) = given {
            self.bases(id, definition, given);
        }
        self.b.push_owner(definition);
        let scope = self.b.push_scope(ScopeKind::Class);
        self.b.facts().surface.classes[id.index()].scope = scope;
        let (callables, variables) = body.map(|body| self.names_of_body(body)).unwrap_or_default();
        let members = FxHashMap::default();
        self.classes.push(ClassContext {
            id,
            definition,
            members,
            callables,
            variables,
            pending: Vec::new(),
            put: Vec::new(),
        });
        let loops = std::mem::take(&mut self.loops);
        if let Some(body) = body {
            self.block(body);
        }
        self.loops = loops;
        let context = self.classes.pop().expect("the class was entered");
        self.fill_fields(id, context.put);
        for (member, name) in context.pending {
            if let Some(&definition) = context.members.get(&name) {
                self.b.facts().surface.classes[id.index()].members[member].definition = definition;
            }
        }
        if self.decorator_names(decorators).iter().any(|name| FIELD_DECORATORS.contains(name))
            || given.is_some_and(|given| self.named(given).iter().any(|base| self.last_name(*base) == Some(FIELD_BASE)))
        {
            self.mark_fields(id);
        }
        self.b.pop_scope();
        self.b.pop_owner();
        if typed {
            self.b.pop_scope();
        }
        self.bind_definition(name_node, definition);
    }

    /// The annotated names of a class body are parameters of the constructor.
    fn mark_fields(&mut self, id: ClassId) {
        let facts = self.b.facts();
        let name_of = |facts: &Facts, mut form: FormId| loop {
            match facts.form(form) {
                Form::Apply { base, .. } => form = *base,
                Form::Name(expr) => match facts.expr(*expr) {
                    Expr::Name(used) => return Some(used.name),
                    Expr::Attribute { name, .. } => return Some(*name),
                    _ => return None,
                },
                _ => return None,
            }
        };
        let is_field = |facts: &Facts, member: &Member| {
            let name = member.annotation.map(|form| name_of(facts, form));
            name.is_some_and(|name| !name.is_some_and(|name| NO_FIELD.contains(&facts.text(name))))
        };
        let members = facts.class(id).members.iter();
        let fields: Vec<DefId> = members.filter(|one| is_field(facts, one)).map(|one| one.definition).collect();
        for field in fields {
            facts.surface.definitions[field.index()].flags |= Flags::FIELD_PARAMETER;
        }
    }

    fn bases(&mut self, id: ClassId, definition: DefId, given: N) {
        for argument in self.named(given) {
            match (self.kind(argument), &self.named(argument)[..]) {
                (Kind::Identifier | Kind::Attribute, _) | (Kind::Subscript, _) => {
                    let form = self.base_form(argument, definition);
                    self.b.facts().surface.classes[id.index()].bases.push(form);
                    if self.last_name(argument).is_some_and(|name| ENUMS.contains(&name)) {
                        self.b.facts().surface.definitions[definition.index()].flags |= Flags::ENUM;
                    }
                }
                (Kind::KeywordArgument, &[name, value]) => {
                    let value = self.value(value);
                    if self.text(name) == "metaclass" {
                        self.b.facts().surface.classes[id.index()].metaclass = Some(value);
                    }
                }
                _ => {
                    let value = self.value(argument);
                    self.b.facts().surface.classes[id.index()].base_values.push(value);
                }
            }
        }
    }

    /// The names that a class body binds: functions and classes, and variables; conditional ones too.
    fn names_of_body(&mut self, body: N) -> (FxHashSet<Name>, FxHashSet<Name>) {
        let (mut callables, mut variables) = (FxHashSet::default(), FxHashSet::default());
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            for statement in self.named(block) {
                match self.kind(statement) {
                    Kind::FunctionDefinition | Kind::ClassDefinition => {
                        if let Some(name) = self.tree.child(statement, Kind::Identifier) {
                            callables.insert(self.name(name));
                        }
                    }
                    Kind::DecoratedDefinition
                    | Kind::IfStatement
                    | Kind::ElifClause
                    | Kind::ElseClause
                    | Kind::TryStatement
                    | Kind::ExceptClause
                    | Kind::Block => blocks.push(statement),
                    Kind::ExpressionStatement => {
                        let Some(assignment) = self.tree.child(statement, Kind::Assignment) else { continue };
                        if let Some(target) = self.tree.child(assignment, Kind::Identifier) {
                            variables.insert(self.name(target));
                        }
                    }
                    _ => {}
                }
            }
        }
        (callables, variables)
    }
}
