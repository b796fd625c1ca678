//! Levels against what was varied, on a logarithmic axis, so that a power law is a straight line (Dang 2013,
//! Figs. 14–16). Slopes that others found open as a fan below the curves: compared by eye, without lying
//! over the data.

use plotters::prelude::DrawingBackend;
use plotters::style::RGBColor;

use super::curves::Curve;
use super::legend::beside;
use super::{Area, Axis, Figure, Painted, Plot, Stroke, style};

/// A range of slopes from elsewhere; one slope when both ends are equal.
#[derive(Debug, Clone)]
pub struct SlopeRange {
    pub name: String,
    pub low_db_per_decade: f64,
    pub high_db_per_decade: f64,
}

#[derive(Debug, Clone)]
pub struct LevelFigure {
    pub title: String,
    pub x_label: String,
    pub curves: Vec<Curve>,
    pub slopes: Vec<SlopeRange>,
    /// What the figure holds fixed, below the legend.
    pub notes: Vec<String>,
}

/// Air between the fan and the lowest curve.
const AIR_DB: f64 = 3.0;
/// Width of legend and notes.
const SIDE_PX: u32 = 560;

impl LevelFigure {
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.curves
            .iter()
            .flat_map(|curve| curve.points.iter().copied())
            .filter(|(x, y)| *x > 0.0 && y.is_finite())
    }

    /// Where the fan starts: at the left end, low enough that its steepest edge stays below every curve.
    fn apex(&self) -> Option<(f64, f64)> {
        let left = self.points().map(|(x, _)| x).min_by(f64::total_cmp)?;
        let steepest = self.slopes.iter().map(|s| s.high_db_per_decade).max_by(f64::total_cmp)?;
        let room = self.points().map(|(x, y)| y - steepest * (x / left).log10()).min_by(f64::total_cmp)?;
        Some((left, room - AIR_DB))
    }

    /// Where a slope from the apex ends.
    fn fan_end(&self, db_per_decade: f64) -> Option<(f64, f64)> {
        let right = self.points().map(|(x, _)| x).fold(0.0, f64::max);
        self.apex().map(|(left, low)| (right, low + db_per_decade * (right / left).log10()))
    }

    /// Lowest and highest of points, ends of their error bars, and fan.
    fn heights(&self) -> (f64, f64) {
        let bars = self.curves.iter().flat_map(|curve| curve.points.iter().zip(&curve.errors));
        let bars = bars.flat_map(|((_, level), half)| [level - half, level + half]);
        let fan = self.slopes.iter().filter_map(|slope| self.fan_end(slope.low_db_per_decade));
        let all = self.points().chain(self.apex()).chain(fan).map(|(_, level)| level).chain(bars);
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        all.filter(|level| level.is_finite()).fold(ends, |(low, high), y| (low.min(y), high.max(y)))
    }
}

impl Figure for LevelFigure {
    fn size(&self) -> (u32, u32) {
        (1860, 1000)
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (low, high) = self.heights();
        let y = Axis::linear("Lv (dB re 1 nm/s)", low - 2.0, high + 2.0);
        let x = Axis::log_over(self.x_label.as_str(), self.points().map(|(x, _)| x));
        let (sheet, side) = beside(area, SIDE_PX);
        let mut plot = Plot::new(&sheet, &self.title, x, y)?;
        for (index, slope) in self.slopes.iter().enumerate() {
            let (lower, upper) =
                (self.fan_end(slope.low_db_per_decade), self.fan_end(slope.high_db_per_decade));
            let (Some(from), Some(lower), Some(upper)) = (self.apex(), lower, upper) else { continue };
            if slope.low_db_per_decade == slope.high_db_per_decade {
                plot.line([from, lower], Stroke::reference(), None)?;
            } else {
                let edges = [(from.0, from.1, from.1), (lower.0, lower.1, upper.1)];
                plot.band(edges, band_colour(index), None)?;
                let edge = if index == 0 { Stroke::reference() } else { Stroke::reference().dotted() };
                plot.line([from, lower], edge, None)?;
                plot.line([from, upper], edge, None)?;
            }
        }
        for (index, curve) in self.curves.iter().enumerate() {
            let stroke = Stroke::series(index);
            let bars = curve.points.iter().zip(&curve.errors);
            plot.error_bars(bars.map(|((x, y), half)| (*x, y - half, y + half)), stroke.colour)?;
            plot.line(curve.points.iter().copied(), stroke, Some(&curve.name))?;
            plot.markers(curve.points.iter().copied(), stroke.colour, None)?;
        }
        // The slopes lie under the curves and stand below them in the legend.
        for (index, slope) in self.slopes.iter().enumerate() {
            if slope.low_db_per_decade == slope.high_db_per_decade {
                plot.line([], Stroke::reference(), Some(&slope.name))?;
            } else {
                plot.band([], band_colour(index), Some(&slope.name))?;
            }
        }
        plot.finish_beside(&side, &self.notes)
    }
}

fn band_colour(index: usize) -> RGBColor {
    if index == 0 { style::INK } else { style::REFERENCE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fan_stays_below_every_curve() {
        let curve = |offset: f64| Curve {
            points: [0.02f64, 0.1, 0.7].map(|v| (v, offset + 11.0 * v.log10())).to_vec(),
            ..Curve::default()
        };
        let figure = LevelFigure {
            title: String::new(),
            x_label: "V (m/s)".into(),
            curves: vec![curve(130.0), curve(140.0)],
            slopes: vec![SlopeRange { name: "a".into(), low_db_per_decade: 10.0, high_db_per_decade: 19.0 }],
            notes: vec![],
        };
        let (left, low) = figure.apex().unwrap();
        for (x, y) in figure.points() {
            assert!(low + 19.0 * (x / left).log10() <= y - AIR_DB + 1e-9);
        }
    }

    #[test]
    fn error_bars_end_inside_the_axes() {
        let curve =
            Curve { points: vec![(0.1, 100.0), (0.2, 110.0)], errors: vec![4.0, 7.0], ..Curve::default() };
        let figure = LevelFigure {
            title: String::new(),
            x_label: String::new(),
            curves: vec![curve],
            slopes: vec![],
            notes: vec![],
        };
        assert_eq!(figure.heights(), (96.0, 117.0));
    }
}
