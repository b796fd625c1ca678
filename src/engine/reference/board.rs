//! Mode shapes on a grid of nodes: displacement of a node from modal amplitudes (Dang 2013, eq. 27) and
//! modal forces from nodal ones (eq. 35).
//!
//! Rows are contiguous, one per node, and computed once when first needed, by the same function whether
//! all nodes are visited or a few.

use crate::beam::ModalBasis;
use crate::math::vector::{add_scaled, dot};
use std::ops::Range;

/// Bases that lie on the grid, each with the abscissa of node 0 in its own frame.
pub struct Part {
    pub basis: ModalBasis,
    pub origin_m: f64,
    /// Lever of friction on this body: a pull T at the surface acts on mode k with T·arm·ψ_k'. 0 where
    /// friction does not turn it.
    pub arm_m: f64,
}

pub struct Board {
    parts: Vec<Part>,
    step_m: f64,
    /// Which of all modal amplitudes the rows multiply.
    modes: Range<usize>,
    nodes: usize,
    rows: Vec<f64>,
    filled: Vec<bool>,
    /// arm·ψ_k' in the same places; empty where no part has an arm.
    levers: Vec<f64>,
    levers_filled: Vec<bool>,
    deflection: Vec<f64>,
    deflection_tick: Vec<u64>,
    force: Vec<f64>,
    force_tick: Vec<u64>,
    touched: Vec<u32>,
    tick: u64,
}

impl Board {
    pub fn new(parts: Vec<Part>, first_mode: usize, nodes: usize, step_m: f64) -> Self {
        let width: usize = parts.iter().map(|part| part.basis.len()).sum();
        let turned = if parts.iter().any(|part| part.arm_m != 0.0) { nodes } else { 0 };
        Self {
            parts,
            step_m,
            levers: vec![0.0; turned * width],
            levers_filled: vec![false; turned],
            modes: first_mode..first_mode + width,
            nodes,
            rows: vec![0.0; nodes * width],
            filled: vec![false; nodes],
            deflection: vec![0.0; nodes],
            deflection_tick: vec![0; nodes],
            force: vec![0.0; nodes],
            force_tick: vec![0; nodes],
            touched: Vec::with_capacity(64),
            tick: 0,
        }
    }

    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Share of a step that a node stands for in the trapezoidal rule of eq. 35.
    #[inline]
    pub fn share(&self, node: usize) -> f64 {
        if node == 0 || node + 1 == self.nodes { 0.5 } else { 1.0 }
    }

    /// ψ_k at a node, for this board's modes.
    pub fn row(&mut self, node: usize) -> &[f64] {
        let width = self.modes.len();
        let range = node * width..(node + 1) * width;
        if !self.filled[node] {
            let x = node as f64 * self.step_m;
            let mut rest = &mut self.rows[range.clone()];
            for part in &self.parts {
                let (row, after) = rest.split_at_mut(part.basis.len());
                part.basis.shapes_at(part.origin_m + x, row);
                rest = after;
            }
            self.filled[node] = true;
        }
        &self.rows[range]
    }

    /// Adds to modal forces what a pull along the surface does at a node where sliding opens the gap by
    /// `opening` per metre: T·(opening·ψ_k + arm·ψ_k').
    pub fn add_pull(&mut self, node: usize, pull: f64, opening: f64, out: &mut [f64]) {
        let modes = self.modes.clone();
        if opening != 0.0 {
            add_scaled(&mut out[modes.clone()], pull * opening, self.row(node));
        }
        if !self.levers.is_empty() {
            add_scaled(&mut out[modes], pull, self.lever(node));
        }
    }

    fn lever(&mut self, node: usize) -> &[f64] {
        let width = self.modes.len();
        let range = node * width..(node + 1) * width;
        if !self.levers_filled[node] {
            let x = node as f64 * self.step_m;
            let mut place = range.start;
            for part in &self.parts {
                for k in 0..part.basis.len() {
                    self.levers[place] = part.arm_m * part.basis.slope(k, part.origin_m + x);
                    place += 1;
                }
            }
            self.levers_filled[node] = true;
        }
        &self.levers[range]
    }

