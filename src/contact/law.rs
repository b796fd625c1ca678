//! Laws of normal contact: energy, force and stiffness of a gap, per square metre.
//!
//! | law | pressure for gap g | source |
//! |---|---|---|
//! | penalty | κ·(-g) for g < 0 | Dang 2013, eq. 33 |
//! | Hertz | c·(-g)^1.5 for g < 0 | Dang 2010, eq. 16 |
//! | exponential | p0·exp(-λg) | Vermot 2012, eq. 23 |
//!
//! Ideal (Signorini) contact has no such function: Algorithm 2 of Dang 2013 finds its forces.
//! κ keeps the paper's unit name, Pa; a node carries κ·(-g)·χ newtons per metre of width.

/// The steel of Dang 2013 has ν = 0.3; Dang 2010 gives none.
pub const HERTZ_POISSON: f64 = 0.3;

/// E* of two bodies: 1/E* = (1-ν²)/E₁ + (1-ν²)/E₂.
pub fn effective_modulus(young_1_pa: f64, young_2_pa: f64) -> f64 {
    let shrink = 1.0 - HERTZ_POISSON * HERTZ_POISSON;
    1.0 / (shrink / young_1_pa + shrink / young_2_pa)
}

/// Force falls below the millionth part of the reference pressure: no longer computed.
const EXPONENTIAL_CUT: f64 = 1e-6;
/// A shock of the exponential law lasts while its pressure is above this part of the reference.
const EXPONENTIAL_SHOCK: f64 = 1e-3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactLaw {
    Penalty {
        kappa_pa: f64,
    },
    /// `coefficient` in Pa/m^1.5; see [`ContactLaw::hertz`].
    Hertz {
        coefficient: f64,
    },
    Exponential {
        /// Pressure at zero gap.
        p0_pa: f64,
        lambda_1_m: f64,
        /// Reference pressure p_1: what a loaded contact carries.
        p1_pa: f64,
    },
}

impl ContactLaw {
    /// One asperity of `radius_m` per node (`step_m`) and per `spacing_m` of width.
    pub fn hertz(radius_m: f64, modulus_pa: f64, spacing_m: f64, step_m: f64) -> Self {
        Self::Hertz { coefficient: 4.0 / 3.0 * radius_m.sqrt() * modulus_pa / (spacing_m * step_m) }
    }

    /// λ = k_c/p_1 (Vermot 2012, eq. 25): stiffness `stiffness_pa_m` where the pressure is `p1_pa`.
    pub fn exponential_calibrated(stiffness_pa_m: f64, p1_pa: f64) -> Self {
        Self::Exponential { p0_pa: p1_pa, lambda_1_m: stiffness_pa_m / p1_pa, p1_pa }
    }

    /// Gaps at or above this carry no force at all.
    #[inline]
    pub fn reach(&self) -> f64 {
        match *self {
            Self::Penalty { .. } | Self::Hertz { .. } => 0.0,
            Self::Exponential { p0_pa, lambda_1_m, p1_pa } => {
                (p0_pa / (EXPONENTIAL_CUT * p1_pa)).ln() / lambda_1_m
            }
        }
    }

    /// Pressures above this belong to a shock.
    pub fn shock_threshold_pa(&self) -> f64 {
        match *self {
            Self::Penalty { .. } | Self::Hertz { .. } => 0.0,
            Self::Exponential { p1_pa, .. } => EXPONENTIAL_SHOCK * p1_pa,
        }
    }

    /// Energy of the gap, J/m²: the integral of the pressure from the reach down to `gap`.
    #[inline]
    pub fn energy(&self, gap: f64) -> f64 {
        if gap >= self.reach() {
            return 0.0;
        }
        match *self {
            Self::Penalty { kappa_pa } => 0.5 * kappa_pa * gap * gap,
            Self::Hertz { coefficient } => 0.4 * coefficient * (-gap).powi(2) * (-gap).sqrt(),
            Self::Exponential { p0_pa, lambda_1_m, p1_pa } => {
                (p0_pa * (-lambda_1_m * gap).exp() - EXPONENTIAL_CUT * p1_pa) / lambda_1_m
            }
        }
    }

    /// Pressure ≥ 0, Pa: minus the slope of the energy.
    #[inline]
    pub fn pressure(&self, gap: f64) -> f64 {
        if gap >= self.reach() {
            return 0.0;
        }
        match *self {
            Self::Penalty { kappa_pa } => -kappa_pa * gap,
            Self::Hertz { coefficient } => coefficient * -gap * (-gap).sqrt(),
            Self::Exponential { p0_pa, lambda_1_m, .. } => p0_pa * (-lambda_1_m * gap).exp(),
        }
    }

