//! Which blocks to measure in a step.

use super::broad::{Broad, Lie};
use super::comb::MOST_TOUCHING;
use super::lanes::{ROW, Row, lanes_of};
use super::meet::{Meeting, Under};
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
        lie: &Lie,
        now: &[f32; K],
        ahead: &[f32; K],
    ) -> bool {
        self.refresh(simd, strip, lie, now, ahead);
        // In flight a step starts where the last one was read to end.
        let goes_on = self.was_read(simd, now);
        self.read[..K].copy_from_slice(ahead);
        let way = simd.splat_f32s(self.way(lie));
        let limit = simd.splat_f32s(self.limit(lie));
        let mut nearest = simd.splat_f32s(f32::MIN);
        for (weights, entry) in self.weighed_entries::<K>() {
            for part in 0..ROW / S::F32_LANES {
                let start =
                    if goes_on { entry.free.wide::<S>()[part] } else { weigh(simd, weights, part, now) };
                let free = weigh(simd, weights, part, ahead);
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

/// Deflection at the blocks of one register.
#[inline(always)]
fn weigh<S: Simd, const K: usize>(simd: S, weights: &[Row; K], part: usize, r: &[f32; K]) -> S::f32s {
    let mut sums = [simd.splat_f32s(0.0); 2];
    for j in 0..K {
        sums[j % 2] = simd.mul_add_e_f32s(weights[j].wide::<S>()[part], simd.splat_f32s(r[j]), sums[j % 2]);
    }
    simd.add_f32s(sums[0], sums[1])
}

impl Meeting {
    /// Measures the blocks that touched in the last step. They will most likely touch again, and where they lie
    /// does not depend on the deflection, so this need not wait for it.
    #[inline(always)]
    pub(super) fn measure_held<S: Simd>(&mut self, simd: S, under: &Under) {
        for touching in self.touching.iter_mut().take(self.held) {
            let own = self.top.get(touching.block as usize);
            measure(simd, under, own.unwrap_or(&Row::ZERO), touching);
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
        let mut known = [u32::MAX; MOST_TOUCHING];
        for (slot, known) in known.iter_mut().enumerate().take(held) {
            *known = self.keep(under, slot);
        }
        let kept = self.count;
        let limit = simd.splat_f32s(self.broad.limit(&under.lie));
        for row in 0..self.broad.list_rows() {
            let Some(entries) = self.broad.entries().get(row) else { break };
            let mut near = 0u32;
            for (part, &closest) in entries.closest.wide::<S>().iter().enumerate() {
                near |= lanes_of(simd, simd.greater_than_f32s(closest, limit)) << (part * S::F32_LANES);
            }
            for entry in known.iter().take(held).filter(|entry| **entry as usize / ROW == row) {
                near &= !(1 << (*entry as usize % ROW));
            }
            while near != 0 {
                let lane = near.trailing_zeros() as usize % ROW;
                near &= near - 1;
                self.meet::<S, K>(simd, under, row * ROW + lane);
            }
        }
        // Friction has changed what those kept yield.
        self.find_yields::<S, K>(simd, if self.rubs { 0 } else { kept });
    }

    /// Keeps a block of the last step if it can touch in this one; its entry.
    #[inline(always)]
    fn keep(&mut self, under: &Under, slot: usize) -> u32 {
        let Some(touching) = self.touching.get_mut(slot) else { return u32::MAX };
        let entry = touching.entry;
        let Some([from, free]) = self.broad.deflections(entry as usize) else { return entry };
        (touching.from, touching.free) = (from, free);
        touching.find_slope(under);
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
    fn meet<S: Simd, const K: usize>(&mut self, simd: S, under: &Under, entry: usize) {
        let lie = &under.lie;
        let Some(&block) = self.broad.list.get(entry) else { return };
        let Some(touching) = self.touching.get_mut(self.count) else { return };
        let Some(own) = self.top.get(block as usize) else { return };
        self.work.measured += 1;
        touching.block = block;
        touching.entry = entry as u32;
        measure(simd, under, own, touching);
        self.broad.see(entry, touching.highest[1], self.broad.way(lie));
        let (Some(weights), Some([from, free])) =
            (self.broad.block_weights::<K>(block as usize), self.broad.deflections(entry))
        else {
            return;
        };
        touching.weights[..K].copy_from_slice(weights);
        touching.find_slope(under);
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
        for touching in self.touching.iter_mut().take(self.count).skip(first) {
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

/// Heights of a block (Dang 2013, eqs. 30 and 31, with one local coordinate for all nodes), at the start and at the
/// end of the step, and the highest of them.
#[inline(always)]
fn measure<S: Simd>(simd: S, under: &Under, own: &Row, touching: &mut Touching) {
    let Under { strip, ref lie, .. } = *under;
    let gain = simd.splat_f32s(lie.gains[1]);
    let times = if lie.moves { 2 } else { 1 };
    for (time, place) in lie.places.into_iter().enumerate().take(times) {
        let first = place.node - 1 + i64::from(touching.block) * ROW as i64;
        let Some(window) = strip.heights_from(first).get(..ROW + 3) else {
            touching.highest = [f32::MIN; 2];
            return;
        };
        let taps = [
            S::as_simd_f32s(&window[..ROW]).0,
            S::as_simd_f32s(&window[1..ROW + 1]).0,
            S::as_simd_f32s(&window[2..ROW + 2]).0,
            S::as_simd_f32s(&window[3..ROW + 3]).0,
        ];
        let weights = Interpolation::cubic(f64::from(place.xi)).weights;
        let weights = weights.map(|w| simd.splat_f32s(w as f32 * lie.gains[0]));
        let mut most = simd.splat_f32s(f32::MIN);
        for part in 0..ROW / S::F32_LANES {
            let mut height = simd.mul_f32s(gain, own.wide::<S>()[part]);
            for (weight, tap) in weights.iter().zip(taps) {
                height = simd.mul_add_e_f32s(*weight, tap[part], height);
            }
            touching.heights[time].wide_mut::<S>()[part] = height;
            most = simd.max_f32s(most, height);
        }
        touching.highest[time] = simd.reduce_max_f32s(most);
    }
    if times == 1 {
        (touching.heights[1], touching.highest[1]) = (touching.heights[0], touching.highest[0]);
    }
}

impl Touching {
    /// Slope of the strip under the highest node, where slopes count.
    #[inline(always)]
    fn find_slope(&mut self, under: &Under) {
        let Some(per_metre) = under.per_metre else { return };
        let place = under.lie.places[1];
        let heights = self.heights[1].0.iter().enumerate();
        let (at, _) = heights.fold((0, f32::MIN), |best, (i, h)| if *h > best.1 { (i, *h) } else { best });
        let window = under.strip.heights_from(place.node - 1 + i64::from(self.block) * ROW as i64);
        let slopes = Interpolation::cubic(f64::from(place.xi)).slopes;
        let slope: f32 = window.iter().skip(at).zip(slopes).map(|(h, s)| h * s as f32).sum();
        self.slope = slope * under.lie.gains[0] * per_metre;
    }
}

#[cfg(test)]
mod tests {
    use super::super::broad::Place;
    use super::super::lanes::rows_for;
    use super::super::nodes::Nodes;
    use super::super::texture::tests::loop_of;
    use super::super::texture::{Blend, Surface};
    use super::*;
    use pulp::Scalar;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const K: usize = 8;
    const BLOCKS: usize = 60;
    const RA_M: f32 = 5e-6;

    /// Highest node of a block over the strip, computed without any bound.
    fn reaches(surface: &Surface, own: &Row, block: usize, at: Place) -> f32 {
        let weights = Interpolation::cubic(f64::from(at.xi)).weights;
        let height = |i: usize| {
            let first = at.node - 1 + (block * ROW + i) as i64;
            let strip = (0..4).map(|tap| weights[tap] as f32 * surface.strip_node(first + tap as i64));
            RA_M * (strip.sum::<f32>() + own.0[i])
        };
        (0..ROW).map(height).fold(f32::MIN, f32::max)
    }

    /// A slider that bounces, rocks, bends and turns round: every block that reaches the other body is near in the list.
    #[test]
    fn no_block_that_touches_is_missed() {
        let surface = loop_of(0.05);
        let nodes = Nodes::new(K);
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut broad = Broad::new(K, BLOCKS);
        let top: Vec<Row> = (0..BLOCKS)
            .map(|b| Row(std::array::from_fn(|i| surface.strip_node((b * ROW + i) as i64 + 4321))))
            .collect();
        broad.set_top(&top);
        broad.lay(&nodes, BLOCKS, 1.0 / BLOCKS as f64);
        let mut strip = Strip::new(rows_for(BLOCKS * ROW) * ROW, 4096);
        let (mut offset, mut travel) = (2000.3f64, 0.2f64);
        let (mut now, mut ahead) = ([-3e-5f32; K], [-3e-5f32; K]);
        let (mut touching, mut open) = (0, 0);
        for step in 0..4000 {
            if step % 500 == 499 {
                travel = random.random_range(-1.5..1.5);
            }
            let blend = Blend { from: &surface, to: None };
            strip.reach(&blend, offset as i64 - 300, offset as i64 + (BLOCKS * ROW) as i64 + 300);
            let middle = offset + 0.5 * travel;
            let place = Place { node: middle.floor() as i64, xi: (middle - middle.floor()) as f32 };
            let (gains, travelled) = ([RA_M; 2], travel as f32);
            let lie =
                Lie { places: [place; 2], moves: false, travel: travelled, gains, reach: 0.0, swell: 0.0 };
            let near = broad.comes_near(Scalar, &strip, &lie, &now, &ahead);
            for (block, own) in top.iter().enumerate() {
                let weights = broad.block_weights::<K>(block).unwrap();
                let at = |r: &[f32; K]| weights.iter().zip(r).map(|(w, r)| w * r).sum::<f32>();
                // Rounding aside.
                if reaches(&surface, own, block, place) + at(&now).max(at(&ahead)) < 1e-10 {
                    continue;
                }
                touching += 1;
                let entry = broad.list.iter().position(|listed| *listed as usize == block);
                let entry = entry.unwrap_or_else(|| panic!("step {step}: block {block} is not in the list"));
                let closest = broad.entries()[entry / ROW].closest.0[entry % ROW];
                assert!(near && closest > broad.limit(&lie), "step {step}: block {block}, {closest}");
                // As a look would: what is seen bounds the block from here on.
                broad.see(entry, reaches(&surface, own, block, place), broad.way(&lie));
            }
            open += u32::from(!near);
            let phase = step as f32 * 0.02;
            let level = -2.6e-5 + 1.2e-5 * phase.sin();
            now = ahead;
            ahead = std::array::from_fn(|j| {
                let rock = 4e-6 * (2.3 * phase).sin() * (j as f32 / 3.5 - 1.0);
                level + rock + 5e-7 * (7.1 * phase + j as f32).sin() + random.random_range(-5e-8..5e-8f32)
            });
            offset += travel;
        }
        assert!(
            touching > 200 && open > 200,
            "both happen: {touching} blocks touched, {open} steps were open"
        );
    }
}
