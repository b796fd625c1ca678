//! Contacts drawn as Dang 2013 draws them: the force at one node (Fig. 11), distributions of shocks (Fig. 12),
//! and what carries the slider from moment to moment.

use plotters::prelude::DrawingBackend;

use super::{Area, Axis, Corner, Figure, Painted, Plot, Stroke, style};
use crate::record::{ContactSample, NodeHistory};
use crate::units::MICRO;

/// Force at one node over the whole run, and its hardest shock enlarged.
#[derive(Debug, Clone)]
pub struct ForceFigure<'a> {
    pub title: String,
    pub node: &'a NodeHistory,
    pub end_s: f64,
    /// Force that is marked, with its name.
    pub reference: Option<(f64, String)>,
}

impl ForceFigure<'_> {
    /// The shock of the largest force: its samples, from the first that pushes to the first that does not.
    fn hardest(&self) -> &[(f64, f64)] {
        let forces = &self.node.forces;
        let Some(top) = (0..forces.len()).max_by(|a, b| forces[*a].1.total_cmp(&forces[*b].1)) else {
            return &[];
        };
        let from = forces[..top].iter().rposition(|(_, force)| *force <= 0.0).map_or(0, |n| n + 1);
        let pushing = forces[top..].iter().position(|(_, force)| *force <= 0.0);
        &forces[from..pushing.map_or(forces.len(), |n| top + n + 1)]
    }
}

impl Figure for ForceFigure<'_> {
    fn size(&self) -> (u32, u32) {
        (1600, 1200)
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let (above, below) = area.split_vertically(630);
        let forces = &self.node.forces;
        let (low, high) =
            forces.iter().fold((0.0f64, 1e-9f64), |(low, high), (_, f)| (low.min(*f), high.max(*f)));
        let x = Axis::linear("time (s)", self.node.from_s, self.end_s);
        // Room above for the legend.
        let y = Axis::linear("contact force (N/m)", 1.05 * low, 1.3 * high);
        let mut plot = Plot::new(&above, &self.title, x, y)?;
        plot.line(forces.iter().copied(), Stroke { width: 2, ..Stroke::series(0) }, None)?;
        if let Some((force, name)) = &self.reference {
            plot.horizontal(*force, Stroke::reference(), Some(name))?;
        }
        plot.finish(Corner::UpperRight)?;

        let shock = self.hardest();
        let Some((start_s, end_s)) = shock.first().zip(shock.last()).map(|(a, b)| (a.0, b.0)) else {
            return Ok(());
        };
        let piece: Vec<(f64, f64)> = shock.iter().map(|(t, f)| ((t - start_s) / MICRO, *f)).collect();
        let duration_us = (end_s - start_s) / MICRO;
        let label = format!("time since {start_s:.6} s (µs)");
        let x = Axis::linear(label, -0.25 * duration_us, 1.75 * duration_us);
        let y = Axis::linear("contact force (N/m)", 0.0, 1.15 * high);
        let mut plot = Plot::new(&below, "", x, y)?;
        let ends = [(-duration_us, 0.0), (0.0, 0.0)].into_iter();
        let after = [(duration_us, 0.0), (2.0 * duration_us, 0.0)];
        plot.line(ends.chain(piece).chain(after), Stroke::series(0), Some("hardest shock"))?;
        let peak = format!("peak {high:.1} N/m");
        plot.horizontal(high, Stroke::reference().dotted(), Some(&peak))?;
        plot.verticals([0.0, duration_us], Stroke::reference(), Some(&format!("Δt = {duration_us:.1} µs")))?;
        plot.finish(Corner::UpperRight)
    }
}

/// One quantity of all shocks: distribution function above, histogram below.
#[derive(Debug, Clone)]
pub struct Spread {
    pub label: String,
    pub logarithmic: bool,
    /// (value, share of shocks at or below it).
    pub steps: Vec<(f64, f64)>,
    /// (from, to, share of all shocks).
    pub columns: Vec<(f64, f64, f64)>,
    /// A value that is marked, with its name.
    pub mark: Option<(f64, String)>,
}

#[derive(Debug, Clone)]
pub struct DistributionFigure {
    pub title: String,
    pub spreads: Vec<Spread>,
}

impl Spread {
    fn axis(&self) -> Axis {
        let low = self.columns.first().map_or(0.0, |column| column.0);
        let high = self.columns.last().map_or(1.0, |column| column.1);
        if self.logarithmic {
            Axis::log(&self.label, low, high)
        } else {
            Axis::linear(&self.label, low, high)
        }
    }

