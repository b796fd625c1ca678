//! `asperity analyze`: known sounds measured, other programs' files, hostile ones.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::tiny::{TINY, asperity, json, run, said};

fn write(path: &Path, rate: u32, channels: &[&dyn Fn(f64) -> f64], seconds: f64) {
    let spec = hound::WavSpec {
        channels: channels.len() as u16,
        sample_rate: rate,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut writer = hound::WavWriter::create(path, spec).unwrap();
    for i in 0..(seconds * f64::from(rate)) as u32 {
        for channel in channels {
            writer.write_sample(channel(f64::from(i) / f64::from(rate)) as f32).unwrap();
        }
    }
    writer.finalize().unwrap();
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().unwrap_or(f64::NAN);
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} ± {tolerance}");
}

fn band(channel: &Value, nominal: f64) -> &Value {
    let bands = channel["bands"].as_array().unwrap();
    &bands.iter().find(|band| band["nominal_hz"] == nominal).unwrap()["level_db"]
}

#[test]
fn a_known_tone_has_its_known_levels() {
    let folder = tempfile::tempdir().unwrap();
    let tone = |t: f64| 0.5 * (TAU * 1000.0 * t).sin();
    let low = |t: f64| 0.05 * (TAU * 100.0 * t).sin();
    write(&folder.path().join("a.wav"), 48_000, &[&tone, &low], 2.0);

    let bare = json(&run(folder.path(), &["analyze", "a.wav", "--json", "--bands", "octave"]));
    assert!(bare["calibration"].is_null() && bare["lv_db"].is_null());
    near(&bare["channels"][0]["level_db"], -9.03, 0.01);
    near(&bare["true_peak_dbtp"], -6.02, 0.05);
    // Two channels: (0.125 + 0.00125·K(100 Hz)) → -0.691 + 10·log10 of it, K-weighted; 1 kHz is near 0.69 dB.
    near(&bare["loudness_lufs"], -9.03, 0.15);

    // 1.0 = 0.02 m/s: 0.5/√2·0.02 = 7.07 mm/s.
    let words = ["analyze", "a.wav", "--full-scale", "0.02", "--json", "--bands", "third"];
    let report = json(&run(folder.path(), &[&words[..], &["--spectrum", "lines.csv"]].concat()));
    // The lines of the spectrum hold the power: their sum is the level.
    let lines = fs::read_to_string(folder.path().join("lines.csv")).unwrap();
    assert!(lines.starts_with("frequency_hz,channel_1_density_db,channel_2_density_db\n"));
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>();
    let lines: Vec<Vec<f64>> = lines.lines().skip(1).map(cells).collect();
    let width_hz = lines[1][0] - lines[0][0];
    let power: f64 = lines.iter().map(|line| width_hz * 10f64.powf(0.1 * line[1])).sum();
    near(&(10.0 * power.log10()).into(), 136.99, 0.05);
    let two = run(folder.path(), &["analyze", "a.wav", "a.wav", "--spectrum", "two.csv"]);
    assert!(two.status.code() == Some(2) && said(&two).contains("--spectrum: 2 files"), "{}", said(&two));
    assert_eq!(report["calibration"], "--full-scale");
    near(&report["channels"][0]["level_db"], 136.99, 0.01);
    near(&report["channels"][1]["level_db"], 116.99, 0.01);
    // Mean of both powers: 3.01 dB below the first, plus 1 %.
    near(&report["lv_db"], 134.02, 0.01);
    near(&report["channels"][0]["a_weighted_db"], 136.99, 0.01);
    // IEC 61672: -19.1 dB at 100 Hz.
    near(&report["channels"][1]["a_weighted_db"], 116.99 - 19.1, 0.1);
    near(band(&report["channels"][0], 1000.0), 136.99, 0.02);
    near(band(&report["channels"][1], 100.0), 116.99, 0.02);
    near(&report["channels"][0]["centroid_hz"], 1000.0, 0.5);
    near(&report["channels"][0]["peaks"][0]["frequency_hz"], 1000.0, 0.1);
    assert_eq!(report["channels"][0]["reference"], "1 nm/s");
}

/// The tiny scene by the engine that has air around its beam.
fn render_live(folder: &Path, words: &[&str]) -> Output {
    asperity(folder).args(["render", "dang2013"]).args(TINY).args(words).output().unwrap()
}

