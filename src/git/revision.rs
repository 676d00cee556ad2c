//! Revisions: what a user types to a commit and its tree, merge bases, branches.

use gix::bstr::{BStr, ByteSlice};

use super::repository::Git;
use super::{GitError, Repository};
use crate::names::{CommitId, ObjectId, RepoPath, TreeId};

/// At most this many names are looked at for "did you mean", and branches for their age.
const MAX_NAMES: usize = 10_000;

/// A commit and its tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Revision {
    pub commit: CommitId,
    pub tree: TreeId,
}

/// A local branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Without `refs/heads/`, escaped as paths are.
    pub name: String,
    pub tip: Revision,
}

impl Repository {
    /// Finds the commit that a revision names, in all of git's spellings; `A..B` is not one revision.
    pub fn resolve(&self, text: &str) -> Result<Revision, GitError> {
        let git = self.git()?;
        let repo = git.local();
        let found = repo.rev_parse(BStr::new(text)).and_then(|spec| match spec.single() {
            Some(id) => id.object().map(Some),
            None => Ok(None),
        });
        let object = match found {
            Ok(Some(object)) => object,
            Ok(None) => {
                let hint = Some("name one revision, not a range".to_owned());
                return Err(GitError::UnknownRevision { text: text.escape_debug().to_string(), hint });
            }
            Err(error) => return Err(git.unknown(&repo, text, &error.to_string())),
        };
        let kind = object.kind;
        match object.peel_to_kind(gix::objs::Kind::Commit) {
            Ok(commit) => revision(&repo, commit.id),
            Err(_) => Err(GitError::NotACommit { text: text.escape_debug().to_string(), kind: kind.to_string() }),
        }
    }

    /// The commit that is checked out.
    pub fn head(&self) -> Result<Revision, GitError> {
        let repo = self.git()?.local();
        let mut head = repo.head().map_err(|error| GitError::read("HEAD", error))?;
        if let gix::head::Kind::Unborn(name) = &head.kind {
            return Err(GitError::Unborn { branch: escaped(name.shorten()) });
        }
        let commit = head.peel_to_commit().map_err(|error| GitError::read("HEAD", error))?;
        revision(&repo, commit.id)
    }

    /// A commit whose id is known, such as a merge base.
    pub fn commit(&self, commit: CommitId) -> Result<Revision, GitError> {
        revision(&self.git()?.local(), gix_id(commit.0))
    }

    /// The branch that is checked out, also an unborn one; `None` when `HEAD` is detached or there is no git.
    pub fn branch(&self) -> Option<String> {
        let name = self.git().ok()?.local().head_name().ok()??;
        Some(escaped(name.shorten()))
    }

    /// All merge bases of two commits, git's best one first; never empty.
    pub fn merge_bases(&self, one: CommitId, two: CommitId) -> Result<Vec<CommitId>, GitError> {
        let git = self.git()?;
        let repo = git.local();
        let bases = repo.merge_bases_many(gix_id(one.0), &[gix_id(two.0)]);
        let shallow = git.is_shallow();
        match bases {
            Ok(bases) if !bases.is_empty() => {
                Ok(bases.iter().map(|id| CommitId(object_id(id))).collect::<Vec<CommitId>>())
            }
            // At a shallow boundary parents are named that are not there.
            Err(error) if !shallow => Err(GitError::read("the commit history", error)),
            _ => Err(GitError::NoMergeBase { one, two, shallow }),
        }
    }

