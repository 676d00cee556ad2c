//! Module rules of Python: names of files, where imports lead, which files are tests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::roots::source_roots;
use crate::languages::{Layout, Look, Modules, Request, Resolved};
use crate::names::{Dialect, ModuleName, RepoPath};
use crate::paths::{ancestors, below, child, parent};

/// File extensions of modules, in the order in which they are taken.
const EXTENSIONS: [&str; 2] = ["py", "pyi"];

// Keys of what many files share.
const ROOTS: &str = "python:roots";
/// Followed by a top-level name: the source roots in which it is found.
const TOP: &str = "python:top:";
/// Followed by a file name: the files of that name.
const NAMED: &str = "python:named:";

static STANDARD_LIBRARY: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("stdlib.txt").lines().filter(|line| !line.starts_with('#')).collect());

fn is_standard_library(name: &str) -> bool {
    STANDARD_LIBRARY.binary_search(&name).is_ok()
}

/// The modules of a snapshot, and where its source roots are.
pub(super) struct PythonModules {
    layout: Arc<Layout>,
    /// Sorted.
    roots: Vec<String>,
    /// Every top-level name that some source root has, with those roots.
    tops: BTreeMap<String, Vec<String>>,
    /// Paths by file name.
    named: BTreeMap<String, Vec<RepoPath>>,
}

impl PythonModules {
    pub fn new(layout: &Arc<Layout>) -> PythonModules {
        let roots = source_roots(layout);
        let mut tops: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut named: BTreeMap<String, Vec<RepoPath>> = BTreeMap::new();
        // The roots at or above each directory.
        let mut above: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let is_root = |directory: &&str| roots.binary_search_by(|root| root.as_str().cmp(directory)).is_ok();
        for (path, _) in layout.files.iter().filter(|(_, dialect)| *dialect == Dialect::Python) {
            named.entry(path.file_name().to_owned()).or_default().push(path.clone());
            let directory = path.directory();
            for root in above.entry(directory).or_insert_with(|| ancestors(directory).filter(is_root).collect()) {
                let inner = below(path.as_str(), root).expect("the root is above");
                let first = stem(inner.split('/').next().unwrap_or_default());
                tops.entry(first).or_default().insert(*root);
            }
        }
        let owned =
            |(name, roots): (&str, BTreeSet<&str>)| (name.to_owned(), roots.into_iter().map(str::to_owned).collect());
        let tops = tops.into_iter().map(owned).collect();
        PythonModules { layout: layout.clone(), roots, tops, named }
    }

    fn has_file(&self, path: &str, looked: &mut dyn FnMut(Look)) -> bool {
        looked(Look::File(path.to_owned()));
        self.layout.has_file(path)
    }

    fn has_directory(&self, path: &str, looked: &mut dyn FnMut(Look)) -> bool {
        looked(Look::Directory(path.to_owned()));
        self.layout.has_directory(path)
    }

