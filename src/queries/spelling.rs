//! Names that are nearly right: which one was meant?
//!
//! Pure text; knows no graph.

/// Longest text from outside that is repeated in a message, in bytes.
const ECHO_BYTES: usize = 200;

/// A text to repeat in a message: cut when it is long.
pub fn shorten(text: &str) -> String {
    if text.len() <= ECHO_BYTES {
        return text.to_owned();
    }
    let whole_characters = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= ECHO_BYTES);
    format!("{}…", &text[..whole_characters.last().unwrap_or(0)])
}

/// Edits beyond which no two names are near.
const MOST_EDITS: usize = 4;
/// Bytes of a beginning; a shorter one could be that of too many names.
const LEAST_BEGINNING: usize = 3;

/// How far a name is from the one that was asked for, in edits; `None` when it is not near. Case and underscores do not
/// count. A beginning is as near as one slip: it was cut short, or its end was not known.
pub fn distance(asked: &str, name: &str) -> Option<usize> {
    if asked.len().max(name.len()) > ECHO_BYTES {
        return None;
    }
    let (asked, name) = (folded(asked), folded(name));
    if asked.len() >= LEAST_BEGINNING && name.starts_with(&asked) {
        return Some(usize::from(name.len() > asked.len()));
    }
    // A third of the name: more than that is another name.
    let allowed = (asked.len() / 3).min(MOST_EDITS);
    if asked.len().abs_diff(name.len()) > allowed {
        return None;
    }
    Some(strsim::osa_distance(&asked, &name)).filter(|&distance| distance <= allowed)
}

fn folded(name: &str) -> String {
    name.chars().filter(|&c| c != '_').flat_map(char::to_lowercase).collect()
}

/// The nearest of some words; of equally near ones the first.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.filter_map(|name| Some((distance(word, name)?, name)));
    near.min_by_key(|&(distance, _)| distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(distance("parse_ordr", "parse_order"), Some(1));
        assert_eq!(distance("parseOrder", "parse_order"), Some(0));
        assert_eq!(distance("prase_order", "parse_order"), Some(1));
        assert_eq!(distance("a", "b"), None);
        assert_eq!(distance("a", "abc"), None);
        assert_eq!(distance("run", "save"), None);
        assert_eq!(distance(&"x".repeat(100_000), "x"), None);
        assert_eq!(nearest("limt", ["at", "depth", "limit"].into_iter()), Some("limit"));
    }

    #[test]
    fn a_beginning_is_near_and_an_end_is_not() {
        assert_eq!(distance("Sto", "Store"), Some(1));
        assert_eq!(distance("parse", "parse_order_lines"), Some(1));
        assert_eq!(distance("order_lines", "parse_order_lines"), None);
        assert_eq!(distance("St", "Store"), None);
        assert_eq!(nearest("off", ["limit", "offset"].into_iter()), Some("offset"));
    }

    #[test]
    fn a_long_text_is_not_repeated_whole() {
        assert!(shorten(&"ä".repeat(5_000)).len() < 210);
    }
}
