//! What a player's hands do: strokes, glides, wheels and fingers, each heard where it is meant and nowhere else.

use crate::{at, instrument, loudest, note, off, on, play, rms, setup, turn};
use asperity::engine::realtime::ContactView;
use asperity::instrument::parameters::{Acts, Kind, Param, Pick, TARGETS};
use asperity::instrument::{Address, Event, Expression, Instrument, Note, Timed};

pub const SMALL: &str = "kalimba-tines";

/// Left and right of a small body.
pub fn heard(knobs: &[(Param, f64)], events: &[Timed], frames: usize) -> [Vec<f32>; 2] {
    play(&mut instrument(SMALL, knobs, setup()), events, frames, &[64])
}

/// The body that is played, as a window sees it.
fn seen(one: &Instrument) -> ContactView {
    let mut view = ContactView::default();
    one.view(&mut view);
    view
}

/// Semitones of the body's first mode above a key.
pub fn semitones_above(one: &Instrument, key: i32) -> f64 {
    let hz = f64::from(seen(one).natural_hz[0]);
    12.0 * (hz / 440.0).log2() + f64::from(69 - key)
}

#[test]
fn a_glide_takes_its_time_from_key_to_key() {
    let mut one = instrument(SMALL, &[(Param::Glide, 0.2)], setup());
    play(&mut one, &[at(0, on(60))], 4800, &[64]);
    assert!(semitones_above(&one, 60).abs() < 0.01);
    play(&mut one, &[at(0, on(72))], 4800, &[64]);
    let half = semitones_above(&one, 60);
    assert!((4.5..6.5).contains(&half), "{half} semitones after half the time");
    play(&mut one, &[], 9600, &[64]);
    assert!((semitones_above(&one, 60) - 12.0).abs() < 0.01);
}

#[test]
fn a_slider_that_stays_is_heard_and_one_that_is_lifted_lets_the_body_ring() {
    let ring = |word: f64| {
        let knobs = [(Param::Zeta, 0.0005), (Param::Release, 0.0), (Param::NoteOff, word)];
        let mut one = instrument("steel-on-steel", &knobs, setup());
        play(&mut one, &[at(0, on(60)), at(9600, off(60))], 14_400, &[64]);
        let lifted = seen(&one).lifted;
        let [left, _] = play(&mut one, &[], 24_000, &[64]);
        (lifted, rms(&left[12_000..]))
    };
    let ((lifted, free), (stopped, damped)) = (ring(0.0), ring(1.0));
    assert!(lifted && !stopped);
    assert!(damped < free, "{damped} {free}");
}

#[test]
fn notes_rub_the_same_patch_the_next_or_another() {
    let two = |place: f64| {
        let knobs = [(Param::Place, place), (Param::Zeta, 0.5)];
        let mut one = instrument("steel-on-steel", &knobs, setup());
        let mut stroke = || {
            let sound =
                play(&mut one, &[at(0, on(60)), at(4800, Event::Choke { to: Address::ALL })], 9600, &[64]);
            play(&mut one, &[], 96_000, &[480]);
            assert!(one.is_silent());
            sound
        };
        (stroke(), stroke())
    };
    let (first, again) = two(0.0);
    assert!(first == again && rms(&first[0]) > 1e-6, "the same patch");
    for place in [1.0, 2.0] {
        let (first, other) = two(place);
        assert!(first != other, "place {place}");
        assert!(two(place) == (first, other), "the same every time");
    }
}

/// Bodies that do not follow their keys are all the same: in step, two would be twice one.
#[test]
fn keys_struck_together_rub_patches_of_their_own() {
    let level = |keys: &[u8]| {
        let mut one = instrument("steel-on-steel", &[(Param::Track, 0.0), (Param::Place, 1.0)], setup());
        let events: Vec<_> = keys.iter().map(|key| at(0, on(*key))).collect();
        rms(&play(&mut one, &events, 24_000, &[64])[0][4800..])
    };
    let louder = level(&[60, 64]) / level(&[60]);
    assert!((1.05..1.8).contains(&louder), "{louder} times as loud");
}

