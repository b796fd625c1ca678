//! The app in real windows, on an X display, played by pointer and keys as a person would. Without a display
//! there is nothing to open, so these are not among the quick tests:
//!
//! `MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 xvfb-run -a -s "-screen 0 2000x1200x24 -noreset" cargo test
//! --profile checked --test asperity -- --ignored window`

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use asperity::io::wav::{Sound, read_wav};
use midir::os::unix::VirtualOutput;

use super::desk::Desk;
use super::servers::{alone, jack};
use super::shared::{PICTURES, WHEEL_UP};
use super::tiny::asperity;

/// Where things lie in a window of the usual size.
const RECORD: (f64, f64) = (36.0, 14.0);
const OPEN: (f64, f64) = (113.0, 14.0);
const PAD: (f64, f64) = (399.0, 14.0);
const NEXT_PRESET: (f64, f64) = (781.0, 48.0);
const ROUGHNESS: (f64, f64) = (63.0, 153.0);

fn play(folder: &Path, words: &[&str]) -> Command {
    let mut command = asperity(folder);
    alone(command.arg("play").args(words), folder);
    // No desktop to ask for dialogs, either.
    command.env_remove("DBUS_SESSION_BUS_ADDRESS");
    command
}

/// `cargo xtask screenshots` runs this.
#[test]
#[ignore = "needs an X display and ImageMagick"]
fn window_screenshots() {
    let folder = tempfile::tempdir().unwrap();
    let server = jack();
    for (width, height, scale, preset) in PICTURES {
        let mut command = play(folder.path(), &["--preset", preset, "--drone"]);
        if let Some(server) = &server {
            server.lead(&mut command);
        }
        let desk = Desk::open(&mut command, scale);
        desk.resize(f64::from(width), f64::from(height));
        // What is said at the start has been read by then.
        desk.hand.rest(80);
        desk.hand.picture(&format!("app-{width}x{height}@{scale}"));
        assert!(desk.close().success());
    }
}

/// Recordings of what is done in a window, one after the other.
struct Tape<'a> {
    desk: &'a Desk,
    folder: &'a Path,
    count: u32,
}

impl Tape<'_> {
    fn of(&mut self, deed: impl FnOnce(&Desk)) -> Sound {
        self.desk.hand.click(RECORD, 1);
        deed(self.desk);
        self.desk.hand.click(RECORD, 1);
        self.count += 1;
        let path = self.folder.join(format!("asperity {}.wav", self.count));
        let begin = Instant::now();
        while !path.exists() {
            assert!(begin.elapsed() < Duration::from_secs(10), "{} is not there", path.display());
            std::thread::sleep(Duration::from_millis(50));
        }
        read_wav(&path).unwrap()
    }
}

fn rms(sound: &Sound) -> f64 {
    let squares: f64 = sound.channels[0].iter().map(|sample| sample * sample).sum();
    (squares / sound.channels[0].len().max(1) as f64).sqrt()
}

fn scene_of(sound: &Sound) -> &str {
    &sound.head.metadata.as_ref().unwrap().scene_toml
}

/// A preset that is shipped, as a file of its own.
fn preset_file(folder: &Path, name: &str) -> PathBuf {
    let shipped = asperity::scene::presets().iter().find(|preset| preset.name == name).unwrap();
    let path = folder.join(format!("{name}.toml"));
    fs::write(&path, shipped.text).unwrap();
    path
}

#[test]
#[ignore = "needs an X display"]
fn window_is_heard_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&mut play(folder.path(), &[]), 1.0);
    let mut tape = Tape { desk: &desk, folder: folder.path(), count: 0 };
    let silence = tape.of(|desk| desk.hand.rest(3));
    assert_eq!(rms(&silence), 0.0, "nobody plays");
    let letter = tape.of(|desk| desk.hand.key('a'.into()));
    assert!(rms(&letter) > 0.0, "a letter is a note");
    desk.hand.click(NEXT_PRESET, 1);
    desk.hand.rest(10);
    let ringing = tape.of(|desk| desk.hand.rest(3));
    assert_ne!(scene_of(&ringing), scene_of(&silence), "another preset");
    let keys = tape.of(|desk| desk.drag(&[(60.0, 780.0), (400.0, 780.0)]));
    assert!(rms(&keys) > 10.0 * rms(&ringing), "the mouse plays keys: {} {}", rms(&keys), rms(&ringing));
    desk.hand.click(PAD, 1);
    desk.hand.rest(10);
    let ringing = tape.of(|desk| desk.hand.rest(3));
    let rubbed = tape.of(|desk| desk.drag(&[(100.0, 770.0), (900.0, 750.0), (200.0, 770.0)]));
    assert!(rms(&rubbed) > 10.0 * rms(&ringing), "the pad rubs: {} {}", rms(&rubbed), rms(&ringing));
    assert!(desk.close().success());
}

