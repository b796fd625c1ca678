//! Which blocks to measure in a step.

use super::broad::{Broad, Lie};
use super::lanes::{ROW, Row, lanes_of, spread};
use super::meet::{Meeting, Under};
use super::reading::Reading;
use super::solve::Touching;
use super::strip::Strip;
use crate::contact::Interpolation;
use pulp::Simd;

impl Broad {
    /// Whether any block can touch in a step from deflection `now` to `ahead` (contact-free). Asked in every step, and
    /// mostly the answer is no.
    #[inline(always)]
    pub fn comes_near<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: Lie,
        now: &[f32; K],
        ahead: &[f32; K],
    ) -> bool {
        self.refresh(simd, strip, lie, now, ahead);
        let lie = &lie;
        // In flight a step starts where the last one was read to end.
        if !self.was_read(simd, now) {
            self.read_entries(simd, now);
        }
        self.read[..K].copy_from_slice(ahead);
        let way = simd.splat_f32s(self.way(lie));
        let limit = simd.splat_f32s(self.limit(lie));
        let mut nearest = simd.splat_f32s(f32::MIN);
        let ahead = spread(simd, ahead);
        let mut left = self.list.len();
        for (weights, entry) in self.weighed_entries::<K>() {
            for part in 0..parts_in_use::<S>(&mut left) {
                let start = entry.free.wide::<S>()[part];
                let free = weigh(simd, weights, part, &ahead);
                let seen =
                    simd.mul_add_e_f32s(entry.slope.wide::<S>()[part], way, entry.sight.wide::<S>()[part]);
                let height = simd.min_f32s(seen, entry.bound.wide::<S>()[part]);
                let closest = simd.add_f32s(simd.max_f32s(start, free), height);
                entry.start.wide_mut::<S>()[part] = start;
                entry.free.wide_mut::<S>()[part] = free;
                entry.closest.wide_mut::<S>()[part] = closest;
                nearest = simd.max_f32s(nearest, closest);
            }
        }
        lanes_of(simd, simd.greater_than_f32s(nearest, limit)) != 0
    }

    /// Deflection of the entries where a step begins, as if the step before had been read to end there.
    #[inline(always)]
    fn read_entries<S: Simd, const K: usize>(&mut self, simd: S, now: &[f32; K]) {
        let now = spread(simd, now);
        let mut left = self.list.len();
        for (weights, entry) in self.weighed_entries::<K>() {
            for part in 0..parts_in_use::<S>(&mut left) {
                entry.free.wide_mut::<S>()[part] = weigh(simd, weights, part, &now);
            }
        }
    }

    /// Blocks that come no nearer than this do not touch.
    #[inline(always)]
    fn limit(&self, lie: &Lie) -> f32 {
        -lie.reach - self.swollen(lie)
    }

    /// Whether the entries were last read at this deflection.
    #[inline(always)]
    fn was_read<S: Simd, const K: usize>(&self, simd: S, now: &[f32; K]) -> bool {
        let mut same = true;
        for (read, now) in S::as_simd_f32s(&self.read[..K]).0.iter().zip(S::as_simd_f32s(now).0) {
            same &= lanes_of(simd, simd.equal_f32s(*read, *now)) == (1 << S::F32_LANES) - 1;
        }
        same
    }
}

/// Registers of a row that hold entries, with `left` of them still to come: a short list fills only some.
#[inline(always)]
fn parts_in_use<S: Simd>(left: &mut usize) -> usize {
    let parts = left.div_ceil(S::F32_LANES).min(ROW / S::F32_LANES);
    *left = left.saturating_sub(ROW);
    parts
}

/// Deflection at the blocks of one register.
#[inline(always)]
fn weigh<S: Simd, const K: usize>(simd: S, weights: &[Row; K], part: usize, r: &[S::f32s; K]) -> S::f32s {
    let mut sums = [simd.splat_f32s(0.0); 2];
    for j in 0..K {
        sums[j % 2] = simd.mul_add_e_f32s(weights[j].wide::<S>()[part], r[j], sums[j % 2]);
    }
    simd.add_f32s(sums[0], sums[1])
}

impl Meeting {
    /// Measures the blocks that touched in the last step. They will most likely touch again, and where they lie
    /// does not depend on the deflection, so this need not wait for it.
    #[inline(always)]
    pub(super) fn measure_held<S: Simd>(&mut self, simd: S, strip: &Strip, lie: &Lie) {
        let reading = Reading::new(strip, lie);
        for touching in self.touching.iter_mut().take(self.held) {
            let own = self.top.get(touching.block as usize);
            reading.measure(simd, own.unwrap_or(&Row::ZERO), touching);
        }
        self.work.measured += self.held as u64;
    }

    /// Blocks of the last step are no longer known.
    pub(super) fn let_go_of_held(&mut self) {
        self.held = 0;
    }

