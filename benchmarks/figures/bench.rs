//! What the rows are measured with: the program, the repositories, and what is measured once for several rows.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::Outcome;
use crate::corpora::{Corpora, NEIGHBOUR, RELEASE, check_out, git_command};
use crate::edits::Edit;
use crate::parse::bare_parse;
use crate::process::{Cost, in_turn, run, run_for_output, side_by_side};
use crate::server::list_tools;

/// Who is asked about where any question would do: some ten functions call it.
pub const SUBJECT: &str = "django.shortcuts:get_object_or_404";
/// The directory of the tenfold copy in which the edits are made, as a prefix of its symbols, too.
const ONE_COPY: &str = "copy0/";
/// Runs of less than a second are measured so many times oftener than long ones.
const OFTENER: usize = 5;

pub struct Bench {
    program: PathBuf,
    /// How often a run of seconds is measured.
    pub rounds: usize,
    /// A repository with a real history.
    pub history: Option<PathBuf>,
    pub corpora: Corpora,
    pub django: PathBuf,
    /// Where databases are.
    scratch: PathBuf,
    cold: OnceCell<Cold>,
    stored: OnceCell<PathBuf>,
    tenfold: OnceCell<Tenfold>,
}

/// Django indexed from nothing.
pub struct Cold {
    pub index: Cost,
    pub parse: Cost,
    database: PathBuf,
    /// What it takes on the disk.
    pub database_bytes: u64,
}

/// Ten times Django, indexed from nothing.
pub struct Tenfold {
    pub root: PathBuf,
    pub index: Cost,
    database: PathBuf,
}

/// What an edit costs.
pub struct AfterEdit {
    /// A question after the edit.
    pub edited: Duration,
    /// The same question again.
    pub unchanged: Duration,
    /// `git status` at the same time.
    pub status: Duration,
}

impl Bench {
    pub fn new(corpora: Corpora, program: PathBuf, rounds: usize, history: Option<PathBuf>) -> Outcome<Bench> {
        let (django, scratch) = (corpora.django()?, corpora.scratch()?);
        check_out(&django, RELEASE)?;
        let (cold, stored, tenfold) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Ok(Bench { program, rounds, history, corpora, django, scratch, cold, stored, tenfold })
    }

    /// The program, on a repository with a database.
    pub fn program(&self, root: &Path, database: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command.arg("--quiet").arg("--root").arg(root).arg("--db").arg(database).args(arguments);
        command
    }

    /// How often a run of less than a second is measured.
    pub fn many(&self) -> usize {
        OFTENER * self.rounds
    }

    /// Where a row may have a database of its own.
    pub fn database(&self, name: &str) -> PathBuf {
        self.scratch.join(name).with_extension("db")
    }

    /// An index from nothing.
    pub fn index(&self, root: &Path, database: &Path) -> Outcome<Cost> {
        for file in files_of(database) {
            fs::remove_file(file)?;
        }
        run(&mut self.program(root, database, &["index"]))
    }

    /// Django indexed from nothing once more, at the release that the figures are of.
    pub fn index_again(&self) -> Outcome<Cost> {
        check_out(&self.django, RELEASE)?;
        self.index(&self.django, &self.database("again"))
    }

    pub fn cold(&self) -> Outcome<&Cold> {
        once(&self.cold, || {
            let database = self.database("cold");
            let parse = &mut || bare_parse(&self.django);
            let index = &mut || self.index(&self.django, &database);
            let [parse, index] = side_by_side(self.rounds, parse, index)?;
            let database_bytes = bytes_of(&database)?;
            Ok(Cold { index, parse, database, database_bytes })
        })
    }

    /// A copy of the database of Django, for a row of its own.
    pub fn copy_of_cold(&self, name: &str) -> Outcome<PathBuf> {
        let (original, copy) = (&self.cold()?.database, self.database(name));
        for file in files_of(&copy) {
            fs::remove_file(file)?;
        }
        for file in files_of(original) {
            let suffix = file.extension().expect("each has one");
            fs::copy(&file, copy.with_extension(suffix))?;
        }
        Ok(copy)
    }

