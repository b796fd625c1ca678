//! What MIDI says of whole channels: wheels, pressure, pedal, registered parameters, and which channels are
//! notes of their own (MPE, lower zone: channel 1 leads, the others carry one note each).

/// Controller numbers (MIDI 1.0; 74 as in MPE).
const WHEEL: u8 = 1;
const DATA: u8 = 6;
const VOLUME: u8 = 7;
const PAN: u8 = 10;
const EXPRESSION: u8 = 11;
const DATA_FINE: u8 = 38;
const SUSTAIN: u8 = 64;
const TIMBRE: u8 = 74;
const RPN_FINE: u8 = 100;
const RPN_COARSE: u8 = 101;
const ALL_SOUND_OFF: u8 = 120;
const RESET: u8 = 121;
const ALL_NOTES_OFF: u8 = 123;
/// The channel that leads MPE's notes.
pub const LEAD: u8 = 0;
/// Registered parameters: bend range, MPE configuration.
const RPN_BEND: u16 = 0;
const RPN_MPE: u16 = 6;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Channel {
    pub bend: f64,
    pub wheel: f64,
    pub pressure: f64,
    pub timbre: f64,
    pub volume: f64,
    /// -1 left, 1 right.
    pub pan: f64,
    pub expression: f64,
    pub sustain: bool,
    /// Bend range that the channel was told, semitones.
    pub bend_range: Option<f64>,
    rpn: u16,
}

impl Default for Channel {
    fn default() -> Self {
        Self {
            bend: 0.0,
            wheel: 0.0,
            pressure: 0.0,
            timbre: 0.5,
            volume: 1.0,
            pan: 0.0,
            expression: 1.0,
            sustain: false,
            bend_range: None,
            rpn: u16::MAX,
        }
    }
}

/// What a controller asks of the notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Nothing,
    PedalUp,
    NotesOff,
    SoundOff,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Channels {
    list: [Channel; 16],
    /// Set by an MPE configuration message.
    told_mpe: Option<bool>,
    /// Bend range of MPE's notes: told on any of their channels, it counts for all of them.
    pub notes_bend_range: Option<f64>,
}

impl Channels {
    pub fn get(&self, channel: u8) -> &Channel {
        &self.list[usize::from(channel & 15)]
    }

    pub fn get_mut(&mut self, channel: u8) -> &mut Channel {
        &mut self.list[usize::from(channel & 15)]
    }

    /// What a controller has said of itself counts more than the player's switch.
    pub fn is_mpe(&self, switch: bool) -> bool {
        self.told_mpe.unwrap_or(switch)
    }

    pub fn controller(&mut self, channel: u8, number: u8, value: f64) -> Call {
        let seven = (value * 127.0).round();
        let one = self.get_mut(channel);
        match number {
            WHEEL => one.wheel = value,
            VOLUME => one.volume = value,
            // 0 and 1 are both hard left, so that 64 is the middle.
            PAN => one.pan = ((seven - 64.0) / 63.0).max(-1.0),
            EXPRESSION => one.expression = value,
            TIMBRE => one.timbre = value,
            SUSTAIN => {
                one.sustain = value >= 0.5;
                return if one.sustain { Call::Nothing } else { Call::PedalUp };
            }
            RPN_COARSE => one.rpn = (one.rpn & 0x7F) | ((seven as u16) << 7),
            RPN_FINE => one.rpn = (one.rpn & !0x7F) | seven as u16,
            DATA if one.rpn == RPN_BEND => self.set_bend_range(channel, seven),
            // Hundredths of a semitone.
            DATA_FINE if one.rpn == RPN_BEND => {
                let semitones = one.bend_range.unwrap_or(0.0).trunc();
                self.set_bend_range(channel, semitones + seven / 100.0);
            }
            DATA if one.rpn == RPN_MPE && channel == LEAD => self.told_mpe = Some(seven > 0.0),
            RESET => {
                let kept = Channel {
                    volume: one.volume,
                    pan: one.pan,
                    bend_range: one.bend_range,
                    ..Channel::default()
                };
                *one = kept;
                return Call::PedalUp;
            }
            ALL_SOUND_OFF => return Call::SoundOff,
            ALL_NOTES_OFF => return Call::NotesOff,
            _ => {}
        }
        Call::Nothing
    }

    fn set_bend_range(&mut self, channel: u8, semitones: f64) {
        self.get_mut(channel).bend_range = Some(semitones);
        if channel != LEAD {
            self.notes_bend_range = Some(semitones);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn val_registered_parameters_as_midi_and_mpe_define_them() {
        let mut channels = Channels::default();
        let of = |seven: u8| f64::from(seven) / 127.0;
        for (number, value) in [(RPN_COARSE, 0), (RPN_FINE, 0), (DATA, 12), (DATA_FINE, 50)] {
            channels.controller(3, number, of(value));
        }
        assert_eq!(channels.get(3).bend_range, Some(12.5));
        assert_eq!(channels.get(0).bend_range, None);
        assert_eq!(channels.notes_bend_range, Some(12.5));
        for (number, value) in [(RPN_COARSE, 0), (RPN_FINE, 6), (DATA, 15)] {
            channels.controller(0, number, of(value));
        }
        assert!(channels.is_mpe(false));
        assert_eq!(channels.controller(1, SUSTAIN, 1.0), Call::Nothing);
        assert!(channels.get(1).sustain);
        assert_eq!(channels.controller(1, RESET, 0.0), Call::PedalUp);
        assert!(!channels.get(1).sustain);
        assert_eq!(channels.controller(1, ALL_NOTES_OFF, 0.0), Call::NotesOff);
    }
}
