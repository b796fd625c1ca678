//! Instabilities that only a soft law has (Vermot 2012, §4.2): a coefficient of friction at which ideal contact
//! slides without squeal and some exponential law does not, and what ideal contact makes of the same shapes.

use super::curves::GrowthCurve;
use super::modes::{complex_modes, mac};
use super::sliding::Sliding;
use super::status::ideal;
use super::study::{Below, power};
use super::{MPA_PER_MM, UNSTABLE_BELOW};
use crate::error::Error;
use nalgebra::Complex;
use serde::Serialize;

/// An unstable mode of a soft law, and the mode of ideal contact that is most like it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InventedMode {
    pub stiffness_mpa_mm: f64,
    pub frequency_hz: f64,
    pub damping_ratio: f64,
    pub mac: f64,
    pub ideal_hz: f64,
    /// Not unstable.
    pub ideal_damping_ratio: f64,
}

impl InventedMode {
    /// The law's stiffness as the paper writes it.
    pub fn law(&self) -> String {
        format!("{} MPa/mm", power(self.stiffness_mpa_mm))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Invented {
    pub mu: f64,
    pub modes: Vec<InventedMode>,
}

/// Where most laws squeal and ideal contact does not; `curves` begin with that of ideal contact, the others
/// belong to `stiffness_mpa_mm` in turn.
pub fn invented(
    sliding: &Sliding,
    curves: &[GrowthCurve],
    stiffness_mpa_mm: &[f64],
    below: &Below,
) -> Result<Option<Invented>, Error> {
    let Some((perfect, soft)) = curves.split_first() else { return Ok(None) };
    let squeals = |curve: &GrowthCurve, mu: f64| {
        curve.points.iter().any(|point| point.0 == mu && point.2 < UNSTABLE_BELOW)
    };
    let quiet = perfect.points.iter().map(|point| point.0).filter(|mu| !squeals(perfect, *mu));
    let counted = quiet.map(|mu| (soft.iter().filter(|curve| squeals(curve, mu)).count(), mu));
    // The first of equals: max_by_key would take the last.
    let most = counted.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let Some((_, mu)) = most.filter(|(count, _)| *count > 0) else { return Ok(None) };
    let steady = ideal(sliding, mu)?;
    let basis = steady.basis.map(Complex::from);
    let known = below(complex_modes(&steady.matrices)?);
    let mut modes = Vec::new();
    for (curve, &stiffness) in soft.iter().zip(stiffness_mpa_mm) {
        if !squeals(curve, mu) {
            continue;
        }
        let law = sliding.exponential(stiffness * MPA_PER_MM);
        let own = below(complex_modes(&sliding.steady(&law, mu)?.matrices)?);
        for mode in own.iter().filter(|mode| mode.is_unstable()) {
            let twins = known.iter().map(|twin| (mac(&mode.shape, &(&basis * &twin.shape)), twin));
            let Some((mac, twin)) = twins.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            modes.push(InventedMode {
                stiffness_mpa_mm: stiffness,
                frequency_hz: mode.frequency_hz,
                damping_ratio: mode.damping_ratio,
                mac,
                ideal_hz: twin.frequency_hz,
                ideal_damping_ratio: twin.damping_ratio,
            });
        }
    }
    Ok(Some(Invented { mu, modes }))
}
