//! Ideal contact by Algorithm 2 of Dang 2013 (§2.4.3): the contact forces at t_n that leave no
//! penetration at t_{n+1}, from the influence matrix of the penetrating nodes, by Gauss–Seidel.
//!
//! Forces are kept as magnitudes q ≥ 0 per node, N per metre of width. One unit at node l opens the gap
//! at node m by Δ_ml = Σ_k c_k·W_mk·W_lk, with c_k = ∂U_{k,n+1}/∂F_{k,n} (eq. 38) and W the weights of
//! eqs. 37 and 40.

use super::interface::Interface;
use super::touch::Touch;
use crate::math::vector::dot;
use crate::scheme::{CentralDifference, ModalSystem};

/// Penetrations below this count as none: a thousandth of an atom.
const TOLERANCE_M: f64 = 1e-13;
const MAX_SWEEPS: usize = 2000;
/// Rounds of detection within one pass; new nodes appear in the first two or three.
const MAX_ROUNDS: usize = 20;

/// A node that took part in this step.
struct Active {
    touch: Touch,
    weights: Vec<f64>,
    /// c_k·W_k: how one unit of force moves every mode.
    response: Vec<f64>,
    /// δ less the heights: the gap if nothing deflected.
    clearance: f64,
    force: f64,
}

pub struct Lagrange {
    compliance: Vec<f64>,
    predicted: Vec<f64>,
    corrected: Vec<f64>,
    /// Gauss–Seidel sweeps of the whole run.
    pub sweeps: u64,
}

impl Lagrange {
    pub fn new(modes: usize) -> Self {
        Self {
            compliance: vec![0.0; modes],
            predicted: vec![0.0; modes],
            corrected: vec![0.0; modes],
            sweeps: 0,
        }
    }

    /// F_n for the step from t_n to `next_time_s`; leaves the touches, with their forces, in `interface`.
    pub fn solve(
        &mut self,
        system: &ModalSystem,
        scheme: &CentralDifference,
        interface: &mut Interface,
        next_time_s: f64,
        force: &mut [f64],
    ) {
        force.fill(0.0);
        for (k, compliance) in self.compliance.iter_mut().enumerate() {
            *compliance = scheme.compliance(k);
        }
        scheme.predict(system, force, &mut self.predicted);
        self.corrected.copy_from_slice(&self.predicted);
        let mut touches = Vec::new();
        for pass in 0..2 {
            let mut active: Vec<Active> = Vec::new();
            for _ in 0..MAX_ROUNDS {
                interface.detect(next_time_s, &self.corrected);
                let before = active.len();
                self.enlist(interface, pass, &mut active);
                if active.len() == before {
                    break;
                }
                self.sweep(&mut active);
            }
            for node in active.iter().filter(|node| node.force > 0.0) {
                for (total, weight) in force.iter_mut().zip(&node.weights) {
                    *total -= node.force * weight;
                }
                let length = interface.step_m * interface.slave_share(&node.touch);
                let gap = node.clearance - dot(&node.weights, &self.corrected);
                touches.push(Touch { pressure: node.force / length, gap, ..node.touch });
            }
        }
        interface.touches = touches;
    }

    /// Adds the nodes of this pass that penetrate and are not in the list yet.
    fn enlist(&self, interface: &mut Interface, pass: usize, active: &mut Vec<Active>) {
        let found = std::mem::take(&mut interface.touches);
        for touch in found.iter().filter(|touch| touch.pass == pass && touch.gap < -TOLERANCE_M) {
            if active.iter().any(|node| node.touch.slave == touch.slave) {
                continue;
            }
            let mut weights = vec![0.0; self.compliance.len()];
            interface.modal_weights(touch, &mut weights);
            let response = weights.iter().zip(&self.compliance).map(|(w, c)| w * c).collect();
            let clearance = touch.gap + dot(&weights, &self.corrected);
            active.push(Active { touch: *touch, weights, response, clearance, force: 0.0 });
        }
        interface.touches = found;
    }

    /// Gauss–Seidel with q ≥ 0 on the active nodes; moves the corrected amplitudes along.
    fn sweep(&mut self, active: &mut [Active]) {
        for _ in 0..MAX_SWEEPS {
            self.sweeps += 1;
            let mut worst = 0.0f64;
            for node in active.iter_mut() {
                let gap = node.clearance - dot(&node.weights, &self.corrected);
                let own = dot(&node.weights, &node.response);
                let wanted = (node.force - gap / own).max(0.0);
                let change = wanted - node.force;
                worst = worst.max((change * own).abs());
                for (amplitude, response) in self.corrected.iter_mut().zip(&node.response) {
                    *amplitude -= change * response;
                }
                node.force = wanted;
            }
            if worst < TOLERANCE_M {
                break;
            }
        }
    }
}
