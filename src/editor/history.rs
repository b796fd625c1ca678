//! Undo, redo and the two settings that can be compared. A moment is a preset and all knobs, so that opening
//! a preset is undone like any turn of a knob.

use crate::instrument::parameters::{Param, Values};
use std::sync::Arc;

/// Steps that can be taken back.
const DEPTH: usize = 200;
/// Turns of one knob that follow each other this closely are one step.
const ONE_STEP_S: f64 = 0.7;

#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Text of the preset.
    pub preset: Arc<str>,
    pub values: Values,
}

#[derive(Debug, Default)]
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
    /// Which knob was turned last, and when.
    last: Option<(Param, f64)>,
    /// The setting that is not heard; none as long as it is the same.
    other: Option<Moment>,
    hears_b: bool,
}

impl History {
    /// Before a knob is turned.
    pub fn turning(&mut self, param: Param, now_s: f64, present: Moment) {
        let goes_on = self.last.is_some_and(|(last, then_s)| last == param && now_s - then_s < ONE_STEP_S);
        self.last = Some((param, now_s));
        if !goes_on {
            self.push(present);
        }
    }

    /// Before everything changes at once.
    pub fn changing(&mut self, present: Moment) {
        self.last = None;
        self.push(present);
    }

    fn push(&mut self, present: Moment) {
        self.future.clear();
        if self.past.len() == DEPTH {
            self.past.remove(0);
        }
        self.past.push(present);
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Where to go back to.
    pub fn undo(&mut self, present: Moment) -> Option<Moment> {
        self.last = None;
        let moment = self.past.pop()?;
        self.future.push(present);
        Some(moment)
    }

    pub fn redo(&mut self, present: Moment) -> Option<Moment> {
        self.last = None;
        let moment = self.future.pop()?;
        self.past.push(present);
        Some(moment)
    }

    pub fn hears_b(&self) -> bool {
        self.hears_b
    }

    /// The other setting in place of the present one, which waits.
    pub fn swap(&mut self, present: Moment) -> Moment {
        self.hears_b = !self.hears_b;
        self.last = None;
        self.other.replace(present.clone()).unwrap_or(present)
    }

    /// Makes the other setting the same as the present one.
    pub fn copy(&mut self) {
        self.other = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(ra_um: f64) -> Moment {
        let mut values = Values::default();
        values.set(Param::Ra, ra_um);
        Moment { preset: "".into(), values }
    }

    #[test]
    fn steps_go_back_and_forth() {
        let mut history = History::default();
        assert!(history.undo(moment(1.0)).is_none());
        history.turning(Param::Ra, 0.0, moment(1.0));
        history.turning(Param::Ra, 5.0, moment(2.0));
        assert_eq!(history.undo(moment(3.0)), Some(moment(2.0)));
        assert_eq!(history.undo(moment(2.0)), Some(moment(1.0)));
        assert!(!history.can_undo() && history.can_redo());
        assert_eq!(history.redo(moment(1.0)), Some(moment(2.0)));
        history.changing(moment(9.0));
        assert!(!history.can_redo(), "a new step ends what could be done again");
    }

    #[test]
    fn turns_that_follow_each_other_are_one_step() {
        let mut history = History::default();
        for (at_s, ra_um) in [(0.0, 1.0), (0.3, 2.0), (0.6, 3.0)] {
            history.turning(Param::Ra, at_s, moment(ra_um));
        }
        history.turning(Param::V, 0.7, moment(4.0));
        assert_eq!(history.undo(moment(5.0)), Some(moment(4.0)));
        assert_eq!(history.undo(moment(4.0)), Some(moment(1.0)));
    }

    #[test]
    fn the_past_has_an_end() {
        let mut history = History::default();
        for n in 0..2 * DEPTH {
            history.changing(moment(n as f64));
        }
        assert_eq!(history.past.len(), DEPTH);
    }

    #[test]
    fn two_settings_take_turns() {
        let mut history = History::default();
        assert_eq!(history.swap(moment(1.0)), moment(1.0), "b begins as a");
        assert!(history.hears_b());
        assert_eq!(history.swap(moment(2.0)), moment(1.0));
        assert_eq!(history.swap(moment(1.0)), moment(2.0));
        history.copy();
        assert_eq!(history.swap(moment(5.0)), moment(5.0));
    }
}
