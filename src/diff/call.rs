//! Whether the arguments of a call fit what is called.
//!
//! Knows no language: parameters have kinds, a receiver may take the first of them, and a dialect may ignore surplus
//! arguments.

use super::sites::{Sites, callee_name};
use crate::facts::{
    Argument, ArgumentKind, CallForm, ClassId, DefId, DefKind, Expr, ExprId, Facts, Flags, FunctionId, Literal,
    ParameterKind, Receiver, RefKind, RefTarget,
};
use crate::graph::{EdgeKind, Graph, Located, Side, Site, SymbolKind, Target, locate};

/// Members that construct; the class itself is called.
const CONSTRUCTORS: [&str; 3] = ["__init__", "__new__", "constructor"];
/// The constructor whose first parameter is given when it is called by name.
const ALLOCATOR: &str = "__new__";
/// Bases of a class that are looked through for a constructor.
const BASES: usize = 100;
/// Functions that call what they are given: the arguments at the site are not the callee's alone.
const GO_BETWEENS: [&str; 6] = ["partial", "partialmethod", "call", "apply", "bind", "wraps"];
/// Functions that describe a field of a class whose constructor takes its fields, by their last name.
const FIELD_FUNCTIONS: [&str; 4] = ["field", "Field", "attrib", "ib"];

/// One way in which something can be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    parameters: Vec<Parameter>,
    receiver: Receiver,
    /// A read runs it.
    pub is_property: bool,
    /// A member that must be called on the class, or on an instance; `None` where the language does not care.
    is_static: Option<bool>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Parameter {
    name: String,
    kind: ParameterKind,
    required: bool,
}

/// What can be said of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fit {
    Fits,
    /// Spread arguments, or something that cannot be told.
    Unsure,
    Misfit(String),
}

/// What is called at a site, and how.
pub struct Call<'f> {
    facts: &'f Facts,
    arguments: &'f [Argument],
    /// Called on a class: a method's first parameter is among the arguments (`Order.save(order)`). `None` where that
    /// cannot be told.
    on_class: Option<bool>,
    /// `super().__new__(cls)`: the class is among the arguments.
    allocates: bool,
    /// Surplus arguments do no harm.
    surplus_ignored: bool,
}

/// How a site uses what it leads to.
pub enum Use<'f> {
    Call(Call<'f>),
    /// An element of JSX: the arguments are properties of one parameter.
    Element,
    /// Read or assigned, not called.
    Read,
    /// Passed on, decorated, named in a type: nothing can be said of arguments.
    Other,
}

/// The ways to call a symbol; overloads stand for the implementation. `None` when it is no function.
pub fn signatures(sites: &Sites, located: &Located) -> Option<Vec<Signature>> {
    let facts = &*sites.facts;
    let definitions = sites.definitions(located.symbol());
    let is_overload = |id: &DefId| facts.definition(*id).flags.has(Flags::OVERLOAD);
    let is_setter = |id: &DefId| facts.definition(*id).flags.has(Flags::SETTER);
    let overloads: Vec<DefId> = definitions.iter().copied().filter(is_overload).collect();
    let used = if overloads.is_empty() { definitions } else { overloads };
    let mut used = used.into_iter().filter(|id| !is_setter(id)).peekable();
    used.peek()?;
    used.map(|id| {
        let definition = facts.definition(id);
        let mut signature = of_function(facts, definition.function?);
        signature.is_property = definition.flags.has(Flags::GETTER);
        let in_class = definition.parent.is_some_and(|parent| facts.definition(parent).kind == DefKind::Class);
        if signature.receiver == Receiver::This && in_class {
            signature.is_static = Some(definition.flags.has(Flags::STATIC));
        }
        Some(signature)
    })
    .collect()
}

