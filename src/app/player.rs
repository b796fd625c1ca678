//! What runs in the device's callback: events in, the instrument, sound out, and a note of how long it took.
//! `new` allocates; `fill` never allocates, locks or waits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpal::{FromSample, SizedSample};
use cpu_time::ThreadTime;
use rtrb::Consumer;

use super::format::interleave;
use super::mail::Stamped;
use super::meters::Meters;
use super::tape::Tape;
use crate::instrument::{Instrument, Timed};

/// Frames computed at once; longer blocks are played in pieces. The sound does not depend on it.
const PIECE: usize = 1024;
/// Events of one block; more wait for the next.
const MOST_EVENTS: usize = 512;
/// Sound that one reading of the level covers.
const LEVEL_S: f64 = 0.5;

pub struct Player {
    instrument: Instrument,
    rate_hz: f64,
    mail: Consumer<Stamped>,
    events: Vec<Timed>,
    tape: Tape,
    meters: Arc<Meters>,
    level: Level,
    /// When the last block was asked for: what happened since then sounds in this one.
    asked: Option<Instant>,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl Player {
    pub fn new(
        instrument: Instrument,
        rate_hz: f64,
        mail: Consumer<Stamped>,
        tape: Tape,
        meters: Arc<Meters>,
    ) -> Self {
        Self {
            instrument,
            rate_hz,
            mail,
            events: Vec::with_capacity(MOST_EVENTS),
            tape,
            meters,
            level: Level::default(),
            asked: None,
            left: vec![0.0; PIECE],
            right: vec![0.0; PIECE],
        }
    }

    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Another instrument, for a device of another rate. Never in a callback: the old one is freed here.
    pub fn refit(&mut self, instrument: Instrument, rate_hz: f64) {
        (self.instrument, self.rate_hz) = (instrument, rate_hz);
        self.asked = None;
    }

    /// One block of interleaved channels.
    pub fn fill<T: SizedSample + FromSample<f32>>(&mut self, out: &mut [T], channels: usize) {
        let (cpu, now) = (ThreadTime::now(), Instant::now());
        let channels = channels.max(1);
        let frames = out.len() / channels;
        self.collect(now, frames);
        let mut done = 0;
        let mut played = 0;
        for piece in out.chunks_mut(PIECE * channels) {
            let count = piece.len() / channels;
            let until = self.events.partition_point(|timed| timed.frame < done + count);
            for timed in &mut self.events[played..until] {
                timed.frame -= done;
            }
            let (left, right) = (&mut self.left[..count], &mut self.right[..count]);
            self.instrument.process(&self.events[played..until], left, right);
            self.tape.take(left, right, self.instrument.latency_samples());
            if let Some((rms, peak)) = self.level.take(left, right, self.rate_hz) {
                self.meters.level((rms * self.instrument.full_scale_m_s()) as f32, peak);
            }
            interleave(left, right, piece, channels);
            played = until;
            done += count;
        }
        self.meters.sounding(self.instrument.sounding());
        self.meters.block(
            Duration::from_secs_f64(frames as f64 / self.rate_hz),
            cpu.elapsed(),
            now.elapsed(),
        );
    }

    /// Events since the last block, each as far into this one as it was into the time since then: all are
    /// late by the same one block, so rhythm is kept.
    fn collect(&mut self, now: Instant, frames: usize) {
        self.events.clear();
        let from = self.asked.replace(now).unwrap_or(now);
        let last = frames.saturating_sub(1);
        let mut earliest = 0;
        while self.events.len() < MOST_EVENTS
            && let Ok(Stamped { at, event }) = self.mail.pop()
        {
            let late_s = at.saturating_duration_since(from).as_secs_f64();
            earliest = ((late_s * self.rate_hz) as usize).clamp(earliest, last);
            self.events.push(Timed { frame: earliest, event });
        }
    }
}

/// Mean square and peak over half a second at a time.
#[derive(Debug, Default)]
struct Level {
    squares: f64,
    peak: f32,
    frames: usize,
}

impl Level {
    /// Root mean square and peak, whenever there is enough sound for them.
    fn take(&mut self, left: &[f32], right: &[f32], rate_hz: f64) -> Option<(f64, f32)> {
        for (left, right) in left.iter().zip(right) {
            self.squares += f64::from(left * left + right * right);
            self.peak = self.peak.max(left.abs()).max(right.abs());
        }
        self.frames += left.len();
        if (self.frames as f64) < LEVEL_S * rate_hz {
            return None;
        }
        let whole = std::mem::take(self);
        Some(((whole.squares / whole.frames as f64).sqrt(), whole.peak))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::app::mail::{Sender, mail};
    use crate::app::tape::{TapeState, tape};
    use crate::instrument::parameters::{Param, Values};
    use crate::instrument::{Event, Note, Patch, Setup};

    pub const RATE_HZ: f64 = 48_000.0;

    /// The default preset, droning or not, with everything a window would hold of it.
    pub fn player(drone: bool) -> (Player, Sender, Arc<Meters>, Consumer<[f32; 2]>, Arc<TapeState>) {
        let patch = Patch::preset(crate::scene::DEFAULT_PRESET).unwrap();
        let mut values: Values = *patch.values();
        values.set(Param::Drone, f64::from(u8::from(drone)));
        let setup = Setup { rate_hz: RATE_HZ, offline: false, limits: true };
        let instrument = Instrument::new(patch, &values, setup).unwrap();
        let (sender, mail) = mail();
        let (tape, frames, state) = tape();
        let meters = Arc::new(Meters::default());
        let player = Player::new(instrument, RATE_HZ, mail, tape, meters.clone());
        (player, sender, meters, frames, state)
    }

    #[test]
    fn a_callback_allocates_nothing_whatever_happens_in_it() {
        let (mut player, sender, meters, _frames, tape) = player(true);
        let mut out = vec![0i16; 2 * 3000];
        player.fill(&mut out, 2);
        for key in [60, 64, 67] {
            sender.send(Event::NoteOn { note: Note { id: None, channel: 0, key }, velocity: 0.8 });
        }
        sender.send(Event::Parameter { param: Param::Ra, value: 9.0 });
        sender.send(Event::Parameter { param: Param::Law, value: 1.0 });
        tape.start();
        let seen = allocation_counter::measure(|| {
            for frames in [1, 64, 128, 1500, 3000] {
                player.fill(&mut out[..2 * frames], 2);
                player.fill(&mut out[..6 * frames.min(1000)], 6);
            }
        });
        assert_eq!((seen.count_total, seen.bytes_total), (0, 0), "allocations in the callback");
        assert!(out.iter().any(|sample| *sample != 0));
        assert!(meters.read().blocks == 11 && meters.read().sounding >= 4, "{:?}", meters.read());
    }

    #[test]
    fn blocks_of_any_length_and_width_carry_the_same_sound() {
        let (mut whole, ..) = player(true);
        let (mut parts, ..) = player(true);
        let mut expected = vec![0.0f32; 2 * 5000];
        whole.fill(&mut expected, 2);
        let mut heard = Vec::new();
        for frames in [3000, 1, 999, 1000] {
            let mut out = vec![0.0f64; 3 * frames];
            parts.fill(&mut out, 3);
            heard.extend(out.chunks(3).flat_map(|frame| [frame[0] as f32, frame[1] as f32]));
        }
        assert!(expected.iter().any(|sample| *sample != 0.0));
        assert!(heard == expected);
    }

    #[test]
    fn a_silent_player_reads_silence_and_a_drone_its_level() {
        for drone in [false, true] {
            let (mut player, _, meters, ..) = player(drone);
            let mut out = vec![0.0f32; 2 * 30_000];
            player.fill(&mut out, 2);
            let Reading { v_rms_m_s, peak, .. } = meters.read();
            // Full scale is 0.1 m/s.
            let sounds = v_rms_m_s > 1e-5 && peak > 10.0 * v_rms_m_s && peak < 1.0;
            assert_eq!(drone, sounds, "{v_rms_m_s} {peak}");
        }
    }

    use crate::app::meters::Reading;
}
