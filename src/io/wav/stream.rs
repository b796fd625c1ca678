//! A WAV file that is valid at every moment of its writing.
//!
//! Samples go to `NAME.part`; at least every half second, of sound and of the clock, what is there is handed
//! to the system and the head is mended to say so. A program that is killed leaves a `.part` that plays to at
//! most a second before its end, calibrated. The final name appears by a rename when all is well.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::head::{Head, Length, RIFF_LIMIT};
use super::quantise::Quantiser;
use super::tags::Metadata;
use super::{WavOptions, side_car};
use crate::error::Error;
use crate::io::part::{explained, is_device, part_path, target_of, write_whole};
use crate::record::SoundSink;

/// Twice as often as promised.
const FLUSH_EVERY: Duration = Duration::from_millis(500);
/// Bytes gathered at most before they are written.
const BUFFER_BYTES: usize = 1 << 18;

pub struct WavStream {
    /// As the user named it.
    path: PathBuf,
    target: PathBuf,
    /// `NAME.part`, or the device itself.
    place: PathBuf,
    file: File,
    options: WavOptions,
    head: Head,
    quantiser: Quantiser,
    buffer: Vec<u8>,
    /// Frames taken, and how many of them the head on the disk speaks of.
    frames: u64,
    flushed: u64,
    last_flush: Instant,
}

impl WavStream {
    /// Checks everything, makes the `.part` and writes its head.
    pub fn create(path: &Path, options: &WavOptions) -> Result<Self, Error> {
        Self::with_limit(path, options, RIFF_LIMIT)
    }

    pub(super) fn with_limit(path: &Path, options: &WavOptions, riff_limit: u64) -> Result<Self, Error> {
        options.problems(path).or(())?;
        let target = target_of(path);
        if target.is_dir() {
            return Err(Error::output(path, io::Error::from(io::ErrorKind::IsADirectory)));
        }
        // `/dev/null` and pipes are written in place: a rename would replace the device by a file.
        let place = if is_device(&target) { target.clone() } else { part_path(&target) };
        let file = File::create(&place).map_err(|source| Error::output(path, explained(&target, source)))?;
        let mut stream = Self {
            path: path.to_owned(),
            target,
            place,
            file,
            head: Head { format: options.format, riff_limit },
            quantiser: Quantiser::new(options.format, options.seed),
            options: options.clone(),
            buffer: Vec::with_capacity(BUFFER_BYTES),
            frames: 0,
            flushed: 0,
            last_flush: Instant::now(),
        };
        let length = if stream.is_file() { Length::Frames(0) } else { Length::Unknown };
        let head = stream.head.bytes(&stream.options.metadata(0, 0), length);
        match stream.file.write_all(&head) {
            Ok(()) => Ok(stream),
            Err(source) => {
                let error = stream.failure(source);
                stream.discard();
                Err(error)
            }
        }
    }

    /// Seconds that the file on the disk holds by now.
    pub fn kept_s(&self) -> f64 {
        self.flushed as f64 / self.options.rate_hz
    }

    /// Largest magnitude that was to be written; 1.0 is full scale.
    pub fn highest(&self) -> f64 {
        self.quantiser.highest
    }

    /// Completes the file under its final name and writes the side-car. After a failure, [`Self::abandon`]
    /// saves what there is.
    pub fn finish(&mut self) -> Result<Metadata, Error> {
        let metadata = self.options.metadata(self.frames, self.quantiser.clipped);
        self.complete().and_then(|()| self.rename()).map_err(|source| self.failure(source))?;
        if self.is_file() {
            let text = serde_json::to_string_pretty(&metadata).expect("plain data has a JSON form") + "\n";
            write_whole(&side_car(&self.path), |out| out.write_all(text.as_bytes()))?;
        }
        Ok(metadata)
    }

    /// Completes the file but leaves it as `.part`, whose name is returned: a run that was cut short.
    pub fn keep(mut self) -> Result<PathBuf, Error> {
        match self.complete() {
            Ok(()) => Ok(self.place),
            Err(source) => Err(self.failure(source)),
        }
    }

    /// After a failure: what the head speaks of stays as `.part` and is named; nothing worth keeping goes.
    pub fn abandon(self) -> Option<PathBuf> {
        if self.is_file() && self.flushed > 0 {
            return Some(self.place).filter(|place| place.exists());
        }
        self.discard();
        None
    }

    /// Leaves nothing behind.
    pub fn discard(self) {
        if self.is_file() {
            // The first failure is what matters, not one in clearing up after it.
            let _ = fs::remove_file(&self.place);
        }
    }

    fn is_file(&self) -> bool {
        self.place != self.target
    }

    fn failure(&self, source: io::Error) -> Error {
        Error::output(&self.path, source)
    }

    fn rename(&self) -> io::Result<()> {
        if self.is_file() { fs::rename(&self.place, &self.target) } else { Ok(()) }
    }

    /// Everything on the disk, chunk padded, head true.
    fn complete(&mut self) -> io::Result<()> {
        self.flush()?;
        if self.frames * self.options.frame_bytes() % 2 == 1 {
            self.file.write_all(&[0])?;
        }
        // Devices and pipes have nothing to synchronise and say so with an error.
        if self.is_file() { self.file.sync_all() } else { Ok(()) }
    }

    /// Samples first, then the head that speaks of them.
    fn flush(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        if self.is_file() {
            let metadata = self.options.metadata(self.frames, self.quantiser.clipped);
            let head = self.head.bytes(&metadata, Length::Frames(self.frames));
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(&head)?;
            self.file.seek(SeekFrom::End(0))?;
        }
        self.flushed = self.frames;
        self.last_flush = Instant::now();
        Ok(())
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl SoundSink for WavStream {
    fn take(&mut self, block: &[&[f64]]) -> Result<(), Error> {
        assert_eq!(block.len(), self.options.channels.len(), "one slice for each channel");
        let frames = block.first().map_or(0, |samples| samples.len());
        assert!(block.iter().all(|samples| samples.len() == frames), "channels equally long");
        for frame in 0..frames {
            for (index, (samples, channel)) in block.iter().zip(&self.options.channels).enumerate() {
                let value = samples[frame];
                if !value.is_finite() {
                    return Err(Error::Other(format!(
                        "{}: channel {} is {value} at {} s, so the file was not completed",
                        self.path.display(),
                        index + 1,
                        self.frames as f64 / self.options.rate_hz,
                    )));
                }
                self.quantiser.push(value / channel.full_scale, &mut self.buffer);
            }
            self.frames += 1;
            if self.buffer.len() >= BUFFER_BYTES {
                self.write_buffer().map_err(|source| self.failure(source))?;
            }
        }
        let sound_s = (self.frames - self.flushed) as f64 / self.options.rate_hz;
        if sound_s >= FLUSH_EVERY.as_secs_f64() || self.last_flush.elapsed() >= FLUSH_EVERY {
            self.flush().map_err(|source| self.failure(source))?;
        }
        Ok(())
    }
}
