//! Known changes of small projects, and the verdicts that they must get: all of them, and no other.
//!
//! Each seed is one change of a project of `fixtures/` (with a few more files, so that every form of call is there),
//! and the complete list of changed symbols and findings. The seeds are for people to judge: nothing rewrites them.

mod project;
mod python;
#[cfg(feature = "typescript")]
mod typescript;

use project::{Edit, Project};
use rayon::prelude::*;

/// One known change.
pub struct Seed {
    /// What is done, in a few words.
    name: &'static str,
    edits: &'static [Edit],
    /// `change id` of each changed symbol, then `verdict caller -> symbol: reason` of each finding, all sorted.
    expected: &'static str,
}

fn check(base: &Project, seeds: &[Seed]) {
    let mut wrong = Vec::new();
    let found: Vec<Vec<String>> = seeds.par_iter().map(|seed| base.change(seed.edits).findings()).collect();
    for (seed, found) in seeds.iter().zip(found) {
        let expected: Vec<&str> = seed.expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if found != expected {
            wrong.push(format!(
                "{}\n{}",
                seed.name,
                similar::TextDiff::from_slices(&expected, &found.iter().map(String::as_str).collect::<Vec<_>>())
                    .iter_all_changes()
                    .map(|change| format!("  {} {}", change.tag(), change.value()))
                    .collect::<Vec<_>>()
                    .join("\n")
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} seeds are wrong:\n\n{}", wrong.len(), seeds.len(), wrong.join("\n\n"));
}

#[test]
fn every_change_of_python_has_its_verdicts() {
    let project = Project::of("shop", python::MORE);
    python::SEEDS.iter().for_each(|seeds| check(&project, seeds));
}

#[cfg(feature = "typescript")]
#[test]
fn every_change_of_typescript_has_its_verdicts() {
    let project = Project::of("web", typescript::MORE);
    typescript::SEEDS.iter().for_each(|seeds| check(&project, seeds));
}

#[test]
fn there_are_enough_kinds_of_change() {
    assert!(python::SEEDS.iter().map(|seeds| seeds.len()).sum::<usize>() >= 40);
    #[cfg(feature = "typescript")]
    assert!(typescript::SEEDS.iter().map(|seeds| seeds.len()).sum::<usize>() >= 40);
}
