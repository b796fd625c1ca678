//! How a slider is put down: the rest position that its load makes, the height at which it first touches, and
//! with friction the depth at which the contact bears the load.

use super::books::modal_energy;
use super::lanes::{ROW, Row, put};
use super::meet::Meeting;
use super::press::press;
use super::rub::Rub;
use super::run::node_at;
use super::stage::Stage;
use super::voice::{Ground, Voice};
use crate::contact::Interpolation;
use crate::scene::Start;
use pulp::Simd;

/// Deepest that a slider is put down, and how often that is halved to find its balance: to a picometre.
const DEEPEST_M: f32 = 1e-4;
const DEPTH_HALVINGS: usize = 26;

impl Voice {
    /// Rest amplitudes for the bodies as they are.
    pub(super) fn find_rest(&mut self, stage: &Stage) {
        let (length, slider) = (stage.length_m(), stage.slider_m());
        let seat = self.controls.seat_m(length, slider);
        let load = self.controls.nominal_load_n_m;
        for k in 0..stage.table.resonator {
            let Some(mode) = stage.table.modes.get(k) else { continue };
            let bearing = load * stage.shapes[0].mean(k, seat, seat + slider, length);
            let own = self.gravity_force * length * stage.shapes[0].whole_mean(k, length);
            if let Some(force) = self.rest_force.get_mut(k) {
                *force = bearing;
            }
            put(&mut self.rest_q, k, (-(bearing + own) * mode.compliance()) as f32);
        }
    }

    /// What the steady forces add to every step: the load on the slider, and on the resonator what holds
    /// the rest position. A lifted slider takes both away.
    pub(super) fn find_steady(&mut self, stage: &Stage) {
        let slider = stage.slider_m();
        let bears = if self.controls.is_lifted() { 0.0 } else { 1.0 };
        for (k, mode) in stage.table.modes.iter().enumerate() {
            let force = if k < stage.table.resonator {
                self.rest_force.get(k).copied().unwrap_or(0.0)
            } else {
                self.controls.load_n_m() * stage.shapes[1].whole_mean(k - stage.table.resonator, slider)
            };
            self.state.pull_mode(k, mode.c, bears * force);
        }
    }

    /// Puts the slider down: everything at rest, the highest asperities just touching.
    #[inline(always)]
    pub(super) fn settle<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, ground: &Ground) {
        self.find_rest(stage);
        self.find_steady(stage);
        if let Some(rub) = &mut self.rub {
            rub.start(self.controls.speed_m_s());
        }
        self.meeting.let_go();
        self.state.still();
        self.state.clear_heat(simd);
        if self.start == Start::Rest {
            for (row, rest) in self.state.rows.iter_mut().zip(&self.rest_q) {
                row.q.0 = rest.0.map(|rest| -rest);
            }
        }
        self.begin::<S, K>(simd, stage);
        self.level = 0.0;
        self.take_seat::<S, K>(simd, stage, self.controls.seat_m(stage.length_m(), stage.slider_m()));
        self.touch_down::<S, K>(simd, stage, ground);
    }

    /// The first entry in the books of a voice that has just been put down.
    #[inline(always)]
    pub(super) fn open_books<S: Simd>(&mut self, simd: S, stage: &Stage) {
        let along = self.rub.as_ref().map_or(0.0, |rub| rub.tow.stored());
        self.books.open(modal_energy(simd, stage, &self.state) + along);
    }

    /// Lowers a slider at rest until it touches the resonator as that is now.
    #[inline(always)]
    pub(super) fn touch_down<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, ground: &Ground) {
        self.reach(ground, 0.0, 0.0);
        self.level = 0.0;
        self.measure_rest::<S, K>(simd);
        let deflection = self.deflection::<S, K>(simd, false);
        self.level = match self.separation_m {
            Some(separation) => separation as f32,
            None => {
                let touching = self.highest_meeting(stage, &deflection);
                // Friction needs the load on the contact from the start.
                let loaded = self.rub.as_ref().is_some_and(Rub::is_felt);
                touching - if loaded { self.sink(simd, touching) } else { 0.0 }
            }
        };
        self.measure_rest::<S, K>(simd);
        self.look_again::<S, K>(simd);
    }

    /// Heights of all blocks and the deflection at their middles, as the contact would see them now.
    fn survey(&mut self, stage: &Stage, deflection: &[f32]) {
        let offset = self.controls.offset();
        let node = offset.floor();
        let cubic = Interpolation::cubic(offset - node).weights.map(|w| w as f32);
        let gains = self.controls.gains();
        let share = ROW as f64 * self.controls.step_m() / stage.slider_m();
        let Meeting { top, touching, .. } = &mut self.meeting;
        for (b, (row, block)) in top.iter().zip(touching).enumerate().take(self.blocks) {
            block.from = 0.0;
            stage.nodes.weights(((b as f64 + 0.5) * share).min(1.0), |j, weight| {
                block.from += weight * deflection[j];
            });
            let mut heights = Row([-1e30; ROW]);
            let window = self.strip.heights_from(node_at(node) - 1 + (b * ROW) as i64);
            for ((stencil, own), height) in window.windows(4).zip(&row.0).zip(&mut heights.0) {
                let below: f32 = stencil.iter().zip(cubic).map(|(h, w)| h * w).sum();
                *height = gains[0] * below + gains[1] * own;
            }
            block.heights = [heights; 2];
        }
    }

    /// Largest sum of both profiles and the deflection.
    fn highest_meeting(&mut self, stage: &Stage, deflection: &[f32]) -> f32 {
        self.survey(stage, deflection);
        let blocks = self.meeting.touching.iter().take(self.blocks);
        blocks.flat_map(|block| block.heights[0].0.map(|height| height + block.from)).fold(f32::MIN, f32::max)
    }

    /// How much lower than `level` the slider's load lies in balance with the contact.
    #[inline(always)]
    fn sink<S: Simd>(&self, simd: S, level: f32) -> f32 {
        let law = self.controls.node_law();
        let load = self.controls.load_n_m() as f32;
        let (mut low, mut high) = (0.0f32, DEEPEST_M);
        for _ in 0..DEPTH_HALVINGS {
            let middle = 0.5 * (low + high);
            // A loop: a closure would be a call without wide registers.
            let mut force = 0.0;
            for block in self.meeting.touching.iter().take(self.blocks) {
                let at = block.from - level + middle;
                force += press(simd, &law, &block.heights, at, at).force;
            }
            if force < load {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}
