//! A picture of one voice's contact for eyes, not for sums: both surfaces under the slider, forces, and the
//! resonator's shape, thinned to a fixed number of columns. Fixed size, so taking one allocates nothing.

use super::lanes::ROW;
use super::modes::Answer;
use super::run::node_at;
use super::stage::Stage;
use super::voice::Voice;
use std::f64::consts::TAU;

/// Columns under the slider, points along the resonator, and most natural frequencies shown.
pub const COLUMNS: usize = 256;
pub const POINTS: usize = 128;
pub const NATURALS: usize = 64;

#[derive(Debug, Clone, Copy)]
pub struct ContactView {
    pub resonator_m: f32,
    pub slider_m: f32,
    /// Rear end of the slider on the resonator.
    pub seat_m: f32,
    pub lifted: bool,
    /// Highest point of the resonator's surface and lowest of the slider's within each column, metres above
    /// one datum: they touch where the second is not above the first.
    pub below_m: [f32; COLUMNS],
    pub above_m: [f32; COLUMNS],
    /// Normal force within each column, N per metre of width.
    pub force_n_m: [f32; COLUMNS],
    /// Deflection of the resonator about its rest position, from end to end.
    pub deflection_m: [f32; POINTS],
    pub natural_hz: [f32; NATURALS],
    pub natural_count: usize,
}

impl Default for ContactView {
    fn default() -> Self {
        Self {
            resonator_m: 0.0,
            slider_m: 0.0,
            seat_m: 0.0,
            lifted: true,
            below_m: [0.0; COLUMNS],
            above_m: [0.0; COLUMNS],
            force_n_m: [0.0; COLUMNS],
            deflection_m: [0.0; POINTS],
            natural_hz: [0.0; NATURALS],
            natural_count: 0,
        }
    }
}

impl ContactView {
    pub(super) fn take(&mut self, voice: &Voice, stage: &Stage) {
        self.resonator_m = stage.length_m() as f32;
        self.slider_m = stage.slider_m() as f32;
        self.seat_m = voice.controls.seat_m(stage.length_m(), stage.slider_m()) as f32;
        self.lifted = voice.controls.is_lifted();
        self.take_surfaces(voice, stage);
        self.take_resonator(voice, stage);
    }

    fn take_surfaces(&mut self, voice: &Voice, stage: &Stage) {
        let gains = voice.controls.gains();
        let node = node_at(voice.controls.offset());
        let (top, blocks) = voice.slider_blocks();
        let nodes = (stage.slider_m() / voice.controls.step_m()) as usize + 1;
        let per_column = nodes.div_ceil(COLUMNS).max(1);
        let strip = voice.strip_from(node);
        self.below_m.fill(f32::MIN);
        self.above_m.fill(f32::MAX);
        self.force_n_m.fill(0.0);
        let mut relative = 0.0;
        for n in 0..nodes.min(blocks * ROW) {
            let column = (n / per_column * COLUMNS / nodes.div_ceil(per_column)).min(COLUMNS - 1);
            let (Some(low), Some(row)) = (strip.get(n), top.get(n / ROW)) else { break };
            if n % ROW == 0 {
                relative = voice.relative_deflection(n / ROW);
            }
            let below = gains[0] * low;
            // The gap closes by the deflection; drawn on the slider's side.
            let above = -gains[1] * row.0[n % ROW] - relative;
            self.below_m[column] = self.below_m[column].max(below);
            self.above_m[column] = self.above_m[column].min(above);
        }
        for (block, force) in voice.forces() {
            let middle = block as usize * ROW + ROW / 2;
            let column = (middle * COLUMNS / nodes.max(1)).min(COLUMNS - 1);
            self.force_n_m[column] += force;
        }
        self.fill_gaps();
    }

    /// Fewer nodes than columns leave some empty: they show their neighbour.
    fn fill_gaps(&mut self) {
        for column in 1..COLUMNS {
            if self.below_m[column] == f32::MIN {
                self.below_m[column] = self.below_m[column - 1];
                self.above_m[column] = self.above_m[column - 1];
            }
        }
    }

    fn take_resonator(&mut self, voice: &Voice, stage: &Stage) {
        for (point, deflection) in self.deflection_m.iter_mut().enumerate() {
            *deflection = stage.deflection(point as f64 / (POINTS - 1) as f64, &voice.state);
        }
        self.natural_count = 0;
        for mode in stage.table.modes.iter().take(stage.table.resonator.min(NATURALS)) {
            if mode.answer == Answer::Swings {
                self.natural_hz[self.natural_count] = (mode.omega / TAU) as f32;
                self.natural_count += 1;
            }
        }
    }
}
