//! Sums over modes. Every engine path uses these two, in this order of operations, so that pruned and
//! literal runs agree to the bit. Four running sums let the compiler use vector registers.

const LANES: usize = 4;

/// Σ aᵢ·bᵢ over slices of equal length.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    let mut sums = [0.0; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let mut rest = 0.0;
    for (x, y) in a_rest.iter().zip(b_rest) {
        rest += x * y;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// `out += scale · row`, element by element.
#[inline]
pub fn add_scaled(out: &mut [f64], scale: f64, row: &[f64]) {
    debug_assert_eq!(out.len(), row.len());
    for (o, r) in out.iter_mut().zip(row) {
        *o += scale * r;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_and_add_scaled_take_every_element_once() {
        for length in 0..11 {
            let a: Vec<f64> = (0..length).map(|i| i as f64 + 1.0).collect();
            let b: Vec<f64> = (0..length).map(|i| (i * i) as f64 - 3.0).collect();
            let expected: f64 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            assert_eq!(dot(&a, &b), expected, "length {length}");
            let mut out = b.clone();
            add_scaled(&mut out, 2.0, &a);
            for i in 0..length {
                assert_eq!(out[i], b[i] + 2.0 * a[i]);
            }
        }
    }
}
