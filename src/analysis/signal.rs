//! Everything that is said about one channel: levels, bands, spectrum, centroid, and which natural frequencies
//! its peaks belong to.
//!
//! Spectral centroid: Σ f·S / Σ S over the audible lines (20 Hz to 20 kHz), so that neither a constant offset
//! nor a high rate moves it.

use super::levels::{Band, BandWidth, a_weighted_mean_square, bands};
use super::peaks::{ModeMatch, Peak, match_peaks_within, peaks};
use super::spectrum::{Density, Welch, segment_length};
use crate::units::decibels;

/// A maximum counts as a peak when it stands out by this much: over the scatter of a Welch estimate of a few
/// dozen segments.
const PROMINENCE_DB: f64 = 6.0;
/// A peak belongs to a natural frequency within 5 %: contact shifts modes by a few per cent.
const MODE_TOLERANCE: f64 = 0.05;
/// 100 dB below the highest line lies rounding, not sound.
const FLOOR: f64 = 1e-10;
const AUDIBLE_HZ: (f64, f64) = (20.0, 20_000.0);

#[derive(Debug, Clone, Copy)]
pub struct SignalOptions {
    pub bands: BandWidth,
    /// Distance between the lines of the spectrum.
    pub resolution_hz: f64,
}

/// One channel in its SI unit, or with 1.0 as full scale where nothing more is known.
#[derive(Debug, Clone)]
pub struct Signal {
    pub rms: f64,
    pub peak: f64,
    pub a_weighted_rms: f64,
    pub centroid_hz: Option<f64>,
    pub bands: Vec<Band>,
    pub spectrum: Density,
    pub peaks: Vec<Peak>,
    /// One entry per natural frequency below Nyquist.
    pub modes: Vec<ModeMatch>,
}

/// A channel heard block by block: what it needs in memory does not grow with the channel's length.
pub struct SignalMeter {
    rate_hz: f64,
    bands: BandWidth,
    spectrum: Welch,
    squares: f64,
    peak: f64,
    samples: usize,
}

impl SignalMeter {
    /// For a channel of `length` samples.
    pub fn new(length: usize, rate_hz: f64, options: &SignalOptions) -> Self {
        let segment = segment_length(length, rate_hz, options.resolution_hz);
        let spectrum = Welch::new(segment, rate_hz);
        Self { rate_hz, bands: options.bands, spectrum, squares: 0.0, peak: 0.0, samples: 0 }
    }

    pub fn add(&mut self, samples: &[f64]) {
        self.spectrum.add(samples);
        for sample in samples {
            self.squares += sample * sample;
            self.peak = self.peak.max(sample.abs());
        }
        self.samples += samples.len();
    }

    pub fn finish(self, natural_hz: &[f64]) -> Signal {
        let spectrum = self.spectrum.finish();
        let highest = spectrum.density.iter().copied().fold(0.0, f64::max);
        let mut found = peaks(&spectrum, PROMINENCE_DB);
        found.retain(|peak| peak.density > FLOOR * highest);
        let below: Vec<f64> = natural_hz.iter().copied().filter(|f| *f < self.rate_hz / 2.0).collect();
        // A line and a half of the spectrum is as near as a low frequency can be told.
        let modes = match_peaks_within(&found, &below, MODE_TOLERANCE, 1.5 * spectrum.resolution_hz());
        Signal {
            rms: (self.squares / self.samples.max(1) as f64).sqrt(),
            peak: self.peak,
            a_weighted_rms: a_weighted_mean_square(&spectrum).sqrt(),
            centroid_hz: centroid_hz(&spectrum),
            bands: bands(&spectrum, self.bands),
            spectrum,
            peaks: found,
            modes,
        }
    }
}

impl Signal {
    pub fn new(samples: &[f64], rate_hz: f64, natural_hz: &[f64], options: &SignalOptions) -> Self {
        let mut meter = SignalMeter::new(samples.len(), rate_hz, options);
        meter.add(samples);
        meter.finish(natural_hz)
    }

    pub fn level_db(&self, reference: f64) -> f64 {
        decibels(self.rms / reference)
    }

    pub fn a_weighted_db(&self, reference: f64) -> f64 {
        decibels(self.a_weighted_rms / reference)
    }
}

/// Root mean square over several signals: the mean of their powers, or the sum where they are the sides of
/// one mix.
pub fn overall_rms(signals: &[&Signal], sides_of_one: bool) -> Option<f64> {
    let power: f64 = signals.iter().map(|signal| signal.rms * signal.rms).sum();
    let count = if sides_of_one { 1.0 } else { signals.len() as f64 };
    (!signals.is_empty()).then(|| (power / count).sqrt())
}

fn centroid_hz(spectrum: &Density) -> Option<f64> {
    let lines = spectrum.frequencies_hz.iter().zip(&spectrum.density);
    let audible = lines.filter(|(f, _)| (AUDIBLE_HZ.0..=AUDIBLE_HZ.1).contains(*f));
    let (weighted, sum) = audible.fold((0.0, 0.0), |(w, s), (f, density)| (w + f * density, s + density));
    (sum > 0.0).then(|| weighted / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: SignalOptions = SignalOptions { bands: BandWidth::Octave, resolution_hz: 4.0 };

    fn sine(frequency_hz: f64, amplitude: f64) -> impl Fn(usize) -> f64 {
        move |i| amplitude * (std::f64::consts::TAU * frequency_hz * i as f64 / 48_000.0).sin()
    }

    #[test]
    fn two_tones_are_told_apart_and_matched() {
        let (low, high) = (sine(204.0, 1e-4), sine(1800.0, 3e-5));
        let samples: Vec<f64> = (0..96_000).map(|i| low(i) + high(i)).collect();
        let signal = Signal::new(&samples, 48_000.0, &[22.0, 200.0, 560.0, 1790.0, 30_000.0], &OPTIONS);
        let matched: Vec<bool> = signal.modes.iter().map(|mode| mode.peak.is_some()).collect();
        assert_eq!(matched, [false, true, false, true]);
        assert!((signal.modes[1].peak.unwrap().frequency_hz - 204.0).abs() < 0.2);
        // (1e-8·204 + 9e-10·1800)/(1.09e-8)
        assert!((signal.centroid_hz.unwrap() - 335.8).abs() < 1.0, "{:?}", signal.centroid_hz);
        assert!((signal.level_db(1e-9) - 97.36).abs() < 0.01, "{}", signal.level_db(1e-9));
        assert!((signal.bands[3].level_db(1e-9) - 96.99).abs() < 0.02, "the octave of 250 Hz");
    }

    #[test]
    fn silence_and_nothing_have_an_answer() {
        for samples in [vec![0.0; 48_000], vec![0.0], Vec::new()] {
            let signal = Signal::new(&samples, 48_000.0, &[100.0], &OPTIONS);
            assert_eq!((signal.rms, signal.centroid_hz, signal.peaks.len()), (0.0, None, 0));
        }
        assert_eq!(overall_rms(&[], false), None);
    }
}
