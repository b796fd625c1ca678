//! The state a run starts from.

use crate::beam::ModalBasis;
use crate::scene::{Scene, Start};
use crate::scheme::ModalSystem;

/// Both bodies' modes in one list, resonator first, with weight and load as steady forces.
pub fn modal_system(scene: &Scene, bases: [&ModalBasis; 2]) -> ModalSystem {
    let mut system = ModalSystem { omega: vec![], zeta: vec![], mass: vec![], steady_force: vec![] };
    let gravity = scene.run.gravity_m_s2;
    for (index, (body, basis)) in [scene.resonator, scene.slider].iter().zip(bases).enumerate() {
        let mass = body.beam.mass_per_area();
        // Eq. 3: weight pulls the resonator away from the contact and presses the slider into it.
        let load = match index {
            0 if scene.run.resonator_gravity => -mass * gravity,
            0 => 0.0,
            _ => mass * gravity + scene.load_n_m / body.beam.length_m,
        };
        let omegas = body.omegas(basis);
        for (k, (&omega, zeta)) in omegas.iter().zip(body.damping_ratios(&omegas)).enumerate() {
            system.omega.push(omega);
            system.zeta.push(zeta);
            system.mass.push(mass);
            let whole = if load == 0.0 { 0.0 } else { basis.integral(k, 0.0, body.beam.length_m) };
            system.steady_force.push(load * whole);
        }
    }
    system
}

/// Amplitudes at t = 0; velocities are zero.
pub fn initial_amplitudes(scene: &Scene, basis: &ModalBasis, system: &ModalSystem) -> Vec<f64> {
    let mut amplitudes = vec![0.0; system.len()];
    if scene.run.start == Start::Rest {
        return amplitudes;
    }
    let from = scene.motion.start_m;
    let to = from + scene.slider.beam.length_m;
    let pressure = scene.normal_load_n_m() / scene.slider.beam.length_m;
    for (k, amplitude) in amplitudes.iter_mut().enumerate().take(basis.len()) {
        let force = system.steady_force[k] - pressure * basis.integral(k, from, to);
        let stiffness = system.mass[k] * system.omega[k] * system.omega[k];
        *amplitude = force / stiffness;
    }
    amplitudes
}
