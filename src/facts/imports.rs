//! Imports and exports, as written.

use serde::Serialize;

use super::*;

/// A statement or expression that imports from one module.
#[derive(Clone, PartialEq, Debug)]
pub struct Import {
    pub scope: ScopeId,
    /// `a.b`, `./util`, `react`; as written.
    pub module: Name,
    /// Leading dots of a Python relative import.
    pub level: u32,
    pub form: ImportForm,
    /// What `from m import a as b` or `import {a as b} from "m"` takes.
    pub names: Vec<ImportedName>,
    pub type_only: bool,
    /// Its failure is caught (`except ImportError`): what it takes may be missing.
    pub guarded: bool,
}

/// How an import is written, and with that what it binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum ImportForm {
    /// `import a.b.c`: binds the first component.
    Dotted,
    /// `import a.b as c`, `import * as ns`, `const ns = require()`: binds the module itself.
    Module,
    /// Takes [`Import::names`].
    Names,
    /// `from m import *`
    Star,
    /// `import "./setup"`
    Effect,
    /// `export … from "m"`; what it exports is in [`Surface::exports`].
    Export,
    /// `require("m")` or `import("m")` as an expression.
    Expression,
}

/// One name that an import takes, as its module calls it.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportedName {
    pub name: Name,
    pub type_only: bool,
}

/// What a TypeScript or JavaScript module gives to others. Python modules export what their module scope binds.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The name under which others take it; `default` for the default export.
    pub name: Name,
    pub value: ExportValue,
    pub type_only: bool,
}

/// What stands behind an export.
#[derive(Clone, PartialEq, Debug)]
pub enum ExportValue {
    /// A name of the module scope.
    Local(Name),
    Expr(ExprId),
    /// `export {a as b} from "m"`
    Imported(ImportId, Name),
    /// `export * as ns from "m"`
    Module(ImportId),
    /// `export * from "m"`
    Star(ImportId),
    /// `module.exports = …`, `export = …`: the value that `require` gives.
    Whole(ExprId),
}
