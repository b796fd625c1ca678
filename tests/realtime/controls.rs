//! Live controls: no clicks, no rhythm, no thump.

use crate::{endless, engine, play, scene};
use asperity::engine::realtime::{Engine, Quality, Settings, Surfaces};
use asperity::friction::Coulomb;
use std::sync::Arc;

/// Largest |x[n+1] - 2x[n] + x[n-1]|.
fn bend(sound: &[f32]) -> f32 {
    sound.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).fold(0.0, f32::max)
}

/// Bends at rest before, during the change and 10 ms after, at rest afterwards.
type Bends = [f32; 3];

fn bends(engine: &mut Engine, change: impl Fn(&mut Engine)) -> Bends {
    play(engine, 12_000, 480);
    let before = bend(&play(engine, 12_000, 480));
    change(engine);
    let frames = 1440 + engine.latency_samples();
    let during = bend(&play(engine, frames, 480));
    play(engine, 9_600, 480);
    let after = bend(&play(engine, 12_000, 480));
    [before, during, after]
}

/// The largest bends over eight surfaces: one waveform's hardest shock, at rest or under way, is chance.
fn hardest(keys: &[(&str, &str)], bends: impl Fn(&mut Engine) -> Bends) -> Bends {
    let mut most = [0.0f32; 3];
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let scene = scene(&[keys, &[("motion.kind", "endless"), ("surface.seed", seed)]].concat());
        let own = bends(&mut engine(&scene, Settings::default()));
        most = std::array::from_fn(|n| most[n].max(own[n]));
    }
    most
}

/// A change is smooth while it bends the output at most so many times as much as either end does.
const SMOOTH: f32 = 2.0;

fn roughness([before, during, after]: Bends) -> f32 {
    during / before.max(after)
}

fn is_smooth(bends: Bends) -> bool {
    roughness(bends) <= SMOOTH
}