/// Times a second that the slider turns round.
fn turns(knobs: &[(Param, f64)], bpm: f64) -> usize {
    let mut all = vec![(Param::Drone, 1.0), (Param::V, 0.2)];
    all.extend_from_slice(knobs);
    let mut one = instrument("steel-on-steel", &all, setup());
    let mut places = Vec::new();
    play(&mut one, &[at(0, Event::Tempo { bpm })], 4800, &[64]);
    for _ in 0..100 {
        play(&mut one, &[], 480, &[480]);
        places.push(f64::from(seen(&one).seat_m));
    }
    let steps: Vec<f64> = places.windows(2).map(|two| two[1] - two[0]).filter(|step| *step != 0.0).collect();
    steps.windows(2).filter(|two| two[0] * two[1] < 0.0).count()
}

#[test]
fn strokes_go_to_and_fro_at_their_rate_and_with_the_tempo() {
    let reciprocate = [(Param::Stroke, 2.0), (Param::Rate, 5.0)];
    assert!((9..=11).contains(&turns(&reciprocate, 120.0)), "{}", turns(&reciprocate, 120.0));
    // A quarter note at 120 and at 240 a minute.
    let synced = [(Param::Stroke, 3.0), (Param::Sync, 5.0)];
    for (bpm, expected) in [(120.0, 4), (240.0, 8)] {
        let found = turns(&synced, bpm);
        assert!((expected - 1..=expected + 1).contains(&found), "{found} at {bpm}");
    }
    assert_eq!(turns(&[], 120.0), 0);
}

#[test]
fn a_scrubbed_slider_goes_where_it_is_led_no_faster_than_v() {
    let knobs = [(Param::Drone, 1.0), (Param::Stroke, 4.0), (Param::Scrub, 0.2), (Param::V, 0.5)];
    let mut one = instrument("steel-on-steel", &knobs, setup());
    play(&mut one, &[], 4800, &[64]);
    let room = 0.45 - 0.02;
    let at_first = f64::from(seen(&one).seat_m);
    assert!((at_first - 0.2 * room).abs() < 1e-3, "{at_first}");
    play(&mut one, &[at(0, turn(Param::Scrub, 0.9))], 9600, &[64]);
    let on_the_way = f64::from(seen(&one).seat_m) - at_first;
    assert!((0.05..=0.102).contains(&on_the_way), "0.1 m at most in 0.2 s: {on_the_way}");
    play(&mut one, &[], 48_000, &[64]);
    let there = f64::from(seen(&one).seat_m);
    assert!((there - 0.9 * room).abs() < 1e-3, "{there}");
}

#[test]
fn velocity_drives_what_the_player_says_and_nothing_else() {
    let touch = |velocity: f32, knobs: &[(Param, f64)]| {
        let mut all = vec![(Param::VelocitySpeed, 0.0), (Param::VelocityLoad, 0.0), (Param::Load, 50.0)];
        all.extend_from_slice(knobs);
        heard(&all, &[at(0, Event::NoteOn { note: note(60), velocity })], 2400)
    };
    assert!(touch(0.1, &[]) == touch(1.0, &[]));
    for depth in [Param::VelocitySpeed, Param::VelocityLoad] {
        assert!(touch(0.1, &[(depth, 1.0)]) != touch(1.0, &[(depth, 1.0)]));
    }
    let curve =
        |exponent: f64| touch(0.5, &[(Param::VelocitySpeed, 1.0), (Param::VelocitySpeedCurve, exponent)]);
    assert!(curve(1.0) != curve(2.0));
}

#[test]
fn wheel_pressure_and_timbre_move_what_they_are_pointed_at() {
    let sources = [
        (Param::Wheel, Event::Controller { channel: 0, number: 1, value: 1.0 }),
        (Param::Pressure, Event::Pressure { channel: 0, value: 1.0 }),
        (Param::Timbre, Event::Controller { channel: 0, number: 74, value: 1.0 }),
    ];
    for (param, event) in sources {
        for (target, name) in TARGETS.iter().enumerate() {
            let knobs = [(param, target as f64)];
            let plain = heard(&knobs, &[at(0, on(60))], 1600);
            let moved = heard(&knobs, &[at(0, on(60)), at(100, event)], 1600);
            assert_eq!(plain != moved, target != 0, "{event:?} to {name}");
        }
    }
}

