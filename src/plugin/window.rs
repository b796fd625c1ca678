//! The panel in a host's window.

use std::sync::Arc;
use std::time::Duration;

use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::*;
use nice_plug_egui::resizable_window::ResizableWindow;
use nice_plug_egui::{
    EguiEditor, EguiEditorState, EguiNiceSettings, Frame, Key, KeyCapture, NiceEguiApp, RepaintNotifier,
    baseview, create_egui_editor,
};

use super::host_window::{HostWindow, Keys};
use super::knob::Knob;
use super::root::Root;
use crate::editor::{Control, PanelState, SMALLEST, panel};
use crate::instrument::Patch;
use crate::instrument::parameters::{Param, Values};

/// The editor that a host opens and closes as often as it likes.
pub fn editor(root: Arc<Root>) -> Option<EguiEditor<Window>> {
    let [width, height] = root.window();
    let smallest = LogicalSize { width: SMALLEST.x, height: SMALLEST.y };
    let settings = EguiNiceSettings::new()
        .with_tile("Asperity")
        .with_resize_hint(ResizeHint::resizable().with_min_logical_size(smallest));
    let state = EguiEditorState::from_size(LogicalSize { width, height }, 1.0);
    let window = Window { root, panel: PanelState::default(), context: None, wanted: None, host: None };
    create_egui_editor(state, RepaintNotifier::new(), settings, window)
}

pub struct Window {
    root: Arc<Root>,
    panel: PanelState,
    /// While it is open.
    context: Option<GuiContext>,
    /// Size that the project was saved with and the host has yet to be asked for.
    wanted: Option<[f32; 2]>,
    host: Option<HostWindow>,
}

/// How often a window that is not seen asks whether it is.
const UNSEEN: Duration = Duration::from_millis(200);

/// Keys that lead from one control to the next and turn it.
const TURNING: [&str; 11] = [
    "Backspace",
    "Tab",
    "Enter",
    "Escape",
    "ArrowLeft",
    "ArrowUp",
    "ArrowRight",
    "ArrowDown",
    "PageUp",
    "PageDown",
    "Delete",
];

impl NiceEguiApp for Window {
    fn build(
        &mut self,
        _egui: egui::Context,
        context: GuiContext,
        frame: &mut Frame,
    ) -> Result<(), baseview::HandlerError> {
        self.root.window_threads.count_this_one();
        self.context = Some(context);
        self.wanted = Some(self.root.window());
        self.host = HostWindow::around(frame.baseview_window());
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut Frame) {
        let Some(context) = self.context.clone() else { return };
        if let Some(wanted) = self.wanted.take().map(egui::Vec2::from)
            && (wanted - ui.ctx().content_rect().size()).abs().max_elem() >= 1.0
        {
            ui.send_viewport_cmd(egui::ViewportCommand::InnerSize(wanted));
        }
        let keys = whose_keys(ui.ctx());
        frame.set_key_capture(match keys {
            Keys::Panel => KeyCapture::CaptureAll,
            Keys::Turning => KeyCapture::CaptureKeys(turning_keys()),
            Keys::Host => KeyCapture::IgnoreAll,
        });
        if let Some(host) = &mut self.host {
            host.hand_on(keys);
            if !host.is_seen() {
                return ui.request_repaint_after(UNSEEN);
            }
        }
        if keys != Keys::Panel {
            // Hosts play and stop with it: then nothing here may be pressed by it as well.
            ui.input_mut(|input| input.events.retain(|event| !is_space(event)));
        }
        let Self { root, panel: state, .. } = self;
        let knobs = Knobs { root, context: &context };
        ResizableWindow::new("size").min_size(SMALLEST).show(ui, |ui| {
            root.with_viewer(|viewer| panel(ui, state, &knobs, viewer));
        });
    }

    fn resized(&mut self, size: baseview::WindowSize) {
        let logical = size.logical;
        let size = [logical.width as f32, logical.height as f32];
        self.root.set_window(size);
    }
}

/// Keys are the host's unless something is being typed, or a control has been chosen by keyboard.
fn whose_keys(ctx: &egui::Context) -> Keys {
    if ctx.text_edit_focused() {
        Keys::Panel
    } else if ctx.egui_wants_keyboard_input() {
        Keys::Turning
    } else {
        Keys::Host
    }
}

fn turning_keys() -> Vec<Key> {
    TURNING.into_iter().filter_map(|name| name.parse().ok()).collect()
}

fn is_space(event: &egui::Event) -> bool {
    matches!(event, egui::Event::Key { key: egui::Key::Space, .. })
}

/// The host's parameters as the panel turns them.
struct Knobs<'a> {
    root: &'a Root,
    context: &'a GuiContext,
}

impl Control for Knobs<'_> {
    fn value(&self, param: Param) -> f64 {
        self.root.set_value(param)
    }

    fn begin(&self, param: Param) {
        let setter = self.context.param_setter();
        match self.root.panel.knob(param) {
            Knob::Float(knob) => setter.begin_set_parameter(knob),
            Knob::Whole(knob) => setter.begin_set_parameter(knob),
            Knob::Switch(knob) => setter.begin_set_parameter(knob),
        }
    }

    fn set(&self, param: Param, value: f64) {
        self.root.remember(param, value);
        let share = param.entry().normalise(value) as f32;
        let setter = self.context.param_setter();
        match self.root.panel.knob(param) {
            Knob::Float(knob) => setter.set_parameter_normalized(knob, share),
            Knob::Whole(knob) => setter.set_parameter_normalized(knob, share),
            Knob::Switch(knob) => setter.set_parameter_normalized(knob, share),
        }
    }

    fn end(&self, param: Param) {
        let setter = self.context.param_setter();
        match self.root.panel.knob(param) {
            Knob::Float(knob) => setter.end_set_parameter(knob),
            Knob::Whole(knob) => setter.end_set_parameter(knob),
            Knob::Switch(knob) => setter.end_set_parameter(knob),
        }
    }

    fn preset(&self) -> String {
        self.root.patch().map(|patch| patch.draft().to_toml()).unwrap_or_default()
    }

    fn presets_opened(&self) -> u64 {
        self.root.presets_opened()
    }

    fn trouble(&self) -> Option<String> {
        self.root.trouble()
    }

    fn open(&self, preset: &str, values: &Values) {
        // Not by the framework's way of setting a state, which would read the preset on the audio thread.
        let Ok(patch) = Patch::from_toml(preset, "preset") else { return };
        self.root.open(patch, values);
        for param in Param::all() {
            self.begin(param);
            self.set(param, values.get(param));
            self.end(param);
        }
    }
}
