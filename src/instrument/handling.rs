//! What each event does to the instrument.

use super::channels::{Call, LEAD};
use super::events::{Address, Event};
use super::parameters::Param;
use super::player::Instrument;
use super::rig::NOTE_VOICES;
use super::voice::{PER_NOTE, Voice};

impl Instrument {
    pub(super) fn handle(&mut self, event: &Event) {
        match *event {
            Event::NoteOn { note, velocity } => self.note_on(note, f64::from(velocity)),
            Event::NoteOff { to } => self.note_off(&to),
            Event::Choke { to } => self.choke(&to),
            Event::Expression { to, kind, value } => {
                let value = f64::from(value);
                if value.is_finite() {
                    self.each(&to, |voice| voice.own.set(kind, value));
                }
            }
            Event::Bend { channel, value } => {
                self.channels.get_mut(channel).bend = finite(value, -1.0);
                self.all_dirty();
            }
            Event::Pressure { channel, value } => {
                self.channels.get_mut(channel).pressure = finite(value, 0.0);
                self.all_dirty();
            }
            Event::Controller { channel, number, value } => {
                let call = self.channels.controller(channel, number, finite(value, 0.0));
                self.all_dirty();
                // What MPE's lead says of its notes is meant for all of them.
                let leads = channel == LEAD && self.is_mpe();
                let to = Address { channel: (!leads).then_some(channel), ..Address::ALL };
                match call {
                    Call::Nothing => {}
                    Call::PedalUp => self.pedal_up(),
                    Call::NotesOff => self.note_off(&to),
                    Call::SoundOff => self.choke(&to),
                }
            }
            Event::Parameter { param, value } => self.turn(param, value),
            Event::Modulation { to, param, offset } => self.modulate(&to, param, f64::from(offset)),
            Event::Tempo { bpm } => {
                if bpm.is_finite() && bpm > 0.0 && bpm != self.tempo_bpm {
                    self.tempo_bpm = bpm;
                    self.all_dirty();
                }
            }
        }
    }

    fn modulate(&mut self, to: &Address, param: Param, offset: f64) {
        if !offset.is_finite() {
            return;
        }
        match PER_NOTE.iter().position(|one| *one == param) {
            Some(n) if *to != Address::ALL => self.each(to, |voice| voice.own.offsets[n] = offset),
            _ => {
                self.offsets[param.index()] = offset;
                self.all_dirty();
            }
        }
    }

    /// Notes that an address means; the drone is none.
    fn each(&mut self, to: &Address, change: impl Fn(&mut Voice)) {
        for voice in self.voices[..NOTE_VOICES].iter_mut().filter(|voice| voice.is_active()) {
            if to.matches(&voice.note) {
                change(voice);
                voice.dirty = true;
            }
        }
    }

    pub(super) fn all_dirty(&mut self) {
        for voice in &mut self.voices {
            voice.dirty = true;
        }
    }
}

/// A value of a controller, between `low` and 1.
fn finite(value: f32, low: f64) -> f64 {
    let value = f64::from(value);
    if value.is_finite() { value.clamp(low, 1.0) } else { 0.0 }
}
