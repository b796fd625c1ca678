//! The contact of one voice in one inner step: listed blocks, their heights, and the forces that agree
//! with the deflection they cause.
//!
//! `broad` says which blocks may touch; those near enough are measured (Dang 2013, eqs. 30 and 31, with
//! one local coordinate for all nodes), `solve` finds their forces, and the nodes feel them through the
//! weights that their deflection was read with.

use super::broad::{Broad, Lie};
use super::lanes::{ROW, Row, lanes_of, rows_for};
use super::nodes::MAX_NODES;
use super::press::{NodeLaw, stored};
use super::solve::{FEW, Touching, UNTOUCHED};
use super::strip::Strip;
use crate::contact::Interpolation;
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

#[derive(Debug, Clone)]
pub struct Meeting {
    pub broad: Broad,
    /// Heights of the slider's blocks over Ra.
    pub top: Vec<Row>,
    /// C, row after row.
    pub compliance: Vec<f32>,
    pub(super) touching: Vec<Touching>,
    pub(super) count: usize,
    /// Force of every block when it last touched, and in which step that was: where a solve starts.
    last_force: Vec<(f32, u64)>,
    pub(super) system: Vec<f32>,
    /// Contact energy at the end of the last step, at the heights it was solved with.
    energy: f32,
    calm: Calm,
    /// Contact-free deflection of every listed block, and how near it comes to touching, from the last look.
    reaches: Vec<Row>,
    closest: Vec<Row>,
    pub work: Work,
}

/// Nothing can touch for some steps while the deflection stays below this at every node.
#[derive(Debug, Clone, Copy)]
struct Calm {
    below: [f32; MAX_NODES],
    steps_left: u32,
}

impl Calm {
    const NONE: Self = Self { below: [0.0; MAX_NODES], steps_left: 0 };
    /// Most steps that one look is good for.
    const STEPS: f32 = 16.0;
}

/// What lies under the slider in one step.
pub struct Under<'a> {
    pub law: &'a NodeLaw,
    pub strip: &'a Strip,
    pub lie: Lie,
    /// Local coordinate of all nodes at mid-step.
    pub xi: f32,
    /// Ra is changing, so that no look is good for more than its step.
    pub swelling: bool,
}

/// What a step of contact did.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcome {
    pub touched: bool,
    /// Σ f_b, N per metre of width.
    pub total_force: f32,
    /// Work that moving the heights under a fixed deflection took, J per metre of width.
    pub drive_work: f32,
}

/// A step in which something may touch.
pub struct Encounter<'a, const K: usize> {
    pub meeting: &'a mut Meeting,
    pub under: Under<'a>,
    pub now: &'a [f32; K],
    pub ahead: &'a mut [f32; K],
    pub force: &'a mut [f32; K],
}

