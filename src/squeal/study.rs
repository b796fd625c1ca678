//! Everything that `asperity squeal` shows of one scene: the laws side by side, growth against μ,
//! frequencies against contact stiffness, and which unstable modes the laws share.

use super::curves::{GrowthCurve, LeastDamped, growth_curves, stiffness_curve, stiffness_growth};
use super::invented::{Invented, invented};
use super::modes::{ComplexMode, complex_modes, mac};
use super::sliding::Sliding;
use super::status::ideal;
use super::{MPA_PER_MM, UNSTABLE_BELOW};
use crate::contact::ContactLaw;
use crate::error::Error;
use crate::scene::Scene;
use nalgebra::{Complex, DVector};
use serde::Serialize;

/// The contact stiffnesses of Vermot 2012 (too soft for its brake, just converged, converged), and a softer one
/// before them: beams saturate earlier than a brake.
pub const TARGETS_MPA_MM: [f64; 4] = [1e2, 1e4, 199_526.231_496_887_95, 1e7];
/// Two shapes are the same mode above this (the usual bound for MAC).
const SAME_SHAPE: f64 = 0.9;

#[derive(Debug, Clone)]
pub struct Options {
    /// Coefficient at which modes are compared; `None`: the scene's own at its speed.
    pub mu: Option<f64>,
    /// Coefficients for the growth curves.
    pub mus: Vec<f64>,
    /// Calibrated contact stiffnesses, MPa/mm.
    pub stiffness_mpa_mm: Vec<f64>,
    /// Modes above this are not told, Hz.
    pub highest_hz: f64,
}

/// One mode in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ModeLine {
    pub frequency_hz: f64,
    pub damping_ratio: f64,
    pub growth_1_s: f64,
    pub unstable: bool,
}

