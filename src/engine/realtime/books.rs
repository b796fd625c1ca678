//! Energy ledger, level and counts of one voice, and the look of the guard.
//!
//! Stored is Σ½m'(v² + W²q²) - Σg·q + contact energy. It changes by the work of the drive, which is what
//! moving the heights under a fixed deflection takes, and by what the modes dissipate, Σ(2Sm'/k)·d².
//! Both are summed step by step and are independent of the stored energy, so the residual says something.

use super::lanes::{Row, get};
use super::meet::Outcome;
use super::pass::ModalState;
use super::stage::Stage;
use crate::record::EnergyLedger;
use pulp::Simd;

/// Energy beyond which a state is a runaway, J per metre of width: a steel block at 50 m/s has 1e3.
const RUNAWAY_J_M: f64 = 1e6;

#[derive(Debug, Clone, Default)]
pub struct Books {
    pub ledger: EnergyLedger,
    begun: bool,
    /// Of the chunk in progress.
    drive: f32,
    traffic: f32,
    /// Σ over steps of Σ_k v_k², (m/s)²·m.
    pub squares: f64,
    pub steps: u64,
    pub max_force_n_m: f32,
    /// How often the guard had to start this voice again.
    pub restarts: u64,
}

impl Books {
    #[inline(always)]
    pub fn add(&mut self, outcome: &Outcome) {
        self.drive += outcome.drive_work;
        self.traffic += outcome.drive_work.abs();
        self.max_force_n_m = self.max_force_n_m.max(outcome.total_force);
    }

    /// Work done by a change of the bodies, the load or the surfaces between two chunks.
    pub fn book(&mut self, work: f64) {
        self.ledger.drive_work += work;
        self.ledger.drive_traffic += work.abs();
    }

    /// Counts from here on: the level's skipped start is over.
    pub fn forget_level(&mut self) {
        self.squares = 0.0;
        self.steps = 0;
        self.max_force_n_m = 0.0;
    }

    /// The first entry.
    pub fn open(&mut self, stored: f64) {
        self.ledger = EnergyLedger { initial: stored, stored, ..EnergyLedger::default() };
        self.begun = true;
    }

    /// Closes a chunk; false when its state is not one that physics can reach.
    pub fn close(&mut self, stage: &Stage, heat: &[Row], steps: usize, stored: f64) -> bool {
        if !self.begun {
            self.open(stored);
        }
        let (mut lost, mut squares) = (0.0, 0.0);
        for (k, mode) in stage.table.modes.iter().enumerate() {
            let d2 = f64::from(get(heat, k));
            lost += mode.heat * d2;
            if k < stage.table.resonator {
                squares += mode.square_gain(stage.step_s) * d2;
            }
        }
        let sound = stored.is_finite() && lost.is_finite() && stored.abs() < RUNAWAY_J_M;
        if sound {
            self.ledger.stored = stored;
            self.ledger.damping_loss += lost;
            self.book(f64::from(self.drive));
            self.ledger.drive_traffic += f64::from(self.traffic - self.drive.abs());
            self.squares += squares;
            self.steps += steps as u64;
        }
        self.drive = 0.0;
        self.traffic = 0.0;
        sound
    }
}

/// Energy of the modes less the potential of the steady forces.
#[inline(always)]
pub fn modal_energy<S: Simd>(simd: S, stage: &Stage, state: &ModalState) -> f64 {
    let table = &stage.table;
    let mut sum = simd.splat_f32s(0.0);
    for (g, (q, w)) in state.q.iter().zip(&state.w).enumerate() {
        let (Some(kinetic), Some(elastic)) = (table.kinetic.get(g), table.elastic.get(g)) else { continue };
        for (part, (&q, &w)) in q.wide::<S>().iter().zip(w.wide::<S>()).enumerate() {
            sum = simd.mul_add_e_f32s(kinetic.wide::<S>()[part], simd.mul_f32s(w, w), sum);
            sum = simd.mul_add_e_f32s(elastic.wide::<S>()[part], simd.mul_f32s(q, q), sum);
        }
    }
    let mut energy = f64::from(simd.reduce_sum_f32s(sum));
    for (k, mode) in table.modes.iter().enumerate() {
        let steady = f64::from(get(&state.steady, k));
        if steady != 0.0 {
            energy -= steady / mode.c * f64::from(get(&state.q, k));
        }
    }
    energy
}
