//! Which files are marked `linguist-generated` or `linguist-vendored`: only the `.gitattributes` of the snapshot
//! itself are asked, so that the answer is the same wherever the snapshot is taken.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::worktree::Stack;
use gix::worktree::stack::State;
use gix::worktree::stack::state::attributes::Source;
use rustc_hash::FxHashMap;

use super::GitError;

/// Larger `.gitattributes` are not looked at.
pub(super) const MAX_ATTRIBUTES_BYTES: u64 = 1 << 20;

/// The two attributes.
const MARKS: [&str; 2] = ["linguist-generated", "linguist-vendored"];

/// Knows which files are generated.
pub(super) struct Generated {
    /// `None`: nothing is.
    stack: Option<(Stack, gix::attrs::search::Outcome)>,
    texts: Texts,
}

/// The `.gitattributes` of a snapshot, as a tiny object database.
struct Texts(FxHashMap<gix::ObjectId, Vec<u8>>);

impl gix::objs::Find for Texts {
    fn try_find<'a>(&self, id: &gix::hash::oid, buffer: &'a mut Vec<u8>) -> gix::Result<Option<gix::objs::Data<'a>>> {
        let Some(text) = self.0.get(id) else { return Ok(None) };
        buffer.clear();
        buffer.extend_from_slice(text);
        Ok(Some(gix::objs::Data::new(buffer, gix::objs::Kind::Blob, id.kind())))
    }
}

impl Generated {
    /// Takes all `.gitattributes`: path, id, text.
    pub(super) fn new(mut files: Vec<(BString, gix::ObjectId, Vec<u8>)>) -> Generated {
        if !files.iter().any(|(_, _, text)| text.contains_str("linguist-")) {
            return Generated { stack: None, texts: Texts(FxHashMap::default()) };
        }
        files.sort();
        let places = files.iter().map(|(path, id, _)| (path.clone(), *id)).collect();
        let texts = Texts(files.into_iter().map(|(_, id, text)| (id, text)).collect());
        let attributes = gix::worktree::stack::state::Attributes::new(
            gix::attrs::Search::default(),
            None,
            Source::IdMapping,
            gix::attrs::search::MetadataCollection::default(),
        );
        let case = gix::glob::pattern::Case::Sensitive;
        let stack = Stack::new("", State::AttributesStack(attributes), case, Vec::new(), places);
        let outcome = stack.selected_attribute_matches(MARKS);
        Generated { stack: Some((stack, outcome)), texts }
    }

    /// Is the file marked? Cheapest when asked in the order of paths.
    pub(super) fn is_generated(&mut self, path: &BStr) -> Result<bool, GitError> {
        let Some((stack, outcome)) = &mut self.stack else { return Ok(false) };
        let failed = |error| GitError::read(format!("the attributes of {path}"), error);
        let place = stack.at_entry(path, None, &self.texts).map_err(failed)?;
        outcome.reset();
        place.matching_attributes(outcome);
        Ok(outcome.iter_selected().any(|found| match found.assignment.state {
            gix::attrs::StateRef::Set => true,
            gix::attrs::StateRef::Value(value) => value.as_bstr() != "false",
            gix::attrs::StateRef::Unset | gix::attrs::StateRef::Unspecified => false,
        }))
    }
}
