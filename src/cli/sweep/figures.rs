//! Figs. 14, 15 and 16 of Dang 2013 from a table of our own, with the slopes that the paper and its
//! experiments name. What was varied beyond the figure's two quantities stands at its first value.

use crate::analysis::fit::Estimate;
use crate::picture::curves::Curve;
use crate::picture::levels::{LevelFigure, SlopeRange};
use crate::sweep::{Laws, Results};

/// Puts a value from the table in words.
type Told = fn(&str) -> String;

/// One of the paper's figures.
struct Kind {
    file: &'static str,
    title: &'static str,
    x_column: &'static str,
    x_label: &'static str,
    curve_column: &'static str,
    curve_label: Told,
    /// Slopes in dB per decade.
    slopes: &'static [(&'static str, f64, f64)],
}

/// Exponents are 20 dB per decade: Dang 2013 finds 0.63 ≤ m ≤ 0.67 and 0.52 ≤ n ≤ 0.63, Ben Abdelounis
/// (its reference 6) measured m = 0.8–1.16 and n = 0.7–0.96; ten times the damping takes 10 dB.
const KINDS: [Kind; 3] = [
    Kind {
        file: "level-speed",
        title: "Level against sliding speed",
        x_column: "v_m_s",
        x_label: "sliding speed V (m/s)",
        curve_column: "ra_um",
        curve_label: |value| format!("Ra {} µm", plain(value)),
        slopes: &[
            ("Dang 2013: n = 0.52 to 0.63", 10.4, 12.6),
            ("Ben Abdelounis, measured: 0.70 to 0.96", 14.0, 19.2),
        ],
    },
    Kind {
        file: "level-roughness",
        title: "Level against roughness",
        x_column: "ra_um",
        x_label: "roughness Ra (µm)",
        curve_column: "v_m_s",
        curve_label: |value| format!("V {} m/s", plain(value)),
        slopes: &[
            ("Dang 2013: m = 0.63 to 0.67", 12.6, 13.4),
            ("Ben Abdelounis, measured: 0.80 to 1.16", 16.0, 23.2),
        ],
    },
    Kind {
        file: "level-damping",
        title: "Level against damping",
        x_column: "zeta",
        x_label: "damping ratio ζ",
        curve_column: "ra_um",
        curve_label: |value| format!("Ra {} µm", plain(value)),
        slopes: &[("Dang 2013: -10 dB per decade", -10.0, -10.0)],
    },
];

/// The figures whose quantity was varied, by file name.
pub fn figures(results: &Results, laws: &Laws) -> Vec<(&'static str, LevelFigure)> {
    let fits = [
        laws.n.map(|n| told("n", &n, "")),
        laws.m.map(|m| told("m", &m, "")),
        laws.zeta_db_per_decade.map(|s| told("slope", &s, " dB per decade")),
    ];
    KINDS
        .iter()
        .zip(fits)
        .filter_map(|(kind, fit)| {
            let (curves, surfaces) = curves(results, kind);
            let points = curves.iter().map(|curve| curve.points.len()).max().unwrap_or(0);
            let fit = fit.map_or(String::new(), |fit| format!(": {fit}"));
            let mut notes = held_values(results, kind);
            if surfaces > 1 {
                notes.push(format!("mean and standard deviation of {surfaces} surfaces"));
            }
            let slopes = kind.slopes.iter().map(|(name, low, high)| SlopeRange {
                name: (*name).to_owned(),
                low_db_per_decade: *low,
                high_db_per_decade: *high,
            });
            let figure = LevelFigure {
                title: format!("{}{fit}", kind.title),
                x_label: kind.x_label.to_owned(),
                curves,
                slopes: slopes.collect(),
                notes,
            };
            (points > 1).then_some((kind.file, figure))
        })
        .collect()
}

fn told(name: &str, estimate: &Estimate, unit: &str) -> String {
    format!("{name} = {:.2} ± {:.2}{unit}", estimate.value, estimate.half_width)
}

/// A value from the table in at most three digits.
fn plain(text: &str) -> String {
    let value: f64 = text.parse().unwrap_or(f64::NAN);
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    rounded.to_string()
}

/// Quantities of the law that neither axis nor curves show, at the value that is drawn.
fn held_values(results: &Results, kind: &Kind) -> Vec<String> {
    let named: [(&str, Told); 3] = [
        ("ra_um", |value| format!("Ra = {} µm", plain(value))),
        ("v_m_s", |value| format!("V = {} m/s", plain(value))),
        ("zeta", |value| format!("ζ = {}", plain(value))),
    ];
    let held = named.into_iter().filter(|(name, _)| *name != kind.x_column && *name != kind.curve_column);
    held.filter_map(|(name, told)| results.texts(name).first().map(|value| told(value))).collect()
}

/// One curve per value of the figure's second quantity, averaged over seeds, and how many seeds there are.
fn curves(results: &Results, kind: &Kind) -> (Vec<Curve>, usize) {
    let x = results.numbers(kind.x_column).unwrap_or_default();
    let level = results.numbers("lv_db").unwrap_or_default();
    let names = results.texts(kind.curve_column);
    let mut held: Vec<Vec<&str>> = results.other_columns().iter().map(|name| results.texts(name)).collect();
    for column in ["ra_um", "v_m_s", "zeta"] {
        if column != kind.x_column && column != kind.curve_column {
            held.push(results.texts(column));
        }
    }
    // A second key that follows the first (lc with Ra) is not held: it belongs to the point.
    held.retain(|column| !follows(column, &names) && !follows(column, &results.texts(kind.x_column)));
    let shown: Vec<usize> =
        (0..x.len()).filter(|row| held.iter().all(|column| column[*row] == column[0])).collect();
    let mut order: Vec<&str> = Vec::new();
    for row in &shown {
        if !order.contains(&names[*row]) {
            order.push(names[*row]);
        }
    }
    let mut most = 0;
    let curves = order.into_iter().map(|name| {
        let own: Vec<usize> = shown.iter().copied().filter(|row| names[*row] == name).collect();
        let mut places: Vec<f64> = own.iter().map(|row| x[*row]).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let mut curve =
            Curve { name: (kind.curve_label)(name), line: true, markers: true, ..Curve::default() };
        for place in places {
            let levels: Vec<f64> =
                own.iter().filter(|row| x[**row] == place).map(|row| level[*row]).collect();
            let count = levels.len() as f64;
            let mean = levels.iter().sum::<f64>() / count;
            let squares: f64 = levels.iter().map(|level| (level - mean).powi(2)).sum();
            most = most.max(levels.len());
            curve.points.push((place, mean));
            if levels.len() > 1 {
                curve.errors.push((squares / (count - 1.0)).sqrt());
            }
        }
        curve
    });
    let mut curves: Vec<Curve> = curves.collect();
    // The legend reads like the picture: what lies highest stands first.
    let mean =
        |curve: &Curve| curve.points.iter().map(|(_, level)| level).sum::<f64>() / curve.points.len() as f64;
    curves.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    (curves, most)
}

/// Whether a column is a function of another.
fn follows(column: &[&str], leader: &[&str]) -> bool {
    (0..column.len()).all(|row| {
        let first = leader.iter().position(|value| *value == leader[row]).unwrap_or(row);
        column[row] == column[first]
    })
}
