//! In which way a run rubs.
//!
//! - **stick–slip**: the contact really holds, at least [`STUCK`] of the time, and it lets go no oftener than
//!   the slider swings on its drive: load and drive set the pace. A stick–slip cycle is a hold and a slip, and
//!   the slip alone takes half of such a swing or more, so its rate cannot be higher.
//! - **squeal**: a vibration that feeds itself at a mode and so goes on evenly. One mode has [`PURE`] of the
//!   resonator's motion or more; its energy stays the same from one 10 ms to the next within [`STEADY`], where
//!   a mode that noise drives varies by its whole amount; the slip speed feels it, by [`SWING`] of its mean;
//!   and if the contact sticks at a pace that the drive could set, it is once a period of the mode (within
//!   [`LOCKED`]).
//! - **continuous**: everything else, roughness noise above all.
//!
//! Limit: a regular texture whose teeth strike a mode at its own frequency looks like a squeal.

use crate::record::Rubbing;

/// Share of the time that a contact sticks in at least.
const STUCK: f64 = 0.05;
/// Share of one mode in the resonator's mean square velocity: two modes may sing at once.
const PURE: f64 = 0.4;
/// Spread of that mode's energy over its mean.
const STEADY: f64 = 0.3;
/// Slip speed about its mean, over the mean. Bodies that ring on after a start swing it by far less.
const SWING: f64 = 0.05;
/// Slips per second against the mode's frequency: contact moves modes by some per cent.
const LOCKED: f64 = 0.1;
/// Slips per second against the slider's swing on its drive: the count is rough.
const PACE: f64 = 1.2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    Continuous,
    StickSlip,
    Squeal,
}

impl Regime {
    pub const ALL: [Self; 3] = [Self::Continuous, Self::StickSlip, Self::Squeal];
    pub const NAMES: [&'static str; 3] = ["continuous", "stick-slip", "squeal"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|regime| regime.name() == name)
    }

    /// `natural_hz` are the resonator's, `drive_hz` the slider's swing on its drive; a rigid drive has none.
    pub fn of(rubbing: &Rubbing, natural_hz: &[f64], drive_hz: Option<f64>) -> Self {
        let sticks = rubbing.stick_share >= STUCK;
        let paced = sticks && drive_hz.is_some_and(|hz| rubbing.slips_per_s <= PACE * hz);
        let mode_hz = rubbing.mode.checked_sub(1).and_then(|mode| natural_hz.get(mode)).copied();
        let locked = mode_hz.is_some_and(|hz| (rubbing.slips_per_s / hz - 1.0).abs() <= LOCKED);
        let even = rubbing.mode_share >= PURE && rubbing.mode_swing <= STEADY;
        if even && rubbing.slip_swing >= SWING && (locked || !paced) {
            Self::Squeal
        } else if paced {
            Self::StickSlip
        } else {
            Self::Continuous
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES_HZ: [f64; 3] = [100.0, 400.0, 900.0];

    fn regime(stick_share: f64, slips_per_s: f64, mode_share: f64, mode_swing: f64) -> Regime {
        let rubbing = Rubbing { stick_share, slips_per_s, slip_swing: 0.5, mode: 2, mode_share, mode_swing };
        Regime::of(&rubbing, &MODES_HZ, Some(60.0))
    }

    #[test]
    fn each_has_its_signs() {
        assert_eq!(regime(0.0, 0.0, 0.3, 0.1), Regime::Continuous);
        assert_eq!(regime(0.0, 0.0, 0.9, 0.8), Regime::Continuous, "noise in one mode");
        assert_eq!(regime(0.6, 40.0, 0.3, 1.2), Regime::StickSlip);
        // Slips that ring one mode evenly are still paced by the drive.
        assert_eq!(regime(0.6, 40.0, 0.8, 0.1), Regime::StickSlip);
        assert_eq!(regime(0.3, 410.0, 0.8, 0.1), Regime::Squeal);
        assert_eq!(regime(0.0, 0.0, 0.8, 0.1), Regime::Squeal);
        assert_eq!(
            regime(0.1, 1300.0, 0.45, 0.1),
            Regime::Squeal,
            "two modes, held faster than the drive swings"
        );
        // Held by roughness at no pace, in no mode.
        assert_eq!(regime(0.2, 2000.0, 0.2, 0.9), Regime::Continuous);
    }

    #[test]
    fn a_rigid_drive_paces_nothing() {
        let rubbing =
            Rubbing { stick_share: 0.5, slips_per_s: 10.0, mode: 1, mode_swing: 1.0, ..Rubbing::default() };
        assert_eq!(Regime::of(&rubbing, &MODES_HZ, None), Regime::Continuous);
        assert_eq!(Regime::of(&Rubbing::default(), &MODES_HZ, Some(5.0)), Regime::Continuous);
        // A bar that rings on after its start while the contact slides evenly.
        let rings = Rubbing { mode: 1, mode_share: 0.8, mode_swing: 0.2, ..Rubbing::default() };
        assert_eq!(Regime::of(&rings, &MODES_HZ, None), Regime::Continuous);
    }

    #[test]
    fn names_come_back() {
        assert!(Regime::ALL.into_iter().all(|regime| Regime::from_name(regime.name()) == Some(regime)));
        assert_eq!(Regime::from_name("loud"), None);
    }
}
