//! What a sweep says about levels: Lv = 20·log10(Ra^m · V^n) + s·log10 ζ + c (Dang 2013, eq. 1 and Fig. 16),
//! fitted at once to all points by least squares over what was varied.
//!
//! Points of one seed share their surface and are not independent; the intervals are those of ordinary
//! least squares and are a little narrow for it.

use super::results::Results;
use crate::analysis::fit::{Estimate, least_squares};
use crate::units::micrometres;

pub const CONFIDENCE: f64 = 0.95;

/// Exponents and slope with their intervals; `None` for what was not varied or the points cannot say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Laws {
    /// Exponent of Ra.
    pub m: Option<Estimate>,
    /// Exponent of V.
    pub n: Option<Estimate>,
    pub zeta_db_per_decade: Option<Estimate>,
    /// Lv at Ra = 1 m, V = 1 m/s, ζ = 1, where those were varied.
    pub c_db: Option<Estimate>,
    /// Standard deviation of what is left, dB.
    pub residual_db: Option<f64>,
    /// Points without a finite level or with a zero on a logarithmic axis: not fitted.
    pub left_out: usize,
}

impl Laws {
    pub fn fit(results: &Results) -> Self {
        let column = |name: &str| results.numbers(name).unwrap_or_default();
        let (ra, speed, zeta, level) = (column("ra_um"), column("v_m_s"), column("zeta"), column("lv_db"));
        // Regressors in the order of the law; a column that does not vary has nothing to say.
        let all = [&ra, &speed, &zeta];
        let active: Vec<usize> = (0..3).filter(|axis| varies(all[*axis])).collect();
        let usable: Vec<usize> = (0..level.len())
            .filter(|row| level[*row].is_finite() && active.iter().all(|axis| all[*axis][*row] > 0.0))
            .collect();
        let regressor = |axis: usize, row: usize| match axis {
            0 => 20.0 * micrometres(ra[row]).log10(),
            1 => 20.0 * speed[row].log10(),
            _ => zeta[row].log10(),
        };
        let rows: Vec<Vec<f64>> = usable
            .iter()
            .map(|row| active.iter().map(|axis| regressor(*axis, *row)).chain([1.0]).collect())
            .collect();
        let levels: Vec<f64> = usable.iter().map(|row| level[*row]).collect();
        let mut laws = Self { left_out: level.len() - usable.len(), ..Self::default() };
        let Some(fit) = least_squares(&rows, &levels, CONFIDENCE).filter(|_| !active.is_empty()) else {
            return laws;
        };
        for (axis, estimate) in active.iter().zip(&fit.estimates) {
            match axis {
                0 => laws.m = Some(*estimate),
                1 => laws.n = Some(*estimate),
                _ => laws.zeta_db_per_decade = Some(*estimate),
            }
        }
        laws.c_db = fit.estimates.last().copied();
        laws.residual_db = Some(fit.residual);
        laws
    }
}

fn varies(values: &[f64]) -> bool {
    values.iter().any(|value| *value != values[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(level: impl Fn(f64, f64, f64) -> f64) -> Results {
        let mut rows = Vec::new();
        for ra in [3.0f64, 10.0, 30.0] {
            for speed in [0.02f64, 0.2] {
                for zeta in [0.01f64, 0.1] {
                    let lv = level(ra, speed, zeta).to_string();
                    rows.push(vec![ra.to_string(), speed.to_string(), zeta.to_string(), lv]);
                }
            }
        }
        Results { columns: ["ra_um", "v_m_s", "zeta", "lv_db"].map(str::to_owned).to_vec(), rows }
    }

    #[test]
    fn an_exact_law_is_found_with_all_its_parts() {
        let law = |ra: f64, v: f64, zeta: f64| {
            20.0 * (0.65 * (ra * 1e-6).log10() + 0.6 * v.log10()) - 9.0 * zeta.log10() + 190.0
        };
        let laws = Laws::fit(&table(law));
        let near = |estimate: Option<Estimate>, value: f64| (estimate.unwrap().value - value).abs() < 1e-9;
        assert!(near(laws.m, 0.65) && near(laws.n, 0.6) && near(laws.zeta_db_per_decade, -9.0));
        assert!(near(laws.c_db, 190.0) && laws.left_out == 0);
    }

    #[test]
    fn silence_is_left_out_and_counted() {
        let laws = Laws::fit(&table(|ra, v, _| if ra < 5.0 { f64::NEG_INFINITY } else { v.log10() + ra }));
        assert_eq!(laws.left_out, 4);
        assert!(laws.m.is_some());
    }

    #[test]
    fn what_was_not_varied_has_no_exponent() {
        let mut one = table(|_, v, _| v);
        one.rows.truncate(4);
        let laws = Laws::fit(&one);
        assert!(laws.m.is_none() && laws.n.is_some());
        one.rows.truncate(1);
        assert_eq!(Laws::fit(&one), Laws::default());
    }
}
