//! Any number of series over one pair of axes: the picture of a table.

use plotters::prelude::DrawingBackend;

use super::legend::beside;
use super::{Area, Axis, Corner, Figure, Painted, Plot, Stroke, style};

/// One series, drawn in the colour of its place in the list.
#[derive(Debug, Clone, Default)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Half-widths of symmetric error bars in y, one per point; empty for none.
    pub errors: Vec<f64>,
    /// Joins the points by a line.
    pub line: bool,
    /// Sets a dot at each point.
    pub markers: bool,
}

/// What the curves are compared with: a grey dashed line; without a name it is not in the legend.
#[derive(Debug, Clone)]
pub struct Reference {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

#[derive(Debug, Clone)]
pub struct Curves {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
    pub references: Vec<Reference>,
    /// A corner that the curves leave free; none: beside the axes.
    pub legend: Option<Corner>,
}

/// Width of a legend beside the axes.
const SIDE_PX: u32 = 340;

impl Figure for Curves {
    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (sheet, side) = beside(area, if self.legend.is_none() { SIDE_PX } else { 0 });
        let mut plot = Plot::new(&sheet, &self.title, self.x.clone(), self.y.clone())?;
        for reference in &self.references {
            let name = Some(reference.name.as_str()).filter(|name| !name.is_empty());
            plot.line(reference.points.iter().copied(), Stroke::reference(), name)?;
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let stroke = Stroke::series(index);
            let bars = curve.points.iter().zip(&curve.errors);
            plot.error_bars(bars.map(|((x, y), half)| (*x, y - half, y + half)), style::series(index))?;
            let mut name = Some(curve.name.as_str()).filter(|name| !name.is_empty());
            if curve.line {
                plot.line(curve.points.iter().copied(), stroke, name.take())?;
            }
            if curve.markers {
                plot.markers(curve.points.iter().copied(), stroke.colour, name.take())?;
            }
        }
        match self.legend {
            Some(corner) => plot.finish(corner),
            None => plot.finish_beside(&side, &[]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::save;

    fn figure() -> Curves {
        let points: Vec<(f64, f64)> =
            [0.02f64, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7].map(|v| (v, 140.0 + 16.0 * v.log10())).to_vec();
        let shifted = points.iter().map(|(x, y)| (*x, y - 6.0)).collect();
        Curves {
            title: "Level against speed".into(),
            x: Axis::log("sliding speed V (m/s)", 0.015, 1.0),
            y: Axis::linear("Lv (dB re 1 nm/s)", 95.0, 145.0),
            curves: vec![
                Curve {
                    name: "Ra 10 µm".into(),
                    errors: vec![1.5; points.len()],
                    points: points.clone(),
                    line: true,
                    markers: true,
                },
                Curve { name: "Ra 5 µm".into(), points: shifted, markers: true, ..Curve::default() },
            ],
            references: vec![Reference { name: "slope 16 dB per decade".into(), points }],
            legend: Some(Corner::UpperLeft),
        }
    }

    #[test]
    fn every_series_and_reference_is_named_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("curves.svg");
        save(&path, &figure()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for name in ["Ra 10 µm", "Ra 5 µm", "slope 16 dB per decade", "sliding speed V (m/s)"] {
            assert_eq!(text.matches(name).count(), 1, "{name}");
        }
        // Seven markers for each of two series, and the sign of the series without a line.
        assert_eq!(text.matches("<circle").count(), 15);
    }

    #[test]
    fn a_legend_beside_the_axes_lies_over_no_curve() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("beside.svg");
        save(&path, &Curves { legend: None, ..figure() }).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let x_of = |element: &str| -> f64 {
            let (_, rest) = element.split_once(" x=\"").or_else(|| element.split_once(" cx=\"")).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        let name = text.split("<text").find(|element| element.contains("Ra 10 µm")).unwrap();
        let curves_end = text.split("<circle").skip(1).take(7).map(x_of).fold(0.0, f64::max);
        assert!(x_of(name) > curves_end + 50.0, "{} at {curves_end}", x_of(name));
    }
}
