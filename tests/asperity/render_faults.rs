//! `asperity render` when things go wrong: full disks, lost folders, absurd orders. Never exit
//! code 0 for a failed output, never a partial file under the final name, always a valid `.part`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::tiny::{TINY, asperity, frames, json, render, run, said};

/// Byte limits on every file the program writes (RLIMIT_FSIZE), spread over the whole file.
#[test]
fn fifty_write_limits_never_pass_for_success() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["-o", "a.wav", "--seconds", "1.2", "--rate", "8000", "--bits", "24"];
    assert_eq!(render(folder.path(), &words).status.code(), Some(0));
    let whole = fs::read(folder.path().join("a.wav")).unwrap();
    for name in ["a.wav", "a.wav.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let mut kept = 0;
    for index in 0..50 {
        // From nothing to one byte less than enough, at odd places.
        let limit = (whole.len() - 1) * index / 49;
        let mut command = Command::new("prlimit");
        command.arg(format!("--fsize={limit}")).arg(env!("CARGO_BIN_EXE_asperity")).current_dir(&folder);
        let output = command
            .args(["render", "dang2013", "--engine", "reference"])
            .args(TINY)
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(74), "limit {limit}: {}", said(&output));
        assert!(said(&output).contains("a.wav: "), "limit {limit}: {}", said(&output));
        assert!(output.stdout.is_empty() && !folder.path().join("a.wav").exists());
        let part = folder.path().join("a.wav.part");
        if part.exists() {
            kept += 1;
            // Half a second of sound is what a flush may be behind.
            let behind = limit as f64 / 3.0 - f64::from(frames(&part));
            assert!(behind < 0.6 * 8000.0 + 4000.0, "limit {limit}: {behind} frames behind");
            assert!(said(&output).contains("a.wav.part holds the first"));
            fs::remove_file(&part).unwrap();
        }
    }
    assert!(kept > 20, "{kept} parts were worth keeping");
    // One byte more than the last limit is enough, and the bytes are the same.
    let mut command = Command::new("prlimit");
    command.arg(format!("--fsize={}", whole.len())).arg(env!("CARGO_BIN_EXE_asperity")).current_dir(&folder);
    let output = command
        .args(["render", "dang2013", "--engine", "reference"])
        .args(TINY)
        .args(words)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(fs::read(folder.path().join("a.wav")).unwrap(), whole);
}

