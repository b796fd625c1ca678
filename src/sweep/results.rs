//! The table of a sweep: one row per point in the order of the plan, numbers in the shortest digits that
//! read back to the same value. Nothing in it depends on how, where or how fast the points were run.

use std::io::{self, Write};

use super::identity::Identity;
use super::journal::Rows;
use super::plan::{Axis, Plan};
use crate::record::RunFigures;
use crate::render::regime;
use crate::scene::{Draft, Scene, SurfaceSource, Value};
use crate::units::MICRO;

/// Always there, varied or not.
const LEADING: [&str; 5] = ["point", "ra_um", "v_m_s", "zeta", "seed"];
/// Keys that the leading columns already show.
const SHOWN: [&str; 5] =
    ["surface.ra_um", "motion.speed_m_s", "resonator.damping_ratio", "slider.damping_ratio", "surface.seed"];
const FIGURES: [&str; 7] =
    ["lv_db", "v_rms_m_s", "seconds", "contact_fraction", "shocks", "max_force_n_m", "energy_residual"];
/// Of sweeps with friction.
const RUBBING: [&str; 7] =
    ["stick_share", "slips_per_s", "slip_swing", "mode", "mode_share", "mode_swing", "regime"];
/// Columns of whole numbers.
pub const WHOLE: [&str; 4] = ["point", "seed", "shocks", "mode"];

/// Whether any point has friction. Asked for every row, so it looks at lists and not at points.
fn rubs(plan: &Plan) -> bool {
    const KEY: &str = "friction.static";
    let column = |axis: &Axis| axis.keys.iter().position(|key| key == KEY);
    match plan.axes.iter().find_map(|axis| Some((axis, column(axis)?))) {
        Some((axis, column)) => {
            axis.settings.iter().any(|texts| texts[column].trim().parse::<f64>().is_ok_and(|mu| mu > 0.0))
        }
        None => as_number(plan.base.value(KEY)) > 0.0,
    }
}

/// Other varied keys, in the order of the plan.
fn varied(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.varied_keys().filter(|key| !SHOWN.contains(key))
}

pub fn columns(plan: &Plan) -> Vec<String> {
    let rubbing: &[&str] = if rubs(plan) { &RUBBING } else { &[] };
    let names = LEADING.into_iter().chain(varied(plan)).chain(FIGURES);
    names.chain(rubbing.iter().copied()).map(str::to_owned).collect()
}

/// The row of one finished point.
pub fn row(plan: &Plan, point: usize, draft: &Draft, scene: &Scene, figures: &RunFigures) -> String {
    let ra_um = match &scene.bottom {
        SurfaceSource::Smooth => 0.0,
        SurfaceSource::Made(_) => as_number(draft.value("surface.ra_um")),
        SurfaceSource::Measured(profile) => profile.ra() / MICRO,
    };
    let mut fields = vec![
        point.to_string(),
        digits(ra_um),
        digits(scene.motion.peak_speed()),
        digits(scene.resonator.damping_ratio),
        scene.seed.to_string(),
    ];
    for key in varied(plan) {
        fields.push(match draft.value(key) {
            Some(Value::Number(number)) => digits(number),
            Some(Value::Word(word)) => word,
            Some(other) => other.to_string(),
            None => String::new(),
        });
    }
    fields.extend([
        digits(figures.lv_db()),
        digits(figures.v_rms_m_s),
        digits(figures.seconds),
        digits(figures.contact_fraction),
        figures.shocks.to_string(),
        digits(figures.max_force_n_m),
        digits(figures.ledger.residual()),
    ]);
    if rubs(plan) {
        fields.extend(rubbing_fields(scene, figures));
    }
    fields.join(",")
}

/// A point without friction slides on whatever happens.
fn rubbing_fields(scene: &Scene, figures: &RunFigures) -> [String; 7] {
    let rubbing = figures.rubbing.unwrap_or_default();
    [
        digits(rubbing.stick_share),
        digits(rubbing.slips_per_s),
        digits(rubbing.slip_swing),
        rubbing.mode.to_string(),
        digits(rubbing.mode_share),
        digits(rubbing.mode_swing),
        regime(scene, &rubbing).name().to_owned(),
    ]
}

fn as_number(value: Option<Value>) -> f64 {
    match value {
        Some(Value::Number(number)) => number,
        _ => f64::NAN,
    }
}

/// Shortest digits; very small and very large numbers with an exponent.
fn digits(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() || (1e-4..1e12).contains(&size) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Results {
    pub fn new(identity: &Identity, rows: &Rows) -> Self {
        let split = |row: &String| row.split(',').map(str::to_owned).collect();
        Self { columns: identity.columns().to_vec(), rows: rows.values().map(split).collect() }
    }

    pub fn write_csv(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        writeln!(out, "{}", self.columns.join(","))?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{}", row.join(",")))
    }

    /// The texts of a column, in the order of the rows.
    pub fn texts(&self, column: &str) -> Vec<&str> {
        match self.columns.iter().position(|name| name == column) {
            Some(index) => self.rows.iter().map(|row| row[index].as_str()).collect(),
            None => Vec::new(),
        }
    }

    /// The numbers of a column; `None` when one of them is a word.
    pub fn numbers(&self, column: &str) -> Option<Vec<f64>> {
        self.texts(column).into_iter().map(|text| text.parse().ok()).collect()
    }

    /// Columns that were varied beyond roughness, speed, damping and seed.
    pub fn other_columns(&self) -> &[String] {
        let end = self.columns.iter().position(|name| name == FIGURES[0]).unwrap_or(LEADING.len());
        &self.columns[LEADING.len()..end]
    }
}
