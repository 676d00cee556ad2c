//! The builder through which an extractor makes facts.
//!
//! It interns strings, keeps scopes, and follows the flow of assignments: at every use of a name it knows which
//! bindings may hold there. Knows no grammar and no language.
//!
//! # Flow
//!
//! Each function (and the module) has a *frame*: a map from names to the bindings that hold at this moment of the walk.
//! The extractor walks statements in order and tells of branches ([`Builder::branch`]), loops ([`Builder::begin_loop`])
//! and ends ([`Builder::terminate`]). A test narrows a name by a further binding ([`Builder::narrow`]). A use inside a
//! function of a name bound outside it is *deferred*: it sees what holds when the outer scope is left, except that a
//! variable bound only once is seen as it was where the function stands (so narrowing carries into callbacks).

mod attributes;
mod binders;
mod callbacks;
mod finish;
mod flow;

use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher as _};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;

pub use attributes::{MAX_PATH, Subject, path_of};

use super::*;

/// The bindings that hold for a name at some moment.
type Held = SmallVec<[BindingId; 2]>;

/// Most jumps out of one loop that are followed, so that work stays in proportion to the text.
const MAX_JUMPS: usize = 256;

/// Deepest nesting of branches and loops in one function whose ways are told apart; what lies deeper is read as if each
/// part of it ran, one after the other. Otherwise each level would handle all names of the levels in it.
const MAX_FLOW_DEPTH: usize = 128;

/// Deepest nesting of definitions that become symbols, so that their names do not grow with the square of the text.
/// What lies deeper belongs to the definition around it.
const MAX_DEFINITION_DEPTH: u32 = 64;

/// Most functions around a use that are looked at for what holds for a name there. Behind them it is taken for what the
/// function binds anywhere.
const MAX_OUTER_FUNCTIONS: usize = 64;

/// Most tests of one value that are kept one upon another.
const MAX_TESTS: u8 = 32;

/// Makes the facts of one blob. See the module's documentation.
pub struct Builder {
    facts: Facts,
    /// Names by a hash of their text; two texts of one hash stand at this number and the next free one.
    names: FxHashMap<u64, Name>,
    /// What each scope binds and what holds when it is left, so far.
    bound: Vec<ScopeBindings>,
    scopes: Vec<OpenScope>,
    owners: Vec<DefId>,
    frames: Vec<Frame>,
    uses: Vec<Use>,
    /// Bindings that happen at no definite moment: `global x`, an assignment to a variable of an outer function.
    detached: Vec<BindingId>,
    /// The real bindings that a narrowing one stands for, and how many tests lie between; `None` for real bindings.
    /// Parallel to the bindings.
    narrowed_from: Vec<Option<(Held, u8)>>,
    /// The paths of attributes that some test narrowed.
    paths: FxHashSet<Name>,
    /// Assignments to names that some enclosing scope declares, perhaps later in the text.
    assignments: Vec<(ScopeId, BindingId)>,
}

#[derive(Default)]
struct ScopeBindings {
    all: Vec<BindingId>,
    last: Vec<BindingId>,
}

struct OpenScope {
    id: ScopeId,
    /// States of outer names that bindings of this scope hide, to be restored when it is left.
    hidden: BTreeMap<Name, Option<Held>>,
    has_frame: bool,
}

#[derive(Default)]
struct Frame {
    state: FxHashMap<Name, Held>,
    /// Undo log: what `state` held before each change.
    log: Vec<(Name, Option<Held>)>,
    /// After `return` or `raise`, until the branch ends.
    dead: bool,
    loops: Vec<OpenLoop>,
    /// Branches and loops that are open.
    depth: usize,
    /// References before the outermost of those that are too deep.
    deep_from: usize,
}

struct OpenLoop {
    mark: usize,
    first_use: usize,
    jumps: Vec<Delta>,
    /// Too deep to be followed.
    flat: bool,
}

type Delta = Vec<(Name, Option<Held>)>;

struct Use {
    expr: ExprId,
    name: Name,
    scope: ScopeId,
    /// The state in the use's own frame.
    here: Option<Held>,
    /// The state in the nearest outer frame that has the name.
    captured: Option<Held>,
    space: Space,
}

