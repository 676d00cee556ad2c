//! The rows of the table: what is measured, what it may be, and by which runs.

use crate::Outcome;
use crate::amount::{Amount, Limit, Measured, mb, ms};
use crate::bench::{AfterEdit, Bench, SUBJECT, bytes_of};
use crate::corpora::{FAR_RELEASE, NEIGHBOUR, RELEASE, check_out, git};
use crate::edits::{BODY, Edit, FEW_SEE, HUB};
use crate::parse::{bare_parse, source_bytes};
use crate::process::{in_turn, run, side_by_side};

/// Commits of a real history that are stored after the first one.
const COMMITS: usize = 100;

pub struct Row {
    /// By which the row is chosen.
    pub key: &'static str,
    pub what: &'static str,
    /// What must hold.
    pub gate: Option<Limit>,
    /// Where we want to be.
    pub aim: Option<Limit>,
    pub measure: fn(&Bench) -> Outcome<Found>,
}

/// What came out of a row.
pub enum Found {
    Measured(Measured),
    /// What was measured, and what else is worth knowing of it.
    Remarked(Measured, String),
    /// Nothing, and why.
    Skipped(&'static str),
}

impl Found {
    fn alone(amount: impl Into<Amount>) -> Outcome<Found> {
        let amount = amount.into();
        Ok(Found::Measured(Measured { amount, against: amount }))
    }

