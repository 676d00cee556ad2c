//! What a panic says. One inside the processing of a file is caught there, and the file named in the report; a trace
//! on standard error would only hide that. Any other is a fault of ours, and is reported as one.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use super::{Exit, output};

/// The last panic: message and place.
static LAST: Mutex<String> = Mutex::new(String::new());

/// From now on panics are kept instead of printed; `verbose` does both.
pub fn keep(verbose: bool) {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if verbose {
            print(panic);
        }
        let payload = panic.payload();
        let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or("unknown");
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        if let Ok(mut last) = LAST.lock() {
            *last = format!("{message}{place}");
        }
    }));
}

/// Runs to the end, or reports the panic that ended it.
pub fn report(run: impl FnOnce() -> Exit) -> Exit {
    // Nothing that the panic may have left half done is used again.
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let last = LAST.lock().map(|last| last.clone()).unwrap_or_default();
        output::note(format_args!("error: repo-graph failed: {last}\nhint: this is a fault of ours, please report it"));
        Exit::Fault
    })
}
