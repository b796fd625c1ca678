//! Friction in the reference engine: what it must obey on any scene, and closed forms for its signs.

use super::{bench, levels, with};
use asperity::engine::reference::{
    ContactMap, Request, ShockDetail, Simulation, Start, Walk, balance, run, tangent,
};
use asperity::scene::{Contact, Draft, Scene};

/// Smooth bodies on a soft contact, small enough for long runs.
const SMALL: [(&str, &str); 12] = [
    ("surface.ra_um", "0"),
    ("surface.step_um", "1000"),
    ("resonator.length_m", "0.2"),
    ("resonator.thickness_m", "0.004"),
    ("resonator.modes", "4"),
    ("slider.length_m", "0.01"),
    ("slider.load_n_m", "20"),
    ("contact.kappa_pa", "1e9"),
    ("motion.kind", "endless"),
    ("motion.start_m", "0.06"),
    ("friction.static", "0.4"),
    ("friction.dynamic", "0.3"),
];

fn small(changes: &[(&str, &str)]) -> Scene {
    let keys: Vec<(&str, &str)> = SMALL.iter().chain(changes).copied().collect();
    with(Draft::default(), &keys)
}

fn balanced(scene: &Scene, sliding: f64) -> Start {
    let Contact::Law(law) = scene.contact else { panic!("no law") };
    let displacement = balance(&ContactMap::new(scene).unwrap(), &law, sliding).unwrap().amplitudes;
    Start { velocity: vec![0.0; displacement.len()], displacement }
}

#[test]
fn without_its_couplings_it_is_the_frictionless_bench_to_the_bit() {
    let amplitudes = |changes: &[(&str, &str)]| {
        let scene = bench(changes);
        let mut simulation = Simulation::new(&scene, Walk::Pruned, 1e-6, 0.0, ShockDetail::Count).unwrap();
        for _ in 0..20_000 {
            simulation.step().unwrap();
        }
        simulation.displacement().iter().map(|u| u.to_bits()).collect::<Vec<_>>()
    };
    let plain = amplitudes(&[("run.step_s", "1e-6")]);
    let off = [("run.step_s", "1e-6"), ("friction.static", "0"), ("friction.stribeck_m_s", "0.1")];
    assert_eq!(amplitudes(&off), plain);
    let uncoupled = [
        ("run.step_s", "1e-6"),
        ("friction.static", "0.4"),
        ("friction.bends_resonator", "false"),
        ("friction.pitches_slider", "false"),
        ("friction.follows_slope", "false"),
    ];
    assert_eq!(amplitudes(&uncoupled), plain);
    assert_ne!(amplitudes(&uncoupled[..2]), plain, "coupled friction must be felt");
}

