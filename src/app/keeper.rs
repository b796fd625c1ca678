//! Keeps the player playing: in the device that the user wants, or, while there is none, under the silent
//! clock. A device that vanished is tried again every second until it returns.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cpal::BufferSize;

use super::clock::SilentClock;
use super::devices::{self, Output};
use super::output::{self, Running, Wish};
use super::player::Player;
use super::seat::{Usher, seat};
use super::shared::{Shared, Status};
use super::tape::TapeState;
use crate::error::Error;

const LOOK_EVERY: Duration = Duration::from_millis(50);
const TRY_EVERY: Duration = Duration::from_secs(1);
/// A device that has not asked for sound in this time is gone, whether it said so or not.
const STALLED: Duration = Duration::from_secs(3);
/// Sound systems take a moment to let a stream go.
const WAY_HOME: Duration = Duration::from_secs(10);

enum Order {
    Open(Wish),
    Quit,
}

/// Any other thread's end.
pub struct Keeper {
    orders: Sender<Order>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Opens the device; until it runs there is silence.
    pub fn start(
        player: Player,
        wish: Wish,
        shared: Arc<Shared>,
        tape: Arc<TapeState>,
    ) -> Result<Self, Error> {
        let (orders, inbox) = channel();
        let (lost_sender, lost) = channel();
        let watch = Watch {
            shared,
            tape,
            wish,
            place: Place::Home(Box::new(player)),
            lost_sender,
            lost,
            tried: Instant::now(),
            seen: (0, Instant::now()),
        };
        let thread = std::thread::Builder::new()
            .name("asperity audio".to_owned())
            .spawn(move || watch.run(&inbox))
            .map_err(|why| Error::Other(format!("no thread for the sound: {why}")))?;
        Ok(Self { orders, thread: Some(thread) })
    }

    /// Another device, rate or buffer.
    pub fn open(&self, wish: Wish) {
        let _ = self.orders.send(Order::Open(wish));
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Where the player is.
enum Place {
    Home(Box<Player>),
    Device(Running),
    Silent(SilentClock, Usher),
    /// A sound system has kept it.
    Lost,
}

struct Watch {
    shared: Arc<Shared>,
    tape: Arc<TapeState>,
    wish: Wish,
    place: Place,
    lost_sender: Sender<String>,
    lost: Receiver<String>,
    tried: Instant,
    /// Blocks that were counted at the last look at which there were new ones.
    seen: (u64, Instant),
}

impl Watch {
    fn run(mut self, orders: &Receiver<Order>) {
        self.open();
        loop {
            match orders.recv_timeout(LOOK_EVERY) {
                Ok(Order::Open(wish)) => {
                    self.wish = wish;
                    // Some devices can be opened only once: the old one is let go first.
                    self.go_silent("changing over".to_owned());
                    self.open();
                }
                Ok(Order::Quit) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => self.look(),
            }
        }
    }

    fn look(&mut self) {
        match &self.place {
            Place::Device(_) => {
                if let Some(why) = self.lost.try_recv().ok().or_else(|| self.stalled()) {
                    self.go_silent(format!(
                        "the sound device is gone ({why}); silence until it returns, tried every second"
                    ));
                }
            }
            Place::Home(_) | Place::Silent(..) if self.tried.elapsed() >= TRY_EVERY => self.open(),
            _ => {}
        }
    }

    fn stalled(&mut self) -> Option<String> {
        let blocks = self.shared.meters.read().blocks;
        if blocks != self.seen.0 {
            self.seen = (blocks, Instant::now());
        }
        (self.seen.1.elapsed() > STALLED).then(|| "it has stopped asking for sound".to_owned())
    }

    /// Tries the devices that fit the wish; the player moves only once one of them runs.
    fn open(&mut self) {
        self.tried = Instant::now();
        let mut refusals = Vec::new();
        for candidate in devices::candidates(self.wish.device.as_deref()) {
            match output::open(&candidate.device, &self.wish, &self.shared.meters, &self.lost_sender) {
                Ok(running) => return self.move_in(running, &candidate),
                Err(why) => refusals.push(format!("{}: {}", candidate.id, why.trim_end_matches('.'))),
            }
        }
        let why = match (&self.wish.device, refusals.is_empty()) {
            (Some(name), true) => format!("no sound device answers to {name}"),
            (None, true) => "no sound device".to_owned(),
            (_, false) => format!("no sound device can be opened: {}", refusals.join("; ")),
        };
        if matches!(self.place, Place::Home(_)) {
            self.go_silent(format!("{why}; silence until there is one, tried every second"));
        }
    }

    fn move_in(&mut self, mut running: Running, device: &Output) {
        let config = running.choice.config;
        let rate_hz = f64::from(config.sample_rate);
        let Some(mut player) = self.bring_home() else { return };
        if player.rate_hz() != rate_hz {
            // A file has one rate.
            self.tape.stop();
            match self.shared.instrument(rate_hz) {
                Ok(instrument) => player.refit(instrument, rate_hz),
                Err(why) => {
                    self.place = Place::Home(player);
                    return self.go_silent(format!("{}: at {rate_hz} Hz {why}", device.id));
                }
            }
        }
        let buffer = match config.buffer_size {
            BufferSize::Fixed(frames) => Some(frames),
            BufferSize::Default => None,
        };
        let mut message = format!("{} at {rate_hz} Hz", device.name);
        if let Some(frames) = buffer {
            message += &format!(", {frames} samples");
        }
        for refused in &running.choice.refused {
            message += &format!("; refused: {refused}");
        }
        // What an earlier stream had to say is no news about this one.
        while self.lost.try_recv().is_ok() {}
        self.shared.set_status(Status { device: Some(device.id.clone()), rate_hz, buffer, message });
        self.shared.meters.forget();
        self.seen = (0, Instant::now());
        // The seat is new, so it is free.
        self.place = match running.usher.lead_in(player) {
            Ok(()) => Place::Device(running),
            Err(player) => Place::Home(player),
        };
    }

    /// The silent clock takes over.
    fn go_silent(&mut self, message: String) {
        let Some(player) = self.bring_home() else { return };
        let rate_hz = player.rate_hz();
        self.shared.set_status(Status { device: None, rate_hz, buffer: None, message });
        let (seat, mut usher) = seat();
        self.place = match (usher.lead_in(player), SilentClock::start(seat, rate_hz)) {
            (Ok(()), Ok(clock)) => Place::Silent(clock, usher),
            // Without a thread for the clock there is only waiting for a device.
            (Ok(()), Err(_)) => usher.wait_home(WAY_HOME).map_or(Place::Lost, Place::Home),
            (Err(player), _) => Place::Home(player),
        };
        self.tried = Instant::now();
    }

    fn bring_home(&mut self) -> Option<Box<Player>> {
        let usher = match std::mem::replace(&mut self.place, Place::Lost) {
            Place::Home(player) => return Some(player),
            Place::Device(running) => running.close(),
            Place::Silent(clock, usher) => {
                drop(clock);
                usher
            }
            Place::Lost => return None,
        };
        let player = usher.wait_home(WAY_HOME);
        if player.is_none() {
            let message = "the sound system does not let go of the instrument: start the program again";
            self.shared.set_status(Status { message: message.to_owned(), ..self.shared.status() });
        }
        player
    }
}
