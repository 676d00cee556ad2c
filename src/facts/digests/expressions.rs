//! Expressions and the tests that narrow them, for digests.

use super::{STACK_RESERVE, STACK_SEGMENT, Walker};
use crate::facts::*;

impl Walker<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || self.expr_here(id));
    }

    fn expr_here(&mut self, id: ExprId) {
        match self.facts.expr(id) {
            Expr::Unknown => self.tag(20),
            Expr::Name(used) => {
                self.tag(21);
                self.text(used.name);
                let reach = self.facts.reach(used);
                for &binding in reach {
                    // A module-level name is a digest of its own; who reads this one reads that one too. But which of
                    // several bindings holds here belongs to this use.
                    let module = self.facts.binding(binding).scope == ScopeId::MODULE;
                    let bound = self.facts.bindings_of(ScopeId::MODULE, used.name);
                    let single = reach.len() == bound.take(reach.len() + 1).count();
                    if module && single {
                        self.tag(1);
                    } else {
                        self.binding(binding);
                    }
                }
            }
            Expr::Attribute { base, name } => {
                self.tag(22);
                self.expr(*base);
                self.text(*name);
            }
            Expr::Call(call) => {
                let call = self.facts.call(*call);
                self.tag(23);
                self.plain(&call.form);
                self.expr(call.callee);
                self.number(call.arguments.len() as u64);
                for argument in self.facts.run(call.arguments) {
                    match argument.kind {
                        ArgumentKind::Positional => self.tag(1),
                        ArgumentKind::Keyword(name) => {
                            self.tag(2);
                            self.text(name);
                        }
                        ArgumentKind::Spread => self.tag(3),
                        ArgumentKind::SpreadKeywords => self.tag(4),
                    }
                    self.expr(argument.value);
                }
                self.all(self.facts.run(call.type_arguments), Self::form);
            }
            Expr::Subscript { base, index } => {
                self.tag(24);
                self.expr(*base);
                match index {
                    Index::Integer(number) => self.plain(number),
                    Index::Text(name) => self.text(*name),
                    Index::Slice => self.tag(2),
                    Index::Any(expr) => self.expr(*expr),
                }
            }
            Expr::Await(of) => self.wrapped(25, *of),
            Expr::Iterate(of) => self.wrapped(26, *of),
            Expr::IterateAsync(of) => self.wrapped(27, *of),
            Expr::Enter(of) => self.wrapped(28, *of),
            Expr::EnterAsync(of) => self.wrapped(29, *of),
            Expr::Tuple(items) => {
                self.tag(30);
                self.all(self.facts.run(*items), Self::expr);
            }
            Expr::List(collection, items) => {
                self.tag(31);
                self.plain(collection);
                self.all(self.facts.run(*items), Self::expr);
            }
            Expr::Dict(entries) => {
                self.tag(32);
                self.all(self.facts.run(*entries), Self::expr);
            }
            Expr::Spread(of) => self.wrapped(33, *of),
            Expr::Part { of, part } => {
                self.wrapped(34, *of);
                match part {
                    Part::Key(name) => self.text(*name),
                    other => self.plain(other),
                }
            }
            Expr::Union(items) => {
                self.tag(35);
                self.all(self.facts.run(*items), Self::expr);
            }
            Expr::Literal(literal) => self.literal(*literal),
            Expr::Function(function) => self.function(*function),
            Expr::Class(class) => self.class(*class),
            Expr::Object(object) => self.object(*object),
            Expr::Narrow { of, test } => {
                self.wrapped(36, *of);
                self.test(self.facts.test(*test));
            }
            Expr::Cast { of, to } => {
                self.wrapped(37, *of);
                self.form(*to);
            }
            Expr::This(function) => {
                self.tag(38);
                self.optional(*function, Self::function);
            }
            Expr::Super { class, instance } => {
                self.tag(39);
                self.plain(instance);
                self.optional(*class, Self::class);
            }
            Expr::Module(import) => {
                self.tag(40);
                self.import(*import);
            }
            Expr::Promise(of) => self.wrapped(41, *of),
            Expr::Operator { left, method, right } => {
                self.wrapped(42, *left);
                self.text(*method);
                self.optional(*right, Self::expr);
            }
            Expr::Parameter(function, index) => {
                self.tag(43);
                self.function(*function);
                self.number(u64::from(*index));
            }
            Expr::Sent => self.tag(44),
            Expr::Caught(of) => self.wrapped(45, *of),
        }
    }

    pub(super) fn wrapped(&mut self, tag: u8, of: ExprId) {
        self.tag(tag);
        self.expr(of);
    }

    pub(super) fn literal(&mut self, literal: Literal) {
        self.tag(46);
        match literal {
            Literal::Text(name) => self.text(name),
            other => self.plain(&other),
        }
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Instance(of) => self.wrapped(50, *of),
            Test::NotInstance(of) => self.wrapped(51, *of),
            Test::Subclass(of) => self.wrapped(52, *of),
            Test::TypeOf(name) => {
                self.tag(53);
                self.text(*name);
            }
            Test::NotTypeOf(name) => {
                self.tag(54);
                self.text(*name);
            }
            Test::Present => self.tag(55),
            Test::Absent => self.tag(56),
            Test::None => self.tag(62),
            Test::Property { name, equals } => {
                self.tag(57);
                self.text(*name);
                self.literal(*equals);
            }
            Test::NotProperty { name, equals } => {
                self.tag(58);
                self.text(*name);
                self.literal(*equals);
            }
            Test::HasKey(name) => {
                self.tag(59);
                self.text(*name);
            }
            Test::Callable => self.tag(60),
            Test::Guard { callee, argument, holds } => {
                self.wrapped(61, *callee);
                self.plain(&(argument, holds));
            }
        }
    }
}
