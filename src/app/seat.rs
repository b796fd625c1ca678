//! Where the player sits while a device (or the silent clock) calls it, and how it gets home again.
//!
//! A callback belongs to its stream, and streams come and go with their devices. The player does not: it is
//! handed into a stream through a ring once the stream runs, and when the stream is dropped, for whatever
//! reason, its seat sends the player home. So a device can be tried without risking the sound that goes on.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use cpal::{FromSample, SizedSample};
use rtrb::{Consumer, Producer, RingBuffer};

use super::player::Player;

/// In a callback.
pub struct Seat {
    inbox: Consumer<Box<Player>>,
    home: Sender<Box<Player>>,
    player: Option<Box<Player>>,
}

/// Outside of it.
pub struct Usher {
    outbox: Producer<Box<Player>>,
    home: Receiver<Box<Player>>,
}

pub fn seat() -> (Seat, Usher) {
    let (outbox, inbox) = RingBuffer::new(1);
    let (sender, home) = channel();
    (Seat { inbox, home: sender, player: None }, Usher { outbox, home })
}

impl Seat {
    /// One block: of the player, or silence as long as there is none.
    pub fn fill<T: SizedSample + FromSample<f32>>(&mut self, out: &mut [T], channels: usize) {
        if self.player.is_none() {
            self.player = self.inbox.pop().ok();
        }
        match &mut self.player {
            Some(player) => player.fill(out, channels),
            None => out.fill(T::EQUILIBRIUM),
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(player) = self.player.take().or_else(|| self.inbox.pop().ok()) {
            // Nobody at home: the program ends.
            let _ = self.home.send(player);
        }
    }
}

impl Usher {
    /// Gives it back if somebody sits there already.
    pub fn lead_in(&mut self, player: Box<Player>) -> Result<(), Box<Player>> {
        self.outbox.push(player).map_err(|rtrb::PushError::Full(player)| player)
    }

    /// The player, once the stream has been dropped; sound systems may take a moment to let go.
    pub fn wait_home(self, longest: Duration) -> Option<Box<Player>> {
        drop(self.outbox);
        self.home.recv_timeout(longest).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::player::tests::player;

    #[test]
    fn a_player_comes_home_from_every_seat() {
        let moment = Duration::from_secs(1);
        let (player, ..) = player(true);
        // Never called.
        let (first, mut usher) = seat();
        assert!(usher.lead_in(Box::new(player)).is_ok());
        drop(first);
        let player = usher.wait_home(moment).unwrap();
        // Called, and dropped on another thread, as sound systems do.
        let (mut second, mut usher) = seat();
        let mut out = [1.0f32; 256];
        second.fill(&mut out, 2);
        assert_eq!(out, [0.0; 256], "nobody there is silence");
        assert!(usher.lead_in(player).is_ok());
        let mut out = vec![0.0f32; 2000];
        second.fill(&mut out, 2);
        assert!(out.iter().any(|sample| *sample != 0.0));
        std::thread::spawn(move || drop(second));
        assert!(usher.wait_home(moment).is_some());
        // A seat that never had one.
        let (third, usher) = seat();
        drop(third);
        assert!(usher.wait_home(moment).is_none());
    }
}
