//! Presets, comparison, undo and redo.

use crate::bench::{Bench, Call, gestures};
use asperity::editor::full_name;
use asperity::instrument::parameters::Param;
use egui::{Modifiers, vec2};

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
    let listed = asperity::io::library::shipped();
    let names = bench.names();
    assert!(listed.iter().all(|preset| names.contains(&preset.name)));
    bench.click("Search presets");
    bench.harness.event(egui::Event::Text("glass harp".to_owned()));
    bench.step();
    bench.step();
    let names = bench.names();
    let found: Vec<_> = listed.iter().filter(|preset| names.contains(&preset.name)).collect();
    assert!((1..5).contains(&found.len()), "{found:?}");
    let name = found[0].name.clone();
    bench.click(&name);
    assert!(bench.take_calls().contains(&Call::Open));
}
