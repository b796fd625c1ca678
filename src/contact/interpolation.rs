//! The smooth master surface between its nodes (Dang 2013, eqs. 30–32): Hermite cubic inside, straight
//! lines on the first and last segment of an open profile.

/// Weights of the four master nodes l'-1 … l'+2 at local coordinate ξ, and their slopes d/dξ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interpolation {
    pub weights: [f64; 4],
    pub slopes: [f64; 4],
}

impl Interpolation {
    /// Eq. 31.
    pub fn cubic(xi: f64) -> Self {
        let (xi2, xi3) = (xi * xi, xi * xi * xi);
        Self {
            weights: [
                -0.5 * xi + xi2 - 0.5 * xi3,
                1.0 - 2.5 * xi2 + 1.5 * xi3,
                0.5 * xi + 2.0 * xi2 - 1.5 * xi3,
                -0.5 * xi2 + 0.5 * xi3,
            ],
            slopes: [
                -0.5 + 2.0 * xi - 1.5 * xi2,
                -5.0 * xi + 4.5 * xi2,
                0.5 + 4.0 * xi - 4.5 * xi2,
                -xi + 1.5 * xi2,
            ],
        }
    }

    /// Eq. 32, written on the same four nodes; the outer two weigh nothing.
    pub fn linear(xi: f64) -> Self {
        Self { weights: [0.0, 1.0 - xi, xi, 0.0], slopes: [0.0, -1.0, 1.0, 0.0] }
    }

    /// No more than this factor may a bound on nodal values grow on the way to an interpolated one:
    /// the largest Σ|N_r| over ξ, reached at ξ = ½.
    pub const GAIN: f64 = 1.25;
}

/// Largest value and largest |slope| (per node spacing) of the cubic through four nodes, on ξ in [0, 1].
pub fn cubic_extremes(nodes: [f64; 4]) -> (f64, f64) {
    let [p0, p1, p2, p3] = nodes;
    // c1·ξ + c2·ξ² + c3·ξ³ + p1
    let c1 = 0.5 * (p2 - p0);
    let c2 = p0 - 2.5 * p1 + 2.0 * p2 - 0.5 * p3;
    let c3 = 0.5 * (p3 - p0) + 1.5 * (p1 - p2);
    let value = |xi: f64| p1 + xi * (c1 + xi * (c2 + xi * c3));
    let slope = |xi: f64| c1 + xi * (2.0 * c2 + 3.0 * c3 * xi);
    let mut highest = p1.max(p2);
    let root = c2 * c2 - 3.0 * c3 * c1;
    if root >= 0.0 && c3 != 0.0 {
        for sign in [-1.0, 1.0] {
            let xi = (-c2 + sign * root.sqrt()) / (3.0 * c3);
            if (0.0..=1.0).contains(&xi) {
                highest = highest.max(value(xi));
            }
        }
    } else if c2 != 0.0 {
        let xi = -c1 / (2.0 * c2);
        if (0.0..=1.0).contains(&xi) {
            highest = highest.max(value(xi));
        }
    }
    let mut steepest = slope(0.0).abs().max(slope(1.0).abs());
    if c3 != 0.0 {
        let xi = -c2 / (3.0 * c3);
        if (0.0..=1.0).contains(&xi) {
            steepest = steepest.max(slope(xi).abs());
        }
    }
    (highest, steepest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_pass_through_the_nodes() {
        for xi in [0.0, 0.1, 0.5, 0.9, 1.0] {
            for rule in [Interpolation::cubic(xi), Interpolation::linear(xi)] {
                assert!((rule.weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
                assert!(rule.slopes.iter().sum::<f64>().abs() < 1e-15);
                let gain: f64 = rule.weights.iter().map(|w| w.abs()).sum();
                assert!(gain <= Interpolation::GAIN + 1e-15);
            }
        }
        assert_eq!(Interpolation::cubic(0.0).weights, [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(Interpolation::cubic(1.0).weights, [0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn slopes_are_the_derivatives_of_the_weights() {
        let h = 1e-6;
        for xi in [0.2, 0.5, 0.7] {
            let (low, high) = (Interpolation::cubic(xi - h), Interpolation::cubic(xi + h));
            for r in 0..4 {
                let slope = (high.weights[r] - low.weights[r]) / (2.0 * h);
                assert!((slope - Interpolation::cubic(xi).slopes[r]).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn extremes_bound_the_cubic() {
        let mut seed = 7u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / 2f64.powi(31) - 0.5
        };
        for _ in 0..2000 {
            let nodes = [next(), next(), next(), next()];
            let (highest, steepest) = cubic_extremes(nodes);
            let mut seen = f64::MIN;
            for i in 0..=100 {
                let rule = Interpolation::cubic(i as f64 / 100.0);
                let value: f64 = rule.weights.iter().zip(nodes).map(|(w, n)| w * n).sum();
                let slope: f64 = rule.slopes.iter().zip(nodes).map(|(w, n)| w * n).sum();
                assert!(value <= highest + 1e-12 && slope.abs() <= steepest + 1e-12);
                seen = seen.max(value);
            }
            assert!(highest - seen < 1e-3, "bound is not tight");
        }
    }
}
