//! Which blocks to measure in a step, and for how long none need be.

use super::broad::Place;
use super::lanes::{ROW, lanes_of};
use super::meet::{Meeting, Under};
use super::nodes::MAX_NODES;
use super::solve::Touching;
use crate::contact::Interpolation;
use pulp::Simd;

/// Nothing can touch for some steps while the deflection stays below this at every node.
#[derive(Debug, Clone, Copy)]
pub struct Calm {
    pub below: [f32; MAX_NODES],
    pub steps_left: u32,
}

impl Calm {
    pub const NONE: Self = Self { below: [0.0; MAX_NODES], steps_left: 0 };
    /// Most steps that one look is good for.
    const STEPS: f32 = 16.0;
}

impl Meeting {
    /// Heights of all listed blocks that are near enough now or at the end of the step.
    #[inline(always)]
    pub(super) fn gather<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        under: &Under,
        now: &[f32; K],
        ahead: &[f32; K],
    ) {
        let lie = &under.lie;
        self.count = 0;
        self.calm.steps_left = 0;
        let way = self.broad.way(lie);
        // Only the end of the step is read for every block; the start is at most this much higher.
        let limit = -lie.reach - self.broad.closing(simd, ahead, now).max(0.0);
        if self.nearest::<S, K>(simd, way, ahead) <= limit {
            return;
        }
        let limit = simd.splat_f32s(limit);
        let cubic =
            |at: Place| Interpolation::cubic(f64::from(at.xi)).weights.map(|w| w as f32 * lie.gains[0]);
        let first = cubic(lie.places[0]);
        let cubics = [first, if lie.moves() { cubic(lie.places[1]) } else { first }];
        for row in 0..self.broad.list_rows() {
            let Some(entries) = self.broad.entries().get(row) else { break };
            let mut near = 0u32;
            for (part, &closest) in entries.closest.wide::<S>().iter().enumerate() {
                near |= lanes_of(simd, simd.greater_than_f32s(closest, limit)) << (part * S::F32_LANES);
            }
            while near != 0 {
                let lane = near.trailing_zeros() as usize % ROW;
                near &= near - 1;
                self.meet::<S, K>(simd, under, &cubics, way, row * ROW + lane, now);
            }
        }
    }

    /// Reads the contact-free deflection at all listed blocks; the least gap, negative while open.
    #[inline(always)]
    fn nearest<S: Simd, const K: usize>(&mut self, simd: S, way: f32, ahead: &[f32; K]) -> f32 {
        let way = simd.splat_f32s(way);
        let mut nearest = simd.splat_f32s(f32::MIN);
        for (weights, entry) in self.broad.weighed_entries::<K>() {
            for part in 0..ROW / S::F32_LANES {
                let (mut even, mut odd) = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
                for j in (0..K).step_by(2) {
                    let [one, two] = [j, j + 1].map(|j| weights[j].wide::<S>()[part]);
                    even = simd.mul_add_e_f32s(one, simd.splat_f32s(ahead[j]), even);
                    odd = simd.mul_add_e_f32s(two, simd.splat_f32s(ahead[j + 1]), odd);
                }
                let deflection = simd.add_f32s(even, odd);
                entry.deflection.wide_mut::<S>()[part] = deflection;
                let seen =
                    simd.mul_add_e_f32s(entry.slope.wide::<S>()[part], way, entry.sight.wide::<S>()[part]);
                let closest = simd.add_f32s(deflection, simd.min_f32s(seen, entry.bound.wide::<S>()[part]));
                entry.closest.wide_mut::<S>()[part] = closest;
                nearest = simd.max_f32s(nearest, closest);
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
    pub(super) fn calm_down<S: Simd, const K: usize>(&mut self, simd: S, under: &Under, ahead: &[f32; K]) {
        let lie = &under.lie;
        let way = self.broad.way(lie);
        let way_now = simd.splat_f32s(way);
        let way_then = simd.splat_f32s(way + lie.travel.abs() * Calm::STEPS);
        let (mut now, mut then) = (simd.splat_f32s(f32::MIN), simd.splat_f32s(f32::MIN));
        for entry in self.broad.entries() {
            for (part, &reach) in entry.deflection.wide::<S>().iter().enumerate() {
                let (sight, bound) = (entry.sight.wide::<S>()[part], entry.bound.wide::<S>()[part]);
                let slope = entry.slope.wide::<S>()[part];
                let near = simd.min_f32s(simd.mul_add_e_f32s(slope, way_now, sight), bound);
                let far = simd.min_f32s(simd.mul_add_e_f32s(slope, way_then, sight), bound);
                now = simd.max_f32s(now, simd.add_f32s(reach, near));
                then = simd.max_f32s(then, simd.add_f32s(reach, far));
            }
        }
        let room = (-simd.reduce_max_f32s(now) - lie.reach).min(self.broad.skin_left);
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
        cubics: &[[f32; 4]; 2],
        way: f32,
        entry: usize,
        now: &[f32; K],
    ) {
        let Under { strip, ref lie, .. } = *under;
        let Some(&block) = self.broad.list.get(entry) else { return };
        let Some(touching) = self.touching.get_mut(self.count) else { return };
        self.work.measured += 1;
        let Some(own) = self.top.get(block as usize) else { return };
        let gain = simd.splat_f32s(lie.gains[1]);
        let mut highest = [f32::MIN; 2];
        let times = if lie.moves() { 2 } else { 1 };
        for (time, place) in lie.places.into_iter().enumerate().take(times) {
            let Some(window) =
                strip.heights_from(place.node - 1 + i64::from(block) * ROW as i64).get(..ROW + 3)
            else {
                return;
            };
            let taps = [
                S::as_simd_f32s(&window[..ROW]).0,
                S::as_simd_f32s(&window[1..ROW + 1]).0,
                S::as_simd_f32s(&window[2..ROW + 2]).0,
                S::as_simd_f32s(&window[3..ROW + 3]).0,
            ];
            let mut most = simd.splat_f32s(f32::MIN);
            for part in 0..ROW / S::F32_LANES {
                let mut height = simd.mul_f32s(gain, own.wide::<S>()[part]);
                for (weight, tap) in cubics[time].iter().zip(taps) {
                    height = simd.mul_add_e_f32s(simd.splat_f32s(*weight), tap[part], height);
                }
                touching.heights[time].wide_mut::<S>()[part] = height;
                most = simd.max_f32s(most, height);
            }
            highest[time] = simd.reduce_max_f32s(most);
        }
        if times == 1 {
            (touching.heights[1], highest[1]) = (touching.heights[0], highest[0]);
        }
        self.broad.see(entry, highest[1], way);
        let (Some(weights), Some(entries)) =
            (self.broad.block_weights::<K>(block as usize), self.broad.entries().get(entry / ROW))
        else {
            return;
        };
        let mut from = simd.splat_f32s(0.0);
        for (weight, now) in S::as_simd_f32s(weights).0.iter().zip(S::as_simd_f32s(now).0) {
            from = simd.mul_add_e_f32s(*weight, *now, from);
        }
        let from = simd.reduce_sum_f32s(from);
        let free = entries.deflection.0[entry % ROW];
        if (highest[0] + from).max(highest[1] + free) <= -lie.reach {
            return;
        }
        touching.weights[..K].copy_from_slice(weights);
        touching.block = block;
        if let Some(per_metre) = under.per_metre {
            touching.slope = slope_of_highest(touching, under) * lie.gains[0] * per_metre;
        }
        touching.highest = highest[1];
        touching.from = from;
        touching.free = free;
        let last = self.last_force.get(block as usize).copied().unwrap_or((0.0, 0));
        touching.force = if last.1 + 1 == self.work.steps { last.0 } else { 0.0 };
        self.count += 1;
    }
}

impl Meeting {
    /// What a force on each block does at the nodes: C·w.
    #[inline(always)]
    pub(super) fn find_yields<S: Simd, const K: usize>(&mut self, simd: S) {
        let Some(compliance) = self.compliance.as_chunks::<K>().0.get(..K) else { return };
        for touching in &mut self.touching[..self.count] {
            let yields = S::as_mut_simd_f32s(&mut touching.yields[..K]).0;
            for (part, yields) in yields.iter_mut().enumerate() {
                let mut sums = [simd.splat_f32s(0.0); 2];
                for (j, (weight, column)) in touching.weights.iter().zip(compliance).enumerate() {
                    // C is symmetric: add columns, which lanes can do.
                    let column = S::as_simd_f32s(column).0[part];
                    sums[j % 2] = simd.mul_add_e_f32s(simd.splat_f32s(*weight), column, sums[j % 2]);
                }
                *yields = simd.add_f32s(sums[0], sums[1]);
            }
        }
    }
}

/// Slope of the strip under the highest node of a block, per node, over Ra.
fn slope_of_highest(touching: &Touching, under: &Under) -> f32 {
    let place = under.lie.places[1];
    let heights = touching.heights[1].0.iter().enumerate();
    let (at, _) = heights.fold((0, f32::MIN), |best, (i, h)| if *h > best.1 { (i, *h) } else { best });
    let window = under.strip.heights_from(place.node - 1 + i64::from(touching.block) * ROW as i64);
    let slopes = Interpolation::cubic(f64::from(place.xi)).slopes;
    window.iter().skip(at).zip(slopes).map(|(h, s)| h * s as f32).sum()
}
