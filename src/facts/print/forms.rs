//! Forms of types as text.

use std::fmt::Write as _;

use super::{Printer, Written};
use crate::facts::*;

impl Printer<'_> {
    pub(super) fn forms(&mut self, out: &mut String, ids: &[FormId]) -> Written {
        self.list(out, ids, Self::form)
    }

    pub(super) fn form(&mut self, out: &mut String, id: FormId) -> Written {
        self.deeper(out, |printer, out| printer.form_here(out, id))
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
