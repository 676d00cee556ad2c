//! Pages: Markdown that is read as tests. Knows how a page is written, not what its expectations mean.
//!
//! A heading whose section holds an expectation is a test. A file is a fenced block after a line that says so:
//!
//! ```text
//! `app/main.py`:              the file as it is, new or changed
//! `app/main.py` is deleted.
//! ```
//!
//! Files between the page's title and its first section are every test's.
//!
//! An expectation is a fenced block whose language is one of [`Expectation::ALL`]. Files that come after an expectation
//! are the next version of the files, and what follows is expected of that version.

use std::ops::Range;

/// What a block expects, by the language of its fence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// All edges but `defines`.
    Edges,
    /// All symbols.
    Symbols,
    /// All calls through a receiver of unknown type.
    Unresolved,
    /// All uses of a name that its owner lacks.
    Missing,
    /// All imports that lead outside.
    Outside,
    /// Questions as typed into a shell, each followed by its answer.
    Questions,
}

impl Expectation {
    const ALL: [(&'static str, Expectation); 6] = [
        ("edges", Expectation::Edges),
        ("symbols", Expectation::Symbols),
        ("unresolved", Expectation::Unresolved),
        ("missing", Expectation::Missing),
        ("outside", Expectation::Outside),
        ("console", Expectation::Questions),
    ];
}

/// One thing that a test says, in the order of the page.
#[derive(Clone, Debug)]
pub enum Step {
    Write { path: String, text: String },
    Delete { path: String },
    Expect { expectation: Expectation, text: String, at: Range<usize> },
}

/// A section with its steps.
#[derive(Clone, Debug)]
pub struct Test {
    pub heading: String,
    pub steps: Vec<Step>,
}

/// Reads a page. Ranges are byte positions in the text.
pub fn tests(text: &str) -> Result<Vec<Test>, String> {
    let mut tests = vec![Test { heading: String::new(), steps: Vec::new() }];
    let mut lines = Lines { text, at: 0 };
    let mut previous = "";
    while let Some((_, line)) = lines.next() {
        let fence = line.bytes().take_while(|&byte| byte == b'`').count();
        if fence >= 3 {
            let (language, fence) = (line[fence..].trim(), &line[..fence]);
            let body = lines.until(fence).ok_or_else(|| format!("the block after {previous:?} has no end"))?;
            let steps = &mut tests.last_mut().expect("never empty").steps;
            let known = Expectation::ALL.iter().find(|(word, _)| *word == language);
            let path = previous.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
            match (known, path) {
                (Some(&(_, expectation)), None) => {
                    steps.push(Step::Expect { expectation, text: text[body.clone()].to_owned(), at: body });
                }
                (None, Some(path)) => {
                    steps.push(Step::Write { path: path.to_owned(), text: text[body].to_owned() });
                }
                _ => return Err(format!("the block {language:?} after {previous:?} is neither file nor expectation")),
            }
        } else if line.starts_with('#') {
            tests.push(Test { heading: line.trim_matches('#').trim().to_owned(), steps: Vec::new() });
        } else if let Some(path) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("` is deleted.")) {
            tests.last_mut().expect("never empty").steps.push(Step::Delete { path: path.to_owned() });
        }
        if !line.trim().is_empty() {
            previous = line;
        }
    }
    // What stands between the page's title and its first section is every test's.
    let shared: Vec<Step> = match tests.get(1) {
        Some(title) if !title.steps.iter().any(|step| matches!(step, Step::Expect { .. })) => tests.remove(1).steps,
        _ => Vec::new(),
    };
    tests.retain(|test| !test.steps.is_empty());
    for test in &mut tests {
        test.steps.splice(0..0, shared.iter().cloned());
    }
    for test in &tests {
        if !matches!(test.steps.last(), Some(Step::Expect { .. })) {
            return Err(format!("the section {:?} does not end with an expectation", test.heading));
        }
        if tests.iter().filter(|other| other.heading == test.heading).count() > 1 {
            return Err(format!("two sections are called {:?}", test.heading));
        }
    }
    Ok(tests)
}

struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    /// The next line, without its end, and where it starts.
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let line = rest.split_inclusive('\n').next()?;
        self.at += line.len();
        Some((start, line.trim_end_matches('\n')))
    }

    /// What stands before the closing fence.
    fn until(&mut self, fence: &str) -> Option<Range<usize>> {
        let body = self.at;
        while let Some((start, line)) = self.next() {
            if line == fence {
                return Some(body..start);
            }
        }
        None
    }
}