#[test]
fn our_own_files_are_calibrated_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let quantities = [
        "--set",
        "pickup.1.quantity=velocity",
        "--set",
        "pickup.2.quantity=acceleration",
        "--set",
        "pickup.3.quantity=pressure",
        "--set",
        "pickup.4.quantity=displacement",
    ];
    let words = [&["-o", "a.wav", "--seconds", "1.1", "--bits", "24"], &quantities[..]].concat();
    assert_eq!(render_live(folder.path(), &words).status.code(), Some(0));
    let words = ["analyze", "a.wav", "--skip", "0.1", "--json", "--plot", "a.png"];
    let report = json(&run(folder.path(), &words));
    assert_eq!(report["calibration"], "metadata");
    near(&report["seconds"], 1.0, 1e-9);
    let channels = report["channels"].as_array().unwrap();
    let references: Vec<&str> = channels.iter().map(|c| c["reference"].as_str().unwrap()).collect();
    assert_eq!(references, ["1 nm/s", "1 µm/s²", "20 µPa", "1 pm"]);
    assert_eq!(report["lv_db"], channels[0]["level_db"]);
    assert_eq!(report["lp_db"], channels[2]["level_db"]);
    assert_eq!(report["laeq_db"], channels[2]["a_weighted_db"]);
    // Bands hold what the whole holds, but for what lies below 22 Hz.
    let powers = channels[0]["bands"].as_array().unwrap().iter();
    let sum: f64 = powers.map(|b| 10f64.powf(b["level_db"].as_f64().unwrap_or(-300.0) / 10.0)).sum();
    near(&channels[0]["level_db"], 10.0 * sum.log10(), 3.0);
    // Four modes of the bench beam: 22.9·n² Hz.
    let modes = channels[0]["modes"].as_array().unwrap();
    assert_eq!(modes.len(), 4);
    for (index, mode) in modes.iter().enumerate() {
        near(&mode["natural_hz"], 23.24 * ((index + 1) * (index + 1)) as f64, 0.5 * (index + 1) as f64 * 4.0);
    }
    for mode in modes.iter().filter(|mode| !mode["peak_hz"].is_null()) {
        let natural = mode["natural_hz"].as_f64().unwrap();
        near(&mode["peak_hz"], natural, 6.0f64.max(0.05 * natural));
    }
    assert!(fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"));

    // The level of the pick-up is what was rendered, whatever the bits and the full scale.
    let words = ["-o", "b.wav", "--seconds", "1.1", "--bits", "32f", "--full-scale", "0.003"];
    assert_eq!(render_live(folder.path(), &words).status.code(), Some(0));
    let both = json(&run(folder.path(), &["analyze", "a.wav", "b.wav", "--skip", "0.1", "--json"]));
    near(&both[1]["lv_db"], both[0]["lv_db"].as_f64().unwrap(), 0.01);
    near(&both[1]["full_scale_m_s"], 0.003, 0.0);

    // A mix of one pick-up carries its power on two sides.
    let words = ["-o", "c.wav", "--seconds", "1.1", "--mix", "stereo"];
    assert_eq!(render_live(folder.path(), &words).status.code(), Some(0));
    let mix = json(&run(folder.path(), &["analyze", "c.wav", "--skip", "0.1", "--json"]));
    near(&mix["lv_db"], both[0]["lv_db"].as_f64().unwrap(), 0.01);
    near(&mix["channels"][1]["level_db"], both[0]["lv_db"].as_f64().unwrap() - 3.01, 0.01);

    // What is in another unit has no place on the same axes, and is named.
    write(&folder.path().join("theirs.wav"), 48_000, &[&|t| 0.1 * (TAU * 440.0 * t).sin()], 0.2);
    let output = run(folder.path(), &["analyze", "a.wav", "theirs.wav", "--plot", "two.svg"]);
    assert!(said(&output).contains("theirs.wav has no velocity and is not in the picture"));
    assert!(fs::read_to_string(folder.path().join("two.svg")).unwrap().contains("1 of 2 files"));
}

#[test]
fn the_table_says_what_every_level_is_re() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("a.wav"), 44_100, &[&|t| 0.1 * (TAU * 440.0 * t).sin()], 1.0);
    let text = String::from_utf8(run(folder.path(), &["analyze", "a.wav"]).stdout).unwrap();
    assert!(text.contains("not calibrated") && text.contains("dB re full scale"), "{text}");
    let words = ["analyze", "a.wav", "a.wav", "--full-scale", "0.1", "--plot", "a.svg"];
    let text = String::from_utf8(run(folder.path(), &words).stdout).unwrap();
    assert!(text.contains("Lv = 137.0 dB re 1 nm/s") && text.contains("LUFS (BS.1770)"), "{text}");
    let picture = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(picture.contains("velocity density (dB re (1 nm/s)²/Hz)") && picture.contains("2 of 2 files"));
}

#[test]
fn bad_files_and_flags_are_listed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.wav"), "not a sound at all").unwrap();
    fs::write(folder.path().join("short.wav"), "RIFF").unwrap();
    write(&folder.path().join("good.wav"), 48_000, &[&|_| 0.0], 0.1);
    let bytes = fs::read(folder.path().join("good.wav")).unwrap();
    let mut odd = bytes.clone();
    odd[22] = 0;
    fs::write(folder.path().join("zero.wav"), &odd).unwrap();
    let files = ["analyze", "text.wav", "short.wav", "none.wav", "zero.wav", "good.wav"];
    let output = run(folder.path(), &files);
    assert_eq!(output.status.code(), Some(2));
    for words in [
        "text.wav, byte 0: begins with \"not \"",
        "short.wav, byte 0: 4 bytes are left",
        "none.wav: No such file",
        "zero.wav, byte 12: 0 channels: 1 to 64",
    ] {
        assert!(said(&output).contains(words), "{words}: {}", said(&output));
    }
    let flags =
        ["analyze", "good.wav", "--full-scale", "-1", "--resolution", "0", "--skip", "-2", "--plot", "a.pdf"];
    let output = run(folder.path(), &flags);
    assert_eq!((output.status.code(), said(&output).lines().count()), (Some(2), 4), "{}", said(&output));
    assert_eq!(run(folder.path(), &["analyze", "good.wav", "--skip", "3"]).status.code(), Some(2));
    let words = ["analyze", "good.wav", "--plot", "nowhere/a.png"];
    assert_eq!(run(folder.path(), &words).status.code(), Some(74));

    // Silence has no level, and that is not an error.
    let silence = json(&run(folder.path(), &["analyze", "good.wav", "--json", "--full-scale", "1"]));
    assert!(silence["lv_db"].is_null() && silence["loudness_lufs"].is_null());

    // A recording that was cut off says so and is read as far as it goes.
    fs::write(folder.path().join("cut.wav"), &bytes[..bytes.len() / 2]).unwrap();
    let output = run(folder.path(), &["analyze", "cut.wav", "--json"]);
    assert!(said(&output).contains("cut short"), "{}", said(&output));
    assert!(json(&output)["seconds"].as_f64().unwrap() < 0.06);
}
