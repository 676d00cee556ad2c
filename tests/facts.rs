//! Facts as they are stored: what is written is read again, and nothing else is.

use std::path::{Path, PathBuf};

use repo_graph::facts::{Facts, codec};
use repo_graph::languages;
use repo_graph::names::Dialect;

/// Files of ours that have every kind of fact in them.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        ["fixtures", "src/languages"].map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).into();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory of the repository") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn facts(path: &Path) -> Option<Facts> {
    let dialect = match path.extension()?.to_str()? {
        "py" | "pyi" => Dialect::Python,
        "ts" | "mts" | "cts" => Dialect::TypeScript,
        "tsx" => Dialect::Tsx,
        "js" | "mjs" | "cjs" | "jsx" => Dialect::JavaScript,
        _ => return None,
    };
    let text = std::fs::read(path).expect("a file of the repository");
    Some(languages::for_dialect(dialect)?.facts(dialect, &text))
}

#[test]
fn what_is_written_is_read_again() {
    let mut files = 0;
    for path in sources() {
        let Some(facts) = facts(&path) else { continue };
        assert!(codec::decode(&codec::encode(&facts)).as_ref() == Some(&facts), "{}", path.display());
        files += 1;
    }
    assert!(files >= 30, "{files} files were found");
}

#[test]
fn what_is_damaged_is_refused_or_is_facts_all_the_same() {
    let path = sources().into_iter().find(|path| path.ends_with("builtins.pyi")).expect("the prelude");
    let bytes = codec::encode(&facts(&path).expect("Python"));
    for at in (0..bytes.len()).step_by(97) {
        assert_eq!(codec::decode(&bytes[..at]), None);
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        if let Some(facts) = codec::decode(&damaged) {
            // All indices are of their arenas, so that it can be written again.
            assert!(codec::decode(&codec::encode(&facts)) == Some(facts));
        }
    }
}

#[test]
fn what_is_decoded_late_is_the_same() {
    for path in sources() {
        let Some(facts) = facts(&path) else { continue };
        let mut front = codec::encode(&facts);
        let back = front.split_off(codec::back(&front).expect("encoded"));
        let opened = codec::open(front, move || Some(back.clone())).expect("facts");
        assert!(opened == facts && codec::is_intact(&opened), "{}", path.display());
    }
}
