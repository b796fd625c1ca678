//! Ideal contact by the status of each point (Vermot 2012, §2.3, after Moirot).
//!
//! Closed points neither open nor press through: n·U = clearance. Their forces λ act along n + μ·d·t:
//! K·U + Σ λ_i(n_i + μ·d·t_i) = G. Points that pull, and open points that overlap, change status until
//! none does (eqs. 18 and 19).
//!
//! Vibration about it keeps the closed points closed: q in the null space Z of their n, and tested against
//! the null space Y of n + μ·d·t, where no contact force is felt: Yᵀ(s²M + sC + K)Z (eqs. 21 and 22).

use super::modes::Matrices;
use super::sliding::Sliding;
use crate::error::Error;
use nalgebra::{DMatrix, DVector};

/// Changes of status; a slider has some dozens of nodes.
const MAX_ROUNDS: usize = 500;
/// Next to the largest singular value.
const RANK: f64 = 1e-10;
/// Overlaps below this count as none.
const TOLERANCE_M: f64 = 1e-12;
/// Pulls below this share of the load count as none.
const TOLERANCE_LOAD: f64 = 1e-9;

/// Steady sliding with ideal contact.
pub struct Ideal {
    pub amplitudes: Vec<f64>,
    /// At every node of the slider, Pa; 0 where open.
    pub pressures: Vec<f64>,
    pub closed: usize,
    pub rounds: usize,
    pub matrices: Matrices,
    /// Z: from reduced to all coordinates.
    pub basis: DMatrix<f64>,
}

/// Starts from the two end nodes and changes one status at a time, pulls before overlaps: that way no more
/// points close than the bodies can follow, and their forces stay determined.
pub fn ideal(sliding: &Sliding, mu: f64) -> Result<Ideal, Error> {
    let nodes = sliding.slider_nodes();
    let mut closed = vec![false; nodes.len()];
    if let [first, .., last] = &mut closed[..] {
        (*first, *last) = (true, true);
    }
    let load = sliding.scene.normal_load_n_m();
    for round in 1..=MAX_ROUNDS {
        let points = held(&nodes, &closed);
        let (amplitudes, forces) = solve(sliding, &points, mu)?;
        let pulling = points.iter().zip(&forces).min_by(|a, b| a.1.total_cmp(b.1));
        let overlap = |node: &usize| sliding.map.points[*node].gap(&amplitudes);
        let open = nodes.iter().zip(&closed).filter(|(_, closed)| !**closed).map(|(node, _)| node);
        let overlapping = open.min_by(|a, b| overlap(a).total_cmp(&overlap(b)));
        let change = match (pulling, overlapping) {
            (Some((node, force)), _) if *force < -TOLERANCE_LOAD * load => Some(*node),
            (_, Some(node)) if overlap(node) < -TOLERANCE_M => Some(*node),
            _ => None,
        };
        match change {
            None => return settle(sliding, mu, &nodes, &closed, amplitudes, &forces, round),
            Some(node) => {
                for (own, status) in nodes.iter().zip(&mut closed) {
                    *status ^= *own == node;
                }
            }
        }
    }
    Err(Error::Other("no steady sliding with ideal contact: the statuses go round in circles".to_owned()))
}

fn held(nodes: &[usize], closed: &[bool]) -> Vec<usize> {
    nodes.iter().zip(closed).filter(|(_, closed)| **closed).map(|(&node, _)| node).collect()
}

/// Equilibrium with the given points closed: amplitudes and contact forces.
fn solve(sliding: &Sliding, points: &[usize], mu: f64) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let system = &sliding.map.system;
    let (count, held) = (system.len(), points.len());
    let (normals, acting) = sliding.rows(points, mu);
    let stiff = (0..count).map(|k| system.mass[k] * system.omega[k].powi(2)).fold(1.0, f64::max);
    let size = normals.amax().max(f64::MIN_POSITIVE);
    let mut matrix = DMatrix::zeros(count + held, count + held);
    let mut right = DVector::zeros(count + held);
    for k in 0..count {
        matrix[(k, k)] = system.mass[k] * system.omega[k].powi(2) / stiff;
        right[k] = system.steady_force[k] / stiff;
        for i in 0..held {
            matrix[(k, count + i)] = acting[(i, k)] / size;
            matrix[(count + i, k)] = normals[(i, k)] / size;
        }
    }
    for (i, &point) in points.iter().enumerate() {
        right[count + i] = sliding.map.points[point].clearance_m / size;
    }
    let parts = matrix.svd(true, true);
    let least = RANK * parts.singular_values.max();
    let solution = parts.solve(&right, least).map_err(|why| Error::Other(why.to_owned()))?;
    let amplitudes = solution.as_slice()[..count].to_vec();
    let forces = solution.as_slice()[count..].iter().map(|force| force * stiff / size).collect();
    Ok((amplitudes, forces))
}

fn settle(
    sliding: &Sliding,
    mu: f64,
    nodes: &[usize],
    closed: &[bool],
    amplitudes: Vec<f64>,
    forces: &[f64],
    rounds: usize,
) -> Result<Ideal, Error> {
    let points = held(nodes, closed);
    let (normals, acting) = sliding.rows(&points, mu);
    let (left, right) = null_spaces(&normals, &acting)?;
    let mut all_forces = vec![0.0; sliding.map.points.len()];
    let mut pressures = Vec::with_capacity(nodes.len());
    let mut force = forces.iter();
    for (&node, &closed) in nodes.iter().zip(closed) {
        let own = if closed { force.next().copied().unwrap_or(0.0) } else { 0.0 };
        all_forces[node] = own;
        pressures.push(own / sliding.map.points[node].length_m);
    }
    let mut whole = sliding.elastic();
    whole.damping += sliding.falling(mu, &all_forces);
    Ok(Ideal {
        closed: points.len(),
        amplitudes,
        pressures,
        rounds,
        matrices: whole.between(&left, &right),
        basis: right,
    })
}

/// Orthonormal bases of what the rows n and n + μ·d·t do not see, of the same size.
fn null_spaces(normals: &DMatrix<f64>, acting: &DMatrix<f64>) -> Result<(DMatrix<f64>, DMatrix<f64>), Error> {
    let (normal_values, right) = right_vectors(normals)?;
    let (_, left) = right_vectors(acting)?;
    let held = normal_values.iter().filter(|value| **value > RANK * normal_values.max()).count();
    let free = normals.ncols() - held;
    Ok((left.columns(held, free).into_owned(), right.columns(held, free).into_owned()))
}

/// Singular values, largest first, and all right singular vectors as columns. Rows of zeros make the matrix
/// square: the thin decomposition would leave the null space out.
fn right_vectors(rows: &DMatrix<f64>) -> Result<(DVector<f64>, DMatrix<f64>), Error> {
    let square = rows.clone().resize_vertically(rows.nrows().max(rows.ncols()), 0.0);
    let parts = square.svd(false, true);
    let vectors = parts.v_t.ok_or_else(|| Error::Other("the closed points have no null space".to_owned()))?;
    Ok((parts.singular_values, vectors.transpose()))
}
