//! "There is no such subject", "there are several": a question that has no answer, and how to go on.

use serde::Serialize;

use super::budget::{self, Page};
use super::spelling;
use crate::graph::{Located, ModuleTable, SymbolKind};
use crate::names::SymbolId;

/// Candidates that are named; the total says how many there are.
const CANDIDATES: usize = 20;
/// Their size together, in bytes.
const CANDIDATES_BYTES: usize = 6 * 1024;

/// Why a question has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MissKind {
    Unknown,
    Ambiguous,
}

/// A question that has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Miss {
    pub error: MissKind,
    /// The subject as it was asked, shortened when it is long.
    pub query: String,
    /// The subjects that it may mean, or the nearest names.
    pub candidates: Vec<Candidate>,
    /// How many candidates there are, when not all are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    pub hint: String,
}

/// A subject that may have been meant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Candidate {
    pub id: SymbolId,
    pub kind: SymbolKind,
    pub loc: String,
}

impl Candidate {
    pub fn of(located: &Located, modules: &ModuleTable) -> Candidate {
        Candidate { id: located.id(modules), kind: located.symbol().kind, loc: located.loc() }
    }
}

impl Miss {
    /// Nothing is called so.
    pub fn unknown(query: &str, candidates: Vec<Candidate>, hint: impl Into<String>) -> Miss {
        Miss::new(MissKind::Unknown, query, candidates, hint.into())
    }

    /// Several are called so.
    pub fn ambiguous(query: &str, candidates: Vec<Candidate>, hint: impl Into<String>) -> Miss {
        Miss::new(MissKind::Ambiguous, query, candidates, hint.into())
    }

    fn new(error: MissKind, query: &str, mut candidates: Vec<Candidate>, hint: String) -> Miss {
        let page = Page { limit: CANDIDATES, offset: 0, bytes: CANDIDATES_BYTES };
        let total = budget::cut(&mut candidates, page).total;
        Miss { error, query: spelling::shorten(query), candidates, total, hint }
    }
}
