//! `package.json` and workspaces: packages of the repository by name, and what they give under a sub-path.
//!
//! <https://nodejs.org/api/packages.html>, <https://docs.npmjs.com/cli/using-npm/workspaces>,
//! <https://pnpm.io/pnpm-workspace_yaml>.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::Value;

use super::jsonc::{json, texts};
use super::patterns::best_match;
use crate::languages::Layout;
use crate::paths::{ancestors, below, join, parent};

/// Deepest nesting of conditions in `exports` that is followed.
const MAX_CONDITIONS: u32 = 16;
/// Directories that hold what is built; the sources of what is in them lie elsewhere.
const BUILT: [&str; 24] = [
    "dist",
    "lib",
    "build",
    "out",
    "output",
    "esm",
    "cjs",
    "es",
    "umd",
    "types",
    "typings",
    "commonjs",
    "module",
    "modules",
    "node",
    "browser",
    "es5",
    "es6",
    "es2015",
    "esnext",
    "dts",
    "declarations",
    "generated",
    "production",
];
/// Where the sources of a package are, by custom.
const SOURCES: [&str; 2] = ["src", "source"];

/// A `package.json`.
#[derive(Debug)]
pub(super) struct Package {
    value: Value,
    /// What of it decides where imports lead, as text.
    pub(super) content: String,
}

/// The packages of a snapshot.
#[derive(Debug, Default)]
pub(super) struct Packages {
    /// By directory.
    by_directory: BTreeMap<String, Package>,
    /// Directories by name, of packages that belong to a workspace; sorted.
    by_name: BTreeMap<String, Vec<String>>,
}

/// The parts of a `package.json` that imports depend on, beside dependencies that are directories.
const RELEVANT: [&str; 11] =
    ["name", "main", "module", "source", "types", "typings", "browser", "exports", "imports", "type", "workspaces"];
/// Where dependencies are declared.
const DEPENDENCIES: [&str; 3] = ["dependencies", "devDependencies", "peerDependencies"];
/// How a dependency says that it is a directory.
const LINKS: [&str; 3] = ["file:", "link:", "portal:"];

impl Packages {
    pub(super) fn new(layout: &Layout) -> Packages {
        let mut packages = Packages::default();
        for (path, text) in &layout.configurations {
            if path.file_name() != "package.json" {
                continue;
            }
            let Some(value) = json(text).filter(Value::is_object) else { continue };
            let parts: Vec<(&str, &Value)> = RELEVANT.iter().map(|key| (*key, &value[*key])).collect();
            let content =
                serde_json::to_string(&(parts, links(&value))).expect("values of JSON can be written as JSON");
            packages.by_directory.insert(path.directory().to_owned(), Package { value, content });
        }
        packages.find_members(layout);
        packages
    }

    /// Which packages belong to a workspace, and may be imported by name from all of it.
    fn find_members(&mut self, layout: &Layout) {
        let mut roots: Vec<(String, GlobSet, GlobSet)> = Vec::new();
        for (directory, package) in &self.by_directory {
            let listed = match &package.value["workspaces"] {
                Value::Object(object) => texts(object.get("packages").unwrap_or(&Value::Null)),
                list => texts(list),
            };
            if !listed.is_empty() {
                roots.push(member_globs(directory, listed.into_iter()));
            }
        }
        for (path, text) in &layout.configurations {
            if path.file_name() == "pnpm-workspace.yaml" {
                let listed = pnpm_packages(text);
                roots.push(member_globs(path.directory(), listed.iter().map(String::as_str)));
            }
        }
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (directory, package) in &self.by_directory {
            let Some(name) = package.value["name"].as_str() else { continue };
            let member = roots.iter().any(|(root, taken, left_out)| {
                below(directory, root)
                    .is_some_and(|inside| inside.is_empty() || taken.is_match(inside) && !left_out.is_match(inside))
            });
            if member {
                by_name.entry(name.to_owned()).or_default().push(directory.clone());
            }
        }
        self.by_name = by_name;
    }

    /// The names under which packages are found.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// The directories that hold a `package.json`.
    pub(super) fn directories(&self) -> impl Iterator<Item = &str> {
        self.by_directory.keys().map(String::as_str)
    }

    /// The package in a directory.
    pub(super) fn get(&self, directory: &str) -> Option<&Package> {
        self.by_directory.get(directory)
    }

