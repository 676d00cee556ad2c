//! Paths as users spell them (DESIGN §6): relative to the root or to where they stand, absolute, with `./`, `..` or
//! back slashes.

use super::Context;
use crate::names::RepoPath;
use crate::paths::join;
use crate::snapshot::{Skip, Skipped};

/// What a spelling of a path names.
pub enum Named<'a> {
    /// A file of the graph.
    File(RepoPath),
    /// A file that is there and not in the graph.
    Skipped(&'a Skipped),
    /// Nothing below the root.
    Outside,
    Nothing,
}

/// Finds the file that a path means: the root's first, then the current directory's.
pub fn find<'a>(context: &Context<'a>, text: &str) -> Named<'a> {
    match find_literally(context, text) {
        Named::Nothing | Named::Outside if text.contains('\\') => find_literally(context, &text.replace('\\', "/")),
        named => named,
    }
}

fn find_literally<'a>(context: &Context<'a>, text: &str) -> Named<'a> {
    let mut inside = false;
    let mut skipped = None;
    for path in spellings(context, text) {
        let Some(path) = path else { continue };
        inside = true;
        // As we print it, and as the disk has it: they differ only in names with `%` or control characters.
        for path in [RepoPath::from_escaped(&path), RepoPath::from_bytes(path.as_bytes())] {
            if context.graph.modules().name(path.as_str()).is_some() {
                return Named::File(path);
            }
            skipped = skipped.or_else(|| find_skipped(context.snapshot.skipped, path.as_str()));
        }
    }
    match skipped {
        Some(skipped) => Named::Skipped(skipped),
        None if inside => Named::Nothing,
        None => Named::Outside,
    }
}

/// The paths below the root that a text may spell; `None` for one that leads out.
fn spellings(context: &Context<'_>, text: &str) -> Vec<Option<String>> {
    if is_absolute(text) {
        let below = |root: &String| {
            let rest = text.strip_prefix(root.as_str())?;
            (rest.is_empty() || rest.starts_with('/') || root.ends_with('/')).then(|| join("", rest)).flatten()
        };
        return context.roots.iter().map(below).collect();
    }
    vec![join("", text), join(context.directory, text)]
}

fn is_absolute(text: &str) -> bool {
    let drive = matches!(text.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic());
    text.starts_with('/') || drive
}

/// The record of a file that was left out, by itself or with its directory.
fn find_skipped<'a>(skipped: &'a [Skipped], path: &str) -> Option<&'a Skipped> {
    skipped
        .iter()
        .find(|one| path.strip_prefix(one.path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// The record of a file that was left out and that would have been the module of an id or dotted name.
pub fn find_skipped_module<'a>(skipped: &'a [Skipped], text: &str) -> Option<&'a Skipped> {
    let module = text.split_once(':').map_or(text, |(module, _)| module).replace('.', "/");
    skipped.iter().find(|one| {
        let path = one.path.as_str();
        let stem = path.strip_suffix(one.path.extension()).and_then(|stem| stem.strip_suffix('.'));
        let Some(stem) = stem else { return false };
        let stem = stem.strip_suffix("/__init__").or(stem.strip_suffix("/index")).unwrap_or(stem).replace('.', "/");
        stem == module || stem.strip_suffix(module.as_str()).is_some_and(|rest| rest.ends_with('/'))
    })
}

