//! Exact modal stepping: the free motion of every mode by its closed form, the force as a velocity kick
//! shared between both ends of a step. Second order in the force, exact without one, at any step.
//!
//! Flow over τ with σ = ζω, ω_d = ω√(1-ζ²), about the static deflection G/(mω²):
//! U ← e^-στ[(cos + σ/ω_d·sin)·U + sin/ω_d·U̇], U̇ ← e^-στ[(cos - σ/ω_d·sin)·U̇ - ω²/ω_d·sin·U].

use super::{ForceField, Integrator, ModalSystem};

pub struct ExactModal {
    now: Vec<f64>,
    /// Velocity just before the kick at the present instant.
    arriving: Vec<f64>,
    left: Vec<f64>,
    left_velocity: Vec<f64>,
    flows: Vec<Flow>,
    half_step_s: f64,
    started: bool,
}

#[derive(Clone, Copy)]
struct Flow {
    uu: f64,
    uv: f64,
    vu: f64,
    vv: f64,
    /// Displacement about which the mode swings.
    rest: f64,
    /// Steady force on a rigid mode, which has no rest: acts as a constant acceleration.
    steady_acceleration: f64,
}

impl Flow {
    fn new(omega: f64, zeta: f64, mass: f64, steady_force: f64, step_s: f64) -> Self {
        if omega == 0.0 {
            let steady_acceleration = steady_force / mass;
            return Self { uu: 1.0, uv: step_s, vu: 0.0, vv: 1.0, rest: 0.0, steady_acceleration };
        }
        let sigma = zeta * omega;
        let decay = (-sigma * step_s).exp();
        // sine = sin(ω_d τ)/ω_d and its kin for ζ < 1, = 1 and > 1.
        let spread = omega * omega - sigma * sigma;
        let (cosine, sine) = if spread > 0.0 {
            let damped = spread.sqrt();
            ((damped * step_s).cos(), (damped * step_s).sin() / damped)
        } else if spread < 0.0 {
            let real = (-spread).sqrt();
            ((real * step_s).cosh(), (real * step_s).sinh() / real)
        } else {
            (1.0, step_s)
        };
        Self {
            uu: decay * (cosine + sigma * sine),
            uv: decay * sine,
            vu: -decay * omega * omega * sine,
            vv: decay * (cosine - sigma * sine),
            rest: steady_force / (mass * omega * omega),
            steady_acceleration: 0.0,
        }
    }
}

impl ExactModal {
    pub fn new(system: &ModalSystem, step_s: f64, displacement: Vec<f64>, velocity: Vec<f64>) -> Self {
        let flows = (0..system.len())
            .map(|k| {
                Flow::new(system.omega[k], system.zeta[k], system.mass[k], system.steady_force[k], step_s)
            })
            .collect();
        let zeros = vec![0.0; displacement.len()];
        let (left, left_velocity) = (zeros.clone(), zeros);
        Self {
            now: displacement,
            arriving: velocity,
            left,
            left_velocity,
            flows,
            half_step_s: 0.5 * step_s,
            started: false,
        }
    }
}

impl Integrator for ExactModal {
    fn displacement(&self) -> &[f64] {
        &self.now
    }

    fn advance(&mut self, system: &ModalSystem, _time_s: f64, force: &[f64], _field: &mut dyn ForceField) {
        for (k, flow) in self.flows.iter().enumerate() {
            let kick = self.half_step_s * (force[k] / system.mass[k] + flow.steady_acceleration);
            // The very first instant has no step behind it, so no kick from it either.
            let velocity = if self.started { self.arriving[k] + kick } else { self.arriving[k] };
            self.left[k] = self.now[k];
            self.left_velocity[k] = velocity;
            let (u, v) = (self.now[k] - flow.rest, velocity + kick);
            self.now[k] = flow.rest + flow.uu * u + flow.uv * v;
            self.arriving[k] = flow.vu * u + flow.vv * v;
        }
        self.started = true;
    }

    fn left_displacement(&self) -> &[f64] {
        &self.left
    }

    fn left_velocity(&self) -> &[f64] {
        &self.left_velocity
    }
}
