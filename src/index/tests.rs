//! What the driver does when a file makes the program fail.

use std::fs;

use super::*;
use crate::facts::Facts;
use crate::languages::{Layout, Modules, Pieces, Semantics};
use crate::names::RepoPath;

/// A language that fails at texts with the word `PANIC`: of sources, and of configuration files.
struct Failing(&'static dyn Language);

fn fail_at(text: &str) {
    assert!(!text.contains("PANIC"), "a text that no extractor has met");
}

impl Language for Failing {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn version(&self) -> u32 {
        self.0.version()
    }

    fn dialects(&self) -> &'static [Dialect] {
        self.0.dialects()
    }

    fn extract(&self, dialect: Dialect, text: &[u8], before: &Pieces) -> (Facts, Pieces) {
        fail_at(&String::from_utf8_lossy(text));
        self.0.extract(dialect, text, before)
    }

    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        self.0.prelude()
    }

    fn modules(&self, layout: &Arc<Layout>) -> Box<dyn Modules> {
        layout.configurations.values().for_each(|text| fail_at(text));
        self.0.modules(layout)
    }

    fn semantics(&self) -> &'static Semantics {
        self.0.semantics()
    }
}

impl Session {
    /// A session in which texts with the word `PANIC` make the program fail.
    pub(crate) fn failing(self) -> Session {
        let failing =
            languages::all().iter().map(|&language| &*Box::leak(Box::new(Failing(language))) as &dyn Language);
        Session { languages: Box::leak(failing.collect()), ..self }
    }
}

fn session(root: &Path) -> Session {
    Session::open(Options { start: root.to_owned(), ..Options::default() }).expect("a directory").failing()
}

fn failed(loaded: &Loaded) -> Vec<&str> {
    loaded.failed.iter().map(RepoPath::as_str).collect()
}

/// The file is named by each run while it is as it is, the others have their units, and once it is mended nothing is
/// left of it.
#[test]
fn a_file_that_makes_the_program_fail_is_named_and_the_rest_goes_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().join("repo");
    fs::create_dir(&root).expect("created");
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("written");
    write("bad.py", "def bad(): pass  # PANIC\n");
    write("good.py", "from bad import bad\ndef good(): bad()\n");
    write("more.py", "from good import good\ngood()\n");
    let index = || session(&root).index(&At::Disk, false).expect("indexed");

    let first = index();
    assert_eq!(failed(&first), ["bad.py"]);
    let calls = |loaded: &Loaded| {
        let unit = loaded.graph().unit("more.py").expect("the rest goes on");
        unit.edges.iter().filter(|edge| edge.kind == crate::graph::EdgeKind::Calls).count()
    };
    assert_eq!(calls(&first), 1);
    assert_eq!(failed(&index()), ["bad.py"], "nothing changed");
    write("more.py", "from good import good\n\ngood()\n");
    assert_eq!(failed(&index()), ["bad.py"], "another file changed");
    let again = session(&root).load(&At::Disk).expect("loaded");
    assert_eq!((failed(&again), again.digest), (vec!["bad.py"], index().digest));

    write("bad.py", "def bad(): pass\n");
    let mended = index();
    assert_eq!(failed(&mended), [""; 0]);
    let other =
        Options { start: root.clone(), database: Some(directory.path().join("other.db")), ..Options::default() };
    let fresh = Session::open(other).expect("a directory").index(&At::Disk, false).expect("indexed");
    assert_eq!(mended.digest, fresh.digest);
}

/// Its place stays: it is only not read. Those beside it are, also by the same language.
#[test]
fn a_configuration_file_that_makes_the_program_fail_is_named_and_the_rest_goes_on() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().join("repo");
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("created");
        fs::write(path, text).expect("written");
    };
    let roots = "[tool.setuptools.packages.find]\nwhere = [\"code\"]\n";
    for (package, text) in [("a", roots), ("b", "# PANIC"), ("c", roots), ("d", "PANIC")] {
        write(&format!("{package}/pyproject.toml"), text);
        write(&format!("{package}/code/{package}_lib.py"), "def f(): pass\n");
    }
    write("use.py", "from a_lib import f\nf()\n");
    let index = || session(&root).index(&At::Disk, false).expect("indexed");
    let targets = |loaded: &Loaded| {
        let unit = loaded.graph().unit("use.py").expect("the rest goes on");
        unit.edges.iter().map(|edge| edge.target.path.to_string()).collect::<Vec<_>>()
    };

    let first = index();
    assert_eq!(failed(&first), ["b/pyproject.toml", "d/pyproject.toml"]);
    assert!(targets(&first).iter().any(|path| path == "a/code/a_lib.py"));
    write("use.py", "from c_lib import f\nf()\n");
    let edited = index();
    assert_eq!(failed(&edited), ["b/pyproject.toml", "d/pyproject.toml"], "another file changed");
    assert!(targets(&edited).iter().any(|path| path == "c/code/c_lib.py"));

    write("b/pyproject.toml", roots);
    write("d/pyproject.toml", roots);
    write("use.py", "from d_lib import f\nf()\n");
    let mended = index();
    assert_eq!(failed(&mended), [""; 0]);
    assert!(targets(&mended).iter().any(|path| path == "d/code/d_lib.py"));

    // More than are looked for: all are left out.
    (0..20).for_each(|at| write(&format!("many/{at}/pyproject.toml"), "PANIC"));
    assert!(failed(&index()).len() >= 20);
}

/// In memory, too; and wherever its text stands, as the units of equal files are each their own.
#[test]
fn a_file_that_makes_the_program_fail_is_named_without_a_store() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |path: &str, text: &str| fs::write(directory.path().join(path), text).expect("written");
    write("bad.py", "PANIC\n");
    write("twin_of_bad.py", "PANIC\n");
    write("one.py", "def f(): pass\n");
    write("two.py", "def f(): pass\n");
    write(".repo-graph", "no directory");
    let loaded = session(directory.path()).load(&At::Disk).expect("loaded");
    assert_eq!(failed(&loaded), ["bad.py", "twin_of_bad.py"]);
    for path in ["one.py", "two.py"] {
        let unit = loaded.graph().unit(path).expect("a unit");
        assert_eq!((unit.path.as_str(), unit.symbols.len()), (path, 2));
    }
}
