//! From a listing to a snapshot: configuration, limits, generated files, bundles, and the ids of what is dirty.
//!
//! These rules look at blobs only (size and text as git stores them), so a commit, git's index and a clean worktree
//! give the same snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use gix::bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use super::GitError;
use super::attributes::{Generated, MAX_ATTRIBUTES_BYTES};
use super::content::{Loader, Resolved};
use super::listing::{Content, Listed, Listing, Scope, file_name};
use super::plain::list_plain;
use super::repository::Repository;
use super::revision::{gix_id, object_id};
use super::stat_cache::{CachedFile, StatCache};
use crate::config::{CONFIG_FILE, Config, ConfigError, MAX_CONFIG_BYTES, PYPROJECT_FILE, Problem, Strictness};
use crate::names::{BlobId, Digest, ObjectId, RepoPath, TreeId};
use crate::snapshot::{Entry, FileKind, MAX_LINE_BYTES, Skip, Skipped, Snapshot, can_be_minified, is_minified};

/// Contents are looked up in pieces of this many files.
const PIECE: usize = 128;

/// A snapshot, how it was configured, and access to its text ([`Repository::reader`]).
pub struct Capture {
    /// What is there.
    pub snapshot: Snapshot,
    /// The configuration that was found in it.
    pub config: Config,
    /// Mistakes in an old commit's configuration, configuration that is git-ignored; for stderr.
    pub warnings: Vec<String>,
    /// What the object database does not have (a partial clone): files whose entry has no blob, `.gitattributes`.
    pub missing: Vec<(RepoPath, BlobId)>,
    /// The text of dirty files.
    held: BTreeMap<RepoPath, Arc<[u8]>>,
    on_disk: bool,
}

/// Reads the text of a [`Capture`]'s entries; one for each thread.
pub struct Reader<'a> {
    capture: &'a Capture,
    loader: Loader<'a>,
}

impl Reader<'_> {
    /// The text of an entry, as its blob has it. [`GitError::Changed`] says that a dirty file is not any more what it
    /// was when the snapshot was taken: take it anew.
    pub fn read(&mut self, entry: &Entry) -> Result<Vec<u8>, GitError> {
        if let Some(bytes) = self.capture.held.get(&entry.path) {
            return Ok(bytes.to_vec());
        }
        let missing = |blob| GitError::MissingBlob { path: entry.path.clone(), blob };
        let Some(blob) = entry.blob else {
            let known = self.capture.missing.iter().find(|(path, _)| *path == entry.path);
            return Err(match known {
                Some((_, blob)) => missing(*blob),
                None => GitError::Changed(entry.path.clone()),
            });
        };
        let path = BString::from(entry.path.to_bytes());
        self.loader.text(path.as_bstr(), gix_id(blob.0), None)?.ok_or_else(|| missing(blob))
    }
}

impl Repository {
    /// Access to the text of a capture, for one thread.
    pub fn reader<'a>(&'a self, capture: &'a Capture) -> Reader<'a> {
        Reader { capture, loader: Loader::new(self, capture.on_disk) }
    }

    /// The text of a blob by its id, as git stores it; `None` when the object is not there. `on_disk`: a file of the
    /// disk that is still the same counts too.
    pub fn blob_text(&self, path: &RepoPath, blob: BlobId, on_disk: bool) -> Result<Option<Vec<u8>>, GitError> {
        let path = BString::from(path.to_bytes());
        Loader::new(self, on_disk).text(path.as_bstr(), gix_id(blob.0), None)
    }

    /// The snapshot of a commit, by its tree. `cache` is only a shortcut.
    pub fn commit_snapshot(&self, tree: TreeId, rules: &[u8], cache: &StatCache) -> Result<Capture, GitError> {
        let git = self.git()?;
        let repo = git.local();
        let listing = git.list_tree(&repo, gix_id(tree.0), Scope::Source)?;
        let work = Work { repository: self, rules, cache, strictness: Strictness::Lenient, on_disk: false };
        Ok(work.finish(listing)?.0)
    }

