//! What a WAV file says about itself: a `LIST`/`INFO` chunk after the samples, where `ISFT` names the program
//! and `ICMT` holds [`Metadata`] as JSON, so that a calibrated file stays calibrated when its side-car is
//! lost.

use std::io::{self, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};

/// What the file says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Program and version.
    pub software: String,
    pub engine: String,
    pub seed: u64,
    pub rate_hz: u32,
    pub bits: String,
    pub frames: u64,
    /// Samples beyond full scale, over all channels.
    pub clipped_samples: u64,
    /// Of the first channel that holds a velocity.
    pub full_scale_m_s: Option<f64>,
    pub channels: Vec<ChannelMetadata>,
    pub scene_toml: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChannelMetadata {
    pub quantity: String,
    pub unit: String,
    pub position_m: f64,
    pub full_scale: f64,
}

/// Adds the `LIST` chunk after the samples and mends the length in the file's head.
pub fn append_tags(file: &mut (impl Write + Seek), data_bytes: u64, metadata: &Metadata) -> io::Result<()> {
    let comment = serde_json::to_string(metadata).expect("plain data has a JSON form");
    let tags = list_chunk(&[(b"ISFT", &metadata.software), (b"ICMT", &comment)]);
    let end = file.seek(SeekFrom::End(0))?;
    // Chunks start at even places; hound leaves that to whoever comes next.
    let pad = data_bytes % 2;
    file.write_all(&[0][..pad as usize])?;
    file.write_all(&tags)?;
    let riff_bytes = (end + pad + tags.len() as u64).saturating_sub(8);
    let riff_bytes = u32::try_from(riff_bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a WAV file holds less than 4 GiB"))?;
    file.seek(SeekFrom::Start(4))?;
    file.write_all(&riff_bytes.to_le_bytes())
}

/// `LIST` of type `INFO`: each text ends in a zero and is padded to an even length.
fn list_chunk(texts: &[(&[u8; 4], &str)]) -> Vec<u8> {
    let mut body = b"INFO".to_vec();
    for (id, text) in texts {
        let length = text.len() as u32 + 1;
        body.extend_from_slice(*id);
        body.extend_from_slice(&length.to_le_bytes());
        body.extend_from_slice(text.as_bytes());
        body.push(0);
        if length % 2 == 1 {
            body.push(0);
        }
    }
    let mut chunk = b"LIST".to_vec();
    chunk.extend_from_slice(&(body.len() as u32).to_le_bytes());
    chunk.extend(body);
    chunk
}
