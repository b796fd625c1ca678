//! The shape of a stimulus: ramps, low-pass anchors, calibration signals.
//!
//! Ramps are raised cosines, ½(1 - cos(πn/N)). Anchors follow ITU-R BS.1534-3: flat to the corner within
//! 0.1 dB, and far below its -50 dB from one seventh above (4 kHz for 3.5 kHz).

use std::f64::consts::{PI, TAU};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::spec::RATE_HZ;
use crate::math::fourier::{Complex, inverse};
use crate::math::{kaiser, vector::dot};

const ANCHOR_ATTENUATION_DB: f64 = 80.0;
/// Tone and noise are as long as a listener needs to set a level.
pub const CALIBRATION_S: f64 = 10.0;
pub const TONE_HZ: f64 = 1000.0;

/// Fades both ends in place.
pub fn ramp(samples: &mut [f64], ramp_s: f64) {
    let length = ((ramp_s * RATE_HZ).round() as usize).min(samples.len() / 2);
    for n in 0..length {
        let weight = 0.5 * (1.0 - (PI * n as f64 / length as f64).cos());
        samples[n] *= weight;
        let last = samples.len() - 1 - n;
        samples[last] *= weight;
    }
}

/// The same length without what lies above the corner, in time with the original.
pub fn low_passed(samples: &[f64], corner_hz: f64) -> Vec<f64> {
    let stop_hz = (corner_hz * 8.0 / 7.0).min(0.4999 * RATE_HZ);
    let taps = kaiser::low_pass(corner_hz, stop_hz, RATE_HZ, ANCHOR_ATTENUATION_DB);
    let half = taps.len() / 2;
    let mut padded = vec![0.0; half];
    padded.extend_from_slice(samples);
    padded.resize(samples.len() + 2 * half, 0.0);
    padded.windows(taps.len()).map(|window| dot(&taps, window)).collect()
}

/// A sine of amplitude 1.
pub fn tone() -> Vec<f64> {
    let frames = (CALIBRATION_S * RATE_HZ) as usize;
    (0..frames).map(|n| (TAU * TONE_HZ * n as f64 / RATE_HZ).sin()).collect()
}

/// Pink noise from 20 Hz to 20 kHz: power 1/f, random phases from a fixed seed, peak 1.
pub fn pink_noise() -> Vec<f64> {
    let frames = (CALIBRATION_S * RATE_HZ) as usize;
    let mut random = ChaCha8Rng::seed_from_u64(1770);
    let spectrum = (0..=frames / 2)
        .map(|k| {
            let frequency = k as f64 / CALIBRATION_S;
            let phase = TAU * f64::from(random.next_u32()) / 4_294_967_296.0;
            let amplitude = if (20.0..=20_000.0).contains(&frequency) { 1.0 / frequency.sqrt() } else { 0.0 };
            Complex::from_polar(amplitude, phase)
        })
        .collect();
    let mut noise = inverse(spectrum, frames);
    let peak = noise.iter().fold(0.0, |most: f64, sample| most.max(sample.abs()));
    noise.iter_mut().for_each(|sample| *sample /= peak);
    noise
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::levels::{BandWidth, bands, rms};
    use crate::analysis::spectrum::welch;

    #[test]
    fn ramps_rise_from_nothing_and_leave_the_middle() {
        let mut samples = vec![1.0; 48_000];
        ramp(&mut samples, 0.1);
        assert_eq!((samples[0], samples[47_999], samples[4800], samples[24_000]), (0.0, 0.0, 1.0, 1.0));
        assert!((samples[2400] - 0.5).abs() < 1e-12 && (samples[1200] - 0.146_446_609_406_726).abs() < 1e-12);
        assert!(samples[..4800].windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn val_anchor_bs_1534() {
        // Ripple ±0.1 dB to 3.5 kHz, at least 25 dB down at 4 kHz and 50 dB at 4.5 kHz.
        let sine =
            |f: f64| -> Vec<f64> { (0..24_000).map(|n| (TAU * f * f64::from(n) / RATE_HZ).sin()).collect() };
        let gain = |f: f64| {
            let (before, after) = (sine(f), low_passed(&sine(f), 3500.0));
            20.0 * (rms(&after[2000..22_000]) / rms(&before[2000..22_000])).log10()
        };
        assert!([100.0, 1000.0, 3000.0, 3500.0].into_iter().all(|f| gain(f).abs() < 0.1));
        assert!(gain(4000.0) < -25.0 && gain(4500.0) < -50.0, "{} {}", gain(4000.0), gain(4500.0));
        let (before, after) = (sine(500.0), low_passed(&sine(500.0), 3500.0));
        assert!((before[12_345] - after[12_345]).abs() < 1e-3, "in time");
    }

    #[test]
    fn pink_noise_has_equal_power_in_every_third() {
        let spectrum = welch(&pink_noise(), RATE_HZ, 48_000);
        let thirds = bands(&spectrum, BandWidth::Third);
        let levels: Vec<f64> = thirds[2..29].iter().map(|band| band.level_db(1.0)).collect();
        let (low, high) = levels.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        assert!(high - low < 2.5, "{levels:?}");
        assert!((rms(&tone()) - 0.5f64.sqrt()).abs() < 1e-9);
    }
}
