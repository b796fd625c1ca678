//! A preset as the instrument holds it: the scene keys as they were written, and the values of all knobs
//! that follow from them.
//!
//! A knob that was not moved leaves its key alone, so every digit of a file survives the instrument, and
//! what it plays is what `render` makes of the same file.

use super::fit;
use super::materials::{self, MATERIALS};
use super::parameters::{Home, Kind, PICKUPS, Param, Parameter, Pick, STROKES, Values};
use crate::error::{Error, Problem, Problems};
use crate::record::Quantity;
use crate::scene::{Draft, Entry, MotionKind, Scene, Value, find_preset};
use std::f64::consts::PI;

#[derive(Debug, Clone)]
pub struct Patch {
    draft: Draft,
    values: Values,
}

impl Patch {
    /// Checks scene and `[play]`; every problem at once.
    pub fn new(draft: Draft) -> Result<Self, Error> {
        let mut problems = Self::play_problems(&draft);
        let mut values = Values::default();
        for (param, value) in draft.play.iter().filter_map(|entry| read_play(entry).ok()) {
            values.set(param, value);
        }
        match draft.build() {
            Ok(scene) => read_scene(&draft, &scene, &mut values),
            Err(Error::Input(found)) => problems.0.extend(found.0),
            Err(other) => return Err(other),
        }
        problems.or(Self { draft, values })
    }

    /// What is wrong with the `[play]` table alone.
    pub fn play_problems(draft: &Draft) -> Problems {
        Problems(draft.play.iter().filter_map(|entry| read_play(entry).err()).collect())
    }

    pub fn from_toml(text: &str, file: &str) -> Result<Self, Error> {
        Self::new(Draft::from_toml(text, file)?)
    }

    /// A preset of the library by its name.
    pub fn preset(name: &str) -> Result<Self, Error> {
        Self::new(find_preset(name)?)
    }

    /// As the file says.
    pub fn values(&self) -> &Values {
        &self.values
    }

    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// What 1.0 stands for at this output gain, in the SI unit of a quantity.
    pub fn full_scale(&self, quantity: Quantity) -> f64 {
        quantity.usual_full_scale() / from_decibels(self.values.get(Param::Gain))
    }

    /// The preset that sounds as this one with its knobs at `values`.
    pub fn turned(&self, values: &Values) -> Draft {
        let mut draft = self.draft.clone();
        for param in Param::all().filter(|param| self.moved(*param, values)) {
            self.write(param, values.get(param), &mut draft);
        }
        if [Param::Material, Param::Young, Param::Density].iter().any(|param| self.moved(*param, values)) {
            let (young_pa, density_kg_m3) = material(values);
            put(&mut draft, "resonator.young_pa", young_pa);
            put(&mut draft, "resonator.density_kg_m3", density_kg_m3);
        }
        for n in 0..PICKUPS {
            self.write_pickup(n, values, &mut draft);
        }
        draft
    }

    /// The scene with its knobs at `values`, brought within what a scene can be.
    pub fn scene(&self, values: &Values) -> Result<Scene, Error> {
        let mut draft = self.turned(values);
        if *values != self.values {
            fit::fit(&mut draft);
        }
        draft.build()
    }

    fn moved(&self, param: Param, values: &Values) -> bool {
        values.get(param) != self.values.get(param)
    }

    fn write(&self, param: Param, value: f64, draft: &mut Draft) {
        let entry = param.entry();
        match entry.home {
            Home::Scene(key) if key.starts_with("pickup.") => {}
            Home::Scene(key) => {
                let old = number(draft, key);
                if param == Param::V || param == Param::Rate {
                    // Speed and rate give the stroke.
                    draft.unset("motion.stroke_m");
                }
                // A slider drawn backwards goes on backwards.
                let signed = if param == Param::V && old.is_some_and(|v| v < 0.0) { -value } else { value };
                put_as(draft, key, entry, signed);
                // The slider's own roughness keeps its proportion to the resonator's.
                if let (Param::Ra | Param::Lc, Some(old)) = (param, old) {
                    let top = key.replacen("surface.", "surface.top.", 1);
                    if let (true, Some(top_value)) = (draft.is_set(&top), number(draft, &top)) {
                        put(draft, &top, top_value * value / old);
                    }
                }
                if param == Param::Zeta {
                    put(draft, "slider.damping_ratio", value);
                }
            }
            Home::Play(key) => put_as(draft, &format!("play.{key}"), entry, value),
            Home::Derived if param == Param::Stroke => {
                let word = STROKES.get(value as usize).copied().unwrap_or("endless");
                let kind = match word {
                    "synced" => "reciprocate",
                    "scrub" => "pass",
                    scene => scene,
                };
                set(draft, "motion.kind", kind);
                draft.unset("play.stroke");
                if kind != word {
                    set(draft, "play.stroke", word);
                }
                if kind == "reciprocate" {
                    draft.unset("motion.stroke_m");
                }
            }
            Home::Derived => {}
        }
    }

