//! Presets and profiles by drop and by dialog.

use std::time::Duration;

use super::super::NO_DIALOG;
use super::super::dialogs::Purpose;
use super::Bench;
use crate::instrument::Patch;
use crate::instrument::parameters::Param;

#[test]
fn presets_are_dropped_chosen_in_dialogs_and_undone() {
    let mut bench = Bench::new();
    let start = bench.window().session.shared.preset();
    let name = |bench: &Bench| bench.window().session.shared.patch().draft().about.name.clone();
    let (washboard, glass) = (bench.preset("washboard"), bench.preset("glass-harp"));
    bench.drop_file(&washboard);
    assert_eq!(name(&bench), Patch::preset("washboard").unwrap().draft().about.name);
    let answer = async { Some(glass.into()) };
    bench.harness.state_mut().dialogs.wait(Purpose::Open, answer);
    bench.until(|window| !window.dialogs.is_open());
    assert_eq!(name(&bench), Patch::preset("glass-harp").unwrap().draft().about.name);
    bench.click("Undo");
    bench.click("Undo");
    assert_eq!(bench.window().session.shared.preset(), start);
}

#[test]
fn a_preset_that_is_saved_by_dialog_has_its_knobs_and_the_name_of_its_file() {
    let mut bench = Bench::new();
    bench.harness.state_mut().session.set(Param::Ra, 12.5);
    let path = bench.folder.path().join("my rub");
    let answer = async { Some(path.into()) };
    bench.harness.state_mut().dialogs.wait(Purpose::Save, answer);
    bench.until(|window| !window.dialogs.is_open());
    let patch = Patch::new(crate::scene::Draft::from_file(&bench.folder.path().join("my rub.toml")).unwrap());
    let patch = patch.unwrap();
    assert_eq!((patch.values().get(Param::Ra), &*patch.draft().about.name), (12.5, "my rub"));
}

#[test]
fn a_dialog_that_no_system_has_is_told_and_one_that_was_cancelled_is_not() {
    let mut bench = Bench::new();
    for (takes, told) in [(Duration::ZERO, NO_DIALOG), (Duration::from_millis(300), "")] {
        bench.harness.state_mut().told.clear();
        bench.harness.state_mut().dialogs.wait(Purpose::Open, async move {
            std::thread::sleep(takes);
            None
        });
        bench.until(|window| !window.dialogs.is_open());
        assert_eq!(bench.window().told, told);
    }
}

#[test]
fn a_measured_profile_is_dropped_and_what_is_no_file_of_ours_is_told() {
    let mut bench = Bench::new();
    let path = bench.folder.path().join("measured.csv");
    let rows: String = (0..50_000)
        .map(|n| format!("{:e},{:e}\n", f64::from(n) * 1e-5, 2e-6 * (0.01 * f64::from(n)).sin()))
        .collect();
    std::fs::write(&path, format!("x_m,height_m\n{rows}")).unwrap();
    bench.drop_file(&path);
    assert!(bench.window().session.shared.preset().contains("measured.csv"), "{}", bench.window().told);
    let before = bench.window().session.shared.preset();
    let wrong = bench.folder.path().join("song.mp3");
    std::fs::write(&wrong, b"ID3").unwrap();
    bench.drop_file(&wrong);
    assert!(bench.window().told.contains("the ending is `mp3`"), "{}", bench.window().told);
    assert_eq!(bench.window().session.shared.preset(), before);
}
