//! Figs. 7 and 8 of Dang 2013 with our curves.

use super::super::{Effort, Pen, Series, Sheet};
use super::{SAMPLE_S, Trace};
use crate::error::Error;

pub fn draw(
    effort: &Effort,
    lagrange: &Trace,
    stiff: &Trace,
    soft: &Trace,
    one: &Trace,
    errors: &[(usize, f64)],
) -> Result<(), Error> {
    let curve = |values: &[f64], scale: f64| -> Vec<(f64, f64)> {
        let points = values.iter().enumerate().step_by(10);
        points.map(|(n, value)| (n as f64 * SAMPLE_S * 1e3, scale * value)).collect()
    };
    let runs = [
        ("Lagrange, 15 modes", lagrange),
        ("κ = 10E, 15 modes", stiff),
        ("κ = 0.1E, 15 modes", soft),
        ("κ = 10E, 1 mode", one),
    ];
    effort.draw(&Sheet {
        name: "asperities-displacement",
        title: "One asperity over six: displacement of the summit (Dang 2013, Fig. 7)".to_owned(),
        x: "time (ms)",
        y: "displacement, upwards (µm)",
        log_x: false,
        log_y: false,
        series: runs
            .iter()
            .map(|(name, run)| Series::new(*name, Pen::Line, curve(&run.displacement_m, -1e6)))
            .collect(),
    })?;
    effort.draw(&Sheet {
        name: "asperities-force",
        title: "One asperity over six: contact force (Dang 2013, Fig. 7)".to_owned(),
        x: "time (ms)",
        y: "force per metre of width (N/m)",
        log_x: false,
        log_y: false,
        series: runs
            .iter()
            .map(|(name, run)| Series::new(*name, Pen::Line, curve(&run.force_n_m, 1.0)))
            .collect(),
    })?;
    effort.draw(&Sheet {
        name: "asperities-modes",
        title: "Error against 60 modes (Dang 2013, Fig. 8)".to_owned(),
        x: "number of modes",
        y: "error over 0.4 ms (%)",
        log_x: false,
        log_y: true,
        series: vec![Series::new(
            "κ = 10E",
            Pen::JoinedMarks,
            errors.iter().map(|(count, error)| (*count as f64, 100.0 * error)).collect(),
        )],
    })
}
