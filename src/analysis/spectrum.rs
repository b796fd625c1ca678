//! Power spectral density by Welch's method.
//!
//! P. D. Welch, "The use of fast Fourier transform for the estimation of power spectra", IEEE Trans.
//! Audio Electroacoust. 15 (1967): the mean of |FFT(w·x)|² over segments that overlap by half, with the
//! Hann window w(j) = ½(1 - cos(2πj/N)),
//!
//!   S(k) = 2 / (rate · Σw²) · mean |X(k)|²        (one-sided; not doubled at 0 and at Nyquist)
//!
//! so that Σ S·Δf is the mean square (Parseval). Nothing is detrended. Samples after the last whole
//! segment are left out.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

/// One-sided power spectral density on an even grid from 0 to Nyquist.
#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    pub frequencies_hz: Vec<f64>,
    /// Unit of the signal squared per hertz.
    pub density: Vec<f64>,
}

impl Density {
    /// Distance between two lines.
    pub fn resolution_hz(&self) -> f64 {
        match self.frequencies_hz[..] {
            [first, second, ..] => second - first,
            _ => 0.0,
        }
    }

    /// Mean square of the whole signal.
    pub fn mean_square(&self) -> f64 {
        self.density.iter().sum::<f64>() * self.resolution_hz()
    }

    /// Mean square of the part between two frequencies. Line `k` stands for the band of one resolution
    /// around it; a band cut by a limit counts with the share inside.
    pub fn mean_square_between(&self, low_hz: f64, high_hz: f64) -> f64 {
        let step = self.resolution_hz();
        let lines = self.frequencies_hz.iter().zip(&self.density);
        lines
            .map(|(frequency, density)| {
                let inside = (frequency + step / 2.0).min(high_hz) - (frequency - step / 2.0).max(low_hz);
                density * inside.max(0.0)
            })
            .sum()
    }
}

/// The even segment length whose lines stand `resolution_hz` apart, no longer than the signal.
pub fn segment_length(samples: usize, rate_hz: f64, resolution_hz: f64) -> usize {
    let wanted = (rate_hz / resolution_hz).round().clamp(2.0, 1e9) as usize;
    wanted.min(samples) / 2 * 2
}

/// Welch's estimate with segments of `segment` samples (made even and no longer than the signal). Empty
/// for a signal of fewer than two samples.
pub fn welch(samples: &[f64], rate_hz: f64, segment: usize) -> Density {
    let mut estimate = Welch::new(segment.min(samples.len()), rate_hz);
    estimate.add(samples);
    estimate.finish()
}

/// The same estimate of a signal that comes block by block.
pub struct Welch {
    rate_hz: f64,
    window: Vec<f64>,
    transform: Arc<dyn RealToComplex<f64>>,
    /// Samples of a segment that is not whole yet.
    held: Vec<f64>,
    input: Vec<f64>,
    output: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
    power: Vec<f64>,
    segments: usize,
}

impl Welch {
    /// `segment` is made even.
    pub fn new(segment: usize, rate_hz: f64) -> Self {
        let length = segment / 2 * 2;
        let turn = 2.0 * std::f64::consts::PI / length as f64;
        // A transform has at least two samples; without a window it is never used.
        let transform = RealFftPlanner::<f64>::new().plan_fft_forward(length.max(2));
        let (input, output) = (transform.make_input_vec(), transform.make_output_vec());
        Self {
            rate_hz,
            window: (0..length).map(|j| 0.5 * (1.0 - (turn * j as f64).cos())).collect(),
            held: Vec::with_capacity(length),
            power: vec![0.0; output.len()],
            input,
            output,
            scratch: transform.make_scratch_vec(),
            transform,
            segments: 0,
        }
    }

    pub fn add(&mut self, mut samples: &[f64]) {
        let length = self.window.len();
        while length > 0 && !samples.is_empty() {
            let (now, later) = samples.split_at(samples.len().min(length - self.held.len()));
            self.held.extend_from_slice(now);
            samples = later;
            if self.held.len() == length {
                self.take_segment();
                self.held.drain(..length / 2);
            }
        }
    }

    fn take_segment(&mut self) {
        for ((slot, sample), weight) in self.input.iter_mut().zip(&self.held).zip(&self.window) {
            *slot = sample * weight;
        }
        self.transform
            .process_with_scratch(&mut self.input, &mut self.output, &mut self.scratch)
            .expect("the buffers come from the plan itself");
        for (sum, line) in self.power.iter_mut().zip(&self.output) {
            *sum += line.norm_sqr();
        }
        self.segments += 1;
    }

