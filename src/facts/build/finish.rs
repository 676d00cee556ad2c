//! The end of the walk: every use gets its bindings, definitions of one name become one symbol.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::binders::{Binders, functions_around};
use super::*;

impl Builder {
    /// Resolves local names, groups definitions into symbols and computes the digests.
    pub fn finish(mut self) -> Facts {
        while let Some(open) = self.scopes.pop() {
            self.close_scope(open);
        }
        self.place_assignments();
        for &binding in &self.detached {
            let scope = self.facts.binding(binding).scope;
            self.bound[scope.index()].last.push(binding);
        }
        self.resolve_uses();
        self.note_callbacks();
        self.drop_local_reads();
        self.group_symbols();
        self.facts.body.problems.sort_by_key(|problem| (problem.first, problem.last));
        digests::digest(&mut self.facts);
        self.facts.fit();
        self.facts
    }

    /// Finds the scope that declares each assigned name; one that nobody declares is a global of the module. A declared
    /// type holds for what is assigned too.
    fn place_assignments(&mut self) {
        if self.assignments.is_empty() {
            return;
        }
        let mut declared: Vec<(ScopeId, Name, ())> = Vec::new();
        let mut annotated: FxHashMap<(ScopeId, Name), FormId> = FxHashMap::default();
        for (scope, bound) in self.bound.iter().enumerate() {
            for &id in &bound.all {
                let binding = self.facts.binding(id);
                let key = (ScopeId::new(scope), binding.name);
                declared.push((key.0, key.1, ()));
                let parameter = match binding.value {
                    Value::Parameter(function, at) => self.facts.function(function).parameters.get(at as usize),
                    _ => None,
                };
                if let Some(form) = binding.annotation.or(parameter.and_then(|parameter| parameter.annotation)) {
                    annotated.entry(key).or_insert(form);
                }
            }
        }
        let scopes = &self.facts.surface.scopes;
        let functions = functions_around(scopes);
        let mut declared = Binders::new(scopes, self.facts.strings.len(), declared);
        for (from, binding) in std::mem::take(&mut self.assignments) {
            let name = self.facts.binding(binding).name;
            let scope = declared.nearest(name, from).map_or(ScopeId::MODULE, |binder| declared.get(binder).0);
            self.facts.surface.bindings[binding.index()].scope = scope;
            self.facts.surface.bindings[binding.index()].annotation = annotated.get(&(scope, name)).copied();
            self.bound[scope.index()].all.push(binding);
            let crossed = functions[from.index()] > functions[scope.index()];
            if crossed || self.facts.scope(scope).kind == ScopeKind::Module {
                self.detached.push(binding);
            }
        }
    }

    /// Lists what each scope binds, sorted by name, and tells where each name of each scope is in that list.
    fn list_scopes(&mut self) -> Binders<Range<usize>> {
        let mut found = Vec::new();
        let Facts { strings, surface, .. } = &mut self.facts;
        let Surface { scopes, bindings, listed_bindings: list, .. } = surface;
        let name = |id: BindingId| bindings[id.index()].name;
        let key = |id: &BindingId| (strings.get(name(*id).index()), *id);
        list.reserve(bindings.len() * 3 / 2);
        for (at, (scope, mut bound)) in scopes.iter_mut().zip(std::mem::take(&mut self.bound)).enumerate() {
            bound.all.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
            bound.last.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
            bound.last.dedup();
            let mut start = list.len();
            for same in bound.all.chunk_by(|a, b| name(*a) == name(*b)) {
                found.push((ScopeId::new(at), name(same[0]), start..start + same.len()));
                start += same.len();
            }
            scope.bindings = Run::add(list, bound.all);
            scope.last = Run::add(list, bound.last);
        }
        Binders::new(scopes, strings.len(), found)
    }

    fn resolve_uses(&mut self) {
        let mut bound = self.list_scopes();
        let functions = functions_around(&self.facts.surface.scopes);
        let mut detached: FxHashMap<(ScopeId, Name), Vec<BindingId>> = FxHashMap::default();
        for &id in &self.detached {
            let binding = self.facts.binding(id);
            detached.entry((binding.scope, binding.name)).or_default().push(id);
        }
        // Most uses are of one binding, and most bindings are in the list already.
        let mut listed: Vec<Option<usize>> = vec![None; self.facts.surface.bindings.len()];
        for (at, binding) in self.facts.surface.listed_bindings.iter().enumerate() {
            listed[binding.index()] = Some(at);
        }
        for used in std::mem::take(&mut self.uses) {
            let held = self.reach(&used, &mut bound, &functions, &detached);
            let Surface { expressions, listed_bindings: list, .. } = &mut self.facts.surface;
            let reach = match &held[..] {
                &[binding] => {
                    let at = *listed[binding.index()].get_or_insert(list.len());
                    if at == list.len() {
                        list.push(binding);
                    }
                    Reach::new(at, 1)
                }
                several => Reach::add(list, several),
            };
            if let Expr::Name(name) = &mut expressions[used.expr.index()] {
                name.reach = reach;
            }
        }
    }

