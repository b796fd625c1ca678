//! Notes as a player meets them.

use crate::{at, instrument, loudest, note, off, on, play, rms, setup, turn};
use asperity::instrument::parameters::Param;
use asperity::instrument::{Address, Event, Expression, Note, Timed};

/// Dies away quickly.
const DULL: &[(Param, f64)] = &[(Param::Zeta, 0.05), (Param::Release, 0.0)];

#[test]
fn a_note_sounds_rings_and_ends_and_then_there_is_nothing() {
    let mut one = instrument("steel-on-steel", DULL, setup());
    let [left, _] = play(&mut one, &[at(0, on(60)), at(24_000, off(60))], 24_000, &[480]);
    assert!(rms(&left[4800..]) > 1e-4, "{}", rms(&left));
    assert!(one.ended().is_empty() && one.sounding() == 1);
    let mut ends = 0;
    for _ in 0..400 {
        play(&mut one, &[at(0, off(60))], 480, &[480]);
        ends += one.ended().len();
        if one.is_silent() {
            break;
        }
    }
    let [left, _] = play(&mut one, &[], 480, &[480]);
    assert_eq!(loudest(&left), 0.0);
    assert_eq!(ends, 1);
    assert!(one.is_silent() && one.sounding() == 0);
    // A new note wakes it.
    let [left, _] = play(&mut one, &[at(0, on(62))], 9600, &[64]);
    assert!(rms(&left) > 1e-4);
}

#[test]
fn bodies_that_hardly_lose_anything_go_to_sleep_when_nobody_hears_them() {
    let mut one = instrument("steel-on-steel", &[(Param::Zeta, 0.001), (Param::Gain, -60.0)], setup());
    play(&mut one, &[at(0, on(72)), at(2400, off(72))], 4800, &[64]);
    let mut seconds = 0;
    while !one.is_silent() {
        play(&mut one, &[], 48_000, &[64]);
        seconds += 1;
        assert!(seconds < 30);
    }
}

#[test]
fn no_more_bodies_sound_than_allowed_and_every_note_ends_once() {
    let mut one = instrument("steel-on-steel", &[DULL[0], DULL[1], (Param::Voices, 3.0)], setup());
    let mut ends = Vec::new();
    for key in 60..72 {
        play(&mut one, &[at(10, on(key))], 2000, &[2000]);
        ends.extend(one.ended().iter().map(|end| end.note.key));
        assert!(one.sounding() <= 3 + 4);
    }
    assert_eq!(ends, (60..69).collect::<Vec<u8>>());
    let all = Event::NoteOff { to: Address::ALL };
    play(&mut one, &[at(0, all)], 1, &[1]);
    for _ in 0..4000 {
        play(&mut one, &[], 64, &[64]);
        ends.extend(one.ended().iter().map(|end| end.note.key));
    }
    ends.sort_unstable();
    assert_eq!(ends, (60..72).collect::<Vec<u8>>());
}

/// A key that is still down may come back, so its note is not over before the key is up.
#[test]
fn one_body_for_all_keys_ends_every_note_once() {
    for mode in [1.0, 2.0] {
        let ends = |released: [u8; 2]| {
            let mut one = instrument("steel-on-steel", &[DULL[0], DULL[1], (Param::Mode, mode)], setup());
            let mut ends = Vec::new();
            let events = [on(60), on(64), off(released[0]), off(released[1])];
            for (n, event) in events.into_iter().enumerate() {
                play(&mut one, &[at(0, event)], 2000, &[2000]);
                ends.extend(one.ended().iter().map(|end| (end.note.key, n)));
            }
            for _ in 0..4000 {
                play(&mut one, &[], 64, &[64]);
                ends.extend(one.ended().iter().map(|end| (end.note.key, 4)));
            }
            ends
        };
        // The first goes up with its key, the last when its body is silent.
        assert_eq!(ends([60, 64]), [(60, 2), (64, 4)], "mode {mode}");
        assert_eq!(ends([64, 60]), [(64, 2), (60, 4)], "mode {mode}");
    }
}

