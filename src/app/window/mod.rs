//! The app's window: the panel in the middle, a bar for files and recording above it, keys or the rubbing pad
//! below it. Everything that sounds is the session's; closing the window ends it.

mod control;
mod device_page;
mod dialogs;
mod keys;
mod pad;

use std::path::{Path, PathBuf};

use eframe::egui::{
    self, CentralPanel, Frame, Key, Panel, RichText, Ui, ViewportBuilder, ViewportCommand, vec2,
};

use self::control::Held;
use self::device_page::DevicePage;
use self::dialogs::{Dialogs, Purpose};
use self::keys::Keys;
use self::pad::Pad;
use super::files;
use super::session::Session;
use super::settings;
use crate::editor::{PanelState, SMALLEST, USUAL, panel};
use crate::error::Error;
use crate::instrument::Viewer;
use crate::instrument::parameters::Param;

const TITLE: &str = "Asperity";
const BAR: f32 = 28.0;
const KEYS: f32 = 64.0;
/// Below this height the keys make room for the panel.
const ROOMY: f32 = 520.0;
/// Files that one drop may bring.
const MOST_DROPPED: usize = 16;

/// What lies below the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Keys,
    Pad,
    Nothing,
}

/// Opens the window and returns when it is closed, by the user or because `stop` says so.
pub fn run(session: Session, stop: Box<dyn Fn() -> bool>) -> Result<(), Error> {
    let room = vec2(0.0, BAR);
    let viewport = ViewportBuilder::default()
        .with_title(TITLE)
        .with_app_id("asperity")
        .with_inner_size(USUAL + vec2(0.0, BAR + KEYS))
        .with_min_inner_size(SMALLEST + room)
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let window = Window::new(session, stop);
    eframe::run_native(TITLE, options, Box::new(|_| Ok(Box::new(window)))).map_err(|why| {
        Error::Other(format!("no window can be opened: {why}; `asperity play --headless` needs none"))
    })
}

struct Window {
    session: Session,
    stop: Box<dyn Fn() -> bool>,
    viewer: Option<Viewer>,
    panel: PanelState,
    devices: DevicePage,
    dialogs: Dialogs,
    keys: Keys,
    pad: Pad,
    below: Below,
    /// What the last action came to, until the next.
    told: String,
}

impl Window {
    fn new(session: Session, stop: Box<dyn Fn() -> bool>) -> Self {
        Self {
            session,
            stop,
            viewer: None,
            panel: PanelState::default(),
            devices: DevicePage::default(),
            dialogs: Dialogs::default(),
            keys: Keys::default(),
            pad: Pad::default(),
            below: Below::Keys,
            told: String::new(),
        }
    }

    /// Everything that happens whether it is drawn or not.
    fn tend(&mut self, ui: &Ui) {
        if (self.stop)() {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        }
        // A device of another rate brings another instrument to look at.
        if let Some(viewer) = self.session.shared.take_viewer() {
            self.viewer = Some(viewer);
        }
        if let Some(trouble) = self.session.look_for_midi().into_iter().next() {
            self.told = trouble;
        }
        if let Some(outcome) = self.session.recorder.take_outcome() {
            self.told = outcome.message;
        }
        if let Some((purpose, path)) = self.dialogs.answer() {
            match purpose {
                Purpose::Open => self.open(&path),
                Purpose::Save => self.save(path),
            }
        }
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        for file in dropped.iter().take(MOST_DROPPED) {
            self.open(file.path());
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.session.learned.cancel();
        }
        let Self { keys, session, .. } = self;
        if ui.ctx().text_edit_focused() {
            keys.release(&mut |event| session.send(event));
        } else {
            keys.letters(ui, &mut |event| session.send(event));
        }
    }

    /// A preset, or a measured profile for the surface.
    fn open(&mut self, path: &Path) {
        let shared = &self.session.shared;
        self.told = match files::open(path, &shared.patch(), &shared.knobs.values()) {
            Ok(opened) => {
                let values = *opened.patch.values();
                shared.open(&opened.text, opened.patch, &values);
                format!("opened {}", path.display())
            }
            Err(error) => error.to_string(),
        };
    }

    fn save(&mut self, mut path: PathBuf) {
        if path.extension().is_none() {
            path.set_extension(files::PRESET_ENDINGS[0]);
        }
        let shared = &self.session.shared;
        self.told = match files::save(&path, &shared.patch(), &shared.knobs.values()) {
            Ok(_) => format!("saved {}", path.display()),
            Err(error) => error.to_string(),
        };
    }

