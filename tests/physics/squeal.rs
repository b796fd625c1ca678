//! Linear stability against the time simulation, and the laws of contact against each other.

use asperity::contact::ContactLaw;
use asperity::engine::reference::{Simulation, Start};
use asperity::scene::{Contact, Draft, Scene};
use asperity::squeal::{
    BRAKE, MPA_PER_MM, Options, Sliding, TARGETS_MPA_MM, UNSTABLE_BELOW, complex_modes, ideal, study,
};
use std::f64::consts::PI;

fn brake(changes: &[(&str, &str)]) -> Scene {
    super::with(Draft::from_toml(BRAKE, "brake").unwrap(), changes)
}

/// Relative growth rate of the deviation from the steady state, from windows of whole periods.
fn measured_growth(states: &[f64], step_s: f64, period_s: f64) -> f64 {
    let window = (period_s / step_s).round() as usize;
    let power = |from: usize| states[from..from + window].iter().sum::<f64>();
    let last = states.len() - window;
    (power(last) / power(0)).ln() / (2.0 * last as f64 * step_s)
}

#[test]
fn val_an_unstable_mode_grows_at_its_predicted_rate() {
    // Slow enough that the texture stays where it is; slip never turns, since the vibration is far smaller.
    let mut scene = brake(&[("motion.speed_m_s", "0.01")]);
    let law = ContactLaw::Penalty { kappa_pa: 0.5 * 100.0 * MPA_PER_MM };
    scene.contact = Contact::Law(law);
    let sliding = Sliding::new(&scene).unwrap();
    let steady = sliding.steady(&law, sliding.coefficient()).unwrap();
    let modes = complex_modes(&steady.matrices).unwrap();
    let mode = modes.iter().min_by(|a, b| a.damping_ratio.total_cmp(&b.damping_ratio)).unwrap();
    assert!(mode.is_unstable() && mode.frequency_hz > 100.0, "{mode:?}");

    let size = 1e-11;
    let s = mode.eigenvalue();
    let displacement =
        steady.amplitudes.iter().zip(mode.shape.iter()).map(|(u, q)| u + size * q.re).collect();
    let velocity = mode.shape.iter().map(|q| size * (s * q).re).collect();
    let step_s = 2e-7;
    let mut simulation =
        Simulation::from_state(&sliding.scene, Start { displacement, velocity }, step_s).unwrap();
    // Long enough to grow by e, at least ten periods.
    let seconds = (1.0 / mode.growth_1_s).clamp(10.0 / mode.frequency_hz, 0.02);
    let mut energies = Vec::new();
    for _ in 0..(seconds / step_s) as usize {
        simulation.step().unwrap();
        let apart = simulation.displacement().iter().zip(&steady.amplitudes);
        energies.push(apart.map(|(now, rest)| (now - rest).powi(2)).sum::<f64>());
    }
    let period = 0.5 / mode.frequency_hz;
    let growth = measured_growth(&energies, step_s, period);
    assert!(
        (growth / mode.growth_1_s - 1.0).abs() < 0.1,
        "{:.1} Hz: predicted {:.1} 1/s, grew at {growth:.1} 1/s",
        s.im / (2.0 * PI),
        mode.growth_1_s
    );
}

#[test]
fn val_the_exponential_law_converges_to_ideal_contact() {
    let options = Options {
        mu: None,
        mus: vec![0.0, 0.5],
        stiffness_mpa_mm: TARGETS_MPA_MM.to_vec(),
        highest_hz: 20_000.0,
    };
    let study = study(&brake(&[]), &options).unwrap();
    let unstable = |law: &asperity::squeal::Law| law.modes.iter().filter(|mode| mode.unstable).count();
    let (perfect, hardest, softest) = (&study.laws[0], study.laws.last().unwrap(), &study.laws[1]);
    assert_eq!(hardest.modes.len(), perfect.modes.len());
    assert!(hardest.frequency_difference < 1e-4, "{:e}", hardest.frequency_difference);
    assert!(hardest.pressure_difference < 0.01, "{:e}", hardest.pressure_difference);
    assert!(softest.frequency_difference > 10.0 * hardest.frequency_difference);
    assert_eq!(unstable(hardest), unstable(perfect));
    assert_eq!(hardest.invented, 0, "a converged law invents nothing: {:?}", hardest.mac_with_ideal);
    // Without friction nothing grows.
    assert!(study.growth.iter().all(|curve| curve.points[0].2 > 0.0));
}

#[test]
fn val_soft_laws_invent_instabilities() {
    // Vermot 2012, §4.2: more unstable modes without a twin in ideal contact for the two softest of its three laws.
    let paper = &TARGETS_MPA_MM[1..];
    let options = Options {
        mu: None,
        mus: vec![0.2, 0.35, 0.5],
        stiffness_mpa_mm: paper.to_vec(),
        highest_hz: 20_000.0,
    };
    let found = study(&brake(&[]), &options).unwrap().invented.unwrap();
    assert_eq!(found.mu, 0.35);
    let laws: Vec<f64> = found.modes.iter().map(|mode| mode.stiffness_mpa_mm).collect();
    assert_eq!(laws, paper[..2]);
    for mode in &found.modes {
        assert!(mode.damping_ratio < UNSTABLE_BELOW && mode.ideal_damping_ratio > 0.0, "{mode:?}");
    }
    // The softer, the less its mode is one of ideal contact's.
    assert!(found.modes[0].mac < found.modes[1].mac, "{found:?}");
}

#[test]
fn val_ideal_contact_carries_the_load_and_never_pulls() {
    let sliding = Sliding::new(&brake(&[])).unwrap();
    for mu in [0.0, 0.3, 0.5] {
        let steady = ideal(&sliding, mu).unwrap();
        assert!(steady.pressures.iter().all(|p| *p >= 0.0));
        let nodes = sliding.slider_nodes();
        let load: f64 =
            nodes.iter().zip(&steady.pressures).map(|(&i, p)| p * sliding.map.points[i].length_m).sum();
        assert!((load / sliding.scene.normal_load_n_m() - 1.0).abs() < 1e-6, "{load}");
        let deepest =
            nodes.iter().map(|&i| sliding.map.points[i].gap(&steady.amplitudes)).fold(0.0, f64::min);
        assert!(deepest > -1e-11, "overlap of {deepest:e} m");
    }
}
