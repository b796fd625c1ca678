//! How long the list of `broad` stays good: until the deflection may have risen by its skin, or the strip has left
//! its ceilings.

use super::broad::{Broad, Lie};
use super::lanes::{lanes_of, magnitude};
use super::scan::Scan;
use super::strip::Strip;
use pulp::Simd;

/// Share of a skin that is not worth measuring again and again.
const LAST_ROOM: f32 = 0.06;

impl Broad {
    /// Sees to it that the list holds every block that can touch at deflection `r`.
    #[inline(always)]
    pub fn refresh<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: Lie,
        now: &[f32; K],
        r: &[f32; K],
    ) {
        if !(self.covers(&lie) && self.hardly_moved(simd, &lie, r)) {
            // Seldom, and in a call of its own: the steps between keep their registers.
            simd.vectorize(Scan { broad: self, strip, lie, now, r });
        }
    }

    /// The most that any height can have grown with Ra since the scan.
    #[inline(always)]
    pub fn swollen(&self, lie: &Lie) -> f32 {
        lie.swell - self.seen_swell
    }

    /// No node has moved so far since the room was last measured that any place between them can have risen by it.
    #[inline(always)]
    fn hardly_moved<S: Simd, const K: usize>(&self, simd: S, lie: &Lie, r: &[f32; K]) -> bool {
        let far = simd.splat_f32s((self.room - self.swollen(lie)) * self.over_lebesgue);
        let mut moved = 0;
        for (base, r) in S::as_simd_f32s(&self.base[..K]).0.iter().zip(S::as_simd_f32s(r).0) {
            let change = magnitude(simd, simd.sub_f32s(*r, *base));
            moved |= lanes_of(simd, simd.greater_than_f32s(change, far));
        }
        moved == 0
    }

    /// Measures how far the deflection may still rise before the list is out of date; false when it is, or nearly so.
    #[inline(always)]
    pub(super) fn measure_room<S: Simd, const K: usize>(&mut self, simd: S, lie: &Lie, r: &[f32; K]) -> bool {
        self.room = self.skin - self.lift(simd, &self.seen, r);
        self.base[..K].copy_from_slice(r);
        self.room - self.swollen(lie) > LAST_ROOM * self.skin
    }

    /// The most that a change of the nodal values can have raised any place between them.
    ///
    /// A slider flies and rocks as a whole: nearly all of a change is a shift and a tilt, which nodes carry exactly.
    /// Only the rest, which bends, can be larger between the nodes, by the Lebesgue constant.
    #[inline(always)]
    pub fn lift<S: Simd, const K: usize>(&self, simd: S, from: &[f32], to: &[f32; K]) -> f32 {
        let (from, to) = (S::as_simd_f32s(&from[..K]).0, S::as_simd_f32s(to).0);
        let places = S::as_simd_f32s(&self.tilt[..K]).0;
        let (mut shift, mut tilt) = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
        for ((from, to), place) in from.iter().zip(to).zip(places) {
            let change = simd.sub_f32s(*to, *from);
            shift = simd.add_f32s(shift, change);
            tilt = simd.mul_add_e_f32s(*place, change, tilt);
        }
        // Least squares: over Chebyshev nodes the sum of the squared places is half their number.
        let shift = simd.reduce_sum_f32s(shift) / K as f32;
        let tilt = simd.reduce_sum_f32s(tilt) * 2.0 / K as f32;
        let (shifts, tilts) = (simd.splat_f32s(shift), simd.splat_f32s(tilt));
        let mut bent = simd.splat_f32s(0.0);
        for ((from, to), place) in from.iter().zip(to).zip(places) {
            let rigid = simd.mul_add_e_f32s(tilts, *place, shifts);
            let rest = simd.sub_f32s(simd.sub_f32s(*to, *from), rigid);
            bent = simd.max_f32s(bent, magnitude(simd, rest));
        }
        shift + tilt.abs() + self.lebesgue * simd.reduce_max_f32s(bent)
    }

    /// The strip is still under the list's ceilings.
    #[inline(always)]
    pub fn covers(&self, lie: &Lie) -> bool {
        let [start, end] = lie.places;
        start.node.min(end.node) >= self.good.0
            && start.node.max(end.node) <= self.good.1
            && (lie.travel >= 0.0) == self.onward
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes::Nodes;
    use super::*;
    use pulp::Scalar;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Changes of all kinds, from a plain shift to one that bends at every node.
    #[test]
    fn no_place_between_the_nodes_rises_more_than_is_said() {
        const K: usize = 8;
        let nodes = Nodes::new(K);
        let mut broad = Broad::new(K, 250);
        broad.lay(&nodes, 250, 16.0 / 4000.0);
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut tightest = f32::INFINITY;
        for round in 0..400 {
            let bend = 1e-6 * (round % 5) as f32 / 4.0;
            let (shift, tilt) = (random.random_range(-3e-6..3e-6f32), random.random_range(-3e-6..3e-6f32));
            let from: [f32; K] = std::array::from_fn(|_| random.random_range(-1e-5..1e-5f32));
            let to: [f32; K] = std::array::from_fn(|j| {
                let place = 2.0 * nodes.place(j) as f32 - 1.0;
                from[j] + shift + tilt * place + bend * random.random_range(-1.0..1.0f32)
            });
            let said = broad.lift(Scalar, &from, &to);
            let mut most = f32::MIN;
            for i in 0..=1000 {
                let mut rise = 0.0;
                nodes.weights(f64::from(i) / 1000.0, |j, weight| rise += weight * (to[j] - from[j]));
                most = most.max(rise);
            }
            assert!(most <= said + 1e-11, "{round}: {most} {said}");
            if bend == 0.0 {
                tightest = tightest.min(said - most);
            }
        }
        assert!(tightest < 1e-9, "shift and tilt alone are told exactly: {tightest}");
    }
}
