//! A silent clock: calls the player as a device would, at the pace of its rate, and lets nobody hear it. It
//! keeps notes, recordings and pictures going while there is no device.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::seat::Seat;

/// Frames of one call.
const BLOCK: usize = 512;
/// Further behind than this is not made up for: a machine that slept need not play its night.
const FORGIVEN: Duration = Duration::from_millis(250);

pub struct SilentClock {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SilentClock {
    pub fn start(mut seat: Seat, rate_hz: f64) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let period = Duration::from_secs_f64(BLOCK as f64 / rate_hz);
        let thread = std::thread::Builder::new().name("asperity clock".to_owned()).spawn(move || {
            let mut sound = [0.0f32; 2 * BLOCK];
            let mut due = Instant::now();
            while !stopped.load(Ordering::Relaxed) {
                seat.fill(&mut sound, 2);
                due += period;
                let now = Instant::now();
                match due.checked_duration_since(now) {
                    Some(early) => std::thread::sleep(early),
                    None if now.duration_since(due) > FORGIVEN => due = now,
                    None => {}
                }
            }
        })?;
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for SilentClock {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::player::tests::{RATE_HZ, player};
    use crate::app::seat::seat;

    #[test]
    fn silence_passes_at_the_pace_of_sound() {
        let (player, _, meters, ..) = player(false);
        let (seat, mut usher) = seat();
        assert!(usher.lead_in(Box::new(player)).is_ok());
        let begin = Instant::now();
        let clock = SilentClock::start(seat, RATE_HZ).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        drop(clock);
        let seconds = begin.elapsed().as_secs_f64();
        let played_s = meters.read().blocks as f64 * BLOCK as f64 / RATE_HZ;
        // One block ahead at most; behind only as far as a busy machine lets it be.
        assert!(played_s <= seconds + 0.02 && played_s > 0.1, "{played_s} of {seconds} s");
        assert!(usher.wait_home(Duration::from_secs(1)).is_some());
    }
}
