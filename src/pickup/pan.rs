//! Where a pick-up stands between two loudspeakers, at constant power:
//!
//!   left = cos θ,  right = sin θ,  θ = (pan + 1)·π/4,
//!
//! so that left² + right² is 1 wherever it is panned; the middle is 3 dB down on both sides.

use std::f64::consts::FRAC_PI_4;

/// What the law is called in files and manifests.
pub const PAN_LAW: &str = "stereo, constant power: left cos, right sin of (pan + 1)·45°";

/// Factors of left and right; -1 is left, +1 right.
pub fn sides(pan: f64) -> [f64; 2] {
    let angle = (pan + 1.0) * FRAC_PI_4;
    [angle.cos(), angle.sin()]
}
