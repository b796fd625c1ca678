//! Laws fitted to levels, with the width of doubt.
//!
//! Ordinary least squares by Householder's QR (Golub and Van Loan, §5.3); the interval of a coefficient
//! is ±t·s·√((RᵀR)⁻¹)ᵢᵢ with Student's t at n - p degrees of freedom and s² = Σ residual² / (n - p).
//!
//! The law of Dang 2013 (eq. 1) is Lv = 20·log10(Ra^m · V^n) + c: two exponents and a constant.

use super::student::two_sided_quantile;

/// A coefficient and its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// Half the width of the interval.
    pub half_width: f64,
}

impl Estimate {
    pub fn interval(&self) -> [f64; 2] {
        [self.value - self.half_width, self.value + self.half_width]
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// One per column of the regressors.
    pub estimates: Vec<Estimate>,
    /// Standard deviation of the residuals.
    pub residual: f64,
    pub degrees: u32,
}

/// Fits `y ≈ Σ βⱼ·rows[i][j]`. `None` when the data cannot say: no more rows than columns, columns that
/// depend on each other, or values that are not finite.
pub fn least_squares(rows: &[Vec<f64>], y: &[f64], confidence: f64) -> Option<Fit> {
    let columns = rows.first()?.len();
    let degrees = u32::try_from(rows.len().checked_sub(columns)?).ok()?;
    let t = two_sided_quantile(confidence, degrees)?;
    let numbers = rows.iter().flatten().chain(y);
    if rows.len() != y.len()
        || rows.iter().any(|row| row.len() != columns)
        || !numbers.clone().all(|v| v.is_finite())
    {
        return None;
    }

    // Reduce [A | y] to upper triangular form, column by column.
    let mut work: Vec<Vec<f64>> =
        rows.iter().zip(y).map(|(row, y)| [row.as_slice(), &[*y]].concat()).collect();
    let scale: Vec<f64> =
        (0..columns).map(|j| work.iter().map(|row| row[j] * row[j]).sum::<f64>().sqrt()).collect();
    for j in 0..columns {
        let norm = work[j..].iter().map(|row| row[j] * row[j]).sum::<f64>().sqrt();
        // What is left of a column after the earlier ones took their part: nothing if it depends on them.
        if norm <= 1e-10 * scale[j] {
            return None;
        }
        let corner = if work[j][j] > 0.0 { -norm } else { norm };
        let mut mirror: Vec<f64> = work[j..].iter().map(|row| row[j]).collect();
        mirror[0] -= corner;
        let length = mirror.iter().map(|v| v * v).sum::<f64>();
        for k in j..=columns {
            let along = 2.0 / length * mirror.iter().zip(&work[j..]).map(|(v, row)| v * row[k]).sum::<f64>();
            for (v, row) in mirror.iter().zip(&mut work[j..]) {
                row[k] -= along * v;
            }
        }
    }

    // Solves R·x = b from below.
    let solve = |b: &dyn Fn(usize) -> f64| {
        let mut x = vec![0.0; columns];
        for i in (0..columns).rev() {
            let known: f64 = (i + 1..columns).map(|k| work[i][k] * x[k]).sum();
            x[i] = (b(i) - known) / work[i][i];
        }
        x
    };
    let coefficients = solve(&|i| work[i][columns]);
    let residual_squares: f64 = work[columns..].iter().map(|row| row[columns] * row[columns]).sum();
    let residual = (residual_squares / f64::from(degrees)).sqrt();
    // (RᵀR)⁻¹ᵢᵢ is the squared length of row i of R⁻¹.
    let mut variances = vec![0.0; columns];
    for j in 0..columns {
        for (variance, entry) in variances.iter_mut().zip(solve(&|i| f64::from(u8::from(i == j)))) {
            *variance += entry * entry;
        }
    }
    let estimates = coefficients
        .into_iter()
        .zip(variances)
        .map(|(value, variance)| Estimate { value, half_width: t * residual * variance.sqrt() })
        .collect();
    Some(Fit { estimates, residual, degrees })
}

/// One measured or computed level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelPoint {
    pub ra_m: f64,
    pub speed_m_s: f64,
    pub lv_db: f64,
}

/// Lv = 20·log10(Ra^m · V^n) + c, with Ra in m and V in m/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelLaw {
    pub m: Estimate,
    pub n: Estimate,
    pub c_db: Estimate,
    /// Standard deviation of what the law leaves unexplained, dB.
    pub residual_db: f64,
}

impl LevelLaw {
    pub fn level_db(&self, ra_m: f64, speed_m_s: f64) -> f64 {
        20.0 * (self.m.value * ra_m.log10() + self.n.value * speed_m_s.log10()) + self.c_db.value
    }
}

