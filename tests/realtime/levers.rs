//! The ways of friction in the real-time engine against closed forms, so that no sign can be turned: the moments
//! that bend the resonator and pitch the slider, the slope, the surface's own speed, the push of normal forces.

use crate::{engine, play, scene};
use asperity::engine::realtime::{ContactView, Engine, POINTS, Settings};
use asperity::friction::Coulomb;
use asperity::scene::Scene;
use std::f64::consts::{PI, TAU};

const LENGTH_M: f64 = 0.4;
const SLIDER_M: f64 = 0.01;
const MIDDLE_M: f64 = 0.12 + 0.5 * SLIDER_M;
const MU: f64 = 0.3;

/// A smooth slider on a smooth, well damped beam, drawn rigidly; all modes move at the engine's rate.
const SMOOTH: [(&str, &str); 16] = [
    ("surface.ra_um", "0"),
    ("surface.step_um", "25"),
    ("resonator.length_m", "0.4"),
    ("resonator.thickness_m", "0.002"),
    ("resonator.damping_ratio", "0.1"),
    ("slider.length_m", "0.01"),
    ("slider.thickness_m", "0.006"),
    ("slider.load_n_m", "40"),
    ("contact.kappa_pa", "1e9"),
    ("motion.kind", "endless"),
    ("motion.start_m", "0.12"),
    ("motion.speed_m_s", "0.1"),
    ("friction.static", "1e-9"),
    ("friction.bends_resonator", "false"),
    ("friction.pitches_slider", "false"),
    ("friction.follows_slope", "false"),
];

fn smooth(changes: &[(&'static str, &'static str)]) -> Scene {
    scene(&SMOOTH.iter().chain(changes).copied().collect::<Vec<_>>())
}

fn view(engine: &Engine) -> Box<ContactView> {
    let mut view = Box::new(ContactView::default());
    engine.view(0, &mut view);
    view
}

/// Deflection under steady sliding with μ = 0.3, mean over half a second. Friction comes in its 20 ms: a slider that is
/// pitched at once goes on swinging on its contact.
fn settled(scene: &Scene) -> Vec<f64> {
    let mut engine = engine(scene, Settings::default());
    let law = Coulomb { static_coefficient: MU, dynamic_coefficient: MU, stribeck_m_s: 0.0 };
    engine.controls(0).unwrap().set_friction(law);
    let chunk = engine.chunk_samples();
    play(&mut engine, 24_000 / chunk * chunk, chunk);
    let mut sums = vec![0.0; POINTS];
    let count = 24_000 / chunk;
    for _ in 0..count {
        play(&mut engine, chunk, chunk);
        for (sum, u) in sums.iter_mut().zip(view(&engine).deflection_m) {
            *sum += f64::from(u) / count as f64;
        }
    }
    sums
}

/// What a clockwise moment M at `MIDDLE_M` does to the pinned beam: D·u = -M·x³/6L + M·(x-a)²₊/2 + c·x,
/// c = M·L/6 - M·(L-a)²/2L.
fn bent(moment: f64, stiffness: f64, x: f64) -> f64 {
    let beyond = f64::max(x - MIDDLE_M, 0.0);
    let tilt = LENGTH_M / 6.0 - (LENGTH_M - MIDDLE_M).powi(2) / (2.0 * LENGTH_M);
    moment / stiffness * (-x.powi(3) / (6.0 * LENGTH_M) + 0.5 * beyond * beyond + tilt * x)
}

/// Friction through one coupling is a moment μ·N·H/2: on the resonator itself, or as the normal force that moves
/// forward by μ·H₂/2 under the slider. Both turn the beam clockwise when the slider goes to +x.
fn val_moment(coupling: &'static str, half_thickness_m: f64) {
    for (speed, sign) in [("0.1", 1.0), ("-0.1", -1.0)] {
        let free = settled(&smooth(&[("motion.speed_m_s", speed)]));
        let rubbed = smooth(&[("motion.speed_m_s", speed), (coupling, "true")]);
        let moment = sign * MU * rubbed.normal_load_n_m() * half_thickness_m;
        let stiffness = rubbed.resonator.beam.bending_stiffness();
        let deflection = settled(&rubbed);
        for point in [20, 36, 64, 96] {
            let x = point as f64 / (POINTS - 1) as f64 * LENGTH_M;
            let (ours, right) = (deflection[point] - free[point], bent(moment, stiffness, x));
            assert!((ours / right - 1.0).abs() < 0.02, "{coupling} {speed}: u({x}) {ours:e}, {right:e}");
        }
    }
}

#[test]
fn val_friction_bends_the_resonator_as_a_moment_does() {
    val_moment("friction.bends_resonator", 0.001);
}

#[test]
fn val_friction_carries_the_pressure_forward() {
    val_moment("friction.pitches_slider", 0.003);
}

