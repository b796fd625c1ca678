//! The pictures of a study: Vermot 2012, Figs. 7 and 14 for beams, and growth against friction.

use crate::picture::curves::{Curve, Curves, Reference};
use crate::picture::{Axis, Corner};
use crate::squeal::{Study, UNSTABLE_BELOW};

pub fn all(study: &Study) -> Vec<(&'static str, Curves)> {
    vec![
        ("stability", stability(study)),
        ("growth", growth(study)),
        ("growth_stiffness", growth_stiffness(study)),
        ("frequencies", frequencies(study)),
        ("pressures", pressures(study)),
    ]
}

/// Damping ratio over frequency, every law in its colour.
pub fn stability(study: &Study) -> Curves {
    let curves: Vec<Curve> = study
        .laws
        .iter()
        .map(|law| Curve {
            name: law.name.clone(),
            points: law.modes.iter().map(|mode| (mode.frequency_hz, 100.0 * mode.damping_ratio)).collect(),
            markers: true,
            ..Curve::default()
        })
        .collect();
    let highest = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0).fold(0.0, f64::max);
    let limit = 100.0 * UNSTABLE_BELOW;
    Curves {
        title: format!("Stability of steady sliding, μ = {}", study.mu),
        x: Axis::linear("frequency (Hz)", 0.0, 1.02 * highest),
        y: roomy("damping ratio (%)", &curves, 0.35),
        references: vec![Reference {
            name: format!("unstable below {limit:.0e} %"),
            points: vec![(0.0, limit), (1.02 * highest, limit)],
        }],
        curves,
        legend: Some(Corner::UpperLeft),
    }
}

/// Growth of the least damped mode over μ.
fn growth(study: &Study) -> Curves {
    let curves: Vec<Curve> = study
        .growth
        .iter()
        .map(|curve| Curve {
            name: curve.name.clone(),
            points: curve.points.iter().map(|point| (point.0, point.3)).collect(),
            line: true,
            markers: true,
            ..Curve::default()
        })
        .collect();
    let mus = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
    let (low, high) = (mus().fold(f64::INFINITY, f64::min), mus().fold(0.0, f64::max));
    Curves {
        title: "Growth of the least damped mode".to_owned(),
        x: Axis::linear("friction coefficient μ", low, high),
        y: roomy("growth rate (1/s)", &curves, 0.1),
        references: vec![Reference { name: String::new(), points: vec![(low, 0.0), (high, 0.0)] }],
        curves,
        legend: Some(Corner::UpperLeft),
    }
}

/// The same over contact stiffness, and where ideal contact puts it.
fn growth_stiffness(study: &Study) -> Curves {
    let points: Vec<(f64, f64)> =
        study.stiffness_growth.iter().map(|at| (at.stiffness_mpa_mm, at.growth_1_s)).collect();
    let (low, high) = (points.first().map_or(1.0, |at| at.0), points.last().map_or(10.0, |at| at.0));
    let curves = vec![Curve {
        name: "exponential law".to_owned(),
        points,
        line: true,
        markers: true,
        ..Curve::default()
    }];
    let level = |name: &str, growth: f64| Reference {
        name: name.to_owned(),
        points: vec![(low, growth), (high, growth)],
    };
    let ideal = study.laws.first().into_iter().flat_map(|law| &law.modes);
    let most = ideal.min_by(|a, b| a.damping_ratio.total_cmp(&b.damping_ratio));
    Curves {
        title: format!("Growth of the least damped mode, μ = {}", study.mu),
        x: Axis::log("contact stiffness (MPa/mm)", low, high),
        y: roomy("growth rate (1/s)", &curves, 0.1),
        references: most
            .map(|mode| level("ideal contact", mode.growth_1_s))
            .into_iter()
            .chain([level("", 0.0)])
            .collect(),
        curves,
        legend: Some(Corner::UpperLeft),
    }
}

/// Frictionless frequencies over contact stiffness, and where ideal contact puts them.
fn frequencies(study: &Study) -> Curves {
    let count = study.ideal_hz.len();
    let ends = (study.stiffness_curve.first(), study.stiffness_curve.last());
    let (low, high) = match ends {
        (Some(first), Some(last)) => (first.0, last.0),
        _ => (1.0, 10.0),
    };
    let curves: Vec<Curve> = (0..count)
        .map(|mode| Curve {
            points: study.stiffness_curve.iter().filter_map(|(k, hz)| Some((*k, *hz.get(mode)?))).collect(),
            line: true,
            ..Curve::default()
        })
        .collect();
    let all = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    Curves {
        title: "Frequencies against contact stiffness (no friction)".to_owned(),
        x: Axis::log("contact stiffness (MPa/mm)", low, high),
        y: Axis::linear_over("frequency (Hz)", all()),
        references: study
            .ideal_hz
            .iter()
            .enumerate()
            .map(|(index, hz)| Reference {
                name: if index == 0 { "ideal contact".to_owned() } else { String::new() },
                points: vec![(low, *hz), (high, *hz)],
            })
            .collect(),
        curves,
        legend: Some(Corner::UpperLeft),
    }
}

/// Steady pressure along the slider.
fn pressures(study: &Study) -> Curves {
    let curves: Vec<Curve> = study
        .laws
        .iter()
        .map(|law| {
            let last = (law.pressures_pa.len().max(2) - 1) as f64;
            let place = |index: usize| index as f64 / last;
            Curve {
                name: law.name.clone(),
                points: law
                    .pressures_pa
                    .iter()
                    .enumerate()
                    .map(|(index, p)| (place(index), p / study.p1_pa))
                    .collect(),
                line: true,
                markers: true,
                ..Curve::default()
            }
        })
        .collect();
    Curves {
        title: format!("Pressure in steady sliding, μ = {}", study.mu),
        x: Axis::linear("place along the slider, rear to front", 0.0, 1.0),
        y: roomy("pressure / p_1", &curves, 0.3),
        curves,
        references: Vec::new(),
        legend: Some(Corner::UpperLeft),
    }
}

/// An axis over all points with room above for the legend.
fn roomy(label: &str, curves: &[Curve], room: f64) -> Axis {
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let span = (high - low).max(f64::MIN_POSITIVE);
    Axis::linear(label, low - 0.05 * span, high + (0.05 + room) * span)
}
