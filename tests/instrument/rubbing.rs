//! The presets with friction do what their names say, and friction's knobs act on what sounds.

use super::{RATE, at, instrument, play, setup, turn};
use asperity::analysis::peaks::{Peak, peaks};
use asperity::analysis::regime::Regime;
use asperity::analysis::spectrum::{segment_length, welch};
use asperity::engine::realtime::Quality;
use asperity::instrument::Patch;
use asperity::instrument::parameters::Param;
use asperity::record::{Recording, Rubbing};
use asperity::render::{Engine, Order, Rendering, regime, render};
use asperity::scene::Scene;
use std::ops::RangeInclusive;

fn scene(name: &str, keys: &[(&str, &str)]) -> Scene {
    let mut draft = Patch::preset(name).unwrap().draft().clone();
    for (key, value) in keys {
        draft.set(key, value).unwrap();
    }
    draft.build().unwrap()
}

/// A second and a half, the first half second left out of the figures.
fn run(scene: &Scene) -> (Rubbing, Recording) {
    let order = Order {
        engine: Engine::Realtime,
        quality: Quality::Live,
        seconds: 1.5,
        skip_s: SKIP_S,
        rate_hz: Some(RATE as f64),
    };
    let Rendering { figures, recording } = render(scene, &order, &mut |_| true).unwrap();
    (figures.rubbing.unwrap(), recording.unwrap())
}

const SKIP_S: f64 = 0.5;

/// Peaks of the first pick-up after the start, the highest first, and their share of the whole.
fn lines(recording: &Recording) -> Vec<Peak> {
    let samples = &recording.channels[0].samples[(SKIP_S * RATE as f64) as usize..];
    let spectrum = welch(samples, RATE as f64, segment_length(samples.len(), RATE as f64, 4.0));
    let mut found = peaks(&spectrum, 20.0);
    found.sort_by(|a, b| b.density.total_cmp(&a.density));
    found
}

fn creaks(name: &str, share: RangeInclusive<f64>, slips: RangeInclusive<f64>) {
    let scene = scene(name, &[]);
    let (rubbing, _) = run(&scene);
    assert!(share.contains(&rubbing.stick_share), "{name}: {rubbing:?}");
    assert!(slips.contains(&rubbing.slips_per_s), "{name}: {rubbing:?}");
    assert_eq!(regime(&scene, &rubbing), Regime::StickSlip, "{name}: {rubbing:?}");
}

#[test]
fn doors_and_leather_creak() {
    creaks("creaking-door", 0.2..=0.9, 8.0..=60.0);
    creaks("creaking-leather", 0.2..=0.9, 20.0..=120.0);
}

/// Stick and slip fast enough to be a tone: the sound's lines are the slips' rate and its multiples.
fn squeaks(name: &str, tone_hz: RangeInclusive<f64>) {
    let scene = scene(name, &[]);
    let (rubbing, recording) = run(&scene);
    assert!(tone_hz.contains(&rubbing.slips_per_s), "{name}: {rubbing:?}");
    let found = lines(&recording);
    let highest = found.first().unwrap();
    let order = (highest.frequency_hz / rubbing.slips_per_s).round();
    assert!(order >= 1.0, "{name}: {highest:?} {rubbing:?}");
    let off = highest.frequency_hz / (order * rubbing.slips_per_s) - 1.0;
    assert!(off.abs() < 0.03 && highest.prominence_db > 25.0, "{name}: {highest:?} {rubbing:?}");
}

#[test]
fn sneakers_and_chalk_squeak() {
    squeaks("squeaking-sneaker", 300.0..=800.0);
    squeaks("screeching-chalk", 2000.0..=4000.0);
}

/// One mode sings: the regime says so, and the highest line lies at a natural frequency of the resonator.
fn sings(name: &str, tolerance: f64) {
    let scene = scene(name, &[]);
    let (rubbing, recording) = run(&scene);
    assert_eq!(regime(&scene, &rubbing), Regime::Squeal, "{name}: {rubbing:?}");
    let found = lines(&recording);
    let highest = found.first().unwrap();
    let natural_hz = scene.resonator.natural_hz()[rubbing.mode - 1];
    let off = highest.frequency_hz / natural_hz - 1.0;
    assert!(off.abs() < tolerance, "{name}: {highest:?}, mode {} at {natural_hz}", rubbing.mode);
}

