//! The framework's events in the instrument's words. Hosts may send any number, so what is not finite is left
//! out here and ranges are cut; what the instrument has no use for is nothing.
//!
//! The framework takes VST3's brightness for its expression and the other way round (0.4.2), which is put right here.

use nice_plug::midi::{Channel, Key, VoiceID};
use nice_plug::prelude::{NoteEvent, PluginApi};

use crate::instrument::parameters::Param;
use crate::instrument::{Address, Event, Expression, Note, NoteEnd};

/// Largest tuning of one note that a host may ask for, semitones.
const SEMITONES: f32 = 120.0;

/// What the event means to the instrument, as it came in from a host of this kind.
pub fn translate<S>(event: &NoteEvent<S>, api: PluginApi) -> Option<Event> {
    let expression = |to, kind, value: f32, (min, max): (f32, f32)| {
        let value = finite(value)?.clamp(min, max);
        Some(Event::Expression { to, kind, value })
    };
    const SHARE: (f32, f32) = (0.0, 1.0);
    let (brightness_is, expression_is) = match api {
        PluginApi::Vst3 => (Expression::Swell, Expression::Brightness),
        _ => (Expression::Brightness, Expression::Swell),
    };
    match *event {
        NoteEvent::NoteOn { voice_id, channel, key, velocity, .. } => {
            let note = Note {
                id: voice_id.id(),
                channel: channel.number().unwrap_or(0),
                // A byte of raw MIDI may say anything.
                key: key.number().filter(|key| *key < 128)?,
            };
            Some(Event::NoteOn { note, velocity: finite(velocity)?.clamp(0.0, 1.0) })
        }
        NoteEvent::NoteOff { voice_id, channel, key, .. } => {
            Some(Event::NoteOff { to: address(voice_id, channel, key) })
        }
        NoteEvent::Choke { voice_id, channel, key, .. } => {
            Some(Event::Choke { to: address(voice_id, channel, key) })
        }
        NoteEvent::PolyPressure { voice_id, channel, key, pressure, .. } => {
            expression(address(voice_id, channel, key), Expression::Pressure, pressure, SHARE)
        }
        NoteEvent::PolyVolume { voice_id, channel, key, gain, .. } => {
            expression(address(voice_id, channel, key), Expression::Volume, gain, (0.0, 4.0))
        }
        NoteEvent::PolyPan { voice_id, channel, key, pan, .. } => {
            expression(address(voice_id, channel, key), Expression::Pan, pan, (-1.0, 1.0))
        }
        NoteEvent::PolyTuning { voice_id, channel, key, tuning, .. } => {
            expression(address(voice_id, channel, key), Expression::Tuning, tuning, (-SEMITONES, SEMITONES))
        }
        NoteEvent::PolyBrightness { voice_id, channel, key, brightness, .. } => {
            expression(address(voice_id, channel, key), brightness_is, brightness, SHARE)
        }
        NoteEvent::PolyExpression { voice_id, channel, key, expression: value, .. } => {
            expression(address(voice_id, channel, key), expression_is, value, SHARE)
        }
        NoteEvent::MidiChannelPressure { channel, pressure, .. } => {
            Some(Event::Pressure { channel, value: finite(pressure)?.clamp(0.0, 1.0) })
        }
        NoteEvent::MidiPitchBend { channel, value, .. } => {
            Some(Event::Bend { channel, value: bend(finite(value)?) })
        }
        NoteEvent::MidiCC { channel, cc, value, .. } => {
            Some(Event::Controller { channel, number: cc, value: finite(value)?.clamp(0.0, 1.0) })
        }
        NoteEvent::PolyModulation { voice_id, poly_modulation_id, normalized_offset, .. } => {
            Some(Event::Modulation {
                to: Address { id: Some(voice_id), ..Address::ALL },
                param: Param::all().nth(poly_modulation_id as usize)?,
                offset: finite(normalized_offset)?.clamp(-1.0, 1.0),
            })
        }
        // The knob itself has moved by then, and the instrument adds a note's own offset to it.
        _ => None,
    }
}

/// Tells the host that a note no longer sounds.
pub fn ended<S>(end: &NoteEnd) -> NoteEvent<S> {
    NoteEvent::VoiceTerminated {
        timing: end.frame as u32,
        voice_id: end.note.id.map_or(VoiceID::Wildcard, VoiceID::ID),
        channel: Channel::Number(end.note.channel),
        key: Key::Number(end.note.key),
    }
}

fn address(id: VoiceID, channel: Channel, key: Key) -> Address {
    Address { id: id.id(), channel: channel.number(), key: key.number() }
}

fn finite(value: f32) -> Option<f32> {
    value.is_finite().then_some(value)
}

