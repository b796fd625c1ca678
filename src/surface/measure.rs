//! Roughness parameters of a profile.
//!
//! First the filters of ISO 16610-21: λs takes away waves shorter than it, λc the ones longer. Without λc
//! only the mean is removed, no slope or form. Then, with z free of its mean over all nodes:
//! Ra = ⟨|z|⟩, Rq = √⟨z²⟩, Rsk = ⟨z³⟩/Rq³, Rku = ⟨z⁴⟩/Rq⁴ (ISO 4287; a Gaussian surface has 0 and 3);
//! rms slope and curvature by central differences over three nodes, (z₊ - z₋)/2χ and (z₊ - 2z + z₋)/χ²,
//! at inner nodes when open, at all when periodic; RSm as in `spacing.rs`, the correlation length as in
//! `autocorrelation.rs`. Slope and curvature of a surface rough down to its step depend on the step: no
//! roughness parameter stands without evaluation length and filters, so [`Measures`] carries them.

use super::autocorrelation::correlation_length_m;
use super::spacing::mean_element_width_m;
use super::{GaussianFilter, Profile, roughness::short};
use crate::error::{Error, Problem, Problems};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    pub ra_m: f64,
    pub rq_m: f64,
    /// None for a flat profile, as `rku`.
    pub rsk: Option<f64>,
    pub rku: Option<f64>,
    /// None with less than one whole profile element.
    pub rsm_m: Option<f64>,
    /// None when the autocorrelation does not fall to 1/e within half the profile.
    pub corr_length_m: Option<f64>,
    pub rms_slope: f64,
    pub rms_curvature_1_m: f64,
    pub evaluation_length_m: f64,
    pub step_m: f64,
    /// Filters that were applied.
    pub lambda_s_m: Option<f64>,
    pub lambda_c_m: Option<f64>,
}

/// Fewest nodes that a curvature can be taken from more than once.
const MIN_NODES: usize = 4;

/// Measures a profile after the λs and λc filters, where given.
pub fn measure(
    profile: &Profile,
    lambda_s_m: Option<f64>,
    lambda_c_m: Option<f64>,
) -> Result<Measures, Error> {
    problems(profile, lambda_s_m, lambda_c_m).or(())?;
    let filtered = filtered(profile, lambda_s_m, lambda_c_m);
    let z = &filtered.heights_m;
    let mean_of = |power: i32| z.iter().map(|z| z.powi(power)).sum::<f64>() / z.len() as f64;
    let rq_m = mean_of(2).sqrt();
    // Rounding leaves a flat profile with heights of 1e-16 of what was subtracted: no shape to speak of.
    let size = profile.heights_m.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
    let rough = rq_m > 1e-13 * size;
    let (rms_slope, rms_curvature_1_m) = slope_and_curvature(&filtered);
    Ok(Measures {
        ra_m: filtered.ra(),
        rq_m,
        rsk: rough.then(|| mean_of(3) / rq_m.powi(3)),
        rku: rough.then(|| mean_of(4) / rq_m.powi(4)),
        rsm_m: mean_element_width_m(z, profile.step_m, lambda_c_m).filter(|_| rough),
        corr_length_m: correlation_length_m(&filtered).filter(|_| rough),
        rms_slope,
        rms_curvature_1_m,
        evaluation_length_m: profile.length_m(),
        step_m: profile.step_m,
        lambda_s_m,
        lambda_c_m,
    })
}

/// The profile after both filters, free of its mean.
pub fn filtered(profile: &Profile, lambda_s_m: Option<f64>, lambda_c_m: Option<f64>) -> Profile {
    let mut profile = profile.clone();
    if let Some(cutoff_m) = lambda_s_m {
        profile.heights_m = GaussianFilter { cutoff_m }.smooth(&profile);
    }
    if let Some(cutoff_m) = lambda_c_m {
        let waviness = GaussianFilter { cutoff_m }.smooth(&profile);
        for (height, wave) in profile.heights_m.iter_mut().zip(waviness) {
            *height -= wave;
        }
    }
    let mean = profile.mean_m();
    for height in &mut profile.heights_m {
        *height -= mean;
    }
    profile
}

fn slope_and_curvature(profile: &Profile) -> (f64, f64) {
    let z = &profile.heights_m;
    let (count, step) = (z.len(), profile.step_m);
    let nodes = if profile.periodic { 0..count } else { 1..count - 1 };
    let inner = nodes.len() as f64;
    let (mut slope, mut curvature) = (0.0, 0.0);
    for l in nodes {
        let (before, here, after) = (z[(l + count - 1) % count], z[l], z[(l + 1) % count]);
        slope += ((after - before) / (2.0 * step)).powi(2);
        curvature += ((after - 2.0 * here + before) / (step * step)).powi(2);
    }
    ((slope / inner).sqrt(), (curvature / inner).sqrt())
}

