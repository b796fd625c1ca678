//! Regular profiles for stridulation: sine and teeth.
//!
//! - Sine: z = sin(2πx/λ); Ra = 2A/π, Rq = A/√2, Rku = 1.5.
//! - Teeth: an asymmetric triangle with plain (sharp) corners that rises over 80 % of λ and falls over the
//!   remaining 20 %, like a file or a scraper; its heights are spread evenly between valley and tip, so
//!   Ra is a quarter of the tooth's height. A `cutoff_m` rounds the corners: the λs filter of ISO 16610-21.
//!
//! Both start on the mean line, rising. On a periodic profile a whole number of waves must fit: λ is
//! moved to the nearest length that does, by at most the share λ / 2L.

use super::{GaussianFilter, Profile, Roughness, Texture};
use std::f64::consts::TAU;

/// Share of a tooth that rises.
pub const RISE: f64 = 0.8;

/// Heights of a checked spec on `intervals` steps, of arbitrary scale.
pub fn heights(spec: &Roughness, intervals: usize) -> Vec<f64> {
    let wavelength_m = if spec.periodic {
        let length_m = intervals as f64 * spec.step_m;
        length_m / (length_m / spec.wavelength_m).round().max(1.0)
    } else {
        spec.wavelength_m
    };
    let count = if spec.periodic { intervals } else { intervals + 1 };
    let shape = |l: f64| {
        let turn = l * spec.step_m / wavelength_m;
        if spec.texture == Texture::Teeth { tooth(turn) } else { (TAU * turn).sin() }
    };
    // A filtered sine is a smaller sine, and Ra is set afterwards: only teeth need the filter.
    if spec.texture == Texture::Sine || spec.cutoff_m == 0.0 {
        return (0..count).map(|l| shape(l as f64)).collect();
    }
    let filter = GaussianFilter { cutoff_m: spec.cutoff_m };
    // An open row of teeth goes on beyond its ends while it is filtered, so that the last tooth is like
    // the others.
    let margin = if spec.periodic { 0 } else { (1.5 * spec.cutoff_m / spec.step_m).ceil() as usize };
    let heights_m = (0..count + 2 * margin).map(|l| shape(l as f64 - margin as f64)).collect();
    let longer = Profile { step_m: spec.step_m, heights_m, periodic: spec.periodic };
    filter.smooth(&longer)[margin..margin + count].to_vec()
}

/// Height in -1…1 at `turn` wavelengths: up from the mean line at 0, tip at 0.4, valley at 0.6.
fn tooth(turn: f64) -> f64 {
    let phase = (turn + RISE / 2.0).rem_euclid(1.0);
    if phase < RISE { 2.0 * phase / RISE - 1.0 } else { 1.0 - 2.0 * (phase - RISE) / (1.0 - RISE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tooth_shape() {
        for (turn, height) in [(0.0, 0.0), (0.4, 1.0), (0.5, 0.0), (0.6, -1.0), (0.8, -0.5), (-0.4, -1.0)] {
            assert!((tooth(turn) - height).abs() < 1e-12, "{turn}: {}", tooth(turn));
        }
    }
}
