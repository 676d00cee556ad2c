//! How far a run is, for a person at a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;
use crate::index::Progress;

/// A run that is over sooner shows nothing.
const SHOW_AFTER: Duration = Duration::from_millis(500);
const REDRAW_EVERY: Duration = Duration::from_millis(100);

/// Does some work, and meanwhile shows how far it is, unless it is over at once.
pub fn shown<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        scope.spawn(move || watch(progress, &ended));
        let result = work();
        drop(working);
        result
    })
}

/// Watches until the other end of the channel is gone.
fn watch(progress: &Progress, ended: &mpsc::Receiver<()>) {
    let is_over = |pause| ended.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    if is_over(SHOW_AFTER) {
        return;
    }
    let bar = io::stderr().is_terminal().then(bar);
    let mut waited = false;
    loop {
        if progress.is_waiting() && !waited {
            waited = true;
            output::note(format_args!("another run brings the graph up to date; waiting for it"));
        }
        if let (Some(bar), Some((done, total))) = (&bar, progress.now()) {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
        }
        if is_over(REDRAW_EVERY) {
            break;
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("indexing [{bar:40}] {pos} of {len} files");
    let style = style.expect("the template is well-formed").progress_chars("=> ");
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_style(style)
}
