//! Module rules of TypeScript and JavaScript, over the snapshot only.
//!
//! The algorithms are those of <https://www.typescriptlang.org/docs/handbook/modules/reference.html> and
//! <https://nodejs.org/api/esm.html#resolution-algorithm>, with one difference: where a package points at what is built
//! from it, the source is looked for, since what is built is not in a repository.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::packages::{self, Packages, scope_of, sources_of, split_name, without_extension};
use super::patterns::best_match;
use super::tsconfig::{self, Config, Configs};
use crate::languages::{Layout, Look, Modules, Request, Resolved};
use crate::names::{Dialect, ModuleName, RepoPath};
use crate::paths::{below, join, parent};

/// Extensions of modules, in the order in which they are taken.
const EXTENSIONS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/// What an extension of output may be written for, the source first.
const WRITTEN_FOR: [(&str, &[&str]); 4] = [
    ("js", &["ts", "tsx", "js", "jsx"]),
    ("jsx", &["tsx", "ts", "jsx"]),
    ("mjs", &["mts", "mjs"]),
    ("cjs", &["cts", "cjs"]),
];

/// Directories whose files are tests (if they have test blocks).
const TEST_DIRECTORIES: [&str; 9] =
    ["__tests__", "__test__", "test", "tests", "spec", "specs", "e2e", "cypress", "playwright"];

/// Most steps from one name to another (`#a` to a package to a path).
const MAX_STEPS: u32 = 8;

// Keys of what many files share.
/// Followed by a package's name: its directories.
const NAMED: &str = "package:";
/// Followed by a directory: what its `package.json` says.
const PACKAGE: &str = "package.json:";

/// The modules of a snapshot, with the packages and configurations that decide where imports lead.
pub(super) struct TypeScriptModules {
    layout: Arc<Layout>,
    packages: Packages,
    configs: Configs,
}

impl TypeScriptModules {
    pub(super) fn new(layout: &Arc<Layout>) -> TypeScriptModules {
        let packages = Packages::new(layout);
        let configs = Configs::new(layout, &packages);
        TypeScriptModules { layout: layout.clone(), packages, configs }
    }

    fn own_files(&self) -> impl Iterator<Item = &RepoPath> {
        let own = |dialect: Dialect| matches!(dialect, Dialect::TypeScript | Dialect::Tsx | Dialect::JavaScript);
        self.layout.files.iter().filter(move |(_, dialect)| own(*dialect)).map(|(path, _)| path)
    }
}

/// One request, with what was looked at.
struct Search<'a, 'l> {
    modules: &'a TypeScriptModules,
    looked: &'l mut dyn FnMut(Look),
    from: &'a str,
}

