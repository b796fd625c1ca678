//! What happens once a tick: hands move, bodies follow, voices that have rung out go to rest.

use super::gesture::Phase;
use super::parameters::{Acts, Param, RIGID_N_M, STROKES};
use super::player::Instrument;
use super::rig::DRONE;
use super::voice::State;

/// A slider that lies still has damped its body after this time.
const STILL_S: f64 = 3.0;
/// Sound below -120 dB of full scale for so long is silence.
const SILENCE: f64 = 1e-6;
const SILENT_S: f64 = 1.0;
/// Factors on the correlation length that the engine follows without new surfaces.
const STRETCH: std::ops::RangeInclusive<f64> = 0.5..=4.0;

impl Instrument {
    pub(super) fn tick(&mut self) {
        if self.leaving.as_ref().is_some_and(|leaving| leaving.frames == 0) {
            self.retire_leaving();
        }
        self.receive();
        if self.is_asleep() {
            return;
        }
        for index in 0..self.voices.len() {
            self.tick_voice(index);
        }
        self.mixer.tick();
        if let Some(leaving) = &mut self.leaving {
            leaving.mixer.tick();
        }
        self.rest_when_silent();
    }

    fn tick_voice(&mut self, index: usize) {
        let state = self.voices[index].state;
        match state {
            State::Free => return,
            State::Fading(0) => return self.finish(index),
            State::Fading(left) => {
                self.voices[index].state = State::Fading(left - 1);
                return;
            }
            State::Held | State::Slowing | State::Ringing => {}
        }
        self.voices[index].tick();
        if self.voices[index].dirty {
            self.apply(index);
        }
        self.lead(index);
        match state {
            State::Slowing if self.voices[index].gesture.phase() == Phase::Idle => self.come_to_rest(index),
            State::Ringing => self.ring(index),
            _ => {}
        }
    }

    /// Books the way, and leads the slider by hand where the stroke says so.
    fn lead(&mut self, index: usize) {
        let tick_s = self.tick_s();
        let scrubbed = self.is_scrubbed();
        let voice = &mut self.voices[index];
        voice.way_m += voice.speed_m_s * tick_s;
        if scrubbed {
            let goal_m =
                self.values.modulated(Param::Scrub, self.offsets[Param::Scrub.index()]) * self.rig.room_m();
            let step_m = voice.speed_m_s.abs() * tick_s;
            voice.place_m += (goal_m - voice.place_m).clamp(-step_m, step_m);
            self.lead_to(index);
        }
    }

    /// Puts the hand where the voice's slider is to be.
    pub(super) fn lead_to(&mut self, index: usize) {
        let place_m = self.voices[index].place_m;
        if let Some(controls) = self.rig.engine.controls(index) {
            controls.set_position(place_m);
        }
    }

    pub(super) fn is_scrubbed(&self) -> bool {
        STROKES.get(self.values.choice(Param::Stroke)) == Some(&"scrub")
    }

    /// Key let go and hand at rest: the slider is lifted, or lies there.
    fn come_to_rest(&mut self, index: usize) {
        let lifts = self.values.choice(Param::NoteOff) == 0;
        if let Some(controls) = self.rig.engine.controls(index).filter(|_| lifts) {
            controls.set_lifted(true);
        }
        self.voices[index].rung = 0;
        self.voices[index].state = State::Ringing;
    }

    fn ring(&mut self, index: usize) {
        let lies = self.rig.engine.controls(index).is_some_and(|controls| !controls.is_lifted());
        let tick_s = self.tick_s();
        let voice = &mut self.voices[index];
        voice.rung += 1;
        let damped = lies && f64::from(voice.rung) * tick_s > STILL_S;
        if self.rig.engine.is_asleep(index) {
            self.finish(index);
        } else if damped {
            self.fade(index);
        }
    }

    /// Bodies that ring below what can be heard are put to rest; without any the instrument sleeps.
    fn rest_when_silent(&mut self) {
        let tick_s = self.tick_s();
        let silent = self.take_loudest() < SILENCE;
        self.quiet_ticks = if silent { self.quiet_ticks.saturating_add(1) } else { 0 };
        let only_rings = self.voices.iter().all(|voice| matches!(voice.state, State::Free | State::Ringing));
        if only_rings && f64::from(self.quiet_ticks) * tick_s > SILENT_S {
            for index in 0..self.voices.len() {
                if !self.voices[index].is_free() {
                    self.finish(index);
                }
            }
        }
        let idle = self.leaving.is_none() && self.voices.iter().all(|voice| voice.is_free());
        if idle && self.rig.engine.is_silent() {
            self.fall_asleep();
        }
    }

    /// A knob moves.
    pub(super) fn turn(&mut self, param: Param, value: f64) {
        self.turned_at[param.index()] = self.desk.asked();
        let before = self.values.get(param);
        self.values.set(param, value);
        let now = self.values.get(param);
        if now == before {
            return;
        }
        self.all_dirty();
        match param {
            Param::Drone if now > 0.5 => return self.start_drone(),
            Param::Drone => return self.let_go(DRONE),
            Param::Lc if STRETCH.contains(&(now / self.rig.lc_um)) => return,
            _ => {}
        }
        // What the engine was built without it cannot take up live.
        let switched = |off: f64| (before == off) != (now == off);
        let rebuilds = match param {
            Param::MuStatic => switched(0.0),
            Param::DriveStiffness => switched(RIGID_N_M),
            _ => false,
        };
        match param.entry().acts {
            Acts::Live if rebuilds => self.wants_engine = true,
            Acts::Engine => self.wants_engine = true,
            // Nobody hears a new engine come in when nothing sounds.
            Acts::Surfaces if self.is_asleep() => self.wants_engine = true,
            Acts::Surfaces => self.wants_surfaces = true,
            Acts::Live => self.mixer.set(self.rig.factors(&self.values)),
            Acts::Notes => {}
        }
    }
}
