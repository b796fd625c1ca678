//! A run for the sake of its contacts (Dang 2013, §4): every shock, the force at one node, and how many
//! asperities carry the slider from moment to moment.
//!
//! Mean separation is δ - mean(h₁ + u₁) - mean(h₂ + u₂) over the slider's length (the gap of eq. 30 without
//! its fluctuations): ∫ψ_k gives the mean deflections, running integrals of the profiles the mean heights.

use crate::engine::realtime::Quality;
use crate::engine::reference::{Request, ShockDetail, Simulation, Touch, Walk, run_watched};
use crate::error::{Error, Problem, Problems};
use crate::math::running_mean::RunningMean;
use crate::record::{ContactSample, NodeHistory, Recording, RunFigures, Shock};
use crate::scene::{MotionKind, Scene};

use super::nodes::NodeWatch;
use super::{Engine, Order};

#[derive(Debug, Clone, Copy)]
pub struct ContactOrder {
    pub seconds: f64,
    pub skip_s: f64,
    /// Rows of the contact's history per second.
    pub rate_hz: f64,
    /// Point of the slider whose force is kept, from its rear end; unset: the node with most shocks.
    pub node_m: Option<f64>,
}

/// Rows of the history per second: one step at most, and enough to follow the slider's bounces.
const RATES_HZ: std::ops::RangeInclusive<f64> = 10.0..=1e6;
/// All shocks and all rows stay in memory: some ten thousand shocks of 48 bytes a second, rows of 56 bytes.
const LONGEST_S: f64 = 300.0;
const MOST_ROWS: f64 = 1e7;

impl ContactOrder {
    /// Everything wrong with the order, for a slider of that length where it is known.
    pub fn problems(&self, slider_m: Option<f64>) -> Problems {
        let order = Order {
            engine: Engine::Reference,
            quality: Quality::default(),
            seconds: self.seconds,
            skip_s: self.skip_s,
            rate_hz: None,
        };
        let mut problems = order.problems();
        if !RATES_HZ.contains(&self.rate_hz) {
            problems.push(Problem::new(
                "--rate",
                self.rate_hz,
                format!("must be from {} to {} Hz", RATES_HZ.start(), RATES_HZ.end()),
                "20000 is usual",
            ));
        }
        let rows = self.seconds * self.rate_hz;
        if self.seconds > LONGEST_S {
            let limit = format!("every shock is kept: at most {LONGEST_S} s");
            problems.push(Problem::new("--seconds", self.seconds, limit, "run less, or several seeds"));
        } else if RATES_HZ.contains(&self.rate_hz) && rows > MOST_ROWS {
            let limit = format!("at most {MOST_ROWS:.0} rows");
            problems.push(Problem::new("--rate", format!("{rows:.0} rows"), limit, "20000 is usual"));
        }
        if let (Some(node_m), Some(length_m)) = (self.node_m, slider_m)
            && !(0.0..=length_m).contains(&node_m)
        {
            problems.push(Problem::new(
                "--node-m",
                node_m,
                format!("must lie on the slider, from 0 to {length_m} m"),
                "count from its rear end",
            ));
        }
        problems
    }
}

pub struct ContactRun {
    pub figures: RunFigures,
    /// Shocks that began after the skipped start and ended.
    pub shocks: Vec<Shock>,
    pub history: Vec<ContactSample>,
    pub node: NodeHistory,
}

/// Runs the scene with the reference engine; `monitor` as in [`super::render`].
pub fn contact_run(
    scene: &Scene,
    order: &ContactOrder,
    monitor: &mut dyn FnMut(f64) -> bool,
) -> Result<ContactRun, Error> {
    order.problems(Some(scene.slider.beam.length_m)).or(())?;
    let request = Request {
        seconds: order.seconds,
        skip_s: order.skip_s,
        rate_hz: None,
        walk: Walk::Pruned,
        shocks: ShockDetail::Full,
    };
    let mut watch: Option<Watch> = None;
    // Nothing is recorded, so nothing arrives here.
    let mut silence = Recording { rate_hz: 0.0, channels: Vec::new() };
    let outcome = run_watched(scene, &request, &mut silence, monitor, &mut |simulation| {
        watch.get_or_insert_with(|| Watch::new(scene, order, simulation)).see(simulation);
    })?;
    let (history, node) =
        watch.map(|watch| (watch.history, watch.nodes.finish(order.skip_s))).unwrap_or_default();
    Ok(ContactRun { figures: outcome.figures, shocks: outcome.shocks, history, node })
}

struct Watch<'a> {
    scene: &'a Scene,
    skip_s: f64,
    /// Steps in a row of the history.
    stretch: u64,
    seen: u64,
    sum: ContactSample,
    history: Vec<ContactSample>,
    nodes: NodeWatch,
    bottom: RunningMean,
    top_mean_m: f64,
    spots: Vec<i64>,
}

impl<'a> Watch<'a> {
    fn new(scene: &'a Scene, order: &ContactOrder, simulation: &Simulation) -> Self {
        let nodes = simulation.heights(1).len();
        let looped = scene.motion.kind == MotionKind::Endless;
        Self {
            scene,
            skip_s: order.skip_s,
            stretch: (1.0 / (order.rate_hz * scene.run.step_s)).round().max(1.0) as u64,
            seen: 0,
            sum: ContactSample::default(),
            history: Vec::new(),
            nodes: NodeWatch::new(scene, order.node_m, nodes),
            bottom: RunningMean::new(simulation.heights(0), scene.step_m, looped),
            top_mean_m: simulation.heights(1).iter().sum::<f64>() / nodes as f64,
            spots: Vec::new(),
        }
    }

