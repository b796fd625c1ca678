use super::*;

/// ½m'(v² + W²q²) for w = k·v.
fn energy(mode: &Mode, q: f64, w: f64, step_s: f64) -> f64 {
    let v = w / step_s;
    0.5 * mode.modal_mass * (v * v + (mode.warped * q).powi(2))
}

/// A step in double precision.
fn advance(mode: &Mode, q: &mut f64, w: &mut f64, force: f64) {
    let d = *w - mode.e * (*w + 2.0 * *q) + mode.l * *q + mode.c * force;
    *q += d;
    *w = 2.0 * d - *w;
}

#[test]
fn val_impulse_response_is_exact_up_to_the_limit() {
    let step = 1.0 / 192_000.0;
    for (hz, zeta) in [(23.2, 0.02), (1000.0, 0.0), (9000.0, 0.005), (20_900.0, 0.02), (60_000.0, 0.0)] {
        let mode = Mode::new(TAU * hz, zeta, 3.0, step);
        let (mut q, mut w) = (0.0, 0.0);
        advance(&mode, &mut q, &mut w, 1.0);
        let damped = mode.omega * (1.0 - zeta * zeta).sqrt();
        let mut worst = 0.0f64;
        for n in 1..400 {
            advance(&mode, &mut q, &mut w, 0.0);
            // The kick acts at the middle of its step.
            let t = (f64::from(n) + 0.5) * step;
            let decay = (-zeta * mode.omega * t).exp();
            let speed = step / 3.0;
            let exact_q = speed * decay * (damped * t).sin() / damped;
            let phase = damped * t;
            let exact_v = speed * decay * (phase.cos() - zeta * mode.omega / damped * phase.sin());
            worst = worst.max((q - exact_q).abs() * mode.omega / speed);
            worst = worst.max((w / step * mode.velocity_gain() - exact_v).abs() / speed);
        }
        // Damping and warping meet at second order only.
        assert!(worst < 1e-3 + 2.0 * zeta, "{hz} Hz, ζ = {zeta}: {worst}");
    }
}

#[test]
fn val_energy_changes_by_work_less_heat() {
    let step = 1.0 / 192_000.0;
    let mode = Mode::new(TAU * 5000.0, 0.3, 2.0, step);
    let (mut q, mut w) = (1e-6, 0.0);
    for n in 0..200 {
        let force = f64::from(n % 7) - 2.0;
        let before = energy(&mode, q, w, step);
        let from = q;
        advance(&mode, &mut q, &mut w, force);
        let d = q - from;
        let change = energy(&mode, q, w, step) - before;
        let expected = force * d - mode.heat * d * d;
        assert!((change - expected).abs() <= 1e-9 * (before + expected.abs()), "{change} {expected}");
    }
}

#[test]
fn val_a_mode_too_fast_to_swing_gives_way_as_a_spring_does() {
    let (omega, mass) = (TAU * 90_000.0, 2.0);
    let mode = Mode::yielding(omega, 0.02, mass);
    let stiffness = mass * omega * omega;
    let (mut q, mut w) = (0.0, 0.0);
    for n in 0..200 {
        let force = f64::from(n % 7) - 2.0;
        let from = q;
        advance(&mode, &mut q, &mut w, force);
        assert!((q * stiffness - force).abs() < 1e-9, "{q} at {force} N/m");
        let (d, stored) = (q - from, 0.5 * stiffness * (q * q - from * from));
        assert!((stored - (force * d - mode.heat * d * d)).abs() <= 1e-9 * stored.abs());
    }
}

/// A bar so short that no mode swings at the inner rate bends under a force in its middle by L³/(48D).
#[test]
fn val_a_short_bar_bends_as_statics_says() {
    let scene = crate::scene::find_preset("dang2013").unwrap().build().unwrap();
    let (length_m, shapes) = (0.01, UnitShapes::new(scene.resonator.beam.ends, 40));
    let mut body = scene.resonator;
    body.beam.length_m = length_m;
    let table = ModeTable::new([&body, &scene.slider], [&shapes, &shapes], 1.0 / 88_200.0);
    let yields = |(k, mode): (usize, &Mode)| shapes.shape(k, 0.5 * length_m, length_m).powi(2) * mode.c;
    let kept: f64 = table.modes.iter().enumerate().take(table.resonator).map(yields).sum();
    let statics = length_m.powi(3) / (48.0 * body.beam.bending_stiffness());
    assert!(table.resonator >= 1 && table.still >= table.resonator);
    assert!((kept / statics - 1.0).abs() < 0.02, "{kept:e} {statics:e}");
}

#[test]
fn an_undamped_mode_keeps_its_energy_in_single_precision() {
    let step = 1.0 / 192_000.0;
    for hz in [23.2, 700.0, 15_000.0] {
        let mode = Mode::new(TAU * hz, 0.0, 1.0, step);
        let (e, l) = (mode.e as f32, mode.l as f32);
        let (mut q, mut w) = (1e-6f32, 0.0f32);
        let first = energy(&mode, f64::from(q), f64::from(w), step);
        for _ in 0..1_920_000 {
            let d = w - e * (w + 2.0 * q) + l * q;
            q += d;
            w = 2.0 * d - w;
        }
        let drift = energy(&mode, f64::from(q), f64::from(w), step) / first - 1.0;
        assert!(drift.abs() < 1e-3, "{hz} Hz: {drift:e} in ten seconds");
    }
}
