//! Classes and their members.

use rustc_hash::FxHashSet;

use super::functions::{FunctionContext, OwnThis, TypeParametersOf, is_function};
use super::kinds::{Field, Kind};
use super::walk::*;
use crate::facts::*;

impl<'t> Walk<'t> {
    pub(super) fn class_declaration(&mut self, kid: Kid<'t>, flags: Flags) {
        let kids = self.open(kid.node);
        let Some(name_kid) = self.field(kids, Field::Name) else {
            self.close(kids);
            return self.unread(kid);
        };
        let is_abstract = kid.kind == Kind::AbstractClassDeclaration;
        let flags = if is_abstract { flags.with(Flags::ABSTRACT) } else { flags };
        let doc = self.doc;
        let def = self.declared_class(name_kid, kid, flags, Space::Both);
        self.class(kid, kids, def, doc);
        self.close(kids);
    }

    /// Defines a class, or what is like one, and binds its name.
    pub(super) fn declared_class(&mut self, name_kid: Kid<'t>, whole: Kid<'t>, flags: Flags, space: Space) -> DefId {
        let name = self.name(name_kid.node);
        let flags = flags.with(self.namespace_flags());
        let parent = self.owner();
        let new = New { name, kind: DefKind::Class, parent, at: name_kid.node, whole: whole.node, flags };
        let def = self.define(new);
        self.b.bind(name, Value::Definition(def), None, Some(def), space);
        def
    }

    pub(super) fn class_expression(&mut self, kid: Kid<'t>) -> ExprId {
        let kids = self.open(kid.node);
        let own = self.field(kids, Field::Name);
        let adopted = self.adopted(kid.node);
        let def = match adopted {
            Some(adopted) => adopted.definition,
            None => {
                let (name, at, flags) = match own {
                    Some(own) => (self.name(own.node), own.node, Flags::default()),
                    None => (self.b.name(""), kid.node, Flags::HIDDEN),
                };
                let parent = self.owner();
                self.define(New { name, kind: DefKind::Class, parent, at, whole: kid.node, flags })
            }
        };
        self.b.push_scope(ScopeKind::Block);
        if let Some(own) = own {
            let name = self.name(own.node);
            self.b.bind(name, Value::Definition(def), None, Some(def), Space::Both);
        }
        let class = self.class(kid, kids, def, adopted.map_or(Doc::default(), |adopted| adopted.doc));
        self.b.pop_scope();
        self.close(kids);
        self.b.expr(Expr::Class(class))
    }

    /// A class of a definition, to be filled.
    pub(super) fn new_class(&mut self, definition: DefId) -> ClassId {
        let scope = self.b.scope();
        let class = self.b.class(Class::new(definition, scope));
        self.definition(definition).class = Some(class);
        class
    }

    fn class(&mut self, kid: Kid<'t>, kids: Kids, def: DefId, doc: Doc) -> ClassId {
        let class = self.new_class(def);
        let decorators = self.decorators(kids, None);
        self.definition(def).decorators = decorators;
        self.measure_class(def, kid, kids);
        self.b.push_owner(def);
        let generic = self.type_parameters(kids, TypeParametersOf::Class(class));
        self.b.pop_owner();
        if let Some(heritage) = self.of_kind(kids, Kind::ClassHeritage) {
            self.heritage(class, def, heritage, doc);
        }
        let implemented = self.jsdoc_implements(doc);
        self.class_mut(class).bases.extend(implemented);
        self.b.push_owner(def);
        let from = self.b.read().surface.definitions.len();
        let scope = self.b.push_scope(ScopeKind::Class);
        self.class_mut(class).scope = scope;
        self.homes.push(Home { this: This::Free, class: Some(class), object: None, is_static: false });
        if let Some(body) = self.field(kids, Field::Body) {
            self.deeper(body.node, |walk| walk.class_body(class, def, body));
        }
        self.part_twins(class, def, from);
        self.homes.pop();
        self.b.pop_scope();
        self.b.pop_owner();
        if self.initializers.last().is_some_and(|(of, _)| *of == class) {
            self.initializers.pop();
        }
        if generic {
            self.b.pop_scope();
        }
        class
    }

    /// Names static members apart that have the name of an instance member; `from` is the first definition of the class.
    fn part_twins(&mut self, class: ClassId, def: DefId, from: usize) {
        let definitions = &self.b.read().surface.definitions;
        let members = || (from..).zip(&definitions[from..]).filter(|(_, member)| member.parent == Some(def));
        let instance: FxHashSet<Name> =
            members().filter(|(_, member)| !member.flags.has(Flags::STATIC)).map(|(_, member)| member.name).collect();
        let twins: Vec<(usize, Name)> = members()
            .filter(|(_, member)| member.flags.has(Flags::STATIC) && instance.contains(&member.name))
            .map(|(at, member)| (at, member.name))
            .collect();
        for (at, name) in twins {
            let apart = format!("{STATIC_TWIN}{}", self.b.read().text(name));
            let apart = self.b.name(&apart);
            let id = DefId::new(at);
            self.definition(id).name = apart;
            for member in self.class_mut(class).members.iter_mut().filter(|member| member.definition == id) {
                member.name = apart;
            }
        }
    }

