//! Speed of the real-time engine as ratios measured in one run, and its levels against the reference.
//!
//! Time is CPU time from a clock that the caller brings. A machine's other work still shows (shared
//! caches, shared cores), so every figure is the median of several rounds in which the things compared take
//! turns.

use crate::analysis::levels::{BandWidth, bands};
use crate::analysis::spectrum::{segment_length, welch};
use crate::engine::realtime::{Bank, Engine, Path, Quality, Settings, Surfaces};
use crate::engine::reference::{self, Request, ShockDetail, Simulation, Walk};
use crate::error::Error;
use crate::scene::{Draft, Scene, find_preset};
use serde::Serialize;
use std::sync::Arc;

const RATE_HZ: f64 = 48_000.0;
/// Rate that spectra are compared at: the filters are flat over nearly all of the 16 kHz octave, and the inner
/// rate is the one that a quality has under a host of 48 kHz.
fn level_rate_hz(quality: Quality) -> f64 {
    if quality == Quality::Live { 72_000.0 } else { 96_000.0 }
}
/// Left out of levels, s.
const SKIP_S: f64 = 0.1;
/// Rounds that a median is taken over.
const ROUNDS: usize = 9;
/// Step of the literal reference, and of the one that levels are compared with, s.
const LITERAL_STEP_S: f64 = 1e-7;
const LEVEL_STEP_S: f64 = 1e-6;
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
    /// The same for one point alone, where eight surfaces leave more to chance.
    pub octave_worst_at_one_point_db: f64,
    pub block64_p50_share: f64,
    pub block64_p99_share: f64,
    pub block64_p999_share: f64,
    pub block64_worst_share: f64,
}

/// How much is measured: everything the targets name, or a part of it that takes seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    pub seeds: u64,
    pub points: usize,
    pub seconds: f64,
    pub blocks: usize,
    /// Quality whose levels are compared; speeds are those of `live`.
    pub quality: Quality,
}

impl Extent {
    pub const FULL: Self =
        Self { seeds: 8, points: 12, seconds: 1.0, blocks: 20_000, quality: Quality::Live };
    pub const QUICK: Self = Self { seeds: 2, points: 2, seconds: 0.6, blocks: 2_000, quality: Quality::Live };
}

/// The (Ra µm, V, ζ) points that levels are compared at.
pub const POINTS: [(f64, f64, f64); 12] = [
    (5.0, 0.1, 0.02),
    (5.0, 0.3, 0.02),
    (5.0, 0.02, 0.02),
    (5.0, 0.7, 0.02),
    (2.0, 0.1, 0.02),
    (10.0, 0.1, 0.02),
    (20.0, 0.3, 0.02),
    (30.0, 0.7, 0.02),
    (5.0, 0.1, 0.005),
    (10.0, 0.3, 0.005),
    (5.0, 0.1, 0.1),
    (20.0, 0.05, 0.1),
];

