//! A file beyond 4 GiB by the program itself: RF64, whole, and read back without being held in memory.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::process::Command;

use super::tiny::{TINY, asperity, json, said};

const SECONDS: u64 = 1500;
const RATE_HZ: u64 = 192_000;
const CHANNELS: u64 = 4;
/// More than the program, its tables and one block of sound need; far less than the file.
const MEMORY_BYTES: u64 = 512 << 20;

/// Run with `cargo test --profile checked --test asperity -- --ignored beyond_four_gibibytes`; it needs 5 GB of
/// room where temporary files go.
#[test]
#[ignore = "writes and reads 4.6 GB"]
fn a_render_beyond_four_gibibytes_is_rf64_and_analyzed_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let pickups: Vec<String> = (1..=CHANNELS).map(|n| format!("pickup.{n}.position_m=0.{n}")).collect();
    let mut command = asperity(folder.path());
    command.args(["render", "dang2013", "--quality", "draft"]).args(TINY);
    pickups.iter().for_each(|pickup| _ = command.args(["--set", pickup]));
    command.args(["-o", "a.wav", "--bits", "32f", "--full-scale", "0.5", "--json"]);
    command.arg("--seconds").arg(SECONDS.to_string()).arg("--rate").arg(RATE_HZ.to_string());
    let rendered = json(&command.output().unwrap());

    let path = folder.path().join("a.wav");
    let (frames, data) = (SECONDS * RATE_HZ, SECONDS * RATE_HZ * CHANNELS * 4);
    let length = fs::metadata(&path).unwrap().len();
    assert!(length > data && data > 1 << 32);
    let mut head = [0; 48];
    let mut file = File::open(&path).unwrap();
    file.read_exact(&mut head).unwrap();
    let long = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap());
    assert_eq!((&head[..8], &head[8..16]), (&b"RF64\xff\xff\xff\xff"[..], &b"WAVEds64"[..]));
    assert_eq!([long(20), long(28), long(36)], [length - 8, data, frames]);
    // Sound to the last sample.
    file.seek(SeekFrom::End(-16 * 1000)).unwrap();
    let mut last = [0; 16 * 1000];
    file.read_exact(&mut last).unwrap();
    let last: Vec<f32> = last.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert!(last.iter().all(|sample| sample.abs() <= 1.0) && last.iter().any(|sample| *sample != 0.0));

    let analyze = Command::new("prlimit")
        .arg(format!("--as={MEMORY_BYTES}"))
        .args([env!("CARGO_BIN_EXE_asperity"), "analyze", "--skip", "0.1", "--json"])
        .arg(&path)
        .output()
        .unwrap();
    let report = json(&analyze);
    assert!(!said(&analyze).contains("cut short"), "{}", said(&analyze));
    assert_eq!(report["calibration"], "metadata");
    assert!((report["seconds"].as_f64().unwrap() - (SECONDS as f64 - 0.1)).abs() < 1e-9);
    // Four places of the beam and the whole beam move about as much.
    let [pickups, beam] = [&report, &rendered].map(|report| report["lv_db"].as_f64().unwrap());
    assert!((pickups - beam).abs() < 6.0, "{pickups} dB at the pick-ups, {beam} dB over the beam");
}
