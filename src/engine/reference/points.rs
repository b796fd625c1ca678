//! The contact at one place as a list of points: what statics and linear stability need of a scene.
//!
//! Point i: gap g_i = clearance_i - Σ_k n_ik·U_k; pressure p there acts on mode k with -length·p·n_ik, and
//! friction T on the slider with T·t_ik (see `rub`). Points of both passes stand side by side, each with its
//! own share of the length, as in a step of Algorithm 1.

use super::bench::Bench;
use super::interface::Interface;
use super::touch::Touch;
use crate::error::Error;
use crate::math::vector::dot;
use crate::scene::Scene;
use crate::scheme::ModalSystem;

pub struct ContactPoint {
    /// 0: a node of the resonator's profile, 1: of the slider's.
    pub pass: usize,
    /// From the slider's rear end.
    pub position_m: f64,
    pub length_m: f64,
    pub clearance_m: f64,
    pub normal: Vec<f64>,
    pub tangential: Vec<f64>,
}

impl ContactPoint {
    pub fn gap(&self, amplitudes: &[f64]) -> f64 {
        self.clearance_m - dot(&self.normal, amplitudes)
    }
}

/// Both bodies' modes and every point under the slider where the motion starts.
pub struct ContactMap {
    pub system: ModalSystem,
    /// Modes of the resonator; the slider's follow.
    pub resonator_modes: usize,
    /// Amplitudes that a settled run starts from.
    pub settled: Vec<f64>,
    pub points: Vec<ContactPoint>,
}

impl ContactMap {
    pub fn new(scene: &Scene) -> Result<Self, Error> {
        let Bench { system, resonator, mut interface, settled, .. } = Bench::still(scene)?;
        let flat = vec![0.0; system.len()];
        let slope = scene.friction.is_some_and(|friction| friction.follows_slope);
        let start_m = scene.motion.offset(0.0);
        let touches = interface.all_points(0.0, &flat);
        let points = touches
            .iter()
            .filter(|touch| touch.edge > 0.0)
            .map(|touch| point(&mut interface, touch, slope, start_m, system.len()))
            .collect();
        Ok(Self { resonator_modes: resonator.len(), system, settled, points })
    }
}

fn point(interface: &mut Interface, touch: &Touch, slope: bool, start_m: f64, modes: usize) -> ContactPoint {
    let mut normal = vec![0.0; modes];
    interface.modal_weights(&Touch { edge: 1.0, ..*touch }, &mut normal);
    let mut tangential = vec![0.0; modes];
    interface.add_pull(touch, 1.0, if slope { touch.opening } else { 0.0 }, &mut tangential);
    let node_m = touch.slave as f64 * interface.step_m;
    ContactPoint {
        pass: touch.pass,
        position_m: if touch.pass == 0 { node_m - start_m } else { node_m },
        length_m: interface.touch_length_m(touch),
        clearance_m: touch.gap,
        normal,
        tangential,
    }
}
