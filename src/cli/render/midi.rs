//! `render --midi`: a MIDI file through the instrument that the plugin plays, from its first sample to the
//! end of its ring. Nothing is limited; what clips is counted.

use super::RenderArgs;
use crate::engine::realtime::Quality;
use crate::error::Error;
use crate::instrument::parameters::Param;
use crate::instrument::{Event, Instrument, Patch, Setup, Timed};
use crate::io::midi::{Cue, Message};
use crate::record::{Quantity, SoundSink};
use crate::units::decibels;

/// Samples at a time; the sound does not depend on it.
const BLOCK: usize = 512;
/// Longest ring after the last event.
pub const MOST_RING_S: f64 = 30.0;

/// What was played, for the report.
pub struct Played {
    pub seconds: f64,
    pub quantity: Quantity,
    /// Of both channels together, in the quantity's SI unit.
    pub rms: f64,
    pub notes: usize,
    pub inner_rate_hz: f64,
}

impl Played {
    pub fn level_db(&self) -> f64 {
        decibels(self.rms / self.quantity.reference().0)
    }
}

/// A performance before it begins.
pub struct Score {
    pub patch: Patch,
    /// What all pick-ups read.
    pub quantity: Quantity,
    pub cues: Vec<Cue>,
}

/// Longest that a performance can take.
pub fn most_seconds(cues: &[Cue]) -> f64 {
    cues.last().map_or(0.0, |cue| cue.seconds) + MOST_RING_S
}

impl Score {
    fn events(&self, rate_hz: f64) -> Vec<Timed> {
        let event = |cue: &Cue| match &cue.message {
            Message::Midi(bytes) => Event::from_midi(bytes),
            Message::Tempo { bpm } => Some(Event::Tempo { bpm: *bpm }),
        };
        let at = |cue: &Cue| (cue.seconds * rate_hz).round() as usize;
        self.cues.iter().filter_map(|cue| event(cue).map(|event| Timed { frame: at(cue), event })).collect()
    }
}

/// Plays the score into `sink`, in SI units.
pub fn play_into(
    args: &RenderArgs,
    score: &Score,
    sink: &mut dyn SoundSink,
    monitor: &mut dyn FnMut(f64) -> bool,
) -> Result<Played, Error> {
    let rate_hz = args.rate;
    let mut values = *score.patch.values();
    let quality = Quality::from_name(&args.quality).unwrap_or_default();
    values.set(Param::QualityKind, quality as usize as f64);
    let setup = Setup { rate_hz, offline: true, limits: false };
    let mut instrument = Instrument::new(score.patch.clone(), &values, setup)?;
    let events = score.events(rate_hz);
    let late = instrument.latency_samples();
    let most = ((args.seconds.unwrap_or(most_seconds(&score.cues)) * rate_hz).round() as usize).max(1);
    let last_event = events.last().map_or(0, |timed| timed.frame);
    let skipped = (args.skip * rate_hz).round() as usize;
    // Each quantity has a full scale of its own.
    let full_scale = score.patch.full_scale(score.quantity);
    let mut power = Power { skipped, ..Power::default() };
    let (mut left, mut right) = ([0.0f32; BLOCK], [0.0f32; BLOCK]);
    let mut inside = Vec::with_capacity(64);
    let (mut done, mut next) = (0, 0);
    while done < most + late {
        let rung_out = args.seconds.is_none() && done > last_event + late && instrument.is_silent();
        if rung_out || !monitor(done as f64 / (most + late) as f64) {
            break;
        }
        let count = BLOCK.min(most + late - done);
        inside.clear();
        while let Some(timed) = events.get(next).filter(|timed| timed.frame < done + count) {
            inside.push(Timed { frame: timed.frame - done, ..*timed });
            next += 1;
        }
        instrument.process(&inside, &mut left[..count], &mut right[..count]);
        let from = late.saturating_sub(done).min(count);
        let wide = |side: &[f32]| -> Vec<f64> {
            side[from..count].iter().map(|sample| f64::from(*sample) * full_scale).collect()
        };
        let sides = [wide(&left), wide(&right)];
        power.add(&sides);
        sink.take(&[&sides[0], &sides[1]])?;
        done += count;
    }
    Ok(Played {
        seconds: power.frames as f64 / rate_hz,
        quantity: score.quantity,
        rms: power.rms(),
        notes: events.iter().filter(|timed| matches!(timed.event, Event::NoteOn { .. })).count(),
        inner_rate_hz: quality.factor(rate_hz)? as f64 * rate_hz,
    })
}

/// Mean square of both sides together, after the skipped start.
#[derive(Default)]
struct Power {
    skipped: usize,
    frames: usize,
    counted: usize,
    sum: f64,
}

impl Power {
    fn add(&mut self, sides: &[Vec<f64>; 2]) {
        for (left, right) in sides[0].iter().zip(&sides[1]) {
            if self.frames >= self.skipped {
                self.sum += left * left + right * right;
                self.counted += 1;
            }
            self.frames += 1;
        }
    }

    fn rms(&self) -> f64 {
        (self.sum / self.counted.max(1) as f64).sqrt()
    }
}