/// Whether decorators stand on a function that may change how it is called.
pub fn is_decorated(sites: &Sites, located: &Located) -> bool {
    let plain = [Flags::STATIC, Flags::CLASS_METHOD, Flags::GETTER, Flags::SETTER, Flags::ABSTRACT, Flags::OVERLOAD];
    sites.definitions(located.symbol()).into_iter().any(|id| {
        let definition = sites.facts.definition(id);
        let known = plain.iter().filter(|flag| definition.flags.has(**flag)).count();
        definition.decorators.len() > known
    })
}

fn of_function(facts: &Facts, id: FunctionId) -> Signature {
    let function = facts.function(id);
    let parameters = function.parameters.iter().map(|parameter| Parameter {
        name: facts.text(parameter.name).to_owned(),
        kind: parameter.kind,
        required: parameter.default.is_none() && !parameter.optional,
    });
    Signature { parameters: parameters.collect(), receiver: function.receiver, is_property: false, is_static: None }
}

/// The ways to make an instance of a class: its constructor, its fields, or those of its bases. `None` when that
/// cannot be told, as with bases outside the project.
pub fn constructor(side: &dyn Side, class: &Located) -> Option<Vec<Signature>> {
    let mut fields: Option<Vec<Parameter>> = None;
    let mut waiting = vec![class.clone()];
    let mut seen = 0;
    while let Some(class) = waiting.pop() {
        seen += 1;
        if seen > BASES {
            return None;
        }
        let sites = Sites::of(side, class.unit.path.as_str())?;
        if fields.is_none() {
            let local = &class.symbol().local;
            let own = CONSTRUCTORS.iter().find_map(|name| class.unit.position(&format!("{local}.{name}")));
            if let Some(at) = own {
                return signatures(&sites, &Located { unit: class.unit.clone(), at });
            }
        }
        let definition = sites.definitions(class.symbol()).into_iter().find_map(|id| sites.facts.definition(id).class);
        let id = definition?;
        let data = sites.facts.class(id);
        let definition = sites.facts.definition(data.definition);
        if data.metaclass.is_some() || definition.flags.has(Flags::ENUM) || definition.flags.has(Flags::INTERFACE) {
            return None;
        }
        let own = own_fields(&sites.facts, id);
        if !own.is_empty() || fields.is_some() {
            // Fields of bases come first; a field that is declared again keeps its place.
            let known = fields.take().unwrap_or_default();
            let mut all = own;
            for field in known {
                match all.iter_mut().find(|one| one.name == field.name) {
                    Some(one) => *one = field,
                    None => all.push(field),
                }
            }
            fields = Some(all);
        }
        let mut bases: Vec<(Site, Target)> = class
            .unit
            .edges
            .iter()
            .filter(|edge| edge.source as usize == class.at && edge.kind == EdgeKind::Inherits)
            .map(|edge| (edge.site, edge.target.clone()))
            .collect();
        bases.sort();
        bases.dedup_by(|a, b| a.0 == b.0);
        if bases.len() < data.bases.len() + data.base_values.len() {
            fields.as_ref()?;
            continue;
        }
        let bases: Option<Vec<Located>> = bases.iter().map(|(_, target)| locate(side.graph(), target)).collect();
        waiting.extend(bases?.into_iter().rev());
    }
    let parameters = fields.unwrap_or_default();
    Some(vec![Signature { parameters, receiver: Receiver::None, is_property: false, is_static: None }])
}

