//! Forces of many blocks at once: Newton on the nodes, whose number does not grow with the blocks.
//!
//! (I + C·Σ s w wᵀ)·Δr = r_free - r - C·F, with the names of `solve`.

use super::meet::{Meeting, add_scaled};
use super::nodes::MAX_NODES;
use super::press::{NodeLaw, press};
use super::solve::{CLOSE, MAX_ITERATIONS, ROUNDING_M, dot};
use pulp::Simd;

impl Meeting {
    /// Newton on the nodes, when many blocks touch.
    #[inline(always)]
    pub(super) fn solve_nodes<S: Simd, const K: usize>(&mut self, simd: S, law: &NodeLaw, free: &[f32; K]) {
        let touching = &mut self.touching[..self.count];
        let mut r = [0.0f32; MAX_NODES];
        r[..K].copy_from_slice(free);
        for t in touching.iter() {
            add_scaled::<S, K>(simd, -t.force, &t.yields, &mut r);
        }
        for iteration in 0..MAX_ITERATIONS {
            self.work.iterations += 1;
            let mut rows = [[0.0f32; K]; K];
            let mut dr = [0.0f32; MAX_NODES];
            let mut deepest = 0.0f32;
            for t in touching.iter_mut() {
                t.to = dot::<S, K>(simd, &t.weights, &r);
                t.press = press(simd, law, &t.heights, t.from, t.to);
                deepest = deepest.max(t.highest[1] + t.to);
                // What does not touch by now adds nothing.
                if t.press.stiffness > 0.0 || t.press.force > 0.0 {
                    for (row, y) in rows.iter_mut().zip(&t.yields) {
                        add_scaled::<S, K>(simd, y * t.press.stiffness, &t.weights, row);
                    }
                    add_scaled::<S, K>(simd, -t.press.force, &t.yields, &mut dr);
                }
            }
            for (i, row) in rows.iter_mut().enumerate() {
                row[i] += 1.0;
                dr[i] += free[i] - r[i];
            }
            eliminate::<S, K>(simd, &mut rows, &mut dr);
            let damp = if iteration > 6 { 0.5 } else { 1.0 };
            let mut largest = 0.0f32;
            for t in touching.iter_mut() {
                let dx = dot::<S, K>(simd, &t.weights, &dr);
                largest = largest.max(dx.abs());
                t.to += dx;
                t.force = (t.press.force + t.press.stiffness * dx).max(0.0);
            }
            add_scaled::<S, K>(simd, damp, &dr, &mut r);
            if largest <= CLOSE * deepest + ROUNDING_M {
                return;
            }
        }
        self.work.unsolved += 1;
    }
}

/// Gauss with row pivoting: friction makes the matrix unsymmetric. Whole rows are subtracted, which lanes can do;
/// leaves the solution in the first K of `right`.
#[inline(always)]
fn eliminate<S: Simd, const K: usize>(simd: S, rows: &mut [[f32; K]; K], right: &mut [f32; MAX_NODES]) {
    for i in 0..K {
        let mut pivot = i;
        for row in i + 1..K {
            if rows[row][i].abs() > rows[pivot][i].abs() {
                pivot = row;
            }
        }
        rows.swap(i, pivot);
        right.swap(i, pivot);
        let (above, below) = rows.split_at_mut(i + 1);
        let (own, known) = (&above[i], right[i]);
        if own[i] == 0.0 {
            continue;
        }
        let inverse = 1.0 / own[i];
        for (cells, value) in below.iter_mut().zip(&mut right[i + 1..]) {
            let factor = cells[i] * inverse;
            add_scaled::<S, K>(simd, -factor, own, cells);
            *value -= factor * known;
        }
    }
    for i in (0..K).rev() {
        if rows[i][i] != 0.0 {
            right[i] /= rows[i][i];
        }
        for row in 0..i {
            right[row] -= rows[row][i] * right[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::Scalar;

    #[test]
    fn elimination_solves_what_needs_pivots() {
        const K: usize = 8;
        // A cyclic shift plus something small: no pivot stands on the diagonal.
        let cell = |i: usize, j: usize| {
            let shifted = if j == (i + 3) % K { 5.0 } else { 0.0 };
            shifted + if i == j { 0.0 } else { 0.1 * ((i * 7 + j * 3) % 11) as f32 }
        };
        let mut rows: [[f32; K]; K] = std::array::from_fn(|i| std::array::from_fn(|j| cell(i, j)));
        let wanted: [f32; K] = std::array::from_fn(|j| j as f32 - 2.5);
        let mut right = [0.0; MAX_NODES];
        for (value, row) in right.iter_mut().zip(&rows) {
            *value = row.iter().zip(&wanted).map(|(a, x)| a * x).sum();
        }
        eliminate::<Scalar, K>(Scalar, &mut rows, &mut right);
        for (ours, wanted) in right.iter().zip(wanted) {
            assert!((ours - wanted).abs() < 1e-4, "{ours} {wanted}");
        }
    }
}