#[test]
fn a_note_is_panned_by_itself() {
    let pan = |value: f32| Event::Expression { to: Address::key(0, 60), kind: Expression::Pan, value };
    let with = |events: &[Timed]| heard(&[], events, 4800);
    let plain = with(&[at(0, on(60))]);
    assert!(with(&[at(0, on(60)), at(0, pan(0.0))]) == plain, "the middle is where it was");
    for (value, side) in [(-1.0, 0), (1.0, 1)] {
        let sound = with(&[at(0, on(60)), at(0, pan(value))]);
        // After the glide of 20 ms.
        let levels = sound.each_ref().map(|side| loudest(&side[1600..]));
        assert!(levels[1 - side] < 1e-5 * levels[side], "{value}: {levels:?}");
        let gain = rms(&sound[side][1600..]) / rms(&plain[side][1600..]);
        assert!((gain - std::f64::consts::SQRT_2).abs() < 1e-3, "constant power: {gain}");
    }
    // Another note stays where it is.
    let other = with(&[at(0, on(62)), at(0, pan(1.0))]);
    assert!(other == with(&[at(0, on(62))]));
    // MIDI's own controller, and its middle.
    let control = |value: u8| Event::Controller { channel: 0, number: 10, value: f32::from(value) / 127.0 };
    assert!(with(&[at(0, control(64)), at(0, on(60))]) == plain);
    assert!(with(&[at(0, control(0)), at(0, on(60))])[1].iter().all(|sample| sample.abs() < 1e-6));
}

/// What must be so for a knob to be heard at all.
fn context(param: Param) -> Vec<(Param, f64)> {
    let pickup = (0..4).find(|n| {
        [Pick::On, Pick::Position, Pick::Gain, Pick::Pan, Pick::Quantity, Pick::Distance]
            .iter()
            .any(|what| Param::pickup(*n, *what) == param)
    });
    let mut knobs = match param {
        Param::Lc | Param::Seed => vec![(Param::Acf, 1.0)],
        Param::Hurst => vec![(Param::Acf, 2.0)],
        // Keys set the length where they tune by it.
        Param::Length => vec![(Param::TuneBy, 1.0)],
        Param::Radius => vec![(Param::Law, 1.0)],
        Param::MuDynamic | Param::Stribeck | Param::DriveStiffness => vec![(Param::MuStatic, 0.5)],
        Param::Young | Param::Density => vec![(Param::Material, Param::Material.entry().range().1)],
        Param::Rate => vec![(Param::Stroke, 2.0)],
        Param::Sync => vec![(Param::Stroke, 3.0)],
        Param::Scrub => vec![(Param::Stroke, 4.0)],
        _ => vec![],
    };
    if let Some(n) = pickup.filter(|n| Param::pickup(*n, Pick::On) != param) {
        knobs.push((Param::pickup(n, Pick::On), 1.0));
        if Param::pickup(n, Pick::Distance) == param {
            knobs.push((Param::pickup(n, Pick::Quantity), 3.0));
        }
    }
    knobs
}

/// Bend, wheel, pressure and timbre away from rest, so that their ranges and targets are heard.
const FINGERS: [Event; 5] = [
    Event::Bend { channel: 1, value: 0.5 },
    Event::Bend { channel: 0, value: 0.3 },
    Event::Controller { channel: 1, number: 1, value: 0.5 },
    Event::Pressure { channel: 1, value: 0.5 },
    Event::Controller { channel: 1, number: 74, value: 0.9 },
];

#[test]
fn every_knob_is_heard_on_a_note_that_sounds() {
    // Only at the next note, or only while the key is let go.
    let later = |param: Param| param.entry().acts == Acts::Notes || param == Param::NoteOff;
    for param in Param::all().filter(|param| !later(*param)) {
        let knobs = context(param);
        let row = param.entry();
        let run = |turned: bool| {
            let mut one = instrument(SMALL, &knobs, setup());
            let now = one.values().get(param);
            let (min, max) = row.range();
            let far = match row.kind {
                Kind::Choice { .. } => (now + 1.0) % (max + 1.0),
                _ if row.normalise(now) > 0.5 => min,
                _ => max,
            };
            let key = Event::NoteOn { note: Note { id: None, channel: 1, key: 60 }, velocity: 0.8 };
            let mut events = vec![at(0, key)];
            events.extend(FINGERS.map(|finger| at(0, finger)));
            if param == Param::MpeBend {
                events.push(at(0, turn(Param::Mpe, 1.0)));
            }
            if turned {
                events.push(at(640, turn(param, far)));
            }
            play(&mut one, &events, 3200, &[64])
        };
        assert!(run(true) != run(false), "{}", row.id);
    }
}
