//! What must hold whatever is played.

use crate::{endless, engine, play, scene};
use asperity::engine::realtime::{Engine, Kept, Path, Quality, Settings, Surfaces};
use std::sync::Arc;

/// Some control changes, at given samples.
fn gesture(engine: &mut Engine, step: usize) {
    let controls = engine.controls(0).unwrap();
    match step {
        0 => controls.set_speed(-0.4),
        1 => controls.set_ra(12e-6, 3e-6),
        2 => controls.set_load(40.0),
        3 => controls.set_stretch(2.0),
        4 => engine.body(0).unwrap().set_length(0.3),
        5 => engine.body(0).unwrap().set_damping(0.2),
        6 => controls.set_lifted(true),
        7 => controls.set_lifted(false),
        _ => controls.set_speed(0.0),
    }
}

fn performance(engine: &mut Engine, block: usize) -> Vec<f32> {
    let mut sound = play(engine, 3000, block);
    for step in 0..9 {
        gesture(engine, step);
        sound.extend(play(engine, 1500, block));
    }
    sound
}

#[test]
fn block_size_changes_nothing() {
    let scene = endless();
    let whole = performance(&mut engine(&scene, Settings::default()), 3000);
    for block in [1, 7, 64, 480] {
        let parts = performance(&mut engine(&scene, Settings::default()), block);
        assert!(whole == parts, "blocks of {block}");
    }
    assert!(whole.iter().all(|sample| sample.is_finite()));
    assert!(whole.iter().any(|sample| *sample != 0.0));
}

#[test]
fn reset_is_as_good_as_new() {
    let scene = endless();
    let mut used = engine(&scene, Settings { voices: 2, ..Settings::default() });
    performance(&mut used, 300);
    used.body(0).unwrap().set_pickup_position(0, 0.4);
    play(&mut used, 2000, 100);
    used.reset();
    let mut fresh = engine(&scene, Settings { voices: 2, ..Settings::default() });
    assert!(performance(&mut used, 128) == performance(&mut fresh, 128));
    assert_eq!(used.figures(0).steps, fresh.figures(0).steps);
}

#[test]
fn energy_books_close() {
    for keys in [
        &[("motion.kind", "endless")][..],
        &[("motion.kind", "pass"), ("motion.speed_m_s", "0.3")],
        &[("motion.kind", "reciprocate"), ("motion.rate_hz", "3"), ("motion.start_m", "0.2")],
        &[("motion.kind", "endless"), ("slider.load_n_m", "300")],
    ] {
        let mut engine = engine(&scene(keys), Settings::default());
        play(&mut engine, 24_000, 480);
        let ledger = engine.ledger(0);
        assert!(ledger.drive_traffic > 0.0);
        assert!(ledger.residual() < 1e-3, "{keys:?}: {:e} {ledger:?}", ledger.residual());
        assert!(ledger.damping_loss >= 0.0);
    }
}

#[test]
fn the_guard_restarts_one_voice_and_leaves_the_others_alone() {
    let scene = endless();
    let settings = Settings { voices: 2, ..Settings::default() };
    for value in [f32::NAN, f32::INFINITY, 1e20] {
        let mut solo = engine(&scene, settings);
        solo.controls(0).unwrap().set_lifted(true);
        let mut hurt = engine(&scene, settings);
        play(&mut hurt, 2000, 100);
        hurt.poison(0, Kept::Speed, 3, value);
        let after = play(&mut hurt, 4000, 64);
        assert!(after.iter().all(|sample| sample.is_finite()), "{value}");
        assert_eq!(hurt.restarts(), 1);
        let mut healthy = engine(&scene, settings);
        play(&mut healthy, 6000, 100);
        assert_eq!(hurt.figures(1).v_rms_m_s.to_bits(), healthy.figures(1).v_rms_m_s.to_bits());
        assert!(hurt.figures(0).lv_db() > 100.0, "the voice sounds again");
    }
}

/// Every number that is kept, once each, on a slider that hangs on a spring and rubs.
#[test]
fn no_number_that_is_none_stays() {
    let keys = [
        ("motion.kind", "endless"),
        ("friction.static", "0.3"),
        ("friction.dynamic", "0.2"),
        ("drive.stiffness_n_m", "1e5"),
        ("pickup.1.quantity", "displacement"),
    ];
    let scene = scene(&keys);
    let settings = Settings { voices: 2, ..Settings::default() };
    let mut healthy = engine(&scene, settings);
    play(&mut healthy, 2000, 100);
    play(&mut healthy, 4000, 64);
    for kept in Kept::ALL {
        // The last is finite, and farther than nodes can be counted.
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e37] {
            let mut hurt = engine(&scene, settings);
            play(&mut hurt, 2000, 100);
            hurt.poison(0, kept, 1, value);
            // What is on its way out comes out, and the instrument's limiter silences it.
            let [first, later] = [128, 3872].map(|frames| play(&mut hurt, frames, 64));
            let heard = if kept == Kept::WayOut { &later } else { &[first, later].concat() };
            assert!(heard.iter().all(|sample| sample.is_finite()), "{kept:?} {value}");
            assert!(heard.iter().any(|sample| *sample != 0.0), "{kept:?} {value}: it sounds again");
            let (one, other) = (hurt.figures(1), healthy.figures(1));
            assert_eq!(one.v_rms_m_s.to_bits(), other.v_rms_m_s.to_bits(), "{kept:?}: the other voice");
        }
    }
}