impl<'a> Search<'a, '_> {
    // ------------------------------------------------------------------------------------------------------ files

    fn file(&mut self, path: String) -> Option<String> {
        let found = self.modules.layout.has_file(&path);
        (self.looked)(Look::File(path.clone()));
        found.then_some(path)
    }

    /// A file by its path with or without extension, or what a built file of that path is written for.
    fn file_or_source(&mut self, path: &str) -> Option<String> {
        let name = path.rsplit('/').next().unwrap_or_default();
        if let Some((stem, extension)) =
            name.rsplit_once('.').map(|(_, extension)| (&path[..path.len() - extension.len() - 1], extension))
        {
            if let Some((_, sources)) = WRITTEN_FOR.iter().find(|(written, _)| *written == extension) {
                let found = sources.iter().find_map(|source| self.file(format!("{stem}.{source}")));
                if found.is_some() {
                    return found;
                }
            } else if EXTENSIONS.contains(&extension) {
                return self.file(path.to_owned());
            }
        }
        EXTENSIONS.iter().find_map(|extension| self.file(format!("{path}.{extension}")))
    }

    /// A file, or a directory with a `package.json` or an index.
    fn file_or_directory(&mut self, path: &str) -> Option<String> {
        if !path.is_empty()
            && let Some(file) = self.file_or_source(path)
        {
            return Some(file);
        }
        (self.looked)(Look::Directory(path.to_owned()));
        if !self.modules.layout.has_directory(path) {
            return None;
        }
        if let Some(file) = self.package_main(path) {
            return Some(file);
        }
        let index = join(path, "index")?;
        EXTENSIONS.iter().find_map(|extension| self.file(format!("{index}.{extension}")))
    }

    fn package_main(&mut self, directory: &str) -> Option<String> {
        (self.looked)(Look::Configuration(format!("{PACKAGE}{directory}")));
        let package = self.modules.packages.get(directory)?;
        package.targets("").iter().find_map(|target| self.target(directory, target))
    }

    // --------------------------------------------------------------------------------------------------- packages

    /// What a package gives under a sub-path.
    fn in_package(&mut self, directory: &str, subpath: &str) -> Option<String> {
        (self.looked)(Look::Configuration(format!("{PACKAGE}{directory}")));
        let package = self.modules.packages.get(directory)?;
        let targets = package.targets(subpath);
        for target in &targets {
            if let Some(found) = self.target(directory, target) {
                return Some(found);
            }
        }
        if subpath.is_empty() {
            let customary = ["src/index", "index", "src/main", "lib/index", "source/index"];
            return customary.iter().find_map(|path| self.file_or_source(&join(directory, path)?));
        }
        let direct = join(directory, subpath)?;
        if let Some(found) = self.file_or_directory(&direct) {
            return Some(found);
        }
        let mut sources = sources_of(subpath);
        sources.push(format!("src/{}", without_extension(subpath)));
        sources.iter().find_map(|source| self.file_or_directory(&join(directory, source)?))
    }

    /// What a target of a `package.json` means: the file, else the source that it is built from.
    fn target(&mut self, directory: &str, target: &str) -> Option<String> {
        let path = join(directory, target)?;
        if let Some(found) = self.file_or_source(&path) {
            return Some(found);
        }
        if let Some(found) = self.output_source(directory, &path) {
            return Some(found);
        }
        for source in sources_of(target) {
            if let Some(found) = self.file_or_source(&join(directory, &source)?) {
                return Some(found);
            }
        }
        // `"main": "./lib"` is a directory.
        let index = join(&path, "index")?;
        EXTENSIONS.iter().find_map(|extension| self.file(format!("{index}.{extension}")))
    }

    /// The source of a file in the `outDir` of the package's own configuration.
    fn output_source(&mut self, directory: &str, path: &str) -> Option<String> {
        let config_path = join(directory, tsconfig::NAMES[0])?;
        (self.looked)(Look::File(config_path.clone()));
        let config = self.modules.configs.get(&config_path)?;
        (self.looked)(Look::Configuration(tsconfig::key(&config_path)));
        let config: &'a Config = config;
        for out in &config.out_dirs {
            let Some(inside) = below(path, out).filter(|inside| !inside.is_empty()) else { continue };
            let stem = without_extension(inside);
            let src = join(directory, "src")?;
            for root in config.root_dir.as_deref().into_iter().chain([src.as_str(), directory]) {
                if let Some(found) = self.file_or_source(&join(root, stem)?) {
                    return Some(found);
                }
            }
        }
        None
    }

    // ------------------------------------------------------------------------------------------------- specifiers

    fn resolve(&mut self, specifier: &str, steps: u32) -> Resolved {
        let Some(steps) = steps.checked_sub(1) else { return Resolved::Missing };
        // Bundlers take a query behind the path (`./a.svg?url`).
        let specifier = specifier.split(['?']).next().unwrap_or_default();
        if specifier == "." || specifier == ".." || specifier.starts_with("./") || specifier.starts_with("../") {
            return self.relative(specifier);
        }
        if specifier.starts_with('#')
            && let Some(found) = self.internal(specifier, steps)
        {
            return found;
        }
        if specifier.is_empty() || specifier.starts_with('/') || specifier.contains(':') {
            return Resolved::External;
        }
        if let Some(found) = self.by_configuration(specifier) {
            return file(found);
        }
        match self.by_package(specifier) {
            Resolved::External if self.is_mapped(specifier) && !is_asset(specifier) => Resolved::Missing,
            found => found,
        }
    }

    /// Whether the configuration maps a name, and not just every name, to the project.
    fn is_mapped(&mut self, specifier: &str) -> bool {
        let Some(config) = self.config() else { return false };
        let patterns = config.paths.keys().map(String::as_str).filter(|pattern| *pattern != "*");
        best_match(patterns, specifier).is_some()
    }

    fn relative(&mut self, specifier: &str) -> Resolved {
        let Some(path) = join(parent(self.from), specifier) else { return Resolved::External };
        if let Some(found) = self.file_or_directory(&path) {
            return file(found);
        }
        if let Some(found) = self.in_root_dirs(&path) {
            return file(found);
        }
        // Styles, images, components of other languages.
        let name = path.rsplit('/').next().unwrap_or_default();
        let other = name.rsplit_once('.').is_some_and(|(_, extension)| {
            extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !EXTENSIONS.contains(&extension)
        });
        if other && (self.modules.layout.has_file(&path) || is_asset(name)) {
            Resolved::External
        } else {
            Resolved::Missing
        }
    }

    /// `rootDirs`: the same place in another of the merged directories.
    fn in_root_dirs(&mut self, path: &str) -> Option<String> {
        let config = self.config()?;
        let inside = config.root_dirs.iter().filter_map(|root| below(path, root)).min_by_key(|inside| inside.len())?;
        config.root_dirs.iter().find_map(|root| self.file_or_directory(&join(root, inside)?))
    }

    fn config(&mut self) -> Option<&'a Config> {
        self.modules.configs.of(self.from, &mut *self.looked)
    }

    /// `paths` and `baseUrl` of the nearest configuration.
    fn by_configuration(&mut self, specifier: &str) -> Option<String> {
        let config = self.config()?;
        if let Some((pattern, star)) = best_match(config.paths.keys().map(String::as_str), specifier) {
            for target in &config.paths[pattern] {
                let path = target.replacen('*', star, 1);
                if let Some(found) = self.file_or_directory(&path) {
                    return Some(found);
                }
                if let Some(found) = self.built_path(&path) {
                    return Some(found);
                }
            }
        }
        let base = config.base_url.as_deref()?;
        self.file_or_directory(&join(base, specifier)?)
    }

    /// A path of the configuration that leads into a package's built files.
    fn built_path(&mut self, path: &str) -> Option<String> {
        let directory = scope_of(&self.modules.packages, path)?;
        let inside = below(path, directory).filter(|inside| !inside.is_empty())?;
        sources_of(inside).iter().find_map(|source| self.file_or_directory(&join(directory, source)?))
    }

    /// `#name` by the `imports` of the package that the file belongs to.
    fn internal(&mut self, specifier: &str, steps: u32) -> Option<Resolved> {
        let directory = scope_of(&self.modules.packages, self.from)?;
        (self.looked)(Look::Configuration(format!("{PACKAGE}{directory}")));
        let package = self.modules.packages.get(directory)?;
        for target in package.imports(specifier) {
            if !target.starts_with('.') {
                return Some(self.resolve(&target, steps));
            }
            if let Some(found) = self.target(directory, &target) {
                return Some(file(found));
            }
        }
        None
    }

    /// A package of the repository by name: the file's own, or one of its workspace.
    fn by_package(&mut self, specifier: &str) -> Resolved {
        let Some((name, subpath)) = split_name(specifier) else { return Resolved::External };
        let packages = &self.modules.packages;
        let scope = scope_of(packages, self.from);
        if let Some(directory) = scope {
            (self.looked)(Look::Configuration(format!("{PACKAGE}{directory}")));
        }
        let own = scope.filter(|directory| packages.get(directory).and_then(packages::Package::name) == Some(name));
        (self.looked)(Look::Configuration(format!("{NAMED}{name}")));
        let directory = own.or_else(|| packages.directory_of(name, parent(self.from)));
        let Some(directory) = directory else { return Resolved::External };
        match self.in_package(directory, subpath) {
            Some(found) => file(found),
            None if is_asset(specifier) => Resolved::External,
            None => Resolved::Missing,
        }
    }
}

