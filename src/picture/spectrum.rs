//! Velocity spectrum with the beam's natural frequencies: does the sound ring where the modes are?
//!
//! Level of the power spectral density, 10·log10(S / ((1 nm/s)²/Hz)), over the audible range.

use plotters::prelude::DrawingBackend;

use super::{Area, Axis, Corner, Figure, Painted, Plot, Stroke};
use crate::units::VELOCITY_REFERENCE_M_S;

#[derive(Debug, Clone)]
pub struct SpectrumFigure<'a> {
    pub title: String,
    /// Frequencies of the density, Hz, rising.
    pub frequencies_hz: &'a [f64],
    /// One-sided power spectral density, (m/s)²/Hz.
    pub density: &'a [f64],
    pub natural_frequencies_hz: &'a [f64],
}

/// Lower end of hearing.
const LOWEST_HZ: f64 = 20.0;
const HIGHEST_HZ: f64 = 20_000.0;
/// Below the loudest line by more than this, nothing is worth the paper.
const SPAN_DB: f64 = 100.0;

impl SpectrumFigure<'_> {
    /// Density in decibels; silence becomes a gap.
    fn levels(&self) -> impl Iterator<Item = (f64, f64)> {
        let reference = VELOCITY_REFERENCE_M_S * VELOCITY_REFERENCE_M_S;
        self.frequencies_hz
            .iter()
            .zip(self.density)
            .filter(|(frequency, _)| **frequency >= LOWEST_HZ)
            .map(move |(frequency, density)| (*frequency, 10.0 * (density / reference).log10()))
    }

    fn axes(&self) -> (Axis, Axis) {
        let nyquist_hz = self.frequencies_hz.last().copied().unwrap_or(HIGHEST_HZ);
        let highest_hz = nyquist_hz.min(HIGHEST_HZ);
        let (low, high) = self
            .levels()
            .filter(|(frequency, level)| *frequency <= highest_hz && level.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, level)| {
                (low.min(level), high.max(level))
            });
        // Full tens, so that two pictures of like sounds have like axes.
        let top = (high / 10.0 + 0.2).ceil() * 10.0;
        let bottom = (low / 10.0).floor() * 10.0;
        (
            Axis::log("frequency (Hz)", LOWEST_HZ, highest_hz),
            Axis::linear("velocity density (dB re (1 nm/s)²/Hz)", bottom.max(top - SPAN_DB), top),
        )
    }
}

impl Figure for SpectrumFigure<'_> {
    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (x, y) = self.axes();
        let mut plot = Plot::new(area, &self.title, x, y)?;
        if !self.natural_frequencies_hz.is_empty() {
            let modes = self.natural_frequencies_hz.iter().copied();
            plot.verticals(modes, Stroke::series(1).thin().dotted(), Some("natural frequencies"))?;
        }
        plot.line(self.levels(), Stroke { width: 2, ..Stroke::series(0) }, Some("pick-up velocity"))?;
        plot.finish(Corner::LowerLeft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::save;

    #[test]
    fn axes_hold_the_audible_range_and_full_tens() {
        let frequencies: Vec<f64> = (0..=4800).map(|k| 10.0 * k as f64).collect();
        let density: Vec<f64> = frequencies.iter().map(|f| 1e-10 / (1.0 + f * f)).collect();
        let figure = SpectrumFigure {
            title: "t".into(),
            frequencies_hz: &frequencies,
            density: &density,
            natural_frequencies_hz: &[],
        };
        let (x, y) = figure.axes();
        assert_eq!(x.limits(), (20.0, 20_000.0));
        let (low, high) = y.limits();
        // 10·log10(1e-10/401/1e-18) = 53.97 dB at 20 Hz, -6.02 dB at 20 kHz.
        assert_eq!((low, high), (-10.0, 60.0));
        let slow =
            SpectrumFigure { frequencies_hz: &frequencies[..=800], density: &density[..=800], ..figure };
        assert_eq!(slow.axes().0.limits(), (20.0, 8000.0));
    }

    #[test]
    fn silence_still_has_a_picture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("silence.png");
        let figure = SpectrumFigure {
            title: "silence".into(),
            frequencies_hz: &[0.0, 100.0, 200.0],
            density: &[0.0; 3],
            natural_frequencies_hz: &[64.0],
        };
        save(&path, &figure).unwrap();
        assert!(path.exists());
    }
}
