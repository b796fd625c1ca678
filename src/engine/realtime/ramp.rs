//! Values that glide to where they are set: in a straight line, or at a constant ratio for values that
//! are compared by ratio. One step per control tick, so block sizes play no part.

/// Time a change takes, s.
pub const RAMP_S: f64 = 0.02;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ramp {
    value: f64,
    target: f64,
    first: f64,
    /// Ticks left.
    left: u32,
    ticks: u32,
    by_ratio: bool,
}

impl Ramp {
    /// `tick_s` is the time between two ticks.
    pub fn linear(value: f64, tick_s: f64) -> Self {
        Self {
            value,
            target: value,
            first: value,
            left: 0,
            ticks: ((RAMP_S / tick_s).round() as u32).max(1),
            by_ratio: false,
        }
    }

    /// For values above zero.
    pub fn by_ratio(value: f64, tick_s: f64) -> Self {
        Self { by_ratio: true, ..Self::linear(value, tick_s) }
    }

    pub fn value(&self) -> f64 {
        self.value
    }

    pub fn target(&self) -> f64 {
        self.target
    }

    /// What it was made with.
    pub fn first(&self) -> f64 {
        self.first
    }

    pub fn is_moving(&self) -> bool {
        self.left > 0
    }

    /// Glides to `target`, clamped to the range; what is not a number is ignored.
    pub fn set(&mut self, target: f64, range: (f64, f64)) {
        if target.is_nan() {
            return;
        }
        let target = target.clamp(range.0, range.1);
        if target != self.target {
            self.target = target;
            self.left = self.ticks;
        }
    }

    /// Goes there at once.
    pub fn jump(&mut self, value: f64) {
        self.value = value;
        self.target = value;
        self.left = 0;
    }

    /// One tick on.
    pub fn tick(&mut self) {
        match self.left {
            0 => {}
            1 => self.jump(self.target),
            left => {
                let share = 1.0 / f64::from(left);
                self.value = if self.by_ratio {
                    self.value * (self.target / self.value).powf(share)
                } else {
                    self.value + (self.target - self.value) * share
                };
                self.left = left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramps_arrive_on_time_in_even_steps() {
        for (mut ramp, to) in [(Ramp::linear(-1.0, 1e-3), 3.0), (Ramp::by_ratio(1e3, 1e-3), 1e18)] {
            ramp.set(to, (-1e30, 1e30));
            let mut last = ramp.value();
            for _ in 0..20 {
                assert!(ramp.is_moving());
                ramp.tick();
                assert!(ramp.value() > last);
                last = ramp.value();
            }
            assert!(!ramp.is_moving());
            assert_eq!(ramp.value(), to);
            ramp.set(f64::NAN, (0.0, 1.0));
            assert_eq!(ramp.target(), to);
        }
    }
}
