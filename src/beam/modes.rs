//! Natural frequencies and orthonormal shapes, ∫ψ_kψ_l dx = δ_kl (Dang 2013, eqs. 11–17).
//!
//! Pinned: ψ_k = √(2/L)·sin((k+1)πx/L).
//! Free: translation, rotation (eqs. 12–13), then flexural modes. Eq. 16 prints `sin - sinh` in the
//! denominator; the free ends demand `sin + sinh`, and eq. 15 must still be divided by |β_k|. With
//! σ = -1/β the shape is -(1/√L)·[cos z + cosh z - σ(sin z + sinh z)], z = α_k x, αL the roots of
//! cos·cosh = 1. Written out, cosh and sinh cancel to nothing beyond some ten modes, so both are
//! regrouped into e^-z and e^(z-λ), which never exceed 1.

use super::{Beam, Ends};
use std::f64::consts::PI;

/// The first modes of a beam, ready to be evaluated anywhere.
#[derive(Debug, Clone)]
pub struct ModalBasis {
    pub beam: Beam,
    /// α_k, 1/m; 0 for rigid modes.
    wave_numbers: Vec<f64>,
    /// ω_k, rad/s.
    omegas: Vec<f64>,
}

/// Largest |ψ|, |ψ'| and |ψ''| of one mode over the beam.
#[derive(Debug, Clone, Copy)]
pub struct ShapeBounds {
    pub value: f64,
    pub slope: f64,
    pub curvature: f64,
}

impl ModalBasis {
    /// The first `count` modes, rigid ones included.
    pub fn new(beam: Beam, count: usize) -> Self {
        let wave_numbers: Vec<f64> = (0..count).map(|k| wave_number(&beam, k)).collect();
        let speed = (beam.bending_stiffness() / beam.mass_per_area()).sqrt();
        let omegas = wave_numbers.iter().map(|alpha| alpha * alpha * speed).collect();
        Self { beam, wave_numbers, omegas }
    }

    pub fn len(&self) -> usize {
        self.omegas.len()
    }

    pub fn is_empty(&self) -> bool {
        self.omegas.is_empty()
    }

    pub fn omegas(&self) -> &[f64] {
        &self.omegas
    }

    pub fn frequency_hz(&self, k: usize) -> f64 {
        self.omegas[k] / (2.0 * PI)
    }

    /// ψ_k(x).
    pub fn shape(&self, k: usize, x: f64) -> f64 {
        let length = self.beam.length_m;
        match (self.beam.ends, k) {
            (Ends::Pinned, _) => (2.0 / length).sqrt() * (self.wave_numbers[k] * x).sin(),
            (Ends::Free, 0) => 1.0 / length.sqrt(),
            (Ends::Free, 1) => (3.0 / length).sqrt() * (2.0 * x / length - 1.0),
            (Ends::Free, _) => free_terms(self.wave_numbers[k] * length, x / length).0 / length.sqrt(),
        }
    }

    /// ψ_k'(x), 1/m.
    pub fn slope(&self, k: usize, x: f64) -> f64 {
        let length = self.beam.length_m;
        let alpha = self.wave_numbers[k];
        match (self.beam.ends, k) {
            (Ends::Pinned, _) => (2.0 / length).sqrt() * alpha * (alpha * x).cos(),
            (Ends::Free, 0) => 0.0,
            (Ends::Free, 1) => (3.0 / length).sqrt() * 2.0 / length,
            (Ends::Free, _) => alpha * free_terms(alpha * length, x / length).1 / length.sqrt(),
        }
    }

    /// All ψ_k(x) into one contiguous row.
    pub fn shapes_at(&self, x: f64, row: &mut [f64]) {
        for (k, value) in row.iter_mut().enumerate() {
            *value = self.shape(k, x);
        }
    }

