//! What facts keep to besides the bounds of their arenas. Whoever reads facts relies on it, and stored ones are not
//! trusted.

use crate::facts::*;

/// Whether what stands beside each other belongs together, and what lies in something comes after it.
pub(super) fn is_whole(facts: &Facts) -> bool {
    let Facts { surface, body, places, .. } = facts;
    let module = surface.scopes.first();
    places.definitions.len() == surface.definitions.len()
        && places.references.len() == body.references.len()
        && places.imports.len() == surface.imports.len()
        && module.is_none_or(|scope| scope.parent.is_none())
        && surface.scopes.iter().enumerate().skip(1).all(|(at, scope)| scope.parent.is_some_and(|p| p.index() < at))
        && surface.definitions.iter().enumerate().all(|(at, definition)| {
            definition.parent.is_none_or(|parent| parent.index() < at) && definition.symbol.index() <= at
        })
        && body.references.iter().all(|reference| has_target(facts, reference))
}

/// A number in a reference that is no index of an arena, but of a list within an item.
fn has_target(facts: &Facts, reference: &Reference) -> bool {
    match reference.target {
        RefTarget::Import(import, Some(at)) => (at as usize) < facts.surface.imports[import.index()].names.len(),
        RefTarget::Parameter(function, at) => (at as usize) < facts.function(function).parameters.len(),
        RefTarget::Export(at) => (at as usize) < facts.surface.exports.len(),
        RefTarget::Expr(_) | RefTarget::Form(_) | RefTarget::Import(_, None) => true,
    }
}
