//! Edits of Django's sources, each of which can be made again and again and is never the same twice.

use std::ops::RangeInclusive;

use crate::Outcome;

/// One edit: a text of a file, and what it becomes.
pub struct Edit {
    pub path: &'static str,
    before: &'static str,
    /// `#` stands for the number of the edit.
    after: &'static str,
    /// How many files are resolved again, that of the edit included.
    pub resolved: RangeInclusive<u64>,
}

/// The body of one function in a file of 29 KB; nobody else sees it.
pub static BODY: Edit = Edit {
    path: "django/db/models/lookups.py",
    before: "    def get_db_prep_lookup(self, value, connection):\n",
    after: "    def get_db_prep_lookup(self, value, connection):\n        edited = #\n",
    resolved: 1..=1,
};

/// The signature of a function that fifty files use.
pub static FEW_SEE: Edit = Edit {
    path: "django/utils/timezone.py",
    before: "def now():\n",
    after: "def now(edited_#=None):\n",
    resolved: 40..=51,
};

/// The signature of a method that the whole project reaches, in one way or another.
pub static HUB: Edit = Edit {
    path: "django/db/models/base.py",
    before: "    def save(\n        self,\n",
    after: "    def save(\n        self,\n        edited_#=None,\n",
    resolved: 60..=1000,
};

impl Edit {
    /// The text of the file after the edit of this number.
    pub fn apply(&self, text: &str, number: usize) -> Outcome<String> {
        if !text.contains(self.before) {
            return Err(format!("{} has no {:?}", self.path, self.before).into());
        }
        Ok(text.replacen(self.before, &self.after.replace('#', &number.to_string()), 1))
    }
}