    /// Pick-ups keep their share of the length when the length changes.
    fn write_pickup(&self, n: usize, values: &Values, draft: &mut Draft) {
        let key = |field: &str| format!("pickup.{}.{field}", n + 1);
        let of = |what| Param::pickup(n, what);
        if !values.switch(of(Pick::On)) {
            for field in ["position_m", "gain", "pan", "quantity", "distance_m"] {
                draft.unset(&key(field));
            }
            return;
        }
        let new = !self.values.switch(of(Pick::On));
        let moved = |what| new || self.moved(of(what), values);
        if moved(Pick::Position) || self.moved(Param::Length, values) {
            let length_m = number(draft, "resonator.length_m").unwrap_or_default();
            put(draft, &key("position_m"), values.get(of(Pick::Position)) * length_m);
        }
        if moved(Pick::Gain) {
            let inverted = number(draft, &key("gain")).is_some_and(|gain| gain < 0.0);
            let gain = from_decibels(values.get(of(Pick::Gain)));
            put(draft, &key("gain"), if inverted { -gain } else { gain });
        }
        for (what, field) in
            [(Pick::Pan, "pan"), (Pick::Quantity, "quantity"), (Pick::Distance, "distance_m")]
        {
            if moved(what) {
                put_as(draft, &key(field), of(what).entry(), values.get(of(what)));
            }
        }
    }
}

/// Young's modulus and density that the knobs say.
pub fn material(values: &Values) -> (f64, f64) {
    match MATERIALS.get(values.choice(Param::Material)) {
        Some(known) => (known.young_pa, known.density_kg_m3),
        None => (values.get(Param::Young), values.get(Param::Density)),
    }
}

pub fn from_decibels(decibels: f64) -> f64 {
    10f64.powf(decibels / 20.0)
}

/// One line of `[play]`.
fn read_play(entry: &Entry) -> Result<(Param, f64), Problem> {
    let place = format!("{}: play.{}", entry.place, entry.name);
    if entry.name == "stroke" {
        let own = ["synced", "scrub"].contains(&entry.text.as_str());
        return Param::Stroke
            .entry()
            .parse(&entry.text)
            .filter(|_| own)
            .map(|v| (Param::Stroke, v))
            .ok_or_else(|| {
                Problem::new(place, &entry.text, "must be synced or scrub", "other strokes are motion.kind")
            });
    }
    let is_named = |param: &Param| param.entry().home == Home::Play(known_name(&entry.name));
    let Some(param) = Param::all().find(is_named) else {
        let nearest = play_keys().min_by_key(|key| strsim::damerau_levenshtein(key, &entry.name));
        let limit = format!("the nearest known one is play.{}", nearest.unwrap_or("mode"));
        return Err(Problem::new(place, "unknown key", limit, "correct the name"));
    };
    let parameter = param.entry();
    let (min, max) = parameter.range();
    let plain = match parameter.kind {
        Kind::Choice { .. } | Kind::Switch { .. } => parameter.parse(&entry.text),
        Kind::Float { .. } | Kind::Int { .. } => entry.text.parse().ok(),
    };
    match plain.filter(|value| (min..=max).contains(value) && parameter.sanitise(*value) == *value) {
        Some(value) => Ok((param, value)),
        None => Err(Problem::new(place, &entry.text, play_range(parameter), parameter.help)),
    }
}

/// The table's own copy of a key's name, or an empty one.
fn known_name(name: &str) -> &'static str {
    play_keys().find(|key| *key == name).unwrap_or("")
}

fn play_keys() -> impl Iterator<Item = &'static str> {
    play_table().map(|(key, _)| key)
}

/// Every key of `[play]` with its parameter; a stroke of the instrument's own stands there as well.
pub fn play_table() -> impl Iterator<Item = (&'static str, &'static Parameter)> {
    let own = [("stroke", Param::Stroke.entry())];
    let rest = Param::all().filter_map(|param| match param.entry().home {
        Home::Play(key) => Some((key, param.entry())),
        _ => None,
    });
    rest.chain(own)
}

/// What a `[play]` key may hold, in words.
pub fn play_range(parameter: &Parameter) -> String {
    let (min, max) = parameter.range();
    match parameter.kind {
        Kind::Float { .. } => format!("must be a number from {min:?} to {max:?}"),
        Kind::Int { .. } => format!("must be a whole number from {min} to {max}"),
        Kind::Choice { words, .. } => format!("must be one of {}", words.join(", ")),
        Kind::Switch { .. } => "must be true or false".to_owned(),
    }
}

