//! Forces that agree with the deflection they cause.
//!
//! With C = Σ c·φφᵀ (K × K) the deflection at the end of a step is r⁺ = r_free - C·F. At block b it is
//! x_b = w_b·r⁺, its force f_b(x⁻, x⁺) comes from `press`, and F = Σ w_b f_b. A few blocks touch at a time,
//! so Newton's method works on their deflections: (I + G·S)·Δx = x_free - x - G·f with G_bc = w_b·C·w_c
//! and S the slopes. More blocks than a few are solved on the nodes (`crowd`), so the size of the solve does not
//! grow with modes or asperities. Forces grow with deflection, so the root is the minimum of a convex function.

use super::broad::Lie;
use super::comb::MOST_TOUCHING;
use super::lanes::Row;
use super::meet::Meeting;
use super::nodes::MAX_NODES;
use super::press::{NodeLaw, Press, press};
use pulp::Simd;

/// Blocks solved by their own deflections; more, which only friction has, are solved on the nodes.
const FEW: usize = MOST_TOUCHING;
/// A step that has not closed by then goes on with the forces it has.
pub(super) const MAX_ITERATIONS: usize = 12;
/// Newton's step is taken as final below this share of the penetration: its error is the square.
pub(super) const CLOSE: f32 = 0.02;
/// Rounding of a deflection of some ten micrometres, metres.
pub(super) const ROUNDING_M: f32 = 2e-12;

/// One block that may touch in this step.
#[derive(Debug, Clone, Copy)]
pub struct Touching {
    /// At the start and at the end of the step.
    pub heights: [Row; 2],
    pub weights: [f32; MAX_NODES],
    /// C·w.
    pub yields: [f32; MAX_NODES],
    /// Highest node at the start and at the end of the step.
    pub highest: [f32; 2],
    pub from: f32,
    pub free: f32,
    pub to: f32,
    pub press: Press,
    pub force: f32,
    pub block: u32,
    /// Where it stands in the list of blocks that may touch.
    pub entry: u32,
    /// Rise of its highest node per metre of travel.
    pub slope: f32,
    /// Free deflection and yields without friction, what a unit of friction moves it by, and its share in
    /// friction: see `rub`.
    pub plain: (f32, [f32; MAX_NODES]),
    pub lifted: f32,
    pub share: f32,
}

pub const UNTOUCHED: Touching = Touching {
    heights: [Row::ZERO; 2],
    weights: [0.0; MAX_NODES],
    yields: [0.0; MAX_NODES],
    highest: [0.0; 2],
    from: 0.0,
    free: 0.0,
    to: 0.0,
    press: Press { force: 0.0, stiffness: 0.0 },
    force: 0.0,
    block: 0,
    entry: 0,
    slope: 0.0,
    plain: (0.0, [0.0; MAX_NODES]),
    lifted: 0.0,
    share: 0.0,
};

impl Touching {
    /// Whether it reaches the other body at the start of the step or, without contact, at its end.
    #[inline(always)]
    pub fn can_touch(&self, lie: &Lie) -> bool {
        (self.highest[0] + self.from).max(self.highest[1] + self.free) > -lie.reach
    }
}

/// More blocks than two, in a call of its own: one or two, by far the commonest, keep their registers.
struct Crowd<'a, const K: usize> {
    meeting: &'a mut Meeting,
    law: &'a NodeLaw,
    ahead: &'a [f32; K],
}

impl<const K: usize> pulp::WithSimd for Crowd<'_, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.meeting.solve_many::<S, K>(simd, self.law, self.ahead);
    }
}

