//! One-step explicit schemes of Dang 2010, §4: Euler, Heun, RK4 and "RK8" by one tableau machine, and
//! the modified Euler scheme beside them.
//!
//! The RK8 of its eqs. 30–31 is Huťa's method of eight stages and sixth order; the paper prints only the
//! closing weights.

use super::{ForceField, Integrator, ModalSystem};

/// Coefficients of an explicit Runge–Kutta scheme.
#[derive(Debug, Clone)]
pub struct Tableau {
    nodes: Vec<f64>,
    rows: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

fn over(numbers: &[f64], divisor: f64) -> Vec<f64> {
    numbers.iter().map(|number| number / divisor).collect()
}

impl Tableau {
    /// Dang 2010, eq. 17.
    pub fn euler() -> Self {
        Self { nodes: vec![0.0], rows: vec![vec![]], weights: vec![1.0] }
    }

    /// Dang 2010, eq. 23.
    pub fn heun() -> Self {
        Self { nodes: vec![0.0, 1.0], rows: vec![vec![], vec![1.0]], weights: vec![0.5, 0.5] }
    }

    /// Dang 2010, eqs. 24–29.
    pub fn rk4() -> Self {
        Self {
            nodes: vec![0.0, 0.5, 0.5, 1.0],
            rows: vec![vec![], vec![0.5], vec![0.0, 0.5], vec![0.0, 0.0, 1.0]],
            weights: over(&[1.0, 2.0, 2.0, 1.0], 6.0),
        }
    }

    /// Huťa's sixth-order method, closed by Dang 2010, eq. 31.
    pub fn huta() -> Self {
        Self {
            nodes: vec![0.0, 1.0 / 9.0, 1.0 / 6.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 5.0 / 6.0, 1.0],
            rows: vec![
                vec![],
                over(&[1.0], 9.0),
                over(&[1.0, 3.0], 24.0),
                over(&[1.0, -3.0, 4.0], 6.0),
                over(&[-5.0, 27.0, -24.0, 6.0], 8.0),
                over(&[221.0, -981.0, 867.0, -102.0, 1.0], 9.0),
                over(&[-183.0, 678.0, -472.0, -66.0, 80.0, 3.0], 48.0),
                over(&[716.0, -2079.0, 1002.0, 834.0, -454.0, -9.0, 72.0], 82.0),
            ],
            weights: over(&[41.0, 0.0, 216.0, 27.0, 272.0, 27.0, 216.0, 41.0], 840.0),
        }
    }
}

pub struct RungeKutta {
    tableau: Tableau,
    step_s: f64,
    now: Vec<f64>,
    velocity: Vec<f64>,
    left: Vec<f64>,
    left_velocity: Vec<f64>,
    /// Velocity and acceleration of every stage.
    stages: Vec<(Vec<f64>, Vec<f64>)>,
    trial: Vec<f64>,
    force: Vec<f64>,
}

impl RungeKutta {
    pub fn new(tableau: Tableau, step_s: f64, displacement: Vec<f64>, velocity: Vec<f64>) -> Self {
        let zeros = vec![0.0; displacement.len()];
        let stages = vec![(zeros.clone(), zeros.clone()); tableau.weights.len()];
        Self {
            tableau,
            step_s,
            left: zeros.clone(),
            left_velocity: zeros.clone(),
            trial: zeros.clone(),
            force: zeros,
            now: displacement,
            velocity,
            stages,
        }
    }
}

impl Integrator for RungeKutta {
    fn displacement(&self) -> &[f64] {
        &self.now
    }

    fn advance(&mut self, system: &ModalSystem, time_s: f64, force: &[f64], field: &mut dyn ForceField) {
        for stage in 0..self.stages.len() {
            let (done, rest) = self.stages.split_at_mut(stage);
            let (stage_velocity, stage_acceleration) = &mut rest[0];
            let row = &self.tableau.rows[stage];
            for k in 0..self.now.len() {
                let (mut u, mut v) = (0.0, 0.0);
                for (a, (du, dv)) in row.iter().zip(done.iter()) {
                    u += a * du[k];
                    v += a * dv[k];
                }
                self.trial[k] = self.now[k] + self.step_s * u;
                stage_velocity[k] = self.velocity[k] + self.step_s * v;
            }
            if stage == 0 {
                self.force.copy_from_slice(force);
            } else {
                field.modal_forces(
                    time_s + self.tableau.nodes[stage] * self.step_s,
                    &self.trial,
                    &mut self.force,
                );
            }
            for k in 0..self.now.len() {
                stage_acceleration[k] =
                    system.acceleration(k, self.trial[k], stage_velocity[k], self.force[k]);
            }
        }
        self.left.copy_from_slice(&self.now);
        self.left_velocity.copy_from_slice(&self.velocity);
        for (weight, (du, dv)) in self.tableau.weights.iter().zip(&self.stages) {
            for k in 0..self.now.len() {
                self.now[k] += self.step_s * weight * du[k];
                self.velocity[k] += self.step_s * weight * dv[k];
            }
        }
    }

    fn left_displacement(&self) -> &[f64] {
        &self.left
    }

    fn left_velocity(&self) -> &[f64] {
        &self.left_velocity
    }
}

/// Dang 2010, eqs. 20–21: velocity first, then displacement with the new velocity.
pub struct ModifiedEuler {
    step_s: f64,
    now: Vec<f64>,
    velocity: Vec<f64>,
    left: Vec<f64>,
    left_velocity: Vec<f64>,
}

impl ModifiedEuler {
    pub fn new(step_s: f64, displacement: Vec<f64>, velocity: Vec<f64>) -> Self {
        let (left, left_velocity) = (displacement.clone(), velocity.clone());
        Self { step_s, now: displacement, velocity, left, left_velocity }
    }
}

impl Integrator for ModifiedEuler {
    fn displacement(&self) -> &[f64] {
        &self.now
    }

    fn advance(&mut self, system: &ModalSystem, _time_s: f64, force: &[f64], _field: &mut dyn ForceField) {
        self.left.copy_from_slice(&self.now);
        self.left_velocity.copy_from_slice(&self.velocity);
        for (k, (now, velocity)) in self.now.iter_mut().zip(&mut self.velocity).enumerate() {
            *velocity += self.step_s * system.acceleration(k, *now, *velocity, force[k]);
            *now += self.step_s * *velocity;
        }
    }

    fn left_displacement(&self) -> &[f64] {
        &self.left
    }

    fn left_velocity(&self) -> &[f64] {
        &self.left_velocity
    }
}