/// A branching statement while its arms are walked.
pub struct Branch {
    mark: usize,
    arms: Vec<(Delta, bool)>,
    /// Too deep to be followed.
    flat: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// A builder that stands in the module's scope.
    pub fn new() -> Builder {
        Builder::with_room_for(0)
    }

    /// A builder for a text of so many bytes.
    pub fn with_room_for(bytes: usize) -> Builder {
        let mut facts = Facts::default();
        // Measured on large projects; a text that has more of something lets it grow.
        facts.surface.expressions.reserve(bytes / 16);
        facts.body.references.reserve(bytes / 40);
        facts.places.references.reserve(bytes / 40);
        let mut builder = Builder {
            facts,
            names: FxHashMap::with_capacity_and_hasher(bytes / 100, Default::default()),
            bound: Vec::new(),
            scopes: Vec::new(),
            owners: Vec::new(),
            frames: Vec::new(),
            uses: Vec::new(),
            detached: Vec::new(),
            narrowed_from: Vec::new(),
            paths: FxHashSet::default(),
            assignments: Vec::new(),
        };
        builder.push_scope(ScopeKind::Module);
        builder
    }

    /// The facts so far, to be filled where the builder has no method of its own.
    pub fn facts(&mut self) -> &mut Facts {
        &mut self.facts
    }

    pub fn read(&self) -> &Facts {
        &self.facts
    }

    /// Interns a string.
    pub fn name(&mut self, text: &str) -> Name {
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        let mut key = hasher.finish();
        while let Some(&name) = self.names.get(&key) {
            if self.facts.text(name) == text {
                return name;
            }
            key = key.wrapping_add(1);
        }
        let name = Name::new(self.facts.strings.push(text));
        self.names.insert(key, name);
        name
    }