#[test]
fn a_stolen_voice_fades_without_a_click() {
    let knobs = [(Param::Zeta, 0.002), (Param::Voices, 1.0), (Param::Release, 0.0), (Param::Place, 0.0)];
    let mut one = instrument("vibraphone-rub", &knobs, setup());
    play(&mut one, &[at(0, on(57)), at(9600, off(57))], 14_400, &[64]);
    let [ring, _] = play(&mut one, &[], 4800, &[64]);
    let [steal, _] = play(&mut one, &[at(96, on(40))], 4800, &[64]);
    let mut alone = instrument("vibraphone-rub", &knobs, setup());
    let [fresh, _] = play(&mut alone, &[at(96, on(40))], 4800, &[64]);
    // Without the new note only the old one is left, fading.
    let old: Vec<f32> = steal.iter().zip(&fresh).map(|(both, new)| both - new).collect();
    let step = |sound: &[f32]| sound.windows(2).fold(0.0f32, |most, w| most.max((w[1] - w[0]).abs()));
    assert!(rms(&ring) > 1e-4, "{}", rms(&ring));
    assert!(step(&old) < 1.1 * step(&ring), "{} {}", step(&old), step(&ring));
    // What is left is the rounding of the sum.
    assert!(loudest(&old[2400..]) < 1e-3 * loudest(&ring), "{}", loudest(&old[2400..]));
}

/// Every voice rings and all are taken at once.
#[test]
fn a_flurry_of_stolen_voices_fades_without_a_click() {
    let knobs = [
        (Param::Zeta, 0.002),
        (Param::Voices, 16.0),
        (Param::Release, 0.0),
        (Param::Place, 0.0),
        (Param::Modes, 8.0),
        (Param::Gain, -20.0),
    ];
    let low: Vec<Timed> = (33..49).flat_map(|key| [at(0, on(key)), at(4800, off(key))]).collect();
    let flurry: Vec<Timed> = (60..76).map(|key| at(96, on(key))).collect();
    let mut one = instrument("vibraphone-rub", &knobs, setup());
    play(&mut one, &low, 9600, &[64]);
    let [ring, _] = play(&mut one, &[], 4800, &[64]);
    let [steal, _] = play(&mut one, &flurry, 4800, &[64]);
    let mut alone = instrument("vibraphone-rub", &knobs, setup());
    let [fresh, _] = play(&mut alone, &flurry, 4800, &[64]);
    let old: Vec<f32> = steal.iter().zip(&fresh).map(|(both, new)| both - new).collect();
    let step = |sound: &[f32]| sound.windows(2).fold(0.0f32, |most, w| most.max((w[1] - w[0]).abs()));
    assert!(rms(&ring) > 1e-4, "{}", rms(&ring));
    assert!(step(&old) < 1.1 * step(&ring), "{} {}", step(&old), step(&ring));
}

/// The first 50 ms after a second key: legato is in full stroke, mono is at the start of a new one.
#[test]
fn legato_rubs_on_and_mono_begins_anew() {
    let level = |mode: f64| {
        let knobs = [(Param::Zeta, 0.1), (Param::Attack, 0.4), (Param::Curve, 1.0), (Param::Mode, mode)];
        let mut one = instrument("steel-on-steel", &knobs, setup());
        play(&mut one, &[at(0, on(60))], 38_400, &[64]);
        let [left, _] = play(&mut one, &[at(0, on(62))], 3600, &[64]);
        rms(&left[1600..])
    };
    let (legato, mono) = (level(1.0), level(2.0));
    assert!(legato > 1e-4 && mono < 0.2 * legato, "{legato} {mono}");
}

#[test]
fn one_body_for_all_keys() {
    for (mode, name) in [(1.0, "legato"), (2.0, "mono")] {
        let mut one = instrument("steel-on-steel", &[DULL[0], DULL[1], (Param::Mode, mode)], setup());
        play(&mut one, &[at(0, on(60)), at(2000, on(64)), at(4000, on(67))], 6000, &[64]);
        assert_eq!(one.sounding(), 1, "{name}");
        let [left, _] = play(&mut one, &[at(0, off(67)), at(1000, off(60))], 6000, &[64]);
        assert!(rms(&left[3000..]) > 1e-4, "the key below still holds");
        play(&mut one, &[at(0, off(64))], 120_000, &[64]);
        assert_eq!(one.sounding(), 0, "{name}");
    }
}

#[test]
fn the_pedal_holds_what_the_keys_let_go() {
    let mut one = instrument("steel-on-steel", DULL, setup());
    let pedal = |value: f32| Event::Controller { channel: 0, number: 64, value };
    let [left, _] = play(&mut one, &[at(0, pedal(1.0)), at(0, on(60)), at(2400, off(60))], 24_000, &[64]);
    assert!(rms(&left[12_000..]) > 1e-4);
    play(&mut one, &[at(0, pedal(0.0))], 96_000, &[64]);
    assert!(one.is_silent());
}

