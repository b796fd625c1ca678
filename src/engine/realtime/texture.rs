//! The two profiles as the engine reads them: heights of unit roughness on one grid, the resonator's as
//! an endless strip.
//!
//! A loop of texture laid end to end would be heard as a rhythm. The strip is therefore a function of an
//! absolute node number without end in both directions: segments of the loop, each from a place drawn
//! from the seed and the segment's own number, joined over a stretch where one fades out as cos and the
//! other in as sin, which keeps the roughness. Turning round gives back the same nodes, and nothing is
//! stored but the loop and the window under the slider. Segment 0 is the loop itself from its start.
//!
//! The grid may be coarser than the scene's: a profile without waves below its cut-off λs is fully
//! described by nodes λs/5.4 apart (the bench's own ratio), so finer ones are thinned out.
//!
//! Over the strip lie ceilings: the highest point that 32 nodes from every eighth on can reach,
//! between nodes too. They tell the broad phase what cannot touch.

use super::lanes::ROW;
use crate::contact::cubic_extremes;
use crate::surface::Profile;

/// λs over the node distance that still describes the profile.
pub const NODES_PER_CUTOFF: f64 = 5.4;
/// Length of a segment of the endless strip.
const SEGMENT_M: f64 = 0.1;
/// Nodes over which two segments are joined.
const JOIN: i64 = 256;
/// Nodes under one ceiling, and between the starts of two neighbours of the same phase.
pub const CEILING_SPAN: i64 = 32;
pub const BLOCK: i64 = ROW as i64;
const HALF: i64 = BLOCK / 2;
/// The cubic between nodes is at most this much steeper than the steepest line between two of them: the
/// largest sum of |weights| of node differences in its derivative, reached at ξ = ½.
const SLOPE_GAIN: f32 = 1.5;

/// A profile ready for the engine, shared by all voices. Immutable once made.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Heights over Ra.
    heights: Vec<f32>,
    pub ra_m: f64,
    pub step_m: f64,
    looped: bool,
    /// Segments are drawn from all over the loop; regular textures must keep their phase.
    hops: bool,
    /// How far the cubic between nodes can rise above them, over Ra.
    overshoot: f32,
    /// Largest |height| over Ra, joins and the cubic between nodes included.
    extent: f32,
    seed: u64,
}

impl Surface {
    /// Takes a profile as it is; `cutoff_m` says what it is known to be free of.
    pub fn new(profile: &Profile, cutoff_m: f64, seed: u64, hops: bool) -> Self {
        let thin = ((cutoff_m / NODES_PER_CUTOFF / profile.step_m + 1e-6).floor() as usize).max(1);
        let ra_m = profile.ra();
        let mean = profile.mean_m();
        let scale = if ra_m > 0.0 { 1.0 / ra_m } else { 0.0 };
        let count = profile.heights_m.len() / thin * thin;
        let nodes = if profile.periodic { count } else { profile.heights_m.len() };
        let heights: Vec<f32> =
            profile.heights_m.iter().take(nodes).step_by(thin).map(|z| ((z - mean) * scale) as f32).collect();
        let mut overshoot = 0.0f64;
        for window in heights.windows(4) {
            let nodes = [window[0], window[1], window[2], window[3]].map(f64::from);
            overshoot = overshoot.max(cubic_extremes(nodes).0 - nodes[1].max(nodes[2]));
        }
        let extent = heights.iter().fold(0.0f32, |most, z| most.max(z.abs())) + overshoot as f32;
        Self {
            heights,
            extent: if hops { std::f32::consts::SQRT_2 * extent } else { extent },
            ra_m,
            step_m: profile.step_m * thin as f64,
            looped: profile.periodic,
            hops,
            overshoot: overshoot as f32,
            seed,
        }
    }

    pub fn len(&self) -> usize {
        self.heights.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.heights.len() * size_of::<f32>()
    }

    /// Node `n` of an open profile; beyond its ends it goes on as its own mirror image.
    pub fn node(&self, n: i64) -> f32 {
        let len = self.heights.len() as i64;
        if len < 2 {
            return 0.0;
        }
        let turn = n.rem_euclid(2 * (len - 1));
        self.at(turn.min(2 * (len - 1) - turn))
    }

