//! Levels and octave bands of the same surfaces by two engines, or by one of them twice.
//!
//! Contact is chaotic: the least difference in the arithmetic gives another waveform within milliseconds, and a mean
//! over a few surfaces keeps some of that chance. How much the surfaces disagree about a difference says how much.

use crate::analysis::levels::{Band, BandWidth, bands};
use crate::analysis::spectrum::{segment_length, welch};
use crate::engine::realtime::{Engine, Quality, Settings, Surfaces};
use crate::engine::reference::{self, Request};
use crate::error::Error;
use crate::scene::{Draft, Scene, find_preset};
use rayon::prelude::*;
use std::sync::Arc;

/// Step of the reference that levels are compared with, s, and its distance between nodes, µm.
const LEVEL_STEP_S: f64 = 1e-6;
const GRID_UM: f64 = 5.0;
/// Left out of levels, s.
const SKIP_S: f64 = 0.1;

/// Who makes the sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum By {
    RealTime(Quality),
    Reference,
    /// The same with nodes so far apart, µm; the surfaces are the same.
    ReferenceOn(f64),
}

/// How much is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    pub seeds: u64,
    /// The first so many of [`POINTS`].
    pub points: usize,
    pub seconds: f64,
}

impl Extent {
    /// Twelve points and twenty-four surfaces at each, where eight leave more to chance; and a part of it that takes
    /// seconds.
    pub const FULL: Self = Self { seeds: 24, points: 12, seconds: 1.0 };
    pub const QUICK: Self = Self { seeds: 2, points: 2, seconds: 0.6 };
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

/// Levels of one side less those of the other.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelDifference {
    /// |mean over all points|, dB.
    pub mean_db: f64,
    /// Largest |difference| of one point's mean over the seeds.
    pub worst_point_db: f64,
    /// Largest |difference| of one octave band, 63 Hz to 16 kHz, over all points and seeds.
    pub worst_octave_db: f64,
    /// Every octave band at every point.
    pub cells: Vec<Cell>,
    pub points_db: Vec<f64>,
    pub octaves_db: Vec<f64>,
}

/// One octave band at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// Number in [`POINTS`].
    pub point: usize,
    pub octave_hz: f64,
    pub difference_db: f64,
    /// Standard error of the difference, from how much the surfaces disagree about it.
    pub error_db: f64,
}

impl LevelDifference {
    /// The octave band at one point that differs most, chance included.
    pub fn worst_cell(&self) -> Option<Cell> {
        let size = |cell: &Cell| cell.difference_db.abs();
        self.cells.iter().copied().max_by(|a, b| size(a).total_cmp(&size(b)))
    }

    /// The most that is left of any of them when twice its standard error is taken off.
    pub fn beyond_chance_db(&self) -> f64 {
        let left = self.cells.iter().map(|cell| cell.difference_db.abs() - 2.0 * cell.error_db);
        left.fold(0.0, f64::max)
    }
}

/// One pass over the same surfaces by both sides, seed by seed.
pub fn compare(
    sides: [By; 2],
    extent: &Extent,
    progress: &mut dyn FnMut(f64) -> Result<(), Error>,
) -> Result<LevelDifference, Error> {
    let points = &POINTS[..extent.points.min(POINTS.len())];
    let rate_hz = rate_hz(sides);
    let mut points_db = Vec::new();
    let mut octaves_db: Vec<f64> = Vec::new();
    let mut cells = Vec::new();
    let total = points.len() as f64 * extent.seeds as f64;
    for (index, point) in points.iter().enumerate() {
        let mut squares = [0.0; 2];
        let mut own: Vec<Octave> = Vec::new();
        let seeds: Vec<u64> = (1..=extent.seeds).collect();
        // As many surfaces at a time as there are cores; summed in their order, so that the sums are always the same.
        for some in seeds.chunks(rayon::current_num_threads()) {
            let heard: Vec<[Heard; 2]> = some
                .par_iter()
                .map(|seed| {
                    let [one, other] = sides.map(|by| level(by, point, *seed, extent.seconds, rate_hz));
                    Ok([one?, other?])
                })
                .collect::<Result<_, Error>>()?;
            for [(level, bands), (other_level, other_bands)] in heard {
                squares[0] += level * level;
                squares[1] += other_level * other_level;
                own.resize(bands.len(), Octave::default());
                for (octave, (one, other)) in own.iter_mut().zip(bands.into_iter().zip(other_bands)) {
                    octave.nominal_hz = one.nominal_hz;
                    octave.surfaces.push([one.mean_square, other.mean_square]);
                }
            }
            let done = some.last().copied().unwrap_or_default();
            progress((index as f64 * extent.seeds as f64 + done as f64) / total)?;
        }
        points_db.push(decibels(squares));
        // Every point weighs the same, however loud.
        octaves_db.resize(own.len(), 0.0);
        for (sum, octave) in octaves_db.iter_mut().zip(&own) {
            let (difference_db, error_db) = octave.difference();
            *sum += difference_db / points.len() as f64;
            cells.push(Cell { point: index, octave_hz: octave.nominal_hz, difference_db, error_db });
        }
    }
    let largest = |values: &[f64]| values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let mean = points_db.iter().sum::<f64>() / points_db.len().max(1) as f64;
    Ok(LevelDifference {
        mean_db: mean.abs(),
        worst_point_db: largest(&points_db),
        worst_octave_db: largest(&octaves_db),
        cells,
        points_db,
        octaves_db,
    })
}

/// Root mean square velocity, and the octave bands.
type Heard = (f64, Vec<Band>);

/// Mean squares of one octave band by both sides, surface by surface.
#[derive(Debug, Clone, Default)]
struct Octave {
    nominal_hz: f64,
    surfaces: Vec<[f64; 2]>,
}