    /// The snapshot of git's index.
    pub fn staged_snapshot(&self, rules: &[u8], cache: &StatCache) -> Result<Capture, GitError> {
        let git = self.git()?;
        let repo = git.local();
        let index = git.index(&repo)?;
        let listing = git.list_staged(&repo, &index, Scope::Source)?;
        let work = Work { repository: self, rules, cache, strictness: Strictness::Strict, on_disk: false };
        Ok(work.finish(listing)?.0)
    }

    /// The snapshot of the disk, and what to pass as `cache` the next time: `None` when that is what was passed now.
    pub fn disk_snapshot(&self, rules: &[u8], cache: &StatCache) -> Result<(Capture, Option<StatCache>), GitError> {
        let mut next = StatCache::default();
        let listing = match self.git() {
            Ok(git) => {
                let disk = git.list_disk(&git.local(), Scope::Source, cache)?;
                next.tracked = Some(disk.tracked);
                next.directories = disk.directories.into_iter().collect();
                disk.listing
            }
            Err(_) => list_plain(self.root(), Scope::Source)?,
        };
        let work = Work { repository: self, rules, cache, strictness: Strictness::Strict, on_disk: true };
        let (mut capture, learnt) = work.finish(listing)?;
        if capture.snapshot.entry(CONFIG_FILE).is_none() && self.root().join(CONFIG_FILE).is_file() {
            capture.warnings.push(format!("{CONFIG_FILE} is ignored by git, so it is not read"));
        }
        next.files = learnt.files;
        next.cleaning = learnt.cleaning;
        next.minified = learnt.minified;
        Ok((capture, (next != *cache).then_some(next)))
    }
}

/// What was learnt on the way, for the next stat cache.
#[derive(Default)]
struct Learnt {
    files: BTreeMap<Vec<u8>, CachedFile>,
    cleaning: Option<Digest>,
    minified: BTreeMap<ObjectId, bool>,
}

/// One listing on its way to a snapshot.
struct Work<'a> {
    repository: &'a Repository,
    rules: &'a [u8],
    cache: &'a StatCache,
    strictness: Strictness,
    on_disk: bool,
}

/// A file whose content is known.
struct Known {
    path: BString,
    kind: FileKind,
    resolved: Resolved,
}

