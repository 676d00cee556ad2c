//! The table: what came out, and whether it is as it must be.

use crate::amount::{Limit, Measured};
use crate::bench::Bench;
use crate::rows::{Found, Row};

/// A row, measured.
pub struct Line {
    row: &'static Row,
    measured: String,
    pub verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As it is meant to be.
    Aim,
    /// As it must be.
    Gate,
    /// Not as it must be.
    Missed,
    /// Not as it is meant to be, and nothing says how it must be.
    Open,
    Skipped,
    /// It could not be measured.
    Failed,
}

impl Verdict {
    fn of(row: &Row, measured: Measured) -> Verdict {
        let holds = |limit: Option<Limit>| limit.map(|limit| limit.holds(measured));
        match (holds(row.gate), holds(row.aim)) {
            (Some(false), _) => Verdict::Missed,
            (_, Some(true)) => Verdict::Aim,
            (Some(true), _) => Verdict::Gate,
            (None, _) => Verdict::Open,
        }
    }

    pub fn is_met(self) -> bool {
        !matches!(self, Verdict::Missed | Verdict::Failed)
    }

    fn word(self) -> &'static str {
        match self {
            Verdict::Aim => "aim",
            Verdict::Gate => "gate",
            Verdict::Missed => "**missed**",
            Verdict::Open => "–",
            Verdict::Skipped => "skipped",
            Verdict::Failed => "**failed**",
        }
    }
}

impl Line {
    /// Measures a row, and says so as it goes.
    pub fn of(row: &'static Row, bench: &Bench) -> Line {
        let shown = |measured| row.gate.or(row.aim).expect("a row has one").show(measured);
        let (measured, verdict) = match (row.measure)(bench) {
            Ok(Found::Measured(measured)) => (shown(measured), Verdict::of(row, measured)),
            Ok(Found::Remarked(measured, remark)) => {
                (format!("{}, {remark}", shown(measured)), Verdict::of(row, measured))
            }
            Ok(Found::Skipped(why)) => (why.to_owned(), Verdict::Skipped),
            Err(error) => (error.to_string(), Verdict::Failed),
        };
        eprintln!("{:<20} {:<10} {measured}", row.key, verdict.word());
        Line { row, measured, verdict }
    }
}

/// All lines as a table of Markdown.
pub fn markdown(lines: &[Line]) -> String {
    let mut table = "| what | gate | aim | measured | verdict |\n|---|---:|---:|---|---|\n".to_owned();
    let shown = |limit: Option<Limit>| limit.map_or("–".to_owned(), |limit| limit.to_string());
    for Line { row, measured, verdict } in lines {
        let (gate, aim) = (shown(row.gate), shown(row.aim));
        table.push_str(&format!("| {} | {gate} | {aim} | {measured} | {} |\n", row.what, verdict.word()));
    }
    table
}
