//! Random profiles: white noise filtered in Fourier space.
//!
//! Spectral densities (q in rad/m, ℓ the inner length, written with S(0) = 1):
//! - Gaussian: autocorrelation exp(-(x/ℓ)²), S = exp(-(qℓ)²/4);
//! - exponential: exp(-|x|/ℓ), S = 1 / (1 + (qℓ)²);
//! - self-affine: S = (1 + (qℓ)²)^-(H + 1/2), flat above the roll-off ℓ and falling as q^-(1+2H) below it
//!   (the K-correlation model, Palasantzas 1993). H = 1/2 is the exponential one.
//!
//! Times the squared transfer of the λs filter. Each wavenumber k = 1…N/2 of the period P gets the complex
//! amplitude √(S_k) H_k (g + i g'), with g, g' drawn in the order of k: for one seed and length a finer step
//! keeps every wave it had and adds shorter ones. So the step can be refined without changing the surface.
//! The step itself cuts what is shorter than two steps.
//!
//! What the user names is not ℓ but the correlation length of the surface that comes out, cut-off and step
//! included: the lag where Σ S_k H_k² cos(q_k x) / Σ S_k H_k² falls to 1/e (0.37 in Dang 2013, §4). ℓ is
//! solved from that. For a Gaussian or exponential surface without cut-off it is the same length.
//!
//! An open profile is cut from a period of at least twice its length and 64 correlation lengths, so that
//! its two ends know nothing of each other.

use super::noise::Noise;
use super::{GaussianFilter, Roughness, Texture};
use crate::error::{Error, Problem};
use crate::math::fourier::{Complex, inverse};
use std::f64::consts::{E, TAU};

/// Period in units of the correlation length below which an open profile's ends would still feel each other.
const PERIOD_IN_CORR_LENGTHS: f64 = 64.0;

/// How many times the wanted length the synthesised period is.
pub fn repeats(spec: &Roughness, intervals: usize) -> usize {
    if spec.periodic {
        return 1;
    }
    let length_m = intervals as f64 * spec.step_m;
    ((PERIOD_IN_CORR_LENGTHS * spec.corr_length_m / length_m).ceil() as usize).max(2)
}

/// Heights of a checked spec on `intervals` steps, of arbitrary scale.
pub fn heights(spec: &Roughness, intervals: usize) -> Result<Vec<f64>, Error> {
    let len = intervals * repeats(spec, intervals);
    let wavenumber = TAU / (len as f64 * spec.step_m);
    let filter = GaussianFilter { cutoff_m: spec.cutoff_m };
    let passed: Vec<f64> =
        (0..=len / 2).map(|k| filter.transfer(k as f64 * wavenumber / TAU).powi(2)).collect();
    let inner_m = inner_length(spec, wavenumber, &passed)?;

    let mut noise = Noise::new(spec.seed);
    let mut spectrum = Vec::with_capacity(len / 2 + 1);
    spectrum.push(Complex::new(0.0, 0.0));
    for (k, passed) in passed.iter().enumerate().skip(1) {
        let amplitude = (density(spec, k as f64 * wavenumber * inner_m) * passed).sqrt();
        let (re, im) = noise.pair();
        spectrum.push(Complex::new(amplitude * re, amplitude * im));
    }
    let mut heights = inverse(spectrum, len);
    heights.truncate(if spec.periodic { intervals } else { intervals + 1 });
    Ok(heights)
}

/// S of the header at the dimensionless wavenumber qℓ.
fn density(spec: &Roughness, ql: f64) -> f64 {
    match spec.texture {
        Texture::Gaussian => (-0.25 * ql * ql).exp(),
        Texture::Exponential => 1.0 / (1.0 + ql * ql),
        _ => (1.0 + ql * ql).powf(-(spec.hurst + 0.5)),
    }
}

