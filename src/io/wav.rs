//! WAV files that say what they are.
//!
//! A sample of 1.0 stands for `full_scale` in the channel's SI unit; for integers 1.0 is 2^(bits-1). Nothing
//! is limited: what does not fit an integer is clamped and counted, floats keep their value and are
//! counted beyond ±1. Integers carry triangular dither of ±1 step (Lipshitz, Wannamaker and Vanderkooy
//! 1992: the error then has mean 0 and variance step²/4 whatever the signal), from a named portable
//! generator, so that one seed gives one file on every machine.
//!
//! What the file is stands in a chunk after the samples (see [`super::tags`]) and beside it in `NAME.json`.

use std::io::{self, Seek, Write};
use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::part::{is_device, write_whole, write_whole_file};
use super::tags::{ChannelMetadata, Metadata, append_tags};
use crate::error::{Error, Problem, Problems};
use crate::record::{Channel, Quantity, Recording};

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

    fn bits(self) -> u16 {
        [16, 24, 32][self as usize]
    }
}

/// How a recording becomes a file, and where it came from.
#[derive(Debug, Clone)]
pub struct WavOptions {
    pub format: SampleFormat,
    /// What 1.0 stands for, one per channel, in the unit of the channel's quantity.
    pub full_scales: Vec<f64>,
    pub seed: u64,
    pub engine: String,
    /// The whole scene, so that the sound can be made again.
    pub scene_toml: String,
}

/// Everything outside the samples, generously: header, tags and a scene of up to 16 MiB.
const ROOM_FOR_TAGS: u64 = 1 << 24;

/// Refuses, before any work, what a WAV cannot hold: its sizes are 32-bit numbers.
pub fn check_size(frames: u64, channels: usize, format: SampleFormat, rate_hz: f64) -> Result<(), Problem> {
    let frame_bytes = u64::from(format.bits() / 8) * channels.max(1) as u64;
    let room = u64::from(u32::MAX) - ROOM_FOR_TAGS;
    let bytes = frames.saturating_mul(frame_bytes);
    if bytes <= room {
        return Ok(());
    }
    let longest_s = (room / frame_bytes) as f64 / rate_hz;
    Err(Problem::new(
        "WAV file",
        format!("{:.1} GiB of samples", bytes as f64 / f64::from(1 << 30)),
        format!("a WAV file holds less than 4 GiB, here {longest_s:.0} s"),
        "render fewer seconds, channels or bits, or several files",
    ))
}

/// Writes the file and its side-car, each whole or not at all.
pub fn write_wav(path: &Path, recording: &Recording, options: &WavOptions) -> Result<Metadata, Error> {
    let (spec, frames) = checked(path, recording, options)?;
    let mut clipped = 0;
    write_whole_file(path, |file| {
        let mut writer = hound::WavWriter::new(&mut *file, spec).map_err(into_io)?;
        clipped = write_samples(&mut writer, recording, options, frames).map_err(into_io)?;
        // Dropping the writer would hide a full disk.
        writer.finalize().map_err(into_io)?;
        let data_bytes = frames as u64 * u64::from(spec.bits_per_sample / 8) * u64::from(spec.channels);
        append_tags(file, data_bytes, &metadata(recording, options, frames, clipped))
    })?;
    let metadata = metadata(recording, options, frames, clipped);
    if !is_device(path) {
        let text = serde_json::to_string_pretty(&metadata).expect("plain data has a JSON form") + "\n";
        write_whole(&path.with_extension("json"), |out| out.write_all(text.as_bytes()))?;
    }
    Ok(metadata)
}

/// Everything that has to be right before the first byte.
fn checked(
    path: &Path,
    recording: &Recording,
    options: &WavOptions,
) -> Result<(hound::WavSpec, usize), Error> {
    let mut problems = Problems::default();
    let channels = &recording.channels;
    let frames = channels.first().map_or(0, |channel| channel.samples.len());
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    // Any other ending could be the side-car's own, or promise another format.
    if ending != "wav" && !is_device(path) {
        problems.push(Problem::new(
            path.display().to_string(),
            format!("the ending is `{ending}`"),
            "sound is written as WAV",
            "end its name in .wav",
        ));
    }
    let rate = recording.rate_hz;
    if !(rate >= 1.0 && rate <= f64::from(u32::MAX) && rate.fract() == 0.0) {
        problems.push(Problem::new(
            "rate",
            format!("{rate} Hz"),
            "a WAV file has a whole number of samples per second",
            "choose a rate such as 48000",
        ));
    }
    let count = u16::try_from(channels.len()).unwrap_or(0);
    if count == 0 {
        problems.push(Problem::new(
            "pick-ups",
            channels.len(),
            "1 to 65535 channels",
            "add or drop pick-ups",
        ));
    }
    for (index, full_scale) in options.full_scales.iter().enumerate() {
        if !(full_scale.is_finite() && *full_scale > 0.0) {
            problems.push(Problem::new(
                format!("full scale of channel {}", index + 1),
                full_scale,
                "a positive number",
                "give what a sample of 1.0 stands for",
            ));
        }
    }
    if let Err(problem) = check_size(frames as u64, channels.len(), options.format, rate) {
        problems.push(problem);
    }
    problems.or(())?;
    assert_eq!(options.full_scales.len(), channels.len(), "one full scale for each channel");
    assert!(channels.iter().all(|channel| channel.samples.len() == frames), "channels equally long");
    for (index, Channel { samples, .. }) in channels.iter().enumerate() {
        if let Some(at) = samples.iter().position(|sample| !sample.is_finite()) {
            let seconds = at as f64 / rate;
            return Err(Error::Other(format!(
                "{}: channel {} is {} at {seconds} s, so nothing was written",
                path.display(),
                index + 1,
                samples[at],
            )));
        }
    }
    let sample_format = match options.format {
        SampleFormat::Float32 => hound::SampleFormat::Float,
        _ => hound::SampleFormat::Int,
    };
    let spec = hound::WavSpec {
        channels: count,
        sample_rate: rate as u32,
        bits_per_sample: options.format.bits(),
        sample_format,
    };
    Ok((spec, frames))
}