    /// All listed blocks that are near enough now or at the end of the step, with their heights.
    #[inline(always)]
    pub(super) fn gather<S: Simd, const K: usize>(&mut self, simd: S, under: &Under) {
        let held = if self.held_in == self.broad.scans { self.held } else { 0 };
        self.let_go_of_held();
        self.count = 0;
        for slot in 0..held {
            let entry = self.keep(simd, under, slot);
            self.broad.pass_over(entry);
        }
        let kept = self.count;
        let limit = simd.splat_f32s(self.broad.limit(&under.lie));
        let reading = Reading::new(under.strip, &under.lie);
        for row in 0..self.broad.list_rows() {
            let Some(entries) = self.broad.entries().get(row) else { break };
            let mut near = 0u32;
            for (part, &closest) in entries.closest.wide::<S>().iter().enumerate() {
                near |= lanes_of(simd, simd.greater_than_f32s(closest, limit)) << (part * S::F32_LANES);
            }
            while near != 0 {
                let lane = near.trailing_zeros() as usize % ROW;
                near &= near - 1;
                self.meet::<S, K>(simd, &reading, under, row * ROW + lane);
            }
        }
        // Friction has changed what those kept yield.
        self.find_yields::<S, K>(simd, if self.rubs { 0 } else { kept });
    }

    /// Keeps a block of the last step if it can touch in this one; its entry.
    #[inline(always)]
    fn keep<S: Simd>(&mut self, simd: S, under: &Under, slot: usize) -> u32 {
        let Some(touching) = self.touching.get_mut(slot) else { return u32::MAX };
        let entry = touching.entry;
        let Some([from, free]) = self.broad.deflections(entry as usize) else { return entry };
        (touching.from, touching.free) = (from, free);
        touching.find_slope(simd, under);
        if touching.can_touch(&under.lie) {
            // Another that was let go may have left a gap before it.
            if slot != self.count {
                self.touching.copy_within(slot..=slot, self.count);
            }
            self.count += 1;
        } else {
            self.broad.see(entry as usize, touching.highest[1], self.broad.way(&under.lie));
        }
        entry
    }

    /// Measures one listed block; kept if it can touch.
    #[inline(always)]
    fn meet<S: Simd, const K: usize>(&mut self, simd: S, reading: &Reading, under: &Under, entry: usize) {
        let lie = &under.lie;
        let Some(&block) = self.broad.list.get(entry) else { return };
        let Some(touching) = self.touching.get_mut(self.count) else { return };
        let Some(own) = self.top.get(block as usize) else { return };
        self.work.measured += 1;
        touching.block = block;
        touching.entry = entry as u32;
        reading.measure(simd, own, touching);
        self.broad.see(entry, touching.highest[1], self.broad.way(lie));
        let (Some(weights), Some([from, free])) =
            (self.broad.block_weights::<K>(block as usize), self.broad.deflections(entry))
        else {
            return;
        };
        touching.weights[..K].copy_from_slice(weights);
        touching.find_slope(simd, under);
        (touching.from, touching.free) = (from, free);
        let last = self.last_force.get(block as usize).copied().unwrap_or((0.0, 0));
        touching.force = if last.1 + 1 == self.work.steps { last.0 } else { 0.0 };
        // Kept or not is a toss-up: its place is taken by the next one rather than asked about.
        self.count += usize::from(touching.can_touch(lie));
    }

    /// What a force does at the nodes, C·w, for each block from number `first` on.
    #[inline(always)]
    fn find_yields<S: Simd, const K: usize>(&mut self, simd: S, first: usize) {
        let Some(compliance) = self.compliance.as_chunks::<K>().0.get(..K) else { return };
        let columns = compliance.as_chunks::<2>().0;
        for touching in self.touching.get_mut(first..self.count).unwrap_or(&mut []) {
            let weights = touching.weights.as_chunks::<2>().0;
            let yields = S::as_mut_simd_f32s(&mut touching.yields[..K]).0;
            // Four registers at a time: enough sums that none waits for the one before it.
            for (group, yields) in yields.chunks_mut(4).enumerate() {
                let mut sums = [[simd.splat_f32s(0.0); 2]; 4];
                for (weights, columns) in weights.iter().zip(columns) {
                    let weights = weights.map(|weight| simd.splat_f32s(weight));
                    for (part, sums) in sums.iter_mut().enumerate().take(yields.len()) {
                        for ((sum, weight), column) in sums.iter_mut().zip(weights).zip(columns) {
                            // C is symmetric: add columns, which lanes can do.
                            let column = S::as_simd_f32s(column).0[4 * group + part];
                            *sum = simd.mul_add_e_f32s(weight, column, *sum);
                        }
                    }
                }
                for (yields, [even, odd]) in yields.iter_mut().zip(sums) {
                    *yields = simd.add_f32s(even, odd);
                }
            }
        }
    }
}

impl Touching {
    /// Slope of the strip under the highest node, where slopes count.
    #[inline(always)]
    fn find_slope<S: Simd>(&mut self, simd: S, under: &Under) {
        let Some(per_metre) = under.per_metre else { return };
        let place = under.lie.places[1];
        let highest = simd.splat_f32s(self.highest[1]);
        let mut peaks = 0;
        for (part, heights) in self.heights[1].wide::<S>().iter().enumerate() {
            peaks |= lanes_of(simd, simd.equal_f32s(*heights, highest)) << (part * S::F32_LANES);
        }
        let at = peaks.trailing_zeros() as usize;
        let window = under.strip.heights_from(place.node - 1 + i64::from(self.block) * ROW as i64);
        let slopes = Interpolation::cubic(f64::from(place.xi)).slopes;
        let slope: f32 = window.iter().skip(at).zip(slopes).map(|(h, s)| h * s as f32).sum();
        self.slope = slope * under.lie.gains[0] * per_metre;
    }
}

#[cfg(test)]
mod tests;