/// The scene of the bench with some keys set.
pub fn bench_scene(keys: &[(&str, String)]) -> Result<Scene, Error> {
    let mut draft: Draft = find_preset("dang2013")?;
    for (key, value) in keys {
        draft.set(key, value)?;
    }
    draft.build()
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

/// Everything the bench prints. `progress` hears the share done and may stop the run with an error.
pub fn speed(
    clock: Clock,
    extent: &Extent,
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
    let (load, shares) = sixteen(clock, &scene, extent.blocks)?;
    progress(0.4)?;
    let levels = compare_levels(extent, &mut |share| progress(0.4 + 0.6 * share))?;
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
        octave_worst_at_one_point_db: levels.worst_octave_at_one_point_db,
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

/// Levels of the real-time engine less those of the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelDifference {
    /// |mean over all points|, dB.
    pub mean_db: f64,
    /// Largest |difference| of one point's mean over the seeds.
    pub worst_point_db: f64,
    /// Largest |difference| of one octave band, 63 Hz to 16 kHz, over all points and seeds.
    pub worst_octave_db: f64,
    /// Largest |difference| of one octave band at one point.
    pub worst_octave_at_one_point_db: f64,
    pub points_db: Vec<f64>,
    pub octaves_db: Vec<f64>,
}

/// One pass over the same surfaces in both engines, seed by seed.
pub fn compare_levels(
    extent: &Extent,
    progress: &mut dyn FnMut(f64) -> Result<(), Error>,
) -> Result<LevelDifference, Error> {
    let points = &POINTS[..extent.points.min(POINTS.len())];
    let rate_hz = level_rate_hz(extent.quality);
    let mut points_db = Vec::new();
    let mut octaves_db: Vec<f64> = Vec::new();
    let mut worst_alone = 0.0f64;
    let total = points.len() as f64 * extent.seeds as f64;
    for (index, &(ra_um, speed, zeta)) in points.iter().enumerate() {
        let mut squares = (0.0, 0.0);
        let mut own: Vec<(f64, f64)> = Vec::new();
        for seed in 1..=extent.seeds {
            let scene = bench_scene(&[
                ("surface.ra_um", ra_um.to_string()),
                ("motion.speed_m_s", speed.to_string()),
                ("resonator.damping_ratio", zeta.to_string()),
                ("slider.damping_ratio", zeta.to_string()),
                ("surface.seed", seed.to_string()),
                ("run.step_s", LEVEL_STEP_S.to_string()),
            ])?;
            let seconds = extent.seconds.min(scene.end_s() - 1e-3);
            let (ours, our_bands) = realtime_level(&scene, extent.quality, seconds)?;
            let request = Request { seconds, skip_s: SKIP_S, rate_hz: Some(rate_hz), ..Request::default() };
            let outcome = reference::run(&scene, &request, &mut |_| true)?;
            squares.0 += ours * ours;
            squares.1 += outcome.figures.v_rms_m_s.powi(2);
            let theirs = outcome.recording.as_ref().and_then(|r| r.channels.first());
            let skip = (SKIP_S * rate_hz) as usize;
            let their_bands = theirs
                .map_or_else(Vec::new, |c| octave_squares(c.samples.get(skip..).unwrap_or(&[]), rate_hz));
            own.resize(our_bands.len().min(their_bands.len()), (0.0, 0.0));
            for (sum, (a, b)) in own.iter_mut().zip(our_bands.iter().zip(&their_bands)) {
                sum.0 += a;
                sum.1 += b;
            }
            progress((index as f64 * extent.seeds as f64 + seed as f64) / total)?;
        }
        points_db.push(10.0 * (squares.0 / squares.1).log10());
        // Every point weighs the same, however loud.
        octaves_db.resize(own.len(), 0.0);
        for (sum, band) in octaves_db.iter_mut().zip(&own) {
            let difference = 10.0 * (band.0 / band.1).log10();
            *sum += difference / points.len() as f64;
            worst_alone = worst_alone.max(difference.abs());
        }
    }
    let largest = |values: &[f64]| values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let mean = points_db.iter().sum::<f64>() / points_db.len().max(1) as f64;
    Ok(LevelDifference {
        mean_db: mean.abs(),
        worst_point_db: largest(&points_db),
        worst_octave_db: largest(&octaves_db),
        worst_octave_at_one_point_db: worst_alone,
        points_db,
        octaves_db,
    })
}

/// Root mean square velocity over the resonator and octave bands at the pick-up, start skipped.
pub fn realtime_level(scene: &Scene, quality: Quality, seconds: f64) -> Result<(f64, Vec<f64>), Error> {
    let (bottom, top) = scene.profiles()?;
    let surfaces = Arc::new(Surfaces::from_profiles(scene, &bottom, &top));
    let rate_hz = level_rate_hz(quality);
    let settings = Settings { host_rate_hz: rate_hz, quality, ..Settings::default() };
    let mut engine = Engine::with_surfaces(scene, settings, surfaces)?;
    let frames = (seconds * rate_hz) as usize;
    let mut sound = vec![0.0f32; frames];
    let (start, rest) = sound.split_at_mut(frames.min((SKIP_S * rate_hz) as usize));
    engine.process(&mut [start]);
    engine.skip();
    engine.process(&mut [rest]);
    let samples: Vec<f64> = rest.iter().map(|sample| f64::from(*sample)).collect();
    Ok((engine.figures(0).v_rms_m_s, octave_squares(&samples, rate_hz)))
}

/// Mean squares of the octaves from 63 Hz to 16 kHz.
fn octave_squares(samples: &[f64], rate_hz: f64) -> Vec<f64> {
    let density = welch(samples, rate_hz, segment_length(samples.len(), rate_hz, 10.0));
    let audible = bands(&density, BandWidth::Octave).into_iter().filter(|band| band.nominal_hz > 60.0);
    audible.map(|band| band.mean_square).collect()
}