fn problems(profile: &Profile, lambda_s_m: Option<f64>, lambda_c_m: Option<f64>) -> Problems {
    let mut problems = Problems::default();
    let mut need = |good: bool, place: &str, value: String, limit: String, cure: &str| {
        if !good {
            problems.push(Problem::new(place, value, limit, cure));
        }
    };
    let um = |v: f64| format!("{} µm", short(v * 1e6));
    let (step, length) = (profile.step_m, profile.length_m());
    let count = profile.heights_m.len();
    need(
        count >= MIN_NODES,
        "profile",
        format!("{count} nodes"),
        format!("must have at least {MIN_NODES}"),
        "measure a longer profile",
    );
    need(
        step.is_finite() && step > 0.0,
        "step_um",
        um(step),
        "must be above 0".into(),
        "give the distance between nodes",
    );
    let bad = profile.heights_m.iter().position(|z| !z.is_finite());
    need(
        bad.is_none(),
        "profile",
        format!("height {} is not a finite number", bad.unwrap_or_default() + 1),
        "all heights must be finite".into(),
        "interpolate or cut such points",
    );
    if let Some(cut) = lambda_s_m {
        need(
            cut >= 2.0 * step && cut < length,
            "lambda_s_um",
            um(cut),
            format!("must be {} (two steps) to {} (the length)", um(2.0 * step), um(length)),
            "change the filter or leave it out",
        );
    }
    if let Some(cut) = lambda_c_m {
        let least = lambda_s_m.unwrap_or(0.0).max(2.0 * step);
        need(
            cut > least && cut <= length,
            "lambda_c_um",
            um(cut),
            format!("must be above {} (λs, two steps) and at most {} (the length)", um(least), um(length)),
            "change the filter or leave it out",
        );
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, SQRT_2, TAU};

    /// A sine of amplitude 3 µm and wavelength 500 µm on 1 µm: everything in closed form.
    #[test]
    fn val_sine_in_closed_form() {
        let (a, wavelength, step) = (3e-6, 500e-6, 1e-6);
        let q = TAU / wavelength;
        for periodic in [true, false] {
            let count = if periodic { 20_000 } else { 20_001 };
            let heights_m = (0..count).map(|l| 7e-6 + a * (q * f64::from(l) * step).sin()).collect();
            let found = measure(&Profile { step_m: step, heights_m, periodic }, None, None).unwrap();
            let close = |name: &str, ours: f64, exact: f64| {
                // Sums over nodes stand for integrals, and differences for derivatives: (qχ)²/6 = 3e-5.
                assert!((ours / exact - 1.0).abs() < 1e-4, "{name}: {ours} {exact}");
            };
            close("Ra", found.ra_m, 2.0 * a / PI);
            close("Rq", found.rq_m, a / SQRT_2);
            close("Rku", found.rku.unwrap(), 1.5);
            close("RSm", found.rsm_m.unwrap(), wavelength);
            close("slope", found.rms_slope, a * q / SQRT_2);
            close("curvature", found.rms_curvature_1_m, a * q * q / SQRT_2);
            // The pairs of an open sine are not whole periods.
            let lc = found.corr_length_m.unwrap() * q / (-1f64).exp().acos();
            assert!((lc - 1.0).abs() < if periodic { 1e-4 } else { 5e-3 }, "lc: {lc}");
            close("length", found.evaluation_length_m, 0.02);
            assert!(found.rsk.unwrap().abs() < 1e-9, "{found:?}");
        }
    }

    /// Two waves, each filter at one of them: half of it stays.
    #[test]
    fn val_filters_halve_the_wave_at_their_cutoff() {
        let wave = |wavelength: f64, l: i32| (TAU * f64::from(l) * 1e-6 / wavelength).sin() * 1e-6;
        let one = |wavelength: f64| Profile {
            step_m: 1e-6,
            heights_m: (0..20_000).map(|l| wave(wavelength, l)).collect(),
            periodic: true,
        };
        let rq = |profile: &Profile, s, c| measure(profile, s, c).unwrap().rq_m * SQRT_2 / 1e-6;
        assert!((rq(&one(800e-6), None, Some(800e-6)) - 0.5).abs() < 1e-9);
        assert!((rq(&one(20e-6), Some(20e-6), None) - 0.5).abs() < 1e-9);
        // Far from the cut-offs a wave passes λs and λc = 40 λs untouched to 2^-(1/40): see transfer.
        let middle = rq(&one(100e-6), Some(20e-6), Some(800e-6));
        let expected = 2f64.powf(-0.04) * (1.0 - 2f64.powi(-64));
        assert!((middle - expected).abs() < 1e-9, "{middle}");
    }

    #[test]
    fn flat_and_bad_profiles() {
        let flat = Profile { step_m: 1e-6, heights_m: vec![0.1; 100], periodic: false };
        let found = measure(&flat, None, Some(30e-6)).unwrap();
        assert!(found.ra_m < 1e-15 && found.rsk.is_none() && found.rsm_m.is_none());
        assert!(found.corr_length_m.is_none());
        let bad = Profile { step_m: f64::NAN, heights_m: vec![1.0, f64::NAN], periodic: false };
        let Err(Error::Input(list)) = measure(&bad, Some(-1.0), Some(f64::NAN)) else { panic!() };
        let places: Vec<_> = list.0.iter().map(|problem| problem.place.as_str()).collect();
        assert_eq!(places, ["profile", "step_um", "profile", "lambda_s_um", "lambda_c_um"]);
    }
}
