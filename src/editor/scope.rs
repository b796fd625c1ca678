//! The sound as eyes see it: the last moments of it, and their spectrum.

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};
use std::sync::Arc;

/// Samples of one spectrum: lines 12 Hz apart at 48 kHz.
const LENGTH: usize = 4096;
/// What is left of a line's power from picture to picture: 1.2 dB less.
const FALL: f32 = 0.758_577_6;
/// Silence, dB re full scale, and its power.
const FLOOR_DB: f32 = -160.0;
const FLOOR: f32 = 1e-16;

pub struct Scope {
    /// The last samples, the middle of left and right, as a ring.
    ring: Vec<f32>,
    next: usize,
    window: Vec<f32>,
    fft: Arc<dyn RealToComplex<f32>>,
    input: Vec<f32>,
    lines: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    /// Squared amplitude of each line re full scale; rises at once, falls slowly. Decibels only where they are drawn:
    /// there are many more lines than columns of a picture.
    powers: Vec<f32>,
    fresh: bool,
}

impl Default for Scope {
    fn default() -> Self {
        let fft = RealFftPlanner::new().plan_fft_forward(LENGTH);
        let hann = |n| 0.5 - 0.5 * (std::f32::consts::TAU * n as f32 / LENGTH as f32).cos();
        Self {
            ring: vec![0.0; LENGTH],
            next: 0,
            window: (0..LENGTH).map(hann).collect(),
            input: vec![0.0; LENGTH],
            lines: fft.make_output_vec(),
            scratch: fft.make_scratch_vec(),
            powers: vec![FLOOR; LENGTH / 2 + 1],
            fft,
            fresh: false,
        }
    }
}

impl Scope {
    pub fn hear(&mut self, [left, right]: [f32; 2]) {
        self.ring[self.next] = 0.5 * (left + right);
        self.next = (self.next + 1) % LENGTH;
        self.fresh = true;
    }

    /// The sample so many before the newest.
    fn back(&self, samples: usize) -> f32 {
        self.ring[(self.next + 2 * LENGTH - 1 - samples.min(LENGTH - 1)) % LENGTH]
    }

    /// The last `count` samples up to one that rises through zero, so that a steady tone stands still.
    pub fn wave(&self, count: usize) -> impl Iterator<Item = f32> + '_ {
        let count = count.min(LENGTH / 2);
        let rises = |back: &usize| self.back(back + 1) < 0.0 && self.back(*back) >= 0.0;
        let end = (0..LENGTH / 2 - 1).find(rises).unwrap_or(0);
        (0..count).rev().map(move |n| self.back(end + n))
    }

    /// Works the spectrum out anew if there is new sound.
    pub fn analyse(&mut self) {
        if !std::mem::take(&mut self.fresh) {
            return;
        }
        let (newest, oldest) = self.ring.split_at(self.next);
        let sound = oldest.iter().chain(newest).zip(&self.window);
        for (input, (sample, share)) in self.input.iter_mut().zip(sound) {
            *input = sample * share;
        }
        // Lengths are the plan's own, so that it cannot refuse.
        let _ = self.fft.process_with_scratch(&mut self.input, &mut self.lines, &mut self.scratch);
        for (power, line) in self.powers.iter_mut().zip(&self.lines) {
            // A Hann window lets half of a sine's amplitude through, and a line has half of that.
            let new = line.norm_sqr() * (4.0 / LENGTH as f32).powi(2);
            *power = new.max(*power * FALL).max(FLOOR);
        }
    }

    /// The highest line between two frequencies, dB re full scale.
    pub fn level_db(&self, from_hz: f32, to_hz: f32, rate_hz: f32) -> f32 {
        let place = |hz: f32| hz * LENGTH as f32 / rate_hz;
        let (from, to) = (place(from_hz), place(to_hz));
        let last = self.powers.len() - 1;
        let at = |n: usize| self.powers[n.min(last)];
        let first = from.ceil() as usize;
        if to < first as f32 {
            // Between two lines: straight from one to the other.
            let share = from - from.floor();
            return decibels(at(from as usize)) * (1.0 - share) + decibels(at(from as usize + 1)) * share;
        }
        decibels((first..=to as usize).map(at).fold(FLOOR, f32::max))
    }
}

fn decibels(power: f32) -> f32 {
    (10.0 * power.log10()).max(FLOOR_DB)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(scope: &mut Scope, hz: f32, amplitude: f32) {
        for n in 0..2 * LENGTH {
            let sample = amplitude * (std::f32::consts::TAU * hz * n as f32 / 48_000.0).sin();
            scope.hear([sample, sample]);
        }
        scope.analyse();
    }

    #[test]
    fn val_a_sine_has_its_amplitude_at_its_frequency() {
        let mut scope = Scope::default();
        // On a line of the spectrum, so that nothing leaks.
        let hz = 48_000.0 * 100.0 / LENGTH as f32;
        tone(&mut scope, hz, 0.1);
        assert!((scope.level_db(hz - 6.0, hz + 6.0, 48_000.0) + 20.0).abs() < 0.01);
        assert!(scope.level_db(4_000.0, 20_000.0, 48_000.0) < -100.0);
    }

    #[test]
    fn waves_end_where_they_rise_through_zero() {
        let mut scope = Scope::default();
        tone(&mut scope, 440.0, 0.5);
        let wave: Vec<f32> = scope.wave(400).collect();
        let last = wave[wave.len() - 1];
        assert!(wave.len() == 400 && (0.0..0.03).contains(&last) && wave[wave.len() - 2] < 0.0);
    }

    #[test]
    fn lines_fall_slowly() {
        let mut scope = Scope::default();
        tone(&mut scope, 1_171.875, 0.1);
        let before = scope.level_db(1_100.0, 1_200.0, 48_000.0);
        (0..LENGTH).for_each(|_| scope.hear([0.0; 2]));
        scope.analyse();
        assert!((before - scope.level_db(1_100.0, 1_200.0, 48_000.0) - 1.2).abs() < 0.01);
    }
}
