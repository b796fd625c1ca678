//! Levels over the grid of six surfaces and seven speeds: the exponents of eq. 1 and Figs. 14 and 15.

use super::super::bench::{Point, SPEEDS, TABLE_8, run_all};
use super::super::{Effort, Finding, Pen, Series, Sheet};
use super::{CONFIDENCE, NAME, STEP_S, request, with_step};
use crate::analysis::fit::{LevelPoint, level_law, slope_per_decade};
use crate::error::Error;
use crate::units::micrometres;

/// Lv over the grid of surfaces and speeds, averaged over seeds.
fn level_points(effort: &Effort) -> Result<Vec<LevelPoint>, Error> {
    let surfaces: Vec<(f64, f64)> =
        if effort.full { TABLE_8.to_vec() } else { [1, 3, 5].map(|row| TABLE_8[row]).to_vec() };
    let speeds: Vec<f64> =
        if effort.full { SPEEDS.to_vec() } else { [0, 2, 4, 6].map(|index| SPEEDS[index]).to_vec() };
    let seeds = if effort.full { 6 } else { 2 };
    let mut points = Vec::new();
    for &(ra_um, corr_length_um) in &surfaces {
        for &speed_m_s in &speeds {
            for seed in 1..=seeds {
                points.push(Point { ra_um, corr_length_um, speed_m_s, zeta: 0.02, seed });
            }
        }
    }
    let scenes = points.iter().map(|point| with_step(point, STEP_S)).collect::<Result<Vec<_>, _>>()?;
    let outcomes = run_all(&scenes, &request, effort)?;
    let level = |point: &Point, lv_db: f64| LevelPoint {
        ra_m: micrometres(point.ra_um),
        speed_m_s: point.speed_m_s,
        lv_db,
    };
    Ok(points.iter().zip(&outcomes).map(|(point, outcome)| level(point, outcome.figures.lv_db())).collect())
}

pub fn levels(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let points = level_points(effort)?;
    let fit = level_law(&points, CONFIDENCE)
        .ok_or_else(|| Error::Other("the grid is too small for a fit".to_owned()))?;
    effort.draw(&level_sheet(
        &points,
        "realistic-speed",
        "sliding speed (m/s)",
        |p| p.speed_m_s,
        |p| (p.ra_m, format!("Ra {:.2} µm", p.ra_m * 1e6)),
    ))?;
    effort.draw(&level_sheet(
        &points,
        "realistic-roughness",
        "Ra (µm)",
        |p| p.ra_m * 1e6,
        |p| (p.speed_m_s, format!("V {} m/s", p.speed_m_s)),
    ))?;
    let lines = if effort.full { "six surfaces × seven speeds × six seeds" } else { "part of the grid" };
    let interval = |e: &crate::analysis::fit::Estimate| {
        let [low, high] = e.interval();
        format!("95 % confidence {low:.2} to {high:.2} over {lines}")
    };
    let (lowest, highest) = line_slopes(&points, |p| p.ra_m, |p| p.speed_m_s);
    let (lowest_m, highest_m) = line_slopes(&points, |p| p.speed_m_s, |p| p.ra_m);
    Ok(vec![
        Finding::between(NAME, "exponent m of Ra", fit.m.value, 0.6, 1.2).paper("0.63 to 0.67").note(format!(
            "{}; single speeds {lowest_m:.2} to {highest_m:.2}. Experiments give 0.8 to 1.2 (Yokoi and \
             Nakai; Ben Abdelounis), this model with other surfaces 0.7 to 1.2: no one power law",
            interval(&fit.m)
        )),
        Finding::between(NAME, "exponent n of V", fit.n.value, 0.45, 0.75).paper("0.52 to 0.63").note(format!(
            "{}; single surfaces {lowest:.2} to {highest:.2}. The slope falls as V rises, so the range is \
             wider than the paper's",
            interval(&fit.n)
        )),
    ])
}

/// Figs. 14 and 15: mean level over seeds against one variable, a line for each value of the other.
fn level_sheet(
    points: &[LevelPoint],
    name: &'static str,
    x: &'static str,
    along: impl Fn(&LevelPoint) -> f64,
    group: impl Fn(&LevelPoint) -> (f64, String),
) -> Sheet {
    let mut groups: Vec<(f64, String)> = points.iter().map(&group).collect();
    groups.sort_by(|a, b| a.0.total_cmp(&b.0));
    groups.dedup_by(|a, b| a.0 == b.0);
    let series = groups
        .into_iter()
        .map(|(value, name)| {
            let line = points.iter().filter(|p| group(p).0 == value).map(|p| (along(p), p.lv_db));
            Series::new(name, Pen::JoinedMarks, means(&line.collect::<Vec<_>>()))
        })
        .collect();
    Sheet {
        name,
        title: "Vibration level of the bench".to_owned(),
        x,
        y: "Lv (dB re 1 nm/s)",
        log_x: true,
        log_y: false,
        series,
    }
}

/// Smallest and largest exponent over the lines of equal `group`, against `x`.
fn line_slopes(
    points: &[LevelPoint],
    group: impl Fn(&LevelPoint) -> f64,
    x: impl Fn(&LevelPoint) -> f64,
) -> (f64, f64) {
    let mut groups: Vec<f64> = points.iter().map(&group).collect();
    groups.sort_by(f64::total_cmp);
    groups.dedup();
    let slopes = groups.iter().filter_map(|value| {
        let line: Vec<(f64, f64)> =
            points.iter().filter(|p| group(p) == *value).map(|p| (x(p), p.lv_db)).collect();
        slope_per_decade(&line, CONFIDENCE).map(|slope| slope.value / 20.0)
    });
    slopes.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)))
}

/// Mean of y for every x, x rising.
pub fn means(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut places: Vec<f64> = points.iter().map(|point| point.0).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mean = |place: f64| {
        let values: Vec<f64> = points.iter().filter(|point| point.0 == place).map(|point| point.1).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    places.into_iter().map(|place| (place, mean(place))).collect()
}
