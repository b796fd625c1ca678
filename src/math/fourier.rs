//! Real Fourier transforms with the lengths taken care of.
//!
//! Convention: X_k = Σ_l x_l exp(-2πi kl/N) for k = 0…N/2, and `inverse(forward(x)) = x` (the factor 1/N
//! sits in the inverse).

use realfft::RealFftPlanner;
pub use realfft::num_complex::Complex;

/// X_k, k = 0…N/2, of a real sequence of any length N ≥ 1.
pub fn forward(mut samples: Vec<f64>) -> Vec<Complex<f64>> {
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(samples.len());
    let mut spectrum = plan.make_output_vec();
    plan.process(&mut samples, &mut spectrum).expect("both buffers were sized by the plan");
    spectrum
}

/// The real sequence of length `len` whose transform is `spectrum` (`len / 2 + 1` values).
/// The imaginary parts at k = 0 and, for even `len`, at k = N/2 have no meaning and are dropped.
pub fn inverse(mut spectrum: Vec<Complex<f64>>, len: usize) -> Vec<f64> {
    let plan = RealFftPlanner::<f64>::new().plan_fft_inverse(len);
    let mut samples = plan.make_output_vec();
    spectrum[0].im = 0.0;
    if len.is_multiple_of(2) {
        spectrum[len / 2].im = 0.0;
    }
    plan.process(&mut spectrum, &mut samples).expect("both buffers were sized by the plan");
    let scale = 1.0 / len as f64;
    for sample in &mut samples {
        *sample *= scale;
    }
    samples
}

/// The smallest even length ≥ `at_least` whose only prime factors are 2, 3 and 5, where FFTs are fast
/// and need no extra memory.
pub fn fast_len(at_least: usize) -> usize {
    let mut best = at_least.max(2).next_power_of_two();
    let mut fives = 1;
    while fives < best {
        let mut odd = fives;
        while odd < best {
            let mut even = 2 * odd;
            while even < at_least {
                even *= 2;
            }
            best = best.min(even);
            odd *= 3;
        }
        fives *= 5;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fourier_there_and_back() {
        for len in [1, 2, 7, 30, 31] {
            let samples: Vec<f64> = (0..len).map(|l| ((l * l) as f64).sin()).collect();
            let back = inverse(forward(samples.clone()), len);
            for (a, b) in samples.iter().zip(&back) {
                assert!((a - b).abs() < 1e-14, "length {len}: {a} {b}");
            }
        }
    }

    #[test]
    fn fast_lengths_are_the_nearest_smooth_ones() {
        let smooth = |mut n: usize| {
            for p in [2, 3, 5] {
                while n.is_multiple_of(p) {
                    n /= p;
                }
            }
            n == 1
        };
        for at_least in 1..2_000 {
            let expected = (at_least.max(2)..).find(|&n| n % 2 == 0 && smooth(n));
            assert_eq!(Some(fast_len(at_least)), expected);
        }
    }
}
