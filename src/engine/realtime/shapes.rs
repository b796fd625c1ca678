//! Shapes, frequencies and damping of a beam of any size from those of a beam of unit length: a body that changes
//! while it sounds keeps its table of shapes.

use crate::beam::{Beam, Ends, ModalBasis};
use crate::scene::{Body, DampingLaw};
use std::f64::consts::TAU;

/// Shapes and wave numbers of a beam of unit length: ψ(x) = unit(x/L)/√L for every length.
#[derive(Debug, Clone)]
pub struct UnitShapes {
    basis: ModalBasis,
    /// α of the unit beam.
    wave: Vec<f64>,
    /// ∫ψ over the whole unit beam, which a body that changes while it sounds asks for at every length.
    whole: Vec<f64>,
}

impl UnitShapes {
    pub fn new(ends: Ends, modes: usize) -> Self {
        // D = m = 1, so that ω = α².
        let beam = Beam { length_m: 1.0, thickness_m: 1.0, young_pa: 12.0, density_kg_m3: 1.0, ends };
        let basis = ModalBasis::new(beam, modes);
        let wave = basis.omegas().iter().map(|omega| omega.sqrt()).collect();
        let whole = (0..modes).map(|k| basis.integral(k, 0.0, 1.0)).collect();
        Self { basis, wave, whole }
    }

    pub fn len(&self) -> usize {
        self.wave.len()
    }

    /// ψ_k(x) of a beam of length `length_m`.
    pub fn shape(&self, k: usize, x: f64, length_m: f64) -> f64 {
        self.basis.shape(k, (x / length_m).clamp(0.0, 1.0)) / length_m.sqrt()
    }

    /// ψ_k'(x) of a beam of length `length_m`.
    pub fn slope(&self, k: usize, x: f64, length_m: f64) -> f64 {
        self.basis.slope(k, (x / length_m).clamp(0.0, 1.0)) / (length_m * length_m.sqrt())
    }

    /// α_k, 1/m.
    pub fn wave_number(&self, k: usize, length_m: f64) -> f64 {
        self.wave.get(k).copied().unwrap_or(0.0) / length_m
    }

    /// Mean of ψ_k between two places.
    pub fn mean(&self, k: usize, from: f64, to: f64, length_m: f64) -> f64 {
        let span = (to - from) / length_m;
        self.basis.integral(k, from / length_m, to / length_m) / (span * length_m.sqrt())
    }

    /// Mean of ψ_k over the whole beam.
    pub fn whole_mean(&self, k: usize, length_m: f64) -> f64 {
        self.whole.get(k).copied().unwrap_or(0.0) / length_m.sqrt()
    }

    /// ω_k of a body; rigid modes swing on the body's soft bed.
    pub fn omega(&self, k: usize, body: &Body) -> f64 {
        let beam = &body.beam;
        let speed = (beam.bending_stiffness() / beam.mass_per_area()).sqrt();
        let omega = self.wave_number(k, beam.length_m).powi(2) * speed;
        if omega > 0.0 { omega } else { TAU * body.support_hz }
    }

    /// ζ_k of a body.
    pub fn zeta(&self, k: usize, body: &Body) -> f64 {
        let first = if body.beam.ends == Ends::Free { 2 } else { 0 };
        let reference = self.omega(first.min(self.len().saturating_sub(1)), body);
        let omega = self.omega(k, body);
        match body.damping_law {
            DampingLaw::Viscous if omega > reference => body.damping_ratio * reference / omega,
            DampingLaw::Viscous | DampingLaw::Constant => body.damping_ratio,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_shapes_scale_to_any_length() {
        let body = Body {
            beam: Beam {
                length_m: 0.45,
                thickness_m: 0.002,
                young_pa: 210e9,
                density_kg_m3: 7800.0,
                ends: Ends::Free,
            },
            modes: 12,
            damping_ratio: 0.01,
            damping_law: DampingLaw::Viscous,
            support_hz: 10.0,
        };
        let unit = UnitShapes::new(Ends::Free, 12);
        let basis = body.basis();
        let omegas = body.omegas(&basis);
        let zetas = body.damping_ratios(&omegas);
        for k in 0..12 {
            assert!((unit.omega(k, &body) / omegas[k] - 1.0).abs() < 1e-12);
            assert!((unit.zeta(k, &body) - zetas[k]).abs() < 1e-15);
            assert!((unit.shape(k, 0.13, 0.45) - basis.shape(k, 0.13)).abs() < 1e-9);
            let mean = basis.integral(k, 0.1, 0.12) / 0.02;
            assert!((unit.mean(k, 0.1, 0.12, 0.45) - mean).abs() < 1e-6);
            assert_eq!(unit.whole_mean(k, 0.45), unit.mean(k, 0.0, 0.45, 0.45));
        }
    }
}
