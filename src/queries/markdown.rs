//! Answers about a change as a comment on a pull request, in GitHub's Markdown.
//!
//! Everything that comes from the repository goes through [`code`] or [`link`]: it can neither form Markdown nor HTML,
//! nor call a user's attention.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::comparison::{ChangedRow, Comparison};
use super::reached_by_change::ReachedByChange;
use super::verdicts::{self, Finding, Summary};
use crate::diff::{ChangeKind, Verdict};
use crate::json::is_unsafe;
use crate::names::{Line, RepoPath};

/// GitHub takes comments of fewer characters than this.
const COMMENT_CHARACTERS: usize = 65_536;
/// Kept for what is said at the end.
const RESERVED_CHARACTERS: usize = 1_024;
/// Longest name that is shown, in characters.
const NAME_CHARACTERS: usize = 200;

/// A comment, and what a gate can ask for.
pub struct Report {
    /// Begins with a line by which the comment is found again: `<!-- repo-graph: NAME -->`.
    pub markdown: String,
    pub broken: usize,
    pub check: usize,
    pub unread: usize,
}

/// The comment of a question: verdicts, and what is reached when that was asked.
pub fn report(name: &str, comparison: &Comparison<'_>, reached: Option<&ReachedByChange>) -> Report {
    let findings = verdicts::findings(comparison);
    let mut comment = Comment::begin(name, comparison, &findings, reached);
    comment.verdicts(comparison, &findings, false);
    if let Some(reached) = reached {
        comment.impact(comparison, reached);
        comment.tests(comparison, reached);
    }
    comment.changed(comparison);
    comment.beside(comparison);
    comment.done(comparison, &findings)
}

/// The comment of `changed_callers`: every finding, those that are fine too.
pub fn callers(name: &str, comparison: &Comparison<'_>, findings: &[Finding]) -> Report {
    let mut comment = Comment::begin(name, comparison, findings, None);
    comment.verdicts(comparison, findings, true);
    comment.beside(comparison);
    comment.done(comparison, findings)
}

struct Comment {
    text: String,
    characters: usize,
    /// Lines that found no room.
    left_out: usize,
}

impl Comment {
    fn begin(
        name: &str,
        comparison: &Comparison<'_>,
        findings: &[Finding],
        reached: Option<&ReachedByChange>,
    ) -> Comment {
        let mut comment = Comment { text: String::new(), characters: 0, left_out: 0 };
        comment.line(&format!("<!-- repo-graph: {name} -->"));
        let base = comparison.base.to_string();
        let head = comparison.head.map(|commit| commit.to_string());
        let head = head.as_deref().map_or("the files on disk", |head| &head[..12.min(head.len())]);
        comment.line(&format!("### Code graph: {} → {head}", &base[..12.min(base.len())]));
        comment.line("");
        let Summary { broken, check, .. } = Summary::of(findings);
        let changed = comparison.difference().changes.len();
        let mut summary =
            format!("**{}**, {} to check, {}", count(broken, "broken caller"), check, count(changed, "changed symbol"));
        if let Some(reached) = reached {
            let tests = reached.tests(comparison).len();
            let _ = write!(summary, ", {} reached, {} to run", reached.but_tests().count(), count(tests, "test"));
        }
        if !comparison.unread.is_empty() {
            let _ = write!(summary, ", {} not read", count(comparison.unread.len(), "changed file"));
        }
        comment.line(&format!("{summary}."));
        if changed == 0 && comparison.unread.is_empty() && comparison.config_changed.is_empty() {
            comment.line("");
            comment.line("Nothing that the graph has differs.");
        }
        comment
    }

    /// Adds a line, when there is room for it.
    fn line(&mut self, line: &str) {
        let characters = line.chars().count() + 1;
        if self.characters + characters > COMMENT_CHARACTERS - RESERVED_CHARACTERS {
            self.left_out += 1;
            return;
        }
        self.characters += characters;
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        self.line("");
        self.line(&format!("#### {text}"));
        self.line("");
    }

