//! `asperity squeal` from outside: what scripts read, files, bad input; friction where it cannot be.

use std::fs;

use serde_json::Value;

use crate::terminal::asperity;

#[test]
fn tables_pictures_and_json_tell_of_one_study() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("brake");
    let words = ["squeal", "--mus", "0,0.3,0.5", "--stiffness", "1e4,1e7", "--json", "-o"];
    let output = asperity(&[&words[..], &[place.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let study: Value = serde_json::from_slice(&output.stdout).unwrap();
    let laws = study["laws"].as_array().unwrap();
    assert_eq!((laws.len(), study["growth"].as_array().unwrap().len()), (3, 3));
    assert_eq!(study["mu"], 0.5);
    let modes: usize = laws.iter().map(|law| law["modes"].as_array().unwrap().len()).sum();
    let table = fs::read_to_string(place.join("modes.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + modes);
    let unstable = table.lines().filter(|line| line.ends_with(",true")).count();
    assert!(unstable >= 2, "the brake squeals with both laws:\n{table}");
    assert_eq!(fs::read_to_string(place.join("growth.csv")).unwrap().lines().count(), 1 + 9);
    let stiffness = fs::read_to_string(place.join("growth_stiffness.csv")).unwrap();
    assert_eq!(stiffness.lines().count(), 1 + study["stiffness_growth"].as_array().unwrap().len());
    // The softest contact hardly couples the bodies, a stiff one squeals like ideal contact.
    let growth = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    assert!(growth(stiffness.lines().nth(1).unwrap()) < 1.0, "{stiffness}");
    assert!(growth(stiffness.lines().last().unwrap()) > 100.0, "{stiffness}");
    assert!(fs::read_to_string(place.join("mac.csv")).unwrap().starts_with("mu,stiffness_mpa_mm"));
    for name in ["stability", "growth", "growth_stiffness", "frequencies", "pressures"] {
        assert!(fs::read(place.join(format!("{name}.png"))).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn any_scene_can_be_looked_at_and_says_what_it_shows() {
    let output = asperity(&["squeal", "dang2013", "--mu", "0.3", "--mus", "0.3"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("ideal") && told.contains("10^5.3 MPa/mm") && told.contains("S-curve"), "{told}");
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let output = asperity(&["squeal", "--mu", "-1", "--stiffness", "soft", "--set", "friction.dynamic=3"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("--mu") && told.contains("--stiffness") && told.contains("friction.dynamic"),
        "{told}"
    );
    let still = asperity(&["squeal", "--v", "0"]);
    assert_eq!(still.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&still.stderr).contains("needs a speed"));
}

#[test]
fn the_reference_engine_renders_friction() {
    let words =
        ["render", "dang2013", "--engine", "reference", "--seconds", "0.05", "--skip", "0.01", "--json"];
    let keys = ["run.step_s=1e-6", "friction.static=0.4", "friction.dynamic=0.3", "resonator.modes=10"];
    let sets: Vec<&str> = keys.iter().flat_map(|key| ["--set", key]).collect();
    let output = asperity(&[&words[..], &sets].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["energy_residual"].as_f64().unwrap() < 1e-3, "{report}");
}
