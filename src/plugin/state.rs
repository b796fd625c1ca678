//! Any state made whole and harmless before the framework sees it.
//!
//! The framework saves its own parameters as shares of a knob's way in single precision. Beside them goes the
//! instrument's own state as text: the preset that was opened and every knob in physical units, so that a later
//! version may change a range and every digit of a preset survives.

use std::collections::BTreeMap;

use nice_plug::plugin::ParamValue;
use nice_plug::prelude::PluginState;

use crate::editor::{SMALLEST, USUAL};
use crate::error::Error;
use crate::instrument::parameters::{Kind, Param, Parameter, shortest};
use crate::instrument::{Patch, State};
use crate::scene::DEFAULT_PRESET;

/// Shares nearer than this are the same place of a knob: roundings of single precision, in the value too.
const SAME_PLACE: f32 = 1e-6;
/// Name of the field that holds the instrument's own state, as [`super::root::Root`] has it.
const FIELD: &str = "instrument";
/// The window's size, in the same way, and the largest that is opened again, points.
const WINDOW: &str = "window";
const LARGEST_WINDOW: f32 = 8192.0;

/// Makes a state whole: the instrument's own, and the framework's parameters to match. Where the instrument's is
/// missing or broken, the default preset takes the shares that the framework saved. One that is whole but cannot be
/// opened here, because its measured profile is not there or a newer version wrote it, goes with them as it is.
pub fn filter(state: &mut PluginState) {
    let text = state.fields.get(FIELD).and_then(|json| serde_json::from_str::<String>(json).ok());
    let own = text.as_deref().and_then(|text| State::from_text(text).ok());
    let unread = text.filter(|text| State::belongs_elsewhere(text));
    let Some(own) = own.or_else(|| from_shares(state).ok()) else { return state.params.clear() };
    let saved_of = |param: Param| {
        let row = param.entry();
        let share = state.params.get(row.id).and_then(|saved| share_of(row, saved));
        (row.id.to_owned(), saved(row, own.values.get(param), share))
    };
    state.params = Param::all().map(saved_of).collect();
    let window = state.fields.get(WINDOW).and_then(|json| serde_json::from_str(json).ok()).map(window_size);
    state.fields = field(&unread.unwrap_or_else(|| own.to_text()));
    if let Some(json) = window.and_then(|window| serde_json::to_string(&window).ok()) {
        state.fields.insert(WINDOW.to_owned(), json);
    }
}

/// The nearest size that a window can have.
fn window_size([width, height]: [f32; 2]) -> [f32; 2] {
    let fit = |size: f32, least: f32, usual: f32| {
        if size.is_finite() { size.clamp(least, LARGEST_WINDOW) } else { usual }
    };
    [fit(width, SMALLEST.x, USUAL.x), fit(height, SMALLEST.y, USUAL.y)]
}

/// A state that opens a preset with all its knobs where the file has them.
pub fn of_preset(patch: Patch) -> PluginState {
    of(&State { values: *patch.values(), patch })
}

/// The framework's state around the instrument's own.
pub fn of(own: &State) -> PluginState {
    let fields = field(&own.to_text());
    let mut state = PluginState { version: String::new(), params: BTreeMap::new(), fields };
    filter(&mut state);
    state
}

fn field(text: &str) -> BTreeMap<String, String> {
    // Text always becomes JSON.
    let json = serde_json::to_string(text).unwrap_or_default();
    BTreeMap::from([(FIELD.to_owned(), json)])
}

fn from_shares(state: &PluginState) -> Result<State, Error> {
    let patch = Patch::preset(DEFAULT_PRESET)?;
    let mut values = *patch.values();
    for param in Param::all() {
        let row = param.entry();
        if let Some(share) = state.params.get(row.id).and_then(|saved| share_of(row, saved)) {
            values.set(param, meant(row, values.get(param), share));
        }
    }
    Ok(State { patch, values })
}

/// What the framework is to set: the share that the state came with where it means the same, so that saving
/// again gives the same bytes.
fn saved(row: &Parameter, value: f64, share: Option<f32>) -> ParamValue {
    match row.kind {
        Kind::Float { .. } => {
            let share = share.filter(|share| same_place(row, value, *share));
            ParamValue::F32(share.unwrap_or(row.normalise(value) as f32))
        }
        Kind::Int { .. } | Kind::Choice { .. } => ParamValue::I32(value as i32),
        Kind::Switch { .. } => ParamValue::Bool(value > 0.5),
    }
}

