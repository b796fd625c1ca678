//! `render --midi`: the instrument from the terminal.

use crate::scenes::{asperity, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// One track: two notes at 120 beats a minute, half a second each, the second after a change to 60.
fn song(folder: &Path) {
    let track = [
        &[0, 0x90, 60, 100, 96, 0x80, 60, 0][..],
        &[0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40],
        &[0, 0x93, 67, 80, 48, 0x83, 67, 0],
        &[0, 0xFF, 0x2F, 0],
    ]
    .concat();
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk".to_vec();
    bytes.extend((track.len() as u32).to_be_bytes());
    bytes.extend(track);
    fs::write(folder.join("song.mid"), bytes).unwrap();
    fs::write(folder.join("cut.mid"), b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x20\0\x90").unwrap();
}

#[test]
fn a_midi_file_is_played_to_the_end_of_its_ring() {
    let folder = tempfile::tempdir().unwrap();
    song(folder.path());
    let args = ["render", "kalimba-tines", "--midi", "song.mid", "-o", "a.wav", "--bits", "32f", "--json"];
    let run = asperity(folder.path(), &args);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let told = json(&run.stdout);
    assert_eq!(told["notes"], 2);
    let seconds = told["seconds"].as_f64().unwrap();
    assert!((1.0..20.0).contains(&seconds), "{seconds}");
    assert!(told["lv_db"].as_f64().unwrap() > 60.0 && told["clipped_samples"] == 0, "{told}");
    let mut wav = hound::WavReader::open(folder.path().join("a.wav")).unwrap();
    assert_eq!(wav.spec().channels, 2);
    let left: Vec<f32> = wav.samples::<f32>().step_by(2).map(Result::unwrap).collect();
    let power = |from: f64, to: f64| {
        let part = &left[(from * 48e3) as usize..(to * 48e3) as usize];
        part.iter().map(|x| x * x).sum::<f32>() / part.len() as f32
    };
    assert!(power(0.1, 0.5) > 1e-8 && power(0.6, 1.0) > 1e-8);
    // The same bytes again, and another length when asked for.
    let again = asperity(
        folder.path(),
        &["render", "kalimba-tines", "--midi", "song.mid", "-o", "b.wav", "--bits", "32f"],
    );
    assert!(again.status.success());
    assert!(fs::read(folder.path().join("a.wav")).unwrap() == fs::read(folder.path().join("b.wav")).unwrap());
    let short = asperity(
        folder.path(),
        &["render", "kalimba-tines", "--midi", "song.mid", "--seconds", "0.25", "--json"],
    );
    assert_eq!(json(&short.stdout)["seconds"], 0.25);
}

#[test]
fn bad_midi_is_told_with_its_place_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    song(folder.path());
    for name in ["cut.mid", "none.mid"] {
        let run = asperity(folder.path(), &["render", "--midi", name, "-o", "a.wav"]);
        assert_eq!(run.status.code(), Some(2));
        assert!(text(&run.stderr).contains(name), "{}", text(&run.stderr));
    }
    let run =
        asperity(folder.path(), &["render", "--midi", "song.mid", "--engine", "reference", "-o", "a.wav"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(!folder.path().join("a.wav").exists());
}

#[test]
fn keys_of_play_are_known_to_every_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.toml"), "[play]\nmode = \"mono\"\n").unwrap();
    fs::write(folder.path().join("bad.toml"), "[surface]\nra_um = -1\n[play]\nmodee = 3\nvoices = 99\n")
        .unwrap();
    assert!(asperity(folder.path(), &["presets", "check", "good.toml"]).status.success());
    let bad = asperity(folder.path(), &["presets", "check", "bad.toml"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("surface.ra_um"));
    let set = asperity(folder.path(), &["render", "--set", "play.voices=99", "--json"]);
    assert_eq!(set.status.code(), Some(2));
    assert!(text(&set.stderr).contains("play.voices: 99: must be a whole number from 1 to 16"));
    let keys = text(&asperity(folder.path(), &["presets", "keys"]).stdout);
    assert!(keys.contains("play.attack_s") && keys.contains("play.stroke"));
}

#[test]
fn a_microphone_hears_a_midi_file_at_its_own_level() {
    let folder = tempfile::tempdir().unwrap();
    song(folder.path());
    let args = ["render", "dang2013", "--set", "pickup.1.quantity=pressure", "--midi", "song.mid"];
    let run = asperity(folder.path(), &[&args[..], &["--seconds", "1", "-o", "a.wav", "--json"]].concat());
    assert!(run.status.success(), "{}", text(&run.stderr));
    let told = json(&run.stdout);
    assert!(told["lv_db"].is_null() && told["full_scale_m_s"].is_null(), "{told}");
    let heard_db = told["lp_db"].as_f64().unwrap();
    let file = json(&asperity(folder.path(), &["analyze", "a.wav", "--skip", "0.1", "--json"]).stdout);
    assert!((file["lp_db"].as_f64().unwrap() - heard_db).abs() < 0.01, "{heard_db} dB");
    // A metre from a rubbed beam it is as loud as talk; a file read in the wrong unit would be 46 dB off.
    assert!((30.0..70.0).contains(&heard_db), "{heard_db} dB");
}
