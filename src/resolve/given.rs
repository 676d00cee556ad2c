//! What parameters are given by the calls of their own file. It only adds edges where a type is open, in the last
//! stratum: what a function results in stays what it is for any caller.

use rustc_hash::FxHashMap;

use super::engine::Engine;
use super::project::File;
use super::targets::Targets;
use super::value::*;
use crate::facts::*;

/// Longest way that a value is followed back, from parameter to parameter.
const MAX_GIVEN_DEPTH: u32 = 4;
/// Most calls of one function that are looked at.
const MAX_GIVEN_CALLS: usize = 32;

/// The calls of one file that lead to its own functions and classes.
#[derive(Default)]
pub(super) struct OwnCalls {
    by_symbol: FxHashMap<DefId, Vec<CallId>>,
}

impl OwnCalls {
    /// Notes a call of a symbol; beyond [`MAX_GIVEN_CALLS`] no more.
    pub fn note(&mut self, symbol: DefId, call: CallId) {
        let calls = self.by_symbol.entry(symbol).or_default();
        if calls.len() < MAX_GIVEN_CALLS {
            calls.push(call);
        }
    }
}

impl Engine<'_> {
    /// What a call of a value whose type is open, or of a member of it, runs by the calls of its file.
    pub(super) fn given_targets(
        &mut self,
        file: &File,
        calls: &OwnCalls,
        value: ExprId,
        member: Option<Name>,
    ) -> Targets {
        let values = self.given_value(file, calls, value, 0);
        self.values_called(file, values, member)
    }

    /// What a value whose type is open can be, by the calls of its file.
    fn given_value(&mut self, file: &File, calls: &OwnCalls, expr: ExprId, depth: u32) -> Types {
        if depth > MAX_GIVEN_DEPTH {
            return Types::NEVER;
        }
        let types = self.expr(file.id, expr);
        let mut found = Types::NEVER;
        for ty in self.lattice.members(types).to_vec() {
            let part = match ty {
                Ty::Var(Var::Parameter(function, index)) if function.file == file.id => {
                    self.given_parameter(file, calls, function, index, depth)
                }
                Ty::Unknown | Ty::Var(_) => Types::NEVER,
                known if depth > 0 => self.lattice.one(known),
                _ => Types::NEVER,
            };
            found = self.lattice.join(found, part);
        }
        if let Expr::Attribute { base, name } = *file.facts.expr(expr) {
            for value in self.own_field_values(file, base, name) {
                let part = self.given_value(file, calls, value, depth + 1);
                found = self.lattice.join(found, part);
            }
        }
        found
    }

    /// The values that the methods of this file assign to a field of the object that they stand in.
    fn own_field_values(&mut self, file: &File, base: ExprId, name: Name) -> Vec<ExprId> {
        let base = self.expr(file.id, base);
        let own = self.lattice.members(base).iter().find_map(|ty| match *ty {
            Ty::Var(Var::This(class)) if class.file == file.id => Some(class),
            _ => None,
        });
        own.map(|class| self.assigned_values(file, class, file.sym(name))).unwrap_or_default()
    }

    fn given_parameter(
        &mut self,
        file: &File,
        calls: &OwnCalls,
        function: FunctionRef,
        index: u32,
        depth: u32,
    ) -> Types {
        let data = file.facts.function(function.function);
        let (Some(def), Some(parameter)) = (data.definition, data.parameters.get(index as usize)) else {
            return Types::NEVER;
        };
        if !matches!(parameter.kind, ParameterKind::Plain | ParameterKind::PositionalOnly | ParameterKind::KeywordOnly)
        {
            return Types::NEVER;
        }
        let definition = file.facts.definition(def);
        let class = definition.parent.filter(|_| definition.flags.has(Flags::CONSTRUCTOR));
        let symbols = [Some(definition.symbol), class.map(|class| file.facts.definition(class).symbol)];
        let calls_of = symbols.into_iter().flatten().filter_map(|symbol| calls.by_symbol.get(&symbol)).flatten();
        let mut found = Types::NEVER;
        for &call in calls_of {
            let call = file.facts.call(call);
            let place = index.checked_sub(self.passed_before(file, function, call));
            let arguments = file.facts.run(call.arguments);
            let named = |argument: &&Argument| argument.kind == ArgumentKind::Keyword(parameter.name);
            let plain = arguments.iter().take_while(|argument| argument.kind == ArgumentKind::Positional);
            let positional = place.and_then(|at| plain.into_iter().nth(at as usize));
            if let Some(argument) = positional.or_else(|| arguments.iter().find(named)) {
                let part = self.given_value(file, calls, argument.value, depth + 1);
                found = self.lattice.join(found, part);
            }
        }
        found
    }

    /// How many parameters come before the first argument of a call: the receiver, unless it is an argument itself
    /// (`Order.pay(order)`).
    fn passed_before(&mut self, file: &File, function: FunctionRef, call: &CallExpr) -> u32 {
        let receiver = self.receiver_parameters(function);
        let Expr::Attribute { base, .. } = *file.facts.expr(call.callee) else { return receiver };
        let is_instance_method = file.facts.function(function.function).receiver == Receiver::InstanceParameter;
        let base = self.expr(file.id, base);
        let through_class = self.lattice.members(base).iter().any(|ty| matches!(ty, Ty::Class(..)));
        if is_instance_method && through_class { 0 } else { receiver }
    }
}
