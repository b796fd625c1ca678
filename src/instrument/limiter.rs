//! The last thing before the loudspeaker. What stays within full scale passes bit for bit; what does not is
//! turned down at once, both sides alike, and let up again slowly. Nothing above full scale and nothing
//! that is not a number ever leaves.

/// Time in which the gain comes back by a factor of e.
const RELEASE_S: f64 = 0.1;
/// From here on the gain is whole again.
const WHOLE: f64 = 0.9999;

#[derive(Debug, Clone)]
pub struct Limiter {
    gain: f64,
    release: f64,
    /// Least gain since last asked.
    least: f64,
    /// Samples that were not numbers.
    wild: u64,
}

impl Limiter {
    pub fn new(rate_hz: f64) -> Self {
        Self { gain: 1.0, release: (-1.0 / (RELEASE_S * rate_hz)).exp(), least: 1.0, wild: 0 }
    }

    pub fn reset(&mut self) {
        self.gain = 1.0;
        self.least = 1.0;
    }

    pub fn is_open(&self) -> bool {
        self.gain == 1.0
    }

    /// Samples so far that were not finite.
    pub fn wild_samples(&self) -> u64 {
        self.wild
    }

    /// The deepest reduction since the last call, dB, 0 when it did nothing.
    pub fn take_reduction_db(&mut self) -> f64 {
        let least = std::mem::replace(&mut self.least, self.gain);
        -20.0 * least.log10()
    }

    pub fn run(&mut self, left: &mut f32, right: &mut f32) {
        for side in [&mut *left, &mut *right] {
            if !side.is_finite() {
                *side = 0.0;
                self.wild += 1;
            }
        }
        let peak = f64::from(left.abs().max(right.abs()));
        if peak <= 1.0 && self.gain == 1.0 {
            return;
        }
        self.gain = 1.0 - (1.0 - self.gain) * self.release;
        // No number, should it ever be none, is whole as well.
        if self.gain.is_nan() || self.gain > WHOLE {
            self.gain = 1.0;
        }
        if peak * self.gain > 1.0 {
            self.gain = 1.0 / peak;
        }
        self.least = self.least.min(self.gain);
        for side in [left, right] {
            *side = (f64::from(*side) * self.gain).clamp(-1.0, 1.0) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn within_full_scale_not_a_bit_changes() {
        let mut limiter = Limiter::new(48_000.0);
        for i in 0..1000 {
            let was = ((i as f32) * 0.1).sin();
            let (mut left, mut right) = (was, -was);
            limiter.run(&mut left, &mut right);
            assert_eq!((left.to_bits(), right.to_bits()), (was.to_bits(), (-was).to_bits()));
        }
        assert_eq!(limiter.take_reduction_db(), 0.0);
    }

    #[test]
    fn it_lets_go_and_says_how_much_it_took() {
        let mut limiter = Limiter::new(48_000.0);
        let (mut left, mut right) = (4.0, -2.0);
        limiter.run(&mut left, &mut right);
        assert_eq!((left, right), (1.0, -0.5));
        assert!((limiter.take_reduction_db() - 12.04).abs() < 0.01);
        for _ in 0..96_000 {
            limiter.run(&mut 0.1, &mut 0.1);
        }
        assert!(limiter.is_open());
        limiter.take_reduction_db();
        assert_eq!(limiter.take_reduction_db(), 0.0);
    }

    proptest! {
        #[test]
        fn nothing_gets_beyond_full_scale(pairs in proptest::collection::vec((any::<f32>(), any::<f32>()), 1..300)) {
            let mut limiter = Limiter::new(48_000.0);
            for (mut left, mut right) in pairs {
                limiter.run(&mut left, &mut right);
                prop_assert!(left.abs() <= 1.0 && right.abs() <= 1.0);
            }
        }
    }
}
