//! What is heard: velocity, acceleration, displacement or radiated pressure at a point.
//!
//! Velocity at x is Σ ψ_k(x)·v_k. Acceleration is its derivative, taken by the decimation kernel;
//! displacement is Σ ψ_k(x)·q_k about the rest position, freed of what is left of DC by a high-pass of
//! second order at 8 Hz.
//!
//! Pressure is the Rayleigh integral of the beam in an infinite baffle, at height z above x_p:
//! p(t) = (ρ₀b/2π) ∫ ü(x, t - R/c)/R dx, R² = z² + (x - x_p)², for a strip b = 20 mm wide (narrow next to
//! R), in air of 20 °C. The common delay z/c is left out. Every mode is delayed at its own frequency:
//! v(t - τ) ≈ v·cos ωτ + ωq·sin ωτ, exact for a mode that rings and good for a driven one near its
//! resonance, which is where it radiates.

use super::decimate::Kernel;
use super::lanes::{Row, put};
use super::modes::{ModeTable, UnitShapes};
use super::pass::Taps;
use crate::record::Quantity;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Air at 20 °C.
pub const AIR_DENSITY_KG_M3: f64 = 1.204;
pub const SOUND_SPEED_M_S: f64 = 343.2;
/// Width of the radiating strip.
pub const STRIP_WIDTH_M: f64 = 0.02;
/// Corner of the displacement's high-pass.
const HIGH_PASS_HZ: f64 = 8.0;
/// Points of the Rayleigh integral per wave of the highest mode.
const POINTS_PER_WAVE: f64 = 6.0;

/// A microphone or a probe on the resonator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub position_m: f64,
    pub quantity: Quantity,
    pub distance_m: f64,
}

/// Which kernel a quantity is decimated with.
pub fn kernel(quantity: Quantity) -> Kernel {
    match quantity {
        Quantity::Velocity | Quantity::Displacement => Kernel::Plain,
        Quantity::Acceleration | Quantity::Pressure => Kernel::Derivative,
    }
}

/// Taps of the right size for a quantity, all zero.
pub fn blank(quantity: Quantity, rows: usize) -> Taps {
    let list = |wanted: bool| if wanted { vec![Row::ZERO; rows] } else { Vec::new() };
    Taps {
        on_w: list(quantity != Quantity::Displacement),
        on_q: list(matches!(quantity, Quantity::Displacement | Quantity::Pressure)),
    }
}

/// Writes the taps of one pick-up. Nothing is allocated.
pub fn fill(taps: &mut Taps, place: &Place, table: &ModeTable, shapes: &UnitShapes, length_m: f64) {
    for (k, mode) in table.modes.iter().enumerate().take(table.resonator) {
        let speed = mode.velocity_gain() / table.step_s;
        match place.quantity {
            Quantity::Velocity | Quantity::Acceleration => {
                let shape = shapes.shape(k, place.position_m, length_m);
                put(&mut taps.on_w, k, (shape * speed) as f32);
            }
            Quantity::Displacement => {
                put(&mut taps.on_q, k, shapes.shape(k, place.position_m, length_m) as f32);
            }
            Quantity::Pressure => {
                let (in_phase, late) = radiation(place, k, mode.omega, shapes, length_m);
                put(&mut taps.on_w, k, (in_phase * speed) as f32);
                put(&mut taps.on_q, k, (late * mode.omega) as f32);
            }
        }
    }
}

/// (ρ₀b/2π)∫ψ cos(ωτ)/R dx and the same with sin; τ = (R - z)/c.
fn radiation(place: &Place, k: usize, omega: f64, shapes: &UnitShapes, length_m: f64) -> (f64, f64) {
    let waves = shapes.wave_number(k, length_m) * length_m / (2.0 * PI)
        + omega * length_m / (2.0 * PI * SOUND_SPEED_M_S);
    // A near microphone makes 1/R as sharp as its distance.
    let points = (POINTS_PER_WAVE * waves + 8.0 + 4.0 * length_m / place.distance_m).min(400.0) as usize;
    let width = length_m / points as f64;
    let (mut in_phase, mut late) = (0.0, 0.0);
    for i in 0..points {
        for node in [-0.577_350_269, 0.577_350_269] {
            let x = (i as f64 + 0.5 + 0.5 * node) * width;
            let distance = place.distance_m.hypot(x - place.position_m);
            let strength = shapes.shape(k, x, length_m) / distance;
            let (sin, cos) = (omega * (distance - place.distance_m) / SOUND_SPEED_M_S).sin_cos();
            in_phase += strength * cos;
            late += strength * sin;
        }
    }
    let scale = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI) * 0.5 * width;
    (scale * in_phase, scale * late)
}

