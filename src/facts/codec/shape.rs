//! What facts keep to besides the bounds of their arenas. Whoever reads facts relies on it, and stored ones are not
//! trusted.

use crate::facts::*;

/// Whether what lies in a definition comes after it.
pub(super) fn are_nested(definitions: &[Definition]) -> bool {
    definitions.iter().enumerate().all(|(at, definition)| {
        definition.parent.is_none_or(|parent| parent.index() < at) && definition.symbol.index() <= at
    })
}

/// Whether the first scope is the module's, and each other one comes after that around it.
pub(super) fn are_scopes(scopes: &[Scope]) -> bool {
    scopes.iter().enumerate().all(|(at, scope)| match scope.parent {
        Some(parent) => parent.index() < at,
        None => at == 0,
    })
}

/// Whether the numbers in references that are no indices of an arena, but of a list within an item, are of that list.
pub(super) fn have_targets(references: &[Reference], facts: &Facts) -> bool {
    references.iter().all(|reference| match reference.target {
        RefTarget::Import(import, Some(at)) => (at as usize) < facts.surface.imports[import.index()].names.len(),
        RefTarget::Parameter(function, at) => {
            // What was looked at only now may be damaged.
            let function = facts.surface.functions.get(function.index());
            function.is_some_and(|function| (at as usize) < function.parameters.len())
        }
        RefTarget::Export(at) => (at as usize) < facts.surface.exports.len(),
        RefTarget::Expr(_) | RefTarget::Form(_) | RefTarget::Import(_, None) => true,
    })
}