    fn see(&mut self, simulation: &Simulation) {
        let time_s = simulation.left_time();
        if time_s < self.skip_s {
            self.nodes.see_start(simulation);
            return;
        }
        self.nodes.see(simulation, time_s);
        let touches = simulation.touches();
        let force = simulation.total_force();
        self.sum.nodes += touches.len() as f64;
        self.sum.spots += count_spots(touches, &mut self.spots) as f64;
        self.sum.length_m += 0.5 * touches.iter().map(|touch| simulation.touch_length_m(touch)).sum::<f64>();
        self.sum.force_n_m += force;
        self.sum.max_force_n_m = self.sum.max_force_n_m.max(force);
        self.seen += 1;
        if self.seen == self.stretch {
            let share = 1.0 / self.seen as f64;
            self.history.push(ContactSample {
                time_s,
                nodes: self.sum.nodes * share,
                spots: self.sum.spots * share,
                length_m: self.sum.length_m * share,
                separation_m: self.separation(simulation, time_s),
                force_n_m: self.sum.force_n_m * share,
                max_force_n_m: self.sum.max_force_n_m,
            });
            self.sum = ContactSample::default();
            self.seen = 0;
        }
    }

    fn separation(&self, simulation: &Simulation, time_s: f64) -> f64 {
        let scene = self.scene;
        let length_m = scene.slider.beam.length_m;
        let offset_m = scene.motion.offset(time_s);
        // In endless motion the texture runs and the slider stays.
        let seat_m = match scene.motion.kind {
            MotionKind::Endless => (scene.motion.start_m / scene.step_m).round() * scene.step_m,
            MotionKind::Pass | MotionKind::Reciprocate { .. } => offset_m,
        };
        let (own, others) = simulation.displacement().split_at(simulation.resonator.len());
        let mean = |basis: &crate::beam::ModalBasis, amplitudes: &[f64], from: f64| -> f64 {
            let parts =
                amplitudes.iter().enumerate().map(|(k, u)| u * basis.integral(k, from, from + length_m));
            parts.sum::<f64>() / length_m
        };
        simulation.separation_m()
            - mean(&simulation.resonator, own, seat_m)
            - mean(&simulation.slider, others, 0.0)
            - self.bottom.mean(offset_m, length_m)
            - self.top_mean_m
    }
}

/// Groups of touches without a free node between them, along the slider. A slave of the resonator lies between
/// two nodes of the slider, so places are counted in halves of a step.
fn count_spots(touches: &[Touch], places: &mut Vec<i64>) -> usize {
    places.clear();
    places.extend(touches.iter().map(|touch| match touch.pass {
        0 => 2 * touch.master + 1,
        _ => 2 * touch.slave,
    }));
    places.sort_unstable();
    places.chunk_by(|a, b| b - a <= 2).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::find_preset;

    #[test]
    fn spots_are_groups_of_neighbours() {
        let (gap, pressure, opening, edge, edge_slope) = (0.0, 0.0, 0.0, 1.0, 0.0);
        let touch =
            |pass, slave, master| Touch { pass, slave, master, gap, pressure, opening, edge, edge_slope };
        let touches = [touch(1, 7, 0), touch(1, 8, 0), touch(0, 100, 8), touch(1, 20, 0), touch(0, 130, 30)];
        assert_eq!(count_spots(&touches, &mut Vec::new()), 3);
        assert_eq!(count_spots(&[], &mut Vec::new()), 0);
    }

    #[test]
    fn watching_changes_nothing_and_agrees_with_the_books() {
        let mut draft = find_preset("dang2013").unwrap();
        let quick = ["surface.step_um=20", "surface.cutoff_um=0", "resonator.modes=10", "run.step_s=1e-6"];
        for (key, value) in quick.iter().filter_map(|assignment| assignment.split_once('=')) {
            draft.set(key, value).unwrap();
        }
        let scene = draft.build().unwrap();
        let order = ContactOrder { seconds: 0.02, skip_s: 0.005, rate_hz: 20_000.0, node_m: None };
        let watched = contact_run(&scene, &order, &mut |_| true).unwrap();
        let request =
            Request { seconds: 0.02, skip_s: 0.005, shocks: ShockDetail::Full, ..Request::default() };
        let plain = crate::engine::reference::run(&scene, &request, &mut |_| true).unwrap();
        assert_eq!(watched.figures.v_rms_m_s.to_bits(), plain.figures.v_rms_m_s.to_bits());
        assert_eq!(watched.shocks, plain.shocks);
        // The node's history holds the very peaks of its shocks.
        let own: Vec<&Shock> =
            plain.shocks.iter().filter(|s| s.profile == 2 && s.node == watched.node.node).collect();
        assert!(!own.is_empty());
        for shock in own {
            let end_s = shock.start_s + shock.duration_s;
            let inside = watched.node.forces.iter().filter(|(t, _)| (shock.start_s..end_s).contains(t));
            let peak = inside.map(|(_, force)| *force).fold(0.0, f64::max);
            assert_eq!(peak, shock.peak_force_n_m);
        }
        let highest = watched.history.iter().map(|sample| sample.max_force_n_m).fold(0.0, f64::max);
        assert!((highest / plain.figures.max_force_n_m - 1.0).abs() < 1e-12);
        // The slider rides on its highest asperities: some roughness heights above the mean line.
        assert!(
            watched.history.iter().all(|sample| sample.separation_m > 5e-6 && sample.separation_m < 2e-4)
        );
    }
}
