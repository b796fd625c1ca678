//! One session of the app: the instrument with its device, MIDI inputs and recorder. The window and the
//! terminal both drive it; neither knows how a device is kept alive.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::keeper::Keeper;
use super::learn::Learned;
use super::mail::{Sender, mail};
use super::midi::{Inputs, Midi, Route};
use super::output::Wish;
use super::player::Player;
use super::recorder::{Outcome, Recorder};
use super::settings::Settings;
use super::shared::Shared;
use super::tape::tape;
use crate::engine::realtime::HOST_RATES_HZ;
use crate::error::Error;
use crate::instrument::parameters::{Param, Values};
use crate::instrument::{Event, Patch};

/// Rate until a device says another.
const USUAL_RATE_HZ: u32 = 48_000;
/// How often MIDI inputs are looked for.
const MIDI_EVERY: Duration = Duration::from_secs(2);

pub struct Session {
    pub shared: Arc<Shared>,
    pub learned: Arc<Learned>,
    mail: Sender,
    wish: Wish,
    inputs: Inputs,
    // Dropped in this order: no more messages, then no more sound, then the file is completed.
    midi: Midi,
    midi_looked: Option<Instant>,
    midi_told: Vec<String>,
    keeper: Keeper,
    pub recorder: Recorder,
}

impl Session {
    /// Builds the instrument, opens the device in the background. `record` begins with the very first sample.
    pub fn start(
        text: String,
        patch: Patch,
        values: &Values,
        settings: &Settings,
        record: Option<&Path>,
    ) -> Result<Self, Error> {
        let wish = settings.wish.clone();
        let shared = Arc::new(Shared::new(text, patch, values));
        let (sender, inbox) = mail();
        let (tape, frames, tape_state) = tape();
        let recorder = Recorder::new(frames, tape_state.clone(), shared.clone())?;
        let rate_hz = wish.rate_hz.unwrap_or(USUAL_RATE_HZ);
        let rate_hz = f64::from(rate_hz).clamp(*HOST_RATES_HZ.start(), *HOST_RATES_HZ.end());
        let instrument = shared.instrument(rate_hz)?;
        let player = Player::new(instrument, rate_hz, inbox, tape, shared.meters.clone());
        if let Some(path) = record {
            recorder.start(path);
        }
        let learned = Arc::new(Learned::new(settings.learned.clone()));
        let route = Route { mail: sender.clone(), learned: learned.clone(), shared: shared.clone() };
        let keeper = Keeper::start(player, wish.clone(), shared.clone(), tape_state)?;
        Ok(Self {
            shared,
            learned,
            mail: sender,
            wish,
            inputs: settings.midi.clone(),
            midi: Midi::new(route),
            midi_looked: None,
            midi_told: Vec::new(),
            keeper,
            recorder,
        })
    }

    /// Looks for MIDI inputs that came or went; cheap to call often. Every new trouble in words.
    pub fn look_for_midi(&mut self) -> Vec<String> {
        if self.midi_looked.is_some_and(|looked| looked.elapsed() < MIDI_EVERY) || !self.midi.is_possible() {
            return Vec::new();
        }
        self.midi_looked = Some(Instant::now());
        let troubles = self.midi.connect(&self.inputs);
        if troubles == self.midi_told {
            return Vec::new();
        }
        self.midi_told.clone_from(&troubles);
        troubles
    }

    pub fn midi_names(&self) -> Vec<String> {
        self.midi.open_names()
    }

    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// Another device, rate or buffer.
    pub fn open_device(&mut self, wish: Wish) {
        self.wish = wish.clone();
        self.keeper.open(wish);
    }

    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    pub fn open_midi(&mut self, inputs: Inputs) {
        self.inputs = inputs;
        self.midi_looked = None;
    }

    /// What is worth remembering.
    pub fn settings(&self) -> Settings {
        Settings { wish: self.wish.clone(), midi: self.inputs.clone(), learned: self.learned.all() }
    }

    /// Turns a knob.
    pub fn set(&self, param: Param, value: f64) {
        self.shared.knobs.set(param, value);
        self.send(Event::Parameter { param, value: self.shared.knobs.get(param) });
    }

    pub fn send(&self, event: Event) {
        // A ring that is full has seconds of events in it; one less is not heard.
        self.mail.send(event);
    }

    /// Completes the file while the sound still runs, then ends it; how the recording went.
    pub fn close(mut self) -> Option<Outcome> {
        self.recorder.close()
    }
}