/// Set for a process that is to be a MIDI keyboard.
const KEYBOARD: &str = "ASPERITY_TEST_KEYBOARD";

/// A MIDI keyboard in a process of its own, for the test below: each line it reads is a message to send.
#[test]
#[ignore = "a helper of window_learns_a_controller_that_really_moves"]
fn keyboard_that_sends_what_it_reads() {
    // Run with all the others it has nobody to read from.
    if std::env::var_os(KEYBOARD).is_none() {
        return;
    }
    let Ok(output) = midir::MidiOutput::new("asperity test") else { return };
    let Ok(mut port) = output.create_virtual("knobs") else { return };
    println!("keyboard ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let bytes: Vec<u8> = line.split_whitespace().filter_map(|byte| byte.parse().ok()).collect();
        port.send(&bytes).unwrap();
    }
}

/// On a system without ALSA's sequencer a build with `--features jack-midi` finds the server's MIDI.
#[test]
#[ignore = "needs an X display and MIDI"]
fn window_learns_a_controller_that_really_moves() {
    let folder = tempfile::tempdir().unwrap();
    let Some(server) = jack() else { return };
    let mut keyboard = Command::new(std::env::current_exe().unwrap());
    keyboard.args(["--exact", "window::keyboard_that_sends_what_it_reads", "--ignored", "--nocapture"]);
    server.lead(keyboard.env(KEYBOARD, "1"));
    let mut keyboard = keyboard.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(keyboard.stdout.take().unwrap()).lines().map_while(Result::ok);
    if !said.any(|line| line.contains("keyboard ready")) {
        println!("skipped: this system has no MIDI");
        assert!(keyboard.wait().unwrap().success());
        return;
    }
    let mut knobs = keyboard.stdin.take().unwrap();
    let mut command = play(folder.path(), &[]);
    server.lead(&mut command);
    command.env("XDG_CONFIG_HOME", folder.path()).env("HOME", folder.path());
    let desk = Desk::open(&mut command, 1.0);
    // Inputs are looked for every two seconds.
    desk.hand.rest(15);
    let mut tape = Tape { desk: &desk, folder: folder.path(), count: 0 };
    desk.hand.click(ROUGHNESS, 3);
    desk.hand.click((ROUGHNESS.0 + 60.0, ROUGHNESS.1 + 16.0), 1);
    for (message, ra_um) in [("176 21 127", "1000.0"), ("176 21 0", "0.01")] {
        writeln!(knobs, "{message}").unwrap();
        desk.hand.rest(5);
        let turned = tape.of(|desk| desk.hand.rest(1));
        assert!(scene_of(&turned).contains(&format!("ra_um = {ra_um}")), "{message}: {}", scene_of(&turned));
    }
    // A key of it plays, too.
    let played = tape.of(|desk| {
        writeln!(knobs, "144 60 100").unwrap();
        desk.hand.rest(5);
    });
    assert!(rms(&played) > 0.0, "a key sounds");
    assert!(desk.close().success());
    let kept = fs::read_to_string(folder.path().join("asperity/app.toml")).unwrap();
    assert!(kept.contains("\"1:21\" = \"ra\""), "{kept}");
    drop(knobs);
    assert!(keyboard.wait().unwrap().success());
}