/// `None` when the points do not span both roughness and speed, or are fewer than four.
pub fn level_law(points: &[LevelPoint], confidence: f64) -> Option<LevelLaw> {
    let rows: Vec<Vec<f64>> = points
        .iter()
        .map(|point| vec![20.0 * point.ra_m.log10(), 20.0 * point.speed_m_s.log10(), 1.0])
        .collect();
    let levels: Vec<f64> = points.iter().map(|point| point.lv_db).collect();
    let fit = least_squares(&rows, &levels, confidence)?;
    let [m, n, c_db] = fit.estimates[..] else { return None };
    Some(LevelLaw { m, n, c_db, residual_db: fit.residual })
}

/// Change of y for each factor of ten in x.
pub fn slope_per_decade(points: &[(f64, f64)], confidence: f64) -> Option<Estimate> {
    let rows: Vec<Vec<f64>> = points.iter().map(|(x, _)| vec![x.log10(), 1.0]).collect();
    let y: Vec<f64> = points.iter().map(|(_, y)| *y).collect();
    Some(least_squares(&rows, &y, confidence)?.estimates[0])
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn grid(noise_db: f64, seed: u64) -> Vec<LevelPoint> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut points = Vec::new();
        for ra_m in [3e-6, 5e-6, 10e-6, 20e-6, 30e-6] {
            for speed_m_s in [0.02, 0.05, 0.1, 0.3, 0.7] {
                let level = 20.0 * (0.8 * f64::log10(ra_m) + 0.7 * f64::log10(speed_m_s)) + 200.0;
                points.push(LevelPoint {
                    ra_m,
                    speed_m_s,
                    lv_db: level + noise_db * rng.random_range(-1.0..1.0),
                });
            }
        }
        points
    }

    #[test]
    fn a_line_through_anscombe() {
        // F. J. Anscombe, "Graphs in statistical analysis", 1973, set I: 3.0001 + 0.5001 x, with standard
        // errors 1.1247 and 0.1179, residual 1.2366; t at 9 degrees is 2.2622.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let rows: Vec<Vec<f64>> = x.iter().map(|x| vec![*x, 1.0]).collect();
        let fit = least_squares(&rows, &y, 0.95).unwrap();
        let [slope, offset] = fit.estimates[..] else { panic!("two coefficients") };
        assert!((slope.value - 0.5001).abs() < 1e-4 && (offset.value - 3.0001).abs() < 1e-4);
        assert!((slope.half_width - 2.2622 * 0.1179).abs() < 2e-4, "{slope:?}");
        assert!((offset.half_width - 2.2622 * 1.1247).abs() < 2e-4, "{offset:?}");
        assert!((fit.residual - 1.2366).abs() < 1e-4);
        assert_eq!(fit.degrees, 9);
    }

    #[test]
    fn an_exact_law_is_found_exactly() {
        let law = level_law(&grid(0.0, 1), 0.95).unwrap();
        assert!((law.m.value - 0.8).abs() < 1e-12 && (law.n.value - 0.7).abs() < 1e-12);
        assert!((law.c_db.value - 200.0).abs() < 1e-10 && law.m.half_width < 1e-10);
        assert!((law.level_db(5e-6, 0.1) - grid(0.0, 1)[7].lv_db).abs() < 1e-10);
    }

    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        let held = (0..400)
            .filter(|seed| {
                let [low, high] = level_law(&grid(2.0, *seed), 0.95).unwrap().m.interval();
                (low..=high).contains(&0.8)
            })
            .count();
        // Binomial: 380 ± 4.4.
        assert!((365..=395).contains(&held), "{held} of 400");
    }

    #[test]
    fn what_the_data_cannot_say_is_not_said() {
        let one_speed: Vec<LevelPoint> =
            grid(1.0, 3).into_iter().filter(|point| point.speed_m_s == 0.1).collect();
        assert!(level_law(&one_speed, 0.95).is_none());
        assert!(level_law(&grid(1.0, 3)[..3], 0.95).is_none());
        let mut silent = grid(1.0, 3);
        silent[4].lv_db = f64::NEG_INFINITY;
        assert!(level_law(&silent, 0.95).is_none());
        assert!(least_squares(&[], &[], 0.95).is_none());
    }

    #[test]
    fn slope_per_decade_is_in_the_unit_of_y() {
        let points = [(0.01, 120.0), (0.1, 110.0), (1.0, 100.0)];
        let slope = slope_per_decade(&points, 0.95).unwrap();
        assert!((slope.value + 10.0).abs() < 1e-12 && slope.half_width < 1e-9);
    }
}
