//! `asperity sweep` ended from outside: killed at any instant nothing finished is lost.

use std::fs;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};

use super::sweep::{GRID, QUICK, command, good, sweep, table, told};
use super::tiny::signal;

#[test]
fn a_hundred_kills_lose_nothing() {
    kill(100);
}

/// Run with `cargo test --profile checked --test asperity -- --ignored --nocapture two_hundred_kills`.
#[test]
#[ignore = "twice as many as the usual run has"]
fn two_hundred_kills_lose_nothing() {
    kill(200);
}

/// At so many random instants, always resumed.
fn kill(instants: usize) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [&["-o", "killed"], &QUICK[..], &GRID[..], &["--resume"]].concat();
    let clock = Instant::now();
    good(sweep(at, "whole", &GRID));
    let whole_s = clock.elapsed().as_secs_f64();
    let reference = table(at, "whole");
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(20_131_116 + instants as u64);
    let mut finished = 0;
    let (mut kills, mut torn, mut longest) = (0, 0, 0);
    while kills < instants {
        let journal = at.join("killed").join("journal.txt");
        let mut child = command(at, &words).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(rng.random_range(0.0..0.3 * whole_s)));
        let late = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        kills += usize::from(!late);
        torn += usize::from(told(&output).contains("torn"));
        // What was finished before is still there, line for line.
        let lines = fs::read_to_string(&journal).map_or(0, |text| text.lines().count().saturating_sub(1));
        assert!(lines + 1 >= finished, "{lines} lines after {finished}");
        longest = longest.max(lines);
        finished = lines;
        if late {
            assert_eq!(table(at, "killed"), reference, "resumed after {kills} kills");
            fs::remove_dir_all(at.join("killed")).unwrap();
            finished = 0;
        } else if at.join("killed").join("results.csv").exists() {
            assert_eq!(table(at, "killed"), reference);
        }
    }
    good(command(at, &words).output().unwrap());
    assert_eq!(table(at, "killed"), reference);
    eprintln!("{instants} kills, up to {longest} points kept, {torn} torn lines dropped");
}

#[test]
fn torn_and_spoilt_lines_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    good(sweep(at, "a", &GRID));
    let reference = table(at, "a");
    let journal = at.join("a").join("journal.txt");
    let whole = fs::read(&journal).unwrap();
    let mut spoilt = whole.clone();
    let middle = whole.len() - 900;
    spoilt[middle] ^= 1;
    for damaged in [&whole[..whole.len() - 1], &whole[..whole.len() - 40], &spoilt[..]] {
        fs::write(&journal, damaged).unwrap();
        fs::remove_file(at.join("a").join("results.csv")).unwrap();
        let again = good(sweep(at, "a", &[&GRID[..], &["--resume"]].concat()));
        assert!(told(&again).contains("torn"), "{}", told(&again));
        assert_eq!(table(at, "a"), reference);
    }
    fs::write(&journal, &whole[5..]).unwrap();
    let refused = sweep(at, "a", &[&GRID[..], &["--resume"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(told(&refused).contains("first line fails"), "{}", told(&refused));
}

#[test]
fn ctrl_c_keeps_what_is_done_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // A thousand points, so that the signal always comes first; trying many more before the start takes long on a
    // busy machine.
    let words = [&["-o", "a"], &QUICK[..], &["--v", "0.1:0.4:400log", "--threads", "1"]].concat();
    let child = command(at, &words).spawn().unwrap();
    let journal = at.join("a").join("journal.txt");
    let clock = Instant::now();
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 3 {
        assert!(clock.elapsed() < Duration::from_secs(60), "no point was finished");
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", told(&output));
    assert!(told(&output).contains("repeat the command with --resume"), "{}", told(&output));
    assert!(fs::read_to_string(&journal).unwrap().lines().count() >= 3);
    assert!(!at.join("a").join("results.csv").exists());
}
