//! Central differences, the paper's leap-frog (Dang 2013, eqs. 24–26; Dang 2010, eqs. 32–34).
//!
//! (1 + τζω)·U_{n+1} = (2 - τ²ω²)·U_n + (τζω - 1)·U_{n-1} + τ²/m·(F_n + G). Eq. 25 forgets the factor
//! 1/(1 + τζω) on the force; it is here.

use super::{ForceField, Integrator, ModalSystem};

pub struct CentralDifference {
    step_s: f64,
    now: Vec<f64>,
    /// U_{n-1}; before the first step, unset.
    before: Vec<f64>,
    velocity: Vec<f64>,
    next: Vec<f64>,
    started: bool,
    coefficients: Vec<Coefficients>,
}

#[derive(Clone, Copy)]
struct Coefficients {
    now: f64,
    before: f64,
    force: f64,
    steady: f64,
}

impl CentralDifference {
    pub fn new(system: &ModalSystem, step_s: f64, displacement: Vec<f64>, velocity: Vec<f64>) -> Self {
        let coefficients = (0..system.len())
            .map(|k| {
                let turn = step_s * system.omega[k];
                let loss = turn * system.zeta[k];
                let force = step_s * step_s / (system.mass[k] * (1.0 + loss));
                Coefficients {
                    now: (2.0 - turn * turn) / (1.0 + loss),
                    before: (loss - 1.0) / (1.0 + loss),
                    force,
                    steady: force * system.steady_force[k],
                }
            })
            .collect();
        let empty = vec![0.0; displacement.len()];
        let next = empty.clone();
        Self { step_s, now: displacement, before: empty, velocity, next, started: false, coefficients }
    }

    /// ∂U_{n+1}/∂F_n of mode `k`: what Algorithm 2 builds its influence matrix from (eq. 38).
    pub fn compliance(&self, k: usize) -> f64 {
        let start = if self.started { 1.0 } else { 0.5 };
        start * self.coefficients[k].force
    }

    /// U_{n+1} as it would come out with the force `force`; changes nothing.
    pub fn predict(&self, system: &ModalSystem, force: &[f64], out: &mut [f64]) {
        if self.started {
            for (k, c) in self.coefficients.iter().enumerate() {
                out[k] = c.now * self.now[k] + c.before * self.before[k] + c.force * force[k] + c.steady;
            }
        } else {
            // Eq. 26 for any initial state: a Taylor step.
            for (k, value) in out.iter_mut().enumerate() {
                let acceleration = system.acceleration(k, self.now[k], self.velocity[k], force[k]);
                *value = self.now[k]
                    + self.step_s * self.velocity[k]
                    + 0.5 * self.step_s * self.step_s * acceleration;
            }
        }
    }
}

impl Integrator for CentralDifference {
    fn displacement(&self) -> &[f64] {
        &self.now
    }

    fn advance(&mut self, system: &ModalSystem, _time_s: f64, force: &[f64], _field: &mut dyn ForceField) {
        let mut next = std::mem::take(&mut self.next);
        self.predict(system, force, &mut next);
        if self.started {
            for (k, velocity) in self.velocity.iter_mut().enumerate() {
                *velocity = (next[k] - self.before[k]) / (2.0 * self.step_s);
            }
        }
        self.started = true;
        std::mem::swap(&mut self.before, &mut self.now);
        std::mem::swap(&mut self.now, &mut next);
        self.next = next;
    }

    fn left_displacement(&self) -> &[f64] {
        &self.before
    }

    fn left_velocity(&self) -> &[f64] {
        &self.velocity
    }
}