/// The share of the knob's way that the framework saved, if it can be one.
fn share_of(row: &Parameter, saved: &ParamValue) -> Option<f32> {
    match (saved, row.kind) {
        (ParamValue::F32(share), Kind::Float { .. }) => share.is_finite().then(|| share.clamp(0.0, 1.0)),
        (ParamValue::I32(value), Kind::Int { .. } | Kind::Choice { .. }) => {
            Some(row.normalise(f64::from(*value)) as f32)
        }
        (ParamValue::Bool(on), Kind::Switch { .. }) => Some(f32::from(u8::from(*on))),
        _ => None,
    }
}

/// The value behind a share: the known one if the share only repeats it.
pub fn meant(row: &Parameter, known: f64, share: f32) -> f64 {
    if same_place(row, known, share) { known } else { shortest(row.denormalise(share.into()) as f32) }
}

fn same_place(row: &Parameter, value: f64, share: f32) -> bool {
    (row.normalise(value) as f32 - share).abs() <= SAME_PLACE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::parameters::Values;
    use crate::scene::presets;
    use proptest::prelude::*;

    #[test]
    fn a_window_comes_back_at_a_size_that_can_be() {
        for (saved, expected) in [
            ("[900.5,600.0]", Some([900.5, 600.0])),
            ("[1e30,-5.0]", Some([LARGEST_WINDOW, SMALLEST.y])),
            ("\"wide\"", None),
        ] {
            let mut state = empty();
            state.fields.insert(WINDOW.into(), saved.into());
            filter(&mut state);
            let window = state.fields.get(WINDOW).map(|json| serde_json::from_str::<[f32; 2]>(json).unwrap());
            assert_eq!(window, expected, "{saved}");
        }
    }

    fn empty() -> PluginState {
        PluginState { version: String::new(), params: BTreeMap::new(), fields: BTreeMap::new() }
    }

    /// What the instrument would be told.
    fn own(state: &PluginState) -> State {
        let text: String = serde_json::from_str(&state.fields[FIELD]).unwrap();
        State::from_text(&text).unwrap()
    }

    #[test]
    fn an_empty_state_is_the_default_preset() {
        let mut state = empty();
        filter(&mut state);
        assert_eq!(own(&state).values, Values::default());
        assert_eq!(state.params.len(), Param::all().count());
    }

    #[test]
    fn a_preset_keeps_its_digits() {
        for preset in presets() {
            let patch = Patch::preset(preset.name).unwrap();
            assert_eq!(own(&of_preset(patch.clone())).values, *patch.values(), "{}", preset.name);
        }
    }

    #[test]
    fn shares_count_where_the_instruments_own_state_is_broken() {
        let mut state = empty();
        state.params.insert("ra".into(), ParamValue::F32(1.0));
        state.params.insert("seed".into(), ParamValue::I32(i32::MIN));
        state.params.insert("drone".into(), ParamValue::F32(1.0));
        state.params.insert("v".into(), ParamValue::F32(f32::NAN));
        state.params.insert("nonsense".into(), ParamValue::F32(0.5));
        state.fields.insert(FIELD.into(), "\"state.version = 0\"".into());
        filter(&mut state);
        let values = own(&state).values;
        let found = [Param::Ra, Param::Seed, Param::Drone, Param::V].map(|param| values.get(param));
        assert_eq!(found, [Param::Ra.entry().range().1, 0.0, 0.0, 0.1]);
        assert!(!state.params.contains_key("nonsense"));
    }

    proptest! {
        #[test]
        fn whatever_was_saved_a_whole_state_comes_out(
            floats in proptest::collection::vec(any::<f32>(), 8),
            text in "\\PC{0,60}",
            wild in any::<f64>(),
        ) {
            let mut state = empty();
            for (param, value) in Param::all().zip(floats.iter().cycle()) {
                let saved = match param.index() % 4 {
                    0 => ParamValue::F32(*value),
                    1 => ParamValue::I32(value.to_bits() as i32),
                    2 => ParamValue::Bool(value.is_sign_negative()),
                    _ => ParamValue::String(text.clone()),
                };
                state.params.insert(param.entry().id.into(), saved);
            }
            let own_text = format!("state.version = 1\nstate.ra = {wild:e}\n{text}");
            state.fields.insert(FIELD.into(), serde_json::to_string(&own_text).unwrap());
            filter(&mut state);
            let values = own(&state).values;
            for param in Param::all() {
                let (min, max) = param.entry().range();
                prop_assert!((min..=max).contains(&values.get(param)));
            }
            // Once whole, a state stays as it is.
            let once = serde_json::to_string(&state).unwrap();
            filter(&mut state);
            prop_assert_eq!(serde_json::to_string(&state).unwrap(), once);
        }
    }
}