fn file(path: String) -> Resolved {
    Resolved::File(RepoPath::from_escaped(&path))
}

/// Whether a name is that of a file that no script is, as far as extensions tell.
fn is_asset(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    const ASSETS: [&str; 32] = [
        "json", "css", "scss", "sass", "less", "styl", "svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "ico",
        "mp3", "mp4", "webm", "wav", "woff", "woff2", "ttf", "otf", "vue", "svelte", "astro", "html", "md", "mdx",
        "txt", "graphql", "wasm", "node",
    ];
    ASSETS.contains(&extension)
}

impl Modules for TypeScriptModules {
    /// Paths without extension; where two files would have one name, the first of [`EXTENSIONS`] has it and the others
    /// keep theirs.
    fn names(&self) -> Vec<(RepoPath, ModuleName)> {
        let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
        let rank = |path: &RepoPath| EXTENSIONS.iter().position(|e| *e == path.extension()).unwrap_or(usize::MAX);
        for path in self.own_files() {
            let owner = owners.entry(stem(path)).or_insert(usize::MAX);
            *owner = (*owner).min(rank(path));
        }
        let name = |path: &RepoPath| match owners.get(stem(path)) {
            Some(&owner) if owner == rank(path) => ModuleName(stem(path).into()),
            _ => ModuleName(path.as_str().into()),
        };
        self.own_files().map(|path| (path.clone(), name(path))).collect()
    }