    /// Signature: what stands between the name and the body, and the decorators.
    pub(super) fn measure_class(&mut self, def: DefId, kid: Kid<'t>, kids: Kids) {
        let body = self
            .field(kids, Field::Body)
            .map_or(kid.node.end_byte()..kid.node.end_byte(), |body| body.node.byte_range());
        let named = self.field(kids, Field::Name).map(|name| name.node.byte_range());
        let before = kid.node.start_byte()..named.as_ref().map_or(kid.node.start_byte(), |name| name.start);
        let after = named.map_or(kid.node.start_byte(), |name| name.end)..body.start;
        self.sign(def, after.clone());
        self.measure(def, [before, after], body);
    }

    fn heritage(&mut self, class: ClassId, def: DefId, kid: Kid<'t>, doc: Doc) {
        let kids = self.open(kid.node);
        for at in kids.all() {
            let part = self.kid(at);
            match part.kind {
                Kind::ExtendsClause => {
                    let inside = self.open(part.node);
                    let list = self.field(inside, Field::TypeArguments);
                    for at in inside.all() {
                        let value = self.kid(at);
                        if value.field == Field::Value {
                            self.base(class, def, value, list, doc);
                        }
                    }
                    self.close(inside);
                }
                Kind::ImplementsClause => {
                    let inside = self.open(part.node);
                    for at in inside.all() {
                        let implemented = self.kid(at);
                        self.base_type(class, def, implemented);
                    }
                    self.close(inside);
                }
                _ if part.node.is_named() => self.base(class, def, part, None, doc),
                _ => {}
            }
        }
        self.close(kids);
    }

    /// A base written as a value: a name with type arguments, or whatever gives a class.
    fn base(&mut self, class: ClassId, def: DefId, kid: Kid<'t>, list: Option<Kid<'t>>, doc: Doc) {
        let core = self.core(kid);
        let (expr, at) = match core.kind {
            Kind::Identifier => (self.identifier(core.node, false), core.node),
            Kind::MemberExpression => {
                let property = self.child(core.node, Field::Property).unwrap_or(core.node);
                (self.member(core, false), property)
            }
            _ => {
                let value = self.expr(kid);
                if let Some(list) = list {
                    self.type_arguments(list);
                }
                return self.class_mut(class).base_values.push(value);
            }
        };
        let name = self.b.form(Form::Name(expr));
        let form = match list {
            Some(list) => {
                self.b.push_owner(def);
                let arguments = self.type_arguments(list).into();
                self.b.pop_owner();
                self.b.form(Form::Apply { base: name, arguments })
            }
            None => name,
        };
        let form = self.jsdoc_base(doc).unwrap_or(form);
        self.class_mut(class).bases.push(form);
        let place = self.place(at);
        self.b.reference_of(Some(def), RefKind::Base, RefTarget::Form(name), place);
    }

    /// A base written as a type: of `implements`, of an interface.
    pub(super) fn base_type(&mut self, class: ClassId, def: DefId, kid: Kid<'t>) {
        let from = self.b.read().body.references.len();
        self.b.push_owner(def);
        let form = self.form(kid);
        self.b.pop_owner();
        self.class_mut(class).bases.push(form);
        let name = match self.b.read().form(form) {
            Form::Apply { base, .. } => *base,
            _ => form,
        };
        // The type itself was noted as an annotation; it is more than that.
        for reference in &mut self.b.facts().body.references[from..] {
            if reference.target == RefTarget::Form(name) {
                reference.kind = RefKind::Base;
                reference.owner = Some(def);
            }
        }
    }

    fn class_body(&mut self, class: ClassId, def: DefId, body: Kid<'t>) {
        let kids = self.open(body.node);
        let mut decorators = Vec::new();
        let mut first = None;
        for at in kids.all() {
            let member = self.kid(at);
            let row = *first.get_or_insert(member.node.start_position().row);
            if member.kind == Kind::Decorator {
                if self.doc == Doc::default() {
                    self.doc = member.doc;
                }
                let doc = self.doc;
                decorators.push(self.decorator(member));
                self.doc = doc;
                continue;
            }
            if member.doc != Doc::default() {
                self.doc = member.doc;
            }
            self.rows = Some((row, member.node.end_position().row));
            match member.kind {
                Kind::MethodDefinition | Kind::MethodSignature | Kind::AbstractMethodSignature => {
                    self.method(class, def, member, std::mem::take(&mut decorators));
                }
                Kind::PublicFieldDefinition | Kind::FieldDefinition => {
                    self.class_field(class, def, member, std::mem::take(&mut decorators));
                }
                Kind::ClassStaticBlock => self.static_block(class, member),
                Kind::IndexSignature => self.index_signature(class, member),
                _ => self.unread(member),
            }
            self.doc = Doc::default();
            self.rows = None;
            first = None;
        }
        self.close(kids);
    }

