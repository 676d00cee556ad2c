//! What passes through callbacks: where a function calls what it was given, and where a function is given by name.

use rustc_hash::FxHashMap;

use super::*;

/// Most calls of its parameters that a function keeps.
const MAX_PARAMETER_CALLS: usize = 16;

impl Builder {
    /// Notes with each function its calls of its own parameters, and of each named function the first call that it is
    /// an argument of. A field that holds a parameter is called like it.
    pub(super) fn note_callbacks(&mut self) {
        let fields = self.parameter_fields();
        let mut called: Vec<(FunctionId, u32, ExprId)> = Vec::new();
        let mut passed: Vec<(FunctionId, ExprId, u32)> = Vec::new();
        for (at, expr) in self.facts.surface.expressions.iter().enumerate() {
            let Expr::Call(call) = expr else { continue };
            let call = self.facts.call(*call);
            if call.arguments.is_empty() {
                continue;
            }
            let id = ExprId::new(at);
            if let Some((function, index)) = self.called_parameter(call.callee, &fields) {
                called.push((function, index, id));
            }
            for (at, argument) in self.facts.run(call.arguments).iter().enumerate() {
                passed.extend(self.named_function(argument.value).map(|function| (function, id, at as u32)));
            }
        }
        let functions = &mut self.facts.surface.functions;
        for (function, index, call) in called {
            let calls = &mut functions[function.index()].parameter_calls;
            if calls.len() < MAX_PARAMETER_CALLS {
                calls.push((index, call));
            }
        }
        for (function, call, at) in passed {
            functions[function.index()].argument_of.get_or_insert((call, at));
        }
    }

    /// Of each field that is assigned a parameter as it is, that parameter.
    fn parameter_fields(&self) -> FxHashMap<(ClassId, Name), (FunctionId, u32)> {
        let mut fields = FxHashMap::default();
        for (at, class) in self.facts.surface.classes.iter().enumerate() {
            for member in &class.members {
                if let Some(parameter) = member.value.and_then(|value| self.parameter(value)) {
                    fields.entry((ClassId::new(at), member.name)).or_insert(parameter);
                }
            }
        }
        fields
    }

    /// The only binding that a name means, tests left out.
    fn only_binding(&self, expr: ExprId) -> Option<&Binding> {
        let Expr::Name(used) = self.facts.expr(expr) else { return None };
        match self.unnarrowed(self.facts.reach(used))[..] {
            [binding] => Some(self.facts.binding(binding)),
            _ => None,
        }
    }

    fn parameter(&self, expr: ExprId) -> Option<(FunctionId, u32)> {
        match self.only_binding(expr)?.value {
            Value::Parameter(function, index) => Some((function, index)),
            _ => None,
        }
    }

    fn called_parameter(
        &self,
        callee: ExprId,
        fields: &FxHashMap<(ClassId, Name), (FunctionId, u32)>,
    ) -> Option<(FunctionId, u32)> {
        let Expr::Attribute { base, name } = *self.facts.expr(callee) else { return self.parameter(callee) };
        if fields.is_empty() {
            return None;
        }
        let method = match *self.facts.expr(base) {
            Expr::This(function) => function?,
            _ => match self.parameter(base)? {
                (function, 0) if self.facts.function(function).receiver == Receiver::InstanceParameter => function,
                _ => return None,
            },
        };
        fields.get(&(self.facts.function(method).this_class?, name)).copied()
    }

    /// The function that an argument names, if something of its parameters is open.
    fn named_function(&self, argument: ExprId) -> Option<FunctionId> {
        let Value::Definition(def) = self.only_binding(argument)?.value else { return None };
        let function = self.facts.definition(def).function?;
        let is_open = |parameter: &Parameter| parameter.annotation.is_none();
        self.facts.function(function).parameters.iter().any(is_open).then_some(function)
    }
}
