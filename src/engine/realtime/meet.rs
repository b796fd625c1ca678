//! The contact of one voice in one inner step: listed blocks, their heights, and the forces that agree
//! with the deflection they cause.
//!
//! With C = Σ c·φφᵀ (K × K) the deflection at the end of a step is r⁺ = r_free - C·F. At block b it is
//! x_b = w_b·r⁺, its force f_b(x⁻, x⁺) comes from `press`, and F = Σ w_b f_b. A few blocks touch at a time,
//! so Newton's method works on their deflections: (I + G·S)·Δx = x_free - x - G·f with G_bc = w_b·C·w_c
//! and S the slopes. When more blocks touch than there are nodes the same step is taken on the nodes:
//! (I + C·Σ s w wᵀ)·Δr = r_free - r - C·F. Either way the size of the solve does not grow with modes or
//! asperities. Forces grow with deflection, so the root is the minimum of a convex function.

use super::broad::{Broad, Lie};
use super::lanes::{ROW, Row, lanes_of, rows_for};
use super::nodes::MAX_NODES;
use super::press::{NodeLaw, Press, press, stored};
use super::texture::Strip;
use crate::contact::Interpolation;
use pulp::Simd;

/// Blocks solved by their own deflections; more are solved on the nodes.
const FEW: usize = 8;
const MAX_ITERATIONS: usize = 24;
/// Newton's step is taken as final below this share of the penetration: its error is the square.
const CLOSE: f32 = 0.02;
/// Rounding of a deflection of some ten micrometres, metres.
const ROUNDING_M: f32 = 2e-12;

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

/// One block that may touch in this step.
#[derive(Debug, Clone, Copy)]
struct Touching {
    heights: Row,
    weights: [f32; MAX_NODES],
    /// C·w.
    yields: [f32; MAX_NODES],
    highest: f32,
    from: f32,
    free: f32,
    to: f32,
    press: Press,
    force: f32,
    block: u32,
}

const UNTOUCHED: Touching = Touching {
    heights: Row::ZERO,
    weights: [0.0; MAX_NODES],
    yields: [0.0; MAX_NODES],
    highest: 0.0,
    from: 0.0,
    free: 0.0,
    to: 0.0,
    press: Press { force: 0.0, stiffness: 0.0 },
    force: 0.0,
    block: 0,
};

