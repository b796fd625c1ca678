//! The bench of Dang 2013 as the cases run it: one scene per (surface, speed, damping, seed), many runs
//! at once on all cores.

use super::Effort;
use crate::engine::reference::{Outcome, Request, run};
use crate::error::Error;
use crate::scene::{Draft, Scene, find_preset};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Dang 2013, Table 8: Ra and correlation length, µm.
pub const TABLE_8: [(f64, f64); 6] =
    [(2.89, 400.0), (4.86, 450.0), (7.72, 450.0), (9.54, 500.0), (20.39, 500.0), (30.91, 500.0)];

/// Seven speeds from 0.02 to 0.7 m/s; the paper names the ends and the number.
pub const SPEEDS: [f64; 7] = [0.02, 0.04, 0.07, 0.12, 0.2, 0.4, 0.7];

/// One run of the bench.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub ra_um: f64,
    pub corr_length_um: f64,
    pub speed_m_s: f64,
    pub zeta: f64,
    pub seed: u64,
}

impl Point {
    /// The paper's own example: Ra5 of Table 8 at 0.1 m/s.
    pub fn example(seed: u64) -> Self {
        Self { ra_um: TABLE_8[1].0, corr_length_um: TABLE_8[1].1, speed_m_s: 0.1, zeta: 0.02, seed }
    }

    /// The preset with this point's values.
    pub fn draft(&self) -> Result<Draft, Error> {
        let mut draft = find_preset("dang2013")?;
        draft.set("surface.ra_um", &self.ra_um.to_string())?;
        draft.set("surface.corr_length_um", &self.corr_length_um.to_string())?;
        draft.set("motion.speed_m_s", &self.speed_m_s.to_string())?;
        draft.set("resonator.damping_ratio", &self.zeta.to_string())?;
        draft.set("slider.damping_ratio", &self.zeta.to_string())?;
        draft.set("surface.seed", &self.seed.to_string())?;
        Ok(draft)
    }

    pub fn scene(&self) -> Result<Scene, Error> {
        self.draft()?.build()
    }
}

/// Runs all scenes on all cores; results come in the order of the scenes, whatever the order of the work.
pub fn run_all(
    scenes: &[Scene],
    request: &(impl Fn(&Scene) -> Request + Sync),
    effort: &Effort,
) -> Result<Vec<Outcome>, Error> {
    let done = AtomicUsize::new(0);
    scenes
        .par_iter()
        .map(|scene| {
            let outcome = run(scene, &request(scene), &mut |_| true)?;
            effort.report(1 + done.fetch_add(1, Ordering::Relaxed), scenes.len())?;
            Ok(outcome)
        })
        .collect()
}