impl Work<'_> {
    fn finish(&self, mut listing: Listing) -> Result<(Capture, Learnt), GitError> {
        // A sparse index may list a file that stands on disk too; then the disk counts.
        listing.files.sort_by(|a, b| {
            let on_disk = |file: &Listed| matches!(file.content, Content::Disk { .. });
            (&a.path, !on_disk(a)).cmp(&(&b.path, !on_disk(b)))
        });
        listing.files.dedup_by(|a, b| a.path == b.path);
        let mut loader = Loader::new(self.repository, self.on_disk);
        let (config, warnings) = self.configuration(&listing, &mut loader)?;

        let mut skipped = std::mem::take(&mut listing.skipped);
        let (attributes, files): (Vec<Listed>, Vec<Listed>) =
            listing.files.into_iter().partition(|file| file.kind == FileKind::Attributes);
        let mut wanted = Vec::with_capacity(files.len());
        for file in files {
            match config.excludes(&file.path) {
                true => skipped.push(Skipped { path: RepoPath::from_bytes(&file.path), reason: Skip::Excluded }),
                false => wanted.push(file),
            }
        }
        if wanted.len() > config.max_files {
            return Err(GitError::TooManyFiles { files: wanted.len(), limit: config.max_files });
        }
        // What decides about cleaning is itself read each time it is dirty.
        let nothing = StatCache::default();
        let attributes =
            self.resolve(attributes, MAX_ATTRIBUTES_BYTES, &nothing, &mut loader, &mut Learnt::default())?;
        let cleaning = self.cleaning(&attributes, &mut loader)?;
        let mut learnt = Learnt { cleaning: Some(cleaning), ..Learnt::default() };
        let cache = if self.cache.cleaning == Some(cleaning) { self.cache } else { &nothing };
        let known = self.resolve(wanted, config.max_file_bytes, cache, &mut loader, &mut learnt)?;

        let generated = self.generated(&attributes, &mut loader)?;
        let mut taken = Taken { skipped, ..Taken::default() };
        // They are no entries, but nobody can tell what they would have hidden.
        taken.missing.extend(attributes.iter().filter_map(|file| match &file.resolved {
            Resolved::Missing(id) => Some((RepoPath::from_bytes(&file.path), BlobId(object_id(id)))),
            _ => None,
        }));
        let mut sieve = Sieve { config: &config, generated, minified: &self.cache.minified, loader };
        for file in known {
            taken.take(file, &mut sieve, &mut learnt)?;
        }
        let Taken { entries, skipped, missing, held } = taken;
        let snapshot = Snapshot::new(&self.all_rules(&config), entries, skipped, listing.conflicts);
        Ok((Capture { snapshot, config, warnings, missing, held, on_disk: self.on_disk }, learnt))
    }

    /// Everything but the files that decides what the graph will be.
    fn all_rules(&self, config: &Config) -> Vec<u8> {
        let mut rules = Vec::new();
        for part in [self.rules, &config.canonical(), self.repository.prefix().as_str().as_bytes()] {
            rules.extend((part.len() as u64).to_be_bytes());
            rules.extend(part);
        }
        rules
    }

    /// The configuration that stands in the snapshot itself.
    fn configuration(&self, listing: &Listing, loader: &mut Loader<'_>) -> Result<(Config, Vec<String>), GitError> {
        for name in [CONFIG_FILE, PYPROJECT_FILE] {
            let found = listing.files.binary_search_by(|file| file.path.as_bstr().cmp(BStr::new(name)));
            let Ok(at) = found else { continue };
            let file = &listing.files[at];
            let (limit, nothing) = (MAX_CONFIG_BYTES as u64, StatCache::default());
            let resolved = loader.resolve(file, limit, &nothing, &AtomicUsize::new(0))?;
            let text = match resolved {
                Resolved::Blob { id, size, bytes, .. } if size <= MAX_CONFIG_BYTES as u64 => {
                    loader.text(file.path.as_bstr(), id, bytes.as_deref())?
                }
                Resolved::Blob { .. } | Resolved::Skipped(Skip::TooLarge) if name == CONFIG_FILE => {
                    let error = ConfigError { file: name.to_owned(), problem: Problem::TooLarge };
                    match self.strictness {
                        Strictness::Strict => return Err(error.into()),
                        Strictness::Lenient => return Ok((Config::default(), vec![error.to_string()])),
                    }
                }
                _ => None,
            };
            let Some(text) = text else { continue };
            let (config, mistakes) = Config::read(name, &text, self.strictness)?;
            if let Some(config) = config {
                return Ok((config, mistakes.iter().map(ConfigError::to_string).collect()));
            }
        }
        Ok((Config::default(), Vec::new()))
    }

    /// Finds ids and sizes, many files at a time.
    fn resolve(
        &self,
        files: Vec<Listed>,
        limit: u64,
        cache: &StatCache,
        loader: &mut Loader<'_>,
        learnt: &mut Learnt,
    ) -> Result<Vec<Known>, GitError> {
        // Made once: it reads git's index and attributes.
        let cleaner = match files.iter().any(|file| matches!(file.content, Content::Disk { .. })) {
            true => loader.cleaner()?,
            false => None,
        };
        let cleaner = cleaner.as_deref();
        let held = AtomicUsize::new(0);
        let pieces: Result<Vec<Vec<Known>>, GitError> = files
            .par_chunks(PIECE)
            .map(|piece| {
                let mut loader = Loader::new(self.repository, self.on_disk).with_cleaner(cleaner);
                let known = piece.iter().map(|file| {
                    let resolved = loader.resolve(file, limit, cache, &held)?;
                    Ok(Known { path: file.path.clone(), kind: file.kind, resolved })
                });
                known.collect()
            })
            .collect();
        let known: Vec<Known> = pieces?.into_iter().flatten().collect();
        for file in &known {
            if let Resolved::Blob { cached: Some(cached), .. } = &file.resolved {
                learnt.files.insert(file.path.to_vec(), cached.clone());
            }
        }
        Ok(known)
    }

    /// A digest of what decides how files are cleaned: all `.gitattributes` and git's configuration.
    fn cleaning(&self, attributes: &[Known], loader: &mut Loader<'_>) -> Result<Digest, GitError> {
        let mut bytes = loader.cleaning_rules()?;
        for file in attributes {
            if let Resolved::Blob { id, .. } = &file.resolved {
                bytes.extend((file.path.len() as u64).to_be_bytes());
                bytes.extend_from_slice(&file.path);
                bytes.extend_from_slice(id.as_bytes());
            }
        }
        Ok(Digest::of(&bytes))
    }

    fn generated(&self, attributes: &[Known], loader: &mut Loader<'_>) -> Result<Generated, GitError> {
        let mut texts = Vec::new();
        for file in attributes {
            let Resolved::Blob { id, size, bytes, .. } = &file.resolved else { continue };
            if *size > MAX_ATTRIBUTES_BYTES {
                continue;
            }
            if let Some(text) = loader.text(file.path.as_bstr(), *id, bytes.as_deref())? {
                texts.push((file.path.clone(), *id, text));
            }
        }
        Ok(Generated::new(texts))
    }
}

