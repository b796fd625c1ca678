//! What reaches the instrument from outside, in the words of no host: CLAP, VST3, MIDI files and keyboards
//! are all turned into these.

use super::parameters::Param;

/// Which notes something is meant for; `None` matches all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Address {
    /// A host's own number of the note.
    pub id: Option<i32>,
    pub channel: Option<u8>,
    pub key: Option<u8>,
}

impl Address {
    pub const ALL: Self = Self { id: None, channel: None, key: None };

    pub fn key(channel: u8, key: u8) -> Self {
        Self { id: None, channel: Some(channel), key: Some(key) }
    }

    pub fn matches(&self, note: &Note) -> bool {
        self.id.is_none_or(|id| Some(id) == note.id)
            && self.channel.is_none_or(|channel| channel == note.channel)
            && self.key.is_none_or(|key| key == note.key)
    }
}

/// A note as the host knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    pub id: Option<i32>,
    /// 0 to 15.
    pub channel: u8,
    /// 0 to 127, 69 is A4.
    pub key: u8,
}

/// What a host may change on one note alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expression {
    /// Semitones.
    Tuning,
    /// 0 to 1.
    Pressure,
    /// 0 to 1, the middle is 0.5.
    Brightness,
    /// Factor.
    Volume,
    /// -1 left to 1 right.
    Pan,
    /// 0 to 1: how far the player lets the note swell, as MIDI's controller 11 does for a channel.
    Swell,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// Velocity 0 to 1.
    NoteOn {
        note: Note,
        velocity: f32,
    },
    NoteOff {
        to: Address,
    },
    /// Silence at once.
    Choke {
        to: Address,
    },
    Expression {
        to: Address,
        kind: Expression,
        value: f32,
    },
    /// Pitch wheel, -1 to 1.
    Bend {
        channel: u8,
        value: f32,
    },
    /// MIDI controller, 0 to 1.
    Controller {
        channel: u8,
        number: u8,
        value: f32,
    },
    /// Pressure of the whole channel, 0 to 1.
    Pressure {
        channel: u8,
        value: f32,
    },
    /// A knob moves, to a plain value.
    Parameter {
        param: Param,
        value: f64,
    },
    /// A knob is held away from its place, by a share of its whole way; for one note where the parameter
    /// allows it, for all otherwise.
    Modulation {
        to: Address,
        param: Param,
        offset: f32,
    },
    /// Beats a minute.
    Tempo {
        bpm: f64,
    },
}

/// An event at its sample of the block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    pub frame: usize,
    pub event: Event,
}

/// A note that no longer sounds, for hosts that count voices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteEnd {
    pub frame: usize,
    pub note: Note,
}

impl Event {
    /// A MIDI message of one to three bytes; what the instrument does not know is nothing.
    pub fn from_midi(bytes: &[u8]) -> Option<Self> {
        let (status, data) = bytes.split_first()?;
        let channel = status & 0x0F;
        let seven = |index: usize| data.get(index).map(|byte| byte & 0x7F);
        let share = |index: usize| seven(index).map(|byte| f32::from(byte) / 127.0);
        Some(match status & 0xF0 {
            0x80 => Self::NoteOff { to: Address::key(channel, seven(0)?) },
            // Velocity 0 is a note-off.
            0x90 if seven(1)? == 0 => Self::NoteOff { to: Address::key(channel, seven(0)?) },
            0x90 => {
                let note = Note { id: None, channel, key: seven(0)? };
                Self::NoteOn { note, velocity: share(1)? }
            }
            0xA0 => {
                let to = Address::key(channel, seven(0)?);
                Self::Expression { to, kind: Expression::Pressure, value: share(1)? }
            }
            0xB0 => Self::Controller { channel, number: seven(0)?, value: share(1)? },
            0xD0 => Self::Pressure { channel, value: share(0)? },
            0xE0 => {
                let place = i32::from(seven(1)?) * 128 + i32::from(seven(0)?) - 8192;
                // Both ends reach their full way.
                let way = if place < 0 { 8192.0 } else { 8191.0 };
                Self::Bend { channel, value: place as f32 / way }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn val_midi_messages_mean_what_midi_1_0_says() {
        let to = Address::key(2, 60);
        let note = Note { id: None, channel: 2, key: 60 };
        assert_eq!(Event::from_midi(&[0x92, 60, 127]), Some(Event::NoteOn { note, velocity: 1.0 }));
        assert_eq!(Event::from_midi(&[0x92, 60, 0]), Some(Event::NoteOff { to }));
        assert_eq!(Event::from_midi(&[0x82, 60, 64]), Some(Event::NoteOff { to }));
        assert_eq!(Event::from_midi(&[0xE0, 0, 64]), Some(Event::Bend { channel: 0, value: 0.0 }));
        assert_eq!(Event::from_midi(&[0xE0, 127, 127]), Some(Event::Bend { channel: 0, value: 1.0 }));
        assert_eq!(Event::from_midi(&[0xE0, 0, 0]), Some(Event::Bend { channel: 0, value: -1.0 }));
        assert_eq!(Event::from_midi(&[0xD5, 127]), Some(Event::Pressure { channel: 5, value: 1.0 }));
        assert_eq!(Event::from_midi(&[0xF8]), None);
        assert_eq!(Event::from_midi(&[]), None);
        assert!(to.matches(&note) && Address::ALL.matches(&note));
        assert!(!Address { id: Some(3), ..Address::ALL }.matches(&note));
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(bytes in proptest::collection::vec(any::<u8>(), 0..5)) {
            if let Some(Event::Bend { value, .. } | Event::Pressure { value, .. }) = Event::from_midi(&bytes) {
                prop_assert!((-1.0..=1.0).contains(&value));
            }
        }
    }
}