    /// The directory that holds the outermost package around a file, or the file's own when it is in none.
    fn chain_parent<'p>(&self, path: &'p str, looked: &mut dyn FnMut(Look)) -> &'p str {
        let mut directory = parent(path);
        while self.is_package(directory, looked) && !directory.is_empty() {
            directory = parent(directory);
        }
        directory
    }

    fn is_package(&self, directory: &str, looked: &mut dyn FnMut(Look)) -> bool {
        EXTENSIONS.iter().any(|extension| self.has_file(&child(directory, &format!("__init__.{extension}")), looked))
    }

    /// The nearest source root at or above a directory.
    fn root_of<'p>(&self, directory: &'p str) -> &'p str {
        let is_root = |directory: &&str| self.roots.binary_search_by(|root| root.as_str().cmp(directory)).is_ok();
        ancestors(directory).find(is_root).unwrap_or_default()
    }

    /// A module or package directly in a directory; a directory without `__init__` is not taken.
    fn regular(&self, directory: &str, name: &str, looked: &mut dyn FnMut(Look)) -> Option<Resolved> {
        let path = child(directory, name);
        let packages = EXTENSIONS.iter().map(|extension| format!("{path}/__init__.{extension}"));
        let modules = EXTENSIONS.iter().map(|extension| format!("{path}.{extension}"));
        let found = packages.chain(modules).find(|path| self.has_file(path, looked))?;
        Some(Resolved::File(RepoPath::from_escaped(&found)))
    }

    fn in_directory(&self, directory: &str, name: &str, looked: &mut dyn FnMut(Look)) -> Resolved {
        if let Some(found) = self.regular(directory, name, looked) {
            return found;
        }
        let path = child(directory, name);
        if self.has_directory(&path, looked) { Resolved::Namespace(path) } else { Resolved::Missing }
    }

    /// Follows the rest of a dotted name.
    fn follow(&self, from: Resolved, rest: &[&str], looked: &mut dyn FnMut(Look)) -> Resolved {
        let mut at = from;
        for name in rest {
            at = self.child(&at, name, looked);
        }
        at
    }

    fn absolute(&self, request: Request<'_>, looked: &mut dyn FnMut(Look)) -> Resolved {
        let parts: Vec<&str> = request.module.split('.').collect();
        let [top, ref rest @ ..] = parts[..] else { return Resolved::External };
        let home = self.chain_parent(request.from, looked);
        looked(Look::Configuration(ROOTS.to_owned()));
        looked(Look::Configuration(format!("{TOP}{top}")));
        let root = self.root_of(home);
        let with_top = self.tops.get(top).map(Vec::as_slice).unwrap_or_default();
        let mut places: Vec<&str> = vec![home];
        // Who is in no package is looked for last where it stands, so that it cannot hide a source root.
        let in_package = parent(request.from) != home;
        let home_is_root = self.roots.binary_search_by(|root| root.as_str().cmp(home)).is_ok();
        if !in_package && !home_is_root {
            places.clear();
        }
        places.push(root);
        places.extend(with_top.iter().map(String::as_str));
        if !in_package && !is_standard_library(top) {
            places.push(parent(request.from));
        }
        let mut seen: Vec<&str> = Vec::new();
        places.retain(|place| {
            let new = !seen.contains(place);
            seen.push(place);
            new
        });
        for place in &places {
            if let Some(found) = self.regular(place, top, looked) {
                return self.follow(found, rest, looked);
            }
        }
        // Directories without `__init__` come after everything regular, also after what is installed (PEP 420).
        if is_standard_library(top) {
            return Resolved::External;
        }
        let mut namespace = Resolved::External;
        for place in &places {
            let directory = child(place, top);
            if !self.has_directory(&directory, looked) {
                continue;
            }
            match self.follow(Resolved::Namespace(directory), rest, looked) {
                Resolved::Missing | Resolved::External => {
                    if namespace == Resolved::External && with_top.contains(&(*place).to_owned()) {
                        namespace = Resolved::Missing;
                    }
                }
                Resolved::Namespace(directory) if matches!(namespace, Resolved::External | Resolved::Missing) => {
                    namespace = Resolved::Namespace(directory);
                }
                Resolved::Namespace(_) => {}
                file => return file,
            }
        }
        namespace
    }

    fn relative(&self, request: Request<'_>, looked: &mut dyn FnMut(Look)) -> Resolved {
        let mut directory = parent(request.from);
        for _ in 1..request.level {
            if directory.is_empty() {
                return Resolved::Missing;
            }
            directory = parent(directory);
        }
        let package = match self.package(directory, looked) {
            Some(file) => Resolved::File(file),
            None => Resolved::Namespace(directory.to_owned()),
        };
        let rest: Vec<&str> = request.module.split('.').filter(|part| !part.is_empty()).collect();
        self.follow(package, &rest, looked)
    }

    /// The `__init__` file of a directory.
    fn package(&self, directory: &str, looked: &mut dyn FnMut(Look)) -> Option<RepoPath> {
        let files = EXTENSIONS.iter().map(|extension| child(directory, &format!("__init__.{extension}")));
        files.into_iter().find(|path| self.has_file(path, looked)).map(|path| RepoPath::from_escaped(&path))
    }
}

