//! Levels: root mean square, velocity level, A-weighting, octave and third-octave bands.
//!
//! Lv = 20·log10(v_rms / 1 nm/s) (ISO 1683; Dang 2013, eq. 47).
//!
//! A-weighting is the closed form of IEC 61672-1, Annex E. Bands have the base-ten centre frequencies of
//! IEC 61260-1, 1000 Hz · 10^(3x/10) for octaves and 1000 Hz · 10^(x/10) for thirds, and are summed from
//! the power spectral density with ideal edges: no filter rings, and the bands add up to the whole. They
//! are therefore not the levels of a class-1 filter bank where a single tone sits on a band's edge.

use super::spectrum::Density;
use crate::units::{VELOCITY_REFERENCE_M_S, decibels};

/// Root mean square; zero for no samples.
pub fn rms(samples: &[f64]) -> f64 {
    let squares: f64 = samples.iter().map(|sample| sample * sample).sum();
    (squares / samples.len().max(1) as f64).sqrt()
}

/// Velocity level of a root mean square velocity, dB re 1 nm/s.
pub fn velocity_level_db(v_rms_m_s: f64) -> f64 {
    decibels(v_rms_m_s / VELOCITY_REFERENCE_M_S)
}

/// A-weighting at a frequency, dB (IEC 61672-1, eq. E.6).
pub fn a_weighting_db(frequency_hz: f64) -> f64 {
    let response = |frequency: f64| {
        // The poles of Annex E, Hz.
        let [f1, f2, f3, f4] = [20.598_997, 107.652_65, 737.862_23, 12_194.217];
        let f = frequency * frequency;
        f4 * f4 * f * f / ((f + f1 * f1) * ((f + f2 * f2) * (f + f3 * f3)).sqrt() * (f + f4 * f4))
    };
    decibels(response(frequency_hz) / response(1000.0))
}

