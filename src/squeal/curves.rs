//! What is followed along a line: the least damped mode against μ and against contact stiffness, and the frictionless
//! frequencies against contact stiffness (Vermot 2012, Fig. 7).

use super::MPA_PER_MM;
use super::modes::{ComplexMode, complex_modes};
use super::sliding::Sliding;
use super::status::ideal;
use super::study::{Below, Options, power};
use crate::error::Error;
use rayon::prelude::*;
use serde::Serialize;

/// Frequencies and growth are followed over this range of stiffness, MPa/mm.
const CURVE_MPA_MM: (f64, f64) = (1e-3, 1e7);
const CURVE_POINTS: usize = 41;

/// The least damped mode at one contact stiffness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LeastDamped {
    pub stiffness_mpa_mm: f64,
    pub frequency_hz: f64,
    pub damping_ratio: f64,
    pub growth_1_s: f64,
}

/// Growth against μ for one law.
#[derive(Debug, Clone, Serialize)]
pub struct GrowthCurve {
    pub name: String,
    /// μ, and of the least damped mode: frequency, damping ratio, growth.
    pub points: Vec<(f64, f64, f64, f64)>,
}

fn least_damped(modes: &[ComplexMode]) -> Option<&ComplexMode> {
    modes.iter().min_by(|a, b| a.damping_ratio.total_cmp(&b.damping_ratio))
}

/// The stiffnesses of the curves.
fn stiffnesses() -> impl IndexedParallelIterator<Item = f64> {
    let (low, high) = CURVE_MPA_MM;
    (0..CURVE_POINTS)
        .into_par_iter()
        .map(move |i| low * (high / low).powf(i as f64 / (CURVE_POINTS - 1) as f64))
}

pub fn growth_curves(sliding: &Sliding, options: &Options, below: &Below) -> Result<Vec<GrowthCurve>, Error> {
    let worst = |modes: Vec<ComplexMode>, mu: f64| {
        least_damped(&modes).map(|mode| (mu, mode.frequency_hz, mode.damping_ratio, mode.growth_1_s))
    };
    let curve = |name: String, modes_at: &(dyn Fn(f64) -> Result<Vec<ComplexMode>, Error> + Sync)| {
        let points: Result<Vec<_>, Error> =
            options.mus.par_iter().map(|&mu| Ok(worst(below(modes_at(mu)?), mu))).collect();
        Ok::<_, Error>(GrowthCurve { name, points: points?.into_iter().flatten().collect() })
    };
    let mut curves = vec![curve("ideal".to_owned(), &|mu| complex_modes(&ideal(sliding, mu)?.matrices))?];
    for &stiffness in &options.stiffness_mpa_mm {
        let law = sliding.exponential(stiffness * MPA_PER_MM);
        let name = format!("{} MPa/mm", power(stiffness));
        curves.push(curve(name, &|mu| complex_modes(&sliding.steady(&law, mu)?.matrices))?);
    }
    Ok(curves)
}

pub fn stiffness_curve(sliding: &Sliding, below: &Below) -> Result<Vec<(f64, Vec<f64>)>, Error> {
    let at = |stiffness: f64| {
        let law = sliding.exponential(stiffness * MPA_PER_MM);
        let modes = below(complex_modes(&sliding.steady(&law, 0.0)?.matrices)?);
        Ok((stiffness, modes.iter().map(|mode| mode.frequency_hz).collect()))
    };
    stiffnesses().map(at).collect()
}

/// Where no mode lies below the limit the curve has a gap.
pub fn stiffness_growth(sliding: &Sliding, mu: f64, below: &Below) -> Result<Vec<LeastDamped>, Error> {
    let at = |stiffness_mpa_mm: f64| {
        let law = sliding.exponential(stiffness_mpa_mm * MPA_PER_MM);
        let modes = below(complex_modes(&sliding.steady(&law, mu)?.matrices)?);
        Ok(least_damped(&modes).map(|mode| LeastDamped {
            stiffness_mpa_mm,
            frequency_hz: mode.frequency_hz,
            damping_ratio: mode.damping_ratio,
            growth_1_s: mode.growth_1_s,
        }))
    };
    let points: Result<Vec<Option<LeastDamped>>, Error> = stiffnesses().map(at).collect();
    Ok(points?.into_iter().flatten().collect())
}
