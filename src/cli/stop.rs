//! Ctrl-C once asks a run to finish its file, twice ends the program at once; SIGTERM likewise.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register_conditional_shutdown, register_usize};

use crate::error::Error;

/// What long runs ask between steps.
#[derive(Debug, Clone)]
pub struct Stop {
    /// Number of the signal that came first, 0 for none.
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Starts listening; once for a program, before its long work.
    pub fn listen() -> Result<Self, Error> {
        let signal = Arc::new(AtomicUsize::new(0));
        // Handlers run in the order of registration: the shutdown sees the flag of an earlier signal only.
        let again = Arc::new(AtomicBool::new(false));
        for number in [SIGINT, SIGTERM] {
            register_conditional_shutdown(number, 128 + number, Arc::clone(&again))
                .and_then(|_| register_usize(number, Arc::clone(&signal), number as usize))
                .and_then(|_| signal_hook::flag::register(number, Arc::clone(&again)))
                .map_err(|error| Error::Other(format!("signals cannot be heard: {error}")))?;
        }
        Ok(Self { signal })
    }

    /// Cheap enough to be asked at every step.
    pub fn requested(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    /// [`Error::Interrupted`] once a signal came, for the end of a run that was cut short.
    pub fn check(&self) -> Result<(), Error> {
        match self.signal.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Error::Interrupted(signal as i32)),
        }
    }
}

/// A file that outgrows the user's limit (`ulimit -f`) ends a program by a signal before it can say why;
/// heard, the write fails instead, and the failure has a path and a message.
pub fn outlive_file_limits() {
    // Without it the program still ends, only with fewer words.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_is_a_request() {
        let stop = Stop::listen().unwrap();
        assert!(!stop.requested() && stop.check().is_ok());
        signal_hook::low_level::raise(SIGTERM).unwrap();
        assert!(stop.requested());
        assert_eq!(stop.check().unwrap_err().exit_code(), 143);
    }
}
