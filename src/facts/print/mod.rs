//! Facts as text, for people and for tests: deterministic, one thing a line.
//!
//! Expressions and forms are written in place, close to how they look in source; a name is followed by the bindings that
//! it may mean (`x@b3`).

mod expressions;
mod forms;

use std::fmt::Write as _;

use super::*;

/// Nesting of expressions and of definitions that is written out; deeper parts, and what lies further out, are `…`.
const MAX_DEPTH: usize = 40;

/// The whole of a file's facts.
pub fn print(facts: &Facts) -> String {
    let mut printer = Printer { facts, depth: 0 };
    let mut out = String::new();
    printer.all(&mut out).expect("a string takes everything");
    out
}

/// One expression.
#[cfg(test)]
pub fn expression(facts: &Facts, id: ExprId) -> String {
    let mut printer = Printer { facts, depth: 0 };
    let mut out = String::new();
    printer.expr(&mut out, id).expect("a string takes everything");
    out
}

struct Printer<'f> {
    facts: &'f Facts,
    depth: usize,
}

type Written = std::fmt::Result;

impl Printer<'_> {
    fn all(&mut self, out: &mut String) -> Written {
        let facts = self.facts;
        for at in 0..facts.surface.definitions.len() {
            self.definition(out, DefId::new(at))?;
        }
        for (at, function) in facts.surface.functions.iter().enumerate() {
            write!(out, "function f{at}")?;
            self.function(out, function)?;
            out.push('\n');
        }
        for (at, class) in facts.surface.classes.iter().enumerate() {
            self.class(out, at, class)?;
        }
        for (at, object) in facts.surface.objects.iter().enumerate() {
            writeln!(out, "object o{at}")?;
            for property in &object.properties {
                write!(out, "  {}{} ", if property.getter { "get " } else { "" }, facts.text(property.name))?;
                self.expr(out, property.value)?;
                out.push('\n');
            }
            for &spread in &object.spreads {
                out.push_str("  ...");
                self.expr(out, spread)?;
                out.push('\n');
            }
        }
        for (at, scope) in facts.surface.scopes.iter().enumerate() {
            self.scope(out, at, scope)?;
        }
        for (at, import) in facts.surface.imports.iter().enumerate() {
            let names: Vec<&str> = import.names.iter().map(|taken| facts.text(taken.name)).collect();
            let dots = ".".repeat(import.level as usize);
            let kind = if import.type_only { " type" } else { "" };
            let (form, module) = (import.form, facts.text(import.module));
            writeln!(out, "import i{at} {form:?}{kind} {dots}{module} [{}]", names.join(", "))?;
        }
        for export in &facts.surface.exports {
            write!(out, "export {}{} = ", if export.type_only { "type " } else { "" }, facts.text(export.name))?;
            match &export.value {
                ExportValue::Local(name) => out.push_str(facts.text(*name)),
                ExportValue::Expr(expr) => self.expr(out, *expr)?,
                ExportValue::Imported(import, name) => write!(out, "i{}.{}", import, facts.text(*name))?,
                ExportValue::Module(import) => write!(out, "i{}", import)?,
                ExportValue::Star(import) => write!(out, "i{}.*", import)?,
                ExportValue::Whole(expr) => {
                    out.push_str("whole ");
                    self.expr(out, *expr)?;
                }
            }
            out.push('\n');
        }
        if let Some(all) = &facts.surface.all {
            let names: Vec<&str> = all.iter().map(|name| facts.text(*name)).collect();
            writeln!(out, "all [{}]", names.join(", "))?;
        }
        for at in 0..facts.body.references.len() {
            self.reference(out, at)?;
        }
        for problem in &facts.body.problems {
            writeln!(out, "problem {:?} {}-{}", problem.kind, problem.first, problem.last)?;
        }
        Ok(())
    }

    /// Several, with commas between.
    fn list<T: Copy>(
        &mut self,
        out: &mut String,
        items: &[T],
        each: fn(&mut Self, &mut String, T) -> Written,
    ) -> Written {
        for (at, &item) in items.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            each(self, out, item)?;
        }
        Ok(())
    }

    /// One level further in, if there are any left.
    fn deeper(&mut self, out: &mut String, write: impl FnOnce(&mut Self, &mut String) -> Written) -> Written {
        if self.depth >= MAX_DEPTH {
            return out.write_char('…');
        }
        self.depth += 1;
        let written = write(self, out);
        self.depth -= 1;
        written
    }

    /// The local path of a definition.
    fn path(&self, id: DefId) -> String {
        let mut names = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            if names.len() == MAX_DEPTH {
                names.push("…");
                break;
            }
            let definition = self.facts.definition(id);
            names.push(self.facts.text(definition.name));
            at = definition.parent;
        }
        names.reverse();
        names.join(".")
    }

    fn definition(&mut self, out: &mut String, id: DefId) -> Written {
        let definition = self.facts.definition(id);
        let kind = format!("{:?}", definition.kind).to_lowercase();
        write!(out, "def {} {kind}", self.path(id))?;
        if definition.symbol != id {
            out.push_str(" again");
        }
        if let Some(place) = self.facts.places.definitions.get(id.index()) {
            write!(out, " {}:{} {}-{}", place.name.line, place.name.column, place.first, place.last)?;
        }
        for (flag, word) in FLAGS {
            if definition.flags.has(*flag) {
                write!(out, " {word}")?;
            }
        }
        if let Some(function) = definition.function {
            write!(out, " f{}", function)?;
        }
        if let Some(class) = definition.class {
            write!(out, " c{}", class)?;
        }
        let description = self.facts.description(id);
        if !description.signature.is_empty() {
            write!(out, " {}", description.signature)?;
        }
        if let Some(alias) = definition.alias {
            out.push_str(" alias ");
            self.form(out, alias)?;
        }
        for &decorator in &definition.decorators {
            out.push_str(" @");
            self.expr(out, decorator)?;
        }
        if !description.doc.is_empty() {
            write!(out, " {:?}", description.doc)?;
        }
        out.push('\n');
        Ok(())
    }

    fn function(&mut self, out: &mut String, function: &Function) -> Written {
        if let Some(definition) = function.definition {
            write!(out, " {}", self.path(definition))?;
        }
        if let Some(scope) = function.scope {
            write!(out, " s{}", scope)?;
        }
        self.type_parameters(out, &function.type_parameters)?;
        out.push_str(" (");
        for (at, parameter) in function.parameters.iter().enumerate() {
            let stars = match parameter.kind {
                ParameterKind::Rest => "*",
                ParameterKind::RestKeywords => "**",
                ParameterKind::KeywordOnly => "kw ",
                ParameterKind::PositionalOnly => "pos ",
                ParameterKind::Plain => "",
            };
            let separator = if at > 0 { ", " } else { "" };
            let optional = if parameter.optional { "?" } else { "" };
            write!(out, "{separator}{stars}{}{optional}", self.facts.text(parameter.name))?;
            if let Some(annotation) = parameter.annotation {
                out.push_str(": ");
                self.form(out, annotation)?;
            }
            if let Some(default) = parameter.default {
                out.push_str(" = ");
                self.expr(out, default)?;
            }
        }
        out.push(')');
        if let Some(result) = function.result {
            out.push_str(" -> ");
            self.form(out, result)?;
        }
        if let Some((parameter, form)) = function.guard {
            write!(out, " guard {parameter:?} ")?;
            self.form(out, form)?;
        }
        if function.receiver != Receiver::None {
            write!(out, " {:?}", function.receiver)?;
        }
        for (set, word) in [(function.is_async, " async"), (function.is_generator, " generator")] {
            out.push_str(if set { word } else { "" });
        }
        if let Some(class) = function.this_class {
            write!(out, " in c{}", class)?;
        }
        if let Some(object) = function.this_object {
            write!(out, " in o{}", object)?;
        }
        if let Some((_, index)) = function.argument_of {
            write!(out, " argument {index}")?;
        }
        for &(index, call) in &function.parameter_calls {
            write!(out, " calls {index} ")?;
            self.expr(out, call)?;
        }
        if let Some(contextual) = function.contextual {
            out.push_str(" as ");
            self.form(out, contextual)?;
        }
        for (values, word) in [(&function.returns, " returns "), (&function.yields, " yields ")] {
            if !values.is_empty() {
                out.push_str(word);
                self.exprs(out, values)?;
            }
        }
        Ok(())
    }

    fn type_parameters(&mut self, out: &mut String, parameters: &[TypeParameter]) -> Written {
        for (at, parameter) in parameters.iter().enumerate() {
            write!(out, "{}{}", if at == 0 { "[" } else { ", " }, self.facts.text(parameter.name))?;
            if let Some(bound) = parameter.bound {
                out.push_str(": ");
                self.form(out, bound)?;
            }
            if let Some(default) = parameter.default {
                out.push_str(" = ");
                self.form(out, default)?;
            }
        }
        out.push_str(if parameters.is_empty() { "" } else { "]" });
        Ok(())
    }

    fn class(&mut self, out: &mut String, at: usize, class: &Class) -> Written {
        write!(out, "class c{at} {} s{}", self.path(class.definition), class.scope)?;
        self.type_parameters(out, &class.type_parameters)?;
        if !class.bases.is_empty() || !class.base_values.is_empty() {
            out.push_str(" bases ");
            self.forms(out, &class.bases)?;
            self.exprs(out, &class.base_values)?;
        }
        if let Some(metaclass) = class.metaclass {
            out.push_str(" metaclass ");
            self.expr(out, metaclass)?;
        }
        for &function in &class.calls {
            write!(out, " call f{}", function)?;
        }
        for &function in &class.constructs {
            write!(out, " new f{}", function)?;
        }
        if let Some(index) = class.index {
            out.push_str(" index ");
            self.form(out, index)?;
        }
        out.push('\n');
        for member in &class.members {
            let kind = if member.is_static { "static " } else { "" };
            write!(out, "  {kind}{}", self.facts.text(member.name))?;
            if let Some(annotation) = member.annotation {
                out.push_str(": ");
                self.form(out, annotation)?;
            }
            if let Some(value) = member.value {
                out.push_str(" = ");
                self.expr(out, value)?;
            }
            out.push('\n');
        }
        Ok(())
    }

    fn scope(&mut self, out: &mut String, at: usize, scope: &Scope) -> Written {
        write!(out, "scope s{at} {:?}", scope.kind)?;
        if let Some(parent) = scope.parent {
            write!(out, " in s{parent}")?;
        }
        if let Some(owner) = scope.owner {
            write!(out, " of {}", self.path(owner))?;
        }
        out.push('\n');
        let last = self.facts.run(scope.last);
        for &id in self.facts.run(scope.bindings) {
            let binding = self.facts.binding(id);
            write!(out, "  b{} {}", id, self.facts.text(binding.name))?;
            if last.contains(&id) {
                out.push_str(" last");
            }
            if binding.space != Space::Both {
                write!(out, " {:?}", binding.space)?;
            }
            if let Some(annotation) = binding.annotation {
                out.push_str(": ");
                self.form(out, annotation)?;
            }
            out.push_str(" = ");
            self.value(out, binding.value)?;
            out.push('\n');
        }
        Ok(())
    }

    fn value(&mut self, out: &mut String, value: Value) -> Written {
        match value {
            Value::Definition(definition) => write!(out, "def {}", self.path(definition)),
            Value::Parameter(function, index) => write!(out, "parameter f{}.{index}", function),
            Value::Module(import) => write!(out, "module i{}", import),
            Value::Imported(import, index) => write!(out, "import i{}.{index}", import),
            Value::Expr(expr) => self.expr(out, expr),
            Value::FunctionTypeParameter(function, index) => write!(out, "type f{}.{index}", function),
            Value::ClassTypeParameter(class, index) => write!(out, "type c{}.{index}", class),
            Value::AliasTypeParameter(definition, index) => write!(out, "type {}.{index}", self.path(definition)),
            Value::Unknown => write!(out, "unknown"),
        }
    }

    fn reference(&mut self, out: &mut String, at: usize) -> Written {
        let reference = &self.facts.body.references[at];
        let place = self.facts.places.references.get(at).copied().unwrap_or_default();
        let kind = format!("{:?}", reference.kind).to_lowercase();
        write!(out, "{kind} {}:{} ", place.line, place.column)?;
        match reference.target {
            RefTarget::Expr(expr) => self.expr(out, expr)?,
            RefTarget::Form(form) => self.form(out, form)?,
            RefTarget::Import(import, None) => write!(out, "i{}", import)?,
            RefTarget::Import(import, Some(index)) => write!(out, "i{}.{index}", import)?,
            RefTarget::Parameter(function, index) => write!(out, "parameter f{}.{index}", function)?,
            RefTarget::Export(index) => write!(out, "export {index}")?,
        }
        if let Some(owner) = reference.owner {
            write!(out, " in {}", self.path(owner))?;
        }
        out.push('\n');
        Ok(())
    }
}

const FLAGS: &[(Flags, &str)] = &[
    (Flags::ASYNC, "async"),
    (Flags::STATIC, "static"),
    (Flags::CLASS_METHOD, "classmethod"),
    (Flags::GETTER, "getter"),
    (Flags::SETTER, "setter"),
    (Flags::ABSTRACT, "abstract"),
    (Flags::OVERLOAD, "overload"),
    (Flags::EXPORTED, "exported"),
    (Flags::DEFAULT, "default"),
    (Flags::HIDDEN, "hidden"),
    (Flags::INTERFACE, "interface"),
    (Flags::ENUM, "enum"),
    (Flags::NAMESPACE, "namespace"),
    (Flags::CONSTRUCTOR, "constructor"),
    (Flags::FIELD_PARAMETER, "field_parameter"),
    (Flags::INSTANCE_FIELD, "instance_field"),
    (Flags::SUITE, "suite"),
    (Flags::OWN_MAKER, "own_maker"),
];
