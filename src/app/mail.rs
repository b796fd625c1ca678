//! Events on their way into the audio thread: from the window, from MIDI inputs, from learned controllers.
//! Senders take turns among themselves; the audio thread never waits for them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use rtrb::{Consumer, Producer, RingBuffer};

use crate::instrument::Event;

/// Events under way. A wheel turned fast sends a thousand in a second.
const SLOTS: usize = 4096;

/// An event and when it happened, so that it keeps its place within a block.
#[derive(Debug, Clone, Copy)]
pub struct Stamped {
    pub at: Instant,
    pub event: Event,
}

/// May be cloned and used on any thread but the audio thread.
#[derive(Clone)]
pub struct Sender {
    ring: Arc<Mutex<Producer<Stamped>>>,
}

pub fn mail() -> (Sender, Consumer<Stamped>) {
    let (producer, consumer) = RingBuffer::new(SLOTS);
    (Sender { ring: Arc::new(Mutex::new(producer)) }, consumer)
}

impl Sender {
    /// False when nobody has taken events out for so long that the ring is full: the event is lost.
    pub fn send(&self, event: Event) -> bool {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.push(Stamped { at: Instant::now(), event }).is_ok()
    }
}