    /// Forgets displacements and forces of the last instant.
    pub fn begin(&mut self) {
        self.tick += 1;
        self.touched.clear();
    }

    /// u at a node (eq. 27), computed once an instant.
    #[inline]
    pub fn deflection(&mut self, node: usize, amplitudes: &[f64]) -> f64 {
        if self.deflection_tick[node] != self.tick {
            let modes = self.modes.clone();
            self.deflection[node] = dot(self.row(node), &amplitudes[modes]);
            self.deflection_tick[node] = self.tick;
        }
        self.deflection[node]
    }

    /// u at every node, needed or not: the paper's loop.
    pub fn deflect_all(&mut self, amplitudes: &[f64]) {
        for node in 0..self.nodes {
            self.deflection(node, amplitudes);
        }
    }

    /// u at a node for amplitudes of another instant; remembers nothing.
    pub fn peek(&mut self, node: usize, amplitudes: &[f64]) -> f64 {
        let modes = self.modes.clone();
        dot(self.row(node), &amplitudes[modes])
    }

    /// Adds to the force per unit length at a node.
    pub fn add_force(&mut self, node: usize, force: f64) {
        if self.force_tick[node] != self.tick {
            self.force_tick[node] = self.tick;
            self.force[node] = 0.0;
            self.touched.push(node as u32);
        }
        self.force[node] += force;
    }

    /// Force at a node, zero where none was added.
    fn force_at(&self, node: usize) -> f64 {
        if self.force_tick[node] == self.tick { self.force[node] } else { 0.0 }
    }

    /// F_k = χ/2·Σ_l(ψ_k(x_l)·f_l + ψ_k(x_{l+1})·f_{l+1}) (eq. 35) over the nodes that carry a force.
    /// Pairs without one would add zero and are left out.
    pub fn project(&mut self, out: &mut [f64]) {
        let modes = self.modes.clone();
        let out = &mut out[modes];
        out.fill(0.0);
        self.touched.sort_unstable();
        let touched = std::mem::take(&mut self.touched);
        let mut next_pair = 0;
        for &node in &touched {
            let node = node as usize;
            for pair in node.saturating_sub(1).max(next_pair)..=node.min(self.nodes - 2) {
                self.add_pair(pair, out);
                next_pair = pair + 1;
            }
        }
        self.touched = touched;
        self.scale(out);
    }

    /// Eq. 35 over all nodes: the paper's loop.
    pub fn project_all(&mut self, out: &mut [f64]) {
        let modes = self.modes.clone();
        let out = &mut out[modes];
        out.fill(0.0);
        for pair in 0..self.nodes - 1 {
            let (left, right) = (self.force_at(pair), self.force_at(pair + 1));
            let width = out.len();
            let rows = &self.rows[pair * width..(pair + 2) * width];
            let (left_row, right_row) = rows.split_at(width);
            for k in 0..width {
                out[k] += left_row[k] * left + right_row[k] * right;
            }
        }
        self.scale(out);
    }

    /// Rows of unloaded nodes need not exist: zero times anything adds nothing.
    fn add_pair(&mut self, pair: usize, out: &mut [f64]) {
        let (left, right) = (self.force_at(pair), self.force_at(pair + 1));
        if right == 0.0 {
            add_scaled(out, left, self.row(pair));
        } else if left == 0.0 {
            add_scaled(out, right, self.row(pair + 1));
        } else {
            self.row(pair);
            self.row(pair + 1);
            let width = out.len();
            let (left_row, right_row) = self.rows[pair * width..(pair + 2) * width].split_at(width);
            for k in 0..width {
                out[k] += left_row[k] * left + right_row[k] * right;
            }
        }
    }

    fn scale(&self, out: &mut [f64]) {
        for value in out {
            *value *= 0.5 * self.step_m;
        }
    }
}
