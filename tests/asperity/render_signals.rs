//! `asperity render` ended from outside, by Ctrl-C, by a scheduler, by `kill -9`: at whatever instant, the final
//! name is a whole file or nothing, and the `.part` is a valid, calibrated beginning of it.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};

use super::tiny::{TINY, asperity, frames, json, run, said, signal};

/// Starts a render of so many seconds.
fn start(folder: &Path, seconds: &str) -> Child {
    let mut command = asperity(folder);
    command.args(["render", "dang2013", "--quality", "draft"]).args(TINY);
    command.args(["-o", "a.wav", "--bits", "16", "--seconds", seconds]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Minutes of work.
fn long_render(folder: &Path) -> Child {
    start(folder, "30000")
}

fn wait_for_part(folder: &Path) {
    let (part, patience) = (folder.join("a.wav.part"), Instant::now());
    while !fs::metadata(&part).is_ok_and(|data| data.len() > 500) {
        assert!(patience.elapsed() < Duration::from_secs(60), "no part after a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_first_signal_completes_the_part_and_a_second_ends_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        for delay_ms in [0, 40, 250, 700] {
            let child = long_render(folder.path());
            wait_for_part(folder.path());
            std::thread::sleep(Duration::from_millis(delay_ms));
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{}", said(&output));
            assert!(said(&output).contains("a.wav.part holds what was rendered"), "{}", said(&output));
            assert!(output.stdout.is_empty() && !folder.path().join("a.wav").exists());
            let part = folder.path().join("a.wav.part");
            // Completed: the data chunk ends where the file does.
            let bytes = fs::metadata(&part).unwrap().len();
            let head = fs::read(&part).unwrap();
            assert_eq!(u64::from(u32::from_le_bytes(head[4..8].try_into().unwrap())) + 8, bytes);
            frames(&part);
            fs::remove_file(&part).unwrap();
        }
    }
    let child = long_render(folder.path());
    wait_for_part(folder.path());
    signal(&child, "INT");
    signal(&child, "INT");
    let ended = Instant::now();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(ended.elapsed() < Duration::from_secs(5));
    frames(&folder.path().join("a.wav.part"));
}

/// Seconds of sound that take a fraction of a second.
const SHORT: &str = "6";

#[test]
fn ten_instants_of_each_signal_leave_valid_parts() {
    end_at_random_instants(10);
}

/// Run with `cargo test --profile checked --test asperity -- --ignored two_hundred_instants`.
#[test]
#[ignore = "six hundred renders take minutes"]
fn two_hundred_instants_of_each_signal_leave_valid_parts() {
    end_at_random_instants(200);
}

/// Each of three signals at so many instants from the start of the program to its end; those that come after the
/// end do not count.
fn end_at_random_instants(instants: usize) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Instant::now();
    assert!(start(folder.path(), SHORT).wait_with_output().unwrap().status.success());
    let whole_s = clock.elapsed().as_secs_f64();
    let whole = fs::read(folder.path().join("a.wav")).unwrap();
    let sound = samples(&folder.path().join("a.wav"));
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(instants as u64);
    for (name, number) in [("INT", 2), ("TERM", 15), ("KILL", 9)] {
        let (mut early, mut parts, mut ended) = (0, 0, 0);
        let mut window_s = whole_s;
        while early + parts < instants {
            assert!(ended < 50 + 10 * instants, "{name}: {ended} came after the end");
            clear(folder.path());
            let child = start(folder.path(), SHORT);
            std::thread::sleep(Duration::from_secs_f64(random.random_range(0.0..window_s)));
            // A child that has ended is not waited for yet, so its number is still its own.
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            let path = folder.path().join("a.wav");
            if path.exists() {
                assert!(fs::read(&path).unwrap() == whole, "{name}: a file under its name is whole");
            }
            let part = folder.path().join("a.wav.part");
            match (output.status.code(), output.status.signal()) {
                (Some(0), _) => {
                    assert!(path.exists() && !part.exists(), "{}", said(&output));
                    // A machine with other work is now slow, now fast.
                    window_s *= 0.95;
                    ended += 1;
                }
                (Some(code), _) => {
                    assert_eq!(code, 128 + number, "{name}: {}", said(&output));
                    assert!(number != 9 && said(&output).contains("holds what was rendered"));
                    // Completed: the head speaks of every byte.
                    assert_eq!(behind(&part), 0);
                    check_part(&part, &sound);
                    parts += 1;
                }
                (None, by) => {
                    assert_eq!(by, Some(number), "{}", said(&output));
                    // Before it listens, a signal ends the program with nothing done.
                    assert!(number == 9 || !part.exists(), "{name}: {}", said(&output));
                    // A name without a byte was made an instant before.
                    if fs::metadata(&part).is_ok_and(|data| data.len() > 0) {
                        assert!(behind(&part) < 48_000, "{} frames behind", behind(&part));
                        check_part(&part, &sound);
                        parts += 1;
                    } else {
                        early += 1;
                    }
                }
            }
        }
        eprintln!("{name} at {instants} instants: {early} before a file, {parts} parts, {ended} whole files");
        assert!(2 * parts >= instants, "{name}: only {parts} of {instants} found a file");
    }
}

/// What a run left behind, between two runs.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

fn samples(path: &Path) -> Vec<i16> {
    hound::WavReader::open(path).unwrap().into_samples().map(|sample| sample.unwrap()).collect()
}

/// Frames of two bytes that the file holds beyond those its head speaks of.
fn behind(part: &Path) -> u64 {
    let bytes = fs::read(part).unwrap();
    let told = u64::from(u32::from_le_bytes(bytes[4..8].try_into().unwrap())) + 8;
    (bytes.len() as u64 - told) / 2
}

/// A calibrated beginning of the whole sound.
fn check_part(part: &Path, sound: &[i16]) {
    let found = samples(part);
    assert_eq!(found.len(), frames(part) as usize);
    assert!(found.len() <= sound.len() && found == sound[..found.len()], "not a beginning of the whole");
    let report = json(&run(part.parent().unwrap(), &["analyze", "a.wav.part", "--json"]));
    assert_eq!(report["calibration"], "metadata");
}
