//! What runs of the bench must obey, whatever the surfaces.

use super::{bench, levels, with};
use asperity::engine::reference::{Request, ShockDetail, Simulation, Walk, advise_kappa, run, step_bound};
use asperity::error::Error;
use asperity::scene::find_preset;

#[test]
fn val_mean_contact_force_is_the_weight() {
    // Momentum: over a long run the contact carries the slider's 7.65 N per metre of width.
    for (key, value) in [("contact.law", "penalty"), ("contact.law", "hertz"), ("contact.law", "signorini")] {
        let scene = bench(&[(key, value), ("run.step_s", "4e-7"), ("motion.kind", "endless")]);
        let mut simulation =
            Simulation::new(&scene, Walk::Pruned, scene.run.step_s, 0.0, ShockDetail::Count).unwrap();
        let steps = (0.4 / scene.run.step_s) as u32;
        let mut impulse = 0.0;
        for _ in 0..steps {
            simulation.step().unwrap();
            impulse += simulation.total_force();
        }
        let mean = impulse / f64::from(steps);
        assert!((mean / scene.normal_load_n_m() - 1.0).abs() < 0.03, "{value}: {mean} N/m");
    }
}

#[test]
fn energy_books_close() {
    let cases = [
        ("penalty", "pass", "1e-6"),
        ("hertz", "endless", "4e-7"),
        ("exponential", "reciprocate", "1e-6"),
        ("signorini", "pass", "1e-6"),
    ];
    for (law, motion, step) in cases {
        let scene = bench(&[
            ("contact.law", law),
            ("motion.kind", motion),
            ("run.step_s", step),
            ("motion.rate_hz", "10"),
        ]);
        let ledger = levels(&scene, 0.1, 0.0).figures.ledger;
        // Ideal contact stops what it hits within a step, so its books are of first order in the step.
        let limit = if law == "signorini" { 5e-3 } else { 1e-3 };
        assert!(ledger.residual() < limit, "{law} {motion}: {:e} {ledger:?}", ledger.residual());
        assert!(ledger.damping_loss > 0.0 && ledger.drive_traffic > 0.0);
        assert!(ledger.contact_loss >= 0.0);
    }
}

#[test]
fn energy_books_close_under_a_tilting_slider() {
    // A short slider rides on its edges, where nodes come and go.
    let scene = with(find_preset("stridulation").unwrap(), &[]);
    let ledger = levels(&scene, 0.3, 0.0).figures.ledger;
    assert!(ledger.residual() < 1e-3, "{:e} {ledger:?}", ledger.residual());
}

#[test]
fn ideal_contact_leaves_no_penetration() {
    let scene = bench(&[("contact.law", "signorini"), ("run.step_s", "1e-6")]);
    let mut ideal = Simulation::new(&scene, Walk::Pruned, 1e-6, 0.0, ShockDetail::Count).unwrap();
    let mut contacts = 0;
    for _ in 0..20_000 {
        ideal.step().unwrap();
        contacts += ideal.touches().len();
        for touch in ideal.touches() {
            assert!(touch.pressure > 0.0, "ideal contact never pulls");
            assert!(touch.gap > -1e-12, "penetration of {:e} m", -touch.gap);
        }
    }
    assert!(contacts > 100);
}

#[test]
fn endless_motion_sounds_as_loud_as_a_pass() {
    let mean = |kind: &str| {
        let level = |seed: &str| {
            let scene = bench(&[("motion.kind", kind), ("surface.seed", seed), ("run.step_s", "1e-6")]);
            levels(&scene, 0.5, 0.1).figures.lv_db()
        };
        ["1", "2", "3"].map(level).iter().sum::<f64>() / 3.0
    };
    let (pass, endless) = (mean("pass"), mean("endless"));
    assert!((pass - endless).abs() < 1.5, "pass {pass:.1} dB, endless {endless:.1} dB");
}

#[test]
fn a_start_from_rest_rings_louder_than_a_settled_one() {
    let level = |start: &str| {
        let scene = bench(&[
            ("run.start", start),
            ("run.resonator_gravity", "true"),
            ("motion.speed_m_s", "0.04"),
            ("run.step_s", "1e-6"),
        ]);
        levels(&scene, 0.4, 0.05).figures.lv_db()
    };
    let (settled, rest) = (level("settled"), level("rest"));
    assert!(rest > settled + 5.0, "settled {settled:.1} dB, rest {rest:.1} dB");
}

#[test]
fn same_scene_same_bits_at_any_thread_count() {
    let scene = bench(&[("run.step_s", "1e-6")]);
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| levels(&scene, 0.03, 0.0).figures.v_rms_m_s.to_bits())
    };
    let first = bits(1);
    assert_eq!(first, bits(2));
    assert_eq!(first, bits(1));
}

#[test]
fn steps_beyond_the_bound_are_refused_with_value_limit_and_cure() {
    let scene = bench(&[("run.step_s", "4e-6")]);
    let bound = step_bound(&scene, &scene.profiles().unwrap()).step_s;
    assert!((bound / 3.04e-6 - 1.0).abs() < 0.01, "bound {bound:e}");
    let refused = run(&scene, &Request::default(), &mut |_| true);
    let Err(Error::Input(problems)) = refused else { panic!("accepted") };
    let text = problems.0[0].to_string();
    assert!(text.contains("run.step_s") && text.contains("4e-6") && text.contains("3.045e-6"), "{text}");
    let euler = bench(&[("run.integrator", "euler"), ("run.step_s", "1e-8")]);
    assert!(run(&euler, &Request::default(), &mut |_| true).is_err());
    let forced =
        bench(&[("run.integrator", "euler"), ("run.step_s", "1e-7"), ("run.allow_unstable", "true")]);
    assert!(
        run(&forced, &Request { seconds: 1e-4, skip_s: 0.0, ..Request::default() }, &mut |_| true).is_ok()
    );
}

#[test]
fn every_integrator_gives_the_bench_its_level() {
    // Contact is chaotic, so the schemes agree in statistics only.
    let level = |name: &str| {
        let scene = bench(&[("run.integrator", name), ("run.step_s", "1e-6"), ("motion.kind", "endless")]);
        levels(&scene, 0.3, 0.05).figures.lv_db()
    };
    let reference = level("central-difference");
    for name in ["modified-euler", "rk4", "exact"] {
        let other = level(name);
        assert!((other - reference).abs() < 2.5, "{name}: {other:.1} dB against {reference:.1} dB");
    }
}

#[test]
fn advice_on_kappa_ends_within_the_papers_tolerance() {
    let scene = with(find_preset("dang2013").unwrap(), &[("run.step_s", "1e-7")]);
    let advice = advise_kappa(&scene, 0.001).unwrap();
    assert!(advice.difference <= 0.10, "{advice:?}");
    assert!(advice.kappa_pa >= 1e11 && advice.trials.len() <= 8);
}