    fn beside(amount: impl Into<Amount>, against: impl Into<Amount>) -> Outcome<Found> {
        Ok(Found::Measured(Measured { amount: amount.into(), against: against.into() }))
    }
}

pub const ROWS: [Row; 22] = [
    Row {
        key: "cold-cpu",
        what: "index from nothing, CPU ÷ a bare parse of the same files",
        gate: Some(Limit::Times(2.4)),
        aim: Some(Limit::Times(2.0)),
        measure: |bench| Found::beside(bench.cold()?.index.cpu, bench.cold()?.parse.cpu),
    },
    Row {
        key: "cold-time",
        what: "index from nothing, time ÷ that parse on one thread",
        gate: Some(Limit::Times(1.45)),
        aim: Some(Limit::Times(1.2)),
        measure: |bench| Found::beside(bench.cold()?.index.wall, bench.cold()?.parse.wall),
    },
    Row {
        key: "cold-memory",
        what: "index from nothing, peak memory",
        gate: Some(Limit::Most(mb(200.0))),
        aim: Some(Limit::Most(mb(120.0))),
        measure: |bench| Found::alone(bench.cold()?.index.peak),
    },
    Row {
        key: "cold-cpu-typescript",
        what: "index of RxJS from nothing, CPU ÷ a bare parse of the same files",
        gate: None,
        aim: Some(Limit::Times(2.0)),
        measure: typescript,
    },
    Row {
        key: "unchanged",
        what: "question when nothing changed ÷ `git status -s -uall`",
        gate: Some(Limit::TimesAndMore(1.25, ms(5.0))),
        aim: Some(Limit::Times(0.8)),
        measure: unchanged,
    },
    // An edit may add so much to what the question may take when nothing changed.
    Row {
        key: "edit-body",
        what: "… after an edit of one body in a file of 29 KB ÷ `git status -s -uall`",
        gate: Some(Limit::TimesAndMore(1.25, ms(5.0 + 15.0))),
        aim: None,
        measure: |bench| after_edit(bench, &BODY),
    },
    Row {
        key: "edit-seen",
        what: "… after an edit that 50 files see ÷ `git status -s -uall`",
        gate: Some(Limit::TimesAndMore(1.25, ms(5.0 + 60.0))),
        aim: Some(Limit::TimesAndMore(0.8, ms(30.0))),
        measure: |bench| after_edit(bench, &FEW_SEE),
    },
    Row {
        key: "edit-hub",
        what: "… after an edit of a hub's signature (`Model.save`) ÷ index from nothing",
        gate: Some(Limit::Percent(15.0)),
        aim: Some(Limit::Percent(8.0)),
        measure: |bench| Found::beside(bench.edit_django(&HUB)?.edited, bench.cold()?.index.wall),
    },
    Row {
        key: "checkout",
        what: "index after checking out a neighbouring release (24 files) ÷ index from nothing",
        gate: Some(Limit::Percent(12.0)),
        aim: Some(Limit::Percent(6.0)),
        measure: checkout,
    },
    Row {
        key: "at-new",
        what: "question about a commit with 478 other files ÷ index from nothing",
        gate: Some(Limit::Percent(55.0)),
        aim: Some(Limit::Percent(40.0)),
        measure: at_new,
    },
    Row {
        key: "at-stored",
        what: "question about a stored commit",
        gate: Some(Limit::Most(ms(20.0))),
        aim: Some(Limit::Most(ms(10.0))),
        measure: |bench| Found::alone(bench.small(&["query", "--at", NEIGHBOUR, "callers", SUBJECT])?),
    },
    Row {
        key: "diff-stored",
        what: "`graph_diff` of two stored neighbours",
        gate: Some(Limit::Most(ms(60.0))),
        aim: Some(Limit::Most(ms(20.0))),
        measure: |bench| Found::alone(bench.small(&["query", "graph_diff", &format!("{RELEASE}..{NEIGHBOUR}")])?),
    },
    Row {
        key: "no-index",
        what: "`query --no-index callers`",
        gate: Some(Limit::Most(ms(12.0))),
        aim: Some(Limit::Most(ms(5.0))),
        measure: |bench| Found::alone(bench.small(&["query", "--no-index", "callers", SUBJECT])?),
    },
    Row {
        key: "server-indexed",
        what: "MCP, start to `tools/list`, indexed",
        gate: Some(Limit::Most(ms(30.0))),
        aim: Some(Limit::Most(ms(15.0))),
        measure: |bench| Found::alone(bench.tools(bench.stored()?)?.0),
    },
    Row {
        key: "server-new",
        what: "MCP, start to `tools/list`, not indexed",
        gate: Some(Limit::Most(ms(30.0))),
        aim: Some(Limit::Most(ms(15.0))),
        measure: |bench| Found::alone(bench.tools(&bench.database("server"))?.0),
    },
    Row {
        key: "tools-size",
        what: "MCP, size of `tools/list`",
        gate: Some(Limit::Most(Amount::Bytes(8192.0))),
        aim: None,
        measure: |bench| Found::alone(bench.tools(bench.stored()?)?.1.len() as u64),
    },
    Row {
        key: "size",
        what: "database ÷ sources",
        gate: Some(Limit::Times(1.5)),
        aim: Some(Limit::Times(1.0)),
        measure: |bench| Found::beside(bench.cold()?.database_bytes, source_bytes(&bench.django)?),
    },
    Row {
        key: "size-commit",
        what: "each further neighbouring commit, of the database",
        gate: Some(Limit::Percent(3.0)),
        aim: Some(Limit::Percent(1.0)),
        measure: |bench| {
            let (one, both) = (bench.cold()?.database_bytes, bytes_of(bench.stored()?)?);
            Found::beside(both.saturating_sub(one), one)
        },
    },
    Row {
        key: "tenfold-time",
        what: "ten times the repository: index from nothing, time",
        gate: Some(Limit::Times(11.0)),
        aim: None,
        measure: |bench| Found::beside(bench.tenfold()?.index.wall, bench.cold()?.index.wall),
    },
    Row {
        key: "tenfold-memory",
        what: "ten times the repository: index from nothing, peak memory",
        gate: Some(Limit::Times(7.0)),
        aim: None,
        measure: |bench| Found::beside(bench.tenfold()?.index.peak, bench.cold()?.index.peak),
    },
    Row {
        key: "tenfold-edit",
        what: "ten times the repository: question after an edit of one body ÷ what it would be if it grew as `git status`",
        gate: Some(Limit::Times(1.0)),
        aim: None,
        measure: tenfold_edit,
    },
    Row {
        key: "history",
        what: "each of 100 consecutive commits of a real history ÷ index of the first from nothing",
        gate: Some(Limit::Percent(5.0)),
        aim: Some(Limit::Percent(2.0)),
        measure: history,
    },
];

fn typescript(bench: &Bench) -> Outcome<Found> {
    let (root, database) = (bench.corpora.rxjs()?, bench.database("rxjs"));
    let parse = &mut || bare_parse(&root);
    let index = &mut || bench.index(&root, &database);
    let [parse, index] = side_by_side(bench.many(), parse, index)?;
    Found::beside(index.cpu, parse.cpu)
}

fn unchanged(bench: &Bench) -> Outcome<Found> {
    let database = bench.copy_of_cold("unchanged")?;
    let status = &mut || bench.git_status(&bench.django);
    let ask = &mut || run(&mut bench.program(&bench.django, &database, &["query", "callers", SUBJECT]));
    let [status, ask] = in_turn(bench.many(), [status, ask])?;
    Found::beside(ask.wall, status.wall)
}

fn after_edit(bench: &Bench, edit: &Edit) -> Outcome<Found> {
    let AfterEdit { edited, unchanged, status } = bench.edit_django(edit)?;
    let more = Amount::from(edited.saturating_sub(unchanged));
    let measured = Measured { amount: edited.into(), against: status.into() };
    Ok(Found::Remarked(measured, format!("{more} more than when nothing changed")))
}

/// The facts of what is new in the release are not made yet.
fn checkout(bench: &Bench) -> Outcome<Found> {
    let index = &mut || {
        check_out(&bench.django, RELEASE)?;
        let database = bench.copy_of_cold("checkout")?;
        run(&mut bench.program(&bench.django, &database, &["index"]))?;
        check_out(&bench.django, NEIGHBOUR)?;
        run(&mut bench.program(&bench.django, &database, &["index"]))
    };
    let [cold, index] = side_by_side(bench.rounds, &mut || bench.index_again(), index)?;
    check_out(&bench.django, RELEASE)?;
    Found::beside(index.wall, cold.wall)
}

/// The facts of what is other in the commit are not made yet.
fn at_new(bench: &Bench) -> Outcome<Found> {
    let ask = &mut || {
        let database = bench.copy_of_cold("at-new")?;
        run(&mut bench.program(&bench.django, &database, &["query", "--at", FAR_RELEASE, "callers", SUBJECT]))
    };
    let [cold, ask] = side_by_side(bench.rounds, &mut || bench.index_again(), ask)?;
    Found::beside(ask.wall, cold.wall)
}

/// The question after an edit, in both sizes, and `git status` in both: the check that nothing else changed is all that
/// may grow.
fn tenfold_edit(bench: &Bench) -> Outcome<Found> {
    let (one, ten) = (bench.edit_django(&BODY)?, bench.edit_tenfold(&BODY)?);
    Found::beside(ten.edited, one.edited.mul_f64(ten.status.div_duration_f64(one.status)))
}

/// All are stored in one database, each by a run of its own.
fn history(bench: &Bench) -> Outcome<Found> {
    let Some(root) = &bench.history else {
        return Ok(Found::Skipped("no history; give a clone with --history"));
    };
    let database = bench.database("history");
    let commits =
        git(root, &["rev-list", "--first-parent", "--reverse", &format!("--max-count={}", COMMITS + 1), "HEAD"])?;
    let mut times = Vec::new();
    for commit in commits.lines() {
        times.push(run(&mut bench.program(root, &database, &["index", "--rev", commit]))?.wall);
    }
    let [first, further @ ..] = times.as_slice() else {
        return Ok(Found::Skipped("the history has no commits"));
    };
    let average = further.iter().sum::<std::time::Duration>().div_f64(further.len() as f64);
    Found::beside(average, *first)
}
