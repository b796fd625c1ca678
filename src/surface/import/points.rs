//! From what a file holds to an even grid without holes.

use super::super::roughness::short;
use super::super::{MAX_NODES, Profile};
use super::{Imported, bad};
use crate::error::Error;

/// Largest share of points that may be missing: they are filled by straight lines, and a profile with more
/// of them would be drawn, not measured.
const MAX_MISSING_SHARE: f64 = 0.05;
/// Spacing may differ this much from its mean and still count as even, as a share of the step.
const EVEN: f64 = 0.01;
/// Up to here an uneven spacing is resampled; beyond, points are missing or out of order.
const RESAMPLED: f64 = 0.5;
/// Fewest nodes of a profile.
const MIN_NODES: usize = 4;
/// Heights and steps beyond these are a wrong unit.
const MAX_HEIGHT_M: f64 = 1.0;
const STEP_RANGE_M: (f64, f64) = (1e-9, 1.0);

/// Heights as read, in metres; NaN where nothing was measured.
pub struct Raw {
    pub along: Along,
    pub heights_m: Vec<f64>,
    pub notes: Vec<String>,
}

/// Where the heights stand.
pub enum Along {
    Step(f64),
    /// Position of each height, metres.
    Positions(Vec<f64>),
}

impl Raw {
    /// Checks, orders, evens and fills.
    pub fn finish(mut self, name: &str) -> Result<Imported, Error> {
        let count = self.heights_m.len();
        if !(MIN_NODES..=MAX_NODES).contains(&count) {
            let limit = format!("must have {MIN_NODES} to {MAX_NODES}");
            return Err(bad(name, format!("{count} points"), limit, "cut or join profiles"));
        }
        // NaN means not measured; everything else must be a height.
        if let Some(l) = self.heights_m.iter().position(|z| z.abs() > MAX_HEIGHT_M) {
            let found = format!("point {} is {} m high", l + 1, short(self.heights_m[l]));
            let limit = format!("heights must be within ±{MAX_HEIGHT_M} m");
            return Err(bad(name, found, limit, "check the unit of the heights"));
        }
        self.fill(name)?;
        let step_m = match std::mem::replace(&mut self.along, Along::Step(0.0)) {
            Along::Step(step_m) => step_m,
            Along::Positions(positions) => self.even_out(positions, name)?,
        };
        if !(STEP_RANGE_M.0..=STEP_RANGE_M.1).contains(&step_m) {
            let limit = format!("must be {} to {} m", STEP_RANGE_M.0, STEP_RANGE_M.1);
            return Err(bad(name, format!("a step of {} m", short(step_m)), limit, "check the unit of x"));
        }
        let profile = Profile { step_m, heights_m: self.heights_m, periodic: false };
        Ok(Imported { profile, notes: self.notes })
    }

    /// Straight lines across missing points; the ends are continued level.
    fn fill(&mut self, name: &str) -> Result<(), Error> {
        let z = &mut self.heights_m;
        let missing = z.iter().filter(|z| z.is_nan()).count();
        if missing == 0 {
            return Ok(());
        }
        if missing as f64 > MAX_MISSING_SHARE * z.len() as f64 {
            let found = format!("{missing} of {} points were not measured", z.len());
            let limit = format!("at most {} % may be missing", 100.0 * MAX_MISSING_SHARE);
            return Err(bad(name, found, limit, "cut the profile to its measured part"));
        }
        let mut last: Option<usize> = None;
        for l in 0..z.len() {
            if z[l].is_nan() {
                continue;
            }
            let from = last.map_or(0, |k| k + 1);
            for k in from..l {
                z[k] = match last {
                    Some(a) => z[a] + (z[l] - z[a]) * (k - a) as f64 / (l - a) as f64,
                    None => z[l],
                };
            }
            last = Some(l);
        }
        if let Some(end) = last {
            let level = z[end];
            z[end + 1..].fill(level);
        }
        self.notes.push(format!("{missing} points that were not measured were interpolated"));
        Ok(())
    }

    /// The mean step, after bringing the heights onto it where they stand off it.
    fn even_out(&mut self, mut positions: Vec<f64>, name: &str) -> Result<f64, Error> {
        let count = positions.len();
        if positions[count - 1] < positions[0] {
            positions.reverse();
            self.heights_m.reverse();
            self.notes.push("x ran backwards: the profile was turned round".into());
        }
        let start = positions[0];
        let step = (positions[count - 1] - start) / (count - 1) as f64;
        let uneven = |l: usize| ((positions[l] - positions[l - 1]) / step - 1.0).abs();
        let worst = (1..count).max_by(|&a, &b| uneven(a).total_cmp(&uneven(b))).unwrap_or(1);
        let share = uneven(worst);
        // Also catches a step of zero, where the share is not a number.
        if share.is_nan() || share > RESAMPLED {
            let gap = positions[worst] - positions[worst - 1];
            let found = format!("x moves by {} m from point {worst} to {}", short(gap), worst + 1);
            let limit = format!("the mean step is {} m and may vary by {} %", short(step), 100.0 * RESAMPLED);
            return Err(bad(name, found, limit, "resample the profile on an even grid"));
        }
        if share > EVEN {
            let old = std::mem::take(&mut self.heights_m);
            let mut k = 1;
            self.heights_m = (0..count)
                .map(|l| {
                    let x = start + l as f64 * step;
                    while k < count - 1 && positions[k] < x {
                        k += 1;
                    }
                    let share = (x - positions[k - 1]) / (positions[k] - positions[k - 1]);
                    old[k - 1] + (old[k] - old[k - 1]) * share.clamp(0.0, 1.0)
                })
                .collect();
            self.notes.push(format!(
                "x was uneven by up to {} %: heights were interpolated on an even grid",
                short(100.0 * share)
            ));
        }
        Ok(step)
    }
}
