//! From a key to the size of a body.
//!
//! The first bending mode goes as f1 ∝ √(E/ρ)·H/L². To move it by a ratio r the length becomes L/√r or the
//! thickness H·r. Where the beam gets shorter than five sliders the slider shrinks with it, and pick-ups
//! keep their share of the length, so that the proportions of the contact stay.

use crate::beam::Ends;
use crate::scene::Body;

/// A resonator is at least this many sliders long.
const SLIDERS: f64 = 5.0;
/// Sizes that a body can have: those of the scene's keys.
const LENGTH_M: (f64, f64) = (1e-3, 50.0);
const THICKNESS_M: (f64, f64) = (1e-6, 1.0);

/// A body's sizes for one note.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    pub length_m: f64,
    pub thickness_m: f64,
    pub slider_m: f64,
}

/// Frequency of the first bending mode.
pub fn first_mode_hz(body: &Body) -> f64 {
    let rigid = if body.beam.ends == Ends::Free { 2 } else { 0 };
    let one_more = Body { modes: rigid + 1, ..*body };
    one_more.natural_hz().last().copied().unwrap_or(0.0)
}

/// Pitch of a key, with A4 (69) at `a4_hz`.
pub fn key_hz(key: f64, a4_hz: f64) -> f64 {
    a4_hz * 2f64.powf((key - 69.0) / 12.0)
}

/// Ratio by which the first mode moves: the share `tracking` of the way, in pitch, from the body's own to
/// the key's.
pub fn ratio(own_hz: f64, key_hz: f64, tracking: f64) -> f64 {
    let ratio = (key_hz / own_hz).powf(tracking);
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}

impl Size {
    /// The size whose first mode is `ratio` times higher.
    pub fn tuned(self, ratio: f64, by_thickness: bool) -> Self {
        if ratio == 1.0 {
            return self;
        }
        let mut size = self;
        if by_thickness {
            size.thickness_m = (self.thickness_m * ratio).clamp(THICKNESS_M.0, THICKNESS_M.1);
        } else {
            size.length_m = (self.length_m / ratio.sqrt()).clamp(LENGTH_M.0, LENGTH_M.1);
        }
        // A slider that was already longer keeps its own proportion.
        let sliders = SLIDERS.min(self.length_m / self.slider_m);
        size.slider_m = self.slider_m.min(size.length_m / sliders);
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::find_preset;

    #[test]
    fn val_keys_have_the_pitches_of_equal_temperament() {
        assert!((key_hz(60.0, 440.0) - 261.625_565).abs() < 1e-6);
        assert!((key_hz(69.0, 442.0) - 442.0).abs() < 1e-12);
        // Half way between the body's pitch and the key's, in cents.
        assert!((ratio(100.0, 400.0, 0.5) - 2.0).abs() < 1e-12);
        assert_eq!(ratio(100.0, 400.0, 0.0), 1.0);
        assert_eq!(ratio(0.0, 400.0, 1.0), 1.0);
    }

    #[test]
    fn tuned_bodies_have_the_asked_first_mode() {
        for ends in ["pinned", "free"] {
            let mut draft = find_preset("dang2013").unwrap();
            draft.set("resonator.ends", ends).unwrap();
            let scene = draft.build().unwrap();
            let own = first_mode_hz(&scene.resonator);
            let size = Size {
                length_m: scene.resonator.beam.length_m,
                thickness_m: scene.resonator.beam.thickness_m,
                slider_m: scene.slider.beam.length_m,
            };
            for (hz, by_thickness) in [(55.0, false), (55.0, true), (880.0, false), (880.0, true)] {
                let tuned = size.tuned(ratio(own, hz, 1.0), by_thickness);
                let mut body = scene.resonator;
                body.beam.length_m = tuned.length_m;
                body.beam.thickness_m = tuned.thickness_m;
                assert!((1200.0 * (first_mode_hz(&body) / hz).log2()).abs() < 1e-6, "{ends} {hz}");
                assert!(tuned.slider_m <= tuned.length_m / SLIDERS + 1e-12);
                assert!(tuned.slider_m == size.slider_m || tuned.length_m < SLIDERS * size.slider_m);
            }
        }
    }
}
