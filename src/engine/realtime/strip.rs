//! The window of texture that one voice works on, with ceilings over it.
//!
//! A ceiling is the highest point that 32 nodes from every eighth on can reach, between nodes too; beside
//! it stands the largest slope there. They tell the broad phase what cannot touch.

use super::lanes::ROW;
use super::texture::{Blend, Surface};

/// Nodes under one ceiling, and between the starts of two neighbours of the same phase.
pub const CEILING_SPAN: i64 = 32;
pub const BLOCK: i64 = ROW as i64;
const HALF: i64 = BLOCK / 2;
/// The cubic between nodes is at most this much steeper than the steepest line between two of them: the
/// largest sum of |weights| of node differences in its derivative, reached at ξ = ½.
const SLOPE_GAIN: f32 = 1.5;

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

    /// For tests of the guard.
    pub(super) fn poison(&mut self, value: f32) {
        self.heights.fill(value);
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
        self.raise(blend, (from - CEILING_SPAN).max(self.first), end);
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
                let highest = largest(window);
                let mut rises = [0.0; CEILING_SPAN as usize];
                for ((rise, a), b) in rises.iter_mut().zip(window).zip(window.iter().skip(1)) {
                    *rise = (b - a).abs();
                }
                let steepest = largest(&rises);
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

/// The largest of some numbers, eight at a time.
fn largest(values: &[f32]) -> f32 {
    let (eights, rest) = values.as_chunks::<8>();
    let mut most = [f32::MIN; 8];
    for eight in eights {
        for (most, value) in most.iter_mut().zip(eight) {
            *most = if value > most { *value } else { *most };
        }
    }
    most.iter().chain(rest).copied().fold(f32::MIN, f32::max)
}

#[cfg(test)]
mod tests {
    use super::super::texture::tests::loop_of;
    use super::*;
    use crate::contact::Interpolation;

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
}
