//! The uses that a file's facts hold, by place and by owner, and the names in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::symbols::{definitions, definitions_at};
use crate::facts::{
    BindingId, DefId, ExportValue, Expr, ExprId, Facts, Flags, Form, FormId, ImportId, RefKind, RefTarget, Reference,
};
use crate::graph::{Side, Site, Symbol, Unit};
use crate::names::{Column, Line};

/// Attributes, casts and the like that are looked through for a name; deeper ones have none.
const CHAIN: usize = 100;

/// The references of one file, found by place.
pub struct Sites {
    pub facts: Arc<Facts>,
    pub unit: Arc<Unit>,
    by_place: FxHashMap<(u32, u32), Vec<usize>>,
    definitions: BTreeMap<(u32, u32), Vec<DefId>>,
    /// Of each definition's place, the position of its symbol in the unit.
    positions: FxHashMap<(u32, u32), usize>,
}

impl Sites {
    /// `None` when the side does not have the file or its facts.
    pub fn of(side: &dyn Side, path: &str) -> Option<Sites> {
        let (unit, facts) = (side.graph().unit(path)?, side.facts(path)?);
        let mut by_place: FxHashMap<(u32, u32), Vec<usize>> = FxHashMap::default();
        for (at, place) in facts.places.references.iter().enumerate() {
            by_place.entry((place.line, place.column)).or_default().push(at);
        }
        let mut positions = FxHashMap::default();
        for (at, symbol) in unit.symbols.iter().enumerate().skip(1) {
            for site in std::iter::once(&symbol.site).chain(&symbol.more) {
                positions.insert((site.line.0, site.column.0), at);
            }
        }
        let definitions = definitions(&facts);
        Some(Sites { facts, unit, by_place, definitions, positions })
    }

    /// The references at a site.
    pub fn at(&self, site: Site) -> impl Iterator<Item = &Reference> {
        let found = self.by_place.get(&(site.line.0, site.column.0));
        found.into_iter().flatten().map(|&at| &self.facts.body.references[at])
    }

    /// All definitions of a symbol of the file.
    pub fn definitions(&self, symbol: &Symbol) -> Vec<DefId> {
        definitions_at(&self.definitions, symbol)
    }

    /// The site of a reference.
    pub(super) fn site(&self, at: usize) -> Site {
        let place = self.facts.places.references[at];
        Site { line: Line(place.line), column: Column(place.column) }
    }

    /// The references that belong to a symbol, with their positions.
    pub(super) fn owned_by(&self, symbol: usize) -> impl Iterator<Item = (usize, &Reference)> {
        let references = self.facts.body.references.iter().enumerate();
        references.filter(move |(_, reference)| self.owner(reference) == symbol)
    }

    /// The symbol that a reference belongs to, as in the unit: imports are the module's.
    fn owner(&self, reference: &Reference) -> usize {
        if reference.kind == RefKind::Import {
            return 0;
        }
        let mut owner = reference.owner;
        while let Some(id) = owner {
            let place = self.facts.places.definitions[id.index()].name;
            let definition = self.facts.definition(id);
            if !definition.flags.has(Flags::HIDDEN)
                && let Some(&at) = self.positions.get(&(place.line, place.column))
            {
                return at;
            }
            owner = definition.parent;
        }
        0
    }

    /// The reference that is an import of this name; `None` is the import of the module.
    pub(super) fn import(&self, wanted: (ImportId, Option<u32>)) -> Option<usize> {
        let references = self.imports_of(wanted.0);
        references.into_iter().find(|&at| match self.facts.body.references[at].target {
            RefTarget::Import(_, name) => name == wanted.1,
            _ => wanted.1.is_none(),
        })
    }

    /// All references that an import statement makes.
    pub(super) fn imports_of(&self, import: ImportId) -> Vec<usize> {
        let references = self.facts.body.references.iter().enumerate();
        let own = references.filter(|(_, reference)| match reference.target {
            RefTarget::Import(id, _) => id == import,
            RefTarget::Export(index) => exported_import(&self.facts, index) == Some(import),
            RefTarget::Expr(expr) => {
                reference.kind == RefKind::Import && *self.facts.expr(expr) == Expr::Module(import)
            }
            RefTarget::Form(_) | RefTarget::Parameter(..) => false,
        });
        own.map(|(at, _)| at).collect()
    }

