//! From the bytes on disk to those that git would store: line ends, `ident`, encodings, as attributes and
//! configuration say. External filter programs are never run.

use std::sync::Arc;

use gix::bstr::{BStr, BString};
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::filter::plumbing::pipeline::{CrlfRoundTripCheck, Options};

use super::GitError;
use super::repository::{Git, native_path};

/// Converts files of one worktree.
#[derive(Clone)]
pub(super) struct Cleaner {
    index: Arc<gix::index::File>,
    pipeline: gix::filter::plumbing::Pipeline,
    attributes: gix::worktree::Stack,
    /// Names of external filters that git would run.
    external: Vec<BString>,
    filter: gix::attrs::search::Outcome,
}

/// What became of a file.
pub(super) enum Cleaned {
    Bytes(Vec<u8>),
    /// Only an external filter could say.
    Filtered,
}

impl Cleaner {
    pub(super) fn new(git: &Git, repo: &gix::Repository) -> Result<Cleaner, GitError> {
        let failed = |error: &dyn std::fmt::Display| GitError::read("git's attributes", error);
        let index = git.index(repo)?;
        let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
        let attributes = repo.attributes_only(&index, source).map_err(|error| failed(&error))?.detach();
        let options = gix::filter::Pipeline::options(repo).map_err(|error| failed(&error))?;
        let external = external_names(&options);
        let options = Options { drivers: Vec::new(), crlf_roundtrip_check: CrlfRoundTripCheck::Skip, ..options };
        let pipeline =
            gix::filter::plumbing::Pipeline::new(gix::command::Context::default(), repo.object_hash(), options);
        let filter = attributes.selected_attribute_matches(["filter"]);
        Ok(Cleaner { index: Arc::new(index), pipeline, attributes, external, filter })
    }

    /// Would git run a program to clean this file? The path is relative to the top of the worktree.
    pub(super) fn is_external(&mut self, repo: &gix::Repository, path: &BStr) -> Result<bool, GitError> {
        if self.external.is_empty() {
            return Ok(false);
        }
        let place =
            self.attributes.at_entry(path, None, &repo.objects).map_err(|error| attribute_error(path, error))?;
        self.filter.reset();
        place.matching_attributes(&mut self.filter);
        Ok(self.filter.iter_selected().any(|found| match found.assignment.state {
            gix::attrs::StateRef::Value(name) => self.external.iter().any(|known| known == name.as_bstr()),
            _ => false,
        }))
    }

    /// The bytes that git would store. The path is relative to the top of the worktree.
    pub(super) fn clean(&mut self, repo: &gix::Repository, path: &BStr, bytes: Vec<u8>) -> Result<Cleaned, GitError> {
        if self.is_external(repo, path)? {
            return Ok(Cleaned::Filtered);
        }
        let place =
            self.attributes.at_entry(path, None, &repo.objects).map_err(|error| attribute_error(path, error))?;
        let index = &self.index;
        let outcome = self.pipeline.convert_to_git(
            bytes.as_slice(),
            &native_path(path),
            &mut |_, attributes| {
                place.matching_attributes(attributes);
            },
            &mut |buffer| {
                use gix::objs::Find;
                let Some(entry) = index.entry_by_path(path) else { return Ok(None) };
                let object = repo.objects.try_find(&entry.id, buffer)?;
                Ok(object.filter(|object| object.kind == gix::objs::Kind::Blob).map(|_| ()))
            },
        );
        match outcome {
            Ok(ToGitOutcome::Buffer(converted)) => Ok(Cleaned::Bytes(converted.to_vec())),
            Ok(ToGitOutcome::Unchanged(_)) => Ok(Cleaned::Bytes(bytes)),
            Ok(ToGitOutcome::Process(_)) => Ok(Cleaned::Filtered),
            Err(error) => Err(GitError::read(path.to_string(), error)),
        }
    }
}

fn attribute_error(path: &BStr, error: impl std::fmt::Display) -> GitError {
    GitError::read(format!("the attributes of {path}"), error)
}

/// The names of external filters that are configured, so that git would run them.
pub(super) fn external_filters(repo: &gix::Repository) -> Result<Vec<BString>, GitError> {
    let options = gix::filter::Pipeline::options(repo);
    Ok(external_names(&options.map_err(|error| GitError::read("git's filters", error))?))
}

fn external_names(options: &Options) -> Vec<BString> {
    let drivers = options.drivers.iter().filter(|driver| driver.clean.is_some() || driver.process.is_some());
    drivers.map(|driver| driver.name.clone()).collect()
}