/// A change of one control.
type Change = (&'static str, fn(&mut Engine));

const CHANGES: [Change; 12] = [
    ("speed", |e| e.controls(0).unwrap().set_speed(0.7)),
    ("turning round", |e| e.controls(0).unwrap().set_speed(-0.1)),
    ("stopping", |e| e.controls(0).unwrap().set_speed(0.0)),
    ("Ra", |e| e.controls(0).unwrap().set_ra(20e-6, 20e-6)),
    ("load", |e| e.controls(0).unwrap().set_load(100.0)),
    ("stiffness", |e| e.controls(0).unwrap().set_stiffness(0.1)),
    ("stretch", |e| e.controls(0).unwrap().set_stretch(2.0)),
    ("damping", |e| e.body(0).unwrap().set_damping(0.2)),
    ("length", |e| e.body(0).unwrap().set_length(0.25)),
    ("thickness", |e| e.body(0).unwrap().set_thickness(0.004)),
    ("material", |e| e.body(0).unwrap().set_material(70e9, 2700.0)),
    ("pick-up", |e| e.body(0).unwrap().set_pickup_position(0, 0.4)),
];

#[test]
fn changes_are_smooth_while_rubbing() {
    for (name, change) in CHANGES {
        let found = hardest(&[], |engine| bends(engine, change));
        assert!(is_smooth(found), "{name}: {found:?}");
    }
}

/// A control at two values far apart.
type Ends = (&'static str, [fn(&mut Engine); 2]);

/// Speed and damping over all that a player can choose, the others as far as the physics itself is smooth: a slider
/// sunk into something soft (below 10 GPa) is thrown off when that turns hard, one that loses a hundred micrometres of
/// roughness falls and lands, a beam let go by a ton leaps, a body made five hundred times lighter moves as much
/// faster, a pick-up on its way between two nodes hears what lies between. Load, thickness and material are below.
const ENDS: [Ends; 7] = [
    ("speed", [|e| e.controls(0).unwrap().set_speed(0.0), |e| e.controls(0).unwrap().set_speed(20.0)]),
    ("Ra", [|e| e.controls(0).unwrap().set_ra(1e-6, 1e-6), |e| e.controls(0).unwrap().set_ra(3e-5, 3e-5)]),
    (
        "stiffness",
        [
            |e| e.controls(0).unwrap().set_stiffness(1e10 / 2.1e12),
            |e| e.controls(0).unwrap().set_stiffness(1e15 / 2.1e12),
        ],
    ),
    ("stretch", [|e| e.controls(0).unwrap().set_stretch(0.5), |e| e.controls(0).unwrap().set_stretch(2.0)]),
    ("damping", [|e| e.body(0).unwrap().set_damping(1e-5), |e| e.body(0).unwrap().set_damping(1.0)]),
    ("length", [|e| e.body(0).unwrap().set_length(0.2), |e| e.body(0).unwrap().set_length(0.8)]),
    (
        "pick-up",
        [
            |e| e.body(0).unwrap().set_pickup_position(0, 0.05),
            |e| e.body(0).unwrap().set_pickup_position(0, 0.4),
        ],
    ),
];

/// How many times as rough as either end, the worse way of the two.
fn roughest([low, high]: [fn(&mut Engine); 2]) -> f32 {
    let ways = [(low, high), (high, low)].map(|(from, to)| {
        roughness(hardest(&[], |engine| {
            from(engine);
            play(engine, 4_800, 480);
            bends(engine, to)
        }))
    });
    ways[0].max(ways[1])
}

#[test]
fn steps_from_end_to_end_are_smooth() {
    let mut rough = Vec::new();
    for (name, ends) in ENDS {
        let roughest = roughest(ends);
        if roughest > SMOOTH {
            rough.push(format!("{name}: {roughest} times"));
        }
    }
    assert!(rough.is_empty(), "{rough:#?}");
}

/// What is rougher under way than at either end, and why: a mode that keeps its energy while its beam gets eight times
/// as thick is accelerated 2.8 times as much, one whose steel turns to wood moves 3.6 times as fast, and so does the
/// slider that rides on it; a beam that is pressed or let go leaps.
const LEAPS: [Ends; 3] = [
    ("thickness", [|e| e.body(0).unwrap().set_thickness(0.001), |e| e.body(0).unwrap().set_thickness(0.008)]),
    (
        "material",
        [
            |e| e.body(0).unwrap().set_material(10e9, 600.0),
            |e| e.body(0).unwrap().set_material(210e9, 7800.0),
        ],
    ),
    ("load", [|e| e.controls(0).unwrap().set_load(7.65), |e| e.controls(0).unwrap().set_load(1000.0)]),
];

/// Not smooth, but bounded; `--nocapture` prints by how much.
#[test]
fn regress_the_largest_steps_of_bodies_and_load_are_bounded() {
    for (name, ends) in LEAPS {
        let rough = roughest(ends);
        println!("{name}: {rough:.1} times as rough as either end");
        assert!(rough < 6.0, "{name}: {rough} times as rough as either end");
    }
}

/// Friction and drive, in a scene that has them.
const GRASPS: [Change; 4] = [
    ("static friction", |e| e.controls(0).unwrap().set_friction(law(0.7, 0.35, 0.05))),
    ("dynamic friction", |e| e.controls(0).unwrap().set_friction(law(0.5, 0.1, 0.05))),
    ("Stribeck speed", |e| e.controls(0).unwrap().set_friction(law(0.5, 0.35, 0.3))),
    ("drive stiffness", |e| e.controls(0).unwrap().set_drive_stiffness(1e4)),
];

fn law(static_coefficient: f64, dynamic_coefficient: f64, stribeck_m_s: f64) -> Coulomb {
    Coulomb { static_coefficient, dynamic_coefficient, stribeck_m_s }
}

#[test]
fn changes_of_friction_and_drive_are_smooth() {
    let keys = [
        ("slider.load_n_m", "20"),
        ("friction.static", "0.5"),
        ("friction.dynamic", "0.35"),
        ("friction.stribeck_m_s", "0.05"),
        ("drive.stiffness_n_m", "1e5"),
        ("drive.damping_n_s_m", "20"),
    ];
    for (name, change) in GRASPS {
        let found = hardest(&keys, |engine| bends(engine, change));
        assert!(is_smooth(found), "{name}: {found:?}");
    }
}

#[test]
fn changes_are_smooth_while_only_the_resonator_rings() {
    for (name, change) in CHANGES.into_iter().skip(7) {
        let found = hardest(&[("resonator.damping_ratio", "0.0005")], |engine| {
            play(engine, 9_600, 480);
            engine.controls(0).unwrap().set_lifted(true);
            play(engine, 480, 480);
            let before = bend(&play(engine, 480, 480));
            change(engine);
            let frames = 1440 + engine.latency_samples();
            let during = bend(&play(engine, frames, 480));
            [before, during, bend(&play(engine, 480, 480))]
        });
        assert!(is_smooth(found), "{name}: {found:?}");
    }
}

#[test]
fn a_lifted_slider_leaves_the_resonator_to_die_away_and_sleep() {
    let mut engine = engine(&endless(), Settings::default());
    let rubbing = play(&mut engine, 9_600, 480);
    engine.controls(0).unwrap().set_lifted(true);
    play(&mut engine, 480_000, 480);
    let silence = play(&mut engine, 4_800, 480);
    let rms = |x: &[f32]| (x.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>() / x.len() as f64).sqrt();
    assert!(rms(&silence) < 1e-6 * rms(&rubbing), "{:e} {:e}", rms(&silence), rms(&rubbing));
    assert!(silence.iter().all(|v| *v == 0.0 || v.is_normal()));
    assert!(engine.is_asleep(0) && engine.is_silent());
    engine.controls(0).unwrap().set_lifted(false);
    let again = play(&mut engine, 9_600, 480);
    assert!(rms(&again[4800..]) > 0.2 * rms(&rubbing[4800..]));
}

/// Levels and shares are told per step: a body that rings free takes as many as one that is rubbed.
#[test]
fn steps_are_counted_while_the_slider_is_lifted() {
    let mut engine = engine(&endless(), Settings::default());
    play(&mut engine, 4_800, 480);
    let rubbed = engine.figures(0);
    engine.controls(0).unwrap().set_lifted(true);
    play(&mut engine, 4_800, 480);
    let rung = engine.figures(0);
    assert_eq!(rung.steps, 2 * rubbed.steps);
    assert!(rung.contact_fraction < 0.6 * rubbed.contact_fraction, "{rubbed:?} {rung:?}");
}

/// Largest |autocorrelation| beyond 0.1 s.
fn echo(sound: &[f32]) -> f64 {
    let len = (2 * sound.len()).next_power_of_two();
    let mut planner = realfft::RealFftPlanner::<f64>::new();
    let (forward, inverse) = (planner.plan_fft_forward(len), planner.plan_fft_inverse(len));
    let mut x = forward.make_input_vec();
    for (x, sample) in x.iter_mut().zip(sound) {
        *x = f64::from(*sample);
    }
    let mut spectrum = forward.make_output_vec();
    forward.process(&mut x, &mut spectrum).unwrap();
    for line in &mut spectrum {
        *line = (line.norm_sqr()).into();
    }
    inverse.process(&mut spectrum, &mut x).unwrap();
    let zero = x[0];
    x[4800..sound.len()].iter().fold(0.0, |most, value| f64::max(most, (value / zero).abs()))
}

#[test]
fn endless_motion_has_no_rhythm() {
    // Damped enough that the low modes themselves are forgotten within a tenth of a second.
    let scene = scene(&[("motion.kind", "endless"), ("resonator.damping_ratio", "0.1")]);
    // At 10 m/s a minute is a hundred times the loop.
    for speed in [0.02, 0.1, 0.7, 2.0, 10.0] {
        let settings = Settings { quality: Quality::Draft, ..Settings::default() };
        let mut engine = engine(&scene, settings);
        engine.controls(0).unwrap().set_speed(speed);
        play(&mut engine, 4_800, 480);
        let sound = play(&mut engine, 60 * 48_000, 480);
        let echo = echo(&sound);
        assert!(echo < 0.2, "{speed} m/s: {echo}");
    }
}

#[test]
fn new_surfaces_fade_in_and_the_old_come_back() {
    let scene_1 = endless();
    let scene_2 = scene(&[("motion.kind", "endless"), ("surface.seed", "5"), ("surface.acf", "gaussian")]);
    let mut engine = engine(&scene_1, Settings::default());
    play(&mut engine, 9_600, 480);
    let before = bend(&play(&mut engine, 19_200, 480));
    let surfaces = Arc::new(Surfaces::on_grid(&scene_2, engine.grid_m()).unwrap());
    assert!(engine.offer(surfaces).is_ok());
    let again = Arc::new(Surfaces::on_grid(&scene_2, engine.grid_m()).unwrap());
    assert!(engine.offer(again).is_err(), "one fade at a time");
    let during = bend(&play(&mut engine, 12_000, 480));
    let after = bend(&play(&mut engine, 19_200, 480));
    assert!(during <= 2.0 * before.max(after), "{before:e} {during:e} {after:e}");
    assert!(engine.take_retired().is_some());
    assert!(engine.take_retired().is_none());
    assert_eq!(engine.restarts(), 0);
}