    fn reach(
        &self,
        used: &Use,
        bound: &mut Binders<Range<usize>>,
        functions: &[u32],
        detached: &FxHashMap<(ScopeId, Name), Vec<BindingId>>,
    ) -> Held {
        let fits = |b: &BindingId| {
            let space = self.facts.binding(*b).space;
            space == Space::Both || space == used.space || used.space == Space::Both
        };
        let mut next = bound.nearest(used.name, used.scope);
        let mut later = Held::new();
        while let Some(binder) = next {
            let (id, place, around) = bound.get(binder);
            next = around;
            let kind = self.facts.scope(id).kind;
            let crossed = functions[used.scope.index()] > functions[id.index()];
            let visible = kind != ScopeKind::Class || !crossed;
            let all = &self.facts.surface.listed_bindings[place];
            if visible && all.iter().any(fits) {
                let mut fitting = all.iter().copied().filter(fits);
                let within = |reach: &Held| -> Held {
                    reach.iter().copied().filter(|&b| self.facts.binding(b).scope == id && fits(&b)).collect()
                };
                let seen = match (crossed, &used.here, &used.captured) {
                    // An inner function may have been called meanwhile.
                    (false, Some(here), _) => {
                        let mut here = within(here);
                        if !here.is_empty() {
                            let detached = detached.get(&(id, used.name)).into_iter().flatten();
                            extend(&mut here, detached.copied().filter(fits));
                        }
                        here
                    }
                    // Inside a function an outer name may have been narrowed or assigned by the function itself.
                    (true, Some(here), _) => {
                        let here = within(here);
                        let own = here.iter().any(|b| self.narrowed_from[b.index()].is_some());
                        if own || !here.is_empty() { here } else { Held::new() }
                    }
                    (true, None, Some(captured)) if fitting.clone().nth(1).is_none() => within(captured),
                    _ => Held::new(),
                };
                if !seen.is_empty() {
                    return seen;
                }
                if crossed && matches!(kind, ScopeKind::Module | ScopeKind::Class) {
                    let last: Held = self.facts.last_of(id, used.name).filter(fits).collect();
                    if !last.is_empty() {
                        return last;
                    }
                }
                let all: Held = fitting.by_ref().take(MAX_REACH).collect();
                // What a class body binds only later is not seen there yet: `@wrap` above `def wrap(self)`.
                if kind == ScopeKind::Class && used.scope == id {
                    later = all;
                    continue;
                }
                return all;
            }
        }
        later
    }

    /// Drops reads of names that mean only parameters, type parameters and locals: those can be no symbols of the graph.
    fn drop_local_reads(&mut self) {
        let kept: Vec<bool> = self.facts.body.references.iter().map(|one| !self.is_local_read(one)).collect();
        let mut each = kept.iter().copied();
        self.facts.body.references.retain(|_| each.next() == Some(true));
        let mut each = kept.iter().copied();
        self.facts.places.references.retain(|_| each.next() == Some(true));
    }

    fn is_local_read(&self, reference: &Reference) -> bool {
        let (RefKind::Read | RefKind::Annotation, RefTarget::Expr(target)) = (reference.kind, reference.target) else {
            return false;
        };
        matches!(self.facts.expr(target), Expr::Name(used) if self.are_locals(self.facts.reach(used)))
    }

    /// Definitions of one name under one parent are one symbol.
    fn group_symbols(&mut self) {
        let mut first: FxHashMap<(Option<DefId>, Name), DefId> = FxHashMap::default();
        let mut depths: Vec<u32> = Vec::with_capacity(self.facts.surface.definitions.len());
        for at in 0..self.facts.surface.definitions.len() {
            let id = DefId::new(at);
            let definition = self.facts.definition(id);
            let parent = definition.parent.map(|parent| self.facts.definition(parent).symbol);
            // A definition comes after those around it.
            let depth = definition.parent.map_or(0, |parent| depths[parent.index()] + 1);
            depths.push(depth);
            if depth > MAX_DEFINITION_DEPTH {
                self.facts.surface.definitions[at].flags |= Flags::HIDDEN;
                let DefinitionPlace { first, last, .. } = self.facts.places.definitions[at];
                Problem { first, last, kind: ProblemKind::Depth }.note(&mut self.facts.body.problems);
            }
            let definition = self.facts.definition(id);
            let hidden = definition.flags.has(Flags::HIDDEN);
            let name = definition.name;
            let symbol = if hidden { id } else { *first.entry((parent, name)).or_insert(id) };
            self.facts.surface.definitions[at].symbol = symbol;
        }
    }
}
