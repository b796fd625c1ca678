//! The pictures of `asperity shocks`, each as PNG and SVG.

use std::path::Path;

use super::Findings;
use crate::analysis::shock_study::Property;
use crate::error::Error;
use crate::picture::save;
use crate::picture::shocks::{ContactFigure, DistributionFigure, ForceFigure, Spread};
use crate::units::MICRO;

/// Points of a distribution function that a picture can show.
const STEPS: usize = 2000;

impl Findings<'_> {
    pub fn draw(&self, folder: &Path) -> Result<(), Error> {
        let (force, distributions, contact) =
            (self.force_figure(), self.distribution_figure(), self.contact_figure());
        for ending in ["png", "svg"] {
            save(&folder.join(format!("force-history.{ending}")), &force)?;
            save(&folder.join(format!("shock-distributions.{ending}")), &distributions)?;
            save(&folder.join(format!("contact-history.{ending}")), &contact)?;
        }
        Ok(())
    }

    fn force_figure(&self) -> ForceFigure<'_> {
        let node = &self.run.node;
        ForceFigure {
            title: format!("Contact force at {:.2} mm on the slider", node.position_m * 1e3),
            node,
            end_s: self.run.figures.seconds,
            reference: Some((self.study.weight_n_m, format!("W = {}", self.weight_text()))),
        }
    }

    fn distribution_figure(&self) -> DistributionFigure {
        let spread = |property: &Property, label: &str, scale: f64, mark: Option<(f64, String)>| {
            let shares = property.histogram.shares(property.distribution.len());
            Spread {
                label: label.to_owned(),
                logarithmic: property.histogram.edges[0] > 0.0,
                steps: property
                    .distribution
                    .steps(STEPS)
                    .iter()
                    .map(|(v, share)| (v * scale, *share))
                    .collect(),
                columns: shares.map(|(from, to, share)| (from * scale, to * scale, share)).collect(),
                mark,
            }
        };
        let study = &self.study;
        DistributionFigure {
            title: format!(
                "{} shocks at nodes of both surfaces; W = {}",
                self.run.shocks.len(),
                self.weight_text()
            ),
            spreads: vec![
                spread(&study.peak_force, "peak force / W", 1.0, Some((1.0, "W".into()))),
                spread(&study.duration, "duration (µs)", 1.0 / MICRO, None),
                spread(&study.energy, "energy given to the own beam (µJ/m)", 1.0 / MICRO, None),
            ],
        }
    }

    fn contact_figure(&self) -> ContactFigure<'_> {
        let stretch_s =
            self.run.history.windows(2).next().map_or(0.0, |pair| pair[1].time_s - pair[0].time_s);
        ContactFigure {
            title: format!("Contact under the slider, means over {:.0} µs", stretch_s / MICRO),
            history: &self.run.history,
        }
    }
}
