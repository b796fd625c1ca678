//! What the tests of the program share: how it is called, and scenes that sound within milliseconds of work.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Four modes, twenty soft contact nodes, long steps: several times faster than real time.
pub const TINY: &[&str] = &[
    "--set",
    "surface.step_um=1000",
    "--set",
    "surface.cutoff_um=0",
    "--set",
    "surface.corr_length_um=3000",
    "--set",
    "resonator.modes=4",
    "--set",
    "contact.kappa_pa=1e8",
    "--set",
    "run.step_s=2e-5",
    "--set",
    "motion.kind=endless",
    "--set",
    "motion.speed_m_s=0.5",
];

pub fn asperity(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
    command.current_dir(folder);
    command
}

/// Runs a command line in a folder.
pub fn run(folder: &Path, words: &[&str]) -> Output {
    asperity(folder).args(words).output().unwrap()
}

/// `render` of the tiny scene.
pub fn render(folder: &Path, words: &[&str]) -> Output {
    asperity(folder)
        .args(["render", "dang2013", "--engine", "reference"])
        .args(TINY)
        .args(words)
        .output()
        .unwrap()
}

/// Frames of a file, by an independent reader.
pub fn frames(path: &Path) -> u32 {
    hound::WavReader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).duration()
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON of a command that has to succeed.
pub fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Sends a signal to a program that was started here.
#[cfg(unix)]
pub fn signal(child: &std::process::Child, name: &str) {
    let words = format!("kill -s {name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &words]).status().unwrap().success());
}
