//! The instrument from outside: notes, knobs and patches in, two channels out. Runs without any audio crate.

mod bits;
mod cost;
mod hands;
mod library;
mod loading;
mod mpe;
mod playing;
mod rubbing;
mod safety;
mod tuning;

use asperity::instrument::parameters::Param;
use asperity::instrument::{Address, Event, Instrument, Note, Patch, Setup, Timed};

pub const RATE: usize = 48_000;

pub fn setup() -> Setup {
    Setup { rate_hz: RATE as f64, offline: true, limits: true }
}

/// A patch with some knobs moved.
pub fn instrument(preset: &str, knobs: &[(Param, f64)], setup: Setup) -> Instrument {
    let patch = Patch::preset(preset).unwrap();
    let mut values = *patch.values();
    for (param, value) in knobs {
        values.set(*param, *value);
    }
    Instrument::new(patch, &values, setup).unwrap()
}

pub fn at(frame: usize, event: Event) -> Timed {
    Timed { frame, event }
}

pub fn on(key: u8) -> Event {
    Event::NoteOn { note: note(key), velocity: 1.0 }
}

pub fn off(key: u8) -> Event {
    Event::NoteOff { to: Address::key(0, key) }
}

pub fn note(key: u8) -> Note {
    Note { id: None, channel: 0, key }
}

pub fn turn(param: Param, value: f64) -> Event {
    Event::Parameter { param, value }
}

/// Plays `frames` in blocks whose lengths repeat; events lie at absolute frames.
pub fn play(instrument: &mut Instrument, events: &[Timed], frames: usize, blocks: &[usize]) -> [Vec<f32>; 2] {
    let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
    let mut done = 0;
    for length in blocks.iter().cycle() {
        if done == frames {
            break;
        }
        let end = (done + length).min(frames);
        let inside: Vec<Timed> = events
            .iter()
            .filter(|timed| (done..end).contains(&timed.frame))
            .map(|timed| at(timed.frame - done, timed.event))
            .collect();
        instrument.process(&inside, &mut left[done..end], &mut right[done..end]);
        done = end;
    }
    [left, right]
}

pub fn rms(sound: &[f32]) -> f64 {
    (sound.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / sound.len().max(1) as f64).sqrt()
}

pub fn loudest(sound: &[f32]) -> f32 {
    sound.iter().fold(0.0, |most, x| most.max(x.abs()))
}
