//! The real-time engine against the reference on the same surfaces.

use crate::{engine, play, scene};
use asperity::engine::realtime::{Quality, Settings};
use asperity::engine::reference::{Request, run};
use asperity::verify::agreement::{By, Cell, Extent, LevelDifference, compare};

fn live_against_reference(extent: &Extent) -> LevelDifference {
    let sides = [By::RealTime(Quality::Live), By::Reference];
    compare(sides, extent, &mut |_| Ok(())).unwrap()
}

#[test]
fn levels_are_the_references_on_a_few_surfaces() {
    let difference = live_against_reference(&Extent::QUICK);
    // Two surfaces leave some tenths of chance; the large comparison holds the tolerances.
    assert!(difference.worst_point_db < 1.0, "{difference:?}");
}

/// Run with `cargo test --profile checked --no-default-features --test realtime -- --ignored val_levels --nocapture`.
#[test]
#[ignore = "minutes: twelve points and twenty-four surfaces each"]
fn val_levels_and_octaves_are_the_references() {
    let difference = live_against_reference(&Extent::FULL);
    assert!(difference.mean_db <= 0.5, "{difference:?}");
    assert!(difference.worst_point_db <= 1.0, "{difference:?}");
    assert!(difference.worst_octave_db <= 1.0, "{difference:?}");
    // Every octave at every point, less what these surfaces leave to chance.
    let (grids, others): (Vec<_>, Vec<_>) = difference.cells.iter().copied().partition(is_the_grids);
    println!("where the grid decides: {grids:.2?}");
    for cell in others {
        println!("{cell:.2?}");
        assert!(cell.difference_db.abs() - 2.0 * cell.error_db <= 1.0, "{cell:?}");
    }
    assert!(grids.len() == 1 && grids[0].difference_db.abs() <= 1.7, "{grids:?}");
}

/// The slowest point's highest octave. At 0.02 m/s nodes 5 µm apart pass each other 4,000 times a second, and what is
/// heard there, 45 dB below the whole, is the grid's in either engine.
const SLOWEST: usize = 2;
const HIGHEST_HZ: f64 = 16_000.0;

fn is_the_grids(cell: &Cell) -> bool {
    cell.point == SLOWEST && cell.octave_hz == HIGHEST_HZ
}

/// How far the engines lie apart there is less than how far the reference is from its own limit of fine grids.
///
/// Run with `cargo test --profile checked --no-default-features --test realtime -- --ignored val_slow_sliding --nocapture`.
#[test]
#[ignore = "minutes: the reference on a fine grid"]
fn val_slow_sliding_hears_the_grid_in_its_highest_octave() {
    let extent = Extent { seeds: 6, points: SLOWEST + 1, seconds: 1.0 };
    let cell = |sides| {
        let difference = compare(sides, &extent, &mut |_| Ok(())).unwrap();
        difference.cells.into_iter().find(is_the_grids).unwrap()
    };
    let ours = cell([By::RealTime(Quality::Live), By::Reference]);
    let grid = cell([By::Reference, By::ReferenceOn(1.25)]);
    println!("live less the reference: {ours:.2?}\nthe reference less itself on a fine grid: {grid:.2?}");
    assert!(grid.difference_db > 2.0, "{grid:?}");
    assert!(ours.difference_db.abs() < grid.difference_db, "{ours:?} {grid:?}");
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
