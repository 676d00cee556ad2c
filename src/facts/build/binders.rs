//! Which scopes around a use bind a name, without looking at those that do not.

use super::*;

/// The scopes that bind each name, each with something that is known of it there.
pub(super) struct Binders<T> {
    /// Sorted by name, then by scope. A scope's number is less than those of the scopes in it.
    list: Vec<Binder<T>>,
    /// Of each name the last answer, and where its binders begin.
    names: Vec<Last>,
    /// Of each scope the last scope in it.
    ends: Vec<ScopeId>,
}

struct Binder<T> {
    name: Name,
    scope: ScopeId,
    /// The binder of the same name around this one.
    around: Option<u32>,
    value: T,
}

#[derive(Clone, Copy, Default)]
struct Last {
    first: u32,
    /// The scope asked for, the last binder that begins before it, and the answer. Uses come in the order of the text,
    /// so the next answer is found from there: otherwise each use behind many scopes would pass all of them.
    asked: Option<(ScopeId, u32, Option<u32>)>,
}

impl<T: Clone> Binders<T> {
    /// From what each scope binds, in the order of scopes.
    pub fn new(scopes: &[Scope], names: usize, bound: impl IntoIterator<Item = (ScopeId, Name, T)>) -> Binders<T> {
        let mut ends: Vec<ScopeId> = (0..scopes.len()).map(ScopeId::new).collect();
        for at in (1..scopes.len()).rev() {
            let parent = scopes[at].parent.expect("only the module's scope has none").index();
            ends[parent] = ends[parent].max(ends[at]);
        }
        let bound = bound.into_iter().map(|(scope, name, value)| Binder { name, scope, around: None, value });
        let mut list: Vec<Binder<T>> = bound.collect();
        list.sort_by_key(|binder| (binder.name, binder.scope));
        let mut first = vec![Last::default(); names + 1];
        list.iter().for_each(|binder| first[binder.name.index() + 1].first += 1);
        for at in 0..names {
            first[at + 1].first += first[at].first;
        }
        let mut open: Vec<usize> = Vec::new();
        for at in 0..list.len() {
            let ended = |&before: &usize| {
                list[before].name != list[at].name || ends[list[before].scope.index()] < list[at].scope
            };
            while open.last().is_some_and(ended) {
                open.pop();
            }
            list[at].around = open.last().map(|&around| around as u32);
            open.push(at);
        }
        Binders { list, names: first, ends }
    }

    fn holds(&self, scope: ScopeId, inner: ScopeId) -> bool {
        scope <= inner && inner <= self.ends[scope.index()]
    }

    /// The innermost scope at or around this one that binds a name.
    pub fn nearest(&mut self, name: Name, scope: ScopeId) -> Option<u32> {
        let Last { first, asked } = self.names[name.index()];
        let end = self.names[name.index() + 1].first;
        let own = &self.list[first as usize..end as usize];
        let last = (first + own.partition_point(|binder| binder.scope <= scope) as u32).checked_sub(1)?;
        if last < first {
            return None;
        }
        let mut at = match asked {
            Some((before, same, found)) if same == last && (before <= scope || self.holds(scope, before)) => found,
            _ => Some(last),
        };
        while let Some(binder) = at.filter(|&at| !self.holds(self.list[at as usize].scope, scope)) {
            at = self.list[binder as usize].around;
        }
        self.names[name.index()].asked = Some((scope, last, at));
        at
    }

    /// The scope of a binder, what is known there, and the next binder around it.
    pub fn get(&self, binder: u32) -> (ScopeId, T, Option<u32>) {
        let Binder { scope, around, value, .. } = &self.list[binder as usize];
        (*scope, value.clone(), *around)
    }
}

/// Of each scope, how many functions lie around its inside: two scopes of different numbers have one between them.
pub(super) fn functions_around(scopes: &[Scope]) -> Vec<u32> {
    let mut around: Vec<u32> = Vec::with_capacity(scopes.len());
    for scope in scopes {
        let outer = scope.parent.map_or(0, |parent| around[parent.index()]);
        around.push(outer + u32::from(scope.kind == ScopeKind::Function));
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looked up in any order, against a walk from scope to scope.
    #[test]
    fn the_nearest_binder_is_found_whatever_was_asked_before() {
        let parents = [None, Some(0), Some(1), Some(1), Some(3), Some(0), Some(5), Some(0), Some(7), Some(8)];
        let scope = |parent: &Option<usize>| Scope {
            kind: ScopeKind::Block,
            parent: parent.map(ScopeId::new),
            owner: None,
            bindings: Run::EMPTY,
            last: Run::EMPTY,
        };
        let scopes: Vec<Scope> = parents.iter().map(scope).collect();
        for set in 0..1u32 << parents.len() {
            let binds = |at: usize| set >> at & 1 == 1;
            let bound = (0..parents.len())
                .filter(|&at| binds(at))
                .flat_map(|at| [0, 2].map(|name| (ScopeId::new(at), Name::new(name), at)));
            let mut binders = Binders::new(&scopes, 3, bound);
            let orders: [Vec<usize>; 3] =
                [(0..10).collect(), (0..10).rev().collect(), (0..40).map(|n| n * 7 % 10).collect()];
            for at in orders.iter().flatten().copied() {
                let right = std::iter::successors(Some(at), |&at| parents[at]).find(|&at| binds(at));
                let found = binders.nearest(Name::new(2), ScopeId::new(at)).map(|binder| binders.get(binder).1);
                assert_eq!(found, right, "{set:b} {at}");
                assert_eq!(binders.nearest(Name::new(1), ScopeId::new(at)), None);
            }
        }
    }
}