/// Knob positions that follow from the scene.
fn read_scene(draft: &Draft, scene: &Scene, values: &mut Values) {
    for param in Param::all() {
        let entry = param.entry();
        let Home::Scene(key) = entry.home else { continue };
        match draft.value(key) {
            Some(Value::Number(number)) => values.set(param, number),
            Some(Value::Integer(integer)) => values.set(param, integer as f64),
            Some(Value::Word(word)) => values.set(param, entry.parse(&word).unwrap_or(f64::NAN)),
            _ => {}
        }
    }
    let beam = &scene.resonator.beam;
    values.set(Param::Material, materials::place_of(beam.young_pa, beam.density_kg_m3) as f64);
    values.set(Param::Young, beam.young_pa);
    values.set(Param::Density, beam.density_kg_m3);
    values.set(Param::V, scene.motion.speed_m_s.abs());
    let own_stroke = draft.play.iter().any(|entry| entry.name == "stroke");
    let stroke = match scene.motion.kind {
        MotionKind::Pass => 0.0,
        MotionKind::Endless => 1.0,
        MotionKind::Reciprocate { stroke_m, rate_hz } => {
            values.set(Param::V, PI * rate_hz * stroke_m);
            2.0
        }
    };
    if !own_stroke {
        values.set(Param::Stroke, stroke);
    }
    let mut numbers = draft.pickup_numbers();
    if numbers.is_empty() {
        numbers.push(1);
    }
    for n in 0..PICKUPS {
        values.set(Param::pickup(n, Pick::On), 0.0);
    }
    for (number, pickup) in numbers.into_iter().zip(&scene.pickups) {
        let of = |what| Param::pickup(number.saturating_sub(1), what);
        values.set(of(Pick::On), 1.0);
        values.set(of(Pick::Position), pickup.position_m / beam.length_m);
        values.set(of(Pick::Gain), 20.0 * pickup.gain.abs().log10());
    }
}

fn number(draft: &Draft, key: &str) -> Option<f64> {
    match draft.value(key) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    }
}

fn put(draft: &mut Draft, key: &str, value: f64) {
    set(draft, key, &format!("{value:?}"));
}

fn put_as(draft: &mut Draft, key: &str, entry: &Parameter, value: f64) {
    match entry.kind {
        Kind::Float { .. } => put(draft, key, value),
        Kind::Int { .. } => set(draft, key, &format!("{value:.0}")),
        Kind::Choice { .. } => set(draft, key, &entry.format(value)),
        Kind::Switch { .. } => set(draft, key, if value > 0.5 { "true" } else { "false" }),
    }
}

/// Knobs stay within the range of their keys, so nothing is refused; what is, stays as it was.
fn set(draft: &mut Draft, key: &str, text: &str) {
    let _ = draft.set(key, text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::presets;

    #[test]
    fn unmoved_knobs_leave_every_key_alone() {
        for preset in presets() {
            let patch = Patch::preset(preset.name).unwrap();
            assert_eq!(patch.turned(patch.values()), *patch.draft(), "{}", preset.name);
        }
    }

    #[test]
    fn defaults_of_the_table_are_the_default_preset() {
        let patch = Patch::preset(crate::scene::DEFAULT_PRESET).unwrap();
        for param in Param::all() {
            let (table, file) = (Values::default().get(param), patch.values().get(param));
            assert!((table - file).abs() <= 1e-12 * table.abs(), "{}: {table} {file}", param.entry().id);
        }
    }

    #[test]
    fn moved_knobs_come_back_from_the_file() {
        let patch = Patch::preset("stridulation").unwrap();
        let mut values = *patch.values();
        for (param, value) in [
            (Param::Ra, 12.0),
            (Param::V, 0.05),
            (Param::Material, 2.0),
            (Param::Length, 0.2),
            (Param::Attack, 0.3),
            (Param::Mode, 2.0),
            (Param::Drone, 1.0),
            (Param::P2On, 1.0),
            (Param::P2Gain, -6.0),
            (Param::P2Pan, 0.5),
            (Param::Stroke, 3.0),
            (Param::Seed, 77.0),
        ] {
            values.set(param, value);
        }
        let draft = patch.turned(&values);
        let again = Patch::from_toml(&draft.to_toml(), "again").unwrap();
        for param in Param::all() {
            let (was, is) = (values.get(param), again.values().get(param));
            // The material's numbers are now written out.
            let named = matches!(param, Param::Young | Param::Density);
            assert!(named || (was - is).abs() <= 1e-9 * was.abs(), "{}: {was} {is}", param.entry().id);
        }
        // The slider's own Ra keeps its proportion.
        assert_eq!(number(&draft, "surface.top.ra_um"), Some(1.2));
        assert_eq!(again.turned(again.values()).to_toml(), draft.to_toml());
    }

    #[test]
    fn problems_of_scene_and_play_come_together() {
        let text = "[surface]\nra_um = 5\n[motion]\nstart_m = 9\n[play]\nmode = \"duo\"\natack_s = 1\n\
                    voices = 1.5\ndrone = \"on\"\nstroke = \"endless\"\n";
        let Err(Error::Input(problems)) = Patch::from_toml(text, "p.toml") else { panic!("accepted") };
        let all: Vec<String> = problems.0.iter().map(ToString::to_string).collect();
        assert_eq!(all.len(), 5, "{all:#?}");
        assert!(all.iter().any(|p| p.starts_with("p.toml:6:8: play.mode: duo: must be one of poly")));
        assert!(
            all.iter()
                .any(|p| p.contains("play.atack_s: unknown key: the nearest known one is play.attack_s"))
        );
        assert!(all.iter().any(|p| p.contains("motion.start_m")));
    }
}
