//! The bodies of one voice: their modes, the nodes under the slider, what the pick-ups read. Shapes along
//! the bodies and the nodes do not depend on size or material: all voices share them.

use super::grid::ShapeGrid;
use super::lanes::{ROW, Row};
use super::modes::ModeTable;
use super::nodes::{Nodes, nodes_needed, put_shape};
use super::pass::{ModalState, Taps};
use super::pickups::{self, Place};
use super::shapes::UnitShapes;
use crate::scene::Body;
use pulp::Simd;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct Stage {
    pub step_s: f64,
    pub resonator: Body,
    pub slider: Body,
    pub shapes: Arc<[UnitShapes; 2]>,
    pub table: ModeTable,
    pub nodes: Arc<Nodes>,
    grid: Arc<ShapeGrid>,
    /// Shapes of the modes of a slider of unit length at the nodes.
    own: Arc<[Row]>,
    pub places: Vec<Place>,
    /// One per pick-up: as they are, and as they will be at the end of the chunk while they change.
    pub taps: Vec<Taps>,
    pub next_taps: Vec<Taps>,
    pub taps_move: bool,
}

impl Stage {
    pub fn new(resonator: Body, slider: Body, places: Vec<Place>, step_s: f64) -> Self {
        let shapes = [
            UnitShapes::new(resonator.beam.ends, resonator.modes),
            UnitShapes::new(slider.beam.ends, slider.modes),
        ];
        let (bodies, refs) = ([&resonator, &slider], [&shapes[0], &shapes[1]]);
        let table = ModeTable::new(bodies, refs, step_s);
        let nodes = Nodes::new(nodes_needed(bodies, refs, &table));
        let grid = ShapeGrid::new(&shapes[0], &table);
        let rows = table.rows.len();
        let mut own = vec![Row::ZERO; rows * nodes.len()];
        for j in 0..nodes.len() {
            for k in table.resonator..table.modes.len() {
                let value = shapes[1].shape(k - table.resonator, nodes.place(j), 1.0);
                put_shape(&mut own, nodes.len(), k, j, value as f32);
            }
        }
        let taps: Vec<Taps> = places.iter().map(|place| pickups::blank(place.quantity, rows)).collect();
        let mut stage = Self {
            step_s,
            resonator,
            slider,
            shapes: Arc::new(shapes),
            table,
            nodes: Arc::new(nodes),
            grid: Arc::new(grid),
            own: own.into(),
            places,
            next_taps: taps.clone(),
            taps,
            taps_move: false,
        };
        stage.refill();
        stage.fill_taps();
        stage.settle_taps();
        stage
    }

    pub fn length_m(&self) -> f64 {
        self.resonator.beam.length_m
    }

    pub fn slider_m(&self) -> f64 {
        self.slider.beam.length_m
    }

    /// Coefficients anew after a body has changed.
    pub fn refill(&mut self) {
        let shapes = [&self.shapes[0], &self.shapes[1]];
        let shortest = self.nodes.shortest_wave_1_m(self.slider_m());
        self.table.fill([&self.resonator, &self.slider], shapes, shortest);
    }

    /// Where the taps will be at the end of the chunk.
    pub fn fill_taps(&mut self) {
        let length = self.length_m();
        for (taps, place) in self.next_taps.iter_mut().zip(&self.places) {
            pickups::fill(taps, place, &self.table, &self.shapes[0], &self.grid, length);
        }
        self.taps_move = true;
    }

    /// The chunk is over: the taps are where they were going.
    pub fn settle_taps(&mut self) {
        if self.taps_move {
            for (taps, next) in self.taps.iter_mut().zip(&self.next_taps) {
                taps.on_w.copy_from_slice(&next.on_w);
                taps.on_q.copy_from_slice(&next.on_q);
            }
            self.taps_move = false;
        }
    }

    /// The nodes of a slider whose rear end stands at `seat_m`, as shares of the resonator's length.
    fn places<const K: usize>(&self, seat_m: f64) -> [f64; K] {
        std::array::from_fn(|j| (seat_m + self.nodes.place(j) * self.slider_m()) / self.length_m())
    }

    /// Φ of a slider whose rear end stands at `seat_m`.
    #[inline(always)]
    pub fn fill_shapes<S: Simd, const K: usize>(&self, simd: S, seat_m: f64, phi: &mut [Row]) {
        let lengths = [self.length_m(), self.slider_m()];
        self.grid.fill(simd, &self.places::<K>(seat_m), lengths, &self.own, phi);
    }

    /// `lever` times the slopes of the resonator's modes there; zero for the slider's.
    #[inline(always)]
    pub fn fill_slopes<S: Simd, const K: usize>(&self, simd: S, seat_m: f64, lever: f64, slopes: &mut [Row]) {
        self.grid.fill_slopes(simd, &self.places::<K>(seat_m), self.length_m(), lever, slopes);
    }

    /// Deflection of the resonator near `place` (a share of its length), for eyes: tables only, no sines.
    pub fn deflection(&self, place: f64, state: &ModalState) -> f32 {
        let rows = self.grid.nearest(place).iter().zip(&state.rows);
        let pairs = rows.flat_map(|(shapes, row)| shapes.0.iter().zip(&row.q.0));
        pairs.map(|(shape, q)| shape * q).sum::<f32>() / self.length_m().sqrt() as f32
    }

    /// C = Σ c·φφᵀ.
    #[inline(always)]
    pub fn fill_compliance<S: Simd, const K: usize>(&self, simd: S, phi: &[Row], compliance: &mut [f32]) {
        for a in 0..K {
            for b in 0..=a {
                let mut sum = simd.splat_f32s(0.0);
                for (table, phi) in self.table.rows.iter().zip(phi.as_chunks::<K>().0) {
                    for part in 0..ROW / S::F32_LANES {
                        let weighted = simd.mul_f32s(table.c.wide::<S>()[part], phi[a].wide::<S>()[part]);
                        sum = simd.mul_add_e_f32s(weighted, phi[b].wide::<S>()[part], sum);
                    }
                }
                let sum = simd.reduce_sum_f32s(sum);
                compliance[a * K + b] = sum;
                compliance[b * K + a] = sum;
            }
        }
    }
}
