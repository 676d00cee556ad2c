//! `tsconfig.json` and `jsconfig.json`: the options that decide where imports lead
//! (<https://www.typescriptlang.org/tsconfig>).

use std::collections::BTreeMap;

use super::jsonc::{json, texts};
use super::packages::Packages;
use crate::languages::{Layout, Look};
use crate::paths::{ancestors, below, join, parent};

/// Longest chain of `extends`, and of `references` that are looked into.
const MAX_CHAIN: usize = 32;

/// Names of configurations that apply to a directory, the first found.
pub(super) const NAMES: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

/// What one configuration says, `extends` applied.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Config {
    /// The directory that names outside of `paths` are looked up in.
    pub(super) base_url: Option<String>,
    /// Patterns and where they lead, as paths of the snapshot with a `*`.
    pub(super) paths: BTreeMap<String, Vec<String>>,
    /// Directories that are merged into one.
    pub(super) root_dirs: Vec<String>,
    /// Where sources are and where their output goes, to find the source of a built file.
    pub(super) root_dir: Option<String>,
    pub(super) out_dirs: Vec<String>,
    /// Paths of the configurations it refers to.
    pub(super) references: Vec<String>,
    /// The directories that `include` begins with; `None`: everything below the configuration.
    include: Option<Vec<String>>,
}

/// The configurations of a snapshot by path.
pub(super) struct Configs {
    by_path: BTreeMap<String, Config>,
}

impl Configs {
    pub(super) fn new(layout: &Layout, packages: &Packages) -> Configs {
        let mut by_path = BTreeMap::new();
        for path in layout.configurations.keys() {
            let name = path.file_name();
            if name.ends_with(".json") && name != "package.json" {
                by_path.insert(path.as_str().to_owned(), read(layout, packages, path.as_str(), MAX_CHAIN));
            }
        }
        Configs { by_path }
    }

    /// The paths of all configurations.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(String::as_str)
    }

    /// The configuration in a file.
    pub(super) fn get(&self, path: &str) -> Option<&Config> {
        self.by_path.get(path)
    }

    /// The configuration that applies to a file: the nearest above it, or one that this refers to and that takes the
    /// file in (a "solution" such as Vite's, whose `tsconfig.json` only lists others).
    pub(super) fn of(&self, file: &str, looked: &mut dyn FnMut(Look)) -> Option<&Config> {
        let nearest = ancestors(parent(file)).find_map(|directory| {
            NAMES.iter().find_map(|name| {
                let path = join(directory, name)?;
                looked(Look::File(path.clone()));
                self.by_path.contains_key(&path).then_some(path)
            })
        })?;
        looked(Look::Configuration(key(&nearest)));
        let config = self.by_path.get(&nearest)?;
        if !config.paths.is_empty() || config.base_url.is_some() {
            return Some(config);
        }
        for referred in config.references.iter().take(MAX_CHAIN) {
            looked(Look::Configuration(key(referred)));
            if let Some(other) = self.by_path.get(referred)
                && other.takes(referred, file)
                && (!other.paths.is_empty() || other.base_url.is_some())
            {
                return Some(other);
            }
        }
        Some(config)
    }
}

/// The key of a configuration for [`Look::Configuration`].
pub(super) fn key(path: &str) -> String {
    format!("tsconfig:{path}")
}

impl Config {
    fn takes(&self, own: &str, file: &str) -> bool {
        match &self.include {
            Some(include) => include.iter().any(|directory| below(file, directory).is_some()),
            None => below(file, parent(own)).is_some(),
        }
    }
}

fn read(layout: &Layout, packages: &Packages, path: &str, chain: usize) -> Config {
    let Some(value) = layout.configurations.get(path).and_then(|text| json(text)) else { return Config::default() };
    let directory = parent(path);
    let mut config = Config::default();
    if let Some(rest) = chain.checked_sub(1) {
        for base in texts(&value["extends"]) {
            if let Some(base) = extended(layout, packages, directory, base) {
                let base = read(layout, packages, &base, rest);
                config = Config { references: Vec::new(), ..merged(config, base) };
            }
        }
    }
    let options = &value["compilerOptions"];
    let directory_of = |text: &str| join(directory, text.strip_prefix("${configDir}").unwrap_or(text));
    if let Some(base) = options["baseUrl"].as_str() {
        config.base_url = directory_of(base);
    }
    if let Some(paths) = options["paths"].as_object() {
        let base = config.base_url.clone().unwrap_or_else(|| directory.to_owned());
        let place = |target: &str| match target.strip_prefix("${configDir}/") {
            Some(target) => join(directory, target),
            None => join(&base, target),
        };
        config.paths = paths
            .iter()
            .map(|(pattern, targets)| (pattern.clone(), texts(targets).into_iter().filter_map(place).collect()))
            .collect();
    }
    if options["rootDirs"].is_array() {
        config.root_dirs = texts(&options["rootDirs"]).into_iter().filter_map(directory_of).collect();
    }
    if let Some(root) = options["rootDir"].as_str() {
        config.root_dir = directory_of(root);
    }
    for key in ["outDir", "declarationDir"] {
        if let Some(out) = options[key].as_str().and_then(directory_of) {
            config.out_dirs.push(out);
        }
    }
    for reference in value["references"].as_array().into_iter().flatten() {
        if let Some(target) = reference["path"].as_str().and_then(|target| join(directory, target)) {
            let file = if target.ends_with(".json") { Some(target) } else { join(&target, NAMES[0]) };
            config.references.extend(file);
        }
    }
    if value["include"].is_array() || value["files"].is_array() {
        let parts = texts(&value["include"]).into_iter().chain(texts(&value["files"]));
        let fixed = parts.map(|part| part.split(['*', '?']).next().unwrap_or_default().trim_end_matches('/'));
        config.include = Some(fixed.filter_map(directory_of).collect());
    }
    config
}

/// What a later base says wins.
fn merged(before: Config, later: Config) -> Config {
    Config {
        base_url: later.base_url.or(before.base_url),
        paths: if later.paths.is_empty() { before.paths } else { later.paths },
        root_dirs: if later.root_dirs.is_empty() { before.root_dirs } else { later.root_dirs },
        root_dir: later.root_dir.or(before.root_dir),
        out_dirs: if later.out_dirs.is_empty() { before.out_dirs } else { later.out_dirs },
        references: Vec::new(),
        include: later.include.or(before.include),
    }
}

/// The configuration that `extends` names: a path, or a file of a package of the repository.
fn extended(layout: &Layout, packages: &Packages, directory: &str, text: &str) -> Option<String> {
    let base = if text.starts_with('.') {
        join(directory, text)?
    } else {
        let (name, rest) = super::packages::split_name(text)?;
        let package = packages.directory_of(name, directory)?;
        join(package, if rest.is_empty() { NAMES[0] } else { rest })?
    };
    let candidates = [base.clone(), format!("{base}.json"), format!("{base}/{}", NAMES[0])];
    candidates.into_iter().find(|path| layout.configurations.contains_key(path.as_str()))
}