#[test]
fn glass_and_bowed_bars_sing_at_a_mode() {
    sings("wet-glass", 0.01);
    sings("bowed-bar", 0.01);
}

#[test]
fn brakes_squeal() {
    // The pad's mass moves the mode that squeals.
    sings("brake-squeal", 0.15);
}

#[test]
fn pressed_harder_and_drawn_more_slowly_rubbing_turns_into_stick_slip() {
    let ways =
        [("5", "0.3"), ("20", "0.15"), ("60", "0.08"), ("100", "0.06"), ("150", "0.04"), ("300", "0.02")];
    let steps: Vec<(Rubbing, Regime)> = ways
        .iter()
        .map(|(load, speed)| {
            let scene = scene("rub-to-creak", &[("slider.load_n_m", load), ("motion.speed_m_s", speed)]);
            let (rubbing, _) = run(&scene);
            (rubbing, regime(&scene, &rubbing))
        })
        .collect();
    assert_eq!(steps[0].1, Regime::Continuous, "{steps:?}");
    assert_eq!(steps[5].1, Regime::StickSlip, "{steps:?}");
    assert!(steps[0].0.stick_share < 0.02 && steps[5].0.stick_share > 0.4, "{steps:?}");
    // No step takes the whole way at once, and none goes back.
    for pair in steps.windows(2) {
        let rise = pair[1].0.stick_share - pair[0].0.stick_share;
        assert!((-0.02..0.5).contains(&rise), "{steps:?}");
    }
}

#[test]
fn both_engines_count_the_same() {
    let keys = [("slider.load_n_m", "200"), ("motion.speed_m_s", "0.03"), ("run.step_s", "2e-6")];
    let scene = scene("rub-to-creak", &keys);
    let [fast, faithful] = [Engine::Realtime, Engine::Reference].map(|engine| {
        // Some sixty slips: a dozen leaves a tenth to chance.
        let order = Order { engine, quality: Quality::Live, seconds: 2.2, skip_s: 0.2, rate_hz: None };
        render(&scene, &order, &mut |_| true).unwrap().figures.rubbing.unwrap()
    });
    let apart = [
        fast.stick_share / faithful.stick_share,
        fast.slips_per_s / faithful.slips_per_s,
        fast.slip_swing / faithful.slip_swing,
    ];
    assert!(apart.iter().all(|ratio| (ratio - 1.0).abs() < 0.1), "{fast:?} {faithful:?}");
    assert_eq!(regime(&scene, &fast), regime(&scene, &faithful));
}

#[test]
fn friction_knobs_need_no_new_engine() {
    let frames = 2 * RATE;
    // The sound, and how many steps the engine has taken that plays in the end.
    let sound = |events: &[_]| {
        let mut drone = instrument("rub-to-creak", &[(Param::Drone, 1.0)], setup());
        let sound = play(&mut drone, events, frames, &[256]);
        (sound, drone.work().steps)
    };
    let (plain, steps) = sound(&[]);
    let patch = Patch::preset("rub-to-creak").unwrap();
    let turned_at = RATE;
    let (_, fewer) = sound(&[at(turned_at, turn(Param::MuStatic, 0.0))]);
    assert!(fewer < 3 * steps / 4, "a new engine counts anew: {fewer} of {steps}");
    for param in [Param::MuStatic, Param::MuDynamic, Param::Stribeck, Param::DriveStiffness] {
        let value = patch.values().get(param);
        let (turned, taken) = sound(&[at(turned_at, turn(param, value * (1.0 + 1e-12)))]);
        assert_eq!(taken, steps, "{}", param.entry().id);
        // Nor does the slider begin anew. For as long as a hair's breadth of a turn stays one: contact is chaotic.
        let part = turned_at..turned_at + RATE / 100;
        let pairs = || plain[0][part.clone()].iter().zip(&turned[0][part.clone()]);
        let apart: f32 = pairs().map(|(a, b)| (a - b).powi(2)).sum();
        let all: f32 = pairs().map(|(a, _)| a.powi(2)).sum();
        assert!(apart < 1e-3 * all, "{}: {apart:e} of {all:e}", param.entry().id);
        // A real turn is heard.
        let (far, taken) = sound(&[at(turned_at, turn(param, 0.5 * value))]);
        assert_eq!(taken, steps, "{}", param.entry().id);
        let late = frames - RATE / 2..frames;
        assert!(far[0][late.clone()] != plain[0][late], "{}", param.entry().id);
    }
}
