//! `asperity sweep`: the table never depends on how, where or in which order its points were run, and mistakes are
//! told before anything is.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A scene that runs in milliseconds: few modes, coarse surface, long steps.
pub const QUICK: [&str; 14] = [
    "--set",
    "surface.step_um=50",
    "--set",
    "surface.cutoff_um=0",
    "--set",
    "resonator.modes=4",
    "--set",
    "run.step_s=2e-6",
    "--seconds",
    "0.008",
    "--skip",
    "0.001",
    "--seeds",
    "3",
];
pub const GRID: [&str; 4] = ["--ra", "3,10", "--v", "0.1:0.4:4log"];
const POINTS: usize = 24;

pub fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asperity"));
    command.arg("sweep").args(words).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    command
}

pub fn sweep(folder: &Path, output: &str, words: &[&str]) -> Output {
    command(folder, &[&["-o", output], &QUICK[..], words].concat()).output().unwrap()
}

pub fn table(folder: &Path, output: &str) -> Vec<u8> {
    fs::read(folder.join(output).join("results.csv")).unwrap()
}

pub fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn good(output: Output) -> Output {
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    output
}

fn rows(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1)
}

#[test]
fn threads_and_shards_make_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let whole = good(sweep(at, "whole", &[&GRID[..], &["--threads", "1", "--json"]].concat()));
    let json: Value = serde_json::from_slice(&whole.stdout).unwrap();
    for key in ["m", "n"] {
        let value = json[key].as_f64().unwrap();
        let interval = json[format!("{key}_ci")].as_array().unwrap();
        assert!(interval[0].as_f64().unwrap() < value && value < interval[1].as_f64().unwrap());
    }
    assert!(json["zeta_db_per_decade"].is_null());
    assert_eq!(json["rows"].as_array().unwrap().len(), POINTS);
    assert!(json["rows"][23]["lv_db"].as_f64().unwrap() > 60.0 && json["rows"][23]["seed"] == 3);
    let reference = table(at, "whole");
    assert_eq!(rows(&reference), POINTS);
    for name in ["results.npz", "level-speed.png", "level-speed.svg", "level-roughness.png"] {
        assert!(at.join("whole").join(name).exists(), "{name}");
    }
    assert!(!at.join("whole").join("level-damping.png").exists());

    good(sweep(at, "two", &[&GRID[..], &["--threads", "2"]].concat()));
    assert_eq!(table(at, "two"), reference);
    for file in ["results.json", "results.npz", "level-speed.svg"] {
        assert_eq!(
            fs::read(at.join("two").join(file)).unwrap(),
            fs::read(at.join("whole").join(file)).unwrap()
        );
    }

    for part in ["1/3", "2/3", "3/3"] {
        good(sweep(at, &format!("part{}", &part[..1]), &[&GRID[..], &["--shard", part]].concat()));
    }
    good(command(at, &["merge", "part2", "part3", "part1", "-o", "joined"]).output().unwrap());
    assert_eq!(table(at, "joined"), reference);
    // A merged sweep is a sweep like any other.
    good(sweep(at, "joined", &[&GRID[..], &["--resume"]].concat()));
    assert_eq!(table(at, "joined"), reference);
}

#[test]
fn another_sweep_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let small = ["--ra", "3,10"];
    good(sweep(at, "a", &small));
    let before = fs::read(at.join("a").join("journal.txt")).unwrap();
    for (words, reason) in [
        (&["--ra", "3,10"][..], "go on with --resume"),
        (&["--ra", "3,11", "--resume"], "list only here: surface.ra_um = 3, 11"),
        (
            &["--ra", "3,10", "--resume", "--zeta", "0.01"],
            "list only here: resonator.damping_ratio+slider.damping_ratio = 0.01",
        ),
        (&["--ra", "3,10", "--resume", "--shard", "1/2"], "shard: 1/1 there, 1/2 here"),
        (&["--ra", "3,10", "--resume", "--seed", "7"], "seeds: 3 from 1 there, 3 from 7 here"),
    ] {
        let refused = sweep(at, "a", words);
        assert_eq!(refused.status.code(), Some(2));
        assert!(told(&refused).contains(reason), "{}", told(&refused));
    }
    assert_eq!(fs::read(at.join("a").join("journal.txt")).unwrap(), before);

    // Parts that do not make a whole.
    good(sweep(at, "one", &[&small[..], &["--shard", "1/3"]].concat()));
    good(sweep(at, "two", &["--ra", "3,11", "--shard", "2/3"]));
    fs::create_dir(at.join("copy")).unwrap();
    fs::copy(at.join("one").join("journal.txt"), at.join("copy").join("journal.txt")).unwrap();
    let refused = command(at, &["merge", "one", "two", "copy", "nowhere", "-o", "m"]).output().unwrap();
    let text = told(&refused);
    assert_eq!(refused.status.code(), Some(2));
    for reason in
        ["two: belongs to another sweep than one", "copy: part 1/3 again", "part 3/3 missing", "nowhere"]
    {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    assert!(!at.join("m").exists());
    // An unfinished part.
    let journal = fs::read_to_string(at.join("one").join("journal.txt")).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    fs::write(at.join("one").join("journal.txt"), lines[..2].join("\n") + "\n").unwrap();
    let refused = command(at, &["merge", "one", "-o", "m"]).output().unwrap();
    assert!(told(&refused).contains("part 1/3 has 1 of its 2 points"), "{}", told(&refused));
}

