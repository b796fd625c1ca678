//! Sounds as people print them: above the power spectral densities with the natural frequencies and the peaks
//! that belong to them, below the band levels.

use plotters::prelude::DrawingBackend;

use super::{Area, Axis, Corner, Figure, Painted, Plot, Stroke, style};
use crate::analysis::levels::BandWidth;
use crate::analysis::signal::Signal;

/// One channel with its name in the legend.
pub struct Series<'a> {
    pub name: String,
    pub signal: &'a Signal,
}

pub struct SoundFigure<'a> {
    pub title: String,
    /// All in one unit.
    pub series: Vec<Series<'a>>,
    /// What is drawn: `velocity`, or `signal` where the file is not calibrated.
    pub quantity: &'a str,
    /// Amplitude of 0 dB in the unit of the series, and its name: `1 nm/s`.
    pub reference: (f64, &'a str),
    pub width: BandWidth,
    pub natural_hz: &'a [f64],
}

const LOWEST_HZ: f64 = 20.0;
/// The end of the band around 20 kHz.
const HIGHEST_HZ: f64 = 22_400.0;
/// Below the loudest by more than this, nothing is worth the paper.
const SPAN_DB: f64 = 90.0;
/// Height of a row of the legend as a share of the upper axes.
const LEGEND_ROW: f64 = 0.056;

impl SoundFigure<'_> {
    fn level(&self, power: f64) -> f64 {
        10.0 * (power / (self.reference.0 * self.reference.0)).log10()
    }

    fn lines(&self, signal: &Signal) -> Vec<(f64, f64)> {
        let spectrum = &signal.spectrum;
        let lines = spectrum.frequencies_hz.iter().zip(&spectrum.density);
        lines.filter(|(f, _)| **f >= LOWEST_HZ).map(|(f, density)| (*f, self.level(*density))).collect()
    }

    fn highest_hz(&self) -> f64 {
        let nyquists = self.series.iter().filter_map(|series| series.signal.spectrum.frequencies_hz.last());
        nyquists.fold(LOWEST_HZ * 10.0, |most, f| f.max(most)).min(HIGHEST_HZ)
    }

    fn spectra<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let curves: Vec<_> = self.series.iter().map(|series| self.lines(series.signal)).collect();
        let all = curves.iter().flatten().filter(|(f, _)| *f <= HIGHEST_HZ).map(|(_, level)| *level);
        let label = format!("{} density (dB re ({})²/Hz)", self.quantity, self.reference.1);
        let x = Axis::log("frequency (Hz)", LOWEST_HZ, self.highest_hz());
        // Room above the curves for a legend of all series, natural frequencies and peaks.
        let legend = LEGEND_ROW * (self.series.len() + 2) as f64;
        let mut plot = Plot::new(area, &self.title, x, decibel_axis(&label, all, legend))?;
        if !self.natural_hz.is_empty() {
            let modes = self.natural_hz.iter().copied();
            plot.verticals(modes, Stroke::reference().thin(), Some("natural frequencies"))?;
        }
        for (index, (series, curve)) in self.series.iter().zip(curves).enumerate() {
            plot.line(curve, Stroke { width: 2, ..Stroke::series(index) }, Some(&series.name))?;
        }
        let dots = |series: &Series| -> Vec<(f64, f64)> {
            let found = series.signal.modes.iter().filter_map(|mode| mode.peak);
            found.map(|peak| (peak.frequency_hz, self.level(peak.density))).collect()
        };
        let dots: Vec<_> = self.series.iter().flat_map(dots).collect();
        // The peaks of more than two curves hide them.
        if !dots.is_empty() && self.series.len() <= 2 {
            plot.markers(dots, style::INK, Some("peaks of these modes"))?;
        }
        plot.finish(Corner::UpperRight)
    }

    /// Columns side by side within each band.
    fn bands<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let levels = self.series.iter().flat_map(|series| &series.signal.bands);
        let name = match self.width {
            BandWidth::Octave => "octave",
            BandWidth::Third => "third-octave",
        };
        let label = format!("{name} level (dB re {})", self.reference.1);
        let x = Axis::log("band centre frequency (Hz)", LOWEST_HZ, self.highest_hz());
        let y = decibel_axis(&label, levels.map(|band| self.level(band.mean_square)), 0.0);
        let mut plot = Plot::new(area, "", x, y)?;
        let count = self.series.len() as f64;
        for (index, series) in self.series.iter().enumerate() {
            let columns = series.signal.bands.iter().map(|band| {
                // A little air between bands; equal shares of the ratio between the edges.
                let ratio = (band.high_hz / band.low_hz).powf(0.9);
                let edge = |n: usize| band.low_hz * ratio.powf(0.5 / 9.0 + n as f64 / count);
                (edge(index), edge(index + 1), self.level(band.mean_square))
            });
            plot.columns(columns, style::series(index), None)?;
        }
        plot.finish(Corner::UpperRight)
    }
}

/// Full tens, so that pictures of like sounds have like axes, and a share of the height left free above;
/// silence has an axis too.
fn decibel_axis(label: &str, levels: impl Iterator<Item = f64>, free: f64) -> Axis {
    let (low, high) = levels
        .filter(|level| level.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), level| (low.min(level), high.max(level)));
    let top = (high / 10.0 + 0.2).ceil() * 10.0;
    let bottom = ((low / 10.0).floor() * 10.0).clamp(top - SPAN_DB, top - 10.0);
    Axis::linear(label, bottom, bottom + (top - bottom) / (1.0 - free.min(0.5)))
}

impl Figure for SoundFigure<'_> {
    fn size(&self) -> (u32, u32) {
        (1600, 1500)
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (above, below) = area.split_vertically(900);
        self.spectra(&above)?;
        self.bands(&below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::signal::SignalOptions;
    use crate::picture::save;

    #[test]
    fn sound_and_silence_have_a_picture_with_units() {
        let folder = tempfile::tempdir().unwrap();
        let options = SignalOptions { bands: BandWidth::Third, resolution_hz: 10.0 };
        let tone: Vec<f64> = (0..24_000).map(|i| 1e-4 * (0.1 * f64::from(i)).sin()).collect();
        for samples in [tone, vec![0.0; 4800], Vec::new()] {
            let signal = Signal::new(&samples, 48_000.0, &[760.0], &options);
            let figure = SoundFigure {
                title: "a title".into(),
                series: vec![Series { name: "left".into(), signal: &signal }],
                quantity: "velocity",
                reference: (1e-9, "1 nm/s"),
                width: options.bands,
                natural_hz: &[760.0],
            };
            let path = folder.path().join("sound.svg");
            save(&path, &figure).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            for words in
                ["velocity density (dB re (1 nm/s)²/Hz)", "third-octave level (dB re 1 nm/s)", "left"]
            {
                assert!(text.contains(words), "{words}");
            }
        }
    }
}
