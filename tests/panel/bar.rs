//! Presets, comparison, undo and redo.

use crate::bench::{Bench, Call, gestures};
use asperity::editor::{Presets, full_name};
use asperity::instrument::parameters::Param;
use asperity::io::library::Library;
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

#[test]
fn what_was_done_can_be_undone_and_done_again() {
    let mut bench = Bench::new();
    let start = *bench.knobs.values.borrow();
    bench.drag(bench.of(Param::Ra), vec2(0.0, -50.0), Modifiers::NONE);
    bench.click(&full_name(Param::Drone));
    let end = *bench.knobs.values.borrow();
    bench.click("Undo");
    assert_eq!(bench.value(Param::Drone), 0.0);
    bench.click("Undo");
    assert_eq!(*bench.knobs.values.borrow(), start);
    bench.click("Redo");
    bench.click("Redo");
    assert_eq!(*bench.knobs.values.borrow(), end);
    assert_eq!(gestures(&bench.take_calls()), [Param::Ra, Param::Drone]);
}

#[test]
fn opening_a_preset_can_be_undone() {
    let mut bench = Bench::new();
    let start = *bench.knobs.values.borrow();
    bench.click("Next preset");
    assert_eq!(bench.take_calls(), [Call::Open]);
    assert_ne!(*bench.knobs.values.borrow(), start);
    bench.click("Undo");
    assert_eq!(bench.take_calls(), [Call::Open]);
    assert_eq!(*bench.knobs.values.borrow(), start);
}

/// Until another preset is opened.
#[test]
fn a_project_that_cannot_be_opened_says_so() {
    let mut bench = Bench::new();
    let shown = |bench: &Bench| bench.harness.get_by_label("Presets").value().unwrap();
    assert!(shown(&bench).starts_with("Steel on steel"));
    *bench.knobs.trouble.borrow_mut() = Some("ground.csv is not there".to_owned());
    bench.step();
    assert!(shown(&bench).contains("cannot be opened"), "{}", shown(&bench));
    bench.harness.get_by_label("Presets").hover();
    bench.harness.run_steps(60);
    assert!(bench.names().iter().any(|name| name.contains("ground.csv is not there")), "{:?}", bench.names());
    bench.click("Next preset");
    bench.step();
    assert!(!shown(&bench).contains("cannot be opened"));
}

#[test]
fn two_settings_are_compared() {
    let mut bench = Bench::new();
    bench.click("Setting B");
    bench.knobs.values.borrow_mut().set(Param::Ra, 50.0);
    bench.step();
    bench.click("Setting A");
    assert_eq!(bench.value(Param::Ra), 5.0);
    bench.click("Setting A");
    assert_eq!(bench.value(Param::Ra), 5.0, "it sounds already");
    bench.click("Setting B");
    assert_eq!(bench.value(Param::Ra), 50.0);
    bench.click("Copy setting B to A");
    bench.click("Setting A");
    assert_eq!(bench.value(Param::Ra), 50.0);
    gestures(&bench.take_calls());
}

#[test]
fn presets_are_found_by_words_and_opened() {
    let mut bench = Bench::new();
    bench.click("Presets");
    let mut listed = asperity::io::library::shipped();
    // Can be rendered, not played.
    listed.retain(|preset| preset.name != "Twin beams, Dang 2010");
    let names = bench.names();
    assert!(listed.iter().all(|preset| names.contains(&preset.name)));
    bench.harness.event(egui::Event::Text("glass harp".to_owned()));
    bench.step();
    bench.step();
    let names = bench.names();
    let found: Vec<_> = listed.iter().filter(|preset| names.contains(&preset.name)).collect();
    assert!((1..5).contains(&found.len()), "{found:?}");
    let name = found[0].name.clone();
    bench.click(&name);
    assert_eq!(bench.take_calls(), [Call::Open]);
    // Enter opens the first that was found, and the list is gone.
    bench.click("Presets");
    bench.click("Presets");
    let names = bench.names();
    assert!(listed.iter().all(|preset| names.contains(&preset.name)), "a list that is opened again is whole");
    bench.harness.event(egui::Event::Text("washboard".to_owned()));
    bench.step();
    bench.harness.key_press(Key::Enter);
    bench.step();
    bench.step();
    assert_eq!(bench.take_calls(), [Call::Open]);
    assert!(!bench.names().contains(&"Search presets".to_owned()));
}

#[test]
fn the_open_preset_is_named_and_marked_when_knobs_have_moved() {
    let mut bench = Bench::new();
    // The knobs stand at the table's defaults: this opens the one that is named.
    bench.click("Next preset");
    bench.click("Previous preset");
    let shown = |bench: &Bench| bench.harness.get_by_label("Presets").value();
    assert_eq!(shown(&bench).as_deref(), Some("Steel on steel"));
    bench.drag(bench.of(Param::Ra), vec2(0.0, -50.0), Modifiers::NONE);
    bench.step();
    assert_eq!(shown(&bench).as_deref(), Some("Steel on steel, changed"));
}

#[test]
fn a_preset_is_kept_under_the_name_that_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let presets = Presets::with(Some(Library::at(folder.path())));
    let mut bench = Bench::over(vec2(1600.0, 1900.0), 1.0, None, presets);
    bench.drag(bench.of(Param::Ra), vec2(0.0, -50.0), Modifiers::NONE);
    bench.harness.get_by_label("Save preset").click();
    bench.step();
    bench.step();
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    bench.harness.event(egui::Event::Text("Mine".to_owned()));
    bench.step();
    bench.harness.get_by_label("Keep").click();
    bench.step();
    bench.step();
    assert_eq!(bench.harness.get_by_label("Presets").value().as_deref(), Some("Mine"));
    let (kept, _) = Library::at(folder.path()).list();
    assert_eq!(kept.iter().map(|listed| &*listed.name).collect::<Vec<_>>(), ["Mine"]);
    let kept = asperity::instrument::Patch::new(kept[0].open().unwrap()).unwrap();
    assert_eq!(kept.values().get(Param::Ra), bench.value(Param::Ra));
}
