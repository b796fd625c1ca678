//! Energy ledger, level and counts of one voice, and the look of the guard.
//!
//! Stored is Σ½m'(v² + W²q²) - Σg·q + contact energy. It changes by the work of the drive, which is what
//! moving the heights under a fixed deflection takes, and by what the modes dissipate, Σ(2Sm'/k)·d².
//! Both are summed step by step and are independent of the stored energy, so the residual says something.

use super::lanes::ROW;
use super::meet::Outcome;
use super::pass::ModalState;
use super::rub::Rub;
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
    pub fn add(&mut self, outcome: &Outcome, slider_pays: bool) {
        if !slider_pays {
            self.drive += outcome.drive_work;
        }
        self.drive += outcome.change_work;
        self.traffic += outcome.drive_work.abs() + outcome.change_work.abs();
        self.max_force_n_m = self.max_force_n_m.max(outcome.total_force);
    }

    /// Work done by a change of the bodies, the load or the surfaces between two chunks.
    pub fn book(&mut self, work: f64) {
        self.ledger.drive_work += work;
        self.ledger.drive_traffic += work.abs();
    }

    /// What happened along x since the last look.
    pub fn book_rub(&mut self, rub: &mut Rub) {
        self.book(rub.drive_work);
        self.ledger.damping_loss += rub.loss;
        self.ledger.friction_heat += rub.heat;
        self.ledger.drive_traffic += rub.heat.abs();
        (rub.drive_work, rub.loss, rub.heat) = (0.0, 0.0, 0.0);
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
    #[inline(always)]
    pub fn close<S: Simd>(
        &mut self,
        simd: S,
        stage: &Stage,
        state: &ModalState,
        steps: usize,
        stored: f64,
    ) -> bool {
        if !self.begun {
            self.open(stored);
        }
        let [lost, squares] = spent(simd, stage, state);
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

/// What damping took, and the sum of squared velocities, since Σd² was last cleared.
#[inline(always)]
fn spent<S: Simd>(simd: S, stage: &Stage, state: &ModalState) -> [f64; 2] {
    let mut sums = [simd.splat_f32s(0.0); 2];
    for (table, state) in stage.table.rows.iter().zip(&state.rows) {
        for (part, &squares) in state.heat.wide::<S>().iter().enumerate() {
            sums[0] = simd.mul_add_e_f32s(table.heat.wide::<S>()[part], squares, sums[0]);
            sums[1] = simd.mul_add_e_f32s(table.square.wide::<S>()[part], squares, sums[1]);
        }
    }
    sums.map(|sum| f64::from(simd.reduce_sum_f32s(sum)))
}

/// Energy of the modes less the potential of the steady forces.
#[inline(always)]
pub fn modal_energy<S: Simd>(simd: S, stage: &Stage, state: &ModalState) -> f64 {
    let mut sum = simd.splat_f32s(0.0);
    for (table, state) in stage.table.rows.iter().zip(&state.rows) {
        for part in 0..ROW / S::F32_LANES {
            let (q, w) = (state.q.wide::<S>()[part], state.w.wide::<S>()[part]);
            let bent = simd.mul_f32s(table.elastic.wide::<S>()[part], q);
            sum = simd.mul_add_e_f32s(simd.sub_f32s(bent, state.pull.wide::<S>()[part]), q, sum);
            sum = simd.mul_add_e_f32s(simd.mul_f32s(table.kinetic.wide::<S>()[part], w), w, sum);
        }
    }
    f64::from(simd.reduce_sum_f32s(sum))
}
