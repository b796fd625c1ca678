//! Every check that a change has to pass, in one command.

use std::path::Path;

use crate::display::on_display;
use crate::steps::{Steps, command, output_of};
use crate::{built, bundle, packages};

/// Crates of sound, windows, pictures and plugins that the physics must not pull in, by the start of their
/// names.
const FOREIGN: [&str; 21] = [
    "cpal",
    "alsa",
    "jack",
    "midir",
    "hound",
    "rodio",
    "egui",
    "eframe",
    "epaint",
    "winit",
    "baseview",
    "wgpu",
    "glow",
    "nice-plug",
    "nih_plug",
    "clack",
    "vst3",
    "plotters",
    "png",
    "clap",
    "indicatif",
];

pub fn run(full: bool) -> Result<(), String> {
    packages::set_up()?;
    packages::set_up_servers();
    let mut steps = Steps::default();
    steps.run("format", || command("cargo", &["fmt", "--all", "--check"]));
    steps.run("clippy", || {
        let words = "clippy --workspace --all-targets --profile checked -- -D warnings";
        command("cargo", &words.split(' ').collect::<Vec<_>>())
    });
    steps.run("physics knows no sound or window crate", || {
        let tree = output_of(
            "cargo",
            &[
                "tree",
                "--package",
                "asperity",
                "--no-default-features",
                "--edges",
                "normal",
                "--prefix",
                "none",
            ],
        )?;
        physics_only(&tree)
    });
    steps.run("physics alone", || tests(&["--package", "asperity", "--no-default-features"], full));
    if full {
        // Some of the long ones open what hosts open.
        steps.run("bundle", || bundle::run(&["asperity", "--profile", "checked"]));
    }
    steps.run("everything else", || {
        let others = other_tests(Path::new("tests"))?;
        let mut selection = vec!["--workspace", "--lib", "--bins"];
        for name in &others {
            selection.extend(["--test", name]);
        }
        tests(&selection, full)
    });
    steps.close()
}

/// Test programs that need no feature: they have run with the physics alone and take minutes.
const PHYSICS_TESTS: [&str; 4] = ["instrument", "physics", "realtime", "validate"];

/// All other test programs, so that a new one is never forgotten.
fn other_tests(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        // Folders without a program hold something else: pictures, the fuzzer's own workspace.
        .filter(|entry| entry.path().is_file() || entry.path().join("main.rs").is_file())
        .map(|entry| entry.path().file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for expected in PHYSICS_TESTS {
        let at = names.iter().position(|name| name == expected).ok_or(format!("tests/{expected} is gone"))?;
        names.remove(at);
    }
    Ok(names)
}

fn tests(selection: &[&str], full: bool) -> Result<(), String> {
    let mut words = vec!["test", "--profile", "checked"];
    words.extend(selection);
    if !full {
        return command("cargo", &words);
    }
    words.extend(["--", "--include-ignored"]);
    let bundles = format!("ASPERITY_BUNDLES={}", built::folder()?.join("bundled").display());
    // Some of the long ones open windows.
    on_display(&[&["env", &bundles, "cargo"], &words[..]].concat())
}

/// Looks for foreign crates in the lines of `cargo tree`.
fn physics_only(tree: &str) -> Result<(), String> {
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let foreign: Vec<&str> =
        names.filter(|name| FOREIGN.iter().any(|foreign| name.starts_with(foreign))).collect();
    if !tree.contains("realfft") {
        return Err("the list of crates does not look like ours: realfft is not in it".into());
    }
    if foreign.is_empty() {
        Ok(())
    } else {
        Err(format!("without default features these crates are still there: {}", foreign.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_program_is_run_once() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        let others = other_tests(&folder).unwrap();
        assert!(others.contains(&"asperity".to_owned()));
        assert!(PHYSICS_TESTS.iter().all(|name| !others.iter().any(|other| other == name)));
        assert!(other_tests(Path::new(env!("CARGO_MANIFEST_DIR"))).is_err());
    }

    #[test]
    fn foreign_crates_are_named() {
        let clean = "asperity v0.1.0 (/here)\nrealfft v3.5.1\nrayon v1.12.0\n";
        assert_eq!(physics_only(clean), Ok(()));
        let mixed = format!("{clean}plotters-svg v0.3.7\nhound v3.5.1\n");
        let failure = physics_only(&mixed).unwrap_err();
        assert!(failure.contains("plotters-svg, hound"), "{failure}");
        assert!(physics_only("").is_err(), "an empty list proves nothing");
    }
}