    fn bar(&mut self, ui: &mut Ui) {
        ui.horizontal_centered(|ui| {
            self.record_button(ui);
            ui.add_enabled_ui(!self.dialogs.is_open(), |ui| {
                if ui
                    .button("Open…")
                    .on_hover_text("A preset or a measured profile; or drop it here")
                    .clicked()
                {
                    self.dialogs.ask(Purpose::Open, "");
                }
                if ui.button("Save…").on_hover_text("The preset with its knobs as they stand").clicked() {
                    self.dialogs.ask(Purpose::Save, "preset.toml");
                }
            });
            if ui.selectable_label(self.devices.open, "Sound and MIDI").clicked() {
                self.devices.toggle();
            }
            for (below, name) in [(Below::Keys, "Keys"), (Below::Pad, "Pad")] {
                if ui.selectable_label(self.below == below, name).clicked() {
                    self.below = if self.below == below { Below::Nothing } else { below };
                }
            }
            ui.add(egui::Label::new(RichText::new(self.message()).small()).truncate());
        });
    }

    fn record_button(&mut self, ui: &mut Ui) {
        let recording = self.session.recorder.is_recording();
        let (text, hint) =
            if recording { ("Stop", "End the recording") } else { ("Record", "To a WAV file") };
        let ready = recording || !self.session.recorder.is_busy();
        let button = egui::Button::selectable(recording, text);
        if !ui.add_enabled(ready, button).on_hover_text(hint).clicked() {
            return;
        }
        if recording {
            return self.session.recorder.stop();
        }
        let path = next_recording(&recordings_folder());
        self.told = format!("recording to {}", path.display());
        self.session.recorder.start(&path);
    }

    /// What a person should know now.
    fn message(&self) -> String {
        if let Some(param) = self.session.learned.waiting() {
            return format!("move a MIDI controller for {} (Esc: none)", param.entry().name);
        }
        let status = self.session.shared.status();
        match (&status.device, self.told.is_empty()) {
            (None, _) | (_, true) => status.message,
            _ => self.told.clone(),
        }
    }

    fn play_area(&mut self, ui: &mut Ui) {
        let Self { session, keys, pad, .. } = self;
        match self.below {
            Below::Keys => keys.show(ui, KEYS, &mut |event| session.send(event)),
            Below::Pad => {
                let value = |param: Param| session.shared.knobs.get(param);
                let way_m = (value(Param::Length) - value(Param::SliderLength)).max(1e-3);
                let turns = pad.show(ui, KEYS, way_m, &value);
                turns.into_iter().for_each(|(param, value)| session.set(param, value));
            }
            Below::Nothing => {}
        }
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.tend(ui);
        Panel::top("bar").exact_size(BAR).show(ui, |ui| self.bar(ui));
        let roomy = ui.max_rect().height() > ROOMY;
        if self.below != Below::Pad || !roomy {
            for (param, value) in self.pad.close() {
                self.session.set(param, value);
            }
        }
        if self.below != Below::Nothing && roomy {
            Panel::bottom("play").frame(Frame::NONE).exact_size(KEYS).show(ui, |ui| self.play_area(ui));
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            panel(ui, &mut self.panel, &Held(&self.session), self.viewer.as_mut());
        });
        if self.devices.open {
            self.devices.show(ui, &mut self.session);
        }
    }
}

/// Device, inputs and learned controllers are for the next time, too.
impl Drop for Window {
    fn drop(&mut self) {
        if let Some(path) = settings::path() {
            // A folder that cannot be written costs the choices and nothing else.
            let _ = self.session.settings().save(&path);
        }
    }
}

fn recordings_folder() -> PathBuf {
    dirs::audio_dir().filter(|folder| folder.is_dir()).or_else(dirs::home_dir).unwrap_or_default()
}

/// The first free name.
fn next_recording(folder: &Path) -> PathBuf {
    let path = |n: u32| folder.join(format!("asperity {n}.wav"));
    let free = |n: &u32| !path(*n).exists() && !path(*n).with_extension("wav.part").exists();
    path((1..).find(free).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_never_overwrite() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(next_recording(folder.path()), folder.path().join("asperity 1.wav"));
        for name in ["asperity 1.wav", "asperity 2.wav.part"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        assert_eq!(next_recording(folder.path()), folder.path().join("asperity 3.wav"));
    }
}
