//! Every node's shocks while a run goes: opened, fed and closed by the force there.

use super::books::Instant;
use super::interface::Interface;
use super::touch::Touch;
use crate::math::vector::dot;
use crate::record::Shock;

/// How much of every shock is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShockDetail {
    /// Only their number.
    Count,
    /// Start, duration, peak force and energy of each.
    Full,
}

struct OpenShock {
    profile: u8,
    node: u32,
    start_s: f64,
    peak: f64,
    energy: f64,
    seen: u64,
}

pub struct ShockBook {
    resonator_modes: usize,
    skip_s: f64,
    detail: ShockDetail,
    threshold: f64,
    /// Instants seen.
    steps: u64,
    /// Shocks that have ended.
    pub count: u64,
    open: Vec<OpenShock>,
    /// Index into `open` plus one, per profile and node.
    open_at: [Vec<u32>; 2],
    node_forces: Vec<(u8, u32, f64)>,
    /// Those that have ended, where all of them are kept.
    pub ended: Vec<Shock>,
}

impl ShockBook {
    pub fn new(resonator_modes: usize, interface: &Interface, skip_s: f64, detail: ShockDetail) -> Self {
        Self {
            resonator_modes,
            skip_s,
            detail,
            threshold: interface.law().map_or(0.0, |law| law.shock_threshold_pa()) * interface.step_m,
            steps: 0,
            count: 0,
            open: Vec::new(),
            open_at: [vec![0; interface.heights[0].len()], vec![0; interface.heights[1].len()]],
            node_forces: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Sums the force at every node of both profiles, then opens, feeds and closes shocks.
    pub fn record(&mut self, now: &Instant, step_s: f64, interface: &mut Interface) {
        self.steps += 1;
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
                self.count += 1;
                if self.detail == ShockDetail::Full {
                    self.ended.push(Shock {
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