    /// Lines behind a summary that is clicked open.
    fn folded(&mut self, summary: &str, lines: impl Iterator<Item = String>) {
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            return;
        }
        if !self.text.ends_with("\n\n") {
            self.line("");
        }
        self.line(&format!("<details><summary>{summary}</summary>"));
        self.line("");
        lines.for_each(|line| self.line(&line));
        self.line("");
        // Never left out, or it would swallow what follows.
        self.text.push_str("</details>\n");
    }

    fn verdicts(&mut self, comparison: &Comparison<'_>, findings: &[Finding], all: bool) {
        let of = |verdict| findings.iter().filter(move |finding| finding.verdict == verdict);
        let line = |finding: &Finding| finding_line(comparison, finding);
        if of(Verdict::Broken).next().is_some() {
            self.heading("Broken callers");
            of(Verdict::Broken).for_each(|finding| self.line(&line(finding)));
        }
        let check = of(Verdict::Check).count();
        self.folded(&format!("{} to check", count(check, "caller")), of(Verdict::Check).map(line));
        if all {
            self.folded(
                &format!("{} that are fine", count(of(Verdict::Ok).count(), "caller")),
                of(Verdict::Ok).map(line),
            );
        }
    }

    fn impact(&mut self, comparison: &Comparison<'_>, reached: &ReachedByChange) {
        let graph = comparison.after.graph();
        let mut by_path: BTreeMap<&RepoPath, (u32, Vec<String>)> = BTreeMap::new();
        for one in reached.but_tests() {
            let located = &one.located;
            let entry = by_path.entry(&located.unit.path).or_insert((one.depth, Vec::new()));
            entry.0 = entry.0.min(one.depth);
            let place = link(&located.unit.path, located.symbol().site.line);
            entry.1.push(format!(
                "  - {} at {place}, {} away",
                code(&located.id(graph.modules()).to_string()),
                count(one.depth as usize, "step")
            ));
        }
        if by_path.is_empty() {
            return;
        }
        self.heading("Reached, by module");
        let mut modules: Vec<(&RepoPath, (u32, Vec<String>))> = by_path.into_iter().collect();
        modules.sort_by_key(|(path, (depth, _))| (*depth, *path));
        for (path, (_, lines)) in &modules {
            let name = graph.modules().name(path.as_str()).map_or(path.as_str(), |name| name.as_str());
            self.line(&format!("- {}: {}", code(name), count(lines.len(), "symbol")));
        }
        let lines = modules.into_iter().flat_map(|(path, (_, lines))| {
            let name = graph.modules().name(path.as_str()).map_or(path.as_str(), |name| name.as_str());
            std::iter::once(format!("- {}", code(name))).chain(lines).collect::<Vec<String>>()
        });
        self.folded("All that is reached", lines);
    }

    fn tests(&mut self, comparison: &Comparison<'_>, reached: &ReachedByChange) {
        let tests = reached.tests(comparison);
        if tests.is_empty() {
            return;
        }
        self.heading("Tests to run");
        let lines = tests.iter().map(|test| match &test.title {
            Some(title) => format!("- {} with the title {}", code(&test.run), code(title)),
            None => format!("- {}", code(&test.run)),
        });
        self.folded(&count(tests.len(), "test"), lines);
    }

    fn changed(&mut self, comparison: &Comparison<'_>) {
        let changes = &comparison.difference().changes;
        let lines = changes.iter().map(|change| {
            let row = ChangedRow::of(comparison, change);
            let located = change.located();
            let place = match change.kind() {
                // There is nothing to lead to any more.
                ChangeKind::Removed => code(&row.loc),
                _ => link(&located.unit.path, located.symbol().site.line),
            };
            let mut line = format!("- {}: {} at {place}", row.change.word(), code(&row.id.to_string()));
            if let Some(from) = &row.from {
                let _ = write!(line, ", was {}", code(&from.to_string()));
            }
            if change.kind() == ChangeKind::Signature
                && let (Some(before), Some(after)) = (&change.before, &change.after)
            {
                let (before, after) = (&before.symbol().signature, &after.symbol().signature);
                let _ = write!(line, ": {} → {}", code(before), code(after));
            }
            line
        });
        self.folded(&count(changes.len(), "changed symbol"), lines);
    }

    fn beside(&mut self, comparison: &Comparison<'_>) {
        let lines = comparison.config_changed.iter().map(|path| format!("- {}", code(path.as_str())));
        self.folded("Configuration changed", lines);
        let lines = comparison.unread.iter().map(|path| format!("- {}", code(path.as_str())));
        self.folded("Changed files that are not read", lines);
    }

    fn done(mut self, comparison: &Comparison<'_>, findings: &[Finding]) -> Report {
        if self.left_out > 0 {
            let _ = writeln!(self.text, "\n{} found no room here.", count(self.left_out, "line"));
        }
        let Summary { broken, check, .. } = Summary::of(findings);
        Report { markdown: self.text, broken, check, unread: comparison.unread.len() }
    }
}

fn finding_line(comparison: &Comparison<'_>, finding: &Finding) -> String {
    let user = &finding.user;
    let id = user.id(comparison.after.graph().modules()).to_string();
    let mut line = String::from("- ");
    for (at, site) in finding.lines.iter().enumerate() {
        if at > 0 {
            line.push_str(", ");
        }
        line.push_str(&link(&user.unit.path, *site));
    }
    let _ = write!(line, ": {} uses {}", code(&id), code(&finding.symbol.to_string()));
    if let Some(change) = finding.change {
        let _ = write!(line, " ({})", change.word());
    }
    if !finding.reason.is_empty() {
        let _ = write!(line, ": {}", code(&finding.reason.replace('`', "'")));
    }
    if finding.user_changed {
        line.push_str(", and changed too");
    }
    line
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Untrusted text as code: a fence longer than any in it, nothing that is no plain character.
fn code(text: &str) -> String {
    let mut shown: String = text.chars().filter(|c| !is_unsafe(*c)).take(NAME_CHARACTERS).collect();
    if text.chars().count() > NAME_CHARACTERS {
        shown.push('…');
    }
    if shown.trim().is_empty() {
        return "`(empty)`".to_owned();
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{space}{shown}{space}{fence}")
}

/// A place in a file, as a link into the repository.
fn link(path: &RepoPath, line: Line) -> String {
    let mut target = String::new();
    for byte in path.to_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            target.push(char::from(byte));
        } else {
            let _ = write!(target, "%{byte:02X}");
        }
    }
    format!("[{}]({target}#L{line})", code(&format!("{path}:{line}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_text() {
        assert_eq!(code("a.b"), "`a.b`");
        assert_eq!(code("a`](http://x) @me <img>"), "``a`](http://x) @me <img>``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a\u{202e}b\nc"), "`abc`");
        assert_eq!(code(" "), "`(empty)`");
        assert_eq!(code(&"x".repeat(500)).chars().count(), NAME_CHARACTERS + 3);
        let path = RepoPath::from_bytes(b"a b)](x)\n%.py");
        assert_eq!(link(&path, Line(7)), "[`a b)](x)%0A%25.py:7`](a%20b%29%5D%28x%29%0A%25.py#L7)");
    }
}
