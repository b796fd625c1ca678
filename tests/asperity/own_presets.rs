//! Presets that a user saved in plugin or app, from the terminal: by the names that they give themselves.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::tiny::{json, said};

fn asperity(home: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
    command.current_dir(home).args(words).env("HOME", home).env("XDG_DATA_HOME", home.join("data"));
    command.output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_saved_preset_is_listed_shown_and_rendered_by_its_name() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("data/asperity/presets");
    fs::create_dir_all(&folder).unwrap();
    let own =
        "[preset]\nname = \"My brake\"\ncategory = \"mine\"\ndescription = \"Ours.\"\n[surface]\nra_um = 7\n";
    fs::write(folder.join("my-brake-1.toml"), own).unwrap();
    fs::write(folder.join("broken.toml"), "surface.ra_um = -1\n").unwrap();

    let listed = asperity(home.path(), &["presets", "list", "--json"]);
    assert!(said(&listed).contains("broken.toml"), "{}", said(&listed));
    let listed = json(&listed);
    let lines = listed.as_array().unwrap();
    let find = |name: &str| -> &Value { lines.iter().find(|line| line["name"] == name).unwrap() };
    assert!(find("dang2013")["file"].is_null());
    assert!(find("My brake")["file"].as_str().unwrap().ends_with("my-brake-1.toml"));

    let shown = asperity(home.path(), &["presets", "show", "My brake"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("surface.ra_um = 7"), "{}", said(&shown));
    let scene = ["--set", "surface.step_um=50", "--set", "surface.cutoff_um=0", "--seconds", "0.2", "--json"];
    let level = |name: &str| {
        json(&asperity(home.path(), &[&["render", name], &scene[..]].concat()))["lv_db"].as_f64().unwrap()
    };
    assert_eq!(level("My brake"), level("data/asperity/presets/my-brake-1.toml"));
    let words =
        ["sweep", "My brake", "--engine", "realtime", "--v", "0.1,0.2", "--seconds", "0.15", "-o", "grid"];
    assert!(asperity(home.path(), &words).status.success());
    assert_eq!(asperity(home.path(), &["render", "My break", "--json"]).status.code(), Some(2));
}