/// What one law gives at the chosen μ.
#[derive(Debug, Clone, Serialize)]
pub struct Law {
    pub name: String,
    /// `None`: ideal contact.
    pub stiffness_mpa_mm: Option<f64>,
    /// λ of the exponential law, 1/m.
    pub lambda_1_m: Option<f64>,
    /// Nodes of the slider that carry more than a millionth of p_1, of how many.
    pub loaded_nodes: usize,
    pub nodes: usize,
    pub highest_pressure_pa: f64,
    /// Largest difference of pressure to ideal contact, next to p_1.
    pub pressure_difference: f64,
    /// Largest relative difference of the frequencies below the limit to ideal contact, paired in order.
    pub frequency_difference: f64,
    pub modes: Vec<ModeLine>,
    /// Pressure along the slider.
    pub pressures_pa: Vec<f64>,
    /// MAC of each unstable mode (rows) with each unstable mode of ideal contact (columns).
    pub mac_with_ideal: Vec<Vec<f64>>,
    /// Unstable modes without a twin among those of ideal contact.
    pub invented: usize,
    #[serde(skip)]
    shapes: Vec<DVector<Complex<f64>>>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Study {
    pub mu: f64,
    pub speed_m_s: f64,
    pub load_n_m: f64,
    pub p1_pa: f64,
    pub unstable_below: f64,
    pub laws: Vec<Law>,
    pub growth: Vec<GrowthCurve>,
    /// Contact stiffness (MPa/mm) and the frequencies of the frictionless modes there.
    pub stiffness_curve: Vec<(f64, Vec<f64>)>,
    /// The least damped mode at `mu` against contact stiffness.
    pub stiffness_growth: Vec<LeastDamped>,
    /// Where the frictionless frequencies end with ideal contact.
    pub ideal_hz: Vec<f64>,
    /// Instabilities of soft laws where ideal contact has none, at one of the coefficients of `growth`.
    pub invented: Option<Invented>,
    /// Plain sentences: what is seen here of what the paper shows.
    pub remarks: Vec<String>,
}

/// Works the whole study out; about a hundred eigenproblems.
pub fn study(scene: &Scene, options: &Options) -> Result<Study, Error> {
    let sliding = Sliding::new(scene)?;
    let mu = options.mu.unwrap_or_else(|| sliding.coefficient());
    let below = |modes: Vec<ComplexMode>| -> Vec<ComplexMode> {
        modes.into_iter().filter(|mode| mode.frequency_hz <= options.highest_hz).collect()
    };
    let perfect = ideal_law(&sliding, mu, &below)?;
    let mut laws = vec![perfect.clone()];
    for &stiffness in &options.stiffness_mpa_mm {
        laws.push(exponential_law(&sliding, mu, stiffness, &perfect, &below)?);
    }
    let growth = growth_curves(&sliding, options, &below)?;
    let invented = invented(&sliding, &growth, &options.stiffness_mpa_mm, &below)?;
    let stiffness_curve = stiffness_curve(&sliding, &below)?;
    let stiffness_growth = stiffness_growth(&sliding, mu, &below)?;
    let ideal_hz = below(complex_modes(&ideal(&sliding, 0.0)?.matrices)?);
    let mut study = Study {
        mu,
        speed_m_s: scene.motion.speed_m_s,
        load_n_m: scene.normal_load_n_m(),
        p1_pa: sliding.pressure_pa,
        unstable_below: UNSTABLE_BELOW,
        laws,
        growth,
        invented,
        stiffness_curve,
        stiffness_growth,
        ideal_hz: ideal_hz.iter().map(|mode| mode.frequency_hz).collect(),
        remarks: Vec::new(),
    };
    study.remarks = super::remarks::remarks(&study);
    Ok(study)
}

fn line(mode: &ComplexMode) -> ModeLine {
    ModeLine {
        frequency_hz: mode.frequency_hz,
        damping_ratio: mode.damping_ratio,
        growth_1_s: mode.growth_1_s,
        unstable: mode.is_unstable(),
    }
}

pub(super) type Below<'a> = dyn Fn(Vec<ComplexMode>) -> Vec<ComplexMode> + Sync + 'a;

fn ideal_law(sliding: &Sliding, mu: f64, below: &Below) -> Result<Law, Error> {
    let steady = ideal(sliding, mu)?;
    let modes = below(complex_modes(&steady.matrices)?);
    let basis = steady.basis.map(Complex::from);
    let shapes = modes.iter().filter(|mode| mode.is_unstable()).map(|mode| &basis * &mode.shape).collect();
    Ok(Law {
        name: "ideal".to_owned(),
        stiffness_mpa_mm: None,
        lambda_1_m: None,
        loaded_nodes: steady.closed,
        nodes: steady.pressures.len(),
        highest_pressure_pa: steady.pressures.iter().copied().fold(0.0, f64::max),
        pressure_difference: 0.0,
        frequency_difference: 0.0,
        modes: modes.iter().map(line).collect(),
        pressures_pa: steady.pressures,
        mac_with_ideal: Vec::new(),
        invented: 0,
        shapes,
    })
}

fn exponential_law(
    sliding: &Sliding,
    mu: f64,
    stiffness_mpa_mm: f64,
    perfect: &Law,
    below: &Below,
) -> Result<Law, Error> {
    let law = sliding.exponential(stiffness_mpa_mm * MPA_PER_MM);
    let steady = sliding.steady(&law, mu)?;
    let modes = below(complex_modes(&steady.matrices)?);
    let unstable = || modes.iter().filter(|mode| mode.is_unstable());
    let mac_with_ideal: Vec<Vec<f64>> =
        unstable().map(|mode| perfect.shapes.iter().map(|twin| mac(&mode.shape, twin)).collect()).collect();
    let alone = |row: &&Vec<f64>| row.iter().all(|value| *value < SAME_SHAPE);
    let differ = |a: &f64, b: &f64| (a - b).abs() / sliding.pressure_pa;
    let pressures = steady.pressures;
    let apart = modes.iter().zip(&perfect.modes).filter(|(_, twin)| twin.frequency_hz > 0.0);
    Ok(Law {
        name: format!("exponential, k_c = {} MPa/mm", power(stiffness_mpa_mm)),
        stiffness_mpa_mm: Some(stiffness_mpa_mm),
        lambda_1_m: match law {
            ContactLaw::Exponential { lambda_1_m, .. } => Some(lambda_1_m),
            _ => None,
        },
        loaded_nodes: pressures.iter().filter(|p| **p > 1e-6 * sliding.pressure_pa).count(),
        nodes: pressures.len(),
        highest_pressure_pa: pressures.iter().copied().fold(0.0, f64::max),
        pressure_difference: pressures
            .iter()
            .zip(&perfect.pressures_pa)
            .map(|(a, b)| differ(a, b))
            .fold(0.0, f64::max),
        frequency_difference: apart
            .map(|(mode, twin)| (mode.frequency_hz / twin.frequency_hz - 1.0).abs())
            .fold(0.0, f64::max),
        invented: mac_with_ideal.iter().filter(alone).count(),
        mac_with_ideal,
        modes: modes.iter().map(line).collect(),
        pressures_pa: pressures,
        shapes: Vec::new(),
    })
}

/// `10^5.3` as the paper writes its targets.
pub(super) fn power(value: f64) -> String {
    let exponent = value.log10();
    if (exponent - exponent.round()).abs() < 1e-9 {
        format!("10^{exponent:.0}")
    } else {
        format!("10^{exponent:.1}")
    }
}
