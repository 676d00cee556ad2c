//! What the questions about a change share: the two sides, what differs between them, and how an answer names them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Serialize;

use super::budget::{self, Page, Partial};
use super::rows::Head;
use super::{Context, Miss};
use crate::diff::{Change, ChangeKind, Difference};
use crate::graph::{Located, Side, SymbolKind, Target};
use crate::names::{CommitId, RepoPath, SymbolId};

/// Two sides of a question about a change.
pub struct Comparison<'a> {
    pub before: &'a dyn Side,
    pub after: &'a dyn Side,
    pub base: CommitId,
    /// `None`: the disk.
    pub head: Option<CommitId>,
    /// Further merge bases, which were not taken.
    pub other_bases: &'a [CommitId],
    /// Changed files that the comparison cannot see into, sorted.
    pub unread: &'a [RepoPath],
    /// Configuration files that differ, sorted.
    pub config_changed: &'a [RepoPath],
    difference: OnceLock<Difference>,
}

impl<'a> Comparison<'a> {
    pub fn new(before: &'a dyn Side, after: &'a dyn Side, base: CommitId, head: Option<CommitId>) -> Comparison<'a> {
        let difference = OnceLock::new();
        Comparison { before, after, base, head, other_bases: &[], unread: &[], config_changed: &[], difference }
    }

    /// What differs; found out when it is first asked for.
    pub fn difference(&self) -> &Difference {
        self.difference.get_or_init(|| Difference::between(self.before, self.after, self.unread))
    }

    /// The changed files that are not read whole: what seems to be gone may be in the rest.
    pub fn partial(&self) -> Partial {
        let paths: BTreeSet<&RepoPath> =
            self.difference().changes.iter().map(|change| &change.located().unit.path).collect();
        let units: Vec<_> = paths.into_iter().filter_map(|path| self.after.graph().unit(path.as_str())).collect();
        Partial::among(units.iter().map(|unit| &**unit))
    }

    /// Of every symbol of before that changed, how.
    pub fn kinds_before(&self) -> BTreeMap<Target, ChangeKind> {
        let changes = self.difference().changes.iter();
        changes.filter_map(|change| Some((change.before.as_ref()?.target(), change.kind()))).collect()
    }

    /// The id of a symbol that changed, as it is, or as it was when it is gone.
    pub fn id(&self, change: &Change) -> SymbolId {
        let side = if change.after.is_some() { self.after } else { self.before };
        change.located().id(side.graph().modules())
    }
}

/// The comparison that the driver made for a question that needs one.
pub fn of<'c, 'a>(context: &'c Context<'a>) -> Result<&'c Comparison<'a>, Miss> {
    let none = || Miss::unknown("", Vec::new(), "there is nothing to compare with");
    context.comparison.ok_or_else(none)
}

/// What was compared.
#[derive(Clone, Serialize)]
pub struct Compared {
    /// A commit.
    pub base: String,
    /// A commit, or `disk`.
    pub head: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_bases: Vec<String>,
    /// Said when nothing differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

impl Compared {
    pub fn of(comparison: &Comparison<'_>) -> Compared {
        let same =
            comparison.difference().is_empty() && comparison.unread.is_empty() && comparison.config_changed.is_empty();
        Compared {
            base: comparison.base.to_string(),
            head: comparison.head.map_or_else(|| "disk".to_owned(), |commit| commit.to_string()),
            other_bases: comparison.other_bases.iter().map(CommitId::to_string).collect(),
            note: same.then_some("base and head do not differ in anything that the graph has"),
        }
    }
}

/// Changed files beside the graph.
#[derive(Clone, Default, Serialize)]
pub struct Beside {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config_changed: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread_total: Option<usize>,
}

impl Beside {
    /// What fits of a page.
    pub fn of(comparison: &Comparison<'_>, page: Page) -> Beside {
        let names = |paths: &[RepoPath]| paths.iter().map(RepoPath::to_string).collect();
        let mut config_changed: Vec<String> = names(comparison.config_changed);
        let mut unread: Vec<String> = names(comparison.unread);
        budget::cut_beside(&mut config_changed, page);
        let unread_total = budget::cut_beside(&mut unread, page);
        Beside { config_changed, unread, unread_total }
    }
}

/// A symbol that changed, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedRow {
    pub change: ChangeKind,
    pub id: SymbolId,
    /// The id of before, when it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<SymbolId>,
    pub kind: SymbolKind,
    /// `path:line`; of what is gone, where it was.
    pub loc: String,
}

impl ChangedRow {
    pub fn of(comparison: &Comparison<'_>, change: &Change) -> ChangedRow {
        let located = change.located();
        let moved = change.kind() == ChangeKind::Moved;
        let from = change.before.as_ref().filter(|_| moved);
        ChangedRow {
            change: change.kind(),
            id: comparison.id(change),
            from: from.map(|before| before.id(comparison.before.graph().modules())),
            kind: located.symbol().kind,
            loc: located.loc(),
        }
    }
}

/// The head of a symbol of one side.
pub fn head(side: &dyn Side, located: &Located) -> Head {
    Head::of(located, side.graph().modules())
}
