//! Facts as text, for people and for tests: deterministic, one thing a line.
//!
//! Expressions and forms are written in place, close to how they look in source; a name is followed by the bindings that
//! it may mean (`x@b3`).

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

    // -------------------------------------------------------------------------------------- expressions

    fn exprs(&mut self, out: &mut String, ids: &[ExprId]) -> Written {
        for (at, &id) in ids.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.expr(out, id)?;
        }
        Ok(())
    }

    fn expr(&mut self, out: &mut String, id: ExprId) -> Written {
        if self.depth >= MAX_DEPTH {
            return out.write_char('…');
        }
        self.depth += 1;
        let written = self.expr_here(out, id);
        self.depth -= 1;
        written
    }

    /// `word(of)`
    fn wrapped(&mut self, out: &mut String, word: &str, of: ExprId) -> Written {
        write!(out, "{word}(")?;
        self.expr(out, of)?;
        out.write_char(')')
    }

    fn expr_here(&mut self, out: &mut String, id: ExprId) -> Written {
        let facts = self.facts;
        match facts.expr(id) {
            Expr::Unknown => out.push('?'),
            Expr::Name(used) => {
                out.push_str(facts.text(used.name));
                for binding in facts.reach(used) {
                    write!(out, "@b{}", binding)?;
                }
            }
            Expr::Attribute { base, name } => {
                self.expr(out, *base)?;
                write!(out, ".{}", facts.text(*name))?;
            }
            Expr::Call(call) => self.call(out, facts.call(*call))?,
            Expr::Subscript { base, index } => {
                self.expr(out, *base)?;
                match index {
                    Index::Integer(number) => write!(out, "[{number}]")?,
                    Index::Text(text) => write!(out, "[{:?}]", facts.text(*text))?,
                    Index::Slice => out.push_str("[:]"),
                    Index::Any(index) => {
                        out.push('[');
                        self.expr(out, *index)?;
                        out.push(']');
                    }
                }
            }
            Expr::Await(of) => self.wrapped(out, "await", *of)?,
            Expr::Iterate(of) => self.wrapped(out, "iterate", *of)?,
            Expr::IterateAsync(of) => self.wrapped(out, "iterate_async", *of)?,
            Expr::Enter(of) => self.wrapped(out, "enter", *of)?,
            Expr::EnterAsync(of) => self.wrapped(out, "enter_async", *of)?,
            Expr::Tuple(items) => self.bracketed(out, "(", facts.run(*items), ")")?,
            Expr::List(collection, items) => {
                let open = format!("{}[", format!("{collection:?}").to_lowercase());
                self.bracketed(out, &open, facts.run(*items), "]")?;
            }
            Expr::Dict(entries) => {
                out.push('{');
                for (at, entry) in facts.run(*entries).chunks(2).enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    self.expr(out, entry[0])?;
                    if entry[0] != entry[1] {
                        out.push_str(": ");
                        self.expr(out, entry[1])?;
                    }
                }
                out.push('}');
            }
            Expr::Spread(of) => self.wrapped(out, "spread", *of)?,
            Expr::Part { of, part } => {
                self.wrapped(out, "part", *of)?;
                match part {
                    Part::Key(name) => write!(out, ".{}", facts.text(*name))?,
                    Part::Index(index) => write!(out, "#{index}")?,
                    other => write!(out, "#{other:?}")?,
                }
            }
            Expr::Union(items) => self.bracketed(out, "union(", facts.run(*items), ")")?,
            Expr::Literal(literal) => self.literal(out, *literal)?,
            Expr::Function(function) => write!(out, "f{}", function)?,
            Expr::Class(class) => write!(out, "c{}", class)?,
            Expr::Object(object) => write!(out, "o{}", object)?,
            Expr::Narrow { of, test } => {
                self.wrapped(out, "narrow", *of)?;
                out.push('{');
                self.test(out, facts.test(*test))?;
                out.push('}');
            }
            Expr::Cast { of, to } => {
                self.wrapped(out, "cast", *of)?;
                out.push_str(" as ");
                self.form(out, *to)?;
            }
            Expr::This(_) => out.push_str("this"),
            Expr::Super { class, instance } => {
                out.push_str(if *instance { "super" } else { "super_class" });
                if let Some(class) = class {
                    write!(out, "(c{})", class)?;
                }
            }
            Expr::Module(import) => write!(out, "i{}", import)?,
            Expr::Promise(of) => self.wrapped(out, "promise", *of)?,
            Expr::Operator { left, method, right } => {
                self.expr(out, *left)?;
                write!(out, ".{}(", facts.text(*method))?;
                if let Some(right) = right {
                    self.expr(out, *right)?;
                }
                out.push(')');
            }
            Expr::Parameter(function, index) => write!(out, "parameter f{}.{index}", function)?,
            Expr::Sent => out.push_str("sent"),
            Expr::Caught(of) => self.wrapped(out, "caught", *of)?,
        }
        Ok(())
    }

    fn bracketed(&mut self, out: &mut String, open: &str, items: &[ExprId], close: &str) -> Written {
        out.push_str(open);
        self.exprs(out, items)?;
        out.write_str(close)
    }

    fn call(&mut self, out: &mut String, call: &CallExpr) -> Written {
        match call.form {
            CallForm::Call => {}
            CallForm::New => out.push_str("new "),
            CallForm::Jsx => out.push_str("jsx "),
            CallForm::Tag => out.push_str("tag "),
            CallForm::Super => out.push_str("super "),
            CallForm::Decorator => out.push('@'),
        }
        self.expr(out, call.callee)?;
        if !call.type_arguments.is_empty() {
            out.push('<');
            self.forms(out, self.facts.run(call.type_arguments))?;
            out.push('>');
        }
        if call.form == CallForm::Decorator {
            return Ok(());
        }
        out.push('(');
        for (at, argument) in self.facts.run(call.arguments).iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            match argument.kind {
                ArgumentKind::Positional => {}
                ArgumentKind::Keyword(name) => write!(out, "{}=", self.facts.text(name))?,
                ArgumentKind::Spread => out.push('*'),
                ArgumentKind::SpreadKeywords => out.push_str("**"),
            }
            self.expr(out, argument.value)?;
        }
        out.write_char(')')
    }

    fn literal(&mut self, out: &mut String, literal: Literal) -> Written {
        match literal {
            Literal::Text(text) => write!(out, "{:?}", self.facts.text(text)),
            Literal::Interpolated => out.write_str("text"),
            Literal::Integer(number) => write!(out, "{number}"),
            Literal::Boolean(value) => write!(out, "{value}"),
            other => write!(out, "{}", format!("{other:?}").to_lowercase()),
        }
    }

    fn test(&mut self, out: &mut String, test: &Test) -> Written {
        let facts = self.facts;
        match test {
            Test::Instance(class) => self.wrapped(out, "instance", *class),
            Test::NotInstance(class) => self.wrapped(out, "not_instance", *class),
            Test::Subclass(class) => self.wrapped(out, "subclass", *class),
            Test::TypeOf(name) => write!(out, "typeof {}", facts.text(*name)),
            Test::NotTypeOf(name) => write!(out, "not typeof {}", facts.text(*name)),
            Test::Present => out.write_str("present"),
            Test::Absent => out.write_str("absent"),
            Test::None => out.write_str("none"),
            Test::Property { name, equals } => {
                write!(out, ".{} == ", facts.text(*name))?;
                self.literal(out, *equals)
            }
            Test::NotProperty { name, equals } => {
                write!(out, ".{} != ", facts.text(*name))?;
                self.literal(out, *equals)
            }
            Test::HasKey(name) => write!(out, "has {}", facts.text(*name)),
            Test::Callable => out.write_str("callable"),
            Test::Guard { callee, argument, holds } => {
                out.push_str(if *holds { "" } else { "not " });
                self.expr(out, *callee)?;
                write!(out, "#{argument}")
            }
        }
    }

    // -------------------------------------------------------------------------------------------- forms

    fn forms(&mut self, out: &mut String, ids: &[FormId]) -> Written {
        for (at, &id) in ids.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.form(out, id)?;
        }
        Ok(())
    }

    fn form(&mut self, out: &mut String, id: FormId) -> Written {
        if self.depth >= MAX_DEPTH {
            return out.write_char('…');
        }
        self.depth += 1;
        let written = self.form_here(out, id);
        self.depth -= 1;
        written
    }

    fn form_list(&mut self, out: &mut String, open: &str, items: &[FormId], close: &str) -> Written {
        out.push_str(open);
        self.forms(out, items)?;
        out.write_str(close)
    }

    fn form_here(&mut self, out: &mut String, id: FormId) -> Written {
        let facts = self.facts;
        match facts.form(id) {
            Form::Unknown => out.write_char('?'),
            Form::Name(expr) => self.expr(out, *expr),
            Form::Apply { base, arguments } => {
                self.form(out, *base)?;
                self.form_list(out, "[", arguments, "]")
            }
            Form::Builtin { name, arguments } => {
                write!(out, "builtin {}", facts.text(*name))?;
                self.form_list(out, "[", arguments, "]")
            }
            Form::Function(function) => write!(out, "f{}", function),
            Form::Construct(function) => write!(out, "new f{}", function),
            Form::Object(class) => write!(out, "c{}", class),
            Form::Tuple(items) => self.form_list(out, "(", items, ")"),
            Form::Rest(of) => {
                self.form(out, *of)?;
                out.write_str("...")
            }
            Form::Union(items) => self.form_list(out, "union(", items, ")"),
            Form::Intersection(items) => self.form_list(out, "both(", items, ")"),
            Form::TypeOf(expr) => self.wrapped(out, "typeof", *expr),
            Form::Indexed { of, key } => {
                self.form(out, *of)?;
                write!(out, "[{:?}]", facts.text(*key))
            }
            Form::Element(of) => {
                self.form(out, *of)?;
                out.write_str("[]")
            }
            Form::SelfType => out.write_str("self"),
            Form::ClassOf(of) => {
                out.push_str("class ");
                self.form(out, *of)
            }
            Form::Literal(literal) => self.literal(out, *literal),
            Form::None => out.write_str("none"),
            Form::Conditional(yes, no) => self.form_list(out, "either(", &[*yes, *no], ")"),
            Form::List(items) => self.form_list(out, "[", items, "]"),
            Form::Imported { module, path } => {
                write!(out, "i{module}")?;
                path.iter().try_for_each(|name| write!(out, ".{}", facts.text(*name)))
            }
            Form::Mapped { of, value } => {
                out.push_str("mapped(");
                if let Some(of) = of {
                    self.form(out, *of)?;
                    out.push_str(", ");
                }
                self.form(out, *value)?;
                out.write_char(')')
            }
        }
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
