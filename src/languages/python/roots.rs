//! Source roots: the directories from which dotted module names are counted.
//!
//! The root itself; each directory that holds `pyproject.toml`, `setup.cfg`, `setup.py` or `manage.py`; a `src` directly
//! below one of these; and what those files declare.

use std::collections::BTreeSet;

use crate::languages::Layout;
use crate::names::Dialect;
use crate::paths::{child, join};

/// Files that make their directory a source root.
const MARKERS: [&str; 4] = ["pyproject.toml", "setup.cfg", "setup.py", "manage.py"];

/// The source roots of a snapshot, sorted; `""` is the root.
pub(super) fn source_roots(layout: &Layout) -> Vec<String> {
    let mut marked = BTreeSet::from([String::new()]);
    for (path, dialect) in &layout.files {
        if matches!(dialect, Dialect::Python | Dialect::Configuration) && MARKERS.contains(&path.file_name()) {
            marked.insert(path.directory().to_owned());
        }
    }
    let mut roots = marked.clone();
    roots.extend(marked.iter().map(|directory| child(directory, "src")).filter(|src| layout.has_directory(src)));
    for (path, text) in &layout.configurations {
        let declared = match path.file_name() {
            "pyproject.toml" => of_pyproject(text),
            "setup.cfg" => of_setup_cfg(text),
            _ => continue,
        };
        let below = declared.iter().filter_map(|directory| join(path.directory(), directory));
        roots.extend(below.filter(|directory| layout.has_directory(directory)));
    }
    roots.into_iter().collect()
}

/// What `pyproject.toml` declares, for setuptools, Poetry, Hatch, PDM, uv, Maturin and pytest, each as its manual says.
fn of_pyproject(text: &str) -> Vec<String> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let at = |path: &[&str]| {
        let mut value = table.get("tool")?;
        for key in path {
            value = value.get(key)?;
        }
        Some(value)
    };
    let mut out = Vec::new();
    let mut add = |value: Option<&toml::Value>| match value {
        Some(toml::Value::String(directory)) => out.push(directory.clone()),
        Some(toml::Value::Array(items)) => out.extend(items.iter().filter_map(|item| Some(item.as_str()?.to_owned()))),
        _ => {}
    };
    add(at(&["setuptools", "packages", "find", "where"]));
    add(at(&["hatch", "build", "targets", "wheel", "sources"]));
    add(at(&["hatch", "build", "sources"]));
    add(at(&["pdm", "build", "package-dir"]));
    add(at(&["uv", "build-backend", "module-root"]));
    add(at(&["maturin", "python-source"]));
    add(at(&["pytest", "ini_options", "pythonpath"]));
    for packages in [at(&["hatch", "build", "targets", "wheel", "packages"]), at(&["hatch", "build", "packages"])] {
        let packages = packages.and_then(toml::Value::as_array).into_iter().flatten();
        out.extend(packages.filter_map(|package| Some(package.as_str()?.rsplit_once('/')?.0.to_owned())));
    }
    if let Some(directories) = at(&["setuptools", "package-dir"]).and_then(toml::Value::as_table) {
        out.extend(directories.iter().filter_map(|(name, directory)| of_package(name, directory.as_str()?)));
    }
    for package in at(&["poetry", "packages"]).and_then(toml::Value::as_array).into_iter().flatten() {
        out.extend(package.get("from").and_then(toml::Value::as_str).map(str::to_owned));
    }
    out
}

/// The root that puts a package into this directory.
fn of_package(name: &str, directory: &str) -> Option<String> {
    let path = name.replace('.', "/");
    match directory.strip_suffix(&path) {
        _ if name.is_empty() => Some(directory.to_owned()),
        Some("") => Some(String::new()),
        Some(root) => root.strip_suffix('/').map(str::to_owned),
        None => None,
    }
}

/// `package_dir` of `[options]` and `where` of `[options.packages.find]`.
fn of_setup_cfg(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut section, mut key) = (String::new(), String::new());
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim().to_owned();
            key.clear();
            continue;
        }
        let continued = line.starts_with([' ', '\t']);
        let value = match trimmed.split_once(['=', ':']) {
            Some((name, value)) if !continued => {
                key = name.trim().replace('-', "_");
                value.trim()
            }
            _ => trimmed,
        };
        match (&section[..], &key[..]) {
            ("options.packages.find" | "options.packages.find_namespace", "where") => out.push(value.to_owned()),
            ("options", "package_dir") => {
                if let Some((name, directory)) = value.split_once('=') {
                    out.extend(of_package(name.trim(), directory.trim()));
                }
            }
            _ => {}
        }
    }
    out.retain(|directory| !directory.is_empty());
    out
}