#[derive(Debug, Clone)]
pub struct Meeting {
    pub broad: Broad,
    /// Heights of the slider's blocks over Ra.
    pub top: Vec<Row>,
    /// C, row after row.
    pub compliance: Vec<f32>,
    touching: Vec<Touching>,
    count: usize,
    /// Force of every block when it last touched, and in which step that was: where a solve starts.
    last_force: Vec<(f32, u64)>,
    system: Vec<f32>,
    /// Contact energy at the end of the last step, at the heights it was solved with.
    energy: f32,
    calm: Calm,
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
    /// Steps that sights are raised ahead for; long enough to save work, short enough to stay sharp.
    const STEPS: u32 = 8;
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
    /// corrects `ahead` by what they do. `xi` is the local coordinate of all nodes at mid-step.
    #[inline(always)]
    pub fn step<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        law: &NodeLaw,
        strip: &Strip,
        lie: &Lie,
        xi: f32,
        now: &[f32; K],
        ahead: &mut [f32; K],
        force: &mut [f32; K],
    ) -> Outcome {
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
        self.gather(simd, strip, lie, xi, now, ahead);
        if self.count == 0 {
            let drive_work = -self.energy;
            self.energy = 0.0;
            return Outcome { drive_work, ..Outcome::default() };
        }
        self.calm.steps_left = 0;
        let before: f32 =
            self.touching[..self.count].iter().map(|t| stored(simd, law, &t.heights, t.from)).sum();
        let drive_work = before - self.energy;
        if matches!(law, NodeLaw::Exponential { .. }) {
            self.solve_steep::<S, K>(simd, law);
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
    fn gather<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: &Lie,
        xi: f32,
        now: &[f32; K],
        ahead: &[f32; K],
    ) {
        self.count = 0;
        let limit = simd.splat_f32s(-lie.reach);
        let way = self.broad.way(lie, xi);
        let way_now = simd.splat_f32s(way);
        let way_soon = simd.splat_f32s(way + lie.travel.abs() * Calm::STEPS as f32);
        let mut closest_soon = simd.splat_f32s(f32::MIN);
        let mut any = false;
        let mut entries = self.broad.list.len();
        for row in 0..self.broad.list_rows() {
            let (mut from, mut free) = (Row::ZERO, Row::ZERO);
            let mut near = 0u32;
            for part in 0..entries.min(ROW).div_ceil(S::F32_LANES) {
                let (mut one, mut two) = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
                for j in 0..K {
                    let weight = self.broad.entry_weights[row * K + j].wide::<S>()[part];
                    one = simd.mul_add_e_f32s(weight, simd.splat_f32s(now[j]), one);
                    two = simd.mul_add_e_f32s(weight, simd.splat_f32s(ahead[j]), two);
                }
                let reach = simd.max_f32s(one, two);
                let (sight, bound) =
                    (self.broad.sight[row].wide::<S>()[part], self.broad.bound[row].wide::<S>()[part]);
                let slope = self.broad.slope[row].wide::<S>()[part];
                let closest =
                    simd.add_f32s(reach, simd.min_f32s(simd.mul_add_e_f32s(slope, way_now, sight), bound));
                let soon =
                    simd.add_f32s(reach, simd.min_f32s(simd.mul_add_e_f32s(slope, way_soon, sight), bound));
                closest_soon = simd.max_f32s(closest_soon, soon);
                from.wide_mut::<S>()[part] = one;
                free.wide_mut::<S>()[part] = two;
                near |= lanes_of(simd, simd.greater_than_f32s(closest, limit)) << (part * S::F32_LANES);
            }
            entries = entries.saturating_sub(ROW);
            if near != 0 {
                any = true;
                let cubic = Interpolation::cubic(f64::from(xi)).weights.map(|w| w as f32 * lie.gains[0]);
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % ROW;
                    near &= near - 1;
                    self.meet::<S, K>(
                        simd,
                        strip,
                        lie,
                        &cubic,
                        way,
                        row * ROW + lane,
                        from.0[lane],
                        free.0[lane],
                    );
                }
            }
        }
        self.calm.steps_left = 0;
        if !any {
            let room = -simd.reduce_max_f32s(closest_soon) - lie.reach;
            let margin = room.min(self.broad.skin_left(simd, lie, ahead));
            if margin > 0.0 {
                self.calm.anchor[..K].copy_from_slice(ahead);
                self.calm.swell = lie.swell;
                self.calm.margin = margin;
                self.calm.steps_left = Calm::STEPS;
            }
        }
    }

    /// Heights of one listed block; kept if it can touch.
    #[inline(always)]
    fn meet<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: &Lie,
        cubic: &[f32; 4],
        way: f32,
        entry: usize,
        from: f32,
        free: f32,
    ) {
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
        let slope = self.broad.slope[entry / ROW].0[entry % ROW];
        self.broad.sight[entry / ROW].0[entry % ROW] = highest - slope * way;
        if highest + from.max(free) <= -lie.reach {
            return;
        }
        let mut yields = [0.0f32; K];
        for (j, row) in self.compliance.as_chunks::<K>().0.iter().enumerate() {
            let weight = self.broad.entry_weights[entry / ROW * K + j].0[entry % ROW];
            touching.weights[j] = weight;
            // C is symmetric: add columns, which lanes can do.
            for (y, c) in yields.iter_mut().zip(row) {
                *y += weight * c;
            }
        }
        touching.yields[..K].copy_from_slice(&yields);
        touching.highest = highest;
        touching.from = from;
        touching.free = free;
        touching.block = block;
        let last = self.last_force.get(block as usize).copied().unwrap_or((0.0, 0));
        touching.force = if last.1 + 1 == self.work.steps { last.0 } else { 0.0 };
        self.count += 1;
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
            let deepest = (t.highest + t.to).max(0.0);
            t.to += if iteration > 6 { 0.5 * dx } else { dx };
            if dx.abs() <= CLOSE * deepest + ROUNDING_M {
                return;
            }
        }
        self.work.unsolved += 1;
    }

    /// Newton on the deflections of a few blocks.
    #[inline(always)]
    fn solve_blocks<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw) {
        let n = self.count;
        if n == 1 {
            return self.solve_one::<S, K>(simd, law);
        }
        let touching = &mut self.touching[..n];
        let mut g = [[0.0f32; FEW]; FEW];
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
                deepest = deepest.max(t.highest + t.to);
            }
            let mut matrix = [[0.0f32; FEW + 1]; FEW];
            for a in 0..n {
                matrix[a][n] = touching[a].free - touching[a].to;
                for b in 0..n {
                    matrix[a][b] = g[a][b] * touching[b].press.stiffness;
                    matrix[a][n] -= g[a][b] * touching[b].press.force;
                }
                matrix[a][a] += 1.0;
            }
            eliminate(&mut matrix, n);
            for (a, t) in touching.iter_mut().enumerate() {
                let dx = matrix[a][n];
                largest = largest.max(dx.abs());
                t.to += dx;
                t.force = (t.press.force + t.press.stiffness * dx).max(0.0);
            }
            if largest <= CLOSE * deepest + ROUNDING_M {
                return;
            }
            // Semi-smooth Newton can swing between two sets of touching nodes: halve the swing.
            if iteration > 6 {
                for (a, t) in touching.iter_mut().enumerate() {
                    t.to -= 0.5 * matrix[a][n];
                }
            }
        }
        self.work.unsolved += 1;
    }

    /// Block by block for a law that grows by orders of magnitude within a step: Newton on the logarithm of
    /// g·f(x) = free - x, which is nearly straight, each block with the others' forces as they are.
    #[inline(always)]
    fn solve_steep<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw) {
        let touching = &mut self.touching[..self.count];
        let mut yielded = [0.0f32; MAX_NODES];
        for t in touching.iter_mut() {
            t.force = 0.0;
            t.to = t.free;
        }
        for _ in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            let mut largest = 0.0f32;
            for t in touching.iter_mut() {
                let g = dot::<S, K>(simd, &t.weights, &t.yields);
                let others = dot::<S, K>(simd, &t.weights, &yielded) - g * t.force;
                let free = t.free - others;
                let mut x = t.to.min(free - ROUNDING_M);
                t.press = press(simd, law, &t.heights, t.from, x);
                let step = if t.press.force > 0.0 {
                    let room = free - x;
                    let excess = (g * t.press.force / room).ln();
                    let slope = t.press.stiffness / t.press.force + 1.0 / room;
                    (-excess / slope).min(0.9 * room)
                } else {
                    // Out of reach: as far as the law begins, or as far as there is room.
                    (free - x).min((-t.highest - x).max(0.0))
                };
                x += step;
                let force = (t.press.force + t.press.stiffness * step).max(0.0).min((free - x) / g);
                for (sum, y) in yielded.iter_mut().zip(&t.yields) {
                    *sum += (force - t.force) * y;
                }
                // In units of the law's own length.
                let scale = t.press.stiffness / t.press.force.max(f32::MIN_POSITIVE);
                largest = largest.max(step.abs() * scale).max(if t.press.force > 0.0 {
                    0.0
                } else {
                    step.abs() * 1e12
                });
                t.force = force;
                t.to = x;
            }
            if largest <= CLOSE {
                return;
            }
        }
        self.work.unsolved += 1;
    }

    /// Newton on the nodes, when many blocks touch.
    #[inline(always)]
    fn solve_nodes<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw, free: &[f32; K]) {
        let n = K;
        let touching = &mut self.touching[..self.count];
        let mut r = [0.0f32; MAX_NODES];
        r[..n].copy_from_slice(free);
        for t in touching.iter() {
            for (r, y) in r.iter_mut().zip(&t.yields) {
                *r -= t.force * y;
            }
        }
        for iteration in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            let width = n + 1;
            let system = &mut self.system[..n * width];
            system.fill(0.0);
            let mut deepest = 0.0f32;
            for t in touching.iter_mut() {
                t.to = dot::<S, K>(simd, &t.weights, &r);
                t.press = press(simd, law, &t.heights, t.from, t.to);
                deepest = deepest.max(t.highest + t.to);
                for (row, y) in system.chunks_exact_mut(width).zip(&t.yields) {
                    let slope = y * t.press.stiffness;
                    for (cell, w) in row.iter_mut().zip(&t.weights[..n]) {
                        *cell += slope * w;
                    }
                    row[n] -= y * t.press.force;
                }
            }
            for (i, row) in system.chunks_exact_mut(width).enumerate() {
                row[i] += 1.0;
                row[n] += free[i] - r[i];
            }
            eliminate_pivoting(system, n);
            let damp = if iteration > 6 { 0.5 } else { 1.0 };
            let mut largest = 0.0f32;
            let mut dr = [0.0f32; MAX_NODES];
            for (i, row) in system.chunks_exact(width).enumerate() {
                dr[i] = row[n];
            }
            for t in touching.iter_mut() {
                let dx = dot::<S, K>(simd, &t.weights, &dr);
                largest = largest.max(dx.abs());
                t.to += dx;
                t.force = (t.press.force + t.press.stiffness * dx).max(0.0);
            }
            for (r, dr) in r.iter_mut().zip(dr) {
                *r += damp * dr;
            }
            if largest <= CLOSE * deepest + ROUNDING_M {
                return;
            }
        }
        self.work.unsolved += 1;
    }
}