    fn at(&self, n: i64) -> f32 {
        self.heights.get(n as usize).copied().unwrap_or(0.0)
    }

    /// Nodes of one segment.
    fn segment(&self) -> i64 {
        ((SEGMENT_M / self.step_m) as i64).max(4 * JOIN)
    }

    /// Writes the endless strip from node `n` on.
    pub fn read_strip(&self, mut n: i64, out: &mut [f32]) {
        let len = self.heights.len() as i64;
        if !self.looped || len < 4 {
            for (n, out) in (n..).zip(out) {
                *out = self.node(n);
            }
            return;
        }
        let length = self.segment();
        let mut rest = out;
        while !rest.is_empty() {
            let (segment, local) = (n.div_euclid(length), n.rem_euclid(length));
            let joining = self.hops && local < JOIN;
            let last = if joining { JOIN } else { length };
            // To the end of the segment or of its join, or of the loop, whichever comes first.
            let from = (n + self.shift(segment)).rem_euclid(len);
            let before = (n + self.shift(segment - 1)).rem_euclid(len);
            let mut run = (last - local).min(len - from).min(rest.len() as i64);
            if joining {
                run = run.min(len - before);
            }
            let (here, later) = rest.split_at_mut(run as usize);
            here.copy_from_slice(&self.heights[from as usize..(from + run) as usize]);
            if joining {
                let fading = &self.heights[before as usize..(before + run) as usize];
                for ((i, out), before) in (local..).zip(here).zip(fading) {
                    let angle = (i as f32 + 0.5) * (std::f32::consts::FRAC_PI_2 / JOIN as f32);
                    *out = before * angle.cos() + *out * angle.sin();
                }
            }
            rest = later;
            n += run;
        }
    }

    /// Height of the endless strip at node `n`.
    pub fn strip_node(&self, n: i64) -> f32 {
        let mut one = [0.0];
        self.read_strip(n, &mut one);
        one[0]
    }

    /// Where in the loop a segment is read, as a shift of node numbers.
    fn shift(&self, segment: i64) -> i64 {
        if segment == 0 || !self.hops {
            return 0;
        }
        // SplitMix64 (Steele, Lea and Flood 2014): a number of its own for every segment.
        let mut z = self.seed ^ (segment as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z % self.heights.len().max(1) as u64) as i64
    }

    /// Rise of the cubic above its nodes where segments are joined too: cos + sin is at most √2.
    fn rise(&self) -> f32 {
        if self.hops { std::f32::consts::SQRT_2 * self.overshoot } else { self.overshoot }
    }
}

/// One surface, or two while the second is faded in over the first: cos of the one and sin of the other.
#[derive(Debug, Clone, Copy)]
pub struct Blend<'a> {
    pub from: &'a Surface,
    pub to: Option<(&'a Surface, f32)>,
}

impl Blend<'_> {
    /// Writes nodes by `read`, which knows how one surface is read.
    fn mix(&self, n: i64, out: &mut [f32], read: impl Fn(&Surface, i64, &mut [f32])) {
        read(self.from, n, out);
        let Some((other, angle)) = self.to else { return };
        let (sin, cos) = angle.sin_cos();
        let mut buffer = [0.0f32; 256];
        for (n, part) in (n..).step_by(buffer.len()).zip(out.chunks_mut(256)) {
            let buffer = &mut buffer[..part.len()];
            read(other, n, buffer);
            for (out, other) in part.iter_mut().zip(buffer) {
                *out = cos * *out + sin * *other;
            }
        }
    }

    pub fn read_strip(&self, n: i64, out: &mut [f32]) {
        self.mix(n, out, Surface::read_strip);
    }

    /// Nodes of an open profile, mirrored beyond its ends.
    pub fn read_open(&self, n: i64, out: &mut [f32]) {
        self.mix(n, out, |surface, n, out| {
            for (n, out) in (n..).zip(out) {
                *out = surface.node(n);
            }
        });
    }

    fn of_both(&self, of: impl Fn(&Surface) -> f32) -> f32 {
        match self.to {
            None => of(self.from),
            Some((other, angle)) => angle.cos() * of(self.from) + angle.sin() * of(other),
        }
    }

    /// Highest or lowest node, whichever is further from the mean, over Ra.
    pub fn extent(&self) -> f32 {
        self.of_both(|surface| surface.extent)
    }
}