    fn paint<DB: DrawingBackend>(&self, above: &Area<DB>, below: &Area<DB>) -> Painted<DB> {
        let mut plot = Plot::new(above, "", self.axis(), Axis::linear("share at or below", 0.0, 1.0))?;
        // Treads and risers: the function jumps at every value.
        let mut level = 0.0;
        let stairs = self.steps.iter().flat_map(|(value, share)| {
            let before = std::mem::replace(&mut level, *share);
            [(*value, before), (*value, *share)]
        });
        let stairs: Vec<(f64, f64)> = stairs.collect();
        plot.line(stairs, Stroke::series(0), None)?;
        if let Some((value, name)) = &self.mark {
            plot.verticals([*value], Stroke::reference(), Some(name))?;
        }
        plot.finish(Corner::LowerRight)?;
        // On a logarithmic axis columns differ in width; per decade their areas compare.
        let density = |(from, to, share): (f64, f64, f64)| match self.logarithmic {
            true => (from, to, share / (to / from).log10()),
            false => (from, to, share),
        };
        let label = if self.logarithmic { "share of shocks per decade" } else { "share of shocks" };
        let highest = self.columns.iter().map(|column| density(*column).2).fold(0.0, f64::max);
        let y = Axis::linear(label, 0.0, 1.1 * highest.max(1e-9));
        let mut plot = Plot::new(below, "", self.axis(), y)?;
        plot.columns(self.columns.iter().map(|column| density(*column)), style::series(0), None)?;
        if let Some((value, _)) = &self.mark {
            plot.verticals([*value], Stroke::reference(), None)?;
        }
        plot.finish(Corner::UpperRight)
    }
}

impl Figure for DistributionFigure {
    fn size(&self) -> (u32, u32) {
        (2400, 1300)
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let body = super::plot::titled(area, &self.title)?;
        let cells = body.split_evenly((2, self.spreads.len().max(1)));
        let (above, below) = cells.split_at(self.spreads.len());
        for (spread, (above, below)) in self.spreads.iter().zip(above.iter().zip(below)) {
            spread.paint(above, below)?;
        }
        Ok(())
    }
}

/// What is read from a moment of contact.
type Reading = fn(&ContactSample) -> f64;

/// Contact count, real contact length and mean separation over time.
#[derive(Debug, Clone)]
pub struct ContactFigure<'a> {
    pub title: String,
    pub history: &'a [ContactSample],
}

impl Figure for ContactFigure<'_> {
    fn size(&self) -> (u32, u32) {
        (1600, 1500)
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Painted<DB> {
        let body = super::plot::titled(area, &self.title)?;
        let times = |sample: &ContactSample| sample.time_s;
        let from = self.history.first().map_or(0.0, times);
        let to = self.history.last().map_or(1.0, times);
        let quantities: [(&str, Reading); 3] = [
            ("spots in contact", |sample| sample.spots),
            ("real contact length (µm)", |sample| sample.length_m / MICRO),
            ("mean separation (µm)", |sample| sample.separation_m / MICRO),
        ];
        for (cell, (index, (label, value))) in
            body.split_evenly((3, 1)).iter().zip(quantities.iter().enumerate())
        {
            let values = self.history.iter().map(value);
            // Counts and lengths stand on zero; a separation has no natural floor.
            let y = if index < 2 {
                Axis::linear(*label, 0.0, 1.08 * values.fold(1e-9, f64::max))
            } else {
                Axis::linear_over(*label, values)
            };
            let mut plot = Plot::new(cell, "", Axis::linear("time (s)", from, to), y)?;
            let line = self.history.iter().map(|sample| (sample.time_s, value(sample)));
            plot.line(line, Stroke { width: 2, ..Stroke::series(index) }, None)?;
            plot.finish(Corner::UpperRight)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::save;

    #[test]
    fn the_hardest_shock_is_cut_out_whole() {
        let node = NodeHistory {
            forces: vec![(0.1, 0.0), (0.2, 3.0), (0.3, 0.0), (0.5, 0.0), (0.6, 4.0), (0.7, 7.0), (0.8, 0.0)],
            ..NodeHistory::default()
        };
        let figure = ForceFigure { title: String::new(), node: &node, end_s: 1.0, reference: None };
        assert_eq!(figure.hardest(), &node.forces[4..]);
    }

    #[test]
    fn a_run_without_any_shock_has_its_pictures_too() {
        let folder = tempfile::tempdir().unwrap();
        let node = NodeHistory::default();
        let force = ForceFigure { title: "a".into(), node: &node, end_s: 1.0, reference: None };
        save(&folder.path().join("a.svg"), &force).unwrap();
        save(&folder.path().join("b.svg"), &ContactFigure { title: "b".into(), history: &[] }).unwrap();
        let empty =
            Spread { label: "x".into(), logarithmic: true, steps: vec![], columns: vec![], mark: None };
        save(&folder.path().join("c.svg"), &DistributionFigure { title: "c".into(), spreads: vec![empty] })
            .unwrap();
    }
}
