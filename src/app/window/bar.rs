//! The app's own bar: recording, files, devices, what lies below the panel, and what a person should know.

use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{RichText, Ui, vec2};

use super::dialogs::Purpose;
use super::{Below, Window};

/// How long news stand before what the device says.
const TOLD: Duration = Duration::from_secs(15);

impl Window {
    /// `roomy` says whether anything fits below the panel.
    pub fn bar(&mut self, ui: &mut Ui, roomy: bool) {
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
                    let name = self.session.shared.patch().draft().about.name.clone();
                    let name = if name.is_empty() { "preset" } else { &name };
                    self.dialogs.ask(Purpose::Save, &format!("{name}.toml"));
                }
            });
            let page = ui.selectable_label(self.devices.open, "Sound and MIDI");
            if page.on_hover_text("Device, rate, buffer and MIDI inputs, and what a block costs").clicked() {
                self.devices.toggle();
            }
            for (below, name, help) in [
                (Below::Keys, "Keys", "Piano keys below; letters play them, too"),
                (Below::Pad, "Pad", "A pad to rub on with the mouse"),
            ] {
                let lit = roomy && self.below == below;
                let response = ui.add_enabled(roomy, egui::Button::selectable(lit, name));
                let response = response.on_disabled_hover_text("Make the window taller for it");
                if response.on_hover_text(help).clicked() {
                    self.below = if lit { Below::Nothing } else { below };
                }
            }
            let silent = self.session.shared.status().device.is_none();
            let colour = if silent { ui.visuals().warn_fg_color } else { ui.visuals().text_color() };
            let text = RichText::new(self.message()).small().color(colour);
            ui.add(egui::Label::new(text).truncate());
        });
    }

    fn record_button(&mut self, ui: &mut Ui) {
        let recording = self.session.recorder.is_recording();
        let (text, hint) =
            if recording { ("Stop", "End the recording") } else { ("Record", "To a WAV file") };
        let ready = recording || !self.session.recorder.is_busy();
        let button = egui::Button::new(text).selected(recording).min_size(vec2(58.0, 0.0));
        if !ui.add_enabled(ready, button).on_hover_text(hint).clicked() {
            return;
        }
        if recording {
            return self.session.recorder.stop();
        }
        let path = next_recording(&self.recordings);
        self.tell(format!("recording to {}", path.display()));
        self.session.recorder.start(&path);
    }

    /// What a person should know now.
    pub fn message(&self) -> String {
        if let Some(param) = self.session.learned.waiting() {
            return format!("move a MIDI controller for {} (Esc: none)", param.entry().name);
        }
        let fresh = self.told_at.elapsed() < TOLD || self.session.recorder.is_recording();
        if fresh && !self.told.is_empty() { self.told.clone() } else { self.session.shared.status().message }
    }
}

/// The user's music, or home.
pub fn recordings_folder() -> PathBuf {
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