#[test]
fn val_slip_includes_the_surface_speed_of_the_resonator() {
    // One mode rings: w = V + (H/2)·∂u̇/∂x, the slope at the contact from the deflection in the middle.
    let scene = smooth(&[
        ("resonator.modes", "1"),
        ("resonator.damping_ratio", "0.01"),
        ("friction.static", "0.3"),
        ("friction.bends_resonator", "true"),
        ("run.start", "rest"),
    ]);
    let mut engine = engine(&scene, Settings::default());
    let chunk = engine.chunk_samples();
    let turn = PI / LENGTH_M;
    let lever = 0.001 * turn * (turn * MIDDLE_M).cos();
    let middle = |engine: &Engine| f64::from(view(engine).deflection_m[POINTS / 2]);
    let (mut both, mut square, mut traffic) = (0.0, 0.0, 0.0);
    let mut last = [middle(&engine); 2];
    let mut slip_before = 0.0;
    for n in 0..600 {
        play(&mut engine, chunk, chunk);
        let now = middle(&engine);
        // Speed in the middle of the last two chunks, against the slip there.
        let predicted = lever * (now - last[0]) * 48_000.0 / (2 * chunk) as f64;
        let apart = slip_before - 0.1;
        if n > 30 {
            (both, square) = (both + predicted * apart, square + predicted * predicted);
            traffic += apart * apart;
        }
        last = [last[1], now];
        slip_before = engine.sliding(0).unwrap().slip_m_s;
    }
    assert!((both / square - 1.0).abs() < 0.05, "{}", both / square);
    assert!(both * both > 0.98 * square * traffic, "{} of {}", both * both, square * traffic);
}

/// A hill of steepest slope 0.2 every 20 mm under half a millimetre of slider.
const HILLS: [(&str, &str); 8] = [
    ("surface.acf", "periodic"),
    ("surface.ra_um", "405.3"),
    ("surface.wavelength_um", "20000"),
    ("surface.cutoff_um", "0"),
    ("surface.top.ra_um", "0"),
    ("surface.step_um", "5"),
    ("slider.length_m", "0.0005"),
    ("resonator.thickness_m", "0.02"),
];
const STEEPEST: f64 = 0.2;
const WAVE_M: f64 = 0.02;

fn hills(changes: &[(&'static str, &'static str)]) -> Scene {
    smooth(&HILLS.iter().chain(changes).copied().collect::<Vec<_>>())
}

#[test]
fn val_friction_follows_the_slope() {
    // Up a slope s friction pulls down as well: N = W/(1 - μ·s), down it W/(1 + μ·s); heat μ·N·(1 + s²) a metre.
    let scene = hills(&[("friction.static", "0.5"), ("friction.follows_slope", "true")]);
    let mut engine = engine(&scene, Settings::default());
    let chunk = engine.chunk_samples();
    play(&mut engine, 9_600 / chunk * chunk, chunk);
    let mut heats = [(0.0, 0); 2];
    let mut before = engine.ledger(0).friction_heat;
    for _ in 0..2 * 9_600 / chunk {
        play(&mut engine, chunk, chunk);
        let heat = engine.ledger(0).friction_heat;
        let place_m = engine.sliding(0).unwrap().place_m + 0.25e-3;
        let slope = STEEPEST * (TAU * place_m / WAVE_M).cos();
        if slope.abs() > 0.98 * STEEPEST {
            let way = usize::from(slope < 0.0);
            heats[way] = (heats[way].0 + heat - before, heats[way].1 + 1);
        }
        before = heat;
    }
    for ((heat, count), slope) in heats.into_iter().zip([STEEPEST, -STEEPEST]) {
        let metres = f64::from(count) * chunk as f64 / 48_000.0 * 0.1;
        let ours = heat / (0.5 * metres * (1.0 + slope * slope) * scene.normal_load_n_m());
        let right = 1.0 / (1.0 - 0.5 * slope);
        assert!((ours / right - 1.0).abs() < 0.01, "slope {slope}: N/W = {ours}, {right}");
    }
}

#[test]
fn val_normal_forces_push_a_free_slider_down_the_hill() {
    // Let go without friction a tenth of a wave beside the bottom it swings like a pendulum of angle 2πx/λ:
    // ω² = W/m·∂²h/∂x², less by θ²/16.
    let scene = hills(&[
        ("friction.static", "0"),
        ("drive.kind", "force"),
        ("motion.start_m", "0.05275"),
        ("slider.load_n_m", "0.2"),
    ]);
    let mut engine = engine(&scene, Settings::default());
    let chunk = engine.chunk_samples();
    let angle = 0.1 * TAU;
    let small = (scene.normal_load_n_m() / scene.slider.beam.mass() * STEEPEST * TAU / WAVE_M).sqrt();
    let omega = small * (1.0 - angle * angle / 16.0);
    let bottom_m = (engine.sliding(0).unwrap().place_m / WAVE_M).floor() * WAVE_M + 0.75 * WAVE_M;
    let (mut crossings, mut before) = (Vec::new(), f64::NAN);
    for n in 0..48_000 / chunk {
        play(&mut engine, chunk, chunk);
        let now = engine.sliding(0).unwrap().place_m + 0.25e-3 - bottom_m;
        assert!(now.abs() < 2.5e-3, "it rolled away: {now} m");
        if now * before < 0.0 {
            crossings.push(n as f64 - now / (now - before));
        }
        before = now;
    }
    let periods = 0.5 * (crossings.len() - 1) as f64;
    let seconds = (crossings[crossings.len() - 1] - crossings[0]) * chunk as f64 / 48_000.0;
    let ours = TAU * periods / seconds;
    assert!((ours / omega - 1.0).abs() < 0.02, "{ours} rad/s, {omega}");
}
