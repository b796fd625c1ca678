//! The hand: how fast the slider is drawn while a key is held, and how it comes to rest afterwards.
//!
//! The share of V rises as shape(t/attack) and falls as 1 - shape(t/release) from wherever it stood, with
//! shape(x) = x^p and p = 4^curve: quick at first below zero, slow at first above.

/// What became of the stroke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// At rest, slider down or not: nothing to do.
    Idle,
    Drawing,
    Slowing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gesture {
    phase: Phase,
    /// Share of V at the present tick, 0 to 1.
    share: f64,
    /// Way through the present phase, 0 to 1, and its step per tick.
    way: f64,
    step: f64,
    /// Share at which the present phase began.
    from: f64,
    power: f64,
}

impl Default for Gesture {
    fn default() -> Self {
        Self { phase: Phase::Idle, share: 0.0, way: 0.0, step: 1.0, from: 0.0, power: 1.0 }
    }
}

impl Gesture {
    pub fn phase(&self) -> Phase {
        self.phase
    }

    pub fn share(&self) -> f64 {
        self.share
    }

    /// Draws from whatever speed there is to V in `seconds`.
    pub fn draw(&mut self, seconds: f64, curve: f64, tick_s: f64) {
        self.enter(Phase::Drawing, seconds, curve, tick_s);
    }

    /// Slows down to rest in `seconds`.
    pub fn slow(&mut self, seconds: f64, curve: f64, tick_s: f64) {
        self.enter(Phase::Slowing, seconds, curve, tick_s);
    }

    fn enter(&mut self, phase: Phase, seconds: f64, curve: f64, tick_s: f64) {
        self.phase = phase;
        self.from = self.share;
        self.way = 0.0;
        self.step = if seconds > tick_s { tick_s / seconds } else { 1.0 };
        self.power = 4f64.powf(curve);
        if self.step == 1.0 {
            self.tick();
        }
    }

    /// One tick on.
    pub fn tick(&mut self) {
        let goal = match self.phase {
            Phase::Idle => return,
            Phase::Drawing => 1.0,
            Phase::Slowing => 0.0,
        };
        if self.way < 1.0 {
            self.way = (self.way + self.step).min(1.0);
            self.share = self.from + (goal - self.from) * self.way.powf(self.power);
        }
        if self.way >= 1.0 {
            self.share = goal;
            if self.phase == Phase::Slowing {
                self.phase = Phase::Idle;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_take_their_time() {
        for curve in [-1.0, 0.0, 0.7] {
            let mut gesture = Gesture::default();
            gesture.draw(0.1, curve, 1e-3);
            let mut last = 0.0;
            for _ in 0..100 {
                assert!(gesture.share() < 1.0);
                gesture.tick();
                assert!(gesture.share() > last);
                last = gesture.share();
            }
            assert!((gesture.share() - 1.0).abs() < 1e-9);
            gesture.slow(0.05, curve, 1e-3);
            for _ in 0..51 {
                gesture.tick();
            }
            assert_eq!((gesture.phase(), gesture.share()), (Phase::Idle, 0.0));
        }
    }

    #[test]
    fn no_time_is_at_once_and_a_change_of_mind_begins_where_it_is() {
        let mut gesture = Gesture::default();
        gesture.draw(0.0, 0.3, 1e-3);
        assert_eq!(gesture.share(), 1.0);
        gesture.slow(0.1, 0.0, 1e-3);
        for _ in 0..50 {
            gesture.tick();
        }
        let half = gesture.share();
        assert!((half - 0.5).abs() < 0.02);
        gesture.draw(0.1, 0.0, 1e-3);
        gesture.tick();
        assert!((gesture.share() - half).abs() < 0.02);
        gesture.slow(0.0, 0.0, 1e-3);
        assert_eq!(gesture.phase(), Phase::Idle);
    }
}
