//! README.md as a text with generated parts, which start and end at marked lines.

use std::fs;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

pub fn read() -> String {
    fs::read_to_string(file()).expect("our own file")
}

/// The page must have this text; with `UPDATE_EXPECT` it gets it.
pub fn expect(present: &str, right: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(file(), right).expect("our own file");
    } else if present != right {
        let lines = similar::TextDiff::from_lines(present, right);
        let difference = lines.unified_diff().context_radius(1).header("README.md", "as it should be").to_string();
        panic!("\n{difference}set UPDATE_EXPECT=1\n");
    }
}

/// The page with another text between `<!-- name: by whom it is written -->` and `<!-- end of name -->`.
pub fn with_part(page: &str, name: &str, part: &str) -> String {
    let (before, rest) = page.split_once(&format!("<!-- {name}: ")).expect("the part begins");
    let (by, rest) = rest.split_once(" -->\n").expect("the part begins");
    let (_, after) = rest.split_once(&format!("<!-- end of {name} -->")).expect("the part ends");
    format!("{before}<!-- {name}: {by} -->\n{part}<!-- end of {name} -->{after}")
}
