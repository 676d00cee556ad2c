//! The words of names and of documentation, as search sees them.
//!
//! Pure text; knows no symbol and no index.

/// The words of a text, lower case: runs of letters and digits, split where a name changes its case, and each run of
/// several words also as a whole, so that `parseorder` finds `parseOrder`.
///
/// `parse_order` gives `parse order`, `HTTPServer2` gives `http server2 httpserver2`.
pub fn words(text: &str, mut emit: impl FnMut(String)) {
    for run in runs(text) {
        let mut count = 0;
        for piece in pieces(run) {
            emit(piece.to_lowercase());
            count += 1;
        }
        if count > 1 {
            emit(run.to_lowercase());
        }
    }
}

/// The words that a question asks for, lower case, sorted, each once: as [`words`], but no run as a whole, so that
/// `parseOrder` finds `parse_order` too.
pub fn asked(text: &str) -> Vec<String> {
    let mut words: Vec<String> = runs(text).flat_map(pieces).map(str::to_lowercase).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The runs of letters and digits.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// A run, split where it changes its case.
fn pieces(run: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    borders(run).chain([run.len()]).map(move |at| {
        let piece = &run[from..at];
        from = at;
        piece
    })
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
        assert_eq!(asked("saveOrder order_2"), ["2", "order", "save"]);
    }
}
