//! `asperity stimuli` asked for what cannot be: every problem at once, with its place, and nothing written.

use std::fs;

use super::stimuli::SPEC;
use super::tiny::{run, said};

#[test]
fn bad_specs_are_told_whole_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |spec: &str, told: &[&str]| {
        fs::write(folder.path().join("spec.toml"), spec).unwrap();
        let output = run(folder.path(), &["stimuli", "spec.toml", "-o", "out"]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        for words in told {
            assert!(said(&output).contains(words), "{words}: {}", said(&output));
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing was written");
        said(&output).lines().count()
    };
    let bad = "name = \"../x\"\nseconds = 99\nlevel = \"loud\"\nsecnds = 1\ncompare = \"surface.acf\"\n\
               [set]\nsurface.ra = 3\n[conditions]\nsurface.ra_um = [3, -5, \"x\"]\nsurface.seed = [1]\n";
    let count = refused(
        bad,
        &[
            "spec.toml:1:8: name: \"../x\"",
            "spec.toml:2:11: seconds: 99: must be a number from 0.1 to 12",
            "spec.toml:3:9: level: loud: must be one of physical, loudness, lv",
            "spec.toml:4:1: secnds: unknown key: the nearest known one is seconds",
            "spec.toml:5:11: compare: surface.acf: must be one of",
            "spec.toml:7:9: surface.ra: unknown key",
            "spec.toml:9:17: surface.ra_um: -5: must be a number from 0.0",
            "spec.toml:9:17: surface.ra_um: x",
            "spec.toml:10:16: surface.seed",
        ],
    );
    assert!(count >= 9, "{count}");
    refused("seconds = = 2\n", &["spec.toml:1:11"]);
    refused("name = \"a\"\n", &["conditions: nothing varies"]);
    refused(
        &SPEC.replace("seconds = 0.5", "seconds = 0.5\nloudness_lufs = -20"),
        &["has no meaning with level"],
    );
    refused(
        &SPEC.replace("\"endless\"", "\"pass\"").replace("0.6]", "6]"),
        &["seconds: 0.5 s after 0.1 s of start: at 6 m/s the pass ends after 0.063 s"],
    );
    refused(
        &SPEC.replace("scene = \"dang2013\"", "scene = \"dang2031\""),
        &["spec.toml:3:9: scene: dang2031"],
    );
    refused(&SPEC.replace("= 1000", "= 50000"), &["steps"]);
    let many: Vec<String> = (0..40_000).map(|n| n.to_string()).collect();
    refused(
        &SPEC.replace("[1, 7]", &format!("[{}]", many.join(","))),
        &["160000 items of 0.5 s: at most 2796"],
    );
    refused(
        &SPEC.replace("seconds = 0.5", "engine = \"real-time\"\nquality = \"best\"\nseconds = 0.5"),
        &[
            "spec.toml:4:10: engine: real-time: must be one of",
            "spec.toml:5:11: quality: best: must be one of",
        ],
    );
    refused(
        &SPEC.replace("seconds = 0.5", "engine = \"reference\"\nquality = \"live\"\nseconds = 0.5"),
        &["quality: live: has no meaning with the reference"],
    );
    // Held at its own ends, a slider passes over the resonator's.
    refused(
        &SPEC.replace("\"endless\"", "\"pass\"\nslider.ends = \"pinned\""),
        &["engine: realtime: keeps the slider on the resonator"],
    );
    let none = run(folder.path(), &["stimuli", "none.toml", "-o", "out"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn a_folder_in_use_or_out_of_reach_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("spec.toml"), SPEC).unwrap();
    fs::create_dir(folder.path().join("full")).unwrap();
    fs::write(folder.path().join("full").join("precious.txt"), "x").unwrap();
    let output = run(folder.path(), &["stimuli", "spec.toml", "-o", "full"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("full: holds files"), "{}", said(&output));
    let output = run(folder.path(), &["stimuli", "spec.toml", "-o", "nowhere/set"]);
    assert_eq!(output.status.code(), Some(74), "{}", said(&output));
    assert!(said(&output).contains("nowhere/set"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}
