//! The window without a display: pointer, keys and files in, knobs and sound out.

use std::path::Path;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use super::*;
use crate::app::mail::mail;
use crate::app::midi::Route;
use crate::app::output::Wish;
use crate::app::settings::Settings;
use crate::editor::{Presets, full_name};
use crate::instrument::Patch;
use crate::io::wav::read_wav;

impl Window {
    /// As eframe does.
    fn frame(ui: &mut Ui, window: &mut Self) {
        window.tend(ui.ctx());
        window.draw(ui);
    }
}

struct Bench {
    harness: Harness<'static, Window>,
    folder: tempfile::TempDir,
}

impl Bench {
    /// The window of a player that has no device and nobody's settings.
    fn new() -> Self {
        Self::with(vec2(1400.0, 1900.0))
    }

    fn with(size: egui::Vec2) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let patch = Patch::preset(crate::scene::DEFAULT_PRESET).unwrap();
        let (text, values) = (patch.draft().to_toml(), *patch.values());
        let wish = Wish { device: Some("nobody".to_owned()), ..Wish::default() };
        let settings = Settings { wish, ..Settings::default() };
        let session = Session::start(text, patch, &values, &settings, None).unwrap();
        let mut window = Window::new(session, Box::new(|| false));
        window.panel = PanelState::new(Presets::with(None));
        window.recordings = folder.path().to_owned();
        window.remembered = Some(folder.path().join("app.toml"));
        let harness =
            Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).build_ui_state(Window::frame, window);
        let mut bench = Self { harness, folder };
        bench.until(|window| !window.session.shared.status().message.is_empty());
        bench
    }

    fn window(&self) -> &Window {
        self.harness.state()
    }

    fn value(&self, param: Param) -> f64 {
        self.window().session.shared.knobs.get(param)
    }

    fn click(&mut self, name: &str) {
        self.harness.get_by_label(name).click();
        self.harness.step();
        self.harness.remove_cursor();
        self.harness.step();
    }

    /// Frames until something is so.
    fn until(&mut self, so: impl Fn(&Window) -> bool) {
        let begin = Instant::now();
        while !so(self.harness.state()) {
            assert!(begin.elapsed() < Duration::from_secs(20), "{}", self.harness.state().message());
            std::thread::sleep(Duration::from_millis(5));
            self.harness.step();
        }
    }

    fn drop_file(&mut self, path: &Path) {
        self.harness.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path.to_owned())));
        self.harness.step();
    }

    /// What stands in the window.
    fn texts(&self) -> Vec<String> {
        let nodes = self.harness.root().children_recursive();
        let text = |node: egui_kittest::Node<'_>| {
            let node = node.accesskit_node();
            node.label().or_else(|| node.value())
        };
        nodes.filter_map(text).collect()
    }

    fn preset(&self, name: &str) -> std::path::PathBuf {
        let text = crate::scene::presets().iter().find(|preset| preset.name == name).unwrap().text;
        let path = self.folder.path().join(format!("{name}.toml"));
        std::fs::write(&path, text).unwrap();
        path
    }
}

#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("only its path is asked for".to_owned())
    }
}

#[test]
fn without_a_device_the_window_says_so_and_everything_has_a_name() {
    for size in [SMALLEST, vec2(1080.0, 792.0)] {
        let mut bench = Bench::with(size);
        // Whatever is said about MIDI has been read.
        bench.harness.state_mut().told.clear();
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
