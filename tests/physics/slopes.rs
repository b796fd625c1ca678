//! Friction on a slope, the push of normal forces along x and the surface's own speed in the reference engine,
//! against closed forms. The moments H/2 are in `friction`.

use super::with;
use asperity::engine::reference::{ContactMap, Simulation, Start, balance};
use asperity::scene::{Contact, Draft, Scene};
use std::f64::consts::{PI, TAU};

/// Hills of steepest slope 0.2 every 20 mm under half a millimetre of smooth slider on a stiff beam.
const HILLS: [(&str, &str); 18] = [
    ("surface.acf", "periodic"),
    ("surface.ra_um", "405.3"),
    ("surface.wavelength_um", "20000"),
    ("surface.cutoff_um", "0"),
    ("surface.top.ra_um", "0"),
    ("surface.step_um", "20"),
    ("resonator.length_m", "0.2"),
    ("resonator.thickness_m", "0.02"),
    ("resonator.damping_ratio", "0.1"),
    ("resonator.modes", "4"),
    ("slider.length_m", "0.0005"),
    ("slider.load_n_m", "400"),
    ("contact.kappa_pa", "1e10"),
    ("motion.kind", "endless"),
    ("motion.start_m", "0.05475"),
    ("friction.static", "0.5"),
    ("friction.bends_resonator", "false"),
    ("friction.pitches_slider", "false"),
];
const STEEPEST: f64 = 0.2;
const WAVE_M: f64 = 0.02;
const STEP_S: f64 = 1e-6;

fn hills(changes: &[(&str, &str)]) -> Scene {
    let keys: Vec<(&str, &str)> = HILLS.iter().chain(changes).copied().collect();
    with(Draft::default(), &keys)
}

/// In balance under the load: a slider that drops or tips on its contact goes on swinging there.
fn start(scene: &Scene) -> Simulation {
    let Contact::Law(law) = scene.contact else { panic!("no law") };
    let displacement = balance(&ContactMap::new(scene).unwrap(), &law, 0.0).unwrap().amplitudes;
    let start = Start { velocity: vec![0.0; displacement.len()], displacement };
    Simulation::from_state(scene, start, STEP_S).unwrap()
}

#[test]
fn val_friction_follows_the_slope() {
    // Up a slope s friction pulls down as well: N = W/(1 - μ·s); down it N = W/(1 + μ·s). Level friction: N = W.
    for (follows, mu) in [("true", 0.5), ("false", 0.0)] {
        let scene = hills(&[("friction.follows_slope", follows)]);
        let mut simulation = start(&scene);
        let mut sums = [(0.0, 0.0); 2];
        for step in 0..200_000 {
            simulation.step().unwrap();
            let rub = simulation.rub().unwrap();
            let slope = STEEPEST * (TAU * (rub.tow.left().place_m + 0.25e-3) / WAVE_M).cos();
            if step > 50_000 && slope.abs() > 0.98 * STEEPEST {
                let way = usize::from(slope < 0.0);
                sums[way] = (sums[way].0 - rub.friction_force() / 0.5, sums[way].1 + 1.0);
            }
        }
        for ((sum, count), slope) in sums.into_iter().zip([STEEPEST, -STEEPEST]) {
            let (ours, right) = (sum / count / scene.normal_load_n_m(), 1.0 / (1.0 - mu * slope));
            assert!((ours / right - 1.0).abs() < 0.01, "{follows}, slope {slope}: N/W = {ours}, {right}");
        }
    }
}

#[test]
fn val_normal_forces_push_a_free_slider_down_the_hill() {
    // Let go without friction a tenth of a wave beside the bottom it swings like a pendulum of angle 2πx/λ:
    // ω² = W/m·∂²h/∂x², less by θ²/16.
    let scene = hills(&[("friction.static", "0"), ("drive.kind", "force"), ("motion.start_m", "0.05275")]);
    let mut simulation = start(&scene);
    let angle = 0.1 * TAU;
    let small = (scene.normal_load_n_m() / scene.slider.beam.mass() * STEEPEST * TAU / WAVE_M).sqrt();
    let omega = small * (1.0 - angle * angle / 16.0);
    let (mut crossings, mut before) = (Vec::new(), f64::NAN);
    for step in 0..60_000 {
        simulation.step().unwrap();
        let now = simulation.rub().unwrap().tow.left().place_m + 0.25e-3 - 0.055;
        assert!(now.abs() < 2.5e-3, "it rolled away: {now} m");
        if now * before < 0.0 {
            crossings.push(f64::from(step) - now / (now - before));
        }
        before = now;
    }
    let turns = (crossings.len() - 1) as f64;
    let ours = PI * turns / ((crossings[crossings.len() - 1] - crossings[0]) * STEP_S);
    assert!(turns > 10.0 && (ours / omega - 1.0).abs() < 0.02, "{ours} rad/s, {omega}");
}

#[test]
fn val_slip_includes_the_surfaces_own_speed() {
    // One mode of the resonator and the slider's pitch in motion: w = V + (H₁/2)·∂u̇₁/∂x - (H₂/2)·∂u̇₂/∂x. For a
    // slider that sinks in front by θ̇ a second u̇₂ (towards the resonator) grows with x.
    let keys = [
        ("surface.ra_um", "0"),
        ("resonator.modes", "1"),
        ("slider.thickness_m", "0.006"),
        ("slider.length_m", "0.01"),
        ("surface.step_um", "500"),
        ("friction.bends_resonator", "true"),
        ("friction.pitches_slider", "true"),
        ("motion.speed_m_s", "0.1"),
    ];
    let scene = hills(&keys);
    let Contact::Law(law) = scene.contact else { panic!("no law") };
    let map = ContactMap::new(&scene).unwrap();
    let steady = balance(&map, &law, 0.5).unwrap();
    let slip = |velocity: Vec<f64>| {
        let start = Start { displacement: steady.amplitudes.clone(), velocity };
        let mut simulation = Simulation::from_state(&scene, start, 1e-8).unwrap();
        simulation.step().unwrap();
        simulation.rub().unwrap().slip_m_s()
    };
    let moving = |mode: usize, speed: f64| {
        let mut velocity = vec![0.0; steady.amplitudes.len()];
        velocity[mode] = speed;
        velocity
    };
    assert!((slip(moving(0, 0.0)) - 0.1).abs() < 1e-6);
    let turn = PI / 0.2;
    let loads = map.points.iter().zip(&steady.pressures).map(|(point, p)| (point, p * point.length_m));
    let (mut normal, mut cosines) = (0.0, 0.0);
    for (point, load) in loads {
        normal += load;
        cosines += load * (turn * (0.05475 + point.position_m)).cos();
    }
    // ψ₁ = √(2/L)·sin(πx/L) or any multiple: the shape says which.
    let scale = scene.resonator.basis().shape(0, 0.1);
    let right = 0.01 * 1e-3 * scale * turn * cosines / normal;
    let ours = slip(moving(0, 1e-3)) - 0.1;
    assert!((ours / right - 1.0).abs() < 0.01, "{ours:e}, {right:e}");
    // The slider's second mode turns it; its shape's slope is the same all along.
    let basis = scene.slider.basis();
    let slope = (basis.shape(1, 0.01) - basis.shape(1, 0.0)) / 0.01;
    let right = -0.003 * 1e-3 * slope;
    let ours = slip(moving(2, 1e-3)) - 0.1;
    assert!((ours / right - 1.0).abs() < 0.01, "{ours:e}, {right:e}");
}