    /// Stiffness ≥ 0, Pa/m: minus the slope of the pressure.
    #[inline]
    pub fn stiffness(&self, gap: f64) -> f64 {
        if gap >= self.reach() {
            return 0.0;
        }
        match *self {
            Self::Penalty { kappa_pa } => kappa_pa,
            Self::Hertz { coefficient } => 1.5 * coefficient * (-gap).sqrt(),
            Self::Exponential { p0_pa, lambda_1_m, .. } => lambda_1_m * p0_pa * (-lambda_1_m * gap).exp(),
        }
    }

    /// Pressure where the energy is `energy_j_m2`: how hard an impact of that energy presses.
    pub fn pressure_at_energy(&self, energy_j_m2: f64) -> f64 {
        match *self {
            Self::Penalty { kappa_pa } => (2.0 * kappa_pa * energy_j_m2).sqrt(),
            Self::Hertz { coefficient } => coefficient * (energy_j_m2 / (0.4 * coefficient)).powf(0.6),
            Self::Exponential { lambda_1_m, p1_pa, .. } => lambda_1_m * energy_j_m2 + EXPONENTIAL_CUT * p1_pa,
        }
    }

    /// Stiffness where the pressure is `pressure_pa`: what a stability bound needs.
    pub fn stiffness_at_pressure(&self, pressure_pa: f64) -> f64 {
        match *self {
            Self::Penalty { kappa_pa } => kappa_pa,
            Self::Hertz { coefficient } => 1.5 * coefficient * (pressure_pa / coefficient).cbrt(),
            Self::Exponential { lambda_1_m, .. } => lambda_1_m * pressure_pa,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laws() -> [ContactLaw; 3] {
        [
            ContactLaw::Penalty { kappa_pa: 2.1e12 },
            ContactLaw::hertz(5e-6, effective_modulus(210e9, 210e9), 5e-5, 5e-5),
            ContactLaw::exponential_calibrated(1e9, 400.0),
        ]
    }

    /// Taylor test: pressure is minus the slope of energy, stiffness minus the slope of pressure, with
    /// the error of a central difference falling with the square of its step.
    #[test]
    fn every_law_is_the_derivative_of_its_energy() {
        for law in laws() {
            for gap in [-3e-8, -1e-7, -1e-6] {
                let error = |h: f64, f: &dyn Fn(f64) -> f64, slope: f64| {
                    (((f(gap + h) - f(gap - h)) / (2.0 * h) + slope) / slope).abs()
                };
                let h = 0.02 * f64::abs(gap);
                let energy = |g: f64| law.energy(g);
                let pressure = |g: f64| law.pressure(g);
                for (f, slope) in
                    [(&energy as &dyn Fn(f64) -> f64, law.pressure(gap)), (&pressure, law.stiffness(gap))]
                {
                    let (coarse, fine) = (error(h, f, slope), error(h / 4.0, f, slope));
                    assert!(fine < 1e-2, "{law:?} at {gap}: {fine}");
                    assert!(coarse < 1e-9 || fine < coarse / 12.0, "{law:?} at {gap}: {coarse} → {fine}");
                }
            }
        }
    }

    #[test]
    fn laws_vanish_beyond_their_reach_and_never_pull() {
        for law in laws() {
            let reach = law.reach();
            assert_eq!(law.pressure(reach + 1e-12), 0.0);
            assert_eq!(law.energy(reach + 1e-12), 0.0);
            assert!(law.pressure(reach - 1e-9) > 0.0);
            assert!(law.energy(reach - 1e-9) > 0.0);
        }
    }

    #[test]
    fn val_vermot_calibration_gives_the_printed_lambda() {
        // k_c = 1e7 MPa/mm, p_1 = 5 kN over 21.4e3 mm²: λ = 4.28e7 per mm (Vermot 2012, table 3.2).
        let p1_mpa = 5e3 / 21.4e3;
        let law = ContactLaw::exponential_calibrated(1e7, p1_mpa);
        let ContactLaw::Exponential { lambda_1_m: lambda_1_mm, .. } = law else { unreachable!() };
        assert!((lambda_1_mm / 4.28e7 - 1.0).abs() < 1e-3);
        assert!((law.stiffness(0.0) / 1e7 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn inverse_laws_agree_with_the_laws() {
        for law in laws() {
            let gap = -2e-7;
            let ratio = law.stiffness_at_pressure(law.pressure(gap)) / law.stiffness(gap);
            assert!((ratio - 1.0).abs() < 1e-9, "{law:?}: {ratio}");
            let ratio = law.pressure_at_energy(law.energy(gap)) / law.pressure(gap);
            assert!((ratio - 1.0).abs() < 1e-9, "{law:?}: {ratio}");
        }
    }
}
