//! What a host may send.

use asperity::instrument::parameters::Param;
use clack_host::events::event_types::*;
use clack_host::events::{EventFlags, EventHeader, Match};
use clack_host::prelude::*;
use clack_host::utils::{BeatTime, ClapId, SecondsTime};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What is sent, without its time.
#[derive(Debug, Clone, Copy)]
pub enum What {
    /// Key, note id, velocity.
    On(u16, u32, f64),
    Off(u16),
    Choke(u16),
    /// A knob to a share of its way.
    Turn(Param, f64),
    /// All notes, or the one with this id.
    Modulate(Param, Option<u32>, f64),
    Express(NoteExpressionType, u32, f64),
    Midi([u8; 3]),
    Tempo(f64),
}

/// Something at a frame counted from the start of a run.
pub type At = (usize, What);

/// Adds an event for the parameters with these ids and largest values.
pub fn push(inputs: &mut EventBuffer, ids: &[(ClapId, f64)], time: u32, what: What) {
    let note = |key: u16, id: Option<u32>| Pckn::new(0u16, 0u16, key, id.map_or(Match::All, Match::Specific));
    match what {
        What::On(key, id, velocity) => inputs.push(&NoteOnEvent::new(time, note(key, Some(id)), velocity)),
        What::Off(key) => inputs.push(&NoteOffEvent::new(time, note(key, None), 0.0)),
        What::Choke(key) => inputs.push(&NoteChokeEvent::new(time, note(key, None))),
        What::Turn(param, share) => {
            let (id, most) = ids[param.index()];
            inputs.push(&ParamValueEvent::new(time, id, Pckn::match_all(), share * most));
        }
        What::Modulate(param, note_id, amount) => {
            let (id, most) = ids[param.index()];
            let to = Pckn { note_id: note_id.map_or(Match::All, Match::Specific), ..Pckn::match_all() };
            inputs.push(&ParamModEvent::new(time, id, to, amount * most));
        }
        What::Express(kind, id, value) => {
            let to = Pckn { note_id: Match::Specific(id), ..Pckn::match_all() };
            inputs.push(&NoteExpressionEvent::new(time, to, kind, value));
        }
        What::Midi(bytes) => inputs.push(&MidiEvent::new(time, 0, bytes)),
        What::Tempo(bpm) => inputs.push(&tempo(time, bpm)),
    }
}

fn tempo(time: u32, bpm: f64) -> TransportEvent {
    TransportEvent {
        header: EventHeader::new_core(time, EventFlags::empty()),
        flags: TransportFlags::HAS_TEMPO,
        song_pos_beats: BeatTime::from_int(0),
        song_pos_seconds: SecondsTime::from_int(0),
        tempo: bpm,
        tempo_inc: 0.0,
        loop_start_beats: BeatTime::from_int(0),
        loop_end_beats: BeatTime::from_int(0),
        loop_start_seconds: SecondsTime::from_int(0),
        loop_end_seconds: SecondsTime::from_int(0),
        bar_start: BeatTime::from_int(0),
        bar_number: 0,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

/// A random place for any knob: anywhere on its way, its ends more often than chance would have them.
pub fn somewhere(random: &mut ChaCha8Rng) -> f64 {
    [0.0, 1.0, random.random(), random.random()][random.random_range(0..4)]
}
