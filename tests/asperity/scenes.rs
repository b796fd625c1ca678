//! Scenes from the terminal: presets, keys, bad input, the figures of a render.

use std::path::Path;
use std::process::{Command, Output};

/// A scene that renders in a blink.
const QUICK: [&str; 10] = [
    "--set",
    "surface.step_um=20",
    "--set",
    "surface.cutoff_um=80",
    "--set",
    "resonator.modes=12",
    "--set",
    "run.step_s=1e-6",
    "--seconds",
    "0.2",
];

pub fn asperity(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_asperity")).current_dir(folder).args(words).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_problem_is_told_at_once_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "render",
        "-o",
        "x.wav",
        "--ra",
        "-3",
        "--set",
        "surface.rough=1",
        "--set",
        "resonator.modes=0",
        "--v",
        "nan",
        "--seconds",
        "-1",
        "--rate",
        "47.5",
    ];
    let output = asperity(folder.path(), &words);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    for place in
        ["surface.ra_um", "surface.rough", "resonator.modes", "motion.speed_m_s", "--seconds", "--rate"]
    {
        assert!(told.contains(place), "{place} is missing from\n{told}");
    }
    assert!(told.contains("the nearest known one is surface."), "{told}");
    assert!(output.stdout.is_empty());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn impossible_combinations_are_refused_with_their_cure() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["--set", "slider.length_m=0.5"], "slider.length_m"),
        (&["--set", "motion.start_m=0.44"], "motion.start_m"),
        (&["--set", "pickup.1.position_m=0.46"], "pickup.1.position_m"),
        (&["--motion", "reciprocate", "--set", "motion.stroke_m=0.4"], "motion.stroke_m"),
        (&["--set", "slider.modes=1"], "slider.modes"),
        (&["--set", "contact.law=signorini", "--set", "run.integrator=rk4"], "run.integrator"),
    ];
    for (words, place) in cases {
        let all: Vec<&str> = ["render", "dang2013", "--json"].iter().chain(words).copied().collect();
        let output = asperity(folder.path(), &all);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(place), "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn render_writes_a_sound_and_the_figures_of_the_public_face() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<&str> =
        ["render", "-o", "a.wav", "--plot", "a.svg", "--json"].iter().chain(&QUICK).copied().collect();
    let output = asperity(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in [
        "lv_db",
        "v_rms_m_s",
        "seconds",
        "rate_hz",
        "inner_rate_hz",
        "engine",
        "quality",
        "seed",
        "contact_fraction",
        "shocks",
        "max_force_n_m",
        "energy_residual",
        "full_scale_m_s",
        "clipped_samples",
        "realtime_factor",
    ] {
        assert!(figures.get(key).is_some(), "{key}");
    }
    let level = figures["lv_db"].as_f64().unwrap();
    assert!((100.0..160.0).contains(&level), "{level} dB");
    let mut reader = hound::WavReader::open(folder.path().join("a.wav")).unwrap();
    assert_eq!(reader.spec().sample_rate, 48_000);
    assert_eq!(reader.duration(), 9600);
    // The pick-up's level is near that of the whole beam: the file is calibrated.
    let full_scale = figures["full_scale_m_s"].as_f64().unwrap();
    let channels = usize::from(reader.spec().channels);
    let first: Vec<f64> = reader
        .samples::<i32>()
        .step_by(channels)
        .skip(4800)
        .map(|sample| f64::from(sample.unwrap()) / f64::from(1 << 23) * full_scale)
        .collect();
    let rms = (first.iter().map(|v| v * v).sum::<f64>() / first.len() as f64).sqrt();
    let ratio_db = 20.0 * (rms / figures["v_rms_m_s"].as_f64().unwrap()).log10();
    assert!(ratio_db.abs() < 6.0, "pick-up {ratio_db:.1} dB from the mean over the beam");
}

#[test]
fn the_same_render_twice_is_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.wav", "b.wav"] {
        let words: Vec<&str> = ["render", "-o", name].iter().chain(&QUICK).copied().collect();
        assert_eq!(asperity(folder.path(), &words).status.code(), Some(0));
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("a.wav") == read("b.wav"));
}

