//! Mean of any piece of a sampled curve, open or looped, from its running integral by trapezia: two look-ups
//! instead of a sum.

pub struct RunningMean {
    integral: Vec<f64>,
    step_m: f64,
    looped: bool,
}

impl RunningMean {
    pub fn new(values: &[f64], step_m: f64, looped: bool) -> Self {
        let mut integral = vec![0.0];
        let next = values.iter().skip(1).chain(values.first().filter(|_| looped));
        let mut sum = 0.0;
        for (a, b) in values.iter().zip(next) {
            sum += 0.5 * step_m * (a + b);
            integral.push(sum);
        }
        Self { integral, step_m, looped }
    }

    fn up_to(&self, x_m: f64) -> f64 {
        let last = self.integral.len() - 1;
        let place = x_m / self.step_m;
        let turns = if self.looped { (place / last as f64).floor() } else { 0.0 };
        let place = (place - turns * last as f64).clamp(0.0, last as f64);
        let below = (place.floor() as usize).min(last.saturating_sub(1));
        let part = place - below as f64;
        let above = (below + 1).min(last);
        turns * self.integral[last] + (1.0 - part) * self.integral[below] + part * self.integral[above]
    }

    /// Mean from `from_m` over `length_m`.
    pub fn mean(&self, from_m: f64, length_m: f64) -> f64 {
        (self.up_to(from_m + length_m) - self.up_to(from_m)) / length_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_means_of_open_and_looped_profiles() {
        let heights = [0.0, 1.0, 2.0, 3.0, 4.0];
        let open = RunningMean::new(&heights, 0.5, false);
        assert!((open.mean(0.5, 1.0) - 2.0).abs() < 1e-12);
        let waves: Vec<f64> = (0..8).map(|l| f64::from(l % 4)).collect();
        let looped = RunningMean::new(&waves, 0.1, true);
        for from in [0.0, 0.23, 5.7, -0.9] {
            assert!((looped.mean(from, 0.8) - 1.5).abs() < 1e-12, "{from}");
        }
    }
}
