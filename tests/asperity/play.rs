//! `asperity play` without a window, against real sound servers: what is recorded is what `render` makes, the
//! callback is in time, and a server may die and come back. Servers need room and quiet, so these are run by
//! `cargo test --profile checked --test asperity play -- --ignored` and `cargo xtask test --full`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::servers::{Server, alone, jack, pulse};
use super::tiny::{asperity, json, run, said};

const DRONE: [&str; 5] = ["play", "--preset", "steel-on-steel", "--drone", "--headless"];

fn play(server: &Server, words: &[&str]) -> Command {
    let mut command = asperity(server.folder());
    server.lead(command.args(DRONE).args(words));
    command
}

fn floats(path: &Path) -> Vec<f32> {
    hound::WavReader::open(path).unwrap().into_samples::<f32>().map(Result::unwrap).collect()
}

/// The first seconds of the preset as the terminal renders them, both channels interleaved.
fn rendered(folder: &Path, seconds: &str) -> Vec<f32> {
    let words =
        ["render", "steel-on-steel", "--mix", "stereo", "--bits", "32f", "-o", "render.wav", "--seconds"];
    let output = run(folder, &[&words[..], &[seconds]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    floats(&folder.join("render.wav"))
}

/// The first sample at which two sounds differ.
fn first_difference(one: &[f32], other: &[f32]) -> Option<usize> {
    one.iter().zip(other).position(|(one, other)| one.to_bits() != other.to_bits())
}

/// Plays at blocks of 128 and compares what was recorded with the render.
fn plays_in_time(server: &Server, seconds: &str) -> Value {
    let words = ["--buffer", "128", "--record", "played.wav", "--json", "--seconds", seconds];
    let output = play(server, &words).output().unwrap();
    let figures = json(&output);
    println!("{figures}");
    let expected = rendered(server.folder(), "2");
    let played = floats(&server.folder().join("played.wav"));
    assert!(expected.iter().any(|sample| *sample != 0.0));
    assert_eq!(first_difference(&played, &expected), None);
    // Every block is in the file but for the engine's delay at its start, and the last ones may come after the count.
    let blocks = figures["blocks"].as_f64().unwrap();
    let missing = 128.0 * blocks - played.len() as f64 / 2.0;
    assert!((-4800.0..1000.0).contains(&missing), "{missing} frames are not in the file");
    figures
}

#[test]
#[ignore = "starts a real sound server"]
fn twenty_seconds_on_jack_are_the_render_to_the_bit() {
    let Some(server) = jack() else { return };
    let figures = plays_in_time(&server, "20");
    // A busy machine makes the server skip blocks; half of them is enough to judge.
    assert!(figures["blocks"].as_u64().unwrap() > 10 * 375, "{figures}");
    // How long a block took says something on a quiet machine only: the ten minutes below ask for that.
    assert!(figures["worst_cpu_share"].is_f64() && figures["blocks_above_half"].is_u64(), "{figures}");
    assert!(figures["overruns"].is_u64() && figures["server_gaps"].is_u64(), "{figures}");
}

/// `cargo test --profile checked --test asperity -- --ignored ten_minutes --nocapture`
#[test]
#[ignore = "ten minutes on a quiet machine"]
fn ten_minutes_on_jack_at_128_samples() {
    let Some(server) = jack() else { return };
    let figures = plays_in_time(&server, "600");
    assert!(figures["worst_cpu_share"].as_f64().unwrap() < 0.5, "{figures}");
    assert_eq!(figures["blocks_above_half"], 0, "{figures}");
}

/// What a null sink hears, to the bit, wherever in the stream it begins. The buffer is a long one: at 512 samples a
/// busy machine lets the server run dry ("Implicit underrun" in its log), and it plays some milliseconds of silence
/// that are in no recording of ours.
#[test]
#[ignore = "starts a real sound server"]
fn pulseaudio_hears_what_render_makes() {
    let Some(server) = pulse() else { return };
    let mut monitor = Command::new("parec");
    let device = format!("--device={}.monitor", server.name());
    server.lead(monitor.args([&device, "--format=float32le", "--rate=48000", "--channels=2", "--raw"]));
    let Ok(mut monitor) = monitor.arg(server.folder().join("heard.raw")).spawn() else {
        println!("skipped: parec is not installed");
        return;
    };
    std::thread::sleep(Duration::from_millis(500));
    let words = ["--buffer", "4096", "--record", "played.wav", "--seconds", "4"];
    let output = play(&server, &words).output().unwrap();
    let ended = monitor.kill().and_then(|()| monitor.wait());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("at 48000 Hz") && ended.is_ok(), "{}", said(&output));
    let expected = rendered(server.folder(), "1");
    assert_eq!(first_difference(&floats(&server.folder().join("played.wav")), &expected), None);
    let heard: Vec<f32> = fs::read(server.folder().join("heard.raw"))
        .unwrap()
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect();
    // The sink hears the engine's delay, too; the file has it taken off.
    let first = expected.iter().position(|sample| *sample != 0.0).unwrap();
    let needle = &expected[first..first + 32];
    let at = heard.windows(needle.len()).position(|window| window == needle);
    let at = at.expect("the render is not in what the sink heard");
    let length = expected.len() - first;
    assert_eq!(first_difference(&heard[at..at + length], &expected[first..]), None);
}

/// Lines that a program says, as they come.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, lines) = channel();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

fn wait_for(lines: &Receiver<String>, words: &str) -> String {
    let begin = Instant::now();
    let mut all = Vec::new();
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(15).saturating_sub(begin.elapsed())) {
        if line.contains(words) {
            return line;
        }
        all.push(line);
    }
    panic!("`{words}` was never said:\n{}", all.join("\n"));
}