    fn resolve(&self, request: Request<'_>, looked: &mut dyn FnMut(Look)) -> Resolved {
        Search { modules: self, looked, from: request.from }.resolve(request.module, MAX_STEPS)
    }

    /// Modules have no modules below them.
    fn child(&self, _: &Resolved, _: &str, _: &mut dyn FnMut(Look)) -> Resolved {
        Resolved::Missing
    }

    fn configuration(&self, key: &str) -> String {
        if let Some(name) = key.strip_prefix(NAMED) {
            return self.packages.named(name).join("\n");
        }
        if let Some(directory) = key.strip_prefix(PACKAGE) {
            return self.packages.get(directory).map_or_else(String::new, |package| package.content.clone());
        }
        let config = key.strip_prefix("tsconfig:").and_then(|path| self.configs.get(path));
        config.map_or_else(String::new, |config| format!("{config:?}"))
    }

    fn configuration_keys(&self) -> Vec<String> {
        let names = self.packages.names().map(|name| format!("{NAMED}{name}"));
        let directories = self.packages.directories().map(|directory| format!("{PACKAGE}{directory}"));
        let configs = self.configs.paths().map(tsconfig::key);
        let keys: BTreeSet<String> = names.chain(directories).chain(configs).collect();
        keys.into_iter().collect()
    }

    fn is_test_file(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        let marked = [".test.", ".spec.", "-test.", "_test.", ".cy.", ".e2e."].iter().any(|mark| name.contains(mark));
        marked || parent(path).split('/').any(|directory| TEST_DIRECTORIES.contains(&directory))
    }

    fn fixture_files(&self, _: &str, _: &mut dyn FnMut(Look)) -> Vec<RepoPath> {
        Vec::new()
    }

    /// `cart.test.ts` → `cart.ts` beside it, above its `__tests__`, or in the same place below the sources.
    fn tested_by_name(&self, path: &str, looked: &mut dyn FnMut(Look)) -> Option<RepoPath> {
        let name = without_extension(path.rsplit('/').next()?);
        let marks = [".test", ".spec", "-test", "_test", "-spec", ".cy", ".e2e"];
        let tested = marks.iter().find_map(|mark| name.strip_suffix(mark)).unwrap_or(name);
        let directory = parent(path);
        let mut places = vec![directory.to_owned()];
        let parts: Vec<&str> = directory.split('/').collect();
        if let Some(at) = parts.iter().rposition(|part| TEST_DIRECTORIES.contains(part)) {
            let (above, inside) = (parts[..at].join("/"), parts[at + 1..].join("/"));
            places.extend(
                ["", "src", "lib"]
                    .iter()
                    .filter_map(|source| join(&above, source))
                    .filter_map(|base| join(&base, &inside)),
            );
        }
        let mut search = Search { modules: self, looked, from: path };
        let mut found: BTreeSet<String> = BTreeSet::new();
        for place in places {
            let Some(stem) = join(&place, tested) else { continue };
            let file = EXTENSIONS.iter().find_map(|extension| search.file(format!("{stem}.{extension}")));
            found.extend(file.filter(|file| file != path));
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(only), None) => Some(RepoPath::from_escaped(&only)),
            _ => None,
        }
    }
}

