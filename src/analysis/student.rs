//! Student's t distribution for whole degrees of freedom, by its finite series.
//!
//! Abramowitz and Stegun 1964, 26.7.3 and 26.7.4: with θ = atan(t/√ν), the probability of |T| < t is
//!   ν odd:  2/π · [θ + sin θ · (cos θ + 2/3·cos³θ + … + (2·4…(ν-3))/(3·5…(ν-2))·cos^(ν-2) θ)]
//!   ν even: sin θ · [1 + 1/2·cos²θ + … + (1·3…(ν-3))/(2·4…(ν-2))·cos^(ν-2) θ]

/// Probability that |T| < t.
pub fn probability_within(t: f64, degrees: u32) -> f64 {
    let theta = (t / f64::from(degrees).sqrt()).atan();
    let (sin, cos) = theta.sin_cos();
    let odd = degrees % 2 == 1;
    // First term and first numerator of the ratio between neighbours.
    let (mut term, mut k) = if odd { (cos, 2) } else { (1.0, 1) };
    let mut sum = 0.0;
    for _ in 0..(degrees - u32::from(odd)) / 2 {
        sum += term;
        term *= f64::from(k) / f64::from(k + 1) * cos * cos;
        k += 2;
    }
    if odd { std::f64::consts::FRAC_2_PI * (theta + sin * sum) } else { sin * sum }
}

/// The t that holds |T| < t with probability `confidence`: 0.95 gives the usual two-sided 95 %.
/// `None` without degrees of freedom or for a confidence outside 0..1.
pub fn two_sided_quantile(confidence: f64, degrees: u32) -> Option<f64> {
    if degrees == 0 || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    // Beyond this the normal distribution is reached to four digits and the series only gets longer.
    let degrees = degrees.min(100_000);
    let mut high = 1.0;
    while probability_within(high, degrees) < confidence {
        high *= 2.0;
    }
    let mut low = 0.0;
    while high - low > 1e-12 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if probability_within(middle, degrees) < confidence { low = middle } else { high = middle }
    }
    Some(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn val_quantiles_as_tabulated() {
        // Abramowitz and Stegun 1964, Table 26.10.
        let table = [
            (0.95, 1, 12.706),
            (0.95, 2, 4.303),
            (0.95, 3, 3.182),
            (0.95, 5, 2.571),
            (0.95, 10, 2.228),
            (0.95, 30, 2.042),
            (0.95, 120, 1.980),
            (0.99, 4, 4.604),
            (0.99, 15, 2.947),
            (0.90, 7, 1.895),
            (0.95, 4_000_000, 1.960),
        ];
        for (confidence, degrees, expected) in table {
            let t = two_sided_quantile(confidence, degrees).unwrap();
            assert!((t - expected).abs() <= 0.0006, "{degrees}: {t} {expected}");
        }
    }

    #[test]
    fn one_and_two_degrees_have_closed_forms() {
        for t in [0.1, 1.0, 3.0, 40.0f64] {
            let cauchy = std::f64::consts::FRAC_2_PI * t.atan();
            assert!((probability_within(t, 1) - cauchy).abs() < 1e-14);
            assert!((probability_within(t, 2) - t / (2.0 + t * t).sqrt()).abs() < 1e-14);
        }
    }

    #[test]
    fn nonsense_has_no_quantile() {
        assert!(two_sided_quantile(0.95, 0).is_none());
        assert!(two_sided_quantile(1.0, 5).is_none());
        assert!(two_sided_quantile(f64::NAN, 5).is_none());
    }
}
