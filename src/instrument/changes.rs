//! What takes long and is made by the worker: orders go out, and engines, surfaces and patches come in under
//! what sounds. Nothing is freed here: what is no longer needed goes back to the worker.

use super::mixer::Mixer;
use super::parameters::{Param, Values};
use super::player::Instrument;
use super::rig::{DRONE, NOTE_VOICES, Rig};
use super::voice::State;
use super::worker::{Grid, Loaded, Order, Product, Waste};
use crate::engine::realtime::Surfaces;
use std::sync::Arc;

/// Cross-fade to a new engine.
const CROSS_FADE_S: f64 = 0.1;

/// New surfaces on their way into the engine, and the correlation length they were made with.
pub(super) struct Incoming {
    surfaces: Arc<Surfaces>,
    lc_um: f64,
}

/// An engine on its way out.
pub(super) struct Leaving {
    pub rig: Box<Rig>,
    pub mixer: Mixer,
    /// Frames of the cross-fade that are left.
    pub frames: usize,
}

impl Instrument {
    /// Orders what knobs need of the worker; offline it is there at once.
    pub(super) fn request(&mut self) {
        if self.ordered || !(self.wants_engine || self.wants_surfaces) {
            return;
        }
        let grid = Grid { grid_m: self.rig.engine.grid_m(), step_m: self.rig.step_m() };
        let grid = (!self.wants_engine).then_some(grid);
        if self.desk.order(Order { build: self.build(), grid }) {
            self.ordered = true;
            self.wants_engine = false;
            self.wants_surfaces = false;
            if self.setup.offline {
                self.receive();
                self.tick_now();
            }
        }
    }

    /// Takes over what the worker has made, one thing at a time.
    pub(super) fn receive(&mut self) {
        self.offer();
        if self.leaving.is_some() || self.incoming.is_some() || self.outgoing.is_some() {
            return;
        }
        if let Some(loaded) = self.desk.loaded() {
            self.take_patch(loaded);
        } else {
            let waits = self.setup.offline && self.ordered;
            let product = if waits { self.desk.wait() } else { self.desk.product() };
            if let Some(product) = product {
                self.ordered = false;
                self.take_over(product);
            }
        }
        self.request();
    }

    /// What was ordered is put to use, or away if another patch has come since.
    fn take_over(&mut self, product: Product) {
        let stale = std::mem::take(&mut self.stale);
        match product {
            Product::Rig(rig) if stale => {
                self.leaving = Some(Leaving { rig, mixer: self.mixer.clone(), frames: 0 });
                self.retire_leaving();
            }
            Product::Rig(rig) => self.change_over(rig),
            Product::Surfaces { surfaces, .. } if stale => self.throw_out(surfaces),
            Product::Surfaces { surfaces, lc_um } => {
                self.incoming = Some(Incoming { surfaces, lc_um });
                self.offer();
            }
            // The old one goes on.
            Product::Refused => {}
        }
    }

    /// New surfaces into the engine, as soon as it takes them, and old ones out.
    fn offer(&mut self) {
        if let Some(old) = self.outgoing.take().or_else(|| self.rig.engine.take_retired()) {
            self.throw_out(old);
        }
        let Some(Incoming { surfaces, lc_um }) = self.incoming.take() else { return };
        match self.rig.engine.offer(surfaces) {
            Ok(()) => {
                self.rig.lc_um = lc_um;
                self.all_dirty();
            }
            Err(surfaces) => self.wait_with(surfaces, lc_um),
        }
    }

    /// Surfaces that do not fit the engine any more are not needed; others wait for the fade before them.
    fn wait_with(&mut self, surfaces: Arc<Surfaces>, lc_um: f64) {
        let fits = (surfaces.bottom.step_m / self.rig.engine.grid_m() - 1.0).abs() < 1e-6;
        if fits || self.outgoing.is_some() {
            self.incoming = Some(Incoming { surfaces, lc_um });
        } else {
            self.throw_out(surfaces);
        }
    }

    /// To the worker, now or as soon as it has room.
    fn throw_out(&mut self, surfaces: Arc<Surfaces>) {
        if let Some(Waste::Surfaces(back)) = self.desk.discard(Waste::Surfaces(surfaces)) {
            self.outgoing = Some(back);
        }
    }

    /// Another patch. Knobs that were turned after it was asked for stay where they were turned to.
    fn take_patch(&mut self, Loaded { rig, number }: Loaded) {
        let (before, turned_at) = (self.values, self.turned_at);
        self.load(&rig.built);
        self.change_over(rig);
        for param in Param::all().filter(|param| turned_at[param.index()] >= number) {
            self.turn(param, before.get(param));
        }
        // Whoever asked for it did not know whether the host renders offline.
        self.wants_engine |= self.rig.engine.settings().quality != self.build().quality();
    }

    /// Another patch's knobs.
    fn load(&mut self, values: &Values) {
        let drone = (self.values.switch(Param::Drone), values.switch(Param::Drone));
        self.values = *values;
        self.wants_engine = false;
        self.wants_surfaces = false;
        // What is under way was ordered for another patch.
        self.stale = self.ordered;
        self.all_dirty();
        match drone {
            (true, false) => self.let_go(DRONE),
            // Started on the new engine, with all that is held.
            (false, true) => self.hold_drone(),
            _ => {}
        }
    }

    /// A new engine in place of the old one, which fades out. Notes that are held begin anew on it; what
    /// only rings ends with the old one.
    fn change_over(&mut self, rig: Box<Rig>) {
        let silent = self.is_asleep();
        let frames = self.fade_frames();
        let old = std::mem::replace(&mut self.rig, rig);
        self.fit_ticks();
        let mixer = Mixer::new(self.rig.factors(&self.values), self.tick_s());
        let mixer = std::mem::replace(&mut self.mixer, mixer);
        self.leaving = Some(Leaving { rig: old, mixer, frames: if silent { 0 } else { frames } });
        for index in 0..=NOTE_VOICES {
            match self.voices[index].state {
                State::Held | State::Slowing => self.start(index),
                State::Ringing | State::Fading(_) => self.finish(index),
                State::Free => {}
            }
        }
        if silent {
            self.retire_leaving();
        }
    }

    pub(super) fn fade_frames(&self) -> usize {
        (CROSS_FADE_S * self.setup.rate_hz) as usize
    }

    /// An engine that the worker has no room for stays, unheard; until it is gone no other can come.
    pub(super) fn retire_leaving(&mut self) {
        let Some(Leaving { rig, mixer, .. }) = self.leaving.take() else { return };
        if let Some(Waste::Rig(rig)) = self.desk.discard(Waste::Rig(rig)) {
            self.leaving = Some(Leaving { rig, mixer, frames: 0 });
        }
    }
}
