//! The pruned walk skips only what cannot touch: its bits are those of the literal walk, and it is fast.

use super::{bench, with};
use asperity::engine::reference::{ShockDetail, Simulation, Walk};
use asperity::scene::{Draft, Scene};
use cpu_time::ProcessTime;

/// A small beam on which the literal walk can afford 20 ms.
const SMALL: [(&str, &str); 7] = [
    ("resonator.length_m", "0.12"),
    ("resonator.thickness_m", "0.0008"),
    ("resonator.modes", "16"),
    ("slider.length_m", "0.01"),
    ("surface.step_um", "10"),
    ("surface.corr_length_um", "200"),
    ("run.step_s", "1e-6"),
];

fn small(changes: &[(&str, &str)]) -> Scene {
    let all: Vec<(&str, &str)> = SMALL.iter().chain(changes).copied().collect();
    with(Draft::default(), &all)
}

/// Steps both walks and compares every amplitude and force to the bit.
fn assert_same_bits(scene: &Scene, seconds: f64) {
    let start = |walk| Simulation::new(scene, walk, scene.run.step_s, 0.0, ShockDetail::Full).unwrap();
    let (mut literal, mut pruned) = (start(Walk::Literal), start(Walk::Pruned));
    let mut touched = 0;
    for step in 0..(seconds / scene.run.step_s) as u64 {
        literal.step().unwrap();
        pruned.step().unwrap();
        for (a, b) in literal.displacement().iter().zip(pruned.displacement()) {
            assert_eq!(a.to_bits(), b.to_bits(), "step {step}");
        }
        for (a, b) in literal.modal_forces().iter().zip(pruned.modal_forces()) {
            assert_eq!(a.to_bits(), b.to_bits(), "step {step}");
        }
        touched += pruned.touches().len();
    }
    assert!(touched > 1000, "a scene without contact proves nothing: {touched} touches");
    assert_eq!(literal.shocks(), pruned.shocks());
}

#[test]
fn one_pass_has_the_same_bits() {
    let scene = small(&[("motion.start_m", "0.01"), ("motion.speed_m_s", "0.3")]);
    assert_same_bits(&scene, 0.02);
}

#[test]
fn endless_motion_has_the_same_bits() {
    let scene = small(&[
        ("motion.kind", "endless"),
        ("motion.start_m", "0.02"),
        ("motion.speed_m_s", "-0.5"),
        ("surface.acf", "gaussian"),
        ("contact.law", "hertz"),
        ("run.step_s", "4e-7"),
    ]);
    assert_same_bits(&scene, 0.02);
}

#[test]
fn reciprocating_bending_slider_has_the_same_bits() {
    let scene = small(&[
        ("motion.kind", "reciprocate"),
        ("motion.rate_hz", "40"),
        ("motion.speed_m_s", "0.8"),
        ("motion.start_m", "0.005"),
        ("slider.modes", "6"),
        ("slider.thickness_m", "0.001"),
        ("slider.load_n_m", "20"),
        ("contact.law", "exponential"),
        ("run.step_s", "4e-7"),
    ]);
    assert_same_bits(&scene, 0.02);
}

#[test]
fn ideal_contact_has_the_same_bits() {
    let scene = small(&[("motion.start_m", "0.01"), ("contact.law", "signorini")]);
    let start = |walk| Simulation::new(&scene, walk, scene.run.step_s, 0.0, ShockDetail::Count).unwrap();
    let (mut literal, mut pruned) = (start(Walk::Literal), start(Walk::Pruned));
    for step in 0..3000 {
        literal.step().unwrap();
        pruned.step().unwrap();
        assert_eq!(literal.displacement(), pruned.displacement(), "step {step}");
    }
}

/// CPU seconds per step on the bench.
fn cost(walk: Walk, steps: u32) -> f64 {
    let scene = bench(&[]);
    let mut simulation = Simulation::new(&scene, walk, 1e-7, 0.0, ShockDetail::Count).unwrap();
    // The first step fills the table of shapes.
    simulation.step().unwrap();
    let clock = ProcessTime::now();
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    clock.elapsed().as_secs_f64() / f64::from(steps)
}

#[test]
fn pruning_is_at_least_a_hundred_times_faster_on_the_bench() {
    let ratio = cost(Walk::Literal, 20) / cost(Walk::Pruned, 20_000);
    assert!(ratio >= 100.0, "only {ratio:.0} times");
}

/// Run with `cargo test --profile checked --test physics -- --ignored bench_has`.
#[test]
#[ignore = "two minutes: the literal walk over the whole bench"]
fn bench_has_the_same_bits() {
    assert_same_bits(&bench(&[("run.step_s", "1e-6")]), 0.02);
}