/// The window of the strip that one voice works on.
#[derive(Debug, Clone)]
pub struct Strip {
    heights: Vec<f32>,
    /// Ceilings from every sixteenth node on, from node 0 and from node 8.
    ceilings: [Vec<f32>; 2],
    /// Largest slope of the cubic under each ceiling, Ra per node.
    slopes: [Vec<f32>; 2],
    /// Absolute number of the first node held, and one past the last; both multiples of a block.
    first: i64,
    end: i64,
}

impl Strip {
    /// A window that can hold `nodes` under the slider and some way ahead.
    pub fn new(nodes: usize, ahead: usize) -> Self {
        let capacity = (nodes + ahead + 8 * ROW).next_multiple_of(ROW);
        Self {
            heights: vec![0.0; capacity],
            ceilings: [vec![0.0; capacity / ROW], vec![0.0; capacity / ROW]],
            slopes: [vec![0.0; capacity / ROW], vec![0.0; capacity / ROW]],
            first: 0,
            end: 0,
        }
    }

    pub fn clear(&mut self) {
        self.first = 0;
        self.end = 0;
    }

    /// Makes nodes `from`…`to` readable, ceilings included. Keeps what is there.
    pub fn reach(&mut self, blend: &Blend, from: i64, to: i64) {
        let capacity = self.heights.len() as i64;
        // A ceiling looks ahead, so hold that much more.
        let low = from.div_euclid(BLOCK) * BLOCK;
        let high = ((to + CEILING_SPAN + BLOCK).div_euclid(BLOCK) + 1) * BLOCK;
        if low >= self.first && high <= self.end {
            return;
        }
        if high - low > capacity {
            return;
        }
        let overlapping = low < self.end && high > self.first;
        if !overlapping {
            self.first = low;
            self.end = low;
            self.append(blend, high);
        } else if low < self.first {
            // Backwards: leave room for more of the same.
            let spare = ((capacity - (high - low)) / BLOCK / 2 * BLOCK).min(self.first - low + 1024);
            let first = low - spare;
            let keep = (capacity - (self.first - first)).min(self.end - self.first).max(0);
            let moved = (self.first - first) as usize;
            self.heights.copy_within(0..keep as usize, moved);
            let (gap_end, end) = (self.first, self.first + keep);
            self.first = first;
            self.end = end;
            self.write(blend, first, gap_end);
            self.raise(blend, first, end);
            if high > self.end {
                self.append(blend, high);
            }
        } else {
            if high - self.first > capacity {
                let drop = (low - self.first) as usize;
                self.heights.copy_within(drop.., 0);
                self.first = low;
                self.raise(blend, self.first, self.end);
            }
            self.append(blend, high);
        }
    }

    fn append(&mut self, blend: &Blend, end: i64) {
        let from = self.end;
        self.end = end;
        self.write(blend, from, end);
        self.raise(blend, (from - CEILING_SPAN - BLOCK).max(self.first), end);
    }

    fn write(&mut self, blend: &Blend, from: i64, to: i64) {
        let range = (from - self.first) as usize..(to - self.first) as usize;
        if let Some(part) = self.heights.get_mut(range) {
            blend.read_strip(from, part);
        }
    }

