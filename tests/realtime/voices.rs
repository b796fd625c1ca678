//! Voices with bodies of their own, begun and silenced one by one.

use crate::{endless, engine, play, scene};
use asperity::engine::realtime::{ContactView, Engine, Settings};

/// Short, thin and light, everything set before the note begins.
fn retune(engine: &mut Engine, voice: usize) {
    let body = engine.body(voice).unwrap();
    body.set_slider_length(0.012);
    body.set_length(0.2);
    body.set_thickness(0.0015);
    body.set_material(70e9, 2700.0);
    body.set_damping(0.003);
    body.set_pickup_position(0, 0.05);
    let controls = engine.controls(voice).unwrap();
    controls.set_speed(0.3);
    controls.set_load(20.0);
    controls.set_ra(8e-6, 8e-6);
}

#[test]
fn a_started_voice_is_as_new_at_any_time() {
    let settings = Settings { voices: 2, ..Settings::default() };
    let note = |before: usize| {
        let mut engine = engine(&endless(), settings);
        engine.rest(0);
        engine.rest(1);
        let silence = play(&mut engine, before, 96);
        assert!(silence.iter().all(|sample| *sample == 0.0));
        assert!(engine.is_asleep(0) && engine.is_asleep(1));
        retune(&mut engine, 1);
        engine.start(1, 0.37);
        play(&mut engine, 4800, 96)
    };
    let early = note(4800);
    assert!(early.iter().any(|sample| sample.abs() > 1e-6));
    assert!(early == note(96_000));
}

#[test]
fn voices_do_not_hear_each_other() {
    let settings = Settings { voices: 2, ..Settings::default() };
    let run = |first: bool, second: bool| {
        let mut engine = engine(&endless(), settings);
        retune(&mut engine, 1);
        engine.start(1, 0.1);
        if !first {
            engine.rest(0);
        }
        if !second {
            engine.rest(1);
        }
        play(&mut engine, 4800, 64)
    };
    let (both, one, two) = (run(true, true), run(true, false), run(false, true));
    let loudest = both.iter().fold(0.0f32, |loudest, sample| loudest.max(sample.abs()));
    for ((both, one), two) in both.iter().zip(&one).zip(&two) {
        assert!((both - one - two).abs() < 1e-5 * loudest);
    }
}

#[test]
fn a_slider_that_shrinks_while_it_rubs_leaves_the_books_closed() {
    let mut engine =
        engine(&scene(&[("motion.kind", "endless"), ("slider.load_n_m", "20")]), Settings::default());
    play(&mut engine, 4800, 480);
    for length_m in [0.008, 0.02, 0.013] {
        engine.body(0).unwrap().set_slider_length(length_m);
        play(&mut engine, 4800, 480);
    }
    let ledger = engine.ledger(0);
    assert!(ledger.residual() < 2e-3, "{:e} {ledger:?}", ledger.residual());
    assert_eq!(engine.restarts(), 0);
}

#[test]
fn a_body_that_grows_wakes_the_modes_it_brings_into_reach() {
    let scene =
        scene(&[("motion.kind", "endless"), ("resonator.length_m", "0.12"), ("pickup.1.position_m", "0.05")]);
    let mut engine = engine(&scene, Settings::default());
    let still = engine.still_modes(0);
    assert!(still > 0);
    engine.body(0).unwrap().set_length(0.45);
    let sound = play(&mut engine, 4800, 480);
    assert!(engine.still_modes(0) < still, "{} of {still}", engine.still_modes(0));
    assert!(sound.iter().all(|sample| sample.is_finite()));
    engine.body(0).unwrap().set_length(0.12);
    play(&mut engine, 4800, 480);
    assert_eq!(engine.still_modes(0), still);
}

#[test]
fn a_second_stroke_is_like_the_first() {
    for keys in [
        &[("motion.kind", "pass"), ("motion.speed_m_s", "0.5")][..],
        &[("motion.kind", "reciprocate"), ("motion.rate_hz", "7"), ("motion.start_m", "0.2")],
    ] {
        let mut engine = engine(&scene(keys), Settings::default());
        engine.start(0, 0.0);
        let first = play(&mut engine, 9600, 96);
        // A pass has long ended by now.
        play(&mut engine, 48_000, 480);
        engine.rest(0);
        play(&mut engine, 4800, 480);
        engine.start(0, 0.0);
        assert!(play(&mut engine, 9600, 96) == first, "{keys:?}");
    }
}

#[test]
fn a_swing_follows_its_speed_and_rate() {
    let keys = [("motion.kind", "reciprocate"), ("motion.rate_hz", "5"), ("motion.start_m", "0.2")];
    let mut engine = engine(&scene(&keys), Settings::default());
    let extremes = |engine: &mut Engine, seconds: f64| {
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        let mut view = ContactView::default();
        for _ in 0..(seconds * 1000.0) as usize {
            play(engine, 48, 48);
            engine.view(0, &mut view);
            (low, high) = (low.min(view.seat_m), high.max(view.seat_m));
        }
        high - low
    };
    // The stroke is V/(π·rate).
    let stroke = |v: f64, hz: f64| (v / (std::f64::consts::PI * hz)) as f32;
    assert!((extremes(&mut engine, 0.4) / stroke(0.1, 5.0) - 1.0).abs() < 0.02);
    engine.controls(0).unwrap().set_rate(10.0);
    extremes(&mut engine, 0.1);
    assert!((extremes(&mut engine, 0.2) / stroke(0.1, 10.0) - 1.0).abs() < 0.02);
    engine.controls(0).unwrap().set_speed(0.3);
    extremes(&mut engine, 0.1);
    assert!((extremes(&mut engine, 0.2) / stroke(0.3, 10.0) - 1.0).abs() < 0.02);
}

#[test]
fn the_picture_of_the_contact_shows_forces_where_surfaces_meet() {
    let mut engine =
        engine(&scene(&[("motion.kind", "endless"), ("slider.load_n_m", "200")]), Settings::default());
    let mut view = ContactView::default();
    let (mut forces, mut seen) = (0.0, 0);
    for _ in 0..200 {
        play(&mut engine, 64, 64);
        engine.view(0, &mut view);
        for column in 0..view.force_n_m.len() {
            if view.force_n_m[column] > 0.0 {
                seen += 1;
                // A block of sixteen nodes is drawn as one column: its neighbours may hold its highest point.
                let near = column.saturating_sub(1)..=(column + 1).min(view.force_n_m.len() - 1);
                let gap = near.map(|c| view.above_m[c] - view.below_m[c]).fold(f32::MAX, f32::min);
                assert!(gap < 2e-7, "column {column}: {gap:e} m open under force");
            }
            forces += view.force_n_m[column];
        }
    }
    assert!(seen > 100);
    // On the mean the forces carry the load and the slider's weight.
    assert!((forces / 200.0 / 207.65 - 1.0).abs() < 0.4, "{}", forces / 200.0);
    assert!((view.natural_hz[0] - 23.2).abs() < 0.1 && view.natural_count == 40);
    assert!(view.deflection_m.iter().any(|x| *x != 0.0));
}