/// Says which rule keeps a file out of the graph.
pub fn explain(skipped: &Skipped) -> String {
    let rule = match skipped.reason {
        Skip::Directory => "is in a directory that is never read",
        Skip::Excluded => "is left out by the key `exclude` of the configuration",
        Skip::TooLarge => "is larger than `max_file_bytes`",
        Skip::Link => "is a symbolic link, which is never followed",
        Skip::Border => "belongs to another repository",
        Skip::Minified => "is a minified bundle",
        Skip::Generated => "is marked as generated or vendored in .gitattributes",
        Skip::Declaration => "is a declaration file",
        Skip::Filtered => "is under an external git filter, which is never run",
        Skip::Unreadable => "could not be read",
        Skip::Language => "is in a language that this build does not read",
        Skip::Special => "is no regular file",
    };
    format!("{} {rule}, so the graph has nothing of it ({})", skipped.path, skipped.reason.word())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::testing::{ask_with, graph};
    use super::*;

    fn miss_or_id(directory: &str, text: &str) -> String {
        let graph = graph(
            "file src/a.py = a, 9 lines
             function f 2-4
             file src/odd%0Aname.py = odd%0Aname, 1 lines
             file src/back\\slash.py = back\\slash, 1 lines
             file a.py = b, 9 lines
             file empty.py = empty, 0 lines",
        );
        let skipped = [
            Skipped { path: RepoPath::from_escaped("big/huge.py"), reason: Skip::TooLarge },
            Skipped { path: RepoPath::from_escaped("node_modules"), reason: Skip::Directory },
        ];
        let answer = ask_with(&graph, &skipped, directory, "callees", json!({ "symbol": text }));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let found = answer.pointer("/symbol/id").or(answer.get("hint")).and_then(Value::as_str);
        found.unwrap().to_owned()
    }

    #[test]
    fn a_path_is_taken_in_every_spelling() {
        assert_eq!(miss_or_id("", "src/a.py"), "a");
        assert_eq!(miss_or_id("", "./src//x/../a.py"), "a");
        assert_eq!(miss_or_id("", "src\\a.py"), "a");
        assert_eq!(miss_or_id("", "src/a.py:3"), "a:f");
        assert_eq!(miss_or_id("", "src/a.py:3:14"), "a:f");
        assert_eq!(miss_or_id("", "/home/me/project/src/a.py:9"), "a");
        assert_eq!(miss_or_id("", "src/a.py:f"), "a:f");
        assert_eq!(miss_or_id("", "src/odd\nname.py"), "odd%0Aname");
        assert_eq!(miss_or_id("", "src/odd%0Aname.py"), "odd%0Aname");
        assert_eq!(miss_or_id("", "src/back\\slash.py"), "back\\slash");
        assert_eq!(miss_or_id("", "empty.py:1"), "empty");
    }

    #[test]
    fn the_root_comes_first_then_the_current_directory() {
        assert_eq!(miss_or_id("src", "a.py"), "b");
        assert_eq!(miss_or_id("src", "../src/a.py"), "a");
        assert_eq!(miss_or_id("src/deep", "../a.py"), "a");
    }

    #[test]
    fn what_is_outside_or_skipped_or_beyond_the_end_is_said() {
        let outside = "the path leads out of the root; nothing there is read";
        assert_eq!(miss_or_id("", "../a.py"), outside);
        assert_eq!(miss_or_id("src", "../../a.py"), outside);
        assert_eq!(miss_or_id("", "/etc/passwd:1"), outside);
        assert_eq!(miss_or_id("", "/home/me/project2/a.py"), outside);
        let too_large = "big/huge.py is larger than `max_file_bytes`, so the graph has nothing of it (too_large)";
        assert_eq!(miss_or_id("", "big/huge.py:7"), too_large);
        assert_eq!(miss_or_id("big", "huge.py"), too_large);
        assert_eq!(miss_or_id("", "big.huge:f"), too_large);
        let directory = "node_modules is in a directory that is never read, so the graph has nothing of it (directory)";
        assert_eq!(miss_or_id("", "node_modules/x/index.js:3"), directory);
        assert_eq!(miss_or_id("", "src/a.py:10"), "src/a.py has lines 1 to 9");
        assert_eq!(miss_or_id("", "src/a.py:0"), "src/a.py has lines 1 to 9");
        assert_eq!(miss_or_id("", "src/a.py:99999999999999999999"), "src/a.py has lines 1 to 9");
    }
}