/// The rules that look at content.
struct Sieve<'a> {
    config: &'a Config,
    generated: Generated,
    /// What was found out about blobs before.
    minified: &'a BTreeMap<ObjectId, bool>,
    loader: Loader<'a>,
}

impl Sieve<'_> {
    /// Why a file is left out, if it is.
    fn reason(
        &mut self,
        path: &BStr,
        id: gix::ObjectId,
        size: u64,
        bytes: Option<&[u8]>,
        learnt: &mut Learnt,
    ) -> Result<Option<Skip>, GitError> {
        if size > self.config.max_file_bytes {
            return Ok(Some(Skip::TooLarge));
        }
        if self.generated.is_generated(path)? {
            return Ok(Some(Skip::Generated));
        }
        if size <= MAX_LINE_BYTES as u64 || !can_be_minified(file_name(path)) {
            return Ok(None);
        }
        let key = object_id(&id);
        let bundle = match self.minified.get(&key) {
            Some(bundle) => *bundle,
            None => self.loader.text(path, id, bytes)?.is_some_and(|text| is_minified(&text)),
        };
        learnt.minified.insert(key, bundle);
        Ok(bundle.then_some(Skip::Minified))
    }
}

/// What goes into the snapshot.
#[derive(Default)]
struct Taken {
    entries: Vec<Entry>,
    skipped: Vec<Skipped>,
    missing: Vec<(RepoPath, BlobId)>,
    held: BTreeMap<RepoPath, Arc<[u8]>>,
}

impl Taken {
    /// Puts a file where it belongs.
    fn take(&mut self, file: Known, sieve: &mut Sieve<'_>, learnt: &mut Learnt) -> Result<(), GitError> {
        let FileKind::Read(dialect) = file.kind else { return Ok(()) };
        let path = RepoPath::from_bytes(&file.path);
        match file.resolved {
            Resolved::Gone => {}
            Resolved::Skipped(reason) => self.skipped.push(Skipped { path, reason }),
            Resolved::Missing(id) => {
                self.missing.push((path.clone(), BlobId(object_id(&id))));
                self.entries.push(Entry { path, blob: None, dialect });
            }
            Resolved::Blob { id, size, bytes, .. } => {
                if let Some(reason) = sieve.reason(file.path.as_bstr(), id, size, bytes.as_deref(), learnt)? {
                    self.skipped.push(Skipped { path, reason });
                    return Ok(());
                }
                self.held.extend(bytes.map(|bytes| (path.clone(), bytes.into())));
                self.entries.push(Entry { path, blob: Some(BlobId(object_id(&id))), dialect });
            }
        }
        Ok(())
    }
}
