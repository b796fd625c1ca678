//! From the first byte of a WAV file to its samples, chunk by chunk. Nothing in the file is believed before it is
//! checked against the file's own length.

use std::io::{Read, Seek, SeekFrom};

use super::tags::{Metadata, info_texts};
use crate::error::Problem;

/// A file of ours has seven chunks; editors add a few dozen.
const MAX_CHUNKS: usize = 10_000;
/// Our own metadata is a few kilobytes.
const MAX_LIST_BYTES: u64 = 1 << 24;
const MAX_CHANNELS: u16 = 64;
const RATES_HZ: std::ops::RangeInclusive<u32> = 1000..=3_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Unsigned8,
    Signed(usize),
    Float32,
    Float64,
}

#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub coding: Coding,
    pub channels: u16,
    pub rate_hz: u32,
}

impl Format {
    pub fn sample_bytes(self) -> usize {
        match self.coding {
            Coding::Unsigned8 => 1,
            Coding::Signed(bytes) => bytes,
            Coding::Float32 => 4,
            Coding::Float64 => 8,
        }
    }

    pub fn frame_bytes(self) -> usize {
        self.sample_bytes() * usize::from(self.channels)
    }

    pub fn name(self) -> String {
        let float = matches!(self.coding, Coding::Float32 | Coding::Float64);
        format!("{}{}", 8 * self.sample_bytes(), if float { "f" } else { "" })
    }
}

/// What the chunks say.
pub struct Chunks {
    pub format: Format,
    pub metadata: Option<Metadata>,
    /// First byte and number of bytes of the samples.
    pub data: (u64, u64),
    /// What was mended on the way.
    pub notes: Vec<String>,
}

/// A place in a message is the file and the byte.
pub struct Walk<R> {
    name: String,
    length: u64,
    at: u64,
    source: R,
}

type Found<T> = Result<T, Problem>;

impl<R: Read + Seek> Walk<R> {
    pub fn new(source: R, length: u64, name: String) -> Self {
        Self { name, length, at: 0, source }
    }

    pub fn problem(&self, at: u64, value: impl std::fmt::Display, limit: &str, cure: &str) -> Problem {
        Problem::new(format!("{}, byte {at}", self.name), value, limit, cure)
    }

    /// Bytes from here; their number has been checked by the caller.
    pub fn bytes(&mut self, count: usize, what: &str) -> Found<Vec<u8>> {
        let left = self.length.saturating_sub(self.at);
        if count as u64 > left {
            let value = format!("{left} bytes are left for {what}, which has {count}");
            return Err(self.problem(self.at, value, "the file must be whole", "copy it again"));
        }
        let mut bytes = vec![0; count];
        self.source
            .read_exact(&mut bytes)
            .map_err(|why| self.problem(self.at, why, "must be readable", "copy the file again"))?;
        self.at += count as u64;
        Ok(bytes)
    }

    pub fn go_to(&mut self, place: u64) -> Found<()> {
        self.source
            .seek(SeekFrom::Start(place))
            .map_err(|why| self.problem(place, why, "must be readable", "copy the file again"))?;
        self.at = place;
        Ok(())
    }

