//! The force at one node of the slider over a run (Dang 2013, Fig. 11): at the node that was asked for, or at the
//! one with most shocks, which is known only in the end.

use crate::engine::reference::{Simulation, Touch};
use crate::record::NodeHistory;
use crate::scene::Scene;

/// Nodes whose forces are kept until one is chosen: those longest in contact during the skipped start, then
/// whatever touches next. All of them would not fit into memory.
const BUSIEST: usize = 32;
const FOLLOWED: usize = 64;
/// Where the paper looks, 12 mm on a slider of 20 mm: for a slider that touches nothing.
const PAPERS_PLACE: f64 = 0.012 / 0.02;

pub struct NodeWatch {
    step_m: f64,
    step_s: f64,
    /// The node that was asked for, or the paper's.
    node: u32,
    /// Nodes are looked for: none was asked for.
    searching: bool,
    /// Steps in contact for each node of the slider during the skipped start.
    busy: Vec<u32>,
    followed: Vec<Followed>,
    is_followed: Vec<bool>,
}

impl NodeWatch {
    /// For a slider of so many nodes; `place_m` counts from its rear end.
    pub fn new(scene: &Scene, place_m: Option<f64>, nodes: usize) -> Self {
        let place = place_m.unwrap_or(PAPERS_PLACE * scene.slider.beam.length_m);
        Self {
            step_m: scene.step_m,
            step_s: scene.run.step_s,
            node: ((place / scene.step_m).round() as usize).min(nodes - 1) as u32,
            searching: place_m.is_none(),
            busy: vec![0; nodes],
            followed: Vec::new(),
            is_followed: vec![false; nodes],
        }
    }

    /// A step of the skipped start: which nodes are worth following.
    pub fn see_start(&mut self, simulation: &Simulation) {
        on_slider(simulation).for_each(|node| self.busy[node as usize] += 1);
    }

    /// Writes down the force at every followed node.
    pub fn see(&mut self, simulation: &Simulation, time_s: f64) {
        if self.followed.is_empty() {
            self.choose();
        }
        if self.searching {
            on_slider(simulation).for_each(|node| self.add(node, FOLLOWED));
        }
        if !simulation.touches().is_empty() || self.followed.iter().any(|node| node.last_force != 0.0) {
            for node in &mut self.followed {
                node.see(time_s, self.step_s, simulation.node_force(1, node.node));
            }
        }
    }

    fn choose(&mut self) {
        if self.searching {
            let mut order: Vec<u32> = (0..self.busy.len() as u32).collect();
            order.retain(|node| self.busy[*node as usize] > 0);
            order.sort_by_key(|node| std::cmp::Reverse(self.busy[*node as usize]));
            for node in order {
                self.add(node, BUSIEST);
            }
        }
        self.add(self.node, FOLLOWED);
    }

    fn add(&mut self, node: u32, most: usize) {
        if self.followed.len() < most && !self.is_followed[node as usize] {
            self.is_followed[node as usize] = true;
            self.followed.push(Followed { node, ..Followed::default() });
        }
    }

    /// Of the followed nodes the first with most shocks.
    pub fn finish(self, from_s: f64) -> NodeHistory {
        let most = self.followed.iter().map(|node| node.shocks).max().unwrap_or(0);
        let asked = Followed { node: self.node, ..Followed::default() };
        let chosen = self.followed.into_iter().find(|node| node.shocks == most && most > 0).unwrap_or(asked);
        NodeHistory {
            node: chosen.node,
            position_m: f64::from(chosen.node) * self.step_m,
            from_s,
            forces: chosen.forces,
        }
    }
}

/// Nodes of the slider that touch in this step.
fn on_slider(simulation: &Simulation) -> impl Iterator<Item = u32> {
    let touching = |touch: &&Touch| touch.pass == 1;
    simulation.touches().iter().filter(touching).map(|touch| touch.slave as u32)
}

/// The force at one node as it goes on.
#[derive(Default)]
struct Followed {
    node: u32,
    last_force: f64,
    /// How often it began to push.
    shocks: u32,
    forces: Vec<(f64, f64)>,
}

impl Followed {
    fn see(&mut self, time_s: f64, step_s: f64, force: f64) {
        if force != 0.0 || self.last_force != 0.0 {
            if self.last_force == 0.0 {
                self.forces.push(((time_s - step_s).max(0.0), 0.0));
            }
            self.forces.push((time_s, force));
        }
        self.shocks += u32::from(force > 0.0 && self.last_force <= 0.0);
        self.last_force = force;
    }
}
