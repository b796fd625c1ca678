//! Threads of windows that still run.
//!
//! On X11 a window has a thread of its own. Closing it should wait for that thread, but baseview 0.4.2 does not when
//! the thread happens to end while it is being asked to: it may then still be taking its graphics driver down while
//! the host goes on to its own exit. An instance that goes waits for them itself.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A window that a host never closed is not waited for any longer.
const PATIENCE: Duration = Duration::from_secs(1);
const NAP: Duration = Duration::from_millis(1);

/// How many of an instance's windows have a thread that still runs.
#[derive(Debug, Default)]
pub struct WindowThreads {
    running: Arc<AtomicUsize>,
}

/// Counted until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

thread_local! {
    /// Dropped by the system at the very end of a thread.
    static COUNTED: RefCell<Vec<Counted>> = const { RefCell::new(Vec::new()) };
}

impl WindowThreads {
    /// The calling thread is a window's own: it counts until it ends. Elsewhere than on X11 windows live on the
    /// host's main thread, which does not end with them.
    pub fn count_this_one(&self) {
        if cfg!(target_os = "linux") {
            self.running.fetch_add(1, Ordering::AcqRel);
            COUNTED.with_borrow_mut(|all| all.push(Counted(self.running.clone())));
        }
    }

    /// Returns when all of them have ended.
    pub fn wait(&self) {
        let begin = Instant::now();
        while self.running.load(Ordering::Acquire) > 0 && begin.elapsed() < PATIENCE {
            std::thread::sleep(NAP);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn threads_are_waited_for_even_when_nobody_joins_them() {
        let threads = Arc::new(WindowThreads::default());
        threads.wait();
        let ended = Arc::new(AtomicBool::new(false));
        let (counted, said) = std::sync::mpsc::channel();
        let (own, end) = (threads.clone(), ended.clone());
        drop(std::thread::spawn(move || {
            own.count_this_one();
            counted.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(100));
            end.store(true, Ordering::Release);
        }));
        said.recv().unwrap();
        threads.wait();
        assert!(ended.load(Ordering::Acquire));
    }

    #[test]
    fn a_thread_that_does_not_end_holds_nobody_up_for_long() {
        let threads = WindowThreads::default();
        threads.count_this_one();
        let begin = Instant::now();
        threads.wait();
        assert!(begin.elapsed() < 5 * PATIENCE);
    }
}
