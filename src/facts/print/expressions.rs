//! Expressions as text, and the tests that narrow them.

use std::fmt::Write as _;

use super::{Printer, Written};
use crate::facts::*;

impl Printer<'_> {
    pub(super) fn exprs(&mut self, out: &mut String, ids: &[ExprId]) -> Written {
        self.list(out, ids, Self::expr)
    }

    pub(super) fn expr(&mut self, out: &mut String, id: ExprId) -> Written {
        self.deeper(out, |printer, out| printer.expr_here(out, id))
    }

    /// `word(of)`
    pub(super) fn wrapped(&mut self, out: &mut String, word: &str, of: ExprId) -> Written {
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

    pub(super) fn literal(&mut self, out: &mut String, literal: Literal) -> Written {
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
}
