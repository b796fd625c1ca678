//! A microphone above a beam: the Rayleigh integral of a baffled strip, at height z above x_p,
//!
//!   p(t) = (ρ₀b/2π) ∫ ü(x, t - (R - z)/c)/R dx,  R² = z² + (x - x_p)²,
//!
//! without the common delay z/c. The strip is b = 20 mm wide (narrow next to R), in air of 20 °C. Every mode is delayed
//! at its own frequency, ü(t - τ) ≈ ü·cos ωτ + ω·u̇·sin ωτ: exact for a mode that rings, good for a driven one near its
//! resonance, which is where it radiates. Both engines hear by this formula.

use std::f64::consts::{PI, TAU};

use crate::beam::ModalBasis;
use crate::math::vector::dot;

/// Air at 20 °C.
pub const AIR_DENSITY_KG_M3: f64 = 1.204;
pub const SOUND_SPEED_M_S: f64 = 343.2;
/// Width of the radiating strip.
pub const STRIP_WIDTH_M: f64 = 0.02;
/// Points of Simpson's rule per wave of beam and air together, and per distance of a near microphone.
const POINTS_PER_WAVE: f64 = 24.0;

#[derive(Debug, Clone)]
pub struct Microphone {
    /// Pascals per modal acceleration, and per modal velocity.
    on_acceleration: Vec<f64>,
    on_velocity: Vec<f64>,
}

impl Microphone {
    /// Above a beam whose modes have these angular frequencies.
    pub fn new(basis: &ModalBasis, omegas: &[f64], position_m: f64, distance_m: f64) -> Self {
        let length_m = basis.beam.length_m;
        let highest = omegas.iter().fold(0.0f64, |most, omega| most.max(*omega));
        let waves = 0.5 * (basis.len() + 2) as f64 + highest * length_m / (TAU * SOUND_SPEED_M_S);
        let panels = 2 * (0.5 * POINTS_PER_WAVE * waves.max(length_m / distance_m)).ceil() as usize;
        let width = length_m / panels as f64;
        let scale = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI) * width / 3.0;
        let mut shapes = vec![0.0; basis.len()];
        let (mut on_acceleration, mut on_velocity) = (shapes.clone(), shapes.clone());
        for i in 0..=panels {
            let x = i as f64 * width;
            basis.shapes_at(x, &mut shapes);
            let distance = distance_m.hypot(x - position_m);
            let simpson = if i == 0 || i == panels { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
            let lag_s = (distance - distance_m) / SOUND_SPEED_M_S;
            for (k, omega) in omegas.iter().enumerate() {
                let strength = scale * simpson / distance * shapes[k];
                on_acceleration[k] += strength * (omega * lag_s).cos();
                on_velocity[k] += strength * omega * (omega * lag_s).sin();
            }
        }
        Self { on_acceleration, on_velocity }
    }

    /// Sound pressure from the beam's modal velocities and accelerations.
    pub fn read(&self, velocity: &[f64], acceleration: &[f64]) -> f64 {
        dot(&self.on_acceleration, acceleration) + dot(&self.on_velocity, velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam::{Beam, Ends};

    fn basis(modes: usize) -> ModalBasis {
        let (length_m, thickness_m) = (0.45, 0.002);
        let beam = Beam { length_m, thickness_m, young_pa: 210e9, density_kg_m3: 7800.0, ends: Ends::Pinned };
        ModalBasis::new(beam, modes)
    }

    #[test]
    fn val_far_above_the_first_mode_its_volume_counts() {
        // ∫ψ₁ = √(2/L)·2L/π, and every point is equally far.
        let basis = basis(2);
        let far = Microphone::new(&basis, basis.omegas(), 0.225, 50.0);
        let volume = (2.0f64 / 0.45).sqrt() * 2.0 * 0.45 / PI;
        let expected = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI * 50.0) * volume;
        assert!((far.read(&[0.0; 2], &[1.0, 0.0]) / expected - 1.0).abs() < 1e-4);
        // The second mode's halves cancel above its middle.
        assert!(far.read(&[0.0; 2], &[0.0, 1.0]).abs() < 1e-6 * expected);
    }

    #[test]
    fn val_a_ringing_mode_is_heard_with_its_true_delays() {
        // u = cos ωt: p = -(ρ₀b/2π)·ω² ∫ ψ cos(ω(t - τ))/R dx, summed here point by point.
        let basis = basis(15);
        let (k, distance_m, t) = (14, 0.3f64, 1.234e-3);
        let omega = basis.omegas()[k];
        let points = 100_000;
        let sum: f64 = (0..points)
            .map(|i| {
                let x = (f64::from(i) + 0.5) * 0.45 / f64::from(points);
                let distance = distance_m.hypot(x - 0.1);
                let lag_s = (distance - distance_m) / SOUND_SPEED_M_S;
                -omega * omega * basis.shape(k, x) * (omega * (t - lag_s)).cos() / distance
            })
            .sum();
        let expected = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI) * sum * 0.45 / f64::from(points);
        let (mut velocity, mut acceleration) = ([0.0; 15], [0.0; 15]);
        velocity[k] = -omega * (omega * t).sin();
        acceleration[k] = -omega * omega * (omega * t).cos();
        let heard = Microphone::new(&basis, basis.omegas(), 0.1, distance_m).read(&velocity, &acceleration);
        assert!((heard / expected - 1.0).abs() < 1e-5, "{heard} {expected}");
    }
}
