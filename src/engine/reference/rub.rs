//! Friction within a step of central differences, and the slider that it drags.
//!
//! At a touch the slider's surface passes the resonator's with the slip speed
//! w = ẋ + (H₁/2)·u̇₁' - (H₂/2)·u̇₂' - s·(u̇₁ + u̇₂): the surfaces' own -(H/2)·∂u̇/∂x, and the way along a
//! surface that rises with s = -∂g/∂Δ. Friction T on the slider does the work T·w, so the same factors turn
//! T into modal forces: it bends the resonator, pitches the slider and acts vertically on a slope.
//!
//! All touches share one slider's slip. They take friction in proportion to their normal forces,
//! T_i = T·N_i/N, so only the mean slip Σ N_i·w_i/N counts and the step is one scalar:
//! w_{n+½} = w_free + C·T with C = (Σ_k W_k²·∂U_{k,n+1}/∂F_k + ∂x_{n+1}/∂f)/τ. That is passive for any
//! number of touches. A part of the contact that sticks while another slips is beyond it.

use super::interface::Interface;
use super::touch::Touch;
use super::tow::Tow;
use crate::friction::{Bond, PenalisedStick, Phase};
use crate::math::vector::{add_scaled, dot};
use crate::scene::{Friction, Scene, Stick};
use crate::scheme::{CentralDifference, Integrator, ModalSystem};

/// What the books need of an instant.
#[derive(Debug, Clone, Copy, Default)]
pub struct RubPower {
    pub drive: f64,
    pub loss: f64,
    pub heat: f64,
    pub stored: f64,
    /// Sum of |heat| and |drive|: friction may pass on much and keep little.
    pub traffic: f64,
    /// Phase and slip speed of a contact with friction.
    pub slip: Option<(Phase, f64)>,
}

pub struct Rub {
    pub tow: Tow,
    friction: Option<Friction>,
    feels_contact: bool,
    step_s: f64,
    phase: Phase,
    /// Memory of the penalised stick.
    bond: Bond,
    slip_m: f64,
    slip_m_s: f64,
    /// W_k: modal forces of a unit of friction.
    row: Vec<f64>,
    normal: f64,
    /// T.
    force: f64,
    /// What normal forces do along x.
    push: f64,
    predicted: Vec<f64>,
}

impl Rub {
    pub fn new(scene: &Scene, modes: usize, step_s: f64) -> Self {
        Self {
            tow: Tow::new(scene, step_s),
            friction: scene.friction,
            feels_contact: scene.drive.feels_contact,
            step_s,
            phase: Phase::Stick,
            bond: Bond::at(0.0),
            slip_m: 0.0,
            slip_m_s: 0.0,
            row: vec![0.0; modes],
            normal: 0.0,
            force: 0.0,
            push: 0.0,
            predicted: vec![0.0; modes],
        }
    }

    /// Adds friction at t_n to the modal forces, before the modes advance, and moves the slider.
    pub fn solve(
        &mut self,
        system: &ModalSystem,
        scheme: &CentralDifference,
        interface: &mut Interface,
        touches: &[Touch],
        time_s: f64,
        force: &mut [f64],
    ) {
        self.gather(interface, touches);
        let push = if self.feels_contact { self.push } else { 0.0 };
        scheme.predict(system, force, &mut self.predicted);
        let (next, _) = self.tow.predict(time_s, push);
        let now = scheme.displacement();
        let free =
            (dot(&self.row, &self.predicted) - dot(&self.row, now) + next - self.tow.place()) / self.step_s;
        let give: f64 = self.row.iter().enumerate().map(|(k, w)| w * w * scheme.compliance(k)).sum();
        let compliance = (give + self.tow.compliance()) / self.step_s;
        self.rub(free, compliance);
        add_scaled(force, self.force, &self.row);
        self.tow.advance(time_s, push + self.force);
    }

    /// N, W and the push along x of all touches together.
    fn gather(&mut self, interface: &mut Interface, touches: &[Touch]) {
        self.row.fill(0.0);
        self.push = 0.0;
        let lengths = touches.iter().map(|touch| interface.touch_length_m(touch));
        self.normal = lengths.zip(touches).map(|(length, touch)| length * touch.pressure).sum();
        for touch in touches {
            let length = interface.step_m * interface.slave_share(touch);
            let normal = length * touch.edge * touch.pressure;
            let energy = length * interface.law().map_or(0.0, |law| law.energy(touch.gap));
            self.push += normal * touch.opening - touch.edge_slope * energy;
            if let Some(friction) = &self.friction
                && normal > 0.0
            {
                let opening = if friction.follows_slope { touch.opening } else { 0.0 };
                interface.add_pull(touch, normal / self.normal, opening, &mut self.row);
            }
        }
    }

    fn rub(&mut self, free_m_s: f64, compliance: f64) {
        let Some(friction) = self.friction else {
            self.slip_m_s = free_m_s;
            return;
        };
        match friction.stick {
            Stick::Exact => {
                let answer = friction.law.meet(self.phase, free_m_s, compliance, self.normal);
                (self.force, self.phase) = (answer.force, answer.phase);
                self.slip_m_s = answer.speed_m_s;
            }
            Stick::Penalty { stiffness_n_m } => {
                // Half of the critical dashpot for the mass that answers: w changes by C·T in a step τ.
                let damping_n_s_m =
                    if compliance > 0.0 { (stiffness_n_m * self.step_s / compliance).sqrt() } else { 0.0 };
                let held = PenalisedStick { law: friction.law, stiffness_n_m, damping_n_s_m };
                (self.force, self.bond) = held.respond(self.bond, self.slip_m, self.slip_m_s, self.normal);
                self.phase = self.bond.phase;
                self.slip_m_s = free_m_s + compliance * self.force;
            }
        }
        self.slip_m += self.step_s * self.slip_m_s;
    }

    /// Whether no touch slips.
    pub fn sticks(&self) -> bool {
        self.phase == Phase::Stick
    }

    /// Friction on the slider at the instant left, N per metre of width.
    pub fn friction_force(&self) -> f64 {
        self.force
    }

    /// Mean slip speed half a step later.
    pub fn slip_m_s(&self) -> f64 {
        self.slip_m_s
    }

    /// Whether the drive, not the slider, bears what normal forces do along x.
    pub fn drive_bears_push(&self) -> bool {
        self.tow.is_rigid() || !self.feels_contact
    }

    /// Powers at the instant left, whose modal velocities are given.
    pub fn power(&self, time_s: f64, velocity: &[f64]) -> RubPower {
        let slip = dot(&self.row, velocity) + self.tow.left().speed_m_s;
        let heat = -self.force * slip;
        let drive = self.tow.drive_power(time_s, self.force);
        RubPower {
            drive,
            loss: self.tow.link_loss(),
            heat,
            stored: self.tow.energy(),
            traffic: drive.abs() + heat.abs(),
            slip: self.friction.filter(|_| self.normal > 0.0).map(|_| (self.phase, self.slip_m_s)),
        }
    }
}
