//! Loudness and true peak of a file's samples, 1.0 being full scale: ITU-R BS.1770-4 as the crate `ebur128`
//! computes it. Integrated loudness is gated (blocks of 400 ms, absolute gate at -70 LUFS, relative gate
//! 10 LU below), so a sound shorter than one block or below the gate has none. True peak is found between
//! the samples by fourfold oversampling (twofold above 96 kHz, none above 192 kHz).

use ebur128::{EbuR128, Mode};

use crate::error::Error;
use crate::units::decibels;

/// Shorter sounds hold no gating block.
pub const SHORTEST_S: f64 = 0.4;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loudness {
    /// Integrated loudness over all channels, LUFS.
    pub integrated_lufs: Option<f64>,
    /// Largest true peak of any channel; 1.0 is full scale.
    pub true_peak: f64,
}

impl Loudness {
    /// Of equally long channels at a whole rate. Any number of channels counts with weight 1, as the front
    /// channels of BS.1770 do.
    pub fn of(channels: &[&[f64]], rate_hz: f64) -> Result<Self, Error> {
        let mut meter = LoudnessMeter::new(channels.len(), rate_hz)?;
        meter.add(channels)?;
        meter.finish()
    }

    pub fn true_peak_dbtp(&self) -> f64 {
        decibels(self.true_peak)
    }
}

/// The same for sound that comes block by block.
pub struct LoudnessMeter {
    meter: EbuR128,
}

impl LoudnessMeter {
    pub fn new(channels: usize, rate_hz: f64) -> Result<Self, Error> {
        let count = channels as u32;
        let mut meter = EbuR128::new(count, rate_hz as u32, Mode::I | Mode::TRUE_PEAK).map_err(failed)?;
        for channel in 0..count {
            meter.set_channel(channel, ebur128::Channel::Left).map_err(failed)?;
        }
        Ok(Self { meter })
    }

    pub fn add(&mut self, block: &[&[f64]]) -> Result<(), Error> {
        self.meter.add_frames_planar_f64(block).map_err(failed)
    }

    pub fn finish(self) -> Result<Loudness, Error> {
        let integrated = self.meter.loudness_global().map_err(failed)?;
        let mut true_peak = 0.0f64;
        for channel in 0..self.meter.channels() {
            true_peak = true_peak.max(self.meter.true_peak(channel).map_err(failed)?);
        }
        Ok(Loudness { integrated_lufs: integrated.is_finite().then_some(integrated), true_peak })
    }
}

fn failed(error: ebur128::Error) -> Error {
    Error::Other(format!("loudness: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(frequency_hz: f64, amplitude: f64, phase: f64, seconds: f64) -> Vec<f64> {
        let step = std::f64::consts::TAU * frequency_hz / 48_000.0;
        (0..(48_000.0 * seconds) as usize).map(|i| amplitude * (step * i as f64 + phase).sin()).collect()
    }

    #[test]
    fn val_bs_1770_reference_tone() {
        // BS.1770-4: 0 dBFS at 997 Hz in one front channel reads -3.01 LUFS; in two, 0 LUFS.
        let tone = sine(997.0, 1.0, 0.0, 5.0);
        let one = Loudness::of(&[&tone], 48_000.0).unwrap();
        assert!((one.integrated_lufs.unwrap() + 3.01).abs() < 0.02, "{one:?}");
        let two = Loudness::of(&[&tone, &tone], 48_000.0).unwrap();
        assert!(two.integrated_lufs.unwrap().abs() < 0.02, "{two:?}");
        // EBU Tech 3341, case 1: a stereo sine of -23 dBFS reads -23 LUFS.
        let quiet = sine(1000.0, 10f64.powf(-23.0 / 20.0), 0.0, 20.0);
        let quiet = Loudness::of(&[&quiet, &quiet], 48_000.0).unwrap();
        assert!((quiet.integrated_lufs.unwrap() + 23.0).abs() < 0.1, "{quiet:?}");
    }

    #[test]
    fn val_true_peak_lies_between_the_samples() {
        // EBU Tech 3341, case 16: a quarter of the rate, 45° off the samples, which reach only 0.71 of it.
        let between = sine(12_000.0, 0.5, std::f64::consts::FRAC_PI_4, 1.0);
        let found = Loudness::of(&[&between], 48_000.0).unwrap().true_peak_dbtp();
        assert!((-6.0 - 0.4..=-6.0 + 0.2).contains(&found), "{found}");
    }

    #[test]
    fn silence_and_clicks_have_no_loudness() {
        for samples in [vec![0.0; 48_000], vec![0.5; 1000], Vec::new()] {
            assert_eq!(Loudness::of(&[&samples], 48_000.0).unwrap().integrated_lufs, None);
        }
    }
}