/// Mean square after A-weighting.
pub fn a_weighted_mean_square(spectrum: &Density) -> f64 {
    let lines = spectrum.frequencies_hz.iter().zip(&spectrum.density);
    let weighted: f64 =
        lines.map(|(frequency, density)| density * 10f64.powf(a_weighting_db(*frequency) / 10.0)).sum();
    weighted * spectrum.resolution_hz()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BandWidth {
    Octave,
    Third,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The rounded name that people use: 31.5, 1250.
    pub nominal_hz: f64,
    pub centre_hz: f64,
    pub low_hz: f64,
    pub high_hz: f64,
    pub mean_square: f64,
}

impl Band {
    /// Level re `reference` (an amplitude in the signal's unit).
    pub fn level_db(&self, reference: f64) -> f64 {
        decibels(self.mean_square.sqrt() / reference)
    }
}

/// Names of the ten thirds of a decade (IEC 61260-1, Annex E).
const NOMINAL: [f64; 10] = [1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0];

/// The audible bands that lie whole below Nyquist: octaves from 31.5 Hz to 16 kHz, thirds from 25 Hz to
/// 20 kHz.
pub fn bands(spectrum: &Density, width: BandWidth) -> Vec<Band> {
    let nyquist_hz = spectrum.frequencies_hz.last().copied().unwrap_or(0.0);
    // Counted in tenths of a decade from 1 kHz.
    let tenths: Vec<i32> = match width {
        BandWidth::Octave => (-5..=4).map(|x| 3 * x).collect(),
        BandWidth::Third => (-16..=13).collect(),
    };
    let half_width = match width {
        BandWidth::Octave => 10f64.powf(0.15),
        BandWidth::Third => 10f64.powf(0.05),
    };
    tenths
        .into_iter()
        .map(|tenth| {
            let centre_hz = 1000.0 * 10f64.powf(f64::from(tenth) / 10.0);
            let (low_hz, high_hz) = (centre_hz / half_width, centre_hz * half_width);
            let nominal_hz =
                1000.0 * 10f64.powi(tenth.div_euclid(10)) * NOMINAL[tenth.rem_euclid(10) as usize];
            (nominal_hz, centre_hz, low_hz, high_hz)
        })
        .filter(|(.., high_hz)| *high_hz <= nyquist_hz)
        .map(|(nominal_hz, centre_hz, low_hz, high_hz)| Band {
            nominal_hz,
            centre_hz,
            low_hz,
            high_hz,
            mean_square: spectrum.mean_square_between(low_hz, high_hz),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A density of 1 unit²/Hz up to Nyquist.
    fn white(nyquist_hz: f64, lines: usize) -> Density {
        Density {
            frequencies_hz: (0..=lines).map(|k| nyquist_hz * k as f64 / lines as f64).collect(),
            density: vec![1.0; lines + 1],
        }
    }

    #[test]
    fn a_sine_of_one_metre_per_second() {
        let samples: Vec<f64> = (0..1000).map(|i| (0.02 * std::f64::consts::PI * i as f64).sin()).collect();
        assert!((rms(&samples) - 0.5f64.sqrt()).abs() < 1e-12);
        assert!((velocity_level_db(rms(&samples)) - 176.9897).abs() < 1e-4);
        assert_eq!(rms(&[]), 0.0);
    }

    #[test]
    fn val_a_weighting_iec_61672_table_3() {
        // Table 3 lists the weights at the exact base-ten frequencies, rounded to 0.1 dB.
        let table = [
            (-20, -70.4),
            (-17, -50.5),
            (-15, -39.4),
            (-12, -26.2),
            (-10, -19.1),
            (-9, -16.1),
            (-6, -8.6),
            (-3, -3.2),
            (0, 0.0),
            (3, 1.2),
            (4, 1.3),
            (6, 1.0),
            (9, -1.1),
            (10, -2.5),
            (12, -6.6),
            (13, -9.3),
        ];
        for (tenth, expected) in table {
            let frequency = 1000.0 * 10f64.powf(f64::from(tenth) / 10.0);
            let weight = a_weighting_db(frequency);
            assert!((weight - expected).abs() <= 0.05 + 1e-9, "{frequency}: {weight} {expected}");
        }
    }

    #[test]
    fn val_centre_frequencies_iec_61260() {
        let octaves = bands(&white(24_000.0, 24_000), BandWidth::Octave);
        let nominal: Vec<f64> = octaves.iter().map(|band| (band.nominal_hz * 10.0).round() / 10.0).collect();
        assert_eq!(nominal, [31.5, 63.0, 125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16_000.0]);
        let exact = [31.623, 63.096, 125.89, 251.19, 501.19, 1000.0, 1995.3, 3981.1, 7943.3, 15_849.0];
        for (band, centre) in octaves.iter().zip(exact) {
            assert!((band.centre_hz / centre - 1.0).abs() < 5e-5, "{} {centre}", band.centre_hz);
        }
        let thirds = bands(&white(24_000.0, 24_000), BandWidth::Third);
        let ends = (thirds[0].nominal_hz.round(), thirds[29].nominal_hz.round(), thirds.len());
        assert_eq!(ends, (25.0, 20_000.0, 30));
        // Neighbours share an edge, and at 16 kHz sampling the upper bands are gone.
        assert!(thirds.windows(2).all(|pair| (pair[0].high_hz / pair[1].low_hz - 1.0).abs() < 1e-12));
        assert_eq!(bands(&white(8000.0, 8000), BandWidth::Octave).last().unwrap().nominal_hz, 4000.0);
    }

    #[test]
    fn white_noise_fills_each_band_by_its_width() {
        let spectrum = white(24_000.0, 4800);
        for width in [BandWidth::Octave, BandWidth::Third] {
            for band in bands(&spectrum, width) {
                let expected = band.high_hz - band.low_hz;
                assert!((band.mean_square / expected - 1.0).abs() < 1e-9, "{band:?}");
            }
        }
        let octave = bands(&spectrum, BandWidth::Octave)[5];
        assert!((octave.level_db(1.0) - 28.48).abs() < 0.01, "{}", octave.level_db(1.0));
    }

    #[test]
    fn a_weighting_leaves_a_kilohertz_tone_alone() {
        let mut spectrum = white(24_000.0, 240);
        spectrum.density.fill(0.0);
        spectrum.density[10] = 3.0;
        assert!((a_weighted_mean_square(&spectrum) / spectrum.mean_square() - 1.0).abs() < 1e-12);
        assert_eq!(spectrum.mean_square(), 300.0);
        spectrum.density[0] = 1e9;
        assert!((a_weighted_mean_square(&spectrum) / 300.0 - 1.0).abs() < 1e-12, "no weight at 0 Hz");
    }
}
