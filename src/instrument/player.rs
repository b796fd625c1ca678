//! The instrument itself: events and knobs in, two channels out.
//!
//! Time is cut into ticks counted from reset, each a whole number of the engine's chunks; gestures and
//! modulation move once a tick and events act at their own sample, so block sizes decide nothing. `process`
//! never allocates, locks or frees; what is slow goes to the `worker`.

use super::changes::{Incoming, Leaving};
use super::channels::Channels;
use super::events::{Note, NoteEnd, Timed};
use super::keys::Keys;
use super::limiter::Limiter;
use super::mixer::{Mixer, SPAN};
use super::parameters::{Param, STROKES, SYNC_WHOLE_NOTES, TABLE, Values};
use super::patch::Patch;
use super::rig::{Aim, Build, DRONE, NOTE_VOICES, Rig};
use super::view::{Shown, Viewer, view};
use super::voice::{Hand, Voice};
use super::worker::{Desk, Loader};
use crate::engine::realtime::Surfaces;
use crate::error::Error;
use std::sync::Arc;

/// Ticks are at least this long.
const TICK_FRAMES: usize = 16;
/// Ends of notes that one call can report.
const MOST_ENDS: usize = 256;
/// Tempo until the host says another.
const USUAL_BPM: f64 = 120.0;

/// How the instrument is set up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    pub rate_hz: f64,
    /// The host waits for the sound: new engines are waited for, so that every change is exact.
    pub offline: bool,
    /// Nothing above full scale leaves. Only files that count what clips do without.
    pub limits: bool,
}

pub struct Instrument {
    pub(super) setup: Setup,
    pub(super) values: Values,
    pub(super) offsets: [f64; TABLE.len()],
    pub(super) channels: Channels,
    pub(super) voices: [Voice; NOTE_VOICES + 1],
    pub(super) keys: Keys,
    pub(super) rig: Box<Rig>,
    pub(super) mixer: Mixer,
    pub(super) leaving: Option<Leaving>,
    pub(super) incoming: Option<Incoming>,
    /// Surfaces that the worker has had no room for.
    pub(super) outgoing: Option<Arc<Surfaces>>,
    pub(super) desk: Desk,
    loader: Loader,
    pub(super) limiter: Limiter,
    /// What is to be ordered, and whether an order is under way.
    pub(super) wants_engine: bool,
    pub(super) wants_surfaces: bool,
    pub(super) ordered: bool,
    /// The order under way is for a patch that has been replaced.
    pub(super) stale: bool,
    /// How many patches had been asked for when each knob was turned last.
    pub(super) turned_at: [u64; TABLE.len()],
    pub(super) tempo_bpm: f64,
    pub(super) tick_frames: usize,
    until_tick: usize,
    ends: [NoteEnd; MOST_ENDS],
    end_count: usize,
    /// Where in the block the present event or tick lies.
    pub(super) now: usize,
    /// Ticks of next to no sound.
    pub(super) quiet_ticks: u32,
    pub(super) loudest: f64,
    asleep: bool,
    pub(super) shown: Shown,
    pub(super) viewer: Option<Viewer>,
}

impl Instrument {
    /// Allocates, makes surfaces, starts the worker. `values` are the knobs' positions over the patch.
    pub fn new(patch: Patch, values: &Values, setup: Setup) -> Result<Self, Error> {
        let Setup { rate_hz, offline, .. } = setup;
        let rig = Rig::new(&patch, &Build { values: *values, rate_hz, offline })?;
        let (desk, loader) = Desk::new(patch, rate_hz)?;
        let (shown, viewer) = view();
        let silence = NoteEnd { frame: 0, note: Note { id: None, channel: 0, key: 0 } };
        let mut instrument = Self {
            setup,
            values: *values,
            offsets: [0.0; TABLE.len()],
            channels: Channels::default(),
            voices: [Voice::new(); NOTE_VOICES + 1],
            keys: Keys::new(),
            mixer: Mixer::new(rig.factors(values), 1.0),
            rig: Box::new(rig),
            leaving: None,
            incoming: None,
            outgoing: None,
            desk,
            loader,
            limiter: Limiter::new(rate_hz),
            wants_engine: false,
            wants_surfaces: false,
            ordered: false,
            stale: false,
            turned_at: [0; TABLE.len()],
            tempo_bpm: USUAL_BPM,
            tick_frames: TICK_FRAMES,
            until_tick: 0,
            ends: [silence; MOST_ENDS],
            end_count: 0,
            now: 0,
            quiet_ticks: 0,
            loudest: 0.0,
            asleep: false,
            shown,
            viewer: Some(viewer),
        };
        instrument.begin();
        Ok(instrument)
    }

    /// As new with the knobs where they are. Offline, knobs that were moved since the engine was built have a new
    /// one built, to the bit as in an instrument that never had another; live it would come in under the next notes.
    pub fn reset(&mut self) {
        self.voices = [Voice::new(); NOTE_VOICES + 1];
        if self.setup.offline && self.build().values != self.rig.built {
            self.wants_engine = true;
            self.request();
        }
        self.rig.engine.reset();
        for voice in 0..self.rig.engine.voices() {
            self.rig.engine.rest(voice);
        }
        self.begin();
    }

