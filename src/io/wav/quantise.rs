//! From numbers where 1.0 is full scale to the bytes of a file.
//!
//! Integers carry triangular dither of ±1 step (Lipshitz, Wannamaker and Vanderkooy 1992: the error then has
//! mean 0 and variance step²/4 whatever the signal), from a named portable generator, so that one seed gives
//! one file on every machine. Nothing is limited: what does not fit an integer is clamped and counted, floats
//! keep their value and are counted beyond ±1.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::SampleFormat;

pub struct Quantiser {
    format: SampleFormat,
    dither: ChaCha8Rng,
    /// Samples that did not fit.
    pub clipped: u64,
    /// Largest magnitude so far; 1.0 is full scale.
    pub highest: f64,
}

impl Quantiser {
    pub fn new(format: SampleFormat, seed: u64) -> Self {
        Self { format, dither: ChaCha8Rng::seed_from_u64(seed), clipped: 0, highest: 0.0 }
    }

    /// Appends one sample.
    pub fn push(&mut self, value: f64, bytes: &mut Vec<u8>) {
        let fits = match self.format {
            SampleFormat::Float32 => {
                bytes.extend((value as f32).to_le_bytes());
                value.abs() <= 1.0
            }
            SampleFormat::Int16 | SampleFormat::Int24 => {
                let (sample, fits) = quantised(value, self.format.bits(), &mut self.dither);
                bytes.extend(&sample.to_le_bytes()[..usize::from(self.format.bits() / 8)]);
                fits
            }
        };
        self.clipped += u64::from(!fits);
        self.highest = self.highest.max(value.abs());
    }
}

/// The dithered integer, and whether it fitted.
fn quantised(value: f64, bits: u16, dither: &mut ChaCha8Rng) -> (i32, bool) {
    let steps = f64::from(1u32 << (bits - 1));
    // Written out, because sampling routines may change between versions and the file must not.
    let mut uniform = || f64::from(dither.next_u32()) / 4_294_967_296.0;
    let rounded = (value * steps + uniform() - uniform()).round();
    let sample = rounded.clamp(-steps, steps - 1.0);
    (sample as i32, sample == rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dither_leaves_an_error_of_a_quarter_step_squared() {
        let mut dither = ChaCha8Rng::seed_from_u64(1);
        for level in [0.0, 0.25, 0.5, 100.3] {
            let errors: Vec<f64> = (0..200_000)
                .map(|_| f64::from(quantised(level / 32_768.0, 16, &mut dither).0) - level)
                .collect();
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            let power = errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64;
            assert!(mean.abs() < 0.005 && (power - 0.25).abs() < 0.005, "{level}: {mean} {power}");
        }
    }
}
