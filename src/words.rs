//! The words of names and of documentation, as search sees them.
//!
//! Pure text; knows no symbol and no index.

/// The words of a text, lower case: runs of letters and digits, split where a name changes its case, and each run of
/// several words also as a whole, so that `parseorder` finds `parseOrder`.
///
/// `parse_order` gives `parse order`, `HTTPServer2` gives `http server2 httpserver2`.
pub fn words(text: &str, mut emit: impl FnMut(String)) {
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let mut from = 0;
        for at in borders(run) {
            emit(run[from..at].to_lowercase());
            from = at;
        }
        if from > 0 {
            emit(run[from..].to_lowercase());
        }
        emit(run.to_lowercase());
    }
}

/// Where a run of letters and digits changes from one word to the next: `parse|Order`, `HTTP|Server2`.
fn borders(run: &str) -> impl Iterator<Item = usize> {
    let next = |at: usize| run[at..].chars().nth(1);
    let mut before: Option<char> = None;
    run.char_indices().filter_map(move |(at, c)| {
        let border = before.is_some_and(|before| {
            c.is_uppercase() && (!before.is_uppercase() || next(at).is_some_and(char::is_lowercase))
        });
        before = Some(c);
        border.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_at_case_and_underscore_and_stay_findable_whole() {
        let of = |text: &str| {
            let mut list = Vec::new();
            words(text, |word| list.push(word));
            list.join(" ")
        };
        assert_eq!(of("parse_order"), "parse order");
        assert_eq!(of("parseOrder"), "parse order parseorder");
        assert_eq!(of("HTTPServer2"), "http server2 httpserver2");
        assert_eq!(of("__init__"), "init");
        assert_eq!(of("Saves it, at once."), "saves it at once");
        assert_eq!(of("Größe ÄndereGröße"), "größe ändere größe änderegröße");
        assert_eq!(of(" -- "), "");
    }
}