#[test]
#[ignore = "needs an X display"]
fn window_takes_files_by_drop_and_by_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let glass = preset_file(folder.path(), "glass-harp");
    // The dialog of a desktop that has no portal, answered at once.
    let zenity = folder.path().join("zenity");
    fs::write(&zenity, format!("#!/bin/sh\necho {}\n", glass.display())).unwrap();
    fs::set_permissions(&zenity, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let desk = Desk::open(play(folder.path(), &[]).env("PATH", path), 1.0);
    let mut tape = Tape { desk: &desk, folder: folder.path(), count: 0 };
    desk.drop_file(&preset_file(folder.path(), "washboard"));
    let washboard = tape.of(|desk| desk.hand.rest(1));
    assert!(scene_of(&washboard).contains("Washboard"), "{}", scene_of(&washboard));
    desk.hand.click(OPEN, 1);
    desk.hand.rest(4);
    let chosen = tape.of(|desk| desk.hand.rest(1));
    assert!(scene_of(&chosen).contains("Glass harp"), "{}", scene_of(&chosen));
    let profile = folder.path().join("measured.csv");
    let rows: String = (0..50_000)
        .map(|n| format!("{:e},{:e}\n", f64::from(n) * 1e-5, 2e-6 * (0.01 * f64::from(n)).sin()))
        .collect();
    fs::write(&profile, format!("x_m,height_m\n{rows}")).unwrap();
    desk.drop_file(&profile);
    let measured = tape.of(|desk| desk.hand.rest(1));
    assert!(scene_of(&measured).contains("measured.csv"), "{}", scene_of(&measured));
    assert!(desk.close().success());
}

#[test]
#[ignore = "needs an X display"]
fn window_opens_and_closes_fifty_times_while_sound_runs() {
    let folder = tempfile::tempdir().unwrap();
    let server = jack();
    for turn in 0..50 {
        let mut command = play(folder.path(), &["--drone"]);
        if let Some(server) = &server {
            server.lead(&mut command);
        }
        let desk = Desk::open(&mut command, [1.0, 1.5, 2.0][turn % 3]);
        desk.hand.click(ROUGHNESS, WHEEL_UP);
        desk.hand.click(NEXT_PRESET, 1);
        desk.resize(640.0 + 5.0 * turn as f64, 400.0 + 4.0 * turn as f64);
        assert!(desk.close().success(), "round {turn}");
    }
}

#[test]
#[ignore = "needs an X display"]
fn window_that_is_covered_is_not_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&mut play(folder.path(), &["--drone"]), 1.0);
    let drawing = |moments: u32| {
        let before = desk.drawing();
        desk.hand.rest(moments);
        desk.drawing() - before
    };
    let seen = drawing(15);
    let over = desk.hand.cover();
    let covered = drawing(15);
    desk.hand.uncover(over);
    let again = drawing(15);
    println!(
        "CPU time of the window's thread in 3 s: {seen:?} seen, {covered:?} covered, {again:?} seen again"
    );
    assert!(covered < seen / 10 && again > seen / 3);
    assert!(desk.close().success());
}

#[test]
#[ignore = "needs an X display"]
fn window_stays_as_large_in_memory_while_everything_changes() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&mut play(folder.path(), &["--drone"]), 1.0);
    let mut memory = Vec::new();
    for turn in 0..150 {
        desk.hand.click(ROUGHNESS, WHEEL_UP);
        desk.hand.click(NEXT_PRESET, 1);
        // Only higher and lower: the bar stays where the next click expects it.
        desk.resize(1080.0, 700.0 + f64::from(turn % 10));
        desk.resize(1080.0, 792.0);
        memory.push(desk.memory_kb());
    }
    let mut tape = Tape { desk: &desk, folder: folder.path(), count: 0 };
    let first = tape.of(|desk| desk.hand.rest(1));
    desk.hand.click(NEXT_PRESET, 1);
    let second = tape.of(|desk| desk.hand.rest(1));
    assert_ne!(scene_of(&first), scene_of(&second), "presets change to the end");
    assert!(desk.close().success());
    println!("resident memory after each round, kB: {memory:?}");
    // All presets have been open once after forty rounds, and each is as large as it is: whole turns through the
    // list are compared. Undo keeps a few kilobytes of each step.
    let mean = |rounds: &[u64]| rounds.iter().sum::<u64>() / rounds.len() as u64;
    assert!(mean(&memory[110..]) < mean(&memory[40..80]) + 16_384, "{memory:?}");
}
