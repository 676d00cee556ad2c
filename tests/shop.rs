//! The fixture `shop`, asked and exported through the program.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A copy of the fixture, so that nothing is written beside it.
struct Shop {
    directory: tempfile::TempDir,
}

impl Shop {
    fn new() -> Shop {
        let directory = tempfile::tempdir().unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/shop");
        copy(&fixture, directory.path());
        Shop { directory }
    }

    /// What the program answers.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_repo-graph"));
        let output = command.args(arguments).arg("--root").arg(self.directory.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(arguments)).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // Nothing but what is part of the fixture: Python leaves its own traces.
        if entry.file_name() == "__pycache__" || entry.file_name() == ".repo-graph" {
            continue;
        }
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// The example that README and the contract print.
#[test]
fn the_callees_of_the_checkout_come_out_literally() {
    let expected = concat!(
        r#"{"symbol":{"id":"shop.service:Checkout.run","kind":"method","loc":"shop/service.py:22","#,
        r#""sig":"(self, items: list[int]) -> Order"},"callees":["#,
        r#"{"id":"shop.models:Order","kind":"class","loc":"shop/models.py:13","at":23},"#,
        r#"{"id":"shop.models:Order.save","kind":"method","loc":"shop/models.py:28","at":24},"#,
        r#"{"id":"shop.models:audit","kind":"function","loc":"shop/models.py:33","at":25},"#,
        r#"{"id":"shop.service:Repo.store","kind":"method","loc":"shop/service.py:12","at":26}]}"#,
        "\n"
    );
    assert_eq!(Shop::new().run(&["query", "callees", "shop.service:Checkout.run"]), expected);
}

#[test]
fn an_export_read_back_has_the_counts_of_stats() {
    let shop = Shop::new();
    let stats = shop.json(&["stats"]);
    let export = shop.json(&["export", "--format", "json", "--level", "all"]);
    let count = |list: &str| {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for row in export[list].as_array().unwrap() {
            *counts.entry(row["kind"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        counts
    };
    for list in ["symbols", "edges"] {
        let mut expected: BTreeMap<String, u64> = serde_json::from_value(stats[list].clone()).unwrap();
        expected.retain(|_, count| *count > 0);
        assert_eq!(count(list), expected, "{list}");
    }
    assert_eq!(export["digest"], stats["digest"]);
    assert_eq!(export["unresolved"].as_array().unwrap().len() as u64, stats["unresolved"]);
    assert_eq!(export["missing"].as_array().unwrap().len() as u64, stats["missing"]);
    // Whatever an edge joins is a symbol of the export.
    let ids: Vec<&Value> = export["symbols"].as_array().unwrap().iter().map(|symbol| &symbol["id"]).collect();
    for edge in export["edges"].as_array().unwrap() {
        assert!(ids.contains(&&edge["source"]) && ids.contains(&&edge["target"]), "{edge}");
    }
}

#[test]
fn the_picture_of_the_modules_is_a_flowchart() {
    let picture = Shop::new().run(&["export", "--focus", "shop"]);
    let expected = "flowchart LR\n  n0([\"shop\"])\n  n1([\"shop.cli\"])\n  n2([\"shop.models\"])\n  n3([\"shop.service\"])\n  \
                    n0 --> n2\n  n0 --> n3\n  n1 --> n0\n  n1 --> n2\n  n1 --> n3\n  n3 --> n2\n";
    assert_eq!(picture, expected);
}

/// Where Graphviz is installed, it must take what we write.
#[test]
fn graphviz_draws_every_level() {
    let shop = Shop::new();
    for level in ["module", "symbol", "all"] {
        let picture = shop.run(&["export", "--format", "dot", "--level", level]);
        assert!(picture.starts_with("digraph repo_graph {\n") && picture.ends_with("}\n"), "{picture}");
        let dot = Command::new("dot").arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut dot) = dot else { continue };
        dot.stdin.take().unwrap().write_all(picture.as_bytes()).unwrap();
        let drawn = dot.wait_with_output().unwrap();
        assert!(drawn.status.success() && drawn.stdout.ends_with(b"</svg>\n"), "{level}");
    }
}