/// A path without its last extension.
fn stem(path: &RepoPath) -> &str {
    let path = path.as_str();
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules for files: sources by path alone, configurations with their text.
    fn rules(files: &[(&str, &str)]) -> TypeScriptModules {
        let mut layout = Layout::default();
        for (path, text) in files {
            let dialect = match path.rsplit_once('.').map(|(_, extension)| extension) {
                Some("json" | "yaml") => Dialect::Configuration,
                Some("tsx") => Dialect::Tsx,
                Some("ts" | "mts" | "cts") => Dialect::TypeScript,
                _ => Dialect::JavaScript,
            };
            layout.files.push((RepoPath::from_escaped(path), dialect));
            if dialect == Dialect::Configuration {
                layout.configurations.insert(RepoPath::from_escaped(path), (*text).to_owned());
            }
        }
        layout.files.sort();
        TypeScriptModules::new(&Arc::new(layout))
    }

    /// Where specifiers lead from a file: a path, `external` or `missing`.
    #[track_caller]
    fn leads(rules: &TypeScriptModules, from: &str, expected: &[(&str, &str)]) {
        for (module, target) in expected {
            let found = rules.resolve(Request { from, module, level: 0 }, &mut |_| {});
            let found = match &found {
                Resolved::File(path) => path.as_str(),
                Resolved::Namespace(path) => path,
                Resolved::External => "external",
                Resolved::Missing => "missing",
            };
            assert_eq!(found, *target, "{module} from {from}");
        }
    }

    #[test]
    fn relative_specifiers_lead_to_files_sources_of_outputs_and_indexes() {
        let files = ["src/a.ts", "src/b.tsx", "src/c.mts", "src/d.js", "src/e/index.ts", "src/f.config.ts", "src/g.ts"];
        let rules = rules(&files.map(|file| (file, "")));
        let expected = [
            ("./b", "src/b.tsx"),
            ("./a.js", "src/a.ts"),
            ("./b.jsx", "src/b.tsx"),
            ("./c.mjs", "src/c.mts"),
            ("./d", "src/d.js"),
            ("./d.js", "src/d.js"),
            ("./e", "src/e/index.ts"),
            ("./e/", "src/e/index.ts"),
            ("./e/index.js", "src/e/index.ts"),
            ("./f.config", "src/f.config.ts"),
            ("./g.ts?raw", "src/g.ts"),
            ("./no", "missing"),
            ("./style.css", "external"),
            ("react", "external"),
            ("node:fs", "external"),
            ("../../x", "external"),
        ];
        leads(&rules, "src/main.ts", &expected);
        leads(&rules, "src/e/x.ts", &[("..", "missing"), (".", "src/e/index.ts"), ("../a", "src/a.ts")]);
    }

    #[test]
    fn the_nearest_configuration_decides_with_what_it_extends_and_refers_to() {
        let rules = rules(&[
            (
                "tsconfig.base.json",
                r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*",], /* x */ "~x": ["lib/x.ts"] } } }"#,
            ),
            ("tsconfig.json", r#"{ "extends": "./tsconfig.base" }"#),
            (
                "app/tsconfig.json",
                r#"{ "files": [], "references": [{ "path": "./tsconfig.node.json" }, { "path": "./tsconfig.app.json" }] }"#,
            ),
            (
                "app/tsconfig.node.json",
                r#"{ "include": ["vite.config.ts"], "compilerOptions": { "paths": { "@/*": ["./no/*"] } } }"#,
            ),
            (
                "app/tsconfig.app.json",
                r#"{ "include": ["src"], "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
            ),
            ("merged/tsconfig.json", r#"{ "compilerOptions": { "rootDirs": ["src", "gen"] } }"#),
            ("src/a.ts", ""),
            ("lib/x.ts", ""),
            ("app/src/a.ts", ""),
            ("app/src/b.ts", ""),
            ("merged/gen/m.ts", ""),
        ]);
        leads(
            &rules,
            "src/main.ts",
            &[("@/a", "src/a.ts"), ("~x", "lib/x.ts"), ("lib/x", "lib/x.ts"), ("@/no", "missing")],
        );
        leads(&rules, "app/src/main.ts", &[("@/a", "app/src/a.ts"), ("@/b", "app/src/b.ts"), ("~x", "external")]);
        leads(&rules, "merged/src/n.ts", &[("./m", "merged/gen/m.ts")]);
    }

    #[test]
    fn packages_of_a_workspace_lead_to_their_sources() {
        let rules = rules(&[
            ("package.json", r#"{ "workspaces": ["packages/*", "!packages/no"] }"#),
            (
                "packages/a/package.json",
                r##"{ "name": "@o/a", "main": "dist/cjs/index.js", "imports": { "#in/*": "./src/in/*.js" } }"##,
            ),
            ("packages/a/src/index.ts", ""),
            ("packages/a/src/sub/x.ts", ""),
            ("packages/a/src/in/y.ts", ""),
            (
                "packages/b/package.json",
                r#"{ "name": "b", "exports": { ".": { "types": "./lib/main.d.ts", "default": "./lib/main.js" }, "./*": "./lib/parts/*.js" } }"#,
            ),
            ("packages/b/src/main.ts", ""),
            ("packages/b/src/parts/p.ts", ""),
            ("packages/c/package.json", r#"{ "name": "c", "exports": "./out/x.js" }"#),
            ("packages/c/tsconfig.json", r#"{ "compilerOptions": { "outDir": "out", "rootDir": "code" } }"#),
            ("packages/c/code/x.ts", ""),
            ("packages/no/package.json", r#"{ "name": "no" }"#),
            ("packages/no/index.js", ""),
        ]);
        let expected = [
            ("@o/a", "packages/a/src/index.ts"),
            ("@o/a/sub/x", "packages/a/src/sub/x.ts"),
            ("@o/a/dist/sub/x.js", "packages/a/src/sub/x.ts"),
            ("b", "packages/b/src/main.ts"),
            ("b/p", "packages/b/src/parts/p.ts"),
            ("b/none", "missing"),
            ("c", "packages/c/code/x.ts"),
            ("no", "external"),
            ("@o/unknown", "external"),
        ];
        leads(&rules, "packages/b/src/main.ts", &expected);
        leads(&rules, "packages/a/src/sub/x.ts", &[("#in/y", "packages/a/src/in/y.ts"), ("#out", "external")]);
    }

    #[test]
    fn a_package_of_no_workspace_is_found_as_itself_or_by_a_linked_directory() {
        let rules = rules(&[
            ("a/package.json", r#"{ "name": "a", "dependencies": { "b": "file:../b" } }"#),
            ("a/index.ts", ""),
            ("b/package.json", r#"{ "name": "b" }"#),
            ("b/index.ts", ""),
        ]);
        leads(&rules, "a/x.ts", &[("a", "a/index.ts"), ("b", "b/index.ts")]);
        leads(&rules, "b/x.ts", &[("a", "external")]);
    }

    #[test]
    fn names_lose_their_extension_unless_another_file_has_the_name() {
        let rules = rules(&["a.ts", "a.js", "b.tsx", "b.mts", "c.js"].map(|file| (file, "")));
        let names = rules.names();
        let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["a.js", "a", "b.mts", "b", "c"]);
    }

    #[test]
    fn test_files_are_known_by_name_and_lead_to_what_they_are_named_after() {
        let files =
            ["src/cart.ts", "src/cart.test.ts", "src/__tests__/cart.spec.ts", "test/sub/x.test.js", "src/sub/x.js"];
        let rules = rules(&files.map(|file| (file, "")));
        let tested = |path: &str| rules.tested_by_name(path, &mut |_| {}).map(|path| path.to_string());
        for test in &files[1..4] {
            assert!(rules.is_test_file(test), "{test}");
        }
        assert!(!rules.is_test_file("src/cart.ts") && !rules.is_test_file("src/latest.ts"));
        assert_eq!(tested(files[1]).as_deref(), Some("src/cart.ts"));
        assert_eq!(tested(files[2]).as_deref(), Some("src/cart.ts"));
        assert_eq!(tested(files[3]).as_deref(), Some("src/sub/x.js"));
    }

    #[test]
    fn what_was_looked_at_is_noted_also_when_it_was_not_there() {
        let rules = rules(&[("a/index.ts", "")]);
        let mut looked = Vec::new();
        rules.resolve(Request { from: "main.ts", module: "./a", level: 0 }, &mut |look| looked.push(look));
        assert_eq!(looked[0], Look::File("a.ts".to_owned()));
        assert!(looked.contains(&Look::Directory("a".to_owned())));
        assert_eq!(looked.last(), Some(&Look::File("a/index.ts".to_owned())));
    }
}
