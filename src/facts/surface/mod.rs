//! Digests of a surface: one per top-level name, one per member of a top-level class, and one for what the file offers
//! without naming it.
//!
//! They are over structure and text. No position and no arena index goes in, so a comment, a line shift, a reordering
//! of unrelated functions, or an edit of a body that changes nothing of its result leave every digest as it was.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::*;

/// Stack kept free while walking nested expressions, and how much is added when it runs out; bytes.
const STACK_RESERVE: usize = 64 * 1024;
const STACK_SEGMENT: usize = 1024 * 1024;

/// The name under which the value of `module.exports = …` and `export = …` is digested.
pub const WHOLE_EXPORT: &str = "=";

/// Fills [`Surface::digests`], [`Surface::member_digests`] and [`Surface::whole_digest`].
pub(super) fn digest(facts: &mut Facts) {
    let children = children(facts);
    let mut roots: FxHashMap<Name, Vec<Root>> = FxHashMap::default();
    for &binding in facts.run(facts.scope(ScopeId::MODULE).bindings) {
        roots.entry(facts.binding(binding).name).or_default().push(Root::Binding(binding));
    }
    let whole = facts.find(WHOLE_EXPORT);
    let mut added: Option<Name> = None;
    for (at, export) in facts.surface.exports.iter().enumerate() {
        let name = match export.value {
            ExportValue::Whole(_) => {
                let next = Name::new(facts.strings.len());
                whole.unwrap_or_else(|| *added.get_or_insert(next))
            }
            ExportValue::Star(_) => continue,
            _ => export.name,
        };
        roots.entry(name).or_default().push(Root::Export(at));
    }
    if added.is_some() {
        facts.strings.push(WHOLE_EXPORT);
    }
    let mut digests: Vec<(Name, u64)> = Vec::with_capacity(roots.len());
    let mut members: Vec<(Name, Name, u64)> = Vec::new();
    let mut names: Vec<(Name, Vec<Root>)> = roots.into_iter().collect();
    names.sort_by(|a, b| facts.text(a.0).cmp(facts.text(b.0)));
    let mut walker = Walker::new(facts, &children);
    for (name, roots) in &names {
        walker.out.clear();
        walker.seen.clear();
        let mut classes = Vec::new();
        for root in roots {
            match root {
                Root::Binding(binding) => match walker.class_of(*binding) {
                    Some(class) => {
                        walker.shell(class);
                        classes.push(class);
                    }
                    None => {
                        walker.binding(*binding);
                        let definition = facts.binding(*binding).definition;
                        classes.extend(definition.filter(|&def| facts.definition(def).class.is_some()));
                    }
                },
                Root::Export(at) => walker.export(&facts.surface.exports[*at]),
            }
        }
        digests.push((*name, short(&walker.out)));
        walker.class_members(*name, &classes, &mut members);
    }
    let whole_digest = walker.whole();
    facts.surface.digests = digests;
    facts.surface.member_digests = members;
    facts.surface.whole_digest = whole_digest;
}

enum Root {
    Binding(BindingId),
    /// An export, by its place in the list.
    Export(usize),
}

fn short(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    u64::from_be_bytes(digest[..8].try_into().expect("SHA-256 has 32 bytes"))
}

/// The definitions directly under each definition.
fn children(facts: &Facts) -> Vec<Vec<DefId>> {
    let mut children = vec![Vec::new(); facts.surface.definitions.len()];
    for (at, definition) in facts.surface.definitions.iter().enumerate() {
        if let Some(parent) = definition.parent {
            children[parent.index()].push(DefId::new(at));
        }
    }
    children
}

#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Thing {
    Binding(BindingId),
    Definition(DefId),
    Function(FunctionId),
    Class(ClassId),
    Object(ObjectId),
}

/// Writes structure into bytes. What was met before is written as the number of its first meeting.
struct Walker<'a> {
    facts: &'a Facts,
    children: &'a [Vec<DefId>],
    out: Vec<u8>,
    seen: FxHashMap<Thing, u32>,
    /// Digests of objects. `None`: they are written out, within another object, and within a class, which they may refer
    /// back to.
    objects: Option<FxHashMap<ObjectId, u64>>,
}

