//! Paths of a snapshot as text: `/` between components, no component `.` or `..`, `""` is the root.
//!
//! Pure text; knows no disk and no repository.

/// What a path means from a directory, `.`, `..` and doubled slashes taken out; `None` when it leads out of the root.
pub fn join(directory: &str, path: &str) -> Option<String> {
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

/// What has a name in a directory.
pub fn child(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// The directory that holds a path.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// A directory and all above it, the root last.
pub fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |&at| (!at.is_empty()).then(|| parent(at)))
}

/// What of a path lies below a directory; `""` for the directory itself.
pub fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    if directory.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(directory)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_text() {
        assert_eq!(join("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(join("", "a").as_deref(), Some("a"));
        assert_eq!(join("a", "../..").as_deref(), None);
        assert_eq!((child("a/b", "c"), child("", "c")), ("a/b/c".to_owned(), "c".to_owned()));
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!((below("a/b", "a"), below("ab", "a"), below("a", "a")), (Some("b"), None, Some("")));
    }
}
