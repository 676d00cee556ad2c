//! Python.

mod builtins;
mod definitions;
mod digests;
mod expressions;
mod extract;
mod forms;
mod kinds;
mod modules;
mod narrow;
mod patterns;
mod repair;
mod roots;
mod semantics;
mod statements;
mod targets;
mod tree;

use std::sync::Arc;

use super::{Language, Layout, Modules, Semantics};
use crate::facts::Facts;
use crate::names::Dialect;

/// The language, for the table of languages.
pub struct Python;

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn version(&self) -> u32 {
        1
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Python]
    }

    fn facts(&self, _: Dialect, text: &[u8]) -> Facts {
        extract::facts(text)
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

/// One file of declarations for each module of the standard library that decides types in projects.
const PRELUDE: &[(&str, &str)] = &[];

#[cfg(test)]
mod tests;