impl Modules for PythonModules {
    fn names(&self) -> Vec<(RepoPath, ModuleName)> {
        let python = self.layout.files.iter().filter(|(_, dialect)| *dialect == Dialect::Python);
        // By name: the files with their source root, the one that an import takes first in each root.
        let mut by_name: BTreeMap<String, Vec<(&str, u8, &RepoPath)>> = BTreeMap::new();
        // The files of a directory have one root.
        let mut roots: FxHashMap<&str, &str> = FxHashMap::default();
        for (path, _) in python {
            let find_root = || self.root_of(self.chain_parent(path.as_str(), &mut |_| {}));
            let root = *roots.entry(path.directory()).or_insert_with(find_root);
            let is_package = stem(path.file_name()) == "__init__";
            let rank = u8::from(!is_package) * 2 + u8::from(path.extension() == "pyi");
            let inner = below(path.as_str(), root).expect("the root is above");
            by_name.entry(dotted(inner)).or_default().push((root, rank, path));
        }
        let mut names = Vec::new();
        let mut taken = BTreeSet::new();
        for (name, mut files) in by_name {
            files.sort();
            let several = files.iter().any(|(root, ..)| *root != files[0].0);
            let mut before = None;
            for (root, _, path) in files {
                let mut id = if several && !root.is_empty() { format!("{root}/{name}") } else { name.clone() };
                if before == Some(root) {
                    id = format!("{id}.{}", path.extension());
                }
                if !taken.insert(id.clone()) {
                    // Only directories with dots in their names can come here.
                    id = path.as_str().to_owned();
                    taken.insert(id.clone());
                }
                before = Some(root);
                names.push((path.clone(), ModuleName(id.into())));
            }
        }
        names.sort();
        names
    }

    fn resolve(&self, request: Request<'_>, looked: &mut dyn FnMut(Look)) -> Resolved {
        if request.level > 0 { self.relative(request, looked) } else { self.absolute(request, looked) }
    }

    fn child(&self, parent_module: &Resolved, name: &str, looked: &mut dyn FnMut(Look)) -> Resolved {
        match parent_module {
            Resolved::File(path) if stem(path.file_name()) == "__init__" => {
                self.in_directory(path.directory(), name, looked)
            }
            Resolved::File(_) => Resolved::Missing,
            Resolved::Namespace(directory) => self.in_directory(directory, name, looked),
            other => other.clone(),
        }
    }

    fn configuration(&self, key: &str) -> String {
        if key == ROOTS {
            self.roots.join("\n")
        } else if let Some(top) = key.strip_prefix(TOP) {
            self.tops.get(top).map(|roots| roots.join("\n") + "\n").unwrap_or_default()
        } else if let Some(name) = key.strip_prefix(NAMED) {
            let paths = self.named.get(name).into_iter().flatten();
            paths.map(|path| format!("{path}\n")).collect()
        } else {
            String::new()
        }
    }

    fn configuration_keys(&self) -> Vec<String> {
        let named = self.named.keys().map(|name| format!("{NAMED}{name}"));
        let tops = self.tops.keys().map(|name| format!("{TOP}{name}"));
        named.chain([ROOTS.to_owned()]).chain(tops).collect()
    }

    fn stub(&self, path: &str) -> Option<String> {
        path.ends_with(".py").then(|| format!("{path}i"))
    }

    fn stubbed(&self, path: &str) -> Option<String> {
        path.strip_suffix('i').filter(|path| path.ends_with(".py")).map(str::to_owned)
    }

    /// What pytest and unittest collect by their defaults (`test_*.py`, `*_test.py`; `tests.py` of Django).
    fn is_test_file(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        let Some(stem) = name.strip_suffix(".py") else { return false };
        stem.starts_with("test_") || stem.ends_with("_test") || matches!(stem, "test" | "tests")
    }

    fn is_test_support(&self, path: &str) -> bool {
        path.rsplit('/').next() == Some("conftest.py")
    }

    fn fixture_files(&self, path: &str, looked: &mut dyn FnMut(Look)) -> Vec<RepoPath> {
        let above = ancestors(parent(path)).map(|directory| child(directory, "conftest.py"));
        let found: Vec<String> = above.filter(|file| file != path && self.has_file(file, looked)).collect();
        found.iter().map(|file| RepoPath::from_escaped(file)).collect()
    }

