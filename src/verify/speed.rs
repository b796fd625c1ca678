//! Speed of the real-time engine as ratios measured in one run, with its levels against the reference.
//!
//! Time is CPU time from a clock that the caller brings. A machine's other work still shows (shared
//! caches, shared cores), so every figure is the median of several rounds in which the things compared take
//! turns.

use super::agreement::{By, Extent, bench_scene, compare};
use crate::engine::realtime::{Bank, Engine, Path, Quality, Settings};
use crate::engine::reference::{ShockDetail, Simulation, Walk};
use crate::error::Error;
use crate::scene::Scene;
use serde::Serialize;

const RATE_HZ: f64 = 48_000.0;
/// Rounds that a median is taken over.
const ROUNDS: usize = 9;
/// Step of the literal reference, s.
const LITERAL_STEP_S: f64 = 1e-7;
const LITERAL_STEPS: usize = 300;

/// CPU seconds so far.
pub type Clock<'a> = &'a dyn Fn() -> f64;

#[derive(Debug, Clone, Serialize)]
pub struct SpeedReport {
    pub voice_realtime_factor: f64,
    pub voices16_load: f64,
    pub bare_bank_ratio: f64,
    pub bank_ns_per_mode_step: f64,
    pub speedup_vs_reference: f64,
    pub node_growth_5um_to_1um: f64,
    pub mode_growth_40_to_160: f64,
    pub lv_difference_db: f64,
    pub lv_worst_point_db: f64,
    pub octave_worst_db: f64,
    /// The same for one point alone, where chance has more to say, and the standard error of that difference.
    pub octave_worst_at_one_point_db: f64,
    pub octave_worst_at_one_point_error_db: f64,
    /// Largest difference of one octave at one point that is left when twice its standard error is taken off.
    pub octave_beyond_chance_db: f64,
    pub block64_p50_share: f64,
    pub block64_p99_share: f64,
    pub block64_p999_share: f64,
    pub block64_worst_share: f64,
}

fn endless(keys: &[(&str, String)]) -> Result<Scene, Error> {
    let mut all = vec![("motion.kind", "endless".to_owned())];
    all.extend_from_slice(keys);
    bench_scene(&all)
}

/// An engine past its start.
fn warm(scene: &Scene, voices: usize) -> Result<Engine, Error> {
    let settings = Settings { voices, ..Settings::default() };
    let mut engine = Engine::new(scene, settings)?;
    run(&mut engine, 0.1);
    Ok(engine)
}

fn run(engine: &mut Engine, seconds: f64) {
    let mut sound = [0.0f32; 480];
    for _ in 0..(seconds * RATE_HZ / 480.0).round() as usize {
        engine.process(&mut [&mut sound]);
    }
}

