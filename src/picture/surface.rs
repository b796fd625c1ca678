//! A rough profile and how its heights are spread, as Dang 2013, Fig. 10: does the surface look like what it
//! was meant to be, and is it Gaussian?
//!
//! Above the whole profile; below a piece of 2 mm, where single asperities show, and the density of heights
//! about their mean with the Gaussian of the same standard deviation Rq and dashed lines at ±Rq.

use std::f64::consts::TAU;

use plotters::prelude::DrawingBackend;

use super::{Area, Axis, Corner, Figure, Painted, Plot, Stroke, style};
use crate::surface::Profile;
use crate::units::{MICRO, MILLI};

#[derive(Debug, Clone)]
pub struct SurfaceFigure<'a> {
    pub title: String,
    pub profile: &'a Profile,
}

/// Length of the piece that is shown enlarged: the paper's.
const PIECE_MM: f64 = 2.0;
/// Columns of the histogram, about six to a standard deviation of a Gaussian surface.
const COLUMNS: usize = 48;

impl SurfaceFigure<'_> {
    /// (x in mm, height about the mean in µm) up to a length.
    fn curve(&self, length_mm: f64) -> impl Iterator<Item = (f64, f64)> {
        let (mean, step_mm) = (self.profile.mean_m(), self.profile.step_m / MILLI);
        self.profile
            .heights_m
            .iter()
            .enumerate()
            .map(move |(l, z)| (l as f64 * step_mm, (z - mean) / MICRO))
            .take_while(move |(x, _)| *x <= length_mm * (1.0 + 1e-9))
    }

    fn profile_plot<DB: DrawingBackend>(&self, area: &Area<DB>, title: &str, length_mm: f64) -> Painted<DB> {
        let x = Axis::linear("x (mm)", 0.0, length_mm);
        let y = Axis::linear_over("height (µm)", self.curve(length_mm).map(|(_, z)| z));
        let mut plot = Plot::new(area, title, x, y)?;
        plot.line(self.curve(length_mm), Stroke { width: 2, ..Stroke::series(0) }, None)?;
        plot.finish(Corner::UpperRight)
    }

    fn distribution_plot<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let spread = Spread::of(self.curve(f64::INFINITY).map(|(_, z)| z));
        let sigma = spread.rq_um;
        let gauss = |z: f64| (-0.5 * (z / sigma).powi(2)).exp() / (sigma * TAU.sqrt());
        let highest = spread.columns.iter().map(|column| column.2).fold(gauss(0.0), f64::max);
        let reach = (4.0 * sigma).max(spread.columns.last().map_or(0.0, |column| column.1));
        let x = Axis::linear("height (µm)", -reach, reach);
        // Room above for the legend.
        let y = Axis::linear("density (1/µm)", 0.0, 1.5 * highest);
        let mut plot = Plot::new(area, "", x, y)?;
        plot.columns(spread.columns, style::series(0), None)?;
        let fit = (0..=400).map(|i| reach * (f64::from(i) / 200.0 - 1.0)).map(|z| (z, gauss(z)));
        plot.line(fit, Stroke::series(1), Some("Gaussian fit"))?;
        plot.verticals([-sigma, sigma], Stroke::reference(), Some(&format!("±Rq = ±{sigma:.3} µm")))?;
        plot.finish(Corner::UpperRight)
    }
}

/// Histogram of heights about their mean, and their standard deviation, µm.
struct Spread {
    rq_um: f64,
    /// From, to, density.
    columns: Vec<(f64, f64, f64)>,
}

impl Spread {
    fn of(heights: impl Iterator<Item = f64>) -> Self {
        let heights: Vec<f64> = heights.collect();
        let count = heights.len().max(1) as f64;
        let rq_um = (heights.iter().map(|z| z * z).sum::<f64>() / count).sqrt();
        let reach = heights.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        let width = 2.0 * reach / COLUMNS as f64;
        let mut counts = [0u32; COLUMNS];
        for z in &heights {
            // A flat profile has no width; all of it falls into the first column.
            let column = ((z + reach) / width).max(0.0) as usize;
            counts[column.min(COLUMNS - 1)] += 1;
        }
        let edge = |column: usize| column as f64 * width - reach;
        let columns = counts
            .iter()
            .enumerate()
            .map(|(column, n)| (edge(column), edge(column + 1), f64::from(*n) / (count * width)))
            .collect();
        Self { rq_um, columns }
    }
}

impl Figure for SurfaceFigure<'_> {
    fn size(&self) -> (u32, u32) {
        (1800, 1200)
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (above, below) = area.split_vertically(600);
        let (left, right) = below.split_horizontally(900);
        let length_mm = self.profile.length_m() / MILLI;
        self.profile_plot(&above, &self.title, length_mm)?;
        self.profile_plot(&left, "", PIECE_MM.min(length_mm))?;
        self.distribution_plot(&right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::save;

    #[test]
    fn columns_hold_all_heights_once() {
        let spread = Spread::of((0..1000).map(|l| f64::from(l) / 500.0 - 0.999));
        let area: f64 = spread.columns.iter().map(|(from, to, density)| (to - from) * density).sum();
        assert!((area - 1.0).abs() < 1e-12, "{area}");
        // Evenly spread heights between ±1: density 1/2 everywhere, Rq = 1/√3.
        assert!(spread.columns.iter().all(|column| (column.2 - 0.5).abs() < 0.03));
        assert!((spread.rq_um - 1.0 / 3f64.sqrt()).abs() < 1e-3);
    }

    #[test]
    fn flat_and_short_profiles_have_pictures_too() {
        let folder = tempfile::tempdir().unwrap();
        for heights_m in [vec![1e-6; 20], (0..20).map(|l| f64::from(l % 3) * 1e-6).collect()] {
            let profile = Profile { step_m: 1e-6, heights_m, periodic: false };
            let path = folder.path().join("surface.svg");
            save(&path, &SurfaceFigure { title: "a title".into(), profile: &profile }).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains("a title") && text.contains("Gaussian fit") && text.contains("x (mm)"));
        }
    }
}
