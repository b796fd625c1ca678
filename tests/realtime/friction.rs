//! Friction at audio rate: the closed form, books, passivity, stick.

use crate::{engine, play, scene};
use asperity::engine::realtime::{Engine, Quality, Settings};
use asperity::friction::Coulomb;
use asperity::scene::Scene;
use asperity::verify::sdnd106::KEYS;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// SDND106's two masses on a finer grid, because one deflection serves sixteen nodes here.
fn two_masses(more: &[(&'static str, &'static str)]) -> Scene {
    let keys = KEYS.into_iter().chain([("surface.step_um", "500")]).chain(more.iter().copied());
    scene(&keys.collect::<Vec<_>>())
}

fn settings() -> Settings {
    Settings { quality: Quality::Draft, ..Settings::default() }
}

#[test]
fn val_sdnd106_at_audio_rate() {
    let mut engine = engine(&two_masses(&[]), Settings::default());
    let start = engine.sliding(0).unwrap();
    let chunk = engine.chunk_samples();
    // The document's table: instant, x1, x2.
    let table = [(0.02, Some(0.0), 0.11221), (0.15, Some(1.35332), 1.80751), (0.34, None, 3.96813)];
    let mut done = 0;
    for (time_s, x1, x2) in table {
        let frames = (time_s * 48_000.0) as usize / chunk * chunk;
        play(&mut engine, frames - done, chunk);
        done = frames;
        let now = engine.sliding(0).unwrap();
        let (ours1, ours2) = (now.place_m - start.place_m, now.drive_place_m - start.drive_place_m);
        let off = |ours: f64, theirs: f64| (ours - theirs).abs() / theirs.abs().max(0.005);
        assert!(off(ours2, x2) < 0.01, "x2({time_s}) = {ours2}, {x2}");
        match x1 {
            Some(0.0) => assert!(ours1.abs() < 5e-5 && now.speed_m_s.abs() < 1e-4 && now.sticks, "{now:?}"),
            Some(x1) => assert!(off(ours1, x1) < 0.01, "x1({time_s}) = {ours1}, {x1}"),
            // Held again since t₃ = 0.31492 s.
            None => assert!(now.sticks && now.speed_m_s.abs() < 1e-4, "{now:?}"),
        }
    }
}

#[test]
fn val_sdnd106_lets_go_and_holds_again_when_it_should() {
    let mut engine = engine(&two_masses(&[]), Settings::default());
    let chunk = engine.chunk_samples();
    let mut turns = Vec::new();
    let mut sticks = true;
    for n in 0..(0.34 * 48_000.0) as usize / chunk {
        play(&mut engine, chunk, chunk);
        let now = engine.sliding(0).unwrap().sticks;
        if now != sticks {
            // Some time within the chunk.
            turns.push((n as f64 + 0.5) * chunk as f64 / 48_000.0);
            sticks = now;
        }
    }
    // t₁ and t₃ of the document.
    assert_eq!(turns.len(), 2, "{turns:?}");
    for (ours, theirs) in turns.iter().zip([0.03512, 0.31492]) {
        assert!((ours / theirs - 1.0).abs() < 0.01, "{ours} s, {theirs} s");
    }
}

#[test]
fn a_stick_does_not_creep() {
    // Half of what it can hold, for ever.
    let keys = [("drive.force_n_m", "1.5e3"), ("drive.mass_kg_m", "0"), ("drive.force_end_s", "1e6")];
    let mut engine = engine(&two_masses(&keys), settings());
    play(&mut engine, 4_800, 480);
    let early = engine.sliding(0).unwrap();
    play(&mut engine, 480_000, 480);
    let late = engine.sliding(0).unwrap();
    assert!(early.sticks && late.sticks);
    assert!((late.place_m - early.place_m).abs() < 1e-9, "{:e} m", late.place_m - early.place_m);
}

/// Plays in small steps and holds that friction never gives energy back. Returns the engine.
fn rubbed(keys: &[(&str, &str)], seconds: f64) -> Engine {
    let mut engine = engine(&scene(keys), settings());
    let mut heat = 0.0;
    for _ in 0..(seconds * 1000.0) as usize {
        let sound = play(&mut engine, 48, 48);
        assert!(sound.iter().all(|sample| sample.is_finite()));
        let now = engine.ledger(0).friction_heat;
        assert!(now >= heat - 1e-12, "{keys:?}: {heat:e} → {now:e}");
        heat = now;
    }
    assert_eq!(engine.restarts(), 0, "{keys:?}");
    engine
}

