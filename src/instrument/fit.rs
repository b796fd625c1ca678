//! Knobs may be turned to bodies that cannot be: a slider longer than its resonator, hills wider than the
//! body they lie on. Here such a scene is brought to the nearest one that can, key by key; a scene that
//! can be is not touched.

use crate::scene::{Draft, Value};
use std::f64::consts::PI;

/// Hair's breadth that keeps rounding from crossing a limit.
const INSIDE: f64 = 1.0 - 1e-9;
/// The shortest step that surfaces can have, µm.
const SHORTEST_STEP_UM: f64 = 0.05;
/// Most nodes along a slider: more are looked at in every step than there is time for. Long sliders see their
/// surface less finely.
const MOST_SLIDER_NODES: f64 = 10_000.0;
/// Most nodes along a resonator, so that surfaces are made within a second; and most of them times modes,
/// below what a scene allows.
const MOST_NODES: f64 = 2e6;
const MOST_NODES_TIMES_MODES: f64 = 2e8;

pub fn fit(draft: &mut Draft) {
    bodies(draft);
    step(draft);
    for surface in ["surface", "surface.top"] {
        waves(draft, surface);
    }
    stroke(draft);
    friction(draft);
}

/// The slider lies on the resonator, and both are thinner than half their length if they bend.
fn bodies(draft: &mut Draft) {
    let length_m = number(draft, "resonator.length_m");
    at_most(draft, "slider.length_m", length_m);
    let slider_m = number(draft, "slider.length_m");
    at_most(draft, "resonator.thickness_m", 0.5 * length_m);
    if draft.value("slider.modes").is_some_and(|modes| modes != Value::Integer(2)) {
        at_most(draft, "slider.thickness_m", 0.5 * slider_m);
    }
    if draft.value("resonator.ends") == Some(Value::Word("free".to_owned()))
        && draft.value("resonator.modes") == Some(Value::Integer(1))
    {
        // A free body has two rigid modes before it bends.
        let _ = draft.set("resonator.modes", "2");
    }
    at_most(draft, "motion.start_m", (length_m - slider_m).max(0.0));
    for n in draft.pickup_numbers() {
        let key = format!("pickup.{n}.position_m");
        if draft.is_set(&key) {
            at_most(draft, &key, length_m);
        }
    }
}

/// Fine enough for the shortest wave there is, and for a short slider.
fn step(draft: &mut Draft) {
    if measured(draft, "surface") || measured(draft, "surface.top") {
        return;
    }
    let mut longest = number(draft, "slider.length_m") * 1e6 / 16.0;
    for surface in ["surface", "surface.top"] {
        let of = |field: &str| number(draft, &format!("{surface}.{field}"));
        longest = longest.min(if regular(draft, surface) {
            of("wavelength_um") / 8.0
        } else {
            of("corr_length_um") / 2.0
        });
        let cutoff = of("cutoff_um");
        if cutoff >= 2.0 * SHORTEST_STEP_UM {
            longest = longest.min(cutoff / 2.0);
        }
    }
    let step_um = number(draft, "surface.step_um").min(longest * INSIDE).max(shortest_step_um(draft));
    if step_um != number(draft, "surface.step_um") {
        put(draft, "surface.step_um", step_um);
        draft.unset("surface.top.step_um");
    }
}

/// The finest grid that is not too much work.
fn shortest_step_um(draft: &Draft) -> f64 {
    let modes = match draft.value("resonator.modes") {
        Some(Value::Integer(modes)) => modes as f64,
        _ => 1.0,
    };
    let slider_um = number(draft, "slider.length_m") * 1e6;
    let length_um = number(draft, "resonator.length_m") * 1e6 + slider_um;
    SHORTEST_STEP_UM
        .max(slider_um / MOST_SLIDER_NODES)
        .max(length_um / MOST_NODES)
        .max(length_um * (modes + 2.0) / MOST_NODES_TIMES_MODES)
}

