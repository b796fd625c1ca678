//! Static equilibrium on the contact, and steady sliding with friction, by Newton (Vermot 2012, §2.2.1).
//!
//! Residual R_k = m·ω_k²·U_k - G_k + Σ_i length_i·p(g_i)·(n_ik + μ·d·t_ik): friction on the slider is
//! T_i = -μ·d·N_i, d the way it slides. Jacobian: m·ω² + Σ_i length_i·k(g_i)·(n_i + μ·d·t_i)·n_iᵀ, which is
//! not symmetric (eqs. 10–12).
//!
//! Hard laws throw plain Newton far off. So a step is halved until the residual falls, the stiffness of a
//! point that opens is kept a little (the paper's controlled release), and the law is stiffened from a soft
//! one by steps, each starting from the equilibrium of the one before.

use super::points::ContactMap;
use crate::contact::ContactLaw;
use crate::error::Error;
use nalgebra::{DMatrix, DVector};

/// Newton's steps for one law.
const MAX_STEPS: usize = 200;
/// Residual next to the steady forces.
const TOLERANCE: f64 = 1e-10;
/// What is let pass when Newton no longer moves: an exponential law is cut off at a millionth of p_1, and a
/// point on that edge flips between the two sides.
const LET_PASS: f64 = 1e-6;
/// Share of the stiffest point that an open one keeps in the Jacobian.
const RELEASE: f64 = 1e-6;
/// More than the release can overshoot: 2^40 is far beyond a million.
const MAX_HALVINGS: usize = 40;
/// λ of the softest exponential law: 0.1 mm for a factor of e.
const SOFT_1_M: f64 = 1e4;
/// The softest of the other laws: so soft that all of the slider sinks in.
const SOFTER_DECADES: i32 = 8;

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
    let mut steps = 0;
    for softer in ladder(law) {
        steps += newton(map, &softer, sliding, &mut amplitudes)?;
    }
    let pressures = pressures(map, law, &amplitudes);
    Ok(Balance { amplitudes: amplitudes.as_slice().to_vec(), pressures, steps })
}

/// The law itself at the end, softer ones of its kind before it: λ doubled, κ and Hertz's c by decades.
fn ladder(law: &ContactLaw) -> Vec<ContactLaw> {
    let decades = (0..=SOFTER_DECADES).map(|step| 10f64.powi(step - SOFTER_DECADES));
    match *law {
        ContactLaw::Penalty { kappa_pa } => {
            decades.map(|share| ContactLaw::Penalty { kappa_pa: share * kappa_pa }).collect()
        }
        ContactLaw::Hertz { coefficient } => {
            decades.map(|share| ContactLaw::Hertz { coefficient: share * coefficient }).collect()
        }
        ContactLaw::Exponential { p0_pa, lambda_1_m, p1_pa } => {
            let doublings = (lambda_1_m / SOFT_1_M).log2().ceil().max(0.0) as i32;
            let softer = (0..=doublings).map(|step| lambda_1_m * 2f64.powi(step - doublings));
            softer.map(|lambda_1_m| ContactLaw::Exponential { p0_pa, lambda_1_m, p1_pa }).collect()
        }
    }
}

/// Moves the amplitudes to the equilibrium of one law; the steps it took.
fn newton(
    map: &ContactMap,
    law: &ContactLaw,
    sliding: f64,
    amplitudes: &mut DVector<f64>,
) -> Result<usize, Error> {
    let scale: f64 =
        map.system.steady_force.iter().map(|force| force.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let mut residual = residual_of(map, law, sliding, amplitudes);
    for steps in 0..MAX_STEPS {
        if residual.amax() <= TOLERANCE * scale {
            return Ok(steps);
        }
        let Some(step) = jacobian(map, law, sliding, amplitudes).lu().solve(&residual) else { break };
        let trials = (0..MAX_HALVINGS).map(|halvings| {
            let trial = &*amplitudes - &step * 0.5f64.powi(halvings as i32);
            let left = residual_of(map, law, sliding, &trial);
            (trial, left)
        });
        let Some((trial, left)) = trials.into_iter().find(|(_, left)| left.norm() < residual.norm()) else {
            break;
        };
        (*amplitudes, residual) = (trial, left);
    }
    if residual.amax() <= LET_PASS * scale {
        return Ok(MAX_STEPS);
    }
    Err(Error::Other(format!(
        "no equilibrium found: a residual of {:.1e} is left next to a load of {scale:.1e}; soften the contact",
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
