//! Distributions of shocks (Dang 2013, §4 and Fig. 12): how hard, how long, how much energy.

use crate::record::Shock;

/// Finite values in rising order.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    sorted: Vec<f64>,
}

/// Counts between edges; what lies outside is counted in neither.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// One more than there are counts.
    pub edges: Vec<f64>,
    pub counts: Vec<u64>,
}

impl Histogram {
    /// `(from, to, share of all)` for each column, where `all` is the number of values asked about.
    pub fn shares(&self, all: usize) -> impl Iterator<Item = (f64, f64, f64)> {
        let scale = 1.0 / all.max(1) as f64;
        self.edges
            .windows(2)
            .zip(&self.counts)
            .map(move |(edge, count)| (edge[0], edge[1], *count as f64 * scale))
    }
}

impl Distribution {
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Self { sorted }
    }

    /// Peak force per metre of width, N/m.
    pub fn peak_forces(shocks: &[Shock]) -> Self {
        Self::new(shocks.iter().map(|shock| shock.peak_force_n_m))
    }

    pub fn durations(shocks: &[Shock]) -> Self {
        Self::new(shocks.iter().map(|shock| shock.duration_s))
    }

    /// Energy given to the profile's own beam, J/m; either sign.
    pub fn energies(shocks: &[Shock]) -> Self {
        Self::new(shocks.iter().map(|shock| shock.energy_j_m))
    }

    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub fn values(&self) -> &[f64] {
        &self.sorted
    }

    /// Share of values below `limit`; zero when there are none at all.
    pub fn share_below(&self, limit: f64) -> f64 {
        self.sorted.partition_point(|value| *value < limit) as f64 / self.len().max(1) as f64
    }

    /// The value that `share` of all values do not exceed, interpolated (Hyndman and Fan 1996, type 7).
    /// `None` when there are no values.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.len().checked_sub(1)?;
        let place = share.clamp(0.0, 1.0) * last as f64;
        let (below, part) = (place.floor() as usize, place.fract());
        let above = (below + 1).min(last);
        Some(self.sorted[below] + part * (self.sorted[above] - self.sorted[below]))
    }

    /// The empirical distribution function as steps `(value, share of values ≤ it)`, at most `points` of
    /// them, evenly spread over the shares; the largest value is always there.
    pub fn steps(&self, points: usize) -> Vec<(f64, f64)> {
        let count = self.len();
        let wanted = points.clamp(1, count.max(1)).min(count);
        (1..=wanted)
            .map(|i| {
                let rank = (i * count).div_ceil(wanted);
                (self.sorted[rank - 1], rank as f64 / count as f64)
            })
            .collect()
    }

    /// Counts between `edges` (rising): a value on an edge belongs to the column above, the last edge to
    /// the last column.
    pub fn histogram(&self, edges: Vec<f64>) -> Histogram {
        let below = |edge: f64| self.sorted.partition_point(|value| *value < edge);
        let through = |edge: f64| self.sorted.partition_point(|value| *value <= edge);
        let last = edges.len().saturating_sub(2);
        let counts = edges
            .windows(2)
            .enumerate()
            .map(|(column, edge)| {
                let upper = if column == last { through(edge[1]) } else { below(edge[1]) };
                (upper - below(edge[0])) as u64
            })
            .collect();
        Histogram { edges, counts }
    }
}

/// `columns + 1` edges at equal distances.
pub fn linear_edges(low: f64, high: f64, columns: usize) -> Vec<f64> {
    (0..=columns).map(|i| low + (high - low) * i as f64 / columns as f64).collect()
}

/// `columns + 1` edges at equal ratios; both ends positive.
pub fn log_edges(low: f64, high: f64, columns: usize) -> Vec<f64> {
    (0..=columns).map(|i| low * (high / low).powf(i as f64 / columns as f64)).collect()
}

/// Σ ΔW over all shocks, J/m, summed without loss (Neumaier 1974): small gains and losses nearly cancel.
pub fn energy_sum(shocks: &[Shock]) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for shock in shocks {
        let next = sum + shock.energy_j_m;
        lost += if sum.abs() >= shock.energy_j_m.abs() {
            (sum - next) + shock.energy_j_m
        } else {
            (shock.energy_j_m - next) + sum
        };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shock(peak_force_n_m: f64, energy_j_m: f64) -> Shock {
        Shock {
            profile: 1,
            node: 0,
            start_s: 0.0,
            duration_s: 2.0 * peak_force_n_m,
            peak_force_n_m,
            energy_j_m,
        }
    }

    #[test]
    fn shares_and_quantiles_of_one_to_a_hundred() {
        let shocks: Vec<Shock> = (1..=100).rev().map(|i| shock(f64::from(i), 0.0)).collect();
        let forces = Distribution::peak_forces(&shocks);
        assert_eq!((forces.len(), forces.values()[0]), (100, 1.0));
        assert_eq!(forces.share_below(31.0), 0.3);
        assert_eq!(forces.share_below(1000.0), 1.0);
        assert_eq!(forces.quantile(0.5), Some(50.5));
        assert_eq!((forces.quantile(0.0), forces.quantile(1.0)), (Some(1.0), Some(100.0)));
        assert_eq!(Distribution::durations(&shocks).quantile(1.0), Some(200.0));
        assert_eq!(forces.steps(4), [(25.0, 0.25), (50.0, 0.5), (75.0, 0.75), (100.0, 1.0)]);
        assert_eq!(forces.steps(1000).len(), 100);
    }

    #[test]
    fn histograms_count_each_value_once() {
        let values = Distribution::new([0.0, 0.5, 1.0, 1.0, 2.0, 3.0, f64::NAN, 9.0]);
        let histogram = values.histogram(linear_edges(0.0, 3.0, 3));
        assert_eq!(histogram.counts, [2, 2, 2]);
        let shares: Vec<_> = histogram.shares(values.len()).collect();
        assert_eq!(shares[0], (0.0, 1.0, 2.0 / 7.0));
        let decades = Distribution::new([0.01, 0.02, 0.5, 7.0]).histogram(log_edges(0.01, 10.0, 3));
        assert_eq!(decades.counts, [2, 1, 1]);
    }

    #[test]
    fn small_energies_survive_a_large_pair() {
        let shocks: Vec<Shock> = [1e16, 1.0, 1.0, -1e16].map(|energy| shock(1.0, energy)).to_vec();
        assert_eq!(energy_sum(&shocks), 2.0);
        assert_eq!(Distribution::energies(&shocks).share_below(0.0), 0.25);
    }

    #[test]
    fn no_shocks_is_an_answer_too() {
        let none = Distribution::peak_forces(&[]);
        assert!(none.is_empty() && none.quantile(0.5).is_none() && none.steps(10).is_empty());
        assert_eq!(none.share_below(1.0), 0.0);
        assert_eq!(none.histogram(linear_edges(0.0, 1.0, 2)).counts, [0, 0]);
        assert_eq!(energy_sum(&[]), 0.0);
    }
}
