//! The exact solution, phase by phase; its equations stand in the module above.

use crate::math::bisect;

const MASS_KG: f64 = 5.0;
const SPRING_N_M: f64 = 1e4;
const NORMAL_N: f64 = 1e4;
const PULL_N: f64 = 3e3;
const STATIC: f64 = 0.3;
const DYNAMIC: f64 = 0.2;
/// t₂, when the pull ends.
pub const LET_GO_S: f64 = 0.2;
/// Where the document ends.
pub const END_S: f64 = 0.34;

/// Positions and speeds of both masses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    pub x1: f64,
    pub v1: f64,
    pub x2: f64,
    pub v2: f64,
}

/// The exact solution.
pub struct ClosedForm {
    pub t1: f64,
    pub t3: f64,
    at_t1: State,
    at_t2: State,
    at_t3: State,
}

impl ClosedForm {
    pub fn new() -> Self {
        let omega = (SPRING_N_M / MASS_KG).sqrt();
        let t1 = (1.0 - STATIC * NORMAL_N / PULL_N).acos() / omega;
        let at_t1 = pulled_while_stuck(t1);
        let at_t2 = slip(at_t1, LET_GO_S - t1, PULL_N);
        // Without the pull m₁ slows down; its speed changes sign once before the swing turns it again.
        let mut low = 0.0;
        while slip(at_t2, low + 1e-3, 0.0).v1 > 0.0 {
            low += 1e-3;
        }
        let rest = bisect(low, low + 1e-3, |t| slip(at_t2, t, 0.0).v1);
        let at_t3 = State { v1: 0.0, ..slip(at_t2, rest, 0.0) };
        Self { t1, t3: LET_GO_S + rest, at_t1, at_t2, at_t3 }
    }

    pub fn at(&self, time_s: f64) -> State {
        if time_s <= self.t1 {
            pulled_while_stuck(time_s)
        } else if time_s <= LET_GO_S {
            slip(self.at_t1, time_s - self.t1, PULL_N)
        } else if time_s <= self.t3 {
            slip(self.at_t2, time_s - LET_GO_S, 0.0)
        } else {
            swing_while_stuck(self.at_t3, time_s - self.t3)
        }
    }
}

impl Default for ClosedForm {
    fn default() -> Self {
        Self::new()
    }
}

fn pulled_while_stuck(time_s: f64) -> State {
    let omega = (SPRING_N_M / MASS_KG).sqrt();
    let reach = PULL_N / SPRING_N_M;
    let (sine, cosine) = (omega * time_s).sin_cos();
    State { x1: 0.0, v1: 0.0, x2: reach * (1.0 - cosine), v2: reach * omega * sine }
}

fn swing_while_stuck(from: State, time_s: f64) -> State {
    let omega = (SPRING_N_M / MASS_KG).sqrt();
    let (sine, cosine) = (omega * time_s).sin_cos();
    let stretch = from.x2 - from.x1;
    State {
        x1: from.x1,
        v1: 0.0,
        x2: from.x1 + stretch * cosine + from.v2 / omega * sine,
        v2: from.v2 * cosine - stretch * omega * sine,
    }
}

fn slip(from: State, time_s: f64, pull_n: f64) -> State {
    let omega = (2.0 * SPRING_N_M / MASS_KG).sqrt();
    let rub = DYNAMIC * NORMAL_N;
    let (sine, cosine) = (omega * time_s).sin_cos();
    let drift = (pull_n - rub) / MASS_KG;
    let sum_speed = from.v1 + from.v2 + drift * time_s;
    let sum = from.x1 + from.x2 + (from.v1 + from.v2) * time_s + 0.5 * drift * time_s * time_s;
    let middle = -(pull_n + rub) / (2.0 * SPRING_N_M);
    let (along_cosine, along_sine) = (from.x1 - from.x2 - middle, (from.v1 - from.v2) / omega);
    let difference = along_cosine * cosine + along_sine * sine + middle;
    let difference_speed = omega * (along_sine * cosine - along_cosine * sine);
    State {
        x1: 0.5 * (sum + difference),
        v1: 0.5 * (sum_speed + difference_speed),
        x2: 0.5 * (sum - difference),
        v2: 0.5 * (sum_speed - difference_speed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closed form obeys its own equations of motion, phase by phase.
    #[test]
    fn closed_form_satisfies_newton() {
        let exact = ClosedForm::new();
        let h = 1e-5;
        for (time_s, pull) in [(0.1, PULL_N), (0.19, PULL_N), (0.21, 0.0), (0.3, 0.0)] {
            let (before, now, after) = (exact.at(time_s - h), exact.at(time_s), exact.at(time_s + h));
            let spring = SPRING_N_M * (now.x2 - now.x1);
            let a1 = (after.v1 - before.v1) / (2.0 * h);
            let a2 = (after.v2 - before.v2) / (2.0 * h);
            assert!((MASS_KG * a1 - (spring - DYNAMIC * NORMAL_N)).abs() < 0.1);
            assert!((MASS_KG * a2 - (pull - spring)).abs() < 0.1);
        }
        // Joined without a gap, and the second stick holds.
        for t in [exact.t1, LET_GO_S, exact.t3] {
            let (before, after) = (exact.at(t - 1e-9), exact.at(t + 1e-9));
            assert!((before.x2 - after.x2).abs() < 1e-6 && (before.v1 - after.v1).abs() < 1e-5);
        }
        let held = (0..260).map(|i| exact.at(exact.t3 + f64::from(i) * 1e-4));
        assert!(held.into_iter().all(|s| SPRING_N_M * (s.x2 - s.x1).abs() < STATIC * NORMAL_N));
    }
}
