//! A map of regimes: one field for each point of a grid over speed and load, in the colour of its regime, with
//! the number that says most about it written inside.

use plotters::prelude::DrawingBackend;

use super::legend::beside;
use super::{Area, Axis, Figure, Painted, Plot, style};

/// One point of the grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub x: f64,
    pub y: f64,
    /// Which of the map's regimes.
    pub regime: usize,
    pub text: String,
}

#[derive(Debug, Clone, Default)]
pub struct RegimeMap {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// In the order of their colours.
    pub regimes: Vec<String>,
    pub fields: Vec<Field>,
    /// What stands under the legend.
    pub notes: Vec<String>,
}

/// Legend and notes beside the axes.
const SIDE_PX: u32 = 430;

impl Figure for RegimeMap {
    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (main, side) = beside(area, SIDE_PX);
        let edges = |values: &dyn Fn(&Field) -> f64| Edges::of(self.fields.iter().map(values));
        let (columns, rows) = (edges(&|field| field.x), edges(&|field| field.y));
        let mut plot = Plot::new(&main, &self.title, columns.axis(&self.x_label), rows.axis(&self.y_label))?;
        for (regime, name) in self.regimes.iter().enumerate() {
            plot.patch_name(style::series(regime), name);
        }
        for field in &self.fields {
            let ((left, right), (low, high)) = (columns.around(field.x), rows.around(field.y));
            plot.field([(left, low), (right, high)], style::series(field.regime), &field.text)?;
        }
        plot.finish_beside(&side, &self.notes)
    }
}

/// The lines between the values of one axis: half-way, by ratio where the values are.
struct Edges {
    values: Vec<f64>,
    log: bool,
}

impl Edges {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        // Values that grow by nearly even ratios, or over more than a decade, belong on a logarithm.
        let log = match values[..] {
            [low, .., high] => low > 0.0 && high / low > 5.0,
            _ => false,
        };
        Self { values, log }
    }

    fn middle(&self, a: f64, b: f64) -> f64 {
        if self.log { (a * b).sqrt() } else { 0.5 * (a + b) }
    }

    /// The edges to both sides of a value; the outer ones as far as the inner.
    fn around(&self, value: f64) -> (f64, f64) {
        let at = self.values.iter().position(|known| *known == value).unwrap_or(0);
        let mirrored = |edge: f64| if self.log { value * value / edge } else { 2.0 * value - edge };
        let below = at.checked_sub(1).map(|n| self.middle(self.values[n], value));
        let above = self.values.get(at + 1).map(|next| self.middle(value, *next));
        match (below, above) {
            (Some(below), Some(above)) => (below, above),
            (Some(below), None) => (below, mirrored(below)),
            (None, Some(above)) => (mirrored(above), above),
            (None, None) => (0.9 * value, 1.1 * value),
        }
    }

    fn axis(&self, label: &str) -> Axis {
        let low = self.values.first().map_or(0.0, |value| self.around(*value).0);
        let high = self.values.last().map_or(1.0, |value| self.around(*value).1);
        if self.log { Axis::log(label, low, high) } else { Axis::linear(label, low, high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_meet_half_way() {
        let even = Edges::of([1.0, 3.0, 2.0, 2.0].into_iter());
        assert_eq!((even.around(1.0), even.around(3.0)), ((0.5, 1.5), (2.5, 3.5)));
        let ratios = Edges::of([0.01, 0.04, 0.16].into_iter());
        assert!(ratios.log && (ratios.around(0.04).0 - 0.02).abs() < 1e-12);
        assert!((ratios.around(0.16).1 - 0.32).abs() < 1e-12);
        assert!(Edges::of([5.0].into_iter()).around(5.0).0 < 5.0);
        assert!(!Edges::of([0.0, 10.0].into_iter()).log);
    }
}
