//! What the window says and remembers of devices.

use egui::accesskit::Role;
use egui::{ViewportCommand, vec2};
use egui_kittest::kittest::Queryable;

use super::Bench;
use crate::app::settings::Settings;
use crate::editor::SMALLEST;

#[test]
fn without_a_device_the_window_says_so_and_everything_has_a_name() {
    for size in [SMALLEST, vec2(1080.0, 792.0)] {
        let mut bench = Bench::with(size);
        // Whatever there is to say about MIDI.
        bench.harness.step();
        assert!(bench.texts().iter().any(|text| text.contains("no sound device answers to nobody")));
        assert_eq!(bench.harness.unnamed_widgets(), Vec::<String>::new());
    }
}

#[test]
fn a_signal_closes_the_window() {
    let mut bench = Bench::new();
    let closes = |bench: &Bench| {
        let output = &bench.harness.output().viewport_output[&egui::ViewportId::ROOT];
        output.commands.contains(&ViewportCommand::Close)
    };
    assert!(!closes(&bench));
    bench.harness.state_mut().stop = Box::new(|| true);
    bench.harness.step();
    assert!(closes(&bench));
}

#[test]
fn the_device_page_says_what_there_is() {
    let mut bench = Bench::new();
    bench.click("Sound and MIDI");
    bench.until(|window| window.devices.found.is_some());
    bench.harness.step();
    let texts = bench.texts();
    assert!(texts.iter().any(|text| text.contains("overruns")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("no sound device answers to nobody")), "{texts:?}");
    assert!(texts.contains(&"Look again".to_owned()) && texts.contains(&"Rate, Hz".to_owned()), "{texts:?}");
}

#[test]
fn rate_and_buffer_are_chosen_in_the_window_and_remembered() {
    let mut bench = Bench::new();
    bench.click("Sound and MIDI");
    assert_eq!(bench.harness.unnamed_widgets(), Vec::<String>::new());
    let file = bench.folder.path().join("app.toml");
    for (list, number) in [("Rate, Hz", "96000"), ("Buffer, samples", "128")] {
        bench.harness.get_by_role_and_label(Role::ComboBox, list).click();
        bench.harness.step();
        bench.harness.step();
        bench.click(number);
    }
    let wish = bench.window().session.wish().clone();
    assert_eq!((wish.rate_hz, wish.buffer), (Some(96_000), Some(128)));
    // At once, not only when the window is closed: machines are switched off.
    bench.until(|window| window.kept.wish == wish);
    let (settings, problems) = Settings::read(&file);
    assert!(problems.0.is_empty());
    assert_eq!(settings.wish, wish);
}

#[test]
fn what_the_command_line_says_is_not_remembered() {
    let Bench { harness, folder } = Bench::new();
    assert!(harness.state().session.wish().device.is_some());
    drop(harness);
    assert!(!folder.path().join("app.toml").exists());
}