/// ℓ such that the expected autocorrelation falls to 1/e at the correlation length.
///
/// The autocorrelation at a fixed lag grows with ℓ: bracketed by doubling, then closed by regula falsi
/// with the Illinois rule on ln ℓ.
fn inner_length(spec: &Roughness, wavenumber: f64, passed: &[f64]) -> Result<f64, Error> {
    let lag_m = spec.corr_length_m;
    let cosines: Vec<f64> = (0..passed.len()).map(|k| (k as f64 * wavenumber * lag_m).cos()).collect();
    let excess = |ln_inner: f64| {
        let ql = wavenumber * ln_inner.exp();
        let (mut covariance, mut variance) = (0.0, 0.0);
        for (k, (passed, cosine)) in passed.iter().zip(&cosines).enumerate().skip(1) {
            let power = density(spec, k as f64 * ql) * passed;
            variance += power;
            covariance += power * cosine;
        }
        covariance / variance - 1.0 / E
    };
    let start = lag_m.ln();
    let step = 2f64.ln();
    let bracket = (1..=20).map(|d| f64::from(d) * step).find_map(|d| {
        let (low, high) = (excess(start - d), excess(start + d));
        (low < 0.0 && high > 0.0).then_some(((start - d, low), (start + d, high)))
    });
    let Some(((mut a, mut fa), (mut b, mut fb))) = bracket else {
        return Err(Problem::new(
            "corr_length_um",
            format!("{} µm", super::roughness::short(lag_m * 1e6)),
            "a surface of this length, Hurst exponent, step and cut-off cannot decay to 0.37 there",
            "lengthen the profile, raise the Hurst exponent or the cut-off, or shorten the correlation length",
        )
        .into());
    };
    for _ in 0..100 {
        let c = (a * fb - b * fa) / (fb - fa);
        let fc = excess(c);
        if fc.abs() < 1e-14 || (b - a).abs() < 1e-14 {
            return Ok(c.exp());
        }
        if fc * fb < 0.0 {
            (a, fa) = (b, fb);
        } else {
            fa *= 0.5;
        }
        (b, fb) = (c, fc);
    }
    Ok(b.exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const BENCH: Roughness = Roughness {
        texture: Texture::Exponential,
        ra_m: 5e-6,
        corr_length_m: 450e-6,
        hurst: 0.8,
        wavelength_m: 1e-3,
        cutoff_m: 0.0,
        length_m: 0.045,
        step_m: 5e-6,
        seed: 1,
        periodic: true,
    };

    /// Without cut-off ℓ follows from the continuous autocorrelation; the λs filter widens a Gaussian
    /// autocorrelation by lc² = ℓ² + 4σ², in closed form.
    #[test]
    fn inner_length_closed_forms() {
        let solve = |spec: &Roughness| {
            let wavenumber = TAU / spec.length_m;
            let filter = GaussianFilter { cutoff_m: spec.cutoff_m };
            let passed: Vec<f64> =
                (0..=4500).map(|k| filter.transfer(k as f64 / spec.length_m).powi(2)).collect();
            inner_length(spec, wavenumber, &passed).unwrap()
        };
        // A period P without its mean: (ρ(lc) - m) / (1 - m) = 1/e with m = ∫ρ dx / P; the exponential one
        // also loses 2/(π q ℓ) = 0.2 % of its variance beyond two steps.
        let mean_free = |m: f64| 1.0 / E + m * (1.0 - 1.0 / E);
        let inner = solve(&BENCH);
        let expected = mean_free(2.0 * inner / BENCH.length_m);
        assert!(((-BENCH.corr_length_m / inner).exp() / expected - 1.0).abs() < 3e-3, "{inner:e}");
        let gaussian = Roughness { texture: Texture::Gaussian, ..BENCH };
        let bare = solve(&gaussian);
        let expected = mean_free(PI.sqrt() * bare / BENCH.length_m);
        assert!(((-(BENCH.corr_length_m / bare).powi(2)).exp() / expected - 1.0).abs() < 1e-9, "{bare:e}");
        let cut = Roughness { cutoff_m: 400e-6, ..gaussian };
        let sigma = (GaussianFilter { cutoff_m: 400e-6 }).sigma_m();
        let expected = (bare * bare - 4.0 * sigma * sigma).sqrt();
        assert!((solve(&cut) / expected - 1.0).abs() < 1e-3, "{} {expected}", solve(&cut));
    }
}
