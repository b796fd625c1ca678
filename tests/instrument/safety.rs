//! What must never happen: memory asked for on the audio thread, wild numbers, sound beyond full scale.

use crate::{at, instrument, on, play, setup, turn};
use asperity::instrument::parameters::{Acts, Param, TABLE};
use asperity::instrument::{Address, Event, Expression, Note, Setup, Timed};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random_event(rng: &mut ChaCha8Rng) -> Event {
    let (channel, key) = (rng.random_range(0..16), rng.random_range(0..128));
    let value: f32 = rng.random_range(0.0..1.0);
    let wild = [f32::NAN, f32::INFINITY, -1e30, 1e30, 0.0, value, value, value];
    let odd = wild[rng.random_range(0..wild.len())];
    let note = Note { id: rng.random_bool(0.5).then(|| rng.random_range(0..9)), channel, key };
    let to = [Address::ALL, Address::key(channel, key), Address { id: note.id, ..Address::ALL }];
    let to = to[rng.random_range(0..3)];
    let param = Param::all().nth(rng.random_range(0..TABLE.len())).unwrap();
    match rng.random_range(0..13) {
        0..=2 => Event::NoteOn { note, velocity: odd },
        3 => Event::NoteOff { to },
        4 => Event::Choke { to },
        5 => {
            let kinds = [
                Expression::Tuning,
                Expression::Pressure,
                Expression::Brightness,
                Expression::Volume,
                Expression::Pan,
                Expression::Swell,
            ];
            Event::Expression { to, kind: kinds[rng.random_range(0..kinds.len())], value: odd }
        }
        6 => Event::Bend { channel, value: odd },
        7 => Event::Controller { channel, number: rng.random_range(0..128), value: odd },
        8 => Event::Pressure { channel, value: odd },
        9 => Event::Modulation { to, param, offset: odd },
        10 => Event::Tempo { bpm: f64::from(odd) * 200.0 },
        // Structural changes are rarer: each costs an engine.
        _ if param.entry().acts != Acts::Live && rng.random_bool(0.8) => Event::Bend { channel, value },
        _ => Event::Parameter { param, value: param.entry().denormalise(f64::from(value)) },
    }
}

/// `seconds` of random playing in blocks of 32; peak and what the guard caught.
fn soak(seed: u64, rate_hz: f64, seconds: f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut one = instrument("steel-on-steel", &[], Setup { rate_hz, offline: false, limits: true });
    let (mut left, mut right) = ([0.0f32; 32], [0.0f32; 32]);
    let mut heard = 0.0f32;
    for _ in 0..(seconds * rate_hz / 32.0) as usize {
        let count = if rng.random_bool(0.05) { rng.random_range(1..4) } else { 0 };
        let events: Vec<Timed> =
            (0..count).map(|_| at(rng.random_range(0..40), random_event(&mut rng))).collect();
        let memory = allocation_counter::measure(|| one.process(&events, &mut left, &mut right));
        assert_eq!((memory.count_total, memory.count_current), (0, 0), "seed {seed}: {events:?}");
        for sample in left.iter().chain(&right) {
            assert!(sample.is_finite() && sample.abs() <= 1.0, "seed {seed}: {sample}");
            assert!(*sample == 0.0 || sample.abs() >= f32::MIN_POSITIVE, "subnormal");
            heard = heard.max(sample.abs());
        }
    }
    assert!(heard > 1e-3);
}

#[test]
fn random_playing_is_finite_limited_and_asks_for_no_memory() {
    soak(1, 48_000.0, 4.0);
    soak(2, 44_100.0, 2.0);
}

// Twenty minutes of sound:
// cargo test --profile checked --no-default-features --test instrument -- --ignored soak_of_twenty_minutes
#[test]
#[ignore = "long"]
fn soak_of_twenty_minutes() {
    for (seed, rate_hz) in [(11, 22_050.0), (12, 48_000.0), (13, 96_000.0), (14, 192_000.0)] {
        soak(seed, rate_hz, 300.0);
    }
}

#[test]
fn every_knob_at_either_end_still_gives_a_sound_or_silence() {
    for param in Param::all() {
        let (min, max) = param.entry().range();
        // The slowest settings are left to the long test.
        for value in [min, max] {
            let mut one = instrument("kalimba-tines", &[], setup());
            let events = [at(0, on(60)), at(300, turn(param, value))];
            let sound = play(&mut one, &events, 900, &[64]);
            let fine = sound.iter().flatten().all(|x| x.is_finite() && x.abs() <= 1.0);
            assert!(fine, "{} at {value}", param.entry().id);
            assert_eq!(one.values().get(param), value);
        }
    }
}

#[test]
fn blocks_of_nothing_and_events_beyond_the_end_are_taken() {
    let mut one = instrument("kalimba-tines", &[], setup());
    one.process(&[at(99, on(60))], &mut [], &mut []);
    assert_eq!(one.sounding(), 1);
    one.process(&[at(usize::MAX, on(62))], &mut [0.0; 3], &mut [0.0; 5]);
    assert_eq!(one.sounding(), 2);
}