    fn method(&mut self, class: ClassId, parent: DefId, kid: Kid<'t>, decorators: Vec<ExprId>) {
        let kids = self.open(kid.node);
        let Some(key) = self.field(kids, Field::Name) else { return self.close(kids) };
        let name = self.member_name(key);
        let is_static = self.has(kids, Kind::StaticWord) || self.text(kid.node).starts_with("static");
        let mut flags = if is_static { Flags::STATIC } else { Flags::default() };
        let constructor = !is_static && self.text(key.node) == "constructor";
        let marks = [
            (self.has(kids, Kind::GetWord), Flags::GETTER),
            (self.has(kids, Kind::SetWord), Flags::SETTER),
            (constructor, Flags::CONSTRUCTOR),
            (kid.kind == Kind::AbstractMethodSignature, Flags::ABSTRACT),
            (kid.kind == Kind::MethodSignature, Flags::OVERLOAD),
        ];
        for (set, flag) in marks {
            if set {
                flags |= flag;
            }
        }
        let doc = self.doc;
        let definition = name.map(|name| {
            let new = New { name, kind: DefKind::Method, parent: Some(parent), at: key.node, whole: kid.node, flags };
            self.define(new)
        });
        let own = self.decorators(kids, None);
        if let Some(def) = definition {
            self.definition(def).decorators = decorators.into_iter().chain(own).collect();
        }
        let this = OwnThis::Class { class, is_static };
        self.function_of(kid, kids, FunctionContext { definition, this, contextual: None, doc });
        self.close(kids);
    }

    fn class_field(&mut self, class: ClassId, parent: DefId, kid: Kid<'t>, decorators: Vec<ExprId>) {
        let kids = self.open(kid.node);
        let key = self.field(kids, Field::Name).or_else(|| self.field(kids, Field::Property));
        let Some(key) = key else { return self.close(kids) };
        let value = self.field(kids, Field::Value);
        let is_static = self.has(kids, Kind::StaticWord);
        let name = self.member_name(key);
        let doc = self.doc;
        let own = self.decorators(kids, None);
        let annotation = match self.field(kids, Field::Type) {
            Some(written) => Some(self.annotation(written)),
            None => self.jsdoc_type(doc),
        };
        let home = self.initializer_home(class, is_static, value.is_some());
        self.homes.push(home);
        match name {
            Some(name) => {
                let method = value.is_some_and(|value| is_function(self.core(value).kind));
                let kind = if method { DefKind::Method } else { DefKind::Symbol };
                let mut flags = if is_static { Flags::STATIC } else { Flags::INSTANCE_FIELD };
                if self.has(kids, Kind::AbstractWord) {
                    flags |= Flags::ABSTRACT;
                }
                let new = New { name, kind, parent: Some(parent), at: key.node, whole: kid.node, flags };
                let def = self.define(new);
                self.definition(def).decorators = decorators.into_iter().chain(own).collect();
                self.measure_variable(def, kids);
                let this = OwnThis::Class { class, is_static };
                let value = value.map(|value| self.value_of(value, def, this, annotation, doc));
                if !method || annotation.is_some() {
                    let member = Member { name, definition: def, is_static, annotation, value };
                    self.class_mut(class).members.push(member);
                }
            }
            None => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
        }
        self.homes.pop();
        self.close(kids);
    }

    /// Where the value of a field is evaluated: as if in a method of its own.
    fn initializer_home(&mut self, class: ClassId, is_static: bool, has_value: bool) -> Home {
        let home = Home { this: This::Static(class), class: Some(class), object: None, is_static };
        if is_static || !has_value {
            return home;
        }
        let function = match self.initializers.last() {
            Some(&(of, function)) if of == class => function,
            _ => {
                let function = self.b.function(Function {
                    receiver: Receiver::This,
                    this_class: Some(class),
                    ..Function::default()
                });
                self.initializers.push((class, function));
                function
            }
        };
        Home { this: This::Of(function), ..home }
    }

    fn static_block(&mut self, class: ClassId, kid: Kid<'t>) {
        let kids = self.open(kid.node);
        let home = self.initializer_home(class, true, true);
        self.homes.push(home);
        if let Some(body) = self.field(kids, Field::Body) {
            self.block(body);
        }
        self.homes.pop();
        self.close(kids);
    }
}
