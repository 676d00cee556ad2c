//! Runs: the pieces in which a graph's sorted list of files is stored, so that neighbouring graphs share most of them.
//!
//! A run ends after a path whose digest says so. Whether a path ends one depends on nothing else, so a change of one
//! file changes one run. Paths are written as what differs from the path before. Pure bytes; knows no database.

use serde::{Deserialize, Serialize};

use crate::graph::Size;
use crate::names::{BlobId, Digest, ModuleName, ObjectId, RepoPath};

/// Mean number of files in a run. Short runs cost little when a file changes, long ones when a graph is read.
const RUN_FILES: u64 = 16;

/// Longest path kept, in bytes; git itself refuses paths over 4,096.
const PATH_BYTES: usize = 1 << 16;

/// Where a unit and what it rests on are stored. Valid for the [`Writer`](super::Writer) that gave it, until it
/// collects garbage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredUnit {
    /// Digest of the unit's canonical bytes.
    pub digest: Digest,
    /// How much it holds.
    pub size: Size,
    pub(super) unit: i64,
    pub(super) reads: i64,
}

/// One file of a stored graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredFile {
    pub path: RepoPath,
    pub blob: BlobId,
    /// `None` for a file that resolution reads but that has no unit: configuration.
    pub unit: Option<StoredUnit>,
    /// The printed name of the module that it is, if it is one.
    pub module: Option<ModuleName>,
}

#[derive(Serialize, Deserialize)]
struct PackedFile<'a> {
    /// How many bytes the path has in common with the path before.
    shared: u32,
    rest: &'a str,
    blob: &'a [u8],
    unit: Option<PackedUnit<'a>>,
    module: Option<&'a str>,
}

#[derive(Serialize, Deserialize)]
struct PackedUnit<'a> {
    digest: &'a [u8],
    size: Size,
    unit: i64,
    reads: i64,
}

/// Cuts a list that is sorted by path into runs, and gives the bytes of each.
pub(super) fn encode(files: &[StoredFile]) -> Vec<Vec<u8>> {
    let ends_run = |file: &StoredFile| Digest::of(file.path.as_str().as_bytes()).short().is_multiple_of(RUN_FILES);
    files.split_inclusive(ends_run).map(encode_run).collect()
}

fn encode_run(files: &[StoredFile]) -> Vec<u8> {
    let mut before = "";
    let pack = |file| {
        let StoredFile { path, blob, unit, module }: &StoredFile = file;
        let path = path.as_str();
        let shared = common_prefix(before, path);
        before = path;
        let unit = unit.as_ref().map(|one| PackedUnit {
            digest: &one.digest.0,
            size: one.size,
            unit: one.unit,
            reads: one.reads,
        });
        let module = module.as_ref().map(ModuleName::as_str);
        PackedFile { shared: shared as u32, rest: &path[shared..], blob: blob.0.as_bytes(), unit, module }
    };
    let packed: Vec<PackedFile> = files.iter().map(pack).collect();
    postcard::to_stdvec(&packed).expect("a run is plain data of known lengths")
}

/// The length of the longest common prefix that ends between characters.
fn common_prefix(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    (0..=same).rev().find(|&at| b.is_char_boundary(at)).unwrap_or(0)
}

/// Reads a run and adds its files; `None` when it is not one, or does not go on where the files before end.
pub(super) fn decode_into(bytes: &[u8], files: &mut Vec<StoredFile>) -> Option<()> {
    let packed: Vec<PackedFile> = postcard::from_bytes(bytes).ok()?;
    let mut path = String::new();
    for file in packed {
        let shared = file.shared as usize;
        if !path.is_char_boundary(shared) || shared + file.rest.len() > PATH_BYTES {
            return None;
        }
        path.truncate(shared);
        path.push_str(file.rest);
        if files.last().is_some_and(|last| last.path.as_str() >= path.as_str()) {
            return None;
        }
        let unit = match file.unit {
            None => None,
            Some(one) => {
                let digest = Digest(one.digest.try_into().ok()?);
                Some(StoredUnit { digest, size: one.size, unit: one.unit, reads: one.reads })
            }
        };
        let blob = BlobId(ObjectId::from_bytes(file.blob)?);
        let module = file.module.map(|name| ModuleName(name.into()));
        files.push(StoredFile { path: RepoPath::from_escaped(&path), blob, unit, module });
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn files() -> impl Strategy<Value = Vec<StoredFile>> {
        prop::collection::btree_map("[ab]{1,2}/[a-cäö]{1,4}\\.py", (any::<u8>(), any::<bool>()), 0..200).prop_map(
            |files| {
                let file = |(path, (byte, has_unit)): (String, (u8, bool))| {
                    let digest = Digest::of(&[byte]);
                    let unit = has_unit.then_some(StoredUnit {
                        digest,
                        size: Size::default(),
                        unit: i64::from(byte),
                        reads: 3,
                    });
                    let blob = BlobId(ObjectId::from_bytes(&[byte; 20]).expect("20 bytes"));
                    let module = has_unit.then(|| ModuleName(path.replace('/', ".").into()));
                    StoredFile { path: RepoPath::from_escaped(&path), blob, unit, module }
                };
                files.into_iter().map(file).collect()
            },
        )
    }

    proptest! {
        #[test]
        fn files_survive_their_runs(files in files()) {
            let mut read = Vec::new();
            for run in encode(&files) {
                prop_assert_eq!(decode_into(&run, &mut read), Some(()));
            }
            prop_assert_eq!(read, files);
        }

        #[test]
        fn a_changed_file_changes_one_run(files in files(), at in any::<prop::sample::Index>()) {
            prop_assume!(!files.is_empty());
            let mut changed = files.clone();
            let at = at.index(files.len());
            changed[at].blob = BlobId(ObjectId::from_bytes(&[99; 32]).expect("32 bytes"));
            let before = encode(&files);
            let after = encode(&changed);
            prop_assert_eq!(before.len(), after.len());
            prop_assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 1);
        }

        #[test]
        fn any_bytes_are_files_in_order_or_refused(
            files in files(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        ) {
            let mut read = Vec::new();
            for mut run in encode(&files) {
                for (at, byte) in &changes {
                    let at = at.index(run.len());
                    run[at] = *byte;
                }
                if decode_into(&run, &mut read).is_none() {
                    break;
                }
            }
            prop_assert!(read.is_sorted_by(|a, b| a.path < b.path));
        }
    }
}