#[test]
fn any_number_of_contacts_is_passive() {
    // Teeth every so far under 20 mm of slider on a smooth slider.
    for wavelength_um in ["20000", "10000", "4000", "400"] {
        for (load, speed) in [("20", "0.05"), ("500", "0.01")] {
            let engine = rubbed(
                &[
                    ("surface.acf", "periodic"),
                    ("surface.wavelength_um", wavelength_um),
                    ("surface.top.ra_um", "0"),
                    ("motion.kind", "endless"),
                    ("motion.speed_m_s", speed),
                    ("slider.load_n_m", load),
                    ("friction.static", "0.5"),
                    ("friction.dynamic", "0.3"),
                    ("drive.stiffness_n_m", "1e5"),
                    ("drive.damping_n_s_m", "10"),
                ],
                0.3,
            );
            let ledger = engine.ledger(0);
            assert!(ledger.friction_heat > 0.0);
            assert!(ledger.residual() < 0.01, "{wavelength_um} {load}: {:e} {ledger:?}", ledger.residual());
        }
    }
}

#[test]
fn a_slow_drive_on_a_soft_spring_sticks_and_slips_and_a_fast_one_slides() {
    let share = |speed: &str| {
        let keys = [
            ("motion.kind", "endless"),
            ("surface.ra_um", "1"),
            ("slider.load_n_m", "300"),
            ("motion.speed_m_s", speed),
            ("friction.static", "0.6"),
            ("friction.dynamic", "0.3"),
            ("drive.stiffness_n_m", "3e4"),
        ];
        let mut engine = engine(&scene(&keys), settings());
        let mut stuck = 0;
        for _ in 0..1000 {
            play(&mut engine, 48, 48);
            stuck += usize::from(engine.sliding(0).unwrap().sticks);
        }
        stuck
    };
    let (slow, fast) = (share("0.005"), share("1"));
    assert!(slow > 300, "{slow}");
    assert!(fast < 20, "{fast}");
}

#[test]
fn friction_switched_off_is_the_bench_to_the_bit() {
    let plain = play(&mut engine(&scene(&[("motion.kind", "endless")]), settings()), 4_800, 96);
    let off =
        scene(&[("motion.kind", "endless"), ("friction.static", "0"), ("friction.stribeck_m_s", "0.1")]);
    assert!(plain == play(&mut engine(&off, settings()), 4_800, 96));
    // Friction that acts on nothing is felt by nothing but the drive.
    let keys = [
        ("motion.kind", "endless"),
        ("friction.static", "0.4"),
        ("friction.bends_resonator", "false"),
        ("friction.pitches_slider", "false"),
        ("friction.follows_slope", "false"),
    ];
    assert!(plain == play(&mut engine(&scene(&keys), settings()), 4_800, 96));
    assert!(plain != play(&mut engine(&scene(&keys[..2]), settings()), 4_800, 96));
}

/// A scene that creaks, on a spring.
const CREAK: [(&str, &str); 8] = [
    ("motion.kind", "endless"),
    ("surface.ra_um", "1"),
    ("slider.load_n_m", "200"),
    ("motion.speed_m_s", "0.02"),
    ("friction.static", "0.6"),
    ("friction.dynamic", "0.3"),
    ("drive.stiffness_n_m", "1e5"),
    ("drive.damping_n_s_m", "20"),
];

#[test]
fn friction_and_drive_may_change_at_any_time_and_the_books_still_close() {
    let mut engine = engine(&scene(&CREAK), settings());
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut heat = 0.0;
    for _ in 0..400 {
        let controls = engine.controls(0).unwrap();
        let fixed = rng.random_range(0.0..1.5);
        controls.set_friction(Coulomb {
            static_coefficient: fixed,
            dynamic_coefficient: fixed * rng.random_range(0.0..1.0),
            stribeck_m_s: rng.random_range(0.0..0.2),
        });
        controls.set_drive_stiffness(10f64.powf(rng.random_range(3.0..7.0)));
        let frames = rng.random_range(24..480);
        play(&mut engine, frames, 48);
        let now = engine.ledger(0).friction_heat;
        assert!(now >= heat - 1e-12, "friction gave energy back: {heat:e} → {now:e}");
        heat = now;
    }
    let ledger = engine.ledger(0);
    assert_eq!(engine.restarts(), 0);
    assert!(heat > 0.0 && ledger.residual() < 1e-3, "{:e} {ledger:?}", ledger.residual());
}

#[test]
fn live_friction_is_that_of_a_scene_with_these_numbers() {
    // Stick shares after the change are those of an engine made that way.
    let share = |engine: &mut Engine| {
        play(engine, 12_000, 48);
        engine.skip();
        play(engine, 48_000, 48);
        engine.figures(0).rubbing.unwrap().stick_share
    };
    let changed = [("friction.static", "0.4"), ("friction.dynamic", "0.38"), ("drive.stiffness_n_m", "1e6")];
    let keys: Vec<_> = CREAK.iter().chain(&changed).copied().collect();
    let made = share(&mut engine(&scene(&keys), settings()));
    let mut turned = engine(&scene(&CREAK), settings());
    let before = share(&mut turned);
    let controls = turned.controls(0).unwrap();
    controls.set_friction(Coulomb { static_coefficient: 0.4, dynamic_coefficient: 0.38, stribeck_m_s: 0.0 });
    controls.set_drive_stiffness(1e6);
    let after = share(&mut turned);
    assert!((after - made).abs() < 0.1 && (before - made).abs() > 0.2, "{before} → {after}, made {made}");
}
