//! One row of the table as a parameter of the framework.
//!
//! Floats go to the host as a share of the knob's way, 0 to 1, because the framework knows no logarithmic
//! knob and a host's modulation must go the same way as the instrument's own. What people see and type is
//! text in the row's unit.

use std::sync::Arc;

use nice_plug::prelude::{Param as _, *};

use crate::instrument::parameters::{Param, Parameter};

/// A parameter of any kind, read as a share of its knob's way.
#[derive(Clone, Copy)]
pub enum Knob<'a> {
    Float(&'a FloatParam),
    Whole(&'a IntParam),
    Switch(&'a BoolParam),
}

impl Knob<'_> {
    /// With the host's modulation of all notes.
    pub fn share(self) -> f32 {
        match self {
            Knob::Float(param) => param.modulated_normalized_value(),
            Knob::Whole(param) => param.modulated_normalized_value(),
            Knob::Switch(param) => param.modulated_normalized_value(),
        }
    }

    /// What the player has set and a state keeps.
    pub fn set_share(self) -> f32 {
        match self {
            Knob::Float(param) => param.unmodulated_normalized_value(),
            Knob::Whole(param) => param.unmodulated_normalized_value(),
            Knob::Switch(param) => param.unmodulated_normalized_value(),
        }
    }
}

/// Made from a row of the table.
pub trait FromTable {
    fn of(param: Param) -> Self;
}

impl FromTable for FloatParam {
    fn of(param: Param) -> Self {
        let row = param.entry();
        let share = |plain: f64| row.normalise(plain) as f32;
        let knob = Self::new(title(row), share(row.default()), FloatRange::Linear { min: 0.0, max: 1.0 })
            .with_value_to_string(Arc::new(|share| row.format(row.denormalise(f64::from(share)))))
            .with_string_to_value(Arc::new(move |text| row.parse(text).map(share)));
        if row.per_note { knob.with_poly_modulation_id(param.index() as u32) } else { knob }
    }
}

impl FromTable for IntParam {
    fn of(param: Param) -> Self {
        let row = param.entry();
        let (min, max) = row.range();
        let range = IntRange::Linear { min: min as i32, max: max as i32 };
        Self::new(title(row), row.default() as i32, range)
            .with_value_to_string(Arc::new(|value| row.format(f64::from(value))))
            .with_string_to_value(Arc::new(|text| row.parse(text).map(|plain| plain as i32)))
    }
}

impl FromTable for BoolParam {
    fn of(param: Param) -> Self {
        let row = param.entry();
        Self::new(title(row), row.default() > 0.5)
            .with_value_to_string(Arc::new(|value| row.format(f64::from(u8::from(value)))))
            .with_string_to_value(Arc::new(|text| row.parse(text).map(|plain| plain > 0.5)))
    }
}

/// Many hosts list parameters without their groups, so a pick-up's say whose they are.
fn title(row: &Parameter) -> String {
    match row.module.split_once('/') {
        Some((group, part)) => format!("{group} {part}: {}", row.name),
        None => row.name.to_owned(),
    }
}
