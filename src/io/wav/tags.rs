//! What a WAV file says about itself, before its samples, so that a file cut short is still calibrated.
//!
//! `bext` (EBU Tech 3285, version 1) tells audio editors what full scale stands for; its date and time stay
//! empty, because one order gives one file. `LIST`/`INFO` names the program in `ISFT` and holds [`Metadata`]
//! as JSON in `ICMT`.

use serde::{Deserialize, Serialize};

/// What the file says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Program and version.
    pub software: String,
    pub engine: String,
    /// Of the real-time engine.
    #[serde(default)]
    pub quality: Option<String>,
    pub seed: u64,
    pub rate_hz: u32,
    pub bits: String,
    pub frames: u64,
    /// Samples beyond full scale, over all channels.
    pub clipped_samples: u64,
    /// Of the first channel that holds a velocity.
    pub full_scale_m_s: Option<f64>,
    pub channels: Vec<ChannelMetadata>,
    /// How pick-ups became channels, where a channel is not one pick-up.
    #[serde(default)]
    pub mix: Option<String>,
    pub scene_toml: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChannelMetadata {
    pub quantity: String,
    pub unit: String,
    /// None for a mix of several places.
    pub position_m: Option<f64>,
    pub full_scale: f64,
}

impl Metadata {
    /// JSON whose length does not depend on the counts, so that they can be mended in place while the file
    /// grows: blanks follow the last brace.
    pub fn padded_json(&self) -> String {
        let json = |metadata: &Self| serde_json::to_string(metadata).expect("plain data has a JSON form");
        let longest = json(&Self { frames: u64::MAX, clipped_samples: u64::MAX, ..self.clone() }).len();
        let mut text = json(self);
        text.extend(std::iter::repeat_n(' ', longest - text.len()));
        text
    }
}

/// Both chunks that go before the samples.
pub fn tag_chunks(metadata: &Metadata) -> Vec<u8> {
    let mut chunks = chunk(b"bext", &bext(metadata));
    chunks.extend(list_chunk(&[(b"ISFT", &metadata.software), (b"ICMT", &metadata.padded_json())]));
    chunks
}

/// Identity, length, body, and a zero where the body is odd.
pub fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut bytes = id.to_vec();
    bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
    bytes.extend_from_slice(body);
    bytes.resize(bytes.len() + body.len() % 2, 0);
    bytes
}

/// `LIST` of type `INFO`: each text ends in a zero and is padded to an even length.
fn list_chunk(texts: &[(&[u8; 4], &str)]) -> Vec<u8> {
    let mut body = b"INFO".to_vec();
    for (id, text) in texts {
        body.extend(chunk(id, &[text.as_bytes(), &[0]].concat()));
    }
    chunk(b"LIST", &body)
}

/// The texts of a `LIST`/`INFO` body; what does not fit its lengths ends the list.
pub fn info_texts(body: &[u8]) -> Vec<([u8; 4], String)> {
    let mut texts = Vec::new();
    let Some(mut rest) = body.strip_prefix(b"INFO") else { return texts };
    while let Some((head, tail)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let Some(text) = tail.get(..length) else { break };
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        texts.push(([head[0], head[1], head[2], head[3]], String::from_utf8_lossy(text).into_owned()));
        rest = tail.get(length + length % 2..).unwrap_or_default();
    }
    texts
}

/// Lengths of the fixed fields of `bext`: description, originator, its reference, date and time, time
/// reference, version, UMID, and what is reserved.
const BEXT: [usize; 8] = [256, 32, 32, 18, 8, 2, 64, 190];

fn bext(metadata: &Metadata) -> Vec<u8> {
    let ascii = |text: &str| text.replace('²', "2").chars().filter(char::is_ascii).collect::<String>();
    let meanings: Vec<String> = metadata
        .channels
        .iter()
        .map(|channel| format!("1.0 = {} {} ({})", channel.full_scale, channel.unit, channel.quantity))
        .collect();
    let history = format!(
        "A=PCM,F={},W={},M={},T={}\r\n",
        metadata.rate_hz,
        metadata.bits.trim_end_matches('f'),
        match metadata.channels.len() {
            1 => "mono",
            2 => "stereo",
            _ => "multitrack",
        },
        metadata.software
    );
    let texts = [
        ascii(&meanings.join("; ")),
        "Asperity".to_owned(),
        format!("seed {}", metadata.seed),
        String::new(),
        String::new(),
        "\u{1}".to_owned(),
        String::new(),
        String::new(),
    ];
    let mut body = Vec::new();
    for (text, length) in texts.iter().zip(BEXT) {
        let start = body.len();
        body.extend(text.bytes().take(length));
        body.resize(start + length, 0);
    }
    body.extend(ascii(&history).bytes());
    // Some readers forget that odd chunks are padded; an even one cannot be misread.
    body.resize(body.len().next_multiple_of(2), 0);
    body
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn example() -> Metadata {
        Metadata {
            software: "asperity 0.1.0".into(),
            engine: "realtime".into(),
            quality: Some("live".into()),
            seed: 5,
            rate_hz: 48_000,
            bits: "24".into(),
            frames: 7,
            clipped_samples: 0,
            full_scale_m_s: Some(0.1),
            channels: vec![ChannelMetadata {
                quantity: "acceleration".into(),
                unit: "m/s²".into(),
                position_m: Some(0.165),
                full_scale: 2000.0,
            }],
            mix: None,
            scene_toml: "surface.ra_um = 5.0\n".into(),
        }
    }

    #[test]
    fn the_length_does_not_depend_on_the_counts() {
        let (few, many) = (example(), Metadata { frames: u64::MAX, clipped_samples: 1 << 60, ..example() });
        assert_eq!(few.padded_json().len(), many.padded_json().len());
        for metadata in [few, many] {
            assert_eq!(serde_json::from_str::<Metadata>(&metadata.padded_json()).unwrap(), metadata);
        }
    }

    #[test]
    fn chunks_have_the_lengths_of_their_standards() {
        assert_eq!(BEXT.iter().sum::<usize>(), 602);
        let bytes = tag_chunks(&example());
        let description = &bytes[8..8 + 256];
        assert!(description.starts_with(b"1.0 = 2000 m/s2 (acceleration)\0"));
        assert_eq!((&bytes[..4], bytes[8 + 346]), (&b"bext"[..], 1), "version 1 after 346 bytes");
        for software in ["asperity 0.1.0", "asperity 0.10.0"] {
            let body = bext(&Metadata { software: software.into(), ..example() });
            assert!(body.len().is_multiple_of(2), "a chunk of {} bytes", body.len());
        }
        let list = bytes.windows(4).position(|w| w == b"LIST").unwrap();
        let texts = info_texts(&bytes[list + 8..]);
        assert_eq!(texts[0], (*b"ISFT", "asperity 0.1.0".to_owned()));
        assert_eq!(serde_json::from_str::<Metadata>(&texts[1].1).unwrap(), example());
    }

    #[test]
    fn broken_lists_end_early() {
        for broken in [&b""[..], b"INFO", b"INFOISFT", b"INFOISFT\xff\xff\xff\xff", b"adtlxxxx\0\0\0\0"] {
            assert!(info_texts(broken).is_empty());
        }
    }
}
