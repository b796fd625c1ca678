//! `asperity surface`: what is made is what is measured, and bad input leaves nothing behind.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

fn surface(folder: &tempfile::TempDir, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
    command.arg("surface").args(words).current_dir(folder).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_made_profile_measures_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let made =
        surface(&folder, &["make", "-o", "a.csv", "--ra", "3", "--lc", "200", "--length", "100", "--json"]);
    let made = json(&made);
    let csv = fs::read_to_string(folder.path().join("a.csv")).unwrap();
    assert!(csv.starts_with("x_m,height_m\n0.0,") && csv.lines().count() == 20_002);
    assert!(csv.lines().nth(2).unwrap().starts_with("5e-6,"));

    let measured = json(&surface(&folder, &["measure", "a.csv", "--json", "--plot", "a.png"]));
    for key in [
        "ra_um",
        "rq_um",
        "rsk",
        "rku",
        "rsm_um",
        "corr_length_um",
        "rms_slope",
        "rms_curvature_1_m",
        "evaluation_length_mm",
    ] {
        let (a, b) = (made[key].as_f64().unwrap(), measured[key].as_f64().unwrap());
        assert!((a - b).abs() <= 1e-9 * a.abs(), "{key}: {a} {b}");
    }
    assert!((measured["ra_um"].as_f64().unwrap() - 3.0).abs() < 1e-9);
    // One seed of 500 correlation lengths.
    assert!((measured["corr_length_um"].as_f64().unwrap() / 200.0 - 1.0).abs() < 0.15, "{measured}");
    assert!(measured["lambda_s_um"].is_null() && measured["lambda_c_um"].is_null());
    assert!(fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"));

    let filtered =
        json(&surface(&folder, &["measure", "a.csv", "--json", "--cutoff", "50", "--lambda-c", "2500"]));
    assert_eq!(
        (filtered["lambda_s_um"].as_f64(), filtered["lambda_c_um"].as_f64()),
        (Some(50.0), Some(2500.0))
    );
    assert!(filtered["ra_um"].as_f64() < measured["ra_um"].as_f64());
}

/// A scene and its profile travel together, wherever the program is started.
#[test]
fn a_profile_beside_its_scene_is_found() {
    let folder = tempfile::tempdir().unwrap();
    json(&surface(&folder, &["make", "-o", "ground.csv", "--ra", "3", "--length", "100", "--json"]));
    let scene = folder.path().join("scene.toml");
    fs::write(&scene, "[surface]\nfile = \"ground.csv\"\n").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let check = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
        command.args(["presets", "check"]).arg(&scene).current_dir(&elsewhere).output().unwrap()
    };
    assert_eq!(check().status.code(), Some(0), "{}", String::from_utf8_lossy(&check().stderr));
    fs::remove_file(folder.path().join("ground.csv")).unwrap();
    assert_eq!(check().status.code(), Some(2));
    assert!(String::from_utf8_lossy(&check().stderr).contains("ground.csv"));
}

#[test]
fn every_ra_stands_beside_its_length_and_filters() {
    let folder = tempfile::tempdir().unwrap();
    surface(&folder, &["make", "-o", "a.csv", "--acf", "periodic", "--length", "20"]);
    let table = surface(&folder, &["measure", "a.csv", "--lambda-c", "8000"]);
    let text = String::from_utf8(table.stdout).unwrap();
    let ra = text.lines().find(|line| line.trim_start().starts_with("Ra ")).unwrap();
    assert!(ra.contains("20.000 mm") && ra.contains("λs none") && ra.contains("λc 8000 µm"), "{ra}");
}

#[test]
fn bad_input_is_listed_whole_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["make", "-o", "a.csv", "--ra", "-1", "--lc", "nan", "--acf", "gausian", "--plot", "a.pdf"];
    let refused = surface(&folder, &words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.stdout.is_empty());
    let text = String::from_utf8(refused.stderr).unwrap();
    for words in ["--ra: -1 µm", "--lc: NaN", "--acf: gausian", "did you mean gaussian", "a.pdf"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    fs::write(folder.path().join("bad.csv"), "x_um,z_um\n1,2\n2,x\n").unwrap();
    let refused = surface(&folder, &["measure", "bad.csv", "--plot", "a.png"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("bad.csv, line 3, column 2 (height): `x`"));
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["bad.csv"]);
}
