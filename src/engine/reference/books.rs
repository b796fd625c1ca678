//! What a run writes down while it goes: energy ledger, level, contact counts; shocks are in `shock_book`.

use super::interface::Interface;
use super::rub::RubPower;
use super::shock_book::{ShockBook, ShockDetail};
use super::touch::Touch;
use crate::engine::tally::Tally;
use crate::math::vector::dot;
use crate::record::{EnergyLedger, RunFigures};
use crate::scheme::ModalSystem;

/// One instant of a run, as the books see it.
pub struct Instant<'a> {
    pub time_s: f64,
    /// Δ̇.
    pub speed_m_s: f64,
    pub displacement: &'a [f64],
    pub velocity: &'a [f64],
    /// Modal contact forces.
    pub force: &'a [f64],
    pub touches: &'a [Touch],
    /// The drive works against what normal forces do along x.
    pub drive_bears_push: bool,
    pub rub: RubPower,
}

/// Totals at one instant.
#[derive(Debug, Clone, Copy, Default)]
struct InstantPower {
    drive: f64,
    damping: f64,
    /// What ideal contact takes from the drive and does not hand on to the modes.
    impact: f64,
    heat: f64,
    traffic: f64,
}

pub struct Books {
    resonator_modes: usize,
    resonator_length_m: f64,
    skip_s: f64,
    ledger: EnergyLedger,
    last_power: Option<InstantPower>,
    speed_squares: f64,
    steps: u64,
    counted_steps: u64,
    contact_steps: u64,
    max_force: f64,
    pub shocks: ShockBook,
    /// Σ force on the slider at the last instant, N per metre of width.
    pub total_force: f64,
    /// Energy in the contact, and along x where the slider is free there.
    potential: f64,
    /// What the energy lacks while an ideal impact lasts.
    blow: f64,
    /// Where there is friction.
    tally: Option<Tally>,
}

impl Books {
    pub fn new(
        resonator_modes: usize,
        resonator_length_m: f64,
        interface: &Interface,
        skip_s: f64,
        detail: ShockDetail,
    ) -> Self {
        Self {
            resonator_modes,
            resonator_length_m,
            skip_s,
            ledger: EnergyLedger::default(),
            last_power: None,
            speed_squares: 0.0,
            steps: 0,
            counted_steps: 0,
            contact_steps: 0,
            max_force: 0.0,
            shocks: ShockBook::new(resonator_modes, interface, skip_s, detail),
            total_force: 0.0,
            potential: 0.0,
            blow: 0.0,
            tally: None,
        }
    }

    /// Writes one instant down.
    pub fn record(&mut self, now: &Instant, step_s: f64, system: &ModalSystem, interface: &mut Interface) {
        self.book_energy(now, step_s, system, interface);
        self.steps += 1;
        self.shocks.record(now, step_s, interface);
        if now.time_s >= self.skip_s {
            self.counted_steps += 1;
            self.speed_squares += now.velocity[..self.resonator_modes].iter().map(|v| v * v).sum::<f64>();
            self.contact_steps += u64::from(!now.touches.is_empty());
            self.max_force = self.max_force.max(self.total_force);
            self.book_rubbing(now, step_s);
        }
    }

    fn book_rubbing(&mut self, now: &Instant, step_s: f64) {
        if let Some((phase, speed_m_s)) = now.rub.slip {
            let modes = self.resonator_modes;
            self.tally.get_or_insert_with(|| Tally::new(modes)).see(phase, speed_m_s, step_s);
        }
        if let Some(tally) = &mut self.tally {
            let speeds = now.velocity[..self.resonator_modes].iter();
            tally.move_modes(speeds.map(|speed| speed * speed), step_s);
        }
    }

    fn book_energy(&mut self, now: &Instant, step_s: f64, system: &ModalSystem, interface: &Interface) {
        let mut power = InstantPower::default();
        self.total_force = 0.0;
        self.potential = 0.0;
        for touch in now.touches {
            let length = interface.step_m * interface.slave_share(touch);
            let force = length * touch.edge * touch.pressure;
            let energy = length * interface.law().map_or(0.0, |law| law.energy(touch.gap));
            self.total_force += force;
            self.potential += touch.edge * energy;
            if now.drive_bears_push {
                power.drive += (touch.edge_slope * energy - force * touch.opening) * now.speed_m_s;
            }
        }
        power.traffic = power.drive.abs() + now.rub.traffic;
        power.drive += now.rub.drive;
        power.damping += now.rub.loss;
        power.heat = now.rub.heat;
        self.potential += now.rub.stored;
        for k in 0..system.len() {
            let speed = now.velocity[k];
            power.damping += 2.0 * system.zeta[k] * system.omega[k] * system.mass[k] * speed * speed;
        }
        if interface.law().is_none() {
            power.impact = power.drive - dot(now.force, now.velocity);
            self.book_blow(now.force, step_s, system, &mut power);
        }
        if let Some(last) = self.last_power {
            let half = 0.5 * step_s;
            self.ledger.drive_work += half * (last.drive + power.drive);
            self.ledger.drive_traffic += half * (last.traffic + power.traffic);
            self.ledger.damping_loss += half * (last.damping + power.damping);
            self.ledger.contact_loss += half * (last.impact + power.impact);
            self.ledger.friction_heat += half * (last.heat + power.heat);
        } else {
            self.ledger.initial = system.energy(now.displacement, now.velocity) + self.potential;
        }
        self.last_power = Some(power);
    }

    /// An ideal impact is over within a step, so half a step of it counts at either end of a run. It changes the speeds
    /// by τ·F/M, and the speed at its instant is the mean of before and after: E there is J²/8M short of what is booked
    /// by then. The first step has only the latter half of it (eq. 26), from the speed before: its power lacks τ·F²/4M.
    fn book_blow(&mut self, force: &[f64], step_s: f64, system: &ModalSystem, power: &mut InstantPower) {
        let squares =
            force.iter().zip(&system.mass).map(|(force, mass)| (step_s * force).powi(2) / (8.0 * mass));
        let blow: f64 = squares.sum();
        if self.last_power.is_none() {
            power.impact -= 2.0 * blow / step_s;
        } else {
            self.blow = blow;
        }
    }

    /// The figures up to the last recorded instant.
    pub fn figures(
        &self,
        system: &ModalSystem,
        displacement: &[f64],
        velocity: &[f64],
        seconds: f64,
        step_s: f64,
    ) -> RunFigures {
        let stored = system.energy(displacement, velocity) + self.potential + self.blow;
        let counted = self.counted_steps.max(1) as f64;
        RunFigures {
            seconds,
            v_rms_m_s: (self.speed_squares / (counted * self.resonator_length_m)).sqrt(),
            contact_fraction: self.contact_steps as f64 / counted,
            shocks: self.shocks.count,
            max_force_n_m: self.max_force,
            ledger: EnergyLedger { stored, ..self.ledger },
            rubbing: self.tally.as_ref().map(|tally| tally.figures(self.counted_steps, step_s)),
            step_s,
            steps: self.steps,
        }
    }
}
