//! Static equilibrium on the contact, and steady sliding with friction, by Newton (Vermot 2012, §2.2.1).
//!
//! Residual R_k = m·ω_k²·U_k - G_k + Σ_i length_i·p(g_i)·(n_ik + μ·d·t_ik): friction on the slider is
//! T_i = -μ·d·N_i, d the way it slides. Jacobian: m·ω² + Σ_i length_i·k(g_i)·(n_i + μ·d·t_i)·n_iᵀ, which is
//! not symmetric (eqs. 10–12).
//!
//! Hard laws throw plain Newton far off, so a step is halved until the residual falls, and the stiffness of
//! a point that opens is kept a little (the paper's controlled release).

use super::points::ContactMap;
use crate::contact::ContactLaw;
use crate::error::Error;
use nalgebra::{DMatrix, DVector};

/// Newton's steps; hard exponential laws from a far start take some dozens.
const MAX_STEPS: usize = 400;
/// Residual next to the steady forces.
const TOLERANCE: f64 = 1e-10;
/// Share of the stiffest point that an open one keeps in the Jacobian.
const RELEASE: f64 = 1e-9;

/// An equilibrium.
pub struct Balance {
    pub amplitudes: Vec<f64>,
    /// Pressure at every point of the map, Pa.
    pub pressures: Vec<f64>,
    pub steps: usize,
}

/// Equilibrium under the steady forces with a law of the gap; `sliding` is μ·d, 0 without friction.
pub fn balance(map: &ContactMap, law: &ContactLaw, sliding: f64) -> Result<Balance, Error> {
    let mut amplitudes = DVector::from_column_slice(&map.settled);
    let scale: f64 =
        map.system.steady_force.iter().map(|force| force.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let mut residual = residual_of(map, law, sliding, &amplitudes);
    for steps in 0..MAX_STEPS {
        if residual.amax() <= TOLERANCE * scale {
            let pressures = pressures(map, law, &amplitudes);
            return Ok(Balance { amplitudes: amplitudes.as_slice().to_vec(), pressures, steps });
        }
        let Some(step) = jacobian(map, law, sliding, &amplitudes).lu().solve(&residual) else { break };
        let mut share = 1.0;
        loop {
            let trial = &amplitudes - &step * share;
            let left = residual_of(map, law, sliding, &trial);
            // The last halving is taken as it comes: a soft step out of a kink.
            if left.norm() < residual.norm() || share < 1e-4 {
                (amplitudes, residual) = (trial, left);
                break;
            }
            share *= 0.5;
        }
    }
    Err(Error::Other(format!(
        "no equilibrium found: a residual of {:.1e} N is left after {MAX_STEPS} steps; soften the contact",
        residual.amax()
    )))
}

fn pressures(map: &ContactMap, law: &ContactLaw, amplitudes: &DVector<f64>) -> Vec<f64> {
    map.points.iter().map(|point| law.pressure(point.gap(amplitudes.as_slice()))).collect()
}

fn residual_of(map: &ContactMap, law: &ContactLaw, sliding: f64, amplitudes: &DVector<f64>) -> DVector<f64> {
    let system = &map.system;
    let mut residual = DVector::from_fn(system.len(), |k, _| {
        system.mass[k] * system.omega[k].powi(2) * amplitudes[k] - system.steady_force[k]
    });
    for point in &map.points {
        let force = point.length_m * law.pressure(point.gap(amplitudes.as_slice()));
        if force != 0.0 {
            for (k, value) in residual.iter_mut().enumerate() {
                *value += force * (point.normal[k] + sliding * point.tangential[k]);
            }
        }
    }
    residual
}

fn jacobian(map: &ContactMap, law: &ContactLaw, sliding: f64, amplitudes: &DVector<f64>) -> DMatrix<f64> {
    let gaps: Vec<f64> = map.points.iter().map(|point| point.gap(amplitudes.as_slice())).collect();
    let stiffness: Vec<f64> = gaps.iter().map(|gap| law.stiffness(*gap)).collect();
    let least = RELEASE * stiffness.iter().copied().fold(law.stiffness_at_pressure(1.0), f64::max);
    let points = map.points.iter().zip(stiffness).map(|(point, stiffness)| (point, stiffness.max(least)));
    tangent(map, sliding, points)
}

/// K + Σ length·k·(n + μd·t)·nᵀ: the stiffness of the sliding system with contact stiffness k (Pa/m) at
/// each point (Vermot 2012, eqs. 11 and 12).
pub fn tangent<'a>(
    map: &ContactMap,
    sliding: f64,
    stiffness: impl Iterator<Item = (&'a super::ContactPoint, f64)>,
) -> DMatrix<f64> {
    let system = &map.system;
    let count = system.len();
    let mut matrix = DMatrix::zeros(count, count);
    for k in 0..count {
        matrix[(k, k)] = system.mass[k] * system.omega[k].powi(2);
    }
    for (point, stiffness) in stiffness {
        let factor = point.length_m * stiffness;
        for l in 0..count {
            let pressed = factor * point.normal[l];
            if pressed != 0.0 {
                for k in 0..count {
                    matrix[(k, l)] += pressed * (point.normal[k] + sliding * point.tangential[k]);
                }
            }
        }
    }
    matrix
}
