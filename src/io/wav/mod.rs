//! WAV files that say what they are.
//!
//! A sample of 1.0 stands for `full_scale` in the channel's SI unit; for integers 1.0 is 2^(bits-1). The file
//! says so before its samples (see [`tags`]) and beside it in `NAME.wav.json`. [`WavStream`] writes while a run
//! goes on, [`write_wav`] a whole recording, [`read_wav`] and [`WavReader`] read
//! any WAV file.

mod head;
mod quantise;
mod read;
mod stream;
mod tags;
mod walk;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use super::part::is_device;
use crate::error::{Error, Problem, Problems};
use crate::record::{Quantity, Recording, SoundSink};

pub use read::{MAX_SAMPLES, Sound, SoundHead, WavReader, read_wav};
pub use stream::WavStream;
pub use tags::{ChannelMetadata, Metadata};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleFormat {
    Int16,
    Int24,
    Float32,
}

impl SampleFormat {
    pub const NAMES: [&'static str; 3] = ["16", "24", "32f"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Int16, Self::Int24, Self::Float32].into_iter().find(|format| format.name() == name)
    }

    pub fn bits(self) -> u16 {
        [16, 24, 32][self as usize]
    }
}

/// How sound becomes a file, and where it came from.
#[derive(Debug, Clone)]
pub struct WavOptions {
    pub format: SampleFormat,
    pub rate_hz: f64,
    pub channels: Vec<ChannelMetadata>,
    /// How pick-ups became channels, where a channel is not one pick-up.
    pub mix: Option<String>,
    pub seed: u64,
    pub engine: String,
    /// Of the real-time engine.
    pub quality: Option<String>,
    /// The whole scene, so that the sound can be made again.
    pub scene_toml: String,
}

impl ChannelMetadata {
    pub fn new(quantity: Quantity, position_m: Option<f64>, full_scale: f64) -> Self {
        let (quantity, unit) = (quantity.name().to_owned(), quantity.unit().to_owned());
        Self { quantity, unit, position_m, full_scale }
    }
}

impl WavOptions {
    /// Bytes of one sample of all channels.
    pub fn frame_bytes(&self) -> u64 {
        u64::from(self.format.bits() / 8) * self.channels.len() as u64
    }

    /// Everything that has to be right before the first byte.
    pub fn problems(&self, path: &Path) -> Problems {
        let mut problems = Problems::default();
        check_name(path).unwrap_or_else(|problem| problems.push(problem));
        if !(self.rate_hz >= 1.0 && self.rate_hz <= 1e7 && self.rate_hz.fract() == 0.0) {
            problems.push(Problem::new(
                "rate",
                format!("{} Hz", self.rate_hz),
                "a WAV file has a whole number of samples per second",
                "choose a rate such as 48000",
            ));
        }
        if !(1..=1024).contains(&self.channels.len()) {
            problems.push(Problem::new(
                "pick-ups",
                self.channels.len(),
                "1 to 1024 channels",
                "add or drop pick-ups",
            ));
        }
        for (index, channel) in self.channels.iter().enumerate() {
            if !(channel.full_scale.is_finite() && channel.full_scale > 0.0) {
                problems.push(Problem::new(
                    format!("full scale of channel {}", index + 1),
                    channel.full_scale,
                    "a positive number",
                    "give what a sample of 1.0 stands for",
                ));
            }
        }
        problems
    }

    fn metadata(&self, frames: u64, clipped_samples: u64) -> Metadata {
        let velocity = self.channels.iter().find(|channel| channel.quantity == Quantity::Velocity.name());
        Metadata {
            software: concat!("asperity ", env!("CARGO_PKG_VERSION")).to_owned(),
            engine: self.engine.clone(),
            quality: self.quality.clone(),
            seed: self.seed,
            rate_hz: self.rate_hz as u32,
            bits: self.format.name().to_owned(),
            frames,
            clipped_samples,
            full_scale_m_s: velocity.map(|channel| channel.full_scale),
            channels: self.channels.clone(),
            mix: self.mix.clone(),
            scene_toml: self.scene_toml.clone(),
        }
    }
}

/// `NAME.wav.json` beside `NAME.wav`. The whole name is kept: `NAME.json` is where a user sends the report of the
/// same run (`-o NAME.wav --json > NAME.json`), and taking that name would lose it.
pub fn side_car(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// Any other ending promises another format.
pub fn check_name(path: &Path) -> Result<(), Problem> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending == "wav" || is_device(path) {
        return Ok(());
    }
    Err(Problem::new(
        path.display().to_string(),
        format!("the ending is `{ending}`"),
        "sound is written as WAV",
        "end its name in .wav",
    ))
}

/// Writes a recording and its side-car, each whole or not at all.
pub fn write_wav(path: &Path, recording: &Recording, options: &WavOptions) -> Result<Metadata, Error> {
    let mut stream = WavStream::create(path, options)?;
    let block: Vec<&[f64]> = recording.channels.iter().map(|channel| channel.samples.as_slice()).collect();
    let outcome = stream.take(&block).and_then(|()| stream.finish());
    if outcome.is_err() {
        stream.discard();
    }
    outcome
}
