//! Subscripts: items of containers and object literals, index signatures, and generics applied in value position.

use super::calls::{Argument as Given, ArgumentValue, Arguments};
use super::engine::Engine;
use super::project::File;
use super::value::*;
use crate::facts::*;
use crate::languages::Special;

impl Engine<'_> {
    /// What a subscript gives.
    pub(super) fn subscript(&mut self, file: &File, base: ExprId, index: Index) -> Types {
        if let Some(value) = self.literal_item(file, base, index) {
            return value;
        }
        let types = self.expr(file.id, base);
        if types == Types::TOP {
            return types;
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = self.item(file, ty, index);
            result = self.lattice.join(result, part);
        }
        result
    }

    /// `TABLE["key"]` where the only value of `TABLE` is a dictionary written with literal keys.
    fn literal_item(&mut self, file: &File, base: ExprId, index: Index) -> Option<Types> {
        let Index::Text(key) = index else { return None };
        let Expr::Name(used) = file.facts.expr(base) else { return None };
        let &[binding] = file.facts.reach(used) else { return None };
        let Value::Expr(value) = file.facts.binding(binding).value else { return None };
        let Expr::Dict(entries) = file.facts.expr(value) else { return None };
        let is_key = |entry: &&[ExprId]| *file.facts.expr(entry[0]) == Expr::Literal(Literal::Text(key));
        let value = *file.facts.run(*entries).chunks(2).rfind(is_key)?.last()?;
        Some(self.reached(file, binding, |engine| engine.expr(file.id, value)))
    }

    fn item(&mut self, file: &File, ty: Ty, index: Index) -> Types {
        let one = self.lattice.one(ty);
        match (ty, index) {
            (Ty::Tuple(items), Index::Integer(at)) => {
                let items = self.lattice.items(items);
                let at = if at < 0 { items.len() as i64 + i64::from(at) } else { i64::from(at) };
                usize::try_from(at).ok().and_then(|at| items.get(at)).copied().unwrap_or(Types::UNKNOWN)
            }
            (Ty::Tuple(items), Index::Slice) => {
                let items = self.lattice.items(items).to_vec();
                let element = self.lattice.join_all(items);
                let tuple = self.rules(file).semantics().tuple;
                self.library_instance(file.language, tuple, &[element])
            }
            (Ty::Tuple(items), _) => {
                let items = self.lattice.items(items).to_vec();
                self.lattice.join_all(items)
            }
            // `Foo[int]` as a value.
            (Ty::Class(class, _), Index::Any(argument)) if !self.is_enum(class) => self.applied(file, class, argument),
            (Ty::Class(class, arguments), _) if self.is_enum(class) => self.lattice.one(Ty::Instance(class, arguments)),
            (Ty::Class(..), _) => one,
            (Ty::Special(special), Index::Any(argument)) => self.special_value(file, special, argument),
            (Ty::Special(_) | Ty::External, _) => Types::EXTERNAL,
            (Ty::Object(..), Index::Text(key)) | (Ty::Module(_), Index::Text(key)) => {
                let key = self.sym(file, key);
                self.attribute(one, key)
            }
            (Ty::Object(id, object, _), _) => self.any_property(id, object, one),
            _ => self.instance_item(file, one, index),
        }
    }

    /// What an object literal has under a key that cannot be told: any of its properties.
    fn any_property(&mut self, id: FileId, object: ObjectId, one: Types) -> Types {
        let Some(file) = self.file(id) else { return Types::UNKNOWN };
        let object = &file.facts.surface.objects[object.index()];
        if object.properties.len() > MAX_WIDTH || !object.spreads.is_empty() {
            return Types::UNKNOWN;
        }
        let names: Vec<Sym> = object.properties.iter().map(|property| self.sym(file, property.name)).collect();
        let values: Vec<Types> = names.into_iter().map(|name| self.attribute(one, name)).collect();
        if values.is_empty() { Types::UNKNOWN } else { self.lattice.join_all(values) }
    }

    fn instance_item(&mut self, file: &File, receiver: Types, index: Index) -> Types {
        if let Some(member) = self.rules(file).semantics().get_item {
            let name = self.sym_of(member);
            let method = self.attribute(receiver, name);
            let value = match index {
                Index::Any(expr) => ArgumentValue::Expr(file.id, expr, self.group),
                Index::Integer(_) => {
                    let integer = self.rules(file).semantics().integer;
                    let integer = self.library_instance(file.language, integer, &[]);
                    ArgumentValue::Types(integer)
                }
                Index::Slice => {
                    let slice = self.library_instance(file.language, "slice", &[]);
                    ArgumentValue::Types(slice)
                }
                Index::Text(name) => {
                    let text = self.literal(file, Literal::Text(name));
                    ArgumentValue::Types(text)
                }
            };
            return self.call(method, &Arguments { list: vec![Given::Positional(value)] });
        }
        // Without such a member, a subscript reads a property or goes through an index signature.
        if let Index::Text(key) = index {
            let key = self.sym(file, key);
            return self.attribute(receiver, key);
        }
        let mut result = Types::NEVER;
        for ty in self.lattice.members(receiver).to_vec() {
            let part = match ty {
                Ty::Instance(class, arguments) => self.indexed(class, arguments, receiver),
                Ty::External => Types::EXTERNAL,
                _ => Types::UNKNOWN,
            };
            result = self.lattice.join(result, part);
        }
        result
    }

    /// The value of the nearest index signature (`[key: string]: T`).
    fn indexed(&mut self, class: ClassRef, arguments: List, receiver: Types) -> Types {
        for &owner in &self.order(class).classes {
            let Some(file) = self.file(owner.file) else { continue };
            for def in file.definitions(owner.def) {
                let Some(index) = file.facts.definition(def).class.and_then(|class| file.facts.class(class).index)
                else {
                    continue;
                };
                let group = self.definition_group(file, owner.def);
                let types = self.within(group, |engine| engine.form(owner.file, index));
                let substitution = self.member_substitution(class, arguments, owner, receiver);
                return self.substitute(types, &substitution);
            }
        }
        Types::UNKNOWN
    }

    /// A generic class applied in value position.
    fn applied(&mut self, file: &File, class: ClassRef, argument: ExprId) -> Types {
        let arguments = self.type_arguments(file, argument);
        let list = self.lattice.list(&arguments);
        self.lattice.one(Ty::Class(class, list))
    }

    fn type_arguments(&mut self, file: &File, argument: ExprId) -> Vec<Types> {
        let parts: Vec<ExprId> = match file.facts.expr(argument) {
            Expr::Tuple(items) => file.facts.run(*items).to_vec(),
            _ => vec![argument],
        };
        let mut arguments = Vec::new();
        for part in parts {
            let value = self.expr(file.id, part);
            arguments.push(self.to_instances(value));
        }
        arguments
    }

    /// `Optional[Foo]`, `Union[A, B]` written as a value (an alias of a type): classes, which annotations turn into
    /// instances.
    fn special_value(&mut self, file: &File, special: Special, argument: ExprId) -> Types {
        let arguments = self.type_arguments(file, argument);
        match special {
            Special::Optional => {
                let of = self.lattice.join_all(arguments);
                let classes = self.as_type_value(of);
                self.lattice.join(classes, Types::NONE)
            }
            Special::Union => {
                let of = self.lattice.join_all(arguments);
                self.as_type_value(of)
            }
            Special::First => {
                let of = arguments.first().copied().unwrap_or(Types::UNKNOWN);
                self.as_type_value(of)
            }
            Special::Tuple => {
                let list = self.lattice.list(&arguments);
                self.lattice.one(Ty::Tuple(list))
            }
            _ => Types::EXTERNAL,
        }
    }

    /// Instances as the classes that an alias is bound to; other members stay.
    fn as_type_value(&mut self, types: Types) -> Types {
        self.map(types, |_, ty| match ty {
            Ty::Instance(class, arguments) => Ty::Class(class, arguments),
            other => other,
        })
    }
}
