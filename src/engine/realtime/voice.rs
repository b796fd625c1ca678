//! One slider on one resonator.

use super::broad::Lie;
use super::lanes::{ROW, Row, put, rows_for};
use super::meet::Meeting;
use super::nodes::MAX_NODES;
use super::pass::{MAX_PICKUPS, ModalState, advance};
use super::press::NodeLaw;
use super::stage::Stage;
use super::texture::{Strip, Surface};
use pulp::Simd;

pub const CHUNK: usize = 64;

pub struct Voice {
    pub state: ModalState,
    pub phi: Vec<Row>,
    pub meeting: Meeting,
    pub strip: Strip,
    pub now: [f32; MAX_NODES],
    pub ahead: [f32; MAX_NODES],
    pub rest: [f32; MAX_NODES],
    pub offset: f64,
    pub gains: [f32; 2],
    pub law: NodeLaw,
    pub blocks: usize,
    pub drive_work: f64,
    pub contact_energy: f64,
    pub max_force: f32,
}

impl Voice {
    pub fn new(stage: &Stage, bottom: &Surface, top: &Surface, law: NodeLaw, seat_m: f64, offset: f64, load: f64) -> Self {
        let n = stage.nodes.len();
        let nodes2 = (stage.slider.beam.length_m / bottom.step_m).round() as usize + 1;
        let blocks = nodes2.div_ceil(ROW);
        let mut meeting = Meeting::new(n, blocks);
        for b in 0..blocks {
            for i in 0..ROW {
                let node = b * ROW + i;
                meeting.top[b].0[i] = if node < nodes2 { top.node(node as i64) } else { -1e30 };
            }
        }
        let tops: Vec<Row> = meeting.top.iter().take(blocks).copied().collect();
        meeting.broad.set_top(&tops);
        meeting.broad.lay(&stage.nodes, blocks, ROW as f64 * bottom.step_m / stage.slider.beam.length_m);
        let rows = stage.table.rows();
        let mut voice = Self {
            state: ModalState::new(rows),
            phi: vec![Row::ZERO; rows * n],
            meeting,
            strip: Strip::new(blocks * ROW, 8192),
            now: [0.0; MAX_NODES],
            ahead: [0.0; MAX_NODES],
            rest: [0.0; MAX_NODES],
            offset,
            gains: [bottom.ra_m as f32, top.ra_m as f32],
            law,
            blocks,
            drive_work: 0.0,
            contact_energy: 0.0,
            max_force: 0.0,
        };
        stage.fill_shapes(seat_m, &mut voice.phi);
        stage.fill_compliance(&voice.phi, &mut voice.meeting.compliance);
        // rest
        let l2 = stage.slider.beam.length_m;
        let mut rest = vec![0.0f64; n];
        for k in 0..stage.table.modes.len() {
            let mode = &stage.table.modes[k];
            if k < stage.table.resonator {
                let mean = stage.shapes[0].mean(k, seat_m, seat_m + l2, stage.resonator.beam.length_m);
                let g = load * mean;
                let q = -g / (mode.modal_mass * mode.warped * mode.warped);
                put(&mut voice.state.steady, k, (mode.c * g) as f32);
                for (j, rest) in rest.iter_mut().enumerate() {
                    let x = seat_m + stage.nodes.place(j) * l2;
                    *rest += q * stage.shapes[0].shape(k, x, stage.resonator.beam.length_m);
                }
            } else {
                let local = k - stage.table.resonator;
                let g = load * stage.shapes[1].mean(local, 0.0, l2, l2);
                put(&mut voice.state.steady, k, (mode.c * g) as f32);
            }
        }
        // touch
        let top_blocks = blocks;
        voice.strip.reach(bottom, offset.floor() as i64 - 16, offset.floor() as i64 + (blocks * ROW) as i64 + 16);
        let mut highest = f64::MIN;
        for b in 0..top_blocks {
            let place = ((b as f64 + 0.5) * ROW as f64 * bottom.step_m / l2).min(1.0);
            let mut x = 0.0;
            stage.nodes.weights(place, |j, w| x += f64::from(w) * rest[j]);
            for i in 0..ROW {
                let n0 = offset.floor() as i64 + (b * ROW + i) as i64;
                let cubic = crate::contact::Interpolation::cubic(offset - offset.floor()).weights;
                let h1: f64 = (0..4).map(|r| cubic[r] * f64::from(bottom.strip_node(n0 - 1 + r as i64))).sum();
                let h = h1 * bottom.ra_m + f64::from(voice.meeting.top[b].0[i]) * top.ra_m + x;
                highest = highest.max(h);
            }
        }
        for j in 0..n {
            voice.rest[j] = (rest[j] - highest) as f32;
            voice.now[j] = voice.rest[j];
            voice.ahead[j] = voice.rest[j];
        }
        // First free step.
        for (d, steady) in voice.state.d.iter_mut().zip(&voice.state.steady) { *d = *steady; }
        voice
    }

    #[inline(always)]
    pub fn run<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, bottom: &Surface, travel: f64, seat: Option<f64>, out: &mut [[f32; CHUNK]; MAX_PICKUPS]) {
        let span = (self.blocks * ROW) as i64;
        let first = self.offset.floor() as i64;
        let last = (self.offset + travel * CHUNK as f64).floor() as i64;
        let margin = 256;
        self.strip.reach(bottom, first.min(last) - margin, first.max(last) + span + margin);
        let mut force = [0.0f32; K];
        let mut now: [f32; K] = std::array::from_fn(|j| self.now[j]);
        let mut ahead: [f32; K] = std::array::from_fn(|j| self.ahead[j]);
        let rest: [f32; K] = std::array::from_fn(|j| self.rest[j]);
        for i in 0..CHUNK {
            if let Some(seat0) = seat {
                if i % 8 == 0 {
                    stage.fill_shapes(seat0 + (self.offset + 4.0 * travel) * bottom.step_m, &mut self.phi);
                    if i == 0 { stage.fill_compliance(&self.phi, &mut self.meeting.compliance); }
                }
            }
            let middle = self.offset + 0.5 * travel;
            let node = middle.floor();
            let lie = Lie { node: node as i64, travel: travel as f32, gains: self.gains, reach: self.law.reach(), slope: bottom.steepest() * self.gains[0] };
            let outcome = self.meeting.step(
                simd, &self.law, &self.strip, &lie, (middle - node) as f32,
                &now, &mut ahead, &mut force,
            );
            self.drive_work += f64::from(outcome.drive_work);
            self.contact_energy = f64::from(outcome.energy);
            self.max_force = self.max_force.max(outcome.total_force);
            now = ahead;
            let push = if outcome.touched { Some(&force) } else { None };
            advance::<S, K>(simd, &stage.table, &mut self.state, &self.phi, push, &mut ahead);
            for (r, rest) in ahead.iter_mut().zip(&rest) { *r += rest; }
            for (out, tap) in out.iter_mut().zip(&stage.taps) { out[i] = tap.read(simd, &self.state); }
            self.offset += travel;
        }
        self.now[..K].copy_from_slice(&now);
        self.ahead[..K].copy_from_slice(&ahead);
    }
    pub fn block_rows(&self) -> usize { rows_for(self.blocks) }
}