#[test]
fn what_cannot_end_well_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let started = Instant::now();
    for (words, code, told) in [
        (
            &["-o", "a.wav", "--seconds", "1e12"][..],
            2,
            "--seconds: 1000000000000: must be above 0 and at most 86400",
        ),
        (&["-o", "a.wav", "--seconds", "nan"], 2, "--seconds: NaN"),
        (&["-o", "a.wav", "--rate", "1e9"], 2, "--rate: 1000000000"),
        (&["-o", "nowhere/a.wav"], 74, "nowhere does not exist; create it first"),
        (&["-o", "a.flac"], 2, "end its name in .wav"),
        (&["-o", "/proc/a.wav"], 74, "/proc/a.wav"),
        (&["-o", "/dev/full"], 74, "/dev/full: No space left on device"),
        (&["-o", "a.wav", "--plot", "nowhere/a.png"], 74, "nowhere"),
        (&["-o", "a.wav", "--skip", "5"], 2, "--skip"),
        (
            &["-o", "a.wav", "--set", "motion.kind=pass", "--set", "motion.speed_m_s=10", "--seconds", "1"],
            2,
            "--skip: 0.1: must be less than the 0.0380 s that the pass lasts",
        ),
        (&["-o", "a.wav", "--set", "contact.kappa_pa=1e15"], 2, "run.step_s"),
        (&[], 2, "give -o OUT.wav"),
    ] {
        let output = render(folder.path(), words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(told), "{words:?}: {}", said(&output));
        assert!(output.stdout.is_empty());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{words:?} left something behind");
    }
    // A day of four channels at 192 kHz is 265 GB; a machine that has the room may begin.
    let day = ["-o", "a.wav", "--seconds", "86400", "--rate", "192000", "--bits", "32f"];
    let four = ["--set", "pickup.4.pan=0", "--set", "pickup.3.pan=0", "--set", "pickup.2.pan=0"];
    if fs4::available_space(folder.path()).unwrap() < 265_000_000_000 {
        let output = render(folder.path(), &[&day[..], &four[..], &["--set", "pickup.1.pan=0"]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("needs 265.4 GB: the disk has room for"), "{}", said(&output));
    }
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn everything_wrong_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["-o", "a.flac", "--plot", "a.gif", "--ra", "-1", "--midi", "none.mid", "--full-scale", "0"];
    let output = render(folder.path(), &[&words[..], &["--seconds", "0"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    for place in [
        "surface.ra_um: -1",
        "none.mid: ",
        "--engine: ",
        "--seconds: 0",
        "--full-scale: 0",
        "a.flac: ",
        "a.gif: ",
    ] {
        assert!(said(&output).contains(place), "{place} is missing from\n{}", said(&output));
    }
}

#[test]
fn what_clips_is_said_by_render_and_again_by_analyze() {
    let folder = tempfile::tempdir().unwrap();
    for (bits, kept) in [("24", false), ("32f", true)] {
        let words = ["-o", "a.wav", "--seconds", "0.3", "--full-scale", "1e-5", "--bits", bits];
        let output = render(folder.path(), &words);
        assert!(said(&output).contains("samples lie beyond full scale, by "), "{}", said(&output));
        let analysis = run(folder.path(), &["analyze", "a.wav", "--json"]);
        assert_eq!(said(&analysis).contains("its levels are too low"), !kept, "{}", said(&analysis));
    }
    let quiet = render(folder.path(), &["-o", "a.wav", "--seconds", "0.3"]);
    assert!(!said(&quiet).contains("beyond full scale"), "{}", said(&quiet));
}

#[test]
fn a_pass_that_ends_before_its_skip_has_no_level_by_either_engine() {
    let folder = tempfile::tempdir().unwrap();
    for engine in ["realtime", "reference"] {
        let output = run(folder.path(), &["render", "dang2013", "--v", "10", "--engine", engine, "--json"]);
        assert_eq!(output.status.code(), Some(2), "{engine}: {}", said(&output));
        assert!(said(&output).contains("--skip: 0.1: must be less than the 0.0380 s"), "{}", said(&output));
    }
}

/// `render -o a.wav --json > a.json` is what people type.
#[test]
fn a_report_may_go_to_a_file_of_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    let report = fs::File::create(folder.path().join("a.json")).unwrap();
    let mut command = asperity(folder.path());
    command.args(["render", "dang2013", "--quality", "draft"]).args(TINY);
    command.args(["-o", "a.wav", "--seconds", "0.3", "--json"]).stdout(report);
    assert!(command.status().unwrap().success());
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap()
    };
    assert!(read("a.json")["lv_db"].is_number(), "the report is not where it was sent");
    assert_eq!(read("a.wav.json")["frames"], 14_400);
}

#[test]
fn a_reader_that_leaves_is_no_failure_and_the_file_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = asperity(folder.path());
    command.args(["render", "dang2013", "--engine", "reference"]).args(TINY).args([
        "-o",
        "a.wav",
        "--seconds",
        "0.3",
        "--json",
    ]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(frames(&folder.path().join("a.wav")), 14_400);
    assert!(!folder.path().join("a.wav.part").exists());
}

#[test]
fn every_format_rate_and_mix_holds_the_same_sound() {
    let folder = tempfile::tempdir().unwrap();
    let mut levels = Vec::new();
    for (bits, rate) in [("16", "44100"), ("24", "48000"), ("32f", "96000"), ("24", "192000")] {
        let words = ["-o", "a.wav", "--seconds", "0.5", "--bits", bits, "--rate", rate, "--json"];
        let report = json(&render(folder.path(), &words));
        assert_eq!(frames(&folder.path().join("a.wav")), rate.parse::<u32>().unwrap() / 2);
        levels.push(report["lv_db"].as_f64().unwrap());
    }
    // The inner step differs a little with the rate, and contact is chaotic.
    assert!(levels.iter().all(|level| (level - levels[0]).abs() < 3.0), "{levels:?}");

    let panned = ["--set", "pickup.1.pan=-1", "--set", "pickup.2.position_m=0.3", "--set", "pickup.2.pan=1"];
    let order = ["--seconds", "0.3", "--bits", "32f"];
    for (name, mix) in [("each.wav", "pickups"), ("mix.wav", "stereo")] {
        let words = [&["-o", name, "--mix", mix], &panned[..], &order[..]].concat();
        assert_eq!(render(folder.path(), &words).status.code(), Some(0));
    }
    let samples = |name: &str| -> Vec<f32> {
        let mut reader = hound::WavReader::open(folder.path().join(name)).unwrap();
        assert_eq!(reader.spec().channels, 2);
        reader.samples::<f32>().map(|sample| sample.unwrap()).collect()
    };
    // Hard left and hard right are the pick-ups themselves.
    for (mixed, own) in samples("mix.wav").iter().zip(samples("each.wav")) {
        assert!((mixed - own).abs() < 1e-6);
    }
    let text = fs::read_to_string(folder.path().join("mix.wav.json")).unwrap();
    assert!(text.contains("constant power"), "{text}");
}
