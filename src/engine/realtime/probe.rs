//! The mode bank alone, as a yardstick for what a voice costs beyond it: all modes of the bench stepped
//! at the inner rate, driven by one modal force and read by one pick-up, and nothing else.

use super::lanes::{ROW, Row, put};
use super::modes::ModeTable;
use super::pass::{ModalRow, ModalState, Taps};
use super::stage::Stage;
use super::{Path, Quality};
use crate::error::Error;
use crate::scene::Scene;
use pulp::Simd;

pub struct Bank {
    stage: Stage,
    state: ModalState,
    /// c·ψ at the place of the force.
    drive: Vec<Row>,
    path: Path,
    steps: u64,
}

impl Bank {
    pub fn new(scene: &Scene, quality: Quality, host_rate_hz: f64, path: Path) -> Result<Self, Error> {
        let step_s = 1.0 / (host_rate_hz * quality.factor(host_rate_hz)? as f64);
        let places = scene.pickups.iter().take(1).map(super::engine::place_of).collect();
        let stage = Stage::new(scene.resonator, scene.slider, places, step_s);
        let mut drive = vec![Row::ZERO; stage.table.rows.len()];
        for k in 0..stage.table.resonator {
            let shape = stage.shapes[0].shape(k, scene.motion.start_m, stage.length_m());
            put(&mut drive, k, (shape * stage.table.modes[k].c) as f32);
        }
        let state = ModalState::new(stage.table.rows.len());
        Ok(Self { stage, state, drive, path, steps: 0 })
    }

    pub fn modes(&self) -> usize {
        self.stage.table.modes.len()
    }

    /// Runs `steps` inner steps under a force that keeps the modes moving; returns the last reading.
    pub fn run(&mut self, steps: usize) -> f32 {
        let Self { stage, state, drive, path, .. } = self;
        self.steps += steps as u64;
        path.run(Ring { table: &stage.table, taps: &stage.taps, state, drive, steps })
    }
}

struct Ring<'a> {
    table: &'a ModeTable,
    taps: &'a [Taps],
    state: &'a mut ModalState,
    drive: &'a [Row],
    steps: usize,
}

impl pulp::WithSimd for Ring<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let two = simd.splat_f32s(2.0);
        let mut heard = 0.0;
        for n in 0..self.steps {
            let force = simd.splat_f32s(if n % 64 == 0 { 1.0 } else { 0.0 });
            let fixed = self.table.rows.iter().zip(self.drive);
            for (state, (table, drive)) in self.state.rows.iter_mut().zip(fixed) {
                let ModalRow { q, w, d, .. } = state;
                for part in 0..ROW / S::F32_LANES {
                    let step = simd.mul_add_e_f32s(drive.wide::<S>()[part], force, d.wide::<S>()[part]);
                    let place = simd.add_f32s(q.wide::<S>()[part], step);
                    let speed = simd.sub_f32s(simd.mul_f32s(two, step), w.wide::<S>()[part]);
                    q.wide_mut::<S>()[part] = place;
                    w.wide_mut::<S>()[part] = speed;
                    let bend = simd.mul_add_e_f32s(two, place, speed);
                    let kept = simd.sub_f32s(speed, simd.mul_f32s(table.e.wide::<S>()[part], bend));
                    d.wide_mut::<S>()[part] = simd.mul_add_e_f32s(table.l.wide::<S>()[part], place, kept);
                }
            }
            for taps in self.taps {
                heard += simd.reduce_sum_f32s(taps.lanes(simd, self.state));
            }
        }
        heard
    }
}