impl Meeting {
    /// Forces of all blocks that may touch; `ahead` is the contact-free deflection of the nodes.
    #[inline(always)]
    pub(super) fn solve<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw, ahead: &[f32; K]) {
        match self.count {
            1 if !law.is_steep() => self.solve_one::<S, K>(simd, law),
            2 if !law.is_steep() => self.solve_few::<S, K, 2>(simd, law),
            _ => simd.vectorize(Crowd { meeting: self, law, ahead }),
        }
    }

    /// The same for more blocks, or for a law that grows by orders of magnitude.
    #[inline(always)]
    fn solve_many<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw, ahead: &[f32; K]) {
        match *law {
            NodeLaw::Exponential { lambda, .. } => self.solve_steep::<S, K>(simd, law, 1.0 / lambda),
            _ if self.count <= 4 => self.solve_few::<S, K, 4>(simd, law),
            _ if self.count <= FEW => self.solve_few::<S, K, FEW>(simd, law),
            _ => self.solve_nodes::<S, K>(simd, law, ahead),
        }
    }

    /// Newton on the deflection of a single block.
    #[inline(always)]
    fn solve_one<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw) {
        let Some(t) = self.touching.first_mut() else { return };
        let g = dot::<S, K>(simd, &t.weights, &t.yields);
        t.to = t.free - g * t.force;
        for iteration in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            t.press = press(simd, law, &t.heights, t.from, t.to);
            let dx = (t.free - t.to - g * t.press.force) / (1.0 + g * t.press.stiffness);
            t.force = (t.press.force + t.press.stiffness * dx).max(0.0);
            let deepest = (t.highest[1] + t.to).max(0.0);
            t.to += if iteration > 6 { 0.5 * dx } else { dx };
            if dx.abs() <= CLOSE * deepest + ROUNDING_M {
                return;
            }
        }
        self.work.unsolved += 1;
    }

    /// Newton on the deflections of at most `N` blocks.
    #[inline(always)]
    fn solve_few<S: Simd, const K: usize, const N: usize>(&mut self, simd: S, law: &NodeLaw) {
        let Some(touching) = self.touching.first_chunk_mut::<N>() else { return };
        let n = if N == 2 { 2 } else { self.count.min(N) };
        let touching = &mut touching[..n];
        let mut g = [[0.0f32; N]; N];
        // Not symmetric where friction is part of the yields.
        for a in 0..n {
            for b in 0..n {
                g[a][b] = dot::<S, K>(simd, &touching[a].weights, &touching[b].yields);
            }
        }
        for a in 0..n {
            touching[a].to = touching[a].free - (0..n).map(|b| g[a][b] * touching[b].force).sum::<f32>();
        }
        for iteration in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            let (mut deepest, mut largest) = (0.0f32, 0.0f32);
            for t in touching.iter_mut() {
                t.press = press(simd, law, &t.heights, t.from, t.to);
                deepest = deepest.max(t.highest[1] + t.to);
            }
            let (mut matrix, mut dx) = ([[0.0f32; N]; N], [0.0f32; N]);
            for a in 0..n {
                dx[a] = touching[a].free - touching[a].to;
                for b in 0..n {
                    matrix[a][b] = g[a][b] * touching[b].press.stiffness;
                    dx[a] -= g[a][b] * touching[b].press.force;
                }
                matrix[a][a] += 1.0;
            }
            eliminate(&mut matrix, &mut dx, n);
            for (t, dx) in touching.iter_mut().zip(dx) {
                largest = largest.max(dx.abs());
                t.to += dx;
                t.force = (t.press.force + t.press.stiffness * dx).max(0.0);
            }
            if largest <= CLOSE * deepest + ROUNDING_M {
                return;
            }
            // Semi-smooth Newton can swing between two sets of touching nodes: halve the swing.
            if iteration > 6 {
                for (t, dx) in touching.iter_mut().zip(dx) {
                    t.to -= 0.5 * dx;
                }
            }
        }
        self.work.unsolved += 1;
    }

    /// Block by block for a law that grows by orders of magnitude within a step: Newton on the logarithm of
    /// g·f(x) = free - x, which is nearly straight, each block with the others' forces as they are.
    #[inline(always)]
    fn solve_steep<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw, length: f32) {
        let touching = &mut self.touching[..self.count];
        let mut yielded = [0.0f32; MAX_NODES];
        for t in touching.iter_mut() {
            t.force = 0.0;
            t.to = t.from;
        }
        for _ in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            let mut largest = 0.0f32;
            for t in touching.iter_mut() {
                let g = dot::<S, K>(simd, &t.weights, &t.yields);
                let others = dot::<S, K>(simd, &t.weights, &yielded) - g * t.force;
                let free = t.free - others;
                // A tenth of the law's length below the free deflection at least, or its logarithm is steep.
                let mut x = t.to.min(free - 0.1 * length);
                t.press = press(simd, law, &t.heights, t.from, x);
                let step = if t.press.force > 0.0 {
                    let room = free - x;
                    let excess = (g * t.press.force / room).ln();
                    let slope = t.press.stiffness / t.press.force + 1.0 / room;
                    (-excess / slope).min(0.9 * room)
                } else {
                    // Out of reach: as far as the law begins, or as far as there is room.
                    (free - x).min((-t.highest[1] - x).max(0.0))
                };
                x += step;
                let force = (t.press.force + t.press.stiffness * step).max(0.0).min((free - x) / g);
                largest = largest.max((x - t.to).abs() / length);
                for (sum, y) in yielded.iter_mut().zip(&t.yields) {
                    *sum += (force - t.force) * y;
                }
                t.force = force;
                t.to = x;
            }
            if largest <= CLOSE {
                return;
            }
        }
        self.work.unsolved += 1;
    }
}

#[inline(always)]
pub(super) fn dot<S: Simd, const K: usize>(simd: S, a: &[f32; MAX_NODES], b: &[f32; MAX_NODES]) -> f32 {
    let mut sum = simd.splat_f32s(0.0);
    for (a, b) in S::as_simd_f32s(&a[..K]).0.iter().zip(S::as_simd_f32s(&b[..K]).0) {
        sum = simd.mul_add_e_f32s(*a, *b, sum);
    }
    simd.reduce_sum_f32s(sum)
}

/// Gauss without pivoting: I + G·S is similar to a symmetric positive matrix, so its pivots are ≥ 1. The solution
/// takes the place of `right`.
#[inline(always)]
fn eliminate<const N: usize>(matrix: &mut [[f32; N]; N], right: &mut [f32; N], n: usize) {
    if N == 2 {
        // Cramer's rule: one division to wait for instead of two.
        let [[a, b], [c, d]] = [[matrix[0][0], matrix[0][1]], [matrix[1][0], matrix[1][1]]];
        let inverse = 1.0 / (a * d - b * c);
        (right[0], right[1]) =
            ((d * right[0] - b * right[1]) * inverse, (a * right[1] - c * right[0]) * inverse);
        return;
    }
    for i in 0..n {
        let inverse = 1.0 / matrix[i][i];
        for cell in &mut matrix[i][i..n] {
            *cell *= inverse;
        }
        right[i] *= inverse;
        let (pivot, pivot_right) = (matrix[i], right[i]);
        for row in 0..n {
            if row != i {
                let factor = matrix[row][i];
                for column in i..n {
                    matrix[row][column] -= factor * pivot[column];
                }
                right[row] -= factor * pivot_right;
            }
        }
    }
}
