//! Time integration of modal equations, m(Ü + 2ζωU̇ + ω²U) = F + G (Dang 2013, eq. 22). Uses `math`
//! only: a scheme asks a [`ForceField`] for forces and never learns where they come from.
//!
//! A step reads: the caller computes F_n at the present displacement, the scheme advances, then offers
//! U_n and U̇_n of the instant it left. Central differences know U̇_n only then (eq. 24), so all
//! schemes present themselves that way.

mod central;
mod exact;
mod runge_kutta;

pub use central::CentralDifference;
pub use exact::ExactModal;
pub use runge_kutta::{ModifiedEuler, RungeKutta, Tableau};

/// The linear side of the problem: one entry per mode, all bodies in one list.
#[derive(Debug, Clone)]
pub struct ModalSystem {
    pub omega: Vec<f64>,
    pub zeta: Vec<f64>,
    /// m_i of the body that the mode belongs to.
    pub mass: Vec<f64>,
    /// ∓G: weight and load, constant in time.
    pub steady_force: Vec<f64>,
}

impl ModalSystem {
    pub fn len(&self) -> usize {
        self.omega.len()
    }

    pub fn is_empty(&self) -> bool {
        self.omega.is_empty()
    }

    pub fn highest_omega(&self) -> f64 {
        self.omega.iter().copied().fold(0.0, f64::max)
    }

    /// Ü_k for given displacement, velocity and contact force.
    #[inline]
    pub fn acceleration(&self, k: usize, displacement: f64, velocity: f64, force: f64) -> f64 {
        (force + self.steady_force[k]) / self.mass[k]
            - self.omega[k] * (2.0 * self.zeta[k] * velocity + self.omega[k] * displacement)
    }

    /// Kinetic and elastic energy (Dang 2010, eqs. 43–44) less the potential of the steady force.
    pub fn energy(&self, displacement: &[f64], velocity: &[f64]) -> f64 {
        (0..self.len())
            .map(|k| {
                let strain = self.omega[k] * displacement[k];
                0.5 * self.mass[k] * (velocity[k] * velocity[k] + strain * strain)
                    - self.steady_force[k] * displacement[k]
            })
            .sum()
    }
}

/// Forces that depend on time and displacement.
pub trait ForceField {
    /// Writes F_k at `time_s` for displacements `displacement`.
    fn modal_forces(&mut self, time_s: f64, displacement: &[f64], out: &mut [f64]);
}

/// No force at all: the free beam.
pub struct NoForce;

impl ForceField for NoForce {
    fn modal_forces(&mut self, _time_s: f64, _displacement: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }
}

/// One way to step the modes in time.
pub trait Integrator {
    /// U_n, where the forces of this step are to be computed.
    fn displacement(&self) -> &[f64];

    /// From t_n to t_n + τ. `force` is F_n at [`Self::displacement`]; schemes with several stages ask
    /// `field` for the others.
    fn advance(&mut self, system: &ModalSystem, time_s: f64, force: &[f64], field: &mut dyn ForceField);

    /// U_n of the instant that the last `advance` left.
    fn left_displacement(&self) -> &[f64];

