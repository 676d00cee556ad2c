//! The names of things: newtypes instead of bare strings and integers.
//!
//! This layer knows nothing of git, languages or the store; everything may use it.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A path below the root, components joined by `/`, in *escaped* form: printable UTF-8 only.
///
/// Control characters, `%` and bytes that are not UTF-8 are written `%XX` (upper-case hexadecimal), so a path can be
/// printed, compared and stored as text everywhere; only git and the disk ask for [`RepoPath::to_bytes`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RepoPath(Arc<str>);

impl RepoPath {
    /// Escapes raw path bytes as git or the file system gives them.
    pub fn from_bytes(bytes: &[u8]) -> RepoPath {
        RepoPath(escape_bytes(bytes).into())
    }

    /// Takes a path that is already in escaped form, such as one that was printed by us.
    pub fn from_escaped(text: &str) -> RepoPath {
        RepoPath(text.into())
    }

    /// Takes a path that is already in escaped form, without copying it.
    pub fn from_shared(text: Arc<str>) -> RepoPath {
        RepoPath(text)
    }

    /// The bytes that git and the file system know the path by.
    pub fn to_bytes(&self) -> Vec<u8> {
        unescape(&self.0)
    }

    /// The escaped form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The directory that holds the file, `""` for the root.
    pub fn directory(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(directory, _)| directory)
    }

    /// What follows the last dot of the file name, `""` when there is none.
    pub fn extension(&self) -> &str {
        self.file_name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

impl Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

/// Percent-escapes control characters, `%` and everything that is not UTF-8.
fn escape_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '%' || c.is_control() {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    push_hex(&mut out, byte);
                }
            } else {
                out.push(c);
            }
        }
        for &byte in chunk.invalid() {
            push_hex(&mut out, byte);
        }
    }
    out
}

fn push_hex(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(HEX[usize::from(byte >> 4)]));
    out.push(char::from(HEX[usize::from(byte & 15)]));
}

fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

/// An object id of git: 20 bytes (SHA-1) or 32 (SHA-256), printed in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectId {
    len: u8,
    bytes: [u8; 32],
}

impl ObjectId {
    /// Takes 20 or 32 bytes; anything else is no object id.
    pub fn from_bytes(id: &[u8]) -> Option<ObjectId> {
        if id.len() != 20 && id.len() != 32 {
            return None;
        }
        let mut bytes = [0; 32];
        bytes[..id.len()].copy_from_slice(id);
        Some(ObjectId { len: id.len() as u8, bytes })
    }

    /// The raw bytes, 20 or 32 of them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len).min(32)]
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, self.as_bytes())
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, self.as_bytes())
    }
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

macro_rules! object_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub ObjectId);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

object_id!(
    /// The id that git gives, or would give, the content of a file (after its clean filters).
    BlobId
);
object_id!(
    /// The id of a git tree.
    TreeId
);
object_id!(
    /// The id of a git commit.
    CommitId
);

/// A SHA-256 over canonical bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of one piece of bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// The first eight bytes as a number: a short key that is the same on every machine.
    pub fn short(&self) -> u64 {
        u64::from_be_bytes(self.0[..8].try_into().expect("a digest has 32 bytes"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, &self.0)
    }
}

/// The identity of a snapshot: what is in it, how it is read, and by which versions of our own rules (DESIGN §4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SnapshotId(pub Digest);

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The printed name of a module: `shop.models`, `src/util`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ModuleName(pub Arc<str>);

impl ModuleName {
    /// As printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// A symbol's name inside its file: names joined by `.`, `""` for the module itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LocalPath(pub Arc<str>);

impl LocalPath {
    /// The local path of the module itself.
    pub fn module() -> LocalPath {
        LocalPath("".into())
    }

    /// Whether it is that of the module itself.
    pub fn is_module(&self) -> bool {
        self.0.is_empty()
    }

    /// As printed behind the colon of an id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LocalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for LocalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// The printed identity of a symbol or module: `module:Local.path`, or `module` alone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId {
    /// The module that defines it.
    pub module: ModuleName,
    /// Its name there.
    pub local: LocalPath,
}

impl fmt::Display for SymbolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.module.as_str())?;
        if !self.local.is_module() {
            write!(f, ":{}", self.local)?;
        }
        Ok(())
    }
}

impl fmt::Debug for SymbolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for SymbolId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A line of a file, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
pub struct Line(pub u32);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A column of a line in bytes, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
pub struct Column(pub u32);

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a file is parsed as. Facts are cached per (blob, dialect).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Dialect {
    /// `.py`, `.pyi`
    Python,
    /// `.ts .mts .cts`
    TypeScript,
    /// `.tsx`
    Tsx,
    /// `.js .mjs .cjs .jsx`
    JavaScript,
    /// `tsconfig*.json`, `jsconfig.json`, `package.json`, `pyproject.toml`, `setup.cfg`, `pnpm-workspace.yaml`: kept
    /// as text, read by the languages' module rules.
    Configuration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_escaping() {
        for raw in [&b"a/b.py"[..], b"a\nb.py", b"50%.py", b"\xff\xfe.py", "ä/ö.py".as_bytes()] {
            let path = RepoPath::from_bytes(raw);
            assert_eq!(path.to_bytes(), raw);
            assert!(!path.as_str().chars().any(char::is_control));
        }
        assert_eq!(RepoPath::from_bytes(b"a\nb%").as_str(), "a%0Ab%25");
    }
}
