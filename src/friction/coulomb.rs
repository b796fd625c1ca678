//! Coulomb friction with a static and a dynamic coefficient, and an optional falling curve between them.
//!
//! Stick: slip speed w = 0 and |T| ≤ μ_s·N. Slip in direction d: T = -d·μ(|w|)·N with
//! μ(w) = μ_d + (μ_s - μ_d)·exp(-w/v_s) (Stribeck's falling curve in the exponential form of Bo and
//! Pavelescu, 1982); v_s = 0 is SDND106's jump from μ_s to μ_d.
//!
//! [`Coulomb::meet`] is the step of a time scheme whose slip speed answers a force at once:
//! w = w_free + C·T, C > 0. Of all T that the law allows it takes the one that the new speed agrees with,
//! so stick is exact (w = 0, no creep) and T·w ≤ 0 whatever the step. Any number of contacts on one body
//! goes through one such scalar when they share T in proportion to their normal forces.
//!
//! Sign: T acts on the body whose slip is w; the other body feels -T. N ≥ 0 presses.
//! Limit: with a falling curve and N·C·(μ_s - μ_d) > v_s, stick and slip are both solutions for some
//! w_free; a contact then stays in the phase it was in, as far as it can.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    /// μ_s ≥ μ_d.
    pub static_coefficient: f64,
    /// μ_d, the limit at high speed.
    pub dynamic_coefficient: f64,
    /// v_s, the slip speed over which μ falls to 1/e of the way; 0: at once.
    pub stribeck_m_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Phase {
    Stick,
    /// +1 or -1: the way the contact slips.
    Slip {
        direction: f64,
    },
}

/// What one step of friction gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// T.
    pub force: f64,
    /// w with that force.
    pub speed_m_s: f64,
    pub phase: Phase,
}

/// Newton's steps on the falling curve; convex, so a handful is enough.
const MAX_ITERATIONS: usize = 50;

impl Coulomb {
    /// μ(|w|) of a sliding contact.
    pub fn coefficient(&self, speed_m_s: f64) -> f64 {
        self.dynamic_coefficient + self.excess(speed_m_s.abs())
    }

    /// dμ/d|w| ≤ 0: the falling curve feeds vibration.
    pub fn slope(&self, speed_m_s: f64) -> f64 {
        if self.stribeck_m_s > 0.0 { -self.excess(speed_m_s.abs()) / self.stribeck_m_s } else { 0.0 }
    }

    fn excess(&self, speed_m_s: f64) -> f64 {
        if self.stribeck_m_s > 0.0 {
            (self.static_coefficient - self.dynamic_coefficient) * (-speed_m_s / self.stribeck_m_s).exp()
        } else {
            0.0
        }
    }

    /// Friction for a slip speed w = `free_m_s` + `compliance`·T under the normal force `normal_n`.
    pub fn meet(&self, phase: Phase, free_m_s: f64, compliance: f64, normal_n: f64) -> Answer {
        let direction = if free_m_s < 0.0 { -1.0 } else { 1.0 };
        if normal_n <= 0.0 {
            return Answer { force: 0.0, speed_m_s: free_m_s, phase: Phase::Slip { direction } };
        }
        let goes_on = phase == Phase::Slip { direction };
        let holds = free_m_s.abs() <= compliance * self.static_coefficient * normal_n;
        if goes_on || !holds {
            // A contact that slips need not pass the static force again while it keeps its direction.
            if let Some(speed) = self.slip_speed(free_m_s.abs(), compliance * normal_n) {
                return Answer {
                    force: -direction * self.coefficient(speed) * normal_n,
                    speed_m_s: direction * speed,
                    phase: Phase::Slip { direction },
                };
            }
        }
        // What no force moves (compliance 0) only sticks where it is at rest, and then needs none.
        let force = if compliance > 0.0 { -free_m_s / compliance } else { 0.0 };
        Answer { force, speed_m_s: 0.0, phase: Phase::Stick }
    }

