//! Facts: what one blob says by itself.
//!
//! Facts know no path, no module name and no other file, so one blob has the same facts in every commit, branch and
//! worktree. They are neutral: no language is named here, and what differs between languages was translated by the
//! extractor (`languages/`). They hold enough that the text is never needed again.
//!
//! Three parts, kept apart. The [`Surface`] is what other files can see. The [`Body`] is what the file uses. The
//! [`Places`] are lines and columns; nothing else holds a position, so an edit that only shifts lines changes no digest.
//!
//! Facts that were stored are decoded part by part, when somebody looks at them ([`Deferred`]): resolution of one file
//! asks little of most others.
//!
//! An extractor makes facts through [`build::Builder`], which resolves local names (lexical scopes and the flow of
//! assignments) and computes the digests.

mod arena;
mod body;
pub(crate) mod build;
pub mod codec;
mod definitions;
mod digests;
mod expressions;
mod forms;
mod imports;
mod places;
pub(crate) mod print;
mod scopes;
mod strings;

pub(crate) use arena::*;
pub(crate) use body::*;
pub(crate) use codec::Deferred;
pub(crate) use definitions::*;
pub(crate) use expressions::*;
pub(crate) use forms::*;
pub(crate) use imports::*;
pub(crate) use places::*;
pub(crate) use scopes::*;
pub(crate) use strings::Strings;

/// Version of the whole format. A record with another version is a cache miss.
pub const FACTS_VERSION: u32 = 13;

/// What one blob says by itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// Every text that the facts hold, once; a [`Name`] is a position in it.
    pub strings: Strings,
    /// What other files can see.
    pub surface: Surface,
    /// Of each definition, what it says of itself.
    pub descriptions: Deferred<Vec<Description>>,
    /// What the file uses, and what of it could not be read.
    pub body: Deferred<Body>,
    /// Where everything is.
    pub places: Deferred<Places>,
}

impl Facts {
    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.strings.get(name.index())
    }

    /// The items of a run.
    pub fn run<T: Listed>(&self, run: Run<T>) -> &[T] {
        run.of(T::list(&self.surface))
    }

    /// The bindings of the same file that a name may mean here; empty: bound nowhere in the file (a star import, a builtin, a
    /// global).
    pub fn reach(&self, used: &NameUse) -> &[BindingId] {
        used.reach.of(&self.surface.listed_bindings)
    }

    /// A call by its index.
    pub fn call(&self, id: CallId) -> &CallExpr {
        &self.surface.calls[id.index()]
    }

    /// A test that narrows, by its index.
    pub fn test(&self, id: TestId) -> &Test {
        &self.surface.tests[id.index()]
    }

    /// An expression by its index.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.surface.expressions[id.index()]
    }

    /// A type form by its index.
    pub fn form(&self, id: FormId) -> &Form {
        &self.surface.forms[id.index()]
    }

    /// A scope by its index.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.surface.scopes[id.index()]
    }

    /// A binding by its index.
    pub fn binding(&self, id: BindingId) -> &Binding {
        &self.surface.bindings[id.index()]
    }

    /// A definition by its index.
    pub fn definition(&self, id: DefId) -> &Definition {
        &self.surface.definitions[id.index()]
    }

    /// What a definition says of itself, by its index.
    pub fn description(&self, id: DefId) -> &Description {
        &self.descriptions[id.index()]
    }

    /// What there is to know of a function, beside its definition.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.surface.functions[id.index()]
    }

    /// What there is to know of a class, beside its definition.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.surface.classes[id.index()]
    }

    /// All bindings of a name in one scope, in order of binding.
    pub fn bindings_of(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = BindingId> {
        named(self, self.run(self.scope(scope).bindings), name)
    }

    /// The bindings of a name that hold when a scope is left.
    pub fn last_of(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = BindingId> {
        named(self, self.run(self.scope(scope).last), name)
    }

    /// The name of a text, if the file has it anywhere.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.strings.iter().position(|s| s == text).map(Name::new)
    }

    /// Gives back the room that was kept for more.
    fn fit(&mut self) {
        let Facts { strings, surface, descriptions, body, places } = self;
        strings.fit();
        fit(&mut surface.definitions);
        fit(&mut surface.functions);
        fit(&mut surface.classes);
        fit(&mut surface.objects);
        fit(&mut surface.scopes);
        fit(&mut surface.bindings);
        fit(&mut surface.expressions);
        fit(&mut surface.calls);
        fit(&mut surface.tests);
        fit(&mut surface.listed_expressions);
        fit(&mut surface.listed_bindings);
        fit(&mut surface.listed_forms);
        fit(&mut surface.arguments);
        fit(&mut surface.forms);
        fit(&mut surface.imports);
        fit(&mut surface.digests);
        fit(&mut surface.member_digests);
        fit(descriptions);
        fit(&mut body.references);
        fit(&mut places.references);
        fit(&mut places.definitions);
        fit(&mut places.imports);
    }
}