impl<'a> Walker<'a> {
    fn new(facts: &'a Facts, children: &'a [Vec<DefId>]) -> Walker<'a> {
        Walker { facts, children, out: Vec::new(), seen: FxHashMap::default(), objects: Some(FxHashMap::default()) }
    }

    fn tag(&mut self, tag: u8) {
        self.out.push(tag);
    }

    fn number(&mut self, number: u64) {
        self.out.extend(number.to_be_bytes());
    }

    fn text(&mut self, name: Name) {
        let text = self.facts.text(name).as_bytes();
        self.number(text.len() as u64);
        self.out.extend(text);
    }

    /// Plain data without indices of arenas.
    fn plain(&mut self, value: &impl Serialize) {
        let out = std::mem::take(&mut self.out);
        self.out = postcard::to_extend(value, out).expect("plain data can be written to memory");
    }

    /// Whether this is the first meeting; otherwise its number was written.
    fn first(&mut self, thing: Thing) -> bool {
        let next = self.seen.len() as u32;
        match self.seen.get(&thing) {
            Some(&number) => {
                self.tag(0xfe);
                self.number(u64::from(number));
                false
            }
            None => {
                self.seen.insert(thing, next);
                true
            }
        }
    }

    fn all<T: Copy>(&mut self, items: &[T], each: fn(&mut Self, T)) {
        self.number(items.len() as u64);
        for &item in items {
            each(self, item);
        }
    }

    fn optional<T>(&mut self, item: Option<T>, each: fn(&mut Self, T)) {
        match item {
            Some(item) => {
                self.tag(1);
                each(self, item);
            }
            None => self.tag(0),
        }
    }

    fn binding(&mut self, id: BindingId) {
        if !self.first(Thing::Binding(id)) {
            return;
        }
        let binding = self.facts.binding(id);
        self.plain(&binding.space);
        self.optional(binding.annotation, Self::form);
        if let Some(definition) = binding.definition {
            self.plain(&self.facts.definition(definition).flags);
            self.plain(&self.facts.definition(definition).kind);
        }
        match binding.value {
            Value::Definition(definition) => self.definition(definition),
            Value::Parameter(function, index) => {
                self.tag(2);
                self.function(function);
                self.number(u64::from(index));
            }
            Value::Module(import) => {
                self.tag(3);
                self.import(import);
            }
            Value::Imported(import, index) => {
                self.tag(4);
                self.import(import);
                if let Some(name) = self.facts.surface.imports[import.index()].names.get(index as usize) {
                    self.text(name.name);
                }
            }
            Value::Expr(expr) => {
                self.tag(5);
                if binding.annotation.is_none() {
                    self.expr(expr);
                }
            }
            Value::FunctionTypeParameter(function, index) => {
                self.tag(6);
                self.number(u64::from(index));
                self.all(&self.bounds(&self.facts.function(function).type_parameters), Self::form);
            }
            Value::ClassTypeParameter(class, index) => {
                self.tag(7);
                self.number(u64::from(index));
                self.all(&self.bounds(&self.facts.class(class).type_parameters), Self::form);
            }
            Value::AliasTypeParameter(_, index) => {
                self.tag(8);
                self.number(u64::from(index));
            }
            Value::Unknown => self.tag(9),
        }
        if let Some(definition) = binding.definition.filter(|_| !matches!(binding.value, Value::Definition(_))) {
            self.members(definition);
        }
    }

    /// The class that a binding of the module's scope defines.
    fn class_of(&self, binding: BindingId) -> Option<DefId> {
        match self.facts.binding(binding).value {
            Value::Definition(def) => self.facts.definition(def).class.map(|_| def),
            _ => None,
        }
    }

    /// A class without its members: each has a digest of its own, and a member that is not there is noticed by the
    /// digest that it does not have.
    fn shell(&mut self, id: DefId) {
        let definition = self.facts.definition(id);
        self.enter(id);
        self.tag(14);
        self.plain(&definition.kind);
        self.plain(&definition.flags);
        self.all(&definition.decorators, Self::expr);
        self.optional(definition.alias, Self::form);
        self.optional(definition.function, Self::function);
        if let Some(class) = definition.class {
            self.class_head(class);
        }
        // A function that has members makes instances.
        self.plain(&self.children[id.index()].is_empty());
    }

    /// Notes that a class was met, so that what refers to it from inside does not write it out.
    fn enter(&mut self, id: DefId) {
        let things = [Some(Thing::Definition(id)), self.facts.definition(id).class.map(Thing::Class)];
        for thing in things.into_iter().flatten() {
            let next = self.seen.len() as u32;
            self.seen.entry(thing).or_insert(next);
        }
    }

    /// The digest of each member of a top-level class, from all of its definitions.
    fn class_members(&mut self, name: Name, classes: &[DefId], out: &mut Vec<(Name, Name, u64)>) {
        let facts = self.facts;
        let children = classes.iter().flat_map(|class| &self.children[class.index()]).copied();
        let mut definitions: BTreeMap<&str, (Name, Vec<DefId>)> = BTreeMap::new();
        for child in children {
            let own = facts.definition(child).name;
            definitions.entry(facts.text(own)).or_insert_with(|| (own, Vec::new())).1.push(child);
        }
        let objects = self.objects.take();
        for (own, definitions) in definitions.into_values() {
            self.out.clear();
            self.seen.clear();
            for &class in classes {
                self.enter(class);
            }
            for &definition in &definitions {
                self.definition(definition);
            }
            for class in classes.iter().filter_map(|&class| facts.definition(class).class) {
                for member in facts.class(class).members.iter().filter(|member| member.name == own) {
                    self.member(member);
                }
            }
            out.push((name, own, short(&self.out)));
        }
        self.objects = objects;
    }

    fn member(&mut self, member: &Member) {
        self.text(member.name);
        self.plain(&member.is_static);
        self.optional(member.annotation, Self::form);
        let value = member.value.filter(|_| member.annotation.is_none());
        self.optional(value, Self::expr);
    }

    fn bounds(&self, parameters: &[TypeParameter]) -> Vec<FormId> {
        parameters.iter().flat_map(|parameter| parameter.bound.into_iter().chain(parameter.default)).collect()
    }

    fn import(&mut self, id: ImportId) {
        let import = &self.facts.surface.imports[id.index()];
        self.text(import.module);
        self.number(u64::from(import.level));
        self.plain(&import.form);
        self.plain(&import.type_only);
    }

    fn definition(&mut self, id: DefId) {
        if !self.first(Thing::Definition(id)) {
            return;
        }
        let definition = self.facts.definition(id);
        self.tag(10);
        self.text(definition.name);
        self.plain(&definition.kind);
        self.plain(&definition.flags);
        self.all(&definition.decorators, Self::expr);
        self.optional(definition.alias, Self::form);
        self.optional(definition.function, Self::function);
        if let Some(class) = definition.class {
            self.class(class);
        }
        if definition.class.is_some() {
            self.members(id);
        }
    }

    /// The definitions under a class or object: methods and nested classes.
    fn members(&mut self, id: DefId) {
        let children = &self.children[id.index()];
        self.all(children, Self::definition);
    }

    fn class(&mut self, id: ClassId) {
        if !self.first(Thing::Class(id)) {
            return;
        }
        self.class_head(id);
        let class = self.facts.class(id);
        self.number(class.members.len() as u64);
        for member in &class.members {
            self.member(member);
        }
        self.definition(class.definition);
    }

    fn class_head(&mut self, id: ClassId) {
        let class = self.facts.class(id);
        self.tag(11);
        self.type_parameters(&class.type_parameters);
        self.all(&class.bases, Self::form);
        self.all(&class.base_values, Self::expr);
        self.optional(class.metaclass, Self::expr);
        self.all(&class.calls, Self::function);
        self.all(&class.constructs, Self::function);
        self.optional(class.index, Self::form);
    }

    fn type_parameters(&mut self, parameters: &[TypeParameter]) {
        self.number(parameters.len() as u64);
        for parameter in parameters {
            self.text(parameter.name);
            self.optional(parameter.bound, Self::form);
            self.optional(parameter.default, Self::form);
        }
    }

    fn function(&mut self, id: FunctionId) {
        if !self.first(Thing::Function(id)) {
            return;
        }
        let function = self.facts.function(id);
        self.tag(12);
        self.type_parameters(&function.type_parameters);
        self.number(function.parameters.len() as u64);
        for parameter in &function.parameters {
            self.text(parameter.name);
            self.plain(&parameter.kind);
            self.plain(&parameter.optional);
            self.optional(parameter.annotation, Self::form);
            self.optional(parameter.default, Self::expr);
        }
        self.plain(&function.receiver);
        self.plain(&(function.is_async, function.is_generator));
        self.optional(function.result, Self::form);
        if let Some((index, form)) = function.guard {
            self.plain(&index);
            self.form(form);
        }
        if function.result.is_none() {
            self.all(&function.returns, Self::expr);
            self.all(&function.yields, Self::expr);
        }
        self.optional(function.contextual, Self::form);
        for &(index, call) in &function.parameter_calls {
            self.number(u64::from(index));
            self.expr(call);
        }
        if let Some((call, index)) = function.argument_of {
            self.number(u64::from(index));
            self.all(&function.argument_path, Self::text);
            self.expr(call);
        }
        if let Some(class) = function.this_class {
            self.text(self.facts.definition(self.facts.class(class).definition).name);
        }
        if let Some(object) = function.this_object {
            self.object(object);
        }
    }

    /// An object by a digest: many functions may belong to one object, and each of them that is a name of its own
    /// (`exports.a = function …`) would write out all of it.
    fn object(&mut self, id: ObjectId) {
        if !self.first(Thing::Object(id)) {
            return;
        }
        let (facts, children) = (self.facts, self.children);
        let Some(objects) = &mut self.objects else { return self.properties(id) };
        let digest = *objects.entry(id).or_insert_with(|| {
            let mut alone = Walker { objects: None, ..Walker::new(facts, children) };
            alone.object(id);
            short(&alone.out)
        });
        self.number(digest);
    }

    fn properties(&mut self, id: ObjectId) {
        let object = &self.facts.surface.objects[id.index()];
        self.tag(13);
        self.number(object.properties.len() as u64);
        for property in &object.properties {
            self.text(property.name);
            self.plain(&property.getter);
            self.expr(property.value);
        }
        self.all(&object.spreads, Self::expr);
    }

    fn expr(&mut self, id: ExprId) {
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

    fn wrapped(&mut self, tag: u8, of: ExprId) {
        self.tag(tag);
        self.expr(of);
    }

    fn literal(&mut self, literal: Literal) {
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

    fn form(&mut self, id: FormId) {
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

    fn export(&mut self, export: &Export) {
        self.tag(1);
        self.plain(&export.type_only);
        match export.value {
            ExportValue::Local(name) => {
                self.tag(2);
                self.text(name);
            }
            ExportValue::Expr(expr) => self.wrapped(3, expr),
            ExportValue::Imported(import, name) => {
                self.tag(4);
                self.import(import);
                self.text(name);
            }
            ExportValue::Module(import) => {
                self.tag(5);
                self.import(import);
            }
            ExportValue::Star(import) => {
                self.tag(6);
                self.import(import);
            }
            ExportValue::Whole(expr) => self.wrapped(7, expr),
        }
    }

    /// The digest of what the file offers without naming it.
    fn whole(&mut self) -> u64 {
        self.out.clear();
        let (mut has_whole, mut has_others) = (false, false);
        for export in &self.facts.surface.exports {
            match export.value {
                ExportValue::Star(_) => self.export(export),
                ExportValue::Whole(_) => has_whole = true,
                _ => has_others = true,
            }
        }
        self.plain(&(has_whole, has_others));
        for at in 0..self.facts.surface.imports.len() {
            let import = &self.facts.surface.imports[at];
            if import.form == ImportForm::Star && import.scope == ScopeId::MODULE {
                self.tag(8);
                self.import(ImportId::new(at));
            }
        }
        if let Some(all) = &self.facts.surface.all {
            self.tag(9);
            self.all(all, Self::text);
        }
        short(&self.out)
    }
}
