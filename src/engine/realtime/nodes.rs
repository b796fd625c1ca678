//! The deflection under the slider on a few nodes.
//!
//! Seen over the slider's length the relative deflection r(s) = u₁(x₀ + s) + u₂(s) is smooth: its
//! shortest wave is that of the highest mode. So it is carried by K Chebyshev nodes,
//! s_j = L₂/2·(1 - cos((j + ½)π/K)), and read between them by the barycentric formula
//! (Berrut and Trefethen 2004). A force at s acts on the nodes with the same weights, so that reading
//! and pushing are adjoint and no energy is made between them.

use super::lanes::{ROW, Row, put};
use super::modes::{Answer, Mode, ModeTable, interpolation_error};
use super::shapes::UnitShapes;
use crate::math::bisect;
use crate::scene::Body;
use std::f64::consts::PI;

/// Nodes come in groups of this many, one register of the wide path: 8, 16 or 32.
pub const NODE_GROUP: usize = 8;
/// Most nodes. A mode whose waves these cannot carry is not driven and not heard.
pub const MAX_NODES: usize = 32;
/// Largest interpolation error of the highest mode kept, as a share of its amplitude.
const TOLERANCE: f64 = 0.02;

/// Largest sum of |weights| at any place: no reading between nodes exceeds the nodal values by more.
pub fn lebesgue(nodes: usize) -> f64 {
    2.0 / PI * (nodes as f64).ln() + 1.0
}

/// How many nodes the shortest wave that moves needs.
pub fn nodes_needed(bodies: [&Body; 2], shapes: [&UnitShapes; 2], table: &ModeTable) -> usize {
    let wave = |(k, mode): (usize, &Mode)| {
        let (body, shape, local) = if k < table.resonator {
            (bodies[0], shapes[0], k)
        } else {
            (bodies[1], shapes[1], k - table.resonator)
        };
        if mode.answer == Answer::Swings { shape.wave_number(local, body.beam.length_m) } else { 0.0 }
    };
    let shortest = table.modes.iter().enumerate().map(wave).fold(0.0, f64::max);
    let half_phase = 0.5 * bodies[1].beam.length_m * shortest;
    let mut nodes = NODE_GROUP;
    while nodes < MAX_NODES && interpolation_error(half_phase, nodes) > TOLERANCE {
        nodes *= 2;
    }
    nodes
}

#[derive(Debug, Clone)]
pub struct Nodes {
    /// Places as a share of the slider's length.
    places: Vec<f64>,
    barycentric: Vec<f64>,
    /// Half the phase over the slider of the shortest wave that the nodes carry.
    half_phase: f64,
}

impl Nodes {
    pub fn new(count: usize) -> Self {
        let angle = |j: usize| (j as f64 + 0.5) * PI / count as f64;
        Self {
            places: (0..count).map(|j| 0.5 * (1.0 - angle(j).cos())).collect(),
            barycentric: (0..count)
                .map(|j| if j % 2 == 0 { angle(j).sin() } else { -angle(j).sin() })
                .collect(),
            half_phase: bisect(0.0, 2.0 * count as f64, |z| interpolation_error(z, count) - TOLERANCE),
        }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The largest wave number that is carried over a slider of that length, 1/m.
    pub fn shortest_wave_1_m(&self, slider_m: f64) -> f64 {
        2.0 * self.half_phase / slider_m
    }

    /// Place of node `j` as a share of the slider's length.
    pub fn place(&self, j: usize) -> f64 {
        self.places.get(j).copied().unwrap_or(0.5)
    }

    /// Weights of all nodes at `place` in 0…1, handed out one by one.
    pub fn weights(&self, place: f64, mut out: impl FnMut(usize, f32)) {
        let mut terms = [0.0; MAX_NODES];
        let mut hit = None;
        for (j, ((term, node), weight)) in
            terms.iter_mut().zip(&self.places).zip(&self.barycentric).enumerate()
        {
            let away = place - node;
            if away.abs() < 1e-12 {
                hit = Some(j);
            }
            *term = weight / away;
        }
        if let Some(hit) = hit {
            for j in 0..self.len() {
                out(j, if j == hit { 1.0 } else { 0.0 });
            }
            return;
        }
        let sum: f64 = terms.iter().sum();
        for (j, term) in terms.iter().enumerate().take(self.len()) {
            out(j, (term / sum) as f32);
        }
    }
}

/// Writes Φ of mode `k` at node `j`: rows of modes, node after node within each.
pub fn put_shape(phi: &mut [Row], nodes: usize, k: usize, j: usize, value: f32) {
    put(phi, (k / ROW * nodes + j) * ROW + k % ROW, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_of_the_bench_pass_between_the_nodes() {
        // The 40th mode of the bench is 22.5 mm long, the slider 20 mm.
        let nodes = Nodes::new(8);
        let half_phase = PI * 20.0 / 22.5;
        let wave = |place: f64| (2.0 * half_phase * place + 0.7).sin();
        let mut worst = 0.0f64;
        let mut gain = 0.0f64;
        for i in 0..=500 {
            let place = f64::from(i) / 500.0;
            let (mut value, mut sum) = (0.0, 0.0);
            nodes.weights(place, |j, weight| {
                value += f64::from(weight) * wave(nodes.place(j));
                sum += f64::from(weight.abs());
            });
            worst = worst.max((value - wave(place)).abs());
            gain = gain.max(sum);
        }
        assert!(worst < 1.2 * interpolation_error(half_phase, 8) && worst < 0.02, "{worst}");
        assert!(gain <= lebesgue(8), "{gain}");
    }
}
