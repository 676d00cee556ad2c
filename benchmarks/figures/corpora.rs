//! The repositories that are measured, made from packages and kept in a directory of the user's.
//!
//! Needs `git` and `tar`; `python3` with pip and `npm` to fetch what is not there yet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::process::{run, run_for_output};

/// The release of Django that is checked out, and stored first.
pub const RELEASE: &str = "5.2.1";
/// The next one; 24 source files differ.
pub const NEIGHBOUR: &str = "5.2.2";
/// One of a year before; 478 source files differ.
pub const FAR_RELEASE: &str = "5.1";
/// All that become commits, oldest first.
const RELEASES: [&str; 4] = [FAR_RELEASE, "5.2", RELEASE, NEIGHBOUR];
/// The release of RxJS.
pub const RXJS: &str = "7.8.2";
/// How many times the larger copy of Django holds it.
const COPIES: usize = 10;

pub struct Corpora {
    directory: PathBuf,
}

impl Corpora {
    /// Keeps them in this directory, which is made.
    pub fn open(directory: &Path) -> Outcome<Corpora> {
        fs::create_dir_all(directory)?;
        let directory = directory.canonicalize()?;
        if directory.starts_with(env!("CARGO_MANIFEST_DIR")) {
            return Err(format!("{} is inside the repository; choose another --work", directory.display()).into());
        }
        Ok(Corpora { directory })
    }

    /// A fresh, empty directory for databases.
    pub fn scratch(&self) -> Outcome<PathBuf> {
        let scratch = self.directory.join("scratch");
        if scratch.exists() {
            fs::remove_dir_all(&scratch)?;
        }
        fs::create_dir(&scratch)?;
        Ok(scratch)
    }

    /// Django's releases as a history, each under its tag.
    pub fn django(&self) -> Outcome<PathBuf> {
        self.made("django", |root| {
            for release in RELEASES {
                let archive = self.django_archive(release)?;
                git(root, &["rm", "-r", "-q", "-f", "--ignore-unmatch", "."])?;
                unpack(&archive, root, &[])?;
                commit(root, release)?;
            }
            Ok(())
        })
    }

    /// Copies of one release of Django beside each other.
    pub fn django_tenfold(&self) -> Outcome<PathBuf> {
        self.made("django-tenfold", |root| {
            let archive = self.django_archive(RELEASE)?;
            for copy in 0..COPIES {
                let directory = root.join(format!("copy{copy}"));
                fs::create_dir(&directory)?;
                unpack(&archive, &directory, &[])?;
            }
            commit(root, RELEASE)
        })
    }

    /// The sources of a package of TypeScript, without what was compiled from them.
    pub fn rxjs(&self) -> Outcome<PathBuf> {
        self.made("rxjs", |root| {
            let downloads = self.downloads()?;
            run(Command::new("npm").args(["pack", "--silent", &format!("rxjs@{RXJS}")]).current_dir(&downloads))?;
            unpack(&downloads.join(format!("rxjs-{RXJS}.tgz")), root, &["package/src"])?;
            commit(root, RXJS)
        })
    }

    /// A repository; it is made in a directory of another name first, so that half of one is never taken for it.
    fn made(&self, name: &str, make: impl FnOnce(&Path) -> Outcome<()>) -> Outcome<PathBuf> {
        let root = self.directory.join(name);
        if !root.exists() {
            eprintln!("making {}", root.display());
            let unfinished = self.directory.join(format!("{name}.unfinished"));
            if unfinished.exists() {
                fs::remove_dir_all(&unfinished)?;
            }
            fs::create_dir(&unfinished)?;
            git(&unfinished, &["init", "-q", "-b", "main"])?;
            make(&unfinished)?;
            git(&unfinished, &["gc", "--quiet"])?;
            fs::rename(&unfinished, &root)?;
        }
        Ok(root)
    }

    /// The archive of a release as its authors published it: with the tests, which no wheel has.
    fn django_archive(&self, release: &str) -> Outcome<PathBuf> {
        let downloads = self.downloads()?;
        let name = format!("django-{release}.tar.gz");
        let present = || -> Outcome<Option<PathBuf>> {
            let entries = fs::read_dir(&downloads)?.collect::<Result<Vec<_>, _>>()?;
            let is_it = |entry: &fs::DirEntry| entry.file_name().eq_ignore_ascii_case(&name);
            Ok(entries.iter().find(|entry| is_it(entry)).map(fs::DirEntry::path))
        };
        if present()?.is_none() {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest"]);
            run(pip.arg(&downloads).arg(format!("Django=={release}")))?;
        }
        Ok(present()?.ok_or("pip did not bring what it was asked for")?)
    }

    fn downloads(&self) -> Outcome<PathBuf> {
        let downloads = self.directory.join("downloads");
        fs::create_dir_all(&downloads)?;
        Ok(downloads)
    }
}

/// Puts what an archive holds in its only directory into `root`: all, or only what is named.
fn unpack(archive: &Path, root: &Path, members: &[&str]) -> Outcome<()> {
    let mut tar = Command::new("tar");
    tar.args(["--strip-components=1", "--no-same-owner", "-xzf"]).arg(archive).arg("-C").arg(root).args(members);
    run(&mut tar)?;
    Ok(())
}

/// Commits all that is there, and names the commit.
fn commit(root: &Path, tag: &str) -> Outcome<()> {
    git(root, &["add", "--all", "--force", "."])?;
    git(root, &["commit", "-q", "-m", tag])?;
    git(root, &["tag", tag])?;
    Ok(())
}

/// Runs git as it is without anybody's settings, and gives what it printed.
pub fn git(root: &Path, arguments: &[&str]) -> Outcome<String> {
    Ok(run_for_output(git_command(root).args(arguments))?.1)
}

/// Git without anybody's settings, in a worktree.
pub fn git_command(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root);
    // No housekeeping behind our back, and no advice.
    for setting in ["gc.auto=0", "maintenance.auto=false", "advice.detachedHead=false", "init.defaultBranch=main"] {
        command.args(["-c", setting]);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "t").env(format!("GIT_{who}_EMAIL"), "t@example.invalid");
        command.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
    }
    command
}

/// Sets the files to those of a commit, and lets git forget that they were written just now: it reads files again that
/// are as new as its index.
pub fn check_out(root: &Path, revision: &str) -> Outcome<()> {
    git(root, &["checkout", "-q", "-f", revision])?;
    std::thread::sleep(std::time::Duration::from_millis(1100));
    git(root, &["update-index", "-q", "--refresh", "--force-write-index"])?;
    Ok(())
}