/// The wheel's 14 bits as 0 to 1, with the middle at 8192 of 16383, so that each half reaches its full way.
fn bend(value: f32) -> f32 {
    let place = (value.clamp(0.0, 1.0) * 16_383.0).round() - 8192.0;
    if place < 0.0 { place / 8192.0 } else { place / 8191.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Host = NoteEvent<()>;

    const VOICE: VoiceID = VoiceID::ID(7);
    const CHANNEL: Channel = Channel::Number(2);
    const KEY: Key = Key::Number(60);

    #[test]
    fn notes_keep_their_address() {
        let note = Note { id: Some(7), channel: 2, key: 60 };
        let on = Host::NoteOn { timing: 3, voice_id: VOICE, channel: CHANNEL, key: KEY, velocity: 2.0 };
        assert_eq!(translate(&on, PluginApi::Clap), Some(Event::NoteOn { note, velocity: 1.0 }));
        let wild = Host::NoteOff {
            timing: 0,
            voice_id: VoiceID::Wildcard,
            channel: Channel::Wildcard,
            key: Key::Wildcard,
            velocity: 0.0,
        };
        assert_eq!(translate(&wild, PluginApi::Clap), Some(Event::NoteOff { to: Address::ALL }));
        let back: Host = ended(&NoteEnd { frame: 9, note });
        assert_eq!(back, Host::VoiceTerminated { timing: 9, voice_id: VOICE, channel: CHANNEL, key: KEY });
    }

    #[test]
    fn the_wheel_rests_in_the_middle_and_reaches_both_ends() {
        let bent = |raw: u16| bend(f32::from(raw) / 16_383.0);
        assert_eq!([bent(0), bent(8192), bent(16_383)], [-1.0, 0.0, 1.0]);
    }

    #[test]
    fn brightness_and_expression_are_what_the_host_meant() {
        let (timing, voice_id, channel, key) = (0, VOICE, CHANNEL, KEY);
        let brightness = Host::PolyBrightness { timing, voice_id, channel, key, brightness: 0.2 };
        let expression = Host::PolyExpression { timing, voice_id, channel, key, expression: 0.2 };
        let meant = |event: &Host, api: PluginApi| match translate(event, api) {
            Some(Event::Expression { kind, value: 0.2, .. }) => kind,
            other => panic!("{other:?}"),
        };
        for (event, clap, vst3) in [
            (brightness, Expression::Brightness, Expression::Swell),
            (expression, Expression::Swell, Expression::Brightness),
        ] {
            assert_eq!([meant(&event, PluginApi::Clap), meant(&event, PluginApi::Vst3)], [clap, vst3]);
        }
    }

    #[test]
    fn modulation_finds_its_parameter_and_its_note() {
        let event = Host::PolyModulation {
            timing: 0,
            voice_id: 7,
            poly_modulation_id: Param::Zeta.index() as u32,
            normalized_offset: 0.25,
        };
        let to = Address { id: Some(7), ..Address::ALL };
        assert_eq!(
            translate(&event, PluginApi::Clap),
            Some(Event::Modulation { to, param: Param::Zeta, offset: 0.25 })
        );
        let unknown = Host::PolyModulation {
            timing: 0,
            voice_id: 7,
            poly_modulation_id: u32::MAX,
            normalized_offset: 0.25,
        };
        assert_eq!(translate(&unknown, PluginApi::Clap), None);
    }

    proptest! {
        #[test]
        fn nothing_wild_gets_through(bits in any::<u32>(), channel in 0u8..16, cc in any::<u8>()) {
            let value = f32::from_bits(bits);
            let events = [
                Host::NoteOn { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, velocity: value },
                Host::PolyPressure { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, pressure: value },
                Host::PolyVolume { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, gain: value },
                Host::PolyPan { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, pan: value },
                Host::PolyTuning { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, tuning: value },
                Host::PolyBrightness { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, brightness: value },
                Host::PolyExpression { timing: 0, voice_id: VOICE, channel: CHANNEL, key: KEY, expression: value },
                Host::MidiChannelPressure { timing: 0, channel, pressure: value },
                Host::MidiPitchBend { timing: 0, channel, value },
                Host::MidiCC { timing: 0, channel, cc, value },
                Host::PolyModulation { timing: 0, voice_id: 7, poly_modulation_id: 0, normalized_offset: value },
            ];
            for event in &events {
                let number = match translate(event, PluginApi::Clap) {
                    Some(Event::NoteOn { velocity, .. }) => velocity,
                    Some(Event::Expression { value, .. } | Event::Bend { value, .. } | Event::Controller { value, .. } | Event::Pressure { value, .. }) => value,
                    Some(Event::Modulation { offset, .. }) => offset,
                    other => { prop_assert!(other.is_none()); continue }
                };
                prop_assert!(number.is_finite() && number.abs() <= SEMITONES);
            }
        }
    }
}
