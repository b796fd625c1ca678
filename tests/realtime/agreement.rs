//! The real-time engine against the reference on the same surfaces.

use crate::{engine, play, scene};
use asperity::engine::realtime::{Quality, Settings};
use asperity::engine::reference::{Request, run};
use asperity::verify::agreement::{By, Extent, LEVEL_STEP_S, LevelDifference, compare};

fn live_against_reference(extent: &Extent) -> LevelDifference {
    let sides = [By::RealTime(Quality::Live), By::Reference(LEVEL_STEP_S)];
    compare(sides, extent, &mut |_| Ok(())).unwrap()
}

#[test]
fn levels_are_the_references_on_a_few_surfaces() {
    let difference = live_against_reference(&Extent::QUICK);
    // Two surfaces leave some tenths of chance; the large comparison holds the tolerances.
    assert!(difference.worst_point_db < 1.0, "{difference:?}");
}

/// Run with `cargo test --profile checked --test realtime -- --ignored val_levels`.
#[test]
#[ignore = "minutes: twelve points and twenty-four surfaces each"]
fn val_levels_and_octaves_are_the_references() {
    let difference = live_against_reference(&Extent::FULL);
    assert!(difference.mean_db <= 0.5, "{difference:?}");
    assert!(difference.worst_point_db <= 1.0, "{difference:?}");
    assert!(difference.worst_octave_db <= 1.0, "{difference:?}");
}

/// At one point and in one octave something is left to chance: the reference with steps of 1 and of 0.9 µs does not
/// agree with itself any better.
///
/// Run with `cargo test --profile checked --test realtime -- --ignored val_chance --nocapture`.
#[test]
#[ignore = "minutes: twelve points and twenty-four surfaces each"]
fn val_chance_decides_as_much_as_the_engine() {
    let sides = [By::Reference(LEVEL_STEP_S), By::Reference(0.9 * LEVEL_STEP_S)];
    let chance = compare(sides, &Extent::FULL, &mut |_| Ok(())).unwrap();
    let ours = live_against_reference(&Extent::FULL);
    println!("the reference with itself: {chance:?}\nlive with the reference: {ours:?}");
    assert!(chance.mean_db <= 0.2 && chance.worst_octave_db <= 0.5, "{chance:?}");
    let [least, most] = [&chance, &ours].map(|difference| difference.worst_octave_at_one_point_db);
    assert!(most <= 1.3 * least, "{most} dB by ours, {least} dB by chance");
}

/// Laws, loads and surfaces besides the bench's, with a step that the reference converges at.
const OTHERS: [&[(&str, &str)]; 4] = [
    &[("contact.law", "hertz"), ("run.step_s", "5e-7")],
    &[("contact.law", "exponential"), ("run.step_s", "2e-7")],
    &[("slider.load_n_m", "100"), ("run.step_s", "1e-6")],
    &[("surface.acf", "gaussian"), ("run.step_s", "1e-6")],
];

/// Level over the first surfaces less the reference's, for each quality.
fn against_reference(keys: &[(&str, &str)], qualities: &[Quality], surfaces: u64) -> Vec<f64> {
    let mut ours = vec![0.0; qualities.len()];
    let mut theirs = 0.0;
    for seed in 1..=surfaces {
        let seed = seed.to_string();
        let mut all = keys.to_vec();
        all.extend([("surface.seed", seed.as_str()), ("motion.speed_m_s", "0.2")]);
        let scene = scene(&all);
        for (sum, quality) in ours.iter_mut().zip(qualities) {
            let mut engine = engine(&scene, Settings { quality: *quality, ..Settings::default() });
            play(&mut engine, 4800, 480);
            engine.skip();
            play(&mut engine, 24_000, 480);
            *sum += engine.figures(0).v_rms_m_s.powi(2);
        }
        let request = Request { seconds: 0.6, ..Request::default() };
        theirs += run(&scene, &request, &mut |_| true).unwrap().figures.v_rms_m_s.powi(2);
    }
    ours.into_iter().map(|ours| 10.0 * f64::log10(ours / theirs)).collect()
}

#[test]
fn other_laws_and_loads_agree_too() {
    for keys in OTHERS {
        let difference = against_reference(keys, &[Quality::Live], 2)[0];
        assert!(difference.abs() < 1.0, "{keys:?}: {difference} dB");
    }
}

/// Run with `cargo test --profile checked --test realtime -- --ignored val_other_laws --nocapture`.
#[test]
#[ignore = "minutes: eight surfaces each"]
fn val_other_laws_in_every_quality() {
    let mut worst = 0.0f64;
    for keys in OTHERS {
        let differences = against_reference(keys, &Quality::ALL, 8);
        println!("{keys:?}: draft, live, studio {differences:.2?} dB");
        worst = differences.into_iter().fold(worst, |worst, difference| worst.max(difference.abs()));
    }
    assert!(worst < 1.0, "{worst} dB");
}

#[test]
fn qualities_agree_in_level() {
    let scene = scene(&[("motion.kind", "endless")]);
    let level = |quality| {
        let mut engine = engine(&scene, Settings { quality, ..Settings::default() });
        play(&mut engine, 4800, 480);
        engine.skip();
        play(&mut engine, 72_000, 480);
        engine.figures(0).lv_db()
    };
    let levels = Quality::ALL.map(level);
    assert!((levels[0] - levels[2]).abs() < 1.0, "{levels:?}");
    assert!((levels[1] - levels[2]).abs() < 0.6, "{levels:?}");
}
