//! Static and dynamic friction regularised by penalty (Code_Aster SDND106, R5.06.03).
//!
//! A contact sticks by a spring and a dashpot between the slip s and an anchor a:
//! T = -k·(s - a) - c·ṡ while |T| ≤ μ_s·N. Beyond that it slips in direction d = sign of the pull:
//! T = -d·μ(ṡ)·N, until the slip speed turns against d; then it sticks again.
//!
//! While it slips the anchor is dragged along so that the spring alone would give the sliding force
//! (k·(s - a) = d·μ·N). So the force does not jump where slip ends, and what was slipped is remembered.
//!
//! Sign: T acts on the body whose slip is s; the other body feels -T. N ≥ 0 presses.
//! Limits: stick creeps elastically by T/k, so k has to be stiff next to what pulls; an explicit scheme
//! then needs τ < 2/√(k/m).

use super::{Coulomb, Phase};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenalisedStick {
    pub law: Coulomb,
    /// k of the stick spring, N/m.
    pub stiffness_n_m: f64,
    /// c of the stick dashpot, N·s/m.
    pub damping_n_s_m: f64,
}

/// What a contact remembers between two steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bond {
    /// Slip at which the stick spring would be slack.
    pub anchor_m: f64,
    pub phase: Phase,
}

impl Bond {
    /// A new contact that sticks where it is.
    pub fn at(slip_m: f64) -> Self {
        Self { anchor_m: slip_m, phase: Phase::Stick }
    }

    pub fn sticks(&self) -> bool {
        self.phase == Phase::Stick
    }
}

impl PenalisedStick {
    /// Force for a slip and a slip speed under the normal force `normal_n`, and the memory that a step
    /// ending here would leave. The old memory stays with the caller: a scheme with stages may ask
    /// several times and keep one answer.
    pub fn respond(&self, bond: Bond, slip_m: f64, speed_m_s: f64, normal_n: f64) -> (f64, Bond) {
        match bond.phase {
            Phase::Slip { direction } if speed_m_s * direction >= 0.0 => {
                self.slide(direction, slip_m, speed_m_s, normal_n)
            }
            Phase::Slip { direction } => {
                // The speed turned: hold on from the stretch that sliding left.
                let (_, dragged) = self.slide(direction, slip_m, 0.0, normal_n);
                self.hold(Bond { phase: Phase::Stick, ..dragged }, slip_m, speed_m_s, normal_n)
            }
            Phase::Stick => self.hold(bond, slip_m, speed_m_s, normal_n),
        }
    }

    fn hold(&self, bond: Bond, slip_m: f64, speed_m_s: f64, normal_n: f64) -> (f64, Bond) {
        let pull = self.stiffness_n_m * (slip_m - bond.anchor_m) + self.damping_n_s_m * speed_m_s;
        if pull.abs() <= self.law.static_coefficient * normal_n {
            (-pull, bond)
        } else {
            self.slide(pull.signum(), slip_m, speed_m_s, normal_n)
        }
    }

    fn slide(&self, direction: f64, slip_m: f64, speed_m_s: f64, normal_n: f64) -> (f64, Bond) {
        let force = direction * self.law.coefficient(speed_m_s) * normal_n;
        let anchor_m = slip_m - force / self.stiffness_n_m;
        (-force, Bond { anchor_m, phase: Phase::Slip { direction } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: PenalisedStick = PenalisedStick {
        law: Coulomb { static_coefficient: 0.3, dynamic_coefficient: 0.2, stribeck_m_s: 0.0 },
        stiffness_n_m: 1e6,
        damping_n_s_m: 0.0,
    };

    #[test]
    fn sticks_up_to_the_static_force_and_slips_with_the_dynamic_one() {
        let bond = Bond::at(0.0);
        let (force, held) = LAW.respond(bond, 2.9e-5, 0.1, 100.0);
        assert!((force + 29.0).abs() < 1e-9 && held == bond);
        let (force, slipping) = LAW.respond(bond, 3.1e-5, 0.1, 100.0);
        assert!((force + 20.0).abs() < 1e-9);
        assert_eq!(slipping.phase, Phase::Slip { direction: 1.0 });
        // Mirrored, the same with the other sign.
        let (mirrored, _) = LAW.respond(bond, -3.1e-5, -0.1, 100.0);
        assert_eq!(mirrored, -force);
    }

    #[test]
    fn slip_ends_where_the_speed_turns_without_a_jump_of_force() {
        let (_, slipping) = LAW.respond(Bond::at(0.0), 1e-3, 0.1, 100.0);
        let (sliding, still) = LAW.respond(slipping, 2e-3, 1e-9, 100.0);
        let (held, stuck) = LAW.respond(still, 2e-3, -1e-9, 100.0);
        assert!(stuck.sticks() && (held - sliding).abs() < 1e-6);
        // What was slipped is remembered: the spring is slack near the new place.
        assert!((stuck.anchor_m - (2e-3 - 2e-5)).abs() < 1e-12);
    }

    #[test]
    fn sliding_takes_energy_and_no_load_means_no_force() {
        let (_, slipping) = LAW.respond(Bond::at(0.0), -1e-3, -0.1, 100.0);
        let (force, _) = LAW.respond(slipping, -2e-3, -0.2, 100.0);
        assert!(force * -0.2 < 0.0);
        let (force, _) = LAW.respond(Bond::at(0.0), 1e-5, 0.1, 0.0);
        assert_eq!(force, 0.0);
    }

    #[test]
    fn asking_twice_gives_the_same_answer() {
        let bond = Bond::at(1e-5);
        assert_eq!(LAW.respond(bond, 5e-5, 0.1, 100.0), LAW.respond(bond, 5e-5, 0.1, 100.0));
    }
}
