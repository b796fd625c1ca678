//! From keys to bodies: who plays a new note, who makes room for it, and what happens when a key is let go.

use super::channels::LEAD;
use super::events::{Address, Note};
use super::gesture::Gesture;
use super::parameters::{Param, Values};
use super::player::Instrument;
use super::rig::{DRONE, NOTE_VOICES};
use super::voice::{Own, State, Voice};
use crate::engine::realtime::RAMP_S;

/// Words of the parameter `mode`.
const POLY: usize = 0;
const LEGATO: usize = 1;
/// Words of the parameter `place`.
const NEXT: usize = 1;
const RANDOM: usize = 2;
/// Stretch of the endless texture that random places lie on, m.
const RANDOM_M: f64 = 50.0;

impl Instrument {
    pub(super) fn note_on(&mut self, note: Note, velocity: f64) {
        self.wake();
        let note = Note { channel: note.channel & 15, key: note.key & 127, ..note };
        let velocity = if velocity.is_finite() { velocity } else { 1.0 };
        self.keys.press(note);
        if self.values.choice(Param::Mode) == POLY {
            self.begin_note(note, velocity);
        } else {
            self.one_for_all(note, velocity);
        }
    }

    /// A body of its own for the note.
    fn begin_note(&mut self, note: Note, velocity: f64) {
        let index = self.make_room();
        let (last_pitch, last_way) = self.latest().map_or((None, None), |latest| {
            let voice = &self.voices[latest];
            // Beside a slider that still lies there: keys struck together would rub the same patch in step.
            let beside = if voice.is_active() { self.rig.direction() * self.rig.slider_m() } else { 0.0 };
            (Some(voice.pitch()), Some(voice.way_m + beside))
        });
        let age = self.voices.iter().map(|voice| voice.age).max().unwrap_or(0) + 1;
        let start_m = self.rig.start_m();
        let way_m = match self.values.choice(Param::Place) {
            NEXT => last_way.unwrap_or(start_m),
            RANDOM => start_m + RANDOM_M * share_of(age, self.values.get(Param::Seed) as u64),
            _ => start_m,
        };
        let tick_s = self.tick_s();
        let mut voice = Voice::held(age, way_m);
        voice.take(note, velocity, &self.values);
        voice.aim_at(note.key, last_pitch, &self.values, tick_s);
        voice.place_m = self.values.get(Param::Scrub) * self.rig.room_m();
        draw(&mut voice.gesture, &self.values, tick_s);
        self.voices[index] = voice;
        self.start(index);
    }

    /// The body that sounds goes on with another note; without one a new one begins.
    fn one_for_all(&mut self, note: Note, velocity: f64) {
        let Some(index) = self.latest().filter(|index| self.voices[*index].is_active()) else {
            return self.begin_note(note, velocity);
        };
        let tick_s = self.tick_s();
        let legato = self.values.choice(Param::Mode) == LEGATO;
        let voice = &mut self.voices[index];
        let (before, was_held) = (voice.note, voice.state == State::Held);
        let pitch = voice.pitch();
        voice.take(note, velocity, &self.values);
        voice.aim_at(note.key, Some(pitch), &self.values, tick_s);
        if !(legato && was_held) {
            voice.gesture = Gesture::default();
            draw(&mut voice.gesture, &self.values, tick_s);
        }
        voice.state = State::Held;
        self.put_down(index);
        // A key that is still down may come back.
        if !self.keys.holds(&before) {
            self.report_end(before);
        }
    }

    /// The voice that began last, drone aside.
    fn latest(&self) -> Option<usize> {
        (0..NOTE_VOICES).filter(|n| self.voices[*n].age > 0).max_by_key(|n| self.voices[*n].age)
    }

    /// A free voice; if all that may sound do, one of them fades out first.
    fn make_room(&mut self) -> usize {
        let most = self.values.get(Param::Voices) as usize;
        while self.voices[..NOTE_VOICES].iter().filter(|voice| voice.is_active()).count() >= most.max(1) {
            let Some(victim) = self.victim() else { break };
            self.fade(victim);
        }
        if let Some(free) = (0..NOTE_VOICES).find(|n| self.voices[*n].is_free()) {
            return free;
        }
        // All spare voices are fading: the one nearest to silence goes.
        let fading = |n: &usize| match self.voices[*n].state {
            State::Fading(left) => left,
            _ => u32::MAX,
        };
        (0..NOTE_VOICES).min_by_key(fading).unwrap_or(0)
    }

    /// Whom a new note takes the place of: the weakest that rings, then the oldest.
    fn victim(&self) -> Option<usize> {
        let active = (0..NOTE_VOICES).filter(|n| self.voices[*n].is_active());
        let rank = |n: usize| match self.voices[n].state {
            State::Ringing => (0, self.rig.engine.ledger(n).stored.abs()),
            State::Slowing => (1, self.voices[n].age as f64),
            _ => (2, self.voices[n].age as f64),
        };
        active.min_by(|a, b| rank(*a).partial_cmp(&rank(*b)).unwrap_or(std::cmp::Ordering::Equal))
    }

    /// Fades a voice out; for the host it has ended.
    pub(super) fn fade(&mut self, voice: usize) {
        let ticks = (RAMP_S / self.tick_s()).ceil() as u32 + 2;
        if let Some(controls) = self.rig.engine.controls(voice) {
            controls.set_volume(0.0);
        }
        self.voices[voice].state = State::Fading(ticks);
        if voice != DRONE {
            self.report_end(self.voices[voice].note);
        }
    }

