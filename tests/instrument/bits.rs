//! What must be the same to the bit: block sizes, reset, the terminal's render, repeated bounces.

use crate::{at, instrument, off, on, play, setup, turn};
use asperity::engine::realtime::Quality;
use asperity::instrument::parameters::Param;
use asperity::instrument::{Event, Instrument, Patch, Timed};
use asperity::record::Recording;
use asperity::render::{Engine, Order, Routing, render_into};
use asperity::scene::presets;

/// Notes, wheels and knobs of every kind, structural ones among them.
fn busy() -> Vec<Timed> {
    vec![
        at(0, on(60)),
        at(700, on(67)),
        at(1501, turn(Param::Ra, 9.0)),
        at(1777, Event::Bend { channel: 0, value: 0.7 }),
        at(2500, Event::Controller { channel: 0, number: 1, value: 0.6 }),
        at(3001, off(60)),
        at(3003, turn(Param::Seed, 7.0)),
        at(4100, on(48)),
        at(5000, turn(Param::Law, 1.0)),
        at(6500, off(67)),
        at(7000, turn(Param::P1Pan, 1.0)),
        at(7601, Event::Pressure { channel: 0, value: 0.9 }),
        at(9000, off(48)),
    ]
}

fn bits(sound: &[Vec<f32>; 2]) -> Vec<u32> {
    sound.iter().flatten().map(|x| x.to_bits()).collect()
}

#[test]
fn block_sizes_do_not_change_a_bit() {
    let patterns: [&[usize]; 12] = [
        &[12_000],
        &[1],
        &[2, 3],
        &[16],
        &[17],
        &[64],
        &[480],
        &[512, 1],
        &[1024, 7, 33],
        &[4096],
        &[15, 16, 17],
        &[0, 100, 0, 333],
    ];
    let run = |blocks: &[usize]| {
        let mut instrument = instrument("steel-on-steel", &[], setup());
        bits(&play(&mut instrument, &busy(), 12_000, blocks))
    };
    let whole = run(patterns[0]);
    assert!(whole.iter().any(|bits| *bits != 0));
    for pattern in &patterns[1..] {
        assert!(run(pattern) == whole, "{pattern:?}");
    }
}

#[test]
fn reset_is_as_new() {
    let events = [at(100, on(57)), at(3000, off(57))];
    let mut one = instrument("steel-on-steel", &[], setup());
    let fresh = bits(&play(&mut one, &events, 6000, &[64]));
    play(&mut one, &[at(0, on(40)), at(5, Event::Bend { channel: 0, value: 1.0 })], 5001, &[64]);
    one.reset();
    assert!(bits(&play(&mut one, &events, 6000, &[64])) == fresh);
    // Knobs moved before the reset are those of a fresh instrument with these knobs.
    play(&mut one, &[at(0, turn(Param::Ra, 8.0)), at(0, on(40))], 1000, &[64]);
    one.reset();
    let mut other = instrument("steel-on-steel", &[(Param::Ra, 8.0)], setup());
    assert!(bits(&play(&mut one, &events, 6000, &[64])) == bits(&play(&mut other, &events, 6000, &[64])));
}

/// The terminal's stereo mix as it would be written to a file of 32-bit floats.
fn rendered(preset: &str, frames: usize) -> Option<[Vec<f32>; 2]> {
    let patch = Patch::preset(preset).unwrap();
    let scene = patch.draft().build().unwrap();
    let routing = Routing::stereo(&scene).ok()?;
    let mut recording: Recording = routing.recording(48_000.0);
    let order = Order {
        engine: Engine::Realtime,
        quality: Quality::Live,
        seconds: frames as f64 / 48_000.0,
        skip_s: 0.0,
        rate_hz: Some(48_000.0),
    };
    render_into(&scene, &order, &routing, &mut recording, &mut |_| true).ok()?;
    let full_scale = patch.full_scale(scene.pickups[0].quantity);
    let channel = |n: usize| recording.channels[n].samples.iter().map(|x| (x / full_scale) as f32).collect();
    Some([channel(0), channel(1)])
}

#[test]
fn the_drone_is_what_render_makes_of_the_same_preset() {
    let frames = 4800;
    let mut compared = 0;
    for preset in presets() {
        let Some(expected) = rendered(preset.name, frames) else { continue };
        let mut drone: Instrument = instrument(preset.name, &[(Param::Drone, 1.0)], setup());
        let late = drone.latency_samples();
        let sound = play(&mut drone, &[], frames + late, &[96]);
        for side in 0..2 {
            let count = expected[side].len();
            assert!(
                sound[side][late..late + count] == expected[side][..],
                "{} differs first at {:?}",
                preset.name,
                sound[side][late..].iter().zip(&expected[side]).position(|(a, b)| a != b)
            );
        }
        compared += 1;
    }
    assert_eq!(compared + 1, presets().len(), "the run of Dang 2010 alone is not for the real-time engine");
}
