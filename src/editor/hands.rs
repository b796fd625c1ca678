//! What hands do to the knobs: every turn is a gesture that begins and ends, and can be taken back.

use super::Control;
use super::dial::Dials;
use super::history::{History, Moment};
use crate::instrument::parameters::{Param, Values};
use std::sync::Arc;

/// A knob in a hand: its place is kept here, because a knob of whole values cannot keep it itself.
#[derive(Debug, Clone, Copy)]
pub struct Grip {
    pub param: Param,
    pub share: f64,
}

/// A value that is being typed.
#[derive(Debug, Clone)]
pub struct Typing {
    pub param: Param,
    pub text: String,
    /// The field has not been shown yet.
    pub fresh: bool,
}

#[derive(Default)]
pub struct HandState {
    pub history: History,
    pub grip: Option<Grip>,
    pub typing: Option<Typing>,
    /// Pictures of the knobs.
    pub dials: Dials,
}

/// The knobs during one frame.
pub struct Hands<'a> {
    pub control: &'a dyn Control,
    pub state: &'a mut HandState,
    /// Where all knobs stand.
    pub values: Values,
    /// Text of the preset that was opened last.
    pub preset: Arc<str>,
    pub now_s: f64,
    /// A list or a menu may be open.
    pub popups: bool,
}

impl Hands<'_> {
    pub fn value(&self, param: Param) -> f64 {
        self.values.get(param)
    }

    pub fn share(&self, param: Param) -> f64 {
        self.values.normalised(param)
    }

    fn present(&self) -> Moment {
        Moment { preset: self.preset.clone(), values: self.values }
    }

    /// A hand takes the knob.
    pub fn take(&mut self, param: Param) {
        self.let_go();
        let present = self.present();
        self.state.history.turning(param, self.now_s, present);
        self.state.grip = Some(Grip { param, share: self.share(param) });
        self.control.begin(param);
    }

    pub fn holds(&self, param: Param) -> bool {
        self.state.grip.is_some_and(|grip| grip.param == param)
    }

    /// Moves the knob that is held along its way.
    pub fn move_by(&mut self, shares: f64) {
        if let Some(grip) = &mut self.state.grip {
            grip.share = (grip.share + shares).clamp(0.0, 1.0);
            let Grip { param, share } = *grip;
            self.set(param, param.entry().denormalise(share));
        }
    }

    pub fn let_go(&mut self) {
        if let Some(grip) = self.state.grip.take() {
            self.control.end(grip.param);
        }
    }

    fn set(&mut self, param: Param, value: f64) {
        if self.values.get(param) != param.entry().sanitise(value) {
            self.values.set(param, value);
            self.control.set(param, self.values.get(param));
        }
    }

    /// A whole gesture at once.
    pub fn put(&mut self, param: Param, value: f64) {
        if self.values.get(param) == param.entry().sanitise(value) {
            return;
        }
        self.take(param);
        self.set(param, value);
        self.let_go();
    }

    /// Some steps of a wheel or an arrow key: whole values, or parts of the way.
    pub fn step(&mut self, param: Param, steps: f64, fine: bool) {
        let row = param.entry();
        let value = match row.steps() {
            Some(_) => self.value(param) + steps.signum() * steps.abs().ceil(),
            None => row.denormalise(self.share(param) + steps * if fine { 0.002 } else { 0.02 }),
        };
        self.put(param, value);
    }

    pub fn undo(&mut self) {
        let present = self.present();
        if let Some(moment) = self.state.history.undo(present) {
            self.go_to(&moment);
        }
    }

    pub fn redo(&mut self) {
        let present = self.present();
        if let Some(moment) = self.state.history.redo(present) {
            self.go_to(&moment);
        }
    }

    /// From setting A to B or back.
    pub fn compare(&mut self) {
        let present = self.present();
        let other = self.state.history.swap(present);
        self.go_to(&other);
    }

    /// Another preset with knobs of its own, or of another moment.
    pub fn open(&mut self, preset: &str, values: &Values) {
        let present = self.present();
        self.state.history.changing(present);
        self.go_to(&Moment { preset: preset.into(), values: *values });
    }

    fn go_to(&mut self, moment: &Moment) {
        self.let_go();
        if moment.preset != self.preset {
            self.control.open(&moment.preset, &moment.values);
            self.preset = moment.preset.clone();
            self.values = moment.values;
            return;
        }
        for param in Param::all() {
            let value = moment.values.get(param);
            if self.value(param) != value {
                self.control.begin(param);
                self.set(param, value);
                self.control.end(param);
            }
        }
    }
}
