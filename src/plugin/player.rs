//! The instrument while it is active: what the host has turned and played since the last block goes in, sound
//! and ended notes come out. `new` allocates; `process` and `reset` never do.

use nice_plug::prelude::*;

use super::events::{ended, translate};
use super::rate::Bridge;
use super::root::Root;
use crate::error::Error;
use crate::instrument::parameters::{Param, TABLE};
use crate::instrument::{Event, Instrument, Patch, Setup, Timed};
use crate::scene::DEFAULT_PRESET;

/// Events of one go; a block with more is played in several.
const MOST_EVENTS: usize = 1024;

pub struct Player {
    instrument: Instrument,
    bridge: Bridge,
    offline: bool,
    presets_opened: u64,
    /// Values that the instrument has been told, the shares they came from, and after how many states.
    told: [f64; TABLE.len()],
    shares: [f32; TABLE.len()],
    loads: Option<u64>,
    bpm: f64,
    latency: u32,
    voices: u32,
    events: Vec<Timed>,
}

impl Player {
    /// Goes on with `old` where nothing but the block has changed: hosts activate often.
    pub fn new(
        old: Option<Self>,
        root: &Root,
        host_hz: f64,
        longest_block: usize,
        offline: bool,
    ) -> Result<Self, Error> {
        let Some(bridge) = Bridge::new(host_hz, longest_block) else {
            return Err(Error::Other(format!("no sound at {host_hz} Hz")));
        };
        let presets_opened = root.presets_opened();
        let fits = |old: &Self| {
            old.bridge.rate_hz() == bridge.rate_hz()
                && old.offline == offline
                && old.presets_opened == presets_opened
        };
        let values = root.values();
        let mut instrument = match old.filter(fits) {
            Some(old) => old.instrument,
            None => {
                let setup = Setup { rate_hz: bridge.rate_hz(), offline, limits: true };
                let patch = root.patch().map_or_else(|| Patch::preset(DEFAULT_PRESET), Ok)?;
                Instrument::new(patch, &values, setup)?
            }
        };
        root.set_loader(instrument.loader());
        if let Some(viewer) = instrument.take_viewer() {
            root.set_viewer(viewer);
        }
        let latency = bridge.latency(instrument.latency_samples()) as u32;
        // The instrument knows its own values; what differs from the knobs is told with the first block.
        let told = std::array::from_fn(|index| {
            Param::all().nth(index).map_or(0.0, |param| instrument.values().get(param))
        });
        let events = Vec::with_capacity(MOST_EVENTS);
        Ok(Self {
            instrument,
            bridge,
            offline,
            presets_opened,
            told,
            shares: [0.0; TABLE.len()],
            loads: None,
            bpm: 0.0,
            latency,
            voices: 0,
            events,
        })
    }

    pub fn latency_samples(&self) -> u32 {
        self.latency
    }

    pub fn reset(&mut self) {
        self.bridge.reset();
        self.instrument.reset();
    }

    pub fn process<P: Plugin>(
        &mut self,
        root: &Root,
        context: &mut impl ProcessContext<P>,
        left: &mut [f32],
        right: &mut [f32],
    ) -> ProcessStatus {
        self.events.clear();
        self.tell_tempo(context.transport().tempo);
        self.tell_knobs(root);
        let api = context.plugin_api();
        let mut done = 0;
        while let Some(event) = context.next_event() {
            // A host that does not keep the order is played on from where the block stands.
            let at = (event.timing() as usize).clamp(done, left.len());
            if self.events.len() == MOST_EVENTS {
                self.play(context, done, &mut left[done..at], &mut right[done..at]);
                done = at;
            }
            if let Some(event) = translate(&event, api) {
                self.events.push(Timed { frame: self.bridge.inner_frame(at - done), event });
            }
        }
        self.play(context, done, &mut left[done..], &mut right[done..]);
        self.tell_host(context);
        if self.instrument.is_silent() { ProcessStatus::Normal } else { ProcessStatus::KeepAlive }
    }

    fn tell_tempo(&mut self, tempo: Option<f64>) {
        if let Some(bpm) = tempo.filter(|bpm| bpm.is_finite() && *bpm > 0.0 && *bpm != self.bpm) {
            self.bpm = bpm;
            self.events.push(Timed { frame: 0, event: Event::Tempo { bpm } });
        }
    }

    /// The framework cuts blocks where a parameter changes, so knobs are read once, at the start.
    fn tell_knobs(&mut self, root: &Root) {
        let loads = Some(root.loads());
        let anew = loads != self.loads;
        self.loads = loads;
        for (param, (told, old_share)) in Param::all().zip(self.told.iter_mut().zip(&mut self.shares)) {
            let share = root.panel.knob(param).share();
            if !anew && share == *old_share {
                continue;
            }
            *old_share = share;
            let value = root.value(param);
            if value != *told {
                *told = value;
                self.events.push(Timed { frame: 0, event: Event::Parameter { param, value } });
            }
        }
    }

    fn play<P: Plugin>(
        &mut self,
        context: &mut impl ProcessContext<P>,
        from: usize,
        left: &mut [f32],
        right: &mut [f32],
    ) {
        self.bridge.process(&mut self.instrument, &self.events, left, right);
        self.events.clear();
        // A body that dies away would end in numbers that other plugins are slow with.
        for sample in left.iter_mut().chain(right).filter(|sample| sample.is_subnormal()) {
            *sample = 0.0;
        }
        // VST3 has no such event.
        if context.plugin_api() == PluginApi::Clap {
            for end in self.instrument.ended() {
                let mut end = *end;
                end.frame = from + self.bridge.host_frame(end.frame);
                // A host without room does not count voices.
                let _ = context.try_send_event(ended(&end));
            }
        }
    }

    /// What has changed and concerns the host.
    fn tell_host<P: Plugin>(&mut self, context: &mut impl ProcessContext<P>) {
        let latency = self.bridge.latency(self.instrument.latency_samples()) as u32;
        if latency != self.latency {
            self.latency = latency;
            context.set_latency_samples(latency);
        }
        let voices = self.told[Param::Voices.index()] as u32;
        if voices != self.voices && context.plugin_api() == PluginApi::Clap {
            self.voices = voices;
            context.set_current_voice_capacity(voices);
        }
    }
}