    /// Hands the engine what a voice is to do.
    pub(super) fn apply(&mut self, voice: usize) {
        let aim = self.aim(voice);
        self.rig.apply(voice, &aim, &self.values);
        self.voices[voice].speed_m_s = aim.speed_m_s;
        self.voices[voice].dirty = false;
    }

    /// Puts a voice's slider down with everything at once where it is set.
    pub(super) fn start(&mut self, voice: usize) {
        self.apply(voice);
        if self.is_scrubbed() {
            self.lead_to(voice);
        }
        self.rig.engine.start(voice, self.voices[voice].way_m);
    }

    /// A body that still rings goes on with what it has.
    pub(super) fn start_drone(&mut self) {
        let tick_s = self.tick_s();
        let voice = &mut self.voices[DRONE];
        if !matches!(voice.state, State::Slowing | State::Ringing) {
            self.hold_drone();
            return self.start(DRONE);
        }
        voice.state = State::Held;
        voice.gesture.draw(0.0, 0.0, tick_s);
        voice.dirty = true;
        self.put_down(DRONE);
    }

    fn put_down(&mut self, voice: usize) {
        if let Some(controls) = self.rig.engine.controls(voice) {
            controls.set_lifted(false);
        }
    }

    /// The drone needs no attack: it sounds as the scene does.
    pub(super) fn hold_drone(&mut self) {
        self.wake();
        let mut voice = Voice::held(0, self.rig.start_m());
        voice.gesture.draw(0.0, 0.0, self.tick_s());
        voice.place_m = self.values.get(Param::Scrub) * self.rig.room_m();
        self.voices[DRONE] = voice;
    }

    pub(super) fn note_off(&mut self, to: &Address) {
        self.release_keys(to);
        let returns = if self.values.choice(Param::Mode) == POLY { None } else { self.keys.last() };
        for index in 0..NOTE_VOICES {
            let voice = &self.voices[index];
            if voice.state != State::Held || !to.matches(&voice.note) {
                continue;
            }
            match returns {
                Some(note) => self.go_back_to(index, note),
                None if self.pedal_is_down(voice.note.channel) => self.voices[index].sustained = true,
                None => self.let_go(index),
            }
        }
    }

    /// One body for all keys: the key struck before is still down.
    fn go_back_to(&mut self, index: usize, note: Note) {
        let tick_s = self.tick_s();
        let voice = &mut self.voices[index];
        let (before, pitch) = (voice.note, voice.pitch());
        voice.note = note;
        // What the host said of the other note was not meant for this one.
        voice.own = Own::default();
        voice.aim_at(note.key, Some(pitch), &self.values, tick_s);
        self.report_end(before);
    }

    /// Keys go up. Where one body plays for all, the notes that it has left are over with their keys.
    fn release_keys(&mut self, to: &Address) {
        let down = self.keys;
        self.keys.release(to);
        if self.values.choice(Param::Mode) == POLY {
            return;
        }
        for note in down.list().iter().filter(|note| to.matches(note)) {
            if !self.voices[..NOTE_VOICES].iter().any(|voice| voice.is_active() && voice.note == *note) {
                self.report_end(*note);
            }
        }
    }

    pub(super) fn is_mpe(&self) -> bool {
        self.channels.is_mpe(self.values.switch(Param::Mpe))
    }

    fn pedal_is_down(&self, channel: u8) -> bool {
        self.channels.get(channel).sustain || self.is_mpe() && self.channels.get(LEAD).sustain
    }

    pub(super) fn pedal_up(&mut self) {
        for index in 0..NOTE_VOICES {
            let voice = &self.voices[index];
            let under = voice.sustained && voice.state == State::Held;
            if under && !self.pedal_is_down(voice.note.channel) {
                self.let_go(index);
            }
        }
    }

    /// The hand comes to rest.
    pub(super) fn let_go(&mut self, index: usize) {
        let tick_s = self.tick_s();
        let (release, curve) = (self.values.get(Param::Release), self.values.get(Param::Curve));
        let voice = &mut self.voices[index];
        if voice.state != State::Held {
            return;
        }
        voice.sustained = false;
        voice.state = State::Slowing;
        voice.gesture.slow(release, curve, tick_s);
        voice.dirty = true;
    }

    pub(super) fn choke(&mut self, to: &Address) {
        self.release_keys(to);
        for index in 0..NOTE_VOICES {
            if self.voices[index].is_active() && to.matches(&self.voices[index].note) {
                self.fade(index);
            }
        }
    }

    /// Silent: the voice is free again.
    pub(super) fn finish(&mut self, index: usize) {
        let voice = self.voices[index];
        if voice.is_active() && index != DRONE {
            self.report_end(voice.note);
        }
        self.rig.engine.rest(index);
        // Age, way and pitch stay: the next note may go on from there.
        self.voices[index].state = State::Free;
    }
}

fn draw(gesture: &mut Gesture, values: &Values, tick_s: f64) {
    gesture.draw(values.get(Param::Attack), values.get(Param::Curve), tick_s);
}

/// A share of 1 that looks random but is the same for the same note and seed (splitmix64, Steele 2014).
fn share_of(note: u64, seed: u64) -> f64 {
    let mut z = note.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
