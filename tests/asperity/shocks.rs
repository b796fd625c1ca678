//! `asperity shocks`: tables, arrays and pictures that tell the same story.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

fn shocks(folder: &tempfile::TempDir, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn command(folder: &tempfile::TempDir, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
    let quick = ["surface.step_um=20", "surface.cutoff_um=0", "resonator.modes=10", "run.step_s=1e-6"];
    command.arg("shocks").args(quick.iter().flat_map(|key| ["--set", key]));
    command.args(words).current_dir(folder);
    command
}

#[test]
fn tables_summary_and_pictures_agree() {
    let folder = tempfile::tempdir().unwrap();
    let output = shocks(&folder, &["-o", "a", "--v", "0.3", "--seconds", "0.1", "--skip", "0.02", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join("a").join(name)).unwrap();
    let table = read("shocks.csv");
    assert!(
        table.starts_with(
            "profile,node,x_m,start_s,duration_s,peak_force_n_m,peak_force_weights,energy_j_m\n"
        )
    );
    assert_eq!(table.lines().count() as u64 - 1, summary["shocks"].as_u64().unwrap());
    assert!(summary["shocks"].as_u64().unwrap() > 50, "{summary}");
    assert!((summary["weight_n_m"].as_f64().unwrap() - 7.65).abs() < 0.01);
    assert!(summary["weight"].as_str().unwrap().contains("the slider's weight per metre of width"));
    let largest = table.lines().skip(1).map(|line| line.split(',').nth(6).unwrap().parse::<f64>().unwrap());
    assert_eq!(summary["peak_force_weights"]["max"].as_f64().unwrap(), largest.fold(0.0, f64::max));
    // 0.08 s in rows of 50 µs.
    assert_eq!(read("contact.csv").lines().count(), 1 + 1600);
    assert!(summary["node_shocks"].as_u64().unwrap() > 0 && read("node.csv").lines().count() > 10);
    let counted: u64 = read("distributions.csv")
        .lines()
        .filter(|line| line.starts_with("duration_s,"))
        .map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap())
        .sum();
    assert!(counted as f64 > 0.99 * summary["shocks"].as_f64().unwrap());
    for name in ["force-history", "shock-distributions", "contact-history"] {
        assert!(
            fs::read(folder.path().join("a").join(format!("{name}.png"))).unwrap().starts_with(b"\x89PNG")
        );
        assert!(read(&format!("{name}.svg")).contains("</svg>"));
    }
    assert!(fs::read(folder.path().join("a").join("shocks.npz")).unwrap().starts_with(b"PK"));
    // The folder says itself which weight forces are counted in.
    assert_eq!(serde_json::from_str::<Value>(&read("shocks.json")).unwrap(), summary);
}

#[test]
fn mistakes_are_told_at_once_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let output = shocks(&folder, &["-o", "a", "--node-m", "-0.03", "--rate", "0", "--seconds", "-1"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for reason in ["--node-m: -0.03: must lie on the slider", "--rate: 0", "--seconds: -1"] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    for (words, reason) in [
        (["--seconds", "86400", "--rate", "10"], "--seconds: 86400: every shock is kept: at most 300 s"),
        (["--seconds", "100", "--rate", "1e6"], "--rate: 100000000 rows: at most 10000000 rows"),
    ] {
        let output = shocks(&folder, &[&["-o", "a"], &words[..]].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(reason), "{reason}: {text}");
    }
    let both = shocks(&folder, &["-o", "a", "--rate", "0", "--set", "slider.modes=1"]);
    let text = String::from_utf8_lossy(&both.stderr);
    assert!(text.contains("--rate: 0") && text.contains("slider.modes"), "{text}");
    assert!(!folder.path().join("a").exists());
}

#[cfg(unix)]
#[test]
fn a_stopped_run_takes_its_empty_folder_with_it() {
    use super::tiny::{said, signal};
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    for name in ["made", "own"] {
        let words = ["-o", name, "--seconds", "300", "--motion", "endless"];
        let child = command(&folder, &words).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let patience = Instant::now();
        while !folder.path().join(name).exists() {
            assert!(patience.elapsed() < Duration::from_secs(60), "no folder after a minute");
            std::thread::sleep(Duration::from_millis(5));
        }
        // The folder is there an instant before signals are heard.
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    }
    assert!(!folder.path().join("made").exists() && own.is_dir());
}
