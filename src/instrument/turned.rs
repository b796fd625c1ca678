//! Knobs written back into a preset: the keys that were moved, and nothing else.

use super::parameters::{Home, Kind, PICKUPS, Param, Parameter, Pick, RIGID_N_M, STROKES, Values};
use super::patch::{Patch, from_decibels, material};
use crate::scene::{Draft, Value};

impl Patch {
    /// The preset that sounds as this one with its knobs at `values`.
    pub fn turned(&self, values: &Values) -> Draft {
        let mut draft = self.draft().clone();
        for param in Param::all().filter(|param| self.moved(*param, values)) {
            self.write(param, values.get(param), &mut draft);
        }
        if [Param::Material, Param::Young, Param::Density].iter().any(|param| self.moved(*param, values)) {
            let (young_pa, density_kg_m3) = material(values);
            put(&mut draft, "resonator.young_pa", young_pa);
            put(&mut draft, "resonator.density_kg_m3", density_kg_m3);
        }
        if [Param::MuStatic, Param::MuDynamic].iter().any(|param| self.moved(*param, values)) {
            let dynamic = values.get(Param::MuStatic) * values.get(Param::MuDynamic);
            put(&mut draft, "friction.dynamic", dynamic);
        }
        if self.moved(Param::DriveStiffness, values) {
            let stiffness_n_m = values.get(Param::DriveStiffness);
            if stiffness_n_m < RIGID_N_M {
                put(&mut draft, "drive.stiffness_n_m", stiffness_n_m);
            } else {
                draft.unset("drive.stiffness_n_m");
                draft.unset("drive.damping_n_s_m");
            }
        }
        for n in 0..PICKUPS {
            self.write_pickup(n, values, &mut draft);
        }
        draft
    }

    fn moved(&self, param: Param, values: &Values) -> bool {
        values.get(param) != self.values().get(param)
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
        let new = !self.values().switch(of(Pick::On));
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
}
