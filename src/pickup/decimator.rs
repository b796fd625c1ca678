//! From the inner rate to the rate of a file by a whole factor: a linear-phase low-pass (Kaiser-windowed
//! sinc) evaluated at the kept samples only.
//!
//! Pass band to the smaller of 20 kHz and 0.45 of the output rate, within 0.01 dB; what would fold back
//! into it is down by 100 dB.

use crate::math::kaiser;

/// Attenuation of what would fold back, dB.
const ATTENUATION_DB: f64 = 105.0;
const HIGHEST_AUDIBLE_HZ: f64 = 20_000.0;

pub struct Decimator {
    factor: usize,
    taps: Vec<f64>,
    /// Twice the taps, so that the last `taps.len()` inputs always lie in one piece.
    history: Vec<f64>,
    at: usize,
    until_output: usize,
}

impl Decimator {
    /// From `factor` × `rate_hz` to `rate_hz`.
    pub fn new(factor: usize, rate_hz: f64) -> Self {
        let taps = low_pass(factor, rate_hz);
        let history = vec![0.0; 2 * taps.len()];
        // The first output is the one whose window is centred on the first input.
        let until_output = taps.len() / 2;
        Self { factor, taps, history, at: 0, until_output }
    }

    /// Inputs from a sample to the output that is centred on it.
    pub fn delay(&self) -> usize {
        self.taps.len() / 2
    }

    /// Takes one inner sample; every `factor`-th time gives an output.
    pub fn push(&mut self, sample: f64) -> Option<f64> {
        let length = self.taps.len();
        self.history[self.at] = sample;
        self.history[self.at + length] = sample;
        self.at = (self.at + 1) % length;
        if self.until_output > 0 {
            self.until_output -= 1;
            return None;
        }
        self.until_output = self.factor - 1;
        // `at` is now the oldest input; the taps are symmetric.
        Some(crate::math::vector::dot(&self.taps, &self.history[self.at..self.at + length]))
    }
}

/// The transition lies between the pass band and its first fold.
fn low_pass(factor: usize, rate_hz: f64) -> Vec<f64> {
    if factor == 1 {
        return vec![1.0];
    }
    let inner_hz = factor as f64 * rate_hz;
    let pass_hz = HIGHEST_AUDIBLE_HZ.min(0.45 * rate_hz);
    let stop_hz = rate_hz - pass_hz;
    kaiser::low_pass(pass_hz, stop_hz, inner_hz, ATTENUATION_DB)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn response_db(taps: &[f64], frequency: f64) -> f64 {
        let middle = (taps.len() / 2) as f64;
        let sum: f64 = taps
            .iter()
            .enumerate()
            .map(|(n, tap)| tap * (2.0 * PI * frequency * (n as f64 - middle)).cos())
            .sum();
        20.0 * sum.abs().max(1e-30).log10()
    }

    #[test]
    fn flat_in_the_pass_band_and_silent_where_it_folds() {
        for rate_hz in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            for factor in [4, 21] {
                let taps = low_pass(factor, rate_hz);
                let inner = factor as f64 * rate_hz;
                let pass = HIGHEST_AUDIBLE_HZ.min(0.45 * rate_hz);
                for i in 0..=50 {
                    let f = pass * f64::from(i) / 50.0;
                    assert!(response_db(&taps, f / inner).abs() < 0.01, "{rate_hz} Hz, {f} Hz");
                }
                for fold in 1..=factor / 2 {
                    for i in 0..=20 {
                        let f = fold as f64 * rate_hz - pass + 2.0 * pass * f64::from(i) / 20.0;
                        if f <= inner / 2.0 {
                            assert!(response_db(&taps, f / inner) < -100.0, "{rate_hz} Hz, {f} Hz");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn outputs_are_in_time_with_inputs() {
        let (factor, rate_hz, f) = (10, 48_000.0, 1000.0);
        let mut decimator = Decimator::new(factor, rate_hz);
        let wave = |n: usize| (2.0 * PI * f * n as f64 / (factor as f64 * rate_hz)).sin();
        let outputs: Vec<f64> = (0..20_000).filter_map(|n| decimator.push(wave(n))).collect();
        // Away from the start, output j is the input at j·factor.
        for (j, output) in outputs.iter().enumerate().skip(100) {
            assert!((output - wave(j * factor)).abs() < 1e-4, "output {j}");
        }
    }
}
