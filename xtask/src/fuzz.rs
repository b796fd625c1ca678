//! Everything that reads files from outside, under libFuzzer: millions of changed files, no crash, no more than
//! 256 MB. The targets are in `tests/fuzz`; what they find is a small file in `target/fuzz/found`.
//!
//! No address sanitizer: our code has no unsafe line, and its quarantine would hide what memory we take.

use std::fs;

use crate::steps::{Steps, command, output_of, succeeds};

/// Each target with what it starts from.
const TARGETS: [(&str, &str); 7] = [
    ("csv", "tests/fuzz/seeds/csv"),
    ("sdf", "tests/fuzz/seeds/sdf"),
    ("x3p", "tests/fuzz/seeds/x3p"),
    ("wav", "tests/fuzz/seeds/wav"),
    ("scene", "presets"),
    ("midi", "tests/fuzz/seeds/midi"),
    ("state", "tests/fuzz/seeds/state"),
];
/// All targets together take an hour or two of one core: WAV and MIDI run 10⁵ times a second, scenes and states 10⁴.
const USUAL_RUNS: u64 = 10_000_000;
const FOLDER: &str = "target/fuzz";

/// `[TARGET] [--runs N]`, in any order.
struct Order {
    targets: Vec<(&'static str, &'static str)>,
    runs: u64,
}

pub fn run(words: &[&str]) -> Result<(), String> {
    let order = Order::read(words)?;
    set_up()?;
    let mut steps = Steps::default();
    for (target, seeds) in &order.targets {
        steps.run(&format!("{} runs of {target}", order.runs), || fuzz(target, seeds, order.runs));
    }
    steps.close()
}

impl Order {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut order = Self { targets: TARGETS.to_vec(), runs: USUAL_RUNS };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if *word == "--runs" {
                let count = rest.next().and_then(|count| count.parse().ok()).filter(|count| *count > 0);
                order.runs = count.ok_or("--runs needs a number above 0")?;
            } else if let Some(target) = TARGETS.iter().find(|(name, _)| name == word) {
                order.targets = vec![*target];
            } else {
                let names = TARGETS.map(|(name, _)| name).join(", ");
                return Err(format!("`{word}` is no target: there are {names}"));
            }
        }
        Ok(order)
    }
}

fn fuzz(target: &str, seeds: &str, runs: u64) -> Result<(), String> {
    let (corpus, found) = (format!("{FOLDER}/corpus/{target}"), format!("{FOLDER}/found"));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    }
    let build = format!("run nightly cargo fuzz run --fuzz-dir tests/fuzz --target-dir {FOLDER}");
    let rules = format!("-runs={runs} -rss_limit_mb=256 -timeout=10 -artifact_prefix={found}/{target}-");
    let line = format!("{build} --sanitizer none {target} {corpus} {seeds} -- {rules} -print_final_stats=1");
    command("rustup", &line.split(' ').collect::<Vec<_>>())
}

/// The nightly compiler and cargo-fuzz, where they are not there yet.
fn set_up() -> Result<(), String> {
    if !output_of("rustup", &["toolchain", "list"])?.contains("nightly") {
        command("rustup", &["toolchain", "install", "nightly", "--profile", "minimal"])?;
    }
    if succeeds("cargo", &["fuzz", "--version"]) {
        return Ok(());
    }
    command("cargo", &["install", "cargo-fuzz", "--locked"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn words_choose_a_target_and_a_number() {
        let all = Order::read(&[]).unwrap();
        assert_eq!((all.targets.len(), all.runs), (TARGETS.len(), USUAL_RUNS));
        let one = Order::read(&["--runs", "5", "midi"]).unwrap();
        assert_eq!((one.targets[0].0, one.targets.len(), one.runs), ("midi", 1, 5));
        for words in [&["mid"][..], &["--runs"], &["--runs", "0"], &["--runs", "many"]] {
            assert!(Order::read(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn every_target_is_there_with_its_seeds() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = fs::read_to_string(root.join("tests/fuzz/Cargo.toml")).unwrap();
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
        for (target, seeds) in TARGETS {
            assert!(manifest.contains(&format!("path = \"targets/{target}.rs\"")), "{target}");
            assert!(fs::read_dir(root.join(seeds)).unwrap().count() > 0, "{seeds}");
        }
    }
}
