//! Keys, pad, recording and MIDI learn.

use std::time::Duration;

use egui::{Key, vec2};
use egui_kittest::kittest::Queryable;

use super::super::Window;
use super::Bench;
use crate::app::mail::mail;
use crate::app::midi::Route;
use crate::app::settings::Settings;
use crate::editor::full_name;
use crate::instrument::parameters::Param;
use crate::io::wav::read_wav;

#[test]
fn one_click_records_and_another_ends_it() {
    let mut bench = Bench::new();
    bench.click(&full_name(Param::Drone));
    bench.click("Record");
    assert!(bench.window().message().contains("recording to"), "{}", bench.window().message());
    let blocks = |window: &Window| window.session.shared.meters.read().blocks;
    let begun = blocks(bench.window());
    bench.until(|window| blocks(window) > begun + 40);
    bench.click("Stop");
    bench.until(|window| !window.session.recorder.is_busy());
    let sound = read_wav(&bench.folder.path().join("asperity 1.wav")).unwrap();
    let samples = &sound.channels[0];
    assert!(samples.len() > 10_000 && samples.iter().any(|sample| *sample != 0.0), "{}", samples.len());
    bench.click("Record");
    bench.click("Stop");
    bench.until(|window| !window.session.recorder.is_busy());
    assert!(bench.folder.path().join("asperity 2.wav").exists(), "the first is kept");
}

#[test]
fn a_right_click_learns_the_controller_that_moves_next() {
    let mut bench = Bench::new();
    let name = full_name(Param::Lc);
    bench.harness.get_by_label(&name).click_secondary();
    bench.harness.step();
    bench.harness.step();
    bench.click("Learn a MIDI controller");
    assert!(bench.window().message().contains("move a MIDI controller"), "{}", bench.window().message());
    let session = &bench.window().session;
    let (mail, _events) = mail();
    let route = Route { mail, learned: session.learned.clone(), shared: session.shared.clone() };
    route.take(&[0xB3, 74, 127]);
    let (_, largest) = Param::Lc.entry().range();
    assert_eq!(bench.value(Param::Lc), largest);
    bench.harness.get_by_label(&name).click_secondary();
    bench.harness.step();
    bench.harness.step();
    assert!(bench.texts().contains(&"controller 74, channel 4".to_owned()), "{:?}", bench.texts());
    bench.click("Forget");
    route.take(&[0xB3, 74, 0]);
    assert_eq!(bench.value(Param::Lc), largest);
    // What was learned is remembered.
    bench.window().session.learned.wait_for(Param::V);
    route.take(&[0xB0, 1, 64]);
    let Bench { harness, folder } = bench;
    drop(harness);
    let (settings, problems) = Settings::read(&folder.path().join("app.toml"));
    assert!(problems.0.is_empty());
    assert_eq!(settings.learned.into_iter().collect::<Vec<_>>(), [((0, 1), Param::V)]);
}

#[test]
fn rubbing_the_pad_sounds_and_leaves_the_knobs_as_they_were() {
    let mut bench = Bench::new();
    let before = bench.window().session.shared.knobs.values();
    bench.click("Pad");
    let pad = bench.harness.get_by_label("Rubbing pad").rect();
    let at = |share: f32| pad.left_top() + vec2(share * pad.width(), 0.4 * pad.height());
    bench.harness.hover_at(at(0.2));
    bench.harness.drag_at(at(0.2));
    for n in 0..20 {
        bench.harness.hover_at(at(0.2 + 0.03 * n as f32));
        bench.harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!((bench.value(Param::Scrub) - 0.77).abs() < 0.01, "{}", bench.value(Param::Scrub));
    assert!(bench.value(Param::V) > 0.1 && bench.value(Param::Drone) == 1.0);
    bench.until(|window| window.session.shared.meters.read().sounding == 1);
    bench.harness.drop_at(at(0.77));
    bench.harness.step();
    bench.harness.step();
    assert_eq!(bench.value(Param::Drone), 0.0);
    bench.click("Pad");
    let after = bench.window().session.shared.knobs.values();
    let moved = |param: &Param| after.get(*param) != before.get(*param);
    assert_eq!(Param::all().filter(moved).collect::<Vec<_>>(), [Param::Scrub]);
}

#[test]
fn arrow_keys_rub_the_pad_once_it_is_chosen() {
    let mut bench = Bench::new();
    bench.click("Pad");
    bench.harness.get_by_label("Rubbing pad").focus();
    bench.harness.step();
    bench.harness.step();
    let before = bench.value(Param::Scrub);
    bench.harness.key_down(Key::ArrowRight);
    for _ in 0..30 {
        bench.harness.step();
    }
    assert!(bench.value(Param::Drone) == 1.0 && bench.value(Param::V) > 0.05, "{}", bench.value(Param::V));
    let there = bench.value(Param::Scrub);
    assert!((0.55..0.9).contains(&there), "from {before} to {there}");
    bench.harness.key_up(Key::ArrowRight);
    bench.harness.step();
    bench.harness.step();
    assert_eq!((bench.value(Param::Drone), bench.value(Param::Scrub)), (0.0, there));
}

#[test]
fn letters_play_unless_a_text_is_typed_and_command_z_undoes() {
    let mut bench = Bench::new();
    let sounding = |window: &Window| window.session.shared.meters.read().sounding;
    bench.harness.key_down(Key::A);
    bench.harness.step();
    bench.until(|window| sounding(window) == 1);
    bench.harness.key_up(Key::A);
    bench.harness.step();
    bench.click("Type Roughness Ra");
    bench.harness.key_down(Key::S);
    bench.harness.step();
    assert!(bench.window().keys.held.iter().all(Option::is_none));
    bench.harness.key_up(Key::S);
    bench.harness.event(egui::Event::Text("33".to_owned()));
    bench.harness.step();
    bench.harness.key_press(Key::Enter);
    bench.harness.step();
    bench.harness.step();
    assert_eq!(bench.value(Param::Ra), 33.0);
    bench.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    bench.harness.step();
    assert_eq!(bench.value(Param::Ra), Param::Ra.entry().default());
}
