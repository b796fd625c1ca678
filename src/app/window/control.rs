//! The session as the panel knows it: knobs, presets, and MIDI learn on a right-click.

use egui::Ui;

use crate::app::session::Session;
use crate::editor::Control;
use crate::instrument::Patch;
use crate::instrument::parameters::{Param, Values};

pub struct Held<'a>(pub &'a Session);

impl Control for Held<'_> {
    fn value(&self, param: Param) -> f64 {
        self.0.shared.knobs.get(param)
    }

    // Hosts record where a hand begins and ends; here nobody does.
    fn begin(&self, _: Param) {}

    fn set(&self, param: Param, value: f64) {
        self.0.set(param, value);
    }

    fn end(&self, _: Param) {}

    fn preset(&self) -> String {
        self.0.shared.preset()
    }

    fn presets_opened(&self) -> u64 {
        self.0.shared.presets_opened()
    }

    fn open(&self, preset: &str, values: &Values) {
        // The panel has checked it.
        if let Ok(patch) = Patch::from_toml(preset, "preset") {
            self.0.shared.open(preset, patch, values);
        }
    }

    fn owns_keys(&self) -> bool {
        true
    }

    fn has_menu(&self) -> bool {
        true
    }

    fn menu(&self, param: Param, ui: &mut Ui) {
        let learned = &self.0.learned;
        if ui.button("Learn a MIDI controller").clicked() {
            learned.wait_for(param);
            ui.close();
        }
        let controllers = learned.controllers(param);
        if controllers.is_empty() {
            return;
        }
        for (channel, number) in &controllers {
            ui.label(format!("controller {number}, channel {}", channel + 1));
        }
        if ui.button("Forget").clicked() {
            learned.forget(param);
            ui.close();
        }
    }
}