    /// Empty where not one segment became whole.
    pub fn finish(self) -> Density {
        if self.segments == 0 {
            return Density { frequencies_hz: Vec::new(), density: Vec::new() };
        }
        let window_power: f64 = self.window.iter().map(|w| w * w).sum();
        let scale = 1.0 / (self.rate_hz * window_power * self.segments as f64);
        let last = self.power.len() - 1;
        let one_sided =
            |(k, sum): (usize, &f64)| if k == 0 || k == last { sum * scale } else { 2.0 * sum * scale };
        let density = self.power.iter().enumerate().map(one_sided).collect();
        let frequencies_hz = (0..=last).map(|k| k as f64 * self.rate_hz / self.window.len() as f64).collect();
        Density { frequencies_hz, density }
    }
}

#[cfg(test)]
pub mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    pub const RATE: f64 = 48_000.0;

    pub fn sine(frequency_hz: f64, amplitude: f64, samples: usize) -> Vec<f64> {
        let step = 2.0 * std::f64::consts::PI * frequency_hz / RATE;
        (0..samples).map(|i| amplitude * (step * i as f64).sin()).collect()
    }

    #[test]
    fn parseval_holds_for_one_segment_exactly() {
        // One segment: Σ S·Δf = Σ(w·x)² / Σw², whatever the signal.
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let noise: Vec<f64> = (0..4096).map(|_| rng.random_range(-1.0..1.0)).collect();
        let window: Vec<f64> =
            (0..4096).map(|j| 0.5 - 0.5 * (2.0 * std::f64::consts::PI * j as f64 / 4096.0).cos()).collect();
        let weighted: f64 = noise.iter().zip(&window).map(|(x, w)| (x * w).powi(2)).sum();
        let expected = weighted / window.iter().map(|w| w * w).sum::<f64>();
        let measured = welch(&noise, RATE, 4096).mean_square();
        assert!((measured / expected - 1.0).abs() < 1e-12, "{measured} {expected}");
    }

    #[test]
    fn white_noise_has_the_flat_density_of_its_variance() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let noise: Vec<f64> = (0..1 << 19).map(|_| rng.random_range(-1.0..1.0)).collect();
        let spectrum = welch(&noise, RATE, 1024);
        // Variance 1/3 over 24 kHz; 1023 half-overlapped segments scatter each line by about 3 %.
        let expected = 1.0 / 3.0 / 24_000.0;
        for density in &spectrum.density[2..511] {
            assert!((density / expected - 1.0).abs() < 0.2, "{density}");
        }
        assert!((spectrum.mean_square() * 3.0 - 1.0).abs() < 0.01);
        assert!((spectrum.mean_square_between(6000.0, 12_000.0) * 12.0 - 1.0).abs() < 0.02);
    }

    #[test]
    fn blocks_of_any_length_give_the_same_bits() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let noise: Vec<f64> = (0..10_000).map(|_| rng.random_range(-1.0..1.0)).collect();
        let whole = welch(&noise, RATE, 512);
        for length in [1, 7, 256, 511, 512, 513, 9000] {
            let mut estimate = Welch::new(512, RATE);
            noise.chunks(length).for_each(|block| estimate.add(block));
            assert_eq!(estimate.finish(), whole, "blocks of {length}");
        }
    }

    #[test]
    fn a_sine_carries_half_its_squared_amplitude() {
        for frequency in [1000.0, 1003.7, 17_321.0] {
            let spectrum = welch(&sine(frequency, 2.0, 48_000), RATE, 4800);
            assert!((spectrum.mean_square() / 2.0 - 1.0).abs() < 1e-3, "{frequency}");
            let near = spectrum.mean_square_between(frequency - 50.0, frequency + 50.0);
            assert!((near / 2.0 - 1.0).abs() < 1e-3, "{frequency}: {near}");
        }
    }

    #[test]
    fn too_short_a_signal_has_no_spectrum() {
        for samples in [&[][..], &[1.0]] {
            let spectrum = welch(samples, RATE, 1024);
            assert!(spectrum.density.is_empty() && spectrum.mean_square() == 0.0);
        }
        assert_eq!(welch(&[1.0; 7], RATE, 1024).density.len(), 4);
    }
}