    /// A database that has Django as it is checked out and its neighbour.
    pub fn stored(&self) -> Outcome<&PathBuf> {
        once(&self.stored, || {
            let database = self.copy_of_cold("stored")?;
            run(&mut self.program(&self.django, &database, &["index", "--rev", RELEASE]))?;
            run(&mut self.program(&self.django, &database, &["index", "--rev", NEIGHBOUR]))?;
            Ok(database)
        })
    }

    pub fn tenfold(&self) -> Outcome<&Tenfold> {
        once(&self.tenfold, || {
            let (root, database) = (self.corpora.django_tenfold()?, self.database("tenfold"));
            check_out(&root, RELEASE)?;
            let index = self.index(&root, &database)?;
            Ok(Tenfold { root, index, database })
        })
    }

    /// How long the program takes for something small about what is stored.
    pub fn small(&self, arguments: &[&str]) -> Outcome<Duration> {
        let database = self.stored()?;
        let [cost] = in_turn(self.many(), [&mut || run(&mut self.program(&self.django, database, arguments))])?;
        Ok(cost.wall)
    }

    /// The server's list of tools, and how long it took to say it.
    pub fn tools(&self, database: &Path) -> Outcome<(Duration, String)> {
        let lists = (0..self.many()).map(|_| list_tools(&mut self.program(&self.django, database, &["serve"])));
        let lists: Vec<_> = lists.collect::<Outcome<_>>()?;
        Ok(lists.into_iter().min().expect("it was asked at least once"))
    }

    /// `git status`, as the freshness check is held against it.
    pub fn git_status(&self, root: &Path) -> Outcome<Cost> {
        run(git_command(root).args(["status", "-s", "-uall"]))
    }

    pub fn edit_django(&self, edit: &Edit) -> Outcome<AfterEdit> {
        self.edit(edit, &self.django, "", &self.copy_of_cold("edited")?)
    }

    pub fn edit_tenfold(&self, edit: &Edit) -> Outcome<AfterEdit> {
        let tenfold = self.tenfold()?;
        self.edit(edit, &tenfold.root, ONE_COPY, &tenfold.database)
    }

    /// Makes an edit again and again, and asks twice after each; then git.
    fn edit(&self, edit: &Edit, root: &Path, directory: &str, database: &Path) -> Outcome<AfterEdit> {
        let file = root.join(directory).join(edit.path);
        let original = fs::read_to_string(&file)?;
        let mut number = 0;
        let mut make_next = || -> Outcome<()> {
            number += 1;
            Ok(fs::write(&file, edit.apply(&original, number)?)?)
        };
        let subject = format!("{directory}{SUBJECT}");
        let ask = || run(&mut self.program(root, database, &["query", "callers", &subject]));
        // The first also shows that the edit concerns as many files as it should.
        make_next()?;
        let (_, report) = run_for_output(&mut self.program(root, database, &["index", "--json"]))?;
        let report: Value = serde_json::from_str(&report)?;
        let resolved = report["resolved"].as_u64().ok_or("the report has no `resolved`")?;
        if !edit.resolved.contains(&resolved) {
            return Err(format!("an edit of {} concerned {resolved} files", edit.path).into());
        }
        let edited = &mut || make_next().and_then(|()| ask());
        let [edited, unchanged, status] = in_turn(self.many(), [edited, &mut || ask(), &mut || self.git_status(root)])?;
        check_out(root, RELEASE)?;
        Ok(AfterEdit { edited: edited.wall, unchanged: unchanged.wall, status: status.wall })
    }
}

/// A value that is made when it is first wanted.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Outcome<T>) -> Outcome<&T> {
    if cell.get().is_none() {
        let made = make()?;
        return Ok(cell.get_or_init(|| made));
    }
    Ok(cell.get().expect("it is there"))
}

/// The files of a database that are there: its own, and SQLite's log beside it.
fn files_of(database: &Path) -> impl Iterator<Item = PathBuf> {
    ["db", "db-wal", "db-shm"].map(|suffix| database.with_extension(suffix)).into_iter().filter(|file| file.exists())
}

/// What a database takes on the disk once SQLite has worked its log in.
pub fn bytes_of(database: &Path) -> Outcome<u64> {
    let connection = rusqlite::Connection::open(database)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(fs::metadata(database)?.len())
}