    /// Everything but the engine's own state as at the very start.
    fn begin(&mut self) {
        self.retire_leaving();
        self.offsets = [0.0; TABLE.len()];
        self.channels = Channels::default();
        self.voices = [Voice::new(); NOTE_VOICES + 1];
        self.keys = Keys::new();
        self.limiter.reset();
        self.end_count = 0;
        self.quiet_ticks = 0;
        self.loudest = 0.0;
        self.asleep = false;
        self.until_tick = 0;
        self.fit_ticks();
        self.mixer = Mixer::new(self.rig.factors(&self.values), self.tick_s());
        if self.values.switch(Param::Drone) {
            self.start_drone();
        }
    }

    /// Ticks of whole chunks of the engine.
    pub(super) fn fit_ticks(&mut self) {
        let chunk = self.rig.engine.chunk_samples().max(1);
        self.tick_frames = (TICK_FRAMES.div_ceil(chunk) * chunk).min(SPAN);
    }

    pub(super) fn tick_s(&self) -> f64 {
        self.tick_frames as f64 / self.setup.rate_hz
    }

    /// Loads patches from another thread.
    pub fn loader(&self) -> Loader {
        self.loader.clone()
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    pub fn set_offline(&mut self, offline: bool) {
        if self.setup.offline != offline {
            let quality = self.build().quality();
            self.setup.offline = offline;
            self.wants_engine |= quality != self.build().quality();
        }
    }

    pub fn latency_samples(&self) -> usize {
        self.rig.engine.latency_samples()
    }

    /// Nothing sounds and nothing will without an event: the host may stop calling.
    pub fn is_silent(&self) -> bool {
        self.asleep
    }

    /// Notes that ended in the last call of `process`.
    pub fn ended(&self) -> &[NoteEnd] {
        &self.ends[..self.end_count]
    }

    pub(super) fn report_end(&mut self, note: Note) {
        if let Some(end) = self.ends.get_mut(self.end_count) {
            *end = NoteEnd { frame: self.now, note };
            self.end_count += 1;
        }
    }

    /// One block. Events lie in the order of their frames; those beyond the block act at its end.
    pub fn process(&mut self, events: &[Timed], left: &mut [f32], right: &mut [f32]) {
        let start = self.shown.start();
        self.play(events, left, right);
        if let Some(start) = start {
            self.show(start, left, right);
        }
    }

    fn play(&mut self, events: &[Timed], left: &mut [f32], right: &mut [f32]) {
        self.end_count = 0;
        let frames = left.len().min(right.len());
        let mut events = events.iter().peekable();
        let mut at = 0;
        while at < frames {
            self.now = at;
            while let Some(timed) = events.next_if(|timed| timed.frame <= at) {
                self.handle(&timed.event);
            }
            self.request();
            if self.until_tick == 0 {
                self.tick();
                self.until_tick = self.tick_frames;
            }
            let next = events.peek().map_or(frames, |timed| timed.frame.min(frames));
            let count = self.until_tick.min(next - at);
            self.sound(&mut left[at..at + count], &mut right[at..at + count]);
            self.until_tick -= count;
            at += count;
        }
        self.now = frames;
        for timed in events {
            self.handle(&timed.event);
        }
    }

    /// The next tick begins with the next sample.
    pub(super) fn tick_now(&mut self) {
        self.until_tick = 0;
    }

    pub(super) fn fall_asleep(&mut self) {
        self.asleep = self.limiter.is_open() || !self.setup.limits;
    }

    pub(super) fn wake(&mut self) {
        self.quiet_ticks = 0;
        if self.asleep {
            self.asleep = false;
            self.until_tick = 0;
        }
    }

    pub(super) fn is_asleep(&self) -> bool {
        self.asleep
    }

    /// Where a voice is to go at present.
    pub(super) fn aim(&self, voice: usize) -> Aim {
        let hand = Hand {
            values: &self.values,
            offsets: &self.offsets,
            channels: &self.channels,
            rig: &self.rig,
            synced_hz: self.synced_hz(),
        };
        let one = &self.voices[voice];
        if voice == DRONE { one.drone_aim(&hand) } else { one.aim(&hand) }
    }

    /// Strokes a second at the host's tempo, if they go with it.
    fn synced_hz(&self) -> Option<f64> {
        let whole_notes = SYNC_WHOLE_NOTES.get(self.values.choice(Param::Sync)).copied().unwrap_or(0.25);
        let synced = STROKES.get(self.values.choice(Param::Stroke)) == Some(&"synced");
        synced.then(|| self.tempo_bpm / (240.0 * whole_notes))
    }

    /// How an engine for the knobs as they are is built; a synced stroke takes its rate from the tempo.
    pub(super) fn build(&self) -> Build {
        let mut values = self.values;
        if let Some(rate_hz) = self.synced_hz() {
            values.set(Param::Rate, rate_hz);
        }
        Build { values, rate_hz: self.setup.rate_hz, offline: self.setup.offline }
    }
}
