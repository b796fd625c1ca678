//! The Gaussian profile filter of ISO 16610-21.
//!
//! Weighting function s(x) = exp(-π (x / αλ)²) / (αλ), α = √(ln 2 / π) ≈ 0.4697: a Gaussian of standard
//! deviation αλ/√(2π) = 0.187 λ. Its transfer exp(-π (αλ/λ')²) passes a wave of length λ' = λ at 50 %.
//! The smoothed profile is what passes: take it as λs filter as it is, as λc filter by subtracting it.
//!
//! Ends: a periodic profile wraps. On an open one the weights that fall beyond an end are left out and the
//! rest renormalised (ISO 16610-28, zero-order moment retention): no end is cut away, a constant stays a
//! constant.

use super::Profile;
use crate::math::fourier::{fast_len, forward, inverse};
use std::f64::consts::{LN_2, PI};

#[derive(Debug, Clone, Copy)]
pub struct GaussianFilter {
    /// Wavelength passed at 50 %.
    pub cutoff_m: f64,
}

impl GaussianFilter {
    /// Share of a wave of `cycles_per_m` that passes: 2^-(λ·ν)², the transfer above with α inserted.
    pub fn transfer(&self, cycles_per_m: f64) -> f64 {
        (-LN_2 * (self.cutoff_m * cycles_per_m).powi(2)).exp()
    }

    /// Standard deviation of the weighting function.
    pub fn sigma_m(&self) -> f64 {
        self.cutoff_m * (LN_2 / 2.0).sqrt() / PI
    }

    /// Heights of the long-wave part of `profile`, node by node.
    pub fn smooth(&self, profile: &Profile) -> Vec<f64> {
        let heights = &profile.heights_m;
        let count = heights.len();
        if count == 0 {
            return Vec::new();
        }
        if profile.periodic {
            return self.pass(heights.clone(), profile.step_m);
        }
        // Beyond 1.5 λ the weight is below 1e-13 of its peak: with that much room filled with zeros the
        // circular convolution is the plain one. Longer filters see the whole profile anyway.
        let reach = (1.5 * self.cutoff_m / profile.step_m).ceil().min(2.0 * count as f64) as usize;
        let padded_len = fast_len(count + reach);
        let pad = |mut values: Vec<f64>| {
            values.resize(padded_len, 0.0);
            self.pass(values, profile.step_m)
        };
        let weighted = pad(heights.clone());
        let weights = pad(vec![1.0; count]);
        weighted.iter().zip(&weights).take(count).map(|(sum, weight)| sum / weight).collect()
    }

    fn pass(&self, samples: Vec<f64>, step_m: f64) -> Vec<f64> {
        let len = samples.len();
        let bin = 1.0 / (len as f64 * step_m);
        let mut spectrum = forward(samples);
        for (k, value) in spectrum.iter_mut().enumerate() {
            *value *= self.transfer(k as f64 * bin);
        }
        inverse(spectrum, len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(wavelength: f64, count: usize, periodic: bool) -> Profile {
        let heights_m = (0..count).map(|l| (2.0 * PI * l as f64 / wavelength).sin()).collect();
        Profile { step_m: 1.0, heights_m, periodic }
    }

    #[test]
    fn filter_passes_half_at_its_cutoff() {
        let filter = GaussianFilter { cutoff_m: 40.0 };
        let profile = wave(40.0, 400, true);
        for (smooth, height) in filter.smooth(&profile).iter().zip(&profile.heights_m) {
            assert!((smooth - 0.5 * height).abs() < 1e-12);
        }
        // Far from the ends an open profile is filtered alike.
        let open = wave(40.0, 401, false);
        for l in 80..320 {
            assert!((filter.smooth(&open)[l] - 0.5 * open.heights_m[l]).abs() < 1e-9);
        }
        assert!((filter.sigma_m() / filter.cutoff_m - 0.187).abs() < 5e-4);
    }

    /// The FFT against the definition: the sum of weights over the nodes there are, divided by their sum.
    #[test]
    fn filter_renormalises_at_the_ends() {
        let filter = GaussianFilter { cutoff_m: 9.0 };
        let profile = Profile {
            step_m: 1.0,
            heights_m: (0..37).map(|l| ((l * l) as f64 * 0.37).sin() + 2.0).collect(),
            periodic: false,
        };
        let smooth = filter.smooth(&profile);
        for (l, value) in smooth.iter().enumerate() {
            let weight = |m: usize| (-((m as f64 - l as f64) / filter.sigma_m()).powi(2) / 2.0).exp();
            let sum: f64 = profile.heights_m.iter().enumerate().map(|(m, z)| weight(m) * z).sum();
            let weights: f64 = (0..37).map(weight).sum();
            assert!((value - sum / weights).abs() < 1e-6, "node {l}: {value} {}", sum / weights);
        }
    }

    #[test]
    fn filter_longer_than_the_profile_leaves_its_mean() {
        let profile = Profile { step_m: 1.0, heights_m: vec![1.0, 2.0, 6.0], periodic: false };
        for value in (GaussianFilter { cutoff_m: 1e6 }).smooth(&profile) {
            assert!((value - 3.0).abs() < 1e-6, "{value}");
        }
    }
}
