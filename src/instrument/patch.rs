//! A preset as the instrument holds it: the scene keys as they were written, and the values of all knobs
//! that follow from them.
//!
//! A knob that was not moved leaves its key alone, so every digit of a file survives the instrument, and
//! what it plays is what `render` makes of the same file.

use super::fit;
use super::materials::{self, MATERIALS};
use super::parameters::{Home, PICKUPS, Param, Pick, Values};
use super::play::read_play;
use crate::error::{Error, Problem, Problems};
use crate::record::Quantity;
use crate::scene::{Draft, MotionKind, Scene, Value, find_preset};
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

    /// The same for somebody who wants to play: not every scene that can be rendered can be.
    pub fn to_play(draft: Draft) -> Result<Self, Error> {
        let patch = Self::new(draft)?;
        if patch.draft.build()?.slides_off() {
            return Err(Problem::new(
                "motion.kind",
                "pass",
                "a held slider that passes over the resonator's end cannot be played",
                "take motion.kind = \"endless\", or `asperity render --engine reference`",
            )
            .into());
        }
        Ok(patch)
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

    /// The scene with its knobs at `values`, brought within what a scene can be.
    pub fn scene(&self, values: &Values) -> Result<Scene, Error> {
        let mut draft = self.turned(values);
        if *values != self.values {
            fit::fit(&mut draft);
        }
        draft.build()
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
    if let Some(friction) = &scene.friction {
        let law = friction.law;
        values.set(Param::MuDynamic, law.dynamic_coefficient / law.static_coefficient);
    }
    if let Some(link) = scene.drive.link {
        values.set(Param::DriveStiffness, link.stiffness_n_m);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_the_table_are_the_default_preset() {
        let patch = Patch::preset(crate::scene::DEFAULT_PRESET).unwrap();
        for param in Param::all() {
            let (table, file) = (Values::default().get(param), patch.values().get(param));
            assert!((table - file).abs() <= 1e-12 * table.abs(), "{}: {table} {file}", param.entry().id);
        }
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