/// Forty random changes of anything to anywhere; every sample must be finite. Returns the restarts.
fn mistreat(keys: &[(&str, &str)]) -> u64 {
    let mut seed = 11u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut all = vec![("motion.kind", "endless")];
    all.extend_from_slice(keys);
    let mut engine = engine(&scene(&all), Settings { quality: Quality::Draft, ..Settings::default() });
    for _ in 0..40 {
        let value = next();
        let controls = engine.controls(0).unwrap();
        match (next() * 12.0) as usize {
            0 => controls.set_speed(100.0 * value - 50.0),
            1 => controls.set_ra(1e-3 * value, 1e-3 * next()),
            2 => controls.set_load(10f64.powf(6.0 * value)),
            3 => controls.set_stiffness(10f64.powf(12.0 * value - 6.0)),
            4 => controls.set_stretch(4.0 * value),
            5 => controls.set_lifted(value > 0.5),
            6 => engine.body(0).unwrap().set_length(0.02 + 2.0 * value),
            7 => engine.body(0).unwrap().set_thickness(10f64.powf(-4.0 + 3.0 * value)),
            8 => engine
                .body(0)
                .unwrap()
                .set_material(10f64.powf(6.0 + 6.0 * value), 10f64.powf(2.0 + 2.0 * next())),
            9 => engine.body(0).unwrap().set_damping(value),
            10 => engine.body(0).unwrap().set_pickup_position(0, value),
            _ => controls.set_speed(f64::NAN),
        }
        let sound = play(&mut engine, 700, 64);
        assert!(sound.iter().all(|sample| sample.is_finite()), "{keys:?}");
    }
    engine.restarts()
}

#[test]
fn any_controls_leave_the_sound_finite_and_the_energy_bounded() {
    for keys in [
        &[][..],
        &[("contact.law", "hertz")],
        &[("contact.kappa_pa", "1e18")],
        &[("surface.ra_um", "0"), ("surface.top.ra_um", "0")],
        &[("slider.modes", "8")],
        &[("resonator.ends", "free")],
    ] {
        assert_eq!(mistreat(keys), 0, "{keys:?}");
    }
}

#[test]
fn the_guard_keeps_the_exponential_law_finite() {
    // Ra of a millimetre reached in 20 ms under a law that grows e-fold in a nanometre is more drive work
    // than the guard lets pass: it steps in, and the sound stays finite.
    assert!(mistreat(&[("contact.law", "exponential")]) < 10);
}

#[test]
fn scalar_and_wide_paths_agree_in_level() {
    let scene = endless();
    let level = |path| {
        let mut engine = engine(&scene, Settings { path, ..Settings::default() });
        play(&mut engine, 4800, 480);
        engine.skip();
        play(&mut engine, 96_000, 480);
        engine.figures(0).lv_db()
    };
    let (wide, scalar) = (level(Path::Wide), level(Path::Scalar));
    // Contact is chaotic: two seconds of two waveforms that differ agree to some tenths.
    assert!((wide - scalar).abs() < 0.5, "{wide} {scalar}");
}

#[test]
fn the_hosts_rate_does_not_change_the_level() {
    let scene = endless();
    let level = |host_rate_hz: f64| {
        let mut engine = engine(&scene, Settings { host_rate_hz, ..Settings::default() });
        play(&mut engine, (0.1 * host_rate_hz) as usize, 480);
        engine.skip();
        play(&mut engine, (1.5 * host_rate_hz) as usize, 480);
        engine.figures(0).lv_db()
    };
    let reference = level(48_000.0);
    for rate in [22_050.0, 44_100.0, 96_000.0, 192_000.0] {
        let difference = level(rate) - reference;
        assert!(difference.abs() < 0.6, "{rate}: {difference}");
    }
}

#[test]
fn work_does_not_grow_with_the_nodes() {
    let count = |step: &str| {
        let mut engine =
            engine(&scene(&[("motion.kind", "endless"), ("surface.step_um", step)]), Settings::default());
        play(&mut engine, 24_000, 480);
        engine.work(0)
    };
    let (coarse, fine) = (count("5"), count("1"));
    let per_step = |work: asperity::engine::realtime::Work| work.measured as f64 / work.steps as f64;
    assert!(per_step(fine) < 1.3 * per_step(coarse), "{} {}", per_step(fine), per_step(coarse));
    for work in [coarse, fine] {
        assert!(work.iterations < 2 * work.contact_steps, "{work:?}");
        assert_eq!(work.unsolved, 0);
        assert!(per_step(work) < 2.0);
    }
}

#[test]
fn nothing_is_allocated_while_playing() {
    let scene = endless();
    let mut engine = engine(&scene, Settings { voices: 3, ..Settings::default() });
    let other =
        Arc::new(Surfaces::new(&crate::scene(&[("motion.kind", "endless"), ("surface.seed", "9")])).unwrap());
    let mut sound = vec![0.0f32; 64];
    let mut waiting = Some(other);
    let counted = allocation_counter::measure(|| {
        for step in 0..12 {
            gesture(&mut engine, step);
            if let Some(surfaces) = waiting.take() {
                assert!(engine.offer(surfaces).is_ok());
            }
            for _ in 0..40 {
                engine.process(&mut [&mut sound]);
            }
        }
        engine.reset();
        engine.process(&mut [&mut sound]);
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(engine.take_retired().is_some());
}
