//! Definitions, functions, classes and objects, for digests.

use super::{Thing, Walker, short};
use crate::facts::*;

impl Walker<'_> {
    pub(super) fn definition(&mut self, id: DefId) {
        if !self.first(Thing::Definition(id)) {
            return;
        }
        let definition = self.facts.definition(id);
        self.tag(10);
        self.text(definition.name);
        self.definition_head(definition);
        if let Some(class) = definition.class {
            self.class(class);
            self.members(id);
        }
    }

    /// What a definition says besides its name and its members.
    pub(super) fn definition_head(&mut self, definition: &Definition) {
        self.plain(&definition.kind);
        self.plain(&definition.flags);
        self.all(&definition.decorators, Self::expr);
        self.optional(definition.alias, Self::form);
        self.optional(definition.function, Self::function);
    }

    /// The definitions under a class or object: methods and nested classes.
    pub(super) fn members(&mut self, id: DefId) {
        let children = &self.children[id.index()];
        self.all(children, Self::definition);
    }

    pub(super) fn member(&mut self, member: &Member) {
        self.text(member.name);
        self.plain(&member.is_static);
        self.optional(member.annotation, Self::form);
        let value = member.value.filter(|_| member.annotation.is_none());
        self.optional(value, Self::expr);
    }

    pub(super) fn class(&mut self, id: ClassId) {
        if !self.first(Thing::Class(id)) {
            return;
        }
        self.class_head(id);
        let class = self.facts.class(id);
        self.number(class.members.len() as u64);
        for member in &class.members {
            self.member(member);
        }
        self.definition(class.definition);
    }

    pub(super) fn class_head(&mut self, id: ClassId) {
        let class = self.facts.class(id);
        self.tag(11);
        self.type_parameters(&class.type_parameters);
        self.all(&class.bases, Self::form);
        self.all(&class.base_values, Self::expr);
        self.optional(class.metaclass, Self::expr);
        self.all(&class.calls, Self::function);
        self.all(&class.constructs, Self::function);
        self.optional(class.index, Self::form);
    }

    fn type_parameters(&mut self, parameters: &[TypeParameter]) {
        self.number(parameters.len() as u64);
        for parameter in parameters {
            self.text(parameter.name);
            self.optional(parameter.bound, Self::form);
            self.optional(parameter.default, Self::form);
        }
    }

    pub(super) fn bounds(&self, parameters: &[TypeParameter]) -> Vec<FormId> {
        parameters.iter().flat_map(|parameter| parameter.bound.into_iter().chain(parameter.default)).collect()
    }

    pub(super) fn function(&mut self, id: FunctionId) {
        if !self.first(Thing::Function(id)) {
            return;
        }
        let function = self.facts.function(id);
        self.tag(12);
        self.type_parameters(&function.type_parameters);
        self.number(function.parameters.len() as u64);
        for parameter in &function.parameters {
            self.text(parameter.name);
            self.plain(&parameter.kind);
            self.plain(&parameter.optional);
            self.optional(parameter.annotation, Self::form);
            self.optional(parameter.default, Self::expr);
        }
        self.plain(&function.receiver);
        self.plain(&(function.is_async, function.is_generator));
        self.optional(function.result, Self::form);
        if let Some((index, form)) = function.guard {
            self.plain(&index);
            self.form(form);
        }
        if function.result.is_none() {
            self.all(&function.returns, Self::expr);
            self.all(&function.yields, Self::expr);
        }
        self.optional(function.contextual, Self::form);
        for &(index, call) in &function.parameter_calls {
            self.number(u64::from(index));
            self.expr(call);
        }
        if let Some((call, index)) = function.argument_of {
            self.number(u64::from(index));
            self.all(&function.argument_path, Self::text);
            self.expr(call);
        }
        if let Some(class) = function.this_class {
            self.text(self.facts.definition(self.facts.class(class).definition).name);
        }
        if let Some(object) = function.this_object {
            self.object(object);
        }
    }

    /// An object by a digest: many functions may belong to one object, and each of them that is a name of its own
    /// (`exports.a = function …`) would write out all of it.
    pub(super) fn object(&mut self, id: ObjectId) {
        if !self.first(Thing::Object(id)) {
            return;
        }
        let (facts, children) = (self.facts, self.children);
        let Some(objects) = &mut self.objects else { return self.properties(id) };
        let digest = *objects.entry(id).or_insert_with(|| {
            let mut alone = Walker { objects: None, ..Walker::new(facts, children) };
            alone.object(id);
            short(&alone.out)
        });
        self.number(digest);
    }

    fn properties(&mut self, id: ObjectId) {
        let object = &self.facts.surface.objects[id.index()];
        self.tag(13);
        self.number(object.properties.len() as u64);
        for property in &object.properties {
            self.text(property.name);
            self.plain(&property.getter);
            self.expr(property.value);
        }
        self.all(&object.spreads, Self::expr);
    }
}
