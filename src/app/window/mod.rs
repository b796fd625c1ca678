//! The app's window: the panel in the middle, a bar for files and recording above it, keys or the rubbing pad
//! below it. Everything that sounds is the session's; closing the window ends it.

mod bar;
mod control;
mod device_page;
mod dialogs;
mod keys;
mod pad;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui::{
    CentralPanel, Context, Frame, Key, Panel, StrokeKind, Ui, ViewportBuilder, ViewportCommand, vec2,
};

use self::control::Held;
use self::device_page::DevicePage;
use self::dialogs::{Answer, Dialogs, Purpose};
use self::keys::Keys;
use self::pad::Pad;
use super::files;
use super::session::Session;
use super::settings::{self, Settings};
use crate::editor::{PanelState, SMALLEST, USUAL, panel};
use crate::error::Error;
use crate::instrument::Viewer;
use crate::instrument::parameters::Param;

const TITLE: &str = "Asperity";
const BAR: f32 = 28.0;
const KEYS: f32 = 64.0;
/// The pad's share of the window's height, and how high it is at most.
const PAD_SHARE: f32 = 0.17;
const HIGHEST_PAD: f32 = 200.0;
/// Below this height the keys make room for the panel.
const ROOMY: f32 = 548.0;
/// How often a window that is not seen looks after its session.
const TEND_EVERY: Duration = Duration::from_millis(100);
/// How often choices are looked at that may have to be kept.
const KEEP_EVERY: Duration = Duration::from_secs(1);
/// Files that one drop may bring.
const MOST_DROPPED: usize = 16;

const NO_DIALOG: &str = "this system has no file dialog (neither a desktop portal nor zenity): drop files on \
     the window, and save with the button beside the preset's name";

/// What lies below the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Keys,
    Pad,
    Nothing,
}

/// Opens the window and returns when it is closed, by the user or because `stop` says so.
pub fn run(session: Session, stop: Box<dyn Fn() -> bool>) -> Result<(), Error> {
    let viewport = ViewportBuilder::default()
        .with_title(TITLE)
        .with_app_id("asperity")
        .with_inner_size(USUAL + vec2(0.0, BAR + KEYS))
        .with_min_inner_size(SMALLEST)
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
    /// What the last action came to, until the next, and since when.
    told: String,
    told_at: Instant,
    /// What the device said at the last look.
    heard: String,
    /// Where recordings go, and where choices are kept.
    recordings: PathBuf,
    remembered: Option<PathBuf>,
    /// Choices as they stood at the start, or when they were kept last, and when they were looked at.
    kept: Settings,
    kept_at: Instant,
}

impl Window {
    fn new(session: Session, stop: Box<dyn Fn() -> bool>) -> Self {
        Self {
            kept: session.settings(),
            kept_at: Instant::now(),
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
            told_at: Instant::now(),
            heard: String::new(),
            recordings: bar::recordings_folder(),
            remembered: settings::path(),
        }
    }