/// The fields of a class that its generated constructor takes.
fn own_fields(facts: &Facts, class: ClassId) -> Vec<Parameter> {
    let class = facts.class(class);
    let is_parameter = |id: DefId| facts.definition(id).flags.has(Flags::FIELD_PARAMETER);
    let keyword_only = facts.definition(class.definition).decorators.iter().any(|decorator| {
        matches!(facts.expr(*decorator), Expr::Call(call) if keyword(facts, facts.run(facts.call(*call).arguments), "kw_only") == Some(true))
    });
    let mut fields: Vec<Parameter> = Vec::new();
    // A marker makes the fields behind it keyword-only.
    let mut marked = keyword_only;
    for member in &class.members {
        let name = facts.text(member.name);
        marked |= name == "_" && member.annotation.is_some();
        if !is_parameter(member.definition) || fields.iter().any(|field| field.name == name) {
            continue;
        }
        let mut required = member.value.is_none();
        let mut kind = if marked { ParameterKind::KeywordOnly } else { ParameterKind::Plain };
        if let Some(value) = member.value
            && let Expr::Call(call) = facts.expr(value)
            && let call = facts.call(*call)
            && callee_name(facts, call.callee).is_some_and(|name| FIELD_FUNCTIONS.contains(&name))
        {
            if keyword(facts, facts.run(call.arguments), "init") == Some(false) {
                continue;
            }
            let has = |key: &str| has_keyword(facts, facts.run(call.arguments), key);
            required = !has("default") && !has("default_factory") && !has("factory");
            match keyword(facts, facts.run(call.arguments), "kw_only") {
                Some(true) => kind = ParameterKind::KeywordOnly,
                Some(false) => kind = ParameterKind::Plain,
                None => {}
            }
        }
        fields.push(Parameter { name: name.to_owned(), kind, required });
    }
    fields
}

fn has_keyword(facts: &Facts, arguments: &[Argument], key: &str) -> bool {
    arguments.iter().any(|argument| is_keyword(facts, argument, key))
}

fn is_keyword(facts: &Facts, argument: &Argument, key: &str) -> bool {
    matches!(argument.kind, ArgumentKind::Keyword(name) if facts.text(name) == key)
}

/// The literal truth value of a keyword argument.
fn keyword(facts: &Facts, arguments: &[Argument], key: &str) -> Option<bool> {
    arguments.iter().find_map(|argument| match (argument.kind, facts.expr(argument.value)) {
        (ArgumentKind::Keyword(name), Expr::Literal(Literal::Boolean(value))) if facts.text(name) == key => {
            Some(*value)
        }
        _ => None,
    })
}

/// How a site uses a symbol. `name` is the symbol's own.
pub fn use_at<'f>(graph: &dyn Graph, sites: &'f Sites, site: Site, name: &str, surplus_ignored: bool) -> Use<'f> {
    let facts = &*sites.facts;
    let mut found = Use::Other;
    for reference in sites.at(site) {
        let RefTarget::Expr(expr) = reference.target else { continue };
        let call = match facts.expr(expr) {
            Expr::Call(call) if reference.kind == RefKind::Call => facts.call(*call),
            _ => {
                let reads = matches!(reference.kind, RefKind::Read | RefKind::Write);
                if reads {
                    found = Use::Read;
                }
                continue;
            }
        };
        if call.form == CallForm::Jsx {
            return Use::Element;
        }
        let plain = matches!(call.form, CallForm::Call | CallForm::New | CallForm::Super);
        let callee = callee_name(facts, call.callee);
        let indirect = callee.is_some_and(|callee| callee != name && GO_BETWEENS.contains(&callee));
        if !plain || indirect {
            return Use::Other;
        }
        let (on_class, allocates) = match facts.expr(call.callee) {
            Expr::Attribute { base, .. } => {
                let told = !matches!(facts.expr(*base), Expr::This(_) | Expr::Super { .. });
                (told.then(|| is_class(graph, sites, *base)), name == ALLOCATOR)
            }
            _ => (None, false),
        };
        return Use::Call(Call { facts, arguments: facts.run(call.arguments), on_class, allocates, surplus_ignored });
    }
    found
}

/// Whether an expression is a class itself: its own edge leads to one.
fn is_class(graph: &dyn Graph, sites: &Sites, expr: ExprId) -> bool {
    let Some(site) = sites.of_expr(expr).map(|at| sites.site(at)) else { return false };
    let mut edges = sites.unit.edges.iter().filter(|edge| edge.site == site && edge.kind == EdgeKind::References);
    edges.any(|edge| locate(graph, &edge.target).is_some_and(|used| used.symbol().kind == SymbolKind::Class))
}