    /// The local branches whose tips are youngest, at most `limit` of them, youngest first.
    pub fn recent_branches(&self, limit: usize) -> Result<Vec<Branch>, GitError> {
        let repo = self.git()?.local();
        let failed = |error: &dyn std::fmt::Display| GitError::read("the branches", error);
        let references = repo.references().map_err(|error| failed(&error))?;
        let branches = references.local_branches().map_err(|error| failed(&error))?;
        let mut found = Vec::new();
        // A broken reference is nothing that anybody could ask about.
        for mut reference in branches.take(MAX_NAMES).filter_map(Result::ok) {
            let name = escaped(reference.name().shorten());
            let Ok(commit) = reference.peel_to_commit() else { continue };
            let Ok(time) = commit.time() else { continue };
            let tip = revision(&repo, commit.id)?;
            found.push((std::cmp::Reverse(time.seconds), Branch { name, tip }));
        }
        found.sort_by(|(age_a, a), (age_b, b)| (age_a, &a.name).cmp(&(age_b, &b.name)));
        Ok(found.into_iter().take(limit).map(|(_, branch)| branch).collect())
    }
}

impl Git {
    /// The error for a revision that is not there, with the hint that most likely helps.
    fn unknown(&self, repo: &gix::Repository, text: &str, reason: &str) -> GitError {
        let base = text.split(['~', '^', '@', ':']).next().unwrap_or(text);
        if let Ok(head) = repo.head()
            && let gix::head::Kind::Unborn(name) = &head.kind
            && (matches!(base, "HEAD" | "") || name.shorten() == base)
        {
            return GitError::Unborn { branch: escaped(name.shorten()) };
        }
        let text = text.escape_debug().to_string();
        if reason.contains("ambiguous") {
            let hint = Some("the abbreviation fits several objects; write more of it".to_owned());
            return GitError::UnknownRevision { text, hint };
        }
        let names = reference_names(repo);
        let tail = format!("/{base}");
        let remote = names.iter().find(|name| name.starts_with("refs/remotes/") && name.ends_with(&tail));
        let hint = if let Some(remote) = remote {
            let remote = remote.trim_start_matches("refs/remotes/");
            Some(format!("`{remote}` exists: use that, or `git branch {base} {remote}`"))
        } else if self.is_shallow() {
            Some("this is a shallow clone: `git fetch --unshallow`, or fetch that branch".to_owned())
        } else {
            let short = |name: &'static str| move |full: &String| full.strip_prefix(name).map(str::to_owned);
            let shorts: Vec<String> = ["refs/heads/", "refs/tags/", "refs/remotes/"]
                .into_iter()
                .flat_map(|prefix| names.iter().filter_map(short(prefix)).collect::<Vec<String>>())
                .collect();
            let shorts: Vec<&str> = shorts.iter().map(String::as_str).collect();
            let near = similar::get_close_matches(base, &shorts, 1, 0.6).into_iter().next();
            Some(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`git branch --all` and `git tag` list what can be named".to_owned(),
            })
        };
        GitError::UnknownRevision { text, hint }
    }
}

/// Full names of references, sorted.
fn reference_names(repo: &gix::Repository) -> Vec<String> {
    let Ok(references) = repo.references() else { return Vec::new() };
    let Ok(all) = references.all() else { return Vec::new() };
    let mut names: Vec<String> =
        all.take(MAX_NAMES).filter_map(Result::ok).map(|reference| escaped(reference.name().as_bstr())).collect();
    names.sort();
    names
}

fn revision(repo: &gix::Repository, commit: gix::ObjectId) -> Result<Revision, GitError> {
    let failed = |error: &dyn std::fmt::Display| GitError::read(format!("commit {commit}"), error);
    let object = repo.find_commit(commit).map_err(|error| failed(&error))?;
    let tree = object.tree_id().map_err(|error| failed(&error))?;
    Ok(Revision { commit: CommitId(object_id(&commit)), tree: TreeId(object_id(&tree)) })
}

fn escaped(name: &BStr) -> String {
    RepoPath::from_bytes(name.as_bytes()).to_string()
}

/// Our id for gix's.
pub(super) fn object_id(id: &gix::hash::oid) -> ObjectId {
    ObjectId::from_bytes(id.as_bytes()).expect("git has ids of 20 and of 32 bytes")
}

/// Gix's id for ours.
pub(super) fn gix_id(id: ObjectId) -> gix::ObjectId {
    gix::ObjectId::try_from(id.as_bytes()).expect("our ids have 20 or 32 bytes")
}