/// Second-order Butterworth high-pass at the host's rate, for displacement.
#[derive(Debug, Clone)]
pub struct HighPass {
    b: f64,
    a1: f64,
    a2: f64,
    x: [f64; 2],
    y: [f64; 2],
}

impl HighPass {
    pub fn new(rate_hz: f64) -> Self {
        let k = (PI * HIGH_PASS_HZ / rate_hz).tan();
        let norm = 1.0 / (1.0 + k / FRAC_1_SQRT_2 + k * k);
        Self {
            b: norm,
            a1: 2.0 * (k * k - 1.0) * norm,
            a2: (1.0 - k / FRAC_1_SQRT_2 + k * k) * norm,
            x: [0.0; 2],
            y: [0.0; 2],
        }
    }

    pub fn is_silent(&self) -> bool {
        self.y.iter().chain(&self.x).all(|value| value.abs() < 1e-30)
    }

    pub fn reset(&mut self) {
        self.x = [0.0; 2];
        self.y = [0.0; 2];
    }

    pub fn run(&mut self, input: f32) -> f32 {
        let x = f64::from(input);
        let y = self.b * (x - 2.0 * self.x[0] + self.x[1]) - self.a1 * self.y[0] - self.a2 * self.y[1];
        // Decays to nothing would end in subnormal numbers, which are slow.
        let y = if y.abs() < 1e-30 { 0.0 } else { y };
        self.x = [x, self.x[0]];
        self.y = [y, self.y[0]];
        y as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn val_pressure_of_a_piston_like_mode_is_the_closed_form() {
        // Far away and at low frequency every point of the first mode is equally far: ∫ψ = √(2/L)·2L/π.
        let shapes = UnitShapes::new(crate::beam::Ends::Pinned, 3);
        let place = Place { position_m: 0.225, quantity: Quantity::Pressure, distance_m: 50.0 };
        let (in_phase, late) = radiation(&place, 0, 2.0 * PI * 23.2, &shapes, 0.45);
        let volume = (2.0f64 / 0.45).sqrt() * 2.0 * 0.45 / PI;
        let expected = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI * 50.0) * volume;
        assert!((in_phase / expected - 1.0).abs() < 1e-3, "{in_phase} {expected}");
        assert!(late.abs() < 1e-3 * in_phase);
        // The second mode's two halves cancel above its middle.
        assert!(radiation(&place, 1, 2.0 * PI * 92.0, &shapes, 0.45).0.abs() < 1e-3 * expected);
    }

    #[test]
    fn val_ringing_mode_radiates_what_the_delayed_integral_says() {
        let shapes = UnitShapes::new(crate::beam::Ends::Pinned, 20);
        let place = Place { position_m: 0.1, quantity: Quantity::Pressure, distance_m: 0.3 };
        let (k, omega) = (14, 2.0 * PI * 5200.0);
        let (in_phase, late) = radiation(&place, k, omega, &shapes, 0.45);
        let t = 1.234e-3;
        // v = cos ωt, q = sin ωt / ω: what the taps read, against the retarded potential.
        let read = in_phase * (omega * t).cos() + late * (omega * t).sin();
        let points = 20_000;
        let mut exact = 0.0;
        for i in 0..points {
            let x = (f64::from(i) + 0.5) * 0.45 / f64::from(points);
            let distance = 0.3f64.hypot(x - 0.1);
            let retarded = t - (distance - 0.3) / SOUND_SPEED_M_S;
            exact += shapes.shape(k, x, 0.45) * (omega * retarded).cos() / distance;
        }
        exact *= AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI) * 0.45 / f64::from(points);
        assert!((read - exact).abs() < 1e-3 * exact.abs().max(in_phase.hypot(late)), "{read} {exact}");
    }

    #[test]
    fn the_high_pass_takes_out_a_constant() {
        let mut filter = HighPass::new(48_000.0);
        let mut last = 1.0;
        for _ in 0..48_000 {
            last = filter.run(1.0);
        }
        assert!(last.abs() < 1e-6);
    }
}
