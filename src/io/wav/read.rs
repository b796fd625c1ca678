//! Any WAV file in: PCM of 8, 16, 24 or 32 bits, floats of 32 or 64, plain or extensible, `RIFF`, `RF64` and
//! `BW64`, from any program. [`WavReader`] gives block after block, whatever the length; [`read_wav`] a whole
//! file of at most [`MAX_SAMPLES`].
//!
//! Numbers come out with 1.0 as full scale; what full scale stands for is in the file's own metadata, if it
//! is one of ours. A `data` chunk that promises more than the file has, as a killed program leaves it, is
//! read as far as it goes, with a note.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use super::tags::Metadata;
use super::walk::{Coding, Format, Walk};
use crate::error::{Error, Problem};

/// Samples over all channels of a file in memory: 1 GiB as f64, 46 minutes of one channel at 48 kHz.
pub const MAX_SAMPLES: u64 = 1 << 27;
/// Samples over all channels of one block.
const BLOCK_SAMPLES: usize = 1 << 16;

/// What a file says before its samples.
#[derive(Debug, Clone)]
pub struct SoundHead {
    pub rate_hz: f64,
    /// As people name it: `24`, `32f`.
    pub bits: String,
    pub channels: usize,
    pub frames: u64,
    pub metadata: Option<Metadata>,
    /// What was mended on the way.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Sound {
    pub head: SoundHead,
    /// 1.0 is full scale; equally long.
    pub channels: Vec<Vec<f64>>,
}

/// Reads a whole file.
pub fn read_wav(path: &Path) -> Result<Sound, Error> {
    let mut reader = WavReader::open(path)?;
    let head = reader.head.clone();
    let samples = head.frames * head.channels as u64;
    if samples > MAX_SAMPLES {
        let limit = format!("at most {MAX_SAMPLES} over all channels");
        let (place, value) = (path.display().to_string(), format!("{samples} samples"));
        return Err(Problem::new(place, value, limit, "cut the file into shorter ones").into());
    }
    let mut channels = vec![Vec::with_capacity(head.frames as usize); head.channels];
    while let Some(block) = reader.next_block()? {
        channels.iter_mut().zip(&block).for_each(|(channel, samples)| channel.extend(samples));
    }
    Ok(Sound { head, channels })
}

/// A file whose samples are read as they are asked for.
pub struct WavReader<R> {
    pub head: SoundHead,
    walk: Walk<R>,
    format: Format,
    /// First byte of the samples.
    start: u64,
    /// Frame that comes next.
    next: u64,
}

impl WavReader<BufReader<File>> {
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let unreadable = |why: std::io::Error| {
            Error::from(Problem::new(&name, why, "must be a readable WAV file", "check its name"))
        };
        let file = File::open(path).map_err(unreadable)?;
        let data = file.metadata().map_err(unreadable)?;
        // A folder opens like a file, a pipe has no length and no way back.
        if !data.is_file() {
            return Err(unreadable(std::io::Error::from(std::io::ErrorKind::InvalidInput)));
        }
        Self::new(BufReader::new(file), data.len(), name)
    }
}

impl<R: Read + Seek> WavReader<R> {
    /// `length` is that of the whole source; `name` is what messages call it.
    pub fn new(source: R, length: u64, name: String) -> Result<Self, Error> {
        let mut walk = Walk::new(source, length, name);
        let chunks = walk.chunks()?;
        let (format, (start, size)) = (chunks.format, chunks.data);
        walk.go_to(start)?;
        let head = SoundHead {
            rate_hz: f64::from(format.rate_hz),
            bits: format.name(),
            channels: usize::from(format.channels),
            frames: size / format.frame_bytes() as u64,
            metadata: chunks.metadata,
            notes: chunks.notes,
        };
        Ok(Self { head, walk, format, start, next: 0 })
    }

    /// Goes to a frame, or to the end where there are fewer.
    pub fn go_to(&mut self, frame: u64) -> Result<(), Error> {
        self.next = frame.min(self.head.frames);
        Ok(self.walk.go_to(self.byte_of(self.next))?)
    }

    /// The next samples of every channel, or `None` at the end.
    pub fn next_block(&mut self) -> Result<Option<Vec<Vec<f64>>>, Error> {
        let most = (BLOCK_SAMPLES / self.head.channels) as u64;
        let frames = most.min(self.head.frames - self.next) as usize;
        if frames == 0 {
            return Ok(None);
        }
        let bytes = self.walk.bytes(frames * self.format.frame_bytes(), "the samples")?;
        let mut block = vec![Vec::with_capacity(frames); self.head.channels];
        for frame in bytes.chunks_exact(self.format.frame_bytes()) {
            for (channel, sample) in block.iter_mut().zip(frame.chunks_exact(self.format.sample_bytes())) {
                let value = decoded(self.format.coding, sample);
                if !value.is_finite() {
                    let found = format!("{value} at {} s", self.next as f64 / self.head.rate_hz);
                    let at = self.byte_of(self.next);
                    return Err(self
                        .walk
                        .problem(at, found, "samples are numbers", "make the file again")
                        .into());
                }
                channel.push(value);
            }
            self.next += 1;
        }
        Ok(Some(block))
    }

    fn byte_of(&self, frame: u64) -> u64 {
        self.start + frame * self.format.frame_bytes() as u64
    }
}

/// One sample with 1.0 as full scale.
fn decoded(coding: Coding, bytes: &[u8]) -> f64 {
    let mut wide = [0; 8];
    match coding {
        Coding::Unsigned8 => (f64::from(bytes[0]) - 128.0) / 128.0,
        Coding::Signed(count) => {
            // Set at the top of 32 bits, every width has the same full scale and its own sign.
            wide[4 - count..4].copy_from_slice(bytes);
            f64::from(i32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]])) / 2_147_483_648.0
        }
        Coding::Float32 => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        Coding::Float64 => {
            wide.copy_from_slice(bytes);
            f64::from_le_bytes(wide)
        }
    }
}
