//! The module rules of a run, also where a configuration file makes them fail: it is left out and named, and the rest
//! goes on.

use std::sync::Arc;

use super::facts::guarded;
use crate::languages::Layout;
use crate::names::RepoPath;

/// Configuration files that are looked for when they make the program fail; beyond that all of them are left out.
const MAX_FAILING: usize = 8;

/// What is made of a layout, and the configuration files that had to be left out of it, since they make that fail.
///
/// Which file it is no panic says, but the texts before it do no harm: so the first is found, in the order of paths,
/// with which those before it fail.
pub(super) fn made_of<T>(mut layout: Layout, make: impl Fn(Arc<Layout>) -> T) -> (T, Vec<RepoPath>) {
    let mut failed = Vec::new();
    loop {
        let whole = Arc::new(layout);
        if let Some(made) = guarded(|| Some(make(whole.clone()))) {
            return (made, failed);
        }
        layout = Arc::unwrap_or_clone(whole);
        let texts = std::mem::take(&mut layout.configurations);
        let fails = |count: usize| {
            let configurations = texts.iter().take(count).map(|(path, text)| (path.clone(), text.clone())).collect();
            guarded(|| Some(make(Arc::new(Layout::new(layout.files.clone(), configurations))))).is_none()
        };
        if failed.len() == MAX_FAILING || fails(0) {
            // Without any: what fails now is no fault of theirs.
            failed.extend(texts.into_keys());
            return (make(Arc::new(layout)), failed);
        }
        let (mut harmless, mut failing) = (0, texts.len());
        while failing - harmless > 1 {
            let middle = harmless.midpoint(failing);
            if fails(middle) { failing = middle } else { harmless = middle }
        }
        failed.extend(texts.keys().nth(harmless).cloned());
        layout.configurations = texts.into_iter().filter(|(path, _)| failed.last() != Some(path)).collect();
    }
}
