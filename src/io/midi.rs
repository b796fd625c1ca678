//! Standard MIDI files: what sounds when, in seconds. Tempo changes are followed, all tracks are merged, and
//! nothing is believed: size, number of events and length have limits, and a fault is told with its place.

use crate::error::{Error, Problem};
use midly::{Format, MetaMessage, Timing, TrackEventKind};
use std::path::Path;

const MAX_BYTES: u64 = 64 << 20;
const MAX_EVENTS: usize = 4_000_000;
/// A day.
const MAX_SECONDS: f64 = 86_400.0;
/// Microseconds a quarter note until the file says another tempo (120 beats a minute).
const USUAL_TEMPO_US: f64 = 500_000.0;

#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// One to three bytes of a channel message.
    Midi(Vec<u8>),
    Tempo {
        bpm: f64,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Cue {
    pub seconds: f64,
    pub message: Message,
}

/// All cues of a file in the order of their time.
pub fn read(path: &Path) -> Result<Vec<Cue>, Error> {
    let place = path.display().to_string();
    let unreadable =
        |why: std::io::Error| Problem::new(&place, why, "must be a readable MIDI file", "check the name");
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > MAX_BYTES {
        let limit = format!("at most {MAX_BYTES} bytes");
        return Err(Problem::new(place, format!("{size} bytes"), limit, "cut it in parts").into());
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    Ok(parse(&bytes, &place)?)
}

pub fn parse(bytes: &[u8], file: &str) -> Result<Vec<Cue>, Problem> {
    let bad = |place: String, why: String| {
        Problem::new(place, why, "must be a standard MIDI file", "export it again as type 0 or 1")
    };
    if has_header_that_trips(bytes) {
        return Err(bad(file.to_owned(), "a time code of 128 frames a second".to_owned()));
    }
    let (header, tracks) = midly::parse(bytes).map_err(|why| bad(file.to_owned(), why.to_string()))?;
    if header.format == Format::Sequential {
        return Err(bad(file.to_owned(), "type 2, several songs one after another".to_owned()));
    }
    let mut timed: Vec<(u64, Message)> = Vec::new();
    for (number, track) in tracks.enumerate() {
        let place = |event: usize| format!("{file}: track {}, event {}", number + 1, event + 1);
        let events = track.map_err(|why| bad(place(0), why.to_string()))?;
        let mut tick = 0u64;
        for (index, event) in events.enumerate() {
            let event = event.map_err(|why| bad(place(index), why.to_string()))?;
            tick += u64::from(event.delta.as_int());
            if let Some(message) = message(&event.kind) {
                timed.push((tick, message));
            }
            if timed.len() > MAX_EVENTS {
                let limit = format!("at most {MAX_EVENTS} events");
                return Err(Problem::new(place(index), "too many events", limit, "cut the file in parts"));
            }
        }
    }
    timed.sort_by_key(|(tick, _)| *tick);
    let cues = in_seconds(timed, header.timing);
    match cues.last().filter(|last| last.seconds > MAX_SECONDS) {
        None => Ok(cues),
        Some(last) => {
            let limit = format!("at most {MAX_SECONDS} s");
            Err(Problem::new(file, format!("{:.0} s", last.seconds), limit, "cut the file in parts"))
        }
    }
}

/// A rate of 128 frames a second, written as -128, overflows in the parser, in whichever header it stands: a file
/// may be wrapped in RIFF, and a second header may stand where a track should.
fn has_header_that_trips(bytes: &[u8]) -> bool {
    const RATE_AT: usize = 12;
    bytes.windows(RATE_AT + 1).any(|window| window.starts_with(b"MThd") && window[RATE_AT] == 0x80)
}

fn message(kind: &TrackEventKind) -> Option<Message> {
    match kind {
        TrackEventKind::Midi { .. } => {
            let mut bytes = Vec::with_capacity(3);
            kind.as_live_event()?.write_std(&mut bytes).ok()?;
            Some(Message::Midi(bytes))
        }
        TrackEventKind::Meta(MetaMessage::Tempo(tempo)) if tempo.as_int() > 0 => {
            Some(Message::Tempo { bpm: 60e6 / f64::from(tempo.as_int()) })
        }
        _ => None,
    }
}

/// Ticks to seconds, tempo by tempo.
fn in_seconds(timed: Vec<(u64, Message)>, timing: Timing) -> Vec<Cue> {
    let tick_s = |tempo_us: f64| match timing {
        Timing::Metrical(per_quarter) => tempo_us * 1e-6 / f64::from(per_quarter.as_int().max(1)),
        Timing::Timecode(frames, parts) => 1.0 / (f64::from(frames.as_f32()) * f64::from(parts.max(1))),
    };
    let (mut seconds, mut last, mut now_s) = (0.0, 0, tick_s(USUAL_TEMPO_US));
    let mut cues = Vec::with_capacity(timed.len());
    for (tick, message) in timed {
        seconds += (tick - last) as f64 * now_s;
        last = tick;
        if let Message::Tempo { bpm } = message {
            now_s = tick_s(60e6 / bpm);
        }
        cues.push(Cue { seconds, message });
    }
    cues
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A file of type 1 with these tracks.
    fn file(division: u16, tracks: &[&[u8]]) -> Vec<u8> {
        let mut bytes = b"MThd\0\0\0\x06\0\x01".to_vec();
        bytes.extend((tracks.len() as u16).to_be_bytes());
        bytes.extend(division.to_be_bytes());
        for track in tracks {
            bytes.extend(b"MTrk");
            bytes.extend((track.len() as u32).to_be_bytes());
            bytes.extend(*track);
        }
        bytes
    }

    const END: [u8; 4] = [0, 0xFF, 0x2F, 0];

    #[test]
    fn val_tempo_changes_are_followed_across_tracks() {
        // 120 beats a minute for one beat, then 60.
        let tempo = [&[96, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40][..], &END].concat();
        let notes = [&[0, 0x90, 60, 100, 96, 0x80, 60, 0, 96, 0x95, 72, 1][..], &END].concat();
        let cues = parse(&file(96, &[&tempo, &notes]), "a.mid").unwrap();
        let times: Vec<f64> = cues.iter().map(|cue| cue.seconds).collect();
        assert_eq!(times, [0.0, 0.5, 0.5, 1.5]);
        assert_eq!(cues[0].message, Message::Midi(vec![0x90, 60, 100]));
        assert_eq!(cues[1].message, Message::Tempo { bpm: 60.0 });
        assert_eq!(cues[3].message, Message::Midi(vec![0x95, 72, 1]));
        // Time code: 25 frames of 40 parts are a second.
        let cues =
            parse(&file(0xE728, &[&[&[0x87, 0x68, 0x90, 60, 100][..], &END].concat()]), "b.mid").unwrap();
        assert!((cues[0].seconds - 1.0).abs() < 1e-12);
    }

    #[test]
    fn faults_are_told_with_their_place() {
        for (bytes, told) in [
            (b"".to_vec(), "c.mid"),
            (b"RIFF....".to_vec(), "c.mid"),
            (file(96, &[&[0, 0x90, 60]]), "c.mid: track 1, event 1"),
            (file(96, &[&END, &[0, 0x90, 60, 100, 5, 0xFF]]), "c.mid: track 2, event 2"),
        ] {
            let problem = parse(&bytes, "c.mid").unwrap_err();
            assert!(problem.place.starts_with(told), "{problem}");
        }
        let days = [&[0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 1].repeat(3)[..], &END].concat();
        assert!(parse(&file(1, &[&days]), "c.mid").unwrap_err().to_string().contains("at most 86400 s"));
    }

    #[test]
    fn no_header_trips_the_parser() {
        let first = file(0x8000, &[&END]);
        let second = [file(96, &[]), first.clone()].concat();
        let mut wrapped = b"RIFF".to_vec();
        wrapped.extend((first.len() as u32 + 12).to_le_bytes());
        wrapped.extend(b"RMIDdata");
        wrapped.extend((first.len() as u32).to_le_bytes());
        wrapped.extend(&first);
        for bytes in [first, second, wrapped] {
            assert!(parse(&bytes, "d.mid").unwrap_err().to_string().contains("128 frames a second"));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(edits in proptest::collection::vec((0usize..60, any::<u8>()), 0..8), cut in 0usize..60) {
            let notes = [&[0, 0x90, 60, 100, 96, 0x80, 60, 0, 96, 0x95, 72, 1][..], &END].concat();
            let mut bytes = file(96, &[&notes, &notes]);
            for (place, byte) in edits {
                if let Some(old) = bytes.get_mut(place) {
                    *old = byte;
                }
            }
            bytes.truncate(bytes.len().saturating_sub(cut / 4));
            let _ = parse(&bytes, "x.mid");
        }
    }
}