    pub fn chunks(&mut self) -> Found<Chunks> {
        let head = self.bytes(12, "the head of a WAV file")?;
        if !matches!(&head[..4], b"RIFF" | b"RF64" | b"BW64") || &head[8..] != b"WAVE" {
            let found = format!("begins with {:?}", String::from_utf8_lossy(&head[..4]));
            return Err(self.problem(0, found, "a WAV file begins with RIFF…WAVE", "convert it to WAV"));
        }
        let (mut format, mut metadata, mut data, mut long_data) = (None, None, None, None);
        let mut notes = Vec::new();
        for _ in 0..MAX_CHUNKS {
            // Less than a chunk's head after the last chunk is padding.
            if self.length - self.at < 8 {
                break;
            }
            let start = self.at;
            let head = self.bytes(8, "a chunk")?;
            let declared = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
            let left = self.length - self.at;
            let mut size = u64::from(declared);
            match &head[..4] {
                b"ds64" if size >= 24 && size <= left => {
                    let sizes = self.bytes(24, "the sizes")?;
                    long_data = Some(u64::from_le_bytes(sizes[8..16].try_into().unwrap_or_default()));
                }
                b"fmt " => {
                    let body = self.bytes(size.min(40) as usize, "the format")?;
                    format = Some(self.format(start, &body)?);
                }
                b"LIST" if size <= left.min(MAX_LIST_BYTES) => {
                    let body = self.bytes(size as usize, "the tags")?;
                    let texts = info_texts(&body);
                    let comment = texts.iter().find(|(id, _)| id == b"ICMT");
                    metadata = comment.and_then(|(_, text)| serde_json::from_str(text).ok()).or(metadata);
                }
                b"data" if data.is_none() => {
                    if declared == u32::MAX {
                        size = long_data.unwrap_or(left);
                    }
                    if size > left {
                        notes.push(format!("promises {size} bytes of sound and holds {left}: cut short"));
                        size = left;
                    }
                    data = Some((self.at, size));
                }
                _ => {}
            }
            let next = (start + 8).saturating_add(size).saturating_add(size % 2);
            if next >= self.length {
                break;
            }
            self.go_to(next)?;
        }
        let missing = |what: &str| format!("no {what} chunk");
        let format = format.ok_or_else(|| {
            self.problem(self.at, missing("`fmt `"), "a WAV file says its format", "copy it again")
        })?;
        let data = data.ok_or_else(|| {
            self.problem(self.at, missing("`data`"), "a WAV file holds samples", "copy it again")
        })?;
        Ok(Chunks { format, metadata, data, notes })
    }

    fn format(&self, at: u64, body: &[u8]) -> Found<Format> {
        let word = |place: usize| body.get(place..place + 2).map(|b| u16::from_le_bytes([b[0], b[1]]));
        let field = |place: usize| {
            word(place).ok_or_else(|| {
                self.problem(at, format!("{} bytes of format", body.len()), "at least 16", "copy it again")
            })
        };
        let (channels, frame_bytes, bits) = (field(2)?, field(12)?, field(14)?);
        let rate_hz = u32::from(field(4)?) | u32::from(field(6)?) << 16;
        // An extensible format names its coding where the others have nothing.
        let kind = match field(0)? {
            0xFFFE => word(24).unwrap_or(0),
            kind => kind,
        };
        let coding = match (kind, bits) {
            (1, 8) => Coding::Unsigned8,
            (1, 16 | 24 | 32) => Coding::Signed(usize::from(bits / 8)),
            (3, 32) => Coding::Float32,
            (3, 64) => Coding::Float64,
            _ => {
                let found = format!("coding {kind} with {bits} bits");
                let limit = "PCM (1) of 8, 16, 24 or 32 bits, or float (3) of 32 or 64";
                return Err(self.problem(at, found, limit, "convert it to PCM"));
            }
        };
        if !(1..=MAX_CHANNELS).contains(&channels) {
            let limit = format!("1 to {MAX_CHANNELS}");
            return Err(self.problem(at, format!("{channels} channels"), &limit, "split the file"));
        }
        if !RATES_HZ.contains(&rate_hz) {
            let limit = format!("{} to {} Hz", RATES_HZ.start(), RATES_HZ.end());
            return Err(self.problem(at, format!("{rate_hz} Hz"), &limit, "resample the file"));
        }
        let format = Format { coding, channels, rate_hz };
        if usize::from(frame_bytes) != format.sample_bytes() * usize::from(channels) {
            let found = format!("{frame_bytes} bytes for {channels} samples of {bits} bits");
            return Err(self.problem(at, found, "samples lie without gaps", "convert it to PCM"));
        }
        Ok(format)
    }
}
