//! What is put into a container that was made empty: `orders = []`, and later `orders.append(Order())`.
//!
//! An empty container says nothing of its elements. Each statement that puts something in is read as one more value of
//! the variable or field: a container of just that.

use super::extract::Walker;
use super::kinds::Kind;
use super::tree::N;
use crate::facts::*;

/// Functions and classes that make an empty container without arguments, or from a default alone
/// (<https://docs.python.org/3/library/collections.html>).
const MAKERS: [&str; 6] = ["list", "set", "dict", "deque", "OrderedDict", "defaultdict"];

/// Most values that are added to one variable or field.
const MAX_ADDED: usize = 8;

impl Walker<'_> {
    /// A call that is a statement may put its argument into a container.
    pub fn put_by_call(&mut self, call: N, value: ExprId) {
        let [callee, _] = self.named(call)[..] else { return };
        let (Kind::Attribute, &[container, method]) = (self.kind(callee), &self.named(callee)[..]) else { return };
        let Expr::Call(call) = *self.b.read().expr(value) else { return };
        let facts = self.b.read();
        let arguments = facts.run(facts.call(call).arguments);
        if arguments.iter().any(|argument| argument.kind != ArgumentKind::Positional) {
            return;
        }
        let values: Vec<ExprId> = arguments.iter().map(|argument| argument.value).collect();
        let (collection, added) = match (self.text(method), &values[..]) {
            ("append" | "appendleft", &[added]) | ("insert", &[_, added]) => (Collection::List, added),
            ("add", &[added]) => (Collection::Set, added),
            ("extend" | "extendleft", &[added]) => (Collection::List, self.b.expr(Expr::Spread(added))),
            _ => return,
        };
        let items = self.b.run(&[added]);
        self.put(container, Expr::List(collection, items));
    }

    /// `orders[key] = order`
    pub fn put_by_key(&mut self, target: N, value: ExprId) {
        let Some(&container) = self.named(target).first() else { return };
        let key = self.unknown();
        let entry = self.b.run(&[key, value]);
        self.put(container, Expr::Dict(entry));
    }

    fn put(&mut self, container: N, content: Expr) {
        match (self.kind(container), &self.named(container)[..]) {
            (Kind::Identifier, _) => {
                let name = self.name(container);
                let held = self.b.held(name).unwrap_or_default();
                let facts = self.b.read();
                let is_empty = |binding: &BindingId| match facts.binding(*binding).value {
                    Value::Expr(value) => facts.binding(*binding).annotation.is_none() && is_empty(facts, value),
                    _ => false,
                };
                if held.len() < MAX_ADDED && held.iter().any(is_empty) {
                    let content = self.b.expr(content);
                    self.b.bind_more(name, Value::Expr(content));
                }
            }
            (Kind::Attribute, &[base, attribute]) if self.kind(base) == Kind::Identifier => {
                let base = self.name(base);
                let Some((receiver, class)) = self.functions.last().and_then(|function| function.receiver) else {
                    return;
                };
                if receiver == base {
                    let (name, content) = (self.name(attribute), self.b.expr(content));
                    self.classes
                        .iter_mut()
                        .filter(|open| open.id == class)
                        .for_each(|open| open.put.push((name, content)));
                }
            }
            _ => {}
        }
    }

    /// Gives the fields of a class that were made empty what its methods put into them.
    pub fn fill_fields(&mut self, id: ClassId, put: Vec<(Name, ExprId)>) {
        for (name, content) in put {
            let facts = self.b.read();
            let mut own = facts.class(id).members.iter().filter(|member| member.name == name);
            let is_made_empty = |member: &Member| {
                member.annotation.is_none() && member.value.is_some_and(|value| is_empty(facts, value))
            };
            let count = own.clone().count();
            let annotated = own.clone().any(|member| member.annotation.is_some());
            let Some(member) = own.find(|member| is_made_empty(member)) else { continue };
            if count < MAX_ADDED && !annotated {
                let member = Member { value: Some(content), ..member.clone() };
                self.b.facts().surface.classes[id.index()].members.push(member);
            }
        }
    }
}

/// Whether a value is a container without elements.
fn is_empty(facts: &Facts, value: ExprId) -> bool {
    match *facts.expr(value) {
        Expr::List(_, items) => items.is_empty(),
        Expr::Dict(entries) => entries.is_empty(),
        Expr::Call(call) => {
            let call = facts.call(call);
            let name = match *facts.expr(call.callee) {
                Expr::Name(used) => facts.text(used.name),
                Expr::Attribute { name, .. } => facts.text(name),
                _ => return false,
            };
            MAKERS.contains(&name) && (call.arguments.is_empty() || name == "defaultdict")
        }
        _ => false,
    }
}
