//! Facts: what one blob says by itself.
//!
//! Facts know no path, no module name and no other file, so one blob has the same facts in every commit, branch and
//! worktree. They are neutral: no language is named here, and what differs between languages was translated by the
//! extractor (`languages/`). They hold enough that the text is never needed again.
//!
//! Three parts, kept apart. The [`Surface`] is what other files can see. The [`Body`] is what the file uses. The
//! [`Places`] are lines and columns; nothing else holds a position, so an edit that only shifts lines changes no digest.
//!
//! An extractor makes facts through [`build::Builder`], which resolves local names (lexical scopes and the flow of
//! assignments) and computes the digests.

mod arena;
mod body;
pub mod build;
pub mod codec;
mod definitions;
mod expressions;
mod forms;
mod imports;
mod places;
pub mod print;
mod scopes;
mod strings;
pub mod surface;

pub use arena::*;
pub use body::*;
pub use definitions::*;
pub use expressions::*;
pub use forms::*;
pub use imports::*;
pub use places::*;
pub use scopes::*;
pub use strings::Strings;

/// Version of the whole format. A record with another version is a cache miss.
pub const FACTS_VERSION: u32 = 9;

/// What one blob says by itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    pub strings: Strings,
    pub surface: Surface,
    pub body: Body,
    pub places: Places,
}

impl Facts {
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

    pub fn call(&self, id: CallId) -> &CallExpr {
        &self.surface.calls[id.index()]
    }

    pub fn test(&self, id: TestId) -> &Test {
        &self.surface.tests[id.index()]
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.surface.expressions[id.index()]
    }

    pub fn form(&self, id: FormId) -> &Form {
        &self.surface.forms[id.index()]
    }

    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.surface.scopes[id.index()]
    }

    pub fn binding(&self, id: BindingId) -> &Binding {
        &self.surface.bindings[id.index()]
    }

    pub fn definition(&self, id: DefId) -> &Definition {
        &self.surface.definitions[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.surface.functions[id.index()]
    }

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
        let Facts { strings, surface, body, places } = self;
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
    pub definitions: Vec<Definition>,
    pub functions: Vec<Function>,
    pub classes: Vec<Class>,
    pub objects: Vec<Object>,
    /// The first is the module's scope.
    pub scopes: Vec<Scope>,
    pub bindings: Vec<Binding>,
    pub expressions: Vec<Expr>,
    pub calls: Vec<CallExpr>,
    pub tests: Vec<Test>,
    /// The lists that [`Run`]s are of.
    pub listed_expressions: Vec<ExprId>,
    pub listed_bindings: Vec<BindingId>,
    pub listed_forms: Vec<FormId>,
    pub arguments: Vec<Argument>,
    pub forms: Vec<Form>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    /// Python's `__all__`, when it can be read: the names that a star import takes.
    pub all: Option<Vec<Name>>,
    /// The digest of each top-level or exported name's surface, sorted by name; of a class, without its members.
    pub digests: Vec<(Name, u64)>,
    /// The digest of each member of a top-level class: class, member; sorted.
    pub member_digests: Vec<(Name, Name, u64)>,
    /// The digest of what the file offers without naming it: star exports and star imports, `__all__`, whether it has a
    /// value of its own (`module.exports = …`) and exports beside it.
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