    /// Everything that happens whether the window is seen or not.
    fn tend(&mut self, ctx: &Context) {
        if (self.stop)() {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
        if ctx.input(|input| input.viewport().visible() == Some(false)) {
            self.keys.release(&mut |event| self.session.send(event));
        }
        // A device of another rate brings another instrument to look at.
        if let Some(viewer) = self.session.shared.take_viewer() {
            self.viewer = Some(viewer);
        }
        if let Some(trouble) = self.session.look_for_midi().into_iter().next() {
            self.tell(trouble);
        }
        if let Some(outcome) = self.session.recorder.take_outcome() {
            self.tell(outcome.message);
        }
        self.hear_of_devices();
        if self.kept_at.elapsed() >= KEEP_EVERY {
            self.keep_choices();
        }
        ctx.request_repaint_after(TEND_EVERY);
    }

    /// That there is no device any more is what a person should know first, whatever was told before.
    fn hear_of_devices(&mut self) {
        let status = self.session.shared.status();
        if status.device.is_none() && status.message != self.heard {
            self.told.clear();
        }
        self.heard = status.message;
    }

    /// Device, inputs and learned controllers are for the next time, too, once somebody has changed them here: what
    /// only the command line says is for this time.
    fn keep_choices(&mut self) {
        self.kept_at = Instant::now();
        let choices = self.session.settings();
        if let Some(path) = self.remembered.as_ref().filter(|_| choices != self.kept) {
            // A folder that cannot be written costs the choices and nothing else.
            let _ = choices.save(path);
        }
        self.kept = choices;
    }

    /// What hands did since the last frame, but for the panel.
    fn take_input(&mut self, ui: &Ui) {
        match self.dialogs.answer() {
            Some(Answer::Chosen(Purpose::Open, path)) => self.open(&path),
            Some(Answer::Chosen(Purpose::Save, path)) => self.save(path),
            Some(Answer::NoDialog) => self.tell(NO_DIALOG.to_owned()),
            Some(Answer::Cancelled) | None => {}
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

    fn tell(&mut self, told: String) {
        (self.told, self.told_at) = (told, Instant::now());
    }

    /// A preset, or a measured profile for the surface.
    fn open(&mut self, path: &Path) {
        let shared = &self.session.shared;
        let told = match files::open(path, &shared.patch(), &shared.knobs.values()) {
            Ok(opened) => {
                self.panel.open(&Held(&self.session), &opened.text, opened.patch.values());
                format!("opened {}", path.display())
            }
            Err(error) => error.to_string(),
        };
        self.tell(told);
    }

    fn save(&mut self, mut path: PathBuf) {
        if path.extension().is_none() {
            path.set_extension(files::PRESET_ENDINGS[0]);
        }
        let shared = &self.session.shared;
        let values = shared.knobs.values();
        let told = match files::save(&path, &shared.patch(), &values) {
            Ok(text) => {
                self.panel.open(&Held(&self.session), &text, &values);
                format!("saved {}", path.display())
            }
            Err(error) => error.to_string(),
        };
        self.tell(told);
    }

    fn play_area(&mut self, ui: &mut Ui, height: f32) {
        let Self { session, keys, pad, .. } = self;
        match self.below {
            Below::Keys => keys.show(ui, height, &mut |event| session.send(event)),
            Below::Pad => {
                let value = |param: Param| session.shared.knobs.get(param);
                let way_m = (value(Param::Length) - value(Param::SliderLength)).max(1e-3);
                let turns = pad.show(ui, height, way_m, &value);
                turns.into_iter().for_each(|(param, value)| session.set(param, value));
            }
            Below::Nothing => {}
        }
    }

    /// One frame.
    fn draw(&mut self, ui: &mut Ui) {
        self.take_input(ui);
        let roomy = ui.max_rect().height() > ROOMY;
        Panel::top("bar").exact_size(BAR).show(ui, |ui| self.bar(ui, roomy));
        if self.below != Below::Pad || !roomy {
            for (param, value) in self.pad.close() {
                self.session.set(param, value);
            }
        }
        if self.below != Below::Nothing && roomy {
            let height = match self.below {
                Below::Pad => (PAD_SHARE * ui.max_rect().height()).clamp(KEYS, HIGHEST_PAD),
                Below::Keys | Below::Nothing => KEYS,
            };
            Panel::bottom("play")
                .frame(Frame::NONE)
                .exact_size(height)
                .show(ui, |ui| self.play_area(ui, height));
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            panel(ui, &mut self.panel, &Held(&self.session), self.viewer.as_mut());
        });
        if self.devices.open {
            self.devices.show(ui, &mut self.session);
        }
        if ui.input(|input| !input.raw.hovered_files.is_empty()) {
            ui.painter().rect_stroke(ui.max_rect(), 0, ui.visuals().selection.stroke, StrokeKind::Inside);
        }
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        self.tend(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.draw(ui);
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.keep_choices();
    }
}

#[cfg(test)]
mod tests;