    /// The reference whose target is an expression.
    pub(super) fn of_expr(&self, expr: ExprId) -> Option<usize> {
        let mut references = self.facts.body.references.iter();
        references.position(|reference| reference.target == RefTarget::Expr(expr))
    }
}

/// The name that a reference uses, as it is written last (`save` in `order.save()`).
pub(super) fn used_name<'f>(facts: &'f Facts, reference: &Reference) -> Option<&'f str> {
    match reference.target {
        RefTarget::Expr(expr) => match facts.expr(expr) {
            Expr::Call(call) => callee_name(facts, facts.call(*call).callee),
            Expr::Module(import) => Some(facts.text(facts.surface.imports[import.index()].module)),
            _ => callee_name(facts, expr),
        },
        RefTarget::Form(form) => callee_name(facts, form_expr(facts, form)?),
        RefTarget::Import(import, index) => {
            let import = &facts.surface.imports[import.index()];
            let name = index.and_then(|index| import.names.get(index as usize)).map_or(import.module, |one| one.name);
            Some(facts.text(name))
        }
        RefTarget::Parameter(function, index) => {
            Some(facts.text(facts.function(function).parameters.get(index as usize)?.name))
        }
        RefTarget::Export(index) => Some(facts.text(facts.surface.exports.get(index as usize)?.name)),
    }
}

/// The expression that a reference looks a name up by.
pub(super) fn used_expr(facts: &Facts, reference: &Reference) -> Option<ExprId> {
    match reference.target {
        RefTarget::Expr(expr) => match facts.expr(expr) {
            Expr::Call(call) => Some(facts.call(*call).callee),
            _ => Some(expr),
        },
        RefTarget::Form(form) => form_expr(facts, form),
        RefTarget::Import(..) | RefTarget::Parameter(..) | RefTarget::Export(_) => None,
    }
}

fn form_expr(facts: &Facts, mut form: FormId) -> Option<ExprId> {
    for _ in 0..CHAIN {
        match facts.form(form) {
            Form::Name(expr) => return Some(*expr),
            Form::TypeOf(expr) => return Some(*expr),
            Form::Apply { base, .. } => form = *base,
            Form::ClassOf(of) | Form::Rest(of) => form = *of,
            _ => return None,
        }
    }
    None
}

/// The last name of what is called: `save` in `order.save`.
pub fn callee_name(facts: &Facts, mut expr: ExprId) -> Option<&str> {
    for _ in 0..CHAIN {
        match facts.expr(expr) {
            Expr::Name(used) => return Some(facts.text(used.name)),
            Expr::Attribute { name, .. } => return Some(facts.text(*name)),
            Expr::Cast { of, .. } | Expr::Narrow { of, .. } => expr = *of,
            _ => return None,
        }
    }
    None
}

/// The name that a chain of attributes starts from, with what it may be bound to, and whether it is the chain.
pub(super) fn root(facts: &Facts, mut expr: ExprId) -> Option<(&str, &[BindingId], bool)> {
    let mut direct = true;
    for _ in 0..CHAIN {
        match facts.expr(expr) {
            Expr::Name(used) => return Some((facts.text(used.name), facts.reach(used), direct)),
            Expr::Attribute { base, .. } | Expr::Subscript { base, .. } => {
                expr = *base;
                direct = false;
            }
            Expr::Call(call) => {
                expr = facts.call(*call).callee;
                direct = false;
            }
            Expr::Cast { of, .. } | Expr::Narrow { of, .. } => expr = *of,
            _ => return None,
        }
    }
    None
}

/// The import behind a re-export, if it is one.
pub(super) fn exported_import(facts: &Facts, index: u32) -> Option<ImportId> {
    match facts.surface.exports.get(index as usize)?.value {
        ExportValue::Imported(import, _) | ExportValue::Module(import) | ExportValue::Star(import) => Some(import),
        ExportValue::Local(_) | ExportValue::Expr(_) | ExportValue::Whole(_) => None,
    }
}
