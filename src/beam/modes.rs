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

    /// ∫ψ_k dx from `from` to `to`: the modal part of an even load there, in closed form. Differences of cosines
    /// are written as products, so that a short stretch keeps its digits.
    pub fn integral(&self, k: usize, from: f64, to: f64) -> f64 {
        let length = self.beam.length_m;
        let alpha = self.wave_numbers[k];
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        match (self.beam.ends, k) {
            (Ends::Free, 0 | 1) => self.shape(k, middle) * (to - from),
            (Ends::Pinned, _) => self.shape(k, middle) * 2.0 * (alpha * half).sin() / alpha,
            (Ends::Free, _) => {
                free_integral(alpha * length, middle / length, half / length) / (alpha * length.sqrt())
            }
        }
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

/// The four terms of √L·ψ of the flexural free–free mode with root `lambda`, at z = λx/L:
/// -(cos z - σ·sin z + growing + falling).
struct FreeTerms {
    sigma: f64,
    growing: f64,
    falling: f64,
}

fn free_terms_at(lambda: f64, z: f64) -> FreeTerms {
    let decay = (-lambda).exp();
    let denominator = 1.0 - 2.0 * lambda.sin() * decay - decay * decay;
    // σ - 1 = e^-λ · excess, so that (1 - σ)·e^z = -excess·e^(z-λ).
    let excess = 2.0 * (decay + lambda.sin() - lambda.cos()) / denominator;
    let sigma = 1.0 + decay * excess;
    let growing = -0.5 * excess * (z - lambda).exp();
    let falling = 0.5 * (1.0 + sigma) * (-z).exp();
    FreeTerms { sigma, growing, falling }
}

/// √L·ψ at x/L = `place`, and √L·dψ/dz.
fn free_terms(lambda: f64, place: f64) -> (f64, f64) {
    let z = lambda * place;
    let FreeTerms { sigma, growing, falling } = free_terms_at(lambda, z);
    let value = -(z.cos() - sigma * z.sin() + growing + falling);
    (value, z.sin() + sigma * z.cos() - growing + falling)
}

/// √L·∫ψ dz over `middle` ± `half` of the beam's length: the waves become 2·sin h, the exponentials 2·sinh h
/// times their values in the middle. Over a long stretch sinh overflows; differences lose no digits there.
fn free_integral(lambda: f64, middle: f64, half: f64) -> f64 {
    let (z, h) = (lambda * middle, lambda * half);
    let FreeTerms { sigma, growing, falling } = free_terms_at(lambda, z);
    let waves = 2.0 * h.sin() * (z.cos() - sigma * z.sin());
    let edges = if h < 1.0 {
        2.0 * h.sinh() * (growing + falling)
    } else {
        let (from, to) = (free_terms_at(lambda, z - h), free_terms_at(lambda, z + h));
        to.growing - from.growing + from.falling - to.falling
    };
    -(waves + edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steel(ends: Ends, length_m: f64, thickness_m: f64) -> Beam {
        Beam { length_m, thickness_m, young_pa: 210e9, density_kg_m3: 7800.0, ends }
    }

    /// ∫f dx by Gauss–Legendre panels far shorter than any wavelength.
    fn by_panels(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
        let panels = 6000;
        let width = (to - from) / panels as f64;
        let node = 0.5 * width * (0.6f64).sqrt();
        let middles = (0..panels).map(|panel| from + (panel as f64 + 0.5) * width);
        middles.map(|x| (5.0 * (f(x - node) + f(x + node)) + 8.0 * f(x)) * width / 18.0).sum()
    }

    #[test]
    fn val_two_hundred_modes_are_orthonormal() {
        for ends in [Ends::Pinned, Ends::Free] {
            let basis = ModalBasis::new(steel(ends, 0.45, 0.002), 200);
            for k in (0..200).step_by(7).chain([0, 1, 2, 3, 198, 199]) {
                for l in [0, 1, 2, 3, 50, 101, 150, 198, 199, k] {
                    let expected = if k == l { 1.0 } else { 0.0 };
                    let overlap = by_panels(0.0, 0.45, |x| basis.shape(k, x) * basis.shape(l, x));
                    let error = (overlap - expected).abs();
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
    fn integrals_are_those_of_the_shapes() {
        for ends in [Ends::Pinned, Ends::Free] {
            let basis = ModalBasis::new(steel(ends, 0.45, 0.002), 160);
            for k in [0, 1, 2, 3, 5, 39, 40, 159] {
                for (from, to) in [(0.0, 0.45), (0.05, 0.07), (0.0, 0.02), (0.43, 0.45), (0.2, 0.2001)] {
                    let error = basis.integral(k, from, to) - by_panels(from, to, |x| basis.shape(k, x));
                    assert!(
                        error.abs() < 1e-11 * (to - from).sqrt(),
                        "{} {k} {from}: {error:e}",
                        ends.name()
                    );
                }
            }
        }
    }
}
