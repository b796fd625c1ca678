//! How the slider is led along the texture and along the resonator.

use super::ramp::Ramp;
use crate::scene::MotionKind;
use std::f64::consts::TAU;

/// Swings per second.
const RATE_HZ: (f64, f64) = (1e-3, 1e3);

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lead {
    /// Texture runs under a slider that stays in place.
    Endless,
    /// Once along the resonator.
    Pass,
    /// To and fro along the resonator: the speed swings as a sine; cycles so far, and swings per second.
    Swing { cycles: f64, rate_hz: f64 },
    /// Along the resonator by hand: position of the rear end.
    Hand(Ramp),
}

impl Lead {
    pub fn new(kind: MotionKind) -> Self {
        match kind {
            MotionKind::Endless => Self::Endless,
            MotionKind::Pass => Self::Pass,
            MotionKind::Reciprocate { rate_hz, .. } => Self::Swing { cycles: 0.0, rate_hz },
        }
    }

    /// Swings per second; where it is in its swing stays. Nothing to those who do not swing.
    pub fn set_rate(&mut self, rate_hz: f64) {
        if let Self::Swing { rate_hz: rate, .. } = self
            && rate_hz.is_finite()
        {
            *rate = rate_hz.clamp(RATE_HZ.0, RATE_HZ.1);
        }
    }

    /// Where a new beginning puts the rear end: at `start_m` on the resonator, or `offset_m` along the texture.
    pub fn begin(&mut self, start_m: f64, offset_m: f64) -> f64 {
        match self {
            Self::Endless => offset_m,
            Self::Pass => start_m,
            Self::Swing { cycles, .. } => {
                *cycles = 0.0;
                start_m
            }
            Self::Hand(position) => {
                position.jump(position.target());
                position.value()
            }
        }
    }

    /// The way within `chunk_s` at `speed_m_s` (of a swing: its largest), from `seat_m` on a resonator with so much room.
    pub fn advance(&mut self, speed_m_s: f64, chunk_s: f64, seat_m: f64, room_m: f64) -> f64 {
        match self {
            Self::Endless => speed_m_s * chunk_s,
            Self::Pass => within(seat_m, speed_m_s * chunk_s, room_m),
            Self::Swing { cycles, rate_hz } => {
                let from = TAU * *cycles;
                *cycles = (*cycles + *rate_hz * chunk_s).fract();
                let to = from + TAU * *rate_hz * chunk_s;
                within(seat_m, speed_m_s * (from.cos() - to.cos()) / (TAU * *rate_hz), room_m)
            }
            Self::Hand(position) => {
                let from = position.value();
                position.tick();
                position.value() - from
            }
        }
    }
}

/// A way from `seat_m` that does not leave the room of the slider on the resonator.
fn within(seat_m: f64, way_m: f64, room_m: f64) -> f64 {
    (seat_m + way_m).clamp(0.0, room_m.max(0.0)) - seat_m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swing_comes_back_and_stays_on_its_resonator() {
        let mut lead = Lead::Swing { cycles: 0.0, rate_hz: 2.0 };
        let (mut seat, mut farthest) = (0.0, 0.0f64);
        for _ in 0..500 {
            seat += lead.advance(0.1, 0.001, seat, 1.0);
            farthest = farthest.max(seat);
        }
        // Half a cycle of a sine of this peak goes v/(π·rate) far, and the other half back.
        assert!((farthest - 0.1 / (std::f64::consts::PI * 2.0)).abs() < 1e-6, "{farthest}");
        assert!(seat.abs() < 1e-9, "{seat}");
        let mut narrow = Lead::Pass;
        assert_eq!(narrow.advance(50.0, 1.0, 0.2, 0.43), 0.43 - 0.2);
        assert_eq!(narrow.advance(-50.0, 1.0, 0.2, 0.43), -0.2);
    }

    #[test]
    fn a_rate_that_is_none_changes_nothing() {
        let mut lead = Lead::Swing { cycles: 0.25, rate_hz: 2.0 };
        lead.set_rate(f64::NAN);
        assert_eq!(lead, Lead::Swing { cycles: 0.25, rate_hz: 2.0 });
        lead.set_rate(1e9);
        assert_eq!(lead, Lead::Swing { cycles: 0.25, rate_hz: RATE_HZ.1 });
        let mut endless = Lead::Endless;
        endless.set_rate(5.0);
        assert_eq!(endless, Lead::Endless);
    }
}