#[test]
fn harder_keys_and_more_pressure_are_louder() {
    let level = |velocity: f32, pressure: f32| {
        let mut one = instrument("steel-on-steel", &[(Param::VelocitySpeed, 1.0)], setup());
        let touch = Event::NoteOn { note: note(48), velocity };
        let press = Event::Expression { to: Address::ALL, kind: Expression::Pressure, value: pressure };
        let [left, _] = play(&mut one, &[at(0, touch), at(1, press)], 48_000, &[64]);
        20.0 * rms(&left[9600..]).log10()
    };
    let (soft, hard) = (level(0.1, 0.0), level(1.0, 0.0));
    // Ten times the speed: some 11 dB (Dang 2013: V to the power 0.5 to 0.6).
    assert!((8.0..18.0).contains(&(hard - soft)), "{soft} {hard}");
    assert!((level(1.0, 1.0) - hard).abs() > 1.0);
}

#[test]
fn what_is_said_to_one_note_is_not_heard_by_another() {
    let known = |id: i32| Note { id: Some(id), channel: 0, key: 50 };
    let run = |to: Option<i32>| {
        let mut one = instrument("steel-on-steel", &[], setup());
        let mut events = vec![at(0, Event::NoteOn { note: known(7), velocity: 0.8 })];
        if let Some(id) = to {
            let to = Address { id: Some(id), ..Address::ALL };
            events.push(at(500, Event::Modulation { to, param: Param::Ra, offset: 0.2 }));
            events.push(at(600, Event::Modulation { to, param: Param::P1Pos, offset: 0.1 }));
            events.push(at(700, Event::Expression { to, kind: Expression::Tuning, value: 3.0 }));
        }
        play(&mut one, &events, 4800, &[64])[0].clone()
    };
    assert!(run(None) == run(Some(8)));
    assert!(run(None) != run(Some(7)));
}

#[test]
fn the_drone_comes_and_goes() {
    let mut one = instrument("steel-on-steel", DULL, setup());
    play(&mut one, &[], 24_000, &[64]);
    assert!(one.is_silent());
    let [left, _] = play(&mut one, &[at(5, turn(Param::Drone, 1.0))], 24_000, &[64]);
    assert!(rms(&left[4800..]) > 1e-4);
    play(&mut one, &[at(5, turn(Param::Drone, 0.0))], 144_000, &[64]);
    assert!(one.is_silent() && one.ended().is_empty());
}

/// For a millisecond after it was switched on again the ring is nearly what it would have been without.
#[test]
fn a_drone_that_comes_back_finds_the_body_ringing() {
    let again = |back: bool| {
        let knobs = [(Param::Drone, 1.0), (Param::Zeta, 0.0005), (Param::Release, 0.0)];
        let mut one = instrument("steel-on-steel", &knobs, setup());
        play(&mut one, &[at(9600, turn(Param::Drone, 0.0))], 14_400, &[64]);
        let events: &[_] = if back { &[at(0, turn(Param::Drone, 1.0))] } else { &[] };
        play(&mut one, events, 24_000, &[64])
    };
    let ([rubbed, _], [rings, _]) = (again(true), again(false));
    let early: Vec<f32> = rubbed[..48].iter().zip(&rings).map(|(a, b)| a - b).collect();
    assert!(rms(&early) < 0.3 * rms(&rings[..48]), "{} of {}", rms(&early), rms(&rings[..48]));
    assert!(rms(&rubbed[12_000..]) > 2.0 * rms(&rings[12_000..]), "and is rubbed again");
}

/// What a window is told of the limiter, loud and soft.
#[test]
fn the_limiter_shows_when_it_acts() {
    let reduction_db = |gain_db: f64| {
        let mut one = instrument("steel-on-steel", &[(Param::Drone, 1.0), (Param::Gain, gain_db)], setup());
        let mut viewer = one.take_viewer().unwrap();
        let mut most = 0.0f32;
        for _ in 0..50 {
            viewer.look();
            let sound = play(&mut one, &[], 960, &[64]);
            assert!(sound.iter().all(|side| loudest(side) <= 1.0));
            most = most.max(viewer.look().reduction_db);
        }
        most
    };
    assert_eq!(reduction_db(-20.0), 0.0);
    let loud = reduction_db(40.0);
    assert!(loud > 6.0, "{loud} dB");
}