    /// ∫ψ_k dx from `from` to `to`: the modal part of an even load there. Composite Gauss–Legendre with
    /// eight panels a wavelength, so good to rounding for every mode.
    pub fn integral(&self, k: usize, from: f64, to: f64) -> f64 {
        let waves = self.wave_numbers[k] * (to - from) / (2.0 * PI);
        let panels = (8.0 * waves).ceil().max(1.0) as usize;
        let width = (to - from) / panels as f64;
        let node = (0.6f64).sqrt();
        let mut sum = 0.0;
        for panel in 0..panels {
            let middle = from + (panel as f64 + 0.5) * width;
            sum += 5.0 * self.shape(k, middle - 0.5 * width * node)
                + 8.0 * self.shape(k, middle)
                + 5.0 * self.shape(k, middle + 0.5 * width * node);
        }
        sum * width / 18.0
    }

    /// Bounds on mode `k` over the whole beam.
    pub fn bounds(&self, k: usize) -> ShapeBounds {
        let length = self.beam.length_m;
        let alpha = self.wave_numbers[k];
        let peak = match (self.beam.ends, k) {
            (Ends::Pinned, _) => (2.0 / length).sqrt(),
            (Ends::Free, 0) => 1.0 / length.sqrt(),
            (Ends::Free, 1) => {
                let value = (3.0 / length).sqrt();
                return ShapeBounds { value, slope: 2.0 * value / length, curvature: 0.0 };
            }
            // Value and curvature/α² reach 2/√L at the ends, slope/α 2σ/√L with σ ≤ 1.0008.
            (Ends::Free, _) => 2.002 / length.sqrt(),
        };
        ShapeBounds { value: peak, slope: peak * alpha, curvature: peak * alpha * alpha }
    }
}

fn wave_number(beam: &Beam, k: usize) -> f64 {
    match (beam.ends, k) {
        (Ends::Pinned, _) => (k + 1) as f64 * PI / beam.length_m,
        (Ends::Free, 0 | 1) => 0.0,
        (Ends::Free, _) => free_root(k - 1) / beam.length_m,
    }
}

/// The n-th positive root (n = 1, 2, …) of cos x · cosh x = 1: Newton on cos x - 1/cosh x, which is
/// well scaled, from the asymptote (2n+1)π/2.
fn free_root(n: usize) -> f64 {
    let mut x = (2 * n + 1) as f64 * PI / 2.0;
    for _ in 0..20 {
        let sech = 1.0 / x.cosh();
        let step = (x.cos() - sech) / (-x.sin() + sech * x.tanh());
        x -= step;
        if step.abs() < 1e-15 * x {
            break;
        }
    }
    x
}