/// Moves a list to where it just fits. An allocator that is asked to shrink a block likes to keep half of it in vain.
fn fit<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() {
        let mut fitting = Vec::with_capacity(list.len());
        fitting.append(list);
        *list = fitting;
    }
}

/// The run of one name in a list of bindings sorted by name.
fn named<'a>(facts: &'a Facts, sorted: &'a [BindingId], name: Name) -> impl Iterator<Item = BindingId> + 'a {
    let text = facts.text(name);
    let start = sorted.partition_point(|&b| facts.text(facts.binding(b).name) < text);
    sorted[start..].iter().copied().take_while(move |&b| facts.binding(b).name == name)
}

/// What other files can see: definitions, bindings, exports, and the expressions and type forms they rest on.
///
/// The arenas also hold the expressions of bodies; [`Surface::digests`] covers, of each body, only the slice that its
/// results, its `self.x =` and its exported bindings reach, and that slice is all that resolution of another file reads.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Surface {
    /// What the file defines, in order; what stands inside another comes after it.
    pub definitions: Vec<Definition>,
    /// The functions among them, and those without a name.
    pub functions: Deferred<Vec<Function>>,
    /// The classes among them, interfaces and object types included.
    pub classes: Deferred<Vec<Class>>,
    /// Object literals with members that can be asked for.
    pub objects: Deferred<Vec<Object>>,
    /// The first is the module's scope.
    pub scopes: Deferred<Vec<Scope>>,
    /// What scopes bind names to.
    pub bindings: Deferred<Vec<Binding>>,
    /// Expressions, of bodies too.
    pub expressions: Deferred<Vec<Expr>>,
    /// The calls among them.
    pub calls: Deferred<Vec<CallExpr>>,
    /// Tests that narrow what a name can be.
    pub tests: Deferred<Vec<Test>>,
    /// The lists that [`Run`]s are of.
    pub listed_expressions: Deferred<Vec<ExprId>>,
    /// See `listed_expressions`.
    pub listed_bindings: Deferred<Vec<BindingId>>,
    /// See `listed_expressions`.
    pub listed_forms: Deferred<Vec<FormId>>,
    /// The arguments of all calls.
    pub arguments: Deferred<Vec<Argument>>,
    /// What annotations say.
    pub forms: Deferred<Vec<Form>>,
    /// The imports in all their forms, in order.
    pub imports: Vec<Import>,
    /// What the file gives to others by an export of its language.
    pub exports: Vec<Export>,
    /// Python's `__all__`, when it can be read: the names that a star import takes.
    pub all: Option<Vec<Name>>,
    /// The digest of the surface of each name that is top-level, exported or in `__all__`, sorted by name; of a class,
    /// without its members.
    pub digests: Vec<(Name, u64)>,
    /// The digest of each member of a top-level class: class, member; sorted.
    pub member_digests: Vec<(Name, Name, u64)>,
    /// The digest of what the file offers without naming it: star exports and star imports, whether it has an `__all__`,
    /// a value of its own (`module.exports = …`) and exports beside it.
    pub whole_digest: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_are_hundreds_of_thousands_of_is_small() {
        assert_eq!(size_of::<Option<ExprId>>(), 4);
        assert_eq!(size_of::<Expr>(), 16);
        assert_eq!(size_of::<Argument>(), 12);
        assert!(size_of::<Binding>() <= 32);
        assert!(size_of::<Reference>() <= 24);
    }
}
