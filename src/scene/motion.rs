//! How the slider moves along the resonator: displacement Δ(t) of its rear end over the resonator's
//! texture and the speed Δ̇(t).

use std::f64::consts::PI;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MotionKind {
    /// Once along the beam; ends when the leading end of the slider reaches the end (Dang 2013).
    Pass,
    /// The slider stays in place with its own fixed profile while the texture runs under it for ever.
    Endless,
    /// To and fro along the beam, sinusoidally: Δ = start + stroke/2·(1 - cos 2πft).
    Reciprocate { stroke_m: f64, rate_hz: f64 },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    pub kind: MotionKind,
    pub speed_m_s: f64,
    /// Rear end of the slider at t = 0.
    pub start_m: f64,
}

impl Motion {
    /// Δ(t): where the slider's rear end stands on the texture.
    pub fn offset(&self, time_s: f64) -> f64 {
        match self.kind {
            MotionKind::Pass | MotionKind::Endless => self.start_m + self.speed_m_s * time_s,
            MotionKind::Reciprocate { stroke_m, rate_hz } => {
                self.start_m + 0.5 * stroke_m * (1.0 - (2.0 * PI * rate_hz * time_s).cos())
            }
        }
    }

    /// Δ̇(t).
    pub fn speed(&self, time_s: f64) -> f64 {
        match self.kind {
            MotionKind::Pass | MotionKind::Endless => self.speed_m_s,
            MotionKind::Reciprocate { stroke_m, rate_hz } => {
                PI * rate_hz * stroke_m * (2.0 * PI * rate_hz * time_s).sin()
            }
        }
    }

    /// Largest |Δ̇|.
    pub fn peak_speed(&self) -> f64 {
        match self.kind {
            MotionKind::Pass | MotionKind::Endless => self.speed_m_s.abs(),
            MotionKind::Reciprocate { stroke_m, rate_hz } => PI * rate_hz * stroke_m,
        }
    }

    /// When a pass ends, of a slider that may hang over the end by `overhang_m`; endless and
    /// reciprocating motion do not end.
    pub fn end_s(&self, resonator_m: f64, slider_m: f64, overhang_m: f64) -> f64 {
        match self.kind {
            MotionKind::Pass if self.speed_m_s > 0.0 => {
                (resonator_m - slider_m - self.start_m + overhang_m) / self.speed_m_s
            }
            MotionKind::Pass if self.speed_m_s < 0.0 => (self.start_m + overhang_m) / -self.speed_m_s,
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_the_derivative_of_the_offset() {
        let kinds =
            [MotionKind::Pass, MotionKind::Endless, MotionKind::Reciprocate { stroke_m: 0.05, rate_hz: 3.0 }];
        for kind in kinds {
            let motion = Motion { kind, speed_m_s: -0.3, start_m: 0.1 };
            for t in [0.01, 0.123, 0.4] {
                let slope = (motion.offset(t + 1e-6) - motion.offset(t - 1e-6)) / 2e-6;
                assert!((slope - motion.speed(t)).abs() < 1e-6);
                assert!(motion.speed(t).abs() <= motion.peak_speed());
            }
        }
    }

    #[test]
    fn a_pass_ends_where_the_beam_does() {
        let motion = Motion { kind: MotionKind::Pass, speed_m_s: 0.7, start_m: 0.05 };
        let end = motion.end_s(0.45, 0.02, 0.0);
        assert!((motion.offset(end) + 0.02 - 0.45).abs() < 1e-12);
        let back = Motion { speed_m_s: -0.7, ..motion };
        assert!(back.offset(back.end_s(0.45, 0.02, 0.0)).abs() < 1e-12);
    }
}
