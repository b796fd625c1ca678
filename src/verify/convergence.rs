//! Does the level depend on how finely it is computed? Lv of the bench against χ, τ, the number of
//! modes, κ and the number of seeds. Every variant runs the same seeds; one seed's surface is the same
//! for every χ, since the generator draws its spectrum from long waves to short.
//!
//! Contact is chaotic: two runs that differ in the last bit part within milliseconds and agree in their
//! statistics only. The mean difference over seeds is therefore given with its standard error.

use super::bench::{Point, run_all};
use super::{Effort, Finding, Pen, Series as Curve, Sheet};
use crate::engine::reference::Request;
use crate::error::Error;
use crate::scene::{Draft, Scene};

pub const NAME: &str = "convergence";

/// One number varied, the others as on the bench.
struct Series {
    what: &'static str,
    key: &'static str,
    /// Values as text; the first is the finest, against which the others are held.
    values: &'static [&'static str],
    /// Largest mean difference of the bench's own value to the finest, dB.
    tolerance_db: f64,
    /// The bench's value among `values`.
    own: usize,
    note: &'static str,
}

const SERIES: [Series; 4] = [
    Series {
        what: "χ (µm)",
        key: "surface.step_um",
        values: &["2.5", "5", "10"],
        tolerance_db: 1.5,
        own: 1,
        note: "κ in Pa makes a node's stiffness κχ, so the contact itself does not change with χ",
    },
    Series {
        what: "τ (s)",
        key: "run.step_s",
        values: &["1e-7", "5e-7", "1e-6", "2e-6"],
        tolerance_db: 1.0,
        own: 2,
        note: "the contact rings at 5 to 20 kHz: microseconds resolve it",
    },
    Series {
        what: "resonator modes",
        key: "resonator.modes",
        values: &["60", "40", "30", "20"],
        tolerance_db: 1.0,
        own: 1,
        note: "mode 30 lies at 20.9 kHz; the level lives far below",
    },
    Series {
        what: "κ (Pa)",
        key: "contact.kappa_pa",
        values: &["2.1e13", "2.1e12", "2.1e11"],
        tolerance_db: 2.0,
        own: 1,
        note: "the paper accepts 10 % between its two algorithms; stiffer contact bounces a little more",
    },
];

/// Mean level over seeds of one variant.
#[derive(Debug, Clone)]
pub struct Row {
    pub what: &'static str,
    pub value: String,
    pub lv_db: f64,
    /// Mean over seeds of the difference to the finest variant, and its standard error.
    pub difference_db: f64,
    pub error_db: f64,
}

pub fn run(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let rows = table(effort)?;
    effort.draw(&picture(&rows))?;
    let mut findings = Vec::new();
    for series in &SERIES {
        let lines: Vec<&Row> = rows.iter().filter(|row| row.what == series.what).collect();
        let own = lines[series.own];
        let all: Vec<String> = lines
            .iter()
            .map(|row| {
                format!(
                    "{}: {:.1} dB ({:+.2} ± {:.2})",
                    row.value, row.lv_db, row.difference_db, row.error_db
                )
            })
            .collect();
        findings.push(
            Finding::at_most(
                NAME,
                format!("|ΔLv| of {} = {} to the finest, dB", series.what, own.value),
                own.difference_db.abs(),
                series.tolerance_db,
            )
            .note(format!("{}; {}", all.join(", "), series.note)),
        );
    }
    findings.push(seeds_finding(effort)?);
    Ok(findings)
}

/// ΔLv over how much coarser than the finest each variant is.
fn picture(rows: &[Row]) -> Sheet {
    let curve = |series: &Series| {
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        let finest = number(series.values[0]);
        let points = rows.iter().filter(|row| row.what == series.what).map(|row| {
            let ratio = number(&row.value) / finest;
            (ratio.max(1.0 / ratio), row.difference_db)
        });
        Curve::new(series.what, Pen::JoinedMarks, points.collect())
    };
    Sheet {
        name: "convergence",
        title: "Level of the bench against how coarsely it is computed".to_owned(),
        x: "coarser than the finest by a factor",
        y: "change of Lv (dB)",
        log_x: true,
        log_y: false,
        series: SERIES.iter().map(curve).collect(),
    }
}

fn seeds(effort: &Effort) -> u64 {
    if effort.full { 12 } else { 3 }
}

/// Seconds of each run; quick ones leave the first 50 ms out.
fn request(effort: &Effort) -> impl Fn(&Scene) -> Request + Sync {
    let (seconds, skip_s) = if effort.full { (1.0, 0.1) } else { (0.35, 0.05) };
    move |_: &Scene| Request { seconds, skip_s, ..Request::default() }
}

/// The bench with one key changed. 1 µs unless τ itself is varied, half of it for the stiffest contact.
fn variant(series: &Series, value: &str, seed: u64) -> Result<Scene, Error> {
    let mut draft: Draft = Point::example(seed).draft()?;
    draft.set("run.step_s", if value == "2.1e13" { "5e-7" } else { "1e-6" })?;
    draft.set(series.key, value)?;
    if series.key == "surface.step_um" {
        draft.set("surface.top.step_um", value)?;
    }
    draft.build()
}

/// All variants with their mean levels.
pub fn table(effort: &Effort) -> Result<Vec<Row>, Error> {
    let count = seeds(effort);
    let mut scenes = Vec::new();
    for series in &SERIES {
        for value in series.values {
            for seed in 1..=count {
                scenes.push(variant(series, value, seed)?);
            }
        }
    }
    let outcomes = run_all(&scenes, &request(effort), effort)?;
    let mut levels = outcomes.iter().map(|outcome| outcome.figures.lv_db());
    let mut rows = Vec::new();
    for series in &SERIES {
        let mut finest: Vec<f64> = Vec::new();
        for (index, value) in series.values.iter().enumerate() {
            let own: Vec<f64> = levels.by_ref().take(count as usize).collect();
            if index == 0 {
                finest.clone_from(&own);
            }
            let differences: Vec<f64> = own.iter().zip(&finest).map(|(a, b)| a - b).collect();
            let (difference_db, error_db) = mean_and_error(&differences);
            let lv_db = mean_and_error(&own).0;
            rows.push(Row { what: series.what, value: (*value).to_owned(), lv_db, difference_db, error_db });
        }
    }
    Ok(rows)
}

/// How far one surface's level says anything about the next.
fn seeds_finding(effort: &Effort) -> Result<Finding, Error> {
    let count = if effort.full { 24 } else { 8 };
    let scenes = (1..=count)
        .map(|seed| {
            let mut scene = Point::example(seed).scene()?;
            scene.run.step_s = 1e-6;
            Ok(scene)
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let outcomes = run_all(&scenes, &request(effort), effort)?;
    let levels: Vec<f64> = outcomes.iter().map(|outcome| outcome.figures.lv_db()).collect();
    let (mean, error) = mean_and_error(&levels);
    let spread = error * (count as f64).sqrt();
    Ok(Finding::between(NAME, "spread of Lv from seed to seed, dB", spread, 0.3, 3.0).note(format!(
        "{count} seeds: mean {mean:.2} dB, standard error {error:.2} dB; one seed alone is off by the spread, \
         so levels are averaged over seeds"
    )))
}

/// Mean and standard error of the mean.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, (variance / count).sqrt())
}
