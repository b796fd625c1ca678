//! Autocorrelation of heights, and the length at which it has decayed.
//!
//! ρ_m = [Σ_l z_l z_{l+m} / (N - m)] / [Σ_l z_l² / N] with z free of its mean: the unbiased estimate, each
//! lag divided by the number of pairs it has. A periodic profile wraps, so all lags have N pairs.
//! Computed as the transform of the power spectrum (Wiener–Khinchin), zero-padded when open.

use super::Profile;
use crate::math::fourier::{Complex, fast_len, forward, inverse};
use std::f64::consts::E;

/// ρ_m for the lags m = 0…N/2, in steps. Empty for a flat profile.
pub fn autocorrelation(profile: &Profile) -> Vec<f64> {
    let mean = profile.mean_m();
    let count = profile.heights_m.len();
    let lags = count / 2 + 1;
    let len = if profile.periodic { count } else { fast_len(count + lags) };
    let mut heights: Vec<f64> = profile.heights_m.iter().map(|z| z - mean).collect();
    heights.resize(len, 0.0);
    let power = forward(heights).into_iter().map(|x| Complex::new(x.norm_sqr(), 0.0)).collect();
    let mut sums = inverse(power, len);
    sums.truncate(lags);
    let variance = sums[0] / count as f64;
    if variance.is_nan() || variance <= 0.0 {
        return Vec::new();
    }
    for (m, sum) in sums.iter_mut().enumerate() {
        let pairs = if profile.periodic { count } else { count - m };
        *sum /= pairs as f64 * variance;
    }
    sums
}

/// First lag where ρ falls to 1/e (the 0.37 of Dang 2013, §4), linear between nodes. None where it does
/// not within half the profile.
pub fn correlation_length_m(profile: &Profile) -> Option<f64> {
    let rho = autocorrelation(profile);
    let level = 1.0 / E;
    let beyond = rho.iter().position(|&r| r < level)?;
    let (before, after) = (rho[beyond - 1], rho[beyond]);
    Some((beyond as f64 - (level - after) / (before - after)) * profile.step_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the definition, pair by pair.
    #[test]
    fn autocorrelation_is_the_sum_over_pairs() {
        for periodic in [false, true] {
            let heights_m: Vec<f64> = (0..41).map(|l| ((l * l) as f64 * 0.21).sin()).collect();
            let profile = Profile { step_m: 1.0, heights_m, periodic };
            let z: Vec<f64> = profile.heights_m.iter().map(|z| z - profile.mean_m()).collect();
            let variance = z.iter().map(|z| z * z).sum::<f64>() / 41.0;
            for (m, rho) in autocorrelation(&profile).into_iter().enumerate() {
                let pairs = if periodic { 41 } else { 41 - m };
                let sum: f64 = (0..pairs).map(|l| z[l] * z[(l + m) % 41]).sum();
                assert!((rho - sum / (pairs as f64 * variance)).abs() < 1e-12, "lag {m}");
            }
        }
    }

    #[test]
    fn a_sine_decorrelates_at_its_closed_form_lag() {
        let heights_m = (0..1000).map(|l| (std::f64::consts::TAU * f64::from(l) / 200.0).sin()).collect();
        let found = correlation_length_m(&Profile { step_m: 2.0, heights_m, periodic: true }).unwrap();
        let expected = (1.0 / E).acos() / std::f64::consts::TAU * 400.0;
        assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
    }

    #[test]
    fn a_flat_profile_has_none() {
        let flat = Profile { step_m: 1.0, heights_m: vec![3.0; 50], periodic: false };
        assert_eq!(correlation_length_m(&flat), None);
    }
}
