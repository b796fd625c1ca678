//! All shocks of a run by the three properties of Dang 2013, §4: largest force, duration, transferred energy
//! (Fig. 12). Forces are counted in a weight that the caller names; the paper's own M is the slider's mass in
//! kg/m read as newtons, a tenth of its weight.

use super::shocks::{Distribution, Histogram, linear_edges, log_edges};
use crate::record::Shock;

/// Columns of a histogram.
const COLUMNS: usize = 36;

/// One property of all shocks.
#[derive(Debug, Clone)]
pub struct Property {
    pub name: &'static str,
    pub distribution: Distribution,
    pub histogram: Histogram,
}

#[derive(Debug, Clone)]
pub struct ShockStudy {
    /// What forces are counted in, N per metre of width.
    pub weight_n_m: f64,
    pub peak_force: Property,
    pub duration: Property,
    pub energy: Property,
}

impl ShockStudy {
    /// `step_s` is the step of the run: durations are whole numbers of it.
    pub fn new(shocks: &[Shock], weight_n_m: f64, step_s: f64) -> Self {
        let forces = Distribution::new(shocks.iter().map(|shock| shock.peak_force_n_m / weight_n_m));
        let durations = Distribution::durations(shocks);
        let energies = Distribution::energies(shocks);
        let (force_edges, duration_edges) = (positive_edges(&forces), step_edges(&durations, step_s));
        let energy_edges = signed_edges(&energies);
        Self {
            weight_n_m,
            peak_force: Property::new("peak_force_weights", forces, force_edges),
            duration: Property::new("duration_s", durations, duration_edges),
            energy: Property::new("energy_j_m", energies, energy_edges),
        }
    }

    pub fn properties(&self) -> [&Property; 3] {
        [&self.peak_force, &self.duration, &self.energy]
    }
}

impl Property {
    fn new(name: &'static str, distribution: Distribution, edges: Vec<f64>) -> Self {
        Self { name, histogram: distribution.histogram(edges), distribution }
    }
}

/// Equal ratios up to the largest value, over six decades at most. The lightest in a thousand are left out: a
/// graze of one step can be as weak as rounding.
fn positive_edges(values: &Distribution) -> Vec<f64> {
    let at = |share| values.quantile(share).filter(|value| *value > 0.0);
    let high = at(1.0).unwrap_or(1.0);
    let low = at(0.001).unwrap_or(0.1 * high).max(1e-6 * high);
    log_edges(if high > low { low } else { 0.5 * high }, high, COLUMNS)
}

/// As [`positive_edges`], but between whole steps, so that no column falls between two possible values.
fn step_edges(values: &Distribution, step_s: f64) -> Vec<f64> {
    let whole = |edge: f64| (edge / step_s).round();
    let mut edges = positive_edges(values);
    let last = edges.pop().map_or(1.0, whole);
    let mut snapped: Vec<f64> = edges.into_iter().map(|edge| (whole(edge) - 0.5) * step_s).collect();
    snapped.push((last + 0.5) * step_s);
    snapped.dedup();
    snapped
}

/// Equal widths about zero over the middle 98 %: most shocks hand over next to nothing, and a few a thousand
/// times as much.
fn signed_edges(values: &Distribution) -> Vec<f64> {
    let at = |share| values.quantile(share).map_or(0.0, f64::abs);
    let reach = at(0.01).max(at(0.99));
    // An odd number of columns keeps what is nearly zero in one of them.
    let reach = if reach > 0.0 { reach } else { 1.0 };
    linear_edges(-reach, reach, COLUMNS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_counted_in_the_weight_and_nearly_all_shocks_in_the_columns() {
        let shocks: Vec<Shock> = (1..=1000)
            .map(|i| Shock {
                profile: 1,
                node: i,
                start_s: 0.0,
                duration_s: 1e-6 * f64::from(i),
                peak_force_n_m: 0.1 * f64::from(i),
                energy_j_m: f64::from(i) - 500.0,
            })
            .collect();
        let study = ShockStudy::new(&shocks, 10.0, 1e-6);
        assert_eq!(study.peak_force.distribution.quantile(1.0), Some(10.0));
        for (property, least) in study.properties().into_iter().zip([990, 990, 980]) {
            let counted: u64 = property.histogram.counts.iter().sum();
            assert!((least..=1000).contains(&counted), "{}: {counted}", property.name);
        }
        // Durations of whole steps: every column holds some.
        assert!(study.duration.histogram.counts.iter().all(|count| *count > 0));
        // No shocks are no reason to fail.
        assert!(ShockStudy::new(&[], 1.0, 1e-7).energy.distribution.is_empty());
    }
}
