//! From the inner rate to the host's: one linear-phase low-pass per pick-up, after the voices are summed.
//!
//! Kaiser-windowed sinc (Kaiser 1974): flat within 0.1 dB to min(20 kHz, 0.45 f_s), below -90 dB from f_s/2 on,
//! so nothing folds back. A pick-up that reads a rate of change uses the derivative of the same kernel: the
//! filter that was needed anyway differentiates on the way.

use pulp::Simd;
use std::f64::consts::PI;

/// Highest frequency that must pass, Hz.
const PASS_HZ: f64 = 20_000.0;
/// The same as a share of the host's rate.
const PASS_SHARE: f64 = 0.45;
/// Attenuation designed for, dB; some above the 90 promised.
const ATTENUATION_DB: f64 = 96.0;

/// Whether a kernel passes a signal or its time derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    Plain,
    Derivative,
}

/// Taps at the inner rate. A plain kernel at factor 1 is a single 1.
pub fn design(kernel: Kernel, host_rate_hz: f64, factor: usize) -> Vec<f32> {
    if factor == 1 && kernel == Kernel::Plain {
        return vec![1.0];
    }
    let inner = host_rate_hz * factor as f64;
    let pass = PASS_HZ.min(PASS_SHARE * host_rate_hz);
    let stop = 0.5 * host_rate_hz;
    let beta = 0.1102 * (ATTENUATION_DB - 8.7);
    let width = 2.0 * PI * (stop - pass) / inner;
    let taps = ((ATTENUATION_DB - 7.95) / (2.285 * width)).ceil() as usize | 1;
    let half = taps as f64 / 2.0;
    let cutoff = (pass + stop) / inner;
    // The kernel as a function of time in samples, so that its derivative can be taken.
    let value = |t: f64| {
        let place = t / half;
        if place.abs() >= 1.0 {
            return 0.0;
        }
        let window = bessel_i0(beta * (1.0 - place * place).sqrt()) / bessel_i0(beta);
        let phase = PI * cutoff * t;
        let sinc = if phase.abs() < 1e-9 { 1.0 } else { phase.sin() / phase };
        cutoff * sinc * window
    };
    let h = 1e-4;
    (0..taps)
        .map(|i| {
            let t = i as f64 - (taps / 2) as f64;
            match kernel {
                Kernel::Plain => value(t) as f32,
                Kernel::Derivative => ((value(t + h) - value(t - h)) / (2.0 * h) * inner) as f32,
            }
        })
        .collect()
}

