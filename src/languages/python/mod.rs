//! Python.

mod builtins;
mod calls;
mod classes;
mod containers;
mod definitions;
mod digests;
mod expressions;
mod extract;
mod flow;
mod forms;
mod functions;
mod imports;
mod kinds;
mod literals;
mod modules;
mod narrow;
mod operators;
mod patterns;
mod repair;
mod roots;
mod semantics;
mod statements;
mod targets;
mod tree;

use std::sync::Arc;

use super::{Language, Layout, Modules, Pieces, Semantics};
use crate::facts::Facts;
use crate::names::Dialect;

/// The language, for the table of languages.
pub struct Python;

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn version(&self) -> u32 {
        4
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Python]
    }

    fn extract(&self, _: Dialect, text: &[u8], before: &Pieces) -> (Facts, Pieces) {
        extract::facts(text, before)
    }

    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        PRELUDE
    }

    fn modules(&self, layout: &Arc<Layout>) -> Box<dyn Modules> {
        Box::new(modules::PythonModules::new(layout))
    }

    fn semantics(&self) -> &'static Semantics {
        &semantics::SEMANTICS
    }
}

/// Declarations of the modules through which types of a project can pass, by module name.
///
/// A module that is not here leads outside, and so does everything of it: `os.listdir()` has no edge, and nothing that
/// is done with its result has one. So a module is worth declaring when it is generic in what it is given, and a class
/// when projects derive from it; then all its members are there, or it has a `__getattr__`.
const PRELUDE: &[(&str, &str)] = &[
    ("abc", include_str!("prelude/abc.pyi")),
    ("asyncio", include_str!("prelude/asyncio.pyi")),
    ("atexit", include_str!("prelude/atexit.pyi")),
    ("attr", include_str!("prelude/attr.pyi")),
    ("attrs", include_str!("prelude/attrs.pyi")),
    ("builtins", include_str!("prelude/builtins.pyi")),
    ("collections", include_str!("prelude/collections.pyi")),
    ("collections.abc", include_str!("prelude/collections.abc.pyi")),
    ("concurrent.futures", include_str!("prelude/concurrent.futures.pyi")),
    ("contextlib", include_str!("prelude/contextlib.pyi")),
    ("contextvars", include_str!("prelude/contextvars.pyi")),
    ("copy", include_str!("prelude/copy.pyi")),
    ("dataclasses", include_str!("prelude/dataclasses.pyi")),
    ("enum", include_str!("prelude/enum.pyi")),
    ("functools", include_str!("prelude/functools.pyi")),
    ("heapq", include_str!("prelude/heapq.pyi")),
    ("inspect", include_str!("prelude/inspect.pyi")),
    ("itertools", include_str!("prelude/itertools.pyi")),
    ("operator", include_str!("prelude/operator.pyi")),
    ("pickle", include_str!("prelude/pickle.pyi")),
    ("pytest", include_str!("prelude/pytest.pyi")),
    ("pytest_asyncio", include_str!("prelude/pytest_asyncio.pyi")),
    ("queue", include_str!("prelude/queue.pyi")),
    ("random", include_str!("prelude/random.pyi")),
    ("re", include_str!("prelude/re.pyi")),
    ("threading", include_str!("prelude/threading.pyi")),
    ("types", include_str!("prelude/types.pyi")),
    ("typing", include_str!("prelude/typing.pyi")),
    ("typing_extensions", include_str!("prelude/typing_extensions.pyi")),
    ("unittest", include_str!("prelude/unittest.pyi")),
    ("weakref", include_str!("prelude/weakref.pyi")),
];

#[cfg(test)]
mod tests;