    /// Ceilings anew for blocks from `from` to `to`.
    fn raise(&mut self, blend: &Blend, from: i64, to: i64) {
        let rise = blend.of_both(Surface::rise);
        for block in (from - self.first) / BLOCK..(to - self.first) / BLOCK {
            for (phase, (ceilings, slopes)) in self.ceilings.iter_mut().zip(&mut self.slopes).enumerate() {
                let start = (block * BLOCK + phase as i64 * HALF) as usize;
                let end = (start + CEILING_SPAN as usize).min((self.end - self.first) as usize);
                let window = self.heights.get(start..end).unwrap_or(&[]);
                let highest = window.iter().copied().fold(f32::MIN, f32::max);
                let steepest = window.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f32::max);
                if let (Some(ceiling), Some(slope)) =
                    (ceilings.get_mut(block as usize), slopes.get_mut(block as usize))
                {
                    *ceiling = highest + rise;
                    *slope = SLOPE_GAIN * steepest;
                }
            }
        }
    }

    /// Heights from absolute node `n` on.
    #[inline(always)]
    pub fn heights_from(&self, n: i64) -> &[f32] {
        self.heights.get((n - self.first) as usize..).unwrap_or(&[])
    }

    /// Ceilings and largest slopes of the blocks from node `n` on, and how far before `n` they begin.
    #[inline(always)]
    pub fn ceilings_from(&self, n: i64) -> (&[f32], &[f32], i64) {
        let place = n - self.first;
        let phase = (place.div_euclid(HALF) & 1) as usize;
        let block = place.div_euclid(BLOCK) as usize;
        let ceilings = self.ceilings[phase].get(block..).unwrap_or(&[]);
        (ceilings, self.slopes[phase].get(block..).unwrap_or(&[]), place.rem_euclid(HALF))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Interpolation;
    use crate::surface::{Roughness, Texture};

    fn loop_of(length_m: f64) -> Surface {
        let roughness = Roughness {
            texture: Texture::Exponential,
            ra_m: 5e-6,
            corr_length_m: 450e-6,
            hurst: 0.8,
            wavelength_m: 1e-3,
            cutoff_m: 27e-6,
            length_m,
            step_m: 5e-6,
            seed: 3,
            periodic: true,
        };
        Surface::new(&roughness.generate().unwrap(), 27e-6, 3, true)
    }

    #[test]
    fn the_strip_keeps_its_roughness_and_has_no_step_anywhere() {
        let surface = loop_of(0.2);
        let (mut sum, mut steepest, mut base) = (0.0f64, 0.0f32, 0.0f32);
        for n in 0..surface.len() as i64 - 1 {
            base = base.max((surface.at(n + 1) - surface.at(n)).abs());
        }
        let count = 400_000;
        for n in -count / 2..count / 2 {
            sum += f64::from(surface.strip_node(n).abs());
            steepest = steepest.max((surface.strip_node(n + 1) - surface.strip_node(n)).abs());
        }
        let ra = sum / count as f64;
        assert!((ra - 1.0).abs() < 0.1, "{ra}");
        assert!(steepest < 1.5 * base, "{steepest} against {base} in the loop");
    }

    #[test]
    fn windows_read_the_same_nodes_whichever_way_they_came() {
        let surface = loop_of(0.05);
        let mut strip = Strip::new(500, 700);
        let mut at = 0i64;
        for (index, stride) in
            [0, 90, 400, 37, -200, -650, -3, 5000, -9000, 250, 250, 250].into_iter().enumerate()
        {
            at += stride;
            strip.reach(&Blend { from: &surface, to: None }, at, at + 500);
            let window = strip.heights_from(at);
            for (n, height) in window.iter().take(500).enumerate() {
                assert_eq!(*height, surface.strip_node(at + n as i64), "move {index}, node {n}");
            }
            let (ceilings, _, slack) = strip.ceilings_from(at);
            for (block, ceiling) in ceilings.iter().take(30).enumerate() {
                let start = block * ROW;
                let span = CEILING_SPAN as usize - slack as usize - 3;
                for n in start..start + span {
                    for xi in [0.0, 0.25, 0.5, 0.75] {
                        let weights = Interpolation::cubic(xi).weights;
                        let height: f64 = (0..4)
                            .map(|r| weights[r] * f64::from(surface.strip_node(at + (n + r) as i64)))
                            .sum();
                        assert!(
                            height <= f64::from(*ceiling) + 1e-6,
                            "move {index}, block {block}, node {n}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn finer_profiles_with_the_same_waves_are_thinned() {
        let step = |step_m: f64, cutoff_m: f64| {
            let profile = Profile { step_m, heights_m: vec![1.0, -1.0, 0.5, 0.2, 0.0, 0.3], periodic: true };
            Surface::new(&profile, cutoff_m, 0, true).step_m
        };
        assert!((step(5e-6, 27e-6) - 5e-6).abs() < 1e-15);
        assert!((step(1e-6, 27e-6) - 5e-6).abs() < 1e-15);
        assert!((step(1e-6, 0.0) - 1e-6).abs() < 1e-15);
    }
}