impl Call<'_> {
    /// Whether the call fits one of these ways to be called.
    pub fn fits(&self, signatures: &[Signature], instance: bool) -> Fit {
        let mut worst: Option<String> = None;
        for signature in signatures {
            match self.fits_one(signature, instance) {
                Fit::Misfit(reason) => {
                    worst.get_or_insert(reason);
                }
                fit => return fit,
            }
        }
        worst.map_or(Fit::Unsure, Fit::Misfit)
    }

    /// `instance`: the call makes an instance, so a constructor's receiver is not among the arguments.
    fn fits_one(&self, signature: &Signature, instance: bool) -> Fit {
        let kinds = |argument: &Argument| matches!(argument.kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        if self.arguments.iter().any(kinds) {
            return Fit::Unsure;
        }
        let bound = match signature.receiver {
            Receiver::InstanceParameter => instance || self.on_class != Some(true),
            Receiver::ClassParameter => instance || !self.allocates,
            Receiver::None | Receiver::This => false,
        };
        if let (Some(is_static), Some(on_class), false) = (signature.is_static, self.on_class, instance)
            && is_static != on_class
        {
            return Fit::Misfit(
                if is_static { "is a static member now" } else { "is a member of instances now" }.to_owned(),
            );
        }
        let skip = usize::from(bound && takes_receiver(signature));
        let parameters = &signature.parameters[skip..];
        match misfit(self.facts, parameters, self.arguments, self.surplus_ignored) {
            None => Fit::Fits,
            Some(reason) => Fit::Misfit(reason),
        }
    }
}

/// The receiver takes the first parameter, unless `*args` takes everything.
fn takes_receiver(signature: &Signature) -> bool {
    signature.parameters.first().is_some_and(|first| first.kind != ParameterKind::Rest)
}

/// Why arguments do not fit parameters.
fn misfit(facts: &Facts, parameters: &[Parameter], arguments: &[Argument], surplus_ignored: bool) -> Option<String> {
    use ParameterKind::{KeywordOnly, Plain, PositionalOnly, Rest, RestKeywords};
    let has = |kind: ParameterKind| parameters.iter().any(|parameter| parameter.kind == kind);
    let positional: Vec<&Parameter> = parameters.iter().filter(|p| matches!(p.kind, PositionalOnly | Plain)).collect();
    let given = arguments.iter().filter(|argument| argument.kind == ArgumentKind::Positional).count();
    let mut filled: Vec<&str> = positional.iter().take(given).map(|parameter| parameter.name.as_str()).collect();
    if given > positional.len() && !has(Rest) && !surplus_ignored {
        let most = positional.len();
        let plural = if most == 1 { "" } else { "s" };
        return Some(format!("takes {most} positional argument{plural}, {given} are given"));
    }
    for argument in arguments {
        let ArgumentKind::Keyword(name) = argument.kind else { continue };
        let name = facts.text(name);
        match parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) if matches!(parameter.kind, Plain | KeywordOnly) => {
                if filled.contains(&name) {
                    return Some(format!("argument `{name}` is given twice"));
                }
                filled.push(name);
            }
            Some(parameter) if parameter.kind == PositionalOnly && !has(RestKeywords) => {
                return Some(format!("argument `{name}` is positional-only"));
            }
            _ if has(RestKeywords) => {}
            _ => return Some(format!("unknown argument `{name}`")),
        }
    }
    let missing = parameters.iter().enumerate().find(|(at, parameter)| {
        let by_place = matches!(parameter.kind, PositionalOnly | Plain) && *at < given;
        let can_miss = matches!(parameter.kind, PositionalOnly | Plain | KeywordOnly);
        can_miss && parameter.required && !by_place && !filled.contains(&parameter.name.as_str())
    });
    missing.map(|(at, parameter)| match parameter.name.as_str() {
        "" => format!("missing argument {}", at + 1),
        name => format!("missing argument `{name}`"),
    })
}
