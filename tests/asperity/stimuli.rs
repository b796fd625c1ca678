//! `asperity stimuli`: exact lengths, matched levels, the ceiling, test configurations that point at files, and the
//! same bytes again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::tiny::{TINY, json, run};

/// Two roughnesses at two speeds, two seeds, half a second each.
pub const SPEC: &str = r#"
name = "tiny"
scene = "dang2013"
seconds = 0.5
skip_s = 0.1
ramp_s = 0.02
seeds = [1, 7]
compare = "surface.ra_um"
reference = 12

[set]
surface.step_um = 1000
surface.cutoff_um = 0
surface.corr_length_um = 3000
resonator.modes = 4
contact.kappa_pa = 1e8
run.step_s = 2e-5
motion.kind = "endless"

[conditions]
surface.ra_um = [4, 12]
motion.speed_m_s = [0.3, 0.6]
"#;

fn make(folder: &Path, name: &str, spec: &str) -> Value {
    fs::write(folder.join("spec.toml"), spec).unwrap();
    json(&run(folder, &["stimuli", "spec.toml", "-o", name, "--json"]))
}

/// Rows of the manifest by column.
fn manifest(folder: &Path, name: &str) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(folder.join(name).join("manifest.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), header.len(), "{line}");
            header.iter().zip(cells).map(|(key, cell)| ((*key).to_owned(), cell.to_owned())).collect()
        })
        .collect()
}

fn samples(path: &Path) -> Vec<[f64; 2]> {
    let mut reader = hound::WavReader::open(path).unwrap();
    let spec = reader.spec();
    assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (2, 48_000, 24));
    let flat: Vec<f64> = reader.samples::<i32>().map(|s| f64::from(s.unwrap()) / 8_388_608.0).collect();
    flat.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}

fn number(row: &HashMap<String, String>, key: &str) -> f64 {
    row[key].parse().unwrap_or_else(|_| panic!("{key}: {:?}", row[key]))
}

#[test]
fn a_physical_set_is_whole_exact_and_the_same_again() {
    let folder = tempfile::tempdir().unwrap();
    let summary = make(folder.path(), "a", SPEC);
    let counts = ["items", "anchors", "pages"].map(|key| summary[key].as_u64().unwrap());
    assert_eq!(counts, [8, 8, 4], "2 × 2 × 2 items; 2 anchors on each of 4 pages");
    let rows = manifest(folder.path(), "a");
    assert_eq!(rows.len(), 8 + 8 + 2);

    let full_scale = summary["full_scale"].as_f64().unwrap();
    for row in &rows {
        let path = folder.path().join("a").join(&row["file"]);
        let sound = samples(&path);
        let calibration = row["role"].starts_with("calibration");
        assert_eq!(sound.len(), if calibration { 480_000 } else { 24_000 }, "{}", row["file"]);
        // Dither is all that is left at both ends of a ramp.
        assert!(sound[0][0].abs() < 3e-7 && sound.last().unwrap()[1].abs() < 3e-7);
        assert!(number(row, "true_peak_dbtp") < -1.0 && row["clipped_samples"] == "0", "{row:?}");
        assert_eq!(number(row, "full_scale"), full_scale, "one gain for all");
        let output = std::process::Command::new("sha256sum").arg(&path).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(&row["sha256"]));
    }
    // As loud as the ceiling allows: the loudest is just below it.
    let highest = summary["highest_true_peak_dbtp"].as_f64().unwrap();
    assert!((-1.2..-1.0).contains(&highest), "{highest}");
    // A file's own calibration gives the level of the manifest.
    let file = format!("a/{}", rows[0]["file"]);
    let measured = json(&run(folder.path(), &["analyze", &file, "--json"]));
    assert!((measured["lv_db"].as_f64().unwrap() - number(&rows[0], "level_db")).abs() < 0.01);
    // Rougher is louder, and stays so.
    let level = |ra: &str| {
        let row = rows.iter().find(|row| row["surface.ra_um"] == ra && row["role"] != "anchor").unwrap();
        number(row, "loudness_lufs")
    };
    assert!(level("12.0") > level("4.0") + 2.0);

    make(folder.path(), "b", SPEC);
    let mut names: Vec<_> =
        fs::read_dir(folder.path().join("a")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 2 * rows.len() + 5);
    for name in names {
        let [one, two] = ["a", "b"].map(|set| fs::read(folder.path().join(set).join(&name)).unwrap());
        assert!(one == two, "{name:?} differs");
    }
}

