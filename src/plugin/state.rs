//! What a project keeps: the preset that was opened, and where every knob stands in physical units.
//!
//! The framework saves its own parameters as shares of a knob's way in single precision. Beside them go the
//! values that these shares stand for, so that a later version may change a range and every digit of a preset
//! survives. On the way in, [`filter`] makes any state whole and harmless before the framework sees it.

use std::collections::BTreeMap;

use nice_plug::plugin::ParamValue;
use nice_plug::prelude::PluginState;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::editor::{SMALLEST, USUAL};
use crate::instrument::Patch;
use crate::instrument::parameters::{Kind, Param, Parameter, Values, shortest};
use crate::scene::{DEFAULT_PRESET, presets};

/// Of the states written here. A state of an older format goes through every later step of [`MIGRATIONS`].
const FORMAT: u32 = 1;
/// Format that a step makes, and the step.
const MIGRATIONS: [(u32, fn(&mut Knobs)); 0] = [];
/// Longest preset that a state may hold, bytes.
const LONGEST_PRESET: usize = 1 << 20;
/// Shares nearer than this are the same place of a knob: a few roundings of single precision.
const SAME_PLACE: f32 = 2.5e-7;
/// Names of the two fields, as [`super::root::Root`] has them.
const KNOBS: &str = "knobs";
pub const PRESET: &str = "preset";
const WINDOW: &str = "window";
/// Largest window that is opened again, points.
const LARGEST_WINDOW: f32 = 8192.0;

/// All knobs by id: numbers in the unit of the table, words, on or off.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Knobs {
    format: u32,
    values: BTreeMap<String, Value>,
}

impl Knobs {
    /// All that are there, in this format.
    pub fn written(values: impl Iterator<Item = (Param, f64)>) -> Self {
        let entry = |(param, value): (Param, f64)| (param.entry().id.to_owned(), write(param.entry(), value));
        Self { format: FORMAT, values: values.map(entry).collect() }
    }

    pub fn value(&self, param: Param) -> Option<f64> {
        let row = param.entry();
        match (self.values.get(row.id)?, row.kind) {
            (Value::Number(number), Kind::Float { .. } | Kind::Int { .. }) => {
                number.as_f64().filter(|value| value.is_finite()).map(|value| row.sanitise(value))
            }
            (Value::String(word), Kind::Choice { .. }) => row.parse(word),
            (Value::Bool(on), Kind::Switch { .. }) => Some(f64::from(u8::from(*on))),
            _ => None,
        }
    }

    fn migrate(&mut self) {
        for (format, step) in MIGRATIONS {
            if self.format < format {
                step(self);
                self.format = format;
            }
        }
    }
}

fn write(row: &Parameter, value: f64) -> Value {
    match row.kind {
        Kind::Float { .. } => Value::from(value),
        Kind::Int { .. } => Value::from(value as i64),
        Kind::Choice { .. } => Value::from(row.format(value)),
        Kind::Switch { .. } => Value::from(value > 0.5),
    }
}

/// Makes a state whole: a preset that opens, a value for every knob, and the framework's parameters to match.
/// A knob's value is what the field says; failing that, what the framework's share says; failing that, the
/// preset's own.
pub fn filter(state: &mut PluginState) {
    let text = read::<String>(state, PRESET).filter(|text| text.len() <= LONGEST_PRESET);
    let opened =
        text.and_then(|text| Patch::from_toml(&text, PRESET).ok().map(|patch| (text, *patch.values())));
    let (text, standing) = opened.unwrap_or_else(|| (default_text().to_owned(), Values::default()));
    let mut knobs = read::<Knobs>(state, KNOBS).unwrap_or_default();
    knobs.migrate();
    let mut whole = Vec::new();
    let mut params = BTreeMap::new();
    for param in Param::all() {
        let row = param.entry();
        let share = state.params.get(row.id).and_then(|saved| share_of(row, saved));
        let value = knobs
            .value(param)
            .or_else(|| share.map(|share| shortest(row.denormalise(share.into()) as f32)))
            .unwrap_or_else(|| standing.get(param));
        whole.push((param, value));
        params.insert(row.id.to_owned(), saved(row, value, share));
    }
    let window = read::<[f32; 2]>(state, WINDOW).map(window_size);
    *state = PluginState { version: state.version.clone(), params, fields: BTreeMap::new() };
    put(state, KNOBS, &Knobs::written(whole.into_iter()));
    put(state, PRESET, &text);
    if let Some(window) = window {
        put(state, WINDOW, &window);
    }
}

/// The nearest size that a window can have.
fn window_size([width, height]: [f32; 2]) -> [f32; 2] {
    let fit = |size: f32, least: f32, usual: f32| {
        if size.is_finite() { size.clamp(least, LARGEST_WINDOW) } else { usual }
    };
    [fit(width, SMALLEST.x, USUAL.x), fit(height, SMALLEST.y, USUAL.y)]
}