    /// Largest w > 0 with w + reach·μ(w) = free. Newton from above: the left side is convex, so the way
    /// down never oversteps the root.
    fn slip_speed(&self, free: f64, reach: f64) -> Option<f64> {
        let mut speed = free - reach * self.dynamic_coefficient;
        for _ in 0..MAX_ITERATIONS {
            if speed <= 0.0 {
                return None;
            }
            let over = speed + reach * self.coefficient(speed) - free;
            let rise = 1.0 + reach * self.slope(speed);
            if over <= 1e-12 * free {
                return Some(speed);
            }
            if rise <= 0.0 {
                return None;
            }
            speed -= over / rise;
        }
        Some(speed.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JUMP: Coulomb = Coulomb { static_coefficient: 0.3, dynamic_coefficient: 0.2, stribeck_m_s: 0.0 };
    const FALL: Coulomb = Coulomb { stribeck_m_s: 0.05, ..JUMP };

    #[test]
    fn stick_is_exact_up_to_the_static_force() {
        let held = JUMP.meet(Phase::Stick, 0.029, 1e-3, 100.0);
        assert_eq!((held.phase, held.speed_m_s), (Phase::Stick, 0.0));
        assert!((held.force + 29.0).abs() < 1e-12);
        let slips = JUMP.meet(Phase::Stick, 0.031, 1e-3, 100.0);
        assert_eq!(slips.phase, Phase::Slip { direction: 1.0 });
        assert!((slips.force + 20.0).abs() < 1e-12 && (slips.speed_m_s - 0.011).abs() < 1e-12);
        let mirrored = JUMP.meet(Phase::Stick, -0.031, 1e-3, 100.0);
        assert_eq!((mirrored.force, mirrored.speed_m_s), (-slips.force, -slips.speed_m_s));
    }

    #[test]
    fn slip_goes_on_below_the_static_force_and_ends_where_the_speed_turns() {
        let slip = Phase::Slip { direction: 1.0 };
        assert_eq!(JUMP.meet(slip, 0.025, 1e-3, 100.0).phase, slip);
        assert_eq!(JUMP.meet(slip, 0.019, 1e-3, 100.0).phase, Phase::Stick);
        assert_eq!(JUMP.meet(slip, -0.025, 1e-3, 100.0).phase, Phase::Stick);
        assert_eq!(JUMP.meet(slip, -0.035, 1e-3, 100.0).phase, Phase::Slip { direction: -1.0 });
    }

    #[test]
    fn the_answer_lies_on_the_curve_and_never_gives_energy() {
        for law in [JUMP, FALL] {
            for phase in [Phase::Stick, Phase::Slip { direction: 1.0 }, Phase::Slip { direction: -1.0 }] {
                for index in -200..200 {
                    let free = f64::from(index) * 1e-3;
                    for compliance in [1e-6, 1e-4, 1e-2] {
                        let answer = law.meet(phase, free, compliance, 100.0);
                        assert!(answer.force * answer.speed_m_s <= 0.0);
                        assert!((free + compliance * answer.force - answer.speed_m_s).abs() < 1e-9);
                        match answer.phase {
                            Phase::Stick => assert!(answer.force.abs() <= 30.0 + 1e-9),
                            Phase::Slip { direction } => {
                                let curve = -direction * law.coefficient(answer.speed_m_s) * 100.0;
                                assert!((answer.force - curve).abs() < 1e-9);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_curve_falls_from_static_to_dynamic() {
        assert!((FALL.coefficient(0.0) - 0.3).abs() < 1e-15 && (FALL.coefficient(1.0) - 0.2).abs() < 1e-8);
        let h = 1e-7;
        let slope = (FALL.coefficient(0.02 + h) - FALL.coefficient(0.02 - h)) / (2.0 * h);
        assert!((FALL.slope(0.02) - slope).abs() < 1e-6);
        assert_eq!((JUMP.coefficient(1e-9), JUMP.slope(0.1)), (0.2, 0.0));
    }

    #[test]
    fn without_load_there_is_no_force() {
        let free = JUMP.meet(Phase::Stick, 0.1, 1e-3, 0.0);
        assert_eq!((free.force, free.speed_m_s), (0.0, 0.1));
    }

    #[test]
    fn what_cannot_be_moved_is_rubbed_all_the_same() {
        let imposed = JUMP.meet(Phase::Stick, 0.1, 0.0, 100.0);
        assert!((imposed.force + 20.0).abs() < 1e-12 && imposed.speed_m_s == 0.1);
        assert_eq!(JUMP.meet(Phase::Stick, 0.0, 0.0, 100.0).force, 0.0);
    }
}