    /// U̇_n of the same instant.
    fn left_velocity(&self) -> &[f64];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeKind {
    CentralDifference,
    Euler,
    ModifiedEuler,
    Heun,
    RungeKutta4,
    RungeKutta8,
    Exact,
}

impl SchemeKind {
    pub const ALL: [Self; 7] = [
        Self::CentralDifference,
        Self::Euler,
        Self::ModifiedEuler,
        Self::Heun,
        Self::RungeKutta4,
        Self::RungeKutta8,
        Self::Exact,
    ];
    pub const NAMES: [&'static str; 7] =
        ["central-difference", "euler", "modified-euler", "heun", "rk4", "rk8", "exact"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Largest τω for an undamped oscillator: the reach of the stability region along the imaginary
    /// axis. Explicit Euler and Heun have none (Dang 2010 prints √2 for Heun; its |λ|² is
    /// 1 + (τω)⁴/4). Exact stepping has no limit of its own; with contact its kicks are those of
    /// central differences.
    pub fn limit(self) -> f64 {
        match self {
            Self::CentralDifference | Self::ModifiedEuler => 2.0,
            Self::Euler | Self::Heun => 0.0,
            Self::RungeKutta4 => 2.0 * 2f64.sqrt(),
            Self::RungeKutta8 => 2.2331,
            Self::Exact => f64::INFINITY,
        }
    }

    /// Order of the global error on a smooth problem. Modified Euler is of first order in the state but
    /// its frequency is of second.
    pub fn order(self) -> Option<u32> {
        match self {
            Self::Euler | Self::ModifiedEuler => Some(1),
            Self::CentralDifference | Self::Heun => Some(2),
            Self::RungeKutta4 => Some(4),
            Self::RungeKutta8 => Some(6),
            Self::Exact => None,
        }
    }

    /// A scheme at rest in the given state, with step `step_s`.
    pub fn start(
        self,
        system: &ModalSystem,
        step_s: f64,
        displacement: Vec<f64>,
        velocity: Vec<f64>,
    ) -> Box<dyn Integrator + Send> {
        let tableau = match self {
            Self::CentralDifference => {
                return Box::new(CentralDifference::new(system, step_s, displacement, velocity));
            }
            Self::ModifiedEuler => return Box::new(ModifiedEuler::new(step_s, displacement, velocity)),
            Self::Exact => return Box::new(ExactModal::new(system, step_s, displacement, velocity)),
            Self::Euler => Tableau::euler(),
            Self::Heun => Tableau::heun(),
            Self::RungeKutta4 => Tableau::rk4(),
            Self::RungeKutta8 => Tableau::huta(),
        };
        Box::new(RungeKutta::new(tableau, step_s, displacement, velocity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillator(zeta: f64) -> ModalSystem {
        ModalSystem { omega: vec![3.0], zeta: vec![zeta], mass: vec![2.0], steady_force: vec![0.0] }
    }

    /// Largest error of the displacement up to time 2 from U = 1, U̇ = 0 under no force.
    fn worst_error(kind: SchemeKind, zeta: f64, steps: usize) -> f64 {
        let system = oscillator(zeta);
        let step_s = 2.0 / steps as f64;
        let mut scheme = kind.start(&system, step_s, vec![1.0], vec![0.0]);
        let (sigma, damped) = (zeta * 3.0, 3.0 * (1.0 - zeta * zeta).sqrt());
        let mut worst = 0.0f64;
        for n in 0..steps {
            scheme.advance(&system, n as f64 * step_s, &[0.0], &mut NoForce);
            let t = (n + 1) as f64 * step_s;
            let exact = (-sigma * t).exp() * ((damped * t).cos() + sigma / damped * (damped * t).sin());
            worst = worst.max((scheme.displacement()[0] - exact).abs());
        }
        worst
    }

    #[test]
    fn val_observed_order_is_the_theory() {
        for kind in SchemeKind::ALL {
            let Some(order) = kind.order() else { continue };
            // Steps small enough for the asymptote, large enough to stay above rounding.
            let steps = match order {
                1 => 20_000,
                2 => 2_000,
                4 => 200,
                _ => 40,
            };
            for zeta in [0.0, 0.05] {
                let observed = (worst_error(kind, zeta, steps) / worst_error(kind, zeta, 2 * steps)).log2();
                assert!((observed - f64::from(order)).abs() < 0.1, "{} ζ={zeta}: {observed}", kind.name());
            }
        }
    }

    #[test]
    fn val_exact_stepping_is_exact_at_any_step() {
        for zeta in [0.0, 0.05, 0.9] {
            assert!(worst_error(SchemeKind::Exact, zeta, 3) < 1e-14);
        }
    }

    #[test]
    fn val_discrete_energy_of_central_differences_is_kept() {
        let system = oscillator(0.0);
        let step_s = 0.1;
        let mut scheme = CentralDifference::new(&system, step_s, vec![1.0], vec![0.0]);
        // m/2·((U_{n+1}-U_n)/τ)² + m/2·ω²·U_n·U_{n+1}
        let energy = |a: f64, b: f64| ((b - a) / step_s).powi(2) + 9.0 * a * b;
        let mut first = None;
        for n in 0..100_000 {
            scheme.advance(&system, n as f64 * step_s, &[0.0], &mut NoForce);
            let now = energy(scheme.left_displacement()[0], scheme.displacement()[0]);
            let start = *first.get_or_insert(now);
            assert!((now / start - 1.0).abs() < 1e-9, "step {n}: {now} from {start}");
        }
    }
}
