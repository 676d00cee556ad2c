//! `repo-graph config` and the ready files in `examples/`, which must be what it prints.

use std::fs;
use std::path::{Path, PathBuf};

use repo_graph::mcp::clients::{CLIENTS, Client};

use super::place::{Ran, run};

/// The root that stands in the example of a client that must be told one.
const EXAMPLE_ROOT: &str = "/absolute/path/to/your/project";

fn config(directory: &Path, arguments: &[&str]) -> Ran {
    run(directory, &[&["config"], arguments].concat())
}

/// `examples/<client>/<settings file>`, without the dot that would hide it.
fn example(client: &Client) -> PathBuf {
    let name = client.file.rsplit('/').next().unwrap().trim_start_matches('.');
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(client.name).join(name)
}

/// `UPDATE_EXPECT=1` writes the files anew.
#[test]
fn the_examples_are_what_the_program_prints() {
    for client in &CLIENTS {
        let snippet = client.snippet("repo-graph", None, Path::new(EXAMPLE_ROOT)).unwrap();
        let path = example(client);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &snippet).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, snippet, "{} is not up to date; set UPDATE_EXPECT=1", path.display());
    }
}

#[test]
fn the_settings_are_on_standard_output_and_their_place_on_standard_error() {
    let directory = tempfile::tempdir().unwrap();
    for client in &CLIENTS {
        let output = config(directory.path(), &[client.name]);
        assert_eq!(output.code, 0);
        assert!(output.stderr.contains(client.file), "{}", client.name);
        let text = output.stdout;
        assert!(text.contains("repo-graph") && text.contains("serve"), "{text}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is written");
}

#[test]
fn root_and_program_go_into_the_settings_as_absolute_paths() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("project")).unwrap();
    let root = directory.path().canonicalize().unwrap().join("project");
    let output = config(&root.join(".."), &["claude", "--root", "project", "--exe", "/opt/repo-graph"]);
    let settings: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let server = &settings["mcpServers"]["repo-graph"];
    assert_eq!(server["command"], "/opt/repo-graph");
    let arguments = server["args"].as_array().unwrap();
    assert_eq!(arguments[..2], ["serve", "--root"]);
    let told = Path::new(arguments[2].as_str().unwrap());
    assert!(told.is_absolute());
    assert_eq!(told.canonicalize().unwrap(), root);
}

#[test]
fn an_unknown_client_is_a_usage_error_that_names_the_known_ones() {
    let output = config(Path::new("."), &["cluade"]);
    assert_eq!(output.code, 2);
    let said = output.stderr;
    assert!(CLIENTS.iter().all(|client| said.contains(client.name)), "{said}");
}