    /// All directories of a name.
    pub(super) fn named(&self, name: &str) -> &[String] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The directory of a package by name, seen from a directory: of several, the one that shares most of its path.
    pub(super) fn directory_of(&self, name: &str, from: &str) -> Option<&str> {
        let shared = |directory: &str| directory.split('/').zip(from.split('/')).take_while(|(a, b)| a == b).count();
        let mut best: Option<&str> = None;
        for directory in self.named(name) {
            if best.is_none_or(|best| shared(directory) > shared(best)) {
                best = Some(directory);
            }
        }
        best.or_else(|| self.linked(name, from))
    }

    /// A dependency that is declared as a directory: `"file:../other"`, `"link:…"`, `"portal:…"`.
    fn linked(&self, name: &str, from: &str) -> Option<&str> {
        let (own, package) = ancestors(from).find_map(|at| Some((at, self.by_directory.get(at)?)))?;
        let (_, path) = links(&package.value).into_iter().find(|(dependency, _)| *dependency == name)?;
        let directory = join(own, path)?;
        self.by_directory.get_key_value(&directory).map(|(directory, _)| directory.as_str())
    }
}

/// The dependencies that are declared as directories, with the directory. The versions of others decide nothing here.
fn links(package: &Value) -> Vec<(&str, &str)> {
    let declared = DEPENDENCIES.iter().filter_map(|kind| package[*kind].as_object()).flatten();
    let written = declared.filter_map(|(name, written)| Some((name.as_str(), written.as_str()?)));
    let link = |written| LINKS.iter().find_map(|prefix| str::strip_prefix(written, prefix));
    written.filter_map(|(name, written)| Some((name, link(written)?))).collect()
}

/// A workspace's root, the globs of its members, and those of directories that are none.
fn member_globs<'a>(root: &str, listed: impl Iterator<Item = &'a str>) -> (String, GlobSet, GlobSet) {
    let mut taken = GlobSetBuilder::new();
    let mut left_out = GlobSetBuilder::new();
    for pattern in listed {
        let (set, pattern) = match pattern.strip_prefix('!') {
            Some(pattern) => (&mut left_out, pattern),
            None => (&mut taken, pattern),
        };
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        if let Ok(glob) = GlobBuilder::new(pattern).literal_separator(true).build() {
            set.add(glob);
        }
    }
    let built = |set: GlobSetBuilder| set.build().unwrap_or_else(|_| GlobSet::empty());
    (root.to_owned(), built(taken), built(left_out))
}

/// The list `packages:` of a `pnpm-workspace.yaml`; its other keys do not concern imports.
fn pnpm_packages(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let content = line.split(" #").next().unwrap_or_default();
        if !content.starts_with([' ', '\t', '-', '#']) && !content.trim().is_empty() {
            inside = content.trim_end().trim_end_matches(':') == "packages";
            continue;
        }
        if let Some(item) = content.trim().strip_prefix('-').filter(|_| inside) {
            found.push(item.trim().trim_matches(['"', '\'']).to_owned());
        }
    }
    found
}

/// The package of a bare specifier, and what follows: `@a/b/c/d` → `@a/b`, `c/d`.
pub(super) fn split_name(specifier: &str) -> Option<(&str, &str)> {
    let scoped = specifier.starts_with('@');
    let mut ends = specifier.match_indices('/').map(|(at, _)| at);
    let end = if scoped { ends.nth(1) } else { ends.next() };
    if scoped && !specifier.contains('/') || specifier.is_empty() {
        return None;
    }
    Some(match end {
        Some(end) => (&specifier[..end], &specifier[end + 1..]),
        None => (specifier, ""),
    })
}

impl Package {
    /// Where a sub-path of the package may lead, as paths below it, best first. `""` is the package itself.
    pub(super) fn targets(&self, subpath: &str) -> Vec<String> {
        let mut found = Vec::new();
        let exports = &self.value["exports"];
        let key = if subpath.is_empty() { ".".to_owned() } else { format!("./{subpath}") };
        if let Some(source) = self.value["source"].as_str().filter(|_| subpath.is_empty()) {
            found.push(source.to_owned());
        }
        entries(exports, &key, &mut found);
        if subpath.is_empty() {
            let fields = ["types", "typings", "module", "main", "browser"];
            found.extend(fields.iter().filter_map(|field| self.value[*field].as_str()).map(str::to_owned));
        }
        found
    }

    /// Where a name that begins with `#` may lead: paths below the package (`./…`), or other packages.
    pub(super) fn imports(&self, specifier: &str) -> Vec<String> {
        let mut found = Vec::new();
        entries(&self.value["imports"], specifier, &mut found);
        found
    }