#[test]
fn presets_are_listed_shown_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let list = text(&asperity(folder.path(), &["presets", "list"]).stdout);
    assert!(list.contains("dang2013") && list.contains("steel-on-steel"));
    let shown = asperity(folder.path(), &["presets", "show", "dang2013"]);
    std::fs::write(folder.path().join("mine.toml"), &shown.stdout).unwrap();
    let good = asperity(folder.path(), &["presets", "check", "mine.toml"]);
    assert_eq!(good.status.code(), Some(0), "{}", text(&good.stderr));
    std::fs::write(folder.path().join("bad.toml"), "[resonator]\nmodes = 900\nlenght_m = 1.0\n").unwrap();
    let bad = asperity(folder.path(), &["presets", "check", "bad.toml"]);
    assert_eq!(bad.status.code(), Some(2));
    let told = text(&bad.stderr);
    assert!(told.contains("bad.toml:2:9: resonator.modes"), "{told}");
    assert!(
        told.contains("bad.toml:3:1: resonator.lenght_m") && told.contains("resonator.length_m"),
        "{told}"
    );
    let missing = asperity(folder.path(), &["presets", "show", "dang2031"]);
    assert!(text(&missing.stderr).contains("nearest is dang20"));
}

#[test]
fn modes_name_frequencies_and_the_end_of_the_theory() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["modes", "dang2013", "--json", "--plot", "m.svg", "--shapes", "m.csv"];
    let output = asperity(folder.path(), &words);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = report["resonator"]["frequencies_hz"][0].as_f64().unwrap();
    assert!((first - 23.24).abs() < 0.01, "{first}");
    let limit = report["resonator"]["theory_limit_hz"].as_f64().unwrap();
    assert!((limit / 260e3 - 1.0).abs() < 0.01, "{limit}");
    assert!(folder.path().join("m.svg").is_file());
    let shapes = std::fs::read_to_string(folder.path().join("m.csv")).unwrap();
    assert_eq!(shapes.lines().count(), 1 + (40 + 2) * 101);
    // √(2/L) in the middle of the first mode.
    let middle = shapes.lines().find(|line| line.starts_with("resonator,1,0.225,")).unwrap();
    let value: f64 = middle.rsplit(',').next().unwrap().parse().unwrap();
    assert!((value - (2.0f64 / 0.45).sqrt()).abs() < 1e-12, "{middle}");
}

#[test]
fn a_measured_profile_is_taken_as_it_is_or_scaled() {
    let folder = tempfile::tempdir().unwrap();
    let words = "surface make --ra 4 --lc 300 --cutoff 80 --length 30 --step 20 -o p.csv";
    let make: Vec<&str> = words.split(' ').collect();
    assert_eq!(asperity(folder.path(), &make).status.code(), Some(0));
    let level = |extra: &[&str]| {
        let file = ["render", "--json", "--set", "surface.file=p.csv", "--set", "surface.top.file=p.csv"];
        let words: Vec<&str> = file.iter().chain(&QUICK).chain(extra).copied().collect();
        let output = asperity(folder.path(), &words);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        figures["lv_db"].as_f64().unwrap()
    };
    let (own, same, rough) =
        (level(&[]), level(&["--ra", "4"]), level(&["--ra", "16", "--set", "surface.top.ra_um=16"]));
    assert!((own - same).abs() < 3.0, "as it is {own:.1} dB, scaled to its own Ra {same:.1} dB");
    assert!(rough > own + 6.0, "{own:.1} dB at 4 µm, {rough:.1} dB at 16 µm");
}

#[test]
fn kappa_is_advised_as_the_paper_does() {
    let folder = tempfile::tempdir().unwrap();
    let output = asperity(folder.path(), &["kappa", "dang2013", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let advice: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(advice["difference"].as_f64().unwrap() <= 0.10);
    assert!(advice["kappa_pa"].as_f64().unwrap() >= 1e11);
}

#[test]
fn both_engines_hear_the_same_pressure() {
    let folder = tempfile::tempdir().unwrap();
    let level = |engine: &str| {
        let scene = ["render", "dang2013", "--motion", "endless", "--set", "pickup.1.quantity=pressure"];
        let order = ["--engine", engine, "-o", "p.wav", "--bits", "32f"];
        let output = asperity(folder.path(), &[&scene[..], &QUICK, &order].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("full scale 20 Pa"), "{}", text(&output.stdout));
        let found = asperity(folder.path(), &["analyze", "p.wav", "--skip", "0.05", "--json"]);
        let found: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
        found["lp_db"].as_f64().unwrap()
    };
    let (reference, realtime) = (level("reference"), level("realtime"));
    assert!((30.0..70.0).contains(&reference), "{reference} dB");
    // A fifth of a second of one surface.
    assert!((reference - realtime).abs() < 3.0, "{reference} dB and {realtime} dB");
}
