//! SIGINT and SIGTERM: the run ends at the next file, and leaves nothing unfinished behind.
//!
//! The handler only sets a number; whoever works through files asks for it between two of them.

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of the signal that came; 0 while none did.
static CAUGHT: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// A signal that ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// SIGINT: somebody typed it.
    Interrupt,
    /// SIGTERM: the system is going down, or the service was stopped.
    Terminate,
}

/// A file that would pass the limit of its size ends the write, which is told, instead of the process, which is not.
pub fn outlive_limits() {
    if signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).is_err() {
        tracing::warn!("signal {SIGXFSZ} cannot be listened to");
    }
}

/// Begins to listen. Where the system refuses, signals end the process as they would have.
pub fn listen() {
    let caught = CAUGHT.get_or_init(|| Arc::new(AtomicUsize::new(0)));
    for (signal, number) in [(SIGINT, 1), (SIGTERM, 2)] {
        if signal_hook::flag::register_usize(signal, Arc::clone(caught), number).is_err() {
            tracing::warn!("signal {signal} cannot be listened to");
        }
    }
}

/// Goes on unless a signal came.
///
/// # Errors
/// The signal.
pub fn pause() -> Result<(), Stop> {
    match CAUGHT.get().map_or(0, |caught| caught.load(Ordering::SeqCst)) {
        0 => Ok(()),
        1 => Err(Stop::Interrupt),
        _ => Err(Stop::Terminate),
    }
}