/// Returns how many samples lay beyond full scale.
fn write_samples<W: Write + Seek>(
    writer: &mut hound::WavWriter<W>,
    recording: &Recording,
    options: &WavOptions,
    frames: usize,
) -> Result<u64, hound::Error> {
    let mut dither = ChaCha8Rng::seed_from_u64(options.seed);
    let mut clipped = 0;
    for frame in 0..frames {
        for (channel, full_scale) in recording.channels.iter().zip(&options.full_scales) {
            let value = channel.samples[frame] / full_scale;
            let fits = match options.format {
                SampleFormat::Float32 => {
                    writer.write_sample(value as f32)?;
                    value.abs() <= 1.0
                }
                SampleFormat::Int16 | SampleFormat::Int24 => {
                    let (sample, fits) = quantised(value, options.format.bits(), &mut dither);
                    writer.write_sample(sample)?;
                    fits
                }
            };
            clipped += u64::from(!fits);
        }
    }
    Ok(clipped)
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

fn metadata(recording: &Recording, options: &WavOptions, frames: usize, clipped_samples: u64) -> Metadata {
    let pairs = || recording.channels.iter().zip(&options.full_scales);
    Metadata {
        software: concat!("asperity ", env!("CARGO_PKG_VERSION")).to_owned(),
        engine: options.engine.clone(),
        seed: options.seed,
        rate_hz: recording.rate_hz as u32,
        bits: options.format.name().to_owned(),
        frames: frames as u64,
        clipped_samples,
        full_scale_m_s: pairs()
            .find(|(channel, _)| channel.quantity == Quantity::Velocity)
            .map(|(_, full_scale)| *full_scale),
        channels: pairs()
            .map(|(channel, full_scale)| ChannelMetadata {
                quantity: channel.quantity.name().to_owned(),
                unit: channel.quantity.unit().to_owned(),
                position_m: channel.position_m,
                full_scale: *full_scale,
            })
            .collect(),
        scene_toml: options.scene_toml.clone(),
    }
}

fn into_io(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::part::part_path;

    fn recording(channels: Vec<Vec<f64>>) -> Recording {
        let channel = |samples| Channel { quantity: Quantity::Velocity, position_m: 0.165, samples };
        Recording { rate_hz: 48_000.0, channels: channels.into_iter().map(channel).collect() }
    }

    fn options(format: SampleFormat, full_scale: f64, channels: usize) -> WavOptions {
        WavOptions {
            format,
            full_scales: vec![full_scale; channels],
            seed: 5,
            engine: "reference".into(),
            scene_toml: "[surface]\nra_um = 5.0 # µ\n".into(),
        }
    }

    /// Walks the chunks as any strict reader would; returns id and body of each.
    fn chunks(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
        assert_eq!(word(4) + 8, bytes.len(), "the head says how long the file is");
        let (mut at, mut found) = (12, Vec::new());
        while at < bytes.len() {
            let length = word(at + 4);
            let id = String::from_utf8(bytes[at..at + 4].to_vec()).unwrap();
            found.push((id, bytes[at + 8..at + 8 + length].to_vec()));
            at += 8 + length + length % 2;
        }
        assert_eq!(at, bytes.len());
        found
    }

    #[test]
    fn every_format_reads_back_with_its_tags() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sound.wav");
        // Odd lengths of 24-bit mono are where padding is forgotten.
        let wave: Vec<f64> = (0..4801).map(|i| 0.02 * (0.05 * f64::from(i)).sin()).collect();
        for (format, step) in [
            (SampleFormat::Int16, 1.0 / 32_768.0),
            (SampleFormat::Int24, 1.0 / 8_388_608.0),
            (SampleFormat::Float32, 1e-7),
        ] {
            let metadata =
                write_wav(&path, &recording(vec![wave.clone()]), &options(format, 0.05, 1)).unwrap();
            assert_eq!((metadata.clipped_samples, metadata.frames), (0, 4801));

            let mut reader = hound::WavReader::open(&path).unwrap();
            let spec = reader.spec();
            assert_eq!(
                (spec.bits_per_sample, spec.sample_rate, reader.duration()),
                (format.bits(), 48_000, 4801)
            );
            let read: Vec<f64> = match format {
                SampleFormat::Float32 => reader.samples::<f32>().map(|s| f64::from(s.unwrap())).collect(),
                _ => reader.samples::<i32>().map(|s| f64::from(s.unwrap()) * step).collect(),
            };
            for (read, written) in read.iter().zip(&wave) {
                assert!((read - written / 0.05).abs() <= 1.5 * step, "{format:?}: {read} {written}");
            }

            let bytes = std::fs::read(&path).unwrap();
            let (id, list) = chunks(&bytes).pop().unwrap();
            assert_eq!(id, "LIST");
            let comment = list.windows(4).position(|w| w == b"ICMT").unwrap() + 8;
            let text = list[comment..].split(|byte| *byte == 0).next().unwrap();
            let inside: Metadata = serde_json::from_slice(text).unwrap();
            let beside: Metadata =
                serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap()).unwrap();
            assert_eq!((&inside, &beside), (&metadata, &metadata));
            assert_eq!((inside.full_scale_m_s, inside.scene_toml.contains("ra_um")), (Some(0.05), true));
        }
    }

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

    #[test]
    fn what_clips_is_counted_and_never_wraps() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loud.wav");
        let loud = recording(vec![vec![0.0, 3.0, -3.0, 0.5], vec![0.9, 1e9, 0.0, -0.9]]);
        for format in [SampleFormat::Int16, SampleFormat::Int24, SampleFormat::Float32] {
            assert_eq!(write_wav(&path, &loud, &options(format, 1.0, 2)).unwrap().clipped_samples, 3);
        }
        write_wav(&path, &loud, &options(SampleFormat::Int16, 1.0, 2)).unwrap();
        let samples: Vec<i16> =
            hound::WavReader::open(&path).unwrap().samples().map(|sample| sample.unwrap()).collect();
        assert_eq!((samples[2], samples[3], samples[4]), (i16::MAX, i16::MAX, i16::MIN));
    }

    #[test]
    fn one_seed_gives_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a.wav"), folder.path().join("b.wav"));
        let quiet = recording(vec![vec![1e-5; 1000]]);
        let mut how = options(SampleFormat::Int16, 1.0, 1);
        write_wav(&a, &quiet, &how).unwrap();
        write_wav(&b, &quiet, &how).unwrap();
        assert_eq!(std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap());
        how.seed = 6;
        write_wav(&b, &quiet, &how).unwrap();
        assert_ne!(std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap());
    }

    #[test]
    fn what_cannot_be_written_is_refused_before_a_byte() {
        let folder = tempfile::tempdir().unwrap();
        let sound = recording(vec![vec![0.0; 4]]);
        let how = options(SampleFormat::Int16, 1.0, 1);
        let named = |name: &str| folder.path().join(name);
        assert_eq!(write_wav(&named("a.json"), &sound, &how).unwrap_err().exit_code(), 2);

        let odd = Recording { rate_hz: 44_100.5, ..sound.clone() };
        let both = WavOptions { full_scales: vec![0.0], ..how.clone() };
        let Error::Input(problems) = write_wav(&named("a.wav"), &odd, &both).unwrap_err() else { panic!() };
        assert_eq!(problems.0.len(), 2, "all problems at once: {problems:?}");

        let broken = recording(vec![vec![0.0, f64::NAN]]);
        let failure = write_wav(&named("a.wav"), &broken, &how).unwrap_err();
        assert!(failure.to_string().contains("channel 1 is NaN"), "{failure}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

        assert!(check_size(48_000 * 3600, 2, SampleFormat::Float32, 48_000.0).is_ok());
        let hours = check_size(48_000 * 36_000, 2, SampleFormat::Int24, 48_000.0).unwrap_err();
        assert!(hours.to_string().contains("4 GiB") && hours.to_string().contains("14855 s"), "{hours}");
        assert!(check_size(u64::MAX, 2, SampleFormat::Int16, 48_000.0).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_is_an_error_with_its_path() {
        let sound = recording(vec![vec![0.5; 100_000]]);
        let failure =
            write_wav(Path::new("/dev/full"), &sound, &options(SampleFormat::Int16, 1.0, 1)).unwrap_err();
        assert_eq!(failure.exit_code(), 74);
        assert!(failure.to_string().contains("/dev/full"));
        write_wav(Path::new("/dev/null"), &sound, &options(SampleFormat::Int16, 1.0, 1)).unwrap();
        assert!(is_device(Path::new("/dev/null")) && !part_path(Path::new("/dev/null")).exists());
    }
}