#[inline(always)]
fn dot<S: Simd, const K: usize>(simd: S, a: &[f32; MAX_NODES], b: &[f32; MAX_NODES]) -> f32 {
    let mut sum = simd.splat_f32s(0.0);
    for (a, b) in S::as_simd_f32s(&a[..K]).0.iter().zip(S::as_simd_f32s(&b[..K]).0) {
        sum = simd.mul_add_e_f32s(*a, *b, sum);
    }
    simd.reduce_sum_f32s(sum)
}

/// Gauss without pivoting: I + G·S is similar to a symmetric positive matrix, so its pivots are ≥ 1.
#[inline(always)]
fn eliminate(matrix: &mut [[f32; FEW + 1]; FEW], n: usize) {
    for i in 0..n {
        let inverse = 1.0 / matrix[i][i];
        for column in i..=n {
            matrix[i][column] *= inverse;
        }
        let pivot = matrix[i];
        for (row, cells) in matrix.iter_mut().enumerate().take(n) {
            if row != i {
                let factor = cells[i];
                for column in i..=n {
                    cells[column] -= factor * pivot[column];
                }
            }
        }
    }
}

/// Gauss–Jordan with row pivoting on n rows of n + 1 numbers.
fn eliminate_pivoting(system: &mut [f32], n: usize) {
    let width = n + 1;
    for i in 0..n {
        let largest =
            (i..n).max_by(|&a, &b| system[a * width + i].abs().total_cmp(&system[b * width + i].abs()));
        let pivot = largest.unwrap_or(i);
        if system[pivot * width + i] == 0.0 {
            continue;
        }
        if pivot != i {
            for column in 0..width {
                system.swap(i * width + column, pivot * width + column);
            }
        }
        let inverse = 1.0 / system[i * width + i];
        for column in i..width {
            system[i * width + column] *= inverse;
        }
        for row in 0..n {
            if row != i {
                let factor = system[row * width + i];
                for column in i..width {
                    system[row * width + column] -= factor * system[i * width + column];
                }
            }
        }
    }
}
