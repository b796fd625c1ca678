//! `asperity sweep` by either engine: what one of them cannot run is told before anything is, and qualities do not mix.

use std::fs;

use serde_json::Value;

use super::sweep::{command, good, table, told};

#[test]
fn the_printed_example_is_a_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let example = good(command(at, &["--example"]).output().unwrap());
    fs::write(at.join("spec.toml"), &example.stdout).unwrap();
    // As printed, but short and with one surface: forty-eight points of a blink each.
    let words = ["spec.toml", "--seconds", "0.02", "--skip", "0.005", "--seeds", "1", "-o", "a", "--json"];
    let output = good(command(at, &words).output().unwrap());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3 * 4 * 2 * 2);
    assert_eq!((&rows[47]["slider.load_n_m"], &rows[47]["zeta"]), (&50.0.into(), &0.02.into()));
    assert!(rows.iter().any(|row| row["zeta"] == 0.01));
}

#[test]
fn a_scene_that_an_engine_cannot_run_is_refused_before_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["dang2010", "--engine", "realtime", "--v", "0.03,0.05", "-o", "a"];
    let refused = command(at, &words).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", told(&refused));
    assert!(told(&refused).contains("--engine at 2 of 2 points"), "{}", told(&refused));
    let words = ["--quality", "draft", "--v", "0.1,0.2", "-o", "a"];
    let refused = command(at, &words).output().unwrap();
    assert!(told(&refused).contains("--quality: draft: has no meaning"), "{}", told(&refused));
    assert_eq!(fs::read_dir(at).unwrap().count(), 0);
}

#[test]
fn a_quality_is_part_of_what_a_sweep_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |quality: &str, output: &str, more: &[&str]| {
        let words = ["--engine", "realtime", "--v", "0.1,0.2", "--seconds", "0.15", "-o", output];
        command(at, &[&words[..], &["--quality", quality], more].concat()).output().unwrap()
    };
    good(run("draft", "draft", &[]));
    good(run("live", "live", &[]));
    assert_ne!(table(at, "draft"), table(at, "live"));
    let mixed = run("live", "draft", &["--resume"]);
    assert_eq!(mixed.status.code(), Some(2));
    assert!(told(&mixed).contains("quality: draft there, live here"), "{}", told(&mixed));
}
