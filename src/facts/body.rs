//! The body: what a file uses, and what of it could not be read.

use super::*;

/// What the file uses.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    pub references: Vec<Reference>,
    /// Ranges of lines that did not parse, or lay beyond a limit; first and last line, 1-based.
    pub problems: Vec<Problem>,
    /// Digest of the module's own tokens: what stands in no definition and no import; comments and documentation left
    /// out. 0 when there are none.
    pub own_digest: Fingerprint,
}

/// A use of a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    pub kind: RefKind,
    /// The definition that the use belongs to, `None` for the module.
    pub owner: Option<DefId>,
    /// What is used: for a call its [`Expr::Call`], else a name, an attribute, or another expression.
    pub target: RefTarget,
}

/// What a use uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefTarget {
    Expr(ExprId),
    Form(FormId),
    /// One name of an import (`from m import a`), or the module when `None`.
    Import(ImportId, Option<u32>),
    /// A fixture that a parameter names.
    Parameter(FunctionId, u32),
    /// A re-export: index into [`Surface::exports`].
    Export(u32),
}

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RefKind {
    /// Every [`CallForm`]; the target is the call.
    Call,
    /// A name or attribute that is read, passed, returned, aliased.
    Read,
    /// An attribute that is assigned.
    Write,
    Base,
    Annotation,
    Import,
    /// A parameter, or a literal text, that may name a fixture.
    Fixture,
}

/// Most problems that one file lists; the last then covers the rest.
const MAX_PROBLEMS: usize = 100;

/// Lines that could not be read; first and last line, 1-based.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Problem {
    pub first: u32,
    pub last: u32,
    pub kind: ProblemKind,
}

impl Problem {
    /// Adds it to a list. Neighbouring problems of one kind become one.
    pub fn note(self, problems: &mut Vec<Problem>) {
        let full = problems.len() >= MAX_PROBLEMS;
        match problems.last_mut() {
            Some(before) if full || (before.kind == self.kind && before.touches(&self)) => {
                before.first = before.first.min(self.first);
                before.last = before.last.max(self.last);
            }
            _ => problems.push(self),
        }
    }

    fn touches(&self, other: &Problem) -> bool {
        other.first <= self.last.saturating_add(1) && self.first <= other.last
    }
}

/// Why lines could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The grammar could not read it.
    Syntax,
    /// Nested deeper than we follow.
    Depth,
    /// More than we keep of one thing.
    Size,
}