#[test]
fn the_configurations_point_at_files_of_the_set() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), "a", SPEC);
    let set = folder.path().join("a");
    let yaml = fs::read_to_string(set.join("webmushra.yaml")).unwrap();
    let prefix = "configs/resources/tiny/";
    let files: Vec<&str> = yaml
        .split('"')
        .filter_map(|text| text.strip_prefix(prefix))
        .filter(|f| f.ends_with(".wav"))
        .collect();
    // Four pages of a reference, one other value and two anchors, and the volume page.
    assert_eq!(files.len(), 4 * 4 + 1);
    assert!(files.iter().all(|file| set.join(file).is_file()), "{files:?}");
    let references: Vec<&str> =
        yaml.lines().filter(|line| line.trim_start().starts_with("reference:")).collect();
    assert!(
        references.len() == 4 && references.iter().all(|line| line.contains("ra_um-12")),
        "{references:?}"
    );

    let script = fs::read_to_string(set.join("beaqle.js")).unwrap();
    let body = script.split_once("TestConfig = ").unwrap().1.trim_end().trim_end_matches(';');
    let config: Value = serde_json::from_str(body).unwrap();
    let pages = config["Testsets"].as_array().unwrap();
    assert_eq!(pages.len(), 4);
    for file in pages.iter().flat_map(|page| page["Files"].as_object().unwrap().values()) {
        assert!(set.join(file.as_str().unwrap().strip_prefix("audio/tiny/").unwrap()).is_file());
    }
    // An anchor holds the reference's sound below its corner and nothing above.
    let rows = manifest(folder.path(), "a");
    let anchor = rows.iter().find(|row| row["low_pass_hz"] == "3500").unwrap();
    let report = json(&run(&set, &["analyze", &anchor["file"], "--json"]));
    let bands = report["channels"][0]["bands"].as_array().unwrap();
    let level = |hz: f64| bands.iter().find(|b| b["nominal_hz"] == hz).unwrap()["level_db"].as_f64().unwrap();
    let loudest = bands.iter().filter_map(|band| band["level_db"].as_f64()).fold(f64::MIN, f64::max);
    assert!(level(6300.0) < loudest - 50.0, "{bands:?}");
}

/// One condition, no ramps, a stated full scale: samples can be compared with those of `render`.
#[test]
fn items_are_the_steady_part_of_what_render_makes_by_either_engine() {
    let folder = tempfile::tempdir().unwrap();
    let plain = SPEC
        .replace("[1, 7]", "[7]")
        .replace("reference = 12", "reference = 4\nanchors_hz = []\nfull_scale = 0.2")
        .replace("ramp_s = 0.02", "ramp_s = 0")
        .replace("[4, 12]", "[4]")
        .replace("[0.3, 0.6]", "[0.6]");
    for (engine, quality) in [("reference", None), ("realtime", Some("draft")), ("realtime", Some("studio"))]
    {
        let name = format!("{engine}-{}", quality.unwrap_or("none"));
        let keys = quality.map_or(String::new(), |quality| format!("quality = \"{quality}\"\n"));
        let summary = make(folder.path(), &name, &format!("engine = \"{engine}\"\n{keys}{plain}"));
        assert_eq!((summary["engine"].as_str(), summary["quality"].as_str()), (Some(engine), quality));
        let rows = manifest(folder.path(), &name);
        assert_eq!(
            (rows[0]["engine"].as_str(), rows[0]["quality"].as_str()),
            (engine, quality.unwrap_or(""))
        );
        let item = folder.path().join(&name).join(&rows[0]["file"]);
        let beside: Value =
            serde_json::from_slice(&fs::read(item.with_extension("wav.json")).unwrap()).unwrap();
        assert_eq!((beside["engine"].as_str(), beside["quality"].as_str()), (Some(engine), quality));

        let tiny = TINY
            .iter()
            .map(|word| if *word == "motion.speed_m_s=0.5" { "motion.speed_m_s=0.6" } else { word });
        let words =
            ["render", "dang2013", "--ra", "4", "--seed", "7", "--seconds", "0.61", "-o", "whole.wav"];
        let words = words.into_iter().chain(tiny).chain([
            "--mix",
            "stereo",
            "--full-scale",
            "0.2",
            "--engine",
            engine,
        ]);
        let words: Vec<&str> =
            words.chain(quality.iter().flat_map(|quality| ["--quality", quality])).collect();
        assert_eq!(run(folder.path(), &words).status.code(), Some(0));
        let (heard, whole) = (samples(&item), samples(&folder.path().join("whole.wav")));
        assert_eq!(heard.len(), 24_000);
        assert!(heard.iter().any(|pair| pair[0].abs() > 1e-3), "silence equals silence");
        // Dither of two files differs by two steps and their rounding.
        let worst =
            heard.iter().zip(&whole[4800..]).map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
        assert!(worst.fold(0.0, f64::max) <= 4.0 / 8_388_608.0, "{name}");
    }
}

