//! Forms of types, for digests.

use super::{STACK_RESERVE, STACK_SEGMENT, Walker};
use crate::facts::*;

impl Walker<'_> {
    pub(super) fn form(&mut self, id: FormId) {
        stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || self.form_here(id));
    }

    fn form_here(&mut self, id: FormId) {
        match self.facts.form(id) {
            Form::Unknown => self.tag(70),
            Form::Name(expr) => self.wrapped(71, *expr),
            Form::Apply { base, arguments } => {
                self.tag(72);
                self.form(*base);
                self.all(arguments, Self::form);
            }
            Form::Builtin { name, arguments } => {
                self.tag(73);
                self.text(*name);
                self.all(arguments, Self::form);
            }
            Form::Function(function) => {
                self.tag(74);
                self.function(*function);
            }
            Form::Construct(function) => {
                self.tag(75);
                self.function(*function);
            }
            Form::Object(class) => {
                self.tag(76);
                self.class(*class);
            }
            Form::Tuple(items) => {
                self.tag(77);
                self.all(items, Self::form);
            }
            Form::Rest(of) => {
                self.tag(78);
                self.form(*of);
            }
            Form::Union(items) => {
                self.tag(79);
                self.all(items, Self::form);
            }
            Form::Intersection(items) => {
                self.tag(80);
                self.all(items, Self::form);
            }
            Form::TypeOf(expr) => self.wrapped(81, *expr),
            Form::Indexed { of, key } => {
                self.tag(82);
                self.form(*of);
                self.text(*key);
            }
            Form::Element(of) => {
                self.tag(83);
                self.form(*of);
            }
            Form::SelfType => self.tag(84),
            Form::ClassOf(of) => {
                self.tag(85);
                self.form(*of);
            }
            Form::Literal(literal) => self.literal(*literal),
            Form::None => self.tag(86),
            Form::Conditional(yes, no) => {
                self.tag(87);
                self.form(*yes);
                self.form(*no);
            }
            Form::List(items) => {
                self.tag(88);
                self.all(items, Self::form);
            }
            Form::Imported { module, path } => {
                self.tag(89);
                self.import(*module);
                self.all(path, Self::text);
            }
            Form::Mapped { of, value } => {
                self.tag(90);
                self.optional(*of, Self::form);
                self.form(*value);
            }
        }
    }
}