    fn tested_by_name(&self, path: &str, looked: &mut dyn FnMut(Look)) -> Option<RepoPath> {
        let stem = stem(path.rsplit('/').next().unwrap_or_default());
        let name = stem.strip_prefix("test_").or(stem.strip_suffix("_test"))?;
        let file = format!("{name}.py");
        looked(Look::Configuration(format!("{NAMED}{file}")));
        match self.named.get(&file).map(Vec::as_slice) {
            Some([one]) if one.as_str() != path => Some(one.clone()),
            _ => None,
        }
    }
}

fn stem(file: &str) -> &str {
    file.strip_suffix(".py").or(file.strip_suffix(".pyi")).unwrap_or(file)
}

/// `shop/models.py` → `shop.models`, `shop/__init__.py` → `shop`.
fn dotted(path: &str) -> String {
    let path = stem(path);
    path.strip_suffix("/__init__").unwrap_or(path).replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(files: &[&str], configurations: &[(&str, &str)]) -> PythonModules {
        let dialect = |path: &str| match path.ends_with(".py") || path.ends_with(".pyi") {
            true => Dialect::Python,
            false => Dialect::Configuration,
        };
        let named = files.iter().copied().chain(configurations.iter().map(|(path, _)| *path));
        let mut files: Vec<(RepoPath, Dialect)> =
            named.map(|path| (RepoPath::from_escaped(path), dialect(path))).collect();
        files.sort();
        let configurations =
            configurations.iter().map(|(path, text)| (RepoPath::from_escaped(path), (*text).to_owned())).collect();
        PythonModules::new(&Arc::new(Layout::new(files, configurations)))
    }

    fn names(modules: &PythonModules) -> Vec<String> {
        modules.names().into_iter().map(|(path, name)| format!("{path} {name}")).collect()
    }

    /// Where an import leads, written as source would: `..a.b`.
    fn import(modules: &PythonModules, from: &str, written: &str) -> String {
        let module = written.trim_start_matches('.');
        let level = (written.len() - module.len()) as u32;
        match modules.resolve(Request { from, module, level }, &mut |_| {}) {
            Resolved::File(path) => path.to_string(),
            Resolved::Namespace(directory) => format!("{directory}/"),
            Resolved::External => "external".to_owned(),
            Resolved::Missing => "missing".to_owned(),
        }
    }

    #[test]
    fn names_count_from_the_nearest_source_root_outside_of_packages() {
        let modules = layout(
            &[
                "src/kit/__init__.py",
                "src/kit/plans/__init__.py",
                "tests/test_kit.py",
                "tools/setup.py",
                "tools/helper/run.py",
                "acme/billing/__init__.py",
                "lib/deep/mod.py",
            ],
            &[("pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['lib']\n")],
        );
        assert_eq!(
            names(&modules),
            [
                "acme/billing/__init__.py acme.billing",
                "lib/deep/mod.py deep.mod",
                "src/kit/__init__.py kit",
                "src/kit/plans/__init__.py kit.plans",
                "tests/test_kit.py tests.test_kit",
                "tools/helper/run.py helper.run",
                "tools/setup.py setup",
            ]
        );
    }

    #[test]
    fn twins_are_told_apart_by_their_source_roots() {
        let modules = layout(
            &[
                "a/setup.py",
                "a/core/__init__.py",
                "b/setup.py",
                "b/core/__init__.py",
                "core/__init__.py",
                "m.py",
                "m.pyi",
            ],
            &[],
        );
        let expected = [
            "a/core/__init__.py a/core",
            "a/setup.py a/setup",
            "b/core/__init__.py b/core",
            "b/setup.py b/setup",
            "core/__init__.py core",
            "m.py m",
            "m.pyi m.pyi",
        ];
        assert_eq!(names(&modules), expected);
        assert_eq!(import(&modules, "a/core/__init__.py", "core"), "a/core/__init__.py");
        assert_eq!(import(&modules, "b/core/__init__.py", "core"), "b/core/__init__.py");
    }

    #[test]
    fn absolute_imports_are_looked_up_from_near_to_far() {
        let modules = layout(
            &[
                "app/__init__.py",
                "app/main.py",
                "app/json.py",
                "tools/json.py",
                "tools/run.py",
                "tools/near.py",
                "ns/x.py",
            ],
            &[],
        );
        assert_eq!(import(&modules, "app/main.py", "app.json"), "app/json.py");
        assert_eq!(import(&modules, "app/main.py", "json"), "external");
        assert_eq!(import(&modules, "tools/run.py", "json"), "external");
        assert_eq!(import(&modules, "tools/run.py", "near"), "tools/near.py");
        assert_eq!(import(&modules, "app/main.py", "near"), "external");
        assert_eq!(import(&modules, "app/main.py", "app.gone"), "missing");
        assert_eq!(import(&modules, "app/main.py", "ns.x"), "ns/x.py");
        assert_eq!(import(&modules, "app/main.py", "ns"), "ns/");
        assert_eq!(import(&modules, "app/main.py", "ns.gone"), "missing");
        assert_eq!(import(&modules, "app/main.py", "numpy.random"), "external");
    }

    #[test]
    fn relative_imports_stay_in_their_directories() {
        let modules = layout(&["p/__init__.py", "p/a.py", "p/q/__init__.py", "p/q/b.py", "n/c.py", "n/d.py"], &[]);
        assert_eq!(import(&modules, "p/q/b.py", "..a"), "p/a.py");
        assert_eq!(import(&modules, "p/q/b.py", "."), "p/q/__init__.py");
        assert_eq!(import(&modules, "p/q/__init__.py", ".b"), "p/q/b.py");
        assert_eq!(import(&modules, "n/c.py", "."), "n/");
        assert_eq!(import(&modules, "n/c.py", ".d"), "n/d.py");
        assert_eq!(import(&modules, "p/a.py", ".gone"), "missing");
        assert_eq!(import(&modules, "p/a.py", "....x"), "missing");
    }

    #[test]
    fn what_files_declare_are_source_roots() {
        let declared = |name: &str, text: &str| layout(&["lib/pkg/m.py", "x/y.py"], &[(name, text)]).roots;
        for (name, text) in [
            ("pyproject.toml", "[tool.setuptools]\npackage-dir = {'' = 'lib'}"),
            ("pyproject.toml", "[tool.setuptools]\npackage-dir = {pkg = 'lib/pkg'}"),
            ("pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['./lib']"),
            ("pyproject.toml", "[tool.poetry]\npackages = [{include = 'pkg', from = 'lib'}]"),
            ("pyproject.toml", "[tool.hatch.build.targets.wheel]\npackages = ['lib/pkg']"),
            ("pyproject.toml", "[tool.hatch.build.targets.wheel]\nsources = ['lib']"),
            ("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = 'lib'"),
            ("setup.cfg", "[options]\npackage_dir =\n    = lib\n"),
            ("setup.cfg", "[options.packages.find]\nwhere = lib\n"),
        ] {
            assert_eq!(declared(name, text), ["", "lib"], "{text}");
        }
        assert_eq!(declared("pyproject.toml", "not toml ["), [""]);
        assert_eq!(declared("pyproject.toml", "[tool.setuptools]\npackage-dir = {'' = '../../out'}"), [""]);
    }

    #[test]
    fn tests_and_fixtures_are_found_by_the_names_of_files() {
        let modules =
            layout(&["conftest.py", "t/conftest.py", "t/u/test_cart.py", "shop/cart.py", "shop/a.py", "b/a.py"], &[]);
        let is_test = |path: &str| modules.is_test_file(path);
        assert!(is_test("t/u/test_cart.py") && is_test("cart_test.py") && is_test("app/tests.py"));
        assert!(!is_test("conftest.py") && !is_test("tests/cart.py") && !is_test("shop/testing.py"));
        let fixtures = |path: &str| -> Vec<String> {
            modules.fixture_files(path, &mut |_| {}).iter().map(RepoPath::to_string).collect()
        };
        assert_eq!(fixtures("t/u/test_cart.py"), ["t/conftest.py", "conftest.py"]);
        assert_eq!(fixtures("t/conftest.py"), ["conftest.py"]);
        let named = |path: &str| modules.tested_by_name(path, &mut |_| {}).map(|path| path.to_string());
        assert_eq!(named("t/u/test_cart.py").as_deref(), Some("shop/cart.py"));
        assert_eq!(named("t/test_a.py"), None);
    }
}
