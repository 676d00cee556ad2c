//! Attributes that tests narrowed: from a test on `self.value` to the end of the branch, or to an assignment.
//!
//! They are kept in the state of the flow beside the names, under their paths; a path begins with a dot, as no name
//! does. Inside another function nothing is known of them: it may run at any time.

use super::*;

/// Most names of a path that is narrowed.
pub const MAX_PATH: usize = 4;

/// What a test is about.
#[derive(Clone)]
pub enum Subject<A> {
    /// A name.
    Name(Name),
    /// An attribute, by its path.
    Attribute(String, A),
}

impl<A> Subject<A> {
    /// Whether both are one thing.
    pub fn is(&self, other: &Subject<A>) -> bool {
        match (self, other) {
            (Subject::Name(one), Subject::Name(other)) => one == other,
            (Subject::Attribute(one, _), Subject::Attribute(other, _)) => one == other,
            _ => false,
        }
    }
}

/// The path of an attribute, from its names, the last one first.
pub fn path_of(names: &[&str]) -> String {
    names.iter().rev().flat_map(|name| [".", name]).collect()
}

impl Builder {
    /// From here on, and until the branch ends, `test` holds of a subject, or the other one.
    pub fn narrow_subject(&mut self, subject: Subject<ExprId>, test: Test, other: Option<Test>) {
        match subject {
            Subject::Name(name) => self.narrow_either(name, test, other),
            Subject::Attribute(path, attribute) => self.narrow_attribute(&path, attribute, test, other),
        }
    }

    /// From here on, and until the branch ends, the attribute of this path (`.self.value`) is what it was where `test`
    /// holds, or the other one.
    fn narrow_attribute(&mut self, path: &str, attribute: ExprId, test: Test, other: Option<Test>) {
        let path = self.name(path);
        let from = self.frame().state.get(&path).cloned().unwrap_or_default();
        let Some(tests) = self.tests_after(&from) else { return };
        if other.is_none() && self.is_known(&from, &test) {
            return;
        }
        let of = if from.is_empty() { attribute } else { self.use_of_path(path, &from) };
        let value = Value::Expr(self.narrowed_by_either(of, test, other));
        let scope = self.scope();
        let binding = Binding { name: path, scope, value, annotation: None, definition: None, space: Space::Value };
        let id = self.add_binding(binding, Some((Held::new(), tests)));
        self.paths.insert(path);
        self.set_state(path, Some(SmallVec::from_slice(&[id])));
    }

    /// Whether tests of attributes were met at all, so that it is worth while to ask for one.
    pub fn has_narrowed_attributes(&self) -> bool {
        !self.paths.is_empty()
    }

    /// The attribute of this path as tests left it here, if any did.
    pub fn narrowed_attribute(&mut self, path: &str) -> Option<ExprId> {
        let path = self.name(path);
        let held = self.frame().state.get(&path).cloned()?;
        Some(self.use_of_path(path, &held))
    }

    fn use_of_path(&mut self, path: Name, held: &[BindingId]) -> ExprId {
        let scope = self.scope();
        let reach = Reach::add(&mut self.facts.surface.listed_bindings, held);
        self.expr(Expr::Name(NameUse { name: path, scope, reach }))
    }

    /// Something was assigned to an attribute: what tests told of it, and of attributes of it, is over.
    pub fn forget_attribute(&mut self, path: &str) {
        let is_below =
            |text: &str| text.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let mut over: Vec<Name> = self.paths.iter().copied().filter(|&name| is_below(self.facts.text(name))).collect();
        over.sort();
        for name in over {
            if self.frame().state.contains_key(&name) {
                self.set_state(name, None);
            }
        }
    }

    /// Something was bound to a name: what tests told of attributes of its value is over.
    pub(super) fn forget_attributes_of(&mut self, name: Name) {
        if !self.paths.is_empty() {
            let path = format!(".{}", self.facts.text(name));
            self.forget_attribute(&path);
        }
    }

    /// What holds for a path where ways meet: what every way to here tells.
    pub(super) fn merge_path(&mut self, path: Name, before: Option<Held>, ways: Vec<Option<Held>>) {
        let known: Option<Vec<Held>> = ways.into_iter().collect();
        let after = known.map(|ways| {
            before.unwrap_or_else(|| {
                let mut union = Held::new();
                ways.into_iter().for_each(|way| extend(&mut union, way));
                union
            })
        });
        self.set_state(path, after);
    }
}
