//! Paths of a snapshot as text: `/` between components, no component `.` or `..`, `""` is the root.

/// A path below a directory, `.` and `..` taken out; `None` when it leads out of the root.
pub(super) fn join(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The directory that holds a path.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// A directory and all above it, the root last.
pub(super) fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |&at| (!at.is_empty()).then(|| parent(at)))
}

/// What of a path lies below a directory.
pub(super) fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    if directory.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(directory)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// What a `*` of a pattern stands for in a text; `""` for an equal text when the pattern has none.
pub(super) fn matched<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((before, after)) => {
            let enough = text.len() >= before.len() + after.len();
            enough.then(|| text.strip_prefix(before)?.strip_suffix(after)).flatten()
        }
    }
}

/// Of the patterns that match a text, the best: an equal one, else the one with the longest part before its `*`.
pub(super) fn best_match<'p, 't>(patterns: impl Iterator<Item = &'p str>, text: &'t str) -> Option<(&'p str, &'t str)> {
    let key = |pattern: &str| (!pattern.contains('*'), pattern.find('*').unwrap_or(pattern.len()));
    let found = patterns.filter_map(|pattern| Some((pattern, matched(pattern, text)?)));
    found.max_by_key(|(pattern, _)| key(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_text() {
        assert_eq!(join("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(join("", "a").as_deref(), Some("a"));
        assert_eq!(join("a", "../..").as_deref(), None);
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!((below("a/b", "a"), below("ab", "a"), below("a", "a")), (Some("b"), None, Some("")));
    }

    #[test]
    fn an_equal_pattern_beats_a_longer_prefix_beats_a_shorter_one() {
        let patterns = ["*", "@a/*", "@a/b/*", "@a/b"];
        assert_eq!(best_match(patterns.into_iter(), "@a/b"), Some(("@a/b", "")));
        assert_eq!(best_match(patterns.into_iter(), "@a/b/c"), Some(("@a/b/*", "c")));
        assert_eq!(best_match(patterns.into_iter(), "@a/x"), Some(("@a/*", "x")));
        assert_eq!(best_match(["@a/*"].into_iter(), "b"), None);
    }
}