    // ------------------------------------------------------------------------------------------------ arenas

    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.facts.surface.expressions.push(expr);
        ExprId::new(self.facts.surface.expressions.len() - 1)
    }

    /// Makes a list of items that an expression can hold.
    pub fn run<T: Listed>(&mut self, items: &[T]) -> Run<T> {
        Run::add(T::list_mut(&mut self.facts.surface), items.iter().copied())
    }

    pub fn tuple(&mut self, items: &[ExprId]) -> ExprId {
        let items = self.run(items);
        self.expr(Expr::Tuple(items))
    }

    pub fn union(&mut self, parts: &[ExprId]) -> ExprId {
        let parts = self.run(parts);
        self.expr(Expr::Union(parts))
    }

    /// `of` where a test holds.
    pub fn narrowed(&mut self, of: ExprId, test: Test) -> ExprId {
        self.facts.surface.tests.push(test);
        let test = TestId::new(self.facts.surface.tests.len() - 1);
        self.expr(Expr::Narrow { of, test })
    }

    /// What a call is, to become an expression.
    pub fn call(&mut self, form: CallForm, callee: ExprId, arguments: &[Argument], type_arguments: &[FormId]) -> Expr {
        let (arguments, type_arguments) = (self.run(arguments), self.run(type_arguments));
        self.facts.surface.calls.push(CallExpr { callee, arguments, type_arguments, form });
        Expr::Call(CallId::new(self.facts.surface.calls.len() - 1))
    }

    pub fn form(&mut self, form: Form) -> FormId {
        self.facts.surface.forms.push(form);
        FormId::new(self.facts.surface.forms.len() - 1)
    }

    pub fn function(&mut self, function: Function) -> FunctionId {
        self.facts.surface.functions.push(function);
        FunctionId::new(self.facts.surface.functions.len() - 1)
    }

    pub fn class(&mut self, class: Class) -> ClassId {
        self.facts.surface.classes.push(class);
        ClassId::new(self.facts.surface.classes.len() - 1)
    }

    pub fn object(&mut self, object: Object) -> ObjectId {
        self.facts.surface.objects.push(object);
        ObjectId::new(self.facts.surface.objects.len() - 1)
    }

    pub fn import(&mut self, import: Import, place: Place) -> ImportId {
        self.facts.surface.imports.push(import);
        self.facts.places.imports.push(place);
        ImportId::new(self.facts.surface.imports.len() - 1)
    }

    pub fn export(&mut self, export: Export) -> u32 {
        self.facts.surface.exports.push(export);
        self.facts.surface.exports.len() as u32 - 1
    }

    /// Adds a definition; its `symbol` is set when the facts are finished.
    pub fn define(&mut self, definition: Definition, description: Description, place: DefinitionPlace) -> DefId {
        self.facts.descriptions.push(description);
        self.facts.surface.definitions.push(definition);
        self.facts.places.definitions.push(place);
        DefId::new(self.facts.surface.definitions.len() - 1)
    }

    pub fn reference(&mut self, kind: RefKind, target: RefTarget, place: Place) {
        let owner = self.owner();
        self.reference_of(owner, kind, target, place);
    }

    /// A use that belongs to another definition than the one being walked (annotations belong to the function).
    pub fn reference_of(&mut self, owner: Option<DefId>, kind: RefKind, target: RefTarget, place: Place) {
        self.facts.body.references.push(Reference { kind, owner, target });
        self.facts.places.references.push(place);
    }

    // ------------------------------------------------------------------------------------------------ scopes

    /// The definition that uses belong to now.
    pub fn owner(&self) -> Option<DefId> {
        self.owners.last().copied()
    }

    pub fn push_owner(&mut self, definition: DefId) {
        self.owners.push(definition);
    }

    pub fn pop_owner(&mut self) {
        self.owners.pop();
    }

    /// The scope being walked.
    pub fn scope(&self) -> ScopeId {
        self.scopes.last().expect("the module's scope is never left").id
    }

    pub fn module_scope(&self) -> ScopeId {
        ScopeId::MODULE
    }

    /// What a scope binds so far, in order of binding.
    pub fn bound(&self, scope: ScopeId) -> &[BindingId] {
        &self.bound[scope.index()].all
    }

    /// Opens a scope inside the current one. A function's scope has a flow of its own; the others share it.
    pub fn push_scope(&mut self, kind: ScopeKind) -> ScopeId {
        let parent = self.scopes.last().map(|open| open.id);
        let id = ScopeId::new(self.facts.surface.scopes.len());
        let owner = self.owner();
        self.facts.surface.scopes.push(Scope { kind, parent, owner, bindings: Run::EMPTY, last: Run::EMPTY });
        self.bound.push(ScopeBindings::default());
        let has_frame = matches!(kind, ScopeKind::Module | ScopeKind::Function);
        if has_frame {
            self.frames.push(Frame::default());
        }
        self.scopes.push(OpenScope { id, hidden: BTreeMap::new(), has_frame });
        id
    }

    /// Leaves the current scope.
    pub fn pop_scope(&mut self) {
        let open = self.scopes.pop().expect("a scope is open");
        self.close_scope(open);
    }

    fn close_scope(&mut self, open: OpenScope) {
        let kind = self.facts.scope(open.id).kind;
        let frame = self.frames.last().expect("the module's frame is never left");
        if matches!(kind, ScopeKind::Module | ScopeKind::Class) {
            let mut last: Vec<BindingId> = Vec::new();
            for &binding in self.bound(open.id) {
                let name = self.facts.binding(binding).name;
                if let Some(reach) = frame.state.get(&name) {
                    last.extend(reach.iter().copied().filter(|&b| self.facts.binding(b).scope == open.id));
                }
            }
            last.sort();
            last.dedup();
            self.bound[open.id.index()].last = last;
        }
        if open.has_frame {
            self.frames.pop();
        } else {
            for (name, before) in open.hidden {
                self.set_state(name, before);
            }
        }
    }

    // ---------------------------------------------------------------------------------------------- bindings

    /// Binds a name in the current scope, from here on.
    pub fn bind(
        &mut self,
        name: Name,
        value: Value,
        annotation: Option<FormId>,
        definition: Option<DefId>,
        space: Space,
    ) -> BindingId {
        let scope = self.scope();
        self.bind_in(scope, name, value, annotation, definition, space)
    }

    /// Binds a name in an open scope of the current function (TypeScript's `var` in a block), from here on.
    pub fn bind_in(
        &mut self,
        scope: ScopeId,
        name: Name,
        value: Value,
        annotation: Option<FormId>,
        definition: Option<DefId>,
        space: Space,
    ) -> BindingId {
        let id = self.add_binding(Binding { name, scope, value, annotation, definition, space }, None);
        self.bound[scope.index()].all.push(id);
        let before = self.frame().state.get(&name).cloned();
        let open = self.scopes.iter_mut().rev().find(|open| open.id == scope);
        if let Some(open) = open.filter(|open| !open.has_frame) {
            open.hidden.entry(name).or_insert_with(|| before.clone());
        }
        // A type and a value of one name live side by side, and so do the declarations that merge.
        let keeps = |b: &BindingId| {
            let other = self.facts.binding(*b);
            other.scope == scope && other.space != space && other.space != Space::Both && space != Space::Both
        };
        let mut reach: Held = before.iter().flatten().copied().filter(keeps).collect();
        reach.push(id);
        self.set_state(name, Some(reach));
        self.forget_attributes_of(name);
        id
    }

    /// Binds a name of an outer scope at an unknown moment (`global x`, `nonlocal x`).
    pub fn bind_detached(&mut self, scope: ScopeId, name: Name, value: Value, annotation: Option<FormId>) -> BindingId {
        let space = Space::Both;
        let id = self.add_binding(Binding { name, scope, value, annotation, definition: None, space }, None);
        self.bound[scope.index()].all.push(id);
        self.detached.push(id);
        self.set_state(name, Some(SmallVec::from_slice(&[id])));
        self.forget_attributes_of(name);
        id
    }

    /// Gives a name one more value beside those that it holds; it was not bound again. What another function holds gets
    /// it at an unknown moment.
    pub fn bind_more(&mut self, name: Name, value: Value) {
        let Some(&[first, ..]) = self.held(name) else { return };
        let Binding { scope, definition, space, .. } = *self.facts.binding(first);
        let id = self.add_binding(Binding { name, scope, value, annotation: None, definition, space }, None);
        self.bound[scope.index()].all.push(id);
        match self.frame().state.get(&name).cloned() {
            Some(mut held) => {
                extend(&mut held, [id]);
                self.set_state(name, Some(held));
            }
            None => self.detached.push(id),
        }
    }

    /// Assigns to a name that this scope or one around it declares (TypeScript and JavaScript).
    pub fn assign(&mut self, name: Name, value: Value) -> BindingId {
        let scope = self.scope();
        let space = Space::Value;
        let id = self.add_binding(Binding { name, scope, value, annotation: None, definition: None, space }, None);
        self.assignments.push((scope, id));
        self.set_state(name, Some(SmallVec::from_slice(&[id])));
        self.forget_attributes_of(name);
        id
    }

    /// From here on, and until the branch ends, `name` is what it was where `test` holds.
    pub fn narrow(&mut self, name: Name, test: Test) {
        self.narrow_either(name, test, None);
    }

    /// From here on, and until the branch ends, `name` is what it was where one of the tests holds.
    pub fn narrow_either(&mut self, name: Name, test: Test, other: Option<Test>) {
        let from = self.frame().state.get(&name).cloned();
        // A variable of an outer function is narrowed inside this one.
        if let Some(from) = from.or_else(|| self.captured(name)) {
            self.narrow_state(name, from, test, other);
        }
    }

    fn narrow_state(&mut self, name: Name, from: Held, test: Test, other: Option<Test>) {
        let Some(tests) = self.tests_after(&from) else { return };
        if other.is_none() && self.is_known(&from, &test) {
            return;
        }
        let roots = self.unnarrowed(&from);
        let first = self.facts.binding(from[0]);
        let (scope, space) = (first.scope, first.space);
        let reach = Reach::add(&mut self.facts.surface.listed_bindings, &from);
        let of = self.expr(Expr::Name(NameUse { name, scope, reach }));
        let value = Value::Expr(self.narrowed_by_either(of, test, other));
        let binding = Binding { name, scope, value, annotation: None, definition: None, space };
        let id = self.add_binding(binding, Some((roots, tests)));
        self.set_state(name, Some(SmallVec::from_slice(&[id])));
    }

    fn narrowed_by_either(&mut self, of: ExprId, test: Test, other: Option<Test>) -> ExprId {
        let one = self.narrowed(of, test);
        match other {
            Some(other) => {
                let other = self.narrowed(of, other);
                self.union(&[one, other])
            }
            None => one,
        }
    }

    /// How many tests lie upon each other with one more; `None`: too many.
    fn tests_after(&self, from: &[BindingId]) -> Option<u8> {
        let tests = from.iter().filter_map(|b| self.narrowed_from[b.index()].as_ref()).map(|(_, tests)| *tests).max();
        tests.unwrap_or_default().checked_add(1).filter(|&tests| tests <= MAX_TESTS)
    }

    /// Whether a test tells nothing new.
    fn is_known(&self, reach: &[BindingId], test: &Test) -> bool {
        let [binding] = reach else { return false };
        match self.facts.binding(*binding).value {
            Value::Expr(value) if self.narrowed_from[binding.index()].is_some() => {
                matches!(self.facts.expr(value), Expr::Narrow { test: before, .. } if self.facts.test(*before) == test)
            }
            _ => false,
        }
    }

    fn add_binding(&mut self, binding: Binding, from: Option<(Held, u8)>) -> BindingId {
        self.facts.surface.bindings.push(binding);
        self.narrowed_from.push(from);
        BindingId::new(self.facts.surface.bindings.len() - 1)
    }

    /// A use of a value name, here.
    pub fn use_name(&mut self, name: Name) -> ExprId {
        self.use_in(name, Space::Value)
    }

    /// A use of a name as a type, here.
    pub fn use_type_name(&mut self, name: Name) -> ExprId {
        self.use_in(name, Space::Type)
    }

    /// A use of a name as a type where values stand for types, too: JSDoc names a constructor function.
    pub fn use_type_or_value(&mut self, name: Name) -> ExprId {
        self.use_in(name, Space::Both)
    }

    fn use_in(&mut self, name: Name, space: Space) -> ExprId {
        let scope = self.scope();
        let expr = self.expr(Expr::Name(NameUse { name, scope, reach: Reach::default() }));
        let here = self.frame().state.get(&name).cloned();
        let captured = if here.is_none() { self.captured(name) } else { None };
        self.uses.push(Use { expr, name, scope, here, captured, space });
        expr
    }

    /// The bindings of a name that hold at this moment, in this function or one around it; `None`: none so far.
    pub fn held(&self, name: Name) -> Option<&[BindingId]> {
        let frames = self.frames.iter().rev().take(MAX_OUTER_FUNCTIONS);
        frames.into_iter().find_map(|frame| frame.state.get(&name)).map(|reach| &reach[..])
    }

    /// Whether a name means only parameters and local variables at this moment: no symbols of the graph.
    pub fn means_locals(&self, name: Name) -> bool {
        self.held(name).is_some_and(|held| self.are_locals(held))
    }

    fn are_locals(&self, reach: &[BindingId]) -> bool {
        let is_local = |binding: BindingId| {
            let binding = self.facts.binding(binding);
            let imported = matches!(binding.value, Value::Module(_) | Value::Imported(..) | Value::Definition(_));
            binding.definition.is_none() && !imported
        };
        !reach.is_empty() && self.unnarrowed(reach).into_iter().all(is_local)
    }

    fn captured(&self, name: Name) -> Option<Held> {
        let outer = self.frames.iter().rev().skip(1).take(MAX_OUTER_FUNCTIONS);
        outer.into_iter().find_map(|frame| frame.state.get(&name)).cloned()
    }
}

/// Adds what is not yet there; a set of bindings past [`MAX_REACH`] is cut there, first come first kept.
fn extend(reach: &mut Held, more: impl IntoIterator<Item = BindingId>) {
    let mut more = more.into_iter();
    while reach.len() < MAX_REACH
        && let Some(binding) = more.next()
    {
        if !reach.contains(&binding) {
            reach.push(binding);
        }
    }
}