/// Modified Bessel function of order zero by its series; converges for every β used here.
fn bessel_i0(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for n in 1..200 {
        term *= (x / (2.0 * f64::from(n))).powi(2);
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    sum
}

/// Taps come in so many: four registers on every path.
const MULTIPLE: usize = 32;

#[derive(Debug, Clone)]
pub struct Decimator {
    /// The taps, with zeros for the oldest inputs so that whole registers are read.
    kernel: Vec<f32>,
    factor: usize,
    /// In inner samples.
    delay: usize,
    /// The last inputs, oldest first, then room for one chunk.
    history: Vec<f32>,
}

impl Decimator {
    /// `chunk` is the most inputs ever given at once.
    pub fn new(kernel: Kernel, host_rate_hz: f64, factor: usize, chunk: usize) -> Self {
        let taps = design(kernel, host_rate_hz, factor);
        let mut kernel = vec![0.0; taps.len().next_multiple_of(MULTIPLE) - taps.len()];
        kernel.extend(&taps);
        let history = vec![0.0; kernel.len() - 1 + chunk];
        Self { kernel, factor, delay: taps.len() / 2, history }
    }

    /// Delay in inner samples.
    pub fn delay(&self) -> usize {
        self.delay
    }

    pub fn reset(&mut self) {
        self.history.fill(0.0);
    }

    /// For tests of the guard.
    pub(super) fn poison(&mut self, value: f32) {
        self.history.fill(value);
    }

    pub fn is_silent(&self) -> bool {
        self.history.iter().all(|sample| *sample == 0.0)
    }

    /// Takes a chunk in, whose length is a multiple of the factor, and hands out one sample per factor.
    #[inline(always)]
    pub fn run<S: Simd>(&mut self, simd: S, input: &[f32], mut out: impl FnMut(usize, f32)) {
        let kept = self.kernel.len() - 1;
        let Some(room) = self.history.get_mut(kept..kept + input.len()) else { return };
        room.copy_from_slice(input);
        let taps = S::as_simd_f32s(&self.kernel).0.as_chunks::<4>().0;
        for (index, first) in (0..input.len()).step_by(self.factor).enumerate() {
            let inputs = S::as_simd_f32s(&self.history[first..first + self.kernel.len()]).0;
            // Four running sums, so that the additions need not wait for each other.
            let mut sums = [simd.splat_f32s(0.0); 4];
            for (taps, inputs) in taps.iter().zip(inputs.as_chunks::<4>().0) {
                for i in 0..4 {
                    sums[i] = simd.mul_add_e_f32s(taps[i], inputs[i], sums[i]);
                }
            }
            let sum = simd.add_f32s(simd.add_f32s(sums[0], sums[1]), simd.add_f32s(sums[2], sums[3]));
            out(index, simd.reduce_sum_f32s(sum));
        }
        self.history.copy_within(input.len()..input.len() + kept, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// |H| at `hz`.
    fn gain(taps: &[f32], inner: f64, hz: f64) -> f64 {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, tap) in taps.iter().enumerate() {
            let phase = 2.0 * PI * hz * i as f64 / inner;
            re += f64::from(*tap) * phase.cos();
            im += f64::from(*tap) * phase.sin();
        }
        re.hypot(im)
    }

    #[test]
    fn flat_to_twenty_kilohertz_and_no_alias_above_minus_ninety() {
        for rate in [22_050.0, 32_000.0, 44_100.0, 48_000.0, 88_200.0, 96_000.0] {
            for factor in [2, 3, 4, 6, 8] {
                let inner = rate * factor as f64;
                let taps = design(Kernel::Plain, rate, factor);
                let pass = PASS_HZ.min(PASS_SHARE * rate);
                for i in 0..=100 {
                    let hz = pass * f64::from(i) / 100.0;
                    let db = 20.0 * gain(&taps, inner, hz).log10();
                    assert!(db.abs() < 0.1, "{rate} × {factor} at {hz}: {db}");
                }
                for i in 0..=400 {
                    let hz = 0.5 * rate + (0.5 * inner - 0.5 * rate) * f64::from(i) / 400.0;
                    let db = 20.0 * gain(&taps, inner, hz).log10();
                    assert!(db < -90.0, "{rate} × {factor} at {hz}: {db}");
                }
            }
        }
    }

    #[test]
    fn the_derivative_kernel_differentiates() {
        for (rate, factor) in [(48_000.0, 4), (44_100.0, 2), (192_000.0, 1)] {
            let taps = design(Kernel::Derivative, rate, factor);
            for hz in [30.0, 1000.0, 10_000.0, 19_000.0] {
                let db = 20.0 * (gain(&taps, rate * factor as f64, hz) / (2.0 * PI * hz)).log10();
                assert!(db.abs() < 0.1, "{rate} × {factor} at {hz}: {db}");
            }
        }
    }

    #[test]
    fn chunks_of_any_length_give_the_same_samples() {
        let signal: Vec<f32> = (0..960).map(|i| (i as f32 * 0.1).sin()).collect();
        let run = |chunk: usize| {
            let mut decimator = Decimator::new(Kernel::Plain, 48_000.0, 4, 64);
            let mut out = Vec::new();
            for part in signal.chunks(chunk) {
                decimator.run(pulp::Scalar, part, |_, sample| out.push(sample));
            }
            out
        };
        assert_eq!(run(64), run(4));
    }
}
