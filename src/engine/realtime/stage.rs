//! What all voices share: the bodies, their modes, the nodes under the slider, the law of contact.

use super::lanes::Row;
use super::modes::{ModeTable, UnitShapes};
use super::nodes::{Nodes, nodes_needed};
use super::pass::Taps;
use crate::scene::Body;

#[derive(Debug, Clone)]
pub struct Stage {
    pub step_s: f64,
    pub resonator: Body,
    pub slider: Body,
    pub shapes: [UnitShapes; 2],
    pub table: ModeTable,
    pub nodes: Nodes,
    /// One per pick-up.
    pub taps: Vec<Taps>,
}

impl Stage {
    pub fn new(resonator: Body, slider: Body, step_s: f64) -> Self {
        let shapes = [
            UnitShapes::new(resonator.beam.ends, resonator.modes),
            UnitShapes::new(slider.beam.ends, slider.modes),
        ];
        let (bodies, refs) = ([&resonator, &slider], [&shapes[0], &shapes[1]]);
        let table = ModeTable::new(bodies, refs, step_s);
        let nodes = Nodes::new(nodes_needed(bodies, refs, &table));
        Self { step_s, resonator, slider, shapes, table, nodes, taps: Vec::new() }
    }

    pub fn bodies(&self) -> [&Body; 2] {
        [&self.resonator, &self.slider]
    }

    pub fn unit_shapes(&self) -> [&UnitShapes; 2] {
        [&self.shapes[0], &self.shapes[1]]
    }

    /// Φ for a slider whose rear end stands at `seat_m`.
    pub fn fill_shapes(&self, seat_m: f64, phi: &mut [Row]) {
        self.nodes.fill_shapes(seat_m, self.bodies(), self.unit_shapes(), &self.table, phi);
    }

    /// C = Σ c·φφᵀ.
    pub fn fill_compliance(&self, phi: &[Row], compliance: &mut [f32]) {
        let n = self.nodes.len();
        for a in 0..n {
            for b in 0..n {
                let mut sum = 0.0;
                for (c, phi) in self.table.c.iter().zip(phi.chunks_exact(n)) {
                    let terms = phi[a].0.iter().zip(&phi[b].0).zip(&c.0);
                    sum += terms.map(|((a, b), c)| a * b * c).sum::<f32>();
                }
                compliance[a * n + b] = sum;
            }
        }
    }
}
