//! Properties over random scenes: what the step bound lets through stays finite, its energy comes from
//! the drive, and its books close.

use super::with;
use asperity::engine::reference::{Request, run, step_bound};
use asperity::scene::{Draft, Scene};
use proptest::prelude::*;

const LAWS: [&str; 4] = ["penalty", "hertz", "exponential", "signorini"];
const MOTIONS: [&str; 3] = ["pass", "endless", "reciprocate"];
const TEXTURES: [&str; 5] = ["gaussian", "exponential", "self-affine", "periodic", "teeth"];

#[derive(Debug, Clone)]
struct Choice {
    ra_um: f64,
    speed: f64,
    zeta: f64,
    load: f64,
    law: usize,
    motion: usize,
    texture: usize,
    modes: u32,
    slider_modes: u32,
    free: bool,
    seed: u64,
}

fn choices() -> impl Strategy<Value = Choice> {
    (
        (0.0f64..1.5, -0.3f64..0.3, 0.0f64..0.3, 0.0f64..200.0),
        (0..LAWS.len(), 0..MOTIONS.len(), 0..TEXTURES.len()),
        (3u32..30, 2u32..5, any::<bool>(), 0u64..1000),
    )
        .prop_map(
            |((ra, speed, zeta, load), (law, motion, texture), (modes, slider_modes, free, seed))| Choice {
                ra_um: 10f64.powf(ra),
                speed: speed + 0.02,
                zeta,
                load,
                law,
                motion,
                texture,
                modes,
                slider_modes,
                free,
                seed,
            },
        )
}

fn scene(choice: &Choice) -> Scene {
    let text = |value: f64| format!("{value}");
    let changes: Vec<(&str, String)> = vec![
        ("surface.ra_um", text(choice.ra_um)),
        ("surface.acf", TEXTURES[choice.texture].into()),
        ("surface.step_um", "20".into()),
        ("surface.corr_length_um", "300".into()),
        ("surface.cutoff_um", "80".into()),
        ("surface.wavelength_um", "700".into()),
        ("surface.seed", choice.seed.to_string()),
        ("resonator.length_m", "0.12".into()),
        ("resonator.modes", choice.modes.to_string()),
        ("resonator.ends", if choice.free { "free" } else { "pinned" }.into()),
        ("resonator.damping_ratio", text(choice.zeta)),
        ("slider.length_m", "0.02".into()),
        ("slider.modes", choice.slider_modes.to_string()),
        ("slider.load_n_m", text(choice.load)),
        ("contact.law", LAWS[choice.law].into()),
        ("contact.kappa_pa", "2.1e11".into()),
        ("motion.kind", MOTIONS[choice.motion].into()),
        ("motion.speed_m_s", text(choice.speed)),
        ("motion.start_m", "0.04".into()),
        ("motion.rate_hz", "20".into()),
    ];
    let borrowed: Vec<(&str, &str)> = changes.iter().map(|(key, value)| (*key, value.as_str())).collect();
    with(Draft::default(), &borrowed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stable_scenes_stay_finite_and_their_books_close(choice in choices()) {
        let mut scene = scene(&choice);
        let bound = step_bound(&scene, &scene.profiles().unwrap()).step_s;
        scene.run.step_s = (0.5 * bound).min(1e-6);
        let request = Request { seconds: 0.01, skip_s: 0.0, ..Request::default() };
        let figures = run(&scene, &request, &mut |_| true).unwrap().figures;
        prop_assert!(figures.v_rms_m_s.is_finite() && figures.max_force_n_m.is_finite());
        prop_assert!(figures.v_rms_m_s < 10.0, "v_rms {} m/s", figures.v_rms_m_s);
        let ledger = figures.ledger;
        prop_assert!(ledger.residual() < 0.02, "residual {:e}: {ledger:?}", ledger.residual());
        prop_assert!(ledger.damping_loss >= 0.0);
    }
}

/// A rough slider without a load begins with one hard blow and flies: half a step of it is most of its energy. A run
/// may end in the middle of another.
#[test]
fn ideal_impacts_are_booked_at_both_ends_of_a_run() {
    let choice = Choice {
        ra_um: 20.0,
        speed: 0.3,
        zeta: 0.01,
        load: 0.0,
        law: 3,
        motion: 1,
        texture: 0,
        modes: 10,
        slider_modes: 2,
        free: false,
        seed: 3,
    };
    let mut scene = scene(&choice);
    scene.run.step_s = 1e-6;
    for steps in [1, 2, 3, 100, 500, 2000, 2001, 2002, 2003, 4000] {
        let request = Request { seconds: f64::from(steps) * 1e-6, skip_s: 0.0, ..Request::default() };
        let ledger = run(&scene, &request, &mut |_| true).unwrap().figures.ledger;
        assert!(ledger.residual() < 0.01, "{steps} steps: {:e}: {ledger:?}", ledger.residual());
    }
}