/// Hills and teeth fit on their body, the cut-off between step and hill.
fn waves(draft: &mut Draft, surface: &str) {
    if measured(draft, surface) {
        return;
    }
    let key = |field: &str| format!("{surface}.{field}");
    let body = if surface == "surface" { "resonator.length_m" } else { "slider.length_m" };
    let length_um = number(draft, body) * 1e6;
    let step_um = number(draft, "surface.step_um");
    // A loop holds ten of its hills, an open profile four.
    let share = if surface == "surface" { 10.0 } else { 4.0 };
    if regular(draft, surface) {
        between(draft, &key("wavelength_um"), 8.0 * step_um, length_um);
    } else {
        between(draft, &key("corr_length_um"), 2.0 * step_um, length_um / share);
    }
    let widest = if regular(draft, surface) {
        number(draft, &key("wavelength_um"))
    } else {
        2.0 * number(draft, &key("corr_length_um"))
    };
    at_most(draft, &key("cutoff_um"), widest * INSIDE);
    if number(draft, &key("cutoff_um")) < 2.0 * step_um {
        put(draft, &key("cutoff_um"), 0.0);
    }
}

/// Friction needs a law of the gap, and a slider on a spring room without end.
fn friction(draft: &mut Draft) {
    let is = |draft: &Draft, key: &str, word: &str| draft.value(key) == Some(Value::Word(word.to_owned()));
    if is(draft, "contact.law", "signorini") {
        put(draft, "friction.static", 0.0);
    }
    let static_coefficient = number(draft, "friction.static");
    at_most(draft, "friction.dynamic", static_coefficient);
    if is(draft, "motion.kind", "pass") || is(draft, "contact.law", "signorini") {
        draft.unset("drive.stiffness_n_m");
        draft.unset("drive.damping_n_s_m");
    }
}

/// A stroke to and fro stays on the resonator: first it begins further left, then it gets shorter.
fn stroke(draft: &mut Draft) {
    if draft.value("motion.kind") != Some(Value::Word("reciprocate".to_owned())) {
        return;
    }
    let room_m = (number(draft, "resonator.length_m") - number(draft, "slider.length_m")).max(0.0);
    let rate_hz = number(draft, "motion.rate_hz");
    let stroke_m = match draft.value("motion.stroke_m") {
        Some(Value::Number(stroke_m)) => stroke_m,
        _ => number(draft, "motion.speed_m_s").abs() / (PI * rate_hz),
    };
    if stroke_m > room_m * INSIDE {
        draft.unset("motion.stroke_m");
        put(draft, "motion.speed_m_s", room_m * INSIDE * PI * rate_hz);
    }
    at_most(draft, "motion.start_m", (room_m - stroke_m).max(0.0) * INSIDE);
}

fn measured(draft: &Draft, surface: &str) -> bool {
    draft.is_set(&format!("{surface}.file"))
}

fn regular(draft: &Draft, surface: &str) -> bool {
    let words = ["periodic", "teeth"].map(|word| Some(Value::Word(word.to_owned())));
    words.contains(&draft.value(&format!("{surface}.acf")))
}

fn number(draft: &Draft, key: &str) -> f64 {
    match draft.value(key) {
        Some(Value::Number(number)) => number,
        _ => 0.0,
    }
}

fn between(draft: &mut Draft, key: &str, low: f64, high: f64) {
    if number(draft, key) < low {
        put(draft, key, low / INSIDE);
    }
    at_most(draft, key, high * INSIDE);
}

fn at_most(draft: &mut Draft, key: &str, limit: f64) {
    if number(draft, key) > limit {
        put(draft, key, limit);
    }
}

/// Limits lie within the range of their keys, so nothing is refused; what is, stays as it was.
fn put(draft: &mut Draft, key: &str, value: f64) {
    let _ = draft.set(key, &format!("{value:?}"));
}

#[cfg(test)]
mod tests {
    use crate::instrument::Patch;
    use crate::instrument::parameters::{Acts, Param};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn every_setting_of_the_knobs_is_a_scene(shares in proptest::collection::vec(0.0f64..=1.0, 90)) {
            let patch = Patch::preset("steel-on-steel").unwrap();
            let mut values = *patch.values();
            for (param, share) in Param::all().zip(shares) {
                if param.entry().acts != Acts::Notes {
                    values.set(param, param.entry().denormalise(share));
                }
            }
            if let Err(error) = patch.scene(&values) {
                prop_assert!(false, "{error}");
            }
        }
    }

    #[test]
    fn what_can_be_is_not_touched() {
        for preset in crate::scene::presets() {
            let patch = Patch::preset(preset.name).unwrap();
            let mut draft = patch.draft().clone();
            super::fit(&mut draft);
            assert_eq!(draft.build().unwrap(), patch.draft().build().unwrap(), "{}", preset.name);
        }
    }
}
