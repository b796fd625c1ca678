//! The contact of one voice in one inner step: listed blocks, their heights, and the forces that agree
//! with the deflection they cause.
//!
//! `broad` says which blocks may touch; those near enough are measured (Dang 2013, eqs. 30 and 31, with
//! one local coordinate for all nodes), `solve` finds their forces, and the nodes feel them through the
//! weights that their deflection was read with.

use super::broad::{Broad, Lie};
use super::comb::{Comb, MOST_TOUCHING};
use super::lanes::{ROW, Row, rows_for};
use super::press::{NodeLaw, press, stored};
use super::rub::Grip;
use super::solve::{Touching, UNTOUCHED};
use super::strip::Strip;
use super::tow::Free;
use pulp::Simd;

/// Work done, for tests and the bench.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    pub steps: u64,
    pub contact_steps: u64,
    pub blocks_met: u64,
    pub iterations: u64,
    pub listed: u64,
    /// Steps that looked at the listed blocks at all.
    pub looks: u64,
    /// Blocks whose heights were computed.
    pub measured: u64,
    /// Blocks that began to touch.
    pub shocks: u64,
    /// Steps whose Newton iteration did not close.
    pub unsolved: u64,
}

impl Work {
    pub fn plus(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            contact_steps: self.contact_steps + other.contact_steps,
            blocks_met: self.blocks_met + other.blocks_met,
            iterations: self.iterations + other.iterations,
            listed: self.listed + other.listed,
            looks: self.looks + other.looks,
            measured: self.measured + other.measured,
            shocks: self.shocks + other.shocks,
            unsolved: self.unsolved + other.unsolved,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Meeting {
    pub broad: Broad,
    /// Heights of the slider's blocks over Ra.
    pub top: Vec<Row>,
    /// C, row after row.
    pub compliance: Vec<f32>,
    pub(super) touching: Vec<Touching>,
    pub(super) count: usize,
    /// How many of them touched in the last step and are measured again without being looked for, and in which list
    /// (by the number of its scan) their entries stand.
    pub(super) held: usize,
    pub(super) held_in: u64,
    /// Force of every block when it last touched, and in which step that was: where a solve starts.
    pub(super) last_force: Vec<(f32, u64)>,
    /// Contact energy at the end of the last step, at the heights it was solved with.
    energy: f32,
    pub(super) comb: Comb,
    /// Friction acts.
    pub(super) rubs: bool,
    /// Depth and place of every block that may touch, where there are many.
    pub(super) ranks: Vec<(f32, u32)>,
    pub work: Work,
}

/// What lies under the slider in one step.
pub struct Under<'a> {
    pub law: &'a NodeLaw,
    pub strip: &'a Strip,
    pub lie: Lie,
    /// One over the distance between nodes where slopes count.
    pub per_metre: Option<f32>,
}

/// What a step of contact did.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcome {
    pub touched: bool,
    /// Σ f_b, N per metre of width.
    pub total_force: f32,
    /// Work that moving the heights under a fixed deflection took, J per metre of width.
    pub drive_work: f32,
    /// Energy that a change of the comb has put into the contact.
    pub change_work: f32,
    /// Friction on the slider, N per metre of width, and what pulls it besides.
    pub friction: f64,
    pub free: Option<Free>,
}

/// A step in which something may touch. References only: it is handed on by value.
pub struct Encounter<'a, 'b, const K: usize> {
    pub meeting: &'a mut Meeting,
    pub under: &'a Under<'b>,
    pub now: &'a [f32; K],
    pub ahead: &'a mut [f32; K],
    pub force: &'a mut [f32; K],
    pub grip: &'a mut Option<Grip<'b>>,
}

impl<const K: usize> pulp::WithSimd for Encounter<'_, '_, K> {
    type Output = Outcome;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Outcome {
        let Self { meeting, under, now, ahead, force, grip } = self;
        meeting.step(simd, under, now, ahead, force, grip)
    }
}

impl Meeting {
    pub fn new(nodes: usize, most_blocks: usize) -> Self {
        let blocks = rows_for(most_blocks) * ROW;
        Self {
            broad: Broad::new(nodes, most_blocks),
            top: vec![Row::ZERO; blocks],
            compliance: vec![0.0; nodes * nodes],
            touching: vec![UNTOUCHED; blocks],
            count: 0,
            held: 0,
            held_in: 0,
            last_force: vec![(0.0, 0); blocks],
            energy: 0.0,
            comb: Comb::default(),
            rubs: false,
            ranks: Vec::with_capacity(blocks),
            work: Work::default(),
        }
    }

    /// As new, counts included; the slider's nodes and the compliance stay.
    pub fn reset(&mut self) {
        self.let_go();
        self.forget_forces();
        self.work = Work::default();
        self.broad.scans = 0;
    }

    /// Solves start from nothing.
    pub(super) fn forget_forces(&mut self) {
        self.last_force.fill((0.0, 0));
    }

    /// Nothing touches and nothing is known about what may.
    pub fn let_go(&mut self) {
        self.count = 0;
        self.let_go_of_held();
        self.energy = 0.0;
        self.comb = Comb::default();
        self.broad.every = 1;
        self.forget();
    }