impl Octave {
    /// Difference of the sums in dB, and its standard error by the jackknife (Quenouille 1956): by how much it
    /// changes when each surface in turn is left out.
    fn difference(&self) -> (f64, f64) {
        let sum = self.surfaces.iter().fold([0.0; 2], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
        let without = self.surfaces.iter().map(|one| decibels([sum[0] - one[0], sum[1] - one[1]]));
        let without: Vec<f64> = without.collect();
        let count = without.len() as f64;
        let mean = without.iter().sum::<f64>() / count;
        let spread = without.iter().map(|one| (one - mean).powi(2)).sum::<f64>();
        (decibels(sum), (spread * (count - 1.0) / count).sqrt())
    }
}

fn decibels([ours, theirs]: [f64; 2]) -> f64 {
    10.0 * (ours / theirs).log10()
}

/// Rate that spectra are compared at: the filters are flat over nearly all of the 16 kHz octave, and the inner
/// rate is the one that a quality has under a host of 48 kHz.
fn rate_hz(sides: [By; 2]) -> f64 {
    if sides.contains(&By::RealTime(Quality::Live)) { 72_000.0 } else { 96_000.0 }
}

/// Root mean square velocity over the resonator and octave bands at the pick-up, start skipped.
fn level(
    by: By,
    &(ra_um, speed, zeta): &(f64, f64, f64),
    seed: u64,
    seconds: f64,
    rate_hz: f64,
) -> Result<Heard, Error> {
    let grid_um = if let By::ReferenceOn(grid_um) = by { grid_um } else { GRID_UM };
    let scene = bench_scene(&[
        ("surface.ra_um", ra_um.to_string()),
        ("motion.speed_m_s", speed.to_string()),
        ("resonator.damping_ratio", zeta.to_string()),
        ("slider.damping_ratio", zeta.to_string()),
        ("surface.seed", seed.to_string()),
        ("surface.step_um", grid_um.to_string()),
        ("run.step_s", LEVEL_STEP_S.to_string()),
    ])?;
    let seconds = seconds.min(scene.end_s() - 1e-3);
    let (level, samples) = match by {
        By::RealTime(quality) => live(&scene, quality, seconds, rate_hz)?,
        By::Reference | By::ReferenceOn(_) => {
            let request = Request { seconds, skip_s: SKIP_S, rate_hz: Some(rate_hz), ..Request::default() };
            let outcome = reference::run(&scene, &request, &mut |_| true)?;
            let heard = outcome.recording.and_then(|r| r.channels.into_iter().next());
            let samples = heard.map_or_else(Vec::new, |channel| channel.samples);
            let skip = (SKIP_S * rate_hz) as usize;
            (outcome.figures.v_rms_m_s, samples.get(skip..).unwrap_or(&[]).to_vec())
        }
    };
    let density = welch(&samples, rate_hz, segment_length(samples.len(), rate_hz, 10.0));
    let audible = bands(&density, BandWidth::Octave).into_iter().filter(|band| band.nominal_hz > 60.0);
    Ok((level, audible.collect()))
}

fn live(scene: &Scene, quality: Quality, seconds: f64, rate_hz: f64) -> Result<(f64, Vec<f64>), Error> {
    let (bottom, top) = scene.profiles()?;
    let surfaces = Arc::new(Surfaces::from_profiles(scene, &bottom, &top));
    let settings = Settings { host_rate_hz: rate_hz, quality, ..Settings::default() };
    let mut engine = Engine::with_surfaces(scene, settings, surfaces)?;
    let frames = (seconds * rate_hz) as usize;
    let mut sound = vec![0.0f32; frames];
    let (start, rest) = sound.split_at_mut(frames.min((SKIP_S * rate_hz) as usize));
    engine.process(&mut [start]);
    engine.skip();
    engine.process(&mut [rest]);
    Ok((engine.figures(0).v_rms_m_s, rest.iter().map(|sample| f64::from(*sample)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_that_agree_leave_nothing_to_chance() {
        let octave = Octave { nominal_hz: 63.0, surfaces: vec![[2.0, 1.0], [6.0, 3.0], [1.0, 0.5]] };
        let (difference_db, error_db) = octave.difference();
        assert!((difference_db - 3.0103).abs() < 1e-4 && error_db < 1e-12, "{difference_db} ± {error_db}");
    }

    /// Of a mean the jackknife gives the usual standard error, s/√n; small differences in dB are 4.343 times those
    /// of the mean.
    #[test]
    fn val_the_error_of_a_mean_is_its_standard_error() {
        let ours = [1.001, 0.998, 1.003, 0.996, 1.002];
        let octave = Octave { nominal_hz: 63.0, surfaces: ours.map(|one| [one, 1.0]).to_vec() };
        let mean = ours.iter().sum::<f64>() / 5.0;
        let variance = ours.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / 4.0;
        let expected = 10.0 / std::f64::consts::LN_10 * (variance / 5.0).sqrt();
        let (_, error_db) = octave.difference();
        assert!((error_db / expected - 1.0).abs() < 0.01, "{error_db} {expected}");
    }

    #[test]
    fn what_is_beyond_chance_is_beyond_two_standard_errors() {
        let cell = |difference_db, error_db| Cell { point: 0, octave_hz: 63.0, difference_db, error_db };
        let difference = LevelDifference {
            mean_db: 0.0,
            worst_point_db: 0.0,
            worst_octave_db: 0.0,
            cells: vec![cell(-1.5, 0.7), cell(0.9, 0.2), cell(0.1, 0.3)],
            points_db: vec![],
            octaves_db: vec![],
        };
        assert_eq!(difference.worst_cell().unwrap().difference_db, -1.5);
        assert!((difference.beyond_chance_db() - 0.5).abs() < 1e-12);
    }
}
