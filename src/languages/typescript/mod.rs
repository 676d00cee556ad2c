//! TypeScript, in both of its dialects, and JavaScript.

mod assignments;
mod bindings;
mod blocks;
mod calls;
mod classes;
mod commonjs;
mod enums;
mod expressions;
mod extract;
mod forms;
mod functions;
mod imports;
mod jsdoc;
mod jsonc;
mod kinds;
mod lexer;
mod modules;
mod namespaces;
mod narrowing;
mod objects;
mod operators;
mod packages;
mod patterns;
mod prototypes;
mod semantics;
mod source;
mod statements;
mod structures;
mod tsconfig;
mod walk;

use std::sync::Arc;

use super::{Language, Layout, Modules, Pieces, Semantics};
use crate::facts::Facts;
use crate::names::Dialect;

/// The language, for the table of languages.
pub struct TypeScript;

impl Language for TypeScript {
    fn name(&self) -> &'static str {
        "typescript"
    }

    fn version(&self) -> u32 {
        4
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::TypeScript, Dialect::Tsx, Dialect::JavaScript]
    }

    fn extract(&self, dialect: Dialect, text: &[u8], _: &Pieces) -> (Facts, Pieces) {
        (extract::facts(dialect, text), Pieces::default())
    }

    fn prelude(&self) -> &'static [(&'static str, &'static str)] {
        PRELUDE
    }

    fn modules(&self, layout: &Arc<Layout>) -> Box<dyn Modules> {
        Box::new(modules::TypeScriptModules::new(layout))
    }

    fn semantics(&self) -> &'static Semantics {
        &semantics::SEMANTICS
    }
}

/// Declarations of what the language, the browser and Node give, and of a few libraries whose generics decide types.
const PRELUDE: &[(&str, &str)] = &[
    ("events", EVENTS),
    ("globals", include_str!("prelude/globals.ts")),
    ("node:events", EVENTS),
    ("react", include_str!("prelude/react.ts")),
];

const EVENTS: &str = include_str!("prelude/events.ts");

#[cfg(test)]
mod tests;
