//! `export`: a graph for other programs and for the eye.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Everywhere, Exit, Failure};
use crate::export::{self, Format, Level};
use crate::index::{At, Loaded};

/// Write the graph as a Mermaid or Graphviz picture, or as JSON for other programs
#[derive(clap::Args)]
pub struct Export {
    #[arg(long, value_enum, default_value_t)]
    /// Language to write
    format: Format,
    /// How much of the graph to write
    #[arg(long, value_enum, default_value_t)]
    level: Level,
    /// Write only what has this prefix of its path or id
    #[arg(long, value_name = "PREFIX")]
    focus: Option<String>,
    /// Write the graph of this revision, or of `staged` (git's index), instead of the disk as it is
    #[arg(long, value_name = "REV")]
    at: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Export {
    pub fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        let desk = everywhere.desk()?;
        let at = At::parse(self.at.as_deref());
        let loaded = everywhere.watched(&desk.session, || desk.session.load(&at))?;
        everywhere.say_more(&desk.session, loaded.work);
        let exit = everywhere.report_files(&loaded.failed, &loaded.warnings);
        let written = match &self.output {
            Some(file) => self.write_file(&loaded, file),
            None => match self.write(&loaded, io::stdout().lock()) {
                // Whoever read it has seen enough.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                Err(error) => Err(Failure::io("write to standard output", &error)),
                Ok(()) => Ok(()),
            },
        };
        // What could not be read is missing from what was written, and more worth saying than the rest.
        loaded.check()?;
        written?;
        Ok(exit)
    }

    fn write(&self, loaded: &Loaded, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        export::write(loaded.graph(), self.format, self.level, self.focus.as_deref(), &mut out)?;
        out.flush()
    }

    /// Replaces a file as a whole or not at all.
    fn write_file(&self, loaded: &Loaded, file: &Path) -> Result<(), Failure> {
        let mut fresh = file.as_os_str().to_owned();
        fresh.push(".part");
        let written = fs::File::create(&fresh).and_then(|out| self.write(loaded, out));
        let written = written.and_then(|()| loaded.check().map_err(io::Error::other));
        written.and_then(|()| fs::rename(&fresh, file)).map_err(|error| {
            // It may not even have come to be.
            let _ = fs::remove_file(&fresh);
            Failure::io(&format!("write {}", file.display()), &error)
        })
    }
}