#[test]
fn every_mistake_is_told_at_once_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [
        "--ra",
        "3,,5",
        "--v",
        "0.1:0.7:5",
        "--set",
        "resonator.mods=3,4",
        "--set",
        "surface.acf=gaussian,glass",
        "--set",
        "oops",
        "--shard",
        "3/2",
        "--threads",
        "0",
        "--zeta",
        "0.01,0.010",
    ];
    let refused = command(at, &[&["-o", "a"], &words[..]].concat()).output().unwrap();
    let text = told(&refused);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    for reason in [
        "--ra: 3,,5: has an empty place",
        "log or lin",
        "the nearest known one is resonator.modes",
        "surface.acf: glass: must be one of",
        "must be KEY=LIST",
        "--shard: 3/2",
        "--threads: 0",
        "--zeta: 0.010/0.010: is twice in the list",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    assert!(!at.join("a").exists() && refused.stdout.is_empty());

    // Every point is tried: a step that is too long for some, a pass that is over for others.
    let far = ["--set", "contact.kappa_pa=2.1e12,2.1e16", "--set", "motion.start_m=0.05,0.41", "--v", "50"];
    let refused = sweep(at, "a", &far);
    let text = told(&refused);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("run.step_s at 6 of 12 points, first contact.kappa_pa=2.1e16"), "{text}");
    assert!(text.contains("--skip at 6 of 12 points") && text.contains("that the pass lasts"), "{text}");
    assert!(!at.join("a").exists());

    let refused = sweep(at, "no/such/folder", &GRID);
    assert_eq!(refused.status.code(), Some(74), "{}", told(&refused));
}

#[test]
fn a_spec_says_the_same_as_flags() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bench = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/presets/dang2013.toml")).unwrap();
    let spec = format!(
        "{bench}\n[sweep]\nra = [3, 10]\nv = \"0.1:0.4:4log\"\nseeds = 3\nseconds = 0.008\nskip = 0.001\n\
         [sweep.set]\nsurface.step_um = 50\nsurface.cutoff_um = 0\nresonator.modes = 4\nrun.step_s = 2e-6\n"
    );
    fs::write(at.join("spec.toml"), spec).unwrap();
    good(command(at, &["spec.toml", "-o", "spec"]).output().unwrap());
    good(sweep(at, "flags", &GRID));
    assert_eq!(table(at, "spec"), table(at, "flags"));
    // Keys that go together are one list, and each is a column.
    good(sweep(at, "pairs", &["--set", "surface.ra_um+surface.corr_length_um=3/400,10/500"]));
    let text = String::from_utf8(table(at, "pairs")).unwrap();
    assert!(text.starts_with("point,ra_um,v_m_s,zeta,seed,surface.corr_length_um,lv_db,"), "{text}");
    assert!(rows(text.as_bytes()) == 6 && text.contains("\n3,10,0.1,0.02,1,500,"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_sweep_with_friction_says_how_each_point_rubs_and_draws_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // At 0.5 m/s under 2 N/m it slides, at 5 mm/s under 300 N/m it sticks and slips.
    let base: Vec<&str> = "rub-to-creak --engine realtime --seconds 0.6 --skip 0.2 --v 0.005,0.5 \
                           --set slider.load_n_m=2,300"
        .split_whitespace()
        .collect();
    let run = |output: &str, more: &[&str]| {
        good(command(at, &[&base[..], &["-o", output], more].concat()).output().unwrap())
    };
    let whole = run("whole", &["--json", "--threads", "1"]);
    let report: Value = serde_json::from_slice(&whole.stdout).unwrap();
    let regime = |speed: f64, load: f64| {
        let rows = report["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["v_m_s"] == speed && row["slider.load_n_m"] == load).unwrap();
        assert!(row["mode"].is_u64() && row["stick_share"].as_f64().unwrap() <= 1.0, "{row}");
        row["regime"].as_str().unwrap().to_owned()
    };
    assert_eq!(regime(0.5, 2.0), "continuous");
    assert_eq!(regime(0.005, 300.0), "stick-slip");
    let csv = String::from_utf8(table(at, "whole")).unwrap();
    let header = csv.lines().next().unwrap();
    let ending = "energy_residual,stick_share,slips_per_s,slip_swing,mode,mode_share,mode_swing,regime";
    assert!(header.ends_with(ending), "{header}");
    for file in ["regimes.png", "regimes.svg"] {
        assert!(at.join("whole").join(file).metadata().unwrap().len() > 1000, "{file}");
    }
    let drawn = fs::read_to_string(at.join("whole/regimes.svg")).unwrap();
    assert!(drawn.contains("stick-slip") && drawn.contains("N per metre"));
    // As any sweep: parts and threads make the same bytes.
    run("one", &["--shard", "1/2"]);
    run("two", &["--shard", "2/2"]);
    good(command(at, &["merge", "one", "two", "-o", "joined"]).output().unwrap());
    assert_eq!(table(at, "joined"), table(at, "whole"));
    // Without friction there is nothing to say.
    run("smooth", &["--set", "friction.static=0", "--set", "friction.dynamic=0"]);
    let smooth = String::from_utf8(table(at, "smooth")).unwrap();
    assert!(smooth.lines().next().unwrap().ends_with("energy_residual"));
    assert!(!at.join("smooth/regimes.png").exists());
}
