//! Forces of many blocks at once: Newton on the nodes, whose number does not grow with the blocks.
//!
//! (I + C·Σ s w wᵀ)·Δr = r_free - r - C·F, with the names of `solve`.

use super::meet::Meeting;
use super::nodes::MAX_NODES;
use super::press::{NodeLaw, press};
use super::solve::{CLOSE, MAX_ITERATIONS, ROUNDING_M, dot};
use pulp::Simd;

impl Meeting {
    /// Newton on the nodes, when many blocks touch.
    #[inline(always)]
    pub(super) fn solve_nodes<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw, free: &[f32; K]) {
        let n = K;
        let touching = &mut self.touching[..self.count];
        let mut r = [0.0f32; MAX_NODES];
        r[..n].copy_from_slice(free);
        for t in touching.iter() {
            for (r, y) in r.iter_mut().zip(&t.yields) {
                *r -= t.force * y;
            }
        }
        let mut cells = [0.0f32; MAX_NODES * (MAX_NODES + 1)];
        for iteration in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            let width = n + 1;
            let system = &mut cells[..n * width];
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
