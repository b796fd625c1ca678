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
    /// Nearer of the two deflections of every listed block, from the last look.
    reaches: Vec<Row>,
    pub work: Work,
}

/// Nothing can touch while the deflection closes by no more than this from where it was.
#[derive(Debug, Clone, Copy)]
struct Calm {
    anchor: [f32; MAX_NODES],
    swell: f32,
    margin: f32,
    steps_left: u32,
}

impl Calm {
    const NONE: Self = Self { anchor: [0.0; MAX_NODES], swell: 0.0, margin: 0.0, steps_left: 0 };
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
        self.calm.steps_left = 0;
        self.broad.forget();
    }

    /// Contact energy stored at present.
    pub fn energy(&self) -> f32 {
        self.energy
    }

    /// Finds the nodal forces `force` of a step from deflection `now` to `ahead` (contact-free), and
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
        if self.calm.steps_left > 0
            && self.broad.covers(lie)
            && self.broad.closing(simd, &self.calm.anchor, ahead) + lie.swell - self.calm.swell
                <= self.calm.margin
        {
            self.calm.steps_left -= 1;
            return Outcome::default();
        }
        self.broad.refresh(simd, strip, lie, now, ahead);
        self.work.listed += self.broad.list.len() as u64;
        self.work.looks += 1;
        self.gather(simd, under, now, ahead);
        if self.count == 0 {
            let drive_work = -self.energy;
            self.energy = 0.0;
            return Outcome { drive_work, ..Outcome::default() };
        }
        self.calm.steps_left = 0;
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
            for (f, w) in force.iter_mut().zip(&t.weights[..K]) {
                *f -= t.force * w;
            }
            for (r, y) in ahead.iter_mut().zip(&t.yields[..K]) {
                *r -= t.force * y;
            }
        }
        self.energy = energy;
        self.work.blocks_met += self.count as u64;
        let touched = total_force > 0.0;
        self.work.contact_steps += u64::from(touched);
        Outcome { touched, total_force, drive_work }
    }

    /// Heights of all listed blocks that are near enough now.
    #[inline(always)]
    fn gather<S: Simd, const K: usize>(&mut self, simd: S, under: &Under, now: &[f32; K], ahead: &[f32; K]) {
        let Under { ref lie, xi, .. } = *under;
        self.count = 0;
        self.calm.steps_left = 0;
        let limit = simd.splat_f32s(-lie.reach);
        let way = self.broad.way(lie, xi);
        let way_now = simd.splat_f32s(way);
        let entries = self.broad.list.len();
        for row in 0..self.broad.list_rows() {
            let (mut from, mut free) = (Row::ZERO, Row::ZERO);
            let mut near = 0u32;
            {
                let Some(entry) = self.broad.entries::<K>(row) else { break };
                let Some(reaches) = self.reaches.get_mut(row) else { break };
                for part in 0..(entries - row * ROW).min(ROW).div_ceil(S::F32_LANES) {
                    let (mut one, mut two) = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
                    for j in 0..K {
                        let weight = entry.weights[j].wide::<S>()[part];
                        one = simd.mul_add_e_f32s(weight, simd.splat_f32s(now[j]), one);
                        two = simd.mul_add_e_f32s(weight, simd.splat_f32s(ahead[j]), two);
                    }
                    let reach = simd.max_f32s(one, two);
                    let (sight, bound) = (entry.sight.wide::<S>()[part], entry.bound.wide::<S>()[part]);
                    let seen = simd.mul_add_e_f32s(entry.slope.wide::<S>()[part], way_now, sight);
                    let closest = simd.add_f32s(reach, simd.min_f32s(seen, bound));
                    reaches.wide_mut::<S>()[part] = reach;
                    from.wide_mut::<S>()[part] = one;
                    free.wide_mut::<S>()[part] = two;
                    near |= lanes_of(simd, simd.greater_than_f32s(closest, limit)) << (part * S::F32_LANES);
                }
            }
            if near != 0 {
                let cubic = Interpolation::cubic(f64::from(xi)).weights.map(|w| w as f32 * lie.gains[0]);
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % ROW;
                    near &= near - 1;
                    let entry = row * ROW + lane;
                    self.meet::<S, K>(simd, under, &cubic, way, entry, (from.0[lane], free.0[lane]));
                }
            }
        }
        if self.count == 0 {
            self.calm_down::<S, K>(simd, lie, way, ahead);
        }
    }

    /// Nothing touches: how far may things go before anything can, with what has just been seen?
    ///
    /// Bounds rise with the way of the strip. Their largest is convex in the way, so between now and
    /// [`Calm::STEPS`] later it stays below the straight line: half of the room is given to the way, half
    /// to the deflection.
    #[inline(always)]
    fn calm_down<S: Simd, const K: usize>(&mut self, simd: S, lie: &Lie, way: f32, ahead: &[f32; K]) {
        let way_now = simd.splat_f32s(way);
        let way_then = simd.splat_f32s(way + lie.travel.abs() * Calm::STEPS);
        let (mut now, mut then) = (simd.splat_f32s(f32::MIN), simd.splat_f32s(f32::MIN));
        let entries = self.broad.list.len();
        for row in 0..self.broad.list_rows() {
            let (Some(entry), Some(reaches)) = (self.broad.entries::<K>(row), self.reaches.get(row)) else {
                break;
            };
            for part in 0..(entries - row * ROW).min(ROW).div_ceil(S::F32_LANES) {
                let (sight, bound) = (entry.sight.wide::<S>()[part], entry.bound.wide::<S>()[part]);
                let (slope, reach) = (entry.slope.wide::<S>()[part], reaches.wide::<S>()[part]);
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
        if steps >= 1.0 {
            self.calm.anchor[..K].copy_from_slice(ahead);
            self.calm.swell = lie.swell;
            self.calm.margin = room - falls * steps / Calm::STEPS;
            self.calm.steps_left = steps as u32;
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
        (from, free): (f32, f32),
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
        if highest + from.max(free) <= -lie.reach {
            return;
        }
        let Some(listed) = self.broad.entries::<K>(entry / ROW) else { return };
        let mut yields = [0.0f32; K];
        let mut weights = [0.0f32; K];
        for ((weight, row), column) in
            weights.iter_mut().zip(listed.weights).zip(self.compliance.as_chunks::<K>().0)
        {
            *weight = row.0[entry % ROW];
            // C is symmetric: add columns, which lanes can do.
            for (y, c) in yields.iter_mut().zip(column) {
                *y += *weight * c;
            }
        }
        touching.weights[..K].copy_from_slice(&weights);
        touching.yields[..K].copy_from_slice(&yields);
        touching.highest = highest;
        touching.from = from;
        touching.free = free;
        touching.block = block;
        let last = self.last_force.get(block as usize).copied().unwrap_or((0.0, 0));
        touching.force = if last.1 + 1 == self.work.steps { last.0 } else { 0.0 };
        self.count += 1;
    }
}
