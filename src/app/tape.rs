//! The recording's end in the audio thread: frames go into a ring and a writer takes them out. The ring holds
//! seconds, so a disk that is busy for a moment costs nothing; what did not fit is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rtrb::{Consumer, Producer, RingBuffer};

/// Frames between audio thread and writer: ten seconds at 48 kHz.
const FRAMES: usize = 1 << 19;

pub type Frame = [f32; 2];

/// What both ends agree on.
#[derive(Debug, Default)]
pub struct TapeState {
    wanted: AtomicBool,
    running: AtomicBool,
    lost: AtomicU64,
}

impl TapeState {
    pub fn start(&self) {
        self.lost.store(0, Ordering::Relaxed);
        self.wanted.store(true, Ordering::Release);
    }

    pub fn stop(&self) {
        self.wanted.store(false, Ordering::Release);
    }

    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Acquire)
    }

    /// The audio thread still puts frames in, or may.
    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    /// Frames that found no room since the start.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

pub struct Tape {
    ring: Producer<Frame>,
    state: Arc<TapeState>,
    /// Frames to leave out: the engine's delay, so that the file begins with what was played at its start.
    skip: usize,
}

pub fn tape() -> (Tape, Consumer<Frame>, Arc<TapeState>) {
    let (mut ring, mut consumer) = RingBuffer::new(FRAMES);
    // Memory that was never written to is found by the system at its first use: not in the audio thread, please.
    if let Ok(chunk) = ring.write_chunk_uninit(FRAMES) {
        chunk.fill_from_iter(std::iter::repeat([0.0; 2]));
    }
    if let Ok(chunk) = consumer.read_chunk(FRAMES) {
        chunk.commit_all();
    }
    let state = Arc::new(TapeState::default());
    (Tape { ring, state: state.clone(), skip: 0 }, consumer, state)
}

impl Tape {
    /// On the audio thread, with every piece of sound.
    pub fn take(&mut self, left: &[f32], right: &[f32], delay: usize) {
        let wanted = self.state.is_wanted();
        if !wanted {
            self.state.running.store(false, Ordering::Release);
            return;
        }
        if !self.state.is_running() {
            self.skip = delay;
            self.state.running.store(true, Ordering::Release);
        }
        let skipped = self.skip.min(left.len());
        self.skip -= skipped;
        let frames = left.iter().zip(right).skip(skipped).map(|(left, right)| [*left, *right]);
        let count = left.len().min(right.len()) - skipped;
        let room = count.min(self.ring.slots());
        if let Ok(chunk) = self.ring.write_chunk_uninit(room) {
            chunk.fill_from_iter(frames);
        }
        self.state.lost.fetch_add((count - room) as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_is_left_out_once_and_every_frame_after_it_kept() {
        let (mut tape, mut frames, state) = tape();
        let sound: Vec<f32> = (0..100).map(|n| n as f32).collect();
        tape.take(&sound, &sound, 30);
        assert!(frames.is_empty() && !state.is_running());
        state.start();
        for piece in sound.chunks(7) {
            tape.take(piece, piece, 30);
        }
        assert!(state.is_running());
        state.stop();
        tape.take(&sound, &sound, 30);
        assert!(!state.is_running());
        let kept: Vec<f32> = std::iter::from_fn(|| frames.pop().ok()).map(|[left, _]| left).collect();
        assert_eq!(kept, sound[30..]);
    }

    #[test]
    fn what_finds_no_room_is_counted() {
        let (mut tape, _frames, state) = tape();
        state.start();
        let sound = vec![0.0; FRAMES + 5];
        tape.take(&sound, &sound, 0);
        assert_eq!(state.lost(), 5);
        tape.take(&sound[..10], &sound[..10], 0);
        assert_eq!(state.lost(), 15);
    }
}