#[test]
fn both_walks_agree_to_the_bit_with_friction() {
    let keys = [
        ("run.step_s", "1e-6"),
        ("motion.kind", "endless"),
        ("friction.static", "0.5"),
        ("drive.stiffness_n_m", "1e6"),
        ("resonator.modes", "10"),
    ];
    let scene = bench(&keys);
    let amplitudes = |walk: Walk| {
        let mut simulation = Simulation::new(&scene, walk, 1e-6, 0.0, ShockDetail::Count).unwrap();
        for _ in 0..1500 {
            simulation.step().unwrap();
        }
        simulation.displacement().iter().map(|u| u.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(amplitudes(Walk::Literal), amplitudes(Walk::Pruned));
}

#[test]
fn energy_books_close_with_friction() {
    let rough = |changes: &[(&'static str, &'static str)]| {
        let mut keys = vec![("run.step_s", "4e-7"), ("friction.static", "0.5"), ("friction.dynamic", "0.3")];
        keys.extend(changes);
        let ledger = levels(&bench(&keys), 0.05, 0.0).figures.ledger;
        assert!(ledger.residual() < 1e-3, "{changes:?}: {:e} {ledger:?}", ledger.residual());
        assert!(ledger.friction_heat > 0.0);
        ledger
    };
    let rigid = rough(&[]);
    assert!(rigid.drive_work > 0.9 * rigid.friction_heat, "the drive pays for the heat: {rigid:?}");
    rough(&[("friction.bends_resonator", "false")]);
    rough(&[("friction.follows_slope", "false"), ("friction.stribeck_m_s", "0.05")]);
    let sprung = [("motion.kind", "endless"), ("drive.stiffness_n_m", "2e5"), ("drive.damping_n_s_m", "5")];
    rough(&sprung);
    rough(&[sprung[0], sprung[1], ("drive.feels_contact", "false")]);
    rough(&[
        sprung[0],
        sprung[1],
        ("friction.stick", "penalty"),
        ("friction.stick_stiffness_n_m", "1e7"),
        ("slider.load_n_m", "100"),
    ]);
}

/// A slider pulled off and let go comes to rest for good, however many places touch.
#[test]
fn friction_stops_a_slider_on_any_number_of_contacts() {
    for contacts in [1, 2, 5, 50] {
        // Teeth of the resonator's surface carry a smooth slider; the finest are two nodes wide.
        let pitch = format!("{}", 20_000.0 / f64::from(contacts));
        let scene = bench(&[
            ("surface.acf", "periodic"),
            ("surface.ra_um", "20"),
            ("surface.wavelength_um", &pitch),
            ("surface.top.ra_um", "0"),
            ("surface.step_um", "50"),
            ("surface.cutoff_um", "0"),
            ("resonator.modes", "20"),
            ("slider.load_n_m", "40"),
            ("friction.static", "0.6"),
            ("friction.dynamic", "0.5"),
            ("motion.kind", "endless"),
            ("drive.kind", "force"),
            ("drive.force_n_m", "45"),
            ("drive.force_end_s", "0.002"),
            ("contact.kappa_pa", "2e10"),
            ("drive.feels_contact", "false"),
            ("friction.follows_slope", "false"),
        ]);
        let start = balanced(&scene, 0.0);
        let mut simulation = Simulation::from_state(&scene, start, 1e-6).unwrap();
        let (mut slipped, mut reversals, mut last) = (0.0f64, 0, 0.0f64);
        for _ in 0..60_000 {
            simulation.step().unwrap();
            let rub = simulation.rub().unwrap();
            let slip = rub.slip_m_s();
            assert!(rub.friction_force() * slip <= 0.0, "friction gives energy on {contacts} contacts");
            reversals += u32::from(slip * last < 0.0);
            slipped = slipped.max(slip);
            last = slip;
        }
        let rub = simulation.rub().unwrap();
        assert!(slipped > 1e-3, "{contacts}: it never slipped");
        assert!(rub.sticks() && rub.slip_m_s() == 0.0, "{contacts}: still at {} m/s", rub.slip_m_s());
        assert!(reversals < 50, "{contacts}: the slip flipped {reversals} times");
        let ledger = simulation.figures().ledger;
        assert!(ledger.friction_heat > 0.0 && ledger.residual() < 1e-3, "{contacts}: {ledger:?}");
    }
}

#[test]
fn an_exact_stick_does_not_creep() {
    // Held at three quarters of what static friction bears, for ten seconds, in balance under that pull.
    let scene = small(&[("drive.kind", "force"), ("drive.force_n_m", "7.1")]);
    let step_s = 2e-5;
    let start = balanced(&scene, 7.1 / scene.normal_load_n_m());
    let mut simulation = Simulation::from_state(&scene, start, step_s).unwrap();
    for _ in 0..(10.0 / step_s) as u64 {
        simulation.step().unwrap();
        assert!(simulation.rub().unwrap().sticks());
    }
    let crept = simulation.rub().unwrap().tow.left().place_m - scene.motion.offset(0.0);
    assert!(crept.abs() < 1e-9, "crept by {crept:e} m");
    // The force that it holds is felt: past the static limit it goes.
    let pulled = small(&[("drive.kind", "force"), ("drive.force_n_m", "9.6")]);
    let mut simulation = Simulation::from_state(&pulled, balanced(&scene, 0.39), step_s).unwrap();
    for _ in 0..1000 {
        simulation.step().unwrap();
    }
    assert!(simulation.rub().unwrap().tow.left().place_m - scene.motion.offset(0.0) > 1e-5);
}

#[test]
fn val_friction_carries_the_pressure_forward_by_its_lever() {
    // Moments about the slider's middle: the normal force moves by μ·H₂/2 towards the leading end.
    let scene = small(&[("slider.thickness_m", "0.006"), ("friction.bends_resonator", "false")]);
    let Contact::Law(law) = scene.contact else { panic!("no law") };
    let map = ContactMap::new(&scene).unwrap();
    let steady = balance(&map, &law, 0.3).unwrap();
    let loads = map.points.iter().zip(&steady.pressures).map(|(point, p)| (point, p * point.length_m));
    let (mut normal, mut moment) = (0.0, 0.0);
    for (point, load) in loads {
        normal += load;
        moment += load * (point.position_m - 0.005);
    }
    assert!((normal / scene.normal_load_n_m() - 1.0).abs() < 1e-6);
    assert!((moment / normal / (0.3 * 0.003) - 1.0).abs() < 1e-6, "shifted by {:e} m", moment / normal);
}

#[test]
fn val_friction_bends_a_pinned_beam_as_a_moment_does() {
    // Pinned beam, clockwise moment M at a: D·u = -M·x³/6L + M·(x-a)²₊/2 + c·x,
    // c = M·L/6 - M·(L-a)²/2L. The slider drags the top of the beam towards +x: M = μN·H/2, clockwise.
    let scene = small(&[
        ("friction.pitches_slider", "false"),
        ("friction.follows_slope", "false"),
        ("resonator.modes", "200"),
        ("contact.kappa_pa", "1e6"),
    ]);
    let Contact::Law(law) = scene.contact else { panic!("no law") };
    let map = ContactMap::new(&scene).unwrap();
    let (free, rubbed) = (balance(&map, &law, 0.0).unwrap(), balance(&map, &law, 0.3).unwrap());
    let basis = scene.resonator.basis();
    let (length, at, stiffness) = (0.2, 0.065, scene.resonator.beam.bending_stiffness());
    let moment = 0.3 * scene.normal_load_n_m() * 0.002;
    for x in [0.03, 0.05, 0.1, 0.15] {
        let ours: f64 =
            (0..200).map(|k| (rubbed.amplitudes[k] - free.amplitudes[k]) * basis.shape(k, x)).sum();
        let beyond = f64::max(x - at, 0.0);
        let tilt = length / 6.0 - (length - at).powi(2) / (2.0 * length);
        let right = moment / stiffness * (-x.powi(3) / (6.0 * length) + 0.5 * beyond * beyond + tilt * x);
        assert!((ours / right - 1.0).abs() < 0.01, "u({x}) = {ours:e}, closed form {right:e}");
    }
}

#[test]
fn the_sliding_stiffness_is_not_symmetric() {
    let scene = small(&[]);
    let map = ContactMap::new(&scene).unwrap();
    let stiff = |mu: f64| tangent(&map, mu, map.points.iter().map(|point| (point, 1e9)));
    let skew = |mu: f64| (stiff(mu) - stiff(mu).transpose()).amax();
    assert!(skew(0.0) < 1e-6 && skew(0.3) > 1e3);
}

#[test]
fn a_soft_slow_drive_sticks_and_slips_and_a_stiff_fast_one_slides() {
    let stuck_share = |speed: &str, stiffness: &str| {
        let keys = [("motion.speed_m_s", speed), ("drive.stiffness_n_m", stiffness), ("run.step_s", "1e-5")];
        let scene = small(&keys);
        let mut simulation = Simulation::from_state(&scene, balanced(&scene, 0.3), 1e-5).unwrap();
        let (mut stuck, steps) = (0, 100_000);
        for _ in 0..steps {
            simulation.step().unwrap();
            stuck += u32::from(simulation.rub().unwrap().sticks());
        }
        f64::from(stuck) / f64::from(steps)
    };
    assert!(stuck_share("0.002", "2e3") > 0.5);
    assert!(stuck_share("0.5", "2e3") < 0.01);
}

#[test]
fn friction_is_refused_where_the_step_is_too_long_for_its_spring() {
    let spring = [("friction.stick", "penalty"), ("friction.stick_stiffness_n_m", "1e9")];
    let request = Request { seconds: 0.01, skip_s: 0.0, ..Request::default() };
    run(&small(&[spring[0], spring[1], ("run.step_s", "2e-6")]), &request, &mut |_| true).unwrap();
    let long = small(&[spring[0], spring[1], ("run.step_s", "5e-5")]);
    assert!(run(&long, &request, &mut |_| true).is_err());
}