#[test]
fn loudness_and_lv_sets_are_matched() {
    let folder = tempfile::tempdir().unwrap();
    let short = SPEC.replace("seeds = [1, 7]", "seeds = [3]").replace("[0.3, 0.6]", "[0.5]");
    let loud = short.replace("seeds", "level = \"loudness\"\nloudness_lufs = -30\nseeds");
    let summary = make(folder.path(), "loud", &loud);
    let items = |name: &str| -> Vec<HashMap<String, String>> {
        manifest(folder.path(), name).into_iter().filter(|row| row["role"] != "anchor").collect()
    };
    let reduction = summary["reduction_db"].as_f64().unwrap();
    for row in items("loud") {
        assert!((number(&row, "loudness_lufs") + 30.0 + reduction).abs() < 0.1, "{row:?}");
    }
    let matched = short.replace("seeds", "level = \"lv\"\nlv_db = 110\nfull_scale = 0.1\nseeds");
    let summary = make(folder.path(), "lv", &matched);
    assert_eq!((&summary["matched_level_db"], &summary["matched_full_scale"]), (&110.0.into(), &0.1.into()));
    assert!(summary["full_scale"].is_null(), "each item has its own");
    for row in items("lv").iter().filter(|row| !row["role"].starts_with("calibration")) {
        // 110 dB re 1 nm/s is 0.316 mm/s, of 0.1 m/s -50 dB; the file says its own physical level.
        assert!((number(row, "rms_dbfs") + 50.0).abs() < 0.01, "{row:?}");
        let shift = number(row, "matching_db");
        assert!((number(row, "level_db") + shift - 110.0).abs() < 0.01, "{row:?}");
    }
    // A full scale that would pass the ceiling is raised, and that is stated.
    let hot = short.replace("seeds", "full_scale = 1e-5\nseeds");
    let summary = make(folder.path(), "hot", &hot);
    assert!(summary["reduction_db"].as_f64().unwrap() > 20.0, "{summary}");
    assert!(summary["highest_true_peak_dbtp"].as_f64().unwrap() < -1.0);
}

#[test]
fn the_example_is_a_spec() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["stimuli", "--example"]);
    assert_eq!(output.status.code(), Some(0));
    let example = String::from_utf8(output.stdout).unwrap();
    // The same set, coarse and short, so that it is made within a second.
    let coarse = "surface.step_um = 1000\nsurface.cutoff_um = 0\nsurface.corr_length_um = 3000\nresonator.modes = 4\n\
                  contact.kappa_pa = 1e8\n";
    let spec = example
        .replace("motion.kind = \"endless\"\n", &format!("motion.kind = \"endless\"\n{coarse}"))
        .replace("seconds = 3.0", "seconds = 0.2")
        .replace("skip_s = 0.5", "skip_s = 0.05");
    assert_ne!(spec, example);
    let summary = make(folder.path(), "a", &spec);
    assert_eq!((summary["items"].as_u64(), summary["pages"].as_u64()), (Some(12), Some(4)));
}