    /// What the package calls itself.
    pub(super) fn name(&self) -> Option<&str> {
        self.value["name"].as_str()
    }
}

/// The targets that a map of `exports` or `imports` has for a key.
fn entries(map: &Value, key: &str, found: &mut Vec<String>) {
    let keyed = map.as_object().filter(|map| map.keys().any(|key| key.starts_with(['.', '#'])));
    match keyed {
        Some(map) => {
            if let Some((pattern, star)) = best_match(map.keys().map(String::as_str), key) {
                conditions(&map[pattern], star, MAX_CONDITIONS, found);
            }
        }
        // `"exports": "./x.js"` and `"exports": { "import": … }` speak of the package itself.
        None if key == "." => conditions(map, "", MAX_CONDITIONS, found),
        None => {}
    }
}

/// All targets of a value, in the order of its conditions: which of them applies depends on who runs the code, and they
/// are built from the same source.
fn conditions(value: &Value, star: &str, depth: u32, found: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::String(target) => found.push(target.replace('*', star)),
        Value::Array(items) => items.iter().for_each(|item| conditions(item, star, depth, found)),
        Value::Object(map) => {
            let first = ["source", "development"];
            for key in first {
                if let Some(value) = map.get(key) {
                    conditions(value, star, depth, found);
                }
            }
            let others = map.iter().filter(|(key, _)| !first.contains(&key.as_str()));
            others.for_each(|(_, value)| conditions(value, star, depth, found));
        }
        _ => {}
    }
}

/// Where the source of a built file may be, as paths without extension below the package, best first:
/// `dist/esm/a.js` → `src/esm/a`, `src/a`, `esm/a`, `a`.
pub(super) fn sources_of(target: &str) -> Vec<String> {
    let stem = without_extension(target.trim_start_matches("./"));
    let mut found = Vec::new();
    let mut rest = stem;
    while let Some((first, after)) = rest.split_once('/') {
        let word = first.trim_start_matches('.');
        let built =
            BUILT.contains(&word) || word.starts_with("dist") || word.starts_with("build") || first.starts_with('.');
        if !built {
            break;
        }
        rest = after;
        for source in SOURCES {
            found.push(format!("{source}/{rest}"));
        }
        found.push(rest.to_owned());
    }
    found
}

/// A path without the extensions of scripts and declarations.
pub(super) fn without_extension(path: &str) -> &str {
    let extensions = [".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
    extensions.iter().find_map(|extension| path.strip_suffix(extension)).unwrap_or(path)
}

/// The directory of the package that a file belongs to.
pub(super) fn scope_of<'p>(packages: &Packages, file: &'p str) -> Option<&'p str> {
    ancestors(parent(file)).find(|directory| packages.get(directory).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specifier_is_a_package_and_a_path_in_it() {
        assert_eq!(split_name("@a/b/c/d"), Some(("@a/b", "c/d")));
        assert_eq!(split_name("a/b"), Some(("a", "b")));
        assert_eq!(split_name("a"), Some(("a", "")));
        assert_eq!(split_name("@a"), None);
    }

    #[test]
    fn the_sources_of_a_built_file_lie_where_built_directories_are_left_out() {
        assert_eq!(sources_of("./dist/index.d.ts"), ["src/index", "source/index", "index"]);
        let nested = sources_of("lib/esm/a/b.js");
        assert_eq!(nested[..3], ["src/esm/a/b", "source/esm/a/b", "esm/a/b"]);
        assert!(nested.contains(&"src/a/b".to_owned()));
        assert!(sources_of("./src/index.ts").is_empty());
    }

    #[test]
    fn pnpm_lists_its_packages_in_yaml() {
        let text = "# all\npackages:\n  - 'packages/*' # ours\n  - \"!**/test\"\ncatalog:\n  - no\n";
        assert_eq!(pnpm_packages(text), ["packages/*", "!**/test"]);
    }

    #[test]
    fn exports_are_read_by_conditions_and_patterns() {
        let value = json(
            r#"{"exports": {".": {"types": "./d.ts", "import": {"node": "./n.js"}}, "./*": "./dist/*.js", "./a/*": null}}"#,
        );
        let package = Package { value: value.unwrap(), content: String::new() };
        assert_eq!(package.targets(""), ["./d.ts", "./n.js"]);
        assert_eq!(package.targets("x/y"), ["./dist/x/y.js"]);
        assert!(package.targets("a/b").is_empty());
    }
}