    /// Heights have changed other than by travelling: look again.
    pub fn forget(&mut self) {
        self.let_go_of_held();
        self.broad.forget();
    }

    /// Whether a step is over before it begins: nothing can touch in it, and nothing has touched that would have to
    /// be let go.
    #[inline(always)]
    pub fn passes_by<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: Lie,
        now: &[f32; K],
        ahead: &[f32; K],
    ) -> bool {
        self.work.steps += 1;
        if self.held > 0 {
            self.measure_held(simd, strip, &lie);
        }
        if self.broad.comes_near(simd, strip, lie, now, ahead) || self.energy != 0.0 {
            return false;
        }
        self.count = 0;
        true
    }

    /// Blocks that touched in the last step, and their forces.
    pub fn forces(&self) -> impl Iterator<Item = (u32, f32)> {
        self.touching.iter().take(self.count).filter(|t| t.force > 0.0).map(|t| (t.block, t.force))
    }

    /// For tests of the guard: into the forces that a solve starts from, or into the energy.
    pub(super) fn poison(&mut self, forces: bool, value: f32) {
        if forces {
            let step = self.work.steps;
            self.last_force.fill((value, step));
        } else {
            self.energy = value;
        }
    }

    /// Contact energy stored at present.
    pub fn energy(&self) -> f32 {
        self.energy
    }

    /// Finds the nodal forces `force` of a step that does not pass by, from deflection `now` to `ahead` (contact-free), and
    /// corrects `ahead` by what they do.
    #[inline(always)]
    pub fn step<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        under: &Under,
        now: &[f32; K],
        ahead: &mut [f32; K],
        force: &mut [f32; K],
        grip: &mut Option<Grip>,
    ) -> Outcome {
        let Under { law, strip, lie, .. } = *under;
        self.rubs = grip.is_some();
        self.work.listed += self.broad.list.len() as u64;
        self.work.looks += 1;
        self.gather::<S, K>(simd, under);
        while self.is_crowded() {
            self.broad.comes_near(simd, strip, lie, now, ahead);
            self.gather::<S, K>(simd, under);
        }
        let law = &law.carrying(self.broad.every);
        let changed = self.take_change();
        if self.count == 0 {
            let drive_work = -self.energy;
            self.energy = 0.0;
            let free = grip.as_mut().map(|grip| grip.pay(f64::from(drive_work), &[]));
            return Outcome { drive_work, free, ..Outcome::default() };
        }
        let before: f32 =
            self.touching[..self.count].iter().map(|t| stored(simd, law, &t.heights[0], t.from)).sum();
        // Not the drive's work: nothing has moved.
        let change_work = if changed { before - self.energy } else { 0.0 };
        let mut drive_work = before - self.energy - change_work;
        let moves = lie.moves;
        let (mut friction, mut free) = (0.0, None);
        match grip {
            None => self.solve::<S, K>(simd, law, ahead),
            Some(grip) => {
                free = Some(grip.pay(f64::from(drive_work), &self.touching[..self.count]));
                friction = grip.solve::<S, K>(simd, self, law, ahead);
            }
        }
        force.fill(0.0);
        let mut total_force = 0.0;
        let mut energy = 0.0;
        for t in &self.touching[..self.count] {
            if let Some(last) = self.last_force.get_mut(t.block as usize)
                && t.force > 0.0
            {
                self.work.shocks += u64::from(last.1 + 1 != self.work.steps);
                *last = (t.force, self.work.steps);
            }
            energy += stored(simd, law, &t.heights[1], t.to);
            if moves {
                let mean = press(simd, law, &t.heights, t.from, t.to).force;
                drive_work -= mean * (t.to - t.from);
            }
            total_force += t.force;
            // A force pushes the bodies apart: against r.
            add_scaled::<S, K>(simd, -t.force, &t.weights[..K], force);
            add_scaled::<S, K>(simd, -t.force, &t.yields[..K], ahead);
        }
        if moves {
            // The rest of what the contact has gained came from the heights that moved.
            drive_work += energy - before;
        }
        self.energy = energy;
        // As many as a step without friction ever has.
        let few = energy > 0.0 && self.count <= MOST_TOUCHING;
        (self.held, self.held_in) = (if few { self.count } else { 0 }, self.broad.scans);
        self.work.blocks_met += self.count as u64;
        let touched = total_force > 0.0;
        self.work.contact_steps += u64::from(touched);
        Outcome { touched, total_force, drive_work, change_work, friction, free }
    }
}

/// y ← y + a·x over K numbers.
#[inline(always)]
pub(super) fn add_scaled<S: Simd, const K: usize>(simd: S, a: f32, x: &[f32], y: &mut [f32]) {
    let (Some(x), Some(y)) = (x.first_chunk::<K>(), y.first_chunk_mut::<K>()) else { return };
    let a = simd.splat_f32s(a);
    for (y, x) in S::as_mut_simd_f32s(y).0.iter_mut().zip(S::as_simd_f32s(x).0) {
        *y = simd.mul_add_e_f32s(a, *x, *y);
    }
}
