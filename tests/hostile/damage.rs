//! Stored bytes that are not what was written, configuration that is none, questions that ask nothing: whatever is
//! read, there is an answer or an error, and a run that reads everything again has the right graph.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use repo_graph::ask::{Desk, Refusal};
use repo_graph::index::{At, Options, Session};
use repo_graph::queries;
use rusqlite::types::Value;
use serde_json::{Map, json};

use super::bytes::{Damage, damaged, damages};
use super::place::cases;

/// A small repository of both languages, with every kind of configuration.
const FILES: [(&str, &str); 9] = [
    (".repo-graph.toml", "exclude = [\"gen/**\"]\nmax_file_bytes = 100000\n"),
    ("pyproject.toml", "[project]\nname = \"a\"\n[tool.setuptools.packages.find]\nwhere = [\"src\"]\n"),
    ("setup.cfg", "[options]\npackage_dir =\n    = src\n[options.packages.find]\nwhere = src\n"),
    (
        "tsconfig.json",
        "{\n  // paths\n  \"extends\": \"./base.json\", \"references\": [{\"path\": \"./web\"}],\n  \"compilerOptions\": \
         {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"web/*\"], \"x\": [\"web/a\"]}, \"rootDirs\": [\"web\"]},\n}\n",
    ),
    (
        "package.json",
        "{\"name\": \"top\", \"workspaces\": [\"web\", \"p/*\"], \"exports\": {\".\": {\"import\": \"./web/a.ts\"}, \
         \"./x/*\": \"./web/*.ts\"}, \"imports\": {\"#a\": \"./web/a.ts\"}, \"main\": \"web/a\", \"type\": \"module\"}\n",
    ),
    ("src/a.py", "import b\nclass A:\n    def m(self): return b.f(self)\n"),
    ("src/b.py", "from a import A\ndef f(x: A): return x.m()\n"),
    ("web/a.ts", "import { f } from '@/b';\nexport class A { m() { return f(this); } }\n"),
    ("web/b.ts", "import type { A } from 'x';\nimport '#a';\nexport function f(a: A) { return a.m(); }\n"),
];

struct Repository {
    directory: tempfile::TempDir,
}

impl Repository {
    fn new() -> Repository {
        let repository = Repository { directory: tempfile::tempdir().expect("a directory") };
        FILES.iter().for_each(|(path, text)| repository.write(path, text.as_bytes()));
        repository
    }

    fn root(&self) -> PathBuf {
        self.directory.path().join("repo")
    }

    fn write(&self, path: &str, text: &[u8]) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("created");
        fs::write(path, text).expect("written");
    }

    fn options(&self, database: Option<&str>) -> Options {
        let database = database.map(|name| self.directory.path().join(name));
        Options { start: self.root(), database, ..Options::default() }
    }

    fn desk(&self) -> Desk {
        Desk::open(self.options(None)).expect("a directory")
    }

    /// The digest and an answer, all made again.
    fn again(&self, database: Option<&str>) -> (String, String) {
        let session = Session::open(self.options(database)).expect("a directory");
        let digest = session.index(&At::Disk, true).expect("a graph").digest.to_string();
        drop(session);
        let desk = Desk::open(self.options(database)).expect("a directory");
        (digest, ask(&desk, "callers", "f").expect("an answer"))
    }
}

/// Asks; a miss is an answer.
fn ask(desk: &Desk, tool: &str, text: &str) -> Result<String, String> {
    let tool = queries::tool(tool).expect("in the catalog");
    let schema = tool.schema();
    let keys = schema["required"].as_array().into_iter().flatten();
    let arguments: Map<_, _> = keys.map(|key| (key.as_str().expect("a name").to_owned(), json!(text))).collect();
    let call = tool.call(arguments).map_err(|error| error.to_string())?;
    match desk.ask(&call) {
        Ok(answer) => Ok(answer.text),
        Err(Refusal::Miss(miss)) => Ok(repo_graph::json::to_string(&miss)),
        Err(Refusal::Failed(error)) => Err(error.to_string()),
    }
}

/// A database with the graph of the files.
static DATABASE: LazyLock<(Repository, Vec<u8>)> = LazyLock::new(|| {
    let repository = Repository::new();
    Session::open(repository.options(Some("made.db"))).expect("opened").index(&At::Disk, false).expect("a graph");
    let path = repository.directory.path().join("made.db");
    rusqlite::Connection::open(&path).expect("opened").pragma_update(None, "journal_mode", "delete").expect("one file");
    let bytes = fs::read(path).expect("read");
    (repository, bytes)
});

/// Columns whose bytes the program decodes.
const COLUMNS: [(&str, &str); 16] = [
    ("facts", "blob"),
    ("facts", "data"),
    ("units", "digest"),
    ("units", "data"),
    ("reads", "digest"),
    ("reads", "data"),
    ("postings", "more"),
    ("runs", "digest"),
    ("runs", "data"),
    ("graphs", "snapshot"),
    ("graphs", "digest"),
    ("graphs", "runs"),
    ("graphs", "info"),
    ("views", "snapshot"),
    ("views", "head"),
    ("views", "stat_cache"),
];

/// Damages one value of a column.
fn damage(file: &Path, (table, column): (&str, &str), row: &Index, damages: &[Damage]) {
    let connection = rusqlite::Connection::open(file).expect("opened");
    let rows = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
    let mut rows = connection.prepare(&rows).expect("our table");
    let values: Vec<Vec<u8>> =
        rows.query_map([], |row| row.get(0)).expect("read").collect::<Result<_, _>>().expect("bytes");
    if values.is_empty() {
        return;
    }
    let old = row.get(&values);
    let new = Value::Blob(damaged(old.clone(), damages));
    let update = format!("UPDATE OR IGNORE {table} SET {column} = ?1 WHERE {column} = ?2");
    connection.execute(&update, (new, old)).expect("written");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_records_end_nothing(
        changes in vec((select(&COLUMNS[..]), any::<Index>(), damages()), 1..4),
        edited in any::<bool>(),
    ) {
        let (repository, bytes) = &*DATABASE;
        let place = repository.root().join(".repo-graph");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir(&place).expect("created");
        fs::write(place.join("graph.db"), bytes).expect("written");
        for (column, row, damages) in &changes {
            damage(&place.join("graph.db"), *column, row, damages);
        }
        repository.write("src/b.py", if edited { b"def g(): pass\n" } else { FILES[6].1.as_bytes() });
        let desk = repository.desk();
        for tool in ["callers", "find_symbol", "outline", "importers", "stats"] {
            // An answer, or an error: what is looked for is that there is one.
            let _ = ask(&desk, tool, "f");
        }
        drop(desk);
        prop_assert_eq!(repository.again(None), repository.again(Some("fresh.db")));
    }

    #[test]
    fn damaged_configuration_is_configuration_or_an_error(
        changes in vec((select(&FILES[..5]), damages()), 1..4),
    ) {
        let repository = Repository::new();
        for ((path, text), damages) in &changes {
            repository.write(path, &damaged(text.as_bytes().to_vec(), damages));
        }
        let _ = ask(&repository.desk(), "callers", "f");
    }

    #[test]
    fn any_question_has_an_answer(text in "([a-zA-Z./:*\"'()~^{}%\\\\-]|AND|NOT|NEAR|\\PC){0,20}") {
        let desk = Desk::open(Options { no_index: true, ..DATABASE.0.options(Some("made.db")) }).expect("a directory");
        for tool in queries::CATALOG.iter().filter(|tool| !tool.schema()["required"].is_null()) {
            prop_assert!(ask(&desk, tool.name, &text).is_ok(), "{}", tool.name);
        }
    }
}
