//! The strings of one file, one after the other in one text.

/// A list of strings that is only added to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Strings {
    text: String,
    /// Where each string ends in the text; the next one starts there.
    ends: Vec<u32>,
}

impl Strings {
    /// The string at an index, which must be there.
    pub fn get(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[at] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a string and gives its index.
    pub fn push(&mut self, string: &str) -> usize {
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
        self.ends.len() - 1
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// All strings, one behind the other.
    pub(super) fn joined(&self) -> &str {
        &self.text
    }

    /// Cuts a text into strings of these lengths; `None` when they do not fit it.
    pub(super) fn cut(text: &str, lengths: &[u32]) -> Option<Strings> {
        let mut end = 0u32;
        let mut ends = Vec::with_capacity(lengths.len());
        for length in lengths {
            end = end.checked_add(*length)?;
            if !text.is_char_boundary(end as usize) {
                return None;
            }
            ends.push(end);
        }
        (end as usize == text.len()).then(|| Strings { text: text.to_owned(), ends })
    }

    /// Gives back the room that was kept for more.
    pub(super) fn fit(&mut self) {
        self.text = String::from(self.text.as_str());
        super::fit(&mut self.ends);
    }
}