fn survives(mut server: Server) {
    let mut command = play(&server, &["--record", "played.wav"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let lines = lines(&mut child);
    wait_for(&lines, "at 48000 Hz");
    wait_for(&lines, "overruns");
    server.kill();
    wait_for(&lines, "silence until it returns");
    // Meanwhile the silent clock plays on.
    wait_for(&lines, "1 sounding");
    server.restart();
    wait_for(&lines, "at 48000 Hz");
    wait_for(&lines, "1 sounding");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let played = floats(&server.folder().join("played.wav"));
    let expected = rendered(server.folder(), "0.5");
    assert_eq!(first_difference(&played, &expected), None);
    // The sound went on through it all: no tenth of a second is silent.
    let silent = played.chunks(9600).filter(|part| part.iter().all(|sample| *sample == 0.0)).count();
    assert_eq!(silent, 0);
    assert!(played.len() > 2 * expected.len(), "{} samples", played.len());
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

#[test]
#[ignore = "starts a real sound server"]
fn jack_may_die_and_come_back() {
    if let Some(server) = jack() {
        survives(server);
    }
}

#[test]
#[ignore = "starts a real sound server"]
fn pulseaudio_may_die_and_come_back() {
    if let Some(server) = pulse() {
        survives(server);
    }
}

#[test]
#[ignore = "starts a real sound server"]
fn a_device_that_refuses_is_said_and_still_plays() {
    let Some(server) = jack() else { return };
    let words = ["--rate", "44100", "--buffer", "96", "--seconds", "1"];
    let output = play(&server, &words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    for words in ["at 48000 Hz", "refused: a rate of 44100 Hz", "refused: a buffer of 96 samples"] {
        assert!(said(&output).contains(words), "{}", said(&output));
    }
    let listed = run_with(&server, &["--list-devices"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("audio  jack:output"), "{}", said(&listed));
}

fn run_with(server: &Server, words: &[&str]) -> std::process::Output {
    let mut command = asperity(server.folder());
    server.lead(command.args(words));
    command.output().unwrap()
}

#[test]
fn without_a_device_it_says_so_and_plays_on_silently() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = asperity(folder.path());
    alone(command.args(DRONE).args(["--record", "played.wav", "--seconds", "2"]), folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("no sound device"), "{}", said(&output));
    let expected = rendered(folder.path(), "0.5");
    assert_eq!(first_difference(&floats(&folder.path().join("played.wav")), &expected), None);
}

#[test]
fn wrong_words_are_refused_before_any_sound() {
    let folder = tempfile::tempdir().unwrap();
    for (words, complaint) in [
        (&["--preset", "steel-on-stel"][..], "the nearest is steel-on-steel"),
        (&["--rate", "5"], "--rate"),
        (&["--buffer", "0"], "--buffer"),
        (&["--ra", "-3"], "surface.ra_um"),
        (&["--record", "sound.mp3"], "end its name in .wav"),
        (&["--seconds", "3"], "--headless"),
    ] {
        let mut command = asperity(folder.path());
        alone(command.arg("play").args(words), folder.path());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(complaint), "{words:?}: {}", said(&output));
    }
}
