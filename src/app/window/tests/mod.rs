//! The window without a display: pointer, keys and files in, knobs and sound out.

use std::path::Path;
use std::time::{Duration, Instant};

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use super::*;
use crate::app::output::Wish;
use crate::editor::Presets;
use crate::instrument::Patch;

mod choices;
mod cost;
mod files;
mod playing;

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