/// √L·ψ of the flexural free–free mode with root `lambda`, at x/L = `place`, and √L·dψ/dz.
fn free_terms(lambda: f64, place: f64) -> (f64, f64) {
    let z = lambda * place;
    let decay = (-lambda).exp();
    let denominator = 1.0 - 2.0 * lambda.sin() * decay - decay * decay;
    // σ - 1 = e^-λ · excess, so that (1 - σ)·e^z = -excess·e^(z-λ).
    let excess = 2.0 * (decay + lambda.sin() - lambda.cos()) / denominator;
    let sigma = 1.0 + decay * excess;
    let growing = -0.5 * excess * (z - lambda).exp();
    let falling = 0.5 * (1.0 + sigma) * (-z).exp();
    let value = -(z.cos() - sigma * z.sin() + growing + falling);
    (value, z.sin() + sigma * z.cos() - growing + falling)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steel(ends: Ends, length_m: f64, thickness_m: f64) -> Beam {
        Beam { length_m, thickness_m, young_pa: 210e9, density_kg_m3: 7800.0, ends }
    }

    /// ∫ψ_kψ_l by Gauss–Legendre panels far shorter than any wavelength.
    fn overlap(basis: &ModalBasis, k: usize, l: usize, panels: usize) -> f64 {
        let width = basis.beam.length_m / panels as f64;
        let node = (0.6f64).sqrt();
        let product = |x: f64| basis.shape(k, x) * basis.shape(l, x);
        (0..panels)
            .map(|panel| {
                let middle = (panel as f64 + 0.5) * width;
                let half = 0.5 * width * node;
                (5.0 * (product(middle - half) + product(middle + half)) + 8.0 * product(middle)) * width
                    / 18.0
            })
            .sum()
    }

    #[test]
    fn val_two_hundred_modes_are_orthonormal() {
        for ends in [Ends::Pinned, Ends::Free] {
            let basis = ModalBasis::new(steel(ends, 0.45, 0.002), 200);
            for k in (0..200).step_by(7).chain([0, 1, 2, 3, 198, 199]) {
                for l in [0, 1, 2, 3, 50, 101, 150, 198, 199, k] {
                    let expected = if k == l { 1.0 } else { 0.0 };
                    let error = (overlap(&basis, k, l, 6000) - expected).abs();
                    assert!(error < 1e-9, "{} modes {k} and {l}: {error:e}", ends.name());
                }
            }
        }
    }

    #[test]
    fn val_free_roots_are_those_of_the_tables() {
        let published = [4.730_040_744_862_704, 7.853_204_624_095_838, 10.995_607_838_001_671];
        for (index, root) in published.into_iter().enumerate() {
            assert!((free_root(index + 1) - root).abs() < 1e-12);
        }
    }

    #[test]
    fn val_free_ends_carry_no_moment_and_no_shear() {
        let basis = ModalBasis::new(steel(Ends::Free, 1.0, 0.01), 12);
        for k in 2..12 {
            let alpha = basis.wave_numbers[k];
            let h = 1e-3 / alpha;
            for (place, inward) in [(0.0, 1.0), (1.0, -1.0)] {
                let at = |steps: f64| basis.shape(k, place + inward * steps * h);
                // One-sided second derivative, third order.
                let bend = (35.0 * at(0.0) - 104.0 * at(1.0) + 114.0 * at(2.0) - 56.0 * at(3.0)
                    + 11.0 * at(4.0))
                    / (12.0 * h * h);
                assert!(bend.abs() < 1e-3 * alpha * alpha, "mode {k} at {place}: {bend}");
            }
        }
    }

    #[test]
    fn slopes_are_derivatives_of_the_shapes() {
        for ends in [Ends::Pinned, Ends::Free] {
            let basis = ModalBasis::new(steel(ends, 0.3, 0.01), 15);
            let h = 1e-6;
            for k in 0..15 {
                for x in [0.0123, 0.15, 0.271] {
                    let numeric = (basis.shape(k, x + h) - basis.shape(k, x - h)) / (2.0 * h);
                    assert!((basis.slope(k, x) - numeric).abs() < 1e-6 * basis.bounds(k).slope.max(1.0));
                }
            }
        }
    }

    #[test]
    fn bounds_hold_everywhere() {
        for ends in [Ends::Pinned, Ends::Free] {
            let basis = ModalBasis::new(steel(ends, 0.02, 0.005), 30);
            for k in 0..30 {
                let bounds = basis.bounds(k);
                let h = 0.02 / 20_000.0;
                for i in 1..20_000 {
                    let x = i as f64 * h;
                    let (a, b, c) = (basis.shape(k, x - h), basis.shape(k, x), basis.shape(k, x + h));
                    assert!(b.abs() <= bounds.value * (1.0 + 1e-9));
                    assert!(((c - a) / (2.0 * h)).abs() <= bounds.slope * (1.0 + 1e-6));
                    assert!(((a - 2.0 * b + c) / (h * h)).abs() <= bounds.curvature * (1.0 + 1e-4) + 0.1);
                }
            }
        }
    }

    #[test]
    fn integral_matches_closed_form() {
        let basis = ModalBasis::new(steel(Ends::Pinned, 0.45, 0.002), 40);
        for k in [0, 5, 39] {
            let alpha = (k + 1) as f64 * PI / 0.45;
            let exact = (2.0f64 / 0.45).sqrt() * ((alpha * 0.05).cos() - (alpha * 0.07).cos()) / alpha;
            assert!((basis.integral(k, 0.05, 0.07) - exact).abs() < 1e-8);
        }
    }
}
