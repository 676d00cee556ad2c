//! Patterns with one `*`, as `paths` of a configuration and `exports` of a package write them.

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
    fn an_equal_pattern_beats_a_longer_prefix_beats_a_shorter_one() {
        let patterns = ["*", "@a/*", "@a/b/*", "@a/b"];
        assert_eq!(best_match(patterns.into_iter(), "@a/b"), Some(("@a/b", "")));
        assert_eq!(best_match(patterns.into_iter(), "@a/b/c"), Some(("@a/b/*", "c")));
        assert_eq!(best_match(patterns.into_iter(), "@a/x"), Some(("@a/*", "x")));
        assert_eq!(best_match(["@a/*"].into_iter(), "b"), None);
    }
}
