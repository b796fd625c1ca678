//! The bytes before the samples: `RIFF`, room for 64-bit sizes, `fmt `, `fact` where samples are floats, tags, `data`.
//!
//! Up to 4 GiB the sizes are 32-bit numbers and a `JUNK` chunk keeps the room; beyond, the same bytes become
//! `RF64` with a `ds64` chunk (EBU Tech 3306), so that a file may grow over the limit while it is written. The
//! head's length never changes, so it is mended in place.

use super::SampleFormat;
use super::tags::{Metadata, chunk, tag_chunks};

/// What is known of a file's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Frames(u64),
    /// A pipe cannot be mended: sizes of 0xFFFFFFFF, which readers take as "to the end".
    Unknown,
}

/// Largest size that a 32-bit field holds; its last value means "look in `ds64`".
pub const RIFF_LIMIT: u64 = 0xFFFF_FFFE;

pub struct Head {
    pub format: SampleFormat,
    /// Sizes up to this stand in 32 bits.
    pub riff_limit: u64,
}

impl Head {
    /// All bytes up to the first sample.
    pub fn bytes(&self, metadata: &Metadata, length: Length) -> Vec<u8> {
        let channels = metadata.channels.len() as u16;
        let frame_bytes = u64::from(self.format.bits() / 8) * u64::from(channels);
        let middle = [
            chunk(b"fmt ", &self.format_body(metadata.rate_hz, channels)),
            self.fact_chunk(length),
            tag_chunks(metadata),
        ]
        .concat();
        // RIFF head, ds64 or JUNK, the middle, head of data.
        let head_bytes = (12 + 36 + middle.len() + 8) as u64;
        let (form, sizes, riff, data) = match length {
            Length::Unknown => (b"RIFF", chunk(b"JUNK", &[0; 28]), u32::MAX, u32::MAX),
            Length::Frames(frames) => {
                let data = frames * frame_bytes;
                let riff = head_bytes - 8 + data + data % 2;
                if riff <= self.riff_limit {
                    (b"RIFF", chunk(b"JUNK", &[0; 28]), riff as u32, data as u32)
                } else {
                    let mut body = [riff, data, frames].map(u64::to_le_bytes).concat();
                    body.extend([0; 4]);
                    (b"RF64", chunk(b"ds64", &body), u32::MAX, u32::MAX)
                }
            }
        };
        let (riff, data) = (riff.to_le_bytes(), data.to_le_bytes());
        [&form[..], &riff, b"WAVE", &sizes, &middle, b"data", &data].concat()
    }

    /// Frames, which the format asks for wherever samples are not whole numbers; more than 32 bits stand in `ds64`.
    fn fact_chunk(&self, length: Length) -> Vec<u8> {
        if self.format != SampleFormat::Float32 {
            return Vec::new();
        }
        let frames = match length {
            Length::Frames(frames) => u32::try_from(frames).unwrap_or(u32::MAX),
            Length::Unknown => u32::MAX,
        };
        chunk(b"fact", &frames.to_le_bytes())
    }

    /// The plain form where it says everything: one or two channels of 16 bits or of floats. Else the extensible one,
    /// of which SoX says, when its samples are floats, that a part is missing which only the plain form has.
    fn format_body(&self, rate_hz: u32, channels: u16) -> Vec<u8> {
        const EXTENSIBLE: u16 = 0xFFFE;
        let bits = self.format.bits();
        let kind: u16 = if self.format == SampleFormat::Float32 { 3 } else { 1 };
        let plain = self.format != SampleFormat::Int24 && channels <= 2;
        let frame_bytes = channels * (bits / 8);
        let mut body = if plain { kind } else { EXTENSIBLE }.to_le_bytes().to_vec();
        body.extend(channels.to_le_bytes());
        body.extend(rate_hz.to_le_bytes());
        body.extend(rate_hz.saturating_mul(u32::from(frame_bytes)).to_le_bytes());
        body.extend(frame_bytes.to_le_bytes());
        body.extend(bits.to_le_bytes());
        if plain {
            // Only whole numbers may leave out the length, here nothing, of what follows.
            body.extend(if kind == 1 { vec![] } else { vec![0, 0] });
            return body;
        }
        // One and two channels have their usual loudspeakers; more pick-ups have none.
        let speakers: u32 = [0, 4, 3].get(usize::from(channels)).copied().unwrap_or(0);
        body.extend(22u16.to_le_bytes());
        body.extend(bits.to_le_bytes());
        body.extend(speakers.to_le_bytes());
        body.extend(kind.to_le_bytes());
        body.extend(*b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71");
        body
    }
}

#[cfg(test)]
mod tests {
    use super::super::tags::tests::example;
    use super::*;

    #[test]
    fn the_head_keeps_its_length_beyond_four_gigabytes() {
        let head = Head { format: SampleFormat::Int24, riff_limit: RIFF_LIMIT };
        let small = head.bytes(&example(), Length::Frames(1000));
        let large = head.bytes(&example(), Length::Frames(3_000_000_000));
        let piped = head.bytes(&example(), Length::Unknown);
        assert!(small.len() == large.len() && large.len() == piped.len());
        assert_eq!(
            (&small[..4], &small[12..16], &small[small.len() - 4..]),
            (&b"RIFF"[..], &b"JUNK"[..], &3000u32.to_le_bytes()[..])
        );
        assert_eq!((&large[..8], &large[12..16]), (&b"RF64\xff\xff\xff\xff"[..], &b"ds64"[..]));
        assert_eq!(large[28..36], 9_000_000_000u64.to_le_bytes());
        assert_eq!(large[36..44], 3_000_000_000u64.to_le_bytes());
        assert_eq!(small[4..8], (small.len() as u32 - 8 + 3000).to_le_bytes());
    }

    #[test]
    fn floats_are_plain_up_to_two_channels_and_count_their_frames() {
        let head = Head { format: SampleFormat::Float32, riff_limit: RIFF_LIMIT };
        let bytes = |channels: usize, length| {
            let channels = vec![example().channels[0].clone(); channels];
            head.bytes(&Metadata { channels, ..example() }, length)
        };
        let plain = bytes(2, Length::Frames(1000));
        // Kind 3, two channels; at its end 32 bits and an empty extension, then the count.
        assert_eq!(plain[48..60], *b"fmt \x12\0\0\0\x03\0\x02\0");
        assert_eq!(plain[70..86], *b"\x20\0\0\0fact\x04\0\0\0\xe8\x03\0\0");
        let many = bytes(3, Length::Frames(5_000_000_000));
        assert_eq!(many[48..60], *b"fmt \x28\0\0\0\xfe\xff\x03\0");
        assert_eq!(many[96..108], *b"fact\x04\0\0\0\xff\xff\xff\xff");
        assert_eq!(many[36..44], 5_000_000_000u64.to_le_bytes());
    }
}
