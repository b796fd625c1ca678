//! The page on which device, rate, buffer and MIDI inputs are chosen, with what the callback says of itself.

use std::sync::mpsc::{Receiver, channel};

use egui::{ComboBox, Grid, Ui};

use crate::app::midi::Inputs;
use crate::app::session::Session;
use crate::app::{devices, midi};

const RATES_HZ: [u32; 6] = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000];
const BUFFERS: [u32; 7] = [32, 64, 128, 256, 512, 1024, 2048];
const OWN: &str = "as the device has it";

/// What is there, asked in the background: sound servers may take seconds to answer.
pub struct Found {
    /// Ids and names.
    outputs: Vec<(String, String)>,
    inputs: Result<Vec<String>, String>,
}

#[derive(Default)]
pub struct DevicePage {
    pub open: bool,
    asked: Option<Receiver<Found>>,
    pub found: Option<Found>,
}

impl DevicePage {
    /// Opens with a fresh look at what is there, or closes.
    pub fn toggle(&mut self) {
        self.open = !self.open;
        if self.open {
            self.ask();
        }
    }

    fn ask(&mut self) {
        let (sender, asked) = channel();
        self.asked = Some(asked);
        std::thread::spawn(move || {
            let outputs = devices::outputs().into_iter().map(|output| (output.id, output.name)).collect();
            // A window that is closed by now does not wait for it.
            let _ = sender.send(Found { outputs, inputs: midi::names() });
        });
    }

    pub fn show(&mut self, ui: &mut Ui, session: &mut Session) {
        if let Some(found) = self.asked.as_ref().and_then(|asked| asked.try_recv().ok()) {
            (self.found, self.asked) = (Some(found), None);
        }
        let mut open = self.open;
        let window = egui::Window::new("Sound and MIDI").open(&mut open).default_pos([120.0, 60.0]);
        window.resizable(false).show(ui.ctx(), |ui| {
            self.audio(ui, session);
            ui.separator();
            self.midi(ui, session);
            ui.separator();
            figures(ui, session);
            if ui.button("Look again").clicked() {
                self.ask();
            }
        });
        self.open = open;
    }

    fn audio(&self, ui: &mut Ui, session: &mut Session) {
        let old = session.wish().clone();
        let mut wish = old.clone();
        Grid::new("audio").num_columns(2).show(ui, |ui| {
            let label = ui.label("Device");
            let outputs = self.found.as_ref().map(|found| &found.outputs[..]).unwrap_or_default();
            let name = |id: &str| outputs.iter().find(|(known, _)| known == id).map(|(_, name)| name.clone());
            let shown = wish
                .device
                .as_ref()
                .map_or("the system's own".to_owned(), |id| name(id).unwrap_or(id.clone()));
            let list = ComboBox::from_id_salt("device").width(260.0).selected_text(shown);
            let list = list.show_ui(ui, |ui| {
                ui.selectable_value(&mut wish.device, None, "the system's own");
                for (id, name) in outputs {
                    ui.selectable_value(&mut wish.device, Some(id.clone()), format!("{name} ({id})"));
                }
                if self.asked.is_some() {
                    ui.label("looking …");
                }
            });
            list.response.labelled_by(label.id);
            ui.end_row();
            choice(ui, "Rate, Hz", &RATES_HZ, &mut wish.rate_hz);
            choice(ui, "Buffer, samples", &BUFFERS, &mut wish.buffer);
        });
        ui.label(session.shared.status().message);
        if wish != old {
            session.open_device(wish);
        }
    }

    fn midi(&self, ui: &mut Ui, session: &mut Session) {
        let inputs = match self.found.as_ref().map(|found| &found.inputs) {
            None => return drop(ui.label("looking for MIDI inputs …")),
            Some(Err(why)) => return drop(ui.label(why)),
            Some(Ok(names)) if names.is_empty() => return drop(ui.label("no MIDI input")),
            Some(Ok(names)) => names,
        };
        let mut all = *session.inputs() == Inputs::All;
        if ui.checkbox(&mut all, "all MIDI inputs, also those that come later").changed() {
            session.open_midi(if all { Inputs::All } else { Inputs::Named(session.midi_names()) });
        }
        for name in inputs {
            let mut on = session.inputs().any_of(std::slice::from_ref(name));
            if ui.add_enabled(!all, egui::Checkbox::new(&mut on, name)).changed() {
                session.open_midi(session.inputs().switched(name, on, inputs));
            }
        }
    }
}

fn choice(ui: &mut Ui, label: &str, offered: &[u32], chosen: &mut Option<u32>) {
    let name = ui.label(label);
    let shown = chosen.map_or(OWN.to_owned(), |number| number.to_string());
    let list = ComboBox::from_id_salt(label).selected_text(shown).show_ui(ui, |ui| {
        ui.selectable_value(chosen, None, OWN);
        for number in offered {
            ui.selectable_value(chosen, Some(*number), number.to_string());
        }
    });
    list.response.labelled_by(name.id);
    ui.end_row();
}

fn figures(ui: &mut Ui, session: &Session) {
    let read = session.shared.meters.read();
    ui.label(format!(
        "CPU {:.0} % of a block's time, {:.0} % in the worst of {}",
        100.0 * read.load,
        100.0 * read.worst,
        read.blocks
    ));
    ui.label(format!("overruns: {}, told by the sound server: {}", read.overruns, read.reported));
    if ui.button("Count anew").clicked() {
        session.shared.meters.forget();
    }
}
