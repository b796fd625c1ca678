//! What a run writes down while it goes: energy ledger, shocks, level, contact counts.

use super::interface::{Interface, Touch};
use super::rub::RubPower;
use crate::engine::tally::Tally;
use crate::math::vector::dot;
use crate::record::{EnergyLedger, RunFigures, Shock};
use crate::scheme::ModalSystem;

/// How much of every shock is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShockDetail {
    /// Only their number.
    Count,
    /// Start, duration, peak force and energy of each.
    Full,
}

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

struct OpenShock {
    profile: u8,
    node: u32,
    start_s: f64,
    peak: f64,
    energy: f64,
    seen: u64,
}

pub struct Books {
    resonator_modes: usize,
    resonator_length_m: f64,
    skip_s: f64,
    detail: ShockDetail,
    threshold: f64,
    ledger: EnergyLedger,
    last_power: Option<InstantPower>,
    speed_squares: f64,
    steps: u64,
    counted_steps: u64,
    contact_steps: u64,
    max_force: f64,
    shock_count: u64,
    open: Vec<OpenShock>,
    /// Index into `open` plus one, per profile and node.
    open_at: [Vec<u32>; 2],
    node_forces: Vec<(u8, u32, f64)>,
    pub shocks: Vec<Shock>,
    /// Σ force on the slider at the last instant, N per metre of width.
    pub total_force: f64,
    /// Energy in the contact, and along x where the slider is free there.
    potential: f64,
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
            detail,
            threshold: interface.law().map_or(0.0, |law| law.shock_threshold_pa()) * interface.step_m,
            ledger: EnergyLedger::default(),
            last_power: None,
            speed_squares: 0.0,
            steps: 0,
            counted_steps: 0,
            contact_steps: 0,
            max_force: 0.0,
            shock_count: 0,
            open: Vec::new(),
            open_at: [vec![0; interface.heights[0].len()], vec![0; interface.heights[1].len()]],
            node_forces: Vec::new(),
            shocks: Vec::new(),
            total_force: 0.0,
            potential: 0.0,
            tally: None,
        }
    }

    /// Writes one instant down.
    pub fn record(&mut self, now: &Instant, step_s: f64, system: &ModalSystem, interface: &mut Interface) {
        self.book_energy(now, step_s, system, interface);
        self.steps += 1;
        self.book_shocks(now, step_s, interface);
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

    /// Sums the force at every node of both profiles, then opens, feeds and closes shocks.
    fn book_shocks(&mut self, now: &Instant, step_s: f64, interface: &mut Interface) {
        self.collect_node_forces(now.touches, interface);
        let forces = std::mem::take(&mut self.node_forces);
        let mut index = 0;
        while index < forces.len() {
            let (profile, node, mut force) = forces[index];
            index += 1;
            while index < forces.len() && (forces[index].0, forces[index].1) == (profile, node) {
                force += forces[index].2;
                index += 1;
            }
            // The cubic's negative weights make some reactions pull; only a node that is pushed is in a shock.
            if force > self.threshold {
                let speed = match self.detail {
                    ShockDetail::Count => 0.0,
                    ShockDetail::Full => node_speed(
                        interface,
                        usize::from(profile),
                        node,
                        now.velocity,
                        self.resonator_modes,
                        now.touches,
                    ),
                };
                self.feed(profile, node, now.time_s, force, -force * speed * step_s);
            }
        }
        self.node_forces = forces;
        self.close_ended(now.time_s);
    }

    fn collect_node_forces(&mut self, touches: &[Touch], interface: &Interface) {
        self.node_forces.clear();
        for touch in touches {
            let force = interface.step_m * interface.slave_share(touch) * touch.edge * touch.pressure;
            let slave = interface.wrap(touch.pass, touch.slave) as u32;
            self.node_forces.push((touch.pass as u8, slave, force));
            let rule = interface.rule(touch.pass, touch.master);
            let profile = 1 - touch.pass;
            for r in 0..4 {
                if rule.weights[r] != 0.0 {
                    let node = interface.wrap(profile, touch.master - 1 + r as i64) as u32;
                    self.node_forces.push((profile as u8, node, rule.weights[r] * force));
                }
            }
        }
        self.node_forces.sort_unstable_by_key(|&(profile, node, _)| (profile, node));
    }

    /// Force at a node at the last instant, N per metre of width.
    pub fn node_force(&self, profile: u8, node: u32) -> f64 {
        let first = self.node_forces.partition_point(|entry| (entry.0, entry.1) < (profile, node));
        let own = self.node_forces[first..].iter().take_while(|entry| (entry.0, entry.1) == (profile, node));
        own.map(|entry| entry.2).sum()
    }

    fn feed(&mut self, profile: u8, node: u32, time_s: f64, force: f64, energy: f64) {
        let slot = &mut self.open_at[usize::from(profile)][node as usize];
        if *slot == 0 {
            let shock =
                OpenShock { profile, node, start_s: time_s, peak: 0.0, energy: 0.0, seen: self.steps };
            self.open.push(shock);
            *slot = self.open.len() as u32;
        }
        let shock = &mut self.open[*slot as usize - 1];
        shock.peak = shock.peak.max(force);
        shock.energy += energy;
        shock.seen = self.steps;
    }

    fn close_ended(&mut self, time_s: f64) {
        let mut index = 0;
        while index < self.open.len() {
            if self.open[index].seen == self.steps {
                index += 1;
                continue;
            }
            let ended = self.open.swap_remove(index);
            self.open_at[usize::from(ended.profile)][ended.node as usize] = 0;
            if let Some(moved) = self.open.get(index) {
                self.open_at[usize::from(moved.profile)][moved.node as usize] = index as u32 + 1;
            }
            if ended.start_s >= self.skip_s {
                self.shock_count += 1;
                if self.detail == ShockDetail::Full {
                    self.shocks.push(Shock {
                        profile: ended.profile + 1,
                        node: ended.node,
                        start_s: ended.start_s,
                        duration_s: time_s - ended.start_s,
                        peak_force_n_m: ended.peak,
                        energy_j_m: ended.energy,
                    });
                }
            }
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
        let stored = system.energy(displacement, velocity) + self.potential;
        let counted = self.counted_steps.max(1) as f64;
        RunFigures {
            seconds,
            v_rms_m_s: (self.speed_squares / (counted * self.resonator_length_m)).sqrt(),
            contact_fraction: self.contact_steps as f64 / counted,
            shocks: self.shock_count,
            max_force_n_m: self.max_force,
            ledger: EnergyLedger { stored, ..self.ledger },
            rubbing: self.tally.as_ref().map(|tally| tally.figures(self.counted_steps, step_s)),
            step_s,
            steps: self.steps,
        }
    }
}

/// u̇ at a node of a profile. A node of a running texture has the speed of the beam under it.
fn node_speed(
    interface: &mut Interface,
    profile: usize,
    node: u32,
    velocity: &[f64],
    resonator_modes: usize,
    touches: &[Touch],
) -> f64 {
    if !interface.looped {
        return interface.boards[profile].peek(node as usize, velocity);
    }
    let (own, at) = if profile == 1 {
        (resonator_modes..velocity.len(), node as usize)
    } else {
        // Any touch tells where the texture stands: the slider's node over this one.
        let length = interface.heights[0].len() as i64;
        let Some(touch) = touches.first() else { return 0.0 };
        let shift = if touch.pass == 0 { touch.master - touch.slave } else { touch.slave - touch.master };
        let slider_nodes = interface.heights[1].len() as i64;
        let over = (i64::from(node) + shift).rem_euclid(length).min(slider_nodes - 1);
        (0..resonator_modes, over as usize)
    };
    dot(&interface.boards[0].row(at)[own.clone()], &velocity[own])
}