/// A state that opens a preset with its knobs at `values`.
pub fn of(text: &str, values: &Values) -> PluginState {
    let mut state = bare(text);
    put(&mut state, KNOBS, &Knobs::written(Param::all().map(|param| (param, values.get(param)))));
    filter(&mut state);
    state
}

/// A state that opens a preset with all its knobs where the file has them.
pub fn of_preset(text: &str) -> PluginState {
    let mut state = bare(text);
    filter(&mut state);
    state
}

fn bare(text: &str) -> PluginState {
    let mut state = PluginState { version: String::new(), params: BTreeMap::new(), fields: BTreeMap::new() };
    put(&mut state, PRESET, &text);
    state
}

/// What the framework is to set: the share that the state came with where it means the same, so that saving
/// again gives the same bytes.
fn saved(row: &Parameter, value: f64, share: Option<f32>) -> ParamValue {
    match row.kind {
        Kind::Float { .. } => ParamValue::F32(
            share.filter(|share| same_place(row, value, *share)).unwrap_or(row.normalise(value) as f32),
        ),
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

pub fn same_place(row: &Parameter, value: f64, share: f32) -> bool {
    (row.normalise(value) as f32 - share).abs() <= SAME_PLACE
}

fn read<T: for<'a> Deserialize<'a>>(state: &PluginState, field: &str) -> Option<T> {
    state.fields.get(field).and_then(|json| serde_json::from_str(json).ok())
}

fn put<T: Serialize>(state: &mut PluginState, field: &str, value: &T) {
    if let Ok(json) = serde_json::to_string(value) {
        state.fields.insert(field.to_owned(), json);
    }
}

pub fn default_text() -> &'static str {
    presets().iter().find(|preset| preset.name == DEFAULT_PRESET).map_or("", |preset| preset.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn empty() -> PluginState {
        PluginState { version: String::new(), params: BTreeMap::new(), fields: BTreeMap::new() }
    }

    /// What the framework would hold after loading this.
    fn values(state: &PluginState) -> Vec<f64> {
        let knobs: Knobs = read(state, KNOBS).unwrap();
        Param::all().map(|param| knobs.value(param).unwrap()).collect()
    }

    #[test]
    fn an_empty_state_is_the_default_preset() {
        let mut state = empty();
        filter(&mut state);
        let patch = Patch::preset(DEFAULT_PRESET).unwrap();
        let expected: Vec<f64> = Param::all().map(|param| Values::default().get(param)).collect();
        assert_eq!(values(&state), expected);
        assert_eq!(read::<String>(&state, PRESET).unwrap(), default_text());
        assert_eq!(*patch.values(), Values::default());
    }

    #[test]
    fn a_preset_keeps_its_digits() {
        for preset in presets() {
            let state = of_preset(preset.text);
            let patch = Patch::preset(preset.name).unwrap();
            let expected: Vec<f64> = Param::all().map(|param| patch.values().get(param)).collect();
            assert_eq!(values(&state), expected, "{}", preset.name);
        }
    }

    #[test]
    fn words_and_numbers_are_written_as_people_would() {
        let mut state = empty();
        state.fields.insert(
            KNOBS.into(),
            r#"{"format":1,"values":{"law":"hertz","ra":12.5,"drone":true,"seed":42}}"#.into(),
        );
        filter(&mut state);
        let json = &state.fields[KNOBS];
        for part in [r#""law":"hertz""#, r#""ra":12.5"#, r#""drone":true"#, r#""seed":42"#, r#""format":1"#] {
            assert!(json.contains(part), "{json}");
        }
    }

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
            assert_eq!(read::<[f32; 2]>(&state, WINDOW), expected, "{saved}");
        }
    }

    #[test]
    fn shares_count_where_the_field_says_nothing() {
        let mut state = empty();
        state.params.insert("ra".into(), ParamValue::F32(1.0));
        state.params.insert("seed".into(), ParamValue::I32(i32::MIN));
        state.params.insert("drone".into(), ParamValue::F32(1.0));
        state.params.insert("v".into(), ParamValue::F32(f32::NAN));
        state.params.insert("nonsense".into(), ParamValue::F32(0.5));
        filter(&mut state);
        let found = values(&state);
        assert_eq!(found[Param::Ra.index()], 1000.0);
        assert_eq!(found[Param::Seed.index()], 0.0);
        assert_eq!(found[Param::Drone.index()], 0.0);
        assert_eq!(found[Param::V.index()], 0.1);
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
            state.fields.insert(KNOBS.into(), format!(r#"{{"format":9,"values":{{"ra":{wild:e},"law":3}}}}"#));
            state.fields.insert(PRESET.into(), text);
            filter(&mut state);
            for (param, value) in Param::all().zip(values(&state)) {
                let (min, max) = param.entry().range();
                prop_assert!((min..=max).contains(&value));
            }
            // Once whole, a state stays as it is.
            let once = serde_json::to_string(&state).unwrap();
            filter(&mut state);
            prop_assert_eq!(serde_json::to_string(&state).unwrap(), once);
        }
    }
}
