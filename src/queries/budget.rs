//! How long an answer may be, and what is said when it was cut.
//!
//! Knows no question; measures rows as they will be printed.

use std::collections::BTreeSet;

use serde::Serialize;

use super::arguments::Count;
use crate::graph::Unit;
use crate::json;

/// What a question with its default limit may answer, in bytes.
pub const DEFAULT_BYTES: usize = 8 * 1024;
/// What any question may answer, in bytes.
pub const MOST_BYTES: usize = 24 * 1024;
/// Kept free for all but the main list: the subject, hints, unresolved sites, in bytes.
const RESERVED_BYTES: usize = 2 * 1024;
/// Files with syntax errors that are named.
const PARTIAL_FILES: usize = 10;

/// Which rows of a list are shown.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub limit: usize,
    pub offset: usize,
    /// For the rows together.
    pub bytes: usize,
}

impl Page {
    /// The rows from `offset` on; a limit above the default buys the larger size.
    pub fn new<const DEFAULT: u32, const MAX: u32>(limit: Count<DEFAULT, MAX>, offset: u32) -> Page {
        let bytes = if limit.is_raised() { MOST_BYTES } else { DEFAULT_BYTES };
        Page { limit: limit.0 as usize, offset: offset as usize, bytes: bytes - RESERVED_BYTES }
    }

    /// The same rows in a part of the size.
    pub fn share(self, numerator: usize, denominator: usize) -> Page {
        Page { bytes: self.bytes * numerator / denominator, ..self }
    }
}

/// What is said beside a list that does not show all its rows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cut {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Rows of the whole list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Cut {
    /// Says so when the walk behind the list could not see everything.
    pub fn note_walk(&mut self, was_cut: bool) {
        if was_cut {
            self.truncated = true;
            self.hint.get_or_insert_with(|| "too much is reachable to be walked; ask with a smaller depth".to_owned());
        }
    }

    /// Of two lists of one answer.
    pub fn joined(self, other: Cut) -> Cut {
        let total = match (self.total, other.total) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        let hint = match (self.hint, other.hint) {
            // Their next rows need not have the same number.
            (Some(_), Some(_)) => Some("both lists go on; ask for one of them".to_owned()),
            (a, b) => a.or(b),
        };
        Cut { truncated: self.truncated || other.truncated, total, hint }
    }
}

/// Keeps the rows of a page.
pub fn cut<R: Serialize>(rows: &mut Vec<R>, page: Page) -> Cut {
    let total = rows.len();
    rows.drain(..page.offset.min(total));
    let mut bytes = 0;
    let fitting = rows.iter().take(page.limit).take_while(|row| {
        bytes += json::to_string(row).len() + 1;
        bytes <= page.bytes
    });
    let shown = fitting.count();
    rows.truncate(shown);
    let next = page.offset + shown;
    if next < total {
        // A row that is larger than a whole page is stepped over, or nobody would ever see what follows.
        let hint = format!("go on with offset {}", next.max(page.offset + 1));
        return Cut { truncated: true, total: Some(total), hint: Some(hint) };
    }
    if page.offset > 0 {
        // The last of several pages.
        return Cut { total: Some(total), ..Cut::default() };
    }
    Cut::default()
}

/// Keeps what fits of a list beside the main one; the number of its rows when not all did.
pub fn cut_beside<R: Serialize>(rows: &mut Vec<R>, page: Page) -> Option<usize> {
    cut(rows, Page { offset: 0, limit: usize::MAX, ..page }).total
}

/// The files with syntax errors that an answer rests on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Partial {
    /// Sorted, each once; the first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partial: Vec<String>,
    /// How many there are, when not all are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial_total: Option<usize>,
}

impl Partial {
    /// Those of some files, by path.
    pub fn among<'a>(units: impl IntoIterator<Item = &'a Unit>) -> Partial {
        let broken = units.into_iter().filter(|unit| unit.partial);
        let paths: BTreeSet<&str> = broken.map(|unit| unit.path.as_str()).collect();
        Partial {
            partial_total: (paths.len() > PARTIAL_FILES).then_some(paths.len()),
            partial: paths.into_iter().take(PARTIAL_FILES).map(str::to_owned).collect(),
        }
    }
}