impl<const K: usize> pulp::WithSimd for Encounter<'_, K> {
    type Output = Outcome;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Outcome {
        let Self { meeting, under, now, ahead, force } = self;
        meeting.step(simd, &under, now, ahead, force)
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
            last_force: vec![(0.0, 0); blocks],
            system: vec![0.0; MAX_NODES * (MAX_NODES + 1)],
            energy: 0.0,
            calm: Calm::NONE,
            reaches: vec![Row::ZERO; rows_for(most_blocks)],
            closest: vec![Row::ZERO; rows_for(most_blocks)],
            work: Work::default(),
        }
    }

    /// As new, counts included; the slider's nodes and the compliance stay.
    pub fn reset(&mut self) {
        self.let_go();
        self.last_force.fill((0.0, 0));
        self.work = Work::default();
        self.broad.scans = 0;
    }

    /// Nothing touches and nothing is known about what may.
    pub fn let_go(&mut self) {
        self.count = 0;
        self.energy = 0.0;
        self.forget();
    }

    /// Heights have changed other than by travelling: look again.
    pub fn forget(&mut self) {
        self.wake();
        self.broad.forget();
    }

    /// Heights move otherwise than they did: no step is calm any more.
    pub fn wake(&mut self) {
        self.calm.steps_left = 0;
    }

    /// One step is over if nothing can touch in it, as the last look has made sure.
    #[inline(always)]
    pub fn stays_calm<S: Simd, const K: usize>(&mut self, simd: S, ahead: &[f32; K]) -> bool {
        if self.calm.steps_left == 0 {
            return false;
        }
        for (r, below) in S::as_simd_f32s(ahead).0.iter().zip(S::as_simd_f32s(&self.calm.below[..K]).0) {
            if simd.first_true_m32s(simd.greater_than_f32s(*r, *below)) != S::F32_LANES {
                return false;
            }
        }
        self.calm.steps_left -= 1;
        self.work.steps += 1;
        true
    }

    /// Blocks that touched in the last step, and their forces.
    pub fn forces(&self) -> impl Iterator<Item = (u32, f32)> {
        self.touching.iter().take(self.count).filter(|t| t.force > 0.0).map(|t| (t.block, t.force))
    }

    /// Contact energy stored at present.
    pub fn energy(&self) -> f32 {
        self.energy
    }

    /// Finds the nodal forces `force` of a step that need not stay calm, from deflection `now` to `ahead` (contact-free), and
    /// corrects `ahead` by what they do.
    #[inline(always)]
    pub fn step<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        under: &Under,
        now: &[f32; K],
        ahead: &mut [f32; K],
        force: &mut [f32; K],
    ) -> Outcome {
        let Under { law, strip, ref lie, .. } = *under;
        self.work.steps += 1;
        self.broad.refresh(simd, strip, lie, now, ahead);
        self.work.listed += self.broad.list.len() as u64;
        self.work.looks += 1;
        self.gather(simd, under, now, ahead);
        if self.count == 0 {
            if !under.swelling {
                self.calm_down::<S, K>(simd, under, ahead);
            }
            let drive_work = -self.energy;
            self.energy = 0.0;
            return Outcome { drive_work, ..Outcome::default() };
        }
        let before: f32 =
            self.touching[..self.count].iter().map(|t| stored(simd, law, &t.heights, t.from)).sum();
        let drive_work = before - self.energy;
        if let NodeLaw::Exponential { lambda, .. } = *law {
            let length = 1.0 / lambda;
            self.solve_steep::<S, K>(simd, law, length);
        } else if self.count <= FEW {
            self.solve_blocks::<S, K>(simd, law);
        } else {
            self.solve_nodes::<S, K>(simd, law, ahead);
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
            energy += stored(simd, law, &t.heights, t.to);
            total_force += t.force;
            // A force pushes the bodies apart: against r.
            add_scaled::<S, K>(simd, -t.force, &t.weights[..K], force);
            add_scaled::<S, K>(simd, -t.force, &t.yields[..K], ahead);
        }
        self.energy = energy;
        self.work.blocks_met += self.count as u64;
        let touched = total_force > 0.0;
        self.work.contact_steps += u64::from(touched);
        Outcome { touched, total_force, drive_work }
    }

    /// Heights of all listed blocks that are near enough now or at the end of the step.
    #[inline(always)]
    fn gather<S: Simd, const K: usize>(&mut self, simd: S, under: &Under, now: &[f32; K], ahead: &[f32; K]) {
        let Under { ref lie, xi, .. } = *under;
        self.count = 0;
        self.calm.steps_left = 0;
        let way = self.broad.way(lie, xi);
        // Only the end of the step is read for every block; the start is at most this much higher.
        let limit = -lie.reach - self.broad.closing(simd, ahead, now).max(0.0);
        if self.nearest::<S, K>(simd, way, ahead) <= limit {
            return;
        }
        let limit = simd.splat_f32s(limit);
        let cubic = Interpolation::cubic(f64::from(xi)).weights.map(|w| w as f32 * lie.gains[0]);
        for row in 0..self.broad.list_rows() {
            let Some(closest) = self.closest.get(row) else { break };
            let mut near = 0u32;
            for (part, &closest) in closest.wide::<S>().iter().enumerate() {
                near |= lanes_of(simd, simd.greater_than_f32s(closest, limit)) << (part * S::F32_LANES);
            }
            while near != 0 {
                let lane = near.trailing_zeros() as usize % ROW;
                near &= near - 1;
                self.meet::<S, K>(simd, under, &cubic, way, row * ROW + lane, now);
            }
        }
    }

    /// Reads the contact-free deflection at all listed blocks; the least gap, negative while open.
    #[inline(always)]
    fn nearest<S: Simd, const K: usize>(&mut self, simd: S, way: f32, ahead: &[f32; K]) -> f32 {
        let way = simd.splat_f32s(way);
        let mut nearest = simd.splat_f32s(f32::MIN);
        let notes = self.reaches.iter_mut().zip(&mut self.closest);
        for (entry, (reaches, closest)) in self.broad.entries::<K>().zip(notes) {
            let parts = reaches.wide_mut::<S>().iter_mut().zip(closest.wide_mut::<S>()).enumerate();
            for (part, (reach, closest)) in parts {
                let (mut even, mut odd) = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
                for j in (0..K).step_by(2) {
                    let [one, two] = [j, j + 1].map(|j| entry.weights[j].wide::<S>()[part]);
                    even = simd.mul_add_e_f32s(one, simd.splat_f32s(ahead[j]), even);
                    odd = simd.mul_add_e_f32s(two, simd.splat_f32s(ahead[j + 1]), odd);
                }
                *reach = simd.add_f32s(even, odd);
                let seen =
                    simd.mul_add_e_f32s(entry.slope.wide::<S>()[part], way, entry.sight.wide::<S>()[part]);
                *closest = simd.add_f32s(*reach, simd.min_f32s(seen, entry.bound.wide::<S>()[part]));
                nearest = simd.max_f32s(nearest, *closest);
            }
        }
        simd.reduce_max_f32s(nearest)
    }

    /// Nothing touches: how far may things go before anything can, with what has just been seen?
    ///
    /// Bounds rise with the way of the strip. Their largest is convex in the way, so between now and
    /// [`Calm::STEPS`] later it stays below the straight line: half of the room is given to the way, half
    /// to the deflection.
    #[inline(always)]
    fn calm_down<S: Simd, const K: usize>(&mut self, simd: S, under: &Under, ahead: &[f32; K]) {
        let lie = &under.lie;
        let way = self.broad.way(lie, under.xi);
        let way_now = simd.splat_f32s(way);
        let way_then = simd.splat_f32s(way + lie.travel.abs() * Calm::STEPS);
        let (mut now, mut then) = (simd.splat_f32s(f32::MIN), simd.splat_f32s(f32::MIN));
        for (entry, reaches) in self.broad.entries::<K>().zip(&self.reaches) {
            for (part, &reach) in reaches.wide::<S>().iter().enumerate() {
                let (sight, bound) = (entry.sight.wide::<S>()[part], entry.bound.wide::<S>()[part]);
                let slope = entry.slope.wide::<S>()[part];
                let near = simd.min_f32s(simd.mul_add_e_f32s(slope, way_now, sight), bound);
                let far = simd.min_f32s(simd.mul_add_e_f32s(slope, way_then, sight), bound);
                now = simd.max_f32s(now, simd.add_f32s(reach, near));
                then = simd.max_f32s(then, simd.add_f32s(reach, far));
            }
        }
        let room = (-simd.reduce_max_f32s(now) - lie.reach).min(self.broad.skin_left(simd, lie, ahead));
        if room <= 0.0 {
            return;
        }
        let room_then = -simd.reduce_max_f32s(then) - lie.reach;
        let falls = (room - room_then).max(0.0);
        let steps = (Calm::STEPS * (0.5 * room / falls.max(f32::MIN_POSITIVE)).min(1.0)).floor();
        let steps = (steps as u32).min(self.broad.steps_covered(lie));
        if steps >= 1 {
            let margin = (room - falls * steps as f32 / Calm::STEPS) / self.broad.lebesgue;
            for (below, r) in self.calm.below.iter_mut().zip(ahead) {
                *below = r + margin;
            }
            self.calm.steps_left = steps;
        }
    }

    /// Heights of one listed block; kept if it can touch.
    #[inline(always)]
    fn meet<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        under: &Under,
        cubic: &[f32; 4],
        way: f32,
        entry: usize,
        now: &[f32; K],
    ) {
        let Under { strip, ref lie, .. } = *under;
        let Some(&block) = self.broad.list.get(entry) else { return };
        let Some(window) = strip.heights_from(lie.node - 1 + i64::from(block) * ROW as i64).get(..ROW + 3)
        else {
            return;
        };
        let Some(touching) = self.touching.get_mut(self.count) else { return };
        self.work.measured += 1;
        let Some(own) = self.top.get(block as usize) else { return };
        let gain = simd.splat_f32s(lie.gains[1]);
        let taps = [
            S::as_simd_f32s(&window[..ROW]).0,
            S::as_simd_f32s(&window[1..ROW + 1]).0,
            S::as_simd_f32s(&window[2..ROW + 2]).0,
            S::as_simd_f32s(&window[3..ROW + 3]).0,
        ];
        let mut highest = simd.splat_f32s(f32::MIN);
        for part in 0..ROW / S::F32_LANES {
            let mut height = simd.mul_f32s(gain, own.wide::<S>()[part]);
            for (weight, tap) in cubic.iter().zip(taps) {
                height = simd.mul_add_e_f32s(simd.splat_f32s(*weight), tap[part], height);
            }
            touching.heights.wide_mut::<S>()[part] = height;
            highest = simd.max_f32s(highest, height);
        }
        let highest = simd.reduce_max_f32s(highest);
        self.broad.see(entry, highest, way);
        let (Some(weights), Some(reaches)) =
            (self.broad.block_weights::<K>(block as usize), self.reaches.get(entry / ROW))
        else {
            return;
        };
        let mut from = simd.splat_f32s(0.0);
        for (weight, now) in S::as_simd_f32s(weights).0.iter().zip(S::as_simd_f32s(now).0) {
            from = simd.mul_add_e_f32s(*weight, *now, from);
        }
        let from = simd.reduce_sum_f32s(from);
        let free = reaches.0[entry % ROW];
        if highest + from.max(free) <= -lie.reach {
            return;
        }
        let Some(compliance) = self.compliance.as_chunks::<K>().0.get(..K) else { return };
        let yields = &mut touching.yields[..K];
        yields.fill(0.0);
        for j in 0..K {
            // C is symmetric: add columns, which lanes can do.
            add_scaled::<S, K>(simd, weights[j], &compliance[j], yields);
        }
        touching.weights[..K].copy_from_slice(weights);
        touching.highest = highest;
        touching.from = from;
        touching.free = free;
        touching.block = block;
        let last = self.last_force.get(block as usize).copied().unwrap_or((0.0, 0));
        touching.force = if last.1 + 1 == self.work.steps { last.0 } else { 0.0 };
        self.count += 1;
    }
}

/// y ← y + a·x over K numbers.
#[inline(always)]
fn add_scaled<S: Simd, const K: usize>(simd: S, a: f32, x: &[f32], y: &mut [f32]) {
    let (Some(x), Some(y)) = (x.first_chunk::<K>(), y.first_chunk_mut::<K>()) else { return };
    let a = simd.splat_f32s(a);
    for (y, x) in S::as_mut_simd_f32s(y).0.iter_mut().zip(S::as_simd_f32s(x).0) {
        *y = simd.mul_add_e_f32s(a, *x, *y);
    }
}