fn timed(clock: Clock, work: impl FnOnce()) -> f64 {
    let start = clock();
    work();
    clock() - start
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Everything the bench prints: levels of `quality`, speeds of `live`, and how `blocks` blocks of sixteen voices
/// spread. `progress` hears the share done and may stop the run with an error.
pub fn speed(
    clock: Clock,
    extent: &Extent,
    quality: Quality,
    blocks: usize,
    progress: &mut dyn FnMut(f64) -> Result<(), Error>,
) -> Result<SpeedReport, Error> {
    let scene = endless(&[])?;
    let fine = endless(&[("surface.step_um", "1".to_owned())])?;
    let long = |modes: usize| {
        endless(&[("resonator.length_m", "1.25".to_owned()), ("resonator.modes", modes.to_string())])
    };
    let (long_40, long_160) = (long(40)?, long(160)?);
    let mut bank = Bank::new(&scene, Quality::Live, RATE_HZ, Path::Wide)?;
    let mut engines = [&scene, &fine, &long_40, &long_160].map(|scene| warm(scene, 1));
    progress(0.05)?;
    let mut literal = {
        let scene = bench_scene(&[])?;
        Simulation::new(&scene, Walk::Literal, LITERAL_STEP_S, 0.0, ShockDetail::Count)?
    };
    let seconds = 0.25;
    let steps = (seconds * RATE_HZ) as usize * Quality::Live.factor(RATE_HZ)?;
    let mut costs: [Vec<f64>; 6] = Default::default();
    for round in 0..ROUNDS {
        for (engine, costs) in engines.iter_mut().zip(&mut costs) {
            let Ok(engine) = engine else { continue };
            costs.push(timed(clock, || run(engine, seconds)) / seconds);
        }
        let mut heard = 0.0;
        costs[4].push(timed(clock, || heard = bank.run(steps)) / seconds);
        if round < 3 {
            let mut failed = None;
            let cost = timed(clock, || {
                failed = (0..LITERAL_STEPS).try_for_each(|_| literal.step()).err();
            });
            if let Some(error) = failed {
                return Err(error);
            }
            costs[5].push(cost / (LITERAL_STEPS as f64 * LITERAL_STEP_S));
        }
        // Keeps the bank's work from being seen as unused.
        if !f32::is_finite(heard) {
            return Err(Error::Other("the mode bank left the finite numbers".to_owned()));
        }
        progress(0.05 + 0.25 * (round + 1) as f64 / ROUNDS as f64)?;
    }
    for engine in engines {
        engine?;
    }
    let ratio =
        |a: usize, b: usize| median(costs[a].iter().zip(&costs[b]).map(|(a, b)| a / b).collect::<Vec<f64>>());
    let voice = median(costs[0].clone());
    let (load, shares) = sixteen(clock, &scene, blocks)?;
    progress(0.4)?;
    let sides = [By::RealTime(quality), By::Reference];
    let levels = compare(sides, extent, &mut |share| progress(0.4 + 0.6 * share))?;
    let (alone_db, alone_error_db) =
        levels.worst_cell().map_or((f64::NAN, f64::NAN), |cell| (cell.difference_db.abs(), cell.error_db));
    Ok(SpeedReport {
        voice_realtime_factor: 1.0 / voice,
        voices16_load: load,
        bare_bank_ratio: ratio(0, 4),
        bank_ns_per_mode_step: median(costs[4].clone()) * seconds * 1e9 / (steps * bank.modes()) as f64,
        speedup_vs_reference: median(costs[5].clone()) / voice,
        node_growth_5um_to_1um: ratio(1, 0),
        mode_growth_40_to_160: ratio(3, 2),
        lv_difference_db: levels.mean_db,
        lv_worst_point_db: levels.worst_point_db,
        octave_worst_db: levels.worst_octave_db,
        octave_worst_at_one_point_db: alone_db,
        octave_worst_at_one_point_error_db: alone_error_db,
        octave_beyond_chance_db: levels.beyond_chance_db(),
        block64_p50_share: shares[0],
        block64_p99_share: shares[1],
        block64_p999_share: shares[2],
        block64_worst_share: shares[3],
    })
}

/// Load of sixteen voices at different speeds and roughnesses, and how their 64-sample blocks spread.
fn sixteen(clock: Clock, scene: &Scene, blocks: usize) -> Result<(f64, [f64; 4]), Error> {
    let mut engine = warm(scene, 16)?;
    for voice in 0..16 {
        if let Some(controls) = engine.controls(voice) {
            let place = voice as f64 / 15.0;
            controls.set_speed(0.03 * 20f64.powf(place));
            let ra = 2e-6 * 8f64.powf((voice * 7 % 16) as f64 / 15.0);
            controls.set_ra(ra, ra);
        }
    }
    run(&mut engine, 0.2);
    let deadline = 64.0 / RATE_HZ;
    let mut sound = [0.0f32; 64];
    let mut shares: Vec<f64> =
        (0..blocks).map(|_| timed(clock, || engine.process(&mut [&mut sound])) / deadline).collect();
    let load = shares.iter().sum::<f64>() / blocks.max(1) as f64;
    shares.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * shares.len() as f64) as usize;
        shares.get(index.min(shares.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    };
    Ok((load, [at(0.5), at(0.99), at(0.999), at(1.0)]))
}
